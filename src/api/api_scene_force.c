// SPDX-License-Identifier: MIT
// Joints, force elements and materials of include/rattleback/scene.h.
#include <math.h>
#include <string.h>

#include "api/api_scene.h"

// ---------------------------------------------------------------------------------------------------
// joints

// ORDER RbSceneJointKind
static const RbJointKind joint_kinds[] = {RB_JOINT_REVOLUTE,    RB_JOINT_PRISMATIC,
                                          RB_JOINT_CYLINDRICAL, RB_JOINT_PLANAR,
                                          RB_JOINT_UNIVERSAL,   RB_JOINT_SPHERICAL};

RbSceneJoint rb_scene_joint_default(const char *name, RbSceneJointKind kind, int a, int b) {
    return (RbSceneJoint){
        .name = name, .kind = kind, .a = a, .b = b, .axis = {0, 0, 1}, .axis2 = {1, 0, 0}};
}

RbStatus rb_builder_add_joint(RbSceneBuilder *b, const RbSceneJoint *joint, int *number) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, joint);
    RB_NEED(b->context, joint->name);
    if (joint->kind < RB_SCENE_REVOLUTE || joint->kind > RB_SCENE_SPHERICAL)
        return rb_bad_argument(b->context, __func__, "joint->kind",
                               "is none of the values of RbSceneJointKind");
    if (number) *number = 0;
    RB_CALL(b->context);
    const RbSceneJoint *h = joint;
    RbScene *s = b->scene;
    RbDiag *diag = &b->context->diag;
    RB_TRY(rb_scene_check_object(b, h->a));
    RB_TRY(rb_scene_check_object(b, h->b));
    for (int i = 0; i < s->joints.count; i++) {
        if (strcmp(s->joints.data[i].name, h->name) != 0) continue;
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "there are two joints named '%s'",
                       h->name);
    }
    RbObjectJoint j = rb_scene_joint(h->name, joint_kinds[h->kind], h->a, h->b, v3_load(h->axis));
    j.n2 = v3_load(h->axis2);
    j.can_collide = h->can_collide;
    memcpy(j.v, h->speed, sizeof h->speed);
    if (h->kind == RB_SCENE_SPHERICAL)
        memcpy(j.q, h->rotation, sizeof h->rotation);
    else
        memcpy(j.q, h->start, sizeof h->start);
    RbObjectJoint checked = j;
    RbArena scratch = b->context->scratch;
    RbObject *objects = rb_new_array(&scratch, RbObject, s->objects.count);
    for (int i = 0; i < s->objects.count; i++) objects[i] = s->objects.data[i].object;
    RB_TRY(rb_object_joint_check(&checked, objects, diag));
    int added = rb_scene_add_joint(s, j);
    if (number) *number = added;
    return RB_OK;
}

RbJointElement rb_joint_element_default(int joint, int coordinate) {
    return (RbJointElement){.joint = joint, .coordinate = coordinate};
}

// Constants of a force element.
static RbStatus check_numbers(RbSceneBuilder *b, const char *function, const char *argument,
                              const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return rb_bad_argument(b->context, function, argument, "holds what is no number");
    }
    return RB_OK;
}

RbStatus rb_builder_add_joint_element(RbSceneBuilder *b, const RbJointElement *e) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, e);
    const double all[] = {e->stiffness, e->rest,           e->damping,     e->lower,
                          e->upper,     e->stop_stiffness, e->stop_damping};
    RB_TRY(check_numbers(b, __func__, "e", all, 7));
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RbDiag *diag = &b->context->diag;
    if (e->joint < 0 || e->joint >= s->joints.count) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "scene '%s' has no joint %d", b->name,
                       e->joint);
    }
    const RbObjectJoint *j = &s->joints.data[e->joint];
    int count = j->kind == RB_JOINT_SPHERICAL ? 0 : rb_joint_v_count(j->kind);
    if (e->coordinate < 0 || e->coordinate >= count) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "joint '%s' (%s) has no coordinate %d for a spring; it has %d, counted from "
                       "0",
                       j->name, rb_joint_kind_name(j->kind), e->coordinate, count);
    }
    RbSceneJointForce f = {.joint = e->joint, .coordinate = e->coordinate};
    f.element = (RbJointForce){.spring = rb_linear(e->stiffness),
                               .damper = rb_linear(e->damping),
                               .rest = e->rest,
                               .lower = e->lower,
                               .upper = e->upper,
                               .stop_stiffness = e->stop_stiffness,
                               .stop_damping = e->stop_damping,
                               .law = e->law,
                               .user = e->user};
    if (e->input) f.input = rb_arena_text(s->arena, e->input);
    rb_array_push(&s->joint_forces, s->arena, f);
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// forces between objects

// Both ends exist and are two.
static RbStatus check_ends(const RbSceneBuilder *builder, const char *what, int a, int b) {
    RB_TRY(rb_scene_check_object(builder, a));
    RB_TRY(rb_scene_check_object(builder, b));
    if (a != b) return RB_OK;
    return rb_fail(&builder->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "a %s from '%s' to itself has no effect: it wants two objects", what,
                   builder->scene->objects.data[a].object.name);
}

