// SPDX-License-Identifier: MIT
// Bodies of springs: as stiff as the modulus that was typed, no force from moving them as a whole, derivatives,
// momentum, and the limit of explicit steps.
#include "bar.h"

#include "math/quat.h"
#include "math/rng.h"

// ---- a bar

static double tension(int m, int neighbours) {
    BarCase c;
    open_bar(&c, m, neighbours);
    for (int i = 0; i < m * m; i++) c.held[3 * i] = true; // one end slides in its plane
    c.held[1] = c.held[2] = true;
    c.held[3 * (m - 1) + 1] = true;
    pull(&c, 0);
    double found = c.length / (c.area * mean_end(&c, solve(&c.f, &c.bar, c.load), 0));
    fixture_close(&c.f);
    return found / 1e5;
}

// Timoshenko's cantilever: w = F L³/(3 E I) + F L/(k G A), k = 10 (1 + v)/(12 + 11 v).
static double bending(int m, int neighbours) {
    BarCase c;
    open_bar(&c, m, neighbours);
    for (int i = 0; i < 3 * m * m; i++) c.held[i] = true;
    pull(&c, 2);
    double found = mean_end(&c, solve(&c.f, &c.bar, c.load), 2);
    double nu = 0.25, k = 10 * (1 + nu) / (12 + 11 * nu), l = c.length,
           inertia = c.area * c.area / 12;
    double expected = l * l * l / (3 * 1e5 * inertia) + l * 2 * (1 + nu) / (k * 1e5 * c.area);
    fixture_close(&c.f);
    return expected / found;
}

// From six molecules on a bar is as stiff as was typed, within 5 %; narrower ones are stiffer in
// bending by about 1/(m-1)², as the theory page says.
static void bars_are_as_stiff_as_typed(void **state) {
    (void)state;
    for (int neighbours = 18; neighbours <= 26; neighbours += 8) {
        ENSURE_NEAR(tension(3, neighbours), 1, 0.02);
        ENSURE_NEAR(tension(6, neighbours), 1, 0.02);
        ENSURE_NEAR(bending(6, neighbours), 1, 0.05);
    }
    double narrow = bending(3, 18), wide = bending(6, 18);
    print_message("cantilever, found/typed: %.3f (3 wide), %.3f (6 wide)\n", narrow, wide);
    ENSURE(narrow > 1.1 && narrow < 1.35 && wide < narrow);
}

// What the program says of thin bars is what they are.
static void the_error_of_thin_bars_is_told(void **state) {
    (void)state;
    for (int neighbours = 18; neighbours <= 26; neighbours += 8)
        for (int m = 2; m <= 8; m++)
            ENSURE_NEAR(1 + rb_network_bending_error(RB_SOFT_CUBIC, m, neighbours), bending(m, neighbours), 2e-3);
    BarCase c;
    open_bar(&c, 3, 18);
    ENSURE(c.bar.n.objects[0].layers == 3 && c.bar.n.objects[0].bending_error == 0.127);
    fixture_close(&c.f);
}

// Cells are folded if a molecule is pushed through the face opposite to it, and not by turning.
static void folded_cells_are_counted(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 3, 3, 3);
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    ENSURE(n.objects[0].cell_count == 8);
    Mat3 turn = m3_rotation(v3_unit(v3(1, 2, 3)), 2);
    for (int i = 0; i < n.count; i++) r[i] = m3_mul_vec(turn, r[i]);
    ENSURE(rb_network_folded(&n, 0, r) == 0);
    r[0] = v3_axpy(r[0], 3, v3_sub(r[13], r[0])); // a corner, beyond the middle
    ENSURE(rb_network_folded(&n, 0, r) == 1);
    fixture_close(&f);
}

// A sheet of one layer is pulled in its plane: thickness a, plane stress.
static void sheets_are_as_stiff_as_typed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 25, 6, 1);
    Bar bar = {.n = network_of(&f, s), .r = places(&f, s)};
    bool *held = rb_new_array(&f.arena, bool, 3 * 150);
    double *load = rb_new_array(&f.arena, double, 3 * 150), end = 0;
    for (int i = 0; i < 150; i++) held[3 * i + 2] = true; // stays in its plane
    for (int i = 0; i < 6; i++) held[3 * i] = true;
    held[1] = true;
    bar.held = held;
    for (int i = 0; i < 6; i++) load[3 * (144 + i)] = (i == 0 || i == 5 ? 0.5 : 1) / 5;
    const double *u = solve(&f, &bar, load);
    for (int i = 0; i < 6; i++) end += u[3 * (144 + i)] / 6;
    ENSURE_NEAR(0.24 / (0.05 * 0.01 * end) / 1e5, 1, 1e-6);
    fixture_close(&f);
}

// ---- forces

