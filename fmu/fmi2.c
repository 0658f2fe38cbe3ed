// SPDX-License-Identifier: MIT
// The functions of FMI 2.0. The types are those that the standard prescribes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

#define FMI __attribute__((visibility("default")))

typedef void Logger(void *environment, const char *instance, int status, const char *category,
                    const char *message, ...);

typedef struct Callbacks {
    Logger *logger;
    void *(*allocate)(size_t count, size_t size);
    void (*free)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} Callbacks;

typedef struct EventInfo {
    int new_discrete_states_needed, terminate, nominals_changed, states_changed, has_next_time;
    double next_time;
} EventInfo;

enum { MODEL_EXCHANGE, CO_SIMULATION }; // fmi2Type
enum { STEP_STATUS, PENDING_STATUS, LAST_TIME, TERMINATED } /* fmi2StatusKind */;

typedef struct Instance {
    Fmu *fmu;
    char *name;
    Callbacks callbacks; // a copy: the master may reuse its own
} Instance;

typedef uint32_t Reference;

// -------------------------------------------------------------------------------------------------
// what there is

FMI const char *fmi2GetTypesPlatform(void);
FMI const char *fmi2GetVersion(void);
FMI void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                          const Callbacks *callbacks, int visible, int logging);
FMI void fmi2FreeInstance(void *c);
FMI int fmi2SetDebugLogging(void *c, int on, size_t count, const char *const categories[]);
FMI int fmi2SetupExperiment(void *c, int has_tolerance, double tolerance, double start,
                            int has_stop, double stop);
FMI int fmi2EnterInitializationMode(void *c);
FMI int fmi2ExitInitializationMode(void *c);
FMI int fmi2Terminate(void *c);
FMI int fmi2Reset(void *c);
FMI int fmi2GetReal(void *c, const Reference *vr, size_t n, double *values);
FMI int fmi2GetInteger(void *c, const Reference *vr, size_t n, int *values);
FMI int fmi2GetBoolean(void *c, const Reference *vr, size_t n, int *values);
FMI int fmi2GetString(void *c, const Reference *vr, size_t n, const char **values);
FMI int fmi2SetReal(void *c, const Reference *vr, size_t n, const double *values);
FMI int fmi2SetInteger(void *c, const Reference *vr, size_t n, const int *values);
FMI int fmi2SetBoolean(void *c, const Reference *vr, size_t n, const int *values);
FMI int fmi2SetString(void *c, const Reference *vr, size_t n, const char *const *values);
FMI int fmi2GetFMUstate(void *c, void **state);
FMI int fmi2SetFMUstate(void *c, void *state);
FMI int fmi2FreeFMUstate(void *c, void **state);
FMI int fmi2SerializedFMUstateSize(void *c, void *state, size_t *size);
FMI int fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size);
FMI int fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state);
FMI int fmi2GetDirectionalDerivative(void *c, const Reference *unknown, size_t unknowns,
                                     const Reference *known, size_t knowns, const double *seed,
                                     double *values);
FMI int fmi2EnterEventMode(void *c);
FMI int fmi2NewDiscreteStates(void *c, EventInfo *info);
FMI int fmi2EnterContinuousTimeMode(void *c);
FMI int fmi2CompletedIntegratorStep(void *c, int no_set_state, int *event, int *terminate);
FMI int fmi2SetTime(void *c, double time);
FMI int fmi2SetContinuousStates(void *c, const double *x, size_t n);
FMI int fmi2GetDerivatives(void *c, double *dx, size_t n);
FMI int fmi2GetEventIndicators(void *c, double *z, size_t n);
FMI int fmi2GetContinuousStates(void *c, double *x, size_t n);
FMI int fmi2GetNominalsOfContinuousStates(void *c, double *x, size_t n);
FMI int fmi2SetRealInputDerivatives(void *c, const Reference *vr, size_t n, const int *order,
                                    const double *values);
FMI int fmi2GetRealOutputDerivatives(void *c, const Reference *vr, size_t n, const int *order,
                                     double *values);
