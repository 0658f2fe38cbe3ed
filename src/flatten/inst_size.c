// SPDX-License-Identifier: MIT
// Sizes of components: given, left open (':'), or following from parameters that may change later.
#include <string.h>

#include "flatten/inst.h"

// Is this size(name, k) with a number k? Answers k, or 0.
int rb_own_size(const RbAstExpr *e, RbName name) {
    if (e->kind != RB_AST_CALL || e->kid_count != 3 || e->iterator_count > 0) return 0;
    const RbAstExpr *f = e->kids[0], *array = e->kids[1], *k = e->kids[2];
    if (f->kid_count != 1 || strcmp(f->parts[0].name, "size") != 0) return 0;
    if (array->kind != RB_AST_REF || array->kid_count != 1 || array->parts[0].name != name)
        return 0;
    if (k->kind != RB_AST_INTEGER || k->text.length != 1) return 0;
    return k->text.start[0] - '0';
}

// How many values an enumeration or Boolean has, as a size: Real x[Boolean]; -1 for the rest.
static int type_size(const RbVal *v) {
    if (v->kind != RB_VAL_CLASS || !v->class->is_type) return -1;
    if (v->class->enumeration) return v->class->enumeration->literal_count;
    return v->class->type == RB_BOOLEAN ? 2 : -1;
}

static bool lower_dim(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbDims *d, int k,
                      RbName name) {
    RbPlace place = *ctx;
    place.keeps.sizes = d->keeps;
    RbVal v = rb_lower_expr(fe, &place, e);
    if (v.kind == RB_VAL_ERROR) return false;
    d->dims[k] = type_size(&v);
    if (d->dims[k] >= 0) return true;
    int64_t size;
    const char *what = rb_arena_printf(fe->work, "the size of '%s'", name);
    bool known = d->keeps ? rb_val_evaluate_size(fe, &v, &size, e->at, what)
                          : rb_val_evaluate_integer(fe, &v, &size, e->at, what);
    if (!known) return false;
    if (d->keeps && !rb_is_constant(v.e)) {
        d->exprs[k] = v.e;
        d->has_free_size = true;
    }
    if (size < 0 || size > RB_SIZE_MAX) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                "the size of '%s' is %lld; it must be between 0 and %d", name, (long long)size,
                RB_SIZE_MAX);
        return false;
    }
    d->dims[k] = (int)size;
    return true;
}

static bool add_dims(RbFrontEnd *fe, const RbPlace *ctx, RbAstExpr *const *list, int count,
                     RbDims *d, RbName name) {
    for (int i = 0; i < count; i++) {
        if (d->rank == RB_RANK_MAX) {
            rb_fail(fe->diag, RB_ERROR_MODEL, list[i]->at, "'%s' has more than %d dimensions", name,
                    RB_RANK_MAX);
            return false;
        }
        int k = d->rank++;
        int like = rb_own_size(list[i], name);
        bool other = like > 0 && like <= RB_RANK_MAX && like != d->rank;
        d->dims[k] = -1;
        if (list[i]->kind == RB_AST_COLON || other) {
            d->open = true;
            d->like[k] = like;
        } else if (!lower_dim(fe, ctx, list[i], d, k, name)) {
            return false;
        }
    }
    return true;
}

