// SPDX-License-Identifier: MIT
// The journal: what goes in comes out; cut, damaged and killed files; a resumed run writes the same
// bytes.
#include "samples.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/journal_format.h"

static RbJournalOptions small_blocks(void) {
    return (RbJournalOptions){.block_bytes = 70,
                              .flush_seconds = 1e9}; // two rows of the first segment
}

// Write the sample journal and get its bytes.
static RbBytes sample_bytes(Fixture *f, const char *name, RbJournalOptions options) {
    const char *path = sample_path(f, name);
    ENSURE(sample_journal(path, options, &f->arena, &f->diag) == RB_OK);
    RbBytes bytes;
    ENSURE(rb_file_read(path, 0, &f->arena, &f->diag, &bytes) == RB_OK);
    remove(path);
    return bytes;
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
    remove(path); // some file systems wait for the disk when a file is overwritten
    FILE *file = fopen(path, "wb");
    ENSURE(file && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

static void what_goes_in_comes_out(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "round.rbj");
    ENSURE(sample_journal(path, small_blocks(), &f.arena, &f.diag) == RB_OK);
    RbResult *r;
    ENSURE(rb_journal_read(path, RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    assert_int_equal(f.diag.messages.count, 0);
    ENSURE(r->complete && strcmp(r->reason, "") == 0);
    assert_string_equal(r->experiment.model, "Two.Bodies");
    ENSURE(r->experiment.stop_time == 0.7 && r->experiment.tolerance == 1e-6);
    assert_int_equal(r->figures.count, 2);
    assert_string_equal(r->figures.data[0].name, "steps");
    ENSURE(r->figures.data[0].value == 123);
    assert_int_equal(r->variables.count, SAMPLE_VARIABLES);
    assert_int_equal(r->row_count, SAMPLE_ROWS);
    assert_string_equal(r->variables.data[0].description, "position, \"x\"");
    assert_string_equal(r->variables.data[7].unit, "rad/s");
    ENSURE(r->variables.data[5].discrete && r->variables.data[3].parameter);
    ENSURE(r->variables.data[4].alias_of == 0 && r->variables.data[4].negated);
    ensure_sample(&f, r);
    remove(path);
    fixture_close(&f);
}

static void rows_can_stay_in_the_file(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "stream.rbj");
    ENSURE(sample_journal(path, small_blocks(), &f.arena, &f.diag) == RB_OK);
    RbResult *r;
    ENSURE(rb_journal_read(path, RB_JOURNAL_STREAM, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    ENSURE(!r->segments.data[0].rows);
    RbResultCursor cursor = rb_result_cursor(r);
    RbResultRun run;
    size_t row = 0;
    int runs = 0;
    size_t calls = f.heap.calls;
    for (;; runs++) {
        ENSURE(rb_result_next(&cursor, &f.diag, &run) == RB_OK);
        if (run.count == 0) break;
        for (size_t i = 0; i < run.count; i++, row++) {
            const double *numbers = run.rows + i * (size_t)run.width;
            ENSURE(numbers[0] == sample_times[row]);
            RbResultSlot slot = rb_result_slot(r, run.segment, 4);
            ENSURE(same_bits(rb_result_value(slot, numbers), sample_table[4][row]));
        }
    }
    ENSURE(row == SAMPLE_ROWS &&
           runs == 4); // 2 + 2 rows of 4 numbers, 2 + 1 of 3 in blocks of 70 bytes
    ENSURE(f.heap.calls == calls);
    remove(path);
    fixture_close(&f);
}

// The number of rows that are in whole blocks of the first `size` bytes, from the layout in
// docs/formats.md.
static size_t whole_rows(const unsigned char *bytes, size_t size) {
    size_t rows = 0, width = 4;
    for (size_t at = 12; at + 12 <= size;) {
        size_t payload = rb_get_u32(bytes + at + 4);
        if (at + 12 + payload + 4 > size) break;
        if (memcmp(bytes + at, "ROWS", 4) == 0) rows += payload / (8 * width);
        if (memcmp(bytes + at, "SEGM", 4) == 0 && rows > 0) width = 3;
        at += 12 + payload + 4;
    }
    return rows;
}

static void a_file_cut_anywhere_gives_a_prefix(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes whole = sample_bytes(&f, "cut.rbj", small_blocks());
    for (size_t size = 0; size < whole.size; size++) {
        RbArena arena = rb_arena(&f.heap);
        RbDiag diag = rb_diag(&arena);
        RbResult *r;
        ENSURE(rb_journal_read_bytes("cut.rbj", whole.data, size, &arena, f.scratch, &diag, &r) ==
               RB_OK);
        ENSURE(!r->complete && r->reason[0]);
        assert_int_equal(diag.messages.count, 1);
        assert_int_equal(diag.messages.data[0].severity, RB_WARNING);
        assert_int_equal(r->row_count, whole_rows(whole.data, size));
        ensure_sample(&f, r);
        rb_arena_free(&arena);
    }
    fixture_close(&f);
}

static void the_warning_names_the_byte(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes whole = sample_bytes(&f, "warn.rbj", small_blocks());
    RbResult *r;
    // The header of the run: 12 + payload (4 + 3 * 8 + 4 + 10 letters) + 4 bytes, so the next block
    // begins at 70.
    ENSURE(rb_journal_read_bytes("w.rbj", whole.data, 75, &f.arena, f.scratch, &f.diag, &r) ==
           RB_OK);
    assert_string_equal(fixture_message(&f, 0),
                        "w.rbj: warning: the file ends at byte 75, inside the block that begins at "
                        "byte 70; what follows is missing\n");
    assert_string_equal(r->reason, "the journal ends at byte 75");
    ENSURE(rb_journal_read_bytes("w.rbj", whole.data, 70, &f.arena, f.scratch, &f.diag, &r) ==
           RB_OK);
    assert_string_equal(fixture_message(&f, 1), "w.rbj: warning: the file ends at byte 70 without "
                                                "a closing block; what follows is missing\n");
    assert_string_equal(r->experiment.model, "Two.Bodies");
    fixture_close(&f);
}

static void every_damaged_byte_is_noticed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes whole = sample_bytes(&f, "damage.rbj", small_blocks());
    unsigned char *bytes =
        (unsigned char *)rb_arena_bytes(&f.arena, (const char *)whole.data, whole.size);
    for (size_t i = 0; i < whole.size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            RbArena arena = rb_arena(&f.heap);
            RbDiag diag = rb_diag(&arena);
            RbResult *r;
            bytes[i] ^= (unsigned char)(1 << bit);
            ENSURE(rb_journal_read_bytes("d.rbj", bytes, whole.size, &arena, f.scratch, &diag,
                                         &r) == RB_ERROR_IO);
            ENSURE(diag.error_count == 1 && !r);
            bytes[i] ^= (unsigned char)(1 << bit);
            rb_arena_free(&arena);
        }
    }
    fixture_close(&f);
}

static void expect_error(Fixture *f, const void *bytes, size_t size, const char *message) {
    RbResult *r;
    int before = f->diag.messages.count;
    ENSURE(rb_journal_read_bytes("a.rbj", bytes, size, &f->arena, f->scratch, &f->diag, &r) ==
           RB_ERROR_IO);
    assert_string_equal(fixture_message(f, before), message);
}

static void damage_is_named_with_its_byte(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes whole = sample_bytes(&f, "named.rbj", small_blocks());
    unsigned char *bytes =
        (unsigned char *)rb_arena_bytes(&f.arena, (const char *)whole.data, whole.size);
    bytes[1] = 'X';
    expect_error(&f, bytes, whole.size,
                 "a.rbj: error: not a journal of Rattleback: the mark at byte 0 is missing [io]\n");
    bytes[1] = 'R';
    bytes[8] = 9;
    expect_error(
        &f, bytes, whole.size,
        "a.rbj: error: the journal has format version 9 (byte 8); this program reads versions "
        "1, 2, 4, 7 and 8 [io]\n");
    bytes[8] = 1;
    bytes[74] ^= 1;
    expect_error(
        &f, bytes, whole.size,
        "a.rbj: error: the block at byte 70 is damaged: the checksum of its header is wrong "
        "[io]\n");
    bytes[74] ^= 1;
    bytes[90] ^= 1;
    expect_error(
        &f, bytes, whole.size,
        "a.rbj: error: the block at byte 70 is damaged: the checksum of its content is wrong "
        "[io]\n");
    RbResult *r;
    ENSURE(rb_journal_read("/nonexistent/a.rbj", RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag,
                           &r) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 4),
                        "/nonexistent/a.rbj: error: cannot open: No such file or directory [io]\n");
    ENSURE(rb_journal_read("/", RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 5),
                        "/: error: cannot read: it is not a regular file [io]\n");
    fixture_close(&f);
}

static void messages_outlive_the_result(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbArena arena = rb_arena(&f.heap);
    char name[] = "/nonexistent/b.rbj";
    RbResult *r;
    RbJournal *j;
    ENSURE(rb_journal_read(name, RB_JOURNAL_LOAD, &arena, f.scratch, &f.diag, &r) == RB_ERROR_IO);
    ENSURE(rb_journal_create(name, &sample_experiment, small_blocks(), &arena, &f.diag, &j) ==
           RB_ERROR_IO);
    rb_arena_free(&arena);
    scribble(f.scratch);
    memset(name, 'x', sizeof name - 1);
    assert_string_equal(fixture_message(&f, 0),
                        "/nonexistent/b.rbj: error: cannot open: No such file or directory [io]\n");
    assert_string_equal(
        fixture_message(&f, 1),
        "/nonexistent/b.rbj: error: cannot write: No such file or directory [io]\n");
    fixture_close(&f);
}

// ---- blocks with right checksums and wrong contents

typedef struct Forge {
    unsigned char bytes[1024];
    size_t size;
} Forge;

static void forge_block(Forge *to, const char *kind, const void *payload, size_t size) {
    unsigned char *b = to->bytes + to->size;
    memcpy(b, kind, 4);
    rb_put_u32(b + 4, (uint32_t)size);
    rb_put_u32(b + 8, rb_crc32(0, b, 8));
    if (size > 0) memcpy(b + 12, payload, size);
    rb_put_u32(b + 12 + size, rb_crc32(0, payload, size));
    to->size += size + 16;
}

static Forge forge_start(void) {
    Forge to = {.size = 12};
    memcpy(to.bytes, RB_JOURNAL_MARK, 8);
    rb_put_u32(to.bytes + 8, 1);
    unsigned char run[4 + 24 + 4] = {0};
    forge_block(&to, "RUN ", run, sizeof run); // ends at byte 60
    return to;
}

static void expect_forged(Fixture *f, Forge forged, const char *why) {
    expect_error(f, forged.bytes, forged.size,
                 rb_arena_printf(
                     &f->arena, "a.rbj: error: the block at byte 60 is not valid: %s [io]\n", why));
}

static void wrong_contents_are_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const struct {
        const char *kind;
        unsigned char payload[40];
        size_t size;
        const char *why;
    } cases[] = {
        {"RUN ", {0}, 32, "there is a second header of the run"},
        {"ABCD", {0}, 0, "it is of an unknown kind"},
        {"ROWS", {0}, 8, "rows come before the first segment"},
        {"SEGM", {0}, 3, "it is too short for what it announces"},
        {"SEGM", {1}, 8, "segments are not in order"},
        {"SEGM",
         {0, 0, 0, 0, 255, 255, 255, 255},
         8,
         "it announces more variables than fit into it"},
        {"SEGM", {0, 0, 0, 0, 1, 0, 0, 0, 9}, 13, "a variable is used before it is declared"},
        {"SEGM", {0, 0, 0, 0, 1}, 30, "a variable has no name"},
        {"SEGM",
         {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255},
         30,
         "it is too short for what it announces"},
        {"SEGM",
         {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 't', 'i', 'm', 'e'},
         32,
         "a variable is called 'time'"},
        {"SEGM",
         {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 9},
         27,
         "a variable is stored in an unknown way"},
        {"SEGM",
         {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 1},
         31,
         "an alias refers to something that has no column"},
        {"SEGM",
         {0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 0},
         32,
         "a variable stands twice in one segment"},
        {"SEGM",
         {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 0},
         28,
         "it is longer than what it announces"},
        {"DONE", {1, 0, 0, 0, 0, 255, 255, 0, 0}, 9, "it announces more figures than fit into it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Forge forged = forge_start();
        forge_block(&forged, cases[i].kind, cases[i].payload, cases[i].size);
        expect_forged(&f, forged, cases[i].why);
    }
    fixture_close(&f);
}

static void a_huge_block_size_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Forge to = {.size = 12};
    memcpy(to.bytes, forge_start().bytes, 12);
    unsigned char run[32] = {1, 0, 0, 1}; // one more than 2^24
    forge_block(&to, "RUN ", run, sizeof run);
    expect_error(&f, to.bytes, to.size,
                 "a.rbj: error: the block at byte 12 is not valid: it announces blocks of more "
                 "than 16 MiB [io]\n");
    fixture_close(&f);
}

