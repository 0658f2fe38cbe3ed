// SPDX-License-Identifier: MIT
// Solids made by constructive geometry that touch by volume: the Geneva mechanism of seed 002, section
// 8.2, with its parameters.
#include <math.h>

#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "geom/moments.h"
#include "scenes.h"

static const double pi = 3.14159265358979323846;

// What a solid is made with. The first operation that fails leaves an empty solid, and the start of the
// run says so.
typedef struct Shop {
    RbScene *scene;
    RbArena *arena;
    RbArena *scratch;
    RbDiag diag;
} Shop;

static RbMesh cylinder(Shop *s, double radius, double height, int segments) {
    // About the y axis, from y = 0 down to -height, as in the listing.
    RbMesh m = rb_mesh_cone(radius, radius, height, segments, s->arena);
    return rb_mesh_map(&m, rb_clean_rotation(v3(pi / 2, 0, 0)), V3_ZERO, s->arena);
}

static RbMesh moved(Shop *s, RbMesh m, Vec3 r) {
    return rb_mesh_map(&m, M3_IDENTITY, r, s->arena);
}

static RbMesh turned(Shop *s, RbMesh m, double angle) {
    return rb_mesh_map(&m, rb_clean_rotation(v3(0, angle, 0)), V3_ZERO, s->arena);
}

static RbMesh combined(Shop *s, RbCsg operation, RbMesh a, RbMesh b) {
    RbMesh out = {0};
    rb_csg(operation, &a, "solid", &b, "tool", RB_NOWHERE, s->arena, *s->scratch, &s->diag, &out);
    return out;
}

static RbMesh without(Shop *s, RbMesh a, RbMesh b) {
    return combined(s, RB_CSG_DIFFERENCE, a, b);
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

static RbMesh geneva_wheel(Shop *s, const Geneva *g) {
    RbMesh wheel = cylinder(s, g->radius, g->height, g->segments);
    for (int i = 1; i <= g->slots; i++) {
        double slot = 2 * pi / g->slots * (0.5 + i), arc = 2 * pi / g->slots * i,
               at = g->radius - g->length;
        RbMesh box = rb_mesh_box(v3(g->length, g->height, g->width), s->arena);
        wheel =
            without(s, wheel, turned(s, moved(s, box, v3(at, -g->height, -g->width / 2)), slot));
        RbMesh end = moved(s, cylinder(s, g->width / 2, g->height, g->segments), v3(at, 0, 0));
        wheel = without(s, wheel, turned(s, end, slot));
        RbMesh bite = moved(s, cylinder(s, g->stop, g->height, g->segments), v3(g->distance, 0, 0));
        wheel = without(s, wheel, turned(s, bite, arc));
    }
    return rb_mesh_simplify(&wheel, 1e-12, s->arena, *s->scratch);
}

// About its own axis, the pin along +x: locking disc with its relief, the pin, and an arm above the wheel.
// All reach below the wheel too: faces in one plane are the dearest to tell apart.
static RbMesh geneva_drive(Shop *s, const Geneva *g) {
    double above = 0.1, total = g->height + 1.5 * above;
    RbMesh disc = moved(s, cylinder(s, g->disc, total, g->segments), v3(0, above, 0));
    RbMesh pin = moved(s, cylinder(s, g->pin / 2, total, g->segments), v3(g->crank, above, 0));
    RbMesh arm = rb_mesh_box(v3(g->crank, 0.05, g->pin / 2), s->arena);
    // The relief is the wheel and its distance, scaled so that the pin would lie on the edge of the disc.
    RbMesh relief = moved(s, cylinder(s, g->relief, total, g->segments),
                          v3(g->distance * g->disc / g->crank, 0.02, 0));
    RbMesh drive = without(s, disc, relief);
    drive = combined(s, RB_CSG_UNION, drive, moved(s, arm, v3(0, 0.03, -g->pin / 4)));
    drive = combined(s, RB_CSG_UNION, drive, pin);
    return rb_mesh_simplify(&drive, 1e-12, s->arena, *s->scratch);
}

static int add_body(Shop *s, const char *name, const RbMesh *mesh, double density) {
    RbMassProperties mass = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(mesh)), density);
    RbSceneObject body = rb_body(name, mass);
    body.object.parent = -1;
    return rb_scene_add(s->scene, body);
}

// Torque that holds the drive at its speed.
static const double drive_speed = 3.14159265358979323846; // [rad/s] half a turn per second

static double hold_speed(double speed, void *user) {
    (void)user;
    return 2e4 * (speed - drive_speed);
}

static void add_axle(RbScene *s, const char *name, int base, int body, double speed) {
    RbObjectJoint axle = rb_scene_joint(name, RB_JOINT_REVOLUTE, base, body, v3(0, 1, 0));
    axle.v[0] = speed;
    rb_scene_add_joint(s, axle);
}

void rb_scene_geneva(RbScene *scene, int slots) {
    Shop s = {.scene = scene, .arena = scene->arena, .scratch = rb_arena_child(scene->arena)};
    s.diag = rb_diag(scene->arena);
    Geneva g = geneva_sizes(slots, 48);
    RbMesh wheel = geneva_wheel(&s, &g), drive = geneva_drive(&s, &g);
    int w = add_body(&s, "wheel", &wheel, 1000), d = add_body(&s, "drive", &drive, 1000);
    int bearing = rb_scene_add(
        scene, rb_frame_object("bearing", 0, (Pose){v3(g.distance, 0, 0), M3_IDENTITY}));
    add_axle(scene, "output", 0, w, 0);
    add_axle(scene, "input", bearing, d, drive_speed);
    RbSceneJointForce motor = {.joint = 1};
    motor.element.damper = (RbCharacteristic){.value = hold_speed};
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
    rb_arena_free(s.scratch);
}

void rb_scene_geneva_3(RbScene *scene) {
    rb_scene_geneva(scene, 3);
}
void rb_scene_geneva_6(RbScene *scene) {
    rb_scene_geneva(scene, 6);
}
