// SPDX-License-Identifier: MIT
// Writing a journal.
//
// Rows are gathered in a block, which is written when it is full or when the segment ends: only
// that decides the bytes of the file. When time is up earlier, the unfinished block is written as
// if it were finished, but the next write goes to the same place: the longer block replaces the
// shorter one. A run that is killed in between leaves either of them, or the beginning of the
// longer one at the end of the file, which the reader takes for a cut file.
#include "io/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/file.h"
#include "io/journal_format.h"
#include "io/journal_scan.h"
#include "io/codec.h"
#include "io/place.h"

struct RbJournal {
    RbArena *arena;
    RbJournalOptions options;
    const char *path;
    int file;            // descriptor; -1: closed
    RbResult *catalogue; // the variables so far; its segments are not used
    RB_ARRAY(int) seen;  // per variable: the last segment it was in, plus one
    RbText message;      // a block that is not rows, while it is put together
    int segment_count;
    double last_time; // [s] of the last row
    // The block of rows that is being filled, as it will stand in the file.
    uint64_t block_start; // offset in the file
    unsigned char *block;
    size_t block_capacity;
    size_t block_rows;
    size_t payload;   // bytes of these rows
    size_t row_bytes; // of a row without its picture; 0: no segment is open
    uint32_t crc;     // of the rows in the block
    bool drawn;       // every row has a picture
    int width;        // numbers of a row
    RbBlob drawing;   // the last one in the file
    RbMap mesh_of;    // by hash: number in the file
    int mesh_count;
    RbCodec codec;         // of the segment
    double segment_time; // [s] of its last row; -INFINITY: it has none
    bool unsaved;    // there are rows that are not in the file yet
    double saved_at; // [s] clock when the file was last brought up to date
};

RbJournalOptions rb_journal_options(void) {
    return (RbJournalOptions){.block_bytes = 64 * 1024, .flush_seconds = 1.0, .durable = true};
}

// ---- the file

static double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static RbStatus fail_to(RbJournal *j, const char *what, RbDiag *diag) {
    const char *reason = rb_file_reason(errno);
    return rb_fail(diag, RB_ERROR_IO, rb_place(diag, j->path), "cannot %s: %s", what, reason);
}

