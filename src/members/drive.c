// SPDX-License-Identifier: MIT
// What the equations see of gathered members: joints with a drive, or of whose coordinates they
// speak, belong to the equations (docs/theory/multibody.md, section 6).
//
//     contact(q, v)          what pushes the parts that equations move (moved.c)
//     row(q, v; a) = tau     for bodies that hang together: affine in the accelerations a
//     row(q, v; tau) = a     with kinematic loops
//     row(q, v; a, tau) = 0  either, where joints may be locked
//     motion(q, v, a)        derivatives of the states of everything else
//     solution(q, v; c, k)   a that solve a row together with tau = c - k a of each joint: what drives it
//
// Contacts tie everything together: all functions take the coordinates of all driven joints.
#include <string.h>

#include "members/members.h"

// --- which joints --------------------------------------------------------------------------------

static bool has_flange(const RbMember *member) {
    const RbValueSpec *values = rb_multibody_roles[member->role].values;
    for (int k = 0; values[k].name; k++) {
        if (values[k].type == RB_VALUE_STRUCTURE && member->known[k] != 0) return true;
    }
    return false;
}

bool rb_member_is_driven(const Members *m, int i) {
    const RbMember *member = rb_member(m, i);
    const JointRole *joint = rb_member_joint_role(member->role);
    const char *const *variables = rb_multibody_roles[member->role].variables;
    if (!joint || !joint->coordinates[0].q) return false;
    if (has_flange(member)) return true;
    for (int k = 0; variables && variables[k]; k++) {
        if (member->wanted[k]) return true;
    }
    return false;
}

// --- variables and equations ---------------------------------------------------------------------

static int variable(RbBuild *build, const char *path, const char *name, RbVariableKind kind) {
    const char *full = rb_arena_printf(build->arena, "%s.%s", path, name);
    return rb_build_variable(build, &(RbVariableSpec){full, kind, 0, "", ""});
}

static void drive_joint(Members *m, RbBuild *build, int i) {
    const RbMember *member = rb_member(m, i);
    const JointRole *joint = rb_member_joint_role(member->role);
    const char *path = member->path;
    bool flange = has_flange(member);
    for (int k = 0; k < rb_joint_direct_count(joint->kind); k++) {
        const char *q = joint->coordinates[k].q, *v = joint->coordinates[k].v,
                   *a = joint->coordinates[k].a, *tau = joint->coordinates[k].tau;
        DrivenCoordinate c = {.member = i,
                              .coordinate = k,
                              .q = variable(build, path, q, RB_VARIABLE_STATE),
                              .v = variable(build, path, v, RB_VARIABLE_STATE),
                              .a = variable(build, path, a, RB_VARIABLE_ACAUSAL),
                              .tau = variable(build, path, tau, RB_VARIABLE_ACAUSAL)};
        rb_array_push(&m->driven, m->arena, c);
        rb_build_equation(build,
                          rb_arena_printf(build->arena, "%s.%s = der(%s.%s)", path, v, path, q));
        rb_build_equation(build,
                          rb_arena_printf(build->arena, "%s.%s = der(%s.%s)", path, a, path, v));
        if (!flange)
            rb_build_equation(build, rb_arena_printf(build->arena, "%s.%s = 0", path, tau));
    }
}

// --- what hangs together -------------------------------------------------------------------------

typedef struct Graph {
    int *root;    // per set
    bool *ground; // per set: fixed in the world
    // The same with the world as one more set, behind the others: is what closes a loop.
    int *whole;
    bool *looped; // per set: a loop goes through it, or through what hangs together with it
} Graph;

static int top_in(int *root, int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

static int top(Graph *g, int i) {
    return top_in(g->root, i);
}

// A line between two sets; the world is one set.
static void note_line(Graph *g, int a, int b, int world) {
    int x = top_in(g->whole, g->ground[a] ? world : a),
        y = top_in(g->whole, g->ground[b] ? world : b);
    if (x != y)
        g->whole[x] = y;
    else if (!(g->ground[a] && g->ground[b]))
        g->looped[g->ground[a] ? b : a] = true;
}

// What is rigidly connected with the world holds nothing together.
static void find_ground(const Members *m, Graph *g) {
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < m->gathered->count; i++) {
            const RbMember *member = rb_member(m, i);
            bool fixed = member->role == ROLE_WORLD || member->role == ROLE_FIXED;
            bool rigid = member->role == ROLE_TRANSLATION || member->role == ROLE_CUT;
            if (fixed && !g->ground[member->sets[0]]) more = g->ground[member->sets[0]] = true;
            if (rigid && g->ground[member->sets[0]] != g->ground[member->sets[1]])
                more = g->ground[member->sets[0]] = g->ground[member->sets[1]] = true;
        }
    }
}

