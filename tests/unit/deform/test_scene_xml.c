// SPDX-License-Identifier: MIT
// Scenes in XML: the example of the thesis, what is read and written, and messages for everything that is wrong.
#include "testing.h"

#include <string.h>

#include "deform/network.h"
#include "deform/scene_xml.h"

static RbStatus read_text(Fixture *f, const char *text, RbSoftScene **out) {
    RbBytes bytes = {(const unsigned char *)text, strlen(text)};
    return rb_scene_xml_read("scene.xml", bytes, &f->arena, &f->diag, out);
}

// The example of appendix D: a floor with a fixed border, a cube, a force on its last molecule.
static void the_example_of_the_thesis(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes bytes;
    RbSoftScene *s;
    RbNetwork n;
    ENSURE(rb_file_read(RB_SOURCE_DIR "/examples/soft/cube_on_floor.xml", 0, &f.arena, &f.diag,
                        &bytes) == RB_OK);
    ENSURE(rb_scene_xml_read("scenes/cube_on_floor.xml", bytes, &f.arena, &f.diag, &s) == RB_OK);
    assert_string_equal(s->name, "cube_on_floor");
    ENSURE(s->gravity.y == -1.4 && s->stop_time == 30);
    assert_int_equal(s->materials.count, 3);
    assert_int_equal(s->objects.count, 2);
    assert_int_equal(s->molecules.count, 72);
    assert_int_equal(s->molecules.data[71].force_count, 6);
    ENSURE(s->molecules.data[0].fixed && !s->molecules.data[71].fixed);
    ENSURE(rb_network_build(s, &f.arena, f.scratch, &f.diag, &n) == RB_OK);
    assert_int_equal(n.objects[0].connections, 210);
    assert_int_equal(n.objects[1].connections, 24);
    assert_int_equal(n.free_count, 36 + 8);
    // The force of 0.07 N lifts the cube: masses are those of the spheres.
    double weight = 1.4 * n.objects[1].mass;
    ENSURE_NEAR(weight, 1.4 * 8 * 833 * 4.0 / 3 * M_PI * pow(0.012, 3), 1e-12);
    ENSURE(weight < 0.07 && weight > 0.06);
    fixture_close(&f);
}

#define HEAD                                                                                       \
    "<come><scene gY=\"-9.81\"><simulation fps=\"100\" duration=\"2\"/><patient><materials>"       \
    "<material description=\"m\" density=\"1000\" youngs_modulus=\"1e5\"/></materials>\n"
#define MOLECULE(x) "<molecule x=\"" x "\" y=\"0\" z=\"0\" material=\"m\" radius=\"0.01\"/>\n"
#define BODY        "<molecule_organ description=\"o\">\n" MOLECULE("0") MOLECULE("0.015")
#define TAIL        "</molecule_organ></patient></scene></come>"

static void what_is_written_is_read_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s, *again;
    ENSURE(read_text(&f, HEAD BODY TAIL, &s) == RB_OK);
    s->molecules.data[1].v = v3(0.1, -0.2, 1.0 / 3);
    s->molecules.data[1].fixed = true;
    s->neighbours = 26;
    s->objects.data[0].self_contact = true;
    s->objects.data[0].placement = RB_SOFT_RANDOM;
    rb_soft_scene_add_force(s, &(RbSoftForce){0.5, {1, 2, 3}});
    RbSoftChange cut = {
        .kind = RB_SOFT_CUT, .time = 0.25, .a = "o", .point = {1, 2, 3}, .normal = {0, 0.5, 0}};
    rb_soft_scene_add_change(s, &cut);
    const char *text = rb_scene_xml_write(s, &f.arena);
    ENSURE(read_text(&f, text, &again) == RB_OK);
    assert_string_equal(rb_scene_xml_write(again, &f.arena), text);
    ENSURE(again->objects.data[0].self_contact && again->changes.data[0].point.z == 3);
    ENSURE(again->objects.data[0].placement == RB_SOFT_RANDOM);
    ENSURE(again->neighbours == 26 && again->molecules.data[1].fixed);
    ENSURE(again->molecules.data[1].v.z == 1.0 / 3 && again->forces.data[0].force.z == 3);
    fixture_close(&f);
}

typedef struct Bad {
    const char *text, *message;
} Bad;

