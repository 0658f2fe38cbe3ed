// SPDX-License-Identifier: MIT
// Options, laws and walls of a cloud as bytes.
#include <math.h>
#include <string.h>

#include "dem/remote.h"

static void pack_array(RbPacker *p, const void *items, size_t size, int count) {
    rb_pack_u64(p, (uint64_t)count);
    rb_pack_bytes(p, items, size * (size_t)count);
}

// NULL: the bytes end before.
static void *unpack_array(RbUnpacker *u, RbArena *arena, size_t size, int *count) {
    uint64_t n = rb_unpack_u64(u);
    if (!u->ok || n > (u->size - u->at) / size) {
        u->ok = false;
        n = 0;
    }
    void *items = rb_arena_push_array(arena, size, (size_t)n + 1, sizeof(double));
    rb_unpack_bytes(u, items, size * (size_t)n);
    if (count) *count = (int)n;
    return items;
}

static void pack_polytope(const RbPolytope *t, RbPacker *p) {
    int joined = t->neighbour_start[t->vertex_count], around = t->face_start[t->face_count];
    pack_array(p, t->vertices, sizeof(Vec3), t->vertex_count);
    pack_array(p, t->neighbour_start, sizeof(int), t->vertex_count + 1);
    pack_array(p, t->neighbours, sizeof(int), joined);
    pack_array(p, t->vertex_faces, sizeof(int), joined);
    pack_array(p, t->face_normals, sizeof(Vec3), t->face_count);
    pack_array(p, t->face_offsets, sizeof(double), t->face_count);
    pack_array(p, t->face_start, sizeof(int), t->face_count + 1);
    pack_array(p, t->face_vertices, sizeof(int), around);
    pack_array(p, t->edges, sizeof(int[2]), t->edge_count);
    pack_array(p, t->edge_faces, sizeof(int[2]), t->edge_count);
}

static RbPolytope *unpack_polytope(RbUnpacker *u, RbArena *arena) {
    RbPolytope *t = rb_new(arena, RbPolytope);
    t->vertices = unpack_array(u, arena, sizeof(Vec3), &t->vertex_count);
    t->neighbour_start = unpack_array(u, arena, sizeof(int), NULL);
    t->neighbours = unpack_array(u, arena, sizeof(int), NULL);
    t->vertex_faces = unpack_array(u, arena, sizeof(int), NULL);
    t->face_normals = unpack_array(u, arena, sizeof(Vec3), &t->face_count);
    t->face_offsets = unpack_array(u, arena, sizeof(double), NULL);
    t->face_start = unpack_array(u, arena, sizeof(int), NULL);
    t->face_vertices = unpack_array(u, arena, sizeof(int), NULL);
    t->edges = unpack_array(u, arena, sizeof(int[2]), &t->edge_count);
    t->edge_faces = unpack_array(u, arena, sizeof(int[2]), NULL);
    return t;
}

static void pack_wall(const RbGrainWall *wall, RbPacker *p) {
    rb_pack_bytes(p, wall, sizeof *wall);
    pack_array(p, wall->parts, sizeof(RbCore), wall->part_count);
    for (int k = 0; k < wall->part_count; k++) {
        if (wall->parts[k].polytope) pack_polytope(wall->parts[k].polytope, p);
    }
    if (!wall->mesh) return;
    const RbMesh *mesh = &wall->mesh->mesh;
    pack_array(p, mesh->vertices, sizeof(Vec3), mesh->vertex_count);
    pack_array(p, mesh->triangles, sizeof(RbTriangle), mesh->triangle_count);
}

static bool unpack_wall(RbUnpacker *u, RbCloud *cloud, RbArena *arena) {
    RbGrainWall wall;
    if (!rb_unpack_bytes(u, &wall, sizeof wall)) return false;
    RbCore *parts = unpack_array(u, arena, sizeof(RbCore), &wall.part_count);
    for (int k = 0; k < wall.part_count; k++) {
        if (parts[k].polytope) parts[k].polytope = unpack_polytope(u, arena);
    }
    wall.parts = parts;
    if (wall.mesh) {
        RbMesh mesh;
        RbDiag diag = rb_diag(arena);
        RbArena *scratch = rb_arena_child(arena);
        RbGrainMesh *surface = rb_new(arena, RbGrainMesh);
        mesh.vertices = unpack_array(u, arena, sizeof(Vec3), &mesh.vertex_count);
        mesh.triangles = unpack_array(u, arena, sizeof(RbTriangle), &mesh.triangle_count);
        if (!u->ok ||
            rb_grain_mesh(&mesh, "wall", RB_NOWHERE, arena, *scratch, &diag, surface) != RB_OK)
            return false;
        wall.mesh = surface;
        rb_arena_free(scratch);
    }
    if (u->ok) rb_cloud_add_wall(cloud, wall);
    return u->ok;
}

