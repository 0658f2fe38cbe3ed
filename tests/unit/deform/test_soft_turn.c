// SPDX-License-Identifier: MIT
// Friction acts beside molecules, whose surroundings turn: also where neighbours lie in a line, or nearly so, that neither makes energy nor shortens steps.
#include "bodies.h"

#include "deform/soft.h"
#include "soft_run.h"

typedef struct Slid {
    double energy; // [1] change of the account, of the energy lost and that is left
    double lost;   // [J] by contacts
    int64_t steps;
} Slid;

// Thrown along a fixed layer, 2 mm above it.
static Slid slide(const RbSoftMaterial *material, Block body, double bend, double friction,
                  double tolerance) {
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = rb_soft_scene_new("slide", &r.f.arena);
    rb_soft_scene_add_material(s, material);
    add_block(
        s, "layer",
        (Block){
            .n = {9, 1, 5}, .a = 0.01, .radius = 0.0075, .low = {-0.01, 0, -0.01}, .fixed = true});
    add_block(s, "body", body);
    for (int i = 0; i < s->molecules.count; i++) {
        RbMolecule *m = &s->molecules.data[i];
        m->friction = friction;
        if (m->fixed) continue;
        m->v = v3(0.3, -0.2, 0.1);
        m->r.z += bend * (i % 2);
    }
    ENSURE(rb_model_of_soft_scene(s, &r.f.arena, &r.f.diag, &r.model) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.journal_file = r.journal;
    r.options.output_interval = 0.01;
    r.options.stop_time = 0.1;
    r.options.tolerance = tolerance;
    soft_go(&r);
    const double *account = run_series(&r, "account");
    Slid out = {.lost = last(&r, "lost_contact"), .steps = r.summary.steps};
    for (size_t i = 0; i < r.result->row_count; i++)
        out.energy = fmax(out.energy, fabs(account[i] / account[0] - 1));
    run_close(&r);
    return out;
}

static void check(const char *what, const RbSoftMaterial *m, Block body, double bend) {
    Slid smooth = slide(m, body, bend, 0, 1e-4), coarse = slide(m, body, bend, 0.3, 1e-4),
         fine = slide(m, body, bend, 0.3, 1e-7);
    print_message("%s: account %.1e, %.1e at 1e-7; %d steps, %d without friction\n", what,
                  coarse.energy, fine.energy, (int)coarse.steps, (int)smooth.steps);
    ENSURE(coarse.lost > 1.2 * smooth.lost); // friction had something to do
    ENSURE(coarse.energy < 2e-3 && fine.energy < 0.2 * coarse.energy);
    ENSURE(2 * coarse.steps < 3 * smooth.steps);
}

// The middle of an edge lies in a line with its ends.
static void elements_of_ten_nodes(void **state) {
    (void)state;
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = 2e4;
    m.model = RB_SOFT_COROTATED;
    m.poisson = 0.4;
    m.order = 2;
    check("elements of ten nodes", &m,
          (Block){.n = {3, 3, 3}, .a = 0.01, .radius = 0.0075, .low = {0, 0.016, 0}}, 0);
}

// A chain, straight and bent a little, as any becomes.
static void chains(void **state) {
    (void)state;
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = 2e4;
    Block chain = {.n = {5, 1, 1}, .a = 0.01, .radius = 0.0075, .low = {0, 0.016, 0.003}};
    check("a straight chain", &m, chain, 0);
    check("a chain that is bent by a hundredth", &m, chain, 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_of_ten_nodes),
        cmocka_unit_test(chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
