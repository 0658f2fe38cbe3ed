// SPDX-License-Identifier: MIT
#include <math.h>

#include "multibody/touching_solids.h"

// Pairs that may come near before the next event: islands step on their own, so at first each body may meet one.
enum { READY = 4 };

static int size_of(const RbSolidsForce *f) {
    return f->skin_a->mesh.triangle_count + f->skin_b->mesh.triangle_count;
}

static RbMeshOverlap *open_room(const RbSolidsForce *f, RbArena *arena) {
    RbMeshOverlap *o = rb_new(arena, RbMeshOverlap);
    rb_solids_open(f, o, arena);
    return o;
}

// Room for pairs that have none yet, each as large as the largest of them, in a copy of the arena that is forgotten: its chunks stay. (So what opens two meshes must
// not defer clean-ups.)
static void make_ready(const Mechanism *m, MechanismWork *w, bool round) {
    const RbSolidsForce *most = NULL;
    int missing = 0, open = 0;
    for (int i = 0; i < m->scene->solids.count; i++) {
        const RbSolidsForce *f = &m->forces.solids[i];
        if (f->idle || rb_solids_is_round(f) != round) continue;
        bool has_room = w->solids.overlaps[i];
        open += has_room, missing += !has_room;
        if (!has_room && (!most || size_of(f) > size_of(most))) most = f;
    }
    int ready = m->groups.count - open > READY ? m->groups.count - open : READY;
    RbArena copy = *w->solids.rooms[round];
    for (int i = 0; i < ready && i < missing; i++) open_room(most, &copy);
}

void rb_mechanism_ready_overlaps(const Mechanism *m, MechanismWork *w) {
    if (!w->solids.room_taken) return;
    for (int round = 0; round < 2; round++) make_ready(m, w, round);
    w->solids.room_taken = false;
}

void rb_mechanism_open_overlaps(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    int count = m->scene->solids.count;
    w->solids.overlaps = rb_new_array(arena, RbMeshOverlap *, count);
    if (count == 0) return;
    for (int round = 0; round < 2; round++) w->solids.rooms[round] = rb_arena_child(arena);
    w->solids.room_taken = true;
    rb_mechanism_ready_overlaps(m, w);
}

RbMeshOverlap *rb_mechanism_overlap(const RbSolidsForce *f, MechanismWork *w) {
    RbMeshOverlap **o = &w->solids.overlaps[f->number];
    if (*o) return *o;
    w->solids.room_taken = true;
    return *o = open_room(f, w->solids.rooms[rb_solids_is_round(f)]);
}

bool rb_mechanism_may_overlap(const RbSolidsForce *f, Pose X_AB) {
    const RbMeshNode *a = &f->skin_a->tree.nodes[0], *b = &f->skin_b->tree.nodes[0];
    RbBoxPose boxes = rb_box_pose(X_AB);
    // The mesh of a round body is only what is drawn of it, 48 segments around: it lies within by 0.4 %.
    double within = 0.01 * fmax(f->round.x, fmax(f->round.y, f->round.z));
    return !(rb_mesh_node_gap(a, b, &boxes, within) > within);
}
