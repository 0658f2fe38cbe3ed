// SPDX-License-Identifier: MIT
#include "geom/skin.h"

#include "geom/mesh_check.h"
#include "geom/mesh_edges.h"

static RbStatus refuse(const RbMeshReport *r, const char *name, RbPos at, RbDiag *diag) {
    const char *what = r->invalid_triangles > 0 ? "has triangles with impossible vertices near"
                       : r->open_edges > 0      ? "is open at the edge near"
                       : r->crowded_edges > 0   ? "has more than two triangles at the edge near"
                       : r->twisted_edges > 0   ? "has neighbours that face opposite ways near"
                                                : NULL;
    if (!what) return rb_fail(diag, RB_ERROR_MODEL, at, "solid '%s' has no triangles", name);
    Vec3 p = r->defect;
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "surface of solid '%s' %s {%.6g, %.6g, %.6g} (%d open, %d crowded, %d twisted "
                   "edges); weld its vertices, or repair the mesh",
                   name, what, p.x, p.y, p.z, r->open_edges, r->crowded_edges, r->twisted_edges);
}

// Two triangles at every edge, which run along it in opposite directions; and finite vertices.
static bool is_closed(const RbMesh *mesh, const RbMeshEdges *edges, RbAabb *box) {
    if (mesh->triangle_count == 0 || edges->half_count != 3 * mesh->triangle_count) return false;
    for (int e = 0; e < edges->edge_count; e++) {
        const RbHalfEdge *h = edges->halves + edges->start[e];
        if (edges->start[e + 1] - edges->start[e] != 2 ||
            rb_half_edge_forward(mesh, h[0]) == rb_half_edge_forward(mesh, h[1])) {
            return false;
        }
        Vec3 p = mesh->vertices[h->key >> 32], q = mesh->vertices[(uint32_t)h->key];
        if (!v3_finite(p) || !v3_finite(q)) return false;
        *box = rb_aabb_add_point(rb_aabb_add_point(*box, p), q);
    }
    return true;
}

static void fill_edges(RbSkin *s, const RbMeshEdges *found, RbArena *keep) {
    RbSkinEdge *edges = rb_new_array(keep, RbSkinEdge, found->edge_count);
    int(*of)[3] = (int(*)[3])rb_new_array(keep, int, 3 * (size_t)s->mesh.triangle_count);
    for (int e = 0; e < found->edge_count; e++) {
        const RbHalfEdge *h = found->halves + found->start[e];
        RbHalfEdge there = h[0], back = h[1];
        const int *v = s->mesh.triangles[there.triangle].v;
        edges[e] =
            (RbSkinEdge){{v[there.side], v[(there.side + 1) % 3]}, {there.triangle, back.triangle}};
        of[there.triangle][there.side] = e;
        of[back.triangle][back.side] = e;
    }
    s->edges = edges;
    for (int e = 0; e < found->edge_count; e++) {
        s->mean_side +=
            v3_distance(s->mesh.vertices[edges[e].v[0]], s->mesh.vertices[edges[e].v[1]]) /
            found->edge_count;
    }
    s->edge_count = found->edge_count;
    s->triangle_edges = (const int(*)[3])of;
}

static void fill_vertices(RbSkin *s, RbArena *keep) {
    int n = s->mesh.vertex_count;
    int *start = rb_new_array(keep, int, (size_t)n + 2);
    int *list = rb_new_array(keep, int, 2 * (size_t)s->edge_count);
    for (int e = 0; e < s->edge_count; e++) {
        for (int k = 0; k < 2; k++) start[s->edges[e].v[k] + 2]++;
    }
    for (int v = 0; v < n; v++) start[v + 1] += start[v];
    for (int e = 0; e < s->edge_count; e++) {
        for (int k = 0; k < 2; k++) list[start[s->edges[e].v[k] + 1]++] = e;
    }
    s->vertex_start = start;
    s->vertex_edges = list;
}

static void fill_extremes(RbSkin *s, RbArena *keep) {
    int(*extremes)[6] = (int(*)[6])rb_new_array(keep, int, 6 * (size_t)s->component_count);
    for (int c = 0; c < s->component_count; c++) {
        for (int k = 0; k < 6; k++) extremes[c][k] = s->mesh.triangles[s->component_first[c]].v[0];
    }
    for (int i = 0; i < 3 * s->mesh.triangle_count; i++) {
        int v = s->mesh.triangles[i / 3].v[i % 3], *best = extremes[s->component[i / 3]];
        for (int k = 0; k < 3; k++) {
            double x = v3_get(s->mesh.vertices[v], k);
            if (x < v3_get(s->mesh.vertices[best[2 * k]], k)) best[2 * k] = v;
            if (x > v3_get(s->mesh.vertices[best[2 * k + 1]], k)) best[2 * k + 1] = v;
        }
    }
    s->extremes = (const int(*)[6])extremes;
}

RbStatus rb_skin(const RbMesh *mesh, const char *name, RbPos at, RbArena *keep, RbArena scratch,
                 RbDiag *diag, RbSkin *out) {
    RbMeshEdges edges = rb_mesh_edges(mesh, &scratch);
    RbAabb box = RB_AABB_EMPTY;
    if (!is_closed(mesh, &edges, &box)) {
        RbMeshReport report = rb_mesh_check(mesh, scratch);
        return refuse(&report, name, at, diag);
    }
    *out = (RbSkin){.mesh = *mesh, .size = v3_max_abs(rb_aabb_edges(box))};
    fill_edges(out, &edges, keep);
    fill_vertices(out, keep);
    int *component;
    out->component_count = rb_mesh_components(mesh, &edges, keep, &component);
    out->component = component;
    int *first = rb_new_array(keep, int, out->component_count);
    for (int t = mesh->triangle_count - 1; t >= 0; t--) first[component[t]] = t;
    out->component_first = first;
    fill_extremes(out, keep);
    out->tree = rb_mesh_tree(mesh, keep, scratch);
    return RB_OK;
}
