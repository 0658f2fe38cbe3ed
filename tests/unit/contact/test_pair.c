// SPDX-License-Identifier: MIT
// Two balls that touch: distance, point of force, spin of the tangent plane and how all of it changes
// when a body moves, in closed form.
#include <string.h>

#include "testing.h"

#include "contact/pair.h"
#include "contact/variation.h"

static const double RA = 0.03, RB = 0.05, DEPTH = 2e-6; // [m]

typedef struct Two {
    Fixture f;
    RbMaterials materials;
    RbShape shapes[2];
    RbCore cores[2];
    RbElement elements[2];
    RbMoving bodies[3];
    RbContactSetup *setup;
    double *slots;
    RbContactState *states;
    RbContactVariation variation;
} Two;

static bool any(const void *user, int a, int b) {
    (void)user, (void)a, (void)b;
    return true;
}

static double mass(void *user, int a, int b, Vec3 point_W, Vec3 n_W) {
    (void)user, (void)a, (void)b, (void)point_W, (void)n_W;
    return 1;
}

static void ignore(void *user, const RbContactChange *change) {
    (void)user, (void)change;
}

static RbStatus build(void *argument) {
    Two *s = argument;
    RB_TRY(rb_materials_read(&s->materials, RB_SOURCE_DIR "/data/materials.json", &s->f.arena,
                             &s->f.diag));
    for (int i = 0; i < 2; i++) {
        double radius = i == 0 ? RA : RB;
        s->shapes[i] = rb_shape_sphere(2 * radius);
        s->cores[i] = (RbCore){.kind = RB_CORE_POINT, .radius = radius, .frame = POSE_IDENTITY};
        s->elements[i] = (RbElement){.side = {.object = "ball", .solid = "Steel"},
                                     .shape = &s->shapes[i],
                                     .core = &s->cores[i],
                                     .body = i + 1,
                                     .X_BS = POSE_IDENTITY,
                                     .reach = radius};
    }
    RB_TRY(rb_contact_setup(s->elements, 2, &s->materials, rb_contact_options(), any, NULL,
                            &s->f.arena, &s->f.diag, &s->setup));
    RbContactWork work = rb_contact_work(s->setup, &s->f.arena);
    s->slots = rb_new_array(&s->f.arena, double, RB_SLOT_SIZE * s->setup->slot_count);
    s->states = rb_new_array(&s->f.arena, RbContactState, s->setup->slot_count);
    int changes = 0;
    ENSURE(rb_contacts_update(s->setup, &work, s->slots, s->bodies, ignore, mass, NULL, &changes));
    ENSURE(changes == 1);
    return RB_OK;
}

// Centres along n, the surfaces DEPTH inside each other; both bodies move and turn.
static void open_two(Two *s, Vec3 n) {
    memset(s, 0, sizeof *s);
    fixture_open(&s->f);
    s->bodies[0].X = POSE_IDENTITY;
    s->bodies[1] = (RbMoving){{v3(0.1, -0.2, 0.3), M3_IDENTITY}, {v3(1, 2, 3), v3(0.01, 0, 0.02)}};
    s->bodies[2] = (RbMoving){{v3_axpy(s->bodies[1].X.r, RA + RB - DEPTH, n), M3_IDENTITY},
                              {v3(-2, 0.5, 4), v3(0, 0.03, -0.01)}};
    ENSURE(rb_protect(&s->f.heap, build, s) == RB_OK);
    Wrench forces[3] = {0};
    RbContactPowers powers = {0};
    rb_contacts_evaluate(s->setup, s->slots, NULL, s->bodies, NULL, s->states, forces, &powers);
    int slot = 0, a, b;
    while (!rb_slot_pair(s->setup, s->slots, slot, &a, &b)) slot++;
    ENSURE(a == 0 && b == 1);
    rb_contact_variation(s->setup, &s->states[slot], s->bodies, &s->variation);
    // Action and reaction: forces cancel, and so do moments about the origin of the world.
    Vec3 moment = V3_ZERO;
    for (int i = 1; i < 3; i++)
        moment = v3_add(moment, v3_add(forces[i].t, v3_cross(s->bodies[i].X.r, forces[i].f)));
    ENSURE(v3_dot(forces[2].f, n) > 0);
    ENSURE(v3_norm(v3_add(forces[1].f, forces[2].f)) <= 1e-15 * v3_norm(forces[1].f));
    ENSURE(v3_norm(moment) <= 1e-14 * v3_norm(forces[1].f));
}

