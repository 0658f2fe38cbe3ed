// SPDX-License-Identifier: MIT
#include "deform/network.h"

#include "base/sort.h"
#include "deform/tetrahedra.h"

static const double SPHERE_DRAG = 0.47; // coefficient of a sphere, Reynolds numbers 1e3 to 1e5

// ---- building

static double series(double a, double b) { // two springs one after the other, each half as long
    return 2 * a * b / (a + b);
}

// Cells are whole: what they miss of the shape is spread over them.
static double filled_part(const RbSoftObject *o, const RbLattice *l) {
    double sum = 0;
    for (int i = 0; i < o->count; i++) sum += l->volume[i];
    return o->volume > 0 && sum > 0 ? sum / o->volume : 1;
}

static void set_masses(RbNetwork *n, const RbSoftObject *o, const RbLattice *l, double filled) {
    for (int i = 0; i < o->count; i++) {
        const RbMolecule *m = &n->scene->molecules.data[o->first + i];
        const RbSoftMaterial *material = &n->scene->materials.data[m->material];
        double r2 = m->radius * m->radius;
        double volume = n->scene->mass == RB_SOFT_MASS_SPHERES ? 4.0 / 3 * M_PI * r2 * m->radius
                                                               : l->volume[i] / filled;
        n->mass[o->first + i] = material->density * volume;
        n->drag[o->first + i] = 0.5 * SPHERE_DRAG * material->medium_density * M_PI * r2;
    }
}

RbSoftSpring rb_network_spring(const RbNetwork *n, int a, int b, double stiffness, double length) {
    const RbMolecule *m = n->scene->molecules.data;
    const RbSoftMaterial *materials = n->scene->materials.data;
    const RbSoftMaterial *p = &materials[m[a].material], *q = &materials[m[b].material];
    double k = stiffness * series(p->youngs_modulus, q->youngs_modulus);
    double reduced = n->mass[a] * n->mass[b] / (n->mass[a] + n->mass[b]);
    double c = (p->damping + q->damping) * sqrt(k * reduced);
    double strain = fmin(p->breaking_strain > 0 ? p->breaking_strain : INFINITY,
                         q->breaking_strain > 0 ? q->breaking_strain : INFINITY);
    return (RbSoftSpring){a, b, k, c, length, length * (1 + strain)};
}

static void number_free(RbNetwork *n, RbArena *keep) {
    n->free_index = rb_new_array(keep, int, n->count);
    n->molecule_of = rb_new_array(keep, int, n->count);
    for (int i = 0; i < n->count; i++) {
        bool fixed = n->scene->molecules.data[i].fixed;
        n->free_index[i] = fixed ? -1 : n->free_count;
        if (!fixed) n->molecule_of[n->free_count++] = i;
    }
}

// ---- elements

static const RbSoftMaterial *material_of(const RbSoftScene *s, int molecule) {
    return &s->materials.data[s->molecules.data[molecule].material];
}

// An object is of springs or of elements, not of both.
static RbStatus find_model(const RbSoftScene *s, const RbSoftObject *o, RbDiag *diag,
                           const RbSoftMaterial **out) {
    const RbSoftMaterial *first = *out = material_of(s, o->first);
    for (int i = 1; i < o->count; i++) {
        const RbSoftMaterial *m = material_of(s, o->first + i);
        bool same = (m->model == RB_SOFT_SPRINGS) == (first->model == RB_SOFT_SPRINGS) &&
                    (m->order == 2) == (first->order == 2);
        if (!same)
            return rb_fail(diag, RB_ERROR_MODEL, s->molecules.data[o->first + i].at,
                           "the materials '%s' and '%s' of '%s' are not both of springs, or not "
                           "both of elements with the same number of nodes",
                           first->name, m->name, o->name);
    }
    if (o->tet_count > 0 && first->model == RB_SOFT_SPRINGS)
        return rb_fail(diag, RB_ERROR_MODEL, o->at,
                       "'%s' has elements, but the model of its material '%s' is springs", o->name,
                       first->name);
    return RB_OK;
}

