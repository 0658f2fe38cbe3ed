// SPDX-License-Identifier: MIT
#include "contact/volume_law.h"

#include "collide/layer_stored.h"

#define TWO_OVER_ROOT_PI 1.1283791670955126

RbVolumeLaw rb_volume_law(void) {
    return (RbVolumeLaw){.form = RB_VOLUME_BEDDING,
                         .modulus = 1e8,
                         .restitution = 0.5,
                         .v_small = 0.01,
                         .load_ratio = 1,
                         .mu_static = 0.3,
                         .mu_kinetic = 0.25,
                         .slip_speed = 1e-3,
                         .sticks = true,
                         .bristle_length = 1e-5,
                         .bristle_time = 1e-3,
                         .tractions = true};
}

// The punch has 2/sqrt(pi) E* sqrt(S) per depth; the layer of a cube is an eighth of its side.
double rb_bedding_length(double thickness) {
    return 8 / TWO_OVER_ROOT_PI * thickness;
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
    bool needed = l->form == RB_VOLUME_POTENTIAL;
    RB_TRY(must_be(needed ? l->length > 0 : l->length >= 0, "length", l->length,
                   needed ? "positive" : "zero or positive", name, at, diag));
    RB_TRY(must_be(l->restitution >= 0 && l->restitution <= 1, "restitution", l->restitution,
                   "from 0 to 1", name, at, diag));
    RB_TRY(must_be(l->load_ratio >= 1 && l->load_ratio <= 1e8, "load ratio", l->load_ratio,
                   "from 1 to 1e8", name, at, diag));
    RB_TRY(must_be(l->damping >= 0, "damping", l->damping, "zero or positive", name, at, diag));
    RB_TRY(must_be(l->slip_speed > 0, "slip speed", l->slip_speed, "positive", name, at, diag));
    RB_TRY(must_be(l->mu_kinetic >= 0, "kinetic friction", l->mu_kinetic, "zero or positive", name,
                   at, diag));
    RB_TRY(must_be(l->spin >= 0, "spin damping", l->spin, "zero or positive", name, at, diag));
    return must_be(l->mu_static >= l->mu_kinetic, "static friction", l->mu_static,
                   "at least the kinetic one", name, at, diag);
}

void rb_volume_law_prepare(RbVolumeLaw *l) {
    l->dissipation = rb_restitution_settling(l->restitution, l->v_small, l->load_ratio);
}

// mu(x) = (2 mu_s* - mu_k) x²/(x⁴ + 1) + mu_k - mu_k/(x² + 1), mu_s* = mu_s (1 - 0.09 (mu_k/mu_s)⁴):
// its largest value is mu_s.
double rb_volume_friction(const RbVolumeLaw *l, double speed) {
    if (!(l->mu_static > 0)) return 0;
    if (l->sticks) {
        double y = speed / l->slip_speed;
        return l->mu_kinetic + (l->mu_static - l->mu_kinetic) / (1 + y * y);
    }
    double ratio = l->mu_kinetic / l->mu_static, r2 = ratio * ratio;
    double top = l->mu_static * (1 - 0.09 * r2 * r2), x = speed / l->slip_speed, x2 = x * x;
    return (2 * top - l->mu_kinetic) * x2 / (x2 * x2 + 1) + l->mu_kinetic * x2 / (x2 + 1);
}

// [N/m³] Per depth and area; of a round body, whose points have forces per modulus already, that modulus. [Pa]
static double bedding(const RbVolumeLaw *l, const RbMeshOverlap *o) {
    return rb_overlap_presses_round(o) ? l->modulus : l->modulus / l->length;
}

static double bedding_force(const RbVolumeLaw *l, const RbMeshOverlap *o, int region) {
    double sum = 0;
    for (int i = 0; i < o->points.count; i++) {
        if (o->points.data[i].region == region) sum += o->points.data[i].volume;
    }
    return bedding(l, o) * sum;
}

static double area_force(const RbVolumeLaw *l, const RbMeshOverlap *o, double volume) {
    return TWO_OVER_ROOT_PI * l->modulus * volume / sqrt(o->area);
}

