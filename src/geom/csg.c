// SPDX-License-Identifier: MIT
// B is grown by a trifle along its normals (shrunk for an intersection; or A is instead) before it is decided what
// cuts what: faces that coincide up to rounding then cut cleanly, without skins. Points are
// calculated from the solids as they are; what has no extent is tidied away at the end.
#include "geom/csg.h"

#include <string.h>

#include "geom/cut.h"
#include "geom/mesh_tidy.h"
#include "geom/mesh_weld.h"
#include "geom/moments.h"
#include "geom/triangulate.h"

#define GROWTH  0x1p-44 // of the size, along the normals
#define SCATTER 0.15    // of that, in any direction, so that hardly anything stays degenerate
#define WELD    0x1p-41 // of the size: more than growth can make of coinciding points

// ---- growing ----

// Sum of the normals of a vertex's triangles, each direction once: one that is split into many
// triangles counts no more than one that is not.
static void vertex_normals(const RbSkin *s, Vec3 *normal, RbArena scratch) {
    const RbMesh *m = &s->mesh;
    Vec3 *face = rb_new_array(&scratch, Vec3, m->triangle_count);
    for (int t = 0; t < m->triangle_count; t++) {
        const int *v = m->triangles[t].v;
        face[t] = v3_unit(v3_cross(v3_sub(m->vertices[v[1]], m->vertices[v[0]]),
                                   v3_sub(m->vertices[v[2]], m->vertices[v[0]])));
    }
    for (int v = 0; v < m->vertex_count; v++) {
        int first = s->vertex_start[v], end = s->vertex_start[v + 1];
        Vec3 sum = V3_ZERO;
        for (int i = first; i < end; i++) {
            const RbSkinEdge *e = &s->edges[s->vertex_edges[i]];
            Vec3 n = face[e->v[0] == v ? e->t[0] : e->t[1]];
            bool seen = false;
            for (int k = first; k < i && !seen; k++) {
                const RbSkinEdge *f = &s->edges[s->vertex_edges[k]];
                seen = v3_dot(n, face[f->v[0] == v ? f->t[0] : f->t[1]]) > 0.999999;
            }
            if (!seen) sum = v3_add(sum, n);
        }
        normal[v] = v3_unit(sum);
    }
}

static double scatter(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) * 0x1p-23 - 1;
}

// One of the solids is grown (shrunk if growth is negative).
static void give_vertices(RbMeshCut *cut, int side, double growth, unsigned seed, RbArena scratch) {
    for (int k = 0; k < 2; k++) {
        RbCutSide *s = &cut->side[k];
        int n = s->skin->mesh.vertex_count;
        s->given = true;
        if (n > 0) memcpy(s->shown, s->skin->mesh.vertices, sizeof(Vec3) * (size_t)n);
    }
    RbCutSide *grown = &cut->side[side];
    int n = grown->skin->mesh.vertex_count;
    Vec3 *normal = rb_new_array(&scratch, Vec3, n);
    vertex_normals(grown->skin, normal, scratch);
    grown->x = rb_new_array(cut->arena, Vec3, n);
    for (int v = 0; v < n; v++) {
        Vec3 noise = v3(scatter(&seed), scatter(&seed), scatter(&seed));
        grown->x[v] =
            v3_axpy(grown->shown[v], growth, v3_axpy(normal[v], copysign(SCATTER, growth), noise));
    }
    cut->slack = 2 * fabs(growth);
}

// ---- from loops to triangles ----

typedef struct Result {
    RbMeshCut *cut;
    RbMeshBuilder mesh;
    int *vertex[2]; // number of a vertex of each side in the result, plus one
    int *crossing;  // of a crossing, plus one
    RbArena *scratch;
} Result;

static int number_of(Result *r, int side, int node) {
    int *slot = node >= 0 ? &r->crossing[node] : &r->vertex[side][-1 - node];
    if (*slot == 0) *slot = rb_mesh_add_vertex(&r->mesh, rb_cut_point(r->cut, side, node)) + 1;
    return *slot - 1;
}

static void add_triangle(Result *r, int side, const int node[3], bool turned) {
    int a = number_of(r, side, node[0]), b = number_of(r, side, node[1]),
        c = number_of(r, side, node[2]);
    if (a == b || b == c || c == a) return; // along a bridge, there and back
    rb_mesh_add_triangle(&r->mesh, a, turned ? c : b, turned ? b : c);
}

