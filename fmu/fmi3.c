// SPDX-License-Identifier: MIT
// The functions of FMI 3.0. The types are those that the standard prescribes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

#define FMI __attribute__((visibility("default")))

typedef void LogMessage(void *environment, int status, const char *category, const char *message);
typedef void Callback(void);

typedef struct Instance {
    Fmu *fmu;
    LogMessage *log;
    void *environment;
    bool event_mode, early_return; // of the master
} Instance;

typedef uint32_t Reference;

static Fmu *fmu_of(void *c) {
    return c ? ((Instance *)c)->fmu : NULL;
}

// -------------------------------------------------------------------------------------------------
// an instance

FMI const char *fmi3GetVersion(void);
FMI int fmi3SetDebugLogging(void *c, bool on, size_t count, const char *const categories[]);
FMI void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                      bool visible, bool logging, bool event_mode,
                                      bool early_return, const Reference *intermediate,
                                      size_t intermediates, void *environment, LogMessage *log,
                                      Callback *update);
FMI void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources,
                                       bool visible, bool logging, void *environment,
                                       LogMessage *log);
FMI void *fmi3InstantiateScheduledExecution(const char *name, const char *token,
                                            const char *resources, bool visible, bool logging,
                                            void *environment, LogMessage *log, Callback *update,
                                            Callback *lock, Callback *unlock);
FMI void fmi3FreeInstance(void *c);

const char *fmi3GetVersion(void) {
    return "3.0";
}

static void pass_message(void *user, FmuStatus status, const char *category, const char *message) {
    Instance *i = user;
    if (i->log) i->log(i->environment, (int)status, category, message);
}

static void *open_instance(const Instance *as, const char *name, const char *token,
                           const char *resources, bool exchange, bool logging) {
    Instance *i = calloc(1, sizeof *i);
    if (!i) return NULL;
    *i = *as;
    FmuLog log = {pass_message, i, logging, ~(uint64_t)0};
    if (!name || !name[0])
        pass_message(i, FMU_ERROR, "logStatusError", "the instance has no name");
    else if (!resources)
        pass_message(i, FMU_ERROR, "logStatusError", "the path of the resources is missing");
    else
        i->fmu = fmu_open(token, resources, exchange, log);
    if (i->fmu) return i;
    free(i);
    return NULL;
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                  bool visible, bool logging, bool event_mode, bool early_return,
                                  const Reference *intermediate, size_t intermediates,
                                  void *environment, LogMessage *log, Callback *update) {
    (void)visible, (void)intermediate, (void)intermediates, (void)update;
    Instance as = {NULL, log, environment, event_mode, early_return};
    return open_instance(&as, name, token, resources, false, logging);
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources,
                                   bool visible, bool logging, void *environment, LogMessage *log) {
    (void)visible;
    Instance as = {NULL, log, environment, true, false};
    return open_instance(&as, name, token, resources, true, logging);
}

void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources,
                                        bool visible, bool logging, void *environment,
                                        LogMessage *log, Callback *update, Callback *lock,
                                        Callback *unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)update, (void)lock, (void)unlock;
    if (log)
        log(environment, FMU_ERROR, "logStatusError",
            "this FMU is for co-simulation and model exchange, not for scheduled execution");
    return NULL;
}

void fmi3FreeInstance(void *c) {
    if (!c) return;
    fmu_close(fmu_of(c));
    free(c);
}

int fmi3SetDebugLogging(void *c, bool on, size_t count, const char *const categories[]) {
    if (!c) return FMU_ERROR;
    fmu_choose_log(fmu_of(c), on, count, categories);
    return FMU_OK;
}

// -------------------------------------------------------------------------------------------------
// modes

FMI int fmi3EnterInitializationMode(void *c, bool has_tolerance, double tolerance, double start,
                                    bool has_stop, double stop);
