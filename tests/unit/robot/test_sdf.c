// SPDX-License-Identifier: MIT
// Robots in SDF: what free, static and nested models become, joints of two axes, the report, and messages for everything that is wrong.
#include "testing.h"

#include <string.h>

#include "robot/sdf.h"
#include "robot/tags.h"
#include "robot/write.h"

static RbStatus read_robot(Fixture *f, const char *text, RbRobot *robot) {
    RbXml *root;
    *robot = (RbRobot){.name = "r", .file = "r.sdf"};
    RB_TRY(rb_xml_read("r.sdf", (RbBytes){(const unsigned char *)text, strlen(text)}, &f->arena,
                       &f->diag, &root));
    rb_array_push(&robot->roots, &f->arena, root);
    RB_TRY(rb_sdf_read(root, &f->arena, &f->diag, robot));
    return rb_robot_complete(robot, &f->arena, f->scratch, &f->diag);
}

#define SDF(in)   "<sdf version=\"1.9\">" in "</sdf>"
#define MODEL(in) SDF("<model name=\"m\">" in "</model>")
#define MASS      "<inertial><mass>2</mass></inertial>"
#define JOINT(type, more)                                                                          \
    "<joint name=\"j\" type=\"" type "\"><parent>a</parent><child>b</child>" more "</joint>"
#define TWO "<link name=\"a\">" MASS "</link><link name=\"b\">" MASS "</link>\n"

// A model that hangs on nothing moves freely; one that is static does not, with its joints; an inertia that is not said is that of the format.
static void free_and_static_models(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
    ENSURE(read_robot(&f,
                      SDF("<world name=\"w\"><gravity>0 0 -1</gravity><model name=\"m\"><link "
                          "name=\"a\"><pose>1 2 3 0 0 0</pose>" MASS
                          "</link></model><model name=\"n\"><static>true</static>" TWO JOINT(
                              "revolute", "") "<model name=\"inner\"><pose>0 0 1 0 0 0</pose><link "
                                              "name=\"a\"/></model></model></world>"),
                      &r) == RB_OK);
    ENSURE(r.bodies.count == 4 && r.joints.count == 1);
    ENSURE(r.joints.data[0].kind == RB_ROBOT_FREE);
    assert_string_equal(r.joints.data[0].name, "m_a_free");
    assert_string_equal(r.bodies.data[3].name, "n_inner_a");
    ENSURE_NEAR(r.bodies.data[0].pose.r.y, 2, 0);
    ENSURE_NEAR(r.bodies.data[3].pose.r.z, 1, 0);
    ENSURE_NEAR(r.bodies.data[0].inertia.I_CM.y.y, 1, 0);
    ENSURE_NEAR(r.gravity.z, -1, 0);
    ENSURE(r.touches_itself);
    fixture_close(&f);
}

// Two axes are two joints one after the other; a plane of a static model is a half-space below its normal.
static void joints_and_shapes(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
    ENSURE(
        read_robot(
            &f,
            MODEL(TWO "<joint name=\"fix\" "
                      "type=\"fixed\"><parent>world</parent><child>a</child></joint>" JOINT(
                          "universal",
                          "<pose>0 0 0.5 0 0 0</pose><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 2 "
                          "0</xyz></axis2>") "<link name=\"c\"><pose relative_to=\"j\"/><collision "
                                             "name=\"x\"><pose>0 0 0 0 0 "
                                             "0</pose><geometry><ellipsoid><radii>1 2 "
                                             "3</radii></ellipsoid></geometry></collision></link>"),
            &r) == RB_OK);
    ENSURE(r.joints.count == 3 && r.joints.data[0].body == r.joints.data[1].body);
    ENSURE_NEAR(r.joints.data[0].axis.x, 1, 0);
    ENSURE_NEAR(r.joints.data[1].axis.y, 1, 0);
    ENSURE_NEAR(r.joints.data[1].point.z, 0.5, 0);
    ENSURE_NEAR(r.geoms.data[0].shape.lengths.z, 6, 0);
    for (int i = 0; i < r.bodies.count; i++)
        if (strcmp(r.bodies.data[i].name, "c") == 0) ENSURE_NEAR(r.bodies.data[i].pose.r.z, 0.5, 0);
    fixture_close(&f);
    fixture_open(&f);
    ENSURE(read_robot(&f,
                      MODEL("<static>1</static><link name=\"a\"><collision "
                            "name=\"x\"><geometry><plane><normal>1 0 "
                            "0</normal><size>9 9</size></plane></geometry></collision></link>"),
                      &r) == RB_OK);
    ENSURE(r.geoms.data[0].shape.kind == RB_SHAPE_HALFSPACE && r.geoms.data[0].touches);
    ENSURE_NEAR(r.geoms.data[0].pose.R.x.z, 1, 1e-15); // z of the half-space along x
    fixture_close(&f);
}

