// SPDX-License-Identifier: MIT
// Surfaces of triangles as walls: one owner for every contact, however they are divided.
#include "grains.h"

#include <string.h>

#include "collide/point.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"

static RbGrainMesh prepare(Fixture *f, const RbMesh *mesh) {
    RbGrainMesh out;
    ENSURE(rb_grain_mesh(mesh, "wall", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &out) == RB_OK);
    return out;
}

// ---- against distances found without features

// Closest point of a triangle: on its plane if that is inside, otherwise on its sides.
static double triangle_distance(Vec3 a, Vec3 b, Vec3 c, Vec3 p) {
    Vec3 v[3] = {a, b, c}, n = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    double best = INFINITY;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        Vec3 from = v[k], side = v3_sub(v[(k + 1) % 3], from), d = v3_sub(p, from);
        double t = fmin(1, fmax(0, v3_dot(d, side) / v3_norm2(side)));
        best = fmin(best, v3_distance(p, v3_axpy(from, t, side)));
        inside = inside && v3_dot(v3_cross(n, side), d) >= 0;
    }
    return inside ? fabs(v3_dot(n, v3_sub(p, a))) : best;
}

static double mesh_distance(const RbMesh *m, Vec3 p) {
    double best = INFINITY;
    for (int t = 0; t < m->triangle_count; t++) {
        const int *v = m->triangles[t].v;
        best = fmin(best,
                    triangle_distance(m->vertices[v[0]], m->vertices[v[1]], m->vertices[v[2]], p));
    }
    return best;
}

typedef struct Owners {
    const RbGrainMesh *mesh;
    Vec3 p;
    int seen[64], seen_count;
    int count; // that own a minimum
    double nearest;
} Owners;

static void ask(void *user, int feature) {
    Owners *o = user;
    for (int k = 0; k < o->seen_count; k++) {
        if (o->seen[k] == feature) return;
    }
    ENSURE(o->seen_count < 64);
    o->seen[o->seen_count++] = feature;
    int hint = 0;
    Vec3 n;
    double d = rb_grain_mesh_distance(o->mesh, feature, o->p, INFINITY, &hint, &n);
    if (!(d < INFINITY)) return;
    ENSURE_NEAR(v3_norm(n), 1, 1e-12);
    o->count++;
    o->nearest = fmin(o->nearest, d);
}

static Owners owners_at(const RbGrainMesh *m, Vec3 p, double reach) {
    Owners o = {.mesh = m, .p = p, .nearest = INFINITY};
    rb_grain_mesh_near(m, p, reach, ask, &o);
    return o;
}

// A box, refined: a point outside has exactly one closest place, and one feature owns it.
static void test_convex(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(1, 0.7, 0.5), &f.arena), fine;
    ENSURE(rb_mesh_refine(&box, 0.11, 100000, &f.arena, f.scratch, &fine));
    const RbMesh meshes[] = {box, fine};
    RbShape shape = rb_shape_box(v3(1, 0.7, 0.5));
    shape.smoothing = 0;
    RbCore core = rb_shape_core(&shape);
    for (int k = 0; k < 2; k++) {
        RbGrainMesh m = prepare(&f, &meshes[k]);
        ENSURE(m.closed && m.patch_count == 6 && m.ridge_count == 12 && m.corner_count == 8);
        RbRng rng = rb_rng(11);
        for (int n = 0; n < 4000; n++) {
            Vec3 p = v3(rb_rng_range(&rng, -0.5, 1.5), rb_rng_range(&rng, -0.5, 1.2),
                        rb_rng_range(&rng, -0.5, 1));
            Vec3 normal;
            double want = rb_core_point(&core, v3_sub(p, v3(0.5, 0.35, 0.25)), &normal);
            ENSURE(rb_grain_mesh_encloses(&m, p) == (want < 0));
            if (want < 1e-9) continue;
            Owners o = owners_at(&m, p, 2);
            ENSURE(o.count == 1);
            ENSURE_NEAR(o.nearest, want, 1e-13);
        }
    }
    fixture_close(&f);
}

