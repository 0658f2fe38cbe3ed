// SPDX-License-Identifier: MIT
#include "robot/sdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "robot/sdf_frames.h"

// A link, by its frame.
typedef struct Link {
    int frame, parent; // parent: link; -1: the world
    RbXml *joint;      // that it hangs on; NULL: none
    int joint_frame;
    int body; // its place in the robot; -1: not there yet
} Link;

typedef struct Sdf {
    RbArena *arena;
    RbDiag *diag;
    RbRobot *robot;
    double version;
    RbSdfFrames frames;
    int *link_of; // frame of a link -> link
    RB_ARRAY(Link) links;
    int models;
} Sdf;

#define REFUSE(s, element, ...) rb_fail((s)->diag, RB_ERROR_MODEL, (element)->at, __VA_ARGS__)

static bool is(const char *text, const char *word) {
    return text && strcmp(text, word) == 0;
}

// The number in a child; `out` stays as it is without it.
static RbStatus number(Sdf *s, RbXml *of, const char *child, double *out) {
    RbXml *e = of ? rb_xml_child(of, child) : NULL;
    int count;
    if (!e) return RB_OK;
    rb_xml_mapped(e);
    return rb_xml_numbers(e, NULL, 1, 1, out, &count, s->diag);
}

static RbStatus vector(Sdf *s, RbXml *of, const char *child, double out[3]) {
    RbXml *e = rb_xml_child(of, child);
    int count;
    if (!e) return RB_OK;
    rb_xml_mapped(e);
    return rb_xml_numbers(e, NULL, 3, 3, out, &count, s->diag);
}

// "arm::hand::finger" is hand_finger, or arm_hand_finger among several models.
static const char *flat_name(Sdf *s, const char *name) {
    RbText t = rb_text(s->arena);
    if (s->models == 1) name += strlen(s->frames.list.data[0].name) + 2;
    for (; *name; name++) {
        bool pair = name[0] == ':' && name[1] == ':';
        rb_text_add_bytes(&t, pair ? "_" : name, 1);
        name += pair;
    }
    return t.data;
}

// ---- parts of links

static RbStatus read_inertial(Sdf *s, RbXml *link, RbRobotBody *body) {
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    RbXml *e = rb_xml_child(link, "inertial"), *inertia = rb_xml_child(e, "inertia");
    double I[6] = {1, 1, 1}, m = 1;
    Pose X;
    if (!e || is(rb_xml_attribute(e, "auto"), "true")) return RB_OK;
    RB_TRY(rb_sdf_read_pose(e, s->diag, &X));
    RB_TRY(number(s, e, "mass", &m));
    for (int i = 0; inertia && i < 6; i++) RB_TRY(number(s, inertia, names[i], &I[i]));
    if (!(m > 0))
        return REFUSE(s, e, "the mass of '%s' is %g kg; it must be positive", body->name, m);
    Mat3 tensor = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    body->has_inertia = true;
    body->inertia = (RbMassProperties){m, X.r, m3_rotate_tensor(X.R, tensor)};
    rb_xml_mapped(e);
    if (inertia) rb_xml_mapped(inertia);
    return RB_OK;
}

static RbStatus read_mesh(Sdf *s, RbXml *mesh, RbRobotGeom *g, bool *known) {
    const char *name = rb_sdf_text(mesh, "uri", s->arena), *why;
    double scale[3] = {1, 1, 1};
    if (!name) return REFUSE(s, mesh, "this <mesh> has no <uri>");
    RB_TRY(vector(s, mesh, "scale", scale));
    g->scale = v3_load(scale);
    g->mesh = rb_robot_mesh_file(s->robot->file, NULL, name, s->arena, &why);
    *known = g->mesh != NULL;
    if (*known) return rb_xml_mapped(mesh), RB_OK;
    rb_warn(s->diag, mesh->at, "the mesh '%s' is left out: %s", name, why);
    rb_xml_ignored(mesh, why);
    return RB_OK;
}

