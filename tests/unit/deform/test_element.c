// SPDX-License-Identifier: MIT
// Finite elements of soft bodies: their laws, rigid motion, cells inside out, bars against closed forms, and the same mesh in CalculiX.
#include "bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "math/quat.h"
#include "math/rng.h"

static Mat3 random_matrix(RbRng *rng, double size) {
    double m[9];
    for (int i = 0; i < 9; i++) m[i] = rb_rng_range(rng, -size, size);
    return (Mat3){v3_load(m), v3_load(m + 3), v3_load(m + 6)};
}

static double largest(Mat3 m) {
    return fmax(v3_max_abs(m.x), fmax(v3_max_abs(m.y), v3_max_abs(m.z)));
}

static double product(Mat3 a, Mat3 b) {
    return v3_dot(a.x, b.x) + v3_dot(a.y, b.y) + v3_dot(a.z, b.z);
}

// At small strains: 2 μ e + λ tr e with μ and λ of E and ν; without strain no stress.
static void small_strains_follow_hooke(void **state) {
    (void)state;
    for (int model = RB_SOFT_COROTATED; model <= RB_SOFT_NEO_HOOKEAN; model++) {
        for (double nu = 0; nu < 0.5; nu += 0.15) {
            RbHooke law = rb_hooke((RbSoftModel)model, 1e6, nu);
            double energy;
            ENSURE(largest(rb_hooke_stress(&law, M3_IDENTITY, &energy)) < 1e-9 && energy == 0);
            // pulled along x, free to contract: E e, and -ν e across
            Mat3 e = m3_diagonal(v3(1, -nu, -nu));
            Mat3 stress = rb_hooke_slope(&law, M3_IDENTITY, e);
            ENSURE(largest(m3_sub(stress, m3_diagonal(v3(1e6, 0, 0)))) < 1e-8);
            // shear: G times the angle, however it is split into strain and rotation
            Mat3 shear = M3_ZERO;
            shear.x.y = 1;
            stress = rb_hooke_slope(&law, M3_IDENTITY, shear);
            double G = 1e6 / (2 * (1 + nu));
            ENSURE_NEAR(stress.x.y, G, 1e-8);
            ENSURE_NEAR(stress.y.x, G, 1e-8);
        }
    }
}

// Stress is the derivative of the energy, its slope that of the stress, at random deformations, inside out ones among them.
static void stresses_are_derivatives(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    const double h = 1e-6;
    int inverted = 0;
    for (int i = 0; i < 400; i++) {
        RbHooke law = rb_hooke(i % 2 ? RB_SOFT_COROTATED : RB_SOFT_NEO_HOOKEAN, 1, 0.3);
        Mat3 F = m3_add(M3_IDENTITY, random_matrix(&rng, i < 200 ? 0.3 : 1.2));
        Mat3 d = random_matrix(&rng, 1);
        if (fabs(m3_det(F)) < 0.2)
            continue; // the nearest rotation jumps where two stretches cancel
        inverted += m3_det(F) < 0;
        if (m3_det(F) < 0 && law.model == RB_SOFT_COROTATED) continue;
        double up, down, energy;
        Mat3 above = rb_hooke_stress(&law, m3_add(F, m3_scale(h, d)), &up);
        Mat3 below = rb_hooke_stress(&law, m3_sub(F, m3_scale(h, d)), &down);
        Mat3 P = rb_hooke_stress(&law, F, &energy), slope = rb_hooke_slope(&law, F, d);
        ENSURE(energy > 0);
        ENSURE_NEAR(product(P, d), (up - down) / (2 * h), 1e-7);
        Mat3 found = m3_scale(0.5 / h, m3_sub(above, below));
        ENSURE(largest(m3_sub(found, slope)) < 1e-6 * (1 + largest(slope)));
    }
    ENSURE(inverted > 20);
}

