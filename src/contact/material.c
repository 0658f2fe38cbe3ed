// SPDX-License-Identifier: MIT
#include "contact/material.h"

#include <string.h>

// ---- palettes

static RbSolidMaterial *find_solid(const RbMaterials *m, const char *name) {
    for (int i = 0; i < m->solids.count; i++) {
        if (strcmp(m->solids.data[i].name, name) == 0) return &m->solids.data[i];
    }
    return NULL;
}

static RbPairMaterial *find_pair(const RbMaterials *m, const char *a, const char *b) {
    for (int i = 0; i < m->pairs.count; i++) {
        const RbPairMaterial *p = &m->pairs.data[i];
        bool same = strcmp(p->a, a) == 0 && strcmp(p->b, b) == 0;
        if (same || (strcmp(p->a, b) == 0 && strcmp(p->b, a) == 0)) return &m->pairs.data[i];
    }
    return NULL;
}

RbPos rb_materials_pair_at(const RbMaterials *m, const char *a, const char *b) {
    const RbPairMaterial *pair = find_pair(m, a, b);
    return pair ? pair->at : RB_NOWHERE;
}

void rb_materials_add_solid(RbMaterials *m, RbArena *keep, RbSolidMaterial solid) {
    RbSolidMaterial *old = find_solid(m, solid.name);
    if (old) {
        *old = solid;
    } else {
        rb_array_push(&m->solids, keep, solid);
    }
}

void rb_materials_add_pair(RbMaterials *m, RbArena *keep, RbPairMaterial pair) {
    RbPairMaterial *old = find_pair(m, pair.a, pair.b);
    if (old) {
        *old = pair;
    } else {
        rb_array_push(&m->pairs, keep, pair);
    }
}

// ---- solids of objects

// "Granite" is a part of "WesterlyGranite".
static const char *containing(const RbMaterials *m, const char *name) {
    const char *found = NULL;
    for (int i = 0; i < m->solids.count && strlen(name) >= 3; i++) {
        const char *known = m->solids.data[i].name;
        if (strcasestr(known, name) && (!found || strlen(known) < strlen(found))) found = known;
    }
    return found;
}

const char *rb_materials_near(const RbMaterials *m, const char *name) {
    int limit = (int)strlen(name) / 3 + 1, best = limit + 1;
    const char *found = NULL;
    for (int i = 0; i < m->solids.count; i++) {
        int distance = rb_text_edit_distance(name, m->solids.data[i].name, limit);
        if (distance >= best) continue;
        best = distance;
        found = m->solids.data[i].name;
    }
    return found ? found : containing(m, name);
}

RbStatus rb_materials_solid(const RbMaterials *m, const char *material, const char *object,
                            RbPos at, RbDiag *diag, const RbSolidMaterial **out) {
    *out = find_solid(m, material);
    if (*out) return RB_OK;
    const char *near = rb_materials_near(m, material);
    if (near) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "unknown material '%s' of '%s'; did you mean '%s'?", material, object, near);
    }
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "unknown material '%s' of '%s'; add it to a material file, or a "
                   "Rattleback.Materials.Solid to the model",
                   material, object);
}

RbStatus rb_materials_check_contact(const RbMaterials *m, const char *contact, const char *object,
                                    RbPos at, RbDiag *diag) {
    if (find_solid(m, contact)) return RB_OK;
    for (int i = 0; i < m->pairs.count; i++) {
        const RbPairMaterial *p = &m->pairs.data[i];
        if (strcmp(p->a, contact) == 0 || strcmp(p->b, contact) == 0) return RB_OK;
    }
    const char *near = rb_materials_near(m, contact);
    return rb_fail(diag, RB_ERROR_MODEL, at, "unknown contact material '%s' of '%s'; %s%s%s",
                   contact, object, near ? "did you mean '" : "no pair of a material file names it",
                   near ? near : "", near ? "'?" : "");
}

// ---- pairs of objects

static bool same_laws(const RbPairLaw *a, const RbPairLaw *b) {
    return a->response == b->response && a->normal == b->normal && a->friction == b->friction &&
           a->damping == b->damping && a->faces == b->faces && a->normal != RB_NORMAL_USER &&
           a->normal != RB_NORMAL_FUNCTION;
}

static double mean(double a, double b) {
    return a == b ? a : 0.5 * (a + b);
}

