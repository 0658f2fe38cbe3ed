// SPDX-License-Identifier: MIT
// Derivatives of what acts between two bodies, or in a joint: see jacobian.c.
#include <math.h>
#include <string.h>

#include "contact/variation.h"
#include "multibody/jacobian_sheet.h"
#include "rigid/solids_slopes.h"
#include "multibody/touching_solids.h"

// Rows of one group, columns of another. ORDER couple_both in declare.c
static Block take_block(Sheet *s, int rows, int columns) {
    const GroupStates *r = rb_sheet_states(s, rows), *c = rb_sheet_states(s, columns);
    if (s->n > 0) {
        return (Block){s->values,
                       (long)s->w->slopes.first_state[columns] * s->n +
                           s->w->slopes.first_state[rows],
                       1, s->n};
    }
    Block b = {s->values, s->next - (long)r->nq * c->count, c->count, 1};
    s->next += (long)(r->count - r->nq) * c->count;
    return b;
}

// Slopes of a joint force by central differences: two functions of one variable.
static void add_joint_force(const Sheet *s, int index) {
    const Mechanism *m = s->m;
    MechanismWork *w = s->w;
    const RbTree *tree = &m->structure.tree;
    const RbJointForce *f = &m->forces.joint_forces[index];
    if (m->forces.joint_bodies[index] == 0) return; // the joint is locked
    int group = m->groups.of[m->forces.joint_bodies[index]];
    const GroupStates *g = rb_sheet_states(s, group);
    Block b = rb_sheet_diagonal(s, group);
    double x = s->e->x[f->q], dx = s->e->x[tree->nq + f->v];
    const double step = 1e-6; // [m] or [rad], and per second
    double force[4];
    for (int k = 0; k < 4; k++) {
        double sign = k % 2 ? -1 : 1;
        double q1 = x + (k < 2 ? sign * step * fmax(1, fabs(x)) : 0);
        double v1 = dx + (k < 2 ? 0 : sign * step * fmax(1, fabs(dx)));
        RbJointForce alone = *f;
        RbLedger ledger = {0};
        double tau = 0;
        alone.q = alone.v = 0;
        alone.time = rb_mechanism_force_time(s->m, s->e);
        force[k] = rb_force_joint(&alone, &q1, &v1, &tau, &ledger);
    }
    double by_q = (force[0] - force[1]) / (2 * step * fmax(1, fabs(x)));
    double by_v = (force[2] - force[3]) / (2 * step * fmax(1, fabs(dx)));
    memset(w->slopes.tangents.tau + g->v, 0, (size_t)g->nv * sizeof *w->slopes.tangents.tau);
    w->slopes.tangents.tau[f->v] = 1;
    rb_dyn_solve_at_rest_in(tree, rb_mechanism_span(m, group), &w->kin, NULL,
                            w->slopes.tangents.tau, &w->dyn, w->slopes.response);
    rb_mechanism_project(m, group, w, w->slopes.response);
    for (int k = 0; k < g->nv; k++) {
        rb_block_add(&b, g->nq + k, rb_local_q(g, f->q), by_q * w->slopes.response[g->v + k]);
        rb_block_add(&b, g->nq + k, rb_local_v(g, f->v), by_v * w->slopes.response[g->v + k]);
    }
}

// -------------------------------------------------------------------------------------------------
// links

// How the wrenches on both bodies change, and the rates of the states of what sticks: three or four of a contact, six of meshes.
typedef struct LinkChange {
    Wrench on_a, on_b;
    double rates[6];
} LinkChange;

typedef struct Link {
    int body[2]; // 0: the world
    int bristle; // the first, of a contact that sticks, or RB_NONE
    int bristle_states;
    // When one body changes; when state k of the bristles does.
    LinkChange (*vary)(const Sheet *s, const struct Link *l, int side, Motion place,
                       Motion velocity);
    LinkChange (*vary_bristle)(const Sheet *s, const struct Link *l, int k);
    const RbContactVariation *contact;
    const RbSolidsSlopes *solids;
    const void *element;
    void (*force)(const Sheet *s, const void *element); // adds to w->element_forces
} Link;

