// SPDX-License-Identifier: MIT
// label: normal
// Forces and torques of meshes, and of round bodies on meshes, have no jump: along random paths that slide
// over edges, rock through parallel, go from corner to edge to face and in and out of slots. Each path is searched for its
// steepest place by bisection down to 1e-10 of the size. What changes there is compared with the largest force
// of the path: a jump stays, a slope of one over a millionth of the size is 1e-4. The long version is
// test_mesh_continuity_full; RB_PATHS sets the number.
#ifndef PATHS
#define PATHS REPEATS(300, 80)
#endif

#include "../collide/skins.h"

#include <stdlib.h>

#include "collide/mesh_distance.h"
#include "collide/round_overlap.h"
#include "collide/round_press.h"
#include "contact/volume_law.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

enum { SOLIDS = 5, ROUND = 2 };
static const Vec3 round_axes[ROUND] = {{0.3, 0.3, 0.3}, {0.2, 0.3, 0.45}};

typedef struct Store {
    Fixture f;
    RbSkin solids[SOLIDS];
    RbLayer layers[SOLIDS];
    RbMeshOverlap overlaps[SOLIDS][SOLIDS + ROUND], layered[SOLIDS][SOLIDS + ROUND];
} Store;

static RbMesh box(Fixture *f, Vec3 size, Vec3 centre) {
    RbMesh m = rb_mesh_box(size, &f->arena);
    return rb_mesh_map(&m, M3_IDENTITY, v3_axpy(centre, -0.5, size), &f->arena);
}

static RbMesh combined(Fixture *f, RbCsg what, RbMesh a, RbMesh b) {
    RbMesh out;
    ENSURE(rb_csg(what, &a, "a", &b, "b", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &out) ==
           RB_OK);
    return rb_mesh_simplify(&out, 1e-12, &f->arena, f->scratch);
}

