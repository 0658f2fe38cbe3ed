// SPDX-License-Identifier: MIT
// Contact of meshes of include/rattleback/scene.h.
#include <math.h>

#include "api/api_scene.h"
#include "api/api_solid.h"

// ORDER RbMeshLaw
static const RbVolumeForm forms[] = {RB_VOLUME_AREA, RB_VOLUME_DEPTH, RB_VOLUME_POTENTIAL,
                                     RB_VOLUME_BEDDING};

RbMeshContact rb_mesh_contact_default(int a, const RbWorkpiece *mesh_a, int b,
                                      const RbWorkpiece *mesh_b) {
    RbVolumeLaw law = rb_volume_law();
    return (RbMeshContact){.a = a,
                           .b = b,
                           .mesh_a = mesh_a,
                           .mesh_b = mesh_b,
                           .law = RB_MESH_BEDDING,
                           .modulus = law.modulus,
                           .poisson = 0.3,
                           .restitution = law.restitution,
                           .sticks = law.sticks,
                           .mu_static = law.mu_static,
                           .mu_kinetic = law.mu_kinetic,
                           .slip_speed = law.slip_speed};
}

static RbVolumeLaw volume_law(const RbMeshContact *c) {
    RbVolumeLaw law = rb_volume_law();
    law.form = forms[c->law];
    law.modulus = c->modulus;
    law.length = c->length;
    law.restitution = c->restitution;
    law.damping = c->damping;
    law.sticks = c->sticks;
    law.mu_static = c->mu_static;
    law.mu_kinetic = c->mu_kinetic;
    law.slip_speed = c->slip_speed;
    return law;
}

static RbPolygonal layers(const RbMeshContact *c) {
    RbPolygonalLayer layer = {c->modulus, c->poisson, c->length};
    return (RbPolygonal){.task = RB_POLYGONAL_BOTH,
                         .a = layer,
                         .b = layer,
                         .compression = c->damping,
                         .expansion = c->damping,
                         .mode = RB_POLYGONAL_NO_PULL,
                         .friction = c->mu_kinetic,
                         .slip_speed = c->slip_speed,
                         .max_penetration = c->length};
}

RbStatus rb_builder_add_mesh_contact(RbSceneBuilder *b, const RbMeshContact *contact) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, contact);
    RB_NEED(b->context, contact->mesh_a);
    bool round = contact->round_b[0] != 0 || contact->round_b[1] != 0 || contact->round_b[2] != 0;
    if (!contact->mesh_b && !round) RB_NEED(b->context, contact->mesh_b);
    if (contact->mesh_b && round)
        return rb_bad_argument(b->context, __func__, "contact->mesh_b",
                               "is not NULL beside round_b");
    if (contact->mesh_a->context != b->context ||
        (contact->mesh_b && contact->mesh_b->context != b->context))
        return rb_bad_argument(b->context, __func__, "contact", "has a mesh of another context");
    if (contact->a == contact->b)
        return rb_bad_argument(b->context, __func__, "contact->b", "is the object contact->a");
    if (contact->law < RB_MESH_VOLUME_AREA || contact->law > RB_MESH_LAYERS)
        return rb_bad_argument(b->context, __func__, "contact->law", "is no law of meshes");
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RB_TRY(rb_scene_check_object(b, contact->a));
    RB_TRY(rb_scene_check_object(b, contact->b));
    RbSolidsForce f = {.law =
                           contact->law == RB_MESH_LAYERS ? RB_SOLIDS_POLYGONAL : RB_SOLIDS_VOLUME};
    if (contact->law == RB_MESH_LAYERS)
        f.polygonal = layers(contact);
    else
        f.volume = volume_law(contact);
    RbDiag *diag = &b->context->diag;
    if (contact->mesh_b)
        RB_TRY(rb_scene_add_solids(s, contact->a, &contact->mesh_a->mesh, contact->b,
                                   &contact->mesh_b->mesh, f, diag));
    else
        RB_TRY(rb_scene_add_round(s, contact->a, &contact->mesh_a->mesh, contact->b,
                                  v3_load(contact->round_b), f, diag));
    s->solids.data[s->solids.count - 1].show = contact->show;
    return RB_OK;
}
