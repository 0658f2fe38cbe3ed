// SPDX-License-Identifier: MIT
#include "rigid/arrangement.h"

#include <string.h>

#include "base/sets.h"
#include "base/text.h"

RbArrangement rb_arrangement(const RbObject *objects, int object_count, const RbObjectJoint *joints,
                             int joint_count, RbArena *arena) {
    int capacity = joint_count + object_count;
    RbArrangement r = {.objects = rb_new_array(arena, RbObject, object_count),
                       .object_count = object_count,
                       .absent = rb_new_array(arena, bool, object_count),
                       .joints = rb_new_array(arena, RbObjectJoint, capacity),
                       .gone = rb_new_array(arena, bool, capacity),
                       .broken = rb_new_array(arena, bool, capacity),
                       .locked = rb_new_array(arena, RbLockedJoint, capacity),
                       .joint_count = joint_count,
                       .own_count = joint_count,
                       .capacity = capacity};
    if (object_count > 0) memcpy(r.objects, objects, (size_t)object_count * sizeof *objects);
    if (joint_count > 0) memcpy(r.joints, joints, (size_t)joint_count * sizeof *joints);
    return r;
}

static bool refuse(RbArena *text, const char **why, const char *format, const char *a,
                   const char *b) {
    *why = rb_arena_printf(text, format, a, b);
    return false;
}

// ---- assemblies

// What counts when it is asked what hangs together.
typedef enum Ties { TIES_RIGID, TIES_FAST, TIES_DRAWN, TIES_ALL } Ties;

static bool ties(const RbArrangement *r, int j, Ties which) {
    if (r->gone[j] || r->joints[j].kind == RB_JOINT_FREE) return false;
    if (which == TIES_ALL) return true;
    if (which == TIES_FAST)
        return r->joints[j].kind == RB_JOINT_FIXED; // also attachments, and locked joints
    if (j >= r->own_count) return false;
    return which == TIES_DRAWN || (r->joints[j].kind == RB_JOINT_FIXED && !r->locked[j].is);
}

// Objects that hang together, by rigid connections to parents and: rigid lines as drawn; whatever is rigid at present; joints as
// drawn; all. The world is a member like any other.
static int *find_sets(const RbArrangement *r, Ties which, RbArena *arena) {
    int *sets = rb_sets(arena, r->object_count);
    for (int i = 1; i < r->object_count; i++) {
        const RbObject *o = &r->objects[i];
        if (o->parent >= 0 && !o->moves_freely) rb_sets_join(sets, o->parent, i);
    }
    for (int j = 0; j < r->joint_count; j++) {
        if (ties(r, j, which)) rb_sets_join(sets, r->joints[j].a, r->joints[j].b);
    }
    return sets;
}

static bool are_together(int *sets, int a, int b) {
    return rb_sets_find(sets, a) == rb_sets_find(sets, b);
}

static void set_free(RbArrangement *r, int object, const RbPlaces *places) {
    RbObject *o = &r->objects[object];
    o->parent = 0;
    o->moves_freely = true;
    o->pose = places->X[object];
    o->velocity = places->V[object].v;
    o->angular_velocity = places->V[object].w;
}

// Which object carries the free motion of an assembly: one that does already, else one that may be
// released, else the first without a parent.
static int better_root(const RbArrangement *r, int a, int b) {
    if (a < 0) return b;
    const RbObject *x = &r->objects[a], *y = &r->objects[b];
    int rank_x = x->moves_freely ? 2 : x->parent < 0 && x->assembly_root ? 1 : 0;
    int rank_y = y->moves_freely ? 2 : y->parent < 0 && y->assembly_root ? 1 : 0;
    if (rank_x == 0 && x->parent >= 0 && y->parent < 0) return b;
    return rank_y > rank_x ? b : a;
}

