// SPDX-License-Identifier: MIT
// Soft bodies in a scene (docs/theory/soft.md, section 8): their molecules are states of the component, behind all others. Collidable objects
// are walls for them, with the reaction on their bodies; molecules that an object holds move with it, and what acts on them acts on it.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "component/saver.h"
#include "component/segment.h"
#include "deform/scene_modelica.h"
#include "deform/soft_data.h"
#include "multibody/driven.h"
#include "multibody/matter.h"

// A molecule that an object holds.
typedef struct Hold {
    int molecule, object;
    Vec3 point; // [m] in the frame of the object
} Hold;

struct SoftParts {
    RbArena *arena;
    RbSoftScene scene;      // in the world, as it is now
    SoftMemberValues known; // values as the parameters had them last
    Soft soft;
    Hold *holds;
    int hold_count;
    double *values; // room for what a checkpoint has of them (visit_values)
    bool restored;  // values are from a checkpoint, and not yet in the bodies
    bool resumes;   // this run goes on from a checkpoint
    // of the segment
    RbSoftWall *walls; // as they are given: without poses
    int *wall_objects;
    int wall_count;
    int torn; // discrete values: connections that were torn, and their energy; if they can be
    double *held_mass;  // [kg] per hold: of its molecule
    RigidInertia *held; // per object: of the molecules that it holds, in its frame
    double *weighed_at; // coordinates and speeds of joints for which that is so
};

// One caller's memory.
struct SoftPartsWork {
    SoftWork *soft;
    RbSoftWall *walls;
};

int rb_mechanism_soft_states(const Mechanism *m) {
    return rb_soft_state_count(&m->soft->soft);
}

static int first_state(const Mechanism *m) { // in the vectors of the tree
    return m->structure.tree.nq + m->structure.tree.nv + m->sticking.states;
}

const Soft *rb_mechanism_soft(const Mechanism *m) {
    return &m->soft->soft;
}

// ---- the start of a run

static RbMoving *moving_at_start(const Mechanism *m, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    RbKin kin = rb_kin(tree, arena);
    rb_kin_positions(tree, m->structure.q, &kin);
    rb_kin_velocities(tree, m->structure.v, &kin);
    RbMoving *moving = rb_new_array(arena, RbMoving, tree->bodies.count);
    for (int i = 0; i < tree->bodies.count; i++)
        moving[i] = (RbMoving){kin.bodies[i].X, kin.bodies[i].V};
    return moving;
}

// Where an object is and how it moves.
static RbMoving object_motion(const Mechanism *m, const RbMoving *moving, int object) {
    RbFrame frame = m->structure.frame[object];
    const RbMoving *body = &moving[frame.body];
    RbMoving out = {.X = pose_mul(body->X, frame.X_BF), .V = body->V};
    out.V.v = v3_add(body->V.v, v3_cross(body->V.w, v3_sub(out.X.r, body->X.r)));
    return out;
}

static Vec3 velocity_at(const RbMoving *o, Vec3 p) {
    return v3_add(o->V.v, v3_cross(o->V.w, v3_sub(p, o->X.r)));
}

static RbSoftMaterial *copy_materials(const RbSoftScene *s, RbArena *arena) {
    RbSoftMaterial *copy = rb_new_array(arena, RbSoftMaterial, s->materials.count);
    memcpy(copy, s->materials.data, (size_t)s->materials.count * sizeof *copy);
    return copy;
}

// From the frames of objects to the world.
static void place_bodies(const Mechanism *m, struct SoftParts *s, RbSegment *g) {
    const RbSceneSoft *given = &m->scene->soft;
    RbArena scratch = g->scratch;
    const RbMoving *moving = moving_at_start(m, &scratch);
    s->scene = *given->bodies;
    s->scene.molecules.data = rb_new_array(s->arena, RbMolecule, s->scene.molecules.count);
    s->scene.materials.data = copy_materials(given->bodies, s->arena);
    s->known = (SoftMemberValues){copy_materials(given->bodies, s->arena),
                                  rb_new_array(s->arena, double, s->scene.objects.count)};
    for (int i = 0; i < s->scene.molecules.count; i++) {
        RbMolecule p = given->bodies->molecules.data[i];
        RbMoving frame = object_motion(m, moving, given->frames.data[p.object]);
        p.r = pose_point(frame.X, p.r);
        p.v = v3_add(m3_mul_vec(frame.X.R, p.v), velocity_at(&frame, p.r));
        s->scene.molecules.data[i] = p;
    }
    s->hold_count = given->holds.count;
    s->holds = rb_new_array(s->arena, Hold, s->hold_count);
    for (int i = 0; i < s->hold_count; i++) {
        const RbSceneHold *h = &given->holds.data[i];
        RbMolecule *p = &s->scene.molecules.data[h->molecule];
        RbMoving o = object_motion(m, moving, h->object);
        p->fixed = true;
        s->holds[i] = (Hold){h->molecule, h->object, pose_unpoint(o.X, p->r)};
    }
    for (int i = 0; i < s->scene.objects.count; i++)
        s->known.friction[i] = s->scene.molecules.data[s->scene.objects.data[i].first].friction;
}

