// SPDX-License-Identifier: MIT
// master.h: a small master: it writes an FMU, takes it out of its archive by another program, loads it as a
// shared object and calls the functions of FMI 2.0 or 3.0 by their names.
#pragma once

#include "testing.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rattleback/rattleback.h"

#ifndef FOLDER
#define FOLDER RB_BINARY_DIR "/tests/fmu"
#endif

typedef void Log2(void *environment, const char *instance, int status, const char *category,
                  const char *message, ...);
typedef void Log3(void *environment, int status, const char *category, const char *message);

typedef struct Callbacks {
    Log2 *log;
    void *(*allocate)(size_t count, size_t size);
    void (*free)(void *memory);
    void (*finished)(void *environment, int status);
    void *environment;
} Callbacks;

typedef struct Loaded {
    int version;
    void *library;
    char folder[500], token[100];
    char *xml; // modelDescription.xml
} Loaded;

// A function of the FMU.
static inline void *function(const Loaded *l, const char *name) {
    void *f = dlsym(l->library, name);
    if (!f) print_error("the FMU has no function %s\n", name);
    assert_non_null(f);
    return f;
}

#define CALL(loaded, name, type, ...) ((type)function(loaded, name))(__VA_ARGS__)
typedef int Simple(void *c);
typedef int SetUp(void *c, int has_tolerance, double tolerance, double start, int has_stop,
                  double stop);
typedef int Enter3(void *c, bool has_tolerance, double tolerance, double start, bool has_stop,
                   double stop);
typedef int Get2(void *c, const uint32_t *vr, size_t n, double *values);
typedef int Set2(void *c, const uint32_t *vr, size_t n, const double *values);
typedef int GetInteger(void *c, const uint32_t *vr, size_t n, int *values);
typedef int GetString(void *c, const uint32_t *vr, size_t n, const char **values);
typedef int SetString(void *c, const uint32_t *vr, size_t n, const char *const *values);
typedef int Get3(void *c, const uint32_t *vr, size_t n, double *values, size_t count);
typedef int Set3(void *c, const uint32_t *vr, size_t n, const double *values, size_t count);
typedef int Step2(void *c, double now, double size, int no_set);
typedef int Step3(void *c, double now, double size, bool no_set, bool *event, bool *end,
                  bool *early, double *last);
typedef int GetState(void *c, void **state);
typedef int SetState(void *c, void *state);
typedef int StateSize(void *c, void *state, size_t *size);
typedef int Serialize(void *c, void *state, char *bytes, size_t size);
typedef int Deserialize(void *c, const char *bytes, size_t size, void **state);
typedef void *Instantiate2(const char *name, int type, const char *token, const char *resources,
                           const Callbacks *callbacks, int visible, int logging);
typedef void *Instantiate3(const char *name, const char *token, const char *resources, bool visible,
                           bool logging, bool events, bool early, const uint32_t *some,
                           size_t count, void *environment, Log3 *log, void *update);
typedef void Free(void *c);

// What the FMU has logged as an error last.
static _Thread_local char last_error[1000];

static inline void keep_log2(void *environment, const char *instance, int status,
                             const char *category, const char *message, ...) {
    va_list list;
    (void)environment, (void)instance, (void)category;
    va_start(list, message);
    if (status >= 3) vsnprintf(last_error, sizeof last_error, message, list);
    va_end(list);
}

static inline void keep_log3(void *environment, int status, const char *category,
                             const char *message) {
    (void)environment, (void)category;
    if (status >= 3) snprintf(last_error, sizeof last_error, "%s", message);
}

static inline RbStatus write_fmu_as(int version, RbFmuType type, const RbModelica *source,
                                    const char *file, char message[1000]) {
    RbContext *context = rb_context_create(NULL);
    RbFmuOptions options = rb_fmu_options_default();
    options.version = version;
    options.type = type;
    options.binary_folder = RB_BINARY_DIR "/fmu/binary";
    RbStatus status = rb_fmu_export(context, source, &options, file);
    int count = rb_context_message_count(context);
    snprintf(message, 1000, "%s", count > 0 ? rb_context_message(context, count - 1) : "");
    rb_context_free(context);
    return status;
}

static inline RbStatus write_fmu(int version, const RbModelica *source, const char *file,
                                 char message[1000]) {
    return write_fmu_as(version, RB_FMU_CO_SIMULATION, source, file, message);
}

static inline void read_description(Loaded *l) {
    char path[600];
    snprintf(path, sizeof path, "%s/modelDescription.xml", l->folder);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    const size_t most = 4000000;
    l->xml = malloc(most);
    assert_non_null(l->xml);
    l->xml[fread(l->xml, 1, most - 1, in)] = 0;
    fclose(in);
    const char *token = strstr(l->xml, l->version == 2 ? " guid=\"" : " instantiationToken=\"");
    assert_non_null(token);
    assert_int_equal(sscanf(strchr(token, '"'), "\"%99[^\"]", l->token), 1);
}

