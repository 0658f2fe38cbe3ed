// SPDX-License-Identifier: MIT
// The set of contacts: which pair is nearest with many others in slots, and distances that are not
// numbers.
#include <string.h>

#include "testing.h"

#include "contact/set.h"
#include "math/rng.h"

enum { BALLS = 300 };

typedef struct Scene {
    Fixture f;
    RbMaterials materials;
    RbShape shape;
    RbCore core;
    RbElement elements[BALLS];
    RbMoving bodies[BALLS + 1];
    RbContactSetup *setup;
    RbContactWork work;
    double *slots;
    RbContactState *states;
} Scene;

static const double D = 0.1; // [m] diameter

static bool any(const void *user, int a, int b) {
    (void)user, (void)a, (void)b;
    return true;
}

static double mass(void *user, int a, int b, Vec3 point_W, Vec3 n_W) {
    (void)user, (void)a, (void)b, (void)point_W, (void)n_W;
    return 1;
}

static void count(void *user, const RbContactChange *change) {
    (void)change;
    ++*(int *)user;
}

static RbStatus build(void *argument) {
    Scene *s = argument;
    RB_TRY(rb_materials_read(&s->materials, RB_SOURCE_DIR "/data/materials.json", &s->f.arena,
                             &s->f.diag));
    s->shape = rb_shape_sphere(D);
    s->core = (RbCore){.kind = RB_CORE_POINT, .radius = 0.5 * D, .frame = POSE_IDENTITY};
    for (int i = 0; i < BALLS; i++) {
        s->elements[i] =
            (RbElement){.side = {.object = i == 7 ? "seven" : "ball", .solid = "Steel"},
                        .shape = &s->shape,
                        .core = &s->core,
                        .body = i + 1,
                        .X_BS = POSE_IDENTITY,
                        .reach = 0.5 * D};
    }
    for (int i = 0; i <= BALLS; i++) s->bodies[i] = (RbMoving){.X = POSE_IDENTITY};
    RB_TRY(rb_contact_setup(s->elements, BALLS, &s->materials, rb_contact_options(), any, NULL,
                            &s->f.arena, &s->f.diag, &s->setup));
    s->work = rb_contact_work(s->setup, &s->f.arena);
    s->slots = rb_new_array(&s->f.arena, double, RB_SLOT_SIZE * s->setup->slot_count);
    s->states = rb_new_array(&s->f.arena, RbContactState, s->setup->slot_count);
    return RB_OK;
}

// A row of balls, each a little inside the next one; the last is apart by `gap`.
static void open_row(Scene *s, double gap) {
    memset(s, 0, sizeof *s);
    fixture_open(&s->f);
    ENSURE(rb_protect(&s->f.heap, build, s) == RB_OK);
    for (int i = 0; i < BALLS; i++)
        s->bodies[i + 1].X.r.x = i * (D - 1e-6) + (i == BALLS - 1 ? 1e-6 + gap : 0);
}

static RbTooDeep indicate(Scene *s, double z[2]) {
    Wrench forces[BALLS + 1] = {0};
    RbContactPowers powers = {0};
    RbTooDeep bad =
        rb_contacts_evaluate(s->setup, s->slots, NULL, s->bodies, NULL, s->states, forces, &powers);
    if (bad.a >= 0) return bad;
    return rb_contacts_indicators(s->setup, &s->work, s->slots, s->states, s->bodies, z);
}

static void nearest_of_many(void **state) {
    (void)state;
    static Scene s;
    double z[2], touch = rb_contact_options().touch;
    int told = 0, changes = 0;
    open_row(&s, 1e-3);
    ENSURE(rb_contacts_update(s.setup, &s.work, s.slots, s.bodies, count, mass, &told, &changes));
    ENSURE(told == BALLS - 2 && changes == told);
    ENSURE(indicate(&s, z).a == -1);
    ENSURE_NEAR(z[0], -1e-6 - 2 * touch, 1e-15); // of those in slots
    ENSURE_NEAR(z[1], 1e-3 - touch, 1e-12);      // of all others: the last two
    // Nothing more changes; the last one comes and all others go.
    ENSURE(rb_contacts_update(s.setup, &s.work, s.slots, s.bodies, count, mass, &told, &changes));
    ENSURE(changes == 0);
    for (int i = 0; i < BALLS; i++) s.bodies[i + 1].X.r.x = i * (i == BALLS - 1 ? D : 2 * D);
    s.bodies[BALLS].X.r.x = s.bodies[BALLS - 1].X.r.x + D - 1e-6;
    ENSURE(rb_contacts_update(s.setup, &s.work, s.slots, s.bodies, count, mass, &told, &changes));
    ENSURE(changes == BALLS - 1);
    fixture_close(&s.f);
}

// It must never be taken for "far apart".
static void no_number_is_no_distance(void **state) {
    (void)state;
    static Scene s;
    double z[2];
    int told = 0, changes = 0;
    open_row(&s, 1e-3);
    ENSURE(rb_contacts_update(s.setup, &s.work, s.slots, s.bodies, count, mass, &told, &changes));
    s.bodies[8].X.r.y = NAN; // touches others
    RbTooDeep bad = indicate(&s, z);
    ENSURE(bad.a == 7 || bad.b == 7);
    ENSURE(isnan(bad.depth));
    s.bodies[8].X.r.y = 0;
    s.bodies[BALLS].X.r.y = NAN; // touches nobody
    bad = indicate(&s, z);
    ENSURE(bad.b == BALLS - 1);
    ENSURE(isnan(bad.depth));
    fixture_close(&s.f);
}

// Balls at random places again and again: those that overlap, and no others, are in slots; each pair
// once; and what is told is what has changed.
static void slots_hold_what_overlaps(void **state) {
    (void)state;
    enum { ROUNDS = 60 };
    static Scene s;
    static bool before[BALLS][BALLS], now[BALLS][BALLS];
    RbRng rng = rb_rng(5);
    open_row(&s, 1e-3);
    for (int round = 0; round < ROUNDS; round++) {
        int told = 0, changes = 0, want = 0, differences = 0;
        double size = 0.4 + 0.02 * (round % 10); // [m] of the box they are in
        for (int i = 1; i <= BALLS; i++)
            s.bodies[i].X.r = v3(rb_rng_range(&rng, 0, 6 * size), rb_rng_range(&rng, 0, size),
                                 rb_rng_range(&rng, 0, size));
        ENSURE(
            rb_contacts_update(s.setup, &s.work, s.slots, s.bodies, count, mass, &told, &changes));
        memset(now, 0, sizeof now);
        for (int slot = 0, a, b; slot < s.setup->slot_count; slot++) {
            if (!rb_slot_pair(s.setup, s.slots, slot, &a, &b)) continue;
            ENSURE(a < b && !now[a][b]);
            now[a][b] = true;
        }
        for (int a = 0; a < BALLS; a++) {
            for (int b = a + 1; b < BALLS; b++) {
                double d = v3_distance(s.bodies[a + 1].X.r, s.bodies[b + 1].X.r) - D;
                want += d < 0;
                differences += now[a][b] != before[a][b];
                ENSURE(now[a][b] == (d < 0));
            }
        }
        ENSURE(changes == differences && told == changes);
        ENSURE(round > 0 || want > 0);
        memcpy(before, now, sizeof now);
    }
    fixture_close(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_of_many),
        cmocka_unit_test(slots_hold_what_overlaps),
        cmocka_unit_test(no_number_is_no_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
