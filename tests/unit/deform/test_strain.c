// SPDX-License-Identifier: MIT
// What pictures of soft bodies hold: places and strains of molecules, from which surfaces follow; how exactly, and in how many bytes.
#include "bodies.h"

#include "soft_run.h"
#include "deform/soft_data.h"
#include "export/film.h"
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

static void ensure_place(Vec3 got, Vec3 want, double tolerance) { // in each coordinate
    ENSURE_NEAR(got.x, want.x, tolerance);
    ENSURE_NEAR(got.y, want.y, tolerance);
    ENSURE_NEAR(got.z, want.z, tolerance);
}

// ---- in pictures

typedef struct Shown {
    Fixture *f;
    const RbResult *result;
    RbFilm film;
    int molecules, surface; // objects of the drawing
} Shown;

static Shown shown_of(Run *r, const char *name) {
    Shown s = {.f = &r->f, .result = r->result, .molecules = -1, .surface = -1};
    ENSURE(rb_film_read(r->result, &r->f.arena, &r->f.diag, &s.film) == RB_OK);
    const RbDrawn *d = &s.film.segments[0].drawn;
    for (int i = 0; i < d->object_count; i++) {
        if (strcmp(d->objects[i].name, name) != 0) continue;
        if (d->objects[i].form == RB_FORM_SPHERES) s.molecules = i;
        if (d->objects[i].form == RB_FORM_MESH) s.surface = i;
    }
    ENSURE(s.molecules >= 0 && s.surface >= 0);
    return s;
}

