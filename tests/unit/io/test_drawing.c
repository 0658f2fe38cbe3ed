// SPDX-License-Identifier: MIT
// Drawings and pictures in a journal: what goes in comes out, however the file is read, cut or
// resumed; bytes that are no drawing are refused.
#include "samples.h"

#include "io/drawing.h"
#include "io/codec.h"

enum { ROWS = 9 };

// Three segments of three rows: the second goes on with the drawing of the first, in the third the
// ball is gone and a mesh has come.
static const int segment_of[ROWS] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
static const RbResultEntry entries[] = {{.name = "x"}};
static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static RbDrawing sample_drawing(int segment, RbArena *arena) {
    RbDrawing d = rb_drawing(arena);
    rb_drawing_begin(&d);
    RbDrawObject table = rb_draw_object("table", RB_FORM_BOX);
    table.size[0] = 2, table.size[1] = 1, table.size[2] = 0.25;
    table.collides = true;
    rb_drawing_add(&d, &table);
    RbDrawObject part = rb_draw_object(segment < 2 ? "ball" : "tetra \"</script>", RB_FORM_SPHERE);
    part.size[0] = 0.5;
    part.moves = true;
    part.mass = 3;
    part.colour[1] = part.colour[3] = 255;
    if (segment == 2) {
        part.form = RB_FORM_MESH;
        part.mesh = rb_drawing_mesh(&d, corners, 4, faces, 4);
        assert_int_equal(rb_drawing_mesh(&d, corners, 4, faces, 4), part.mesh);
    }
    int parent = rb_drawing_add(&d, &part);
    RbDrawObject text = rb_draw_object("text", RB_FORM_TEXT);
    text.text = "\xce\xb1";
    text.parent = parent;
    text.position[2] = 0.5;
    text.partner = 0;
    text.material = "Steel";
    rb_drawing_add(&d, &text);
    rb_drawing_room(&d, 3, 2 * RB_CONTACT_BYTES + 4 * 12);
    if (segment == 2) rb_picture_hide(rb_drawing_base(&d, 1, 0), 2);
    rb_drawing_end(&d);
    return d;
}

static void take_picture(int row, RbPicture *p) {
    rb_picture_clear(p);
    rb_picture_begin(p, 0);
    rb_picture_pose(p, (double[3]){row, 0.5, -row}, (double[4]){1, 0, 0, 0});
    for (int i = 0; i < row % 3; i++) {
        RbDrawContact c = {.a = 0, .b = 1, .depth = 0.125 * row, .force = {0, 0, 8.0 * row + i}};
        rb_picture_contact(p, &c);
    }
    if (row == 4) rb_picture_hide(p, 1);
    if (segment_of[row] == 2) rb_picture_points(p, 1, corners, 4);
}

static RbStatus write_rows(Fixture *f, RbJournal *j, int first, int end) {
    RbPicture p = {0};
    for (int row = first; row < end; row++) {
        RbDrawing d = sample_drawing(segment_of[row], &f->arena);
        if (row % 3 == 0) {
            RB_TRY(rb_journal_begin_segment(j, entries, 1, &f->diag));
            RB_TRY(rb_journal_draw(j, &d, f->scratch, &f->diag));
        }
        p = rb_picture(d.room, &f->arena);
        take_picture(row, &p);
        double x = 10 * row;
        RB_TRY(rb_journal_add_shown(j, row, &x, (RbBlob){p.bytes, p.size}, &f->diag));
    }
    return RB_OK;
}

static SampleJournal drawn_journal(const char *path) {
    return (SampleJournal){path, 200, ROWS, write_rows};
}

