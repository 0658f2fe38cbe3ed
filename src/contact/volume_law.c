// SPDX-License-Identifier: MIT
#include "contact/volume_law.h"

#define TWO_OVER_ROOT_PI 1.1283791670955126

RbVolumeLaw rb_volume_law(void) {
    return (RbVolumeLaw){.form = RB_VOLUME_AREA,
                         .modulus = 1e8,
                         .length = 1,
                         .damping = 0.1,
                         .mu_static = 0.3,
                         .mu_kinetic = 0.25,
                         .slip_speed = 1e-3,
                         .tractions = true};
}

static RbStatus must_be(bool right, const char *what, double value, const char *rule,
                        const char *name, RbPos at, RbDiag *diag) {
    if (right) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, at, "%s of the contact '%s' is %g; it must be %s", what,
                   name, value, rule);
}

RbStatus rb_volume_law_check(const RbVolumeLaw *l, const char *name, RbPos at, RbDiag *diag) {
    RB_TRY(must_be(l->modulus > 0 && isfinite(l->modulus), "modulus", l->modulus, "positive", name,
                   at, diag));
    RB_TRY(must_be(l->length > 0, "length", l->length, "positive", name, at, diag));
    RB_TRY(must_be(l->damping >= 0, "damping", l->damping, "zero or positive", name, at, diag));
    RB_TRY(must_be(l->slip_speed > 0, "slip speed", l->slip_speed, "positive", name, at, diag));
    RB_TRY(must_be(l->mu_kinetic >= 0, "kinetic friction", l->mu_kinetic, "zero or positive", name,
                   at, diag));
    RB_TRY(must_be(l->spin >= 0, "spin damping", l->spin, "zero or positive", name, at, diag));
    return must_be(l->mu_static >= l->mu_kinetic, "static friction", l->mu_static,
                   "at least the kinetic one", name, at, diag);
}

// mu(x) = (2 mu_s* - mu_k) x²/(x⁴ + 1) + mu_k - mu_k/(x² + 1), mu_s* = mu_s (1 - 0.09 (mu_k/mu_s)⁴):
// its largest value is mu_s.
double rb_volume_friction(const RbVolumeLaw *l, double speed) {
    if (!(l->mu_static > 0)) return 0;
    double ratio = l->mu_kinetic / l->mu_static, r2 = ratio * ratio;
    double top = l->mu_static * (1 - 0.09 * r2 * r2), x = speed / l->slip_speed, x2 = x * x;
    return (2 * top - l->mu_kinetic) * x2 / (x2 * x2 + 1) + l->mu_kinetic * x2 / (x2 + 1);
}

// [N] Elastic force of a region.
static double elastic(const RbVolumeLaw *l, const RbMeshOverlap *o, const RbOverlapRegion *r) {
    if (!(r->volume > 0) || !(o->area > 0)) return 0;
    switch (l->form) {
        case RB_VOLUME_AREA: return TWO_OVER_ROOT_PI * l->modulus * r->volume / sqrt(o->area);
        case RB_VOLUME_DEPTH:
            return TWO_OVER_ROOT_PI * 2 / 3 * l->modulus * sqrt(r->volume * (r->high - r->low));
        case RB_VOLUME_POTENTIAL:
            return l->modulus * o->volume / (l->length * l->length * l->length) *
                   v3_norm(r->area_a);
    }
    return 0;
}

double rb_volume_pressure(const RbVolumeLaw *l, const RbMeshOverlap *o, int region) {
    const RbOverlapRegion *r = &o->regions.data[region];
    double s = v3_norm(r->area_a);
    return s > 0 ? elastic(l, o, r) / s : 0;
}

double rb_volume_energy(const RbVolumeLaw *l, const RbMeshOverlap *o) {
    if (l->form != RB_VOLUME_POTENTIAL) return 0;
    return 0.5 * l->modulus * o->volume * o->volume / (l->length * l->length * l->length);
}

typedef struct Sum {
    const RbVolumeLaw *law;
    Vec3 v, w, n;
    RbVolumeForce out;
    double pressure;
} Sum;

