// SPDX-License-Identifier: MIT
// Finite-element parts reduced to modes: rigid integrals, free and clamped beams against closed forms, static deflection against the full
// model of the same mesh, mean axes, shortening by bending, messages.
#include "testing.h"

#include <string.h>

#include "flexible/box_mesh.h"
#include "flexible/part_reduce.h"
#include "solver/eigen.h"

static const double PI = 3.14159265358979323846;

// ---- beams

typedef struct Beam {
    Vec3 size;
    int bricks[3];
    int order;
    double poisson;
    int frames; // 0, 1: x0, 2: x0 and x1
    bool averaged;
    int modes;
} Beam;

static const double E = 2e11, RHO = 8000;

static RbElasticPart assemble(Fixture *f, const Beam *b) {
    RbTetMesh *mesh = rb_new(&f->arena, RbTetMesh);
    *mesh = box_mesh(b->size, b->bricks, b->order, &f->arena);
    RbPartFrame *frames = rb_new_array(&f->arena, RbPartFrame, 2);
    for (int k = 0; k < 2; k++)
        frames[k] =
            (RbPartFrame){mesh->sets[k].name, mesh->sets[k].node, mesh->sets[k].count, b->averaged};
    RbElasticPart part = {
        .mesh = mesh, .material = {E, b->poisson, RHO}, .frames = frames, .frame_count = b->frames};
    ENSURE(rb_part_assemble(&part, RB_NOWHERE, &f->arena, f->scratch, &f->diag) == RB_OK);
    return part;
}

static RbReducedPart reduce(Fixture *f, const Beam *b) {
    RbElasticPart part = assemble(f, b);
    RbReducedPart out;
    RbReduceOptions o = {.modes = b->modes, .zeta = 0.01, .second_order = true};
    ENSURE(rb_part_reduce(&part, o, RB_NOWHERE, &f->arena, f->scratch, &f->diag, &out) == RB_OK);
    return out;
}

// ---- rigid integrals, and what the header promises

static void check_promises(const RbModalBody *m) {
    double all = 0;
    for (int i = 0; i < 9 * m->n * m->n; i++) all = fmax(all, fabs(m->w[i]));
    for (int a = 0; a < m->n; a++) {
        const double *p0 = m->P0 + 9 * a, length = 0.3;
        double scale = length * sqrt(m->mass); // of sum m X phi
        ENSURE_NEAR(p0[1], p0[3], 1e-9 * scale);
        ENSURE_NEAR(p0[2], p0[6], 1e-9 * scale);
        ENSURE_NEAR(p0[5], p0[7], 1e-9 * scale);
        for (int b = 0; b < m->n; b++) {
            const double *p = m->P + 9 * (a * m->n + b);
            ENSURE_NEAR(p[0] + p[4] + p[8], a == b, 1e-9);
            const double *w = m->w + 9 * (a * m->n + b);
            ENSURE_NEAR(w[1], w[3], 1e-8 * all); // the mean axes hold in the second order
            ENSURE_NEAR(w[5], w[7], 1e-8 * all);
        }
    }
}

static void a_box_has_its_mass_and_mean_axes(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        Fixture f;
        fixture_open(&f);
        Beam b = {{0.3, 0.1, 0.05}, {4, 2, 1}, 1 + i % 2, 0.3, i / 2, false, 10};
        RbReducedPart r = reduce(&f, &b);
        const RbModalBody *m = &r.body;
        double mass = RHO * 0.3 * 0.1 * 0.05;
        ENSURE(m->n == 10 + (b.frames == 2 ? 6 : 0));
        ENSURE_NEAR(m->mass, mass, 1e-12 * mass);
        ENSURE_NEAR(v3_distance(r.origin, v3(0.15, 0.05, 0.025)), 0, 1e-14);
        ENSURE_NEAR(m->P00.x.x, mass * 0.09 / 12, 1e-12 * mass);
        ENSURE_NEAR(m->P00.y.y, mass * 0.01 / 12, 1e-12 * mass);
        ENSURE_NEAR(m->P00.z.z, mass * 0.0025 / 12, 1e-12 * mass);
        ENSURE_NEAR(m->P00.x.y, 0, 1e-12 * mass);
        for (int a = 1; a < m->n; a++) ENSURE(m->omega[a] >= m->omega[a - 1]);
        check_promises(m);
        fixture_close(&f);
    }
}

// ---- free beams

static double free_frequency(Vec3 size, int bricks, int order, int mode) {
    Fixture f;
    fixture_open(&f);
    Beam b = {size, {bricks, 1, 1}, order, 0, 0, false, mode + 1};
    RbReducedPart r = reduce(&f, &b);
    double omega = r.body.omega[mode];
    fixture_close(&f);
    return omega;
}