// After every change: what hangs on the world does not move freely, and everything else does once.
static void settle(RbArrangement *r, const RbPlaces *places, RbArena scratch) {
    int *sets = find_sets(r, TIES_ALL, &scratch),
        *root = rb_new_array(&scratch, int, r->object_count);
    for (int i = 0; i < r->object_count; i++) root[i] = -1;
    for (int i = 1; i < r->object_count; i++) {
        if (r->absent[i]) continue;
        int set = rb_sets_find(sets, i);
        if (set != 0) root[set] = better_root(r, root[set], i);
    }
    for (int i = 1; i < r->object_count; i++) {
        if (r->absent[i]) continue;
        int set = rb_sets_find(sets, i);
        RbObject *o = &r->objects[i];
        bool carries = set != 0 && root[set] == i;
        if (o->moves_freely && !carries) {
            o->moves_freely = false;
            o->parent = -1;
        }
        if (carries) set_free(r, i, places);
    }
}

// ---- attach and release

static int find_attachment(const RbArrangement *r, int a, int b) {
    for (int j = r->own_count; j < r->joint_count; j++) {
        const RbObjectJoint *joint = &r->joints[j];
        if (r->gone[j]) continue;
        if ((joint->a == a && joint->b == b) || (joint->a == b && joint->b == a)) return j;
    }
    return -1;
}

bool rb_arrangement_holds(const RbArrangement *r, int a, int b) {
    return find_attachment(r, a, b) >= 0;
}

static int free_slot(RbArrangement *r) {
    for (int j = r->own_count; j < r->joint_count; j++) {
        if (r->gone[j]) return j;
    }
    return r->joint_count < r->capacity ? r->joint_count++ : -1;
}

// A joint that could not move any more, because both sides of it would be one rigid part; -1: there is none.
static int find_frozen(const RbArrangement *r, int a, int b, RbArena scratch) {
    int *sets = find_sets(r, TIES_FAST, &scratch);
    rb_sets_join(sets, a, b);
    for (int j = 0; j < r->own_count; j++) {
        const RbObjectJoint *joint = &r->joints[j];
        bool moves = joint->kind != RB_JOINT_FIXED || joint->hold.kind != RB_HOLD_NONE;
        if (!r->gone[j] && moves && are_together(sets, joint->a, joint->b)) return j;
    }
    return -1;
}

static bool is_in_loop(RbArrangement *r, int joint, int a, int b, RbArena scratch) {
    r->gone[joint] = true;
    int *sets = find_sets(r, TIES_ALL, &scratch);
    r->gone[joint] = false;
    if (b >= 0) rb_sets_join(sets, a, b);
    return are_together(sets, r->joints[joint].a, r->joints[joint].b);
}

// A joint of equations that would be in the loop which a and b close; -1: there is none. The blow would have to go through its drive
// and the loop at once, which nothing here computes.
static int find_driven_in_loop(RbArrangement *r, int a, int b, RbArena scratch) {
    for (int j = 0; j < r->own_count; j++) {
        if (r->gone[j] || r->joints[j].owner == RB_OWNED_BY_COMPONENT) continue;
        if (is_in_loop(r, j, a, b, scratch) && !is_in_loop(r, j, a, -1, scratch)) return j;
    }
    return -1;
}

bool rb_arrange_attach(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                       const char **why) {
    const char *name_a = r->objects[a].name, *name_b = r->objects[b].name;
    if (r->absent[a] || r->absent[b])
        return refuse(text, why, "'%s' or '%s' is not there", name_a, name_b);
    if (are_together(find_sets(r, TIES_FAST, text), a, b))
        return refuse(text, why, "'%s' and '%s' belong to one rigid part already", name_a, name_b);
    int frozen = find_frozen(r, a, b, *text);
    if (frozen >= 0)
        return refuse(text, why, "joint '%s' is between them, and would have to be locked%s",
                      r->joints[frozen].name, "");
    int driven = find_driven_in_loop(r, a, b, *text);
    if (driven >= 0)
        return refuse(text, why,
                      "that closes a loop through joint '%s', which equations drive: hold the part "
                      "by a Forces.Bushing, or let forces of the engine drive the joint%s",
                      r->joints[driven].name, "");
    int slot = free_slot(r);
    if (slot < 0) return refuse(text, why, "'%s' and '%s': too many attachments", name_a, name_b);
    r->joints[slot] = (RbObjectJoint){.name = name_b,
                                      .at = r->objects[b].at,
                                      .kind = RB_JOINT_FIXED,
                                      .a = a,
                                      .b = b,
                                      .pose = pose_relative(places->X[a], places->X[b])};
    r->gone[slot] = false;
    r->locked[slot] = (RbLockedJoint){0};
    settle(r, places, *text);
    return true;
}

