// SPDX-License-Identifier: MIT
// What a held run shows is what its journal keeps, byte by byte.
#include "testing.h"

#include <string.h>

#include "io/journal.h"
#include "rattleback/rattleback.h"
#include "scenes.h"

enum { SHOWN = 12 };

typedef struct Shown {
    RbHeap heap;
    RbArena arena, scratch;
    RbDiag diag;
    RbContext *context;
    RbModel *model;
    RbSimOptions options;
    RbRun *run;
} Shown;

static void open_scene(Shown *s, const char *name) {
    RbScene *scene;
    *s = (Shown){.heap = rb_heap(NULL)};
    s->arena = rb_arena(&s->heap);
    s->scratch = rb_arena(&s->heap);
    s->diag = rb_diag(&s->arena);
    s->context = rb_context_create(NULL);
    ENSURE(rb_scene_case_model(rb_scene_case(name), &s->arena, &s->diag, &s->model, &scene) ==
           RB_OK);
    s->model->context = s->context;
    s->options = rb_model_options(s->model);
    s->options.output_interval = 0.01;
}

static void close_scene(Shown *s) {
    rb_context_free(s->context);
    rb_arena_free(&s->scratch);
    rb_arena_free(&s->arena);
}

static RbBlob copy(Shown *s, const void *bytes, size_t size) {
    return (RbBlob){(const unsigned char *)rb_arena_bytes(&s->arena, bytes, size), size};
}

static bool same(RbBlob a, RbBlob b) {
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

// The last row of the table at a time.
static RbBlob picture_at(const RbResult *result, double time) {
    RbBlob found = {0};
    for (int i = 0; i < result->segments.count; i++) {
        const RbResultSegment *g = &result->segments.data[i];
        for (size_t k = 0; k < g->row_count; k++) {
            if (g->rows[k * (size_t)g->width] == time) found = g->pictures[k];
        }
    }
    return found;
}

static void check_against_journal(const char *name, int meshes) {
    Shown s;
    RbBlob pictures[SHOWN];
    double times[SHOWN];
    const void *bytes;
    size_t size;
    open_scene(&s, name);
    s.options.journal_file = "test_run_show.rbj";
    ENSURE(rb_run_open(s.context, s.model, &s.options, &s.run) == RB_OK);
    ENSURE(rb_run_drawing(s.run, &bytes, &size) == RB_OK && size > 0);
    RbBlob drawing = copy(&s, bytes, size);
    for (int i = 0; i < SHOWN; i++) {
        ENSURE(rb_run_step(s.run, RB_UNTIL_TIME, 0.01 * i, NULL) == RB_OK);
        ENSURE(rb_run_picture(s.run, &bytes, &size) == RB_OK && size > 0);
        pictures[i] = copy(&s, bytes, size);
        times[i] = rb_run_time(s.run);
    }
    RbBlob mesh = {0};
    if (meshes > 0) {
        bytes = rb_run_mesh(s.run, 0, &size);
        mesh = copy(&s, bytes, size);
    }
    ENSURE(!rb_run_mesh(s.run, meshes, &size) && size == 0 && !rb_run_mesh(s.run, -1, &size));
    ENSURE(rb_run_close(s.run, NULL) == RB_OK);

    RbResult *result;
    ENSURE(rb_journal_read("test_run_show.rbj", RB_JOURNAL_LOAD, &s.arena, s.scratch, &s.diag,
                           &result) == RB_OK);
    ENSURE(same(drawing, result->segments.data[0].drawing));
    ENSURE(result->meshes.count == meshes && (!meshes || same(mesh, result->meshes.data[0])));
    int moved = 0;
    for (int i = 0; i < SHOWN; i++) {
        ENSURE(same(pictures[i], picture_at(result, times[i])));
        moved += i > 0 && !same(pictures[i], pictures[i - 1]);
    }
    ENSURE(moved == SHOWN - 1);
    remove("test_run_show.rbj");
    close_scene(&s);
}

static void pictures_are_those_of_the_journal(void **state) {
    (void)state;
    check_against_journal("billiards", 0);
    check_against_journal("cup-hull", 1);
}

// A run that was looked at ends with the same bits.
static void showing_leaves_no_trace(void **state) {
    (void)state;
    double x[2][26];
    for (int looks = 0; looks < 2; looks++) {
        Shown s;
        const void *bytes;
        size_t size;
        open_scene(&s, "two-balls");
        ENSURE(rb_run_open(s.context, s.model, &s.options, &s.run) == RB_OK);
        for (int i = 1; i <= 20; i++) {
            ENSURE(rb_run_step(s.run, RB_UNTIL_STEP, 10, NULL) == RB_OK);
            if (looks) ENSURE(rb_run_picture(s.run, &bytes, &size) == RB_OK && size > 0);
        }
        ENSURE(rb_run_sizes(s.run).states == 26 && rb_run_states(s.run, x[looks]) == RB_OK);
        ENSURE(rb_run_close(s.run, NULL) == RB_OK);
        close_scene(&s);
    }
    ENSURE(memcmp(x[0], x[1], sizeof x[0]) == 0);
}

// A model without anything to see shows nothing, and wrong arguments are told.
static void nothing_to_see(void **state) {
    (void)state;
    RbContext *context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    source.text = "model M Real x(start = 1); equation der(x) = -x; end M;";
    RbModel *model;
    RbRun *run;
    const void *bytes = context;
    size_t size = 7;
    ENSURE(rb_modelica_translate(context, &source, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    ENSURE(rb_run_open(context, model, &options, &run) == RB_OK);
    ENSURE(rb_run_drawing(run, &bytes, &size) == RB_OK && size == 0);
    ENSURE(rb_run_picture(run, &bytes, &size) == RB_OK && size == 0);
    ENSURE(rb_run_picture(run, NULL, &size) == RB_ERROR_USAGE);
    ENSURE(rb_run_drawing(run, &bytes, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_run_drawing(NULL, &bytes, &size) == RB_ERROR_USAGE);
    ENSURE(!rb_run_mesh(run, 0, &size) && !rb_run_mesh(NULL, 0, &size));
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    rb_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_those_of_the_journal),
        cmocka_unit_test(showing_leaves_no_trace),
        cmocka_unit_test(nothing_to_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
