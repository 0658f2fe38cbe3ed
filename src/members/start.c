// SPDX-License-Identifier: MIT
// Start values of bodies that joints carry: these start where the coordinates of the joints put them. What is only a guess may be left
// out; places and velocities that are fixed are equations for the joints at the start (multibody/starts.c).
#include <string.h>

#include "base/text.h"
#include "members/members.h"

typedef struct Clusters {
    const Members *m;
    int *root; // per connection set, and one more for the world
} Clusters;

static int top(Clusters *c, int set) {
    while (c->root[set] != set) set = c->root[set] = c->root[c->root[set]];
    return set;
}

static bool carries(int role) {
    return role == ROLE_SOLID || role == ROLE_BODY || role == ROLE_TRANSLATION ||
           role == ROLE_CUT || rb_role_is_flexible(role) ||
           (role >= ROLE_REVOLUTE && role <= ROLE_FREE);
}

static void unite(Clusters *c, int a, int b) {
    if (a >= 0 && b >= 0) c->root[top(c, b)] = top(c, a);
}

// Frames that something but a force or free motion connects.
static Clusters clusters(const Members *m, RbArena *arena) {
    int world = m->gathered->set_count;
    Clusters c = {m, rb_new_array(arena, int, world + 1)};
    for (int i = 0; i <= world; i++) c.root[i] = i;
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role == ROLE_WORLD || member->role == ROLE_FIXED)
            unite(&c, world, member->sets[0]);
        else if (member->role == ROLE_ROD)
            unite(&c, member->sets[0], member->sets[2]);
        else if (member->role == ROLE_WHEEL && rb_wheel_carries(member))
            unite(&c, world, member->sets[0]);
        else if (carries(member->role) && member->role != ROLE_FREE)
            for (int k = 1; k < rb_member_joined(member); k++)
                unite(&c, member->sets[0], member->sets[k]);
    }
    return c;
}

// Of the values of a role some say whether start values are fixed.
static bool has_fixed(const RbMember *member, const char *const *names) {
    const RbValueSpec *values = rb_multibody_roles[member->role].values;
    for (int k = 0; values[k].name; k++) {
        for (int i = 0; names[i]; i++) {
            size_t length = strlen(names[i]);
            if (strncmp(values[k].name, names[i], length) == 0 && member->known[k] != 0 &&
                rb_text_ends_with(values[k].name, "fixed"))
                return true;
        }
    }
    return false;
}

static bool has_fixed_place(const RbMember *member) {
    static const char *const names[] = {"r_0", "v_0", "r_rel_a", "v_rel_a", NULL};
    return has_fixed(member, names);
}

static bool has_fixed_angles(const RbMember *member) {
    static const char *const names[] = {"angles", "w_0", "w_rel", "angle_", NULL};
    return has_fixed(member, names);
}

// What is fixed of a part that others carry.
static RbStatus carry_start(Members *m, const RbBuild *build, int i, const char *carried) {
    const RbMember *member = rb_member(m, i);
    m->starts_carried[i] = has_fixed_place(member);
    if (!has_fixed_angles(member)) return RB_OK;
    return rb_build_fail(build, member->at,
                         "angles or angular velocities of '%s' are fixed at the start, but %s: fix "
                         "the start values of these",
                         member->path, carried);
}

// A rod in a model without any body could not be moved by forces.
static RbStatus check_rods(const Members *m, const RbBuild *build) {
    const RbMember *rod = NULL;
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role == ROLE_BODY || member->role == ROLE_SOLID || member->role == ROLE_WHEEL)
            return RB_OK;
        if (member->role == ROLE_ROD) rod = member;
    }
    return rod ? rb_build_fail(build, rod->at,
                               "nothing that the rod '%s' holds has a mass: connect a body",
                               rod->path)
               : RB_OK;
}

RbStatus rb_members_check_starts(Members *m, const RbBuild *build) {
    RB_TRY(check_rods(m, build));
    m->starts_carried = rb_new_array(m->arena, bool, m->gathered->count + 1);
    RbArena scratch = *m->arena;
    Clusters c = clusters(m, &scratch);
    int world = m->gathered->set_count;
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_FREE) continue;
        // Free motion beside other joints is no motion of its own.
        if (top(&c, member->sets[0]) == top(&c, member->sets[1]))
            RB_TRY(carry_start(m, build, i, "other joints connect its frames"));
        unite(&c, member->sets[0], member->sets[1]);
    }
    bool *moved =
        rb_new_array(&scratch, bool, world + 1); // per cluster: a body was there that moves freely
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if ((member->role != ROLE_BODY && member->role != ROLE_SOLID) || member->sets[0] < 0)
            continue;
        int cluster = top(&c, member->sets[0]);
        bool free = cluster != top(&c, world) && !moved[cluster];
        moved[cluster] = true;
        if (!free && member->role == ROLE_BODY)
            RB_TRY(carry_start(m, build, i, "joints or another body carry it"));
    }
    return RB_OK;
}