// An end of attachment j that is (or is not) in a set.
static int end_of(const RbArrangement *r, int j, int *sets, int set, bool inside) {
    const RbObjectJoint *joint = &r->joints[j];
    return (rb_sets_find(sets, joint->a) == set) == inside ? joint->a : joint->b;
}

static bool leaves(const RbArrangement *r, int j, int *units, int unit) {
    const RbObjectJoint *joint = &r->joints[j];
    return !r->gone[j] &&
           (rb_sets_find(units, joint->a) == unit) != (rb_sets_find(units, joint->b) == unit);
}

// Is this what the others hang on: the world, or the root of what moves freely?
static bool is_carried_by(const RbArrangement *r, int *sets, int object, bool floats) {
    if (!floats) return are_together(sets, object, 0);
    for (int i = 1; i < r->object_count; i++) {
        if (r->objects[i].moves_freely && are_together(sets, object, i)) return true;
    }
    return false;
}

// The attachment that holds the unit of an object; -1: none does, or (in loops) several do.
static int find_holder(RbArrangement *r, int object, RbArena scratch) {
    int *units = find_sets(r, TIES_DRAWN, &scratch), unit = rb_sets_find(units, object);
    bool floats = !are_together(find_sets(r, TIES_ALL, &scratch), object, 0);
    int count = 0, only = -1, holder = -1, holders = 0;
    bool *own = rb_new_array(&scratch, bool, r->joint_count + 1);
    for (int j = r->own_count; j < r->joint_count; j++) {
        own[j] = leaves(r, j, units, unit);
        if (own[j]) only = j, count++;
    }
    if (count <= 1) return only;
    for (int j = r->own_count; j < r->joint_count; j++) r->gone[j] |= own[j];
    int *rest = find_sets(r, TIES_ALL, &scratch);
    for (int j = r->own_count; j < r->joint_count; j++) {
        if (!own[j]) continue;
        r->gone[j] = false;
        if (is_carried_by(r, rest, end_of(r, j, units, unit, false), floats)) holder = j, holders++;
    }
    return holders == 1 ? holder : -1;
}

static bool release_pair(RbArrangement *r, int a, int b, RbArena *text, const char **why) {
    int slot = find_attachment(r, a, b);
    if (slot < 0) {
        return refuse(
            text, why,
            "'%s' and '%s' are not attached to each other, which Actions.Attach does; what is "
            "connected stays",
            r->objects[a].name, r->objects[b].name);
    }
    r->gone[slot] = true;
    return true;
}

static bool release_unit(RbArrangement *r, int a, RbArena *text, const char **why) {
    RbObject *o = &r->objects[a];
    if (r->absent[a]) return refuse(text, why, "'%s' is not there%s", o->name, "");
    if (o->assembly_root && o->parent >= 0 && !o->moves_freely) {
        o->parent = -1;
        return true;
    }
    int slot = find_holder(r, a, *text);
    if (slot >= 0) {
        r->gone[slot] = true;
        return true;
    }
    int *units = find_sets(r, TIES_DRAWN, text);
    if (are_together(units, a, 0))
        return refuse(text, why, "'%s' is a fixed part of what hangs on the world%s", o->name,
                      ": what is to be released later is not connected, but attached by "
                      "Actions.Attach, from the start if need be");
    for (int j = r->own_count; j < r->joint_count; j++) {
        if (leaves(r, j, units, rb_sets_find(units, a)))
            return refuse(text, why, "several parts are attached to '%s': name one of them%s",
                          o->name, "");
    }
    return refuse(text, why, "'%s' is free%s", o->name, "");
}

