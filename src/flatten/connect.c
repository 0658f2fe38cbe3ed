// SPDX-License-Identifier: MIT
// Connect equations (Modelica specification, chapter 9): which connectors they name, and which of
// their variables belong together. What becomes of these sets is said in connect_sets.c.
#include <string.h>

#include "flatten/connect.h"

// --- connecting ----------------------------------------------------------------------------------

typedef struct Wire {
    RbFrontEnd *fe;
    RbPos at;
    bool outside_a, outside_b;
} Wire;

RbConnector *rb_connector(RbFrontEnd *fe) {
    if (!fe->connector) fe->connector = rb_new(fe->work, RbConnector);
    return fe->connector;
}

static void connect_insts(const Wire *w, RbInst *a, RbInst *b);
static void join_insts(const Wire *w, RbInst *a, RbInst *b);

void rb_connect_whole(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at) {
    join_insts(&(Wire){fe, at, a.outside, b.outside}, a.inst, b.inst);
}

static const char *prefix_name(const RbInst *i) {
    return i->flow == RB_AST_FLOW     ? "a flow"
           : i->flow == RB_AST_STREAM ? "a stream"
                                      : "a potential";
}

static void connect_elements(const Wire *w, RbInst *a, int from_a, RbInst *b, int from_b,
                             int count) {
    RbFrontEnd *fe = w->fe;
    if (a->flow != b->flow) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->at, "'%s' is %s variable, but '%s' is %s variable",
                a->path, prefix_name(a), b->path, prefix_name(b));
        return;
    }
    bool types = a->class->type == b->class->type && a->class->enumeration == b->class->enumeration;
    if (!types) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->at,
                "'%s' is %s, but '%s' is %s; they cannot be connected", a->path,
                a->class->full_name, b->path, b->class->full_name);
        return;
    }
    if (!rb_connect_fits(fe, a, b, w->at)) return;
    if (a->variability >= RB_AST_PARAMETER || b->variability >= RB_AST_PARAMETER) return;
    for (int i = 0; i < count; i++) {
        rb_sets_join(fe, (RbEnd){a, from_a + i, w->outside_a}, (RbEnd){b, from_b + i, w->outside_b},
                     w->at);
    }
}

static void connect_leaves(const Wire *w, RbInst *a, RbInst *b) {
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++) same = a->dims[i] == b->dims[i];
    if (!same) {
        rb_fail(w->fe->diag, RB_ERROR_MODEL, w->at,
                "'%s' and '%s' differ in size (%d and %d elements)", a->path, b->path,
                rb_leaf_size(a), rb_leaf_size(b));
        return;
    }
    connect_elements(w, a, 0, b, 0, rb_leaf_size(a));
}

static bool is_elsewhere(const RbElem *e) {
    return e->clause->outer && !e->clause->inner;
}

static void connect_components(const Wire *w, RbInst *a, RbInst *b) {
    RbFrontEnd *fe = w->fe;
    if (rb_is_bus(a) != rb_is_bus(b)) {
        const RbInst *bus = rb_is_bus(a) ? a : b, *other = rb_is_bus(a) ? b : a;
        rb_fail(fe->diag, RB_ERROR_MODEL, w->at,
                "'%s' is an expandable connector and '%s' is not; connect '%s' to a member such as "
                "'%s.%s'",
                bus->path, other->path, other->path, bus->path, other->elem->name);
        return;
    }
    for (int i = 0; i < a->class->components.count; i++) {
        RbElem *e = a->class->components.data[i];
        RbElem *f = rb_class_elem(fe->classes, b->class, e->name);
        if (!f || !f->component || f->number == 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, w->at,
                    "these connectors do not fit: '%s' (%s) has '%s', but '%s' (%s) has not",
                    a->path, a->class->full_name, e->name, b->path, b->class->full_name);
            return;
        }
        if (is_elsewhere(e) && is_elsewhere(f)) continue; // the inner one is the same for both
        connect_insts(w, rb_inst_child(fe, a, e), rb_inst_child(fe, b, f));
    }
    if (b->class->components.count > a->class->components.count) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->at,
                "these connectors do not fit: '%s' (%s) has more elements than '%s' (%s)", b->path,
                b->class->full_name, a->path, a->class->full_name);
    }
}

