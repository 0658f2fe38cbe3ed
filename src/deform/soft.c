// SPDX-License-Identifier: MIT
#include "deform/soft.h"

#include <stdio.h>
#include <string.h>

#include "deform/soft_data.h"

static const double STEP_OF_LIMIT = 0.7; // of leapfrog: contacts make the bodies stiffer
static const double SKIN = 0.5;          // [smallest radius]
static const double PATH = 0.25;         // [smallest radius] that molecules may move in a step

// ---- parameters: the materials, so that they can be changed from outside, also while it runs

static RbStatus build(void *self, RbBuild *b) {
    Soft *soft = self;
    soft->given = rb_build_data(b);
    soft->touches = -1;
    if (!soft->given) return RB_ERROR_USAGE;
    const RbSoftScene *s = soft->given;
    RbArena *arena = s->arena;
    for (int i = 0; i < s->materials.count; i++) {
        const RbSoftMaterial *m = &s->materials.data[i];
        const RbParameterSpec specs[SOFT_PARAMETERS] = {
            {"youngs_modulus", m->youngs_modulus, "Pa", "Young's modulus", 1e-3, 1e13},
            {"density", m->density, "kg/m3", "density", 1e-3, 1e5},
            {"damping", m->damping, "1", "damping ratio of a connection", 0, 10},
            {"medium_density", m->medium_density, "kg/m3", "density of the medium around", 0, 1e5},
        };
        for (int k = 0; k < SOFT_PARAMETERS; k++) {
            RbParameterSpec spec = specs[k];
            spec.name = rb_arena_printf(arena, "%s.%s", m->name, spec.name);
            int number = rb_build_parameter(b, &spec);
            if (i == 0 && k == 0) soft->first_material_parameter = number;
        }
    }
    for (int i = 0; i < s->objects.count; i++) {
        const RbMolecule *m = &s->molecules.data[s->objects.data[i].first];
        const char *name = rb_arena_printf(arena, "%s.friction", s->objects.data[i].name);
        int number =
            rb_build_parameter(b, &(RbParameterSpec){name, m->friction, "1",
                                                     "friction; that of all its molecules if "
                                                     "it is changed",
                                                     0, 10});
        if (i == 0) soft->first_object_parameter = number;
    }
    soft->detection_parameter = rb_build_parameter(
        b, &(RbParameterSpec){"detection", s->detection, "1",
                              "what touches: 0 spheres, 1 surfaces, 2 surfaces with all edges", 0,
                              2, true});
    rb_build_parameter(b, &(RbParameterSpec){"strain_scale", 0, "1",
                                             "pictures show strain: blue at minus this, red at "
                                             "this; 0: the colours of the materials",
                                             0, 100});
    rb_build_function(b, &(RbFunctionSpec){.name = "forces",
                                           .level = RB_LEVEL_ACCELERATION,
                                           .after = RB_NONE,
                                           .derivative = RB_NONE,
                                           .state_derivatives = true});
    return RB_OK;
}

static void read_parameters(Soft *soft, const RbSegment *g) {
    const RbSoftScene *given = soft->given;
    RbSoftScene *s = &soft->scene;
    *s = *given;
    s->materials.data = rb_new_array(g->arena, RbSoftMaterial, given->materials.count);
    s->molecules.data = rb_new_array(g->arena, RbMolecule, given->molecules.count);
    memcpy(s->materials.data, given->materials.data,
           (size_t)given->materials.count * sizeof(RbSoftMaterial));
    memcpy(s->molecules.data, given->molecules.data,
           (size_t)given->molecules.count * sizeof(RbMolecule));
    for (int i = 0; i < s->materials.count; i++) {
        RbSoftMaterial *m = &s->materials.data[i];
        int first = soft->first_material_parameter + SOFT_PARAMETERS * i;
        m->youngs_modulus = rb_segment_parameter(g, first + P_YOUNG);
        m->density = rb_segment_parameter(g, first + P_DENSITY);
        m->damping = rb_segment_parameter(g, first + P_DAMPING);
        m->medium_density = rb_segment_parameter(g, first + P_MEDIUM);
    }
    s->detection = (RbSoftDetection)rb_segment_parameter(g, soft->detection_parameter);
    soft->strain_scale = rb_segment_parameter(g, soft->detection_parameter + 1);
    for (int i = 0; i < s->objects.count; i++) {
        const RbSoftObject *o = &s->objects.data[i];
        double friction = rb_segment_parameter(g, soft->first_object_parameter + i);
        if (friction == given->molecules.data[o->first].friction) continue;
        for (int k = 0; k < o->count; k++) s->molecules.data[o->first + k].friction = friction;
    }
}

