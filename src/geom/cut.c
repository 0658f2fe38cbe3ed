// SPDX-License-Identifier: MIT
// Crossings of edges and triangles, and which vertices are inside.
#include "geom/cut.h"

#include "geom/predicate.h"

// Crossings of one edge closer than this may be in the wrong order.
#define CLOSE_T 1e-11

// An edge that enters twice before it leaves, farther apart than this: a surface crosses itself.
#define FAR_T 1e-6

// Boxes are grown by this part of the size before they are compared: poses are rounded.
#define MARGIN 1e-14

static void open_side(RbCutSide *s, const RbSkin *skin, RbArena *arena) {
    size_t nv = (size_t)skin->mesh.vertex_count, ne = (size_t)skin->edge_count,
           nt = (size_t)skin->mesh.triangle_count;
    *s = (RbCutSide){.skin = skin,
                     .x_stamp = rb_new_array(arena, unsigned, nv),
                     .vertex_stamp = rb_new_array(arena, unsigned, nv),
                     .edge_stamp = rb_new_array(arena, unsigned, ne),
                     .triangle_stamp = rb_new_array(arena, unsigned, nt),
                     .component_stamp = rb_new_array(arena, unsigned, skin->component_count),
                     .state = rb_new_array(arena, signed char, nv),
                     .edge_first = rb_new_array(arena, int, ne),
                     .vertex_node = rb_new_array(arena, int, nv),
                     .facet_number = rb_new_array(arena, int, nt)};
    s->x = s->shown = rb_new_array(arena, Vec3, nv);
}