// A force f on B at x that does elastic work with f_elastic.
static void add_force(Sum *s, Vec3 x, Vec3 f, Vec3 f_elastic) {
    Vec3 speed = v3_add(s->v, v3_cross(s->w, x));
    s->out.force = v3_add(s->out.force, f);
    s->out.torque = v3_add(s->out.torque, v3_cross(x, f));
    s->out.power_lost += v3_dot(v3_sub(f_elastic, f), speed);
}

// Elastic force of size `normal` along n on B at x, with damping and friction.
static void add_point(Sum *s, Vec3 x, Vec3 n, double normal) {
    Vec3 v = v3_add(s->v, v3_cross(s->w, x));
    double away = v3_dot(v, n), factor = 1 - s->law->damping * away;
    Vec3 slip = v3_axpy(v, -away, n);
    double speed = v3_norm(slip), damped = factor > 0 ? factor * normal : 0;
    Vec3 f = v3_scale(damped, n);
    if (speed > 0) f = v3_axpy(f, -rb_volume_friction(s->law, speed) * damped / speed, slip);
    s->out.normal_force += damped * v3_dot(n, s->n);
    add_force(s, x, f, v3_scale(normal, n));
}

// Seven points, degree five (Radon): weight, and barycentric coordinates (a, b, b) and their turns.
static const double quadrature[3][3] = {
    {0.225, 1.0 / 3, 1.0 / 3},
    {0.13239415278850618, 0.059715871789769820, 0.47014206410511509},
    {0.12593918054482715, 0.79742698535308732, 0.10128650732345634}};

static void add_triangle(Sum *s, Vec3 a, Vec3 b, Vec3 c, Vec3 n) {
    double area = 0.5 * v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, a)));
    for (int k = 0; k < 3; k++) {
        const double *q = quadrature[k];
        for (int turn = 0; turn < (k == 0 ? 1 : 3); turn++) {
            double u = turn == 0 ? q[1] : q[2], v = turn == 1 ? q[1] : q[2],
                   w = turn == 2 ? q[1] : q[2];
            Vec3 x = v3_add(v3_scale(u, a), v3_add(v3_scale(v, b), v3_scale(w, c)));
            add_point(s, x, n, q[0] * area * s->pressure);
        }
    }
}

// A fan about the centroid of each of A's polygons; a hole counts with negative areas.
static void add_tractions(Sum *s, const RbMeshOverlap *o, int region) {
    for (int i = 0; i < o->polygons.count; i++) {
        const RbOverlapPolygon *p = &o->polygons.data[i];
        if (p->region != region || p->side != 0) continue;
        const RbCutLoop *l = &o->cut.loops.data[p->loop];
        const RbSkin *skin = o->cut.side[0].skin;
        const int *v = skin->mesh.triangles[p->triangle].v;
        const Vec3 *y = skin->mesh.vertices;
        Vec3 n = v3_unit(v3_cross(v3_sub(y[v[1]], y[v[0]]), v3_sub(y[v[2]], y[v[0]])));
        Vec3 before = rb_cut_point(&o->cut, 0, o->cut.nodes.data[l->first + l->count - 1]);
        for (int k = 0; k < l->count; k++) {
            Vec3 at = rb_cut_point(&o->cut, 0, o->cut.nodes.data[l->first + k]);
            add_triangle(s, p->centroid, before, at, n);
            before = at;
        }
    }
}

RbVolumeForce rb_volume_force(const RbVolumeLaw *law, const RbMeshOverlap *o, int region, Vec3 v,
                              Vec3 w) {
    const RbOverlapRegion *r = &o->regions.data[region];
    Sum s = {.law = law, .v = v, .w = w, .n = v3_unit(r->area_a), .out = {.point = r->centroid}};
    double normal = elastic(law, o, r);
    if (!(normal > 0)) return s.out;
    s.pressure = normal / v3_norm(r->area_a);
    if (law->tractions || law->form == RB_VOLUME_POTENTIAL) {
        add_tractions(&s, o, region);
        return s.out;
    }
    add_point(&s, r->centroid, s.n, normal);
    double spin = v3_dot(w, s.n), t = law->spin * s.out.normal_force * v3_norm(r->area_a) * spin;
    s.out.torque = v3_axpy(s.out.torque, -t, s.n);
    s.out.power_lost += t * spin;
    return s.out;
}
