// SPDX-License-Identifier: MIT
// translate_text.c: time and memory from the text of a model to code: an array of n cells (inertia,
// spring and damper in parallel) of the library, connected in a loop, as a user writes them.
// CPU time of one thread; memory is the peak of the heap, without that of the compiler.
//
//     bench_translate_text [cells ...]          from the top folder of the sources
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program/program.h"
#include "flatten/flatten.h"

static const char *const cells_text =
    "model Cell\n"
    "  Rattleback.Rotational.Interfaces.Flange_a a;\n"
    "  Rattleback.Rotational.Interfaces.Flange_b b;\n"
    "  Rattleback.Rotational.SpringDamper spring(c = 100, d = 0.3);\n"
    "  Rattleback.Rotational.Inertia inertia(J = 0.5);\n"
    "equation\n"
    "  connect(a, spring.flange_a);\n"
    "  connect(spring.flange_b, inertia.flange_a);\n"
    "  connect(inertia.flange_b, b);\n"
    "end Cell;\n"
    "model Chain\n"
    "  parameter Integer n = %d;\n"
    "  Rattleback.Rotational.Components.Fixed wall;\n"
    "  Cell c[n];\n"
    "equation\n"
    "  connect(wall.flange, c[1].a);\n"
    "  for i in 1:n - 1 loop\n"
    "    connect(c[i].b, c[i + 1].a);\n"
    "  end for;\n"
    "end Chain;\n";

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

typedef struct Job {
    RbHeap heap;
    int cells;
} Job;

// The stages one after the other, with the time at each end.
static RbStatus translate(const Job *job, RbArena *keep, RbArena *scratch, RbDiag *diag,
                          RbSortedDae **dae, double times[4]) {
    char text[2048];
    RbNames names = rb_names(keep);
    RbLibrary *library = rb_library(&names, keep, scratch, diag);
    RbFlatModel *flat;
    RbProgram *program;
    const char *model;
    snprintf(text, sizeof text, cells_text, job->cells);
    times[0] = seconds();
    rb_library_add_path(library, "library");
    RB_TRY(rb_library_add_text(library, "Chain.mo", text, strlen(text), &model));
    RB_TRY(rb_flatten(library, model, (RbFlattenOptions){0}, &flat));
    times[1] = seconds();
    RB_TRY(rb_dae_sort(flat, NULL, keep, *scratch, diag, dae));
    times[2] = seconds();
    RB_TRY(rb_program(*dae, NULL, keep, *scratch, diag, &program));
    times[3] = seconds();
    return RB_OK;
}

static RbStatus run(void *argument) {
    Job *job = argument;
    RbArena keep = rb_arena(&job->heap), scratch = rb_arena(&job->heap);
    RbDiag diag = rb_diag(&keep);
    RbSortedDae *dae;
    double t[4];
    RbStatus status = translate(job, &keep, &scratch, &diag, &dae, t);
    for (int i = 0; status != RB_OK && i < diag.messages.count && i < 3; i++)
        fprintf(stderr, "%s\n", diag.messages.data[i].text);
    if (status == RB_OK) {
        printf("%6d cells from text: %7d equations, %6d after aliases, %6d states; flatten %.3f s, "
               "sort %.3f s, code %.3f s, together %.3f s; %.0f MB\n",
               job->cells, dae->stats.equations_in, dae->stats.equations, dae->states.count,
               t[1] - t[0], t[2] - t[1], t[3] - t[2], t[3] - t[0], (double)job->heap.peak / 1e6);
    }
    rb_arena_free(&scratch);
    rb_arena_free(&keep);
    return status;
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"25", "250", "2500", "25000"};
    int count = argc > 1 ? argc - 1 : 4;
    for (int i = 0; i < count; i++) {
        Job job = {.heap = rb_heap(NULL), .cells = atoi(argc > 1 ? argv[1 + i] : usual[i])};
        if (rb_protect(&job.heap, run, &job) != RB_OK) return 1;
    }
    return 0;
}
