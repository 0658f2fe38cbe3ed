// SPDX-License-Identifier: MIT
// Repair of meshes: weld, remove, orient, part solids that meet in an edge. Each step makes new arrays, so the mesh that came in is
// never changed.
#include <string.h>

#include "geom/mesh_check.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_sets.h"
#include "geom/mesh_split.h"
#include "geom/mesh_tree.h"
#include "geom/mesh_weld.h"

// ---- remove ----

// Is the triangle usable: three different finite vertices?
static bool usable(const RbMesh *mesh, int t) {
    if (!rb_triangle_is_valid(mesh, t)) return false;
    const int *v = mesh->triangles[t].v;
    return v3_finite(mesh->vertices[v[0]]) && v3_finite(mesh->vertices[v[1]]) &&
           v3_finite(mesh->vertices[v[2]]);
}

static RbMesh welded_mesh(const RbMesh *mesh, const int *first, RbArena *scratch) {
    RbTriangle *triangles = rb_new_array(scratch, RbTriangle, mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            int v = mesh->triangles[t].v[k];
            triangles[t].v[k] = v >= 0 && v < mesh->vertex_count ? first[v] : -1;
        }
    }
    return (RbMesh){mesh->vertices, mesh->vertex_count, triangles, mesh->triangle_count};
}

static RbMesh keep_triangles(const RbMesh *mesh, const bool *keep, RbArena *scratch) {
    RbTriangle *triangles = rb_new_array(scratch, RbTriangle, mesh->triangle_count);
    int count = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        if (keep[t]) triangles[count++] = mesh->triangles[t];
    }
    return (RbMesh){mesh->vertices, mesh->vertex_count, triangles, count};
}

static RbMesh without_unusable(const RbMesh *mesh, RbArena *scratch) {
    bool *keep = rb_new_array(scratch, bool, mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count; t++) keep[t] = usable(mesh, t);
    return keep_triangles(mesh, keep, scratch);
}

// Copies of one triangle: one stays if its edges lack a partner without it (others use them an odd
// number of times); a pair that closes itself back to back encloses nothing and goes altogether.
static bool one_is_needed(const RbMeshEdges *edges, const RbTriangleName *name, int copies) {
    int odd = 0;
    for (int k = 0; k < 3; k++) {
        int others = rb_mesh_edge_users(edges, name->v[k], name->v[(k + 1) % 3]) - copies;
        odd += others & 1;
    }
    return odd >= 2;
}

static RbMesh without_duplicates(const RbMesh *mesh, RbArena *scratch) {
    RbMeshEdges edges = rb_mesh_edges(mesh, scratch);
    RbTriangleName *names = rb_mesh_triangle_names(mesh, scratch);
    bool *keep = rb_new_array(scratch, bool, mesh->triangle_count);
    for (int i = 0, end; i < mesh->triangle_count; i = end) {
        end = i + 1;
        while (end < mesh->triangle_count && rb_triangle_name_equal(&names[i], &names[end])) end++;
        keep[names[i].triangle] = end - i == 1 || one_is_needed(&edges, &names[i], end - i);
    }
    return keep_triangles(mesh, keep, scratch);
}

// ---- orient ----

typedef struct Orient {
    const RbMesh *mesh;
    RbMeshEdges edges;
    int *edge_of;   // edge of each side of each triangle: [3 t + side]
    int *component; // of each triangle
    int *next;      // triangle of the same component, -1 at the end
    int component_count;
    bool *seen;
    bool *flip;    // result
    bool *twisted; // per component
    RB_ARRAY(int) stack;
    RbArena *scratch;
} Orient;

static bool runs_forward(const Orient *o, RbHalfEdge h) {
    return rb_half_edge_forward(o->mesh, h) != o->flip[h.triangle];
}