static RbStatus write_at(RbJournal *j, uint64_t offset, const void *bytes, size_t count,
                         RbDiag *diag) {
    const unsigned char *p = bytes;
    while (count > 0) {
        ssize_t done = pwrite(j->file, p, count, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail_to(j, "write", diag);
        p += done;
        count -= (size_t)done;
        offset += (uint64_t)done;
    }
    return RB_OK;
}

static bool reach_disk(RbJournal *j) {
    if (!j->options.durable) return true;
    return fdatasync(j->file) == 0 ||
           errno == EINVAL; // EINVAL: not something that can be synchronised
}

static void put_head(unsigned char *head, uint32_t kind, uint32_t size) {
    rb_put_u32(head, kind);
    rb_put_u32(head + 4, size);
    rb_put_u32(head + 8, rb_crc32(0, head, 8));
}

// ---- blocks that are not rows: put together in j->message, behind room for the head

static void start_message(RbJournal *j) {
    const char room[RB_JOURNAL_HEAD_SIZE] = {0};
    j->message.count = 0;
    rb_text_add_bytes(&j->message, room, sizeof room);
}

static void add_u32(RbJournal *j, uint32_t value) {
    unsigned char bytes[4];
    rb_put_u32(bytes, value);
    rb_text_add_bytes(&j->message, (char *)bytes, sizeof bytes);
}

static void add_u8(RbJournal *j, unsigned value) {
    char byte = (char)value;
    rb_text_add_bytes(&j->message, &byte, 1);
}

static void add_f64(RbJournal *j, double value) {
    unsigned char bytes[8];
    rb_put_f64(bytes, value);
    rb_text_add_bytes(&j->message, (char *)bytes, sizeof bytes);
}

static void add_text(RbJournal *j, const char *text) {
    size_t length = text ? strlen(text) : 0;
    add_u32(j, (uint32_t)length);
    if (length > 0) rb_text_add_bytes(&j->message, text, length);
}

static RbStatus write_message(RbJournal *j, uint32_t kind, RbDiag *diag) {
    RB_ASSERT(!j->unsaved && j->block_rows == 0);
    unsigned char *bytes = (unsigned char *)j->message.data;
    size_t size = (size_t)j->message.count - RB_JOURNAL_HEAD_SIZE;
    put_head(bytes, kind, (uint32_t)size);
    add_u32(j, rb_crc32(0, bytes + RB_JOURNAL_HEAD_SIZE, size));
    RB_TRY(write_at(j, j->block_start, j->message.data, (size_t)j->message.count, diag));
    j->block_start += (uint64_t)j->message.count;
    return RB_OK;
}

// ---- blocks of rows

// Bring the block to the file. Afterwards more rows may still be added to it.
static RbStatus save_block(RbJournal *j, RbDiag *diag) {
    j->saved_at = clock_seconds();
    if (!j->unsaved) return RB_OK;
    size_t size = j->payload;
    put_head(j->block, j->drawn ? RB_JOURNAL_SHOWN : RB_JOURNAL_ROWS, (uint32_t)size);
    rb_put_u32(j->block + RB_JOURNAL_HEAD_SIZE + size, j->crc);
    size_t whole = RB_JOURNAL_HEAD_SIZE + size + RB_JOURNAL_TAIL_SIZE;
    RB_TRY(write_at(j, j->block_start, j->block, whole, diag));
    j->unsaved = false;
    return RB_OK;
}

// The block is complete; the next one starts behind it.
static RbStatus close_block(RbJournal *j, RbDiag *diag) {
    RB_TRY(save_block(j, diag));
    if (j->block_rows > 0) {
        j->block_start += RB_JOURNAL_HEAD_SIZE + j->payload + RB_JOURNAL_TAIL_SIZE;
    }
    j->block_rows = j->payload = 0;
    j->crc = 0;
    return RB_OK;
}

// A block is full when another row without a picture would make it longer than it should be.
static bool is_full(const RbJournal *j, size_t payload) {
    return payload + j->row_bytes > j->options.block_bytes;
}

// Size the block for rows of so many numbers and pictures of so many bytes (SIZE_MAX: no pictures).
// The memory is asked for here and never per row.
static void size_block(RbJournal *j, int width, size_t picture) {
    j->width = width;
    j->drawn = picture != SIZE_MAX;
    j->row_bytes = (size_t)width * sizeof(double) + (j->drawn ? sizeof(uint32_t) : 0);
    size_t rows = j->options.block_bytes > j->row_bytes ? j->options.block_bytes : j->row_bytes;
    size_t capacity = RB_JOURNAL_HEAD_SIZE + rows + (j->drawn ? picture : 0) + RB_JOURNAL_TAIL_SIZE;
    if (capacity <= j->block_capacity) return;
    j->block = rb_arena_push(j->arena, capacity, 1);
    j->block_capacity = capacity;
}

static void put_row(RbJournal *j, double time, const double *values, RbBlob picture) {
    unsigned char *row = j->block + RB_JOURNAL_HEAD_SIZE + j->payload;
    size_t size = j->row_bytes, numbers = (size_t)j->width * sizeof(double);
    rb_put_f64(row, time);
    for (int i = 1; i < j->width; i++) rb_put_f64(row + (size_t)i * sizeof(double), values[i - 1]);
    if (j->drawn) {
        rb_put_u32(row + numbers, (uint32_t)picture.size);
        if (picture.size > 0) memcpy(row + j->row_bytes, picture.bytes, picture.size);
        size += picture.size;
    }
    RB_ASSERT(RB_JOURNAL_HEAD_SIZE + j->payload + size + RB_JOURNAL_TAIL_SIZE <= j->block_capacity);
    j->crc = rb_crc32(j->crc, row, size);
    j->payload += size;
    j->block_rows++;
    j->unsaved = true;
}

RbStatus rb_journal_add_shown(RbJournal *j, double time, const double *values, RbBlob picture,
                              RbDiag *diag) {
    RB_ASSERT(j->row_bytes > 0);     // a segment is open
    RB_ASSERT(time >= j->last_time); // and time goes on
    j->last_time = j->segment_time = time;
    put_row(j, time, values, picture.size > 0 ? rb_encode_picture(&j->codec, picture) : picture);
    if (is_full(j, j->payload)) return close_block(j, diag);
    return rb_journal_tick(j, diag);
}

double rb_journal_segment_time(const RbJournal *j) {
    return j->segment_time;
}

RbStatus rb_journal_add_row(RbJournal *j, double time, const double *values, RbDiag *diag) {
    return rb_journal_add_shown(j, time, values, (RbBlob){0}, diag);
}

RbStatus rb_journal_tick(RbJournal *j, RbDiag *diag) {
    if (!j->unsaved || clock_seconds() - j->saved_at < j->options.flush_seconds) return RB_OK;
    return save_block(j, diag);
}

RbStatus rb_journal_sync(RbJournal *j, RbDiag *diag, uint64_t *offset) {
    RB_TRY(save_block(j, diag));
    if (!reach_disk(j)) return fail_to(j, "write", diag);
    *offset = j->block_start;
    if (j->block_rows > 0) *offset += RB_JOURNAL_HEAD_SIZE + j->payload;
    return RB_OK;
}

// ---- segments

static RbStatus check_entry(const RbResultEntry *entries, int count, int index, RbDiag *diag) {
    const RbResultEntry *e = &entries[index];
    if (!e->name || !e->name[0]) {
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "result variable %d has no name",
                       index + 1);
    }
    if (strcmp(e->name, "time") == 0) {
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "a result variable is called 'time'; that name is taken by the time itself");
    }
    if (e->storage != RB_STORE_ALIAS) return RB_OK;
    if (e->target < 0 || e->target >= count || entries[e->target].storage != RB_STORE_COLUMN) {
        return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                       "result variable '%s' is an alias of something that has no column", e->name);
    }
    return RB_OK;
}

