// SPDX-License-Identifier: MIT
// Patches, ridges and corners of a surface of triangles.
#include <math.h>
#include <string.h>

#include "base/sort_keys.h"
#include "dem/grain_mesh.h"
#include "dem/grain_wall.h"
#include "geom/mesh_check.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_weld.h"

typedef struct Making {
    RbArena *keep, *scratch;
    RbMesh mesh; // vertices in the same place are one
    double slack;
    RbMeshEdges edges;
    int *edge_of; // per triangle and side; -1: none
    RbGrainTriangle *triangles;
    RB_ARRAY(RbGrainPatch) patches;
    RB_ARRAY(int) patch_triangles;
    RB_ARRAY(RbGrainRidge) ridges;
    RB_ARRAY(RbGrainCorner) corners;
    RB_ARRAY(Vec3) inward;
    RB_ARRAY(Vec3) away;
    bool *is_ridge;        // per edge
    int *ridge_of;         // per edge; -1: none yet
    int *vertex_start;     // per vertex, and one more: edges in vertex_edges
    int *vertex_edges;     //
    int *corner_of;        // per vertex
    const double *area;    // [m2] per triangle
    RB_ARRAY(int) waiting; // triangles of a patch that grows; edges of a ridge
} Making;

static Vec3 corner_at(const Making *k, int t, int i) {
    return k->mesh.vertices[k->mesh.triangles[t].v[i % 3]];
}

static Vec3 twice_area(const Making *k, int t) {
    Vec3 a = corner_at(k, t, 0);
    return v3_cross(v3_sub(corner_at(k, t, 1), a), v3_sub(corner_at(k, t, 2), a));
}

// ----------------------------------------------------------------------------------------------------
// the mesh

static RbMesh weld(const RbMesh *mesh, RbArena *keep, RbArena *scratch) {
    int welded = 0;
    int *first = rb_mesh_weld(mesh, 0, scratch, &welded);
    RbTriangle *triangles = rb_new_array(keep, RbTriangle, mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int i = 0; i < 3; i++) triangles[t].v[i] = first[mesh->triangles[t].v[i]];
    }
    RbMesh out = *mesh;
    out.triangles = triangles;
    return out;
}

static void find_edges(Making *k) {
    k->edges = rb_mesh_edges(&k->mesh, k->scratch);
    k->edge_of = rb_new_array(k->scratch, int, 3 * (size_t)k->mesh.triangle_count);
    memset(k->edge_of, 0xff, 3 * (size_t)k->mesh.triangle_count * sizeof(int));
    for (int e = 0; e < k->edges.edge_count; e++) {
        for (int h = k->edges.start[e]; h < k->edges.start[e + 1]; h++)
            k->edge_of[3 * k->edges.halves[h].triangle + k->edges.halves[h].side] = e;
    }
}

// ----------------------------------------------------------------------------------------------------
// patches: from the largest triangle on, whatever is joined to it and lies in its plane

// Triangles by size: those without extent begin no patch.
static int *largest_first(const Making *k) {
    int n = k->mesh.triangle_count;
    RbKeyed *keys = rb_new_array(k->scratch, RbKeyed, 2 * (size_t)n);
    int *order = rb_new_array(k->scratch, int, n);
    for (int t = 0; t < n; t++) keys[t] = (RbKeyed){0, -k->area[t], t};
    rb_sort_keys(keys, keys + n, n);
    for (int t = 0; t < n; t++) order[t] = keys[t].item;
    return order;
}

static bool is_thin(const Making *k, int t) {
    double longest = 0;
    for (int i = 0; i < 3; i++)
        longest = fmax(longest, v3_distance(corner_at(k, t, i), corner_at(k, t, i + 1)));
    return k->area[t] <= k->slack * longest;
}

static bool lies_in(const Making *k, int t, const RbGrainPatch *f) {
    for (int i = 0; i < 3; i++) {
        if (fabs(v3_dot(f->n, corner_at(k, t, i)) - f->offset) > k->slack) return false;
    }
    return is_thin(k, t) || v3_dot(f->n, twice_area(k, t)) > 1.8 * k->area[t];
}

// The plane through the middle of all triangles, along their mean normal.
static RbGrainPatch fit_plane(const Making *k) {
    Vec3 sum = V3_ZERO, middle = V3_ZERO;
    double area = 0;
    for (int i = 0; i < k->waiting.count; i++) {
        int t = k->waiting.data[i];
        Vec3 centre = v3_add(corner_at(k, t, 0), v3_add(corner_at(k, t, 1), corner_at(k, t, 2)));
        sum = v3_add(sum, twice_area(k, t));
        middle = v3_axpy(middle, k->area[t] / 3, centre);
        area += k->area[t];
    }
    Vec3 n = v3_unit(sum);
    return (RbGrainPatch){.n = n, .offset = v3_dot(n, v3_scale(1 / area, middle))};
}

