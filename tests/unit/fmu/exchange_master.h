// SPDX-License-Identifier: MIT
// exchange_master.h: a master for model exchange: the integrator of stepper.h on the functions of FMI 2.0 or 3.0.
#pragma once

#include "fmu/master.h"
#include "stepper.h"

typedef struct EventInfo2 {
    int again, terminate, nominals_changed, states_changed, has_next;
    double next;
} EventInfo2;

typedef int Update2(void *c, EventInfo2 *info);
typedef int Update3(void *c, bool *again, bool *terminate, bool *nominals, bool *states, bool *has_next,
                    double *next);
typedef int Completed2(void *c, int no_set, int *event, int *terminate);
typedef int Completed3(void *c, bool no_set, bool *event, bool *terminate);
typedef int SetTime(void *c, double time);
typedef int SetStates(void *c, const double *x, size_t n);
typedef int GetArray(void *c, double *x, size_t n);
typedef int GetCount(void *c, size_t *count);
typedef int Direction2(void *c, const uint32_t *unknown, size_t unknowns, const uint32_t *known,
                       size_t knowns, const double *seed, double *values);
typedef int Direction3(void *c, const uint32_t *unknown, size_t unknowns, const uint32_t *known,
                       size_t knowns, const double *seed, size_t seeds, double *values, size_t n);
typedef void *Exchange3(const char *name, const char *token, const char *resources, bool visible,
                        bool logging, void *environment, Log3 *log);

typedef struct Master {
    const Loaded *l;
    void *c;
    Stepper s;
    double nominal[STEPPER_MOST];
    double next; // [s] time event
    bool ended;
    long events, steps, restarts; // the last: the master was told to start anew
} Master;

static const double FIRST_STEP = 1e-4; // [s] after an event