// ---- what a checkpoint has of them

static int value_count(const RbSceneSoft *given) {
    const RbSoftScene *s = given->bodies;
    return 8 * s->materials.count + s->objects.count + 4 * s->molecules.count +
           3 * given->holds.count;
}

static void move(double *a, double *b, bool back) {
    *(back ? a : b) = *(back ? b : a);
}

static void visit_material(RbSoftMaterial *m, double *values, bool back) {
    move(&m->youngs_modulus, values, back);
    move(&m->density, values + 1, back);
    move(&m->damping, values + 2, back);
    move(&m->medium_density, values + 3, back);
}

static void visit_point(Vec3 *p, double *values, bool back) {
    move(&p->x, values, back);
    move(&p->y, values + 1, back);
    move(&p->z, values + 2, back);
}

// All that may have changed since the start, or cannot be found anew, to a list of values, or back: materials, the places at the start, from
// which lengths at rest are made, and where molecules are held.
static void visit_values(struct SoftParts *s, double *values, bool back) {
    for (int i = 0; i < s->scene.materials.count; i++, values += 8) {
        visit_material(&s->scene.materials.data[i], values, back);
        visit_material(&s->known.materials[i], values + 4, back);
    }
    for (int i = 0; i < s->scene.objects.count; i++, values++)
        move(&s->known.friction[i], values, back);
    for (int i = 0; i < s->scene.molecules.count; i++, values += 4) {
        visit_point(&s->scene.molecules.data[i].r, values, back);
        move(&s->scene.molecules.data[i].friction, values + 3, back);
    }
    for (int i = 0; i < s->hold_count; i++, values += 3)
        visit_point(&s->holds[i].point, values, back);
}

static RbStatus make_parts(Mechanism *m, RbSegment *g) {
    if (rb_gravity_varies(&m->scene->gravity))
        return rb_fail(g->diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "soft bodies know uniform gravity only, not that of a point or a function");
    struct SoftParts *s = m->soft ? m->soft : rb_new(m->arena, struct SoftParts);
    m->soft = s;
    s->arena = m->arena;
    place_bodies(m, s, g);
    s->resumes = s->restored;
    if (s->restored) visit_values(s, s->values, true);
    s->restored = false;
    if (!s->values) s->values = rb_new_array(s->arena, double, value_count(&m->scene->soft));
    s->scene.gravity = m->scene->gravity.kind == RB_GRAVITY_UNIFORM ? m->scene->gravity.g : V3_ZERO;
    s->soft.given = &s->scene;
    s->soft.among_rigid = true;
    return RB_OK;
}

// ---- walls

static double reach_of(const RbGrainWall *wall) {
    double reach = 0;
    if (wall->mesh) {
        const RbMeshNode *root = &wall->mesh->tree.nodes[0];
        return v3_norm(root->centre) + root->radius;
    }
    for (int i = 0; i < wall->part_count; i++)
        reach = fmax(reach, rb_core_reach(&wall->parts[i], POSE_IDENTITY));
    return reach;
}

// A body that holds molecules of a soft one does not touch it.
static const bool *find_ignored(const Mechanism *m, int object, RbArena *arena) {
    const struct SoftParts *s = m->soft;
    bool *ignored = rb_new_array(arena, bool, s->scene.objects.count);
    int body = m->structure.frame[object].body;
    for (int i = 0; i < s->hold_count; i++)
        if (m->structure.frame[s->holds[i].object].body == body)
            ignored[s->scene.molecules.data[s->holds[i].molecule].object] = body != 0;
    for (int i = 0; i < s->hold_count; i++)
        if (s->holds[i].object == object)
            ignored[s->scene.molecules.data[s->holds[i].molecule].object] = true;
    return ignored;
}

