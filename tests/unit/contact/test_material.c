// SPDX-License-Identifier: MIT
// Material palettes: the shipped one, overriding, averaging, and messages with names, lines and
// columns.
#include "testing.h"

#include <string.h>

#include "contact/describe.h"
#include "math/rng.h"

static const char *shipped = RB_SOURCE_DIR "/data/materials.json";

static RbContactSide side(const char *object, const char *solid) {
    return (RbContactSide){.object = object, .solid = solid};
}

// Values of the published tables, typed in here a second time.
static void shipped_palette_has_the_published_values(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    ENSURE(m.solids.count == 50 && m.pairs.count == 82);
    const RbSolidMaterial *s;
    ENSURE(rb_materials_solid(&m, "Aluminium", "plate", RB_NOWHERE, &f.diag, &s) == RB_OK);
    ENSURE_NEAR(s->density, 2700, 0);
    ENSURE_NEAR(s->elastic.youngs_modulus, 69e9, 0);
    ENSURE_NEAR(s->elastic.poissons_ratio, 0.32, 0);
    ENSURE_NEAR(s->melting_point, 933, 0);
    ENSURE_NEAR(s->heat_capacity, 897, 0);
    ENSURE_NEAR(s->heat_conductivity, 237, 0);
    ENSURE_NEAR(s->thermal_expansion, 2.31e-5, 0);
    RbContactMaterial c;
    ENSURE(rb_materials_pair(&m, side("table", "BilliardTable"), side("ball", "BilliardBall"),
                             RB_NOWHERE, &f.diag, &c) == RB_OK);
    ENSURE_NEAR(c.law.restitution, 0, 0);
    ENSURE_NEAR(c.law.mu_k, 0.8, 0);
    ENSURE_NEAR(c.law.mu_r, 0.01, 0);
    ENSURE_NEAR(c.law.v_small, 0.01, 0);
    ENSURE_NEAR(c.elastic_1.youngs_modulus, 1.1e10, 0);
    ENSURE_NEAR(c.elastic_2.youngs_modulus, 5.4e9, 0);
    // Every solid of the workshop touches itself and the others.
    static const char *const workshop[] = {"Steel", "Aluminium", "DryWood"};
    for (int i = 0; i < 9; i++) {
        ENSURE(rb_materials_pair(&m, side("a", workshop[i % 3]), side("b", workshop[i / 3]),
                                 RB_NOWHERE, &f.diag, &c) == RB_OK);
        ENSURE(c.law.restitution > 0 && c.law.mu_k > 0);
    }
    ENSURE(rb_materials_pair(&m, side("o", "Observer"), side("b", "Steel"), RB_NOWHERE, &f.diag,
                             &c) == RB_OK);
    ENSURE(c.law.response == RB_RESPONSE_OBSERVER && c.law.alarm);
    fixture_close(&f);
}

// A name in `sources` ("density Gere, modulus CRC", or "Gere" for all) that the list explains.
static bool explained(const RbMaterials *m, const char *sources) {
    char text[400];
    if (!sources || strlen(sources) >= sizeof text) return false;
    strcpy(text, sources);
    for (char *part = strtok(text, ","); part; part = strtok(NULL, ",")) {
        const char *space = strrchr(part, ' '), *name = space ? space + 1 : part;
        bool found = false;
        for (int i = 0; i < m->sources.count; i++)
            found |= strcmp(m->sources.data[i].name, name) == 0 && m->sources.data[i].what[0];
        if (!found) return false;
    }
    return true;
}

static bool within(double value, const double range[2]) {
    return range[1] <= 0 || (value >= range[0] && value <= range[1]);
}

// Densities of solids, Young's moduli in pascal, ratios: nothing was typed in another unit. What is ours alone is called Modia3D.
static void every_value_has_a_source(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    for (int i = 0; i < m.solids.count; i++) {
        const RbSolidMaterial *s = &m.solids.data[i];
        if (strcmp(s->name, "Observer") == 0) continue;
        ENSURE(explained(&m, s->sources));
        ENSURE(s->density > 400 && s->density < 20000);
        ENSURE(s->elastic.youngs_modulus >= 1e6 && s->elastic.youngs_modulus < 5e11);
        ENSURE(s->elastic.poissons_ratio >= 0.1 && s->elastic.poissons_ratio < 0.5);
        RbContactMaterial c; // each touches itself and steel
        ENSURE(strncmp(s->name, "Billiard", 8) == 0 ||
               (rb_materials_pair(&m, side("a", s->name), side("b", s->name), RB_NOWHERE, &f.diag,
                                  &c) == RB_OK &&
                rb_materials_pair(&m, side("a", s->name), side("b", "Steel"), RB_NOWHERE, &f.diag,
                                  &c) == RB_OK));
    }
    for (int i = 0; i < m.pairs.count; i++) {
        const RbPairMaterial *p = &m.pairs.data[i];
        if (p->law.response != RB_RESPONSE_ELASTIC) continue;
        ENSURE(explained(&m, p->sources));
        bool older = strstr(p->sources, "Modia3D") != NULL;
        ENSURE(older || (within(p->law.restitution, p->restitution_range) &&
                         within(p->law.mu_k, p->friction_range)));
    }
    RbText text = rb_text(&f.arena);
    rb_materials_list(&m, &text);
    ENSURE(strstr(text.data, "Copper                     8900     1.15e+11      0.355"));
    ENSURE(strstr(text.data, "BrakeLining on GreyCastIron") && strstr(text.data, "0.2 to 0.4"));
    ENSURE(strstr(text.data, "\n  Dowling          Dowling: Mechanical Behavior of Materials"));
    fixture_close(&f);
}

