// SPDX-License-Identifier: MIT
#include "dem/cloud_faces.h"

#include <math.h>

#include "contact/press.h"
#include "dem/cloud_parts.h"
#include "dem/face_mesh.h"

// One side of a contact.
typedef struct Side {
    RbCore core;
    Pose X;      // [m] of the shape in the world
    Vec3 centre; // [m] about which torques are wanted
    Motion V;    // [rad/s], [m/s] of that point
    int grain;   // -1: a wall
    const RbGrainWall *wall;
    int part;     // of a wall: a convex one, or a patch of its surface
    double yield; // [1/kg] of a wall
    int material;
} Side;

static const RbClump *face_of(const RbCloud *cloud, int i) {
    if (cloud->body[i] < 0) return NULL;
    const RbClump *form = cloud->forms.data[cloud->bodies.data[cloud->body[i]].form];
    return form->core ? form : NULL;
}

bool rb_cloud_is_face(const RbCloud *cloud, int i) {
    return face_of(cloud, i) != NULL;
}

// A grain that is seen somewhere: a polyhedron, or a ball.
static Side side_of_grain(const RbCloud *cloud, int i, Vec3 seen_by) {
    RbQuad r = cloud->r[i], v = cloud->v[i], w = cloud->w[i];
    Side s = {.centre = v3_add(v3(r.x, r.y, r.z), seen_by),
              .V = {v3(w.x, w.y, w.z), v3(v.x, v.y, v.z)},
              .grain = i,
              .material = (int)w.w};
    const RbClump *form = face_of(cloud, i);
    if (form) {
        s.core = *form->core;
        s.X = pose_mul((Pose){s.centre, cloud->bodies.data[cloud->body[i]].R}, form->frame);
    } else {
        s.core =
            (RbCore){.kind = RB_CORE_POINT, .radius = r.w, .size = 2 * r.w, .frame = POSE_IDENTITY};
        s.X = (Pose){s.centre, M3_IDENTITY};
    }
    return s;
}

double rb_cloud_face_distance(const RbCloud *cloud, int i, const RbCore *core, Pose X) {
    Side s = side_of_grain(cloud, i, V3_ZERO);
    RbGap gap;
    rb_distance(&s.core, core, pose_relative(s.X, X), NULL, &gap);
    return gap.distance;
}

static Side side_of_wall(const RbCloud *cloud, int wall, int part) {
    const RbGrainWall *w = &cloud->walls.data[wall];
    return (Side){.core = w->mesh ? (RbCore){0} : w->parts[part],
                  .X = w->X,
                  .centre = w->X.r,
                  .V = w->V,
                  .grain = -1,
                  .wall = w,
                  .part = part,
                  .yield = w->per_mass,
                  .material = w->material};
}

static Vec3 velocity_at(const Side *s, Vec3 p) {
    return v3_add(s->V.v, v3_cross(s->V.w, v3_sub(p, s->centre)));
}

// [1/kg] How much a force along n at a point moves that point.
static double yield_of(const RbCloud *cloud, const Side *s, Vec3 p, Vec3 n) {
    if (s->grain < 0) return s->yield;
    double mass = cloud->v[s->grain].w;
    if (cloud->body[s->grain] < 0) return 1 / mass;
    const RbGrainBody *b = &cloud->bodies.data[cloud->body[s->grain]];
    Vec3 arm = v3_add(rb_cloud_arm(cloud, s->grain), v3_sub(p, s->centre));
    Vec3 turn = v3_cross(arm, n);
    return 1 / mass + v3_dot(turn, m3_mul_vec(b->yield, turn));
}

// --------------------------------------------------------------------------------------------------
// pressure

// The patch in world axes. A ball has none: its contact is the spot.
static RbPatch patch_of(const Side *a, const Side *b, const RbGap *gap_W, const RbGap *gap_A) {
    RbPatch p = {0};
    if (a->core.kind == RB_CORE_POINT || b->core.kind == RB_CORE_POINT) {
        p.origin = v3_scale(0.5, v3_add(gap_W->point_a, gap_W->point_b));
        p.n = gap_W->normal;
        p.u = v3_perpendicular(p.n), p.v = v3_cross(p.n, p.u);
        return p;
    }
    rb_patch(&a->core, &b->core, pose_relative(a->X, b->X), gap_A, &p);
    return rb_patch_in_world(p, a->X);
}

// [m] Radius of rounded corners; of a ball, its own.
static double spot_of(const Side *a, const Side *b) {
    if (a->core.kind == RB_CORE_POINT) return a->core.radius;
    if (b->core.kind == RB_CORE_POINT) return b->core.radius;
    return 10 * rb_region_reach(&a->core, &b->core);
}

// --------------------------------------------------------------------------------------------------
// friction

typedef struct Rubbing {
    Vec3 force; // [N] on B across n, and along n the torque over the twist radius
    Vec3 slide;
    RbGrip grip;
    double stored, power; // [J], [W]
} Rubbing;

