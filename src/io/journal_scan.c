// SPDX-License-Identifier: MIT
#include "io/journal_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/journal_format.h"
#include "io/place.h"
#include "io/take.h"

// ---- where the bytes come from

void rb_journal_source_close(RbJournalSource *source) {
    if (source->file >= 0) close(source->file);
    source->file = -1;
}

static void close_later(void *source) {
    rb_journal_source_close(source);
}

RbStatus rb_journal_source_open(const char *path, RbArena *arena, RbDiag *diag,
                                RbJournalSource **out) {
    RbJournalSource *source = rb_new(arena, RbJournalSource);
    *source = (RbJournalSource){.name = rb_arena_text(arena, path), .file = -1};
    rb_arena_defer(arena, close_later, source); // before it is open: there may be no memory
    *out = source;
    source->file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (source->file < 0 || fstat(source->file, &info) != 0) {
        const char *reason = strerror(errno);
        return rb_fail(diag, RB_ERROR_IO, rb_place(diag, source->name), "cannot open: %s", reason);
    }
    if (!S_ISREG(info.st_mode)) {
        rb_journal_source_close(source);
        return rb_fail(diag, RB_ERROR_IO, rb_place(diag, source->name),
                       "cannot read: it is not a regular file");
    }
    source->size = (uint64_t)info.st_size;
    return RB_OK;
}

RbStatus rb_journal_source_get(const RbJournalSource *source, uint64_t offset, size_t count,
                               void *to, RbDiag *diag) {
    if (source->bytes) {
        if (count > 0) memcpy(to, source->bytes + offset, count);
        return RB_OK;
    }
    unsigned char *p = to;
    while (count > 0) {
        ssize_t got = pread(source->file, p, count, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            const char *reason =
                got < 0 ? strerror(errno) : "the file became shorter while it was read";
            return rb_fail(diag, RB_ERROR_IO, rb_place(diag, source->name), "cannot read: %s",
                           reason);
        }
        p += got;
        count -= (size_t)got;
        offset += (uint64_t)got;
    }
    return RB_OK;
}

// ---- payloads

typedef struct Scanner {
    const RbJournalSource *source;
    RbArena *arena;
    RbArena scratch;
    RbDiag *diag;
    RbJournalScan *scan;
    uint64_t offset; // of the block
    unsigned char *buffer;
    size_t capacity;
    bool has_run;
} Scanner;

static unsigned take_u8(RbTake *in) {
    const unsigned char *p = rb_take(in, 1);
    return p ? *p : 0;
}

static double take_f64(RbTake *in) {
    const unsigned char *p = rb_take(in, 8);
    return p ? rb_get_f64(p) : 0;
}

static RbStatus broken(const Scanner *s, const char *what) {
    return rb_fail(s->diag, RB_ERROR_IO, rb_place(s->diag, s->source->name),
                   "the block at byte %" PRIu64 " is not valid: %s", s->offset, what);
}

static RbStatus expect_end(const Scanner *s, const RbTake *in) {
    if (in->too_short) return broken(s, "it is too short for what it announces");
    if (in->left > 0) return broken(s, "it is longer than what it announces");
    return RB_OK;
}

// ---- blocks

static RbStatus scan_run(Scanner *s, RbTake in) {
    if (s->has_run) return broken(s, "there is a second header of the run");
    RbResult *result = s->scan->result;
    s->scan->block_bytes = rb_take_u32(&in);
    result->experiment.start_time = take_f64(&in);
    result->experiment.stop_time = take_f64(&in);
    result->experiment.tolerance = take_f64(&in);
    result->experiment.model = rb_take_text(&in, s->arena);
    s->has_run = true;
    if (s->scan->block_bytes > RB_JOURNAL_LARGEST_BLOCK) {
        return broken(s, "it announces blocks of more than 16 MiB");
    }
    return expect_end(s, &in);
}

// The variable that an entry speaks of: known by its number, or new with the next number.
static RbStatus scan_variable(Scanner *s, RbTake *in, RbArena scratch, int *variable) {
    RbResult *result = s->scan->result;
    uint32_t number = rb_take_u32(in);
    uint32_t next = (uint32_t)result->variables.count;
    *variable = (int)number;
    if (number < next || in->too_short) return RB_OK;
    if (number > next) return broken(s, "a variable is used before it is declared");
    bool discrete = take_u8(in) != 0;
    const char *name = rb_take_text(in, &scratch);
    const char *unit = rb_take_text(in, &scratch);
    const char *description = rb_take_text(in, &scratch);
    if (in->too_short) return RB_OK; // reported at the end of the block
    if (!name[0]) return broken(s, "a variable has no name");
    if (strcmp(name, "time") == 0) return broken(s, "a variable is called 'time'");
    *variable = rb_result_add_variable(result, name, unit, description, discrete);
    if (*variable != (int)next) return broken(s, "a variable is declared twice");
    return RB_OK;
}

