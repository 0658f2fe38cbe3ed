// SPDX-License-Identifier: MIT
// Tables against what is known of them without this program: polynomials that a method reproduces,
// published values, continuity, monotony, the examples in the documentation of the blocks.
#include <float.h>
#include <string.h>

#include "external/interpolate.h"
#include "math/rng.h"
#include "testing.h"

static RbCurves *make(Fixture *f, const double *table, int rows, int columns, RbSmoothness s,
                      RbExtrapolation e) {
    double used[8];
    RbCurves *c = NULL;
    for (int k = 1; k < columns; k++) used[k - 1] = k + 1;
    ENSURE(rb_curves("t", (RbMatrix){rows, columns, table}, used, columns - 1, s, e, &f->arena,
                     f->scratch, &f->diag, &c) == RB_OK);
    return c;
}

static double at(const RbCurves *c, double u) {
    double d[3];
    ENSURE(rb_curves_at(c, 0, u, 0, d));
    return d[0];
}

static const RbSmoothness cubic[] = {RB_AKIMA, RB_FRITSCH_BUTLAND, RB_STEFFEN, RB_MODIFIED_AKIMA};

// y = 3 - 2 u in all methods, inside and outside.
static void straight_lines(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double table[] = {0, 3, 0.5, 2, 2, -1, 2.25, -1.5, 7, -11};
    const RbSmoothness all[] = {RB_LINEAR_SEGMENTS, RB_AKIMA, RB_FRITSCH_BUTLAND, RB_STEFFEN,
                                RB_MODIFIED_AKIMA};
    for (int s = 0; s < 5; s++) {
        RbCurves *c = make(&f, table, 5, 2, all[s], RB_LAST_TWO_POINTS);
        for (double u = -3; u <= 10; u += 0.37) {
            double d[3];
            ENSURE(rb_curves_at(c, 0, u, 0, d));
            ENSURE_NEAR(d[0], 3 - 2 * u, 1e-13);
            ENSURE_NEAR(d[1], -2, 1e-13);
            ENSURE_NEAR(d[2], 0, 1e-12);
        }
    }
    fixture_close(&f);
}

// On an even grid Akima's method reproduces every parabola, borders included: all secants then
// change by the same amount.
static void akima_reproduces_parabolas(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double table[14];
    for (int i = 0; i < 7; i++) {
        table[2 * i] = 0.5 * i;
        table[2 * i + 1] = 1 + 0.25 * i - 0.75 * i * i; // 1 + u/2 - 3 u^2
    }
    RbCurves *c = make(&f, table, 7, 2, RB_AKIMA, RB_LAST_TWO_POINTS);
    for (double u = 0; u <= 3; u += 0.06) {
        double d[3];
        ENSURE(rb_curves_at(c, 0, u, 0, d));
        ENSURE_NEAR(d[0], 1 + 0.5 * u - 3 * u * u, 1e-13);
        ENSURE_NEAR(d[1], 0.5 - 6 * u, 1e-12);
        ENSURE_NEAR(d[2], -6, 1e-11);
    }
    ENSURE_NEAR(at(c, 4), 1 + 1.5 - 27 + (0.5 - 18) * 1, 1e-12); // straight on from u = 3
    fixture_close(&f);
}

// Slopes by hand. Akima at u = 2 for y = 0, 0, 0, 1, 3, 3: secants 0, 0, 1, 2, 0; left change 0,
// right change |2 - 1| = 1: the left secant alone. Fritsch-Butland at u = 3: harmonic mean of 1 and
// 2 = 4/3. Steffen at u = 3: parabola 1.5, at most 2 min(1, 2) = 2. Modified Akima at u = 3: right
// |0 - 2| + |0 + 2|/2 = 3, left |1 - 0| + |1 + 0|/2 = 1.5: slope (3 * 1 + 1.5 * 2) / 4.5 = 4/3.
static void slopes_by_hand(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {0, 0, 0, 1, 3, 3};
    double m[6];
    RbAxis a = {x, 6, RB_AKIMA, RB_LAST_TWO_POINTS};
    rb_axis_slopes(&a, y, 1, m, f.scratch);
    ENSURE_NEAR(m[2], 0, 0);
    ENSURE_NEAR(m[3], (2.0 * 1 + 1.0 * 2) / 3, 1e-15); // changes: right |0 - 2|, left |1 - 0|
    a.smoothness = RB_FRITSCH_BUTLAND;
    rb_axis_slopes(&a, y, 1, m, f.scratch);
    ENSURE_NEAR(m[3], 4.0 / 3, 1e-15);
    ENSURE_NEAR(m[4], 0, 0); // next to a plateau
    a.smoothness = RB_STEFFEN;
    rb_axis_slopes(&a, y, 1, m, f.scratch);
    ENSURE_NEAR(m[3], 1.5, 1e-15);
    ENSURE_NEAR(m[4], 0, 0);
    a.smoothness = RB_MODIFIED_AKIMA;
    rb_axis_slopes(&a, y, 1, m, f.scratch);
    ENSURE_NEAR(m[3], 4.0 / 3, 1e-15);
    ENSURE_NEAR(m[1], 0, 0);
    fixture_close(&f);
}

