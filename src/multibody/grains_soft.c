// SPDX-License-Identifier: MIT
// Grains and soft bodies (docs/theory/granular.md, section 6): molecules are puppets of the cloud,
// spheres that touch its grains by the law of grains. While the grains make their steps molecules are
// taken along, as rigid bodies are (carry.c), each with its own mass; the solver then makes
// the interval with the loads that were found.
#include <math.h>

#include "component/segment.h"
#include "deform/soft_data.h"
#include "multibody/grains.h"
#include "multibody/matter.h"

bool rb_grains_touch_soft(const Mechanism *m, const RbSegment *seg) {
    if (!m->soft || !m->scene->contact) return false;
    bool can = !rb_borders_any(&m->scene->grain_options.borders) && !rb_grains_have_engine(seg);
    if (!can && m->first)
        rb_warn(seg->diag, RB_NOWHERE,
                "grains and soft bodies do not touch each other in a periodic cell, or if another "
                "engine computes the grains");
    return can;
}

// ---- laws

// What a connection of this damping ratio would return; but not so little that faces of polyhedra
// are braked faster than steps can follow.
static double restitution(double ratio) {
    double beta = fmin(ratio, 0.7);
    return exp(-M_PI * beta / sqrt(1 - beta * beta));
}

// Molecules of a body are one after another, and have one friction.
int rb_grains_number_soft(const Mechanism *m) {
    struct Grains *g = m->grains;
    const RbSoftScene *s = &rb_mechanism_soft(m)->scene;
    const RbMolecule *p = s->molecules.data;
    int *sample = rb_new_array(g->arena, int, s->molecules.count), count = 0;
    g->kind_samples = sample;
    g->soft_kinds = rb_new_array(g->arena, int, s->molecules.count);
    for (int i = 0; i < s->molecules.count; i++) {
        int k = count;
        while (k > 0 && p[sample[k - 1]].object == p[i].object &&
               p[sample[k - 1]].material != p[i].material)
            k--;
        bool found = k > 0 && p[sample[k - 1]].object == p[i].object;
        if (!found) sample[count++] = i;
        g->soft_kinds[i] = found ? k - 1 : count - 1;
    }
    return count;
}

static RbGrainLaw law_of(const RbSoftScene *s, int molecule, RbElastic grain) {
    const RbMolecule *p = &s->molecules.data[molecule];
    const RbSoftMaterial *material = &s->materials.data[p->material];
    RbElastic own = {.youngs_modulus = material->youngs_modulus,
                     .poissons_ratio = material->poisson};
    RbGrainPair pair = {.restitution = restitution(material->damping), .sliding = p->friction};
    return rb_grain_law(&pair, grain, own);
}

void rb_grains_soft_laws(const Mechanism *m, int count, RbGrainLaw *laws) {
    const struct Grains *g = m->grains;
    for (int a = 0; a < g->materials_of_grains; a++) {
        for (int b = g->first_soft; b < count; b++) {
            RbGrainLaw law = law_of(&rb_mechanism_soft(m)->scene,
                                    g->kind_samples[b - g->first_soft], g->elastics[a]);
            laws[a * count + b] = laws[b * count + a] = law;
        }
    }
}

double rb_grains_soft_time(const Mechanism *m, const RbGrainLaw *laws, int count, double mass,
                           double radius, double speed) {
    const struct Grains *g = m->grains;
    const RbNetwork *n = &rb_mechanism_soft(m)->network;
    double time = INFINITY;
    for (int k = 0; k < n->count; k++) {
        const RbMolecule *p = &n->scene->molecules.data[k];
        double both = n->free_index[k] < 0 ? mass : mass * n->mass[k] / (mass + n->mass[k]),
               round = radius * p->radius / (radius + p->radius);
        for (int a = 0; a < g->materials_of_grains; a++)
            time = fmin(time,
                        rb_grain_contact_time(&laws[a * count + g->first_soft + g->soft_kinds[k]],
                                              both, round, speed));
    }
    return time;
}

// ---- a segment

static double mass_of(const RbNetwork *n, int molecule) {
    const double immovable = 1e6; // [kg] for the damping of contacts
    return n->free_index[molecule] < 0 ? immovable : n->mass[molecule];
}

