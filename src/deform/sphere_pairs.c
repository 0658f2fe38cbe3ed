// SPDX-License-Identifier: MIT
#include "deform/sphere_pairs.h"

#include <stdint.h>
#include <string.h>

enum { PAIRS_PER_MOLECULE = 48 };

static size_t aligned(size_t bytes) {
    return (bytes + 15) & ~(size_t)15;
}

static int cell_count(const RbNetwork *n) {
    int count = 16;
    while (count < 2 * n->count) count *= 2;
    return count;
}

size_t rb_sphere_pairs_size(const RbNetwork *n) {
    size_t count = (size_t)n->count;
    return aligned(sizeof(RbSpherePairs)) +
           aligned(count * PAIRS_PER_MOLECULE * sizeof(RbSpherePair)) +
           aligned(count * sizeof(Vec3)) + aligned(count * sizeof(int)) +
           aligned((size_t)cell_count(n) * sizeof(int));
}

static void *take(unsigned char **at, size_t bytes) {
    void *memory = *at;
    *at += aligned(bytes);
    return memory;
}

RbSpherePairs *rb_sphere_pairs_open(const RbNetwork *n, double skin, void *memory) {
    unsigned char *at = memory;
    size_t count = (size_t)n->count;
    RbSpherePairs *p = take(&at, sizeof *p);
    *p = (RbSpherePairs){.skin = skin, .capacity = n->count * PAIRS_PER_MOLECULE};
    p->head_count = cell_count(n);
    p->pairs = take(&at, count * PAIRS_PER_MOLECULE * sizeof(RbSpherePair));
    p->made_at = take(&at, count * sizeof(Vec3));
    p->next = take(&at, count * sizeof(int));
    p->head = take(&at, (size_t)p->head_count * sizeof(int));
    return p;
}

static bool moved_too_far(const RbSpherePairs *p, const RbNetwork *n, const Vec3 *r) {
    double limit = 0.25 * p->skin * p->skin;
    for (int i = 0; i < n->count; i++) {
        Vec3 d = v3_sub(r[i], p->made_at[i]);
        if (!(v3_norm2(d) <= limit)) return true;
    }
    return false;
}

static uint32_t hash_cell(int x, int y, int z) {
    uint32_t h = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
    return h ^ h >> 15;
}

static int coordinate(double x, double size) {
    double c = floor(x / size);
    return c > -1e9 && c < 1e9 ? (int)c : 0;
}

static double widest_reach(const RbNetwork *n) {
    double radius = 0;
    for (int i = 0; i < n->count; i++) radius = fmax(radius, n->scene->molecules.data[i].radius);
    return 2 * radius;
}

// Can two molecules touch?
static bool may_touch(const RbNetwork *n, int a, int b) {
    const RbMolecule *m = n->scene->molecules.data;
    return m[a].object != m[b].object && (n->free_index[a] >= 0 || n->free_index[b] >= 0);
}

static void insert_sorted(RbSpherePair *pairs, int first, int count, RbSpherePair pair) {
    int i = count;
    for (; i > first && pairs[i - 1].b > pair.b; i--) pairs[i] = pairs[i - 1];
    pairs[i] = pair;
}

// Partners of molecule i with a higher number, in rising order.
static bool collect(RbSpherePairs *p, const RbNetwork *n, const Vec3 *r, int i, double size) {
    const RbMolecule *m = n->scene->molecules.data;
    int first = p->count,
        c[3] = {coordinate(r[i].x, size), coordinate(r[i].y, size), coordinate(r[i].z, size)};
    uint32_t seen[27];
    for (int k = 0; k < 27; k++) {
        uint32_t cell = hash_cell(c[0] + k / 9 - 1, c[1] + k / 3 % 3 - 1, c[2] + k % 3 - 1) &
                        (uint32_t)(p->head_count - 1);
        bool again = false;
        for (int q = 0; q < k; q++) again |= seen[q] == cell; // two cells with one hash
        seen[k] = cell;
        if (again) continue;
        for (int j = p->head[cell]; j >= 0; j = p->next[j]) {
            double reach = m[i].radius + m[j].radius + p->skin;
            if (j <= i || !may_touch(n, i, j)) continue;
            if (!(v3_norm2(v3_sub(r[j], r[i])) < reach * reach)) continue;
            if (p->count == p->capacity) return false;
            insert_sorted(p->pairs, first, p->count, (RbSpherePair){i, j});
            p->count++;
        }
    }
    return true;
}

bool rb_sphere_pairs_update(RbSpherePairs *p, const RbNetwork *n, const Vec3 *r) {
    if (p->valid && !moved_too_far(p, n, r)) return true;
    double size = widest_reach(n) + p->skin;
    p->valid = false;
    p->count = 0;
    for (int i = 0; i < p->head_count; i++) p->head[i] = -1;
    for (int i = 0; i < n->count; i++) {
        uint32_t cell = hash_cell(coordinate(r[i].x, size), coordinate(r[i].y, size),
                                  coordinate(r[i].z, size)) &
                        (uint32_t)(p->head_count - 1);
        p->next[i] = p->head[cell];
        p->head[cell] = i;
        p->made_at[i] = r[i];
    }
    for (int i = 0; i < n->count; i++)
        if (!collect(p, n, r, i, size)) return false;
    p->valid = true;
    return true;
}