static void wrong_order_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    unsigned char empty[8] = {0}, done[9] = {1};
    Forge no_run = {.size = 12};
    memcpy(no_run.bytes, forge_start().bytes, 12);
    forge_block(&no_run, "SEGM", empty, 8);
    expect_error(
        &f, no_run.bytes, no_run.size,
        "a.rbj: error: the block at byte 12 is not valid: the header of the run does not come "
        "first [io]\n");
    Forge ended = forge_start();
    forge_block(&ended, "DONE", done, 9); // 25 bytes
    forge_block(&ended, "SEGM", empty, 8);
    expect_error(
        &f, ended.bytes, ended.size,
        "a.rbj: error: the block at byte 85 is not valid: it follows the closing block [io]\n");
    Forge rows = forge_start();
    forge_block(&rows, "SEGM", empty, 8); // 24 bytes
    Forge odd = rows, back = rows, nan_time = rows;
    forge_block(&odd, "ROWS", empty, 7);
    expect_error(
        &f, odd.bytes, odd.size,
        "a.rbj: error: the block at byte 84 is not valid: its size is not a whole number of "
        "rows [io]\n");
    double times[2] = {1, 0.5}, no_time = NAN;
    forge_block(&back, "ROWS", times, 16);
    expect_error(
        &f, back.bytes, back.size,
        "a.rbj: error: the block at byte 84 is not valid: the time runs backwards in its rows "
        "[io]\n");
    forge_block(&nan_time, "ROWS", &no_time, 8);
    expect_error(
        &f, nan_time.bytes, nan_time.size,
        "a.rbj: error: the block at byte 84 is not valid: the time runs backwards in its rows "
        "[io]\n");
    fixture_close(&f);
}

