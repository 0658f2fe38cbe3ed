// SPDX-License-Identifier: MIT
#include "program/extent.h"

#include <math.h>
#include <string.h>

#include "program/program_instance.h"
#include "program/layout.h"
#include "expr/builtins.h"

static const RbFlatVar *flat(const RbExtents *l, int var) {
    return &l->dae->model->vars.data[var];
}

int rb_extent_count(const RbExtent *s) {
    return rb_size_product(s->rank, s->dims);
}

static bool same_shape(const RbExtent *a, const RbExtent *b) {
    if (a->rank != b->rank) return false;
    for (int k = 0; k < a->rank; k++) {
        if (a->dims[k] != b->dims[k]) return false;
    }
    return true;
}

const char *rb_extent_text(const RbExtent *s, RbArena *arena) {
    if (s->rank == 1) return rb_arena_printf(arena, "[%d]", s->dims[0]);
    return s->rank == 2 ? rb_arena_printf(arena, "[%d,%d]", s->dims[0], s->dims[1]) : "a scalar";
}

// --- values that sizes follow from ---------------------------------------------------------------

static bool find_shape(RbExtents *l, int var);

static RbExprValue value_of_shape(RbArena *arena, const RbExtent *s) {
    return rb_value_array(arena, RB_REAL, s->rank, s->dims);
}

static bool lookup_array(RbExtents *l, RbEnv *env, int var, RbExprValue *value) {
    const RbDaeVar *v = &l->dae->vars.data[var];
    const RbArrayValue *set = &l->in->array_values[v->slot];
    const RbExpr *own = flat(l, var)->binding;
    if (!find_shape(l, var)) return false;
    *value = value_of_shape(env->arena, &l->arrays[v->slot]);
    if (v->kind != RB_DAE_PARAMETER) return true; // only its size can matter
    if (set->given) {
        memcpy(value->data, set->data, (size_t)value->count * sizeof(double));
        return true;
    }
    RbExprValue e;
    if (!own || !rb_eval(env, own, &e) || !e.data) return false;
    for (int i = 0; i < value->count; i++)
        value->data[i] = e.data[e.rank > 0 && i < e.count ? i : 0];
    return true;
}

static bool lookup(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    RbExtents *l = user;
    if (leaf->op == RB_OP_BUILTIN && leaf->index == RB_FN_SIZE) {
        int var = leaf->args[0]->index;
        double k = 0;
        rb_constant_value(leaf->args[1], &k);
        if (!(k >= 1 && k <= flat(l, var)->rank)) return false;
        bool whole = l->dae->vars.data[var].whole;
        if (whole && !find_shape(l, var)) return false;
        int size = whole ? l->arrays[l->dae->vars.data[var].slot].dims[(int)k - 1]
                         : flat(l, var)->dims[(int)k - 1];
        *value = rb_value_number(env->arena, RB_INTEGER, size);
        return true;
    }
    if (leaf->op != RB_OP_VAR) return false;
    const RbDaeVar *v = &l->dae->vars.data[leaf->index];
    if (v->whole) return lookup_array(l, env, leaf->index, value);
    const RbExpr *e = flat(l, leaf->index)->binding;
    if (v->kind == RB_DAE_PARAMETER && l->in->overridden[v->slot]) {
        *value = rb_value_number(env->arena, (RbType)leaf->type, l->in->override_values[v->slot]);
        return true;
    }
    if (!e) e = flat(l, leaf->index)->attributes.start;
    bool fixed = v->kind == RB_DAE_PARAMETER || leaf->type == RB_STRING;
    return fixed && e && rb_eval(env, e, value);
}

static bool call_other(void *user, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                       RbExprValue *results) {
    const RbProgramInstance *in = ((RbExtents *)user)->in;
    return in->call && in->call(in->call_user, env, f, args, results);
}

static RbEnv environment(RbExtents *l, RbArena *arena) {
    return (RbEnv){
        .model = l->dae->model, .arena = arena, .lookup = lookup, .call = call_other, .user = l};
}

// --- shapes of expressions -----------------------------------------------------------------------

static int number(RbExtents *l, const RbExpr *e) {
    RbEnv env = environment(l, l->arena);
    double n;
    if (rb_eval_number(&env, e, &n) && n >= 0 && n <= RB_SIZE_MAX && n == floor(n)) return (int)n;
    l->misfit = true;
    return 0;
}