// A bar without Poisson's ratio: its axial modes are exact waves; which of the modes they are is told by P0.
static double axial_frequency(int bricks, double *moment) {
    Fixture f;
    fixture_open(&f);
    Beam b = {{1, 0.1, 0.1}, {bricks, 1, 1}, 2, 0, 0, false, 24};
    RbReducedPart r = reduce(&f, &b);
    int best = 0;
    for (int a = 0; a < r.body.n; a++)
        if (fabs(r.body.P0[9 * a]) > fabs(r.body.P0[9 * best])) best = a;
    double omega = r.body.omega[best];
    *moment = fabs(r.body.P0[9 * best]) / sqrt(r.body.mass);
    fixture_close(&f);
    return omega;
}

// ... and the error of quadratic elements falls with the fourth power of their length.
static void a_free_bar_rings_at_c_by_2L(void **state) {
    (void)state;
    double want = PI * sqrt(E / RHO), moment;
    double coarse = axial_frequency(4, &moment) - want, fine = axial_frequency(8, &moment) - want;
    ENSURE_NEAR(log2(coarse / fine), 4, 0.3);
    ENSURE_NEAR(axial_frequency(20, &moment), want, 2e-6 * want);
    // sum m X phi of the wave phi = sqrt(2/m) cos(pi x / L)
    ENSURE_NEAR(moment, sqrt(2) * 2 / (PI * PI), 1e-5);
}

// Bending of a slender free beam (4.730 squared), from above.
static void a_slender_beam_is_that_of_euler_and_bernoulli(void **state) {
    (void)state;
    Vec3 size = v3(1, 0.02, 0.01);
    double want = 4.730040745 * 4.730040745 * sqrt(E / RHO / 12) * 0.01;
    double coarse = free_frequency(size, 5, 2, 0), middle = free_frequency(size, 10, 2, 0),
           fine = free_frequency(size, 20, 2, 0), finest = free_frequency(size, 40, 2, 0);
    ENSURE_NEAR(finest, want, 1e-3 * want);                    // shear and rotary inertia take 6e-4
    ENSURE(coarse > middle && middle > fine && fine > finest); // from above
}

// ---- clamped beams: the mean frame moves so that the frame x0 stays

static void clamp(const RbModalBody *m, int a, Vec3 *t, Vec3 *turn) {
    const RbModalFrame *k = &m->frames[0];
    *turn = v3(-k->theta[a], -k->theta[m->n + a], -k->theta[2 * m->n + a]);
    Vec3 moved = v3(k->phi[a], k->phi[m->n + a], k->phi[2 * m->n + a]);
    *t = v3_neg(v3_add(moved, v3_cross(*turn, k->x)));
}

static double clamped_frequency(const RbModalBody *m) {
    Mat3 J = m3_sub(m3_scale(m3_trace(m->P00), M3_IDENTITY), m->P00);
    double q[64], p[64], growth = 0;
    for (int a = 0; a < m->n; a++) q[a] = 1;
    for (int step = 0; step < 200; step++) {
        Vec3 t = V3_ZERO, turn = V3_ZERO, ta, turna;
        double norm = 0;
        for (int a = 0; a < m->n; a++) {
            clamp(m, a, &ta, &turna);
            t = v3_axpy(t, q[a], ta), turn = v3_axpy(turn, q[a], turna);
        }
        for (int a = 0; a < m->n; a++) {
            clamp(m, a, &ta, &turna);
            double momentum = q[a] + m->mass * v3_dot(ta, t) + v3_dot(turna, m3_mul_vec(J, turn));
            p[a] = momentum / (m->omega[a] * m->omega[a]);
            norm = fmax(norm, fabs(p[a]));
        }
        growth = norm;
        for (int a = 0; a < m->n; a++) q[a] = p[a] / norm;
    }
    return sqrt(1 / growth);
}

static void a_clamped_beam_has_its_frequency(void **state) {
    (void)state;
    for (int averaged = 0; averaged < 2; averaged++) {
        Fixture f;
        fixture_open(&f);
        Beam b = {{1, 0.02, 0.01}, {40, 1, 1}, 2, 0, 2, averaged, 6};
        RbReducedPart r = reduce(&f, &b);
        double want = 1.875104069 * 1.875104069 * sqrt(E / RHO / 12) * 0.01;
        ENSURE_NEAR(clamped_frequency(&r.body), want,
                    (averaged ? 2e-3 : 5e-4) * want); // an averaged end may warp
        fixture_close(&f);
    }
}