// The slip of the surfaces in the plane and, along n, the speed of twisting at the radius at which it acts. Spring, damper and limit are
// those of grain_law.h, for the radius a of the contact.
static Rubbing rub(const RbGrainLaw *law, const RbFacePair *p, Vec3 slip, double a, double mass,
                   double normal, double half, double since, double h) {
    bool was = (p->touches & RB_GRIPS) != 0;
    double kt = law->tangential * a, brake = law->tangential_damping * sqrt(mass * kt);
    Vec3 spring = v3_axpy(was ? p->slide : V3_ZERO, was ? half : since, slip);
    double pull = kt * v3_norm(spring), limit = law->sliding * normal;
    if (pull > limit) spring = v3_scale(limit / pull, spring);
    Vec3 force = v3_axpy(v3_scale(-kt, spring), -brake, slip); // of both no more than the limit
    double size = v3_norm(force);
    bool slides = size > limit;
    Rubbing r = {.force = slides ? v3_scale(limit / size, force) : force,
                 .slide = v3_axpy(spring, 0.5 * h, slip),
                 .grip = (RbGrip)(RB_GRIPS | (slides ? RB_GRIP_SLIDES : 0)),
                 .stored = 0.5 * kt * v3_norm2(spring)};
    r.power = -v3_dot(r.force, slip);
    return r;
}

// --------------------------------------------------------------------------------------------------
// a contact

// How two overlap, in the world.
typedef struct Overlap {
    bool touches;
    RbGap gap;
    RbPatch patch;
    double depth, spot; // [m]; radius of what rounded corners press with
} Overlap;

static Overlap overlap_of(const RbCloud *cloud, const Side *a, const Side *b) {
    Overlap o = {0};
    RbGap gap;
    Pose X = pose_relative(a->X, b->X);
    if (a->wall && a->wall->mesh) {
        Vec3 centre = pose_unpoint(a->X, b->centre);
        RbFaceOnMesh m =
            rb_face_on_mesh(a->wall->mesh, a->part, &b->core, X, centre, cloud->r[b->grain].w);
        if (!m.touches) return o;
        o = (Overlap){true, rb_gap_in_world(m.gap, a->X), m.patch, m.depth,
                      m.spot * 10 * rb_region_reach(&b->core, &b->core)};
        o.patch = rb_patch_in_world(m.patch, a->X);
        return o;
    }
    rb_distance(&a->core, &b->core, X, NULL, &gap);
    if (!(gap.distance < 0)) return o;
    o = (Overlap){.touches = true,
                  .gap = rb_gap_in_world(gap, a->X),
                  .depth = -gap.distance,
                  .spot = spot_of(a, b)};
    o.patch = patch_of(a, b, &o.gap, &gap);
    return o;
}

static RbFaceContact contact(const RbCloud *cloud, const RbFacePair *pair, const Side *a,
                             const Side *b, bool start) {
    RbFaceContact c = {0};
    Overlap o = overlap_of(cloud, a, b);
    if (!o.touches) return c;
    RbGap gap_W = o.gap;
    RbPatch patch = o.patch;
    Vec3 n = patch.n;
    const RbGrainLaw *pair_law =
        &cloud->options.laws[a->material * cloud->options.materials + b->material];
    RbContactLaw law = {.modulus = 0.75 * pair_law->normal, .dissipation = pair_law->dissipation};
    Motion motion = {v3_sub(b->V.w, a->V.w),
                     v3_sub(velocity_at(b, patch.origin), velocity_at(a, patch.origin))};
    double spot = o.spot, h = cloud->step, depth = o.depth;
    // What is damped is the mass at the centre of the patch, which the pressure finds.
    Vec3 centre = rb_press(&law, &patch, &gap_W, spot, MOTION_ZERO, MOTION_ZERO).point;
    double yield = yield_of(cloud, a, centre, n) + yield_of(cloud, b, centre, n);
    law.mass = 1 / yield;
    RbPressing press = rb_press(&law, &patch, &gap_W, spot, motion, motion);
    Vec3 v = v3_sub(velocity_at(b, press.point), velocity_at(a, press.point));
    if (a->wall) v = v3_sub(v, rb_grain_wall_surface(a->wall, n));
    double along = v3_dot(v, n), spin = v3_dot(motion.w, n), rho = press.twist_radius;
    Vec3 slip = v3_axpy(v3_axpy(v, -along, n), rho * spin, n);
    double radius = sqrt(fmax(patch.area / M_PI, spot * depth));
    double half = start ? -0.5 * cloud->ahead : 0.5 * h;
    double since = start ? 0 : fmin(depth / fmax(press.closing, 1e-300), h);
    Rubbing r = rub(pair_law, pair, slip, radius, law.mass, press.normal, half, since, h);
    double twist = v3_dot(r.force, n);
    Vec3 friction = v3_axpy(r.force, -twist, n);
    c.touches = true;
    c.point = press.point, c.n = n, c.depth = depth;
    c.force = v3_add(friction, v3_axpy(press.side, press.normal, n));
    c.turned = v3_axpy(press.couple, rho * twist, n);
    c.on_b = (Wrench){v3_add(c.turned, v3_cross(v3_sub(c.point, b->centre), c.force)), c.force};
    c.on_a = (Wrench){v3_neg(v3_add(c.turned, v3_cross(v3_sub(c.point, a->centre), c.force))),
                      v3_neg(c.force)};
    c.grip = r.grip, c.slide = r.slide;
    c.normal_stored = press.energy, c.tangential_stored = r.stored;
    c.damping = press.damping_power, c.sliding = r.power;
    c.stiffness = 1.5 * v3_dot(press.elastic.f, n) / depth * yield;
    return c;
}