const RbSoftScene *rb_soft_component_scene(const void *self) {
    const Soft *soft = self;
    return &soft->scene;
}

// ---- segments

// Of a bristle, its place is the nominal: an error in it shows in the places of molecules, which are controlled.
static void declare_states(const Soft *soft, RbSegment *g, const double *old) {
    static const char *const units[] = {"m", "m/s", "m"}, *const letters[] = {"r", "v", "z"};
    const RbNetwork *n = &soft->network;
    for (int level = 0; level < 3; level++) {
        for (int i = 0; i < 3 * n->free_count; i++) {
            int molecule = n->molecule_of[i / 3];
            const RbMolecule *m = &n->scene->molecules.data[molecule];
            const RbNetworkObject *o = &n->objects[m->object];
            char name[160];
            snprintf(name, sizeof name, "%.100s.%s[%d,%d]", o->name, letters[level],
                     molecule - o->first + 1, i % 3 + 1);
            double start[3];
            v3_store(start, level == 0 ? m->r : level == 1 ? m->v : V3_ZERO);
            rb_segment_state(
                g, &(RbStateSpec){.name = name,
                                  .start = old ? old[level * 3 * n->free_count + i] : start[i % 3],
                                  .nominal = level == 1   ? 0.3
                                             : level == 2 ? 1
                                                          : o->spacing,
                                  .unit = units[level],
                                  .group = soft->among_rigid ? 0 : m->object,
                                  .absolute = true,
                                  .hidden = true});
        }
    }
}

static double smallest_radius(const RbNetwork *n) {
    double radius = INFINITY;
    for (int i = 0; i < n->count; i++) radius = fmin(radius, n->scene->molecules.data[i].radius);
    return radius;
}

// The speed that a fall through the whole scene gives, and what there is at the start. [m/s]
static double fastest(const RbNetwork *n) {
    const RbMolecule *m = n->scene->molecules.data;
    Vec3 low = m[0].r, high = m[0].r;
    double speed = 0;
    for (int i = 0; i < n->count; i++) {
        low = v3_min(low, m[i].r), high = v3_max(high, m[i].r);
        speed = fmax(speed, v3_norm(m[i].v));
    }
    return speed + sqrt(2 * v3_norm(n->scene->gravity) * v3_distance(low, high)) + 1e-3;
}

double rb_soft_path_step(const Soft *soft) {
    return PATH * smallest_radius(&soft->network) / fastest(&soft->network);
}

double rb_soft_stable_step(const Soft *soft, RbArena scratch) {
    const RbNetwork *n = &soft->network;
    Vec3 *r = rb_new_array(&scratch, Vec3, n->count);
    for (int i = 0; i < n->count; i++) r[i] = n->scene->molecules.data[i].r;
    return STEP_OF_LIMIT * rb_network_stable_step(n, r, scratch);
}

static void choose_steps(Soft *soft, RbSegment *g) {
    int count = 3 * soft->network.free_count;
    double step = rb_soft_stable_step(soft, g->scratch), path = rb_soft_path_step(soft);
    soft->step = fmin(step, path);
    rb_segment_max_step(g, path);
    rb_segment_needs_solver(g, "soft bodies take steps of their own");
    bool explicit_pays = step >= RB_SOFT_SHORTEST_EXPLICIT;
    rb_segment_mechanical(g, 0, count, count, explicit_pays ? fmin(step, path) : 0);
    if (!explicit_pays) rb_segment_vibrates(g);
}