static void part_of_a_name_is_enough_for_a_hint(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    assert_string_equal(rb_materials_near(&m, "granite"), "WesterlyGranite");
    assert_string_equal(rb_materials_near(&m, "Rubber"), "NaturalRubber");
    assert_string_equal(rb_materials_near(&m, "Koper"), "Copper");
    ENSURE(!rb_materials_near(&m, "Kryptonite"));
    fixture_close(&f);
}

static void missing_pair_is_the_average(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    RbContactMaterial c;
    ENSURE(rb_materials_pair(&m, side("a", "Steel"), side("b", "DryWood"), RB_NOWHERE, &f.diag,
                             &c) == RB_OK);
    ENSURE_NEAR(c.law.restitution, 0.65, 1e-15);
    ENSURE_NEAR(c.law.mu_k, 0.4, 1e-15);
    ENSURE_NEAR(c.law.mu_r, 0.001, 1e-15);
    ENSURE(isinf(c.law.max_friction));
    // Aluminium borrows the contact data of steel but keeps its own modulus.
    RbContactSide plate = {.object = "plate", .solid = "Aluminium", .contact = "Steel"};
    ENSURE(rb_materials_pair(&m, plate, side("b", "Steel"), RB_NOWHERE, &f.diag, &c) == RB_OK);
    ENSURE_NEAR(c.law.restitution, 0.7, 0);
    ENSURE_NEAR(c.elastic_1.youngs_modulus, 6.9e10, 0);
    fixture_close(&f);
}

static RbStatus parse(Fixture *f, RbMaterials *m, const char *text) {
    return rb_materials_parse(m, "mine.json", text, strlen(text), &f->arena, &f->diag);
}

static void user_files_add_and_override(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    ENSURE(parse(&f, &m,
                 "{\"solids\": {\"Rubber\": {\"density\": 1100, \"youngs_modulus\": 5e6, "
                 "\"poissons_ratio\": 0.49}},\n"
                 " \"pairs\": [{\"materials\": [\"BilliardTable\", \"BilliardBall\"], "
                 "\"restitution\": 0.2, \"friction\": \"bristle\",\n"
                 "              \"damping\": \"flores\"},\n"
                 "             {\"materials\": [\"Rubber\", \"Rubber\"], \"normal\": "
                 "\"spring-damper\", \"stiffness\": 1e5}]}") == RB_OK);
    ENSURE(m.solids.count == 51 && m.pairs.count == 83);
    RbContactMaterial c;
    ENSURE(rb_materials_pair(&m, side("b", "BilliardBall"), side("t", "BilliardTable"), RB_NOWHERE,
                             &f.diag, &c) == RB_OK);
    ENSURE_NEAR(c.law.restitution, 0.2, 0);
    ENSURE_NEAR(c.law.mu_k, 0, 0); // replaced as a whole
    ENSURE(c.law.friction == RB_FRICTION_BRISTLE && c.law.damping == RB_DAMPING_FLORES);
    ENSURE(rb_materials_pair(&m, side("b", "Rubber"), side("t", "Rubber"), RB_NOWHERE, &f.diag,
                             &c) == RB_OK);
    ENSURE(c.law.normal == RB_NORMAL_SPRING_DAMPER);
    ENSURE_NEAR(c.law.stiffness, 1e5, 0);
    fixture_close(&f);
}

static void expect_pair(const char *a, const char *b, const char *want) {
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    RbContactMaterial c;
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    ENSURE(parse(&f, &m, "{\"pairs\": [{\"materials\": [\"Observer\", \"DryWood\"]}]}") == RB_OK);
    ENSURE(rb_materials_pair(&m, side("ball", a), side("plate", b), RB_NOWHERE, &f.diag, &c) ==
           RB_ERROR_MODEL);
    assert_string_equal(f.diag.messages.data[0].text, want);
    fixture_close(&f);
}

