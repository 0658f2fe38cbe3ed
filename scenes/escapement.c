// SPDX-License-Identifier: MIT
// A lever escapement: balance, lever with two pallets, escape wheel of 15 teeth, all as meshes. The wheel is
// driven by a constant torque; a tooth rests on an arc of a pallet about the axis of the lever, until the
// pin of the balance, in the fork, turns the lever; then the tooth pushes along the slanted end of the
// pallet and gives the balance what it has lost, and the next tooth falls on the other pallet. One tooth
// for each period of the balance.
//
// Lengths in units of the radius of the wheel, whose axis is at the origin; the lever turns about P above it,
// the balance about B above that. The wheel turns clockwise.
#include <math.h>

#include "shop.h"

static const double pi = 3.14159265358979323846;
#define DEGREE (3.14159265358979323846 / 180)

static const double unit = 0.02;    // [m] radius of the wheel
static const double height = 0.002; // [m] of the lever
enum { TEETH = 15 };

// Pallets: their arcs are about P, as far as a tooth that moves towards P, or away from it, is from it. They are
// 10.5 degrees of the wheel thick: with half a pitch of 12 degrees the wheel falls by 1.5.
static const double thickness = 10.5 * DEGREE;
static const double lift = 8 * DEGREE;   // the lever turns by this during an impulse
static const double lock = 1.5 * DEGREE; // so deep a tooth falls on a pallet
static const double bank = 6.5 * DEGREE; // and so far to both sides in all
static const double tines = 1.2, reach = 0.4, pin = 0.05, play = 0.003;

static Vec3 at_polar(double centre, double radius, double angle) {
    return v3(radius * cos(angle), centre + radius * sin(angle), 0);
}

static double axis_of_lever(void) {
    return 1 / cos(pi / 6);
}

// [rad] Direction, seen from P, of a tip of the wheel that is at a distance from P; to the left (-1) or to the
// right.
static double direction_of_tip(double distance, int side) {
    double d = axis_of_lever(), down = (d * d + distance * distance - 1) / (2 * d);
    double across = sqrt(distance * distance - down * down);
    return atan2(-down, side * across);
}

static void scale_point(RbContour *o, Vec3 r) {
    rb_contour_point(o, unit * r.x, unit * r.y);
}

// Pointed teeth that lean towards the way they go, so that only their tips touch.
static RbMesh wheel_mesh(RbShop *s) {
    RbContour o = rb_contour(s->arena);
    const double root = 0.75;
    for (int k = 0; k < TEETH; k++) {
        double at = 2 * pi * k / TEETH;
        scale_point(&o, at_polar(0, root, at + 6 * DEGREE));
        scale_point(&o, at_polar(0, 1, at));
        scale_point(&o, at_polar(0, root, at + 16 * DEGREE));
    }
    RbMesh m = rb_shop_extrude(s, &o, 0.8 * height);
    return rb_shop_move(s, m, v3(0, 0, 0.1 * height)); // no face in a plane with one of the lever
}

// Draw: where a tooth rests the face of the pallet leans by 12 degrees, so that the tooth pulls the pallet
// in and the lever to its stop, away from the balance.
static double drawn(double behind_corner) {
    return tan(12 * DEGREE) * tan(pi / 6) * fmin(fabs(behind_corner), 8 * DEGREE);
}

// One pallet in the frame of the lever, from its slanted end to the height of P.
static RbMesh pallet(RbShop *s, int side) {
    double middle = tan(pi / 6), inner = middle - thickness / 2, outer = middle + thickness / 2;
    // At half a lift behind the middle a tooth leaves a pallet; the other one is deeper in by the lock then.
    double at_outer = direction_of_tip(outer, side) - lift / 2 + (side < 0 ? lock : 0),
           at_inner = direction_of_tip(inner, side) + lift / 2 - (side > 0 ? lock : 0),
           level = side < 0 ? -pi : 0;
    RbContour o = rb_contour(s->arena);
    enum { PIECES = 24 };
    for (int k = 0; k <= PIECES; k++) {
        double angle = level + (at_outer - level) * k / PIECES;
        scale_point(&o, at_polar(0, outer - (side < 0 ? drawn(at_outer - angle) : 0), angle));
    }
    for (int k = PIECES; k >= 0; k--) {
        double angle = level + (at_inner - level) * k / PIECES;
        scale_point(&o, at_polar(0, inner + (side > 0 ? drawn(angle - at_inner) : 0), angle));
    }
    return rb_shop_extrude(s, &o, height);
}

static RbMesh bar(RbShop *s, double x0, double x1, double y0, double y1) {
    RbMesh m = rb_mesh_box(v3(unit * (x1 - x0), unit * (y1 - y0), height), s->arena);
    return rb_shop_move(s, m, v3(unit * x0, unit * y0, 0));
}