// Dimensions of a component: its own, then those of its clause, then those of its type.
bool rb_inst_dims(RbFrontEnd *fe, RbInst *parent, RbElem *e, RbClass *class, RbDims *d) {
    RbPlace ctx = rb_inst_place(fe, parent, e->scope);
    if (!add_dims(fe, &ctx, e->component->dimensions, e->component->dimension_count, d, e->name))
        return false;
    if (!add_dims(fe, &ctx, e->clause->dimensions, e->clause->dimension_count, d, e->name))
        return false;
    if (e->replaces && e->component->dimension_count == 0 && e->clause->dimension_count == 0) {
        // A redeclaration without subscripts keeps the size of what it replaces.
        RbElem *old = e->replaces;
        RbPlace outer = rb_inst_place(fe, parent, old->scope);
        if (!add_dims(fe, &outer, old->component->dimensions, old->component->dimension_count, d,
                      e->name) ||
            !add_dims(fe, &outer, old->clause->dimensions, old->clause->dimension_count, d,
                      e->name)) {
            return false;
        }
    }
    for (int i = 0; i < class->dimensions.count; i++) {
        const RbDimensions *more = &class->dimensions.data[i];
        RbPlace outer = rb_inst_place(fe, parent, more->scope);
        if (!add_dims(fe, &outer, more->list, more->count, d, e->name)) return false;
    }
    return true;
}

// The value of a function whose sizes follow from what it computes: they are found by calling it.
static void compute_sizes(RbFrontEnd *fe, const RbInst *i, RbVal *binding) {
    RbExprValue value;
    bool open = false;
    if (!binding || binding->kind != RB_VAL_EXPR || binding->rank != i->rank ||
        binding->variability < RB_AST_PARAMETER)
        return;
    for (int k = 0; k < binding->rank; k++) open |= binding->dims[k] < 0;
    if (!open) return;
    const char *what = rb_arena_printf(fe->work, "the size of '%s'", i->path);
    if (!rb_val_evaluate(fe, binding, &value, i->elem->component->at, what)) return;
    for (int k = 0; k < binding->rank; k++) // an empty array may have lost its dimensions
        binding->dims[k] = k < value.rank ? value.dims[k] : 0;
}

// A value for a size that the declaration leaves open: the size of the binding.
void rb_inst_close_dims(RbFrontEnd *fe, RbInst *i, RbDims *d) {
    memcpy(i->dims, d->dims, sizeof i->dims);
    i->rank = d->rank;
    RbVal *binding = rb_inst_binding(fe, i);
    if (d->open) compute_sizes(fe, i, binding);
    for (int k = 0; k < d->rank; k++) {
        if (d->dims[k] >= 0) continue;
        bool known = binding && binding->kind != RB_VAL_ERROR && binding->rank == d->rank &&
                     binding->dims[k] >= 0;
        if (!known && (!binding || binding->kind != RB_VAL_ERROR)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, i->elem->component->at,
                    binding
                        ? "the size of '%s' is open (':'), and its value does not give it"
                        : "the size of '%s' is open (':'), but it has no value that would give it",
                    i->path);
        }
        d->dims[k] = known ? binding->dims[k] : 1;
    }
    for (int k = 0; k < d->rank; k++) {
        int like = d->like[k];
        if (like == 0 || (like <= d->rank && d->dims[like - 1] == d->dims[k])) continue;
        rb_fail(
            fe->diag, RB_ERROR_MODEL, i->elem->component->at,
            "dimension %d of '%s' has size %d, but it must be like dimension %d, which has size %d",
            k + 1, i->path, d->dims[k], like, like <= d->rank ? d->dims[like - 1] : 0);
    }
    memcpy(i->dims, d->dims, sizeof i->dims);
}

// Sizes that follow from parameters, or from the value of a parameter, may change later.
void rb_inst_keep_sizes(RbFrontEnd *fe, const RbInst *i, const RbDims *d) {
    RbFlatVar *v = &fe->flat->vars.data[i->var];
    if (!d->keeps || v->variability == RB_CONSTANT || v->variability == RB_DISCRETE) return;
    memcpy(v->dim_exprs, d->exprs, sizeof v->dim_exprs);
    for (int k = 0; k < d->rank; k++) {
        if (d->like[k] > 0)
            v->dim_exprs[k] = rb_builtin2(fe->x, RB_FN_SIZE, rb_flat_ref(fe->flat, i->var),
                                          rb_integer(fe->x, d->like[k]));
    }
    v->has_free_size = d->has_free_size || (d->open && v->variability == RB_PARAMETER);
}
