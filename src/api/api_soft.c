// SPDX-License-Identifier: MIT
#include "rattleback/soft.h"

#include <math.h>
#include <string.h>

#include "api/api_context.h"
#include "api/api_run.h"
#include "api/api_solid.h"
#include "base/file.h"
#include "deform/placing.h"
#include "deform/scene_modelica.h"
#include "deform/scene_xml.h"
#include "deform/soft.h"
#include "deform/stuffing.h"
#include "multibody/multibody.h"

struct RbSoft {
    RbContext *context;
    RbSoftScene *scene;
    bool done; // a model was made of it
};

// ---- scenes and models

static RbStatus open_scene(RbContext *c, const char *file, const char *text, RbModel **model) {
    RB_CALL(c);
    RbModel *made;
    if (text) {
        size_t size = strlen(text);
        RbBytes bytes = {(const unsigned char *)rb_arena_bytes(&c->arena, text, size), size};
        RB_TRY(rb_model_of_text(file, bytes, &c->arena, &c->diag, &made));
    } else {
        RB_TRY(rb_model_of_file(file, &c->arena, &c->diag, &made));
    }
    made->context = c;
    *model = made;
    return RB_OK;
}

RbStatus rb_soft_open(RbContext *c, const char *file, RbModel **model) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, model);
    *model = NULL;
    RB_NEED(c, file);
    return open_scene(c, file, NULL, model);
}

RbStatus rb_soft_open_text(RbContext *c, const char *file, const char *text, RbModel **model) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, model);
    *model = NULL;
    RB_NEED(c, file);
    RB_NEED(c, text);
    return open_scene(c, file, text, model);
}

static void wrap(RbContext *c, RbSoftScene *scene, RbSoft **soft) {
    *soft = rb_new(&c->arena, RbSoft);
    **soft = (RbSoft){.context = c, .scene = scene};
}

RbStatus rb_soft_create(RbContext *c, const char *name, RbSoft **soft) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, soft);
    *soft = NULL;
    RB_NEED(c, name);
    RB_CALL(c);
    wrap(c, rb_soft_scene_new(name, &c->arena), soft);
    return RB_OK;
}

RbStatus rb_soft_read(RbContext *c, const char *file, RbSoft **soft) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, soft);
    *soft = NULL;
    RB_NEED(c, file);
    RB_CALL(c);
    RbBytes text;
    RbSoftScene *scene;
    RB_TRY(rb_file_read(file, RB_SCENE_XML_LIMIT, &c->arena, &c->diag, &text));
    RB_TRY(rb_scene_xml_read(rb_arena_text(&c->arena, file), text, &c->arena, &c->diag, &scene));
    wrap(c, scene, soft);
    return RB_OK;
}

// ---- what it is made of

static RbStatus check_open(const RbSoft *s, const char *function) {
    if (!s) return RB_ERROR_USAGE;
    if (!s->done) return RB_OK;
    return rb_bad_argument(s->context, function, "soft", "has a model, and cannot be changed");
}

static bool is_vector(const double *v) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

RbSoftSettings rb_soft_settings_default(void) {
    return (RbSoftSettings){.gravity = {0, -9.81, 0}, .neighbours = 18, .contact_stiffness = 1};
}

RbStatus rb_soft_set(RbSoft *s, const RbSoftSettings *settings) {
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, settings);
    RbContext *c = s->context;
    const RbSoftSettings *o = settings;
    if (!is_vector(o->gravity)) return rb_bad_argument(c, __func__, "gravity", "is not a number");
    if (o->neighbours != 18 && o->neighbours != 26)
        return rb_bad_argument(c, __func__, "neighbours", "is neither 18 nor 26");
    if (!(o->resolution >= 0) || isinf(o->resolution))
        return rb_bad_argument(c, __func__, "resolution", "is negative or not a number");
    if (!(o->contact_stiffness > 0) || isinf(o->contact_stiffness))
        return rb_bad_argument(c, __func__, "contact_stiffness", "is not positive");
    s->scene->gravity = v3_load(o->gravity);
    s->scene->neighbours = o->neighbours;
    s->scene->detection = o->edges      ? RB_SOFT_EDGES
                          : o->surfaces ? RB_SOFT_SURFACES
                                        : RB_SOFT_SPHERES;
    s->scene->resolution = o->resolution;
    s->scene->stiffness = o->contact_stiffness;
    s->scene->self_contact = o->self_contact;
    for (int i = 0; i < s->scene->objects.count; i++)
        s->scene->objects.data[i].self_contact = o->self_contact;
    s->scene->mass = o->sphere_masses ? RB_SOFT_MASS_SPHERES : RB_SOFT_MASS_CELLS;
    return RB_OK;
}