static unsigned storage_code(const RbResultEntry *e) {
    switch (e->storage) {
        case RB_STORE_COLUMN: return RB_JOURNAL_COLUMN;
        case RB_STORE_ALIAS: return e->negated ? RB_JOURNAL_NEGATED : RB_JOURNAL_ALIAS;
        case RB_STORE_CONSTANT: break;
    }
    return RB_JOURNAL_CONSTANT;
}

// A variable that is new in the file is described here; later segments refer to its number.
static RbStatus add_entry(RbJournal *j, const RbResultEntry *e, RbDiag *diag) {
    int known = j->catalogue->variables.count;
    int number =
        rb_result_add_variable(j->catalogue, e->name, e->unit, e->description, e->discrete);
    add_u32(j, (uint32_t)number);
    if (number == known) {
        rb_array_push(&j->seen, j->arena, 0);
        add_u8(j, e->discrete);
        add_text(j, e->name);
        add_text(j, e->unit);
        add_text(j, e->description);
    }
    if (j->seen.data[number] == j->segment_count + 1) {
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "there are two result variables with the name '%s'", e->name);
    }
    j->seen.data[number] = j->segment_count + 1;
    add_u8(j, storage_code(e));
    if (e->storage == RB_STORE_ALIAS) add_u32(j, (uint32_t)e->target);
    if (e->storage == RB_STORE_CONSTANT) add_f64(j, e->value);
    return RB_OK;
}

RbStatus rb_journal_begin_segment(RbJournal *j, const RbResultEntry *entries, int count,
                                  RbDiag *diag) {
    RB_TRY(close_block(j, diag));
    start_message(j);
    add_u32(j, (uint32_t)j->segment_count);
    add_u32(j, (uint32_t)count);
    int width = 1;
    for (int i = 0; i < count; i++) {
        RB_TRY(check_entry(entries, count, i, diag));
        RB_TRY(add_entry(j, &entries[i], diag));
        if (entries[i].storage == RB_STORE_COLUMN) width++;
    }
    RB_TRY(write_message(j, RB_JOURNAL_SEGMENT, diag));
    size_block(j, width, SIZE_MAX);
    j->segment_time = -INFINITY;
    j->segment_count++;
    return RB_OK;
}

RbStatus rb_journal_note(RbJournal *j, const RbResultNote *note, RbDiag *diag) {
    start_message(j);
    add_f64(j, note->time);
    add_u32(j, (uint32_t)note->states);
    add_f64(j, note->steps);
    add_f64(j, note->events);
    add_text(j, note->cause);
    return write_message(j, RB_JOURNAL_NOTE, diag);
}

// ---- drawings

// The number of a mesh in the file, which gets it if it does not have it yet.
static RbStatus mesh_number(RbJournal *j, RbBlob mesh, RbDiag *diag, uint32_t *number) {
    uint64_t key = rb_hash_bytes(RB_HASH_START, mesh.bytes, mesh.size);
    const uint64_t *known = rb_map_find(&j->mesh_of, key);
    *number = known ? (uint32_t)*known : (uint32_t)j->mesh_count;
    if (known) return RB_OK;
    rb_map_set(&j->mesh_of, j->arena, key, (uint64_t)j->mesh_count++);
    start_message(j);
    rb_text_add_bytes(&j->message, (const char *)mesh.bytes, mesh.size);
    return write_message(j, RB_JOURNAL_MESH, diag);
}