FMI int fmi2DoStep(void *c, double now, double size, int no_set_state);
FMI int fmi2CancelStep(void *c);
FMI int fmi2GetStatus(void *c, int kind, int *value);
FMI int fmi2GetRealStatus(void *c, int kind, double *value);
FMI int fmi2GetIntegerStatus(void *c, int kind, int *value);
FMI int fmi2GetBooleanStatus(void *c, int kind, int *value);
FMI int fmi2GetStringStatus(void *c, int kind, const char **value);

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

// -------------------------------------------------------------------------------------------------
// an instance

static void pass_message(void *user, FmuStatus status, const char *category, const char *message) {
    Instance *i = user;
    if (i->callbacks.logger)
        i->callbacks.logger(i->callbacks.environment, i->name, (int)status, category, "%s",
                            message);
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// file:///a%20b or file:/a b as a path; NULL: it is none of a file. To be freed.
static char *path_of(const char *uri) {
    if (!uri || strncmp(uri, "file:", 5) != 0) return uri && uri[0] == '/' ? strdup(uri) : NULL;
    uri += 5;
    if (strncmp(uri, "//", 2) == 0) {
        uri += 2;
        uri += strcspn(uri, "/"); // a host: this one
    }
    char *path = malloc(strlen(uri) + 1), *to = path;
    for (; path && *uri; uri++) {
        bool escaped = uri[0] == '%' && hex(uri[1]) >= 0 && hex(uri[2]) >= 0;
        *to++ = escaped ? (char)(hex(uri[1]) * 16 + hex(uri[2])) : *uri;
        if (escaped) uri += 2;
    }
    if (path) *to = 0;
    return path;
}

static void free_instance(Instance *i) {
    fmu_close(i->fmu);
    free(i->name);
    free(i);
}

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                      const Callbacks *callbacks, int visible, int logging) {
    (void)visible;
    Instance *i = calloc(1, sizeof *i);
    if (!i) return NULL;
    i->name = strdup(name ? name : "");
    if (callbacks) i->callbacks = *callbacks;
    char *path = path_of(resources);
    if (!name || !name[0])
        pass_message(i, FMU_ERROR, "logStatusError", "fmi2Instantiate: the instance has no name");
    else if (type != CO_SIMULATION && type != MODEL_EXCHANGE)
        pass_message(i, FMU_ERROR, "logStatusError",
                     "fmi2Instantiate: the type is neither model exchange nor co-simulation");
    else if (!path)
        pass_message(i, FMU_ERROR, "logStatusError",
                     "fmi2Instantiate: the location of the resources is no URI of a file");
    else
        i->fmu = fmu_open(guid, path, type == MODEL_EXCHANGE,
                          (FmuLog){pass_message, i, logging, ~(uint64_t)0});
    free(path);
    if (i->fmu) return i;
    free_instance(i);
    return NULL;
}

void fmi2FreeInstance(void *c) {
    if (c) free_instance(c);
}

static Fmu *fmu_of(void *c) {
    return c ? ((Instance *)c)->fmu : NULL;
}

int fmi2SetDebugLogging(void *c, int on, size_t count, const char *const categories[]) {
    if (!c) return FMU_ERROR;
    fmu_choose_log(fmu_of(c), on, count, categories);
    return FMU_OK;
}

// -------------------------------------------------------------------------------------------------
// modes

int fmi2SetupExperiment(void *c, int has_tolerance, double tolerance, double start, int has_stop,
                        double stop) {
    if (!fmu_allows(fmu_of(c), __func__, FMU_INSTANTIATED)) return FMU_ERROR;
    return (int)fmu_set_up(fmu_of(c), has_tolerance ? tolerance : NAN, start,
                           has_stop ? stop : NAN);
}

int fmi2EnterInitializationMode(void *c) {
    if (!c) return FMU_ERROR;
    return (int)fmu_enter_initialization(fmu_of(c));
}

int fmi2ExitInitializationMode(void *c) {
    if (!c) return FMU_ERROR;
    return (int)fmu_exit_initialization(fmu_of(c), false);
}

int fmi2Terminate(void *c) {
    return c ? (int)fmu_terminate(fmu_of(c)) : FMU_ERROR;
}

int fmi2Reset(void *c) {
    return c ? (int)fmu_reset(fmu_of(c)) : FMU_ERROR;
}

// -------------------------------------------------------------------------------------------------
// values

int fmi2GetReal(void *c, const Reference *vr, size_t n, double *values) {
    return (int)fmu_get(fmu_of(c), FMU_REAL, vr, n, values);
}

