// SPDX-License-Identifier: MIT
// Collision bodies and the laws of their pairs as a scene: every body has a contact material of its own.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world.h"

enum { SEGMENTS = 48 };

// ---------------------------------------------------------------------------------------------------
// laws of pairs

static bool concerns(const double *law, int id_a, int id_b) {
    double a = law[RATTLEBACK_LAW_A], b = law[RATTLEBACK_LAW_B];
    return ((a == 0 || a == id_a) && (b == 0 || b == id_b)) ||
           ((a == 0 || a == id_b) && (b == 0 || b == id_a));
}

static void put(double *value, double given) {
    if (given >= 0) *value = given;
}

// ORDER RattlebackContact.Types.Friction
static const RbFrictionLaw frictions[] = {RB_FRICTION_SLIDING, RB_FRICTION_STATIC,
                                          RB_FRICTION_CURVE};

static void change_law(RbPairLaw *pair, double *modulus, const double *law) {
    int friction = (int)law[RATTLEBACK_LAW_FRICTION] - 2;
    if (law[RATTLEBACK_LAW_NORMAL] == 2) pair->normal = RB_NORMAL_SPRING_DAMPER;
    pair->response = law[RATTLEBACK_LAW_NORMAL] == 3 ? RB_RESPONSE_NONE : RB_RESPONSE_ELASTIC;
    if (friction >= 0 && friction < 3) pair->friction = frictions[friction];
    put(&pair->restitution, law[RATTLEBACK_LAW_RESTITUTION]);
    put(&pair->mu_k, law[RATTLEBACK_LAW_MU_K]);
    put(&pair->mu_s, law[RATTLEBACK_LAW_MU_S]);
    put(&pair->mu_r, law[RATTLEBACK_LAW_MU_R]);
    put(&pair->v_small, law[RATTLEBACK_LAW_V_SMALL]);
    put(&pair->w_small, law[RATTLEBACK_LAW_W_SMALL]);
    put(&pair->v_static, law[RATTLEBACK_LAW_V_STATIC]);
    put(&pair->stiffness, law[RATTLEBACK_LAW_STIFFNESS]);
    put(&pair->exponent, law[RATTLEBACK_LAW_EXPONENT]);
    put(&pair->damper, law[RATTLEBACK_LAW_DAMPER]);
    put(&pair->max_friction, law[RATTLEBACK_LAW_MAX_FRICTION]);
    put(modulus, law[RATTLEBACK_LAW_MODULUS]);
}

// What sticks has states that come and go, which nobody here could integrate.
static const char *law_of(RattlebackContact *c, RbSceneBuilder *scene, int i, int j,
                          RbPairLaw *pair, double *modulus) {
    const Body *a = &c->bodies[i], *b = &c->bodies[j];
    RbStatus known = rb_builder_pair_law(scene, a->material, b->material, pair, modulus);
    bool given = false;
    if (known != RB_OK) *pair = rb_pair_law_default(), *modulus = 0;
    if (pair->friction == RB_FRICTION_AUTO || pair->friction == RB_FRICTION_BRISTLE)
        pair->friction = RB_FRICTION_SLIDING;
    for (int k = 0; k < c->law_count; k++) {
        if (!concerns(c->laws[k], i + 1, j + 1)) continue;
        given = true;
        change_law(pair, modulus, c->laws[k]);
    }
    if ((a->is.fixed && b->is.fixed) || a->root == b->root)
        pair->response = RB_RESPONSE_NONE;
    else if (known != RB_OK && !given)
        return contact_fail_status(c, known);
    return NULL;
}

static void contact_material(int i, char name[NAME]) {
    snprintf(name, NAME, "collision body %d", i + 1);
}