// Two coordinates in which a triangle is not squeezed and keeps its orientation.
static void project_axes(const RbMeshCut *cut, int side, int triangle, int axes[2]) {
    const RbCutSide *s = &cut->side[side];
    const int *v = s->skin->mesh.triangles[triangle].v;
    Vec3 n =
        v3_cross(v3_sub(s->shown[v[1]], s->shown[v[0]]), v3_sub(s->shown[v[2]], s->shown[v[0]]));
    Vec3 a = v3_abs(n);
    int axis = a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
    bool turned = v3_get(n, axis) < 0;
    axes[turned] = (axis + 1) % 3;
    axes[!turned] = (axis + 2) % 3;
}

// The point of a node as the predicates see it: there loops do not touch themselves, however faces coincide.
static Vec3 seen_point(const RbMeshCut *cut, int side, int node) {
    if (node < 0) return cut->side[side].x[-1 - node];
    const RbCrossing *c = &cut->crossings.data[node];
    const RbCutSide *s = &cut->side[c->side];
    const int *v = s->skin->edges[c->edge].v;
    return c->t < 0.5 ? v3_lerp(s->x[v[0]], s->x[v[1]], c->t)
                      : v3_lerp(s->x[v[1]], s->x[v[0]], 1 - c->t);
}

// All loops of one triangle.
static void add_loops(Result *r, const RbCutLoop *loops, int count, bool turned) {
    RbArena scratch = *r->scratch;
    int side = loops->side, axes[2],
        points = loops[count - 1].first + loops[count - 1].count - loops->first;
    const int *nodes = &r->cut->nodes.data[loops->first];
    if (count == 1 && points == 3) {
        add_triangle(r, side, nodes, turned);
        return;
    }
    project_axes(r->cut, side, loops->triangle, axes);
    double(*x)[2] = (double(*)[2])rb_new_array(&scratch, double, 2 * (size_t)points);
    int *start = rb_new_array(&scratch, int, (size_t)count + 1);
    for (int i = 0; i < points; i++) {
        Vec3 p = seen_point(r->cut, side, nodes[i]);
        x[i][0] = v3_get(p, axes[0]);
        x[i][1] = v3_get(p, axes[1]);
    }
    for (int l = 0; l < count; l++) start[l + 1] = start[l] + loops[l].count;
    RbPolygon polygon = {(const double(*)[2])x, start, count};
    RbTriangle *triangles = rb_new_array(&scratch, RbTriangle, rb_triangulate_room(&polygon));
    int made = rb_triangulate(&polygon, triangles, scratch);
    for (int t = 0; t < made; t++) {
        const int *v = triangles[t].v;
        add_triangle(r, side, (int[3]){nodes[v[0]], nodes[v[1]], nodes[v[2]]}, turned);
    }
}

static void add_cut_triangles(Result *r, int side, bool keep_inside, bool turned) {
    RbMeshCut *cut = r->cut;
    rb_cut_clear_loops(cut);
    rb_cut_loops(cut, side, keep_inside);
    for (int l = 0, end; l < cut->loops.count; l = end) {
        const RbCutLoop *first = &cut->loops.data[l];
        for (end = l + 1;
             end < cut->loops.count && first->triangle == cut->loops.data[end].triangle;)
            end++;
        if (rb_cut_touched(cut, side, first->triangle)) add_loops(r, first, end - l, turned);
    }
}

static void add_whole_triangles(Result *r, int side, bool keep_inside, bool turned) {
    const RbMesh *mesh = &r->cut->side[side].skin->mesh;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *v = mesh->triangles[t].v;
        if (rb_cut_touched(r->cut, side, t) || rb_cut_inside(r->cut, side, v[0]) != keep_inside)
            continue;
        add_triangle(r, side, (int[3]){-1 - v[0], -1 - v[1], -1 - v[2]}, turned);
    }
}

static RbMesh assemble(RbMeshCut *cut, RbCsg operation, RbArena *keep, RbArena *scratch) {
    Result r = {.cut = cut, .mesh = rb_mesh_builder(keep), .scratch = scratch};
    for (int side = 0; side < 2; side++) {
        r.vertex[side] = rb_new_array(scratch, int, cut->side[side].skin->mesh.vertex_count);
    }
    r.crossing = rb_new_array(scratch, int, cut->crossings.count);
    for (int side = 0; side < 2; side++) {
        bool inside =
            operation == RB_CSG_INTERSECTION || (operation == RB_CSG_DIFFERENCE && side == 1);
        bool turned = operation == RB_CSG_DIFFERENCE && side == 1;
        add_whole_triangles(&r, side, inside, turned);
        add_cut_triangles(&r, side, inside, turned);
    }
    return rb_mesh_finish(&r.mesh);
}

