// SPDX-License-Identifier: MIT
#include "rigid/superobject.h"

// A line of the graph: an attachment to a parent or a joint. Joint -1: free motion; rigid lines
// carry the pose of b in a.
typedef struct Line {
    int a, b;
    int joint;
    bool rigid; // joins the two into one super-object
    bool free;
    bool used;
    Pose pose;
} Line;

typedef struct Lines {
    int *start; // per object, into at; one more at the end
    int *at;    // line numbers
    Line *all;
    int count;
} Lines;

typedef struct Build {
    const RbObject *objects;
    const RbObjectJoint *joints;
    int object_count, joint_count;
    RbArena *keep;
    RbDiag *diag;
    Lines lines;
    int *came_from; // object from which an object was reached; -1: not yet (the world: itself)
    int *waiting;   // stack of lines that lead to the next super-objects
    int waiting_count;
    int *stack; // rigid lines of the current super-object that are still to be followed
    RbStructure *out;
    int placed; // objects in order so far
} Build;

static RbStatus check_input(const RbObject *objects, int n, const RbObjectJoint *joints,
                            int joint_count, RbDiag *diag) {
    RbStatus worst = RB_OK; // report them all
    for (int i = 0; i < n; i++) {
        RbStatus status = rb_object_check(&objects[i], diag);
        if (status != RB_OK) worst = status;
        if (objects[i].parent >= n || (objects[i].parent < 0 && objects[i].moves_freely) ||
            objects[i].parent == i) {
            worst = rb_fail(diag, RB_ERROR_MODEL, objects[i].at, "object '%s' has no valid parent",
                            objects[i].name);
        }
    }
    for (int j = 0; j < joint_count; j++) {
        if (joints[j].a >= 0 && joints[j].a < n && joints[j].b >= 0 && joints[j].b < n) continue;
        worst = rb_fail(diag, RB_ERROR_MODEL, joints[j].at, "joint '%s' needs two objects",
                        joints[j].name);
    }
    return worst;
}

// ---- the graph

static void add_line(Lines *lines, Line line) {
    lines->all[lines->count++] = line;
}

static Lines collect_lines(const Build *b, RbArena *arena) {
    int n = b->object_count;
    Lines lines = {.start = rb_new_array(arena, int, n + 2),
                   .all = rb_new_array(arena, Line, n + b->joint_count)};
    for (int i = 0; i < n; i++) {
        const RbObject *o = &b->objects[i];
        if (o->parent < 0) continue;
        bool rigid = !o->moves_freely && !o->assembly_root;
        add_line(&lines, (Line){o->parent, i, -1, rigid, o->moves_freely, false, o->pose});
    }
    for (int j = 0; j < b->joint_count; j++) {
        const RbObjectJoint *joint = &b->joints[j];
        bool rigid = joint->kind == RB_JOINT_FIXED;
        add_line(&lines, (Line){joint->a, joint->b, j, rigid, joint->kind == RB_JOINT_FREE, false,
                                joint->pose});
    }
    // Lines of each object in order of definition: count, sum up, fill.
    for (int i = 0; i < lines.count; i++) {
        lines.start[lines.all[i].a + 2]++;
        lines.start[lines.all[i].b + 2]++;
    }
    for (int i = 2; i < n + 2; i++) lines.start[i] += lines.start[i - 1];
    lines.at = rb_new_array(arena, int, 2 * lines.count);
    for (int i = 0; i < lines.count; i++) {
        lines.at[lines.start[lines.all[i].a + 1]++] = i;
        lines.at[lines.start[lines.all[i].b + 1]++] = i;
    }
    return lines;
}

// ---- loops

static bool on_way_to_world(const Build *b, int from, int object) {
    for (int i = from;; i = b->came_from[i]) {
        if (i == object) return true;
        if (i == 0) return false;
    }
}

// The two ends of the line are connected already: name the objects once round the loop.
static RbStatus loop_found(const Build *b, int x, int y, RbArena scratch) {
    RbText names = rb_text(&scratch);
    int meet = x;
    while (!on_way_to_world(b, y, meet)) meet = b->came_from[meet];
    for (int i = x;; i = b->came_from[i]) {
        rb_text_printf(&names, "%s'%s'", i == x ? "" : ", ", b->objects[i].name);
        if (i == meet) break;
    }
    // The other branch, from the meeting point outwards.
    int count = 0;
    for (int i = y; i != meet; i = b->came_from[i]) b->stack[count++] = i;
    for (int k = count - 1; k >= 0; k--)
        rb_text_printf(&names, ", '%s'", b->objects[b->stack[k]].name);
    return rb_fail(b->diag, RB_ERROR_MODEL, b->objects[x].at,
                   "joints and attachments form a closed loop through %s; loops are not supported: "
                   "remove one connection",
                   names.data);
}

