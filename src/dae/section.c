// SPDX-License-Identifier: MIT
// section.c: functions of parts of an algorithm section.
//
//   e := 0.7 - u;                 what e is at the place of the condition is wanted outside, where
//   when e < 0 then ...           e < 0 is watched: by putting assignments into each other if there
//                                 is nothing else, otherwise as the result of a function
//
// Of all statements before the place, only those count which the value follows from.
#include "dae/section.h"

#include "expr/simplify.h"

enum { SIZE_MAX_OUTSIDE = 200 }; // nodes of an expression that assignments are put into

// --- what statements are about -------------------------------------------------------------------

typedef struct Uses {
    bool *inputs, *outputs;
    bool impure;
} Uses;

static Uses no_uses(const RbSection *s) {
    return (Uses){.inputs = rb_new_array(s->w->scratch, bool, s->args.count + 1),
                  .outputs = rb_new_array(s->w->scratch, bool, s->outputs.count + 1)};
}

static void use_expr(RbSection *s, const RbExpr *e, Uses *uses) {
    if (!e) return;
    RbArena temp = *s->w->temp;
    RbExprOrder order = rb_expr_order(s->w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_CALL) uses->impure |= s->w->model->functions.data[n->index]->is_impure;
        if (n->op != RB_OP_LOCAL) continue;
        if (n->index < RB_SECTION_OUTPUTS)
            uses->inputs[n->index] = true;
        else if (n->index < RB_SECTION_ITERATORS)
            uses->outputs[n->index - RB_SECTION_OUTPUTS] = true;
    }
}

static void use_list(RbSection *s, const RbStatements *list, Uses *uses);

static void use_statement(RbSection *s, const RbStatement *st, Uses *uses) {
    use_expr(s, st->target, uses);
    use_expr(s, st->value, uses);
    for (int k = 0; k < st->targets.count; k++) use_expr(s, st->targets.data[k], uses);
    for (int b = 0; b < st->branches.count; b++) {
        use_expr(s, st->branches.data[b].condition, uses);
        use_list(s, &st->branches.data[b].statements, uses);
    }
}

static void use_list(RbSection *s, const RbStatements *list, Uses *uses) {
    for (int i = 0; i < list->count; i++) use_statement(s, list->data[i], uses);
}

static int target_output(const RbExpr *target) {
    if (target && target->op == RB_OP_SUBSCRIPT) target = target->args[0];
    return target && target->op == RB_OP_LOCAL ? target->index - RB_SECTION_OUTPUTS : -1;
}

static bool assigns_any(const RbStatement *st, const bool *wanted) {
    int k = st->kind == RB_ST_ASSIGN ? target_output(st->target) : -1;
    if (k >= 0 && wanted[k]) return true;
    for (int i = 0; i < st->targets.count; i++) {
        k = target_output(st->targets.data[i]);
        if (k >= 0 && wanted[k]) return true;
    }
    for (int b = 0; b < st->branches.count; b++) {
        const RbStatements *list = &st->branches.data[b].statements;
        for (int i = 0; i < list->count; i++)
            if (assigns_any(list->data[i], wanted)) return true;
    }
    return false;
}

// --- functions -----------------------------------------------------------------------------------

typedef struct Numbers { // provisional to final, by input and output
    int *inputs, *outputs;
    int input_count, output_count, result_count;
} Numbers;

static const RbExpr *renumber(RbSection *s, const Numbers *n, const RbExpr *e) {
    if (!e) return NULL;
    if (e->op == RB_OP_LOCAL) {
        int k = e->index;
        if (k >= RB_SECTION_ITERATORS)
            k = k - RB_SECTION_ITERATORS + n->input_count + n->result_count;
        else if (k >= RB_SECTION_OUTPUTS)
            k = n->input_count + n->outputs[k - RB_SECTION_OUTPUTS];
        else
            k = n->inputs[k];
        return rb_local(s->w->x, k, (RbType)e->type, e->rank);
    }
    if (e->arg_count == 0) return e;
    const RbExpr **args = rb_new_array(s->w->scratch, const RbExpr *, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) args[i] = renumber(s, n, e->args[i]);
    return rb_rebuild(s->w->x, e, args);
}

static RbStatements renumbered(RbSection *s, const Numbers *n, const RbStatements *list) {
    RbStatements result = {0};
    RbArena *arena = s->w->arena;
    for (int i = 0; i < list->count; i++) {
        const RbStatement *from = list->data[i];
        RbStatement *out = rb_statement(&result, arena, from->kind, from->at);
        out->is_warning = from->is_warning;
        out->target = renumber(s, n, from->target);
        out->value = renumber(s, n, from->value);
        for (int k = 0; k < from->targets.count; k++)
            rb_array_push(&out->targets, arena, renumber(s, n, from->targets.data[k]));
        for (int b = 0; b < from->branches.count; b++) {
            const RbStatementBranch *branch = &from->branches.data[b];
            RbStatementBranch own = {renumber(s, n, branch->condition),
                                     renumbered(s, n, &branch->statements)};
            rb_array_push(&out->branches, arena, own);
        }
    }
    return result;
}

