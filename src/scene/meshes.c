// SPDX-License-Identifier: MIT
// Objects of a scene that touch by their surfaces, and which contact each pair gets.
#include <string.h>

#include "geom/mesh_make.h"
#include "geom/tessellate.h"
#include "scene/scene.h"

static bool same_mesh(const RbMesh *a, const RbMesh *b) {
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices) == 0 &&
           memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles) ==
               0;
}

// The skin of this mesh in an earlier pair, else that of one that looks the same (parts of one kind share it), or NULL.
static const RbSkin *known_skin(const RbScene *s, const RbMesh *mesh) {
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2 * s->solids.count; i++) {
            const RbSolidsForce *e = &s->solids.data[i / 2].element;
            const RbSkin *skin = i % 2 ? e->skin_b : e->skin_a;
            if (round == 0 ? skin->mesh.vertices == mesh->vertices : same_mesh(&skin->mesh, mesh))
                return skin;
        }
    }
    return NULL;
}

static RbStatus add_skin(RbScene *s, int object, const RbMesh *mesh, RbDiag *diag,
                         const RbSkin **out) {
    *out = known_skin(s, mesh);
    if (*out) return RB_OK;
    RbMesh *kept = rb_new(s->arena, RbMesh);
    RbSkin *skin = rb_new(s->arena, RbSkin);
    RbArena *scratch = rb_arena_child(s->arena);
    *kept = *mesh;
    *out = skin;
    RbStatus status = rb_skin(kept, s->objects.data[object].object.name, RB_NOWHERE, s->arena,
                              *scratch, diag, skin);
    rb_arena_free(scratch);
    return status;
}

// The layer of a skin, for a bedding; pairs of the same skin share it. If none fits: refused, or with `may_lack` NULL.
static RbStatus add_layer(RbScene *s, int object, const RbSkin *skin, bool may_lack, RbDiag *diag,
                          const RbLayer **out) {
    for (int i = 0; i < 2 * s->solids.count; i++) {
        *out = s->solids.data[i / 2].element.layers[i % 2];
        if (*out && (*out)->skin == skin) return RB_OK;
    }
    RbLayer *layer = rb_new(s->arena, RbLayer);
    RbArena *scratch = rb_arena_child(s->arena);
    RbStatus status = RB_OK;
    Vec3 where;
    *out = layer;
    if (!may_lack)
        status = rb_layer(skin, s->objects.data[object].object.name, RB_NOWHERE, s->arena, *scratch,
                          diag, layer);
    else if (!rb_layer_find(skin, s->arena, *scratch, layer, &where))
        *out = NULL;
    rb_arena_free(scratch);
    return status;
}

// What a bedding needs; without it, if that was nobody's choice, the area form takes its place.
static RbStatus add_bedding(RbScene *s, int a, int b, bool by_rule, RbDiag *diag,
                            RbSolidsForce *e) {
    RB_TRY(add_layer(s, a, e->skin_a, by_rule, diag, &e->layers[0]));
    e->layers[1] = e->layers[0];
    if (e->skin_b != e->skin_a) RB_TRY(add_layer(s, b, e->skin_b, by_rule, diag, &e->layers[1]));
    if (!e->layers[0] || !e->layers[1]) {
        e->layers[0] = e->layers[1] = NULL;
        e->volume.form = RB_VOLUME_AREA;
    } else if (e->volume.length == 0)
        e->volume.length =
            rb_bedding_length(fmin(e->layers[0]->thickness, e->layers[1]->thickness));
    return RB_OK;
}

// What is drawn of a round body: all of its size share it.
static RbMesh ball_of(const RbScene *s, Vec3 semi_axes) {
    const int segments = 48;
    for (int i = 0; i < s->solids.count; i++) {
        const RbSolidsForce *e = &s->solids.data[i].element;
        if (v3_norm2(v3_sub(e->round, semi_axes)) == 0) return e->skin_b->mesh;
    }
    RbMesh ball = rb_mesh_sphere(1, segments, s->arena);
    return rb_mesh_map(&ball, m3_diagonal(semi_axes), V3_ZERO, s->arena);
}

