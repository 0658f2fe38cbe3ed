// SPDX-License-Identifier: MIT
// Restitution and friction of the materials of a scene or a Modelica model, as parameters: they can be overridden before a run, and changed while it
// runs (`rattleback live`, rb_run_set). A change is a new segment, which reads them.
#include <string.h>

#include "component/segment.h"
#include "contact/restitution.h"
#include "multibody/mechanism.h"

typedef struct Names {
    RbContactSide sides[RB_KNOB_MATERIALS];
    int count;
} Names;

static const char *name_of(const RbContactSide *side) {
    return side->contact ? side->contact : side->solid;
}

static bool is_known(const Names *n, const RbContactSide *side) {
    for (int i = 0; i < n->count; i++) {
        if (strcmp(name_of(&n->sides[i]), name_of(side)) == 0) return true;
    }
    return false;
}

// The materials that may touch, in the order of the objects; of a colourful scene only the first ones.
static Names find_names(const RbScene *s) {
    Names n = {0};
    for (int i = 0; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        if (!o->has_shape || !o->object.collidable || !o->solid) continue;
        RbContactSide side = {o->object.name, o->solid, o->contact, o->object.at};
        if (!is_known(&n, &side) && n.count < RB_KNOB_MATERIALS) n.sides[n.count++] = side;
    }
    return n;
}

static bool is_pair(const RbContactKnob *k, const char *a, const char *b) {
    return (strcmp(k->a, a) == 0 && strcmp(k->b, b) == 0) ||
           (strcmp(k->a, b) == 0 && strcmp(k->b, a) == 0);
}

static int declare(RbBuild *build, const RbContactKnob *k, const char *what, const char *words,
                   double value, double most) {
    RbParameterSpec spec = {.name =
                                rb_arena_printf(build->arena, "contact.%s.%s.%s", k->a, k->b, what),
                            .value = value,
                            .unit = "1",
                            .description = words,
                            .max = most};
    return rb_build_parameter(build, &spec);
}

static void add_knob(Mechanism *m, RbBuild *build, const RbMaterials *palette,
                     const RbContactSide *a, const RbContactSide *b) {
    RbDiag quiet = rb_diag(build->arena); // a pair that never touches may be missing
    RbContactMaterial pair;
    if (rb_materials_pair(palette, *a, *b, RB_NOWHERE, &quiet, &pair) != RB_OK) return;
    if (pair.law.response != RB_RESPONSE_ELASTIC || pair.law.normal == RB_NORMAL_USER) return;
    RbContactKnob k = {name_of(a), name_of(b), pair.law.restitution, pair.law.mu_k, 0, 0};
    k.restitution_number = RB_NONE;
    if (pair.law.normal == RB_NORMAL_HERTZ)
        k.restitution_number = declare(build, &k, "restitution",
                                       "speed after a blow by speed before it", k.restitution, 1);
    k.friction_number =
        declare(build, &k, "friction", "coefficient of sliding friction", k.friction, 100);
    rb_array_push(&m->contact.knobs, build->arena, k);
}

void rb_mechanism_declare_knobs(Mechanism *m, RbBuild *build) {
    if (!m->scene->contact) return;
    Names n = find_names(m->scene);
    for (int i = 0; i < n.count; i++) {
        for (int j = i; j < n.count; j++)
            add_knob(m, build, &m->scene->materials, &n.sides[i], &n.sides[j]);
    }
}

// --- of a Modelica model: the materials that are known at translation

// Roles whose parts touch others as a rule.
static bool touches(int role) {
    return role == ROLE_SOLID || role == ROLE_VISUAL || role == ROLE_COLLISION;
}

static Names find_member_names(const Members *m) {
    Names n = {0};
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (!touches(member->role)) continue;
        RbContactSide side = {member->path, rb_member_known_text(m, i, "material"),
                              rb_member_known_text(m, i, "contactMaterial"), member->at};
        if (side.contact && !*side.contact) side.contact = NULL;
        if (side.solid && !is_known(&n, &side) && n.count < RB_KNOB_MATERIALS)
            n.sides[n.count++] = side;
    }
    return n;
}

// A pair of the model has parameters of its own; one whose names are not known yet may be any.
static bool is_said(const Members *m, const char *a, const char *b) {
    for (int i = 0; i < m->gathered->count; i++) {
        int role = rb_member(m, i)->role;
        if (role == ROLE_MATERIAL) {
            const char *name = rb_member_known_text(m, i, "name");
            if (!name || strcmp(name, a) == 0 || strcmp(name, b) == 0) return true;
        }
        if (role != ROLE_PAIR && role != ROLE_SURFACE_PAIR) continue;
        const char *one = rb_member_known_text(m, i, "a"), *other = rb_member_known_text(m, i, "b");
        if (!one || !other) return true;
        if (is_pair(&(RbContactKnob){.a = one, .b = other}, a, b)) return true;
    }
    return false;
}

void rb_members_declare_knobs(Mechanism *m, RbBuild *build) {
    Names n = find_member_names(m->members);
    if (n.count == 0) return;
    RbScene *palette = rb_scene_new(build->arena);
    RbDiag quiet = rb_diag(build->arena);
    if (rb_scene_read_materials(palette, NULL, &quiet) != RB_OK) return;
    for (int i = 0; i < n.count; i++) {
        for (int j = i; j < n.count; j++) {
            if (!is_said(m->members, name_of(&n.sides[i]), name_of(&n.sides[j])))
                add_knob(m, build, &palette->materials, &n.sides[i], &n.sides[j]);
        }
    }
}

// What was not changed stays as the palette says, to the last bit.
static void turn(const RbContactKnob *k, const RbSegment *g, RbContactMaterial *pair) {
    double restitution = k->restitution_number == RB_NONE
                             ? k->restitution
                             : rb_segment_parameter(g, k->restitution_number);
    double friction = rb_segment_parameter(g, k->friction_number);
    if (restitution != k->restitution) {
        pair->law.restitution = restitution;
        pair->dissipation = rb_restitution_dissipation(restitution, pair->law.v_small);
    }
    if (friction != k->friction) {
        pair->law.mu_s = k->friction > 0 ? pair->law.mu_s * (friction / k->friction) : friction;
        pair->law.mu_k = friction;
    }
}

void rb_mechanism_turn_knobs(const Mechanism *m, const RbSegment *g, RbContactSetup *setup) {
    if (m->contact.knobs.count == 0) return;
    int n = setup->material_count;
    const char **name = rb_new_array(g->arena, const char *, n + 1);
    for (int i = setup->element_count - 1; i >= 0; i--)
        name[setup->elements[i].material] = name_of(&setup->elements[i].side);
    for (int p = 0; p < n * n; p++) {
        for (int k = 0; setup->pair_known[p] && k < m->contact.knobs.count; k++) {
            if (is_pair(&m->contact.knobs.data[k], name[p / n], name[p % n]))
                turn(&m->contact.knobs.data[k], g, &setup->pairs[p]);
        }
    }
}
