// SPDX-License-Identifier: MIT
#include "robot/mjcf.h"

#include <math.h>
#include <string.h>

typedef struct Mjcf {
    RbArena *arena;
    RbDiag *diag;
    RbRobot *robot;
    RbXml *root;
    double angle; // [rad] of the unit of angles
    const char *sequence, *mesh_folder;
    bool from_geoms, never_from_geoms;
} Mjcf;

// An element with what it inherits: its class of defaults, from the innermost outwards.
typedef struct Source {
    RbXml *element, *class; // class: <default>; NULL: none
} Source;

#define REFUSE(m, element, ...) rb_fail((m)->diag, RB_ERROR_MODEL, (element)->at, __VA_ARGS__)

// ---- defaults

static bool is(const char *text, const char *word) {
    return text && strcmp(text, word) == 0;
}

static RbXml *find_class(RbXml *in, const char *name) {
    for (RbXml *e = rb_xml_child(in, "default"); e; e = rb_xml_next(e)) {
        if (is(rb_xml_attribute(e, "class"), name)) return e;
        RbXml *inner = find_class(e, name);
        if (inner) return inner;
    }
    return NULL;
}

// The class that an element names, otherwise that of the body around it, otherwise the outermost.
static RbStatus source_of(Mjcf *m, RbXml *e, const char *of_body, Source *out) {
    const char *name = rb_xml_attribute(e, "class");
    if (!name) name = of_body;
    *out = (Source){.element = e, .class = rb_xml_child(m->root, "default")};
    if (!name) return RB_OK;
    out->class = find_class(m->root, name);
    if (!out->class && !is(name, "main"))
        return REFUSE(m, e, "there is no <default class=\"%.60s\">", name);
    return RB_OK;
}

// The element that says an attribute: itself, or one of its defaults; NULL: none.
static RbXml *sayer(const Source *s, const char *name) {
    if (rb_xml_attribute(s->element, name)) return s->element;
    for (RbXml *c = s->class; c && is(c->name, "default"); c = c->parent) {
        RbXml *e = rb_xml_child(c, s->element->name);
        if (!e || !rb_xml_attribute(e, name)) continue;
        rb_xml_mapped(e);
        rb_xml_mapped(c);
        return e;
    }
    return NULL;
}

static const char *word(const Source *s, const char *name) {
    RbXml *e = sayer(s, name);
    return e ? rb_xml_attribute(e, name) : NULL;
}

static RbStatus numbers(Mjcf *m, const Source *s, const char *name, int least, int most,
                        double *out, int *count) {
    RbXml *e = sayer(s, name);
    *count = 0;
    return e ? rb_xml_numbers(e, name, least, most, out, count, m->diag) : RB_OK;
}

static RbStatus number(Mjcf *m, const Source *s, const char *name, double *out) {
    int count;
    return numbers(m, s, name, 1, 1, out, &count);
}

// ---- frames

static Quat turned_by_euler(const Mjcf *m, const double *angles) {
    Quat q = {1, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        char c = m->sequence[i];
        int axis = (c | 32) - 'x';
        Quat turn = q_rotation(v3_axis(axis), angles[i] * m->angle);
        q = c >= 'x' ? q_mul(q, turn) : q_mul(turn, q); // large letters: axes that stay
    }
    return q;
}

static Quat from_axes(Vec3 x, Vec3 y) {
    x = v3_unit(x);
    y = v3_unit(v3_sub(y, v3_scale(v3_dot(x, y), x)));
    return q_from_matrix(m3_from_columns(x, y, v3_cross(x, y)));
}

// The shortest way from z.
static Quat from_z(Vec3 z) {
    Vec3 u = v3_unit(z), n = v3_cross(v3(0, 0, 1), u);
    double sine = v3_norm(n);
    if (sine == 0) return u.z > 0 ? (Quat){1, 0, 0, 0} : (Quat){0, 1, 0, 0};
    return q_rotation(v3_scale(1 / sine, n), atan2(sine, u.z));
}

