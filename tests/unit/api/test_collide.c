// SPDX-License-Identifier: MIT
// The public collision interface: against every pair by itself, closed forms, rules of activation,
// errors, memory.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "math/rng.h"
#include "rattleback/collide.h"

#define OK(call) ensure_ok(call, world, __LINE__)

static void ensure_ok(RbStatus status, RbCollideWorld *world, int line) {
    if (status == RB_OK) return;
    print_error("line %d: %s\n", line, rb_collide_error(world));
    _fail(__FILE__, line);
}

static RbCollideWorld *new_world(RbCollideMethod method) {
    RbCollideWorld *world = NULL;
    RbCollideOptions options = rb_collide_options_default();
    options.method = method;
    ENSURE(rb_collide_create(&options, &world) == RB_OK);
    return world;
}

enum { SHAPES = 10, BODIES = 60 };

typedef struct Scene {
    RbCollideWorld *world;
    RbCollideShape shapes[SHAPES];
    RbCollider bodies[BODIES];
    int shape_of[BODIES];
    double position[BODIES][3], rotation[BODIES][4];
} Scene;

static const double CUBE[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                              -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};

// An angle of two bars, each the hull of 8 points.
static void add_angle(RbCollideWorld *world, RbCollideShape *shape) {
    double points[48];
    for (int i = 0; i < 8; i++) {
        const double *c = CUBE + 3 * i;
        v3_store(points + 3 * i, v3(0.5 * c[0], 0.1 * c[1], 0.1 * c[2]));
        v3_store(points + 24 + 3 * i, v3(0.1 * c[0] + 0.5, 0.4 * c[1] + 0.5, 0.1 * c[2]));
    }
    OK(rb_collide_parts(world, points, (int[]){8, 8}, 2, shape));
}

static void add_shapes(Scene *s) {
    RbCollideWorld *world = s->world;
    OK(rb_collide_sphere(world, 0.6, &s->shapes[0]));
    OK(rb_collide_ellipsoid(world, (double[]){0.3, 0.6, 0.9}, &s->shapes[1]));
    OK(rb_collide_box(world, (double[]){0.3, 0.5, 0.7}, 0.01, &s->shapes[2]));
    OK(rb_collide_cylinder(world, 2, 0.4, 0.8, 0.01, &s->shapes[3]));
    OK(rb_collide_cone(world, 3, 0.5, 0.6, 0.1, 0.01, &s->shapes[4]));
    OK(rb_collide_capsule(world, 1, 0.2, 0.7, &s->shapes[5]));
    OK(rb_collide_beam(world, 3, 0.7, 0.2, 0.1, 0.01, &s->shapes[6]));
    OK(rb_collide_hull(world, CUBE, 8, 0.02, &s->shapes[7]));
    add_angle(world, &s->shapes[8]);
    OK(rb_collide_halfspace(world, &s->shapes[9]));
}

static void random_place(Scene *s, RbRng *rng, int i, double size) {
    for (int k = 0; k < 3; k++) s->position[i][k] = rb_rng_range(rng, -size, size);
    q_store(s->rotation[i], rb_rng_orientation(rng));
    if (s->shape_of[i] == SHAPES - 1) { // the ground below all
        s->position[i][2] -= 3;
        for (int k = 0; k < 4; k++) s->rotation[i][k] = k == 0;
    }
}

static Scene new_scene(RbCollideMethod method, uint64_t seed) {
    Scene s = {.world = new_world(method)};
    RbCollideWorld *world = s.world;
    RbRng rng = rb_rng(seed);
    add_shapes(&s);
    for (int i = 0; i < BODIES; i++) {
        s.shape_of[i] = i < 2 ? SHAPES - 1 : i % (SHAPES - 1);
        random_place(&s, &rng, i, 2.5);
        OK(rb_collide_add(world, s.shapes[s.shape_of[i]], s.position[i], s.rotation[i],
                          &s.bodies[i]));
    }
    return s;
}