RbStatus rb_scene_add_round(RbScene *s, int a, const RbMesh *mesh_a, int b, Vec3 semi_axes,
                            RbSolidsForce element, RbDiag *diag) {
    if (!(semi_axes.x > 0 && semi_axes.y > 0 && semi_axes.z > 0) || !v3_finite(semi_axes))
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "the semi-axes of '%s' are not all positive",
                       s->objects.data[b].object.name);
    if (element.law != RB_SOLIDS_VOLUME)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "'%s' is round and touches by volume only: layers need a mesh",
                       s->objects.data[b].object.name);
    element.round = semi_axes;
    RbMesh ball = ball_of(s, semi_axes);
    return rb_scene_add_solids(s, a, mesh_a, b, &ball, element, diag);
}

// Plane faces of a mesh that a round body presses on; pairs of the same skin share them.
static const RbFlatFaces *add_flat_faces(RbScene *s, const RbSkin *skin) {
    for (int i = 0; i < s->solids.count; i++) {
        const RbSolidsForce *e = &s->solids.data[i].element;
        if (e->flat && e->skin_a == skin) return e->flat;
    }
    RbFlatFaces *flat = rb_new(s->arena, RbFlatFaces);
    RbArena *scratch = rb_arena_child(s->arena);
    *flat = rb_flat_faces(skin, s->arena, *scratch);
    rb_arena_free(scratch);
    return flat;
}

static RbStatus add_solids(RbScene *s, int a, const RbMesh *mesh_a, int b, const RbMesh *mesh_b,
                           RbSolidsForce element, bool by_rule, RbDiag *diag) {
    const char *name = s->objects.data[a].object.name;
    RB_TRY(add_skin(s, a, mesh_a, diag, &element.skin_a));
    element.skin_b = element.skin_a;
    if (!same_mesh(mesh_a, mesh_b)) RB_TRY(add_skin(s, b, mesh_b, diag, &element.skin_b));
    if (element.law == RB_SOLIDS_VOLUME) {
        RB_TRY(rb_volume_law_check(&element.volume, name, RB_NOWHERE, diag));
        rb_volume_law_prepare(&element.volume);
        if (rb_solids_are_bedded(&element)) RB_TRY(add_bedding(s, a, b, by_rule, diag, &element));
        if (rb_solids_is_round(&element) && element.volume.form == RB_VOLUME_BEDDING)
            element.flat = add_flat_faces(s, element.skin_a);
    } else
        RB_TRY(rb_polygonal_check(&element.polygonal, name, RB_NOWHERE, diag));
    rb_array_push(&s->solids, s->arena, (RbSceneSolids){.a = a, .b = b, .element = element});
    return RB_OK;
}

RbStatus rb_scene_add_solids(RbScene *s, int a, const RbMesh *mesh_a, int b, const RbMesh *mesh_b,
                             RbSolidsForce element, RbDiag *diag) {
    return add_solids(s, a, mesh_a, b, mesh_b, element, false, diag);
}

// ---- pairs by rule ----

static RbContactSide side_of(const RbSceneObject *o) {
    return (RbContactSide){o->object.name, o->solid, o->contact, o->object.at};
}

// [m] Of rolling: that of the other beside plane faces, as of points.
static double rolling_radius(const RbShape *mesh, const RbShape *other) {
    bool plane = rb_shape_is_flat(other) || other->kind == RB_SHAPE_MESH;
    return plane ? rb_contact_radius(mesh, other) : rb_shape_contact_radius(other);
}

