// SPDX-License-Identifier: MIT
#include "geom/mesh_edges.h"

#include "base/sort_keys.h"

bool rb_triangle_is_valid(const RbMesh *mesh, int triangle) {
    const int *v = mesh->triangles[triangle].v;
    for (int k = 0; k < 3; k++) {
        if (v[k] < 0 || v[k] >= mesh->vertex_count) return false;
    }
    return v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
}

static const int next[3] = {1, 2, 0};

static int least(int a, int b) {
    return a < b ? a : b;
}

static uint64_t undirected(int a, int b) {
    return (uint64_t)(uint32_t)least(a, b) << 32 | (uint32_t)(a < b ? b : a);
}

static bool counts(const RbMesh *mesh, const bool *only, int t) {
    return (!only || only[t]) && rb_triangle_is_valid(mesh, t);
}

// Halves grouped by their smaller vertex, in the order of the triangles; start[v] is where those of v start.
static RbHalfEdge *group_by_vertex(const RbMesh *mesh, const bool *only, int *start, int *count,
                                   RbArena *arena) {
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *v = mesh->triangles[t].v;
        if (!counts(mesh, only, t)) continue;
        for (int k = 0; k < 3; k++) start[least(v[k], v[next[k]]) + 2]++;
        *count += 3;
    }
    for (int v = 0; v < mesh->vertex_count; v++) start[v + 1] += start[v];
    RbHalfEdge *grouped = rb_new_array(arena, RbHalfEdge, *count);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *v = mesh->triangles[t].v;
        if (!counts(mesh, only, t)) continue;
        for (int k = 0; k < 3; k++) {
            uint64_t key = undirected(v[k], v[next[k]]);
            grouped[start[(key >> 32) + 1]++] = (RbHalfEdge){key, t, k};
        }
    }
    return grouped;
}

// A vertex mostly has few.
static void sort_few(RbHalfEdge *halves, int count) {
    for (int i = 1; i < count; i++) {
        RbHalfEdge moved = halves[i];
        int k = i;
        for (; k > 0 && halves[k - 1].key > moved.key; k--) halves[k] = halves[k - 1];
        halves[k] = moved;
    }
}

// Those of one vertex by the larger vertex; the order of the triangles stays.
static void sort_group(RbHalfEdge *halves, int count, RbArena scratch) {
    enum { FEW = 24 };
    if (count <= FEW) {
        sort_few(halves, count);
        return;
    }
    RbKeyed *keys = rb_new_array(&scratch, RbKeyed, 2 * (size_t)count);
    RbHalfEdge *copy = rb_new_array(&scratch, RbHalfEdge, count);
    for (int i = 0; i < count; i++) {
        keys[i] = (RbKeyed){halves[i].key, 0, i};
        copy[i] = halves[i];
    }
    rb_sort_keys(keys, keys + count, count);
    for (int i = 0; i < count; i++) halves[i] = copy[keys[i].item];
}

RbMeshEdges rb_mesh_edges(const RbMesh *mesh, RbArena *arena) {
    return rb_mesh_edges_of(mesh, NULL, arena);
}

RbMeshEdges rb_mesh_edges_of(const RbMesh *mesh, const bool *only, RbArena *arena) {
    int count = 0, edge_count = 0;
    int *group = rb_new_array(arena, int, (size_t)mesh->vertex_count + 2);
    RbHalfEdge *halves = group_by_vertex(mesh, only, group, &count, arena);
    int *start = rb_new_array(arena, int, (size_t)count + 1);
    for (int v = 0; v < mesh->vertex_count; v++) {
        if (group[v + 1] > group[v]) sort_group(halves + group[v], group[v + 1] - group[v], *arena);
    }
    for (int i = 0; i < count; i++) {
        if (i == 0 || halves[i].key != halves[i - 1].key) start[edge_count++] = i;
    }
    start[edge_count] = count;
    return (RbMeshEdges){halves, count, start, edge_count};
}

// Union-find; the smaller number is the root.
static int root_of(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

int rb_mesh_components(const RbMesh *mesh, const RbMeshEdges *edges, RbArena *arena,
                       int **component) {
    int n = mesh->triangle_count, count = 0;
    int *parent = rb_new_array(arena, int, n);
    *component = rb_new_array(arena, int, n);
    for (int t = 0; t < n; t++) parent[t] = t;
    for (int e = 0; e < edges->edge_count; e++) {
        for (int i = edges->start[e] + 1; i < edges->start[e + 1]; i++) {
            int a = root_of(parent, edges->halves[i - 1].triangle);
            int b = root_of(parent, edges->halves[i].triangle);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int t = 0; t < n; t++) {
        int root = root_of(parent, t);
        (*component)[t] = !rb_triangle_is_valid(mesh, t) ? -1
                          : root == t                    ? count++
                                                         : (*component)[root];
    }
    return count;
}

int rb_mesh_find_edge(const RbMeshEdges *edges, int a, int b) {
    uint64_t key = undirected(a, b);
    int low = 0, high = edges->edge_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (edges->halves[edges->start[middle]].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < edges->edge_count && edges->halves[edges->start[low]].key == key ? low : -1;
}

int rb_mesh_edge_users(const RbMeshEdges *edges, int a, int b) {
    int edge = rb_mesh_find_edge(edges, a, b);
    return edge < 0 ? 0 : edges->start[edge + 1] - edges->start[edge];
}
