// SPDX-License-Identifier: MIT
// Saved runs that somebody has changed, with the right checksum: numbers that count or index are looked at before they are used.
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "rattleback/rattleback.h"

// Actions, a program along a path, contacts, locks of driven joints.
static const char *const text =
    "model M import Rattleback.*; inner World world(g = 9.81);\n"
    "Parts.Solid floor(shape = Shapes.Box(2, 0.2, 2), fixed = true), ball(shape = "
    "Shapes.Sphere(0.1), r = {0, 0.199, 0}),\n"
    "late(shape = Shapes.Sphere(0.1), present = false); Parts.Body arm(m = 1, r_CM = {0.2, 0, 0}, "
    "I_33 = 0.1);\n"
    "Joints.Revolute hinge(useAxisFlange = true); Rotational.Damper damper(d = 1); "
    "Rotational.Fixed fixed;\n"
    "Actions.Remove first(a = \"ball\", at = 0.2); Actions.Add second(a = \"late\", at = 0.3, r = "
    "{0, 1, 0}); Actions.Lock third(a = \"hinge\", at = 0.4);\n"
    "Actions.ReferencePath path(q_start = {0}, v_max = {1}, a_max = {2}); Actions.ModelActions "
    "actions;\n"
    "equation connect(world.frame_b, hinge.frame_a); connect(hinge.frame_b, arm.frame_a); "
    "connect(damper.flange_b, hinge.axis);\n"
    "connect(fixed.flange, damper.flange_a);\n"
    "when time > 0.05 then Actions.ptpJointSpace(actions, \"path\", [0.1; 0.3; 0]); "
    "Actions.wait(actions, 0.1); end when; end M;";

// By its definition: reversed, polynomial 0xedb88320.
static uint64_t checksum(const unsigned char *bytes, size_t count) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static RbContext *context;
static RbRun *run;

static void open_run(void) {
    RbModel *model;
    context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    source.text = text;
    RbStatus status = rb_modelica_translate(context, &source, &model);
    if (status != RB_OK) print_error("%s\n", rb_context_message(context, 0));
    ENSURE(status == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 1;
    ENSURE(rb_run_open(context, model, &options, &run) == RB_OK);
}

// Put a number in the place of a small whole one; true: it was noticed as damage.
static bool forge(const unsigned char *good, size_t size, size_t at, double number) {
    unsigned char *bytes = malloc(size);
    memcpy(bytes, good, size);
    memcpy(bytes + at, &number, sizeof number);
    uint64_t sum = checksum(bytes, size - sizeof sum);
    memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
    int before = rb_context_message_count(context);
    RbStatus status = rb_run_restore_bytes(run, bytes, size);
    bool noticed = status != RB_OK && rb_context_message_count(context) > before &&
                   strstr(rb_context_message(context, rb_context_message_count(context) - 1),
                          "the checkpoint is damaged: '");
    if (status == RB_OK) (void)rb_run_get_named(run, "energy.kinetic", &number);
    free(bytes);
    return noticed;
}

static bool is_small_whole(const unsigned char *bytes) {
    double value;
    memcpy(&value, bytes, sizeof value);
    return value == 0 || (value >= 1 && value <= 64 && value == (int)value);
}

static void forged_numbers_are_refused(void **state) {
    (void)state;
    const double forged[] = {1e48, -5, 0.5, 1e6};
    open_run();
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.1, NULL) == RB_OK);
    RbSaved *saved = NULL;
    size_t size;
    ENSURE(rb_run_save(run, &saved) == RB_OK);
    const unsigned char *bytes = rb_saved_bytes(saved, &size);
    int tried = 0, noticed = 0;
    for (size_t i = 8; i + 16 <= size; i++) {
        if (!is_small_whole(bytes + i)) continue;
        noticed += forge(bytes, size, i, forged[tried++ % 4]);
    }
    print_message("%d forged, %d refused by name\n", tried, noticed);
    ENSURE(noticed >= 5); // next action, step, point and phase of the path, slots
    ENSURE(rb_run_restore_bytes(run, bytes, size) == RB_OK);
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.5, NULL) == RB_OK);
    rb_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forged_numbers_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
