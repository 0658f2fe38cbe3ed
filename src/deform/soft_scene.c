// SPDX-License-Identifier: MIT
#include "deform/soft_scene.h"

#include <string.h>

RbSoftScene *rb_soft_scene_new(const char *name, RbArena *arena) {
    RbSoftScene *s = rb_new(arena, RbSoftScene);
    *s = (RbSoftScene){.arena = arena,
                       .name = rb_arena_text(arena, name),
                       .gravity = {0, -9.81, 0},
                       .neighbours = 18,
                       .stiffness = 1};
    return s;
}

RbSoftMaterial rb_soft_material_default(void) {
    return (RbSoftMaterial){.name = "material",
                            .youngs_modulus = 1e5,
                            .density = 1000,
                            .damping = 0.1,
                            .poisson = 0.25,
                            .colour = {0.5, 0.5, 0.5}};
}

int rb_soft_scene_add_material(RbSoftScene *s, const RbSoftMaterial *material) {
    RbSoftMaterial m = *material;
    m.name = rb_arena_text(s->arena, m.name);
    rb_array_push(&s->materials, s->arena, m);
    return s->materials.count - 1;
}

int rb_soft_scene_add_object(RbSoftScene *s, const char *name, RbPos at) {
    RbSoftObject o = {.name = rb_arena_text(s->arena, name),
                      .first = s->molecules.count,
                      .at = at,
                      .tet = s->tets.count,
                      .self_contact = s->self_contact};
    rb_array_push(&s->objects, s->arena, o);
    return s->objects.count - 1;
}

int rb_soft_scene_add_molecule(RbSoftScene *s, const RbMolecule *molecule) {
    RbMolecule m = *molecule;
    m.object = s->objects.count - 1;
    m.force = s->forces.count;
    m.force_count = 0;
    s->objects.data[m.object].count++;
    rb_array_push(&s->molecules, s->arena, m);
    return s->molecules.count - 1;
}

void rb_soft_scene_add_tet(RbSoftScene *s, const RbSoftTet *tet) {
    s->objects.data[s->objects.count - 1].tet_count++;
    rb_array_push(&s->tets, s->arena, *tet);
}

void rb_soft_scene_add_force(RbSoftScene *s, const RbSoftForce *force) {
    s->molecules.data[s->molecules.count - 1].force_count++;
    rb_array_push(&s->forces, s->arena, *force);
}

int rb_soft_scene_find_material(const RbSoftScene *s, const char *name) {
    for (int i = 0; i < s->materials.count; i++)
        if (strcmp(s->materials.data[i].name, name) == 0) return i;
    return -1;
}

int rb_soft_scene_find_object(const RbSoftScene *s, const char *name) {
    for (int i = 0; i < s->objects.count; i++)
        if (strcmp(s->objects.data[i].name, name) == 0) return i;
    return -1;
}

void rb_soft_scene_add_change(RbSoftScene *s, const RbSoftChange *change) {
    RbSoftChange c = *change;
    c.a = rb_arena_text(s->arena, c.a);
    if (c.b) c.b = rb_arena_text(s->arena, c.b);
    rb_array_push(&s->changes, s->arena, c);
}

RbSoftScene *rb_soft_scene_copy(const RbSoftScene *from, RbArena *arena) {
    RbSoftScene *s = rb_soft_scene_new(from->name, arena);
    s->gravity = from->gravity;
    s->neighbours = from->neighbours;
    s->mass = from->mass;
    s->stiffness = from->stiffness;
    s->detection = from->detection;
    s->resolution = from->resolution;
    s->self_contact = from->self_contact;
    s->stop_time = from->stop_time;
    s->output_interval = from->output_interval;
    for (int i = 0; i < from->materials.count; i++)
        rb_soft_scene_add_material(s, &from->materials.data[i]);
    for (int i = 0; i < from->objects.count; i++) {
        RbSoftObject o = from->objects.data[i];
        o.name = rb_arena_text(arena, o.name);
        rb_array_push(&s->objects, arena, o);
    }
    for (int i = 0; i < from->molecules.count; i++)
        rb_array_push(&s->molecules, arena, from->molecules.data[i]);
    for (int i = 0; i < from->forces.count; i++)
        rb_array_push(&s->forces, arena, from->forces.data[i]);
    for (int i = 0; i < from->tets.count; i++) rb_array_push(&s->tets, arena, from->tets.data[i]);
    for (int i = 0; i < from->changes.count; i++)
        rb_soft_scene_add_change(s, &from->changes.data[i]);
    return s;
}

