// SPDX-License-Identifier: MIT
#include "base/hash.h"

uint64_t rb_hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < length; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// Four bits at a time: a table of 16 entries can be a constant, so there is no global state to set up.
uint32_t rb_crc32(uint32_t crc, const void *bytes, size_t length) {
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const unsigned char *p = bytes;
    crc = ~crc;
    for (size_t i = 0; i < length; i++) {
        crc ^= p[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

// The finaliser of MurmurHash3.
uint64_t rb_hash_mix(uint64_t key) {
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 33;
    key *= UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}
