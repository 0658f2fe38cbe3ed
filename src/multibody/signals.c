// SPDX-License-Identifier: MIT
// Signals between equations and gathered members (members/signals.c) while they run: forces that come in,
// and what sensors measure.
#include <math.h>

#include "component/segment.h"
#include "members/measures.h"
#include "multibody/driven.h"
#include "multibody/sensing.h"
#include "rigid/sensor.h"

// --- frames --------------------------------------------------------------------------------------

static RbFrame frame_of(const Mechanism *m, int member, int frame) {
    int set = rb_member(m->members, member)->sets[frame];
    return set >= 0 ? m->structure.frame[m->members->object_of[set]] : (RbFrame){0, POSE_IDENTITY};
}

// Is a part that this member looks at, or acts on, not there at present?
static bool is_about_absent(const Mechanism *m, int member) {
    const RbMember *of = rb_member(m->members, member);
    for (int k = 0; rb_multibody_roles[of->role].frames[k]; k++) {
        int object = of->sets[k] >= 0 ? m->members->object_of[of->sets[k]] : -1; // -1: joints alone
        if (object >= 0 && m->structure.absent[object]) return true;
    }
    return false;
}

// ORDER Types.ResolveInFrame
static RbFrame resolve(const Mechanism *m, int member) {
    enum { WORLD = 1, FRAME_A, FRAME_B, FRAME_RESOLVE };
    int which = m->members->resolve[member];
    int role = rb_member(m->members, member)->role;
    bool has_b = role == ROLE_RELATIVE || role == ROLE_FORCE || role == ROLE_CUT;
    if (which == FRAME_A) return frame_of(m, member, 0);
    if (which == FRAME_B && has_b) return frame_of(m, member, 1);
    if (which == FRAME_RESOLVE) return frame_of(m, member, role == ROLE_ABSOLUTE ? 1 : 2);
    return (RbFrame){0, POSE_IDENTITY};
}

static RbSensor sensor_of(const Mechanism *m, int member) {
    RbFrame world = {0, POSE_IDENTITY}, a = frame_of(m, member, 0);
    int role = rb_member(m->members, member)->role;
    if (role == ROLE_BODY || role == ROLE_ROD || role == ROLE_WHEEL)
        return (RbSensor){a, world, world, world};
    RbFrame axes = resolve(m, member);
    if (role == ROLE_ABSOLUTE || role == ROLE_CUT) return (RbSensor){a, world, axes, world};
    return (RbSensor){frame_of(m, member, 1), a, axes,
                      m->members->seen_from_axes[member] ? axes : a};
}

// --- forces --------------------------------------------------------------------------------------

static Vec3 input_vector(const MechanismWork *w, int first) {
    return first >= 0 ? v3_load(w->sensing.signals + first) : V3_ZERO;
}

// On frame_b; the opposite acts on frame_a, if there is one, at the same point.
void rb_members_add_forces(const Mechanism *m, MechanismWork *w) {
    for (int i = 0; i < m->members->forces.count; i++) {
        const MemberForce *f = &m->members->forces.data[i];
        if (is_about_absent(m, f->member)) continue;
        RbFrame b = frame_of(m, f->member, 1), a = frame_of(m, f->member, 0);
        Mat3 R = rb_frame_pose(&w->kin, resolve(m, f->member)).R;
        Vec3 force = m3_mul_vec(R, input_vector(w, f->input[0])),
             torque = m3_mul_vec(R, input_vector(w, f->input[1])),
             point = rb_frame_pose(&w->kin, b).r;
        rb_force_add(&w->kin, w->forces, b.body, point, force, torque);
        w->ledger.input += wr_power((Wrench){torque, force}, rb_frame_velocity(&w->kin, b));
        if (rb_member(m->members, f->member)->sets[0] < 0) continue;
        rb_force_add(&w->kin, w->forces, a.body, point, v3_neg(force), v3_neg(torque));
        Pose X = rb_frame_pose(&w->kin, (RbFrame){a.body, POSE_IDENTITY});
        RbFrame there = {a.body, {.r = m3_tmul_vec(X.R, v3_sub(point, X.r)), .R = M3_IDENTITY}};
        w->ledger.input -= wr_power((Wrench){torque, force}, rb_frame_velocity(&w->kin, there));
    }
}

