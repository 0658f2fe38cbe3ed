// SPDX-License-Identifier: MIT
// include/rattleback/particles.h.
#include "rattleback/particles.h"

#include <math.h>
#include <string.h>

#include "api/api_scene.h"

RbParticles rb_particles_default(const char *name, RbParticlesKind kind, const char *material) {
    return (RbParticles){.name = name,
                         .kind = kind,
                         .material = material,
                         .count = 1000,
                         .radius = 0.005,
                         .high = {0.2, 0.2, 0.2},
                         .rate = 100};
}

static RbStatus make_clump(const RbParticles *p, RbScene *s, RbDiag *diag, RbFill *fill) {
    const RbParticleClump *c = p->clump;
    const double *I = c->inertia;
    RbClumpSpec spec = {.name = p->name,
                        .at = RB_NOWHERE,
                        .count = c->count,
                        .spheres = c->spheres,
                        .mass = c->mass,
                        .centre = v3_load(c->centre),
                        .inertia = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    RbClump *clump = rb_new(s->arena, RbClump);
    RbArena *scratch = rb_arena_child(s->arena);
    RbStatus status = rb_clump(&spec, s->arena, *scratch, diag, clump);
    rb_arena_free(scratch);
    fill->clump = clump;
    fill->aligned = c->aligned;
    return status;
}

static RbStatus make_polyhedron(const RbParticles *p, RbScene *s, RbDiag *diag, RbFill *fill) {
    const RbParticlePolyhedron *c = p->polyhedron;
    RbPolyhedronSpec spec = {.name = rb_arena_text(s->arena, p->name),
                             .at = RB_NOWHERE,
                             .lengths = v3_load(c->lengths),
                             .count = c->count,
                             .points = c->points,
                             .rounding = c->rounding};
    RbClump *form = rb_new(s->arena, RbClump);
    RbArena *scratch = rb_arena_child(s->arena);
    RbStatus status = rb_polyhedron(&spec, s->arena, *scratch, diag, form);
    rb_arena_free(scratch);
    fill->clump = form;
    fill->aligned = c->aligned;
    return status;
}

// A copy of so many numbers for each particle.
static double *copy_of(RbScene *s, const double *numbers, int each, int count) {
    size_t n = (size_t)each * (size_t)count;
    double *copy = rb_new_array(s->arena, double, n + 1);
    if (n > 0) memcpy(copy, numbers, n * sizeof *copy);
    return copy;
}

RbStatus rb_builder_add_particles(RbSceneBuilder *b, const RbParticles *particles) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, particles);
    RB_NEED(b->context, particles->name);
    RB_NEED(b->context, particles->material);
    if (particles->kind < RB_PARTICLES_GRID || particles->kind > RB_PARTICLES_LIST)
        return rb_bad_argument(b->context, __func__, "particles->kind",
                               "is none of the values of RbParticlesKind");
    if (particles->kind == RB_PARTICLES_LIST && particles->count > 0)
        RB_NEED(b->context, particles->places);
    if (particles->clump && particles->clump->count > 0)
        RB_NEED(b->context, particles->clump->spheres);
    if (particles->polyhedron && particles->polyhedron->count > 0)
        RB_NEED(b->context, particles->polyhedron->points);
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RbDiag *diag = &b->context->diag;
    for (int i = 0; i < s->grains.count; i++) {
        if (strcmp(s->grains.data[i].fill.name, particles->name) == 0)
            return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "there are two fillings named '%s'",
                           particles->name);
    }
    const RbSolidMaterial *solid;
    RB_TRY(rb_materials_solid(&s->materials, particles->material, particles->name, RB_NOWHERE, diag,
                              &solid));
    RbFill fill = {.name = rb_arena_text(s->arena, particles->name),
                   .kind = (RbFillKind)particles->kind,
                   .count = particles->count,
                   .radius = particles->radius,
                   .radius_spread = particles->radius_spread,
                   .density = particles->density != 0 ? particles->density : solid->density,
                   .low = v3_load(particles->low),
                   .high = v3_load(particles->high),
                   .velocity = v3_load(particles->velocity),
                   .seed = particles->seed,
                   .rate = particles->rate,
                   .start = particles->start,
                   .places = particles->places};
    if (particles->clump && particles->polyhedron)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "the particles '%s' are clumps and polyhedra at once; leave one out",
                       particles->name);
    if (particles->clump) RB_TRY(make_clump(particles, s, diag, &fill));
    if (particles->polyhedron) RB_TRY(make_polyhedron(particles, s, diag, &fill));
    if (fill.clump && particles->kind == RB_PARTICLES_LIST && particles->orientations &&
        particles->count > 0) {
        Quat *turns = rb_new_array(s->arena, Quat, particles->count);
        for (int i = 0; i < particles->count; i++)
            turns[i] = q_load(particles->orientations + 4 * i);
        fill.turns = turns;
    }
    RB_TRY(rb_fill_check(&fill, diag));
    if (particles->kind == RB_PARTICLES_LIST)
        fill.places = copy_of(s, particles->places, 4, particles->count);
    RbSceneGrains grains = {.fill = fill,
                            .solid = rb_arena_text(s->arena, particles->material),
                            .adhesion = particles->adhesion,
                            .wall_adhesion = particles->wall_adhesion,
                            .twisting = particles->twisting};
    if (particles->contact_material)
        grains.contact = rb_arena_text(s->arena, particles->contact_material);
    rb_array_push(&s->grains, s->arena, grains);
    return RB_OK;
}

