// SPDX-License-Identifier: MIT
// label: normal
// Meshes that touch: at rest, in impacts, sliding and sticking, by closed forms and with both solvers.
#include "stand.h"

#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "geom/moments.h"
#include "io/drawing.h"

static int add_mesh(Stand *s, const char *name, const RbMesh *mesh, double density, Vec3 r,
                    bool free) {
    RbMassProperties mass = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(mesh)), density);
    RbSceneObject body = free ? rb_body(name, mass) : rb_frame_object(name, 0, POSE_IDENTITY);
    body.object.moves_freely = free;
    body.object.pose.r = r;
    return rb_scene_add(s->scene, body);
}

static RbMesh block(Stand *s, Vec3 size) { // about the origin
    RbMesh m = rb_mesh_box(size, &s->f.arena);
    return rb_mesh_map(&m, M3_IDENTITY, v3_scale(-0.5, size), &s->f.arena);
}

static RbSolidsForce soft_contact(void) {
    RbSolidsForce f = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    f.volume.form = RB_VOLUME_AREA;
    f.volume.modulus = 1e6;
    f.volume.damping = 5;
    return f;
}

static double f32(const unsigned char *p, int k) {
    return (double)rb_get_f32(p + 4 * k);
}

// Of a loop in a plane z = constant.
static double area_of(const RbChunkView *c) {
    double sum = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const unsigned char *p = c->data + i * c->item, *q = c->data + (i + 1) % c->count * c->item;
        sum += f32(p, 0) * f32(q, 1) - f32(p, 1) * f32(q, 0);
    }
    return 0.5 * fabs(sum);
}

// The last picture: what is horizontal of the polygons covers the block's face twice (its own and the
// floor's), each with the pressure m g/S; one contact carries m g upwards.
static void ensure_patch(Stand *s, double weight, double area) {
    ENSURE(rb_journal_read(s->journal, RB_JOURNAL_LOAD, &s->f.arena, s->f.scratch, &s->f.diag,
                           &s->result) == RB_OK);
    RbResultCursor cursor = rb_result_cursor(s->result);
    RbBlob last = {0};
    for (RbResultRun run;;) {
        ENSURE(rb_result_next(&cursor, &s->f.diag, &run) == RB_OK);
        if (run.count == 0) break;
        last = run.pictures[run.count - 1];
    }
    size_t offset = 0;
    double covered = 0;
    int contacts = 0;
    for (RbChunkView c; rb_picture_next(last, &offset, &c);) {
        if (c.kind == RB_CHUNK_POLYGON) {
            covered += area_of(&c);
            ENSURE_NEAR(f32(c.data, 3), weight / area, 1e-3 * weight / area);
        }
        if (c.kind != RB_CHUNK_CONTACTS) continue;
        contacts += (int)c.count;
        ENSURE_NEAR(f32(c.data + 8, 5), 1, 1e-6);               // normal
        ENSURE_NEAR(f32(c.data + 8, 8), weight, 1e-3 * weight); // force
    }
    ENSURE(contacts == 1);
    ENSURE_NEAR(covered, 2 * area, 1e-5 * area);
}

// N = 2/sqrt(pi) E* V/sqrt(S) = m g with V = S depth: depth = m g sqrt(pi)/(2 E* sqrt(S)).
static void block_sinks_in(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbMesh floor = block(&s, v3(2, 2, 0.5)), cube = block(&s, v3(0.2, 0.1, 0.1));
    int a = add_mesh(&s, "floor", &floor, 1000, v3(0, 0, -0.25), false);
    int b = add_mesh(&s, "cube", &cube, 1000, v3(0, 0, 0.051), true);
    ENSURE(rb_scene_add_solids(s.scene, a, &floor, b, &cube, soft_contact(), &s.f.diag) == RB_OK);
    s.scene->solids.data[0].show = true;
    stand_record(&s, 0.1);
    stand_run(&s, 2, 1e-8);
    ENSURE(s.summary.allocations == 0);
    double depth = 2 * 9.81 * sqrt(M_PI) / (2 * 1e6 * sqrt(0.02));
    ENSURE_NEAR(stand_state(&s, "cube.r[3]"), 0.05 - depth, 1e-3 * depth);
    ENSURE_NEAR(stand_state(&s, "cube.r[1]"), 0, 1e-9);
    ensure_patch(&s, 2 * 9.81, 0.02);
    stand_close(&s);
}

