// SPDX-License-Identifier: MIT
// Toys of convex bodies: a tippe top, dominoes, cards that lean on each other, a roller on two rails. With the
// default laws.
#include <math.h>
#include <string.h>

#include "shop.h"

static void table(RbScene *s, Vec3 size, const char *material) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject top = rb_solid("table", rb_shape_box(size), material);
    top.object.pose.r = v3(0, 0, -0.5 * size.z);
    rb_scene_add(s, top);
}

static RbPairLaw *law_of(RbScene *s, const char *material) {
    for (int i = 0;; i++) {
        RbPairMaterial *p = &s->materials.pairs.data[i];
        if (strcmp(p->a, material) == 0 && strcmp(p->b, material) == 0) return &p->law;
    }
}

// A sphere whose centre of mass is below its centre, with a stem: numbers of Rauch-Wojciechowski, Sköldstam and
// Glad (2005). Without resistance to rolling and spinning Jellett's integral is constant.
void rb_scene_tippe_top(RbScene *s) {
    const double R = 0.02, m = 0.02, a = 0.3 * 0.02, tilt = 0.1;
    table(s, v3(1, 1, 0.05), "DryWood");
    RbSceneObject top = rb_solid("top", rb_shape_sphere(2 * R), "DryWood");
    double across = 131.0 / 350 * m * R * R, along = 0.4 * m * R * R;
    top.object.has_mass = true;
    top.object.mass = (RbMassProperties){
        .mass = m, .r_CM = v3(0, 0, -a), .I_CM = m3_diagonal(v3(across, across, along))};
    top.object.moves_freely = true;
    top.object.pose = (Pose){v3(0, 0, R), m3_rotation(v3(1, 0, 0), tilt)};
    top.object.angular_velocity = v3_scale(155, v3(0, -sin(tilt), cos(tilt)));
    top.object.velocity =
        v3_neg(v3_cross(top.object.angular_velocity, v3(0, a * sin(tilt), -a * cos(tilt))));
    int body = rb_scene_add(s, top);
    RbSceneObject stem = rb_solid("stem", rb_shape_sphere(0.3 * R), "DryWood");
    stem.object.parent = body;
    stem.mass = 1e-9;
    stem.object.pose.r = v3(0, 0, 1.05 * R);
    rb_scene_add(s, stem);
    RbPairLaw *law = law_of(s, "DryWood");
    law->mu_k = 0.3;
    law->mu_r = law->twist = 0;
    law->restitution = 0.3;
}

// ---- bodies with edges, as meshes: their corners press by volume, without a point that jumps ----

static RbSolidsForce edge_law(void) {
    RbSolidsForce f = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    f.volume.form = RB_VOLUME_POTENTIAL;
    f.volume.modulus = 1e9;
    f.volume.length = 0.01;
    f.volume.restitution = 0.3;
    f.volume.mu_static = f.volume.mu_kinetic = 0.4;
    return f;
}

static int add_block(RbShop *s, const char *name, RbMesh *mesh, Vec3 size, Pose pose, bool free) {
    RbMesh m = rb_mesh_box(size, s->arena);
    *mesh = rb_shop_move(s, m, v3_scale(-0.5, size));
    int k = rb_shop_body(s, name, mesh, 900);
    RbObject *o = &s->scene->objects.data[k].object;
    o->parent = 0;
    o->moves_freely = free;
    o->pose = pose;
    return k;
}

// Dominoes in a row along x; the first is let go leaning on its lower edge.
void rb_scene_dominoes(RbScene *scene) {
    enum { COUNT = 6 };
    const double thick = 0.008, wide = 0.024, high = 0.048, pitch = 0.024, lean = 0.3;
    RbShop s = rb_shop_open(scene);
    RbMesh ground, dominoes[COUNT];
    int before = 0;
    scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int floor = add_block(&s, "floor", &ground, v3(1, 0.2, 0.02),
                          (Pose){v3(0.1, 0, -0.01), M3_IDENTITY}, false);
    for (int i = 0; i < COUNT; i++) {
        Pose pose = {v3(i * pitch, 0, 0.5 * high), M3_IDENTITY};
        if (i == 0) {
            pose.R = m3_rotation(v3(0, 1, 0), lean);
            pose.r = v3(0.5 * high * sin(lean) - 0.5 * thick * cos(lean) + 0.5 * thick, 0,
                        0.5 * high * cos(lean) + 0.5 * thick * sin(lean));
        }
        int k = add_block(&s, rb_arena_printf(s.arena, "domino%d", i + 1), &dominoes[i],
                          v3(thick, wide, high), pose, true);
        rb_scene_add_solids(scene, floor, &ground, k, &dominoes[i], edge_law(), &s.diag);
        if (i > 0)
            rb_scene_add_solids(scene, before, &dominoes[i - 1], k, &dominoes[i], edge_law(),
                                &s.diag);
        before = k;
    }
    rb_shop_close(&s);
}

