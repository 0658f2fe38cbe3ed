// SPDX-License-Identifier: MIT
// Actions, programs and paths among the members: from their values to the scene, and the functions by
// which equations see paths.
#include <string.h>

#include "base/text.h"
#include "component/segment.h"
#include "members/members.h"

typedef struct ActionBuild {
    Members *m;
    const RbSegment *segment;
    RbScene *scene;
} ActionBuild;

static const double *numbers(const ActionBuild *b, int member, const char *name) {
    return rb_member_numbers(b->m, b->segment, member, name);
}

static double number(const ActionBuild *b, int member, const char *name, double otherwise) {
    const double *v = numbers(b, member, name);
    return v ? *v : otherwise;
}

static Vec3 vector(const ActionBuild *b, int member, const char *name) {
    const double *v = numbers(b, member, name);
    return v ? v3_load(v) : V3_ZERO;
}

static const char *text(const ActionBuild *b, int member, const char *name) {
    return rb_member_text(b->m, b->segment, member, name);
}

// --- names ---------------------------------------------------------------------------------------

// The frame of a member that stands for it when an action names it, or one that is named with it.
static int named_frame(const RbMember *member, const char *rest) {
    const char *const *frames = rb_multibody_roles[member->role].frames;
    if (!*rest) return member->role == ROLE_TRANSLATION ? 1 : 0;
    for (int k = 0; frames[k]; k++) {
        if (*rest == '.' && strcmp(rest + 1, frames[k]) == 0) return k;
    }
    return -1;
}

// The object that is meant by the path of a part, or of one of its frames; NULL: none.
static const char *object_by_path(const Members *m, const RbScene *scene, const char *path) {
    if (rb_scene_find(scene, path) >= 0) return path;
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        size_t length = strlen(member->path);
        if (member->role > ROLE_TRANSLATION || strncmp(path, member->path, length) != 0) continue;
        int frame = named_frame(member, path + length);
        if (frame < 0 || member->sets[frame] < 0) continue;
        if (m->object_of[member->sets[frame]] < 0) continue;
        return scene->objects.data[m->object_of[member->sets[frame]]].object.name;
    }
    return NULL;
}

const char *rb_members_full_name(const Members *m, const RbScene *scene, int i, const char *name,
                                 bool joint) {
    const char *path = rb_member(m, i)->path;
    if (!name) return name;
    for (size_t k = strlen(path); k > 0; k--) {
        if (path[k] != '.') continue;
        const char *full = rb_arena_printf(m->arena, "%.*s.%s", (int)k, path, name);
        const char *found = joint ? (rb_scene_find_joint(scene, full) >= 0 ? full : NULL)
                                  : object_by_path(m, scene, full);
        if (found) return found;
    }
    const char *found = joint ? NULL : object_by_path(m, scene, name);
    return found ? found : name;
}

// --- actions and programs ------------------------------------------------------------------------

static int signal_of(const ActionBuild *b, int i) {
    for (int k = 0; k < b->m->triggers.count; k++) {
        if (b->m->triggers.data[k].member == i) return b->m->triggers.data[k].input[0];
    }
    return -1;
}

// ORDER Rattleback.Actions.JointType
static const RbJointKind joint_types[] = {
    RB_JOINT_FIXED,  RB_JOINT_REVOLUTE,  RB_JOINT_PRISMATIC, RB_JOINT_CYLINDRICAL,
    RB_JOINT_PLANAR, RB_JOINT_UNIVERSAL, RB_JOINT_SPHERICAL};

// A soft body by its name, from where the action stands.
static const char *soft_name(ActionBuild *b, int i, const char *name) {
    const char *path = rb_member(b->m, i)->path;
    for (size_t k = strlen(path) + 1; name && k-- > 0;) {
        if (k > 0 && path[k] != '.') continue;
        const char *full =
            rb_arena_printf(b->m->arena, "%.*s%s%s", (int)k, path, k > 0 ? "." : "", name);
        for (int n = 0; n < b->m->gathered->count; n++) {
            const RbMember *member = rb_member(b->m, n);
            if (member->role == ROLE_SOFT && strcmp(member->path, full) == 0) return full;
        }
    }
    return name;
}

