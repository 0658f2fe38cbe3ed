// SPDX-License-Identifier: MIT
// Archives and descriptions that are damaged or hostile: each is refused with a message, and nothing is written.
#include "fmi/sample.h"

#include "fmi/modelica_class.h"

static const char head[] = "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"A\" "
                           "instantiationToken=\"t\"><CoSimulation modelIdentifier=\"A\"/>";

// Python makes an archive of whatever names and contents the script says.
static RbBytes archive(Fixture *f, const char *script) {
    RbBytes bytes;
    char command[4000];
    assert_int_equal(system("mkdir -p '" FOLDER "'"), 0);
    snprintf(command, sizeof command,
             "cd '" FOLDER "' && python3 -c 'import zipfile, sys\nz = zipfile.ZipFile(\"odd.fmu\", "
                           "\"w\", zipfile.ZIP_DEFLATED)\n%s\nz.close()'",
             script);
    assert_int_equal(system(command), 0);
    ENSURE(rb_file_read(FOLDER "/odd.fmu", 0, &f->arena, &f->diag, &bytes) == RB_OK);
    return bytes;
}

static void refuse_bytes(RbBytes bytes, Fixture *f, const char *words) {
    RbFmi *fmi;
    int before = f->diag.error_count;
    ENSURE(rb_fmi_read("odd.fmu", bytes, &f->arena, &f->diag, &fmi) != RB_OK);
    ENSURE(f->diag.error_count > before);
    const char *text = f->diag.messages.data[f->diag.messages.count - 1].text;
    if (!strstr(text, words)) print_error("'%s' does not say '%s'\n", text, words);
    ENSURE(strstr(text, words));
}

static void refuse(const char *script, const char *words) {
    Fixture f;
    fixture_open(&f);
    refuse_bytes(archive(&f, script), &f, words);
    fixture_close(&f);
}

static void names_that_lead_out_are_refused(void **state) {
    (void)state;
    refuse("z.writestr(\"../evil\", \"x\")", "leads out");
    refuse("z.writestr(\"/etc/evil\", \"x\")", "leads out");
    refuse("z.writestr(\"resources/../../evil\", \"x\")", "leads out");
    refuse("z.writestr(\"resources\\\\..\\\\..\\\\evil\", \"x\")", "leads out");
    refuse("z.writestr(\"C:/evil\", \"x\")", "leads out");
    refuse("i = zipfile.ZipInfo(\"resources/link\")\ni.external_attr = 0o120777 << "
           "16\ni.create_system = 3\nz.writestr(i, \"/etc\")",
           "symbolic link");
}

static void archives_without_a_description_are_refused(void **state) {
    (void)state;
    refuse("z.writestr(\"binaries/a.so\", \"x\")", "no modelDescription.xml");
    refuse("z.writestr(\"modelDescription.xml\", \"<a\")", "not XML");
    refuse("z.writestr(\"modelDescription.xml\", \"<robot/>\")", "no description of an FMU");
    refuse(
        "z.writestr(\"modelDescription.xml\", \"<fmiModelDescription fmiVersion=\\\"1.0\\\"/>\")",
        "FMI 1.0");
}

// Every byte of a good archive is cut off or turned over.
static void damaged_archives_are_refused_or_read(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes good = archive(
        &f, "z.writestr(\"modelDescription.xml\", \"<fmiModelDescription fmiVersion=\\\"3.0\\\" "
            "modelName=\\\"A\\\" instantiationToken=\\\"t\\\"><CoSimulation "
            "modelIdentifier=\\\"A\\\"/></fmiModelDescription>\")");
    RbFmi *fmi;
    ENSURE(rb_fmi_read("good.fmu", good, &f.arena, &f.diag, &fmi) == RB_OK);
    for (size_t size = 0; size < good.size; size++) {
        unsigned char *cut = malloc(size + 1); // so that a sanitizer sees a step too far
        memcpy(cut, good.data, size);
        refuse_bytes((RbBytes){cut, size}, &f, "");
        free(cut);
    }
    int refused = 0;
    for (size_t at = 0; at < good.size; at++) {
        unsigned char *odd = malloc(good.size);
        memcpy(odd, good.data, good.size);
        odd[at] ^= 0xff;
        int before = f.diag.error_count;
        bool read =
            rb_fmi_read("odd.fmu", (RbBytes){odd, good.size}, &f.arena, &f.diag, &fmi) == RB_OK;
        ENSURE(read || f.diag.error_count > before);
        refused += !read;
        free(odd);
    }
    ENSURE(refused > (int)good.size / 2);
    fixture_close(&f);
}

