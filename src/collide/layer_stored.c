// SPDX-License-Identifier: MIT
// What is shared is a sum of columns: each triangle of its boundary stands for all that is beyond it along one direction, with a
// sign, since a point is inside if it is beyond one triangle more that faces back than such that face ahead. In a column, which is convex, each
// tetrahedron of a layer has a convex part. No decision is made: every column is a continuous function of the pose.
#include "collide/layer_stored.h"

enum { PLANES = 4 }; // of a column: its triangle and three walls

typedef struct Plane {
    Vec3 at, n; // inside along n
} Plane;

typedef struct Column {
    Plane planes[PLANES];
    RbAabb box;
    double sign;
} Column;

// Over what is shared of a layer.
typedef struct Sums {
    const RbLayer *layer;
    double volume; // [m³]
    double depth;  // [m³] times depth from 0 to 1
} Sums;

// ---- a tetrahedron and a column ----

typedef struct Corner {
    Vec3 x;
    double depth;
} Corner;

static double inside(const Plane *p, Vec3 x) {
    return v3_dot(p->n, v3_sub(x, p->at));
}

static Corner between(Corner in, Corner out, double d_in, double d_out) {
    double t = d_in / (d_in - d_out);
    return (Corner){v3_axpy(in.x, t, v3_sub(out.x, in.x)), in.depth + t * (out.depth - in.depth)};
}

static void add_whole(Sums *s, double sign, const Corner c[4]) {
    Vec3 a = v3_sub(c[1].x, c[0].x), b = v3_sub(c[2].x, c[0].x), d = v3_sub(c[3].x, c[0].x);
    double volume = sign * fabs(v3_dot(v3_cross(a, b), d)) / 6;
    s->volume += volume;
    s->depth += volume / 4 * (c[0].depth + c[1].depth + c[2].depth + c[3].depth);
}

static void add_cut(Sums *s, const Column *column, int plane, const Corner c[4]);

