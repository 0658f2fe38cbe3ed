// SPDX-License-Identifier: MIT
// label: fast
// A solid that spins on a flat face is rubbed with mu N times the mean distance of the face from the axis, whatever its outline and however it lies on
// the axes of either solid. The mean of an outline is known in closed form, side by side:
//     ∫|r| over the triangle from the centre to a side at distance d, from t1 d to t2 d along it = d³/6 [t √(1 + t²) + asinh t] from t1 to t2.
#include "testing.h"

#include "contact/volume_law.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"

#define DEPTH 1e-6 // [m]
#define PI    3.14159265358979323846

typedef struct Point {
    double x, y;
} Point;

enum { MOST = 48 };

// Counter-clockwise; a hole has the factor -1.
typedef struct Outline {
    Point points[MOST];
    int count;
    double factor;
} Outline;

// Of ∫1 and ∫|r|.
typedef struct Integral {
    double area, distance;
} Integral;

static double along_side(double d, double way) {
    double t = way / fabs(d);
    return d * d * d / 6 * (t * sqrt(1 + t * t) + asinh(t));
}

static Integral integrate(const Outline *outlines, int count) {
    Integral sum = {0};
    for (int k = 0; k < count; k++) {
        const Outline *o = &outlines[k];
        for (int i = 0; i < o->count; i++) {
            Point a = o->points[i], b = o->points[(i + 1) % o->count];
            double l = hypot(b.x - a.x, b.y - a.y), ux = (b.x - a.x) / l, uy = (b.y - a.y) / l;
            double d = a.x * uy - a.y * ux; // of the side, positive if the centre is on its left
            sum.area += 0.5 * o->factor * d * l;
            if (fabs(d) < 1e-12) continue;
            sum.distance += o->factor * (along_side(d, b.x * ux + b.y * uy) -
                                         along_side(d, a.x * ux + a.y * uy));
        }
    }
    return sum;
}

static Outline rectangle(double x, double a, double b, double factor) {
    return (Outline){
        {{x - a / 2, -b / 2}, {x + a / 2, -b / 2}, {x + a / 2, b / 2}, {x - a / 2, b / 2}},
        4,
        factor};
}

static Outline regular(double radius, int count, double factor) {
    Outline o = {.count = count, .factor = factor};
    for (int i = 0; i < count; i++) {
        double angle = 2 * PI * i / count;
        o.points[i] = (Point){radius * cos(angle), radius * sin(angle)};
    }
    return o;
}

// ---- solids that stand on the outlines ----

static RbMesh prism(Fixture *f, const Outline *o, double low, double high) {
    RbMesh m;
    if (o->count == 4) {
        Point a = o->points[0], c = o->points[2];
        m = rb_mesh_box(v3(c.x - a.x, c.y - a.y, high - low), &f->arena);
        return rb_mesh_map(&m, M3_IDENTITY, v3(a.x, a.y, low), &f->arena);
    }
    m = rb_mesh_cone(o->points[0].x, o->points[0].x, high - low, o->count, &f->arena);
    return rb_mesh_map(&m, M3_IDENTITY, v3(0, 0, low), &f->arena);
}

static RbMesh combined(Fixture *f, RbCsg what, RbMesh a, RbMesh b) {
    RbMesh out;
    ENSURE(rb_csg(what, &a, "a", &b, "b", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &out) ==
           RB_OK);
    return rb_mesh_simplify(&out, 1e-12, &f->arena, f->scratch);
}

// Of a second outline: a hole, or another foot, below a bar that holds both.
static RbMesh solid_on(Fixture *f, const Outline *outlines, int count) {
    const double high = 0.01;
    RbMesh m = prism(f, &outlines[0], 0, high);
    if (count == 1) return m;
    if (outlines[1].factor < 0)
        return combined(f, RB_CSG_DIFFERENCE, m, prism(f, &outlines[1], -high, 2 * high));
    m = combined(f, RB_CSG_UNION, m, prism(f, &outlines[1], 0, high));
    Outline bar = rectangle(0, 0.22, 0.02, 1);
    return combined(f, RB_CSG_UNION, m, prism(f, &bar, high, 2 * high));
}

static void open_solid(Fixture *f, RbMesh mesh, RbSkin *skin, RbLayer *layer) {
    RbMesh *kept = rb_new(&f->arena, RbMesh);
    *kept = mesh;
    ENSURE(rb_skin(kept, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag, skin) == RB_OK);
    ENSURE(rb_layer(skin, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag, layer) == RB_OK);
}

// What friction does to B over mu N: its force, and its torque about the middle of B [m].
typedef struct Rubbed {
    double force, torque;
} Rubbed;

// centre: about which B spins, in its own axes.
static Rubbed rub(RbMeshOverlap *o, double angle, Vec3 at, Vec3 centre) {
    const double mu = 0.25;
    RbVolumeLaw law = rb_volume_law();
    law.length = 0.05;
    law.mu_static = law.mu_kinetic = mu;
    law.slip_speed = 1e-7; // friction is mu at any speed
    law.sticks = false;
    law.restitution = 1;
    rb_volume_law_prepare(&law);
    Pose X = {v3_axpy(at, -DEPTH, v3_axis(2)), m3_rotation(v3_axis(2), angle)};
    RbVolumeMotion m = {.w = v3(0, 0, 20), .mass = 1};
    m.v = v3_neg(v3_cross(m.w, pose_point(X, centre)));
    ENSURE(rb_mesh_overlap(o, X));
    RbVolumeState state = rb_volume_state(&law, o, &m);
    Vec3 force = V3_ZERO, torque = V3_ZERO;
    for (int i = 0; i < o->regions.count; i++) {
        RbVolumeForce part = rb_volume_force(&state, i);
        force = v3_add(force, part.force);
        torque = v3_add(torque, part.torque);
    }
    double load = mu * force.z;
    ENSURE(load > 0);
    torque = v3_sub(torque, v3_cross(X.r, force));
    return (Rubbed){hypot(force.x, force.y) / load, -torque.z / load};
}

