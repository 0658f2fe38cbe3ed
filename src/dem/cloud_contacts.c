// SPDX-License-Identifier: MIT
// The contacts of a cloud one by one: their forces are computed again from what they remember, as nobody keeps them.
#include <math.h>

#include "dem/cloud_faces.h"
#include "dem/cloud_parts.h"

typedef struct Telling {
    RbCloud *cloud;
    RbGrainTouched *touched;
    void *user;
    const RbGrainChunk *chunk;
    bool walls; // the block has contacts with walls
} Telling;

static void tell_block(const Telling *t, RbGrainBlock *b) {
    const RbCloud *cloud = t->cloud;
    rb_grain_block_law(b, rb_cloud_terms(cloud, false));
    for (int m = 0; m < b->count; m++) {
        RbQuad r = cloud->r[b->i[m]];
        Vec3 n = v3(b->nx[m], b->ny[m], b->nz[m]);
        RbGrainTouch touch = {.grain = b->i[m],
                              .other = t->walls ? -1 : b->j[m],
                              .wall = t->walls ? t->chunk->walls.data[b->pair[m]].wall : -1,
                              .point = v3_axpy(v3(r.x, r.y, r.z), -b->la[m], n),
                              .n = n,
                              .force = v3(b->fx[m], b->fy[m], b->fz[m]),
                              .depth = b->depth[m]};
        t->touched(t->user, cloud, &touch);
    }
    b->count = 0;
}

static void tell_list(const Telling *t, const RbGrainList *list, RbGrainBlock *b) {
    for (int i = t->chunk->first; i < t->chunk->end; i++) {
        int end = list->start[i - t->chunk->first + 1];
        for (int k = list->start[i - t->chunk->first]; k < end; k++) {
            if (!list->touches[k]) continue;
            b->i[b->count] = i, b->j[b->count] = list->other[k], b->pair[b->count] = k;
            if (++b->count < RB_GRAIN_BLOCK) continue;
            rb_cloud_gather(t->cloud, list, b);
            tell_block(t, b);
        }
    }
    if (b->count == 0) return;
    rb_cloud_gather(t->cloud, list, b);
    tell_block(t, b);
}

static void tell_walls(Telling *t, RbGrainBlock *b) {
    t->walls = true;
    for (int k = 0; k < t->chunk->walls.count; k++) {
        RbWallPair p = t->chunk->walls.data[k];
        b->pair[b->count] = k;
        if (!p.touches || !rb_cloud_gather_wall(t->cloud, &p, b)) continue;
        if (b->count == RB_GRAIN_BLOCK) tell_block(t, b);
    }
    if (b->count > 0) tell_block(t, b);
}

static void tell_faces(const Telling *t) {
    for (int k = 0; k < t->chunk->faces.count; k++) {
        const RbFacePair *p = &t->chunk->faces.data[k];
        if (!p->touches) continue;
        RbFaceContact c = rb_cloud_face_contact(t->cloud, p, true);
        bool own_is_b = p->other < 0 || t->cloud->id[p->grain] > t->cloud->id[p->other];
        double sign = own_is_b ? 1 : -1;
        RbGrainTouch touch = {.grain = p->grain,
                              .other = p->other,
                              .wall = p->other < 0 ? p->wall : -1,
                              .point = c.point,
                              .n = v3_scale(sign, c.n),
                              .force = v3_scale(sign, c.force),
                              .branch = rb_cloud_face_branch(t->cloud, p, c.point),
                              .depth = c.depth};
        t->touched(t->user, t->cloud, &touch);
    }
}

Vec3 rb_cloud_branch(const RbCloud *cloud, const RbGrainTouch *touch) {
    double radius = cloud->r[touch->grain].w;
    if (v3_norm2(touch->branch) > 0) return touch->branch;
    double length = touch->other >= 0 ? radius + cloud->r[touch->other].w - touch->depth
                                      : radius - 0.5 * touch->depth;
    Vec3 branch = v3_sub(v3_scale(length, touch->n), rb_cloud_arm(cloud, touch->grain));
    return touch->other >= 0 ? v3_add(branch, rb_cloud_arm(cloud, touch->other)) : branch;
}

void rb_cloud_contacts(RbCloud *cloud, RbGrainTouched *touched, void *user) {
    if (!cloud->list_valid) rb_cloud_make_list(cloud);
    for (int c = 0; c < cloud->chunk_count; c++) {
        Telling t = {.cloud = cloud, .touched = touched, .user = user, .chunk = &cloud->chunks[c]};
        RbGrainBlock block;
        rb_cloud_empty_block(cloud, true, &block);
        tell_list(&t, &t.chunk->inside, &block);
        tell_list(&t, &t.chunk->outside, &block);
        tell_walls(&t, &block);
        tell_faces(&t);
    }
}

// -------------------------------------------------------------------------------------------------
// too deep

static void try_deep(void *user, const RbCloud *cloud, const RbGrainTouch *touch) {
    RbGrainDeep *deep = user;
    double radius = rb_cloud_inner_radius(cloud, touch->grain);
    if (touch->other >= 0) radius = fmin(radius, rb_cloud_inner_radius(cloud, touch->other));
    double part = touch->depth / radius;
    int grain = touch->grain, other = touch->other;
    if (cloud->body[grain] == RB_GRAIN_PUPPET) grain = touch->other, other = touch->grain;
    int body = cloud->body[grain];
    if (!(part > deep->part)) return;
    deep->part = part;
    deep->time = cloud->time;
    deep->wall = touch->other < 0;
    deep->puppet = other >= 0 && cloud->body[other] == RB_GRAIN_PUPPET;
    deep->grain = body >= 0 ? cloud->bodies.data[body].id : cloud->id[grain];
}

// R* is at most the smaller radius, and at least half of it. All contacts are looked at again when they are deeper by a fiftieth: seldom.
void rb_cloud_find_deep(RbCloud *cloud) {
    const double half = 0.5, most = 0.75;
    if (!(cloud->deepest > half && cloud->deepest > 1.02 * cloud->looked)) return;
    RbGrainDeep deepest = {0};
    cloud->looked = cloud->deepest;
    rb_cloud_contacts(cloud, try_deep, &deepest);
    if (deepest.part > half && cloud->deep.part == 0) cloud->deep = deepest;
    if (deepest.part > most && cloud->lodged.part == 0) cloud->lodged = deepest;
}