static const Vec3 directions[] = {{1, 0, 0}, {0, 0.6, -0.8}, {-2.0 / 3, 1.0 / 3, 2.0 / 3}};

static void ensure_vec_near(Vec3 a, Vec3 b, double tol) {
    ENSURE_NEAR(v3_distance(a, b), 0, tol);
}

static void gap_and_point_of_force(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        static Two s;
        Vec3 n = directions[k];
        open_two(&s, n);
        RbPairMemory memory = {0};
        Pose X_a = s.bodies[1].X, X_b = s.bodies[2].X;
        RbGap gap = rb_pair_gap(s.setup, 0, 1, &X_a, &X_b, &memory);
        ENSURE_NEAR(gap.distance, -DEPTH, 1e-16);
        ensure_vec_near(gap.normal, n, 1e-15);
        ensure_vec_near(rb_pair_force_point(s.setup, 0, 1, X_a, X_b, &gap),
                        v3_axpy(X_a.r, RA - 0.5 * DEPTH, n), 1e-15);
        ENSURE(rb_pair_is_smooth(s.setup, 0, 1));
        fixture_close(&s.f);
    }
}

// The common normal n = (c_b - c_a)/L of two balls that roll on each other without slip, each point
// of contact at rest: v_b - v_a = w_a x (r_a n) + w_b x (r_b n), so dn/dt = w x n with
// w = (r_a w_a + r_b w_b)/(r_a + r_b).
static void plane_turns_as_the_normal_of_rolling_balls(void **state) {
    (void)state;
    static Two s;
    Vec3 n = directions[2], wa = v3(1, -2, 0.5), wb = v3(3, 1, -4);
    open_two(&s, n);
    ENSURE_NEAR(rb_pair_plane_part(s.setup, 0, 1), RB / (RA + RB), 1e-16);
    Vec3 spin = rb_pair_plane_spin(s.setup, 0, 1, wa, wb, n);
    Vec3 apart = v3_add(v3_cross(wa, v3_scale(RA, n)), v3_cross(wb, v3_scale(RB, n)));
    ensure_vec_near(v3_cross(spin, n), v3_scale(1 / (RA + RB), apart), 1e-15);
    ENSURE_NEAR(v3_dot(spin, n), 0.5 * v3_dot(v3_add(wa, wb), n), 1e-15);
    fixture_close(&s.f);
}

// With L between the centres and q = r_b + d/2 from the point of force to the centre of b: a shift u
// of b gives dn = T u / L; a turn t about the point moves the centre by t x q n.
// p = c_b - q n, where q changes by half of the distance's change n.u.
static void geometry_in_closed_form(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        static Two s;
        Vec3 n = directions[k], u = v3(0.3, -0.7, 0.2);
        open_two(&s, n);
        const RbContactVariation *v = &s.variation;
        double L = RA + RB - DEPTH, q = RB - 0.5 * DEPTH;
        Vec3 across = v3_axpy(u, -v3_dot(u, n), n), swung = v3_scale(q, v3_cross(u, n));
        Vec3 dn = v3_scale(1 / L, across), dn_turn = v3_scale(1 / L, swung);
        ensure_vec_near(m3_mul_vec(v->normal_shift, u), dn, 1e-13);
        ensure_vec_near(m3_mul_vec(v->normal_turn, u), dn_turn, 1e-14);
        ensure_vec_near(m3_mul_vec(v->point_shift, u),
                        v3_sub(v3_axpy(u, -q, dn), v3_scale(0.5 * v3_dot(u, n), n)), 1e-14);
        ensure_vec_near(m3_mul_vec(v->point_turn, u), v3_axpy(swung, -q, dn_turn), 1e-15);
        fixture_close(&s.f);
    }
}