// Opaque connectors have no equations: that they are connected is all. It is known of others too, for
// components that gather classes with both kinds.
static bool connect_opaque(const Wire *w, RbInst *a, RbInst *b) {
    bool opaque = rb_is_opaque(w->fe, a->class);
    if (opaque != rb_is_opaque(w->fe, b->class)) {
        rb_fail(
            w->fe->diag, RB_ERROR_MODEL, w->at,
            "these connectors do not fit: '%s' (%s) belongs to a component in C, '%s' (%s) does "
            "not%s",
            opaque ? a->path : b->path, (opaque ? a : b)->class->full_name,
            opaque ? b->path : a->path, (opaque ? b : a)->class->full_name,
            rb_is_msl_multibody((opaque ? b : a)->class) ? ": " RB_MSL_BESIDE : "");
        return true;
    }
    rb_opaque_join(a, b);
    return opaque;
}

static void connect_insts(const Wire *w, RbInst *a, RbInst *b) {
    if (a->kind == RB_INST_BROKEN || b->kind == RB_INST_BROKEN) return;
    if (a->kind == RB_INST_ABSENT || b->kind == RB_INST_ABSENT) return;
    if (a == b) return; // two outer ones that are the same inner one
    if (a->kind != b->kind) {
        rb_fail(w->fe->diag, RB_ERROR_MODEL, w->at,
                "'%s' and '%s' cannot be connected: their structure differs", a->path, b->path);
        return;
    }
    a->connections++;
    b->connections++;
    if (a->kind == RB_INST_COMPONENT && connect_opaque(w, a, b)) return;
    if (a->kind != RB_INST_ARRAY && rb_is_overdetermined(w->fe, a->class)) {
        rb_roots_connect(w->fe, (RbEnd){a, 0, w->outside_a}, (RbEnd){b, 0, w->outside_b}, w->at);
    } else {
        join_insts(w, a, b);
    }
}

static void join_insts(const Wire *w, RbInst *a, RbInst *b) {
    if (a->kind == RB_INST_LEAF) {
        connect_leaves(w, a, b);
    } else if (a->kind == RB_INST_COMPONENT) {
        connect_components(w, a, b);
    } else {
        if (a->count != b->count) {
            rb_fail(w->fe->diag, RB_ERROR_MODEL, w->at,
                    "'%s' has %d elements, but '%s' has %d; they cannot be connected", a->path,
                    a->count, b->path, b->count);
            return;
        }
        for (int i = 0; i < a->count; i++) connect_insts(w, a->items[i], b->items[i]);
    }
}

// The positions (from 1) along one dimension of a variable that a subscript picks.
typedef struct Picked {
    bool all; // no subscript or ':'
    RbExprValue value;
} Picked;

static bool find_picked(RbFrontEnd *fe, const RbVal *v, int k, RbPos at, Picked *p) {
    bool given = v->e->op == RB_OP_SUBSCRIPT && k + 1 < v->e->arg_count;
    const RbExpr *s = given ? v->e->args[k + 1] : NULL;
    *p = (Picked){.all = !s || s->op == RB_OP_ALL};
    if (p->all) return true;
    RbVal subscript = rb_val_expr(fe, s, s->rank, (int[RB_RANK_MAX]){-1}, RB_AST_PARAMETER);
    return rb_val_evaluate(fe, &subscript, &p->value, at, "the subscript of a connector");
}

