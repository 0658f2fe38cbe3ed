// SPDX-License-Identifier: MIT
#include "collide/morton.h"

#include <string.h>

enum {
    AXIS_BITS = 19,
    LAST_CELL = (1 << AXIS_BITS) - 1,
    LEVEL_BITS = 5, // 3 * 19 + 5 = 62 bits of a key
    LEVEL_MASK = (1 << LEVEL_BITS) - 1,
    DIGIT_BITS = 11,
    DIGIT_COUNT = 6,
    DIGIT_SIZE = 1 << DIGIT_BITS,
    SAMPLE_COUNT = 63,
    LARGE_COUNT = 64, // so many boxes over LARGE_RATIO times the usual size are few
};

static const double LARGE_RATIO = 8;

// Cells are at least this much larger than the boxes in them: fewer entries to sort against more
// boxes in a cell.
static const double STRETCH = 1.5;

typedef struct Grid {
    Vec3 origin;
    double cell;    // [m]
    double inverse; // [1/m]
} Grid;

// 19 bits spread out to every third place.
static uint64_t spread(uint32_t x) {
    uint64_t v = x & LAST_CELL;
    v = (v | v << 32) & UINT64_C(0x001f00000000ffff);
    v = (v | v << 16) & UINT64_C(0x001f0000ff0000ff);
    v = (v | v << 8) & UINT64_C(0x100f00f00f00f00f);
    v = (v | v << 4) & UINT64_C(0x10c30c30c30c30c3);
    v = (v | v << 2) & UINT64_C(0x1249249249249249);
    return v;
}

uint64_t rb_morton_code(uint32_t x, uint32_t y, uint32_t z) {
    return spread(x) | spread(y) << 1 | spread(z) << 2;
}

static double longest_edge(const RbAabb *b) {
    return rb_aabb_more(b->high.x - b->low.x,
                        rb_aabb_more(b->high.y - b->low.y, b->high.z - b->low.z));
}

static void sort_doubles(double *x, int count) {
    for (int i = 1; i < count; i++) {
        double v = x[i];
        int k = i;
        for (; k > 0 && x[k - 1] > v; k--) x[k] = x[k - 1];
        x[k] = v;
    }
}

// Edges of evenly chosen boxes, sorted; answers how many are positive and finite.
static int sample_edges(const int *items, int count, const RbAabb *boxes, double *edges) {
    int found = 0, step = count / SAMPLE_COUNT + 1;
    for (int i = 0; i < count; i += step) {
        double edge = longest_edge(&boxes[items[i]]);
        if (edge > 0 && isfinite(edge)) edges[found++] = edge;
    }
    sort_doubles(edges, found);
    return found;
}

bool rb_morton_suits(const int *items, int count, const RbAabb *boxes) {
    double edges[SAMPLE_COUNT];
    int found = sample_edges(items, count, boxes, edges);
    if (found == 0) return false;
    double usual = edges[found / 2];
    int large = 0, small = 0;
    for (int i = 0; i < count; i++) {
        double edge = longest_edge(&boxes[items[i]]);
        large += edge > LARGE_RATIO * usual;
        small += edge < usual / LARGE_RATIO;
    }
    return large <= LARGE_COUNT && small <= count / 4;
}

// Lower quartile, median and upper quartile of the finite centres along an axis, from a sample.
static void sample_centres(const int *items, int count, const RbAabb *boxes, int axis,
                           double *quartiles) {
    double x[SAMPLE_COUNT];
    int found = 0, step = count / SAMPLE_COUNT + 1;
    for (int i = 0; i < count; i += step) {
        const RbAabb *b = &boxes[items[i]];
        double centre = 0.5 * v3_get(b->low, axis) + 0.5 * v3_get(b->high, axis);
        if (isfinite(centre)) x[found++] = centre;
    }
    sort_doubles(x, found);
    for (int k = 0; k < 3; k++) quartiles[k] = found > 0 ? x[(k + 1) * found / 4] : 0;
}

// A grid for the bulk of the boxes: base cells for small ones, centre where most are. A body that
// flew far away must not spoil it, so that it comes from quantiles; whatever lies outside counts as
// being in the outermost cells, which keeps the result right, as the map from coordinates to cells
// stays monotonic.
static Grid choose_grid(const int *items, int count, const RbAabb *boxes) {
    double edges[SAMPLE_COUNT], quartiles[3][3], spread_out = 0;
    int found = sample_edges(items, count, boxes, edges);
    for (int axis = 0; axis < 3; axis++) {
        sample_centres(items, count, boxes, axis, quartiles[axis]);
        spread_out = rb_aabb_more(spread_out, quartiles[axis][2] - quartiles[axis][0]);
    }
    double cell = found > 0 ? STRETCH * edges[0] : 0;
    cell = rb_aabb_more(cell, 8 * spread_out / (1 << AXIS_BITS));
    if (!(cell > 0) || !isfinite(cell) || !isfinite(1 / cell)) cell = 1;
    double half = 0.5 * cell * (1 << AXIS_BITS);
    Vec3 middle = v3(quartiles[0][1], quartiles[1][1], quartiles[2][1]);
    return (Grid){v3_sub(middle, v3(half, half, half)), cell, 1 / cell};
}

static uint32_t cell_of(double x, double origin, double inverse) {
    double c = (x - origin) * inverse;
    if (!(c > 0)) return 0;
    return c < LAST_CELL ? (uint32_t)c : LAST_CELL;
}

typedef struct Range {
    uint32_t lo[3], hi[3]; // base cells
} Range;