// All rows that are there are those of the sample.
static void ensure_rows(Fixture *f, const RbResult *r) {
    RbResultCursor cursor = rb_result_cursor(r);
    RbCodec codec = {0};
    int row = 0;
    for (;;) {
        RbResultRun run;
        ENSURE(rb_result_next(&cursor, &f->diag, &run) == RB_OK);
        if (run.count == 0) break;
        for (size_t i = 0; i < run.count; i++, row++) {
            RbBlob picture;
            if (row % 3 == 0) rb_codec_begin(&codec, 1000, &f->arena);
            ENSURE(!rb_decode_picture(&codec, run.pictures[i], &picture));
            RbPicture want = rb_picture(1000, &f->arena);
            take_picture(row, &want);
            ENSURE(run.rows[i * (size_t)run.width] == row);
            ENSURE(picture.size == want.size);
            ENSURE(memcmp(picture.bytes, want.bytes, want.size) == 0);
        }
    }
    assert_int_equal(row, r->row_count);
}

static void ensure_drawing(Fixture *f, const RbResult *r) {
    RbDrawn d;
    assert_int_equal(r->segments.count, 3);
    assert_int_equal(r->meshes.count, 1);
    ENSURE(r->segments.data[0].drawing.bytes == r->segments.data[1].drawing.bytes); // written once
    ENSURE(!rb_drawn_read(r->segments.data[0].drawing, 1, &f->arena, &d));
    assert_int_equal(d.object_count, 3);
    assert_string_equal(d.objects[1].name, "ball");
    ENSURE(d.objects[1].moves && d.objects[1].size[0] == 0.5 && d.objects[1].mass == 3);
    ENSURE(d.objects[1].colour[1] == 255 && d.objects[0].collides && !d.objects[0].moves);
    ENSURE(d.objects[2].parent == 1 && d.objects[2].position[2] == 0.5);
    assert_string_equal(d.objects[2].text, "\xce\xb1");
    assert_string_equal(d.objects[2].material, "Steel");
    ENSURE(d.objects[2].partner == 0 && d.objects[1].partner == RB_DRAW_WORLD);
    ENSURE(!rb_drawn_read(r->segments.data[2].drawing, 1, &f->arena, &d));
    assert_string_equal(d.objects[1].name, "tetra \"</script>");
    RbDrawnMesh mesh;
    ENSURE(!rb_drawn_mesh(r->meshes.data[d.objects[1].mesh], &mesh));
    ENSURE(mesh.vertex_count == 4 && mesh.triangle_count == 4);
    ENSURE(rb_get_f32(mesh.vertices + 12) == 1 && rb_get_u32(mesh.triangles + 4) == 2);
}

static void what_is_drawn_comes_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "drawn.rbj"), *copy = sample_path(&f, "drawn2.rbj");
    uint64_t offset;
    SampleJournal sample = drawn_journal(path);
    write_journal(&f, &sample, 4, &offset);
    for (int rows = RB_JOURNAL_LOAD; rows <= RB_JOURNAL_STREAM; rows++) {
        RbResult *r, *again;
        ENSURE(rb_journal_read(path, (RbJournalRows)rows, &f.arena, f.scratch, &f.diag, &r) ==
               RB_OK);
        ensure_drawing(&f, r);
        ensure_rows(&f, r);
        // A copy without any variable has the same drawings.
        bool keep = false;
        RbResult *none = rb_result_select(r, &keep, &f.arena, f.scratch);
        ENSURE(rb_journal_write(copy, none, &f.arena, f.scratch, &f.diag) == RB_OK);
        ENSURE(rb_journal_read(copy, RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &again) ==
               RB_OK);
        assert_int_equal(again->variables.count, 0);
        ensure_drawing(&f, again);
        ensure_rows(&f, again);
    }
    assert_int_equal(f.diag.messages.count, 0);
    remove(path), remove(copy);
    fixture_close(&f);
}

static void a_cut_file_gives_a_prefix_and_damage_is_noticed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "drawn-cut.rbj");
    uint64_t offset;
    SampleJournal sample = drawn_journal(path);
    RbBytes whole = write_journal(&f, &sample, 0, &offset);
    for (size_t size = 0; size < whole.size; size++) {
        RbResult *r;
        RbDiag diag = rb_diag(&f.arena);
        ENSURE(rb_journal_read_bytes("cut", whole.data, size, &f.arena, f.scratch, &diag, &r) ==
               RB_OK);
        ensure_rows(&f, r);
        unsigned char *damaged =
            (unsigned char *)rb_arena_bytes(&f.arena, (char *)whole.data, whole.size);
        damaged[size] ^= 4;
        ENSURE(rb_journal_read_bytes("bad", damaged, whole.size, &f.arena, f.scratch, &diag, &r) !=
                   RB_OK ||
               !r->complete);
    }
    remove(path);
    fixture_close(&f);
}

