// SPDX-License-Identifier: MIT
// Contact of soft bodies with rigid shapes (docs/theory/soft.md, section 8): spheres of molecules, or vertices of surfaces, against every
// face, edge or part of a shape that is nearest to them. The law is that of two molecules (penalty.h); the reaction acts on the wall
// where it is touched.
#include "deform/soft_data.h"

static const double SPHERE_ROOM = 0.8;  // [radius] the centre stays before the wall
static const double SURFACE_ROOM = 0.4; // [radius] that a vertex may be in a wall
static const double SOFT_POISSON = 0.25;
static const double GRIP = 0.5; // as between molecules
enum { MOST_FEATURES = 16 };    // that one point touches

// A point that may touch a wall: a molecule, or a vertex.
typedef struct Toucher {
    const Soft *soft;
    const RbEval *eval;
    SoftWork *w;
    RbSoftWall *wall;
    const RbSkinVertex *vertex; // NULL: a molecule
    int object, molecule;       // of a vertex: the nearest
    Vec3 r, v;
    double offset; // [m] it touches nearer than this
    double share;  // of the force between a molecule and the wall
    int seen[MOST_FEATURES], seen_count;
    RbEvalStatus status;
} Toucher;

static RbPenalty law_of(const Toucher *t) {
    const RbNetwork *n = &t->soft->network;
    const RbMolecule *m = &n->scene->molecules.data[t->molecule];
    const RbSoftMaterial *a = &n->scene->materials.data[m->material];
    double soft = (1 - SOFT_POISSON * SOFT_POISSON) / a->youngs_modulus,
           hard = (1 - t->wall->poisson * t->wall->poisson) / t->wall->youngs_modulus;
    double mass = n->mass[t->molecule], spacing = n->objects[t->object].spacing;
    RbPenalty law = {.reach = m->radius, .friction = m->friction, .step = t->soft->step};
    law.bristle = rb_soft_bristle_length(m->radius);
    law.room = (t->vertex ? SURFACE_ROOM : SPHERE_ROOM) * m->radius;
    law.strength = n->scene->stiffness * 4.0 / 3 / (soft + hard) * sqrt(m->radius);
    law.viscosity = 2 * a->damping * sqrt(mass * t->share);
    law.grip = GRIP * sqrt(0.4 * a->youngs_modulus * spacing * mass);
    law.strength *= t->share;
    return law;
}

static Vec3 wall_velocity(const RbSoftWall *wall, Vec3 p) {
    const RbGrainWall *s = &wall->shape;
    return v3_add(s->V.v, v3_cross(s->V.w, v3_sub(p, s->X.r)));
}

static void push(Toucher *t, Vec3 f) {
    if (t->vertex)
        rb_skin_push(t->vertex, t->w->r, f, t->w->f);
    else
        t->w->f[t->molecule] = v3_add(t->w->f[t->molecule], f);
}

// How the force changes with place and velocity of the molecule, if the wall is flat: the foot moves along. Of walls that move nothing is in the matrix, neither
// in the rows of molecules nor in theirs: one without the other would lose momentum in every step.
static void add_slopes(Toucher *t, const RbPenalty *law, Vec3 apart, Vec3 speed, double drag,
                       Vec3 n) {
    Mat3 by_r, by_v;
    rb_penalty_slopes(law, apart, speed, drag, &by_r, &by_v);
    by_r = m3_mul(by_r, m3_outer(n, n));
    for (int i = 0; i < (t->vertex ? t->vertex->count : 1); i++) {
        double share = t->vertex ? t->vertex->weight[i] * t->vertex->weight[i] : 1;
        Mat3 *slopes = t->w->wall_slopes + 2 * (t->vertex ? t->vertex->molecule[i] : t->molecule);
        slopes[0] = m3_sub(slopes[0], m3_scale(share, by_r));
        slopes[1] = m3_sub(slopes[1], m3_scale(share, by_v));
    }
}

// Friction at the foot; the point is `arm` away from it.
static RbRub rub(Toucher *t, const RbPenalty *law, double press, Vec3 speed, Vec3 arm, Vec3 n) {
    if (!(law->friction > 0)) return (RbRub){0};
    Vec3 slip = v3_sub(rb_soft_velocity_beside(t->soft, t->w, t->molecule, arm), speed);
    slip = v3_axpy(slip, -v3_dot(slip, n), n);
    Vec3 z = rb_soft_bristle(t->soft, t->w, t->molecule, -1, n);
    RbRub rub = rb_penalty_rub(law, press, slip, z);
    rb_soft_draw_out(t->w, t->molecule, -1, &rub, z, press);
    rb_soft_couple(t->soft, t->w, t->molecule, arm, rub.force);
    t->w->contact_lost -= v3_dot(rub.force, slip);
    return rub;
}

