// SPDX-License-Identifier: MIT
// B is grown by a trifle along its normals (shrunk for an intersection) before it is decided what cuts what: faces that
// coincide up to rounding then cut cleanly, without skins. Points are calculated from the solids as they are; what has no
// extent is tidied away at the end.
#include "geom/csg.h"

#include <string.h>

#include "geom/cut.h"
#include "geom/grow.h"
#include "geom/mesh_tidy.h"
#include "geom/moments.h"
#include "geom/triangulate.h"

#define GROWTH 0x1p-44 // of the size, along the normals
#define WELD   0x1p-41 // of the size: more than growth can make of coinciding points

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

typedef struct Operation {
    RbCsg what;
    const RbSkin *a, *b;
    double size;
    RbArena *keep, *work;
    RbArena scratch;
} Operation;

typedef struct Attempt {
    bool sound;   // no surface crosses itself
    Vec3 place;   // where one does
    bool touches; // B touches itself
} Attempt;

// Where solids differ by hardly more than the tolerance folds may stay: then it is coarser, if that helps and leaves
// anything.
static RbMesh tidy(const Operation *o, const RbMesh *raw, RbArena scratch) {
    bool folded, still;
    double tol = WELD * o->size;
    RbMesh mesh = rb_mesh_tidy(raw, tol, o->keep, scratch, &folded);
    if (!folded) return mesh;
    RbMesh coarser = rb_mesh_tidy(raw, RB_TIDY_COARSER * tol, o->keep, scratch, &still);
    return still || coarser.triangle_count == 0 ? mesh : coarser;
}

// B grown, or shrunk for an intersection; each time by another growth.
static Attempt attempt(const Operation *o, unsigned number, RbMesh *out) {
    RbMeshCut cut;
    RbArena scratch = o->scratch;
    bool touches;
    double by = GROWTH * o->size * (1 + 0.35 * number);
    RbGrowth growth = {o->what == RB_CSG_INTERSECTION ? -by : by, WELD * o->size, number};
    rb_cut_open(&cut, o->a, o->b, o->work);
    for (int k = 0; k < 2; k++) {
        RbCutSide *s = &cut.side[k];
        s->given = true;
        memcpy(s->shown, s->skin->mesh.vertices, sizeof(Vec3) * (size_t)s->skin->mesh.vertex_count);
    }
    cut.side[1].x = rb_grow(o->b, &growth, &touches, o->work, scratch);
    cut.slack = (RB_GROW_FARTHEST + 1) * by;
    rb_cut_find(&cut, POSE_IDENTITY);
    RbMesh raw = assemble(&cut, o->what, o->work, &scratch);
    if (!cut.tangled) *out = tidy(o, &raw, scratch);
    return (Attempt){!cut.tangled, cut.tangled_at, touches};
}

// V(A + B) = V(A) + V(B) - V(A B) and V(A - B) = V(A) - V(A B), the two sides from different cuts: B is grown in one and
// shrunk in the other.
static bool adds_up(const Operation *o, const RbMesh *result) {
    enum { ATTEMPTS = 4 };
    Operation other = *o;
    RbMesh mesh;
    double a = rb_moments_of_mesh(&o->a->mesh).volume, b = rb_moments_of_mesh(&o->b->mesh).volume;
    other.what = o->what == RB_CSG_INTERSECTION ? RB_CSG_DIFFERENCE : RB_CSG_INTERSECTION;
    other.keep = o->work;
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        if (!attempt(&other, i, &mesh).sound) continue;
        double sum = rb_moments_of_mesh(result).volume + rb_moments_of_mesh(&mesh).volume;
        double want = o->what == RB_CSG_UNION ? a + b : a;
        if (fabs(sum - want) <= 1e-9 * (a + b)) return true;
    }
    return false;
}

// Where B touches itself it may still cross itself by rounding once it is grown; then the result has to prove itself.
static RbStatus combine(Operation *o, RbPos at, RbDiag *diag, RbMesh *out) {
    enum { ATTEMPTS = 8 };
    Attempt last = {0};
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        last = attempt(o, i, out);
        if (last.sound && (!last.touches || adds_up(o, out))) return RB_OK;
    }
    if (last.touches)
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "one of the solids touches itself, and what it makes with the other one "
                       "could not be found; combine its parts one by one");
    return rb_fail(
        diag, RB_ERROR_MODEL, at,
        "one of the solids crosses itself near {%.6g, %.6g, %.6g}; their union, difference or "
        "intersection is not defined there",
        last.place.x, last.place.y, last.place.z);
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
