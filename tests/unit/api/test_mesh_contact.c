// SPDX-License-Identifier: MIT
// Contact of meshes through include/rattleback/scene.h: a table stands on four legs in a hollow, by each law;
// wrong arguments are told.
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

static RbWorkpiece *box(RbContext *c, double x, double y, double z, double dx, double dy,
                        double dz) {
    RbWorkpiece *w;
    ENSURE(rb_workpiece_box(c, (double[]){dx, dy, dz}, &w) == RB_OK);
    ENSURE(rb_workpiece_map(w, NULL, (double[]){x, y, z}, &w) == RB_OK);
    return w;
}

static RbWorkpiece *joined(RbWorkpieceOperation what, const RbWorkpiece *a, const RbWorkpiece *b) {
    RbWorkpiece *w;
    ENSURE(rb_workpiece_combine(what, a, b, &w) == RB_OK);
    return w;
}

typedef struct Table {
    RbContext *context;
    RbSceneBuilder *scene;
    RbWorkpiece *floor, *table;
    int a, b;
    double mass;
} Table;

// A floor with a hollow 0.1 m deep, and a table of four legs whose feet stand in it.
static void open_table(Table *t) {
    RbContext *c = t->context = rb_context_create(NULL);
    ENSURE(rb_builder_create(c, "table", &t->scene) == RB_OK);
    t->floor =
        joined(RB_WORKPIECE_DIFFERENCE, box(c, -2, -2, -1, 4, 4, 1.1), box(c, -1, -1, 0, 2, 2, 1));
    t->table = box(c, -0.5, -0.4, 0.5, 1, 0.8, 0.1);
    for (int k = 0; k < 4; k++) {
        t->table = joined(RB_WORKPIECE_UNION, t->table,
                          box(c, k & 1 ? -0.5 : 0.4, k & 2 ? -0.4 : 0.3, 0, 0.1, 0.1, 0.55));
    }
    RbWorkpieceProperties p;
    ENSURE(rb_workpiece_properties(t->table, &p) == RB_OK);
    t->mass = 500 * p.volume;
    ENSURE(rb_builder_add_frame(t->scene, "floor", 0, NULL, NULL, &t->a) == RB_OK);
    RbSolid body = rb_solid_default("table", RB_SOLID_BOX, "Steel");
    body.no_contact = body.free = body.has_inertia = true;
    body.mass = t->mass;
    for (int k = 0; k < 3; k++) {
        body.centre[k] = p.centroid[k];
        body.inertia[k] = 500 * p.inertia[4 * k];
    }
    body.position[2] = 0.002;
    ENSURE(rb_builder_add_solid(t->scene, &body, &t->b) == RB_OK);
}

// [m] Legs of w x w in a bedding of K = E/L: half of it presses them with K d w2, half the floor with what of the leg's own layer
// is over it, a frustum d high.
static double bedding_depth(double load, double K) {
    const double w = 0.1;
    double d = load / (4 * K * w * w);
    for (int i = 0; i < 20; i++) {
        double inner = w - 2 * d, mean = (w * w + w * inner + inner * inner) / 3;
        d = load / (4 * K * 0.5 * (w * w + mean));
    }
    return d;
}

// [m] Where the table comes to rest under its floor's law: each by its closed form, S = 4 x 0.01 m2.
static double depth_of(const Table *t, const RbMeshContact *c) {
    double n = 9.81 * t->mass, s = 0.04, pi = 3.141592653589793;
    if (c->law == RB_MESH_VOLUME_AREA) return n * sqrt(pi) / (2 * c->modulus * sqrt(s));
    if (c->law == RB_MESH_VOLUME_POTENTIAL) // U = E V2/(2 L3), V = S u
        return n * pow(c->length, 3) / (c->modulus * s * s);
    if (c->law == RB_MESH_BEDDING) return bedding_depth(n, c->modulus / c->length);
    // sqrt(V d) for each leg: 4/(3 sqrt(pi)) E sqrt(0.01) u
    return n / 4 * 3 * sqrt(pi) / (4 * c->modulus * 0.1);
}

