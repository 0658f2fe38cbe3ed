// SPDX-License-Identifier: MIT
// What contact will not resolve is told when a run starts: bodies so thin that a small fall is too hard for them, and bodies so light and stiff that they rest no deeper than places are rounded.
#include <float.h>
#include <math.h>

#include "contact/pair.h"
#include "multibody/mechanism.h"

static const double THIN = 1e-3; // of the size
static const double ROUNDINGS =
    75; // that a depth at rest should have: below, runs crawl (docs/guide/scenes.md)
static const double STIFFEST = 1e12; // [Pa]
enum { PARTNERS = 64 };              // enough to meet every material

typedef struct Touching {
    int a, b;         // elements; a moves
    bool patch;       // presses over faces
    double mass;      // [kg] the lighter one
    double width;     // [m] of a face
    double modulus;   // [Pa]
    double stiffness; // of a point
    double exponent;
} Touching;

static double mass_of(const Mechanism *m, int element) {
    int body = m->contact.setup->elements[element].body;
    double mass = body > 0 ? m->structure.tree.bodies.data[body].inertia.m : 0;
    return mass > 0 ? mass : (double)INFINITY;
}

// A cube has this side.
static double width_of(const RbElement *e) {
    return e->core->size / sqrt(3);
}

static bool touching(const Mechanism *m, int a, int b, Touching *out) {
    const RbContactSetup *s = m->contact.setup;
    const RbContactMaterial *material = rb_contact_material_of(s, a, b);
    if (!material || material->law.response != RB_RESPONSE_ELASTIC ||
        !rb_contacts_may_touch(s, a, b))
        return false;
    double R = rb_contact_radius(s->elements[a].shape, s->elements[b].shape),
           mass = fmin(mass_of(m, a), mass_of(m, b));
    RbContactLaw law = rb_contact_law(material, R, &s->options.scene, (RbBlow){.mass = mass});
    *out = (Touching){.a = a,
                      .b = b,
                      .patch = rb_pair_has_patch(s, a, b),
                      .mass = mass,
                      .width = fmin(width_of(&s->elements[a]), width_of(&s->elements[b])),
                      .modulus = law.modulus,
                      .stiffness = law.stiffness,
                      .exponent = law.exponent};
    return law.stiffness > 0;
}

// ---- thin

// [m] How deep a fall from a height goes, flat: a face is a punch of about modulus times width.
static double depth_of_fall(const Touching *t, double energy) {
    if (t->patch) return sqrt(2 * energy / (t->modulus * t->width));
    double n = t->exponent + 1;
    return pow(n * energy / t->stiffness, 1 / n);
}

typedef struct Thin {
    Touching pair;
    int thin, falls;
    double height, times; // [m]; how much deeper than the limit a fall goes
} Thin;

static bool is_thin(const RbElement *e) {
    return isfinite(e->core->size) && 2 * e->thickness < THIN * e->core->size;
}

static void look_at_thin(const Mechanism *m, const Touching *t, double g, Thin *worst) {
    const RbElement *a = &m->contact.setup->elements[t->a], *b = &m->contact.setup->elements[t->b];
    Thin it = {.pair = *t,
               .thin = a->thickness < b->thickness ? t->a : t->b,
               .falls = mass_of(m, t->a) <= mass_of(m, t->b) ? t->a : t->b};
    if (!is_thin(&m->contact.setup->elements[it.thin])) return;
    it.height = m->contact.setup->elements[it.falls].core->size;
    it.times = depth_of_fall(t, t->mass * g * it.height) /
               rb_contacts_deepest(m->contact.setup, t->a, t->b);
    if (it.times > fmax(1, worst->times)) *worst = it;
}

static void tell_thin(const Mechanism *m, const Thin *it) {
    const RbElement *thin = &m->contact.setup->elements[it->thin],
                    *falls = &m->contact.setup->elements[it->falls];
    const RbElement *onto =
        &m->contact.setup->elements[it->falls == it->pair.a ? it->pair.b : it->pair.a];
    double thickness = 2 * thin->thickness;
    // the mass of what falls grows with its thickness
    double enough = thickness * (it->thin == it->falls ? it->times * it->times : it->times);
    rb_warn(m->diag, thin->side.at,
            "'%s' is %.2g m thin and %.2g m large: a fall of '%s' onto '%s' from %.2g m, flat, "
            "would go deeper "
            "than a quarter of that, where a run ends; make it thicker than %.1g m, or its "
            "material stiffer",
            thin->side.object, thickness, thin->core->size, falls->side.object, onto->side.object,
            it->height, 1.1 * enough);
}

