// SPDX-License-Identifier: MIT
#include "robot/write.h"

#include <string.h>

#include "deform/scene_modelica.h"

typedef struct Writer {
    const RbRobot *robot;
    RbArena *arena;
    RbText parts, equations;
    RB_ARRAY(const char *) used; // names in the model
    const char **bodies;         // frames of the bodies
    const char **joints;         // their names
    const char **motors;         // their inputs; NULL: the joint is held
    const char **shapes;         // of geometry
} Writer;

// ---- names, numbers

static bool is_used(const Writer *w, const char *name) {
    for (int i = 0; i < w->used.count; i++)
        if (strcmp(w->used.data[i], name) == 0) return true;
    return false;
}

// A name of Modelica that nothing else in the model has.
static const char *name_of(Writer *w, const char *wanted, const char *ending) {
    const char *plain = rb_arena_join(w->arena, wanted, ending, ""), *name = plain;
    for (int n = 2; is_used(w, rb_modelica_name(name, w->arena)); n++)
        name = rb_arena_printf(w->arena, "%s_%d", plain, n);
    name = rb_modelica_name(name, w->arena);
    rb_array_push(&w->used, w->arena, name);
    return name;
}

static void add_number(Writer *w, const char *name, double value) {
    rb_text_printf(&w->parts, "%s = ", name);
    rb_text_add_double(&w->parts, value);
}

static void add_vector(Writer *w, const char *name, Vec3 v) {
    rb_text_printf(&w->parts, "%s = {", name);
    for (int i = 0; i < 3; i++) {
        rb_text_add(&w->parts, i ? ", " : "");
        rb_text_add_double(&w->parts, v3_get(v, i));
    }
    rb_text_add(&w->parts, "}");
}

static void add_string(RbText *t, const char *text) {
    rb_text_add(t, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') rb_text_add(t, "\\");
        rb_text_add_bytes(t, *c == '\n' || *c == '\r' ? " " : c, 1);
    }
    rb_text_add(t, "\"");
}

static void connect(Writer *w, const char *a, const char *b) {
    rb_text_printf(&w->equations, "    connect(%s, %s);\n", a, b);
}

static const char *frame(Writer *w, const char *name, const char *which) {
    return rb_arena_join(w->arena, name, ".frame_", which);
}

static Vec3 angles_of(Pose X) {
    return q_to_cardan(q_from_matrix(X.R));
}

static bool is_turned(Pose X) {
    return v3_max_abs(angles_of(X)) > 0;
}

// ---- bodies and shapes

static void add_body(Writer *w, int i) {
    const RbRobotBody *b = &w->robot->bodies.data[i];
    const char *name = name_of(w, b->name, "");
    Mat3 I = b->inertia.I_CM;
    w->bodies[i] = frame(w, name, "a");
    if (!(b->inertia.mass > 0)) {
        rb_text_printf(&w->parts, "    Parts.FixedTranslation %s \"Without a mass\";\n", name);
        return;
    }
    rb_text_printf(&w->parts, "    Parts.Body %s(", name);
    add_number(w, "m", b->inertia.mass);
    add_vector(w, ", r_CM", b->inertia.r_CM);
    add_number(w, ", I_11", I.x.x);
    add_number(w, ", I_22", I.y.y);
    add_number(w, ", I_33", I.z.z);
    if (I.y.x != 0) add_number(w, ", I_21", I.y.x);
    if (I.z.x != 0) add_number(w, ", I_31", I.z.x);
    if (I.z.y != 0) add_number(w, ", I_32", I.z.y);
    rb_text_add(&w->parts, ");\n");
}

static void add_sizes(Writer *w, const char *function, const double *sizes, int count) {
    rb_text_printf(&w->parts, "shape = Shapes.%s(", function);
    for (int i = 0; i < count; i++) {
        rb_text_add(&w->parts, i ? ", " : "");
        rb_text_add_double(&w->parts, sizes[i]);
    }
    rb_text_add(&w->parts, ")");
}

