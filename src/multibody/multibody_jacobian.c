// SPDX-License-Identifier: MIT
// Derivatives of the mechanism (docs/theory/contact-jacobian.md): each branch for itself by its
// structure, then each link between two bodies (contact, spring, bushing, force in the axes of
// another body) for these two alone.
//
// With K_i = M^-1 J_iT, the accelerations of the branch per unit of a wrench on body i, a link adds
//     d(dv) = K_a df_a + K_b df_b
// where df is how its two wrenches change when one of its bodies is displaced or gets another
// velocity: one call per coordinate and speed of the joints between that body and the world.
#include <math.h>
#include <string.h>

#include "contact/variation.h"
#include "multibody/mechanism.h"

// -------------------------------------------------------------------------------------------------
// where the values go

// The derivatives of some states by some states, somewhere in the values.
typedef struct Block {
    double *values;
    long base; // of row 0, column 0; rows of coordinates may be missing
    int row_step, column_step;
} Block;

static void add(const Block *b, int row, int column, double value) {
    b->values[b->base + (long)row * b->row_step + (long)column * b->column_step] += value;
}

typedef struct Sheet {
    const Mechanism *m;
    MechanismWork *w;
    const RbEval *e;
    double *values;
    int n;     // dense: number of states, by columns; 0: block after block, as couplings adds them
    long next; // where the blocks of the next link begin
} Sheet;

static const GroupStates *states_of(const Sheet *s, int group) {
    return &s->m->group_states[group];
}

static Block diagonal_block(const Sheet *s, int group) {
    const GroupStates *g = states_of(s, group);
    if (s->n > 0) {
        int first = s->w->first_state[group];
        return (Block){s->values, (long)first * s->n + first, 1, s->n};
    }
    return (Block){s->values, g->block - (long)g->nq * g->count, g->count, 1};
}

// Rows of one group, columns of another. ORDER couple_both in multibody_declare.c
static Block take_block(Sheet *s, int rows, int columns) {
    const GroupStates *r = states_of(s, rows), *c = states_of(s, columns);
    if (s->n > 0) {
        return (Block){s->values, (long)s->w->first_state[columns] * s->n + s->w->first_state[rows],
                       1, s->n};
    }
    Block b = {s->values, s->next - (long)r->nq * c->count, c->count, 1};
    s->next += (long)(r->count - r->nq) * c->count;
    return b;
}

// -------------------------------------------------------------------------------------------------
// branches

static int local_q(const GroupStates *g, int q) {
    return q - g->q;
}
static int local_v(const GroupStates *g, int v) {
    return g->nq + v - g->v;
}

static void add_column(const GroupStates *g, const Block *b, int column, const double *dv) {
    for (int k = 0; k < g->nv; k++) add(b, g->nq + k, column, dv[g->v + k]);
}

// Answers how many values there are if they stand one after another, from `at` on. ORDER
// couple_rates
static int add_rates(const Sheet *s, int body, const Block *b, long at) {
    const RbTree *tree = &s->m->structure.tree;
    const RbJoint *joint = rb_tree_joint(tree, body);
    const GroupStates *g = states_of(s, s->m->group[body]);
    double by_q[RB_JOINT_MAX_Q * RB_JOINT_MAX_Q], by_v[RB_JOINT_MAX_Q * RB_JOINT_MAX_V];
    int nq = rb_joint_q_count(joint->kind), nv = rb_joint_v_count(joint->kind), count = 0;
    int direct = rb_joint_direct_count(joint->kind);
    rb_joint_rate_slopes(joint, s->e->x + joint->q, s->e->x + tree->nq + joint->v, by_q, by_v);
    for (int i = 0; i < nq; i++) {
        int first = i < direct ? i : direct, speeds = i < direct ? 1 : 3;
        for (int k = first; i >= direct && k < nq; k++) {
            double value = by_q[i * nq + k];
            if (s->n > 0)
                add(b, local_q(g, joint->q + i), local_q(g, joint->q + k), value);
            else
                s->values[at + count] = value;
            count++;
        }
        for (int k = first; k < first + speeds; k++) {
            double value = by_v[i * nv + k];
            if (s->n > 0)
                add(b, local_q(g, joint->q + i), local_v(g, joint->v + k), value);
            else
                s->values[at + count] = value;
            count++;
        }
    }
    return count;
}