// The drawing of the segment; an empty block if it is the one that was written last.
static RbStatus put_drawing(RbJournal *j, RbBlob drawing, RbDiag *diag) {
    bool same = drawing.size == j->drawing.size &&
                memcmp(drawing.bytes, j->drawing.bytes, drawing.size) == 0;
    start_message(j);
    if (!same) {
        char *copy = rb_arena_bytes(j->arena, (const char *)drawing.bytes, drawing.size);
        j->drawing = (RbBlob){(unsigned char *)copy, drawing.size};
        rb_text_add_bytes(&j->message, copy, drawing.size);
    }
    RB_TRY(write_message(j, RB_JOURNAL_DRAW, diag));
    size_block(j, j->width, rb_get_u32(drawing.bytes)); // it begins with the largest picture
    return RB_OK;
}

RbStatus rb_journal_draw(RbJournal *j, const RbDrawing *drawing, RbArena scratch, RbDiag *diag) {
    RB_ASSERT(j->row_bytes > 0 && j->block_rows == 0);
    if (drawing->objects.count == 0) return RB_OK;
    uint32_t *numbers = rb_new_array(&scratch, uint32_t, drawing->meshes.count);
    for (int i = 0; i < drawing->meshes.count; i++)
        RB_TRY(mesh_number(j, drawing->meshes.data[i], diag, &numbers[i]));
    rb_codec_reserve(&j->codec, drawing->room, j->arena);
    return put_drawing(j, rb_drawing_encode(drawing, numbers, &scratch), diag);
}

RbStatus rb_journal_draw_again(RbJournal *j, const RbResult *result, int segment, RbDiag *diag) {
    for (uint32_t number; j->mesh_count < result->meshes.count;)
        RB_TRY(mesh_number(j, result->meshes.data[j->mesh_count], diag, &number));
    RbBlob drawing = result->segments.data[segment].drawing;
    if (drawing.size == 0) return RB_OK;
    rb_codec_begin(&j->codec, rb_get_u32(drawing.bytes), j->arena);
    return put_drawing(j, drawing, diag);
}

// ---- start and end

static void close_file(void *journal) {
    RbJournal *j = journal;
    if (j->file >= 0) close(j->file);
    j->file = -1;
}

// All memory is taken before the file is opened.
static RbJournal *new_journal(const char *path, RbJournalOptions options, RbArena *arena) {
    RbJournal *j = rb_new(arena, RbJournal);
    *j = (RbJournal){
        .arena = arena,
        .options = options,
        .path = rb_arena_text(arena, path),
        .file = -1,
        .catalogue = rb_result_new(arena),
        .message = rb_text(arena),
        .last_time = -INFINITY,
        .segment_time = -INFINITY,
        .saved_at = clock_seconds(),
    };
    if (j->options.block_bytes > RB_JOURNAL_LARGEST_BLOCK) {
        j->options.block_bytes = RB_JOURNAL_LARGEST_BLOCK;
    }
    rb_arena_defer(arena, close_file, j);
    return j;
}

static RbStatus write_start(RbJournal *j, const RbResultExperiment *e, RbDiag *diag) {
    unsigned char start[RB_JOURNAL_START] = RB_JOURNAL_MARK;
    rb_put_u32(start + RB_JOURNAL_MARK_SIZE, RB_JOURNAL_VERSION);
    RB_TRY(write_at(j, 0, start, sizeof start, diag));
    j->block_start = sizeof start;
    start_message(j);
    add_u32(j, (uint32_t)j->options.block_bytes);
    add_f64(j, e->start_time);
    add_f64(j, e->stop_time);
    add_f64(j, e->tolerance);
    add_text(j, e->model);
    return write_message(j, RB_JOURNAL_RUN, diag);
}

RbStatus rb_journal_create(const char *path, const RbResultExperiment *experiment,
                           RbJournalOptions options, RbArena *arena, RbDiag *diag,
                           RbJournal **out) {
    RbJournal *j = *out = new_journal(path, options, arena);
    j->file = rb_file_open_write(path, O_RDWR | O_TRUNC);
    if (j->file < 0) return fail_to(j, "write", diag);
    return write_start(j, experiment, diag);
}

