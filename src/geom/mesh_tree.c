// SPDX-License-Identifier: MIT
#include "geom/mesh_tree.h"

#include "base/array.h"

typedef struct Builder {
    const RbMesh *mesh;
    Vec3 *centre; // of each triangle
    int *order;   // becomes RbMeshTree.triangles
    RB_ARRAY(RbMeshNode) nodes;
    int depth;
    RbArena *keep;
} Builder;

typedef struct Bounds {
    RbAabb box;
    Vec3 normals; // sum of those of the triangles, twice as long as their areas
} Bounds;

static Vec3 corner(const RbMesh *mesh, int t, int k) {
    return mesh->vertices[mesh->triangles[t].v[k]];
}

// Box and sum of the normals of the triangles of a leaf.
static Bounds bounds_of(const Builder *b, int first, int count) {
    Bounds out = {RB_AABB_EMPTY, V3_ZERO};
    for (int i = first; i < first + count; i++) {
        Vec3 p = corner(b->mesh, b->order[i], 0), q = corner(b->mesh, b->order[i], 1),
             r = corner(b->mesh, b->order[i], 2);
        out.box = rb_aabb_add_point(rb_aabb_add_point(rb_aabb_add_point(out.box, p), q), r);
        out.normals = v3_add(out.normals, v3_cross(v3_sub(q, p), v3_sub(r, p)));
    }
    return out;
}

// Box, slab and ball around some triangles. (Slabs from those of the children save a tenth of the time of a tree, but are so
// much thicker that the distance of two balls of 100,000 triangles took ten times as long.)
static void enclose(const Builder *b, int first, int count, const Bounds *bounds,
                    RbMeshNode *node) {
    const RbAabb *box = &bounds->box;
    node->centre = rb_aabb_centre(*box);
    node->half = rb_aabb_max(v3_sub(box->high, node->centre), v3_sub(node->centre, box->low));
    node->normal = v3_unit_or(bounds->normals, v3(0, 0, 1));
    double low = INFINITY, high = -INFINITY, radius2 = 0;
    for (int i = first; i < first + count; i++) {
        for (int k = 0; k < 3; k++) {
            Vec3 x = corner(b->mesh, b->order[i], k);
            double along = v3_dot(node->normal, x);
            low = rb_aabb_less(low, along);
            high = rb_aabb_more(high, along);
            radius2 = rb_aabb_more(radius2, v3_norm2(v3_sub(node->centre, x)));
        }
    }
    node->low = low;
    node->high = high;
    node->radius = sqrt(radius2);
}

// Centres left and right of the middle of their box along its longest axis; half and half where
// that leaves one side empty.
static int split(Builder *b, int first, int count) {
    RbAabb box = RB_AABB_EMPTY;
    for (int i = first; i < first + count; i++) {
        box = rb_aabb_add_point(box, b->centre[b->order[i]]);
    }
    Vec3 edges = rb_aabb_edges(box), middle = rb_aabb_centre(box);
    int axis = edges.x >= edges.y && edges.x >= edges.z ? 0 : edges.y >= edges.z ? 1 : 2;
    double at = v3_get(middle, axis);
    int low = first, high = first + count - 1;
    while (low <= high) {
        if (v3_get(b->centre[b->order[low]], axis) < at) {
            low++;
        } else {
            int swap = b->order[low];
            b->order[low] = b->order[high];
            b->order[high--] = swap;
        }
    }
    int left = low - first;
    return left == 0 || left == count ? count / 2 : left;
}

// Beyond this depth the triangles are halved by number, so that the tree stays flat for any mesh.
enum { DEPTH_LIMIT = 40 };

static Bounds build(Builder *b, int first, int count, int depth) {
    int at = b->nodes.count;
    RbMeshNode node = {0};
    Bounds bounds;
    rb_array_push(&b->nodes, b->keep, node);
    if (depth > b->depth) b->depth = depth;
    if (count <= RB_MESH_LEAF) {
        node.first = first;
        node.count = count;
        bounds = bounds_of(b, first, count);
    } else {
        int left = depth < DEPTH_LIMIT ? split(b, first, count) : count / 2;
        node.left = b->nodes.count;
        Bounds one = build(b, first, left, depth + 1);
        node.right = b->nodes.count;
        Bounds two = build(b, first + left, count - left, depth + 1);
        bounds = (Bounds){rb_aabb_union(one.box, two.box), v3_add(one.normals, two.normals)};
    }
    enclose(b, first, count, &bounds, &node);
    b->nodes.data[at] = node;
    return bounds;
}