// Value and derivative are continuous at the points and at both ends, and the values are hit.
static void smooth_everywhere(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(20);
    for (int round = 0; round < 40; round++) {
        double table[24], x = 0;
        for (int i = 0; i < 12; i++) {
            table[2 * i] = x;
            table[2 * i + 1] = rb_rng_range(&rng, -1, 1);
            x += rb_rng_range(&rng, 0.1, 1);
        }
        table[23] = table[1]; // so that it may be repeated
        for (int s = 0; s < 4; s++) {
            for (int e = RB_LAST_TWO_POINTS; e <= RB_PERIODIC; e++) {
                RbCurves *c = make(&f, table, 12, 2, cubic[s], (RbExtrapolation)e);
                for (int i = 0; i < 12; i++) {
                    double left[3], right[3], u = table[2 * i], h = 1e-9;
                    ENSURE(rb_curves_at(c, 0, u, -h, left) && rb_curves_at(c, 0, u, h, right));
                    ENSURE_NEAR(left[0], table[2 * i + 1], 1e-13);
                    ENSURE_NEAR(right[0], table[2 * i + 1], 1e-13);
                    ENSURE_NEAR(left[1], right[1], 1e-11);
                }
            }
        }
    }
    fixture_close(&f);
}

// Derivatives are those of the values.
static void derivatives(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double table[] = {0, 1, 1, -1, 1.5, 0.5, 3, 2, 4, 1.5};
    for (int s = 0; s < 4; s++) {
        RbCurves *c = make(&f, table, 5, 2, cubic[s], RB_LAST_TWO_POINTS);
        for (double u = 0.05; u < 4; u += 0.13) {
            double d[3], p[3], q[3], h = 1e-5;
            ENSURE(rb_curves_at(c, 0, u, 0, d) && rb_curves_at(c, 0, u - h, 0, p) &&
                   rb_curves_at(c, 0, u + h, 0, q));
            ENSURE_NEAR(d[1], (q[0] - p[0]) / (2 * h), 1e-8);
            ENSURE_NEAR(d[2], (q[1] - p[1]) / (2 * h), 1e-7);
        }
    }
    fixture_close(&f);
}

static void monotone(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(7);
    for (int round = 0; round < 50; round++) {
        double table[20], y = 0;
        for (int i = 0; i < 10; i++) {
            table[2 * i] = i * i * 0.1 + i;
            double step = rb_rng_range(&rng, -0.5, 1);
            y += step > 0 ? step * step * step : 0; // rises, sometimes not at all
            table[2 * i + 1] = y;
        }
        for (int s = RB_FRITSCH_BUTLAND; s <= RB_STEFFEN; s++) {
            RbCurves *c = make(&f, table, 10, 2, (RbSmoothness)s, RB_HOLD_LAST_POINT);
            double last = at(c, 0);
            for (double u = 0; u <= table[18]; u += 0.01) {
                ENSURE(at(c, u) >= last - 1e-14);
                last = at(c, u);
            }
        }
    }
    fixture_close(&f);
}

static void outside(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double table[] = {0, 2, 1, 4, 3, 5};
    double d[3];
    RbCurves *hold = make(&f, table, 3, 2, RB_LINEAR_SEGMENTS, RB_HOLD_LAST_POINT);
    ENSURE_NEAR(at(hold, -5), 2, 0);
    ENSURE_NEAR(at(hold, 9), 5, 0);
    ENSURE(rb_curves_at(hold, 0, 9, 0, d) && d[1] == 0);
    RbCurves *on = make(&f, table, 3, 2, RB_LINEAR_SEGMENTS, RB_LAST_TWO_POINTS);
    ENSURE_NEAR(at(on, -1), 0, 1e-15);
    ENSURE_NEAR(at(on, 5), 6, 1e-15);
    RbCurves *again = make(&f, table, 3, 2, RB_LINEAR_SEGMENTS, RB_PERIODIC);
    ENSURE_NEAR(at(again, 6.5), 3, 1e-14);
    ENSURE_NEAR(at(again, -2), 4, 1e-14);
    ENSURE_NEAR(at(again, 3), 2, 1e-14); // the next turn begins
    RbCurves *never = make(&f, table, 3, 2, RB_LINEAR_SEGMENTS, RB_NO_EXTRAPOLATION);
    ENSURE(!rb_curves_at(never, 0, 3.001, 0, d) && rb_curves_at(never, 0, 3, 0, d));
    RbCurves *steps = make(&f, table, 3, 2, RB_CONSTANT_SEGMENTS, RB_HOLD_LAST_POINT);
    ENSURE_NEAR(at(steps, 0.999), 2, 0);
    ENSURE_NEAR(at(steps, 1), 4, 0);
    ENSURE_NEAR(at(steps, 3), 5, 0);
    RbCurves *single = make(&f, table, 1, 2, RB_AKIMA, RB_LAST_TWO_POINTS);
    ENSURE_NEAR(at(single, 77), 2, 0);
    fixture_close(&f);
}