// Take in what is joined to the patch and lies in the plane.
static void take_neighbours(Making *k, int patch, const RbGrainPatch *f) {
    for (int i = 0; i < k->waiting.count; i++) {
        for (int s = 0; s < 3; s++) {
            int e = k->edge_of[3 * k->waiting.data[i] + s];
            if (e < 0 || k->edges.start[e + 1] - k->edges.start[e] != 2) continue;
            for (int h = k->edges.start[e]; h < k->edges.start[e + 1]; h++) {
                int t = k->edges.halves[h].triangle;
                if (k->triangles[t].patch >= 0 || !lies_in(k, t, f)) continue;
                k->triangles[t].patch = patch;
                rb_array_push(&k->waiting, k->scratch, t);
            }
        }
    }
}

// The more triangles, the better the plane is known: it is found anew until nobody joins any more.
static void grow_patch(Making *k, int seed) {
    int patch = k->patches.count, before = 0;
    Vec3 n = v3_unit(twice_area(k, seed));
    RbGrainPatch f = {.n = n, .offset = v3_dot(n, corner_at(k, seed, 0))};
    k->waiting.count = 0;
    rb_array_push(&k->waiting, k->scratch, seed);
    k->triangles[seed].patch = patch;
    while (before < k->waiting.count) {
        before = k->waiting.count;
        take_neighbours(k, patch, &f);
        f = fit_plane(k);
    }
    f.first = k->patch_triangles.count, f.count = k->waiting.count;
    for (int i = 0; i < f.count; i++)
        rb_array_push(&k->patch_triangles, k->keep, k->waiting.data[i]);
    rb_array_push(&k->patches, k->keep, f);
}

static void find_patches(Making *k) {
    int n = k->mesh.triangle_count;
    k->triangles = rb_new_array(k->keep, RbGrainTriangle, n);
    for (int t = 0; t < n; t++) {
        k->triangles[t] = (RbGrainTriangle){-1, {-1, -1, -1}, {-1, -1, -1}};
    }
    const int *order = largest_first(k);
    for (int i = 0; i < n; i++) {
        int t = order[i];
        if (k->triangles[t].patch < 0 && k->area[t] > 0) grow_patch(k, t);
    }
    for (int t = 0; t < n; t++) { // a needle that nobody has joined: it owns nothing
        if (k->triangles[t].patch < 0) k->triangles[t].patch = 0;
    }
}

// ---------------------------------------------------------------------------------------------------
// ridges: edges in one line between the same patches

static void edge_ends(const Making *k, int e, int v[2]) {
    uint64_t key = k->edges.halves[k->edges.start[e]].key;
    v[0] = (int)(key >> 32), v[1] = (int)(key & 0xffffffffU);
}

static int patch_at(const Making *k, int h) {
    return k->triangles[k->edges.halves[h].triangle].patch;
}

static bool is_flat(const Making *k, int e) {
    int first = k->edges.start[e], count = k->edges.start[e + 1] - first;
    return count == 2 && patch_at(k, first) == patch_at(k, first + 1);
}

static bool same_patches(const Making *k, int e, int f) {
    int a = k->edges.start[e], b = k->edges.start[f], n = k->edges.start[e + 1] - a;
    if (k->edges.start[f + 1] - b != n || n > 2) return false;
    if (n == 1) return patch_at(k, a) == patch_at(k, b);
    return (patch_at(k, a) == patch_at(k, b) && patch_at(k, a + 1) == patch_at(k, b + 1)) ||
           (patch_at(k, a) == patch_at(k, b + 1) && patch_at(k, a + 1) == patch_at(k, b));
}

static void mark_ridges(Making *k) {
    int n = k->edges.edge_count, vertices = k->mesh.vertex_count;
    k->is_ridge = rb_new_array(k->scratch, bool, n + 1);
    k->ridge_of = rb_new_array(k->scratch, int, n + 1);
    k->vertex_start = rb_new_array(k->scratch, int, (size_t)vertices + 2);
    k->vertex_edges = rb_new_array(k->scratch, int, 2 * (size_t)n + 1);
    int v[2];
    for (int e = 0; e < n; e++) {
        k->is_ridge[e] = !is_flat(k, e);
        k->ridge_of[e] = -1;
        edge_ends(k, e, v);
        for (int i = 0; i < 2; i++) k->vertex_start[v[i] + 2]++;
    }
    for (int i = 0; i <= vertices; i++) k->vertex_start[i + 1] += k->vertex_start[i];
    for (int e = 0; e < n; e++) {
        edge_ends(k, e, v);
        for (int i = 0; i < 2; i++) k->vertex_edges[k->vertex_start[v[i] + 1]++] = e;
    }
}

