// SPDX-License-Identifier: MIT
// Belts: the surface of a part runs along itself while the part stays, and carries what touches it. Bodies see it here, as slip of
// their contacts; grains see it at their walls (regions.c).
#include "base/text.h"
#include "component/segment.h"
#include "multibody/matter.h"
#include "multibody/mechanism.h"

static bool is_belt(const RbSceneRegion *r) {
    return r->region.kind == RB_REGION_PART && v3_norm2(r->region.surface) > 0;
}

RbBelt rb_mechanism_belt(const RbScene *s, int object, RbFrame frame) {
    for (int k = 0; k < s->regions.count; k++) {
        const RbSceneRegion *r = &s->regions.data[k];
        if (!is_belt(r) || r->object != object) continue;
        return (RbBelt){m3_mul_vec(frame.X_BF.R, r->region.surface), r->region.start,
                        r->region.ramp};
    }
    return (RbBelt){.velocity = V3_ZERO};
}

static bool can_carry(const RbSceneObject *o) {
    return o->has_shape && o->object.collidable && rb_shape_is_collidable(&o->shape);
}

static RbStatus check_part(const RbScene *s, const RbSceneRegion *r, RbDiag *diag) {
    if (r->object >= 0 && can_carry(&s->objects.data[r->object])) return RB_OK;
    RbNear near = {.wanted = r->part};
    for (int k = 0; k < s->objects.count; k++) {
        if (can_carry(&s->objects.data[k])) rb_text_try_near(&near, s->objects.data[k].object.name);
    }
    return rb_fail(diag, RB_ERROR_MODEL, r->region.at,
                   "'%s' is about the part '%s', which is none that others can touch: it must be a "
                   "collidable solid of the model%s",
                   r->region.name, r->part, rb_text_near_question(&near, "", diag->arena));
}

// Bodies are carried by forces of contacts between convex shapes: whoever lies on the belt with a mesh stays.
static void warn_of_meshes(const RbScene *s, const RbSceneRegion *r, RbDiag *diag) {
    if (s->objects.data[r->object].by_surface) {
        rb_warn(diag, r->region.at,
                "'%s' carries particles, but not bodies: the part '%s' touches them by its mesh; "
                "give it a shape, or convex parts",
                r->region.name, r->part);
        return;
    }
    for (int i = 0; i < s->solids.count; i++) {
        const RbSceneSolids *pair = &s->solids.data[i];
        if (pair->a != r->object && pair->b != r->object) continue;
        rb_warn(diag, r->region.at,
                "'%s' does not carry '%s', which touches by its mesh; give it a shape, or convex "
                "parts",
                r->region.name,
                s->objects.data[pair->a == r->object ? pair->b : pair->a].object.name);
        return;
    }
}

// With grains there are walls, and their belts are checked there.
RbStatus rb_mechanism_start_belts(Mechanism *m, RbSegment *g) {
    const RbScene *s = m->scene;
    m->contact.belts = rb_new_array(g->arena, int, s->regions.count + 1);
    m->contact.belt_count = 0;
    for (int k = 0; k < s->regions.count; k++) {
        const RbSceneRegion *r = &s->regions.data[k];
        if (!is_belt(r)) continue;
        if (s->grains.count == 0) RB_TRY(check_part(s, r, g->diag));
        if (r->object < 0) continue;
        for (int i = 0; i < k && s->grains.count == 0; i++) {
            if (is_belt(&s->regions.data[i]) && s->regions.data[i].object == r->object)
                return rb_fail(g->diag, RB_ERROR_MODEL, r->region.at,
                               "'%s' is a second belt of the part '%s': there can be one",
                               r->region.name, r->part);
        }
        if (g->first) warn_of_meshes(s, r, g->diag);
        m->contact.belts[m->contact.belt_count++] = m->structure.frame[r->object].body;
    }
    return RB_OK;
}

void rb_mechanism_run_belts(const Mechanism *m, double time, MechanismWork *w) {
    for (int k = 0; k < m->contact.belt_count; k++) w->moving[m->contact.belts[k]].time = time;
}