// Every pair of the world by itself.
static void compare_with_every_pair(Scene *s, double margin) {
    RbCollideWorld *world = s->world;
    const RbCollideContact *contacts;
    int count, seen = 0;
    OK(rb_collide_contacts(world, margin, &contacts, &count));
    RbCollideContact least, one;
    double smallest = INFINITY;
    for (int i = 0; i < BODIES; i++) {
        for (int k = i + 1; k < BODIES; k++) {
            if (i < 2 && k < 2) continue; // two half-spaces
            OK(rb_collide_distance(world, s->bodies[i], s->bodies[k], &one));
            smallest = fmin(smallest, one.distance);
            double nearest = INFINITY;
            for (; seen < count && contacts[seen].a.index == s->bodies[i].index &&
                   contacts[seen].b.index == s->bodies[k].index;
                 seen++) {
                ENSURE(contacts[seen].distance <= margin);
                nearest = fmin(nearest, contacts[seen].distance);
            }
            if (one.distance <= margin)
                ENSURE_NEAR(nearest, one.distance, one.error + 1e-12);
            else
                ENSURE(nearest == INFINITY);
        }
    }
    assert_int_equal(seen, count);
    OK(rb_collide_minimum(world, &least));
    ENSURE(least.distance == smallest);
}

static void the_world_agrees_with_every_pair_by_itself(void **state) {
    (void)state;
    for (RbCollideMethod method = RB_COLLIDE_AUTO; method <= RB_COLLIDE_MORTON; method++) {
        Scene s = new_scene(method, 5);
        RbRng rng = rb_rng(6);
        for (int round = 0; round < 4; round++) {
            compare_with_every_pair(&s, 0);
            compare_with_every_pair(&s, 0.4);
            for (int i = 2; i < BODIES; i++) {
                if (rb_rng_int(&rng, 2)) random_place(&s, &rng, i, 2.5);
                ENSURE(rb_collide_place(s.world, s.bodies[i], s.position[i], s.rotation[i]) ==
                       RB_OK);
            }
        }
        rb_collide_free(s.world);
    }
}

static void all_methods_give_the_same_bits(void **state) {
    (void)state;
    for (RbCollideMethod method = RB_COLLIDE_AUTO; method <= RB_COLLIDE_MORTON; method++) {
        Scene s[2] = {new_scene(RB_COLLIDE_BRUTE, 8), new_scene(method, 8)};
        for (int round = 0; round < 3; round++) { // the later ones with warm starts
            const RbCollideContact *contacts[2];
            int count[2];
            for (int k = 0; k < 2; k++) {
                ENSURE(rb_collide_contacts(s[k].world, 0.1, &contacts[k], &count[k]) == RB_OK);
                s[k].position[30][0] += 0.1;
                ENSURE(rb_collide_place(s[k].world, s[k].bodies[30], s[k].position[30], NULL) ==
                       RB_OK);
            }
            ENSURE(count[0] == count[1] && count[0] > 20);
            ENSURE(memcmp(contacts[0], contacts[1], (size_t)count[0] * sizeof **contacts) == 0);
        }
        for (int k = 0; k < 2; k++) rb_collide_free(s[k].world);
    }
}

static int contact_count(RbCollideWorld *world) {
    const RbCollideContact *contacts;
    int count;
    OK(rb_collide_contacts(world, 0, &contacts, &count));
    return count;
}

