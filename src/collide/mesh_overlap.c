// SPDX-License-Identifier: MIT
#include "collide/mesh_overlap.h"

#include "collide/layer_press.h"
#include "collide/press_points.h"
#include "collide/round_overlap.h"

void rb_mesh_overlap_open(RbMeshOverlap *o, const RbSkin *a, const RbSkin *b, RbArena *arena) {
    *o = (RbMeshOverlap){0};
    rb_cut_open(&o->cut, a, b, arena);
    RbCutRoom room = rb_cut_reserve(&o->cut);
    int nodes = room.crossings + room.vertices;
    rb_array_reserve(&o->regions, arena,
                     room.crossings / 3 + a->component_count + b->component_count);
    rb_array_reserve(&o->polygons, arena, room.triangles);
    rb_array_reserve(&o->parent, arena, nodes);
    rb_array_reserve(&o->number, arena, nodes);
}

void rb_mesh_overlap_layers(RbMeshOverlap *o, const RbLayer *a, const RbLayer *b) {
    enum { POINTS = 6, MANY = 18, PIECES = 4, CORNERS = 16, FEW = 64 }; // of each face
    // Each face has one entry, but where regions are told apart one for each that it lies in: a few more.
    int faces = a->flat.count + b->flat.count + FEW;
    o->layers[0] = a;
    o->layers[1] = b;
    for (int k = 0; k < 2; k++) {
        o->pressed_number[k] = rb_new_array(o->cut.arena, int, o->layers[k]->flat.count);
        o->pressed_stamp[k] = rb_new_array(o->cut.arena, unsigned, o->layers[k]->flat.count);
    }
    if (faces > o->polygons.capacity) faces = o->polygons.capacity;
    rb_array_reserve(&o->pressed, o->cut.arena, faces);
    rb_array_reserve(&o->pieces, o->cut.arena, PIECES * faces);
    rb_array_reserve(&o->corners, o->cut.arena, CORNERS * faces);
    rb_array_reserve(&o->points, o->cut.arena, POINTS * faces + MANY * RB_PRESSED_MUCH);
}

// ---- regions: loops that share a node ----

// Nodes are numbered: crossings, inside vertices of A, inside vertices of B.
static int node_number(const RbMeshCut *cut, int side, int node) {
    if (node >= 0) return node;
    int before = side ? cut->inside[0].count : 0;
    return cut->crossings.count + before + cut->side[side].vertex_node[-1 - node];
}

