// SPDX-License-Identifier: MIT
#include "contact/set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/evaluate.h"
#include "contact/pair.h"

RbContactOptions rb_contact_options(void) {
    return (RbContactOptions){
        .scene = rb_contact_scene(), .distance = RB_DISTANCE_AUTO, .touch = 1e-12};
}

// ------------------------------------------------------------------------------------------------------
// setup

// Depth of the deepest point of a core with its sphere.
static double thickness(const RbCore *c) {
    switch (c->kind) {
        case RB_CORE_POINT:
        case RB_CORE_SEGMENT: return c->radius;
        case RB_CORE_BOX:
        case RB_CORE_ELLIPSOID: return c->radius + fmin(c->h.x, fmin(c->h.y, c->h.z));
        case RB_CORE_CYLINDER:
        case RB_CORE_FRUSTUM: return c->radius + fmin(c->h.x, c->h.z);
        case RB_CORE_BEAM: return c->radius + fmin(c->h.y, c->h.z);
        case RB_CORE_POLYTOPE: {
            double least = INFINITY;
            Vec3 centre = V3_ZERO;
            for (int i = 0; i < c->polytope->vertex_count; i++)
                centre = v3_add(centre, c->polytope->vertices[i]);
            centre = v3_scale(1.0 / c->polytope->vertex_count, centre);
            for (int i = 0; i < c->polytope->face_count; i++) {
                least = fmin(least, c->polytope->face_offsets[i] -
                                        v3_dot(c->polytope->face_normals[i], centre));
            }
            return c->radius + least;
        }
        case RB_CORE_HALFSPACE:
        case RB_CORE_KIND_COUNT: break;
    }
    return INFINITY;
}

static bool same_material(const RbElement *a, const RbElement *b) {
    const char *ca = a->side.contact ? a->side.contact : a->side.solid;
    const char *cb = b->side.contact ? b->side.contact : b->side.solid;
    return strcmp(a->side.solid, b->side.solid) == 0 && strcmp(ca, cb) == 0;
}

// What is solved for a typed restitution is the same for all pairs that have it.
static void find_dissipation(RbContactMaterial *pairs, int k) {
    double e = pairs[k].law.restitution, v_small = pairs[k].law.v_small;
    for (int i = 0; i < k; i++) {
        if (pairs[i].law.restitution != e || pairs[i].dissipation.v_small != v_small) continue;
        pairs[k].dissipation = pairs[i].dissipation;
        return;
    }
    pairs[k].dissipation = rb_restitution_dissipation(e, v_small);
}

// Number the distinct materials and look up all their pairs once.
static RbStatus look_up_materials(RbContactSetup *s, const RbMaterials *materials, RbArena *keep,
                                  RbDiag *diag) {
    int *first = rb_new_array(keep, int, s->element_count); // element that stands for a material
    for (int i = 0; i < s->element_count; i++) {
        int m = 0;
        while (m < s->material_count && !same_material(&s->elements[first[m]], &s->elements[i]))
            m++;
        if (m == s->material_count) first[s->material_count++] = i;
        s->elements[i].material = m;
        const RbContactSide *side = &s->elements[i].side;
        const RbSolidMaterial *solid;
        RB_TRY(rb_materials_solid(materials, side->solid, side->object, side->at, diag, &solid));
        if (side->contact)
            RB_TRY(
                rb_materials_check_contact(materials, side->contact, side->object, side->at, diag));
    }
    int n = s->material_count;
    s->pairs = rb_new_array(keep, RbContactMaterial, n * n);
    s->pair_known = rb_new_array(keep, bool, n *n);
    s->pair_lacks = rb_new_array(keep, const RbSolidMaterial *, n *n);
    RbDiag quiet = rb_diag(keep); // a pair that never touches may be missing
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            RbContactSide a = s->elements[first[i]].side, b = s->elements[first[j]].side;
            RbStatus status =
                rb_materials_pair(materials, a, b, RB_NOWHERE, &quiet, &s->pairs[i * n + j]);
            s->pair_known[i * n + j] = status == RB_OK;
            if (status == RB_OK)
                find_dissipation(s->pairs, i * n + j);
            else
                s->pair_lacks[i * n + j] = rb_materials_lack_modulus(materials, a, b);
        }
    }
    return RB_OK;
}

