// SPDX-License-Identifier: MIT
#include "deform/surface.h"

#include <string.h>

enum { CORNERS = 8, EDGES = 7, MOST_POINTS = 30000000 };
static const double NEAREST = 0.02; // [edge] of a vertex to a grid point: no slivers

RbSoftField rb_soft_field(const RbNetwork *n, int object) {
    const RbNetworkObject *o = &n->objects[object];
    RbSoftField f = {0};
    for (int i = 0; i < o->count; i++)
        f.radius = fmax(f.radius, n->scene->molecules.data[o->first + i].radius);
    double a = o->count > 1 ? o->spacing : f.radius;
    f.reach = sqrt(f.radius * f.radius + a * a);
    double t = 1 - f.radius * f.radius / (f.reach * f.reach);
    f.threshold = t * t * t;
    return f;
}

double rb_surface_cell(const RbNetwork *n, int object) {
    const RbNetworkObject *o = &n->objects[object];
    double volume = 0, radius = 0;
    for (int i = o->first; i < o->first + o->count; i++) {
        radius = n->scene->molecules.data[i].radius;
        volume += 4.0 / 3 * M_PI * radius * radius * radius;
    }
    return fmin(fmax(1.6 * (volume / 20 + 0.005), radius / 3), radius);
}

// ---- the field on a grid

typedef struct FieldGrid {
    Vec3 low;
    double cell;
    int n[3];
    double *value; // field - 1
    int *vertex;   // per point and edge that leaves it: vertex + 1
    RbMeshBuilder mesh;
    // if it is coarse:
    const RbNetworkObject *object;
    const Vec3 *r;
    RbSoftField field;
} FieldGrid;

static size_t point_index(const FieldGrid *g, int x, int y, int z) {
    return ((size_t)x * (size_t)g->n[1] + (size_t)y) * (size_t)g->n[2] + (size_t)z;
}

static Vec3 point_place(const FieldGrid *g, int x, int y, int z) {
    return v3_axpy(g->low, g->cell, v3(x, y, z));
}

static void splat(FieldGrid *g, Vec3 r, const RbSoftField *f) {
    int from[3], to[3];
    const double at[3] = {r.x - g->low.x, r.y - g->low.y, r.z - g->low.z};
    for (int k = 0; k < 3; k++) {
        from[k] = (int)fmax(0, ceil((at[k] - f->reach) / g->cell));
        to[k] = (int)fmin(g->n[k] - 1, floor((at[k] + f->reach) / g->cell));
    }
    for (int x = from[0]; x <= to[0]; x++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int z = from[2]; z <= to[2]; z++) {
                double u = 1 - v3_norm2(v3_sub(point_place(g, x, y, z), r)) / (f->reach * f->reach);
                if (u > 0) g->value[point_index(g, x, y, z)] += u * u * u / f->threshold;
            }
}

static RbStatus fill_grid(FieldGrid *g, const RbNetwork *n, int object, const RbSoftField *f,
                          const Vec3 *r, RbArena *scratch, RbDiag *diag) {
    const RbNetworkObject *o = &n->objects[object];
    Vec3 low = r[o->first], high = low;
    for (int i = o->first; i < o->first + o->count; i++)
        low = v3_min(low, r[i]), high = v3_max(high, r[i]);
    double margin = f->reach + 2 * g->cell;
    g->low = v3_sub(low, v3(margin, margin, margin));
    Vec3 size = v3_scale(1 / g->cell, v3_sub(v3_add(high, v3(margin, margin, margin)), g->low));
    double points = (size.x + 2) * (size.y + 2) * (size.z + 2);
    if (!(points < MOST_POINTS))
        return rb_fail(diag, RB_ERROR_MODEL, n->scene->objects.data[object].at,
                       "the surface of '%s' with cells of %g m needs %.3g points; at most %d are "
                       "possible: choose a coarser resolution",
                       o->name, g->cell, points, MOST_POINTS);
    g->n[0] = (int)size.x + 2, g->n[1] = (int)size.y + 2, g->n[2] = (int)size.z + 2;
    size_t count = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    g->value = rb_new_array(scratch, double, count);
    g->vertex = rb_new_array(scratch, int, EDGES *count);
    for (size_t i = 0; i < count; i++) g->value[i] = -1;
    for (int i = o->first; i < o->first + o->count; i++) splat(g, r[i], f);
    return RB_OK;
}

// ---- triangles

