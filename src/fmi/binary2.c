// SPDX-License-Identifier: MIT
// The functions of FMI 2.0. The types are those that the standard prescribes.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/binary.h"

typedef uint32_t Reference;
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
    int again, terminate, nominals, states, has_next;
    double next;
} EventInfo;

typedef struct Functions {
    Callbacks callbacks; // the FMU keeps a pointer to it
    void *(*instantiate)(const char *name, int type, const char *guid, const char *resources,
                         const Callbacks *callbacks, int visible, int logging);
    void (*free)(void *c);
    int (*logging)(void *c, int on, size_t count, const char *const *categories);
    int (*setup)(void *c, int has_tolerance, double tolerance, double start, int has_stop,
                 double stop);
    int (*enter_initialization)(void *c), (*exit_initialization)(void *c), (*terminate)(void *c);
    int (*get_real)(void *c, const Reference *vr, size_t n, double *values);
    int (*get_integer)(void *c, const Reference *vr, size_t n, int *values);
    int (*get_boolean)(void *c, const Reference *vr, size_t n, int *values);
    int (*set_real)(void *c, const Reference *vr, size_t n, const double *values);
    int (*set_integer)(void *c, const Reference *vr, size_t n, const int *values);
    int (*set_boolean)(void *c, const Reference *vr, size_t n, const int *values);
    int (*set_string)(void *c, const Reference *vr, size_t n, const char *const *values);
    int (*enter_event)(void *c), (*enter_continuous)(void *c);
    int (*new_states)(void *c, EventInfo *info);
    int (*completed)(void *c, int no_set_before, int *event, int *terminate);
    int (*set_time)(void *c, double time);
    int (*set_states)(void *c, const double *x, size_t n);
    int (*states)(void *c, double *x, size_t n), (*nominals)(void *c, double *x, size_t n);
    int (*derivatives)(void *c, double *x, size_t n), (*indicators)(void *c, double *x, size_t n);
    int (*step)(void *c, double time, double size, int no_set_before);
    int (*real_status)(void *c, int kind, double *value);
    int (*boolean_status)(void *c, int kind, int *value);
    int (*get_state)(void *c, void **state), (*set_state)(void *c, void *state),
        (*free_state)(void *c, void **state);
    int (*state_size)(void *c, void *state, size_t *size);
    int (*serialize)(void *c, void *state, char *bytes, size_t size);
    int (*deserialize)(void *c, const char *bytes, size_t size, void **state);
} Functions;

enum { LAST_TIME = 2, TERMINATED = 3 }; // fmi2StatusKind

#define AT(member) offsetof(Functions, member)
static const RbFmiSymbol common[] = {{"fmi2Instantiate", AT(instantiate)},
                                     {"fmi2FreeInstance", AT(free)},
                                     {"fmi2SetDebugLogging", AT(logging)},
                                     {"fmi2SetupExperiment", AT(setup)},
                                     {"fmi2EnterInitializationMode", AT(enter_initialization)},
                                     {"fmi2ExitInitializationMode", AT(exit_initialization)},
                                     {"fmi2Terminate", AT(terminate)},
                                     {"fmi2GetReal", AT(get_real)},
                                     {"fmi2GetInteger", AT(get_integer)},
                                     {"fmi2GetBoolean", AT(get_boolean)},
                                     {"fmi2SetReal", AT(set_real)},
                                     {"fmi2SetInteger", AT(set_integer)},
                                     {"fmi2SetBoolean", AT(set_boolean)},
                                     {"fmi2SetString", AT(set_string)},
                                     {NULL}};
static const RbFmiSymbol exchange[] = {{"fmi2EnterEventMode", AT(enter_event)},
                                       {"fmi2EnterContinuousTimeMode", AT(enter_continuous)},
                                       {"fmi2NewDiscreteStates", AT(new_states)},
                                       {"fmi2CompletedIntegratorStep", AT(completed)},
                                       {"fmi2SetTime", AT(set_time)},
                                       {"fmi2SetContinuousStates", AT(set_states)},
                                       {"fmi2GetContinuousStates", AT(states)},
                                       {"fmi2GetNominalsOfContinuousStates", AT(nominals)},
                                       {"fmi2GetDerivatives", AT(derivatives)},
                                       {"fmi2GetEventIndicators", AT(indicators)},
                                       {NULL}};
