// SPDX-License-Identifier: MIT
// What there is to see of a scene: its objects with their shapes, its joints and springs with what
// they connect, and in each picture the poses of its bodies and all contacts (those of meshes:
// draw_solids.c).
#include <math.h>
#include <string.h>

#include "contact/evaluate.h"
#include "geom/tessellate.h"
#include "io/drawing.h"
#include "multibody/matter.h"
#include "multibody/touching_solids.h"

enum { CIRCLE = 32 }; // segments of a full circle, where a shape is drawn as triangles

// The number of an object in the drawing: the world is not drawn.
static int drawn(int object) {
    return object - 1;
}

void rb_mechanism_find_roots(Mechanism *m, RbArena *arena) {
    int bodies = m->structure.tree.bodies.count;
    m->root = rb_new_array(arena, int, bodies);
    for (int b = 0; b < bodies; b++) m->root[b] = -1;
    for (int i = 1; i < m->structure.object_count; i++) {
        int *root = &m->root[m->structure.frame[i].body];
        if (*root < 0) *root = i;
    }
}

static bool is_root(const Mechanism *m, int object) {
    int body = m->structure.frame[object].body;
    return body > 0 && m->root[body] == object;
}

// ---- objects

static int add_mesh(RbDrawing *d, const RbMesh *mesh) {
    double *vertices = rb_new_array(d->arena, double, 3 * (size_t)mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; i++) v3_store(vertices + 3 * i, mesh->vertices[i]);
    return rb_drawing_mesh(d, vertices, mesh->vertex_count, (const int *)mesh->triangles,
                           mesh->triangle_count);
}

// The mesh by which an object touches others, or NULL.
static const RbMesh *mesh_of(const RbScene *s, int object) {
    for (int i = 0; i < s->solids.count; i++) {
        const RbSceneSolids *p = &s->solids.data[i];
        if (p->a == object) return &p->element.skin_a->mesh;
        if (p->b == object) return &p->element.skin_b->mesh;
    }
    return NULL;
}

static void set_sizes(RbDrawObject *o, RbForm form, double a, double b, double c, double d) {
    o->form = form;
    o->size[0] = a, o->size[1] = b, o->size[2] = c, o->size[3] = d;
}

static void set_form(RbDrawObject *o, const RbShape *s, RbDrawing *d) {
    if (s->axis >= 1 && s->axis <= 3) o->axis = s->axis;
    Vec3 l = s->lengths;
    switch (s->kind) {
        case RB_SHAPE_SPHERE: set_sizes(o, RB_FORM_SPHERE, s->diameter, 0, 0, 0); return;
        case RB_SHAPE_ELLIPSOID: set_sizes(o, RB_FORM_ELLIPSOID, l.x, l.y, l.z, 0); return;
        case RB_SHAPE_BOX: set_sizes(o, RB_FORM_BOX, l.x, l.y, l.z, 0); return;
        case RB_SHAPE_CYLINDER:
            set_sizes(o, RB_FORM_CYLINDER, s->diameter, s->length, s->inner_diameter, 0);
            return;
        case RB_SHAPE_CONE:
            set_sizes(o, RB_FORM_CONE, s->diameter, s->length, s->top_diameter, 0);
            return;
        case RB_SHAPE_CAPSULE: set_sizes(o, RB_FORM_CAPSULE, s->diameter, s->length, 0, 0); return;
        case RB_SHAPE_BEAM:
            set_sizes(o, RB_FORM_BEAM, s->length, s->width, s->thickness, 0);
            return;
        case RB_SHAPE_HALFSPACE: o->form = RB_FORM_HALFSPACE; return;
        case RB_SHAPE_COORDINATE_SYSTEM:
            set_sizes(o, RB_FORM_COORDINATES, s->length, 0, 0, 0);
            return;
        case RB_SHAPE_GRID: set_sizes(o, RB_FORM_GRID, s->length, s->width, s->distance, 0); return;
        case RB_SHAPE_SPRING:
            set_sizes(o, RB_FORM_SPRING, s->length, s->diameter, s->wire_diameter, s->windings);
            return;
        case RB_SHAPE_GEARWHEEL:
            set_sizes(o, RB_FORM_GEARWHEEL, s->diameter, s->length, s->inner_diameter, s->teeth);
            return;
        case RB_SHAPE_TEXT:
            set_sizes(o, RB_FORM_TEXT, s->char_size, 0, 0, 0);
            o->text = s->text;
            return;
        case RB_SHAPE_HULL:
        case RB_SHAPE_MESH:
        case RB_SHAPE_KIND_COUNT: break;
    }
    RbMesh mesh = rb_tessellate(s, CIRCLE, d->arena);
    o->form = RB_FORM_MESH;
    o->mesh = add_mesh(d, &mesh);
}

