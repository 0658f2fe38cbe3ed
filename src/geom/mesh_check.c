// SPDX-License-Identifier: MIT
#include "geom/mesh_check.h"

#include <stdlib.h>

#include "geom/mesh_edges.h"
#include "geom/mesh_sets.h"
#include "geom/moments.h"

static bool finite_triangle(const RbMesh *mesh, int t) {
    const int *v = mesh->triangles[t].v;
    for (int k = 0; k < 3; k++) {
        if (v[k] < 0 || v[k] >= mesh->vertex_count || !v3_finite(mesh->vertices[v[k]]))
            return false;
    }
    return true;
}

// Twice the area over the square of the longest side is the height over that side.
static bool is_degenerate(const RbMesh *mesh, int t, double *area) {
    const int *v = mesh->triangles[t].v;
    Vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    double longest = fmax(v3_distance(a, b), fmax(v3_distance(b, c), v3_distance(c, a)));
    double twice = v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    *area = 0.5 * twice;
    return !(twice > RB_MESH_DEGENERATE * longest * longest);
}

static void check_triangles(const RbMesh *mesh, RbMeshReport *r, bool *used) {
    for (int t = 0; t < mesh->triangle_count; t++) {
        if (!finite_triangle(mesh, t)) {
            int first = mesh->triangles[t].v[0];
            if (r->invalid_triangles++ == 0 && first >= 0 && first < mesh->vertex_count) {
                r->defect = mesh->vertices[first];
            }
            continue;
        }
        double area;
        if (is_degenerate(mesh, t, &area)) r->degenerate_triangles++;
        r->area += area;
        for (int k = 0; k < 3; k++) {
            int v = mesh->triangles[t].v[k];
            used[v] = true;
            r->box = rb_aabb_add_point(r->box, mesh->vertices[v]);
        }
    }
}

static void check_vertices(const RbMesh *mesh, RbMeshReport *r, const bool *used) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        if (!used[i]) r->unused_vertices++;
        if (!v3_finite(mesh->vertices[i])) r->invalid_vertices++;
    }
}

static Vec3 middle_of_side(const RbMesh *mesh, RbHalfEdge h) {
    const int *v = mesh->triangles[h.triangle].v;
    return v3_lerp(mesh->vertices[v[h.side]], mesh->vertices[v[(h.side + 1) % 3]], 0.5);
}

static void check_edges(const RbMesh *mesh, const RbMeshEdges *edges, RbMeshReport *r) {
    r->edge_count = edges->edge_count;
    bool found = false;
    for (int e = 0; e < edges->edge_count; e++) {
        const RbHalfEdge *h = edges->halves + edges->start[e];
        int count = edges->start[e + 1] - edges->start[e];
        bool twisted =
            count == 2 && rb_half_edge_forward(mesh, h[0]) == rb_half_edge_forward(mesh, h[1]);
        if (count == 1) r->open_edges++;
        if (count > 2) r->crowded_edges++;
        if (twisted) r->twisted_edges++;
        if (found || (count == 2 && !twisted)) continue;
        found = true;
        r->defect = middle_of_side(mesh, h[0]);
    }
}

RbMeshReport rb_mesh_check(const RbMesh *mesh, RbArena scratch) {
    RbMeshReport r = {.vertex_count = mesh->vertex_count,
                      .triangle_count = mesh->triangle_count,
                      .box = RB_AABB_EMPTY};
    bool *used = rb_new_array(&scratch, bool, mesh->vertex_count);
    check_triangles(mesh, &r, used);
    check_vertices(mesh, &r, used);
    RbMeshEdges edges = rb_mesh_edges(mesh, &scratch);
    check_edges(mesh, &edges, &r);
    int *component;
    r.components = rb_mesh_components(mesh, &edges, &scratch, &component);
    r.duplicate_triangles = rb_mesh_count_duplicates(mesh, scratch);
    r.closed = r.triangle_count > 0 && r.invalid_triangles == 0 && r.open_edges == 0 &&
               r.crowded_edges == 0;
    r.oriented = r.twisted_edges == 0 && r.crowded_edges == 0;
    if (r.invalid_triangles == 0) r.volume = rb_moments_of_mesh(mesh).volume;
    r.encloses_body = r.closed && r.oriented && r.volume > 0 && r.duplicate_triangles == 0;
    return r;
}

