// SPDX-License-Identifier: MIT
// Reading a journal: scan it, then load its rows or leave them in the file.
#include <inttypes.h>

#include "io/journal.h"
#include "io/journal_format.h"
#include "io/journal_scan.h"
#include "io/place.h"

// What serves the rows of a journal that stay in the file.
typedef struct RowServer {
    RbJournalSource *source;
    RbResult *result;
    const RbJournalBlock *blocks;
    int block_count;
    double *buffer;       // as large as the largest block
    unsigned char *bytes; // likewise, for rows with pictures
    RbBlob *pictures;     // of the rows in the buffer
    int loaded;           // block in the buffer, or -1
} RowServer;

// Rows as they stand in the file become numbers of this machine, in place.
static RbStatus read_block(const RbJournalSource *source, const RbJournalBlock *block, int width,
                           RbDiag *diag, double *rows) {
    size_t count = block->row_count * (size_t)width;
    RB_TRY(rb_journal_source_get(source, block->offset, count * sizeof *rows, rows, diag));
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[8];
        memcpy(bytes, &rows[i], sizeof bytes);
        rows[i] = rb_get_f64(bytes);
    }
    return RB_OK;
}

// The same for rows with pictures, which stay where they are in `bytes`.
static RbStatus read_shown(const RbJournalSource *source, const RbJournalBlock *block, int width,
                           RbDiag *diag, unsigned char *bytes, double *rows, RbBlob *pictures) {
    RB_TRY(rb_journal_source_get(source, block->offset, block->size, bytes, diag));
    const unsigned char *p = bytes;
    for (size_t i = 0; i < block->row_count; i++) {
        for (int k = 0; k < width; k++, p += sizeof *rows) *rows++ = rb_get_f64(p);
        pictures[i] = (RbBlob){p + sizeof(uint32_t), rb_get_u32(p)};
        p += sizeof(uint32_t) + pictures[i].size;
    }
    return RB_OK;
}

static RbStatus load_shown(const RbJournalSource *source, const RbJournalBlock *block,
                           RbResult *result, RbArena scratch, RbDiag *diag) {
    RbResultSegment *segment = &result->segments.data[block->segment];
    double *rows = segment->rows + block->first_row * (size_t)segment->width;
    RbBlob *pictures = segment->pictures + block->first_row;
    unsigned char *bytes = rb_arena_push(&scratch, block->size, 1);
    RB_TRY(read_shown(source, block, segment->width, diag, bytes, rows, pictures));
    for (size_t i = 0; i < block->row_count; i++) {
        char *copy =
            rb_arena_bytes(result->arena, (const char *)pictures[i].bytes, pictures[i].size);
        pictures[i].bytes = (unsigned char *)copy;
    }
    return RB_OK;
}

static RbStatus load_rows(const RbJournalScan *scan, const RbJournalSource *source, RbArena scratch,
                          RbDiag *diag) {
    RbResult *result = scan->result;
    for (int s = 0; s < result->segments.count; s++) {
        RbResultSegment *segment = &result->segments.data[s];
        size_t numbers = segment->row_count * (size_t)segment->width;
        segment->rows = rb_new_array(result->arena, double, numbers);
        segment->capacity = segment->row_count;
        if (segment->drawing.size > 0)
            segment->pictures = rb_new_array(result->arena, RbBlob, segment->row_count);
    }
    for (int i = 0; i < scan->blocks.count; i++) {
        const RbJournalBlock *block = &scan->blocks.data[i];
        RbResultSegment *segment = &result->segments.data[block->segment];
        if (segment->pictures) {
            RB_TRY(load_shown(source, block, result, scratch, diag));
            continue;
        }
        double *rows = segment->rows + block->first_row * (size_t)segment->width;
        RB_TRY(read_block(source, block, segment->width, diag, rows));
    }
    return RB_OK;
}