FMI int fmi3ExitInitializationMode(void *c);
FMI int fmi3EnterEventMode(void *c);
FMI int fmi3EnterStepMode(void *c);
FMI int fmi3UpdateDiscreteStates(void *c, bool *again, bool *terminate, bool *nominals,
                                 bool *states, bool *has_next, double *next);
FMI int fmi3EvaluateDiscreteStates(void *c);
FMI int fmi3Terminate(void *c);
FMI int fmi3Reset(void *c);

int fmi3EnterInitializationMode(void *c, bool has_tolerance, double tolerance, double start,
                                bool has_stop, double stop) {
    Fmu *f = fmu_of(c);
    if (!fmu_allows(f, __func__, FMU_INSTANTIATED)) return FMU_ERROR;
    FmuStatus status = fmu_set_up(f, has_tolerance ? tolerance : NAN, start, has_stop ? stop : NAN);
    return status == FMU_OK ? (int)fmu_enter_initialization(f) : (int)status;
}

int fmi3ExitInitializationMode(void *c) {
    return c ? (int)fmu_exit_initialization(fmu_of(c), ((Instance *)c)->event_mode) : FMU_ERROR;
}

int fmi3EnterEventMode(void *c) {
    if (c && fmu_of(c)->exchange) return (int)fmu_enter_events(fmu_of(c));
    if (!fmu_allows(fmu_of(c), __func__, FMU_STEPPING)) return FMU_ERROR;
    if (!((Instance *)c)->event_mode)
        return (int)fmu_fail(fmu_of(c), "%s: the instance was made without event mode", __func__);
    fmu_of(c)->mode = FMU_AT_EVENT;
    return FMU_OK;
}

int fmi3EnterStepMode(void *c) {
    if (!fmu_allows(fmu_of(c), __func__, FMU_AT_EVENT)) return FMU_ERROR;
    if (fmu_of(c)->exchange)
        return (int)fmu_fail(fmu_of(c), "%s: this instance is for model exchange", __func__);
    fmu_of(c)->mode = FMU_STEPPING;
    return FMU_OK;
}

// Setting a value is an event of the run, which settles at the next call: one update is enough.
int fmi3UpdateDiscreteStates(void *c, bool *again, bool *terminate, bool *nominals, bool *states,
                             bool *has_next, double *next) {
    if (!fmu_allows(fmu_of(c), __func__, FMU_AT_EVENT)) return FMU_ERROR;
    if (!again || !terminate || !nominals || !states || !has_next || !next)
        return (int)fmu_fail(fmu_of(c), "%s: an argument is NULL", __func__);
    FmuEvents events;
    if (fmu_of(c)->exchange) {
        FmuStatus status = fmu_meet_events(fmu_of(c), &events);
        *again = *nominals = false;
        *states = events.states_changed;
        *has_next = events.has_next;
        *next = events.next;
        *terminate = events.ended;
        return (int)status;
    }
    *again = *nominals = *states = *has_next = false;
    *terminate = fmu_of(c)->ended;
    *next = 0;
    return FMU_OK;
}

int fmi3EvaluateDiscreteStates(void *c) {
    if (!fmu_allows(fmu_of(c), __func__, FMU_INITIALIZING | FMU_AT_EVENT)) return FMU_ERROR;
    return FMU_OK;
}

int fmi3Terminate(void *c) {
    return c ? (int)fmu_terminate(fmu_of(c)) : FMU_ERROR;
}

int fmi3Reset(void *c) {
    return c ? (int)fmu_reset(fmu_of(c)) : FMU_ERROR;
}

// -------------------------------------------------------------------------------------------------
// values

// The letter of a type of FMI in the card; 0: there are no variables of it.
#define LETTER_Float64 FMU_REAL
#define LETTER_Int32   FMU_INTEGER
#define LETTER_Int64   FMU_ENUMERATION
#define LETTER_Boolean FMU_BOOLEAN
#define LETTER_Float32 0
#define LETTER_Int8    0
#define LETTER_UInt8   0
#define LETTER_Int16   0
#define LETTER_UInt16  0
#define LETTER_UInt32  0
#define LETTER_UInt64  0