static void activation_follows_its_rules(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbCollideShape ball, angle;
    RbCollider a, b, c, d;
    OK(rb_collide_sphere(world, 1, &ball));
    add_angle(world, &angle);
    OK(rb_collide_add(world, ball, (double[]){0, 0, 0}, NULL, &a));
    OK(rb_collide_add(world, ball, (double[]){0.9, 0, 0}, NULL, &b));
    OK(rb_collide_add(world, ball, (double[]){0.45, 0.7, 0}, NULL, &c));
    assert_int_equal(contact_count(world), 3);

    OK(rb_collide_set_pair(world, b, a, 0)); // order does not matter, twice is once
    OK(rb_collide_set_pair(world, a, b, 0));
    assert_int_equal(contact_count(world), 2);
    OK(rb_collide_set_active(world, a, 0)); // the rules are independent
    assert_int_equal(contact_count(world), 1);
    OK(rb_collide_set_active(world, a, 1));
    assert_int_equal(contact_count(world), 2);
    OK(rb_collide_set_pair(world, a, b, 1));
    assert_int_equal(contact_count(world), 3);

    OK(rb_collide_set_filter(world, a, 1, ~1u)); // category 1 does not touch category 1
    OK(rb_collide_set_filter(world, b, 1, ~1u));
    assert_int_equal(contact_count(world), 2);
    OK(rb_collide_set_filter(world, c, 4, 2)); // c collides with nobody here, so nobody with c
    assert_int_equal(contact_count(world), 0);
    RbCollideContact least;
    OK(rb_collide_minimum(world, &least));
    ENSURE(least.distance == INFINITY && least.a.generation == 0 && least.b.generation == 0);
    RbCollideContact pair; // asked for by name it has a distance all the same
    OK(rb_collide_distance(world, a, b, &pair));
    ENSURE_NEAR(pair.distance, -0.1, 1e-15);
    OK(rb_collide_set_filter(world, a, ~0u, ~0u));
    OK(rb_collide_set_filter(world, b, ~0u, ~0u));

    // A body of several parts: its pairs are switched as one, its parts do not touch each other.
    OK(rb_collide_remove(world, c));
    OK(rb_collide_add(world, angle, (double[]){0, 0, 0}, NULL, &d));
    assert_int_equal(contact_count(world), 1 + 2 + 2);
    OK(rb_collide_set_pair(world, d, b, 0));
    assert_int_equal(contact_count(world), 1 + 2);
    OK(rb_collide_remove(world, d)); // what was switched off is forgotten with the body
    RbCollider e;
    OK(rb_collide_add(world, angle, (double[]){0, 0, 0}, NULL, &e));
    ENSURE(e.index == d.index && e.generation != d.generation);
    assert_int_equal(contact_count(world), 1 + 2 + 2);
    assert_int_equal(rb_collide_count(world), 3);
    rb_collide_free(world);
}

static void a_contact_says_where_and_how_deep(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbCollideShape ball, ground;
    RbCollider a, g;
    OK(rb_collide_sphere(world, 0.2, &ball));
    OK(rb_collide_halfspace(world, &ground));
    OK(rb_collide_add(world, ball, (double[]){3, 4, 0.09}, NULL, &a));
    OK(rb_collide_add(world, ground, (double[]){0, 0, 0}, NULL, &g));
    const RbCollideContact *c;
    int count;
    OK(rb_collide_contacts(world, 0, &c, &count));
    assert_int_equal(count, 1);
    ENSURE(c->a.index == a.index && c->b.index == g.index && c->part_a == 0 && c->part_b == 0);
    ENSURE_NEAR(c->distance, -0.01, 1e-15);
    ENSURE_NEAR(c->normal[2], -1, 1e-15); // from the ball to the ground
    ENSURE_NEAR(c->point_a[2], -0.01, 1e-15);
    ENSURE_NEAR(c->point_b[2], 0, 1e-15);
    ENSURE_NEAR(c->point_a[0], 3, 1e-14);
    RbCollideContact other; // named in the other order it is seen from the other side
    OK(rb_collide_distance(world, g, a, &other));
    ENSURE(other.a.index == g.index && other.normal[2] == -c->normal[2]);
    ENSURE(other.point_a[2] == c->point_b[2] && other.distance == c->distance);
    RbCollideContact shapes;
    OK(rb_collide_shapes(world, ball, (double[]){0, 0, 1}, NULL, ball, (double[]){0, 0, 2},
                         (double[]){0, 3, 0, 0}, &shapes));
    ENSURE_NEAR(shapes.distance, 0.8, 1e-15);
    double low[3], high[3];
    OK(rb_collide_bounds(world, a, low, high));
    ENSURE_NEAR(low[2], -0.01, 1e-14);
    ENSURE_NEAR(high[1], 4.1, 1e-14);
    rb_collide_free(world);
}