static RbStatus make_walls(Mechanism *m, RbSegment *g) {
    struct SoftParts *s = m->soft;
    const RbScene *scene = m->scene;
    s->walls = rb_new_array(g->arena, RbSoftWall, scene->objects.count);
    s->wall_objects = rb_new_array(g->arena, int, scene->objects.count);
    s->wall_count = 0;
    for (int i = 0; i < scene->objects.count && scene->contact && !m->contact.off; i++) {
        const RbSceneObject *o = &scene->objects.data[i];
        const RbSolidMaterial *solid;
        if (!rb_scene_is_wall(o) || !o->solid || m->change.arrangement.absent[i]) continue;
        RbSoftWall *wall = &s->walls[s->wall_count];
        RB_TRY(rb_mechanism_make_wall(o, g, g->arena, &wall->shape));
        RB_TRY(rb_materials_solid(&scene->materials, o->solid, o->object.name, o->object.at,
                                  g->diag, &solid));
        bool elastic = solid->elastic.youngs_modulus > 0;
        wall->youngs_modulus = elastic ? solid->elastic.youngs_modulus : INFINITY;
        wall->poisson = elastic ? solid->elastic.poissons_ratio : 0;
        wall->reach = reach_of(&wall->shape);
        wall->name = o->object.name;
        wall->moves = m->structure.frame[i].body > 0;
        wall->ignores = find_ignored(m, i, g->arena);
        s->wall_objects[s->wall_count++] = i;
    }
    return RB_OK;
}

static void place_walls(const Mechanism *m, const RbMoving *moving, RbSoftWall *walls) {
    for (int k = 0; k < m->soft->wall_count; k++) {
        RbMoving o = object_motion(m, moving, m->soft->wall_objects[k]);
        walls[k].shape.X = o.X;
        walls[k].shape.V = o.V;
    }
}

// Bodies that begin in each other would be thrown apart.
static RbStatus check_walls(const Mechanism *m, RbSegment *g) {
    const double most = 0.25; // of the room
    const struct SoftParts *s = m->soft;
    RbArena scratch = g->scratch;
    Vec3 *r = rb_new_array(&scratch, Vec3, s->scene.molecules.count);
    for (int i = 0; i < s->scene.molecules.count; i++) r[i] = s->scene.molecules.data[i].r;
    place_walls(m, moving_at_start(m, &scratch), s->walls);
    for (int k = 0; k < s->wall_count; k++) {
        int i = 0;
        if (!(rb_soft_wall_depth(&s->soft, r, &s->walls[k], &i) > most)) continue;
        const RbMolecule *p = &s->scene.molecules.data[i];
        return rb_fail(
            g->diag, RB_ERROR_MODEL, s->scene.objects.data[p->object].at,
            "'%s' and '%s' overlap at the start, at (%.4g, %.4g, %.4g) m; move them apart",
            s->scene.objects.data[p->object].name, s->walls[k].name, r[i].x, r[i].y, r[i].z);
    }
    return RB_OK;
}

// ---- segments

// Molecules that are held are part of the object that holds them, and so is their mass.
static void find_held(struct SoftParts *s, int objects, RbArena *arena) {
    s->held_mass = rb_new_array(arena, double, s->hold_count);
    s->held = rb_new_array(arena, RigidInertia, objects);
    for (int i = 0; i < s->hold_count; i++) {
        const Hold *h = &s->holds[i];
        double mass = s->held_mass[i] = s->soft.network.mass[h->molecule];
        RigidInertia point = ri_from_com(mass, h->point, s3_diagonal(0));
        s->held[h->object] = ri_add(s->held[h->object], point);
    }
}

RigidInertia rb_mechanism_held(const Mechanism *m, int object) {
    return m->soft && m->soft->held ? m->soft->held[object] : (RigidInertia){0};
}

// To the bodies that hold them; with the sign -1 taken from them.
static void add_held(Mechanism *m, double sign) {
    for (int i = 1; i < m->structure.object_count; i++) {
        RbFrame frame = m->structure.frame[i];
        RigidInertia held = m->soft->held[i], *body;
        if (frame.body <= 0 || m->change.arrangement.absent[i] || !(held.m > 0)) continue;
        body = &m->structure.tree.bodies.data[frame.body].inertia;
        held = ri_move(frame.X_BF, held);
        held = (RigidInertia){sign * held.m, v3_scale(sign, held.h), s3_scale(sign, held.I)};
        *body = ri_add(*body, held);
    }
}

