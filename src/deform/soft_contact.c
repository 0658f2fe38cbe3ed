// SPDX-License-Identifier: MIT
// Contact of molecules as spheres (penalty.h).
#include "deform/soft_data.h"

static const double POISSON = 0.25;
static const double HOLE = 0.8;       // [spacing] a molecule slips through four others 0.707 a away
static const double LEAST_ROOM = 0.1; // [reach]
static const double GRIP = 0.5;       // [sqrt(k m)] of a molecule: a quarter of critical damping

// Of a connection of the object that a molecule belongs to. [N/m]
static double bond_stiffness(const Soft *soft, int molecule) {
    const RbMolecule *m = &soft->scene.molecules.data[molecule];
    return 0.4 * soft->scene.materials.data[m->material].youngs_modulus *
           soft->network.objects[m->object].spacing;
}

RbPenalty rb_soft_law(const Soft *soft, int a, int b) {
    const RbNetwork *n = &soft->network;
    const RbSoftScene *s = n->scene;
    const RbMolecule *p = &s->molecules.data[a], *q = &s->molecules.data[b];
    const RbSoftMaterial *mp = &s->materials.data[p->material],
                         *mq = &s->materials.data[q->material];
    double wide = fmax(n->objects[p->object].spacing, n->objects[q->object].spacing);
    RbPenalty law = {.reach = p->radius + q->radius, .step = soft->step};
    law.room = fmax(law.reach - HOLE * wide, LEAST_ROOM * law.reach);
    double e = 1 / ((1 - POISSON * POISSON) * (1 / mp->youngs_modulus + 1 / mq->youngs_modulus));
    law.strength = s->stiffness * 4.0 / 3 * e * sqrt(p->radius * q->radius / law.reach);
    double ma = n->mass[a], mb = n->mass[b], mass = ma * mb / (ma + mb);
    if (n->free_index[a] < 0) mass = mb;
    if (n->free_index[b] < 0) mass = ma;
    law.viscosity = (mp->damping + mq->damping) * sqrt(mass);
    law.friction = sqrt(p->friction * q->friction);
    law.grip = GRIP * sqrt(fmin(bond_stiffness(soft, a), bond_stiffness(soft, b)) * mass);
    law.bristle = rb_soft_bristle_length(fmin(p->radius, q->radius));
    return law;
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