// [N] Elastic force of a region.
static double elastic(const RbVolumeLaw *l, const RbMeshOverlap *o, int region) {
    const RbOverlapRegion *r = &o->regions.data[region];
    if (!(r->volume > 0) || !(o->area > 0)) return 0;
    switch (l->form) {
        case RB_VOLUME_AREA: return area_force(l, o, r->volume);
        case RB_VOLUME_DEPTH:
            return TWO_OVER_ROOT_PI * 2 / 3 * l->modulus * sqrt(r->volume * (r->high - r->low));
        case RB_VOLUME_POTENTIAL:
            return l->modulus * o->volume / (l->length * l->length * l->length) *
                   v3_norm(r->area_a);
        case RB_VOLUME_BEDDING: return bedding_force(l, o, region);
    }
    return 0;
}

double rb_volume_pressure(const RbVolumeLaw *l, const RbMeshOverlap *o, int region) {
    const RbOverlapRegion *r = &o->regions.data[region];
    double s = v3_norm(r->area_a);
    return s > 0 ? elastic(l, o, region) / s : 0;
}

bool rb_volume_has_potential(const RbVolumeLaw *l) {
    return l->form == RB_VOLUME_POTENTIAL || l->form == RB_VOLUME_BEDDING;
}

static double potential(const RbVolumeLaw *l, const RbMeshOverlap *o) {
    return 0.5 * l->modulus * o->volume * o->volume / (l->length * l->length * l->length);
}

static double of_flat_patch(double force, const RbMeshOverlap *o) {
    return o->area > 0 ? 0.5 * force * o->volume / o->area : 0;
}

double rb_volume_energy(const RbVolumeLaw *l, const RbMeshOverlap *o) {
    if (l->form == RB_VOLUME_POTENTIAL) return potential(l, o);
    if (l->form == RB_VOLUME_BEDDING)
        return bedding(l, o) * (rb_overlap_has_layers(o) ? rb_layer_stored(o) : o->stored);
    double force = 0;
    for (int i = 0; i < o->regions.count; i++) force += elastic(l, o, i);
    return of_flat_patch(force, o);
}

double rb_volume_depth(const RbVolumeLaw *l, double load, double area) {
    if (l->form == RB_VOLUME_POTENTIAL)
        return load * l->length * l->length * l->length / (l->modulus * area * area);
    if (l->form == RB_VOLUME_BEDDING && l->length > 0)
        return load * l->length / (l->modulus * area);
    return load / (TWO_OVER_ROOT_PI * l->modulus * sqrt(area));
}

// ---- the patches as points with elastic forces ----

// Damping and friction are along its way and across it, with the speed of a point; without one along n, with that of x.
typedef struct Place {
    Vec3 x, n;
    const RbOverlapPoint *point;
} Place;

// A polygon under a uniform pressure; the force on B is along the outward normal of A's polygons, against that of its own.
typedef struct Sheet {
    const RbMeshOverlap *overlap;
    const RbOverlapPolygon *polygon;
    Vec3 n;
    double pressure; // [Pa] negative of B's, whose loops run around n the other way
} Sheet;

// A force [N] along the normal on B at a place; all of a polygon.
typedef struct Visit {
    void (*place)(void *user, const Place *place, double force);
    void (*sheet)(void *user, const Sheet *sheet);
    void *user;
} Visit;

static void visit_place(Vec3 x, Vec3 n, double force, const Visit *visit) {
    visit->place(visit->user, &(Place){x, n, NULL}, force);
}

static void visit_point(const RbOverlapPoint *p, double force, const Visit *visit) {
    visit->place(visit->user, &(Place){p->x, p->n, p}, force);
}

// Unlike fmax and fmin no call; of what is no number the other.
static double more(double than, double x) {
    return x > than ? x : than;
}

static double less(double than, double x) {
    return x < than ? x : than;
}