// Masses of molecules follow from their network.
static RbStatus weigh(Mechanism *m, RbSegment *g) {
    struct SoftParts *s = m->soft;
    if (m->members) rb_members_soft_values(m->members, g, &s->scene, &s->known);
    s->soft.scene = s->scene;
    RB_TRY(rb_network_build(&s->soft.scene, g->arena, g->scratch, g->diag, &s->soft.network));
    find_held(s, m->structure.object_count, g->arena);
    add_held(m, 1);
    return RB_OK;
}

static size_t joint_bytes(const Mechanism *m, bool speeds) {
    return (size_t)(speeds ? m->structure.tree.nv : m->structure.tree.nq) * sizeof(double);
}

RbStatus rb_mechanism_weigh_soft(Mechanism *m, RbSegment *g) {
    if (!m->scene->soft.bodies) return RB_OK;
    if (m->first) RB_TRY(make_parts(m, g));
    RB_TRY(weigh(m, g));
    int nq = m->structure.tree.nq;
    m->soft->weighed_at = rb_new_array(g->arena, double, nq + m->structure.tree.nv);
    memcpy(m->soft->weighed_at, m->structure.q, joint_bytes(m, false));
    memcpy(m->soft->weighed_at + nq, m->structure.v, joint_bytes(m, true));
    return RB_OK;
}

// Loops that were closed and joints that equations place have moved what holds them at the start.
static RbStatus weigh_again(Mechanism *m, RbSegment *g) {
    struct SoftParts *s = m->soft;
    const double *q = s->weighed_at, *v = q + m->structure.tree.nq;
    if (memcmp(q, m->structure.q, joint_bytes(m, false)) == 0 &&
        memcmp(v, m->structure.v, joint_bytes(m, true)) == 0)
        return RB_OK;
    add_held(m, -1);
    place_bodies(m, s, g);
    return weigh(m, g);
}

static void declare_torn(Mechanism *m, RbSegment *g) {
    struct SoftParts *s = m->soft;
    if (!s->soft.can_tear) return;
    int count;
    const double *old = m->first ? NULL : rb_segment_old_discrete(g, &count);
    double torn = old ? old[s->torn] : 0, energy = old ? old[s->torn + 1] : 0;
    s->torn = rb_segment_discrete(
        g, &(RbDiscreteSpec){"torn", torn, "1", "connections of soft bodies that are torn"});
    rb_segment_discrete(g, &(RbDiscreteSpec){"energy.torn", energy, "J",
                                             "that was in connections when they were torn"});
}

double rb_mechanism_soft_lost(const Mechanism *m, const RbEval *e) {
    return m->soft && m->soft->soft.can_tear ? e->discrete[m->soft->torn + 1] : 0;
}

RbStatus rb_mechanism_start_soft(Mechanism *m, RbSegment *g) {
    if (!m->scene->soft.bodies) return RB_OK;
    struct SoftParts *s = m->soft;
    if (m->first && !s->resumes) RB_TRY(weigh_again(m, g));
    int count;
    const double *old = rb_segment_old_states(g, &count);
    if (old) old += count - rb_mechanism_soft_states(m);
    RB_TRY(rb_soft_start(&s->soft, g, old));
    declare_torn(m, g);
    RB_TRY(make_walls(m, g));
    if (m->first && !s->resumes) RB_TRY(check_walls(m, g));
    if (m->first) {
        rb_soft_tell_thin(&s->soft, g->diag);
        rb_soft_tell_coarse(&s->soft, g->diag);
    }
    double step = rb_soft_stable_step(&s->soft, g->scratch), path = rb_soft_path_step(&s->soft);
    s->soft.step = fmin(step, path);
    rb_segment_max_step(g, path);
    if (step >= RB_SOFT_SHORTEST_EXPLICIT)
        rb_segment_nonstiff(g);
    else
        rb_segment_vibrates(g);
    return RB_OK;
}

// Places and materials of soft bodies are their own; what is pulled at all of them is the scene's.
void rb_mechanism_renew_soft(Mechanism *m) {
    const RbGravity *g = &m->scene->gravity;
    if (m->soft) m->soft->scene.gravity = g->kind == RB_GRAVITY_UNIFORM ? g->g : V3_ZERO;
}