void rb_cut_open(RbMeshCut *cut, const RbSkin *a, const RbSkin *b, RbArena *arena) {
    *cut = (RbMeshCut){.arena = arena};
    open_side(&cut->side[0], a, arena);
    open_side(&cut->side[1], b, arena);
    cut->side[1].name = (unsigned)a->mesh.vertex_count;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

RbCutRoom rb_cut_reserve(RbMeshCut *cut) {
    enum { CROSSINGS = 4096, TRIANGLES = 8192, PAIRS = 131072, FEW = 64 };
    const RbSkin *a = cut->side[0].skin, *b = cut->side[1].skin;
    int edges = least(a->edge_count + b->edge_count, TRIANGLES * 3 / 2);
    RbCutRoom room = {.crossings = least(most(edges, FEW), CROSSINGS),
                      .vertices = least(a->mesh.vertex_count + b->mesh.vertex_count, TRIANGLES)};
    int n = room.crossings, pieces = 5 * n + 2 * edges; // both sides of each part of an edge
    room.triangles = least(a->mesh.triangle_count + b->mesh.triangle_count, TRIANGLES) + n;
    rb_array_reserve(&cut->crossings, cut->arena, 2 * n);
    rb_array_reserve(&cut->order, cut->arena, n);
    rb_array_reserve(&cut->spare, cut->arena, pieces);
    rb_array_reserve(&cut->pairs, cut->arena, pieces);
    for (int k = 0; k < 4; k++) rb_array_reserve(&cut->segments[k], cut->arena, n);
    for (int k = 0; k < 2; k++) {
        RbCutSide *s = &cut->side[k];
        rb_array_reserve(&cut->inside[k], cut->arena, room.vertices);
        rb_array_reserve(&s->facets, cut->arena, least(s->skin->mesh.triangle_count, TRIANGLES));
    }
    rb_array_reserve(&cut->pieces, cut->arena, pieces);
    rb_array_reserve(&cut->loops, cut->arena, room.triangles);
    rb_array_reserve(&cut->nodes, cut->arena, 2 * pieces);
    rb_array_reserve(&cut->near, cut->arena, least(most(64 * room.triangles, FEW), 2 * PAIRS));
    rb_array_reserve(&cut->stack, cut->arena, 4 * (a->tree.depth + b->tree.depth + 1));
    return room;
}

// Names beyond those of the vertices.
static unsigned free_name(const RbMeshCut *cut) {
    return cut->side[1].name + (unsigned)cut->side[1].skin->mesh.vertex_count;
}

static Vec3 vertex(RbMeshCut *cut, RbCutSide *s, int v) {
    if (!s->given && s->x_stamp[v] != cut->stamp) {
        s->x_stamp[v] = cut->stamp;
        Vec3 p = s->skin->mesh.vertices[v];
        s->x[v] = s->moved ? pose_point(s->X, p) : p;
    }
    return s->x[v];
}

static RbNamed named(RbMeshCut *cut, RbCutSide *s, int v) {
    return (RbNamed){vertex(cut, s, v), s->name + (unsigned)v};
}

Vec3 rb_cut_point(const RbMeshCut *cut, int side, int node) {
    return node >= 0 ? cut->crossings.data[node].point : cut->side[side].shown[-1 - node];
}

// ---- pairs of triangles ----

static bool pierces(RbNamed p, RbNamed q, const RbNamed t[3]) {
    int s = rb_orient3d_named(p, q, t[0], t[1]);
    return rb_orient3d_named(p, q, t[1], t[2]) == s && rb_orient3d_named(p, q, t[2], t[0]) == s;
}

// Where an edge meets the plane of a triangle, from the sides of its ends. If these do not differ (only
// the grown solids cross), the nearer end.
static double place(double p, double q) {
    if ((p > 0) != (q > 0) && p != q) return p / (p - q);
    return fabs(p) == fabs(q) ? 0.5 : fabs(p) < fabs(q) ? 0 : 1;
}

// As the predicates see it: an edge in the plane crosses it as its ends start to move by their names.
static double place_seen(RbNamed p, RbNamed q, const RbNamed t[3]) {
    double from = rb_orient3d_value(t[0].x, t[1].x, t[2].x, p.x);
    double to = rb_orient3d_value(t[0].x, t[1].x, t[2].x, q.x);
    if (from == 0 && to == 0) {
        from = rb_orient3d_slope(t[0], t[1], t[2], p);
        to = rb_orient3d_slope(t[0], t[1], t[2], q);
    }
    return place(from, to);
}

// As it is shown.
static double place_shown(const RbCutSide *s, const RbSkinEdge *e, const RbCutSide *o, int face) {
    const int *v = o->skin->mesh.triangles[face].v;
    Vec3 a = o->shown[v[0]], b = o->shown[v[1]], c = o->shown[v[2]];
    return place(rb_orient3d_value(a, b, c, s->shown[e->v[0]]),
                 rb_orient3d_value(a, b, c, s->shown[e->v[1]]));
}

static void add_crossing(RbMeshCut *cut, int side, int edge, int face, bool enters, double t) {
    const RbCutSide *s = &cut->side[side], *o = &cut->side[1 - side];
    const RbSkinEdge *e = &s->skin->edges[edge];
    double shown = t;
    if (s->x != s->shown || o->x != o->shown) shown = place_shown(s, e, o, face);
    Vec3 p = s->shown[e->v[0]], q = s->shown[e->v[1]];
    Vec3 point =
        shown < 0.5 ? v3_lerp(p, q, shown) : v3_lerp(q, p, 1 - shown); // exact at both ends
    rb_array_push(&cut->crossings, cut->arena, (RbCrossing){side, edge, face, enters, t, point});
}

static bool same3(const int s[3]) {
    return s[0] == s[1] && s[1] == s[2];
}

// Every edge belongs to two triangles; the one that runs along it forward looks for its crossings.
static void edges_through(RbMeshCut *cut, int side, int triangle, const RbNamed p[3],
                          const int above[3], int face, const RbNamed q[3]) {
    const RbSkin *s = cut->side[side].skin;
    for (int k = 0; k < 3; k++) {
        int edge = s->triangle_edges[triangle][k], n = (k + 1) % 3;
        if (above[k] == above[n] || !rb_skin_forward(s, edge, triangle)) continue;
        if (!pierces(p[k], p[n], q)) continue;
        add_crossing(cut, side, edge, face, above[k] > 0, place_seen(p[k], p[n], q));
    }
}

static RbAabb box_of(const RbNamed p[3]) {
    return (RbAabb){rb_aabb_min(rb_aabb_min(p[0].x, p[1].x), p[2].x),
                    rb_aabb_max(rb_aabb_max(p[0].x, p[1].x), p[2].x)};
}

static bool boxes_part(const RbNamed p[3], const RbNamed q[3], double margin) {
    return !rb_aabb_overlap(rb_aabb_grow(box_of(p), margin), box_of(q));
}

// Is some line in the plane of p, across one of its sides, clear of q? Only rounding could deny it.
static bool side_parts(const RbNamed p[3], const RbNamed q[3], double margin) {
    Vec3 n = v3_cross(v3_sub(p[1].x, p[0].x), v3_sub(p[2].x, p[0].x));
    for (int k = 0; k < 3; k++) {
        Vec3 out = v3_unit(v3_cross(v3_sub(p[(k + 1) % 3].x, p[k].x), n));
        double least = INFINITY;
        for (int i = 0; i < 3; i++) least = fmin(least, v3_dot(out, v3_sub(q[i].x, p[k].x)));
        if (least > margin) return true;
    }
    return false;
}

static double sum_abs(Vec3 v) {
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

// On which sides of a triangle's plane are three points? As rb_orient3d of each, whose error is below 7.8e-16 of the
// product here; it is asked where that leaves a doubt.
static void sides_of_plane(const RbNamed face[3], const RbNamed x[3], int above[3]) {
    Vec3 b = v3_sub(face[1].x, face[0].x), c = v3_sub(face[2].x, face[0].x), n = v3_cross(b, c);
    double error = 2e-15 * sum_abs(b) * sum_abs(c);
    for (int k = 0; k < 3; k++) {
        Vec3 d = v3_sub(x[k].x, face[0].x);
        double det = v3_dot(n, d);
        above[k] = fabs(det) > error * sum_abs(d)
                       ? (det > 0) - (det < 0)
                       : rb_orient3d(face[0].x, face[1].x, face[2].x, x[k].x);
    }
}

// The same; false if all are on one side. Points exactly on it are
// dear to decide and common where faces lie in one plane: first a look whether the two are near at all.
static bool straddles(const RbNamed face[3], const RbNamed x[3], int above[3], double margin) {
    sides_of_plane(face, x, above);
    bool flat = above[0] == 0 || above[1] == 0 || above[2] == 0;
    if (flat && (side_parts(face, x, margin) || side_parts(x, face, margin))) return false;
    for (int k = 0; k < 3 && flat; k++) {
        if (above[k] == 0) above[k] = rb_orient3d_named(face[0], face[1], face[2], x[k]);
    }
    return !same3(above);
}

static void corners_of(RbMeshCut *cut, RbCutSide *s, int t, RbNamed out[3]) {
    for (int k = 0; k < 3; k++) out[k] = named(cut, s, s->skin->mesh.triangles[t].v[k]);
}

static void fill_facet(RbMeshCut *cut, int side, RbCutFacet *f) {
    corners_of(cut, &cut->side[side], f->triangle, f->x);
    f->box = box_of(f->x);
}

static void test_facets(RbMeshCut *cut, const RbCutFacet *a, const RbCutFacet *b, double margin) {
    int above_b[3], above_a[3];
    cut->tests++;
    if (!rb_aabb_overlap(a->box, b->box) || !straddles(a->x, b->x, above_a, margin) ||
        !straddles(b->x, a->x, above_b, margin))
        return;
    edges_through(cut, 0, a->triangle, a->x, above_b, b->triangle, b->x);
    edges_through(cut, 1, b->triangle, b->x, above_a, a->triangle, a->x);
}

static void test_leaves(RbMeshCut *cut, const RbMeshNode *a, const RbMeshNode *b, double margin) {
    RbCutFacet facets[2][RB_MESH_LEAF];
    const RbMeshNode *leaves[2] = {a, b};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < leaves[side]->count; i++) {
            int first = leaves[side]->first;
            facets[side][i].triangle = cut->side[side].skin->tree.triangles[first + i];
            fill_facet(cut, side, &facets[side][i]);
        }
    }
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) test_facets(cut, &facets[0][i], &facets[1][k], margin);
}