// A turning box over a cone: with memory of the last answer the distance is the same up to rounding, also
// for several parts; and a pair that has not moved is found where it was.
static void a_memory_changes_nothing_but_the_time(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbCollideShape box, cone, two;
    double points[16][3];
    for (int i = 0; i < 16; i++) {
        points[i][0] = (i & 1) + (i < 8 ? 0 : 3);
        points[i][1] = i >> 1 & 1;
        points[i][2] = i >> 2 & 1;
    }
    OK(rb_collide_box(world, (double[]){1, 2, 3}, 0.1, &box));
    OK(rb_collide_cone(world, 3, 1, 2, 0.2, 0.05, &cone));
    OK(rb_collide_parts(world, &points[0][0], (int[]){8, 8}, 2, &two));
    RbCollideMemory memory = {0}, memory_parts = {0};
    for (int i = 0; i < 200; i++) {
        double a = 0.02 * i, at[3] = {0.3 * cos(a) + 0.4, 1.5 * sin(a), 2.5};
        double turn[4] = {cos(a), 0.6 * sin(a), 0.8 * sin(a), 0};
        RbCollideContact warm, cold;
        OK(rb_collide_shapes(world, box, at, turn, cone, (double[]){0, 0, 0}, NULL, &cold));
        OK(rb_collide_shapes_warm(world, box, at, turn, cone, (double[]){0, 0, 0}, NULL, &memory,
                                  &warm));
        ENSURE_NEAR(warm.distance, cold.distance, 1e-13);
        OK(rb_collide_shapes(world, box, at, turn, two, (double[]){-1, 0, -1.5}, NULL, &cold));
        OK(rb_collide_shapes_warm(world, box, at, turn, two, (double[]){-1, 0, -1.5}, NULL,
                                  &memory_parts, &warm));
        ENSURE_NEAR(warm.distance, cold.distance, 1e-13);
        ENSURE(memory_parts.part_b == warm.part_b);
    }
    RbCollideContact contact;
    ENSURE(rb_collide_shapes_warm(world, box, (double[3]){0}, NULL, cone, (double[3]){0}, NULL,
                                  NULL, &contact) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_collide_error(world), "memory"));
    rb_collide_free(world);
}

// Balls at known places: no pair whose boxes are apart is nearer than the clearance, and it is not far
// below the smallest distance of their boxes.
static void the_clearance_is_a_lower_bound(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbCollideShape ball;
    RbCollider id[3];
    double gap;
    OK(rb_collide_sphere(world, 1, &ball));
    OK(rb_collide_clearance(world, &gap));
    ENSURE(gap == INFINITY);
    for (int i = 0; i < 3; i++)
        OK(rb_collide_add(world, ball, (double[]){2.0 * i * i, 0, 0}, NULL, &id[i]));
    OK(rb_collide_clearance(world, &gap)); // surfaces 1, 5 and 7 m apart
    ENSURE(gap <= 1 && gap > 0.95);
    OK(rb_collide_place(world, id[1], (double[]){0.5, 0, 0}, NULL)); // now it overlaps the first
    OK(rb_collide_clearance(world, &gap));
    ENSURE(gap <= 6.5 && gap > 6.4);
    ENSURE(rb_collide_clearance(world, NULL) == RB_ERROR_USAGE);
    rb_collide_free(world);
}

// Two cubes as objects of a file in centimetres: as parts the gap between them stays open.
static void shapes_come_from_files(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbCollideShape hull, parts, ball;
    RbCollideContact c;
    char path[64];
    snprintf(path, sizeof path, "/tmp/rb_api_collide_%d.obj", (int)getpid());
    FILE *file = fopen(path, "w");
    for (int k = 0; k < 2; k++) {
        fprintf(file, "o cube%d\n", k);
        for (int i = 0; i < 8; i++)
            fprintf(file, "v %d %d %d\n", 100 * (i & 1) + 300 * k, 100 * (i >> 1 & 1),
                    100 * (i >> 2));
        for (int i = 1; i <= 6; i++)
            fprintf(file, "f %d %d %d\n", 8 * k + i, 8 * k + i + 1, 8 * k + i + 2);
    }
    fclose(file);
    OK(rb_collide_file(world, path, 0.01, 0, &hull));
    OK(rb_collide_file(world, path, 0.01, 1, &parts));
    OK(rb_collide_sphere(world, 0.2, &ball));
    double origin[3] = {0}, between[3] = {1.7, 0.5, 0.5};
    OK(rb_collide_shapes(world, hull, origin, NULL, ball, between, NULL, &c));
    ENSURE_NEAR(c.distance, -0.6, 1e-12); // out through a side of the hull
    OK(rb_collide_shapes(world, parts, origin, NULL, ball, between, NULL, &c));
    ENSURE_NEAR(c.distance, 0.6, 1e-12); // 0.7 from the first cube, less the radius
    ENSURE(rb_collide_file(world, "/nowhere/x.stl", 1, 0, &hull) == RB_ERROR_IO);
    ENSURE(rb_collide_file(world, path, 0, 0, &hull) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_collide_error(world), "scale"));
    ENSURE(rb_collide_file(world, NULL, 1, 0, &hull) == RB_ERROR_USAGE);
    unlink(path);
    rb_collide_free(world);
}

