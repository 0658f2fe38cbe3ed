// SPDX-License-Identifier: MIT
// What somebody typed and what cannot act: nothing of it goes unsaid.
#include <math.h>
#include <string.h>

#include "scene/scene.h"

bool rb_scene_tell_once(RbScene *s, RbPos at, const char *what) {
    for (int i = 0; i < s->told.count; i++) {
        const RbSceneTold *t = &s->told.data[i];
        bool here =
            t->at.line == at.line && t->at.column == at.column &&
            (t->at.file == at.file || (t->at.file && at.file && strcmp(t->at.file, at.file) == 0));
        if (here && strcmp(t->what, what) == 0) return false;
    }
    rb_array_push(&s->told, s->arena, ((RbSceneTold){at, what}));
    return true;
}

// ---- pairs of materials or parts ----

static const char *name_of(const RbSceneObject *o) {
    return o->contact ? o->contact : o->solid;
}

// The place of the pair, or if it is an average that of the first object.
static RbPos place_of(const RbScene *s, const RbSceneObject *a, const RbSceneObject *b) {
    RbPos at = rb_materials_pair_at(&s->materials, name_of(a), name_of(b));
    return at.file || at.line > 0 ? at : a->object.at;
}

static void warn_of_pair(RbScene *s, const RbSceneObject *a, const RbSceneObject *b,
                         const char *what, const char *why, RbDiag *diag) {
    RbPos at = place_of(s, a, b);
    if (rb_scene_tell_once(s, at, what))
        rb_warn(diag, at, "%s has no effect where '%s' touches '%s' by its surface: %s", what,
                a->object.name, b->object.name, why);
}

static void warn_of_world(RbScene *s, const char *what, const RbSceneObject *a, const char *why,
                          RbDiag *diag) {
    RbPos at = s->objects.data[0].object.at;
    if (rb_scene_tell_once(s, at, what))
        rb_warn(diag, at, "%s has no effect where '%s' touches by its surface: %s", what,
                a->object.name, why);
}

static void warn_of_damping(RbScene *s, const RbSceneObject *a, RbDiag *diag) {
    if (s->damping == RB_DAMPING_FLORES)
        warn_of_world(s, "contactDamping = Flores", a,
                      "there impacts return with the restitution that was typed, or give a "
                      "SurfacePair a damping",
                      diag);
}

static void warn_of_faces(RbScene *s, const RbSceneObject *a, const RbSceneObject *b,
                          const RbPairLaw *l, RbDiag *diag) {
    const char *over = "it presses over the patch that both share, from which twisting follows";
    if (s->faces == RB_FACES_POINT)
        warn_of_world(s, "publishedLaws, but for friction,", a, over, diag);
    else if (l->twist != 1)
        warn_of_pair(s, a, b, "twistingFriction", over, diag);
    if (l->faces == RB_FACES_POINT) warn_of_pair(s, a, b, "faces = point", over, diag);
}

static const char *law_along_normal(const RbPairLaw *l) {
    switch (l->normal) {
        case RB_NORMAL_SPRING_DAMPER: return "stiffness";
        case RB_NORMAL_FUNCTION: return "normalForce";
        case RB_NORMAL_USER: return "the law of the caller";
        default: return NULL;
    }
}

RbStatus rb_scene_check_pair_law(RbScene *s, const RbSceneObject *a, const RbSceneObject *b,
                                 const RbPairLaw *l, RbDiag *diag) {
    if (l->response != RB_RESPONSE_ELASTIC) return RB_OK;
    const char *normal = law_along_normal(l);
    if (normal)
        return rb_fail(
            diag, RB_ERROR_MODEL, place_of(s, a, b),
            "%s is a law for one point, and '%s' touches '%s' by its surface: give these "
            "two a Materials.Pair or a Materials.SurfacePair of their own (a = \"%s\", b "
            "= \"%s\"), or make them of Parts.Solid or Parts.Pieces",
            normal, a->object.name, b->object.name, a->object.name, b->object.name);
    warn_of_damping(s, a, diag);
    warn_of_faces(s, a, b, l, diag);
    if (l->friction == RB_FRICTION_STATIC && l->max_friction < 1e300)
        warn_of_pair(s, a, b, "maximumFriction",
                     "there friction has no limit but that of its coefficient", diag);
    return RB_OK;
}

// ---- laws of surfaces ----

static void warn_of_law(RbScene *s, const RbSceneSurfaceLaw *law, const char *what, const char *why,
                        RbDiag *diag) {
    if (law->name && rb_scene_tell_once(s, law->at, what))
        rb_warn(diag, law->at, "%s of '%s' has no effect: %s", what, law->name, why);
}

void rb_scene_warn_of_surface_law(RbScene *s, const RbSceneSurfaceLaw *law, const RbSceneObject *b,
                                  RbDiag *diag) {
    bool round = b->shape.kind == RB_SHAPE_SPHERE || b->shape.kind == RB_SHAPE_ELLIPSOID;
    const RbVolumeLaw *v = &law->element.volume;
    if (law->element.law != RB_SOLIDS_VOLUME) return;
    bool smooth = v->form == RB_VOLUME_POTENTIAL || v->form == RB_VOLUME_BEDDING;
    if (v->length > 0 && round && v->form == RB_VOLUME_BEDDING && law->name &&
        rb_scene_tell_once(s, law->at, "length beside what is round"))
        rb_warn(diag, law->at,
                "length of '%s' has no effect on '%s', which is round and presses as by Hertz",
                law->name, b->object.name);
    if (v->length > 0 && !smooth)
        warn_of_law(s, law, "length", "only the forms potential and bedding have one", diag);
    if (!v->tractions && smooth)
        warn_of_law(s, law, "tractions = false",
                    "the forms potential and bedding act over the patch", diag);
    if (v->spin > 0 && (v->tractions || smooth))
        warn_of_law(s, law, "spinDamping",
                    "where forces act over the patch, spinning is resisted by their friction",
                    diag);
}
