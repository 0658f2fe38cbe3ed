// SPDX-License-Identifier: MIT
// pack.h: values as bytes and back, little endian, for checkpoints and other small binary files.
// Reading never goes beyond the end: after the first value that is not there `ok` is false and all
// further values are zero.
#pragma once

#include "base/hash.h"
#include "base/text.h"

typedef struct RbPacker {
    RbText bytes;
    bool hashes; // keeps nothing but a hash of what it is given
    uint64_t hash;
} RbPacker;

RbPacker rb_packer(RbArena *arena);
RbPacker rb_hashing_packer(uint64_t start);
void rb_pack_bytes(RbPacker *packer, const void *bytes, size_t length);
void rb_pack_u64(RbPacker *packer, uint64_t value);
void rb_pack_double(RbPacker *packer, double value);
void rb_pack_doubles(RbPacker *packer, const double *values, int count);
void rb_pack_text(RbPacker *packer, const char *text); // length, bytes

typedef struct RbUnpacker {
    const unsigned char *data;
    size_t size;
    size_t at;
    bool ok;
} RbUnpacker;

RbUnpacker rb_unpacker(const void *data, size_t size);
bool rb_unpack_bytes(RbUnpacker *unpacker, void *bytes, size_t length);
uint64_t rb_unpack_u64(RbUnpacker *unpacker);
double rb_unpack_double(RbUnpacker *unpacker);
void rb_unpack_doubles(RbUnpacker *unpacker, double *values, int count);
const char *rb_unpack_text(RbUnpacker *unpacker, RbArena *arena);