static void rays_and_boxes_find_balls_as_geometry_says(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbRng rng = rb_rng(21);
    enum { BALLS = 200 };
    double r[BALLS][3], radius = 0.4;
    RbCollideShape ball;
    RbCollider id[BALLS];
    OK(rb_collide_sphere(world, 2 * radius, &ball));
    for (int i = 0; i < BALLS; i++) {
        for (int k = 0; k < 3; k++) r[i][k] = rb_rng_range(&rng, -5, 5);
        OK(rb_collide_add(world, ball, r[i], NULL, &id[i]));
        if (i % 10 == 0) OK(rb_collide_set_active(world, id[i], 0));
        if (i % 10 == 1) OK(rb_collide_set_filter(world, id[i], 2, ~0u));
    }
    for (int q = 0; q < 200; q++) {
        Vec3 origin = v3_scale(12, rb_rng_direction(&rng)),
             to = v3_scale(4, rb_rng_direction(&rng));
        Vec3 d = v3_unit(v3_sub(to, origin));
        double best = INFINITY;
        int first = -1;
        for (int i = 0; i < BALLS; i++) { // |o + t d - c| = radius
            if (i % 10 <= 1) continue;
            Vec3 c = v3_sub(v3_load(r[i]), origin);
            double along = v3_dot(c, d), h2 = radius * radius - v3_norm2(v3_axpy(c, -along, d));
            if (h2 >= 0 && along - sqrt(h2) < best) best = along - sqrt(h2), first = i;
        }
        RbCollideHit hit;
        double o[3], direction[3];
        v3_store(o, origin);
        v3_store(direction, v3_scale(7, d));
        OK(rb_collide_ray(world, o, direction, INFINITY, ~2u & 0xff, &hit));
        if (first < 0) {
            ENSURE(hit.distance == INFINITY && hit.collider.generation == 0);
        } else {
            ENSURE(hit.collider.index == id[first].index);
            ENSURE_NEAR(hit.distance, best, 1e-12);
            Vec3 n = v3_sub(v3_load(hit.point), v3_load(r[first]));
            ENSURE_NEAR(v3_distance(v3_load(hit.normal), v3_unit(n)), 0, 1e-12);
        }
        // The box: a ball touches it if its centre is not farther than its radius from the nearest
        // point of the box.
        double low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = rb_rng_range(&rng, -6, 5);
            high[k] = low[k] + rb_rng_range(&rng, 0, 2);
        }
        const RbCollider *found;
        int count, n = 0;
        OK(rb_collide_overlap(world, low, high, ~0u, &found, &count));
        for (int i = 0; i < BALLS; i++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                double nearest = fmin(fmax(r[i][k], low[k]), high[k]);
                sum += (r[i][k] - nearest) * (r[i][k] - nearest);
            }
            if (i % 10 == 0 || sqrt(sum) > radius) continue;
            ENSURE(n < count && found[n].index == id[i].index);
            n++;
        }
        assert_int_equal(n, count);
    }
    rb_collide_free(world);
}

static void the_first_contact_is_that_of_the_earliest_pair(void **state) {
    (void)state;
    for (uint64_t seed = 31; seed < 36; seed++) {
        Scene s = new_scene(RB_COLLIDE_AUTO, seed);
        RbCollideWorld *world = s.world;
        RbRng rng = rb_rng(seed);
        for (int i = 0; i < BODIES; i++) { // spread out so that nothing touches at first
            for (int k = 0; k < 3; k++)
                s.position[i][k] = 1.8 * (i / (k == 0 ? 1 : k == 1 ? 4 : 16) % 4);
            if (s.shape_of[i] == 7 || s.shape_of[i] == 9)
                OK(rb_collide_set_active(world, s.bodies[i], 0));
            double v[3], w[3];
            v3_store(v, v3_scale(0.5, rb_rng_direction(&rng)));
            v3_store(w, v3_scale(2, rb_rng_direction(&rng)));
            OK(rb_collide_place(world, s.bodies[i], s.position[i], s.rotation[i]));
            OK(rb_collide_set_velocity(world, s.bodies[i], v, s.shape_of[i] == 9 ? NULL : w));
        }
        RbCollideSweep all, one;
        double first = 3;
        OK(rb_collide_sweep(world, first, &all));
        for (int i = 0; i < BODIES; i++) {
            for (int k = i + 1; k < BODIES; k++) {
                bool off = s.shape_of[i] == 7 || s.shape_of[i] == 9 || s.shape_of[k] == 7 ||
                           s.shape_of[k] == 9;
                if (off) continue;
                OK(rb_collide_sweep_pair(world, s.bodies[k], s.bodies[i], first, &one));
                if (one.hit) first = fmin(first, one.time);
            }
        }
        ENSURE(all.hit && first < 3);
        ENSURE_NEAR(all.time, first, 1e-9);
        OK(rb_collide_sweep(world, 0.9 * first, &all));
        ENSURE(!all.hit && all.time == 0.9 * first);
        rb_collide_free(world);
    }
}