// A body that can move freely does not care where it is.
static bool is_indifferent(const Mechanism *m, int body, int k) {
    const RbTreeBody *b = &m->structure.tree.bodies.data[body];
    return b->parent == 0 && b->joint.kind == RB_JOINT_FREE && k < 3 &&
           m->scene->gravity.kind != RB_GRAVITY_POINT;
}

// Branches that loops hold together.
static void add_looped_branch(const Sheet *s, int group, const Block *b) {
    const Mechanism *m = s->m;
    const RbTree *tree = &m->structure.tree;
    const GroupStates *g = states_of(s, group);
    RbSpan span = rb_mechanism_span(m, group);
    long at = g->rates;
    for (int i = span.first; i < span.end; i++) at += add_rates(s, i, b, at);
    for (int k = 0; k < g->nq + g->nv; k++) {
        int state = k < g->nq ? g->q + k : tree->nq + g->v + k - g->nq;
        rb_mechanism_vary_looped(m, s->e, group, s->w, state, s->w->response);
        add_column(g, b, k, s->w->response);
    }
}

static void add_branch(const Sheet *s, int group) {
    const Mechanism *m = s->m;
    MechanismWork *w = s->w;
    const RbTree *tree = &m->structure.tree;
    const double *q = s->e->x, *v = s->e->x + tree->nq;
    const GroupStates *g = states_of(s, group);
    RbSpan span = rb_mechanism_span(m, group);
    Block b = diagonal_block(s, group);
    if (m->balls[group].is) { // its accelerations depend on contacts alone
        add_rates(s, span.first, &b, g->rates);
        return;
    }
    long at = g->rates;
    if (rb_mechanism_has_loop(m, group)) {
        add_looped_branch(s, group, &b);
        return;
    }
    rb_tangent_open(tree, span, &w->kin, w->forces, &w->tangents);
    for (int i = span.first; i < span.end; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        at += add_rates(s, i, &b, at);
        for (int k = 0; k < rb_joint_q_count(joint->kind); k++) {
            if (is_indifferent(m, i, k)) continue;
            RbDirection d = {i, k, false};
            rb_tangent_vary(tree, span, &w->kin, q, v, &m->scene->gravity, d, &w->tangents, &w->dyn,
                            w->response);
            add_column(g, &b, local_q(g, joint->q + k), w->response);
        }
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++) {
            if (is_indifferent(m, i, k)) continue;
            RbDirection d = {i, k, true};
            rb_tangent_vary(tree, span, &w->kin, q, v, &m->scene->gravity, d, &w->tangents, &w->dyn,
                            w->response);
            add_column(g, &b, local_v(g, joint->v + k), w->response);
        }
    }
}

// Slopes of a joint force by central differences: two functions of one variable.
static void add_joint_force(const Sheet *s, int index) {
    const Mechanism *m = s->m;
    MechanismWork *w = s->w;
    const RbTree *tree = &m->structure.tree;
    const RbJointForce *f = &m->joint_forces[index];
    if (m->joint_bodies[index] == 0) return; // the joint is locked
    int group = m->group[m->joint_bodies[index]];
    const GroupStates *g = states_of(s, group);
    Block b = diagonal_block(s, group);
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
    memset(w->tangents.tau + g->v, 0, (size_t)g->nv * sizeof *w->tangents.tau);
    w->tangents.tau[f->v] = 1;
    rb_dyn_solve_at_rest_in(tree, rb_mechanism_span(m, group), &w->kin, NULL, w->tangents.tau,
                            &w->dyn, w->response);
    rb_mechanism_project(m, group, w, w->response);
    for (int k = 0; k < g->nv; k++) {
        add(&b, g->nq + k, local_q(g, f->q), by_q * w->response[g->v + k]);
        add(&b, g->nq + k, local_v(g, f->v), by_v * w->response[g->v + k]);
    }
}

// -------------------------------------------------------------------------------------------------
// links

