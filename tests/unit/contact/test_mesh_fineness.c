// SPDX-License-Identifier: MIT
// label: fast
// How a plane face is divided into triangles says nothing about the solid: forces and torques of a block on a bucket, another block and a slab
// are the same with meshes of more than four times as many triangles, in random poses. And a face that lies exactly in the surface of another solid
// does not press.
#include "testing.h"

#include "collide/mesh_distance.h"
#include "contact/volume_law.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

enum { SOLIDS = 3, POSES = 150 };

// The same solids as few triangles and as many.
typedef struct Store {
    Fixture f;
    RbSkin solids[2][SOLIDS];
    RbLayer layers[2][SOLIDS];
    RbMeshOverlap layered[2][SOLIDS], plain[2][SOLIDS]; // with the block, which is the first
} Store;

static RbMesh box(Fixture *f, Vec3 low, Vec3 size) {
    RbMesh m = rb_mesh_box(size, &f->arena);
    return rb_mesh_map(&m, M3_IDENTITY, low, &f->arena);
}

// Floor, back and two sides, the lip drawn out to a wedge.
static RbMesh bucket(Fixture *f) {
    RbMesh outer = box(f, v3(-0.4, -0.2, 0), v3(0.4, 0.4, 0.3)), out;
    RbMesh inner = box(f, v3(-0.37, -0.17, 0.03), v3(0.6, 0.34, 0.6));
    RbMesh lip = box(f, V3_ZERO, v3(0.5, 0.6, 0.4));
    lip = rb_mesh_map(&lip, m3_rotation(v3(0, 1, 0), 0.25), v3(-0.12, -0.3, 0.03), &f->arena);
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &outer, "a", &inner, "b", RB_NOWHERE, &f->arena, f->scratch,
                  &f->diag, &out) == RB_OK);
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &out, "a", &lip, "b", RB_NOWHERE, &f->arena, f->scratch,
                  &f->diag, &out) == RB_OK);
    return rb_mesh_simplify(&out, 1e-12, &f->arena, f->scratch);
}

static void add_solid(Store *s, int fine, int number, RbMesh mesh) {
    Fixture *f = &s->f;
    RbMesh *kept = rb_new(&f->arena, RbMesh);
    *kept = mesh;
    if (fine) ENSURE(rb_mesh_refine(&mesh, 0.06, 100000, &f->arena, f->scratch, kept));
    RbSkin *skin = &s->solids[fine][number];
    ENSURE(rb_skin(kept, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag, skin) == RB_OK);
    ENSURE(rb_layer(skin, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                    &s->layers[fine][number]) == RB_OK);
}

static void open_store(Store *s) {
    fixture_open(&s->f);
    for (int fine = 0; fine < 2; fine++) {
        add_solid(s, fine, 0, box(&s->f, v3(-0.08, -0.07, -0.06), v3(0.16, 0.14, 0.12)));
        add_solid(s, fine, 1, bucket(&s->f));
        add_solid(s, fine, 2, box(&s->f, v3(-0.4, -0.4, -0.2), v3(0.8, 0.8, 0.2)));
        for (int i = 0; i < SOLIDS; i++) {
            const RbSkin *a = &s->solids[fine][i], *b = &s->solids[fine][0];
            rb_mesh_overlap_open(&s->plain[fine][i], a, b, &s->f.arena);
            rb_mesh_overlap_open(&s->layered[fine][i], a, b, &s->f.arena);
            rb_mesh_overlap_layers(&s->layered[fine][i], &s->layers[fine][i], &s->layers[fine][0]);
        }
    }
    for (int i = 0; i < SOLIDS; i++) {
        ENSURE(s->solids[1][i].mesh.triangle_count > 4 * s->solids[0][i].mesh.triangle_count);
        ENSURE_NEAR(s->layers[1][i].thickness, s->layers[0][i].thickness,
                    1e-9 * s->layers[0][i].thickness);
    }
}

