// SPDX-License-Identifier: MIT
// Options of a run: what is refused, with the option and its value in the message, and what is filled
// in.
#include "testing.h"

#include <string.h>

#include "sim/options.h"

static void good_options_pass(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSimOptions o = rb_sim_options_default();
    o.solver = NULL;
    o.max_event_iterations = 0;
    ENSURE(rb_sim_options_check(&o, 0, &f.diag) == RB_OK);
    ENSURE(strcmp(o.solver, "auto") == 0 && o.max_event_iterations == 100 && o.max_step == 0);
    o.stop_time = 4;
    ENSURE(rb_sim_options_check(&o, 200, &f.diag) == RB_OK && o.max_step == 0.02);
    o.max_step = INFINITY; // no limit, whatever the model would like
    ENSURE(rb_sim_options_check(&o, 200, &f.diag) == RB_OK && isinf(o.max_step));
    o.start_time = o.stop_time; // a run of no length: the start alone
    o.output_interval = 0;
    ENSURE(rb_sim_options_check(&o, 0, &f.diag) == RB_OK);
    fixture_close(&f);
}

static void wrong_options_are_named(void **state) {
    (void)state;
    RbSimOptions good = rb_sim_options_default(), bad[11];
    for (int i = 0; i < 11; i++) bad[i] = good;
    bad[0].solver = "euler";
    bad[1].stop_time = NAN;
    bad[2].start_time = 2;
    bad[3].tolerance = 1e-15;
    bad[4].tolerance = 1;
    bad[5].output_interval = -1;
    bad[6].output_interval = 1e-10;
    bad[7].checkpoint_interval = NAN;
    bad[8].max_step = 1e-12;
    bad[9].initial_step = INFINITY;
    bad[10].max_event_iterations = 2000000;
    static const char *const texts[] = {
        "there is no solver 'euler'",
        "the stop time nan s",
        "not before the start time 2 s",
        "the tolerance is 1e-15",
        "the tolerance is 1;",
        "the output interval is -1 s",
        "the output interval of 1e-10 s",
        "the checkpoint interval is nan s",
        "the maximum step of 1e-12 s",
        "the initial step is inf s",
        "2000000 event iterations",
    };
    for (int i = 0; i < 11; i++) {
        Fixture f;
        fixture_open(&f);
        ENSURE(rb_sim_options_check(&bad[i], 0, &f.diag) == RB_ERROR_USAGE);
        ENSURE(f.diag.messages.count == 1 && strstr(f.diag.messages.data[0].text, texts[i]));
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_options_pass),
        cmocka_unit_test(wrong_options_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
