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

typedef struct RbFmiInstance {
    RbFmi *fmi;
    const RbFmiKind *kind;
    const struct RbFmiCalls *calls; // of the version
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

struct RbFmiCalls {
    RbStatus (*link)(RbFmiInstance *i, void *library, RbDiag *diag);
    bool (*instantiate)(RbFmiInstance *i, const char *name, const char *resources);
    void (*free)(RbFmiInstance *i);
    RbFmiStatus (*initialise)(RbFmiInstance *i, double start,
                              double tolerance); // enters the initialization mode
    RbFmiStatus (*start)(RbFmiInstance *i);      // leaves it: to event mode, or to step mode
    RbFmiStatus (*terminate)(RbFmiInstance *i);
    RbFmiStatus (*get)(RbFmiInstance *i, RbFmiType type, const uint32_t *references, int count,
                       double *values, int value_count);
    RbFmiStatus (*set)(RbFmiInstance *i, RbFmiType type, const uint32_t *references, int count,
                       const double *values, int value_count);
    RbFmiStatus (*set_text)(RbFmiInstance *i, uint32_t reference, const char *text);
    RbFmiStatus (*enter_event_mode)(RbFmiInstance *i);
    RbFmiStatus (*update)(RbFmiInstance *i, RbFmiNews *news);
    RbFmiStatus (*leave_event_mode)(RbFmiInstance *i); // to continuous-time or step mode
    // model exchange
    RbFmiStatus (*sizes)(RbFmiInstance *i, int *states, int *indicators);
    RbFmiStatus (*set_time)(RbFmiInstance *i, double time);
    RbFmiStatus (*set_states)(RbFmiInstance *i, const double *x, int count);
    RbFmiStatus (*states)(RbFmiInstance *i, double *x, int count);
    RbFmiStatus (*nominals)(RbFmiInstance *i, double *x, int count);
    RbFmiStatus (*derivatives)(RbFmiInstance *i, double *dx, int count);
    RbFmiStatus (*indicators)(RbFmiInstance *i, double *z, int count);
    RbFmiStatus (*completed_step)(RbFmiInstance *i, bool *event, bool *terminate);
    // co-simulation; *reached: where it is, *event: it wants the event mode
    RbFmiStatus (*step)(RbFmiInstance *i, double time, double size, double *reached, bool *event,
                        bool *terminate);
    // its state as bytes
    RbFmiStatus (*save)(RbFmiInstance *i, RbArena *arena, RbBlob *bytes);
    RbFmiStatus (*load)(RbFmiInstance *i, RbBlob bytes);
};

extern const struct RbFmiCalls rb_fmi2_calls, rb_fmi3_calls;

// A new instance of .fmi and .kind; what it needs for that is taken from the arena the first time. Messages say what the FMU logged.
RbStatus rb_fmi_instantiate(RbFmiInstance *instance, const char *name, RbArena *arena,
                            RbDiag *diag);
void rb_fmi_release(RbFmiInstance *instance); // may be released before, or never have been

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