// An alias is kept with the number of its target as the column until all entries are known.
static RbStatus scan_storage(Scanner *s, RbTake *in, RbResultSlot *slot, bool *alias, int *width) {
    unsigned storage = take_u8(in);
    slot->value = NAN;
    *alias = false;
    switch (storage) {
        case RB_JOURNAL_COLUMN: slot->column = (*width)++; return RB_OK;
        case RB_JOURNAL_ALIAS:
        case RB_JOURNAL_NEGATED:
            slot->column = (int)(rb_take_u32(in) & INT32_MAX);
            slot->negated = storage == RB_JOURNAL_NEGATED;
            *alias = true;
            return RB_OK;
        case RB_JOURNAL_CONSTANT:
            slot->column = RB_RESULT_CONSTANT;
            slot->value = take_f64(in);
            return RB_OK;
        default: return broken(s, "a variable is stored in an unknown way");
    }
}

static RbStatus resolve_aliases(Scanner *s, RbResultSlot *slots, const bool *alias, int count) {
    for (int i = 0; i < count; i++) {
        if (!alias[i]) continue;
        int target = slots[i].column;
        if (target >= count || alias[target] || slots[target].column < 1) {
            return broken(s, "an alias refers to something that has no column");
        }
        slots[i].column = slots[target].column;
    }
    return RB_OK;
}

static int by_variable(const void *a, const void *b) {
    int i = ((const RbResultSlot *)a)->variable, j = ((const RbResultSlot *)b)->variable;
    return (i > j) - (i < j);
}

static RbStatus sort_slots(Scanner *s, RbResultSlot *slots, int count) {
    if (count > 1) qsort(slots, (size_t)count, sizeof *slots, by_variable);
    for (int i = 1; i < count; i++) {
        if (slots[i].variable == slots[i - 1].variable) {
            return broken(s, "a variable stands twice in one segment");
        }
    }
    return RB_OK;
}

static RbStatus scan_segment(Scanner *s, RbTake in) {
    enum { SMALLEST_ENTRY = 5 };
    RbResult *result = s->scan->result;
    uint32_t number = rb_take_u32(&in), count = rb_take_u32(&in);
    if (number != (uint32_t)result->segments.count) return broken(s, "segments are not in order");
    if (count > in.left / SMALLEST_ENTRY) {
        return broken(s, "it announces more variables than fit into it");
    }
    RbArena scratch = s->scratch;
    RbResultSlot *slots = rb_new_array(s->arena, RbResultSlot, count);
    bool *alias = rb_new_array(&scratch, bool, count);
    int width = 1;
    for (uint32_t i = 0; i < count; i++) {
        RB_TRY(scan_variable(s, &in, scratch, &slots[i].variable));
        RB_TRY(scan_storage(s, &in, &slots[i], &alias[i], &width));
    }
    RB_TRY(expect_end(s, &in));
    RB_TRY(resolve_aliases(s, slots, alias, (int)count));
    RB_TRY(sort_slots(s, slots, (int)count));
    rb_result_add_segment(result, slots, (int)count, width, 0);
    return RB_OK;
}

static RbStatus scan_note(Scanner *s, RbTake in) {
    RbResult *result = s->scan->result;
    if (result->segments.count == 0) return broken(s, "a note comes before the first segment");
    RbResultSegment *segment = &result->segments.data[result->segments.count - 1];
    if (segment->note.cause || segment->row_count > 0)
        return broken(s, "a note does not follow the beginning of a segment");
    RbResultNote note = {.time = take_f64(&in)};
    note.states = (int)(rb_take_u32(&in) & INT32_MAX);
    note.steps = take_f64(&in);
    note.events = take_f64(&in);
    note.cause = rb_take_text(&in, s->arena);
    segment->note = note;
    return expect_end(s, &in);
}