void rb_mechanism_open_soft(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    if (!m->soft) return;
    const struct SoftParts *s = m->soft;
    w->soft = rb_new(arena, struct SoftPartsWork);
    void *memory = rb_arena_push(arena, rb_soft_work_size(&s->soft), alignof(max_align_t));
    w->soft->soft = rb_soft_work(&s->soft, memory);
    void *near =
        rb_arena_push(arena, rb_soft_near_size(&s->soft, s->wall_count) + 1, alignof(max_align_t));
    rb_soft_near_open(&s->soft, s->wall_count, near, w->soft->soft);
    w->soft->walls = rb_new_array(arena, RbSoftWall, s->wall_count);
    memcpy(w->soft->walls, s->walls, (size_t)s->wall_count * sizeof *s->walls);
}

// ---- evaluation

static void gather(const Mechanism *m, const double *x, const MechanismWork *w) {
    const struct SoftParts *s = m->soft;
    SoftWork *sw = w->soft->soft;
    rb_soft_gather(&s->soft, x + first_state(m), sw);
    for (int i = 0; i < s->hold_count; i++) {
        RbMoving o = object_motion(m, w->moving, s->holds[i].object);
        int k = s->holds[i].molecule;
        sw->r[k] = pose_point(o.X, s->holds[i].point);
        sw->v[k] = velocity_at(&o, sw->r[k]);
    }
}

static void load_body(const Mechanism *m, MechanismWork *w, int object, Vec3 at, Wrench load) {
    int body = m->structure.frame[object].body;
    if (body <= 0) return;
    Vec3 arm = v3_sub(at, w->moving[body].X.r);
    w->forces[body].f = v3_add(w->forces[body].f, load.f);
    w->forces[body].t = v3_add(w->forces[body].t, v3_add(load.t, v3_cross(arm, load.f)));
}

RbEvalStatus rb_mechanism_soft_forces(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    const struct SoftParts *s = m->soft;
    const Soft *soft = &s->soft;
    SoftWork *sw = w->soft->soft;
    gather(m, e->x, w);
    rb_soft_start_forces(soft, sw);
    RbNetworkPower lost;
    RbEvalStatus status = rb_soft_inner_forces(soft, e, sw, &lost);
    if (status == RB_EVAL_OK) status = rb_soft_contacts(soft, e, sw);
    if (status != RB_EVAL_OK) return status;
    place_walls(m, w->moving, w->soft->walls);
    status = rb_soft_wall_contacts(soft, e, sw, w->soft->walls, s->wall_count);
    if (status != RB_EVAL_OK) return status;
    if (m->grains) rb_mechanism_add_soft_grain_loads(m, e, w, sw);
    rb_soft_turn(soft, sw);
    for (int k = 0; k < s->wall_count; k++)
        load_body(m, w, s->wall_objects[k], w->soft->walls[k].shape.X.r, w->soft->walls[k].load);
    for (int i = 0; i < s->hold_count; i++) {
        int k = s->holds[i].molecule;
        Vec3 f = v3_axpy(sw->f[k], -s->held_mass[i], s->scene.gravity); // the body weighs that
        load_body(m, w, s->holds[i].object, sw->r[k], (Wrench){V3_ZERO, f});
    }
    w->ledger.dissipated += lost.springs + lost.medium;
    w->ledger.input += rb_network_given_power(&soft->network, e->time, sw->v);
    w->powers.damping += sw->contact_lost;
    w->powers.elastic += sw->contact_energy;
    return RB_EVAL_OK;
}

void rb_mechanism_soft_rates(const Mechanism *m, const RbEval *e, const MechanismWork *w) {
    rb_soft_rates(&m->soft->soft, w->soft->soft, e->dx + first_state(m));
}

double rb_mechanism_soft_kinetic(const Mechanism *m, const MechanismWork *w) {
    const RbNetwork *n = &m->soft->soft.network;
    double energy = 0;
    for (int i = 0; i < n->free_count; i++) {
        int k = n->molecule_of[i];
        energy += 0.5 * n->mass[k] * v3_norm2(w->soft->soft->v[k]);
    }
    return energy;
}

double rb_mechanism_soft_potential(const Mechanism *m, const MechanismWork *w) {
    const RbNetwork *n = &m->soft->soft.network;
    const Vec3 *r = w->soft->soft->r;
    double energy = rb_network_glue_energy(n, r);
    for (int i = 0; i < n->object_count; i++) energy += rb_network_look(n, i, r).energy;
    for (int i = 0; i < n->free_count; i++) {
        int k = n->molecule_of[i];
        energy -= n->mass[k] * v3_dot(n->scene->gravity, r[k]);
    }
    return energy;
}

