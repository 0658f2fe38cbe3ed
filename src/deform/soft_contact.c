// SPDX-License-Identifier: MIT
// Contact of molecules as spheres (penalty.h).
#include "deform/soft_data.h"

static const double POISSON = 0.25;
static const double HOLE = 0.8;       // [spacing] a molecule slips through four others 0.707 a away
static const double LEAST_ROOM = 0.1; // [reach]
static const double GRIP = 0.5;       // [sqrt(k m)] of a molecule: a quarter of critical damping

// What a law knows of a molecule, or of an object in the mean.
typedef struct Side {
    double youngs_modulus, damping, friction;
    double radius;  // [m]
    double spacing; // [m]
    double mass;    // [kg]
    bool fixed;
} Side;

static Side molecule_side(const Soft *soft, int molecule) {
    const RbMolecule *p = &soft->network.scene->molecules.data[molecule];
    const RbSoftMaterial *m = &soft->network.scene->materials.data[p->material];
    return (Side){.youngs_modulus = m->youngs_modulus,
                  .damping = m->damping,
                  .friction = p->friction,
                  .radius = p->radius,
                  .spacing = soft->network.objects[p->object].spacing,
                  .mass = soft->network.mass[molecule],
                  .fixed = soft->network.free_index[molecule] < 0};
}

SoftMean rb_soft_mean(const Soft *soft, int object) {
    const RbNetwork *n = &soft->network;
    const RbNetworkObject *o = &n->objects[object];
    SoftMean mean = {.lightest = o->first};
    double compliance = 0;
    for (int i = o->first; i < o->first + o->count; i++) {
        Side side = molecule_side(soft, i), least = molecule_side(soft, mean.lightest);
        compliance += 1 / side.youngs_modulus;
        mean.damping += side.damping / o->count;
        mean.friction += side.friction / o->count;
        mean.radius += side.radius / o->count;
        if (side.fixed != least.fixed ? least.fixed : side.mass < least.mass) mean.lightest = i;
    }
    mean.youngs_modulus = o->count / compliance;
    return mean;
}

static Side object_side(const Soft *soft, int object) {
    const SoftMean *m = &soft->means[object];
    return (Side){.youngs_modulus = m->youngs_modulus,
                  .damping = m->damping,
                  .friction = m->friction,
                  .radius = m->radius,
                  .spacing = soft->network.objects[object].spacing,
                  .mass = soft->network.mass[m->lightest],
                  .fixed = soft->network.free_index[m->lightest] < 0};
}

static RbPenalty law_between(const Soft *soft, const Side *a, const Side *b) {
    RbPenalty law = {.reach = a->radius + b->radius, .step = soft->step};
    law.room = fmax(law.reach - HOLE * fmax(a->spacing, b->spacing), LEAST_ROOM * law.reach);
    double e = 1 / ((1 - POISSON * POISSON) * (1 / a->youngs_modulus + 1 / b->youngs_modulus));
    law.strength = soft->scene.stiffness * 4.0 / 3 * e * sqrt(a->radius * b->radius / law.reach);
    double mass = a->mass * b->mass / (a->mass + b->mass);
    if (a->fixed) mass = b->mass;
    if (b->fixed) mass = a->mass;
    double bond = 0.4 * fmin(a->youngs_modulus * a->spacing, b->youngs_modulus * b->spacing);
    law.viscosity = (a->damping + b->damping) * sqrt(mass);
    law.friction = sqrt(a->friction * b->friction);
    law.grip = GRIP * sqrt(bond * mass);
    law.bristle = rb_soft_bristle_length(fmin(a->radius, b->radius));
    return law;
}

RbPenalty rb_soft_law(const Soft *soft, int a, int b) {
    Side p = molecule_side(soft, a), q = molecule_side(soft, b);
    return law_between(soft, &p, &q);
}

RbPenalty rb_soft_law_in(const Soft *soft, int molecule, int object) {
    Side p = molecule_side(soft, molecule), q = object_side(soft, object);
    return law_between(soft, &p, &q);
}

static bool touches(const RbNetwork *n, RbSpherePair pair, const Vec3 *r) {
    const RbMolecule *m = n->scene->molecules.data;
    double reach = m[pair.a].radius + m[pair.b].radius;
    return v3_norm2(v3_sub(r[pair.b], r[pair.a])) < reach * reach;
}

static RbEvalStatus fail_near(const Soft *soft, const RbEval *eval, RbSpherePair pair) {
    const RbMolecule *m = soft->network.scene->molecules.data;
    return rb_eval_retry(eval,
                         "a molecule of '%s' and one of '%s' have come through each other; a "
                         "smaller step is needed",
                         soft->network.objects[m[pair.a].object].name,
                         soft->network.objects[m[pair.b].object].name);
}

