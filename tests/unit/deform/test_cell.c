// SPDX-License-Identifier: MIT
// What keeps cells of springs from turning inside out: nothing while there is volume, forces and slopes that are derivatives, kept momenta, and a limit of explicit
// steps that knows of it.
#include "bodies.h"

#include "math/rng.h"

// A turned and random cell of side 1, squeezed along an axis to a part of its length; its molecules at rest and now.
typedef struct Case {
    RbSoftCell cell;
    Vec3 rest[RB_CELL_MOLECULES], now[RB_CELL_MOLECULES];
} Case;

static Case open_case(RbRng *rng, bool centred, double squeeze, double shaken) {
    Case c = {.cell = {.count = centred ? 9 : 8}};
    Mat3 turn = m3_rotation(rb_rng_direction(rng), rb_rng_range(rng, 0, 3)),
         back = m3_rotation(rb_rng_direction(rng), rb_rng_range(rng, 0, 3));
    bool mirrored = rb_rng_unit(rng) < 0.5; // a grid may count its axes in either way
    for (int i = 0; i < c.cell.count; i++) {
        Vec3 at = i == 8 ? v3(0.5, 0.5, 0.5) : v3(i & 1, i >> 1 & 1, i >> 2 & 1);
        if (mirrored) at.y = 1 - at.y;
        c.cell.molecule[i] = i;
        c.rest[i] = m3_mul_vec(turn, at);
        at.x *= squeeze;
        c.now[i] = v3_axpy(m3_mul_vec(back, at), shaken * rb_rng_unit(rng), rb_rng_direction(rng));
    }
    rb_soft_cell_start(&c.cell, c.rest, 1, 10);
    return c;
}

static double energy(const Case *c) {
    return rb_soft_cell_energy(&c->cell, c->now);
}

static bool forces(const Case *c, Vec3 *f) {
    for (int i = 0; i < RB_CELL_MOLECULES; i++) f[i] = V3_ZERO;
    return rb_soft_cell_forces(&c->cell, c->now, f);
}

// Squeezed evenly to a part s of its volume it has E V/10 (0.4/s - 1)³, and with more than two fifths exactly nothing.
static void energy_of_what_is_left(void **state) {
    (void)state;
    RbRng rng = rb_rng(1);
    for (int i = 0; i < 40; i++) {
        double left = i < 20 ? rb_rng_range(&rng, 0.401, 2) : rb_rng_range(&rng, 0.01, 0.4);
        Case c = open_case(&rng, i % 2, left, 0);
        Vec3 f[RB_CELL_MOLECULES];
        ENSURE(forces(&c, f));
        double y = 0.4 / left - 1;
        ENSURE_NEAR(energy(&c), i < 20 ? 0 : y * y * y, 1e-11 * (1 + y * y * y * y));
        for (int k = 0; i < 20 && k < c.cell.count; k++) ENSURE(v3_norm(f[k]) == 0);
    }
}

// Forces are the derivatives of the energy, slopes those of the forces; sums and couples of forces are nothing.
static void forces_are_derivatives(void **state) {
    (void)state;
    RbRng rng = rb_rng(2);
    const double h = 1e-6;
    int pushed = 0;
    for (int n = 0; n < 200; n++) {
        Case c = open_case(&rng, n % 2, 0.35, 0.1);
        Vec3 f[RB_CELL_MOLECULES], above[RB_CELL_MOLECULES], below[RB_CELL_MOLECULES];
        RbCellSlopes slopes;
        if (!forces(&c, f) || !rb_soft_cell_slopes(&c.cell, c.now, &slopes)) continue;
        pushed++;
        Vec3 sum = V3_ZERO, couple = V3_ZERO;
        double size = 0, steep = 0;
        for (int i = 0; i < c.cell.count; i++) {
            sum = v3_add(sum, f[i]), couple = v3_add(couple, v3_cross(c.now[i], f[i]));
            size += v3_norm(f[i]);
            for (int k = 0; k < 9; k++) steep = fmax(steep, fabs((&slopes.by[i][i].x.x)[k]));
        }
        ENSURE(v3_norm(sum) < 1e-14 * size && v3_norm(couple) < 1e-14 * size);
        for (int i = 0; i < 3 * c.cell.count; i++) {
            double *x = &c.now[i / 3].x + i % 3, was = *x, up, down;
            *x = was + h, up = energy(&c), forces(&c, above);
            *x = was - h, down = energy(&c), forces(&c, below);
            *x = was;
            ENSURE_NEAR(v3_get(f[i / 3], i % 3), (down - up) / (2 * h),
                        1e-4 * (1 + steep) * h * 100);
            for (int k = 0; k < 3 * c.cell.count; k++) {
                double found =
                    (v3_get(above[k / 3], k % 3) - v3_get(below[k / 3], k % 3)) / (2 * h);
                double told = m3_get(slopes.by[k / 3][i / 3], k % 3, i % 3);
                ENSURE_NEAR(found, told, 1e-4 * (1 + steep));
            }
        }
    }
    ENSURE(pushed > 100);
}

