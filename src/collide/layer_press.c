// SPDX-License-Identifier: MIT
// The plane of a triangle cuts the tetrahedra in the layer of the other solid: convex polygons on which the depth is linear,
// and of which the triangle has a part. Places in the plane are a pair of numbers q: x = x0 + q0 (x1 - x0) + q1 (x2 - x0).
#include "collide/layer_press.h"

#include "geom/layer.h"

// Over the pieces of a triangle, in q; depth s from 0 to 1.
typedef struct Sums {
    double area, area_q[2];
    double s, sq[2], sqq[3], ss; // of s, s q, s q q' (00, 01, 11), s²
} Sums;

typedef struct Face {
    const RbLayer *layer; // of the other solid
    Vec3 x[3];            // [m] corners, in the frame of the other solid
    Vec3 origin;          // [m] the point that sums are about: one within the overlap
    double origin_q[2];
    Vec3 n, rise[2]; // unit normal; [1/m] how q changes along a way
    double flat;     // [m] nearer to the plane than this is on it
    RbAabb box;      // [m] of what overlaps, in the frame of the other solid
    Sums sums;
} Face;

// ---- the plane of a triangle and a tetrahedron ----

// A corner of the layer as the triangle sees it.
typedef struct Seen {
    double height; // [m] above its plane
    double q[2];   // of its foot, from the origin
    double depth;  // 0 on the surface of the other solid, 1 inside
} Seen;

// A place in the plane.
typedef struct Corner {
    double q[2], depth;
} Corner;

// Three or four of a section, and one more by each side of the triangle.
enum { CORNERS = 4 + 3 };

static Corner lerp(Corner a, Corner b, double t) {
    return (Corner){{a.q[0] + t * (b.q[0] - a.q[0]), a.q[1] + t * (b.q[1] - a.q[1])},
                    a.depth + t * (b.depth - a.depth)};
}

static Corner foot(const Seen *a) {
    return (Corner){{a->q[0], a->q[1]}, a->depth};
}

// Always from the lower end, so that neighbours find the same.
static Corner crossing(const Seen *low, const Seen *high) {
    return lerp(foot(low), foot(high), low->height / (low->height - high->height));
}

// Where the plane cuts a tetrahedron, in order around; 0, 3 or 4 corners. What is on the plane counts as below it.
static int section(const Seen part[4], Corner out[CORNERS]) {
    const Seen *high[4], *low[4];
    int above = 0, below = 0;
    for (int k = 0; k < 4; k++) {
        if (part[k].height > 0)
            high[above++] = &part[k];
        else
            low[below++] = &part[k];
    }
    if (above == 0 || below == 0) return 0;
    if (above == 2) {
        out[0] = crossing(low[0], high[0]);
        out[1] = crossing(low[0], high[1]);
        out[2] = crossing(low[1], high[1]);
        out[3] = crossing(low[1], high[0]);
        return 4;
    }
    for (int k = 0; k < 3; k++)
        out[k] = above == 1 ? crossing(low[k], high[0]) : crossing(low[0], high[k]);
    return 3;
}

// How far inside a side of the triangle: barycentric.
static double inside(const Face *f, const Corner *c, int side) {
    double q0 = f->origin_q[0] + c->q[0], q1 = f->origin_q[1] + c->q[1];
    return side == 0 ? q0 : side == 1 ? q1 : 1 - q0 - q1;
}

// The part of a polygon that is inside all sides.
static int clip(const Face *f, Corner polygon[2][CORNERS], int count, int *from) {
    for (int side = 0; side < 3 && count > 0; side++) {
        double d[CORNERS];
        int kept = 0;
        for (int i = 0; i < count; i++) kept += (d[i] = inside(f, &polygon[*from][i], side)) >= 0;
        if (kept == count) continue;
        const Corner *in = polygon[*from];
        Corner *out = polygon[ *from = 1 - *from];
        int n = 0;
        for (int i = 0; i < count && kept > 0; i++) {
            int next = i + 1 < count ? i + 1 : 0;
            if (d[i] >= 0) out[n++] = in[i];
            if ((d[i] >= 0) != (d[next] >= 0))
                out[n++] = lerp(in[i], in[next], d[i] / (d[i] - d[next]));
        }
        count = n;
    }
    return count;
}