// Nobody can tell where the world's origin is, or whether everything moves along.
static void a_common_motion_changes_nothing(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        static Two s;
        open_two(&s, directions[k]);
        const RbContactVariation *v = &s.variation;
        Motion by = {V3_ZERO, v3(0.2, -0.5, 0.7)};
        for (int what = 0; what < 2; what++) {
            Motion place = what ? MOTION_ZERO : by, velocity = what ? by : MOTION_ZERO;
            RbContactResponse a = rb_contact_vary(v, RB_SIDE_A, place, velocity);
            RbContactResponse b = rb_contact_vary(v, RB_SIDE_B, place, velocity);
            double size = v3_norm(b.on_b.f);
            ENSURE(size > 0);
            ENSURE(v3_norm(v3_add(b.on_a.f, b.on_b.f)) <= 1e-14 * size); // action and reaction
            ENSURE(v3_norm(v3_add(a.on_b.f, b.on_b.f)) <= 1e-9 * size);
            ENSURE(v3_norm(v3_add(a.on_b.t, b.on_b.t)) <= 1e-9 * size);
            ENSURE(v3_norm(v3_add(a.on_a.t, b.on_a.t)) <= 1e-9 * size);
        }
        fixture_close(&s.f);
    }
}

static void forces_of(Two *s, RbSide side, Motion place, Motion velocity, double h,
                      Wrench forces[3]) {
    RbMoving bodies[3];
    RbContactPowers powers = {0};
    memcpy(bodies, s->bodies, sizeof bodies);
    RbMoving *moved = &bodies[side == RB_SIDE_A ? 1 : 2];
    moved->X.r = v3_axpy(moved->X.r, h, place.v);
    moved->V.w = v3_axpy(moved->V.w, h, velocity.w);
    moved->V.v = v3_axpy(moved->V.v, h, velocity.v);
    memset(forces, 0, 3 * sizeof *forces);
    rb_contacts_evaluate(s->setup, s->slots, NULL, bodies, NULL, s->states, forces, &powers);
}

// What rb_contact_vary answers is the slope of what rb_contacts_evaluate computes, by central
// differences: for shifts, velocities and spins of either body.
static void responses_are_slopes_of_the_forces(void **state) {
    (void)state;
    static const struct {
        Motion place, velocity;
        double h;
    } changes[] = {
        {{{0, 0, 0}, {0.3, -0.7, 0.2}}, {{0, 0, 0}, {0, 0, 0}}, 1e-10}, // [m]
        {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0.5, 0.1, -0.4}}, 1e-7},  // [m/s]
        {{{0, 0, 0}, {0, 0, 0}}, {{2, -3, 1}, {0, 0, 0}}, 1e-6},        // [rad/s]
    };
    for (int k = 0; k < 9; k++) {
        static Two s;
        Motion place = changes[k / 3].place, velocity = changes[k / 3].velocity;
        double h = changes[k / 3].h;
        open_two(&s, directions[k % 3]);
        for (int side = RB_SIDE_A; side <= RB_SIDE_B; side++) {
            Wrench up[3], down[3];
            RbContactResponse r = rb_contact_vary(&s.variation, (RbSide)side, place, velocity);
            forces_of(&s, (RbSide)side, place, velocity, h, up);
            forces_of(&s, (RbSide)side, place, velocity, -h, down);
            Vec3 f = v3_scale(0.5 / h, v3_sub(up[2].f, down[2].f));
            Vec3 t_a = v3_scale(0.5 / h, v3_sub(up[1].t, down[1].t));
            Vec3 t_b = v3_scale(0.5 / h, v3_sub(up[2].t, down[2].t));
            double size = v3_norm(f);
            ENSURE(size > 0);
            ensure_vec_near(r.on_b.f, f, 1e-5 * size);
            ensure_vec_near(r.on_a.t, t_a, 1e-5 * size * RA + 1e-5 * v3_norm(t_a));
            ensure_vec_near(r.on_b.t, t_b, 1e-5 * size * RB + 1e-5 * v3_norm(t_b));
        }
        fixture_close(&s.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_and_point_of_force),
        cmocka_unit_test(plane_turns_as_the_normal_of_rolling_balls),
        cmocka_unit_test(geometry_in_closed_form),
        cmocka_unit_test(a_common_motion_changes_nothing),
        cmocka_unit_test(responses_are_slopes_of_the_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