static void a_resumed_run_draws_the_same(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "drawn-resume.rbj");
    SampleJournal sample = drawn_journal(path);
    for (int sync = 0; sync <= ROWS; sync++) {
        uint64_t offset;
        RbBytes whole = write_journal(&f, &sample, sync, &offset),
                bytes = resume_journal(&f, &sample, sync, offset);
        ENSURE(bytes.size == whole.size && memcmp(bytes.data, whole.data, whole.size) == 0);
    }
    remove(path);
    fixture_close(&f);
}

// Every byte of a drawing, a mesh and a picture is set to several values: it is refused, or
// everything it says can be used.
static void wrong_bytes_are_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbDrawing d = sample_drawing(2, &f.arena);
    RbDrawn drawn;
    RbDrawnMesh mesh;
    RbBlob good = rb_drawing_encode(&d, (uint32_t[]){0}, &f.arena), shape = d.meshes.data[0];
    RbPicture p = rb_picture(d.room, &f.arena);
    take_picture(8, &p);
    RbBlob picture = {p.bytes, p.size};
    int refused = 0;
    for (int part = 0; part < 3; part++) {
        RbBlob blob = part == 0 ? good : part == 1 ? shape : picture;
        unsigned char *bytes =
            (unsigned char *)rb_arena_bytes(&f.arena, (const char *)blob.bytes, blob.size);
        for (size_t i = 0; i < blob.size; i++) {
            const unsigned char values[] = {0, 1, 5, 127, 128, 255};
            for (size_t k = 0; k < sizeof values; k++) {
                bytes[i] = values[k];
                RbBlob wrong = {bytes, blob.size};
                RbArena arena = f.scratch;
                if (part == 0) refused += rb_drawn_read(wrong, 1, &arena, &drawn) != NULL;
                if (part == 1) refused += rb_drawn_mesh(wrong, &mesh) != NULL;
                ENSURE(!rb_drawn_read(good, 1, &arena, &drawn));
                if (part == 2) refused += rb_picture_check(wrong, &drawn) != NULL;
            }
            bytes[i] = blob.bytes[i];
        }
    }
    ENSURE(refused > 100);
    ENSURE(!rb_drawn_read(good, 1, &f.arena, &drawn) && !rb_picture_check(picture, &drawn));
    assert_string_equal(rb_drawn_read(good, 0, &f.arena, &drawn), "an object has no such mesh");
    picture.size--;
    ENSURE(!rb_drawn_read(good, 1, &f.arena, &drawn));
    assert_string_equal(rb_picture_check(picture, &drawn), "a picture is cut");
    fixture_close(&f);
}