void rb_grains_add_molecules(const Mechanism *m) {
    const struct Grains *g = m->grains;
    for (int k = 0; k < g->molecule_count; k++) {
        const RbNetwork *n = &rb_mechanism_soft(m)->network;
        const RbMolecule *p = &n->scene->molecules.data[k];
        rb_cloud_add_puppet(g->cloud,
                            (RbGrain){.r = p->r,
                                      .v = p->v,
                                      .radius = p->radius,
                                      .mass = mass_of(n, k),
                                      .material = g->first_soft + g->soft_kinds[k]},
                            k);
    }
}

void rb_grains_start_molecules(const Mechanism *m) {
    struct Grains *g = m->grains;
    const RbNetwork *n = &rb_mechanism_soft(m)->network;
    if (!g->molecules) g->molecules = rb_new_array(g->arena, CarriedPoint, n->count);
    g->molecule_count = n->count;
    for (int k = 0; k < n->count; k++)
        g->molecules[k].yield = n->free_index[k] < 0 ? 0 : 1 / n->mass[k];
    RbCloud *cloud = g->cloud; // materials may have changed
    g->soft_substeps = (long)(rb_mechanism_soft(m)->step / cloud->options.step);
    rb_grains_soft_laws(m, cloud->options.materials, (RbGrainLaw *)cloud->options.laws);
    for (int i = 0; i < cloud->count; i++)
        if (cloud->body[i] == RB_GRAIN_PUPPET) cloud->v[i].w = mass_of(n, cloud->member[i]);
}

// ---- while the grains move

static void place(struct Grains *g) {
    RbCloud *cloud = g->cloud;
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->body[i] != RB_GRAIN_PUPPET) continue;
        const CarriedPoint *p = &g->molecules[cloud->member[i]];
        rb_cloud_move_puppet(cloud, i, p->r, p->v, p->w);
    }
}

void rb_grains_move_molecules(struct Grains *g) {
    double h = g->cloud->step;
    if (g->molecule_count == 0) return;
    for (int k = 0; k < g->molecule_count; k++) {
        CarriedPoint *p = &g->molecules[k];
        p->r = v3_axpy(v3_axpy(p->r, h, p->v), 0.5 * h * h, p->a);
        p->v = v3_axpy(p->v, h, p->a);
    }
    place(g);
}

static void load(struct Grains *g, CarriedPoint *p, Wrench now) {
    double h = g->cloud->step, passed = g->cloud->time - g->from;
    Vec3 a = v3_axpy(v3_axpy(p->smooth, passed, p->rise), p->yield, now.f);
    p->v = v3_axpy(p->v, 0.5 * h, v3_sub(a, p->a));
    p->a = a;
    p->sum = wrench_axpy(wrench_axpy(p->sum, 0.5 * h, p->load), 0.5 * h, now);
    p->moment =
        wrench_axpy(wrench_axpy(p->moment, 0.5 * h * (passed - h), p->load), 0.5 * h * passed, now);
    p->load = now;
}

void rb_grains_load_molecules(struct Grains *g) {
    const RbCloud *cloud = g->cloud;
    for (int i = 0; g->molecule_count > 0 && i < cloud->count; i++) {
        if (cloud->body[i] != RB_GRAIN_PUPPET) continue;
        RbQuad f = cloud->f[i], t = cloud->t[i];
        load(g, &g->molecules[cloud->member[i]], (Wrench){v3(t.x, t.y, t.z), v3(f.x, f.y, f.z)});
    }
}

// ---- where they meet

// As rigid bodies: what the solver made of the interval beyond the loads, in the mean; two means
// give a line.
static void find_smooth(const struct Grains *g, CarriedPoint *p, Vec3 v) {
    double time = g->until - g->from, middle = 0.5 * (g->from + g->until);
    if (!(time > 0)) return;
    Vec3 mean = v3_scale(1 / time, v3_axpy(v3_sub(v, p->started), -p->yield, p->sum.f));
    p->rise = V3_ZERO;
    if (p->known > 0 && middle > p->middle)
        p->rise = v3_scale(1 / (middle - p->middle), v3_sub(mean, p->mean_before));
    p->smooth = v3_axpy(mean, g->until - middle, p->rise);
    p->mean_before = mean;
    p->middle = middle;
    p->known = fmin(2, p->known + 1);
}

