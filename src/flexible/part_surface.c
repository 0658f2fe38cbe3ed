// SPDX-License-Identifier: MIT
#include "flexible/part_surface.h"

#include <string.h>

#include "base/sort.h"

// Corners of a face, counter-clockwise seen from outside, then the middles of its edges.
static const int face_nodes[4][6] = {
    {0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}};

typedef struct Face {
    int corner[3]; // ascending
    int tet, side;
} Face;

static int compare(const void *a, const void *b) {
    const Face *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->corner[k] != q->corner[k]) return p->corner[k] < q->corner[k] ? -1 : 1;
    return p->tet < q->tet ? -1 : p->tet > q->tet;
}

static void put_ascending(int *v, int value, int count) {
    int i = count;
    for (; i > 0 && v[i - 1] > value; i--) v[i] = v[i - 1];
    v[i] = value;
}

static bool same_place(const Face *a, const Face *b) {
    return memcmp(a->corner, b->corner, sizeof a->corner) == 0;
}

// Faces that one element has, in the order of their corners.
static Face *outer_faces(const RbTetMesh *mesh, int *count, RbArena *scratch) {
    int all = 4 * mesh->tet_count;
    Face *faces = rb_new_array(scratch, Face, all), *outer = rb_new_array(scratch, Face, all);
    for (int i = 0; i < all; i++) {
        faces[i].tet = i / 4, faces[i].side = i % 4;
        for (int k = 0; k < 3; k++)
            put_ascending(faces[i].corner, mesh->tets[i / 4][face_nodes[i % 4][k]], k);
    }
    rb_sort_items(faces, all, sizeof *faces, compare);
    *count = 0;
    for (int i = 0; i < all; i++) {
        bool before = i > 0 && same_place(&faces[i - 1], &faces[i]),
             behind = i + 1 < all && same_place(&faces[i], &faces[i + 1]);
        if (!before && !behind) outer[(*count)++] = faces[i];
    }
    return outer;
}

static int nodes_of_face(const RbTetMesh *mesh) {
    return mesh->order == 2 ? 6 : 3;
}

static void mark(const RbTetMesh *mesh, const Face *faces, int count, bool *on) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < nodes_of_face(mesh); k++)
            on[mesh->tets[faces[i].tet][face_nodes[faces[i].side][k]]] = true;
}

void rb_mark_surface(const RbTetMesh *mesh, bool *on, RbArena scratch) {
    int count;
    const Face *faces = outer_faces(mesh, &count, &scratch);
    mark(mesh, faces, count, on);
}

bool rb_surface_middle(const RbTetMesh *mesh, const bool *chosen, RbArena scratch, Vec3 *out) {
    int count;
    double area = 0;
    const Face *faces = outer_faces(mesh, &count, &scratch);
    *out = V3_ZERO;
    for (int i = 0; i < count; i++) {
        const int *v = faces[i].corner;
        if (!chosen[v[0]] || !chosen[v[1]] || !chosen[v[2]]) continue;
        Vec3 a = mesh->nodes[v[0]], b = mesh->nodes[v[1]], c = mesh->nodes[v[2]];
        double own = v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
        *out = v3_axpy(*out, own / 3, v3_add(a, v3_add(b, c)));
        area += own;
    }
    if (area > 0) *out = v3_scale(1 / area, *out);
    return area > 0;
}

// ---- triangles

static void add_triangles(const RbTetMesh *mesh, const Face *face, const int *place,
                          RbTriangle *out) {
    static const int quarters[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    int v[6], parts = mesh->order == 2 ? 4 : 1;
    for (int k = 0; k < nodes_of_face(mesh); k++)
        v[k] = place[mesh->tets[face->tet][face_nodes[face->side][k]]];
    for (int i = 0; i < parts; i++)
        for (int k = 0; k < 3; k++) out[i].v[k] = parts == 1 ? v[k] : v[quarters[i][k]];
}

// ---- stresses

// Barycentric coordinates of the nodes of an element.
static void place_in_element(int node, double L[4]) {
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < 4; i++)
        L[i] = node < 4 ? i == node : 0.5 * (i == ends[node - 4][0] || i == ends[node - 4][1]);
}

