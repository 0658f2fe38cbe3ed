// SPDX-License-Identifier: MIT
// FMUs with closed-form solutions, for both versions of FMI: cc -shared -DFMI=2 -DMODEL=BALL sample.c. The tests compile them
// (sample.h). They have nothing of the library, and refuse every call that the standard does not allow in their mode.
//
//     BALL     h' = v, v' = -g; v := -e v when h falls through zero; n counts
//     DECAY    x' = -k x + u; y = x, z = 2 u
//     VDP      van der Pol: x' = v, v' = m (1 - x^2) v - x
//     THROUGH  outputs are inputs: Real, Integer, Boolean, enumeration
//     STAIR    n grows by 1 each second, and ends the run at `last`
//     CLAMP    x' = 1; a step that has passed x >= 1 wants an event, in which x := 0 and n grows
//     RELAY    y = 1 if u > 0.5, otherwise 0: it looks at events alone; its indicator is u - 0.5
//     FAULTY   says why and fails from t = 0.5 on
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BALL, DECAY, VDP, THROUGH, STAIR, CLAMP, FAULTY, RELAY };
enum { INSTANTIATED, INITIALIZATION, EVENT, CONTINUOUS, STEP, TERMINATED };
enum { OK, WARNING, DISCARD, ERROR };
enum { STATES = MODEL == BALL || MODEL == VDP ? 2 : MODEL == DECAY || MODEL == CLAMP ? 1 : 0, INDICATORS = MODEL == BALL || MODEL == RELAY };

// Value references
enum { R_TIME, R_X0, R_X1, R_D0, R_D1, R_P, R_Q, R_U, R_Z, R_DISCRETE_IN, R_DISCRETE_OUT, R_COUNT };
enum { I_N = 20, I_IN, I_OUT, I_LAST, I_LENGTH, B_IN = 30, B_OUT, E_IN = 40, E_OUT, V_IN = 50, V_OUT, S_LABEL = 70 };

typedef void Log2(void *environment, const char *instance, int status, const char *category, const char *format, ...);
typedef void Log3(void *environment, int status, const char *category, const char *text);
typedef struct Callbacks {
    Log2 *log;
    void *(*allocate)(size_t count, size_t size);
    void (*free)(void *memory);
    void (*finished)(void *environment, int status);
    void *environment;
} Callbacks;

typedef struct Fmu {
    double r[R_COUNT], v[3];
    int32_t n, i_in, last, e_in, length;
    bool b_in;
    double d_out;
    int32_t i_out, e_out;
    bool b_out;
    double next; // s of the next time event
    int mode;
    bool cs, events;
    const Callbacks *callbacks;
    void *environment;
    Log3 *log3;
} Fmu;

static int complain(Fmu *f, const char *what) {
    char text[200];
    snprintf(text, sizeof text, "%s in mode %d at %g", what, f->mode, f->r[R_TIME]);
#if FMI == 2
    f->callbacks->log(f->callbacks->environment, "sample", ERROR, "logStatusError", "%s", text);
#else
    f->log3(f->environment, ERROR, "logStatusError", text);
#endif
    return ERROR;
}

#define ALLOWED(f, what, condition) \
    if (!(condition)) return complain(f, what " is not allowed")

static void *create(bool cs) {
    Fmu *f = calloc(1, sizeof *f);
    f->cs = cs;
    f->r[R_X0] = MODEL == VDP ? 2 : MODEL == CLAMP ? 0 : 1;
    f->r[R_P] = MODEL == BALL ? 9.81 : 1;
    f->r[R_Q] = 0.7;
    f->n = MODEL == STAIR;
    f->last = 10;
    f->length = 3;
    f->next = MODEL == STAIR ? 1 : INFINITY;
    f->e_in = f->e_out = 3;
    return f;
}

static void rates(const Fmu *f, const double *x, double *d) {
    if (MODEL == BALL) d[0] = x[1], d[1] = -f->r[R_P];
    if (MODEL == DECAY) d[0] = -f->r[R_P] * x[0] + f->r[R_U];
    if (MODEL == VDP) d[0] = x[1], d[1] = f->r[R_P] * (1 - x[0] * x[0]) * x[1] - x[0];
    if (MODEL == CLAMP) d[0] = 1;
}