static void visit_polygon(const RbMeshOverlap *o, const RbOverlapPolygon *p, double pressure,
                          const Visit *visit) {
    const int *v = o->cut.side[p->side].skin->mesh.triangles[p->triangle].v;
    const Vec3 *y = o->cut.side[p->side].shown;
    Vec3 n = v3_unit(v3_cross(v3_sub(y[v[1]], y[v[0]]), v3_sub(y[v[2]], y[v[0]])));
    double sign = p->side ? -1 : 1;
    visit->sheet(visit->user, &(Sheet){o, p, v3_scale(sign, n), sign * pressure});
}

// A fan about the centroid; a hole counts with negative areas. The k-th corner of the loop from there, and the one before the first.
static Vec3 spoke(const Sheet *s, int k) {
    const RbMeshCut *cut = &s->overlap->cut;
    const RbCutLoop *l = &cut->loops.data[s->polygon->loop];
    int at = k < 0 ? l->count - 1 : k;
    return v3_sub(rb_cut_point(cut, s->polygon->side, cut->nodes.data[l->first + at]),
                  s->polygon->centroid);
}

static int spokes(const Sheet *s) {
    return s->overlap->cut.loops.data[s->polygon->loop].count;
}

// [N] On the triangle of two of them.
static double force_between(const Sheet *s, Vec3 b, Vec3 c) {
    return 0.5 * s->pressure * v3_dot(s->n, v3_cross(b, c));
}

// How much more than the other one a surface counts if both are flat: that of the smaller solid, whose polygons are finer (a disc on a floor).
static double finer(const RbMeshOverlap *o, int side) {
    double ratio = o->cut.side[1 - side].skin->size / o->cut.side[side].skin->size;
    return fmin(30, fmax(1, ratio * ratio * ratio * ratio));
}

// Both surfaces carry the same elastic force and torque, since a uniform pressure on a closed surface has
// none. Damping and friction belong to the flatter one: the flanks of an edge that slides over a face are no places where bodies approach
// each other.
static void find_shares(const RbMeshOverlap *o, const RbOverlapRegion *r, double out[2]) {
    double s = v3_norm(r->area_a), flat[2], sum = 0;
    for (int k = 0; k < 2; k++) {
        double f = s / fmax(s, r->area[k]), f2 = f * f, f4 = f2 * f2, f8 = f4 * f4;
        flat[k] = f8 * f8 * f8 * f8;
    }
    double both = flat[0] * flat[0] * flat[1] * flat[1];
    for (int k = 0; k < 2; k++) sum += out[k] = flat[k] * (1 + both * (finer(o, k) - 1));
    for (int k = 0; k < 2; k++) out[k] = sum > 0 ? out[k] / sum : 0.5;
}

// Of a bedding: everywhere as deep as it is there, whatever region it belongs to.
static void visit_points(const RbVolumeLaw *law, const RbMeshOverlap *o, int region,
                         const Visit *visit) {
    for (int i = 0; i < o->points.count; i++) {
        const RbOverlapPoint *p = &o->points.data[i];
        if (p->region == region) visit_point(p, bedding(law, o) * p->volume, visit);
    }
}

static void visit_region(const RbVolumeLaw *law, const RbMeshOverlap *o, int region,
                         const Visit *visit) {
    const RbOverlapRegion *r = &o->regions.data[region];
    if (law->form == RB_VOLUME_BEDDING) {
        visit_points(law, o, region, visit);
        return;
    }
    double normal = elastic(law, o, region), area = v3_norm(r->area_a);
    if (!(normal > 0) || !(area > 0)) return;
    if (!law->tractions && law->form != RB_VOLUME_POTENTIAL) {
        Vec3 n = v3_scale(1 / area, r->area_a);
        visit_place(r->centroid, n, normal, visit);
        return;
    }
    for (int i = 0; i < o->points.count; i++) {
        const RbOverlapPoint *p = &o->points.data[i];
        if (p->region != region) continue;
        double part =
            law->form == RB_VOLUME_AREA ? area_force(law, o, p->volume) : p->area * normal / area;
        visit_point(p, part, visit);
    }
    if (rb_overlap_is_round(o)) return; // which has no polygons
    double shares[2];
    find_shares(o, r, shares);
    for (int i = 0; i < o->polygons.count; i++) {
        const RbOverlapPolygon *p = &o->polygons.data[i];
        if (p->region == region && shares[p->side] > 1e-12)
            visit_polygon(o, p, shares[p->side] * normal / area, visit);
    }
}