// By default a cube on its face is as stiff as a rigid punch of its area on an elastic half-space, 2/sqrt(pi) E* sqrt(S), but for
// the depth over the side that its rim lacks.
static void default_is_a_punch(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbMesh floor = block(&s, v3(2, 2, 0.5)), cube = block(&s, v3(0.1, 0.1, 0.1));
    int a = add_mesh(&s, "floor", &floor, 1000, v3(0, 0, -0.25), false);
    int b = add_mesh(&s, "cube", &cube, 1000, v3(0, 0, 0.051), true);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    ENSURE(contact.volume.form == RB_VOLUME_BEDDING);
    contact.volume.modulus = 1e6;
    ENSURE(rb_scene_add_solids(s.scene, a, &floor, b, &cube, contact, &s.f.diag) == RB_OK);
    stand_run(&s, 2, 1e-8);
    double depth = 9.81 * sqrt(M_PI) / (2 * 1e6 * 0.1);
    ENSURE_NEAR(stand_state(&s, "cube.r[3]"), 0.05 - depth, 2 * depth * depth / 0.1);
    stand_close(&s);
}

// ---- impacts and friction ----

typedef struct Drop {
    RbVolumeForm form;
    double restitution;
    const char *solver;
} Drop;

// A cube of 0.1 m and 1 kg above a floor, both meshes.
static void add_cube(Stand *s, RbVolumeLaw law, Vec3 r, Vec3 v) {
    RbMesh floor = block(s, v3(2, 2, 0.5)), cube = block(s, v3(0.1, 0.1, 0.1));
    int a = add_mesh(s, "floor", &floor, 1000, v3(0, 0, -0.25), false);
    int b = add_mesh(s, "cube", &cube, 1000, r, true);
    s->scene->objects.data[b].object.velocity = v;
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = law};
    ENSURE(rb_scene_add_solids(s->scene, a, &floor, b, &cube, contact, &s->f.diag) == RB_OK);
}

// Dropped flat it returns flat, with the typed restitution; what it lost is booked as damping of contacts.
static void drop(Drop d) {
    Stand s;
    stand_open(&s);
    RbVolumeLaw law = rb_volume_law();
    law.form = d.form;
    law.length = 0.05;
    law.restitution = d.restitution;
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    add_cube(&s, law, v3(0, 0, 0.051), v3(0, 0, -1));
    s.options.solver = d.solver;
    stand_run(&s, 0.1, 1e-8);
    double e = d.restitution;
    // of a bedding up to a tenth of depth over size, 2e-3: pressure falls to zero at the rim
    ENSURE_NEAR(stand_state(&s, "cube.v[3]"), e, fmax(5e-5, (d.form == RB_VOLUME_BEDDING ? 2e-4 : 1e-4) * e));
    ENSURE_NEAR(v3_norm(stand_vector(&s, "cube", "w")), 0, 1e-6);
    // of 0.5 J; a dull blow takes it within a hundredth of the contact, and powers are integrated from a
    // few points of each step
    double bound = e < 0.5 ? 5e-3 : 2e-5, v = stand_state(&s, "cube.v[3]");
    // the ledger's, 10 tol E (10 + events); cvode does not meet the end of a contact
    double account = strcmp(d.solver, "islands") == 0 ? 10 * 1e-8 * 0.5 * 12 : 1e-6;
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, e < 0.5 ? bound : account);
    double lost = stand_quadrature(&s, "energy.contact_damping") +
                  stand_quadrature(&s, "energy.friction"); // of walls in a bedding
    ENSURE_NEAR(lost, 0.5 * (1 - v * v), bound);
    ENSURE_NEAR(stand_result(&s, "energy.contact_false_work"), 0, bound);
    stand_close(&s);
}

static void restitution_as_typed(void **state) {
    (void)state;
    const double typed[] = {0.1, 0.5, 0.9, 1};
    for (int i = 0; i < 4; i++) {
        drop((Drop){RB_VOLUME_POTENTIAL, typed[i], "cvode"});
        drop((Drop){RB_VOLUME_AREA, typed[i], "islands"});
        drop((Drop){RB_VOLUME_DEPTH, typed[i], "cvode"});
        drop((Drop){RB_VOLUME_BEDDING, typed[i], "islands"});
    }
}

