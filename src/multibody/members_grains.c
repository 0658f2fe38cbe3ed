// SPDX-License-Identifier: MIT
// Particles of a Modelica model (library/Rattleback/Particles.mo) as fillings of the scene.
#include <math.h>

#include "component/segment.h"
#include "multibody/members.h"

// A material of its own, by the name of the filling.
static RbStatus add_material(const RbReading *r, RbScene *s, const char *name, RbPos at) {
    RbDiag *diag = r->segment->diag;
    RbSolidMaterial solid = {
        .name = name,
        .at = at,
        .density = rb_read_number(r, "rho", 0),
        .elastic = {rb_read_number(r, "E", 0), rb_read_number(r, "nu", 0)},
    };
    RbPairMaterial pair = {.a = name, .b = name, .at = at, .law = rb_pair_law_default()};
    pair.law.restitution = rb_read_number(r, "e", 0);
    pair.law.mu_k = rb_read_number(r, "mu", 0);
    pair.law.mu_r = rb_read_number(r, "mu_r", 0);
    RB_TRY(rb_materials_check_solid(&solid, s->arena, diag));
    RB_TRY(rb_materials_check_pair(&pair, s->arena, diag));
    rb_materials_add_solid(&s->materials, s->arena, solid);
    rb_materials_add_pair(&s->materials, s->arena, pair);
    return RB_OK;
}

static RbStatus add_filling(const RbReading *r, RbScene *s) {
    const RbMember *member = rb_member(r->m, r->member);
    const char *material = rb_member_text(r->m, r->segment, r->member, "material");
    RbFill fill = {.name = member->path,
                   .at = member->at,
                   .kind = (RbFillKind)(rb_read_number(r, "kind", 1) - 1), // ORDER RbFillKind
                   .count = (int)rb_read_number(r, "n", 0),
                   .radius = rb_read_number(r, "radius", 0),
                   .radius_spread = rb_read_number(r, "spread", 0),
                   .low = rb_read_vector(r, "low"),
                   .high = rb_read_vector(r, "high"),
                   .velocity = rb_read_vector(r, "v"),
                   .seed = (uint64_t)rb_read_number(r, "seed", 0),
                   .rate = rb_read_number(r, "rate", 0),
                   .start = rb_read_number(r, "startTime", 0)};
    if (!material) {
        material = member->path;
        fill.density = rb_read_number(r, "rho", 0);
        RB_TRY(add_material(r, s, material, member->at));
    }
    RbSceneGrains grains = {.fill = fill, .solid = material};
    rb_array_push(&s->grains, s->arena, grains);
    double step = rb_read_number(r, "step", 0), speed = rb_read_number(r, "maxSpeed", 0);
    RbSceneGrainOptions *o = &s->grain_options;
    if (step > 0) o->step = o->step > 0 ? fmin(o->step, step) : step;
    o->speed = fmax(o->speed, speed);
    return RB_OK;
}

RbStatus rb_members_grains(const Members *m, const RbSegment *segment, RbScene *scene) {
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role != ROLE_PARTICLES) continue;
        RB_TRY(add_filling(&(RbReading){m, segment, i}, scene));
    }
    return RB_OK;
}
