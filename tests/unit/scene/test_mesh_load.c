// SPDX-License-Identifier: MIT
// label: fast
// A heavy box on a light plate on the floor, all meshes: it comes to rest, as fast as a closed form says
// (docs/theory/contact-law.md, section 2a).
#include "stand.h"

#include "geom/mesh_make.h"

#define MASS 10.0

static const double K = 1e8, g = 9.81;                     // [Pa/m]
static const double BOX = 0.1, PLATE = 0.12, SHEET = 0.02; // [m]

typedef struct Pile {
    double ratio; // mass of the box over that of the plate
    double restitution;
    double load_ratio; // as typed
    double
        lift; // [m] of the box above where it rests, of the plate as much as the contacts then share it
    double rest; // [m] found: height of the box at rest
    double k[2]; // [N/m] and stiffness of the contacts of plate and floor, box and plate
} Pile;

static double in_series(const Pile *p) {
    return p->k[0] * p->k[1] / (p->k[0] + p->k[1]);
}

// N = K (a² d - a d² + 2/3 d³) of a square face of side a, and its slope.
static double depth_under(double load, double a, double *slope) {
    double d = load / (K * a * a);
    for (int i = 0; i < 20; i++) {
        double force = K * (a * a * d - a * d * d + 2.0 / 3 * d * d * d);
        *slope = K * (a * a - 2 * a * d + 2 * d * d);
        d -= (force - load) / *slope;
    }
    return d;
}

// About its middle.
static int add_block(Stand *s, const char *name, RbMesh *mesh, Vec3 size, double mass, double z) {
    RbMesh m = rb_mesh_box(size, &s->f.arena);
    *mesh = rb_mesh_map(&m, M3_IDENTITY, v3_scale(-0.5, size), &s->f.arena);
    RbSceneObject body = rb_frame_object(name, 0, POSE_IDENTITY);
    if (mass > 0) body = rb_body(name, (RbMassProperties){.mass = mass, .I_CM = M3_IDENTITY});
    body.object.moves_freely = mass > 0;
    body.object.pose.r = v3(0, 0, z);
    return rb_scene_add(s->scene, body);
}

static void open_pile(Stand *s, Pile *p) {
    stand_open(s);
    s->scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    double light = MASS / p->ratio, low = depth_under((MASS + light) * g, PLATE, &p->k[0]),
           high = depth_under(MASS * g, BOX, &p->k[1]);
    double plate_z = 0.5 * SHEET - low, share = in_series(p) / p->k[0];
    p->rest = plate_z + 0.5 * SHEET - high + 0.5 * BOX;
    RbMesh floor, plate, box;
    int a = add_block(s, "floor", &floor, v3(1, 1, 0.2), 0, -0.1);
    int b =
        add_block(s, "plate", &plate, v3(PLATE, PLATE, SHEET), light, plate_z + share * p->lift);
    int c = add_block(s, "box", &box, v3(BOX, BOX, BOX), MASS, p->rest + p->lift);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    contact.volume.length = 0.1;
    contact.volume.modulus = K * contact.volume.length;
    contact.volume.restitution = p->restitution;
    contact.volume.load_ratio = p->load_ratio;
    ENSURE(rb_scene_add_solids(s->scene, a, &floor, b, &plate, contact, &s->f.diag) == RB_OK);
    ENSURE(rb_scene_add_solids(s->scene, b, &plate, c, &box, contact, &s->f.diag) == RB_OK);
}

// [1/s] How fast little swings decay: each contact is a spring k and a damper f'(0) root(k m), m nearly the mass of the plate and f'(0) = a + root(typed ratio); it
// has the part k1 k2/(k1 + k2)/k of the way x of the box, for which x'' + 2 lambda x' + k1 k2/(k1 + k2)/M x = 0.
static double decay_of(const Pile *p) {
    RbDissipation d = rb_restitution_settling(p->restitution, 0.01, p->load_ratio);
    double steep = d.a + (p->load_ratio > 1 ? sqrt(p->load_ratio) : 0), sum = 0;
    for (int i = 0; i < 2; i++) {
        double share = in_series(p) / p->k[i];
        sum += steep * sqrt(p->k[i] * MASS / p->ratio) * share * share;
    }
    return sum / (2 * MASS);
}