// A triangle of a fan, q from its first corner's own origin; exact for s linear.
static void add_triangle(Sums *sums, const Corner *corners[3]) {
    const double *q[3] = {corners[0]->q, corners[1]->q, corners[2]->q};
    double s[3] = {corners[0]->depth, corners[1]->depth, corners[2]->depth};
    double area = 0.5 * fabs((q[1][0] - q[0][0]) * (q[2][1] - q[0][1]) -
                             (q[1][1] - q[0][1]) * (q[2][0] - q[0][0]));
    double total = s[0] + s[1] + s[2], all[2], with_s[2];
    for (int i = 0; i < 2; i++) {
        all[i] = q[0][i] + q[1][i] + q[2][i];
        with_s[i] = s[0] * q[0][i] + s[1] * q[1][i] + s[2] * q[2][i];
        sums->area_q[i] += area / 3 * all[i];
        sums->sq[i] += area / 12 * (total * all[i] + with_s[i]);
    }
    sums->area += area;
    sums->s += area / 3 * total;
    sums->ss += area / 12 * (total * total + s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    for (int m = 0; m < 3; m++) { // int of l_i l_j l_k: area/60 × 1, 2 for two equal, 6 for three
        int i = m > 1, j = m > 0;
        double sum = total * all[i] * all[j] + with_s[i] * all[j] + all[i] * with_s[j];
        for (int k = 0; k < 3; k++) sum += (total + 2 * s[k]) * q[k][i] * q[k][j];
        sums->sqq[m] += area / 60 * sum;
    }
}

static void add_polygon(Face *f, Corner polygon[2][CORNERS], int count) {
    int from = 0;
    count = clip(f, polygon, count, &from);
    const Corner *p = polygon[from];
    for (int i = 2; i < count; i++) {
        const Corner *triangle[3] = {&p[0], &p[i - 1], &p[i]};
        add_triangle(&f->sums, triangle);
    }
}

static Seen see(const Face *f, Vec3 y, double depth) {
    double height = v3_dot(f->n, v3_sub(y, f->x[0]));
    Vec3 way = v3_sub(y, f->origin);
    return (Seen){.height = fabs(height) <= f->flat ? 0 : height,
                  .q = {v3_dot(f->rise[0], way), v3_dot(f->rise[1], way)},
                  .depth = depth};
}

// The three parts under a triangle of the layer. A surface that lies in the plane itself belongs to it whichever side the solid is on.
static void add_parts(Face *f, int triangle) {
    Vec3 y[6];
    Seen seen[6];
    int above = 0;
    rb_layer_corners(f->layer, triangle, y);
    for (int k = 0; k < 6; k++) {
        seen[k] = see(f, y[k], k < 3 ? 0 : 1);
        above += seen[k].height > 0;
    }
    if (above == 6) return;
    Corner polygon[2][CORNERS];
    if (above == 0) {
        if (seen[0].height < 0 || seen[1].height < 0 || seen[2].height < 0) return;
        for (int k = 0; k < 3; k++) polygon[0][k] = foot(&seen[k]);
        add_polygon(f, polygon, 3);
        return;
    }
    for (int part = 0; part < 3; part++) {
        int count = section(&seen[part], polygon[0]);
        if (count > 0) add_polygon(f, polygon, count);
    }
}

static void add_parts_near(Face *f, int node) {
    const RbLayer *l = f->layer;
    if (!rb_aabb_overlap(l->boxes[node], f->box)) return;
    const RbMeshNode *n = &l->tree.nodes[node];
    if (n->count == 0) {
        add_parts_near(f, n->left);
        add_parts_near(f, n->right);
    }
    for (int i = 0; i < n->count; i++) add_parts(f, l->tree.triangles[n->first + i]);
}

// ---- pressure of a triangle ----

// What of a triangle overlaps: loops `first` to `end` of the overlap, all of the same triangle.
typedef struct Patch {
    int side, first, end;
    Vec3 x[3]; // [m] corners, in the frame of A
    Vec3 n;
    double area2; // [m²] twice the area of the triangle
    double inside;
    Vec3 inside_x; // [m², m³] area of what overlaps, and times its centroid from x[0]
} Patch;

static Patch patch_of(const RbMeshOverlap *o, int first, int end) {
    const RbOverlapPolygon *loops = o->polygons.data;
    Patch p = {.side = loops[first].side, .first = first, .end = end};
    const RbCutSide *side = &o->cut.side[p.side];
    const int *v = side->skin->mesh.triangles[loops[first].triangle].v;
    for (int k = 0; k < 3; k++) p.x[k] = side->shown[v[k]];
    Vec3 n = v3_cross(v3_sub(p.x[1], p.x[0]), v3_sub(p.x[2], p.x[0]));
    p.area2 = v3_norm(n);
    p.n = v3_unit_or(n, V3_ZERO);
    for (int l = first; l < end; l++) {
        double area = v3_dot(p.n, loops[l].area);
        p.inside += area;
        p.inside_x = v3_axpy(p.inside_x, area, v3_sub(loops[l].centroid, p.x[0]));
    }
    return p;
}

static Face face_of(const RbMeshOverlap *o, const Patch *p) {
    Face f = {.layer = o->layers[1 - p->side], .box = RB_AABB_EMPTY};
    for (int k = 0; k < 3; k++) f.x[k] = p->side ? p->x[k] : pose_unpoint(o->pose, p->x[k]);
    for (int l = p->first; l < p->end; l++) {
        const RbCutLoop *loop = &o->cut.loops.data[o->polygons.data[l].loop];
        for (int i = 0; i < loop->count; i++) {
            Vec3 x = rb_cut_point(&o->cut, p->side, o->cut.nodes.data[loop->first + i]);
            f.box = rb_aabb_add_point(f.box, p->side ? x : pose_unpoint(o->pose, x));
        }
    }
    f.box = rb_aabb_grow(f.box, 1e-12 * f.layer->size);
    f.flat = 4e-16 * (f.layer->size + v3_max_abs(f.x[0]));
    Vec3 u = v3_sub(f.x[1], f.x[0]), w = v3_sub(f.x[2], f.x[0]);
    f.n = v3_unit(v3_cross(u, w));
    f.rise[0] = v3_scale(1 / p->area2, v3_cross(w, f.n));
    f.rise[1] = v3_scale(1 / p->area2, v3_cross(f.n, u));
    Vec3 c = o->polygons.data[p->first].centroid;
    f.origin = p->side ? c : pose_unpoint(o->pose, c);
    Vec3 from = v3_sub(f.origin, f.x[0]);
    for (int k = 0; k < 2; k++) f.origin_q[k] = v3_dot(f.rise[k], from);
    return f;
}

static Vec3 place(const Patch *p, const Face *f, double q0, double q1) {
    Vec3 u = v3_sub(p->x[1], p->x[0]), w = v3_sub(p->x[2], p->x[0]);
    return v3_axpy(v3_axpy(p->x[0], f->origin_q[0] + q0, u), f->origin_q[1] + q1, w);
}

static void push(RbMeshOverlap *o, const Patch *p, Vec3 x, double volume, double area) {
    RbOverlapPoint point = {.x = x,
                            .n = p->side ? v3_neg(p->n) : p->n,
                            .area = area,
                            .volume = 0.5 * volume,
                            .region = o->polygons.data[p->first].region};
    rb_array_push(&o->points, o->cut.arena, point);
}

// Four points with the same sums up to q q': about their mean, along the columns of the root of twice their covariance. They
// move without jumps as the pieces do.
static void push_layer(RbMeshOverlap *o, const Patch *p, const Face *f) {
    const Sums *s = &f->sums;
    if (!(s->s > 0)) return;
    double q0 = s->sq[0] / s->s, q1 = s->sq[1] / s->s;
    double a = fmax(0, 2 * (s->sqq[0] / s->s - q0 * q0)), b = 2 * (s->sqq[1] / s->s - q0 * q1),
           c = fmax(0, 2 * (s->sqq[2] / s->s - q1 * q1));
    double det = sqrt(fmax(0, a * c - b * b)), t = sqrt(a + c + 2 * det);
    double r[3] = {0};
    if (t > 0) r[0] = (a + det) / t, r[1] = b / t, r[2] = (c + det) / t;
    double volume = 0.25 * f->layer->thickness * p->area2 * s->s, area = 0.25 * p->area2 * s->area;
    for (int sign = -1; sign <= 1; sign += 2) {
        push(o, p, place(p, f, q0 + sign * r[0], q1 + sign * r[1]), volume, area);
        push(o, p, place(p, f, q0 + sign * r[1], q1 + sign * r[2]), volume, area);
    }
}

// What lies deeper than the layer.
static void push_core(RbMeshOverlap *o, const Patch *p, const Face *f) {
    const Sums *s = &f->sums;
    double in_layer = p->area2 * s->area, little = 1e-9 * p->inside, rest = p->inside - in_layer;
    if (!(rest > little)) return;
    Vec3 layer_x = V3_ZERO;
    if (s->area > 0)
        layer_x = v3_sub(place(p, f, s->area_q[0] / s->area, s->area_q[1] / s->area), p->x[0]);
    Vec3 x = v3_scale(1 / rest, v3_axpy(p->inside_x, -in_layer, layer_x));
    double area = rest - little, h = f->layer->thickness;
    push(o, p, v3_add(p->x[0], x), h * area, area);
    o->stored += 0.25 * h * h * area;
}

void rb_layer_press(RbMeshOverlap *o) {
    const RbOverlapPolygon *loops = o->polygons.data;
    for (int first = 0, end; first < o->polygons.count; first = end) {
        for (end = first + 1; end < o->polygons.count && loops[end].side == loops[first].side &&
                              loops[end].triangle == loops[first].triangle;)
            end++;
        Patch p = patch_of(o, first, end);
        if (!(p.area2 > 0)) continue;
        Face f = face_of(o, &p);
        add_parts_near(&f, 0);
        push_layer(o, &p, &f);
        push_core(o, &p, &f);
        double h = f.layer->thickness;
        o->stored += 0.25 * h * h * p.area2 * f.sums.ss;
    }
}