// A bucket: a box hollowed out by another. Closest place of all against all triangles; near the bottom
// of the hollow, as many minima as there are walls within reach.
static RbMesh bucket(Fixture *f, double longest) {
    RbMesh outer = rb_mesh_box(v3(0.1, 0.1, 0.1), &f->arena);
    RbMesh inner = rb_mesh_box(v3(0.08, 0.08, 0.12), &f->arena);
    inner = rb_mesh_map(&inner, M3_IDENTITY, v3(0.01, 0.01, 0.01), &f->arena);
    RbMesh hollow, fine;
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &outer, "outer", &inner, "inner", RB_NOWHERE, &f->arena,
                  f->scratch, &f->diag, &hollow) == RB_OK);
    if (!(longest > 0)) return hollow;
    ENSURE(rb_mesh_refine(&hollow, longest, 1000000, &f->arena, f->scratch, &fine));
    return fine;
}

static void test_concave(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int k = 0; k < 2; k++) {
        RbMesh mesh = bucket(&f, k == 0 ? 0 : 0.02);
        RbGrainMesh m = prepare(&f, &mesh);
        // Outside 5, inside 5, the rim; its corners inside and outside.
        ENSURE(m.closed && m.patch_count == 11 && m.ridge_count == 24 && m.corner_count == 16);
        RbRng rng = rb_rng(5);
        for (int n = 0; n < 3000; n++) {
            Vec3 p = v3(rb_rng_range(&rng, -0.05, 0.15), rb_rng_range(&rng, -0.05, 0.15),
                        rb_rng_range(&rng, -0.05, 0.15));
            if (rb_grain_mesh_encloses(&m, p)) continue;
            Owners o = owners_at(&m, p, 1);
            ENSURE_NEAR(o.nearest, mesh_distance(&mesh, p), 1e-14);
        }
        // In a corner of the hollow the bottom and four walls are minima, and nothing else.
        ENSURE(owners_at(&m, v3(0.02, 0.021, 0.023), 1).count == 5);
        ENSURE(owners_at(&m, v3(0.02, 0.021, 0.023), 0.0135).count == 3);
        ENSURE(owners_at(&m, v3(0.05, 0.05, 0.019), 0.02).count == 1);
    }
    fixture_close(&f);
}

// A point exactly above edges and vertices of the division has one owner, too; a sheet has two sides.
static RbMesh sheet(Fixture *f, int n, double jitter, Mat3 R) {
    RbMeshBuilder b = rb_mesh_builder(&f->arena);
    RbRng rng = rb_rng(9);
    for (int k = 0; k < (n + 1) * (n + 1); k++) {
        int i = k % (n + 1), j = k / (n + 1);
        double x = (double)i / n, y = (double)j / n;
        if (i > 0 && i < n) x += jitter / n * rb_rng_range(&rng, -1, 1);
        if (j > 0 && j < n) y += jitter / n * rb_rng_range(&rng, -1, 1);
        rb_mesh_add_vertex(&b, m3_mul_vec(R, v3(x - 0.5, y - 0.5, 0)));
    }
    for (int k = 0; k < n * n; k++) {
        int a = k % n + k / n * (n + 1), c = a + n + 2;
        if (rb_rng_range(&rng, 0, 1) < 0.5) {
            rb_mesh_add_triangle(&b, a, a + 1, c), rb_mesh_add_triangle(&b, a, c, c - 1);
        } else {
            rb_mesh_add_triangle(&b, a, a + 1, c - 1), rb_mesh_add_triangle(&b, a + 1, c, c - 1);
        }
    }
    return rb_mesh_finish(&b);
}

static void test_on_the_lines(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Mat3 R = m3_rotation(v3_unit(v3(1, 2, 3)), 0.7);
    const Mat3 turns[] = {M3_IDENTITY, R};
    for (int k = 0; k < 4; k++) {
        RbMesh mesh = sheet(&f, 20, k < 2 ? 0 : 0.2, turns[k % 2]);
        RbGrainMesh m = prepare(&f, &mesh);
        ENSURE(!m.closed && m.patch_count == 1 && m.ridge_count == 4 && m.corner_count == 4);
        Vec3 n = m3_mul_vec(turns[k % 2], v3(0, 0, 1));
        for (int v = 0; v < mesh.vertex_count; v++) {
            for (int w = v; w < mesh.vertex_count && w < v + 25; w++) {
                Vec3 at = v3_lerp(mesh.vertices[v], mesh.vertices[w], 0.5),
                     flat = v3_sub(at, V3_ZERO);
                flat = m3_mul_vec(m3_transpose(turns[k % 2]), flat);
                if (fmax(fabs(flat.x), fabs(flat.y)) > 0.4999) continue;
                for (double side = -0.01; side < 0.02; side += 0.02) {
                    Owners o = owners_at(&m, v3_axpy(at, side, n), 0.05);
                    ENSURE(o.count == 1);
                    ENSURE_NEAR(o.nearest, 0.01, 1e-14);
                }
            }
        }
    }
    fixture_close(&f);
}

