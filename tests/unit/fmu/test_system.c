// SPDX-License-Identifier: MIT
// label: normal
// Systems of FMUs in SSP: values, connections and messages. The FMUs are our own exports.
#include "testing.h"

#include <string.h>
#include <sys/stat.h>

#include "rattleback/rattleback.h"

#define FOLDER RB_BINARY_DIR "/tests/system_structure"

static void must(RbContext *c, RbStatus status) {
    for (int i = 0; status != RB_OK && i < rb_context_message_count(c); i++)
        print_error("%s\n", rb_context_message(c, i));
    assert_int_equal(status, RB_OK);
}

static void export_model(const char *text, int version, const char *file) {
    RbContext *c = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    RbFmuOptions options = rb_fmu_options_default();
    source.text = text;
    options.version = version;
    options.type = RB_FMU_BOTH;
    options.binary_folder = RB_BINARY_DIR "/fmu/binary";
    must(c, rb_fmu_export(c, &source, &options, file));
    rb_context_free(c);
}

static int export_models(void **state) {
    (void)state;
    mkdir(FOLDER, 0777);
    export_model("model Mass \"On a rail\"\n"
                 "  parameter Real m(unit = \"kg\") = 1;\n"
                 "  parameter Boolean held = false;\n"
                 "  input Real f(unit = \"N\", start = 0);\n"
                 "  output Real s(unit = \"m\") = x, v(unit = \"m/s\") = w;\n"
                 "  Real x(start = 0, fixed = true), w(start = 0, fixed = true);\n"
                 "equation\n"
                 "  der(x) = if held then 0 else w;\n"
                 "  m*der(w) = f;\n"
                 "end Mass;\n",
                 3, FOLDER "/Mass.fmu");
    export_model("model Spring \"Between two ends\"\n"
                 "  parameter Real c(unit = \"N/m\") = 10;\n"
                 "  input Real s(unit = \"mm\"), rest(unit = \"m\", start = 0);\n"
                 "  output Real f(unit = \"N\") = -c*(s/1000 - rest);\n"
                 "end Spring;\n",
                 2, FOLDER "/Spring.fmu");
    return 0;
}

#define HEAD                                                                                       \
    "<ssd:SystemStructureDescription version=\"1.0\" name=\"x\" "                                  \
    "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "                       \
    "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" "                            \
    "xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "                   \
    "xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\">"
#define SYSTEM(in)                                                                                 \
    HEAD "<ssd:System name=\"Rig\">" in "</ssd:System></ssd:SystemStructureDescription>"
#define SET(values)                                                                                \
    "<ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters>" values                         \
    "</ssv:Parameters></ssv:ParameterSet>"
#define VALUE(name, value)                                                                         \
    "<ssv:Parameter name=\"" name "\"><ssv:Real value=\"" value "\"/></ssv:Parameter>"
#define BIND(more, values)                                                                         \
    "<ssd:ParameterBindings><ssd:ParameterBinding" more "<ssd:ParameterValues>" SET(               \
        values) "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>"
#define FMU(name, file, more)                                                                      \
    "<ssd:Component name=\"" name "\" source=\"" file "\">" more "</ssd:Component>"
#define JOIN(a, x, b, y)                                                                           \
    "<ssd:Connection startElement=\"" a "\" startConnector=\"" x "\" endElement=\"" b              \
    "\" endConnector=\"" y "\"/>"