// The block anyhow, up to 3 mm deep in the other one; every third time with a face along the axes of the other.
static Pose random_pose(const Store *s, int other, RbRng *rng) {
    const RbSkin *a = &s->solids[0][other], *b = &s->solids[0][0];
    Quat q = rb_rng_orientation(rng);
    if (rb_rng_int(rng, 3) == 0) q = Q_IDENTITY;
    Vec3 way = rb_rng_direction(rng);
    Vec3 aim = v3(rb_rng_range(rng, -0.4, 0), rb_rng_range(rng, -0.2, 0.2), 0);
    Pose X = {v3_axpy(aim, -2, way), q_matrix(q)};
    for (int i = 0; i < 200; i++) {
        double gap = rb_mesh_distance(a, b, X, 10, NULL).distance;
        X.r = v3_axpy(X.r, gap, way);
        if (gap < 1e-9) break;
    }
    X.r = v3_axpy(X.r, rb_rng_range(rng, 1e-4, 3e-3), way);
    return X;
}

typedef struct Sample {
    Vec3 force, torque;
    double size; // [N]
} Sample;

static Sample sample(RbMeshOverlap *o, Pose X, const RbVolumeLaw *law, const RbVolumeMotion *m) {
    Sample out = {0};
    rb_mesh_overlap(o, X);
    RbVolumeState state = rb_volume_state(law, o, m);
    for (int i = 0; i < o->regions.count; i++) {
        RbVolumeForce f = rb_volume_force(&state, i);
        out.force = v3_add(out.force, f.force);
        out.torque = v3_add(out.torque, f.torque);
    }
    out.size = state.normal;
    return out;
}

// Friction and damping of a bedding are those of its faces, also where slip and approach differ from place to place; of the other
// forms they are taken at points of each polygon, so that only what is the same everywhere is exact.
enum { ELASTIC, SLIDING, STICKING, DAMPED, SPINNING, KINDS };

static RbVolumeLaw law_of(RbVolumeForm form, int kind) {
    RbVolumeLaw law = rb_volume_law();
    law.form = form;
    law.length = 0.1;
    law.sticks = kind == STICKING;
    law.restitution = kind == DAMPED ? 0.5 : 1;
    if (kind == ELASTIC || kind == DAMPED) law.mu_static = law.mu_kinetic = 0;
    rb_volume_law_prepare(&law);
    return law;
}

static double difference(Store *s, int other, Pose X, RbVolumeForm form, int kind, RbRng rng) {
    RbMeshOverlap *o[2];
    for (int fine = 0; fine < 2; fine++)
        o[fine] = form == RB_VOLUME_BEDDING ? &s->layered[fine][other] : &s->plain[fine][other];
    RbVolumeLaw law = law_of(form, kind);
    RbVolumeMotion m = {.v = v3_scale(0.3, rb_rng_direction(&rng)),
                        .slide = v3_scale(3e-6, rb_rng_direction(&rng)),
                        .mass = 1};
    if (kind >= DAMPED) m.w = v3_scale(3, rb_rng_direction(&rng));
    Sample a = sample(o[0], X, &law, &m), b = sample(o[1], X, &law, &m);
    ENSURE(a.size > 0 && b.size > 0);
    double lever = 0.1;
    return (v3_distance(a.force, b.force) + v3_distance(a.torque, b.torque) / lever) / a.size;
}

