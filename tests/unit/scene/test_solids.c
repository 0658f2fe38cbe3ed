// SPDX-License-Identifier: MIT
// label: normal
// Meshes that touch: a block at rest by its closed form, one that slides, and a table that drops on its legs.
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_sinks_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
