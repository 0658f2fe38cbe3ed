// SPDX-License-Identifier: MIT
// Signals between equations and gathered members: forces that come in, and what sensors measure. A
// sensor is a function of its own for each level, so that one of positions makes no loop through the
// accelerations.
#include <string.h>

#include "component/segment.h"
#include "multibody/mechanism.h"
#include "rigid/sensor.h"

// --- what there is -------------------------------------------------------------------------------

typedef enum Quantity {
    TRANSLATION,
    ROTATION,
    DISTANCE,
    CUT_FORCE,
    CUT_TORQUE,
    CUT_POWER,
    ROD_FORCE,
    WHEEL_PLACE,
    WHEEL_SPIN,
    WHEEL_FORCE
} Quantity;

typedef struct Measure {
    const char *name;
    RbLevel level;
    Quantity quantity;
    const char *unit;
    int which; // of several numbers
} Measure;

static const Measure measures[] = {
    {"r", RB_LEVEL_POSITION, TRANSLATION, "m"},
    {"r_0", RB_LEVEL_POSITION, TRANSLATION, "m"},
    {"r_rel", RB_LEVEL_POSITION, TRANSLATION, "m"},
    {"angles", RB_LEVEL_POSITION, ROTATION, "rad"},
    {"distance", RB_LEVEL_POSITION, DISTANCE, "m"},
    {"v", RB_LEVEL_VELOCITY, TRANSLATION, "m/s"},
    {"v_0", RB_LEVEL_VELOCITY, TRANSLATION, "m/s"},
    {"v_rel", RB_LEVEL_VELOCITY, TRANSLATION, "m/s"},
    {"w", RB_LEVEL_VELOCITY, ROTATION, "rad/s"},
    {"w_rel", RB_LEVEL_VELOCITY, ROTATION, "rad/s"},
    {"distance_rate", RB_LEVEL_VELOCITY, DISTANCE, "m/s"},
    {"a", RB_LEVEL_ACCELERATION, TRANSLATION, "m/s2"},
    {"a_rel", RB_LEVEL_ACCELERATION, TRANSLATION, "m/s2"},
    {"z", RB_LEVEL_ACCELERATION, ROTATION, "rad/s2"},
    {"z_rel", RB_LEVEL_ACCELERATION, ROTATION, "rad/s2"},
    {"force", RB_LEVEL_ACCELERATION, CUT_FORCE, "N"},
    {"torque", RB_LEVEL_ACCELERATION, CUT_TORQUE, "N.m"},
    {"power", RB_LEVEL_ACCELERATION, CUT_POWER, "W"},
    {"length", RB_LEVEL_POSITION, DISTANCE, "m"},
    {"length_rate", RB_LEVEL_VELOCITY, DISTANCE, "m/s"},
    {"f_rod", RB_LEVEL_ACCELERATION, ROD_FORCE, "N"},
    {"x", RB_LEVEL_POSITION, WHEEL_PLACE, "m", 0},
    {"y", RB_LEVEL_POSITION, WHEEL_PLACE, "m", 1},
    {"spin", RB_LEVEL_VELOCITY, WHEEL_SPIN, "rad/s"},
    {"f_long", RB_LEVEL_ACCELERATION, WHEEL_FORCE, "N", 0}, // ORDER RbHold.locked of a wheel
    {"f_lat", RB_LEVEL_ACCELERATION, WHEEL_FORCE, "N", 1},
    {"f_n", RB_LEVEL_ACCELERATION, WHEEL_FORCE, "N", 2},
};

static const Measure *find_measure(const char *name) {
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        if (strcmp(measures[i].name, name) == 0) return &measures[i];
    }
    return NULL;
}

static bool measures_anything(int role) {
    return role == ROLE_ABSOLUTE || role == ROLE_RELATIVE || role == ROLE_BODY ||
           role == ROLE_CUT || role == ROLE_ROD || role == ROLE_WHEEL || role == ROLE_LINE;
}

static int size_of(const Measure *measure) {
    Quantity q = measure->quantity;
    bool number =
        q == DISTANCE || q == CUT_POWER || q == ROD_FORCE || q == WHEEL_PLACE || q == WHEEL_FORCE;
    return number ? 1 : 3;
}

static const char *element_name(RbArena *arena, const char *path, const char *name, int size,
                                int k) {
    return size == 1 ? rb_arena_printf(arena, "%s.%s", path, name)
                     : rb_arena_printf(arena, "%s.%s[%d]", path, name, k + 1);
}

