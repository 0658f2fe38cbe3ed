// SPDX-License-Identifier: MIT
// Who touches whom in a result: a made-up one, in which a box stands on two feet on a table and a
// ball knocks at it once.
#include "testing.h"

#include <string.h>

#include "export/touches.h"
#include "io/drawing.h"
#include "io/journal.h"

enum { ROWS = 11 };

static RbDrawing draw(RbArena *arena) {
    RbDrawing d = rb_drawing(arena);
    rb_drawing_begin(&d);
    RbDrawObject table = rb_draw_object("table", RB_FORM_BOX), box = table, foot = table,
                 ball = table;
    rb_drawing_add(&d, &table);
    box.name = "box", box.moves = true;
    foot.name = "box.foot", foot.parent = rb_drawing_add(&d, &box);
    rb_drawing_add(&d, &foot);
    ball.name = "ball", ball.moves = true;
    rb_drawing_add(&d, &ball);
    rb_drawing_room(&d, 1, 3 * RB_CONTACT_BYTES);
    rb_drawing_end(&d);
    return d;
}

// Both feet carry 5 N up and 100 N against each other sideways: 10 N together; from row 4 to 6 the ball pushes with 20,
// 30, 20 N.
static void show(int row, RbPicture *p) {
    rb_picture_clear(p);
    rb_picture_begin(p, 0);
    for (int i = 0; i < 2; i++) rb_picture_pose(p, (double[]){0, 0, 0}, (double[]){1, 0, 0, 0});
    RbDrawContact left = {.a = 0, .b = 1, .force = {100, 0, 5}},
                  right = {.a = 0, .b = 2, .force = {-100, 0, 5}},
                  knock = {.a = 2, .b = 3, .force = {row == 5 ? 30 : 20, 0, 0}};
    rb_picture_contact(p, &left);
    rb_picture_contact(p, &right);
    if (row >= 4 && row <= 6) rb_picture_contact(p, &knock);
}

static void write(const char *path, RbArena *arena, RbArena scratch, RbDiag *diag) {
    RbJournal *j;
    RbResultExperiment experiment = {.model = "feet"};
    RbJournalOptions options = rb_journal_options();
    options.durable = false;
    ENSURE(rb_journal_create(path, &experiment, options, arena, diag, &j) == RB_OK);
    RbDrawing d = draw(arena);
    ENSURE(rb_journal_begin_segment(j, NULL, 0, diag) == RB_OK);
    ENSURE(rb_journal_draw(j, &d, scratch, diag) == RB_OK);
    RbPicture p = rb_picture(d.room, arena);
    for (int row = 0; row < ROWS; row++) {
        show(row, &p);
        ENSURE(rb_journal_add_shown(j, 0.1 * row, NULL, (RbBlob){p.bytes, p.size}, diag) == RB_OK);
    }
    ENSURE(rb_journal_end(j, &(RbJournalEnding){.complete = true}, diag) == RB_OK);
}

static void pairs_with_their_largest_forces(void **state) {
    (void)state;
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap), scratch = rb_arena(&heap);
    RbDiag diag = rb_diag(&arena);
    RbResult *result;
    write("test_touches.rbj", &arena, scratch, &diag);
    ENSURE(rb_journal_read("test_touches.rbj", RB_JOURNAL_LOAD, &arena, scratch, &diag, &result) ==
           RB_OK);
    RbTouches t = rb_touches(result, &arena);
    ENSURE(t.pairs.count == 2 && t.most == 3);
    const RbTouchedPair *knock = &t.pairs.data[0], *stand = &t.pairs.data[1];
    ENSURE(strcmp(knock->a, "box") == 0 && strcmp(knock->b, "ball") == 0);
    ENSURE(knock->force == 30 && knock->at == 0.5 && knock->first == 0.4 && knock->rows == 3);
    ENSURE(knock->last == 0.1 * 6);
    ENSURE(strcmp(stand->a, "table") == 0 && strcmp(stand->b, "box") == 0);
    ENSURE(stand->force == 10 && stand->at == 0 && stand->rows == ROWS && stand->last == 1);
    remove("test_touches.rbj");
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_with_their_largest_forces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