// ---- shallow

typedef struct Shallow {
    Touching pair;
    double depth, rounding; // [m]
} Shallow;

// [m] by which distances of surfaces are off: of the places of both, and of coordinates in the larger one.
static double rounding_of(const Mechanism *m, const MechanismWork *w, int a, int b) {
    const RbElement *p = &m->contact.setup->elements[a], *q = &m->contact.setup->elements[b];
    double place = v3_norm(pose_point(w->moving[p->body].X, p->X_BC.r)),
           size = isfinite(q->core->size) ? fmax(p->core->size, q->core->size) : p->core->size;
    return DBL_EPSILON * (place + 0.25 * size);
}

static void look_at_shallow(const Mechanism *m, const MechanismWork *w, const Touching *t, double g,
                            Shallow *worst) {
    if (!t->patch || mass_of(m, t->a) > mass_of(m, t->b)) return; // the lighter one lies
    Shallow it = {*t, t->mass * g / (t->modulus * t->width), rounding_of(m, w, t->a, t->b)};
    double worse = worst->rounding > 0 ? worst->depth / worst->rounding : ROUNDINGS;
    if (it.depth < worse * it.rounding) *worst = it;
}

static void tell_shallow(const Mechanism *m, const Shallow *it) {
    const RbElement *a = &m->contact.setup->elements[it->pair.a],
                    *b = &m->contact.setup->elements[it->pair.b];
    rb_warn(m->diag, a->side.at,
            "'%s' is so light and stiff that it rests on '%s' %.1g m deep, %.2g times the rounding "
            "of places there (%.1g m), and runs crawl: take a softer material, a larger body, or "
            "smaller coordinates",
            a->side.object, b->side.object, it->depth, it->depth / it->rounding, it->rounding);
}

// ---- all

// What can be known of all elements at once, so that few pairs need to be looked at.
typedef struct Extremes {
    bool thin;     // there is one
    double extent; // [m] no place is farther away, no element larger
} Extremes;

static Extremes extremes_of(const Mechanism *m, const MechanismWork *w) {
    Extremes out = {0};
    for (int i = 0; i < m->contact.setup->element_count; i++) {
        const RbElement *e = &m->contact.setup->elements[i];
        double place = v3_norm(pose_point(w->moving[e->body].X, e->X_BC.r));
        out.thin |= is_thin(e);
        if (isfinite(e->core->size)) out.extent = fmax(out.extent, place + e->core->size);
    }
    return out;
}

static bool may_be_shallow(const Mechanism *m, int a, double g, const Extremes *x) {
    double least = mass_of(m, a) * g / (STIFFEST * width_of(&m->contact.setup->elements[a]));
    return least < ROUNDINGS * DBL_EPSILON * x->extent;
}

void rb_mechanism_tell_unresolved(const Mechanism *m, const RbEvent *event) {
    const RbContactSetup *s = m->contact.setup;
    const RbGravity *gravity = &m->scene->gravity;
    if (!s || gravity->kind != RB_GRAVITY_UNIFORM) return;
    double g = v3_norm(gravity->g);
    if (!(g > 0)) return;
    Extremes x = extremes_of(m, event->workspace);
    Thin thin = {0};
    Shallow shallow = {0};
    for (int a = 0; a < s->element_count; a++) {
        if (!isfinite(mass_of(m, a)) || !(x.thin || may_be_shallow(m, a, g, &x))) continue;
        for (int b = 0; b < s->element_count && b < PARTNERS; b++) {
            Touching t;
            if (s->elements[b].body == s->elements[a].body || !touching(m, a, b, &t)) continue;
            look_at_thin(m, &t, g, &thin);
            look_at_shallow(m, event->workspace, &t, g, &shallow);
        }
    }
    if (thin.times > 0)
        tell_thin(m, &thin); // it is light, too
    else if (shallow.rounding > 0)
        tell_shallow(m, &shallow);
}