// ---- super-objects

static void enter(Build *b, int object, int from, RbFrame frame) {
    b->came_from[object] = from;
    b->out->frame[object] = frame;
    b->out->order[b->placed++] = object;
    b->out->supers[frame.body].count++;
}

static void reverse(int *items, int count) {
    for (int i = 0; i < count / 2; i++) {
        int swap = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = swap;
    }
}

static RigidInertia object_inertia(const RbObject *o) {
    return o->has_mass ? ri_from_com(o->mass.mass, o->mass.r_CM, s3_from_matrix(o->mass.I_CM))
                       : (RigidInertia){0};
}

// Leave an object along its lines: rigid ones go on the stack (the first on top), moving ones wait.
static void leave(Build *b, int object, int *left) {
    int bottom = *left;
    for (int k = b->lines.start[object]; k < b->lines.start[object + 1]; k++) {
        Line *line = &b->lines.all[b->lines.at[k]];
        if (line->used) continue;
        line->used = true;
        if (line->rigid) {
            b->stack[(*left)++] = b->lines.at[k];
        } else {
            b->waiting[b->waiting_count++] = b->lines.at[k];
        }
    }
    reverse(b->stack + bottom, *left - bottom);
}

// Collect what is rigidly connected with the root; what moves waits until the super-object is
// complete.
static RbStatus grow(Build *b, int root, RigidInertia *sum, RbArena scratch) {
    int left = 0, first_waiting = b->waiting_count;
    *sum = object_inertia(&b->objects[root]);
    leave(b, root, &left);
    while (left > 0) {
        const Line *line = &b->lines.all[b->stack[--left]];
        bool forward = b->came_from[line->a] >= 0;
        int from = forward ? line->a : line->b, object = forward ? line->b : line->a;
        if (b->came_from[object] >= 0) return loop_found(b, from, object, scratch);
        RbFrame frame = b->out->frame[from];
        frame.X_BF = pose_mul(frame.X_BF, forward ? line->pose : pose_inverse(line->pose));
        enter(b, object, from, frame);
        *sum = ri_add(*sum, ri_move(frame.X_BF, object_inertia(&b->objects[object])));
        leave(b, object, &left);
    }
    reverse(b->waiting + first_waiting, b->waiting_count - first_waiting);
    return RB_OK;
}

static RbJoint joint_of_line(const Build *b, const Line *line, int child) {
    if (line->joint >= 0) {
        const RbObjectJoint *j = &b->joints[line->joint];
        return (RbJoint){.name = j->name,
                         .at = j->at,
                         .kind = j->kind,
                         .owner = j->owner,
                         .n = j->n,
                         .n2 = j->n2};
    }
    RbJointKind kind =
        line->free ? RB_JOINT_FREE : RB_JOINT_FIXED; // an assembly that is fixed for now
    return (RbJoint){.name = b->objects[child].name, .at = b->objects[child].at, .kind = kind};
}

// Start values of the joint that was added last.
static void set_start(const Build *b, const Line *line, const RbJoint *joint, double *q,
                      double *v) {
    if (line->joint >= 0) {
        const RbObjectJoint *j = &b->joints[line->joint];
        for (int i = 0; i < rb_joint_q_count(joint->kind); i++) q[i] = j->q[i];
        for (int i = 0; i < rb_joint_v_count(joint->kind); i++) v[i] = j->v[i];
    } else if (line->free) {
        const RbObject *o = &b->objects[line->b];
        v3_store(q, o->pose.r);
        q_store(q + 3, q_from_matrix(o->pose.R));
        v3_store(v, o->velocity);
        v3_store(v + 3, o->angular_velocity);
    }
}