static void triangles_do_not_count(void **state) {
    static const char *const names[] = {"elastic", "sliding", "sticking", "damped", "spinning"};
    static const RbVolumeForm forms[] = {RB_VOLUME_BEDDING, RB_VOLUME_POTENTIAL, RB_VOLUME_AREA};
    (void)state;
    static Store s;
    double worst[3][KINDS] = {{0}};
    int met = 0;
    open_store(&s);
    for (int i = 0; i < POSES; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        int other = rb_rng_int(&rng, SOLIDS);
        Pose X = random_pose(&s, other, &rng);
        rb_mesh_overlap(&s.plain[0][other], X);
        if (!(s.plain[0][other].volume > 0)) continue; // passed by
        met++;
        for (int f = 0; f < 3; f++) {
            for (int kind = 0; kind < (f == 0 ? KINDS : DAMPED); kind++)
                worst[f][kind] =
                    fmax(worst[f][kind], difference(&s, other, X, forms[f], kind, rng));
        }
    }
    ENSURE(met > POSES / 2);
    for (int f = 0; f < 3; f++) {
        for (int k = 0; k < KINDS; k++) {
            print_message("form %d, %s: %.2g\n", (int)forms[f], names[k], worst[f][k]);
            ENSURE(worst[f][k] < 1e-9);
        }
    }
    fixture_close(&s.f);
}

// A block exactly on the slab, from above and from inside, whatever triangles: no depth, no pressure. Its four walls against those of the slab
// likewise: of a block that has sunk in by d beside the edge, with a wall in the plane of the slab's, that wall adds nothing.
static void flush_faces_do_not_press(void **state) {
    (void)state;
    static Store s;
    open_store(&s);
    RbVolumeLaw law = law_of(RB_VOLUME_BEDDING, ELASTIC);
    RbVolumeMotion still = {.mass = 1};
    for (int fine = 0; fine < 2; fine++) {
        RbMeshOverlap *o = &s.layered[fine][2];
        Pose on = {v3(0.01, 0.02, 0.06), M3_IDENTITY};
        Sample a = sample(o, on, &law, &still);
        ENSURE(v3_norm(a.force) < 1e-9 && a.size < 1e-9);
        double d = 1e-3, eps = 1e-9;
        for (int k = 0; k < 4; k++) {
            Vec3 to = k < 2 ? v3(k ? 0.32 : -0.32, 0.01, 0) : v3(0.01, k == 2 ? 0.33 : -0.33, 0);
            Pose flush = {v3_add(to, v3(0, 0, 0.06 - d)), M3_IDENTITY}, inside = flush;
            inside.r = v3_axpy(inside.r, -eps, v3_unit(to));
            Sample b = sample(o, flush, &law, &still), c = sample(o, inside, &law, &still);
            ENSURE(c.size > 1);
            ENSURE(v3_distance(b.force, c.force) < 1e-5 * c.size);
        }
    }
    fixture_close(&s.f);
}

// Equal blocks on each other, all walls flush but for a tilt about the patch: within the height of what overlaps it moves no wall by more than rounding, so that
// nothing presses sideways but the tilted face itself. (Walls of which rounding said that they were inside pressed as if they were deep: with 6 % of what a
// steel cube of 10 cm carries.)
static void flush_walls_do_not_press(void **state) {
    (void)state;
    static Store s;
    open_store(&s);
    RbVolumeLaw law = law_of(RB_VOLUME_BEDDING, ELASTIC);
    RbVolumeMotion still = {.mass = 1};
    for (int fine = 0; fine < 2; fine++) {
        RbRng rng = rb_rng(7);
        for (double tilt = 1e-16; tilt < 1e-8; tilt *= 3) {
            Vec3 axis = v3_unit(v3(rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1), 0));
            Vec3 pivot = v3(0, 0, -0.06);
            Pose X = {V3_ZERO, m3_rotation(axis, tilt)};
            X.r = v3_add(v3_sub(pivot, m3_mul_vec(X.R, pivot)), v3(0, 0, 0.12 - 3e-9));
            Sample a = sample(&s.layered[fine][0], X, &law, &still);
            ENSURE(a.force.z > 0.01);
            ENSURE(hypot(a.force.x, a.force.y) < (2 * tilt + 1e-14) * a.force.z);
        }
    }
    fixture_close(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_do_not_count),
                                       cmocka_unit_test(flush_faces_do_not_press),
                                       cmocka_unit_test(flush_walls_do_not_press)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