// [Pa] and so on, from the materials of two objects. False: nothing is to be told of them.
static RbStatus law_of_materials(RbScene *s, const RbSceneObject *a, const RbSceneObject *b,
                                 RbDiag *diag, RbSolidsForce *element, bool *elastic) {
    RbContactMaterial m;
    RbVolumeLaw *law = &element->volume;
    RB_TRY(rb_materials_pair(&s->materials, side_of(a), side_of(b), a->object.at, diag, &m));
    RB_TRY(rb_scene_check_pair_law(s, a, b, &m.law, diag));
    *law = rb_volume_law();
    element->observes = m.law.response == RB_RESPONSE_OBSERVER;
    *elastic = m.law.response != RB_RESPONSE_NONE;
    law->modulus =
        s->contact_options.scene.reduction * rb_contact_modulus(m.elastic_1, m.elastic_2);
    law->restitution = m.law.restitution;
    law->mu_kinetic = m.law.mu_k;
    law->mu_static = m.law.friction == RB_FRICTION_STATIC || m.law.friction == RB_FRICTION_CURVE
                         ? m.law.mu_s
                         : m.law.mu_k;
    law->v_small = m.law.v_small;
    law->bristle_length = m.law.bristle_length;
    law->bristle_time = m.law.bristle_time;
    if (m.law.friction == RB_FRICTION_STATIC || m.law.friction == RB_FRICTION_CURVE)
        law->slip_speed = m.law.v_static;
    else if (m.law.friction == RB_FRICTION_SLIDING)
        law->slip_speed = m.law.v_small;
    law->w_small = m.law.w_small;
    if (m.law.mu_r > 0) law->rolling = m.law.mu_r * rolling_radius(&a->shape, &b->shape);
    law->sticks = m.law.friction == RB_FRICTION_AUTO || m.law.friction == RB_FRICTION_BRISTLE;
    if (element->observes) law->form = RB_VOLUME_AREA, law->modulus = 1; // has no use for layers
    return RB_OK;
}

// The law that was chosen for two contact names, or NULL; its a may be the other one's.
static RbSceneSurfaceLaw *chosen_law(const RbScene *s, const char *a, const char *b,
                                     bool *swapped) {
    for (int i = s->surface_laws.count - 1; i >= 0; i--) {
        RbSceneSurfaceLaw *law = &s->surface_laws.data[i];
        *swapped = !(strcmp(law->a, a) == 0 && strcmp(law->b, b) == 0);
        if (!*swapped || (strcmp(law->a, b) == 0 && strcmp(law->b, a) == 0)) return law;
    }
    return NULL;
}

// The modulus of both materials together. [Pa]
static RbStatus modulus_of(const RbScene *s, const RbSceneObject *a, const RbSceneObject *b,
                           RbDiag *diag, double *modulus) {
    const RbSolidMaterial *m[2];
    for (int side = 0; side < 2; side++) {
        const RbSceneObject *o = side ? b : a;
        RB_TRY(rb_materials_solid(&s->materials, o->solid, o->object.name, o->object.at, diag,
                                  &m[side]));
        if (m[side]->elastic.youngs_modulus > 0) continue;
        return rb_fail(diag, RB_ERROR_MODEL, o->object.at,
                       RB_NO_MODULUS " of '%s': give it, or the modulus of its SurfacePair",
                       o->solid, m[side]->elastic.youngs_modulus, o->object.name);
    }
    *modulus = rb_contact_modulus(m[0]->elastic, m[1]->elastic);
    return RB_OK;
}

static void swap_layers(RbPolygonal *p) {
    RbPolygonalLayer a = p->a;
    p->a = p->b;
    p->b = a;
    if (p->task != RB_POLYGONAL_BOTH)
        p->task = p->task == RB_POLYGONAL_BASE_A ? RB_POLYGONAL_BASE_B : RB_POLYGONAL_BASE_A;
}

static RbStatus law_of(RbScene *s, const RbSceneObject *a, const RbSceneObject *b, RbDiag *diag,
                       RbSolidsForce *element, bool *elastic, bool *by_rule) {
    RbContactSide side_a = side_of(a), side_b = side_of(b);
    bool swapped;
    RbSceneSurfaceLaw *chosen =
        chosen_law(s, rb_contact_name(&side_a), rb_contact_name(&side_b), &swapped);
    *by_rule = !chosen;
    if (!chosen) return law_of_materials(s, a, b, diag, element, elastic);
    double reduction = s->contact_options.scene.reduction;
    chosen->used = true;
    rb_scene_warn_of_surface_law(s, chosen, b, diag);
    *elastic = true;
    *element = chosen->element;
    if (swapped) swap_layers(&element->polygonal);
    element->polygonal.a.modulus *= reduction;
    element->polygonal.b.modulus *= reduction;
    if (element->volume.modulus == 0) RB_TRY(modulus_of(s, a, b, diag, &element->volume.modulus));
    element->volume.modulus *= reduction;
    return RB_OK;
}

