// SPDX-License-Identifier: MIT
#include "deform/sphere_pairs.h"

#include <stdint.h>

#include "base/sort.h"

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
           aligned(count * sizeof(Vec3)) + aligned(count * sizeof(RbCell)) +
           aligned(count * sizeof(int)) + aligned((size_t)cell_count(n) * sizeof(int));
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
    p->cell = take(&at, count * sizeof(RbCell));
    p->next = take(&at, count * sizeof(int));
    p->head = take(&at, (size_t)p->head_count * sizeof(int));
    return p;
}

static bool moved_too_far(const RbSpherePairs *p, const RbNetwork *n, const Vec3 *r) {
    double limit = 0.25 * p->skin * p->skin;
    for (int i = 0; i < n->count; i++) // also those that rigid bodies carry
        if (!(v3_norm2(v3_sub(r[i], p->made_at[i])) <= limit)) return true;
    return false;
}

static uint32_t hash_cell(RbCell c, int cells) {
    uint32_t h = (uint32_t)c.x * 73856093u ^ (uint32_t)c.y * 19349663u ^ (uint32_t)c.z * 83492791u;
    return (h ^ h >> 15) & (uint32_t)(cells - 1);
}

static int coordinate(double x, double size) {
    double c = floor(x / size);
    return c > -1e9 && c < 1e9 ? (int)c : 0;
}

static RbCell cell_of(Vec3 r, double size) {
    return (RbCell){coordinate(r.x, size), coordinate(r.y, size), coordinate(r.z, size)};
}

static double widest_reach(const RbNetwork *n) {
    double radius = 0;
    for (int i = 0; i < n->count; i++) radius = fmax(radius, n->scene->molecules.data[i].radius);
    return 2 * radius;
}

static int compare_pairs(const void *a, const void *b) {
    const RbSpherePair *p = a, *q = b;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Molecules of one object touch only if it is asked for, and if they are no neighbours.
static bool may_touch(const RbNetwork *n, int i, int j) {
    const RbMolecule *m = n->scene->molecules.data;
    if (m[i].object != m[j].object) return true;
    return n->objects[m[i].object].self_contact && rb_network_apart(n, j, m[i].r);
}

// Partners of molecule i, which moves: all that are fixed, and those with a higher number.
static bool collect(RbSpherePairs *p, const RbNetwork *n, const Vec3 *r, int i) {
    const RbMolecule *m = n->scene->molecules.data;
    RbCell own = p->cell[i];
    for (int k = 0; k < 27; k++) {
        RbCell c = {own.x + k / 9 - 1, own.y + k / 3 % 3 - 1, own.z + k % 3 - 1};
        for (int j = p->head[hash_cell(c, p->head_count)]; j >= 0; j = p->next[j]) {
            if (i == j || (j < i && n->free_index[j] >= 0)) continue;
            if (p->cell[j].x != c.x || p->cell[j].y != c.y || p->cell[j].z != c.z) continue;
            double reach = m[i].radius + m[j].radius + p->skin;
            if (!(v3_norm2(v3_sub(r[j], r[i])) < reach * reach) || !may_touch(n, i, j)) continue;
            if (p->count == p->capacity) return false;
            p->pairs[p->count++] = i < j ? (RbSpherePair){i, j} : (RbSpherePair){j, i};
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
        p->cell[i] = cell_of(r[i], size);
        uint32_t place = hash_cell(p->cell[i], p->head_count);
        p->next[i] = p->head[place];
        p->head[place] = i;
        p->made_at[i] = r[i];
    }
    for (int k = 0; k < n->free_count; k++)
        if (!collect(p, n, r, n->molecule_of[k])) return false;
    rb_sort_items(p->pairs, p->count, sizeof *p->pairs, compare_pairs);
    p->valid = true;
    return true;
}