static void write_file(const char *name, const char *text) {
    char path[1000];
    snprintf(path, sizeof path, FOLDER "/%s", name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static RbStatus translate(RbContext *c, const char *text, RbModel **model) {
    RbModelica source = rb_modelica_default();
    write_file("Rig.ssd", text);
    source.file = FOLDER "/Rig.ssd";
    return rb_modelica_translate(c, &source, model);
}

static void run(const char *text, double stop, const char *const *names, int count,
                double *values) {
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    RbRun *held;
    must(c, translate(c, text, &model));
    RbSimOptions options = rb_model_options(model);
    options.tolerance = 1e-10;
    options.stop_time = stop;
    must(c, rb_run_open(c, model, &options, &held));
    must(c, rb_run_step(held, RB_UNTIL_TIME, stop, NULL));
    for (int i = 0; i < count; i++) must(c, rb_run_get_named(held, names[i], &values[i]));
    rb_run_close(held, NULL);
    rb_context_free(c);
}

#define LOOP(a, b) JOIN(a, "s", b, "s") JOIN(b, "f", a, "f")

// m x'' = -c (x - rest), with the length in mm in between. Values of the system count more than those of a component.
static void an_oscillator(void **state) {
    (void)state;
    const char *names[] = {"mass.s", "spring.f"};
    double got[2], w = sqrt(40 / 2.5);
    run(SYSTEM(BIND(">", VALUE("spring.c", "40") VALUE("spring.rest", "0.02")) "<ssd:Elements>" FMU(
            "mass", "Mass.fmu", BIND(">", VALUE("m", "2.5") VALUE("x", "0.1")))
                   FMU("spring", "Spring.fmu",
                       BIND(">",
                            VALUE("c",
                                  "7"))) "</ssd:Elements><ssd:Connections>" LOOP("mass",
                                                                                 "spring") "</"
                                                                                           "ssd:"
                                                                                           "Connect"
                                                                                           "ions>"),
        1, names, 2, got);
    ENSURE_NEAR(got[0], 0.02 + 0.08 * cos(w), 1e-8);
    ENSURE_NEAR(got[1], -40 * 0.08 * cos(w), 1e-6);
}

// A system inside, with connectors, a parameter that is handed on, a linear transformation, names that are mapped, and one FMU for
// co-simulation.
static void a_system_inside(void **state) {
    (void)state;
    const char *names[] = {"plant.body.s", "copy.s", "plant.place"};
    double got[3];
    run(SYSTEM(
            "<ssd:Elements><ssd:System name=\"plant\"><ssd:Connectors>"
            "<ssd:Connector name=\"push\" kind=\"input\"><ssc:Real unit=\"N\"/></ssd:Connector>"
            "<ssd:Connector name=\"place\" kind=\"output\"><ssc:Real unit=\"m\"/></ssd:Connector>"
            "<ssd:Connector name=\"weight\" kind=\"parameter\"><ssc:Real "
            "unit=\"kg\"/></ssd:Connector></ssd:Connectors>" BIND(
                ">",
                VALUE("weight", "4") VALUE(
                    "body.x",
                    "0.5")) "<ssd:Elements>" FMU("body", "Mass.fmu",
                                                 "") "</ssd:Elements><ssd:Connections>"
                                                     "<ssd:Connection startConnector=\"push\" "
                                                     "endElement=\"body\" endConnector=\"f\"/>"
                                                     "<ssd:Connection startConnector=\"weight\" "
                                                     "endElement=\"body\" endConnector=\"m\"/>"
                                                     "<ssd:Connection endConnector=\"place\" "
                                                     "startElement=\"body\" "
                                                     "startConnector=\"s\"/></ssd:Connections></"
                                                     "ssd:System>" FMU(
                                                         "drive", "Spring.fmu",
                                                         BIND(
                                                             "><ssd:ParameterMapping><ssm:"
                                                             "ParameterMapping "
                                                             "version=\"1.0\"><ssm:MappingEntry "
                                                             "source=\"far\" "
                                                             "target=\"rest\"/></"
                                                             "ssm:ParameterMapping></"
                                                             "ssd:ParameterMapping>",
                                                             VALUE("far", "1") VALUE(
                                                                 "other",
                                                                 "3"))) "<ssd:Component "
                                                                        "name=\"copy\" "
                                                                        "source=\"Mass."
                                                                        "fmu\" "
                                                                        "implementation="
                                                                        "\"CoSimulation\"/"
                                                                        "></"
                                                                        "ssd:Elements><"
                                                                        "ssd:"
                                                                        "Connections"
                                                                        ">" JOIN(
                                                                            "drive", "f", "plant",
                                                                            "push") "<ssd:"
                                                                                    "Connection "
                                                                                    "startElement="
                                                                                    "\"drive\" "
                                                                                    "startConnector"
                                                                                    "=\"f\" "
                                                                                    "endElement="
                                                                                    "\"copy\" "
                                                                                    "endConnector="
                                                                                    "\"f\">"
                                                                                    "<ssc:"
                                                                                    "LinearTransfor"
                                                                                    "mation "
                                                                                    "factor=\"0."
                                                                                    "5\" "
                                                                                    "offset=\"3\"/"
                                                                                    "></"
                                                                                    "ssd:"
                                                                                    "Connection></"
                                                                                    "ssd:"
                                                                                    "Connections>"),
        1, names, 3, got);
    ENSURE_NEAR(got[0], 0.5 + 10. / 4 / 2,
                1e-6); // pushed with 10 N; the solver starts anew at 500 communication points
    ENSURE_NEAR(got[1], 8. / 2, 1e-6);
    ENSURE_NEAR(got[2], got[0], 1e-15);
}

static void refuses(const char *text, const char *message) {
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    if (translate(c, text, &model) == RB_OK) fail_msg("not refused: %s", text);
    const char *got = rb_context_message(c, rb_context_message_count(c) - 1);
    if (!strstr(got, message)) fail_msg("'%s' lacks '%s'", got, message);
    rb_context_free(c);
}

#define ONE(more, connections)                                                                     \
    SYSTEM("<ssd:Elements>" FMU("mass", "Mass.fmu", more)                                          \
               FMU("spring", "Spring.fmu", "") "</ssd:Elements><ssd:Connections>" connections      \
                                               "</ssd:Connections>")

static void what_is_wrong_is_named(void **state) {
    (void)state;
    refuses("<a/>", "this is no system structure of SSP");
    refuses(SYSTEM("<ssd:Elements>" FMU("a", "None.fmu", "") "</ssd:Elements>"), "None.fmu");
    refuses(SYSTEM("<ssd:Elements>" FMU("a", "a.txt", "") "</ssd:Elements>"), "only FMUs are read");
    refuses(SYSTEM("<ssd:Elements><ssd:SignalDictionaryReference name=\"d\"/></ssd:Elements>"),
            "is not read");
    refuses(ONE("", JOIN("mass", "place", "spring", "s")), "has no variable 'place'");
    refuses(ONE("", JOIN("mess", "s", "spring", "s")), "there is no element 'mess'");
    refuses(ONE("", JOIN("mass", "f", "spring", "s")), "both take a signal");
    refuses(ONE("", JOIN("mass", "s", "spring", "f")), "both give a signal");
    refuses(ONE("", JOIN("mass", "w", "spring", "s")), "cannot be connected");
    refuses(
        ONE("", "<ssd:Connection startElement=\"mass\" startConnector=\"s\" endConnector=\"y\"/>"),
        "there is no connector 'y'");
    refuses(ONE(BIND(">", VALUE("m", "heavy")), ""), "'heavy' is no value for 'm' of 'mass'");
    refuses(ONE(BIND(">", VALUE("s", "3")), ""), "'s' of 'mass' cannot be set");
    refuses(ONE("<ssd:ParameterBindings><ssd:ParameterBinding "
                "source=\"none.ssv\"/></ssd:ParameterBindings>",
                ""),
            "none.ssv");
}

// A value of nothing is a warning.
static void values_of_nothing(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    must(c, translate(c, ONE(BIND(">", VALUE("mm", "3")), ""), &model));
    ENSURE(strstr(rb_context_message(c, 0), "warning: 'mm' sets nothing of 'mass'"));
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator),
        cmocka_unit_test(a_system_inside),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(values_of_nothing),
    };
    return cmocka_run_group_tests(tests, export_models, NULL);
}