// place: of nodes of the mesh among those of the surface, or -1; share: one by the number of elements in a node.
static void add_element(const RbElasticPart *p, int e, const int *place, const double *share,
                        const double *shapes, const RbPartSurface *s, double *stress) {
    const RbTetMesh *mesh = p->mesh;
    const int *tet = mesh->tets[e];
    int nodes = rb_tet_mesh_corners(mesh);
    Vec3 places[RB_TET_NODES], slope[RB_TET_NODES];
    for (int i = 0; i < nodes; i++) places[i] = mesh->nodes[tet[i]];
    for (int i = 0; i < nodes; i++) {
        int at = place[tet[i]];
        double L[4];
        if (at < 0) continue;
        place_in_element(i, L);
        rb_tet_gradients(places, nodes, L, slope);
        for (int a = 0; a < s->modes; a++) {
            const double *u = shapes + 3 * (size_t)mesh->node_count * (size_t)a;
            Mat3 S = m3_scale(share[at], rb_part_stress(p, tet, slope, u));
            double *out = stress + 6 * ((size_t)s->node_count * (size_t)a + (size_t)at);
            out[0] += S.x.x, out[1] += S.y.y, out[2] += S.z.z;
            out[3] += S.x.y, out[4] += S.y.z, out[5] += S.z.x;
        }
    }
}

static const double *find_stress(const RbElasticPart *p, const int *place, const double *shapes,
                                 const RbPartSurface *s, RbArena *keep, RbArena scratch) {
    const RbTetMesh *mesh = p->mesh;
    double *share = rb_new_array(&scratch, double, s->node_count + 1);
    double *stress = rb_new_array(keep, double, 6 * (size_t)s->node_count * (size_t)s->modes + 1);
    for (int e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < rb_tet_mesh_corners(mesh); i++)
            if (place[mesh->tets[e][i]] >= 0) share[place[mesh->tets[e][i]]]++;
    for (int i = 0; i < s->node_count; i++) share[i] = 1 / share[i];
    for (int e = 0; e < mesh->tet_count; e++) add_element(p, e, place, share, shapes, s, stress);
    return stress;
}

RbPartSurface rb_part_surface(const RbElasticPart *p, Vec3 origin, const double *shapes, int modes,
                              RbArena *keep, RbArena scratch) {
    const RbTetMesh *mesh = p->mesh;
    RbPartSurface s = {.modes = modes, .origin = origin};
    int count, parts = mesh->order == 2 ? 4 : 1,
               *place = rb_new_array(&scratch, int, mesh->node_count);
    bool *on = rb_new_array(&scratch, bool, mesh->node_count);
    const Face *faces = outer_faces(mesh, &count, &scratch);
    mark(mesh, faces, count, on);
    for (int i = 0; i < mesh->node_count; i++) place[i] = on[i] ? s.node_count++ : -1;
    Vec3 *x = rb_new_array(keep, Vec3, s.node_count + 1);
    double *u = rb_new_array(keep, double, 3 * (size_t)s.node_count * (size_t)modes + 1);
    RbTriangle *triangles = rb_new_array(keep, RbTriangle, parts * count + 1);
    for (int i = 0; i < mesh->node_count; i++) {
        if (!on[i]) continue;
        x[place[i]] = v3_sub(mesh->nodes[i], origin);
        for (int a = 0; a < modes; a++)
            memcpy(u + 3 * ((size_t)s.node_count * (size_t)a + (size_t)place[i]),
                   shapes + 3 * ((size_t)mesh->node_count * (size_t)a + (size_t)i), 3 * sizeof *u);
    }
    for (int i = 0; i < count; i++) add_triangles(mesh, &faces[i], place, triangles + parts * i);
    s.x = x, s.shapes = u, s.triangles = triangles, s.triangle_count = parts * count;
    s.stress = find_stress(p, place, shapes, &s, keep, scratch);
    return s;
}

// ---- in motion

static void combine(const double *columns, int rows, const double *q, int modes, double *out) {
    memset(out, 0, (size_t)rows * sizeof *out);
    for (int a = 0; a < modes; a++)
        for (int i = 0; i < rows; i++)
            out[i] += q[a] * columns[(size_t)rows * (size_t)a + (size_t)i];
}

void rb_surface_displace(const RbPartSurface *s, const double *q, double *u) {
    combine(s->shapes, 3 * s->node_count, q, s->modes, u);
}

void rb_surface_stress(const RbPartSurface *s, const double *q, double *stress) {
    combine(s->stress, 6 * s->node_count, q, s->modes, stress);
}

double rb_von_mises(const double s[6]) {
    double normal = pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2);
    return sqrt(0.5 * normal + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}