static RbStatus read_pose(Mjcf *m, const Source *s, Pose *out) {
    double r[3] = {0}, d[6];
    int count;
    Quat q = {1, 0, 0, 0};
    RB_TRY(numbers(m, s, "pos", 3, 3, r, &count));
    RB_TRY(numbers(m, s, "quat", 4, 4, d, &count));
    if (count && !(hypot(hypot(d[0], d[1]), hypot(d[2], d[3])) > 0))
        return REFUSE(m, s->element, "quat has no length");
    if (count) q = q_unit(q_load(d));
    RB_TRY(numbers(m, s, "euler", 3, 3, d, &count));
    if (count) q = turned_by_euler(m, d);
    RB_TRY(numbers(m, s, "axisangle", 4, 4, d, &count));
    if (count && v3_norm(v3_load(d)) > 0) q = q_rotation(v3_unit(v3_load(d)), d[3] * m->angle);
    RB_TRY(numbers(m, s, "xyaxes", 6, 6, d, &count));
    if (count) {
        if (!(v3_norm(v3_cross(v3_load(d), v3_load(d + 3))) > 0))
            return REFUSE(m, s->element, "the axes of xyaxes are parallel");
        q = from_axes(v3_load(d), v3_load(d + 3));
    }
    RB_TRY(numbers(m, s, "zaxis", 3, 3, d, &count));
    if (count && !(v3_norm(v3_load(d)) > 0)) return REFUSE(m, s->element, "zaxis has no length");
    if (count) q = from_z(v3_load(d));
    *out = pose(v3_load(r), q);
    return RB_OK;
}

// ---- shapes

static RbStatus read_mesh(Mjcf *m, const Source *s, RbRobotGeom *g, bool *known) {
    const char *name = word(s, "mesh"), *file, *why;
    double scale[3] = {1, 1, 1};
    for (RbXml *asset = rb_xml_child(m->root, "asset"); name && asset; asset = rb_xml_next(asset))
        for (RbXml *e = rb_xml_child(asset, "mesh"); e; e = rb_xml_next(e)) {
            if (!is(rb_xml_attribute(e, "name"), name)) continue;
            RB_TRY(rb_xml_needed(e, "file", &file, m->diag));
            RB_TRY(rb_xml_vector(e, "scale", scale, m->diag));
            g->scale = v3_load(scale);
            g->mesh = rb_robot_mesh_file(m->robot->file, m->mesh_folder, file, m->arena, &why);
            *known = g->mesh != NULL;
            if (!*known) rb_warn(m->diag, e->at, "the mesh '%s' is left out: %s", file, why);
            if (*known) rb_xml_mapped(asset), rb_xml_mapped(e);
            return RB_OK;
        }
    rb_warn(m->diag, s->element->at,
            "this mesh is left out: no asset with a name and a file has its name");
    return RB_OK;
}

// Ends of capsules, cylinders and boxes instead of pose and length.
static RbStatus read_ends(Mjcf *m, const Source *s, double *half, bool *ends, Pose *at) {
    double d[6];
    int count;
    RB_TRY(numbers(m, s, "fromto", 6, 6, d, &count));
    *ends = count > 0;
    if (!*ends) return RB_OK;
    Vec3 a = v3_load(d), b = v3_load(d + 3);
    if (!(v3_distance(a, b) > 0)) return REFUSE(m, s->element, "fromto has no length");
    *half = v3_distance(a, b) / 2;
    *at = pose(v3_lerp(a, b, 0.5), from_z(v3_sub(a, b)));
    return RB_OK;
}