static void add_shape(Writer *w, const RbRobotGeom *g) {
    const RbShape *s = &g->shape;
    double l[3] = {s->lengths.x, s->lengths.y, s->lengths.z}, round[2] = {s->diameter, s->length};
    if (g->mesh) {
        rb_text_add(&w->parts, "shape = Shapes.Mesh(), fileName = ");
        add_string(&w->parts, g->mesh);
        if (v3_distance(g->scale, v3(1, 1, 1)) > 0) add_vector(w, ", scale", g->scale);
        return;
    }
    switch (s->kind) {
        case RB_SHAPE_SPHERE: add_sizes(w, "Sphere", round, 1); break;
        case RB_SHAPE_ELLIPSOID: add_sizes(w, "Ellipsoid", l, 3); break;
        case RB_SHAPE_CYLINDER: add_sizes(w, "Cylinder", round, 2); break;
        case RB_SHAPE_CAPSULE: add_sizes(w, "Capsule", round, 2); break;
        case RB_SHAPE_HALFSPACE: rb_text_add(&w->parts, "shape = Shapes.HalfSpace(3)"); break;
        default: add_sizes(w, "Box", l, 3); break;
    }
}

static void add_geom(Writer *w, int i) {
    const RbRobotGeom *g = &w->robot->geoms.data[i];
    const char *name = w->shapes[i] = name_of(w, g->name, "");
    rb_text_printf(&w->parts, "    Parts.%s %s(", g->touches ? "CollisionBody" : "Visual", name);
    add_shape(w, g);
    if (v3_norm(g->pose.r) > 0) add_vector(w, ", r_shape", g->pose.r);
    if (is_turned(g->pose)) add_vector(w, ", angles_shape", angles_of(g->pose));
    if (g->touches) rb_text_add(&w->parts, ", material = material, collidable = collidable");
    if (g->touches && !w->robot->touches_itself) rb_text_add(&w->parts, ", ignore = ownShapes");
    rb_text_add(&w->parts, ");\n");
    connect(w, g->body < 0 ? "base" : w->bodies[g->body], frame(w, name, "a"));
}

// Links that overlap where they meet would push each other away.
static void add_own_shapes(Writer *w) {
    const char *between = "    final parameter String ownShapes[:] = {";
    for (int i = 0; i < w->robot->geoms.count; i++) {
        if (!w->robot->geoms.data[i].touches) continue;
        rb_text_add(&w->parts, between);
        add_string(&w->parts, w->shapes[i]);
        between = ", ";
    }
    if (between[0] == ',') rb_text_add(&w->parts, "} \"They do not touch each other\";\n");
}

// ---- joints

// A part that shifts and turns, if there is anything to do; the frame behind it.
static const char *add_offset(Writer *w, const char *from, Pose X, const char *wanted,
                              const char *ending) {
    if (v3_norm(X.r) == 0 && !is_turned(X)) return from;
    const char *name = name_of(w, wanted, ending);
    rb_text_printf(&w->parts, "    Parts.%s %s(",
                   is_turned(X) ? "FixedRotation" : "FixedTranslation", name);
    add_vector(w, "r", X.r);
    if (is_turned(X)) add_vector(w, ", angles", angles_of(X));
    rb_text_add(&w->parts, ");\n");
    connect(w, from, frame(w, name, "a"));
    return frame(w, name, "b");
}

typedef struct Words {
    const char *joint, *q, *domain, *friction, *friction_value, *inertia, *source, *input, *type;
} Words;

static const Words words[] = {
    // ORDER RbRobotJointKind: hinge, slide
    {"Revolute", "phi", "Rotational", "BearingFriction", "tau_slide", "Inertia(J", "Torque", "tau",
     "Torque"},
    {"Prismatic", "s", "Translational", "SupportFriction", "f_slide", "Mass(m", "Force", "f",
     "Force"},
};

static void add_stops(Writer *w, const RbRobotJoint *j, const char *q) {
    rb_text_printf(&w->parts, ", %s_min = ", q);
    rb_text_add_double(&w->parts, j->lower);
    rb_text_printf(&w->parts, ", %s_max = ", q);
    rb_text_add_double(&w->parts, j->upper);
    add_number(w, ", c_stop", j->stop);
    add_number(w, ", d_stop", 1);
}

// What acts at the axis beside the spring and the damper of the joint.
static void add_axis(Writer *w, const RbRobotJoint *j, const char *name) {
    const Words *t = &words[j->kind];
    const char *axis = rb_arena_join(w->arena, name, ".axis", "");
    if (j->friction > 0) {
        const char *friction = name_of(w, j->name, "_friction");
        rb_text_printf(&w->parts, "    %s.Components.%s %s(%s = ", t->domain, t->friction, friction,
                       t->friction_value);
        rb_text_add_double(&w->parts, j->friction);
        rb_text_add(&w->parts, ");\n");
        connect(w, axis, rb_arena_join(w->arena, friction, ".flange_a", ""));
    }
    if (j->armature > 0) {
        const char *rotor = name_of(w, j->name, "_rotor");
        rb_text_printf(&w->parts, "    %s.Components.%.*s %s(%s = ", t->domain,
                       (int)strcspn(t->inertia, "("), t->inertia, rotor,
                       strchr(t->inertia, '(') + 1);
        rb_text_add_double(&w->parts, j->armature);
        rb_text_add(&w->parts, ");\n");
        connect(w, axis, rb_arena_join(w->arena, rotor, ".flange_a", ""));
    }
    const char *flange = name_of(w, j->name, "_axis");
    bool always = j->friction > 0 || j->armature > 0 || j->driven;
    rb_text_printf(&w->parts, "    %s.Interfaces.Flange_a %s%s \"Drives %s\";\n", t->domain, flange,
                   always ? "" : " if useAxisFlange", name);
    connect(w, flange, axis);
}