// A note belongs to the segment before it, once, before its rows; older files have none.
static void notes_stand_at_the_beginning(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    unsigned char empty[8] = {0}, note[8 + 4 + 16 + 4] = {0};
    double row = 1;
    Forge first = forge_start();
    forge_block(&first, "NOTE", note, sizeof note);
    expect_forged(&f, first, "a note comes before the first segment");
    Forge twice = forge_start();
    forge_block(&twice, "SEGM", empty, 8);
    Forge late = twice, short_one = twice, good = twice;
    forge_block(&twice, "NOTE", note, sizeof note); // 48 bytes
    forge_block(&twice, "NOTE", note, sizeof note);
    expect_error(&f, twice.bytes, twice.size,
                 "a.rbj: error: the block at byte 132 is not valid: a note does not follow the "
                 "beginning of a segment [io]\n");
    forge_block(&late, "ROWS", &row, 8); // 24 bytes
    forge_block(&late, "NOTE", note, sizeof note);
    expect_error(&f, late.bytes, late.size,
                 "a.rbj: error: the block at byte 108 is not valid: a note does not follow the "
                 "beginning of a segment [io]\n");
    forge_block(&short_one, "NOTE", note, sizeof note - 1);
    expect_error(&f, short_one.bytes, short_one.size,
                 "a.rbj: error: the block at byte 84 is not valid: it is too short for what it "
                 "announces [io]\n");
    RbResult *result;
    unsigned char done[9] = {1};
    forge_block(&good, "DONE", done, 9);
    ENSURE(rb_journal_read_bytes("a.rbj", good.bytes, good.size, &f.arena, f.scratch, &f.diag,
                                 &result) == RB_OK);
    ENSURE(result->segments.data[0].note.cause == NULL);
    fixture_close(&f);
}