// Errors.

static void ensure_error(RbCollideWorld *world, RbStatus got, RbStatus want, const char *text) {
    assert_int_equal(got, want);
    assert_string_equal(rb_collide_error(world), text);
}

static void wrong_shapes_are_told(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbStatus usage = RB_ERROR_USAGE, model = RB_ERROR_MODEL;
    assert_string_equal(rb_collide_error(world), "");
    RbCollideShape shape;
    ensure_error(world, rb_collide_sphere(world, -1, &shape), model,
                 "rb_collide_sphere: diameter of sphere is -1 m; it must be positive and finite");
    ensure_error(world, rb_collide_sphere(world, 1e300, &shape), usage,
                 "rb_collide_sphere: the shape is 1e+300 m large; at most 1e+100 m are possible");
    ensure_error(world, rb_collide_sphere(world, 1, NULL), usage,
                 "rb_collide_sphere: shape is NULL");
    ensure_error(world, rb_collide_box(world, NULL, 0, &shape), usage,
                 "rb_collide_box: lengths is NULL");
    ensure_error(
        world, rb_collide_cylinder(world, 4, 1, 1, 0, &shape), model,
        "rb_collide_cylinder: axis of cylinder is 4; it must be 1, 2 or 3 (along x, y or z)");
    ensure_error(world, rb_collide_hull(world, CUBE, 8, -1, &shape), usage,
                 "rb_collide_hull: radius is -1 m; it must be zero or positive, and finite");
    ensure_error(world, rb_collide_hull(world, NULL, 8, 0, &shape), usage,
                 "rb_collide_hull: points is NULL");
    ENSURE(rb_collide_hull(world, CUBE, 4, 0, &shape) == model); // a flat square
    ENSURE(strncmp(rb_collide_error(world), "rb_collide_hull: ", 17) == 0);
    ensure_error(world, rb_collide_parts(world, CUBE, (int[]){8}, 0, &shape), usage,
                 "rb_collide_parts: part_count is 0; it must be at least 1");
    rb_collide_free(world);
}

static const double ORIGIN[3] = {0, 0, 0};

static void wrong_colliders_are_told(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbStatus usage = RB_ERROR_USAGE;
    RbCollideShape shape, none = {0};
    RbCollider body, gone;
    double bad[3] = {0, NAN, 0};
    RbCollideContact contact;
    ensure_error(
        world, rb_collide_add(world, none, ORIGIN, NULL, &body), usage,
        "rb_collide_add: there is no shape 0.0; was it removed, or made in another world?");
    OK(rb_collide_sphere(world, 1, &shape));
    ensure_error(world, rb_collide_add(world, shape, NULL, NULL, &body), usage,
                 "rb_collide_add: position is NULL");
    ensure_error(world, rb_collide_add(world, shape, bad, NULL, &body), usage,
                 "rb_collide_add: position is (0, nan, 0); it must be finite");
    ensure_error(world, rb_collide_add(world, shape, ORIGIN, (double[]){0, 0, 0, 0}, &body), usage,
                 "rb_collide_add: rotation is (0, 0, 0, 0); it must be finite and not zero");
    OK(rb_collide_add(world, shape, ORIGIN, NULL, &body));
    ensure_error(world, rb_collide_place(world, body, bad, NULL), usage,
                 "rb_collide_place: position is (0, nan, 0); it must be finite");
    ensure_error(world, rb_collide_remove_shape(world, shape), usage,
                 "rb_collide_remove_shape: shape 0.1 is used by 1 collider(s); remove them first");
    ensure_error(world, rb_collide_distance(world, body, body, &contact), usage,
                 "rb_collide_distance: a and b are the same collider 0.1");
    OK(rb_collide_add(world, shape, ORIGIN, NULL, &gone));
    OK(rb_collide_remove(world, gone));
    ensure_error(world, rb_collide_set_active(world, gone, 1), usage,
                 "rb_collide_set_active: there is no collider 1.1; was it removed, or made in "
                 "another world?");
    ensure_error(
        world, rb_collide_distance(world, body, gone, &contact), usage,
        "rb_collide_distance: there is no collider 1.1; was it removed, or made in another world?");
    rb_collide_free(world);
}