RbFaceContact rb_cloud_face_contact(const RbCloud *cloud, const RbFacePair *p, bool start) {
    Side grain = side_of_grain(cloud, p->grain, V3_ZERO), other;
    if (p->other < 0) {
        other = side_of_wall(cloud, p->wall, p->part);
        return contact(cloud, p, &other, &grain, start);
    }
    other = side_of_grain(cloud, p->other, cloud->images[p->image]);
    bool first = cloud->id[p->grain] < cloud->id[p->other];
    return contact(cloud, p, first ? &grain : &other, first ? &other : &grain, start);
}

Vec3 rb_cloud_face_branch(const RbCloud *cloud, const RbFacePair *p, Vec3 point) {
    RbQuad r = cloud->r[p->grain];
    Vec3 own = v3_sub(v3(r.x, r.y, r.z), rb_cloud_arm(cloud, p->grain));
    if (p->other < 0) return v3_sub(own, point);
    RbQuad q = cloud->r[p->other];
    Vec3 other = v3_sub(v3(q.x, q.y, q.z), rb_cloud_arm(cloud, p->other));
    return v3_sub(own, v3_add(other, cloud->images[p->image]));
}

// ----------------------------------------------------------------------------------------------------
// all of them

static void add(RbQuad *q, Vec3 v) {
    q->x += v.x, q->y += v.y, q->z += v.z;
}

static void load_wall(RbCloud *cloud, RbGrainChunk *chunk, const RbFacePair *p,
                      const RbFaceContact *c) {
    const RbGrainWall *wall = &cloud->walls.data[p->wall];
    RbWallPowers *powers = &chunk->wall_powers[p->wall];
    Wrench *load = &chunk->loads[p->wall];
    double belt = v3_dot(c->force, rb_grain_wall_surface(wall, c->n));
    powers->contacts++;
    powers->belt += belt;
    powers->slid += c->sliding;
    load->f = v3_add(load->f, c->on_a.f);
    load->t = v3_add(load->t, c->on_a.t);
    chunk->wall_contacts++;
    chunk->powers.driven += belt - v3_dot(c->on_a.f, wall->V.v) - v3_dot(c->on_a.t, wall->V.w);
}

static void note(RbCloud *cloud, RbGrainChunk *chunk, const RbFacePair *p, const RbFaceContact *c) {
    RbGrainPowers *powers = &chunk->powers;
    chunk->stiffest2 = fmax(chunk->stiffest2, c->stiffness);
    double radius = rb_cloud_inner_radius(cloud, p->grain);
    if (p->other >= 0) radius = fmin(radius, rb_cloud_inner_radius(cloud, p->other));
    chunk->deepest = fmax(chunk->deepest, c->depth / radius);
    powers->normal += c->normal_stored, powers->tangential += c->tangential_stored;
    powers->damping += c->damping, powers->sliding += c->sliding;
}

void rb_cloud_press_faces(RbCloud *cloud, RbGrainChunk *chunk, bool start) {
    for (int k = 0; k < chunk->faces.count; k++) {
        RbFacePair *p = &chunk->faces.data[k];
        RbFaceContact c = rb_cloud_face_contact(cloud, p, start);
        p->touches = c.touches ? c.grip : 0;
        p->slide = c.slide;
        if (!c.touches) continue;
        bool own_is_b = p->other < 0 || cloud->id[p->grain] > cloud->id[p->other];
        Wrench own = own_is_b ? c.on_b : c.on_a;
        p->reaction = own_is_b ? c.on_a : c.on_b;
        add(&cloud->f1[p->grain], own.f);
        add(&cloud->t1[p->grain], own.t);
        note(cloud, chunk, p, &c);
        if (p->other < 0)
            load_wall(cloud, chunk, p, &c);
        else
            chunk->contacts++;
    }
}

void rb_cloud_collect_faces(RbCloud *cloud) {
    for (int n = 0; n < cloud->chunk_count; n++) {
        const RbGrainChunk *chunk = &cloud->chunks[n];
        for (int k = 0; k < chunk->faces.count; k++) {
            const RbFacePair *p = &chunk->faces.data[k];
            if (!p->touches || p->other < 0) continue;
            add(&cloud->f1[p->other], p->reaction.f);
            add(&cloud->t1[p->other], p->reaction.t);
        }
    }
}
