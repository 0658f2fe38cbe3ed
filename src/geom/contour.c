// SPDX-License-Identifier: MIT
#include "geom/contour.h"

#include <math.h>

#include "geom/predicate.h"

#define PI 3.141592653589793

// ---- circles ----

void rb_circle_point(long i, long n, double out[2]) {
    i %= n;
    if (i < 0) i += n;
    long quarter = 4 * i / n, rest = 4 * i % n; // rest/n of a quarter
    bool past = 2 * rest > n;                   // beyond 45°: mirrored
    double phi = 0.5 * PI * (double)(past ? n - rest : rest) / (double)n;
    double c = cos(phi), s = sin(phi);
    if (2 * rest == n) c = s = sqrt(0.5);
    double x = past ? s : c, y = past ? c : s;
    out[0] = quarter == 0 ? x : quarter == 1 ? -y : quarter == 2 ? -x : y;
    out[1] = quarter == 0 ? y : quarter == 1 ? x : quarter == 2 ? -y : -x;
}

void rb_clean_angle(double angle, double out[2]) {
    double quarters = angle / (0.5 * PI), whole = nearbyint(quarters);
    if (fabs(quarters - whole) < 1e-14 * fmax(1, fabs(quarters)) && fabs(whole) < 1e9) {
        rb_circle_point((long)whole, 4, out);
        return;
    }
    out[0] = cos(angle);
    out[1] = sin(angle);
}

// ---- points ----

RbContour rb_contour(RbArena *arena) {
    return (RbContour){.arena = arena};
}

void rb_contour_next_loop(RbContour *o) {
    rb_array_push(&o->starts, o->arena, o->points.count);
}

void rb_contour_point(RbContour *o, double x, double y) {
    if (o->starts.count == 0) rb_contour_next_loop(o);
    rb_array_push(&o->points, o->arena, (RbPoint2){{x, y}});
}

void rb_contour_arc(RbContour *o, double x, double y, double radius, double from, double to,
                    int segments) {
    for (int i = 0; i <= segments; i++) {
        double c[2];
        rb_clean_angle(i == segments ? to : from + (to - from) * i / segments, c);
        rb_contour_point(o, x + radius * c[0], y + radius * c[1]);
    }
}

void rb_contour_circle(RbContour *o, double x, double y, double radius, int segments) {
    for (int i = 0; i < segments; i++) {
        double c[2];
        rb_circle_point(i, segments, c);
        rb_contour_point(o, x + radius * c[0], y + radius * c[1]);
    }
}

// Half the angle of a tooth at radius rho: pi/(2 z) + inv(alpha) - inv(acos(base/rho)).
static double half_angle(double rho, double base, double pitch_half) {
    if (rho <= base) return pitch_half;
    double a = acos(base / rho);
    return pitch_half - (tan(a) - a);
}

void rb_contour_gear_tooth(RbContour *o, double module, int teeth, double alpha, int steps) {
    double pitch = 0.5 * module * teeth, base = pitch * cos(alpha), tip = pitch + module,
           root = pitch - 1.25 * module, low = fmax(base, root);
    double half = PI / (2 * teeth) + tan(alpha) - alpha;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i <= steps; i++) {
            int k = side < 0 ? i : steps - i;
            double rho = low + (tip - low) * k / steps, phi = side * half_angle(rho, base, half);
            if (side < 0 && i == 0 && root < base) {
                rb_contour_point(o, root * cos(phi), root * sin(phi));
            }
            rb_contour_point(o, rho * cos(phi), rho * sin(phi));
            if (side > 0 && k == 0 && root < base) {
                rb_contour_point(o, root * cos(phi), root * sin(phi));
            }
        }
    }
}

void rb_contour_repeat_around(RbContour *o, int first, int count) {
    int n = o->points.count - first;
    for (int i = 1; i < count; i++) {
        double c[2];
        rb_circle_point(i, count, c);
        for (int k = first; k < first + n; k++) {
            RbPoint2 p = o->points.data[k];
            rb_contour_point(o, c[0] * p.x[0] - c[1] * p.x[1], c[1] * p.x[0] + c[0] * p.x[1]);
        }
    }
}

void rb_contour_repeat_along(RbContour *o, int first, int count, double dx, double dy) {
    int n = o->points.count - first;
    for (int i = 1; i < count; i++) {
        for (int k = first; k < first + n; k++) {
            RbPoint2 p = o->points.data[k];
            rb_contour_point(o, p.x[0] + i * dx, p.x[1] + i * dy);
        }
    }
}