// With ends a0 a1 a2 and b0 b1 b2 across.
static void add_wedge(Sums *s, const Column *column, int plane, const Corner a[3],
                      const Corner b[3]) {
    const Corner row[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    for (int k = 0; k < 3; k++) add_cut(s, column, plane, &row[k]);
}

// What is inside this plane of the column and the following ones.
static void add_cut(Sums *s, const Column *column, int plane, const Corner c[4]) {
    if (plane == PLANES) {
        add_whole(s, column->sign, c);
        return;
    }
    Corner in[4], out[4];
    double d_in[4], d_out[4];
    int kept = 0, cut = 0;
    for (int k = 0; k < 4; k++) {
        double d = inside(&column->planes[plane], c[k].x);
        if (d >= 0)
            in[kept] = c[k], d_in[kept++] = d;
        else
            out[cut] = c[k], d_out[cut++] = d;
    }
    if (kept == 0) return;
    if (kept == 4) {
        add_cut(s, column, plane + 1, c);
        return;
    }
    Corner at[2][3]; // where edges from the inside corners go out
    if (kept == 2) {
        for (int i = 0; i < 2; i++) {
            at[i][0] = in[i];
            for (int k = 0; k < 2; k++) at[i][1 + k] = between(in[i], out[k], d_in[i], d_out[k]);
        }
        add_wedge(s, column, plane + 1, at[0], at[1]);
    } else if (kept == 3) {
        for (int i = 0; i < 3; i++) at[0][i] = between(in[i], out[0], d_in[i], d_out[0]);
        add_wedge(s, column, plane + 1, in, at[0]);
    } else {
        Corner tip[4] = {in[0]};
        for (int k = 0; k < 3; k++) tip[1 + k] = between(in[0], out[k], d_in[0], d_out[k]);
        add_cut(s, column, plane + 1, tip);
    }
}

// The three parts under a triangle of the layer.
static void add_parts(Sums *s, const Column *column, int triangle) {
    const Vec3 *y = &s->layer->corners[6 * triangle];
    for (int i = 0; i < PLANES; i++) {
        bool meets = false;
        for (int k = 0; k < 6 && !meets; k++) meets = inside(&column->planes[i], y[k]) > 0;
        if (!meets) return;
    }
    Corner c[6];
    for (int k = 0; k < 6; k++) c[k] = (Corner){y[k], k < 3 ? 0 : 1};
    for (int part = 0; part < 3; part++) add_cut(s, column, 0, &c[part]);
}

static void add_parts_near(Sums *s, const Column *column, int node) {
    const RbLayer *l = s->layer;
    if (!rb_aabb_overlap(l->boxes[node], column->box)) return;
    const RbMeshNode *n = &l->tree.nodes[node];
    if (n->count == 0) {
        add_parts_near(s, column, n->left);
        add_parts_near(s, column, n->right);
    }
    for (int i = 0; i < n->count; i++) {
        int triangle = l->tree.triangles[n->first + i];
        if (rb_aabb_overlap(l->part_boxes[triangle], column->box)) add_parts(s, column, triangle);
    }
}

// ---- the columns of a region ----

// A region in the frame of a layer. Columns go out of its solid: along an axis of that frame, so that a box encloses one tightly.
typedef struct Region {
    const RbMeshOverlap *overlap;
    int number, side; // of the layer
    RbAabb box;
    Vec3 e;     // along which columns go
    double top; // where all of them end: beyond there is nothing
} Region;

static Vec3 point_of(const Region *r, const RbCutLoop *l, int k) {
    const RbMeshCut *cut = &r->overlap->cut;
    Vec3 x = rb_cut_point(cut, l->side, cut->nodes.data[l->first + k]);
    return r->side ? pose_unpoint(r->overlap->pose, x) : x;
}

static Region open_region(const RbMeshOverlap *o, int number, int side) {
    Region r = {o, number, side, RB_AABB_EMPTY, V3_ZERO, 0};
    for (int i = 0; i < o->polygons.count; i++) {
        if (o->polygons.data[i].region != number) continue;
        const RbCutLoop *l = &o->cut.loops.data[o->polygons.data[i].loop];
        for (int k = 0; k < l->count; k++) r.box = rb_aabb_add_point(r.box, point_of(&r, l, k));
    }
    Vec3 out = o->regions.data[number].area_a;
    if (side) out = v3_neg(m3_tmul_vec(o->pose.R, out));
    Vec3 a = v3_abs(out);
    int k = a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
    r.e = v3_scale(v3_get(out, k) < 0 ? -1 : 1, v3_axis(k));
    r.top = fmax(v3_dot(r.e, r.box.low), v3_dot(r.e, r.box.high));
    return r;
}

// A triangle that stands along the columns is none of them.
static void add_column(Sums *s, const Region *r, const Vec3 x[3]) {
    Vec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
    double ahead = v3_dot(r->e, n);
    if (!(fabs(ahead) > 1e-14 * v3_norm(n))) return;
    double turned = ahead < 0 ? -1 : 1;
    Column c = {.planes[0] = {x[0], v3_scale(turned, n)}, .box = RB_AABB_EMPTY, .sign = -turned};
    for (int k = 0; k < 3; k++) {
        Vec3 along = v3_sub(x[(k + 1) % 3], x[k]);
        c.planes[1 + k] = (Plane){x[k], v3_scale(turned, v3_cross(r->e, along))};
        c.box = rb_aabb_add_point(c.box, x[k]);
        c.box = rb_aabb_add_point(c.box, v3_axpy(x[k], r->top - v3_dot(r->e, x[k]), r->e));
    }
    add_parts_near(s, &c, 0);
}

static void add_region(Sums *s, const Region *r) {
    const RbMeshOverlap *o = r->overlap;
    for (int i = 0; i < o->polygons.count; i++) {
        if (o->polygons.data[i].region != r->number) continue;
        const RbCutLoop *l = &o->cut.loops.data[o->polygons.data[i].loop];
        Vec3 x[3] = {point_of(r, l, 0), V3_ZERO, point_of(r, l, 1)};
        for (int k = 2; k < l->count; k++) {
            x[1] = x[2];
            x[2] = point_of(r, l, k);
            add_column(s, r, x);
        }
    }
}

// [m³] Deeper than the layer: what is missing of the volume. Where nothing reaches through the layer that is rounding.
static double core(const RbMeshOverlap *o, int side, double in_layer) {
    double y = fmax(0, fmin(1, (o->reached[side] - 0.5) / 0.4));
    return fmax(0, o->volume - in_layer) * y * y * (3 - 2 * y);
}

double rb_layer_stored(const RbMeshOverlap *o) {
    double stored = 0;
    for (int side = 0; side < 2; side++) {
        Sums s = {.layer = o->layers[side]};
        for (int i = 0; i < o->regions.count; i++) {
            Region r = open_region(o, i, side);
            add_region(&s, &r);
        }
        stored += 0.5 * s.layer->thickness * (s.depth + core(o, side, s.volume));
    }
    return stored;
}
