// SPDX-License-Identifier: MIT
#include "collide/epa.h"

#include <float.h>

// A support point of M = B - A with its point of A.
typedef struct Corner {
    Vec3 w, a; // [m]
} Corner;

// Along the unit vector u; keeps the smallest support distance.
static Corner support(RbEpa *e, RbPlaced *A, RbPlaced *B, Vec3 u) {
    Vec3 a = rb_placed_support(A, v3_neg(u));
    Corner c = {v3_sub(rb_placed_support(B, u), a), a};
    double h = v3_dot(u, c.w);
    if (h < e->upper) e->upper = h, e->best_normal = u;
    return c;
}

static void set_vertex(RbEpa *e, int i, Corner c) {
    e->w[i] = c.w, e->a[i] = c.a;
}

// --- first tetrahedron
// ----------------------------------------------------------------------------------------------------

// The one of the two support points along +-u that is farther from the origin of u at base.
static Corner farther(RbEpa *e, RbPlaced *A, RbPlaced *B, Vec3 u, Vec3 base, double *reach) {
    Corner p = support(e, A, B, u), q = support(e, A, B, v3_neg(u));
    double hp = v3_dot(u, v3_sub(p.w, base)), hq = -v3_dot(u, v3_sub(q.w, base));
    *reach = fmax(hp, hq);
    return hp >= hq ? p : q;
}

// Vertices 2 and 3: far from the line, far from the plane. False if there is no such point.
static bool first_vertices(RbEpa *e, RbPlaced *A, RbPlaced *B, double tiny) {
    // Directions askew to all axes: along an axis the support point is the centre of a face, and
    // such points line up.
    static const Vec3 askew[3] = {{0.36, 0.48, 0.8}, {0.8, -0.6, 0.0}, {0.48, 0.64, -0.6}};
    double widest = 0;
    for (int i = 0; i < 3; i++) {
        Corner p = support(e, A, B, askew[i]), q = support(e, A, B, v3_neg(askew[i]));
        double width = v3_distance(p.w, q.w);
        if (!(width > widest)) continue;
        widest = width;
        set_vertex(e, 0, p), set_vertex(e, 1, q);
    }
    if (!(widest > tiny)) return false;
    double reach, reach_v;
    Vec3 line = v3_unit(v3_sub(e->w[1], e->w[0])), u = v3_perpendicular(line),
         v = v3_cross(line, u);
    Corner third = farther(e, A, B, u, e->w[0], &reach),
           other = farther(e, A, B, v, e->w[0], &reach_v);
    if (reach_v > reach) third = other, reach = reach_v;
    set_vertex(e, 2, third);
    if (!(reach > tiny)) return false;
    Vec3 n = v3_unit(v3_cross(v3_sub(e->w[1], e->w[0]), v3_sub(e->w[2], e->w[0])));
    set_vertex(e, 3, farther(e, A, B, n, e->w[0], &reach));
    e->vertex_count = 4;
    return reach > tiny;
}

// --- faces
// ----------------------------------------------------------------------------------------------------------------

// A face without area (its corners are in line) closes the surface, but is never nearest and never
// seen.
static RbEpaFace face_of(const RbEpa *e, int i, int j, int k) {
    Vec3 a = e->w[i];
    Vec3 n = v3_unit(v3_cross(v3_sub(e->w[j], a), v3_sub(e->w[k], a)));
    double distance = v3_norm2(n) > 0 ? v3_dot(n, a) : INFINITY;
    return (RbEpaFace){.v = {i, j, k}, .normal = n, .distance = distance, .alive = true};
}

// Faces 0 i j, 0 j 3, 0 3 i, i 3 j, counter-clockwise seen from outside.
static void first_faces(RbEpa *e) {
    Vec3 a = e->w[0];
    double volume = v3_dot(v3_cross(v3_sub(e->w[1], a), v3_sub(e->w[2], a)), v3_sub(e->w[3], a));
    int i = volume < 0 ? 1 : 2, j = volume < 0 ? 2 : 1;
    const int v[4][3] = {{0, i, j}, {0, j, 3}, {0, 3, i}, {i, 3, j}};
    const int next[4][3] = {{2, 3, 1}, {0, 3, 2}, {1, 3, 0}, {2, 1, 0}};
    e->face_count = 4;
    for (int f = 0; f < 4; f++) {
        e->faces[f] = face_of(e, v[f][0], v[f][1], v[f][2]);
        for (int k = 0; k < 3; k++) e->faces[f].next[k] = next[f][k];
    }
}

static int nearest_face(const RbEpa *e) {
    int best = -1;
    for (int f = 0; f < e->face_count; f++) {
        if (e->faces[f].alive && (best < 0 || e->faces[f].distance < e->faces[best].distance))
            best = f;
    }
    return best;
}