// Position and velocity of a body go together: one of them is never a state of which the other is no
// result.
static bool is_wanted(const RbMember *member, int n) {
    if (member->role == ROLE_BODY) return member->wanted[0] || member->wanted[1];
    if (member->role == ROLE_LINE) return member->wanted[0]; // one is the derivative of the other
    return member->wanted[n];
}

// --- build ---------------------------------------------------------------------------------------

// Actions that come when a signal rises, not at a time.
static void declare_triggers(Members *m, RbBuild *build) {
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_ACTION || !member->wanted[0]) continue;
        MemberForce f = {.member = i, .input = {m->inputs.count, -1}};
        RbVariableSpec spec = {rb_arena_printf(m->arena, "%s.signal", member->path),
                               RB_VARIABLE_INPUT, 0, "1", ""};
        rb_array_push(&m->inputs, m->arena, rb_build_variable(build, &spec));
        rb_array_push(&m->triggers, m->arena, f);
    }
}

// Forces whose components somebody determines.
void rb_members_declare_forces(Members *m, RbBuild *build) {
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_FORCE) continue;
        MemberForce f = {.member = i, .input = {-1, -1}};
        for (int n = 0; n < 2; n++) { // ORDER variables of the role: force, torque
            const char *name = rb_multibody_roles[ROLE_FORCE].variables[n];
            if (!member->wanted[n]) continue;
            f.input[n] = m->inputs.count;
            for (int k = 0; k < 3; k++) {
                RbVariableSpec spec = {element_name(m->arena, member->path, name, 3, k),
                                       RB_VARIABLE_INPUT, 0, n == 0 ? "N" : "N.m", ""};
                rb_array_push(&m->inputs, m->arena, rb_build_variable(build, &spec));
            }
        }
        rb_array_push(&m->forces, m->arena, f);
    }
    declare_triggers(m, build);
}

static int list_inputs(const Members *m, RbLevel level, int *inputs) {
    int n = m->driven.count, count = 0;
    for (int i = 0; i < n; i++) inputs[count++] = m->driven.data[i].q;
    for (int i = 0; i < n && level >= RB_LEVEL_VELOCITY; i++) inputs[count++] = m->driven.data[i].v;
    if (level < RB_LEVEL_ACCELERATION) return count;
    count = rb_members_list_inputs(m, inputs);
    for (int i = 0; i < n; i++) inputs[count++] = m->driven.data[i].a;
    return count;
}

static void declare_level(Members *m, RbBuild *build, int i, RbLevel level, int motion) {
    static const char *const names[] = {"position", "velocity", "acceleration"}; // ORDER RbLevel
    const RbMember *member = rb_member(m, i);
    const char *const *variables = rb_multibody_roles[member->role].variables;
    MemberSensor s = {.member = i, .level = level};
    int outputs[3 * MEMBER_MEASURES], count = 0;
    for (int n = 0; variables[n]; n++) {
        const Measure *measure = find_measure(variables[n]);
        if (!is_wanted(member, n) || measure->level != level) continue;
        s.measures[s.measure_count++] = (int)(measure - measures);
        for (int k = 0; k < size_of(measure); k++) {
            RbVariableSpec spec = {
                element_name(m->arena, member->path, measure->name, size_of(measure), k),
                RB_VARIABLE_OUTPUT, 0, measure->unit, ""};
            outputs[count++] = rb_build_variable(build, &spec);
        }
    }
    if (count == 0) return;
    int *inputs = rb_new_array(m->arena, int, rb_members_input_count(m) + m->driven.count + 1);
    s.outputs = rb_new_array(m->arena, int, count);
    memcpy(s.outputs, outputs, (size_t)count * sizeof *outputs);
    s.output_count = count;
    rb_array_push(&m->sensors, m->arena, s);
    rb_build_function(
        build,
        &(RbFunctionSpec){.name = rb_arena_printf(m->arena, "%s.%s", member->path, names[level]),
                          .level = level,
                          .input_count = list_inputs(m, level, inputs),
                          .inputs = inputs,
                          .output_count = count,
                          .outputs = outputs,
                          .after = level == RB_LEVEL_ACCELERATION ? motion : RB_NONE,
                          .derivative = member->role == ROLE_LINE && level == RB_LEVEL_POSITION
                                            ? motion + 1 + m->sensors.count
                                            : RB_NONE});
}

void rb_members_declare_sensors(Members *m, RbBuild *build, int motion) {
    for (int i = 0; i < m->gathered->count; i++) {
        if (!measures_anything(rb_member(m, i)->role)) continue;
        for (int level = RB_LEVEL_POSITION; level <= RB_LEVEL_ACCELERATION; level++)
            declare_level(m, build, i, (RbLevel)level, motion);
    }
}

