// SPDX-License-Identifier: MIT
// made_up KIND FILE: journals that no run has made, for the tests of the page.
//   parts     three segments: a ball on a table that vanishes, a mesh that comes and breathes; every kind of chunk; names
//             that try to break out of the page
//   spheres   10,000 balls on circles, 200 rows
//   crowd     20,000 balls of one object, with diameters and values, 20 rows
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/journal.h"

static const RbResultExperiment experiment = {
    .model = "odd </script><script>window.injected = 1</script> \"name\" & \xce\xb1",
    .start_time = 0,
    .stop_time = 3,
    .tolerance = 1e-6};

static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static RbDrawing draw_parts(int segment, RbArena *arena) {
    RbDrawing d = rb_drawing(arena);
    rb_drawing_begin(&d);
    RbDrawObject table = rb_draw_object("table", RB_FORM_BOX);
    table.size[0] = 4, table.size[1] = 4, table.size[2] = 0.2;
    table.position[2] = -0.1;
    table.colour[0] = table.colour[2] = 90 * (unsigned char)(segment == 2), table.colour[3] = 255;
    rb_drawing_add(&d, &table);
    RbDrawObject part = rb_draw_object("ball", RB_FORM_SPHERE);
    part.size[0] = 0.5;
    part.moves = true;
    part.mass = 2;
    if (segment > 0) {
        part.name = "<img src=x onerror=\"window.injected=2\">";
        part.form = RB_FORM_MESH;
        part.mesh = rb_drawing_mesh(&d, corners, 4, faces, 4);
    }
    int parent = rb_drawing_add(&d, &part);
    RbDrawObject lines = rb_draw_object("lines", RB_FORM_LINES);
    rb_drawing_add(&d, &lines);
    RbDrawObject patch = rb_draw_object("patch", RB_FORM_POLYGONS);
    rb_drawing_add(&d, &patch);
    RbDrawObject text = rb_draw_object("label", RB_FORM_TEXT);
    text.text = "moving \xce\xb1";
    text.size[0] = 0.2;
    text.parent = parent;
    text.position[2] = 0.6;
    rb_drawing_add(&d, &text);
    RbDrawObject arrow = rb_draw_object("arrow", RB_FORM_ARROW);
    arrow.size[0] = 0.7;
    rb_drawing_add(&d, &arrow);
    RbDrawObject gravity = rb_draw_object("gravity", RB_FORM_GRAVITY);
    gravity.size[2] = -9.81;
    rb_drawing_add(&d, &gravity);
    rb_drawing_room(&d, 8, 1000);
    rb_drawing_end(&d);
    return d;
}

static void show_parts(int segment, double t, RbPicture *p) {
    double r[3] = {cos(2 * t), sin(2 * t), 0.25}, q[4] = {cos(t), 0, 0, sin(t)}, moved[12],
           values[4];
    rb_picture_clear(p);
    rb_picture_begin(p, 0);
    rb_picture_pose(p, r, q);
    RbDrawContact c = {.a = 0,
                       .b = 1,
                       .point = {r[0], r[1], 0},
                       .normal = {0, 0, 1},
                       .force = {0, 3, 4 * (1 + t)},
                       .torque = {0, 0, 1},
                       .depth = 1e-3};
    if (segment != 2) rb_picture_contact(p, &c);
    rb_picture_lines(p, 2, (double[]){-1, -1, 0, r[0], r[1], r[2]}, 1);
    rb_picture_polygon(p, 3,
                       (double[]){-1, 0, 0.01, 1, 0, 0, 0.01, 2, 0, 1, 0.01, 3, -1, 1, 0.01, t}, 4);
    if (segment == 1) {
        for (int i = 0; i < 12; i++) moved[i] = corners[i] * (1 + 0.5 * sin(5 * t));
        for (int i = 0; i < 4; i++) values[i] = i;
        rb_picture_points(p, 1, moved, 4);
        rb_picture_values(p, 1, values, 4);
    }
    if (segment == 2) rb_picture_hide(p, 1);
}

static RbStatus write_parts(RbJournal *j, RbArena *arena, RbArena scratch, RbDiag *diag) {
    const RbResultEntry entries[] = {
        {.name = "ball.</script>\"'`", .unit = "m", .description = "<b>bold</b>"}, {.name = "x"}};
    for (int s = 0; s < 3; s++) {
        RbDrawing d = draw_parts(s, arena);
        RB_TRY(rb_journal_begin_segment(j, entries, s == 1 ? 1 : 2, diag));
        RB_TRY(rb_journal_draw(j, &d, scratch, diag));
        RbPicture p = rb_picture(d.room, arena);
        for (int i = 0; i <= 50; i++) {
            double t = s + i / 50.0, values[2] = {sin(t), t};
            show_parts(s, t, &p);
            RB_TRY(rb_journal_add_shown(j, t, values, (RbBlob){p.bytes, p.size}, diag));
        }
    }
    return RB_OK;
}