// The only other ridge edge at a vertex; -1: there is none, or there are several.
static int goes_on(const Making *k, int e, int at) {
    int found = -1;
    for (int i = k->vertex_start[at]; i < k->vertex_start[at + 1]; i++) {
        int f = k->vertex_edges[i];
        if (f == e || !k->is_ridge[f]) continue;
        if (found >= 0) return -1;
        found = f;
    }
    return found >= 0 && same_patches(k, e, found) ? found : -1;
}

static double line_distance(Vec3 a, Vec3 b, Vec3 p) {
    Vec3 d = v3_sub(b, a);
    return v3_norm(v3_cross(d, v3_sub(p, a))) / v3_norm(d);
}

// Are all vertices that the ridge has passed on the line from a to b, between them?
static bool are_between(const Making *k, Vec3 a, Vec3 b) {
    for (int i = 0; i < k->waiting.count; i++) {
        Vec3 p = k->mesh.vertices[k->waiting.data[i]];
        if (line_distance(a, b, p) > k->slack) return false;
        if (v3_dot(v3_sub(p, a), v3_sub(p, b)) > 0) return false;
    }
    return true;
}

// Follow a ridge from edge e over its end `at`. Returns the last vertex.
static int follow(Making *k, int e, int from, int at, int ridge) {
    k->waiting.count = 0;
    for (;;) {
        int next = goes_on(k, e, at), v[2];
        if (next < 0 || k->ridge_of[next] >= 0) return at;
        edge_ends(k, next, v);
        int to = v[0] == at ? v[1] : v[0];
        rb_array_push(&k->waiting, k->scratch, at);
        if (!are_between(k, k->mesh.vertices[from], k->mesh.vertices[to])) return at;
        k->ridge_of[next] = ridge;
        e = next, at = to;
    }
}

// Of each patch that ends in the edge.
static void add_inward(Making *k, int e, RbGrainRidge *r) {
    r->first = k->inward.count;
    for (int h = k->edges.start[e]; h < k->edges.start[e + 1]; h++) {
        RbHalfEdge half = k->edges.halves[h];
        Vec3 n = k->patches.data[patch_at(k, h)].n, side = r->along;
        Vec3 a = corner_at(k, half.triangle, half.side);
        if (v3_dot(side, v3_sub(corner_at(k, half.triangle, half.side + 1), a)) < 0)
            side = v3_neg(side);
        rb_array_push(&k->inward, k->keep, v3_unit(v3_cross(n, side)));
    }
    r->count = k->inward.count - r->first;
}

static void add_ridge(Making *k, int e) {
    int v[2], ridge = k->ridges.count;
    edge_ends(k, e, v);
    k->ridge_of[e] = ridge;
    int last = follow(k, e, v[0], v[1], ridge);
    int first = follow(k, e, last, v[0], ridge);
    RbGrainRidge r = {.a = k->mesh.vertices[first], .b = k->mesh.vertices[last]};
    r.along = v3_unit(v3_sub(r.b, r.a));
    add_inward(k, e, &r);
    rb_array_push(&k->ridges, k->keep, r);
    k->corner_of[first] = k->corner_of[last] = 0; // numbered below
}

// The sides of triangles know their ridge, and which of its patches they are of.
static void tell_triangles(Making *k) {
    for (int e = 0; e < k->edges.edge_count; e++) {
        if (!k->is_ridge[e]) continue;
        const RbGrainRidge *r = &k->ridges.data[k->ridge_of[e]];
        for (int h = k->edges.start[e]; h < k->edges.start[e + 1]; h++) {
            RbHalfEdge half = k->edges.halves[h];
            RbGrainTriangle *t = &k->triangles[half.triangle];
            Vec3 a = corner_at(k, half.triangle, half.side);
            Vec3 side = v3_sub(corner_at(k, half.triangle, half.side + 1), a);
            Vec3 in = v3_cross(k->patches.data[t->patch].n, side);
            t->ridge[half.side] = k->ridge_of[e];
            t->inward[half.side] = r->first;
            for (int i = r->first; i < r->first + r->count; i++) {
                if (v3_dot(k->inward.data[i], in) >
                    v3_dot(k->inward.data[t->inward[half.side]], in))
                    t->inward[half.side] = i;
            }
        }
    }
}