typedef struct Case {
    const char *name;
    Outline outlines[2];
    int count;
} Case;

typedef struct Bench {
    Fixture f;
    RbSkin skins[2];
    RbLayer layers[2];
    RbMeshOverlap overlap; // of a table and what is on it
} Bench;

static void open_bench(Bench *b, const Case *c) {
    Fixture *f = &b->f;
    fixture_open(f);
    RbMesh table = rb_mesh_box(v3(4, 2, 0.1), &f->arena);
    table = rb_mesh_map(&table, M3_IDENTITY, v3(-2, -1, -0.1), &f->arena);
    open_solid(f, table, &b->skins[0], &b->layers[0]);
    open_solid(f, solid_on(f, c->outlines, c->count), &b->skins[1], &b->layers[1]);
    rb_mesh_overlap_open(&b->overlap, &b->skins[0], &b->skins[1], &f->arena);
    rb_mesh_overlap_layers(&b->overlap, &b->layers[0], &b->layers[1]);
}

// force: the largest one.
static double worst_of(const Case *c, double *force) {
    Bench b;
    double worst = 0;
    open_bench(&b, c);
    Integral exact = integrate(c->outlines, c->count);
    for (int i = 0; i < 12; i++) {
        Rubbed r = rub(&b.overlap, 0.3 * i, v3(0.1 * i, -0.03 * i, 0), V3_ZERO);
        double off = r.torque * exact.area / exact.distance - 1;
        if (fabs(off) > fabs(worst)) worst = off;
        *force = fmax(*force, r.force);
    }
    fixture_close(&b.f);
    return worst;
}

static void outlines_are_rubbed_as_they_are(void **state) {
    (void)state;
    const Case cases[] = {
        {"disc", {regular(0.05, 48, 1)}, 1},
        {"ring 0.05/0.04", {regular(0.05, 48, 1), regular(0.04, 48, -1)}, 2},
        {"ring 0.05/0.02", {regular(0.05, 48, 1), regular(0.02, 48, -1)}, 2},
        {"triangle", {regular(0.05, 3, 1)}, 1},
        {"square", {rectangle(0, 0.1, 0.1, 1)}, 1},
        {"rectangle 2:1", {rectangle(0, 0.1, 0.05, 1)}, 1},
        {"rectangle 5:1", {rectangle(0, 0.1, 0.02, 1)}, 1},
        {"rectangle 10:1", {rectangle(0, 0.1, 0.01, 1)}, 1},
        {"rectangle 20:1", {rectangle(0, 0.2, 0.01, 1)}, 1},
        {"frame 0.1/0.06", {rectangle(0, 0.1, 0.1, 1), rectangle(0, 0.06, 0.06, -1)}, 2},
        {"two feet", {rectangle(-0.1, 0.02, 0.02, 1), rectangle(0.1, 0.02, 0.02, 1)}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double force = 0, off = worst_of(&cases[i], &force);
        print_message("%s: torque off by %+.2f %%, force %.2f %%\n", cases[i].name, 100 * off,
                      100 * force);
        ENSURE(fabs(off) < 0.005);
        ENSURE(force < 0.01); // there should be none
    }
}

// A bar that turns about its end slides the same way everywhere: its friction is mu N, in its middle.
static void bar_turns_about_its_end(void **state) {
    (void)state;
    const double length = 0.2;
    const Case bar = {"bar", {rectangle(0, length, 0.01, 1)}, 1};
    Bench b;
    open_bench(&b, &bar);
    for (int i = 0; i < 12; i++) {
        Rubbed r = rub(&b.overlap, 0.3 * i, v3(0.1 * i, 0, 0), v3(-length / 2, 0, 0));
        ENSURE_NEAR(r.force, 1, 3e-3);
        ENSURE_NEAR(r.torque / length, 0, 3e-3);
    }
    fixture_close(&b.f);
}

// The sums above against what is known otherwise.
static void means_are_right(void **state) {
    (void)state;
    Outline square = rectangle(0, 2, 2, 1);
    Integral i = integrate(&square, 1);
    ENSURE_NEAR(i.distance / i.area, (sqrt(2) + asinh(1)) / 3, 1e-14);
    Outline bar = rectangle(0, 2, 1e-4, 1);
    i = integrate(&bar, 1);
    ENSURE_NEAR(i.distance / i.area, 0.5, 1e-7);
    Outline disc = regular(1, MOST, 1);
    i = integrate(&disc, 1);
    ENSURE_NEAR(i.distance / i.area, 2.0 / 3, 0.002);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(means_are_right),
                                       cmocka_unit_test(outlines_are_rubbed_as_they_are),
                                       cmocka_unit_test(bar_turns_about_its_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
