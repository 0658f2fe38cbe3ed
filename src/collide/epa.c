// SPDX-License-Identifier: MIT
#include "collide/epa.h"

#include <float.h>

// Support point of M = B - A along the unit vector u; keeps the smallest support distance.
static Vec3 support(RbEpa *e, RbPlaced *A, RbPlaced *B, Vec3 u) {
    Vec3 w = v3_sub(rb_placed_support(B, u), rb_placed_support(A, v3_neg(u)));
    double h = v3_dot(u, w);
    if (h < e->upper) e->upper = h, e->best_normal = u;
    return w;
}

// --- first tetrahedron
// ----------------------------------------------------------------------------------------------------

// The one of the two support points along +-u that is farther from the origin of u at base.
static Vec3 farther(RbEpa *e, RbPlaced *A, RbPlaced *B, Vec3 u, Vec3 base, double *reach) {
    Vec3 p = support(e, A, B, u), q = support(e, A, B, v3_neg(u));
    double hp = v3_dot(u, v3_sub(p, base)), hq = -v3_dot(u, v3_sub(q, base));
    *reach = fmax(hp, hq);
    return hp >= hq ? p : q;
}

// Vertices 2 and 3: far from the line, far from the plane. False if there is no such point.
static bool first_vertices(RbEpa *e, RbPlaced *A, RbPlaced *B, double tiny) {
    double widest = 0;
    for (int i = 0; i < 3; i++) {
        Vec3 p = support(e, A, B, v3_axis(i)), q = support(e, A, B, v3_neg(v3_axis(i)));
        double width = v3_distance(p, q);
        if (width > widest) widest = width, e->w[0] = p, e->w[1] = q;
    }
    if (!(widest > tiny)) return false;
    double reach, reach_v;
    Vec3 line = v3_unit(v3_sub(e->w[1], e->w[0])), u = v3_perpendicular(line),
         v = v3_cross(line, u);
    e->w[2] = farther(e, A, B, u, e->w[0], &reach);
    Vec3 other = farther(e, A, B, v, e->w[0], &reach_v);
    if (reach_v > reach) e->w[2] = other, reach = reach_v;
    if (!(reach > tiny)) return false;
    Vec3 n = v3_unit(v3_cross(v3_sub(e->w[1], e->w[0]), v3_sub(e->w[2], e->w[0])));
    e->w[3] = farther(e, A, B, n, e->w[0], &reach);
    e->vertex_count = 4;
    return reach > tiny;
}

// --- faces
// ----------------------------------------------------------------------------------------------------------------

static bool add_face(RbEpa *e, int i, int j, int k) {
    if (e->face_count == RB_EPA_FACES) return false;
    Vec3 a = e->w[i];
    Vec3 cross = v3_cross(v3_sub(e->w[j], a), v3_sub(e->w[k], a));
    Vec3 n = v3_unit(cross);
    if (v3_norm2(n) == 0) return false;
    e->faces[e->face_count++] = (RbEpaFace){{i, j, k}, n, v3_dot(n, a), true};
    return true;
}

static bool first_faces(RbEpa *e) {
    Vec3 a = e->w[0];
    double volume = v3_dot(v3_cross(v3_sub(e->w[1], a), v3_sub(e->w[2], a)), v3_sub(e->w[3], a));
    int i = volume < 0 ? 1 : 2,
        j = volume < 0 ? 2 : 1; // seen from outside, 0 i j is counter-clockwise
    return add_face(e, 0, i, j) && add_face(e, 0, j, 3) && add_face(e, 0, 3, i) &&
           add_face(e, i, 3, j);
}

static int nearest_face(const RbEpa *e) {
    int best = -1;
    for (int f = 0; f < e->face_count; f++) {
        if (e->faces[f].alive && (best < 0 || e->faces[f].distance < e->faces[best].distance))
            best = f;
    }
    return best;
}

typedef struct Edge {
    int from, to;
} Edge;

// An edge that two removed faces share lies inside the hole; the others are its rim.
static bool toggle_edge(Edge *rim, int *count, int from, int to) {
    for (int k = 0; k < *count; k++) {
        if (rim[k].from == to && rim[k].to == from) {
            rim[k] = rim[--*count];
            return true;
        }
    }
    if (*count == RB_EPA_FACES) return false;
    rim[(*count)++] = (Edge){from, to};
    return true;
}

static int free_slot(RbEpa *e, int start) {
    for (int f = start; f < e->face_count; f++) {
        if (!e->faces[f].alive) return f;
    }
    return -1;
}

static bool add_cone(RbEpa *e, const Edge *rim, int count, int apex) {
    int slot = 0;
    for (int k = 0; k < count; k++) {
        slot = free_slot(e, slot);
        if (!add_face(e, rim[k].from, rim[k].to, apex)) return false;
        if (slot >= 0)
            e->faces[slot++] = e->faces[--e->face_count];
        else
            slot = e->face_count;
    }
    return true;
}

// Replace all faces that see w by the cone from w over their rim. The face w came from is always
// among them.
static bool expand(RbEpa *e, Vec3 w, int seen, double tiny) {
    if (e->vertex_count == RB_EPA_VERTICES) return false;
    Edge rim[RB_EPA_FACES];
    int count = 0;
    for (int f = 0; f < e->face_count; f++) {
        RbEpaFace *face = &e->faces[f];
        if (!face->alive) continue;
        if (f != seen && !(v3_dot(face->normal, w) > face->distance + tiny)) continue;
        face->alive = false;
        for (int k = 0; k < 3; k++) {
            if (!toggle_edge(rim, &count, face->v[k], face->v[(k + 1) % 3])) return false;
        }
    }
    e->w[e->vertex_count++] = w;
    return add_cone(e, rim, count, e->vertex_count - 1);
}

bool rb_epa_run(RbEpa *e, RbPlaced *A, RbPlaced *B, double tolerance, double scale) {
    e->vertex_count = e->face_count = 0;
    e->upper = INFINITY;
    e->lower = 0;
    double tiny = 8 * DBL_EPSILON * scale; // [m]
    if (!first_vertices(e, A, B, tiny) || !first_faces(e)) return false;
    for (int round = 0; round < RB_EPA_VERTICES; round++) {
        int f = nearest_face(e);
        if (f < 0) break;
        RbEpaFace face = e->faces[f];
        Vec3 w = support(e, A, B, face.normal);
        e->lower = face.distance;
        if (e->upper - e->lower <= tolerance) break;
        if (!(v3_dot(face.normal, w) - face.distance > tiny))
            break; // this face is on the surface of M
        if (!expand(e, w, f, tiny)) break;
    }
    return true;
}