// The stress of a viscous element lags behind by what the damping ratio of a spring of this length would make of it.
static RbSoftElement make_element(const RbNetwork *n, const RbSoftObject *o, const int *node,
                                  int nodes, RbElementPoint *points) {
    const RbSoftMaterial *m = material_of(n->scene, o->first + node[0]);
    RbSoftElement e = {.nodes = nodes, .points = nodes == 4 ? 1 : 4, .point = points};
    Vec3 rest[RB_ELEMENT_NODES];
    for (int i = 0; i < nodes; i++) {
        e.node[i] = o->first + node[i];
        rest[i] = n->scene->molecules.data[e.node[i]].r;
    }
    rb_element_points(rest, nodes, points);
    for (int k = 0; k < e.points; k++) e.volume += points[k].volume;
    double size = cbrt(6 * e.volume) / (nodes == 4 ? 1 : 2);
    e.law = rb_hooke(m->model, m->youngs_modulus, m->poisson);
    e.law.delay = 2 * m->damping * size * sqrt(m->density / m->youngs_modulus);
    return e;
}

typedef RB_ARRAY(RbSoftElement) Elements;

static void add_elements(const RbNetwork *n, const RbSoftObject *o, const RbTetrahedra *t,
                         RbArena *keep, Elements *all) {
    for (int i = 0; i < t->count; i++) {
        RbElementPoint *points = rb_new_array(keep, RbElementPoint, t->nodes == 4 ? 1 : 4);
        RbSoftElement e = make_element(n, o, t->node[i], t->nodes, points);
        bool moves = false;
        for (int k = 0; k < e.nodes; k++) moves = moves || n->free_index[e.node[k]] >= 0;
        if (moves) rb_array_push(all, keep, e);
    }
}

// The size of a cube that six elements fill, in the mean.
static double spacing_of(const RbSoftObject *o, const RbTetrahedra *t) {
    double volume = 0;
    for (int i = 0; i < o->count; i++) volume += t->share[i];
    return cbrt(6 * volume / t->count) / (t->nodes == 4 ? 1 : 2);
}

// ---- how thin

// Of cubic ones with 18 and 26 neighbours, body-centred ones, random ones (another sample is up to 0.03 off).
double rb_network_bending_error(RbSoftPlacement placement, int layers, int neighbours) {
    static const double found[4][7] = {{0, -1, 0.852, 0.127, 0.047, 0.026, 0.018},
                                       {0, -1, 1.159, 0.169, 0.062, 0.033, 0.022},
                                       {0, -1, 1.389, 0.151, 0.040, 0.017, 0.010},
                                       {0, -1, -1, 0.23, 0.17, 0.09, 0.035}};
    int row = placement == RB_SOFT_BODY_CENTRED ? 2
              : placement == RB_SOFT_RANDOM     ? 3
                                                : neighbours == 26;
    if (layers < 7) return found[row][layers];
    if (row == 3) return 0;
    return (row == 1 ? 0.6 : 0.5) / ((layers - 1) * (layers - 1));
}

// Without a grid by the box around it.
static int layers_in_box(const RbMolecule *m, const RbLattice *l) {
    Vec3 low = m[0].r, high = low;
    for (int i = 1; i < l->count; i++) low = v3_min(low, m[i].r), high = v3_max(high, m[i].r);
    Vec3 d = v3_sub(high, low);
    return 1 + (int)fmin(1e6, round(fmin(d.x, fmin(d.y, d.z)) / l->spacing));
}

