// SPDX-License-Identifier: MIT
// include/rattleback/outline.h
#include <math.h>

#include "api/api_context.h"
#include "geom/contour.h"
#include "rattleback/outline.h"

enum { MOST_POINTS = 10000000 };

struct RbOutline {
    RbContext *context;
    RbContour contour;
};

static RbStatus check(const RbOutline *o, double x, double y, double radius, int segments,
                      const char *function) {
    if (!isfinite(x) || !isfinite(y))
        return rb_bad_argument(o->context, function, "x, y", "are not finite");
    if (!(radius > 0) || isinf(radius))
        return rb_bad_argument(o->context, function, "radius", "is not a positive number");
    if (segments < 1 || segments > MOST_POINTS)
        return rb_bad_argument(o->context, function, "segments", "is not a number from 1 to 1e7");
    return RB_OK;
}

RbStatus rb_outline_create(RbContext *context, RbOutline **outline) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, outline);
    *outline = NULL;
    RB_CALL(context);
    *outline = rb_new(&context->arena, RbOutline);
    **outline = (RbOutline){context, rb_contour(&context->arena)};
    return RB_OK;
}

RbStatus rb_outline_next_loop(RbOutline *o) {
    if (!o) return RB_ERROR_USAGE;
    RB_CALL(o->context);
    rb_contour_next_loop(&o->contour);
    return RB_OK;
}

RbStatus rb_outline_point(RbOutline *o, double x, double y) {
    if (!o) return RB_ERROR_USAGE;
    RB_TRY(check(o, x, y, 1, 1, __func__));
    RB_CALL(o->context);
    rb_contour_point(&o->contour, x, y);
    return RB_OK;
}

RbStatus rb_outline_arc(RbOutline *o, double x, double y, double radius, double from, double to,
                        int segments) {
    if (!o) return RB_ERROR_USAGE;
    RB_TRY(check(o, x, y, radius, segments, __func__));
    if (!isfinite(from) || !isfinite(to))
        return rb_bad_argument(o->context, __func__, "from, to", "are not finite");
    RB_CALL(o->context);
    rb_contour_arc(&o->contour, x, y, radius, from, to, segments);
    return RB_OK;
}

RbStatus rb_outline_circle(RbOutline *o, double x, double y, double radius, int segments) {
    if (!o) return RB_ERROR_USAGE;
    RB_TRY(check(o, x, y, radius, segments, __func__));
    RB_CALL(o->context);
    rb_contour_circle(&o->contour, x, y, radius, segments);
    return RB_OK;
}

RbStatus rb_outline_gear_tooth(RbOutline *o, double module, int teeth, double pressure_angle,
                               int steps) {
    if (!o) return RB_ERROR_USAGE;
    RbContext *c = o->context;
    if (!(module > 0) || isinf(module))
        return rb_bad_argument(c, __func__, "module", "is not a positive number");
    if (teeth < 4 || teeth > MOST_POINTS)
        return rb_bad_argument(c, __func__, "teeth", "is not a number from 4 to 1e7");
    if (!(pressure_angle > 0 && pressure_angle < 0.8))
        return rb_bad_argument(c, __func__, "pressure_angle", "is not between 0 and 0.8 rad");
    if (steps < 2 || steps > MOST_POINTS)
        return rb_bad_argument(c, __func__, "steps", "is not a number from 2 to 1e7");
    RB_CALL(c);
    rb_contour_gear_tooth(&o->contour, module, teeth, pressure_angle, steps);
    return RB_OK;
}

int rb_outline_count(const RbOutline *o) {
    return o ? o->contour.points.count : -1;
}

// -------------------------------------------------------------------------------------------------
// copies

static RbStatus check_copies(RbOutline *o, const char *function, int first, int count) {
    int points = o->contour.points.count;
    if (first < 0 || first >= points)
        return rb_bad_argument(o->context, function, "first", "is no number of a point");
    if (count < 1 || (double)count * (points - first) > MOST_POINTS)
        return rb_bad_argument(o->context, function, "count",
                               "is not positive, or makes more than 1e7 points");
    return RB_OK;
}

RbStatus rb_outline_repeat_around(RbOutline *o, int first, int count) {
    if (!o) return RB_ERROR_USAGE;
    RB_TRY(check_copies(o, __func__, first, count));
    RB_CALL(o->context);
    rb_contour_repeat_around(&o->contour, first, count);
    return RB_OK;
}

RbStatus rb_outline_repeat_along(RbOutline *o, int first, int count, double dx, double dy) {
    if (!o) return RB_ERROR_USAGE;
    RB_TRY(check_copies(o, __func__, first, count));
    if (!isfinite(dx) || !isfinite(dy))
        return rb_bad_argument(o->context, __func__, "dx, dy", "are not finite");
    RB_CALL(o->context);
    rb_contour_repeat_along(&o->contour, first, count, dx, dy);
    return RB_OK;
}

RbStatus rb_outline_map(RbOutline *o, const double m[4], const double r[2]) {
    if (!o) return RB_ERROR_USAGE;
    RB_NEED(o->context, m);
    RB_NEED(o->context, r);
    double det = m[0] * m[3] - m[1] * m[2];
    if (!isfinite(det) || det == 0)
        return rb_bad_argument(o->context, __func__, "m", "has no inverse");
    if (!isfinite(r[0]) || !isfinite(r[1]))
        return rb_bad_argument(o->context, __func__, "r", "is not finite");
    rb_contour_map(&o->contour, m, r[0], r[1]);
    return RB_OK;
}

RbStatus rb_outline_polygon(const RbOutline *outline, RbWorkpiecePolygon *out) {
    if (!outline) return RB_ERROR_USAGE;
    RB_NEED(outline->context, out);
    RB_CALL(outline->context);
    const RbContour *o = &outline->contour;
    int loops = o->starts.count, *counts = rb_new_array(&outline->context->arena, int, loops + 1);
    for (int i = 0; i < loops; i++) {
        int end = i + 1 < loops ? o->starts.data[i + 1] : o->points.count;
        counts[i] = end - o->starts.data[i];
    }
    *out = (RbWorkpiecePolygon){.points = o->points.count > 0 ? o->points.data->x : NULL,
                                .loops = counts,
                                .loop_count = loops};
    return RB_OK;
}
