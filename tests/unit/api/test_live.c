// SPDX-License-Identifier: MIT
// include/rattleback/live.h: the page is offered, the run ends when it is told to, wrong options are
// refused.
#include "testing.h"

#include <string.h>

#include "export/page.h"
#include "rattleback/rattleback.h"

static volatile int stop;

static void note_address(void *user, const char *address) {
    snprintf(user, 200, "%s", address);
    stop = 1;
}

static void a_page_is_offered(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    RbSummary summary = {.states = -1};
    char address[200] = "";
    ENSURE(rb_example_open(c, "pendulum", &model) == RB_OK);
    RbLiveOptions options = rb_live_options_default(model);
    ENSURE(options.speed == 1 && options.port == 0 &&
           options.sim.stop_time == rb_model_options(model).stop_time);
    options.sim.interrupt = &stop;
    options.ready = note_address;
    options.user = address;
    if (rb_page_available()) { // built without node there is no page
        ENSURE(rb_live(c, model, &options, &summary) == RB_OK);
        ENSURE(strncmp(address, "http://127.0.0.1:", 17) == 0 && summary.states == 2);
        ENSURE(rb_live(c, model, &options, NULL) == RB_OK); // the model is free again
    }
    rb_context_free(c);
}

static void wrong_options_are_refused(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    ENSURE(rb_example_open(c, "pendulum", &model) == RB_OK);
    RbLiveOptions options = rb_live_options_default(model);
    options.speed = -1;
    ENSURE(rb_live(c, model, &options, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, 0), "rb_live: argument 'options->speed'"));
    options.speed = 1;
    options.port = 70000;
    ENSURE(rb_live(c, model, &options, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, 1), "rb_live: argument 'options->port'"));
    ENSURE(rb_live(c, NULL, &options, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_live(c, model, NULL, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_live(NULL, model, &options, NULL) == RB_ERROR_USAGE);
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_offered),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