// The fork ends where the pin of a balance that leaves passes over its corners.
static RbMesh lever_mesh(RbShop *s) {
    double outer = tan(pi / 6) + thickness / 2, slot = pin + play, top = tines - 0.0213;
    RbMesh m = rb_shop_combine(s, RB_CSG_UNION, pallet(s, -1), pallet(s, 1));
    m = rb_shop_combine(s, RB_CSG_UNION, m, bar(s, -outer, outer, -0.03, 0.06));
    m = rb_shop_combine(s, RB_CSG_UNION, m, bar(s, -0.05, 0.05, 0, tines - 0.15));
    m = rb_shop_combine(s, RB_CSG_UNION, m, bar(s, -0.12, 0.12, tines - 0.2, top));
    RbMesh hole = rb_mesh_box(v3(unit * 2 * slot, unit * 0.08, height * 3), s->arena);
    hole = rb_shop_move(s, hole, v3(unit * -slot, unit * (tines - 0.08), -height));
    m = rb_shop_combine(s, RB_CSG_DIFFERENCE, m, hole);
    return rb_mesh_simplify(&m, 1e-12, s->arena, *s->scratch);
}

// In the frame of the balance the pin points down to the lever; a disc above all carries it.
static RbMesh balance_mesh(RbShop *s) {
    RbMesh stem = rb_mesh_cone(unit * pin, unit * pin, 1.5 * height, 32, s->arena);
    RbMesh disc = rb_mesh_cone(unit * 0.6, unit * 0.6, 0.5 * height, 48, s->arena);
    stem = rb_shop_move(s, stem, v3(0, -unit * reach, -0.2 * height));
    disc = rb_shop_move(s, disc, v3(0, 0, 1.2 * height));
    return rb_shop_combine(s, RB_CSG_UNION, stem, disc);
}

static RbSolidsForce contact_law(void) {
    RbSolidsForce f = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    f.volume.form = RB_VOLUME_POTENTIAL;
    f.volume.modulus = 3e7;
    f.volume.length = 5e-4;
    f.volume.restitution = 0.2;
    f.volume.sticks = false;
    f.volume.slip_speed = 0.005;
    f.volume.mu_static = f.volume.mu_kinetic = 0.1;
    return f;
}

static void add_joint_force(RbScene *s, int joint, RbJointForce element) {
    rb_array_push(&s->joint_forces, s->arena,
                  ((RbSceneJointForce){.joint = joint, .element = element}));
}

void rb_scene_escapement(RbScene *scene) {
    RbShop s = rb_shop_open(scene);
    Vec3 z = v3(0, 0, 1);
    double inertia = 1e-5, frequency = 1; // [kg m2], [Hz] of the balance
    double stiffness = inertia * pow(2 * pi * frequency, 2), quality = 60;
    scene->gravity = rb_gravity_uniform(0, z);
    RbMesh wheel = wheel_mesh(&s), lever = lever_mesh(&s), balance = balance_mesh(&s);
    int w = rb_shop_body(&s, "wheel", &wheel, 500), l = rb_shop_body(&s, "lever", &lever, 1500);
    int b = rb_shop_body(&s, "balance", &balance, 1500);
    scene->objects.data[b].object.mass =
        (RbMassProperties){.mass = 0.05, .I_CM = m3_diagonal(v3(inertia, inertia, inertia))};
    double P = unit * axis_of_lever(), B = P + unit * (tines + reach);
    int pivot = rb_scene_add(scene, rb_frame_object("pivot", 0, (Pose){v3(0, P, 0), M3_IDENTITY}));
    int staff = rb_scene_add(scene, rb_frame_object("staff", 0, (Pose){v3(0, B, 0), M3_IDENTITY}));
    // A tooth rests on the left pallet, the balance is about to swing back.
    double tip = direction_of_tip(tan(pi / 6) + thickness / 2, -1);
    Vec3 held = at_polar(axis_of_lever(), tan(pi / 6) + thickness / 2, tip);
    double start = atan2(held.y, held.x) + 0.2 * DEGREE;
    int wheel_joint = rb_shop_axle(&s, "escape", 0, w, z, start, 0);
    int lever_joint = rb_shop_axle(&s, "pallets", pivot, l, z, bank - 0.1 * DEGREE, 0);
    int balance_joint = rb_shop_axle(&s, "tick", staff, b, z, -2.81, 0);
    add_joint_force(scene, wheel_joint, (RbJointForce){.given = -1e-3, .damper = rb_linear(1e-6)});
    add_joint_force(scene, lever_joint,
                    (RbJointForce){.damper = rb_linear(2e-6),
                                   .lower = -bank,
                                   .upper = bank,
                                   .stop_stiffness = 1,
                                   .stop_damping = 0.5});
    add_joint_force(scene, balance_joint,
                    (RbJointForce){.spring = rb_linear(stiffness),
                                   .damper = rb_linear(sqrt(inertia * stiffness) / quality)});
    if (rb_scene_add_solids(scene, w, &wheel, l, &lever, contact_law(), &s.diag) == RB_OK &&
        rb_scene_add_solids(scene, l, &lever, b, &balance, contact_law(), &s.diag) == RB_OK) {
        scene->solids.data[0].show = scene->solids.data[1].show = true;
    }
    rb_shop_close(&s);
}
