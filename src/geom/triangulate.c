// SPDX-License-Identifier: MIT
// Ears are cut off, the one with the shortest cut first. Holes are joined to their outer loop by a
// bridge that is walked in both directions.
#include "geom/triangulate.h"

#include "geom/predicate.h"

double rb_polygon_area2(const RbPolygon *p, int loop) {
    int first = p->loop_start[loop], end = p->loop_start[loop + 1];
    const double *o = p->x[first];
    double sum = 0;
    for (int i = first + 1; i + 1 < end; i++) {
        sum += (p->x[i][0] - o[0]) * (p->x[i + 1][1] - o[1]) -
               (p->x[i][1] - o[1]) * (p->x[i + 1][0] - o[0]);
    }
    return sum;
}

// The loop that is being cut, as a ring of corners; bridges use a point twice.
typedef struct Ring {
    const RbPolygon *p;
    int *point, *next, *before; // of each corner
    double *cut;                // [m²] squared length of the cut of an ear, INFINITY for none
    int count;
} Ring;

static const double *at(const Ring *r, int corner) {
    return r->p->x[r->point[corner]];
}

static int turn(const Ring *r, int a, int b, int c) {
    return rb_orient2d(at(r, a), at(r, b), at(r, c));
}

static bool same_place(const double *a, const double *b) {
    return a[0] == b[0] && a[1] == b[1];
}

