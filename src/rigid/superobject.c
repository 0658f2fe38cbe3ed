// SPDX-License-Identifier: MIT
#include "rigid/superobject.h"

#include <string.h>

#include "base/sets.h"

// A line of the graph: an attachment to a parent or a joint. Joint -1: free motion; rigid lines
// carry the pose of b in a.
typedef enum LineRole {
    LINE_TREE,  // leads to a new super-object
    LINE_CUT,   // closes a loop: kept as equations
    LINE_SPLIT, // closes a loop, but its coordinates are wanted: leads to half of the body
} LineRole;

typedef struct Line {
    int a, b;
    int joint;
    bool rigid; // joins the two into one super-object
    bool free;
    bool holds; // carries nothing: always a cut
    bool modal; // a is flexible, b one of its frames
    bool used;
    Pose pose;
    LineRole role;
    int from; // the end that was reached first
} Line;

typedef struct Lines {
    int *start; // per object, into at; one more at the end
    int *at;    // line numbers
    Line *all;
    int count;
} Lines;

typedef struct Build {
    const RbArrangement *arrangement;
    const RbObject *objects;
    const RbObjectJoint *joints;
    int object_count, joint_count;
    RbArena *keep;
    RbDiag *diag;
    Lines lines;
    int *came_from; // object from which an object was reached; -1: not yet (the world: itself)
    int *waiting;   // stack of lines that lead to the next super-objects
    int waiting_count;
    int *stack;       // rigid lines of the current super-object that are still to be followed
    int *parts;       // per object: which part of the mechanism it is in, the world left out
    int *half;        // per line: the body it leads to
    Pose *half_frame; // per line: where the object is in it
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
        if (o->parent < 0 || b->arrangement->absent[i]) continue;
        bool rigid = !o->moves_freely && !o->assembly_root;
        add_line(&lines, (Line){o->parent, i, -1, rigid, o->moves_freely, false, false, false,
                                o->pose, LINE_TREE});
    }
    for (int j = 0; j < b->joint_count; j++) {
        const RbObjectJoint *joint = &b->joints[j];
        if (b->arrangement->gone[j]) continue;
        bool modal = joint->modal_frame > 0;
        bool rigid = joint->kind == RB_JOINT_FIXED && !joint->keep && !modal;
        bool holds = joint->hold.kind != RB_HOLD_NONE;
        add_line(&lines,
                 (Line){joint->a, joint->b, j, rigid, joint->kind == RB_JOINT_FREE && !holds, holds,
                        modal, false, joint->pose, holds ? LINE_CUT : LINE_TREE});
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

static bool has_fixed_start(const RbObjectJoint *j) {
    for (int k = 0; k < rb_joint_v_count(j->kind); k++) {
        if (j->q_held[k] || j->v_held[k]) return j->kind != RB_JOINT_FREE;
    }
    return false;
}

static bool is_kept(const Build *b, const Line *line) {
    if (line->joint < 0) return false;
    const RbObjectJoint *j = &b->joints[line->joint];
    return j->keep || has_fixed_start(j) || j->owner == RB_OWNED_BY_EQUATIONS;
}

static const char *line_name(const Build *b, const Line *line) {
    return line->joint >= 0 ? b->joints[line->joint].name : b->objects[line->b].name;
}

static RbStatus rigid_twice(const Build *b, const Line *line) {
    RbPos at = line->joint >= 0 ? b->joints[line->joint].at : b->objects[line->b].at;
    return rb_fail(
        b->diag, RB_ERROR_MODEL, at,
        "'%s' connects '%s' and '%s', which are rigidly connected without it: remove one "
        "of these connections",
        line_name(b, line), b->objects[line->a].name, b->objects[line->b].name);
}

static RbStatus modal_twice(const Build *b, const Line *line) {
    return rb_fail(
        b->diag, RB_ERROR_MODEL, b->objects[line->b].at,
        "two frames of the flexible body '%s' are fixed to the same rigid body, one of them "
        "'%s': connect one of them by a joint",
        b->objects[line->a].name, b->objects[line->b].name);
}

// Which lines are left over when a tree spans all objects: rigid ones come first, then joints whose
// coordinates are wanted, then other joints, then free motion.
static RbStatus choose_tree(Build *b, RbArena *arena) {
    int n = b->object_count;
    int *rigid = rb_sets(arena, n), *all = rb_sets(arena, n);
    for (int i = 0; i < b->lines.count; i++) {
        const Line *line = &b->lines.all[i];
        if (!line->rigid) continue;
        if (!rb_sets_join(rigid, line->a, line->b)) return rigid_twice(b, line);
        rb_sets_join(all, line->a, line->b);
    }
    for (int i = 0; i < b->lines.count; i++) {
        const Line *line = &b->lines.all[i];
        if (line->modal && !rb_sets_join(all, line->a, line->b)) return modal_twice(b, line);
    }
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < b->lines.count; i++) {
            Line *line = &b->lines.all[i];
            int turn = is_kept(b, line) ? 0 : line->free ? 2 : 1;
            if (line->rigid || line->modal || turn != pass) continue;
            if (!line->holds && rb_sets_join(all, line->a, line->b)) continue;
            if (rb_sets_find(rigid, line->a) == rb_sets_find(rigid, line->b))
                return rigid_twice(b, line);
            if (line->holds) continue;
            line->role = is_kept(b, line) ? LINE_SPLIT : LINE_CUT;
        }
    }
    return RB_OK;
}

