// SPDX-License-Identifier: MIT
// roll.c: steps that may begin equal cells are found by a hash of their shape, which leaves out the
// places of variables. Whether they are equal is then decided node by node against the first cell;
// the second cell gives the strides, and the run ends at the first cell that does not fit.
#include "code/roll.h"

#include "base/hash.h"

enum {
    PERIOD_MAX = 128,    // steps per cell
    CANDIDATES = 4,      // periods that are tried at a step
    STEPS_PER_TURN = 112 // about a kilobyte of text, four of code
};

typedef struct Roller {
    const RbLowered *l;
    RbArena *arena, *scratch;
    uint64_t *shapes; // by node id
    const RbSteps *steps;
    uint64_t *ids; // by step: equal for steps of the same shape
    int *next;     // by step: the next one of the same shape, or -1
    // the run at hand
    RbMap strides;
    int cell;              // that is compared with the first one
    const RbExpr **images; // by node id of the first cell: its node in this cell, where
    int *stamps;           // the stamp agrees
    int stamp;
} Roller;

uint64_t rb_place_key(RbCodePlace place) {
    return (uint64_t)place.area << 32 | (uint32_t)place.index;
}

int rb_run_stride(const RbRun *run, RbCodePlace place) {
    const uint64_t *stride = rb_map_find(&run->strides, rb_place_key(place));
    return stride ? (int)(int64_t)*stride : 0;
}

int rb_cells_per_turn(int period) {
    int cells = 16;
    while (cells > 1 && cells * period > STEPS_PER_TURN) cells /= 2;
    return cells;
}

// --- shapes --------------------------------------------------------------------------------------

// Place and sign of a variable or left limit; area NONE: it has none, or is something else.
static RbCodePlace leaf_place(const RbLowered *l, const RbExpr *n, int *sign) {
    RbCodePlace none = {.area = RB_AREA_NONE};
    *sign = 1;
    if (n->op == RB_OP_PRE)
        return (RbCodePlace){.area = RB_AREA_Q, .index = l->dae->vars.data[n->args[0]->index].slot};
    if (n->op != RB_OP_VAR) return none;
    int v = n->index;
    while (l->dae->vars.data[v].kind == RB_DAE_ALIAS) {
        *sign *= l->dae->vars.data[v].sign;
        v = l->dae->vars.data[v].alias;
    }
    return rb_place(l, v);
}

static uint64_t mix(uint64_t hash, uint64_t more) {
    return rb_hash_mix(hash ^ (more + 0x9e3779b97f4a7c15ULL));
}

// Only what is one expression of C, over scalars, and does nothing but compute.
static bool is_plain(const RbExpr *n) {
    if (n->rank > 0 || n->type == RB_STRING || n->type == RB_EXTERNAL) return false;
    if (n->op == RB_OP_BUILTIN)
        return n->index != RB_FN_DELAY && n->index != RB_FN_SIZE && n->index != RB_FN_SUM &&
               n->index != RB_FN_FILL;
    return n->op != RB_OP_CALL && n->op != RB_OP_RESULT && n->op != RB_OP_SUBSCRIPT &&
           n->op != RB_OP_REDUCE && n->op != RB_OP_LOCAL;
}

// 0: not to be rolled.
static uint64_t shape_of(const Roller *r, const RbExpr *n) {
    if (!is_plain(n)) return 0;
    uint64_t hash = mix(1, (uint64_t)n->op);
    if (n->op == RB_OP_VAR || n->op == RB_OP_PRE) {
        int sign;
        RbCodePlace place = leaf_place(r->l, n, &sign);
        if (place.area >= 0 && place.array == 0)
            return mix(hash, (uint64_t)(2 * place.area + sign));
        return place.array > 0 ? 0 : mix(hash, (uint64_t)n->id);
    }
    if (n->arg_count == 0) return mix(hash, (uint64_t)n->id); // constants must be the same
    hash = mix(hash, (uint64_t)n->index);
    for (int i = 0; i < n->arg_count; i++) {
        if (r->shapes[n->args[i]->id] == 0) return 0;
        hash = mix(hash, r->shapes[n->args[i]->id]);
    }
    return hash | 1;
}

static void find_shapes(Roller *r) {
    RB_ARRAY(const RbExpr *) roots = {0};
    for (int id = 0; id < RB_SECTION_COUNT; id++) {
        const RbSteps *steps = &r->l->sections[id];
        for (int i = 0; i < steps->count; i++) {
            if (steps->data[i].value) rb_array_push(&roots, r->scratch, steps->data[i].value);
        }
    }
    RbExprOrder order = rb_expr_order(r->l->dae->exprs, roots.data, roots.count, r->scratch);
    for (int i = 0; i < order.count; i++)
        r->shapes[order.nodes[i]->id] = shape_of(r, order.nodes[i]);
}