// Rigid bodies feel soft ones, but the Jacobian does not know.
void rb_mechanism_soft_couplings(const Mechanism *m, RbCouplings *c, int first) {
    rb_soft_couplings(&m->soft->soft, c, first);
}

void rb_mechanism_soft_jacobian(const Mechanism *m, const RbEval *e, double *values) {
    const MechanismWork *w = e->workspace;
    rb_soft_jacobian(&m->soft->soft, w->soft->soft, values);
}

void rb_mechanism_gather_soft(const Mechanism *m, const double *x, MechanismWork *w) {
    gather(m, x, w);
}

SoftWork *rb_mechanism_soft_work(const MechanismWork *w) {
    return w->soft->soft;
}

// ---- events

// All bodies, rigid and soft, from the states of the component.
static void move_all(const Mechanism *m, const double *x, MechanismWork *w) {
    const double *full = rb_driven_states(m, x, w);
    rb_mechanism_move(m, full, w);
    gather(m, full, w);
}

static void move_to(const Mechanism *m, const RbStepView *step, double time, MechanismWork *w) {
    if (m->driven.own)
        rb_step_evaluate(step, time, w->step.x);
    else
        rb_step_states(step, time, w->step.x);
    move_all(m, w->step.x, w);
}

static bool is_torn_at(const Mechanism *m, const RbStepView *step, double time, MechanismWork *w) {
    move_to(m, step, time, w);
    return rb_network_tear(&m->soft->soft.network, w->soft->soft->r) > 0;
}

// The first time in the step at which a spring is too long, by bisection; INFINITY: none is.
static double find_tear(const Mechanism *m, const RbStepView *step, MechanismWork *w) {
    enum { BISECTIONS = 50 };
    double low = step->t0, high = step->t1;
    if (!m->soft->soft.can_tear || !is_torn_at(m, step, high, w)) return INFINITY;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        *(is_torn_at(m, step, middle, w) ? &high : &low) = middle;
    }
    return high;
}

// As for soft bodies alone: pairs that are not in the pattern of the Jacobian slow an implicit solver down.
double rb_mechanism_inspect_soft(const Mechanism *m, const RbStepView *step) {
    MechanismWork *w = step->workspace;
    SoftWork *sw = w->soft->soft;
    double tear = find_tear(m, step, w);
    if (tear <= step->t1) return tear;
    if (!sw->implicit) return INFINITY;
    move_to(m, step, step->t1, w); // whatever was evaluated last, which recording decides
    return rb_soft_pattern_lacks(&m->soft->soft, sw) ? step->t1 : INFINITY;
}

RbRestart rb_mechanism_soft_event(Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    Soft *soft = &m->soft->soft;
    SoftWork *sw = w->soft->soft;
    if (event->pass > 0 || event->terminal) return RB_NO_RESTART;
    move_all(m, event->x, w);
    SoftTorn torn = soft->can_tear ? rb_soft_tear(soft, sw->r) : (SoftTorn){0};
    if (torn.count > 0) {
        rb_event_log(event, "%d connection%s torn", torn.count, torn.count > 1 ? "s are" : " is");
        event->discrete[m->soft->torn] += torn.count;
        event->discrete[m->soft->torn + 1] += torn.energy;
        return RB_RESTART;
    }
    if (!rb_sphere_pairs_update(sw->pairs, &soft->network, sw->r)) return RB_NO_RESTART;
    bool lacks = rb_soft_pattern_lacks(soft, sw);
    if (event->initial || lacks) rb_soft_make_pattern(soft, sw);
    return lacks && sw->implicit && !event->initial ? RB_RESTART : RB_NO_RESTART;
}

static RbStatus check_soft(const RbSoftScene *s, const char *name, RbPos at, RbArena scratch,
                           RbDiag *diag) {
    RbNear near = {.wanted = name};
    if (s && rb_soft_scene_find_object(s, name) >= 0) return RB_OK;
    for (int i = 0; s && i < s->objects.count; i++)
        rb_text_try_near(&near, s->objects.data[i].name);
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "an action names the soft body '%s', which does not exist%s", name,
                   rb_text_near_question(&near, "", &scratch));
}

