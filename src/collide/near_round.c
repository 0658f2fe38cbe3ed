// SPDX-License-Identifier: MIT
#include "collide/near_round.h"

#include <math.h>

double rb_near_round_distance(const RbNearPiece *piece, Vec3 p, Vec3 *m) {
    Vec3 k = piece->across[0], out = v3(p.x - k.y, p.y, 0);
    double s = v3_norm(out);
    out = s > 0 ? v3_scale(1 / s, out) : v3(1, 0, 0);
    if (piece->kind == RB_NEAR_SIDE) {
        *m = v3(k.x * out.x, k.x * out.y, k.z);
        return k.x * s + k.z * p.z - piece->at[0];
    }
    double ds = s - k.x, dz = p.z - k.z, d = sqrt(ds * ds + dz * dz);
    *m = v3(ds / d * out.x, ds / d * out.y, dz / d);
    return d;
}

// ---- which pieces there are

enum { PARTINGS_MAX = 40, NONE = -1 };

// Bound i has these pieces above and below.
typedef struct Builder {
    RbNearHull *h;
    int above[PARTINGS_MAX], below[PARTINGS_MAX];
} Builder;

static int add_piece(Builder *b, RbNearPiece piece) {
    b->h->pieces[b->h->count] = piece;
    return b->h->count++;
}

static int add_face(Builder *b, Vec3 n, double at) {
    return add_piece(b, (RbNearPiece){.kind = RB_NEAR_FACE, .across = {n}, .at = {at}});
}

static int add_rim(Builder *b, double radius, double x, double z) {
    return add_piece(b, (RbNearPiece){.kind = RB_NEAR_RIM, .across = {{radius, x, z}}});
}

static void part(Builder *b, int above, int below, RbNearBound bound) {
    int i = b->h->bound_count++;
    b->h->bounds[i] = bound, b->above[i] = above, b->below[i] = below;
}

static void set_needs(Builder *b) {
    RbNearHull *h = b->h;
    int count = 0;
    for (int i = 0; i < h->count; i++) {
        RbNearPiece *p = &h->pieces[i];
        p->first = count;
        for (int k = 0; k < h->bound_count; k++) {
            if (b->above[k] == i) h->needs[count++] = 2 * k;
            if (b->below[k] == i) h->needs[count++] = 2 * k + 1;
        }
        p->count = count - p->first;
    }
}

// Radii at -half and half.
static void add_frustum(Builder *b, double low, double high, double half) {
    double slant = sqrt(4 * half * half + (low - high) * (low - high)), cosine = 2 * half / slant,
           sine = (low - high) / slant, begin = -sine * low - cosine * half; // along the side
    Vec3 up = v3(0, 0, 1), side = v3(cosine, 0, sine), along = v3(0, 0, cosine);
    int bottom = add_face(b, v3_neg(up), half), rim_low = add_rim(b, low, 0, -half);
    int wall = add_piece(
        b,
        (RbNearPiece){.kind = RB_NEAR_SIDE, .across = {side}, .at = {cosine * low - sine * half}});
    int rim_high = add_rim(b, high, 0, half);
    part(b, rim_low, bottom, (RbNearBound){V3_ZERO, low, 1});
    part(b, wall, rim_low, (RbNearBound){along, begin, -sine});
    part(b, rim_high, wall, (RbNearBound){along, begin + slant, -sine});
    if (high > 0) {
        int top = add_face(b, up, half);
        part(b, rim_high, top, (RbNearBound){V3_ZERO, high, 1});
    }
}

// One of both flat sides, or one of both round ones, with its edges or rims.
typedef struct Wall {
    int side, edge[2]; // below and above
} Wall;

static Wall add_round(Builder *b, Vec3 h, double sign) {
    Wall w = {
        .side = add_piece(
            b, (RbNearPiece){.kind = RB_NEAR_SIDE, .across = {{1, sign * h.x, 0}}, .at = {h.y}})};
    for (int k = 0; k < 2; k++) w.edge[k] = add_rim(b, h.y, sign * h.x, k ? h.z : -h.z);
    return w;
}

static Wall add_flat(Builder *b, Vec3 h, double sign) {
    Vec3 out = v3(0, sign, 0), up = v3(0, 0, 1);
    Wall w = {.side = add_face(b, out, h.y)};
    for (int k = 0; k < 2; k++)
        w.edge[k] = add_piece(b, (RbNearPiece){.kind = RB_NEAR_EDGE,
                                               .across = {out, k ? up : v3_neg(up)},
                                               .at = {h.y, h.z}});
    const int parts[] = {w.side, w.edge[0], w.edge[1]};
    for (int k = 0; k < 3; k++) part(b, parts[k], NONE, (RbNearBound){out, 0, 0});
    return w;
}

static void add_beam(Builder *b, Vec3 h) {
    Vec3 up = v3(0, 0, 1), x = v3(1, 0, 0);
    int end[2] = {add_face(b, v3_neg(up), h.z), add_face(b, up, h.z)};
    Wall walls[4];
    for (int i = 0; i < 2; i++) walls[i] = add_round(b, h, i ? 1 : -1);
    for (int i = 0; i < 2; i++) walls[2 + i] = add_flat(b, h, i ? 1 : -1);
    for (int i = 0; i < 4; i++) {
        const Wall *w = &walls[i];
        part(b, w->side, w->edge[0], (RbNearBound){up, -h.z, 0});
        part(b, w->edge[1], w->side, (RbNearBound){up, h.z, 0});
        for (int k = 0; k < 2; k++) part(b, w->edge[k], end[k], (RbNearBound){V3_ZERO, h.y, 1});
    }
    for (int i = 0; i < 4; i++) { // flat ones with round ones
        const Wall *low = i / 2 ? &walls[2 + i % 2] : &walls[0],
                   *high = i / 2 ? &walls[1] : &walls[2 + i % 2];
        RbNearBound bound = {x, i / 2 ? h.x : -h.x, 0};
        part(b, high->side, low->side, bound);
        for (int k = 0; k < 2; k++) part(b, high->edge[k], low->edge[k], bound);
    }
}

// Everything is near.
static void begin(RbNearHull *out, double radius) {
    out->n = V3_ZERO, out->radius = radius, out->straight = 0;
    out->least = -2 * radius, out->most = (double)INFINITY;
    out->count = out->bound_count = 0;
}

void rb_near_plane(Vec3 n, double offset, double radius, RbNearHull *out) {
    Builder b = {.h = out};
    begin(out, radius);
    add_face(&b, n, offset);
    set_needs(&b);
}

bool rb_near_round(const RbCore *core, double radius, RbNearHull *out) {
    Builder b = {.h = out};
    Vec3 h = core->h;
    begin(out, radius);
    switch (core->kind) {
        case RB_CORE_CYLINDER: add_frustum(&b, h.x, h.x, h.z); break;
        case RB_CORE_FRUSTUM: add_frustum(&b, h.x, h.y, h.z); break;
        case RB_CORE_BEAM: out->straight = h.x, add_beam(&b, h); break;
        default: return false;
    }
    set_needs(&b);
    return true;
}
