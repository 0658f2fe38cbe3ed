// SPDX-License-Identifier: MIT
#include "base/pack.h"

#include <string.h>

RbPacker rb_packer(RbArena *arena) {
    return (RbPacker){.bytes = rb_text(arena)};
}

RbPacker rb_hashing_packer(uint64_t start) {
    return (RbPacker){.hashes = true, .hash = start};
}

void rb_pack_bytes(RbPacker *packer, const void *bytes, size_t length) {
    if (packer->hashes)
        packer->hash = rb_hash_bytes(packer->hash, bytes, length);
    else if (length > 0)
        rb_text_add_bytes(&packer->bytes, bytes, length);
}

void rb_pack_u64(RbPacker *packer, uint64_t value) {
    unsigned char bytes[8];
    if (packer->hashes) {
        packer->hash = rb_hash_mix(packer->hash ^ value);
        return;
    }
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    rb_pack_bytes(packer, bytes, sizeof bytes);
}

void rb_pack_double(RbPacker *packer, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    rb_pack_u64(packer, bits);
}

void rb_pack_doubles(RbPacker *packer, const double *values, int count) {
    for (int i = 0; i < count; i++) rb_pack_double(packer, values[i]);
}

void rb_pack_text(RbPacker *packer, const char *text) {
    rb_pack_u64(packer, strlen(text));
    rb_pack_bytes(packer, text, strlen(text));
}

RbUnpacker rb_unpacker(const void *data, size_t size) {
    return (RbUnpacker){.data = data, .size = size, .ok = true};
}

bool rb_unpack_bytes(RbUnpacker *unpacker, void *bytes, size_t length) {
    unpacker->ok = unpacker->ok && length <= unpacker->size - unpacker->at;
    if (!unpacker->ok) {
        memset(bytes, 0, length);
        return false;
    }
    memcpy(bytes, unpacker->data + unpacker->at, length);
    unpacker->at += length;
    return true;
}

uint64_t rb_unpack_u64(RbUnpacker *unpacker) {
    unsigned char bytes[8];
    uint64_t value = 0;
    rb_unpack_bytes(unpacker, bytes, sizeof bytes);
    for (int i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

double rb_unpack_double(RbUnpacker *unpacker) {
    uint64_t bits = rb_unpack_u64(unpacker);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void rb_unpack_doubles(RbUnpacker *unpacker, double *values, int count) {
    for (int i = 0; i < count; i++) values[i] = rb_unpack_double(unpacker);
}

const char *rb_unpack_text(RbUnpacker *unpacker, RbArena *arena) {
    uint64_t length = rb_unpack_u64(unpacker);
    if (!unpacker->ok || length > unpacker->size - unpacker->at) {
        unpacker->ok = false;
        return "";
    }
    const char *text =
        rb_arena_bytes(arena, (const char *)unpacker->data + unpacker->at, (size_t)length);
    unpacker->at += (size_t)length;
    return text;
}