static const Bad bad[] = {
    {"", "scene.xml:1:1: error: this is not XML: no element found"},
    {"<come>", "scene.xml:1:7: error: this is not XML: no element found"},
    {"<come></scene>", "this is not XML: mismatched tag"},
    {"<come/>", "scene.xml: error: there is no <scene>"},
    {"<come a=\"1\"/>", "<come> has no attribute 'a'; it has: none"},
    {"<scene/>", "scene.xml:1:1: error: <scene> does not stand in <the file>, but in <come>"},
    {"<come><scnee/></come>", "there is no element <scnee>; did you mean 'scene'?"},
    {"<come><scene gY=\"down\"/></come>", "gY=\"down\" of <scene> is not a number"},
    {"<come><scene gY=\"inf\"/></come>", "gY=\"inf\" of <scene> is not a number"},
    {"<come><scene neighbours=\"6\"/></come>", "neighbours=\"6\" of <scene> must be 18 or 26"},
    {"<come><scene detection=\"boxes\"/></come>",
     "detection=\"boxes\" of <scene> is neither spheres, meshes nor edges"},
    {"<come><scene/><scene/></come>", "a file has one <scene>"},
    {"<come><scene><simulation fps=\"0\" duration=\"1\"/></scene></come>",
     "fps=\"0\" and duration=\"1\" of <simulation> must be positive"},
    {"<come><scene><simulation duration=\"1\"/></scene></come>",
     "<simulation> needs the attribute 'fps'"},
    {"<come><scene>text</scene></come>", "text 'text' where only elements stand"},
    {"<come><scene/></come>", "the scene 'scene' has no objects"},
    {HEAD "<molecule_organ description=\"o\"></molecule_organ></patient></scene></come>",
     "scene.xml:2:1: error: the object 'o' has no molecules"},
    {HEAD BODY MOLECULE("0.03a") TAIL,
     "scene.xml:5:1: error: x=\"0.03a\" of <molecule> is not a number"},
    {HEAD BODY "<molecule x=\"0\" y=\"0\" z=\"0\" material=\"mm\" radius=\"1\"/>" TAIL,
     "scene.xml:5:1: error: there is no material 'mm'; did you mean 'm'?"},
    {HEAD BODY "<molecule x=\"0\" y=\"0\" z=\"0\" material=\"m\" radius=\"-1\"/>" TAIL,
     "scene.xml:5:1: error: the radius [m] of a molecule of 'o' is -1; it must lie between 1e-09 "
     "and 1000"},
    {HEAD BODY "<molecule x=\"0\" y=\"0\" z=\"0\" material=\"m\" radius=\"1\" fixed=\"yes\"/>" TAIL,
     "fixed=\"yes\" of <molecule> is neither true nor false"},
    {HEAD BODY "<molecule x=\"0\" y=\"0\" z=\"0\" material=\"m\" radius=\"1\" colour=\"3\"/>" TAIL,
     "<molecule> has no attribute 'colour'; it has: x, y, z, vx, vy, vz"},
    {HEAD BODY "<molecule x=\"0\" y=\"1\" z=\"0\" material=\"m\" radius=\"0.01\">"
               "<force x=\"0\" y=\"0\" z=\"0\" time=\"1\"/><force x=\"0\" y=\"0\" z=\"0\" "
               "time=\"1\"/></molecule>" TAIL,
     "the times of forces must rise, but 1 s follows 1 s"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"0\" "
     "youngs_modulus=\"1\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "the density [kg/m3] of 'm' is 0"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" "
     "poissons_ratio=\"0.45\"/></materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "Poisson's ratio of 'm' is 0.45; a body of springs has 1/4"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" model=\"foam\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "model=\"foam\" of <material> is neither springs, corotated nor neo_hookean"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" model=\"corotated\" order=\"3\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "order=\"3\" of <material> is neither 1 nor 2"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" model=\"corotated\" poissons_ratio=\"0.5\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "Poisson's ratio of 'm' is 0.5; it must lie between 0 and 0.49"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" damping_const=\"-1\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "the damping ratio of 'm' is -1; it must lie between 0 and 10"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" breaking_strain=\"-1\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "the breaking strain of 'm' is -1"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" medium_density=\"-1\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "the density of the medium [kg/m3] of 'm' is -1"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" R=\"2\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "a colour of 'm' is 2; it must lie between 0 and 1"},
    {"<come><scene><patient><materials><material description=\"m\" density=\"9\" "
     "youngs_modulus=\"1\" hardness=\"1\"/>"
     "</materials><molecule_organ description=\"o\">" MOLECULE("0") TAIL,
     "<material> has no attribute 'hardness'; it has: description, R, G, B"},
    {"<come><scene><patient><materials><material description=\"m\" "
     "density=\"9\"/></materials></patient></scene></come>",
     "<material> needs the attribute 'youngs_modulus'"},
    {HEAD BODY "</molecule_organ></patient><glue time=\"1\" organ=\"o\" to=\"p\"/></scene></come>",
     "there is no object 'p'"},
    {HEAD BODY "</molecule_organ></patient><glue time=\"1\" organ=\"o\"/></scene></come>",
     "<glue> needs the attribute 'to'"},
    {HEAD BODY "</molecule_organ></patient><cut time=\"1\" organ=\"o\" x=\"0\" y=\"0\" z=\"0\" "
               "nx=\"0\" ny=\"0\" nz=\"0\"/></scene></come>",
     "the plane that cuts 'o' has no normal"},
    {HEAD "<molecule_organ description=\"o\" self_contact=\"maybe\">" MOLECULE("0") TAIL,
     "self_contact=\"maybe\" of <molecule_organ> is neither true nor false"},
    {HEAD "<molecule_organ description=\"o\" placement=\"hexagonal\">" MOLECULE("0") TAIL,
     "placement=\"hexagonal\" of <molecule_organ> is neither as_found, cubic, body_centred nor "
     "random"},
    {"<come><scene mesh_resolution=\"-1\"/></come>",
     "mesh_resolution=\"-1\" of <scene> must be positive"},
    {"<come><scene contact_stiffness=\"0\"/></come>",
     "contact_stiffness=\"0\" of <scene> must be positive"},
    {"<come><scene><simulation fps=\"1\" duration=\"1\" speed=\"2\"/></scene></come>",
     "<simulation> has no attribute 'speed'; it has: fps, duration"},
    {"<come><scene><patient weight=\"1\" size=\"2\"/></scene></come>",
     "<patient> has no attribute 'size'; it has: name, gender"},
    {HEAD "<molecule_organ type=\"x\"/></patient></scene></come>",
     "<molecule_organ> needs the attribute 'description'"},
    {HEAD BODY "<molecule x=\"0\" y=\"0\" z=\"0\" material=\"m\" radius=\"0.01\" "
               "friction_const=\"-1\"/>" TAIL,
     "the friction of a molecule of 'o' is -1"},
    {HEAD BODY "<molecule x=\"1e9\" y=\"0\" z=\"0\" material=\"m\" radius=\"0.01\"/>" TAIL,
     "both must be numbers below 1e6"},
    {HEAD BODY "<molecule x=\"0\" y=\"0\" z=\"0\" material=\"m\"/>" TAIL,
     "<molecule> needs the attribute 'radius'"},
    {HEAD BODY "<molecule x=\"0\" y=\"1\" z=\"0\" material=\"m\" radius=\"0.01\"><force x=\"0\" "
               "y=\"0\" z=\"0\"/></molecule>" TAIL,
     "<force> needs the attribute 'time'"},
    // what is never read
    {"<!DOCTYPE come [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><come>&b;</come>",
     "the entity 'a' is declared; entities are not read"},
    {"<!DOCTYPE come [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><come>&x;</come>",
     "the entity 'x' is declared; entities are not read"},
    {"<!DOCTYPE come SYSTEM \"comescene.dtd\"><come>&x;</come>",
     "the entity 'x' is not known; entities are not read"},
};

static void everything_wrong_has_its_message(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s;
        RbStatus status = read_text(&f, bad[i].text, &s);
        if (status != RB_ERROR_MODEL || !strstr(fixture_message(&f, 0), bad[i].message)) {
            print_error("%s\ngot:  %s\nwant: %s\n", bad[i].text,
                        status == RB_OK ? "no error" : fixture_message(&f, 0), bad[i].message);
            fail();
        }
        assert_int_equal(f.diag.messages.count, 1);
        fixture_close(&f);
    }
}

static RbStatus read_and_build(Fixture *f, void *argument) {
    (void)argument;
    RbSoftScene *s;
    RbNetwork n;
    RB_TRY(read_text(f, HEAD BODY TAIL, &s));
    return rb_network_build(s, &f->arena, f->scratch, &f->diag, &n);
}

static void without_memory(void **state) {
    (void)state;
    fixture_survives(read_and_build, NULL, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_thesis),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(everything_wrong_has_its_message),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
