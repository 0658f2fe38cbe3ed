// SPDX-License-Identifier: MIT
// instance.h: an instance of an exported model, as both versions of FMI see it: a held run
// (rattleback/run.h) behind a machine of modes. fmi2.c and fmi3.c translate the calls of a master.
//
// The folder `resources` of the FMU holds the Modelica text and a card, rattleback.txt, written by
// src/fmu/archive.c: what to open, how, and the variables by value reference.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rattleback/rattleback.h"

// The numbers of fmi2Status and fmi3Status.
typedef enum FmuStatus { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } FmuStatus;

typedef enum FmuMode {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZING = 2,
    FMU_STEPPING = 4,
    FMU_AT_EVENT = 8, // FMI 3, and model exchange
    FMU_TERMINATED = 16,
    FMU_FAILED = 32,     // a run that cannot go on: values can be read
    FMU_CONTINUOUS = 64, // the master integrates
} FmuMode;

// Kinds of values, as the card writes them.
enum {
    FMU_REAL = 'r',
    FMU_INTEGER = 'i',
    FMU_BOOLEAN = 'b',
    FMU_ENUMERATION = 'e',
    FMU_STRING = 's',
    FMU_TIME = 't',
    FMU_INDICATOR = 'z',
    FMU_JOURNAL = 'j' // a String: file for the result of a run
};

typedef struct FmuVariable {
    const char *name;
    const char *start; // of a String
    char type;
    char access;  // 'p' parameter, 'x' fixed parameter, 'u' input, 'v' start value; '-': follows
    int number;   // in the run; -1: not yet known
    size_t count; // of elements from here on that are one array; 0: it is inside of one
    int input;    // of the run, or event indicator; -1: none
    bool given;   // was set before the run
    double value; // as which
    char *text;   // the same of a String
} FmuVariable;

typedef void FmuLogger(void *user, FmuStatus status, const char *category, const char *message);

typedef struct FmuLog {
    FmuLogger *write;
    void *user;
    bool on;         // everything; otherwise only errors and warnings are written
    uint64_t topics; // bit i: topic i of rb_log_topic
} FmuLog;

typedef struct Fmu {
    FmuLog log;
    FmuMode mode;
    char *folder; // resources, ends with '/'
    char *card;   // its text, cut into lines
    const char *token, *file, *class_name, *solver;
    bool engine; // --multibody engine
    RbResidualSystems residual_systems;
    const char **settings; // NAME=VALUE
    size_t setting_count;
    FmuVariable *variables; // by value reference
    size_t variable_count;
    double start, stop, tolerance; // NAN: as the model says
    RbContext *context;
    RbModel *model;
    RbRun *run;         // NULL: none, or values were set that it does not know
    RbSaved *saved;     // of the run
    int reported;       // messages of the context that were logged
    int *numbers;       // room for as many as there are variables
    uint32_t *elements; // for twice as many
    double *values;
    double last_time;   // end of the last step
    double step_start;  // its begin
    bool ended;         // by the model itself
    const char *types;  // "cs", "me" or "both": what it was written for
    bool exchange;      // this instance is for model exchange
    int states, inputs; // of the run
    int indicators;
    double time, *x, *z, *u; // where the master has moved to; room for indicators; all inputs
    bool moved;              // the run does not know yet
    bool event_due;          // in the event mode: something has not been dealt with
} Fmu;

// NULL after a failure, which was logged.
Fmu *fmu_open(const char *token, const char *resources, bool exchange, FmuLog log);
void fmu_close(Fmu *fmu);

// Is the call allowed in this mode (a set of FmuMode)? Otherwise an error is logged.
bool fmu_allows(Fmu *fmu, const char *function, int modes);
FmuStatus fmu_fail(Fmu *fmu, const char *format, ...) RB_PRINTF(2, 3);
FmuStatus fmu_check(Fmu *fmu, RbStatus status); // log what the library has said
void fmu_choose_log(Fmu *fmu, bool on, size_t count, const char *const categories[]);