// Accelerations of the branch per unit of the wrench on a body: torque about three axes, then
// force.
static void open_side(const Sheet *s, int body, double *K) {
    const Mechanism *m = s->m;
    MechanismWork *w = s->w;
    int group = m->groups.of[body];
    const GroupStates *g = rb_sheet_states(s, group);
    RbSpan span = rb_mechanism_span(m, group);
    if (m->groups.balls[group].is) return; // needs none
    for (int c = 0; c < 6; c++) {
        Wrench f = {c < 3 ? v3_axis(c) : V3_ZERO, c < 3 ? V3_ZERO : v3_axis(c - 3)};
        rb_dyn_response_in(&m->structure.tree, span, &w->kin, NULL, body, f, &w->dyn,
                           w->slopes.response);
        rb_mechanism_project(m, group, w, w->slopes.response);
        memcpy(K + c * g->nv, w->slopes.response + g->v, (size_t)g->nv * sizeof *K);
    }
}

typedef struct Side {
    const GroupStates *g;
    const Ball *ball; // NULL: another branch
    const double *K;
    Block by[2];         // rows of this side, columns of both
    Block bristle_by[2]; // the side that owns the bristle: the same
} Side;

static void add_vector(const Block *b, int row, int column, Vec3 v) {
    rb_block_add(b, row, column, v.x);
    rb_block_add(b, row + 1, column, v.y);
    rb_block_add(b, row + 2, column, v.z);
}

static void add_response(const Side *side, const Block *b, int column, Wrench f) {
    const GroupStates *g = side->g;
    const double *K = side->K;
    int n = g->nv;
    if (side->ball) {
        add_vector(b, g->nq, column, v3_scale(1 / side->ball->mass, f.f));
        add_vector(b, g->nq + 3, column, v3_scale(1 / side->ball->inertia, f.t));
        return;
    }
    for (int k = 0; k < n; k++) {
        double sum = K[k] * f.t.x + K[n + k] * f.t.y + K[2 * n + k] * f.t.z + K[3 * n + k] * f.f.x +
                     K[4 * n + k] * f.f.y + K[5 * n + k] * f.f.z;
        rb_block_add(b, g->nq + k, column, sum);
    }
}

typedef struct LinkSides {
    Side side[2];
    int owner;       // side whose group owns the bristle, RB_NONE: there is none
    int bristle_row; // in that group
} LinkSides;

static void add_change(const Link *l, const LinkSides *both, int from, int column,
                       const LinkChange *r) {
    if (l->body[0] > 0) add_response(&both->side[0], &both->side[0].by[from], column, r->on_a);
    if (l->body[1] > 0) add_response(&both->side[1], &both->side[1].by[from], column, r->on_b);
    for (int k = 0; both->owner != RB_NONE && k < l->bristle_states; k++)
        rb_block_add(&both->side[both->owner].by[from], both->bristle_row + k, column, r->rates[k]);
}

// A ball: three places, three velocities, three spins; how it is turned does not matter.
static void add_ball_side(const Sheet *s, const Link *l, const LinkSides *both, int from) {
    for (int k = 0; k < 9; k++) {
        Motion move = {.v = k < 6 ? v3_axis(k % 3) : V3_ZERO,
                       .w = k < 6 ? V3_ZERO : v3_axis(k - 6)};
        LinkChange r = l->vary(s, l, from, k < 3 ? move : MOTION_ZERO, k < 3 ? MOTION_ZERO : move);
        add_change(l, both, from, k < 3 ? k : both->side[from].g->nq + k - 3, &r);
    }
}

// Columns of all joints between one body and the world.
static void add_side(const Sheet *s, const Link *l, const LinkSides *both, int from) {
    const RbTree *tree = &s->m->structure.tree;
    const double *q = s->e->x, *v = s->e->x + tree->nq;
    const GroupStates *g = both->side[from].g;
    int body = l->body[from];
    if (both->side[from].ball) {
        add_ball_side(s, l, both, from);
        return;
    }
    for (int i = body; i > 0; i = tree->bodies.data[i].parent) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        int nq = rb_joint_nq(joint), nv = rb_joint_nv(joint);
        for (int k = 0; k < nq + nv; k++) {
            RbDirection d = {i, k < nq ? k : k - nq, k >= nq};
            RbTangent t = rb_tangent_body(tree, &s->w->kin, q, v, d, body);
            LinkChange r = l->vary(s, l, from, t.X, t.V);
            int column = d.speed ? rb_local_v(g, joint->v + d.k) : rb_local_q(g, joint->q + d.k);
            add_change(l, both, from, column, &r);
        }
    }
}

