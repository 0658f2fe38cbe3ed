// SPDX-License-Identifier: MIT
// From gathered members to a scene. A connection set of frames is one object: the first part that
// has a frame in it, or a frame of its own. Parts and joints are lines between sets.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "component/segment.h"
#include "members/members_build.h"

// --- values --------------------------------------------------------------------------------------

static const double *numbers(const SceneBuild *b, int member, const char *name) {
    return rb_member_numbers(b->m, b->segment, member, name);
}

static double number(const SceneBuild *b, int member, const char *name, double otherwise) {
    const double *v = numbers(b, member, name);
    return v ? *v : otherwise;
}

static Vec3 vector(const SceneBuild *b, int member, const char *name) {
    const double *v = numbers(b, member, name);
    return v ? v3_load(v) : V3_ZERO;
}

static const char *text(const SceneBuild *b, int member, const char *name) {
    return rb_member_text(b->m, b->segment, member, name);
}

static Pose place(Vec3 r, Vec3 angles) {
    return rb_member_place(r, angles);
}

// --- the world -----------------------------------------------------------------------------------

static RbStatus find_world(const SceneBuild *b, int *world) {
    *world = -1;
    for (int i = 0; i < b->m->gathered->count; i++) {
        if (rb_member(b->m, i)->role != ROLE_WORLD) continue;
        if (*world >= 0)
            return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                           "'%s' is a second world beside '%s'; a model has one",
                           rb_member(b->m, i)->path, rb_member(b->m, *world)->path);
        *world = i;
    }
    return RB_OK;
}

static Vec3 field_of_model(void *user, Vec3 r) {
    const RbFunctionValue *f = user;
    double at[3], field[3];
    v3_store(at, r);
    return f->call(f->user, at, field) ? v3_load(field) : v3(NAN, NAN, NAN);
}

// Attributes of parameters only warn.
static RbStatus check_world(const SceneBuild *b, int i) {
    static const struct {
        const char *name;
        double least, most;
    } limits[] = {{"elasticContactReductionFactor", 1e-12, 1e12},
                  {"maximumContactDamping", 0, 1e30},
                  {"mu", 0, 1e60},
                  {"gravity", -1e30, 1e30}};
    for (int k = 0; k < 4; k++) {
        const double *v = numbers(b, i, limits[k].name);
        for (int j = 0; v && j < rb_member_size(b->m, i, limits[k].name); j++) {
            if (v[j] >= limits[k].least && v[j] <= limits[k].most) continue;
            return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                           "%s of '%s' is %g; it must lie between %g and %g", limits[k].name,
                           rb_member(b->m, i)->path, v[j], limits[k].least, limits[k].most);
        }
    }
    return RB_OK;
}

static RbStatus set_world(SceneBuild *b, int i) {
    RbScene *s = b->scene;
    RB_TRY(check_world(b, i));
    const RbFunctionValue *field = rb_member_function(b->m, b->segment, i, "field");
    switch ((int)number(b, i, "gravityType", 2)) { // ORDER World.GravityType
        case 1: s->gravity = (RbGravity){.kind = RB_GRAVITY_NONE}; break;
        case 3: s->gravity = rb_gravity_point(number(b, i, "mu", 0)); break;
        default: s->gravity = (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = vector(b, i, "gravity")};
    }
    if (field) {
        s->gravity = (RbGravity){
            .kind = RB_GRAVITY_FUNCTION, .function = field_of_model, .user = (void *)field};
        RbSceneFunction f = {"the gravity of the model, gravityAcceleration", field};
        rb_array_push(&s->functions, s->arena, f);
    }
    s->contact = number(b, i, "contact", 1) != 0;
    s->show_contacts = number(b, i, "showContacts", 0) != 0;
    s->steady_start = number(b, i, "steadyStart", 0) != 0;
    s->contact_options.scene.reduction = number(b, i, "elasticContactReductionFactor", 1);
    s->contact_options.scene.max_damping = number(b, i, "maximumContactDamping", 2000);
    if (number(b, i, "contactDamping", 1) == 2) s->damping = RB_DAMPING_FLORES;
    RB_TRY(rb_scene_read_materials(s, NULL, b->segment->diag));
    const char *file = text(b, i, "materials");
    RbStatus status = file ? rb_scene_read_materials(s, file, b->segment->diag) : RB_OK;
    if (status != RB_OK) {
        rb_note(b->segment->diag, rb_member(b->m, i)->at, "'%s' takes materials from this file",
                rb_member(b->m, i)->path);
        return status;
    }
    s->grain_options.results = text(b, i, "particleResults");
    s->grain_options.results_interval = number(b, i, "particleInterval", 0);
    if (number(b, i, "publishedLaws", 0) != 0) rb_scene_published_laws(s);
    s->objects.data[0].object.at = rb_member(b->m, i)->at;
    b->object_of[rb_member(b->m, i)->sets[0]] = 0;
    return RB_OK;
}

// --- bodies --------------------------------------------------------------------------------------

// Bodies do not touch unless this is said, and then have a material without being given one.
static void warn_of_vain_material(const SceneBuild *b, int i, const RbSceneObject *o) {
    const RbMember *member = rb_member(b->m, i);
    bool given = (o->solid && o->solid[0]) || (o->contact && o->contact[0]);
    if (member->role != ROLE_BODY || o->object.collidable || !given || !b->scene->contact) return;
    rb_warn(b->segment->diag, member->at,
            "'%s' has a shape and the material '%s', but it is only seen and touches nothing: let "
            "it have collidable = true, or leave the material out",
            member->path, o->solid && o->solid[0] ? o->solid : o->contact);
}

