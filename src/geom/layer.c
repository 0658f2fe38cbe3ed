// SPDX-License-Identifier: MIT
#include "geom/layer.h"

#include "geom/mesh_make.h"

static Vec3 corner(const RbLayer *s, int t, int k) {
    return s->mesh.vertices[s->mesh.triangles[t].v[k]];
}

static Vec3 area_of(const RbLayer *s, int t) {
    Vec3 p = corner(s, t, 0);
    return v3_scale(0.5, v3_cross(v3_sub(corner(s, t, 1), p), v3_sub(corner(s, t, 2), p)));
}

// Triangles without height have no normal worth the name, and no layer worth the name.
static bool is_sliver(const RbLayer *s, int t) {
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, v3_distance(corner(s, t, k), corner(s, t, (k + 1) % 3)));
    return v3_norm(area_of(s, t)) <= 1e-9 * s->size * longest;
}

// ---- faces of the skin ----

static int face_root(int *parent, int t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
}

static Vec3 skin_area(const RbSkin *s, int t) {
    const Vec3 *x = s->mesh.vertices;
    const int *v = s->mesh.triangles[t].v;
    return v3_scale(0.5, v3_cross(v3_sub(x[v[1]], x[v[0]]), v3_sub(x[v[2]], x[v[0]])));
}

// Does the smaller of two neighbours lie in the plane of the larger one, up to rounding, and face the same way?
static bool is_flat(const RbSkin *s, const RbSkinEdge *e) {
    const double rounding = 1e-11;
    Vec3 areas[2] = {skin_area(s, e->t[0]), skin_area(s, e->t[1])};
    int small = v3_norm2(areas[0]) < v3_norm2(areas[1]) ? 0 : 1;
    Vec3 n = v3_unit_or(areas[1 - small], V3_ZERO), x = s->mesh.vertices[e->v[0]];
    double off = 0;
    for (int k = 0; k < 3; k++) {
        Vec3 y = s->mesh.vertices[s->mesh.triangles[e->t[small]].v[k]];
        off = fmax(off, fabs(v3_dot(n, v3_sub(y, x))));
    }
    return off <= rounding * s->size && v3_dot(n, areas[small]) >= -rounding * s->size * s->size;
}

// Across n, along the axis that it is farthest from.
static Vec3 across(Vec3 n) {
    Vec3 a = v3_abs(n);
    int k = a.x <= a.y && a.x <= a.z ? 0 : a.y <= a.z ? 1 : 2;
    return v3_unit(v3_axpy(v3_axis(k), -v3_get(n, k), n));
}

RbFlatFaces rb_flat_faces(const RbSkin *s, RbArena *keep, RbArena scratch) {
    RbFlatFaces out = {0};
    int count = s->mesh.triangle_count, *face = rb_new_array(keep, int, count),
        *parent = rb_new_array(&scratch, int, count);
    double *largest = rb_new_array(&scratch, double, count);
    for (int t = 0; t < count; t++) parent[t] = t;
    for (int e = 0; e < s->edge_count; e++) {
        if (!is_flat(s, &s->edges[e])) continue;
        int a = face_root(parent, s->edges[e].t[0]), b = face_root(parent, s->edges[e].t[1]);
        parent[a > b ? a : b] = a > b ? b : a;
    }
    for (int t = 0; t < count; t++)
        face[t] = parent[t] == t ? out.count++ : face[face_root(parent, t)];
    RbFlatFace *faces = rb_new_array(keep, RbFlatFace, out.count);
    for (int t = 0; t < count; t++) { // the normal of the largest triangle
        Vec3 area = skin_area(s, t);
        if (!(v3_norm(area) > largest[face[t]])) continue;
        largest[face[t]] = v3_norm(area);
        Vec3 n = v3_unit(area);
        faces[face[t]] = (RbFlatFace){n, across(n)};
    }
    out.of = face;
    out.faces = faces;
    return out;
}

// ---- where the inner ends are, per unit of thickness ----

// n . m = 1 for the normals around a vertex, weighed with their angles: one below all planes if there are up to
// three; of more the best, and then so long that it is below all. Nearly parallel normals would ask for long
// ways along the surface: directions that hardly count are approached in few steps only.
static Vec3 solve_way(Mat3 sum, Vec3 right) {
    enum { STEPS = 4 };
    double little = 1e-3 * m3_trace(sum) + 1e-300;
    Mat3 inverse = m3_inverse(m3_add(sum, m3_diagonal(v3(little, little, little))));
    Vec3 m = V3_ZERO;
    for (int i = 0; i < STEPS; i++)
        m = v3_add(m, m3_mul_vec(inverse, v3_sub(right, m3_mul_vec(sum, m))));
    return m;
}