#define GOOD(call)                                                                                 \
    do {                                                                                           \
        if ((call) != 0) fail_msg("%s: %s", #call, last_error);                                    \
    } while (0)

static inline void *instantiate_exchange(const Loaded *l) {
    static const Callbacks callbacks = {.log = keep_log2, .allocate = calloc, .free = free};
    char resources[600];
    if (l->version == 2) {
        snprintf(resources, sizeof resources, "file://%s/resources", l->folder);
        return CALL(l, "fmi2Instantiate", Instantiate2 *, "one", 0, l->token, resources, &callbacks,
                    0, 0);
    }
    snprintf(resources, sizeof resources, "%s/resources/", l->folder);
    return CALL(l, "fmi3InstantiateModelExchange", Exchange3 *, "one", l->token, resources, false,
                false, NULL, keep_log3);
}

static inline const char *full_name(const Loaded *l, const char *two, const char *three) {
    static _Thread_local char name[100];
    snprintf(name, sizeof name, "fmi%d%s", l->version, l->version == 2 ? two : three);
    return name;
}

static inline int set_time(const Loaded *l, void *c, double t) {
    return CALL(l, full_name(l, "SetTime", "SetTime"), SetTime *, c, t);
}

static inline int set_states(const Loaded *l, void *c, const double *x, int n) {
    return CALL(l, full_name(l, "SetContinuousStates", "SetContinuousStates"), SetStates *, c, x,
                (size_t)n);
}

static inline int get_array(const Loaded *l, void *c, const char *two, const char *three, double *x,
                            int n) {
    return CALL(l, full_name(l, two, three), GetArray *, c, x, (size_t)n);
}

static inline void move_to(Master *m, double t, const double *x) {
    GOOD(set_time(m->l, m->c, t));
    GOOD(set_states(m->l, m->c, x, m->s.n));
}

static inline void master_rates(void *user, double t, const double *x, double *dx) {
    Master *m = user;
    move_to(m, t, x);
    GOOD(get_array(m->l, m->c, "GetDerivatives", "GetContinuousStateDerivatives", dx, m->s.n));
}

static inline void master_indicators(void *user, double t, const double *x, double *z) {
    Master *m = user;
    move_to(m, t, x);
    GOOD(get_array(m->l, m->c, "GetEventIndicators", "GetEventIndicators", z, m->s.z_count));
}

static inline bool updates(Master *m) {
    if (m->l->version == 2) {
        EventInfo2 info;
        GOOD(CALL(m->l, "fmi2NewDiscreteStates", Update2 *, m->c, &info));
        m->next = info.has_next ? info.next : INFINITY;
        m->ended |= info.terminate != 0;
        m->restarts += info.states_changed;
        return info.again;
    }
    bool again, terminate, nominals, states, has_next;
    double next;
    GOOD(CALL(m->l, "fmi3UpdateDiscreteStates", Update3 *, m->c, &again, &terminate, &nominals,
              &states, &has_next, &next));
    m->next = has_next ? next : INFINITY;
    m->ended |= terminate;
    m->restarts += states;
    return again;
}

static inline void read_states(Master *m) {
    Stepper *s = &m->s;
    GOOD(get_array(m->l, m->c, "GetContinuousStates", "GetContinuousStates", s->x, s->n));
    GOOD(get_array(m->l, m->c, "GetEventIndicators", "GetEventIndicators", s->z, s->z_count));
}

// In the event mode.
static inline void settle(Master *m) {
    while (updates(m)) continue;
    GOOD(simple(m->l, "EnterContinuousTimeMode", m->c));
    read_states(m);
    m->s.h = FIRST_STEP;
}

static inline bool complete(Master *m) {
    if (m->l->version == 2) {
        int event = 0, terminate = 0;
        GOOD(CALL(m->l, "fmi2CompletedIntegratorStep", Completed2 *, m->c, 1, &event, &terminate));
        return event;
    }
    bool event = false, terminate = false;
    GOOD(CALL(m->l, "fmi3CompletedIntegratorStep", Completed3 *, m->c, true, &event, &terminate));
    return event;
}

static inline int count_in(const Loaded *l, const char *text) {
    int count = 0;
    for (const char *at = strstr(l->xml, text); at; at = strstr(at + 1, text)) count++;
    return count;
}

// As many as the description says: of FMI 2 from its text, of FMI 3 by the functions.
static inline void read_sizes(Master *m) {
    const Loaded *l = m->l;
    if (l->version == 2) {
        const char *list = strstr(l->xml, "<Derivatives>"), *end = list ? strstr(list, "</") : NULL;
        for (; list && (list = strstr(list, "<Unknown ")) && list < end; list++) m->s.n++;
        const char *z = strstr(l->xml, "numberOfEventIndicators=\"");
        assert_non_null(z);
        m->s.z_count = atoi(strchr(z, '"') + 1);
        return;
    }
    size_t n, z;
    GOOD(CALL(l, "fmi3GetNumberOfContinuousStates", GetCount *, m->c, &n));
    GOOD(CALL(l, "fmi3GetNumberOfEventIndicators", GetCount *, m->c, &z));
    assert_true((int)n >= count_in(l, "<ContinuousStateDerivative "));
    assert_int_equal(z, count_in(l, "<EventIndicator "));
    m->s.n = (int)n;
    m->s.z_count = (int)z;
}

static inline void open_master(Master *m, const Loaded *l, double tolerance) {
    *m = (Master){.l = l, .c = instantiate_exchange(l), .next = INFINITY};
    if (!m->c) fail_msg("%s", last_error);
    m->s = (Stepper){.user = m,
                     .rates = master_rates,
                     .indicators = master_indicators,
                     .nominal = m->nominal,
                     .tolerance = tolerance};
    read_sizes(m);
}

static inline void begin(Master *m, double stop) {
    GOOD(enter(m->l, m->c, stop));
    GOOD(simple(m->l, "ExitInitializationMode", m->c));
    GOOD(get_array(m->l, m->c, "GetNominalsOfContinuousStates", "GetNominalsOfContinuousStates",
                   m->nominal, m->s.n));
    settle(m);
}

// To the time, or to the end of the model.
static inline void integrate(Master *m, double limit) {
    Stepper *s = &m->s;
    while (s->t < limit && !m->ended) {
        bool event = stepper_step(s, fmin(limit, m->next));
        move_to(m, s->t, s->x);
        event |= complete(m);
        m->steps++;
        if (event || s->t >= m->next) {
            GOOD(simple(m->l, "EnterEventMode", m->c));
            settle(m);
            m->events++;
        } else {
            GOOD(get_array(m->l, m->c, "GetEventIndicators", "GetEventIndicators", s->z,
                           s->z_count));
        }
    }
}

static inline void close_master(Master *m) {
    GOOD(simple(m->l, "Terminate", m->c));
    release(m->l, m->c);
}