// A part whose mass is given takes none from its shape.
static RbStatus give_shape(const SceneBuild *b, int i, RbSceneObject *o) {
    if (number(b, i, "shape.kind", 0) == 0) return RB_OK;
    int role = rb_member(b->m, i)->role;
    bool massless = role == ROLE_VISUAL || role == ROLE_COLLISION || numbers(b, i, "m");
    o->has_shape = true;
    o->solid = text(b, i, "material");
    o->contact = text(b, i, "contactMaterial");
    o->mass = number(b, i, "mass", 0);
    o->object.feature = massless && !o->object.has_mass ? RB_FEATURE_VISUAL : RB_FEATURE_SOLID;
    o->object.collidable = number(b, i, "collidable", 1) != 0;
    o->by_surface = text(b, i, "mesh.recipe") != NULL;
    if (role == ROLE_SOLID && !o->solid && (o->object.collidable || o->mass == 0))
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                       "'%s' has no material: give it one, such as material = \"Steel\"",
                       rb_member(b->m, i)->path);
    warn_of_vain_material(b, i, o);
    RbReading reading = {b->m, b->segment, i};
    RB_TRY(rb_member_paint(&reading, &o->paint));
    return rb_member_shape(b->m, b->segment, i, &o->shape);
}

static void give_mass(const SceneBuild *b, int i, RbSceneObject *o) {
    if (!numbers(b, i, "m")) return;
    double I11 = number(b, i, "I_11", 0), I22 = number(b, i, "I_22", 0),
           I33 = number(b, i, "I_33", 0), I21 = number(b, i, "I_21", 0),
           I31 = number(b, i, "I_31", 0), I32 = number(b, i, "I_32", 0);
    if (number(b, i, "m", 0) == 0 && I11 == 0 && I22 == 0 && I33 == 0) return; // only seen
    o->object.feature = RB_FEATURE_SOLID;
    o->object.has_mass = true;
    o->object.only_turns = number(b, i, "m", 0) == 0;
    o->object.mass = (RbMassProperties){
        .mass = number(b, i, "m", 0),
        .r_CM = vector(b, i, "r_CM"),
        .I_CM = m3_from_columns(v3(I11, I21, I31), v3(I21, I22, I32), v3(I31, I32, I33))};
}

static int add_object(SceneBuild *b, RbSceneObject o, int start_member) {
    int index = rb_scene_add(b->scene, o);
    b->start_member[index] = start_member + 1;
    b->root[index] = index;
    b->root_count = index + 1;
    return index;
}

// A half-space looks along an axis, or up. Without gravity y is up, as it is by default with it.
static Vec3 outside_of(const SceneBuild *b, int i) {
    const RbGravity *gravity = &b->scene->gravity;
    int axis = (int)number(b, i, "shape.axis", 0);
    if (axis == 1) return v3(1, 0, 0);
    if (axis == 3) return v3(0, 0, 1);
    if (axis == 2 || gravity->kind != RB_GRAVITY_UNIFORM || !(v3_norm2(gravity->g) > 0))
        return v3(0, 1, 0);
    return v3_unit(v3_neg(gravity->g));
}

// Where the frame of a shape is; r_shape of bodies with a density is its left end, as in the standard library.
static Vec3 shape_place(const SceneBuild *b, int i) {
    return vector(b, i, numbers(b, i, "r_middle") ? "r_middle" : "r_shape");
}

// Of the shape, in the frame of its part.
static Pose shape_pose(const SceneBuild *b, int i) {
    Pose at = place(shape_place(b, i), vector(b, i, "angles_shape"));
    if (number(b, i, "shape.kind", 0) != RB_SHAPE_HALFSPACE + 1) return at;
    return pose_mul(at, pose(V3_ZERO, q_from_z(outside_of(b, i))));
}