// The next kink of a force, or the next time at which something is glued or cut.
static double next_given_time(const Soft *soft, double time) {
    double next = INFINITY;
    for (int i = 0; i < soft->scene.changes.count; i++) {
        double t = soft->scene.changes.data[i].time;
        if (t > time) next = fmin(next, t);
    }
    for (int i = 0; i < soft->scene.forces.count; i++) {
        double t = soft->scene.forces.data[i].time;
        if (t > time) next = fmin(next, t);
    }
    return next;
}

static Vec3 *places_now(const Soft *soft, const double *old, RbArena *arena) {
    const RbNetwork *n = &soft->network;
    Vec3 *r = rb_new_array(arena, Vec3, n->count);
    for (int i = 0; i < n->count; i++) {
        int k = n->free_index[i];
        r[i] = old && k >= 0 ? v3_load(old + 3 * k) : n->scene->molecules.data[i].r;
    }
    return r;
}

static void tell_sizes(const Soft *soft, RbSegment *g) {
    for (int i = 0; i < soft->network.object_count; i++) {
        const RbNetworkObject *o = &soft->network.objects[i];
        const struct {
            const char *name, *unit, *description;
            double value;
        } numbers[] = {
            {"molecules", "1", "molecules", o->count},
            {"connections", "1", "springs between molecules", o->connections},
            {"elements", "1", "tetrahedra", o->element_count},
            {"spacing", "m", "distance of neighbours", o->spacing},
            {"mass", "kg", "mass of the molecules that move", o->mass},
            {"triangles", "1", "triangles of its surface",
             soft->skins ? soft->skins[i].mesh.triangle_count : 0},
            {"bending_error", "1",
             "by how much springs are too stiff in bending where it is thinnest", o->bending_error},
        };
        for (int k = 0; k < 7; k++)
            rb_segment_constant(
                g,
                &(RbResultSpec){rb_arena_printf(g->arena, "%s.%s", o->name, numbers[k].name),
                                numbers[k].unit, numbers[k].description, false},
                numbers[k].value);
    }
}

// Springs of a body of a few layers are not as stiff as its material; nobody should have to find out.
void rb_soft_tell_thin(const Soft *soft, RbDiag *diag) {
    const double much = 0.15; // three molecules are told in bending_error only
    const RbNetworkObject *thin = NULL;
    int count = 0;
    for (int i = 0; i < soft->network.object_count; i++) {
        const RbNetworkObject *o = &soft->network.objects[i];
        if (!o->moves || !(o->bending_error > much)) continue;
        if (!thin || o->bending_error > thin->bending_error) thin = o;
        count++;
    }
    if (!thin) return;
    RbPos at = soft->scene.objects.data[thin - soft->network.objects].at;
    char others[64] = "";
    if (count > 1) snprintf(others, sizeof others, " (%d objects are thin, this one most)", count);
    rb_warn(diag, at,
            "'%s' is %d molecules thick: in bending its springs are %.0f %% stiffer than Young's "
            "modulus "
            "says%s; six molecules are 2 %% off, elements of order 2 follow it at three",
            thin->name, thin->layers, 100 * thin->bending_error, others);
}

// A grid has whole cells: a shape of 2.5 of them gets two.
void rb_soft_tell_coarse(const Soft *soft, RbDiag *diag) {
    const double far = 0.2;
    for (int i = 0; i < soft->network.object_count; i++) {
        const RbNetworkObject *o = &soft->network.objects[i];
        if (fabs(o->filled - 1) <= far) continue;
        rb_warn(diag, soft->scene.objects.data[i].at,
                "the grid of '%s' is %.0f %% of its shape, as it has whole cells; its mass is that "
                "of the "
                "shape, its size is not: choose a finer grid, or one that divides its lengths",
                o->name, 100 * o->filled);
    }
}