// A body that is turned and moved as a whole has no force in it, and one that turns about an axis
// loses nothing in its dampers.
static void rigid_motion_makes_no_force(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 4, 5, 6);
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s), *v = rb_new_array(&f.arena, Vec3, n.count),
         *force = rb_new_array(&f.arena, Vec3, n.count);
    Quat q = q_unit((Quat){0.3, -0.5, 0.7, 0.2});
    Vec3 w = v3(3, -2, 1);
    double largest = 0, scale = 1e5 * 0.01 * 0.01; // E a²
    for (int i = 0; i < n.count; i++) {
        r[i] = v3_add(q_rotate(q, r[i]), v3(0.3, -0.2, 0.1));
        v[i] = v3_add(v3_cross(w, r[i]), v3(1, 2, 3));
    }
    RbNetworkPower lost = rb_network_forces(&n, 0, r, v, force);
    for (int i = 0; i < n.count; i++) largest = fmax(largest, v3_norm(force[i]));
    ENSURE(largest < 1e-12 * scale);
    ENSURE(lost.springs < 1e-20);
    fixture_close(&f);
}

static RbNetwork shaken(Fixture *f, RbSoftScene *s, Vec3 **r, Vec3 **v) {
    RbNetwork n = network_of(f, s);
    RbRng rng = rb_rng(11);
    *r = places(f, s);
    *v = rb_new_array(&f->arena, Vec3, n.count);
    for (int i = 0; i < n.count; i++) {
        Vec3 d =
            v3(rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1));
        Vec3 e =
            v3(rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1));
        (*r)[i] = v3_axpy((*r)[i], 2e-3, d);
        (*v)[i] = v3_scale(0.5, e);
    }
    return n;
}

// Forces and torques of the springs add up to nothing, to rounding.
static void momentum_is_kept(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Vec3 *r, *v, sum = V3_ZERO, torque = V3_ZERO;
    RbNetwork n = shaken(&f, block_scene(&f, 5, 5, 5), &r, &v);
    Vec3 *force = rb_new_array(&f.arena, Vec3, n.count);
    double size = 0;
    rb_network_forces(&n, 0, r, v, force);
    for (int i = 0; i < n.count; i++) {
        sum = v3_add(sum, force[i]);
        torque = v3_add(torque, v3_cross(r[i], force[i]));
        size += v3_norm(force[i]);
    }
    ENSURE(v3_norm(sum) < 1e-15 * size);
    ENSURE(v3_norm(torque) < 1e-16 * size);
    fixture_close(&f);
}

// Elastic force is minus the gradient of the energy; slopes are the derivatives of the force.
static void forces_are_gradients_and_slopes_derivatives(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Vec3 *r, *v;
    RbSoftScene *s = block_scene(&f, 2, 1, 1);
    RbNetwork n = shaken(&f, s, &r, &v);
    const double h = 1e-7;
    for (int k = 0; k < 3; k++) {
        double step[3] = {0};
        Mat3 by_r, by_v;
        Vec3 still[2] = {{0}}, up[2] = {{0}}, down[2] = {{0}}, now[2] = {{0}};
        step[k] = h;
        Vec3 at = r[1], speed = v[1], d = v3_load(step);
        rb_soft_spring_slopes(&n.springs[0], r, v, &by_r, &by_v);
        rb_network_forces(&n, 0, r, still, now);
        r[1] = v3_add(at, d);
        double high = rb_network_look(&n, 0, r).energy;
        rb_network_forces(&n, 0, r, v, up);
        r[1] = v3_sub(at, d);
        double low = rb_network_look(&n, 0, r).energy;
        rb_network_forces(&n, 0, r, v, down);
        r[1] = at;
        double force[3], slope[3];
        v3_store(force, now[1]);
        ENSURE_NEAR(force[k], -(high - low) / (2 * h), 1e-6);
        v3_store(slope, v3_scale(1 / (2 * h), v3_sub(up[0], down[0])));
        const Vec3 columns[] = {v3(by_r.x.x, by_r.y.x, by_r.z.x), v3(by_r.x.y, by_r.y.y, by_r.z.y),
                                v3(by_r.x.z, by_r.y.z, by_r.z.z)};
        ENSURE(v3_distance(v3_load(slope), columns[k]) < 1e-5 * n.springs[0].k);
        memset(up, 0, sizeof up), memset(down, 0, sizeof down);
        v[1] = v3_add(speed, d), rb_network_forces(&n, 0, r, v, up);
        v[1] = v3_sub(speed, d), rb_network_forces(&n, 0, r, v, down);
        v[1] = speed;
        const Vec3 by_speed[] = {v3(by_v.x.x, by_v.y.x, by_v.z.x), v3(by_v.x.y, by_v.y.y, by_v.z.y),
                                 v3(by_v.x.z, by_v.y.z, by_v.z.z)};
        ENSURE(v3_distance(v3_scale(1 / (2 * h), v3_sub(up[0], down[0])), by_speed[k]) <
               1e-6 * n.springs[0].c);
    }
    fixture_close(&f);
}