// --- sensors -------------------------------------------------------------------------------------

static double *measure_motion(const RbSensor *s, const RbKin *kin, const Measure *what,
                              double *out) {
    Vec3 v = V3_ZERO;
    double distance = 0;
    if (what->level == RB_LEVEL_POSITION) {
        RbSensorPositions p = rb_sensor_positions(s, kin);
        v = what->quantity == MEASURE_ROTATION ? p.rotation : p.translation;
        distance = p.distance;
    } else if (what->level == RB_LEVEL_VELOCITY) {
        RbSensorVelocities p = rb_sensor_velocities(s, kin);
        v = what->quantity == MEASURE_ROTATION ? p.angular_velocity : p.velocity;
        distance = p.distance_rate;
    } else {
        RbSensorAccelerations p = rb_sensor_accelerations(s, kin);
        v = what->quantity == MEASURE_ROTATION ? p.angular_acceleration : p.acceleration;
    }
    if (what->quantity == MEASURE_DISTANCE) {
        *out = distance;
        return out + 1;
    }
    v3_store(out, v);
    return out + 3;
}

// Of rods and wheels. kin: where the frame of the sensor is placed.
static double *measure_hold(const Mechanism *m, const MechanismWork *w, const RbKin *kin,
                            const RbSensor *s, int member, const Measure *what, double *out) {
    Pose X = rb_frame_pose(kin, s->object);
    switch (what->quantity) {
        case MEASURE_WHEEL_PLACE: *out = what->which == 0 ? X.r.x : X.r.y; break;
        case MEASURE_WHEEL_SPIN: v3_store(out, rb_frame_velocity(kin, s->object).w); return out + 3;
        case MEASURE_WHEEL_FORCE: *out = rb_wheel_force(m, w, member, what->which); break;
        default: *out = rb_rod_force(m, w, member); break;
    }
    return out + 1;
}

static double *measure_cut(const Mechanism *m, const MechanismWork *w, int member, Quantity what,
                           double *out) {
    CutValues c = rb_members_cut(m, w, member, frame_of(m, member, 0), resolve(m, member));
    if (what == MEASURE_CUT_POWER) {
        *out = c.power;
        return out + 1;
    }
    v3_store(out, what == MEASURE_CUT_FORCE ? c.force : c.torque);
    return out + 3;
}

// What is measured of a part that is not there has no value.
static double *measure(const Mechanism *m, const MechanismWork *w, const RbKin *kin,
                       const RbSensor *s, int member, const Measure *what, double *out) {
    bool absent = is_about_absent(m, member);
    if (what->quantity == MEASURE_PRESENT) {
        *out = absent ? 0 : 1;
        return out + 1;
    }
    if (absent) {
        for (int k = rb_measure_size(what); k > 0; k--) *out++ = NAN;
        return out;
    }
    if (what->quantity >= MEASURE_ROD_FORCE) return measure_hold(m, w, kin, s, member, what, out);
    if (what->quantity >= MEASURE_CUT_FORCE) return measure_cut(m, w, member, what->quantity, out);
    return measure_motion(s, kin, what, out);
}

// Only the branches that the sensor looks at are placed, at the coordinates that come in.
static void place(const Mechanism *m, const double *x, const RbSensor *s, RbLevel level,
                  RbKin *kin) {
    const RbTree *tree = &m->structure.tree;
    const int bodies[] = {s->object.body, s->origin.body, s->axes.body, s->observer.body};
    for (int i = 0; i < 4; i++) {
        if (bodies[i] == 0) continue;
        RbSpan span = rb_tree_branch(tree, bodies[i]);
        rb_kin_places_in(tree, span, x, kin);
        if (level >= RB_LEVEL_VELOCITY) rb_kin_velocities_in(tree, span, x + tree->nq, kin);
    }
}

// A ball knows its accelerations only as derivatives of its states.
static void complete_ball(const Mechanism *m, const RbEval *e, int body, RbKin *kin) {
    if (body == 0 || m->driven.own || !m->groups.balls[m->groups.of[body]].is) return;
    const RbTree *tree = &m->structure.tree;
    const double *dv = e->dx + tree->nq + rb_tree_joint(tree, body)->v;
    kin->bodies[body].A = (Motion){.v = v3_load(dv), .w = v3_load(dv + 3)};
}