static void missing_data_names_the_objects(void **state) {
    (void)state;
    expect_pair("Steel", "BilliardTable",
                "no contact data for 'ball' (Steel) and 'plate' (BilliardTable), and none for "
                "BilliardTable with itself to average; add the pair [\"Steel\", \"BilliardTable\"] "
                "to a material file, or a Rattleback.Materials.Pair to the model, or set the "
                "contact material of one of them");
    expect_pair("BilliardBall", "Observer",
                "no contact data for 'ball' (BilliardBall) and 'plate' (Observer), and the laws of "
                "each material with itself differ, so "
                "that no average is possible; add the pair [\"BilliardBall\", \"Observer\"] to a "
                "material file, or a "
                "Rattleback.Materials.Pair to the model");
    expect_pair(
        "Observer", "DryWood",
        "Young's modulus of the material 'Observer' is 0 Pa; it must be > 0 for the elastic "
        "contact of 'ball': give it, or a Rattleback.Materials.Pair with a stiffness of its "
        "own or a response without force");
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    const RbSolidMaterial *s;
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    ENSURE(rb_materials_solid(&m, "Stel", "ball", RB_NOWHERE, &f.diag, &s) == RB_ERROR_MODEL);
    assert_string_equal(f.diag.messages.data[0].text,
                        "unknown material 'Stel' of 'ball'; did you mean 'Steel'?");
    ENSURE(rb_materials_solid(&m, "Unobtainium", "ball", RB_NOWHERE, &f.diag, &s) ==
           RB_ERROR_MODEL);
    assert_string_equal(f.diag.messages.data[1].text,
                        "unknown material 'Unobtainium' of 'ball'; add it to a material file, or a "
                        "Rattleback.Materials.Solid to the model");
    fixture_close(&f);
}

static void expect_error(const char *text, int line, int column, const char *want) {
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    ENSURE(parse(&f, &m, text) == RB_ERROR_IO);
    ENSURE(m.solids.count == 0 && m.pairs.count == 0);
    const RbMessage *message = &f.diag.messages.data[0];
    assert_string_equal(message->text, want);
    assert_int_equal(message->at.line, line);
    assert_int_equal(message->at.column, column);
    fixture_close(&f);
}

static void bad_files_are_reported_with_line_and_column(void **state) {
    (void)state;
    expect_error("{\"solids\": {\n  \"A\": {\"density\": }}}", 2, 20, "this is not valid JSON");
    expect_error("[1]", 1, 1,
                 "a material file is an object with the keys \"solids\" and \"pairs\"");
    expect_error(
        "{\"solids\": {},\n \"pars\": []}", 2, 2,
        "expected \"solids\" or \"sources\" with an object or \"pairs\" with a list, not 'pars'");
    expect_error("{\"solids\": {\"B\": {}, \n \"A\": 7}}", 2, 2,
                 "material 'A' must be an object with keys such as \"density\"");
    expect_error("{\"solids\": {\"B\": {\"density\": 1},\n  \"A\": {\"poissons_ratio\": 0.3,\n "
                 "\"density\": -3}}}",
                 3, 2, "'density' is -3 kg/m3; it must lie between 0 and 1e+30");
    expect_error("{\"solids\": {\"A\": {\"density\": \"heavy\"}}}", 1, 19,
                 "'density' must be a number");
    expect_error("{\"solids\": {\"A\": {\"desnity\": 4}}}", 1, 19,
                 "unknown key 'desnity'; did you mean 'density'?");
    expect_error("{\"solids\": {\"A\": {\"sources\": 4}}}", 1, 19,
                 "'sources' must be an object that names the source of each value");
    expect_error("{\"solids\": {\"A\": {\"sources\": {\"all\": 4}}}}", 1, 19,
                 "the source of 'all' must be a text");
    expect_error("{\"pairs\": [{\"materials\": [\"A\", \"B\"], \"restitution_range\": [1, 0]}]}", 1,
                 38, "'restitution_range' must be a list of two numbers, the smaller one first");
    expect_error("{\"sources\": {\"Gere\": 1}}", 1, 2, "the source 'Gere' must be a text");
    expect_error("{\"pairs\": [{\"materials\": [\"A\", \"B\"]},\n {\"materials\": [\"A\"]}]}", 2, 3,
                 "'materials' must be a list of two names");
    expect_error("{\"pairs\": [{\"materials\": [\"A\", \"B\"], \"restitution\": 1.5}]}", 1, 38,
                 "'restitution' is 1.5; it must lie between 0 and 1");
    expect_error("{\"pairs\": [{\"materials\": [\"A\", \"B\"], \"friction\": \"glue\"}]}", 1, 38,
                 "'friction' must be one of \"sliding\", \"static\", \"curve\", \"bristle\", "
                 "\"auto\"");
    expect_error("{\"pairs\": [{\"restitution\": 1}]}", 1, 12,
                 "this pair lacks the key \"materials\" with two names");
    expect_error("{\"pairs\": [{\"materials\": [\"A\", \"B\"], \"normal\": \"spring-damper\"}]}", 1,
                 12, "the spring-damper law of 'A' and 'B' needs a positive \"stiffness\"");
    expect_error("{\"pairs\": [3]}", 1, 12, "a pair must be an object with the key \"materials\"");
}

