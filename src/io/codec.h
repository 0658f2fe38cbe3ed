// SPDX-License-Identifier: MIT
// codec.h: pictures made small for a journal, without loss (docs/formats.md): the numbers of points, diameters and tracks become
// differences to what the two pictures before let expect, in as few bits as they need.
//
// The one that encodes and the one that decodes remember the same two pictures, so pictures of a segment are decoded from its first one on.
#pragma once

#include "io/drawing.h"

typedef struct RbCodec {
    RbArena *arena;
    struct RbCoded {
        unsigned char *bytes;
        size_t size, capacity;
    } last[2], next, out; // pictures before, the latest first; this one; as it stands in the file
    size_t most;          // [bytes] of a picture
} RbCodec;

// A segment begins: nothing is remembered, and pictures have so many bytes at most.
void rb_codec_begin(RbCodec *codec, size_t most, RbArena *arena);

// The same, and the memory for rb_encode_picture is taken, which then takes none.
void rb_codec_reserve(RbCodec *codec, size_t most, RbArena *arena);

// Never larger than the picture; good until the next call.
RbBlob rb_encode_picture(RbCodec *codec, RbBlob picture);

// The picture again, good until the next call; NULL, or what is wrong with the bytes.
const char *rb_decode_picture(RbCodec *codec, RbBlob coded, RbBlob *picture);

// Can a chunk of the kind RB_CHUNK_CODED be decoded? NULL, or what is wrong.
const char *rb_codec_check(const RbChunkView *chunk);