// Give the neighbour across a regular edge the orientation that agrees.
static void visit_side(Orient *o, int t, int side) {
    int e = o->edge_of[3 * t + side];
    const RbHalfEdge *h = o->edges.halves + o->edges.start[e];
    if (o->edges.start[e + 1] - o->edges.start[e] != 2) return;
    int other = h[0].triangle == t ? h[1].triangle : h[0].triangle;
    bool agree = runs_forward(o, h[0]) != runs_forward(o, h[1]);
    if (o->seen[other]) {
        if (!agree) o->twisted[o->component[t]] = true;
        return;
    }
    o->seen[other] = true;
    o->flip[other] = !agree;
    rb_array_push(&o->stack, o->scratch, other);
}

static void orient_consistently(Orient *o) {
    for (int seed = 0; seed < o->mesh->triangle_count; seed++) {
        if (o->seen[seed]) continue;
        o->seen[seed] = true;
        rb_array_push(&o->stack, o->scratch, seed);
        while (o->stack.count > 0) {
            int t = o->stack.data[--o->stack.count];
            for (int k = 0; k < 3; k++) visit_side(o, t, k);
        }
    }
}

static Vec3 corner(const Orient *o, int t, int k) {
    int turned = o->flip[t] ? 2 - k : k;
    return o->mesh->vertices[o->mesh->triangles[t].v[turned]];
}

static double solid_angle(const Orient *o, int t, Vec3 p) {
    Vec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = v3_sub(corner(o, t, k), p);
    return rb_triangle_solid_angle(x);
}

// One component.
typedef struct Shell {
    int first_triangle; // of the list in Orient.next, -1 at the end
    RbAabb box;
    double volume; // [m³]
    Vec3 vertex;
} Shell;

static Shell *measure_shells(const Orient *o) {
    Shell *shells = rb_new_array(o->scratch, Shell, o->component_count);
    for (int c = 0; c < o->component_count; c++) shells[c] = (Shell){-1, RB_AABB_EMPTY, 0, V3_ZERO};
    for (int t = o->mesh->triangle_count - 1; t >= 0; t--) {
        Shell *s = &shells[o->component[t]];
        o->next[t] = s->first_triangle;
        s->first_triangle = t;
        s->vertex = corner(o, t, 0);
        for (int k = 0; k < 3; k++) s->box = rb_aabb_add_point(s->box, corner(o, t, k));
    }
    for (int t = 0; t < o->mesh->triangle_count;
         t++) { // about a vertex of its own: far bodies lose nothing
        Shell *s = &shells[o->component[t]];
        Vec3 a = v3_sub(corner(o, t, 0), s->vertex), b = v3_sub(corner(o, t, 1), s->vertex);
        s->volume += v3_dot(a, v3_cross(b, v3_sub(corner(o, t, 2), s->vertex))) / 6;
    }
    return shells;
}

// In how many other shells does a shell lie? Winding number of one of its vertices, for the shells
// whose box holds its box. *around: the smallest of them.
static int nesting(const Orient *o, const Shell *shells, int c, const Shell **around) {
    int depth = 0;
    *around = NULL;
    for (int other = 0; other < o->component_count; other++) {
        if (other == c || !rb_aabb_contains(shells[other].box, shells[c].box)) continue;
        double angle = 0;
        for (int t = shells[other].first_triangle; t >= 0; t = o->next[t]) {
            angle += solid_angle(o, t, shells[c].vertex);
        }
        if (!(fabs(angle) > 6.283185307179586)) continue; // half of the full sphere
        depth++;
        if (!*around || fabs(shells[other].volume) < fabs((*around)->volume))
            *around = &shells[other];
    }
    return depth;
}

// Answers how many bodies in others faced the way these do, and are cavities now.
static int orient_outward(Orient *o) {
    int guessed = 0;
    Shell *shells = measure_shells(o);
    bool *turn = rb_new_array(o->scratch, bool, o->component_count);
    for (int c = 0; c < o->component_count; c++) {
        const Shell *around;
        bool cavity = nesting(o, shells, c, &around) & 1;
        guessed += cavity && (shells[c].volume > 0) == (around->volume > 0);
        turn[c] = cavity ? shells[c].volume > 0 : shells[c].volume < 0;
    }
    for (int t = 0; t < o->mesh->triangle_count; t++) o->flip[t] ^= turn[o->component[t]];
    return guessed;
}

