// SPDX-License-Identifier: MIT
// binary.h: an instance of an FMU, in words that FMI 2.0 and 3.0 share. All values are doubles. Nothing is allocated after
// rb_fmi_instantiate; what the FMU logs is kept until somebody asks.
#pragma once

#include "fmi/fmi.h"

// ORDER fmi2Status, fmi3Status
typedef enum RbFmiStatus {
    RB_FMI_OK,
    RB_FMI_WARNING,
    RB_FMI_DISCARD,
    RB_FMI_ERROR,
    RB_FMI_FATAL
} RbFmiStatus;

// Variables that are read or set together; types that follow each other are one call.
typedef struct RbFmiGroup {
    int count, values; // variables, and their elements
    int *variables;
    uint32_t *references;
} RbFmiGroup;

typedef struct RbFmiNews { // of an event
    bool again, terminate, nominals, states;
    double next_time; // [s] INFINITY: none
} RbFmiNews;

enum { RB_FMI_LINES = 16, RB_FMI_LINE = 400 };

// Functions that both versions have with the same arguments.
typedef struct RbFmiShared {
    void (*free)(void *c);
    int (*exit_initialization)(void *c), (*enter_event)(void *c), (*enter_continuous)(void *c);
    int (*set_time)(void *c, double time);
    int (*set_states)(void *c, const double *x, size_t n);
    int (*states)(void *c, double *x, size_t n), (*nominals)(void *c, double *x, size_t n);
    int (*derivatives)(void *c, double *x, size_t n), (*indicators)(void *c, double *x, size_t n);
    int (*get_state)(void *c, void **state), (*set_state)(void *c, void *state),
        (*free_state)(void *c, void **state);
    int (*state_size)(void *c, void *state, size_t *size);
    int (*serialize)(void *c, void *state, char *bytes, size_t size);
    int (*deserialize)(void *c, const char *bytes, size_t size, void **state);
} RbFmiShared;

typedef struct RbFmiInstance {
    RbFmi *fmi;
    const RbFmiKind *kind;
    const struct RbFmiCalls *calls; // of the version
    RbFmiShared shared;
    const char *resources;          // where they are, as the version wants it
    void *functions, *c;
    const char *call;                      // of the standard, made last
    RbFmiStatus status;                    // of that
    bool dead;                             // a fatal error: it may not be called any more
    char said[RB_FMI_LINE];                // the last thing it logged of an error
    char lines[RB_FMI_LINES][RB_FMI_LINE]; // logged since somebody asked
    bool problem[RB_FMI_LINES];            // a warning or worse
    int line_count;
    void *buffer; // of the values of a call
} RbFmiInstance;

// What the versions say in different ways.
struct RbFmiCalls {
    RbStatus (*link)(RbFmiInstance *i, void *library, RbDiag *diag);
    bool (*instantiate)(RbFmiInstance *i, const char *name, const char *resources);
    RbFmiStatus (*initialise)(RbFmiInstance *i, double start,
                              double tolerance); // enters the initialization mode
    RbFmiStatus (*get)(RbFmiInstance *i, RbFmiType type, const uint32_t *references, int count,
                       double *values, int value_count);
    RbFmiStatus (*set)(RbFmiInstance *i, RbFmiType type, const uint32_t *references, int count,
                       const double *values, int value_count);
    RbFmiStatus (*set_text)(RbFmiInstance *i, uint32_t reference, const char *text);
    RbFmiStatus (*update)(RbFmiInstance *i, RbFmiNews *news);
    RbFmiStatus (*leave_event_mode)(RbFmiInstance *i); // to continuous-time or step mode
    // model exchange
    RbFmiStatus (*sizes)(RbFmiInstance *i, int *states, int *indicators);
    RbFmiStatus (*completed_step)(RbFmiInstance *i, bool *event, bool *terminate);
    // co-simulation; *reached: where it is, *event: it wants the event mode
    RbFmiStatus (*step)(RbFmiInstance *i, double time, double size, double *reached, bool *event,
                        bool *terminate);
};

extern const struct RbFmiCalls rb_fmi2_calls, rb_fmi3_calls;

// A new instance of .fmi and .kind; what it needs for that is taken from the arena the first time. Messages say what the FMU logged.
RbStatus rb_fmi_instantiate(RbFmiInstance *instance, const char *name, RbArena *arena,
                            RbDiag *diag);
void rb_fmi_release(RbFmiInstance *instance); // may be released before, or never have been

// shared_calls.c. The initialization mode is left to event mode, or to step mode.
RbStatus rb_fmi_link_shared(RbFmiInstance *instance, void *library, RbDiag *diag);
RbFmiStatus rb_fmi_start(RbFmiInstance *instance);
RbFmiStatus rb_fmi_enter_event_mode(RbFmiInstance *instance);
RbFmiStatus rb_fmi_enter_continuous_mode(RbFmiInstance *instance);
RbFmiStatus rb_fmi_set_time(RbFmiInstance *instance, double time);
RbFmiStatus rb_fmi_set_states(RbFmiInstance *instance, const double *x, int count);
RbFmiStatus rb_fmi_states(RbFmiInstance *instance, double *x, int count);
RbFmiStatus rb_fmi_nominals(RbFmiInstance *instance, double *x, int count);
RbFmiStatus rb_fmi_derivatives(RbFmiInstance *instance, double *dx, int count);
RbFmiStatus rb_fmi_indicators(RbFmiInstance *instance, double *z, int count);
RbFmiStatus rb_fmi_save(RbFmiInstance *instance, RbArena *arena, RbBlob *bytes); // its state
RbFmiStatus rb_fmi_load(RbFmiInstance *instance, RbBlob bytes);

// The variables that pass.
RbFmiGroup rb_fmi_group(const RbFmi *fmi, bool (*wanted)(const RbFmiVariable *), RbArena *arena);
RbFmiGroup rb_fmi_group_of(const RbFmi *fmi, const int *variables, int count, RbArena *arena);
RbFmiStatus rb_fmi_get(RbFmiInstance *instance, const RbFmiGroup *group, double *values);
RbFmiStatus rb_fmi_set(RbFmiInstance *instance, const RbFmiGroup *group, const double *values);

// Is the call a failure? It goes on after a warning.
static inline bool rb_fmi_failed(RbFmiStatus status) {
    return status >= RB_FMI_DISCARD;
}

// For the calls of a version: what a function of the standard returned.
RbFmiStatus rb_fmi_note(RbFmiInstance *instance, const char *call, int status);
void rb_fmi_hear(RbFmiInstance *instance, int status, const char *category, const char *text);

// What went wrong last, in words: "FMU 'Ball.fmu': fmi2DoStep returned fmi2Error: the ball is lost".
const char *rb_fmi_why(const RbFmiInstance *instance, char *text, size_t size);

// A function of the shared object.
typedef struct RbFmiSymbol {
    const char *name;
    size_t offset; // in the table
} RbFmiSymbol;
RbStatus rb_fmi_symbols(const RbFmiInstance *instance, void *library, const RbFmiSymbol *symbols,
                        void *table, RbDiag *diag);
