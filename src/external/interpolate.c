// SPDX-License-Identifier: MIT
#include "external/interpolate.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- grids ---------------------------------------------------------------------------------------

static RbStatus check_grid(const char *name, const RbAxis *a, const char *what, RbDiag *diag) {
    bool strict = rb_is_cubic(a->smoothness);
    for (int i = 0; i + 1 < a->count; i++) {
        double x = a->x[i], y = a->x[i + 1];
        if (isfinite(x) && isfinite(y) && (strict ? x < y : x <= y)) continue;
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "the %s of table '%s' must be %s, but %.9g is followed by %.9g", what, name,
                       strict ? "strictly ascending for smooth interpolation" : "ascending", x, y);
    }
    if (a->extrapolation == RB_PERIODIC && a->count > 1 && !(a->x[a->count - 1] > a->x[0])) {
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "the %s of table '%s' has no length to be repeated", what, name);
    }
    return RB_OK;
}

static RbStatus check_options(const char *name, RbSmoothness s, RbExtrapolation e, RbDiag *diag) {
    if (s < RB_LINEAR_SEGMENTS || s > RB_MODIFIED_AKIMA)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "table '%s': there is no smoothness number %d", name, (int)s);
    if (e < RB_HOLD_LAST_POINT || e > RB_NO_EXTRAPOLATION)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "table '%s': there is no extrapolation number %d", name, (int)e);
    return RB_OK;
}

static double *copy(const double *data, int count, int stride, RbArena *arena) {
    double *to = rb_new_array(arena, double, count + 1);
    for (int i = 0; i < count; i++) to[i] = data[i * stride];
    return to;
}

// --- one variable --------------------------------------------------------------------------------

RbStatus rb_curves(const char *name, RbMatrix table, const double *columns, int column_count,
                   RbSmoothness smoothness, RbExtrapolation extrapolation, RbArena *arena,
                   RbArena scratch, RbDiag *diag, RbCurves **out) {
    RB_TRY(check_options(name, smoothness, extrapolation, diag));
    if (table.rows < 1 || table.columns < 1)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "table '%s' has no numbers", name);
    RbCurves *c = rb_new(arena, RbCurves);
    c->table = table;
    c->table.data = copy(table.data, table.rows * table.columns, 1, arena);
    c->axis = (RbAxis){copy(c->table.data, table.rows, table.columns, arena), table.rows,
                       smoothness, extrapolation};
    RB_TRY(check_grid(name, &c->axis, "first column", diag));
    int *used = rb_new_array(arena, int, column_count + 1);
    for (int k = 0; k < column_count; k++) {
        if (!(columns[k] >= 1 && columns[k] <= table.columns))
            return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                           "column %g of table '%s' is asked for, which has %d columns", columns[k],
                           name, table.columns);
        used[k] = (int)columns[k] - 1;
    }
    c->columns = used;
    c->column_count = column_count;
    if (rb_is_cubic(smoothness)) {
        double *slopes = rb_new_array(arena, double, column_count *table.rows + 1);
        for (int k = 0; k < column_count; k++)
            rb_axis_slopes(&c->axis, c->table.data + used[k], table.columns,
                           slopes + k * table.rows, scratch);
        c->slopes = slopes;
    }
    *out = c;
    return RB_OK;
}

bool rb_curves_at(const RbCurves *c, int k, double u, double bias, double derivatives[3]) {
    RbPiece p;
    if (!rb_axis_locate(&c->axis, u, bias, &p)) return false;
    const double *y = c->table.data + c->columns[k];
    const double *m = c->slopes ? c->slopes + k * c->table.rows : NULL;
    double ends[4] = {y[p.left * c->table.columns], y[p.right * c->table.columns],
                      m ? m[p.left] : 0, m ? m[p.right] : 0};
    for (int d = 0; d < 3; d++) {
        derivatives[d] = 0;
        for (int i = 0; i < 4; i++) {
            if (p.weights[d][i] != 0) derivatives[d] += p.weights[d][i] * ends[i];
        }
    }
    return true;
}

// --- two variables -------------------------------------------------------------------------------

// The mixed derivative of Akima (1974): the mixed divided differences of the four cells around a
// point, weighted by the shares of both directions there. Beyond the border they go on as the
// secants do.
typedef struct Twist {
    const RbAxis *axes; // 2
    const double *z;
    int rows, columns;
} Twist;

static double mixed_difference(const Twist *t, int i, int j) {
    const double *z = t->z, *x = t->axes[0].x, *y = t->axes[1].x;
    int m = t->columns;
    double d = z[(i + 1) * m + j + 1] - z[i * m + j + 1] - z[(i + 1) * m + j] + z[i * m + j];
    return d / ((x[i + 1] - x[i]) * (y[j + 1] - y[j]));
}