static RbStatus read_shape(Mjcf *m, const Source *s, RbRobotGeom *g, bool *known) {
    const char *type = word(s, "type");
    double d[3] = {0}, half = 0;
    int count;
    bool ends;
    RB_TRY(read_ends(m, s, &half, &ends, &g->pose));
    RB_TRY(numbers(m, s, "size", 1, 3, d, &count));
    if (!type) type = word(s, "mesh") ? "mesh" : "sphere";
    *known = true;
    if (is(type, "mesh")) return *known = false, read_mesh(m, s, g, known);
    if (is(type, "plane")) return g->shape = rb_shape_halfspace(), RB_OK;
    if (ends && !is(type, "capsule") && !is(type, "cylinder"))
        return *known = false,
               rb_warn(m->diag, s->element->at,
                       "a %s with fromto is left out; give it pos and size", type),
               RB_OK;
    if (!ends) half = d[1];
    if (is(type, "sphere"))
        g->shape = rb_shape_sphere(2 * d[0]);
    else if (is(type, "capsule"))
        g->shape = rb_shape_capsule(3, 2 * d[0], 2 * half);
    else if (is(type, "cylinder"))
        g->shape = rb_shape_cylinder(3, 2 * d[0], 2 * half);
    else if (is(type, "box"))
        g->shape = rb_shape_box(v3_scale(2, v3_load(d)));
    else if (is(type, "ellipsoid"))
        g->shape = rb_shape_ellipsoid(v3_scale(2, v3_load(d)));
    else
        return *known = false,
               rb_warn(m->diag, s->element->at, "a geom of type %.40s is left out", type), RB_OK;
    return rb_shape_check(&g->shape, g->name, s->element->at, m->diag);
}

static RbStatus read_geom(Mjcf *m, RbXml *e, const char *class, int body) {
    Source s;
    RbRobotGeom g = {.body = body, .from = e, .density = 1000};
    double type = 1, affinity = 1;
    bool known;
    RB_TRY(source_of(m, e, class, &s));
    g.name = rb_xml_attribute(e, "name");
    if (!g.name || !*g.name)
        g.name = rb_arena_printf(m->arena, "%s_geom",
                                 body < 0 ? "ground" : m->robot->bodies.data[body].name);
    RB_TRY(read_pose(m, &s, &g.pose));
    RB_TRY(number(m, &s, "mass", &g.mass));
    RB_TRY(number(m, &s, "density", &g.density));
    RB_TRY(number(m, &s, "contype", &type));
    RB_TRY(number(m, &s, "conaffinity", &affinity));
    RB_TRY(read_shape(m, &s, &g, &known));
    if (g.shape.kind == RB_SHAPE_HALFSPACE && !g.mesh && known && body >= 0)
        return REFUSE(m, e, "a plane moves with '%s'; it must be in <worldbody>",
                      m->robot->bodies.data[body].name);
    g.touches = type != 0 || affinity != 0;
    g.seen = !g.touches;
    if (!known) return RB_OK;
    rb_array_push(&m->robot->geoms, m->arena, g);
    rb_xml_approximated(e, "contact is that of the material; groups are all or none");
    return RB_OK;
}

// ---- bodies

static RbStatus read_inertial(Mjcf *m, RbXml *e, RbRobotBody *body) {
    Source s = {.element = e};
    double mass = 0, d[6] = {0};
    int diagonal, full;
    Pose X;
    RB_TRY(read_pose(m, &s, &X));
    RB_TRY(number(m, &s, "mass", &mass));
    RB_TRY(numbers(m, &s, "diaginertia", 3, 3, d, &diagonal));
    Mat3 I = m3_diagonal(v3_load(d));
    RB_TRY(numbers(m, &s, "fullinertia", 6, 6, d, &full));
    if (full) I = (Mat3){{d[0], d[3], d[4]}, {d[3], d[1], d[5]}, {d[4], d[5], d[2]}};
    if (!(mass > 0) || !(diagonal || full))
        return REFUSE(m, e, "<inertial> needs a positive mass, and diaginertia or fullinertia");
    body->has_inertia = true;
    body->inertia = (RbMassProperties){mass, X.r, m3_rotate_tensor(X.R, I)};
    rb_xml_mapped(e);
    return RB_OK;
}