// ---- the operation ----

// Do vertices coincide? A solid that meets itself in an edge or a vertex would cross itself there if it were grown. It
// may be shrunk.
static bool meets_itself(const RbSkin *s, double tol, RbArena scratch) {
    int welded = 0;
    rb_mesh_weld(&s->mesh, tol, &scratch, &welded);
    return welded > 0;
}

typedef struct Operation {
    RbCsg what;
    const RbSkin *a, *b;
    double size;
    RbArena *keep, *work;
    RbArena scratch;
} Operation;

// With A or B grown or shrunk. False: a surface crosses itself, at *place.
static bool attempt(const Operation *o, int side, unsigned number, RbMesh *out, Vec3 *place) {
    RbMeshCut cut;
    RbArena scratch = o->scratch;
    double growth = GROWTH * o->size * (1 + 0.35 * number);
    bool shrinks = o->what == RB_CSG_INTERSECTION || (o->what == RB_CSG_DIFFERENCE && side == 0);
    rb_cut_open(&cut, o->a, o->b, o->work);
    give_vertices(&cut, side, shrinks ? -growth : growth, number, scratch);
    rb_cut_find(&cut, POSE_IDENTITY);
    RbMesh raw = assemble(&cut, o->what, o->work, &scratch);
    *place = cut.tangled_at;
    if (!cut.tangled) *out = rb_mesh_tidy(&raw, WELD * o->size, o->keep, scratch);
    return !cut.tangled;
}

// Is V(A + B) = V(A) + V(B) - V(A B)? If both meet themselves, one of them is grown all the same.
static bool adds_up(const Operation *o, const RbMesh *both) {
    enum { ATTEMPTS = 4 };
    Operation common = *o;
    RbMesh in_both;
    Vec3 place;
    common.what = RB_CSG_INTERSECTION;
    common.keep = o->work;
    double volume = rb_moments_of_mesh(&o->a->mesh).volume + rb_moments_of_mesh(&o->b->mesh).volume;
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        if (!attempt(&common, 1, i, &in_both, &place)) continue;
        double got = rb_moments_of_mesh(both).volume + rb_moments_of_mesh(&in_both).volume;
        return fabs(got - volume) <= 1e-9 * volume;
    }
    return false;
}

static RbStatus combine(Operation *o, RbPos at, RbDiag *diag, RbMesh *out) {
    enum { ATTEMPTS = 6 };
    double tol = WELD * o->size;
    Vec3 place = V3_ZERO;
    bool grows = o->what != RB_CSG_INTERSECTION && meets_itself(o->b, tol, o->scratch);
    bool doubtful = grows && o->what == RB_CSG_UNION && meets_itself(o->a, tol, o->scratch);
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        int side = doubtful ? (int)(i % 2) : !grows;
        if (!attempt(o, side, i, out, &place)) continue;
        if (!doubtful || adds_up(o, out)) return RB_OK;
    }
    if (doubtful)
        return rb_fail(
            diag, RB_ERROR_MODEL, at,
            "both solids meet themselves in edges or vertices, and their union could not "
            "be found; unite their parts one by one");
    return rb_fail(
        diag, RB_ERROR_MODEL, at,
        "one of the solids crosses itself near {%.6g, %.6g, %.6g}; their union, difference or "
        "intersection is not defined there",
        place.x, place.y, place.z);
}

RbStatus rb_csg(RbCsg operation, const RbMesh *a, const char *name_a, const RbMesh *b,
                const char *name_b, RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag,
                RbMesh *out) {
    RbSkin skin[2];
    RbArena *work = rb_arena_child(keep);
    RbStatus status = rb_skin(a, name_a, at, work, scratch, diag, &skin[0]);
    if (status == RB_OK) status = rb_skin(b, name_b, at, work, scratch, diag, &skin[1]);
    if (status == RB_OK) {
        Operation o = {operation, &skin[0], &skin[1], skin[0].size + skin[1].size,
                       keep,      work,     scratch};
        status = combine(&o, at, diag, out);
    }
    rb_arena_free(work);
    return status;
}