static RbStatus make_skins(Soft *soft, RbSegment *g) {
    const RbNetwork *n = &soft->network;
    soft->skins = NULL;
    if (soft->scene.detection == RB_SOFT_SPHERES) return RB_OK;
    soft->skins = rb_new_array(g->arena, RbSoftSkin, n->object_count);
    soft->fields = rb_new_array(g->arena, RbSoftField, n->object_count);
    soft->means = rb_new_array(g->arena, SoftMean, n->object_count);
    for (int i = 0; i < n->object_count; i++) {
        RB_TRY(rb_soft_make_skin(soft, i, g->arena, g->scratch, g->diag, &soft->skins[i]));
        soft->fields[i] = rb_soft_field(n, i);
        soft->means[i] = rb_soft_mean(soft, i);
        if (soft->scene.detection == RB_SOFT_EDGES)
            rb_skin_find_edges(&soft->skins[i], g->arena, g->scratch);
    }
    return RB_OK;
}

// Whether there are forces with the new skins at the places that there are.
static bool can_touch(const Soft *soft, const double *old, RbArena scratch) {
    size_t size = rb_soft_work_size(soft);
    void *memory = memset(rb_arena_push(&scratch, size, alignof(max_align_t)), 0, size);
    SoftWork *w = rb_soft_work(soft, memory);
    rb_soft_gather(soft, old, w);
    rb_soft_start_forces(soft, w);
    return rb_soft_contacts(soft, &(RbEval){0}, w) == RB_EVAL_OK;
}

// What touches can be switched while it runs, but not where the other kind is deeper in itself than forces let it come: spheres lie in ditches where
// surfaces do not.
static RbStatus switch_detection(Soft *soft, RbSegment *g, const double *old) {
    static const char *const names[] = {"spheres", "surfaces", "edges of surfaces"};
    int before = soft->touches, wanted = (int)soft->scene.detection;
    soft->touches = wanted;
    if (!old || before < 0 || before == wanted || can_touch(soft, old, g->scratch)) return RB_OK;
    rb_warn(g->diag, RB_NOWHERE,
            "%s cannot touch at t = %.6g s, as they are too deep in each other: %s touch as "
            "before; switch again when bodies are farther apart",
            names[wanted], rb_segment_time(g), names[before]);
    soft->touches = before;
    soft->scene.detection = (RbSoftDetection)before;
    return make_skins(soft, g);
}

RbStatus rb_soft_start(Soft *soft, RbSegment *g, const double *old) {
    if (g->instance && g->instance->counted) g->instance->counted->molecules = soft->network.count;
    rb_soft_keep_glued(soft, g->arena);
    rb_soft_keep_torn(soft);
    soft->skin = SKIN * smallest_radius(&soft->network);
    Vec3 *r = places_now(soft, old, g->arena);
    if (!old) RB_TRY(rb_soft_check_overlap(soft, r, g->scratch, g->diag));
    RB_TRY(make_skins(soft, g));
    if (!soft->among_rigid) RB_TRY(switch_detection(soft, g, old));
    declare_states(soft, g, old);
    tell_sizes(soft, g);
    rb_soft_paint(soft, g);
    rb_soft_open_pattern(soft, g);
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *g) {
    Soft *soft = self;
    int count, quadratures;
    const double *old = rb_segment_old_states(g, &count),
                 *q = rb_segment_old_quadratures(g, &quadratures);
    static const char *const names[][2] = {
        {"lost_springs", "energy lost in the connections"},
        {"lost_medium", "energy lost to the medium"},
        {"lost_contact", "energy lost in contacts: damping and friction"},
        {"work_forces", "work of the forces given over time"},
    };
    read_parameters(soft, g);
    RB_TRY(rb_network_build(&soft->scene, g->arena, g->scratch, g->diag, &soft->network));
    RB_TRY(rb_soft_start(soft, g, old));
    for (int i = 0; i < SOFT_Q_COUNT; i++)
        rb_segment_quadrature(g, &(RbQuadratureSpec){names[i][0], q ? q[i] : 0, "J", names[i][1]});
    const double *d = rb_segment_old_discrete(g, &count);
    rb_segment_discrete(
        g, &(RbDiscreteSpec){"torn", d ? d[SOFT_D_BROKEN] : 0, "1", "connections that are torn"});
    rb_segment_discrete(g, &(RbDiscreteSpec){"lost_torn", d ? d[SOFT_D_TORN_ENERGY] : 0, "J",
                                             "energy that was in connections when they were torn"});
    int changes = rb_segment_discrete(
        g, &(RbDiscreteSpec){"changes", d ? d[SOFT_D_CHANGES] : 0, "", "", true});
    rb_segment_whole(g, changes, 1, 1, soft->scene.changes.count);
    rb_soft_declare_results(soft, g);
    choose_steps(soft, g);
    rb_segment_time_event(g, next_given_time(soft, rb_segment_time(g)));
    if (soft->scene.forces.count == 0) rb_segment_autonomous(g);
    rb_segment_workspace(g, rb_soft_work_size(soft));
    if (!old) {
        rb_soft_tell_thin(soft, g->diag);
        rb_soft_tell_coarse(soft, g->diag);
    }
    return RB_OK;
}

