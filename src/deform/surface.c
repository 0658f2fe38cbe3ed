// SPDX-License-Identifier: MIT
#include "deform/surface.h"

#include <string.h>

enum { EDGES = 14, MOST_POINTS = 30000000 };
static const double NEAREST = 0.02; // [edge] of a vertex to a point of the grid: no slivers
static const double INSIDE = -1e-9; // of F - 1: what is on the surface but for rounding is inside

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
        double own = n->scene->molecules.data[i].radius;
        radius = fmax(radius, own);
        volume += 4.0 / 3 * M_PI * own * own * own;
    }
    return fmin(fmax(2 * (volume / 20 + 0.005), 0.42 * radius), 1.26 * radius);
}

// ---- molecules near a place

// Sorted into cubes as wide as the reach of the field.
typedef struct Bins {
    Vec3 low;
    double size;
    int n[3];
    int *start; // per cube, and the end
    int *molecules;
} Bins;

static int bin_along(const Bins *b, Vec3 r, int k) {
    double at = (v3_get(r, k) - v3_get(b->low, k)) / b->size;
    return at < 0 ? 0 : at < b->n[k] ? (int)at : b->n[k] - 1;
}

static size_t bin_of(const Bins *b, Vec3 r) {
    size_t x = (size_t)bin_along(b, r, 0), y = (size_t)bin_along(b, r, 1);
    return (x * (size_t)b->n[1] + y) * (size_t)b->n[2] + (size_t)bin_along(b, r, 2);
}

static Bins sort_molecules(const RbNetworkObject *o, const Vec3 *r, Vec3 low, Vec3 high,
                           double reach, RbArena *arena) {
    Bins b = {.low = low, .size = reach};
    for (int k = 0; k < 3; k++) b.n[k] = (int)((v3_get(high, k) - v3_get(low, k)) / reach) + 1;
    size_t count = (size_t)b.n[0] * (size_t)b.n[1] * (size_t)b.n[2];
    b.start = rb_new_array(arena, int, count + 1);
    b.molecules = rb_new_array(arena, int, o->count);
    for (int i = o->first; i < o->first + o->count; i++) b.start[bin_of(&b, r[i]) + 1]++;
    for (size_t i = 0; i < count; i++) b.start[i + 1] += b.start[i];
    for (int i = o->first + o->count - 1; i >= o->first; i--) // ends become starts
        b.molecules[--b.start[bin_of(&b, r[i]) + 1]] = i;
    for (size_t i = 0; i < count; i++) b.start[i] = b.start[i + 1];
    b.start[count] = o->count;
    return b;
}

// ---- the field on a grid

// Corners of cubes, and the middle of each: a body-centred grid looks the same from all sides that a cube has, and so do surfaces of bodies
// that look the same.
typedef struct Node {
    bool middle; // of the cube that begins there
    int at[3];
} Node;

typedef struct FieldGrid {
    Vec3 low;
    double cube;      // [m]
    int n[3];         // corners
    double *value[2]; // field - 1, of corners and middles
    int *vertex;      // per cube and edge that belongs to it: vertex + 1
    RbMeshBuilder mesh;
    const Vec3 *r;
    RbSoftField field;
    Bins bins;
    Vec3 *near; // room for molecules
} FieldGrid;

static size_t point_index(const FieldGrid *g, const int at[3]) {
    return ((size_t)at[0] * (size_t)g->n[1] + (size_t)at[1]) * (size_t)g->n[2] + (size_t)at[2];
}

static Vec3 node_place(const FieldGrid *g, const Node *node) {
    double half = node->middle ? 0.5 : 0;
    return v3_axpy(g->low, g->cube, v3(node->at[0] + half, node->at[1] + half, node->at[2] + half));
}

static double node_value(const FieldGrid *g, const Node *node) {
    return g->value[node->middle][point_index(g, node->at)];
}

static void splat(FieldGrid *g, Vec3 r, bool middle) {
    const RbSoftField *f = &g->field;
    int from[3], to[3];
    for (int k = 0; k < 3; k++) {
        double at = v3_get(r, k) - v3_get(g->low, k) - (middle ? 0.5 * g->cube : 0);
        from[k] = (int)fmax(0, ceil((at - f->reach) / g->cube));
        to[k] = (int)fmin(g->n[k] - 1, floor((at + f->reach) / g->cube));
    }
    Node node = {.middle = middle};
    int *x = node.at;
    for (x[0] = from[0]; x[0] <= to[0]; x[0]++)
        for (x[1] = from[1]; x[1] <= to[1]; x[1]++)
            for (x[2] = from[2]; x[2] <= to[2]; x[2]++) {
                double u = 1 - v3_norm2(v3_sub(node_place(g, &node), r)) / (f->reach * f->reach);
                if (u > 0) g->value[middle][point_index(g, x)] += u * u * u / f->threshold;
            }
}

