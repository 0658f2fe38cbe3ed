// SPDX-License-Identifier: MIT
// journal.h: the file a run writes while it goes on (extension .rbj; every byte of it in
// docs/formats.md).
//
// The bytes of a journal depend only on what is written to it, never on the clock or on where a run
// was interrupted: a resumed run yields the same file as one left alone. A run that is killed
// leaves a file that reads up to its last whole block, which is at most flush_seconds (and one
// rb_journal_tick) old.
//
//     RbJournal *journal;
//     RB_TRY(rb_journal_create("a.rbj", &experiment, rb_journal_options(), &arena, diag,
//     &journal)); RB_TRY(rb_journal_begin_segment(journal, entries, entry_count, diag));     // may
//     allocate RB_TRY(rb_journal_add_row(journal, time, values, diag));                   // never
//     allocates RB_TRY(rb_journal_sync(journal, diag, &checkpoint.journal_offset));        // at a
//     checkpoint RB_TRY(rb_journal_end(journal, &(RbJournalEnding){.complete = true}, diag));
#pragma once

#include "io/drawing.h"
#include "io/result.h"

typedef struct RbJournal RbJournal;

typedef struct RbJournalOptions {
    size_t block_bytes;   // rows are gathered into blocks of about this size; part of what decides
                          // the bytes
    double flush_seconds; // [s] wall-clock time after which an unfinished block is brought to the
                          // file as well
    bool durable; // wait for the disk at checkpoints and at the end: survives a power failure, too
} RbJournalOptions;

RbJournalOptions rb_journal_options(void); // 64 KiB, 1 s, durable

typedef struct RbJournalEnding {
    bool complete;
    const char *reason; // why the run is not complete; NULL or "" if it is
    const RbResultFigure *figures;
    int figure_count;
} RbJournalEnding;

// ---- writing

// Start a new file, replacing an old one. The journal lives in *arena; its file is closed by
// rb_journal_end, or when the arena is freed.
RbStatus rb_journal_create(const char *path, const RbResultExperiment *experiment,
                           RbJournalOptions options, RbArena *arena, RbDiag *diag, RbJournal **out);

// Continue an existing file at an offset that rb_journal_sync answered. What follows there is cut
// off. The segment that was open at that point is open again. The options must be those of the run
// that wrote it.
RbStatus rb_journal_resume(const char *path, uint64_t offset, RbJournalOptions options,
                           RbArena *arena, RbArena scratch, RbDiag *diag, RbJournal **out);

// Start the next segment. Variables keep their identity by name; unit, description and kind are
// those of the first segment they are in. After an error of this function nothing but
// rb_journal_end makes sense.
RbStatus rb_journal_begin_segment(RbJournal *journal, const RbResultEntry *entries, int count,
                                  RbDiag *diag);

// Why the segment that was just begun begins. May allocate.
RbStatus rb_journal_note(RbJournal *journal, const RbResultNote *note, RbDiag *diag);

// What there is to see in the segment that was just begun; without this call, or with nothing in it,
// nothing is. Meshes and drawings that the file has already are not written again. May allocate.
RbStatus rb_journal_draw(RbJournal *journal, const RbDrawing *drawing, RbArena scratch,
                         RbDiag *diag);

// The same for a segment of a result that is copied.
RbStatus rb_journal_draw_again(RbJournal *journal, const RbResult *result, int segment,
                               RbDiag *diag);

// Append a row; values as for rb_result_add_row. Does not allocate (except for an error message).
RbStatus rb_journal_add_row(RbJournal *journal, double time, const double *values, RbDiag *diag);

// The same with the picture of the row, in a segment with a drawing. It is coded (io/codec.h).
RbStatus rb_journal_add_shown(RbJournal *journal, double time, const double *values, RbBlob picture,
                              RbDiag *diag);

// [s] Of the last row of the segment; -INFINITY: it has none.
double rb_journal_segment_time(const RbJournal *journal);

// Bring an unfinished block to the file if flush_seconds have passed. Call it often: it is one look
// at the clock.
RbStatus rb_journal_tick(RbJournal *journal, RbDiag *diag);

// Bring everything to the file and answer where to resume. Does not change the bytes that the file
// will have.
RbStatus rb_journal_sync(RbJournal *journal, RbDiag *diag, uint64_t *offset);

// Write the closing block and close the file.
RbStatus rb_journal_end(RbJournal *journal, const RbJournalEnding *ending, RbDiag *diag);

// Write a whole result, from memory or from another journal (even the same file: the old one is
// replaced at the end).
RbStatus rb_journal_write(const char *path, const RbResult *result, RbArena *arena, RbArena scratch,
                          RbDiag *diag);

// ---- reading

typedef enum RbJournalRows {
    RB_JOURNAL_LOAD,   // rows are in memory
    RB_JOURNAL_STREAM, // rows stay in the file and are read block by block through rb_result_next
} RbJournalRows;

// Read a journal. A file that was cut (at any byte) is read up to its last whole block, with a
// warning that names the byte; its result is not complete. Anything damaged is an error. Memory is
// bounded by the size of the file.
RbStatus rb_journal_read(const char *path, RbJournalRows rows, RbArena *arena, RbArena scratch,
                         RbDiag *diag, RbResult **out);

// The same for bytes in memory; name stands for the file in messages.
RbStatus rb_journal_read_bytes(const char *name, const void *bytes, size_t size, RbArena *arena,
                               RbArena scratch, RbDiag *diag, RbResult **out);