// ---- evaluation

static size_t aligned(size_t bytes) {
    return (bytes + 15) & ~(size_t)15;
}

static size_t strain_size(const Soft *soft) {
    return aligned((size_t)soft->network.count * sizeof(double));
}

static size_t gone_size(const Soft *soft) {
    const RbNetwork *n = &soft->network;
    return aligned((size_t)n->neighbour_first[n->count] * sizeof(int));
}

static size_t states_size(const Soft *soft) {
    return aligned((size_t)rb_soft_state_count(soft) * sizeof(double));
}

static size_t slopes_size(const Soft *soft) {
    return soft->among_rigid ? aligned((size_t)soft->network.count * 2 * sizeof(Mat3)) : 0;
}

// Bristles, turns, and the list of these.
static size_t rub_size(const Soft *soft) {
    size_t count = (size_t)soft->network.count;
    return aligned(count * sizeof(SoftBristle)) + aligned(count * sizeof(SoftTurn)) +
           aligned(count * sizeof(int));
}

size_t rb_soft_work_size(const Soft *soft) {
    size_t molecules = aligned((size_t)soft->network.count * sizeof(Vec3));
    return aligned(sizeof(SoftWork)) + 3 * molecules + states_size(soft) + slopes_size(soft) +
           rub_size(soft) + strain_size(soft) + gone_size(soft) +
           aligned((size_t)soft->network.object_count * sizeof(Vec3)) +
           rb_sphere_pairs_size(&soft->network) +
           (soft->skins ? rb_surface_list_size(&soft->network, soft->skins) : 0);
}

SoftWork *rb_soft_work(const Soft *soft, void *workspace) {
    SoftWork *w = workspace;
    if (w->r) return w;
    unsigned char *at = (unsigned char *)workspace + aligned(sizeof(SoftWork));
    size_t molecules = aligned((size_t)soft->network.count * sizeof(Vec3));
    w->r = (Vec3 *)at;
    w->v = (Vec3 *)(at + molecules);
    w->f = (Vec3 *)(at + 2 * molecules);
    w->press = (Vec3 *)(at + 3 * molecules);
    at += 3 * molecules + aligned((size_t)soft->network.object_count * sizeof(Vec3));
    w->pairs = rb_sphere_pairs_open(&soft->network, soft->skin, at);
    at += rb_sphere_pairs_size(&soft->network);
    w->strain = (double *)at;
    at += strain_size(soft);
    w->gone = (int *)at;
    at += gone_size(soft);
    w->states = (double *)at;
    at += states_size(soft);
    if (soft->among_rigid) w->wall_slopes = (Mat3 *)at;
    at += slopes_size(soft);
    w->bristles = (SoftBristle *)at;
    w->turns = (SoftTurn *)(at + aligned((size_t)soft->network.count * sizeof(SoftBristle)));
    w->turned = (int *)(at + rub_size(soft) - aligned((size_t)soft->network.count * sizeof(int)));
    at += rub_size(soft);
    if (soft->skins)
        w->vertices =
            rb_surface_list_open(&soft->network, soft->skins, soft->fields, soft->skin, at);
    for (int i = 0; i < soft->network.count; i++) // those that are fixed stay there
        w->r[i] = soft->network.scene->molecules.data[i].r, w->v[i] = V3_ZERO;
    return w;
}

