// SPDX-License-Identifier: MIT
#include "fmu/arrays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// "a.x[2,3]" or "der(a.x[2,3])": the name without subscripts, and these.
typedef struct Element {
    const char *array; // NULL: it is no element
    int rank, at[RB_RANK_MAX];
} Element;

static Element element_of(const char *name, RbArena *arena) {
    size_t length = strlen(name);
    bool rate = strncmp(name, "der(", 4) == 0 && length > 1 && name[length - 1] == ')';
    const char *end = name + length - (rate ? 1 : 0), *open = end;
    Element e = {0};
    if (length == 0 || end == name || end[-1] != ']') return e;
    while (open > name && *open != '[') open--;
    for (const char *c = open; c < end - 1 && e.rank < RB_RANK_MAX;) {
        char *next;
        e.at[e.rank++] = (int)strtol(c + 1, &next, 10);
        if (*next != ',' && *next != ']') return (Element){0};
        c = next;
    }
    e.array = rb_arena_printf(arena, "%.*s%s", (int)(open - name), name, rate ? ")" : "");
    return e;
}

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_kind(const RbFmuVariable *a, const RbFmuVariable *b) {
    return a->type == b->type && a->enumeration == b->enumeration && a->causality == b->causality &&
           a->variability == b->variability && a->has_start == b->has_start &&
           a->is_state == b->is_state &&
           (a->derivative_of < 0) == (b->derivative_of < 0) && strcmp(a->unit, b->unit) == 0 &&
           strcmp(a->display_unit, b->display_unit) == 0 &&
           strcmp(a->quantity, b->quantity) == 0 && same_number(a->min, b->min) &&
           same_number(a->max, b->max) && same_number(a->nominal, b->nominal);
}

// Is this the k-th element, row by row?
static bool is_place(const Element *e, const int *dims, int rank, int k) {
    if (e->rank != rank) return false;
    for (int d = rank; d-- > 0; k /= dims[d])
        if (e->at[d] != k % dims[d] + 1) return false;
    return true;
}

// The array that begins with variable `first`: how many elements it has; 0: none does.
static int find_array(RbFmuVariables *v, int first, RbArena *arena) {
    RbFmuVariable *head = &v->data[first];
    RbArena scratch = *arena;
    Element start = element_of(head->name, &scratch), last = start;
    int count = 0, product = 1;
    if (!start.array || head->type == RB_STRING || head->is_indicator) return 0; // these have names of their own
    for (int i = first; i < v->count && same_kind(head, &v->data[i]); i++, count++) {
        Element e = element_of(v->data[i].name, &scratch);
        if (!e.array || strcmp(e.array, start.array) != 0) break;
        last = e;
    }
    for (int d = 0; d < last.rank; d++) product *= last.at[d];
    if (product != count) return 0;
    for (int k = 0; k < count; k++) {
        Element e = element_of(v->data[first + k].name, &scratch);
        if (!is_place(&e, last.at, last.rank, k)) return 0;
    }
    head->rank = last.rank;
    memcpy(head->dims, last.at, sizeof head->dims);
    return count;
}

static void take_apart(RbFmuVariables *v, int first) {
    for (int k = v->data[first].count - 1; k >= 0; k--) v->data[first + k].count = 1;
    v->data[first].array = NULL;
}

static void put_together(RbFmuVariables *v, int first, int count, RbArena *arena) {
    v->data[first].array = element_of(v->data[first].name, arena).array;
    for (int k = 0; k < count; k++) v->data[first + k].count = 0;
    v->data[first].count = count;
}

// States and derivatives of an array are those of the run in its order, or they stay apart.
static void check_states(RbFmuVariables *v, const RbFmuStates *s) {
    for (int i = 0; i < s->count;) {
        int x = s->state[i], dx = s->derivative[i], count = v->data[x].count;
        bool fits = count == v->data[dx].count && i + count <= s->count && count > 0;
        for (int k = 0; fits && k < count; k++)
            fits = s->state[i + k] == x + k && s->derivative[i + k] == dx + k;
        if (!fits) { // also where an element comes before the first one
            while (v->data[x].count == 0) x--;
            while (v->data[dx].count == 0) dx--;
            take_apart(v, x);
            take_apart(v, dx);
        }
        i += fits ? count : 1;
    }
}

// What is taken apart later may have been passed already: until nothing changes.
static int count_arrays(const RbFmuVariables *v) {
    int count = 0;
    for (int i = 0; i < v->count; i++) count += v->data[i].array != NULL;
    return count;
}

// How many elements of each array there are, wherever they stand.
typedef struct Census {
    RbNames names;
    RbMap counts;
} Census;

static uint64_t *count_of(Census *c, const char *array) {
    return rb_map_find(&c->counts, rb_map_key(rb_intern(&c->names, array)));
}

static Census take_census(const RbFmuVariables *v, RbArena *arena) {
    Census c = {.names = rb_names(arena)};
    for (int i = 0; i < v->count; i++) {
        const char *array = element_of(v->data[i].name, arena).array;
        if (!array) continue;
        uint64_t *count = count_of(&c, array);
        if (count)
            ++*count;
        else
            rb_map_set(&c.counts, arena, rb_map_key(rb_intern(&c.names, array)), 1);
    }
    return c;
}

void rb_fmu_find_arrays(RbFmuVariables *v, const RbFmuStates *s, RbArena *arena) {
    Census census = take_census(v, arena);
    for (int i = 0; i < v->count;) {
        int count = find_array(v, i, arena);
        bool whole = false;
        if (count > 0) {
            put_together(v, i, count, arena);
            whole = *count_of(&census, v->data[i].array) == (uint64_t)count;
            if (!whole) take_apart(v, i);
        }
        i += whole ? count : 1;
    }
    for (int before = -1; s->state && before != count_arrays(v);) {
        before = count_arrays(v);
        check_states(v, s);
    }
}