// A half-space lies below its normal.
static RbStatus read_plane(Sdf *s, RbXml *e, RbRobotGeom *g, bool *known) {
    double n[3] = {0, 0, 1};
    RB_TRY(vector(s, e, "normal", n));
    Vec3 normal = v3_load(n), across = v3_cross(v3(0, 0, 1), normal);
    if (!(v3_norm(normal) > 0)) return REFUSE(s, e, "the normal of this plane has no length");
    *known = rb_robot_is_held(s->robot, g->body);
    if (!*known) return rb_xml_ignored(e, "a plane cannot move"), RB_OK;
    double angle = atan2(v3_norm(across), normal.z);
    Vec3 axis = v3_norm(across) > 0 ? v3_unit(across) : v3(1, 0, 0);
    g->pose = pose_mul(g->pose, pose(v3(0, 0, 0), q_rotation(axis, angle)));
    g->shape = rb_shape_halfspace();
    rb_xml_approximated(e, "it has no borders");
    return RB_OK;
}

static RbStatus read_shape(Sdf *s, RbXml *geometry, RbRobotGeom *g, bool *known) {
    RbXml *e = geometry->first;
    double size[3] = {1, 1, 1}, radius = 1, length = 1;
    *known = e != NULL;
    if (!e) return RB_OK;
    if (is(e->name, "mesh")) return read_mesh(s, e, g, known);
    if (is(e->name, "plane")) return read_plane(s, e, g, known);
    RB_TRY(number(s, e, "radius", &radius));
    RB_TRY(number(s, e, "length", &length));
    if (is(e->name, "box")) {
        RB_TRY(vector(s, e, "size", size));
        g->shape = rb_shape_box(v3_load(size));
    } else if (is(e->name, "ellipsoid")) {
        RB_TRY(vector(s, e, "radii", size));
        g->shape = rb_shape_ellipsoid(v3_scale(2, v3_load(size)));
    } else if (is(e->name, "sphere")) {
        g->shape = rb_shape_sphere(2 * radius);
    } else if (is(e->name, "cylinder")) {
        g->shape = rb_shape_cylinder(3, 2 * radius, length);
    } else if (is(e->name, "capsule")) {
        g->shape = rb_shape_capsule(3, 2 * radius, length);
    } else {
        *known = false;
        return RB_OK;
    }
    rb_xml_mapped(e);
    return rb_shape_check(&g->shape, g->name, e->at, s->diag);
}

static RbStatus read_geom(Sdf *s, RbXml *e, int body) {
    const char *name;
    RbXml *geometry = rb_xml_child(e, "geometry");
    RbRobotGeom g = {.body = body, .from = e, .density = 1000};
    bool known = false;
    RB_TRY(rb_xml_needed(e, "name", &name, s->diag));
    g.name = rb_arena_printf(s->arena, "%s_%s", s->robot->bodies.data[body].name, name);
    g.touches = is(e->name, "collision");
    g.seen = !g.touches;
    RB_TRY(rb_sdf_read_pose(e, s->diag, &g.pose));
    if (geometry) RB_TRY(read_shape(s, geometry, &g, &known));
    if (!known) return RB_OK;
    rb_xml_mapped(geometry);
    rb_xml_mapped(e);
    rb_array_push(&s->robot->geoms, s->arena, g);
    return RB_OK;
}

// ---- joints

typedef struct Axis {
    Vec3 direction; // in the frame of the child
    RbXml *from;
} Axis;