static void bad_tables(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCurves *c;
    RbSurface *s;
    const double jump[] = {0, 1, 1, 2, 1, 3, 2, 4}, falls[] = {0, 1, 2, 2, 1, 3};
    const double second = 2, fifth = 5;
    ENSURE(rb_curves("jump", (RbMatrix){4, 2, jump}, &second, 1, RB_AKIMA, RB_HOLD_LAST_POINT,
                     &f.arena, f.scratch, &f.diag, &c) != RB_OK);
    ENSURE(strstr(fixture_message(&f, 0), "strictly ascending for smooth interpolation"));
    ENSURE(rb_curves("falls", (RbMatrix){3, 2, falls}, &second, 1, RB_LINEAR_SEGMENTS,
                     RB_HOLD_LAST_POINT, &f.arena, f.scratch, &f.diag, &c) != RB_OK);
    ENSURE(strstr(fixture_message(&f, 1), "2 is followed by 1"));
    ENSURE(rb_curves("jump", (RbMatrix){4, 2, jump}, &fifth, 1, RB_LINEAR_SEGMENTS,
                     RB_HOLD_LAST_POINT, &f.arena, f.scratch, &f.diag, &c) != RB_OK);
    ENSURE(strstr(fixture_message(&f, 2), "column 5 of table 'jump'"));
    ENSURE(rb_surface("flat", (RbMatrix){1, 3, jump}, RB_LINEAR_SEGMENTS, RB_HOLD_LAST_POINT,
                      &f.arena, f.scratch, &f.diag, &s) != RB_OK);
    ENSURE(rb_surface("odd", (RbMatrix){2, 2, jump}, RB_STEFFEN, RB_HOLD_LAST_POINT, &f.arena,
                      f.scratch, &f.diag, &s) != RB_OK);
    fixture_close(&f);
}

static RbSurface *surface_of(Fixture *f, double (*z)(double, double), RbSmoothness s,
                             RbExtrapolation e) {
    double table[6 * 7] = {0};
    for (int j = 0; j < 6; j++) table[1 + j] = 0.5 * j - 1;
    for (int i = 0; i < 5; i++) {
        table[7 * (i + 1)] = i;
        for (int j = 0; j < 6; j++) table[7 * (i + 1) + 1 + j] = z(i, 0.5 * j - 1);
    }
    RbSurface *surface = NULL;
    ENSURE(rb_surface("z", (RbMatrix){6, 7, table}, s, e, &f->arena, f->scratch, &f->diag,
                      &surface) == RB_OK);
    return surface;
}

static double bilinear(double x, double y) {
    return 1 + 2 * x - y + 0.5 * x * y;
}
static double quadratic(double x, double y) {
    return 1 + x - 2 * y + 0.5 * x * x - y * y + 3 * x * y;
}

// Bilinear functions inside and outside; Akima's method also quadratic ones on even grids, with all
// derivatives.
static void surfaces(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSurface *flat = surface_of(&f, bilinear, RB_LINEAR_SEGMENTS, RB_LAST_TWO_POINTS);
    RbSurface *smooth = surface_of(&f, bilinear, RB_AKIMA, RB_LAST_TWO_POINTS);
    RbSurface *bent = surface_of(&f, quadratic, RB_AKIMA, RB_LAST_TWO_POINTS);
    RbSurfacePoint p;
    for (double x = -1; x <= 6; x += 0.3) {
        for (double y = -2; y <= 3; y += 0.3) {
            ENSURE(rb_surface_at(flat, x, y, &p));
            ENSURE_NEAR(p.z, bilinear(x, y), 1e-13);
            ENSURE(rb_surface_at(smooth, x, y, &p));
            ENSURE_NEAR(p.z, bilinear(x, y), 1e-12);
            ENSURE_NEAR(p.z12, 0.5, 1e-12);
            if (x < 0 || x > 4 || y < -1 || y > 1.5) continue;
            ENSURE(rb_surface_at(bent, x, y, &p));
            ENSURE_NEAR(p.z, quadratic(x, y), 1e-12);
            ENSURE_NEAR(p.z1, 1 + x + 3 * y, 1e-11);
            ENSURE_NEAR(p.z2, -2 - 2 * y + 3 * x, 1e-11);
            ENSURE_NEAR(p.z11, 1, 1e-10);
            ENSURE_NEAR(p.z12, 3, 1e-10);
            ENSURE_NEAR(p.z22, -2, 1e-10);
        }
    }
    fixture_close(&f);
}

