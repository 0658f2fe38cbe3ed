// SPDX-License-Identifier: MIT
// Mechanisms with a drive behind each joint are solved with it, joint by joint (dae/row_solutions.c):
// the same accelerations as from the full matrix, and those of a closed form.
#include <math.h>

#include "base/text.h"
#include "classes/library.h"
#include "math/rng.h"
#include "model/evaluator.h"
#include "model/translated.h"
#include "sim/sim.h"
#include "testing.h"
#include "translate/translate.h"

typedef struct Machine {
    Fixture f;
    const char *text;
    bool matrix; // with the full matrix
    RbTranslation t;
    RbSim sim;
} Machine;

static RbStatus open_protected(void *machine) {
    Machine *m = machine;
    Fixture *f = &m->f;
    RbNames *names = rb_new(&f->arena, RbNames);
    *names = rb_names(&f->arena);
    RbLibrary *library = rb_library(names, &f->arena, &f->scratch, &f->diag);
    rb_library_add_path(library, RB_SOURCE_DIR "/library");
    const char *last;
    RB_TRY(rb_library_add_text(library, "Machine.mo", m->text, strlen(m->text), &last));
    RbTranslateOptions options = {.code.backend = RB_BACKEND_TCC, .no_row_solutions = m->matrix};
    RB_TRY(rb_translate(library, last, &options, &f->arena, f->scratch, &f->diag, &m->t));
    RbModel *model;
    RB_TRY(rb_model_translated(&m->t, &f->arena, &f->diag, &model));
    m->sim = (RbSim){
        .model = model, .options = rb_sim_options_default(), .heap = &f->heap, .diag = &f->diag};
    m->sim.options.stop_time = 1e-6;
    m->sim.options.solver = "dp5";
    return rb_sim_run(&m->sim);
}

static void open_machine(Machine *m, const char *text, bool matrix) {
    *m = (Machine){.text = text, .matrix = matrix};
    fixture_open(&m->f);
    if (rb_protect(&m->f.heap, open_protected, m) == RB_OK) return;
    for (int i = 0; i < m->f.diag.messages.count; i++)
        print_error("%s\n", fixture_message(&m->f, i));
    fail_msg("%s", text);
}

static void close_machine(Machine *m) {
    rb_sim_free(&m->sim);
    fixture_close(&m->f);
}

// Joints that stand alone on the ground are systems of size 1 as ever.
static int larger_systems(const Machine *m) {
    int count = 0;
    for (int i = 0; i < m->t.dae->blocks.count; i++) {
        const RbBlock *b = &m->t.dae->blocks.data[i];
        count += b->kind != RB_BLOCK_ASSIGN && b->size > 1;
    }
    return count;
}

static int state_count(const Machine *m) {
    return m->sim.stages[m->sim.stage].system->x_count;
}

static void rates(Machine *m, double t, const double *x, double *dx) {
    RbRunningSegment *stage = &m->sim.stages[m->sim.stage];
    assert_int_equal(rb_evaluate(stage->evaluator, RB_WANT_DERIVATIVES, t, x, dx, NULL), 0);
}

// --- random trees --------------------------------------------------------------------------------

static double any(RbRng *rng, double from, double to) {
    return rb_rng_range(rng, from, to);
}