int rb_overlap_root(RbMeshOverlap *o, int i) {
    int *parent = o->parent.data;
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

void rb_overlap_unite(RbMeshOverlap *o, int a, int b) {
    a = rb_overlap_root(o, a);
    b = rb_overlap_root(o, b);
    o->parent.data[a > b ? a : b] = a > b ? b : a;
}

static int first_node(const RbMeshOverlap *o, const RbCutLoop *l) {
    return node_number(&o->cut, l->side, o->cut.nodes.data[l->first]);
}

// Area vector of a loop, and its centroid, about its first point.
static RbOverlapPolygon measure(const RbMeshOverlap *o, int loop) {
    const RbCutLoop *l = &o->cut.loops.data[loop];
    const int *nodes = &o->cut.nodes.data[l->first];
    RbOverlapPolygon p = {l->side, l->triangle, 0, V3_ZERO, V3_ZERO, loop};
    Vec3 origin = rb_cut_point(&o->cut, l->side, nodes[0]), before = V3_ZERO, weighted = V3_ZERO;
    for (int i = 1; i < l->count; i++) {
        Vec3 x = v3_sub(rb_cut_point(&o->cut, l->side, nodes[i]), origin);
        p.area = v3_add(p.area, v3_cross(before, x));
        before = x;
    }
    p.area = v3_scale(0.5, p.area);
    Vec3 n = v3_unit_or(p.area, V3_ZERO);
    double total = 0;
    before = V3_ZERO;
    for (int i = 1; i < l->count; i++) {
        Vec3 x = v3_sub(rb_cut_point(&o->cut, l->side, nodes[i]), origin);
        double part = v3_dot(n, v3_cross(before, x));
        total += part;
        weighted = v3_axpy(weighted, part / 3, v3_add(before, x));
        before = x;
    }
    p.centroid = total > 0 ? v3_axpy(origin, 1 / total, weighted) : origin;
    return p;
}

// Loops of one triangle, one of them a hole: they bound the same region. (Two regions that meet such a
// triangle are taken for one.)
static void join_holes(RbMeshOverlap *o) {
    const RbCutLoop *loops = o->cut.loops.data;
    for (int l = 0, end; l < o->cut.loops.count; l = end) {
        for (end = l + 1; end < o->cut.loops.count && loops[end].triangle == loops[l].triangle &&
                          loops[end].side == loops[l].side;)
            end++;
        if (end - l < 2) continue;
        const RbSkin *skin = o->cut.side[loops[l].side].skin;
        const int *v = skin->mesh.triangles[loops[l].triangle].v;
        const Vec3 *x = o->cut.side[loops[l].side].shown;
        Vec3 n = v3_cross(v3_sub(x[v[1]], x[v[0]]), v3_sub(x[v[2]], x[v[0]]));
        bool hole = false;
        for (int i = l; i < end; i++) hole |= v3_dot(n, o->polygons.data[i].area) < 0;
        for (int i = l + 1; i < end && hole; i++) {
            rb_overlap_unite(o, first_node(o, &loops[l]), first_node(o, &loops[i]));
        }
    }
}

static void find_regions(RbMeshOverlap *o) {
    RbMeshCut *cut = &o->cut;
    int nodes = cut->crossings.count + cut->inside[0].count + cut->inside[1].count;
    o->parent.count = o->number.count = 0;
    for (int i = 0; i < nodes; i++) {
        rb_array_push(&o->parent, cut->arena, i);
        rb_array_push(&o->number, cut->arena, -1);
    }
    for (int l = 0; l < cut->loops.count; l++) {
        const RbCutLoop *loop = &cut->loops.data[l];
        int first = first_node(o, loop);
        for (int i = 1; i < loop->count; i++) {
            rb_overlap_unite(o, first,
                             node_number(cut, loop->side, cut->nodes.data[loop->first + i]));
        }
        rb_array_push(&o->polygons, cut->arena, measure(o, l));
    }
    join_holes(o);
    for (int l = 0; l < cut->loops.count; l++) {
        int root = rb_overlap_root(o, first_node(o, &cut->loops.data[l]));
        if (o->number.data[root] < 0) {
            o->number.data[root] = o->regions.count;
            // The centroid is summed about this point first.
            Vec3 origin = rb_cut_point(cut, cut->loops.data[l].side,
                                       cut->nodes.data[cut->loops.data[l].first]);
            rb_array_push(&o->regions, cut->arena, (RbOverlapRegion){.centroid = origin});
        }
        o->polygons.data[l].region = o->number.data[root];
    }
}

// ---- sums over the boundary of each region ----

// Tetrahedra from the region's origin over the triangles of a loop.
static void add_loop(const RbMeshOverlap *o, const RbOverlapPolygon *p, RbOverlapRegion *r,
                     Vec3 *moment, RbAabb *box) {
    const RbCutLoop *l = &o->cut.loops.data[p->loop];
    const int *nodes = &o->cut.nodes.data[l->first];
    Vec3 first = rb_cut_point(&o->cut, l->side, nodes[0]), a = v3_sub(first, r->centroid),
         b = V3_ZERO;
    *box = rb_aabb_add_point(*box, first);
    for (int i = 1; i < l->count; i++) {
        Vec3 x = rb_cut_point(&o->cut, l->side, nodes[i]), c = v3_sub(x, r->centroid);
        *box = rb_aabb_add_point(*box, x);
        if (i > 1) {
            double v = v3_dot(a, v3_cross(b, c)) / 6;
            r->volume += v;
            *moment = v3_axpy(*moment, v / 4, v3_add(a, v3_add(b, c)));
        }
        b = c;
    }
    if (l->side == 0) r->area_a = v3_add(r->area_a, p->area);
    r->area[l->side] += v3_norm(p->area);
}

static void add_extent(const RbMeshOverlap *o, const RbOverlapPolygon *p, RbOverlapRegion *r,
                       Vec3 n) {
    const RbCutLoop *l = &o->cut.loops.data[p->loop];
    for (int i = 0; i < l->count; i++) {
        Vec3 x = rb_cut_point(&o->cut, l->side, o->cut.nodes.data[l->first + i]);
        double along = v3_dot(n, v3_sub(x, r->centroid));
        r->low = rb_aabb_less(r->low, along);
        r->high = rb_aabb_more(r->high, along);
    }
}

// A volume that is hardly more than rounding has its centre anywhere.
static Vec3 within(Vec3 x, RbAabb box) {
    return v3_max(box.low, v3_min(box.high, x));
}

// A region has few polygons, and polygons few regions: each region walks over all.
static void measure_region(RbMeshOverlap *o, int region) {
    RbOverlapRegion *r = &o->regions.data[region];
    Vec3 moment = V3_ZERO;
    RbAabb box = RB_AABB_EMPTY;
    for (int i = 0; i < o->polygons.count; i++) {
        if (o->polygons.data[i].region == region)
            add_loop(o, &o->polygons.data[i], r, &moment, &box);
    }
    if (r->volume > 0) r->centroid = within(v3_axpy(r->centroid, 1 / r->volume, moment), box);
    Vec3 n = v3_unit(r->area_a);
    for (int i = 0; i < o->polygons.count; i++) {
        if (o->polygons.data[i].region == region) add_extent(o, &o->polygons.data[i], r, n);
    }
    o->volume += r->volume;
    o->area += v3_norm(r->area_a);
}

static bool same_vector(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Only velocities have changed?
static bool same_pose(const Pose *a, const Pose *b) {
    return same_vector(a->r, b->r) && same_vector(a->R.x, b->R.x) && same_vector(a->R.y, b->R.y) &&
           same_vector(a->R.z, b->R.z);
}

static void forget(RbMeshOverlap *o) {
    o->known = false;
    o->regions.count = o->polygons.count = 0;
    o->volume = o->area = o->stored = o->reached[0] = o->reached[1] = 0;
}

static bool is_empty(const RbMeshCut *cut) {
    return cut->crossings.count + cut->inside[0].count + cut->inside[1].count == 0;
}

bool rb_meshes_meet(RbMeshOverlap *o, Pose X_AB) {
    if (o->known && same_pose(&o->pose, &X_AB)) return o->volume > 0;
    if (rb_overlap_is_round(o)) {
        rb_mesh_overlap(o, X_AB);
        return o->volume > 0;
    }
    forget(o);
    rb_cut_find(&o->cut, X_AB);
    return !is_empty(&o->cut);
}

bool rb_mesh_overlap(RbMeshOverlap *o, Pose X_AB) {
    RbMeshCut *cut = &o->cut;
    if (o->known && same_pose(&o->pose, &X_AB)) return !cut->tangled;
    forget(o);
    o->known = true;
    o->pose = X_AB;
    if (rb_overlap_is_round(o)) {
        rb_round_overlap(o, X_AB);
        return true;
    }
    o->points.count = 0;
    rb_cut_find(cut, X_AB);
    rb_cut_clear_loops(cut);
    if (is_empty(cut)) return !cut->tangled;
    for (int side = 0; side < 2; side++) rb_cut_loops(cut, side, true);
    find_regions(o);
    for (int r = 0; r < o->regions.count; r++) measure_region(o, r);
    if (rb_overlap_has_layers(o)) rb_layer_press(o);
    return !cut->tangled;
}

bool rb_mesh_overlap_apart(RbMeshOverlap *o, Pose X_AB) {
    o->known = false;
    o->regions_apart = true;
    bool told = rb_mesh_overlap(o, X_AB);
    o->regions_apart = o->known = false;
    return told;
}
