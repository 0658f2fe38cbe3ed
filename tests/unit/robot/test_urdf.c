// SPDX-License-Identifier: MIT
// Robots in URDF: what is written for them, the report, inertias from shapes in closed form, and messages for everything that is wrong.
#include "testing.h"

#include <string.h>

#include "robot/tags.h"
#include "robot/urdf.h"
#include "robot/write.h"

#define MESH "tests/fuzz/corpus/stl/one_facet.stl"

static RbStatus read_robot(Fixture *f, const char *text, RbRobot *robot) {
    RbXml *root;
    *robot = (RbRobot){.name = "r", .file = "r.urdf"};
    RB_TRY(rb_xml_read("r.urdf", (RbBytes){(const unsigned char *)text, strlen(text)}, &f->arena,
                       &f->diag, &root));
    rb_array_push(&robot->roots, &f->arena, root);
    RB_TRY(rb_urdf_read(root, &f->arena, &f->diag, robot));
    return rb_robot_complete(robot, &f->arena, f->scratch, &f->diag);
}

#define JOINT(type, more)                                                                          \
    "<joint name=\"j\" type=\"" type "\"><parent link=\"a\"/><child link=\"b\"/>" more "</joint>"
#define INERTIAL                                                                                   \
    "<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "     \
    "iyz=\"0\"/></inertial>"

// Two cubes of water side by side: 2 kg of 0.2 x 0.1 x 0.1 m.
static void inertia_from_shapes(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
#define CUBE(x)                                                                                    \
    "<collision><origin xyz=\"" x " 0 0\"/><geometry><box size=\"0.1 0.1 "                         \
    "0.1\"/></geometry></collision>"
    ENSURE(read_robot(&f,
                      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">" CUBE("0.25") CUBE(
                          "0.35") "<visual><geometry><sphere radius=\"3\"/></geometry></visual>"
                                  "</link>" JOINT("continuous", "") "</robot>",
                      &r) == RB_OK);
    RbMassProperties m = r.bodies.data[1].inertia;
    ENSURE_NEAR(m.mass, 2, 1e-12);
    ENSURE_NEAR(m.r_CM.x, 0.3, 1e-12);
    ENSURE_NEAR(m.I_CM.x.x, 2 * 0.02 / 12, 1e-14);
    ENSURE_NEAR(m.I_CM.z.z, 2 * 0.05 / 12, 1e-14);
    ENSURE(strstr(fixture_message(&f, 0), "r.urdf:1:33: warning: 'b' has no inertia") != NULL);
    fixture_close(&f);
}

static void every_tag_is_in_the_report(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
    ENSURE(read_robot(&f,
                      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">" INERTIAL
                      "</link>\n" JOINT("revolute",
                                        "<limit lower=\"-1\" upper=\"1\" effort=\"3\"/><mimic "
                                        "joint=\"k\"/>") "<gazebo><x y=\"1\"/></gazebo></robot>",
                      &r) == RB_OK);
    const char *report = rb_robot_report(&r, &f.arena);
    ENSURE(strstr(report, "r.urdf:2: <limit>: approximated (stops"));
    ENSURE(strstr(report, "r.urdf:2: <limit effort=\"3\">: ignored\n"));
    ENSURE(strstr(report, "<gazebo>: ignored (for another simulator)\nr.urdf:2: <x>: ignored\n"));
    ENSURE(strstr(report, "9 mapped, 1 approximated, 4 ignored\n"));
    fixture_close(&f);
}

static void meshes_are_found(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *description = RB_SOURCE_DIR "/docs/guide/r.urdf", *why = "";
#define FIND(name) rb_robot_mesh_file(description, NULL, name, &f.arena, &why)
    const char *want = FIND("../../" MESH);
    ENSURE(want && want[0] == '/' && strstr(want, MESH) && !strstr(want, ".."));
    assert_string_equal(FIND("package://any/" MESH), want);
    assert_string_equal(FIND("package://" MESH), want);
    assert_string_equal(FIND(rb_arena_join(&f.arena, "file://", want, "")), want);
    ENSURE(!FIND("none.stl") && strstr(why, "no such file"));
    ENSURE(!FIND("robots.md") && strstr(why, "convert the file"));
    fixture_close(&f);
}

// Names that Modelica, or the model, has already.
static void names_stay_apart(void **state) {
    (void)state;
    Fixture f;
    RbRobot r;
    fixture_open(&f);
    ENSURE(read_robot(&f,
                      "<robot name=\"r\"><link name=\"base\"/><link name=\"my-arm\">" INERTIAL
                      "</link><joint name=\"my-arm\" type=\"continuous\"><parent link=\"base\"/>"
                      "<child link=\"my-arm\"/></joint></robot>",
                      &r) == RB_OK);
    const char *text = rb_robot_write(&r, "R", &f.arena);
    ENSURE(strstr(text, "Parts.FixedTranslation base_2 "));
    ENSURE(strstr(text, "Parts.Body 'my-arm'("));
    ENSURE(strstr(text, "Joints.Revolute 'my-arm_2'("));
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

#define TWO "<robot><link name=\"a\"/><link name=\"b\"/>\n "

static void what_is_wrong_is_named(void **state) {
    (void)state;
    refuses("<robot", "this is not XML");
    refuses("<!DOCTYPE r [<!ENTITY e \"x\">]><robot>&e;</robot>", "entity 'e' is declared");
    refuses("<robot/>", "the robot has no <link>");
    refuses("<robot><link/></robot>", "<link> needs the attribute 'name'");
    refuses("<robot><link name=\"a\"/><link name=\"a\"/></robot>", "two links 'a'");
    refuses(TWO "</robot>", "'a' and 'b' both hang on no joint");
    refuses(TWO JOINT("bend", "") "</robot>", "r.urdf:2:2: error: 'bend' is no type of a joint");
    refuses(TWO JOINT("continuous", "<axis xyz=\"0 0 0\"/>") "</robot>", "axis has no length");
    refuses(TWO JOINT("continuous", "<axis xyz=\"0 1\"/>") "</robot>", "it needs 3 numbers");
    refuses(TWO JOINT("continuous", "<axis xyz=\"0 1 z\"/>") "</robot>", "'z' in xyz of <axis>");
    refuses(TWO JOINT("revolute", "<limit lower=\"1\" upper=\"0\"/>") "</robot>", "above upper");
    refuses(TWO "<joint name=\"j\" type=\"fixed\"><parent link=\"aa\"/><child link=\"b\"/></joint>"
                "</robot>",
            "there is no link 'aa'");
    refuses(TWO JOINT("fixed", "") JOINT("fixed", "") "</robot>", "child of two joints");
    refuses(
        TWO
        "<joint name=\"j\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>" JOINT(
            "fixed", "") "</robot>",
        "the joints make a loop");
    refuses("<robot><link name=\"a\"><inertial><mass value=\"-1\"/></inertial></link></robot>",
            "mass of 'a' is -1 kg");
}

static void elements_nested_too_deep(void **state) {
    (void)state;
    char text[1000] = "";
    for (int i = 0; i < 120; i++) strcat(text, "<robot>");
    refuses(text, "at most 100 are read");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_from_shapes),    cmocka_unit_test(every_tag_is_in_the_report),
        cmocka_unit_test(names_stay_apart),       cmocka_unit_test(meshes_are_found),
        cmocka_unit_test(what_is_wrong_is_named), cmocka_unit_test(elements_nested_too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