typedef struct Link {
    int body[2]; // 0: the world
    int bristle; // of a contact that sticks, or RB_NONE
    // Change of both wrenches (and of the bristle's rate) when one body changes.
    RbContactResponse (*vary)(const Sheet *s, const struct Link *l, int side, Motion place,
                              Motion velocity);
    const RbContactVariation *contact;
    const void *element;
    void (*force)(const Sheet *s, const void *element); // adds to w->element_forces
} Link;

// Accelerations of the branch per unit of the wrench on a body: torque about three axes, then
// force.
static void open_side(const Sheet *s, int body, double *K) {
    const Mechanism *m = s->m;
    MechanismWork *w = s->w;
    int group = m->group[body];
    const GroupStates *g = states_of(s, group);
    RbSpan span = rb_mechanism_span(m, group);
    if (m->balls[group].is) return; // needs none
    for (int c = 0; c < 6; c++) {
        Wrench f = {c < 3 ? v3_axis(c) : V3_ZERO, c < 3 ? V3_ZERO : v3_axis(c - 3)};
        rb_dyn_response_in(&m->structure.tree, span, &w->kin, NULL, body, f, &w->dyn, w->response);
        rb_mechanism_project(m, group, w, w->response);
        memcpy(K + c * g->nv, w->response + g->v, (size_t)g->nv * sizeof *K);
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
    add(b, row, column, v.x);
    add(b, row + 1, column, v.y);
    add(b, row + 2, column, v.z);
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
        add(b, g->nq + k, column, sum);
    }
}

typedef struct LinkSides {
    Side side[2];
    int owner;       // side whose group owns the bristle, RB_NONE: there is none
    int bristle_row; // in that group
} LinkSides;

static void add_change(const Link *l, const LinkSides *both, int from, int column,
                       const RbContactResponse *r) {
    if (l->body[0] > 0) add_response(&both->side[0], &both->side[0].by[from], column, r->on_a);
    if (l->body[1] > 0) add_response(&both->side[1], &both->side[1].by[from], column, r->on_b);
    if (both->owner != RB_NONE) {
        add_vector(&both->side[both->owner].by[from], both->bristle_row, column, r->bristle_rate_W);
    }
}

// A ball: three places, three velocities, three spins; how it is turned does not matter.
static void add_ball_side(const Sheet *s, const Link *l, const LinkSides *both, int from) {
    for (int k = 0; k < 9; k++) {
        Motion move = {.v = k < 6 ? v3_axis(k % 3) : V3_ZERO,
                       .w = k < 6 ? V3_ZERO : v3_axis(k - 6)};
        RbContactResponse r =
            l->vary(s, l, from, k < 3 ? move : MOTION_ZERO, k < 3 ? MOTION_ZERO : move);
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
        int nq = rb_joint_q_count(joint->kind), nv = rb_joint_v_count(joint->kind);
        for (int k = 0; k < nq + nv; k++) {
            RbDirection d = {i, k < nq ? k : k - nq, k >= nq};
            RbTangent t = rb_tangent_body(tree, &s->w->kin, q, v, d, body);
            RbContactResponse r = l->vary(s, l, from, t.X, t.V);
            int column = d.speed ? local_v(g, joint->v + d.k) : local_q(g, joint->q + d.k);
            add_change(l, both, from, column, &r);
        }
    }
}

static void add_link(Sheet *s, const Link *l) {
    const Mechanism *m = s->m;
    LinkSides both = {.owner = RB_NONE};
    int group[2] = {l->body[0] > 0 ? m->group[l->body[0]] : RB_NONE,
                    l->body[1] > 0 ? m->group[l->body[1]] : RB_NONE};
    for (int i = 0; i < 2; i++) {
        if (group[i] == RB_NONE) continue;
        const Ball *ball = &m->balls[group[i]];
        both.side[i] = (Side){
            .g = states_of(s, group[i]), .ball = ball->is ? ball : NULL, .K = s->w->sides[i]};
        both.side[i].by[i] = both.side[i].by[1 - i] = diagonal_block(s, group[i]);
        open_side(s, l->body[i], s->w->sides[i]);
    }
    if (group[0] != RB_NONE && group[1] != RB_NONE && group[0] != group[1]) {
        both.side[0].by[1] = take_block(s, group[0], group[1]);
        both.side[1].by[0] = take_block(s, group[1], group[0]);
    }
    if (l->bristle != RB_NONE) {
        both.owner = l->body[0] > 0 ? 0 : 1;
        both.bristle_row = m->bristle_row[l->bristle];
    }
    for (int i = 0; i < 2; i++) {
        if (l->body[i] > 0) add_side(s, l, &both, i);
    }
    for (int k = 0; k < 3 && l->bristle != RB_NONE; k++) {
        RbContactResponse r = rb_contact_vary_bristle(l->contact, v3_axis(k));
        add_change(l, &both, both.owner, both.bristle_row + k, &r);
    }
}

