// SPDX-License-Identifier: MIT
// Each component of a closed surface must wind around what it adds: a body lies outside of all others, or in a cavity; a
// cavity lies in one body. The winding number of the others is asked for at the middle of a triangle; where that lies on
// another component, at the next one.
#include "geom/mesh_nested.h"

#include "geom/aabb.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_tree.h"

typedef struct Shell {
    int first, count; // in Shells.triangles
    RbAabb box;       // [m]
    double volume;    // [m³]
    double area;      // [m²]
} Shell;

typedef struct Shells {
    const RbMesh *mesh;
    Shell *shells;
    int count;
    int *triangles; // by component
    double tiny;    // [m]
} Shells;

static void corners_from(const RbMesh *m, int triangle, Vec3 p, Vec3 out[3]) {
    const int *v = m->triangles[triangle].v;
    for (int k = 0; k < 3; k++) out[k] = v3_sub(m->vertices[v[k]], p);
}

static void measure(const Shells *s, Shell *shell) {
    const RbMesh *m = s->mesh;
    Vec3 o = m->vertices[m->triangles[s->triangles[shell->first]].v[0]], x[3];
    shell->box = RB_AABB_EMPTY;
    for (int i = shell->first; i < shell->first + shell->count; i++) {
        corners_from(m, s->triangles[i], o,
                     x); // about a vertex of its own: far bodies lose nothing
        shell->volume += v3_dot(x[0], v3_cross(x[1], x[2])) / 6;
        shell->area += 0.5 * v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
        for (int k = 0; k < 3; k++) shell->box = rb_aabb_add_point(shell->box, v3_add(x[k], o));
    }
}

static Shells find_shells(const RbMesh *mesh, double tiny, RbArena *scratch) {
    Shells s = {.mesh = mesh, .tiny = tiny};
    int *component;
    RbMeshEdges edges = rb_mesh_edges(mesh, scratch);
    s.count = rb_mesh_components(mesh, &edges, scratch, &component);
    if (s.count < 2) return s;
    s.shells = rb_new_array(scratch, Shell, s.count);
    s.triangles = rb_new_array(scratch, int, mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count; t++) s.shells[component[t]].count++;
    for (int c = 1; c < s.count; c++)
        s.shells[c].first = s.shells[c - 1].first + s.shells[c - 1].count;
    for (int c = 0; c < s.count; c++) s.shells[c].count = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        Shell *shell = &s.shells[component[t]];
        s.triangles[shell->first + shell->count++] = t;
    }
    for (int c = 0; c < s.count; c++) measure(&s, &s.shells[c]);
    return s;
}

// How often the other components wind around a point of one; not a number where it lies on one of them.
static double winding_of_others(const Shells *s, int c, Vec3 p) {
    double angle = 0;
    Vec3 x[3];
    for (int d = 0; d < s->count; d++) {
        const Shell *other = &s->shells[d];
        if (d == c || !rb_aabb_contains(other->box, s->shells[c].box)) continue;
        for (int i = other->first; i < other->first + other->count; i++) {
            corners_from(s->mesh, s->triangles[i], p, x);
            if (v3_norm(rb_triangle_nearest(x)) <= s->tiny) return NAN;
            angle += rb_triangle_solid_angle(x);
        }
    }
    return angle / (4 * M_PI);
}

static RbMeshFault fault_of(const Shells *s, int c, Vec3 *where) {
    enum { LOOKS = 8 };
    const Shell *shell = &s->shells[c];
    int step = shell->count / LOOKS + 1;
    Vec3 x[3];
    for (int i = 0; i < shell->count; i += step) {
        corners_from(s->mesh, s->triangles[shell->first + i], V3_ZERO, x);
        *where = v3_scale(1.0 / 3, v3_add(x[0], v3_add(x[1], x[2])));
        double winding = winding_of_others(s, c, *where);
        if (isnan(winding)) continue;
        int around = (int)round(winding);
        if (shell->volume < 0 && around != 1) return around > 1 ? RB_MESH_NESTED : RB_MESH_INWARDS;
        return shell->volume > 0 && around > 0 ? RB_MESH_NESTED : RB_MESH_SOUND;
    }
    return RB_MESH_SOUND;
}

// Around a body in one that faces inwards the winding is negative: the outer one is told.
RbMeshFault rb_mesh_find_nested(const RbMesh *mesh, double tiny, RbArena scratch, Vec3 *where) {
    Shells s = find_shells(mesh, tiny, &scratch);
    for (int c = 0; c < s.count && s.count > 1; c++) {
        const Shell *shell = &s.shells[c];
        if (!(2 * fabs(shell->volume) > tiny * shell->area)) continue;
        RbMeshFault fault = fault_of(&s, c, where);
        if (fault != RB_MESH_SOUND) return fault;
    }
    return RB_MESH_SOUND;
}
