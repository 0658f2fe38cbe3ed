// SPDX-License-Identifier: MIT
#include "geom/polytope.h"

#include <stdlib.h>

#include "base/map.h"
#include "geom/support.h"

typedef RB_ARRAY(int) Ints;

// Work in progress: triangles joined to groups, groups turned into loops of vertices.
typedef struct Build {
    const RbMesh *mesh;
    double tol; // [m]
    RbArena *scratch;
    const char *why;
    RbMap edges;        // directed edge -> triangle
    int *group;         // of each triangle, -1 while it has none
    Ints seed_of_group; // the triangle whose plane it is
    int group_count;
    Ints loop_start;           // group_count + 1
    Ints loops;                // vertices of each group's boundary, counter-clockwise
    int *face_of_vertex_count; // number of faces that meet in each vertex
    int *new_index;            // of each vertex that stays, -1 for the others
} Build;

static uint64_t edge_key(int from, int to) {
    return (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
}

static bool fail(Build *b, const char *why) {
    b->why = why;
    return false;
}

static Vec3 corner(const Build *b, int triangle, int k) {
    return b->mesh->vertices[b->mesh->triangles[triangle].v[k]];
}

// Twice the area, along the outward normal.
static Vec3 area_vector(const Build *b, int t) {
    Vec3 a = corner(b, t, 0);
    return v3_cross(v3_sub(corner(b, t, 1), a), v3_sub(corner(b, t, 2), a));
}

static bool join_edges(Build *b) {
    for (int t = 0; t < b->mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            const int *v = b->mesh->triangles[t].v;
            uint64_t key = edge_key(v[k], v[(k + 1) % 3]);
            if (rb_map_find(&b->edges, key)) return fail(b, "two triangles share a directed edge");
            rb_map_set(&b->edges, b->scratch, key, (uint64_t)t);
        }
    }
    return true;
}

// The triangle on the other side of edge k, or -1.
static int across(const Build *b, int t, int k) {
    const int *v = b->mesh->triangles[t].v;
    const uint64_t *other = rb_map_find(&b->edges, edge_key(v[(k + 1) % 3], v[k]));
    return other ? (int)*other : -1;
}

// a + b, a b as the rounded value and what rounding lost.
typedef struct Pair {
    double value, lost;
} Pair;

static Pair pair_sum(double a, double b) {
    double s = a + b, bb = s - a;
    return (Pair){s, (a - (s - bb)) + (b - bb)};
}

static Pair pair_product(Pair a, Pair b) {
    double p = a.value * b.value;
    return (Pair){p, fma(a.value, b.value, -p) + (a.value * b.lost + a.lost * b.value)};
}

static double product_difference(Pair a, Pair b, Pair c, Pair d) {
    Pair ab = pair_product(a, b), cd = pair_product(c, d), s = pair_sum(ab.value, -cd.value);
    return s.value + (s.lost + (ab.lost - cd.lost));
}

// Normal of a triangle, exact to rounding even for slivers, whose cross product cancels: sides and
// products carry what rounding lost. Points of meshes in single precision are full of slivers.
static Vec3 exact_normal(Vec3 a, Vec3 b, Vec3 c) {
    Pair ux = pair_sum(b.x, -a.x), uy = pair_sum(b.y, -a.y), uz = pair_sum(b.z, -a.z);
    Pair vx = pair_sum(c.x, -a.x), vy = pair_sum(c.y, -a.y), vz = pair_sum(c.z, -a.z);
    return v3_unit(v3(product_difference(uy, vz, uz, vy), product_difference(uz, vx, ux, vz),
                      product_difference(ux, vy, uy, vx)));
}

// ---- faces ----

typedef struct Seed {
    double area;
    int triangle;
} Seed;

