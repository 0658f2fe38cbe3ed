// SPDX-License-Identifier: MIT
// The functions of FMI 3.0. The types are those that the standard prescribes.
#include <math.h>
#include <string.h>

#include "fmi/binary.h"

typedef uint32_t Reference;
typedef void Logger(void *environment, int status, const char *category, const char *message);
typedef int Access(void *c, const Reference *vr, size_t n, void *values,
                   size_t count); // of all types of numbers

typedef struct Functions {
    void *(*exchange)(const char *name, const char *token, const char *resources, bool visible,
                      bool logging, void *environment, Logger *logger);
    void *(*cosimulation)(const char *name, const char *token, const char *resources, bool visible,
                          bool logging, bool event_mode, bool early_return,
                          const Reference *required, size_t count, void *environment,
                          Logger *logger, void *intermediate);
    int (*logging)(void *c, bool on, size_t count, const char *const *categories);
    int (*enter_initialization)(void *c, bool has_tolerance, double tolerance, double start,
                                bool has_stop, double stop);
    Access *get[RB_FMI_NUMBERS], *set[RB_FMI_NUMBERS];
    int (*set_string)(void *c, const Reference *vr, size_t n, const char *const *values,
                      size_t count);
    int (*enter_step)(void *c);
    int (*update)(void *c, bool *again, bool *terminate, bool *nominals, bool *states,
                  bool *has_next, double *next);
    int (*state_count)(void *c, size_t *n), (*indicator_count)(void *c, size_t *n);
    int (*completed)(void *c, bool no_set_before, bool *event, bool *terminate);
    int (*step)(void *c, double time, double size, bool no_set_before, bool *event, bool *terminate,
                bool *early, double *reached);
} Functions;

#define AT(member) offsetof(Functions, member)
#define BOTH(name, type)                                                                           \
    {"fmi3Get" name, AT(get[type])}, {                                                             \
        "fmi3Set" name, AT(set[type])                                                              \
    }
static const RbFmiSymbol common[] = {{"fmi3SetDebugLogging", AT(logging)},
                                     {"fmi3EnterInitializationMode", AT(enter_initialization)},
                                     BOTH("Float64", RB_FMI_FLOAT64),
                                     BOTH("Float32", RB_FMI_FLOAT32),
                                     BOTH("Int8", RB_FMI_INT8),
                                     BOTH("UInt8", RB_FMI_UINT8),
                                     BOTH("Int16", RB_FMI_INT16),
                                     BOTH("UInt16", RB_FMI_UINT16),
                                     BOTH("Int32", RB_FMI_INT32),
                                     BOTH("UInt32", RB_FMI_UINT32),
                                     BOTH("Int64", RB_FMI_INT64),
                                     BOTH("UInt64", RB_FMI_UINT64),
                                     BOTH("Boolean", RB_FMI_BOOLEAN),
                                     BOTH("Int64", RB_FMI_ENUMERATION),
                                     {"fmi3SetString", AT(set_string)},
                                     {NULL}};
static const RbFmiSymbol events[] = {
    {"fmi3UpdateDiscreteStates", AT(update)}, {NULL}};
static const RbFmiSymbol exchange[] = {{"fmi3InstantiateModelExchange", AT(exchange)},
                                       {"fmi3GetNumberOfContinuousStates", AT(state_count)},
                                       {"fmi3GetNumberOfEventIndicators", AT(indicator_count)},
                                       {"fmi3CompletedIntegratorStep", AT(completed)},
                                       {NULL}};
static const RbFmiSymbol cosimulation[] = {
    {"fmi3InstantiateCoSimulation", AT(cosimulation)}, {"fmi3DoStep", AT(step)}, {NULL}};
static const RbFmiSymbol step_mode[] = {{"fmi3EnterStepMode", AT(enter_step)}, {NULL}};

static RbStatus link(RbFmiInstance *i, void *library, RbDiag *diag) {
    bool exchanges = i->kind == &i->fmi->exchange;
    i->functions = rb_new(i->fmi->arena, Functions);
    RB_TRY(rb_fmi_symbols(i, library, common, i->functions, diag));
    RB_TRY(rb_fmi_symbols(i, library, exchanges ? exchange : cosimulation, i->functions, diag));
    if (exchanges || i->kind->event_mode)
        RB_TRY(rb_fmi_symbols(i, library, events, i->functions, diag));
    return i->kind->event_mode ? rb_fmi_symbols(i, library, step_mode, i->functions, diag) : RB_OK;
}

#define F(i) ((Functions *)(i)->functions)

static void hear(void *environment, int status, const char *category, const char *message) {
    rb_fmi_hear(environment, status, category, message);
}

static bool instantiate(RbFmiInstance *i, const char *name, const char *resources) {
    const RbFmi *f = i->fmi;
    if (i->kind == &f->exchange)
        i->c = F(i)->exchange(name, f->token, resources, false, true, i, hear);
    else
        i->c = F(i)->cosimulation(name, f->token, resources, false, true, i->kind->event_mode,
                                  false, NULL, 0, i, hear, NULL);
    if (i->c && f->log_category_count > 0)
        F(i)->logging(i->c, true, (size_t)f->log_category_count, f->log_categories);
    return i->c != NULL;
}

#define CALL(i, name, function, ...) rb_fmi_note(i, "fmi3" name, F(i)->function(__VA_ARGS__))

static RbFmiStatus initialise(RbFmiInstance *i, double start, double tolerance) {
    return CALL(i, "EnterInitializationMode", enter_initialization, i->c, tolerance > 0, tolerance,
                start, false, 0);
}

