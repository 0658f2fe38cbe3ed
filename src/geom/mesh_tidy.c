// SPDX-License-Identifier: MIT
#include "geom/mesh_tidy.h"

#include <limits.h>
#include <string.h>

#include "geom/mesh_sets.h"
#include "geom/mesh_split.h"
#include "geom/mesh_weld.h"
#include "geom/tidy.h"

static void note_flat(RbTidy *t, int triangle) {
    for (int k = 0; k < 3; k++) t->met[t->triangles[triangle].v[k]] = true;
}

// ---- triangles that vanish ----

static void remove_collapsed(RbTidy *t) {
    int kept = 0;
    for (int i = 0; i < t->count; i++) {
        const int *v = t->triangles[i].v;
        if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) t->triangles[kept++] = t->triangles[i];
    }
    t->count = kept;
}

// Is the order of the vertices an even permutation of the sorted one?
static bool is_even(const int v[3]) {
    return ((v[0] > v[1]) + (v[1] > v[2]) + (v[0] > v[2])) % 2 == 0;
}

// The longest side of a triangle whose height over it is below tol; -1 if it is not flat.
static int flat_side(const RbTidy *t, int triangle) {
    const int *v = t->triangles[triangle].v;
    int longest = 0;
    double length2[3];
    for (int k = 0; k < 3; k++) {
        length2[k] = v3_norm2(v3_sub(t->x[v[k]], t->x[v[(k + 1) % 3]]));
        if (length2[k] > length2[longest]) longest = k;
    }
    Vec3 n = v3_cross(v3_sub(t->x[v[1]], t->x[v[0]]), v3_sub(t->x[v[2]], t->x[v[0]]));
    return v3_norm2(n) <= t->tol * t->tol * length2[longest] ? longest : -1;
}

// Of triangles with the same three vertices those that face opposite ways cancel.
static void remove_back_to_back(RbTidy *t, RbArena scratch) {
    RbMesh mesh = rb_tidy_mesh(t);
    RbTriangleName *names = rb_mesh_triangle_names(&mesh, &scratch);
    bool *gone = rb_new_array(&scratch, bool, t->count);
    for (int i = 0, end; i < t->count; i = end) {
        for (end = i + 1; end < t->count && rb_triangle_name_equal(&names[i], &names[end]);) end++;
        int balance = 0;
        if (end - i > 1 && flat_side(t, names[i].triangle) >= 0) note_flat(t, names[i].triangle);
        for (int k = i; k < end; k++) {
            balance += is_even(t->triangles[names[k].triangle].v) ? 1 : -1;
        }
        for (int k = i; k < end && end - i > 1; k++) {
            bool even = is_even(t->triangles[names[k].triangle].v);
            bool stays = even ? balance > 0 : balance < 0;
            if (stays) balance += even ? -1 : 1;
            gone[names[k].triangle] = !stays;
        }
    }
    int kept = 0;
    for (int i = 0; i < t->count; i++) {
        if (!gone[i]) t->triangles[kept++] = t->triangles[i];
    }
    t->count = kept;
}

// ---- flat triangles: a vertex that lies on the opposite side ----

void rb_tidy_divide(RbTidy *t, const RbMeshEdges *edges, int edge, int m) {
    for (int i = edges->start[edge]; i < edges->start[edge + 1]; i++) {
        int triangle = edges->halves[i].triangle, side = edges->halves[i].side;
        int *v = t->triangles[triangle].v, from = v[side], w = v[(side + 2) % 3];
        t->triangles[t->count++] = (RbTriangle){{from, m, w}};
        v[side] = m;
    }
}

// Flat triangles in one round: each is looked at once, and changed at most once.
typedef struct Flat {
    const RbMeshEdges *edges;
    const signed char *side; // flat_side
    bool *used;
    bool stubborn; // nothing else helps
} Flat;