bool rb_arrange_release(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                        const char **why) {
    bool done = b >= 0 ? release_pair(r, a, b, text, why) : release_unit(r, a, text, why);
    if (done) settle(r, places, *text);
    return done;
}

// Exchange one attachment for another, or change nothing.
static bool exchange(RbArrangement *r, int old, int a, int b, const RbPlaces *places, RbArena *text,
                     const char **why) {
    RbObjectJoint kept = r->joints[old];
    r->gone[old] = true;
    // b holds: the attachment is seen from there
    if (rb_arrange_attach(r, b, a, places, text, why)) return true;
    r->gone[old] = false;
    r->joints[old] = kept;
    return false;
}

bool rb_arrange_move(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                     const char **why) {
    int holder = r->absent[a] ? -1 : find_holder(r, a, *text);
    if (holder < 0)
        return refuse(text, why, "'%s' is not attached to anything%s", r->objects[a].name, "");
    return exchange(r, holder, a, b, places, text, why);
}

// The object that an object is fixed to by its parents.
static int top_of(const RbArrangement *r, int object) {
    while (r->objects[object].parent > 0 && !r->objects[object].moves_freely)
        object = r->objects[object].parent;
    return object;
}

static bool carry_motion(RbArrangement *r, int a, const RbPlaces *places, RbArena *text,
                         const char **why) {
    int *all = find_sets(r, TIES_ALL, text), root = top_of(r, a);
    if (are_together(all, a, 0))
        return refuse(text, why, "'%s' hangs on the world: say what it holds on to%s",
                      r->objects[a].name, "");
    for (int i = 1; i < r->object_count; i++) {
        RbObject *o = &r->objects[i];
        if (!o->moves_freely || i == root || !are_together(all, i, a)) continue;
        o->moves_freely = false;
        o->parent = -1;
    }
    set_free(r, root, places);
    return true;
}

bool rb_arrange_flip(RbArrangement *r, int a, int b, int c, const RbPlaces *places, RbArena *text,
                     const char **why) {
    const char *name_a = r->objects[a].name, *name_c = r->objects[c].name;
    bool chain = are_together(find_sets(r, TIES_DRAWN, text), a, c) &&
                 !are_together(find_sets(r, TIES_RIGID, text), a, c);
    if (!chain || r->absent[a])
        return refuse(text, why, "there is no chain of joints between '%s' and '%s'", name_a,
                      name_c);
    if (b < 0) return carry_motion(r, a, places, text, why);
    int holder = find_holder(r, c, *text);
    int *rigid = find_sets(r, TIES_RIGID, text);
    if (holder < 0 || (!are_together(rigid, r->joints[holder].a, c) &&
                       !are_together(rigid, r->joints[holder].b, c)))
        return refuse(text, why, "'%s' does not hold the chain%s", name_c, "");
    return exchange(r, holder, a, b, places, text, why);
}

// ---- joints

bool rb_arrange_lock(RbArrangement *r, int joint, const RbPlaces *places, RbArena *text,
                     const char **why) {
    RbObjectJoint *j = &r->joints[joint];
    if (r->gone[joint]) return refuse(text, why, "joint '%s' is not there%s", j->name, "");
    if (r->locked[joint].is) return refuse(text, why, "joint '%s' is locked%s", j->name, "");
    if (j->hold.kind != RB_HOLD_NONE)
        return refuse(text, why, "'%s' is a constraint and has no coordinates%s", j->name, "");
    if (j->owner == RB_OWNED_BY_EQUATIONS) {
        return refuse(text, why,
                      "equations drive joint '%s' or speak of its coordinates; hold its drive "
                      "instead%s",
                      j->name, "");
    }
    RbLockedJoint *l = &r->locked[joint];
    *l = (RbLockedJoint){true, j->kind, {0}};
    memcpy(l->q, j->q, sizeof l->q);
    j->kind = RB_JOINT_FIXED;
    j->pose = pose_relative(places->X[j->a], places->X[j->b]);
    return true;
}