static void limits_of_half_spaces_are_told(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbCollideContact contact;
    RbCollideShape plane;
    RbCollider floor, wall;
    OK(rb_collide_halfspace(world, &plane));
    OK(rb_collide_add(world, plane, ORIGIN, NULL, &floor));
    OK(rb_collide_add(world, plane, ORIGIN, (double[]){1, 1, 0, 0}, &wall));
    ensure_error(world, rb_collide_distance(world, floor, wall, &contact), RB_ERROR_USAGE,
                 "rb_collide_distance: two half-spaces have no distance");
    ensure_error(world, rb_collide_set_velocity(world, floor, NULL, (double[]){0, 1, 0}),
                 RB_ERROR_USAGE,
                 "rb_collide_set_velocity: a half-space must not turn; its spin is (0, 1, 0)");
    rb_collide_free(world);
}

static void wrong_questions_are_told(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO), *other;
    RbStatus usage = RB_ERROR_USAGE;
    const RbCollideContact *contacts;
    int count;
    RbCollideHit hit;
    RbCollideSweep sweep;
    const RbCollider *ids;
    ensure_error(world, rb_collide_contacts(world, NAN, &contacts, &count), usage,
                 "rb_collide_contacts: margin is nan m; it must be zero or positive");
    ensure_error(world, rb_collide_contacts(world, 0, NULL, &count), usage,
                 "rb_collide_contacts: contacts is NULL");
    ensure_error(world, rb_collide_ray(world, ORIGIN, ORIGIN, 1, ~0u, &hit), usage,
                 "rb_collide_ray: direction is zero");
    ensure_error(world, rb_collide_overlap(world, (double[]){1, 0, 0}, ORIGIN, ~0u, &ids, &count),
                 usage,
                 "rb_collide_overlap: the box is empty: low (1, 0, 0) is above high (0, 0, 0)");
    ensure_error(world, rb_collide_sweep(world, -1, &sweep), usage,
                 "rb_collide_sweep: duration is -1 s; it must be zero or positive, and finite");
    ENSURE(rb_collide_place(NULL, (RbCollider){0}, ORIGIN, NULL) == usage);
    assert_string_equal(rb_collide_error(NULL), "the world is NULL");
    RbCollideOptions options = rb_collide_options_default();
    options.margin_factor = NAN;
    ENSURE(rb_collide_create(&options, &other) == usage);
    rb_collide_free(NULL);
    rb_collide_free(world);
}

static void removed_shapes_and_colliders_are_not_found_again(void **state) {
    (void)state;
    RbCollideWorld *world = new_world(RB_COLLIDE_AUTO);
    RbCollideShape old, new;
    OK(rb_collide_hull(world, CUBE, 8, 0, &old));
    OK(rb_collide_remove_shape(world, old));
    OK(rb_collide_hull(world, CUBE, 8, 0.1, &new));
    ENSURE(new.index == old.index &&new.generation == old.generation + 1);
    RbCollider body;
    ENSURE(rb_collide_add(world, old, (double[]){0, 0, 0}, NULL, &body) == RB_ERROR_USAGE);
    OK(rb_collide_add(world, new, (double[]){0, 0, 0}, NULL, &body));
    RbCollideHit hit;
    OK(rb_collide_ray(world, (double[]){9, 0, 0}, (double[]){-1, 0, 0}, 99, ~0u, &hit));
    ENSURE_NEAR(hit.distance, 8 - 0.1, 1e-10);
    rb_collide_free(world);
}

// Memory.

