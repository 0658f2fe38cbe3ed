// SPDX-License-Identifier: MIT
// Parameters that are set while a model runs. Each parameter that each model offers is set at an instant: from then on the run is
// that of a model which had the value from the start and was put into the same state; or it is refused by name, and
// the run goes on as if nobody had asked. Some against closed forms.
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rattleback/rattleback.h"

typedef struct Held {
    RbContext *context;
    RbModel *model;
    RbRun *run;
} Held;

#define OK(h, call) ensure_ok(h, call, __LINE__)

static const char *last_message(const Held *h) {
    int count = rb_context_message_count(h->context);
    return count > 0 ? rb_context_message(h->context, count - 1) : "";
}

static void ensure_ok(const Held *h, RbStatus status, int line) {
    if (status == RB_OK) return;
    print_error("line %d: %s: %s\n", line, rb_status_name(status), last_message(h));
    _fail(__FILE__, line);
}

static Held translate(const char *text) {
    Held h = {.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    source.text = text;
    OK(&h, rb_modelica_translate(h.context, &source, &h.model));
    return h;
}

static RbStatus start(Held *h) {
    RbSimOptions options = rb_model_options(h->model);
    options.tolerance = 1e-6;
    options.stop_time = 10;
    return rb_run_open(h->context, h->model, &options, &h->run);
}

static Held open_run(const char *text) {
    Held h = translate(text);
    OK(&h, start(&h));
    return h;
}

static void close_all(Held *h) {
    if (h->run) OK(h, rb_run_close(h->run, NULL));
    rb_context_free(h->context);
}

static double value(const Held *h, const char *name) {
    double v = NAN;
    OK(h, rb_run_get_named(h->run, name, &v));
    return v;
}

static void step(const Held *h, double time) {
    OK(h, rb_run_step(h->run, RB_UNTIL_TIME, time, NULL));
}

// -------------------------------------------------------------------------------------------------
// every parameter of every class

// clang-format off
#define MODEL(text) "model M import Rattleback.*; inner World world(g = 9.81, n = {0, -1, 0}, mu = 0.5);\n" text " end M;"
// clang-format on

// An arm and what hangs on it.
#define ARM(joint)                                                                                 \
    MODEL(                                                                                         \
        joint                                                                                      \
        " Parts.Body rod(m = 2, r_CM = {0.4, 0.1, 0.05}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.25);\n"  \
        "equation connect(world.frame_b, joint.frame_a); connect(joint.frame_b, rod.frame_a);")
// A body that flies, tied to the world by a force element.
#define TIED(force)                                                                                \
    MODEL(force                                                                                    \
          " Parts.Body rod(m = 2, r_CM = {0.1, 0, 0.02}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.25,\n"   \
          "r_0(start = {0.5, 0.4, 0.3}), v_0(start = {1, 0, 0.5}), w_0_start = {1, 2, 3});\n"      \
          "equation connect(world.frame_b, force.frame_a); connect(force.frame_b, "                \
          "rod.frame_a);")

static const char *const models[] = {
    "model M parameter Real k = 4, d = 0.3, L = 2*k, u = 0.2; Real x(start = 1), v(start = 0);\n"
    "equation der(x) = v; der(v) = -k*x - d*v + u*L; end M;",
    ARM("Joints.Revolute joint(c = 3, d = 0.2, phi_rest = 0.1, w_rest = 0.3, tau_0 = 0.4, phi_max "
        "= "
        "0.2, c_stop = 50, d_stop = 0.1, w(start = 1));"),
    ARM("Joints.Prismatic joint(n = {1, 2, 0}, c = 30, d = 0.2, s_rest = 0.1, v_rest = 0.3, f_0 = "
        "0.4, s_min = -0.05, c_stop = 500, d_stop = 0.1);"),
    ARM("Joints.Cylindrical joint(n = {1, 1, 0});"),
    ARM("Joints.Universal joint(n_a = {0, 0, 1}, n_b = {1, 0, 0});"),
    ARM("Joints.Planar joint(n = {0, 0, 1}, n_x = {1, 0, 0}, w(start = 1));"),
    ARM("Joints.Spherical joint(w_rel_a_start = {0.1, 0.2, 2});"),
    ARM("Joints.FreeMotion joint(w_rel_a_start = {0.1, 0.2, 2});"),
    TIED("Forces.Spring force(c = 40, s_unstretched = 0.2, m = 0.1);"),
    TIED("Forces.Damper force(d = 4);"),
    TIED("Forces.SpringDamperParallel force(c = 40, d = 2, s_unstretched = 0.3);"),
    TIED("Forces.SpringDamperSeries force(c = 40, d = 20, s_unstretched = 0.3);"),
    TIED("Forces.Bushing force(c = {30, 40, 50}, d = {1, 2, 3}, c_angular = {4, 5, 6}, d_angular = "
         "{0.1, 0.2, 0.3}, f_0 = {1, 0, 0}, tau_0 = {0, 0.1, 0}, largeAngles = true);"),
    MODEL(
        "Joints.Revolute hinge; Parts.FixedTranslation shift(r = {0.3, 0, 0}); Parts.FixedRotation "
        "turn(r = {0.2, 0.1, 0}, angles = {0.1, 0.2, 0.3}); Parts.Fixed base(r = {0.1, 0.2, 0.3}, "
        "angles = {0.1, 0.2, 0.3});\n"
        "Joints.Revolute second(n = {0, 1, 1}); Parts.BodyBox box(r = {0.3, 0, 0}, width = 0.05, "
        "innerWidth = 0.01); Parts.BodyCylinder pipe(r = {0, 0.3, 0}, diameter = 0.05, "
        "innerDiameter = 0.02);\n"
        "equation connect(base.frame_b, hinge.frame_a); connect(hinge.frame_b, shift.frame_a); "
        "connect(shift.frame_b, turn.frame_a); connect(turn.frame_b, second.frame_a); "
        "connect(shift.frame_b, pipe.frame_a); connect(second.frame_b, box.frame_a);"),
    MODEL("Joints.Revolute hinge; Parts.Solid bar(shape = Shapes.Box(0.3, 0.05, 0.04), mass = 2, "
          "r_shape = {0.15, 0, 0}, angles_shape = {0, 0, 0.1}); Parts.BodyShape shape(m = 1, r = "
          "{1, 0, "
          "0}, r_CM = {0.3, 0, 0});\n"
          "equation connect(world.frame_b, hinge.frame_a); connect(hinge.frame_b, bar.frame_a); "
          "connect(hinge.frame_b, shape.frame_a);"),
    MODEL(
        "Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 1, 0}, v = {1, 0, 0}, w = {0, 0, 1}, "
        "mass = 0.5); Parts.Solid table(shape = Shapes.Box(1, 0.1, 1), fixed = true, r = {0, -40, "
        "0});"),
    // a joint of equations
    MODEL("Joints.Revolute joint(useAxisFlange = true, w(start = 1)); Parts.Body rod(m = 2, r_CM = "
          "{0.4, 0, 0}); Rotational.Damper damper(d = 0.5); Rotational.Spring spring(c = 3); "
          "Rotational.Fixed fixed;\n"
          "equation connect(world.frame_b, joint.frame_a); connect(joint.frame_b, rod.frame_a); "
          "connect(joint.axis, damper.flange_b); connect(joint.axis, spring.flange_b); "
          "connect(fixed.flange, damper.flange_a); connect(fixed.flange, spring.flange_a);"),
    // a loop
    MODEL("Joints.Revolute crank(w(start = 2)), rocker; Parts.BodyShape arm(m = 1, r = {0.3, 0, "
          "0}, r_CM "
          "= {0.15, 0, 0}), lever(m = 2, r = {0, 0.5, 0}, r_CM = {0, 0.25, 0}); Parts.Fixed "
          "ground(r = "
          "{0.8, 0, 0}); Joints.SphericalSpherical coupler(rodLength = 0.8, m = 0.2);\n"
          "equation connect(world.frame_b, crank.frame_a); connect(crank.frame_b, arm.frame_a); "
          "connect(ground.frame_b, rocker.frame_a); connect(rocker.frame_b, lever.frame_a); "
          "connect(arm.frame_b, coupler.frame_a); connect(coupler.frame_b, lever.frame_b);"),
};

enum { MOST_STATES = 64 };
static const double asked = 0.1, later = 0.3; // [s]

// What the run comes to without being asked; -1: it has too many states.
static int states_of(const Held *h, double x[MOST_STATES]) {
    int count = rb_run_sizes(h->run).states;
    ENSURE(count <= MOST_STATES);
    OK(h, rb_run_states(h->run, x));
    return count;
}

// The same value from the start, in the state that the other run has now. Afterwards the model has the old value again.
static int refer(Held *h, const char *name, double was, double v, const double *from, double *x) {
    OK(h, rb_model_set(h->model, name, v));
    OK(h, start(h));
    step(h, asked);
    OK(h, rb_run_set_states(h->run, from));
    step(h, later);
    int count = states_of(h, x);
    OK(h, rb_run_close(h->run, NULL));
    OK(h, rb_model_set(h->model, name, was));
    return count;
}

static double distance(const double *x, const double *y, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i] - y[i]) / (1 + fabs(y[i])));
    return most;
}

