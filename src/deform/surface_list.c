// SPDX-License-Identifier: MIT
#include "deform/surface_list.h"

enum { MOLECULES_PER_VERTEX = 24 };
static const double MOVED = 0.25; // [skin] a vertex may move further than its molecules

static size_t aligned(size_t bytes) {
    return (bytes + 15) & ~(size_t)15;
}

// A vertex can be near two or three objects; more than that are not all of an object's.
static int vertex_capacity(const RbNetwork *n, const RbSoftSkin *skins) {
    int count = 0;
    for (int i = 0; i < n->object_count; i++) count += skins[i].mesh.vertex_count;
    return 2 * count;
}

size_t rb_surface_list_size(const RbNetwork *n, const RbSoftSkin *skins) {
    size_t vertices = (size_t)vertex_capacity(n, skins);
    return aligned(sizeof(RbSurfaceList)) + aligned(vertices * sizeof(RbNearVertex)) +
           aligned(vertices * MOLECULES_PER_VERTEX * sizeof(int)) +
           aligned((size_t)n->count * sizeof(Vec3)) + aligned((size_t)n->count * sizeof(int)) +
           2 * aligned((size_t)n->object_count * sizeof(Vec3));
}

static void *take(unsigned char **at, size_t bytes) {
    void *memory = *at;
    *at += aligned(bytes);
    return memory;
}

RbSurfaceList *rb_surface_list_open(const RbNetwork *n, const RbSoftSkin *skins,
                                    const RbSoftField *fields, double skin, void *memory) {
    unsigned char *at = memory;
    RbSurfaceList *l = take(&at, sizeof *l);
    int vertices = vertex_capacity(n, skins);
    *l = (RbSurfaceList){.skins = skins,
                         .fields = fields,
                         .skin = skin,
                         .capacity = vertices,
                         .molecule_capacity = vertices * MOLECULES_PER_VERTEX};
    l->near = take(&at, (size_t)vertices * sizeof(RbNearVertex));
    l->molecules = take(&at, (size_t)l->molecule_capacity * sizeof(int));
    l->made_at = take(&at, (size_t)n->count * sizeof(Vec3));
    l->local = take(&at, (size_t)n->count * sizeof(int));
    l->low = take(&at, (size_t)n->object_count * sizeof(Vec3));
    l->high = take(&at, (size_t)n->object_count * sizeof(Vec3));
    return l;
}

static bool moved_too_far(const RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    double limit = MOVED * MOVED * l->skin * l->skin;
    for (int i = 0; i < n->count; i++)
        if (!(v3_norm2(v3_sub(r[i], l->made_at[i])) <= limit)) return true;
    return false;
}

static void find_boxes(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    for (int i = 0; i < n->object_count; i++) {
        const RbNetworkObject *o = &n->objects[i];
        l->low[i] = l->high[i] = r[o->first];
        for (int k = o->first; k < o->first + o->count; k++)
            l->low[i] = v3_min(l->low[i], r[k]), l->high[i] = v3_max(l->high[i], r[k]);
    }
}

static bool is_inside(Vec3 p, Vec3 low, Vec3 high, double margin) {
    return p.x > low.x - margin && p.x < high.x + margin && p.y > low.y - margin &&
           p.y < high.y + margin && p.z > low.z - margin && p.z < high.z + margin;
}

// The molecules of `other` near a place; of its own object, those that are no neighbours. False: there is no room.
static bool collect(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, Vec3 p, double reach,
                    RbNearVertex *near) {
    Vec3 start = l->skins[near->object].mesh.vertices[near->vertex];
    near->first = l->molecule_count;
    for (int k = 0; k < l->local_count; k++) {
        int j = l->local[k];
        if (!(v3_norm2(v3_sub(r[j], p)) < reach * reach)) continue;
        if (near->object == near->other && !rb_network_apart(n, j, start)) continue;
        if (l->molecule_count == l->molecule_capacity) return false;
        l->molecules[l->molecule_count++] = j;
    }
    near->count = l->molecule_count - near->first;
    return true;
}

// Molecules of b near the box of the surface of a.
static void find_local(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, int a, int b) {
    const RbNetworkObject *o = &n->objects[b];
    double margin = 1.5 * l->fields[a].radius + l->fields[b].reach + l->skin;
    l->local_count = 0;
    for (int j = o->first; j < o->first + o->count; j++)
        if (is_inside(r[j], l->low[a], l->high[a], margin)) l->local[l->local_count++] = j;
}

static bool list_vertices(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, int a, int b) {
    double reach = l->fields[b].reach + l->skin;
    find_local(l, n, r, a, b);
    if (l->local_count == 0) return true;
    for (int i = 0; i < l->skins[a].mesh.vertex_count; i++) {
        RbNearVertex near = {a, i, b, 0, 0};
        Vec3 p = rb_surface_list_place(l, n, a, i, r);
        if (!is_inside(p, l->low[b], l->high[b], reach)) continue;
        if (!collect(l, n, r, p, reach, &near)) return false;
        if (near.count == 0) continue;
        if (l->count == l->capacity) return false;
        l->near[l->count++] = near;
    }
    return true;
}

static bool boxes_meet(const RbSurfaceList *l, int a, int b) {
    double margin = l->fields[a].radius + l->fields[b].radius + 2 * l->skin;
    Vec3 gap = v3_max(v3_sub(l->low[a], l->high[b]), v3_sub(l->low[b], l->high[a]));
    return gap.x < margin && gap.y < margin && gap.z < margin;
}

bool rb_surface_list_update(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    if (l->valid && !moved_too_far(l, n, r)) return true;
    l->valid = false;
    l->count = l->molecule_count = 0;
    find_boxes(l, n, r);
    for (int i = 0; i < n->count; i++) l->made_at[i] = r[i];
    for (int a = 0; a < n->object_count; a++) {
        for (int b = 0; b < n->object_count; b++) {
            if (a == b && !n->objects[a].self_contact) continue;
            if (!n->objects[a].moves && !n->objects[b].moves) continue;
            if (boxes_meet(l, a, b) && !list_vertices(l, n, r, a, b)) return false;
        }
    }
    l->valid = true;
    return true;
}
