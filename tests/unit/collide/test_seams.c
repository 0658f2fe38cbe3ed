// SPDX-License-Identifier: MIT
// Rounded parts of one body: where they meet face to face there is neither bump nor groove. A point outside is as far from the parts as from the body that was
// divided.
#include "testing.h"

#include "collide/point.h"
#include "geom/shape.h"
#include "geom/support.h"
#include "math/rng.h"

enum { MOST_POINTS = 40, MOST_PARTS = 8 };

typedef struct Points {
    Vec3 p[MOST_POINTS];
    int count;
} Points;

static RbShape shape_of(Fixture *f, const Points *parts, int count, double smoothing) {
    RbMesh meshes[MOST_PARTS];
    for (int i = 0; i < count; i++)
        meshes[i] = (RbMesh){.vertices = parts[i].p, .vertex_count = parts[i].count};
    RbShape shape;
    ENSURE(rb_shape_mesh(meshes, count, NULL, "parts", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                         &shape) == RB_OK);
    shape.smoothing = smoothing;
    ENSURE(rb_shape_round(&shape, &f->arena, f->scratch) == RB_OK);
    return shape;
}

static double distance_from(const RbShape *s, Vec3 p) {
    double least = INFINITY;
    Vec3 n;
    for (int i = 0; i < s->part_count; i++) {
        const RbCore *c = &s->rounded[i];
        least = fmin(least, rb_core_point(c, v3_sub(p, c->frame.r), &n) - c->radius);
    }
    return least;
}

static Points block(Vec3 low, Vec3 high) {
    Points b = {.count = 8};
    for (int i = 0; i < 8; i++)
        b.p[i] = v3(i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z);
    return b;
}

// What of a convex body is on either side of a plane.
static void cut(const Points *body, Vec3 n, double offset, Points out[2]) {
    out[0].count = out[1].count = 0;
    for (int i = 0; i < body->count; i++) {
        double di = v3_dot(n, body->p[i]) - offset;
        Points *side = &out[di > 0];
        side->p[side->count++] = body->p[i];
        for (int k = 0; k < i; k++) { // not only edges: what is inside of the hull does no harm
            double dk = v3_dot(n, body->p[k]) - offset;
            if ((di > 0) == (dk > 0)) continue;
            Vec3 x = v3_lerp(body->p[i], body->p[k], di / (di - dk));
            for (int j = 0; j < 2; j++) out[j].p[out[j].count++] = x;
        }
    }
}

// Points near the surface of the whole.
static void compare(const RbShape *parts, const RbShape *whole, int count, double reach, RbRng *rng,
                    double tol) {
    for (int k = 0; k < count; k++) {
        Vec3 p = v3_axpy(rb_support(&whole->rounded[0], rb_rng_direction(rng)),
                         rb_rng_range(rng, 0, reach), rb_rng_direction(rng));
        double want = distance_from(whole, p);
        if (want > 0) ENSURE_NEAR(distance_from(parts, p), want, tol);
    }
}

static void halves_of_a_convex_body_are_flush(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(1);
    int compared = 0;
    for (int i = 0; i < 400; i++) {
        Points body = {.count = 4 + rb_rng_int(&rng, 5)}, half[2];
        for (int k = 0; k < body.count; k++) body.p[k] = v3_scale(0.1, rb_rng_direction(&rng));
        cut(&body, rb_rng_direction(&rng), rb_rng_range(&rng, -0.02, 0.02), half);
        if (half[0].count < 4 || half[1].count < 4) continue;
        RbShape whole = shape_of(&f, &body, 1, 1e-4), parts = shape_of(&f, half, 2, 1e-4);
        // a thin half has edges of its own
        if (parts.rounded[0].radius < 1e-4 || parts.rounded[1].radius < 1e-4) continue;
        compare(&parts, &whole, 200, 3e-4, &rng, 1e-13);
        compared++;
    }
    ENSURE(compared > 200);
    fixture_close(&f);
}

