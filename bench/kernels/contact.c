// SPDX-License-Identifier: MIT
// What one evaluation of a contact costs: over a patch, and at a point with the same two shapes in the same pose
// (RB_FACES_POINT, the published law); balls and ellipsoids for comparison. Steel on steel, 1e-6 m deep, moving; each evaluation
// is warm, from the one before at a place 1e-9 m away. CPU time, best of seven rounds.
//     bench_contact [evaluations [name]]
//     bench_contact random [poses [depth]]   each two kinds of shapes, turned anyhow: means over the poses
//     bench_contact rims [places]            boxes and prisms that lie on ends and hang over their rims: means over the places
// Claim: a patch at most three times the point.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "contact/set.h"
#include "geom/shape.h"
#include "math/rng.h"

enum { ROUNDS = 7 };

typedef struct Case {
    const char *name;
    RbShape shapes[2];
    Pose X[2];
} Case;

// Where a body stands on a plate.
typedef struct Standing {
    const char *name;
    RbShape shape;
    double height; // [m] of its centre over the plate when it touches; 0: as the distance says
    Vec3 axis;     // about which it is turned
    double angle;  // [rad]
    double disc;   // [m] diameter of a round plate; 0: a square one of 1 m
} Standing;

static Case case_of(const Standing *s) {
    RbShape plate = s->disc > 0 ? rb_shape_cylinder(3, s->disc, 0.1) : rb_shape_box(v3(1, 1, 0.1));
    Mat3 R = s->angle != 0 ? m3_rotation(s->axis, s->angle) : M3_IDENTITY;
    Case c = {s->name,
              {plate, s->shape},
              {{v3(0, 0, -0.05), M3_IDENTITY}, {v3(0.1, 0.2, s->height - 1e-6), R}}};
    if (s->height > 0) return c;
    const RbCore core[2] = {rb_shape_core(&c.shapes[0]), rb_shape_core(&c.shapes[1])};
    RbGap gap;
    c.X[1].r.z = 1;
    rb_distance(&core[0], &core[1], pose_relative(c.X[0], c.X[1]), NULL, &gap);
    c.X[1].r.z -= gap.distance + 1e-6;
    return c;
}

typedef struct Bench {
    RbHeap heap;
    RbArena arena;
    RbDiag diag;
    const Case *c;
    RbFaceLaw faces;
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
    for (int i = 0; i < 2; i++) {
        b->cores[i] = rb_shape_core(&b->c->shapes[i]);
        b->elements[i] = (RbElement){.side = {.object = "solid", .solid = "Steel"},
                                     .shape = &b->c->shapes[i],
                                     .core = &b->cores[i],
                                     .body = i + 1,
                                     .X_BS = POSE_IDENTITY,
                                     .reach = 1,
                                     .thickness = 0.1};
    }
    b->bodies[0].X = POSE_IDENTITY;
    b->bodies[1] = (RbMoving){b->c->X[0], {V3_ZERO, V3_ZERO}};
    b->bodies[2] = (RbMoving){b->c->X[1], {v3(0.01, 0.02, 0.03), v3(0.1, 0.05, -0.02)}};
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
static double measure(const Case *c, RbFaceLaw faces, int rounds, int count) {
    static Bench b;
    memset(&b, 0, sizeof b);
    b.heap = rb_heap(NULL);
    b.c = c, b.faces = faces;
    double best = INFINITY;
    bool ready = rb_protect(&b.heap, build, &b) == RB_OK;
    for (int round = 0; ready && round < rounds; round++) {
        double start = seconds();
        for (int i = 0; i < count; i++) {
            Wrench forces[3] = {0};
            RbContactPowers powers = {0};

            b.bodies[2].X.r.x = c->X[1].r.x + 1e-9 * i;
            rb_contacts_evaluate(b.setup, b.slots, b.bristles, b.bodies, NULL, b.states, forces,
                                 &powers);
        }
        best = fmin(best, (seconds() - start) / count * 1e6);
    }
    rb_arena_free(&b.arena);
    return ready ? best : -1;
}

// ---- bodies that stand on a plate

static void print_head(const char *what) {
    printf("%-22s %10s %10s %8s %8s\n", what, "point [us]", "patch [us]", "ratio", "to a box");
}

static int standing(int count, const char *only) {
    const Vec3 x = v3(1, 0, 0), y = v3(0, 1, 0);
    const double tilt = 1e-6, quarter = 1.5707963267948966, eighth = 0.5 * quarter;
    const double r = 1e-3; // [m] edges are rounded by this
    // A box on its edge stands on a rounded one: the diagonal of the core, and the rounding.
    const double edge = (0.05 - r) * 1.4142135623730951 + r;
    const double rim = 2 * 0.22360679774997896; // [m] bodies stand at x = 0.1, y = 0.2
    double box = NAN;                           // on its face
    const Standing cases[] = {
        {"ball", rb_shape_sphere(0.1), 0.05, x, 0},
        {"ellipsoid", rb_shape_ellipsoid(v3(0.1, 0.2, 0.3)), 0.15, x, 0},
        {"box on its face", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, 0},
        {"box, tilted by 1e-6", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, tilt},
        {"box on its edge", rb_shape_box(v3(0.1, 0.1, 0.1)), edge, x, eighth},
        {"cylinder on its end", rb_shape_cylinder(3, 0.1, 0.1), 0.05, x, 0},
        {"cylinder lying", rb_shape_cylinder(3, 0.1, 0.1), 0.05, y, quarter},
        {"cylinder on its rim", rb_shape_cylinder(3, 0.1, 0.1), 0, x, 0.4},
        {"cone lying", rb_shape_cone(3, 0.1, 0.1, 0), 0, y, quarter + 0.4636476090008061},
        {"frustum lying", rb_shape_cone(3, 0.1, 0.1, 0.05), 0, y, quarter + 0.24497866312686414},
        {"beam on its side", rb_shape_beam(3, 0.1, 0.05, 0.06), 0, x, quarter},
        {"capsule lying", rb_shape_capsule(3, 0.1, 0.2), 0.05, y, quarter},
        {"box on a disc", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, 0, 1},
        {"the same, tilted", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, tilt, 1},
        {"box over its rim", rb_shape_box(v3(0.1, 0.1, 0.1)), 0.05, x, 0, rim},
        {"cylinder on a disc", rb_shape_cylinder(3, 0.1, 0.1), 0.05, x, 0, 1},
    };
    print_head("steel plate and");
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        Case c = case_of(&cases[i]);
        if (only && strcmp(only, c.name) != 0) continue;
        double point = measure(&c, RB_FACES_POINT, ROUNDS, count);
        double patch = measure(&c, RB_FACES_PATCH, ROUNDS, count);
        if (strcmp(c.name, "box on its face") == 0) box = patch;
        printf("%-22s %10.3f %10.3f %8.2f %8.2f\n", c.name, point, patch, patch / point,
               patch / box);
    }
    return 0;
}