static RbSoftScene *block_of(Fixture *f, int x, int y, int z, RbSoftModel model, int order,
                             double nu) {
    RbSoftScene *s = block_scene(f, x, y, z);
    s->materials.data[0].model = model;
    s->materials.data[0].order = order;
    s->materials.data[0].poisson = nu;
    return s;
}

// Turned, moved and turning as a whole: no force, nothing lost. Shaken: forces and torques add up to nothing.
static void rigid_motion_makes_no_force(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s =
            block_of(&f, 3, 5, 3, k % 2 ? RB_SOFT_COROTATED : RB_SOFT_NEO_HOOKEAN, 1 + k / 2, 0.4);
        RbNetwork n = network_of(&f, s);
        ENSURE(n.spring_count == 0 && n.element_count == (k < 2 ? 96 : 12));
        Vec3 *r = places(&f, s), *v = rb_new_array(&f.arena, Vec3, n.count),
             *force = rb_new_array(&f.arena, Vec3, n.count);
        Quat q = q_unit((Quat){0.3, -0.5, 0.7, 0.2});
        double most = 0, scale = 1e5 * 0.01 * 0.01; // E a²
        for (int i = 0; i < n.count; i++) {
            r[i] = v3_add(q_rotate(q, r[i]), v3(0.3, -0.2, 0.1));
            v[i] = v3_add(v3_cross(v3(3, -2, 1), r[i]), v3(1, 2, 3));
        }
        RbNetworkPower lost = rb_network_forces(&n, 0, r, v, force);
        for (int i = 0; i < n.count; i++) most = fmax(most, v3_norm(force[i]));
        print_message("rigid motion, %d nodes: %.1e E a2\n", n.elements[0].nodes, most / scale);
        ENSURE(most < 1e-12 * scale && lost.springs < 1e-20);

        RbRng rng = rb_rng(3);
        Vec3 sum = V3_ZERO, torque = V3_ZERO;
        double size = 0;
        for (int i = 0; i < n.count; i++) {
            force[i] = V3_ZERO;
            r[i] = v3_axpy(r[i], 3e-3,
                           v3(rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1),
                              rb_rng_range(&rng, -1, 1)));
            v[i] = v3(rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1), 0);
        }
        lost = rb_network_forces(&n, 0, r, v, force);
        for (int i = 0; i < n.count; i++) {
            sum = v3_add(sum, force[i]);
            torque = v3_add(torque, v3_cross(r[i], force[i]));
            size += v3_norm(force[i]);
        }
        ENSURE(v3_norm(sum) < 1e-14 * size && v3_norm(torque) < 1e-14 * size);
        ENSURE(lost.springs > 0);
        fixture_close(&f);
    }
}

// A cell whose corner was pushed through the opposite face comes back: down the energy until nothing moves.
static void folded_cells_unfold(void **state) {
    (void)state;
    for (int model = RB_SOFT_COROTATED; model <= RB_SOFT_NEO_HOOKEAN; model++) {
        const Vec3 rest[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        RbElementPoint point[1];
        ENSURE(rb_element_points(rest, 4, point));
        ENSURE_NEAR(point[0].volume, 1.0 / 6, 1e-15);
        RbSoftElement e = {.node = {0, 1, 2, 3}, .nodes = 4, .points = 1, .point = point};
        e.law = rb_hooke((RbSoftModel)model, 1, 0.3);
        Vec3 r[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.1, -0.8}};
        const Vec3 still[4] = {{0}};
        for (int i = 0; i < 4000; i++) {
            Vec3 f[4] = {{0}};
            rb_element_forces(&e, r, still, f);
            for (int k = 0; k < 4; k++) r[k] = v3_axpy(r[k], 0.5, f[k]);
        }
        Mat3 F = m3_from_columns(v3_sub(r[1], r[0]), v3_sub(r[2], r[0]), v3_sub(r[3], r[0]));
        ENSURE_NEAR(m3_det(F), 1, 1e-6);
        ENSURE(rb_element_look(&e, r).energy < 1e-12);
    }
}