static const RbFmiSymbol cosimulation[] = {{"fmi2DoStep", AT(step)},
                                           {"fmi2GetRealStatus", AT(real_status)},
                                           {"fmi2GetBooleanStatus", AT(boolean_status)},
                                           {NULL}};
static const RbFmiSymbol serial[] = {{"fmi2GetFMUstate", AT(get_state)},
                                     {"fmi2SetFMUstate", AT(set_state)},
                                     {"fmi2FreeFMUstate", AT(free_state)},
                                     {"fmi2SerializedFMUstateSize", AT(state_size)},
                                     {"fmi2SerializeFMUstate", AT(serialize)},
                                     {"fmi2DeSerializeFMUstate", AT(deserialize)},
                                     {NULL}};

static RbStatus link(RbFmiInstance *i, void *library, RbDiag *diag) {
    i->functions = rb_new(i->fmi->arena, Functions);
    RB_TRY(rb_fmi_symbols(i, library, common, i->functions, diag));
    RB_TRY(rb_fmi_symbols(i, library, i->kind == &i->fmi->exchange ? exchange : cosimulation,
                          i->functions, diag));
    return i->kind->can_serialize ? rb_fmi_symbols(i, library, serial, i->functions, diag) : RB_OK;
}

#define F(i) ((Functions *)(i)->functions)

static void hear(void *environment, const char *instance, int status, const char *category,
                 const char *format, ...) {
    (void)instance;
    char text[RB_FMI_LINE];
    if (!format) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rb_fmi_hear(environment, status, category, text);
}

static bool instantiate(RbFmiInstance *i, const char *name, const char *resources) {
    const RbFmi *f = i->fmi;
    F(i)->callbacks = (Callbacks){hear, calloc, free, NULL, i};
    i->c = F(i)->instantiate(name, i->kind == &f->cosimulation, f->token, resources,
                             &F(i)->callbacks, 0, 1);
    if (i->c && f->log_category_count > 0)
        F(i)->logging(i->c, 1, (size_t)f->log_category_count, f->log_categories);
    return i->c != NULL;
}

static void release(RbFmiInstance *i) {
    F(i)->free(i->c);
}

#define CALL(i, name, function, ...) rb_fmi_note(i, "fmi2" name, F(i)->function(__VA_ARGS__))

static RbFmiStatus initialise(RbFmiInstance *i, double start, double tolerance) {
    RbFmiStatus status =
        CALL(i, "SetupExperiment", setup, i->c, tolerance > 0, tolerance, start, 0, 0);
    return rb_fmi_failed(status) ? status
                                 : CALL(i, "EnterInitializationMode", enter_initialization, i->c);
}

static RbFmiStatus start(RbFmiInstance *i) {
    return CALL(i, "ExitInitializationMode", exit_initialization, i->c);
}

static RbFmiStatus terminate(RbFmiInstance *i) {
    return CALL(i, "Terminate", terminate, i->c);
}

static RbFmiStatus get(RbFmiInstance *i, RbFmiType type, const Reference *vr, int n, double *values,
                       int count) {
    size_t size = (size_t)n;
    int *whole = i->buffer;
    if (type == RB_FMI_FLOAT64) return CALL(i, "GetReal", get_real, i->c, vr, size, values);
    RbFmiStatus status = type == RB_FMI_BOOLEAN
                             ? CALL(i, "GetBoolean", get_boolean, i->c, vr, size, whole)
                             : CALL(i, "GetInteger", get_integer, i->c, vr, size, whole);
    for (int k = 0; !rb_fmi_failed(status) && k < count; k++) values[k] = whole[k];
    return status;
}

static RbFmiStatus set(RbFmiInstance *i, RbFmiType type, const Reference *vr, int n,
                       const double *values, int count) {
    size_t size = (size_t)n;
    int *whole = i->buffer;
    if (type == RB_FMI_FLOAT64) return CALL(i, "SetReal", set_real, i->c, vr, size, values);
    for (int k = 0; k < count; k++)
        whole[k] = (int)fmax(-2147483648.0, fmin(2147483647.0, values[k]));
    return type == RB_FMI_BOOLEAN ? CALL(i, "SetBoolean", set_boolean, i->c, vr, size, whole)
                                  : CALL(i, "SetInteger", set_integer, i->c, vr, size, whole);
}

static RbFmiStatus set_text(RbFmiInstance *i, Reference reference, const char *text) {
    return CALL(i, "SetString", set_string, i->c, &reference, 1, &text);
}

static RbFmiStatus enter_event_mode(RbFmiInstance *i) {
    return CALL(i, "EnterEventMode", enter_event, i->c);
}

