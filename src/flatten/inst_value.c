// SPDX-License-Identifier: MIT
// What a component is worth in an expression: a variable, its known value, a record, an array.
#include <string.h>

#include "flatten/expression.h"

static bool wants_evaluation(const RbInst *i) {
    if (i->variability == RB_AST_CONSTANT) return true;
    if (i->variability != RB_AST_PARAMETER) return false;
    return rb_annotation_is_true(i->elem->component->comment.annotation, "Evaluate");
}

// A constant that is replaced by its number loses its unit, so units around it cannot be checked.
static void note_unit(RbFrontEnd *fe, const RbInst *i) {
    if (i->class->type != RB_REAL || i->elem->component->condition) return;
    RbMods types = {i->class->type_mods.data, i->class->type_mods.count};
    if (rb_mods_of(fe->work, i->mods, fe->n_unit).count > 0 ||
        rb_mods_of(fe->work, types, fe->n_unit).count > 0) {
        fe->units_lost++;
    }
}

// The value of a component that has no variable and no value at translation.
static RbVal value_of_binding(RbFrontEnd *fe, RbInst *i) {
    RbVal *binding = i->variability >= RB_AST_PARAMETER ? rb_inst_binding(fe, i) : NULL;
    if (binding && (binding->kind == RB_VAL_EXPR || binding->kind == RB_VAL_ERROR)) return *binding;
    if (i->variability != RB_AST_CONSTANT) {
        rb_fail(fe->diag, RB_ERROR_MODEL, i->elem->component->at,
                "'%s' is used outside the class it belongs to, but it is not a constant", i->path);
    } else {
        rb_fail(fe->diag, RB_ERROR_MODEL, i->elem->component->at, "the constant '%s' has no value",
                i->path);
    }
    return rb_val_error();
}

RbVal rb_val_of_leaf(RbFrontEnd *fe, RbInst *i) {
    RbExprValue value;
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = i->class->is_external_object ? RB_EXTERNAL : i->class->type,
               .class = i->class,
               .rank = i->rank,
               .variability = i->variability};
    memcpy(v.dims, i->dims, sizeof v.dims);
    if (v.variability == RB_AST_CONTINUOUS && v.type != RB_REAL) v.variability = RB_AST_DISCRETE;
    if ((i->is_static || wants_evaluation(i)) && rb_inst_value(fe, i, RB_USE_STRUCTURE, &value)) {
        v.e = rb_value_expr(fe->x, &value, *fe->scratch);
        note_unit(fe, i);
        if (i->var >= 0) fe->flat->vars.data[i->var].is_structural = true;
        if (i->class->type == RB_ENUM && v.rank == 0) v.e = rb_enum(fe->x, (int64_t)value.data[0]);
        return v;
    }
    if (i->var < 0) return value_of_binding(fe, i);
    v.e = rb_flat_ref(fe->flat, i->var);
    return v;
}

static RbVal record_value(RbFrontEnd *fe, RbInst *i) {
    RbVal v = {.kind = RB_VAL_RECORD, .class = i->class, .variability = RB_AST_CONSTANT, .inst = i};
    v.field_count = i->class->components.count;
    v.fields = rb_new_array(fe->work, RbVal, v.field_count + 1);
    for (int k = 0; k < v.field_count; k++) {
        v.fields[k] = rb_val_of_inst(fe, rb_inst_child(fe, i, i->class->components.data[k]));
        if (v.fields[k].kind == RB_VAL_ERROR) return rb_val_error();
        v.variability = rb_weaker(v.variability, v.fields[k].variability);
    }
    return v;
}

// Items of a component array, nested by dimension.
RbVal rb_val_nest(RbFrontEnd *fe, const RbVal *items, const int *dims, int rank, RbPos at) {
    if (rank == 1) return rb_val_array(fe, items, dims[0], at);
    int below = rb_size_product(rank - 1, dims + 1);
    RbVal *rows = rb_new_array(fe->work, RbVal, dims[0] + 1);
    for (int k = 0; k < dims[0]; k++)
        rows[k] = rb_val_nest(fe, items + k * below, dims + 1, rank - 1, at);
    return rb_val_array(fe, rows, dims[0], at);
}

static RbVal array_of_insts(RbFrontEnd *fe, RbInst *i) {
    if (!rb_class_is_record(i->class) && !i->class->is_type) {
        return (RbVal){.kind = RB_VAL_INST, .inst = i, .rank = i->rank};
    }
    if (i->count == 0 && rb_class_is_record(i->class))
        return rb_val_no_records(fe, i->class, i->rank, i->dims);
    RbVal *items = rb_new_array(fe->work, RbVal, i->count + 1);
    for (int k = 0; k < i->count; k++) items[k] = rb_val_of_inst(fe, i->items[k]);
    return rb_val_nest(fe, items, i->dims, i->rank, i->elem->component->at);
}

RbVal rb_val_of_inst(RbFrontEnd *fe, RbInst *i) {
    switch (i->kind) {
        case RB_INST_LEAF: return rb_val_of_leaf(fe, i);
        case RB_INST_ARRAY: return array_of_insts(fe, i);
        case RB_INST_ABSENT: return (RbVal){.kind = RB_VAL_ABSENT, .inst = i};
        case RB_INST_BROKEN: return rb_val_error();
        case RB_INST_COMPONENT: break;
    }
    if (rb_class_is_record(i->class)) return record_value(fe, i);
    return (RbVal){.kind = RB_VAL_INST, .inst = i};
}