static bool is_zero(Vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool stands_apart(const SceneBuild *b, int i) {
    bool turned =
        number(b, i, "shape.kind", 0) == RB_SHAPE_HALFSPACE + 1 && outside_of(b, i).z != 1;
    return turned || !is_zero(shape_place(b, i)) || !is_zero(vector(b, i, "angles_shape"));
}

// A shape that is fixed to an object.
static RbStatus add_shape(SceneBuild *b, int i, const char *name, int parent) {
    RbSceneObject o = {.object = rb_object(name, parent)};
    o.object.at = rb_member(b->m, i)->at;
    o.object.pose = shape_pose(b, i);
    o.absent = number(b, i, "present", 1) == 0;
    RB_TRY(give_shape(b, i, &o));
    if (!numbers(b, i, "collidable") && rb_member(b->m, i)->role == ROLE_VISUAL)
        o.object.collidable = false;
    add_object(b, o, -1);
    return RB_OK;
}

// What is fixed at the start of a part that others carry.
static void hold_at_start(SceneBuild *b, int i, RbSceneStart s) {
    s.name = rb_member(b->m, i)->path;
    s.at = rb_member(b->m, i)->at;
    rb_array_push(&b->scene->starts, b->scene->arena, s);
}

static void hold_body_at_start(SceneBuild *b, int i, int object) {
    RbSceneStart s = {.b = object, .r = vector(b, i, "r_0.start"), .v = vector(b, i, "v_0.start")};
    for (int k = 0; k < 3; k++) {
        s.r_held[k] = v3_get(vector(b, i, "r_0.fixed"), k) != 0;
        s.v_held[k] = v3_get(vector(b, i, "v_0.fixed"), k) != 0;
    }
    hold_at_start(b, i, s);
}

static void hold_joint_at_start(SceneBuild *b, int i, const RbObjectJoint *j) {
    RbSceneStart s = {.a = j->a, .b = j->b, .r = v3_load(j->q), .v = v3_load(j->v)};
    memcpy(s.r_held, j->q_held, sizeof s.r_held);
    memcpy(s.v_held, j->v_held, sizeof s.v_held);
    hold_at_start(b, i, s);
}

// The object of a part. It is the object of its connection set, or fixed to that; a shape that
// stands elsewhere is an object of its own.
static RbStatus add_body(SceneBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    int set = member->sets[0], held = b->object_of[set];
    bool apart = stands_apart(b, i);
    RbSceneObject o = {.object = rb_object(member->path, held)};
    o.object.at = member->at;
    o.in_equations = member->role == ROLE_BODY && (member->wanted[0] || member->wanted[1]);
    o.absent = number(b, i, "present", 1) == 0;
    give_mass(b, i, &o);
    if (!apart) RB_TRY(give_shape(b, i, &o));
    int index = add_object(b, o, i);
    if (held < 0) b->object_of[set] = index;
    if (b->m->starts_carried[i]) hold_body_at_start(b, i, index);
    if (!apart || number(b, i, "shape.kind", 0) == 0) return RB_OK;
    return add_shape(b, i, rb_arena_printf(b->m->arena, "%s.shape", member->path), index);
}

// --- lines ---------------------------------------------------------------------------------------

int rb_making_new_object(SceneBuild *b, RbSceneObject o) {
    return add_object(b, o, -1);
}

int rb_making_object(SceneBuild *b, int member, int frame) {
    const RbMember *m = rb_member(b->m, member);
    int *object = &b->object_of[m->sets[frame]];
    if (*object >= 0) return *object;
    const char *name = m->role == ROLE_FLEXIBLE_BODY
                           ? rb_arena_printf(b->m->arena, "%s.frames[%d]", m->path, frame + 1)
                           : rb_arena_printf(b->m->arena, "%s.%s", m->path,
                                             rb_multibody_roles[m->role].frames[frame]);
    RbSceneObject o = rb_frame_object(name, -1, POSE_IDENTITY);
    o.object.at = m->at;
    return *object = add_object(b, o, -1);
}

static int top(SceneBuild *b, int i) {
    while (b->root[i] != i) i = b->root[i] = b->root[b->root[i]];
    return i;
}

static void unite(SceneBuild *b, int x, int y) {
    x = top(b, x);
    y = top(b, y);
    if (x != y) b->root[x > y ? x : y] = x < y ? x : y;
}

int rb_making_hold(SceneBuild *b, int member, RbObjectJoint joint) {
    const char *path = rb_member(b->m, member)->path;
    joint.name = joint.name[0] ? rb_arena_printf(b->m->arena, "%s.%s", path, joint.name) : path;
    joint.at = rb_member(b->m, member)->at;
    return rb_scene_add_joint(b->scene, joint);
}

int rb_making_joint(SceneBuild *b, int member, RbObjectJoint joint) {
    unite(b, joint.a, joint.b);
    return rb_making_hold(b, member, joint);
}

static void fix(SceneBuild *b, int member, int a, int c, Pose pose) {
    RbObjectJoint j = rb_scene_joint("", RB_JOINT_FIXED, a, c, V3_ZERO);
    j.pose = pose;
    rb_making_joint(b, member, j);
}

// frame_b stands there in frame_a.
static void fix_frames(SceneBuild *b, int member, Pose pose) {
    int a = rb_making_object(b, member, 0), c = rb_making_object(b, member, 1); // in this order
    fix(b, member, a, c, pose);
}

static double start(const SceneBuild *b, int i, const char *variable, const char *attribute) {
    char name[32];
    snprintf(name, sizeof name, "%s.%s", variable, attribute);
    return number(b, i, name, 0);
}

// Start values: one number per coordinate, or vectors.
static void start_joint(const SceneBuild *b, int i, const JointRole *role, RbObjectJoint *j) {
    int direct = rb_joint_direct_count(role->kind);
    bool turns = role->kind == RB_JOINT_SPHERICAL || role->kind == RB_JOINT_FREE;
    if (!turns) {
        for (int k = 0; k < direct; k++) {
            j->q[k] = start(b, i, role->coordinates[k].q, "start");
            j->v[k] = start(b, i, role->coordinates[k].v, "start");
            j->q_held[k] = start(b, i, role->coordinates[k].q, "fixed") != 0;
            j->v_held[k] = start(b, i, role->coordinates[k].v, "fixed") != 0;
        }
        return;
    }
    if (role->kind == RB_JOINT_FREE && numbers(b, i, "sequence_start")) {
        rb_making_start_scalars(b, i, j);
        return;
    }
    for (int k = 0; k < direct; k++) {
        j->q[k] = v3_get(vector(b, i, "r_rel_a.start"), k);
        j->v[k] = v3_get(vector(b, i, "v_rel_a.start"), k);
        j->q_held[k] = v3_get(vector(b, i, "r_rel_a.fixed"), k) != 0;
        j->v_held[k] = v3_get(vector(b, i, "v_rel_a.fixed"), k) != 0;
    }
    q_store(j->q + direct, q_from_cardan(vector(b, i, "angles_start")));
    v3_store(j->v + direct, vector(b, i, "w_rel_a_start"));
    for (int k = direct; k < direct + 3; k++) {
        j->q_held[k] = number(b, i, "angles_fixed", 0) != 0;
        j->v_held[k] = number(b, i, "w_rel_a_fixed", 0) != 0;
    }
}

// A value of a joint that is called after one of its variables.
static double joint_value(const SceneBuild *b, int i, const char *variable, const char *suffix) {
    char name[32];
    snprintf(name, sizeof name, "%s_%s", variable, suffix);
    return number(b, i, name, 0);
}

// Spring, damper, stops and a constant force along the coordinate of a joint.
static RbStatus add_joint_force(SceneBuild *b, int i, const JointRole *role) {
    const char *q = role->coordinates[0].q;
    double c = number(b, i, "c", 0), d = number(b, i, "d", 0), stop = number(b, i, "c_stop", 0),
           given = joint_value(b, i, role->coordinates[0].tau, "0");
    double low = joint_value(b, i, q, "min"), high = joint_value(b, i, q, "max"),
           stop_damping = number(b, i, "d_stop", 0);
    if (c == 0 && d == 0 && stop == 0 && given == 0) return RB_OK;
    if (stop < 0 || (stop > 0 && stop_damping < 0))
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                       "the stops of '%s' have c_stop = %g and d_stop = %g; neither may be "
                       "negative: they would bring in energy",
                       rb_member(b->m, i)->path, stop, stop_damping);
    if (stop > 0 && low > high)
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                       "the stops of '%s' leave no room: %s_min = %g is above %s_max = %g",
                       rb_member(b->m, i)->path, q, low, q, high);
    RbSceneJointForce f = {
        .joint = b->m->joint_of[i],
        .element = {.spring = rb_linear(c),
                    .damper = rb_linear(d),
                    .rest = joint_value(b, i, q, "rest"),
                    .rest_speed = joint_value(b, i, role->coordinates[0].v, "rest"),
                    .lower = low,
                    .upper = high,
                    .stop_stiffness = stop,
                    .stop_damping = stop_damping,
                    .given = given}};
    rb_array_push(&b->scene->joint_forces, b->scene->arena, f);
    return RB_OK;
}