static RbExtent product_shape(RbExtents *l, const RbExpr *e) {
    RbExtent a = rb_extent_of(l, e->args[0]), b = rb_extent_of(l, e->args[1]), s = {0};
    if (a.rank == 0 || b.rank == 0) return a.rank == 0 ? b : a;
    if (a.dims[a.rank - 1] != b.dims[0]) l->misfit = true;
    if (a.rank == 2) s.dims[s.rank++] = a.dims[0];
    if (b.rank == 2) s.dims[s.rank++] = b.dims[1];
    return s;
}

static RbExtent constructor_shape(RbExtents *l, const RbExpr *e) {
    RbExtent first = e->arg_count > 0 ? rb_extent_of(l, e->args[0]) : (RbExtent){0};
    for (int i = 1; i < e->arg_count && e->rank > 1; i++) {
        RbExtent other = rb_extent_of(l, e->args[i]);
        if (!same_shape(&first, &other)) l->misfit = true;
    }
    return (RbExtent){first.rank + 1, {e->arg_count, first.dims[0]}};
}

// A scalar goes with any size.
static RbExtent common_shape(RbExtents *l, const RbExpr *e) {
    RbExtent s = {0};
    for (int i = 0; i < e->arg_count; i++) {
        RbExtent a = rb_extent_of(l, e->args[i]);
        if (s.rank > 0 && a.rank > 0 && !same_shape(&s, &a)) l->misfit = true;
        if (a.rank > 0) s = a;
    }
    return s;
}

static void ask_sizes(void *user, const RbExpr *e, int dims[RB_RANK_MAX]) {
    RbExtent s = rb_extent_of(user, e);
    for (int d = 0; d < s.rank; d++) dims[d] = s.dims[d];
}

static int ask_number(void *user, const RbExpr *e) {
    return number(user, e);
}

static void note_misfit(void *user) {
    ((RbExtents *)user)->misfit = true;
}

static RbExtent builtin_shape(RbExtents *l, const RbExpr *e) {
    int dims[RB_RANK_MAX] = {0, 1};
    rb_builtin_shape(e, &(RbShapeAsk){ask_sizes, ask_number, note_misfit, l}, dims);
    return e->rank > 0 ? (RbExtent){e->rank, {dims[0], dims[1]}} : (RbExtent){0};
}

// first : step : last
static int range_length(RbExtents *l, const RbExpr *e, int *first, int *step) {
    RbEnv env = environment(l, l->arena);
    double part[3];
    for (int i = 0; i < 3; i++) {
        if (rb_eval_number(&env, e->args[i], &part[i]) && fabs(part[i]) <= RB_SIZE_MAX) continue;
        l->misfit = true;
        return 0;
    }
    *first = (int)part[0];
    *step = (int)part[1];
    double n = part[1] != 0 ? floor((part[2] - part[0]) / part[1]) + 1 : 0;
    return n > 0 ? (int)n : 0;
}

static void check_subscript(RbExtents *l, const RbExpr *array, int value, int size) {
    if (value >= 1 && value <= size) return;
    l->misfit = true;
    const char *name = array->op == RB_OP_VAR ? flat(l, array->index)->name : NULL;
    l->why = rb_arena_printf(l->arena, "subscript %d%s%s%s is outside 1 to %d", value,
                             name ? " of '" : "", name ? name : "", name ? "'" : "", size);
}

RbSlice rb_slice_of(RbExtents *l, const RbExpr *e) {
    RbExtent whole = rb_extent_of(l, e->args[0]);
    RbSlice slice = {.shape.dims = {1, 1}};
    for (int d = 0; d < whole.rank; d++) {
        const RbExpr *s = d + 1 < e->arg_count ? e->args[d + 1] : NULL;
        int stride = d + 1 < whole.rank ? whole.dims[d + 1] : 1, first = 1, step = 1,
            count = whole.dims[d];
        bool all = !s || s->op == RB_OP_ALL;
        if (!all && s->rank > 0) count = range_length(l, s, &first, &step);
        if (!all && s->rank == 0) first = number(l, s);
        if (!all && (s->rank == 0 || count > 0)) {
            check_subscript(l, e->args[0], first, whole.dims[d]);
            if (s->rank > 0)
                check_subscript(l, e->args[0], first + (count - 1) * step, whole.dims[d]);
        }
        slice.first += (first - 1) * stride;
        if (s && s->rank == 0) continue;
        slice.step[slice.shape.rank] = step * stride;
        slice.shape.dims[slice.shape.rank++] = count;
    }
    if (l->misfit) slice.first = 0;
    return slice;
}