// u[2] or u[2:3] of an array variable: single elements, known by their number.
static bool push_elements(RbFrontEnd *fe, const RbVal *v, RbPos at, RbEnds *ends) {
    const RbInst *leaf = v->inst;
    Picked picked[RB_RANK_MAX];
    int sizes[RB_RANK_MAX];
    for (int k = 0; k < leaf->rank; k++) {
        if (!find_picked(fe, v, k, at, &picked[k])) return false;
        sizes[k] = picked[k].all ? leaf->dims[k] : picked[k].value.count;
    }
    int size = rb_size_product(leaf->rank, sizes);
    if (size < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "more than %d elements of '%s' are connected",
                RB_SIZE_MAX, leaf->path);
        return false;
    }
    ends->list = rb_new_array(fe->work, RbVal, size + 1);
    for (int i = 0; i < size; i++) {
        int rest = i, element = 0, stride = 1;
        for (int k = leaf->rank - 1; k >= 0; k--) {
            int count = picked[k].all ? leaf->dims[k] : picked[k].value.count;
            int sub = picked[k].all ? rest % count + 1 : (int)picked[k].value.data[rest % count];
            if (sub < 1 || sub > leaf->dims[k]) {
                rb_fail(fe->diag, RB_ERROR_MODEL, at, "subscript %d of '%s' is outside 1 to %d",
                        sub, leaf->path, leaf->dims[k]);
                return false;
            }
            rest /= count;
            element += (sub - 1) * stride;
            stride *= leaf->dims[k];
        }
        ends->list[ends->count++] =
            (RbVal){.kind = RB_VAL_INST, .inst = v->inst, .e = v->e, .element = element};
    }
    return true;
}

bool rb_connect_ends(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbEnds *ends) {
    RbVal v = rb_lower_component(fe, ctx, e);
    *ends = (RbEnds){0};
    if (v.kind == RB_VAL_ABSENT) ends->absent = v.inst;
    if (v.kind == RB_VAL_ERROR || v.kind == RB_VAL_ABSENT) return false;
    if (v.kind != RB_VAL_INST) {
        // A slice over a component array whose elements are of a predefined type.
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is not a connector", rb_expr_text(fe, e));
        return false;
    }
    if (v.field_count > 0) {
        ends->list = v.fields;
        ends->count = v.field_count;
        ends->is_slice = true;
    } else if (v.inst && v.inst->kind == RB_INST_LEAF && v.e) {
        if (!push_elements(fe, &v, e->at, ends)) return false;
        ends->is_slice = v.rank > 0;
    } else {
        ends->list = rb_new(fe->work, RbVal);
        ends->list[0] = v;
        ends->count = 1;
    }
    for (int i = 0; i < ends->count; i++) {
        RbInst *inst = ends->list[i].inst;
        if (ends->list[i].kind == RB_VAL_ABSENT) continue;
        if (!inst || !inst->class ||
            (!rb_class_is_connector(inst->class) &&
             !(inst->parent && rb_class_is_connector(inst->parent->class)))) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is not a connector%s%s",
                    rb_expr_text(fe, e), inst && inst->class ? ", but of class " : "",
                    inst && inst->class ? inst->class->full_name : "");
            return false;
        }
    }
    return true;
}

static void connect_ends(const Wire *w, const RbAstEquation *eq, const RbVal *a, const RbVal *b) {
    if (a->kind == RB_VAL_ABSENT || b->kind == RB_VAL_ABSENT) return;
    bool leaves = a->inst->kind == RB_INST_LEAF && b->inst->kind == RB_INST_LEAF;
    if (leaves && (a->e || b->e)) {
        bool scalars = (a->e || a->inst->rank == 0) && (b->e || b->inst->rank == 0);
        if (!scalars) {
            rb_fail(w->fe->diag, RB_ERROR_MODEL, w->at, "'%s' and '%s' differ in size",
                    rb_expr_text(w->fe, eq->left), rb_expr_text(w->fe, eq->right));
            return;
        }
        a->inst->connections++;
        b->inst->connections++;
        connect_elements(w, a->inst, a->e ? a->element : 0, b->inst, b->e ? b->element : 0, 1);
        if (a->e) rb_sets_name_alone(w->fe, (RbEnd){a->inst, a->element, false});
        if (b->e) rb_sets_name_alone(w->fe, (RbEnd){b->inst, b->element, false});
        return;
    }
    connect_insts(w, a->inst, b->inst);
}