// The band must be large against the rounding of distances, which is that of the largest element, and small against depths, which may be a
// thousandth of the smallest.
static double touch_of(const RbElement *elements, int count, double given) {
    const double part = 1e-10;
    double largest = 0; // [m] of those that have an end
    for (int i = 0; i < count; i++) {
        RbAabb box = rb_aabb_of_core(elements[i].core, POSE_IDENTITY);
        Vec3 d = v3_sub(box.high, box.low);
        double size = fmax(d.x, fmax(d.y, d.z));
        if (isfinite(size)) largest = fmax(largest, size);
    }
    return largest > 0 ? fmin(given, part * largest) : given;
}

static RbAabb element_box(const RbElement *e, const RbMoving *bodies) {
    return rb_aabb_of_core(e->core, pose_mul(bodies[e->body].X, e->X_BS));
}

RbStatus rb_contact_setup(RbElement *elements, int count, const RbMaterials *materials,
                          RbContactOptions options, RbMayTouch may_touch, const void *user,
                          RbArena *keep, RbDiag *diag, RbContactSetup **out) {
    RbContactSetup *s = rb_new(keep, RbContactSetup);
    *s = (RbContactSetup){.elements = elements,
                          .element_count = count,
                          .options = options,
                          .may_touch = may_touch,
                          .user = user,
                          .slot_count = 8 * count + 16};
    s->options.touch = touch_of(elements, count, options.touch);
    for (int i = 0; i < count; i++) {
        elements[i].thickness = thickness(elements[i].core);
        elements[i].X_BC = pose_mul(elements[i].X_BS, elements[i].core->frame);
    }
    RB_TRY(look_up_materials(s, materials, keep, diag));
    *out = s;
    return RB_OK;
}

RbContactWork rb_contact_work(const RbContactSetup *s, RbArena *arena) {
    unsigned size = 16;
    while (size < 2 * (unsigned)s->slot_count) size *= 2;
    RbBroadphaseOptions broad = rb_broadphase_options();
    broad.capacity = s->element_count;
    RbContactWork w = {.broadphase = rb_broadphase(arena, broad),
                       .starting = rb_new_array(arena, RbContactChange, s->slot_count),
                       .slot_of = rb_new_array(arena, int, size),
                       .mask = size - 1};
    RbAabb nowhere = {V3_ZERO, V3_ZERO};
    for (int i = 0; i < s->element_count; i++) {
        RbPairFilter filter = rb_pair_filter();
        filter.group = s->elements[i].body + 1; // no pairs within a body
        rb_broadphase_add(w.broadphase, nowhere, filter);
    }
    return w;
}

const RbContactMaterial *rb_contact_material_of(const RbContactSetup *s, int a, int b) {
    int k = s->elements[a].material * s->material_count + s->elements[b].material;
    return s->pair_known[k] ? &s->pairs[k] : NULL;
}

const RbSolidMaterial *rb_contact_lacks_modulus(const RbContactSetup *s, int a, int b) {
    return s->pair_lacks[s->elements[a].material * s->material_count + s->elements[b].material];
}

double rb_contact_reference_depth(const RbContactSetup *s, int a, int b, double mass, double g) {
    const RbContactMaterial *m = rb_contact_material_of(s, a, b);
    if (!m || m->law.response != RB_RESPONSE_ELASTIC) return INFINITY;
    double R = rb_contact_radius(s->elements[a].shape, s->elements[b].shape);
    RbContactLaw law = rb_contact_law(m, R, &s->options.scene, (RbBlow){.mass = mass});
    return law.stiffness > 0 ? pow(mass * g / law.stiffness, 1 / law.exponent) : INFINITY;
}

// ------------------------------------------------------------------------------------------------------
// slots

// A slot holds 1 + a count + b; exact in a double for up to 9e7 elements.
static double slot_code(const RbContactSetup *s, int a, int b) {
    return 1.0 + (double)a * s->element_count + b;
}

bool rb_slot_pair(const RbContactSetup *s, const double *slots, int slot, int *a, int *b) {
    double code = slots[RB_SLOT_SIZE * slot];
    if (code == 0) return false;
    long k = (long)code - 1;
    *a = (int)(k / s->element_count);
    *b = (int)(k % s->element_count);
    return true;
}

bool rb_slot_sticks(const RbContactSetup *s, const double *slots, int slot) {
    int a, b;
    if (!rb_slot_pair(s, slots, slot, &a, &b)) return false;
    const RbContactMaterial *m = rb_contact_material_of(s, a, b);
    return m && m->law.response == RB_RESPONSE_ELASTIC &&
           rb_pair_friction(s, a, b) == RB_FRICTION_BRISTLE;
}

// ---- the pairs in slots as a hash table with open addressing

