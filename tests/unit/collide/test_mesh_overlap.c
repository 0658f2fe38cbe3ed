// SPDX-License-Identifier: MIT
// The common part of two solids against closed forms and against constructive geometry; the distance
// against all pairs of triangles.
#include "skins.h"

#include "collide/mesh_distance.h"
#include "collide/mesh_overlap.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "geom/moments.h"
#include "math/rng.h"

#define PI 3.141592653589793

static double overlap1(double a, double b, double c, double d) {
    return fmax(0, fmin(b, d) - fmax(a, c));
}

// Boxes along the axes, many of them with common faces: volume, centroid, area.
static void boxes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin a = skin_of(&f, rb_mesh_box(v3(2, 2, 2), &f.arena)),
           b = skin_of(&f, rb_mesh_box(v3(1, 3, 1), &f.arena));
    RbMeshOverlap o;
    rb_mesh_overlap_open(&o, &a, &b, &f.arena);
    RbRng rng = rb_rng(4);
    for (int i = 0; i < 2000; i++) {
        Vec3 r = v3(rb_rng_int(&rng, 9) - 4, rb_rng_int(&rng, 9) - 4, rb_rng_int(&rng, 9) - 4);
        r = v3_scale(0.5, r);
        if (i % 2) r = v3_add(r, v3_scale(1e-7, rb_rng_direction(&rng)));
        ENSURE(rb_mesh_overlap(&o, (Pose){r, M3_IDENTITY}));
        double x = overlap1(0, 2, r.x, r.x + 1), y = overlap1(0, 2, r.y, r.y + 3),
               z = overlap1(0, 2, r.z, r.z + 1);
        ENSURE_NEAR(o.volume, x * y * z, 1e-15);
        if (x * y * z < 1e-10) continue;
        ENSURE(o.regions.count == 1);
        Vec3 c = o.regions.data[0].centroid;
        double tol = 1e-14 + 1e-15 / fmin(x, fmin(y, z)); // rounding over the thickness
        ENSURE_NEAR(c.x, 0.5 * (fmax(0, r.x) + fmin(2, r.x + 1)), tol);
        ENSURE_NEAR(c.y, 0.5 * (fmax(0, r.y) + fmin(2, r.y + 3)), tol);
    }
    fixture_close(&f);
}

// Turned solids: the same as by constructive geometry, and the surface of each region is closed. They meet where that leaves something.
static void turned_solids(void **state) {
    (void)state;
    RbRng rng = rb_rng(9);
    for (int i = 0; i < 60; i++) {
        Fixture f;
        fixture_open(&f);
        RbMesh ma =
            i % 2 ? rb_mesh_torus(1, 0.4, 16, &f.arena) : rb_mesh_box(v3(1, 2, 1), &f.arena);
        RbMesh mb =
            i % 3 ? rb_mesh_cone(0.5, 0.3, 2, 12, &f.arena) : rb_mesh_torus(1, 0.3, 12, &f.arena);
        RbSkin a = skin_of(&f, ma), b = skin_of(&f, mb);
        RbMeshOverlap o;
        rb_mesh_overlap_open(&o, &a, &b, &f.arena);
        for (int k = 0; k < 10; k++) {
            Pose X = pose(v3_scale(rb_rng_range(&rng, 0, 1.5), rb_rng_direction(&rng)),
                          rb_rng_orientation(&rng));
            bool meet = rb_meshes_meet(&o, X);
            ENSURE(rb_mesh_overlap(&o, X));
            ENSURE(rb_meshes_meet(&o, X) == meet);
            RbMesh moved = rb_mesh_map(&mb, X.R, X.r, &f.arena), both;
            ENSURE(rb_csg(RB_CSG_INTERSECTION, &ma, "a", &moved, "b", RB_NOWHERE, &f.arena,
                          f.scratch, &f.diag, &both) == RB_OK);
            double volume = both.triangle_count ? rb_moments_of_mesh(&both).volume : 0;
            ENSURE_NEAR(o.volume, volume, 1e-12);
            ENSURE(meet == (volume > 0));
            for (int r = 0; r < o.regions.count; r++) {
                Vec3 sum = V3_ZERO;
                double area = 0;
                for (int p = 0; p < o.polygons.count; p++) {
                    if (o.polygons.data[p].region != r) continue;
                    sum = v3_add(sum, o.polygons.data[p].area);
                    area += v3_norm(o.polygons.data[p].area);
                }
                ENSURE(v3_norm(sum) <= 1e-13 * (1 + area));
                ENSURE(o.regions.data[r].volume >= -1e-15);
            }
        }
        fixture_close(&f);
    }
}