// A pair that only observes tells when a cube reaches the floor, through which it falls as if there were none.
static void observed(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    add_cube(&s, rb_volume_law(), v3(0, 0, 0.06), V3_ZERO);
    s.scene->solids.data[0].element.observes = true;
    stand_run(&s, 0.2, 1e-8);
    ENSURE(s.contact_count == 1 && s.contacts[0].starts);
    ENSURE_NEAR(s.contacts[0].time, sqrt(2 * 0.01 / 9.81), 1e-9);
    ENSURE_NEAR(stand_state(&s, "cube.r[3]"), 0.06 - 0.5 * 9.81 * 0.04, 1e-7);
    ENSURE_NEAR(stand_quadrature(&s, "energy.contact_damping"), 0, 1e-15);
    stand_close(&s);
}

// On an incline below the friction angle it stays where it is for a minute, also under the islands; it does
// not turn either. (Gravity is tilted instead of the floor.)
static void stays(RbVolumeForm form, double angle, const char *solver, double creep, double give) {
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(sin(angle), 0.1 * sin(angle), -cos(angle)));
    RbVolumeLaw law = rb_volume_law();
    law.form = form;
    law.length = 0.1;
    law.mu_kinetic = law.mu_static; // or it would slide on after the jerk of being let go
    add_cube(&s, law, v3(0, 0, 0.05), V3_ZERO);
    s.options.solver = solver;
    stand_run(&s, 10, 1e-6);
    Vec3 before = stand_vector(&s, "cube", "r");
    stand_run(&s, 60, 1e-6);
    Vec3 after = stand_vector(&s, "cube", "r");
    ENSURE(v3_norm(v3_sub(after, before)) < creep);
    ENSURE(v3_norm(v3_sub(after, v3(0, 0, 0.05))) < give);
    stand_close(&s);
}

static void does_not_creep(void **state) {
    (void)state;
    stays(RB_VOLUME_AREA, 0.2, "cvode", 1e-9, 2e-5); // tan 0.2 = 0.203 < 0.3; [m]
    stays(RB_VOLUME_AREA, 0.2, "islands", 1e-15, 2e-5);
    stays(RB_VOLUME_BEDDING, 0.2, "cvode", 1e-9, 2e-5);
    stays(RB_VOLUME_BEDDING, 0.2, "islands", 1e-15, 2e-5);
    stays(RB_VOLUME_AREA, 0.28, "cvode", 1e-7,
          1e-4); // at 0.96 of the limit, after it has slipped at first
}

// v = g (sin a - mu cos a) t from 0.5 m/s: friction is kinetic there. Energy: friction has mu N s.
static void slides_by(RbVolumeForm form) {
    Stand s;
    stand_open(&s);
    double angle = 0.6, g = 9.81, t = 0.2;
    s.scene->gravity = rb_gravity_uniform(g, v3(sin(angle), 0, -cos(angle)));
    RbVolumeLaw law = rb_volume_law();
    law.form = form;
    law.length = 0.1;
    law.mu_static = law.mu_kinetic = 0.25;
    // At its depth of rest, so that it does not bounce.
    double load = g * cos(angle), depth = rb_volume_depth(&law, load, 0.01);
    add_cube(&s, law, v3(0, 0, 0.05 - depth), v3(0.5, 0, 0));
    stand_run(&s, t, 1e-7);
    double a = g * (sin(angle) - 0.25 * cos(angle)), way = 0.5 * t + 0.5 * a * t * t;
    ENSURE_NEAR(stand_state(&s, "cube.v[1]"), 0.5 + a * t, 1e-4);
    ENSURE_NEAR(stand_state(&s, "cube.r[1]"), way, 1e-4);
    ENSURE_NEAR(stand_quadrature(&s, "energy.friction"), 0.25 * load * way, 1e-3);
    stand_close(&s);
}

static void slides(void **state) {
    (void)state;
    slides_by(RB_VOLUME_AREA);
    slides_by(RB_VOLUME_BEDDING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_sinks_in),       cmocka_unit_test(default_is_a_punch),
        cmocka_unit_test(restitution_as_typed), cmocka_unit_test(observed),
        cmocka_unit_test(does_not_creep),       cmocka_unit_test(slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
