// SPDX-License-Identifier: MIT
#include "fmu/dependencies.h"

#include <string.h>

#include "translate/equation_calls.h"

enum { WORD = 64 };

// A set of the known variables, as bits.
typedef uint64_t Word;

typedef struct Walk {
    const RbSortedDae *dae;
    const RbFmuVariables *variables;
    RbNames names;
    RbMap numbers; // name -> variable of the equations
    RbArena *arena, *scratch;
    int *knowns; // variables of the FMU: time first
    int known_count,
        words; // a set has one more element: all that there is, as far as anybody can tell
    Word *of;  // by variable of the equations
    Word *sum;
} Walk;

// Where the equations do not tell: choices of states at run time, the past.
static bool can_tell(const RbTranslation *t) {
    return t->dae->sets.count == 0 && t->dae->delays.count == 0;
}

static void number_variables(Walk *w) {
    w->names = rb_names(w->scratch);
    for (int i = 0; i < w->dae->model->vars.count; i++) {
        RbName name = rb_intern(&w->names, w->dae->model->vars.data[i].name);
        rb_map_set(&w->numbers, w->scratch, rb_map_key(name), (uint64_t)i);
    }
}

// The variable of the equations that this one is, or the array that it is an element of; -1: none.
static int equation_variable(Walk *w, const char *name) {
    const uint64_t *found = rb_map_find(&w->numbers, rb_map_key(rb_intern(&w->names, name)));
    const char *bracket = strrchr(name, '[');
    if (!found && bracket) {
        RbName array = rb_intern_bytes(&w->names, name, (size_t)(bracket - name));
        found = rb_map_find(&w->numbers, rb_map_key(array));
    }
    if (!found) return -1;
    const RbDaeVar *v = &w->dae->vars.data[*found];
    return v->kind == RB_DAE_ALIAS ? v->alias : (int)*found;
}

static Word *set_of(const Walk *w, int var) {
    return w->of + (size_t)var * (size_t)w->words;
}

static void list_knowns(Walk *w) {
    w->knowns = rb_new_array(w->scratch, int, w->variables->count + 1);
    for (int i = 0; i < w->variables->count; i++) {
        const RbFmuVariable *v = &w->variables->data[i];
        if (v->is_time || v->is_state || v->causality == RB_FMU_INPUT)
            w->knowns[w->known_count++] = i;
    }
    w->words = (w->known_count + 1) / WORD + 1;
}

static void put_in(Word *set, int k) {
    set[k / WORD] |= (Word)1 << k % WORD;
}

// States of components are none of the equations; what components give to them may depend on all.
static void place_knowns(Walk *w) {
    bool *known = rb_new_array(w->scratch, bool, w->dae->vars.count + 1);
    for (int k = 0; k < w->known_count; k++) {
        const RbFmuVariable *v = &w->variables->data[w->knowns[k]];
        int var = v->is_time ? -1 : equation_variable(w, v->name);
        if (var < 0) continue;
        put_in(set_of(w, var), k);
        known[var] = true;
    }
    for (int i = 0; i < w->dae->vars.count; i++) {
        RbDaeKind kind = w->dae->vars.data[i].kind;
        if (!known[i] && (kind == RB_DAE_INPUT || kind == RB_DAE_STATE))
            put_in(set_of(w, i), w->known_count);
    }
}

static bool calls_component(const Walk *w, const RbExpr *e) {
    return e->op == RB_OP_CALL &&
           w->dae->model->functions.data[e->index]->kind == RB_FUNCTION_COMPONENT;
}

static void add(Walk *w, const RbExpr *e) {
    RbArena pass = *w->arena;
    RbIndices vars = rb_expr_vars(w->dae->exprs, e, &pass);
    RbExprOrder order = rb_expr_order(w->dae->exprs, &e, 1, &pass);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op == RB_OP_TIME) w->sum[0] |= 1;
        if (calls_component(w, order.nodes[i])) put_in(w->sum, w->known_count);
    }
    for (int i = 0; i < vars.count; i++) {
        const Word *set = set_of(w, vars.data[i]);
        for (int k = 0; k < w->words; k++) w->sum[k] |= set[k];
    }
}

static void assign(Walk *w, int var) {
    memcpy(set_of(w, var), w->sum, (size_t)w->words * sizeof *w->sum);
}

// All variables of a system depend on all that any of its equations has.
static void place_block(Walk *w, const RbBlock *b) {
    memset(w->sum, 0, (size_t)w->words * sizeof *w->sum);
    for (int i = 0; i < b->assign_count; i++) add(w, b->assigns[i].value);
    for (int i = 0; i < b->size; i++) add(w, b->residuals[i]);
    for (int i = 0; i < b->assign_count; i++) assign(w, b->assigns[i].var);
    for (int i = 0; i < b->size; i++) assign(w, b->unknowns[i]);
}

static bool has(const Word *set, int k) {
    return set[k / WORD] >> k % WORD & 1;
}

static RbIndices list_of(const Walk *w, const Word *set) {
    if (has(set, w->known_count)) return (RbIndices){0};
    RbIndices out = {rb_new_array(w->arena, int, w->known_count + 1), 0};
    for (int k = 0; k < w->known_count; k++)
        if (has(set, k)) out.data[out.count++] = w->knowns[k];
    return out;
}

static RbIndices find(Walk *w, const RbFmuVariable *v) {
    bool rate = v->derivative_of >= 0;
    bool output = v->causality == RB_FMU_OUTPUT && v->variability == RB_FMU_CONTINUOUS;
    if (!rate && !output) return (RbIndices){0};
    const char *name = rate ? w->variables->data[v->derivative_of].name : v->name;
    int var = equation_variable(w, name);
    if (var >= 0 && rate) var = w->dae->vars.data[var].derivative;
    return var >= 0 ? list_of(w, set_of(w, var)) : (RbIndices){0};
}

RbFmuDependencies rb_fmu_dependencies(const RbTranslation *t, const RbFmuVariables *variables,
                                      RbArena *arena, RbArena scratch) {
    const double most = 1e9; // bits
    RbFmuDependencies out = {0};
    Walk w = {.dae = t->dae, .variables = variables, .arena = arena, .scratch = &scratch};
    if (!can_tell(t)) return out;
    list_knowns(&w);
    if ((double)w.words * WORD * t->dae->vars.count > most) return out;
    w.of = rb_new_array(&scratch, Word, (size_t)w.words * (size_t)t->dae->vars.count + 1);
    w.sum = rb_new_array(&scratch, Word, w.words);
    number_variables(&w);
    place_knowns(&w);
    for (int i = 0; i < t->dae->blocks.count; i++) {
        if (!t->dae->blocks.data[i].discrete) place_block(&w, &t->dae->blocks.data[i]);
    }
    out.of = rb_new_array(arena, RbIndices, variables->count + 1);
    for (int i = 0; i < variables->count; i++) out.of[i] = find(&w, &variables->data[i]);
    out.known = true;
    return out;
}