#define VALUES(Type, type)                                                                         \
    FMI int fmi3Get##Type(void *c, const Reference *vr, size_t n, type *values, size_t count);     \
    FMI int fmi3Set##Type(void *c, const Reference *vr, size_t n, const type *values,              \
                          size_t count);                                                           \
    int fmi3Get##Type(void *c, const Reference *vr, size_t n, type *values, size_t count) {        \
        Fmu *f = fmu_of(c);                                                                        \
        const Reference *all;                                                                      \
        if (!fmu_elements(f, 0, vr, n, count, &all)) return FMU_ERROR;                             \
        double *room = values ? fmu_room(f, count) : NULL;                                         \
        if (fmu_get(f, LETTER_##Type, all, count, room) != FMU_OK) return FMU_ERROR;               \
        for (size_t i = 0; i < count; i++) values[i] = (type)room[i];                              \
        return FMU_OK;                                                                             \
    }                                                                                              \
    int fmi3Set##Type(void *c, const Reference *vr, size_t n, const type *values, size_t count) {  \
        Fmu *f = fmu_of(c);                                                                        \
        const Reference *all;                                                                      \
        if (!fmu_elements(f, 0, vr, n, count, &all)) return FMU_ERROR;                             \
        double *room = values ? fmu_room(f, count) : NULL;                                         \
        for (size_t i = 0; room && i < count; i++) room[i] = (double)values[i];                    \
        return (int)fmu_set(f, LETTER_##Type, all, count, room);                                   \
    }
VALUES(Float32, float)
VALUES(Float64, double)
VALUES(Int8, int8_t)
VALUES(UInt8, uint8_t)
VALUES(Int16, int16_t)
VALUES(UInt16, uint16_t)
VALUES(Int32, int32_t)
VALUES(UInt32, uint32_t)
VALUES(Int64, int64_t)
VALUES(UInt64, uint64_t)
VALUES(Boolean, bool)

FMI int fmi3GetString(void *c, const Reference *vr, size_t n, const char **values, size_t count);
FMI int fmi3SetString(void *c, const Reference *vr, size_t n, const char *const *values,
                      size_t count);

int fmi3GetString(void *c, const Reference *vr, size_t n, const char **values, size_t count) {
    const Reference *all;
    if (!fmu_elements(fmu_of(c), 0, vr, n, count, &all)) return FMU_ERROR;
    return (int)fmu_get_texts(fmu_of(c), all, count, values);
}

int fmi3SetString(void *c, const Reference *vr, size_t n, const char *const *values, size_t count) {
    const Reference *all;
    if (!fmu_elements(fmu_of(c), 0, vr, n, count, &all)) return FMU_ERROR;
    return (int)fmu_set_texts(fmu_of(c), all, count, values);
}

// -------------------------------------------------------------------------------------------------
// the state

FMI int fmi3GetFMUState(void *c, void **state);
FMI int fmi3SetFMUState(void *c, void *state);
FMI int fmi3FreeFMUState(void *c, void **state);
FMI int fmi3SerializedFMUStateSize(void *c, void *state, size_t *size);
FMI int fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size);
FMI int fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state);

int fmi3GetFMUState(void *c, void **state) {
    return c && state ? (int)fmu_get_state(fmu_of(c), (FmuState **)state) : FMU_ERROR;
}

int fmi3SetFMUState(void *c, void *state) {
    return c && state ? (int)fmu_set_state(fmu_of(c), state) : FMU_ERROR;
}

int fmi3FreeFMUState(void *c, void **state) {
    if (!c) return FMU_ERROR;
    fmu_free_state(state);
    return FMU_OK;
}

int fmi3SerializedFMUStateSize(void *c, void *state, size_t *size) {
    if (!c || !state || !size) return FMU_ERROR;
    *size = ((const FmuState *)state)->size;
    return FMU_OK;
}

int fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size) {
    return c ? (int)fmu_write_state(fmu_of(c), state, bytes, size) : FMU_ERROR;
}

int fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state) {
    return c && state ? (int)fmu_read_state(fmu_of(c), bytes, size, (FmuState **)state) : FMU_ERROR;
}

// -------------------------------------------------------------------------------------------------
// co-simulation

FMI int fmi3DoStep(void *c, double now, double size, bool no_set_state, bool *event,
                   bool *terminate, bool *early, double *last);

// With event mode a step ends at the first event, which the run has dealt with then.
int fmi3DoStep(void *c, double now, double size, bool no_set_state, bool *event, bool *terminate,
               bool *early, double *last) {
    Instance *i = c;
    FmuStep step;
    (void)no_set_state;
    if (!c || !event || !terminate || !early || !last) return FMU_ERROR;
    FmuStatus status = fmu_step(i->fmu, now, size, i->event_mode && i->early_return, &step);
    *event = step.event;
    *terminate = step.ended;
    *last = step.time;
    *early = status == FMU_OK && step.time < now + size;
    return status == FMU_DISCARD ? FMU_OK : (int)status; // FMI 3 has a flag for the end
}

// -------------------------------------------------------------------------------------------------
// model exchange

FMI int fmi3EnterContinuousTimeMode(void *c);
FMI int fmi3CompletedIntegratorStep(void *c, bool no_set_state, bool *event, bool *terminate);
FMI int fmi3SetTime(void *c, double time);
FMI int fmi3SetContinuousStates(void *c, const double *x, size_t n);
FMI int fmi3GetContinuousStates(void *c, double *x, size_t n);
FMI int fmi3GetContinuousStateDerivatives(void *c, double *dx, size_t n);
FMI int fmi3GetEventIndicators(void *c, double *z, size_t n);
FMI int fmi3GetNominalsOfContinuousStates(void *c, double *x, size_t n);
FMI int fmi3GetNumberOfEventIndicators(void *c, size_t *count);
FMI int fmi3GetNumberOfContinuousStates(void *c, size_t *count);
FMI int fmi3GetDirectionalDerivative(void *c, const Reference *unknown, size_t unknowns,
                                     const Reference *known, size_t knowns, const double *seed,
                                     size_t seeds, double *values, size_t count);

int fmi3EnterContinuousTimeMode(void *c) {
    return (int)fmu_enter_continuous(fmu_of(c));
}

int fmi3CompletedIntegratorStep(void *c, bool no_set_state, bool *event, bool *terminate) {
    (void)no_set_state;
    if (!c || !event || !terminate) return FMU_ERROR;
    *terminate = false;
    return (int)fmu_completed_step(fmu_of(c), event);
}

int fmi3SetTime(void *c, double time) {
    return (int)fmu_set_time(fmu_of(c), time);
}

int fmi3SetContinuousStates(void *c, const double *x, size_t n) {
    return (int)fmu_set_states(fmu_of(c), x, n);
}

int fmi3GetContinuousStates(void *c, double *x, size_t n) {
    return (int)fmu_get_states(fmu_of(c), x, n);
}

int fmi3GetContinuousStateDerivatives(void *c, double *dx, size_t n) {
    return (int)fmu_get_derivatives(fmu_of(c), dx, n);
}

int fmi3GetEventIndicators(void *c, double *z, size_t n) {
    return (int)fmu_get_indicators(fmu_of(c), z, n);
}

int fmi3GetNominalsOfContinuousStates(void *c, double *x, size_t n) {
    return (int)fmu_get_nominals(fmu_of(c), x, n);
}

static int give_count(void *c, const char *function, size_t *count, int own) {
    if (!count) return (int)fmu_fail(fmu_of(c), "%s: an argument is NULL", function);
    if (!fmu_of(c)->exchange)
        return (int)fmu_fail(fmu_of(c), "%s: this instance is for co-simulation", function);
    *count = (size_t)own;
    return FMU_OK;
}