// ---- writing

static void bytes_do_not_depend_on_the_clock(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes lazy = sample_bytes(&f, "lazy.rbj", small_blocks());
    RbJournalOptions eager = small_blocks();
    eager.flush_seconds = 0;
    RbBytes hasty = sample_bytes(&f, "hasty.rbj", eager);
    ENSURE(lazy.size == hasty.size && memcmp(lazy.data, hasty.data, lazy.size) == 0);
    fixture_close(&f);
}

static void an_unfinished_block_reaches_the_file(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "unfinished.rbj");
    RbJournalOptions options = rb_journal_options();
    options.flush_seconds = 0;
    RbJournal *j;
    ENSURE(rb_journal_create(path, &sample_experiment, options, &f.arena, &f.diag, &j) == RB_OK);
    ENSURE(sample_write_first(j, &f.diag) == RB_OK);
    RbResult *r;
    ENSURE(rb_journal_read(path, RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    ENSURE(!r->complete && r->row_count == 4);
    ensure_sample(&f, r);
    remove(path);
    fixture_close(&f);
}

// Write the sample; ask for the offset after `sync_after` rows; stop after `stop_after` rows as if
// killed (or go on to the end).
static uint64_t write_until(Fixture *f, const char *path, int sync_after, int stop_after,
                            bool end) {
    RbArena arena = rb_arena(&f->heap);
    RbJournal *j;
    uint64_t offset = 0;
    ENSURE(rb_journal_create(path, &sample_experiment, small_blocks(), &arena, &f->diag, &j) ==
           RB_OK);
    if (sync_after == -1) ENSURE(rb_journal_sync(j, &f->diag, &offset) == RB_OK);
    ENSURE(rb_journal_begin_segment(j, sample_first, 7, &f->diag) == RB_OK);
    for (int row = 0; row < stop_after; row++) {
        if (row == sync_after) ENSURE(rb_journal_sync(j, &f->diag, &offset) == RB_OK);
        if (row == SAMPLE_FIRST)
            ENSURE(rb_journal_begin_segment(j, sample_second, 6, &f->diag) == RB_OK);
        const double *numbers =
            row < SAMPLE_FIRST ? sample_first_rows[row] : sample_second_rows[row - SAMPLE_FIRST];
        ENSURE(rb_journal_add_row(j, numbers[0], numbers + 1, &f->diag) == RB_OK);
    }
    if (sync_after == stop_after) ENSURE(rb_journal_sync(j, &f->diag, &offset) == RB_OK);
    RbJournalEnding interrupted = {.reason = "interrupted"};
    if (end) ENSURE(rb_journal_end(j, &interrupted, &f->diag) == RB_OK);
    rb_arena_free(&arena);
    return offset;
}

static void resume_and_finish(Fixture *f, const char *path, uint64_t offset, int done) {
    RbArena arena = rb_arena(&f->heap);
    RbJournal *j;
    ENSURE(rb_journal_resume(path, offset, small_blocks(), &arena, f->scratch, &f->diag, &j) ==
           RB_OK);
    if (done == -1) ENSURE(rb_journal_begin_segment(j, sample_first, 7, &f->diag) == RB_OK);
    for (int row = done > 0 ? done : 0; row < SAMPLE_ROWS; row++) {
        if (row == SAMPLE_FIRST)
            ENSURE(rb_journal_begin_segment(j, sample_second, 6, &f->diag) == RB_OK);
        const double *numbers =
            row < SAMPLE_FIRST ? sample_first_rows[row] : sample_second_rows[row - SAMPLE_FIRST];
        ENSURE(rb_journal_add_row(j, numbers[0], numbers + 1, &f->diag) == RB_OK);
    }
    RbResultFigure figures[] = {{"steps", 123}, {"events", 1}};
    RbJournalEnding ending = {.complete = true, .figures = figures, .figure_count = 2};
    ENSURE(rb_journal_end(j, &ending, &f->diag) == RB_OK);
    rb_arena_free(&arena);
}

// From every checkpoint, however far the run went on after it, and however it was stopped.
static void a_resumed_run_writes_the_same_bytes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBytes whole = sample_bytes(&f, "whole.rbj", small_blocks());
    const char *path = sample_path(&f, "resume.rbj");
    for (int sync = -1; sync <= SAMPLE_ROWS; sync++) {
        for (int stop = sync > 0 ? sync : 0; stop <= SAMPLE_ROWS; stop++) {
            for (int end = 0; end <= 1; end++) {
                uint64_t offset = write_until(&f, path, sync, stop, end);
                resume_and_finish(&f, path, offset, sync);
                RbBytes bytes;
                ENSURE(rb_file_read(path, 0, &f.arena, &f.diag, &bytes) == RB_OK);
                ENSURE(bytes.size == whole.size && memcmp(bytes.data, whole.data, whole.size) == 0);
            }
        }
    }
    remove(path);
    fixture_close(&f);
}

