// SPDX-License-Identifier: MIT
#include "robot/urdf.h"

#include <math.h>
#include <string.h>

typedef struct Link {
    const char *name;
    RbXml *from, *joint; // joint: that it hangs on
    int parent;          // -1: none
    int body;            // its place in the robot; -1: not there yet
} Link;

typedef struct Urdf {
    RbArena *arena;
    RbDiag *diag;
    RbRobot *robot;
    RB_ARRAY(Link) links;
} Urdf;

enum { MOST_LINKS = 10000 };

#define REFUSE(u, element, ...) rb_fail((u)->diag, RB_ERROR_MODEL, (element)->at, __VA_ARGS__)

// ---- parts of links

static RbStatus read_origin(Urdf *u, RbXml *of, Pose *out) {
    double xyz[3] = {0}, rpy[3] = {0};
    RbXml *origin = rb_xml_child(of, "origin");
    *out = pose(v3(0, 0, 0), (Quat){1, 0, 0, 0});
    if (!origin) return RB_OK;
    RB_TRY(rb_xml_vector(origin, "xyz", xyz, u->diag));
    RB_TRY(rb_xml_vector(origin, "rpy", rpy, u->diag));
    rb_xml_mapped(origin);
    *out = pose(v3_load(xyz), rb_robot_rpy(rpy));
    return RB_OK;
}

static RbStatus read_inertial(Urdf *u, RbXml *link, RbRobotBody *body) {
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    RbXml *inertial = rb_xml_child(link, "inertial"), *mass = rb_xml_child(inertial, "mass"),
          *inertia = rb_xml_child(inertial, "inertia");
    double I[6] = {0}, m = 0;
    Pose X;
    if (!inertial) return RB_OK;
    RB_TRY(read_origin(u, inertial, &X));
    if (mass) RB_TRY(rb_xml_number(mass, "value", &m, u->diag));
    for (int i = 0; inertia && i < 6; i++) RB_TRY(rb_xml_number(inertia, names[i], &I[i], u->diag));
    if (m < 0)
        return REFUSE(u, mass, "the mass of '%s' is %g kg; it must be positive", body->name, m);
    Mat3 tensor = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    body->has_inertia = m > 0;
    body->inertia = (RbMassProperties){m, X.r, m3_rotate_tensor(X.R, tensor)};
    if (m == 0) body->inertia = (RbMassProperties){0};
    rb_xml_mapped(inertial);
    if (mass) rb_xml_mapped(mass);
    if (inertia) rb_xml_mapped(inertia);
    return RB_OK;
}

static RbStatus read_mesh(Urdf *u, RbXml *mesh, RbRobotGeom *g, bool *known) {
    const char *name, *why;
    double scale[3] = {1, 1, 1};
    RB_TRY(rb_xml_needed(mesh, "filename", &name, u->diag));
    RB_TRY(rb_xml_vector(mesh, "scale", scale, u->diag));
    g->scale = v3_load(scale);
    g->mesh = rb_robot_mesh_file(u->robot->file, NULL, name, u->arena, &why);
    *known = g->mesh != NULL;
    if (*known) {
        rb_xml_mapped(mesh);
        return RB_OK;
    }
    rb_warn(u->diag, mesh->at, "the mesh '%s' is left out: %s", name, why);
    rb_xml_ignored(mesh, why);
    return RB_OK;
}

static RbStatus read_shape(Urdf *u, RbXml *geometry, RbRobotGeom *g, bool *known) {
    RbXml *e;
    double size[3] = {0, 0, 0}, radius = 0, length = 0;
    *known = true;
    if ((e = rb_xml_child(geometry, "mesh"))) return read_mesh(u, e, g, known);
    if ((e = rb_xml_child(geometry, "box"))) {
        RB_TRY(rb_xml_vector(e, "size", size, u->diag));
        g->shape = rb_shape_box(v3_load(size));
    } else if ((e = rb_xml_child(geometry, "sphere"))) {
        RB_TRY(rb_xml_number(e, "radius", &radius, u->diag));
        g->shape = rb_shape_sphere(2 * radius);
    } else if ((e = rb_xml_child(geometry, "cylinder")) ||
               (e = rb_xml_child(geometry, "capsule"))) {
        RB_TRY(rb_xml_number(e, "radius", &radius, u->diag));
        RB_TRY(rb_xml_number(e, "length", &length, u->diag));
        g->shape = strcmp(e->name, "capsule") == 0 ? rb_shape_capsule(3, 2 * radius, length)
                                                   : rb_shape_cylinder(3, 2 * radius, length);
    } else {
        *known = false;
        return RB_OK;
    }
    rb_xml_mapped(e);
    return rb_shape_check(&g->shape, g->name, e->at, u->diag);
}