static RbFmiStatus update(RbFmiInstance *i, RbFmiNews *news) {
    EventInfo e = {0};
    RbFmiStatus status = CALL(i, "NewDiscreteStates", new_states, i->c, &e);
    *news = (RbFmiNews){e.again != 0, e.terminate != 0, e.nominals != 0, e.states != 0,
                        e.has_next ? e.next : INFINITY};
    return status;
}

static RbFmiStatus leave_event_mode(RbFmiInstance *i) {
    return CALL(i, "EnterContinuousTimeMode", enter_continuous, i->c);
}

static RbFmiStatus sizes(RbFmiInstance *i, int *states, int *indicators) {
    *states = i->fmi->derivatives.count;
    *indicators = i->fmi->indicator_count;
    return RB_FMI_OK;
}

static RbFmiStatus set_time(RbFmiInstance *i, double time) {
    return CALL(i, "SetTime", set_time, i->c, time);
}

static RbFmiStatus set_states(RbFmiInstance *i, const double *x, int count) {
    return CALL(i, "SetContinuousStates", set_states, i->c, x, (size_t)count);
}

static RbFmiStatus states(RbFmiInstance *i, double *x, int count) {
    return CALL(i, "GetContinuousStates", states, i->c, x, (size_t)count);
}

static RbFmiStatus nominals(RbFmiInstance *i, double *x, int count) {
    return CALL(i, "GetNominalsOfContinuousStates", nominals, i->c, x, (size_t)count);
}

static RbFmiStatus derivatives(RbFmiInstance *i, double *dx, int count) {
    return CALL(i, "GetDerivatives", derivatives, i->c, dx, (size_t)count);
}

static RbFmiStatus indicators(RbFmiInstance *i, double *z, int count) {
    return CALL(i, "GetEventIndicators", indicators, i->c, z, (size_t)count);
}

static RbFmiStatus completed_step(RbFmiInstance *i, bool *event, bool *ends) {
    int enter = 0, end = 0;
    RbFmiStatus status = CALL(i, "CompletedIntegratorStep", completed, i->c, 1, &enter, &end);
    *event = enter != 0;
    *ends = end != 0;
    return status;
}

// fmi2Discard: it went so far, and may want to end.
static RbFmiStatus step(RbFmiInstance *i, double time, double size, double *reached, bool *event,
                        bool *ends) {
    RbFmiStatus status = CALL(i, "DoStep", step, i->c, time, size, 1);
    *reached = time + size;
    *event = *ends = false;
    if (status != RB_FMI_DISCARD) return status;
    int end = 0;
    bool ended = F(i)->boolean_status(i->c, TERMINATED, &end) <= RB_FMI_WARNING && end != 0;
    if (!ended) return status;
    *ends = true;
    if (F(i)->real_status(i->c, LAST_TIME, reached) > RB_FMI_WARNING) *reached = time;
    return RB_FMI_OK;
}

static RbFmiStatus save(RbFmiInstance *i, RbArena *arena, RbBlob *bytes) {
    void *state = NULL;
    size_t size = 0;
    RbFmiStatus status = CALL(i, "GetFMUstate", get_state, i->c, &state);
    if (rb_fmi_failed(status)) return status;
    status = CALL(i, "SerializedFMUstateSize", state_size, i->c, state, &size);
    char *to = rb_arena_push(arena, size + 1, 1);
    if (!rb_fmi_failed(status))
        status = CALL(i, "SerializeFMUstate", serialize, i->c, state, to, size);
    *bytes = (RbBlob){(const unsigned char *)to, size};
    F(i)->free_state(i->c, &state);
    return status;
}

static RbFmiStatus load(RbFmiInstance *i, RbBlob bytes) {
    void *state = NULL;
    RbFmiStatus status = CALL(i, "DeSerializeFMUstate", deserialize, i->c,
                              (const char *)bytes.bytes, bytes.size, &state);
    if (rb_fmi_failed(status)) return status;
    status = CALL(i, "SetFMUstate", set_state, i->c, state);
    F(i)->free_state(i->c, &state);
    return status;
}

const struct RbFmiCalls rb_fmi2_calls = {
    link,     instantiate,      release,    initialise,       start, terminate, get,        set,
    set_text, enter_event_mode, update,     leave_event_mode, sizes, set_time,  set_states, states,
    nominals, derivatives,      indicators, completed_step,   step,  save,      load};