// Are two triangles farther apart than the margin along a direction of any length?
static bool parts_along(Vec3 d, const RbNamed p[3], const RbNamed q[3], double margin) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 6; k++) {
        double along = v3_dot(d, v3_sub((k < 3 ? p[k] : q[k - 3]).x, p[0].x));
        low[k / 3] = rb_aabb_less(low[k / 3], along);
        high[k / 3] = rb_aabb_more(high[k / 3], along);
    }
    double gap = rb_aabb_more(low[1] - high[0], low[0] - high[1]);
    return gap > 0 && gap * gap > margin * margin * v3_norm2(d);
}

// Along the normal of p, or across one of its sides in its plane.
static bool parts_across(const RbNamed p[3], const RbNamed q[3], double margin) {
    Vec3 n = v3_cross(v3_sub(p[1].x, p[0].x), v3_sub(p[2].x, p[0].x));
    if (parts_along(n, p, q, margin)) return true;
    for (int k = 0; k < 3; k++) {
        Vec3 side = v3_sub(p[(k + 1) % 3].x, p[k].x);
        if (parts_along(v3_cross(side, n), p, q, margin)) return true;
    }
    return false;
}

// A gap along any direction will do, so rounding of the direction does no harm; that of the gap is far
// below the margin.
static bool are_apart(RbMeshCut *cut, int ta, int tb, double margin) {
    RbNamed p[3], q[3];
    corners_of(cut, &cut->side[0], ta, p);
    corners_of(cut, &cut->side[1], tb, q);
    return boxes_part(p, q, margin) || parts_across(p, q, margin) || parts_across(q, p, margin);
}

