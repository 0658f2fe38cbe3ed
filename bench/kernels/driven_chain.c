// SPDX-License-Identifier: MIT
// driven_chain.c: what motors cost. A spatial chain of n revolute joints that fall freely, and the same
// chain with a motor, a gear, a damper and a controller at every joint, both in Modelica. CPU time of one
// evaluation of all derivatives, equations included; the two are measured in turn and the best of each
// is taken.
//
//     bench_driven_chain [largest n]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "classes/library.h"
#include "model/evaluator.h"
#include "model/translated.h"
#include "sim/sim.h"
#include "translate/translate.h"

static const char text[] =
    "package Chain\n"
    "  import Rattleback.*;\n"
    "  model Free\n"
    "    constant Integer n = %d;\n"
    "    inner World world(g = 9.81);\n"
    "    Joints.Revolute hinge[n](n = {if mod(i, 3) == 0 then {0, 0, 1}\n"
    "      elseif mod(i, 3) == 1 then {0, 1, 0} else {1, 0, 0} for i in 1:n});\n"
    "    Parts.Body link[n](each m = 1, each r_CM = {0.1, 0, 0}, each I_11 = 0.01,\n"
    "      each I_22 = 0.02, each I_33 = 0.02);\n"
    "    Parts.FixedTranslation rod[n](each r = {0.2, 0.05, 0});\n"
    "  equation\n"
    "    connect(world.frame_b, hinge[1].frame_a);\n"
    "    connect(hinge.frame_b, link.frame_a);\n"
    "    connect(hinge.frame_b, rod.frame_a);\n"
    "    connect(rod[1:n - 1].frame_b, hinge[2:n].frame_a);\n"
    "  end Free;\n"
    "  model Driven\n"
    "    extends Free(hinge(each useAxisFlange = true));\n"
    "    Rotational.Components.IdealGear gear[n](each ratio = 50);\n"
    "    Rotational.Components.Inertia motor[n](each J = 1e-4);\n"
    "    Rotational.Components.Damper damper[n](each d = 1e-3);\n"
    "    Rotational.Components.Fixed housing[n];\n"
    "    Rotational.Sources.Torque torque[n];\n"
    "  equation\n"
    "    connect(torque.flange, motor.flange_a);\n"
    "    connect(damper.flange_a, motor.flange_a);\n"
    "    connect(damper.flange_b, housing.flange);\n"
    "    connect(motor.flange_b, gear.flange_a);\n"
    "    connect(gear.flange_b, hinge.axis);\n"
    "    for i in 1:n loop\n"
    "      torque[i].tau = 0.1*sin(time) - 0.2*hinge[i].phi - 0.01*motor[i].w;\n"
    "    end for;\n"
    "  end Driven;\n"
    "end Chain;\n";

typedef struct Chain {
    RbHeap heap;
    RbArena arena, scratch;
    RbDiag diag;
    const char *class;
    int n;
    RbSim sim;
    double translation; // [s]
    double best;        // [s] of an evaluation
} Chain;

static double cpu(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static RbStatus open_chain(void *chain) {
    Chain *c = chain;
    char source[4096];
    int length = snprintf(source, sizeof source, text, c->n);
    c->arena = rb_arena(&c->heap);
    c->scratch = rb_arena(&c->heap);
    c->diag = rb_diag(&c->arena);
    RbNames *names = rb_new(&c->arena, RbNames);
    *names = rb_names(&c->arena);
    RbLibrary *library = rb_library(names, &c->arena, &c->scratch, &c->diag);
    RB_TRY(rb_library_add_text(library, "Chain.mo", source, (size_t)length, NULL));
    double start = cpu();
    RbTranslateOptions options = {.code.backend = RB_BACKEND_TCC};
    RbTranslation t;
    RB_TRY(rb_translate(library, c->class, &options, &c->arena, c->scratch, &c->diag, &t));
    c->translation = cpu() - start;
    RbModel *model;
    RB_TRY(rb_model_translated(&t, &c->arena, &c->diag, &model));
    c->sim = (RbSim){
        .model = model, .options = rb_sim_options_default(), .heap = &c->heap, .diag = &c->diag};
    c->sim.options.stop_time = 0.1;
    c->sim.options.solver = "dp5";
    return rb_sim_run(&c->sim);
}

// A state is moved each time, so that nothing is found to be known already.
static void measure(Chain *c, int calls) {
    RbRunningSegment *stage = &c->sim.stages[c->sim.stage];
    double kept = stage->now.x[0], start = cpu();
    for (int i = 0; i < calls; i++) {
        stage->now.x[0] = kept + 1e-9 * i;
        rb_evaluate(stage->evaluator, RB_WANT_DERIVATIVES, 0.1, stage->now.x, NULL, NULL);
    }
    double time = (cpu() - start) / calls;
    stage->now.x[0] = kept;
    if (c->best == 0 || time < c->best) c->best = time;
}

static void close_chain(Chain *c) {
    rb_sim_free(&c->sim);
    rb_arena_free(&c->scratch);
    rb_arena_free(&c->arena);
}

int main(int argc, char **argv) {
    const int sizes[] = {2, 6, 10, 30, 60, 100}, rounds = 20;
    int largest = argc > 1 ? atoi(argv[1]) : 60;
    printf("   n  free [us]  driven [us]  ratio  translation of the driven one [s]\n");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && sizes[k] <= largest; k++) {
        Chain chains[2] = {{.class = "Chain.Free"}, {.class = "Chain.Driven"}};
        for (int i = 0; i < 2; i++) {
            chains[i].heap = rb_heap(NULL);
            chains[i].n = sizes[k];
            if (rb_protect(&chains[i].heap, open_chain, &chains[i]) == RB_OK) continue;
            for (int m = 0; m < chains[i].diag.messages.count; m++)
                fprintf(stderr, "%s\n", chains[i].diag.messages.data[m].text);
            return 1;
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 2; i++) measure(&chains[i], 60000 / sizes[k] + 100);
        }
        printf("%4d %10.2f %12.2f %6.2f %8.3f\n", sizes[k], 1e6 * chains[0].best,
               1e6 * chains[1].best, chains[1].best / chains[0].best, chains[1].translation);
        fflush(stdout);
        for (int i = 0; i < 2; i++) close_chain(&chains[i]);
    }
    return 0;
}
