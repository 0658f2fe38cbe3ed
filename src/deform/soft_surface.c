// SPDX-License-Identifier: MIT
// Contact of surfaces (docs/theory/soft.md, section 6): every vertex of one surface in the field of the other object. The field says
// how far from a single molecule the vertex would be, d = b sqrt(1 - (T F)^(1/3)); that takes the place of the distance in the force
// between molecules, times the share of the vertex in the surface. The elastic force is the gradient of its energy by all
// molecules, so linear and angular momentum are kept. Where edges touch, it is the point of each edge that is deepest in the field, wherever that is: since
// the energy does not change with its place on the edge, the force is that on a fixed point of it.
#include "deform/soft_data.h"

static const double DEEPEST = 0.6; // [radius] of d: nothing comes nearer

// A molecule in whose reach a vertex is.
typedef struct Term {
    int molecule;
    Vec3 d;   // [m] from it to the vertex
    double u; // 1 - d²/b²
} Term;

enum { MOST_TERMS = 64 };

// Where a vertex is in the field of another object.
typedef struct Dip {
    Term terms[MOST_TERMS];
    int count;
    double scale;    // [1/m2] 6/(b² T): the slope of F by a molecule is scale u² d
    Vec3 slope;      // [1/m] of F by the place of the vertex
    double overlap;  // [m] radius - d
    double by_value; // [m] derivative of the overlap by F
    double bend;     // [m] derivative of that
} Dip;

// False: the vertex is outside. Too deep inside the overlap is the radius. Inline, since it is called for each vertex that is near: a twentieth of the time of a scene.
__attribute__((always_inline)) static inline bool find_dip(const RbSurfaceList *l, const RbNearVertex *near, const Vec3 *r, Vec3 p,
                     Dip *dip) {
    const RbSoftField *f = &l->fields[near->other];
    double b2 = f->reach * f->reach, value = 0;
    dip->count = 0;
    for (int k = 0; k < near->count && dip->count < MOST_TERMS; k++) {
        int j = l->molecules[near->first + k];
        Vec3 d = v3_sub(p, r[j]);
        double u = 1 - v3_norm2(d) / b2;
        if (!(u > 0)) continue;
        dip->terms[dip->count++] = (Term){j, d, u};
        value += u * u * u;
    }
    if (!(value > f->threshold)) return false;
    dip->scale = 6 / (b2 * f->threshold);
    dip->slope = V3_ZERO;
    for (int k = 0; k < dip->count; k++) {
        const Term *t = &dip->terms[k];
        dip->slope = v3_axpy(dip->slope, -dip->scale * t->u * t->u, t->d);
    }
    double g = cbrt(value), d = value < 1 ? f->reach * sqrt(1 - g) : 0;
    dip->overlap = f->radius - d;
    dip->by_value = d > 0 ? b2 * g * f->threshold / (6 * value * d) : 0;
    dip->bend = d > 0 ? dip->by_value * (dip->by_value / d - 2 * f->threshold / (3 * value)) : 0;
    return true;
}

// The law of a vertex of object a in object b: that of their molecules, for its share of the surface; half of it, because the
// vertices of b are in the field of a as well.
static RbPenalty law_of(const Soft *soft, const RbNearVertex *near, const RbSkinVertex *vertex) {
    const RbNetworkObject *a = &soft->network.objects[near->object];
    RbPenalty law = rb_soft_law_in(soft, vertex->molecule[0], near->other);
    double share = 0.5 * near->area / (a->spacing * a->spacing);
    law.reach = soft->fields[near->other].radius;
    law.room = (1 - DEEPEST) * law.reach;
    law.strength *= share;
    law.viscosity *= sqrt(share);
    law.grip *= share;
    return law;
}

// The other object around a vertex.
typedef struct Around {
    double rate;   // [1/s] of F, because its molecules move
    Vec3 place;    // [m] of these, mean with weights
    Vec3 velocity; // [m/s] likewise
    double weight;
    int nearest; // molecule
} Around;