// The number of a triangle among those in near pairs.
static int facet_number(RbMeshCut *cut, int side, int triangle) {
    RbCutSide *s = &cut->side[side];
    int *number = &s->facet_number[triangle];
    if (*number < s->facets.count && s->facets.data[*number].triangle == triangle) return *number;
    *number = s->facets.count;
    rb_array_push(&s->facets, cut->arena, (RbCutFacet){.triangle = triangle});
    return *number;
}

static void note_leaves(RbMeshCut *cut, const RbMeshNode *a, const RbMeshNode *b, double margin) {
    const int *ta = &cut->side[0].skin->tree.triangles[a->first],
              *tb = &cut->side[1].skin->tree.triangles[b->first];
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            if (are_apart(cut, ta[i], tb[k], margin)) continue;
            rb_array_push(&cut->near, cut->arena, facet_number(cut, 0, ta[i]));
            rb_array_push(&cut->near, cut->arena, facet_number(cut, 1, tb[k]));
        }
    }
}

static double extent(const RbMeshNode *n) {
    return n->half.x + n->half.y + n->half.z;
}

// All pairs of triangles closer than `margin`, and some more.
static void find_near(RbMeshCut *cut, const RbBoxPose *X, double margin) {
    const RbMeshNode *a = cut->side[0].skin->tree.nodes, *b = cut->side[1].skin->tree.nodes;
    cut->near.count = cut->stack.count = 0;
    for (int k = 0; k < 2; k++) cut->side[k].facets.count = 0;
    rb_array_push(&cut->stack, cut->arena, 0);
    rb_array_push(&cut->stack, cut->arena, 0);
    while (cut->stack.count > 0) {
        int ib = cut->stack.data[--cut->stack.count], ia = cut->stack.data[--cut->stack.count];
        const RbMeshNode *na = &a[ia], *nb = &b[ib];
        if (rb_mesh_node_gap(na, nb, X, margin) > margin) continue;
        if (na->count > 0 && nb->count > 0) {
            if (cut->side[1].given) // cut once: nothing is kept for a next time
                test_leaves(cut, na, nb, margin);
            else
                note_leaves(cut, na, nb, margin);
            continue;
        }
        bool open_a = nb->count > 0 || (na->count == 0 && extent(na) >= extent(nb));
        for (int k = 1; k >= 0; k--) {
            rb_array_push(&cut->stack, cut->arena, !open_a ? ia : k ? na->right : na->left);
            rb_array_push(&cut->stack, cut->arena, open_a ? ib : k ? nb->right : nb->left);
        }
    }
}