static void a_wrong_offset_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = rb_arena_text(&f.arena, "wrong-offset.rbj");
    RbBytes whole = sample_bytes(&f, "whole2.rbj", small_blocks());
    ENSURE(chdir(RB_BINARY_DIR) == 0);
    RbJournal *j;
    int accepted = 0;
    for (uint64_t offset = 0; offset < whole.size; offset++) {
        write_bytes(path, whole.data, whole.size);
        RbArena arena = rb_arena(&f.heap);
        RbDiag diag = rb_diag(&arena);
        accepted +=
            rb_journal_resume(path, offset, small_blocks(), &arena, f.scratch, &diag, &j) == RB_OK;
        rb_arena_free(&arena);
    }
    // Behind the header of the run, each segment header, and each of the 7 rows (the end of a full
    // block stands for its last row); and behind the last block, which is not full but followed by
    // the end.
    assert_int_equal(accepted, 1 + 2 + SAMPLE_ROWS + 1);
    write_bytes(path, whole.data, whole.size);
    ENSURE(rb_journal_resume(path, 9999, rb_journal_options(), &f.arena, f.scratch, &f.diag, &j) ==
           RB_ERROR_IO);
    assert_string_equal(
        fixture_message(&f, 0),
        "wrong-offset.rbj: error: cannot continue at byte 9999: the file is shorter; the "
        "checkpoint belongs to another journal [io]\n");
    ENSURE(rb_journal_resume(path, 71, rb_journal_options(), &f.arena, f.scratch, &f.diag, &j) ==
           RB_ERROR_IO);
    assert_string_equal(
        fixture_message(&f, 1),
        "wrong-offset.rbj: error: cannot continue at byte 71: no row ends there; the "
        "checkpoint belongs to another journal [io]\n");
    remove(path);
    fixture_close(&f);
}