// What drives joint i: its flange is connected to something with inertia, or to a spring alone.
static void add_drive(RbText *parts, RbText *lines, RbRng *rng, int i, bool slides) {
    const char *of = slides ? "Translational" : "Rotational";
    const char *q = slides ? "s" : "phi", *tau = slides ? "f" : "tau";
    int kind = (int)any(rng, 0, 4);
    if (slides) {
        rb_text_printf(parts, "  Translational.Components.Mass rotor%d(m = %.3f);\n", i,
                       any(rng, 0.1, 3));
        rb_text_printf(lines, "  connect(rotor%d.flange_b, joint%d.axis);\n", i, i);
    } else {
        rb_text_printf(parts, "  Rotational.Components.Inertia rotor%d(J = %.4f);\n", i,
                       any(rng, 1e-4, 0.1));
        if (kind == 0) { // a shaft that gives way: nothing of the rotor reaches the joint
            rb_text_printf(parts,
                           "  Rotational.Components.SpringDamper gear%d(c = %.1f, d = 0.3);\n", i,
                           any(rng, 1, 50));
        } else {
            rb_text_printf(parts, "  Rotational.Components.IdealGear gear%d(ratio = %.2f);\n", i,
                           any(rng, -20, 20));
        }
        rb_text_printf(lines, "  connect(rotor%d.flange_b, gear%d.flange_a);\n", i, i);
        rb_text_printf(lines, "  connect(gear%d.flange_b, joint%d.axis);\n", i, i);
    }
    if (kind > 1) { // spring and damper at the joint too
        rb_text_printf(parts, "  %s.Components.SpringDamper hold%d(c = %.2f, d = %.2f);\n", of, i,
                       any(rng, 0, 20), any(rng, 0, 2));
        rb_text_printf(lines, "  connect(joint%d.support, hold%d.flange_a);\n", i, i);
        rb_text_printf(lines, "  connect(hold%d.flange_b, joint%d.axis);\n", i, i);
    }
    rb_text_printf(parts, "  %s.Sources.%s drive%d;\n", of, slides ? "Force" : "Torque", i);
    rb_text_printf(lines, "  connect(drive%d.flange, rotor%d.flange_a);\n", i, i);
    rb_text_printf(lines, "  drive%d.%s = 0.3*sin(time + %d) - %.2f*rotor%d.%s;\n", i, tau, i,
                   any(rng, 0, 1), i, q);
}

static const char *random_machine(RbRng *rng, int joints, RbArena *arena) {
    RbText parts = rb_text(arena), lines = rb_text(arena), all = rb_text(arena);
    bool floats = any(rng, 0, 1) < 0.4; // the base is a free body
    rb_text_add(&parts, "  inner World world(g = 9.81);\n"
                        "  Parts.Body part0(m = 3, I_11 = 0.3, I_22 = 0.4, "
                        "I_33 = 0.5);\n");
    if (!floats) rb_text_add(&lines, "  connect(world.frame_b, part0.frame_a);\n");
    for (int i = 1; i <= joints; i++) {
        int parent = (int)any(rng, 0, i);
        bool slides = any(rng, 0, 1) < 0.3, driven = i <= 2 || any(rng, 0, 1) < 0.7;
        rb_text_printf(&parts, "  Joints.%s joint%d(n = {%.3f, %.3f, 1}%s);\n",
                       slides ? "Prismatic" : "Revolute", i, any(rng, -1, 1), any(rng, -1, 1),
                       driven ? ", useAxisFlange = true" : "");
        rb_text_printf(&parts, "  Parts.FixedTranslation arm%d(r = {%.3f, %.3f, %.3f});\n", i,
                       any(rng, -1, 1), any(rng, -1, 1), any(rng, -1, 1));
        rb_text_printf(&parts,
                       "  Parts.Body part%d(m = %.3f, r_CM = {0.1, %.3f, 0}, I_11 = 0.1, "
                       "I_22 = 0.2, I_33 = 0.15);\n",
                       i, any(rng, 0.1, 3), any(rng, -0.3, 0.3));
        rb_text_printf(&lines, "  connect(part%d.frame_a, arm%d.frame_a);\n", parent, i);
        rb_text_printf(&lines, "  connect(arm%d.frame_b, joint%d.frame_a);\n", i, i);
        rb_text_printf(&lines, "  connect(joint%d.frame_b, part%d.frame_a);\n", i, i);
        if (driven) add_drive(&parts, &lines, rng, i, slides);
    }
    rb_text_printf(&all, "model Machine\n  import Rattleback.*;\n%sequation\n%send Machine;\n",
                   parts.data, lines.data);
    return all.data;
}

