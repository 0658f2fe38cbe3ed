// SPDX-License-Identifier: MIT
// (out0, out1) = spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues): what flows through a
// pipe from 0 to 1 (Modelica specification, 3.7.4.2). Where it flows in, an end has the value that is put in; at the other
// end comes out what was put in when the medium entered, for which the run remembers the past (program/delay.h).
#include "flatten/builtin.h"

typedef struct Profile { // at the start
    const RbExpr **points, **values;
    int count;
} Profile;

static bool vector_of(const RbBuiltinCall *c, int i, RbVal *v) {
    *v = rb_builtin_arg(c, i);
    if (v->kind == RB_VAL_ERROR) return false;
    bool fits = v->kind == RB_VAL_EXPR && v->rank == 1 && v->dims[0] >= 2 &&
                (v->type == RB_REAL || v->type == RB_INTEGER) && v->variability >= RB_AST_PARAMETER;
    if (!fits)
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at,
                "argument %d of spatialDistribution must be a vector of at least two parameters, "
                "but this is %s",
                i + 1, rb_val_type_name(c->fe, v));
    return fits;
}

static const RbExpr **elements(RbFrontEnd *fe, const RbVal *v) {
    const RbExpr **list = rb_new_array(fe->arena, const RbExpr *, v->dims[0]);
    for (int i = 1; i <= v->dims[0]; i++) list[i - 1] = rb_val_element(fe, v, &i, 1).e;
    return list;
}

// The points rise from 0 to 1.
static bool check_points(const RbBuiltinCall *c, const RbVal *points) {
    RbExprValue value;
    RbFrontEnd *fe = c->fe;
    if (!rb_val_evaluate(fe, points, &value, c->args[4]->at,
                         "the initial points of spatialDistribution"))
        return false;
    bool good = value.data[0] == 0 && value.data[value.count - 1] == 1;
    for (int i = 1; i < value.count; i++) good = good && value.data[i] >= value.data[i - 1];
    if (!good)
        rb_fail(fe->diag, RB_ERROR_MODEL, c->args[4]->at,
                "the initial points of spatialDistribution must rise from 0 to 1");
    return good;
}

static bool profile_of(const RbBuiltinCall *c, Profile *p) {
    RbFrontEnd *fe = c->fe;
    RbVal points, values;
    if (c->count == 4) {
        const RbExpr *zero = rb_real(fe->x, 0.0), *one = rb_real(fe->x, 1.0);
        *p = (Profile){rb_new_array(fe->arena, const RbExpr *, 2),
                       rb_new_array(fe->arena, const RbExpr *, 2), 2};
        p->points[0] = p->values[0] = p->values[1] = zero;
        p->points[1] = one;
        return true;
    }
    if (!vector_of(c, 4, &points) || !vector_of(c, 5, &values) || !check_points(c, &points))
        return false;
    if (points.dims[0] != values.dims[0]) {
        rb_fail(fe->diag, RB_ERROR_MODEL, c->args[5]->at,
                "spatialDistribution has %d initial points, but %d initial values", points.dims[0],
                values.dims[0]);
        return false;
    }
    *p = (Profile){elements(fe, &points), elements(fe, &values), points.dims[0]};
    return true;
}

// What comes out on a side.
static const RbExpr *outlet(RbFrontEnd *fe, const RbVal *v, const Profile *p, int side) {
    const RbExpr **args = rb_new_array(fe->arena, const RbExpr *, 4 + 2 * p->count);
    for (int i = 0; i < 3; i++) args[i] = v[i].e;
    args[3] = rb_real(fe->x, side);
    for (int i = 0; i < p->count; i++) {
        args[4 + i] = p->points[i];
        args[4 + p->count + i] = p->values[i];
    }
    return rb_builtin(fe->x, RB_FN_TRANSPORT, args, 4 + 2 * p->count);
}

RbVal rb_builtin_transport(const RbBuiltinCall *c) {
    RbFrontEnd *fe = c->fe;
    RbVal v[4];
    Profile p;
    if (c->count == 5 || !rb_builtin_count(c, 4, 6)) {
        if (c->count == 5)
            rb_builtin_fail(c, c->e->at,
                            "spatialDistribution with initial points needs initial values");
        return rb_val_error();
    }
    if (c->ctx->frame)
        return rb_builtin_fail(c, c->e->at,
                               "spatialDistribution(...) cannot be used in a function");
    for (int i = 0; i < 4; i++) {
        if (!rb_builtin_typed(c, i, i < 3 ? 'r' : 'b', &v[i])) return rb_val_error();
        if (v[i].rank > 0)
            return rb_builtin_fail(c, c->args[i]->at,
                                   "the first arguments of spatialDistribution must be scalars");
    }
    if (!profile_of(c, &p)) return rb_val_error();
    RbVal *out = rb_new_array(fe->arena, RbVal, 2);
    for (int side = 0; side < 2; side++) {
        const RbExpr *comes = outlet(fe, v, &p, side), *goes = v[side].e;
        out[side] =
            rb_val_scalar(rb_if(fe->x, v[3].e, side == 0 ? goes : comes, side == 0 ? comes : goes),
                          RB_AST_CONTINUOUS);
        out[side].type = RB_REAL;
    }
    return (RbVal){.kind = RB_VAL_TUPLE,
                   .fields = out,
                   .field_count = 2,
                   .e = out[0].e,
                   .variability = RB_AST_CONTINUOUS};
}