// Divide the triangles of an edge at the vertex of a flat one among them, which goes: of two triangles, (a, b, w) and
// (b, a, x) become (a, x, w) and (x, b, w). Not among flat triangles alone, nor where there is a side w, x already, unless
// nothing else is left.
static bool remove_flat(RbTidy *t, const Flat *f, int edge) {
    const RbHalfEdge *h = f->edges->halves + f->edges->start[edge];
    int count = f->edges->start[edge + 1] - f->edges->start[edge], flat = -1;
    for (int i = 0; i < count; i++) {
        int side = f->side[h[i].triangle];
        if (side == h[i].side && flat < 0)
            flat = i;
        else if (side >= 0 && !f->stubborn)
            return false;
    }
    if (flat < 0 || t->count + count > t->room) return false;
    int w = t->triangles[h[flat].triangle].v[(h[flat].side + 2) % 3];
    for (int i = 0; i < count; i++) {
        int x = t->triangles[h[i].triangle].v[(h[i].side + 2) % 3];
        if (f->used[h[i].triangle]) return false;
        if (i != flat && !f->stubborn && (w == x || rb_mesh_edge_users(f->edges, w, x) > 0))
            return false;
    }
    for (int i = 0; i < count; i++) f->used[h[i].triangle] = true;
    rb_tidy_divide(t, f->edges, edge, w);
    return true;
}

// The longest edge on which a flat triangle lies.
static int longest_flat(const RbTidy *t, const Flat *f) {
    int longest = 0;
    double most = -1;
    for (int e = 0; e < f->edges->edge_count; e++) {
        bool flat = false;
        for (int i = f->edges->start[e]; i < f->edges->start[e + 1]; i++)
            flat |= f->side[f->edges->halves[i].triangle] == f->edges->halves[i].side;
        uint64_t key = f->edges->halves[f->edges->start[e]].key;
        double length = flat ? v3_distance(t->x[key >> 32], t->x[(uint32_t)key]) : -1;
        if (length > most) most = length, longest = e;
    }
    return longest;
}

// The edges of the triangles that have a vertex in common with a flat one.
static RbMeshEdges edges_near_flats(const RbTidy *t, const signed char *side, RbArena *scratch) {
    bool *near = rb_new_array(scratch, bool, t->vertex_count),
         *only = rb_new_array(scratch, bool, t->count);
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < 3 && side[i] >= 0; k++) near[t->triangles[i].v[k]] = true;
    for (int i = 0; i < t->count; i++) {
        const int *v = t->triangles[i].v;
        only[i] = near[v[0]] || near[v[1]] || near[v[2]];
    }
    RbMesh mesh = rb_tidy_mesh(t);
    return rb_mesh_edges_of(&mesh, only, scratch);
}

// Each round removes flat triangles next to good ones; strips of them take several. Where nothing else is left, one at a
// time, the longest first: its edge goes and shorter ones come. Where solids differ by hardly more than the tolerance it
// may turn in a circle: it ends where they do not become fewer.
static void remove_flats(RbTidy *t, RbArena scratch) {
    enum { ROUNDS = 256, PATIENCE = 32 };
    bool stubborn = false;
    int fewest = INT_MAX, fewest_at = 0;
    for (int round = 0; round < ROUNDS && round - fewest_at <= PATIENCE; round++) {
        RbArena s = scratch;
        signed char *side = rb_new_array(&s, signed char, t->count);
        int flats = 0;
        for (int i = 0; i < t->count; i++) {
            side[i] = (signed char)flat_side(t, i);
            flats += side[i] >= 0;
            if (side[i] >= 0) note_flat(t, i);
        }
        if (flats == 0) return;
        if (flats < fewest) fewest = flats, fewest_at = round;
        RbMeshEdges edges = edges_near_flats(t, side, &s);
        Flat f = {&edges, side, rb_new_array(&s, bool, t->count), stubborn};
        int removed = 0;
        if (stubborn)
            removed = remove_flat(t, &f, longest_flat(t, &f));
        else
            for (int e = 0; e < edges.edge_count; e++) removed += remove_flat(t, &f, e);
        if (removed == 0 && stubborn) return;
        stubborn = removed == 0;
        remove_collapsed(t);
        if (f.stubborn) remove_back_to_back(t, s);
    }
}

// ---- folds: two triangles of one plane that lie on each other ----