static const char *set_pairs(RattlebackContact *c, RbSceneBuilder *scene) {
    for (int i = 0; i < c->body_count; i++) {
        for (int j = i; j < c->body_count; j++) {
            char a[NAME], b[NAME];
            RbPairLaw pair = rb_pair_law_default();
            double modulus;
            if (i == j)
                pair.response = RB_RESPONSE_NONE;
            else
                TRY(law_of(c, scene, i, j, &pair, &modulus));
            contact_material(i, a);
            contact_material(j, b);
            TRY_STATUS(c, rb_builder_set_pair(scene, a, b, &pair));
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// shapes

// ORDER shapes in rattleback_contact.h, from 1
static const RbSolidKind kinds[] = {
    RB_SOLID_SPHERE, RB_SOLID_ELLIPSOID, RB_SOLID_BOX,  RB_SOLID_CYLINDER,
    RB_SOLID_CONE,   RB_SOLID_CAPSULE,   RB_SOLID_BEAM, RB_SOLID_HALFSPACE,
    RB_SOLID_MESH,   RB_SOLID_MESH,      RB_SOLID_MESH,
};

static void size_solid(RbSolid *s, const RattlebackContactBody *b) {
    memcpy(s->lengths, b->size, sizeof s->lengths);
    s->diameter = b->size[0];
    s->length = b->size[1];
    s->top_diameter = b->size[2];
    if (b->shape == RATTLEBACK_CONTACT_BEAM)
        s->length = b->size[0], s->width = b->size[1], s->thickness = b->size[2];
    s->axis = b->axis;
    s->smoothing = b->smoothing;
    s->mesh_file = b->file;
    s->mesh_scale = b->scale;
    s->mesh_parts = b->shape == RATTLEBACK_CONTACT_PARTS;
    s->no_contact = b->shape == RATTLEBACK_CONTACT_SURFACE;
}

static const char *add_solid(RattlebackContact *c, RbSceneBuilder *scene, int i,
                             const RattlebackContactPoses *poses) {
    Body *b = &c->bodies[i], *root = &c->bodies[b->root];
    int kind = b->is.shape - 1;
    if (kind < 0 || kind >= (int)(sizeof kinds / sizeof *kinds))
        return contact_fail(c, "collision body '%s': there is no shape %d", b->name, b->is.shape);
    char contact[NAME];
    contact_material(i, contact);
    RbSolid solid = rb_solid_default(b->name, kinds[kind], b->material);
    size_solid(&solid, &b->is);
    solid.contact_material = contact;
    solid.mass = b->is.mass;
    b->built = contact_place_built(c, i, poses);
    if (b != root) solid.parent = root->object;
    solid.free = b == root && !b->is.fixed;
    memcpy(solid.position, b->built.r, sizeof solid.position);
    contact_quaternion(b->built.R, solid.rotation);
    TRY_STATUS(c, rb_builder_add_solid(scene, &solid, &b->object));
    return NULL;
}

const char *contact_find_root(RattlebackContact *c, int i) {
    int at = i, steps = 0;
    for (; c->bodies[at].is.part_of != 0 && steps <= c->body_count; steps++) {
        int next = c->bodies[at].is.part_of - 1;
        if (next < 0 || next >= c->body_count)
            return contact_fail(c, "collision body '%s' is a part of body %d, which is none",
                                c->bodies[at].name, next + 1);
        at = next;
    }
    if (steps > c->body_count)
        return contact_fail(c, "collision body '%s' is a part of itself", c->bodies[i].name);
    c->bodies[i].root = at;
    return NULL;
}

// The mesh that stands for a shape where a surface touches it; *round: it is exact.
static RbStatus mesh_of(RbContext *context, const RattlebackContactBody *b, RbWorkpiece **mesh,
                        double round[3]) {
    const double *d = b->size;
    *mesh = NULL;
    RbStatus status = RB_OK;
    if (b->shape == RATTLEBACK_CONTACT_SPHERE) {
        for (int k = 0; k < 3; k++) round[k] = d[0] / 2;
    } else if (b->shape == RATTLEBACK_CONTACT_ELLIPSOID) {
        for (int k = 0; k < 3; k++) round[k] = d[k] / 2;
    } else if (b->shape == RATTLEBACK_CONTACT_BOX) {
        status = rb_workpiece_box(context, d, mesh);
        if (status == RB_OK)
            status =
                rb_workpiece_map(*mesh, NULL, (double[]){-d[0] / 2, -d[1] / 2, -d[2] / 2}, mesh);
    } else if (b->shape == RATTLEBACK_CONTACT_CYLINDER || b->shape == RATTLEBACK_CONTACT_CONE) {
        bool cone = b->shape == RATTLEBACK_CONTACT_CONE;
        double m[9] = {0}, middle[3] = {0}; // z becomes the axis
        for (int k = 0; k < 3; k++) m[3 * ((b->axis + k) % 3) + k] = 1;
        middle[b->axis - 1] = cone ? 0 : -d[1] / 2;
        status =
            rb_workpiece_cone(context, d[0] / 2, (cone ? d[2] : d[0]) / 2, d[1], SEGMENTS, mesh);
        if (status == RB_OK) status = rb_workpiece_map(*mesh, m, middle, mesh);
    } else if (b->shape >= RATTLEBACK_CONTACT_HULL) {
        status = rb_workpiece_read(context, b->file, b->scale, mesh);
    }
    return status;
}

static const char *add_surface(RattlebackContact *c, RbSceneBuilder *scene, int i, int j) {
    RbPairLaw pair;
    double modulus, round[3] = {0};
    TRY(law_of(c, scene, i, j, &pair, &modulus));
    if (pair.response == RB_RESPONSE_NONE) return NULL;
    RbWorkpiece *a, *b;
    TRY_STATUS(c, mesh_of(c->context, &c->bodies[i].is, &a, round));
    TRY_STATUS(c, mesh_of(c->context, &c->bodies[j].is, &b, round));
    if (!b && round[0] == 0)
        return contact_fail(
            c,
            "collision bodies '%s' and '%s': a surface touches spheres, ellipsoids, boxes, "
            "cylinders, cones and "
            "meshes; choose another shape, or a law without contact for this pair",
            c->bodies[i].name, c->bodies[j].name);
    RbMeshContact contact = rb_mesh_contact_default(c->bodies[i].object, a, c->bodies[j].object, b);
    memcpy(contact.round_b, round, sizeof round);
    if (modulus > 0) contact.modulus = modulus;
    contact.restitution = pair.restitution;
    contact.mu_kinetic = pair.mu_k;
    contact.mu_static = fmax(pair.mu_s, pair.mu_k);
    contact.sticks = false;
    TRY_STATUS(c, rb_builder_add_mesh_contact(scene, &contact));
    return NULL;
}

static const char *add_surfaces(RattlebackContact *c, RbSceneBuilder *scene) {
    for (int i = 0; i < c->body_count; i++) {
        if (c->bodies[i].is.shape != RATTLEBACK_CONTACT_SURFACE) continue;
        for (int j = 0; j < c->body_count; j++) {
            bool other = c->bodies[j].is.shape != RATTLEBACK_CONTACT_SURFACE;
            if (other || j > i) TRY(add_surface(c, scene, i, j));
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// all of it

const char *contact_fill_scene(RattlebackContact *c, RbSceneBuilder *scene,
                               const RattlebackContactPoses *poses) {
    TRY_STATUS(c, rb_builder_gravity(scene, (double[]){0, 0, 0}));
    TRY(set_pairs(c, scene));
    for (int parts = 0; parts < 2; parts++) {
        for (int i = 0; i < c->body_count; i++) {
            if ((c->bodies[i].root != i) == parts) TRY(add_solid(c, scene, i, poses));
        }
    }
    return add_surfaces(c, scene);
}
