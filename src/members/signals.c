// SPDX-License-Identifier: MIT
// Signals between equations and gathered members: forces that come in, and what sensors measure. A
// sensor is a function of its own for each level, so that one of positions makes no loop through the
// accelerations.
#include <string.h>

#include "component/segment.h"
#include "members/measures.h"

// --- what there is -------------------------------------------------------------------------------

const Measure rb_measures[] = {
    {"r", RB_LEVEL_POSITION, MEASURE_TRANSLATION, "m"},
    {"r_0", RB_LEVEL_POSITION, MEASURE_TRANSLATION, "m"},
    {"r_rel", RB_LEVEL_POSITION, MEASURE_TRANSLATION, "m"},
    {"angles", RB_LEVEL_POSITION, MEASURE_ROTATION, "rad"},
    {"distance", RB_LEVEL_POSITION, MEASURE_DISTANCE, "m"},
    {"present", RB_LEVEL_POSITION, MEASURE_PRESENT, "1"},
    {"v", RB_LEVEL_VELOCITY, MEASURE_TRANSLATION, "m/s"},
    {"v_0", RB_LEVEL_VELOCITY, MEASURE_TRANSLATION, "m/s"},
    {"v_rel", RB_LEVEL_VELOCITY, MEASURE_TRANSLATION, "m/s"},
    {"w", RB_LEVEL_VELOCITY, MEASURE_ROTATION, "rad/s"},
    {"w_rel", RB_LEVEL_VELOCITY, MEASURE_ROTATION, "rad/s"},
    {"distance_rate", RB_LEVEL_VELOCITY, MEASURE_DISTANCE, "m/s"},
    {"a", RB_LEVEL_ACCELERATION, MEASURE_TRANSLATION, "m/s2"},
    {"a_rel", RB_LEVEL_ACCELERATION, MEASURE_TRANSLATION, "m/s2"},
    {"z", RB_LEVEL_ACCELERATION, MEASURE_ROTATION, "rad/s2"},
    {"z_rel", RB_LEVEL_ACCELERATION, MEASURE_ROTATION, "rad/s2"},
    {"force", RB_LEVEL_ACCELERATION, MEASURE_CUT_FORCE, "N"},
    {"torque", RB_LEVEL_ACCELERATION, MEASURE_CUT_TORQUE, "N.m"},
    {"power", RB_LEVEL_ACCELERATION, MEASURE_CUT_POWER, "W"},
    {"length", RB_LEVEL_POSITION, MEASURE_DISTANCE, "m"},
    {"length_rate", RB_LEVEL_VELOCITY, MEASURE_DISTANCE, "m/s"},
    {"f_rod", RB_LEVEL_ACCELERATION, MEASURE_ROD_FORCE, "N"},
    {"x", RB_LEVEL_POSITION, MEASURE_WHEEL_PLACE, "m", 0},
    {"y", RB_LEVEL_POSITION, MEASURE_WHEEL_PLACE, "m", 1},
    {"spin", RB_LEVEL_VELOCITY, MEASURE_WHEEL_SPIN, "rad/s"},
    {"f_long", RB_LEVEL_ACCELERATION, MEASURE_WHEEL_FORCE, "N",
     0}, // ORDER RbHold.locked of a wheel
    {"f_lat", RB_LEVEL_ACCELERATION, MEASURE_WHEEL_FORCE, "N", 1},
    {"f_n", RB_LEVEL_ACCELERATION, MEASURE_WHEEL_FORCE, "N", 2},
};

const Measure *rb_find_measure(const char *name) {
    for (size_t i = 0; i < sizeof rb_measures / sizeof *rb_measures; i++) {
        if (strcmp(rb_measures[i].name, name) == 0) return &rb_measures[i];
    }
    return NULL;
}

bool rb_role_measures(int role) {
    return role == ROLE_ABSOLUTE || role == ROLE_RELATIVE || role == ROLE_BODY ||
           role == ROLE_CUT || role == ROLE_ROD || role == ROLE_WHEEL || role == ROLE_LINE;
}

int rb_measure_size(const Measure *measure) {
    Quantity q = measure->quantity;
    bool number = q == MEASURE_DISTANCE || q == MEASURE_PRESENT || q == MEASURE_CUT_POWER ||
                  q == MEASURE_ROD_FORCE || q == MEASURE_WHEEL_PLACE || q == MEASURE_WHEEL_FORCE;
    return number ? 1 : 3;
}

const char *rb_measure_name(RbArena *arena, const char *path, const char *name, int size, int k) {
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
                RbVariableSpec spec = {rb_measure_name(m->arena, member->path, name, 3, k),
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
        const Measure *measure = rb_find_measure(variables[n]);
        if (!is_wanted(member, n) || measure->level != level) continue;
        s.measures[s.measure_count++] = (int)(measure - rb_measures);
        for (int k = 0; k < rb_measure_size(measure); k++) {
            RbVariableSpec spec = {
                rb_measure_name(m->arena, member->path, measure->name, rb_measure_size(measure), k),
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
        if (!rb_role_measures(rb_member(m, i)->role)) continue;
        for (int level = RB_LEVEL_POSITION; level <= RB_LEVEL_ACCELERATION; level++)
            declare_level(m, build, i, (RbLevel)level, motion);
    }
}