static RbSceneAction change_of(ActionBuild *b, int i) {
    return (RbSceneAction){.kind = RB_SCENE_CHANGE,
                           .at = rb_member(b->m, i)->at,
                           .time = number(b, i, "at", 0),
                           .a = soft_name(b, i, text(b, i, "a")),
                           .youngs_modulus = number(b, i, "E", -1),
                           .density = number(b, i, "rho", -1),
                           .damping = number(b, i, "zeta", -1),
                           .friction = number(b, i, "mu", -1)};
}

static RbSceneAction reconnection_of(ActionBuild *b, int i, RbSceneActionKind kind) {
    return (RbSceneAction){.kind = kind,
                           .at = rb_member(b->m, i)->at,
                           .time = number(b, i, "at", 0),
                           .a = soft_name(b, i, text(b, i, "a")),
                           .b = kind == RB_SCENE_GLUE ? soft_name(b, i, text(b, i, "b")) : NULL,
                           .pose.r = vector(b, i, "r"),
                           .n = vector(b, i, "n")};
}

static RbSceneAction action_of(ActionBuild *b, int i) {
    RbSceneAction a = {.kind = (RbSceneActionKind)((int)number(b, i, "kind", 1) - 1),
                       .at = rb_member(b->m, i)->at};
    int kind = (int)number(b, i, "kind", 1);
    if (kind == KIND_CHANGE) return change_of(b, i);
    if (kind == KIND_CUT) return reconnection_of(b, i, RB_SCENE_CUT);
    if (kind == KIND_GLUE) return reconnection_of(b, i, RB_SCENE_GLUE);
    bool joint = rb_scene_is_about_joint(a.kind);
    a.time = number(b, i, "at", 0);
    a.a = rb_members_full_name(b->m, b->scene, i, text(b, i, "a"), joint);
    a.b = rb_members_full_name(b->m, b->scene, i, text(b, i, "b"), false);
    a.c = rb_members_full_name(b->m, b->scene, i, text(b, i, "c"), false);
    a.no_contact = number(b, i, "enableContactDetection", 1) == 0;
    a.joint = joint_types[(int)number(b, i, "joint", 1)];
    a.n = vector(b, i, "n");
    a.n2 = vector(b, i, "n2");
    a.require_rest = number(b, i, "requireRest", 0) != 0;
    a.max_distance = number(b, i, "maxDistance", 0);
    a.pose = rb_member_place(vector(b, i, "r"), vector(b, i, "angles"));
    a.velocity = (Motion){vector(b, i, "w"), vector(b, i, "v")};
    return a;
}

static void add_path(ActionBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    RbScenePath p = {.name = member->path,
                     .at = member->at,
                     .axes = rb_member_size(b->m, i, "q_start"),
                     .start = numbers(b, i, "q_start"),
                     .v_max = numbers(b, i, "v_max"),
                     .a_max = numbers(b, i, "a_max")};
    rb_array_push(&b->scene->paths, b->scene->arena, p);
}

// The path that a step names, from where the step stands.
static RbStatus find_path(ActionBuild *b, int i, int *path) {
    const char *name = text(b, i, "a"), *at = rb_member(b->m, i)->path;
    RbNear near = {.wanted = name ? name : ""};
    for (size_t k = strlen(at) + 1; k-- > 0;) {
        if (k > 0 && at[k] != '.') continue;
        const char *full =
            rb_arena_printf(b->m->arena, "%.*s%s%s", (int)k, at, k > 0 ? "." : "", near.wanted);
        for (*path = 0; *path < b->scene->paths.count; (*path)++) {
            if (strcmp(b->scene->paths.data[*path].name, full) == 0) return RB_OK;
        }
    }
    for (int k = 0; k < b->scene->paths.count; k++)
        rb_text_try_near(&near, b->scene->paths.data[k].name);
    return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                   "there is no path '%s'%s", near.wanted,
                   rb_text_near_question(&near, "", b->m->arena));
}