// ---- the pair as a whole ----

static Vec3 velocity_at(const RbVolumeMotion *m, Vec3 x) {
    return v3_add(m->v, v3_cross(m->w, x));
}

// A cylinder that rolls is not pressed in front and released behind.
Motion rb_volume_surface_motion(const RbVolumeMotion *m) {
    Vec3 turn = v3_scale(v3_dot(m->w, m->axis.share), m->axis.direction);
    return (Motion){v3_sub(m->w, turn), v3_add(m->v, v3_cross(turn, m->axis.point))};
}

static Vec3 surface_velocity(const RbVolumeState *s, Vec3 x) {
    return v3_add(s->surface.v, v3_cross(s->surface.w, x));
}

// A polygon that faces the way of its region by no more than rounding.
#define EDGE_ON 1e-12

// What of the force at a place presses along the way on which B leaves there, or where that is not known along the normal of the region. Walls of a body
// that has sunk into another press against each other alone: they are neither damped nor rubbed. What is pressed against that way, where a tip overhangs, takes from the rest.
static double facing(const RbVolumeState *s, Vec3 region_n, Vec3 n, Vec3 way) {
    bool known = rb_overlap_is_round(s->overlap) || rb_overlap_has_layers(s->overlap);
    return known ? v3_dot(way, n) : more(0, v3_dot(region_n, n));
}

// [m/s] How fast B leaves at a place, where its surface has the velocity u.
static double leaving(const RbVolumeState *s, const Place *p, Vec3 u) {
    if (!p->point) return v3_dot(u, p->n);
    return v3_dot(surface_velocity(s, p->point->at), p->point->way);
}

// Sums weighed with the elastic force along the normals; places from `origin`.
typedef struct Means {
    const RbVolumeState *state;
    Vec3 origin;
    Vec3 n; // of the region
    double force;
    Vec3 place;
    Vec3 way;
    Sym3 ways; // of the ways with themselves
    double distance2;
    double rate, rate2; // of approach
    Vec3 slip, spin;
} Means;

static void add_to_means(void *user, const Place *p, double force) {
    Means *s = user;
    const RbVolumeMotion *motion = &s->state->motion;
    Vec3 v = velocity_at(motion, p->x), y = v3_sub(p->x, s->origin);
    Vec3 way = p->point ? p->point->way : p->n;
    force *= facing(s->state, s->n, p->n, way);
    double away = leaving(s->state, p, s->state->revolves ? surface_velocity(s->state, p->x) : v);
    s->force += force;
    s->place = v3_axpy(s->place, force, y);
    s->way = v3_axpy(s->way, force, way);
    s->ways = s3_minus_outer(s->ways, -force, way);
    s->distance2 += force * v3_norm2(y);
    s->rate -= force * away;
    s->rate2 += force * away * away;
    s->slip = v3_axpy(s->slip, force, v3_axpy(v, -v3_dot(v, way), way));
    s->spin = v3_axpy(s->spin, force * v3_dot(motion->w, way), way);
}