// In the frame of the joint, of its model (old files), or of one that is named.
static RbStatus read_axis(Sdf *s, const Link *link, const char *which, Axis *out) {
    double xyz[3] = {0, 0, 1};
    const RbSdfFrame *joint = &s->frames.list.data[link->joint_frame];
    int frame = link->joint_frame;
    RbXml *e = out->from = rb_xml_child(link->joint, which), *x = rb_xml_child(e, "xyz");
    const char *of_model = e ? rb_sdf_text(e, "use_parent_model_frame", s->arena) : NULL;
    const char *name = x ? rb_xml_attribute(x, "expressed_in") : NULL;
    if (e) RB_TRY(vector(s, e, "xyz", xyz));
    if (is(of_model, "true") || is(of_model, "1") || (!of_model && s->version < 1.45))
        frame = joint->model;
    if (name && *name) RB_TRY(rb_sdf_find(&s->frames, x, joint->model, name, &frame));
    out->direction = m3_tmul_vec(rb_sdf_pose(&s->frames, link->frame).R,
                                 m3_mul_vec(rb_sdf_pose(&s->frames, frame).R, v3_load(xyz)));
    if (!(v3_norm(out->direction) > 0))
        return REFUSE(s, x ? x : link->joint, "the axis of '%s' has no length", joint->name);
    out->direction = v3_unit(out->direction);
    if (e) rb_xml_mapped(e);
    return RB_OK;
}

// "inf" is no limit.
static RbStatus read_limit(Sdf *s, RbXml *limit, const char *child, double *out) {
    const char *text = limit ? rb_sdf_text(limit, child, s->arena) : NULL;
    return text && strstr(text, "inf") ? RB_OK : number(s, limit, child, out);
}

static RbStatus read_limits(Sdf *s, RbXml *axis, RbRobotJoint *j) {
    const double
        none = 1e16,
        far = 1e6; // what the format writes for no limit; where a stop is that nothing reaches
    RbXml *limit = rb_xml_child(axis, "limit"), *dynamics = rb_xml_child(axis, "dynamics");
    j->lower = -none;
    j->upper = none;
    RB_TRY(read_limit(s, limit, "lower", &j->lower));
    RB_TRY(read_limit(s, limit, "upper", &j->upper));
    if (j->lower > j->upper)
        return REFUSE(s, limit, "lower=%g of '%s' is above upper=%g", j->lower, j->name, j->upper);
    j->limited = j->lower > -none || j->upper < none;
    j->lower = fmax(j->lower, -far);
    j->upper = fmin(j->upper, far);
    if (limit && j->limited)
        rb_xml_approximated(limit,
                            "stops are springs with a damper; effort and velocity limit nothing");
    if (limit && !j->limited) rb_xml_ignored(limit, "effort and velocity limit nothing");
    if (!dynamics) return RB_OK;
    RB_TRY(number(s, dynamics, "damping", &j->damping));
    RB_TRY(number(s, dynamics, "friction", &j->friction));
    RB_TRY(number(s, dynamics, "spring_stiffness", &j->stiffness));
    RB_TRY(number(s, dynamics, "spring_reference", &j->rest));
    if (j->damping < 0 || j->friction < 0 || j->stiffness < 0)
        return REFUSE(s, dynamics, "damping, friction and stiffness of '%s' must not be negative",
                      j->name);
    rb_xml_mapped(dynamics);
    return RB_OK;
}

// Which joints one of the format is, one after the other.
static const struct {
    const char *type;
    int axes;
    RbRobotJointKind kind;
    bool limited;
} types[] = {{"revolute", 1, RB_ROBOT_HINGE, true},  {"continuous", 1, RB_ROBOT_HINGE, false},
             {"prismatic", 1, RB_ROBOT_SLIDE, true}, {"universal", 2, RB_ROBOT_HINGE, true},
             {"revolute2", 2, RB_ROBOT_HINGE, true}, {"ball", 0, RB_ROBOT_BALL, false},
             {"fixed", 0, RB_ROBOT_HINGE, false}};
enum { TYPES = sizeof types / sizeof *types, FIXED = TYPES - 1 };

static RbStatus push_joint(Sdf *s, const Link *link, RbRobotJoint j, const char *axis,
                           bool limited) {
    Axis a = {v3(0, 0, 1), NULL};
    if (axis) RB_TRY(read_axis(s, link, axis, &a));
    j.axis = a.direction;
    if (a.from) RB_TRY(read_limits(s, a.from, &j));
    j.limited = j.limited && limited;
    rb_array_push(&s->robot->joints, s->arena, j);
    return RB_OK;
}