static unsigned place_of(const RbContactWork *w, double code) {
    uint64_t x = (uint64_t)code * UINT64_C(0x9e3779b97f4a7c15); // 2^64 over the golden ratio
    return (unsigned)(x >> 32) & w->mask;
}

static void index_slots(const RbContactSetup *s, RbContactWork *w, const double *slots) {
    memset(w->slot_of, 0, (w->mask + 1) * sizeof *w->slot_of);
    for (int i = 0; i < s->slot_count; i++) {
        double code = slots[RB_SLOT_SIZE * i];
        if (code == 0) continue;
        unsigned k = place_of(w, code);
        while (w->slot_of[k] != 0) k = (k + 1) & w->mask;
        w->slot_of[k] = i + 1;
    }
}

static bool is_in_slot(const RbContactSetup *s, const RbContactWork *w, const double *slots, int a,
                       int b) {
    double code = slot_code(s, a, b);
    for (unsigned k = place_of(w, code); w->slot_of[k] != 0; k = (k + 1) & w->mask) {
        if (slots[RB_SLOT_SIZE * (w->slot_of[k] - 1)] == code) return true;
    }
    return false;
}

// -------------------------------------------------------------------------------------------------
// evaluation

static RbGap pair_gap(const RbContactSetup *s, int a, int b, const RbMoving *bodies,
                      RbPairMemory *memory) {
    return rb_pair_gap(s, a, b, &bodies[s->elements[a].body].X, &bodies[s->elements[b].body].X,
                       memory);
}

// The patch of a vertex shrinks with the square of the reach, that of an edge with the reach, of a
// round one with its root; that of two faces stays.
bool rb_contacts_face_to_face(const RbContactSetup *s, int a, int b, const RbMoving *bodies) {
    RbPairMemory memory = {0};
    Pose X_a = bodies[s->elements[a].body].X, X_b = bodies[s->elements[b].body].X, X_WA;
    RbGap gap = rb_pair_gap(s, a, b, &X_a, &X_b, &memory);
    RbContactRegion near, far;
    return rb_pair_patch(s, a, b, X_a, X_b, &gap, 0.1, &X_WA, &near) &&
           rb_pair_patch(s, a, b, X_a, X_b, &gap, 1, &X_WA, &far) && near.area > 0.5 * far.area;
}

// The law is frozen at contact start; it is remembered for the same slot contents.
static void refresh(const RbContactSetup *s, const double *slots, int i, RbContactState *state) {
    const double *slot = slots + RB_SLOT_SIZE * i;
    int a = 0, b = 0;
    RbBlow blow = {.speed = slot[RB_SLOT_SPEED], .mass = slot[RB_SLOT_MASS]};
    if (state->code == slot[RB_SLOT_CODE] && state->blow.speed == blow.speed &&
        state->blow.mass == blow.mass)
        return;
    rb_slot_pair(s, slots, i, &a, &b);
    *state = (RbContactState){.code = slot[RB_SLOT_CODE], .blow = blow, .a = a, .b = b};
    const RbContactMaterial *m = rb_contact_material_of(s, a, b);
    double R = rb_contact_radius(s->elements[a].shape, s->elements[b].shape);
    state->law = rb_contact_law(m, R, &s->options.scene, blow);
    state->law.pair.friction = rb_pair_friction(s, a, b);
    state->patch = rb_pair_has_patch(s, a, b);
}

static void add_force(Wrench *forces, const RbMoving *bodies, int body, Vec3 point_W, Vec3 f,
                      Vec3 t) {
    Vec3 arm = v3_sub(point_W, bodies[body].X.r);
    forces[body].f = v3_add(forces[body].f, f);
    forces[body].t = v3_add(forces[body].t, v3_add(t, v3_cross(arm, f)));
}

// Half of what there is: beyond that the nearest way out may be the other side.
double rb_contacts_deepest(const RbContactSetup *s, int a, int b) {
    return 0.5 * fmin(s->elements[a].thickness, s->elements[b].thickness);
}

// A state that a solver only tries may lie a little further in.
static const double TRIAL_MARGIN = 1.1;

RbTooDeep rb_contacts_too_deep(const RbContactSetup *s, const double *slots,
                               const RbContactState *states) {
    int a, b;
    for (int i = 0; i < s->slot_count; i++) {
        if (!rb_slot_pair(s, slots, i, &a, &b) ||
            states[i].law.pair.response != RB_RESPONSE_ELASTIC)
            continue;
        double limit = rb_contacts_deepest(s, a, b);
        if (states[i].motion.depth > limit) return (RbTooDeep){a, b, states[i].motion.depth, limit};
    }
    return (RbTooDeep){-1, -1, 0, 0};
}

