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
    int (*logging)(void *c, int on, size_t count, const char *const *categories);
    int (*setup)(void *c, int has_tolerance, double tolerance, double start, int has_stop,
                 double stop);
    int (*enter_initialization)(void *c);
    int (*get_real)(void *c, const Reference *vr, size_t n, double *values);
    int (*get_integer)(void *c, const Reference *vr, size_t n, int *values);
    int (*get_boolean)(void *c, const Reference *vr, size_t n, int *values);
    int (*set_real)(void *c, const Reference *vr, size_t n, const double *values);
    int (*set_integer)(void *c, const Reference *vr, size_t n, const int *values);
    int (*set_boolean)(void *c, const Reference *vr, size_t n, const int *values);
    int (*set_string)(void *c, const Reference *vr, size_t n, const char *const *values);
    int (*new_states)(void *c, EventInfo *info);
    int (*completed)(void *c, int no_set_before, int *event, int *terminate);
    int (*step)(void *c, double time, double size, int no_set_before);
    int (*real_status)(void *c, int kind, double *value);
    int (*boolean_status)(void *c, int kind, int *value);
} Functions;

enum { LAST_TIME = 2, TERMINATED = 3 }; // fmi2StatusKind

#define AT(member) offsetof(Functions, member)
static const RbFmiSymbol common[] = {{"fmi2Instantiate", AT(instantiate)},
                                     {"fmi2SetDebugLogging", AT(logging)},
                                     {"fmi2SetupExperiment", AT(setup)},
                                     {"fmi2EnterInitializationMode", AT(enter_initialization)},
                                     {"fmi2GetReal", AT(get_real)},
                                     {"fmi2GetInteger", AT(get_integer)},
                                     {"fmi2GetBoolean", AT(get_boolean)},
                                     {"fmi2SetReal", AT(set_real)},
                                     {"fmi2SetInteger", AT(set_integer)},
                                     {"fmi2SetBoolean", AT(set_boolean)},
                                     {"fmi2SetString", AT(set_string)},
                                     {NULL}};
static const RbFmiSymbol exchange[] = {{"fmi2NewDiscreteStates", AT(new_states)},
                                       {"fmi2CompletedIntegratorStep", AT(completed)},
                                       {NULL}};
static const RbFmiSymbol cosimulation[] = {{"fmi2DoStep", AT(step)},
                                           {"fmi2GetRealStatus", AT(real_status)},
                                           {"fmi2GetBooleanStatus", AT(boolean_status)},
                                           {NULL}};

static RbStatus link(RbFmiInstance *i, void *library, RbDiag *diag) {
    i->functions = rb_new(i->fmi->arena, Functions);
    RB_TRY(rb_fmi_symbols(i, library, common, i->functions, diag));
    return rb_fmi_symbols(i, library, i->kind == &i->fmi->exchange ? exchange : cosimulation,
                          i->functions, diag);
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

#define CALL(i, name, function, ...) rb_fmi_note(i, "fmi2" name, F(i)->function(__VA_ARGS__))

static RbFmiStatus initialise(RbFmiInstance *i, double start, double tolerance) {
    RbFmiStatus status =
        CALL(i, "SetupExperiment", setup, i->c, tolerance > 0, tolerance, start, 0, 0);
    return rb_fmi_failed(status) ? status
                                 : CALL(i, "EnterInitializationMode", enter_initialization, i->c);
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

static RbFmiStatus update(RbFmiInstance *i, RbFmiNews *news) {
    EventInfo e = {0};
    RbFmiStatus status = CALL(i, "NewDiscreteStates", new_states, i->c, &e);
    *news = (RbFmiNews){e.again != 0, e.terminate != 0, e.nominals != 0, e.states != 0,
                        e.has_next ? e.next : INFINITY};
    return status;
}

static RbFmiStatus sizes(RbFmiInstance *i, int *states, int *indicators) {
    *states = i->fmi->derivatives.count;
    *indicators = i->fmi->indicator_count;
    return RB_FMI_OK;
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

const struct RbFmiCalls rb_fmi2_calls = {
    link, instantiate, initialise, get, set, set_text, update, rb_fmi_enter_continuous_mode, sizes, completed_step, step};
