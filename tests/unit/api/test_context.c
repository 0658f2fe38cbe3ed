// SPDX-License-Identifier: MIT
// The public context: messages of the library and of the program, names that are near, the log, the
// components.
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

static void messages_are_text_json_and_data(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbMessage data, own = {.severity = RB_ERROR,
                           .status = RB_ERROR_IO,
                           .at = {.file = "a.txt", .line = 3, .column = 7},
                           .text = "a \"quoted\" word"};
    ENSURE(rb_context_tell(c, &own) == RB_ERROR_IO);
    ENSURE(rb_context_message_count(c) == 1);
    ENSURE(strcmp(rb_context_message(c, 0), "a.txt:3:7: error: a \"quoted\" word [io]\n") == 0);
    const char *json = rb_context_message_json(c, 0);
    ENSURE(strstr(json, "\"severity\":\"error\"") && strstr(json, "a \\\"quoted\\\" word"));
    ENSURE(rb_context_message_data(c, 0, &data) == RB_OK);
    ENSURE(data.severity == RB_ERROR && data.status == RB_ERROR_IO && data.at.line == 3);
    ENSURE(strcmp(data.at.file, "a.txt") == 0 && strcmp(data.text, own.text) == 0);

    RbMessage warning = {.severity = RB_WARNING, .text = "beware"};
    ENSURE(rb_context_tell(c, &warning) == RB_OK);
    ENSURE(strstr(rb_context_message(c, 1), "warning: beware"));
    RbMessage note = {.severity = RB_NOTE, .text = "by the way"};
    ENSURE(rb_context_tell(c, &note) == RB_OK);
    ENSURE(strstr(rb_context_message(c, 2), "note: by the way"));
    rb_context_free(c);
}

static void wrong_messages_are_refused(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbMessage data;
    ENSURE(rb_context_tell(NULL, &(RbMessage){.text = "x"}) == RB_ERROR_USAGE);
    ENSURE(rb_context_tell(c, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, 0), "rb_context_tell: argument 'message' is NULL"));
    ENSURE(rb_context_tell(c, &(RbMessage){0}) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, 1), "'message->text' is NULL"));
    ENSURE(rb_context_tell(c, &(RbMessage){.severity = RB_ERROR, .text = "x"}) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, 2), "'message->status'"));
    ENSURE(rb_context_tell(c, &(RbMessage){.severity = (RbSeverity)9, .text = "x"}) ==
           RB_ERROR_USAGE);
    ENSURE(!rb_context_message_json(c, -1) && !rb_context_message_json(NULL, 0));
    ENSURE(rb_context_message_data(c, 99, &data) == RB_ERROR_USAGE);
    ENSURE(rb_context_message_data(c, 0, NULL) == RB_ERROR_USAGE);
    rb_context_free(c);
}

static void near_names_are_found(void **state) {
    (void)state;
    const char *const names[] = {"stop-time", "start-time", NULL, "tolerance"};
    ENSURE(strcmp(rb_nearest_name("stoptime", names, 4), "stop-time") == 0);
    ENSURE(strcmp(rb_nearest_name("tolerence", names, 4), "tolerance") == 0);
    ENSURE(!rb_nearest_name("zzz", names, 4) && !rb_nearest_name("stop-time", names, 0));
    ENSURE(!rb_nearest_name(NULL, names, 4) && !rb_nearest_name("x", NULL, 1));
}

typedef struct Lines {
    int count;
    bool all_events; // all of this topic
} Lines;

static void take_line(void *user, const char *topic, const char *line) {
    Lines *lines = user;
    lines->count++;
    lines->all_events &= strcmp(topic, "EVENTS") == 0 && line[0] != 0;
}

static void the_log_says_its_topic(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    Lines lines = {.all_events = true};
    ENSURE(rb_context_log(c, "events", take_line, &lines) == RB_OK);
    ENSURE(rb_context_log(c, "EVENT", take_line, &lines) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, 0), "there is no log topic 'EVENT'"));
    ENSURE(strstr(rb_context_message(c, 0), "did you mean 'EVENTS'?"));
    ENSURE(rb_example_open(c, "bouncing-ball", &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    ENSURE(rb_simulate(c, model, &options, NULL) == RB_OK);
    ENSURE(lines.count > 2 && lines.all_events);
    int topics = 0;
    while (rb_log_topic(topics)) topics++;
    ENSURE(topics == 7 && !rb_log_topic(-1) && !rb_log_topic(1000));
    rb_context_free(c);
}

static void components_are_listed(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    const char *name, *description;
    bool found = false;
    int count = 0;
    for (; rb_context_component(c, count, &name, &description); count++)
        found |= strcmp(name, "BouncingBall") == 0 && description[0];
    ENSURE(found && !rb_context_component(c, count, NULL, NULL));
    ENSURE(!rb_context_component(NULL, 0, NULL, NULL) && !rb_context_component(c, -1, NULL, NULL));
    ENSURE(strncmp(rb_build_name(), rb_version(), strlen(rb_version())) == 0);
    rb_context_free(c);
}

static void an_allocator_that_allocates_nothing_is_refused(void **state) {
    (void)state;
    ENSURE(!rb_context_create(&(RbAllocator){0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_text_json_and_data),
        cmocka_unit_test(wrong_messages_are_refused),
        cmocka_unit_test(near_names_are_found),
        cmocka_unit_test(the_log_says_its_topic),
        cmocka_unit_test(components_are_listed),
        cmocka_unit_test(an_allocator_that_allocates_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