void rb_connect_take_apart(RbFrontEnd *fe, RbEnds *ends) {
    if (ends->count != 1) return;
    RbInst *inst = ends->list[0].inst;
    if (inst->kind == RB_INST_LEAF && inst->rank > 0 && !ends->list[0].e) {
        RbVal v = rb_val_of_inst(fe, inst);
        v.inst = inst;
        *ends = (RbEnds){0};
        push_elements(fe, &v, inst->elem->component->at, ends);
    } else if (inst->kind == RB_INST_ARRAY) {
        *ends =
            (RbEnds){.list = rb_new_array(fe->work, RbVal, inst->count + 1), .count = inst->count};
        for (int i = 0; i < inst->count; i++)
            ends->list[i] = (RbVal){.kind = RB_VAL_INST, .inst = inst->items[i]};
    }
}

void rb_connect_match(RbFrontEnd *fe, RbEnds *a, RbEnds *b) {
    if (b->count != 1 || b->is_slice) rb_connect_take_apart(fe, a);
    if (a->count != 1 || a->is_slice) rb_connect_take_apart(fe, b);
}

// A connector of the class itself, not of one of its components.
static bool is_outside(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbElem *elem = rb_lookup(fe->classes, ctx->scope, e->parts[0].name);
    if (!elem || !elem->component) return false;
    RbClass *class = rb_elem_class(fe->classes, elem);
    return class && rb_class_is_connector(class);
}

static bool is_broken_out(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    const RbClassPart *root = ctx->scope->owner->root;
    for (int i = 0; i < root->broken.count; i++) {
        const RbAstEquation *out = root->broken.data[i]->broken_connect;
        if (!out || ctx->scope == root) continue;
        RbText a = rb_text(fe->arena), b = rb_text(fe->arena);
        rb_ast_print_expr(eq->left, &a), rb_text_add(&a, ","), rb_ast_print_expr(eq->right, &a);
        rb_ast_print_expr(out->left, &b), rb_text_add(&b, ","), rb_ast_print_expr(out->right, &b);
        if (strcmp(a.data, b.data) == 0) return true;
    }
    return false;
}

static void lower_connect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    if (eq->left->kind != RB_AST_REF || eq->right->kind != RB_AST_REF || is_broken_out(fe, ctx, eq))
        return;
    if (!rb_bus_keep(fe, ctx, eq)) rb_connect_now(fe, ctx, eq);
}

static void leave_out(RbFrontEnd *fe, const RbAstEquation *eq, const RbEnds *ends,
                      const RbInst *absent) {
    if (ends->count != 1 || ends->list[0].kind != RB_VAL_INST) return;
    RbLeftOut out = {eq->at, ends->list[0].inst, absent};
    rb_array_push(&fe->left_out, fe->work, out);
}

// Where nothing else is connected instead, this may be why equations are missing.
static void explain_left_out(RbFrontEnd *fe) {
    for (int i = 0; i < fe->left_out.count; i++) {
        const RbLeftOut *out = &fe->left_out.data[i];
        const RbElem *elem = out->absent->elem;
        const RbAstExpr *condition = elem ? elem->component->condition : NULL;
        if (out->there->connections > 0 || !condition) continue;
        const char *text = rb_arena_printf(
            fe->arena,
            "this connection is left out: '%s' does not exist because its condition, %s, is false",
            out->absent->path, rb_expr_text(fe, condition));
        RbFlatNote note = {out->at, text};
        rb_array_push(&fe->flat->left_out, fe->arena, note);
    }
}

// connect(c, ...) or connect(m.c, ...): connectors further inside cannot be seen from here.
static void check_form(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    if (e->kid_count < 3 || e->global) return;
    RbElem *first = rb_lookup(fe->classes, ctx->scope, e->parts[0].name);
    RbClass *around = first && first->component ? rb_elem_class(fe->classes, first) : NULL;
    if (!around || rb_class_is_connector(around) || first->clause->outer) return;
    RbElem *second = rb_class_elem(fe->classes, around, e->parts[1].name);
    RbClass *class = second && second->component ? rb_elem_class(fe->classes, second) : NULL;
    if (!class || rb_class_is_connector(class) || second->clause->outer) return;
    rb_warn(fe->diag, e->at,
            "'%s' is inside of '%s', which is no connector: other tools refuse this; they connect "
            "only connectors of this class and of its components",
            rb_expr_text(fe, e), e->parts[1].name);
}

