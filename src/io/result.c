// SPDX-License-Identifier: MIT
#include "io/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

enum { FIRST_ROWS = 64 };

RbResult *rb_result_new(RbArena *arena) {
    RbResult *result = rb_new(arena, RbResult);
    *result = (RbResult){
        .arena = arena,
        .experiment = {.model = "", .start_time = NAN, .stop_time = NAN, .tolerance = NAN},
        .complete = true,
        .reason = "",
    };
    return result;
}

// ---- variables

// Names are found by their hash; a name whose hash is taken by another one sits at the next free
// key.
static uint64_t *find_key(const RbResult *result, const char *name, uint64_t *key) {
    *key = rb_hash_bytes(RB_HASH_START, name, strlen(name));
    for (;; ++*key) {
        uint64_t *index = rb_map_find(&result->by_name, *key);
        if (!index || strcmp(result->variables.data[*index].name, name) == 0) return index;
    }
}

int rb_result_find(const RbResult *result, const char *name) {
    uint64_t key;
    uint64_t *index = find_key(result, name, &key);
    return index ? (int)*index : -1;
}

bool rb_result_is_drawn(const RbResult *result) {
    for (int i = 0; i < result->segments.count; i++) {
        if (result->segments.data[i].drawing.size > 0) return true;
    }
    return false;
}

static const char *copy_text(RbArena *arena, const char *text) {
    return text && text[0] ? rb_arena_text(arena, text) : "";
}

int rb_result_add_variable(RbResult *result, const char *name, const char *unit,
                           const char *description, bool discrete) {
    uint64_t key;
    uint64_t *known = find_key(result, name, &key);
    if (known) return (int)*known;
    RbResultVariable variable = {
        .name = rb_arena_text(result->arena, name),
        .unit = copy_text(result->arena, unit),
        .description = copy_text(result->arena, description),
        .discrete = discrete,
        .value = NAN,
        .alias_of = -1,
    };
    rb_array_push(&result->variables, result->arena, variable);
    int index = result->variables.count - 1;
    rb_map_set(&result->by_name, result->arena, key, (uint64_t)index);
    return index;
}

// ---- segments and rows

RbResultSegment *rb_result_add_segment(RbResult *result, const RbResultSlot *slots, int slot_count,
                                       int width, size_t row_capacity) {
    RbResultSegment segment = {
        .slots = slots,
        .slot_count = slot_count,
        .width = width,
        .first_row = result->row_count,
        .capacity = row_capacity,
    };
    if (row_capacity > SIZE_MAX / (size_t)width) rb_heap_fail(result->arena->heap);
    if (row_capacity > 0) {
        segment.rows = rb_new_array(result->arena, double, row_capacity *(size_t)width);
    }
    rb_array_push(&result->segments, result->arena, segment);
    return &result->segments.data[result->segments.count - 1];
}

static int by_variable(const void *a, const void *b) {
    int i = ((const RbResultSlot *)a)->variable, j = ((const RbResultSlot *)b)->variable;
    return (i > j) - (i < j);
}

void rb_result_begin_segment(RbResult *result, const RbResultEntry *entries, int count) {
    RbResultSlot *slots = rb_new_array(result->arena, RbResultSlot, count);
    int width = 1;
    for (int i = 0; i < count; i++) {
        const RbResultEntry *e = &entries[i];
        slots[i].variable =
            rb_result_add_variable(result, e->name, e->unit, e->description, e->discrete);
        slots[i].value = e->storage == RB_STORE_CONSTANT ? e->value : NAN;
        slots[i].column = e->storage == RB_STORE_COLUMN ? width++ : RB_RESULT_CONSTANT;
    }
    for (int i = 0; i < count; i++) {
        if (entries[i].storage != RB_STORE_ALIAS) continue;
        RB_ASSERT(entries[entries[i].target].storage == RB_STORE_COLUMN);
        slots[i].column = slots[entries[i].target].column;
        slots[i].negated = entries[i].negated;
    }
    if (count > 1) qsort(slots, (size_t)count, sizeof *slots, by_variable);
    rb_result_add_segment(result, slots, count, width, FIRST_ROWS);
}

