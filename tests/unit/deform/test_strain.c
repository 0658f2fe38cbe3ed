// SPDX-License-Identifier: MIT
// Strain in pictures: of a bar that is stretched evenly, every molecule and every vertex has the colour of that strain.
#include "bodies.h"

#include "soft_run.h"
#include "deform/soft_data.h"
#include "io/drawing.h"

static void strains_of_an_even_stretch(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 5, 3, 3);
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    double *strain = rb_new_array(&f.arena, double, n.count);
    for (int i = 0; i < n.count; i++)
        r[i].x *= 0.9; // springs along x are 10 % shorter, diagonals less
    rb_network_strains(&n, 0, r, strain);
    for (int i = 0; i < n.count; i++) ENSURE_NEAR(strain[i], -0.1, 1e-12);
    fixture_close(&f);
}

static void colours_of_strains(void **state) {
    (void)state;
    const struct {
        double strain;
        unsigned char rgb[3];
    } cases[] = {{0, {255, 255, 255}}, {0.2, {255, 0, 0}},      {9, {255, 0, 0}},
                 {-0.2, {0, 0, 255}},  {-0.1, {128, 128, 255}}, {0.05, {255, 191, 191}}};
    for (int i = 0; i < 6; i++) {
        unsigned char rgba[4];
        rb_soft_shade(cases[i].strain, 0.2, rgba);
        for (int k = 0; k < 3; k++) assert_int_equal(rgba[k], cases[i].rgb[k]);
        assert_int_equal(rgba[3], 255);
    }
}

// A cube that flies at an even speed is not strained: white; without the scale it has the colour of its material.
static void ensure_colour(RbSoftDetection detection, double scale, const unsigned char rgb[3]) {
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = block_scene(&r.f, 3, 3, 3);
    s->detection = detection;
    ENSURE(rb_model_of_soft_scene(s, &r.f.arena, &r.f.diag, &r.model) == RB_OK);
    ENSURE(rb_model_override(r.model, "strain_scale", scale, &r.f.diag) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.journal_file = r.journal;
    r.options.stop_time = 0.02;
    soft_go(&r);
    RbResultCursor cursor = rb_result_cursor(r.result);
    int seen = 0;
    for (RbResultRun run;;) {
        ENSURE(rb_result_next(&cursor, &r.f.diag, &run) == RB_OK);
        if (run.count == 0) break;
        size_t offset = 0;
        for (RbChunkView c; rb_picture_next(run.pictures[0], &offset, &c);) {
            if (c.kind != RB_CHUNK_COLOURS) continue;
            ENSURE(c.count >= 27);
            for (uint32_t i = 0; i < c.count; i++)
                for (int k = 0; k < 3; k++) assert_int_equal(c.data[4 * i + (uint32_t)k], rgb[k]);
            seen++;
        }
    }
    ENSURE(seen > 0);
    run_close(&r);
}

// What stands still is drawn once: white as well, where colours are of strains.
static void ensure_fixed_colour(double scale, const unsigned char rgb[3]) {
    Run r;
    run_open(&r, "pendulum");
    RbSoftScene *s = block_scene(&r.f, 3, 3, 3);
    s->detection = RB_SOFT_SURFACES;
    add_block(s, "wall", (Block){{3, 3, 3}, 0.01, 0.005, v3(0.1, 0, 0), 0, true});
    ENSURE(rb_model_of_soft_scene(s, &r.f.arena, &r.f.diag, &r.model) == RB_OK);
    ENSURE(rb_model_override(r.model, "strain_scale", scale, &r.f.diag) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.journal_file = r.journal;
    r.options.stop_time = 0.01;
    soft_go(&r);
    RbDrawn d;
    bool seen = false;
    ENSURE(
        !rb_drawn_read(r.result->segments.data[0].drawing, r.result->meshes.count, &r.f.arena, &d));
    for (int i = 0; i < d.object_count; i++) {
        if (strcmp(d.objects[i].name, "wall") != 0) continue;
        for (int k = 0; k < 3; k++) assert_int_equal(d.objects[i].colour[k], rgb[k]);
        seen = true;
    }
    ENSURE(seen);
    run_close(&r);
}

static void pictures_have_them(void **state) {
    (void)state;
    ensure_colour(RB_SOFT_SPHERES, 0.1, (unsigned char[]){255, 255, 255});
    ensure_colour(RB_SOFT_SURFACES, 0.1, (unsigned char[]){255, 255, 255});
    ensure_colour(RB_SOFT_SPHERES, 0, (unsigned char[]){128, 128, 128});
    ensure_fixed_colour(0.1, (unsigned char[]){255, 255, 255});
    ensure_fixed_colour(0, (unsigned char[]){128, 128, 128});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strains_of_an_even_stretch),
        cmocka_unit_test(colours_of_strains),
        cmocka_unit_test(pictures_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
