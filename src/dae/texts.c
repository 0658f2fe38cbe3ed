// SPDX-License-Identifier: MIT
// texts.c: Strings that vary. Code knows numbers only, so a String variable is no unknown: what its
// equation gives stands wherever it is used, and a comparison of texts is a call of a function that
// is interpreted.
//
//   s = "k" + String(k);  b = s == "k5"      b = $text("k" + String(k), "k5")
//
// A String that keeps its value between events is an Integer that says which of the texts it is:
//
//   when c then s = "b"; end when;           n = if active then 2 else pre(n)
//                                            s:  if n == 1 then start else "b"
#include <string.h>

#include "dae/work.h"
#include "expr/builtins.h"
#include "expr/simplify.h"

typedef struct Texts {
    RbWork *w;
    const RbExpr **value; // by variable: what its equation gives
    unsigned char *stage; // by variable: NEW, BUSY, DONE
    int *code;            // by variable: the Integer of one that is kept; -1
    unsigned char *kept;  // by variable: is there a pre() of it?
    RbPos *at;            // by variable: of its equation
    int vars;             // those above
    RbMap done;           // expression (id) -> without varying Strings
} Texts;

enum { NEW, BUSY, DONE };

typedef RB_ARRAY(const RbExpr *) TextList;

static const RbExpr *expand(Texts *t, const RbExpr *e);

static bool varies(const Texts *t, const RbExpr *e) {
    return e->op == RB_OP_VAR && e->type == RB_STRING &&
           t->w->model->vars.data[e->index].variability > RB_PARAMETER;
}

static const RbExpr *refuse(Texts *t, int v, RbPos at, const char *why) {
    rb_fail(t->w->diag, RB_ERROR_MODEL, at, "String '%s' %s", t->w->model->vars.data[v].name, why);
    return rb_string(t->w->x, "");
}

// --- comparisons ---------------------------------------------------------------------------------

typedef enum Changes { NEVER, AT_EVENTS, ALWAYS } Changes;

static Changes changes(Texts *t, const RbExpr *e) {
    RbWork *w = t->w;
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    Changes most = NEVER;
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_TIME || n->op == RB_OP_BUILTIN) {
            if (n->op == RB_OP_TIME || rb_is_builtin(n, RB_TRAIT_TIME)) return ALWAYS;
        } else if (n->op == RB_OP_VAR && n->type != RB_STRING) {
            RbDaeKind kind = rb_work_at(w, n->index)->kind;
            if (kind != RB_DAE_PARAMETER && kind != RB_DAE_DISCRETE) return ALWAYS;
            if (kind == RB_DAE_DISCRETE) most = AT_EVENTS;
        }
    }
    return most;
}

// The function that compares two texts.
static int comparison(Texts *t, RbOp op) {
    RbWork *w = t->w;
    const char *name = rb_arena_printf(w->arena, "$text%d", (int)op);
    for (int i = 0; i < w->model->functions.count; i++) {
        if (strcmp(w->model->functions.data[i]->name, name) == 0) return i;
    }
    RbFunction *f = rb_new(w->arena, RbFunction);
    *f = (RbFunction){.name = name,
                      .kind = RB_FUNCTION_ALGORITHM,
                      .input_count = 2,
                      .output_count = 1,
                      .at = w->at};
    rb_array_push(&f->vars, w->arena, ((RbFunctionVar){.name = "a", .type = RB_STRING}));
    rb_array_push(&f->vars, w->arena, ((RbFunctionVar){.name = "b", .type = RB_STRING}));
    rb_array_push(&f->vars, w->arena, ((RbFunctionVar){.name = "holds", .type = RB_BOOLEAN}));
    RbStatement *s = rb_statement(&f->statements, w->arena, RB_ST_ASSIGN, w->at);
    s->target = rb_local(w->x, 2, RB_BOOLEAN, 0);
    s->value =
        rb_relate(w->x, op, rb_local(w->x, 0, RB_STRING, 0), rb_local(w->x, 1, RB_STRING, 0));
    rb_array_push(&w->model->functions, w->arena, f);
    return w->model->functions.count - 1;
}

// Found out at events alone, if it cannot change in between.
static const RbExpr *compare(Texts *t, RbOp op, const RbExpr *const *sides) {
    RbWork *w = t->w;
    const RbExpr *direct = rb_relate(w->x, op, sides[0], sides[1]);
    if (rb_is_constant(direct)) return direct;
    Changes when = changes(t, direct);
    if (when == NEVER) return rb_text_relation(w, direct);
    const RbExpr *call = rb_call_function(w->x, comparison(t, op), RB_BOOLEAN, 0, sides, 2);
    if (when == ALWAYS) return call;
    int v = rb_work_var(w, rb_arena_printf(w->arena, "$same%d", w->model->vars.count + 1),
                        RB_BOOLEAN, RB_DAE_DISCRETE);
    int eq = rb_work_eq(w, rb_work_ref(w, v), call, w->at, "");
    w->dae->eqs.data[eq].assigns = v;
    return rb_work_ref(w, v);
}