void rb_soft_gather(const Soft *soft, const double *x, SoftWork *w) {
    const RbNetwork *n = &soft->network;
    const double *v = x + 3 * n->free_count, *z = v + 3 * n->free_count;
    for (int i = 0; i < n->free_count; i++) {
        w->r[n->molecule_of[i]] = v3_load(x + 3 * i);
        w->v[n->molecule_of[i]] = v3_load(v + 3 * i);
        w->bristles[n->molecule_of[i]].z = v3_load(z + 3 * i);
    }
}

void rb_soft_start_forces(const Soft *soft, SoftWork *w) {
    w->touching = 0;
    w->contact_energy = w->contact_lost = 0;
    for (int i = 0; i < soft->network.count; i++) w->f[i] = V3_ZERO;
    for (int i = 0; i < soft->network.object_count; i++) w->press[i] = V3_ZERO;
    rb_soft_start_bristles(soft, w);
    rb_soft_start_turns(w);
}

void rb_soft_rates(const Soft *soft, const SoftWork *w, double *dr) {
    const RbNetwork *n = &soft->network;
    double *dv = dr + 3 * n->free_count, *dz = dv + 3 * n->free_count;
    for (int i = 0; i < n->free_count; i++) {
        int k = n->molecule_of[i];
        double by_itself, by_velocity;
        v3_store(dr + 3 * i, w->v[k]);
        v3_store(dv + 3 * i, v3_scale(1 / n->mass[k], w->f[k]));
        v3_store(dz + 3 * i,
                 rb_soft_bristle_rate(soft, &w->bristles[k], n->mass[k], &by_itself, &by_velocity));
    }
}

RbEvalStatus rb_soft_inner_forces(const Soft *soft, const RbEval *e, SoftWork *w,
                                  RbNetworkPower *lost) {
    *lost = rb_network_forces(&soft->network, e->time, w->r, w->v, w->f);
    if (lost->flat < 0) return RB_EVAL_OK;
    return rb_eval_retry(e, "a cell of '%s' is squeezed flat; a smaller step is needed",
                         soft->network.objects[lost->flat].name);
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Soft *soft = self;
    const RbNetwork *n = &soft->network;
    SoftWork *w = rb_soft_work(soft, e->workspace);
    rb_soft_gather(soft, e->x, w);
    rb_soft_start_forces(soft, w);
    RbNetworkPower lost;
    RbEvalStatus status = rb_soft_inner_forces(soft, e, w, &lost);
    if (status == RB_EVAL_OK) status = rb_soft_contacts(soft, e, w);
    if (status != RB_EVAL_OK) return status;
    rb_soft_turn(soft, w);
    rb_soft_rates(soft, w, e->dx);
    e->dq[SOFT_Q_SPRINGS] = lost.springs;
    e->dq[SOFT_Q_MEDIUM] = lost.medium;
    e->dq[SOFT_Q_CONTACT] = w->contact_lost;
    e->dq[SOFT_Q_WORK] = rb_network_given_power(n, e->time, w->v);
    return RB_EVAL_OK;
}

// ---- events

// For an implicit solver: the pattern of its matrix has the pairs that were near when it started.
// Others that touch by now would only slow it down; it starts anew with them.
static double inspect(void *self, const RbStepView *step, int *indicator, int *sign) {
    const Soft *soft = self;
    SoftWork *w = rb_soft_work(soft, step->workspace);
    *indicator = RB_NONE;
    *sign = 0;
    double tear = soft->can_tear ? rb_soft_find_tear(soft, step, w) : INFINITY;
    if (tear <= step->t1) return tear;
    if (!w->implicit) return INFINITY;
    rb_step_states(step, step->t1,
                   w->states); // whatever was evaluated last, which recording decides
    rb_soft_gather(soft, w->states, w);
    return rb_soft_pattern_lacks(soft, w) ? step->t1 : INFINITY;
}