// ---- the limit of explicit steps

// Leapfrog by hand from a small disturbance: how much it has grown after some steps.
static double growth(Fixture *f, const RbNetwork *n, const Vec3 *rest, double h) {
    Vec3 *r = rb_new_array(&f->arena, Vec3, n->count), *v = rb_new_array(&f->arena, Vec3, n->count),
         *a = rb_new_array(&f->arena, Vec3, n->count), *p = rb_new_array(&f->arena, Vec3, n->count);
    double largest = 0;
    for (int i = 0; i < n->count; i++)
        r[i] = v3_axpy(rest[i], 1e-9, v3(sin(i), cos(2 * i), sin(3 * i)));
    for (int k = 0; k < 2000 && largest < 1e-3; k++) {
        for (int i = 0; i < n->count; i++) {
            r[i] = v3_axpy(v3_axpy(r[i], h, v[i]), 0.5 * h * h, a[i]);
            p[i] = v3_axpy(v[i], h, a[i]);
            v[i] = v3_axpy(v[i], 0.5 * h, a[i]);
        }
        memset(a, 0, sizeof(Vec3) * (size_t)n->count);
        rb_network_forces(n, 0, r, p, a);
        largest = 0;
        for (int i = 0; i < n->count; i++) {
            a[i] = v3_scale(1 / n->mass[i], a[i]);
            v[i] = v3_axpy(v[i], 0.5 * h, a[i]);
            largest = fmax(largest, v3_distance(r[i], rest[i]));
        }
    }
    return largest / 1e-9;
}

// Steps below the limit decay, and the limit is not far below the true one: at 1.2 times it grows.
static void the_stable_step_is_one(void **state) {
    (void)state;
    for (double damping = 0; damping < 0.7; damping += 0.3) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_scene(&f, 4, 4, 4);
        s->materials.data[0].damping = damping;
        RbNetwork n = network_of(&f, s);
        const Vec3 *r = places(&f, s);
        double limit = rb_network_stable_step(&n, r, f.scratch);
        ENSURE(growth(&f, &n, r, 0.98 * limit) < 10);
        ENSURE(growth(&f, &n, r, 1.2 * limit) > 1e4);
        fixture_close(&f);
    }
}

// A chain of two masses with one spring: w² = 2 k / m.
static void frequency_of_two_masses(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 2, 1, 1);
    s->materials.data[0].damping = 0;
    RbNetwork n = network_of(&f, s);
    double w = sqrt(2 * n.springs[0].k / n.mass[0]);
    ENSURE_NEAR(n.springs[0].k, 1e5 * 0.01, 1e-9); // E a
    ENSURE_NEAR(n.mass[0], 1000 * 0.5e-6, 1e-12);  // half a cell
    ENSURE_NEAR(rb_network_stable_step(&n, places(&f, s), f.scratch) * w / 2, 1 / sqrt(1.1), 1e-9);
    fixture_close(&f);
}

// ---- what is refused

static void bad_materials_are_named(void **state) {
    (void)state;
    const struct {
        double youngs_modulus, density, poisson;
        const char *message;
    } cases[] = {
        {-1, 1000, 0.25,
         "Young's modulus [Pa] of 'material' is -1; it must lie between 0.001 and 1e+13"},
        {1e5, NAN, 0.25, "the density [kg/m3] of 'material' is nan"},
        {1e5, 1000, 0.3, "Poisson's ratio of 'material' is 0.3; a body of springs has 1/4"},
    };
    for (int i = 0; i < 3; i++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_scene(&f, 2, 2, 2);
        RbNetwork n;
        s->materials.data[0].youngs_modulus = cases[i].youngs_modulus;
        s->materials.data[0].density = cases[i].density;
        s->materials.data[0].poisson = cases[i].poisson;
        ENSURE(rb_network_build(s, &f.arena, f.scratch, &f.diag, &n) == RB_ERROR_MODEL);
        ENSURE(strstr(fixture_message(&f, 0), cases[i].message) != NULL);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_are_as_stiff_as_typed),
        cmocka_unit_test(the_error_of_thin_bars_is_told),
        cmocka_unit_test(folded_cells_are_counted),
        cmocka_unit_test(sheets_are_as_stiff_as_typed),
        cmocka_unit_test(rigid_motion_makes_no_force),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(forces_are_gradients_and_slopes_derivatives),
        cmocka_unit_test(the_stable_step_is_one),
        cmocka_unit_test(frequency_of_two_masses),
        cmocka_unit_test(bad_materials_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
