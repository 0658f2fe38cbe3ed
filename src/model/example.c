// SPDX-License-Identifier: MIT
#include "model/example.h"

#include <string.h>

#include "component/builtin/builtin_types.h"

static RbStatus bouncing_ball(RbModel *m, RbDiag *diag) {
    return rb_model_add(m, &rb_bouncing_ball, "ball", diag, NULL);
}

static RbStatus pendulum(RbModel *m, RbDiag *diag) {
    RB_TRY(rb_model_add(m, &rb_pendulum, "pendulum", diag, NULL));
    return rb_model_override(m, "pendulum.d", 0.1, diag);
}

static RbStatus switched_capacitor(RbModel *m, RbDiag *diag) {
    return rb_model_add(m, &rb_switched_capacitor, "capacitor", diag, NULL);
}

// The boundary drives the rod: it is the equation half of this model.
static RbStatus heated_rod(RbModel *m, RbDiag *diag) {
    RB_TRY(rb_model_add(m, &rb_fixed_temperature, "boundary", diag, &m->driver));
    return rb_model_add(m, &rb_insulated_rod, "rod", diag, NULL);
}

static RbStatus refined_rod(RbModel *m, RbDiag *diag) {
    RB_TRY(heated_rod(m, diag));
    RB_TRY(rb_model_override(m, "rod.n", 5, diag));
    return rb_model_override(m, "rod.refine_time", 1e4, diag);
}

const RbExample rb_examples[] = {
    // Many restarts and nothing stiff: a Runge-Kutta method starts at full order, where BDF would
    // begin with order 1
    // after every impact.
    {"bouncing-ball", "a ball bounces by impulses and comes to rest", bouncing_ball, 3.0, 1e-8,
     "dp5"},
    {"pendulum", "a damped pendulum with its energy account", pendulum, 10.0, 1e-8, NULL},
    {"switched-capacitor", "a capacitor between source and load, switched by a clock",
     switched_capacitor, 0.02, 1e-8, NULL},
    {"heated-rod", "heat conduction along a rod of n elements", heated_rod, 1e5, 1e-6, NULL},
    {"refined-rod", "the same, refined from 5 to 40 elements while it runs", refined_rod, 1e5, 1e-6,
     NULL},
    {0},
};

static RbStatus fail_unknown(const char *name, RbDiag *diag) {
    RbText names = rb_text(diag->arena);
    for (const RbExample *e = rb_examples; e->name; e++) {
        rb_text_printf(&names, "%s%s", names.count ? ", " : "", e->name);
    }
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "there is no example '%s'; there are: %s",
                   name, names.data);
}

RbStatus rb_example_build(const char *name, RbArena *arena, RbDiag *diag, RbModel **out) {
    for (const RbExample *e = rb_examples; e->name; e++) {
        if (strcmp(e->name, name) != 0) continue;
        RbModel *m = rb_model_new(e->name, e->description, arena);
        m->stop_time = e->stop_time;
        m->tolerance = e->tolerance;
        m->solver = e->solver;
        RB_TRY(e->build(m, diag));
        *out = m;
        return RB_OK;
    }
    return fail_unknown(name, diag);
}
