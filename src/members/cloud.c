// SPDX-License-Identifier: MIT
// Solids that are spheres, move freely and are connected to nothing can be grains of the cloud: World.particles.
#include <string.h>

#include "component/segment.h"
#include "members/members.h"

enum { CHOICE_AUTO = 1, CHOICE_EVENTS, CHOICE_CLOUD }; // ORDER World.ParticleChoice
enum { AUTO_FROM = 2000 };                             // spheres

typedef struct Spheres {
    const Members *m;
    const RbSegment *segment;
} Spheres;

static double number(const Spheres *s, int i, const char *name, double otherwise) {
    const double *v = rb_member_numbers(s->m, s->segment, i, name);
    return v ? *v : otherwise;
}

static Vec3 vector(const Spheres *s, int i, const char *name) {
    const double *v = rb_member_numbers(s->m, s->segment, i, name);
    return v ? v3_load(v) : V3_ZERO;
}

// How many frames are in each connection set.
static int *count_frames(const Members *m) {
    int *used = rb_new_array(m->arena, int, m->gathered->set_count + 1);
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        for (int k = 0; k < member->set_count; k++) {
            if (member->sets[k] >= 0) used[member->sets[k]]++;
        }
    }
    return used;
}

static bool is_loose(const Spheres *s, int i, const int *used) {
    const RbMember *member = rb_member(s->m, i);
    if (member->role != ROLE_SOLID || used[member->sets[0]] > 1) return false;
    if (member->sets[1] >= 0 && used[member->sets[1]] > 1) return false;
    return number(s, i, "shape.kind", 0) == RB_SHAPE_SPHERE + 1 && number(s, i, "fixed", 0) == 0 &&
           number(s, i, "present", 1) != 0 && number(s, i, "collidable", 1) != 0 &&
           number(s, i, "mass", 0) == 0 && v3_norm2(vector(s, i, "r_shape")) == 0;
}

// Somebody who may speak of a part by its name; -1: nobody.
static int who_names_parts(const Members *m) {
    for (int i = 0; i < m->gathered->count; i++) {
        int role = rb_member(m, i)->role;
        if (role == ROLE_ACTION || role == ROLE_CONTACT) return i;
    }
    return -1;
}

RbStatus rb_members_loose_spheres(const Members *m, const RbSegment *segment, int world,
                                  const bool **loose) {
    Spheres s = {m, segment};
    int choice = world < 0 ? CHOICE_EVENTS : (int)number(&s, world, "particles", CHOICE_AUTO);
    *loose = NULL;
    if (choice == CHOICE_EVENTS || m->gathered->count < (choice == CHOICE_AUTO ? AUTO_FROM : 1))
        return RB_OK;
    bool *is = rb_new_array(m->arena, bool, m->gathered->count);
    const int *used = count_frames(m);
    int count = 0, namer = who_names_parts(m);
    for (int i = 0; i < m->gathered->count; i++) count += is[i] = is_loose(&s, i, used);
    // Grains know uniform gravity only.
    bool varies = number(&s, world, "gravityType", 2) == 3 ||
                  rb_member_function(m, segment, world, "field") != NULL;
    if (choice == CHOICE_AUTO && (count < AUTO_FROM || namer >= 0 || varies)) return RB_OK;
    if (count > 0 && namer >= 0)
        return rb_fail(
            segment->diag, RB_ERROR_MODEL, rb_member(m, namer)->at,
            "'%s' may speak of single spheres, which are grains with World.particles = Cloud: "
            "choose Events, or leave it out",
            rb_member(m, namer)->path);
    if (count > 0) *loose = is;
    return RB_OK;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

// A filling for all spheres of a material.
static void add_filling(const Spheres *s, const bool *loose, bool *done, int first,
                        RbScene *scene) {
    const Members *m = s->m;
    int n = m->gathered->count, count = 0;
    const char *solid = rb_member_text(m, s->segment, first, "material");
    const char *contact = rb_member_text(m, s->segment, first, "contactMaterial");
    double *places = rb_new_array(scene->arena, double, 4 * (size_t)n);
    Vec3 *motions = rb_new_array(scene->arena, Vec3, 2 * (size_t)n), fastest = V3_ZERO;
    for (int i = first; i < n; i++) {
        if (!loose[i] || done[i] ||
            !same_text(solid, rb_member_text(m, s->segment, i, "material")) ||
            !same_text(contact, rb_member_text(m, s->segment, i, "contactMaterial")))
            continue;
        done[i] = true;
        v3_store(places + 4 * count, vector(s, i, "r"));
        places[4 * count + 3] = 0.5 * number(s, i, "shape.size", 0);
        motions[2 * count] = vector(s, i, "v"), motions[2 * count + 1] = vector(s, i, "w");
        if (v3_norm2(motions[2 * count]) > v3_norm2(fastest)) fastest = motions[2 * count];
        count++;
    }
    RbFill fill = {.name = rb_member(m, first)->path,
                   .at = rb_member(m, first)->at,
                   .kind = RB_FILL_LIST,
                   .count = count,
                   .velocity = fastest,
                   .places = places,
                   .motions = motions};
    RbSceneGrains grains = {.fill = fill, .solid = solid, .contact = contact, .were_solids = true};
    rb_array_push(&scene->grains, scene->arena, grains);
}

void rb_members_cloud(const Members *m, const RbSegment *segment, const bool *loose,
                      RbScene *scene) {
    Spheres s = {m, segment};
    bool *done = rb_new_array(m->arena, bool, m->gathered->count);
    for (int i = 0; i < m->gathered->count; i++) {
        if (loose[i] && !done[i]) add_filling(&s, loose, done, i, scene);
    }
}