// Resuming reads everything up to the offset, and the unfinished block to its end.
static void a_damaged_file_is_not_continued(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "damaged.rbj");
    uint64_t offset =
        write_until(&f, path, 3, SAMPLE_ROWS, true); // the third row is the first of its block
    RbBytes good;
    ENSURE(rb_file_read(path, 0, &f.arena, &f.diag, &good) == RB_OK);
    size_t block_end = (size_t)offset + 4 * 8 + 4; // one more row of four numbers, and the checksum
    for (size_t i = 0; i < good.size; i++) {
        RbArena arena = rb_arena(&f.heap);
        RbDiag diag = rb_diag(&arena);
        RbJournal *j;
        unsigned char *bytes =
            (unsigned char *)rb_arena_bytes(&arena, (const char *)good.data, good.size);
        bytes[i] ^= 0x10;
        write_bytes(path, bytes, good.size);
        RbStatus status =
            rb_journal_resume(path, offset, small_blocks(), &arena, f.scratch, &diag, &j);
        ENSURE(status == (i < block_end ? RB_ERROR_IO : RB_OK));
        rb_arena_free(&arena);
    }
    remove(path);
    fixture_close(&f);
}

static void rows_do_not_allocate(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "hot.rbj");
    RbJournal *j;
    ENSURE(rb_journal_create(path, &sample_experiment, rb_journal_options(), &f.arena, &f.diag,
                             &j) == RB_OK);
    ENSURE(rb_journal_begin_segment(j, sample_first, 7, &f.diag) == RB_OK);
    size_t calls = f.heap.calls;
    RbArena mark = f.arena;
    for (int i = 0; i < 20000; i++) {
        ENSURE(rb_journal_add_row(j, i, (double[]){i, i, i}, &f.diag) == RB_OK);
        ENSURE(rb_journal_tick(j, &f.diag) == RB_OK);
    }
    ENSURE(f.heap.calls == calls && f.arena.used == mark.used && f.arena.chunk == mark.chunk);
    remove(path);
    fixture_close(&f);
}