static RbStatus add_joint(SceneBuild *b, int i, const JointRole *role) {
    int frame_a = rb_making_object(b, i, 0), frame_b = rb_making_object(b, i, 1);
    RbObjectJoint j =
        rb_scene_joint("", role->kind, frame_a, frame_b, role->n ? vector(b, i, role->n) : V3_ZERO);
    if (role->n2) j.n2 = vector(b, i, role->n2);
    j.owner = rb_member_is_driven(b->m, i) ? RB_OWNED_BY_EQUATIONS : RB_OWNED_BY_COMPONENT;
    j.can_collide = number(b, i, "canCollide", 0) != 0;
    start_joint(b, i, role, &j);
    if (b->m->starts_carried[i]) hold_joint_at_start(b, i, &j);
    b->m->joint_of[i] = rb_making_joint(b, i, j);
    return role->coordinates[0].q ? add_joint_force(b, i, role) : RB_OK;
}

static void add_spring(SceneBuild *b, int i) {
    RbSceneSpring s = {.a = rb_making_object(b, i, 0)};
    s.b = rb_making_object(b, i, 1);
    s.element.nominal_length = number(b, i, "s_unstretched", 0);
    s.element.spring = rb_linear(number(b, i, "c", 0));
    s.element.damper = rb_linear(number(b, i, "d", 0));
    rb_array_push(&b->scene->springs, b->scene->arena, s);
}

// The object with the shape of a part, which may stand apart from it; the part itself if it has none; -1: there is no part of
// this name.
static int find_shaped(const SceneBuild *b, const char *full_name) {
    const RbScene *s = b->scene;
    int object = rb_scene_find(s, full_name);
    if (object <= 0 || s->objects.data[object].has_shape) return object;
    int apart = rb_scene_find(s, rb_arena_printf(b->m->arena, "%s.shape", full_name));
    return apart > 0 ? apart : object;
}

// As find_shaped; a part is also known by its shape, mesh or frame, since results and `solid` name these.
static int find_typed(const SceneBuild *b, const char *name) {
    static const char *const parts_of_it[] = {".shape", ".mesh", ".frame_a"};
    int object = find_shaped(b, name);
    for (int i = 0; i < 3 && object < 0; i++) {
        if (!rb_text_ends_with(name, parts_of_it[i])) continue;
        int length = (int)(strlen(name) - strlen(parts_of_it[i]));
        object = find_shaped(b, rb_arena_printf(b->m->arena, "%.*s", length, name));
    }
    return object;
}

// By a name from where a member stands or from the model.
static int find_part(void *build, int member, const char *name) {
    SceneBuild *b = build;
    return find_typed(b, rb_members_full_name(b->m, b->scene, member, name, false));
}