static RbStatus fill_grid(FieldGrid *g, const RbNetwork *n, int object, RbArena *scratch,
                          RbDiag *diag) {
    const RbNetworkObject *o = &n->objects[object];
    Vec3 low = g->r[o->first], high = low;
    double cubes[3], points = 1;
    for (int i = o->first; i < o->first + o->count; i++)
        low = v3_min(low, g->r[i]), high = v3_max(high, g->r[i]);
    for (int k = 0; k < 3; k++) { // the middle of the body is that of the grid
        double size = v3_get(high, k) - v3_get(low, k) + 2 * g->field.reach;
        cubes[k] = ceil(size / g->cube + INSIDE) + 2;
        points *= cubes[k] + 1;
    }
    if (!(points < MOST_POINTS))
        return rb_fail(diag, RB_ERROR_MODEL, n->scene->objects.data[object].at,
                       "the surface of '%s' with cells of %g m needs %.3g points; at most %d are "
                       "possible: choose a coarser resolution",
                       o->name, g->cube, points, MOST_POINTS);
    g->low =
        v3_axpy(v3_scale(0.5, v3_add(low, high)), -0.5 * g->cube, v3(cubes[0], cubes[1], cubes[2]));
    for (int k = 0; k < 3; k++) g->n[k] = (int)cubes[k] + 1;
    size_t count = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    g->vertex = rb_new_array(scratch, int, EDGES *count);
    for (int middle = 0; middle < 2; middle++) {
        g->value[middle] = rb_new_array(scratch, double, count);
        for (size_t i = 0; i < count; i++) g->value[middle][i] = -1;
        for (int i = o->first; i < o->first + o->count; i++) splat(g, g->r[i], middle);
    }
    g->bins = sort_molecules(o, g->r, low, high, g->field.reach, scratch);
    g->near = rb_new_array(scratch, Vec3, o->count);
    return RB_OK;
}

// ---- vertices

// Molecules whose field reaches an edge around p.
static int collect_near(FieldGrid *g, Vec3 p, double half) {
    const Bins *b = &g->bins;
    double reach = g->field.reach + half;
    int from[3], to[3], count = 0;
    for (int k = 0; k < 3; k++) {
        from[k] = bin_along(b, v3_sub(p, v3(reach, reach, reach)), k);
        to[k] = bin_along(b, v3_add(p, v3(reach, reach, reach)), k);
    }
    for (int x = from[0]; x <= to[0]; x++)
        for (int y = from[1]; y <= to[1]; y++) {
            size_t row = ((size_t)x * (size_t)b->n[1] + (size_t)y) * (size_t)b->n[2];
            for (int i = b->start[row + (size_t)from[2]]; i < b->start[row + (size_t)to[2] + 1];
                 i++)
                if (v3_norm2(v3_sub(g->r[b->molecules[i]], p)) < reach * reach)
                    g->near[count++] = g->r[b->molecules[i]];
        }
    return count;
}

static double value_at(const FieldGrid *g, int count, Vec3 p) {
    double sum = 0, b2 = g->field.reach * g->field.reach;
    for (int i = 0; i < count; i++) {
        double u = 1 - v3_norm2(v3_sub(p, g->near[i])) / b2;
        if (u > 0) sum += u * u * u;
    }
    return sum / g->field.threshold - 1;
}

// Where the field is 1 on the edge from p, inside or not, to q. It is far from linear in a cell: interpolated vertices would depend on where the grid lies.
static double crossing(FieldGrid *g, Vec3 p, Vec3 q, bool inside) {
    enum { BISECTIONS = 30 };
    double low = 0, high = 1;
    int count = collect_near(g, v3_lerp(p, q, 0.5), 0.5 * v3_distance(p, q));
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high);
        bool same = (value_at(g, count, v3_lerp(p, q, middle)) > 0) == inside;
        *(same ? &low : &high) = middle;
    }
    return high;
}

// The number of an edge among those of the cube that begins at its end a: along the axes from corner or middle, or from the middle to a corner.
static int edge_number(const Node *a, const Node *b) {
    int bits = 0;
    for (int k = 0; k < 3; k++) bits |= (b->at[k] - a->at[k]) << k;
    if (a->middle != b->middle) return 6 + bits;
    return (a->middle ? 3 : 0) + bits / 2; // 1, 2, 4
}

