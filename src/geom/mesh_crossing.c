// SPDX-License-Identifier: MIT
// Does a closed surface cross itself? Two bodies that overlap in one file do, and their common part would
// count twice.
#include <math.h>

#include "geom/mesh_check.h"
#include "geom/mesh_nested.h"
#include "geom/mesh_tree.h"

typedef struct Search {
    const RbMesh *mesh;
    const RbMeshTree *tree;
    double tiny; // [m] crossings that are no deeper come from the rounding of coordinates
    bool found;
    Vec3 where; // [m]
} Search;

typedef struct Corners {
    Vec3 p[3], normal; // normal: twice the area
} Corners;

static Corners corners_of(const RbMesh *m, int triangle) {
    RbTriangle t = m->triangles[triangle];
    Corners c = {.p = {m->vertices[t.v[0]], m->vertices[t.v[1]], m->vertices[t.v[2]]}};
    c.normal = v3_cross(v3_sub(c.p[1], c.p[0]), v3_sub(c.p[2], c.p[0]));
    return c;
}

static bool share_a_vertex(RbTriangle a, RbTriangle b) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            if (a.v[i] == b.v[k]) return true;
        }
    }
    return false;
}

// The smallest of the three heights of x over the sides of the triangle, within its plane; positive inside.
static double height_inside(const Corners *c, Vec3 x) {
    double least = INFINITY;
    Vec3 n = v3_unit(c->normal);
    for (int i = 0; i < 3; i++) {
        Vec3 side = v3_sub(c->p[(i + 1) % 3], c->p[i]);
        Vec3 inwards = v3_unit(v3_cross(n, side));
        least = fmin(least, v3_dot(inwards, v3_sub(x, c->p[i])));
    }
    return least;
}

// Where the plane of b cuts a: the ends of a line; false: a is on one side of it, but for rounding.
static bool cut_by_plane(const Search *s, const Corners *a, const Corners *b, Vec3 ends[2]) {
    Vec3 n = v3_unit(b->normal);
    double h[3]; // [m] over the plane
    for (int i = 0; i < 3; i++) h[i] = v3_dot(n, v3_sub(a->p[i], b->p[0]));
    double low = fmin(h[0], fmin(h[1], h[2])), high = fmax(h[0], fmax(h[1], h[2]));
    if (!(low < -s->tiny && high > s->tiny)) return false;
    int count = 0;
    for (int i = 0; i < 3 && count < 2; i++) {
        double from = h[i], to = h[(i + 1) % 3];
        if ((from < 0) == (to < 0)) continue;
        Vec3 side = v3_sub(a->p[(i + 1) % 3], a->p[i]);
        ends[count++] = v3_axpy(a->p[i], from / (from - to), side);
    }
    return count == 2;
}

// The triangles go through each other along a line that is inside both.
static bool pierces(Search *s, const Corners *a, const Corners *b) {
    Vec3 in_a[2], in_b[2];
    if (!cut_by_plane(s, a, b, in_a) || !cut_by_plane(s, b, a, in_b)) return false;
    Vec3 along = v3_unit(v3_sub(in_a[1], in_a[0]));
    double length = v3_distance(in_a[0], in_a[1]);
    double from = v3_dot(along, v3_sub(in_b[0], in_a[0])),
           to = v3_dot(along, v3_sub(in_b[1], in_a[0]));
    double low = fmax(0, fmin(from, to)), high = fmin(length, fmax(from, to));
    if (!(high - low > s->tiny)) return false;
    s->where = v3_axpy(in_a[0], 0.5 * (low + high), along);
    return height_inside(a, s->where) > s->tiny && height_inside(b, s->where) > s->tiny;
}

// All of b lies beyond a side of a, both in one plane.
static bool is_beside(const Corners *a, const Corners *b, double tiny) {
    Vec3 n = v3_unit(a->normal);
    for (int i = 0; i < 3; i++) {
        Vec3 inwards = v3_unit(v3_cross(n, v3_sub(a->p[(i + 1) % 3], a->p[i])));
        double most = -INFINITY;
        for (int k = 0; k < 3; k++) most = fmax(most, v3_dot(inwards, v3_sub(b->p[k], a->p[i])));
        if (most <= tiny) return true;
    }
    return false;
}

// Both in one plane, facing the same way, and one on the other: so are the bodies beneath. (Facing each
// other, bodies that touch.)
static bool covers(Search *s, const Corners *a, const Corners *b) {
    Vec3 n = v3_unit(a->normal);
    if (!(v3_dot(n, v3_unit(b->normal)) > 1 - 1e-9)) return false;
    for (int i = 0; i < 3; i++) {
        if (fabs(v3_dot(n, v3_sub(b->p[i], a->p[0]))) > s->tiny) return false;
    }
    if (is_beside(a, b, s->tiny) || is_beside(b, a, s->tiny)) return false;
    s->where = v3_scale(1.0 / 3, v3_add(b->p[0], v3_add(b->p[1], b->p[2])));
    return true;
}

static void compare(Search *s, int i, int k) {
    if (share_a_vertex(s->mesh->triangles[i], s->mesh->triangles[k])) return;
    Corners a = corners_of(s->mesh, i), b = corners_of(s->mesh, k);
    s->found = pierces(s, &a, &b) || covers(s, &a, &b);
}

static bool boxes_meet(const RbMeshNode *a, const RbMeshNode *b) {
    Vec3 apart = v3_sub(v3_abs(v3_sub(a->centre, b->centre)), v3_add(a->half, b->half));
    return apart.x <= 0 && apart.y <= 0 && apart.z <= 0;
}

static void compare_leaves(Search *s, const RbMeshNode *a, const RbMeshNode *b) {
    for (int i = 0; i < a->count; i++) {
        for (int k = a == b ? i + 1 : 0; k < b->count && !s->found; k++)
            compare(s, s->tree->triangles[a->first + i], s->tree->triangles[b->first + k]);
    }
}

// All pairs of triangles of which one is in node a and the other in node b.
static void visit(Search *s, int first, int second) {
    const RbMeshNode *a = &s->tree->nodes[first], *b = &s->tree->nodes[second];
    if (s->found || (a != b && !boxes_meet(a, b))) return;
    if (a->count > 0 && b->count > 0) {
        compare_leaves(s, a, b);
    } else if (a == b) {
        visit(s, a->left, a->left);
        visit(s, a->right, a->right);
        visit(s, a->left, a->right);
    } else if (b->count > 0 || (a->count == 0 && a->radius > b->radius)) {
        visit(s, a->left, second);
        visit(s, a->right, second);
    } else {
        visit(s, first, b->left);
        visit(s, first, b->right);
    }
}

void rb_mesh_check_crossing(const RbMesh *mesh, RbArena *keep, RbArena scratch,
                            RbMeshReport *report) {
    const double rounding = 1e-6; // of the size: files in single precision have 6e-8
    if (!report->encloses_body) return;
    RbArena *memory = rb_arena_child(keep);
    RbMeshTree tree = rb_mesh_tree(mesh, memory, scratch);
    Search s = {
        .mesh = mesh, .tree = &tree, .tiny = rounding * v3_max_abs(rb_aabb_edges(report->box))};
    if (tree.node_count > 0) visit(&s, 0, 0);
    rb_arena_free(memory);
    report->fault =
        s.found ? RB_MESH_CROSSES : rb_mesh_find_nested(mesh, s.tiny, scratch, &s.where);
    if (report->fault == RB_MESH_SOUND) return;
    report->encloses_body = false;
    report->defect = s.where;
}