static Vec3 *find_ways(const RbLayer *s, RbArena *arena) {
    int n = s->mesh.vertex_count;
    Mat3 *sums = rb_new_array(arena, Mat3, n);
    Vec3 *ways = rb_new_array(arena, Vec3, n);
    double *least = rb_new_array(arena, double, n);
    for (int t = 0; t < s->mesh.triangle_count; t++) {
        if (is_sliver(s, t)) continue;
        Vec3 normal = v3_unit(area_of(s, t));
        for (int k = 0; k < 3; k++) {
            Vec3 at = corner(s, t, k), u = v3_unit(v3_sub(corner(s, t, (k + 1) % 3), at)),
                 w = v3_unit(v3_sub(corner(s, t, (k + 2) % 3), at));
            double angle = atan2(v3_norm(v3_cross(u, w)), v3_dot(u, w));
            int v = s->mesh.triangles[t].v[k];
            sums[v] = m3_add(sums[v], m3_scale(angle, m3_outer(normal, normal)));
            ways[v] = v3_axpy(ways[v], angle, normal);
        }
    }
    for (int v = 0; v < n; v++) {
        ways[v] = solve_way(sums[v], ways[v]);
        least[v] = INFINITY;
    }
    for (int t = 0; t < s->mesh.triangle_count; t++) {
        if (is_sliver(s, t)) continue;
        Vec3 normal = v3_unit(area_of(s, t));
        for (int k = 0; k < 3; k++) {
            int v = s->mesh.triangles[t].v[k];
            least[v] = fmin(least[v], v3_dot(normal, ways[v]));
        }
    }
    for (int v = 0; v < n; v++) {
        if (least[v] > 0.1 && least[v] < 1) ways[v] = v3_scale(1 / least[v], ways[v]);
    }
    return ways;
}

// ---- how thick it may be ----

// Is a triangle nearer to x than `reach`?
static bool is_near(const RbLayer *s, int node, Vec3 x, double reach) {
    const RbMeshNode *n = &s->tree.nodes[node];
    Vec3 d = v3_sub(v3_abs(v3_sub(x, n->centre)), n->half);
    if (v3_norm2(v3_max(d, V3_ZERO)) >= reach * reach) return false;
    for (int i = 0; i < n->count; i++) {
        Vec3 y[3];
        for (int k = 0; k < 3; k++) y[k] = v3_sub(corner(s, s->tree.triangles[n->first + i], k), x);
        if (v3_norm(rb_triangle_nearest(y)) < reach) return true;
    }
    return n->count == 0 && (is_near(s, n->left, x, reach) || is_near(s, n->right, x, reach));
}

static double volume6(const Vec3 y[4]) {
    return v3_dot(v3_cross(v3_sub(y[1], y[0]), v3_sub(y[2], y[0])), v3_sub(y[3], y[0]));
}

// Corners in ascending order; true if that is an even permutation of theirs.
static bool ascending(const int v[3], int out[3]) {
    int turned = (v[0] > v[1]) + (v[1] > v[2]) + (v[0] > v[2]);
    int low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
    out[0] = low < v[2] ? low : v[2];
    out[2] = high > v[2] ? high : v[2];
    out[1] = v[0] + v[1] + v[2] - out[0] - out[2];
    return turned % 2 == 0;
}

// Parts of a flat layer have a third of its volume each; those under a bend have less.
static bool triangle_fits(const RbLayer *l, int t) {
    const double least = 0.02;
    if (is_sliver(l, t)) return true;
    Vec3 y[6];
    int order[3];
    double sign = ascending(l->mesh.triangles[t].v, order) ? -1 : 1;
    double flat = 2 * v3_norm(area_of(l, t)) * l->thickness;
    rb_layer_corners(l, t, y);
    for (int k = 0; k < 3; k++) {
        if (sign * volume6(&y[k]) < least * flat) return false;
    }
    return true;
}

static void set_thickness(RbLayer *l, double thickness, const Vec3 *ways, Vec3 *inner) {
    l->thickness = thickness;
    for (int v = 0; v < l->mesh.vertex_count; v++)
        inner[v] = v3_axpy(l->mesh.vertices[v], -thickness, ways[v]);
}

// The first vertex at which the layer does not fit, or -1.
static int misfit(const RbLayer *l) {
    for (int t = 0; t < l->mesh.triangle_count; t++) {
        if (!triangle_fits(l, t)) return l->mesh.triangles[t].v[0];
    }
    for (int v = 0; v < l->mesh.vertex_count; v++) {
        if (is_near(l, 0, l->inner[v], 0.9 * l->thickness)) return v;
    }
    return -1;
}

// ---- the layer ----