// Friction where the spheres touch, on the line of their centres.
static Vec3 rub(const Soft *soft, SoftWork *w, const RbPenalty *law, RbSpherePair pair,
                const RbPenaltyForce *force, double *lost) {
    int a = pair.a, b = pair.b;
    if (!(law->friction > 0)) return V3_ZERO;
    double share = soft->scene.molecules.data[a].radius / law->reach;
    Vec3 apart = v3_sub(w->r[b], w->r[a]), arm_a = v3_scale(share, apart),
         arm_b = v3_scale(share - 1, apart);
    Vec3 slip = v3_sub(v3_add(w->v[a], rb_soft_velocity_beside(soft, w, a, arm_a)),
                       v3_add(w->v[b], rb_soft_velocity_beside(soft, w, b, arm_b)));
    slip = v3_axpy(slip, -v3_dot(slip, force->n), force->n);
    Vec3 z = rb_soft_bristle(soft, w, a, b, force->n);
    RbRub rub = rb_penalty_rub(law, force->press, slip, z);
    rb_soft_draw_out(w, a, b, &rub, z, force->press);
    rb_soft_couple(soft, w, a, arm_a, rub.force);
    rb_soft_couple(soft, w, b, arm_b, v3_neg(rub.force));
    *lost -= v3_dot(rub.force, slip);
    return rub.force;
}

static RbEvalStatus press(const Soft *soft, const RbEval *eval, SoftWork *w, RbSpherePair pair) {
    const RbMolecule *m = soft->network.scene->molecules.data;
    RbPenalty law = rb_soft_law(soft, pair.a, pair.b);
    RbPenaltyForce force;
    if (!rb_penalty_force(&law, v3_sub(w->r[pair.b], w->r[pair.a]),
                          v3_sub(w->v[pair.b], w->v[pair.a]), &force))
        return fail_near(soft, eval, pair);
    Vec3 f = rub(soft, w, &law, pair, &force, &w->contact_lost);
    f = v3_axpy(f, -force.press, force.n);
    w->f[pair.a] = v3_add(w->f[pair.a], f);
    w->f[pair.b] = v3_sub(w->f[pair.b], f);
    w->press[m[pair.a].object] = v3_add(w->press[m[pair.a].object], f);
    w->press[m[pair.b].object] = v3_sub(w->press[m[pair.b].object], f);
    w->contact_energy += force.energy;
    w->contact_lost += force.lost;
    w->touching++;
    return RB_EVAL_OK;
}

RbEvalStatus rb_soft_contacts(const Soft *soft, const RbEval *eval, SoftWork *w) {
    const RbNetwork *n = &soft->network;
    if (soft->skins) return rb_soft_surface_contacts(soft, eval, w);
    if (!rb_sphere_pairs_update(w->pairs, n, w->r))
        return rb_eval_retry(eval, "more molecules are near each other than can be: the motion has "
                                   "become unstable");
    for (int i = 0; i < w->pairs->count; i++) {
        if (!touches(n, w->pairs->pairs[i], w->r)) continue;
        RbEvalStatus status = press(soft, eval, w, w->pairs->pairs[i]);
        if (status != RB_EVAL_OK) return status;
    }
    return RB_EVAL_OK;
}

// Objects that are inside each other at the start would be thrown apart.
RbStatus rb_soft_check_overlap(const Soft *soft, const Vec3 *r, RbArena scratch, RbDiag *diag) {
    const RbNetwork *n = &soft->network;
    const RbMolecule *m = n->scene->molecules.data;
    const double most = 0.25; // of the room
    RbSpherePairs *pairs = rb_sphere_pairs_open(
        n, soft->skin, rb_arena_push(&scratch, rb_sphere_pairs_size(n), alignof(max_align_t)));
    bool room = rb_sphere_pairs_update(pairs, n, r);
    for (int i = 0; i < pairs->count; i++) {
        RbSpherePair pair = pairs->pairs[i];
        RbPenalty law = rb_soft_law(soft, pair.a, pair.b);
        double overlap = law.reach - v3_distance(r[pair.a], r[pair.b]);
        if (overlap <= most * law.room) continue;
        return rb_fail(diag, RB_ERROR_MODEL, m[pair.b].at,
                       "the objects '%s' and '%s' overlap by %.3g m at the start, at (%.4g, %.4g, "
                       "%.4g) m; move them apart",
                       n->objects[m[pair.a].object].name, n->objects[m[pair.b].object].name,
                       overlap, r[pair.b].x, r[pair.b].y, r[pair.b].z);
    }
    if (room) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "objects overlap at the start");
}