static RbStatus write_spheres(RbJournal *j, RbArena *arena, RbArena scratch, RbDiag *diag) {
    enum { COUNT = 10000, ROWS = 200 };
    RbDrawing d = rb_drawing(arena);
    rb_drawing_begin(&d);
    for (int i = 0; i < COUNT; i++) {
        RbDrawObject o = rb_draw_object(rb_arena_printf(arena, "ball[%d]", i + 1), RB_FORM_SPHERE);
        o.size[0] = 0.05;
        o.moves = true;
        rb_drawing_add(&d, &o);
    }
    rb_drawing_end(&d);
    RB_TRY(rb_journal_begin_segment(j, NULL, 0, diag));
    RB_TRY(rb_journal_draw(j, &d, scratch, diag));
    RbPicture p = rb_picture(d.room, arena);
    for (int row = 0; row < ROWS; row++) {
        double t = 0.01 * row;
        rb_picture_clear(&p);
        rb_picture_begin(&p, 0);
        for (int i = 0; i < COUNT; i++) {
            double a = 0.37 * i + t * (1 + 0.001 * i), R = 1 + 0.0002 * i;
            rb_picture_pose(&p, (double[]){R * cos(a), R * sin(a), 0.1 * sin(3 * a)},
                            (double[]){cos(t), sin(t), 0, 0});
        }
        RB_TRY(rb_journal_add_shown(j, t, NULL, (RbBlob){p.bytes, p.size}, diag));
    }
    return RB_OK;
}

static RbStatus write_crowd(RbJournal *j, RbArena *arena, RbArena scratch, RbDiag *diag) {
    enum { COUNT = 20000, ROWS = 20 };
    double *points = rb_new_array(arena, double, 3 * COUNT),
           *d = rb_new_array(arena, double, COUNT), *values = rb_new_array(arena, double, COUNT);
    RbDrawing drawing = rb_drawing(arena);
    rb_drawing_begin(&drawing);
    RbDrawObject o = rb_draw_object("grains", RB_FORM_SPHERES);
    o.size[0] = COUNT, o.size[1] = 0.01;
    rb_drawing_add(&drawing, &o);
    rb_drawing_room(&drawing, 3, 5 * COUNT * sizeof(float));
    rb_drawing_end(&drawing);
    RB_TRY(rb_journal_begin_segment(j, NULL, 0, diag));
    RB_TRY(rb_journal_draw(j, &drawing, scratch, diag));
    RbPicture p = rb_picture(drawing.room, arena);
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < COUNT; i++) {
            double a = 2.4 * i, R = 0.007 * sqrt(i);
            points[3 * i] = R * cos(a), points[3 * i + 1] = R * sin(a);
            points[3 * i + 2] = 0.1 * sin(6 * R - 0.2 * row);
            d[i] = 0.005 + 0.005 * (i % 3), values[i] = points[3 * i + 2];
        }
        rb_picture_clear(&p);
        rb_picture_begin(&p, 0);
        rb_picture_points(&p, 0, points, COUNT);
        rb_picture_diameters(&p, 0, d, COUNT);
        rb_picture_values(&p, 0, values, COUNT);
        RB_TRY(rb_journal_add_shown(j, 0.1 * row, NULL, (RbBlob){p.bytes, p.size}, diag));
    }
    return RB_OK;
}

typedef struct Job {
    const char *kind, *path;
    RbHeap heap;
} Job;

static RbStatus work(void *argument) {
    Job *job = argument;
    RbArena arena = rb_arena(&job->heap), scratch = rb_arena(&job->heap);
    RbDiag diag = rb_diag(&arena);
    RbJournal *j;
    RbJournalOptions options = rb_journal_options();
    options.durable = false;
    RB_TRY(rb_journal_create(job->path, &experiment, options, &arena, &diag, &j));
    bool parts = strcmp(job->kind, "parts") == 0;
    RB_TRY(parts                             ? write_parts(j, &arena, scratch, &diag)
           : strcmp(job->kind, "crowd") == 0 ? write_crowd(j, &arena, scratch, &diag)
                                             : write_spheres(j, &arena, scratch, &diag));
    RbStatus status = rb_journal_end(j, &(RbJournalEnding){.complete = true}, &diag);
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
    return status;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    Job job = {arguments[1], arguments[2], rb_heap(NULL)};
    return rb_protect(&job.heap, work, &job) == RB_OK ? 0 : 1;
}