void rb_layer_corners(const RbLayer *l, int triangle, Vec3 out[6]) {
    int v[3];
    ascending(l->mesh.triangles[triangle].v, v);
    for (int k = 0; k < 3; k++) {
        out[k] = l->mesh.vertices[v[k]];
        out[3 + k] = l->inner[v[k]];
    }
}

// The gradient of the depth [m], which has steps of one thickness along some of the edges from the first corner. None in a part without volume.
static Vec3 slope_of(const Vec3 y[4], int surface, double thickness) {
    Vec3 e[3], sum = V3_ZERO;
    for (int k = 0; k < 3; k++) e[k] = v3_sub(y[k + 1], y[0]);
    double det = v3_dot(e[0], v3_cross(e[1], e[2]));
    for (int k = surface - 1; k < 3; k++)
        sum = v3_add(sum, v3_cross(e[(k + 1) % 3], e[(k + 2) % 3]));
    double steepest = v3_norm(sum) * thickness;
    return fabs(det) > 0.01 * steepest ? v3_scale(thickness / det, sum) : V3_ZERO;
}

// What an evaluation would find again and again.
static void find_parts(RbLayer *l, RbArena *keep) {
    int count = l->mesh.triangle_count;
    Vec3 *corners = rb_new_array(keep, Vec3, 6 * count),
         *slopes = rb_new_array(keep, Vec3, 3 * count);
    RbAabb *boxes = rb_new_array(keep, RbAabb, count);
    for (int t = 0; t < count; t++) {
        Vec3 *y = &corners[6 * t];
        rb_layer_corners(l, t, y);
        for (int part = 0; part < 3; part++)
            slopes[3 * t + part] = slope_of(&y[part], 3 - part, l->thickness);
        boxes[t] = RB_AABB_EMPTY;
        for (int k = 0; k < 6; k++) boxes[t] = rb_aabb_add_point(boxes[t], y[k]);
    }
    l->corners = corners;
    l->slopes = slopes;
    l->part_boxes = boxes;
}

static RbAabb enclose(const RbLayer *l, int node, RbAabb *boxes) {
    const RbMeshNode *n = &l->tree.nodes[node];
    RbAabb box = RB_AABB_EMPTY;
    for (int i = 0; i < n->count; i++)
        box = rb_aabb_union(box, l->part_boxes[l->tree.triangles[n->first + i]]);
    if (n->count == 0) box = rb_aabb_union(enclose(l, n->left, boxes), enclose(l, n->right, boxes));
    return boxes[node] = box;
}

bool rb_layer_find(const RbSkin *skin, RbArena *keep, RbArena scratch, RbLayer *out,
                   Vec3 *misfits_at) {
    const double thickest = 0.125, thinner = 0.7, rounding = 1e-12;
    enum { TRIALS = 40, HALVINGS = 8 }; // down to 1e-7 of the size; to 1e-3 of itself
    *out = (RbLayer){.skin = skin, .size = skin->size};
    out->flat = rb_flat_faces(skin, keep, scratch);
    out->mesh = rb_mesh_simplify(&skin->mesh, rounding * skin->size, keep, scratch);
    out->tree = rb_mesh_tree(&out->mesh, keep, scratch);
    Vec3 *inner = rb_new_array(keep, Vec3, out->mesh.vertex_count),
         *ways = find_ways(out, &scratch);
    RbAabb *boxes = rb_new_array(keep, RbAabb, out->tree.node_count);
    out->inner = inner;
    out->boxes = boxes;
    double fits = thickest * skin->size, wide = fits;
    int wrong = -1;
    for (int i = 0; i < TRIALS; i++, wide = fits, fits *= thinner) {
        set_thickness(out, fits, ways, inner);
        wrong = misfit(out);
        if (wrong < 0) break;
    }
    if (wrong >= 0) {
        *misfits_at = out->mesh.vertices[wrong];
        return false;
    }
    for (int i = 0; i < HALVINGS && wide > fits; i++) {
        double middle = 0.5 * (fits + wide);
        set_thickness(out, middle, ways, inner);
        *(misfit(out) < 0 ? &fits : &wide) = middle;
    }
    set_thickness(out, fits, ways, inner);
    find_parts(out, keep);
    enclose(out, 0, boxes);
    return true;
}

RbStatus rb_layer(const RbSkin *skin, const char *name, RbPos at, RbArena *keep, RbArena scratch,
                  RbDiag *diag, RbLayer *out) {
    Vec3 x;
    if (rb_layer_find(skin, keep, scratch, out, &x)) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "no layer fits under the surface of '%s' at (%g, %g, %g): it has no thickness "
                   "there; weld or simplify the mesh, or choose another form of contact",
                   name, x.x, x.y, x.z);
}