static void double_capacity(RbResult *result, RbResultSegment *segment) {
    size_t width = (size_t)segment->width;
    double *rows = rb_new_array(result->arena, double, 2 * segment->capacity * width);
    memcpy(rows, segment->rows, segment->row_count * width * sizeof *rows);
    segment->rows = rows;
    segment->capacity *= 2;
}

void rb_result_add_row(RbResult *result, double time, const double *values) {
    RB_ASSERT(result->segments.count > 0);
    RbResultSegment *segment = &result->segments.data[result->segments.count - 1];
    if (segment->row_count == segment->capacity) double_capacity(result, segment);
    double *row = segment->rows + segment->row_count * (size_t)segment->width;
    row[0] = time;
    for (int i = 1; i < segment->width; i++) row[i] = values[i - 1];
    segment->row_count++;
    result->row_count++;
}

RbResultSlot rb_result_slot(const RbResult *result, int segment, int variable) {
    const RbResultSegment *s = &result->segments.data[segment];
    RbResultSlot key = {.variable = variable, .column = RB_RESULT_MISSING, .value = NAN};
    if (s->slot_count == 0) return key;
    const RbResultSlot *slot =
        bsearch(&key, s->slots, (size_t)s->slot_count, sizeof key, by_variable);
    return slot ? *slot : key;
}

// ---- parameters and aliases of the whole run

// What rb_result_finish gathers about a variable while it walks through all slots.
typedef struct Trace {
    int segments;     // in which it exists
    bool constant;    // in all of them, with one value
    bool has_column;  // in one of them at least
    bool negated;     // in the first segment in which it has a column
    double value;     // of the constant
    uint64_t columns; // hash of all places, the same for a variable and its negated alias
} Trace;

static bool same_number(double a, double b) {
    return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b);
}

static void trace_slot(Trace *t, int segment, const RbResultSlot *slot) {
    bool constant = slot->column == RB_RESULT_CONSTANT;
    if (t->segments++ == 0) {
        *t = (Trace){.segments = 1, .constant = constant, .value = slot->value};
        t->columns = RB_HASH_START;
    }
    t->constant = t->constant && constant && same_number(slot->value, t->value);
    if (!constant && !t->has_column) {
        t->has_column = true;
        t->negated = slot->negated;
    }
    int place[2] = {segment, slot->column};
    t->columns = rb_hash_bytes(t->columns, place, sizeof place);
}

// Is variable a plus or minus variable b in every segment?
static bool is_alias(const RbResult *result, int a, int b, bool negated) {
    for (int s = 0; s < result->segments.count; s++) {
        RbResultSlot x = rb_result_slot(result, s, a), y = rb_result_slot(result, s, b);
        if (x.column != y.column) return false;
        if (x.column >= 0 && x.negated != (y.negated != negated)) return false;
        if (x.column == RB_RESULT_CONSTANT && !same_number(x.value, negated ? -y.value : y.value)) {
            return false;
        }
    }
    return true;
}

static void find_alias(RbResult *result, int index, const Trace *traces, RbMap *owners,
                       RbArena *scratch) {
    uint64_t *owner = rb_map_find(owners, traces[index].columns);
    if (!owner) {
        rb_map_set(owners, scratch, traces[index].columns, (uint64_t)index);
        return;
    }
    int target = (int)*owner;
    bool negated = traces[index].negated != traces[target].negated;
    if (!is_alias(result, index, target, negated)) return;
    result->variables.data[index].alias_of = target;
    result->variables.data[index].negated = negated;
}

void rb_result_finish(RbResult *result, RbArena scratch) {
    int count = result->variables.count;
    Trace *traces = rb_new_array(&scratch, Trace, count);
    for (int s = 0; s < result->segments.count; s++) {
        const RbResultSegment *segment = &result->segments.data[s];
        for (int i = 0; i < segment->slot_count; i++) {
            trace_slot(&traces[segment->slots[i].variable], s, &segment->slots[i]);
        }
    }
    RbMap owners = {0};
    for (int i = 0; i < count; i++) {
        RbResultVariable *v = &result->variables.data[i];
        v->parameter = traces[i].constant && traces[i].segments == result->segments.count;
        v->value = v->parameter ? traces[i].value : NAN;
        v->alias_of = -1;
        if (traces[i].has_column) find_alias(result, i, traces, &owners, &scratch);
    }
}

