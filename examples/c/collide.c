// SPDX-License-Identifier: MIT
// A first program with rattleback/collide.h: a ball and a crate above the ground.
//
//     cc collide.c -o collide $(pkg-config --cflags --libs rattleback)
//
// It places three shapes in a world and asks: how far apart are two of them? What touches what?
// What does a ray hit? What is inside a box? When will a falling, tumbling crate reach the ground?
#include <rattleback/collide.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Every call answers a status. A real program would handle errors; this one says what was wrong and
// stops.
static void check(RbCollideWorld *world, RbStatus status) {
    if (status == RB_OK) return;
    fprintf(stderr, "%s\n", rb_collide_error(world));
    exit(EXIT_FAILURE);
}

int main(void) {
    // A world owns everything that is created in it. NULL: default options.
    RbCollideWorld *world = NULL;
    if (rb_collide_create(NULL, &world) != RB_OK) return EXIT_FAILURE;

    // Shapes are geometry without a place: the ground (all points with z <= 0), a ball of 20 cm
    // diameter, and a crate of 40 x 30 x 20 cm whose edges are rounded by 1 mm. One shape can be
    // used many times.
    RbCollideShape ground_shape, ball_shape, crate_shape;
    const double crate_lengths[3] = {0.4, 0.3, 0.2};
    check(world, rb_collide_halfspace(world, &ground_shape));
    check(world, rb_collide_sphere(world, 0.2, &ball_shape));
    check(world, rb_collide_box(world, crate_lengths, RB_COLLIDE_SMOOTHING, &crate_shape));

    // Colliders are shapes with a place: position in metres and rotation as a quaternion (w, x, y,
    // z); NULL is no rotation.
    RbCollider ground, ball, crate;
    const double origin[3] = {0, 0, 0};
    const double ball_position[3] = {0, 0, 0.099}; // 1 mm into the ground
    const double crate_position[3] = {0.5, 0, 1.0};
    const double turned[4] = {0.9238795325112867, 0, 0.3826834323650898, 0}; // 45 degrees about y
    check(world, rb_collide_add(world, ground_shape, origin, NULL, &ground));
    check(world, rb_collide_add(world, ball_shape, ball_position, NULL, &ball));
    check(world, rb_collide_add(world, crate_shape, crate_position, turned, &crate));

    // The distance of two colliders, with the closest points and the direction from one to the
    // other.
    RbCollideContact c;
    check(world, rb_collide_distance(world, ball, crate, &c));
    printf("ball to crate: %.6f m, from (%.3f, %.3f, %.3f) to (%.3f, %.3f, %.3f)\n", c.distance,
           c.point_a[0], c.point_a[1], c.point_a[2], c.point_b[0], c.point_b[1], c.point_b[2]);

    // Everything that touches: here the ball penetrates the ground by 1 mm, so its distance is
    // negative.
    const RbCollideContact *contacts;
    int count;
    check(world, rb_collide_contacts(world, 0.0, &contacts, &count));
    for (int i = 0; i < count; i++) {
        printf("contact of %u and %u: distance %.6f m, normal (%.1f, %.1f, %.1f)\n",
               contacts[i].a.index, contacts[i].b.index, contacts[i].distance,
               contacts[i].normal[0], contacts[i].normal[1], contacts[i].normal[2]);
    }

    // Contacts that are not wanted can be switched off, for a pair or for a collider.
    check(world, rb_collide_set_pair(world, ground, ball, 0));
    check(world, rb_collide_contacts(world, 0.0, &contacts, &count));
    printf("with that pair switched off there are %d contacts\n", count);
    check(world, rb_collide_set_pair(world, ground, ball, 1));

    // A laser from above, straight down onto the crate. All categories, at most 10 m.
    RbCollideHit hit;
    const double laser[3] = {0.5, 0, 5}, down[3] = {0, 0, -1};
    check(world, rb_collide_ray(world, laser, down, 10.0, UINT32_MAX, &hit));
    printf("the laser meets collider %u after %.6f m\n", hit.collider.index, hit.distance);

    // What is in the half metre above the ground?
    const RbCollider *inside;
    const double low[3] = {-1, -1, 0.01}, high[3] = {1, 1, 0.5};
    check(world, rb_collide_overlap(world, low, high, UINT32_MAX, &inside, &count));
    for (int i = 0; i < count; i++) printf("collider %u is below 0.5 m\n", inside[i].index);

    // The crate falls at 3 m/s and tumbles at 5 rad/s. When does it touch something within the next
    // second?
    RbCollideSweep sweep;
    const double velocity[3] = {0, 0, -3}, spin[3] = {0, 5, 0};
    check(world, rb_collide_set_velocity(world, crate, velocity, spin));
    check(world, rb_collide_sweep_pair(world, ground, crate, 1.0, &sweep));
    if (sweep.hit) {
        printf("the crate reaches the ground after %.6f s at (%.3f, %.3f, %.3f)\n", sweep.time,
               sweep.point[0], sweep.point[1], sweep.point[2]);
    }

    // Wrong input is an error with a text, never a crash.
    const double nowhere[3] = {0, INFINITY, 0};
    if (rb_collide_place(world, ball, nowhere, NULL) != RB_OK)
        printf("%s\n", rb_collide_error(world));

    rb_collide_free(world);
    return EXIT_SUCCESS;
}