static void soft_run(Run *r, RbSoftScene *s, double stop) {
    ENSURE(rb_model_of_soft_scene(s, &r->f.arena, &r->f.diag, &r->model) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.stop_time = stop;
    r->options.output_interval = stop / 20;
    soft_go(r);
}

// Strain of the springs of a molecule that is largest: neighbours of a cubic grid are up to sqrt 2 of its spacing apart.
static double strain_at(const Vec3 *start, const Vec3 *now, int count, int molecule, double a) {
    double largest = 0;
    for (int i = 0; i < count; i++) {
        double length = v3_distance(start[i], start[molecule]);
        if (i == molecule || length > 1.5 * a) continue;
        double strain = v3_distance(now[i], now[molecule]) / length - 1;
        if (fabs(strain) > fabs(largest)) largest = strain;
    }
    return largest;
}

// A block that swings, twice as long as wide: what a picture has of it against the places in the same picture.
static void strains_in_pictures_are_those_of_the_places(void **state) {
    (void)state;
    enum { COUNT = 6 * 3 * 3, ROW = 2 };
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = block_scene(&r.f, 6, 3, 3);
    Vec3 start[COUNT];
    for (int i = 0; i < COUNT; i++) {
        RbMolecule *m = &s->molecules.data[i];
        start[i] = m->r;
        m->v = v3(30 * m->r.x, -40 * m->r.y, 80 * m->r.z); // [m/s]
    }
    soft_run(&r, s, 0.02);
    Shown shown = shown_of(&r, "block");
    RbMoment m = {.segment = 0, .row = ROW};
    RbChunkView c;
    int count;
    const Vec3 *now = rb_film_points(&shown.film, m, shown.molecules, &r.f.arena, &count);
    ENSURE(count == COUNT);
    ENSURE(rb_film_chunk(&shown.film, m, RB_CHUNK_STRAINS, shown.molecules, &c));
    ENSURE(c.count == COUNT);
    double side = 0.06, most = 0; // [m] of the box, at least
    for (int i = 0; i < COUNT; i++) {
        int stored = c.data[2 * i] | c.data[2 * i + 1] << 8;
        double strain = 1e-4 * (stored > 32767 ? stored - 65536 : stored);
        most = fmax(most, fabs(strain));
        // half a step of the strain, and of each of six coordinates
        ENSURE_NEAR(strain, strain_at(start, now, COUNT, i, 0.01),
                    0.5e-4 + 2 * sqrt(3) * side / 65535 / 0.01);
    }
    ENSURE(most > 0.05); // it is strained
    run_close(&r);
}

// A block that flies: each place in a picture is the first one and the motion of the centre of mass; the surface goes along.
static void places_come_back(RbSoftDetection detection) {
    Run r;
    run_open(&r, "pendulum");
    RbSoftScene *s = block_scene(&r.f, 3, 3, 3);
    s->detection = detection;
    for (int i = 0; i < 27; i++) s->molecules.data[i].v = v3(1, 2, -3);
    soft_run(&r, s, 0.1);
    Shown shown = shown_of(&r, "block");
    RbMoment first = {.segment = 0}, last = {.segment = 0, .row = 20};
    int count;
    const Vec3 *a = rb_film_points(&shown.film, first, shown.molecules, &r.f.arena, &count),
               *b = rb_film_points(&shown.film, last, shown.molecules, &r.f.arena, &count);
    const double rounding = 0.3 * 6e-8,
                 step = 0.02 / 65535; // [m] of singles, and of places in their box
    for (int i = 0; i < count; i++) {
        ensure_place(a[i], s->molecules.data[i].r, step / 2 + rounding);
        ensure_place(b[i], v3_add(s->molecules.data[i].r, v3(0.1, 0.2, -0.3)),
                     step / 2 + 2 * rounding);
    }
    RbMesh mesh =
        rb_film_mesh(&shown.film, &shown.film.segments[0].drawn.objects[shown.surface], &r.f.arena);
    const Vec3 *v = rb_film_vertices(&shown.film, first, shown.surface, mesh.vertex_count,
                                     &r.f.arena),
               *w = rb_film_vertices(&shown.film, last, shown.surface, mesh.vertex_count,
                                     &r.f.arena);
    for (int i = 0; i < mesh.vertex_count; i++) { // weights are up to 2 and sum up to 1
        ensure_place(v[i], mesh.vertices[i], 4 * (step + rounding));
        ensure_place(w[i], v3_add(mesh.vertices[i], v3(0.1, 0.2, -0.3)), 4 * (step + 2 * rounding));
    }
    run_close(&r);
}

static void places_of_spheres_and_surfaces_come_back(void **state) {
    (void)state;
    places_come_back(RB_SOFT_SPHERES);
    places_come_back(RB_SOFT_SURFACES);
}

// A picture has 8 bytes for each molecule that moves, whatever its surface; what stands still is not in it.
static void pictures_are_small(void **state) {
    (void)state;
    enum { COUNT = 5 * 5 * 5, HEADS = 12 + RB_DRAW_CLOSE + 12 };
    Run r;
    run_open(&r, "pendulum");
    RbSoftScene *s = block_scene(&r.f, 5, 5, 5);
    s->detection = RB_SOFT_SURFACES;
    add_block(s, "wall", (Block){{3, 3, 3}, 0.01, 0.005, v3(0.1, 0, 0), 0, true});
    soft_run(&r, s, 0.01);
    Shown shown = shown_of(&r, "block"), wall = shown_of(&r, "wall");
    const RbFilmSegment *segment = &shown.film.segments[0];
    for (size_t i = 0; i < segment->row_count; i++)
        assert_int_equal(segment->offsets[i + 1] - segment->offsets[i], HEADS + 8 * COUNT);
    int count;
    const Vec3 *still =
        rb_film_points(&wall.film, (RbMoment){.row = 3}, wall.molecules, &r.f.arena, &count);
    ENSURE(count == 27 && !rb_film_deforms(&wall.film, (RbMoment){.row = 3}, wall.surface));
    ensure_place(still[26], v3(0.12, 0.02, 0.02), 1e-8);
    run_close(&r);
}

// With the scale of strains the drawing asks viewers to show them.
static void a_scale_is_in_the_drawing(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        Run r;
        run_open(&r, "pendulum");
        RbSoftScene *s = block_scene(&r.f, 3, 3, 3);
        ENSURE(rb_model_of_soft_scene(s, &r.f.arena, &r.f.diag, &r.model) == RB_OK);
        ENSURE(rb_model_override(r.model, "strain_scale", 0.25 * with, &r.f.diag) == RB_OK);
        r.options = rb_model_options(r.model);
        r.options.journal_file = r.journal;
        r.options.stop_time = 0.01;
        soft_go(&r);
        Shown shown = shown_of(&r, "block");
        RbChunkView c;
        bool there = rb_film_chunk(&shown.film, (RbMoment){0}, RB_CHUNK_SHADE, shown.molecules, &c);
        ENSURE(there == (with == 1));
        if (there) ENSURE_NEAR((double)rb_get_f32(c.data), 0.25, 0);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strains_of_an_even_stretch),
        cmocka_unit_test(strains_in_pictures_are_those_of_the_places),
        cmocka_unit_test(places_of_spheres_and_surfaces_come_back),
        cmocka_unit_test(pictures_are_small),
        cmocka_unit_test(a_scale_is_in_the_drawing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
