// SPDX-License-Identifier: MIT
// tables.c: the functions behind the table blocks of the Modelica Standard Library 4 (CombiTable1D,
// CombiTable2D, CombiTimeTable), by the names and arguments that its external clauses give them.
#include <float.h>
#include <math.h>
#include <string.h>

#include "external/interpolate.h"
#include "external/native.h"
#include "io/matrix_file.h"

typedef struct Table {
    const char *name; // for messages
    RbCurves *curves; // of one variable
    RbTimeTable *time;
    RbSurface *surface;
} Table;

// --- making a table ------------------------------------------------------------------------------

static double number(const RbNativeCall *c, int i) {
    return c->external->args[i].data[0];
}

static const char *text(const RbNativeCall *c, int i) {
    return c->external->args[i].text[0];
}

static bool fail(RbNativeCall *c, const RbDiag *diag) {
    const RbMessage *m = diag->messages.count > 0 ? &diag->messages.data[0] : NULL;
    const char *why = m ? m->text : "the table cannot be made";
    if (m && m->at.file && m->at.line > 0)
        why = rb_arena_printf(c->env->arena, "%s:%d: %s", m->at.file, m->at.line, why);
    else if (m && m->at.file)
        why = rb_arena_printf(c->env->arena, "%s: %s", m->at.file, why);
    if (!c->env->error) c->env->error = why;
    return false;
}

static bool is_given(const char *name) {
    return strcmp(name, "NoName") != 0 && strspn(name, " ") != strlen(name);
}

// The arguments of all three constructors begin with: file, name, matrix, rows, columns; and end
// with: verbose, delimiter, header lines.
static RbStatus read_matrix(RbNativeCall *c, RbArena *arena, RbDiag *diag, Table *t,
                            RbMatrix *matrix) {
    const char *file = text(c, 0), *name = text(c, 1);
    const RbExprValue *given = &c->external->args[2];
    t->name = rb_arena_text(c->keep, is_given(name) ? name : is_given(file) ? file : "table");
    if (!is_given(file)) {
        if (is_given(name))
            return rb_fail(
                diag, RB_ERROR_MODEL, RB_NOWHERE,
                "the table '%s' comes neither from a file nor from a matrix; give "
                "'fileName' (tables compiled into a function 'usertab' are not supported)",
                name);
        *matrix = (RbMatrix){given->dims[0], given->dims[1], given->data};
        return RB_OK;
    }
    int last = c->external->arg_count - 1;
    RbMatrixFileOptions options = {text(c, last - 1)[0], (int)number(c, last)};
    RbMatrixFile m;
    RbArena *bytes = rb_arena_child(c->keep);
    RbStatus status = rb_matrix_file(file, name, options, arena, *bytes, diag, &m);
    rb_arena_free(bytes);
    if (status == RB_OK) *matrix = (RbMatrix){m.rows, m.columns, m.data};
    return status;
}

// Columns that are asked for without naming them are all but the first.
static RbStatus make_curves(RbNativeCall *c, int columns, int smoothness, int extrapolation,
                            RbDiag *diag, Table *t) {
    RbMatrix m;
    RbArena *temporary = rb_arena_child(c->keep);
    RB_TRY(read_matrix(c, c->env->arena, diag, t, &m));
    const RbExprValue *used = &c->external->args[columns];
    RB_TRY(rb_curves(t->name, m, used->data, used->count, (RbSmoothness)number(c, smoothness),
                     (RbExtrapolation)number(c, extrapolation), c->keep, *temporary, diag,
                     &t->curves));
    rb_arena_free(temporary);
    return RB_OK;
}

static bool init_1d(RbNativeCall *c) {
    RbDiag diag = rb_diag(c->env->arena);
    Table *t = c->made = rb_new(c->keep, Table);
    return make_curves(c, 5, 7, 8, &diag, t) == RB_OK || fail(c, &diag);
}