// ---- checks

static RbStatus check_change_object(const RbSoftScene *s, const RbSoftChange *c, const char *name,
                                    RbDiag *diag) {
    RbNear near = {.wanted = name};
    RbArena *arena = s->arena;
    if (rb_soft_scene_find_object(s, name) >= 0) return RB_OK;
    for (int i = 0; i < s->objects.count; i++) rb_text_try_near(&near, s->objects.data[i].name);
    return rb_fail(diag, RB_ERROR_MODEL, c->at, "there is no object '%.60s'%s", name,
                   rb_text_near_question(&near, "", arena));
}

static RbStatus check_change(const RbSoftScene *s, int i, RbDiag *diag) {
    const RbSoftChange *c = &s->changes.data[i];
    RB_TRY(check_change_object(s, c, c->a, diag));
    if (c->kind == RB_SOFT_GLUE) RB_TRY(check_change_object(s, c, c->b, diag));
    if (c->kind == RB_SOFT_GLUE && strcmp(c->a, c->b) == 0)
        return rb_fail(diag, RB_ERROR_MODEL, c->at, "'%s' is glued to itself", c->a);
    if (!(c->time >= 0) || isinf(c->time))
        return rb_fail(diag, RB_ERROR_MODEL, c->at, "the time %g s is negative or not a number",
                       c->time);
    if (i > 0 && c->time < c[-1].time)
        return rb_fail(diag, RB_ERROR_MODEL, c->at,
                       "what is glued and cut stands in the order of time, but %g s follows %g s",
                       c->time, c[-1].time);
    if (c->kind == RB_SOFT_GLUE) return RB_OK;
    if (!(v3_norm(c->normal) > 0) || !isfinite(v3_norm2(c->normal) + v3_norm2(c->point)))
        return rb_fail(diag, RB_ERROR_MODEL, c->at,
                       "the plane that cuts '%s' has no normal: it is (%g, %g, %g)", c->a,
                       c->normal.x, c->normal.y, c->normal.z);
    const RbMolecule *m =
        &s->molecules.data[s->objects.data[rb_soft_scene_find_object(s, c->a)].first];
    if (s->materials.data[m->material].model != RB_SOFT_SPRINGS)
        return rb_fail(diag, RB_ERROR_MODEL, c->at, "'%s' is of elements: only springs can be cut",
                       c->a);
    return RB_OK;
}

static RbStatus check_range(double value, double low, double high, const char *what,
                            const char *name, RbPos at, RbDiag *diag) {
    if (value >= low && value <= high) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, at, "%s of '%s' is %g; it must lie between %g and %g",
                   what, name, value, low, high);
}

