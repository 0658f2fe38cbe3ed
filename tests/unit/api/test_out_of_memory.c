// SPDX-License-Identifier: MIT
// Calls in which memory runs out: what they return, what is left of the run, and that everything is given back. The oracle is the
// count of blocks that the test's own allocator has handed out.
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "rattleback/rattleback.h"

typedef struct Memory {
    long countdown; // calls until none succeeds; negative: all do
    long blocks;
} Memory;

static void *resize(void *user, void *memory, size_t old_size, size_t new_size) {
    Memory *m = user;
    (void)old_size;
    if (new_size == 0) {
        m->blocks -= memory != NULL;
        free(memory);
        return NULL;
    }
    if (m->countdown == 0) return NULL;
    if (m->countdown > 0) m->countdown--;
    void *result = realloc(memory, new_size);
    m->blocks += !memory;
    return result;
}

typedef struct Held {
    Memory memory;
    RbContext *context;
    RbModel *model;
    RbRun *run;
    bool armed;      // the next force asks the run, without memory
    RbStatus asked;  // what it got
    RbStatus closed; // and when it tried to close the run
    int object;      // and when it asked afterwards
} Held;

static void push(double time, void *user, double force[3], double torque[3]) {
    Held *h = user;
    RbSaved *saved = NULL;
    (void)time, (void)torque;
    force[0] = 1;
    if (!h->armed) return;
    h->armed = false;
    h->memory.countdown = 0;
    h->asked = rb_run_save(h->run, &saved);
    h->memory.countdown = -1;
    h->object = rb_run_object(h->run, "ball");
    h->closed = rb_run_close(h->run, NULL);
    ENSURE(!saved);
}

static void open_ball(Held *h) {
    RbSceneBuilder *b;
    int ball;
    *h = (Held){.memory = {.countdown = -1}};
    h->context = rb_context_create(&(RbAllocator){resize, &h->memory});
    RbSolid solid = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    solid.free = true;
    ENSURE(rb_builder_create(h->context, "ball", &b) == RB_OK);
    ENSURE(rb_builder_add_solid(b, &solid, &ball) == RB_OK);
    ENSURE(rb_builder_add_force(b, ball, 0, push, h) == RB_OK);
    ENSURE(rb_builder_finish(b, &h->model) == RB_OK);
    RbSimOptions options = rb_sim_options_default();
    ENSURE(rb_run_open(h->context, h->model, &options, &h->run) == RB_OK);
}

// The run is closed with this status, and nothing is left.
static void close_ball(Held *h, RbStatus status) {
    ENSURE(rb_run_close(h->run, NULL) == status);
    rb_context_free(h->context);
    ENSURE(h->memory.blocks == 0);
}

static const char *last_message(const Held *h) {
    return rb_context_message(h->context, rb_context_message_count(h->context) - 1);
}

// Each kind of call: its status, or for those that have none, RB_ERROR_MEMORY where they have nothing to return.
static RbStatus save(Held *h) {
    RbSaved *saved = NULL;
    RbStatus status = rb_run_save(h->run, &saved);
    ENSURE((status == RB_OK) == (saved != NULL));
    return status;
}
static RbStatus show(Held *h) {
    const void *bytes;
    size_t size;
    RbStatus status = rb_run_drawing(h->run, &bytes, &size);
    ENSURE((status == RB_OK) == (size > 0));
    return status;
}
static RbStatus contacts(Held *h) {
    const RbRunContact *list;
    int count;
    return rb_run_contacts(h->run, &list, &count);
}
static RbStatus state(Held *h) {
    return rb_run_state(h->run, 0) >= 0 ? RB_OK : RB_ERROR_MEMORY;
}
static RbStatus find(Held *h) {
    return rb_run_find(h->run, "energy.kinetic") >= 0 ? RB_OK : RB_ERROR_MEMORY;
}