static RbStatus check_positive(RbSceneBuilder *b, const char *function, const char *argument,
                               const double *values, int count) {
    RB_TRY(check_numbers(b, function, argument, values, count));
    for (int i = 0; i < count; i++) {
        if (values[i] < 0)
            return rb_bad_argument(b->context, function, argument,
                                   "must not be negative: the element would push itself");
    }
    return RB_OK;
}

RbSpringElement rb_spring_element_default(int a, int b) {
    return (RbSpringElement){.a = a, .b = b};
}

static RbCharacteristic characteristic(double k, RbCurve curve, void *user) {
    return (RbCharacteristic){.k = k, .value = curve, .user = user};
}

static RbStatus add_spring_of(RbSceneBuilder *b, const char *function, const RbSpringElement *e) {
    RB_TRY(check_numbers(b, function, "length", &e->length, 1));
    RB_TRY(check_positive(b, function, "stiffness", &e->stiffness, 1));
    RB_TRY(check_positive(b, function, "damping", &e->damping, 1));
    RbSpring element = {.nominal_length = e->length,
                        .spring = characteristic(e->stiffness, e->spring, e->user),
                        .damper = characteristic(e->damping, e->damper, e->user)};
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RB_TRY(check_ends(b, "spring", e->a, e->b));
    rb_array_push(&s->springs, s->arena, ((RbSceneSpring){e->a, e->b, element}));
    return RB_OK;
}

RbStatus rb_builder_add_spring_element(RbSceneBuilder *b, const RbSpringElement *e) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, e);
    return add_spring_of(b, __func__, e);
}

RbStatus rb_builder_add_spring(RbSceneBuilder *b, int a, int object_b, double length,
                               double stiffness, double damping) {
    RB_NEED_SCENE(b);
    RbSpringElement e = {
        .a = a, .b = object_b, .length = length, .stiffness = stiffness, .damping = damping};
    return add_spring_of(b, __func__, &e);
}

RbBushingElement rb_bushing_element_default(int a, int b) {
    return (RbBushingElement){.a = a, .b = b};
}

RbStatus rb_builder_add_bushing(RbSceneBuilder *b, const RbBushingElement *e) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, e);
    RB_TRY(check_positive(b, __func__, "e->stiffness", e->stiffness, 3));
    RB_TRY(check_positive(b, __func__, "e->damping", e->damping, 3));
    RB_TRY(check_positive(b, __func__, "e->angular_stiffness", e->angular_stiffness, 3));
    RB_TRY(check_positive(b, __func__, "e->angular_damping", e->angular_damping, 3));
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RB_TRY(check_ends(b, "bushing", e->a, e->b));
    RbSceneBushing bushing = {.a = e->a, .b = e->b};
    bushing.element.large_angles = e->large_angles;
    for (int i = 0; i < 3; i++) {
        bushing.element.spring[i] = rb_linear(e->stiffness[i]);
        bushing.element.damper[i] = rb_linear(e->damping[i]);
        bushing.element.angular_spring[i] = rb_linear(e->angular_stiffness[i]);
        bushing.element.angular_damper[i] = rb_linear(e->angular_damping[i]);
    }
    rb_array_push(&s->bushings, s->arena, bushing);
    return RB_OK;
}

// The user's function in the form the force element asks for.
typedef struct ForceOfUser {
    RbForceFunction function;
    void *user;
} ForceOfUser;

static Vec3 force_of_user(double t, void *argument) {
    const ForceOfUser *u = argument;
    double force[3] = {0}, torque[3] = {0};
    u->function(t, u->user, force, torque);
    return v3_load(force);
}

static Vec3 torque_of_user(double t, void *argument) {
    const ForceOfUser *u = argument;
    double force[3] = {0}, torque[3] = {0};
    u->function(t, u->user, force, torque);
    return v3_load(torque);
}

// On object a, in the axes of (or from the motion of) object b.
static RbStatus add_world_force(RbSceneBuilder *b, int object, int axes, RbWorldForce element) {
    RB_TRY(rb_scene_check_object(b, object));
    RB_TRY(rb_scene_check_object(b, axes));
    RbSceneWorldForce f = {.apply = object, .axes = axes, .element = element};
    rb_array_push(&b->scene->world_forces, b->scene->arena, f);
    return RB_OK;
}

RbStatus rb_builder_add_force(RbSceneBuilder *b, int object, int axes, RbForceFunction function,
                              void *user) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, function);
    RB_CALL(b->context);
    ForceOfUser *of_user = rb_new(b->scene->arena, ForceOfUser);
    *of_user = (ForceOfUser){function, user};
    return add_world_force(
        b, object, axes,
        (RbWorldForce){.force = force_of_user, .torque = torque_of_user, .user = of_user});
}