static RbStatus check_material(const RbSoftScene *s, int i, RbDiag *diag) {
    const RbSoftMaterial *m = &s->materials.data[i];
    RB_TRY(
        check_range(m->youngs_modulus, 1e-3, 1e13, "Young's modulus [Pa]", m->name, m->at, diag));
    RB_TRY(check_range(m->density, 1e-3, 1e5, "the density [kg/m3]", m->name, m->at, diag));
    RB_TRY(check_range(m->damping, 0, 10, "the damping ratio", m->name, m->at, diag));
    RB_TRY(check_range(m->medium_density, 0, 1e5, "the density of the medium [kg/m3]", m->name,
                       m->at, diag));
    RB_TRY(check_range(m->breaking_strain, 0, 1e3, "the breaking strain", m->name, m->at, diag));
    for (int k = 0; k < 3; k++)
        RB_TRY(check_range(m->colour[k], 0, 1, "a colour", m->name, m->at, diag));
    RB_TRY(check_range(m->transparency, 0, 1, "the transparency", m->name, m->at, diag));
    if (m->model != RB_SOFT_SPRINGS)
        RB_TRY(check_range(m->poisson, 0, 0.49, "Poisson's ratio", m->name, m->at, diag));
    else if (m->poisson != 0.25)
        return rb_fail(
            diag, RB_ERROR_MODEL, m->at,
            "Poisson's ratio of '%s' is %g; a body of springs has 1/4 whatever its "
            "springs are (docs/theory/soft.md). Another one needs finite elements: "
            "corotated or neo_hookean (in Modelica law = Rattleback.Types.SoftLaw.corotated or "
            "neoHookean)",
            m->name, m->poisson);
    if (m->model == RB_SOFT_SPRINGS && m->order == 2)
        return rb_fail(diag, RB_ERROR_MODEL, m->at,
                       "'%s' is of order 2, but springs have no order; elements have: corotated or "
                       "neo_hookean (in Modelica law = Rattleback.Types.SoftLaw.corotated or "
                       "neoHookean)",
                       m->name);
    for (int k = 0; k < i; k++)
        if (strcmp(s->materials.data[k].name, m->name) == 0)
            return rb_fail(diag, RB_ERROR_MODEL, m->at, "there are two materials '%s'", m->name);
    return RB_OK;
}

static RbStatus check_forces(const RbSoftScene *s, const RbMolecule *m, RbDiag *diag) {
    for (int k = 0; k < m->force_count; k++) {
        const RbSoftForce *f = &s->forces.data[m->force + k];
        if (!isfinite(f->time) || !isfinite(v3_norm2(f->force)))
            return rb_fail(diag, RB_ERROR_MODEL, m->at, "a force is not a number");
        if (k > 0 && !(f->time > f[-1].time))
            return rb_fail(diag, RB_ERROR_MODEL, m->at,
                           "the times of forces must rise, but %g s follows %g s", f->time,
                           f[-1].time);
    }
    return RB_OK;
}

static RbStatus check_molecule(const RbSoftScene *s, const RbMolecule *m, RbDiag *diag) {
    const char *name = s->objects.data[m->object].name;
    if (!(v3_norm(m->r) <= 1e6) || !(v3_norm(m->v) <= 1e6))
        return rb_fail(diag, RB_ERROR_MODEL, m->at,
                       "a molecule of '%s' stands at (%g, %g, %g) m and has the velocity (%g, %g, "
                       "%g) m/s; both must be numbers below 1e6",
                       name, m->r.x, m->r.y, m->r.z, m->v.x, m->v.y, m->v.z);
    RB_TRY(check_range(m->radius, 1e-9, 1e3, "the radius [m] of a molecule", name, m->at, diag));
    RB_TRY(check_range(m->friction, 0, 10, "the friction of a molecule", name, m->at, diag));
    return check_forces(s, m, diag);
}

static RbStatus check_object(const RbSoftScene *s, int i, RbDiag *diag) {
    const RbSoftObject *o = &s->objects.data[i];
    if (o->count == 0)
        return rb_fail(diag, RB_ERROR_MODEL, o->at, "the object '%s' has no molecules", o->name);
    for (int k = 0; k < i; k++)
        if (strcmp(s->objects.data[k].name, o->name) == 0)
            return rb_fail(diag, RB_ERROR_MODEL, o->at, "there are two objects '%s'", o->name);
    return RB_OK;
}

RbStatus rb_soft_scene_check(const RbSoftScene *s, RbDiag *diag) {
    if (s->objects.count == 0)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "the scene '%s' has no objects", s->name);
    if (!(v3_norm(s->gravity) <= 1e6))
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "gravity of the scene '%s' is (%g, %g, %g) m/s2; it must be a number below "
                       "1e6",
                       s->name, s->gravity.x, s->gravity.y, s->gravity.z);
    for (int i = 0; i < s->materials.count; i++) RB_TRY(check_material(s, i, diag));
    for (int i = 0; i < s->objects.count; i++) RB_TRY(check_object(s, i, diag));
    for (int i = 0; i < s->molecules.count; i++)
        RB_TRY(check_molecule(s, &s->molecules.data[i], diag));
    for (int i = 0; i < s->changes.count; i++) RB_TRY(check_change(s, i, diag));
    return RB_OK;
}