// Start values of what is used are used, too.
static Numbers number(RbSection *s, Uses *uses) {
    Numbers n = {.inputs = rb_new_array(s->w->scratch, int, s->args.count + 1),
                 .outputs = rb_new_array(s->w->scratch, int, s->outputs.count + 1)};
    for (int k = 0; k < s->outputs.count; k++) {
        if (!uses->outputs[k]) continue;
        use_expr(s, s->starts.data[k], uses);
        n.outputs[k] = n.output_count++;
    }
    for (int i = 0; i < s->args.count; i++)
        if (uses->inputs[i]) n.inputs[i] = n.input_count++;
    n.result_count = n.output_count > 0 ? n.output_count : 1;
    return n;
}

static void declare(RbSection *s, RbFunction *f, const Uses *uses, const Numbers *n) {
    RbWork *w = s->w;
    for (int i = 0; i < s->args.count; i++) {
        if (!uses->inputs[i]) continue;
        RbFunctionVar in = {.name = rb_arena_printf(w->arena, "in%d", n->inputs[i] + 1),
                            .type = (RbType)s->args.data[i]->type,
                            .rank = s->args.data[i]->rank};
        rb_array_push(&f->vars, w->arena, in);
    }
    for (int k = 0; k < s->outputs.count; k++) {
        if (!uses->outputs[k]) continue;
        const RbFlatVar *v = &w->model->vars.data[s->outputs.data[k]];
        RbFunctionVar out = {.name = v->name,
                             .type = v->type,
                             .rank = v->rank,
                             .binding = renumber(s, n, s->starts.data[k])};
        for (int d = 0; d < v->rank; d++) out.dims[d] = rb_integer(w->x, v->dims[d]);
        rb_array_push(&f->vars, w->arena, out);
    }
    if (n->output_count == 0) {
        RbFunctionVar holds = {
            .name = "holds", .type = RB_BOOLEAN, .binding = rb_boolean(w->x, true)};
        rb_array_push(&f->vars, w->arena, holds);
    }
    for (int i = 0; i < s->local_of.entries.count; i++) {
        RbFunctionVar own = {.name = rb_arena_printf(w->arena, "i%d", i + 1), .type = RB_INTEGER};
        rb_array_push(&f->vars, w->arena, own);
    }
    f->input_count = n->input_count;
    f->output_count = n->result_count;
}

static const RbExpr *call(RbSection *s, const RbFunction *f, const Uses *uses) {
    RbWork *w = s->w;
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, f->input_count + 1);
    int count = 0;
    for (int i = 0; i < s->args.count; i++) {
        if (!uses->inputs[i]) continue;
        const RbExpr *a = s->args.data[i];
        a = a->rank > 0 ? rb_constructor(&s->elements, a) : rb_scalar_expr(&s->elements, a);
        args[count++] = rb_plain(w, a, f->at);
    }
    const RbFunctionVar *first = &f->vars.data[f->input_count];
    return rb_call_function(w->x, w->model->functions.count - 1, first->type, first->rank, args,
                            count);
}

const RbExpr *rb_section_call(RbSection *s, const RbStatements *list, bool all, int output,
                              int *result) {
    RbWork *w = s->w;
    Uses uses = no_uses(s);
    use_list(s, list, &uses);
    for (int k = 0; k < s->outputs.count; k++) uses.outputs[k] |= all || k == output;
    Numbers n = number(s, &uses);
    RbFunction *f = rb_new(w->arena, RbFunction);
    f->name = rb_arena_printf(w->arena, "$algorithm%d", w->model->functions.count + 1);
    f->at = s->at;
    declare(s, f, &uses, &n);
    f->statements = renumbered(s, &n, list);
    rb_array_push(&w->model->functions, w->arena, f);
    if (result) *result = n.outputs[output];
    return call(s, f, &uses);
}

// --- values at a place of the text ---------------------------------------------------------------

// All statements that come before this place, if it is reached.
static RbStatements before(RbSection *s, const RbSectionScope *scope, RbStatement *inner) {
    RbArena *scratch = s->w->scratch;
    RbStatements list = {0};
    for (int i = 0; i < scope->done->count; i++)
        rb_array_push(&list, scratch, scope->done->data[i]);
    if (inner) rb_array_push(&list, scratch, inner);
    if (!scope->outer) return list;
    if (scope->owner->kind == RB_ST_WHILE) rb_statement(&list, scratch, RB_ST_BREAK, s->at);
    RbStatement *owner = rb_new(scratch, RbStatement);
    *owner = (RbStatement){.kind = scope->owner->kind, .at = scope->owner->at};
    for (int b = 0; b < scope->owner->branches.count; b++)
        rb_array_push(&owner->branches, scratch, scope->owner->branches.data[b]);
    rb_array_push(&owner->branches, scratch, ((RbStatementBranch){scope->condition, list}));
    return before(s, scope->outer, owner);
}