// The sizes of a result are expressions over the inputs.
static RbExtent call_extent(RbExtents *l, const RbExpr *e) {
    const RbExpr *call = e->op == RB_OP_RESULT ? e->args[0] : e;
    const RbFunction *f = l->dae->model->functions.data[call->index];
    const RbFunctionVar *out =
        &f->vars.data[f->input_count + (e->op == RB_OP_RESULT ? e->index : 0)];
    RbExprValue *locals = rb_new_array(l->arena, RbExprValue, f->vars.count + 1);
    for (int i = 0; i < call->arg_count; i++) {
        const RbExpr *a = call->args[i];
        RbEnv own = environment(l, l->arena);
        RbExtent s = rb_extent_of(l, a);
        int dims[RB_RANK_MAX] = {s.dims[0], s.dims[1]};
        // only Integers decide sizes
        if (a->type != RB_INTEGER || !rb_eval(&own, a, &locals[i]))
            locals[i] = rb_value_array(l->arena, (RbType)a->type, a->rank, dims);
    }
    RbEnv env = environment(l, l->arena);
    env.locals = locals;
    env.function = f;
    RbExtent out_extent = {out->rank, {1, 1}};
    for (int k = 0; k < out->rank; k++) {
        double n = -1;
        bool known = out->dims[k] && rb_eval_number(&env, out->dims[k], &n);
        if (!known || !(n >= 0 && n <= RB_SIZE_MAX)) l->misfit = true;
        out_extent.dims[k] = l->misfit ? 0 : (int)n;
    }
    return out_extent;
}

static RbExtent range_shape(RbExtents *l, const RbExpr *e) {
    int first, step;
    return (RbExtent){1, {range_length(l, e, &first, &step), 1}};
}

RbExtent rb_extent_of(RbExtents *l, const RbExpr *e) {
    switch ((RbOp)e->op) {
        case RB_OP_VAR: {
            const RbDaeVar *v = &l->dae->vars.data[e->index];
            return v->whole ? l->arrays[v->slot] : (RbExtent){0};
        }
        case RB_OP_MUL: return product_shape(l, e);
        case RB_OP_ARRAY: return constructor_shape(l, e);
        case RB_OP_BUILTIN: return builtin_shape(l, e);
        case RB_OP_RANGE: return range_shape(l, e);
        case RB_OP_SUBSCRIPT: return rb_slice_of(l, e).shape;
        case RB_OP_CALL:
        case RB_OP_RESULT:
            return e->rank > 0 && rb_whole_call(l->dae, e) ? call_extent(l, e) : (RbExtent){0};
        default: return common_shape(l, e);
    }
}

// --- shapes of arrays ----------------------------------------------------------------------------

static bool shape_from_value(RbExtents *l, int var, RbExtent *s) {
    RbEnv env = environment(l, l->arena);
    const RbExpr *e = flat(l, var)->binding;
    RbExprValue value;
    if (!e || !rb_eval(&env, e, &value) || value.rank != s->rank) return false;
    for (int k = 0; k < s->rank; k++) s->dims[k] = value.dims[k];
    return true;
}

// A set value has its own size; otherwise the declaration tells, or what is left open the value.
static bool find_shape(RbExtents *l, int var) {
    const RbFlatVar *v = flat(l, var);
    int slot = l->dae->vars.data[var].slot;
    const RbArrayValue *set = &l->in->array_values[slot];
    RbExtent *s = &l->arrays[slot];
    if (l->state[slot] == RB_EXTENT_BUSY)
        return s->dims[0] >= 0; // A[:, size(A, 1)]: the first is known
    if (l->state[slot] == RB_EXTENT_DONE) return true;
    l->state[slot] = RB_EXTENT_BUSY;
    *s = (RbExtent){v->rank, {v->dims[0], v->rank > 1 ? v->dims[1] : 1}};
    bool open = false;
    for (int k = 0; k < v->rank; k++) open |= !v->dim_exprs[k];
    if (set->given)
        memcpy(s->dims, set->dims, (size_t)v->rank * sizeof(int));
    else if (open && v->variability == RB_PARAMETER)
        shape_from_value(l, var, s);
    for (int k = 0; k < v->rank && !set->given; k++) {
        if (v->dim_exprs[k]) s->dims[k] = number(l, v->dim_exprs[k]);
    }
    l->state[slot] = RB_EXTENT_DONE;
    return true;
}

