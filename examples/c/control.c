// SPDX-License-Identifier: MIT
// A controller outside of the model: a double pendulum is held upright by a PD law that looks at the
// angles a thousand times per second and sets two torques.
#include <math.h>
#include <rattleback/rattleback.h>
#include <stdio.h>

// Two rods of 1 m and 1 kg; phi1 and phi2 from the vertical, torques at shoulder and elbow.
static const char MODEL[] =
    "model DoublePendulum\n"
    "  parameter Real g = 9.81, m = 1, L = 1, J = m*L^2/12;\n"
    "  input Real tau1(start = 0), tau2(start = 0);\n"
    "  Real phi1(start = 0.5, fixed = true), w1(start = 0, fixed = true);\n"
    "  Real phi2(start = -0.3, fixed = true), w2(start = 0, fixed = true);\n"
    "  Real c = cos(phi1 - phi2), s = sin(phi1 - phi2);\n"
    "equation\n"
    "  der(phi1) = w1; der(phi2) = w2;\n"
    "  (J + 1.25*m*L^2)*der(w1) + 0.5*m*L^2*(c*der(w2) + s*w2^2)\n"
    "    = 1.5*m*g*L*sin(phi1) + tau1 - tau2;\n"
    "  (J + 0.25*m*L^2)*der(w2) + 0.5*m*L^2*(c*der(w1) - s*w1^2) = 0.5*m*g*L*sin(phi2) + tau2;\n"
    "end DoublePendulum;\n";

static RbStatus control(RbRun *run) {
    const char *names[] = {"phi1", "phi2", "w1", "w2", "tau1", "tau2"};
    int at[6];
    for (int i = 0; i < 6; i++) at[i] = rb_run_find(run, names[i]);
    RbStatus status = RB_OK;
    for (int k = 1; status == RB_OK && !rb_run_finished(run); k++) {
        double x[4];
        status = rb_run_get(run, at, 4, x);
        if (status != RB_OK) break;
        double elbow = -60 * (x[1] - x[0]) - 10 * (x[3] - x[2]);
        double torque[2] = {-120 * x[0] - 30 * x[2], elbow};
        status = rb_run_set(run, at + 4, 2, torque);
        if (status == RB_OK) status = rb_run_step(run, RB_UNTIL_TIME, 1e-3 * k, NULL);
    }
    double end[2] = {NAN, NAN};
    if (status == RB_OK) status = rb_run_get(run, at, 2, end);
    printf("t = %g s: phi1 = %.1e rad, phi2 = %.1e rad\n", rb_run_time(run), end[0], end[1]);
    return status;
}

int main(void) {
    RbContext *context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    RbModel *model = NULL;
    RbRun *run = NULL;
    source.text = MODEL;
    RbStatus status = rb_modelica_translate(context, &source, &model);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 5;
    if (status == RB_OK) status = rb_run_open(context, model, &options, &run);
    if (status == RB_OK) status = control(run);
    rb_run_close(run, NULL);
    for (int i = 0; i < rb_context_message_count(context); i++)
        puts(rb_context_message(context, i));
    rb_context_free(context);
    return (int)status;
}