// Whatever is inside out has no force, and says so.
static void inside_out_is_told(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 20; i++) {
        Case c = open_case(&rng, i % 2, i < 10 ? -0.3 : 0.3, 0);
        Vec3 f[RB_CELL_MOLECULES];
        ENSURE(forces(&c, f) == (i >= 10));
        ENSURE(rb_soft_cell_folded(&c.cell, c.now) == (i < 10));
    }
}

static bool first_two(const void *user, int a, int b) {
    (void)user;
    return a + b == 1;
}

// Tetrahedra that have a torn connection are given up with their energy: of a cube the two at its ends and those whose three sides end in both, none here.
static void torn_cells_give_up_their_energy(void **state) {
    (void)state;
    RbRng rng = rb_rng(4);
    for (int centred = 0; centred < 2; centred++) {
        Case c = open_case(&rng, centred, 0.2, 0);
        double before = energy(&c), lost = rb_soft_cell_tear(&c.cell, first_two, NULL, c.now);
        ENSURE_NEAR(before - lost, energy(&c), 1e-12 * before);
        ENSURE_NEAR(lost / before, centred ? 4.0 / 24 : 2.0 / 8, 1e-12);
        ENSURE(rb_soft_cell_tear(&c.cell, first_two, NULL, c.now) == 0);
    }
}

// ---- the longest step

// The largest eigenvalue of the accelerations by places, from differences of forces.
static double largest_eigenvalue(const RbNetwork *n, Fixture *f, Vec3 *r) {
    int count = n->count;
    Vec3 *x = rb_new_array(&f->arena, Vec3, count), *v = rb_new_array(&f->arena, Vec3, count),
         *up = rb_new_array(&f->arena, Vec3, count), *down = rb_new_array(&f->arena, Vec3, count),
         *at = rb_new_array(&f->arena, Vec3, count);
    const double h = 1e-8;
    double value = 0;
    for (int i = 0; i < count; i++) x[i] = v3(sin(1.7 * i), cos(2.3 * i), sin(2.9 * i + 1));
    for (int round = 0; round < 400; round++) {
        double norm = 0;
        for (int i = 0; i < count; i++) norm += v3_norm2(x[i]);
        for (int i = 0; i < count; i++) {
            x[i] = v3_scale(1 / sqrt(norm), x[i]);
            up[i] = down[i] = V3_ZERO;
            at[i] = v3_axpy(r[i], h, x[i]);
        }
        rb_network_forces(n, 0, at, v, up);
        for (int i = 0; i < count; i++) at[i] = v3_axpy(r[i], -h, x[i]);
        rb_network_forces(n, 0, at, v, down);
        value = 0;
        for (int i = 0; i < count; i++) {
            Vec3 y = v3_scale(0.5 / (h * n->mass[i]), v3_sub(down[i], up[i]));
            value += v3_dot(x[i], y);
            x[i] = y;
        }
    }
    return value;
}

// A block squeezed to a quarter: the step that is told is stable there, and not much shorter than it has to be (it has a margin of 1.1 in the square, and springs
// that push make the body a little softer).
static void stable_steps_know_of_cells(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 3, 3, 3);
    s->materials.data[0].damping = 0;
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    double rest = rb_network_stable_step(&n, r, f.scratch);
    for (int i = 0; i < n.count; i++) r[i].y *= 0.25;
    double step = rb_network_stable_step(&n, r, f.scratch), value = largest_eigenvalue(&n, &f, r);
    print_message("longest step %.3g s at rest, %.3g s squeezed; 2/w = %.3g s\n", rest, step,
                  2 / sqrt(value));
    ENSURE(step < 0.7 * rest);
    ENSURE(step * step * value < 4 && step * step * value > 2);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_of_what_is_left),
        cmocka_unit_test(forces_are_derivatives),
        cmocka_unit_test(inside_out_is_told),
        cmocka_unit_test(torn_cells_give_up_their_energy),
        cmocka_unit_test(stable_steps_know_of_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