// --- frames --------------------------------------------------------------------------------------

static RbFrame frame_of(const Mechanism *m, int member, int frame) {
    int set = rb_member(m->members, member)->sets[frame];
    return set >= 0 ? m->structure.frame[m->members->object_of[set]] : (RbFrame){0, POSE_IDENTITY};
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
    return first >= 0 ? v3_load(w->signals + first) : V3_ZERO;
}

// On frame_b; the opposite acts on frame_a, if there is one, at the same point.
void rb_members_add_forces(const Mechanism *m, MechanismWork *w) {
    for (int i = 0; i < m->members->forces.count; i++) {
        const MemberForce *f = &m->members->forces.data[i];
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

static double *measure(const RbSensor *s, const RbKin *kin, const Measure *what, double *out) {
    Vec3 v = V3_ZERO;
    double distance = 0;
    if (what->level == RB_LEVEL_POSITION) {
        RbSensorPositions p = rb_sensor_positions(s, kin);
        v = what->quantity == ROTATION ? p.rotation : p.translation;
        distance = p.distance;
    } else if (what->level == RB_LEVEL_VELOCITY) {
        RbSensorVelocities p = rb_sensor_velocities(s, kin);
        v = what->quantity == ROTATION ? p.angular_velocity : p.velocity;
        distance = p.distance_rate;
    } else {
        RbSensorAccelerations p = rb_sensor_accelerations(s, kin);
        v = what->quantity == ROTATION ? p.angular_acceleration : p.acceleration;
    }
    if (what->quantity == DISTANCE) {
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
        case WHEEL_PLACE: *out = what->which == 0 ? X.r.x : X.r.y; break;
        case WHEEL_SPIN: v3_store(out, rb_frame_velocity(kin, s->object).w); return out + 3;
        case WHEEL_FORCE: *out = rb_wheel_force(m, w, member, what->which); break;
        default: *out = rb_rod_force(m, w, member); break;
    }
    return out + 1;
}

static double *measure_cut(const Mechanism *m, const MechanismWork *w, int member, Quantity what,
                           double *out) {
    CutValues c = rb_members_cut(m, w, member, frame_of(m, member, 0), resolve(m, member));
    if (what == CUT_POWER) {
        *out = c.power;
        return out + 1;
    }
    v3_store(out, what == CUT_FORCE ? c.force : c.torque);
    return out + 3;
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
    if (body == 0 || m->own || !m->balls[m->group[body]].is) return;
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
        kin = &w->sensed;
        bool speeds = sensor->level == RB_LEVEL_VELOCITY;
        const double *x = rb_driven_assemble(m, e->x, inputs, speeds, NULL, w->sensed_states);
        place(m, x, &s, sensor->level, kin);
    } else {
        complete_ball(m, e, s.object.body, kin);
        complete_ball(m, e, s.origin.body, kin);
    }
    for (int i = 0; i < sensor->measure_count; i++) {
        const Measure *what = &measures[sensor->measures[i]];
        outputs = what->quantity >= ROD_FORCE
                      ? measure_hold(m, w, kin, &s, sensor->member, what, outputs)
                  : what->quantity >= CUT_FORCE
                      ? measure_cut(m, w, sensor->member, what->quantity, outputs)
                      : measure(&s, kin, what, outputs);
    }
    return RB_EVAL_OK;
}

// --- results: what no equation speaks of ---------------------------------------------------------

static bool is_result(const RbMember *member, int n) {
    bool sensor = measures_anything(member->role) && member->role != ROLE_BODY;
    if (member->role == ROLE_LINE && member->wanted[0]) return false; // both are outputs
    return sensor && member->has_variable[n] && !member->wanted[n];
}

void rb_members_declare_results(const Mechanism *m, RbSegment *g) {
    for (int i = 0; i < m->members->gathered->count; i++) {
        const RbMember *member = rb_member(m->members, i);
        const char *const *variables = rb_multibody_roles[member->role].variables;
        for (int n = 0; variables && variables[n]; n++) {
            if (!is_result(member, n)) continue;
            const Measure *what = find_measure(variables[n]);
            for (int k = 0; k < size_of(what); k++)
                rb_segment_result(g, &(RbResultSpec){element_name(g->arena, member->path,
                                                                  what->name, size_of(what), k),
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
            const Measure *what = find_measure(variables[n]);
            out = what->quantity >= ROD_FORCE   ? measure_hold(m, w, &w->kin, &s, i, what, out)
                  : what->quantity >= CUT_FORCE ? measure_cut(m, w, i, what->quantity, out)
                                                : measure(&s, &w->kin, what, out);
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