// What holds closes a loop, whatever else there is, and ties together what moves.
static void note_hold(Graph *g, const RbMember *member) {
    int first = -1;
    for (int k = 0; k < member->set_count; k++) {
        int set = member->sets[k];
        if (set < 0 || g->ground[set]) continue;
        g->looped[set] = true;
        if (first >= 0) g->root[top(g, set)] = top(g, first);
        first = set;
    }
}

// Two frames that a part or a joint connects.
static void note_lines(Graph *g, int a, int b, int world) {
    if (a < 0 || b < 0) return;
    note_line(g, a, b, world);
    if (!g->ground[a] && !g->ground[b]) g->root[top(g, a)] = top(g, b);
}

static Graph find_graph(const Members *m, RbArena *arena) {
    int sets = m->gathered->set_count;
    Graph g = {rb_new_array(arena, int, sets + 1), rb_new_array(arena, bool, sets + 1),
               rb_new_array(arena, int, sets + 1), rb_new_array(arena, bool, sets + 1)};
    for (int i = 0; i <= sets; i++) g.root[i] = g.whole[i] = i;
    find_ground(m, &g);
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role >= ROLE_SPRING && !rb_role_is_flexible(member->role))
            continue; // they hold nothing
        if (rb_role_holds(member->role)) {
            if (member->role != ROLE_LINE || rb_line_has_mass(member)) note_hold(&g, member);
            continue;
        }
        for (int k = 1; k < rb_member_joined(member); k++)
            note_lines(&g, member->sets[0], member->sets[k], sets);
    }
    for (int i = 0; i < sets; i++) {
        if (g.looped[i]) g.looped[top(&g, i)] = true;
    }
    return g;
}

// The part of the mechanism that a driven joint moves, by its number.
static int part_of(const Members *m, Graph *g, const DrivenCoordinate *c) {
    const RbMember *member = rb_member(m, c->member);
    int set = g->ground[member->sets[1]] ? member->sets[0] : member->sets[1];
    return top(g, set);
}

static void find_rows(Members *m) {
    int count = m->driven.count;
    Graph g = find_graph(m, m->arena);
    bool *placed = rb_new_array(m->arena, bool, count + 1);
    for (int i = 0; i < count; i++) {
        if (placed[i]) continue;
        DrivenRow row = {.coordinates = rb_new_array(m->arena, int, count - i)};
        int part = part_of(m, &g, &m->driven.data[i]);
        row.looped = g.looped[part];
        m->any_looped = m->any_looped || row.looped;
        for (int k = i; k < count; k++) {
            if (placed[k] || part_of(m, &g, &m->driven.data[k]) != part) continue;
            placed[k] = true;
            m->driven.data[k].looped = row.looped;
            row.coordinates[row.count++] = k;
        }
        rb_array_push(&m->rows, m->arena, row);
    }
}

// --- functions -----------------------------------------------------------------------------------

int rb_members_list_motion(const Members *m, int *inputs) {
    int n = m->driven.count;
    for (int i = 0; i < n; i++) {
        inputs[i] = m->driven.data[i].q;
        inputs[n + i] = m->driven.data[i].v;
    }
    for (int i = 0; i < m->moved.count; i++)
        memcpy(inputs + rb_members_moved_at(m) + MOVED_INPUTS * i, m->moved.data[i].inputs,
               sizeof m->moved.data[i].inputs);
    return rb_members_signals_at(m);
}

int rb_members_list_inputs(const Members *m, int *inputs) {
    int count = rb_members_list_motion(m, inputs);
    for (int i = 0; i < m->inputs.count; i++) inputs[count++] = m->inputs.data[i];
    return count;
}

static bool has_actions(const Members *m) {
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role == ROLE_ACTION) return true;
    }
    return false;
}

