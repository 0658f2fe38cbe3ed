// SPDX-License-Identifier: MIT
// The start of a segment: bodies from objects, states from joints, elements from shapes, and how
// accurate positions have to be.
#include <math.h>
#include <string.h>

#include "component/couplings.h"
#include "component/saver.h"
#include "component/segment.h"
#include "contact/pair.h"
#include "multibody/crowd.h"
#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/restructure.h"
#include "multibody/sensing.h"
#include "multibody/touching_solids.h"

// ------------------------------------------------------------------------------------------------------
// masses

// An object with a shape and a material gets its mass from them, unless mass properties were given.
static RbStatus find_mass(const RbScene *s, RbSceneObject *o, RbDiag *diag) {
    if (!o->has_shape) return RB_OK;
    const char *name = o->object.name;
    RB_TRY(rb_shape_check(&o->shape, name, o->object.at, diag));
    const RbSolidMaterial *material;
    if (o->solid && o->object.collidable) // also if there is nothing yet that it could touch
        RB_TRY(rb_materials_solid(&s->materials, o->solid, name, o->object.at, diag, &material));
    if (o->object.has_mass || !o->solid || o->object.feature != RB_FEATURE_SOLID) return RB_OK;
    if (o->shape.kind == RB_SHAPE_HALFSPACE) return RB_OK;
    RB_TRY(rb_materials_solid(&s->materials, o->solid, name, o->object.at, diag, &material));
    if (o->mass != 0)
        RB_TRY(rb_mass_from_mass(&o->shape, o->mass, name, o->object.at, diag, &o->object.mass));
    else if (material->density > 0) {
        RB_TRY(rb_mass_from_density(&o->shape, material->density, name, o->object.at, diag,
                                    &o->object.mass));
    } else
        return RB_OK;
    o->object.has_mass = true;
    return RB_OK;
}