// Deflection at x1 under a unit force there, from the modes.
static double modal_compliance(const RbModalBody *m, int axis) {
    const RbModalFrame *k = &m->frames[1];
    double sum = 0;
    for (int a = 0; a < m->n; a++) {
        Vec3 t, turn;
        clamp(m, a, &t, &turn);
        double moved = k->phi[axis * m->n + a] + v3_get(v3_add(t, v3_cross(turn, k->x)), axis);
        sum += moved * moved / (m->omega[a] * m->omega[a]);
    }
    return sum;
}

// The same from the stiffness of all nodes: a dense system without the unknowns of x0.
static double full_compliance(Fixture *f, const Beam *b, int axis) {
    RbElasticPart p = assemble(f, b);
    int n = 3 * p.blocks, at = 3 * (p.turn_of[1] - 1) + axis, held = 3 * (p.turn_of[0] - 1);
    double *A = rb_new_array(&f->arena, double, n *n), *x = rb_new_array(&f->arena, double, n);
    for (int i = 0; i < p.blocks; i++)
        for (int k = p.K.start[i]; k < p.K.start[i + 1]; k++)
            for (int r = 0; r < 9; r++)
                A[3 * i + r / 3 + n * (3 * p.K.column[k] + r % 3)] = p.K.value[9 * k + r];
    for (int i = held; i < held + 6; i++) {
        for (int j = 0; j < n; j++) A[i + n * j] = A[j + n * i] = 0;
        A[i + n * i] = E;
    }
    x[at] = 1;
    ENSURE(rb_dense_solve(n, A, x, &f->scratch));
    return x[at];
}

static void statics_are_those_of_the_full_model(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        Fixture f;
        fixture_open(&f);
        Beam b = {{0.5, 0.1, 0.08}, {5, 1, 1}, 2, 0.3, 2, false, axis};
        RbReducedPart r = reduce(&f, &b);
        double want = full_compliance(&f, &b, axis);
        ENSURE_NEAR(modal_compliance(&r.body, axis), want, 1e-7 * want);
        fixture_close(&f);
    }
}

// ---- second order

// Ends of a beam that bends come nearer: by 1/2 the integral of w'².
static void bending_shortens(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Beam b = {{1, 0.02, 0.01}, {40, 1, 1}, 2, 0, 2, true, 20};
    RbReducedPart r = reduce(&f, &b);
    const RbModalBody *m = &r.body;
    // the first free mode: w = cosh + cos - s (sinh + sin), mean square 1
    double beta = 4.730040745, s = 0.982502215, sum = 0;
    int steps = 20000;
    for (int i = 0; i < steps; i++) {
        double z = beta * (i + 0.5) / steps;
        double slope = beta * (sinh(z) - sin(z) - s * (cosh(z) + cos(z)));
        sum += slope * slope / steps;
    }
    double want = -sum / m->mass;
    double got = m->frames[1].H[0] - m->frames[0].H[0];
    ENSURE_NEAR(got, want, 0.01 * fabs(want));
    fixture_close(&f);
}

// ---- messages

static void frames_on_a_line_are_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    int bricks[3] = {2, 1, 1}, line[3] = {0, 1, 2};
    RbTetMesh mesh = box_mesh(v3(1, 1, 1), bricks, 1, &f.arena);
    RbPartFrame frame = {"pin", line, 3, false};
    RbElasticPart part = {
        .mesh = &mesh, .material = {E, 0.3, RHO}, .frames = &frame, .frame_count = 1};
    ENSURE(rb_part_assemble(&part, RB_NOWHERE, &f.arena, f.scratch, &f.diag) == RB_ERROR_MODEL);
    ENSURE(strstr(f.diag.messages.data[0].text, "'pin' has 3 nodes, all on one line"));
    fixture_close(&f);
}

static void loose_nodes_are_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    int bricks[3] = {2, 1, 1};
    RbTetMesh mesh = box_mesh(v3(1, 1, 1), bricks, 1, &f.arena);
    mesh.tet_count = 6; // half of it
    RbElasticPart part = {.mesh = &mesh, .material = {E, 0.3, RHO}};
    ENSURE(rb_part_assemble(&part, RB_NOWHERE, &f.arena, f.scratch, &f.diag) == RB_ERROR_MODEL);
    ENSURE(strstr(f.diag.messages.data[0].text, "nodes that no element has"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_its_mass_and_mean_axes),
        cmocka_unit_test(a_free_bar_rings_at_c_by_2L),
        cmocka_unit_test(a_slender_beam_is_that_of_euler_and_bernoulli),
        cmocka_unit_test(a_clamped_beam_has_its_frequency),
        cmocka_unit_test(statics_are_those_of_the_full_model),
        cmocka_unit_test(bending_shortens),
        cmocka_unit_test(frames_on_a_line_are_refused),
        cmocka_unit_test(loose_nodes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