static bool init_time(RbNativeCall *c) {
    RbDiag diag = rb_diag(c->env->arena);
    Table *t = c->made = rb_new(c->keep, Table);
    if (make_curves(c, 6, 8, 9, &diag, t) != RB_OK) return fail(c, &diag);
    t->time =
        rb_time_table(t->curves, number(c, 5), number(c, 10), (RbTimeEvents)number(c, 11), c->keep);
    return true;
}

static bool init_2d(RbNativeCall *c) {
    RbDiag diag = rb_diag(c->env->arena);
    Table *t = c->made = rb_new(c->keep, Table);
    RbMatrix m;
    RbArena *temporary = rb_arena_child(c->keep);
    if (read_matrix(c, c->env->arena, &diag, t, &m) != RB_OK) return fail(c, &diag);
    if (rb_surface(t->name, m, (RbSmoothness)number(c, 5), (RbExtrapolation)number(c, 6), c->keep,
                   *temporary, &diag, &t->surface) != RB_OK)
        return fail(c, &diag);
    rb_arena_free(temporary);
    return true;
}

static bool close_table(RbNativeCall *c) { // its memory is that of the object
    (void)c;
    return true;
}

// --- one variable --------------------------------------------------------------------------------

static bool answer(RbNativeCall *c, double value) {
    c->external->result->data[0] = value;
    return true;
}

static bool outside(RbNativeCall *c, const Table *t, const char *what, double u,
                    const RbAxis *axis) {
    c->env->error = rb_arena_printf(
        c->env->arena,
        "%s = %.9g is outside of table '%s', which reaches from %.9g to %.9g and forbids "
        "extrapolation",
        what, u, t->name, axis->x[0], axis->x[axis->count - 1]);
    return false;
}

static bool wrong_column(RbNativeCall *c, const Table *t, int k) {
    c->env->error =
        rb_arena_printf(c->env->arena, "the table '%s' has no output %d", t->name, k + 1);
    return false;
}

// d: value, first and second derivative with respect to the variable of the table.
static bool curve_at(RbNativeCall *c, double d[3]) {
    const Table *t = c->object;
    int k = (int)number(c, 1) - 1;
    double u = number(c, 2);
    if (k < 0 || k >= t->curves->column_count) return wrong_column(c, t, k);
    bool inside = t->time ? rb_time_table_at(t->time, k, u, number(c, 3), number(c, 4), d)
                          : rb_curves_at(t->curves, k, u, 0, d);
    return inside || outside(c, t, t->time ? "time" : "u", u, &t->curves->axis);
}

// Arguments of the derivatives come after those of the value.
static int first_derivative(const RbNativeCall *c) {
    return ((const Table *)c->object)->time ? 5 : 3;
}

static bool value_1d(RbNativeCall *c) {
    double d[3];
    return curve_at(c, d) && answer(c, d[0]);
}

static bool derivative_1d(RbNativeCall *c) {
    double d[3];
    return curve_at(c, d) && answer(c, d[1] * number(c, first_derivative(c)));
}

static bool second_derivative_1d(RbNativeCall *c) {
    double d[3];
    int k = first_derivative(c);
    return curve_at(c, d) &&
           answer(c, d[2] * number(c, k) * number(c, k) + d[1] * number(c, k + 1));
}

static bool minimum_1d(RbNativeCall *c) {
    return answer(c, ((const Table *)c->object)->curves->axis.x[0]);
}

static bool maximum_1d(RbNativeCall *c) {
    const RbAxis *a = &((const Table *)c->object)->curves->axis;
    return answer(c, a->x[a->count - 1]);
}

static bool next_time_event(RbNativeCall *c) {
    return answer(c, rb_time_table_next(((const Table *)c->object)->time, number(c, 1)));
}

// --- two variables -------------------------------------------------------------------------------

static bool surface_at(RbNativeCall *c, RbSurfacePoint *p) {
    const Table *t = c->object;
    if (rb_surface_at(t->surface, number(c, 1), number(c, 2), p)) return true;
    const RbAxis *a = t->surface->axes;
    bool first = number(c, 1) < a->x[0] || number(c, 1) > a->x[a->count - 1];
    return outside(c, t, first ? "u1" : "u2", number(c, first ? 1 : 2), first ? a : a + 1);
}

