// SPDX-License-Identifier: MIT
// include/rattleback/outline.h
#include <math.h>

#include "api_context.h"
#include "geom/contour.h"
#include "rattleback/outline.h"

enum { MOST_POINTS = 10000000 };

struct RbOutline {
    RbContext *context;
    RbContour contour;
};

// Arguments of one call.
typedef struct OutlineCall {
    RbOutline *o;
    double x, y, radius, from, to;
    int count, first;
    RbContext *context;
    RbWorkpiecePolygon *polygon;
} OutlineCall;

static RbStatus check(const OutlineCall *c, const char *function) {
    RbContext *context = c->o->context;
    if (!isfinite(c->x) || !isfinite(c->y))
        return rb_bad_argument(context, function, "x, y", "are not finite");
    if (!(c->radius > 0) || isinf(c->radius))
        return rb_bad_argument(context, function, "radius", "is not a positive number");
    if (c->count < 1 || c->count > MOST_POINTS)
        return rb_bad_argument(context, function, "segments", "is not a number from 1 to 1e7");
    return RB_OK;
}

static RbStatus create(void *argument) {
    OutlineCall *c = argument;
    c->o = rb_new(&c->context->arena, RbOutline);
    *c->o = (RbOutline){c->context, rb_contour(&c->context->arena)};
    return RB_OK;
}

RbStatus rb_outline_create(RbContext *context, RbOutline **outline) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, outline);
    OutlineCall call = {.context = context};
    RbStatus status = rb_context_call(context, create, &call);
    *outline = call.o;
    return status;
}

static RbStatus next_loop(void *argument) {
    rb_contour_next_loop(&((OutlineCall *)argument)->o->contour);
    return RB_OK;
}

RbStatus rb_outline_next_loop(RbOutline *o) {
    if (!o) return RB_ERROR_USAGE;
    return rb_context_call(o->context, next_loop, &(OutlineCall){.o = o});
}

static RbStatus point(void *argument) {
    OutlineCall *c = argument;
    rb_contour_point(&c->o->contour, c->x, c->y);
    return RB_OK;
}

RbStatus rb_outline_point(RbOutline *o, double x, double y) {
    if (!o) return RB_ERROR_USAGE;
    OutlineCall c = {.o = o, .x = x, .y = y, .radius = 1, .count = 1};
    RB_TRY(check(&c, __func__));
    return rb_context_call(o->context, point, &c);
}

static RbStatus arc(void *argument) {
    OutlineCall *c = argument;
    rb_contour_arc(&c->o->contour, c->x, c->y, c->radius, c->from, c->to, c->count);
    return RB_OK;
}

RbStatus rb_outline_arc(RbOutline *o, double x, double y, double radius, double from, double to,
                        int segments) {
    if (!o) return RB_ERROR_USAGE;
    OutlineCall c = {.o = o, .x = x, .y = y, .radius = radius, .count = segments};
    c.from = from;
    c.to = to;
    RB_TRY(check(&c, __func__));
    if (!isfinite(from) || !isfinite(to))
        return rb_bad_argument(o->context, __func__, "from, to", "are not finite");
    return rb_context_call(o->context, arc, &c);
}

static RbStatus circle(void *argument) {
    OutlineCall *c = argument;
    rb_contour_circle(&c->o->contour, c->x, c->y, c->radius, c->count);
    return RB_OK;
}

RbStatus rb_outline_circle(RbOutline *o, double x, double y, double radius, int segments) {
    if (!o) return RB_ERROR_USAGE;
    OutlineCall c = {.o = o, .x = x, .y = y, .radius = radius, .count = segments};
    RB_TRY(check(&c, __func__));
    return rb_context_call(o->context, circle, &c);
}

static RbStatus gear_tooth(void *argument) {
    OutlineCall *c = argument;
    rb_contour_gear_tooth(&c->o->contour, c->radius, c->count, c->from, c->first);
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
    OutlineCall call = {
        .o = o, .radius = module, .count = teeth, .from = pressure_angle, .first = steps};
    return rb_context_call(c, gear_tooth, &call);
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

static RbStatus repeat_around(void *argument) {
    OutlineCall *c = argument;
    rb_contour_repeat_around(&c->o->contour, c->first, c->count);
    return RB_OK;
}

RbStatus rb_outline_repeat_around(RbOutline *o, int first, int count) {
    if (!o) return RB_ERROR_USAGE;
    RB_TRY(check_copies(o, __func__, first, count));
    return rb_context_call(o->context, repeat_around,
                           &(OutlineCall){.o = o, .first = first, .count = count});
}

static RbStatus repeat_along(void *argument) {
    OutlineCall *c = argument;
    rb_contour_repeat_along(&c->o->contour, c->first, c->count, c->x, c->y);
    return RB_OK;
}

RbStatus rb_outline_repeat_along(RbOutline *o, int first, int count, double dx, double dy) {
    if (!o) return RB_ERROR_USAGE;
    RB_TRY(check_copies(o, __func__, first, count));
    if (!isfinite(dx) || !isfinite(dy))
        return rb_bad_argument(o->context, __func__, "dx, dy", "are not finite");
    OutlineCall c = {.o = o, .first = first, .count = count, .x = dx, .y = dy};
    return rb_context_call(o->context, repeat_along, &c);
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

static RbStatus polygon(void *argument) {
    OutlineCall *c = argument;
    const RbContour *o = &c->o->contour;
    int loops = o->starts.count, *counts = rb_new_array(&c->o->context->arena, int, loops + 1);
    for (int i = 0; i < loops; i++) {
        int end = i + 1 < loops ? o->starts.data[i + 1] : o->points.count;
        counts[i] = end - o->starts.data[i];
    }
    *c->polygon = (RbWorkpiecePolygon){.points = o->points.count > 0 ? o->points.data->x : NULL,
                                       .loops = counts,
                                       .loop_count = loops};
    return RB_OK;
}

RbStatus rb_outline_polygon(const RbOutline *o, RbWorkpiecePolygon *out) {
    if (!o) return RB_ERROR_USAGE;
    RB_NEED(o->context, out);
    OutlineCall c = {.o = (RbOutline *)(uintptr_t)o, .polygon = out};
    return rb_context_call(o->context, polygon, &c);
}
