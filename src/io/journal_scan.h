// SPDX-License-Identifier: MIT
// journal_scan.h: one pass through a journal that checks every byte of it and finds out what is in
// it, without keeping the rows. Reading and resuming both start with it. Private to the journal.
#pragma once

#include "base/file.h"
#include "io/drawing.h"
#include "io/result.h"

// Bytes in memory, or an open file.
typedef struct RbJournalSource {
    const char *name;
    const unsigned char *bytes; // NULL: read from the file
    int file;                   // descriptor; -1: closed
    uint64_t size;
} RbJournalSource;

// Open a file for reading; it is closed at the latest when the arena is freed.
RbStatus rb_journal_source_open(const char *path, RbArena *arena, RbDiag *diag,
                                RbJournalSource **out);
void rb_journal_source_close(RbJournalSource *source);

// Copy bytes out; an error if they cannot be read.
RbStatus rb_journal_source_get(const RbJournalSource *source, uint64_t offset, size_t count,
                               void *to, RbDiag *diag);

// A block of rows.
typedef struct RbJournalBlock {
    uint64_t offset; // of its payload
    int segment;
    size_t first_row; // in the segment
    size_t row_count;
    size_t size; // of the payload in bytes
} RbJournalBlock;

typedef struct RbJournalScan {
    RbResult *result;                // all but the rows; not finished yet
    RB_ARRAY(RbJournalBlock) blocks; // of rows, in order
    uint64_t end;                    // offset behind the last whole block
    size_t largest_payload;          // of the blocks of rows, in bytes
    uint32_t block_bytes;            // option of the run that wrote the file
    double last_time;                // of the last row, -inf if there is none
    bool done;                       // the closing block is there
    RbBlob drawing;                  // the last one
    RbDrawn drawn;                   // the same, read
} RbJournalScan;

// Scan the blocks that end at or before `stop`. A file that ends earlier than its last block says
// is no error here: see end and done.
RbStatus rb_journal_scan(const RbJournalSource *source, uint64_t stop, RbArena *arena,
                         RbArena scratch, RbDiag *diag, RbJournalScan *scan);
