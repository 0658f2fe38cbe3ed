// SPDX-License-Identifier: MIT
// Values of expressions while they are lowered: types, sizes, conversions.
#include <string.h>

#include "flatten/expression.h"

RbVal rb_val_error(void) {
    return (RbVal){.kind = RB_VAL_ERROR};
}

RbVal rb_val_expr(RbFrontEnd *fe, const RbExpr *e, int rank, const int *dims,
                  RbAstVariability variability) {
    (void)fe;
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = (RbType)e->type,
               .rank = rank,
               .e = e,
               .variability = variability};
    for (int i = 0; i < rank; i++) v.dims[i] = dims[i];
    return v;
}

static const char *base_type_name(const RbVal *v) {
    static const char *const names[] = {"Real",   "Integer",        "Boolean",
                                        "String", "an enumeration", "an external object",
                                        "Clock"};
    if ((v->kind == RB_VAL_RECORD || v->type == RB_ENUM || v->type == RB_EXTERNAL) && v->class) {
        return v->class->full_name;
    }
    return names[v->type];
}

const char *rb_val_type_name(RbFrontEnd *fe, const RbVal *v) {
    switch (v->kind) {
        case RB_VAL_ERROR: return "an error";
        case RB_VAL_CLASS: return rb_arena_printf(fe->arena, "the class '%s'", v->class->full_name);
        case RB_VAL_INST:
            return rb_arena_printf(fe->arena, "a component of the %s '%s'",
                                   rb_restriction_name(v->inst->class->restriction),
                                   v->inst->class->full_name);
        case RB_VAL_FUNCTION:
            return rb_arena_printf(fe->arena, "the function '%s'", v->class->full_name);
        case RB_VAL_TUPLE: return "a list of results";
        case RB_VAL_ABSENT: return "an absent component";
        default: break;
    }
    if (v->rank == 0) return base_type_name(v);
    RbText text = rb_text(fe->arena);
    rb_text_add(&text, base_type_name(v));
    for (int i = 0; i < v->rank; i++) {
        rb_text_add(&text, i == 0 ? "[" : ",");
        if (v->dims[i] < 0)
            rb_text_add(&text, ":");
        else
            rb_text_printf(&text, "%d", v->dims[i]);
    }
    rb_text_add(&text, "]");
    return text.data;
}

bool rb_val_same_dims(const RbVal *a, const RbVal *b) {
    if (a->rank != b->rank) return false;
    for (int i = 0; i < a->rank; i++) {
        if (a->dims[i] >= 0 && b->dims[i] >= 0 && a->dims[i] != b->dims[i]) return false;
    }
    return true;
}

bool rb_val_is_numeric(const RbVal *v) {
    return v->kind == RB_VAL_EXPR && (v->type == RB_REAL || v->type == RB_INTEGER);
}

RbVal *rb_val_copy_fields(RbFrontEnd *fe, const RbVal *v) {
    RbVal *fields = rb_new_array(fe->work, RbVal, v->field_count + 1);
    if (v->field_count > 0) memcpy(fields, v->fields, (size_t)v->field_count * sizeof(RbVal));
    return fields;
}

static RbVal no_values(RbFrontEnd *fe, RbClass *class, int rank, const int *dims) {
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = class->type,
               .class = class,
               .rank = rank,
               .variability = RB_AST_CONSTANT,
               .e = rb_array(fe->x, NULL, 0)};
    memcpy(v.dims, dims, (size_t)rank * sizeof(int));
    return v;
}

RbVal rb_val_no_records(RbFrontEnd *fe, RbClass *class, int rank, const int *dims) {
    rb_class_list(fe->classes, class);
    RbVal out = {.kind = RB_VAL_RECORD,
                 .class = class,
                 .rank = rank,
                 .variability = RB_AST_CONSTANT,
                 .field_count = class->components.count};
    memcpy(out.dims, dims, (size_t)rank * sizeof(int));
    out.fields = rb_new_array(fe->arena, RbVal, out.field_count + 1);
    for (int i = 0; i < out.field_count; i++) {
        const RbElem *e = class->components.data[i];
        RbClass *type = rb_elem_class(fe->classes, class->components.data[i]);
        if (!type || !rb_class_ready(fe->classes, type)) return rb_val_error();
        int all[RB_RANK_MAX] = {0},
            own = e->component->dimension_count + e->clause->dimension_count;
        memcpy(all, dims, (size_t)rank * sizeof(int));
        if (rank + own > RB_RANK_MAX) return rb_val_error();
        out.fields[i] = type->is_type ? no_values(fe, type, rank + own, all)
                                      : rb_val_no_records(fe, type, rank + own, all);
    }
    return out;
}