// Most near pairs of a crowd are spheres that do not touch: nothing else is asked about them.
static bool spheres_are_apart(const RbContactSetup *s, int a, int b, const RbMoving *bodies,
                              double *distance) {
    const RbElement *p = &s->elements[a], *q = &s->elements[b];
    if (p->core->kind != RB_CORE_POINT || q->core->kind != RB_CORE_POINT) return false;
    Vec3 from = pose_point(bodies[p->body].X, p->X_BC.r),
         to = pose_point(bodies[q->body].X, q->X_BC.r);
    double radii = p->core->radius + q->core->radius, between = v3_norm(v3_sub(to, from));
    if (!(between > radii + 2 * s->options.touch)) return false;
    *distance = between - radii;
    return true;
}

// One contact: what is known about it is in c, its elements included.
static void evaluate_contact(const RbContactSetup *s, const RbBristle *bristle,
                             const RbMoving *bodies, RbContactState *c, Wrench *forces,
                             RbContactPowers *powers, RbTooDeep *deep) {
    int body_a = s->elements[c->a].body, body_b = s->elements[c->b].body;
    if (!bristle && spheres_are_apart(s, c->a, c->b, bodies, &c->gap.distance)) {
        c->motion.depth = c->lost = c->driven = c->from_nothing = c->pressing = 0;
        c->force = (RbContactForce){0};
        c->f_W = c->t_W = V3_ZERO;
        return;
    }
    rb_contact_evaluate(s, &bodies[body_a], &bodies[body_b], bristle, c);
    double limit = rb_contacts_deepest(s, c->a, c->b);
    if (isnan(c->gap.distance)) *deep = (RbTooDeep){c->a, c->b, NAN, limit};
    if (c->motion.depth > TRIAL_MARGIN * limit)
        *deep = (RbTooDeep){c->a, c->b, c->motion.depth, limit};
    if (c->law.pair.response != RB_RESPONSE_ELASTIC) return;
    if (body_b > 0) add_force(forces, bodies, body_b, c->point_W, c->f_W, c->t_W);
    if (body_a > 0) add_force(forces, bodies, body_a, c->point_W, v3_neg(c->f_W), v3_neg(c->t_W));
    powers->elastic += c->force.elastic_energy;
    powers->damping += c->force.damping_power;
    powers->friction += c->force.friction_power;
    powers->rolling += c->force.rolling_power;
    powers->driven += c->driven;
    powers->from_nothing += c->from_nothing;
    powers->pressed += c->patch ? c->force.elastic_energy : 0;
    powers->pressing += c->pressing;
}

RbTooDeep rb_contacts_evaluate(const RbContactSetup *s, const double *slots,
                               const RbBristle *bristles, const RbMoving *bodies,
                               const bool *wanted, RbContactState *states, Wrench *forces,
                               RbContactPowers *powers) {
    RbTooDeep deep = {-1, -1, 0, 0};
    for (int i = 0; i < s->slot_count; i++) {
        if (slots[RB_SLOT_SIZE * i] == 0) continue;
        RbContactState *c = &states[i];
        refresh(s, slots, i, c);
        if (wanted && !wanted[s->elements[c->a].body] && !wanted[s->elements[c->b].body]) continue;
        evaluate_contact(s, bristles ? &bristles[i] : NULL, bodies, c, forces, powers, &deep);
    }
    return deep;
}

RbTooDeep rb_contacts_evaluate_slots(const RbContactSetup *s, const double *slots, const int *list,
                                     int count, const RbBristle *bristles, const RbMoving *bodies,
                                     RbContactState *states, Wrench *forces,
                                     RbContactPowers *powers) {
    RbTooDeep deep = {-1, -1, 0, 0};
    for (int k = 0; k < count; k++) {
        int i = list[k];
        refresh(s, slots, i, &states[i]);
        evaluate_contact(s, bristles ? &bristles[i] : NULL, bodies, &states[i], forces, powers,
                         &deep);
    }
    return deep;
}

// -------------------------------------------------------------------------------------------- zero
// crossings

bool rb_contacts_may_touch(const RbContactSetup *s, int a, int b) {
    if (!s->may_touch(s->user, a, b)) return false;
    const RbContactMaterial *m = rb_contact_material_of(s, a, b);
    return !m || m->law.response != RB_RESPONSE_NONE;
}

