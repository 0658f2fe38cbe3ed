// SPDX-License-Identifier: MIT
// Solids moved, joined, refined and simplified.
#include "geom/mesh_make.h"

#include "base/map.h"
#include "geom/mesh_edges.h"

RbMesh rb_mesh_map(const RbMesh *mesh, Mat3 M, Vec3 r, RbArena *keep) {
    Vec3 *x = rb_new_array(keep, Vec3, mesh->vertex_count);
    RbTriangle *t = rb_new_array(keep, RbTriangle, mesh->triangle_count);
    bool mirror = m3_det(M) < 0;
    for (int i = 0; i < mesh->vertex_count; i++) x[i] = v3_add(r, m3_mul_vec(M, mesh->vertices[i]));
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *v = mesh->triangles[i].v;
        t[i] = (RbTriangle){{v[0], v[mirror ? 2 : 1], v[mirror ? 1 : 2]}};
    }
    return (RbMesh){x, mesh->vertex_count, t, mesh->triangle_count};
}

Mat3 rb_clean_rotation(Vec3 angles) {
    double a[2], b[2], c[2];
    rb_clean_angle(angles.x, a);
    rb_clean_angle(angles.y, b);
    rb_clean_angle(angles.z, c);
    Mat3 X = {{1, 0, 0}, {0, a[0], -a[1]}, {0, a[1], a[0]}};
    Mat3 Y = {{b[0], 0, b[1]}, {0, 1, 0}, {-b[1], 0, b[0]}};
    Mat3 Z = {{c[0], -c[1], 0}, {c[1], c[0], 0}, {0, 0, 1}};
    return m3_mul(X, m3_mul(Y, Z));
}

// ---- refine ----

// Middle vertex of each side that is halved, or -1.
typedef struct Halving {
    const RbMesh *mesh;
    RbMeshBuilder *out;
    RbMap middles; // edge -> vertex plus one
    double longest;
    RbArena *scratch;
} Halving;

static int middle_of(Halving *h, int a, int b) {
    Vec3 p = h->out->vertices.data[a], q = h->out->vertices.data[b];
    if (v3_distance(p, q) <= h->longest) return -1;
    uint64_t key = (uint64_t)(uint32_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
    const uint64_t *found = rb_map_find(&h->middles, key);
    if (found) return (int)*found - 1;
    int m = rb_mesh_add_vertex(h->out, v3_lerp(p, q, 0.5));
    rb_map_set(&h->middles, h->scratch, key, (uint64_t)m + 1);
    return m;
}

static double side2(const Halving *h, int a, int b) {
    return v3_norm2(v3_sub(h->out->vertices.data[a], h->out->vertices.data[b]));
}

// A triangle with one, two or three halved sides becomes two, three or four.
static void divide(Halving *h, const int *v) {
    int m[3], halved = 0, k = 0;
    for (int i = 0; i < 3; i++) {
        m[i] = middle_of(h, v[i], v[(i + 1) % 3]);
        halved += m[i] >= 0;
    }
    if (halved == 0) {
        rb_mesh_add_triangle(h->out, v[0], v[1], v[2]);
    } else if (halved == 3) {
        for (int i = 0; i < 3; i++) rb_mesh_add_triangle(h->out, v[i], m[i], m[(i + 2) % 3]);
        rb_mesh_add_triangle(h->out, m[0], m[1], m[2]);
    } else if (halved == 1) {
        while (m[k] < 0) k++;
        int a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3];
        rb_mesh_add_triangle(h->out, a, m[k], c);
        rb_mesh_add_triangle(h->out, m[k], b, c);
    } else {
        while (m[k] >= 0) k++; // side k stays whole: a - b
        int a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3], p = m[(k + 1) % 3],
            q = m[(k + 2) % 3];
        rb_mesh_add_triangle(h->out, p, c, q);
        bool diagonal_ap = side2(h, a, p) <= side2(h, b, q);
        rb_mesh_add_triangle(h->out, a, b, diagonal_ap ? p : q);
        if (diagonal_ap)
            rb_mesh_add_triangle(h->out, a, p, q);
        else
            rb_mesh_add_triangle(h->out, b, p, q);
    }
}

bool rb_mesh_refine(const RbMesh *mesh, double longest, int limit, RbArena *keep, RbArena scratch,
                    RbMesh *out) {
    RbMesh now = *mesh;
    for (;;) {
        RbMeshBuilder b = rb_mesh_builder(keep);
        Halving h = {.mesh = &now, .out = &b, .longest = longest, .scratch = &scratch};
        for (int i = 0; i < now.vertex_count; i++) rb_mesh_add_vertex(&b, now.vertices[i]);
        for (int t = 0; t < now.triangle_count && b.triangles.count <= limit; t++) {
            divide(&h, now.triangles[t].v);
        }
        if (b.triangles.count > limit) return false;
        now = rb_mesh_finish(&b);
        if (h.middles.entries.count == 0) break;
    }
    *out = now;
    return true;
}