// Corner c of a cube has the coordinates of its bits; six tetrahedra around the diagonal from 0 to 7, each a chain of corners
// whose bits grow, so an edge is known by its lower end and the bits that come.
static const int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                     {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

static double value_at(const FieldGrid *g, Vec3 p) {
    double sum = -1, b2 = g->field.reach * g->field.reach;
    for (int i = g->object->first; i < g->object->first + g->object->count; i++) {
        double u = 1 - v3_norm2(v3_sub(p, g->r[i])) / b2;
        if (u > 0) sum += u * u * u / g->field.threshold;
    }
    return sum;
}

// Along an edge from p to q. In a cell that is larger than a molecule the field is far from linear.
static double crossing(const FieldGrid *g, Vec3 p, Vec3 q, double from, double to) {
    enum { BISECTIONS = 30 };
    double low = 0, high = 1;
    if (!g->object) return from / (from - to);
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high);
        bool same = (value_at(g, v3_lerp(p, q, middle)) > 0) == (from > 0);
        *(same ? &low : &high) = middle;
    }
    return high;
}

static int vertex_on(FieldGrid *g, const int at[3], int a, int b) {
    if (a > b) {
        int swap = a;
        a = b, b = swap;
    }
    int x = at[0] + (a & 1), y = at[1] + (a >> 1 & 1), z = at[2] + (a >> 2 & 1);
    size_t from = point_index(g, x, y, z);
    int x1 = at[0] + (b & 1), y1 = at[1] + (b >> 1 & 1), z1 = at[2] + (b >> 2 & 1);
    size_t to = point_index(g, x1, y1, z1);
    int *slot = &g->vertex[EDGES * from + (size_t)((a ^ b) - 1)];
    if (*slot == 0) {
        Vec3 a_place = point_place(g, x, y, z), b_place = point_place(g, x1, y1, z1);
        double t = crossing(g, a_place, b_place, g->value[from], g->value[to]);
        Vec3 p = v3_lerp(a_place, b_place, fmin(fmax(t, NEAREST), 1 - NEAREST));
        *slot = rb_mesh_add_vertex(&g->mesh, p) + 1;
    }
    return *slot - 1;
}

// A triangle that looks from the corner `inside` to the corner `outside`.
static void add_triangle(FieldGrid *g, int i, int j, int k, Vec3 outward) {
    const Vec3 *v = g->mesh.vertices.data;
    Vec3 normal = v3_cross(v3_sub(v[j], v[i]), v3_sub(v[k], v[i]));
    if (v3_dot(normal, outward) > 0)
        rb_mesh_add_triangle(&g->mesh, i, j, k);
    else
        rb_mesh_add_triangle(&g->mesh, i, k, j);
}

static void cut_tetrahedron(FieldGrid *g, const int at[3], const int corner[4]) {
    int in[4], out[4], ins = 0, outs = 0;
    Vec3 outward = V3_ZERO;
    for (int i = 0; i < 4; i++) {
        int c = corner[i], x = c & 1, y = c >> 1 & 1, z = c >> 2 & 1;
        bool inside = g->value[point_index(g, at[0] + x, at[1] + y, at[2] + z)] > 0;
        *(inside ? &in[ins++] : &out[outs++]) = c;
    }
    if (ins == 0 || outs == 0) return;
    for (int i = 0; i < ins; i++)
        outward = v3_axpy(outward, -1.0 / ins, v3(in[i] & 1, in[i] >> 1 & 1, in[i] >> 2 & 1));
    for (int i = 0; i < outs; i++)
        outward = v3_axpy(outward, 1.0 / outs, v3(out[i] & 1, out[i] >> 1 & 1, out[i] >> 2 & 1));
    if (ins == 2) {
        int v[4] = {vertex_on(g, at, in[0], out[0]), vertex_on(g, at, in[0], out[1]),
                    vertex_on(g, at, in[1], out[1]), vertex_on(g, at, in[1], out[0])};
        add_triangle(g, v[0], v[1], v[2], outward);
        add_triangle(g, v[0], v[2], v[3], outward);
        return;
    }
    int alone = ins == 1 ? in[0] : out[0];
    const int *others = ins == 1 ? out : in;
    add_triangle(g, vertex_on(g, at, alone, others[0]), vertex_on(g, at, alone, others[1]),
                 vertex_on(g, at, alone, others[2]), outward);
}

RbStatus rb_surface_make(const RbNetwork *n, int object, const Vec3 *r, double cell, RbArena *keep,
                         RbArena scratch, RbDiag *diag, RbMesh *out) {
    RbSoftField f = rb_soft_field(n, object);
    FieldGrid g = {.cell = cell, .mesh = rb_mesh_builder(keep)};
    if (cell > f.radius) g.object = &n->objects[object], g.r = r, g.field = f;
    RB_TRY(fill_grid(&g, n, object, &f, r, &scratch, diag));
    for (int x = 0; x + 1 < g.n[0]; x++)
        for (int y = 0; y + 1 < g.n[1]; y++)
            for (int z = 0; z + 1 < g.n[2]; z++)
                for (int t = 0; t < 6; t++) cut_tetrahedron(&g, (int[]){x, y, z}, tetrahedra[t]);
    *out = rb_mesh_finish(&g.mesh);
    return RB_OK;
}