RbStatus rb_soft_add_material(RbSoft *s, const RbSoftMaterial *material, int *number) {
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, material);
    RB_NEED(s->context, material->name);
    RB_NEED(s->context, number);
    if ((unsigned)material->model > RB_SOFT_NEO_HOOKEAN)
        return rb_bad_argument(s->context, __func__, "material->model",
                               "is none of the values of RbSoftModel");
    if (material->order < 0 || material->order > 2)
        return rb_bad_argument(s->context, __func__, "material->order", "is not 0, 1 or 2");
    *number = s->scene->materials.count;
    RB_CALL(s->context);
    rb_soft_scene_add_material(s->scene, material);
    return RB_OK;
}

static RbStatus check_material(const RbSoft *s, int material, const char *function) {
    if (material >= 0 && material < s->scene->materials.count) return RB_OK;
    return rb_bad_argument(s->context, function, "material", "was not added to the scene");
}

RbStatus rb_soft_add_object(RbSoft *s, const char *name) {
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, name);
    RB_CALL(s->context);
    rb_soft_scene_add_object(s->scene, name, RB_NOWHERE);
    return RB_OK;
}

static RbStatus check_placement(const RbSoft *s, RbSoftPlacement placement, const char *function) {
    if ((int)placement >= RB_SOFT_PLACED_AS_FOUND && placement <= RB_SOFT_RANDOM) return RB_OK;
    return rb_bad_argument(s->context, function, "placement", "is none of the enumeration");
}

RbStatus rb_soft_set_placement(RbSoft *s, RbSoftPlacement placement) {
    RB_TRY(check_open(s, __func__));
    RB_TRY(check_placement(s, placement, __func__));
    if (s->scene->objects.count == 0)
        return rb_bad_argument(s->context, __func__, "soft", "has no object yet");
    s->scene->objects.data[s->scene->objects.count - 1].placement = placement;
    return RB_OK;
}

RbStatus rb_soft_add_molecule(RbSoft *s, const RbSoftMolecule *molecule) {
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, molecule);
    RB_TRY(check_material(s, molecule->material, __func__));
    if (s->scene->objects.count == 0)
        return rb_bad_argument(s->context, __func__, "soft", "has no object yet");
    const RbSoftMolecule *m = molecule;
    RbMolecule own = {.r = v3_load(m->position),
                      .v = v3_load(m->velocity),
                      .radius = m->radius,
                      .friction = m->friction,
                      .material = m->material,
                      .fixed = m->fixed};
    RB_CALL(s->context);
    rb_soft_scene_add_molecule(s->scene, &own);
    return RB_OK;
}

RbStatus rb_soft_add_force(RbSoft *s, double time, const double force[3]) {
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, force);
    if (s->scene->molecules.count == 0)
        return rb_bad_argument(s->context, __func__, "soft", "has no molecule yet");
    RbSoftForce own = {time, v3_load(force)};
    RB_CALL(s->context);
    rb_soft_scene_add_force(s->scene, &own);
    return RB_OK;
}

static RbStatus add_change(RbSoft *s, const RbSoftChange *change) {
    RB_CALL(s->context);
    rb_soft_scene_add_change(s->scene, change);
    return RB_OK;
}

RbStatus rb_soft_add_glue(RbSoft *s, double time, const char *object, const char *to) {
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, object);
    RB_NEED(s->context, to);
    RbSoftChange own = {.kind = RB_SOFT_GLUE, .time = time, .a = object, .b = to};
    return add_change(s, &own);
}