// A table on the floor touches with four legs: four regions, each with its leg's area.
static void four_legs(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh top = rb_mesh_box(v3(1, 1, 0.1), &f.arena);
    RbMesh table = rb_mesh_map(&top, M3_IDENTITY, v3(0, 0, 0.5), &f.arena);
    for (int i = 0; i < 4; i++) {
        RbMesh leg = rb_mesh_box(v3(0.1, 0.1, 0.55), &f.arena);
        leg = rb_mesh_map(&leg, M3_IDENTITY, v3(i & 1 ? 0.9 : 0, i & 2 ? 0.9 : 0, 0), &f.arena);
        ENSURE(rb_csg(RB_CSG_UNION, &table, "table", &leg, "leg", RB_NOWHERE, &f.arena, f.scratch,
                      &f.diag, &table) == RB_OK);
    }
    RbMesh floor = rb_mesh_box(v3(3, 3, 1), &f.arena);
    RbSkin a = skin_of(&f, floor), b = skin_of(&f, table);
    RbMeshOverlap o;
    rb_mesh_overlap_open(&o, &a, &b, &f.arena);
    ENSURE(rb_mesh_overlap(&o, (Pose){v3(1, 1, 1 - 1e-4), M3_IDENTITY}));
    ENSURE(o.regions.count == 4);
    for (int r = 0; r < 4; r++) {
        ENSURE_NEAR(o.regions.data[r].volume, 0.01 * 1e-4, 1e-16);
        ENSURE_NEAR(o.regions.data[r].area_a.z, 0.01, 1e-14);
        ENSURE_NEAR(o.regions.data[r].high - o.regions.data[r].low, 1e-4, 1e-14);
    }
    ENSURE_NEAR(o.area, 0.04, 1e-13);
    fixture_close(&f);
}

// A ball in a plane: the cap's volume with an error that falls with the square of the fineness.
static void balls_converge(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double depth = 0.05, exact = PI * depth * depth * (1 - depth / 3), last = 0;
    RbSkin floor = skin_of(&f, rb_mesh_box(v3(4, 4, 1), &f.arena));
    for (int n = 64; n <= 256; n *= 2) {
        RbSkin ball = skin_of(&f, rb_mesh_sphere(1, n, &f.arena));
        RbMeshOverlap o;
        rb_mesh_overlap_open(&o, &floor, &ball, &f.arena);
        // on its side, so that the pole's many triangles are not what touches
        Pose X = {v3(2, 2, 2 - depth), rb_clean_rotation(v3(PI / 2, 0, 0))};
        ENSURE(rb_mesh_overlap(&o, X));
        double error = exact - o.volume;
        ENSURE(error > 0);
        // the deepest depth of a chord below its arc is 1 - cos(pi/n), over an area of 2 pi depth
        ENSURE(error < 2 * 2 * PI * depth * (1 - cos(PI / n)));
        if (last > 0) ENSURE(last / error > 3.3 && last / error < 4.7);
        last = error;
    }
    fixture_close(&f);
}

// Two cylinders of radius 1 across each other: 16/3 and 8 of each surface (Steinmetz). The polygons lie within the circles and
// around circles of radius cos(pi/n), and of convex bodies within each other the outer one has the larger surface.
static void crossed_cylinders_converge(void **state) {
    (void)state;
    double before = 0;
    for (int n = 16; n <= 256; n *= 2) {
        Fixture f;
        fixture_open(&f);
        RbMesh rod = rb_mesh_cone(1, 1, 4, n, &f.arena);
        rod = rb_mesh_map(&rod, M3_IDENTITY, v3(0, 0, -2), &f.arena);
        RbSkin skin = skin_of(&f, rod);
        RbMeshOverlap o;
        rb_mesh_overlap_open(&o, &skin, &skin, &f.arena);
        ENSURE(rb_mesh_overlap(&o, (Pose){V3_ZERO, m3_rotation(v3(1, 0, 0), PI / 2)}));
        ENSURE(o.regions.count == 1);
        const RbOverlapRegion *r = &o.regions.data[0];
        double c = cos(PI / n), error = 16.0 / 3 - r->volume, area = r->area[0] + r->area[1];
        ENSURE(error > 0 && error < 16.0 / 3 * (1 - c * c * c));
        ENSURE(area < 16 && area > 16 * c * c);
        ENSURE_NEAR(r->area[0], r->area[1], 1e-12);
        ENSURE_NEAR(v3_norm(r->centroid), 0, 1e-13);
        if (before > 0) ENSURE_NEAR(before / error, 4, 0.1); // falls with n2
        before = error;
        fixture_close(&f);
    }
}

