// SPDX-License-Identifier: MIT
// Materials, and contact data of pairs, that a model brings along: of two materials, or of single parts,
// which then differ from their material for this partner alone.
#include <string.h>

#include "component/segment.h"
#include "multibody/members.h"

typedef struct Palette {
    Members *m;
    const RbSegment *segment;
    RbScene *scene;
    int (*find)(void *user, int member, const char *name);
    void *user;
} Palette;

static double number(const Palette *p, int i, const char *name, double otherwise) {
    const double *v = rb_member_numbers(p->m, p->segment, i, name);
    return v ? *v : otherwise;
}

static RbStatus add_material(const Palette *p, int i) {
    RbSolidMaterial solid = {
        .name = rb_member_text(p->m, p->segment, i, "name"),
        .at = rb_member(p->m, i)->at,
        .density = number(p, i, "density", 0),
        .elastic = {number(p, i, "youngsModulus", 0), number(p, i, "poissonsRatio", 0)}};
    if (!solid.name) solid.name = rb_member(p->m, i)->path;
    RbStatus status = rb_materials_check_solid(&solid, p->m->arena, p->segment->diag);
    if (status != RB_OK) {
        rb_note(p->segment->diag, solid.at, "'%s' says so", rb_member(p->m, i)->path);
        return status;
    }
    rb_materials_add_solid(&p->scene->materials, p->m->arena, solid);
    return RB_OK;
}

// --- pairs ---------------------------------------------------------------------------------------

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

// Under a name of its own a part has all pairs that its material had.
static const char *single_out(const Palette *p, RbSceneObject *o) {
    RbMaterials *materials = &p->scene->materials;
    const char *old = o->contact ? o->contact : o->solid;
    const char *own = rb_arena_printf(p->m->arena, "%s of %s", old, o->object.name);
    if (same(old, own)) return own;
    int count = materials->pairs.count;
    for (int k = 0; k < count; k++) {
        RbPairMaterial pair = materials->pairs.data[k];
        bool a = same(pair.a, old), b = same(pair.b, old);
        if (!a && !b) continue;
        if (a && b) { // with others of the old name, and with itself
            rb_materials_add_pair(materials, p->m->arena,
                                  (RbPairMaterial){own, old, pair.at, pair.law});
            rb_materials_add_pair(materials, p->m->arena,
                                  (RbPairMaterial){own, own, pair.at, pair.law});
            continue;
        }
        rb_materials_add_pair(
            materials, p->m->arena,
            (RbPairMaterial){a ? own : pair.a, b ? own : pair.b, pair.at, pair.law});
    }
    return o->contact = own;
}

static bool is_contact_name(const Palette *p, const char *name) {
    for (int i = 0; i < p->scene->objects.count; i++) {
        const RbSceneObject *o = &p->scene->objects.data[i];
        if (o->contact && same(o->contact, name)) return true;
    }
    for (int i = 0; i < p->scene->materials.solids.count; i++) {
        if (same(p->scene->materials.solids.data[i].name, name)) return true;
    }
    return false;
}

// What the table of pairs calls one side: a material, or a part that gets a name of its own there.
static RbStatus find_side(const Palette *p, int i, const char *which, const char **out) {
    const char *name = rb_member_text(p->m, p->segment, i, which);
    int object = name ? p->find(p->user, i, name) : -1;
    if (object > 0 && p->scene->objects.data[object].has_shape) {
        *out = single_out(p, &p->scene->objects.data[object]);
        return RB_OK;
    }
    *out = name;
    if (name && is_contact_name(p, name)) return RB_OK;
    return rb_fail(p->segment->diag, RB_ERROR_MODEL, rb_member(p->m, i)->at,
                   "'%s' speaks of '%s', which is no material and no part with a shape",
                   rb_member(p->m, i)->path, name ? name : "");
}

static RbStatus add_pair(const Palette *p, int i) {
    RbPairMaterial pair = {.at = rb_member(p->m, i)->at, .law = rb_pair_law_default()};
    RB_TRY(find_side(p, i, "a", &pair.a));
    RB_TRY(find_side(p, i, "b", &pair.b));
    RbPairLaw *law = &pair.law;
    law->restitution = number(p, i, "restitution", law->restitution);
    law->mu_k = law->mu_s = number(p, i, "slidingFriction", 0);
    law->mu_r = number(p, i, "rollingResistance", 0);
    law->twist = number(p, i, "twistingFriction", law->twist);
    law->v_small = number(p, i, "smallSpeed", law->v_small);
    law->w_small = number(p, i, "smallSpin", law->w_small);
    law->stiffness = number(p, i, "stiffness", 0);
    law->exponent = number(p, i, "exponent", law->exponent);
    law->damper = number(p, i, "damper", 0);
    if (law->stiffness > 0) law->normal = RB_NORMAL_SPRING_DAMPER;
    RbStatus status = rb_materials_check_pair(&pair, p->m->arena, p->segment->diag);
    if (status == RB_OK)
        rb_materials_add_pair(&p->scene->materials, p->m->arena, pair);
    else
        rb_note(p->segment->diag, pair.at, "'%s' says so", rb_member(p->m, i)->path);
    return status;
}

RbStatus rb_members_add_materials(Members *m, const RbSegment *segment, RbScene *scene,
                                  int (*find)(void *user, int member, const char *name),
                                  void *user) {
    Palette p = {m, segment, scene, find, user};
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role == ROLE_MATERIAL) RB_TRY(add_material(&p, i));
    }
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role == ROLE_PAIR) RB_TRY(add_pair(&p, i));
    }
    return RB_OK;
}
