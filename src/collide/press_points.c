// SPDX-License-Identifier: MIT
#include "collide/press_points.h"

#include <math.h>

void rb_press_push(RbMeshOverlap *o, const RbPressedFace *p, Vec3 x, double volume, double area) {
    Vec3 n = p->side ? v3_neg(p->n) : p->n;
    RbOverlapPoint point = {.x = x,
                            .n = n,
                            .way = p->way,
                            .at = p->rolls ? p->at : x,
                            .area = area,
                            .volume = volume,
                            .region = p->region};
    rb_array_push(&o->points, o->cut.arena, point);
}

static void push_at(RbMeshOverlap *o, const RbPressedFace *p, double q0, double q1, double volume,
                    double area) {
    Vec3 x = v3_axpy(v3_axpy(p->origin, q0, p->axes[0]), q1, p->axes[1]);
    rb_press_push(o, p, x, volume, area);
}

// The mean of a distribution, and the root of twice its covariance (00, 01, 11): points on the circle that this makes of the unit circle have the same
// second moments if they have those of a circle, and move without jumps.
typedef struct Ellipse {
    double q[2], root[3];
} Ellipse;

static Ellipse ellipse(const RbPressedSums *sums) {
    const double s = sums->s, *sqq = sums->sqq, x = sums->sq[0] / s, y = sums->sq[1] / s;
    double a = fmax(0, 2 * (sqq[0] / s - x * x)), b = 2 * (sqq[1] / s - x * y),
           c = fmax(0, 2 * (sqq[2] / s - y * y));
    double det = sqrt(fmax(0, a * c - b * b)), t = sqrt(a + c + 2 * det);
    Ellipse e = {.q = {x, y}};
    if (t > 0) e.root[0] = (a + det) / t, e.root[1] = b / t, e.root[2] = (c + det) / t;
    return e;
}

// ---- of its moments alone ----

// Five points: a ninth in the middle, the rest along the columns of the root. At 3/sqrt(8) of these the mean distance from the middle is right too for a uniform disc, which
// is what a round body presses on.
void rb_press_face(RbMeshOverlap *o, const RbPressedFace *p, double total) {
    const double middle = 1.0 / 9, out = 1.0606601717798212;
    if (!(p->of.s > 0)) return;
    Ellipse e = ellipse(&p->of);
    double volume = 2 * middle * total, area = 2 * middle * p->of.area;
    push_at(o, p, e.q[0], e.q[1], 0.5 * volume, 0.5 * area);
    for (int sign = -1; sign <= 1; sign += 2) {
        double r = sign * out;
        push_at(o, p, e.q[0] + r * e.root[0], e.q[1] + r * e.root[1], volume, area);
        push_at(o, p, e.q[0] + r * e.root[1], e.q[1] + r * e.root[2], volume, area);
    }
}

// ---- of its pieces ----

// Lines through the mean of the face divide it into sectors, so that what spins about that has in each of them nearly one direction.
enum { LINES = 3, SECTORS = 2 * LINES, ROOM = RB_PIECE_CORNERS + LINES };

// Across the lines; and the ways to which the triangles of points of the first sectors turn their backs. Opposite sectors have opposite ones, and a mirror image has the image of
// all. If these were the middles of all sectors a disc would be rubbed by 0.5 % too little; 22 degrees beside those of the outer ones it is right.
#define HALF_ROOT_3 0.8660254037844386
#define COS_8       0.9902680687415704
#define SIN_8       0.13917310096006544
static const double across[LINES][2] = {{0, 1}, {-HALF_ROOT_3, 0.5}, {-HALF_ROOT_3, -0.5}};
static const double ways[LINES][2] = {{COS_8, SIN_8}, {0, 1}, {-COS_8, SIN_8}};

// Convex; places from the mean.
typedef struct Part {
    RbPressedCorner corners[ROOM];
    int count;
} Part;

static RbPressedCorner between(const RbPressedCorner *a, const RbPressedCorner *b, double t) {
    return (RbPressedCorner){{a->q[0] + t * (b->q[0] - a->q[0]), a->q[1] + t * (b->q[1] - a->q[1])},
                             a->depth + t * (b->depth - a->depth)};
}

// What lies on the left of a line, and what lies on its right; d: how far on the left the corners are.
static void divide(const Part *p, const double d[ROOM], Part *left, Part *right) {
    left->count = right->count = 0;
    for (int i = 0; i < p->count; i++) {
        int next = i + 1 < p->count ? i + 1 : 0;
        Part *side = d[i] >= 0 ? left : right;
        side->corners[side->count++] = p->corners[i];
        if ((d[i] >= 0) == (d[next] >= 0)) continue;
        RbPressedCorner c = between(&p->corners[i], &p->corners[next], d[i] / (d[i] - d[next]));
        left->corners[left->count++] = right->corners[right->count++] = c;
    }
}