RbStatus rb_mechanism_collect_objects(Mechanism *m, RbSegment *g) {
    const RbScene *s = m->scene;
    m->objects = m->change.arrangement.objects;
    for (int i = 0; i < s->objects.count; i++) {
        RbSceneObject o = s->objects.data[i];
        RB_TRY(find_mass(s, &o, g->diag));
        m->objects[i].has_mass = o.object.has_mass;
        m->objects[i].mass = o.object.mass;
    }
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------
// elements

double rb_core_reach(const RbCore *core, Pose X_BS) {
    // No point of the core is further from its frame than half its diagonal; `size` is its largest
    // extent.
    double far = 0;
    for (int i = 0; core->kind == RB_CORE_POLYTOPE && i < core->polytope->vertex_count; i++) {
        far = fmax(far, v3_norm(core->polytope->vertices[i]));
    }
    if (core->kind == RB_CORE_BEAM)
        far = v3_norm(v3(core->h.x + core->h.y, core->h.y, core->h.z));
    else if (core->kind != RB_CORE_POLYTOPE && core->kind != RB_CORE_POINT) {
        far = v3_norm(v3(core->h.x, fmax(core->h.x, core->h.y), core->h.z));
    }
    if (core->kind == RB_CORE_HALFSPACE) return INFINITY;
    return v3_norm(pose_point(X_BS, core->frame.r)) + far + core->radius;
}

static bool may_touch(const void *user, int a, int b);

// Two elements of these materials that may touch.
static bool find_touching(const RbContactSetup *s, int one, int two, int *a, int *b) {
    for (*a = 0; *a < s->element_count; (*a)++) {
        if (s->elements[*a].material != one) continue;
        for (*b = 0; *b < s->element_count; (*b)++) {
            if (s->elements[*b].material != two || s->elements[*a].body == s->elements[*b].body)
                continue;
            if (s->may_touch(s->user, *a, *b)) return true;
        }
    }
    return false;
}

// A run would end where they touch; that is said before.
static void tell_missing_pairs(const RbContactSetup *s, RbDiag *diag) {
    for (int one = 0; one < s->material_count; one++) {
        for (int two = one; two < s->material_count; two++) {
            int a, b;
            if (s->pair_known[one * s->material_count + two]) continue;
            if (!find_touching(s, one, two, &a, &b)) continue;
            const RbContactSide *x = &s->elements[a].side, *y = &s->elements[b].side;
            const RbSolidMaterial *soft = rb_contact_lacks_modulus(s, a, b);
            if (soft) {
                rb_warn(diag, soft->at,
                        RB_NO_MODULUS " of " PAIR_OF
                                      ", and the run ends if they touch: " RB_GIVE_MODULUS,
                        soft->name, soft->elastic.youngs_modulus, x->object, rb_contact_title(x),
                        y->object, rb_contact_title(y));
                continue;
            }
            rb_warn(diag, s->elements[b].body > 0 ? y->at : x->at,
                    "there are no contact data for " PAIR_OF ", and the run ends if two such parts "
                    "touch: " RB_ADD_PAIR,
                    x->object, rb_contact_title(x), y->object, rb_contact_title(y),
                    rb_contact_title(x), rb_contact_title(y));
        }
    }
}

static RbStatus collect_elements(Mechanism *m, RbSegment *g) {
    const RbScene *s = m->scene;
    RB_ARRAY(RbElement) elements = {0};
    RB_ARRAY(int) owners = {0};
    m->contact.reach = rb_new_array(g->arena, double, m->structure.tree.bodies.count);
    m->contact.lever = rb_new_array(g->arena, double, m->structure.tree.bodies.count);
    for (int i = 0; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        if (!o->has_shape || !o->object.collidable || !rb_shape_is_collidable(&o->shape)) continue;
        if (o->by_surface) continue;
        if (!o->solid) {
            return rb_fail(g->diag, RB_ERROR_MODEL, o->object.at,
                           "object '%s' is collidable but has no solid material", o->object.name);
        }
        RbFrame frame = m->structure.frame[i];
        int count;
        const RbCore *cores = rb_shape_cores(&o->shape, g->arena, &count);
        for (int k = 0; k < count; k++) {
            RbElement e = {.side = {o->object.name, o->solid, o->contact, o->object.at},
                           .shape = &o->shape,
                           .core = &cores[k],
                           .body = frame.body,
                           .X_BS = frame.X_BF,
                           .reach = rb_core_reach(&cores[k], frame.X_BF),
                           .belt = rb_mechanism_belt(s, i, frame)};
            rb_array_push(&elements, g->arena, e);
            rb_array_push(&owners, g->arena, i);
            m->contact.reach[frame.body] = fmax(m->contact.reach[frame.body], e.reach);
            double lever = cores[k].kind == RB_CORE_POINT ? e.reach - cores[k].radius : e.reach;
            m->contact.lever[frame.body] = fmax(m->contact.lever[frame.body], lever);
        }
    }
    // Contacts are known by the numbers of elements. The memory of an earlier run is gone.
    m->contact.had =
        !g->first && m->contact.setup && m->contact.setup->element_count == elements.count &&
        memcmp(m->contact.owners, owners.data, (size_t)owners.count * sizeof(int)) == 0;
    m->contact.setup = NULL;
    if (!s->contact || m->contact.off || elements.count < 2) return RB_OK;
    m->contact.owners = owners.data;
    RbContactSetup *setup;
    RB_TRY(rb_contact_setup(elements.data, elements.count, &s->materials, s->contact_options,
                            may_touch, m, g->arena, g->diag, &setup));
    for (int i = 0; i < setup->material_count * setup->material_count; i++) {
        if (s->damping != RB_DAMPING_TYPED) setup->pairs[i].law.damping = s->damping;
        if (s->faces != RB_FACES_PATCH) setup->pairs[i].law.faces = s->faces;
    }
    rb_mechanism_turn_knobs(m, g, setup);
    m->contact.setup = setup;
    if (g->first) {
        tell_missing_pairs(setup, g->diag);
        rb_scene_warn_of_cut_smoothing(s, g->diag);
        rb_scene_warn_of_blunt_tips(s, g->diag);
    }
    return RB_OK;
}

static bool objects_may_touch(const Mechanism *m, int one, int two) {
    for (int i = 0; i < m->scene->ignored.count; i++) {
        const RbScenePair *p = &m->scene->ignored.data[i];
        if ((p->a == one && p->b == two) || (p->a == two && p->b == one)) return false;
    }
    return rb_structure_may_collide(&m->structure, one, two);
}

static bool may_touch(const void *user, int a, int b) {
    const Mechanism *m = user;
    return objects_may_touch(m, m->contact.owners[a], m->contact.owners[b]);
}

// ------------------------------------------------------------------------------------------------
// force elements

// Elements on objects that are not there act on nothing: both ends are the world.
static bool is_idle(const Mechanism *m, int a, int b) {
    return m->change.arrangement.absent[a] || m->change.arrangement.absent[b];
}

// A turn moves the surface of a mesh too.
static void note_lever(Mechanism *m, RbFrame frame, const RbSkin *skin) {
    const RbMeshNode *root = &skin->tree.nodes[0];
    double lever = v3_norm(pose_point(frame.X_BF, root->centre)) + root->radius;
    m->contact.lever[frame.body] = fmax(m->contact.lever[frame.body], lever);
}

static void place_forces(Mechanism *m, RbSegment *g) {
    const RbScene *s = m->scene;
    const RbFrame *frame = m->structure.frame, world = {0, POSE_IDENTITY};
    m->forces.springs = rb_new_array(g->arena, RbSpring, s->springs.count);
    for (int i = 0; i < s->springs.count; i++) {
        const RbSceneSpring *given = &s->springs.data[i];
        m->forces.springs[i] =
            is_idle(m, given->a, given->b) ? (RbSpring){world, world} : given->element;
        m->forces.springs[i].a = frame[given->a];
        m->forces.springs[i].b = frame[given->b];
    }
    m->forces.bushings = rb_new_array(g->arena, RbBushing, s->bushings.count);
    for (int i = 0; i < s->bushings.count; i++) {
        const RbSceneBushing *given = &s->bushings.data[i];
        m->forces.bushings[i] =
            is_idle(m, given->a, given->b) ? (RbBushing){.a = world} : given->element;
        m->forces.bushings[i].a = frame[given->a];
        m->forces.bushings[i].b = frame[given->b];
    }
    m->forces.solids = rb_new_array(g->arena, RbSolidsForce, s->solids.count);
    for (int i = 0; i < s->solids.count; i++) {
        const RbSceneSolids *given = &s->solids.data[i];
        m->forces.solids[i] = given->element;
        m->forces.solids[i].a = frame[given->a];
        m->forces.solids[i].b = frame[given->b];
        m->forces.solids[i].number = i;
        note_lever(m, m->forces.solids[i].a, m->forces.solids[i].skin_a);
        note_lever(m, m->forces.solids[i].b, m->forces.solids[i].skin_b);
        m->forces.solids[i].idle =
            is_idle(m, given->a, given->b) ||
            m->forces.solids[i].a.body == m->forces.solids[i].b.body ||
            (given->by_rule && (!s->contact || !objects_may_touch(m, given->a, given->b)));
    }
    m->forces.world_forces = rb_new_array(g->arena, RbWorldForce, s->world_forces.count);
    for (int i = 0; i < s->world_forces.count; i++) {
        m->forces.world_forces[i] = s->world_forces.data[i].element;
        m->forces.world_forces[i].apply = frame[s->world_forces.data[i].apply];
        m->forces.world_forces[i].axes = frame[s->world_forces.data[i].axes];
    }
}

static int body_of_joint(const RbTree *tree, int joint) {
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        if (j->object_joint == joint && rb_joint_v_count(j->kind) > 0) return i;
    }
    return 0;
}

