// SPDX-License-Identifier: MIT
#include "deform/placing.h"

#include "math/rng.h"

static const double SHAKEN = 0.25; // [spacing]

typedef RB_ARRAY(Vec3) Points;

static bool is_inside(const RbPlacing *p, int x, int y, int z) {
    const int *n = p->n;
    if (x < 0 || y < 0 || z < 0 || x >= n[0] || y >= n[1] || z >= n[2]) return false;
    return !p->inside || p->inside[(x * n[1] + y) * n[2] + z];
}

static bool is_cube(const RbPlacing *p, int x, int y, int z) { // by its low corner
    for (int i = 0; i < 8; i++)
        if (!is_inside(p, x + (i & 1), y + (i >> 1 & 1), z + (i >> 2))) return false;
    return true;
}

static bool is_corner(const RbPlacing *p, int x, int y, int z) {
    for (int i = 0; i < 8; i++)
        if (is_cube(p, x - (i & 1), y - (i >> 1 & 1), z - (i >> 2))) return true;
    return false;
}

static Vec3 shake(const RbPlacing *p, int x, int y, int z, RbRng *rng) {
    double d[3];
    for (int k = 0; k < 3; k++) {
        int dx = k == 0, dy = k == 1, dz = k == 2;
        bool between = is_inside(p, x + dx, y + dy, z + dz) && is_inside(p, x - dx, y - dy, z - dz);
        double moved = rb_rng_range(rng, -SHAKEN, SHAKEN);
        d[k] = between ? moved : 0;
    }
    return v3_load(d);
}

Vec3 *rb_placing_points(const RbPlacing *p, RbArena *arena, int *count) {
    Points all = {0};
    RbRng rng = rb_rng(1);
    bool centred = p->placement == RB_SOFT_BODY_CENTRED;
    for (int i = 0; i < p->n[0] * p->n[1] * p->n[2]; i++) {
        int x = i / (p->n[1] * p->n[2]), y = i / p->n[2] % p->n[1], z = i % p->n[2];
        if (!(centred ? is_corner(p, x, y, z) : is_inside(p, x, y, z))) continue;
        Vec3 at = v3_axpy(p->low, p->spacing, v3(x, y, z));
        if (p->placement == RB_SOFT_RANDOM) at = v3_axpy(at, p->spacing, shake(p, x, y, z, &rng));
        rb_array_push(&all, arena, at);
    }
    for (int i = 0; centred && i < p->n[0] * p->n[1] * p->n[2]; i++) {
        int x = i / (p->n[1] * p->n[2]), y = i / p->n[2] % p->n[1], z = i % p->n[2];
        if (is_cube(p, x, y, z))
            rb_array_push(&all, arena, v3_axpy(p->low, p->spacing, v3(x + 0.5, y + 0.5, z + 0.5)));
    }
    *count = all.count;
    return all.data;
}