static bool lose(const RbEvent *event, SoftTorn torn) {
    event->discrete[SOFT_D_BROKEN] += torn.count;
    event->discrete[SOFT_D_TORN_ENERGY] += torn.energy;
    return torn.count > 0;
}

// What is glued and cut at this time, in the order of the scene.
static bool change_connections(Soft *soft, const RbEvent *event, const Vec3 *r) {
    const RbSoftScene *s = &soft->scene;
    double *done = &event->discrete[SOFT_D_CHANGES];
    bool any = false;
    for (; *done < s->changes.count && s->changes.data[(int)*done].time <= event->time;
         *done += 1) {
        const RbSoftChange *c = &s->changes.data[(int)*done];
        int a = rb_soft_scene_find_object(s, c->a);
        any = true;
        if (c->kind == RB_SOFT_GLUE) {
            int count = rb_soft_glue(soft, a, rb_soft_scene_find_object(s, c->b), r);
            rb_event_log(event, "'%s' is glued to '%s' with %d connections", c->a, c->b, count);
            if (count == 0)
                rb_event_fail_at(
                    event, c->at,
                    "cannot glue '%s' and '%s': they do not touch; choose another time, "
                    "or place them nearer",
                    c->a, c->b);
        } else {
            SoftTorn torn = rb_soft_cut(soft, a, c->point, c->normal, r);
            rb_event_log(event, "%d connections of '%s' are cut", torn.count, c->a);
            lose(event, torn);
        }
    }
    return any;
}

static RbRestart at_event(void *self, RbEvent *event) {
    Soft *soft = self;
    if (event->pass > 0) return RB_NO_RESTART;
    SoftWork *w = rb_soft_work(soft, event->workspace);
    bool kink = event->time_event;
    if (kink) event->next_time = next_given_time(soft, event->time);
    rb_soft_gather(soft, event->x, w);
    if (change_connections(soft, event, w->r)) return RB_FULL_RESTART;
    if (soft->can_tear) {
        SoftTorn torn = rb_soft_tear(soft, w->r);
        if (torn.count > 0)
            rb_event_log(event, "%d connection%s torn", torn.count,
                         torn.count > 1 ? "s are" : " is");
        if (lose(event, torn)) return RB_RESTART;
    }
    if (!rb_sphere_pairs_update(w->pairs, &soft->network, w->r)) return RB_NO_RESTART;
    bool lacks = rb_soft_pattern_lacks(soft, w);
    if (event->initial || lacks) rb_soft_make_pattern(soft, w);
    return !event->initial && (kink || (lacks && w->implicit)) ? RB_RESTART : RB_NO_RESTART;
}

static void draw(void *self, RbDrawing *drawing) {
    Soft *soft = self;
    RbDrawObject down = rb_draw_object("gravity", RB_FORM_GRAVITY);
    v3_store(down.size, soft->scene.gravity);
    rb_soft_draw(soft, drawing);
    rb_drawing_add(drawing, &down);
}

static void show(void *self, const RbEval *e, RbPicture *picture) {
    rb_soft_show(self, rb_soft_work(self, e->workspace), picture);
}

static void couplings(void *self, RbCouplings *c) {
    rb_soft_couplings(self, c, 0);
}

static RbEvalStatus jacobian(void *self, const RbEval *e, double *values) {
    rb_soft_jacobian(self, rb_soft_work(self, e->workspace), values);
    return RB_EVAL_OK;
}

const RbComponentType rb_soft_component = {
    .version = RB_COMPONENT_VERSION,
    .name = "SoftBodies",
    .description = "soft bodies of molecules and springs, and their contacts",
    .memory = sizeof(Soft),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .couplings = couplings,
    .jacobian = jacobian,
    .inspect = inspect,
    .at_event = at_event,
    .record = rb_soft_record,
    .draw = draw,
    .show = show,
    .save = rb_soft_save,
    .restore = rb_soft_restore,
};
