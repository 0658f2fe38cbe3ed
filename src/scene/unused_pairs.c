// SPDX-License-Identifier: MIT
// Contact data that the model brings along and that no contact will ever ask for: who says the same again, or why not.
#include <string.h>

#include "scene/scene.h"

// Parts of one contact name that may touch others.
typedef struct Touching {
    const char *name;
    int shapes, surfaces; // how many of them touch by their shape, by their surface
} Touching;

typedef struct Unused {
    RbScene *s;
    RbDiag *diag;
    RbArena scratch;
    RB_ARRAY(Touching) names;
} Unused;

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static bool same_two(const char *a, const char *b, const char *c, const char *d) {
    return (same(a, c) && same(b, d)) || (same(a, d) && same(b, c));
}

// One declaration may stand for several instances, and be copied for parts that are singled out.
static bool same_place(RbPos a, RbPos b) {
    bool file = a.file == b.file || (a.file && b.file && same(a.file, b.file));
    return file && a.line == b.line && a.column == b.column;
}

// ---- who may touch

static void count(Unused *u, const char *name, int shapes, int surfaces) {
    for (int i = 0; i < u->names.count; i++) {
        Touching *t = &u->names.data[i];
        if (!same(t->name, name)) continue;
        t->shapes += shapes;
        t->surfaces += surfaces;
        return;
    }
    rb_array_push(&u->names, &u->scratch, ((Touching){name, shapes, surfaces}));
}

static void count_all(Unused *u) {
    const RbScene *s = u->s;
    for (int i = 1; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        const char *name = o->contact ? o->contact : o->solid;
        if (name && rb_scene_is_wall(o)) count(u, name, !o->by_surface, o->by_surface);
    }
    for (int i = 0; i < s->grains.count; i++) { // many, which touch each other
        const RbSceneGrains *g = &s->grains.data[i];
        const char *name = g->contact ? g->contact : g->solid;
        if (name) count(u, name, 2, 0);
    }
}

static bool have_surface_law(const RbScene *s, const char *a, const char *b) {
    for (int i = 0; i < s->surface_laws.count; i++) {
        if (same_two(s->surface_laws.data[i].a, s->surface_laws.data[i].b, a, b)) return true;
    }
    return false;
}

// Will something ask for the pair of these two?
static bool ask_for_pair(const Unused *u, const Touching *a, const Touching *b) {
    bool one = a == b; // it takes two of them
    int shapes_b = b->shapes - one, all_b = shapes_b + b->surfaces;
    if (a->shapes > 0 && shapes_b > 0) return true;
    bool by_surface = (a->surfaces > 0 && all_b > 0) || (b->surfaces > one && a->shapes > 0);
    return by_surface && !have_surface_law(u->s, a->name, b->name);
}

// Was it said there? An average takes both materials with themselves.
static bool is_said_at(const RbMaterials *m, const char *a, const char *b, RbPos at) {
    RbPos pair = rb_materials_pair_at(m, a, b);
    if (pair.file || pair.line > 0) return same_place(pair, at);
    return same_place(rb_materials_pair_at(m, a, a), at) ||
           same_place(rb_materials_pair_at(m, b, b), at);
}

static bool is_asked_for(const Unused *u, RbPos at) {
    for (int i = 0; i < u->names.count; i++) {
        for (int k = 0; k <= i; k++) {
            const Touching *a = &u->names.data[i], *b = &u->names.data[k];
            if (is_said_at(&u->s->materials, a->name, b->name, at) && ask_for_pair(u, a, b))
                return true;
        }
    }
    return false;
}

// ---- pairs

static bool stands(const RbScene *s, int object) {
    const RbObject *o = &s->objects.data[object].object;
    return o->parent == 0 && !o->moves_freely;
}

// A pair that is another one's, or that no two parts have; said of materials or of parts.
static const RbScenePairSaid *said_at(const RbScene *s, RbPos at) {
    for (int i = 0; i < s->pairs_said.count; i++) {
        if (same_place(s->pairs_said.data[i].at, at)) return &s->pairs_said.data[i];
    }
    return NULL;
}

static void tell_instead(const Unused *u, const char *name, RbPos at, const char *other,
                         RbPos there) {
    rb_warn(u->diag, at,
            "'%s' has no effect: '%s' is about the same parts or materials and counts in its "
            "place: leave one of them out",
            name, other);
    rb_note(u->diag, there, "'%s' is this one", other);
}