// What hangs on the world touches what stands in it. Of a robot that touches itself only the world is no neighbour, as MuJoCo has it.
static bool may_collide(const Writer *w, const RbRobotJoint *j) {
    int parent = w->robot->bodies.data[j->body].parent;
    return w->robot->touches_itself ? parent < 0 : rb_robot_is_held(w->robot, parent);
}

static void end_joint(Writer *w, const RbRobotJoint *j, const char *before, const char *after) {
    if (may_collide(w, j)) rb_text_printf(&w->parts, "%scanCollide = true%s", before, after);
}

static void add_driven(Writer *w, const RbRobotJoint *j, const char *name) {
    const Words *t = &words[j->kind];
    bool always = j->friction > 0 || j->armature > 0 || j->driven;
    rb_text_printf(&w->parts, "    Joints.%s %s(", t->joint, name);
    add_vector(w, "n", j->axis);
    rb_text_printf(&w->parts, ", useAxisFlange = %s", always ? "true" : "useAxisFlange");
    if (j->start != 0) {
        rb_text_printf(&w->parts, ", %s(start = ", t->q);
        rb_text_add_double(&w->parts, j->start);
        rb_text_add(&w->parts, ")");
    }
    if (j->stiffness > 0) {
        add_number(w, ", c", j->stiffness);
        rb_text_printf(&w->parts, ", %s_rest = ", t->q);
        rb_text_add_double(&w->parts, j->rest);
    }
    if (j->damping > 0) add_number(w, ", d", j->damping);
    if (j->limited) add_stops(w, j, t->q);
    end_joint(w, j, ", ", "");
    rb_text_add(&w->parts, ");\n");
    add_axis(w, j, name);
}

static void add_planar(Writer *w, const RbRobotJoint *j, const char *name) {
    rb_text_printf(&w->parts, "    Joints.Planar %s(", name);
    add_vector(w, "n", j->axis);
    add_vector(w, ", n_x", v3_perpendicular(j->axis));
    end_joint(w, j, ", ", "");
    rb_text_add(&w->parts, ");\n");
}

static void add_unguided(Writer *w, const RbRobotJoint *j, const char *name) {
    rb_text_printf(&w->parts, "    Joints.%s %s",
                   j->kind == RB_ROBOT_BALL ? "Spherical" : "FreeMotion", name);
    end_joint(w, j, "(", ")");
    rb_text_add(&w->parts, ";\n");
}

// The frame behind the joint.
static const char *add_joint(Writer *w, int i, const char *from) {
    const RbRobotJoint *j = &w->robot->joints.data[i];
    Pose to = pose(j->point, (Quat){1, 0, 0, 0}), back = pose(v3_neg(j->point), (Quat){1, 0, 0, 0});
    const char *name = w->joints[i] = name_of(w, j->name, "");
    from = add_offset(w, from, to, j->name, "_point");
    if (j->kind <= RB_ROBOT_SLIDE)
        add_driven(w, j, name);
    else if (j->kind == RB_ROBOT_PLANAR)
        add_planar(w, j, name);
    else
        add_unguided(w, j, name);
    connect(w, from, frame(w, name, "a"));
    return add_offset(w, frame(w, name, "b"), back, j->name, "_back");
}

static void hang_body(Writer *w, int i) {
    const RbRobotBody *b = &w->robot->bodies.data[i];
    const char *at = b->parent < 0 ? "base" : w->bodies[b->parent];
    at = add_offset(w, at, b->pose, b->name, "_origin");
    for (int j = -1; (j = rb_robot_joint_of(w->robot, i, j + 1)) >= 0;)
        if (!w->robot->joints.data[j].held) at = add_joint(w, j, at);
    connect(w, at, w->bodies[i]);
}

// ---- motors