static void find_ridges(Making *k) {
    k->corner_of = rb_new_array(k->keep, int, k->mesh.vertex_count);
    for (int i = 0; i < k->mesh.vertex_count; i++) k->corner_of[i] = -1;
    mark_ridges(k);
    for (int e = 0; e < k->edges.edge_count; e++) {
        if (k->is_ridge[e] && k->ridge_of[e] < 0) add_ridge(k, e);
    }
    tell_triangles(k);
}

// --------------------------------------------------------------------------------------------------
// corners: where ridges end

// Along a ridge exactly as the ridge is asked.
static Vec3 direction_away(const Making *k, int e, int vertex) {
    int v[2];
    edge_ends(k, e, v);
    Vec3 d = v3_sub(k->mesh.vertices[v[0] == vertex ? v[1] : v[0]], k->mesh.vertices[vertex]);
    if (!k->is_ridge[e]) return d;
    Vec3 along = k->ridges.data[k->ridge_of[e]].along;
    return v3_dot(d, along) > 0 ? along : v3_neg(along);
}

static void find_corners(Making *k) {
    for (int v = 0; v < k->mesh.vertex_count; v++) {
        if (k->corner_of[v] < 0) continue;
        RbGrainCorner c = {.r = k->mesh.vertices[v], .first = k->away.count};
        for (int i = k->vertex_start[v]; i < k->vertex_start[v + 1]; i++)
            rb_array_push(&k->away, k->keep, direction_away(k, k->vertex_edges[i], v));
        c.count = k->away.count - c.first;
        k->corner_of[v] = k->corners.count;
        rb_array_push(&k->corners, k->keep, c);
    }
}

// --------------------------------------------------------------------------------------------------
// all of it

static const double *areas(const Making *k) {
    double *area = rb_new_array(k->scratch, double, k->mesh.triangle_count);
    for (int t = 0; t < k->mesh.triangle_count; t++)
        area[t] = rb_triangle_is_valid(&k->mesh, t) ? 0.5 * v3_norm(twice_area(k, t)) : 0;
    return area;
}

static RbStatus check_size(const RbMeshReport *report, const char *name, RbPos at, RbDiag *diag) {
    if (!(report->area > 0) || report->invalid_triangles > 0)
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "the surface of '%s' cannot be a wall of grains: it has %d triangles, %d of "
                       "them invalid, and an area of %g m2",
                       name, report->triangle_count, report->invalid_triangles, report->area);
    const int most = RB_WALL_FACES_MOST / 4;
    if (report->triangle_count > most)
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "the surface of '%s' has %d triangles; a wall of grains may have %d: "
                       "simplify it",
                       name, report->triangle_count, most);
    return RB_OK;
}

RbStatus rb_grain_mesh(const RbMesh *mesh, const char *name, RbPos at, RbArena *keep,
                       RbArena scratch, RbDiag *diag, RbGrainMesh *out) {
    Making k = {.keep = keep, .scratch = &scratch};
    k.mesh = weld(mesh, keep, &scratch);
    RbMeshReport report = rb_mesh_check(&k.mesh, scratch);
    RB_TRY(check_size(&report, name, at, diag));
    // Roundings of files in single precision are planes too.
    k.slack = 1e-6 * v3_norm(rb_aabb_edges(report.box));
    k.area = areas(&k);
    find_edges(&k);
    find_patches(&k);
    find_ridges(&k);
    find_corners(&k);
    *out = (RbGrainMesh){.mesh = k.mesh,
                         .tree = rb_mesh_tree(&k.mesh, keep, scratch),
                         .closed = report.closed && report.oriented && report.volume > 0,
                         .slack = k.slack,
                         .rounding =
                             1e-14 * (v3_max_abs(report.box.low) + v3_max_abs(report.box.high)),
                         .patches = k.patches.data,
                         .ridges = k.ridges.data,
                         .corners = k.corners.data,
                         .patch_count = k.patches.count,
                         .ridge_count = k.ridges.count,
                         .corner_count = k.corners.count,
                         .triangles = k.triangles,
                         .patch_triangles = k.patch_triangles.data,
                         .corner_of = k.corner_of,
                         .inward = k.inward.data,
                         .away = k.away.data};
    return RB_OK;
}