// A law of surfaces of the same two, where one of them is a workpiece.
static const RbSceneSurfaceLaw *surface_law_of(const RbScene *s, const RbScenePairSaid *p) {
    for (int i = s->surface_laws.count - 1; i >= 0; i--) {
        const RbSceneSurfaceLaw *l = &s->surface_laws.data[i];
        if (l->used && l->name && same_two(l->a, l->b, p->a, p->b)) return l;
    }
    return NULL;
}

static const char *why_parts(const Unused *u, const RbScenePairSaid *p) {
    const RbScene *s = u->s;
    const int parts[2] = {p->part_a, p->part_b};
    if (p->part_a > 0 && p->part_a == p->part_b)
        return "a part does not touch itself; name another one, or the materials";
    for (int k = 0; k < 2; k++) {
        if (parts[k] > 0 && !rb_scene_is_wall(&s->objects.data[parts[k]]))
            return rb_arena_printf(s->arena, "'%s' touches nothing; let it have collidable = true",
                                   s->objects.data[parts[k]].object.name);
    }
    if (p->part_a > 0 && p->part_b > 0 && stands(s, p->part_a) && stands(s, p->part_b))
        return "both parts are fixed in the world and cannot touch; let one of them move";
    return NULL;
}

static void look_at_pair(const Unused *u, const RbScenePairSaid *p) {
    const char *why = why_parts(u, p);
    if (!why && is_asked_for(u, p->at)) return;
    RbPos there = rb_materials_pair_at(&u->s->materials, p->a, p->b);
    const RbScenePairSaid *later = said_at(u->s, there);
    const RbSceneSurfaceLaw *law = surface_law_of(u->s, p);
    if (!why && later && !same_place(there, p->at))
        tell_instead(u, p->name, p->at, later->name, later->at);
    else if (!why && law)
        tell_instead(u, p->name, p->at, law->name, law->at);
    else
        rb_warn(u->diag, p->at, "'%s' of '%s' and '%s' has no effect: %s", p->name, p->typed_a,
                p->typed_b,
                why ? why
                    : "there are no two parts of these names or materials that could touch; name "
                      "some of the model, or leave it out");
}

// ---- laws of surfaces

// Copies for parts that are singled out have the place of the first.
static bool is_used(const RbScene *s, RbPos at) {
    for (int i = 0; i < s->surface_laws.count; i++) {
        if (s->surface_laws.data[i].used && same_place(s->surface_laws.data[i].at, at)) return true;
    }
    return false;
}

// The one that acts where a law, or a copy of it, would have.
static const RbSceneSurfaceLaw *law_in_place_of(const RbScene *s, RbPos at) {
    for (int i = 0; i < s->surface_laws.count; i++) {
        const RbSceneSurfaceLaw *l = &s->surface_laws.data[i];
        if (!same_place(l->at, at)) continue;
        for (int k = i + 1; k < s->surface_laws.count; k++) {
            const RbSceneSurfaceLaw *other = &s->surface_laws.data[k];
            if (other->used && other->name && same_two(l->a, l->b, other->a, other->b))
                return other;
        }
    }
    return NULL;
}

static void look_at_law(const Unused *u, const RbSceneSurfaceLaw *l) {
    const RbSceneSurfaceLaw *other = law_in_place_of(u->s, l->at);
    if (!l->name || is_used(u->s, l->at) || !rb_scene_tell_once(u->s, l->at, "unused")) return;
    if (other)
        tell_instead(u, l->name, l->at, other->name, other->at);
    else
        rb_warn(u->diag, l->at,
                "the law of '%s' has no effect: no Parts.Workpiece and part of these names or "
                "materials can touch; shapes have a Rattleback.Materials.Pair",
                l->name);
}

void rb_scene_warn_of_unused_pairs(RbScene *s, RbDiag *diag) {
    if (!s->contact) return;
    RbArena *scratch = rb_arena_child(s->arena);
    Unused u = {.s = s, .diag = diag, .scratch = *scratch};
    count_all(&u);
    for (int i = 0; i < s->surface_laws.count; i++) look_at_law(&u, &s->surface_laws.data[i]);
    for (int i = 0; i < s->pairs_said.count; i++) {
        if (rb_scene_tell_once(s, s->pairs_said.data[i].at, "unused"))
            look_at_pair(&u, &s->pairs_said.data[i]);
    }
    rb_arena_free(scratch);
}