RbStatus rb_journal_end(RbJournal *j, const RbJournalEnding *ending, RbDiag *diag) {
    RB_TRY(close_block(j, diag));
    start_message(j);
    add_u8(j, ending->complete);
    add_text(j, ending->reason);
    add_u32(j, (uint32_t)ending->figure_count);
    for (int i = 0; i < ending->figure_count; i++) {
        add_text(j, ending->figures[i].name);
        add_f64(j, ending->figures[i].value);
    }
    RB_TRY(write_message(j, RB_JOURNAL_DONE, diag));
    bool synced = reach_disk(j);
    bool closed = close(j->file) == 0;
    j->file = -1;
    return synced && closed ? RB_OK : fail_to(j, "write", diag);
}

// ---- resuming

static RbStatus wrong_offset(RbJournal *j, uint64_t offset, const char *why, RbDiag *diag) {
    return rb_fail(diag, RB_ERROR_IO, rb_place(diag, j->path),
                   "cannot continue at byte %" PRIu64
                   ": %s; the checkpoint belongs to another journal",
                   offset, why);
}

// Take over what the scan found in front of the offset.
static void restore(RbJournal *j, const RbJournalScan *scan) {
    j->catalogue = scan->result;
    j->options.block_bytes = scan->block_bytes;
    j->segment_count = scan->result->segments.count;
    j->last_time = scan->last_time;
    j->block_start = scan->end;
    for (int i = 0; i < scan->result->variables.count; i++) rb_array_push(&j->seen, j->arena, 0);
    for (int i = 0; i < scan->result->meshes.count; i++) {
        RbBlob mesh = scan->result->meshes.data[i];
        uint64_t key = rb_hash_bytes(RB_HASH_START, mesh.bytes, mesh.size);
        rb_map_set(&j->mesh_of, j->arena, key, (uint64_t)j->mesh_count++);
    }
    j->drawing = scan->drawing;
    if (j->segment_count == 0) return;
    const RbResultSegment *segment = &scan->result->segments.data[j->segment_count - 1];
    size_block(j, segment->width, segment->drawing.size > 0 ? scan->drawn.room : SIZE_MAX);
    if (j->drawn) rb_codec_reserve(&j->codec, scan->drawn.room, j->arena);
}

// The pictures of some rows of the segment are remembered as they were when they were written.
static RbStatus replay_rows(RbJournal *j, const unsigned char *rows, size_t size, RbDiag *diag) {
    size_t numbers = (size_t)j->width * sizeof(double);
    for (size_t at = 0; at < size;) {
        RbBlob coded = {rows + at + j->row_bytes, rb_get_u32(rows + at + numbers)}, picture;
        const char *wrong = rb_decode_picture(&j->codec, coded, &picture);
        if (wrong) return rb_fail(diag, RB_ERROR_IO, rb_place(diag, j->path), "%s", wrong);
        at += j->row_bytes + coded.size;
    }
    return RB_OK;
}

static RbStatus replay_segment(RbJournal *j, const RbJournalSource *source,
                               const RbJournalScan *scan, RbArena scratch, RbDiag *diag) {
    unsigned char *bytes = rb_arena_push(&scratch, scan->largest_payload + 1, 1);
    bool any = j->block_rows > 0;
    for (int i = 0; i < scan->blocks.count; i++) {
        const RbJournalBlock *block = &scan->blocks.data[i];
        if (block->segment != j->segment_count - 1) continue;
        any = true;
        if (!j->drawn) continue;
        RB_TRY(rb_journal_source_get(source, block->offset, block->size, bytes, diag));
        RB_TRY(replay_rows(j, bytes, block->size, diag));
    }
    if (any) j->segment_time = j->last_time;
    return j->drawn ? replay_rows(j, j->block + RB_JOURNAL_HEAD_SIZE, j->payload, diag) : RB_OK;
}

