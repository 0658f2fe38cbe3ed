// SPDX-License-Identifier: MIT
// hash.h: checksums and hashes with fixed, documented results (they end up in files and in printed
// state hashes).
#pragma once

#include <stddef.h>
#include <stdint.h>

// FNV-1a, 64 bit. Start with RB_HASH_START; feed the result back in to continue.
#define RB_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t rb_hash_bytes(uint64_t hash, const void *bytes, size_t length);

// CRC-32 (IEEE 802.3, as in zip and png). Start with 0; feed the result back in to continue.
uint32_t rb_crc32(uint32_t crc, const void *bytes, size_t length);

// Mix a 64-bit key well enough to index a table with its low bits.
uint64_t rb_hash_mix(uint64_t key);
