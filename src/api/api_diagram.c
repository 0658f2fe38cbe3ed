// SPDX-License-Identifier: MIT
// Diagrams (include/rattleback/diagram.h).
#include "api/api_context.h"
#include "export/diagram_svg.h"
#include "export/svg_file.h"

static RbStatus write_diagram(RbContext *c, const RbDiagram *diagram, const char *file,
                              RbArena *keep) {
    RB_CALL(c);
    RbDiag *diag = &c->diag;
    *keep = rb_arena(&c->heap);
    if (!rb_svg_can_write(file))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "a diagram is written as .svg, .png or .pdf, not as '%s'", file);
    RbText svg = rb_text(keep);
    rb_diagram_to_svg(diagram, &svg);
    return rb_svg_write(file, svg.data, diagram->dark, keep, diag);
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
    *svg = NULL;
    RB_CALL(context);
    RbText text = rb_text(&context->arena);
    rb_diagram_to_svg(diagram, &text);
    *svg = rb_text_done(&text);
    return RB_OK;
}

RbStatus rb_diagram_write(RbContext *context, const RbDiagram *diagram, const char *file) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, diagram);
    RB_NEED(context, file);
    RB_TRY(check_diagram(context, __func__, diagram));
    RbArena keep = {0};
    RbStatus status = write_diagram(context, diagram, file, &keep);
    rb_arena_free(&keep);
    return status;
}