static RbStatus add_joint(Sdf *s, const Link *link) {
    const RbSdfFrame *frame = &s->frames.list.data[link->joint_frame];
    const char *type, *name = flat_name(s, frame->name);
    int k = 0;
    RB_TRY(rb_xml_needed(link->joint, "type", &type, s->diag));
    while (k < TYPES && strcmp(types[k].type, type) != 0) k++;
    if (k == TYPES)
        return REFUSE(s, link->joint,
                      "'%.40s' is no type of a joint that is read; those are revolute, continuous, "
                      "prismatic, universal, revolute2, ball and fixed",
                      type);
    rb_xml_mapped(link->joint);
    if (k == FIXED) return RB_OK;
    Pose X = pose_relative(rb_sdf_pose(&s->frames, link->frame), frame->pose);
    RbRobotJoint j = {
        .name = name, .kind = types[k].kind, .point = X.r, .body = link->body, .from = link->joint};
    RB_TRY(push_joint(s, link, j, types[k].axes > 0 ? "axis" : NULL, types[k].limited));
    j.name = rb_arena_join(s->arena, name, "_2", "");
    return types[k].axes == 2 ? push_joint(s, link, j, "axis2", types[k].limited) : RB_OK;
}

// What hangs on nothing moves freely, unless its model is static.
static void set_free(Sdf *s, const Link *link) {
    const RbSdfFrame *frame = &s->frames.list.data[link->frame];
    if (s->frames.list.data[frame->model].is_static) return;
    RbRobotJoint j = {.name = rb_arena_join(s->arena, flat_name(s, frame->name), "_free", ""),
                      .kind = RB_ROBOT_FREE,
                      .axis = v3(0, 0, 1),
                      .body = link->body,
                      .from = frame->from};
    rb_array_push(&s->robot->joints, s->arena, j);
}

// ---- the tree

static RbStatus hang_link(Sdf *s, int joint_frame) {
    static const char *const ends[] = {"parent", "child"};
    const RbSdfFrame *joint = &s->frames.list.data[joint_frame];
    int links[2];
    for (int k = 0; k < 2; k++) {
        int frame;
        const char *name = rb_sdf_text(joint->from, ends[k], s->arena);
        if (!name || !*name) return REFUSE(s, joint->from, "this joint has no <%s>", ends[k]);
        RB_TRY(rb_sdf_find(&s->frames, joint->from, joint->model, name, &frame));
        RB_TRY(rb_sdf_link_of(&s->frames, frame, &links[k]));
    }
    if (links[1] < 0)
        return REFUSE(s, joint->from,
                      "the world is no child of a joint; exchange parent and child");
    Link *link = &s->links.data[s->link_of[links[1]]];
    if (link->joint) {
        rb_warn(s->diag, joint->from->at,
                "the joint '%s' closes a loop and is left out: close it in a model of your own",
                joint->name);
        rb_xml_ignored(joint->from, "it closes a loop");
        return RB_OK;
    }
    link->joint = joint->from;
    link->joint_frame = joint_frame;
    link->parent = links[0] < 0 ? -1 : s->link_of[links[0]];
    return RB_OK;
}

static RbStatus add_body(Sdf *s, Link *link) {
    static const char *const kinds[] = {"visual", "collision"};
    const RbSdfFrame *frame = &s->frames.list.data[link->frame];
    RbRobotBody body = {
        .name = flat_name(s, frame->name), .parent = -1, .pose = frame->pose, .from = frame->from};
    bool rests = s->frames.list.data[frame->model].is_static;
    if (link->parent >= 0 && !rests) {
        body.parent = s->links.data[link->parent].body;
        body.pose =
            pose_relative(rb_sdf_pose(&s->frames, s->links.data[link->parent].frame), frame->pose);
    }
    RB_TRY(read_inertial(s, frame->from, &body));
    link->body = s->robot->bodies.count;
    rb_array_push(&s->robot->bodies, s->arena, body);
    rb_xml_mapped(frame->from);
    if (link->joint && !rests)
        RB_TRY(add_joint(s, link));
    else
        set_free(s, link);
    for (int k = 0; k < 2; k++)
        for (RbXml *e = rb_xml_child(frame->from, kinds[k]); e; e = rb_xml_next(e))
            RB_TRY(read_geom(s, e, link->body));
    return RB_OK;
}