// Index of a cell -1 ... cells, as a combination of two that exist: first + (first - second) * out.
static int cells_of(const RbAxis *a, int i, int *second) {
    int cells = a->count - 1;
    *second = -1;
    if (i >= 0 && i < cells) return i;
    if (a->extrapolation == RB_PERIODIC) return i < 0 ? cells - 1 : 0;
    if (cells > 1) *second = i < 0 ? 1 : cells - 2;
    return i < 0 ? 0 : cells - 1;
}

static double mixed_at(const Twist *t, int i, int j) {
    int i2, j2, i1 = cells_of(&t->axes[0], i, &i2), j1 = cells_of(&t->axes[1], j, &j2);
    double near = mixed_difference(t, i1, j1), far = near;
    if (j2 >= 0) near = 2 * near - mixed_difference(t, i1, j2);
    if (i2 < 0) return near;
    far = mixed_difference(t, i2, j1);
    if (j2 >= 0) far = 2 * far - mixed_difference(t, i2, j2);
    return 2 * near - far;
}

static double *surface_twist(const Twist *t, const double *share1, const double *share2,
                             RbArena *arena) {
    double *twist = rb_new_array(arena, double, t->rows * t->columns + 1);
    if (t->rows < 2 || t->columns < 2) return twist;
    for (int i = 0; i < t->rows; i++) {
        for (int j = 0; j < t->columns; j++) {
            double a = share1[i * t->columns + j], b = share2[i * t->columns + j];
            twist[i * t->columns + j] =
                a * (b * mixed_at(t, i - 1, j - 1) + (1 - b) * mixed_at(t, i - 1, j)) +
                (1 - a) * (b * mixed_at(t, i, j - 1) + (1 - b) * mixed_at(t, i, j));
        }
    }
    return twist;
}

// Slopes, or the shares that lead to them, along direction d at all points.
typedef void AlongLine(const RbAxis *axis, const double *y, int stride, double *out,
                       RbArena scratch);

static double *along(const RbSurface *s, int d, AlongLine *line, RbArena *arena, RbArena scratch) {
    int n = s->z.rows, m = s->z.columns, lines = d == 0 ? m : n, length = d == 0 ? n : m;
    double *out = rb_new_array(arena, double, n *m + 1);
    double *values = rb_new_array(&scratch, double, length + 1);
    for (int k = 0; k < lines; k++) {
        int first = d == 0 ? k : k * m, stride = d == 0 ? m : 1;
        if (length > 1) line(&s->axes[d], s->z.data + first, stride, values, scratch);
        for (int i = 0; i < length; i++) out[first + i * stride] = values[i];
    }
    return out;
}

RbStatus rb_surface(const char *name, RbMatrix table, RbSmoothness smoothness,
                    RbExtrapolation extrapolation, RbArena *arena, RbArena scratch, RbDiag *diag,
                    RbSurface **out) {
    RB_TRY(check_options(name, smoothness, extrapolation, diag));
    if (smoothness > RB_CONSTANT_SEGMENTS)
        return rb_fail(
            diag, RB_ERROR_MODEL, RB_NOWHERE,
            "table '%s': this smoothness is only for tables of one variable; of two there "
            "are linear segments, continuous derivative and constant segments",
            name);
    if (table.rows < 2 || table.columns < 2)
        return rb_fail(
            diag, RB_ERROR_MODEL, RB_NOWHERE,
            "table '%s' of two variables needs at least two rows and two columns, not %d "
            "by %d: the first row and the first column are the grids",
            name, table.rows, table.columns);
    int n = table.rows - 1, m = table.columns - 1;
    RbSurface *s = rb_new(arena, RbSurface);
    s->axes[0] = (RbAxis){copy(table.data + table.columns, n, table.columns, arena), n, smoothness,
                          extrapolation};
    s->axes[1] = (RbAxis){copy(table.data + 1, m, 1, arena), m, smoothness, extrapolation};
    RB_TRY(check_grid(name, &s->axes[0], "first column", diag));
    RB_TRY(check_grid(name, &s->axes[1], "first row", diag));
    double *z = rb_new_array(arena, double, n *m + 1);
    for (int i = 0; i < n; i++)
        memcpy(z + i * m, table.data + (i + 1) * table.columns + 1, (size_t)m * sizeof *z);
    s->z = (RbMatrix){n, m, z};
    if (rb_is_cubic(smoothness)) {
        RbArena *shares = rb_arena_child(arena);
        s->slopes[0] = along(s, 0, rb_axis_slopes, arena, scratch);
        s->slopes[1] = along(s, 1, rb_axis_slopes, arena, scratch);
        Twist twist = {s->axes, z, n, m};
        s->twist = surface_twist(&twist, along(s, 0, rb_axis_shares, shares, scratch),
                                 along(s, 1, rb_axis_shares, shares, scratch), arena);
        rb_arena_free(shares);
    }
    *out = s;
    return RB_OK;
}