static void print_count(RbText *out, int count, const char *one, const char *many,
                        const char *what) {
    if (count > 0) rb_text_printf(out, "  %d %s %s\n", count, count == 1 ? one : many, what);
}

static const char *words_for(RbMeshFault fault) {
    switch (fault) {
        case RB_MESH_CROSSES: return "crosses itself";
        case RB_MESH_NESTED: return "has a body within another one, which would count twice,";
        case RB_MESH_INWARDS: return "has a body whose triangles face inwards";
        default: return "is sound";
    }
}

static const char *remedy(RbMeshFault fault) {
    switch (fault) {
        case RB_MESH_CROSSES: return "unite the bodies in it";
        case RB_MESH_NESTED:
            return "leave one of them out, or turn the inner one around if it is a cavity";
        default: return "turn it around";
    }
}

const char *rb_mesh_fault_text(const RbMeshReport *r, RbArena *keep) {
    return rb_arena_printf(keep, "%s near {%.6g, %.6g, %.6g} m", words_for(r->fault), r->defect.x,
                           r->defect.y, r->defect.z);
}

const char *rb_mesh_defect_text(const RbMeshReport *r, RbArena *keep) {
    const struct {
        int count;
        const char *what;
    } kinds[] = {{r->open_edges, "with only one triangle"},
                 {r->crowded_edges, "with more than two triangles"},
                 {r->twisted_edges, "whose triangles face differently"}};
    RbText out = rb_text(keep);
    for (int i = 0; i < 3; i++) {
        int n = kinds[i].count;
        if (n > 0) rb_text_printf(&out, "%d edge%s %s, ", n, n == 1 ? "" : "s", kinds[i].what);
    }
    rb_text_printf(&out, "the first near {%.6g, %.6g, %.6g} m", r->defect.x, r->defect.y,
                   r->defect.z);
    return out.data;
}

void rb_mesh_report_print(const RbMeshReport *r, RbText *out) {
    rb_text_printf(out, "%d vertices, %d triangles, %d edges, %d component%s: %s\n",
                   r->vertex_count, r->triangle_count, r->edge_count, r->components,
                   r->components == 1 ? "" : "s",
                   r->encloses_body ? "encloses a body" : "does not enclose a body");
    if (r->triangle_count == 0)
        rb_text_add(out,
                    "  no triangles are there, or they have no area, or each is there twice\n");
    print_count(out, r->unused_vertices, "vertex", "vertices", "in no triangle");
    print_count(out, r->invalid_vertices, "vertex", "vertices", "not finite");
    print_count(out, r->invalid_triangles, "triangle", "triangles", "with an impossible vertex");
    print_count(out, r->degenerate_triangles, "triangle", "triangles", "without area");
    print_count(out, r->duplicate_triangles, "triangle", "triangles", "given more than once");
    print_count(out, r->open_edges, "edge", "edges", "with only one triangle (holes)");
    print_count(out, r->crowded_edges, "edge", "edges", "with more than two triangles");
    print_count(out, r->twisted_edges, "edge", "edges", "whose triangles are oriented differently");
    if (r->open_edges + r->crowded_edges + r->twisted_edges > 0) {
        rb_text_printf(out, "  the first such edge lies near {%.6g, %.6g, %.6g}\n", r->defect.x,
                       r->defect.y, r->defect.z);
    }
    if (r->fault != RB_MESH_SOUND) {
        rb_text_printf(out, "  the surface %s near {%.6g, %.6g, %.6g}: %s\n", words_for(r->fault),
                       r->defect.x, r->defect.y, r->defect.z, remedy(r->fault));
    }
    if (r->closed && r->oriented && r->volume < 0) {
        rb_text_add(out, "  the triangles face inwards\n");
    }
    if (r->closed && r->oriented && r->volume == 0) rb_text_add(out, "  the volume is zero\n");
}