// Integer and Enumeration are one type here.
static bool is_enumeration(const Fmu *f, const Reference *vr, size_t n) {
    return f && n > 0 && vr && vr[0] < f->variable_count &&
           f->variables[vr[0]].type == FMU_ENUMERATION;
}

static int get_whole(void *c, char type, const Reference *vr, size_t n, int *values) {
    Fmu *f = fmu_of(c);
    for (size_t i = 0; i < n; i++) {
        double value;
        char own =
            type == FMU_INTEGER && vr && is_enumeration(f, vr + i, 1) ? FMU_ENUMERATION : type;
        if (fmu_get(f, own, vr ? vr + i : NULL, 1, values ? &value : NULL) != FMU_OK)
            return FMU_ERROR;
        values[i] = type == FMU_BOOLEAN ? value != 0 : isfinite(value) ? (int)value : 0;
    }
    return f ? FMU_OK : FMU_ERROR;
}

int fmi2GetInteger(void *c, const Reference *vr, size_t n, int *values) {
    return get_whole(c, FMU_INTEGER, vr, n, values);
}

int fmi2GetBoolean(void *c, const Reference *vr, size_t n, int *values) {
    return get_whole(c, FMU_BOOLEAN, vr, n, values);
}

int fmi2GetString(void *c, const Reference *vr, size_t n, const char **values) {
    return (int)fmu_get_texts(fmu_of(c), vr, n, values);
}

int fmi2SetReal(void *c, const Reference *vr, size_t n, const double *values) {
    return (int)fmu_set(fmu_of(c), FMU_REAL, vr, n, values);
}

static int set_whole(void *c, char type, const Reference *vr, size_t n, const int *values) {
    Fmu *f = fmu_of(c);
    for (size_t i = 0; i < n; i++) {
        double value = values ? (type == FMU_BOOLEAN ? values[i] != 0 : values[i]) : 0;
        char own =
            type == FMU_INTEGER && vr && is_enumeration(f, vr + i, 1) ? FMU_ENUMERATION : type;
        if (fmu_set(f, own, vr ? vr + i : NULL, 1, values ? &value : NULL) != FMU_OK)
            return FMU_ERROR;
    }
    return f ? FMU_OK : FMU_ERROR;
}

int fmi2SetInteger(void *c, const Reference *vr, size_t n, const int *values) {
    return set_whole(c, FMU_INTEGER, vr, n, values);
}

int fmi2SetBoolean(void *c, const Reference *vr, size_t n, const int *values) {
    return set_whole(c, FMU_BOOLEAN, vr, n, values);
}

int fmi2SetString(void *c, const Reference *vr, size_t n, const char *const *values) {
    return (int)fmu_set_texts(fmu_of(c), vr, n, values);
}

// -------------------------------------------------------------------------------------------------
// the state

int fmi2GetFMUstate(void *c, void **state) {
    if (!c || !state) return FMU_ERROR;
    return (int)fmu_get_state(fmu_of(c), (FmuState **)state);
}

int fmi2SetFMUstate(void *c, void *state) {
    if (!c || !state) return FMU_ERROR;
    return (int)fmu_set_state(fmu_of(c), state);
}

int fmi2FreeFMUstate(void *c, void **state) {
    if (!c) return FMU_ERROR;
    fmu_free_state(state);
    return FMU_OK;
}

int fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) {
    if (!c || !state || !size) return FMU_ERROR;
    *size = ((const FmuState *)state)->size;
    return FMU_OK;
}

int fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size) {
    return c ? (int)fmu_write_state(fmu_of(c), state, bytes, size) : FMU_ERROR;
}

int fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state) {
    return c && state ? (int)fmu_read_state(fmu_of(c), bytes, size, (FmuState **)state) : FMU_ERROR;
}

// -------------------------------------------------------------------------------------------------
// co-simulation

int fmi2DoStep(void *c, double now, double size, int no_set_state) {
    FmuStep step;
    (void)no_set_state;
    return c ? (int)fmu_step(fmu_of(c), now, size, false, &step) : FMU_ERROR;
}

int fmi2GetRealStatus(void *c, int kind, double *value) {
    if (!c || !value) return FMU_ERROR;
    *value = fmu_of(c)->last_time;
    return kind == LAST_TIME ? FMU_OK : FMU_DISCARD;
}