static void every_tag_is_in_the_report(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
    ENSURE(read_robot(
               &f,
               MODEL(TWO JOINT("revolute",
                               "<axis><xyz>0 0 "
                               "1</xyz><limit><lower>-1</lower><upper>1</upper><effort>3</effort></"
                               "limit></axis>") "<joint name=\"k\" "
                                                "type=\"ball\"><parent>world</parent><child>b</"
                                                "child></joint><plugin name=\"p\"><x/></plugin>"
                                                "<include><uri>model://sun</uri></include>"),
               &r) == RB_OK);
    const char *report = rb_robot_report(&r, &f.arena);
    ENSURE(strstr(report, "r.sdf:2: <limit>: approximated (stops"));
    ENSURE(strstr(report, "<effort>: ignored\n"));
    ENSURE(strstr(report,
                  "<plugin name=\"p\">: ignored (for another simulator)\nr.sdf:2: <x>: ignored\n"));
    ENSURE(strstr(report, "<joint name=\"k\">: ignored (it closes a loop)"));
    ENSURE(strstr(report, "<include>: ignored (other files"));
    ENSURE(strstr(rb_robot_write(&r, "R", &f.arena), "Joints.Revolute j("));
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
    refuses(SDF(""), "there is no <model>");
    refuses(MODEL(""), "the models have no <link>");
    refuses(SDF("<model/>"), "<model> needs the attribute 'name'");
    refuses(MODEL("<link name=\"a\"/><link name=\"a\"/>"), "two of the name 'm::a'");
    refuses(MODEL(TWO JOINT("bend", "")), "r.sdf:2:1: error: 'bend' is no type of a joint");
    refuses(MODEL(TWO JOINT("revolute", "<axis><xyz>0 0 0</xyz></axis>")),
            "the axis of 'm::j' has no length");
    refuses(MODEL(TWO JOINT("revolute", "<axis><xyz>0 1</xyz></axis>")), "it needs 3 numbers");
    refuses(MODEL(TWO JOINT("revolute",
                            "<axis><limit><lower>1</lower><upper>0</upper></limit></axis>")),
            "above upper");
    refuses(MODEL(TWO JOINT("revolute", "<axis><dynamics><damping>-1</damping></dynamics></axis>")),
            "must not be negative");
    refuses(MODEL("<link name=\"arm\"/><joint name=\"j\" "
                  "type=\"ball\"><parent>world</parent><child>amr</child></joint>"),
            "'amr' here; did you mean 'arm'?");
    refuses(MODEL(TWO "<joint name=\"j\" type=\"ball\"><parent>a</parent></joint>"), "no <child>");
    refuses(
        MODEL(TWO "<joint name=\"j\" type=\"ball\"><parent>a</parent><child>world</child></joint>"),
        "the world is no child");
    refuses(MODEL(TWO JOINT(
                "fixed",
                "") "<joint name=\"k\" type=\"fixed\"><parent>b</parent><child>a</child></joint>"),
            "the joints make a loop");
    refuses(MODEL("<link name=\"a\"><pose relative_to=\"b\"/></link><link name=\"b\"><pose "
                  "relative_to=\"a\"/></link>"),
            "is relative to itself");
    refuses(MODEL(TWO "<frame name=\"f\" attached_to=\"f\"/><joint name=\"j\" "
                      "type=\"ball\"><parent>a</parent><child>f</child></joint>"),
            "itself");
    refuses(MODEL("<link name=\"a\"><inertial><mass>-1</mass></inertial></link>"),
            "mass of 'a' is -1 kg");
    refuses(MODEL("<link name=\"a\"><pose>1 2</pose></link>"), "it needs 6 numbers");
    refuses(
        MODEL("<link name=\"a\"><pose rotation_format=\"quat_xyzw\">1 2 3 0 0 0 0</pose></link>"),
        "has no length");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_and_static_models),
        cmocka_unit_test(joints_and_shapes),
        cmocka_unit_test(every_tag_is_in_the_report),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