static RbPairLaw average(const RbPairLaw *a, const RbPairLaw *b) {
    RbPairLaw c = *a;
    c.alarm = a->alarm || b->alarm;
    c.restitution = mean(a->restitution, b->restitution);
    c.mu_k = mean(a->mu_k, b->mu_k);
    c.mu_s = mean(a->mu_s, b->mu_s);
    c.mu_r = mean(a->mu_r, b->mu_r);
    c.twist = mean(a->twist, b->twist);
    c.v_small = mean(a->v_small, b->v_small);
    c.w_small = mean(a->w_small, b->w_small);
    c.v_static = mean(a->v_static, b->v_static);
    c.stiffness = mean(a->stiffness, b->stiffness);
    c.exponent = mean(a->exponent, b->exponent);
    c.damper = mean(a->damper, b->damper);
    c.max_friction = mean(a->max_friction, b->max_friction);
    c.bristle_length = mean(a->bristle_length, b->bristle_length);
    c.bristle_time = mean(a->bristle_time, b->bristle_time);
    return c;
}

const char *rb_contact_name(const RbContactSide *side) {
    return side->contact ? side->contact : side->solid;
}

const char *rb_contact_title(const RbContactSide *side) {
    const char *name = rb_contact_name(side);
    if (!side->solid || !side->object) return name;
    size_t length = strlen(side->solid);
    bool own = strncmp(name, side->solid, length) == 0 && strncmp(name + length, " of ", 4) == 0 &&
               strcmp(name + length + 4, side->object) == 0;
    return own ? side->solid : name;
}

static bool seek_law(const RbMaterials *m, const char *a, const char *b, RbPairLaw *out) {
    const RbPairMaterial *pair = find_pair(m, a, b), *aa = find_pair(m, a, a),
                         *bb = find_pair(m, b, b);
    if (pair)
        *out = pair->law;
    else if (aa && bb && same_laws(&aa->law, &bb->law))
        *out = average(&aa->law, &bb->law);
    else
        return false;
    return true;
}

static RbStatus find_law(const RbMaterials *m, RbContactSide s1, RbContactSide s2, RbPos at,
                         RbDiag *diag, RbPairLaw *out) {
    const char *a = rb_contact_name(&s1), *b = rb_contact_name(&s2);
    if (seek_law(m, a, b, out)) return RB_OK;
    const RbPairMaterial *aa = find_pair(m, a, a), *bb = find_pair(m, b, b);
    a = rb_contact_title(&s1), b = rb_contact_title(&s2);
    if (aa && bb) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "no contact data for '%s' (%s) and '%s' (%s), and the laws of each material "
                       "with itself differ, so that no "
                       "average is possible; " RB_ADD_PAIR,
                       s1.object, a, s2.object, b, a, b);
    }
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "no contact data for '%s' (%s) and '%s' (%s), and none for %s with itself to "
                   "average; " RB_ADD_PAIR ", or set the contact material of one of them",
                   s1.object, a, s2.object, b, aa ? b : a, a, b);
}

static RbStatus elastic_constants(const RbMaterials *m, RbContactSide side, RbPos at, RbDiag *diag,
                                  RbElastic *out) {
    const RbSolidMaterial *solid;
    RB_TRY(rb_materials_solid(m, side.solid, side.object, at, diag, &solid));
    *out = solid->elastic;
    if (out->youngs_modulus > 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, solid->at.line > 0 ? solid->at : at,
                   RB_NO_MODULUS " of '%s': " RB_GIVE_MODULUS, solid->name, out->youngs_modulus,
                   side.object);
}

static bool is_hertz(const RbPairLaw *law) {
    return law->response == RB_RESPONSE_ELASTIC && law->normal == RB_NORMAL_HERTZ;
}

RbStatus rb_materials_pair(const RbMaterials *m, RbContactSide s1, RbContactSide s2, RbPos at,
                           RbDiag *diag, RbContactMaterial *out) {
    *out = (RbContactMaterial){0};
    RB_TRY(find_law(m, s1, s2, at, diag, &out->law));
    if (out->law.normal == RB_NORMAL_FUNCTION) { // it need not ask for them
        RbDiag quiet = rb_diag(diag->arena);
        elastic_constants(m, s1, at, &quiet, &out->elastic_1);
        elastic_constants(m, s2, at, &quiet, &out->elastic_2);
    }
    if (!is_hertz(&out->law)) return RB_OK;
    RB_TRY(elastic_constants(m, s1, at, diag, &out->elastic_1));
    return elastic_constants(m, s2, at, diag, &out->elastic_2);
}

const RbSolidMaterial *rb_materials_lack_modulus(const RbMaterials *m, RbContactSide s1,
                                                 RbContactSide s2) {
    RbPairLaw law;
    const RbSolidMaterial *a = find_solid(m, s1.solid), *b = find_solid(m, s2.solid);
    if (!a || !b || !seek_law(m, rb_contact_name(&s1), rb_contact_name(&s2), &law)) return NULL;
    if (!is_hertz(&law)) return NULL;
    return a->elastic.youngs_modulus > 0 ? b->elastic.youngs_modulus > 0 ? NULL : b : a;
}