// Sides that are round in one direction have few triangles more for each segment: so many that what rolls over them, a beam or the rim of a disc, hardly
// feels its facets. The side of a cylinder does not turn along.
// meshes: per object, those of other shapes than meshes when they are made.
static RbMesh mesh_of(const RbScene *s, int object, RbMesh *meshes) {
    const RbShape *shape = &s->objects.data[object].shape;
    RbShapeKind kind = shape->kind;
    bool rolls = kind == RB_SHAPE_CYLINDER || kind == RB_SHAPE_CONE || kind == RB_SHAPE_BEAM;
    int segments = rolls ? 192 : 48;
    if (shape->surface) return *shape->surface;
    if (!meshes[object].vertices) meshes[object] = rb_tessellate(shape, segments, s->arena);
    return meshes[object];
}

// A body of revolution about its frame's origin, or zero. Layers know places of their triangles only.
static Vec3 axis_of(const RbSceneObject *o, RbSolidsLaw law) {
    RbShapeKind kind = o->shape.kind;
    bool round = kind == RB_SHAPE_CYLINDER || kind == RB_SHAPE_CONE || kind == RB_SHAPE_CAPSULE;
    return round && law == RB_SOLIDS_VOLUME ? v3_axis(o->shape.axis - 1) : V3_ZERO;
}

static RbStatus pair(RbScene *s, int i, int k, RbMesh *meshes, RbDiag *diag) {
    const RbSceneObject *a = &s->objects.data[i], *b = &s->objects.data[k];
    RbSolidsForce element = {.law = RB_SOLIDS_VOLUME};
    bool elastic, by_rule;
    for (int side = 0; side < 2; side++) {
        const RbSceneObject *o = side ? b : a;
        if (!o->solid)
            return rb_fail(diag, RB_ERROR_MODEL, o->object.at,
                           "object '%s' is collidable but has no solid material", o->object.name);
    }
    if (b->shape.kind == RB_SHAPE_HALFSPACE)
        return rb_fail(
            diag, RB_ERROR_MODEL, b->object.at,
            "'%s' is a half-space, and '%s' touches by its surface: take a box as ground",
            b->object.name, a->object.name);
    RB_TRY(law_of(s, a, b, diag, &element, &elastic, &by_rule));
    if (!elastic) return RB_OK;
    RbMesh mesh_a = mesh_of(s, i, meshes);
    double r = 0.5 * b->shape.diameter;
    bool round = element.law == RB_SOLIDS_VOLUME; // layers need a mesh
    if (round && b->shape.kind == RB_SHAPE_SPHERE)
        RB_TRY(rb_scene_add_round(s, i, &mesh_a, k, v3(r, r, r), element, diag));
    else if (round && b->shape.kind == RB_SHAPE_ELLIPSOID)
        RB_TRY(
            rb_scene_add_round(s, i, &mesh_a, k, v3_scale(0.5, b->shape.lengths), element, diag));
    else {
        RbMesh mesh_b = mesh_of(s, k, meshes);
        element.axis = axis_of(b, element.law);
        RB_TRY(add_solids(s, i, &mesh_a, k, &mesh_b, element, by_rule, diag));
    }
    s->solids.data[s->solids.count - 1].by_rule = true;
    s->solids.data[s->solids.count - 1].show = s->show_contacts;
    return RB_OK;
}

static bool touches(const RbSceneObject *o) {
    return o->has_shape && o->object.collidable && rb_shape_is_collidable(&o->shape);
}

// Each pair of surfaces once.
static bool are_pair(const RbScene *s, int i, int k) {
    const RbSceneObject *a = &s->objects.data[i], *b = &s->objects.data[k];
    return a->by_surface && touches(a) && touches(b) && (!b->by_surface || k > i);
}

RbStatus rb_scene_pair_surfaces(RbScene *s, RbDiag *diag) {
    int count = s->solids.count;
    for (int i = 0; i < s->objects.count; i++)
        for (int k = 0; k < s->objects.count; k++) count += are_pair(s, i, k);
    rb_array_reserve(&s->solids, s->arena, count); // growing leaves as much again behind
    RbMesh *meshes = rb_new_array(s->arena, RbMesh, s->objects.count);
    for (int i = 0; i < s->objects.count; i++) {
        for (int k = 0; k < s->objects.count; k++)
            if (are_pair(s, i, k)) RB_TRY(pair(s, i, k, meshes, diag));
    }
    return RB_OK;
}