static Range range_of(const Grid *g, const RbAabb *b) {
    return (Range){
        {cell_of(b->low.x, g->origin.x, g->inverse), cell_of(b->low.y, g->origin.y, g->inverse),
         cell_of(b->low.z, g->origin.z, g->inverse)},
        {cell_of(b->high.x, g->origin.x, g->inverse), cell_of(b->high.y, g->origin.y, g->inverse),
         cell_of(b->high.z, g->origin.z, g->inverse)},
    };
}

// The lowest level on which the box is smaller than a cell and so meets at most two of them along
// each axis.
static int level_of(const Grid *g, const RbAabb *b, const Range *r) {
    double edge = STRETCH * longest_edge(b);
    int level = 0;
    for (double cell = g->cell; level < AXIS_BITS && cell < edge; cell *= 2) level++;
    for (int k = 0; k < 3; k++) {
        while (level < AXIS_BITS && (r->hi[k] >> level) - (r->lo[k] >> level) > 1) level++;
    }
    return level;
}

// One entry for each cell that the box meets on its level.
static void enter(RbMorton *m, int item, const Range *r, int level) {
    unsigned upper = 0; // axes along which it meets two cells
    for (int k = 0; k < 3; k++) upper |= (unsigned)(r->lo[k] >> level != r->hi[k] >> level) << k;
    for (unsigned corner = 0; corner < 8; corner++) {
        if (corner & ~upper) continue;
        uint32_t c[3];
        for (int k = 0; k < 3; k++) c[k] = ((r->lo[k] >> level) + (corner >> k & 1)) << level;
        uint64_t code = rb_morton_code(c[0], c[1], c[2]);
        rb_array_push(&m->entries, m->arena,
                      (RbMortonEntry){code << LEVEL_BITS | (uint64_t)(LEVEL_MASK - level), item,
                                      (int)corner});
    }
}

static void enter_all(RbMorton *m, const int *items, int count, const RbAabb *boxes) {
    Grid grid = choose_grid(items, count, boxes);
    int largest = -1;
    for (int i = 0; i < count; i++) largest = items[i] > largest ? items[i] : largest;
    rb_array_reserve(&m->boxes, m->arena, largest + 1);
    m->entries.count = 0;
    for (int i = 0; i < count; i++) {
        Range r = range_of(&grid, &boxes[items[i]]);
        int level = level_of(&grid, &boxes[items[i]], &r);
        m->boxes.data[items[i]] = (RbMortonBox){{r.lo[0], r.lo[1], r.lo[2]}, level};
        enter(m, items[i], &r, level);
    }
}

static unsigned digit_of(uint64_t key, int digit) {
    return (unsigned)(key >> (digit * DIGIT_BITS)) & (DIGIT_SIZE - 1);
}

// Radix sort by key, stable; digits that are the same everywhere cost nothing.
static void sort_entries(RbMorton *m) {
    int count = m->entries.count;
    rb_array_reserve(&m->sorted, m->arena, m->entries.capacity);
    RbMortonEntry *from = m->entries.data, *to = m->sorted.data;
    int histogram[DIGIT_COUNT][DIGIT_SIZE] = {0};
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < DIGIT_COUNT; d++) histogram[d][digit_of(from[i].key, d)]++;
    }
    for (int d = 0; d < DIGIT_COUNT; d++) {
        int *start = histogram[d], sum = 0;
        if (count == 0 || start[digit_of(from[0].key, d)] == count) continue;
        for (int k = 0; k < DIGIT_SIZE; k++) {
            int n = start[k];
            start[k] = sum;
            sum += n;
        }
        for (int i = 0; i < count; i++) to[start[digit_of(from[i].key, d)]++] = from[i];
        RbMortonEntry *swap = from;
        from = to;
        to = swap;
    }
    if (from != m->entries.data) memcpy(m->entries.data, from, (size_t)count * sizeof *from);
}

// Two boxes may share up to eight cells. The pair counts only in the cell that holds the lower
// corner of their overlap, on the level of the smaller cell: e is entered there or deeper than s.
static bool counts_here(const RbMortonBox *e, int corner, const RbMortonBox *s) {
    for (int k = 0; k < 3; k++) {
        uint32_t lower = e->lo[k] > s->lo[k] ? e->lo[k] : s->lo[k];
        if (lower >> e->level != (e->lo[k] >> e->level) + (unsigned)(corner >> k & 1)) return false;
    }
    return true;
}

static bool same_cell(uint64_t key_a, uint64_t key_b, int level) {
    int shift = 3 * level + LEVEL_BITS;
    return key_a >> shift == key_b >> shift;
}

// Walk along the curve with the stack of all entries whose cell contains the current one.
static void sweep(RbMorton *m, const RbAabb *boxes, RbVisitPair *visit, void *user) {
    m->open.count = 0;
    for (int i = 0; i < m->entries.count; i++) {
        const RbMortonEntry *e = &m->entries.data[i];
        const RbMortonBox *box = &m->boxes.data[e->item];
        while (m->open.count > 0) {
            const RbMortonEntry *s = &m->entries.data[m->open.data[m->open.count - 1]];
            if (same_cell(s->key, e->key, m->boxes.data[s->item].level)) break;
            m->open.count--;
        }
        for (int k = 0; k < m->open.count; k++) {
            int other = m->entries.data[m->open.data[k]].item;
            if (!rb_aabb_overlap(boxes[e->item], boxes[other])) continue;
            if (!counts_here(box, e->corner, &m->boxes.data[other])) continue;
            if (!visit(user, e->item, other)) return;
        }
        rb_array_push(&m->open, m->arena, i);
    }
}

void rb_morton_pairs(RbMorton *m, const int *items, int count, const RbAabb *boxes,
                     RbVisitPair *visit, void *user) {
    enter_all(m, items, count, boxes);
    sort_entries(m);
    sweep(m, boxes, visit, user);
}
