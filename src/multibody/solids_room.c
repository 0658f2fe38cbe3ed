// SPDX-License-Identifier: MIT
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
void rb_mechanism_ready_overlaps(const Mechanism *m, MechanismWork *w) {
    const RbSolidsForce *most = NULL;
    int missing = 0, open = 0;
    if (!w->room_taken) return;
    for (int i = 0; i < m->scene->solids.count; i++) {
        const RbSolidsForce *f = &m->solids[i];
        if (f->idle || rb_solids_is_round(f)) continue;
        bool has_room = w->overlaps[i];
        open += has_room, missing += !has_room;
        if (!has_room && (!most || size_of(f) > size_of(most))) most = f;
    }
    int ready = m->group_count - open > READY ? m->group_count - open : READY;
    RbArena copy = *w->rooms;
    for (int i = 0; i < ready && i < missing; i++) open_room(most, &copy);
    w->room_taken = false;
}

// Round bodies find the plane faces of the mesh first, which takes memory of its own: at once.
void rb_mechanism_open_overlaps(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    int count = m->scene->solids.count;
    w->overlaps = rb_new_array(arena, RbMeshOverlap *, count);
    if (count == 0) return;
    w->rooms = rb_arena_child(arena);
    for (int i = 0; i < count; i++) {
        const RbSolidsForce *f = &m->solids[i];
        if (!f->idle && rb_solids_is_round(f)) w->overlaps[i] = open_room(f, arena);
    }
    w->room_taken = true;
    rb_mechanism_ready_overlaps(m, w);
}

RbMeshOverlap *rb_mechanism_overlap(const RbSolidsForce *f, MechanismWork *w) {
    RbMeshOverlap **o = &w->overlaps[f->number];
    if (*o) return *o;
    w->room_taken = true;
    return *o = open_room(f, w->rooms);
}

bool rb_mechanism_may_overlap(const RbSolidsForce *f, Pose X_AB) {
    const RbMeshNode *a = &f->skin_a->tree.nodes[0], *b = &f->skin_b->tree.nodes[0];
    RbBoxPose boxes = rb_box_pose(X_AB);
    // the mesh of a round body is only what is drawn
    return rb_solids_is_round(f) || !(rb_mesh_node_gap(a, b, &boxes, 0) > 0);
}