static int layers_of(const RbMolecule *m, const RbLattice *l) {
    int least = l->count;
    if (l->count < 2) return 0;
    if (l->placement == RB_SOFT_RANDOM) return layers_in_box(m, l);
    if (!l->at) return 0;
    for (int k = 0; k < 3; k++) {
        int low = l->at[0][k], high = low;
        for (int i = 1; i < l->count; i++) {
            low = l->at[i][k] < low ? l->at[i][k] : low;
            high = l->at[i][k] > high ? l->at[i][k] : high;
        }
        int layers = (high - low) / rb_lattice_step(l) + 1;
        least = layers < least ? layers : least;
    }
    return least;
}

// ---- the whole

typedef struct Parts {
    RB_ARRAY(RbSoftSpring) springs;
    Elements elements;
    RB_ARRAY(RbSoftCell) cells;
} Parts;

// As stiff as all its molecules one after the other.
static double cell_modulus(const RbNetwork *n, const RbSoftCell *c) {
    double sum = 0;
    for (int i = 0; i < c->count; i++)
        sum += 1 / material_of(n->scene, c->molecule[i])->youngs_modulus;
    return c->count / sum;
}

static void add_cells(const RbNetwork *n, const RbSoftObject *o, const RbLattice *l,
                      RbArena scratch, Parts *parts, RbArena *keep) {
    Vec3 *rest = rb_new_array(&scratch, Vec3, n->count);
    for (int i = 0; i < n->count; i++) rest[i] = n->scene->molecules.data[i].r;
    for (int i = 0; i < l->cells.count; i++) {
        RbSoftCell c = {.count = l->placement == RB_SOFT_BODY_CENTRED ? 9 : 8};
        bool moves = false;
        for (int k = 0; k < c.count; k++) {
            c.molecule[k] = o->first + l->cells.data[i].molecule[k];
            moves = moves || n->free_index[c.molecule[k]] >= 0;
        }
        rb_soft_cell_start(&c, rest, l->spacing * l->spacing * l->spacing, cell_modulus(n, &c));
        if (moves) rb_array_push(&parts->cells, keep, c);
    }
}

static bool moves_at_all(const RbNetwork *n, const RbSoftObject *o) {
    for (int i = o->first; i < o->first + o->count; i++)
        if (n->free_index[i] >= 0) return true;
    return false;
}

static RbStatus connect(RbNetwork *n, int object, Parts *parts, RbArena *keep, RbArena scratch,
                        RbDiag *diag) {
    const RbSoftObject *o = &n->scene->objects.data[object];
    const RbMolecule *m = n->scene->molecules.data + o->first;
    RbNetworkObject *out = &n->objects[object];
    const RbSoftMaterial *model;
    RbLattice l = {0};
    RbTetrahedra t = {0};
    RB_TRY(find_model(n->scene, o, diag, &model));
    if (o->tet_count > 0) {
        RB_TRY(rb_tetrahedra_given(n->scene, o, keep, diag, &t));
        l = (RbLattice){.volume = t.share, .spacing = spacing_of(o, &t)};
    } else {
        RbLatticeRule rule = {n->scene->neighbours, o->placement, o->name};
        RB_TRY(rb_lattice_connect(m, o->count, &rule, keep, scratch, diag, &l));
        if (model->model != RB_SOFT_SPRINGS && o->count > 1 && moves_at_all(n, o))
            RB_TRY(rb_tetrahedra_of_grid(&l, m, o->count, model->order == 2 ? 2 : 1, o->name, keep,
                                         scratch, diag, &t));
    }
    double filled = filled_part(o, &l);
    set_masses(n, o, &l, filled);
    *out = (RbNetworkObject){.name = o->name,
                             .first = o->first,
                             .count = o->count,
                             .spring = parts->springs.count,
                             .element = parts->elements.count,
                             .cell = parts->cells.count,
                             .connections = t.count > 0 ? 0 : l.bond_count,
                             .spacing = l.spacing,
                             .placement = l.placement,
                             .self_contact = o->self_contact,
                             .filled = filled,
                             .layers = t.count > 0 ? 0 : layers_of(m, &l)};
    out->bending_error = rb_network_bending_error(l.placement, out->layers, n->scene->neighbours);
    for (int k = 0; t.count == 0 && k < l.bond_count; k++) {
        const RbBond *bond = &l.bonds[k];
        RbSoftSpring spring =
            rb_network_spring(n, o->first + bond->a, o->first + bond->b, bond->k, bond->length);
        bool moves = n->free_index[spring.a] >= 0 || n->free_index[spring.b] >= 0;
        if (moves) rb_array_push(&parts->springs, keep, spring);
    }
    add_elements(n, o, &t, keep, &parts->elements);
    if (t.count == 0) add_cells(n, o, &l, scratch, parts, keep);
    out->cell_count = parts->cells.count - out->cell;
    out->spring_count = parts->springs.count - out->spring;
    out->element_count = parts->elements.count - out->element;
    out->moves = moves_at_all(n, o);
    for (int k = o->first; k < o->first + o->count; k++)
        if (n->free_index[k] >= 0) out->mass += n->mass[k];
    return RB_OK;
}