static RbStatus read_limits(Mjcf *m, const Source *s, RbRobotJoint *j, double unit) {
    double range[2], ref = 0;
    int count;
    const char *limited = word(s, "limited");
    RB_TRY(numbers(m, s, "range", 2, 2, range, &count));
    RB_TRY(number(m, s, "ref", &ref));
    RB_TRY(number(m, s, "stiffness", &j->stiffness));
    RB_TRY(number(m, s, "springref", &j->rest));
    RB_TRY(number(m, s, "damping", &j->damping));
    RB_TRY(number(m, s, "frictionloss", &j->friction));
    RB_TRY(number(m, s, "armature", &j->armature));
    j->rest = (j->rest - ref) * unit;
    j->limited = count > 0 && !is(limited, "false") && j->kind <= RB_ROBOT_SLIDE;
    if (count) j->lower = (range[0] - ref) * unit, j->upper = (range[1] - ref) * unit;
    if (j->limited && j->lower > j->upper)
        return REFUSE(m, s->element, "the range of '%s' ends before it begins", j->name);
    if (j->limited) rb_xml_approximated(s->element, "stops are springs with a damper");
    if (ref != 0)
        rb_xml_approximated(s->element,
                            "its coordinate counts from ref; stops are springs with a damper");
    if (j->kind > RB_ROBOT_SLIDE &&
        (count || j->damping > 0 || j->stiffness > 0 || j->friction > 0 || j->armature > 0))
        rb_xml_approximated(s->element,
                            "it moves without limits, damping, friction, spring and armature");
    return RB_OK;
}

static RbStatus read_joint(Mjcf *m, RbXml *e, const char *class, int body) {
    static const char *const types[] = {"hinge", "slide", "ball", "free"}; // ORDER RbRobotJointKind
    Source s;
    double axis[3] = {0, 0, 1}, point[3] = {0};
    int kind = 0, count;
    RbRobotJoint j = {.body = body, .from = e};
    RB_TRY(source_of(m, e, class, &s));
    const char *type = is(e->name, "freejoint") ? "free" : word(&s, "type");
    while (type && kind < 4 && strcmp(types[kind], type) != 0) kind++;
    if (kind == 4)
        return REFUSE(m, e, "'%.40s' is no type of a joint; those are hinge, slide, ball and free",
                      type);
    j.kind = (RbRobotJointKind)kind;
    j.name = rb_xml_attribute(e, "name");
    if (!j.name || !*j.name)
        j.name = rb_arena_printf(m->arena, "%s_joint", m->robot->bodies.data[body].name);
    RB_TRY(numbers(m, &s, "axis", 3, 3, axis, &count));
    RB_TRY(numbers(m, &s, "pos", 3, 3, point, &count));
    if (!(v3_norm(v3_load(axis)) > 0))
        return REFUSE(m, e, "the axis of '%s' has no length", j.name);
    j.axis = v3_unit(v3_load(axis));
    if (j.kind != RB_ROBOT_FREE) j.point = v3_load(point);
    rb_xml_mapped(e);
    RB_TRY(read_limits(m, &s, &j, j.kind == RB_ROBOT_HINGE ? m->angle : 1));
    rb_array_push(&m->robot->joints, m->arena, j);
    return RB_OK;
}

static RbStatus read_body(Mjcf *m, RbXml *e, const char *class, int parent);

static RbStatus read_contents(Mjcf *m, RbXml *in, const char *class, int body) {
    rb_xml_mapped(in);
    for (RbXml *e = in->first; e; e = e->next) {
        if (is(e->name, "geom"))
            RB_TRY(read_geom(m, e, class, body));
        else if (is(e->name, "body"))
            RB_TRY(read_body(m, e, class, body));
        else if (body >= 0 && (is(e->name, "joint") || is(e->name, "freejoint")))
            RB_TRY(read_joint(m, e, class, body));
        else if (body >= 0 && is(e->name, "inertial") && !m->from_geoms)
            RB_TRY(read_inertial(m, e, &m->robot->bodies.data[body]));
    }
    return RB_OK;
}

static RbStatus read_body(Mjcf *m, RbXml *e, const char *class, int parent) {
    Source s = {.element = e};
    int place = m->robot->bodies.count;
    RbRobotBody body = {.parent = parent, .from = e, .wants_shapes = true};
    const char *child = rb_xml_attribute(e, "childclass");
    body.name = rb_xml_attribute(e, "name");
    if (!body.name || !*body.name) body.name = rb_arena_printf(m->arena, "body%d", place + 1);
    RB_TRY(read_pose(m, &s, &body.pose));
    body.has_inertia = m->never_from_geoms;
    rb_array_push(&m->robot->bodies, m->arena, body);
    return read_contents(m, e, child ? child : class, place);
}

// ---- motors and settings