static void add_link(Sheet *s, const Link *l) {
    const Mechanism *m = s->m;
    LinkSides both = {.owner = RB_NONE};
    int group[2] = {l->body[0] > 0 ? m->groups.of[l->body[0]] : RB_NONE,
                    l->body[1] > 0 ? m->groups.of[l->body[1]] : RB_NONE};
    for (int i = 0; i < 2; i++) {
        if (group[i] == RB_NONE) continue;
        const Ball *ball = &m->groups.balls[group[i]];
        both.side[i] = (Side){.g = rb_sheet_states(s, group[i]),
                              .ball = ball->is ? ball : NULL,
                              .K = s->w->slopes.sides[i]};
        both.side[i].by[i] = both.side[i].by[1 - i] = rb_sheet_diagonal(s, group[i]);
        open_side(s, l->body[i], s->w->slopes.sides[i]);
    }
    if (group[0] != RB_NONE && group[1] != RB_NONE && group[0] != group[1]) {
        both.side[0].by[1] = take_block(s, group[0], group[1]);
        both.side[1].by[0] = take_block(s, group[1], group[0]);
    }
    if (l->bristle != RB_NONE) {
        both.owner = l->body[0] > 0 ? 0 : 1;
        both.bristle_row = m->sticking.row[l->bristle];
    }
    for (int i = 0; i < 2; i++) {
        if (l->body[i] > 0) add_side(s, l, &both, i);
    }
    for (int k = 0; k < l->bristle_states && l->bristle != RB_NONE; k++) {
        LinkChange r = l->vary_bristle(s, l, k);
        add_change(l, &both, both.owner, both.bristle_row + k, &r);
    }
}

// ---- contacts

static LinkChange of_contact(RbContactResponse r) {
    LinkChange c = {.on_a = r.on_a, .on_b = r.on_b, .rates = {[3] = r.bristle_rate.twist}};
    v3_store(c.rates, r.bristle_rate.slide_W);
    return c;
}

static LinkChange vary_contact(const Sheet *s, const Link *l, int side, Motion place,
                               Motion velocity) {
    (void)s;
    return of_contact(
        rb_contact_vary(l->contact, side == 0 ? RB_SIDE_A : RB_SIDE_B, place, velocity));
}

static LinkChange vary_contact_bristle(const Sheet *s, const Link *l, int k) {
    (void)s;
    RbBristle by = {k < 3 ? v3_axis(k) : V3_ZERO, k < 3 ? 0 : 1};
    return of_contact(rb_contact_vary_bristle(l->contact, by));
}

static int bristle_of(const Mechanism *m, int group, int slot, double code) {
    for (int i = m->sticking.start[group]; i < m->sticking.start[group + 1]; i++) {
        int k = m->sticking.list[i];
        if (m->sticking.bristles[k].slot == slot && m->sticking.bristles[k].code == code) return k;
    }
    return RB_NONE;
}

static void add_contact(Sheet *s, int slot) {
    const Mechanism *m = s->m;
    const RbContactState *c = &s->w->contact.states[slot];
    const RbElement *elements = m->contact.setup->elements;
    RbContactVariation variation;
    int one = elements[c->a].body, two = elements[c->b].body;
    Link link = {.body = {one, two},
                 .bristle = bristle_of(m, m->groups.of[one > 0 ? one : two], slot, c->code),
                 .vary = vary_contact,
                 .vary_bristle = vary_contact_bristle,
                 .contact = &variation};
    if (link.bristle != RB_NONE) link.bristle_states = m->sticking.bristles[link.bristle].count;
    bool acts = c->law.pair.response == RB_RESPONSE_ELASTIC &&
                (c->motion.depth > 0 || link.bristle != RB_NONE);
    if (acts) {
        rb_contact_variation(m->contact.setup, c, s->w->moving, &variation);
        add_link(s, &link);
    } else if (link.body[0] > 0 && link.body[1] > 0 &&
               m->groups.of[link.body[0]] != m->groups.of[link.body[1]]) {
        take_block(s, m->groups.of[link.body[0]], m->groups.of[link.body[1]]); // stays zero
        take_block(s, m->groups.of[link.body[1]], m->groups.of[link.body[0]]);
    }
}

