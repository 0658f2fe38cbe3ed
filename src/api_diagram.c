// SPDX-License-Identifier: MIT
// Diagrams (include/rattleback/diagram.h).
#include <string.h>

#include "api_context.h"
#include "base/file.h"
#include "export/diagram_svg.h"
#include "export/render.h"

typedef struct DiagramCall {
    RbContext *context;
    const RbDiagram *diagram;
    const char *file, *svg;
    RbArena keep;
} DiagramCall;

static RbStatus draw(void *argument) {
    DiagramCall *call = argument;
    RbText svg = rb_text(&call->context->arena);
    rb_diagram_to_svg(call->diagram, &svg);
    call->svg = rb_text_done(&svg);
    return RB_OK;
}

static RbStatus write_diagram(void *argument) {
    DiagramCall *call = argument;
    RbDiag *diag = &call->context->diag;
    RbText svg = rb_text(&call->keep);
    rb_diagram_to_svg(call->diagram, &svg);
    if (rb_text_ends_with(call->file, ".png"))
        return rb_render_svg(call->file, svg.data, 2, &call->keep, diag);
    if (!rb_text_ends_with(call->file, ".svg") && strcmp(call->file, "-") != 0)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "a diagram is written as .svg or .png, not as '%s'", call->file);
    return rb_file_write(call->file, svg.data, (size_t)svg.count, diag);
}

static RbStatus check_diagram(RbContext *c, const char *function, const RbDiagram *diagram) {
    if (diagram->panel_count < 1 || !diagram->panels)
        return rb_bad_argument(c, function, "diagram", "has no panels");
    for (int i = 0; i < diagram->panel_count; i++) {
        const RbDiagramPanel *p = &diagram->panels[i];
        if (p->curve_count < 0 || (p->curve_count > 0 && !p->curves))
            return rb_bad_argument(c, function, "diagram", "has a panel without curves");
        for (int k = 0; k < p->curve_count; k++) {
            const RbDiagramCurve *q = &p->curves[k];
            if (q->count > 0 && (!q->x || !q->y || (q->mark == RB_MARK_BAND && !q->top)))
                return rb_bad_argument(c, function, "diagram", "has a curve without numbers");
        }
    }
    return RB_OK;
}

RbStatus rb_diagram_svg(RbContext *context, const RbDiagram *diagram, const char **svg) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, diagram);
    RB_NEED(context, svg);
    RB_TRY(check_diagram(context, __func__, diagram));
    DiagramCall call = {.context = context, .diagram = diagram};
    RbStatus status = rb_context_call(context, draw, &call);
    *svg = call.svg;
    return status;
}

RbStatus rb_diagram_write(RbContext *context, const RbDiagram *diagram, const char *file) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, diagram);
    RB_NEED(context, file);
    RB_TRY(check_diagram(context, __func__, diagram));
    DiagramCall call = {.context = context, .diagram = diagram, .file = file};
    call.keep = rb_arena(&context->heap);
    RbStatus status = rb_context_call(context, write_diagram, &call);
    rb_arena_free(&call.keep);
    return status;
}