RbStatus rb_builder_add_breaks(RbSceneBuilder *b, const double *times, int count, double period) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, times);
    if (count <= 0) return rb_bad_argument(b->context, __func__, "count", "must be positive");
    RB_TRY(check_numbers(b, __func__, "times", times, count));
    if (!(period >= 0) || isinf(period))
        return rb_bad_argument(b->context, __func__, "period",
                               "must be a number of seconds, or 0 for times without repetition");
    RB_CALL(b->context);
    RbScene *s = b->scene;
    double *own = rb_new_array(s->arena, double, count);
    memcpy(own, times, (size_t)count * sizeof *own);
    rb_array_push(&s->breaks, s->arena, ((RbSceneBreaks){own, count, period}));
    return RB_OK;
}

// A law of the user in the form the force element asks for.
typedef struct LawOfUser {
    RbForceLaw law;
    void *user;
} LawOfUser;

void rb_object_motion(const RbFrameMotion *f, RbObjectMotion *out) {
    v3_store(out->position, f->X.r);
    q_store(out->rotation, q_from_matrix(f->X.R));
    v3_store(out->velocity, f->V.v);
    v3_store(out->angular_velocity, f->V.w);
}

static Wrench law_of_user(double t, const RbFrameMotion *apply, const RbFrameMotion *axes,
                          void *argument) {
    const LawOfUser *u = argument;
    RbObjectMotion object, other;
    double force[3] = {0}, torque[3] = {0};
    rb_object_motion(apply, &object);
    rb_object_motion(axes, &other);
    u->law(t, &object, &other, u->user, force, torque);
    return (Wrench){v3_load(torque), v3_load(force)};
}

RbStatus rb_builder_add_force_law(RbSceneBuilder *b, int object, int other, RbForceLaw law,
                                  void *user) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, law);
    RB_CALL(b->context);
    LawOfUser *of_user = rb_new(b->scene->arena, LawOfUser);
    *of_user = (LawOfUser){law, user};
    return add_world_force(b, object, other, (RbWorldForce){.law = law_of_user, .user = of_user});
}

// ---------------------------------------------------------------------------------------------------
// materials

RbStatus rb_builder_add_material(RbSceneBuilder *b, const char *name, double density,
                                 double youngs_modulus, double poissons_ratio) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, name);
    RB_CALL(b->context);
    RbSolidMaterial m = {
        .name = name, .density = density, .elastic = {youngs_modulus, poissons_ratio}};
    RbScene *s = b->scene;
    RB_TRY(rb_materials_check_solid(&m, s->arena, &b->context->diag));
    m.name = rb_arena_text(s->arena, m.name);
    rb_materials_add_solid(&s->materials, s->arena, m);
    return RB_OK;
}

// The first choice that is none of the values of its type; NULL: all are.
static const char *wrong_choice(const RbPairLaw *law) {
    if ((unsigned)law->response > RB_RESPONSE_NONE) return "law->response";
    if ((unsigned)law->normal > RB_NORMAL_FUNCTION) return "law->normal";
    if ((unsigned)law->friction > RB_FRICTION_AUTO) return "law->friction";
    if ((unsigned)law->damping > RB_DAMPING_FLORES) return "law->damping";
    return (unsigned)law->faces > RB_FACES_POINT ? "law->faces" : NULL;
}

RbStatus rb_builder_set_pair(RbSceneBuilder *b, const char *material_a, const char *material_b,
                             const RbPairLaw *law) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, material_a);
    RB_NEED(b->context, material_b);
    RB_NEED(b->context, law);
    const char *wrong = wrong_choice(law);
    if (wrong)
        return rb_bad_argument(b->context, __func__, wrong, "is none of the values of its type");
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RbPairMaterial p = {.a = material_a, .b = material_b, .law = *law};
    RB_TRY(rb_materials_check_pair(&p, s->arena, &b->context->diag));
    p.a = rb_arena_text(s->arena, p.a);
    p.b = rb_arena_text(s->arena, p.b);
    rb_materials_add_pair(&s->materials, s->arena, p);
    return RB_OK;
}

RbStatus rb_builder_pair_law(const RbSceneBuilder *b, const char *material_a,
                             const char *material_b, RbPairLaw *law, double *modulus) {
    if (!b) return RB_ERROR_USAGE;
    RB_NEED(b->context, material_a);
    RB_NEED(b->context, material_b);
    RB_NEED(b->context, law);
    RB_NEED(b->context, modulus);
    RB_CALL(b->context);
    RbContactSide side_a = {material_a, material_a, NULL}, side_b = {material_b, material_b, NULL};
    RbContactMaterial pair;
    RB_TRY(rb_materials_pair(&b->scene->materials, side_a, side_b, RB_NOWHERE, &b->context->diag,
                             &pair));
    *law = pair.law;
    bool both = pair.elastic_1.youngs_modulus > 0 && pair.elastic_2.youngs_modulus > 0;
    *modulus = both ? rb_contact_modulus(pair.elastic_1, pair.elastic_2) : 0;
    return RB_OK;
}