bool rb_contacts_watches(const RbContactSetup *s, const RbContactWork *w, const double *slots,
                         int a, int b) {
    return rb_contacts_may_touch(s, a, b) && !is_in_slot(s, w, slots, a, b);
}

double rb_contacts_pair_distance(const RbContactSetup *s, int a, int b, const RbMoving *bodies,
                                 RbPairMemory *memory) {
    return pair_gap(s, a, b, bodies, memory).distance;
}

typedef struct Nearest {
    const RbContactSetup *setup;
    const RbContactWork *work;
    const double *slots;
    const RbMoving *bodies;
    double distance;
    RbTooDeep bad;
} Nearest;

// Pairs come nearest boxes first; only those nearer than the best so far are looked at, and those
// whose boxes overlap, which may be deeper inside each other.
static double visit_pair(void *user, int a, int b, double box_distance) {
    Nearest *n = user;
    const RbContactSetup *s = n->setup;
    if (box_distance > 0 && !(box_distance < n->distance)) return n->distance;
    if (!rb_contacts_watches(s, n->work, n->slots, a, b)) return n->distance;
    double d = pair_gap(s, a, b, n->bodies, NULL).distance;
    if (isnan(d)) n->bad = (RbTooDeep){a, b, NAN, 0};
    n->distance = fmin(n->distance, d);
    return n->distance;
}

// An element that is nowhere has no box, with which others could be compared.
static void find_lost(Nearest *n) {
    const RbContactSetup *s = n->setup;
    for (int a = 0; a < s->element_count && n->bad.a < 0; a++) {
        if (v3_finite(n->bodies[s->elements[a].body].X.r)) continue;
        for (int b = 0; b < s->element_count && n->bad.a < 0; b++) {
            if (s->elements[a].body != s->elements[b].body && rb_contacts_may_touch(s, a, b))
                n->bad = (RbTooDeep){a < b ? a : b, a < b ? b : a, NAN, 0};
        }
    }
}

static void move_boxes(const RbContactSetup *s, RbContactWork *w, const RbMoving *bodies) {
    for (int i = 0; i < s->element_count; i++)
        rb_broadphase_move(w->broadphase, i, element_box(&s->elements[i], bodies));
}

void rb_contacts_near_pairs(const RbContactSetup *s, RbContactWork *w, const double *slots,
                            const RbMoving *bodies, double bound, RbVisitNearPair *visit,
                            void *user) {
    index_slots(s, w, slots);
    move_boxes(s, w, bodies);
    rb_broadphase_near_pairs(w->broadphase, bound, visit, user);
}

RbTooDeep rb_contacts_indicators(const RbContactSetup *s, RbContactWork *w, const double *slots,
                                 const RbContactState *states, const RbMoving *bodies, double *z) {
    const double none = 1.0; // [m] nothing to watch: any value that has a sign
    double largest = -INFINITY;
    for (int i = 0; i < s->slot_count; i++) {
        if (slots[RB_SLOT_SIZE * i] != 0) largest = fmax(largest, states[i].gap.distance);
    }
    z[0] = isfinite(largest) ? largest - 2 * s->options.touch : -none;
    Nearest n = {.setup = s,
                 .work = w,
                 .slots = slots,
                 .bodies = bodies,
                 .distance = INFINITY,
                 .bad = {-1, -1, 0, 0}};
    find_lost(&n);
    if (n.bad.a >= 0) return n.bad;
    rb_contacts_near_pairs(s, w, slots, bodies, INFINITY, visit_pair, &n);
    z[1] = isfinite(n.distance) ? n.distance - s->options.touch : none;
    return n.bad;
}

// ------------------------------------------------------------------------------------------------------
// events

typedef struct Update {
    const RbContactSetup *setup;
    RbContactWork *work;
    double *slots;
    const RbMoving *bodies;
    void (*tell)(void *user, const RbContactChange *change);
    RbEffectiveMass effective_mass;
    void *user;
    int changes;
    int starting; // pairs in work->starting
    bool full;
} Update;

static RbContactChange describe(const Update *u, int slot, int a, int b, bool starts,
                                const RbGap *gap) {
    Vec3 point = v3_scale(0.5, v3_add(gap->point_a, gap->point_b));
    const RbElement *elements = u->setup->elements;
    RbContactMotion motion = rb_contact_motion_at(u->setup, &u->bodies[elements[a].body],
                                                  &u->bodies[elements[b].body], gap, point);
    return (RbContactChange){slot, a, b, starts, motion.depth_rate, gap->distance};
}

