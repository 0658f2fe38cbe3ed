// SPDX-License-Identifier: MIT
// rng.h: reproducible random numbers (SplitMix64), for tests, benchmarks and initial disorder. Same
// seed, same numbers.
#pragma once

#include <stdint.h>

#include "math/quat.h"

typedef struct RbRng {
    uint64_t state;
} RbRng;

static inline RbRng rb_rng(uint64_t seed) {
    return (RbRng){seed};
}

static inline uint64_t rb_rng_bits(RbRng *rng) {
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// Uniform in [0, 1), [low, high), {0 .. n-1}.
static inline double rb_rng_unit(RbRng *rng) {
    return (double)(rb_rng_bits(rng) >> 11) * 0x1p-53;
}
static inline double rb_rng_range(RbRng *rng, double low, double high) {
    return low + (high - low) * rb_rng_unit(rng);
}
static inline int rb_rng_int(RbRng *rng, int n) {
    return (int)(rb_rng_bits(rng) % (uint64_t)n);
}

// Standard normal (Box-Muller).
static inline double rb_rng_normal(RbRng *rng) {
    double u = 1.0 - rb_rng_unit(rng), v = rb_rng_unit(rng);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

// Uniform on the unit sphere; uniform over all orientations.
static inline Vec3 rb_rng_direction(RbRng *rng) {
    double x = rb_rng_normal(rng), y = rb_rng_normal(rng), z = rb_rng_normal(rng);
    return v3_unit_or(v3(x, y, z), v3(0, 0, 1));
}
static inline Quat rb_rng_orientation(RbRng *rng) {
    double w = rb_rng_normal(rng), x = rb_rng_normal(rng), y = rb_rng_normal(rng),
           z = rb_rng_normal(rng);
    Quat q = {w, x, y, z};
    return q_norm2(q) > 0 ? q_unit(q) : Q_IDENTITY;
}