static int vertex_on(FieldGrid *g, const Node *a, const Node *b) {
    bool swap = a->middle != b->middle
                    ? b->middle
                    : a->at[0] + a->at[1] + a->at[2] > b->at[0] + b->at[1] + b->at[2];
    if (swap) return vertex_on(g, b, a);
    int *slot = &g->vertex[EDGES * point_index(g, a->at) + (size_t)edge_number(a, b)];
    if (*slot == 0) {
        Vec3 p = node_place(g, a), q = node_place(g, b);
        double t = crossing(g, p, q, node_value(g, a) > INSIDE);
        *slot =
            rb_mesh_add_vertex(&g->mesh, v3_lerp(p, q, fmin(fmax(t, NEAREST), 1 - NEAREST))) + 1;
    }
    return *slot - 1;
}

// ---- triangles

// A triangle that looks outward.
static void add_triangle(FieldGrid *g, int i, int j, int k, Vec3 outward) {
    const Vec3 *v = g->mesh.vertices.data;
    Vec3 normal = v3_cross(v3_sub(v[j], v[i]), v3_sub(v[k], v[i]));
    if (v3_dot(normal, outward) > 0)
        rb_mesh_add_triangle(&g->mesh, i, j, k);
    else
        rb_mesh_add_triangle(&g->mesh, i, k, j);
}

// Cut along the shorter diagonal.
static void add_square(FieldGrid *g, const int v[4], Vec3 outward) {
    const Vec3 *at = g->mesh.vertices.data;
    int k =
        v3_distance(at[v[0]], at[v[2]]) < (1 - INSIDE) * v3_distance(at[v[1]], at[v[3]]) ? 0 : 1;
    add_triangle(g, v[k], v[k + 1], v[k + 2], outward);
    add_triangle(g, v[k], v[k + 2], v[(k + 3) % 4], outward);
}

static void cut_tetrahedron(FieldGrid *g, const Node corner[4]) {
    const Node *in[4], *out[4];
    int ins = 0, outs = 0;
    Vec3 outward = V3_ZERO;
    for (int i = 0; i < 4; i++)
        *(node_value(g, &corner[i]) > INSIDE ? &in[ins++] : &out[outs++]) = &corner[i];
    if (ins == 0 || outs == 0) return;
    for (int i = 0; i < ins; i++) outward = v3_axpy(outward, -1.0 / ins, node_place(g, in[i]));
    for (int i = 0; i < outs; i++) outward = v3_axpy(outward, 1.0 / outs, node_place(g, out[i]));
    if (ins == 2) {
        int v[4] = {vertex_on(g, in[0], out[0]), vertex_on(g, in[0], out[1]),
                    vertex_on(g, in[1], out[1]), vertex_on(g, in[1], out[0])};
        add_square(g, v, outward);
        return;
    }
    const Node *alone = ins == 1 ? in[0] : out[0], **others = ins == 1 ? out : in;
    add_triangle(g, vertex_on(g, alone, others[0]), vertex_on(g, alone, others[1]),
                 vertex_on(g, alone, others[2]), outward);
}

// Four tetrahedra through the face between a cube and the next one along an axis: both middles, and two corners each.
static void cut_face(FieldGrid *g, const int at[3], int axis) {
    static const int ring[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    Node middle[2], corner[4];
    for (int i = 0; i < 2; i++) {
        middle[i] = (Node){true, {at[0], at[1], at[2]}};
        middle[i].at[axis] += i;
    }
    for (int i = 0; i < 4; i++) {
        corner[i] = (Node){false, {at[0], at[1], at[2]}};
        corner[i].at[axis]++;
        corner[i].at[(axis + 1) % 3] += ring[i][0];
        corner[i].at[(axis + 2) % 3] += ring[i][1];
    }
    for (int i = 0; i < 4; i++)
        cut_tetrahedron(g, (Node[]){middle[0], middle[1], corner[i], corner[(i + 1) % 4]});
}

RbStatus rb_surface_make(const RbNetwork *n, int object, const Vec3 *r, double cell, RbArena *keep,
                         RbArena scratch, RbDiag *diag, RbMesh *out) {
    FieldGrid g = {
        .cube = cell, .mesh = rb_mesh_builder(keep), .r = r, .field = rb_soft_field(n, object)};
    RB_TRY(fill_grid(&g, n, object, &scratch, diag));
    for (int x = 0; x + 2 < g.n[0]; x++)
        for (int y = 0; y + 2 < g.n[1]; y++)
            for (int z = 0; z + 2 < g.n[2]; z++)
                for (int k = 0; k < 3; k++) cut_face(&g, (int[]){x, y, z}, k);
    *out = rb_mesh_finish(&g.mesh);
    return RB_OK;
}