// --- conversion ----------------------------------------------------------------------------------

bool rb_val_same_class(const RbClass *a, const RbClass *b) {
    if (!a || !b || a == b) return true;
    if (a->enumeration || b->enumeration) return a->enumeration == b->enumeration;
    return true; // records are compared by their fields, external objects by their functions
}

static RbVal convert_record(RbFrontEnd *fe, RbVal v, const RbVal *wanted, RbPos at,
                            const char *what) {
    RbVal out = v;
    out.class = wanted->class;
    out.field_count = wanted->field_count;
    out.fields = rb_new_array(fe->work, RbVal, wanted->field_count + 1);
    for (int i = 0; i < wanted->field_count; i++) {
        RbName name = wanted->class->components.data[i]->name;
        const RbVal *field = NULL;
        for (int k = 0; k < v.field_count; k++) {
            if (v.class->components.data[k]->name == name) field = &v.fields[k];
        }
        if (!field) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at,
                    "%s must be a record '%s', but '%s' has no field '%s'", what,
                    wanted->class->full_name, v.class->full_name, name);
            return rb_val_error();
        }
        out.fields[i] =
            wanted->fields ? rb_val_convert(fe, *field, &wanted->fields[i], at, what) : *field;
    }
    return out;
}

bool rb_val_fits(const RbVal *v, const RbVal *wanted) {
    return v->kind == RB_VAL_EXPR && wanted->kind == RB_VAL_EXPR && rb_val_same_dims(v, wanted) &&
           (v->type == wanted->type || (wanted->type == RB_REAL && v->type == RB_INTEGER)) &&
           v->type != RB_ENUM;
}

// {} may be an array of anything.
static bool is_empty(const RbVal *v) {
    return v->kind == RB_VAL_EXPR && v->rank == 1 && v->dims[0] == 0 && v->e->op == RB_OP_ARRAY;
}

static bool type_fits(const RbVal *v, const RbVal *wanted) {
    if (v->kind != wanted->kind) return false;
    if (v->kind != RB_VAL_EXPR) return v->kind == RB_VAL_RECORD;
    return (v->type == wanted->type || (wanted->type == RB_REAL && v->type == RB_INTEGER)) &&
           (v->type != RB_ENUM || rb_val_same_class(v->class, wanted->class));
}

static bool check_fit(RbFrontEnd *fe, const RbVal *v, const RbVal *wanted, RbPos at,
                      const char *what) {
    bool type = type_fits(v, wanted) && v->rank == wanted->rank;
    if (v->kind == RB_VAL_ABSENT) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s uses '%s', which does not exist because %s", what,
                v->inst ? v->inst->path : "a component", rb_inst_absence(v->inst));
    } else if (!type) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must be %s, but this is %s%s", what,
                rb_val_type_name(fe, wanted), rb_val_type_name(fe, v),
                v->kind == RB_VAL_INST && wanted->kind == RB_VAL_EXPR && wanted->type == RB_STRING
                    ? "; its name as a text stands in quotes"
                    : "");
    } else if (!rb_val_same_dims(v, wanted)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must have the size of %s, but this is %s", what,
                rb_val_type_name(fe, wanted), rb_val_type_name(fe, v));
    } else {
        return true;
    }
    return false;
}

RbVal rb_val_convert(RbFrontEnd *fe, RbVal v, const RbVal *wanted, RbPos at, const char *what) {
    v = rb_val_single(v);
    if (v.kind == RB_VAL_ERROR) return v;
    if (is_empty(&v) && wanted->rank >= 1)
        return (RbVal){.kind = wanted->kind,
                       .type = wanted->type,
                       .class = wanted->class,
                       .rank = v.rank,
                       .e = v.e,
                       .variability = v.variability};
    if (!check_fit(fe, &v, wanted, at, what)) return rb_val_error();
    if (v.kind == RB_VAL_RECORD) return convert_record(fe, v, wanted, at, what);
    if (wanted->type == RB_REAL && v.type == RB_INTEGER) {
        v.type = RB_REAL;
        if (v.e->op == RB_OP_INTEGER)
            v.e = rb_real(fe->x, (double)v.e->integer);
        else if (v.rank == 0)
            v.e = rb_builtin1(fe->x, RB_FN_TO_REAL, v.e);
    }
    return v;
}