static RbStatus use_everything(RbCollideWorld *world) {
    RbCollideShape shapes[3];
    RbCollider body[40];
    RB_TRY(rb_collide_sphere(world, 1.1, &shapes[0]));
    RB_TRY(rb_collide_hull(world, CUBE, 8, 0, &shapes[1]));
    RB_TRY(rb_collide_parts(world, CUBE, (int[]){8}, 1, &shapes[2]));
    for (int i = 0; i < 40; i++) {
        RB_TRY(rb_collide_add(world, shapes[i % 3], (double[]){i % 7, i / 7, 0}, NULL, &body[i]));
    }
    RB_TRY(rb_collide_set_pair(world, body[0], body[1], 0));
    const RbCollideContact *contacts;
    const RbCollider *ids;
    int count;
    RbCollideContact least;
    RbCollideSweep sweep;
    RB_TRY(rb_collide_contacts(world, 0.2, &contacts, &count));
    RB_TRY(rb_collide_minimum(world, &least));
    RB_TRY(rb_collide_overlap(world, (double[]){0, 0, 0}, (double[]){3, 3, 3}, ~0u, &ids, &count));
    RB_TRY(rb_collide_sweep(world, 1, &sweep));
    for (int i = 0; i < 40; i++) RB_TRY(rb_collide_remove(world, body[i]));
    for (int i = 0; i < 3; i++) RB_TRY(rb_collide_remove_shape(world, shapes[i]));
    return RB_OK;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    for (long n = 0;; n++) {
        FailingAllocator failing = {n};
        RbAllocator allocator = {failing_resize, &failing};
        RbCollideOptions options = rb_collide_options_default();
        options.allocator = &allocator;
        RbCollideWorld *world = NULL;
        RbStatus status = rb_collide_create(&options, &world);
        if (status == RB_OK) status = use_everything(world);
        if (status == RB_OK) {
            ENSURE(n > 10);
            rb_collide_free(world);
            return;
        }
        ENSURE(status == RB_ERROR_MEMORY);
        if (world) { // which can be used on
            ENSURE(strstr(rb_collide_error(world), ": no memory left"));
            failing.countdown = 100000;
            OK(use_everything(world));
        }
        rb_collide_free(world);
    }
}

static void *counting_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)old_size;
    ++*(long *)user;
    if (new_size > 0) return realloc(memory, new_size);
    free(memory);
    return NULL;
}

static void moving_and_asking_does_not_allocate(void **state) {
    (void)state;
    long calls = 0, before = 0;
    RbAllocator allocator = {counting_resize, &calls};
    RbCollideOptions options = rb_collide_options_default();
    options.allocator = &allocator;
    Scene s = {0};
    ENSURE(rb_collide_create(&options, &s.world) == RB_OK);
    RbCollideWorld *world = s.world;
    add_shapes(&s);
    RbRng rng = rb_rng(4);
    for (int i = 0; i < BODIES; i++) {
        s.shape_of[i] = i % (SHAPES - 1);
        random_place(&s, &rng, i, 2);
        OK(rb_collide_add(world, s.shapes[s.shape_of[i]], s.position[i], s.rotation[i],
                          &s.bodies[i]));
    }
    for (int step = 0; step < 200; step++) {
        if (step == 100) before = calls;
        for (int i = 0; i < BODIES; i++) {
            double at[3] = {s.position[i][0] + 0.3 * sin(0.1 * step + i), s.position[i][1],
                            s.position[i][2]};
            OK(rb_collide_place(world, s.bodies[i], at, s.rotation[i]));
        }
        ENSURE(contact_count(world) > 0);
        RbCollideContact least;
        OK(rb_collide_minimum(world, &least));
        RbCollideSweep sweep;
        OK(rb_collide_sweep(world, 0.01, &sweep));
    }
    assert_int_equal(calls, before);
    rb_collide_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_memory_changes_nothing_but_the_time),
        cmocka_unit_test(the_clearance_is_a_lower_bound),
        cmocka_unit_test(shapes_come_from_files),
        cmocka_unit_test(the_world_agrees_with_every_pair_by_itself),
        cmocka_unit_test(all_methods_give_the_same_bits),
        cmocka_unit_test(activation_follows_its_rules),
        cmocka_unit_test(a_contact_says_where_and_how_deep),
        cmocka_unit_test(rays_and_boxes_find_balls_as_geometry_says),
        cmocka_unit_test(the_first_contact_is_that_of_the_earliest_pair),
        cmocka_unit_test(wrong_shapes_are_told),
        cmocka_unit_test(wrong_colliders_are_told),
        cmocka_unit_test(limits_of_half_spaces_are_told),
        cmocka_unit_test(wrong_questions_are_told),
        cmocka_unit_test(removed_shapes_and_colliders_are_not_found_again),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(moving_and_asking_does_not_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
