// SPDX-License-Identifier: MIT
// sample.h: FMUs of sample.c: compiled, described and put into an archive by other programs than ours.
#pragma once

#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

#define FOLDER RB_BINARY_DIR "/tests/fmi"

typedef struct Xml {
    FILE *file;
    int version, count;                // variables so far
    const char *outputs, *derivatives; // numbers in variables, between blanks
} Xml;

// type: as in FMI 3; rest: more attributes
static inline void variable(Xml *x, const char *type, const char *name, int reference,
                            const char *causality, const char *initial, const char *start,
                            const char *rest) {
    const char *two = strcmp(type, "Float64") == 0 ? "Real"
                      : strcmp(type, "Int32") == 0 ? "Integer"
                                                   : type;
    char outer[300], inner[300];
    snprintf(outer, sizeof outer, "name=\"%s\" valueReference=\"%d\" causality=\"%s\" %s%s%s%s",
             name, reference, causality,
             strncmp(name, "discrete", 8) == 0 ? "variability=\"discrete\" "
             : strcmp(name, "k") == 0          ? "variability=\"tunable\" "
                                               : "",
             initial[0] ? "initial=\"" : "", initial, initial[0] ? "\"" : "");
    snprintf(inner, sizeof inner, "%s%s%s %s", start[0] ? "start=\"" : "", start,
             start[0] ? "\"" : "", rest);
    if (x->version == 2)
        fprintf(x->file, "<ScalarVariable %s><%s %s/></ScalarVariable>\n", outer, two, inner);
    else
        fprintf(x->file, "<%s %s %s/>\n", type, outer, inner);
    x->count++;
}

#define REAL(...)  variable(x, "Float64", __VA_ARGS__)
#define WHOLE(...) variable(x, "Int32", __VA_ARGS__)

// In FMI 2 a derivative names the number of its state, in FMI 3 the reference.
static inline const char *of(const Xml *x, int number, int reference) {
    static char text[2][40];
    static int k;
    k = !k;
    snprintf(text[k], sizeof text[k], "derivative=\"%d\"", x->version == 2 ? number : reference);
    return text[k];
}

static inline void ball(Xml *x) {
    REAL("h", 1, "output", "exact", "1", "unit=\"m\"");
    REAL("v", 2, "local", "exact", "0", "unit=\"m/s\"");
    REAL("der(h)", 3, "local", "", "", of(x, 2, 1));
    REAL("der(v)", 4, "local", "", "", of(x, 3, 2));
    REAL("g", 5, "parameter", "", "9.81", "unit=\"m/s2\"");
    REAL("e", 6, "parameter", "", "0.7", "min=\"0\" max=\"1\"");
    WHOLE("bounces", 20, "output", "", "", "");
    x->outputs = x->version == 2 ? "2 8" : "1 20";
    x->derivatives = x->version == 2 ? "4 5" : "3 4";
}

static inline void decay(Xml *x) {
    REAL("motor.x", 1, "local", "exact", "1", "");
    REAL("der(motor.x)", 3, "local", "", "", of(x, 2, 1));
    REAL("k", 5, "parameter", "", "1", "");
    REAL("u", 7, "input", "", "0", "");
    REAL("y", 1, "output", "", "", "");
    REAL("z", 8, "output", "", "", "");
    x->outputs = x->version == 2 ? "6: 7:5" : "1: 8:7";
    x->derivatives = x->version == 2 ? "3" : "3";
}

static inline void vdp(Xml *x) {
    REAL("x", 1, "output", "exact", "2", "");
    REAL("v", 2, "output", "exact", "0", "");
    REAL("der(x)", 3, "local", "", "", of(x, 2, 1));
    REAL("der(v)", 4, "local", "", "", of(x, 3, 2));
    REAL("m", 5, "parameter", "", "1", "");
    x->outputs = x->version == 2 ? "2 3" : "1 2";
    x->derivatives = x->version == 2 ? "4 5" : "3 4";
}

