// SPDX-License-Identifier: MIT
// Both trees are walked together, the nearer pair of children first; what cannot be nearer than the best
// so far is left out.
#include "collide/mesh_distance.h"

typedef struct Search {
    const RbSkin *a, *b;
    Pose X;
    RbBoxPose boxes;
    RbMeshGap best;
    int triangle_a, triangle_b; // of the best
    bool found;                 // within the limit
} Search;

// ---- triangles ----

static double clamp01(double t) {
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// Closest points of the segments p + s u and q + t v, s and t in [0, 1].
static double segments(Vec3 p, Vec3 u, Vec3 q, Vec3 v, Vec3 *on_p, Vec3 *on_q) {
    Vec3 r = v3_sub(p, q);
    double a = v3_norm2(u), e = v3_norm2(v), f = v3_dot(v, r), c = v3_dot(u, r), b = v3_dot(u, v);
    double det = a * e - b * b, s = 0, t = 0;
    if (a > 0 && e > 0) {
        s = det > 1e-14 * a * e ? clamp01((b * f - c * e) / det) : 0;
        t = (b * s + f) / e;
        if (t < 0 || t > 1) {
            t = clamp01(t);
            s = clamp01((b * t - c) / a);
        }
    } else if (a > 0) {
        s = clamp01(-c / a);
    } else if (e > 0) {
        t = clamp01(f / e);
    }
    *on_p = v3_axpy(p, s, u);
    *on_q = v3_axpy(q, t, v);
    return v3_norm2(v3_sub(*on_p, *on_q));
}

// Is the foot of p on the plane of the triangle inside it? Then *foot.
static bool foot_inside(Vec3 p, const Vec3 t[3], Vec3 n, double n2, Vec3 *foot) {
    for (int k = 0; k < 3; k++) {
        Vec3 edge = v3_sub(t[(k + 1) % 3], t[k]);
        if (v3_dot(v3_cross(n, edge), v3_sub(p, t[k])) < 0) return false;
    }
    *foot = v3_axpy(p, -v3_dot(n, v3_sub(p, t[0])) / n2, n);
    return true;
}

static void offer(Search *s, double d2, Vec3 on_a, Vec3 on_b, int ta, int tb) {
    if (!(d2 < s->best.distance * s->best.distance)) return;
    s->best.distance = sqrt(d2);
    s->best.point_a = on_a;
    s->best.point_b = on_b;
    s->triangle_a = ta;
    s->triangle_b = tb;
    s->found = true;
}

// Corners of one triangle against the face of the other; an edge that goes through it: distance 0.
static void corners_to_face(Search *s, const Vec3 x[3], const Vec3 face[3], bool face_is_b, int ta,
                            int tb) {
    Vec3 n = v3_cross(v3_sub(face[1], face[0]), v3_sub(face[2], face[0])), foot;
    double n2 = v3_norm2(n), height[3], limit = s->best.distance * sqrt(n2);
    if (!(n2 > 0)) return;
    for (int k = 0; k < 3; k++) height[k] = v3_dot(n, v3_sub(x[k], face[0]));
    for (int k = 0; k < 3; k++) {
        if (fabs(height[k]) < limit && foot_inside(x[k], face, n, n2, &foot)) {
            double d2 = height[k] * height[k] / n2;
            offer(s, d2, face_is_b ? x[k] : foot, face_is_b ? foot : x[k], ta, tb);
        }
        int m = (k + 1) % 3;
        if ((height[k] > 0) == (height[m] > 0)) continue;
        Vec3 at = v3_lerp(x[k], x[m], height[k] / (height[k] - height[m]));
        if (foot_inside(at, face, n, n2, &foot)) offer(s, 0, at, at, ta, tb);
    }
}

// All of x beyond all of y along a direction of any length, or the other way around, farther than the best?
static bool parts_along(const Search *s, Vec3 d, const Vec3 x[3], const Vec3 y[3]) {
    double x0 = v3_dot(d, x[0]), x1 = v3_dot(d, x[1]), x2 = v3_dot(d, x[2]);
    double y0 = v3_dot(d, y[0]), y1 = v3_dot(d, y[1]), y2 = v3_dot(d, y[2]);
    double above = rb_aabb_less(x0, rb_aabb_less(x1, x2)) - rb_aabb_more(y0, rb_aabb_more(y1, y2)),
           below = rb_aabb_less(y0, rb_aabb_less(y1, y2)) - rb_aabb_more(x0, rb_aabb_more(x1, x2));
    double gap = rb_aabb_more(above, below), limit = s->best.distance;
    return gap > 0 && gap * gap >= limit * limit * v3_norm2(d);
}

// Along the normal of a face, or across one of its sides in its plane. (Where a pin stands in a slot, its walls run through
// the plane of the faces above and below, and their planes through these: sides tell most of them apart.)
static bool face_parts(const Search *s, const Vec3 x[3], const Vec3 face[3]) {
    Vec3 y[3] = {v3_sub(x[0], face[0]), v3_sub(x[1], face[0]), v3_sub(x[2], face[0])};
    Vec3 f[3] = {V3_ZERO, v3_sub(face[1], face[0]), v3_sub(face[2], face[0])};
    Vec3 n = v3_cross(f[1], f[2]);
    if (parts_along(s, n, y, f)) return true;
    for (int k = 0; k < 3; k++) {
        Vec3 side = v3_sub(f[k < 2 ? k + 1 : 0], f[k]);
        if (parts_along(s, v3_cross(side, n), y, f)) return true;
    }
    return false;
}

static void triangles(Search *s, int ta, int tb) {
    Vec3 p[3], q[3], on_a, on_b;
    for (int k = 0; k < 3; k++) {
        p[k] = s->a->mesh.vertices[s->a->mesh.triangles[ta].v[k]];
        q[k] = pose_point(s->X, s->b->mesh.vertices[s->b->mesh.triangles[tb].v[k]]);
    }
    if (face_parts(s, p, q) || face_parts(s, q, p)) return;
    s->best.tests++;
    corners_to_face(s, p, q, true, ta, tb);
    corners_to_face(s, q, p, false, ta, tb);
    for (int i = 0; i < 3; i++) {
        Vec3 u = v3_sub(p[(i + 1) % 3], p[i]);
        for (int k = 0; k < 3; k++) {
            double d2 = segments(p[i], u, q[k], v3_sub(q[(k + 1) % 3], q[k]), &on_a, &on_b);
            offer(s, d2, on_a, on_b, ta, tb);
        }
    }
}

// ---- trees ----

static void leaves(Search *s, const RbMeshNode *a, const RbMeshNode *b) {
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            triangles(s, s->a->tree.triangles[a->first + i], s->b->tree.triangles[b->first + k]);
        }
    }
}

