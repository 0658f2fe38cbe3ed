// SPDX-License-Identifier: MIT
#include "geom/front.h"

#include <stdint.h>

enum { VERTICES = 1024, FACES = 2048, BITS = 64 };

static bool test_and_set(uint64_t *set, int i) {
    uint64_t bit = (uint64_t)1 << (i % BITS);
    bool was = set[i / BITS] & bit;
    set[i / BITS] |= bit;
    return was;
}

static bool reaches(const RbPolytope *t, int face, Vec3 m, double least) {
    for (int k = t->face_start[face]; k < t->face_start[face + 1]; k++)
        if (v3_dot(m, t->vertices[t->face_vertices[k]]) >= least) return true;
    return false;
}

// One by one.
static int scan(const RbPolytope *t, Vec3 m, double least, int from, int room, int *faces) {
    int count = 0;
    for (int f = from; f < t->face_count && count < room; f++)
        if (reaches(t, f, m, least)) faces[count++] = f;
    return count;
}

// From a vertex of a convex polytope edges lead up to the foremost one (linear programming), so that all vertices in the layer hang together.
static void flood(const RbPolytope *t, Vec3 m, int foremost, double least, uint64_t *set) {
    uint64_t seen[VERTICES / BITS] = {0};
    int open[VERTICES], count = 1;
    open[0] = foremost;
    test_and_set(seen, foremost);
    while (count > 0) {
        int v = open[--count];
        for (int k = t->neighbour_start[v]; k < t->neighbour_start[v + 1]; k++) {
            int next = t->neighbours[k];
            test_and_set(set, t->vertex_faces[k]);
            if (v3_dot(m, t->vertices[next]) >= least && !test_and_set(seen, next))
                open[count++] = next;
        }
    }
}

int rb_front_faces(const RbPolytope *t, Vec3 m, int foremost, double least, int from, int room,
                   int *faces) {
    uint64_t set[FACES / BITS] = {0};
    int count = 0;
    if (t->vertex_count > VERTICES || t->face_count > FACES)
        return scan(t, m, least, from, room, faces);
    flood(t, m, foremost, least, set);
    for (int word = 0; word * BITS < t->face_count; word++) {
        for (uint64_t left = set[word]; left; left &= left - 1) {
            int f = word * BITS + __builtin_ctzll(left);
            if (f >= from && count < room) faces[count++] = f;
        }
    }
    return count;
}
