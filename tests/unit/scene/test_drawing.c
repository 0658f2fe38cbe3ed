// SPDX-License-Identifier: MIT
// What a scene shows of itself is what its results say: poses, contacts, forces.
#include "stand.h"

#include "io/drawing.h"
#include "io/codec.h"

static double value(Stand *s, const RbResultRun *run, size_t row, const char *format,
                    const char *object, int k) {
    char name[128];
    snprintf(name, sizeof name, format, object, k);
    int variable = rb_result_find(s->result, name);
    ENSURE(variable >= 0);
    RbResultSlot slot = rb_result_slot(s->result, run->segment, variable);
    return rb_result_value(slot, run->rows + row * (size_t)run->width);
}

static double f32(const unsigned char *p, int k) {
    return (double)rb_get_f32(p + 4 * k);
}

// Positions as recorded, to the precision of a float; rotations as the Cardan angles say.
static void ensure_poses(Stand *s, const RbDrawn *d, const RbResultRun *run, size_t row,
                         const RbChunkView *c) {
    const unsigned char *p = c->data;
    for (int i = 0; i < d->object_count; i++) {
        const RbDrawObject *o = &d->objects[i];
        if (!o->moves) continue;
        Vec3 angles = v3(value(s, run, row, "%s.angles[%d]", o->name, 1),
                         value(s, run, row, "%s.angles[%d]", o->name, 2),
                         value(s, run, row, "%s.angles[%d]", o->name, 3));
        Mat3 want = q_matrix(q_from_cardan(angles));
        Mat3 got = q_matrix((Quat){f32(p, 3), f32(p, 4), f32(p, 5), f32(p, 6)});
        for (int k = 0; k < 3; k++)
            ENSURE_NEAR(f32(p, k), value(s, run, row, "%s.r_abs[%d]", o->name, k + 1), 2e-7);
        const double *a = &want.x.x, *b = &got.x.x;
        for (int k = 0; k < 9; k++) ENSURE_NEAR(b[k], a[k], 1e-6);
        p += RB_POSE_BYTES;
    }
    assert_int_equal(p - c->data, c->count * RB_POSE_BYTES);
}

// Two balls: the contact between them has the force that the pair's results show.
static void ensure_contacts(Stand *s, const RbDrawn *d, const RbResultRun *run, size_t row,
                            const RbChunkView *c, int *seen) {
    for (uint32_t i = 0; i < c->count; i++) {
        const unsigned char *p = c->data + i * c->item;
        const char *a = d->objects[rb_get_u32(p)].name, *b = d->objects[rb_get_u32(p + 4)].name;
        bool straight = strcmp(a, "left") == 0 && strcmp(b, "right") == 0;
        if (!straight && !(strcmp(a, "right") == 0 && strcmp(b, "left") == 0)) continue;
        double sign = straight ? 1 : -1;
        for (int k = 0; k < 3; k++) {
            double point = value(s, run, row, "contact(%s).point[%d]", "left,right", k + 1);
            double force = value(s, run, row, "contact(%s).force[%d]", "left,right", k + 1);
            ENSURE_NEAR(f32(p + 8, k), point, 2e-7);
            ENSURE_NEAR(f32(p + 8, 6 + k), sign * force, 2e-7 * (1 + fabs(force)));
        }
        (*seen)++;
    }
}

static void pictures_show_what_the_results_say(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbSceneObject ball = rb_solid("left", rb_shape_sphere(0.1), "Steel");
    ball.object.moves_freely = true;
    ball.object.velocity = v3(1, 0, 0.1);
    ball.object.angular_velocity = v3(0, 3, 20);
    ball.object.pose.r = v3(-0.08, 0.01, 0);
    int a = rb_scene_add(s.scene, ball);
    ball.object.name = "right";
    ball.object.velocity = v3(-1, 0, 0);
    ball.object.pose.r = v3(0.08, 0, 0);
    int b = rb_scene_add(s.scene, ball);
    RbObject on = rb_object("tip", a);
    on.pose.r = v3(0, 0, 0.05);
    rb_scene_add(s.scene, (RbSceneObject){.object = on});
    rb_array_push(&s.scene->contact_results, s.scene->arena, (RbScenePair){a, b});
    s.options.journal_file = s.journal;
    s.options.output_interval = 1e-4;
    stand_run(&s, 0.05, 1e-8);
    ENSURE(rb_journal_read(s.journal, RB_JOURNAL_LOAD, &s.f.arena, s.f.scratch, &s.f.diag,
                           &s.result) == RB_OK);
    RbResultCursor cursor = rb_result_cursor(s.result);
    int poses = 0, seen = 0;
    for (;;) {
        RbResultRun run;
        ENSURE(rb_result_next(&cursor, &s.f.diag, &run) == RB_OK);
        if (run.count == 0) break;
        RbDrawn d;
        RbBlob drawing = s.result->segments.data[run.segment].drawing;
        ENSURE(!rb_drawn_read(drawing, s.result->meshes.count, &s.f.arena, &d));
        assert_int_equal(d.moving_count, 2);
        ENSURE(d.objects[2].parent == 0 && fabs(d.objects[2].position[2] - 0.05) < 1e-8);
        ENSURE(d.objects[0].form == RB_FORM_SPHERE && fabs(d.objects[0].size[0] - 0.1) < 1e-8);
        for (size_t i = 0; i < run.count; i++) {
            size_t offset = 0;
            RbChunkView c;
            while (rb_picture_next(run.pictures[i], &offset, &c)) {
                if (c.kind == RB_CHUNK_POSES) ensure_poses(&s, &d, &run, i, &c), poses++;
                if (c.kind == RB_CHUNK_CONTACTS) ensure_contacts(&s, &d, &run, i, &c, &seen);
            }
        }
    }
    ENSURE(poses == (int)s.result->row_count && poses > 400);
    ENSURE(seen > 0); // both sides of the events, at least
    stand_close(&s);
}