// Parts of the mechanism that only the world connects. Those that loops hold together get branches
// next to each other.
static void find_parts(Build *b, RbArena *arena) {
    int n = b->object_count;
    int *world = rb_sets(arena, n);
    b->parts = rb_sets(arena, n);
    for (int i = 0; i < b->lines.count; i++) {
        if (b->lines.all[i].rigid) rb_sets_join(world, b->lines.all[i].a, b->lines.all[i].b);
    }
    for (int i = 0; i < b->lines.count; i++) {
        const Line *line = &b->lines.all[i];
        if (rb_sets_find(world, line->a) != 0 && rb_sets_find(world, line->b) != 0)
            rb_sets_join(b->parts, line->a, line->b);
        int third = line->holds ? b->joints[line->joint].hold.third : 0;
        if (rb_sets_find(world, third) != 0 && rb_sets_find(world, line->b) != 0)
            rb_sets_join(b->parts, line->b, third);
    }
}

// The lines that leave the world, those of one part one after another, parts in the order of their
// first line. (The first line is on top of the stack.)
static void order_branches(Build *b, RbArena *arena) {
    int count = b->waiting_count, parts = 0;
    int *number = rb_new_array(arena, int, b->object_count); // per part, from 1
    int *start = rb_new_array(arena, int, count + 2), *sorted = rb_new_array(arena, int, count);
    int *of = rb_new_array(arena, int, count);
    for (int i = count - 1; i >= 0; i--) {
        const Line *line = &b->lines.all[b->waiting[i]];
        int part = rb_sets_find(b->parts, line->from == line->a ? line->b : line->a);
        if (number[part] == 0) number[part] = ++parts;
        of[i] = number[part];
        start[of[i] + 1]++;
    }
    for (int i = 1; i < parts + 2; i++) start[i] += start[i - 1];
    for (int i = count - 1; i >= 0; i--) sorted[count - 1 - start[of[i]]++] = b->waiting[i];
    for (int i = 0; i < count; i++) b->waiting[i] = sorted[i];
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
        line->from = object;
        if (line->role == LINE_CUT) continue;
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
static void grow(Build *b, int root, RigidInertia *sum) {
    int left = 0, first_waiting = b->waiting_count;
    *sum = ri_move(b->out->frame[root].X_BF, object_inertia(&b->objects[root]));
    leave(b, root, &left);
    while (left > 0) {
        const Line *line = &b->lines.all[b->stack[--left]];
        bool forward = line->from == line->a;
        int from = line->from, object = forward ? line->b : line->a;
        RbFrame frame = b->out->frame[from];
        frame.X_BF = pose_mul(frame.X_BF, forward ? line->pose : pose_inverse(line->pose));
        enter(b, object, from, frame);
        *sum = ri_add(*sum, ri_move(frame.X_BF, object_inertia(&b->objects[object])));
        leave(b, object, &left);
    }
    reverse(b->waiting + first_waiting, b->waiting_count - first_waiting);
}

static RbJoint joint_of_line(const Build *b, const Line *line, int child) {
    if (line->joint >= 0) {
        const RbObjectJoint *j = &b->joints[line->joint];
        return (RbJoint){.name = j->name,
                         .at = j->at,
                         .kind = j->kind,
                         .owner = j->owner,
                         .n = j->n,
                         .n2 = j->n2,
                         .object_joint = line->joint};
    }
    RbJointKind kind =
        line->free ? RB_JOINT_FREE : RB_JOINT_FIXED; // an assembly that is fixed for now
    return (RbJoint){.name = b->objects[child].name,
                     .at = b->objects[child].at,
                     .kind = kind,
                     .object_joint = -1};
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
    rb_joint_reverse_coordinates(joint, q, v);
}

// The joint of a line as it leads away from the world, and where the object is in the body that it
// carries.
static RbJoint cross(const Build *b, const Line *line, Pose *object) {
    bool forward = line->from == line->a;
    RbJoint joint = joint_of_line(b, line, forward ? line->b : line->a);
    joint.F = b->out->frame[line->from].X_BF;
    *object = POSE_IDENTITY;
    if (joint.kind == RB_JOINT_FIXED && !line->modal)
        joint.F = pose_mul(joint.F, forward ? line->pose : pose_inverse(line->pose));
    else if (line->joint >= 0 && b->joints[line->joint].has_base) {
        Pose base = b->joints[line->joint].base;
        if (forward)
            joint.F = pose_mul(joint.F, base);
        else
            *object = pose_inverse(base);
    }
    if (!forward) rb_joint_reverse(&joint);
    return joint;
}

static void add_body(Build *b, const Line *line, const char *name, int parent, RbJoint joint) {
    RbTree *tree = &b->out->tree;
    int frame = line->joint >= 0 ? b->joints[line->joint].modal_frame - 1 : -1;
    if (!line->modal)
        rb_tree_add(tree, b->keep, name, parent, joint, (RigidInertia){0});
    else if (line->from == line->a)
        rb_tree_add_modal_frame(tree, b->keep, name, parent, joint, frame);
    else
        rb_tree_add_modal(tree, b->keep, name, parent, joint, b->objects[line->a].modal, frame);
}

// Cross a moving line and start the super-object on its far side.
static void start_super(Build *b, int line_number) {
    const Line *line = &b->lines.all[line_number];
    int from = line->from, root = from == line->a ? line->b : line->a;
    Pose X_BF;
    RbJoint joint = cross(b, line, &X_BF);
    int parent = b->out->frame[from].body, index = b->out->count++;
    bool moves = rb_joint_v_count(joint.kind) > 0;
    b->out->supers[index] =
        (RbSuperObject){.root = root,
                        .cluster = moves ? index : b->out->supers[parent].cluster,
                        .first = b->placed,
                        .can_collide = line->joint < 0 || b->joints[line->joint].can_collide};
    add_body(b, line, b->objects[root].name, parent, joint);
    const RbJoint *added = rb_tree_joint(&b->out->tree, index);
    set_start(b, line, added, b->out->q + added->q, b->out->v + added->v);
    b->out->part[index] = rb_sets_find(b->parts, root);
    b->half[line_number] = index;
    b->half_frame[line_number] = b->out->split_frame[index] = X_BF;
    if (line->role == LINE_SPLIT) return; // the other half is somewhere else
    enter(b, root, from, (RbFrame){index, X_BF});
    RigidInertia modal = b->out->tree.bodies.data[index].inertia;
    grow(b, root, &b->out->tree.bodies.data[index].inertia);
    if (b->objects[root].modal) b->out->tree.bodies.data[index].inertia = modal;
}

static RbStatus connect(Build *b, RbArena scratch) {
    RbStructure *out = b->out;
    out->supers[out->count++] = (RbSuperObject){.can_collide = true};
    enter(b, 0, 0, (RbFrame){0, POSE_IDENTITY});
    grow(b, 0, &out->tree.bodies.data[0].inertia);
    order_branches(b, &scratch);
    while (b->waiting_count > 0) start_super(b, b->waiting[--b->waiting_count]);
    out->tree.bodies.data[0].inertia = (RigidInertia){0}; // the world does not move
    for (int i = 0; i < b->object_count; i++) {
        if (b->came_from[i] >= 0 || b->arrangement->absent[i]) continue;
        return rb_fail(b->diag, RB_ERROR_MODEL, b->objects[i].at,
                       "object '%s' is not connected with '%s'; give it a parent or a joint",
                       b->objects[i].name, b->objects[0].name);
    }
    return RB_OK;
}

// ---- cuts

static RigidInertia half_of(RigidInertia a) {
    return (RigidInertia){0.5 * a.m, v3_scale(0.5, a.h), s3_scale(0.5, a.I)};
}

static RbLoopCut cut_of_line(const Build *b, const Line *line) {
    RbJoint joint = joint_of_line(b, line, line->b);
    RbLoopCut cut = {.joint = line->joint,
                     .name = joint.name,
                     .at = joint.at,
                     .kind = joint.kind,
                     .hold = line->joint >= 0 ? b->joints[line->joint].hold : (RbHold){0},
                     .a = b->out->frame[line->a],
                     .b = b->out->frame[line->b],
                     .c = b->out->frame[line->joint >= 0 ? b->joints[line->joint].hold.third : 0],
                     .n = joint.n,
                     .n2 = joint.n2,
                     .can_collide = line->joint < 0 || b->joints[line->joint].can_collide};
    if (joint.kind == RB_JOINT_FIXED) {
        cut.a.X_BF = pose_mul(cut.a.X_BF, line->pose);
        cut.n = v3_axis(2);
    } else if (line->joint >= 0 && b->joints[line->joint].has_base) {
        cut.a.X_BF = pose_mul(cut.a.X_BF, b->joints[line->joint].base);
    }
    return cut;
}

// A body that was split shares its inertia with its other half, to which it is welded.
static RbLoopCut weld_halves(const Build *b, const Line *line, int half, Pose at) {
    RbTree *tree = &b->out->tree;
    int object = line->from == line->a ? line->b : line->a;
    RbFrame whole = b->out->frame[object];
    RigidInertia *inertia = &tree->bodies.data[whole.body].inertia;
    *inertia = half_of(*inertia);
    tree->bodies.data[half].inertia = ri_move(pose_mul(at, pose_inverse(whole.X_BF)), *inertia);
    const RbJoint *joint = rb_tree_joint(tree, half);
    return (RbLoopCut){.joint = -1,
                       .name = joint->name,
                       .at = joint->at,
                       .kind = RB_JOINT_FIXED,
                       .a = whole,
                       .b = {half, at},
                       .n = v3_axis(2)};
}

static int moved_by(const RbLoopCut *cut) {
    return cut->b.body > 0 ? cut->b.body : cut->a.body;
}

// By insertion: cuts are few. Parts stand in the tree in an order of their own, not in that of their numbers.
static void add_cut(const Build *b, RbLoopCut cut) {
    RbLoops *loops = &b->out->loops;
    const int *part = b->out->part;
    int body = moved_by(&cut), at = loops->count++;
    for (; at > 0; at--) {
        int before = moved_by(&loops->cuts[at - 1]);
        if (part[before] == part[body] || before < body) break;
        loops->cuts[at] = loops->cuts[at - 1];
    }
    loops->cuts[at] = cut;
}

static void collect_cuts(Build *b) {
    RbStructure *out = b->out;
    int count = 0;
    for (int i = 0; i < b->lines.count; i++) count += b->lines.all[i].role != LINE_TREE;
    out->loops.cuts = rb_new_array(b->keep, RbLoopCut, count);
    out->loops.kept = rb_new_array(b->keep, int, RB_CUT_MAX_ROWS *count);
    out->loops.kept_start = rb_new_array(b->keep, int, count + 1);
    for (int i = 0; i < b->lines.count; i++) {
        const Line *line = &b->lines.all[i];
        if (line->role == LINE_SPLIT)
            add_cut(b, weld_halves(b, line, b->half[i], b->half_frame[i]));
        if (line->role == LINE_CUT && !line->free) add_cut(b, cut_of_line(b, line));
    }
}

RbStatus rb_structure_build(const RbArrangement *r, RbArena *keep, RbArena scratch, RbDiag *diag,
                            RbStructure *out) {
    const RbObject *objects = r->objects;
    const RbObjectJoint *joints = r->joints;
    int object_count = r->object_count, joint_count = r->joint_count;
    RB_TRY(check_input(objects, object_count, joints, joint_count, diag));
    RbObjectJoint *checked = rb_new_array(&scratch, RbObjectJoint, joint_count);
    RbStatus worst = RB_OK;
    for (int j = 0; j < joint_count; j++) {
        checked[j] = joints[j];
        RbStatus status = rb_object_joint_check(&checked[j], objects, diag);
        if (status != RB_OK) worst = status;
    }
    if (worst != RB_OK) return worst;

    int n = object_count, lines = object_count + joint_count, bodies = n + joint_count;
    Build b = {.arrangement = r,
               .objects = objects,
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
    b.half = rb_new_array(&scratch, int, lines);
    b.half_frame = rb_new_array(&scratch, Pose, lines);
    b.lines = collect_lines(&b, &scratch);
    RB_TRY(choose_tree(&b, &scratch));
    find_parts(&b, &scratch);

    bool *absent = rb_new_array(keep, bool, n);
    memcpy(absent, r->absent, (size_t)n * sizeof *absent);
    *out = (RbStructure){.object_count = n, .absent = absent, .tree = rb_tree(keep)};
    out->order = rb_new_array(keep, int, n);
    out->frame = rb_new_array(keep, RbFrame, n);
    for (int i = 0; i < n; i++) out->frame[i].X_BF = POSE_IDENTITY;
    out->supers = rb_new_array(keep, RbSuperObject, bodies);
    out->part = rb_new_array(keep, int, bodies);
    out->split_frame = rb_new_array(keep, Pose, bodies);
    int modes = 0;
    for (int i = 0; i < n; i++) modes += objects[i].modal ? objects[i].modal->n : 0;
    out->q = rb_new_array(keep, double, RB_JOINT_MAX_Q *bodies + modes);
    out->v = rb_new_array(keep, double, RB_JOINT_MAX_V *bodies + modes);
    RB_TRY(connect(&b, scratch));
    collect_cuts(&b);
    return RB_OK;
}

// ---- pairs

static bool joint_forbids(const RbStructure *s, int cluster, int other) {
    if (cluster == 0 || s->supers[cluster].can_collide) return false;
    return s->supers[s->tree.bodies.data[cluster].parent].cluster == other;
}

static bool cut_forbids(const RbStructure *s, int x, int y) {
    for (int i = 0; i < s->loops.count; i++) {
        const RbLoopCut *cut = &s->loops.cuts[i];
        int a = s->supers[cut->a.body].cluster, b = s->supers[cut->b.body].cluster;
        if (!cut->can_collide && ((a == x && b == y) || (a == y && b == x))) return true;
    }
    return false;
}

bool rb_structure_may_collide(const RbStructure *s, int a, int b) {
    if (s->absent[a] || s->absent[b]) return false;
    int x = s->supers[s->frame[a].body].cluster, y = s->supers[s->frame[b].body].cluster;
    return x != y && !joint_forbids(s, x, y) && !joint_forbids(s, y, x) && !cut_forbids(s, x, y);
}