int fmi3GetNumberOfEventIndicators(void *c, size_t *count) {
    return c ? give_count(c, __func__, count, fmu_of(c)->indicators) : FMU_ERROR;
}

int fmi3GetNumberOfContinuousStates(void *c, size_t *count) {
    return c ? give_count(c, __func__, count, fmu_of(c)->states) : FMU_ERROR;
}

int fmi3GetDirectionalDerivative(void *c, const Reference *unknown, size_t unknowns,
                                 const Reference *known, size_t knowns, const double *seed,
                                 size_t seeds, double *values, size_t count) {
    FmuDirection d = {NULL, NULL, count, seeds, seed, values};
    if (!fmu_elements(fmu_of(c), 0, unknown, unknowns, count, &d.unknowns) ||
        !fmu_elements(fmu_of(c), 1, known, knowns, seeds, &d.knowns))
        return FMU_ERROR;
    return (int)fmu_get_direction(fmu_of(c), &d);
}

// -------------------------------------------------------------------------------------------------
// what this FMU does not offer, as its modelDescription.xml says

static int refuse(void *c, const char *function) {
    return c ? (int)fmu_fail(fmu_of(c), "%s: this FMU does not offer it", function) : FMU_ERROR;
}

#define REFUSED(function, ...)                                                                     \
    FMI int function(void *c, __VA_ARGS__);                                                        \
    int function(void *c, __VA_ARGS__) {                                                           \
        return refuse(c, #function);                                                               \
    }
#define REFUSED_WITHOUT_ARGUMENTS(function)                                                        \
    FMI int function(void *c);                                                                     \
    int function(void *c) {                                                                        \
        return refuse(c, #function);                                                               \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSED(fmi3GetBinary, const Reference *vr, size_t n, size_t *sizes, const uint8_t **values,
        size_t count)
REFUSED(fmi3SetBinary, const Reference *vr, size_t n, const size_t *sizes,
        const uint8_t *const *values, size_t count)
REFUSED(fmi3GetClock, const Reference *vr, size_t n, bool *values)
REFUSED(fmi3SetClock, const Reference *vr, size_t n, const bool *values)
REFUSED(fmi3GetNumberOfVariableDependencies, Reference vr, size_t *count)
REFUSED(fmi3GetVariableDependencies, Reference vr, size_t *elements, Reference *independents,
        size_t *independent_elements, int *kinds, size_t count)
REFUSED(fmi3GetAdjointDerivative, const Reference *unknown, size_t unknowns, const Reference *known,
        size_t knowns, const double *seed, size_t seeds, double *values, size_t count)
REFUSED_WITHOUT_ARGUMENTS(fmi3EnterConfigurationMode)
REFUSED_WITHOUT_ARGUMENTS(fmi3ExitConfigurationMode)
REFUSED(fmi3GetIntervalDecimal, const Reference *vr, size_t n, double *intervals, int *qualifiers)
REFUSED(fmi3GetIntervalFraction, const Reference *vr, size_t n, uint64_t *counters,
        uint64_t *resolutions, int *qualifiers)
REFUSED(fmi3GetShiftDecimal, const Reference *vr, size_t n, double *shifts)
REFUSED(fmi3GetShiftFraction, const Reference *vr, size_t n, uint64_t *counters,
        uint64_t *resolutions)
REFUSED(fmi3SetIntervalDecimal, const Reference *vr, size_t n, const double *intervals)
REFUSED(fmi3SetIntervalFraction, const Reference *vr, size_t n, const uint64_t *counters,
        const uint64_t *resolutions)
REFUSED(fmi3SetShiftDecimal, const Reference *vr, size_t n, const double *shifts)
REFUSED(fmi3SetShiftFraction, const Reference *vr, size_t n, const uint64_t *counters,
        const uint64_t *resolutions)
REFUSED(fmi3GetOutputDerivatives, const Reference *vr, size_t n, const int32_t *orders,
        double *values, size_t count)
REFUSED(fmi3ActivateModelPartition, Reference clock, double time)