// A cube, a slotted block, a cross, a disc, a ring.
static void open_store(Store *s) {
    fixture_open(&s->f);
    Fixture *f = &s->f;
    RbMesh cylinder = rb_mesh_cone(0.5, 0.5, 0.3, 16, &f->arena);
    s->solids[0] = skin_of(f, box(f, v3(1, 1, 1), V3_ZERO));
    s->solids[1] = skin_of(f, combined(f, RB_CSG_DIFFERENCE, box(f, v3(1.5, 1, 1), V3_ZERO),
                                       box(f, v3(0.6, 2, 1), v3(0, 0, 0.5))));
    s->solids[2] = skin_of(f, combined(f, RB_CSG_UNION, box(f, v3(1.2, 0.4, 0.4), V3_ZERO),
                                       box(f, v3(0.4, 1.2, 0.4), v3(0, 0, 0.1))));
    s->solids[3] = skin_of(f, cylinder);
    s->solids[4] = skin_of(f, rb_mesh_torus(0.5, 0.2, 12, &f->arena));
    for (int a = 0; a < SOLIDS; a++)
        ENSURE(rb_layer(&s->solids[a], "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                        &s->layers[a]) == RB_OK);
    for (int a = 0; a < SOLIDS; a++) {
        for (int b = 0; b < SOLIDS; b++) {
            rb_mesh_overlap_open(&s->overlaps[a][b], &s->solids[a], &s->solids[b], &f->arena);
            rb_mesh_overlap_open(&s->layered[a][b], &s->solids[a], &s->solids[b], &f->arena);
            rb_mesh_overlap_layers(&s->layered[a][b], &s->layers[a], &s->layers[b]);
        }
        for (int b = SOLIDS; b < SOLIDS + ROUND; b++) {
            Vec3 semi = round_axes[b - SOLIDS];
            rb_round_overlap_open(&s->overlaps[a][b], &s->solids[a], semi, &f->arena);
            rb_round_overlap_open(&s->layered[a][b], &s->solids[a], semi, &f->arena);
            RbFlatFaces flat = rb_flat_faces(&s->solids[a], &f->arena, f->scratch);
            rb_round_press_open(&s->layered[a][b], &flat);
        }
    }
}

typedef struct Path {
    RbMeshOverlap *overlap;
    RbVolumeLaw law;
    Pose start;
    Vec3 pivot, axis, slide;
    double turn;
    bool parallel;
    RbVolumeMotion motion;
} Path;

static Pose pose_on(const Path *p, double t) {
    Mat3 R = m3_rotation(p->axis, t * p->turn);
    Vec3 r = v3_add(p->pivot, m3_mul_vec(R, v3_sub(p->start.r, p->pivot)));
    return (Pose){v3_axpy(r, t, p->slide), m3_mul(R, p->start.R)};
}

typedef struct Sample {
    Vec3 force, torque;
    double elastic; // [N] without losses, as scalars
    int regions;
    bool deep; // beyond what a run accepts
} Sample;

static Sample sample(const Path *p, double t) {
    Sample s = {0};
    rb_mesh_overlap(p->overlap, pose_on(p, t));
    RbVolumeState state = rb_volume_state(&p->law, p->overlap, &p->motion);
    for (int i = 0; i < p->overlap->regions.count; i++) {
        RbVolumeForce f = rb_volume_force(&state, i);
        s.force = v3_add(s.force, f.force);
        s.torque = v3_add(s.torque, f.torque);
    }
    s.elastic = state.normal;
    s.regions = p->overlap->regions.count;
    s.deep = p->overlap->volume > 0.05 * p->overlap->area;
    return s;
}

// Sizes are about 1 m: newtons and newton metres go together.
static double change(const Sample *a, const Sample *b) {
    return v3_distance(a->force, b->force) + v3_distance(a->torque, b->torque);
}

static double size_of(const Sample *s) {
    return v3_norm(s->force) + v3_norm(s->torque) + s->elastic;
}

typedef struct Steepest {
    double change;
    bool merges; // the number of regions changes there
} Steepest;

// The steepest step in an interval, and the largest force on the way.
static Steepest steepest(const Path *p, double t0, double t1, double *largest) {
    Sample a = sample(p, t0), b = sample(p, t1);
    while (t1 - t0 > 1e-10) {
        double t = 0.5 * (t0 + t1);
        Sample s = sample(p, t);
        if (a.deep || b.deep || s.deep) return (Steepest){0, false};
        *largest = fmax(*largest, fmax(size_of(&a), size_of(&b)));
        if (change(&a, &s) >= change(&s, &b))
            t1 = t, b = s;
        else
            t0 = t, a = s;
    }
    return (Steepest){change(&a, &b), a.regions != b.regions};
}

// Where the two begin to touch on a straight way towards A, somewhat aside of its middle.
static bool find_start(Path *p, RbRng *rng) {
    Vec3 d = rb_rng_direction(rng),
         aside = v3_scale(rb_rng_range(rng, 0, 0.5), rb_rng_direction(rng));
    bool parallel = p->parallel = rb_rng_int(rng, 3) == 0;
    if (parallel) d = v3_axis(rb_rng_int(rng, 3));
    Mat3 R = parallel ? M3_IDENTITY : q_matrix(rb_rng_orientation(rng));
    double out = 3, in = 0;
    for (int i = 0; i <= 60; i++) { // from outside
        out = 3 - 0.05 * i;
        rb_mesh_overlap(p->overlap, (Pose){v3_axpy(aside, out, d), R});
        if (p->overlap->volume > 0) break;
        in = out;
    }
    if (!(p->overlap->volume > 0)) return false;
    for (int i = 0; i < 40; i++) {
        double x = 0.5 * (in + out);
        rb_mesh_overlap(p->overlap, (Pose){v3_axpy(aside, x, d), R});
        *(p->overlap->volume > 0 ? &out : &in) = x;
    }
    double depth = pow(10, rb_rng_range(rng, -4, -1.5));
    p->start = (Pose){v3_axpy(aside, out - depth, d), R};
    rb_mesh_overlap(p->overlap, p->start);
    if (p->overlap->regions.count == 0) return false;
    p->pivot = p->overlap->regions.data[0].centroid;
    Vec3 n = v3_unit_or(p->overlap->regions.data[0].area_a, d),
         across = v3_cross(n, rb_rng_direction(rng));
    p->axis = v3_unit(rb_rng_int(rng, 2) ? across : v3_axpy(across, 0.3, n));
    p->turn = rb_rng_int(rng, 3) ? rb_rng_range(rng, 0, 0.2) : 0;
    p->slide = v3_axpy(v3_scale(rb_rng_range(rng, 0, 1), v3_cross(n, rb_rng_direction(rng))),
                       0.02 * rb_rng_range(rng, -1, 1), n);
    if (p->turn == 0 || rb_rng_int(rng, 2)) return true;
    p->slide = V3_ZERO;
    return true;
}

static void choose_law(Path *p, RbRng *rng) {
    p->law = rb_volume_law();
    p->law.length = 1;
    p->law.form = rb_rng_int(rng, 2) ? RB_VOLUME_AREA : RB_VOLUME_POTENTIAL;
    p->law.sticks = rb_rng_int(rng, 2);
    p->law.restitution = rb_rng_int(rng, 2) ? 1 : 0.5;
    if (rb_rng_int(rng, 3) == 0) p->law.mu_static = p->law.mu_kinetic = 0;
    rb_volume_law_prepare(&p->law);
    p->motion = (RbVolumeMotion){.v = v3_scale(0.3, rb_rng_direction(rng)),
                                 .w = v3_scale(0.3, rb_rng_direction(rng)),
                                 .slide = v3_scale(1e-5, rb_rng_direction(rng)),
                                 .twist = v3_scale(1e-5, rb_rng_direction(rng)),
                                 .mass = 1};
}

// ORDER names
enum { LAYER, POTENTIAL, AREA, AREA_ROUND, AREA_MERGES, PARALLEL, KINDS };

static int kind_of(const Path *p, const Steepest *found) {
    if (p->law.form == RB_VOLUME_BEDDING) return LAYER;
    if (p->parallel && !rb_overlap_is_round(p->overlap)) return PARALLEL;
    if (p->law.form == RB_VOLUME_POTENTIAL) return POTENTIAL;
    if (rb_overlap_is_round(p->overlap)) return AREA_ROUND;
    return found->merges ? AREA_MERGES : AREA;
}

// None of layers, in any pose, and none in general. The points at which a round body presses by the area form are others when a
// further side comes into it: what a rule for smooth functions is off by, for patches of up to a third of the size. Where regions merge
// the area form turns their forces into one direction; and where faces of meshes become flush the volume itself has a kink.
static const char *const names[] = {"layer",
                                    "potential",
                                    "area",
                                    "area, round bodies",
                                    "area, where regions merge",
                                    "potential and area, parallel faces"};
static const double bounds[] = {1e-4, 1e-4, 1e-4, 1e-3, 0.1, 0.5};

typedef struct Found {
    int met[KINDS];
    double worst[KINDS];
} Found;

static void follow(const Path *p, int number, Found *out) {
    enum { PIECES = 9 };
    double largest = 0;
    Steepest most = {0, false};
    for (int k = 0; k < PIECES; k++) {
        double from = 2.0 * k / PIECES - 1, to = 2.0 * (k + 1) / PIECES - 1;
        Steepest found = steepest(p, from, to, &largest);
        if (found.change > most.change) most = found;
    }
    int kind = kind_of(p, &most);
    double ratio = largest > 0 ? most.change / largest : 0;
    if (ratio > bounds[kind]) print_error("path %d, %s: %g\n", number, names[kind], ratio);
    out->worst[kind] = fmax(out->worst[kind], ratio);
    out->met[kind]++;
}

static void no_jumps(void **state) {
    (void)state;
    static Store s;
    open_store(&s);
    const char *given = getenv("RB_PATHS");
    int paths = given ? atoi(given) : PATHS;
    Found found = {0};
    for (int i = 0; i < paths; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        int a = (int)rb_rng_int(&rng, SOLIDS), b = (int)rb_rng_int(&rng, SOLIDS + ROUND);
        Path p = {.overlap = &s.overlaps[a][b]};
        choose_law(&p, &rng);
        if (!find_start(&p, &rng)) continue;
        follow(&p, i, &found);
        p.overlap = &s.layered[a][b];
        p.law.form = RB_VOLUME_BEDDING;
        follow(&p, i, &found);
    }
    for (int k = 0; k < KINDS; k++) {
        print_message("%s: %d paths, largest change in a step of 1e-10: %.2g\n", names[k],
                      found.met[k], found.worst[k]);
        ENSURE(found.worst[k] < bounds[k]);
    }
    fixture_close(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_jumps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