static void a_run_without_memory_can_only_be_closed(void **unused) {
    static RbStatus (*const calls[])(Held *) = {save, show, contacts, state, find};
    long failed = 0;
    (void)unused;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        bool done = false;
        for (long n = 0; !done; n++) {
            Held h;
            open_ball(&h);
            h.memory.countdown = n;
            RbStatus status = calls[k](&h);
            h.memory.countdown = -1;
            done = status == RB_OK;
            if (!done) {
                failed++;
                ENSURE(status == RB_ERROR_MEMORY);
                ENSURE(rb_run_step(h.run, RB_UNTIL_TIME, 0.1, NULL) == RB_ERROR_USAGE);
                ENSURE(rb_run_momentum(h.run, NULL, NULL) == RB_ERROR_USAGE);
                ENSURE(strstr(last_message(&h), "can only be closed"));
                ENSURE(rb_run_find(h.run, "time") == -1 && !rb_run_object_name(h.run, 1));
                ENSURE(isnan(rb_run_next_event(h.run)));
            }
            close_ball(&h, done ? RB_OK : RB_ERROR_MEMORY);
        }
    }
    ENSURE(failed >= 10);
}

// The call around it goes on, as it has lost nothing; the run is busy all the while.
static void a_call_in_a_callback_ends_alone(void **unused) {
    Held h;
    RbStopped stopped;
    (void)unused;
    open_ball(&h);
    h.armed = true;
    ENSURE(rb_run_step(h.run, RB_UNTIL_TIME, 0.1, &stopped) == RB_OK);
    ENSURE(!h.armed && stopped.time == 0.1);
    ENSURE(h.asked == RB_ERROR_MEMORY && h.object == -1 && h.closed == RB_ERROR_USAGE);
    ENSURE(rb_run_step(h.run, RB_UNTIL_TIME, 0.2, NULL) == RB_ERROR_USAGE);
    close_ball(&h, RB_ERROR_MEMORY);
}

// Those without a run: the context lives on.
static void a_context_outlives_calls_without_memory(void **unused) {
    long failed = 0;
    bool done = false;
    (void)unused;
    for (long n = 0; !done; n++) {
        Held h;
        RbWorkpiece *torus = NULL;
        open_ball(&h);
        h.memory.countdown = n;
        RbStatus status = rb_workpiece_torus(h.context, 0.1, 0.02, 64, &torus);
        h.memory.countdown = -1;
        done = status == RB_OK;
        failed += !done;
        ENSURE(done || (status == RB_ERROR_MEMORY && !torus));
        ENSURE(rb_workpiece_torus(h.context, 0.1, 0.02, 64, &torus) == RB_OK && torus);
        close_ball(&h, RB_OK);
    }
    ENSURE(failed > 0);
}

static RbStatus start_without(void *self, RbSegment *s) {
    (void)self, (void)s;
    return RB_ERROR_MEMORY;
}

static RbStatus build_nothing(void *self, RbBuild *b) {
    (void)self, (void)b;
    return RB_OK;
}

static RbEvalStatus evaluate_nothing(void *self, const RbEval *e, int function,
                                     const double *inputs, double *outputs) {
    (void)self, (void)e, (void)function, (void)inputs, (void)outputs;
    return RB_EVAL_OK;
}

// A component that has found too little memory itself.
static void a_component_may_say_so(void **unused) {
    static const RbComponentType type = {.version = RB_COMPONENT_VERSION,
                                         .name = "Hungry",
                                         .build = build_nothing,
                                         .start_segment = start_without,
                                         .evaluate = evaluate_nothing};
    Memory memory = {.countdown = -1};
    RbContext *c = rb_context_create(&(RbAllocator){resize, &memory});
    RbModel *model;
    RbRun *run;
    RbSimOptions options = rb_sim_options_default();
    (void)unused;
    ENSURE(rb_context_add_component(c, &type) == RB_OK);
    ENSURE(rb_model_create(c, "m", &model) == RB_OK);
    ENSURE(rb_model_add_component(model, "Hungry", "h") == RB_OK);
    ENSURE(rb_run_open(c, model, &options, &run) == RB_ERROR_MEMORY && !run);
    ENSURE(strstr(rb_context_message(c, rb_context_message_count(c) - 1), "cannot start"));
    rb_context_free(c);
    ENSURE(memory.blocks == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_without_memory_can_only_be_closed),
        cmocka_unit_test(a_call_in_a_callback_ends_alone),
        cmocka_unit_test(a_context_outlives_calls_without_memory),
        cmocka_unit_test(a_component_may_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