// [m] How far a point of B has moved at most since the pairs were found.
static double moved_since(const RbMeshCut *cut, Pose X) {
    const RbMeshNode *root = &cut->side[1].skin->tree.nodes[0];
    Mat3 D = m3_sub(X.R, cut->near_pose.R);
    double turn = sqrt(v3_norm2(D.x) + v3_norm2(D.y) + v3_norm2(D.z));
    Vec3 centre = v3_add(v3_sub(X.r, cut->near_pose.r), m3_mul_vec(D, root->centre));
    return v3_norm(centre) + turn * root->radius;
}

// Pairs are found with a reach of some evaluations at the present speed. The result does not depend on
// that: crossings are numbered by edge and face.
static void find_crossings(RbMeshCut *cut, Pose X, double margin) {
    double moved = moved_since(cut, X);
    if (cut->side[1].given || cut->near_uses == 0 || !(moved < cut->near_reach)) {
        RbBoxPose boxes = rb_box_pose(X);
        double most = 0.2 * fmin(cut->side[0].skin->mean_side, cut->side[1].skin->mean_side);
        cut->near_reach = cut->near_uses == 0 ? 0 : fmin(most, 8 * moved / cut->near_uses);
        cut->near_pose = X;
        cut->near_uses = 0;
        find_near(cut, &boxes, margin + cut->near_reach);
    }
    cut->near_uses++;
    RbCutFacet *facets[2] = {cut->side[0].facets.data, cut->side[1].facets.data};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < cut->side[k].facets.count; i++) fill_facet(cut, k, &facets[k][i]);
    for (int i = 0; i < cut->near.count; i += 2)
        test_facets(cut, &facets[0][cut->near.data[i]], &facets[1][cut->near.data[i + 1]], margin);
}

static void sort_keyed(RbMeshCut *cut, RbKeyed *items, int count) {
    rb_array_reserve(&cut->spare, cut->arena, count);
    rb_sort_keys(items, cut->spare.data, count);
}

// By side, edge and face.
static void number_crossings(RbMeshCut *cut) {
    int n = cut->crossings.count;
    cut->order.count = 0;
    if (n == 0) return;
    for (int i = 0; i < n; i++) {
        const RbCrossing *c = &cut->crossings.data[i];
        uint64_t key = (uint64_t)c->side << 63 | (uint64_t)(uint32_t)c->edge << 31;
        rb_array_push(&cut->order, cut->arena, (RbKeyed){key | (uint32_t)c->face, 0, i});
    }
    sort_keyed(cut, cut->order.data, n);
    rb_array_reserve(&cut->crossings, cut->arena, 2 * n);
    RbCrossing *sorted = cut->crossings.data + n;
    for (int i = 0; i < n; i++) sorted[i] = cut->crossings.data[cut->order.data[i].item];
    memcpy(cut->crossings.data, sorted, sizeof *sorted * (size_t)n);
}

// ---- segments: each pair of triangles has two crossings or none ----

static void note_pair(RbMeshCut *cut, int ta, int tb, int crossing) {
    uint64_t key = (uint64_t)(uint32_t)ta << 32 | (uint32_t)tb;
    rb_array_push(&cut->pairs, cut->arena, (RbKeyed){key, 0, crossing});
}

// Is the crossing the end of its segment, as triangle ta of A runs along it with what is inside B to
// its left? There the boundary of ta enters B; for an edge of B it is the other way around.
static bool ends_segment(const RbMeshCut *cut, const RbCrossing *c, int ta, int tb) {
    bool forward = rb_skin_forward(cut->side[c->side].skin, c->edge, c->side ? tb : ta);
    return (c->enters == forward) != (c->side == 1);
}

static void tangle(RbMeshCut *cut, Vec3 at) {
    if (!cut->tangled) cut->tangled_at = at;
    cut->tangled = true;
}

