// SPDX-License-Identifier: MIT
// Free motion whose start values are numbers of their own: positions and velocities along the axes of frame_a,
// three angles about given axes and their rates, or an angular velocity in the axes of frame_b. What is not
// there is zero. A number that is fixed stays where loops are closed; of angles all three must be.
#include <stdio.h>

#include "members/members_build.h"

static double value(const RbReading *r, const char *name, int k, const char *attribute) {
    char full[32];
    snprintf(full, sizeof full, "%s%d.%s", name, k + 1, attribute);
    return rb_read_number(r, full, 0);
}

static Vec3 vector(const RbReading *r, const char *name) {
    return v3(value(r, name, 0, "start"), value(r, name, 1, "start"), value(r, name, 2, "start"));
}

static void hold(const RbReading *r, const char *name, bool *held) {
    for (int k = 0; k < 3; k++) held[k] = value(r, name, k, "fixed") != 0;
}

static void hold_together(const RbReading *r, const char *name, bool *held) {
    bool each[3];
    hold(r, name, each);
    for (int k = 0; k < 3 && each[0] && each[1] && each[2]; k++) held[k] = true;
}

void rb_making_start_scalars(const SceneBuild *b, int i, RbObjectJoint *j) {
    RbReading r = {b->m, b->segment, i};
    const double *sequence = rb_member_numbers(b->m, b->segment, i, "sequence_start");
    Vec3 w = V3_ZERO;
    Mat3 R = M3_IDENTITY;
    for (int k = 0; k < 3; k++) {
        Vec3 axis = v3_axis(((int)sequence[k] + 2) % 3);
        w = v3_axpy(w, value(&r, "angle_d_", k, "start"), m3_mul_vec(R, axis));
        R = m3_mul(R, m3_rotation(axis, value(&r, "angle_", k, "start")));
    }
    v3_store(j->q, vector(&r, "r_rel_a_"));
    v3_store(j->v, vector(&r, "v_rel_a_"));
    q_store(j->q + 3, q_from_matrix(R));
    v3_store(j->v + 3, v3_add(w, m3_mul_vec(R, vector(&r, "w_rel_b_"))));
    hold(&r, "r_rel_a_", j->q_held);
    hold(&r, "v_rel_a_", j->v_held);
    hold_together(&r, "angle_", j->q_held + 3);
    hold_together(&r, "angle_d_", j->v_held + 3);
    hold_together(&r, "w_rel_b_", j->v_held + 3);
}
