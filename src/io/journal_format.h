// SPDX-License-Identifier: MIT
// journal_format.h: the layout of a journal, shared by its writer and its reader (docs/formats.md).
// Private to them.
//
// A file is a mark of 8 bytes, a version, and blocks. A block is
//     u32 kind, u32 size of the payload, u32 checksum of these 8 bytes, payload, u32 checksum of
//     the payload.
// All numbers are little endian, whatever the machine; texts are a u32 length and UTF-8 bytes.
#pragma once

#include "io/bytes.h"

#define RB_JOURNAL_MARK "\x89RBJ\r\n\x1a\n" // a line end that is converted, or text mode, breaks it

enum {
    // 1: without drawings; 2: without notes; 4: drawings without what holds in all pictures; 7: pictures are not
    // coded. Others are one bit away from one of these.
    RB_JOURNAL_VERSION = 8,
    RB_JOURNAL_MARK_SIZE = 8,
    RB_JOURNAL_START = 12, // offset of the first block
    RB_JOURNAL_HEAD_SIZE = 12,
    RB_JOURNAL_TAIL_SIZE = 4,
    RB_JOURNAL_LARGEST_BLOCK = 1 << 24, // bytes of rows, unless a single row is larger
};

// Kinds of blocks: four letters as they stand in the file.
#define RB_JOURNAL_KIND(a, b, c, d)                                                                \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define RB_JOURNAL_RUN RB_JOURNAL_KIND('R', 'U', 'N', ' ') // experiment; the first block
#define RB_JOURNAL_SEGMENT                                                                         \
    RB_JOURNAL_KIND('S', 'E', 'G', 'M')                      // variables of the segment that begins
#define RB_JOURNAL_NOTE  RB_JOURNAL_KIND('N', 'O', 'T', 'E') // why that segment begins
#define RB_JOURNAL_ROWS  RB_JOURNAL_KIND('R', 'O', 'W', 'S') // rows of that segment
#define RB_JOURNAL_MESH  RB_JOURNAL_KIND('M', 'E', 'S', 'H') // triangles that drawings refer to
#define RB_JOURNAL_DRAW  RB_JOURNAL_KIND('D', 'R', 'A', 'W') // what is seen from now on
#define RB_JOURNAL_SHOWN RB_JOURNAL_KIND('S', 'H', 'O', 'W') // rows with a picture behind each
#define RB_JOURNAL_DONE  RB_JOURNAL_KIND('D', 'O', 'N', 'E') // the end, if the run got there

// How an entry of a segment is stored. ORDER docs/formats.md
enum {
    RB_JOURNAL_COLUMN = 0,
    RB_JOURNAL_ALIAS = 1,
    RB_JOURNAL_NEGATED = 2,
    RB_JOURNAL_CONSTANT = 3,
};