static void find_segments(RbMeshCut *cut) {
    cut->pairs.count = 0;
    for (int k = 0; k < 4; k++) cut->segments[k].count = 0;
    for (int i = 0; i < cut->crossings.count; i++) {
        const RbCrossing *c = &cut->crossings.data[i];
        const int *t = cut->side[c->side].skin->edges[c->edge].t;
        for (int k = 0; k < 2; k++)
            note_pair(cut, c->side ? c->face : t[k], c->side ? t[k] : c->face, i);
    }
    sort_keyed(cut, cut->pairs.data, cut->pairs.count);
    for (int i = 0; i + 1 < cut->pairs.count; i += 2) {
        const RbKeyed *k = &cut->pairs.data[i];
        int ta = (int)(k->key >> 32), tb = (int)(uint32_t)k->key, from = k[0].item, to = k[1].item;
        if (ends_segment(cut, &cut->crossings.data[from], ta, tb)) from = k[1].item, to = k[0].item;
        bool sound = k[0].key == k[1].key &&
                     !ends_segment(cut, &cut->crossings.data[from], ta, tb) &&
                     ends_segment(cut, &cut->crossings.data[to], ta, tb);
        if (!sound) tangle(cut, cut->crossings.data[from].point);
        int segment[4] = {ta, tb, from, to};
        for (int n = 0; n < 4; n++) rb_array_push(&cut->segments[n], cut->arena, segment[n]);
        cut->side[0].triangle_stamp[ta] = cut->side[1].triangle_stamp[tb] = cut->stamp;
    }
}

// ---- vertices: inside or outside ----

static void set_state(RbMeshCut *cut, int side, int v, bool inside) {
    RbCutSide *s = &cut->side[side];
    if (s->vertex_stamp[v] == cut->stamp) {
        if ((s->state[v] > 0) != inside) tangle(cut, vertex(cut, s, v));
        return;
    }
    s->vertex_stamp[v] = cut->stamp;
    s->state[v] = inside ? 1 : -1;
    if (!inside) return;
    s->vertex_node[v] = cut->inside[side].count;
    rb_array_push(&cut->inside[side], cut->arena, v);
}

static bool knows(const RbMeshCut *cut, int side, int v) {
    return cut->side[side].vertex_stamp[v] == cut->stamp;
}

// The crossings of one edge, in cut->order.
typedef struct Run {
    int first, count, side, edge;
    int balance; // enters minus leaves
} Run;

static Run run_at(const RbMeshCut *cut, int first) {
    const RbKeyed *o = cut->order.data;
    const RbCrossing *c = &cut->crossings.data[o[first].item];
    Run r = {first, 0, c->side, c->edge, 0};
    while (first + r.count < cut->order.count && o[first + r.count].key == o[first].key) {
        r.balance += cut->crossings.data[o[first + r.count++].item].enters ? 1 : -1;
    }
    return r;
}

static bool enters(const RbMeshCut *cut, int at) {
    return cut->crossings.data[cut->order.data[at].item].enters;
}

// In or out at the start of an edge: by the balance, or by the first crossing if its place is not in
// doubt.
static bool starts_sure(const RbMeshCut *cut, const Run *r, bool *inside) {
    const RbKeyed *o = &cut->order.data[r->first];
    *inside = r->balance != 0 ? r->balance < 0 : !enters(cut, r->first);
    if (r->balance != 0) return true;
    for (int i = 1; i < r->count && o[i].value - o[0].value < CLOSE_T; i++) {
        if (enters(cut, r->first + i) != enters(cut, r->first)) return false;
    }
    return true;
}

// Enter and leave in turn, whatever rounding made of the places.
static void alternate(RbMeshCut *cut, const Run *r, bool inside) {
    RbKeyed *o = &cut->order.data[r->first];
    for (int i = 0; i < r->count; i++, inside = !inside) {
        int k = i;
        while (k < r->count && cut->crossings.data[o[k].item].enters == inside) k++;
        if (k == r->count || o[k].value - o[i].value > FAR_T) {
            tangle(cut, cut->crossings.data[o[i].item].point);
            return;
        }
        RbKeyed moved = o[k];
        for (; k > i; k--) o[k] = o[k - 1];
        o[i] = moved;
    }
}

static void settle(RbMeshCut *cut, const Run *r, bool inside) {
    const int *v = cut->side[r->side].skin->edges[r->edge].v;
    alternate(cut, r, inside);
    set_state(cut, r->side, v[0], inside);
    set_state(cut, r->side, v[1], inside != (r->count & 1));
}