// The integrals of a polygon up to the second order in y from its centroid, for what moves as a rigid body: sums over the three corners of each
// triangle of a fan are exact. What does not face the way of the region adds nothing.
static void add_sheet_to_means(void *user, const Sheet *p) {
    Means *s = user;
    double part = facing(s->state, s->n, p->n, p->n), force = 0;
    if (part <= EDGE_ON) return;
    Vec3 first = V3_ZERO, b = spoke(p, -1);
    Sym3 second = {0};
    for (int k = 0, count = spokes(p); k < count; k++) {
        Vec3 c = spoke(p, k), bc = v3_add(b, c);
        double f = force_between(p, b, c);
        force += f;
        first = v3_axpy(first, f / 3, bc);
        second = s3_minus_outer(second, -f / 12, b);
        second = s3_minus_outer(second, -f / 12, c);
        second = s3_minus_outer(second, -f / 12, bc);
        b = c;
    }
    const RbVolumeMotion *motion = &s->state->motion;
    Vec3 x = p->polygon->centroid, y = v3_sub(x, s->origin), v = velocity_at(motion, x);
    Vec3 grows = v3_cross(p->n, s->state->surface.w); // how fast B leaves, by y
    double away = v3_dot(surface_velocity(s->state, x), p->n), along = v3_dot(grows, first);
    Vec3 moved = v3_add(v3_scale(force, v), v3_cross(motion->w, first));
    s->force += part * force;
    s->place = v3_axpy(s->place, part, v3_axpy(first, force, y));
    s->distance2 +=
        part * (force * v3_norm2(y) + 2 * v3_dot(y, first) + second.xx + second.yy + second.zz);
    s->rate -= part * (force * away + along);
    s->rate2 +=
        part * (force * away * away + 2 * away * along + v3_dot(grows, s3_mul_vec(second, grows)));
    s->slip = v3_axpy(s->slip, part, v3_axpy(moved, -v3_dot(moved, p->n), p->n));
    s->spin = v3_axpy(s->spin, part * force * v3_dot(motion->w, p->n), p->n);
    s->way = v3_axpy(s->way, part * force, p->n);
    s->ways = s3_minus_outer(s->ways, -part * force, p->n);
}

// A blow along the mean f of all ways, which may differ from it (in a groove, or where edges cross): places leave with a part of its speed, and
// press with more than it takes. 1 if all go one way. Where ways cancel (a pin in its hole) no direction is singled out, and these are 1 too, without a jump.
typedef struct Blow {
    double speed;  // what mean of a place over the whole has
    double square; // the square of the whole over the mean of squares
} Blow;

static Blow find_blow(const Means *sum) {
    Vec3 f = v3_scale(1 / sum->force, sum->way);
    double f2 = v3_norm2(f), left = more(0, 1 - f2), l2 = left * left, l4 = l2 * l2, none = l4 * l4;
    double square = v3_dot(f, s3_mul_vec(sum->ways, f)) / sum->force;
    return (Blow){sqrt(f2 + none), (f2 + none) / (square + none)};
}

// [J] By a flat patch of this volume and area; of a bedding by what lies below its faces, since damping would not pay for more.
static double find_stored(const RbVolumeState *s) {
    const RbMeshOverlap *o = s->overlap;
    if (s->law->form == RB_VOLUME_BEDDING) return bedding(s->law, o) * o->stored;
    if (s->law->form == RB_VOLUME_POTENTIAL) return potential(s->law, o);
    return of_flat_patch(s->normal, o);
}

// The speed of the blow that the pair is in, and what damping makes of it (contact-law.md, section 2).
static void find_damping(RbVolumeState *s, double rate, double rate2, Blow blow) {
    const RbVolumeLaw *l = s->law;
    if (l->damping > 0) {
        s->linear = l->damping;
        return;
    }
    if (!(s->motion.mass > 0) || !(l->dissipation.a > 0)) return;
    double U = find_stored(s), a, b;
    double v = sqrt(fmax(0, blow.square * rate2) + 2 * U / s->motion.mass);
    if (!(v > 0)) return;
    rb_dissipation_at(&l->dissipation, v, &a, &b);
    double c = less(1, more(-1, rate / (blow.speed * v)));
    s->linear = a * blow.square * blow.speed / v;
    s->even = rb_stop_part(b, c) + l->dissipation.dry * rb_dry_part(&l->dissipation, c);
}