static RbStatus check_reconnection(const RbSoftScene *s, const RbSceneAction *x, RbArena scratch,
                                   RbDiag *diag) {
    RB_TRY(check_soft(s, x->a, x->at, scratch, diag));
    if (x->kind == RB_SCENE_GLUE) return check_soft(s, x->b, x->at, scratch, diag);
    const RbSoftObject *o = &s->objects.data[rb_soft_scene_find_object(s, x->a)];
    if (s->materials.data[s->molecules.data[o->first].material].model != RB_SOFT_SPRINGS)
        return rb_fail(diag, RB_ERROR_MODEL, x->at,
                       "an action cuts '%s', which is of elements: only springs can be cut", x->a);
    if (v3_norm(x->n) > 0 && isfinite(v3_norm2(x->n) + v3_norm2(x->pose.r))) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, x->at,
                   "an action cuts '%s' along a plane without a normal: n is {%g, %g, %g}", x->a,
                   x->n.x, x->n.y, x->n.z);
}

RbStatus rb_mechanism_check_change(const RbScene *s, const RbSceneAction *x, RbArena scratch,
                                   RbDiag *diag) {
    const RbSoftScene *soft = s->soft.bodies;
    if (x->kind != RB_SCENE_CHANGE) return check_reconnection(soft, x, scratch, diag);
    bool small = (x->youngs_modulus >= 0 && x->youngs_modulus < 1e-3) ||
                 (x->density >= 0 && x->density < 1e-3);
    if (small || !isfinite(x->youngs_modulus + x->density + x->damping + x->friction))
        return rb_fail(
            diag, RB_ERROR_MODEL, x->at,
            "an action changes '%s' to E = %g Pa, rho = %g kg/m3, zeta = %g, mu = %g; these "
            "must be numbers, E and rho at least 0.001",
            x->a, x->youngs_modulus, x->density, x->damping, x->friction);
    return check_soft(soft, x->a, x->at, scratch, diag);
}

bool rb_mechanism_reconnect_soft(Mechanism *m, const RbEvent *event, const RbSceneAction *x,
                                 RbArena *text, const char **why) {
    Soft *soft = &m->soft->soft;
    MechanismWork *w = event->workspace;
    int a = rb_soft_scene_find_object(&m->soft->scene, x->a);
    move_all(m, event->x, w);
    const Vec3 *r = w->soft->soft->r;
    if (x->kind == RB_SCENE_CUT) {
        SoftTorn torn = rb_soft_cut(soft, a, x->pose.r, x->n, r);
        rb_event_log(event, "%d connections of '%s' are cut", torn.count, x->a);
        return true;
    }
    int count = rb_soft_glue(soft, a, rb_soft_scene_find_object(&m->soft->scene, x->b), r);
    rb_event_log(event, "'%s' is glued to '%s' with %d connections", x->a, x->b, count);
    if (count == 0) *why = rb_arena_printf(text, "they do not touch");
    return count > 0;
}

// From the next segment on.
void rb_mechanism_change_soft(Mechanism *m, const RbSceneAction *x) {
    RbSoftScene *s = &m->soft->scene;
    const RbSoftObject *o = &s->objects.data[rb_soft_scene_find_object(s, x->a)];
    for (int i = o->first; i < o->first + o->count; i++) {
        RbMolecule *p = &s->molecules.data[i];
        RbSoftMaterial *material = &s->materials.data[p->material];
        if (x->youngs_modulus >= 0) material->youngs_modulus = x->youngs_modulus;
        if (x->density >= 0) material->density = x->density;
        if (x->damping >= 0) material->damping = x->damping;
        if (x->friction >= 0) p->friction = x->friction;
    }
}

// ---- results, pictures, checkpoints

void rb_mechanism_declare_soft_results(const Mechanism *m, RbSegment *g) {
    rb_soft_declare_objects(&m->soft->soft, g);
}

double *rb_mechanism_record_soft(const Mechanism *m, const MechanismWork *w, double *out) {
    return rb_soft_record_objects(&m->soft->soft, w->soft->soft, out);
}

void rb_mechanism_draw_soft(const Mechanism *m, RbDrawing *d) {
    rb_soft_draw(&m->soft->soft, d);
}

void rb_mechanism_show_soft(const Mechanism *m, const MechanismWork *w, RbPicture *picture) {
    rb_soft_show(&m->soft->soft, w->soft->soft, picture);
}