static void same_as_the_full_matrix(void **state) {
    (void)state;
    enum { MACHINES = 25, STATES = 5, MOST = 200 };
    int found = 0;
    for (int k = 0; k < MACHINES; k++) {
        RbRng rng = rb_rng(500 + (uint64_t)k);
        Fixture f;
        fixture_open(&f);
        const char *text = random_machine(&rng, 2 + k % 9, &f.arena);
        Machine solved, full;
        open_machine(&solved, text, false);
        open_machine(&full, text, true);
        int n = state_count(&full);
        assert_int_equal(state_count(&solved), n);
        assert_int_equal(larger_systems(&solved), 0);
        found += larger_systems(&full);
        ENSURE(n < MOST);
        for (int s = 0; s < STATES; s++) {
            double x[MOST], a[MOST], b[MOST], size = 1, t = any(&rng, 0, 5);
            for (int i = 0; i < n; i++) x[i] = any(&rng, -1, 1);
            rates(&solved, t, x, a);
            rates(&full, t, x, b);
            for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
            for (int i = 0; i < n; i++) ENSURE_NEAR(a[i], b[i], 1e-12 * size);
        }
        close_machine(&solved);
        close_machine(&full);
        fixture_close(&f);
    }
    ENSURE(found > MACHINES / 2);
}

// --- closed form ---------------------------------------------------------------------------------

// Two bars of length 1 with bodies of m1 and m2 at their ends, in a plane; rotors J1, J2 behind gears.
static const char double_pendulum[] =
    "model Double\n"
    "  import Rattleback.*;\n"
    "  parameter Real i1 = 7, i2 = -3, J1 = 0.02, J2 = 0.05;\n"
    "  inner World world(n = {0, -1, 0}, g = 9.81);\n"
    "  Joints.Revolute a(n = {0, 0, 1}, useAxisFlange = true);\n"
    "  Joints.Revolute b(n = {0, 0, 1}, useAxisFlange = true);\n"
    "  Parts.FixedTranslation ra(r = {1, 0, 0}), rb(r = {1, 0, 0});\n"
    "  Parts.Body ma(m = 2, I_33 = 0.1), mb(m = 3, I_33 = 0.2);\n"
    "  Rotational.Components.Inertia rotor1(J = J1), rotor2(J = J2);\n"
    "  Rotational.Components.IdealGear gear1(ratio = i1), gear2(ratio = i2);\n"
    "  Rotational.Sources.Torque torque1, torque2;\n"
    "equation\n"
    "  connect(torque1.flange, rotor1.flange_a);\n"
    "  connect(torque2.flange, rotor2.flange_a);\n"
    "  connect(world.frame_b, a.frame_a);\n"
    "  connect(a.frame_b, ra.frame_a);\n"
    "  connect(ra.frame_b, ma.frame_a);\n"
    "  connect(ra.frame_b, b.frame_a);\n"
    "  connect(b.frame_b, rb.frame_a);\n"
    "  connect(rb.frame_b, mb.frame_a);\n"
    "  connect(rotor1.flange_b, gear1.flange_a);\n"
    "  connect(gear1.flange_b, a.axis);\n"
    "  connect(rotor2.flange_b, gear2.flange_a);\n"
    "  connect(gear2.flange_b, b.axis);\n"
    "  torque1.tau = 0.4;\n"
    "  torque2.tau = -0.1*rotor2.w;\n"
    "end Double;\n";

// M a = tau - h with the masses of the textbook, and rotors on the diagonal.
static void closed(double p, double q, double u, double v, double *a) {
    const double m1 = 2, m2 = 3, g = 9.81;
    double c = cos(q), s = sin(q), k1 = 0.02 * 49, k2 = 0.05 * 9;
    double M11 = m1 + 0.1 + m2 * (2 + 2 * c) + 0.2 + k1, M12 = m2 * (1 + c) + 0.2,
           M22 = m2 + 0.2 + k2;
    double h1 = -m2 * s * (2 * u * v + v * v) + (m1 + m2) * g * cos(p) + m2 * g * cos(p + q);
    double h2 = m2 * s * u * u + m2 * g * cos(p + q);
    double r1 = 7 * 0.4 - h1, r2 = -3 * (-0.1 * -3 * v) - h2, D = M11 * M22 - M12 * M12;
    a[0] = (M22 * r1 - M12 * r2) / D;
    a[1] = (M11 * r2 - M12 * r1) / D;
}

