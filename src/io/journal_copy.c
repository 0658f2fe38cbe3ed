// SPDX-License-Identifier: MIT
// Writing a whole result as a journal.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/journal.h"
#include "io/codec.h"
#include "io/place.h"

typedef struct Copier {
    const RbResult *result;
    RbJournal *journal;
    RbResultEntry *entries; // of the open segment
    RbResultSlot *sources;  // of its columns
    int source_count;
    double *values;
    RbCodec codec; // of the pictures that are read
    RbArena *arena;
} Copier;

// Slots that share a column: the first one gets a column of the new journal, the others become its
// aliases.
static RbStatus copy_segment(Copier *c, int index, RbArena scratch, RbDiag *diag) {
    const RbResultSegment *segment = &c->result->segments.data[index];
    int *owner = rb_new_array(&scratch, int, segment->width); // slot plus one
    c->source_count = 0;
    for (int i = 0; i < segment->slot_count; i++) {
        const RbResultSlot *slot = &segment->slots[i];
        const RbResultVariable *v = &c->result->variables.data[slot->variable];
        RbResultEntry *e = &c->entries[i];
        *e = (RbResultEntry){.name = v->name,
                             .unit = v->unit,
                             .description = v->description,
                             .discrete = v->discrete};
        if (slot->column < 0) {
            e->storage = RB_STORE_CONSTANT;
            e->value = slot->value;
        } else if (owner[slot->column] == 0) {
            owner[slot->column] = i + 1;
            c->sources[c->source_count++] = *slot;
        } else {
            e->storage = RB_STORE_ALIAS;
            e->target = owner[slot->column] - 1;
            e->negated = slot->negated != segment->slots[e->target].negated;
        }
    }
    RB_TRY(rb_journal_begin_segment(c->journal, c->entries, segment->slot_count, diag));
    if (segment->note.cause) RB_TRY(rb_journal_note(c->journal, &segment->note, diag));
    if (segment->drawing.size > 0)
        rb_codec_begin(&c->codec, rb_get_u32(segment->drawing.bytes), c->arena);
    return rb_journal_draw_again(c->journal, c->result, index, diag);
}

static RbStatus copy_run(Copier *c, const RbResultRun *run, RbDiag *diag) {
    for (size_t i = 0; i < run->count; i++) {
        const double *row = run->rows + i * (size_t)run->width;
        for (int k = 0; k < c->source_count; k++)
            c->values[k] = rb_result_value(c->sources[k], row);
        RbBlob picture = {0};
        const char *wrong =
            run->pictures ? rb_decode_picture(&c->codec, run->pictures[i], &picture) : NULL;
        if (wrong)
            return rb_fail(diag, RB_ERROR_IO, rb_place(diag, c->result->file), "%s", wrong);
        RB_TRY(rb_journal_add_shown(c->journal, row[0], c->values, picture, diag));
    }
    return RB_OK;
}

static RbStatus copy_rows(Copier *c, RbArena scratch, RbDiag *diag) {
    RbResultCursor cursor = rb_result_cursor(c->result);
    int next = 0;
    for (;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, diag, &run));
        int last = run.count > 0 ? run.segment : c->result->segments.count - 1;
        while (next <= last) RB_TRY(copy_segment(c, next++, scratch, diag)); // some may be empty
        if (run.count == 0) return RB_OK;
        RB_TRY(copy_run(c, &run, diag));
    }
}

RbStatus rb_journal_write(const char *path, const RbResult *result, RbArena *arena, RbArena scratch,
                          RbDiag *diag) {
    size_t count = (size_t)result->variables.count;
    Copier c = {
        .result = result,
        .entries = rb_new_array(&scratch, RbResultEntry, count),
        .sources = rb_new_array(&scratch, RbResultSlot, count),
        .values = rb_new_array(&scratch, double, count),
        .arena = arena,
    };
    path = rb_file_target(path, arena);
    const char *draft =
        rb_arena_printf(arena, "%s.part", path); // the old file may be where the rows come from
    RB_TRY(rb_journal_create(draft, &result->experiment, rb_journal_options(), arena, diag,
                             &c.journal));
    RbStatus status = copy_rows(&c, scratch, diag);
    RbJournalEnding ending = {
        .complete = result->complete,
        .reason = result->reason,
        .figures = result->figures.data,
        .figure_count = result->figures.count,
    };
    if (status == RB_OK) status = rb_journal_end(c.journal, &ending, diag);
    if (status == RB_OK && rename(draft, path) != 0) {
        const char *reason = strerror(errno);
        status = rb_fail(diag, RB_ERROR_IO, rb_place(diag, path), "cannot write: %s", reason);
    }
    if (status != RB_OK) rb_file_remove(draft);
    return status;
}
