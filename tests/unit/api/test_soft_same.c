// SPDX-License-Identifier: MIT
// The same scene of soft bodies at another place, turned with its gravity, or declared in another order moves in the same way: with spheres, surfaces and edges.
#include "testing.h"

#include "math/mat3.h"
#include "math/quat.h"
#include "math/rng.h"
#include "rattleback/rattleback.h"

typedef struct Variant {
    const char *name;
    Vec3 shift;    // [m]
    Quat turn;     // of everything, about the origin
    bool shuffled; // molecules of each object
    bool swapped;  // objects
} Variant;

typedef struct Places {
    Vec3 r[64];
    int count;
} Places;

// A layer that carries, 7 by 7 without two of its edges: where a body is symmetric, edges of its triangles are not, and which of its sides has which is open.
static Places plate(void) {
    Places p = {0};
    for (int i = 0; i < 49; i++) {
        int x = i / 7, z = i % 7;
        if ((x == 6 && z > 3) || (z == 0 && x > 4)) continue;
        p.r[p.count++] = v3(0.01 * (x - 3), 0, 0.01 * (z - 3));
    }
    return p;
}

// A block that has no symmetry: one molecule in each direction is missing more than in the others.
static Places block(void) {
    Places p = {0};
    for (int i = 0; i < 36; i++) {
        int x = i / 9, y = i / 3 % 3, z = i % 3;
        if (x > 1 && y > 1) continue;
        if (x == 0 && z == 2) continue;
        p.r[p.count++] = v3(0.01 * x - 0.012, 0.01 * y + 0.0195, 0.01 * z - 0.0083);
    }
    return p;
}

static void shuffle(Places *p, uint64_t seed) {
    RbRng rng = rb_rng(seed);
    for (int i = p->count - 1; i > 0; i--) {
        int k = (int)(rb_rng_unit(&rng) * (i + 1));
        Vec3 swap = p->r[i];
        p->r[i] = p->r[k], p->r[k] = swap;
    }
}

static void add(RbSoft *soft, const Variant *v, const char *name, Places p, int material) {
    bool fixed = name[0] == 'p';
    if (v->shuffled) shuffle(&p, 7);
    ENSURE(rb_soft_add_object(soft, name) == RB_OK);
    for (int i = 0; i < p.count; i++) {
        RbSoftMolecule m = {
            .radius = 0.0075, .friction = 0.3, .material = material, .fixed = fixed};
        v3_store(m.position, v3_add(v->shift, q_rotate(v->turn, p.r[i])));
        ENSURE(rb_soft_add_molecule(soft, &m) == RB_OK);
    }
}

typedef struct Seen {
    Vec3 r;           // [m] of the block at the end, in the scene as it was
    double force;     // [N] its largest
    double triangles; // of the block
} Seen;

static double value(RbRun *run, const char *name) {
    double v;
    ENSURE(rb_run_get_named(run, name, &v) == RB_OK);
    return v;
}

static Vec3 vector(RbRun *run, const char *name) {
    double v[3];
    for (int k = 0; k < 3; k++) {
        char full[64];
        snprintf(full, sizeof full, "%s[%d]", name, k + 1);
        v[k] = value(run, full);
    }
    return v3_load(v);
}

static Seen run_variant(const Variant *v, int detection) {
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft;
    RbModel *model;
    RbRun *run;
    RbStopped stopped;
    int gel;
    Seen seen = {0};
    ENSURE(rb_soft_create(c, "same", &soft) == RB_OK);
    RbSoftSettings settings = rb_soft_settings_default();
    v3_store(settings.gravity, q_rotate(v->turn, v3(0, -9.81, 0)));
    settings.surfaces = detection == 1, settings.edges = detection == 2;
    ENSURE(rb_soft_set(soft, &settings) == RB_OK);
    RbSoftMaterial material = rb_soft_material_default();
    material.youngs_modulus = 2e4, material.damping = 0.3;
    ENSURE(rb_soft_add_material(soft, &material, &gel) == RB_OK);
    if (v->swapped) add(soft, v, "block", block(), gel);
    add(soft, v, "plate", plate(), gel);
    if (!v->swapped) add(soft, v, "block", block(), gel);
    ENSURE(rb_soft_model(soft, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.tolerance = 1e-8, options.stop_time = 1;
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    for (int i = 1; i <= 60; i++) {
        ENSURE(rb_run_step(run, RB_UNTIL_TIME, 1e-3 * i, &stopped) == RB_OK);
        seen.force = fmax(seen.force, v3_norm(vector(run, "block.contact_force")));
    }
    seen.r = q_rotate(q_conj(v->turn), v3_sub(vector(run, "block.r"), v->shift));
    seen.triangles = value(run, "block.triangles");
    rb_context_free(c);
    return seen;
}

static void ensure_same(int detection) {
    const Quat turned = q_unit((Quat){0.3, 0.5, -0.2, 0.7});
    const Variant variants[] = {
        {"as it is", V3_ZERO, Q_IDENTITY, false, false},
        {"shifted", {0.1234, 0.0567, -0.0891}, Q_IDENTITY, false, false},
        {"far away", {12.34, 5.67, -8.91}, Q_IDENTITY, false, false},
        {"molecules in another order", V3_ZERO, Q_IDENTITY, true, false},
        {"objects in another order", V3_ZERO, Q_IDENTITY, false, true},
        {"turned", V3_ZERO, turned, false, false},
        {"all of it", {-0.3, 0.2, 0.1}, turned, true, true},
    };
    Seen first = run_variant(&variants[0], detection);
    ENSURE(first.force > 0.1); // it has touched
    for (int i = 1; i < (int)(sizeof variants / sizeof *variants); i++) {
        Seen seen = run_variant(&variants[i], detection);
        print_message("%d, %s: force %+.1e, place %.1e m\n", detection, variants[i].name,
                      seen.force / first.force - 1, v3_distance(seen.r, first.r));
        ENSURE(seen.triangles == first.triangles);
        ENSURE_NEAR(seen.force, first.force, 1e-4 * first.force);
        ENSURE(v3_distance(seen.r, first.r) < 1e-6);
    }
}

static void spheres(void **state) {
    (void)state;
    ensure_same(0);
}

static void surfaces(void **state) {
    (void)state;
    ensure_same(1);
}

static void edges(void **state) {
    (void)state;
    ensure_same(2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(surfaces),
        cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