static void set_pose(RbDrawObject *o, Pose X) {
    Quat q = q_from_matrix(X.R);
    v3_store(o->position, X.r);
    o->rotation[0] = q.w, o->rotation[1] = q.x, o->rotation[2] = q.y, o->rotation[3] = q.z;
}

// The first object of a body moves; the others are fixed to it.
static void place(const Mechanism *m, int object, RbDrawObject *o) {
    RbFrame frame = m->structure.frame[object];
    if (frame.body <= 0) {
        set_pose(o, frame.X_BF);
        return;
    }
    int root = m->root[frame.body];
    RbFrame base = m->structure.frame[root];
    if (root != object) {
        o->parent = drawn(root);
        set_pose(o, pose_relative(base.X_BF, frame.X_BF));
        const RbObject *own = &m->change.arrangement.objects[object];
        if (own->has_mass) o->mass = own->mass.mass, v3_store(o->centre, own->mass.r_CM);
        return;
    }
    o->moves = true;
    RigidInertia I = m->structure.tree.bodies.data[frame.body].inertia;
    if (!(I.m > 0)) return;
    o->mass = I.m;
    v3_store(o->centre, pose_unpoint(base.X_BF, v3_scale(1 / I.m, I.h)));
}

static void add_object(const Mechanism *m, int object, RbDrawing *d) {
    const RbSceneObject *s = &m->scene->objects.data[object];
    RbDrawObject o = rb_draw_object(s->object.name, RB_FORM_NONE);
    const RbMesh *mesh = mesh_of(m->scene, object);
    if (mesh) {
        o.form = RB_FORM_MESH;
        o.mesh = add_mesh(d, mesh);
    } else if (s->flexible) {
        rb_mechanism_draw_surface(s->flexible, d, &o);
    } else if (s->has_shape && !m->change.arrangement.absent[object]) {
        set_form(&o, &s->shape, d);
    }
    o.collides = s->object.collidable || mesh;
    o.material = s->solid ? s->solid : s->contact;
    if (s->flexible)
        rb_picture_shade(rb_drawing_base(d, 1, 4), drawn(object), s->flexible->stress_scale);
    memcpy(o.colour, s->paint.colour, sizeof o.colour);
    o.only_opacity = s->paint.only_opacity;
    place(m, object, &o);
    rb_drawing_add(d, &o);
}

// How a joint is drawn: as what slides, turns, or is a ball; -1: not at all.
static int look_of(const Mechanism *m, int joint) {
    if (m->change.arrangement.gone[joint] || m->change.arrangement.broken[joint]) return -1;
    switch (m->scene->joints.data[joint].kind) {
        case RB_JOINT_PRISMATIC: return 0;
        case RB_JOINT_REVOLUTE:
        case RB_JOINT_CYLINDRICAL:
        case RB_JOINT_UNIVERSAL: return 1;
        case RB_JOINT_SPHERICAL: return 2;
        default: return -1;
    }
}

static int number_or_world(int object) {
    return object > 0 ? drawn(object) : RB_DRAW_WORLD;
}

static void add_between(RbDrawObject o, int a, int b, RbDrawing *d) {
    o.parent = number_or_world(a);
    o.partner = number_or_world(b);
    rb_drawing_add(d, &o);
}