// ---- each two kinds of shapes, anyhow

enum { KINDS = 7 };

typedef struct Shapes {
    RbHeap heap;
    RbArena arena, scratch;
    RbDiag diag;
    RbShape shape[KINDS];
} Shapes;

static const char *const kinds[KINDS] = {"box",  "hull of 8", "hull of 64", "cylinder",
                                         "cone", "beam",      "capsule"};

static RbStatus add_hull(Shapes *s, int points, RbShape *out) {
    RbRng rng = rb_rng(5);
    Vec3 at[64];
    for (int i = 0; i < points; i++) at[i] = v3_scale(0.05, rb_rng_direction(&rng));
    RB_TRY(rb_shape_hull(at, points, 0, "hull", (RbPos){0}, &s->arena, s->scratch, &s->diag, out));
    return rb_shape_round(out, &s->arena, s->scratch);
}

static RbStatus make_shapes(void *argument) {
    Shapes *s = argument;
    s->arena = rb_arena(&s->heap), s->scratch = rb_arena(&s->heap);
    s->diag = rb_diag(&s->arena);
    s->shape[0] = rb_shape_box(v3(0.1, 0.08, 0.06));
    s->shape[3] = rb_shape_cylinder(3, 0.1, 0.08);
    s->shape[4] = rb_shape_cone(3, 0.1, 0.08, 0.04);
    s->shape[5] = rb_shape_beam(3, 0.1, 0.05, 0.06);
    s->shape[6] = rb_shape_capsule(3, 0.05, 0.1);
    RB_TRY(add_hull(s, 8, &s->shape[1]));
    return add_hull(s, 64, &s->shape[2]);
}

// B is turned anyhow and moved along the normal until it is so deep.
static Case random_case(const RbShape *a, const RbShape *b, double depth, RbRng *rng) {
    Case c = {"", {*a, *b}, {POSE_IDENTITY, POSE_IDENTITY}};
    const RbCore core[2] = {rb_shape_core(a), rb_shape_core(b)};
    c.X[0] = pose(V3_ZERO, rb_rng_orientation(rng));
    c.X[1] = pose(v3_scale(0.3, rb_rng_direction(rng)), rb_rng_orientation(rng));
    for (int i = 0; i < 200; i++) {
        RbGap gap;
        rb_distance(&core[0], &core[1], pose_relative(c.X[0], c.X[1]), NULL, &gap);
        double off = gap.distance + depth;
        if (fabs(off) < 1e-3 * depth) break;
        Vec3 n = m3_mul_vec(c.X[0].R, gap.normal);
        // to the middle first, so that bodies meet anyhow
        Vec3 way = off > 1e-3 ? v3_unit(v3_sub(c.X[0].r, c.X[1].r)) : v3_neg(n);
        c.X[1].r = v3_axpy(c.X[1].r, off, way);
    }
    return c;
}