RbStatus rb_soft_add_cut(RbSoft *s, double time, const char *object, const double point[3],
                         const double normal[3]) {
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, object);
    RB_NEED(s->context, point);
    RB_NEED(s->context, normal);
    RbSoftChange own = {.kind = RB_SOFT_CUT,
                        .time = time,
                        .a = object,
                        .point = v3_load(point),
                        .normal = v3_load(normal)};
    return add_change(s, &own);
}

// ---- blocks

RbSoftBlock rb_soft_block_default(void) {
    return (RbSoftBlock){.count = {4, 4, 4}, .spacing = 0.01, .friction = 0.3};
}

RbStatus rb_soft_add_block(RbSoft *s, const char *name, const RbSoftBlock *block) {
    const double most = 2e6; // molecules
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, name);
    RB_NEED(s->context, block);
    RB_TRY(check_material(s, block->material, __func__));
    double count = (double)block->count[0] * block->count[1] * block->count[2];
    if (block->count[0] < 1 || block->count[1] < 1 || block->count[2] < 1 || count > most)
        return rb_bad_argument(s->context, __func__, "count", "is not between 1 and 2e6 molecules");
    if (!(block->spacing > 0) || isinf(block->spacing))
        return rb_bad_argument(s->context, __func__, "spacing", "is not positive");
    RB_TRY(check_placement(s, block->placement, __func__));
    bool thin = block->count[0] < 2 || block->count[1] < 2 || block->count[2] < 2;
    if (block->placement == RB_SOFT_BODY_CENTRED && thin)
        return rb_bad_argument(
            s->context, __func__, "count",
            "is not at least 2 along each axis, as body-centred ones need cubes");
    RB_CALL(s->context);
    const int *n = block->count;
    int object = rb_soft_scene_add_object(s->scene, name, RB_NOWHERE), made;
    s->scene->objects.data[object].placement = block->placement;
    Vec3 low = v3(-0.5 * (n[0] - 1), -0.5 * (n[1] - 1), -0.5 * (n[2] - 1));
    RbPlacing placing = {{n[0], n[1], n[2]}, 1, low, NULL, block->placement};
    RbArena *scratch = rb_arena_child(s->scene->arena);
    const Vec3 *d = rb_placing_points(&placing, scratch, &made);
    for (int i = 0; i < made; i++) {
        RbMolecule m = {.r = v3_axpy(v3_load(block->position), block->spacing, d[i]),
                        .v = v3_load(block->velocity),
                        .radius = block->radius > 0 ? block->radius : 0.75 * block->spacing,
                        .friction = block->friction,
                        .material = block->material,
                        .fixed = block->fixed};
        rb_soft_scene_add_molecule(s->scene, &m);
    }
    rb_arena_free(scratch);
    return RB_OK;
}

// ---- solids

RbSoftFilling rb_soft_filling_default(void) {
    return (RbSoftFilling){.spacing = 0.01, .friction = 0.3};
}

RbStatus rb_soft_add_solid(RbSoft *s, const char *name, const RbWorkpiece *solid,
                           const RbSoftFilling *filling, RbSoftFillReport *report) {
    RbSoftFillReport ignored;
    RB_TRY(check_open(s, __func__));
    RB_NEED(s->context, name);
    RB_NEED(s->context, solid);
    RB_NEED(s->context, filling);
    RB_TRY(check_material(s, filling->material, __func__));
    if (!(filling->spacing > 0) || isinf(filling->spacing))
        return rb_bad_argument(s->context, __func__, "spacing", "is not positive");
    RB_TRY(check_placement(s, filling->placement, __func__));
    if (!is_vector(filling->position))
        return rb_bad_argument(s->context, __func__, "position", "is not a number");
    RB_CALL(s->context);
    RbContext *c = s->context;
    RbStuffing o = {.spacing = filling->spacing,
                    .radius = filling->radius > 0 ? filling->radius : 0.75 * filling->spacing,
                    .friction = filling->friction,
                    .velocity = v3_load(filling->velocity),
                    .material = filling->material,
                    .fixed = filling->fixed,
                    .placement = filling->placement};
    int first = s->scene->molecules.count;
    RbArena *scratch = rb_arena_child(&c->arena);
    RbStatus status = rb_stuff(s->scene, name, RB_NOWHERE, (&solid->mesh), &o, *scratch, &c->diag,
                               (report ? report : &ignored));
    rb_arena_free(scratch);
    for (int i = first; i < s->scene->molecules.count; i++) {
        Vec3 *r = &s->scene->molecules.data[i].r;
        *r = v3_add(*r, v3_load(filling->position));
    }
    return status;
}