static void order_crossings(RbMeshCut *cut) {
    cut->order.count = 0;
    for (int i = 0; i < cut->crossings.count; i++) {
        const RbCrossing *c = &cut->crossings.data[i];
        uint64_t key = (uint64_t)c->side << 32 | (uint32_t)c->edge;
        rb_array_push(&cut->order, cut->arena, (RbKeyed){key, c->t, i});
    }
    sort_keyed(cut, cut->order.data, cut->order.count);
    for (int i = 0; i < cut->order.count;) {
        Run r = run_at(cut, i);
        RbCutSide *s = &cut->side[r.side];
        s->edge_stamp[r.edge] = cut->stamp;
        s->edge_first[r.edge] = i;
        s->component_stamp[s->skin->component[s->skin->edges[r.edge].t[0]]] = cut->stamp;
        for (int k = 0; k < 2; k++) {
            s->triangle_stamp[s->skin->edges[r.edge].t[k]] = cut->stamp;
            vertex(cut, s, s->skin->edges[r.edge].v[k]);
        }
        i += r.count;
    }
}

// Inside vertices spread over edges that are not crossed.
static void flood(RbMeshCut *cut, int side, int from) {
    const RbSkin *s = cut->side[side].skin;
    for (int i = from; i < cut->inside[side].count; i++) {
        int v = cut->inside[side].data[i];
        vertex(cut, &cut->side[side], v);
        for (int k = s->vertex_start[v]; k < s->vertex_start[v + 1]; k++) {
            int e = s->vertex_edges[k];
            if (cut->side[side].edge_stamp[e] == cut->stamp) continue;
            set_state(cut, side, s->edges[e].v[0] == v ? s->edges[e].v[1] : s->edges[e].v[0], true);
        }
    }
}

// ---- a point against a whole solid ----

static bool segment_meets_node(const RbMeshNode *n, Vec3 p, Vec3 d, double margin) {
    double low = 0, high = 1;
    for (int k = 0; k < 3; k++) {
        double c = v3_get(n->centre, k) - v3_get(p, k), h = v3_get(n->half, k) + margin,
               along = v3_get(d, k);
        double t0 = (c - h) / along, t1 = (c + h) / along; // no component of d is zero
        low = fmax(low, fmin(t0, t1));
        high = fmin(high, fmax(t0, t1));
    }
    return low <= high;
}

static int crossing_sign(RbMeshCut *cut, int other, int t, RbNamed p, RbNamed far) {
    RbCutSide *o = &cut->side[other];
    RbNamed q[3];
    for (int k = 0; k < 3; k++) q[k] = named(cut, o, o->skin->mesh.triangles[t].v[k]);
    int s = rb_orient3d_named(q[0], q[1], q[2], p);
    if (s == rb_orient3d_named(q[0], q[1], q[2], far) || !pierces(p, far, q)) return 0;
    return s < 0 ? 1 : -1; // p below the triangle: the segment leaves
}

// How often the other surface winds around a vertex: signed crossings on the way to a far point.
static bool is_inside(RbMeshCut *cut, int side, int v, double margin) {
    int other = 1 - side, winding = 0;
    RbCutSide *o = &cut->side[other];
    const RbMeshTree *tree = &o->skin->tree;
    RbNamed p = named(cut, &cut->side[side], v);
    double far_away = 4 * (cut->side[0].skin->size + cut->side[1].skin->size) + v3_max_abs(p.x) +
                      v3_max_abs(o->X.r);
    Vec3 way = v3_scale(2 * far_away, v3(0.5377, 0.4219, 1.0113));
    RbNamed far = {v3_add(p.x, way), free_name(cut)};
    Vec3 start = o->moved ? pose_unpoint(o->X, p.x) : p.x;
    Vec3 d = o->moved ? m3_tmul_vec(o->X.R, way) : way;
    for (int k = 0; k < 3; k++) {
        if (fabs(v3_get(d, k)) < 1e-9 * far_away) d = v3_set(d, k, 1e-9 * far_away);
    }
    cut->stack.count = 0;
    rb_array_push(&cut->stack, cut->arena, 0);
    while (cut->stack.count > 0) {
        const RbMeshNode *n = &tree->nodes[cut->stack.data[--cut->stack.count]];
        if (!segment_meets_node(n, start, d, margin + 1e-8 * far_away)) continue;
        for (int i = 0; i < n->count; i++) {
            winding += crossing_sign(cut, other, tree->triangles[n->first + i], p, far);
        }
        if (n->count > 0) continue;
        rb_array_push(&cut->stack, cut->arena, n->right);
        rb_array_push(&cut->stack, cut->arena, n->left);
    }
    return winding > 0;
}

