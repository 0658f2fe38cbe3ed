// SPDX-License-Identifier: MIT
// Parts that are connected rigidly are one body, but in a field that varies each feels it where it is.
#include <math.h>

#include "multibody/mechanism.h"

static bool is_part(const Mechanism *m, int object, int body) {
    const RbObject *o = &m->change.arrangement.objects[object];
    return m->structure.frame[object].body == body && !m->change.arrangement.absent[object] &&
           o->has_mass && o->mass.mass > 0;
}

// The parts of a body, if these are all of it (one that was split has half of each).
static int add_parts(const Mechanism *m, int body, RbGravityPart *parts) {
    double whole = m->structure.tree.bodies.data[body].inertia.m, sum = 0;
    int count = 0;
    for (int i = 0; i < m->change.arrangement.object_count; i++) {
        if (!is_part(m, i, body)) continue;
        RbMassProperties p = m->change.arrangement.objects[i].mass;
        parts[count++] = (RbGravityPart){p.mass, pose_point(m->structure.frame[i].X_BF, p.r_CM)};
        sum += p.mass;
    }
    return count > 1 && fabs(sum - whole) <= 1e-6 * whole ? count : 0;
}

void rb_mechanism_weigh_parts(Mechanism *m, RbArena *arena) {
    int bodies = m->structure.tree.bodies.count;
    m->gravity = m->scene->gravity;
    if (!rb_gravity_varies(&m->gravity)) return;
    RbGravityPart *parts =
        rb_new_array(arena, RbGravityPart, m->change.arrangement.object_count + 1);
    int *start = rb_new_array(arena, int, bodies + 1);
    for (int i = 0; i < bodies; i++)
        start[i + 1] = start[i] + (i > 0 ? add_parts(m, i, parts + start[i]) : 0);
    m->gravity.parts = parts;
    m->gravity.part_start = start;
}
