// SPDX-License-Identifier: MIT
// Clumps: rigid bodies whose spheres are grains. With h the step, q the orientation, l the angular momentum and
// J the inertia tensor in the world, a step turns one by
//
//     q <- exp(h w + h²/2 w') q,   l <- l + h t        w' = J⁻¹ (t - w x l); l is predicted
//     t <- t(q, w),   w = J⁻¹ l
//     l <- l + h/2 (t - t(old))
//
// of second order, as velocity Verlet with a predicted velocity is. Without torques l is constant to the last bit.
#include <math.h>

#include "dem/cloud_parts.h"

static RbGrainBody *body_at(const RbCloud *cloud, int k) {
    return &cloud->bodies.data[k];
}

static int form_count(const RbCloud *cloud, const RbGrainBody *b) {
    return cloud->forms.data[b->form]->count;
}

// From the centre of mass to a sphere, in the world.
static Vec3 arm_of(const RbCloud *cloud, const RbGrainBody *b, int member) {
    return m3_mul_vec(b->R, v3_scale(b->size, cloud->forms.data[b->form]->places[member]));
}

void rb_cloud_index_bodies(RbCloud *cloud) {
    int first = 0;
    if (cloud->bodies.count == 0) return;
    for (int k = 0; k < cloud->bodies.count; k++) {
        body_at(cloud, k)->first = first;
        first += form_count(cloud, body_at(cloud, k));
    }
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->body[i] >= 0)
            cloud->members[body_at(cloud, cloud->body[i])->first + cloud->member[i]] = i;
    }
    int chunks = (cloud->bodies.count + RB_GRAIN_BODY_CHUNK - 1) / RB_GRAIN_BODY_CHUNK;
    if (chunks > cloud->body_chunk_capacity) {
        cloud->body_chunk_capacity = chunks + chunks / 4;
        cloud->body_chunks =
            rb_new_array(cloud->arena, RbGrainBodyChunk, cloud->body_chunk_capacity);
    }
    cloud->body_chunk_count = chunks;
}

static void for_each_chunk(RbCloud *cloud, RbTeamWork *work) {
    if (cloud->bodies.count > 0) rb_team_run(cloud->team, cloud->body_chunk_count, work, cloud);
}

static int chunk_end(const RbCloud *cloud, int chunk) {
    int end = (chunk + 1) * RB_GRAIN_BODY_CHUNK;
    return end < cloud->bodies.count ? end : cloud->bodies.count;
}

// ---------------------------------------------------------------------------------------------------
// steps

void rb_grain_body_turn(RbGrainBody *b) {
    Vec3 m = b->moments;
    b->R = q_matrix(b->q);
    b->yield = m3_rotate_tensor(b->R, m3_diagonal(v3(1 / m.x, 1 / m.y, 1 / m.z)));
    b->w = m3_mul_vec(b->yield, b->l);
}

static Quat turned(Quat q, Vec3 angle) {
    double phi = v3_norm(angle);
    return phi > 0 ? q_unit(q_mul(q_rotation(v3_scale(1 / phi, angle), phi), q)) : q;
}

// Where a sphere is seen: in the same neighbour of a periodic cell as before, until the next list.
static Vec3 seen_from(const RbCloud *cloud, Vec3 before, Vec3 p) {
    const RbBorders *borders = &cloud->options.borders;
    if (!rb_borders_any(borders)) return p;
    return v3_add(before, rb_borders_nearest(borders, v3_sub(p, before)));
}

