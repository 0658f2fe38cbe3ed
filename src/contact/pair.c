// SPDX-License-Identifier: MIT
#include "contact/pair.h"

#include <math.h>

#include "collide/point.h"

// The ball b and the element a: only the centre of the ball counts, so no relative pose is formed.
static RbGap ball_gap(const RbElement *a, const RbElement *b, const Pose *X_a, const Pose *X_b) {
    Vec3 centre = pose_point(*X_b, b->X_BC.r), n = {0, 0, 1};
    Vec3 p = pose_unpoint(a->X_BC, pose_unpoint(*X_a, centre));
    double d = a->core->kind == RB_CORE_HALFSPACE ? p.z : rb_core_point(a->core, p, &n);
    n = m3_mul_vec(X_a->R, m3_mul_vec(a->X_BC.R, n));
    return (RbGap){.distance = d - (a->core->radius + b->core->radius),
                   .normal = n,
                   .point_a = v3_axpy(centre, a->core->radius - d, n),
                   .point_b = v3_axpy(centre, -b->core->radius, n),
                   .status = RB_GAP_EXACT};
}

static RbGap reversed(RbGap gap) {
    Vec3 point_a = gap.point_a;
    gap.normal = v3_neg(gap.normal);
    gap.point_a = gap.point_b;
    gap.point_b = point_a;
    return gap;
}

static RbGap gap_of(const RbContactSetup *s, int a, int b, const Pose *X_a, const Pose *X_b,
                    RbPairMemory *memory) {
    const RbElement *ea = &s->elements[a], *eb = &s->elements[b];
    if (s->options.distance == RB_DISTANCE_AUTO) {
        if (eb->core->kind == RB_CORE_POINT) return ball_gap(ea, eb, X_a, X_b);
        if (ea->core->kind == RB_CORE_POINT) return reversed(ball_gap(eb, ea, X_b, X_a));
    }
    Pose X_WA = pose_mul(*X_a, ea->X_BS), X_WB = pose_mul(*X_b, eb->X_BS);
    RbGap gap;
    rb_distance_by(s->options.distance, ea->core, eb->core, pose_relative(X_WA, X_WB), memory,
                   &gap);
    return rb_gap_in_world(gap, X_WA);
}

RbGap rb_pair_gap(const RbContactSetup *s, int a, int b, const Pose *X_a, const Pose *X_b,
                  RbPairMemory *memory) {
    RbGap gap = gap_of(s, a, b, X_a, X_b, memory);
    Vec3 both = v3_add(X_a->r, X_b->r); // not finite where one of them is not
    if (!isfinite(both.x + both.y + both.z)) gap.distance = (double)NAN;
    return gap;
}

static bool is_smooth(const RbCore *c) {
    return c->kind == RB_CORE_POINT || c->kind == RB_CORE_ELLIPSOID;
}

bool rb_pair_is_smooth(const RbContactSetup *s, int a, int b) {
    return is_smooth(s->elements[a].core) || is_smooth(s->elements[b].core);
}

static bool is_for_patches(const RbPairLaw *law) {
    return law->normal == RB_NORMAL_HERTZ && law->faces == RB_FACES_PATCH;
}

bool rb_pair_has_patch(const RbContactSetup *s, int a, int b) {
    const RbContactMaterial *m = rb_contact_material_of(s, a, b);
    return m && is_for_patches(&m->law) && s->options.distance == RB_DISTANCE_AUTO &&
           !rb_pair_is_smooth(s, a, b);
}

bool rb_pairs_have_patches(const RbContactSetup *s) {
    int flat = 0, moving = 0;
    bool law = false;
    for (int i = 0; i < s->element_count; i++) {
        if (is_smooth(s->elements[i].core)) continue;
        flat++, moving += s->elements[i].body > 0;
    }
    for (int k = 0; k < s->material_count * s->material_count; k++)
        law = law || (s->pair_known[k] && is_for_patches(&s->pairs[k].law));
    return s->options.distance == RB_DISTANCE_AUTO && law && flat > 1 && moving > 0;
}

// A round body rolls rather than sticks, and bristles would cost crowds of balls their lists of
// neighbours (docs/decisions/sticking.md).
RbFrictionLaw rb_pair_friction(const RbContactSetup *s, int a, int b) {
    const RbContactMaterial *m = rb_contact_material_of(s, a, b);
    if (!m || m->law.friction != RB_FRICTION_AUTO) return m ? m->law.friction : RB_FRICTION_SLIDING;
    return m->law.mu_k > 0 && !rb_pair_is_smooth(s, a, b) ? RB_FRICTION_BRISTLE
                                                          : RB_FRICTION_SLIDING;
}

bool rb_pair_patch(const RbContactSetup *s, int a, int b, Pose X_a, Pose X_b, const RbGap *gap_W,
                   double share, Pose *X_WA, RbContactRegion *region) {
    const RbElement *ea = &s->elements[a], *eb = &s->elements[b];
    if (rb_pair_is_smooth(s, a, b)) return false;
    double reach = share * rb_region_reach(ea->core, eb->core);
    if (!(reach > 0)) return false;
    *X_WA = pose_mul(X_a, ea->X_BS);
    Pose X_WB = pose_mul(X_b, eb->X_BS);
    RbGap gap = *gap_W;
    gap.normal = m3_tmul_vec(X_WA->R, gap_W->normal);
    gap.point_a = pose_unpoint(*X_WA, gap_W->point_a);
    gap.point_b = pose_unpoint(*X_WA, gap_W->point_b);
    rb_contact_region(ea->core, eb->core, pose_relative(*X_WA, X_WB), &gap, reach, region);
    return true;
}

Vec3 rb_pair_force_point(const RbContactSetup *s, int a, int b, Pose X_a, Pose X_b,
                         const RbGap *gap_W) {
    Pose X_WA;
    RbContactRegion region;
    if (rb_pair_patch(s, a, b, X_a, X_b, gap_W, 1, &X_WA, &region))
        return pose_point(X_WA, region.point);
    return v3_scale(0.5, v3_add(gap_W->point_a, gap_W->point_b));
}

double rb_pair_plane_part(const RbContactSetup *s, int a, int b) {
    const RbElement *ea = &s->elements[a], *eb = &s->elements[b];
    bool flat_a = rb_shape_is_flat(ea->shape), flat_b = rb_shape_is_flat(eb->shape);
    if (flat_a != flat_b) return flat_b;
    if (flat_a) return 0.5;
    double ra = rb_shape_contact_radius(ea->shape), rb = rb_shape_contact_radius(eb->shape);
    return rb / (ra + rb);
}

Vec3 rb_pair_plane_spin(const RbContactSetup *s, int a, int b, Vec3 wa, Vec3 wb, Vec3 n) {
    double part = rb_pair_plane_part(s, a, b);
    Vec3 difference = v3_sub(wb, wa);
    Vec3 w = v3_axpy(wa, part, difference);
    return v3_axpy(w, (0.5 - part) * v3_dot(n, difference), n);
}