static RbMesh oriented_mesh(const RbMesh *mesh, RbArena *scratch, RbMeshRepair *what) {
    Orient o = {.mesh = mesh, .edges = rb_mesh_edges(mesh, scratch), .scratch = scratch};
    int n = mesh->triangle_count;
    o.component_count = rb_mesh_components(mesh, &o.edges, scratch, &o.component);
    o.edge_of = rb_new_array(scratch, int, 3 * (size_t)n);
    o.next = rb_new_array(scratch, int, n);
    o.seen = rb_new_array(scratch, bool, n);
    o.flip = rb_new_array(scratch, bool, n);
    o.twisted = rb_new_array(scratch, bool, o.component_count);
    for (int e = 0; e < o.edges.edge_count; e++) {
        for (int i = o.edges.start[e]; i < o.edges.start[e + 1]; i++) {
            o.edge_of[3 * o.edges.halves[i].triangle + o.edges.halves[i].side] = e;
        }
    }
    orient_consistently(&o);
    what->guessed_cavities = orient_outward(&o);
    for (int c = 0; c < o.component_count; c++) what->twisted_components += o.twisted[c];
    RbTriangle *triangles = rb_new_array(scratch, RbTriangle, n);
    for (int t = 0; t < n; t++) {
        const int *v = mesh->triangles[t].v;
        triangles[t] = o.flip[t] ? (RbTriangle){{v[0], v[2], v[1]}} : mesh->triangles[t];
        what->flipped_triangles += o.flip[t];
    }
    return (RbMesh){mesh->vertices, mesh->vertex_count, triangles, n};
}

// ---- result ----

static RbMesh compact(const RbMesh *mesh, RbArena *keep, RbArena scratch) {
    int *index = rb_new_array(&scratch, int, mesh->vertex_count), count = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) index[mesh->triangles[t].v[k]] = 1;
    }
    for (int i = 0; i < mesh->vertex_count; i++) index[i] = index[i] ? count++ : -1;
    Vec3 *vertices = rb_new_array(keep, Vec3, count);
    for (int i = 0; i < mesh->vertex_count; i++) {
        if (index[i] >= 0) vertices[index[i]] = mesh->vertices[i];
    }
    RbTriangle *triangles = rb_new_array(keep, RbTriangle, mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) triangles[t].v[k] = index[mesh->triangles[t].v[k]];
    }
    return (RbMesh){vertices, count, triangles, mesh->triangle_count};
}

// Where solids meet, welding made one of vertices that were doubled. Those that are doubled again do not count as welded.
static RbMesh doubled_where_solids_meet(const RbMesh *mesh, RbArena *keep, RbArena scratch,
                                        RbMeshRepair *what) {
    RbMeshEdges edges = rb_mesh_edges(mesh, &scratch);
    if (!rb_mesh_needs_split(mesh, &edges, scratch)) return *mesh;
    RbMesh split = rb_mesh_split(mesh, &edges, keep, scratch);
    int more = split.vertex_count - mesh->vertex_count - what->welded_vertices;
    what->doubled_vertices = more > 0 ? more : 0;
    what->welded_vertices = more < 0 ? -more : 0;
    return split;
}

RbMesh rb_mesh_repair(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch,
                      RbMeshRepair *what) {
    RbMeshRepair done = {0};
    int *first = rb_mesh_weld(mesh, tol, &scratch, &done.welded_vertices);
    RbMesh m = welded_mesh(mesh, first, &scratch);
    m = without_unusable(&m, &scratch);
    m = without_duplicates(&m, &scratch);
    done.removed_triangles = mesh->triangle_count - m.triangle_count;
    m = oriented_mesh(&m, &scratch, &done);
    m = compact(&m, keep, scratch);
    done.removed_vertices = mesh->vertex_count - m.vertex_count - done.welded_vertices;
    m = doubled_where_solids_meet(&m, keep, scratch, &done);
    if (what) *what = done;
    return m;
}
