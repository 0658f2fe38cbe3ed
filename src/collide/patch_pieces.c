// SPDX-License-Identifier: MIT
#include "collide/patch_pieces.h"

#include <math.h>
#include <stddef.h>

#include "collide/piece_fan.h"

enum { BORDERS_MAX = 64, CORNERS_MAX = 2 * BORDERS_MAX };

// ---- what the patch is made of

// Where a border meets the outline.
typedef struct Corner {
    RbChartPlace at;
    double angle;
    int before, after; // pieces
} Corner;

typedef struct Map {
    int border_count, corner_count;
    double reach; // as far as borders were sought, in even coordinates
    RbPieceBorder borders[BORDERS_MAX];
    Corner corners[CORNERS_MAX];           // counterclockwise
    RbChartPlace from[RB_NEAR_PIECES_MAX]; // of pieces that have borders: where they are seen from
    double most[RB_NEAR_PIECES_MAX];       // [m] the overlap there
    RbChartPlace way[RB_NEAR_PIECES_MAX];  // once around their parts, as far as it is known
} Map;

static void add_corner(const RbFan *f, const RbPieceBorder *b, int end, Map *map) {
    RbChartPlace at = end ? b->b : b->a;
    RbChartPlace seen = rb_place_even(f, at);
    Corner c = {at, atan2(seen.y, seen.x), end ? b->right : b->left, end ? b->left : b->right};
    int place = map->corner_count++;
    for (; place > 0 && map->corners[place - 1].angle > c.angle; place--)
        map->corners[place] = map->corners[place - 1];
    map->corners[place] = c;
}

// Counts what leads around the part of a piece.
static void go_on(Map *map, int piece, RbChartPlace from, RbChartPlace to) {
    RbChartPlace *way = &map->way[piece];
    way->x += to.x - from.x, way->y += to.y - from.y;
}

// Do borders and outline lead around each part? If not, one has not been seen.
static bool is_closed(const RbFan *f, const Map *map) {
    const double fine = 1e-6;
    bool closed = true;
    for (int i = 0; i < f->smooth->field->near->count; i++) {
        RbChartPlace way = map->way[i];
        if (!(map->most[i] > 0)) continue;
        closed = closed && fabs(way.y) < fine * f->yy;
        closed = closed && (fabs(way.x) < fine * f->xx || (f->is_half && map->from[i].y == 0));
    }
    return closed;
}

// A part is seen from the deepest place that is known of it, best from where borders meet; if it comes to the axis from there, so that no more is needed of that.
static void look_from(const RbFan *f, const RbPieceBorder *b, Map *map) {
    const RbChartPlace places[] = {b->a, b->b, rb_place_between(b->a, b->b, 0.5)};
    const int pieces[] = {b->left, b->right};
    for (int i = 0; i < 3; i++) {
        if (i < 2 && b->is_corner[i]) continue;
        double w = rb_piece_overlap(f, b->left, places[i], NULL) * (i < 2 ? 1 : 0.5);
        if (f->is_half && places[i].y == 0) w += f->smooth->depth;
        for (int k = 0; k < 2; k++)
            if (w > map->most[pieces[k]])
                map->most[pieces[k]] = w, map->from[pieces[k]] = places[i];
    }
}

// Which pieces are above and below each bound; -1: none.
static void find_sides(const RbNearHull *near, int sides[][2]) {
    for (int i = 0; i < near->bound_count; i++) sides[i][0] = sides[i][1] = -1;
    for (int i = 0; i < near->count; i++) {
        const RbNearPiece *p = &near->pieces[i];
        for (int k = p->first; k < p->first + p->count; k++)
            sides[near->needs[k] / 2][near->needs[k] % 2] = i;
    }
}