FmuStatus fmu_start(Fmu *fmu);  // open the run, with the values that were given
FmuStatus fmu_reload(Fmu *fmu); // translate anew: nothing is given

// Values of one kind.
FmuStatus fmu_get(Fmu *fmu, char type, const uint32_t *references, size_t count, double *values);
FmuStatus fmu_set(Fmu *fmu, char type, const uint32_t *references, size_t count,
                  const double *values);
FmuStatus fmu_get_texts(Fmu *fmu, const uint32_t *references, size_t count, const char **values);
FmuStatus fmu_set_texts(Fmu *fmu, const uint32_t *references, size_t count,
                        const char *const *values);
double *fmu_room(Fmu *fmu, size_t count); // for values; NULL: more than there are variables
// Value references of FMI 3, where arrays have one, as those of `values` elements; which: 0 or 1, of two results that are kept. False:
// they are another number, which was logged.
bool fmu_elements(Fmu *fmu, int which, const uint32_t *references, size_t count, size_t values,
                  const uint32_t **elements);

// Modes.
FmuStatus fmu_set_up(Fmu *fmu, double tolerance, double start, double stop); // NAN: not given
FmuStatus fmu_enter_initialization(Fmu *fmu);
FmuStatus fmu_exit_initialization(Fmu *fmu, bool event_mode);
FmuStatus fmu_terminate(Fmu *fmu);
FmuStatus fmu_reset(Fmu *fmu);

// A communication step; at_events: end at the first event, after it was dealt with.
typedef struct FmuStep {
    double time; // reached
    bool event, ended;
} FmuStep;
FmuStatus fmu_step(Fmu *fmu, double now, double size, bool at_events, FmuStep *step);

// Model exchange (exchange.c): the master integrates.
FmuStatus fmu_open_exchange(Fmu *fmu); // when the run has begun, or goes on from a state
FmuStatus fmu_place(Fmu *fmu);         // the run moves to where the master has moved
FmuStatus fmu_enter_events(Fmu *fmu);
FmuStatus fmu_enter_continuous(Fmu *fmu);
typedef struct FmuEvents {
    bool ended, states_changed, has_next;
    double next; // [s]
} FmuEvents;
FmuStatus fmu_meet_events(Fmu *fmu, FmuEvents *events);
FmuStatus fmu_completed_step(Fmu *fmu, bool *event);
FmuStatus fmu_set_time(Fmu *fmu, double time);
FmuStatus fmu_set_states(Fmu *fmu, const double *x, size_t count);
FmuStatus fmu_get_states(Fmu *fmu, double *x, size_t count);
FmuStatus fmu_get_derivatives(Fmu *fmu, double *dx, size_t count);
FmuStatus fmu_get_indicators(Fmu *fmu, double *z, size_t count);
FmuStatus fmu_get_nominals(Fmu *fmu, double *x, size_t count);
// FMI 2 gives value references of unknowns, known ones and a number for each.
typedef struct FmuDirection {
    const uint32_t *unknowns, *knowns;
    size_t unknown_count, known_count;
    const double *seed;
    double *values;
} FmuDirection;
FmuStatus fmu_get_direction(Fmu *fmu, const FmuDirection *direction);

// Everything, as bytes (state.c): the same for the functions that get a state and that serialise it.
typedef struct FmuState {
    size_t size;
    unsigned char bytes[];
} FmuState;
FmuStatus fmu_get_state(Fmu *fmu, FmuState **state); // *state NULL, or of an earlier call
FmuStatus fmu_set_state(Fmu *fmu, const FmuState *state);

// For the master: give back, write as bytes, read.
void fmu_free_state(void **state);
FmuStatus fmu_write_state(Fmu *fmu, const FmuState *state, void *bytes, size_t size);
FmuStatus fmu_read_state(Fmu *fmu, const void *bytes, size_t size, FmuState **state);