// What a type of C can hold of a number, and back.
#define WIDEN(T)                                                                                   \
    for (int k = 0; k < count; k++) values[k] = (double)((const T *)i->buffer)[k];                 \
    break
#define NARROW(T, low, high)                                                                       \
    for (int k = 0; k < count; k++) ((T *)i->buffer)[k] = (T)fmax(low, fmin(high, values[k]));     \
    break

static void widen(const RbFmiInstance *i, RbFmiType type, double *values, int count) {
    switch (type) {
        case RB_FMI_FLOAT32: WIDEN(float);
        case RB_FMI_INT8: WIDEN(int8_t);
        case RB_FMI_UINT8: WIDEN(uint8_t);
        case RB_FMI_INT16: WIDEN(int16_t);
        case RB_FMI_UINT16: WIDEN(uint16_t);
        case RB_FMI_INT32: WIDEN(int32_t);
        case RB_FMI_UINT32: WIDEN(uint32_t);
        case RB_FMI_UINT64: WIDEN(uint64_t);
        case RB_FMI_BOOLEAN: WIDEN(bool);
        default: WIDEN(int64_t); // also enumerations
    }
}

static void narrow(const RbFmiInstance *i, RbFmiType type, const double *values, int count) {
    switch (type) {
        case RB_FMI_FLOAT32: NARROW(float, -3.402823466e38, 3.402823466e38);
        case RB_FMI_INT8: NARROW(int8_t, INT8_MIN, INT8_MAX);
        case RB_FMI_UINT8: NARROW(uint8_t, 0, UINT8_MAX);
        case RB_FMI_INT16: NARROW(int16_t, INT16_MIN, INT16_MAX);
        case RB_FMI_UINT16: NARROW(uint16_t, 0, UINT16_MAX);
        case RB_FMI_INT32: NARROW(int32_t, INT32_MIN, INT32_MAX);
        case RB_FMI_UINT32: NARROW(uint32_t, 0, UINT32_MAX);
        case RB_FMI_UINT64: NARROW(uint64_t, 0, 9007199254740992.0);
        case RB_FMI_BOOLEAN:
            for (int k = 0; k < count; k++) ((bool *)i->buffer)[k] = values[k] != 0;
            break;
        default: NARROW(int64_t, -9007199254740992.0, 9007199254740992.0);
    }
}

static RbFmiStatus get(RbFmiInstance *i, RbFmiType type, const Reference *vr, int n, double *values,
                       int count) {
    void *to = type == RB_FMI_FLOAT64 ? (void *)values : i->buffer;
    RbFmiStatus status = rb_fmi_note(i, "a function fmi3Get...",
                                     F(i)->get[type](i->c, vr, (size_t)n, to, (size_t)count));
    if (!rb_fmi_failed(status) && to != values) widen(i, type, values, count);
    return status;
}

static RbFmiStatus set(RbFmiInstance *i, RbFmiType type, const Reference *vr, int n,
                       const double *values, int count) {
    if (type == RB_FMI_FLOAT64)
        memcpy(i->buffer, values, (size_t)count * sizeof *values);
    else
        narrow(i, type, values, count);
    return rb_fmi_note(i, "a function fmi3Set...",
                       F(i)->set[type](i->c, vr, (size_t)n, i->buffer, (size_t)count));
}

static RbFmiStatus set_text(RbFmiInstance *i, Reference reference, const char *text) {
    return CALL(i, "SetString", set_string, i->c, &reference, 1, &text, 1);
}

static RbFmiStatus update(RbFmiInstance *i, RbFmiNews *news) {
    bool has_next = false;
    double next = 0;
    *news = (RbFmiNews){0};
    RbFmiStatus status = CALL(i, "UpdateDiscreteStates", update, i->c, &news->again,
                              &news->terminate, &news->nominals, &news->states, &has_next, &next);
    news->next_time = has_next ? next : INFINITY;
    return status;
}

static RbFmiStatus leave_event_mode(RbFmiInstance *i) {
    return i->kind == &i->fmi->exchange ? rb_fmi_enter_continuous_mode(i)
                                        : CALL(i, "EnterStepMode", enter_step, i->c);
}

static RbFmiStatus sizes(RbFmiInstance *i, int *states, int *indicators) {
    size_t x = 0, z = 0, most = 100000000;
    RbFmiStatus status = CALL(i, "GetNumberOfContinuousStates", state_count, i->c, &x);
    if (!rb_fmi_failed(status))
        status = CALL(i, "GetNumberOfEventIndicators", indicator_count, i->c, &z);
    if (x > most || z > most)
        return rb_fmi_note(i, "fmi3GetNumberOfContinuousStates or fmi3GetNumberOfEventIndicators",
                           RB_FMI_ERROR);
    *states = (int)x;
    *indicators = (int)z;
    return status;
}

static RbFmiStatus completed_step(RbFmiInstance *i, bool *event, bool *ends) {
    *event = *ends = false;
    return CALL(i, "CompletedIntegratorStep", completed, i->c, true, event, ends);
}

static RbFmiStatus step(RbFmiInstance *i, double time, double size, double *reached, bool *event,
                        bool *ends) {
    bool early = false;
    double last = time + size;
    *event = *ends = false;
    RbFmiStatus status =
        CALL(i, "DoStep", step, i->c, time, size, true, event, ends, &early, &last);
    *reached = early || *ends ? last : time + size;
    return status;
}

const struct RbFmiCalls rb_fmi3_calls = {
    link, instantiate, initialise, get, set, set_text, update, leave_event_mode, sizes, completed_step, step};