// Steps that cannot be rolled are like no other.
static void find_ids(Roller *r) {
    RbMap last = {0};
    for (int i = r->steps->count - 1; i >= 0; i--) {
        const RbStep *s = &r->steps->data[i];
        uint64_t shape = s->system < 0 && s->place.array == 0 ? r->shapes[s->value->id] : 0;
        r->ids[i] = shape == 0 ? 0 : mix(shape, (uint64_t)s->place.area) | 1;
        r->next[i] = -1;
        if (shape == 0) continue;
        const uint64_t *known = rb_map_find(&last, r->ids[i]);
        if (known) r->next[i] = (int)*known;
        rb_map_set(&last, r->scratch, r->ids[i], (uint64_t)i);
    }
}

// --- cells ---------------------------------------------------------------------------------------

static bool match_places(Roller *r, RbCodePlace first, RbCodePlace other) {
    if (first.area != other.area || first.array > 0 || other.array > 0) return false;
    const uint64_t *stride = rb_map_find(&r->strides, rb_place_key(first));
    if (stride) return other.index == first.index + r->cell * (int)(int64_t)*stride;
    if (r->cell > 1) return false;
    rb_map_set(&r->strides, r->scratch, rb_place_key(first),
               (uint64_t)(int64_t)(other.index - first.index));
    return true;
}

// What the first cell computes once the other one must too.
static bool match(Roller *r, const RbExpr *first, const RbExpr *other) {
    if (r->shapes[first->id] != r->shapes[other->id] || first->op != other->op) return false;
    int sign, other_sign;
    RbCodePlace place = leaf_place(r->l, first, &sign);
    if (place.area >= 0)
        return match_places(r, place, leaf_place(r->l, other, &other_sign)) && sign == other_sign;
    if (first->arg_count == 0) return first == other;
    if (r->stamps[first->id] == r->stamp) return r->images[first->id] == other;
    if (first->index != other->index || first->arg_count != other->arg_count) return false;
    r->stamps[first->id] = r->stamp;
    r->images[first->id] = other;
    for (int i = 0; i < first->arg_count; i++) {
        if (!match(r, first->args[i], other->args[i])) return false;
    }
    return true;
}

static bool match_cell(Roller *r, int first, int period, int cell) {
    int at = first + cell * period;
    if (at + period > r->steps->count) return false;
    for (int i = 0; i < period; i++) {
        if (r->ids[first + i] == 0 || r->ids[first + i] != r->ids[at + i]) return false;
    }
    r->cell = cell;
    r->stamp++;
    for (int i = 0; i < period; i++) {
        const RbStep *a = &r->steps->data[first + i], *b = &r->steps->data[at + i];
        if (!match(r, a->value, b->value) || !match_places(r, a->place, b->place)) return false;
    }
    return true;
}

// The run that begins at a step and has a certain period; as many cells as make whole turns.
static RbRun measure(Roller *r, int first, int period) {
    r->strides = (RbMap){0};
    int count = 1;
    while (match_cell(r, first, period, count)) count++;
    int turn = rb_cells_per_turn(period);
    return (RbRun){first, period, count / turn * turn, r->strides};
}

static RbMap copy_map(const RbMap *map, RbArena *arena) {
    RbMap copy = {0};
    for (int i = 0; i < map->entries.count; i++)
        rb_map_set(&copy, arena, map->entries.data[i].key, map->entries.data[i].value);
    return copy;
}

static RbRun longest_at(Roller *r, int first) {
    RbRun best = {0};
    int other = r->next[first];
    for (int k = 0; k < CANDIDATES && other >= 0 && other - first <= PERIOD_MAX; k++) {
        RbRun run = measure(r, first, other - first);
        if (run.count * run.period > best.count * best.period) best = run;
        other = r->next[other];
    }
    return best;
}

static void roll_section(Roller *r, const RbSteps *steps, int from, RbRuns *runs) {
    RbArena before = *r->scratch;
    r->steps = steps;
    r->ids = rb_new_array(r->scratch, uint64_t, steps->count + 1);
    r->next = rb_new_array(r->scratch, int, steps->count + 1);
    find_ids(r);
    for (int i = 0; i < steps->count; i++) {
        RbArena mark = *r->scratch;
        RbRun run = longest_at(r, i);
        bool good =
            run.count >= 2 * rb_cells_per_turn(run.period) && run.count * run.period >= from;
        if (good) {
            run.strides = copy_map(&run.strides, r->arena);
            rb_array_push(runs, r->arena, run);
            i += run.count * run.period - 1;
        }
        *r->scratch = mark;
    }
    *r->scratch = before;
}

void rb_roll(const RbLowered *l, int from, RbArena *arena, RbArena scratch, RbRolled *rolled) {
    *rolled = (RbRolled){0};
    if (from < 0) return;
    int nodes = l->dae->exprs->count + 1;
    Roller r = {.l = l, .arena = arena, .scratch = &scratch};
    r.shapes = rb_new_array(&scratch, uint64_t, nodes);
    r.images = rb_new_array(&scratch, const RbExpr *, nodes);
    r.stamps = rb_new_array(&scratch, int, nodes);
    find_shapes(&r);
    for (int id = 0; id < RB_SECTION_COUNT; id++)
        roll_section(&r, &l->sections[id], from > 0 ? from : RB_ROLL_FROM, &rolled->sections[id]);
}