// --- Strings that are kept -----------------------------------------------------------------------

// The number of a text among those that s may be, from 1.
static int number_of(Texts *t, TextList *list, const RbExpr *text, int s) {
    for (int i = 0; i < list->count; i++) {
        if (list->data[i] == text) return i + 1;
    }
    if (changes(t, text) != NEVER)
        refuse(t, s, t->at[s],
               "keeps its value between events, and gets one here that is not known "
               "before the run, which is not supported; keep the numbers it is made of, "
               "and make the text where it is used");
    rb_array_push(list, t->w->scratch, text);
    return list->count;
}

static bool is_kept_value(const RbExpr *e, int s) {
    return e->op == RB_OP_PRE && e->args[0]->op == RB_OP_VAR && e->args[0]->index == s;
}

// All texts that s may be. Conditions wait: they may look at pre(s), which is one of these.
static void gather(Texts *t, TextList *list, const RbExpr *e, int s) {
    if (is_kept_value(e, s)) return;
    const RbExpr *text = e->op == RB_OP_IF ? e : expand(t, e);
    if (text->op != RB_OP_IF) {
        number_of(t, list, text, s);
        return;
    }
    gather(t, list, text->args[1], s);
    gather(t, list, text->args[2], s);
}

// Which text, as an Integer.
static const RbExpr *code_of(Texts *t, TextList *list, const RbExpr *e, int s) {
    RbExprs *x = t->w->x;
    if (is_kept_value(e, s)) return rb_pre(x, rb_work_ref(t->w, t->code[s]));
    const RbExpr *text = e->op == RB_OP_IF ? e : expand(t, e);
    if (text->op != RB_OP_IF) return rb_integer(x, number_of(t, list, text, s));
    return rb_if(x, expand(t, text->args[0]), code_of(t, list, text->args[1], s),
                 code_of(t, list, text->args[2], s));
}

static const RbExpr *text_of(RbExprs *x, const TextList *list, const RbExpr *code) {
    const RbExpr *text = list->data[list->count - 1];
    for (int i = list->count - 2; i >= 0; i--)
        text = rb_if(x, rb_relate(x, RB_OP_EQ, code, rb_integer(x, i + 1)), list->data[i], text);
    return text;
}

static void keep(Texts *t, int s) {
    RbWork *w = t->w;
    const RbExpr *start = w->model->vars.data[s].attributes.start;
    TextList list = {0};
    t->code[s] =
        rb_work_var(w, rb_arena_join(w->arena, "$text of ", w->model->vars.data[s].name, ""),
                    RB_INTEGER, RB_DAE_DISCRETE);
    rb_work_at(w, t->code[s])->auxiliary = false;
    RbFlatVar *code = &w->model->vars.data[t->code[s]];
    code->hide_result = true;
    code->attributes.start = rb_integer(w->x, 1);
    code->attributes.fixed = rb_boolean(w->x, true);
    number_of(t, &list, start ? expand(t, rb_plain(w, start, w->at)) : rb_string(w->x, ""), s);
    const RbExpr *given = t->value[s];
    gather(t, &list, given, s);
    t->value[s] = text_of(w->x, &list, rb_work_ref(w, t->code[s]));
    t->stage[s] = DONE;
    int eq = rb_work_eq(w, rb_work_ref(w, t->code[s]), code_of(t, &list, given, s), t->at[s], "");
    w->dae->eqs.data[eq].assigns = t->code[s];
}

// --- what stands for a String --------------------------------------------------------------------

static const RbExpr *value_of(Texts *t, int s) {
    if (t->stage[s] == DONE) return t->value[s];
    if (!t->value[s])
        return refuse(t, s, t->w->model->vars.data[s].at, "has no value: give it an equation");
    if (t->stage[s] == BUSY) return refuse(t, s, t->at[s], "is defined by itself");
    RbPos at = t->w->at;
    t->stage[s] = BUSY;
    t->w->at = t->at[s];
    if (t->kept[s])
        keep(t, s);
    else
        t->value[s] = expand(t, t->value[s]);
    t->stage[s] = DONE;
    t->w->at = at;
    return t->value[s];
}

static const RbExpr *before_node(void *user, const RbExpr *e) {
    Texts *t = user;
    for (int s = 0; s < t->vars; s++) {
        if (e->op == RB_OP_VAR && t->code[s] == e->index) return rb_pre(t->w->x, e);
    }
    return NULL;
}