// ---- contacts

static RbContactResponse vary_contact(const Sheet *s, const Link *l, int side, Motion place,
                                      Motion velocity) {
    (void)s;
    return rb_contact_vary(l->contact, side == 0 ? RB_SIDE_A : RB_SIDE_B, place, velocity);
}

static int bristle_of(const Mechanism *m, int group, int slot, double code) {
    for (int i = m->bristle_start[group]; i < m->bristle_start[group + 1]; i++) {
        int k = m->bristle_list[i];
        if (m->bristles[k].slot == slot && m->bristles[k].code == code) return k;
    }
    return RB_NONE;
}

static void add_contact(Sheet *s, int slot) {
    const Mechanism *m = s->m;
    const RbContactState *c = &s->w->contacts[slot];
    const RbElement *elements = m->contacts->elements;
    RbContactVariation variation;
    int one = elements[c->a].body, two = elements[c->b].body;
    Link link = {.body = {one, two},
                 .bristle = bristle_of(m, m->group[one > 0 ? one : two], slot, c->code),
                 .vary = vary_contact,
                 .contact = &variation};
    bool acts = c->law.pair.response == RB_RESPONSE_ELASTIC &&
                (c->motion.depth > 0 || link.bristle != RB_NONE);
    if (acts) {
        rb_contact_variation(m->contacts, c, s->w->moving, &variation);
        add_link(s, &link);
    } else if (link.body[0] > 0 && link.body[1] > 0 &&
               m->group[link.body[0]] != m->group[link.body[1]]) {
        take_block(s, m->group[link.body[0]], m->group[link.body[1]]); // stays zero
        take_block(s, m->group[link.body[1]], m->group[link.body[0]]);
    }
}

static void add_contacts(Sheet *s) {
    const Mechanism *m = s->m;
    const RbEval *e = s->e;
    if (!m->contacts) return;
    const double *slots = e->discrete + m->slots;
    for (int i = 0; !e->groups && i < m->contacts->slot_count; i++) {
        if (slots[RB_SLOT_SIZE * i] != 0) add_contact(s, i);
    }
    for (int k = 0; e->groups && k < e->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, e->group_list[k]);
        const SlotIndex *index = &s->w->slots;
        for (int body = span.first; body < span.end; body++) {
            for (int i = index->first[body]; i >= 0; i = index->next[i]) add_contact(s, i);
        }
    }
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
    w->element_forces[l->body[0]] = w->element_forces[l->body[1]] = WRENCH_ZERO;
    l->force(s, l->element);
    out[0] = w->element_forces[l->body[0]];
    out[1] = w->element_forces[l->body[1]];
    *body = before;
}

static RbContactResponse vary_element(const Sheet *s, const Link *l, int side, Motion place,
                                      Motion velocity) {
    double largest = fmax(fmax(v3_norm(place.w), v3_norm(place.v)),
                          fmax(v3_norm(velocity.w), v3_norm(velocity.v)));
    if (!(largest > 0)) return (RbContactResponse){0};
    double h = 1e-6 / largest; // of a metre, a radian, and these per second
    Wrench plus[2], minus[2];
    element_wrenches(s, l, side, place, velocity, h, plus);
    element_wrenches(s, l, side, place, velocity, -h, minus);
    Wrench a = wr_sub(plus[0], minus[0]), b = wr_sub(plus[1], minus[1]);
    double scale = 0.5 / h;
    return (RbContactResponse){.on_a = {v3_scale(scale, a.t), v3_scale(scale, a.f)},
                               .on_b = {v3_scale(scale, b.t), v3_scale(scale, b.f)}};
}

