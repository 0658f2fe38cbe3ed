// SPDX-License-Identifier: MIT
#include "flexible/flexible_body.h"

#include <string.h>
#include <strings.h>

#include "flexible/flexible_file.h"
#include "io/tet_file.h"

RbFlexibleOptions rb_flexible_options(void) {
    return (RbFlexibleOptions){.material = {2.1e11, 0.3, 7850},
                               .modes = 10,
                               .zeta = 0.01,
                               .stiffening = true,
                               .cache_least = 2000};
}

// ---- meshes

RbStatus rb_flexible_mesh(const char *file, Vec3 scale, RbPos at, RbArena *keep, RbArena scratch,
                          RbDiag *diag, RbTetMesh *mesh) {
    size_t n = strlen(file);
    bool msh = n > 4 && strcasecmp(file + n - 4, ".msh") == 0;
    bool inp = n > 4 && strcasecmp(file + n - 4, ".inp") == 0;
    RbBytes bytes;
    if (!msh && !inp)
        return rb_fail(diag, RB_ERROR_USAGE, at,
                       "a finite-element mesh is a file .msh (gmsh) or .inp (Abaqus, CalculiX)");
    RB_TRY(rb_file_read(file, 0, keep, diag, &bytes));
    RB_TRY((msh ? rb_msh_read : rb_inp_read)(bytes, file, keep, scratch, diag, mesh));
    Vec3 *nodes = rb_new_array(keep, Vec3, mesh->node_count);
    for (int i = 0; i < mesh->node_count; i++) nodes[i] = v3_mul(scale, mesh->nodes[i]);
    mesh->nodes = nodes;
    return RB_OK;
}

// Volume by the third power of the mean edge, 1 for the regular tetrahedron.
static double shape_of(const RbTetMesh *mesh, const int *tet) {
    Vec3 p[4];
    double squares = 0;
    for (int i = 0; i < 4; i++) p[i] = mesh->nodes[tet[i]];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) squares += v3_norm2(v3_sub(p[i], p[j])) / 6;
    double six = v3_dot(v3_sub(p[1], p[0]), v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[0])));
    return squares > 0 ? sqrt(2) * six / (squares * sqrt(squares)) : 0;
}

int rb_flat_elements(const RbTetMesh *mesh, double *worst) {
    int count = 0;
    *worst = 1;
    for (int e = 0; e < mesh->tet_count; e++) {
        double shape = shape_of(mesh, mesh->tets[e]);
        *worst = shape < *worst ? shape : *worst;
        count += shape < 1e-3 * RB_FLAT_PER_MILLE;
    }
    return count;
}

// ---- bodies

static RbStatus reduce(RbElasticPart *part, const RbFlexibleOptions *o, RbPos at, RbArena *keep,
                       RbArena scratch, RbDiag *diag, RbFlexibleBody *out) {
    RbReducedPart reduced;
    RbReduceOptions how = {.modes = o->modes,
                           .highest = 6.283185307179586 * o->highest_frequency,
                           .second_order = o->stiffening};
    RbArena *own = rb_arena_child(keep);
    RB_TRY(rb_part_assemble(part, at, own, scratch, diag));
    RB_TRY(rb_part_reduce(part, how, at, keep, scratch, diag, &reduced));
    out->body = reduced.body;
    out->surface =
        rb_part_surface(part, reduced.origin, reduced.shapes, reduced.body.n, keep, scratch);
    rb_arena_free(own);
    return RB_OK;
}

static const char *file_of(const RbElasticPart *part, const RbFlexibleOptions *o, RbArena *arena) {
    if (!o->cache || part->mesh->node_count < o->cache_least) return NULL;
    uint64_t hash = rb_flexible_hash(part->mesh, part->frames, part->frame_count, o);
    return rb_arena_printf(arena, "%s/%016llx.flexible", o->cache, (unsigned long long)hash);
}

static void damp(RbModalBody *body, const RbFlexibleOptions *o, RbArena *keep) {
    double *zeta = rb_new_array(keep, double, body->n + 1);
    for (int a = 0; a < body->n; a++)
        zeta[a] = o->zeta + 0.5 * (o->alpha / body->omega[a] + o->beta * body->omega[a]);
    body->zeta = zeta;
}

RbStatus rb_flexible_body(const RbTetMesh *mesh, const RbInterface *interfaces, int count,
                          const RbFlexibleOptions *o, RbPos at, RbArena *keep, RbArena scratch,
                          RbDiag *diag, RbFlexibleBody *out) {
    *out = (RbFlexibleBody){0};
    RbPartFrame *frames = rb_new_array(keep, RbPartFrame, count + 1);
    for (int k = 0; k < count; k++)
        RB_TRY(rb_interface_nodes(mesh, &interfaces[k], keep, scratch, diag, &frames[k]));
    RbElasticPart part = {
        .mesh = mesh, .material = o->material, .frames = frames, .frame_count = count};
    const char *file = file_of(&part, o, &scratch);
    out->from_cache = file && rb_flexible_load(file, keep, scratch, out);
    if (!out->from_cache) RB_TRY(reduce(&part, o, at, keep, scratch, diag, out));
    RbDiag unheard = rb_diag(&scratch); // without a file the next run takes longer, no more
    if (file && !out->from_cache) (void)rb_flexible_save(file, out, scratch, &unheard);
    RbModalFrame *named = rb_new_array(keep, RbModalFrame, count + 1);
    if (count > 0) memcpy(named, out->body.frames, (size_t)count * sizeof *named);
    for (int k = 0; k < count; k++) named[k].name = interfaces[k].name;
    out->body.frames = named;
    Vec3 *places = rb_new_array(keep, Vec3, count + 1);
    for (int k = 0; k < count; k++)
        places[k] = rb_interface_place(mesh, &interfaces[k], &frames[k], scratch);
    out->places = places;
    damp(&out->body, o, keep);
    return RB_OK;
}