// ---- who is beside whom

typedef struct Link {
    int from, to, spring;
} Link;

typedef RB_ARRAY(Link) Links;

static int compare_links(const void *a, const void *b) {
    const Link *p = a, *q = b;
    if (p->from != q->from) return (p->from > q->from) - (p->from < q->from);
    return (p->to > q->to) - (p->to < q->to);
}

static void link_both(Links *links, RbArena *arena, int a, int b, int spring) {
    rb_array_push(links, arena, ((Link){a, b, spring}));
    rb_array_push(links, arena, ((Link){b, a, spring}));
}

// Corners of an element with four nodes; with ten: the middle of an edge, its ends and the other middles. The ends alone lie in a line with it,
// about which nothing could be told to turn (soft_turn.c).
static void link_element(Links *links, RbArena *arena, const RbSoftElement *e) {
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int k = 0; k < 6; k++) {
        int a = e->node[ends[k][0]], b = e->node[ends[k][1]];
        if (e->nodes == 4) {
            link_both(links, arena, a, b, -1);
            continue;
        }
        link_both(links, arena, e->node[4 + k], a, -1);
        link_both(links, arena, e->node[4 + k], b, -1);
        for (int i = 0; i < k; i++) link_both(links, arena, e->node[4 + k], e->node[4 + i], -1);
    }
}

static void find_neighbours(RbNetwork *n, RbArena *keep, RbArena scratch) {
    Links links = {0};
    for (int i = 0; i < n->spring_count; i++)
        link_both(&links, &scratch, n->springs[i].a, n->springs[i].b, i);
    for (int i = 0; i < n->element_count; i++) link_element(&links, &scratch, &n->elements[i]);
    rb_sort_items(links.data, links.count, sizeof(Link), compare_links);
    n->neighbours = rb_new_array(keep, RbNeighbour, links.count);
    n->neighbour_first = rb_new_array(keep, int, n->count + 1);
    int count = 0, molecule = 0;
    for (int i = 0; i < links.count; i++) {
        const Link *l = &links.data[i];
        if (i > 0 && compare_links(l, l - 1) == 0) continue; // several elements share an edge
        while (molecule < l->from) n->neighbour_first[++molecule] = count;
        n->neighbours[count++] = (RbNeighbour){l->to, l->spring};
    }
    while (molecule < n->count) n->neighbour_first[++molecule] = count;
}

RbStatus rb_network_build(const RbSoftScene *scene, RbArena *keep, RbArena scratch, RbDiag *diag,
                          RbNetwork *out) {
    int objects = scene->objects.count, count = scene->molecules.count;
    RbNetwork *n = out;
    *n = (RbNetwork){.scene = scene, .count = count, .object_count = objects};
    RB_TRY(rb_soft_scene_check(scene, diag));
    n->mass = rb_new_array(keep, double, count);
    n->drag = rb_new_array(keep, double, count);
    n->objects = rb_new_array(keep, RbNetworkObject, objects);
    number_free(n, keep);
    Parts parts = {0};
    for (int i = 0; i < objects; i++) RB_TRY(connect(n, i, &parts, keep, scratch, diag));
    n->springs = parts.springs.data;
    n->spring_count = n->glued = parts.springs.count;
    n->elements = parts.elements.data;
    n->cells = parts.cells.data;
    n->cell_count = parts.cells.count;
    n->element_count = parts.elements.count;
    find_neighbours(n, keep, scratch);
    return RB_OK;
}