// What a circle has beyond a chord that is seen from its centre under twice the angle a: area, and the distance of its centroid.
static double segment_area(double radius, double a) {
    return radius * radius * (a - sin(a) * cos(a));
}

static double segment_centroid(double radius, double a) {
    return 2 * pow(radius * sin(a), 3) / (3 * segment_area(radius, a));
}

// Two cylinders side by side, 0.2 deep: a lens of two segments of circles. Polygons are off by at most the sagitta of a side along
// both arcs; the area vector is the chord.
static void parallel_cylinders_converge(void **state) {
    (void)state;
    const double R = 1, r = 0.6, d = 1.4, height = 1.8;
    double a = acos((d * d + R * R - r * r) / (2 * d * R)),
           b = acos((d * d + r * r - R * R) / (2 * d * r)), chord = 2 * R * sin(a);
    double area = segment_area(R, a) + segment_area(r, b),
           x = (segment_area(R, a) * segment_centroid(R, a) +
                segment_area(r, b) * (d - segment_centroid(r, b))) /
               area;
    for (int n = 32; n <= 2048; n *= 4) {
        Fixture f;
        fixture_open(&f);
        RbSkin one = skin_of(&f, rb_mesh_cone(R, R, 2, n, &f.arena)),
               two = skin_of(&f, rb_mesh_cone(r, r, height, n, &f.arena));
        RbMeshOverlap o;
        rb_mesh_overlap_open(&o, &one, &two, &f.arena);
        ENSURE(rb_mesh_overlap(&o, (Pose){v3(d, 0, 0.1), m3_rotation(v3(0, 0, 1), 0.3)}));
        ENSURE(o.regions.count == 1);
        const RbOverlapRegion *g = &o.regions.data[0];
        double sagitta = 1 - cos(PI / n), rim = 2 * (R * R * a + r * r * b) * sagitta;
        ENSURE(g->volume < height * area && g->volume > height * (area - rim));
        ENSURE_NEAR(g->centroid.x, x, rim / area * 0.2);
        ENSURE_NEAR(g->centroid.y, 0, rim / area * chord);
        ENSURE_NEAR(g->centroid.z, 1, 1e-12);
        // ends of the chord move by the sagitta over the sine of the angle in which the circles meet
        ENSURE_NEAR(v3_norm(g->area_a), chord * height,
                    2 * height * (R + r) * sagitta / sin(a + b));
        fixture_close(&f);
    }
}

// What was found before only says where to look: the same bits as from a fresh start.
static void memory_changes_nothing(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin a = skin_of(&f, rb_mesh_torus(1, 0.4, 24, &f.arena)),
           b = skin_of(&f, rb_mesh_sphere(0.5, 24, &f.arena));
    RbMeshOverlap kept;
    rb_mesh_overlap_open(&kept, &a, &b, &f.arena);
    for (int i = 0; i < 300; i++) {
        RbMeshOverlap fresh;
        rb_mesh_overlap_open(&fresh, &a, &b, &f.arena);
        Pose X = pose(v3(1.6 * cos(0.003 * i), 1.6 * sin(0.003 * i), 0.5 - 0.001 * i),
                      q_unit((Quat){1, 0.01 * i, 0.3, 0.2}));
        if (i % 2) rb_meshes_meet(&kept, X);
        ENSURE(rb_mesh_overlap(&kept, X) && rb_mesh_overlap(&fresh, X));
        ENSURE(kept.volume == fresh.volume && kept.area == fresh.area);
        ENSURE(kept.regions.count == fresh.regions.count);
        for (int r = 0; r < kept.regions.count; r++) {
            Vec3 c = kept.regions.data[r].centroid, d = fresh.regions.data[r].centroid;
            ENSURE(c.x == d.x && c.y == d.y && c.z == d.z);
        }
    }
    fixture_close(&f);
}