void rb_contour_map(RbContour *o, const double m[4], double rx, double ry) {
    for (int i = 0; i < o->points.count; i++) {
        double *x = o->points.data[i].x, a = x[0], b = x[1];
        x[0] = m[0] * a + m[1] * b + rx;
        x[1] = m[2] * a + m[3] * b + ry;
    }
}

// ---- checks ----

static bool same_point(const double *a, const double *b) {
    return a[0] == b[0] && a[1] == b[1];
}

// Copy a loop without repeated points; answers their number.
static int clean_loop(const RbContour *o, int loop, RbPoint2 *out) {
    int first = o->starts.data[loop],
        end = loop + 1 < o->starts.count ? o->starts.data[loop + 1] : o->points.count, n = 0;
    for (int i = first; i < end; i++) {
        if (n == 0 || !same_point(o->points.data[i].x, out[n - 1].x)) out[n++] = o->points.data[i];
    }
    while (n > 1 && same_point(out[0].x, out[n - 1].x)) n--;
    return n;
}

// Do two sides run from one point in one direction?
static bool run_together(const double *from, const double *a, const double *b) {
    if (rb_orient2d(from, a, b) != 0) return false;
    int axis = fabs(a[0] - from[0]) >= fabs(a[1] - from[1]) ? 0 : 1;
    return (a[axis] > from[axis]) == (b[axis] > from[axis]);
}

// Do two sides cross or touch other than at a common end, or lie on each other?
static bool sides_cross(const double *a, const double *b, const double *c, const double *d) {
    if (same_point(a, c)) return run_together(a, b, d);
    if (same_point(a, d)) return run_together(a, b, c);
    if (same_point(b, c)) return run_together(b, a, d);
    if (same_point(b, d)) return run_together(b, a, c);
    int abc = rb_orient2d(a, b, c), abd = rb_orient2d(a, b, d), cda = rb_orient2d(c, d, a),
        cdb = rb_orient2d(c, d, b);
    if (abc == 0 && abd == 0) { // on one line: do they overlap?
        int axis = fabs(b[0] - a[0]) >= fabs(b[1] - a[1]) ? 0 : 1;
        return fmax(fmin(a[axis], b[axis]), fmin(c[axis], d[axis])) <=
               fmin(fmax(a[axis], b[axis]), fmax(c[axis], d[axis]));
    }
    return abc * abd <= 0 && cda * cdb <= 0;
}

static int next_in_loop(const RbPolygon *p, int loop, int i) {
    return i + 1 < p->loop_start[loop + 1] ? i + 1 : p->loop_start[loop];
}

static int before_in_loop(const RbPolygon *p, int loop, int i) {
    return (i > p->loop_start[loop] ? i : p->loop_start[loop + 1]) - 1;
}

// Of two sides that cross; of parallel ones the middle of the first, which is for a message.
static void meeting_point(const double *a, const double *b, const double *c, const double *d,
                          double where[2]) {
    double along[2] = {b[0] - a[0], b[1] - a[1]}, other[2] = {d[0] - c[0], d[1] - c[1]};
    double area = along[0] * other[1] - along[1] * other[0];
    double s = ((c[0] - a[0]) * other[1] - (c[1] - a[1]) * other[0]) / area;
    if (!(area != 0 && s >= 0 && s <= 1)) s = 0.5;
    for (int k = 0; k < 2; k++) where[k] = a[k] + s * along[k];
}

// Does x lie to the left of the way from a over o to b?
static bool is_left(const double *a, const double *o, const double *b, const double *x) {
    bool in = rb_orient2d(a, o, x) > 0, out = rb_orient2d(o, b, x) > 0;
    return rb_orient2d(a, o, b) > 0 ? in && out : in || out;
}

// Do two corners at one place go through each other? They may touch.
static bool corners_cross(const RbPolygon *p, int l, int i, int m, int k) {
    const double *o = p->x[i], *a = p->x[before_in_loop(p, l, i)], *b = p->x[next_in_loop(p, l, i)];
    if (!same_point(o, p->x[k])) return false;
    return is_left(a, o, b, p->x[before_in_loop(p, m, k)]) !=
           is_left(a, o, b, p->x[next_in_loop(p, m, k)]);
}