bool rb_arrange_unlock(RbArrangement *r, int joint, RbArena *text, const char **why) {
    RbObjectJoint *j = &r->joints[joint];
    if (!r->locked[joint].is) return refuse(text, why, "joint '%s' is not locked%s", j->name, "");
    j->kind = r->locked[joint].kind;
    memcpy(j->q, r->locked[joint].q, sizeof j->q); // a guess: angles differ by full turns
    r->locked[joint].is = false;
    return true;
}

bool rb_arrange_replace(RbArrangement *r, int joint, RbJointKind kind, Vec3 n, Vec3 n2,
                        const RbPlaces *places, RbArena *text, const char **why) {
    RbObjectJoint *j = &r->joints[joint];
    if (r->gone[joint]) return refuse(text, why, "joint '%s' is not there%s", j->name, "");
    if (j->owner != RB_OWNED_BY_COMPONENT) {
        return refuse(text, why, "equations see the coordinates of joint '%s'%s", j->name, "");
    }
    if (j->hold.kind != RB_HOLD_NONE)
        return refuse(text, why, "'%s' is a constraint and has no coordinates%s", j->name, "");
    Pose now = pose_relative(places->X[j->a], places->X[j->b]);
    RbObjectJoint other = *j;
    other.kind = kind;
    other.n = n;
    other.n2 = n2;
    other.pose = other.base = now;
    other.has_base = true;
    rb_joint_home(kind, other.q);
    memset(other.v, 0, sizeof other.v);
    if (kind == RB_JOINT_FREE)
        return refuse(text, why, "joint '%s' cannot become free motion; release it%s", j->name, "");
    // Axes are given in the frame of the first object, the joint starts in that of the second.
    other.n = m3_tmul_vec(now.R, n);
    other.n2 = kind == RB_JOINT_UNIVERSAL ? n2 : m3_tmul_vec(now.R, n2);
    RbDiag ignored = rb_diag(text);
    if (rb_object_joint_check(&other, r->objects, &ignored) != RB_OK)
        return refuse(text, why, "the axes of joint '%s' have no direction%s", j->name, "");
    *j = other;
    r->locked[joint].is = false;
    return true;
}

bool rb_arrange_break(RbArrangement *r, int joint, const RbPlaces *places, RbArena *text,
                      const char **why) {
    const RbObjectJoint *j = &r->joints[joint];
    if (r->gone[joint]) return refuse(text, why, "joint '%s' is not there%s", j->name, "");
    r->gone[joint] = r->broken[joint] = true;
    settle(r, places, *text);
    return true;
}

// ---- remove and add

static void mark(RbArrangement *r, int unit, int *units, bool absent) {
    for (int i = 1; i < r->object_count; i++) {
        if (rb_sets_find(units, i) == unit) r->absent[i] = absent;
    }
    for (int j = 0; j < r->joint_count; j++) {
        bool a = rb_sets_find(units, r->joints[j].a) == unit,
             b = rb_sets_find(units, r->joints[j].b) == unit;
        bool whole = a && b; // a hold goes with either end
        if (r->joints[j].hold.kind != RB_HOLD_NONE)
            whole = (a || b) && !(r->absent[r->joints[j].a] && !absent) &&
                    !(r->absent[r->joints[j].b] && !absent);
        if (j < r->own_count && whole) r->gone[j] = absent || r->broken[j];
        if (j >= r->own_count && (a || b)) r->gone[j] = true;
    }
}