// ---- a sphere rolls over a plane

static const double RADIUS = 0.005;

typedef struct Roll {
    Vec3 r[40], w; // [m], [rad/s]
    Vec3 load[40];
} Roll;

// First it slides, then it rolls; gravity leans a little against the plane. wall: NULL for a half-space.
static Roll roll_over(Fixture *f, const RbMesh *mesh, Mat3 R, Vec3 at, Vec3 v) {
    Stuff s = GLASS;
    s.pair.rolling = 0.001;
    RbCloud *cloud = cloud_of(&f->arena, s, 2e-5, 1);
    cloud->options.gravity = m3_mul_vec(R, v3(0.1, 0.05, -9.81));
    RbShape shape = rb_shape_halfspace();
    RbGrainWall wall = {.X = {V3_ZERO, R}};
    RbGrainMesh surface;
    if (mesh) {
        surface = prepare(f, mesh);
        wall.mesh = &surface;
        wall.X = POSE_IDENTITY;
    } else {
        wall.parts = rb_shape_cores(&shape, &f->arena, &wall.part_count);
    }
    rb_cloud_add_wall(cloud, wall);
    rb_cloud_add(cloud, grain(s, RADIUS, m3_mul_vec(R, at), m3_mul_vec(R, v)));
    rb_cloud_start(cloud);
    Roll out;
    for (int k = 0; k < 40; k++) {
        run(cloud, 500);
        out.r[k] = vector(cloud->r[0]);
        out.load[k] = cloud->wall_loads[0].f;
        ENSURE(cloud->wall_contacts == 1);
    }
    out.w = vector(cloud->w[0]);
    return out;
}

static double roll_difference(const Roll *a, const Roll *b) {
    double most = RADIUS * v3_distance(a->w, b->w);
    for (int k = 0; k < 40; k++) {
        most = fmax(most, v3_distance(a->r[k], b->r[k]));
        most = fmax(most, v3_distance(a->load[k], b->load[k]));
    }
    return most;
}

// One sphere, 0.8 m along a line of the division and across: the same to 1e-10 on 2, 200 and 20,000
// triangles as on a half-space.
static void test_rolling_over(void **state) {
    (void)state;
    const int counts[] = {1, 10, 100};
    const Mat3 turns[2] = {M3_IDENTITY, m3_rotation(v3_unit(v3(1, 2, 3)), 0.7)};
    Vec3 at[] = {v3(-0.4, 0, RADIUS - 2e-6), v3(-0.4, -0.3, RADIUS - 2e-6)};
    Vec3 v[] = {v3(2.5, 0, 0), v3(2.3, 1.4, 0)};
    for (int k = 0; k < 4; k++) {
        for (int n = 0; n < 3; n++) {
            Fixture f;
            fixture_open(&f);
            RbMesh mesh = sheet(&f, counts[n], k < 2 ? 0 : 0.2, turns[k % 2]);
            Roll want = roll_over(&f, NULL, turns[k % 2], at[k / 2], v[k / 2]);
            Roll got = roll_over(&f, &mesh, turns[k % 2], at[k / 2], v[k / 2]);
            ENSURE(want.r[39].x - want.r[0].x != 0 && v3_distance(want.r[39], want.r[0]) > 0.6);
            ENSURE_NEAR(roll_difference(&got, &want), 0, 1e-10);
            fixture_close(&f);
        }
    }
}

// Vertices in single precision, as in STL files.
static void test_rolling_over_floats(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Mat3 R = m3_rotation(v3_unit(v3(1, 2, 3)), 0.7);
    RbMesh mesh = sheet(&f, 100, 0.2, R);
    Vec3 *rough = rb_new_array(&f.arena, Vec3, mesh.vertex_count);
    for (int k = 0; k < mesh.vertex_count; k++) {
        Vec3 p = mesh.vertices[k];
        rough[k] = v3(in_single(p.x), in_single(p.y), in_single(p.z));
    }
    mesh.vertices = rough;
    RbGrainMesh m = prepare(&f, &mesh);
    ENSURE(m.patch_count == 1 && m.ridge_count == 4 && m.corner_count == 4);
    Vec3 at = v3(-0.4, -0.3, RADIUS - 2e-6), v = v3(2.3, 1.4, 0);
    Roll want = roll_over(&f, NULL, R, at, v), got = roll_over(&f, &mesh, R, at, v);
    ENSURE_NEAR(roll_difference(&got, &want), 0, 1e-5);
    fixture_close(&f);
}