// Those of them that variable `output` follows from. An assignment of a whole variable replaces what
// it had before.
static RbStatements slice(RbSection *s, const RbStatements *list, int output, Uses *uses) {
    RbArena *scratch = s->w->scratch;
    RbStatements kept = {0}, result = {0};
    uses->outputs[output] = true;
    for (int i = list->count - 1; i >= 0; i--) {
        const RbStatement *st = list->data[i];
        if (!assigns_any(st, uses->outputs)) continue;
        if (st->kind == RB_ST_ASSIGN && st->target->op == RB_OP_LOCAL)
            uses->outputs[target_output(st->target)] = false;
        if (st->kind == RB_ST_ASSIGN && st->target->op == RB_OP_LOCAL)
            use_expr(s, st->value, uses);
        else
            use_statement(s, st, uses);
        rb_array_push(&kept, scratch, list->data[i]);
    }
    for (int i = kept.count - 1; i >= 0; i--) rb_array_push(&result, scratch, kept.data[i]);
    return result;
}

typedef struct Chain {
    RbSection *s;
    const RbExpr **values; // of the outputs, outside
} Chain;

static const RbExpr *outer_node(void *user, const RbExpr *e) {
    Chain *c = user;
    if (e->op != RB_OP_LOCAL) return NULL;
    if (e->index < RB_SECTION_OUTPUTS) return c->s->args.data[e->index];
    return c->values[e->index - RB_SECTION_OUTPUTS];
}

// The value before the first assignment, outside.
static const RbExpr *outer_start(Chain *c, int k) {
    RbWork *w = c->s->w;
    const RbExpr *start = c->s->starts.data[k];
    RbType type = w->model->vars.data[c->s->outputs.data[k]].type;
    if (start) return rb_substitute_leaves(w->x, start, outer_node, c, *w->nested);
    if (type == RB_BOOLEAN) return rb_boolean(w->x, false);
    return type == RB_REAL ? rb_real(w->x, 0) : rb_integer(w->x, 0);
}

static bool is_small(RbSection *s, const RbExpr *e) {
    RbArena temp = *s->w->temp;
    return rb_expr_order(s->w->x, &e, 1, &temp).count <= SIZE_MAX_OUTSIDE;
}

static bool is_number(const RbExpr *target) {
    return target->op == RB_OP_LOCAL && target->rank == 0 && target->type != RB_ENUM;
}

// Assignments of numbers and nothing else, put into each other; NULL if there is something else.
static const RbExpr *chained(RbSection *s, const RbStatements *list, const Uses *uses, int output) {
    RbWork *w = s->w;
    Chain c = {s, rb_new_array(w->scratch, const RbExpr *, s->outputs.count + 1)};
    for (int k = 0; k < s->outputs.count; k++) {
        const RbFlatVar *v = &w->model->vars.data[s->outputs.data[k]];
        if (!uses->outputs[k]) continue;
        if (v->rank > 0 || v->type == RB_ENUM) return NULL;
        c.values[k] = outer_start(&c, k);
    }
    for (int i = 0; i < list->count; i++) {
        const RbStatement *st = list->data[i];
        if (st->kind != RB_ST_ASSIGN || !is_number(st->target)) return NULL;
        const RbExpr *value = rb_substitute_leaves(w->x, st->value, outer_node, &c, *w->nested);
        if (!is_small(s, value)) return NULL;
        c.values[target_output(st->target)] = value;
    }
    return c.values[output];
}

static const RbExpr *value_here(RbSection *s, int output) {
    RbStatements all = before(s, s->scope, NULL);
    Uses uses = no_uses(s);
    RbStatements list = slice(s, &all, output, &uses);
    if (uses.impure || s->loops > 0) return NULL;
    const RbFlatVar v = s->w->model->vars.data[s->outputs.data[output]];
    const RbExpr *value = chained(s, &list, &uses, output);
    if (value) return value;
    int result;
    const RbExpr *f = rb_section_call(s, &list, false, output, &result);
    return rb_result(s->w->x, f, result, v.type, v.rank);
}

const RbExpr *rb_section_value(RbSection *s, int output) {
    uint64_t key = (uint64_t)s->place << 32 | (uint64_t)output;
    uint64_t *known = rb_map_find(&s->value_of, key);
    if (known) return s->w->x->nodes[*known];
    const RbExpr *value = value_here(s, output);
    if (value) rb_map_set(&s->value_of, s->w->scratch, key, (uint64_t)value->id);
    return value;
}