// Largest first: its plane is the most trustworthy one; ties by number, so that the order is
// unique.
static int by_area(const void *pa, const void *pb) {
    const Seed *a = pa, *b = pb;
    if (a->area != b->area) return a->area > b->area ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static bool in_plane(const Build *b, int t, Vec3 n, Vec3 point) {
    for (int k = 0; k < 3; k++) {
        if (!(fabs(v3_dot(n, v3_sub(corner(b, t, k), point))) <= b->tol)) return false;
    }
    return true;
}

// Everything that is connected to the seed and lies in its plane.
static void grow_group(Build *b, int seed, Ints *stack) {
    Vec3 point = corner(b, seed, 0);
    Vec3 n = exact_normal(point, corner(b, seed, 1), corner(b, seed, 2));
    int group = b->group_count++;
    rb_array_push(&b->seed_of_group, b->scratch, seed);
    stack->count = 0;
    rb_array_push(stack, b->scratch, seed);
    b->group[seed] = group;
    while (stack->count > 0) {
        int t = stack->data[--stack->count];
        for (int k = 0; k < 3; k++) {
            int other = across(b, t, k);
            if (other < 0 || b->group[other] >= 0 || !in_plane(b, other, n, point)) continue;
            b->group[other] = group;
            rb_array_push(stack, b->scratch, other);
        }
    }
}

static void group_triangles(Build *b) {
    int count = b->mesh->triangle_count;
    b->group = rb_new_array(b->scratch, int, count);
    Seed *seeds = rb_new_array(b->scratch, Seed, count);
    for (int t = 0; t < count; t++) {
        b->group[t] = -1;
        seeds[t] = (Seed){v3_norm(area_vector(b, t)), t};
    }
    qsort(seeds, (size_t)count, sizeof *seeds, by_area);
    Ints stack = {0};
    for (int i = 0; i < count; i++) {
        if (b->group[seeds[i].triangle] < 0) grow_group(b, seeds[i].triangle, &stack);
    }
}

// The border of a group while it is being collected: for each vertex on it the next one.
typedef struct Border {
    int *next;
    int *stamp; // next is valid where this is the number of the group
    int first;  // smallest vertex
    int edge_count;
} Border;

// Add the sides of a triangle behind which another group begins.
static bool add_to_border(Build *b, Border *border, int t) {
    const int *v = b->mesh->triangles[t].v;
    int group = b->group[t];
    for (int k = 0; k < 3; k++) {
        int other = across(b, t, k);
        if (other < 0) return fail(b, "the surface is open");
        if (b->group[other] == group) continue;
        if (border->stamp[v[k]] == group) return fail(b, "a face touches itself in a vertex");
        border->stamp[v[k]] = group;
        border->next[v[k]] = v[(k + 1) % 3];
        border->first = v[k] < border->first ? v[k] : border->first;
        border->edge_count++;
    }
    return true;
}

// Follow the border from its smallest vertex; it must come back there, and not before its end.
static bool trace_loop(Build *b, const Border *border, int group) {
    int v = border->first;
    if (border->edge_count < 3) return fail(b, "a face covers everything");
    for (int i = 0; i < border->edge_count; i++) {
        if (border->stamp[v] != group) return fail(b, "the border of a face is not closed");
        if (v == border->first && i > 0) return fail(b, "a face has several borders");
        rb_array_push(&b->loops, b->scratch, v);
        b->face_of_vertex_count[v]++;
        v = border->next[v];
    }
    return v == border->first || fail(b, "the border of a face is not closed");
}

// Triangles sorted by group: start of each group in `order`.
static int *sort_by_group(Build *b, int **order) {
    int *start = rb_new_array(b->scratch, int, b->group_count + 2);
    *order = rb_new_array(b->scratch, int, b->mesh->triangle_count);
    for (int t = 0; t < b->mesh->triangle_count; t++) start[b->group[t] + 2]++;
    for (int g = 0; g < b->group_count; g++) start[g + 2] += start[g + 1];
    for (int t = 0; t < b->mesh->triangle_count; t++) (*order)[start[b->group[t] + 1]++] = t;
    return start;
}

static bool trace_loops(Build *b) {
    int vertex_count = b->mesh->vertex_count, *order;
    int *start = sort_by_group(b, &order);
    Border border = {.next = rb_new_array(b->scratch, int, vertex_count),
                     .stamp = rb_new_array(b->scratch, int, vertex_count)};
    b->face_of_vertex_count = rb_new_array(b->scratch, int, vertex_count);
    for (int v = 0; v < vertex_count; v++) border.stamp[v] = -1;
    for (int g = 0; g < b->group_count; g++) {
        border.first = vertex_count;
        border.edge_count = 0;
        for (int i = start[g]; i < start[g + 1]; i++) {
            if (!add_to_border(b, &border, order[i])) return false;
        }
        rb_array_push(&b->loop_start, b->scratch, b->loops.count);
        if (!trace_loop(b, &border, g)) return false;
    }
    rb_array_push(&b->loop_start, b->scratch, b->loops.count);
    return true;
}

// A vertex in which only two faces meet lies on the edge between them; it goes.
static int number_vertices(Build *b) {
    int count = 0;
    b->new_index = rb_new_array(b->scratch, int, b->mesh->vertex_count);
    for (int v = 0; v < b->mesh->vertex_count; v++) {
        b->new_index[v] = b->face_of_vertex_count[v] >= 3 ? count++ : -1;
    }
    return count;
}

static void copy_vertices(const Build *b, int count, RbArena *keep, RbPolytope *p) {
    Vec3 *vertices = rb_new_array(keep, Vec3, count);
    for (int v = 0; v < b->mesh->vertex_count; v++) {
        if (b->new_index[v] >= 0) vertices[b->new_index[v]] = b->mesh->vertices[v];
    }
    p->vertices = vertices;
    p->vertex_count = count;
}

static bool copy_faces(Build *b, RbArena *keep, RbPolytope *p) {
    int *start = rb_new_array(keep, int, b->group_count + 1);
    int *vertices = rb_new_array(keep, int, b->loops.count);
    int used = 0;
    for (int g = 0; g < b->group_count; g++) {
        start[g] = used;
        for (int i = b->loop_start.data[g]; i < b->loop_start.data[g + 1]; i++) {
            int v = b->new_index[b->loops.data[i]];
            if (v >= 0) vertices[used++] = v;
        }
        if (used - start[g] < 3) return fail(b, "a face has fewer than three vertices");
    }
    start[b->group_count] = used;
    p->face_count = b->group_count;
    p->face_start = start;
    p->face_vertices = vertices;
    return true;
}

// ---- edges ----

static bool make_edges(Build *b, RbArena *keep, RbPolytope *p) {
    int half = p->face_start[p->face_count] / 2;
    int(*edges)[2] = (int(*)[2])rb_new_array(keep, int, 2 * half);
    int(*faces)[2] = (int(*)[2])rb_new_array(keep, int, 2 * half);
    RbMap by_ends = {0}; // directed edge -> face
    for (int f = 0; f < p->face_count; f++) {
        int first = p->face_start[f], n = p->face_start[f + 1] - first;
        for (int k = 0; k < n; k++) {
            int from = p->face_vertices[first + k], to = p->face_vertices[first + (k + 1) % n];
            uint64_t key = edge_key(from, to);
            if (rb_map_find(&by_ends, key)) return fail(b, "two faces share a directed edge");
            rb_map_set(&by_ends, b->scratch, key, (uint64_t)f);
        }
    }
    for (int i = 0; i < by_ends.entries.count; i++) {
        uint64_t key = by_ends.entries.data[i].key;
        int from = (int)(key >> 32), to = (int)(uint32_t)key;
        const uint64_t *other = rb_map_find(&by_ends, edge_key(to, from));
        if (!other) return fail(b, "an edge has only one face");
        if (from > to) continue;
        edges[p->edge_count][0] = from;
        edges[p->edge_count][1] = to;
        faces[p->edge_count][0] = (int)by_ends.entries.data[i].value;
        faces[p->edge_count++][1] = (int)*other;
    }
    p->edges = (const int(*)[2])edges;
    p->edge_faces = (const int(*)[2])faces;
    return p->vertex_count - p->edge_count + p->face_count == 2 ||
           fail(b, "vertices, edges and faces do not form a closed surface");
}

// Of the faces at an edge from a vertex the one that it is a side of counter-clockwise: each edge has another one.
static void make_neighbours(RbArena *keep, RbPolytope *p) {
    int *start = rb_new_array(keep, int, p->vertex_count + 2);
    int *neighbours = rb_new_array(keep, int, 2 * p->edge_count);
    int *faces = rb_new_array(keep, int, 2 * p->edge_count);
    for (int e = 0; e < p->edge_count; e++) {
        for (int k = 0; k < 2; k++) start[p->edges[e][k] + 2]++;
    }
    for (int v = 0; v < p->vertex_count; v++) start[v + 2] += start[v + 1];
    for (int e = 0; e < p->edge_count; e++) {
        for (int k = 0; k < 2; k++) {
            int at = start[p->edges[e][k] + 1]++;
            neighbours[at] = p->edges[e][1 - k], faces[at] = p->edge_faces[e][k];
        }
    }
    p->neighbour_start = start;
    p->neighbours = neighbours;
    p->vertex_faces = faces;
}

// ---- planes ----

static bool make_planes(Build *b, RbArena *keep, RbPolytope *p) {
    Vec3 *normals = rb_new_array(keep, Vec3, p->face_count);
    double *offsets = rb_new_array(keep, double, p->face_count);
    for (int f = 0; f < p->face_count; f++) {
        int t = b->seed_of_group.data[f];
        normals[f] = exact_normal(corner(b, t, 0), corner(b, t, 1), corner(b, t, 2));
        if (v3_norm2(normals[f]) == 0) return fail(b, "a face has no area");
        int far = rb_polytope_climb(p, normals[f], p->face_vertices[p->face_start[f]]);
        offsets[f] = v3_dot(normals[f], p->vertices[far]);
    }
    p->face_normals = normals;
    p->face_offsets = offsets;
    return true;
}

static bool build(Build *b, RbArena *keep, RbPolytope *p) {
    if (!join_edges(b)) return false;
    group_triangles(b);
    if (!trace_loops(b)) return false;
    copy_vertices(b, number_vertices(b), keep, p);
    if (!copy_faces(b, keep, p) || !make_edges(b, keep, p)) return false;
    make_neighbours(keep, p);
    return make_planes(b, keep, p);
}

bool rb_polytope_join(RbPolytope *p, RbArena *keep, RbArena scratch) {
    Build b = {.scratch = &scratch};
    if (!make_edges(&b, keep, p)) return false;
    make_neighbours(keep, p);
    return true;
}

const RbPolytope *rb_polytope_build(const RbMesh *triangles, double tol, RbArena *keep,
                                    RbArena scratch, const char **why) {
    Build b = {.mesh = triangles, .tol = tol, .scratch = &scratch};
    RbPolytope *p = rb_new(keep, RbPolytope);
    bool ok = build(&b, keep, p);
    *why = b.why;
    return ok ? p : NULL;
}