static void clear_slot(double *slot) {
    for (int i = 0; i < RB_SLOT_SIZE; i++) slot[i] = 0;
}

static void fill_slot(const Update *u, double *slot, const RbContactChange *c) {
    const RbContactSetup *s = u->setup;
    RbGap gap = pair_gap(s, c->a, c->b, u->bodies, NULL);
    Vec3 point = rb_pair_force_point(s, c->a, c->b, u->bodies[s->elements[c->a].body].X,
                                     u->bodies[s->elements[c->b].body].X, &gap);
    slot[RB_SLOT_CODE] = slot_code(s, c->a, c->b);
    slot[RB_SLOT_SPEED] = fmax(0, c->speed);
    slot[RB_SLOT_MASS] = u->effective_mass(u->user, c->a, c->b, point, gap.normal);
}

static void end_contacts(Update *u, double limit) {
    const RbContactSetup *s = u->setup;
    int a, b;
    for (int i = 0; i < s->slot_count; i++) {
        if (!rb_slot_pair(s, u->slots, i, &a, &b)) continue;
        RbGap gap = pair_gap(s, a, b, u->bodies, NULL);
        if (!(gap.distance > limit)) continue;
        RbContactChange change = describe(u, i, a, b, false, &gap);
        clear_slot(u->slots + RB_SLOT_SIZE * i);
        u->changes++;
        u->tell(u->user, &change);
    }
}

// Pairs that should be in a slot and are not.
static double visit_start(void *user, int a, int b, double box_distance) {
    (void)box_distance;
    Update *u = user;
    const RbContactSetup *s = u->setup;
    double limit = rb_contacts_limit(s);
    if (!rb_contacts_watches(s, u->work, u->slots, a, b)) return limit;
    RbGap gap = pair_gap(s, a, b, u->bodies, NULL);
    if (!(gap.distance < limit)) return limit;
    if (u->starting < s->slot_count)
        u->work->starting[u->starting++] = describe(u, RB_SLOT_NONE, a, b, true, &gap);
    else
        u->full = true;
    return limit;
}

static int compare_pairs(const void *one, const void *two) {
    const RbContactChange *p = one, *q = two;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// The order in which the broad phase finds pairs must not decide which slots they get.
static void start_contacts(Update *u) {
    const RbContactSetup *s = u->setup;
    rb_contacts_near_pairs(s, u->work, u->slots, u->bodies, rb_contacts_limit(s), visit_start, u);
    qsort(u->work->starting, (size_t)u->starting, sizeof *u->work->starting, compare_pairs);
    int slot = 0;
    for (int k = 0; k < u->starting; k++) {
        RbContactChange *c = &u->work->starting[k];
        while (slot < s->slot_count && u->slots[RB_SLOT_SIZE * slot] != 0) slot++;
        u->full = u->full || slot == s->slot_count;
        if (slot == s->slot_count) return;
        c->slot = slot;
        fill_slot(u, u->slots + RB_SLOT_SIZE * slot, c);
        u->changes++;
        u->tell(u->user, c);
    }
}

bool rb_contacts_update(const RbContactSetup *s, RbContactWork *work, double *slots,
                        const RbMoving *bodies,
                        void (*tell)(void *user, const RbContactChange *change),
                        RbEffectiveMass effective_mass, void *user, int *changes) {
    Update u = {.setup = s,
                .work = work,
                .slots = slots,
                .bodies = bodies,
                .tell = tell,
                .effective_mass = effective_mass,
                .user = user};
    end_contacts(&u, rb_contacts_limit(s));
    start_contacts(&u);
    *changes = u.changes;
    return !u.full;
}

bool rb_contacts_update_pair(const RbContactSetup *s, double *slots, const RbMoving *bodies, int a,
                             int b, bool touches, int slot, double limit,
                             RbEffectiveMass effective_mass, void *user, RbContactChange *change) {
    Update u = {.setup = s,
                .slots = slots,
                .bodies = bodies,
                .effective_mass = effective_mass,
                .user = user};
    RbGap gap = pair_gap(s, a, b, bodies, NULL);
    bool near = gap.distance < limit;
    if (near == touches) return false;
    *change = describe(&u, slot, a, b, !touches, &gap);
    if (slot == RB_SLOT_NONE) return true;
    if (touches)
        clear_slot(slots + RB_SLOT_SIZE * slot);
    else
        fill_slot(&u, slots + RB_SLOT_SIZE * slot, change);
    return true;
}