void rb_connect_now(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    RbEnds a, b;
    check_form(fe, ctx, eq->left);
    check_form(fe, ctx, eq->right);
    bool first = rb_connect_ends(fe, ctx, eq->left, &a);
    if (!first && !a.absent) return;
    bool second = rb_connect_ends(fe, ctx, eq->right, &b);
    if (first && b.absent) leave_out(fe, eq, &a, b.absent);
    if (second && a.absent) leave_out(fe, eq, &b, a.absent);
    if (!first || !second) return;
    rb_connect_match(fe, &a, &b);
    if (a.count != b.count) {
        rb_fail(fe->diag, RB_ERROR_MODEL, eq->at,
                "'%s' has %d elements, but '%s' has %d; they cannot be connected",
                rb_expr_text(fe, eq->left), a.count, rb_expr_text(fe, eq->right), b.count);
        return;
    }
    Wire w = {fe, eq->at, is_outside(fe, ctx, eq->left), is_outside(fe, ctx, eq->right)};
    for (int i = 0; i < a.count; i++) connect_ends(&w, eq, &a.list[i], &b.list[i]);
}

// --- finding connect equations -------------------------------------------------------------------

static bool has_connect(const RbAstEquation *eq) {
    if (eq->kind == RB_AST_EQ_CONNECT || rb_is_roots_equation(eq)) return true;
    if (eq->kind != RB_AST_EQ_IF && eq->kind != RB_AST_EQ_FOR) return false;
    for (int i = 0; i < eq->block_count; i++) {
        for (int k = 0; k < eq->blocks[i].count; k++) {
            if (has_connect(eq->blocks[i].list[k])) return true;
        }
    }
    return false;
}

static void collect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);

static void collect_list(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list,
                         int count) {
    for (int i = 0; i < count; i++) collect(fe, ctx, list[i]);
}

static void collect_if(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    for (int i = 0; i < eq->block_count; i++) {
        const RbAstBlock *b = &eq->blocks[i];
        bool taken = true;
        if (b->condition) {
            RbVal v = rb_lower_expr(fe, ctx, b->condition);
            RbExprValue value;
            if (!rb_val_evaluate(fe, &v, &value, b->condition->at,
                                 "the condition around a connect"))
                return;
            taken = value.count > 0 && value.data[0] != 0;
        }
        if (!taken) continue;
        for (int k = 0; k < b->count; k++) collect(fe, ctx, b->list[k]);
        return;
    }
}

static void collect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    if (!has_connect(eq)) return;
    if (eq->kind == RB_AST_EQ_CONNECT)
        lower_connect(fe, ctx, eq);
    else if (eq->kind == RB_AST_EQ_CALL)
        rb_roots_collect(fe, ctx, eq);
    else if (eq->kind == RB_AST_EQ_FOR)
        rb_lower_loop(fe, ctx, eq, 0, collect_list);
    else
        collect_if(fe, ctx, eq);
}

static void collect_all(RbFrontEnd *fe, RbInst *inst) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) collect_all(fe, inst->items[i]);
    }
    if (inst->kind != RB_INST_COMPONENT) return;
    for (int i = 0; i < inst->class->components.count; i++) {
        RbElem *e = inst->class->components.data[i];
        if (inst->children[i] && !is_elsewhere(e)) collect_all(fe, inst->children[i]);
    }
    for (int i = 0; i < inst->class->sections.count; i++) {
        const RbSectionRef *s = &inst->class->sections.data[i];
        if (s->section->kind != RB_AST_EQUATIONS) continue;
        RbPlace ctx = {.inst = inst, .scope = s->part};
        for (int k = 0; k < s->section->count; k++) collect(fe, &ctx, s->section->list[k]);
    }
}

void rb_connect_collect(RbFrontEnd *fe) {
    collect_all(fe, fe->root);
    rb_bus_expand(fe);
    rb_roots_decide(fe);
    explain_left_out(fe);
}

void rb_connect_equations(RbFrontEnd *fe) {
    rb_sets_equations(fe);
    rb_roots_equations(fe);
    rb_streams_equations(fe);
}
