// SPDX-License-Identifier: MIT
#include "scene/scene_describe.h"

#include <string.h>

// Mass [kg] of an object, 0 if it has none or its material is unknown.
static double mass_of(const RbScene *s, const RbSceneObject *o, RbArena *scratch) {
    if (o->object.has_mass) return o->object.mass.mass;
    if (!o->has_shape || o->mass > 0) return o->mass;
    RbDiag silent = rb_diag(scratch);
    const RbSolidMaterial *material = NULL;
    RbMassProperties m = {0};
    if (!o->solid || rb_materials_solid(&s->materials, o->solid, o->object.name, RB_NOWHERE,
                                        &silent, &material) != RB_OK) {
        return 0;
    }
    RbStatus status =
        rb_mass_from_density(&o->shape, material->density, o->object.name, RB_NOWHERE, &silent, &m);
    return status == RB_OK ? m.mass : 0;
}

static const RbObjectJoint *joint_of(const RbScene *s, int object) {
    for (int i = 0; i < s->joints.count; i++) {
        if (s->joints.data[i].b == object) return &s->joints.data[i];
    }
    return NULL;
}

// What holds the object, or where it starts.
static void add_holder(const RbScene *s, int index, RbText *out) {
    const RbObject *o = &s->objects.data[index].object;
    const RbObjectJoint *j = joint_of(s, index);
    if (j)
        rb_text_printf(out, "on joint %s", j->name);
    else if (o->moves_freely)
        rb_text_printf(out, "free, starts at (%g, %g, %g) m", o->pose.r.x, o->pose.r.y,
                       o->pose.r.z);
    else if (o->parent >= 0)
        rb_text_printf(out, "fixed to %s", s->objects.data[o->parent].object.name);
    else
        rb_text_printf(out, "held by nothing");
}

static void add_object(const RbScene *s, int index, RbArena scratch, RbText *out) {
    const RbSceneObject *o = &s->objects.data[index];
    const char *shape = o->has_shape ? rb_shape_kind_name(o->shape.kind) : "frame";
    bool still = !o->object.moves_freely && o->object.parent == 0; // its mass matters to nobody
    double mass = still ? 0 : mass_of(s, o, &scratch);
    rb_text_printf(out, "  %-18s %-10s %-18s", o->object.name, shape, o->solid ? o->solid : "");
    if (mass > 0)
        rb_text_printf(out, "%9.4g kg  ", mass);
    else
        rb_text_printf(out, "%12s  ", "");
    add_holder(s, index, out);
    rb_text_printf(out, "%s\n", o->has_shape && !o->object.collidable ? ", does not collide" : "");
}

static void add_gravity(const RbGravity *g, RbText *out) {
    if (g->kind == RB_GRAVITY_UNIFORM)
        rb_text_printf(out, "gravity (%g, %g, %g) m/s2\n", g->g.x, g->g.y, g->g.z);
    else
        rb_text_printf(out, "gravity %s\n",
                       g->kind == RB_GRAVITY_NONE    ? "none"
                       : g->kind == RB_GRAVITY_POINT ? "of a point"
                                                     : "by a function");
}

// Which contact a pair of meshes gets.
static void add_solids(const RbScene *s, const RbSceneSolids *p, RbText *out) {
    const RbSolidsForce *f = &p->element;
    const char *law = rb_solids_law_name(f);
    const char *a = s->objects.data[p->a].object.name, *b = s->objects.data[p->b].object.name;
    int triangles = f->skin_a->mesh.triangle_count;
    if (rb_solids_is_round(f))
        rb_text_printf(out, "Contact of the mesh %s (%d triangles) and %s (round): %s", a,
                       triangles, b, law);
    else
        rb_text_printf(out, "Contact of the meshes %s (%d triangles) and %s (%d): %s", a,
                       triangles, b, f->skin_b->mesh.triangle_count, law);
    if (rb_solids_are_bedded(f))
        rb_text_printf(out, ", %.3g N/m3", f->volume.modulus / f->volume.length);
    rb_text_printf(out, "\n");
}

void rb_scene_describe_solids(const RbScene *s, RbText *out) {
    for (int i = 0; i < s->solids.count; i++) add_solids(s, &s->solids.data[i], out);
}

void rb_scene_describe(const RbScene *s, RbArena scratch, RbText *out) {
    add_gravity(&s->gravity, out);
    rb_text_printf(out, "\nObjects:\n");
    for (int i = 1; i < s->objects.count; i++) add_object(s, i, scratch, out);
    if (s->joints.count > 0) rb_text_printf(out, "\nJoints:\n");
    for (int i = 0; i < s->joints.count; i++) {
        const RbObjectJoint *j = &s->joints.data[i];
        rb_text_printf(out, "  %-18s %-10s from %s to %s%s\n", j->name, rb_joint_kind_name(j->kind),
                       s->objects.data[j->a].object.name, s->objects.data[j->b].object.name,
                       j->can_collide ? ", both sides may touch" : "");
    }
    if (s->solids.count > 0) rb_text_printf(out, "\n");
    rb_scene_describe_solids(s, out);
    int forces = s->springs.count + s->bushings.count + s->world_forces.count +
                 s->joint_forces.count + s->solids.count;
    rb_text_printf(out, "\n%d objects, %d joints, %d force elements\n", s->objects.count - 1,
                   s->joints.count, forces);
}