static Vec3 bushing_of_model(void *user, const double state[12]) {
    const RbFunctionValue *f = user;
    double value[3];
    return f->call(f->user, state, value) ? v3_load(value) : v3(NAN, NAN, NAN);
}

// Laws that the model has written, instead of springs and dampers.
static void take_laws(SceneBuild *b, int i, RbBushing *element) {
    const RbFunctionValue *laws[] = {rb_member_function(b->m, b->segment, i, "law_f"),
                                     rb_member_function(b->m, b->segment, i, "law_tau")};
    if (!laws[0] || !laws[1]) return;
    element->law = bushing_of_model;
    element->force_user = (void *)laws[0];
    element->torque_user = (void *)laws[1];
    for (int k = 0; k < 2; k++) {
        RbSceneFunction f = {rb_arena_printf(b->m->arena, "%s of '%s'", k ? "torque" : "force",
                                             rb_member(b->m, i)->path),
                             laws[k]};
        rb_array_push(&b->scene->functions, b->scene->arena, f);
    }
}

static void add_bushing(SceneBuild *b, int i) {
    RbSceneBushing s = {.a = rb_making_object(b, i, 0)};
    const double *c = numbers(b, i, "c"), *d = numbers(b, i, "d");
    const double *c_angular = numbers(b, i, "c_angular"), *d_angular = numbers(b, i, "d_angular");
    s.b = rb_making_object(b, i, 1);
    for (int k = 0; k < 3; k++) {
        s.element.spring[k] = rb_linear(c ? c[k] : 0);
        s.element.damper[k] = rb_linear(d ? d[k] : 0);
        s.element.angular_spring[k] = rb_linear(c_angular ? c_angular[k] : 0);
        s.element.angular_damper[k] = rb_linear(d_angular ? d_angular[k] : 0);
    }
    s.element.nominal_force = vector(b, i, "f_0");
    s.element.nominal_torque = vector(b, i, "tau_0");
    s.element.large_angles = number(b, i, "largeAngles", 0) != 0;
    take_laws(b, i, &s.element);
    rb_array_push(&b->scene->bushings, b->scene->arena, s);
}

// The axes of a vector are those of a frame that the class has: an absolute sensor has no frame_b, a force from the
// world no frame_a.
static RbStatus check_axes(const SceneBuild *b, int i, int which) {
    // ORDER Types.ResolveInFrame
    static const char *const names[] = {"world", "frame_a", "frame_b", "frame_resolve"};
    const RbMember *member = rb_member(b->m, i);
    if (which <= 1 || which > 4) return RB_OK;
    const char *name = names[which - 1];
    const char *const *frames = rb_multibody_roles[member->role].frames;
    const char *own = NULL;
    for (int k = 0; frames[k]; k++) {
        if (member->sets[k] < 0) continue;
        if (strcmp(frames[k], name) == 0) return RB_OK;
        if (!own) own = frames[k];
    }
    return rb_fail(b->segment->diag, RB_ERROR_MODEL, member->at,
                   "resolveInFrame of '%s' is %s, a frame that it does not have: choose world, %s "
                   "or frame_resolve",
                   member->path, name, own ? own : "a frame of its own");
}

// Frames that only signals are about.
static RbStatus look_at_frames(SceneBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    b->m->resolve[i] = (int)number(b, i, "resolveInFrame", 1);
    RB_TRY(check_axes(b, i, b->m->resolve[i]));
    b->m->seen_from_axes[i] = number(b, i, "seenFromAxes", 0) != 0;
    for (int k = 0; rb_multibody_roles[member->role].frames[k]; k++) {
        if (member->sets[k] >= 0) rb_making_object(b, i, k);
    }
    return RB_OK;
}

// A shape that equations move: massless, on a joint whose coordinates are inputs.
static RbStatus add_collision(SceneBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    const char *name = rb_arena_printf(b->m->arena, "%s.frame_a", member->path);
    RbSceneObject frame = rb_frame_object(name, -1, POSE_IDENTITY);
    frame.object.at = member->at;
    int index = add_object(b, frame, -1);
    RbObjectJoint j = rb_scene_joint("", RB_JOINT_FREE, 0, index, V3_ZERO);
    j.owner = RB_OWNED_BY_INPUTS;
    j.can_collide = true;
    b->m->joint_of[i] = rb_making_joint(b, i, j);
    RB_TRY(add_shape(b, i, member->path, index));
    b->scene->objects.data[b->scene->objects.count - 1].in_equations = true; // its position
    return RB_OK;
}

// --- what does not touch -------------------------------------------------------------------------

static void ignore(SceneBuild *b, int x, int y) {
    rb_array_push(&b->scene->ignored, b->scene->arena, ((RbScenePair){x, y}));
}

// Of a name that no part has.
static const char *nearest_part(const SceneBuild *b, const char *name) {
    RbNear near = {.wanted = name};
    for (int i = 1; i < b->scene->objects.count; i++)
        rb_text_try_near(&near, b->scene->objects.data[i].object.name);
    return rb_text_near_question(&near, "", b->m->arena);
}