// ---- bars

typedef struct Cantilever {
    Fixture f;
    Bar bar;
    bool *held;
    double *load;
    int n[3];
} Cantilever;

// Molecules along x, y, z, a bar of 0.06 m x 0.01 m x 0.01 m, E = 1e5 Pa.
static void open_cantilever(Cantilever *c, int across, int order, double nu) {
    fixture_open(&c->f);
    RbSoftScene *s = rb_soft_scene_new("bar", &c->f.arena);
    RbSoftMaterial m = rb_soft_material_default();
    m.model = RB_SOFT_COROTATED, m.order = order, m.poisson = nu;
    s->gravity = V3_ZERO;
    rb_soft_scene_add_material(s, &m);
    double a = 0.01 / (across - 1);
    c->n[0] = 6 * (across - 1) + 1, c->n[1] = c->n[2] = across;
    add_block(s, "bar", (Block){.n = {c->n[0], across, across}, .a = a, .radius = a / 2});
    c->bar.n = network_of(&c->f, s);
    c->bar.r = places(&c->f, s);
    int count = c->bar.n.count;
    c->held = rb_new_array(&c->f.arena, bool, 3 * (size_t)count);
    c->bar.held = c->held;
    c->load = rb_new_array(&c->f.arena, double, 3 * (size_t)count);
}

static int node(const Cantilever *c, int x, int y, int z) {
    return (x * c->n[1] + y) * c->n[2] + z;
}

// 1e-4 N on the far end along an axis, and how far its middle moves.
static double tip(Cantilever *c, int axis, double *const *out) {
    int m = c->n[1], last = c->n[0] - 1;
    for (int y = 0; y < m; y++)
        for (int z = 0; z < m; z++) {
            double share = (y == 0 || y == m - 1 ? 0.5 : 1) * (z == 0 || z == m - 1 ? 0.5 : 1);
            c->load[3 * node(c, last, y, z) + axis] = 1e-4 * share / ((m - 1) * (m - 1));
        }
    double *u = solve(&c->f, &c->bar, c->load), sum = 0;
    for (int y = 0; y < m; y++)
        for (int z = 0; z < m; z++) sum += u[3 * node(c, last, y, z) + axis];
    if (out) memcpy(*out, u, sizeof(double) * 3 * (size_t)c->bar.n.count);
    return sum / (m * m);
}

// Uniform tension is in the space of linear elements: E and ν come back as typed, with any ν.
static void tension_is_exact(void **state) {
    (void)state;
    for (double nu = 0; nu < 0.48; nu += 0.45) {
        Cantilever c;
        open_cantilever(&c, 3, 1, nu);
        for (int i = 0; i < 9; i++) c.held[3 * i] = true;
        c.held[1] = c.held[2] = c.held[3 * node(&c, 0, 2, 0) + 2] = true;
        // what a uniform stress gives each node: a third of each triangle of the end, two per square
        double *u = rb_new_array(&c.f.arena, double, 3 * (size_t)c.bar.n.count);
        const double strain = 1e-3;
        for (int i = 0; i < c.bar.n.count; i++) {
            Vec3 r = c.bar.r[i];
            v3_store(u + 3 * i, v3(strain * r.x, -nu * strain * r.y, -nu * strain * r.z));
        }
        double *f = rb_new_array(&c.f.arena, double, 3 * (size_t)c.bar.n.count), end = 0;
        const bool *held = c.bar.held;
        bool *none = rb_new_array(&c.f.arena, bool, 3 * (size_t)c.bar.n.count);
        c.bar.held = none;
        apply(&c.bar, u, f);
        c.bar.held = held;
        for (int i = 0; i < c.bar.n.count; i++) {
            bool inside = c.bar.r[i].x > 1e-6 && c.bar.r[i].x < 0.06 - 1e-6;
            ENSURE(fabs(f[3 * i + 1]) < 1e-15 && fabs(f[3 * i + 2]) < 1e-15);
            if (inside) ENSURE(fabs(f[3 * i]) < 1e-15);
            if (c.bar.r[i].x > 0.06 - 1e-6) end += f[3 * i];
        }
        ENSURE_NEAR(end / (1e-4 * strain), 1e5, 1e-5); // F/(A e) = E
        Vec3 *r = rb_new_array(&c.f.arena, Vec3, c.bar.n.count);
        for (int i = 0; i < c.bar.n.count; i++) r[i] = v3_add(c.bar.r[i], v3_load(u + 3 * i));
        RbElementLook look = rb_network_look(&c.bar.n, 0, r);
        ENSURE_NEAR(look.strain, strain, 1e-12);
        ENSURE_NEAR(look.energy, 0.5 * 1e5 * strain * strain * 6e-6, 1e-15); // E e²/2 of the volume
        ENSURE_NEAR(look.stress, 1e5 * strain,
                    3 * strain * 1e5 * strain); // up to the area, which shrinks
        fixture_close(&c.f);
    }
}