static Around look_around(const Dip *dip, const SoftWork *w) {
    Around a = {.nearest = dip->terms[0].molecule};
    double most = 0;
    for (int k = 0; k < dip->count; k++) {
        const Term *t = &dip->terms[k];
        double u2 = t->u * t->u;
        a.rate += dip->scale * u2 * v3_dot(t->d, w->v[t->molecule]);
        a.place = v3_axpy(a.place, u2, w->r[t->molecule]);
        a.velocity = v3_axpy(a.velocity, u2, w->v[t->molecule]);
        a.weight += u2;
        if (u2 > most) most = u2, a.nearest = t->molecule;
    }
    a.place = v3_scale(1 / a.weight, a.place);
    a.velocity = v3_scale(1 / a.weight, a.velocity);
    return a;
}

// What touches: a vertex, or a point of an edge between two.
typedef struct Spot {
    const RbSkinVertex *vertex[2];
    double weight[2];
    int count;
    Vec3 p;
} Spot;

// On an edge from the vertex at p. False: nowhere.
static bool find_spot(const Soft *soft, const SoftWork *w, const RbNearVertex *near, Vec3 p,
                      Spot *spot) {
    const RbSkinVertex *vertices = soft->skins[near->object].vertices;
    Vec3 q = rb_surface_list_place(w->vertices, near->object, near->end);
    double at = rb_surface_list_deepest(w->vertices, near, w->r, p, q);
    *spot = (Spot){{&vertices[near->vertex], &vertices[near->end]},
                   {1 - at, at},
                   2,
                   v3_axpy(v3_scale(1 - at, p), at, q)};
    return at >= 0;
}

static Vec3 spot_velocity(const Spot *s, const SoftWork *w) {
    Vec3 v = rb_skin_velocity(s->vertex[0], w->r, w->v);
    if (s->count == 1) return v;
    return v3_axpy(v3_scale(s->weight[0], v), s->weight[1],
                   rb_skin_velocity(s->vertex[1], w->r, w->v));
}

// push: force on the spot is -push grad F; rub: friction on it.
static void apply(SoftWork *w, const RbNearVertex *near, const Spot *spot, const Dip *dip,
                  double push, Vec3 rub, double weight) {
    Vec3 force = v3_axpy(rub, -push, dip->slope);
    for (int k = 0; k < spot->count; k++)
        rb_skin_push(spot->vertex[k], w->r, v3_scale(spot->weight[k], force), w->f);
    for (int k = 0; k < dip->count; k++) {
        const Term *t = &dip->terms[k];
        double u2 = t->u * t->u;
        Vec3 *f = &w->f[t->molecule];
        *f = v3_axpy(v3_axpy(*f, -push * dip->scale * u2, t->d), -u2 / weight, rub);
    }
    w->press[near->object] = v3_add(w->press[near->object], force);
    w->press[near->other] = v3_sub(w->press[near->other], force);
}

// Friction on a vertex at p that moves with v. On the other object it acts at the mean of its molecules, and turns it besides.
static Vec3 rub(const Soft *soft, SoftWork *w, const RbPenalty *law, int molecule, Vec3 p, Vec3 v,
                const Around *around, Vec3 n, double press) {
    if (!(law->friction > 0)) return V3_ZERO;
    Vec3 arm = v3_sub(p, around->place);
    Vec3 other = v3_add(around->velocity, rb_soft_velocity_beside(soft, w, around->nearest, arm));
    Vec3 slip = v3_sub(v, other), z = rb_soft_bristle(soft, w, molecule, around->nearest, n);
    slip = v3_axpy(slip, -v3_dot(slip, n), n);
    RbRub rub = rb_penalty_rub(law, press, slip, z);
    rb_soft_draw_out(w, molecule, around->nearest, &rub, z, press);
    rb_soft_couple(soft, w, around->nearest, arm, v3_neg(rub.force));
    w->contact_lost -= v3_dot(rub.force, slip);
    return rub.force;
}