// A joint stands where its first object is, or at its base in that.
static void add_joint(const Mechanism *m, int number, RbDrawing *d) {
    const RbObjectJoint *joint = &m->scene->joints.data[number];
    int look = look_of(m, number);
    if (look < 0) return;
    RbDrawObject o = rb_draw_object(joint->name, RB_FORM_AXIS);
    if (look < 2) v3_store(o.size, joint->n);
    o.size[3] = look;
    if (joint->has_base) set_pose(&o, joint->base);
    add_between(o, joint->a, joint->b, d);
}

static bool acts(RbCharacteristic c) {
    return c.k != 0 || c.value;
}

static void add_spring(const RbSceneSpring *spring, RbDrawing *d) {
    RbDrawObject o = rb_draw_object("spring", RB_FORM_STRUT);
    o.size[0] = acts(spring->element.spring);
    o.size[1] = acts(spring->element.damper);
    add_between(o, spring->a, spring->b, d);
}

void rb_mechanism_draw(const Mechanism *m, RbDrawing *d) {
    const RbScene *s = m->scene;
    for (int i = 1; i < s->objects.count; i++) add_object(m, i, d);
    for (int i = 0; i < s->joints.count; i++) add_joint(m, i, d);
    for (int i = 0; i < s->springs.count; i++) add_spring(&s->springs.data[i], d);
    if (m->contact.setup) {
        size_t slots = (size_t)m->contact.setup->slot_count;
        rb_drawing_room(d, 1, slots * RB_CONTACT_BYTES);
    }
    rb_mechanism_draw_solids(m, d);
    RbDrawObject gravity = rb_draw_object("gravity", RB_FORM_GRAVITY);
    v3_store(gravity.size, s->gravity.g);
    rb_drawing_add(d, &gravity);
    rb_mechanism_draw_grains(m, d);
    if (m->soft) rb_mechanism_draw_soft(m, d);
}

// ---- pictures

static void show_contact(const Mechanism *m, const RbContactState *c, RbPicture *picture) {
    RbDrawContact contact = {.a = drawn(m->contact.owners[c->a]),
                             .b = drawn(m->contact.owners[c->b])};
    contact.depth = c->motion.depth;
    v3_store(contact.point, c->point_W);
    v3_store(contact.normal, rb_contact_parts(c).n_W);
    v3_store(contact.force, c->f_W);
    v3_store(contact.torque, c->t_W);
    rb_picture_contact(picture, &contact);
}

static void show_contacts(const Mechanism *m, const RbEval *e, RbPicture *picture) {
    const MechanismWork *w = e->workspace;
    int a, b;
    for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++) {
        if (rb_slot_pair(m->contact.setup, e->discrete + m->contact.slots, i, &a, &b))
            show_contact(m, &w->contact.states[i], picture);
    }
}

// Patches are drawn behind the objects, the joints and the springs.
static int number_of_patches(const Mechanism *m) {
    const RbScene *s = m->scene;
    int number = drawn(s->objects.count) + s->springs.count;
    for (int i = 0; i < s->joints.count; i++) number += look_of(m, i) >= 0;
    return number;
}

void rb_mechanism_show(const Mechanism *m, const RbEval *e, RbPicture *picture) {
    const MechanismWork *w = e->workspace;
    for (int i = 1; i < m->structure.object_count; i++) {
        if (!is_root(m, i)) continue;
        Pose X = rb_frame_pose(&w->kin, m->structure.frame[i]);
        Quat q = q_from_matrix(X.R);
        double r[3];
        v3_store(r, X.r);
        rb_picture_pose(picture, r, (double[4]){q.w, q.x, q.y, q.z});
    }
    show_contacts(m, e, picture);
    rb_mechanism_show_flexible(m, w, picture);
    rb_mechanism_show_regions(m, e, picture);
    rb_mechanism_show_patches(m, e, number_of_patches(m), picture);
    rb_mechanism_show_grains(m, e, picture);
    if (m->soft) rb_mechanism_show_soft(m, w, picture);
}