static void add_part(RbPressedSums *sums, const Part *p) {
    for (int i = 2; i < p->count; i++) {
        const RbPressedCorner *triangle[3] = {&p->corners[0], &p->corners[i - 1], &p->corners[i]};
        rb_press_add(sums, triangle);
    }
}

// Of what lies on the left of these lines and on the right of the others.
static int sector_of(unsigned left) {
    int first = left & 1 ? 0 : LINES, k = 1;
    if (first > 0) left = ~left;
    while (k < LINES && (left >> k & 1)) k++;
    return first + k - 1;
}

// left: of which of the lines before this one it lies.
static void add_divided(RbPressedSums sectors[SECTORS], const Part *p, int line, unsigned left) {
    for (; line < LINES; line++) {
        double d[ROOM];
        int count = 0;
        for (int i = 0; i < p->count; i++) {
            const double *q = p->corners[i].q;
            count += (d[i] = across[line][0] * q[0] + across[line][1] * q[1]) >= 0;
        }
        unsigned bit = 1U << line;
        if (count == p->count) left |= bit;
        if (count == 0 || count == p->count) continue;
        Part on_left, on_right;
        divide(p, d, &on_left, &on_right);
        add_divided(sectors, &on_left, line + 1, left | bit);
        add_divided(sectors, &on_right, line + 1, left);
        return;
    }
    add_part(&sectors[sector_of(left)], p);
}

static Part from_mean(const RbMeshOverlap *o, const RbPressedPiece *piece, const double mean[2]) {
    Part p;
    p.count = piece->count;
    for (int i = 0; i < piece->count; i++) {
        RbPressedCorner c = o->corners.data[piece->first + i];
        p.corners[i] = (RbPressedCorner){{c.q[0] - mean[0], c.q[1] - mean[1]}, c.depth};
    }
    return p;
}

// Three points, one of them nearly towards the mean of the face: so friction that turns about that is right to 0.5 % for discs, rings, rectangles and
// triangles (tests/unit/contact/test_mesh_spin.c).
static void push_sector(RbMeshOverlap *o, const RbPressedFace *p, const RbPressedSums *sums,
                        const double way[2], const double mean[2], double per_s, double part) {
    if (!(sums->s > 0)) return;
    Ellipse e = ellipse(sums);
    for (int k = -1; k <= 1; k++) {
        double c = k ? 0.5 : -1, s = k * HALF_ROOT_3;
        double u[2] = {c * way[0] - s * way[1], s * way[0] + c * way[1]};
        push_at(o, p, mean[0] + e.q[0] + e.root[0] * u[0] + e.root[1] * u[1],
                mean[1] + e.q[1] + e.root[1] * u[0] + e.root[2] * u[1], part * per_s * sums->s / 3,
                part * sums->area / 3);
    }
}

static void push_sectors(RbMeshOverlap *o, const RbPressedFace *p, double total, double part) {
    if (!(p->of.s > 0)) return;
    double mean[2] = {p->of.sq[0] / p->of.s, p->of.sq[1] / p->of.s}, per_s = total / p->of.s;
    RbPressedSums sectors[SECTORS] = {{0}};
    for (int i = p->pieces; i >= 0; i = o->pieces.data[i].next) {
        Part piece = from_mean(o, &o->pieces.data[i], mean);
        add_divided(sectors, &piece, 0, 0);
    }
    for (int i = 0; i < SECTORS; i++) {
        double sign = i < LINES ? 1 : -1, x = ways[i % LINES][0], y = ways[i % LINES][1];
        double way[2] = {sign * x, sign * y};
        push_sector(o, p, &sectors[i], way, mean, per_s, part);
    }
}

// Of faces that carry little, as walls of a body that has sunk in, of which there may be many, five points are enough; between both, without a jump.
void rb_press_pieces(RbMeshOverlap *o, const RbPressedFace *p, double total, double share) {
    const double least = 1.0 / RB_PRESSED_MUCH, most = 3.0 / 8;
    double y = fmin(1, fmax(0, (share - least) / (most - least))), much = y * y * (3 - 2 * y);
    if (much > 0) push_sectors(o, p, total, much);
    if (much < 1) rb_press_face(o, p, (1 - much) * total);
}