RbVolumeState rb_volume_state(const RbVolumeLaw *law, const RbMeshOverlap *o,
                              const RbVolumeMotion *motion) {
    RbVolumeState s = {.law = law,
                       .overlap = o,
                       .motion = *motion,
                       .surface = rb_volume_surface_motion(motion),
                       .revolves = v3_norm2(motion->axis.direction) > 0};
    if (o->regions.count == 0) return s;
    if (law->damping > 0 && !law->sticks) { // nothing depends on the means
        s.linear = law->damping;
        return s;
    }
    Means sum = {.state = &s, .origin = o->regions.data[0].centroid};
    for (int r = 0; r < o->regions.count; r++) {
        sum.n = v3_unit(o->regions.data[r].area_a);
        visit_region(law, o, r, &(Visit){add_to_means, add_sheet_to_means, &sum});
    }
    if (!(sum.force > 0)) return s;
    double part = 1 / sum.force;
    Vec3 place = v3_scale(part, sum.place);
    s.normal = sum.force;
    s.depth = 2 * find_stored(&s) / s.normal;
    s.centre = v3_add(sum.origin, place);
    s.radius = sqrt(fmax(0, part * sum.distance2 - v3_norm2(place)));
    s.slip = v3_scale(part, sum.slip);
    s.spin = v3_scale(part, sum.spin);
    find_damping(&s, part * sum.rate, part * sum.rate2, find_blow(&sum));
    return s;
}

// 1 from x = 1 on, 0 below 0, smooth in between.
static double rise(double x) {
    double y = x < 0 ? 0 : x > 1 ? 1 : x;
    return y * y * (3 - 2 * y);
}

// As rb_contact_bristle_rate, for a slide and a twist together: the norm is how far points of the patch
// have been carried along. Without a force it fades.
void rb_volume_bristle(const RbVolumeState *s, Vec3 *slide_rate, Vec3 *twist_rate) {
    const double elastic_part = 0.7;
    Vec3 slide = s->motion.slide, twist = s->motion.twist;
    if (!(s->normal > 0)) {
        *slide_rate = v3_scale(-RB_VOLUME_FADING, slide);
        *twist_rate = v3_scale(-RB_VOLUME_FADING, twist);
        return;
    }
    // At first touch rounding decides which faces carry a force, and so which way they slip: a bristle is taken
    // along once there is a depth worth the name.
    const double rounding = 1e-10;
    double L = s->law->bristle_length, r2 = s->radius * s->radius;
    double held = s->depth / (s->depth + rounding * s->overlap->cut.side[0].skin->size);
    Vec3 slip = v3_scale(held, s->slip), spin = v3_scale(held, s->spin);
    double length = sqrt(v3_norm2(slide) + r2 * v3_norm2(twist));
    double along = v3_dot(slide, slip) + r2 * v3_dot(twist, spin);
    double yield =
        rise((length / L - elastic_part) / (1 - elastic_part)) * fmax(0, along) / (L * L);
    Vec3 turn = v3_scale(0.5, s->motion.w); // the patch turns with the mean of both bodies
    *slide_rate = v3_add(v3_axpy(slip, -yield, slide), v3_cross(turn, slide));
    *twist_rate = v3_add(v3_axpy(spin, -yield, twist), v3_cross(turn, twist));
}

// ---- forces ----

typedef struct Sum {
    const RbVolumeState *s;
    Vec3 n;       // of the region
    double about; // [N m] torque of all but friction about the axis of a body of revolution
    RbVolumeForce out;
} Sum;

// On B per unit of pressure.
static Vec3 friction_at(const RbVolumeState *s, Vec3 x, Vec3 n, Vec3 slip) {
    const RbVolumeLaw *l = s->law;
    double speed = v3_norm(slip);
    if (!l->sticks)
        return speed > 0 ? v3_scale(-rb_volume_friction(l, speed) / speed, slip) : V3_ZERO;
    Vec3 b = v3_add(s->motion.slide, v3_cross(s->motion.twist, v3_sub(x, s->centre)));
    b = v3_axpy(b, -v3_dot(b, n), n);
    Vec3 u = v3_scale(1 / l->bristle_length, v3_axpy(b, l->bristle_time, slip));
    return v3_scale(-rb_volume_friction(l, speed) / more(1, v3_norm(u)), u);
}