RbMeshTree rb_mesh_tree(const RbMesh *mesh, RbArena *keep, RbArena scratch) {
    int n = mesh->triangle_count;
    if (n == 0) return (RbMeshTree){0};
    Builder b = {.mesh = mesh,
                 .centre = rb_new_array(&scratch, Vec3, n),
                 .order = rb_new_array(keep, int, n),
                 .keep = keep};
    for (int t = 0; t < n; t++) {
        b.order[t] = t;
        b.centre[t] = v3_scale(
            1.0 / 3, v3_add(v3_add(corner(mesh, t, 0), corner(mesh, t, 1)), corner(mesh, t, 2)));
    }
    rb_array_reserve(&b.nodes, keep,
                     n + n / 2); // enough if a third of the leaves has two triangles
    build(&b, 0, n, 1);
    return (RbMeshTree){b.nodes.data, b.nodes.count, b.order, b.depth};
}

// ---- a triangle ----

Vec3 rb_triangle_nearest(const Vec3 y[3]) {
    Vec3 best = y[0], n = v3_cross(v3_sub(y[1], y[0]), v3_sub(y[2], y[0]));
    double n2 = v3_norm2(n);
    bool above = n2 > 0;
    for (int k = 0; k < 3; k++) {
        Vec3 u = v3_sub(y[(k + 1) % 3], y[k]);
        double u2 = v3_norm2(u), t = u2 > 0 ? -v3_dot(y[k], u) / u2 : 0;
        Vec3 x = v3_axpy(y[k], t < 0 ? 0 : t > 1 ? 1 : t, u);
        if (v3_norm2(x) < v3_norm2(best)) best = x;
        above &= v3_dot(v3_cross(n, u), y[k]) <= 0;
    }
    return above ? v3_scale(v3_dot(n, y[0]) / n2, n) : best;
}

double rb_triangle_solid_angle(const Vec3 y[3]) {
    double a = v3_norm(y[0]), b = v3_norm(y[1]), c = v3_norm(y[2]);
    double cosine =
        a * b * c + v3_dot(y[0], y[1]) * c + v3_dot(y[1], y[2]) * a + v3_dot(y[2], y[0]) * b;
    return 2 * atan2(v3_dot(y[0], v3_cross(y[1], y[2])), cosine);
}

// ---- two nodes ----

// Half the extent of a box along a direction given in its frame.
static double reach(Vec3 half, Vec3 d) {
    return half.x * fabs(d.x) + half.y * fabs(d.y) + half.z * fabs(d.z);
}

static double gap(double low_a, double high_a, double low_b, double high_b) {
    return rb_aabb_more(low_b - high_a, low_a - high_b);
}

// The extent of a node along a unit vector d in its frame. The box knows one bound; the slab, for d near
// its normal m, another: d . x = c m . x + w . x with c = d . m and a short w = d - c m.
static void extent_along(const RbMeshNode *n, Vec3 d, double *low, double *high) {
    double at = v3_dot(d, n->centre), r = reach(n->half, d), c = v3_dot(d, n->normal);
    Vec3 w = v3_axpy(d, -c, n->normal);
    double side = v3_dot(w, n->centre), wide = v3_norm(w) * n->radius, one = c * n->low,
           two = c * n->high;
    *low = rb_aabb_more(at - r, rb_aabb_less(one, two) + side - wide);
    *high = rb_aabb_less(at + r, rb_aabb_more(one, two) + side + wide);
}

RbBoxPose rb_box_pose(Pose X) {
    Mat3 size = {v3_abs(X.R.x), v3_abs(X.R.y), v3_abs(X.R.z)};
    return (RbBoxPose){X, size, m3_transpose(size)};
}

static double largest(Vec3 v) {
    return rb_aabb_more(v.x, rb_aabb_more(v.y, v.z));
}

double rb_mesh_node_gap(const RbMeshNode *a, const RbMeshNode *b, const RbBoxPose *pose,
                        double enough) {
    const Pose *X = &pose->X_AB;
    Vec3 between = v3_sub(pose_point(*X, b->centre), a->centre);
    double best =
        largest(v3_sub(v3_sub(v3_abs(between), a->half), m3_mul_vec(pose->size, b->half)));
    if (best > enough) return best;

    double low, high, shift = v3_dot(a->normal, X->r);
    extent_along(b, m3_tmul_vec(X->R, a->normal), &low, &high);
    best = rb_aabb_more(best, gap(a->low, a->high, low + shift, high + shift));
    if (best > enough) return best;

    Vec3 between_b = v3_abs(m3_tmul_vec(X->R, between));
    best = rb_aabb_more(
        best, largest(v3_sub(v3_sub(between_b, b->half), m3_mul_vec(pose->size_back, a->half))));
    if (best > enough) return best;

    Vec3 n_A = m3_mul_vec(X->R, b->normal);
    shift = v3_dot(n_A, X->r);
    extent_along(a, n_A, &low, &high);
    return rb_aabb_more(best, gap(low - shift, high - shift, b->low, b->high));
}
