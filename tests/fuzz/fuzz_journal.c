// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include "base/hash.h"
#include "io/journal.h"
#include "io/journal_format.h"

static RbStatus body(Fuzz *f) {
    RbResult *r;
    RB_TRY(
        rb_journal_read_bytes("fuzz.rbj", f->data, f->size, &f->arena, f->scratch, &f->diag, &r));
    for (int i = 0; i < r->variables.count && i < 10; i++) {
        RbArena scratch = f->scratch;
        rb_result_series(r, i, &scratch);
    }
    return RB_OK;
}

// Put mark, version and all checksums right, so that the contents of blocks are reached.
static void repair(uint8_t *data, size_t size) {
    if (size < RB_JOURNAL_START) return;
    memcpy(data, RB_JOURNAL_MARK, RB_JOURNAL_MARK_SIZE);
    rb_put_u32(data + RB_JOURNAL_MARK_SIZE, RB_JOURNAL_VERSION);
    size_t around = RB_JOURNAL_HEAD_SIZE + RB_JOURNAL_TAIL_SIZE;
    for (size_t at = RB_JOURNAL_START; size - at >= around;) {
        uint8_t *block = data + at, *payload = block + RB_JOURNAL_HEAD_SIZE;
        size_t length = rb_get_u32(block + 4);
        rb_put_u32(block + 8, rb_crc32(0, block, 8));
        if (length > size - at - around) return;
        rb_put_u32(payload + length, rb_crc32(0, payload, length));
        at += around + length;
    }
}

// The smallest block with a column takes 24 bytes and becomes a few hundred in memory.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 200, body);
    uint8_t *copy = malloc(size + 1);
    for (size_t i = 0; i < size; i++) copy[i] = data[i];
    repair(copy, size);
    fuzz_run(copy, size, 200, body);
    free(copy);
    return 0;
}