// Of a fixed part and what is fixed to it: is object i among them?
static bool is_fixed_to(const RbArrangement *r, int i, int object) {
    while (i > 0 && i != object) i = r->objects[i].moves_freely ? -1 : r->objects[i].parent;
    return i == object;
}

// A part of the world leaves without it. What was attached to it is released.
static bool remove_fixed(RbArrangement *r, int object, RbArena *text, const char **why) {
    const char *name = r->objects[object].name;
    if (object == 0) return refuse(text, why, "'%s' stays%s", name, "");
    for (int j = 0; j < r->own_count; j++) {
        const RbObjectJoint *joint = &r->joints[j];
        if (r->gone[j]) continue;
        if (is_fixed_to(r, joint->a, object) || is_fixed_to(r, joint->b, object))
            return refuse(text, why, "joint '%s' needs '%s'", joint->name, name);
    }
    for (int j = r->own_count; j < r->joint_count; j++) {
        const RbObjectJoint *joint = &r->joints[j];
        r->gone[j] |= is_fixed_to(r, joint->a, object) || is_fixed_to(r, joint->b, object);
    }
    for (int i = 1; i < r->object_count; i++) {
        if (is_fixed_to(r, i, object)) r->absent[i] = true;
    }
    return true;
}

bool rb_arrange_remove(RbArrangement *r, int object, const RbPlaces *places, RbArena *text,
                       const char **why) {
    const char *name = r->objects[object].name;
    if (r->absent[object]) return refuse(text, why, "'%s' is not there%s", name, "");
    int *units = find_sets(r, TIES_DRAWN, text), unit = rb_sets_find(units, object);
    if (unit != 0)
        mark(r, unit, units, true);
    else if (!remove_fixed(r, object, text, why))
        return false;
    settle(r, places, *text);
    return true;
}

// A part of the world comes, or comes back: it stays where it appears.
static bool add_fixed(RbArrangement *r, int object, Pose X, Motion V, RbPlaces *places,
                      RbArena *text, const char **why) {
    RbObject *o = &r->objects[object];
    if (v3_norm2(V.v) + v3_norm2(V.w) > 0)
        return refuse(text, why, "'%s' is fixed in the world, and cannot have a velocity%s",
                      o->name, "");
    Pose shift = pose_mul(X, pose_inverse(places->X[object]));
    o->pose = pose_relative(o->parent > 0 ? places->X[o->parent] : POSE_IDENTITY, X);
    for (int i = 1; i < r->object_count; i++) {
        if (!is_fixed_to(r, i, object)) continue;
        places->X[i] = pose_mul(shift, places->X[i]);
        places->V[i] = (Motion){V3_ZERO, V3_ZERO};
        r->absent[i] = false;
    }
    return true;
}

// Poses of all objects that hang on one by rigid connections and joints at home are not known
// before the tree is built; an assembly that is added is therefore rigid or one with joints at their
// start values, which the caller places.
bool rb_arrange_add(RbArrangement *r, int object, Pose X, Motion V, RbPlaces *places, RbArena *text,
                    const char **why) {
    if (!r->absent[object])
        return refuse(text, why, "'%s' is there already%s", r->objects[object].name, "");
    for (int j = 0; j < r->own_count; j++) r->gone[j] = r->broken[j]; // to see what hangs together
    int *sets = find_sets(r, TIES_DRAWN, text), set = rb_sets_find(sets, object);
    if (set == 0) return add_fixed(r, object, X, V, places, text, why);
    Pose shift = pose_mul(X, pose_inverse(places->X[object]));
    for (int i = 1; i < r->object_count; i++) {
        if (rb_sets_find(sets, i) != set) continue;
        places->X[i] = pose_mul(shift, places->X[i]);
        places->V[i] = mo_shift(V, v3_sub(places->X[i].r, X.r));
    }
    mark(r, set, sets, false);
    for (int j = 0; j < r->own_count; j++)
        r->gone[j] = r->broken[j] || r->absent[r->joints[j].a] || r->absent[r->joints[j].b];
    settle(r, places, *text);
    return true;
}