static double segment_free_distance(const RbSkin *a, const RbSkin *b, Pose X) {
    double best = INFINITY;
    for (int i = 0; i < a->mesh.triangle_count; i++) {
        RbMesh one = a->mesh;
        one.triangles += i;
        one.triangle_count = 1;
        RbMeshNode node = {
            .normal = {0, 0, 1}, .half = {9, 9, 9}, .low = -9, .high = 9, .count = 1};
        int zero = 0;
        RbSkin s = {.mesh = one, .tree = {&node, 1, &zero, 1}, .size = a->size};
        for (int k = 0; k < b->mesh.triangle_count; k++) {
            RbMesh other = b->mesh;
            other.triangles += k;
            other.triangle_count = 1;
            RbSkin t = {.mesh = other, .tree = {&node, 1, &zero, 1}, .size = b->size};
            best = fmin(best, rb_mesh_distance(&s, &t, X, INFINITY, NULL).distance);
        }
    }
    return best;
}

// The tree search against all pairs of triangles; cold and warm give the same.
static void distance_of_all_pairs(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin a = skin_of(&f, rb_mesh_torus(1, 0.3, 10, &f.arena)),
           b = skin_of(&f, rb_mesh_cone(0.5, 0.2, 1, 9, &f.arena));
    RbRng rng = rb_rng(8);
    RbMeshMemory memory = {0};
    for (int i = 0; i < 100; i++) {
        Pose X = pose(v3_scale(rb_rng_range(&rng, 1, 3), rb_rng_direction(&rng)),
                      rb_rng_orientation(&rng));
        double want = segment_free_distance(&a, &b, X);
        RbMeshGap cold = rb_mesh_distance(&a, &b, X, INFINITY, NULL),
                  warm = rb_mesh_distance(&a, &b, X, INFINITY, &memory);
        ENSURE_NEAR(cold.distance, want, 1e-14);
        ENSURE_NEAR(warm.distance, want, 1e-14);
        ENSURE_NEAR(v3_distance(cold.point_a, cold.point_b), want, 1e-14);
        ENSURE(rb_mesh_distance(&a, &b, X, 0.5 * want, NULL).distance >= 0.5 * want);
    }
    fixture_close(&f);
}

// Closed forms: two boxes by face, edge and corner; a ring around a rod.
static void distance_closed_forms(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin box = skin_of(&f, rb_mesh_box(v3(1, 1, 1), &f.arena));
    const double r[3][4] = {{1.5, 0.2, 0.1, 0.5}, {1.3, 1.4, 0.2, 0.5}, {1.1, -1.2, 1.2, 0.3}};
    for (int i = 0; i < 3; i++) {
        RbMeshGap g = rb_mesh_distance(
            &box, &box, (Pose){v3(r[i][0], r[i][1], r[i][2]), M3_IDENTITY}, INFINITY, NULL);
        ENSURE_NEAR(g.distance, r[i][3], 1e-15);
    }
    // Two unit cubes, one turned by 45° about an axis: edge against face.
    Pose X = {v3(0, 2, 0), rb_clean_rotation(v3(PI / 4, 0, 0))};
    ENSURE_NEAR(rb_mesh_distance(&box, &box, X, INFINITY, NULL).distance, 1 - sqrt(0.5), 1e-15);
    RbSkin ring = skin_of(&f, rb_mesh_torus(1, 0.25, 64, &f.arena)),
           rod = skin_of(&f, rb_mesh_cone(0.25, 0.25, 4, 64, &f.arena));
    RbMeshGap g = rb_mesh_distance(&ring, &rod, (Pose){v3(0, 0, -2), M3_IDENTITY}, INFINITY, NULL);
    // between facets that face each other: (0.75 - 0.25) cos(pi/64)
    ENSURE_NEAR(g.distance, 0.5 * cos(PI / 64), 1e-14);
    g = rb_mesh_distance(&box, &box, (Pose){v3(0.5, 0.5, 0.5), M3_IDENTITY}, INFINITY, NULL);
    ENSURE(g.distance == 0);
    fixture_close(&f);
}

// Room is taken when a pair is opened: no evaluation asks for more, from a touch of a corner to one solid
// inside the other.
static void evaluations_take_no_memory(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh meshes[] = {rb_mesh_torus(1, 0.4, 24, &f.arena), rb_mesh_box(v3(1, 2, 1), &f.arena),
                       rb_mesh_sphere(0.7, 24, &f.arena), rb_mesh_cone(0.5, 0, 2, 40, &f.arena)};
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 16; i++) {
        RbSkin a = skin_of(&f, meshes[i / 4]), b = skin_of(&f, meshes[i % 4]);
        RbMeshOverlap o;
        rb_mesh_overlap_open(&o, &a, &b, &f.arena);
        size_t calls = f.heap.calls;
        const void *data[] = {o.cut.crossings.data, o.cut.near.data, o.cut.pieces.data,
                              o.cut.nodes.data, o.polygons.data};
        for (int k = 0; k < 200; k++) {
            rb_mesh_overlap(&o, pose(v3_scale(rb_rng_range(&rng, 0, 2), rb_rng_direction(&rng)),
                                     rb_rng_orientation(&rng)));
        }
        ENSURE(f.heap.calls == calls);
        const void *now[] = {o.cut.crossings.data, o.cut.near.data, o.cut.pieces.data,
                             o.cut.nodes.data, o.polygons.data};
        for (int k = 0; k < 5; k++) ENSURE(data[k] == now[k]); // nor did they grow in the arena
    }
    fixture_close(&f);
}