// `name`: of the class, as a name of C.
static inline Loaded load_as(int version, RbFmuType type, const RbModelica *source,
                             const char *name) {
    Loaded l = {.version = version};
    char file[600], command[2000], message[1000];
    snprintf(l.folder, sizeof l.folder, FOLDER "/%s%d", name, version);
    snprintf(file, sizeof file, "%s.fmu", l.folder);
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", l.folder, l.folder);
    assert_int_equal(system(command), 0);
    if (write_fmu_as(version, type, source, file, message) != RB_OK) fail_msg("%s", message);
    snprintf(command, sizeof command, "python3 -m zipfile -e '%s' '%s'", file, l.folder);
    assert_int_equal(system(command), 0);
    read_description(&l);
    snprintf(file, sizeof file, "%s/binaries/%s/%s.so", l.folder,
             version == 2 ? "linux64" : "x86_64-linux", name);
    l.library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!l.library) fail_msg("%s", dlerror());
    return l;
}

static inline Loaded load(int version, const RbModelica *source, const char *name) {
    return load_as(version, RB_FMU_CO_SIMULATION, source, name);
}

// It goes, with its 40 MB of files.
static inline void unload(Loaded *l) {
    char command[2000];
    if (l->library) dlclose(l->library);
    snprintf(command, sizeof command, "rm -rf '%s' '%s.fmu'", l->folder, l->folder);
    assert_int_equal(system(command), 0);
    free(l->xml);
}

static inline uint32_t reference(const Loaded *l, const char *name) {
    char key[100];
    snprintf(key, sizeof key, " name=\"%s\" valueReference=\"", name);
    const char *found = strstr(l->xml, key);
    if (!found) fail_msg("modelDescription.xml has no variable %s", name);
    return (uint32_t)strtoul(found + strlen(key), NULL, 10);
}

static inline void *instantiate(const Loaded *l, const char *token, bool events) {
    static const Callbacks callbacks = {.log = keep_log2, .allocate = calloc, .free = free};
    char resources[600];
    if (l->version == 2) {
        snprintf(resources, sizeof resources, "file://%s/resources", l->folder);
        return CALL(l, "fmi2Instantiate", Instantiate2 *, "one", 1, token, resources, &callbacks, 0,
                    0);
    }
    snprintf(resources, sizeof resources, "%s/resources/", l->folder);
    return CALL(l, "fmi3InstantiateCoSimulation", Instantiate3 *, "one", token, resources, false,
                false, events, events, NULL, 0, NULL, keep_log3, NULL);
}

static inline void *open_one(const Loaded *l) {
    void *c = instantiate(l, l->token, false);
    if (!c) fail_msg("%s", last_error);
    return c;
}

static inline int simple(const Loaded *l, const char *name, void *c) {
    char full[100];
    snprintf(full, sizeof full, "fmi%d%s", l->version, name);
    return CALL(l, full, Simple *, c);
}

static inline void release(const Loaded *l, void *c) {
    CALL(l, l->version == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance", Free *, c);
}

static inline int set_real(const Loaded *l, void *c, const char *name, double value) {
    uint32_t vr = reference(l, name);
    if (l->version == 2) return CALL(l, "fmi2SetReal", Set2 *, c, &vr, 1, &value);
    return CALL(l, "fmi3SetFloat64", Set3 *, c, &vr, 1, &value, 1);
}

static inline int try_get(const Loaded *l, void *c, uint32_t vr, double *value) {
    if (l->version == 2) return CALL(l, "fmi2GetReal", Get2 *, c, &vr, 1, value);
    return CALL(l, "fmi3GetFloat64", Get3 *, c, &vr, 1, value, 1);
}

static inline double get_real(const Loaded *l, void *c, const char *name) {
    double value = NAN;
    if (try_get(l, c, reference(l, name), &value) != 0) fail_msg("%s", last_error);
    return value;
}

static inline int step(const Loaded *l, void *c, double now, double size) {
    bool event, end, early;
    double last;
    if (l->version == 2) return CALL(l, "fmi2DoStep", Step2 *, c, now, size, 1);
    return CALL(l, "fmi3DoStep", Step3 *, c, now, size, true, &event, &end, &early, &last);
}

static inline int enter(const Loaded *l, void *c, double stop) {
    if (l->version == 3)
        return CALL(l, "fmi3EnterInitializationMode", Enter3 *, c, true, 1e-8, 0, stop > 0, stop);
    int status = CALL(l, "fmi2SetupExperiment", SetUp *, c, 1, 1e-8, 0, stop > 0, stop);
    return status ? status : simple(l, "EnterInitializationMode", c);
}

static inline void start(const Loaded *l, void *c) {
    assert_int_equal(enter(l, c, 2), 0);
    assert_int_equal(simple(l, "ExitInitializationMode", c), 0);
}