// The wall is touched at its point that is nearest to the toucher, n from there to it.
static void touch(Toucher *t, double distance, Vec3 n) {
    RbPenalty law = law_of(t);
    Vec3 arm = v3_scale(-distance, n), foot = v3_add(t->r, arm);
    Vec3 apart = v3_scale(-(distance + law.reach - t->offset), n);
    Vec3 speed = v3_sub(wall_velocity(t->wall, foot), t->v);
    RbPenaltyForce force;
    if (!rb_penalty_force(&law, apart, speed, &force)) {
        t->status =
            rb_eval_retry(t->eval, "'%s' has come too deep into '%s'; a smaller step is needed",
                          t->soft->network.objects[t->object].name, t->wall->name);
        return;
    }
    RbRub friction = rub(t, &law, force.press, speed, arm, n);
    Vec3 f = v3_axpy(friction.force, -force.press, force.n);
    push(t, f);
    if (t->w->implicit && !t->wall->moves) add_slopes(t, &law, apart, speed, friction.drag, n);
    Wrench *load = &t->wall->load;
    load->f = v3_sub(load->f, f);
    load->t = v3_sub(load->t, v3_cross(v3_sub(foot, t->wall->shape.X.r), f));
    t->w->press[t->object] = v3_add(t->w->press[t->object], f);
    t->w->contact_energy += force.energy;
    t->w->contact_lost += force.lost;
    t->w->touching++;
    t->w->against_walls++;
}

// Told of a feature that may be touched, perhaps more than once.
static void try_feature(void *user, int feature) {
    Toucher *t = user;
    for (int i = 0; i < t->seen_count; i++)
        if (t->seen[i] == feature) return;
    if (t->seen_count < MOST_FEATURES) t->seen[t->seen_count++] = feature;
    int hint = 0;
    Vec3 n;
    double distance = rb_grain_wall_distance(&t->wall->shape, feature, t->r, t->offset, &hint, &n);
    if (distance < t->offset && t->status == RB_EVAL_OK) touch(t, distance, n);
}

static void try_point(Toucher *t) {
    t->seen_count = 0;
    rb_grain_wall_near(&t->wall->shape, t->r, fmax(t->offset, 0), try_feature, t);
}

// ---- what is near

static const double NEAR_SKIN = 0.6; // [radius] further away than its offset a point is listed
static const double MOVED =
    0.15; // [radius] that a molecule may have moved since: surfaces move a little more

static int point_count(const Soft *soft, int object) {
    return soft->skins ? soft->skins[object].mesh.vertex_count
                       : soft->network.objects[object].count;
}

static size_t aligned(size_t bytes) {
    return (bytes + 15) & ~(size_t)15;
}

size_t rb_soft_near_size(const Soft *soft, int walls) {
    const RbNetwork *n = &soft->network;
    size_t size = aligned((size_t)(n->object_count * walls) * sizeof(SoftNear)) +
                  aligned((size_t)(n->count * walls) * sizeof(Vec3));
    for (int i = 0; i < n->object_count; i++)
        size += (size_t)walls * aligned((size_t)point_count(soft, i) * sizeof(int));
    return size;
}

void rb_soft_near_open(const Soft *soft, int walls, void *memory, SoftWork *w) {
    const RbNetwork *n = &soft->network;
    unsigned char *at = memory;
    w->near = memory;
    at += aligned((size_t)(n->object_count * walls) * sizeof(SoftNear));
    w->near_at = (Vec3 *)at;
    at += aligned((size_t)(n->count * walls) * sizeof(Vec3));
    for (int i = 0; i < n->object_count * walls; i++) {
        w->near[i].points = (int *)at;
        at += aligned((size_t)point_count(soft, i / walls) * sizeof(int));
    }
}

// Places as seen from the wall: a wall that only moves with what lies on it needs no new list.
static bool list_holds(const Toucher *t, const SoftNear *near, const Vec3 *at) {
    const RbNetworkObject *o = &t->soft->network.objects[t->object];
    double moved = MOVED * t->soft->network.scene->molecules.data[o->first].radius;
    if (!near->valid) return false;
    for (int i = o->first; i < o->first + o->count; i++) {
        Vec3 seen = pose_unpoint(t->wall->shape.X, t->w->r[i]);
        if (!(v3_norm2(v3_sub(seen, at[i])) <= moved * moved)) return false;
    }
    return true;
}

static double offset_of(const Toucher *t, int molecule) {
    double radius = t->soft->network.scene->molecules.data[molecule].radius;
    if (!t->soft->skins) return radius;
    // surfaces of triangles know outside distances alone: there it stays a little before them
    return t->wall->shape.mesh ? 0.5 * radius : 0;
}

// Where point number i is.
static void load_point(Toucher *t, int i) {
    const RbNetworkObject *o = &t->soft->network.objects[t->object];
    t->vertex = t->soft->skins ? &t->soft->skins[t->object].vertices[i] : NULL;
    t->molecule = t->vertex ? t->vertex->molecule[0] : o->first + i;
    t->r = t->vertex ? rb_skin_place(t->vertex, t->w->r) : t->w->r[t->molecule];
    t->offset = offset_of(t, t->molecule);
}