static RbStatus read_geom(Urdf *u, RbXml *e, int body, int number) {
    const char *name = rb_xml_attribute(e, "name"), *link = u->robot->bodies.data[body].name;
    RbXml *geometry = rb_xml_child(e, "geometry");
    RbRobotGeom g = {.body = body, .from = e, .density = 1000};
    bool known = false;
    g.touches = strcmp(e->name, "collision") == 0;
    g.seen = !g.touches;
    g.name = name && *name ? name : rb_arena_printf(u->arena, "%s_%s%d", link, e->name, number);
    RB_TRY(read_origin(u, e, &g.pose));
    if (geometry) RB_TRY(read_shape(u, geometry, &g, &known));
    if (!known) return RB_OK;
    rb_xml_mapped(geometry);
    rb_xml_mapped(e);
    rb_array_push(&u->robot->geoms, u->arena, g);
    return RB_OK;
}

static RbStatus add_body(Urdf *u, Link *link, int parent, Pose at) {
    RbRobotBody body = {.name = link->name, .parent = parent, .pose = at, .from = link->from};
    static const char *const kinds[] = {"visual", "collision"};
    RB_TRY(read_inertial(u, link->from, &body));
    link->body = u->robot->bodies.count;
    rb_array_push(&u->robot->bodies, u->arena, body);
    rb_xml_mapped(link->from);
    for (int k = 0; k < 2; k++) {
        int number = 1;
        for (RbXml *e = rb_xml_child(link->from, kinds[k]); e; e = rb_xml_next(e))
            RB_TRY(read_geom(u, e, link->body, number++));
    }
    return RB_OK;
}

// ---- joints

static RbStatus read_limits(Urdf *u, RbXml *e, RbRobotJoint *j) {
    RbXml *limit = rb_xml_child(e, "limit"), *dynamics = rb_xml_child(e, "dynamics");
    if (limit && j->limited) {
        RB_TRY(rb_xml_number(limit, "lower", &j->lower, u->diag));
        RB_TRY(rb_xml_number(limit, "upper", &j->upper, u->diag));
        if (j->lower > j->upper)
            return REFUSE(u, limit, "lower=%g of '%s' is above upper=%g", j->lower, j->name,
                          j->upper);
        rb_xml_approximated(limit,
                            "stops are springs with a damper; effort and velocity limit nothing");
    } else if (limit) {
        rb_xml_ignored(limit, "effort and velocity limit nothing");
    }
    j->limited = j->limited && limit;
    if (!dynamics) return RB_OK;
    RB_TRY(rb_xml_number(dynamics, "damping", &j->damping, u->diag));
    RB_TRY(rb_xml_number(dynamics, "friction", &j->friction, u->diag));
    if (j->damping < 0 || j->friction < 0)
        return REFUSE(u, dynamics, "damping and friction of '%s' must not be negative", j->name);
    rb_xml_mapped(dynamics);
    return RB_OK;
}

// ORDER types
static const char *const types[] = {"revolute", "continuous", "prismatic",
                                    "planar",   "floating",   "fixed"};
static const RbRobotJointKind kinds[] = {RB_ROBOT_HINGE, RB_ROBOT_HINGE, RB_ROBOT_SLIDE,
                                         RB_ROBOT_PLANAR, RB_ROBOT_FREE};
enum { TYPES = 6, FIXED = 5 };

static RbStatus type_of(Urdf *u, RbXml *e, int *type) {
    const char *text;
    RB_TRY(rb_xml_needed(e, "type", &text, u->diag));
    for (*type = 0; *type < TYPES; ++*type)
        if (strcmp(types[*type], text) == 0) return RB_OK;
    return REFUSE(u, e,
                  "'%.40s' is no type of a joint; those are revolute, continuous, prismatic, "
                  "fixed, floating and planar",
                  text);
}

static RbStatus read_axis(Urdf *u, RbXml *e, Vec3 *out) {
    double axis[3] = {1, 0, 0};
    RbXml *a = rb_xml_child(e, "axis");
    if (a) RB_TRY(rb_xml_vector(a, "xyz", axis, u->diag));
    *out = v3_load(axis);
    if (!(v3_norm(*out) > 0)) return REFUSE(u, a, "the axis has no length");
    *out = v3_unit(*out);
    if (a) rb_xml_mapped(a);
    return RB_OK;
}

static RbStatus add_joint(Urdf *u, RbXml *e, int body) {
    int type;
    RbRobotJoint j = {.body = body, .from = e};
    RB_TRY(rb_xml_needed(e, "name", &j.name, u->diag));
    RB_TRY(type_of(u, e, &type));
    rb_xml_mapped(e);
    if (type == FIXED) return RB_OK;
    j.kind = kinds[type];
    j.limited = type == 0 || type == 2;
    RB_TRY(read_axis(u, e, &j.axis));
    RB_TRY(read_limits(u, e, &j));
    if (rb_xml_child(e, "mimic"))
        rb_xml_ignored(rb_xml_child(e, "mimic"),
                       "the joint moves on its own: drive it with the other one");
    rb_array_push(&u->robot->joints, u->arena, j);
    return RB_OK;
}