typedef struct Tally {
    int acted, without_effect, refused;
    double worst;
} Tally;

// 1.25 of what it was; or the other of two.
static bool set_other(const Held *h, const char *name, double *v) {
    double was = value(h, name);
    *v = was == 0 ? 0.2 : 1.25 * was;
    if (rb_run_set_named(h->run, name, *v) == RB_OK) return true;
    ENSURE(strstr(last_message(h), name));
    ENSURE(value(h, name) == was);
    *v = was == 0 ? 1 : was == 1 ? 0 : was + 1;
    if (rb_run_set_named(h->run, name, *v) == RB_OK) return true;
    ENSURE(strstr(last_message(h), name));
    ENSURE(value(h, name) == was);
    return false;
}

static void try_parameter(Held *h, const char *name, const double *unchanged, Tally *tally) {
    double from[MOST_STATES], x[MOST_STATES], y[MOST_STATES], v;
    OK(h, start(h));
    step(h, asked);
    states_of(h, from);
    double was = value(h, name);
    bool set = set_other(h, name, &v);
    step(h, later);
    int count = states_of(h, x);
    double effect = distance(x, unchanged, count);
    ENSURE(value(h, name) == (set ? v : was));
    OK(h, rb_run_close(h->run, NULL));
    if (!set) {
        tally->refused++;
        ENSURE(effect < 1e-4);
        return;
    }
    ENSURE(refer(h, name, was, v, from, y) == count);
    double error = distance(x, y, count);
    if (error > 1e-9) print_error("%s := %g: differs by %g\n", name, v, error);
    tally->worst = fmax(tally->worst, error);
    *(effect > 1e-4 ? &tally->acted : &tally->without_effect) += 1;
}

