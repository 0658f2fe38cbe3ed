// SPDX-License-Identifier: MIT
// Charts (include/rattleback/chart.h).
#include <string.h>

#include "api_context.h"
#include "base/file.h"
#include "export/chart_svg.h"
#include "export/render.h"

typedef struct ChartCall {
    RbContext *context;
    const RbChart *chart;
    const char *file, *svg;
    RbArena keep;
} ChartCall;

static RbStatus draw(void *argument) {
    ChartCall *call = argument;
    RbText svg = rb_text(&call->context->arena);
    rb_chart_to_svg(call->chart, &svg);
    call->svg = rb_text_done(&svg);
    return RB_OK;
}

static RbStatus write_chart(void *argument) {
    ChartCall *call = argument;
    RbDiag *diag = &call->context->diag;
    RbText svg = rb_text(&call->keep);
    rb_chart_to_svg(call->chart, &svg);
    if (rb_text_ends_with(call->file, ".png"))
        return rb_render_svg(call->file, svg.data, 2, &call->keep, diag);
    if (!rb_text_ends_with(call->file, ".svg") && strcmp(call->file, "-") != 0)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "a chart is written as .svg or .png, not as '%s'", call->file);
    return rb_file_write(call->file, svg.data, (size_t)svg.count, diag);
}

static RbStatus check_chart(RbContext *c, const char *function, const RbChart *chart) {
    if (chart->panel_count < 1 || !chart->panels)
        return rb_bad_argument(c, function, "chart", "has no panels");
    for (int i = 0; i < chart->panel_count; i++) {
        const RbChartPanel *p = &chart->panels[i];
        if (p->curve_count < 0 || (p->curve_count > 0 && !p->curves))
            return rb_bad_argument(c, function, "chart", "has a panel without curves");
        for (int k = 0; k < p->curve_count; k++) {
            const RbChartCurve *q = &p->curves[k];
            if (q->count > 0 && (!q->x || !q->y || (q->mark == RB_MARK_BAND && !q->top)))
                return rb_bad_argument(c, function, "chart", "has a curve without numbers");
        }
    }
    return RB_OK;
}

RbStatus rb_chart_svg(RbContext *context, const RbChart *chart, const char **svg) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, chart);
    RB_NEED(context, svg);
    RB_TRY(check_chart(context, __func__, chart));
    ChartCall call = {.context = context, .chart = chart};
    RbStatus status = rb_context_call(context, draw, &call);
    *svg = call.svg;
    return status;
}

RbStatus rb_chart_write(RbContext *context, const RbChart *chart, const char *file) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, chart);
    RB_NEED(context, file);
    RB_TRY(check_chart(context, __func__, chart));
    ChartCall call = {.context = context, .chart = chart, .file = file};
    call.keep = rb_arena(&context->heap);
    RbStatus status = rb_context_call(context, write_chart, &call);
    rb_arena_free(&call.keep);
    return status;
}