static RbStatus read_motor(Mjcf *m, RbXml *e) {
    Source s;
    RbRobotMotor motor = {.gear = 1, .joint = -1, .from = e};
    double gear[6];
    int count;
    RB_TRY(source_of(m, e, NULL, &s));
    const char *joint = rb_xml_attribute(e, "joint");
    if (!joint) return rb_xml_ignored(e, "only motors of joints are read"), RB_OK;
    for (int i = 0; i < m->robot->joints.count; i++)
        if (is(m->robot->joints.data[i].name, joint)) motor.joint = i;
    if (motor.joint < 0) return REFUSE(m, e, "there is no joint '%.60s'", joint);
    if (m->robot->joints.data[motor.joint].kind > RB_ROBOT_SLIDE)
        return rb_xml_ignored(e, "the joint is no hinge and no slide"), RB_OK;
    RB_TRY(numbers(m, &s, "gear", 1, 6, gear, &count));
    if (count) motor.gear = gear[0];
    motor.name = rb_xml_attribute(e, "name");
    if (!motor.name || !*motor.name) motor.name = rb_arena_join(m->arena, joint, "_motor", "");
    m->robot->joints.data[motor.joint].driven = true;
    rb_array_push(&m->robot->motors, m->arena, motor);
    rb_xml_mapped(e);
    return RB_OK;
}

static RbStatus read_motors(Mjcf *m) {
    for (RbXml *all = rb_xml_child(m->root, "actuator"); all; all = rb_xml_next(all)) {
        rb_xml_mapped(all);
        for (RbXml *e = rb_xml_child(all, "motor"); e; e = rb_xml_next(e)) RB_TRY(read_motor(m, e));
    }
    return RB_OK;
}

static RbStatus read_compiler(Mjcf *m, RbXml *e) {
    const char *sequence = rb_xml_attribute(e, "eulerseq"),
               *geoms = rb_xml_attribute(e, "inertiafromgeom");
    const char *folder = rb_xml_attribute(e, "meshdir");
    if (is(rb_xml_attribute(e, "angle"), "radian")) m->angle = 1;
    if (is(rb_xml_attribute(e, "coordinate"), "global"))
        return REFUSE(
            m, e,
            "coordinate=\"global\" is not read; let MuJoCo save the model in local coordinates");
    if (sequence && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3))
        return REFUSE(m, e, "eulerseq=\"%.20s\" is not three of x, y, z, X, Y, Z", sequence);
    if (sequence) m->sequence = sequence;
    m->from_geoms = is(geoms, "true");
    m->never_from_geoms = is(geoms, "false");
    if (folder && folder[0] == '/') m->mesh_folder = folder;
    const char *slash = strrchr(m->robot->file, '/');
    if (folder && folder[0] != '/')
        m->mesh_folder =
            rb_arena_printf(m->arena, "%.*s%s", slash ? (int)(slash + 1 - m->robot->file) : 0,
                            m->robot->file, folder);
    rb_xml_mapped(e);
    return RB_OK;
}

static RbStatus read_settings(Mjcf *m) {
    double gravity[3] = {0, 0, -9.81};
    for (RbXml *e = m->root->first; e; e = e->next) {
        if (is(e->name, "include"))
            return REFUSE(
                m, e,
                "files that are included are not read; let MuJoCo save the model as one file");
        if (is(e->name, "compiler")) RB_TRY(read_compiler(m, e));
        if (!is(e->name, "option")) continue;
        RB_TRY(rb_xml_vector(e, "gravity", gravity, m->diag));
        rb_xml_mapped(e);
    }
    m->robot->gravity = v3_load(gravity);
    return RB_OK;
}

RbStatus rb_mjcf_read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot) {
    Mjcf m = {arena, diag, robot, root, .angle = M_PI / 180, .sequence = "xyz"};
    const char *name = rb_xml_attribute(root, "model");
    if (name && *name) robot->name = name;
    robot->format = "MJCF";
    robot->touches_itself = true;
    rb_xml_mapped(root);
    RB_TRY(read_settings(&m));
    for (RbXml *e = rb_xml_child(root, "worldbody"); e; e = rb_xml_next(e))
        RB_TRY(read_contents(&m, e, NULL, -1));
    if (robot->bodies.count == 0) return REFUSE(&m, root, "<worldbody> has no <body>");
    return read_motors(&m);
}