static void add_contacts(Sheet *s) {
    const Mechanism *m = s->m;
    const RbEval *e = s->e;
    if (!m->contact.setup) return;
    const double *slots = e->discrete + m->contact.slots;
    for (int i = 0; !e->groups && i < m->contact.setup->slot_count; i++) {
        if (slots[RB_SLOT_SIZE * i] != 0) add_contact(s, i);
    }
    for (int k = 0; e->groups && k < e->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, e->group_list[k]);
        const SlotIndex *index = &s->w->contact.slots;
        for (int body = span.first; body < span.end; body++) {
            for (int i = index->first[body]; i >= 0; i = index->next[i]) add_contact(s, i);
        }
    }
}

// ---- meshes

static LinkChange of_solids(const Link *l, RbSolidsChange r) {
    double lever = rb_solids_size(l->solids->element); // of the states of a twist
    LinkChange c = {.on_a = r.on_a, .on_b = r.on_b};
    v3_store(c.rates, r.slide_rate);
    v3_store(c.rates + 3, v3_scale(lever, r.twist_rate));
    return c;
}

static LinkChange vary_solids(const Sheet *s, const Link *l, int side, Motion place,
                              Motion velocity) {
    return of_solids(l, rb_solids_vary(l->solids, &s->w->kin, side, place, velocity));
}

static LinkChange vary_solids_bristle(const Sheet *s, const Link *l, int k) {
    LinkChange c = of_solids(l, rb_solids_vary_bristle(l->solids, &s->w->kin, k));
    double scale = k < 3 ? 1 : 1 / rb_solids_size(l->solids->element);
    for (int i = 0; i < 6; i++) c.rates[i] *= scale;
    c.on_a = (Wrench){v3_scale(scale, c.on_a.t), v3_scale(scale, c.on_a.f)};
    c.on_b = (Wrench){v3_scale(scale, c.on_b.t), v3_scale(scale, c.on_b.f)};
    return c;
}

// A pair that does not touch: its bristle fades, and no block was taken for it.
static void add_solids_apart(Sheet *s, const RbSolidsForce *f, int bristle) {
    const Mechanism *m = s->m;
    Block b = rb_sheet_diagonal(s, m->groups.of[f->a.body > 0 ? f->a.body : f->b.body]);
    for (int k = 0; bristle != RB_NONE && k < 6; k++) {
        int row = m->sticking.row[bristle] + k;
        rb_block_add(&b, row, row, -RB_VOLUME_FADING);
    }
}

static void add_solids(Sheet *s, int pair) {
    const Mechanism *m = s->m;
    const RbSolidsForce *f = &m->forces.solids[pair];
    RbSolidsSlopes slopes;
    Link link = {.body = {f->a.body, f->b.body},
                 .bristle = RB_NONE,
                 .bristle_states = 6,
                 .vary = vary_solids,
                 .vary_bristle = vary_solids_bristle,
                 .solids = &slopes};
    if (f->a.body == 0 && f->b.body == 0) return; // nothing moves
    int seat = rb_mechanism_seat(m, s->e->discrete, pair);
    if (seat != RB_NONE) link.bristle = rb_mechanism_seat_bristle(m, seat);
    if (f->idle || !rb_mechanism_solids_touch(m, s->e->discrete, pair)) {
        add_solids_apart(s, f, link.bristle);
        return;
    }
    rb_solids_slopes(f, &s->w->solids.memory[pair], rb_mechanism_overlap(f, s->w), &s->w->kin,
                     &slopes);
    add_link(s, &link);
}

// ---- force elements: central differences in the pose and velocity of one body

static void displace(RbBodyKin *b, Motion place, Motion velocity, double h) {
    double angle = h * v3_norm(place.w);
    if (angle != 0) {
        Mat3 R = m3_rotation(v3_scale(h / angle, place.w), angle);
        b->X.R = m3_mul(R, b->X.R);
    }
    b->X.r = v3_axpy(b->X.r, h, place.v);
    b->V = mo_axpy(b->V, h, velocity);
}