// Two cubes among the grains that fly and turn about z: every corner is where the motion of a free body has it.
static const double SIDE = 0.02, TURNS = 300; // [m], [rad/s]

static void ensure_corners(const RbChunkView *c, double time) {
    for (uint32_t k = 0; k < c->count; k++) {
        const unsigned char *p = c->data + k * c->item;
        Vec3 at = v3(f32(p, 0), f32(p, 1), f32(p, 2));
        Vec3 centre = k < c->count / 2 ? v3(1, 0, 0.5 * time) : v3(0, 2, -0.5 * time);
        Quat q = q_rotation(v3(0, 0, 1), k < c->count / 2 ? TURNS * time : 0);
        Vec3 corner = q_unrotate(q, v3_sub(at, centre));
        for (int d = 0; d < 3; d++)
            ENSURE_NEAR(fabs(v3_get(corner, d)), 0.5 * SIDE, 4e-7); // floats of 2 m
    }
}

static void cubes_among_grains_are_drawn(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbPolyhedronSpec cube = {.name = "dice", .lengths = {SIDE, SIDE, SIDE}, .rounding = 1e-3};
    RbClump *form = rb_new(s.scene->arena, RbClump);
    ENSURE(rb_polyhedron(&cube, s.scene->arena, s.f.scratch, &s.f.diag, form) == RB_OK);
    const double places[8] = {1, 0, 0, 1, 0, 2, 0, 1};
    const Vec3 motions[4] = {{0, 0, 0.5}, {0, 0, TURNS}, {0, 0, -0.5}, {0, 0, 0}};
    RbSceneGrains dice = {.fill = {.name = "dice",
                                   .kind = RB_FILL_LIST,
                                   .count = 2,
                                   .clump = form,
                                   .aligned = true,
                                   .places = places,
                                   .motions = motions},
                          .solid = "Steel"};
    rb_array_push(&s.scene->grains, s.scene->arena, dice);
    s.scene->gravity.g = V3_ZERO;
    s.scene->grain_options.step = 1e-7;
    s.options.journal_file = s.journal;
    s.options.output_interval = 1e-4;
    stand_run(&s, 0.002, 1e-8);
    ENSURE(rb_journal_read(s.journal, RB_JOURNAL_LOAD, &s.f.arena, s.f.scratch, &s.f.diag,
                           &s.result) == RB_OK);
    RbResultCursor cursor = rb_result_cursor(s.result);
    RbCodec codec = {0};
    int seen = 0, round = 0, segment = -1;
    for (;;) {
        RbResultRun run;
        ENSURE(rb_result_next(&cursor, &s.f.diag, &run) == RB_OK);
        if (run.count == 0) break;
        RbDrawn d;
        RbBlob drawing = s.result->segments.data[run.segment].drawing;
        ENSURE(!rb_drawn_read(drawing, s.result->meshes.count, &s.f.arena, &d));
        if (run.segment != segment) rb_codec_begin(&codec, d.room, &s.f.arena);
        segment = run.segment;
        for (size_t i = 0; i < run.count; i++) {
            size_t offset = 0;
            RbChunkView c;
            RbBlob picture;
            ENSURE(!rb_decode_picture(&codec, run.pictures[i], &picture));
            while (rb_picture_next(picture, &offset, &c)) {
                bool faces = d.objects[c.object].form == RB_FORM_MESH;
                if (c.kind == RB_CHUNK_POINTS && faces)
                    ensure_corners(&c, run.rows[i * (size_t)run.width]), seen++;
                for (uint32_t k = 0; c.kind == RB_CHUNK_DIAMETERS && k < c.count; k++)
                    round += f32(c.data + k * c.item, 0) > 0; // no spheres around them are seen
            }
        }
    }
    ENSURE(seen == (int)s.result->row_count && seen > 20 && round == 0);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_show_what_the_results_say),
                                       cmocka_unit_test(cubes_among_grains_are_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
