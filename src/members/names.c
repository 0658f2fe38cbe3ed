// SPDX-License-Identifier: MIT
// Names in actions are checked when a model is translated, as far as they are known then. What only the
// scene knows (whether a frame is connected, values that were set for a run) is checked before the run.
#include <string.h>

#include "base/text.h"
#include "members/members.h"

typedef enum NameKind { NAME_PART, NAME_JOINT, NAME_PATH, NAME_SOFT } NameKind;
// ORDER NameKind
static const char *const kinds[] = {"object", "joint", "path", "soft body"};
static const char *const wants[] = {"a part or a frame", "a joint", "a path", "a soft body"};

typedef struct NameCheck {
    const Members *m;
    const RbBuild *build;
    int member; // an action
    NameKind wanted;
} NameCheck;

// What a member can be named as; false: nothing.
static bool kind_of(const RbMember *member, NameKind *kind) {
    *kind = NAME_PART;
    if (member->role == ROLE_PATH)
        *kind = NAME_PATH;
    else if (member->role == ROLE_SOFT)
        *kind = NAME_SOFT;
    else if (rb_member_joint_role(member->role) || rb_role_holds(member->role))
        *kind = NAME_JOINT;
    return member->role != ROLE_ACTION;
}

// Is `path` a member, or a frame of one?
static bool names_member(const RbMember *member, const char *path) {
    const char *const *frames = rb_multibody_roles[member->role].frames;
    size_t length = strlen(member->path);
    if (strncmp(path, member->path, length) != 0) return false;
    if (!path[length]) return true;
    for (int k = 0; frames && frames[k]; k++) {
        if (path[length] == '.' && strcmp(path + length + 1, frames[k]) == 0) return true;
    }
    return false;
}

static bool exists(const NameCheck *c, const char *path, NameKind *found) {
    bool any = false;
    for (int i = 0; i < c->m->gathered->count; i++) {
        NameKind kind;
        if (!kind_of(rb_member(c->m, i), &kind) || !names_member(rb_member(c->m, i), path))
            continue;
        if (!any || kind == c->wanted) *found = kind;
        any = true;
    }
    return any;
}

// From where the action stands, or from one of the models around it.
static bool find_name(const NameCheck *c, const char *name, NameKind *found) {
    const char *at = rb_member(c->m, c->member)->path;
    for (size_t k = strlen(at) + 1; k-- > 0;) {
        if (k > 0 && at[k] != '.') continue;
        const char *full =
            rb_arena_printf(c->m->arena, "%.*s%s%s", (int)k, at, k > 0 ? "." : "", name);
        if (exists(c, full, found)) return true;
    }
    return false;
}

static RbStatus fail_unknown(const NameCheck *c, const char *name) {
    RbNear near = {.wanted = name};
    for (int i = 0; i < c->m->gathered->count; i++) {
        NameKind kind;
        if (kind_of(rb_member(c->m, i), &kind) && kind == c->wanted)
            rb_text_try_near(&near, rb_member(c->m, i)->path);
    }
    const char *question = rb_text_near_question(&near, "", c->m->arena);
    RbPos at = rb_member(c->m, c->member)->at;
    if (c->wanted == NAME_PATH)
        return rb_build_fail(c->build, at, "there is no path '%s'%s", name, question);
    return rb_build_fail(c->build, at, "an action names the %s '%s', which does not exist%s",
                         kinds[c->wanted], name, question);
}

static RbStatus check_name(const NameCheck *c, const char *name) {
    NameKind found;
    RbPos at = rb_member(c->m, c->member)->at;
    if (!name || !*name)
        return RB_OK; // not known, or said before the run that it must not be empty
    if (!find_name(c, name, &found)) return fail_unknown(c, name);
    if (found == c->wanted || found == NAME_PATH || c->wanted == NAME_PATH) return RB_OK;
    return rb_build_fail(c->build, at, "an action names '%s', which is a %s: it wants %s", name,
                         found == NAME_PART ? "part" : kinds[found], wants[c->wanted]);
}

static NameKind wanted_by(int kind, bool first) {
    if (kind == KIND_CHANGE || kind == KIND_CUT || kind == KIND_GLUE) return NAME_SOFT;
    if (!first) return NAME_PART;
    if (kind == KIND_TRAVEL || kind == KIND_WAIT) return NAME_PATH;
    return rb_scene_is_about_joint((RbSceneActionKind)(kind - 1)) ? NAME_JOINT : NAME_PART;
}

static RbStatus check_action(const Members *m, const RbBuild *build, int i) {
    const RbMember *member = rb_member(m, i);
    const RbValueSpec *values = rb_multibody_roles[ROLE_ACTION].values;
    int kind = (int)member->known[0]; // ORDER values of the role: its kind comes first
    RbStatus worst = RB_OK;
    for (int k = 0; values[k].name; k++) {
        if (values[k].type != RB_VALUE_TEXT) continue;
        NameKind wanted = wanted_by(kind, strcmp(values[k].name, "a") == 0);
        RbStatus status = check_name(&(NameCheck){m, build, i, wanted}, member->texts[k]);
        if (status != RB_OK) worst = status;
    }
    return worst;
}

RbStatus rb_members_check_names(const Members *m, const RbBuild *build) {
    RbStatus worst = RB_OK;
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role != ROLE_ACTION) continue;
        RbStatus status = check_action(m, build, i);
        if (status != RB_OK) worst = status;
    }
    return worst;
}