// ---- the whole

RbStatus rb_soft_write(RbSoft *s, const char *file) {
    if (!s) return RB_ERROR_USAGE;
    RB_NEED(s->context, file);
    if (s->scene->tets.count > 0)
        return rb_bad_argument(s->context, __func__, "soft",
                               "has a solid that is filled with elements, which a file does not "
                               "have");
    if (s->scene->mass == RB_SOFT_MASS_CELLS)
        return rb_bad_argument(s->context, __func__, "soft",
                               "has masses of cells, and a file has those of spheres: set "
                               "sphere_masses");
    RB_CALL(s->context);
    RbContext *c = s->context;
    RB_TRY(rb_soft_scene_check(s->scene, &c->diag));
    const char *text = rb_scene_xml_write(s->scene, &c->arena);
    return rb_file_write(file, text, strlen(text), &c->diag);
}

// ---- and in Modelica

// "scenes/Box.mo" has the model "Box".
static const char *title_of(const char *file, RbArena *arena) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file,
               *dot = strrchr(name, '.');
    return rb_arena_bytes(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

RbStatus rb_soft_write_modelica(RbSoft *s, const char *file) {
    if (!s) return RB_ERROR_USAGE;
    RB_NEED(s->context, file);
    RB_CALL(s->context);
    RbContext *c = s->context;
    const char *text;
    RB_TRY(rb_soft_scene_check(s->scene, &c->diag));
    RB_TRY(
        rb_scene_modelica_write(s->scene, title_of(file, &c->arena), &c->arena, &c->diag, &text));
    return rb_file_write(file, text, strlen(text), &c->diag);
}

static RbStatus scene_of_run(RbRun *run, RbSoftScene **scene) {
    RbContext *c = run->context;
    const RbSystem *system = rb_sim_stage(&run->sim)->system;
    for (int i = 0; i < system->part_count; i++) {
        const RbInstance *instance = system->parts[i].instance;
        if (instance->type == &rb_soft_component) {
            *scene = rb_soft_scene_copy(rb_soft_component_scene(instance->self), &c->arena);
            return RB_OK;
        }
        if (instance->type != &rb_multibody) continue;
        RB_TRY(rb_multibody_soft_scene(instance->self, &c->arena, &c->diag, scene));
        RbSimOptions options = rb_model_options(run->sim.model);
        (*scene)->stop_time = options.stop_time;
        (*scene)->output_interval = options.output_interval > 0 ? options.output_interval : 0.01;
        return RB_OK;
    }
    return rb_fail(&c->diag, RB_ERROR_MODEL, RB_NOWHERE, "the model has no soft bodies");
}

RbStatus rb_soft_of_run(RbRun *run, RbSoft **soft) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, soft);
    *soft = NULL;
    RB_RUN_CALL(run);
    RbSoftScene *scene;
    RB_TRY(scene_of_run(run, &scene));
    wrap(run->context, scene, soft);
    return RB_OK;
}

RbStatus rb_soft_model(RbSoft *s, RbModel **model) {
    if (!s) return RB_ERROR_USAGE;
    RB_NEED(s->context, model);
    *model = NULL;
    RB_CALL(s->context);
    RbContext *c = s->context;
    RbModel *made;
    RB_TRY(rb_soft_scene_check(s->scene, &c->diag));
    RB_TRY(rb_model_of_soft_scene(s->scene, &c->arena, &c->diag, &made));
    made->context = c;
    *model = made;
    s->done = true;
    return RB_OK;
}