int fmi2GetBooleanStatus(void *c, int kind, int *value) {
    if (!c || !value) return FMU_ERROR;
    *value = fmu_of(c)->ended;
    return kind == TERMINATED ? FMU_OK : FMU_DISCARD;
}

// A step has ended when fmi2DoStep returns: nothing is ever pending.
int fmi2GetStatus(void *c, int kind, int *value) {
    if (!c || !value) return FMU_ERROR;
    *value = FMU_OK;
    return kind == STEP_STATUS ? FMU_OK : FMU_DISCARD;
}

int fmi2GetIntegerStatus(void *c, int kind, int *value) {
    (void)kind;
    if (!c || !value) return FMU_ERROR;
    return FMU_DISCARD;
}

int fmi2GetStringStatus(void *c, int kind, const char **value) {
    if (!c || !value) return FMU_ERROR;
    *value = "";
    return kind == PENDING_STATUS ? FMU_OK : FMU_DISCARD;
}

// -------------------------------------------------------------------------------------------------
// model exchange

int fmi2EnterEventMode(void *c) {
    return (int)fmu_enter_events(fmu_of(c));
}

// The run settles in one go.
int fmi2NewDiscreteStates(void *c, EventInfo *info) {
    FmuEvents events;
    if (!c || !info) return FMU_ERROR;
    FmuStatus status = fmu_meet_events(fmu_of(c), &events);
    *info = (EventInfo){.terminate = events.ended,
                        .states_changed = events.states_changed,
                        .has_next_time = events.has_next,
                        .next_time = events.next};
    return (int)status;
}

int fmi2EnterContinuousTimeMode(void *c) {
    return (int)fmu_enter_continuous(fmu_of(c));
}

int fmi2CompletedIntegratorStep(void *c, int no_set_state, int *event, int *terminate) {
    bool wanted;
    (void)no_set_state;
    if (!c || !event || !terminate) return FMU_ERROR;
    FmuStatus status = fmu_completed_step(fmu_of(c), &wanted);
    *event = wanted;
    *terminate = 0;
    return (int)status;
}

int fmi2SetTime(void *c, double time) {
    return (int)fmu_set_time(fmu_of(c), time);
}

int fmi2SetContinuousStates(void *c, const double *x, size_t n) {
    return (int)fmu_set_states(fmu_of(c), x, n);
}

int fmi2GetContinuousStates(void *c, double *x, size_t n) {
    return (int)fmu_get_states(fmu_of(c), x, n);
}

int fmi2GetDerivatives(void *c, double *dx, size_t n) {
    return (int)fmu_get_derivatives(fmu_of(c), dx, n);
}

int fmi2GetEventIndicators(void *c, double *z, size_t n) {
    return (int)fmu_get_indicators(fmu_of(c), z, n);
}

int fmi2GetNominalsOfContinuousStates(void *c, double *x, size_t n) {
    return (int)fmu_get_nominals(fmu_of(c), x, n);
}

int fmi2GetDirectionalDerivative(void *c, const Reference *unknown, size_t unknowns,
                                 const Reference *known, size_t knowns, const double *seed,
                                 double *values) {
    FmuDirection d = {unknown, known, unknowns, knowns, seed, values};
    return (int)fmu_get_direction(fmu_of(c), &d);
}

// -------------------------------------------------------------------------------------------------
// what this FMU does not offer, as its modelDescription.xml says

static int refuse(void *c, const char *function) {
    return c ? (int)fmu_fail(fmu_of(c), "%s: this FMU does not offer it", function) : FMU_ERROR;
}

#define REFUSED(function, ...)                                                                     \
    int function(void *c, __VA_ARGS__) {                                                           \
        return refuse(c, #function);                                                               \
    }
#define REFUSED_WITHOUT_ARGUMENTS(function)                                                        \
    int function(void *c) {                                                                        \
        return refuse(c, #function);                                                               \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSED(fmi2SetRealInputDerivatives, const Reference *vr, size_t n, const int *order,
        const double *values)
REFUSED(fmi2GetRealOutputDerivatives, const Reference *vr, size_t n, const int *order,
        double *values)
REFUSED_WITHOUT_ARGUMENTS(fmi2CancelStep)