static Vec3 area2(const RbTidy *t, int a, int b, int c) {
    return v3_cross(v3_sub(t->x[b], t->x[a]), v3_sub(t->x[c], t->x[a]));
}

// Do two triangles of an edge, (a, b, w) and (b, a, x), face opposite ways in one plane, within tol?
static bool is_fold(const RbTidy *t, const RbHalfEdge *g, const RbHalfEdge *h, double tol) {
    const int *v = t->triangles[g->triangle].v, *u = t->triangles[h->triangle].v;
    int a = v[g->side], b = v[(g->side + 1) % 3], w = v[(g->side + 2) % 3],
        x = u[(h->side + 2) % 3];
    if (u[h->side] != b) return false; // the same way
    Vec3 one = area2(t, a, b, w), two = area2(t, b, a, x);
    double n1 = v3_norm(one), n2 = v3_norm(two);
    return v3_dot(one, two) < -0.5 * n1 * n2 &&
           fabs(v3_dot(one, v3_sub(t->x[x], t->x[a]))) <= tol * n1 &&
           fabs(v3_dot(two, v3_sub(t->x[w], t->x[a]))) <= tol * n2;
}

// A triangle of the n-th fold, or -1.
static int find_fold(const RbTidy *t, const RbMeshEdges *edges, int n) {
    for (int e = 0; e < edges->edge_count; e++) {
        for (int i = edges->start[e]; i < edges->start[e + 1]; i++)
            for (int k = edges->start[e]; k < i; k++)
                if (is_fold(t, &edges->halves[i], &edges->halves[k], t->tol) && n-- == 0)
                    return edges->halves[i].triangle;
    }
    return -1;
}

// Planes with folds are made anew; each time less is covered, so it ends. Answers the edges of what is left, in *scratch.
static RbMeshEdges unfold(RbTidy *t, RbArena *scratch) {
    enum { ROUNDS = 256 };
    for (int round = 0, given_up = 0;; round++) {
        RbArena s = *scratch;
        RbMesh mesh = rb_tidy_mesh(t);
        RbMeshEdges edges = rb_mesh_edges(&mesh, &s);
        int fold = round < ROUNDS ? find_fold(t, &edges, given_up) : -1;
        if (fold < 0) {
            *scratch = s;
            return edges;
        }
        int before = t->count;
        bool less = rb_tidy_net_plane(t, fold, s);
        given_up = less ? 0 : given_up + 1;
        if (!less && t->count == before) continue; // nothing was divided, either
        remove_collapsed(t);
        remove_flats(t, s);
        remove_back_to_back(t, s);
    }
}

// Is anything folded that is thicker than the tolerance, but not by much?
static bool stays_folded(const RbTidy *t, const RbMeshEdges *edges, RbArena scratch) {
    Vec3 *normals = rb_new_array(&scratch, Vec3, t->count);
    for (int i = 0; i < t->count; i++) {
        const int *v = t->triangles[i].v;
        normals[i] = area2(t, v[0], v[1], v[2]);
    }
    for (int e = 0; e < edges->edge_count; e++) {
        const RbHalfEdge *h = &edges->halves[edges->start[e]];
        if (edges->start[e + 1] - edges->start[e] == 2 &&
            v3_dot(normals[h[0].triangle], normals[h[1].triangle]) < 0 &&
            is_fold(t, &h[0], &h[1], RB_TIDY_COARSER * t->tol))
            return true;
    }
    return false;
}

// ---- edges that overlap ----

bool rb_tidy_is_within(const RbTidy *t, int m, int p, int q) {
    Vec3 d = v3_sub(t->x[q], t->x[p]), x = v3_sub(t->x[m], t->x[p]);
    double length = v3_norm(d), along = v3_dot(d, x);
    if (m == p || m == q || !(along > t->tol * length) || !(along < length * (length - t->tol)))
        return false;
    return v3_norm(v3_cross(d, x)) <= t->tol * length;
}

typedef struct Spoke {
    int hub, end, edge;
} Spoke;