static RbStatus scan_mesh(Scanner *s, RbTake in) {
    RbBlob mesh = {(unsigned char *)rb_arena_bytes(s->arena, (const char *)in.p, in.left), in.left};
    RbDrawnMesh view;
    const char *wrong = rb_drawn_mesh(mesh, &view);
    if (wrong) return broken(s, wrong);
    rb_array_push(&s->scan->result->meshes, s->arena, mesh);
    return RB_OK;
}

// An empty block: the last drawing once more.
static RbStatus scan_drawing(Scanner *s, RbTake in) {
    RbJournalScan *scan = s->scan;
    int count = scan->result->segments.count;
    if (count == 0) return broken(s, "a drawing comes before the first segment");
    RbResultSegment *segment = &scan->result->segments.data[count - 1];
    if (segment->drawing.size > 0 || segment->row_count > 0)
        return broken(s, "a drawing does not follow the beginning of a segment");
    if (in.left > 0) {
        const char *copy = rb_arena_bytes(s->arena, (const char *)in.p, in.left);
        scan->drawing = (RbBlob){(const unsigned char *)copy, in.left};
        const char *wrong =
            rb_drawn_read(scan->drawing, scan->result->meshes.count, s->arena, &scan->drawn);
        if (wrong) return broken(s, wrong);
    }
    segment->drawing = scan->drawing;
    return segment->drawing.size > 0 ? RB_OK : broken(s, "there is no drawing to repeat");
}

// A row, and the picture behind it.
static RbStatus scan_row(Scanner *s, RbTake *in, int width, bool shown) {
    double time = take_f64(in);
    rb_take(in, (size_t)(width - 1) * sizeof(double));
    uint32_t size = shown ? rb_take_u32(in) : 0;
    RbBlob picture = {rb_take(in, size), size};
    if (in->too_short) return broken(s, "its size is not a whole number of rows");
    if (!(time >= s->scan->last_time)) return broken(s, "the time runs backwards in its rows");
    s->scan->last_time = time;
    const char *wrong = size > 0 ? rb_picture_check(picture, &s->scan->drawn) : NULL;
    return wrong ? broken(s, wrong) : RB_OK;
}

static RbStatus scan_rows(Scanner *s, RbTake in, bool shown) {
    RbResult *result = s->scan->result;
    if (result->segments.count == 0) return broken(s, "rows come before the first segment");
    RbResultSegment *segment = &result->segments.data[result->segments.count - 1];
    if (shown != (segment->drawing.size > 0))
        return broken(s, shown ? "there are pictures without a drawing" : "pictures are missing");
    if (in.left == 0) return broken(s, "its size is not a whole number of rows");
    RbJournalBlock block = {
        .offset = s->offset + RB_JOURNAL_HEAD_SIZE,
        .segment = result->segments.count - 1,
        .first_row = segment->row_count,
        .size = in.left,
    };
    for (; in.left > 0; block.row_count++) RB_TRY(scan_row(s, &in, segment->width, shown));
    if (block.size > s->scan->largest_payload) s->scan->largest_payload = block.size;
    segment->row_count += block.row_count;
    result->row_count += block.row_count;
    rb_array_push(&s->scan->blocks, s->arena, block);
    return RB_OK;
}

static RbStatus scan_done(Scanner *s, RbTake in) {
    enum { SMALLEST_FIGURE = 12 };
    RbResult *result = s->scan->result;
    result->complete = take_u8(&in) != 0;
    result->reason = rb_take_text(&in, s->arena);
    uint32_t count = rb_take_u32(&in);
    if (count > in.left / SMALLEST_FIGURE) {
        return broken(s, "it announces more figures than fit into it");
    }
    for (uint32_t i = 0; i < count; i++) {
        RbResultFigure figure = {.name = rb_take_text(&in, s->arena)};
        figure.value = take_f64(&in);
        rb_array_push(&result->figures, s->arena, figure);
    }
    s->scan->done = true;
    return expect_end(s, &in);
}

static RbStatus scan_payload(Scanner *s, uint32_t kind, RbTake in) {
    if (s->scan->done) return broken(s, "it follows the closing block");
    if (kind == RB_JOURNAL_RUN) return scan_run(s, in);
    if (!s->has_run) return broken(s, "the header of the run does not come first");
    if (kind == RB_JOURNAL_SEGMENT) return scan_segment(s, in);
    if (kind == RB_JOURNAL_NOTE) return scan_note(s, in);
    if (kind == RB_JOURNAL_MESH) return scan_mesh(s, in);
    if (kind == RB_JOURNAL_DRAW) return scan_drawing(s, in);
    if (kind == RB_JOURNAL_ROWS) return scan_rows(s, in, false);
    if (kind == RB_JOURNAL_SHOWN) return scan_rows(s, in, true);
    if (kind == RB_JOURNAL_DONE) return scan_done(s, in);
    return broken(s, "it is of an unknown kind");
}