// What an update of the discrete states does.
static bool react(Fmu *f, bool *ends) {
    bool changed = false;
    f->d_out = f->r[R_DISCRETE_IN];
    f->i_out = f->i_in;
    f->b_out = f->b_in;
    f->e_out = f->e_in;
    if (MODEL == BALL && f->r[R_X0] <= 0 && f->r[R_X1] < 0) {
        f->r[R_X0] = 1e-300;
        f->r[R_X1] *= -f->r[R_Q];
        f->n++;
        changed = true;
    }
    if (MODEL == CLAMP && f->r[R_X0] >= 1) {
        f->r[R_X0] = 0;
        f->n++;
        changed = true;
    }
    if (MODEL == RELAY) f->r[R_X1] = f->r[R_U] > 0.5;
    if (MODEL == STAIR && f->r[R_TIME] >= f->next - 1e-9) {
        f->n++;
        f->next += 1;
        *ends = f->n >= f->last;
    }
    return changed;
}

// ---- co-simulation: exact, from event to event

static void glide(Fmu *f, double h) {
    double *x = f->r + R_X0;
    if (MODEL == BALL) x[0] += x[1] * h - f->r[R_P] * h * h / 2, x[1] -= f->r[R_P] * h;
    if (MODEL == DECAY) x[0] = f->r[R_U] / f->r[R_P] + (x[0] - f->r[R_U] / f->r[R_P]) * exp(-f->r[R_P] * h);
    if (MODEL == CLAMP) x[0] += h;
    for (int k = 0; MODEL == VDP && k < 100; k++) { // Runge-Kutta
        double a[2], b[2], c[2], d[2], y[2], s = h / 100;
        rates(f, x, a);
        for (int i = 0; i < 2; i++) y[i] = x[i] + s / 2 * a[i];
        rates(f, y, b);
        for (int i = 0; i < 2; i++) y[i] = x[i] + s / 2 * b[i];
        rates(f, y, c);
        for (int i = 0; i < 2; i++) y[i] = x[i] + s * c[i];
        rates(f, y, d);
        for (int i = 0; i < 2; i++) x[i] += s / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    f->r[R_TIME] += h;
}

static double until_event(const Fmu *f) {
    if (MODEL == STAIR) return f->next - f->r[R_TIME];
    if (MODEL == CLAMP) return 1 - f->r[R_X0];
    if (MODEL != BALL) return INFINITY;
    double g = f->r[R_P], v = f->r[R_X1], h = f->r[R_X0];
    return (v + sqrt(v * v + 2 * g * h)) / g;
}

// To the end, or to the first event if the master deals with them.
static int glide_on(Fmu *f, double end, bool *event, bool *ends) {
    if (MODEL == FAULTY && end > 0.5) return complain(f, "the motor has stalled");
    while (f->r[R_TIME] < end - 1e-12 && !*event && !*ends) {
        double left = end - f->r[R_TIME], next = until_event(f);
        glide(f, next < left ? next : left);
        if (next > left) break;
        if (MODEL == BALL) f->r[R_X0] = 0;
        if (MODEL == CLAMP) f->r[R_X0] = 1;
        if (f->events) *event = true;
        else react(f, ends);
    }
    if (!*event && !*ends) f->r[R_TIME] = end;
    return OK;
}

// ---- values

static double *real_at(Fmu *f, uint32_t vr) {
    return vr < R_COUNT ? &f->r[vr] : NULL;
}

static int get_real(Fmu *f, uint32_t vr, double *to) {
    double d[2] = {0};
    ALLOWED(f, "get", f->mode != INSTANTIATED || vr == R_P);
    if (vr == V_OUT) {
        for (int i = 0; i < 3; i++) to[i] = 2 * f->v[i];
        return OK;
    }
    if (MODEL == FAULTY && f->r[R_TIME] > 0.5) return complain(f, "the motor has stalled");
    double *from = real_at(f, vr);
    if (!from) return complain(f, "no such variable");
    rates(f, f->r + R_X0, d);
    *to = vr == R_D0 ? d[0] : vr == R_D1 ? d[1] : vr == R_Z ? 2 * f->r[R_U] : vr == R_DISCRETE_OUT ? f->d_out : *from;
    return OK;
}

// Without event mode discrete outputs follow at once.
static int follow(Fmu *f) {
    bool ends = false;
    if (f->mode == STEP && MODEL == THROUGH) react(f, &ends);
    return OK;
}

static int set_real(Fmu *f, uint32_t vr, const double *from) {
    bool before = f->mode == INSTANTIATED || f->mode == INITIALIZATION, input = vr == R_U, tunable = vr == R_P, discrete = vr == R_DISCRETE_IN || vr == V_IN;
    ALLOWED(f, "set", before || (input && (f->mode == CONTINUOUS || f->mode == EVENT || f->mode == STEP)) || ((discrete || tunable) && (f->mode == EVENT || (f->mode == STEP && !f->events))));
    if (vr == V_IN) {
        memcpy(f->v, from, sizeof f->v);
        return OK;
    }
    if (!real_at(f, vr)) return complain(f, "no such variable");
    *real_at(f, vr) = *from;
    return follow(f);
}

static int get_integer(Fmu *f, uint32_t vr, int32_t *to) {
    if (vr == I_N) *to = f->n;
    else if (vr == I_OUT) *to = f->i_out;
    else if (vr == I_LENGTH) *to = f->length;
    else if (vr == E_OUT) *to = f->e_out;
    else return complain(f, "no such Integer");
    return OK;
}

static int set_integer(Fmu *f, uint32_t vr, int32_t value) {
    bool before = f->mode == INSTANTIATED || f->mode == INITIALIZATION;
    ALLOWED(f, "set", before || f->mode == EVENT || (f->mode == STEP && !f->events));
    if (vr == I_IN) f->i_in = value;
    else if (vr == E_IN) f->e_in = value;
    else if (vr == I_LAST && before) f->last = value;
    else return complain(f, "no such Integer");
    return follow(f);
}

static int set_boolean(Fmu *f, uint32_t vr, bool value) {
    bool before = f->mode == INSTANTIATED || f->mode == INITIALIZATION;
    ALLOWED(f, "set", before || f->mode == EVENT || (f->mode == STEP && !f->events));
    if (vr != B_IN) return complain(f, "no such Boolean");
    f->b_in = value;
    return follow(f);
}

static int set_string(Fmu *f, uint32_t vr, const char *value) {
    ALLOWED(f, "set", vr == S_LABEL && (f->mode == INSTANTIATED || f->mode == INITIALIZATION));
    return f->length = (int32_t)strlen(value), OK;
}

// ---- what both versions have

static int begin(Fmu *f) {
    bool ends;
    ALLOWED(f, "ExitInitializationMode", f->mode == INITIALIZATION);
    f->mode = f->cs && !f->events ? STEP : EVENT;
    if (f->mode == STEP) react(f, &ends);
    return OK;
}

static int enter(Fmu *f, int from, int to, const char *what) {
    if (f->mode != from) return complain(f, what);
    f->mode = to;
    return OK;
}

static int exchange_states(Fmu *f, double *x, bool set) {
    for (int i = 0; i < STATES; i++) {
        if (set) f->r[R_X0 + i] = x[i];
        else x[i] = f->r[R_X0 + i];
    }
    return OK;
}

static int completed(Fmu *f, bool *event) {
    ALLOWED(f, "CompletedIntegratorStep", f->mode == CONTINUOUS);
    *event = MODEL == CLAMP && f->r[R_X0] >= 1;
    return OK;
}

static int derive(Fmu *f, double *d) {
    ALLOWED(f, "GetDerivatives", f->mode == CONTINUOUS || f->mode == EVENT);
    rates(f, f->r + R_X0, d);
    return OK;
}

#define F ((Fmu *)c)
#if FMI == 2
typedef struct EventInfo {
    int again, ends, nominals, states, has_next;
    double next;
} EventInfo;

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const Callbacks *callbacks, int visible, int logging) {
    (void)name, (void)visible, (void)logging;
    if (strcmp(guid, "{sample}") != 0 || strncmp(resources, "file://", 7) != 0) return NULL;
    Fmu *f = create(type == 1);
    f->callbacks = callbacks;
    return f;
}
void fmi2FreeInstance(void *c) { free(c); }
int fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *categories) { return (void)c, (void)on, (void)n, (void)categories, OK; }
int fmi2SetupExperiment(void *c, int has, double tolerance, double start, int has_stop, double stop) {
    (void)has, (void)tolerance, (void)has_stop, (void)stop;
    F->r[R_TIME] = start;
    return OK;
}
int fmi2EnterInitializationMode(void *c) { return enter(F, INSTANTIATED, INITIALIZATION, "EnterInitializationMode"); }
int fmi2ExitInitializationMode(void *c) { return begin(F); }
int fmi2Terminate(void *c) { return F->mode = TERMINATED, OK; }
#define ALL(call) for (size_t i = 0; i < n; i++) if (call) return ERROR; return OK
int fmi2GetReal(void *c, const uint32_t *vr, size_t n, double *v) { ALL(get_real(F, vr[i], v + i)); }
int fmi2SetReal(void *c, const uint32_t *vr, size_t n, const double *v) { ALL(set_real(F, vr[i], v + i)); }
int fmi2GetInteger(void *c, const uint32_t *vr, size_t n, int *v) { ALL(get_integer(F, vr[i], v + i)); }
int fmi2SetInteger(void *c, const uint32_t *vr, size_t n, const int *v) { ALL(set_integer(F, vr[i], v[i])); }
int fmi2GetBoolean(void *c, const uint32_t *vr, size_t n, int *v) { for (size_t i = 0; i < n; i++) v[i] = F->b_out; return (void)vr, OK; }
int fmi2SetBoolean(void *c, const uint32_t *vr, size_t n, const int *v) { ALL(set_boolean(F, vr[i], v[i])); }
int fmi2SetString(void *c, const uint32_t *vr, size_t n, const char *const *v) { ALL(set_string(F, vr[i], v[i])); }
int fmi2EnterEventMode(void *c) { return enter(F, CONTINUOUS, EVENT, "EnterEventMode"); }
int fmi2EnterContinuousTimeMode(void *c) { return enter(F, EVENT, CONTINUOUS, "EnterContinuousTimeMode"); }
int fmi2NewDiscreteStates(void *c, EventInfo *e) {
    bool ends = false;
    ALLOWED(F, "NewDiscreteStates", F->mode == EVENT);
    *e = (EventInfo){.states = react(F, &ends), .has_next = isfinite(F->next), .next = F->next};
    return e->ends = ends, OK;
}
int fmi2CompletedIntegratorStep(void *c, int none, int *event, int *ends) {
    bool wants;
    int status = completed(F, &wants);
    *event = wants, *ends = 0;
    return (void)none, status;
}
int fmi2SetTime(void *c, double t) { ALLOWED(F, "SetTime", F->mode == CONTINUOUS); return F->r[R_TIME] = t, OK; }
int fmi2SetContinuousStates(void *c, double *x, size_t n) { (void)n; ALLOWED(F, "SetContinuousStates", F->mode == CONTINUOUS); return exchange_states(F, x, true); }
int fmi2GetContinuousStates(void *c, double *x, size_t n) { (void)n; ALLOWED(F, "GetContinuousStates", F->mode == CONTINUOUS || F->mode == EVENT); return exchange_states(F, x, false); }
int fmi2GetNominalsOfContinuousStates(void *c, double *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] = 1; return (void)c, OK; }
int fmi2GetDerivatives(void *c, double *d, size_t n) { return (void)n, derive(F, d); }
int fmi2GetEventIndicators(void *c, double *z, size_t n) { for (size_t i = 0; i < n; i++) z[i] = MODEL == RELAY ? F->r[R_U] - 0.5 : F->r[R_X0]; return OK; }
int fmi2DoStep(void *c, double t, double h, int none) {
    bool event = false, ends = false;
    (void)none;
    ALLOWED(F, "DoStep", F->mode == STEP && fabs(t - F->r[R_TIME]) < 1e-9);
    int status = glide_on(F, t + h, &event, &ends);
    return ends ? DISCARD : status;
}
int fmi2GetRealStatus(void *c, int kind, double *v) { return (void)kind, *v = F->r[R_TIME], OK; }
int fmi2GetBooleanStatus(void *c, int kind, int *v) { return (void)kind, *v = F->n >= F->last, OK; }
#define NAME(name) fmi2##name
#define STATE(name) fmi2##name##FMUstate
int fmi2SerializedFMUstateSize(void *c, void *s, size_t *n) { return (void)c, (void)s, *n = sizeof(Fmu), OK; }
int fmi2SerializeFMUstate(void *c, void *s, char *to, size_t n) { return (void)c, memcpy(to, s, n), OK; }
int fmi2DeSerializeFMUstate(void *c, const char *from, size_t n, void **s) { return (void)c, *s = memcpy(malloc(n), from, n), OK; }
#else
static void *create3(bool cs, bool events, const char *token, const char *resources, void *environment, Log3 *log) {
    if (strcmp(token, "{sample}") != 0 || resources[strlen(resources) - 1] != '/') return NULL;
    Fmu *f = create(cs);
    f->events = events;
    f->environment = environment;
    f->log3 = log;
    return f;
}
void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible, bool logging, void *environment, Log3 *log) {
    return (void)name, (void)visible, (void)logging, create3(false, true, token, resources, environment, log);
}
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging, bool events, bool early,
                                  const uint32_t *some, size_t count, void *environment, Log3 *log, void *update) {
    return (void)name, (void)visible, (void)logging, (void)early, (void)some, (void)count, (void)update, create3(true, events, token, resources, environment, log);
}
void fmi3FreeInstance(void *c) { free(c); }
int fmi3SetDebugLogging(void *c, bool on, size_t n, const char *const *categories) { return (void)c, (void)on, (void)n, (void)categories, OK; }
int fmi3EnterInitializationMode(void *c, bool has, double tolerance, double start, bool has_stop, double stop) {
    (void)has, (void)tolerance, (void)has_stop, (void)stop;
    F->r[R_TIME] = start;
    return enter(F, INSTANTIATED, INITIALIZATION, "EnterInitializationMode");
}
int fmi3ExitInitializationMode(void *c) { return begin(F); }
int fmi3Terminate(void *c) { return F->mode = TERMINATED, OK; }
#define ALL(call) for (size_t i = 0; i < n; i++) if (call) return ERROR; return (void)m, OK
#define GET(Name, Type, call) int fmi3Get##Name(void *c, const uint32_t *vr, size_t n, Type *v, size_t m) { ALL(call); }
#define SET(Name, Type, call) int fmi3Set##Name(void *c, const uint32_t *vr, size_t n, const Type *v, size_t m) { ALL(call); }
#define NONE(Name, Type) GET(Name, Type, no(F, vr, v)) SET(Name, Type, no(F, vr, v))
static int no(Fmu *f, const uint32_t *vr, const void *v) { return (void)vr, (void)v, complain(f, "no such type"); }
static int get_boolean(Fmu *f, uint32_t vr, bool *to) { return (void)vr, *to = f->b_out, OK; }
GET(Float64, double, get_real(F, vr[i], v + i)) SET(Float64, double, set_real(F, vr[i], v + i))
GET(Int32, int32_t, get_integer(F, vr[i], v + i)) SET(Int32, int32_t, set_integer(F, vr[i], v[i]))
GET(Boolean, bool, get_boolean(F, vr[i], v + i)) SET(Boolean, bool, set_boolean(F, vr[i], v[i]))
static int get_enumeration(Fmu *f, uint32_t vr, int64_t *to) {
    int32_t value = 0;
    int status = get_integer(f, vr, &value);
    *to = value;
    return status;
}
GET(Int64, int64_t, get_enumeration(F, vr[i], v + i)) SET(Int64, int64_t, set_integer(F, vr[i], (int32_t)v[i]))
NONE(Float32, float) NONE(Int8, int8_t) NONE(UInt8, uint8_t) NONE(Int16, int16_t) NONE(UInt16, uint16_t) NONE(UInt32, uint32_t) NONE(UInt64, uint64_t)
int fmi3SetString(void *c, const uint32_t *vr, size_t n, const char *const *v, size_t m) { ALL(set_string(F, vr[i], v[i])); }
int fmi3EnterEventMode(void *c) { return enter(F, F->cs ? STEP : CONTINUOUS, EVENT, "EnterEventMode"); }
int fmi3EnterContinuousTimeMode(void *c) { return enter(F, EVENT, CONTINUOUS, "EnterContinuousTimeMode"); }
int fmi3EnterStepMode(void *c) { return enter(F, EVENT, STEP, "EnterStepMode"); }
int fmi3UpdateDiscreteStates(void *c, bool *again, bool *ends, bool *nominals, bool *states, bool *has_next, double *next) {
    ALLOWED(F, "UpdateDiscreteStates", F->mode == EVENT);
    *ends = *again = *nominals = false;
    *states = react(F, ends);
    *has_next = isfinite(F->next);
    return *next = F->next, OK;
}
int fmi3CompletedIntegratorStep(void *c, bool none, bool *event, bool *ends) { return (void)none, *ends = false, completed(F, event); }
int fmi3GetNumberOfContinuousStates(void *c, size_t *n) { return (void)c, *n = STATES, OK; }
int fmi3GetNumberOfEventIndicators(void *c, size_t *n) { return (void)c, *n = INDICATORS, OK; }
int fmi3SetTime(void *c, double t) { ALLOWED(F, "SetTime", F->mode == CONTINUOUS); return F->r[R_TIME] = t, OK; }
int fmi3SetContinuousStates(void *c, double *x, size_t n) { (void)n; ALLOWED(F, "SetContinuousStates", F->mode == CONTINUOUS); return exchange_states(F, x, true); }
int fmi3GetContinuousStates(void *c, double *x, size_t n) { (void)n; ALLOWED(F, "GetContinuousStates", F->mode == CONTINUOUS || F->mode == EVENT); return exchange_states(F, x, false); }
int fmi3GetNominalsOfContinuousStates(void *c, double *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] = 1; return (void)c, OK; }
int fmi3GetContinuousStateDerivatives(void *c, double *d, size_t n) { return (void)n, derive(F, d); }
int fmi3GetEventIndicators(void *c, double *z, size_t n) { for (size_t i = 0; i < n; i++) z[i] = MODEL == RELAY ? F->r[R_U] - 0.5 : F->r[R_X0]; return OK; }
int fmi3DoStep(void *c, double t, double h, bool none, bool *event, bool *ends, bool *early, double *last) {
    (void)none;
    ALLOWED(F, "DoStep", F->mode == STEP && fabs(t - F->r[R_TIME]) < 1e-9);
    *event = *ends = false;
    int status = glide_on(F, t + h, event, ends);
    *early = *event && F->r[R_TIME] < t + h - 1e-12;
    *last = F->r[R_TIME];
    return status;
}
#define NAME(name) fmi3##name
#define STATE(name) fmi3##name##FMUState
int fmi3SerializedFMUStateSize(void *c, void *s, size_t *n) { return (void)c, (void)s, *n = sizeof(Fmu), OK; }
int fmi3SerializeFMUState(void *c, void *s, char *to, size_t n) { return (void)c, memcpy(to, s, n), OK; }
int fmi3DeserializeFMUState(void *c, const char *from, size_t n, void **s) { return (void)c, *s = memcpy(malloc(n), from, n), OK; }
#endif
int STATE(Get)(void *c, void **s) { return *s = memcpy(malloc(sizeof(Fmu)), c, sizeof(Fmu)), OK; }
int STATE(Set)(void *c, void *s) {
    Fmu own = *F;
    memcpy(c, s, sizeof own);
    F->callbacks = own.callbacks; // pointers belong to the instance
    F->environment = own.environment;
    return F->log3 = own.log3, OK;
}
int STATE(Free)(void *c, void **s) { return (void)c, free(*s), *s = NULL, OK; }