// Bytes changed at random: an answer or a message, never a crash.
static void damaged_files_do_no_harm(void **state) {
    (void)state;
    RbRng rng = rb_rng(9);
    for (int t = 0; t < 500; t++) {
        Fixture f;
        fixture_open(&f);
        char text[] = "{\"solids\": {\"A\": {\"density\": 1, \"poissons_ratio\": 0.2}}, \"pairs\": "
                      "[{\"materials\": [\"A\", \"B\"], "
                      "\"friction\": \"curve\", \"alarm\": true, \"exponent\": 2}]}";
        for (int k = 0; k < 3; k++)
            text[rb_rng_int(&rng, (int)sizeof text - 1)] = "{}[]\",:\\a1 -"[rb_rng_int(&rng, 12)];
        RbMaterials m = {0};
        RbStatus status = parse(&f, &m, text);
        ENSURE(status == RB_OK || f.diag.error_count > 0);
        fixture_close(&f);
    }
}

// Elastic ball against ball-like plate: figures of Hertz by hand. m = 1768 4/3 pi 1e-6, E*
// = 5.4e9/(2 (1 - 0.34²)), K = 4/3 E* 0.1.
static void constants_are_described(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMaterials m = {0};
    RbText out = rb_text(&f.arena);
    ENSURE(rb_materials_read(&m, shipped, &f.arena, &f.diag) == RB_OK);
    ENSURE(rb_materials_describe(&m, "BilliardBall", "BilliardBall", &f.diag, &out) == RB_OK);
    double mass = 1768 * 4.0 / 3 * 3.14159265358979 * 1e-6,
           K = 4.0 / 3 * 5.4e9 / (2 * (1 - 0.34 * 0.34)) * 0.1;
    double depth = pow(1.25 * mass / K, 0.4);
    const char *want = rb_arena_printf(&f.arena,
                                       "BilliardBall on BilliardBall\n"
                                       "  restitution 1\n"
                                       "  sliding friction 0 (auto), rolling resistance 0\n"
                                       "  a ball of BilliardBall, 20 mm across, at 1 m/s:\n"
                                       "    contact time %.3g s, depth %.3g m, force %.3g N\n"
                                       "    returns with 1 of its speed\n",
                                       2.94327 * depth, depth, K * pow(depth, 1.5));
    assert_string_equal(out.data, want);
    out = rb_text(&f.arena);
    ENSURE(rb_materials_describe(&m, "Steel", "DryWood", &f.diag, &out) == RB_OK);
    ENSURE(strstr(out.data, "returns with 0.65 of its speed"));
    ENSURE(strstr(out.data, "creeps at 0.00182 m/s"));
    out = rb_text(&f.arena);
    ENSURE(rb_materials_describe(&m, "Steel", "Observer", &f.diag, &out) == RB_OK);
    assert_string_equal(out.data, "Steel on Observer\n  no forces\n");
    ENSURE(rb_materials_describe(&m, "Steel", "Stel", &f.diag, &out) == RB_ERROR_MODEL);
    fixture_close(&f);
}

static RbStatus read_shipped(Fixture *f, void *argument) {
    (void)argument;
    RbMaterials m = {0};
    return rb_materials_read(&m, shipped, &f->arena, &f->diag);
}

static void running_out_of_memory_leaks_nothing(void **state) {
    (void)state;
    fixture_survives(read_shipped, NULL, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_palette_has_the_published_values),
        cmocka_unit_test(every_value_has_a_source),
        cmocka_unit_test(part_of_a_name_is_enough_for_a_hint),
        cmocka_unit_test(missing_pair_is_the_average),
        cmocka_unit_test(user_files_add_and_override),
        cmocka_unit_test(missing_data_names_the_objects),
        cmocka_unit_test(bad_files_are_reported_with_line_and_column),
        cmocka_unit_test(constants_are_described),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
