// SPDX-License-Identifier: MIT
#include "geom/mesh_tree.h"

typedef struct Builder {
    const RbMesh *mesh;
    Vec3 *centre; // of each triangle
    int *order;   // becomes RbMeshTree.triangles
    RbMeshNode *nodes;
    int node_count, depth;
} Builder;

static Vec3 corner(const RbMesh *mesh, int t, int k) {
    return mesh->vertices[mesh->triangles[t].v[k]];
}

// Box and slab around some triangles.
static void enclose(const Builder *b, int first, int count, RbMeshNode *node) {
    RbAabb box = RB_AABB_EMPTY;
    Vec3 sum = V3_ZERO;
    for (int i = first; i < first + count; i++) {
        Vec3 p = corner(b->mesh, b->order[i], 0), q = corner(b->mesh, b->order[i], 1),
             r = corner(b->mesh, b->order[i], 2);
        box = rb_aabb_add_point(rb_aabb_add_point(rb_aabb_add_point(box, p), q), r);
        sum = v3_add(sum, v3_cross(v3_sub(q, p), v3_sub(r, p)));
    }
    node->centre = rb_aabb_centre(box);
    node->half = rb_aabb_max(v3_sub(box.high, node->centre), v3_sub(node->centre, box.low));
    node->normal = v3_unit_or(sum, v3(0, 0, 1));
    node->low = INFINITY;
    node->high = -INFINITY;
    for (int i = first; i < first + count; i++) {
        for (int k = 0; k < 3; k++) {
            double along = v3_dot(node->normal, corner(b->mesh, b->order[i], k));
            node->low = rb_aabb_less(node->low, along);
            node->high = rb_aabb_more(node->high, along);
        }
    }
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

static int build(Builder *b, int first, int count, int depth) {
    int index = b->node_count++;
    RbMeshNode *node = &b->nodes[index];
    enclose(b, first, count, node);
    if (depth > b->depth) b->depth = depth;
    if (count <= RB_MESH_LEAF) {
        node->first = first;
        node->count = count;
        return index;
    }
    int left = depth < DEPTH_LIMIT ? split(b, first, count) : count / 2;
    node->left = build(b, first, left, depth + 1);
    node->right = build(b, first + left, count - left, depth + 1);
    return index;
}

RbMeshTree rb_mesh_tree(const RbMesh *mesh, RbArena *keep, RbArena scratch) {
    int n = mesh->triangle_count;
    if (n == 0) return (RbMeshTree){0};
    Builder b = {.mesh = mesh,
                 .centre = rb_new_array(&scratch, Vec3, n),
                 .order = rb_new_array(keep, int, n),
                 .nodes = rb_new_array(keep, RbMeshNode, 2 * (size_t)n)};
    for (int t = 0; t < n; t++) {
        b.order[t] = t;
        b.centre[t] = v3_scale(
            1.0 / 3, v3_add(v3_add(corner(mesh, t, 0), corner(mesh, t, 1)), corner(mesh, t, 2)));
    }
    build(&b, 0, n, 1);
    return (RbMeshTree){b.nodes, b.node_count, b.order, b.depth};
}

// ---- two nodes ----

// Half the extent of a box along a direction given in its frame.
static double reach(Vec3 half, Vec3 d) {
    return half.x * fabs(d.x) + half.y * fabs(d.y) + half.z * fabs(d.z);
}

// Gap of two intervals given by centre and half length, or by their ends.
static double gap(double low_a, double high_a, double low_b, double high_b) {
    return rb_aabb_more(low_b - high_a, low_a - high_b);
}

double rb_mesh_node_gap(const RbMeshNode *a, const RbMeshNode *b, const Pose *X_AB) {
    const Mat3 *R = &X_AB->R;
    Vec3 centre_b = pose_point(*X_AB, b->centre), between = v3_sub(centre_b, a->centre);
    Vec3 size_b = v3(reach(b->half, R->x), reach(b->half, R->y), reach(b->half, R->z));
    Vec3 along_a = v3_sub(v3_abs(between), v3_add(a->half, size_b));
    double best = rb_aabb_more(along_a.x, rb_aabb_more(along_a.y, along_a.z));

    Vec3 between_b = m3_tmul_vec(*R, between);
    Vec3 size_a = v3(reach(a->half, m3_column(*R, 0)), reach(a->half, m3_column(*R, 1)),
                     reach(a->half, m3_column(*R, 2)));
    Vec3 along_b = v3_sub(v3_abs(between_b), v3_add(b->half, size_a));
    best = rb_aabb_more(best, rb_aabb_more(along_b.x, rb_aabb_more(along_b.y, along_b.z)));

    double at = v3_dot(a->normal, centre_b), r = reach(b->half, m3_tmul_vec(*R, a->normal));
    best = rb_aabb_more(best, gap(a->low, a->high, at - r, at + r));
    Vec3 n_A = m3_mul_vec(*R, b->normal);
    at = v3_dot(n_A, v3_sub(a->centre, X_AB->r));
    r = reach(a->half, n_A);
    return rb_aabb_more(best, gap(at - r, at + r, b->low, b->high));
}