// ---- the tree

static RbStatus find_link(Urdf *u, RbXml *joint, const char *which, int *out) {
    RbXml *e = rb_xml_child(joint, which);
    const char *name;
    if (!e) return REFUSE(u, joint, "this joint has no <%s>", which);
    RB_TRY(rb_xml_needed(e, "link", &name, u->diag));
    RbNear near = {.wanted = name};
    for (*out = 0; *out < u->links.count; ++*out) {
        if (strcmp(u->links.data[*out].name, name) == 0) break;
        rb_text_try_near(&near, u->links.data[*out].name);
    }
    rb_xml_mapped(e);
    if (*out < u->links.count) return RB_OK;
    return REFUSE(u, e, "there is no link '%.60s'%s", name,
                  rb_text_near_question(&near, "", u->arena));
}

static RbStatus list_links(Urdf *u, RbXml *root) {
    for (RbXml *e = rb_xml_child(root, "link"); e; e = rb_xml_next(e)) {
        Link link = {.from = e, .parent = -1, .body = -1};
        RB_TRY(rb_xml_needed(e, "name", &link.name, u->diag));
        for (int i = 0; i < u->links.count; i++)
            if (strcmp(u->links.data[i].name, link.name) == 0)
                return REFUSE(u, e, "there are two links '%s'; rename one", link.name);
        if (u->links.count == MOST_LINKS)
            return REFUSE(u, e, "a robot has at most %d links", MOST_LINKS);
        rb_array_push(&u->links, u->arena, link);
    }
    if (u->links.count == 0) return REFUSE(u, root, "the robot has no <link>");
    return RB_OK;
}

static RbStatus hang_links(Urdf *u, RbXml *root) {
    for (RbXml *e = rb_xml_child(root, "joint"); e; e = rb_xml_next(e)) {
        int parent, child;
        RB_TRY(find_link(u, e, "parent", &parent));
        RB_TRY(find_link(u, e, "child", &child));
        Link *link = &u->links.data[child];
        if (link->joint)
            return REFUSE(u, e, "'%s' is the child of two joints; URDF has trees only", link->name);
        link->joint = e;
        link->parent = parent;
    }
    return RB_OK;
}

// Links whose parent is a body become bodies, until there are no more.
static RbStatus grow(Urdf *u, RbXml *root) {
    int before = -1;
    while (u->robot->bodies.count > before) {
        before = u->robot->bodies.count;
        for (int i = 0; i < u->links.count; i++) {
            Link *link = &u->links.data[i];
            int parent = link->parent < 0 ? -1 : u->links.data[link->parent].body;
            Pose at = pose(v3(0, 0, 0), (Quat){1, 0, 0, 0});
            if (link->body >= 0 || (link->joint && parent < 0)) continue;
            if (!link->joint && u->robot->bodies.count > 0)
                return REFUSE(u, link->from,
                              "'%s' and '%s' both hang on no joint; a robot has one root",
                              u->robot->bodies.data[0].name, link->name);
            if (link->joint) RB_TRY(read_origin(u, link->joint, &at));
            RB_TRY(add_body(u, link, parent, at));
            if (link->joint) RB_TRY(add_joint(u, link->joint, link->body));
        }
    }
    if (before < u->links.count)
        return REFUSE(u, root, "the joints make a loop; one link must hang on no joint");
    return RB_OK;
}

static void explain_rest(RbXml *root) {
    for (RbXml *e = root->first; e; e = e->next) {
        if (strcmp(e->name, "transmission") == 0)
            rb_xml_ignored(e, "drive the axis of the joint: Robot(useAxisFlange = true)");
        if (strcmp(e->name, "gazebo") == 0) rb_xml_ignored(e, "for another simulator");
        if (strcmp(e->name, "material") == 0) rb_xml_ignored(e, "colours are not kept");
    }
}

RbStatus rb_urdf_read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot) {
    Urdf u = {.arena = arena, .diag = diag, .robot = robot};
    const char *name = rb_xml_attribute(root, "name");
    if (name && *name) robot->name = name;
    robot->format = "URDF";
    robot->gravity = v3(0, 0, -9.81);
    rb_xml_mapped(root);
    RB_TRY(list_links(&u, root));
    RB_TRY(hang_links(&u, root));
    RB_TRY(grow(&u, root));
    explain_rest(root);
    return RB_OK;
}
