// SPDX-License-Identifier: MIT
#include "translate/drawn_surface.h"

#include <math.h>

#include "expr/eval.h"
#include "io/drawing.h"
#include "program/program_instance.h"

// Results of the function.
enum { X, Y, Z, COLOURS };

static bool is_grid(const RbExprValue *v, int rows, int columns) {
    return v->rank == 2 && v->dims[0] == rows && v->dims[1] == columns;
}

static unsigned char *colours_of(const RbExprValue *c, int count, RbArena *arena) {
    if (!c->data || c->rank != 3 || c->count != 3 * count) return NULL;
    unsigned char *rgba = rb_new_array(arena, unsigned char, 4 * (size_t)count);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) rgba[4 * i + k] = rb_colour_byte(c->data[3 * i + k]);
        rgba[4 * i + 3] = 255;
    }
    return rgba;
}

RbSurfaceGrid rb_surface_grid(RbProgramInstance *in, const RbFlatVisual *surface, RbArena *arena) {
    const RbExpr *call = surface->surface;
    const RbFunction *f = call ? in->program->dae->model->functions.data[call->index] : NULL;
    RbExprValue *r = rb_new_array(arena, RbExprValue, f ? f->output_count + 1 : 1);
    if (!f || !rb_interpret_results(in, call, arena, r)) return (RbSurfaceGrid){0};
    int rows = r[X].rank == 2 ? r[X].dims[0] : 0, columns = rows > 0 ? r[X].dims[1] : 0;
    if (rows < 2 || columns < 2 || !is_grid(&r[Y], rows, columns) || !is_grid(&r[Z], rows, columns))
        return (RbSurfaceGrid){0};
    int count = rows * columns;
    RbSurfaceGrid g = {rows, columns, rb_new_array(arena, double, 3 * (size_t)count), NULL};
    for (int i = 0; i < 3 * count; i++) {
        double value = r[X + i % 3].data[i / 3];
        g.points[i] = isfinite(value) ? value : 0; // not computed yet
    }
    if (f->output_count > COLOURS) g.colours = colours_of(&r[COLOURS], count, arena);
    return g;
}

int rb_surface_triangles(int rows, int columns, RbArena *arena, int **triangles) {
    int count = 2 * (rows - 1) * (columns - 1), *t = rb_new_array(arena, int, 3 * (size_t)count);
    *triangles = t;
    for (int i = 0; i + 1 < rows; i++) {
        for (int j = 0; j + 1 < columns; j++, t += 6) {
            int a = i * columns + j, b = a + columns;
            t[0] = a, t[1] = b, t[2] = b + 1;
            t[3] = a, t[4] = b + 1, t[5] = a + 1;
        }
    }
    return count;
}

static bool is_parameter(const RbSortedDae *dae, int var) {
    const RbDaeVar *d = &dae->vars.data[var];
    if (d->kind == RB_DAE_ALIAS) return is_parameter(dae, d->alias);
    bool apart = dae->model->vars.data[var].rank > 0 && !d->whole;
    int count = apart ? rb_flat_size(&dae->model->vars.data[var]) : 0;
    for (int k = 0; k < count; k++) {
        if (!is_parameter(dae, d->elements + k)) return false;
    }
    return apart || d->kind == RB_DAE_PARAMETER;
}

bool rb_surface_stands_still(const RbProgramInstance *in, const RbFlatVisual *surface,
                             RbArena scratch) {
    const RbSortedDae *dae = in->program->dae;
    if (!surface->surface) return true;
    RbExprOrder order = rb_expr_order(dae->exprs, &surface->surface, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *e = order.nodes[i];
        if (e->op == RB_OP_TIME || e->op == RB_OP_PRE) return false;
        if (e->op == RB_OP_VAR && !is_parameter(dae, e->index)) return false;
    }
    return true;
}