static inline void through(Xml *x) {
    REAL("u", 7, "input", "", "0", "");
    REAL("discrete_u", 9, "input", "", "0", "");
    WHOLE("i", 21, "input", "", "0", "");
    variable(x, "Boolean", "b", 30, "input", "", "false", "");
    variable(x, "Enumeration", "e", 40, "input", "", "3", "declaredType=\"Gear box\"");
    REAL("y", 8, "output", "", "", "");
    REAL("discrete_y", 10, "output", "", "", "");
    WHOLE("j", 22, "output", "", "", "");
    variable(x, "Boolean", "c", 31, "output", "", "", "");
    variable(x, "Enumeration", "f", 41, "output", "", "", "declaredType=\"Gear box\"");
    WHOLE("length", 24, "output", "", "", "");
    if (x->version == 2)
        variable(x, "String", "label", 70, "parameter", "", "abc", "");
    else
        fprintf(x->file, "<String name=\"label\" valueReference=\"70\" causality=\"parameter\" "
                         "variability=\"fixed\"><Start value=\"abc\"/></String>\n");
    x->outputs = x->version == 2 ? "7 8 9 10 11 12" : "8 10 22 31 41 24";
    x->derivatives = "";
    if (x->version == 2) return;
    fprintf(x->file, "<UInt64 name=\"size\" valueReference=\"60\" "
                     "causality=\"structuralParameter\" variability=\"fixed\" start=\"3\"/>\n");
    for (int k = 0; k < 2; k++)
        fprintf(x->file,
                "<Float64 name=\"%s\" valueReference=\"%d\" causality=\"%s\" "
                "variability=\"%s\"%s><Dimension valueReference=\"60\"/></Float64>\n",
                k ? "w" : "v", 50 + k, k ? "output" : "input", k ? "continuous" : "discrete",
                k ? "" : " start=\"1 2 3\"");
    x->outputs = "8 10 22 31 41 24 51";
}

static inline void stair(Xml *x) {
    WHOLE("n", 20, "output", "", "", "");
    WHOLE("last", 23, "parameter", "", "10", "");
    x->outputs = x->version == 2 ? "2" : "20";
    x->derivatives = "";
}

static inline void clamp(Xml *x) {
    REAL("x", 1, "output", "exact", "0", "");
    REAL("der(x)", 3, "local", "", "", of(x, 2, 1));
    WHOLE("n", 20, "output", "", "", "");
    x->outputs = x->version == 2 ? "2 4" : "1 20";
    x->derivatives = "3";
}

static inline void faulty(Xml *x) {
    REAL("y", 1, "output", "", "", "");
    x->outputs = x->version == 2 ? "2" : "1";
    x->derivatives = "";
}

static inline void relay(Xml *x) {
    REAL("u", 7, "input", "", "0", "");
    REAL("y", 2, "output", "", "", "");
    x->outputs = x->version == 2 ? "3:2" : "2:7";
    x->derivatives = "";
}

// ORDER of MODEL in sample.c
static const struct {
    const char *name, *define;
    void (*describe)(Xml *x);
    double stop, step;
} samples[] = {{"Ball", "BALL", ball, 2, 0.01},      {"Decay", "DECAY", decay, 1, 0.1},
               {"Vdp", "VDP", vdp, 5, 0.01},         {"Through", "THROUGH", through, 1, 0.1},
               {"Stair", "STAIR", stair, 12, 0.2},   {"Clamp", "CLAMP", clamp, 2.5, 0.05},
               {"Faulty", "FAULTY", faulty, 1, 0.1}, {"Relay", "RELAY", relay, 1, 0.1}};
enum { BALL, DECAY, VDP, THROUGH, STAIR, CLAMP, FAULTY, RELAY, SAMPLES };

// "6: 7:5" lists 6, which depends on nothing, and 7, which depends on 5; "6 7" says nothing.
static inline void structure(const Xml *x, const char *list, const char *element) {
    char copy[100];
    snprintf(copy, sizeof copy, "%s", list);
    for (char *item = strtok(copy, " "); item; item = strtok(NULL, " ")) {
        char *colon = strchr(item, ':');
        if (colon) *colon = 0;
        fprintf(x->file, "<%s %s=\"%s\"", element, x->version == 2 ? "index" : "valueReference",
                item);
        if (colon) fprintf(x->file, " dependencies=\"%s\"", colon + 1);
        fprintf(x->file, "/>\n");
    }
}