// A plate of bricks, in rows that are shifted against each other: sides lie on two others each.
static void bricks_are_flush(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(2);
    Points bricks[7], plate = block(V3_ZERO, v3(0.2, 0.1, 0.02));
    int n = 0;
    for (int row = 0; row < 2; row++)
        for (int k = 0; k < 2 + row; k++) {
            double low = row ? fmax(0, 0.1 * k - 0.05) : 0.1 * k,
                   high = row ? fmin(0.2, 0.1 * k + 0.05) : 0.1 * (k + 1);
            bricks[n++] = block(v3(low, 0.05 * row, 0), v3(high, 0.05 * (row + 1), 0.02));
        }
    RbShape whole = shape_of(&f, &plate, 1, 1e-3), parts = shape_of(&f, bricks, n, 1e-3);
    for (int k = 0; k < 20000; k++) {
        Vec3 p = v3(rb_rng_range(&rng, -0.002, 0.202), rb_rng_range(&rng, -0.002, 0.102),
                    rb_rng_range(&rng, 0.019, 0.023));
        double want = distance_from(&whole, p);
        if (want > 0) ENSURE_NEAR(distance_from(&parts, p), want, 1e-14);
    }
    fixture_close(&f);
}

// An upright on a larger foot: the common face is a part of that of the foot alone. The three sides that both share are even, and the inner corner is sharp.
static void an_upright_on_a_foot_is_flush(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    Points parts[2] = {block(V3_ZERO, v3(0.2, 0.1, 0.05)),
                       block(v3(0, 0, 0.05), v3(0.1, 0.1, 0.2))};
    Points sides = block(V3_ZERO, v3(0.1, 0.1, 0.2)); // the even ones
    RbShape angle = shape_of(&f, parts, 2, 1e-3), upright = shape_of(&f, &sides, 1, 1e-3);
    for (int k = 0; k < 20000; k++) {
        Vec3 beside = v3(rb_rng_range(&rng, -0.003, 0.05), rb_rng_range(&rng, -0.003, 0.103),
                         rb_rng_range(&rng, 0.03, 0.07));
        double want = distance_from(&upright, beside);
        if (want > 0) ENSURE_NEAR(distance_from(&angle, beside), want, 1e-14);
        Vec3 corner =
            v3(0.1 + rb_rng_range(&rng, 0, 0.01), 0.05, 0.05 + rb_rng_range(&rng, 0, 0.01));
        ENSURE_NEAR(distance_from(&angle, corner), fmin(corner.x - 0.1, corner.z - 0.05), 1e-14);
    }
    fixture_close(&f);
}

// A thin plate flush with a thick one, with a rounding that it allows itself but not the thin one: a ball that rolls over sees one plane.
static void thin_and_thick_are_flush(void **state) {
    (void)state;
    static const double thin[] = {0.06, 0.02, 0.004, 0.001, 1e-4};
    for (int i = 0; i < 5; i++) {
        Fixture f;
        fixture_open(&f);
        Points parts[2] = {block(v3(-0.3, -0.2, -0.06), v3(0.1, 0.2, 0)),
                           block(v3(0.1, -0.2, -thin[i]), v3(0.5, 0.2, 0))};
        RbShape shape = shape_of(&f, parts, 2, 0.004);
        for (double x = 0.05; x < 0.15; x += 1e-4)
            ENSURE_NEAR(distance_from(&shape, v3(x, 0.01, 1e-3)), 1e-3, 1e-13);
        fixture_close(&f);
    }
}

// Whatever the parts are, rounding adds nothing.
static void nothing_is_added(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(4);
    for (int i = 0; i < 1000; i++) {
        Points body = {.count = 6}, half[2], quarter[4];
        for (int k = 0; k < body.count; k++) body.p[k] = v3_scale(0.1, rb_rng_direction(&rng));
        cut(&body, rb_rng_direction(&rng), 0, half);
        if (half[0].count < 4 || half[1].count < 4 || half[0].count > 10 || half[1].count > 10)
            continue;
        cut(&half[0], rb_rng_direction(&rng), 0, quarter);
        cut(&half[1], rb_rng_direction(&rng), 0, quarter + 2);
        bool empty = false;
        for (int k = 0; k < 4; k++) empty |= quarter[k].count < 4;
        if (empty) continue;
        int left_out = rb_rng_int(&rng, 4); // of a body that is not convex
        quarter[left_out] = quarter[3];
        RbShape parts = shape_of(&f, quarter, 3, 1e-3);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 200; j++) {
                Vec3 p = rb_support(&parts.rounded[k], rb_rng_direction(&rng)), n;
                double least = INFINITY;
                for (int m = 0; m < 3; m++)
                    least = fmin(least, rb_core_point(&parts.parts[m],
                                                      v3_sub(p, parts.parts[m].frame.r), &n));
                ENSURE(least < 1e-10);
            }
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_of_a_convex_body_are_flush),
        cmocka_unit_test(bricks_are_flush),
        cmocka_unit_test(an_upright_on_a_foot_is_flush),
        cmocka_unit_test(thin_and_thick_are_flush),
        cmocka_unit_test(nothing_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