static void add_motor(Writer *w, int i) {
    const RbRobotMotor *m = &w->robot->motors.data[i];
    const RbRobotJoint *j = &w->robot->joints.data[m->joint];
    const Words *t = &words[j->kind];
    if (j->held) return;
    const char *name = name_of(w, m->name, ""), *source = name_of(w, m->name, "_source");
    w->motors[i] = name;
    rb_text_printf(&w->parts, "    input Real %s \"Control of %s\";\n", name, w->joints[m->joint]);
    rb_text_printf(&w->parts, "    %s.Sources.%s %s(%s = ", t->domain, t->source, source, t->input);
    rb_text_add_double(&w->parts, m->gear);
    rb_text_printf(&w->parts, "*%s);\n", name);
    connect(w, rb_arena_join(w->arena, source, ".flange", ""),
            rb_arena_join(w->arena, w->joints[m->joint], ".axis", ""));
}

// ---- the whole

static void reserve_names(Writer *w) {
    static const char *const taken[] = {
        "base",   "material",   "collidable",    "useAxisFlange", "ownShapes",  "Parts", "Joints",
        "Shapes", "Rotational", "Translational", "Rattleback",    "Interfaces", "World", "Real"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        rb_array_push(&w->used, w->arena, taken[i]);
}

static void add_all(Writer *w) {
    const RbRobot *r = w->robot;
    for (int i = 0; i < r->bodies.count; i++) add_body(w, i);
    for (int i = 0; i < r->bodies.count; i++) hang_body(w, i);
    for (int i = 0; i < r->geoms.count; i++) add_geom(w, i);
    if (!r->touches_itself) add_own_shapes(w);
    for (int i = 0; i < r->motors.count; i++) add_motor(w, i);
}

static void add_alone(Writer *w, RbText *out) {
    const RbRobot *r = w->robot;
    Vec3 g = r->gravity;
    rb_text_add(
        out,
        "  model Alone \"The robot in a world of its own\"\n    inner World world(gravity = {");
    for (int i = 0; i < 3; i++) {
        rb_text_add(out, i ? ", " : "");
        rb_text_add_double(out, v3_get(g, i));
    }
    rb_text_add(out, "});\n    Robot robot");
    const char *between = "(";
    for (int i = 0; i < r->motors.count; i++) {
        if (!w->motors[i]) continue;
        rb_text_printf(out, "%s%s = 0", between, w->motors[i]);
        between = ", ";
    }
    rb_text_add(out, between[0] == ',' ? ");\n" : ";\n");
    rb_text_add(out, "  equation\n    connect(world.frame_b, robot.base);\n"
                     "    annotation(experiment(StopTime = 1, Tolerance = 1e-8));\n  end Alone;\n");
}

static void add_head(Writer *w, const char *package, RbText *out) {
    const RbRobot *r = w->robot;
    const char *slash = strrchr(r->file, '/');
    rb_text_printf(out, "package %s ", package);
    add_string(out, rb_arena_printf(w->arena, "Imported from %s (%s)", slash ? slash + 1 : r->file,
                                    r->format));
    rb_text_add(out, "\n  import Rattleback.*;\n\n  model Robot ");
    add_string(out, r->name);
    rb_text_add(out, "\n    outer World world;\n"
                     "    Interfaces.Frame_a base \"Where it stands\";\n"
                     "    parameter Boolean useAxisFlange = false \"Drives are connected to the "
                     "axes of the joints\" annotation(Evaluate = true);\n"
                     "    parameter Boolean collidable = true \"Its collision shapes touch "
                     "others\";\n"
                     "    parameter String material = \"Steel\" \"Of its collision shapes\";\n");
}

const char *rb_robot_write(const RbRobot *robot, const char *package, RbArena *arena) {
    Writer w = {
        .robot = robot, .arena = arena, .parts = rb_text(arena), .equations = rb_text(arena)};
    RbText out = rb_text(arena);
    w.bodies = rb_new_array(arena, const char *, robot->bodies.count + 1);
    w.joints = rb_new_array(arena, const char *, robot->joints.count + 1);
    w.motors = rb_new_array(arena, const char *, robot->motors.count + 1);
    w.shapes = rb_new_array(arena, const char *, robot->geoms.count + 1);
    reserve_names(&w);
    add_all(&w);
    add_head(&w, package, &out);
    rb_text_add(&out, w.parts.data);
    rb_text_add(&out, "  equation\n");
    rb_text_add(&out, w.equations.data);
    rb_text_add(&out, "  end Robot;\n\n");
    add_alone(&w, &out);
    rb_text_printf(&out, "end %s;\n", package);
    return out.data;
}