static RbStatus travel_step(ActionBuild *b, int i, RbSceneStep *step) {
    RB_TRY(find_path(b, i, &step->path));
    const RbScenePath *p = &b->scene->paths.data[step->path];
    int size = rb_member_size(b->m, i, "positions");
    step->kind = RB_SCENE_TRAVEL;
    step->points = numbers(b, i, "positions");
    step->point_count = size / p->axes;
    if (size % p->axes == 0) return RB_OK;
    return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                   "%d positions are given for path '%s', which has %d axes", size, p->name,
                   p->axes);
}

static RbStatus wait_step(ActionBuild *b, int i, RbSceneStep *step) {
    step->kind = RB_SCENE_WAIT;
    step->period = number(b, i, "period", 0);
    if (step->period >= 0) return RB_OK;
    return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                   "an action waits for %g s; a period cannot be negative", step->period);
}

// At a time, when a signal rises, or as a step of a program, whose first step has the signal.
static RbStatus add_action(ActionBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    int kind = (int)number(b, i, "kind", 1), signal = signal_of(b, i) + 1;
    int last = b->scene->programs.count - 1;
    bool goes_on = number(b, i, "program", 0) != 0 && signal == 0;
    RbSceneStep step = {.at = member->at};
    if (kind == KIND_TRAVEL)
        RB_TRY(travel_step(b, i, &step));
    else if (kind == KIND_WAIT)
        RB_TRY(wait_step(b, i, &step));
    else
        step.action = action_of(b, i);
    if (signal > 0 || goes_on) {
        rb_scene_add_step(b->scene, goes_on ? last : last + 1, step);
        if (signal > 0) b->scene->programs.data[last + 1].signal = signal;
    } else
        rb_scene_add_action(b->scene, step.action);
    return RB_OK;
}

RbStatus rb_members_add_actions(Members *m, const RbSegment *segment, RbScene *scene) {
    ActionBuild b = {m, segment, scene};
    RbStatus worst = RB_OK;
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role == ROLE_PATH) add_path(&b, i);
    }
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role != ROLE_ACTION) continue;
        RbStatus status = add_action(&b, i);
        if (status != RB_OK) worst = status;
    }
    return worst;
}

// --- what equations see of paths -----------------------------------------------------------------

static bool is_seen(const RbMember *member) {
    return member->wanted[0] || member->wanted[1] || member->wanted[2];
}

// Three functions, each the derivative of the one before.
static void declare_path(Members *m, RbBuild *build, int i) {
    static const char *const levels[] = {"position", "velocity", "acceleration"}; // ORDER RbLevel
    const RbMember *member = rb_member(m, i);
    const char *const *variables = rb_multibody_roles[ROLE_PATH].variables;
    int axes = rb_member_size(m, i, "q_start"), first = m->path_functions + 3 * m->paths.count;
    rb_array_push(&m->paths, m->arena, i);
    for (int level = 0; level < 3; level++) {
        int *outputs = rb_new_array(m->arena, int, axes + 1);
        for (int k = 0; k < axes; k++) {
            const char *name =
                rb_arena_printf(m->arena, "%s.%s[%d]", member->path, variables[level], k + 1);
            outputs[k] =
                rb_build_variable(build, &(RbVariableSpec){name, RB_VARIABLE_OUTPUT, 0, "", ""});
        }
        rb_build_function(build,
                          &(RbFunctionSpec){.name = rb_arena_printf(m->arena, "%s.%s", member->path,
                                                                    levels[level]),
                                            .level = (RbLevel)level,
                                            .output_count = axes,
                                            .outputs = outputs,
                                            .after = RB_NONE,
                                            .derivative = level < 2 ? first + level + 1 : RB_NONE});
    }
}

void rb_members_declare_paths(Members *m, RbBuild *build, int first) {
    m->path_functions = first;
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role == ROLE_PATH && is_seen(member)) declare_path(m, build, i);
    }
}