// The block that holds a row: the last one that does not begin behind it.
static int find_block(const RowServer *server, int segment, size_t row) {
    int low = 0, high = server->block_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        const RbJournalBlock *b = &server->blocks[middle];
        bool behind = b->segment > segment || (b->segment == segment && b->first_row > row);
        if (behind) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

static RbStatus serve_rows(void *self, int segment, size_t first, RbDiag *diag, const double **rows,
                           size_t *count, const RbBlob **pictures) {
    RowServer *server = self;
    int width = server->result->segments.data[segment].width;
    bool shown = server->result->segments.data[segment].drawing.size > 0;
    int index = find_block(server, segment, first);
    const RbJournalBlock *block = &server->blocks[index];
    if (server->loaded != index) {
        server->loaded = -1;
        if (shown) {
            RB_TRY(read_shown(server->source, block, width, diag, server->bytes, server->buffer,
                              server->pictures));
        } else {
            RB_TRY(read_block(server->source, block, width, diag, server->buffer));
        }
        server->loaded = index;
    }
    *pictures = shown ? server->pictures + (first - block->first_row) : NULL;
    *rows = server->buffer + (first - block->first_row) * (size_t)width;
    *count = block->row_count - (first - block->first_row);
    return RB_OK;
}

static size_t most_rows(const RbJournalScan *scan) {
    size_t most = 0;
    for (int i = 0; i < scan->blocks.count; i++) {
        if (scan->blocks.data[i].row_count > most) most = scan->blocks.data[i].row_count;
    }
    return most;
}

static void stream_rows(const RbJournalScan *scan, RbJournalSource *source, RbArena *arena) {
    RowServer *server = rb_new(arena, RowServer);
    *server = (RowServer){
        .source = source,
        .result = scan->result,
        .blocks = scan->blocks.data,
        .block_count = scan->blocks.count,
        .buffer = rb_new_array(arena, double, scan->largest_payload / sizeof(double)),
        .loaded = -1,
    };
    if (scan->drawing.size > 0) {
        server->bytes = rb_arena_push(arena, scan->largest_payload, 1);
        server->pictures = rb_new_array(arena, RbBlob, most_rows(scan));
    }
    scan->result->stream = (RbResultStream){serve_rows, server};
}

static void report_missing_end(const RbJournalScan *scan, const RbJournalSource *source,
                               RbDiag *diag) {
    RbResult *result = scan->result;
    RbPos at = rb_place(diag, result->file);
    result->complete = false;
    result->reason =
        rb_arena_printf(result->arena, "the journal ends at byte %" PRIu64, source->size);
    if (source->size > scan->end) {
        rb_warn(diag, at,
                "the file ends at byte %" PRIu64 ", inside the block that begins at byte %" PRIu64
                "; what follows is missing",
                source->size, scan->end);
    } else {
        rb_warn(diag, at,
                "the file ends at byte %" PRIu64
                " without a closing block; what follows is missing",
                source->size);
    }
}

static RbStatus read_source(RbJournalSource *source, RbJournalRows rows, RbArena *arena,
                            RbArena scratch, RbDiag *diag, RbResult **out) {
    RbJournalScan scan;
    RB_TRY(rb_journal_scan(source, source->size, arena, scratch, diag, &scan));
    if (!scan.done) report_missing_end(&scan, source, diag);
    if (rows == RB_JOURNAL_STREAM) {
        stream_rows(&scan, source, arena);
    } else {
        RB_TRY(load_rows(&scan, source, scratch, diag));
    }
    rb_result_finish(scan.result, scratch);
    *out = scan.result;
    return RB_OK;
}

RbStatus rb_journal_read(const char *path, RbJournalRows rows, RbArena *arena, RbArena scratch,
                         RbDiag *diag, RbResult **out) {
    *out = NULL;
    RbJournalSource *source;
    RB_TRY(rb_journal_source_open(path, arena, diag, &source));
    RbStatus status = read_source(source, rows, arena, scratch, diag, out);
    if (rows == RB_JOURNAL_LOAD || status != RB_OK) rb_journal_source_close(source);
    return status;
}

RbStatus rb_journal_read_bytes(const char *name, const void *bytes, size_t size, RbArena *arena,
                               RbArena scratch, RbDiag *diag, RbResult **out) {
    *out = NULL;
    const unsigned char none = 0;
    RbJournalSource source = {
        .name = name, .bytes = size > 0 ? bytes : &none, .file = -1, .size = size};
    return read_source(&source, RB_JOURNAL_LOAD, arena, scratch, diag, out);
}