static void element_wrenches(const Sheet *s, const Link *l, int side, Motion place, Motion velocity,
                             double h, Wrench out[2]) {
    MechanismWork *w = s->w;
    RbBodyKin *body = &w->kin.bodies[l->body[side]], before = *body;
    displace(body, place, velocity, h);
    w->slopes.element_forces[l->body[0]] = w->slopes.element_forces[l->body[1]] = WRENCH_ZERO;
    l->force(s, l->element);
    out[0] = w->slopes.element_forces[l->body[0]];
    out[1] = w->slopes.element_forces[l->body[1]];
    *body = before;
}

static LinkChange vary_element(const Sheet *s, const Link *l, int side, Motion place,
                               Motion velocity) {
    double largest = fmax(fmax(v3_norm(place.w), v3_norm(place.v)),
                          fmax(v3_norm(velocity.w), v3_norm(velocity.v)));
    if (!(largest > 0)) return (LinkChange){0};
    double h = 1e-6 / largest; // of a metre, a radian, and these per second
    Wrench plus[2], minus[2];
    element_wrenches(s, l, side, place, velocity, h, plus);
    element_wrenches(s, l, side, place, velocity, -h, minus);
    Wrench a = wr_sub(plus[0], minus[0]), b = wr_sub(plus[1], minus[1]);
    double scale = 0.5 / h;
    return (LinkChange){.on_a = {v3_scale(scale, a.t), v3_scale(scale, a.f)},
                        .on_b = {v3_scale(scale, b.t), v3_scale(scale, b.f)}};
}

static void spring_force(const Sheet *s, const void *element) {
    RbLedger ledger = {0};
    rb_force_spring(element, &s->w->kin, s->w->slopes.element_forces, &ledger);
}
static void bushing_force(const Sheet *s, const void *element) {
    RbLedger ledger = {0};
    rb_force_bushing(element, &s->w->kin, s->w->slopes.element_forces, &ledger);
}
static void world_force(const Sheet *s, const void *element) {
    RbLedger ledger = {0};
    rb_force_world(element, rb_mechanism_force_time(s->m, s->e), &s->w->kin,
                   s->w->slopes.element_forces, &ledger);
}

static void add_link_of(Sheet *s, int a, int b, const void *element,
                        void (*force)(const Sheet *s, const void *element)) {
    Link link = {.body = {a, b},
                 .bristle = RB_NONE,
                 .vary = vary_element,
                 .element = element,
                 .force = force};
    if (a == b) link.body[0] = 0; // both ends on one body: all of it acts there
    add_link(s, &link);
}

static void add_element(Sheet *s, ForceKind kind, int i) {
    const Mechanism *m = s->m;
    switch (kind) {
        case FORCE_SPRING: {
            const RbSpring *f = &m->forces.springs[i];
            add_link_of(s, f->a.body, f->b.body, f, spring_force);
            return;
        }
        case FORCE_BUSHING: {
            const RbBushing *f = &m->forces.bushings[i];
            add_link_of(s, f->a.body, f->b.body, f, bushing_force);
            return;
        }
        case FORCE_WORLD_FORCE: {
            const RbWorldForce *f = &m->forces.world_forces[i];
            add_link_of(s, f->apply.body, f->axes.body, f, world_force);
            return;
        }
        case FORCE_JOINT_FORCE: add_joint_force(s, i); return;
        case FORCE_SOLIDS: add_solids(s, i); return;
    }
}

// All, in the order of rb_mechanism_couplings, or those of the groups wanted.
static void add_elements(Sheet *s) {
    const Mechanism *m = s->m;
    const RbScene *scene = m->scene;
    const RbEval *e = s->e;
    const int counts[] = {scene->springs.count, scene->bushings.count, scene->world_forces.count,
                          scene->joint_forces.count, scene->solids.count}; // ORDER ForceKind
    for (int kind = 0; !e->groups && kind < 5; kind++) {
        for (int i = 0; i < counts[kind]; i++) add_element(s, (ForceKind)kind, i);
    }
    for (int k = 0; e->groups && k < e->group_count; k++) {
        int g = e->group_list[k];
        for (int i = m->forces.start[g]; i < m->forces.start[g + 1]; i++)
            add_element(s, m->forces.list[i].kind, m->forces.list[i].index);
    }
    RbWorldForce pull;
    if (rb_mechanism_pulls(m, e, &pull)) add_link_of(s, pull.apply.body, 0, &pull, world_force);
}

void rb_sheet_add_links(Sheet *s) {
    add_elements(s);
    add_contacts(s);
}