static double wavy(double x, double y) {
    return sin(3 * x) * cos(2 * y) + x * y * y;
}

// The surface and its first derivatives are continuous over the lines of the grid.
static void smooth_surface(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int e = RB_LAST_TWO_POINTS; e <= RB_LAST_TWO_POINTS; e++) {
        RbSurface *s = surface_of(&f, wavy, RB_AKIMA, (RbExtrapolation)e);
        for (int i = 0; i <= 4; i++) {
            for (double y = -1.2; y < 2; y += 0.17) {
                RbSurfacePoint p, q;
                const double h = 1e-9;
                ENSURE(rb_surface_at(s, i - h, y, &p) && rb_surface_at(s, i + h, y, &q));
                ENSURE_NEAR(p.z, q.z, 1e-7);
                ENSURE_NEAR(p.z1, q.z1, 1e-6);
                ENSURE_NEAR(p.z2, q.z2, 1e-6);
            }
        }
    }
    fixture_close(&f);
}

// The example in the documentation of the block: 0 before and 1 after the event at 1 s.
static void time_and_events(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double table[] = {0, 0, 1, 0, 1, 1, 2, 4, 3, 9, 4, 16};
    double d[3];
    RbCurves *c = make(&f, table, 6, 2, RB_LINEAR_SEGMENTS, RB_LAST_TWO_POINTS);
    RbTimeTable *t = rb_time_table(c, 0, 0, RB_EVENTS_AT_DISCONTINUITIES, &f.arena);
    ENSURE_NEAR(rb_time_table_next(t, 0), 1, 0);
    ENSURE(rb_time_table_next(t, 1) == DBL_MAX);
    ENSURE(rb_time_table_at(t, 0, 1, 1, 1, d) && d[0] == 0);
    ENSURE(rb_time_table_at(t, 0, 1, DBL_MAX, 1, d) && d[0] == 1);
    ENSURE(rb_time_table_at(t, 0, 1.5, DBL_MAX, DBL_MAX, d));
    ENSURE_NEAR(d[0], 2.5, 1e-15);
    ENSURE(rb_time_table_at(t, 0, 5, DBL_MAX, DBL_MAX, d));
    ENSURE_NEAR(d[0], 23, 1e-14);
    // Rounding on the way of the time to the table must not lose an event.
    ENSURE_NEAR(
        rb_time_table_next(rb_time_table(c, 0, 0, RB_EVENTS_ALWAYS, &f.arena), nextafter(2, 0)), 3,
        0);
    // Repeated and shifted: the events of the third turn.
    RbCurves *turns = make(&f, table, 6, 2, RB_LINEAR_SEGMENTS, RB_PERIODIC);
    RbTimeTable *p = rb_time_table(turns, 0.5, 0.25, RB_EVENTS_AT_DISCONTINUITIES, &f.arena);
    ENSURE_NEAR(rb_time_table_next(p, 0), 0.5, 0);
    ENSURE_NEAR(rb_time_table_next(p, 0.5), 1.25, 1e-15);
    ENSURE_NEAR(rb_time_table_next(p, 8.3), 9.25, 1e-14);
    ENSURE_NEAR(rb_time_table_next(p, 11), 12.25, 1e-14);
    ENSURE(rb_time_table_at(p, 0, 0.4, 0.5, 0.5, d) && d[0] == 0); // before the start
    ENSURE(rb_time_table_at(p, 0, 12.25, 12.25, 12.25, d));
    ENSURE_NEAR(d[0], 16, 1e-12); // left of the jump back
    ENSURE(rb_time_table_at(p, 0, 12.25, 13.25, 12.25, d));
    ENSURE_NEAR(d[0], 0, 1e-12);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_lines),  cmocka_unit_test(akima_reproduces_parabolas),
        cmocka_unit_test(slopes_by_hand),  cmocka_unit_test(smooth_everywhere),
        cmocka_unit_test(derivatives),     cmocka_unit_test(monotone),
        cmocka_unit_test(outside),         cmocka_unit_test(bad_tables),
        cmocka_unit_test(surfaces),        cmocka_unit_test(smooth_surface),
        cmocka_unit_test(time_and_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
