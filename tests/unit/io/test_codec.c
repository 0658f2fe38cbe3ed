// SPDX-License-Identifier: MIT
// Pictures of many points in a journal: small, back to the last bit, also after the run was resumed anywhere; what is rounded is off by half a
// step at most; bytes that are anything do no harm.
#include "samples.h"

#include "io/codec.h"
#include "math/rng.h"

enum { POINTS = 700, ROWS = 12 };

static const double STEP = 1e-5;   // [m]
static const double PERIOD = 0.01; // [s] between rows
static const RbResultEntry entries[] = {{.name = "x"}};

// Balls that were thrown, each with its own speed; more come every row, and the last hundred lie still.
static int count_at(int row) {
    return 400 + 20 * row;
}

static double place(int i, int k, int row) {
    RbRng rng = rb_rng((uint64_t)(3 * i + k + 1));
    double from = rb_rng_unit(&rng) - 0.5, speed = i < 300 ? rb_rng_unit(&rng) - 0.5 : 0;
    double t = row * PERIOD;
    return from + speed * t - (k == 2 && i < 300 ? 0.5 * 9.81 * t * t : 0);
}

static RbDrawing drawing_of(RbArena *arena) {
    RbDrawing d = rb_drawing(arena);
    rb_drawing_begin(&d);
    RbDrawObject balls = rb_draw_object("grains", RB_FORM_SPHERES);
    balls.size[0] = POINTS, balls.size[1] = 0.01;
    rb_drawing_add(&d, &balls);
    RbDrawObject other = rb_draw_object("lines", RB_FORM_LINES);
    rb_drawing_add(&d, &other);
    rb_drawing_room(&d, 6, 2 * RB_DRAW_TRACK + POINTS * 10 * 4 + 24);
    rb_drawing_end(&d);
    return d;
}

// step 0: single precision.
static RbBlob picture_of(int row, double step, RbArena *arena) {
    int n = count_at(row);
    double *values = rb_new_array(arena, double, 3 * POINTS), d[POINTS];
    RbPicture p = rb_picture(drawing_of(arena).room, arena);
    rb_picture_begin(&p, 0);
    for (int i = 0; i < 3 * n; i++) values[i] = place(i / 3, i % 3, row);
    for (int i = 0; i < n; i++) d[i] = i % 50 == row ? 0 : 0.01;
    if (step > 0)
        rb_picture_track(&p, 0, RB_TRACK_PLACE, step, values, 3, n);
    else
        rb_picture_points(&p, 0, values, n);
    rb_picture_lines(&p, 1, values, 1);
    rb_picture_track(&p, 0, RB_TRACK_VELOCITY, 100 * step, values, 3, n);
    rb_picture_diameters(&p, 0, d, n);
    return (RbBlob){p.bytes, p.size};
}

static bool same(RbBlob a, RbBlob b) {
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

static void what_is_coded_comes_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int rounded = 0; rounded < 2; rounded++) {
        RbCodec in = {0}, out = {0};
        size_t room = drawing_of(&f.arena).room, raw = 0, small = 0;
        rb_codec_reserve(&in, room, &f.arena);
        rb_codec_begin(&out, room, &f.arena);
        for (int row = 0; row < ROWS; row++) {
            RbBlob picture = picture_of(row, rounded ? STEP : 0, &f.arena), again;
            RbBlob coded = rb_encode_picture(&in, picture);
            if (row >= 2) raw += picture.size, small += coded.size;
            ENSURE(coded.size <= picture.size);
            ENSURE(!rb_decode_picture(&out, coded, &again));
            ENSURE(same(picture, again));
        }
        // Once two pictures are known: along x and y what is left are 2 steps at most, 3 bits of 32; along z g T² = 98 steps, 9 bits;
        // nothing of what lies still. Those that come (20 of 500 in a row) are not known.
        ENSURE(small < (rounded ? raw / 5 : raw));
    }
    fixture_close(&f);
}

static void what_is_rounded_is_off_by_half_a_step(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double worst = 0;
    for (int row = 0; row < ROWS; row++) {
        RbBlob picture = picture_of(row, STEP, &f.arena);
        RbTrackView t;
        RbChunkView c;
        size_t offset = 0;
        ENSURE(rb_picture_next(picture, &offset, &c) && rb_track_view(&c, &t));
        ENSURE(t.what == RB_TRACK_PLACE && t.count == count_at(row) && t.step == STEP);
        for (int i = 0; i < 3 * t.count; i++)
            worst = fmax(worst, fabs(rb_track_value(&t, i / 3, i % 3) - place(i / 3, i % 3, row)));
    }
    ENSURE(worst <= 0.5 * STEP * (1 + 1e-12) && worst > 0.49 * STEP);
    fixture_close(&f);
}

