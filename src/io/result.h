// SPDX-License-Identifier: MIT
// result.h: the trajectories of one run as a table of variables over time, whatever file they come
// from.
//
// A run is a sequence of segments (the time between two structural changes), and each segment has
// its own variables. Seen as one table, a variable that does not exist in a segment is missing
// there; missing is NaN everywhere. Both sides of an event are two rows with the same time, and the
// first row of a segment repeats the time of the last row of the segment before. Time itself is not
// in the list of variables: it is element 0 of every row.
//
//     RbResult *result = rb_result_new(&arena);
//     rb_result_begin_segment(result, entries, entry_count);        // what there is, and how it is
//     stored rb_result_add_row(result, time, values);                      // one value per entry
//     that has a column rb_result_finish(result);                                     // finds
//     aliases and parameters double *phi = rb_result_series(result, rb_result_find(result,
//     "hinge.phi"), &arena);
#pragma once

#include "base/diag.h"
#include "base/map.h"
#include "io/bytes.h"

// What stands in place of a unit where values have names: "{false, true}" counts from 0, an
// enumeration like "{off, on, broken}" from 1.
#define RB_RESULT_BOOLEAN "{false, true}"

// How a variable gets its value within one segment.
typedef enum RbResultStorage {
    RB_STORE_COLUMN,   // a number in every row
    RB_STORE_ALIAS,    // the same (or the negated) number as another entry, which has a column
    RB_STORE_CONSTANT, // one number for the whole segment: parameters and constants
} RbResultStorage;

// What a segment says about one of its variables.
typedef struct RbResultEntry {
    const char *name;        // UTF-8, unique in the segment, not empty, not "time"
    const char *unit;        // Modelica unit string such as "N.m", or the names of the values, see
                             // RB_RESULT_BOOLEAN; NULL or "": none
    const char *description; // NULL or "": none
    RbResultStorage storage;
    bool discrete; // changes only at events
    int target;    // alias: index of an entry of the same list with a column
    bool negated;  // alias: minus that number
    double value;  // constant: the number
} RbResultEntry;

// A variable of the whole run.
typedef struct RbResultVariable {
    const char *name;
    const char *unit;        // "": none or not known
    const char *description; // "": none
    bool discrete;
    // The rest is known after rb_result_finish.
    bool parameter; // there in every segment, with the same constant value
    double value;   // of a parameter
    int alias_of; // an earlier variable that has the same values in all segments, itself no alias;
                  // or -1
    bool negated; // alias: minus that variable
} RbResultVariable;

enum { RB_RESULT_CONSTANT = -1, RB_RESULT_MISSING = -2 };

// Where a segment keeps the value of a variable.
typedef struct RbResultSlot {
    int variable; // index into the variables of the result
    int column; // >= 1: place in the row; RB_RESULT_CONSTANT: see value; RB_RESULT_MISSING: nowhere
    bool negated; // the value is minus what is in the column
    double value;
} RbResultSlot;

// Why a segment begins, and what the run had cost until then.
typedef struct RbResultNote {
    const char *cause; // NULL: the file does not tell, and the rest is not known
    double time;       // [s]
    int states;
    double steps, events; // of the run so far
} RbResultNote;

typedef struct RbResultSegment {
    RbResultNote note;
    const RbResultSlot *slots; // ascending in variable: only those that exist here
    int slot_count;
    int width; // doubles per row: the time and the columns
    size_t row_count;
    size_t first_row; // of the whole table
    double *rows;     // row_count times width; NULL if the rows are in a journal (see stream)
    size_t capacity;  // rows that fit; private
    RbBlob drawing;   // what there is to see (io/drawing.h); size 0: nothing
    RbBlob *pictures; // of each row, coded (io/codec.h), if there is a drawing; NULL if they are in a journal
} RbResultSegment;

typedef struct RbResultExperiment {
    const char *model; // name, or "" where a file does not tell
    double start_time; // [s] NaN: not known
    double stop_time;  // [s] that was asked for; NaN: not known
    double tolerance;  // relative tolerance of the solver; NaN: not known
} RbResultExperiment;