static bool value_2d(RbNativeCall *c) {
    RbSurfacePoint p;
    return surface_at(c, &p) && answer(c, p.z);
}

static bool derivative_2d(RbNativeCall *c) {
    RbSurfacePoint p;
    return surface_at(c, &p) && answer(c, p.z1 * number(c, 3) + p.z2 * number(c, 4));
}

static bool second_derivative_2d(RbNativeCall *c) {
    RbSurfacePoint p;
    if (!surface_at(c, &p)) return false;
    double v1 = number(c, 3), v2 = number(c, 4);
    return answer(c, p.z11 * v1 * v1 + 2 * p.z12 * v1 * v2 + p.z22 * v2 * v2 + p.z1 * number(c, 5) +
                         p.z2 * number(c, 6));
}

static bool corner_2d(RbNativeCall *c, bool last) {
    const RbSurface *s = ((const Table *)c->object)->surface;
    RbExprValue *corner = &c->external->args[1];
    for (int d = 0; d < 2 && d < corner->count; d++)
        corner->data[d] = s->axes[d].x[last ? s->axes[d].count - 1 : 0];
    return true;
}

static bool minimum_2d(RbNativeCall *c) {
    return corner_2d(c, false);
}

static bool maximum_2d(RbNativeCall *c) {
    return corner_2d(c, true);
}

const RbNative rb_native_tables[] = {
    {"ModelicaStandardTables_CombiTable1D_init3", "ssmnnmnnnnsn:o", init_1d},
    {"ModelicaStandardTables_CombiTable1D_close", "o:", close_table},
    {"ModelicaStandardTables_CombiTable1D_getValue", "onn:r", value_1d},
    {"ModelicaStandardTables_CombiTable1D_getDerValue", "onnn:r", derivative_1d},
    {"ModelicaStandardTables_CombiTable1D_getDer2Value", "onnnn:r", second_derivative_1d},
    {"ModelicaStandardTables_CombiTable1D_minimumAbscissa", "o:r", minimum_1d},
    {"ModelicaStandardTables_CombiTable1D_maximumAbscissa", "o:r", maximum_1d},
    {"ModelicaStandardTables_CombiTable2D_init3", "ssmnnnnnsn:o", init_2d},
    {"ModelicaStandardTables_CombiTable2D_close", "o:", close_table},
    {"ModelicaStandardTables_CombiTable2D_getValue", "onn:r", value_2d},
    {"ModelicaStandardTables_CombiTable2D_getDerValue", "onnnn:r", derivative_2d},
    {"ModelicaStandardTables_CombiTable2D_getDer2Value", "onnnnnn:r", second_derivative_2d},
    {"ModelicaStandardTables_CombiTable2D_minimumAbscissa", "om:", minimum_2d},
    {"ModelicaStandardTables_CombiTable2D_maximumAbscissa", "om:", maximum_2d},
    {"ModelicaStandardTables_CombiTimeTable_init3", "ssmnnnmnnnnnnsn:o", init_time},
    {"ModelicaStandardTables_CombiTimeTable_close", "o:", close_table},
    {"ModelicaStandardTables_CombiTimeTable_getValue", "onnnn:r", value_1d},
    {"ModelicaStandardTables_CombiTimeTable_getDerValue", "onnnnn:r", derivative_1d},
    {"ModelicaStandardTables_CombiTimeTable_getDer2Value", "onnnnnn:r", second_derivative_1d},
    {"ModelicaStandardTables_CombiTimeTable_minimumTime", "o:r", minimum_1d},
    {"ModelicaStandardTables_CombiTimeTable_maximumTime", "o:r", maximum_1d},
    {"ModelicaStandardTables_CombiTimeTable_nextTimeEvent", "on:r", next_time_event},
};
const int rb_native_table_count = sizeof rb_native_tables / sizeof *rb_native_tables;
