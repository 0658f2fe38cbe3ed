// SPDX-License-Identifier: MIT
// Each triangle of one solid is cut by the tetrahedra in the layer of the other: convex pieces, on which the depth is
// linear. Places in a triangle are a pair of numbers q: x = x0 + q0 (x1 - x0) + q1 (x2 - x0).
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
    double origin[2];     // q of the point that sums are about: one within the overlap
    RbAabb box;           // [m] of what overlaps, in the frame of the other solid
    Sums sums;
} Face;

// ---- a triangle and a tetrahedron ----

typedef struct Corner {
    double q[2], d[4]; // place; height above the planes of the tetrahedron, times their size
} Corner;

// Cut by up to four planes.
enum { CORNERS = 3 + 4 };

static Corner between(const Corner *a, const Corner *b, int plane) {
    double t = a->d[plane] / (a->d[plane] - b->d[plane]);
    Corner c;
    for (int i = 0; i < 2; i++) c.q[i] = a->q[i] + t * (b->q[i] - a->q[i]);
    for (int i = 0; i < 4; i++) c.d[i] = a->d[i] + t * (b->d[i] - a->d[i]);
    c.d[plane] = 0;
    return c;
}

// A place on the plane itself belongs to the upper side: to one of two neighbours.
static bool is_kept(double d, bool upper) {
    return upper ? d >= 0 : d < 0;
}

static int clip(const Corner *in, int count, int plane, bool upper, Corner *out) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        const Corner *a = &in[i], *b = &in[(i + 1) % count];
        bool keep_a = is_kept(a->d[plane], upper), keep_b = is_kept(b->d[plane], upper);
        if (keep_a) out[n++] = *a;
        if (keep_a != keep_b) out[n++] = between(a, b, plane);
    }
    return n;
}

// A triangle of a fan, q from its first corner's own origin; exact for s linear.
static void add_triangle(Sums *sums, const double q[3][2], const double s[3]) {
    double area = 0.5 * ((q[1][0] - q[0][0]) * (q[2][1] - q[0][1]) -
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

static void add_piece(Sums *sums, const Corner *corners, int count, const RbLayerPart *part,
                      const double top[4]) {
    double q[CORNERS][2], s[CORNERS];
    for (int i = 0; i < count; i++) {
        s[i] = 0;
        for (int k = 0; k < 4; k++)
            if (part->depth[k] > 0) s[i] += corners[i].d[k] / top[k];
        for (int k = 0; k < 2; k++) q[i][k] = corners[i].q[k];
    }
    for (int i = 2; i < count; i++) {
        double triangle[3][2] = {
            {q[0][0], q[0][1]}, {q[i - 1][0], q[i - 1][1]}, {q[i][0], q[i][1]}};
        add_triangle(sums, triangle, (double[3]){s[0], s[i - 1], s[i]});
    }
}

static void add_part(Face *f, const RbLayerPart *part) {
    Corner corners[2][CORNERS];
    double top[4];
    bool mixed[4];
    for (int k = 0; k < 4; k++) {
        Vec3 p = part->y[k == 0], u = v3_sub(part->y[k < 2 ? 2 : 1], p),
             w = v3_sub(part->y[k < 3 ? 3 : 2], p), n = v3_cross(u, w);
        top[k] = v3_dot(n, v3_sub(part->y[k], p));
        if (top[k] == 0) return;
        int kept = 0;
        for (int i = 0; i < 3; i++) {
            double d = corners[0][i].d[k] = v3_dot(n, v3_sub(f->x[i], p));
            kept += is_kept(d, top[k] > 0);
        }
        if (kept == 0) return;
        mixed[k] = kept < 3;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) corners[0][i].q[k] = (i == k + 1) - f->origin[k];
    }
    int count = 3, from = 0;
    for (int k = 0; k < 4 && count > 0; k++) {
        if (!mixed[k]) continue;
        count = clip(corners[from], count, k, top[k] > 0, corners[1 - from]);
        from = 1 - from;
    }
    add_piece(&f->sums, corners[from], count, part, top);
}

static void add_parts_near(Face *f, int node) {
    const RbLayer *l = f->layer;
    if (!rb_aabb_overlap(l->boxes[node], f->box)) return;
    const RbMeshNode *n = &l->tree.nodes[node];
    if (n->count == 0) {
        add_parts_near(f, n->left);
        add_parts_near(f, n->right);
    }
    for (int i = 0; i < n->count; i++) {
        RbLayerPart parts[3];
        rb_layer_parts(l, l->tree.triangles[n->first + i], parts);
        for (int k = 0; k < 3; k++) add_part(f, &parts[k]);
    }
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
    // the foot of a centroid in q
    Vec3 u = v3_sub(p->x[1], p->x[0]), w = v3_sub(p->x[2], p->x[0]),
         c = v3_sub(o->polygons.data[p->first].centroid, p->x[0]);
    f.origin[0] = v3_dot(p->n, v3_cross(c, w)) / p->area2;
    f.origin[1] = v3_dot(p->n, v3_cross(u, c)) / p->area2;
    return f;
}

static Vec3 place(const Patch *p, const Face *f, double q0, double q1) {
    Vec3 u = v3_sub(p->x[1], p->x[0]), w = v3_sub(p->x[2], p->x[0]);
    return v3_axpy(v3_axpy(p->x[0], f->origin[0] + q0, u), f->origin[1] + q1, w);
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
