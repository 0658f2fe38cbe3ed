// SPDX-License-Identifier: MIT
// Matching and components of random graphs against slow definitions.
#include "testing.h"

#include <string.h>

#include "dae/graph.h"
#include "math/rng.h"

enum { N = 12 };

typedef struct Bits {
    bool has[N][N];
    int start[N + 1];
    int items[N * N];
    RbGraph graph;
} Bits;

static void random_graph(RbRng *rng, double density, Bits *b) {
    int count = 0;
    for (int r = 0; r < N; r++) {
        b->start[r] = count;
        for (int c = 0; c < N; c++) {
            b->has[r][c] = rb_rng_unit(rng) < density;
            if (b->has[r][c]) b->items[count++] = c;
        }
    }
    b->start[N] = count;
    b->graph = (RbGraph){N, N, b->start, b->items};
}

// Largest matching of the rows from r on, by trying everything (columns taken are bits).
static int largest(const Bits *b, int r, unsigned taken, signed char *memo) {
    if (r == N) return 0;
    signed char *known = &memo[((unsigned)r << N) | taken];
    if (*known >= 0) return *known;
    int best = largest(b, r + 1, taken, memo);
    for (int c = 0; c < N; c++) {
        if (!b->has[r][c] || (taken >> c & 1)) continue;
        int with = 1 + largest(b, r + 1, taken | 1u << c, memo);
        if (with > best) best = with;
    }
    return *known = (signed char)best;
}

static void matching_is_largest(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(5);
    static signed char memo[(N + 1) << N];
    for (int k = 0; k < 60; k++) {
        Bits b;
        random_graph(&rng, 0.05 + 0.005 * k, &b);
        memset(memo, -1, sizeof memo);
        RbMatching m = rb_match(&b.graph, (int[]){N / 2, N, N, N}, &f.arena, f.scratch);
        ENSURE(m.size == largest(&b, 0, 0, memo));
        for (int r = 0; r < N; r++) {
            int c = m.column_of_row[r];
            ENSURE(c < 0 || (b.has[r][c] && m.row_of_column[c] == r));
        }
    }
    fixture_close(&f);
}

// As many columns of the first group as a matching of that group alone could have.
static void first_group_is_served_first(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(6);
    for (int k = 0; k < 100; k++) {
        Bits b, part;
        random_graph(&rng, 0.15, &b);
        memset(&part, 0, sizeof part);
        int count = 0;
        for (int r = 0; r < N; r++) {
            for (int c = 0; c < N / 2; c++) {
                if (b.has[r][c]) part.items[count++] = c;
            }
            part.start[r + 1] = count;
        }
        part.graph = (RbGraph){N, N, part.start, part.items};
        RbMatching m = rb_match(&b.graph, (int[]){N / 2, N, N, N}, &f.arena, f.scratch);
        RbMatching alone = rb_match(&part.graph, (int[]){N, N, N, N}, &f.arena, f.scratch);
        int served = 0;
        for (int c = 0; c < N / 2; c++) served += m.row_of_column[c] >= 0;
        ENSURE(served == alone.size);
    }
    fixture_close(&f);
}

// Rows are in one component if and only if each needs the other, and a row comes after all that it
// needs.
static void components_are_sorted(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(7);
    for (int k = 0; k < 200; k++) {
        Bits b;
        random_graph(&rng, 0.02 + 0.001 * k, &b);
        int identity[N], component[N];
        for (int i = 0; i < N; i++) identity[i] = i; // row i computes column i
        bool needs[N][N];
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) needs[i][j] = i == j || b.has[i][j];
        }
        for (int m = 0; m < N; m++) {
            for (int i = 0; i < N; i++) {
                for (int j = 0; j < N; j++) needs[i][j] |= needs[i][m] && needs[m][j];
            }
        }
        RbComponents c = rb_components(&b.graph, identity, &f.arena, f.scratch);
        ENSURE(c.start[c.count] == N);
        for (int i = 0; i < c.count; i++) {
            for (int r = c.start[i]; r < c.start[i + 1]; r++) component[c.rows[r]] = i;
        }
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                ENSURE((component[i] == component[j]) == (needs[i][j] && needs[j][i]));
                if (needs[i][j]) ENSURE(component[j] <= component[i]);
            }
        }
    }
    fixture_close(&f);
}

// A chain of a million rows in the worst order: no recursion, linear time.
static void long_chain(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    enum { LONG = 300000 };
    int *start = rb_new_array(&f.arena, int, LONG + 1),
        *items = rb_new_array(&f.arena, int, 2 * LONG), n = 0;
    for (int r = 0; r < LONG; r++) { // row r: columns r + 1 and r, the last row only column r
        start[r] = n;
        if (r + 1 < LONG) items[n++] = r + 1;
        items[n++] = r;
    }
    start[LONG] = n;
    RbGraph g = {LONG, LONG, start, items};
    RbMatching m = rb_match(&g, (int[]){LONG, LONG, LONG, LONG}, &f.arena, f.scratch);
    ENSURE(m.size == LONG);
    RbComponents c = rb_components(&g, m.row_of_column, &f.arena, f.scratch);
    ENSURE(c.count == LONG);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matching_is_largest),
        cmocka_unit_test(first_group_is_served_first),
        cmocka_unit_test(components_are_sorted),
        cmocka_unit_test(long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
