// SPDX-License-Identifier: MIT
// Sparse Cholesky factors: A x of a known x is solved back; random graphs, separate pieces, points at one place; a pivot that is not positive.
#include "testing.h"

#include <string.h>

#include "math/block_cholesky.h"
#include "math/rng.h"

// A grid of springs between neighbours (also diagonal ones), each with a random symmetric positive block.
static RbBlockMatrix grid(Fixture *f, int nx, int ny, int nz, bool joined, uint64_t seed,
                          Vec3 *places) {
    int n = nx * ny * nz, count = 0;
    int *start = rb_new_array(&f->arena, int, n + 1),
        *column = rb_new_array(&f->arena, int, 27 * n);
    for (int i = 0; i < n; i++) {
        int x = i % nx, y = i / nx % ny, z = i / nx / ny;
        places[i] = v3(x, y, 2 * z);
        for (int k = 0; k < 27; k++) {
            int a = x + k % 3 - 1, b = y + k / 3 % 3 - 1, c = z + k / 9 - 1;
            if (a < 0 || b < 0 || c < 0 || a >= nx || b >= ny || c >= nz) continue;
            if (!joined && k != 13) continue;
            column[count++] = a + nx * (b + ny * c);
        }
        start[i + 1] = count;
    }
    RbBlockMatrix m = {n, start, column, rb_new_array(&f->arena, double, 9 * (size_t)count)};
    RbRng rng = rb_rng(seed);
    for (int i = 0; i < n; i++) {
        double *own = rb_block_at(&m, i, i);
        for (int d = 0; d < 3; d++) own[4 * d] += 0.1;
        for (int k = start[i]; k < start[i + 1]; k++) {
            if (column[k] <= i) continue;
            Vec3 s = v3(rb_rng_normal(&rng), rb_rng_normal(&rng), rb_rng_normal(&rng));
            for (int r = 0; r < 9; r++) {
                double spring = v3_get(s, r / 3) * v3_get(s, r % 3);
                own[r] += spring;
                rb_block_at(&m, column[k], column[k])[r] += spring;
                m.value[9 * k + r] -= spring;
                rb_block_at(&m, column[k], i)[r] -= spring;
            }
        }
    }
    return m;
}

static void apply(const RbBlockMatrix *m, const double *x, double *y) {
    for (int i = 0; i < m->n; i++)
        for (int k = m->start[i]; k < m->start[i + 1]; k++)
            for (int r = 0; r < 9; r++)
                y[3 * i + r / 3] += m->value[9 * k + r] * x[3 * m->column[k] + r % 3];
}

static void check(int nx, int ny, int nz, bool joined, bool one_place) {
    Fixture f;
    fixture_open(&f);
    int n = nx * ny * nz, columns = 3;
    Vec3 *places = rb_new_array(&f.arena, Vec3, n);
    RbBlockMatrix m = grid(&f, nx, ny, nz, joined, (uint64_t)n, places);
    if (one_place) memset(places, 0, sizeof *places * (size_t)n);
    RbBlockCholesky *c = rb_block_cholesky(&m, places, &f.arena, f.scratch);
    ENSURE(rb_block_cholesky_factor(c, &m, &f.arena, f.scratch) == -1);
    double *want = rb_new_array(&f.arena, double, 3 * n * columns),
           *x = rb_new_array(&f.arena, double, 3 * n * columns);
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 3 * n * columns; i++) want[i] = rb_rng_normal(&rng);
    for (int k = 0; k < columns; k++) apply(&m, want + 3 * n * k, x + 3 * n * k);
    rb_block_cholesky_solve(c, x, columns, f.scratch);
    for (int i = 0; i < 3 * n * columns; i++) ENSURE_NEAR(x[i], want[i], 1e-10);
    fixture_close(&f);
}

static void known_solutions_come_back(void **state) {
    (void)state;
    check(1, 1, 1, true, false);
    check(5, 5, 1, true, false);
    check(30, 3, 2, true, false);
    check(9, 8, 7, true, false);
    check(40, 1, 2, false, false); // nothing is joined
    check(6, 5, 4, true, true);    // no place tells points apart
}

static void a_bad_pivot_is_found(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Vec3 places[60];
    RbBlockMatrix m = grid(&f, 60, 1, 1, false, 7, places);
    rb_block_at(&m, 41, 41)[4] = -1;
    RbBlockCholesky *c = rb_block_cholesky(&m, places, &f.arena, f.scratch);
    ENSURE(rb_block_cholesky_factor(c, &m, &f.arena, f.scratch) == 41);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_solutions_come_back),
        cmocka_unit_test(a_bad_pivot_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
