// SPDX-License-Identifier: MIT
// Comparison of results (include/rattleback/compare.h).
#include "api/api_result.h"
#include "io/compare.h"
#include "io/filter.h"

static RbResult *without_missing_parameters(RbContext *c, const RbResult *test,
                                            const RbResult *reference) {
    bool *keep = rb_new_array(&c->arena, bool, reference->variables.count);
    for (int i = 0; i < reference->variables.count; i++) {
        const RbResultVariable *v = &reference->variables.data[i];
        keep[i] = !v->parameter || rb_result_find(test, v->name) >= 0;
    }
    return rb_result_select(reference, keep, &c->arena, c->scratch);
}

static RbStatus check_options(RbContext *c, const char *function, const RbCompareOptions *o) {
    if (!(o->value_tol > 0))
        return rb_bad_argument(c, function, "options->value_tol", "is not a positive number");
    if (!(o->time_tol > 0))
        return rb_bad_argument(c, function, "options->time_tol", "is not a positive number");
    if (!(o->relative_floor >= 0))
        return rb_bad_argument(c, function, "options->relative_floor", "is not a number from 0 on");
    if (!(o->absolute_floor >= 0))
        return rb_bad_argument(c, function, "options->absolute_floor", "is not a number from 0 on");
    return RB_OK;
}

RbStatus rb_results_compare(const RbResults *results, const RbResults *reference,
                            const RbCompareOptions *options, const RbComparison **comparison) {
    if (!results) return RB_ERROR_USAGE;
    RbContext *c = results->context;
    RB_NEED(c, comparison);
    *comparison = NULL;
    RB_NEED(c, reference);
    RB_NEED(c, options);
    if (reference->context != c)
        return rb_bad_argument(c, __func__, "reference", "belongs to another context");
    RB_TRY(check_options(c, __func__, options));
    RB_CALL(c);
    const RbResult *chosen = reference->result;
    const char *expression = options->variable_filter;
    RbFilter *filter;
    RbComparison *made;
    RB_TRY(rb_filter_compile(expression, &c->arena, &c->diag, &filter));
    if (expression) chosen = rb_filter_select(filter, chosen, &c->arena, c->scratch, &c->diag);
    chosen = without_missing_parameters(c, results->result, chosen);
    RB_TRY(rb_compare(chosen, results->result, *options, &c->arena, c->scratch, &c->diag, &made));
    *comparison = made;
    return RB_OK;
}

RbStatus rb_comparison_text(RbContext *context, const RbComparison *comparison, bool all,
                            const char **text) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, comparison);
    RB_NEED(context, text);
    *text = NULL;
    RB_CALL(context);
    RbText table = rb_text(&context->arena);
    rb_compare_print(comparison, all, &table);
    *text = rb_text_done(&table);
    return RB_OK;
}