// Get the unfinished block from the file, at least up to the offset. If the run went on, it may be
// longer by now; if it is all there, its checksum must be right.
static RbStatus fetch_block(RbJournal *j, const RbJournalSource *source, uint64_t offset,
                            RbDiag *diag) {
    uint64_t there = source->size - j->block_start;
    size_t known = there < j->block_capacity ? (size_t)there : j->block_capacity;
    RB_TRY(rb_journal_source_get(source, j->block_start, known, j->block, diag));
    size_t size = rb_get_u32(j->block + 4);
    const unsigned char *rows = j->block + RB_JOURNAL_HEAD_SIZE;
    uint32_t kind = j->drawn ? RB_JOURNAL_SHOWN : RB_JOURNAL_ROWS;
    bool rows_follow =
        rb_get_u32(j->block) == kind && rb_get_u32(j->block + 8) == rb_crc32(0, j->block, 8);
    if (!rows_follow) return wrong_offset(j, offset, "no row ends there", diag);
    bool whole = size <= known && known - size >= RB_JOURNAL_HEAD_SIZE + RB_JOURNAL_TAIL_SIZE;
    if (whole && rb_crc32(0, rows, size) != rb_get_u32(rows + size)) {
        return rb_fail(diag, RB_ERROR_IO, rb_place(diag, j->path),
                       "the block at byte %" PRIu64
                       " is damaged: the checksum of its content is wrong",
                       j->block_start);
    }
    return RB_OK;
}

// Go through the rows of the block, of which so many bytes belong to the run.
static RbStatus count_rows(RbJournal *j, size_t size, uint64_t offset, RbDiag *diag) {
    const unsigned char *rows = j->block + RB_JOURNAL_HEAD_SIZE;
    size_t picture = 0;
    while (j->payload < size) {
        const unsigned char *row = rows + j->payload;
        size_t left = size - j->payload, numbers = (size_t)j->width * sizeof(double);
        if (left >= j->row_bytes) picture = j->drawn ? rb_get_u32(row + numbers) : 0;
        if (left < j->row_bytes || picture > left - j->row_bytes)
            return wrong_offset(j, offset, "no row ends there", diag);
        double time = rb_get_f64(row);
        if (!(time >= j->last_time)) {
            return wrong_offset(j, offset, "the time runs backwards before it", diag);
        }
        j->last_time = time;
        j->payload += j->row_bytes + picture;
        j->block_rows++;
    }
    return RB_OK;
}

// The rows of the unfinished block, which end at the offset, come back from the file.
static RbStatus restore_rows(RbJournal *j, const RbJournalSource *source, uint64_t offset,
                             RbDiag *diag) {
    uint64_t size = offset - j->block_start;
    if (size == 0) return RB_OK;
    size_t head = RB_JOURNAL_HEAD_SIZE;
    if (j->row_bytes == 0 || size <= head || is_full(j, (size_t)(size - head))) {
        return wrong_offset(j, offset, "no row ends there", diag);
    }
    RB_TRY(fetch_block(j, source, offset, diag));
    RB_TRY(count_rows(j, (size_t)(size - head), offset, diag));
    j->crc = rb_crc32(0, j->block + head, j->payload);
    j->unsaved = true;
    return RB_OK;
}

static RbStatus resume_from(RbJournal *j, RbJournalSource *source, uint64_t offset, RbArena scratch,
                            RbDiag *diag) {
    if (offset > source->size) return wrong_offset(j, offset, "the file is shorter", diag);
    RbJournalScan scan;
    RB_TRY(rb_journal_scan(source, offset, j->arena, scratch, diag, &scan));
    if (scan.end <= RB_JOURNAL_START || scan.done) { // at least the header of the run is there
        return wrong_offset(j, offset, "no row ends there", diag);
    }
    restore(j, &scan);
    RB_TRY(restore_rows(j, source, offset, diag));
    RB_TRY(replay_segment(j, source, &scan, scratch, diag));
    j->file = open(j->path, O_RDWR | O_CLOEXEC);
    if (j->file < 0) return fail_to(j, "write", diag);
    RB_TRY(
        save_block(j, diag)); // first the shorter block, then the cut: no moment without the rows
    uint64_t size = j->block_start;
    if (j->block_rows > 0) {
        size += RB_JOURNAL_HEAD_SIZE + j->payload + RB_JOURNAL_TAIL_SIZE;
    }
    if (ftruncate(j->file, (off_t)size) != 0) return fail_to(j, "shorten", diag);
    return RB_OK;
}

RbStatus rb_journal_resume(const char *path, uint64_t offset, RbJournalOptions options,
                           RbArena *arena, RbArena scratch, RbDiag *diag, RbJournal **out) {
    RbJournal *j = *out = new_journal(path, options, arena);
    RbJournalSource *source;
    RB_TRY(rb_journal_source_open(path, arena, diag, &source));
    RbStatus status = resume_from(j, source, offset, scratch, diag);
    rb_journal_source_close(source);
    return status;
}