// What does not fit is left out, and nothing is written behind the end.
// Points in a box: random ones, flat ones, one alone; each coordinate is within half of a step, and of rounding.
static void close_points_come_back(void **state) {
    (void)state;
    enum { MOST = 50 };
    Fixture f;
    fixture_open(&f);
    for (int trial = 0; trial < 200; trial++) {
        int count = 1 + trial % MOST;
        double points[3 * MOST], low[3], high[3];
        unsigned seed = (unsigned)trial * 2654435761u + 1;
        for (int i = 0; i < 3 * count; i++) {
            seed = seed * 1664525u + 1013904223u;
            points[i] =
                (i % 3 == 2 && trial % 4 == 0) ? 0.7 : (trial % 7 - 3) + (seed >> 8) / 16777216.0;
        }
        for (int k = 0; k < 3; k++) {
            low[k] = INFINITY, high[k] = -INFINITY;
            for (int i = 0; i < count; i++)
                low[k] = fmin(low[k], points[3 * i + k]),
                high[k] = fmax(high[k], points[3 * i + k]);
        }
        RbPicture p = rb_picture(RB_CHUNK_HEAD + RB_DRAW_CLOSE + 6 * (size_t)count, &f.arena);
        rb_picture_close_points(&p, 0, points, count);
        size_t offset = 0;
        RbChunkView c;
        ENSURE(rb_picture_next((RbBlob){p.bytes, p.size}, &offset, &c));
        ENSURE(c.kind == RB_CHUNK_CLOSE_POINTS && (int)c.count == count + RB_CLOSE_HEAD);
        for (int i = 0; i < 3 * count; i++) {
            const unsigned char *u = c.data + RB_DRAW_CLOSE + 2 * i;
            double at = (double)rb_get_f32(c.data + 4 * (i % 3)) +
                        (double)rb_get_f32(c.data + 12 + 4 * (i % 3)) * (u[0] | u[1] << 8);
            double side = high[i % 3] - low[i % 3];
            ENSURE_NEAR(at, points[i], side / 131070 * 1.0001 + 4 * 6e-8 * (4 + side));
        }
    }
    fixture_close(&f);
}

// What hangs on points that do not exist is refused.
static void carriers_must_exist(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int wrong = 0; wrong < 5; wrong++) {
        RbDrawing d = rb_drawing(&f.arena);
        rb_drawing_begin(&d);
        RbDrawObject points = rb_draw_object("points", wrong == 1 ? RB_FORM_BOX : RB_FORM_SPHERES);
        points.size[0] = 3;
        rb_drawing_add(&d, &points);
        RbDrawObject mesh = rb_draw_object("points", RB_FORM_MESH);
        mesh.mesh = rb_drawing_mesh(&d, corners, 4, faces, 4);
        mesh.parent = 0;
        rb_drawing_add(&d, &mesh);
        RbDrawCarried v = {
            .point = {0, 1, 2, -1, -1, -1, -1, -1}, .weight = {1}, .plane = {0, 1, 2}};
        if (wrong == 2) v.point[1] = 3;
        if (wrong == 3) v.plane[2] = 7;
        RbPicture *base = rb_drawing_base(&d, 3, RB_DRAW_CARRIED + RB_DRAW_RAISED + 8);
        rb_picture_carried(base, 1, &v, 1);
        rb_picture_connections(base, 1, (int[2]){0, wrong == 4 ? 3 : 2}, 1);
        rb_drawing_end(&d);
        RbDrawn read;
        const char *said =
            rb_drawn_read(rb_drawing_encode(&d, (uint32_t[1]){0}, &f.arena), 1, &f.arena, &read);
        assert_string_equal(said ? said : "",
                            wrong == 0   ? ""
                            : wrong == 1 ? "an object hangs on points that do not exist"
                                         : "an object hangs on a point that does not exist");
    }
    fixture_close(&f);
}

static void a_full_picture_takes_no_more(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (size_t room = 0; room < 200; room++) {
        RbPicture p = rb_picture(room, &f.arena);
        unsigned char *guard = rb_arena_push(&f.arena, 64, 1);
        for (int row = 0; row < ROWS; row++) {
            take_picture(row, &p);
            ENSURE(p.size <= room);
            size_t offset = 0;
            RbChunkView c;
            while (rb_picture_next((RbBlob){p.bytes, p.size}, &offset, &c)) {
            }
            ENSURE(offset == p.size);
        }
        for (int i = 0; i < 64; i++) ENSURE(guard[i] == 0);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn_comes_back),
        cmocka_unit_test(a_cut_file_gives_a_prefix_and_damage_is_noticed),
        cmocka_unit_test(a_resumed_run_draws_the_same),
        cmocka_unit_test(wrong_bytes_are_refused),
        cmocka_unit_test(close_points_come_back),
        cmocka_unit_test(carriers_must_exist),
        cmocka_unit_test(a_full_picture_takes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