// Two cards lean on each other under an angle to the upright; friction of the floor must be at least half its
// tangent.
void rb_scene_cards(RbScene *scene, double angle) {
    const double high = 0.088, wide = 0.063, thick = 0.002;
    RbShop s = rb_shop_open(scene);
    RbMesh ground, cards[2];
    int number[2];
    scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int floor = add_block(&s, "floor", &ground, v3(0.5, 0.2, 0.02),
                          (Pose){v3(0, 0, -0.01), M3_IDENTITY}, false);
    for (int k = 0; k < 2; k++) {
        double sign = k ? 1 : -1, x = 0.5 * high * sin(angle) + 0.5 * thick * cos(angle);
        Pose pose = {v3(sign * x, 0, 0.5 * high * cos(angle) + 0.5 * thick * sin(angle)),
                     m3_rotation(v3(0, 1, 0), -sign * angle)};
        number[k] =
            add_block(&s, k ? "right" : "left", &cards[k], v3(thick, wide, high), pose, true);
        rb_scene_add_solids(scene, floor, &ground, number[k], &cards[k], edge_law(), &s.diag);
    }
    rb_scene_add_solids(scene, number[0], &cards[0], number[1], &cards[1], edge_law(), &s.diag);
    rb_shop_close(&s);
}

// ---- a house of cards ----

typedef struct House {
    RbShop shop;
    RbCardHouse sizes;
    int count;
    int numbers[RB_CARD_HOUSE_MAX];
    RbMesh *meshes[RB_CARD_HOUSE_MAX];
} House;

static const double card_high = 0.088, card_wide = 0.063, card_thick = 0.002; // [m]

// Not quite in line, as cards are laid by hand: sides in one plane are the dearest to tell apart.
static int add_card(House *h, const char *name, Vec3 size, Pose pose, bool free) {
    pose.r.y = 1e-4 * (h->count * 7 % 11 - 5);
    h->meshes[h->count] = rb_new(h->shop.arena, RbMesh);
    h->numbers[h->count] = add_block(&h->shop, name, h->meshes[h->count], size, pose, free);
    return h->count++;
}

static void let_touch(House *h, int a, int b) {
    RbSolidsForce law = edge_law();
    law.volume.mu_static = law.volume.mu_kinetic = h->sizes.friction;
    rb_scene_add_solids(h->shop.scene, h->numbers[a], h->meshes[a], h->numbers[b], h->meshes[b],
                        law, &h->shop.diag);
}

// Two cards that lean on each other over `below`, with their ridge at x and their feet at height z. Answers the first.
static int add_tent(House *h, const char *story, double x, double z, int below) {
    double angle = h->sizes.angle;
    for (int k = 0; k < 2; k++) {
        double sign = k ? 1 : -1,
               off = 0.5 * card_high * sin(angle) + 0.5 * card_thick * cos(angle),
               up = 0.5 * card_high * cos(angle) + 0.5 * card_thick * sin(angle);
        Pose pose = {v3(x + sign * off, 0, z + up), m3_rotation(v3(0, 1, 0), -sign * angle)};
        const char *name = rb_arena_printf(h->shop.arena, "%s_%s_%s", story,
                                           x < 0 ? "left" : "right", k ? "b" : "a");
        int card = add_card(h, name, v3(card_thick, card_wide, card_high), pose, true);
        let_touch(h, below, card);
    }
    let_touch(h, h->count - 2, h->count - 1);
    return h->count - 2;
}

// Each story has two pairs of leaning cards side by side and a roof over both, on which the next one stands.
void rb_scene_card_house(RbScene *scene, RbCardHouse sizes) {
    House h = {.shop = rb_shop_open(scene), .sizes = sizes};
    double angle = sizes.angle, z = 0, top = card_high * cos(angle) + card_thick * sin(angle),
           ridge = card_high * sin(angle) + card_thick * cos(angle) + 0.001;
    scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int below =
        add_card(&h, "floor", v3(0.5, 0.2, 0.02), (Pose){v3(0, 0, -0.01), M3_IDENTITY}, false);
    for (int i = 1; i <= sizes.stories; i++) {
        const char *story = rb_arena_printf(h.shop.arena, "story%d", i);
        int tents[2] = {add_tent(&h, story, -ridge, z, below),
                        add_tent(&h, story, ridge, z, below)};
        z += top;
        Pose pose = {v3(0, 0, z + 0.5 * card_thick), M3_IDENTITY};
        int roof = add_card(&h, rb_arena_printf(h.shop.arena, "roof%d", i),
                            v3(card_high, card_wide, card_thick), pose, true);
        for (int k = 0; k < 4; k++) let_touch(&h, tents[k / 2] + k % 2, roof);
        z += card_thick;
        below = roof;
    }
    rb_shop_close(&h.shop);
}

// A roller lies across two rails.
void rb_scene_rails(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    for (int k = 0; k < 2; k++) {
        RbSceneObject rail =
            rb_solid(k ? "rail2" : "rail1", rb_shape_box(v3(1, 0.04, 0.06)), "Steel");
        rail.object.pose.r = v3(0, k ? 0.15 : -0.15, -0.03);
        rb_scene_add(s, rail);
    }
    rb_scene_add_free(s, "roller", rb_shape_cylinder(2, 0.1, 0.5), "Steel", v3(0, 0, 0.05), V3_ZERO,
                      V3_ZERO);
}
