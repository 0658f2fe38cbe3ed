// SPDX-License-Identifier: MIT
// Solids made by constructive geometry that touch by volume: the Geneva mechanism of seed 002, section
// 8.2, with its parameters.
#include <math.h>

#include "shop.h"

static const double pi = 3.14159265358979323846;

static RbMesh cylinder(RbShop *s, double radius, double height, int segments) {
    // About the y axis, from y = 0 down to -height, as in the listing.
    RbMesh m = rb_mesh_cone(radius, radius, height, segments, s->arena);
    return rb_mesh_map(&m, rb_clean_rotation(v3(pi / 2, 0, 0)), V3_ZERO, s->arena);
}

static RbMesh without(RbShop *s, RbMesh a, RbMesh b) {
    return rb_shop_combine(s, RB_CSG_DIFFERENCE, a, b);
}

// ---- Geneva ----

typedef struct Geneva {
    int slots, segments;
    double radius, pin, clearance, height;                     // [m]
    double distance, crank, length, width, stop, disc, relief; // [m] what follows from them
} Geneva;

static Geneva geneva_sizes(int slots, int segments) {
    Geneva g = {slots, segments, 1, 0.1, 0.01, 0.2};
    g.distance = g.radius / cos(pi / slots);
    g.crank = sqrt(g.distance * g.distance - g.radius * g.radius);
    g.length = g.radius + g.crank - g.distance;
    g.width = g.pin + g.clearance;
    g.stop = g.crank - 1.5 * g.pin;
    g.disc = g.stop - g.clearance;
    g.relief = g.radius * g.disc / g.crank;
    return g;
}

static RbMesh geneva_wheel(RbShop *s, const Geneva *g) {
    RbMesh wheel = cylinder(s, g->radius, g->height, g->segments);
    for (int i = 1; i <= g->slots; i++) {
        double slot = 2 * pi / g->slots * (0.5 + i), arc = 2 * pi / g->slots * i,
               at = g->radius - g->length;
        RbMesh box = rb_mesh_box(v3(g->length, g->height, g->width), s->arena);
        wheel = without(s, wheel,
                        rb_shop_turn(s, rb_shop_move(s, box, v3(at, -g->height, -g->width / 2)),
                                     v3(0, slot, 0)));
        RbMesh end =
            rb_shop_move(s, cylinder(s, g->width / 2, g->height, g->segments), v3(at, 0, 0));
        wheel = without(s, wheel, rb_shop_turn(s, end, v3(0, slot, 0)));
        RbMesh bite =
            rb_shop_move(s, cylinder(s, g->stop, g->height, g->segments), v3(g->distance, 0, 0));
        wheel = without(s, wheel, rb_shop_turn(s, bite, v3(0, arc, 0)));
    }
    return rb_mesh_simplify(&wheel, 1e-12, s->arena, *s->scratch);
}

// About its own axis, the pin along +x: locking disc with its relief, the pin, and an arm above the wheel.
// All reach below the wheel too: faces in one plane are the dearest to tell apart.
static RbMesh geneva_drive(RbShop *s, const Geneva *g) {
    double above = 0.1, total = g->height + 1.5 * above;
    RbMesh disc = rb_shop_move(s, cylinder(s, g->disc, total, g->segments), v3(0, above, 0));
    RbMesh pin =
        rb_shop_move(s, cylinder(s, g->pin / 2, total, g->segments), v3(g->crank, above, 0));
    RbMesh arm = rb_mesh_box(v3(g->crank, 0.05, g->pin / 2), s->arena);
    // The relief is the wheel and its distance, scaled so that the pin would lie on the edge of the disc.
    RbMesh relief = rb_shop_move(s, cylinder(s, g->relief, total, g->segments),
                                 v3(g->distance * g->disc / g->crank, 0.2 * above, 0));
    RbMesh drive = without(s, disc, relief);
    drive = rb_shop_combine(s, RB_CSG_UNION, drive, rb_shop_move(s, arm, v3(0, 0.03, -g->pin / 4)));
    drive = rb_shop_combine(s, RB_CSG_UNION, drive, pin);
    return rb_mesh_simplify(&drive, 1e-12, s->arena, *s->scratch);
}

static const double drive_speed = 3.14159265358979323846; // [rad/s] half a turn per second

void rb_scene_geneva(RbScene *scene, int slots) {
    RbShop s = rb_shop_open(scene);
    Vec3 y = v3(0, 1, 0);
    Geneva g = geneva_sizes(slots, 48);
    RbMesh wheel = geneva_wheel(&s, &g), drive = geneva_drive(&s, &g);
    int w = rb_shop_body(&s, "wheel", &wheel, 1000), d = rb_shop_body(&s, "drive", &drive, 1000);
    int bearing = rb_scene_add(
        scene, rb_frame_object("bearing", 0, (Pose){v3(g.distance, 0, 0), M3_IDENTITY}));
    rb_shop_axle(&s, "output", 0, w, y, 0, 0);
    rb_shop_axle(&s, "input", bearing, d, y, 0, drive_speed);
    RbSceneJointForce motor = {.joint = 1,
                               .element = {.damper = rb_linear(2e4), .rest_speed = drive_speed}};
    rb_array_push(&scene->joint_forces, scene->arena, motor);
    RbSceneJointForce friction = {.joint = 0};
    friction.element.damper = rb_linear(2);
    rb_array_push(&scene->joint_forces, scene->arena, friction);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    contact.volume.modulus = 1e8;
    contact.volume.form = RB_VOLUME_POTENTIAL;
    contact.volume.length = 0.04; // where the pin touches somewhat stiffer than the area form
    contact.volume.damping = 2;
    contact.volume.mu_static = contact.volume.mu_kinetic = 0.05;
    contact.volume.slip_speed = 0.01;
    contact.volume.sticks = false;
    if (rb_scene_add_solids(scene, w, &wheel, d, &drive, contact, &s.diag) == RB_OK)
        scene->solids.data[0].show = true;
    rb_shop_close(&s);
}

void rb_scene_geneva_3(RbScene *scene) {
    rb_scene_geneva(scene, 3);
}
void rb_scene_geneva_6(RbScene *scene) {
    rb_scene_geneva(scene, 6);
}