// Elastic force of size `normal` along n on B at x, with damping and friction of the part that faces the way.
static void add_part(Sum *sum, const Place *p, Vec3 way, double normal, double part) {
    const RbVolumeState *s = sum->s;
    Vec3 x = p->x, n = p->n, v = velocity_at(&s->motion, x);
    Vec3 u = s->revolves ? surface_velocity(s, x) : v;
    double away = leaving(s, p, u);
    double factor = more(0, 1 - s->linear * away + s->even);
    double pressed = normal * part, added = (factor - 1) * pressed;
    Vec3 slip = v3_axpy(v, -v3_dot(v, way), way), rub = V3_ZERO;
    if (pressed != 0) rub = v3_scale(factor * pressed, friction_at(s, x, way, slip));
    Vec3 f = v3_axpy(v3_axpy(rub, normal, n), added, way), pressing = v3_sub(f, rub);
    const RbVolumeAxis *axis = &s->motion.axis;
    sum->out.force = v3_add(sum->out.force, f);
    sum->out.torque = v3_add(sum->out.torque, v3_cross(x, f));
    if (s->revolves)
        sum->about += v3_dot(axis->direction, v3_cross(v3_sub(x, axis->point), pressing));
    sum->out.normal_force += v3_dot(pressing, sum->n);
    sum->out.elastic += normal * v3_dot(u, n);
    sum->out.damping -= added * away;
    sum->out.friction -= v3_dot(rub, slip);
}

static void add_place(void *user, const Place *p, double normal) {
    Sum *sum = user;
    Vec3 way = p->point ? p->point->way : p->n;
    add_part(sum, p, way, normal, facing(sum->s, sum->n, p->n, way));
}

// Three points inside each triangle of the fan, degree two: exact for elastic forces, torques and damping; friction that
// turns its direction within a patch is taken from as many directions as the fan has triangles. What is neither damped nor rubbed is a force at
// the centroid.
static void add_sheet(void *user, const Sheet *p) {
    Sum *sum = user;
    Vec3 n = p->n, x = p->polygon->centroid;
    double part = facing(sum->s, sum->n, n, n);
    if (part <= EDGE_ON) {
        double force = p->pressure * v3_dot(n, p->polygon->area);
        add_part(sum, &(Place){x, n, NULL}, n, force, 0);
        return;
    }
    Vec3 b = spoke(p, -1);
    for (int k = 0, count = spokes(p); k < count; k++) {
        Vec3 c = spoke(p, k), inner = v3_axpy(x, 1.0 / 6, v3_add(b, c));
        double third = force_between(p, b, c) / 3;
        add_part(sum, &(Place){inner, n, NULL}, n, third, part);
        add_part(sum, &(Place){v3_axpy(inner, 0.5, b), n, NULL}, n, third, part);
        add_part(sum, &(Place){v3_axpy(inner, 0.5, c), n, NULL}, n, third, part);
        b = c;
    }
}

RbVolumeForce rb_volume_force(const RbVolumeState *s, int region) {
    const RbOverlapRegion *r = &s->overlap->regions.data[region];
    Sum sum = {.s = s, .n = v3_unit(r->area_a), .out = {.point = r->centroid}};
    visit_region(s->law, s->overlap, region, &(Visit){add_place, add_sheet, &sum});
    // What presses moves with the surface: its power is the same on the body if the torque about the axis, which a polygon has and a round body cannot have,
    // goes where the surface does not turn along.
    sum.out.torque = v3_axpy(sum.out.torque, -sum.about, s->motion.axis.share);
    sum.out.normal_force =
        more(0, sum.out.normal_force); // where damping leaves nothing of it: rounding
    if (s->law->tractions || s->law->form >= RB_VOLUME_POTENTIAL) return sum.out;
    double spin = v3_dot(s->motion.w, sum.n);
    double t = s->law->spin * sum.out.normal_force * v3_norm(r->area_a) * spin;
    sum.out.torque = v3_axpy(sum.out.torque, -t, sum.n);
    sum.out.friction += t * spin;
    return sum.out;
}