static void declare_row(const Members *m, RbBuild *build, int number) {
    const DrivenRow *row = &m->rows.data[number];
    int *inputs = rb_new_array(m->arena, int, rb_members_input_count(m) + 2 * row->count + 1);
    int *outputs = rb_new_array(m->arena, int, row->count + 1);
    int count = rb_members_list_inputs(m, inputs), affine = row->count * (m->locks ? 2 : 1);
    for (int i = 0; i < row->count; i++) {
        const DrivenCoordinate *c = &m->driven.data[row->coordinates[i]];
        inputs[count + i] = row->looped ? c->tau : c->a;
        outputs[i] = row->looped ? c->a : c->tau;
        if (m->locks) inputs[count + row->count + i] = outputs[i];
    }
    rb_build_function(
        build, &(RbFunctionSpec){
                   .name = rb_arena_printf(m->arena, "row%d", number + 1),
                   .level = RB_LEVEL_ACCELERATION,
                   .input_count = count + affine,
                   .inputs = inputs,
                   .output_count = row->count,
                   .outputs = m->locks ? NULL : outputs,
                   .affine_count = affine,
                   .after = rb_members_first_row(m) + number - 1,
                   .derivative = RB_NONE,
                   .solution = m->solves ? rb_members_first_row(m) + m->rows.count + number : 0});
}

// The accelerations that a row and what drives it have together.
static void declare_solution(const Members *m, RbBuild *build, int number) {
    const DrivenRow *row = &m->rows.data[number];
    int *inputs = rb_new_array(m->arena, int, rb_members_input_count(m) + 2 * row->count + 1);
    int *outputs = rb_new_array(m->arena, int, row->count + 1);
    int count = rb_members_list_inputs(m, inputs);
    for (int i = 0; i < row->count; i++) {
        const DrivenCoordinate *c = &m->driven.data[row->coordinates[i]];
        inputs[count + i] = c->tau;
        inputs[count + row->count + i] = outputs[i] = c->a;
    }
    rb_build_function(build,
                      &(RbFunctionSpec){.name = rb_arena_printf(m->arena, "solution%d", number + 1),
                                        .level = RB_LEVEL_ACCELERATION,
                                        .input_count = count + 2 * row->count,
                                        .inputs = inputs,
                                        .output_count = row->count,
                                        .outputs = outputs,
                                        .after = rb_members_first_row(m) + number - 1,
                                        .derivative = RB_NONE});
}

static void declare_motion(const Members *m, RbBuild *build) {
    int accelerations = 2 * m->driven.count + MOVED_ACCELERATIONS * m->moved.count;
    int *inputs = rb_new_array(m->arena, int, rb_members_input_count(m) + accelerations + 1);
    int count = rb_members_list_inputs(m, inputs);
    for (int i = 0; i < m->driven.count; i++) inputs[count++] = m->driven.data[i].a;
    for (int i = 0; i < m->moved.count; i++) {
        for (int k = 0; k < MOVED_ACCELERATIONS; k++)
            inputs[count++] = m->moved.data[i].accelerations[k];
    }
    for (int i = 0; m->any_looped && i < m->driven.count; i++)
        inputs[count++] = m->driven.data[i].tau;
    rb_build_function(build, &(RbFunctionSpec){.name = "motion",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .input_count = count,
                                               .inputs = inputs,
                                               .after = rb_members_first_row(m) + m->rows.count - 1,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
}

static bool has_locks(const Members *m) {
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_ACTION) continue;
        int kind = (int)member->known[0] - 1; // ORDER values of the role: its kind comes first
        if (kind == RB_SCENE_LOCK || kind == RB_SCENE_UNLOCK || kind == RB_SCENE_BREAK ||
            kind == RB_SCENE_REMOVE)
            return true;
    }
    return false;
}

RbStatus rb_members_build(Members *m, RbBuild *build) {
    RB_TRY(rb_members_check_names(m, build));
    RB_TRY(rb_members_check_starts(m, build));
    m->locks = has_locks(m);
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member_is_driven(m, i)) drive_joint(m, build, i);
    }
    rb_members_declare_moved(m, build);
    rb_members_declare_contact_sensors(m, build);
    rb_members_declare_regions(m, build);
    rb_members_declare_forces(m, build);
    find_rows(m);
    if (m->has_contact) rb_members_declare_contact(m, build);
    m->solves = !has_actions(m); // where structure changes, a row may be anything
    for (int i = 0; i < m->rows.count; i++) declare_row(m, build, i);
    for (int i = 0; m->solves && i < m->rows.count; i++) declare_solution(m, build, i);
    declare_motion(m, build);
    int motion = rb_members_motion(m);
    rb_members_declare_sensors(m, build, motion);
    rb_members_declare_paths(m, build, motion + 1 + m->sensors.count);
    return RB_OK;
}