// ---- a bucket in grains

typedef struct Filled {
    Vec3 force[20], torque[20];
    double balance;
} Filled;

static Filled fill_bucket(Fixture *f, const RbMesh *mesh, double step) {
    Stuff s = GLASS;
    RbCloud *cloud = cloud_of(&f->arena, s, step, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    RbGrainMesh surface = prepare(f, mesh);
    // It is shaken and tilts.
    rb_cloud_add_wall(cloud, (RbGrainWall){.mesh = &surface,
                                           .X = POSE_IDENTITY,
                                           .V = {v3(0, 1, 0.2), v3(0.02, 0.03, 0.01)}});
    RbRng rng = rb_rng(2);
    for (int k = 0; k < 36; k++) {
        Vec3 r = v3(0.025 + 0.025 * (k % 3), 0.025 + 0.025 * (k / 3 % 3), 0.02 + 0.022 * (k / 9));
        RbGrain g = grain(s, 0.009 * rb_rng_range(&rng, 0.9, 1), r, v3(0, 0, -0.5));
        rb_cloud_add(cloud, g);
    }
    rb_cloud_start(cloud);
    Filled out;
    for (int k = 0; k < 20; k++) {
        run(cloud, lround(4e-3 / step));
        out.force[k] = cloud->wall_loads[0].f;
        out.torque[k] = cloud->wall_loads[0].t;
    }
    ENSURE(cloud->wall_contacts > 5 && cloud->deepest < 0.2);
    out.balance = rb_cloud_ledger(cloud).balance;
    return out;
}

// The same force and torque from 52 triangles and from thousands; roundings grow a little in 0.08 s.
static void test_bucket(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh coarse = bucket(&f, 0), fine = bucket(&f, 0.004);
    ENSURE(fine.triangle_count > 5000);
    Filled a = fill_bucket(&f, &coarse, 2e-5), b = fill_bucket(&f, &fine, 2e-5);
    double most = 0, weight = 0;
    for (int k = 0; k < 20; k++) {
        weight = fmax(weight, v3_norm(a.force[k]));
        most = fmax(most, v3_distance(a.force[k], b.force[k]));
        most = fmax(most, v3_distance(a.torque[k], b.torque[k]) / 0.1);
    }
    ENSURE(weight > 1);
    ENSURE_NEAR(most, 0, 1e-8 * weight);
    // The account of energy closes beside moving triangles, too, and better with smaller steps.
    double finer = fill_bucket(&f, &coarse, 5e-6).balance;
    ENSURE_NEAR(a.balance, 0, 1e-3);
    ENSURE(fabs(finer) < fabs(a.balance) / 4);
    fixture_close(&f);
}

static void test_bad_mesh(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh none = {0};
    RbGrainMesh m;
    ENSURE(rb_grain_mesh(&none, "sieve", RB_NOWHERE, &f.arena, f.scratch, &f.diag, &m) ==
           RB_ERROR_MODEL);
    assert_non_null(strstr(fixture_message(&f, 0), "'sieve' cannot be a wall of grains"));
    fixture_close(&f);
}

// A point moves by 2 sin(φ/2) times its distance from the axis: how far grains are along the axis does not matter.
static void test_moved(void **state) {
    (void)state;
    RbGrainWall wall = {.X = {v3(1, 2, 3), m3_rotation(v3(0, 0, 1), 0.3)},
                        .V = {.w = v3(0, 0, 0.5)},
                        .low = v3(0.9, 1.8, -100),
                        .high = v3(1.3, 2.1, 100)};
    wall.listed = wall.X;
    ENSURE(rb_grain_wall_moved(&wall) == 0);
    rb_grain_wall_advance(&wall, 0.02);
    ENSURE_NEAR(rb_grain_wall_moved(&wall), 2 * sin(0.005) * hypot(0.3, 0.2), 1e-13);
    wall.V = (Motion){.v = v3(3, 0, 4)};
    wall.listed = wall.X;
    rb_grain_wall_advance(&wall, 0.1);
    ENSURE_NEAR(rb_grain_wall_moved(&wall), 0.5, 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moved),        cmocka_unit_test(test_convex),
        cmocka_unit_test(test_concave),      cmocka_unit_test(test_on_the_lines),
        cmocka_unit_test(test_rolling_over), cmocka_unit_test(test_rolling_over_floats),
        cmocka_unit_test(test_bucket),       cmocka_unit_test(test_bad_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