// The first pair of sides that cross; sides sorted by nothing, so time n².
static bool find_crossing(const RbPolygon *p, double where[2]) {
    for (int l = 0; l < p->loop_count; l++) {
        for (int i = p->loop_start[l]; i < p->loop_start[l + 1]; i++) {
            const double *a = p->x[i], *b = p->x[next_in_loop(p, l, i)];
            for (int m = l; m < p->loop_count; m++) {
                for (int k = m == l ? i + 1 : p->loop_start[m]; k < p->loop_start[m + 1]; k++) {
                    bool corners = corners_cross(p, l, i, m, k);
                    if (!corners && !sides_cross(a, b, p->x[k], p->x[next_in_loop(p, m, k)]))
                        continue;
                    meeting_point(a, b, p->x[k], p->x[next_in_loop(p, m, k)], where);
                    for (int n = 0; n < 2 && corners; n++) where[n] = a[n];
                    return true;
                }
            }
        }
    }
    return false;
}

static bool is_in_loop(const RbPolygon *p, int loop, const double *q) {
    bool inside = false;
    for (int i = p->loop_start[loop]; i < p->loop_start[loop + 1]; i++) {
        const double *a = p->x[i], *b = p->x[next_in_loop(p, loop, i)];
        if ((a[1] > q[1]) == (b[1] > q[1])) continue;
        if (rb_orient2d(a, b, q) == (b[1] > a[1] ? 1 : -1)) inside = !inside;
    }
    return inside;
}

static void turn_loop(RbPoint2 *x, int n) {
    for (int i = 0; i < n / 2; i++) {
        RbPoint2 swap = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = swap;
    }
}

static void orient_loops(RbPolygon *p, RbPoint2 *x) {
    for (int l = 0; l < p->loop_count; l++) {
        int depth = 0, first = p->loop_start[l];
        for (int m = 0; m < p->loop_count; m++) depth += m != l && is_in_loop(p, m, p->x[first]);
        bool outer = depth % 2 == 0;
        if ((rb_polygon_area2(p, l) > 0) != outer)
            turn_loop(x + first, p->loop_start[l + 1] - first);
    }
}

static bool is_straight(const RbPoint2 *x, int n) {
    for (int i = 2; i < n; i++) {
        if (rb_orient2d(x[0].x, x[1].x, x[i].x) != 0) return false;
    }
    return true;
}

static RbStatus fail_crossing(const char *name, const double where[2], RbPos at, RbDiag *diag) {
    return rb_fail(
        diag, RB_ERROR_MODEL, at,
        "polygon '%s' crosses or touches itself near {%.6g, %.6g}: give its points in the order in "
        "which they follow each other around it",
        name, where[0], where[1]);
}

RbStatus rb_contour_finish(RbContour *o, const char *name, RbPos at, RbArena scratch, RbDiag *diag,
                           RbPolygon *out) {
    double where[2];
    (void)scratch;
    if (o->starts.count == 0)
        return rb_fail(diag, RB_ERROR_MODEL, at, "polygon '%s' has no points", name);
    RbPoint2 *x = rb_new_array(o->arena, RbPoint2, o->points.count);
    int *start = rb_new_array(o->arena, int, (size_t)o->starts.count + 1);
    RbPolygon p = {(const double(*)[2])x, start, o->starts.count};
    for (int i = 0; i < o->points.count; i++) {
        if (!isfinite(o->points.data[i].x[0]) || !isfinite(o->points.data[i].x[1])) {
            return rb_fail(diag, RB_ERROR_MODEL, at, "point %d of polygon '%s' is not finite",
                           i + 1, name);
        }
    }
    for (int l = 0; l < p.loop_count; l++) {
        int n = clean_loop(o, l, x + start[l]);
        start[l + 1] = start[l] + n;
        if (n >= 3 && rb_polygon_area2(&p, l) != 0) continue;
        p.loop_count = l + 1; // a bow-tie encloses as much on one side as on the other
        if (!is_straight(x + start[l], n) && find_crossing(&p, where))
            return fail_crossing(name, where, at, diag);
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "polygon '%s' encloses no area: loop %d has %d different point%s near "
                       "{%.6g, %.6g}; it needs three "
                       "that do not lie on a line",
                       name, l + 1, n, n == 1 ? "" : "s", n ? x[start[l]].x[0] : 0,
                       n ? x[start[l]].x[1] : 0);
    }
    if (find_crossing(&p, where)) return fail_crossing(name, where, at, diag);
    orient_loops(&p, x);
    *out = p;
    return RB_OK;
}
