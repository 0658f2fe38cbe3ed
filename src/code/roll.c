// SPDX-License-Identifier: MIT
// roll.c: steps that may begin equal cells are found by a hash of their shape, which leaves out the
// places of variables. Whether they are equal is then decided node by node against the first cell;
// the second cell gives the strides, and the run ends at the first cell that does not fit.
#include "code/roll.h"

#include "base/hash.h"
#include "code/hoist.h"

enum {
    PERIOD_MAX = 128,    // steps per cell
    CANDIDATES = 4,      // periods that are tried at a step
    CELLS_PER_TURN = 64, // at most, and a power of two
    SIZE_MAX_COUNTED = 1 << 20,
};

typedef struct Roller {
    const RbLowered *l;
    RbArena *arena, *scratch;
    bool hoisting;    // section HOISTED is at hand
    int turn;         // nodes
    uint64_t *shapes; // by node id
    int *sizes;       // by node id: nodes of the expression, written as a tree
    const RbSteps *steps;
    uint64_t *ids;            // by step: equal for steps of the same shape
    int *next;                // by step: the next one of the same shape, or -1
    int64_t *sums;            // by step: nodes of all steps before it
    int ends[PERIOD_MAX + 1]; // by period: runs found so far end before this step, or are in vain
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

int rb_run_stride(const RbRolledRun *run, RbCodePlace place) {
    const uint64_t *stride = rb_map_find(&run->strides, rb_place_key(place));
    return stride ? (int)(int64_t)*stride : 0;
}

bool rb_run_age(const RbRolledRun *run, RbCodePlace read, RbCodePlace written, int *age) {
    int stride = rb_run_stride(run, read), distance = written.index - read.index;
    if (read.area != written.area || stride == 0 || stride != rb_run_stride(run, written) ||
        distance % stride != 0)
        return false;
    *age = distance / stride;
    return true;
}

// --- shapes --------------------------------------------------------------------------------------

// Place and sign of a variable or left limit; area NONE: it has none, or is something else.
static RbCodePlace leaf_place(const Roller *r, const RbExpr *n, int *sign) {
    const RbLowered *l = r->l;
    RbCodePlace none = {.area = RB_AREA_NONE};
    *sign = 1;
    if (!r->hoisting && rb_hoisted(l, n) >= 0)
        return (RbCodePlace){.area = RB_AREA_H, .index = rb_hoisted(l, n)};
    if (n->op == RB_OP_PRE)
        return (RbCodePlace){.area = RB_AREA_Q, .index = l->dae->vars.data[n->args[0]->index].slot};
    if (n->op == RB_OP_LOCAL) return (RbCodePlace){.area = RB_AREA_Y, .index = n->index};
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
           n->op != RB_OP_REDUCE;
}

// 0: not to be rolled.
static uint64_t shape_of(const Roller *r, const RbExpr *n) {
    int sign;
    RbCodePlace place = leaf_place(r, n, &sign);
    if (!is_plain(n) || place.array > 0) return 0;
    if (place.area >= 0) return mix(0, (uint64_t)(2 * place.area + sign)) | 1;
    uint64_t hash = mix(1, (uint64_t)n->op);
    if (n->arg_count == 0) return mix(hash, (uint64_t)n->id) | 1; // constants must be the same
    hash = mix(hash, (uint64_t)n->index);
    for (int i = 0; i < n->arg_count; i++) {
        if (r->shapes[n->args[i]->id] == 0) return 0;
        hash = mix(hash, r->shapes[n->args[i]->id]);
    }
    return hash | 1;
}

static int size_of(const Roller *r, const RbExpr *n) {
    int size = 1, sign;
    if (leaf_place(r, n, &sign).area >= 0) return 1;
    for (int i = 0; i < n->arg_count && size < SIZE_MAX_COUNTED; i++)
        size += r->sizes[n->args[i]->id];
    return size < SIZE_MAX_COUNTED ? size : SIZE_MAX_COUNTED;
}

static void add_roots(Roller *r, const RbSteps *steps, RbExprList *roots) {
    for (int i = 0; i < steps->count; i++) {
        if (steps->data[i].value) rb_array_push(roots, r->scratch, steps->data[i].value);
    }
}

static void find_shapes(Roller *r, const RbExprList *roots) {
    RbExprOrder order = rb_expr_order(r->l->dae->exprs, roots->data, roots->count, r->scratch);
    for (int i = 0; i < order.count; i++) {
        r->shapes[order.nodes[i]->id] = shape_of(r, order.nodes[i]);
        r->sizes[order.nodes[i]->id] = size_of(r, order.nodes[i]);
    }
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
    if (r->shapes[first->id] != r->shapes[other->id]) return false;
    int sign, other_sign;
    RbCodePlace place = leaf_place(r, first, &sign);
    if (place.area >= 0)
        return match_places(r, place, leaf_place(r, other, &other_sign)) && sign == other_sign;
    if (first->arg_count == 0) return first == other;
    if (r->stamps[first->id] == r->stamp) return r->images[first->id] == other;
    if (first->op != other->op || first->index != other->index ||
        first->arg_count != other->arg_count)
        return false;
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

// The beginning of a turn costs libtcc as much as a cell, so that many cells share it.
static int cells_per_turn(const Roller *r, int64_t nodes) {
    int cells = CELLS_PER_TURN;
    while (cells > 1 && cells * nodes > r->turn) cells /= 2;
    return cells;
}

// The run that begins at a step and has a certain period.
static RbRolledRun measure(Roller *r, int first, int period) {
    RbRolledRun run = {first, period, 1};
    run.turn = cells_per_turn(r, r->sums[first + period] - r->sums[first]);
    // Inside of a run that was measured before, another one of the same period ends where it ends.
    int left = (r->ends[period] - first) / period;
    if (left > 0 && left < 2 * run.turn) return (RbRolledRun){0};
    r->strides = (RbMap){0};
    while (match_cell(r, first, period, run.count)) run.count++;
    r->ends[period] = first + (run.count + 1) * period;
    run.strides = r->strides;
    return run;
}

static RbMap copy_map(const RbMap *map, RbArena *arena) {
    RbMap copy = {0};
    for (int i = 0; i < map->entries.count; i++)
        rb_map_set(&copy, arena, map->entries.data[i].key, map->entries.data[i].value);
    return copy;
}

// A long period may be a multiple of a shorter one: it must be worth much more.
static RbRolledRun longest_at(Roller *r, int first) {
    RbRolledRun best = {0};
    int other = r->next[first];
    for (int k = 0; k < CANDIDATES && other >= 0 && other - first <= PERIOD_MAX; k++) {
        RbRolledRun run = measure(r, first, other - first);
        if (run.count * run.period > 2 * best.count * best.period) best = run;
        other = r->next[other];
    }
    return best;
}

// --- where a cell begins -------------------------------------------------------------------------

// A step of a cell reads what another one has written some cells before.
typedef struct Link {
    int writer, reader, age;
} Link;
typedef RB_ARRAY(Link) Links;

static void find_links(Roller *r, const RbRolledRun *run, Links *links) {
    const RbStep *cell = r->steps->data + run->first;
    for (int i = 0; i < run->period; i++) {
        RbExprOrder order = rb_expr_order(r->l->dae->exprs, &cell[i].value, 1, r->scratch);
        for (int k = 0; k < order.count; k++) {
            int sign;
            RbCodePlace read = leaf_place(r, order.nodes[k], &sign);
            for (int j = 0; j < run->period; j++) {
                Link link = {j, i, 0};
                if (read.area >= 0 && rb_run_age(run, read, cell[j].place, &link.age))
                    rb_array_push(links, r->scratch, link);
            }
        }
    }
}

// If cells began some steps later, the steps before would belong to the cell before. What stays
// within a cell costs nothing, what goes to the next one little, older values need memory.
static int cost_of_links(const Links *links, int later) {
    enum { NEXT_CELL = 1, MEMORY = 100 };
    int cost = 0;
    for (int i = 0; i < links->count; i++) {
        const Link *k = &links->data[i];
        int age = k->age - (k->reader < later) + (k->writer < later);
        cost += age == 0 ? 0 : age == 1 ? NEXT_CELL : MEMORY;
    }
    return cost;
}

static RbRolledRun best_beginning(Roller *r, RbRolledRun run) {
    Links links = {0};
    find_links(r, &run, &links);
    int best = 0, best_cost = cost_of_links(&links, 0);
    for (int later = 1; later < run.period && best_cost > 0; later++) {
        int cost = cost_of_links(&links, later);
        if (cost < best_cost) {
            best = later;
            best_cost = cost;
        }
    }
    if (best == 0) return run;
    r->ends[run.period] = 0;
    return measure(r, run.first + best, run.period);
}

static void open_section(Roller *r, const RbSteps *steps) {
    r->steps = steps;
    r->ids = rb_new_array(r->scratch, uint64_t, steps->count + 1);
    r->next = rb_new_array(r->scratch, int, steps->count + 1);
    r->sums = rb_new_array(r->scratch, int64_t, steps->count + 1);
    for (int i = 0; i <= PERIOD_MAX; i++) r->ends[i] = 0;
    for (int i = 0; i < steps->count; i++)
        r->sums[i + 1] =
            r->sums[i] + (steps->data[i].value ? r->sizes[steps->data[i].value->id] : 1);
    find_ids(r);
}

static void roll_section(Roller *r, const RbSteps *steps, RbRuns *runs) {
    RbArena before = *r->scratch;
    open_section(r, steps);
    for (int i = 0; i < steps->count; i++) {
        RbArena mark = *r->scratch;
        RbRolledRun run = longest_at(r, i);
        if (run.count >= 2 * run.turn) run = best_beginning(r, run);
        if (run.turn > 0) run.count -= run.count % run.turn;
        if (run.count > 1 && run.count >= 2 * run.turn) {
            run.strides = copy_map(&run.strides, r->arena);
            rb_array_push(runs, r->arena, run);
            i = run.first + run.count * run.period - 1;
        }
        *r->scratch = mark;
    }
    *r->scratch = before;
}

// Parameters are interpreted.
static void roll_evaluations(Roller *r, RbRolled *rolled) {
    const RbLowered *l = r->l;
    RbExprList roots = {0};
    for (int id = RB_SECTION_STARTS; id <= RB_SECTION_SETS; id++)
        add_roots(r, &l->sections[id], &roots);
    for (int k = 0; k < l->systems.count; k++) {
        add_roots(r, &l->systems.data[k].values, &roots);
        add_roots(r, &l->systems.data[k].matrix, &roots);
    }
    find_shapes(r, &roots);
    for (int id = RB_SECTION_STARTS; id <= RB_SECTION_SETS; id++)
        roll_section(r, &l->sections[id], &rolled->sections[id]);
    for (int k = 0; k < l->systems.count; k++) {
        roll_section(r, &l->systems.data[k].values, &rolled->systems[k].values);
        roll_section(r, &l->systems.data[k].matrix, &rolled->systems[k].matrix);
    }
}

static void roll_hoisted(Roller *r, RbRolled *rolled) {
    RbExprList roots = {0};
    r->hoisting = true;
    add_roots(r, &r->l->sections[RB_SECTION_HOISTED], &roots);
    find_shapes(r, &roots);
    roll_section(r, &r->l->sections[RB_SECTION_HOISTED], &rolled->sections[RB_SECTION_HOISTED]);
}

void rb_roll(const RbLowered *l, int nodes, RbArena *arena, RbArena scratch, RbRolled *rolled) {
    *rolled = (RbRolled){.systems = rb_new_array(arena, RbSystemRuns, l->systems.count + 1)};
    if (nodes < 0) return;
    int count = l->dae->exprs->count + 1;
    Roller r = {.l = l, .arena = arena, .scratch = &scratch};
    r.turn = nodes > 0 ? nodes : RB_ROLL_TURN;
    r.shapes = rb_new_array(&scratch, uint64_t, count);
    r.sizes = rb_new_array(&scratch, int, count);
    r.images = rb_new_array(&scratch, const RbExpr *, count);
    r.stamps = rb_new_array(&scratch, int, count);
    roll_evaluations(&r, rolled);
    roll_hoisted(&r, rolled);
}
