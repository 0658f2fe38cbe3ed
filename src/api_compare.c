// SPDX-License-Identifier: MIT
// Comparison of results (include/rattleback/compare.h).
#include "api_result.h"
#include "io/compare.h"
#include "io/filter.h"

typedef struct CompareCall {
    RbContext *context;
    const RbResult *test, *reference;
    const RbCompareOptions *options;
    bool all;
    RbComparison *comparison;
    const RbComparison *shown;
    const char *text;
} CompareCall;

static RbResult *without_missing_parameters(CompareCall *call, const RbResult *reference) {
    RbContext *c = call->context;
    bool *keep = rb_new_array(&c->arena, bool, reference->variables.count);
    for (int i = 0; i < reference->variables.count; i++) {
        const RbResultVariable *v = &reference->variables.data[i];
        keep[i] = !v->parameter || rb_result_find(call->test, v->name) >= 0;
    }
    return rb_result_select(reference, keep, &c->arena, c->scratch);
}

static RbStatus compare(void *argument) {
    CompareCall *call = argument;
    RbContext *c = call->context;
    const RbResult *reference = call->reference;
    const char *expression = call->options->variable_filter;
    RbFilter *filter;
    RB_TRY(rb_filter_compile(expression, &c->arena, &c->diag, &filter));
    if (expression)
        reference = rb_filter_select(filter, reference, &c->arena, c->scratch, &c->diag);
    reference = without_missing_parameters(call, reference);
    return rb_compare(reference, call->test, *call->options, &c->arena, c->scratch, &c->diag,
                      &call->comparison);
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
    CompareCall call = {
        .context = c, .test = results->result, .reference = reference->result, .options = options};
    RbStatus status = rb_context_call(c, compare, &call);
    *comparison = call.comparison;
    return status;
}

static RbStatus print_comparison(void *argument) {
    CompareCall *call = argument;
    RbText table = rb_text(&call->context->arena);
    rb_compare_print(call->shown, call->all, &table);
    call->text = rb_text_done(&table);
    return RB_OK;
}

RbStatus rb_comparison_text(RbContext *context, const RbComparison *comparison, bool all,
                            const char **text) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, comparison);
    RB_NEED(context, text);
    CompareCall call = {.context = context, .shown = comparison, .all = all};
    RbStatus status = rb_context_call(context, print_comparison, &call);
    *text = call.text;
    return status;
}