// Timoshenko: F L³/(3 E I) + F L/(k G A); ν = 0, so that the clamped end need not contract.
static double bending_error(int across, int order) {
    Cantilever c;
    open_cantilever(&c, across, order, 0);
    for (int i = 0; i < 3 * across * across; i++) c.held[i] = true;
    double L = 0.06, I = 1e-8 / 12, A = 1e-4, E = 1e5, k = 10.0 / 12, G = E / 2;
    double expected = 1e-4 * (L * L * L / (3 * E * I) + L / (k * G * A));
    double found = tip(&c, 2, NULL);
    fixture_close(&c.f);
    return found / expected - 1;
}

static void bending_converges(void **state) {
    (void)state;
    const int across[] = {3, 5, 9};
    double linear[3], quadratic[3];
    for (int i = 0; i < 3; i++) {
        linear[i] = bending_error(across[i], 1);
        quadratic[i] = bending_error(across[i], 2);
        print_message("cantilever, %d molecules wide: four nodes %+.4f, ten nodes %+.5f\n",
                      across[i], linear[i], quadratic[i]);
    }
    for (int i = 1; i < 3; i++) ENSURE(fabs(linear[i]) < 0.5 * fabs(linear[i - 1]));
    ENSURE(fabs(quadratic[2]) < 2e-3);
    for (int i = 0; i < 3; i++) ENSURE(fabs(quadratic[i]) < 0.2 * fabs(linear[i]));
}

// ---- CalculiX

static void write_deck(const Cantilever *c, const char *file, double nu) {
    FILE *out = fopen(file, "w");
    const RbNetwork *n = &c->bar.n;
    int nodes = n->elements[0].nodes;
    ENSURE(out != NULL);
    fprintf(out, "*NODE, NSET=ALL\n");
    for (int i = 0; i < n->count; i++)
        fprintf(out, "%d, %.15g, %.15g, %.15g\n", i + 1, c->bar.r[i].x, c->bar.r[i].y,
                c->bar.r[i].z);
    fprintf(out, "*ELEMENT, TYPE=C3D%d, ELSET=BAR\n", nodes);
    for (int i = 0; i < n->element_count; i++) {
        fprintf(out, "%d", i + 1);
        for (int k = 0; k < nodes; k++) fprintf(out, ", %d", n->elements[i].node[k] + 1);
        fprintf(out, "\n");
    }
    fprintf(out, "*MATERIAL, NAME=M\n*ELASTIC\n1e5, %.15g\n*SOLID SECTION, ELSET=BAR, MATERIAL=M\n",
            nu);
    fprintf(out, "*BOUNDARY\n");
    for (int i = 0; i < 3 * n->count; i++)
        if (c->held[i]) fprintf(out, "%d, %d\n", i / 3 + 1, i % 3 + 1);
    fprintf(out, "*STEP\n*STATIC\n*CLOAD\n");
    for (int i = 0; i < 3 * n->count; i++)
        if (c->load[i] != 0) fprintf(out, "%d, %d, %.15g\n", i / 3 + 1, i % 3 + 1, c->load[i]);
    fprintf(out, "*NODE PRINT, NSET=ALL\nU\n*END STEP\n");
    ENSURE(fclose(out) == 0);
}