// ---- forces

static Vec3 given_force(const RbNetwork *n, int molecule, double time) {
    const RbMolecule *m = &n->scene->molecules.data[molecule];
    const RbSoftForce *f = n->scene->forces.data + m->force;
    int count = m->force_count, i = 0;
    if (count == 0 || time < f[0].time || time > f[count - 1].time) return V3_ZERO;
    while (i + 1 < count && f[i + 1].time <= time) i++;
    if (i + 1 == count) return f[i].force;
    return v3_lerp(f[i].force, f[i + 1].force, (time - f[i].time) / (f[i + 1].time - f[i].time));
}

static double spring_forces(const RbNetwork *n, const Vec3 *r, const Vec3 *v, Vec3 *f) {
    double lost = 0;
    for (int i = 0; i < n->spring_count; i++) {
        const RbSoftSpring *s = &n->springs[i];
        Vec3 d = v3_sub(r[s->b], r[s->a]), w = v3_sub(v[s->b], v[s->a]);
        double l = v3_norm(d), rate = v3_dot(d, w) / l;
        double pull = s->k * (l - s->length) + s->c * rate;
        Vec3 force = v3_scale(pull / l, d);
        f[s->a] = v3_add(f[s->a], force);
        f[s->b] = v3_sub(f[s->b], force);
        lost += s->c * rate * rate;
    }
    return lost;
}

// The first object with a cell that cannot be, or -1.
static int cell_forces(const RbNetwork *n, const Vec3 *r, Vec3 *f) {
    for (int i = 0; i < n->cell_count; i++)
        if (!rb_soft_cell_forces(&n->cells[i], r, f))
            return n->scene->molecules.data[n->cells[i].molecule[0]].object;
    return -1;
}

RbNetworkPower rb_network_forces(const RbNetwork *n, double time, const Vec3 *r, const Vec3 *v,
                                 Vec3 *f) {
    RbNetworkPower power = {0};
    for (int i = 0; i < n->count; i++) {
        double speed = v3_norm(v[i]);
        f[i] = v3_axpy(f[i], n->mass[i], n->scene->gravity);
        f[i] = v3_axpy(f[i], -n->drag[i] * speed, v[i]);
        power.medium += n->drag[i] * speed * speed * speed;
        if (n->scene->molecules.data[i].force_count > 0)
            f[i] = v3_add(f[i], given_force(n, i, time));
    }
    power.springs = spring_forces(n, r, v, f);
    for (int i = 0; i < n->element_count; i++)
        power.springs += rb_element_forces(&n->elements[i], r, v, f);
    power.flat = cell_forces(n, r, f);
    return power;
}

double rb_network_given_power(const RbNetwork *n, double time, const Vec3 *v) {
    double power = 0;
    if (n->scene->forces.count == 0) return 0;
    for (int i = 0; i < n->count; i++)
        if (n->scene->molecules.data[i].force_count > 0)
            power += v3_dot(given_force(n, i, time), v[i]);
    return power;
}

