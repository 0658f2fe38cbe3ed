// SPDX-License-Identifier: MIT
#include "program/limits.h"

#include <math.h>
#include <stdlib.h>

#include "program/program_instance.h"
#include "program/layout.h"

static const double slack = 1e-6; // of the limit or of the nominal value

// One side of the range of one scalar.
typedef struct Bound {
    double limit; // infinite: none, or it was told
    double margin;
    int var, element; // as the user calls it
    int sign;         // -1: that is the negative of the value
} Bound;

typedef struct Range {
    RbCodePlace place;
    Bound least, most; // of the value at `place`
} Range;

struct RbLimits {
    RB_ARRAY(Range) ranges; // one for each place, in their order
};

// Parameters are looked at before (rb_warn_of_ranges).
static bool has_limits(const RbProgramInstance *in, int var) {
    const RbFlatVar *v = &in->program->dae->model->vars.data[var];
    bool number = v->type == RB_REAL || v->type == RB_INTEGER;
    bool varies = v->variability > RB_PARAMETER;
    return number && varies && (v->attributes.min || v->attributes.max);
}

// What cannot be computed is no limit.
static double number_of(RbProgramInstance *in, const RbExpr *e, int element, double otherwise) {
    RbArena scratch = *in->call_arena;
    RbExprValue value;
    int failed = in->frame.failed;
    const char *failure = in->failure;
    bool known = e && rb_interpret_value(in, e, &scratch, &value);
    in->frame.failed = failed;
    in->failure = failure;
    if (!known) return otherwise;
    double number = value.data[value.rank > 0 && element < value.count ? element : 0];
    return isnan(number) ? otherwise : number;
}

static RbCodePlace place_of(const RbProgramInstance *in, int var, int element) {
    const RbDaeVar *d = &in->program->dae->vars.data[var];
    RbCodePlace place = rb_place(in->program->lowered, var);
    if (d->whole) place.index = in->sizes[RB_SIZES * d->slot] + element;
    return place;
}

static void add_limits(RbProgramInstance *in, struct RbLimits *l, int var, int element) {
    const RbAttributes *a = &in->program->dae->model->vars.data[var].attributes;
    const RbDaeVar *d = &in->program->dae->vars.data[var];
    bool alias = d->kind == RB_DAE_ALIAS;
    int sign = alias ? d->sign : 1;
    double min = number_of(in, a->min, element, -INFINITY);
    double max = number_of(in, a->max, element, INFINITY);
    double nominal = fabs(number_of(in, a->nominal, element, 1));
    double least = sign > 0 ? min : -max, most = sign > 0 ? max : -min;
    Range r = {.place = place_of(in, alias ? d->alias : var, element),
               .least = {least, slack * fmax(fabs(least), nominal), var, element, sign},
               .most = {most, slack * fmax(fabs(most), nominal), var, element, sign}};
    if (r.place.area >= 0) rb_array_push(&l->ranges, in->arena, r);
}

static int by_place(const void *a, const void *b) {
    const Range *x = a, *y = b;
    if (x->place.area != y->place.area) return x->place.area < y->place.area ? -1 : 1;
    if (x->place.index != y->place.index) return x->place.index < y->place.index ? -1 : 1;
    return (x->least.var > y->least.var) - (x->least.var < y->least.var);
}

// Of ranges of one place, the narrowest limits are left.
static void merge(struct RbLimits *l) {
    Range *r = l->ranges.data;
    int kept = 0;
    if (l->ranges.count > 0) qsort(r, (size_t)l->ranges.count, sizeof *r, by_place);
    for (int i = 0; i < l->ranges.count; i++) {
        bool same = kept > 0 && r[kept - 1].place.area == r[i].place.area &&
                    r[kept - 1].place.index == r[i].place.index;
        if (!same) {
            r[kept++] = r[i];
            continue;
        }
        if (r[i].least.limit > r[kept - 1].least.limit) r[kept - 1].least = r[i].least;
        if (r[i].most.limit < r[kept - 1].most.limit) r[kept - 1].most = r[i].most;
    }
    l->ranges.count = kept;
}

void rb_limits_open(RbProgramInstance *in) {
    if (!in->limits) in->limits = rb_new(in->arena, struct RbLimits);
    struct RbLimits *l = in->limits;
    l->ranges.count = 0;
    for (int v = 0; v < in->program->dae->vars.count; v++) {
        int count = has_limits(in, v) ? rb_program_elements(in, v) : 0;
        for (int k = 0; k < count; k++) add_limits(in, l, v, k);
    }
    merge(l);
}

// What follows from parameters alone does not change.
bool rb_limits_vary(const RbProgramInstance *in) {
    const struct RbLimits *l = in->limits;
    return l && l->ranges.count > 0 && l->ranges.data[l->ranges.count - 1].place.area > RB_AREA_P;
}

static void warn(RbProgramInstance *in, const Bound *b, double value, bool most, RbDiag *diag) {
    bool max = most == (b->sign > 0);
    const RbFlatVar *v = &in->program->dae->model->vars.data[b->var];
    rb_warn(diag, rb_flat_var_place(v),
            "time %.10g s: '%s' is %g, but its %s is %g (this is said once)", in->frame.t,
            rb_program_element_name(in, b->var, b->element, diag->arena), b->sign * value,
            max ? "max" : "min", b->sign * b->limit);
}

void rb_limits_check(RbProgramInstance *in, RbDiag *diag) {
    struct RbLimits *l = in->limits;
    for (int i = 0; l && i < l->ranges.count; i++) {
        Range *r = &l->ranges.data[i];
        double value = rb_area(in, r->place.area)[r->place.index];
        if (value < r->least.limit - r->least.margin) {
            warn(in, &r->least, value, false, diag);
            r->least.limit = -INFINITY;
        }
        if (value > r->most.limit + r->most.margin) {
            warn(in, &r->most, value, true, diag);
            r->most.limit = INFINITY;
        }
    }
}
