// SPDX-License-Identifier: MIT
// An optimiser around a run: how far must a spring be drawn, and how stiff must it be, for a sledge
// to come to rest 1 m further on? The first half second is the same for all trials: it is simulated
// once, saved, and every trial starts from there.
#include <math.h>
#include <rattleback/rattleback.h>
#include <stdio.h>

static const char MODEL[] = "model Sledge\n"
                            "  parameter Real k = 20, d = 1.5, target = 1;\n"
                            "  Real s(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                            "  Real cost(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(s) = v;\n"
                            "  der(v) = if time < 0.5 then 1 else k*(target - s) - d*v;\n"
                            "  der(cost) = if time < 0.5 then 0 else (s - target)^2 + 0.02*v^2;\n"
                            "end Sledge;\n";

typedef struct Trial {
    RbRun *run;
    RbSaved *start;
    int damping, cost; // variables
    int runs;
} Trial;

// The cost of a damping, from the saved state to the end.
static double cost_of(Trial *t, double damping) {
    double cost = INFINITY;
    t->runs++;
    if (rb_run_restore(t->run, t->start) != RB_OK) return cost;
    if (rb_run_set(t->run, &t->damping, 1, &damping) != RB_OK) return cost;
    if (rb_run_step(t->run, RB_UNTIL_TIME, INFINITY, NULL) != RB_OK) return cost;
    rb_run_get(t->run, &t->cost, 1, &cost);
    return cost;
}

// Golden section: the minimum of a function with one valley between a and b.
static double minimise(Trial *t, double a, double b, double accuracy) {
    const double golden = 0.5 * (sqrt(5) - 1);
    double c = b - golden * (b - a), d = a + golden * (b - a);
    double at_c = cost_of(t, c), at_d = cost_of(t, d);
    while (b - a > accuracy) {
        if (at_c < at_d) {
            b = d, d = c, at_d = at_c;
            c = b - golden * (b - a), at_c = cost_of(t, c);
        } else {
            a = c, c = d, at_c = at_d;
            d = a + golden * (b - a), at_d = cost_of(t, d);
        }
    }
    return 0.5 * (a + b);
}

int main(void) {
    RbContext *context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    RbModel *model = NULL;
    Trial t = {0};
    source.text = MODEL;
    RbStatus status = rb_modelica_translate(context, &source, &model);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 10;
    options.tolerance = 1e-10;
    if (status == RB_OK) status = rb_run_open(context, model, &options, &t.run);
    if (status == RB_OK) status = rb_run_step(t.run, RB_UNTIL_TIME, 0.5, NULL);
    if (status == RB_OK) status = rb_run_save(t.run, &t.start);
    if (status == RB_OK) {
        t.damping = rb_run_find(t.run, "d");
        t.cost = rb_run_find(t.run, "cost");
        double best = minimise(&t, 1, 20, 1e-4);
        printf("best damping %.3f N.s/m after %d runs\n", best, t.runs);
    }
    rb_run_close(t.run, NULL);
    for (int i = 0; i < rb_context_message_count(context); i++)
        puts(rb_context_message(context, i));
    rb_context_free(context);
    return (int)status;
}
