// SPDX-License-Identifier: MIT
// label: normal
// Bodies of all convex shapes fall on fixed ones, their axes parallel, across or at 45 degrees to each other, to the
// last bit: what is closest is then not unique, and must not jump. Without friction and losses energy stays,
// by typed masses and the speeds alone, and the number of evaluations says that no force jumped.
#include "elastic.h"

static const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static Mat3 turned(int n) {
    static const double angles[] = {0, M_PI / 4, M_PI / 2};
    return m3_rotation(axes[n % 3], angles[n / 3 % 3]);
}

static void energy_stays_in_aligned_falls(void **state) {
    (void)state;
    const long MOST = 20000; // a fall takes 500 to 5,000
    double worst = 0;
    long most = 0;
    int bad = 0, count = 0, seen = 0;
    RbRng rng = rb_rng(7);
    for (int below = 0; below < SHAPE_COUNT; below++) {
        for (int above = 0; above < SHAPE_COUNT; above++) {
            for (int k = 0; k < REPEATS(6, 2); k++) {
                int turn_below = rb_rng_int(&rng, 9), turn_above = rb_rng_int(&rng, 9);
                double beside = rb_rng_int(&rng, 2) ? 0 : 0.03;
                ElasticFall fall = {.below = elastic_shape((ElasticShape)below, 0.2, 0.2, 0.4),
                                    .below_at = {v3(0, 0, -0.4), turned(turn_below)},
                                    .above = elastic_shape((ElasticShape)above, 0.1, 0.1, 0.2),
                                    .above_at = {v3(beside, 0, 0.35), turned(turn_above)},
                                    .speed = 2,
                                    .stop = 0.35,
                                    .tolerance = 1e-6};
                long evaluations;
                ElasticResult r = elastic_fall(&fall, &evaluations);
                bool good = r.off <= 1 && evaluations < MOST;
                if (!good)
                    print_error("shape %d on %d, turned %d and %d, %g m beside: %.2f of the bound, "
                                "%ld evaluations\n",
                                above, below, turn_above, turn_below, beside, r.off, evaluations);
                bad += !good, count++, seen += r.free_rows > 0;
                worst = fmax(worst, r.off);
                if (evaluations > most) most = evaluations;
            }
        }
    }
    print_message(
        "%d falls, %d free again: energy off by at most %.2f of the ledger's bound, at most "
        "%ld evaluations\n",
        count, seen, worst, most);
    ENSURE(bad == 0);
    ENSURE(seen > count / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays_in_aligned_falls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