static void spring_force(const Sheet *s, const void *element) {
    RbLedger ledger = {0};
    rb_force_spring(element, &s->w->kin, s->w->element_forces, &ledger);
}
static void bushing_force(const Sheet *s, const void *element) {
    RbLedger ledger = {0};
    rb_force_bushing(element, &s->w->kin, s->w->element_forces, &ledger);
}
static void world_force(const Sheet *s, const void *element) {
    RbLedger ledger = {0};
    rb_force_world(element, rb_mechanism_force_time(s->m, s->e), &s->w->kin, s->w->element_forces,
                   &ledger);
}

static void solids_force(const Sheet *s, const void *element) {
    RbLedger ledger = {0};
    const RbSolidsForce *f = element;
    if (!rb_mechanism_solids_touch(s->m, s->e, f->number)) return;
    rb_force_solids(f, &s->w->overlaps[f->number], &s->w->kin, s->w->element_forces, &ledger);
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
            const RbSpring *f = &m->springs[i];
            add_link_of(s, f->a.body, f->b.body, f, spring_force);
            return;
        }
        case FORCE_BUSHING: {
            const RbBushing *f = &m->bushings[i];
            add_link_of(s, f->a.body, f->b.body, f, bushing_force);
            return;
        }
        case FORCE_WORLD_FORCE: {
            const RbWorldForce *f = &m->world_forces[i];
            add_link_of(s, f->apply.body, f->axes.body, f, world_force);
            return;
        }
        case FORCE_JOINT_FORCE: add_joint_force(s, i); return;
        case FORCE_SOLIDS: {
            const RbSolidsForce *f = &m->solids[i];
            add_link_of(s, f->a.body, f->b.body, f, solids_force);
            return;
        }
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
        for (int i = m->group_force_start[g]; i < m->group_force_start[g + 1]; i++)
            add_element(s, m->group_forces[i].kind, m->group_forces[i].index);
    }
    RbWorldForce pull;
    if (rb_mechanism_pulls(m, e, &pull)) add_link_of(s, pull.apply.body, 0, &pull, world_force);
}

// -------------------------------------------------------------------------------------------------

void rb_mechanism_number_states(Mechanism *m, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    m->group_states = rb_new_array(arena, GroupStates, m->group_count);
    m->bristle_row = rb_new_array(arena, int, m->bristle_count);
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        GroupStates *g = &m->group_states[m->group[i]];
        if (i == m->branch[m->group[i]]) *g = (GroupStates){.q = j->q, .v = j->v};
        int direct = rb_joint_direct_count(j->kind);
        g->rates += direct + (rb_joint_q_count(j->kind) > direct ? 28 : 0); // how many, at first
        g->nq += rb_joint_q_count(j->kind);
        g->nv += rb_joint_v_count(j->kind);
    }
    for (int k = 0; k < m->group_count; k++)
        m->group_states[k].count = m->group_states[k].nq + m->group_states[k].nv;
    for (int k = 0; k < m->bristle_count; k++) {
        GroupStates *g = &m->group_states[rb_mechanism_bristle_group(m, k)];
        m->bristle_row[k] = g->count;
        g->count += 3;
    }
    long block = 0;
    for (int k = 0; k < m->group_count; k++) {
        GroupStates *g = &m->group_states[k];
        long rates = g->rates;
        g->rates = block;
        g->block = block + rates;
        block += rates + (long)(g->count - g->nq) * g->count;
    }
    m->block_count = block;
}

RbEvalStatus rb_mechanism_jacobian(const Mechanism *m, const RbEval *e, double *values) {
    MechanismWork *w = e->workspace;
    Sheet s = {.m = m, .w = w, .e = e, .values = values, .next = m->block_count};
    int groups = e->groups ? e->group_count : m->group_count;
    for (int k = 0; e->groups && k < groups; k++) {
        w->first_state[e->group_list[k]] = s.n;
        s.n += states_of(&s, e->group_list[k])->count;
    }
    if (m->structure.tree.bodies.count < 2) return RB_EVAL_OK;
    for (int k = 0; k < groups; k++) add_branch(&s, e->groups ? e->group_list[k] : k);
    add_elements(&s);
    add_contacts(&s);
    return RB_EVAL_OK;
}
