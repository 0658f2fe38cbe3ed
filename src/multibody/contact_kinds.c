// SPDX-License-Identifier: MIT
// Which contact the pairs of a scene get, in words: parts of one shape and one material are told as one.
#include <string.h>

#include "contact/pair.h"
#include "multibody/mechanism.h"
#include "scene/scene_describe.h"

// Elements that are told as one: the first of them, and another one of another object.
typedef struct Kind {
    int first, second; // second = -1: there is none
} Kind;

static bool are_alike(const RbElement *a, const RbElement *b) {
    return a->shape->kind == b->shape->kind && a->material == b->material;
}

static int find_kinds(const Mechanism *m, RbArena *arena, Kind **out) {
    RB_ARRAY(Kind) kinds = {0};
    for (int i = 0; i < m->contact.setup->element_count; i++) {
        int k = 0;
        while (k < kinds.count && !are_alike(&m->contact.setup->elements[i],
                                             &m->contact.setup->elements[kinds.data[k].first]))
            k++;
        if (k == kinds.count)
            rb_array_push(&kinds, arena, ((Kind){i, -1}));
        else if (kinds.data[k].second < 0 &&
                 m->contact.owners[i] != m->contact.owners[kinds.data[k].first])
            kinds.data[k].second = i;
    }
    *out = kinds.data;
    return kinds.count;
}

static const char *how(const RbContactSetup *s, int a, int b) {
    const RbContactMaterial *m = rb_contact_material_of(s, a, b);
    if (!m) return "there are no contact data for them";
    if (m->law.response == RB_RESPONSE_NONE) return "they go through each other";
    if (m->law.response == RB_RESPONSE_OBSERVER) return "seen, without forces";
    if (rb_pair_has_patch(s, a, b)) return "over the patch that they share";
    switch (m->law.normal) {
        case RB_NORMAL_SPRING_DAMPER: return "at a point, by a spring and a damper";
        case RB_NORMAL_USER:
        case RB_NORMAL_FUNCTION: return "at a point, by a function of the model";
        default: return "at a point, by Hertz' law";
    }
}

static void add_pair(const RbContactSetup *s, int a, int b, RbText *out) {
    const RbElement *ea = &s->elements[a], *eb = &s->elements[b];
    rb_text_printf(out, "  %s (%s) and %s (%s): %s\n", rb_shape_kind_name(ea->shape->kind),
                   rb_contact_title(&ea->side), rb_shape_kind_name(eb->shape->kind),
                   rb_contact_title(&eb->side), how(s, a, b));
}

void rb_multibody_contact_kinds(const void *self, RbArena scratch, RbText *out) {
    enum { TOLD = 100 };
    const Mechanism *m = self;
    Kind *kinds;
    int count = m->contact.setup ? find_kinds(m, &scratch, &kinds) : 0, pairs = 0;
    if (count > 0) rb_text_printf(out, "Convex bodies touch:\n");
    for (int i = 0; i < count; i++) {
        for (int k = i; k < count; k++) {
            int other = k > i ? kinds[k].first : kinds[i].second;
            if (other >= 0 && pairs++ < TOLD)
                add_pair(m->contact.setup, kinds[i].first, other, out);
        }
    }
    if (pairs > TOLD) rb_text_printf(out, "  and %d more pairs of kinds\n", pairs - TOLD);
    rb_scene_describe_solids(m->scene, out);
}