// Names of a list, from where the member stands or from the model; a comma ends each.
static RbStatus ignore_named(SceneBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    const char *list = text(b, i, "ignored");
    int own = rb_scene_find(b->scene, member->path);
    for (size_t length; list && *list; list += length + 1) {
        length = strcspn(list, ",");
        const char *name = rb_arena_printf(b->m->arena, "%.*s", (int)length, list);
        int other = find_part(b, i, name);
        if (other < 0)
            return rb_fail(b->segment->diag, RB_ERROR_MODEL, member->at,
                           "'%s' ignores '%s', but there is no part of this name%s", member->path,
                           name, nearest_part(b, name));
        ignore(b, own, other);
    }
    return RB_OK;
}

// Parts on one frame cannot touch.
static void ignore_neighbours(SceneBuild *b, int i) {
    int own = rb_scene_find(b->scene, rb_member(b->m, i)->path);
    for (int k = 0; k < i; k++) {
        const RbMember *other = rb_member(b->m, k);
        if (other->role != ROLE_COLLISION || other->sets[0] != rb_member(b->m, i)->sets[0])
            continue;
        ignore(b, own, rb_scene_find(b->scene, other->path));
    }
}

static RbStatus ignore_pairs(SceneBuild *b) {
    for (int i = 0; i < b->m->gathered->count; i++) {
        int role = rb_member(b->m, i)->role;
        if (role == ROLE_COLLISION || role == ROLE_VISUAL) RB_TRY(ignore_named(b, i));
        if (role == ROLE_COLLISION) ignore_neighbours(b, i);
    }
    return RB_OK;
}

// Both frames coincide, but stay two bodies, so that it is known what goes from one to the other.
static RbStatus add_cut(SceneBuild *b, int i) {
    int frame_a = rb_making_object(b, i, 0), frame_b = rb_making_object(b, i, 1);
    RbObjectJoint j = rb_scene_joint("", RB_JOINT_FIXED, frame_a, frame_b, V3_ZERO);
    j.pose = POSE_IDENTITY;
    j.keep = true;
    b->m->joint_of[i] = rb_making_joint(b, i, j);
    return look_at_frames(b, i);
}

// The first parts that may touch.
static const char *list_parts(const SceneBuild *b) {
    enum { MOST = 12 };
    RbText list = rb_text(b->m->arena);
    int count = 0;
    for (int i = 1; i < b->scene->objects.count && count <= MOST; i++) {
        if (!rb_scene_is_wall(&b->scene->objects.data[i])) continue;
        const char *name = count < MOST ? b->scene->objects.data[i].object.name : "...";
        rb_text_printf(&list, "%s%s", count++ > 0 ? ", " : "; there are ", name);
    }
    return count > 0 ? list.data : "; no part of the model touches anything";
}

// The object with the shape of a part; its shape may stand apart from it.
static RbStatus find_shape(const SceneBuild *b, const char *name, int *object) {
    RbScene *s = b->scene;
    *object = find_typed(b, name);
    if (*object > 0 && s->objects.data[*object].has_shape) return RB_OK;
    RbNear near = {.wanted = name};
    for (int i = 1; i < s->objects.count; i++) {
        if (s->objects.data[i].has_shape) rb_text_try_near(&near, s->objects.data[i].object.name);
    }
    const char *question = rb_text_near_question(&near, "", b->m->arena);
    return rb_fail(b->segment->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "contact with '%s' cannot be recorded: there is no part of this name with a "
                   "shape%s",
                   name, *question ? question : list_parts(b));
}

static bool stands(const RbSceneObject *o) {
    return o->object.parent == 0 && !o->object.moves_freely;
}

// Why nothing will ever be seen of a contact.
static const char *why_apart(const SceneBuild *b, RbScenePair pair) {
    const RbSceneObject *one = &b->scene->objects.data[pair.a],
                        *two = &b->scene->objects.data[pair.b];
    if (!b->scene->contact) return "World.contact is false";
    if (!rb_scene_is_wall(one) || !rb_scene_is_wall(two)) return "one of them is not collidable";
    return stands(one) && stands(two) ? "both are fixed in the world" : NULL;
}

// Pairs whose contact the user wants to see.
static RbStatus record_contacts(const SceneBuild *b) {
    const RbInstance *instance = b->segment->instance;
    for (int i = 0; i < instance->contacts.count; i++) {
        RbScenePair pair;
        RB_TRY(find_shape(b, instance->contacts.data[i].a, &pair.a));
        RB_TRY(find_shape(b, instance->contacts.data[i].b, &pair.b));
        const char *one = b->scene->objects.data[pair.a].object.name,
                   *two = b->scene->objects.data[pair.b].object.name;
        if (pair.a == pair.b)
            return rb_fail(b->segment->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "the contact of '%s' with itself cannot be recorded: name two parts",
                           one);
        const char *why = why_apart(b, pair);
        if (why)
            rb_warn(b->segment->diag, RB_NOWHERE, "'%s' and '%s' never touch: %s", one, two, why);
        rb_array_push(&b->scene->contact_results, b->scene->arena, pair);
    }
    return RB_OK;
}