// Links whose parent is a body become bodies, until there are no more.
static RbStatus grow(Sdf *s) {
    for (int before = -1; s->robot->bodies.count > before;) {
        before = s->robot->bodies.count;
        for (int i = 0; i < s->links.count; i++) {
            Link *link = &s->links.data[i];
            bool ready = link->parent < 0 || s->links.data[link->parent].body >= 0;
            if (link->body < 0 && ready) RB_TRY(add_body(s, link));
        }
    }
    for (int i = 0; i < s->links.count; i++)
        if (s->links.data[i].body < 0)
            return REFUSE(s, s->links.data[i].joint,
                          "the joints make a loop; one link must hang on no joint");
    return RB_OK;
}

static RbStatus list_links(Sdf *s) {
    s->link_of = rb_new_array(s->arena, int, s->frames.list.count + 1);
    for (int i = 0; i < s->frames.list.count; i++) {
        Link link = {.frame = i, .parent = -1, .body = -1};
        if (s->frames.list.data[i].kind != RB_SDF_LINK) continue;
        s->link_of[i] = s->links.count;
        rb_array_push(&s->links, s->arena, link);
    }
    for (int i = 0; i < s->frames.list.count; i++)
        if (s->frames.list.data[i].kind == RB_SDF_JOINT) RB_TRY(hang_link(s, i));
    return RB_OK;
}

// ---- the file

static void explain_rest(RbXml *in) {
    for (RbXml *e = in->first; e; e = e->next) {
        if (is(e->name, "include"))
            rb_xml_ignored(e, "other files are not read: import them on their own");
        if (is(e->name, "plugin")) rb_xml_ignored(e, "for another simulator");
        if (is(e->name, "frame")) rb_xml_mapped(e);
    }
}

// Models of a world touch each other, and so do links of one that says so.
static RbStatus list_models(Sdf *s, RbXml *in) {
    for (RbXml *e = rb_xml_child(in, "model"); e; e = rb_xml_next(e)) {
        const char *text = rb_sdf_text(e, "self_collide", s->arena);
        RB_TRY(rb_sdf_list(&s->frames, e, -1));
        s->models++;
        s->robot->touches_itself |= is(text, "true") || is(text, "1") || s->models > 1;
        explain_rest(e);
    }
    for (RbXml *e = rb_xml_child(in, "include"); e; e = rb_xml_next(e))
        rb_warn(s->diag, e->at, "other files are not read: import them on their own");
    explain_rest(in);
    return RB_OK;
}

RbStatus rb_sdf_read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot) {
    Sdf s = {
        .arena = arena, .diag = diag, .robot = robot, .frames = {.arena = arena, .diag = diag}};
    RbXml *world = rb_xml_child(root, "world");
    const char *version = rb_xml_attribute(root, "version");
    double gravity[3] = {0, 0, -9.8};
    s.version = version ? strtod(version, NULL) : 1.6;
    robot->format = "SDF";
    rb_xml_mapped(root);
    if (world) {
        rb_xml_mapped(world);
        rb_xml_attribute(world, "name");
        RB_TRY(vector(&s, world, "gravity", gravity));
        RB_TRY(list_models(&s, world));
        RB_TRY(rb_sdf_list_world(&s.frames, world));
    }
    robot->gravity = v3_load(gravity);
    RB_TRY(list_models(&s, root));
    if (s.models == 0) return REFUSE(&s, root, "there is no <model>");
    const char *name = s.models == 1 ? rb_xml_attribute(s.frames.list.data[0].from, "name") : NULL;
    if (name && *name) robot->name = name;
    RB_TRY(rb_sdf_place_all(&s.frames));
    RB_TRY(list_links(&s));
    RB_TRY(grow(&s));
    if (robot->bodies.count == 0) return REFUSE(&s, root, "the models have no <link>");
    return RB_OK;
}