// ---- rows

RbResultCursor rb_result_cursor(const RbResult *result) {
    return (RbResultCursor){.result = result};
}

RbStatus rb_result_next(RbResultCursor *cursor, RbDiag *diag, RbResultRun *run) {
    const RbResult *result = cursor->result;
    *run = (RbResultRun){0};
    while (cursor->segment < result->segments.count &&
           cursor->row == result->segments.data[cursor->segment].row_count) {
        cursor->segment++;
        cursor->row = 0;
    }
    if (cursor->segment == result->segments.count) return RB_OK;
    const RbResultSegment *segment = &result->segments.data[cursor->segment];
    *run = (RbResultRun){.segment = cursor->segment, .width = segment->width};
    if (segment->rows) {
        run->count = segment->row_count - cursor->row;
        run->rows = segment->rows + cursor->row * (size_t)segment->width;
        if (segment->pictures) run->pictures = segment->pictures + cursor->row;
    } else {
        RB_TRY(result->stream.read(result->stream.self, cursor->segment, cursor->row, diag,
                                   &run->rows, &run->count, &run->pictures));
    }
    cursor->row += run->count;
    return RB_OK;
}

double *rb_result_times(const RbResult *result, RbArena *arena) {
    double *times = rb_new_array(arena, double, result->row_count);
    for (int s = 0; s < result->segments.count; s++) {
        const RbResultSegment *segment = &result->segments.data[s];
        for (size_t i = 0; i < segment->row_count; i++) {
            times[segment->first_row + i] = segment->rows[i * (size_t)segment->width];
        }
    }
    return times;
}

double *rb_result_series(const RbResult *result, int variable, RbArena *arena) {
    double *series = rb_new_array(arena, double, result->row_count);
    for (int s = 0; s < result->segments.count; s++) {
        const RbResultSegment *segment = &result->segments.data[s];
        RbResultSlot slot = rb_result_slot(result, s, variable);
        for (size_t i = 0; i < segment->row_count; i++) {
            const double *row = segment->rows + i * (size_t)segment->width;
            series[segment->first_row + i] = rb_result_value(slot, row);
        }
    }
    return series;
}

// ---- selection

// The slots of the variables that are kept, under their new numbers.
static int select_slots(const RbResultSegment *segment, const int *number, RbResultSlot *slots) {
    int count = 0;
    for (int i = 0; i < segment->slot_count; i++) {
        RbResultSlot slot = segment->slots[i];
        slot.variable = number[slot.variable];
        if (slot.variable >= 0) slots[count++] = slot;
    }
    return count;
}

RbResult *rb_result_select(const RbResult *result, const bool *keep, RbArena *arena,
                           RbArena scratch) {
    RbResult *part = rb_result_new(arena);
    *part = (RbResult){.arena = arena,
                       .file = result->file,
                       .experiment = result->experiment,
                       .complete = result->complete,
                       .ending_unknown = result->ending_unknown,
                       .reason = result->reason,
                       .figures = {result->figures.data, result->figures.count, 0},
                       .meshes = {result->meshes.data, result->meshes.count, 0},
                       .row_count = result->row_count,
                       .stream = result->stream};
    int *number = rb_new_array(&scratch, int, result->variables.count);
    for (int i = 0; i < result->variables.count; i++) {
        const RbResultVariable *v = &result->variables.data[i];
        number[i] = -1;
        if (!keep[i]) continue;
        number[i] = rb_result_add_variable(part, v->name, v->unit, v->description, v->discrete);
    }
    for (int s = 0; s < result->segments.count; s++) {
        RbResultSegment segment = result->segments.data[s];
        RbResultSlot *slots = rb_new_array(arena, RbResultSlot, segment.slot_count);
        segment.slot_count = select_slots(&segment, number, slots);
        segment.slots = slots;
        rb_array_push(&part->segments, arena, segment);
    }
    rb_result_finish(part, scratch);
    return part;
}