// What a contact sensor looks at.
static RbStatus find_touching(SceneBuild *b, ContactSensor *s) {
    const RbMember *member = rb_member(b->m, s->member);
    int *found[2] = {&s->a, &s->b};
    for (int k = 0; k < 2; k++) {
        const char *name = text(b, s->member, k ? "b" : "a");
        *found[k] = name ? find_part(b, s->member, name) : -1;
        if (*found[k] >= 0 || (!name && k > 0)) continue;
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, member->at,
                       "'%s' measures the contact of '%s', but there is no part of this name%s",
                       member->path, name ? name : "", nearest_part(b, name ? name : ""));
    }
    if (s->a == s->b)
        rb_warn(b->segment->diag, member->at,
                "'%s' measures the contact of a part with itself, which there is not: name another "
                "one, or none for all",
                member->path);
    bool soft = false;
    for (int i = 0; i < b->m->gathered->count; i++) soft |= rb_member(b->m, i)->role == ROLE_SOFT;
    if (s->b < 0 && soft)
        rb_warn(b->segment->diag, member->at,
                "'%s' measures contacts with solids; what soft bodies exert is not in it, but in "
                "'contact_force' of each of them",
                member->path);
    return RB_OK;
}

static RbStatus add_lines(SceneBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    const JointRole *joint = rb_member_joint_role(member->role);
    Pose X = place(vector(b, i, "r"), vector(b, i, "angles"));
    if (joint) RB_TRY(add_joint(b, i, joint));
    if (member->role == ROLE_ROD) RB_TRY(rb_making_rod(b, i));
    if (member->role == ROLE_CONSTRAINT) rb_making_constraint(b, i);
    if (member->role == ROLE_WHEEL) RB_TRY(rb_making_wheel(b, i));
    if (member->role == ROLE_LINE) RB_TRY(rb_making_line(b, i));
    if (member->role == ROLE_FLEXIBLE) RB_TRY(rb_making_flexible(b, i));
    if (member->role == ROLE_SPRING) add_spring(b, i);
    if (member->role == ROLE_BUSHING) add_bushing(b, i);
    if (member->role >= ROLE_FORCE && member->role < ROLE_CONTACT) RB_TRY(look_at_frames(b, i));
    if (member->role == ROLE_FIXED) fix(b, i, 0, rb_making_object(b, i, 0), X);
    if (member->role == ROLE_TRANSLATION) fix_frames(b, i, X);
    if (member->role == ROLE_CUT) RB_TRY(add_cut(b, i));
    if (member->role == ROLE_SOLID && member->sets[1] >= 0)
        fix_frames(b, i, place(vector(b, i, "r_b"), V3_ZERO));
    if (member->role == ROLE_BODY && member->sets[1] >= 0)
        fix_frames(b, i, place(vector(b, i, "r"), V3_ZERO));
    if (member->role == ROLE_COLLISION) return add_collision(b, i);
    if (member->role == ROLE_VISUAL)
        return add_shape(b, i, member->path, rb_making_object(b, i, 0));
    return RB_OK;
}

// --- what nothing holds --------------------------------------------------------------------------

// Where a part starts that moves freely, or where it is fixed.
static void start_object(SceneBuild *b, int object) {
    int i = b->start_member[object] - 1;
    RbObject *o = &b->scene->objects.data[object].object;
    int role = rb_member(b->m, i)->role;
    bool solid = role == ROLE_SOLID, flexible = rb_role_is_flexible(role);
    o->parent = 0;
    o->moves_freely = number(b, i, "fixed", 0) == 0;
    o->pose = solid ? place(vector(b, i, "r"), vector(b, i, "angles"))
                    : place(vector(b, i, flexible ? "r_start" : "r_0.start"),
                            vector(b, i, "angles_start"));
    o->velocity = vector(b, i, solid ? "v" : flexible ? "v_start" : "v_0.start");
    o->angular_velocity = vector(b, i, solid ? "w" : "w_0_start");
    if (role == ROLE_FLEXIBLE_BODY) rb_making_flexible_start(b, i, o);
    for (int k = 0; k < 3 && !solid; k++) {
        o->r_held[k] = v3_get(vector(b, i, "r_0.fixed"), k) != 0;
        o->v_held[k] = v3_get(vector(b, i, "v_0.fixed"), k) != 0;
    }
    o->angles_held = number(b, i, "angles_fixed", 0) != 0;
    o->w_held = number(b, i, "w_0_fixed", 0) != 0;
    unite(b, 0, object);
}

// Parts that nothing connects with the world move freely, the first of those that hang together.
static RbStatus hold(SceneBuild *b) {
    const RbScene *s = b->scene;
    for (int i = 1; i < s->objects.count; i++) {
        if (s->objects.data[i].object.parent >= 0) unite(b, i, s->objects.data[i].object.parent);
    }
    for (int i = 1; i < s->objects.count; i++) {
        bool fixed = b->start_member[i] > 0 && number(b, b->start_member[i] - 1, "fixed", 0) != 0;
        bool held = s->objects.data[i].object.parent >= 0;
        if (b->start_member[i] > 0 && !held && (fixed || top(b, i) != top(b, 0)))
            start_object(b, i);
    }
    for (int i = 1; i < s->objects.count; i++) {
        if (top(b, i) == top(b, 0)) continue;
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, s->objects.data[i].object.at,
                       "nothing connects '%s' with the world, and there is no body that could move "
                       "freely with it: connect it, or give it a body",
                       s->objects.data[i].object.name);
    }
    return RB_OK;
}