// Cross a moving line and start the super-object on its far side.
static RbStatus start_super(Build *b, int line_number, RbArena scratch) {
    const Line *line = &b->lines.all[line_number];
    bool forward = b->came_from[line->a] >= 0;
    int from = forward ? line->a : line->b, root = forward ? line->b : line->a;
    if (b->came_from[root] >= 0) return loop_found(b, from, root, scratch);

    RbJoint joint = joint_of_line(b, line, root);
    RbFrame frame = b->out->frame[from];
    joint.F = frame.X_BF;
    if (joint.kind == RB_JOINT_FIXED)
        joint.F = pose_mul(joint.F, forward ? line->pose : pose_inverse(line->pose));
    if (!forward && !rb_joint_reverse(&joint)) {
        return rb_fail(b->diag, RB_ERROR_MODEL, joint.at,
                       "the %s joint '%s' leads from '%s' to '%s', but '%s' is the one that the "
                       "world holds; exchange the two",
                       rb_joint_kind_name(joint.kind), joint.name, b->objects[line->a].name,
                       b->objects[line->b].name, b->objects[line->b].name);
    }
    int index = b->out->count++;
    bool moves = rb_joint_v_count(joint.kind) > 0;
    b->out->supers[index] =
        (RbSuperObject){.root = root,
                        .cluster = moves ? index : b->out->supers[frame.body].cluster,
                        .first = b->placed,
                        .can_collide = line->joint < 0 || b->joints[line->joint].can_collide};
    rb_tree_add(&b->out->tree, b->keep, b->objects[root].name, frame.body, joint,
                (RigidInertia){0});
    const RbJoint *added = rb_tree_joint(&b->out->tree, index);
    set_start(b, line, added, b->out->q + added->q, b->out->v + added->v);
    enter(b, root, from, (RbFrame){index, POSE_IDENTITY});
    return grow(b, root, &b->out->tree.bodies.data[index].inertia, scratch);
}

static RbStatus connect(Build *b, RbArena scratch) {
    RbStructure *out = b->out;
    out->supers[out->count++] = (RbSuperObject){.can_collide = true};
    enter(b, 0, 0, (RbFrame){0, POSE_IDENTITY});
    RB_TRY(grow(b, 0, &out->tree.bodies.data[0].inertia, scratch));
    while (b->waiting_count > 0) RB_TRY(start_super(b, b->waiting[--b->waiting_count], scratch));
    out->tree.bodies.data[0].inertia = (RigidInertia){0}; // the world does not move
    for (int i = 0; i < b->object_count; i++) {
        if (b->came_from[i] >= 0) continue;
        return rb_fail(b->diag, RB_ERROR_MODEL, b->objects[i].at,
                       "object '%s' is not connected with '%s'; give it a parent or a joint",
                       b->objects[i].name, b->objects[0].name);
    }
    return RB_OK;
}

RbStatus rb_structure_build(const RbObject *objects, int object_count, const RbObjectJoint *joints,
                            int joint_count, RbArena *keep, RbArena scratch, RbDiag *diag,
                            RbStructure *out) {
    RB_TRY(check_input(objects, object_count, joints, joint_count, diag));
    RbObjectJoint *checked = rb_new_array(&scratch, RbObjectJoint, joint_count);
    RbStatus worst = RB_OK;
    for (int j = 0; j < joint_count; j++) {
        checked[j] = joints[j];
        RbStatus status = rb_object_joint_check(&checked[j], objects, diag);
        if (status != RB_OK) worst = status;
    }
    if (worst != RB_OK) return worst;

    int n = object_count, lines = object_count + joint_count;
    Build b = {.objects = objects,
               .joints = checked,
               .object_count = n,
               .joint_count = joint_count,
               .keep = keep,
               .diag = diag,
               .out = out};
    b.came_from = rb_new_array(&scratch, int, n);
    b.waiting = rb_new_array(&scratch, int, lines);
    b.stack = rb_new_array(&scratch, int, lines);
    for (int i = 0; i < n; i++) b.came_from[i] = -1;
    b.lines = collect_lines(&b, &scratch);

    *out = (RbStructure){.object_count = n, .tree = rb_tree(keep)};
    out->order = rb_new_array(keep, int, n);
    out->frame = rb_new_array(keep, RbFrame, n);
    out->supers = rb_new_array(keep, RbSuperObject, n);
    out->q = rb_new_array(keep, double, RB_JOINT_MAX_Q *n);
    out->v = rb_new_array(keep, double, RB_JOINT_MAX_V *n);
    return connect(&b, scratch);
}

// ---- pairs

static bool joint_forbids(const RbStructure *s, int cluster, int other) {
    if (cluster == 0 || s->supers[cluster].can_collide) return false;
    return s->supers[s->tree.bodies.data[cluster].parent].cluster == other;
}

bool rb_structure_may_collide(const RbStructure *s, int a, int b) {
    int x = s->supers[s->frame[a].body].cluster, y = s->supers[s->frame[b].body].cluster;
    return x != y && !joint_forbids(s, x, y) && !joint_forbids(s, y, x);
}

RbObjectPairs rb_structure_pairs(const RbStructure *s, const RbObject *objects, RbArena *keep) {
    RbObjectPairs found = {0};
    for (int i = 0; i < s->object_count; i++) {
        if (!objects[s->order[i]].collidable) continue;
        for (int j = i + 1; j < s->object_count; j++) {
            int a = s->order[i], b = s->order[j];
            if (!objects[b].collidable || !rb_structure_may_collide(s, a, b)) continue;
            rb_array_push(&found.pairs, keep, (RbObjectPair){a, b});
        }
    }
    return found;
}