static double extent(const RbMeshNode *n) {
    return n->half.x + n->half.y + n->half.z;
}

// `gap` is a lower bound of what can be found below the two nodes.
static void nodes(Search *s, const RbMeshNode *a, const RbMeshNode *b, double gap) {
    if (gap >= s->best.distance) return;
    if (a->count > 0 && b->count > 0) {
        leaves(s, a, b);
        return;
    }
    bool open_a = b->count > 0 || (a->count == 0 && extent(a) >= extent(b));
    const RbMeshNode *base = open_a ? s->a->tree.nodes : s->b->tree.nodes;
    const RbMeshNode *parent = open_a ? a : b, *left = &base[parent->left],
                     *right = &base[parent->right];
    double best = s->best.distance;
    double gap_left = rb_mesh_node_gap(open_a ? left : a, open_a ? b : left, &s->boxes, best);
    double gap_right = rb_mesh_node_gap(open_a ? right : a, open_a ? b : right, &s->boxes, best);
    for (int k = 0; k < 2; k++) {
        bool take_left = (gap_left <= gap_right) == (k == 0);
        const RbMeshNode *child = take_left ? left : right;
        nodes(s, open_a ? child : a, open_a ? b : child, take_left ? gap_left : gap_right);
    }
}

RbMeshGap rb_mesh_distance(const RbSkin *a, const RbSkin *b, Pose X, double limit,
                           RbMeshMemory *memory) {
    Search s = {.a = a, .b = b, .X = X, .boxes = rb_box_pose(X), .best = {.distance = limit}};
    if (memory && memory->triangle_a < a->mesh.triangle_count &&
        memory->triangle_b < b->mesh.triangle_count) {
        // A trifle more than what the old pair gives, so that the search itself finds the result.
        s.best.distance = INFINITY;
        triangles(&s, memory->triangle_a, memory->triangle_b);
        double size = a->size + b->size;
        s.best = (RbMeshGap){.distance = fmin(limit, s.best.distance + 1e-12 * size), .tests = 1};
        s.found = false;
    }
    nodes(&s, a->tree.nodes, b->tree.nodes,
          rb_mesh_node_gap(a->tree.nodes, b->tree.nodes, &s.boxes, s.best.distance));
    if (memory && s.found) *memory = (RbMeshMemory){s.triangle_a, s.triangle_b};
    return s.best;
}