static int anyhow(int poses, double depth) {
    static Shapes s;
    s.heap = rb_heap(NULL);
    RbStatus made = rb_protect(&s.heap, make_shapes, &s);
    RbRng rng = rb_rng(1);
    printf("%-24s %10s %10s %8s %8s\n", "", "point [us]", "patch [us]", "ratio", "largest");
    for (int i = 0; made == RB_OK && i < KINDS * KINDS; i++) {
        double point = 0, patch = 0, largest = 0;
        int a = i / KINDS, b = i % KINDS, counted = 0;
        for (int k = 0; k < poses && a <= b; k++) {
            Case c = random_case(&s.shape[a], &s.shape[b], depth, &rng);
            double at = measure(&c, RB_FACES_POINT, 2, 50),
                   over = measure(&c, RB_FACES_PATCH, 2, 50);
            if (!(at > 0 && over > 0)) continue;
            point += at, patch += over, largest = fmax(largest, over / at), counted++;
        }
        if (counted > 0)
            printf("%10s, %-12s %10.2f %10.2f %8.2f %8.2f\n", kinds[a], kinds[b], point / counted,
                   patch / counted, patch / point, largest);
    }
    rb_arena_free(&s.scratch), rb_arena_free(&s.arena);
    return made != RB_OK;
}

// ---- over rims

static RbStatus make_prism(void *argument) {
    Shapes *s = argument;
    s->arena = rb_arena(&s->heap), s->scratch = rb_arena(&s->heap);
    s->diag = rb_diag(&s->arena);
    Vec3 at[12];
    for (int i = 0; i < 12; i++)
        at[i] = v3(0.05 * cos(1.0471975511965976 * i), 0.05 * sin(1.0471975511965976 * i),
                   i < 6 ? -0.05 : 0.05);
    RB_TRY(rb_shape_hull(at, 12, 0, "prism", (RbPos){0}, &s->arena, s->scratch, &s->diag,
                         &s->shape[1]));
    return rb_shape_round(&s->shape[1], &s->arena, s->scratch);
}

// The middle of B lies within 4 cm of the rim, or of the outline of a beam.
static Case rim_case(const RbShape *a, const RbShape *b, double straight, double wide, double tilt,
                     RbRng *rng) {
    const Vec3 z = v3(0, 0, 1);
    double turn = rb_rng_range(rng, 0, 6.283185307179586),
           far = wide + rb_rng_range(rng, -0.04, 0.04);
    double x = copysign(rb_rng_range(rng, 0, straight), cos(turn)) + far * cos(turn);
    Mat3 R = m3_rotation(z, rb_rng_range(rng, 0, 6.283185307179586));
    Vec3 lean = v3(cos(turn), sin(turn), 0);
    if (tilt > 0) R = m3_mul(m3_rotation(lean, tilt), R);
    Case c = {"", {*a, *b}, {POSE_IDENTITY, {v3(x, far * sin(turn), 0.2), R}}};
    const RbCore core[2] = {rb_shape_core(a), rb_shape_core(b)};
    RbGap gap;
    rb_distance(&core[0], &core[1], pose_relative(c.X[0], c.X[1]), NULL, &gap);
    c.X[1].r.z -= gap.distance + 1e-6;
    return c;
}

static int rims(int places) {
    static const char *const ends[] = {"cylinder", "frustum, wide", "frustum, narrow", "beam"};
    const RbShape round[] = {rb_shape_cylinder(3, 0.4, 0.1), rb_shape_cone(3, 0.2, 0.1, 0.4),
                             rb_shape_cone(3, 0.6, 0.1, 0.4), rb_shape_beam(1, 0.2, 0.2, 0.1)};
    const double tilts[] = {0, 1e-6, 1e-4};
    static Shapes s;
    s.heap = rb_heap(NULL);
    RbStatus made = rb_protect(&s.heap, make_prism, &s);
    s.shape[0] = rb_shape_box(v3(0.1, 0.1, 0.1));
    RbRng rng = rb_rng(1);
    printf("%-36s %10s %10s %8s %8s\n", "", "point [us]", "patch [us]", "ratio", "largest");
    for (int i = 0; made == RB_OK && i < 24; i++) {
        int a = i / 6, b = i / 3 % 2, counted = 0;
        double point = 0, patch = 0, largest = 0, straight = a == 3 ? 0.1 : 0,
               wide = a == 3 ? 0.1 : 0.2;
        for (int k = 0; k < places; k++) {
            Case c = rim_case(&round[a], &s.shape[b], straight, wide, tilts[i % 3], &rng);
            double at = measure(&c, RB_FACES_POINT, 3, 50),
                   over = measure(&c, RB_FACES_PATCH, 3, 50);
            if (!(at > 0 && over > 0)) continue;
            point += at, patch += over, largest = fmax(largest, over / at), counted++;
        }
        printf("%15s, %5s, tilted by %-5g %10.2f %10.2f %8.2f %8.2f\n", ends[a],
               b ? "prism" : "box", tilts[i % 3], point / counted, patch / counted, patch / point,
               largest);
    }
    rb_arena_free(&s.scratch), rb_arena_free(&s.arena);
    return made != RB_OK;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "rims") == 0) return rims(argc > 2 ? atoi(argv[2]) : 40);
    if (argc > 1 && strcmp(argv[1], "random") == 0)
        return anyhow(argc > 2 ? atoi(argv[2]) : 100, argc > 3 ? atof(argv[3]) : 1e-6);
    return standing(argc > 1 ? atoi(argv[1]) : 20000, argc > 2 ? argv[2] : NULL);
}