// The largest grain, the time and the energies.
typedef struct Present {
    RbRemoteExtent extent;
    double origin, time, skin;
    int64_t steps, origin_steps, halved;
    double damped, slid, resisted, dragged, driven, added, energy_start, fastest, stiffest, ahead;
} Present;

static RbRemoteExtent extent_of(const RbCloud *c, double largest) {
    RbRemoteExtent e = {.largest = largest,
                        .low = v3(INFINITY, INFINITY, INFINITY),
                        .high = v3(-INFINITY, -INFINITY, -INFINITY)};
    for (int i = 0; i < c->count; i++) {
        Vec3 at = v3(c->r[i].x, c->r[i].y, c->r[i].z);
        e.low = v3_min(e.low, at), e.high = v3_max(e.high, at);
        e.mean += c->r[i].w / c->count;
    }
    if (c->count == 0) e.low = e.high = V3_ZERO;
    return e;
}

void rb_remote_pack_setup(const RbCloud *c, double largest, RbPacker *p) {
    Present now = {extent_of(c, largest),
                   c->origin,
                   c->time,
                   c->options.skin,
                   c->steps,
                   c->origin_steps,
                   c->halved,
                   c->damped,
                   c->slid,
                   c->resisted,
                   c->dragged,
                   c->driven,
                   c->added,
                   c->energy_start,
                   c->fastest,
                   c->stiffest,
                   c->ahead};
    rb_pack_u64(p, RB_REMOTE_VERSION);
    rb_pack_bytes(p, &c->options, sizeof c->options);
    pack_array(p, c->options.laws, sizeof(RbGrainLaw), c->options.materials * c->options.materials);
    rb_pack_bytes(p, &now, sizeof now);
    rb_pack_u64(p, (uint64_t)c->walls.count);
    for (int k = 0; k < c->walls.count; k++) pack_wall(&c->walls.data[k], p);
    pack_array(p, c->wall_sums, sizeof(RbWallSums), c->walls.count);
}

static void set_present(RbCloud *c, const Present *now) {
    c->origin = now->origin, c->time = now->time, c->options.skin = now->skin;
    c->steps = now->steps, c->origin_steps = now->origin_steps, c->halved = (int)now->halved;
    c->step = c->options.step / (double)(1 << c->halved), c->ahead = now->ahead;
    c->damped = now->damped, c->slid = now->slid, c->resisted = now->resisted;
    c->dragged = now->dragged, c->driven = now->driven, c->added = now->added;
    c->energy_start = now->energy_start;
    c->fastest = now->fastest, c->stiffest = now->stiffest;
}

RbCloud *rb_remote_unpack_setup(const void *bytes, size_t size, RbArena *arena,
                                RbRemoteExtent *extent) {
    RbUnpacker u = rb_unpacker(bytes, size);
    RbCloudOptions options;
    Present now;
    if (rb_unpack_u64(&u) != RB_REMOTE_VERSION || !rb_unpack_bytes(&u, &options, sizeof options))
        return NULL;
    int laws = 0;
    options.laws = unpack_array(&u, arena, sizeof(RbGrainLaw), &laws);
    if (laws != options.materials * options.materials || !rb_unpack_bytes(&u, &now, sizeof now))
        return NULL;
    options.threads = 1;
    options.walls_alone = true;
    options.borders.name = "borders";
    RbCloud *cloud = rb_cloud(arena, &options);
    uint64_t walls = rb_unpack_u64(&u);
    for (uint64_t k = 0; u.ok && k < walls; k++) {
        if (!unpack_wall(&u, cloud, arena)) return NULL;
    }
    int sums = 0;
    const RbWallSums *wall_sums = unpack_array(&u, arena, sizeof(RbWallSums), &sums);
    if (!u.ok || sums != cloud->walls.count) return NULL;
    if (sums > 0) memcpy(cloud->wall_sums, wall_sums, (size_t)sums * sizeof *wall_sums);
    set_present(cloud, &now);
    *extent = now.extent;
    return cloud;
}