static void bad_variables_are_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "bad.rbj");
    RbJournal *j;
    ENSURE(rb_journal_create(path, &sample_experiment, rb_journal_options(), &f.arena, &f.diag,
                             &j) == RB_OK);
    RbResultEntry twice[] = {{.name = "a"}, {.name = "a"}}, none[] = {{.name = ""}},
                  time[] = {{.name = "time"}};
    RbResultEntry chain[] = {{.name = "a", .storage = RB_STORE_ALIAS, .target = 0}};
    ENSURE(rb_journal_begin_segment(j, twice, 2, &f.diag) == RB_ERROR_MODEL);
    ENSURE(rb_journal_begin_segment(j, none, 1, &f.diag) == RB_ERROR_MODEL);
    ENSURE(rb_journal_begin_segment(j, time, 1, &f.diag) == RB_ERROR_MODEL);
    ENSURE(rb_journal_begin_segment(j, chain, 1, &f.diag) == RB_ERROR_INTERNAL);
    assert_string_equal(f.diag.messages.data[0].text,
                        "there are two result variables with the name 'a'");
    assert_string_equal(f.diag.messages.data[1].text, "result variable 1 has no name");
    assert_string_equal(
        f.diag.messages.data[2].text,
        "a result variable is called 'time'; that name is taken by the time itself");
    assert_string_equal(f.diag.messages.data[3].text,
                        "result variable 'a' is an alias of something that has no column");
    ENSURE(rb_journal_create("/nonexistent/x.rbj", &sample_experiment, rb_journal_options(),
                             &f.arena, &f.diag, &j) == RB_ERROR_IO);
    assert_string_equal(
        fixture_message(&f, 4),
        "/nonexistent/x.rbj: error: cannot write: No such file or directory [io]\n");
    remove(path);
    fixture_close(&f);
}

static void a_full_disk_is_reported(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbJournal *j;
    if (access("/dev/full", W_OK) == 0) {
        ENSURE(rb_journal_create("/dev/full", &sample_experiment, rb_journal_options(), &f.arena,
                                 &f.diag, &j) == RB_ERROR_IO);
        assert_string_equal(fixture_message(&f, 0),
                            "/dev/full: error: cannot write: No space left on device [io]\n");
    }
    fixture_close(&f);
}

// ---- killed runs

static void write_for_ever(const char *path, int width) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap);
    RbDiag diag = rb_diag(&arena);
    RbJournalOptions options = {.block_bytes = 20000, .flush_seconds = 1e-5};
    RbResultEntry entries[64] = {0};
    double values[64];
    for (int i = 0; i < width; i++) entries[i].name = rb_arena_printf(&arena, "x%d", i);
    RbJournal *j;
    if (rb_journal_create(path, &sample_experiment, options, &arena, &diag, &j) != RB_OK) _exit(1);
    for (int row = 0;; row++) {
        if (row % 5000 == 0 && rb_journal_begin_segment(j, entries, width, &diag) != RB_OK)
            _exit(1);
        for (int i = 0; i < width; i++) values[i] = row + 0.5 * i;
        if (rb_journal_add_row(j, row, values, &diag) != RB_OK) _exit(1);
    }
}