static RbStatus damaged(const Scanner *s, const char *part) {
    return rb_fail(s->diag, RB_ERROR_IO, rb_place(s->diag, s->source->name),
                   "the block at byte %" PRIu64 " is damaged: the checksum of its %s is wrong",
                   s->offset, part);
}

// Read one block. *cut: the file ends inside it.
static RbStatus scan_block(Scanner *s, uint64_t stop, bool *cut) {
    unsigned char head[RB_JOURNAL_HEAD_SIZE];
    uint64_t left = stop - s->offset;
    *cut = left < RB_JOURNAL_HEAD_SIZE;
    if (*cut) return RB_OK;
    RB_TRY(rb_journal_source_get(s->source, s->offset, sizeof head, head, s->diag));
    if (rb_crc32(0, head, 8) != rb_get_u32(head + 8)) return damaged(s, "header");
    size_t size = rb_get_u32(head + 4);
    uint64_t whole = (uint64_t)size + RB_JOURNAL_HEAD_SIZE + RB_JOURNAL_TAIL_SIZE;
    *cut = whole > left;
    if (*cut) return RB_OK;
    if (size + RB_JOURNAL_TAIL_SIZE > s->capacity) { // at least doubled, so little is left behind
        s->capacity = size + RB_JOURNAL_TAIL_SIZE;
        if (s->capacity < 2 * s->scan->largest_payload) s->capacity = 2 * s->scan->largest_payload;
        s->buffer = rb_arena_push(&s->scratch, s->capacity, alignof(double));
    }
    RB_TRY(rb_journal_source_get(s->source, s->offset + sizeof head, size + RB_JOURNAL_TAIL_SIZE,
                                 s->buffer, s->diag));
    if (rb_crc32(0, s->buffer, size) != rb_get_u32(s->buffer + size)) return damaged(s, "content");
    RB_TRY(scan_payload(s, rb_get_u32(head), (RbTake){.p = s->buffer, .left = size}));
    s->offset += whole;
    return RB_OK;
}

// *cut: the file ends inside the mark or the version.
static RbStatus check_start(const Scanner *s, uint64_t stop, bool *cut) {
    unsigned char start[RB_JOURNAL_START] = RB_JOURNAL_MARK;
    size_t there = stop < sizeof start ? (size_t)stop : sizeof start;
    RB_TRY(rb_journal_source_get(s->source, 0, there, start, s->diag));
    RbPos at = rb_place(s->diag, s->source->name);
    if (memcmp(start, RB_JOURNAL_MARK, RB_JOURNAL_MARK_SIZE) != 0) {
        return rb_fail(s->diag, RB_ERROR_IO, at,
                       "not a journal of Rattleback: the mark at byte 0 is missing");
    }
    *cut = there < sizeof start;
    uint32_t version = rb_get_u32(start + RB_JOURNAL_MARK_SIZE);
    bool known = version == 1 || version == 2 || version == 4 || version == 7 ||
                 version == RB_JOURNAL_VERSION;
    if (!*cut && !known) {
        return rb_fail(s->diag, RB_ERROR_IO, at,
                       "the journal has format version %" PRIu32
                       " (byte %d); this program reads versions 1, 2, 4, 7 and %d",
                       version, RB_JOURNAL_MARK_SIZE, RB_JOURNAL_VERSION);
    }
    return RB_OK;
}

RbStatus rb_journal_scan(const RbJournalSource *source, uint64_t stop, RbArena *arena,
                         RbArena scratch, RbDiag *diag, RbJournalScan *scan) {
    *scan = (RbJournalScan){.result = rb_result_new(arena), .last_time = -INFINITY};
    scan->result->file = rb_arena_text(arena, source->name);
    Scanner s = {.source = source, .arena = arena, .scratch = scratch, .diag = diag, .scan = scan};
    if (stop > source->size) stop = source->size;
    bool cut = false;
    RB_TRY(check_start(&s, stop, &cut));
    if (cut) return RB_OK;
    s.offset = scan->end = RB_JOURNAL_START;
    while (!cut && s.offset < stop) {
        RB_TRY(scan_block(&s, stop, &cut));
        scan->end = s.offset;
    }
    return RB_OK;
}