static RbEvalStatus press(const Soft *soft, const RbEval *eval, SoftWork *w,
                          const RbNearVertex *near) {
    const RbSkinVertex *vertex = &soft->skins[near->object].vertices[near->vertex];
    Vec3 p = rb_surface_list_place(w->vertices, near->object, near->vertex);
    Spot spot = {{vertex}, {1}, 1, p};
    Dip dip;
    if (near->end >= 0 && !find_spot(soft, w, near, p, &spot)) return RB_EVAL_OK;
    if (!find_dip(w->vertices, near, w->r, spot.p, &dip)) return RB_EVAL_OK;
    RbPenalty law = law_of(soft, near, spot.vertex[0]);
    if (!(dip.overlap < law.room))
        return rb_eval_retry(
            eval, "the surface of '%s' is too deep in '%s'; a smaller step is needed",
            soft->network.objects[near->object].name, soft->network.objects[near->other].name);
    RbPenaltyElastic e = rb_penalty_elastic(&law, dip.overlap);
    Vec3 v = spot_velocity(&spot, w), n = v3_unit_or(dip.slope, v3(0, 1, 0));
    Around around = look_around(&dip, w);
    double deepen = dip.by_value * (v3_dot(dip.slope, v) + around.rate);
    double pressing = rb_penalty_press(&e, deepen);
    Vec3 friction =
        V3_ZERO; // of an edge, each end has its part: no bristle takes over from another at once
    for (int k = 0; k < spot.count; k++)
        if (spot.weight[k] > 0)
            friction = v3_add(friction, rub(soft, w, &law, spot.vertex[k]->molecule[0], spot.p, v,
                                            &around, n, spot.weight[k] * pressing));
    apply(w, near, &spot, &dip, pressing * dip.by_value, friction, around.weight);
    w->contact_energy += e.energy;
    w->contact_lost += (pressing - e.force) * deepen;
    w->touching++;
    return RB_EVAL_OK;
}

RbEvalStatus rb_soft_surface_contacts(const Soft *soft, const RbEval *eval, SoftWork *w) {
    if (!rb_surface_list_update(w->vertices, &soft->network, w->r))
        return rb_eval_retry(eval, "more surfaces are near each other than can be: the motion has "
                                   "become unstable");
    for (int i = 0; i < w->vertices->count; i++) {
        if (rb_surface_list_idle(w->vertices, &w->vertices->near[i])) continue;
        RbEvalStatus status = press(soft, eval, w, &w->vertices->near[i]);
        if (status != RB_EVAL_OK) return status;
    }
    return RB_EVAL_OK;
}

// ---- slopes

enum { MOST_MOVED = 2 * RB_SKIN_MOST + MOST_TERMS };

// What the overlap x of a spot and its force depend on, by molecules: those of the spot, then those of the field.
typedef struct Touch {
    int molecule[MOST_MOVED];
    int of_spot, count;
    Mat3 by[2 * RB_SKIN_MOST]; // of the spot
    Mat3 bend[MOST_TERMS];     // [1/m2] second derivatives of a term of F by its distance
    Mat3 all;                  // and of all of them
    Vec3 slope[MOST_MOVED];    // [1/m] of F
    Vec3 rate[MOST_MOVED];     // [1/(m.s)] of that
    double share[MOST_MOVED];  // of the velocity of slipping
} Touch;

static void look_at_spot(const Spot *spot, const SoftWork *w, Touch *t) {
    t->of_spot = 0;
    for (int k = 0; k < spot->count; k++) {
        if (!(spot->weight[k] > 0)) continue;
        int first = t->of_spot;
        t->of_spot += rb_skin_slopes(spot->vertex[k], w->r, t->molecule + first, t->by + first);
        for (int i = first; i < t->of_spot; i++) {
            t->by[i] = m3_scale(spot->weight[k], t->by[i]);
            t->share[i] = m3_trace(t->by[i]) / 3;
        }
    }
}

static void look_at_field(const RbSoftField *field, const Dip *dip, const Around *around,
                          Touch *t) {
    double b2 = field->reach * field->reach;
    t->all = M3_ZERO;
    t->count = t->of_spot + dip->count;
    for (int k = 0; k < dip->count; k++) {
        const Term *term = &dip->terms[k];
        double u = term->u;
        int i = t->of_spot + k;
        t->bend[k] = m3_sub(m3_scale(dip->scale * 4 * u / b2, m3_outer(term->d, term->d)),
                            m3_scale(dip->scale * u * u, M3_IDENTITY));
        t->all = m3_add(t->all, t->bend[k]);
        t->molecule[i] = term->molecule;
        t->slope[i] = v3_scale(dip->scale * u * u, term->d);
        t->share[i] = -u * u / around->weight;
    }
    for (int i = 0; i < t->of_spot; i++) t->slope[i] = m3_tmul_vec(t->by[i], dip->slope);
}