static bool find_map(const RbFan *f, Map *map) {
    const RbNearHull *near = f->smooth->field->near;
    int sides[RB_NEAR_BOUNDS_MAX][2], base = f->smooth->piece;
    RbBoundHere here[RB_NEAR_BOUNDS_MAX];
    find_sides(near, sides);
    rb_bounds_here(f, here);
    map->border_count = map->corner_count = 0, map->reach = rb_border_reach(f);
    for (int i = 0; i < near->count; i++) map->most[i] = 0, map->way[i] = (RbChartPlace){0, 0};
    map->most[base] = 2 * f->smooth->depth, map->from[base] = (RbChartPlace){0, 0};
    for (int i = 0; i < near->bound_count; i++) {
        if (sides[i][0] < 0 || sides[i][1] < 0) continue;
        if (map->border_count == BORDERS_MAX) return false;
        RbPieceBorder *b = &map->borders[map->border_count];
        RbBorderFound found = rb_find_border(f, here, i, sides[i][0], sides[i][1], &map->reach, b);
        if (found == RB_BORDER_BAD) return false;
        if (found == RB_BORDER_NONE) continue;
        map->border_count++;
        look_from(f, b, map);
        go_on(map, b->left, b->a, b->b), go_on(map, b->right, b->b, b->a);
        for (int k = 0; k < 2; k++)
            if (b->is_corner[k]) add_corner(f, b, k, map);
    }
    return true;
}

static RbPart part_of(const RbFan *f, const Map *map, int piece, RbRoundSums *sums) {
    return (RbPart){f, piece, map->from[piece], map->reach, sums};
}

static bool add_between(const RbFan *f, Map *map, const Corner *a, const Corner *b,
                        RbRoundSums *sums) {
    if (a->after != b->before || a->after < 0 || !(map->most[a->after] > 0)) return false;
    RbPart p = part_of(f, map, a->after, sums);
    go_on(map, p.piece, a->at, b->at);
    return rb_add_arc(&p, a->at, b->at);
}

// From where the axis begins to overlap to where it ends.
static bool add_half(const RbFan *f, Map *map, RbRoundSums *sums) {
    double area;
    Corner last = {.at = {f->to, 0}}, end = {.at = {-f->from, 0}};
    const RbNearHull *near = f->smooth->field->near;
    last.after = rb_near_piece(near, rb_chart_point(&f->chart, f->to, 0, &area));
    end.before = rb_near_piece(near, rb_chart_point(&f->chart, -f->from, 0, &area));
    for (int i = 0; i < map->corner_count; i++) {
        if (!add_between(f, map, &last, &map->corners[i], sums)) return false;
        last = map->corners[i];
    }
    return add_between(f, map, &last, &end, sums);
}

// Over the piece of the closest point all around.
static bool add_ellipse(const RbFan *f, const Map *map, RbRoundSums *sums) {
    enum { PARTS = 4 };
    RbPart p = part_of(f, map, f->smooth->piece, sums);
    RbChartPlace ends[PARTS];
    for (int i = 0; i < PARTS; i++) {
        double c = i % 2 ? 0 : 1 - i, s = i % 2 ? 2 - i : 0, part;
        RbChartPlace at = {f->xx * c + f->xy * s, f->yy * s};
        if (!rb_find_end(f, p.piece, p.from, at, &part)) return false;
        ends[i] = rb_place_between(p.from, at, part);
    }
    for (int i = 0; i < PARTS; i++)
        if (!rb_add_arc(&p, ends[i], ends[(i + 1) % PARTS])) return false;
    return true;
}

static bool add_outline(const RbFan *f, Map *map, RbRoundSums *sums) {
    int n = map->corner_count;
    if (f->is_half) return add_half(f, map, sums);
    if (n == 0) return add_ellipse(f, map, sums);
    for (int i = 0; i < n; i++)
        if (!add_between(f, map, &map->corners[i], &map->corners[(i + 1) % n], sums)) return false;
    return true;
}

bool rb_is_slender(const RbFan *f) {
    const double slender = 40;
    double most = slender * f->smooth->near;
    return !(f->xx < most && f->yy < most);
}

bool rb_add_fan(const RbFan *f, RbRoundSums *sums) {
    Map map;
    if (!find_map(f, &map)) return false;
    for (int i = 0; i < 2 * map.border_count; i++) {
        const RbPieceBorder *b = &map.borders[i / 2];
        RbPart p = part_of(f, &map, i % 2 ? b->right : b->left, sums);
        rb_add_border(&p, b);
    }
    return add_outline(f, &map, sums) && is_closed(f, &map);
}