static double squared_distance(const double *a, const double *b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

// ---- which hole belongs to which outer loop ----

static bool point_in_loop(const RbPolygon *p, int loop, const double *q) {
    int first = p->loop_start[loop], end = p->loop_start[loop + 1];
    bool inside = false;
    for (int i = first, k = end - 1; i < end; k = i++) {
        const double *a = p->x[i], *b = p->x[k];
        if ((a[1] > q[1]) == (b[1] > q[1])) continue;
        bool up = b[1] > a[1];
        if (rb_orient2d(a, b, q) == (up ? 1 : -1)) inside = !inside;
    }
    return inside;
}

// The smallest outer loop around most of a hole's points, or -1.
static int owner_of(const RbPolygon *p, const double *area2, int hole) {
    int best = -1, outers = 0;
    for (int l = 0; l < p->loop_count; l++) {
        if (!(area2[l] >= 0)) continue;
        outers++;
        int votes = 0, count = p->loop_start[hole + 1] - p->loop_start[hole];
        for (int i = p->loop_start[hole]; i < p->loop_start[hole + 1]; i++) {
            votes += point_in_loop(p, l, p->x[i]);
        }
        if (2 * votes > count && (best < 0 || area2[l] < area2[best])) best = l;
    }
    if (best >= 0 || outers != 1) return best;
    for (int l = 0; l < p->loop_count; l++) {
        if (area2[l] >= -area2[hole]) return l; // the only one, and large enough
    }
    return -1;
}

// ---- bridges ----

// "Left of" means a smaller x, or the same x and a smaller y.
static bool left_of(const double *a, const double *b) {
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

// Add the points of a loop as corners of a closed ring of their own; answers the first.
static int add_ring(Ring *r, int loop) {
    int first = r->count, n = r->p->loop_start[loop + 1] - r->p->loop_start[loop];
    for (int i = 0; i < n; i++) {
        int c = r->count++;
        r->point[c] = r->p->loop_start[loop] + i;
        r->next[c] = i + 1 < n ? c + 1 : first;
        r->before[c] = i > 0 ? c - 1 : first + n - 1;
    }
    return first;
}

// Does the open segment from corner a to point q cross or touch a side of the ring of `start`?
static bool is_blocked(const Ring *r, int start, const double *p, const double *q) {
    int c = start;
    do {
        const double *a = at(r, c), *b = at(r, r->next[c]);
        c = r->next[c];
        bool ends = same_place(a, p) || same_place(a, q) || same_place(b, p) || same_place(b, q);
        if (!ends) {
            if (rb_orient2d(p, q, a) * rb_orient2d(p, q, b) <= 0 &&
                rb_orient2d(a, b, p) * rb_orient2d(a, b, q) <= 0) {
                return true;
            }
            continue;
        }
        // a side with a common end must not run along the bridge
        const double *other = same_place(a, p) || same_place(a, q) ? b : a;
        if (same_place(other, p) || same_place(other, q)) continue;
        double along = (other[0] - p[0]) * (q[0] - p[0]) + (other[1] - p[1]) * (q[1] - p[1]);
        if (rb_orient2d(p, q, other) == 0 && along > 0 && along < squared_distance(p, q))
            return true;
    } while (c != start);
    return false;
}

// Does the direction to q lie in the corner c of the ring (its part of the plane to the left)?
static bool in_corner(const Ring *r, int c, const double *q) {
    const double *a = at(r, r->before[c]), *b = at(r, c), *d = at(r, r->next[c]);
    bool convex = rb_orient2d(a, b, d) > 0;
    bool left_in = rb_orient2d(a, b, q) > 0, left_out = rb_orient2d(b, d, q) > 0;
    return convex ? left_in && left_out : left_in || left_out;
}

typedef struct Bridge {
    int outer, hole;
    double length2;
    bool free;
} Bridge;

static void consider(const Ring *r, Bridge *best, int outer, int hole, int outer_start,
                     int hole_start) {
    const double *p = at(r, outer), *q = at(r, hole);
    double length2 = squared_distance(p, q);
    if (left_of(q, p) && best->outer >= 0) return;
    bool better = best->outer < 0 || length2 < best->length2;
    if (!better && best->free) return;
    bool free = !left_of(q, p) && in_corner(r, outer, q) && in_corner(r, hole, p) &&
                !is_blocked(r, outer_start, p, q) && !is_blocked(r, hole_start, p, q);
    if (free ? better || !best->free : better && !best->free) {
        *best = (Bridge){outer, hole, length2, free};
    }
}

// Join the ring of a hole to the outer ring: the hole's leftmost corner and the nearest corner of the
// outer ring that is not right of it and that it can see. Holes that are joined later lie further
// right and so do not stand between. If rounding lets it see none, any.
static void bridge(Ring *r, int outer_start, int hole_start) {
    int leftmost = hole_start;
    for (int c = r->next[hole_start]; c != hole_start; c = r->next[c]) {
        if (left_of(at(r, c), at(r, leftmost))) leftmost = c;
    }
    Bridge best = {-1, -1, 0, false};
    int c = outer_start;
    do {
        consider(r, &best, c, leftmost, outer_start, hole_start);
        c = r->next[c];
    } while (c != outer_start);
    // outer -> hole ... hole' -> outer'
    int hole2 = r->count++, outer2 = r->count++;
    r->point[hole2] = r->point[best.hole];
    r->point[outer2] = r->point[best.outer];
    int hole_before = r->before[best.hole], outer_next = r->next[best.outer];
    r->next[best.outer] = best.hole;
    r->before[best.hole] = best.outer;
    r->next[hole_before] = hole2;
    r->before[hole2] = hole_before;
    r->next[hole2] = outer2;
    r->before[outer2] = hole2;
    r->next[outer2] = outer_next;
    r->before[outer_next] = outer2;
}

// ---- ears ----

// Does a side of corner q, which lies at the apex, start into the angle between left and right?
static bool starts_between(const Ring *r, int q, const double *apex, const double *right,
                           const double *left) {
    const double *ends[2] = {at(r, r->before[q]), at(r, r->next[q])};
    for (int k = 0; k < 2; k++) {
        if (rb_orient2d(apex, right, ends[k]) > 0 && rb_orient2d(apex, left, ends[k]) < 0)
            return true;
    }
    return false;
}

// Is no other corner in the closed triangle of the corners a, b, c? One at the place of one of
// these (a bridge) counts only if its sides reach into the triangle.
static bool is_free(const Ring *r, int a, int b, int c) {
    const double *pa = at(r, a), *pb = at(r, b), *pc = at(r, c);
    for (int q = r->next[c]; q != a; q = r->next[q]) {
        const double *x = at(r, q);
        if (rb_orient2d(pc, pa, x) < 0 || rb_orient2d(pa, pb, x) < 0 || rb_orient2d(pb, pc, x) < 0)
            continue;
        bool in = same_place(x, pa)   ? starts_between(r, q, pa, pb, pc)
                  : same_place(x, pb) ? starts_between(r, q, pb, pc, pa)
                  : same_place(x, pc) ? starts_between(r, q, pc, pa, pb)
                                      : true;
        if (in) return false;
    }
    return true;
}

static double cut_length2(const Ring *r, int b) {
    int a = r->before[b], c = r->next[b];
    if (turn(r, a, b, c) <= 0 || !is_free(r, a, b, c)) return INFINITY;
    return squared_distance(at(r, a), at(r, c));
}

// The ear with the shortest cut; if there is none (crossing or degenerate loops), a corner that makes
// a triangle without area, or else the flattest.
static int best_corner(const Ring *r, int start) {
    int best = start, fallback = start, c = start;
    int fallback_turn = 2;
    double fallback_length = INFINITY;
    do {
        if (r->cut[c] < r->cut[best]) best = c;
        c = r->next[c];
    } while (c != start);
    if (r->cut[best] < INFINITY) return best;
    do {
        int t = turn(r, r->before[c], c, r->next[c]);
        int rank = t == 0 ? 0 : t > 0 ? 1 : 2;
        double length = squared_distance(at(r, r->before[c]), at(r, r->next[c]));
        if (rank < fallback_turn || (rank == fallback_turn && length < fallback_length)) {
            fallback = c;
            fallback_turn = rank;
            fallback_length = length;
        }
        c = r->next[c];
    } while (c != start);
    return fallback;
}

static int cut_ears(Ring *r, int start, RbTriangle *out) {
    int left = 1, made = 0;
    for (int c = r->next[start]; c != start; c = r->next[c]) left++;
    for (int i = 0, c = start; i < left; i++, c = r->next[c]) r->cut[c] = cut_length2(r, c);
    int at_corner = start;
    for (; left > 3; left--) {
        int b = best_corner(r, at_corner), a = r->before[b], c = r->next[b];
        out[made++] = (RbTriangle){{r->point[a], r->point[b], r->point[c]}};
        r->next[a] = c;
        r->before[c] = a;
        r->cut[a] = cut_length2(r, a);
        r->cut[c] = cut_length2(r, c);
        at_corner = c;
    }
    if (left == 3) {
        int a = at_corner, b = r->next[a];
        out[made++] = (RbTriangle){{r->point[a], r->point[b], r->point[r->next[b]]}};
    }
    return made;
}

static const double *leftmost_point(const RbPolygon *p, int loop) {
    const double *best = p->x[p->loop_start[loop]];
    for (int i = p->loop_start[loop]; i < p->loop_start[loop + 1]; i++) {
        if (left_of(p->x[i], best)) best = p->x[i];
    }
    return best;
}

// Holes from left to right, so that no bridge crosses a hole that is joined later.
static void sort_by_left(const RbPolygon *p, int *holes, int count) {
    for (int i = 1; i < count; i++) {
        int moved = holes[i], k = i;
        const double *left = leftmost_point(p, moved);
        for (; k > 0 && left_of(left, leftmost_point(p, holes[k - 1])); k--)
            holes[k] = holes[k - 1];
        holes[k] = moved;
    }
}

int rb_triangulate(const RbPolygon *p, RbTriangle *out, RbArena scratch) {
    int corners = rb_triangulate_room(p), count = 0;
    Ring r = {.p = p,
              .point = rb_new_array(&scratch, int, corners),
              .next = rb_new_array(&scratch, int, corners),
              .before = rb_new_array(&scratch, int, corners),
              .cut = rb_new_array(&scratch, double, corners)};
    double *area2 = rb_new_array(&scratch, double, p->loop_count);
    int *owner = rb_new_array(&scratch, int, p->loop_count);
    int *holes = rb_new_array(&scratch, int, p->loop_count);
    for (int l = 0; l < p->loop_count; l++) area2[l] = rb_polygon_area2(p, l);
    for (int l = 0; l < p->loop_count; l++) owner[l] = area2[l] >= 0 ? -1 : owner_of(p, area2, l);
    for (int l = 0; l < p->loop_count; l++) {
        if (owner[l] >= 0) continue;
        int start = add_ring(&r, l), hole_count = 0;
        for (int h = 0; h < p->loop_count; h++) {
            if (owner[h] == l) holes[hole_count++] = h;
        }
        sort_by_left(p, holes, hole_count);
        for (int h = 0; h < hole_count; h++) bridge(&r, start, add_ring(&r, holes[h]));
        count += cut_ears(&r, start, out + count);
    }
    return count;
}