// Largest difference of a displacement over the largest displacement.
static double compare_dat(const char *file, const double *u, int count) {
    FILE *in = fopen(file, "r");
    ENSURE(in != NULL);
    char line[256];
    double difference = 0, size = 0;
    int rows = 0;
    while (fgets(line, sizeof line, in)) {
        int number;
        double x[3];
        if (sscanf(line, "%d %lf %lf %lf", &number, &x[0], &x[1], &x[2]) != 4) continue;
        ENSURE(number >= 1 && number <= count);
        for (int k = 0; k < 3; k++) {
            difference = fmax(difference, fabs(x[k] - u[3 * (number - 1) + k]));
            size = fmax(size, fabs(x[k]));
        }
        rows++;
    }
    fclose(in);
    ENSURE(rows == count);
    return difference / size;
}

static void calculix_agrees(void **state) {
    (void)state;
    char folder[] = "/tmp/rb_ccx_XXXXXX", command[512], file[256];
    if (system("command -v ccx > /dev/null 2>&1") != 0) {
        print_message("there is no ccx (Debian's calculix-ccx) to compare with\n");
        skip();
    }
    ENSURE(mkdtemp(folder) != NULL);
    for (int order = 1; order <= 2; order++) {
        Cantilever c;
        open_cantilever(&c, 5, order, 0.3);
        for (int i = 0; i < 3 * 25; i++) c.held[i] = true;
        double *u = rb_new_array(&c.f.arena, double, 3 * (size_t)c.bar.n.count);
        tip(&c, 2, &u);
        snprintf(file, sizeof file, "%s/bar.inp", folder);
        write_deck(&c, file, 0.3);
        snprintf(command, sizeof command, "cd %s && OMP_NUM_THREADS=1 ccx bar > log 2>&1", folder);
        ENSURE(system(command) == 0);
        snprintf(file, sizeof file, "%s/bar.dat", folder);
        double difference = compare_dat(file, u, c.bar.n.count);
        print_message("CalculiX C3D%d: %.1e of the largest displacement\n", order == 1 ? 4 : 10,
                      difference);
        ENSURE(difference < 1e-4);
        fixture_close(&c.f);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    ENSURE(system(command) == 0);
}

// ---- what is refused

static void grids_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const struct {
        int x, y, z, order;
        double nu;
        const char *message;
    } cases[] = {
        {4, 3, 3, 2, 0.3, "need an odd number of molecules along each axis of a cubic grid"},
        {4, 3, 1, 1, 0.3, "belongs to no element; elements are cut out of cubes of molecules"},
        {3, 3, 3, 1, 0.5, "Poisson's ratio of 'material' is 0.5; it must lie between 0 and 0.49"},
    };
    for (int i = 0; i < 3; i++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_of(&f, cases[i].x, cases[i].y, cases[i].z, RB_SOFT_COROTATED,
                                  cases[i].order, cases[i].nu);
        RbNetwork n;
        ENSURE(rb_network_build(s, &f.arena, f.scratch, &f.diag, &n) == RB_ERROR_MODEL);
        ENSURE(strstr(fixture_message(&f, 0), cases[i].message) != NULL);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_strains_follow_hooke),
        cmocka_unit_test(stresses_are_derivatives),
        cmocka_unit_test(rigid_motion_makes_no_force),
        cmocka_unit_test(folded_cells_unfold),
        cmocka_unit_test(tension_is_exact),
        cmocka_unit_test(bending_converges),
        cmocka_unit_test(calculix_agrees),
        cmocka_unit_test(grids_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