RbEvalStatus rb_members_sense(const Mechanism *m, const RbEval *e, int number, const double *inputs,
                              double *outputs) {
    MechanismWork *w = e->workspace;
    const MemberSensor *sensor = &m->members->sensors.data[number];
    RbSensor s = sensor_of(m, sensor->member);
    RbKin *kin = &w->kin;
    if (sensor->level < RB_LEVEL_ACCELERATION) {
        kin = &w->sensing.sensed;
        bool speeds = sensor->level == RB_LEVEL_VELOCITY;
        const double *x =
            rb_driven_assemble(m, e->x, inputs, speeds, NULL, w->sensing.sensed_states);
        place(m, x, &s, sensor->level, kin);
    } else {
        complete_ball(m, e, s.object.body, kin);
        complete_ball(m, e, s.origin.body, kin);
    }
    for (int i = 0; i < sensor->measure_count; i++) {
        const Measure *what = &rb_measures[sensor->measures[i]];
        outputs = measure(m, w, kin, &s, sensor->member, what, outputs);
    }
    return RB_EVAL_OK;
}

// --- results: what no equation speaks of ---------------------------------------------------------

static bool is_result(const RbMember *member, int n) {
    bool sensor = rb_role_measures(member->role) && member->role != ROLE_BODY;
    if (member->role == ROLE_LINE && member->wanted[0]) return false; // both are outputs
    return sensor && member->has_variable[n] && !member->wanted[n];
}

void rb_members_declare_results(const Mechanism *m, RbSegment *g) {
    for (int i = 0; i < m->members->gathered->count; i++) {
        const RbMember *member = rb_member(m->members, i);
        const char *const *variables = rb_multibody_roles[member->role].variables;
        for (int n = 0; variables && variables[n]; n++) {
            if (!is_result(member, n)) continue;
            const Measure *what = rb_find_measure(variables[n]);
            for (int k = 0; k < rb_measure_size(what); k++)
                rb_segment_result(
                    g, &(RbResultSpec){rb_measure_name(g->arena, member->path, what->name,
                                                       rb_measure_size(what), k),
                                       what->unit, ""});
        }
    }
    rb_members_declare_contact_results(m, g);
}

double *rb_members_record(const Mechanism *m, const RbEval *e, double *out) {
    MechanismWork *w = e->workspace;
    for (int i = 0; i < m->members->gathered->count; i++) {
        const RbMember *member = rb_member(m->members, i);
        const char *const *variables = rb_multibody_roles[member->role].variables;
        for (int n = 0; variables && variables[n]; n++) {
            if (!is_result(member, n)) continue;
            RbSensor s = sensor_of(m, i);
            complete_ball(m, e, s.object.body, &w->kin);
            complete_ball(m, e, s.origin.body, &w->kin);
            const Measure *what = rb_find_measure(variables[n]);
            out = measure(m, w, &w->kin, &s, i, what, out);
        }
    }
    return rb_members_record_contacts(m, e, out);
}

// --- couplings -----------------------------------------------------------------------------------

void rb_members_couplings(const Mechanism *m, const RbReach *r, RbCouplings *c) {
    const Members *members = m->members;
    for (int i = 0; i < r->count; i++) {
        for (int k = 0; r->is_speed[i] && k < members->inputs.count; k++)
            rb_couplings_derivative_input(c, r->states[i], members->inputs.data[k]);
        for (int k = 0; k < members->sensors.count; k++) {
            const MemberSensor *s = &members->sensors.data[k];
            for (int o = 0; o < s->output_count; o++)
                rb_couplings_output_state(c, s->outputs[o], r->states[i]);
        }
        for (int k = 0; k < members->contacts.count; k++) {
            for (int o = 0; o < CONTACT_MEASURES; o++) {
                int output = members->contacts.data[k].outputs[o];
                if (output >= 0) rb_couplings_output_state(c, output, r->states[i]);
            }
        }
    }
}