static void a_killed_run_leaves_a_readable_file(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "killed.rbj");
    size_t most = 0;
    for (int n = 0; n < 12; n++) {
        pid_t child = fork();
        if (child == 0) write_for_ever(path, 3 * n + 1);
        ENSURE(child > 0);
        usleep(2000 + 997 * (unsigned)n);
        kill(child, SIGKILL);
        ENSURE(waitpid(child, NULL, 0) == child);
        if (access(path, F_OK) != 0) continue; // killed before it began
        RbArena arena = rb_arena(&f.heap);
        RbDiag diag = rb_diag(&arena);
        RbResult *r;
        ENSURE(rb_journal_read(path, RB_JOURNAL_LOAD, &arena, f.scratch, &diag, &r) == RB_OK);
        ENSURE(!r->complete);
        double *times = rb_result_times(r, &arena);
        for (size_t i = 0; i < r->row_count; i++) ENSURE(times[i] == (double)i);
        if (r->row_count > most) most = r->row_count;
        rb_arena_free(&arena);
        remove(path);
    }
    ENSURE(most > 0);
    fixture_close(&f);
}

// ---- no memory

typedef struct JournalUse {
    const char *path;
    RbJournalRows rows;
    bool write;
} JournalUse;

// Many variables and large blocks, so that the arenas grow several times.
static RbStatus write_wide(Fixture *f, const char *path) {
    enum { WIDE = 400 };
    RbResultEntry entries[WIDE] = {0};
    double values[WIDE] = {0};
    RbJournalOptions options = {.block_bytes = 20000, .flush_seconds = 0};
    RbJournal *j;
    for (int i = 0; i < WIDE; i++) entries[i].name = rb_arena_printf(&f->arena, "body%d.r[1]", i);
    RB_TRY(rb_journal_create(path, &sample_experiment, options, &f->arena, &f->diag, &j));
    for (int segment = 0; segment < 3; segment++) {
        RB_TRY(rb_journal_begin_segment(j, entries, WIDE >> (2 - segment), &f->diag));
        for (int i = 0; i < 20; i++) RB_TRY(rb_journal_add_row(j, segment, values, &f->diag));
    }
    return rb_journal_end(j, &(RbJournalEnding){.complete = true}, &f->diag);
}

static RbStatus use_journal(Fixture *f, void *argument) {
    JournalUse *use = argument;
    RbResult *r;
    if (use->write) return write_wide(f, use->path);
    return rb_journal_read(use->path, use->rows, &f->arena, f->scratch, &f->diag, &r);
}

static void running_out_of_memory_is_survived(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "memory.rbj");
    fixture_survives(use_journal, &(JournalUse){path, RB_JOURNAL_LOAD, true}, 7);
    fixture_survives(use_journal, &(JournalUse){path, RB_JOURNAL_LOAD, false}, 7);
    fixture_survives(use_journal, &(JournalUse){path, RB_JOURNAL_STREAM, false}, 7);
    remove(path);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out),
        cmocka_unit_test(rows_can_stay_in_the_file),
        cmocka_unit_test(a_file_cut_anywhere_gives_a_prefix),
        cmocka_unit_test(the_warning_names_the_byte),
        cmocka_unit_test(every_damaged_byte_is_noticed),
        cmocka_unit_test(damage_is_named_with_its_byte),
        cmocka_unit_test(messages_outlive_the_result),
        cmocka_unit_test(wrong_contents_are_refused),
        cmocka_unit_test(wrong_order_is_refused),
        cmocka_unit_test(notes_stand_at_the_beginning),
        cmocka_unit_test(a_huge_block_size_is_refused),
        cmocka_unit_test(bytes_do_not_depend_on_the_clock),
        cmocka_unit_test(an_unfinished_block_reaches_the_file),
        cmocka_unit_test(a_resumed_run_writes_the_same_bytes),
        cmocka_unit_test(a_wrong_offset_is_refused),
        cmocka_unit_test(a_damaged_file_is_not_continued),
        cmocka_unit_test(rows_do_not_allocate),
        cmocka_unit_test(bad_variables_are_refused),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_killed_run_leaves_a_readable_file),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