// --- checks --------------------------------------------------------------------------------------

// Every array of some expressions with its size and where it is declared.
const char *rb_extent_list(RbExtents *l, const RbExpr *const *list, int count) {
    RbText text = rb_text(l->diag->arena);
    RbExprOrder order = rb_expr_order(l->dae->exprs, list, count, l->arena);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op != RB_OP_VAR) continue;
        int v = order.nodes[i]->index;
        const RbDaeVar *d = &l->dae->vars.data[v];
        if (!d->whole || d->auxiliary || (d->is_der && d->integral >= 0)) continue;
        const RbFlatVar *f = flat(l, v);
        rb_text_printf(&text, "%s'%s' is %s", text.count > 0 ? ", " : "", f->name,
                       rb_extent_text(&l->arrays[d->slot], l->arena));
        if (f->at.file) rb_text_printf(&text, " (%s:%d)", f->at.file, f->at.line);
    }
    return text.count > 0 ? text.data : "";
}

static bool has_whole(RbExtents *l, const RbDaeEq *eq) {
    RbArena scratch = *l->arena;
    const RbExpr *sides[] = {eq->left, eq->right};
    RbExprOrder order = rb_expr_order(l->dae->exprs, sides, 2, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_VAR && l->dae->vars.data[n->index].whole) return true;
    }
    return false;
}

static RbStatus misfit(RbExtents *l, const RbExpr *const *sides, int count, RbPos at) {
    const char *arrays = rb_extent_list(l, sides, count);
    if (l->why) return rb_fail(l->diag, RB_ERROR_MODEL, at, "%s: %s", l->why, arrays);
    return rb_fail(l->diag, RB_ERROR_MODEL, at,
                   "the sizes in this equation do not fit together: %s", arrays);
}

static RbStatus check_equations(RbExtents *l, const RbDaeEq *eqs, int count) {
    for (int i = 0; i < count; i++) {
        if (!has_whole(l, &eqs[i])) continue;
        l->misfit = false;
        RbExtent a = rb_extent_of(l, eqs[i].left), b = rb_extent_of(l, eqs[i].right);
        if (a.rank > 0 && b.rank > 0 && !same_shape(&a, &b)) l->misfit = true;
        if (l->misfit)
            return misfit(l, (const RbExpr *[]){eqs[i].left, eqs[i].right}, 2, eqs[i].at);
    }
    return RB_OK;
}

static RbStatus check_value(RbExtents *l, const RbExpr *e, RbPos at) {
    if (!e) return RB_OK;
    l->misfit = false;
    rb_extent_of(l, e);
    return l->misfit ? misfit(l, &e, 1, at) : RB_OK;
}

// Sizes that equations of elements rely on, and what stands in relations and at events.
static RbStatus check_values(RbExtents *l) {
    for (int i = 0; i < l->dae->size_checks.count; i++) {
        const RbSizeCheck *c = &l->dae->size_checks.data[i];
        RbExtent want = {c->rank, {c->dims[0], c->rank > 1 ? c->dims[1] : 1}};
        RB_TRY(check_value(l, c->value, c->at));
        RbExtent is = rb_extent_of(l, c->value);
        if (same_shape(&is, &want)) continue;
        return rb_fail(l->diag, RB_ERROR_MODEL, c->at,
                       "one side of this equation has the size %s and cannot get another one after "
                       "translation, but the other is %s now: %s",
                       rb_extent_text(&want, l->arena), rb_extent_text(&is, l->arena),
                       rb_extent_list(l, &c->value, 1));
    }
    for (int i = 0; i < l->dae->relations.count; i++) {
        const RbRelation *r = &l->dae->relations.data[i];
        RB_TRY(check_value(l, r->left, r->at));
        RB_TRY(check_value(l, r->right, r->at));
    }
    for (int i = 0; i < l->dae->actions.count; i++) {
        const RbAction *a = &l->dae->actions.data[i];
        RB_TRY(check_value(l, a->condition, a->at));
        if (a->kind == RB_ACTION_REINIT) RB_TRY(check_value(l, a->value, a->at));
    }
    return RB_OK;
}