static void ensure_decay(double ratio, double restitution, double load_ratio) {
    for (int periods = 1; periods <= 2; periods++) {
        Stand s;
        Pile p = {ratio, restitution, load_ratio, .lift = 1e-5};
        open_pile(&s, &p);
        double lambda = decay_of(&p), omega = sqrt(in_series(&p) / MASS - lambda * lambda);
        double t = 2 * 3.141592653589793 * periods / omega;
        stand_run(&s, t, 1e-8);
        double x = stand_state(&s, "box.r[3]") - p.rest, want = p.lift * exp(-lambda * t);
        print_message("ratio %g, typed %g, %g, %d periods: %.4g of %.4g m\n", ratio, restitution,
                      load_ratio, periods, x, want);
        ENSURE_NEAR(x, want, 0.003 * p.lift);
        stand_close(&s);
    }
}

static void swings_decay_as_calculated(void **state) {
    (void)state;
    ensure_decay(1e4, 0.5, 1);
    ensure_decay(1e4, 0.5, 300);
    ensure_decay(1e5, 0.5, 1e4);
    ensure_decay(1e3, 0.9, 10);
}

// Let go where it just touches. Damping is less steep for larger swings, so they last a little longer than little ones would.
static void load_comes_to_rest(void **state) {
    (void)state;
    Stand s;
    Pile p = {1e4, 0.5, 300, .lift = 1.9e-4};
    open_pile(&s, &p);
    stand_run(&s, 0.5, 1e-7);
    double v = stand_state(&s, "box.v[3]"), x = stand_state(&s, "box.r[3]") - p.rest;
    double swing = hypot(x, v * sqrt(MASS / in_series(&p)));
    print_message("swings by %.3g m\n", swing);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 10 * 1e-7 * MASS * g * p.lift * (10 + 2));
    ENSURE(swing < 2 * p.lift * exp(-decay_of(&p) * 0.5));
    stand_close(&s);
}

// Without typed losses nothing takes its energy.
static void elastic_load_swings_on(void **state) {
    (void)state;
    Stand s;
    Pile p = {1e3, 1, 1e3, .lift = 1e-5};
    open_pile(&s, &p);
    stand_run(&s, 2 * 3.141592653589793 * sqrt(MASS / in_series(&p)), 1e-8);
    ENSURE_NEAR(stand_state(&s, "box.r[3]") - p.rest, p.lift, 0.01 * p.lift);
    ENSURE(stand_quadrature(&s, "energy.contact_damping") == 0);
    stand_close(&s);
}

// A free blow of the box on the floor still returns with what was typed.
static void blows_return_as_typed(void **state) {
    (void)state;
    const double typed[] = {0.1, 0.5, 0.9};
    for (int i = 0; i < 3; i++) {
        Stand s;
        stand_open(&s);
        RbMesh floor, box;
        int a = add_block(&s, "floor", &floor, v3(1, 1, 0.2), 0, -0.1);
        int b = add_block(&s, "box", &box, v3(BOX, BOX, BOX), MASS, 0.051);
        s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
        s.scene->objects.data[b].object.velocity = v3(0, 0, -1);
        RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
        contact.volume.restitution = typed[i];
        contact.volume.load_ratio = 1e4;
        ENSURE(rb_scene_add_solids(s.scene, a, &floor, b, &box, contact, &s.f.diag) == RB_OK);
        stand_run(&s, 0.05, 1e-8);
        ENSURE_NEAR(stand_state(&s, "box.v[3]"), typed[i], 1e-3 * typed[i]); // depth over size
        stand_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swings_decay_as_calculated), cmocka_unit_test(load_comes_to_rest),
        cmocka_unit_test(elastic_load_swings_on), cmocka_unit_test(blows_return_as_typed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