// Second derivatives of F; the turning of planes under vertices is left out.
static Mat3 bend_of(const Touch *t, int i, int k) {
    int s = t->of_spot;
    if (i < s && k < s) return m3_mul(m3_transpose(t->by[i]), m3_mul(t->all, t->by[k]));
    if (i < s) return m3_scale(-1, m3_mul(m3_transpose(t->by[i]), t->bend[k - s]));
    if (k < s) return m3_scale(-1, m3_mul(t->bend[i - s], t->by[k]));
    return i == k ? t->bend[i - s] : M3_ZERO;
}

static void find_rates(const SoftWork *w, Vec3 v, Touch *t) {
    Vec3 spot = m3_mul_vec(t->all, v);
    for (int k = t->of_spot; k < t->count; k++) {
        const Mat3 *bend = &t->bend[k - t->of_spot];
        Vec3 other = w->v[t->molecule[k]];
        spot = v3_sub(spot, m3_mul_vec(*bend, other));
        t->rate[k] = m3_mul_vec(*bend, v3_sub(other, v));
    }
    for (int i = 0; i < t->of_spot; i++) t->rate[i] = m3_tmul_vec(t->by[i], spot);
}

static void add_slopes(const Soft *soft, const SoftWork *w, const RbNearVertex *near,
                       SoftBlock *add, void *user) {
    const RbSkinVertex *vertex = &soft->skins[near->object].vertices[near->vertex];
    Vec3 p = rb_surface_list_place(w->vertices, near->object, near->vertex);
    Spot spot = {{vertex}, {1}, 1, p};
    Dip dip;
    if (near->end >= 0 && !find_spot(soft, w, near, p, &spot)) return;
    if (!find_dip(w->vertices, near, w->r, spot.p, &dip)) return;
    RbPenalty law = law_of(soft, near, spot.vertex[0]);
    if (!(dip.overlap < law.room)) return;
    RbPenaltyElastic e = rb_penalty_elastic(&law, dip.overlap);
    Vec3 v = spot_velocity(&spot, w), n = v3_unit_or(dip.slope, v3(0, 1, 0));
    Around around = look_around(&dip, w);
    double by = dip.by_value, rate = v3_dot(dip.slope, v) + around.rate;
    double press = rb_penalty_press(&e, by * rate);
    if (!(press > 0)) return;
    Touch t;
    look_at_spot(&spot, w, &t);
    look_at_field(&soft->fields[near->other], &dip, &around, &t);
    find_rates(w, v, &t);
    Vec3 slip = v3_sub(v, around.velocity);
    slip = v3_axpy(slip, -v3_dot(slip, n), n);
    double rub = rb_penalty_rub(&law, press, slip, V3_ZERO).drag;
    Mat3 across = m3_scale(-rub, m3_sub(M3_IDENTITY, m3_outer(n, n)));
    double steep = (e.slope + e.drag_slope * by * rate) * by * by + e.drag * dip.bend * rate * by +
                   press * dip.bend;
    for (int i = 0; i < t.count; i++) {
        if (soft->network.free_index[t.molecule[i]] < 0) continue;
        for (int k = 0; k < t.count; k++) {
            if (soft->network.free_index[t.molecule[k]] < 0) continue;
            Vec3 more = v3_axpy(v3_scale(-steep, t.slope[k]), -e.drag * by * by, t.rate[k]);
            Mat3 by_r = m3_sub(m3_outer(t.slope[i], more), m3_scale(press * by, bend_of(&t, i, k)));
            Mat3 by_v = m3_add(m3_outer(t.slope[i], v3_scale(-e.drag * by * by, t.slope[k])),
                               m3_scale(t.share[i] * t.share[k], across));
            add(user, t.molecule[i], t.molecule[k], &by_r, &by_v);
        }
    }
}

void rb_soft_surface_slopes(const Soft *soft, const SoftWork *w, SoftBlock *add, void *user) {
    for (int i = 0; i < w->vertices->count; i++)
        if (!rb_surface_list_idle(w->vertices, &w->vertices->near[i]))
            add_slopes(soft, w, &w->vertices->near[i], add, user);
}