// The size that was set, or of the value, against what the declaration says.
static RbStatus check_variable(RbExtents *l, int var) {
    const RbFlatVar *v = flat(l, var);
    const RbDaeVar *d = &l->dae->vars.data[var];
    const RbExtent *s = &l->arrays[d->slot];
    RbExtent declared = *s;
    for (int k = 0; k < v->rank; k++) {
        if (v->dim_exprs[k]) declared.dims[k] = number(l, v->dim_exprs[k]);
    }
    if (!same_shape(&declared, s)) {
        if (d->auxiliary) v = flat(l, v->dim_exprs[0]->args[0]->index); // $start(x)
        const char *others = rb_extent_list(l, v->dim_exprs, 2);
        return rb_fail(l->diag, RB_ERROR_MODEL, v->at,
                       "'%s' was set to a value of size %s, but its size is %s%s%s", v->name,
                       rb_extent_text(s, l->arena), rb_extent_text(&declared, l->arena),
                       others[0] ? ": " : "", others);
    }
    if (d->kind != RB_DAE_ALIAS) return RB_OK;
    const RbExtent *other = &l->arrays[l->dae->vars.data[d->alias].slot];
    if (same_shape(s, other)) return RB_OK;
    const RbExpr *both[] = {rb_flat_ref(l->dae->model, var), rb_flat_ref(l->dae->model, d->alias)};
    return rb_fail(l->diag, RB_ERROR_MODEL, v->at,
                   "'%s' and '%s' are equal, but their sizes are not: %s", v->name,
                   flat(l, d->alias)->name, rb_extent_list(l, both, 2));
}

RbStatus rb_find_extents(RbExtents *l) {
    for (int i = 0; i < l->dae->arrays.count; i++) {
        l->misfit = false;
        find_shape(l, l->dae->arrays.data[i]);
        const RbFlatVar *v = flat(l, l->dae->arrays.data[i]);
        const RbExtent *s = &l->arrays[i];
        if (l->misfit)
            return rb_fail(l->diag, RB_ERROR_MODEL, v->at,
                           "the parameters do not give '%s' a size: it must be a whole number from "
                           "0 to %d",
                           v->name, RB_SIZE_MAX);
        if (rb_extent_count(s) < 0)
            return rb_fail(l->diag, RB_ERROR_MODEL, v->at, "'%s' has more than %d elements",
                           v->name, RB_SIZE_MAX);
    }
    for (int i = 0; i < l->dae->arrays.count; i++)
        RB_TRY(check_variable(l, l->dae->arrays.data[i]));
    RB_TRY(check_equations(l, l->dae->eqs.data, l->dae->eqs.count));
    RB_TRY(check_equations(l, l->dae->initial_eqs.data, l->dae->initial_eqs.count));
    return check_values(l);
}

RbExtents rb_extents(RbProgramInstance *in, RbArena *arena, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    return (RbExtents){.in = in,
                       .dae = d,
                       .diag = diag,
                       .arena = arena,
                       .arrays = rb_new_array(arena, RbExtent, d->arrays.count + 1),
                       .state = rb_new_array(arena, unsigned char, d->arrays.count + 1)};
}

RbExtents rb_present_extents(const RbProgramInstance *in, RbArena *arena) {
    RbExtents l = rb_extents((RbProgramInstance *)in, arena, NULL);
    for (int i = 0; i < l.dae->arrays.count; i++) {
        const int *sizes = &in->sizes[RB_SIZES * i];
        l.arrays[i] = (RbExtent){flat(&l, l.dae->arrays.data[i])->rank,
                                 {sizes[RB_SIZES_ROWS], sizes[RB_SIZES_COLUMNS]}};
        l.state[i] = RB_EXTENT_DONE;
    }
    return l;
}