// What stands at the corners: rows: left and right value, left and right slope of direction 1;
// columns the same for direction 2.
static void corners(const RbSurface *s, const RbPiece *p, const RbPiece *q, double c[4][4]) {
    const int rows[2] = {p->left, p->right}, columns[2] = {q->left, q->right};
    memset(c, 0, 16 * sizeof(double));
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            int at = rows[i] * s->z.columns + columns[j];
            c[i][j] = s->z.data[at];
            if (!s->twist) continue;
            c[2 + i][j] = s->slopes[0][at];
            c[i][2 + j] = s->slopes[1][at];
            c[2 + i][2 + j] = s->twist[at];
        }
    }
}

static double product(const double *a, double c[4][4], const double *b) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double row = 0;
        for (int j = 0; j < 4; j++) {
            if (b[j] != 0) row += c[i][j] * b[j];
        }
        if (a[i] != 0) sum += a[i] * row;
    }
    return sum;
}

bool rb_surface_at(const RbSurface *s, double u1, double u2, RbSurfacePoint *point) {
    RbPiece p, q;
    double c[4][4];
    if (!rb_axis_locate(&s->axes[0], u1, 0, &p) || !rb_axis_locate(&s->axes[1], u2, 0, &q))
        return false;
    corners(s, &p, &q, c);
    *point = (RbSurfacePoint){
        .z = product(p.weights[0], c, q.weights[0]),
        .z1 = product(p.weights[1], c, q.weights[0]),
        .z2 = product(p.weights[0], c, q.weights[1]),
        .z11 = product(p.weights[2], c, q.weights[0]),
        .z12 = product(p.weights[1], c, q.weights[1]),
        .z22 = product(p.weights[0], c, q.weights[2]),
    };
    return true;
}

// --- time ----------------------------------------------------------------------------------------

// Does the table jump from its end to its beginning?
static bool ends_differ(const RbCurves *c) {
    const double *first = c->table.data,
                 *last = c->table.data + (c->table.rows - 1) * c->table.columns;
    for (int k = 0; k < c->column_count; k++) {
        if (first[c->columns[k]] != last[c->columns[k]]) return true;
    }
    return false;
}

RbTimeTable *rb_time_table(const RbCurves *curves, double start, double shift, RbTimeEvents events,
                           RbArena *arena) {
    RbTimeTable *t = rb_new(arena, RbTimeTable);
    const RbAxis *a = &curves->axis;
    double *list = rb_new_array(arena, double, a->count + 1);
    int count = 0;
    bool wraps = a->extrapolation == RB_PERIODIC && ends_differ(curves);
    for (int i = 0; i < a->count && a->count > 1; i++) {
        bool border = i == 0 || i == a->count - 1;
        bool twice = i > 0 && a->x[i] == a->x[i - 1];
        bool wanted = events == RB_EVENTS_ALWAYS ||
                      (events == RB_EVENTS_AT_DISCONTINUITIES && (twice || (border && wraps)));
        if (wanted && (count == 0 || a->x[i] > list[count - 1])) list[count++] = a->x[i];
    }
    *t = (RbTimeTable){curves, start, shift, list, count};
    return t;
}

// Rounding of times on the way through scales and shifts, generously [s].
static double slack_at(const RbTimeTable *t, double time) {
    const RbAxis *a = &t->curves->axis;
    double size = fmax(fabs(time), fabs(t->shift)) + fmax(fabs(a->x[0]), fabs(a->x[a->count - 1]));
    return 16 * DBL_EPSILON * size;
}

static double first_after(const RbTimeTable *t, double u) {
    for (int i = 0; i < t->event_count; i++) {
        if (t->events[i] > u) return t->events[i];
    }
    return DBL_MAX;
}

double rb_time_table_next(const RbTimeTable *t, double time) {
    double now = time + slack_at(t, time);
    if (now < t->start) return t->start;
    const RbAxis *a = &t->curves->axis;
    double u = now - t->shift, next = DBL_MAX;
    if (a->extrapolation != RB_PERIODIC || t->event_count == 0) {
        next = first_after(t, u);
    } else {
        double period = a->x[a->count - 1] - a->x[0];
        double turns = floor((u - a->x[0]) / period);
        next = first_after(t, u - turns * period);
        if (next == DBL_MAX) { // the first one of the next turn
            next = t->events[0];
            turns += 1;
        }
        next += turns * period;
    }
    return next < DBL_MAX ? next + t->shift : DBL_MAX;
}

bool rb_time_table_at(const RbTimeTable *t, int k, double time, double next, double before,
                      double derivatives[3]) {
    double slack = slack_at(t, time);
    bool left = next == before && time + slack >= next;
    double bias = left ? next - time - slack : slack;
    if (time + bias < t->start) {
        memset(derivatives, 0, 3 * sizeof *derivatives);
        return true;
    }
    return rb_curves_at(t->curves, k, time - t->shift, bias, derivatives);
}