// Edges whose ends were in doubt: what neighbours say, or else the whole solid.
static void settle_rest(RbMeshCut *cut, double margin) {
    for (int i = 0; i < cut->order.count;) {
        Run r = run_at(cut, i);
        const int *v = cut->side[r.side].skin->edges[r.edge].v;
        i += r.count;
        if (knows(cut, r.side, v[0]) && knows(cut, r.side, v[1])) {
            alternate(cut, &r, cut->side[r.side].state[v[0]] > 0);
            continue;
        }
        bool inside;
        if (knows(cut, r.side, v[0])) {
            inside = cut->side[r.side].state[v[0]] > 0;
        } else if (knows(cut, r.side, v[1])) {
            inside = cut->side[r.side].state[v[1]] > 0; // the balance is zero
        } else {
            inside = is_inside(cut, r.side, v[0], margin);
        }
        settle(cut, &r, inside);
    }
}

static void settle_sure(RbMeshCut *cut) {
    for (int i = 0; i < cut->order.count;) {
        Run r = run_at(cut, i);
        bool inside;
        if (starts_sure(cut, &r, &inside)) settle(cut, &r, inside);
        i += r.count;
    }
}

// In the box of the other solid?
static bool in_box(RbMeshCut *cut, int side, int v, double margin) {
    const RbCutSide *o = &cut->side[1 - side];
    const RbMeshNode *root = &o->skin->tree.nodes[0];
    Vec3 p = vertex(cut, &cut->side[side], v);
    if (side == 0) p = pose_unpoint(o->X, p);
    Vec3 off = v3_sub(v3_abs(v3_sub(p, root->centre)), root->half);
    return off.x <= margin && off.y <= margin && off.z <= margin;
}

// A component inside the other solid has all of its vertices in its box: look at those farthest out.
static bool may_be_inside(RbMeshCut *cut, int side, int component, double margin) {
    const int *extremes = cut->side[side].skin->extremes[component];
    for (int k = 0; k < 6; k++) {
        if (!in_box(cut, side, extremes[k], margin)) return false;
    }
    return true;
}

// Components none of whose edges crosses the other surface are inside or outside as a whole.
static void settle_whole_components(RbMeshCut *cut, int side, double margin) {
    const RbSkin *s = cut->side[side].skin;
    for (int c = 0; c < s->component_count; c++) {
        int v = s->mesh.triangles[s->component_first[c]].v[0];
        if (cut->side[side].component_stamp[c] == cut->stamp) continue;
        if (!may_be_inside(cut, side, c, margin) || !is_inside(cut, side, v, margin)) continue;
        int from = cut->inside[side].count;
        set_state(cut, side, v, true);
        flood(cut, side, from);
    }
}

void rb_cut_find(RbMeshCut *cut, Pose X) {
    double margin =
        MARGIN * (cut->side[0].skin->size + cut->side[1].skin->size + v3_max_abs(X.r)) + cut->slack;
    cut->stamp++;
    cut->tangled = false;
    cut->tests = 0;
    cut->crossings.count = cut->order.count = cut->inside[0].count = cut->inside[1].count = 0;
    for (int k = 0; k < 4; k++) cut->segments[k].count = 0;
    cut->side[1].moved = true;
    cut->side[1].X = X;
    RbBoxPose boxes = rb_box_pose(X);
    if (rb_mesh_node_gap(&cut->side[0].skin->tree.nodes[0], &cut->side[1].skin->tree.nodes[0],
                         &boxes, margin) > margin) {
        return; // nothing is inside anything
    }
    find_crossings(cut, X, margin);
    number_crossings(cut);
    find_segments(cut);
    order_crossings(cut);
    settle_sure(cut);
    for (int side = 0; side < 2; side++) flood(cut, side, 0);
    settle_rest(cut, margin);
    for (int side = 0; side < 2; side++) {
        flood(cut, side, 0);
        settle_whole_components(cut, side, margin);
    }
}
