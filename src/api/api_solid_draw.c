// SPDX-License-Identifier: MIT
// Pictures of solids (include/rattleback/solid.h): a model of one component that only draws, whose run is a single
// instant.
#include <math.h>
#include <stdio.h>

#include "api/api_solid.h"

typedef struct Shelf {
    const RbNamedWorkpiece *solids;
    int count;
} Shelf;

typedef struct ShelfComponent {
    const Shelf *shelf;
} ShelfComponent;

static RbStatus build(void *self, RbBuild *b) {
    ((ShelfComponent *)self)->shelf = rb_build_data(b);
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    (void)self, (void)s;
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)self, (void)e, (void)function, (void)inputs, (void)outputs;
    return RB_EVAL_OK;
}

// The first one stands where it is; each further one behind a gap of a tenth of the wider neighbour.
static void draw(void *self, RbDrawing *drawing) {
    const Shelf *shelf = ((const ShelfComponent *)self)->shelf;
    double end = 0, width_before = 0;
    for (int i = 0; i < shelf->count; i++) {
        const double *x;
        const int *triangles;
        int vertices, count;
        rb_workpiece_mesh(shelf->solids[i].form, &x, &vertices, &triangles, &count);
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < vertices; k++) low = fmin(low, x[3 * k]), high = fmax(high, x[3 * k]);
        RbDrawObject o = rb_draw_object(shelf->solids[i].name, RB_FORM_MESH);
        o.mesh = rb_drawing_mesh(drawing, x, vertices, triangles, count);
        if (i > 0) o.position[0] = end + 0.1 * fmax(high - low, width_before) - low;
        rb_drawing_add(drawing, &o);
        end = o.position[0] + high;
        width_before = high - low;
    }
}

static const RbComponentType shelf_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Shelf",
    .description = "solids that are only seen",
    .memory = sizeof(ShelfComponent),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .draw = draw,
};

static RbStatus make_model(RbContext *c, const char *title, Shelf solids, const char *file,
                           const char **journal, RbModel **model) {
    RB_CALL(c);
    *journal = rb_arena_printf(&c->arena, "%s.rbj", file);
    *model = rb_model_new(title, "", &c->arena);
    (*model)->context = c;
    Shelf *shelf = rb_new(&c->arena, Shelf);
    *shelf = solids;
    return rb_model_add_with(*model, &shelf_type, "solids", shelf, &c->diag, NULL);
}

static RbStatus write_picture(RbContext *c, const char *journal, const char *file) {
    RbRenderOptions look = rb_render_options_default();
    if (rb_text_ends_with(file, ".html")) return rb_view(c, journal, file, NULL);
    if (rb_text_ends_with(file, ".png")) return rb_render(c, journal, file, &look);
    return rb_export(c, journal, file, NAN);
}

static RbStatus check_ending(RbContext *c, const char *file) {
    if (rb_text_ends_with(file, ".html") || rb_text_ends_with(file, ".png") || rb_can_export(file))
        return RB_OK;
    RB_CALL(c);
    return rb_fail(&c->diag, RB_ERROR_USAGE, rb_in_file(file),
                   "solids can be drawn in files that end in .html, .png, .glb, .json, .obj, .ply "
                   "or .stl");
}

RbStatus rb_workpieces_draw(RbContext *context, const char *title, const RbNamedWorkpiece *solids,
                            int count, const char *file) {
    const char *journal;
    RbModel *model;
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, title);
    RB_NEED(context, solids);
    RB_NEED(context, file);
    if (count < 1) return rb_bad_argument(context, __func__, "count", "is not positive");
    RB_TRY(check_ending(context, file));
    RB_TRY(make_model(context, title, (Shelf){solids, count}, file, &journal, &model));
    RbSimOptions options = rb_sim_options_default();
    options.stop_time = 0;
    options.journal_file = journal;
    RbStatus status = rb_simulate(context, model, &options, NULL);
    if (status == RB_OK) status = write_picture(context, journal, file);
    remove(journal);
    return status;
}
