// SPDX-License-Identifier: MIT
// What it costs to hold a run in one's hand: a controller that looks and sets a thousand times per
// simulated second, against a model that samples at the same instants; an input function of the
// states, against a model whose equations say the same. Ratios of CPU time, best of several runs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rattleback/rattleback.h"

#define PENDULUM                                                                                   \
    "  parameter Real g = 9.81, m = 1, L = 1, J = m*L^2/12;\n"                                     \
    "  Real phi1(start = 0.5, fixed = true), w1(start = 0, fixed = true);\n"                       \
    "  Real phi2(start = -0.3, fixed = true), w2(start = 0, fixed = true);\n"                      \
    "  Real c = cos(phi1 - phi2), s = sin(phi1 - phi2);\n"                                         \
    "equation\n"                                                                                   \
    "  der(phi1) = w1; der(phi2) = w2;\n"                                                          \
    "  (J + 1.25*m*L^2)*der(w1) + 0.5*m*L^2*(c*der(w2) + s*w2^2)\n"                                \
    "    = 1.5*m*g*L*sin(phi1) + tau1 - tau2;\n"                                                   \
    "  (J + 0.25*m*L^2)*der(w2) + 0.5*m*L^2*(c*der(w1) - s*w1^2)\n"                                \
    "    = 0.5*m*g*L*sin(phi2) + tau2;\n"

static const char HELD[] =
    "model Held input Real tau1(start = 0), tau2(start = 0);\n" PENDULUM "end Held;\n";
static const char SAMPLED[] =
    "model Sampled discrete Real tau1(start = 0), tau2(start = 0);\n" PENDULUM
    "  when sample(0, 1e-3) then\n"
    "    tau1 = -120*phi1 - 30*w1; tau2 = -60*(phi2 - phi1) - 10*(w2 - w1);\n"
    "  end when;\nend Sampled;\n";
static const char CONTINUOUS[] =
    "model Continuous Real tau1, tau2;\n" PENDULUM
    "  tau1 = -120*phi1; tau2 = -60*(phi2 - phi1);\nend Continuous;\n"; // goes on swinging

typedef struct Outcome {
    double cpu;  // [s]
    double phi1; // [rad] at the end
    long steps;
} Outcome;

static void law(const double *x, double *tau) {
    tau[0] = -120 * x[0] - 30 * x[2];
    tau[1] = -60 * (x[1] - x[0]) - 10 * (x[3] - x[2]);
}

static const char *const NAMES[] = {"phi1", "phi2", "w1", "w2", "tau1", "tau2"};

static void hold(RbRun *run) {
    int at[6];
    for (int i = 0; i < 6; i++) at[i] = rb_run_find(run, NAMES[i]);
    for (int k = 1; !rb_run_finished(run); k++) {
        double x[4], tau[2];
        rb_run_get(run, at, 4, x);
        law(x, tau);
        rb_run_set(run, at + 4, 2, tau);
        if (rb_run_step(run, RB_UNTIL_TIME, 1e-3 * k, NULL) != RB_OK) return;
    }
}

typedef struct Order {
    int state[4], input[2]; // where they are in the vectors
} Order;

static void input(void *user, double time, const double *states, double *inputs) {
    (void)time;
    const Order *o = user;
    double phi1 = states[o->state[0]], phi2 = states[o->state[1]];
    inputs[o->input[0]] = -120 * phi1;
    inputs[o->input[1]] = -60 * (phi2 - phi1);
}

static void follow(RbRun *run, Order *o) {
    for (int i = 0; i < 6; i++) {
        int v = rb_run_find(run, NAMES[i]);
        for (int k = 0; k < 4; k++) {
            if (i < 4 && rb_run_state(run, k) == v) o->state[i] = k;
            if (i >= 4 && k < 2 && rb_run_input(run, k) == v) o->input[i - 4] = k;
        }
    }
    rb_run_set_input_function(run, input, o);
    rb_run_step(run, RB_UNTIL_TIME, INFINITY, NULL);
}

typedef struct Trial {
    const char *text, *how;
    double stop; // [s]
    RbContext *context;
    RbModel *model;
    RbSimOptions options;
    Outcome best;
} Trial;

static bool open_trial(Trial *t) {
    RbModelica source = rb_modelica_default();
    t->context = rb_context_create(NULL);
    t->best.cpu = INFINITY;
    source.text = t->text;
    if (rb_modelica_translate(t->context, &source, &t->model) != RB_OK) return false;
    t->options = rb_model_options(t->model);
    t->options.stop_time = t->stop;
    return true;
}

static void run_trial(Trial *t) {
    RbRun *run;
    RbSummary summary;
    Order order;
    double phi1;
    if (rb_run_open(t->context, t->model, &t->options, &run) != RB_OK) return;
    if (strcmp(t->how, "held") == 0)
        hold(run);
    else if (strcmp(t->how, "function") == 0)
        follow(run, &order);
    else
        rb_run_step(run, RB_UNTIL_TIME, INFINITY, NULL);
    rb_run_get_named(run, "phi1", &phi1);
    if (rb_run_close(run, &summary) == RB_OK && summary.cpu_time < t->best.cpu)
        t->best = (Outcome){summary.cpu_time, phi1, summary.steps};
}

// One after the other, again and again, so that both meet the same machine.
static void compare(const char *what, Trial a, Trial b) {
    if (!open_trial(&a) || !open_trial(&b)) return;
    for (int i = 0; i < 25; i++) {
        run_trial(&a);
        run_trial(&b);
    }
    printf("%-28s %8.4f s %6ld steps, phi1 = %.6f; batch %8.4f s %6ld steps, phi1 = %.6f; ratio "
           "%.3f\n",
           what, a.best.cpu, a.best.steps, a.best.phi1, b.best.cpu, b.best.steps, b.best.phi1,
           a.best.cpu / b.best.cpu);
    rb_context_free(a.context);
    rb_context_free(b.context);
}

int main(void) {
    compare("1,000 steps per second", (Trial){.text = HELD, .how = "held", .stop = 5},
            (Trial){.text = SAMPLED, .how = "batch", .stop = 5});
    compare("input function of the state", (Trial){.text = HELD, .how = "function", .stop = 100},
            (Trial){.text = CONTINUOUS, .how = "batch", .stop = 100});
    return 0;
}