// The rim of the hole that w tears: edges of removed faces, with the face that stays on their other
// side.
typedef struct Rim {
    int count;
    int from[RB_EPA_FACES], to[RB_EPA_FACES], beyond[RB_EPA_FACES];
} Rim;

// Remove the faces that see w and hang together with face `start`.
static void tear(RbEpa *e, Vec3 w, int start, double tiny, Rim *rim) {
    int stack[RB_EPA_FACES], depth = 1;
    stack[0] = start;
    e->faces[start].alive = false;
    rim->count = 0;
    while (depth > 0) {
        const RbEpaFace *face = &e->faces[stack[--depth]];
        for (int k = 0; k < 3; k++) {
            int g = face->next[k];
            RbEpaFace *other = &e->faces[g];
            if (!other->alive) continue;
            if (v3_dot(other->normal, w) > other->distance + tiny) {
                other->alive = false;
                stack[depth++] = g;
            }
        }
    }
    for (int f = 0; f < e->face_count;
         f++) { // removed now: alive is false and v[0] not yet cleared
        RbEpaFace *face = &e->faces[f];
        if (face->alive || face->v[0] < 0) continue;
        for (int k = 0; k < 3; k++) {
            if (!e->faces[face->next[k]].alive) continue;
            int at = rim->count++;
            rim->from[at] = face->v[k], rim->to[at] = face->v[(k + 1) % 3],
            rim->beyond[at] = face->next[k];
        }
    }
    for (int f = 0; f < e->face_count; f++) {
        if (!e->faces[f].alive) e->faces[f].v[0] = -1; // free for reuse
    }
}

static int free_face(RbEpa *e, int *search) {
    for (; *search < e->face_count; ++*search) {
        if (!e->faces[*search].alive) return (*search)++;
    }
    if (e->face_count == RB_EPA_FACES) return -1;
    *search = e->face_count + 1;
    return e->face_count++;
}

// The face beyond an edge gets the new face as neighbour.
static void join(RbEpa *e, int face, int from, int to, int neighbour) {
    for (int k = 0; k < 3; k++) {
        if (e->faces[face].v[k] == from && e->faces[face].v[(k + 1) % 3] == to)
            e->faces[face].next[k] = neighbour;
    }
}

// Close the hole with the cone from the apex. False if the rim is not one loop (rounding) or the
// room is used up.
static bool close_hole(RbEpa *e, const Rim *rim, int apex) {
    int made[RB_EPA_FACES], starts_at[RB_EPA_VERTICES], search = 0;
    for (int v = 0; v < e->vertex_count; v++) starts_at[v] = -1;
    for (int k = 0; k < rim->count; k++) {
        int f = made[k] = free_face(e, &search);
        if (f < 0 || starts_at[rim->from[k]] >= 0) return false;
        starts_at[rim->from[k]] = f;
        e->faces[f] = face_of(e, rim->from[k], rim->to[k], apex);
        e->faces[f].next[0] = rim->beyond[k];
        join(e, rim->beyond[k], rim->to[k], rim->from[k], f);
    }
    for (int k = 0; k < rim->count; k++) {
        int after = starts_at[rim->to[k]];
        if (after < 0) return false;
        e->faces[made[k]].next[1] = after;
        e->faces[after].next[2] = made[k];
    }
    return rim->count >= 3;
}

static bool expand(RbEpa *e, Corner c, int seen, double tiny) {
    if (e->vertex_count == RB_EPA_VERTICES) return false;
    Rim rim;
    tear(e, c.w, seen, tiny, &rim);
    set_vertex(e, e->vertex_count++, c);
    return close_hole(e, &rim, e->vertex_count - 1);
}

bool rb_epa_start(RbEpa *e, RbPlaced *A, RbPlaced *B, double scale) {
    e->vertex_count = e->face_count = 0;
    e->upper = INFINITY;
    e->lower = 0;
    if (!first_vertices(e, A, B, 8 * DBL_EPSILON * scale)) return false;
    first_faces(e);
    return true;
}

bool rb_epa_grow(RbEpa *e, RbPlaced *A, RbPlaced *B, double known, double tolerance, double scale) {
    double tiny = 8 * DBL_EPSILON * scale; // [m]
    for (;;) {
        int f = nearest_face(e);
        if (f < 0) return false;
        RbEpaFace face = e->faces[f];
        Corner c = support(e, A, B, face.normal);
        e->nearest = f;
        e->lower = face.distance;
        if (fmin(e->upper, known) - e->lower <= fmax(tolerance, tiny)) return true;
        if (!(v3_dot(face.normal, c.w) - face.distance > tiny))
            return true; // the face lies on the surface of M
        if (!expand(e, c, f, tiny)) return false;
    }
}