RbElementLook rb_network_look(const RbNetwork *n, int object, const Vec3 *r) {
    const RbNetworkObject *o = &n->objects[object];
    RbElementLook look = {0};
    for (int i = o->spring; i < o->spring + o->spring_count; i++) {
        const RbSoftSpring *s = &n->springs[i];
        if (!(s->k > 0)) continue; // torn
        double stretch = v3_distance(r[s->b], r[s->a]) - s->length;
        look.energy += 0.5 * s->k * stretch * stretch;
        if (fabs(stretch) > fabs(look.strain) * s->length) look.strain = stretch / s->length;
    }
    for (int i = o->cell; i < o->cell + o->cell_count; i++)
        look.energy += rb_soft_cell_energy(&n->cells[i], r);
    for (int i = o->element; i < o->element + o->element_count; i++) {
        RbElementLook e = rb_element_look(&n->elements[i], r);
        look.energy += e.energy;
        look.stress = fmax(look.stress, e.stress);
        if (fabs(e.strain) > fabs(look.strain)) look.strain = e.strain;
    }
    return look;
}

static void keep_larger(double *strain, double value) {
    if (fabs(value) > fabs(*strain)) *strain = value;
}

void rb_network_strains(const RbNetwork *n, int object, const Vec3 *r, double *strain) {
    const RbNetworkObject *o = &n->objects[object];
    for (int i = o->first; i < o->first + o->count; i++) strain[i] = 0;
    for (int i = o->spring; i < o->spring + o->spring_count; i++) {
        const RbSoftSpring *s = &n->springs[i];
        if (!(s->k > 0)) continue; // torn
        double value = v3_distance(r[s->b], r[s->a]) / s->length - 1;
        keep_larger(&strain[s->a], value);
        keep_larger(&strain[s->b], value);
    }
    for (int i = o->element; i < o->element + o->element_count; i++) {
        const RbSoftElement *e = &n->elements[i];
        double value = rb_element_look(e, r).strain;
        for (int k = 0; k < e->nodes; k++) keep_larger(&strain[e->node[k]], value);
    }
}

double rb_network_glue_energy(const RbNetwork *n, const Vec3 *r) {
    double energy = 0;
    for (int i = n->glued; i < n->spring_count; i++) {
        const RbSoftSpring *s = &n->springs[i];
        double stretch = v3_distance(r[s->b], r[s->a]) - s->length;
        energy += 0.5 * s->k * stretch * stretch;
    }
    return energy;
}

int rb_network_folded(const RbNetwork *n, int object, const Vec3 *r) {
    const RbNetworkObject *o = &n->objects[object];
    int folded = 0;
    for (int i = o->cell; i < o->cell + o->cell_count; i++)
        folded += rb_soft_cell_folded(&n->cells[i], r);
    return folded;
}

static bool is_torn(const void *user, int a, int b) {
    const RbNetwork *n = user;
    for (int i = n->neighbour_first[a]; i < n->neighbour_first[a + 1]; i++) {
        const RbNeighbour *other = &n->neighbours[i];
        if (other->molecule == b) return !(n->springs[other->spring].k > 0);
    }
    return false;
}

double rb_network_tear_cells(RbNetwork *n, const Vec3 *r) {
    double energy = 0;
    for (int i = 0; i < n->cell_count; i++)
        energy += rb_soft_cell_tear(&n->cells[i], is_torn, n, r);
    return energy;
}

double rb_network_tear(const RbNetwork *n, const Vec3 *r) {
    double most = -1;
    for (int i = 0; i < n->spring_count; i++) {
        const RbSoftSpring *s = &n->springs[i];
        if (!(s->k > 0) || isinf(s->limit)) continue;
        most = fmax(most, v3_distance(r[s->b], r[s->a]) / s->limit - 1);
    }
    return most;
}

// ---- slopes

void rb_soft_spring_slopes(const RbSoftSpring *s, const Vec3 *r, const Vec3 *v, Mat3 *by_r,
                           Mat3 *by_v) {
    Vec3 d = v3_sub(r[s->b], r[s->a]), w = v3_sub(v[s->b], v[s->a]);
    double l = v3_norm(d);
    Vec3 n = v3_scale(1 / l, d);
    double rate = v3_dot(n, w), pull = s->k * (l - s->length) + s->c * rate;
    Vec3 across = v3_axpy(w, -rate, n);
    Mat3 nn = m3_outer(n, n), p = m3_sub(M3_IDENTITY, nn);
    *by_r = m3_add(m3_add(m3_scale(s->k, nn), m3_scale(pull / l, p)),
                   m3_scale(s->c / l, m3_outer(n, across)));
    *by_v = m3_scale(s->c, nn);
}

