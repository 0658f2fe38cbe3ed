// SPDX-License-Identifier: MIT
#include "geom/mesh_split.h"

#include "base/sort_keys.h"
#include "geom/mesh_edges.h"

// Halves of edges are numbered 3 triangle + side.
typedef struct Split {
    const RbMesh *mesh;
    int *partner;     // the other half of an edge
    int *parent;      // union-find over the corners (3 triangle + corner)
    RB_ARRAY(Vec3) x; // result
    RB_ARRAY(RbTriangle) triangles;
    RB_ARRAY(int) partners;
    RbArena *keep;
} Split;

static int root_of(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void unite(int *parent, int a, int b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

static int after(int half) {
    return half % 3 == 2 ? half - 2 : half + 1;
}

// Two halves of an edge belong together: so do the corners at both of its ends.
static void join_halves(Split *s, RbHalfEdge a, RbHalfEdge b) {
    int i = 3 * a.triangle + a.side, k = 3 * b.triangle + b.side;
    s->partner[i] = k;
    s->partner[k] = i;
    unite(s->parent, i, after(k));
    unite(s->parent, after(i), k);
}

// Angle of a triangle around an edge, counter-clockwise about its direction from the lower to the
// higher vertex.
static double angle_of(const RbMesh *t, RbHalfEdge h, Vec3 p, Vec3 e1, Vec3 e2) {
    Vec3 w = v3_sub(t->vertices[t->triangles[h.triangle].v[(h.side + 2) % 3]], p);
    return atan2(v3_dot(e2, w), v3_dot(e1, w));
}

// The triangles of an edge, counter-clockwise.
static RbKeyed *sort_around(const RbMesh *t, const RbHalfEdge *h, int count, RbArena *scratch) {
    int low = (int)(h->key >> 32), high = (int)(uint32_t)h->key;
    Vec3 p = t->vertices[low], d = v3_unit_or(v3_sub(t->vertices[high], p), v3(0, 0, 1));
    Vec3 e1 = v3_perpendicular(d), e2 = v3_cross(d, e1);
    RbKeyed *around = rb_new_array(scratch, RbKeyed, 2 * (size_t)count);
    for (int i = 0; i < count; i++) around[i] = (RbKeyed){0, angle_of(t, h[i], p, e1, e2), i};
    rb_sort_keys(around, around + count, count);
    return around;
}

// Around a crowded edge, counter-clockwise, a solid lies between a triangle that runs backward and
// the next that runs forward: these two stay together.
static void pair_crowded(Split *s, const RbHalfEdge *h, int count, RbArena scratch) {
    const RbMesh *t = s->mesh;
    int opened = 0;
    RbKeyed *around = sort_around(t, h, count, &scratch);
    int *open = rb_new_array(&scratch, int, count);
    bool *done = rb_new_array(&scratch, bool, count);
    for (int k = 0; k < 2 * count; k++) { // twice around
        int i = around[k % count].item;
        if (done[i]) continue;
        if (!rb_half_edge_forward(t, h[i])) {
            if (k < count) open[opened++] = i;
        } else if (opened > 0) {
            int partner = open[--opened];
            done[i] = done[partner] = true;
            join_halves(s, h[partner], h[i]);
        }
    }
}

// Vertices from corners.
static void number_corners(Split *s, RbArena scratch) {
    const RbMesh *t = s->mesh;
    int *number = rb_new_array(&scratch, int, 3 * (size_t)t->triangle_count);
    rb_array_reserve(&s->x, s->keep, t->vertex_count);
    rb_array_reserve(&s->triangles, s->keep, t->triangle_count);
    rb_array_reserve(&s->partners, s->keep, 3 * t->triangle_count);
    for (int i = 0; i < 3 * t->triangle_count; i++) {
        int root = root_of(s->parent, i);
        if (root == i) {
            number[i] = s->x.count;
            rb_array_push(&s->x, s->keep, t->vertices[t->triangles[i / 3].v[i % 3]]);
        }
        if (i % 3 == 0) rb_array_push(&s->triangles, s->keep, (RbTriangle){{0}});
        s->triangles.data[i / 3].v[i % 3] = number[root];
        rb_array_push(&s->partners, s->keep, s->partner[i]);
    }
}

// Put the vertex m into the half (a, b, w): it becomes (a, m, w), and (m, b, w) is new. Answers the
// half from m to b.
static int halve(Split *s, int half, int m) {
    int t = half / 3, side = half % 3, next = after(half), fresh = 3 * s->triangles.count;
    int *v = s->triangles.data[t].v, b = v[(side + 1) % 3], w = v[(side + 2) % 3];
    v[(side + 1) % 3] = m;
    rb_array_push(&s->triangles, s->keep, (RbTriangle){{m, b, w}});
    int outer = s->partners.data[next];
    int partners[3] = {-1, outer, next};
    for (int k = 0; k < 3; k++) rb_array_push(&s->partners, s->keep, partners[k]);
    s->partners.data[outer] = fresh + 1;
    s->partners.data[next] = fresh + 2;
    return fresh;
}

// Two edges with the same ends: one gets a vertex in its middle. Answers how many did; edges of a
// triangle that was halved wait for the next call.
static int part_edges(Split *s, RbArena scratch) {
    int parted = 0;
    RbMesh mesh = {s->x.data, s->x.count, s->triangles.data, s->triangles.count};
    RbMeshEdges edges = rb_mesh_edges(&mesh, &scratch);
    for (int e = 0; e < edges.edge_count; e++) {
        const RbHalfEdge *h = edges.halves + edges.start[e];
        int count = edges.start[e + 1] - edges.start[e];
        int low = (int)(h->key >> 32), high = (int)(uint32_t)h->key;
        int first = count > 2 ? 3 * h->triangle + h->side : 0;
        for (int i = 1; i < count && count > 2; i++) {
            int half = 3 * h[i].triangle + h[i].side, other = s->partners.data[half];
            const int *v = s->triangles.data[h[i].triangle].v;
            bool whole = (v[h[i].side] == low && v[(h[i].side + 1) % 3] == high) ||
                         (v[h[i].side] == high && v[(h[i].side + 1) % 3] == low);
            if (other == first || !whole) continue;
            rb_array_push(&s->x, s->keep, v3_lerp(s->x.data[low], s->x.data[high], 0.5));
            int one = halve(s, half, s->x.count - 1), two = halve(s, other, s->x.count - 1);
            s->partners.data[half] = two;
            s->partners.data[two] = half;
            s->partners.data[other] = one;
            s->partners.data[one] = other;
            parted++;
        }
    }
    return parted;
}

// Do solid and void take turns around an edge?
static bool takes_turns(const RbMesh *mesh, const RbHalfEdge *h, int count, RbArena scratch) {
    if (count % 2 != 0) return false;
    const RbKeyed *around = sort_around(mesh, h, count, &scratch);
    bool forward = rb_half_edge_forward(mesh, h[around[count - 1].item]), before = forward;
    for (int i = 0; i < count; i++, before = forward) {
        forward = rb_half_edge_forward(mesh, h[around[i].item]);
        if (forward == before) return false;
    }
    return true;
}

// Each edge has as many solid wedges around it as voids between these.
static bool is_closed(const RbMesh *mesh, const RbMeshEdges *edges, RbArena scratch) {
    for (int e = 0; e < edges->edge_count; e++) {
        const RbHalfEdge *h = edges->halves + edges->start[e];
        int count = edges->start[e + 1] - edges->start[e];
        if (count == 2 ? rb_half_edge_forward(mesh, h[0]) == rb_half_edge_forward(mesh, h[1])
                       : !takes_turns(mesh, h, count, scratch))
            return false;
    }
    return true;
}

// Each half finds its partner. Answers whether there are edges with more than two.
static bool pair_all(Split *s, const RbMeshEdges *edges, RbArena *scratch) {
    bool crowded = false;
    int corners = 3 * s->mesh->triangle_count;
    s->partner = rb_new_array(scratch, int, corners);
    s->parent = rb_new_array(scratch, int, corners);
    for (int i = 0; i < corners; i++) s->parent[i] = i;
    for (int e = 0; e < edges->edge_count; e++) {
        const RbHalfEdge *h = edges->halves + edges->start[e];
        int count = edges->start[e + 1] - edges->start[e];
        if (count == 2) {
            join_halves(s, h[0], h[1]);
        } else {
            pair_crowded(s, h, count, *scratch);
            crowded = true;
        }
    }
    return crowded;
}

bool rb_mesh_needs_split(const RbMesh *mesh, const RbMeshEdges *edges, RbArena scratch) {
    if (!is_closed(mesh, edges, scratch)) return false;
    Split s = {.mesh = mesh};
    if (pair_all(&s, edges, &scratch)) return true;
    int fans = 0, used = 0;
    bool *seen = rb_new_array(&scratch, bool, mesh->vertex_count);
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        int v = mesh->triangles[i / 3].v[i % 3];
        fans += s.parent[i] == i;
        used += !seen[v];
        seen[v] = true;
    }
    return fans > used;
}

RbMesh rb_mesh_split(const RbMesh *mesh, const RbMeshEdges *edges, RbArena *keep, RbArena scratch) {
    Split s = {.mesh = mesh, .keep = keep};
    bool crowded = pair_all(&s, edges, &scratch);
    number_corners(&s, scratch);
    while (crowded && part_edges(&s, scratch) > 0) continue;
    return (RbMesh){s.x.data, s.x.count, s.triangles.data, s.triangles.count};
}
