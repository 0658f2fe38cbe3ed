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

typedef struct AlignedResult {
    ElasticResult energy;
    long evaluations;
    int contacts;
} AlignedResult;

static AlignedResult fall(ElasticShape below, int below_turn, ElasticShape above, int above_turn,
                          double beside) {
    const double g = 9.81, tolerance = 1e-6;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = 1, law->mu_k = law->mu_r = 0;
    RbSceneObject fixed = rb_solid("fixed", elastic_shape(below, 0.2, 0.2, 0.4), "Steel");
    fixed.object.pose = (Pose){v3(0, 0, -0.4), turned(below_turn)};
    rb_scene_add(s.scene, fixed);
    RbSceneObject o = rb_solid("body", elastic_shape(above, 0.1, 0.1, 0.2), "Steel");
    ElasticBody b = {"body", 3, v3(0.02, 0.02, 0.01)};
    o.object.moves_freely = true;
    o.object.pose = (Pose){v3(beside, 0, 0.35), turned(above_turn)};
    o.object.velocity = v3(0, 0, -2);
    o.object.has_mass = true;
    o.object.mass = (RbMassProperties){.mass = b.m, .I_CM = m3_diagonal(b.I)};
    rb_scene_add(s.scene, o);
    stand_record(&s, 2e-3);
    stand_run(&s, 0.35, tolerance);
    AlignedResult out = {.evaluations = s.summary.evaluations, .contacts = s.contact_count};
    elastic_compare(&s, &(ElasticPlan){.lossless = true}, &b, 1, g, tolerance, &out.energy);
    stand_close(&s);
    return out;
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
            for (int k = 0; k < 6; k++) {
                int turn_below = rb_rng_int(&rng, 9), turn_above = rb_rng_int(&rng, 9);
                double beside = rb_rng_int(&rng, 2) ? 0 : 0.03;
                AlignedResult r =
                    fall((ElasticShape)below, turn_below, (ElasticShape)above, turn_above, beside);
                bool good = r.energy.off <= 1 && r.evaluations < MOST;
                if (!good)
                    print_error("shape %d on %d, turned %d and %d, %g m beside: %.2f of the bound, "
                                "%ld evaluations, %d contacts\n",
                                above, below, turn_above, turn_below, beside, r.energy.off,
                                r.evaluations, r.contacts);
                bad += !good, count++, seen += r.energy.free_rows > 0;
                worst = fmax(worst, r.energy.off);
                if (r.evaluations > most) most = r.evaluations;
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
