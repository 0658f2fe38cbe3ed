// SPDX-License-Identifier: MIT
#include "program/background.h"

#include <time.h>

// Polls between two looks at the clock or the compiler, comparisons before the swap.
enum { POLLS = 16, COMPARISONS = 5 };

static double cpu_time(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void stop(void *background) {
    rb_job_cancel(&((RbBackground *)background)->job);
}

// A comparison evaluates twice: no harm unless a function does more than to answer.
static bool is_pure(const RbFlatModel *model) {
    for (int i = 0; i < model->functions.count; i++) {
        const RbFunction *f = model->functions.data[i];
        if (f->is_impure || f->kind == RB_FUNCTION_COMPONENT) return false;
    }
    return true;
}

RbBackground *rb_background(RbProgramInstance *in, RbArena *arena) {
    const RbProgram *p = in->program;
    if (!p->options.background || p->backend != RB_BACKEND_TCC || !in->compiled.sections[0] ||
        !is_pure(p->dae->model))
        return NULL;
    RbBackground *b = rb_new(arena, RbBackground);
    b->in = in;
    b->arena = arena;
    b->since = -1;
    rb_arena_defer(arena, stop, b);
    return b;
}

static void note(const RbBackground *b, double time, const char *what) {
    rb_log(b->in->program->options.log, RB_LOG_STATS, "t = %.12g s: %s", time, what);
}

static void give_up(RbBackground *b, double time, const char *why) {
    b->state = RB_BACKGROUND_GIVEN_UP;
    note(b, time, why);
}

static void load(RbBackground *b, double time) {
    const RbProgram *p = b->in->program;
    RbDiag silent = rb_diag(b->arena);
    if (rb_job_load(&b->job, &p->source, b->arena, &silent, &b->code) == RB_OK)
        b->state = RB_BACKGROUND_COMPARES;
    else
        give_up(b, time, "the optimised code cannot be loaded; the run goes on without it");
}

// At the first poll only the cache is asked.
static void look_for_code(RbBackground *b, double time) {
    const RbProgram *p = b->in->program;
    RbDiag silent = rb_diag(b->arena);
    b->since = cpu_time();
    if (rb_job_prepare(&p->source, p->options.cache, b->arena, &silent, &b->job) != RB_OK) {
        give_up(b, time, "there is no place for optimised code; the run goes on without it");
        return;
    }
    b->was_cached = rb_job_is_cached(&b->job);
    if (b->was_cached) load(b, time);
}

static void start_when_long(RbBackground *b, double time) {
    const RbProgram *p = b->in->program;
    double after = p->options.background_after;
    if (cpu_time() - b->since < (after > 0 ? after : RB_BACKGROUND_AFTER)) return;
    RbDiag silent = rb_diag(b->arena);
    if (rb_job_start(&b->job, &p->source, true, &silent) != RB_OK) {
        give_up(b, time, "there is no C compiler; the run goes on without optimised code");
        return;
    }
    b->state = RB_BACKGROUND_COMPILES;
    note(b, time, "the run is long: the system's compiler optimises the equations meanwhile");
}

static void look_at_compiler(RbBackground *b, double time) {
    RbJobState state = rb_job_poll(&b->job, false);
    if (state == RB_JOB_DONE)
        load(b, time);
    else if (state == RB_JOB_FAILED)
        give_up(b, time, "the C compiler did not succeed; the run goes on without optimised code");
}

static void compare(RbBackground *b, double time, const double *x, RbDiag *diag) {
    if (!rb_program_agrees(b->in, &b->code, time, x)) {
        give_up(b, time, "optimised and immediate code differ; the run goes on with the latter");
        rb_warn(diag, rb_in_file(b->job.object),
                "at t = %.9g s the optimised code gives other values than the code that was "
                "compiled at once, and is not used; please report it",
                time);
        return;
    }
    if (++b->agreed < COMPARISONS) return;
    b->in->compiled = b->code;
    b->state = RB_BACKGROUND_SWAPPED;
    note(b, time,
         b->was_cached ? "optimised code of an earlier run gives the same bits and takes over"
                       : "optimised code is ready, gives the same bits and takes over");
}

void rb_background_poll(RbBackground *b, double time, const double *x, RbDiag *diag) {
    if (!b || b->state >= RB_BACKGROUND_SWAPPED) return;
    if (b->since < 0) {
        look_for_code(b, time);
    } else if (b->state == RB_BACKGROUND_COMPARES) {
        compare(b, time, x, diag);
    } else if (++b->polls >= POLLS) {
        b->polls = 0;
        if (b->state == RB_BACKGROUND_WAITS)
            start_when_long(b, time);
        else
            look_at_compiler(b, time);
    }
}