// Velocities of the spheres; their places too, if they have moved. [m2] the largest square of a way since the list.
static double set_spheres(RbCloud *cloud, const RbGrainBody *b, bool moved) {
    double most2 = 0;
    for (int k = 0; k < form_count(cloud, b); k++) {
        int i = cloud->members[b->first + k];
        RbQuad *r = &cloud->r[i], *v = &cloud->v[i], *w = &cloud->w[i], from = cloud->listed[i];
        Vec3 d = arm_of(cloud, b, k), u = v3_add(b->v, v3_cross(b->w, d));
        v->x = u.x, v->y = u.y, v->z = u.z;
        w->x = b->w.x, w->y = b->w.y, w->z = b->w.z;
        if (!moved) continue;
        Vec3 p = seen_from(cloud, v3(r->x, r->y, r->z), v3_add(b->r, d));
        r->x = p.x, r->y = p.y, r->z = p.z;
        double way2 = v3_norm2(v3_sub(p, v3(from.x, from.y, from.z)));
        if (!(way2 <= most2)) most2 = way2; // what is no number stays
    }
    return most2;
}

static void predict(void *user, int number) {
    RbCloud *cloud = user;
    RbGrainBodyChunk *chunk = &cloud->body_chunks[number];
    double h = cloud->step, half = 0.5 * h;
    chunk->moved2 = 0;
    chunk->lost = false;
    for (int k = number * RB_GRAIN_BODY_CHUNK; k < chunk_end(cloud, number); k++) {
        RbGrainBody *b = body_at(cloud, k);
        Vec3 by = v3_axpy(v3_scale(h / b->mass, b->f), h, cloud->options.gravity);
        Vec3 spin = m3_mul_vec(b->yield, v3_sub(b->t, v3_cross(b->w, b->l)));
        b->r = v3_add(b->r, v3_axpy(v3_scale(h, b->v), half, by));
        b->v = v3_add(b->v, by);
        b->q = turned(b->q, v3_scale(h, v3_axpy(b->w, half, spin)));
        b->l = v3_axpy(b->l, h, b->t);
        rb_grain_body_turn(b);
        double moved2 = set_spheres(cloud, b, true);
        if (!(moved2 < INFINITY)) chunk->lost = true;
        chunk->moved2 = fmax(chunk->moved2, moved2);
    }
}

void rb_cloud_predict_bodies(RbCloud *cloud) {
    for_each_chunk(cloud, predict);
}

double rb_cloud_body_speed2(const RbCloud *cloud, int k) {
    const RbGrainBody *b = body_at(cloud, k);
    const RbClump *form = cloud->forms.data[b->form];
    double most2 = 0;
    for (int n = 0; n < form->count; n++)
        most2 = fmax(most2, v3_norm2(v3_add(b->v, v3_cross(b->w, arm_of(cloud, b, n)))));
    if (!form->core) return most2;
    double speed = v3_norm(b->v) + b->size * form->reach * v3_norm(b->w);
    return speed * speed;
}

static void correct(void *user, int number) {
    RbCloud *cloud = user;
    RbGrainBodyChunk *chunk = &cloud->body_chunks[number];
    chunk->fastest2 = 0;
    double half = 0.5 * cloud->step;
    for (int k = number * RB_GRAIN_BODY_CHUNK; k < chunk_end(cloud, number); k++) {
        RbGrainBody *b = body_at(cloud, k);
        b->v = v3_axpy(b->v, half / b->mass, v3_sub(b->f1, b->f));
        b->l = v3_axpy(b->l, half, v3_sub(b->t1, b->t));
        b->w = m3_mul_vec(b->yield, b->l);
        set_spheres(cloud, b, false);
        chunk->fastest2 = fmax(chunk->fastest2, rb_cloud_body_speed2(cloud, k));
    }
}

void rb_cloud_correct_bodies(RbCloud *cloud) {
    for_each_chunk(cloud, correct);
}

// ------------------------------------------------------------------------------------------------
// forces

// A medium sees a ball of the same volume.
static Wrench immersed(const RbCloud *cloud, const RbGrainBody *b, double *power) {
    double volume = cloud->forms.data[b->form]->volume;
    return rb_grain_immersed(cloud, b->size * cbrt(volume * 3 / (4 * M_PI)), b->v, b->w, power);
}