// Forces in joints that are locked or gone rest, in body 0.
static RbStatus place_joint_forces(Mechanism *m, RbSegment *g) {
    const RbScene *s = m->scene;
    const RbTree *tree = &m->structure.tree;
    m->forces.joint_forces = rb_new_array(g->arena, RbJointForce, s->joint_forces.count);
    m->forces.joint_bodies = rb_new_array(g->arena, int, s->joint_forces.count);
    m->forces.joint_inputs = rb_new_array(g->arena, int, s->joint_forces.count);
    int inputs = 0;
    for (int i = 0; i < s->joint_forces.count; i++) {
        int number = s->joint_forces.data[i].joint, body = body_of_joint(tree, number);
        m->forces.joint_bodies[i] = body;
        m->forces.joint_inputs[i] = s->joint_forces.data[i].input ? inputs++ : RB_NONE;
        if (body == 0 && !rb_scene_acts(s)) {
            return rb_fail(g->diag, RB_ERROR_MODEL, s->joints.data[number].at,
                           "a force acts in joint '%s', which moves nothing",
                           s->joints.data[number].name);
        }
        if (body == 0) continue;
        m->forces.joint_forces[i] = s->joint_forces.data[i].element;
        m->forces.joint_forces[i].q =
            tree->bodies.data[body].joint.q + s->joint_forces.data[i].coordinate;
        m->forces.joint_forces[i].v =
            tree->bodies.data[body].joint.v + s->joint_forces.data[i].coordinate;
    }
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// groups

// Bodies below one child of the world move together, and so do branches that loops tie together;
// force elements link groups for good.
static void find_groups(Mechanism *m, RbSegment *g) {
    const RbTree *tree = &m->structure.tree;
    int n = tree->bodies.count;
    m->groups.of = rb_new_array(g->arena, int, n);
    m->groups.first_body = rb_new_array(g->arena, int, n + 1);
    m->groups.count = 0;
    for (int i = 1; i < n; i++) {
        int parent = tree->bodies.data[i].parent;
        bool goes_on = i > 1 && m->structure.part[i] == m->structure.part[i - 1];
        if (parent == 0 && !goes_on) m->groups.first_body[m->groups.count++] = i;
        m->groups.of[i] = m->groups.count - 1;
    }
    if (m->groups.count == 0) m->groups.first_body[m->groups.count++] = n; // nothing moves
    m->groups.first_body[m->groups.count] = n;
}

// ------------------------------------------------------------------------------------------------------
// states

// Error of positions is weighed against how deep the body sinks into what it rests on: so many
// times that depth times the tolerance. A body that touches nothing is weighed like any other
// state.
static const double DEPTHS = 100; // BDF takes a part of it: sim/stage.c

// [m] How deep a load [N] presses two meshes, over a patch a tenth as wide as they are.
static double depth_of_solids(const RbSolidsForce *f, int body, double load) {
    double width = 0.1 * rb_solids_size(f);
    if (f->idle || f->law != RB_SOLIDS_VOLUME || (f->a.body != body && f->b.body != body))
        return INFINITY;
    return rb_volume_depth(&f->volume, load, width * width);
}

static double position_scale(const Mechanism *m, int body) {
    enum { PARTNERS = 64 }; // enough to meet every material
    const RbContactSetup *s = m->contact.setup;
    const double largest = 1e-2, least = 1e-7; // [m]
    double depth = INFINITY, mass = m->structure.tree.bodies.data[body].inertia.m;
    double g = m->scene->gravity.kind == RB_GRAVITY_UNIFORM ? v3_norm(m->scene->gravity.g) : 9.81;
    if (!(mass > 0)) return 0;
    if (!(g > 0)) g = 9.81;
    for (int i = 0; i < m->scene->solids.count; i++)
        depth = fmin(depth, depth_of_solids(&m->forces.solids[i], body, mass * g));
    for (int a = 0; s && a < s->element_count; a++) {
        if (s->elements[a].body != body) continue;
        for (int b = 0; b < s->element_count && b < PARTNERS; b++) {
            if (s->elements[b].body != body)
                depth = fmin(depth, rb_contact_reference_depth(s, a, b, mass, g));
        }
    }
    return isfinite(depth) ? fmin(largest, fmax(least, DEPTHS * depth)) : 0;
}

// Which elements a body has, as a number.
static uint64_t *name_elements(const Mechanism *m, RbArena *arena) {
    uint64_t *names = rb_new_array(arena, uint64_t, m->structure.tree.bodies.count);
    for (int a = 0; m->contact.setup && a < m->contact.setup->element_count; a++) {
        uint64_t *name = &names[m->contact.setup->elements[a].body];
        *name = (*name ^ (uint64_t)(a + 1)) * 1099511628211u;
    }
    return names;
}

// The scale of a body that has the mass and the elements it had in the last segment is known.
static double known_scale(Mechanism *m, int body, uint64_t elements) {
    BodyScale *known = &m->change.scales[m->structure.supers[body].root];
    double mass = m->structure.tree.bodies.data[body].inertia.m;
    if (elements == 0 || known->elements != elements || known->mass != mass)
        *known = (BodyScale){elements, mass, position_scale(m, body)};
    return known->scale;
}

typedef struct Naming {
    const char *q[RB_JOINT_MAX_Q], *v[RB_JOINT_MAX_V];
    const char *q_unit[RB_JOINT_MAX_Q], *v_unit[RB_JOINT_MAX_V];
} Naming;

// ORDER joint kinds
static const Naming namings[RB_JOINT_KIND_COUNT] = {
    [RB_JOINT_REVOLUTE] = {{"phi"}, {"w"}, {"rad"}, {"rad/s"}},
    [RB_JOINT_PRISMATIC] = {{"s"}, {"v"}, {"m"}, {"m/s"}},
    [RB_JOINT_CYLINDRICAL] = {{"s", "phi"}, {"v", "w"}, {"m", "rad"}, {"m/s", "rad/s"}},
    [RB_JOINT_PLANAR] = {{"s[1]", "s[2]", "phi"},
                         {"v[1]", "v[2]", "w"},
                         {"m", "m", "rad"},
                         {"m/s", "m/s", "rad/s"}},
    [RB_JOINT_UNIVERSAL] = {{"phi[1]", "phi[2]"},
                            {"w[1]", "w[2]"},
                            {"rad", "rad"},
                            {"rad/s", "rad/s"}},
    [RB_JOINT_SPHERICAL] = {{"Q[1]", "Q[2]", "Q[3]", "Q[4]"},
                            {"w[1]", "w[2]", "w[3]"},
                            {"1", "1", "1", "1"},
                            {"rad/s", "rad/s", "rad/s"}},
    [RB_JOINT_FREE] = {{"r[1]", "r[2]", "r[3]", "Q[1]", "Q[2]", "Q[3]", "Q[4]"},
                       {"v[1]", "v[2]", "v[3]", "w[1]", "w[2]", "w[3]"},
                       {"m", "m", "m", "1", "1", "1", "1"},
                       {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"}},
};

// The names that Modelica.Mechanics.MultiBody has, where they are others.
static const Naming modelica_namings[RB_JOINT_KIND_COUNT] = {
    [RB_JOINT_PLANAR] = {.q = {"s_x", "s_y", "phi"}, .v = {"v_x", "v_y", "w"}},
    [RB_JOINT_UNIVERSAL] = {.q = {"phi_a", "phi_b"}, .v = {"w_a", "w_b"}},
    // there the cosine is the last of a quaternion
    [RB_JOINT_SPHERICAL] = {.q = {"Q[4]", "Q[1]", "Q[2]", "Q[3]"}},
    [RB_JOINT_FREE] = {.q = {"r_0[1]", "r_0[2]", "r_0[3]", "Q[4]", "Q[1]", "Q[2]", "Q[3]"},
                       .v = {"v_0[1]", "v_0[2]", "v_0[3]", "w_0[1]", "w_0[2]", "w_0[3]"}},
};

static const char *name_of_q(const Mechanism *m, RbJointKind kind, int k) {
    const char *other = m->scene->modelica_names ? modelica_namings[kind].q[k] : NULL;
    return other ? other : namings[kind].q[k];
}

static const char *name_of_v(const Mechanism *m, RbJointKind kind, int k) {
    const char *other = m->scene->modelica_names ? modelica_namings[kind].v[k] : NULL;
    return other ? other : namings[kind].v[k];
}

// Equations have variables of the same names.
static bool is_hidden(const Mechanism *m, int body) {
    const RbSceneObject *root = &m->scene->objects.data[m->structure.supers[body].root];
    return root->in_equations && rb_tree_joint(&m->structure.tree, body)->kind == RB_JOINT_FREE;
}

// States of a joint that leads towards the world mean something else than its coordinates, which are
// results then.
static const char *state_name(const RbJoint *joint, const char *coordinate, RbArena *arena) {
    return rb_arena_join(arena, joint->name, joint->reexpressed ? ".reversed." : ".", coordinate);
}

// [rad] By how much a body that touches may turn until another Jacobian is due: the directions of its contacts in its quaternion turn along.
static const double TURN = 0.1;

// Modes are orthonormal: an amplitude has the unit m kg^(1/2). Its size is that of a displacement of a thousandth of a metre of the whole body.
static void declare_mode(const Mechanism *m, RbSegment *g, int body, int k, const char *letter,
                         double start, RbArena scratch) {
    const RbTreeBody *b = &m->structure.tree.bodies.data[body];
    rb_segment_state(
        g, &(RbStateSpec){.name = rb_arena_printf(&scratch, "%s.%s[%d]", b->name, letter, k + 1),
                          .start = start,
                          .nominal = letter[1] ? 0 : 1e-3 * sqrt(b->inertia.m),
                          .unit = letter[1] ? "m.kg(1/2)/s" : "m.kg(1/2)",
                          .group = m->groups.of[body]});
}

static void declare_coordinate(const Mechanism *m, RbSegment *g, int body, int k,
                               const double *start, double scale, RbArena scratch) {
    const RbJoint *joint = &m->structure.tree.bodies.data[body].joint;
    if (joint->modes > 0) {
        declare_mode(m, g, body, k, "q", start[joint->q + k], scratch);
        return;
    }
    const Naming *naming = &namings[joint->kind];
    const char *name = state_name(joint, name_of_q(m, joint->kind, k), &scratch);
    bool length = naming->q_unit[k][0] == 'm';
    // An angle moves surfaces by this lever; not that of a ball about its centre.
    double angle = m->contact.lever[body] > 0 ? fmin(1, scale / m->contact.lever[body]) : 1;
    double nominal = scale > 0 ? (length ? scale : angle) : 1;
    bool quaternion = naming->q_unit[k][0] == '1',
         touches = scale > 0 && m->contact.lever[body] > 0;
    rb_segment_state(g, &(RbStateSpec){.name = name,
                                       .start = start[joint->q + k],
                                       .nominal = nominal,
                                       .hidden = is_hidden(m, body),
                                       .unit = naming->q_unit[k],
                                       .group = m->groups.of[body],
                                       .absolute = scale > 0,
                                       .jacobian_range = quaternion && touches ? TURN / 2 : 0});
}

static void declare_speed(const Mechanism *m, RbSegment *g, int body, int k, const double *start) {
    const RbJoint *joint = &m->structure.tree.bodies.data[body].joint;
    if (joint->modes > 0) {
        declare_mode(m, g, body, k, "qd", start[joint->v + k], g->scratch);
        return;
    }
    const Naming *naming = &namings[joint->kind];
    RbArena scratch = g->scratch;
    const char *name = state_name(joint, name_of_v(m, joint->kind, k), &scratch);
    rb_segment_state(g, &(RbStateSpec){.name = name,
                                       .start = start[joint->v + k],
                                       .hidden = is_hidden(m, body),
                                       .unit = naming->v_unit[k],
                                       .group = m->groups.of[body]});
}

// Where the last segment ended, the next one begins.
static void continue_states(Mechanism *m, RbSegment *g) {
    const RbTree *tree = &m->structure.tree;
    int count;
    const double *old = rb_segment_old_states(g, &count);
    if (m->driven.own && old) {
        for (int i = 0; i < m->driven.own_count; i++) {
            int k = m->driven.own[i];
            *(k < tree->nq ? &m->structure.q[k] : &m->structure.v[k - tree->nq]) = old[i];
        }
        return;
    }
    if (!old || count < tree->nq + tree->nv) return;
    memcpy(m->structure.q, old, (size_t)tree->nq * sizeof *old);
    memcpy(m->structure.v, old + tree->nq, (size_t)tree->nv * sizeof *old);
}

static void declare_states(Mechanism *m, RbSegment *g) {
    const RbTree *tree = &m->structure.tree;
    RbArena scratch = g->scratch;
    const uint64_t *elements = name_elements(m, &scratch);
    for (int i = 1; i < tree->bodies.count; i++) {
        if (tree->bodies.data[i].joint.owner != RB_OWNED_BY_COMPONENT) continue;
        double scale = known_scale(m, i, elements[i]);
        int count = rb_joint_nq(&tree->bodies.data[i].joint);
        for (int k = 0; k < count; k++)
            declare_coordinate(m, g, i, k, m->structure.q, scale, scratch);
    }
    for (int i = 1; i < tree->bodies.count; i++) {
        if (tree->bodies.data[i].joint.owner != RB_OWNED_BY_COMPONENT) continue;
        int count = rb_joint_nv(&tree->bodies.data[i].joint);
        for (int k = 0; k < count; k++) declare_speed(m, g, i, k, m->structure.v);
    }
}

// A hidden discrete value that goes on from one segment to the next. place: its number, in the last one and now.
static void declare_start(RbSegment *g, int *place, const char *name, const char *description) {
    int count;
    const double *old = rb_segment_old_discrete(g, &count);
    double start = old && *place < count ? old[*place] : 0;
    *place = rb_segment_discrete(g, &(RbDiscreteSpec){name, start, "J", description, true});
}

// ORDER quadratures
static void declare_account(Mechanism *m, RbSegment *g) {
    static const char *const names[Q_COUNT][2] = {
        {"energy.contact_damping", "dissipated by the damping of contacts"},
        {"energy.friction", "dissipated by sliding friction"},
        {"energy.rolling", "dissipated by rolling resistance"},
        {"energy.dampers", "dissipated by dampers"},
        {"energy.input", "brought in by forces of time or without potential"},
        {"energy.contact_lent_work", "done by elastic forces that have no potential"},
        {"energy.contact_work", "done by elastic forces over patches"},
    };
    int count;
    const double *old = rb_segment_old_quadratures(g, &count);
    for (int i = 0; i < Q_COUNT; i++) {
        double start = old && i < count ? old[i] : 0;
        // energy.contact_false_work and energy.contact_misfit show them, as exactly as they come
        bool hidden = i == Q_FALSE_WORK || i == Q_PRESSING;
        rb_segment_quadrature(
            g, &(RbQuadratureSpec){names[i][0], start, "J", names[i][1], hidden, hidden});
    }
    for (int i = 0; i < m->scene->contact_results.count; i++) {
        const char *name =
            rb_arena_printf(g->arena, "%s.dissipated", rb_mechanism_pair_name(m, i, g->arena));
        double start = old && Q_COUNT + i < count ? old[Q_COUNT + i] : 0;
        rb_segment_quadrature(
            g, &(RbQuadratureSpec){name, start, "J", "by damping, friction and rolling"});
    }
    if (m->members)
        rb_members_declare_contact_energies(m, g, Q_COUNT + m->scene->contact_results.count);
    declare_start(g, &m->account.energy_start, "energy.start", "energy at the start");
    declare_start(g, &m->account.pressed_start, "energy.pressed_start", "of it in patches");
    declare_start(g, &m->account.lent_start, "energy.lent_start",
                  "of it by laws without potential");
    rb_driven_declare_jumps(m, g);
    rb_mechanism_declare_turns(m, g);
}

static void declare_contacts(Mechanism *m, RbSegment *g) {
    if (!m->contact.setup) return;
    rb_segment_indicator(g, &(RbIndicatorSpec){"contact end", .direction = +1});
    rb_segment_indicator(g, &(RbIndicatorSpec){"contact start", .direction = -1});
    m->contact.slot_version =
        rb_segment_discrete(g, &(RbDiscreteSpec){"contact version", 0, "", "", true});
    int count = RB_SLOT_SIZE * m->contact.setup->slot_count, old_count, from = m->contact.slots;
    const double *old = rb_segment_old_discrete(g, &old_count);
    rb_segment_discretes(g, "contact slot", count, &m->contact.slots);
    double elements = m->contact.setup->element_count;
    rb_segment_whole(g, m->contact.slots, m->contact.setup->slot_count, RB_SLOT_SIZE,
                     elements * elements);
    rb_segment_discretes(g, "calm", m->groups.count, &m->crowd.calm);
    if (!old || !m->contact.had) return;
    for (int i = 0; i + RB_SLOT_SIZE <= count && from + i + RB_SLOT_SIZE <= old_count;
         i += RB_SLOT_SIZE) {
        if (!rb_mechanism_slot_lives(m, old + from, i / RB_SLOT_SIZE)) continue;
        for (int k = i; k < i + RB_SLOT_SIZE; k++)
            g->discretes.data[m->contact.slots + k].start = old[from + k];
    }
}

bool rb_mechanism_restore(Mechanism *m, RbLoader *loader) {
    return rb_mechanism_same_shapes(m, loader) && rb_mechanism_restore_structure(m, loader) &&
           rb_mechanism_restore_bristles(m, loader) && rb_mechanism_restore_soft(m, loader) &&
           rb_mechanism_restore_grains(m, loader);
}

// Is the last body of its branch nothing but a frame of the joint that moves it, 'hinge.frame_b'? Then
// nothing is connected there.
static bool dangles(const Mechanism *m, int body) {
    const RbStructure *s = &m->structure;
    const RbTreeBody *b = &s->tree.bodies.data[body];
    size_t length = strlen(b->joint.name);
    int objects = 0;
    for (int i = 0; i < s->object_count; i++) objects += s->frame[i].body == body;
    return objects == 1 && b->end == body + 1 && strncmp(b->name, b->joint.name, length) == 0 &&
           b->name[length] == '.';
}

static RbStatus check_inertia(const Mechanism *m, const RbSegment *g, bool prescribed) {
    const RbStructure *s = &m->structure;
    int failed = rb_dyn_find_massless(&s->tree, s->q, prescribed, g->scratch);
    const RbTreeBody *body = &s->tree.bodies.data[failed];
    if (failed > 0 && dangles(m, failed))
        return rb_fail(g->diag, RB_ERROR_MODEL, body->joint.at,
                       "nothing is connected to '%s', which the %s joint '%s' moves: connect a "
                       "body to it, or remove the joint",
                       body->name, rb_joint_kind_name(body->joint.kind), body->joint.name);
    for (int i = 0; failed > 0 && i < s->object_count; i++) {
        const RbSceneObject *o = &m->scene->objects.data[i];
        if (s->frame[i].body != failed || !o->has_shape || o->shape.kind != RB_SHAPE_HALFSPACE)
            continue;
        return rb_fail(
            g->diag, RB_ERROR_MODEL, o->object.at,
            "'%s' is a half-space: it has no mass and cannot move freely; say fixed = true, or "
            "fix it to a part that does not move or that has a mass",
            s->tree.bodies.data[failed].name);
    }
    return rb_dyn_check(&s->tree, s->q, prescribed, g->scratch, g->diag);
}

// Actions would have to share the momentum of the modes.
static RbStatus refuse_changes(const Mechanism *m, const RbSegment *g) {
    const RbTree *tree = &m->structure.tree;
    if (tree->modals.count == 0 || !rb_scene_acts(m->scene)) return RB_OK;
    const RbTreeBody *body = &tree->bodies.data[tree->modals.data[0].body];
    return rb_fail(g->diag, RB_ERROR_MODEL, body->joint.at,
                   "'%s' is flexible, and actions change what is connected in this model: "
                   "flexible bodies cannot take part in that; make it rigid, or leave out the "
                   "actions",
                   body->name);
}

static bool may_stick(const RbContactSetup *s, int a, int b) {
    const RbContactMaterial *material = rb_contact_material_of(s, a, b);
    return material && material->law.response == RB_RESPONSE_ELASTIC &&
           rb_pair_friction(s, a, b) == RB_FRICTION_BRISTLE && rb_contacts_may_touch(s, a, b);
}

// Why a caller cannot integrate.
static void tell_callers(const Mechanism *m, RbSegment *g) {
    const RbContactSetup *s = m->contact.setup;
    if (rb_scene_acts(m->scene))
        rb_segment_needs_solver(g, "actions change the structure of the mechanism");
    if (m->grains) rb_segment_needs_solver(g, "grains take steps of their own");
    if (m->soft) rb_segment_needs_solver(g, "soft bodies take steps of their own");
    if (rb_mechanism_may_lack_seats(m))
        rb_segment_needs_solver(g, "contacts of meshes that stick have states that come and go");
    for (int a = 0; s && !g->needs_solver && a < s->element_count; a++) {
        for (int b = a + 1; b < s->element_count; b++) {
            if (!may_stick(s, a, b)) continue;
            rb_segment_needs_solver(
                g, rb_arena_printf(g->arena,
                                   "a contact of '%s' and '%s' can stick, and has states that come "
                                   "and go with it; friction = \"sliding\" in its law has none",
                                   s->elements[a].side.object, s->elements[b].side.object));
            return;
        }
    }
}

RbStatus rb_mechanism_start(Mechanism *m, RbSegment *g) {
    m->first = rb_segment_is_first(g);
    m->diag = g->diag;
    m->loops.closed = !m->first || m->renewal.waiting;
    if (m->first) m->forces.pull = (RbPull){0}; // of a run before
    if (m->first) m->rest = NULL;
    if (m->first) m->contact.setup = NULL; // their memory was that of the run before
    if (m->first)
        rb_mechanism_forget_renewal(m, g);
    else
        rb_mechanism_take_renewed(m);
    g->carries = m->renewal.was;
    if (m->members && m->first) {
        RbScene *scene;
        RB_TRY(rb_members_scene(m->members, g, &scene));
        m->scene = scene;
        RbLoader *waiting = m->renewal.waiting;
        m->renewal.waiting = NULL;
        int errors = g->diag->error_count;
        bool fits = !waiting || rb_mechanism_restore(m, waiting);
        if (!fits && g->diag->error_count > errors) return RB_ERROR_USAGE; // it has said why
        if (!fits)
            return rb_fail(g->diag, RB_ERROR_IO, waiting->at,
                           "the checkpoint does not fit the bodies of the model");
    }
    const RbScene *s = m->scene;
    Vec3 field = s->gravity.g;
    if (!v3_finite(field)) {
        return rb_fail(g->diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "gravity is (%g, %g, %g) m/s2; it must be finite", field.x, field.y,
                       field.z);
    }
    RB_TRY(rb_mechanism_arrange(m, g));
    RB_TRY(rb_mechanism_collect_objects(m, g));
    RB_TRY(
        rb_structure_build(&m->change.arrangement, g->arena, g->scratch, g->diag, &m->structure));
    RB_TRY(rb_mechanism_weigh_soft(m, g));
    RB_TRY(refuse_changes(m, g));
    bool loops = m->structure.loops.count > 0; // then all joints are accelerated by forces
    if (loops) rb_mechanism_lend_inertia(m, g);
    RB_TRY(check_inertia(m, g, !loops));
    RB_TRY(rb_mechanism_start_belts(m, g));
    RB_TRY(collect_elements(m, g));
    rb_mechanism_weigh_parts(m, g->arena);
    place_forces(m, g);
    RB_TRY(place_joint_forces(m, g));
    find_groups(m, g);
    rb_mechanism_index_links(m, g->arena);
    if (m->contact.setup) rb_mechanism_index_elements(m, g->arena);
    rb_mechanism_find_balls(m, g->arena);
    rb_mechanism_find_roots(m, g->arena);
    RB_TRY(rb_mechanism_close_loops(m, g));
    RB_TRY(rb_driven_start(m, g));
    rb_driven_start_loops(m, g);
    if (rb_driven_has_loops(m) && m->members->moved.count == 0) rb_segment_projects(g);
    rb_mechanism_find_reached(m, g->arena);
    rb_mechanism_measure_crowds(m, g->arena);
    RB_TRY(rb_mechanism_resettle(m, g, &m->account.impact));
    if (!m->change.was_changed) continue_states(m, g);
    declare_states(m, g);
    // Bodies that equations move have events, but perhaps no states.
    if (m->driven.own && g->group_count < m->groups.count) g->group_count = m->groups.count;
    rb_mechanism_start_bristles(m, g);
    rb_mechanism_number_states(m, g->arena);
    declare_account(m, g);
    rb_mechanism_declare_structure(m, g, m->account.impact);
    declare_contacts(m, g);
    rb_mechanism_declare_solids(m, g);
    RB_TRY(rb_mechanism_start_soft(m, g));
    RB_TRY(rb_mechanism_start_grains(m, g));
    rb_mechanism_declare_results(m, g);
    if (rb_scene_has_time(s))
        rb_mechanism_start_breaks(m, g);
    else if (s->grains.count == 0)
        rb_segment_autonomous(g);
    const double of_patches = 14; // two each in six directions, one as it is, and the rest
    if (m->contact.setup && rb_pairs_have_patches(m->contact.setup)) g->jacobian_cost = of_patches;
    rb_segment_workspace(g, sizeof(MechanismWork));
    if (s->steady_start) rb_segment_rests(g);
    if (g->instance->by_caller) tell_callers(m, g);
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// couplings

static void couple_groups(const Mechanism *m, RbCouplings *c, const int *start, const int *states,
                          int a, int b) {
    for (int i = start[a]; i < start[a + 1]; i++) {
        for (int j = start[b]; j < start[b + 1]; j++) {
            if (states[i] >= m->structure.tree.nq)
                rb_couplings_derivative_state(c, states[i], states[j]);
        }
    }
}

static void couple_both(const Mechanism *m, RbCouplings *c, const int *start, const int *states,
                        int body_a, int body_b) {
    if (body_a == 0 || body_b == 0 || m->groups.of[body_a] == m->groups.of[body_b]) return;
    couple_groups(m, c, start, states, m->groups.of[body_a], m->groups.of[body_b]);
    couple_groups(m, c, start, states, m->groups.of[body_b], m->groups.of[body_a]);
}

int *rb_mechanism_state_groups(const Mechanism *m, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    int joints = tree->nq + tree->nv;
    int *owner = rb_new_array(arena, int, joints + rb_mechanism_tail(m)); // soft bodies: group 0
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = &tree->bodies.data[i].joint;
        for (int k = 0; k < rb_joint_nq(j); k++) owner[j->q + k] = m->groups.of[i];
        for (int k = 0; k < rb_joint_nv(j); k++) owner[tree->nq + j->v + k] = m->groups.of[i];
    }
    for (int k = 0; k < m->sticking.count; k++) {
        const Bristle *b = &m->sticking.bristles[k];
        for (int i = 0; i < b->count; i++)
            owner[joints + b->at + i] = rb_mechanism_bristle_group(m, k);
    }
    return owner;
}

// States of each group one after another.
static void sort_states(const Mechanism *m, RbArena *arena, int **start, int **states) {
    int n = m->structure.tree.nq + m->structure.tree.nv + m->sticking.states;
    const int *owner = rb_mechanism_state_groups(m, arena);
    *start = rb_new_array(arena, int, m->groups.count + 1);
    *states = rb_new_array(arena, int, n);
    for (int i = 0; i < n; i++) (*start)[owner[i] + 1]++;
    for (int i = 0; i < m->groups.count; i++) (*start)[i + 1] += (*start)[i];
    int *next = rb_new_array(arena, int, m->groups.count);
    for (int i = 0; i < n; i++) (*states)[(*start)[owner[i]] + next[owner[i]]++] = i;
}

// A coordinate changes with its own speed alone, a quaternion with itself and three of them.
// ORDER add_rates in jacobian.c
static void couple_rates(const Mechanism *m, RbCouplings *c, int body) {
    const RbJoint *j = rb_tree_joint(&m->structure.tree, body);
    int nv = m->structure.tree.nq + j->v, direct = rb_joint_ndirect(j);
    for (int i = 0; i < direct; i++) rb_couplings_derivative_state(c, j->q + i, nv + i);
    for (int i = direct; i < rb_joint_nq(j); i++) {
        for (int k = 0; k < 4; k++) rb_couplings_derivative_state(c, j->q + i, j->q + direct + k);
        for (int k = 0; k < 3; k++) rb_couplings_derivative_state(c, j->q + i, nv + direct + k);
    }
}

// ORDER rb_mechanism_jacobian: rates and rows of each group, then elements and contacts
void rb_mechanism_couplings(const Mechanism *m, RbCouplings *c) {
    int *start, *states, a, b;
    const double *discrete = rb_couplings_discrete(c);
    sort_states(m, c->arena, &start, &states);
    for (int i = 0; i < m->groups.count && m->structure.tree.bodies.count > 1; i++) {
        RbSpan span = rb_mechanism_span(m, i);
        for (int body = span.first; body < span.end; body++) couple_rates(m, c, body);
        couple_groups(m, c, start, states, i, i);
    }
    for (int i = 0; i < m->scene->springs.count; i++) {
        couple_both(m, c, start, states, m->forces.springs[i].a.body, m->forces.springs[i].b.body);
    }
    for (int i = 0; i < m->scene->bushings.count; i++) {
        couple_both(m, c, start, states, m->forces.bushings[i].a.body,
                    m->forces.bushings[i].b.body);
    }
    for (int i = 0; i < m->scene->world_forces.count; i++) {
        couple_both(m, c, start, states, m->forces.world_forces[i].apply.body,
                    m->forces.world_forces[i].axes.body);
    }
    for (int i = 0; i < m->scene->solids.count; i++) {
        if (rb_mechanism_solids_touch(m, discrete, i))
            couple_both(m, c, start, states, m->forces.solids[i].a.body,
                        m->forces.solids[i].b.body);
    }
    const double *slots = discrete + m->contact.slots;
    for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++) {
        if (!rb_slot_pair(m->contact.setup, slots, i, &a, &b)) continue;
        couple_both(m, c, start, states, m->contact.setup->elements[a].body,
                    m->contact.setup->elements[b].body);
    }
    if (m->soft) {
        const RbTree *tree = &m->structure.tree;
        rb_mechanism_soft_couplings(m, c, tree->nq + tree->nv + m->sticking.states);
    }
}