double rb_grains_meet_molecules(const Mechanism *m, MechanismWork *w) {
    struct Grains *g = m->grains;
    const Soft *soft = rb_mechanism_soft(m);
    SoftWork *sw = rb_mechanism_soft_work(w);
    double gap = 0;
    rb_soft_start_turns(sw);
    for (int k = 0; k < g->molecule_count; k++) {
        CarriedPoint *p = &g->molecules[k];
        if (g->substeps > 0) gap = fmax(gap, v3_distance(p->r, sw->r[k]));
        find_smooth(g, p, sw->v[k]);
        p->r = sw->r[k], p->v = p->started = sw->v[k];
        p->w = rb_soft_spin(soft, sw, k);
        p->sum = p->moment = WRENCH_ZERO;
        p->a = v3_axpy(p->smooth, p->yield, p->load.f);
    }
    place(g);
    return gap;
}

// A contact may begin in an interval, which must be short then: while the grains move molecules know
// nothing of each other. What goes on touching is left to the gap.
long rb_grains_soft_most(const struct Grains *g) {
    const long longer = 8;
    for (int k = 0; k < g->molecule_count; k++)
        if (v3_norm2(g->molecules[k].load.f) > 0) return longer * g->soft_substeps;
    return g->soft_substeps;
}

bool rb_grains_write_molecule_loads(const struct Grains *g, double *discrete) {
    double *loads = discrete + GRAINS_LOADS + GRAINS_LOAD_SIZE * g->body_count;
    bool jumped = false;
    for (int k = 0; k < g->molecule_count; k++)
        jumped |= rb_grains_write_load(g->until - g->from, &g->molecules[k].sum,
                                       &g->molecules[k].moment, loads + GRAINS_LOAD_SIZE * k);
    return jumped;
}

void rb_mechanism_add_soft_grain_loads(const Mechanism *m, const RbEval *e, MechanismWork *w,
                                       SoftWork *sw) {
    const struct Grains *g = m->grains;
    const Soft *soft = rb_mechanism_soft(m);
    for (int k = 0; k < g->molecule_count; k++) {
        Wrench load = rb_grains_load_at(e->discrete + g->discrete, g->body_count + k, e->time);
        if (v3_norm2(load.f) == 0 && v3_norm2(load.t) == 0) continue;
        int object = soft->scene.molecules.data[k].object;
        sw->f[k] = v3_add(sw->f[k], load.f);
        sw->press[object] = v3_add(sw->press[object], load.f);
        w->ledger.input += v3_dot(load.f, sw->v[k]) + v3_dot(load.t, rb_soft_spin(soft, sw, k));
        rb_soft_twist(soft, sw, k, load.t);
    }
}

// ---- results

void rb_grains_declare_soft_results(const Mechanism *m, RbSegment *seg) {
    if (m->grains->molecule_count == 0) return;
    const RbNetwork *n = &rb_mechanism_soft(m)->network;
    for (int i = 0; i < 3 * n->object_count; i++) {
        const char *name =
            rb_arena_printf(seg->arena, "%s.grain_force[%d]", n->objects[i / 3].name, i % 3 + 1);
        rb_segment_result(seg, &(RbResultSpec){name, "N", "of all grains on it"});
    }
}

double *rb_grains_record_soft(const Mechanism *m, const RbEval *e, double *out) {
    const struct Grains *g = m->grains;
    if (g->molecule_count == 0) return out;
    const RbNetwork *n = &rb_mechanism_soft(m)->network;
    for (int i = 0; i < n->object_count; i++, out += 3) {
        const RbNetworkObject *o = &n->objects[i];
        Vec3 sum = V3_ZERO;
        for (int k = o->first; k < o->first + o->count; k++)
            sum = v3_add(
                sum, rb_grains_load_at(e->discrete + g->discrete, g->body_count + k, e->time).f);
        v3_store(out, sum);
    }
    return out;
}