static int find_state(const Machine *m, const char *name) {
    const RbSystem *system = m->sim.stages[m->sim.stage].system;
    RbArena scratch = m->f.scratch;
    for (int i = 0; i < system->x_count; i++) {
        const char *full = rb_system_state_name(system, i, &scratch);
        size_t length = strlen(full), wanted = strlen(name);
        if (length >= wanted && strcmp(full + length - wanted, name) == 0) return i;
    }
    fail_msg("no state %s", name);
    return 0;
}

static void rotors_of_a_double_pendulum(void **state) {
    (void)state;
    Machine m;
    open_machine(&m, double_pendulum, false);
    assert_int_equal(larger_systems(&m), 0);
    assert_int_equal(state_count(&m), 4);
    const char *names[] = {"a.phi", "b.phi", "a.w", "b.w"};
    int at[4];
    for (int i = 0; i < 4; i++) at[i] = find_state(&m, names[i]);
    RbRng rng = rb_rng(7);
    for (int k = 0; k < 20; k++) {
        double x[4], dx[4], want[2], value[4];
        for (int i = 0; i < 4; i++) x[at[i]] = value[i] = any(&rng, -3, 3);
        rates(&m, 0, x, dx);
        closed(value[0], value[1], value[2], value[3], want);
        for (int i = 0; i < 2; i++)
            ENSURE_NEAR(dx[at[2 + i]], want[i], 1e-12 * (fabs(want[0]) + fabs(want[1])));
    }
    close_machine(&m);
}

// --- where it does not apply ---------------------------------------------------------------------

// The motion of one joint is prescribed; two joints are tied by a gear; the torque
// follows from another joint's acceleration. All of them stay systems of equations.
static void others_stay_systems(void **state) {
    (void)state;
    static const char *const ends[] = {
        "  Rotational.Sources.Position s;\n  Rotational.Sources.Torque t;\nequation\n"
        "  connect(s.flange, a.axis);\n  connect(t.flange, b.axis);\n"
        "  s.phi_ref = 0.3*sin(time);\n  t.tau = 0.2;\n",
        "  Rotational.Components.IdealGear g(ratio = 2);\nequation\n  connect(a.axis, "
        "g.flange_a);\n"
        "  connect(g.flange_b, b.axis);\n",
        "  Rotational.Sources.Torque s, t;\nequation\n"
        "  connect(s.flange, a.axis);\n  connect(t.flange, b.axis);\n"
        "  s.tau = 0.1*b.a;\n  t.tau = 0.2;\n",
    };
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "model Pair\n  import Rattleback.*;\n  inner World world(g = 9.81);\n"
                 "  Joints.Revolute a(n = {0, 0, 1}, useAxisFlange = true);\n"
                 "  Joints.Revolute b(n = {0, 1, 0}, useAxisFlange = true);\n"
                 "  Parts.FixedTranslation r(r = {1, 0, 0});\n"
                 "  Parts.Body one(m = 2, r_CM = {0.5, 0, 0}), two(m = 1, r_CM = {0.3, 0, 0.2});\n"
                 "%s"
                 "  connect(world.frame_b, a.frame_a);\n  connect(a.frame_b, r.frame_a);\n"
                 "  connect(a.frame_b, one.frame_a);\n  connect(r.frame_b, b.frame_a);\n"
                 "  connect(b.frame_b, two.frame_a);\nend Pair;\n",
                 ends[k]);
        Machine usual, full;
        open_machine(&usual, text, false);
        open_machine(&full, text, true);
        int n = state_count(&full);
        assert_int_equal(state_count(&usual), n);
        assert_int_equal(larger_systems(&usual), larger_systems(&full));
        double x[8] = {0.1, -0.2, 0.3, 0.4}, a[8], b[8];
        rates(&usual, 0.7, x, a);
        rates(&full, 0.7, x, b);
        for (int i = 0; i < n; i++) ENSURE_NEAR(a[i], b[i], 0);
        close_machine(&usual);
        close_machine(&full);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_the_full_matrix),
                                       cmocka_unit_test(rotors_of_a_double_pendulum),
                                       cmocka_unit_test(others_stay_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