// More steps than 31 bits hold: single precision, which is coarser than such steps, and not another number.
static void what_has_too_many_steps_is_in_single_precision(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double values[3] = {3, -1e-3, 0.25};
    RbPicture p = rb_picture(200, &f.arena);
    RbTrackView t;
    RbChunkView c;
    size_t offset = 0;
    rb_picture_begin(&p, 0);
    rb_picture_track(&p, 0, RB_TRACK_PLACE, 1e-9, values, 3, 1);
    ENSURE(rb_picture_next((RbBlob){p.bytes, p.size}, &offset, &c) && rb_track_view(&c, &t));
    for (int k = 0; k < 3; k++)
        ENSURE_NEAR(rb_track_value(&t, 0, k), values[k], 6e-8 * fabs(values[k]));
    fixture_close(&f);
}

// Rows 0 ... 5 are one segment, the others another; in some the points are held.
static RbStatus write_rows(Fixture *f, RbJournal *j, int first, int end) {
    for (int row = first; row < end; row++) {
        RbDrawing d = drawing_of(&f->arena);
        if (row % 6 == 0) {
            RB_TRY(rb_journal_begin_segment(j, entries, 1, &f->diag));
            RB_TRY(rb_journal_draw(j, &d, f->scratch, &f->diag));
            ENSURE(rb_journal_segment_time(j) == -INFINITY);
        } else {
            ENSURE(rb_journal_segment_time(j) == row - 1);
        }
        RbBlob picture = picture_of(row, STEP, &f->arena);
        RbPicture held = rb_picture(100, &f->arena);
        rb_picture_begin(&held, 0);
        rb_picture_hold(&held, 0);
        double x = row;
        if (row % 3 == 2) picture = (RbBlob){held.bytes, held.size};
        RB_TRY(rb_journal_add_shown(j, row, &x, picture, &f->diag));
    }
    return RB_OK;
}

// Held pictures have the points of the row before, and nothing else.
static void ensure_pictures(Fixture *f, const RbResult *r) {
    RbCodec codec = {0};
    for (int row = 0; row < ROWS; row++) {
        const RbResultSegment *g = &r->segments.data[row / 6];
        RbBlob got, want = picture_of(row % 3 == 2 ? row - 1 : row, STEP, &f->arena);
        if (row % 6 == 0) rb_codec_begin(&codec, drawing_of(&f->arena).room, &f->arena);
        ENSURE(!rb_decode_picture(&codec, g->pictures[row % 6], &got));
        if (row % 3 != 2) {
            ENSURE(same(got, want));
            continue;
        }
        size_t offset = 0, other = 0;
        for (RbChunkView a, b; rb_picture_next(want, &offset, &a);) {
            if (a.object == 1) continue;
            ENSURE(rb_picture_next(got, &other, &b) && a.kind == b.kind && a.count == b.count);
            ENSURE(memcmp(a.data, b.data, a.item * a.count) == 0);
        }
        ENSURE(other == got.size);
    }
}

static void a_resumed_journal_has_the_same_bytes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "coded.rbj");
    SampleJournal sample = {path, 6000, ROWS, write_rows};
    uint64_t offset;
    for (int sync = 1; sync < ROWS; sync++) {
        RbBytes whole = write_journal(&f, &sample, sync, &offset),
                again = resume_journal(&f, &sample, sync, offset);
        ENSURE(whole.size == again.size && memcmp(whole.data, again.data, whole.size) == 0);
        if (sync > 1) continue;
        RbResult *r;
        ENSURE(rb_journal_read(path, RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
        ensure_pictures(&f, r);
        // Written again from the file it is read from.
        ENSURE(rb_journal_write(path, r, &f.arena, f.scratch, &f.diag) == RB_OK);
        ENSURE(rb_journal_read(path, RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
        ensure_pictures(&f, r);
    }
    fixture_close(&f);
}

// Bytes that were changed anywhere: an answer, whichever.
static void damaged_bytes_do_no_harm(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(7);
    size_t room = drawing_of(&f.arena).room;
    int refused = 0;
    RbCodec in = {0};
    rb_codec_reserve(&in, room, &f.arena);
    rb_encode_picture(&in, picture_of(0, STEP, &f.arena));
    RbBlob coded = rb_encode_picture(&in, picture_of(1, STEP, &f.arena));
    unsigned char *bytes = rb_arena_push(&f.arena, coded.size, 1);
    RbCodec out = {0};
    for (int k = 0; k < 2000; k++) {
        memcpy(bytes, coded.bytes, coded.size);
        for (int n = 0; n < 1 + k % 3; n++) {
            size_t at = (size_t)(rb_rng_unit(&rng) * (double)(k % 2 ? 60 : coded.size));
            bytes[at] ^= (unsigned char)(1 << k % 8);
        }
        RbBlob changed = {bytes, coded.size - (size_t)(k % 5 == 0 ? k % 97 : 0)}, picture;
        rb_codec_begin(&out, room, &f.arena);
        const char *wrong = rb_decode_picture(&out, changed, &picture);
        refused += wrong != NULL;
        ENSURE(wrong || picture.size <= room);
    }
    ENSURE(refused > 500);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_coded_comes_back),
        cmocka_unit_test(what_is_rounded_is_off_by_half_a_step),
        cmocka_unit_test(what_has_too_many_steps_is_in_single_precision),
        cmocka_unit_test(a_resumed_journal_has_the_same_bytes),
        cmocka_unit_test(damaged_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