// Of a part that is fixed or carried. (Its place may be said of a whole array, where only some are.)
static void warn_of_unused_speed(const SceneBuild *b, int i, bool carried) {
    if (is_zero(vector(b, i, "v")) && is_zero(vector(b, i, "w"))) return;
    rb_warn(b->segment->diag, rb_member(b->m, i)->at,
            "'%s' %s, and its velocities v and w at the start are not used: leave them out, or %s",
            rb_member(b->m, i)->path,
            carried ? "does not move freely but with what it is connected to"
                    : "is fixed in the world",
            carried ? "give the joint a start value" : "let it have fixed = false");
}

// A start value that nothing asks for is more likely a misunderstanding than a wish.
static void warn_of_unused(const SceneBuild *b) {
    for (int i = 1; i < b->scene->objects.count; i++) {
        int member = b->start_member[i] - 1;
        const RbObject *o = &b->scene->objects.data[i].object;
        if (member < 0 || o->moves_freely) continue;
        if (rb_member(b->m, member)->role == ROLE_SOLID)
            warn_of_unused_speed(b, member, o->parent != 0);
        if (rb_member(b->m, member)->role != ROLE_BODY || b->m->starts_carried[member]) continue;
        if (is_zero(vector(b, member, "r_0.start")) && is_zero(vector(b, member, "v_0.start")) &&
            is_zero(vector(b, member, "angles_start")) && is_zero(vector(b, member, "w_0_start")))
            continue;
        rb_warn(b->segment->diag, rb_member(b->m, member)->at,
                "'%s' does not move freely: where it starts follows from its joints, and the start "
                "values of its position, velocity, angles and angular velocity are not used",
                rb_member(b->m, member)->path);
    }
}

static bool has_surface_law(const RbScene *s, const char *name) {
    for (int i = 0; i < s->surface_laws.count; i++) {
        const RbSceneSurfaceLaw *l = &s->surface_laws.data[i];
        if (strcmp(l->a, name) == 0 || strcmp(l->b, name) == 0) return true;
    }
    return false;
}

// Names of contact materials that nothing is known of, whether something will touch or not.
static RbStatus check_contact_names(const SceneBuild *b) {
    const RbScene *s = b->scene;
    for (int i = 1; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        if (!o->contact || !rb_scene_is_wall(o) || has_surface_law(s, o->contact)) continue;
        RB_TRY(rb_materials_check_contact(&s->materials, o->contact, o->object.name, o->object.at,
                                          b->segment->diag));
    }
    return RB_OK;
}

static bool is_body(int role) {
    return role == ROLE_SOLID || role == ROLE_BODY;
}

RbStatus rb_members_scene(Members *m, const RbSegment *segment, RbScene **scene) {
    int count = m->gathered->count, sets = m->gathered->set_count, world;
    SceneBuild b = {.m = m, .segment = segment, .scene = rb_scene_new(m->arena)};
    b.scene->modelica_names = true;
    b.object_of = m->object_of = rb_new_array(m->arena, int, sets + 1);
    m->resolve = rb_new_array(m->arena, int, count + 1);
    m->seen_from_axes = rb_new_array(m->arena, bool, count + 1);
    int most = 3 * count + sets + 2; // a member makes at most three
    for (int i = 0; i < count; i++) most += rb_making_flexible_objects(rb_member(m, i));
    b.first_frame = rb_new_array(m->arena, Pose, count + 1);
    b.start_member = rb_new_array(m->arena, int, most);
    b.root = rb_new_array(m->arena, int, most);
    m->joint_of = rb_new_array(m->arena, int, count + 1);
    for (int i = 0; i < sets; i++) b.object_of[i] = -1;
    m->carried_by = rb_new_array(m->arena, int, count + 1);
    for (int i = 0; i < count; i++) m->joint_of[i] = m->carried_by[i] = -1;
    RB_TRY(find_world(&b, &world));
    if (world >= 0)
        RB_TRY(set_world(&b, world));
    else
        RB_TRY(rb_scene_read_materials(b.scene, NULL, segment->diag));
    const bool *loose;
    RB_TRY(rb_members_loose_spheres(m, segment, world, &loose));
    for (int i = 0; i < count; i++) {
        if (is_body(rb_member(m, i)->role) && !(loose && loose[i])) RB_TRY(add_body(&b, i));
    }
    for (int i = 0; i < count; i++) RB_TRY(add_lines(&b, i));
    RB_TRY(rb_members_add_actions(m, segment, b.scene));
    RB_TRY(ignore_pairs(&b));
    RB_TRY(rb_members_add_materials(m, segment, b.scene, find_part, &b));
    for (int i = 0; i < count; i++)
        if (rb_member(m, i)->role == ROLE_FLEXIBLE_BODY) RB_TRY(rb_making_flexible_body(&b, i));
    for (int i = 0; i < m->contacts.count; i++) RB_TRY(find_touching(&b, &m->contacts.data[i]));
    RB_TRY(check_contact_names(&b));
    RB_TRY(hold(&b));
    RB_TRY(record_contacts(&b));
    RB_TRY(rb_scene_pair_surfaces(b.scene, segment->diag));
    RB_TRY(rb_members_grains(m, segment, b.scene));
    if (loose) rb_members_cloud(m, segment, loose, b.scene);
    RB_TRY(rb_members_soft(m, segment, b.scene));
    warn_of_unused(&b);
    rb_scene_warn_of_unused_pairs(b.scene, segment->diag);
    *scene = b.scene;
    return RB_OK;
}