static void refuse_text(const char *rest, const char *words) {
    Fixture f;
    char text[3000];
    RbXml *root;
    fixture_open(&f);
    snprintf(text, sizeof text, "%s%s</fmiModelDescription>", head, rest);
    RbFmi fmi = {.arena = &f.arena, .version = 3, .path = "a.fmu", .file = "a.fmu"};
    ENSURE(rb_xml_read("a.xml", (RbBytes){(const unsigned char *)text, strlen(text)}, &f.arena,
                       &f.diag, &root) == RB_OK);
    RbStatus status = rb_fmi_read_variables(&fmi, root, &f.diag);
    if (status == RB_OK) status = rb_fmi_read_structure(&fmi, root, &f.diag);
    ENSURE(status != RB_OK && f.diag.error_count == 1);
    const RbMessage *said = &f.diag.messages.data[f.diag.messages.count - 1];
    if (!strstr(said->text, words)) print_error("'%s' does not say '%s'\n", said->text, words);
    ENSURE(strstr(said->text, words) && said->at.line == 1 && said->at.column > 1);
    fixture_close(&f);
}

#define VARIABLES(text) "<ModelVariables>" text "</ModelVariables>"

static void wrong_descriptions_are_refused(void **state) {
    (void)state;
    refuse_text(VARIABLES("<Float64 name='a' valueReference='x'/>"), "is not a number");
    refuse_text(VARIABLES("<Float64 name='a' valueReference='-1'/>"), "from 0 to");
    refuse_text(VARIABLES("<Float64 name='a' valueReference='1' causality='odd'/>"),
                "causality 'odd'");
    refuse_text(VARIABLES("<Float65 name='a' valueReference='1'/>"), "none of FMI 3");
    refuse_text(VARIABLES("<Float64 name='a' valueReference='1' start='1 2'/>"), "start value");
    refuse_text(VARIABLES("<Enumeration name='a' valueReference='1' declaredType='Odd'/>"),
                "no enumeration");
    refuse_text(
        VARIABLES("<Float64 name='a' valueReference='1'><Dimension start='1e9'/></Float64>"),
        "from 0 to");
    refuse_text(VARIABLES("<Float64 name='a' valueReference='1'><Dimension "
                          "start='100000'/><Dimension start='100000'/></Float64>"),
                "more than");
    refuse_text(
        VARIABLES("<Float64 name='a' valueReference='1'><Dimension valueReference='7'/></Float64>"),
        "no structural parameter");
    refuse_text(
        VARIABLES("<Float64 name='a' valueReference='1'/><Float64 name='a' valueReference='2'/>"),
        "two variables");
    refuse_text(VARIABLES("<Float64 name='a' valueReference='1' derivative='9'/>"),
                "does not exist");
    refuse_text(
        VARIABLES("<Float64 name='a' valueReference='1'/>") "<ModelStructure><Output "
                                                            "valueReference='5'/></ModelStructure>",
        "does not exist");
    refuse_text(
        VARIABLES(
            "<Float64 name='a' valueReference='1'/>") "<ModelStructure><Output valueReference='1' "
                                                      "dependencies='5'/></ModelStructure>",
        "dependency '5'");
    refuse_text(
        VARIABLES(
            "<Float64 name='a' valueReference='1'/>") "<ModelStructure><ContinuousStateDerivative "
                                                      "valueReference='1'/></ModelStructure>",
        "does not say of which");
}

// What a model says that names an FMU that cannot be had.
static void refuse_model(const char *annotation, const char *words) {
    RbContext *c = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    char text[1000];
    RbModel *model;
    snprintf(text, sizeof text,
             "model A\n  output Real h;\n  annotation(__Rattleback(%s));\nend A;\nmodel B\n  A "
             "a;\nend B;\n",
             annotation);
    source.text = text;
    source.file = FOLDER "/B.mo";
    ENSURE(rb_modelica_translate(c, &source, &model) != RB_OK);
    bool said = false;
    for (int i = 0; i < rb_context_message_count(c); i++)
        said |= strstr(rb_context_message(c, i), words) != NULL;
    if (!said)
        print_error("nothing says '%s': %s\n", words,
                    rb_context_message_count(c) > 0 ? rb_context_message(c, 0) : "");
    ENSURE(said);
    rb_context_free(c);
}

static void wrong_classes_are_refused(void **state) {
    (void)state;
    const char *ball = sample_fmu(BALL, 2);
    char annotation[700];
    refuse_model("component = \"ModelExchange\", file = \"absent.fmu\"", "absent.fmu");
    snprintf(annotation, sizeof annotation, "component = \"Exchange\", file = \"%.500s\"", ball);
    refuse_model(annotation, "must be \"ModelExchange\" or");
    refuse_model("component = \"ModelExchange\", file = 5", "must be a string");
}

static void others_programs_can_be_refused(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    RbModel *model;
    source.file = sample_fmu(BALL, 2);
    source.no_external = true;
    ENSURE(rb_modelica_translate(c, &source, &model) != RB_OK);
    ENSURE(strstr(rb_context_message(c, 0), "program of others"));
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_lead_out_are_refused),
        cmocka_unit_test(archives_without_a_description_are_refused),
        cmocka_unit_test(damaged_archives_are_refused_or_read),
        cmocka_unit_test(wrong_descriptions_are_refused),
        cmocka_unit_test(wrong_classes_are_refused),
        cmocka_unit_test(others_programs_can_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