static void table_stands(RbMeshLaw law) {
    Table t;
    open_table(&t);
    RbMeshContact contact = rb_mesh_contact_default(t.a, t.floor, t.b, t.table);
    ENSURE(contact.law == RB_MESH_BEDDING && contact.length == 0); // as the legs are thick
    contact.law = law;
    contact.length = 0.1;
    contact.modulus = law == RB_MESH_VOLUME_POTENTIAL ? 1e6 : 1e7;
    contact.damping = law == RB_MESH_VOLUME_POTENTIAL ? 50 : 20;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &contact) == RB_OK);
    RbModel *model;
    ENSURE(rb_builder_finish(t.scene, &model) == RB_OK);
    RbSimOptions options = rb_sim_options_default();
    options.stop_time = 2;
    options.tolerance = 1e-8;
    RbRun *run;
    ENSURE(rb_run_open(t.context, model, &options, &run) == RB_OK);
    RbStopped stopped;
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 2, &stopped) == RB_OK);
    RbObjectMotion motion;
    ENSURE(rb_run_motion(run, t.b, &motion) == RB_OK);
    double depth = depth_of(&t, &contact);
    ENSURE_NEAR(motion.position[2], -depth, 2e-3 * depth);
    ENSURE_NEAR(motion.position[0], 0, 1e-6);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    rb_context_free(t.context);
}

static void every_volume_law(void **state) {
    (void)state;
    table_stands(RB_MESH_VOLUME_AREA);
    table_stands(RB_MESH_VOLUME_DEPTH);
    table_stands(RB_MESH_VOLUME_POTENTIAL);
    table_stands(RB_MESH_BEDDING);
}

// A ball in the hollow rests where E* V/L3 S carries its weight.
static void ball_rests(void **state) {
    (void)state;
    Table t;
    open_table(&t);
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    const double R = 0.5 * (ball.diameter = 0.2), pi = 3.141592653589793;
    ball.no_contact = ball.free = true;
    ball.mass = 2;
    ball.position[0] = 0.7;
    ball.position[2] = R;
    int b;
    ENSURE(rb_builder_add_solid(t.scene, &ball, &b) == RB_OK);
    RbMeshContact contact = rb_mesh_contact_default(t.a, t.floor, b, NULL);
    contact.law = RB_MESH_VOLUME_POTENTIAL;
    contact.length = 0.1;
    for (int k = 0; k < 3; k++) contact.round_b[k] = R;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &contact) == RB_OK);
    RbModel *model;
    ENSURE(rb_builder_finish(t.scene, &model) == RB_OK);
    RbSimOptions options = rb_sim_options_default();
    options.stop_time = 2;
    options.tolerance = 1e-8;
    RbRun *run;
    ENSURE(rb_run_open(t.context, model, &options, &run) == RB_OK);
    RbStopped stopped;
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 2, &stopped) == RB_OK);
    RbObjectMotion motion;
    ENSURE(rb_run_motion(run, b, &motion) == RB_OK);
    double d = R - motion.position[2], V = pi * d * d * (3 * R - d) / 3, S = pi * d * (2 * R - d);
    ENSURE_NEAR(contact.modulus * V * S / pow(contact.length, 3), 2 * 9.81, 2e-2);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    rb_context_free(t.context);
}

static void wrong_arguments(void **state) {
    (void)state;
    Table t;
    open_table(&t);
    RbMeshContact good = rb_mesh_contact_default(t.a, t.floor, t.b, t.table), bad = good;
    ENSURE(rb_builder_add_mesh_contact(t.scene, NULL) == RB_ERROR_USAGE);
    bad.mesh_b = NULL;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) == RB_ERROR_USAGE);
    bad = good;
    bad.b = bad.a;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) == RB_ERROR_USAGE);
    bad.b = 77;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) != RB_OK);
    bad = good;
    bad.law = (RbMeshLaw)9;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) == RB_ERROR_USAGE);
    bad = good;
    bad.modulus = -1;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) != RB_OK);
    bad = good;
    bad.round_b[0] = bad.round_b[1] = bad.round_b[2] = 0.1; // a mesh and round
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) == RB_ERROR_USAGE);
    bad.mesh_b = NULL;
    bad.round_b[1] = -0.1;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) == RB_ERROR_MODEL);
    bad.round_b[1] = 0.1;
    bad.law = RB_MESH_LAYERS;
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) == RB_ERROR_MODEL);
    RbContext *other = rb_context_create(NULL);
    bad = good;
    bad.mesh_a = box(other, 0, 0, 0, 1, 1, 1);
    ENSURE(rb_builder_add_mesh_contact(t.scene, &bad) == RB_ERROR_USAGE);
    rb_context_free(other);
    rb_context_free(t.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_volume_law),
        cmocka_unit_test(ball_rests),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
