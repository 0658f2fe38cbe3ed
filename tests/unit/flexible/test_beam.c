// SPDX-License-Identifier: MIT
// A beam as a modal body: what mean axes and orthonormal modes say, frequencies and statics in closed form.
#include "testing.h"

#include "flexible/beam.h"

static RbBeam slender(void) {
    RbBeam beam = {.length = 2,
                   .density = 7800,
                   .youngs_modulus = 2e11,
                   .shear_modulus = 8e10,
                   .zeta = 0.02,
                   .bending = 8,
                   .axial = 6,
                   .twisting = 6,
                   .stiffening = true};
    rb_beam_rectangle(0.02, 0.03, &beam);
    return beam;
}

static const double places[] = {0, 1, 0.25};

static void modes_are_orthonormal_about_mean_axes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBeam beam = slender();
    RbModalBody *b = rb_beam_modes(&beam, places, 3, &f.arena);
    ENSURE(b->n == 28);
    ENSURE_NEAR(b->mass, 7800 * 0.02 * 0.03 * 2, 1e-10);
    for (int i = 0; i < b->n; i++) {
        const double *P0 = b->P0 + 9 * i; // sum m X x phi = 0
        ENSURE_NEAR(P0[5] - P0[7], 0, 1e-12);
        ENSURE_NEAR(P0[6] - P0[2], 0, 1e-12);
        ENSURE_NEAR(P0[1] - P0[3], 0, 1e-12);
        for (int j = 0; j < b->n; j++) {
            const double *P = b->P + 9 * (i * b->n + j), *w = b->w + 9 * (i * b->n + j);
            ENSURE_NEAR(P[0] + P[4] + P[8], i == j, 1e-11);
            for (int k = 0; k < 9; k++)
                ENSURE_NEAR(P[k], b->P[9 * (j * b->n + i) + k % 3 * 3 + k / 3], 1e-12);
            ENSURE_NEAR(w[0], b->w[9 * (j * b->n + i)], 1e-12);
        }
    }
    fixture_close(&f);
}

// Bending of a free beam: cos x cosh x = 1; along and about the axis: k pi c / L.
static void frequencies_are_those_of_the_free_beam(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBeam b = slender();
    RbModalBody *body = rb_beam_modes(&b, places, 3, &f.arena);
    double pi = acos(-1), roots[] = {4.730040744862704, 7.853204624095838};
    for (int k = 0; k < 2; k++) {
        double factor = roots[k] * roots[k] / (b.length * b.length);
        double y = factor * sqrt(b.youngs_modulus * b.I_z / (b.density * b.area)),
               z = factor * sqrt(b.youngs_modulus * b.I_y / (b.density * b.area));
        ENSURE_NEAR(body->omega[k], y, 1e-5 * y);
        ENSURE_NEAR(body->omega[8 + k], z, 1e-5 * z);
    }
    double c = sqrt(b.youngs_modulus / b.density),
           s = sqrt(b.shear_modulus * b.torsion / (b.density * (b.I_y + b.I_z)));
    ENSURE_NEAR(body->omega[16], pi * c / b.length, 1e-4 * pi * c / b.length);
    ENSURE_NEAR(body->omega[22], pi * s / b.length, 1e-4 * pi * s / b.length);
    fixture_close(&f);
}

// Equal and opposite forces at the ends are in balance: the beam is longer by F L / (E A). Moments M at the ends turn them by
// M L / (E I) against each other, and bring them together by L kappa^2 L^2 / 24 beyond the chord of the arc: the length of the
// arc stays, chord = L (1 - (kappa L)^2 / 24).
static void statics_is_exact(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBeam b = slender();
    RbModalBody *body = rb_beam_modes(&b, places, 3, &f.arena);
    int n = body->n;
    double F = 1000, M = 50, longer = 0, turn = 0, q[28], nearer = 0;
    const RbModalFrame *left = &body->frames[0], *right = &body->frames[1];
    for (int a = 0; a < n; a++) {
        double k = body->omega[a] * body->omega[a], stretch = right->phi[a] - left->phi[a],
               open = right->theta[2 * n + a] - left->theta[2 * n + a];
        longer += F * stretch * stretch / k;
        q[a] = M * open / k;
        turn += q[a] * open;
    }
    double kappa = M / (b.youngs_modulus * b.I_z);
    ENSURE_NEAR(longer, F * b.length / (b.youngs_modulus * b.area), 1e-10 * longer);
    ENSURE_NEAR(turn, kappa * b.length, 1e-10 * turn);
    for (int i = 0; i < n * n; i++)
        nearer += 0.5 * q[i / n] * q[i % n] * (left->H[i] - right->H[i]);
    ENSURE_NEAR(nearer, b.length * pow(kappa * b.length, 2) / 24, 1e-10 * nearer);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_orthonormal_about_mean_axes),
        cmocka_unit_test(frequencies_are_those_of_the_free_beam),
        cmocka_unit_test(statics_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
