// SPDX-License-Identifier: MIT
// Robots in MJCF: shapes by their ends, inertias of shapes in closed form, units of angles, and messages. Their motion: tests/robot/test_mjcf.py.
#include "testing.h"

#include <string.h>

#include "robot/mjcf.h"

static RbStatus read_robot(Fixture *f, const char *text, RbRobot *robot) {
    RbXml *root;
    *robot = (RbRobot){.name = "r", .file = "r.xml"};
    RB_TRY(rb_xml_read("r.xml", (RbBytes){(const unsigned char *)text, strlen(text)}, &f->arena,
                       &f->diag, &root));
    RB_TRY(rb_mjcf_read(root, &f->arena, &f->diag, robot));
    return rb_robot_complete(robot, &f->arena, f->scratch, &f->diag);
}

#define WORLD(contents) "<mujoco><worldbody>" contents "</worldbody></mujoco>"
#define BODY(contents)  WORLD("<body name=\"b\">" contents "</body>")

// A cylinder between two points along x, and a second one that is only seen but has a mass, too.
static void shapes_by_their_ends(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
    ENSURE(read_robot(&f,
                      BODY("<joint/><geom type=\"cylinder\" fromto=\"0 0 0 0.4 0 0\" size=\"0.1\" "
                           "mass=\"3\"/><geom size=\"0.1\" pos=\"0.2 0 0\" mass=\"2\" "
                           "contype=\"0\" conaffinity=\"0\"/>"),
                      &r) == RB_OK);
    RbMassProperties m = r.bodies.data[0].inertia;
    ENSURE_NEAR(m.mass, 5, 1e-12);
    ENSURE_NEAR(m.r_CM.x, 0.2, 1e-12);
    ENSURE_NEAR(m.I_CM.x.x, 3 * 0.01 / 2 + 2 * 0.4 * 0.01, 1e-14);
    ENSURE_NEAR(m.I_CM.y.y, 3 * (3 * 0.01 + 0.16) / 12 + 2 * 0.4 * 0.01, 1e-14);
    ENSURE(r.geoms.data[0].touches && !r.geoms.data[1].touches);
    fixture_close(&f);
}

static void angles_are_degrees_unless_the_compiler_says_otherwise(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
#define HINGE "<joint range=\"-90 45\" ref=\"10\"/><geom size=\"1\"/>"
    ENSURE(read_robot(&f, BODY(HINGE), &r) == RB_OK);
    ENSURE_NEAR(r.joints.data[0].lower, -100 * M_PI / 180, 1e-14);
    ENSURE_NEAR(r.joints.data[0].upper, 35 * M_PI / 180, 1e-14);
    ENSURE(read_robot(&f,
                      "<mujoco><compiler angle=\"radian\"/><worldbody><body>" HINGE
                      "</body></worldbody></mujoco>",
                      &r) == RB_OK);
    ENSURE_NEAR(r.joints.data[0].lower, -100, 1e-12);
    fixture_close(&f);
}

static void refuses(const char *text, const char *message) {
    Fixture f;
    RbRobot r;
    fixture_open(&f);
    if (read_robot(&f, text, &r) == RB_OK) fail_msg("not refused: %s", text);
    const char *got = fixture_message(&f, f.diag.messages.count - 1);
    if (!strstr(got, message)) fail_msg("'%s' lacks '%s'", got, message);
    fixture_close(&f);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    refuses("<mujoco/>", "<worldbody> has no <body>");
    refuses("<mujoco><include file=\"a.xml\"/></mujoco>", "save the model as one file");
    refuses("<mujoco><compiler eulerseq=\"xyw\"/></mujoco>", "eulerseq=\"xyw\"");
    refuses(BODY("<joint type=\"bend\"/>"), "r.xml:1:35: error: 'bend' is no type of a joint");
    refuses(BODY("<joint class=\"c\"/>"), "there is no <default class=\"c\">");
    refuses(BODY("<joint axis=\"0 0 0\"/>"), "has no length");
    refuses(BODY("<joint range=\"2 1\"/>"), "ends before it begins");
    refuses(BODY("<geom type=\"plane\"/>"), "it must be in <worldbody>");
    refuses(BODY("<geom type=\"capsule\" size=\"1\" fromto=\"1 1 1 1 1 1\"/>"), "no length");
    refuses(BODY("<inertial mass=\"1\"/>"), "diaginertia or fullinertia");
    refuses(BODY("<geom size=\"1\" xyaxes=\"1 0 0 2 0 0\"/>"), "are parallel");
    refuses("<mujoco><worldbody><body/></worldbody><actuator><motor "
            "joint=\"j\"/></actuator></mujoco>",
            "there is no joint 'j'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_by_their_ends),
        cmocka_unit_test(angles_are_degrees_unless_the_compiler_says_otherwise),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