static void note_near(void *user, int feature) {
    (void)feature;
    ((Toucher *)user)->seen_count++;
}

static void list_near(Toucher *t, SoftNear *near, Vec3 *at) {
    const RbNetwork *n = &t->soft->network;
    const RbNetworkObject *o = &n->objects[t->object];
    near->count = 0;
    near->valid = true;
    for (int i = o->first; i < o->first + o->count; i++)
        at[i] = pose_unpoint(t->wall->shape.X, t->w->r[i]);
    for (int i = 0; i < point_count(t->soft, t->object); i++) {
        load_point(t, i);
        if (!t->vertex && n->free_index[t->molecule] < 0) continue;
        double reach =
            fmax(t->offset, 0) + NEAR_SKIN * n->scene->molecules.data[t->molecule].radius;
        if (!(v3_distance(t->r, t->wall->shape.X.r) < t->wall->reach + reach)) continue;
        t->seen_count = 0;
        rb_grain_wall_near(&t->wall->shape, t->r, reach, note_near, t);
        if (t->seen_count > 0) near->points[near->count++] = i;
    }
}

static void move_point(Toucher *t) {
    const RbNetworkObject *o = &t->soft->network.objects[t->object];
    t->share = 1;
    t->v = t->w->v[t->molecule];
    if (!t->vertex) return;
    t->share = t->vertex->area / (o->spacing * o->spacing);
    t->v = rb_skin_velocity(t->vertex, t->w->r, t->w->v);
}

static RbEvalStatus try_points(Toucher *t, SoftNear *near, Vec3 *at) {
    if (!list_holds(t, near, at)) list_near(t, near, at);
    for (int i = 0; i < near->count && t->status == RB_EVAL_OK; i++) {
        load_point(t, near->points[i]);
        move_point(t);
        try_point(t);
    }
    return t->status;
}

static Vec3 middle_of(const RbNetwork *n, int object, const Vec3 *r, double *radius) {
    const RbNetworkObject *o = &n->objects[object];
    Vec3 low = r[o->first], high = low;
    double widest = 0;
    for (int i = o->first; i < o->first + o->count; i++) {
        low = v3_min(low, r[i]), high = v3_max(high, r[i]);
        widest = fmax(widest, n->scene->molecules.data[i].radius);
    }
    *radius = 0.5 * v3_distance(low, high) + 2 * widest;
    return v3_scale(0.5, v3_add(low, high));
}

RbEvalStatus rb_soft_wall_contacts(const Soft *soft, const RbEval *eval, SoftWork *w,
                                   RbSoftWall *walls, int count) {
    RbEvalStatus status = RB_EVAL_OK;
    w->against_walls = 0;
    for (int k = 0; k < count; k++) walls[k].load = WRENCH_ZERO;
    for (int i = 0; w->implicit && i < 2 * soft->network.count; i++) w->wall_slopes[i] = M3_ZERO;
    for (int i = 0; i < soft->network.object_count; i++) {
        double radius;
        Vec3 middle = middle_of(&soft->network, i, w->r, &radius);
        for (int k = 0; k < count && soft->network.objects[i].moves && status == RB_EVAL_OK; k++) {
            RbSoftWall *wall = &walls[k];
            if (wall->ignores[i] || !(v3_distance(middle, wall->shape.X.r) < radius + wall->reach))
                continue;
            Toucher t = {.soft = soft, .eval = eval, .w = w, .wall = wall, .object = i};
            status = try_points(&t, &w->near[i * count + k], w->near_at + k * soft->network.count);
        }
    }
    return status;
}

// ---- at the start

typedef struct Sounding {
    const RbGrainWall *wall;
    Vec3 r;
    double least;
} Sounding;

static void sound_feature(void *user, int feature) {
    Sounding *s = user;
    int hint = 0;
    Vec3 n;
    double distance = rb_grain_wall_distance(s->wall, feature, s->r, INFINITY, &hint, &n);
    s->least = fmin(s->least, distance);
}

double rb_soft_wall_depth(const Soft *soft, const Vec3 *r, const RbSoftWall *wall, int *molecule) {
    const RbNetwork *n = &soft->network;
    double deepest = -INFINITY;
    for (int i = 0; i < n->count; i++) {
        const RbMolecule *m = &n->scene->molecules.data[i];
        if (wall->ignores[m->object] || n->free_index[i] < 0) continue;
        Sounding s = {&wall->shape, r[i], INFINITY};
        rb_grain_wall_near(&wall->shape, r[i], m->radius, sound_feature, &s);
        double depth = (m->radius - s.least) / (SPHERE_ROOM * m->radius);
        if (depth > deepest) deepest = depth, *molecule = i;
    }
    return deepest;
}
