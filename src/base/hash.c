// SPDX-License-Identifier: MIT
#include "base/hash.h"

uint64_t rb_hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < length; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// Eight bytes at a time (M. Kounavis, F. Berry, A systematic approach to building high performance
// software-based CRC generators, 2005): crc_table[k][b] is the checksum of byte b followed by k
// zero bytes. The checksum is linear over bits, so every table follows from its entries for 1, 2,
// 4, ... 128; written this way the tables are constants of the program and there is no global state
// to set up.
// clang-format off
#define CRC_ENTRY(i, a, b, c, d, e, f, g, h)                                                       \
    (((i) & 1 ? a : 0) ^ ((i) & 2 ? b : 0) ^ ((i) & 4 ? c : 0) ^ ((i) & 8 ? d : 0) ^               \
     ((i) & 16 ? e : 0) ^ ((i) & 32 ? f : 0) ^ ((i) & 64 ? g : 0) ^ ((i) & 128 ? h : 0))
#define CRC_4(i, ...)  CRC_ENTRY(i, __VA_ARGS__), CRC_ENTRY(i + 1, __VA_ARGS__), CRC_ENTRY(i + 2, __VA_ARGS__), CRC_ENTRY(i + 3, __VA_ARGS__)
#define CRC_16(i, ...) CRC_4(i, __VA_ARGS__), CRC_4(i + 4, __VA_ARGS__), CRC_4(i + 8, __VA_ARGS__), CRC_4(i + 12, __VA_ARGS__)
#define CRC_64(i, ...) CRC_16(i, __VA_ARGS__), CRC_16(i + 16, __VA_ARGS__), CRC_16(i + 32, __VA_ARGS__), CRC_16(i + 48, __VA_ARGS__)
#define CRC_ROWS(...)  CRC_64(0, __VA_ARGS__), CRC_64(64, __VA_ARGS__), CRC_64(128, __VA_ARGS__), CRC_64(192, __VA_ARGS__)
static const uint32_t crc_table[8][256] = {
    {CRC_ROWS(0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, 0x3b6e20c8, 0x76dc4190, 0xedb88320)},
    {CRC_ROWS(0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, 0x958424a2, 0xf0794f05, 0x3b83984b)},
    {CRC_ROWS(0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, 0x384d46e0, 0x709a8dc0, 0xe1351b80)},
    {CRC_ROWS(0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, 0xa032af3e, 0x9b14583d, 0xed59b63b)},
    {CRC_ROWS(0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1, 0x60e09782, 0xc1c12f04, 0x58f35849, 0xb1e6b092)},
    {CRC_ROWS(0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d, 0x03d6029b, 0x07ac0536, 0x0f580a6c, 0x1eb014d8)},
    {CRC_ROWS(0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67, 0x67de9cce, 0xcfbd399c, 0x440b7579, 0x8816eaf2)},
    {CRC_ROWS(0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5, 0x7cbb312b, 0xf9766256, 0x299dc2ed, 0x533b85da)},
};
// clang-format on

static uint32_t little_endian(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t rb_crc32(uint32_t crc, const void *bytes, size_t length) {
    const uint32_t(*t)[256] = crc_table;
    const unsigned char *p = bytes;
    crc = ~crc;
    for (; length >= 8; p += 8, length -= 8) {
        uint32_t a = crc ^ little_endian(p), b = little_endian(p + 4);
        crc = t[7][a & 255] ^ t[6][a >> 8 & 255] ^ t[5][a >> 16 & 255] ^ t[4][a >> 24] ^
              t[3][b & 255] ^ t[2][b >> 8 & 255] ^ t[1][b >> 16 & 255] ^ t[0][b >> 24];
    }
    for (; length > 0; p++, length--) crc = crc >> 8 ^ t[0][(crc ^ *p) & 255];
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