static inline void describe(int sample, int version, const char *path) {
    bool two = version == 2, steps = sample == CLAMP;
    Xml x = {.file = fopen(path, "w"), .version = version, .count = 1};
    const char *name = samples[sample].name,
               *states = two ? "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                             : "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"";
    fprintf(x.file,
            "<?xml version=\"1.0\"?>\n<fmiModelDescription fmiVersion=\"%d.0\" modelName=\"%s\" "
            "description=\"A sample\" %s=\"{sample}\"%s>\n",
            version, name, two ? "guid" : "instantiationToken",
            two && (sample == BALL || sample == RELAY) ? " numberOfEventIndicators=\"1\"" : "");
    fprintf(x.file, "<ModelExchange modelIdentifier=\"%s\" %s %s=\"%s\"/>\n", name, states,
            two ? "completedIntegratorStepNotNeeded" : "needsCompletedIntegratorStep",
            steps != two ? "true" : "false");
    fprintf(x.file,
            "<CoSimulation modelIdentifier=\"%s\" %s "
            "canHandleVariableCommunicationStepSize=\"true\"%s%s/>\n",
            name, states, two ? "" : " hasEventMode=\"true\"",
            sample == FAULTY ? " canBeInstantiatedOnlyOncePerProcess=\"true\"" : "");
    fprintf(x.file, two ? "<TypeDefinitions><SimpleType name=\"Gear box\"><Enumeration><Item "
                          "name=\"low\" value=\"3\"/><Item name=\"high gear\" "
                          "value=\"7\"/></Enumeration></SimpleType></TypeDefinitions>\n"
                        : "<TypeDefinitions><EnumerationType name=\"Gear box\"><Item name=\"low\" "
                          "value=\"3\"/><Item name=\"high gear\" "
                          "value=\"7\"/></EnumerationType></TypeDefinitions>\n");
    fprintf(
        x.file,
        "<LogCategories><Category name=\"logStatusError\"/></LogCategories>\n<DefaultExperiment "
        "startTime=\"0\" stopTime=\"%g\" stepSize=\"%g\"/>\n<ModelVariables>\n",
        samples[sample].stop, samples[sample].step);
    fprintf(x.file,
            two ? "<ScalarVariable name=\"time\" valueReference=\"0\" "
                  "causality=\"independent\"><Real/></ScalarVariable>\n"
                : "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>\n");
    samples[sample].describe(&x);
    fprintf(x.file, "</ModelVariables>\n<ModelStructure>\n%s", two ? "<Outputs>\n" : "");
    structure(&x, x.outputs, two ? "Unknown" : "Output");
    fprintf(x.file, "%s", two ? "</Outputs>\n<Derivatives>\n" : "");
    structure(&x, x.derivatives, two ? "Unknown" : "ContinuousStateDerivative");
    fprintf(x.file, "%s</ModelStructure>\n</fmiModelDescription>\n", two ? "</Derivatives>\n" : "");
    fclose(x.file);
}

// Compiled once for each version; with gcc, since sanitizers are no business of an FMU.
static inline const char *sample_fmu(int sample, int version) {
    static char paths[SAMPLES][2][400];
    char *path = paths[sample][version - 2], command[3000], folder[300];
    if (path[0]) return path;
    snprintf(folder, sizeof folder, FOLDER "/%d_%s", version, samples[sample].name);
    snprintf(path, 400, "%s/%s.fmu", folder, samples[sample].name);
    snprintf(command, sizeof command,
             "rm -rf '%s' && mkdir -p '%s/binaries/%s' && cc -std=c17 -w -O1 -shared -fPIC "
             "-DFMI=%d -DMODEL=%s -o '%s/binaries/%s/%s.so' '%s' -lm",
             folder, folder, version == 2 ? "linux64" : "x86_64-linux", version,
             samples[sample].define, folder, version == 2 ? "linux64" : "x86_64-linux",
             samples[sample].name, RB_SOURCE_DIR "/tests/unit/fmi/sample.c");
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/modelDescription.xml", folder);
    describe(sample, version, command);
    snprintf(command, sizeof command,
             "cd '%s' && python3 -m zipfile -c %s.fmu modelDescription.xml binaries", folder,
             samples[sample].name);
    assert_int_equal(system(command), 0);
    return path;
}