// Names of parameters, which live as long as the test.
static int list_parameters(const Held *h, char **names, int most) {
    int count = 0;
    for (int i = 0; i < rb_run_count(h->run); i++) {
        RbRunVariable v;
        OK(h, rb_run_variable(h->run, i, &v));
        if (v.kind != RB_RUN_PARAMETER) continue;
        ENSURE(count < most);
        names[count++] = strdup(v.name);
    }
    return count;
}

// Backwards, where what follows from others comes first or not at all: once it was typed, it does not follow any more.
static void try_all(const char *text, Tally *tally) {
    enum { MOST = 256 };
    double unchanged[MOST_STATES];
    char *names[MOST];
    Held h = open_run(text);
    step(&h, later);
    states_of(&h, unchanged);
    int count = list_parameters(&h, names, MOST);
    OK(&h, rb_run_close(h.run, NULL));
    h.run = NULL;
    for (int i = count - 1; i >= 0; i--) {
        try_parameter(&h, names[i], unchanged, tally);
        h.run = NULL;
        free(names[i]);
    }
    close_all(&h);
}

static void each_parameter_acts_or_is_refused(void **state) {
    (void)state;
    Tally tally = {0};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) try_all(models[i], &tally);
    print_message("%d act, %d without effect, %d refused, worst %.2g\n", tally.acted,
                  tally.without_effect, tally.refused, tally.worst);
    ENSURE(tally.worst < 1e-9);
    ENSURE(tally.acted > 100);
}

// Where a part starts is refused by name while it moves freely; where it is fixed is where it goes.
static void starts_are_refused(void **state) {
    (void)state;
    Held h = open_run(MODEL(
        "Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 1, 0}), later(shape = "
        "Shapes.Sphere(0.1), present = false); Parts.Body rod(m = 1, I_11 = 1, I_22 = 1, I_33 = 1, "
        "r_0(start = {3, 0, 0})); Parts.Solid table(shape = Shapes.Box(1, 0.1, 1), fixed = true, r "
        "= {0, -40, 0});"));
    static const char *const refused[] = {
        "ball.r[2]",  "ball.angles[1]",   "ball.v[3]",        "ball.w[1]",
        "later.r[1]", "rod.w_0_start[2]", "rod.r_0.start[1]", "rod.angles_start[3]"};
    step(&h, asked);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        double was = value(&h, refused[i]);
        ENSURE(rb_run_set_named(h.run, refused[i], was + 0.5) == RB_ERROR_USAGE);
        ENSURE(strstr(last_message(&h), refused[i]));
        ENSURE(strstr(last_message(&h), "how a run starts"));
        ENSURE(value(&h, refused[i]) == was);
    }
    OK(&h, rb_run_set_named(h.run, "table.r[2]", -30));
    step(&h, later);
    int table = rb_run_object(h.run, "table");
    RbObjectMotion motion;
    OK(&h, rb_run_motion(h.run, table, &motion));
    ENSURE(fabs(motion.position[1] + 30) < 1e-12);
    close_all(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_parameter_acts_or_is_refused),
        cmocka_unit_test(starts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