// A number of the closing summary, such as the count of steps.
typedef struct RbResultFigure {
    const char *name;
    double value;
} RbResultFigure;

// Rows that stay in a file: answers some rows of a segment from `first` on, at least one; the
// pointer is valid until the next call.
typedef struct RbResultStream {
    RbStatus (*read)(void *self, int segment, size_t first, RbDiag *diag, const double **rows,
                     size_t *count, const RbBlob **pictures);
    void *self;
} RbResultStream;

typedef struct RbResult {
    RbArena *arena;
    const char *file; // where it was read from, or NULL
    RbResultExperiment experiment;
    bool complete;       // the run reached its end, as far as the file tells
    bool ending_unknown; // the format has no word for that (CSV)
    const char *reason;  // why not, if not complete; "" otherwise
    RB_ARRAY(RbResultVariable) variables;
    RB_ARRAY(RbResultSegment) segments;
    RB_ARRAY(RbResultFigure) figures;
    RB_ARRAY(RbBlob) meshes; // that drawings refer to by number
    size_t row_count;        // of all segments
    RbMap by_name;           // private
    RbResultStream stream;
} RbResult;

// An empty, complete result with nothing known about the experiment. It lives in *arena; so do
// copies of all texts.
RbResult *rb_result_new(RbArena *arena);

// Open the next segment.
void rb_result_begin_segment(RbResult *result, const RbResultEntry *entries, int count);

// Add a row to the last segment; values has one number per entry with RB_STORE_COLUMN, in the order
// of the entries. Times must not fall.
void rb_result_add_row(RbResult *result, double time, const double *values);

// Find out which variables are parameters and which are aliases over the whole run. Call after the
// last row.
void rb_result_finish(RbResult *result, RbArena scratch);

// Index of a variable by its exact name, or -1.
int rb_result_find(const RbResult *result, const char *name);

// Is there something to see in any segment?
bool rb_result_is_drawn(const RbResult *result);

// Where a segment keeps a variable; column is RB_RESULT_MISSING if it does not exist there.
RbResultSlot rb_result_slot(const RbResult *result, int segment, int variable);

// The value of a slot in a row of its segment.
static inline double rb_result_value(RbResultSlot slot, const double *row) {
    if (slot.column >= 0) return slot.negated ? -row[slot.column] : row[slot.column];
    return slot.value; // NaN if missing
}

// ---- the rows, wherever they are

// A run of rows of one segment that lie one after another in memory.
typedef struct RbResultRun {
    int segment;
    size_t count; // 0: the end
    int width;
    const double *rows;
    const RbBlob *pictures; // of each row, coded; NULL: the segment has no drawing
} RbResultRun;

// Goes through all rows once, from memory or from the journal.
typedef struct RbResultCursor {
    const RbResult *result;
    int segment;
    size_t row; // in the segment
} RbResultCursor;

RbResultCursor rb_result_cursor(const RbResult *result);
RbStatus rb_result_next(RbResultCursor *cursor, RbDiag *diag, RbResultRun *run);

// Times and values of all rows (row_count numbers, NaN where missing) of a result whose rows are in
// memory.
double *rb_result_times(const RbResult *result, RbArena *arena);
double *rb_result_series(const RbResult *result, int variable, RbArena *arena);

// ---- for readers of files

// Index of the variable with this name, which is added if there is none.
int rb_result_add_variable(RbResult *result, const char *name, const char *unit,
                           const char *description, bool discrete);

// Open the next segment with slots (ascending in variable, living as long as the result) and room
// for rows.
RbResultSegment *rb_result_add_segment(RbResult *result, const RbResultSlot *slots, int slot_count,
                                       int width, size_t row_capacity);

// ---- selection

// A result with only the variables for which keep[variable] is true. Shares rows and texts with the
// old one.
RbResult *rb_result_select(const RbResult *result, const bool *keep, RbArena *arena,
                           RbArena scratch);
