// SPDX-License-Identifier: MIT
// The list of near molecules against all pairs, while they move.
#include "bodies.h"

#include "deform/sphere_pairs.h"
#include "math/rng.h"

static void check_against_all(const RbNetwork *n, const RbSpherePairs *p, const Vec3 *r) {
    const RbMolecule *m = n->scene->molecules.data;
    int at = 0;
    for (int i = 0; i < n->count; i++) {
        for (int j = i + 1; j < n->count; j++) {
            bool touch = m[i].object != m[j].object && !(m[i].fixed && m[j].fixed) &&
                         v3_distance(r[i], r[j]) < m[i].radius + m[j].radius;
            if (!touch) continue;
            while (at < p->count &&
                   (p->pairs[at].a < i || (p->pairs[at].a == i && p->pairs[at].b < j)))
                at++;
            ENSURE(at < p->count && p->pairs[at].a == i && p->pairs[at].b == j);
        }
    }
}

static void list_has_all_that_touch(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(1);
    RbSoftScene *s = block_scene(&f, 4, 4, 4);
    for (int i = 0; i < 6; i++)
        add_block(s, rb_arena_printf(&f.arena, "b%d", i),
                  (Block){.n = {3, 3, 3},
                          .a = 0.01,
                          .radius = 0.006,
                          .fixed = i == 0,
                          .low = v3_scale(0.05, rb_rng_direction(&rng))});
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    RbSpherePairs *p = rb_sphere_pairs_open(
        &n, 0.003, rb_arena_push(&f.arena, rb_sphere_pairs_size(&n), alignof(max_align_t)));
    int made = 0;
    for (int step = 0; step < 300; step++) {
        for (int i = 0; i < n.count; i++)
            if (n.free_index[i] >= 0) r[i] = v3_axpy(r[i], 2e-4, rb_rng_direction(&rng));
        Vec3 before = p->made_at[100];
        ENSURE(rb_sphere_pairs_update(p, &n, r));
        made += memcmp(&before, &p->made_at[100], sizeof before) != 0;
        check_against_all(&n, p, r);
    }
    ENSURE(made > 2 && made < 100);
    fixture_close(&f);
}

// Everything at one place is more than there can be.
static void a_heap_without_end_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 8, 8, 8);
    add_block(s, "other", (Block){.n = {8, 8, 8}, .a = 0.01, .radius = 0.005});
    RbNetwork n = network_of(&f, s);
    Vec3 *r = rb_new_array(&f.arena, Vec3, n.count);
    RbSpherePairs *p = rb_sphere_pairs_open(
        &n, 0.003, rb_arena_push(&f.arena, rb_sphere_pairs_size(&n), alignof(max_align_t)));
    ENSURE(!rb_sphere_pairs_update(p, &n, r));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_has_all_that_touch),
        cmocka_unit_test(a_heap_without_end_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