void rb_mechanism_save_soft(const Mechanism *m, RbSaver *saver) {
    rb_save_int(saver, m->soft != NULL);
    if (!m->soft) return;
    rb_soft_save(&m->soft->soft, saver);
    int count = value_count(&m->scene->soft);
    visit_values(m->soft, m->soft->values, false);
    rb_save_int(saver, count);
    rb_save_doubles(saver, m->soft->values, count);
}

bool rb_mechanism_restore_soft(Mechanism *m, RbLoader *loader) {
    int64_t has, count;
    if (!rb_load_int(loader, &has)) return false;
    if (has == 0) return true;
    if (!m->scene->soft.bodies) return false;
    if (!m->soft) m->soft = rb_new(m->arena, struct SoftParts);
    m->soft->arena = m->arena;
    if (m->soft->scene.molecules.count == 0) m->soft->scene = *m->scene->soft.bodies;
    m->soft->scene.arena = m->arena;
    m->soft->soft.given = &m->soft->scene;
    if (!rb_soft_restore(&m->soft->soft, loader)) return false;
    if (!rb_load_int(loader, &count) || count != value_count(&m->scene->soft)) return false;
    m->soft->values = rb_new_array(m->arena, double, (int)count);
    m->soft->restored = true;
    return rb_load_doubles(loader, m->soft->values, (int)count);
}

// ---- as a scene of its own

static RbStatus check_soft_only(const Mechanism *m, RbDiag *diag) {
    const RbScene *s = m->scene;
    const char *what = NULL, *name = "";
    if (s->objects.count > 1) what = "the rigid part", name = s->objects.data[1].object.name;
    if (s->grains.count > 0) what = "particles";
    if (s->programs.count > 0) what = "actions in a when-clause or a program";
    if (m->soft && m->soft->hold_count > 0) what = "a soft body that is held by a frame";
    for (int i = 0; i < s->actions.count; i++)
        if (s->actions.data[i].kind != RB_SCENE_CUT && s->actions.data[i].kind != RB_SCENE_GLUE)
            what = "an action other than Glue and Cut";
    if (!m->soft) return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "the model has no soft bodies");
    if (what)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "the model has %s%s%s%s: a scene of soft bodies has nothing else", what,
                       name[0] ? " '" : "", name, name[0] ? "'" : "");
    return RB_OK;
}

RbStatus rb_multibody_soft_scene(const void *self, RbArena *arena, RbDiag *diag,
                                 RbSoftScene **out) {
    const Mechanism *m = self;
    RB_TRY(check_soft_only(m, diag));
    const RbSoftScene *from = &m->soft->scene;
    RbSoftScene *s = *out = rb_soft_scene_new("scene", arena);
    s->gravity = from->gravity;
    s->neighbours = from->neighbours;
    s->mass = from->mass;
    s->stiffness = from->stiffness;
    s->detection = from->detection;
    s->resolution = from->resolution;
    for (int i = 0; i < from->materials.count; i++) {
        RbSoftMaterial p = from->materials.data[i];
        p.name = rb_plain_name(p.name, arena);
        rb_soft_scene_add_material(s, &p);
    }
    for (int i = 0; i < from->objects.count; i++) {
        const RbSoftObject *o = &from->objects.data[i];
        int object = rb_soft_scene_add_object(s, rb_plain_name(o->name, arena), RB_NOWHERE);
        s->objects.data[object].self_contact = o->self_contact;
        s->objects.data[object].placement = o->placement;
        for (int k = o->first; k < o->first + o->count; k++) {
            const RbMolecule *p = &from->molecules.data[k];
            rb_soft_scene_add_molecule(s, p);
            for (int n = 0; n < p->force_count; n++)
                rb_soft_scene_add_force(s, &from->forces.data[p->force + n]);
        }
        for (int k = o->tet; k < o->tet + o->tet_count; k++)
            rb_soft_scene_add_tet(s, &from->tets.data[k]);
    }
    for (int i = 0; i < m->scene->actions.count; i++) {
        const RbSceneAction *x = &m->scene->actions.data[i];
        RbSoftChange c = {.kind = x->kind == RB_SCENE_GLUE ? RB_SOFT_GLUE : RB_SOFT_CUT,
                          .time = x->time,
                          .a = rb_plain_name(x->a, arena),
                          .b = x->b ? rb_plain_name(x->b, arena) : NULL,
                          .point = x->pose.r,
                          .normal = x->n};
        rb_soft_scene_add_change(s, &c);
    }
    return RB_OK;
}
