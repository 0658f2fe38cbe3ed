// SPDX-License-Identifier: MIT
// piece_border.h: where in a small patch the pieces below it meet (patch_pieces.h).
#pragma once

#include "collide/patch_pieces.h"

// In coordinates of the sheet.
typedef struct RbChartPlace {
    double x, y;
} RbChartPlace;

// From a to b, a + t (b - a) + t (1 - t) (bend[0] + u bend[1] + u² bend[2]) with u = 1 - 2 t.
typedef struct RbPieceBorder {
    int left, right; // pieces
    RbChartPlace a, b, bend[3];
    bool is_straight;
    bool is_corner[2]; // a, b: the overlap ends there
} RbPieceBorder;

static inline RbChartPlace rb_border_at(const RbPieceBorder *b, double t, RbChartPlace *rate) {
    RbChartPlace along = {b->b.x - b->a.x, b->b.y - b->a.y},
                 c = {b->a.x + t * along.x, b->a.y + t * along.y};
    *rate = along;
    if (b->is_straight) return c;
    const RbChartPlace *k = b->bend;
    double u = 1 - 2 * t, h = t * (1 - t);
    double x = k[0].x + u * (k[1].x + u * k[2].x), y = k[0].y + u * (k[1].y + u * k[2].y);
    rate->x += u * x - 2 * h * (k[1].x + 2 * u * k[2].x);
    rate->y += u * y - 2 * h * (k[1].y + 2 * u * k[2].y);
    return (RbChartPlace){c.x + h * x, c.y + h * y};
}

typedef enum RbBorderFound { RB_BORDER_NONE, RB_BORDER_FOUND, RB_BORDER_BAD } RbBorderFound;

// A bound next to the closest point: how far beyond it that is, how this changes, and [1/m] how much, at most, the slope does.
typedef struct RbBoundHere {
    double beyond;
    RbChartPlace slope;
    double bend;
} RbBoundHere;

// Of all bounds.
void rb_bounds_here(const RbFan *fan, RbBoundHere *out);

// As far as borders are sought, in even coordinates: not beyond where they bend too much.
double rb_border_reach(const RbFan *fan);

// The part of a bound at which two pieces meet in the patch. reach: is lowered, if it was sought less far. BAD: it can't be told.
RbBorderFound rb_find_border(const RbFan *fan, const RbBoundHere *here, int bound, int above,
                             int below, double *reach, RbPieceBorder *out);

// Overlap over that piece, as if it went on for ever; how it changes, if that is asked.
double rb_piece_overlap(const RbFan *fan, int piece, RbChartPlace at, RbChartPlace *slope);

static inline RbChartPlace rb_place_between(RbChartPlace a, RbChartPlace b, double part) {
    return (RbChartPlace){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

static inline RbChartPlace rb_place_sub(RbChartPlace a, RbChartPlace b) {
    return (RbChartPlace){a.x - b.x, a.y - b.y};
}

static inline double rb_place_dot(RbChartPlace a, RbChartPlace b) {
    return a.x * b.x + a.y * b.y;
}

static inline double rb_place_cross(RbChartPlace a, RbChartPlace b) {
    return a.x * b.y - a.y * b.x;
}

// In coordinates in which the patch is about as wide as it is long.
static inline RbChartPlace rb_place_even(const RbFan *f, RbChartPlace p) {
    double v = p.y / f->yy;
    return (RbChartPlace){(p.x - f->xy * v) / f->xx, v};
}