// Two edges run from one vertex in one direction: the longer one is divided where the shorter one ends.
static bool divide_overlap(RbTidy *t, const RbMeshEdges *edges, const Spoke *a, const Spoke *b) {
    int far = rb_tidy_is_within(t, b->end, a->hub, a->end)   ? a->edge
              : rb_tidy_is_within(t, a->end, b->hub, b->end) ? b->edge
                                                             : -1;
    if (far < 0 || t->count + edges->start[far + 1] - edges->start[far] > t->room) return false;
    rb_tidy_divide(t, edges, far, far == a->edge ? b->end : a->end);
    remove_collapsed(t);
    return true;
}

static bool divide_one_overlap(RbTidy *t, const RbMeshEdges *edges, RbArena scratch) {
    int *start = rb_new_array(&scratch, int, (size_t)t->vertex_count + 2), count = 0;
    for (int pass = 0; pass < 2; pass++) {
        Spoke *spokes = rb_new_array(&scratch, Spoke, pass ? count : 0);
        for (int e = 0; e < edges->edge_count; e++) {
            uint64_t key = edges->halves[edges->start[e]].key;
            int v[2] = {(int)(key >> 32), (int)(uint32_t)key};
            for (int k = 0; k < 2; k++) {
                if (!t->met[v[k]]) continue;
                if (pass == 0) start[v[k] + 2]++, count++;
                if (pass == 1) spokes[start[v[k] + 1]++] = (Spoke){v[k], v[1 - k], e};
            }
        }
        for (int v = 0; pass == 0 && v <= t->vertex_count; v++) start[v + 1] += start[v];
        for (int v = 0; pass == 1 && v < t->vertex_count; v++) {
            for (int i = start[v]; i < start[v + 1]; i++) {
                for (int k = start[v]; k < i; k++)
                    if (divide_overlap(t, edges, &spokes[i], &spokes[k])) return true;
            }
        }
    }
    return false;
}

// Surfaces that meet in an edge must be divided at the same places: only then is it seen which triangles belong together.
// Parts may lie back to back then.
static void divide_overlaps(RbTidy *t, RbMeshEdges *edges, RbArena *scratch) {
    enum { ROUNDS = 256 };
    bool any = false;
    for (int v = 0; v < t->vertex_count && !any; v++) any = t->met[v];
    for (int round = 0; any && round < ROUNDS && divide_one_overlap(t, edges, *scratch); round++) {
        remove_back_to_back(t, *scratch);
        RbMesh mesh = rb_tidy_mesh(t);
        *edges = rb_mesh_edges(&mesh, scratch);
    }
}

RbMesh rb_mesh_tidy(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch, bool *folded) {
    int welded = 0;
    int *first = rb_mesh_weld(mesh, tol, &scratch, &welded);
    int room = 2 * mesh->triangle_count + 128, vertex_room = mesh->vertex_count + 128;
    RbTidy t = {.x = rb_new_array(&scratch, Vec3, vertex_room),
                .vertex_count = mesh->vertex_count,
                .vertex_room = vertex_room,
                .triangles = rb_new_array(&scratch, RbTriangle, room),
                .count = mesh->triangle_count,
                .room = room,
                .met = rb_new_array(&scratch, bool, vertex_room),
                .tol = tol};
    for (int i = 0; i < t.vertex_count; i++) t.x[i] = mesh->vertices[i];
    for (int i = 0; i < t.count; i++) {
        for (int k = 0; k < 3; k++) t.triangles[i].v[k] = first[mesh->triangles[i].v[k]];
    }
    for (int i = 0; i < t.vertex_count; i++)
        if (first[i] != i) t.met[first[i]] = true;
    remove_collapsed(&t);
    remove_back_to_back(&t, scratch);
    remove_flats(&t, scratch);
    remove_back_to_back(&t, scratch);
    RbMeshEdges edges = unfold(&t, &scratch);
    divide_overlaps(&t, &edges, &scratch);
    *folded = stays_folded(&t, &edges, scratch);
    RbMesh tidied = rb_tidy_mesh(&t);
    return rb_mesh_split(&tidied, &edges, keep, scratch);
}