RbParticleRegion rb_particle_region_default(const char *name, RbParticleRegionKind kind) {
    return (RbParticleRegion){
        .name = name, .kind = kind, .high = {0.2, 0.2, 0.2}, .normal = {0, 0, -1}, .average = 0.1};
}

RbStatus rb_builder_add_particle_region(RbSceneBuilder *b, const RbParticleRegion *region) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, region);
    RB_NEED(b->context, region->name);
    if (region->kind < RB_PARTICLE_BOX || region->kind > RB_PARTICLE_PART)
        return rb_bad_argument(b->context, __func__, "region->kind",
                               "is none of the values of RbParticleRegionKind");
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RbSceneRegion made = {.region = {.name = rb_arena_text(s->arena, region->name),
                                     .kind = (RbRegionKind)region->kind,
                                     .low = v3_load(region->low),
                                     .high = v3_load(region->high),
                                     .r = v3_load(region->position),
                                     .n = v3_load(region->normal),
                                     .start = region->start,
                                     .average = region->average,
                                     .surface = v3_load(region->surface),
                                     .ramp = region->ramp},
                          .object = region->object,
                          .part = "of this number"};
    if (region->kind == RB_PARTICLE_PART && region->object > 0 && region->object < s->objects.count)
        made.part = s->objects.data[region->object].object.name;
    for (int i = 0; i < s->regions.count; i++) {
        if (strcmp(s->regions.data[i].region.name, region->name) == 0)
            return rb_fail(&b->context->diag, RB_ERROR_MODEL, RB_NOWHERE,
                           "there are two regions of particles named '%s'", region->name);
    }
    RB_TRY(rb_region_check(&made.region, &b->context->diag));
    rb_array_push(&s->regions, s->arena, made);
    return RB_OK;
}

RbStatus rb_builder_particle_options(RbSceneBuilder *b, const RbParticleOptions *options) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, options);
    const double all[] = {options->step,
                          options->speed,
                          options->coupling,
                          options->medium_density,
                          options->medium_viscosity,
                          options->results_interval};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(all[i] >= 0) || isinf(all[i]))
            return rb_bad_argument(b->context, __func__, "options",
                                   "holds what is no number, or negative");
    }
    if (!v3_finite(v3_load(options->medium_velocity)))
        return rb_bad_argument(b->context, __func__, "options->medium_velocity", "is not finite");
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RbBorders borders = {
        .name = "periodic", .low = v3_load(options->low), .high = v3_load(options->high)};
    memcpy(borders.periodic, options->periodic, sizeof borders.periodic);
    s->grain_options = (RbSceneGrainOptions){
        .step = options->step,
        .speed = options->speed,
        .coupling = options->coupling,
        .medium = {options->medium_density, options->medium_viscosity,
                   v3_load(options->medium_velocity)},
        .borders = borders,
        .results = options->results ? rb_arena_text(s->arena, options->results) : NULL,
        .results_interval = options->results_interval};
    return RB_OK;
}