static const RbExpr *replace(Texts *t, const RbExpr *e) {
    RbWork *w = t->w;
    if (varies(t, e)) return value_of(t, e->index);
    if (e->op == RB_OP_PRE && varies(t, e->args[0])) {
        const RbExpr *now = value_of(t, e->args[0]->index);
        return rb_substitute(w->x, now, before_node, t, *w->nested);
    }
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) args[i] = expand(t, e->args[i]);
    if (e->op >= RB_OP_LT && e->op <= RB_OP_NE && args[0]->type == RB_STRING)
        return compare(t, (RbOp)e->op, args);
    return rb_rebuild(w->x, e, args);
}

static const RbExpr *expand(Texts *t, const RbExpr *e) {
    if (!e || (e->arg_count == 0 && !varies(t, e))) return e;
    uint64_t *known = rb_map_find(&t->done, (uint64_t)e->id);
    if (known) return t->w->x->nodes[*known];
    const RbExpr *result = replace(t, e);
    rb_map_set(&t->done, t->w->scratch, (uint64_t)e->id, (uint64_t)result->id);
    return result;
}

// --- the model -----------------------------------------------------------------------------------

// An equation of texts is the definition of one of its sides.
static void define(Texts *t, const RbExpr *left, const RbExpr *right, RbPos at) {
    bool swap = !varies(t, left) || t->value[left->index];
    const RbExpr *s = swap ? right : left;
    if (!varies(t, s) || t->value[s->index]) {
        const char *name = varies(t, left) ? t->w->model->vars.data[left->index].name : "";
        rb_fail(t->w->diag, RB_ERROR_MODEL, at,
                *name
                    ? "String '%s' gets its value from two equations"
                    : "an equation of texts must give the value of one String variable: s = ...%s",
                name);
        return;
    }
    t->value[s->index] = swap ? left : right;
    t->at[s->index] = at;
}

static void define_all(Texts *t) {
    RbWork *w = t->w;
    for (int v = 0; v < t->vars; v++) {
        RbFlatVar var = w->model->vars.data[v];
        bool own = var.type == RB_STRING && var.rank == 0 && var.variability > RB_PARAMETER;
        t->at[v] = var.at;
        t->code[v] = -1;
        if (own && var.binding) t->value[v] = rb_plain(w, var.binding, var.at);
    }
    int kept = 0;
    for (int i = 0; i < w->dae->eqs.count; i++) {
        RbDaeEq eq = w->dae->eqs.data[i];
        if (eq.left->type == RB_STRING)
            define(t, eq.left, eq.right, eq.at);
        else
            w->dae->eqs.data[kept++] = eq;
    }
    w->dae->eqs.count = kept;
    for (int id = 1; id <= w->x->count; id++) {
        const RbExpr *e = w->x->nodes[id];
        if (e->op == RB_OP_PRE && varies(t, e->args[0])) t->kept[e->args[0]->index] = 1;
    }
}

RbStatus rb_texts(RbWork *w) {
    if (!w->has_texts) return RB_OK;
    int n = w->model->vars.count;
    Texts t = {.w = w, .vars = n};
    t.value = rb_new_array(w->scratch, const RbExpr *, n + 1);
    t.stage = rb_new_array(w->scratch, unsigned char, n + 1);
    t.kept = rb_new_array(w->scratch, unsigned char, n + 1);
    t.code = rb_new_array(w->scratch, int, n + 1);
    t.at = rb_new_array(w->scratch, RbPos, n + 1);
    define_all(&t);
    int count = w->dae->eqs.count; // those added here are in final form
    for (int i = 0; i < count; i++) {
        w->at = w->dae->eqs.data[i].at;
        const RbExpr *left = expand(&t, w->dae->eqs.data[i].left);
        const RbExpr *right = expand(&t, w->dae->eqs.data[i].right);
        w->dae->eqs.data[i].left = left;
        w->dae->eqs.data[i].right = right;
    }
    for (int i = 0; i < w->dae->initial_eqs.count; i++) {
        RbDaeEq *eq = &w->dae->initial_eqs.data[i];
        w->at = eq->at;
        if (eq->left->type == RB_STRING)
            rb_fail(
                w->diag, RB_ERROR_MODEL, eq->at,
                "an initial equation cannot give a String its value; declare it: String s(start "
                "= ...)");
        eq->left = expand(&t, eq->left);
        eq->right = expand(&t, eq->right);
    }
    for (int i = 0; i < w->dae->actions.count; i++) {
        RbAction *a = &w->dae->actions.data[i];
        w->at = a->at;
        a->condition = expand(&t, a->condition);
        a->holds = expand(&t, a->holds);
        a->value = expand(&t, a->value);
    }
    return w->diag->error_count > 0 ? RB_ERROR_MODEL : RB_OK;
}
