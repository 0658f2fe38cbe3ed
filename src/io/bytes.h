// SPDX-License-Identifier: MIT
// bytes.h: numbers in files, little endian whatever the machine.
#pragma once

#include <stdint.h>
#include <string.h>

// Some bytes that live elsewhere.
typedef struct RbBlob {
    const unsigned char *bytes;
    size_t size;
} RbBlob;

static inline void rb_put_u32(unsigned char *to, uint32_t value) {
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static inline uint32_t rb_get_u32(const unsigned char *from) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value |= (uint32_t)from[i] << 8 * i;
    return value;
}

// Rows of results are made of these: where the machine has that order already, they are copied.
static inline void rb_put_f64(unsigned char *to, double value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, &value, sizeof value);
#else
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(bits >> 8 * i);
#endif
}

static inline double rb_get_f64(const unsigned char *from) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= (uint64_t)from[i] << 8 * i;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float rb_get_f32(const unsigned char *from) {
    uint32_t bits = rb_get_u32(from);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