Mat3 rb_network_drag_slope(const RbNetwork *n, int molecule, Vec3 v) {
    double speed = v3_norm(v);
    if (!(speed > 0)) return (Mat3){0};
    return m3_scale(-n->drag[molecule],
                    m3_add(m3_scale(speed, M3_IDENTITY), m3_scale(1 / speed, m3_outer(v, v))));
}

// ---- the longest step

// y = M^-1 (K + s C) x in the places r, without what forces of springs add when they turn.
static void apply(const RbNetwork *n, const Vec3 *r, double s, const Vec3 *x, Vec3 *y) {
    for (int i = 0; i < n->count; i++) y[i] = V3_ZERO;
    for (int i = 0; i < n->spring_count; i++) {
        const RbSoftSpring *p = &n->springs[i];
        Vec3 d = v3_sub(r[p->b], r[p->a]);
        double k = p->k + s * p->c;
        Vec3 f = v3_scale(k * v3_dot(d, v3_sub(x[p->b], x[p->a])) / v3_norm2(d), d);
        y[p->a] = v3_sub(y[p->a], f);
        y[p->b] = v3_add(y[p->b], f);
    }
    for (int i = 0; i < n->element_count; i++) rb_element_apply(&n->elements[i], s, x, y);
    for (int i = 0; i < n->cell_count; i++) rb_soft_cell_apply(&n->cells[i], r, x, y);
    for (int i = 0; i < n->count; i++)
        y[i] = n->free_index[i] < 0 ? V3_ZERO : v3_scale(1 / n->mass[i], y[i]);
}

// One step of power iteration, in the norm of the masses: Rayleigh's quotient; x gets better.
static double iterate(const RbNetwork *n, const Vec3 *r, double s, Vec3 *x, Vec3 *y) {
    double xx = 0, xy = 0, yy = 0;
    apply(n, r, s, x, y);
    for (int k = 0; k < n->free_count; k++) {
        int i = n->molecule_of[k];
        xx += n->mass[i] * v3_norm2(x[i]);
        xy += n->mass[i] * v3_dot(x[i], y[i]);
        yy += n->mass[i] * v3_norm2(y[i]);
    }
    if (!(yy > 0)) return 0;
    for (int i = 0; i < n->count; i++) x[i] = v3_scale(1 / sqrt(yy), y[i]);
    return xy / xx;
}

// x'' + 2 z w x' + w² x = 0 by leapfrog with a predicted velocity is stable for (w h)² + 8 z w h < 4
// (docs/theory/soft.md). So h² times the largest eigenvalue of K + 4 C/h, which depends on h, is
// 4: found along with the power iteration.
double rb_network_stable_step(const RbNetwork *n, const Vec3 *r, RbArena scratch) {
    enum { ROUNDS = 12, ITERATIONS = 12 };
    const double margin = 1.1; // of the eigenvalue, for an iteration that is cut short
    Vec3 *x = rb_new_array(&scratch, Vec3, n->count), *y = rb_new_array(&scratch, Vec3, n->count);
    double h = INFINITY;
    for (int i = 0; i < n->count; i++) // anything that is not symmetric
        x[i] = v3(sin(1.7 * i + 0.3), cos(2.3 * i), sin(2.9 * i + 1));
    for (int round = 0; round < ROUNDS; round++) {
        double value = 0, s = isinf(h) ? 0 : 4 / h;
        for (int i = 0; i < ITERATIONS; i++) value = iterate(n, r, s, x, y);
        if (!(value > 0)) return INFINITY;
        h = 2 / sqrt(margin * value);
    }
    return h;
}
