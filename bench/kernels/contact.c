// SPDX-License-Identifier: MIT
// What one evaluation of a contact costs: over a patch, and at a point with the same two shapes in the same pose
// (RB_FACES_POINT, the published law); balls and ellipsoids for comparison. Steel on steel, 1e-6 m deep, moving; each evaluation
// is warm, from the one before at a place 1e-9 m away. CPU time, best of seven rounds.
//     bench_contact [evaluations [name]]
// Claim: a patch at most three times the point.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "contact/set.h"
#include "geom/shape.h"

enum { ROUNDS = 7 };

typedef struct Case {
    const char *name;
    RbShape shape;
    double height; // [m] of its centre over the plate when it touches
    Vec3 axis;     // about which it is turned
    double angle;  // [rad]
    double disc;   // [m] diameter of a round plate; 0: a square one of 1 m
} Case;

typedef struct Bench {
    RbHeap heap;
    RbArena arena;
    RbDiag diag;
    const Case *c;
    RbFaceLaw faces;
    RbShape shapes[2];
    RbCore cores[2];
    RbElement elements[2];
    RbMoving bodies[3];
    RbContactSetup *setup;
    double *slots;
    RbBristle *bristles;
    RbContactState *states;
    RbContactWork work;
} Bench;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool any(const void *user, int a, int b) {
    (void)user, (void)a, (void)b;
    return true;
}

static double mass(void *user, int a, int b, Vec3 point_W, Vec3 n_W) {
    (void)user, (void)a, (void)b, (void)point_W, (void)n_W;
    return 1;
}

static void ignore(void *user, const RbContactChange *change) {
    (void)user, (void)change;
}

static RbStatus build(void *argument) {
    Bench *b = argument;
    b->arena = rb_arena(&b->heap);
    b->diag = rb_diag(&b->arena);
    RbMaterials *materials = rb_new(&b->arena, RbMaterials);
    RB_TRY(rb_materials_parse(materials, "materials.json", rb_builtin_materials,
                              strlen(rb_builtin_materials), &b->arena, &b->diag));
    for (int i = 0; i < materials->pairs.count; i++) materials->pairs.data[i].law.faces = b->faces;
    b->shapes[0] =
        b->c->disc > 0 ? rb_shape_cylinder(3, b->c->disc, 0.1) : rb_shape_box(v3(1, 1, 0.1));
    b->shapes[1] = b->c->shape;
    for (int i = 0; i < 2; i++) {
        b->cores[i] = rb_shape_core(&b->shapes[i]);
        b->elements[i] = (RbElement){.side = {.object = "solid", .solid = "Steel"},
                                     .shape = &b->shapes[i],
                                     .core = &b->cores[i],
                                     .body = i + 1,
                                     .X_BS = POSE_IDENTITY,
                                     .reach = 1,
                                     .thickness = 0.1};
    }
    b->bodies[0].X = POSE_IDENTITY;
    b->bodies[1] = (RbMoving){{v3(0, 0, -0.05), M3_IDENTITY}, {V3_ZERO, V3_ZERO}};
    Mat3 R = b->c->angle != 0 ? m3_rotation(b->c->axis, b->c->angle) : M3_IDENTITY;
    b->bodies[2] = (RbMoving){{v3(0.1, 0.2, b->c->height - 1e-6), R},
                              {v3(0.01, 0.02, 0.03), v3(0.1, 0.05, -0.02)}};
    RB_TRY(rb_contact_setup(b->elements, 2, materials, rb_contact_options(), any, NULL, &b->arena,
                            &b->diag, &b->setup));
    b->work = rb_contact_work(b->setup, &b->arena);
    b->slots = rb_new_array(&b->arena, double, RB_SLOT_SIZE * b->setup->slot_count);
    b->states = rb_new_array(&b->arena, RbContactState, b->setup->slot_count);
    b->bristles = rb_new_array(&b->arena, RbBristle, b->setup->slot_count);
    int changes = 0;
    rb_contacts_update(b->setup, &b->work, b->slots, b->bodies, ignore, mass, NULL, &changes);
    return changes == 1 ? RB_OK : RB_ERROR_MODEL;
}

// [µs] of one evaluation; negative: they do not touch.
static double measure(const Case *c, RbFaceLaw faces, int count) {
    static Bench b;
    memset(&b, 0, sizeof b);
    b.heap = rb_heap(NULL);
    b.c = c, b.faces = faces;
    double best = INFINITY;
    bool ready = rb_protect(&b.heap, build, &b) == RB_OK;
    for (int round = 0; ready && round < ROUNDS; round++) {
        double start = seconds();
        for (int i = 0; i < count; i++) {
            Wrench forces[3] = {0};
            RbContactPowers powers = {0};

            b.bodies[2].X.r.x = 0.1 + 1e-9 * i;
            rb_contacts_evaluate(b.setup, b.slots, b.bristles, b.bodies, NULL, b.states, forces,
                                 &powers);
        }
        best = fmin(best, (seconds() - start) / count * 1e6);
    }
    rb_arena_free(&b.arena);
    return ready ? best : -1;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 20000;
    const char *only = argc > 2 ? argv[2] : NULL;
    const Vec3 x = v3(1, 0, 0), y = v3(0, 1, 0);
    const double tilt = 1e-6, quarter = 1.5707963267948966, eighth = 0.5 * quarter;
    const double r = 1e-3; // [m] edges are rounded by this
    // A box on its edge stands on a rounded one: the diagonal of the core, and the rounding.
    const double edge = (0.05 - r) * 1.4142135623730951 + r;
    const double rim = 2 * 0.22360679774997896; // [m] bodies stand at x = 0.1, y = 0.2
    double box = NAN;                           // on its face
    const Case cases[] = {
        {"ball", rb_shape_sphere(0.1), 0.05, x, 0},
        {"ellipsoid", rb_shape_ellipsoid(v3(0.1, 0.2, 0.3)), 0.15, x, 0},
        {"box on its face", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, 0},
        {"box, tilted by 1e-6", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, tilt},
        {"box on its edge", rb_shape_box(v3(0.1, 0.1, 0.1)), edge, x, eighth},
        {"cylinder on its end", rb_shape_cylinder(3, 0.1, 0.1), 0.05, x, 0},
        {"cylinder lying", rb_shape_cylinder(3, 0.1, 0.1), 0.05, y, quarter},
        {"capsule lying", rb_shape_capsule(3, 0.1, 0.2), 0.05, y, quarter},
        {"box on a disc", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, 0, 1},
        {"the same, tilted", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, tilt, 1},
        {"box over its rim", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, 0, rim},
        {"cylinder on a disc", rb_shape_cylinder(3, 0.1, 0.1), 0.05, x, 0, 1},
    };
    printf("%-22s %10s %10s %8s %8s\n", "steel plate and", "point [us]", "patch [us]", "ratio",
           "to a box");
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        if (only && strcmp(only, cases[i].name) != 0) continue;
        double point = measure(&cases[i], RB_FACES_POINT, count);
        double patch = measure(&cases[i], RB_FACES_PATCH, count);
        if (strcmp(cases[i].name, "box on its face") == 0) box = patch;
        printf("%-22s %10.3f %10.3f %8.2f %8.2f\n", cases[i].name, point, patch, patch / point,
               patch / box);
    }
    return 0;
}