static void load(void *user, int number) {
    RbCloud *cloud = user;
    const RbGrainMedium *medium = &cloud->options.medium;
    RbGrainBodyChunk *chunk = &cloud->body_chunks[number];
    chunk->medium = 0;
    for (int k = number * RB_GRAIN_BODY_CHUNK; k < chunk_end(cloud, number); k++) {
        RbGrainBody *b = body_at(cloud, k);
        Wrench sum = WRENCH_ZERO;
        if (medium->density > 0 || medium->viscosity > 0) sum = immersed(cloud, b, &chunk->medium);
        for (int n = 0; n < form_count(cloud, b); n++) {
            RbQuad f = cloud->f1[cloud->members[b->first + n]];
            RbQuad t = cloud->t1[cloud->members[b->first + n]];
            Vec3 force = v3(f.x, f.y, f.z), about = v3_cross(arm_of(cloud, b, n), force);
            sum.f = v3_add(sum.f, force);
            sum.t = v3_add(sum.t, v3_add(v3(t.x, t.y, t.z), about));
        }
        b->f1 = sum.f;
        b->t1 = sum.t;
    }
}

void rb_cloud_load_bodies(RbCloud *cloud) {
    for_each_chunk(cloud, load);
}

void rb_cloud_keep_body_loads(RbCloud *cloud) {
    for (int k = 0; k < cloud->bodies.count; k++) {
        RbGrainBody *b = body_at(cloud, k);
        b->f = b->f1, b->t = b->t1;
    }
}

Vec3 rb_cloud_arm(const RbCloud *cloud, int i) {
    if (cloud->body[i] < 0) return V3_ZERO;
    return arm_of(cloud, body_at(cloud, cloud->body[i]), cloud->member[i]);
}

// [N] That pushes a sphere along n, at the last step.
static double push_on(const RbCloud *cloud, int i, Vec3 n) {
    RbQuad f = cloud->f[i];
    return f.x * n.x + f.y * n.y + f.z * n.z;
}

// A clump that lies on several spheres: what one contact moves is 1 over the acceleration there by a unit of force on each that is
// pushed the same way (n may point to either side); those that hardly are count in part. A contact alone has what (4) says. The forces
// themselves are no measure: they depend on the damping that this is for, and differences between contacts would grow.
// The other side feels as many of them at once.
double rb_cloud_contact_mass(const RbCloud *cloud, int i, Vec3 n, double *contacts) {
    const double most = 4, least = 1.0 / 16; // of that
    const double whole = 0.2;                // of the own force: counts as one
    double mass = cloud->v[i].w;
    *contacts = 1;
    if (cloud->body[i] < 0) return mass;
    const RbGrainBody *b = body_at(cloud, cloud->body[i]);
    Vec3 turn = v3_cross(rb_cloud_arm(cloud, i), n), yields = m3_mul_vec(b->yield, turn);
    double alone = mass / (1 + mass * v3_dot(turn, yields)), own = push_on(cloud, i, n);
    double acceleration = 1 / alone;
    for (int k = 0; k < form_count(cloud, b) && own != 0; k++) {
        int other = cloud->members[b->first + k];
        double part = other == i ? 0 : push_on(cloud, other, n) / (whole * own);
        if (!(part > 0)) continue;
        Vec3 arm = v3_cross(arm_of(cloud, b, k), n);
        acceleration += fmin(1, part) * (1 / mass + v3_dot(arm, yields));
        *contacts += fmin(1, part);
    }
    double shared = acceleration > 0 ? 1 / acceleration : INFINITY;
    return fmin(most * alone, fmax(least * alone, shared));
}

// ------------------------------------------------------------------------------------------------
// energy

double rb_grain_body_kinetic(const RbGrainBody *b) {
    return 0.5 * b->mass * v3_norm2(b->v);
}

double rb_grain_body_turning(const RbGrainBody *b) {
    return 0.5 * v3_dot(b->l, b->w);
}

double rb_cloud_body_energy(const RbCloud *cloud, int k) {
    const RbGrainBody *b = body_at(cloud, k);
    return rb_grain_body_kinetic(b) + rb_grain_body_turning(b) -
           b->mass * v3_dot(cloud->options.gravity, b->r);
}