// [m²] What of a convex polygon is in another one, by cutting it with its sides.
static double clipped_area(const double (*polygon)[2], int count, const double (*by)[2],
                           int sides) {
    double from[600][2], to[600][2], area = 0;
    memcpy(from, polygon, sizeof *from * (size_t)count);
    for (int k = 0; k < sides; k++) {
        const double *a = by[k], *b = by[(k + 1) % sides];
        int n = 0;
        for (int i = 0; i < count; i++) {
            const double *p = from[i], *q = from[(i + 1) % count];
            double dp = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
            double dq = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
            if (dp >= 0) to[n][0] = p[0], to[n++][1] = p[1];
            if ((dp >= 0) == (dq >= 0)) continue;
            for (int j = 0; j < 2; j++) to[n][j] = p[j] + dp / (dp - dq) * (q[j] - p[j]);
            n++;
        }
        count = n;
        memcpy(from, to, sizeof *from * (size_t)count);
    }
    for (int i = 0, j = count - 1; i < count; j = i++)
        area += 0.5 * (from[j][0] * from[i][1] - from[j][1] * from[i][0]);
    return area;
}

// A peg moved by its clearance in a hole of a plate longer than it, so that an edge of it lies in one of the hole: all decisions are
// about points in one plane, which rounding must not take for others. (The whole plate was found to be in the peg.)
static void edges_may_coincide(void **state) {
    (void)state;
    enum { MOST = 192 };
    const double r = 0.02, length = 0.1;
    for (int kind = 0; kind < 9; kind++) {
        const int n = 24, m = (const int[]){24, 48, MOST}[kind / 3];
        const double c = (const double[]){1e-4, 2e-4, 1e-3}[kind % 3];
        Fixture f;
        fixture_open(&f);
        RbMesh box = rb_mesh_box(v3(0.1, 0.1, 1), &f.arena),
               block = rb_mesh_map(&box, M3_IDENTITY, v3(-0.05, -0.05, -0.9), &f.arena),
               drill = rb_mesh_cone(r + c, r + c, 2, n, &f.arena),
               hole = rb_mesh_map(&drill, M3_IDENTITY, v3(0, 0, -1.4), &f.arena),
               rod = rb_mesh_cone(r, r, length, m, &f.arena), plate;
        ENSURE(rb_csg(RB_CSG_DIFFERENCE, &block, "block", &hole, "hole", RB_NOWHERE, &f.arena,
                      f.scratch, &f.diag, &plate) == RB_OK);
        RbSkin a = skin_of(&f, plate),
               b = skin_of(&f, rb_mesh_map(&rod, M3_IDENTITY, v3(0, 0, -0.05), &f.arena));
        double round[2][MOST][2];
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < (k ? n : m); i++) {
                double angle = 2 * PI * i / (k ? n : m), radius = k ? r + c : r;
                round[k][i][0] = (k ? 0 : c) + radius * cos(angle);
                round[k][i][1] = radius * sin(angle);
            }
        }
        double all = 0.5 * m * r * r * sin(2 * PI / m),
               want = length * (all - clipped_area(round[0], m, round[1], n));
        RbMeshOverlap o;
        rb_mesh_overlap_open(&o, &a, &b, &f.arena);
        ENSURE(rb_mesh_overlap(&o, (Pose){v3(c, 0, 0), M3_IDENTITY}));
        ENSURE_NEAR(o.volume, want, 1e-12 * length * all);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_changes_nothing),
        cmocka_unit_test(boxes),
        cmocka_unit_test(turned_solids),
        cmocka_unit_test(four_legs),
        cmocka_unit_test(edges_may_coincide),
        cmocka_unit_test(balls_converge),
        cmocka_unit_test(crossed_cylinders_converge),
        cmocka_unit_test(parallel_cylinders_converge),
        cmocka_unit_test(distance_of_all_pairs),
        cmocka_unit_test(distance_closed_forms),
        cmocka_unit_test(evaluations_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
