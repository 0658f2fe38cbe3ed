// SPDX-License-Identifier: MIT
// Flexible bodies of finite elements (library/Rattleback/Parts.mo, FlexibleBody): a mesh in a file, or a shape that is filled with elements,
// becomes a mean frame with modes, and its interfaces are frames of it.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "code/compile.h"
#include "component/segment.h"
#include "deform/stuffing.h"
#include "flexible/flexible_body.h"
#include "geom/moments.h"
#include "geom/plate_mesh.h"
#include "geom/tessellate.h"
#include "io/recipe.h"
#include "members/members_build.h"

enum { INTERFACE_ROW = 12 }; // ORDER Parts.FlexibleBody.interfaceRows

static RbStatus refuse(const RbReading *r, const char *name, double value, const char *must) {
    const RbMember *member = rb_member(r->m, r->member);
    return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at, "%s of '%s' is %g; %s", name,
                   member->path, value, must);
}

// ---- interfaces

// The k-th line of a text.
static const char *line_of(const char *text, int k, RbArena *arena) {
    for (; text && k > 0; k--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text ? rb_arena_printf(arena, "%.*s", (int)strcspn(text, "\n"), text) : "";
}

static RbStatus read_interface(const RbReading *r, int k, const double *row, RbInterface *out) {
    const RbMember *member = rb_member(r->m, r->member);
    const char *names = rb_member_text(r->m, r->segment, r->member, "interfaceNodes");
    *out = (RbInterface){.name = rb_arena_printf(r->m->arena, "%s.frames[%d]", member->path, k + 1),
                         .at = member->at,
                         .kind = (RbInterfaceKind)(row[0] - 1),
                         .nodes = line_of(names, k, r->m->arena),
                         .r = v3_load(row + 1),
                         .n = v3_load(row + 4),
                         .radius = row[7],
                         .length = row[8],
                         .tolerance = row[9],
                         .averaged = row[10] == 0,
                         .stands_at_r = row[11] != 0};
    bool finite = true;
    for (int i = 0; i < INTERFACE_ROW; i++) finite &= isfinite(row[i]) != 0;
    if (!finite)
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "a number of interfaces[%d] of '%s' is not finite", k + 1, member->path);
    if (out->kind == RB_INTERFACE_NODES && !out->nodes[0])
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "interfaces[%d] of '%s' names no node set; give it nodes = \"...\", or "
                       "choose a plane, a "
                       "cylinder or a ball by where",
                       k + 1, member->path);
    return RB_OK;
}

static RbStatus read_interfaces(const RbReading *r, RbInterface **out, int *count) {
    const RbMember *member = rb_member(r->m, r->member);
    const double *rows = rb_member_numbers(r->m, r->segment, r->member, "interfaceRows");
    *count = member->set_count;
    *out = rb_new_array(r->m->arena, RbInterface, *count + 1);
    if (*count == 0 || !rows)
        return rb_fail(
            r->segment->diag, RB_ERROR_MODEL, member->at,
            "'%s' has no interfaces: give it at least one, whose frame others are connected to",
            member->path);
    for (int k = 0; k < *count; k++)
        RB_TRY(read_interface(r, k, rows + INTERFACE_ROW * k, *out + k));
    return RB_OK;
}

// ---- material and options

static RbStatus read_material(const RbReading *r, const RbScene *s, RbPartMaterial *out) {
    const RbMember *member = rb_member(r->m, r->member);
    const char *name = rb_member_text(r->m, r->segment, r->member, "material");
    *out = (RbPartMaterial){rb_read_number(r, "E", 0), rb_read_number(r, "nu", -1),
                            rb_read_number(r, "density", 0)};
    const RbSolidMaterial *m = NULL;
    bool needs = out->youngs_modulus == 0 || out->poisson == -1 || out->density == 0;
    if (needs && name)
        RB_TRY(rb_materials_solid(&s->materials, name, member->path, member->at, r->segment->diag,
                                  &m));
    if (m && out->youngs_modulus == 0) out->youngs_modulus = m->elastic.youngs_modulus;
    if (m && out->poisson == -1) out->poisson = m->elastic.poissons_ratio;
    if (m && out->density == 0) out->density = m->density;
    if (!(out->youngs_modulus > 0 && isfinite(out->youngs_modulus)))
        return refuse(r, "E", out->youngs_modulus,
                      "it must be positive, or its material must have one");
    if (!(out->density > 0 && isfinite(out->density)))
        return refuse(r, "density", out->density,
                      "it must be positive, or its material must have one");
    if (!(out->poisson > -1 && out->poisson < 0.5))
        return refuse(r, "nu", out->poisson,
                      "it must lie between -1 and 0.5, or its material must have one");
    return RB_OK;
}

static RbStatus read_options(const RbReading *r, const RbScene *s, RbFlexibleOptions *o) {
    double modes = rb_read_number(r, "modes", 10);
    *o = rb_flexible_options();
    RB_TRY(read_material(r, s, &o->material));
    o->highest_frequency = rb_read_number(r, "highestFrequency", 0);
    o->zeta = rb_read_number(r, "zeta", 0.01);
    o->alpha = rb_read_number(r, "alpha", 0), o->beta = rb_read_number(r, "beta", 0);
    o->stiffening = rb_read_number(r, "stiffening", 1) != 0;
    if (!(modes >= 0 && modes <= RB_MOST_HELD_MODES))
        return refuse(r, "modes", modes, "it must lie between 0 and 400");
    if (!(o->highest_frequency >= 0))
        return refuse(r, "highestFrequency", o->highest_frequency, "it must not be negative");
    if (!(o->zeta >= 0 && o->alpha >= 0 && o->beta >= 0) || !isfinite(o->zeta + o->alpha + o->beta))
        return refuse(r, "zeta, alpha or beta", fmin(o->zeta, fmin(o->alpha, o->beta)),
                      "damping must not be negative");
    o->modes = (int)modes;
    RbDiag unheard = rb_diag(r->m->arena);
    if (rb_cache_directory(NULL, r->m->arena, &unheard, &o->cache) != RB_OK) o->cache = NULL;
    return RB_OK;
}

// ---- the mesh

static bool names_mesh(const char *file) {
    size_t n = file ? strlen(file) : 0;
    return n > 4 &&
           (strcasecmp(file + n - 4, ".msh") == 0 || strcasecmp(file + n - 4, ".inp") == 0);
}

static RbStatus from_file(const RbReading *r, const char *file, RbTetMesh *out) {
    const RbMember *member = rb_member(r->m, r->member);
    Vec3 scale = rb_read_vector(r, "scale");
    if (!(scale.x > 0 && scale.y > 0 && scale.z > 0 && isfinite(v3_norm(scale))))
        return refuse(r, "scale", fmin(scale.x, fmin(scale.y, scale.z)), "it must be positive");
    RbStatus status = rb_flexible_mesh(rb_members_find_file(r->m, member, file), scale, member->at,
                                       r->m->arena, r->segment->scratch, r->segment->diag, out);
    if (status != RB_OK)
        rb_note(r->segment->diag, member->at, "'%s' takes its elements from this file",
                member->path);
    return status;
}

// Of walls: twice the volume by the surface. [m]
static double thickness_of(const RbMesh *mesh) {
    double area = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *v = mesh->triangles[t].v;
        Vec3 a = mesh->vertices[v[0]];
        area += 0.5 *
                v3_norm(v3_cross(v3_sub(mesh->vertices[v[1]], a), v3_sub(mesh->vertices[v[2]], a)));
    }
    return 2 * rb_moments_of_mesh(mesh).volume / area;
}

// Some sixteen cells on a side, but at least two, from 3 to 8 times the thickness, or from 0.75 to 3 times where a box is not filled; longer in the
// direction that has most of them until they are few enough.
static Vec3 grid_of(const RbMesh *mesh) {
    const double most = 4000; // cells
    Vec3 low = mesh->vertices[0], high = low;
    for (int i = 0; i < mesh->vertex_count; i++)
        low = v3_min(low, mesh->vertices[i]), high = v3_max(high, mesh->vertices[i]);
    Vec3 d = v3_sub(high, low);
    double thick = thickness_of(mesh), side[3], cells[3];
    double filled = rb_moments_of_mesh(mesh).volume / (d.x * d.y * d.z);
    v3_store(side, d);
    bool box = filled > 0.99;
    double least = box ? 3 * thick : 0.75 * thick, longest = box ? 8 * thick : 3 * thick;
    for (int k = 0; k < 3; k++)
        cells[k] = fmax(2, ceil(side[k] / fmin(fmax(side[k] / 16, least), longest) - 1e-6));
    while (filled * cells[0] * cells[1] * cells[2] > most) {
        int k = cells[0] >= cells[1] && cells[0] >= cells[2] ? 0 : cells[1] >= cells[2] ? 1 : 2;
        cells[k] = ceil(0.8 * cells[k]);
    }
    return v3_div(d, v3_load(cells));
}

// Elements that fill a surface in units of the grid.
static void take_elements(const RbSoftScene *s, Vec3 grid, int order, RbArena *keep,
                          RbTetMesh *out) {
    Vec3 *nodes = rb_new_array(keep, Vec3, s->molecules.count + 1);
    int(*tets)[RB_TET_NODES] =
        rb_arena_push_array(keep, sizeof *tets, (size_t)s->tets.count + 1, alignof(int));
    for (int i = 0; i < s->molecules.count; i++) nodes[i] = v3_mul(grid, s->molecules.data[i].r);
    for (int i = 0; i < s->tets.count; i++) memcpy(tets[i], s->tets.data[i].node, sizeof *tets);
    *out = (RbTetMesh){.nodes = nodes,
                       .node_count = s->molecules.count,
                       .tets = (const int(*)[RB_TET_NODES])tets,
                       .tet_count = s->tets.count,
                       .order = order};
}

// The grid is cubic where its cells are cubes of one.
static RbStatus fill(const RbReading *r, const RbMesh *mesh, int order, double *cell,
                     RbTetMesh *out) {
    const RbMember *member = rb_member(r->m, r->member);
    Vec3 given = rb_read_vector(r, "gridSize"), grid = grid_of(mesh);
    double least = fmin(given.x, fmin(given.y, given.z));
    if (!(least >= 0 && isfinite(v3_norm(given))))
        return refuse(r, "gridSize", least, "it must not be negative");
    grid = v3(given.x > 0 ? given.x : grid.x, given.y > 0 ? given.y : grid.y,
              given.z > 0 ? given.z : grid.z);
    *cell = fmin(grid.x, fmin(grid.y, grid.z));
    Vec3 *scaled = rb_new_array(r->m->arena, Vec3, mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; i++) scaled[i] = v3_div(mesh->vertices[i], grid);
    RbMesh surface = {scaled, mesh->vertex_count, mesh->triangles, mesh->triangle_count};
    RbStuffing how = {.spacing = 1, .radius = 1};
    RbSoftScene *filled = rb_soft_scene_new("elements", r->m->arena);
    RbSoftMaterial elements = rb_soft_material_default();
    RbSoftFillReport report;
    elements.model = RB_SOFT_COROTATED, elements.order = order;
    how.material = rb_soft_scene_add_material(filled, &elements);
    RbStatus status = rb_stuff(filled, member->path, member->at, &surface, &how,
                               r->segment->scratch, r->segment->diag, &report);
    if (status != RB_OK)
        rb_note(r->segment->diag, member->at,
                "lengths are in cells of gridSize = {%.3g, %.3g, %.3g} m", grid.x, grid.y, grid.z);
    RB_TRY(status);
    take_elements(filled, grid, order, r->m->arena, out);
    return RB_OK;
}

static RbStatus from_shape(const RbReading *r, double *cell, RbTetMesh *out) {
    enum { CIRCLE = 48 }; // segments of round shapes
    const RbMember *member = rb_member(r->m, r->member);
    RbDiag *diag = r->segment->diag;
    int kind = (int)rb_read_number(r, "shape.kind", 0) - 1,
        order = (int)rb_read_number(r, "order", 2);
    if (kind < 0 || (kind > RB_SHAPE_BEAM && kind != RB_SHAPE_MESH))
        return rb_fail(
            diag, RB_ERROR_MODEL, member->at,
            "'%s' has neither a mesh of finite elements nor a shape that can be filled: give it a "
            "fileName "
            "(.msh, .inp), or a Box, Cylinder, Beam, Mesh or another body of Rattleback.Shapes",
            member->path);
    if (order != 1 && order != 2) return refuse(r, "order", order, "elements are of order 1 or 2");
    RbShape shape;
    RB_TRY(rb_member_shape(r->m, r->segment, r->member, &shape));
    RB_TRY(rb_shape_check(&shape, member->path, member->at, diag));
    RbMesh mesh = shape.kind == RB_SHAPE_MESH && shape.surface
                      ? *shape.surface
                      : rb_tessellate(&shape, CIRCLE, r->m->arena);
    return fill(r, &mesh, order, cell, out);
}

// ---- plates

static RbStatus from_polygon(const RbReading *r, const char *recipe, RbTetMesh *out) {
    enum { TRIANGLES = 1500, LAYERS = 50 };
    const RbMember *member = rb_member(r->m, r->member);
    RbDiag *diag = r->segment->diag;
    double height = rb_read_number(r, "thickness", 0), size = rb_read_number(r, "elementSize", 0),
           layers = rb_read_number(r, "layers", 0);
    int order = (int)rb_read_number(r, "order", 2);
    RbPolygon polygon;
    if (!(height > 0 && isfinite(height)))
        return refuse(r, "thickness", height, "it must be larger than zero");
    if (!(size >= 0 && isfinite(size)))
        return refuse(r, "elementSize", size, "it must be positive, or 0 to be chosen");
    if (!(layers >= 0 && layers <= LAYERS))
        return refuse(r, "layers", layers, "it must lie between 0 (chosen) and 50");
    if (order != 1 && order != 2) return refuse(r, "order", order, "elements are of order 1 or 2");
    RB_TRY(rb_recipe_polygon(recipe, rb_recipe_folder(member->at, r->m->arena), member->path,
                             member->at, r->m->arena, r->segment->scratch, diag, &polygon));
    double least = rb_plate_size(&polygon, 50 * TRIANGLES);
    if (size == 0) size = rb_plate_size(&polygon, TRIANGLES);
    if (size < least && least > rb_plate_size(&polygon, 100 * TRIANGLES))
        return rb_fail(diag, RB_ERROR_MODEL, member->at,
                       "elementSize of '%s' is %g m, which makes more than %d triangles; make it "
                       "larger than %g m",
                       member->path, size, 50 * TRIANGLES, least);
    RbPlaneMesh plane = rb_plane_mesh(&polygon, size, r->m->arena, r->segment->scratch);
    int count = layers > 0 ? (int)layers : (int)fmin(LAYERS, fmax(1, round(height / size)));
    *out = rb_plate_mesh(&plane, height, count, order, r->m->arena, r->segment->scratch);
    return RB_OK;
}

// cell: the shortest one of the grid that fills a shape; 0: the elements come from a file.
static RbStatus find_mesh(const RbReading *r, double *cell, RbTetMesh *mesh) {
    *cell = 0;
    const RbMember *member = rb_member(r->m, r->member);
    const char *file = rb_member_text(r->m, r->segment, r->member, "fileName"),
               *polygon = rb_member_text(r->m, r->segment, r->member, "polygon.recipe");
    double worst;
    if (polygon) return from_polygon(r, polygon, mesh);
    RB_TRY(names_mesh(file) ? from_file(r, file, mesh) : from_shape(r, cell, mesh));
    int flat = names_mesh(file) ? rb_flat_elements(mesh, &worst) : 0;
    if (flat > 0)
        rb_warn(r->segment->diag, member->at,
                "%d of %d elements of '%s' are nearly flat (the worst has a shape of %.2g, a "
                "regular one 1); "
                "frequencies and stresses near them are less exact",
                flat, mesh->tet_count, member->path, worst);
    return RB_OK;
}

// ---- into the scene

// The frame of an interface in its modal frame, which stands in the middle of its nodes.
static Vec3 offset_of(const RbFlexibleBody *part, int k) {
    Vec3 d = v3_sub(part->places[k], v3_add(part->surface.origin, part->body.frames[k].x));
    return v3_norm(d) > 1e-9 * v3_norm(part->places[k]) ? d : V3_ZERO;
}

static void connect_frame(SceneBuild *b, int i, int mean, int k, Vec3 offset,
                          const RbFlexibleBody *part) {
    int end = rb_making_object(b, i, k), inner = end;
    if (v3_norm(offset) > 0) {
        RbSceneObject o = rb_frame_object(
            rb_arena_printf(b->m->arena, "%s.middle[%d]", rb_member(b->m, i)->path, k + 1), -1,
            POSE_IDENTITY);
        o.object.at = rb_member(b->m, i)->at;
        inner = rb_making_new_object(b, o);
    }
    rb_making_modal_joint(b, i, mean, inner, k, &part->body.frames[k]);
    if (inner == end) return;
    RbObjectJoint j = rb_scene_joint("", RB_JOINT_FIXED, inner, end, V3_ZERO);
    j.pose = (Pose){offset, M3_IDENTITY};
    rb_making_joint(b, i, j);
}

static RbStatus look_of(const RbReading *r, const RbFlexibleBody *part, RbSceneObject *o) {
    RbFlexibleLook *look = rb_new(r->m->arena, RbFlexibleLook);
    *look = (RbFlexibleLook){part->surface, rb_read_number(r, "stressScale", 0),
                             rb_read_number(r, "deformationScale", 1)};
    o->flexible = look;
    if (!(look->stress_scale >= 0))
        return refuse(r, "stressScale", look->stress_scale, "it must not be negative");
    if (!isfinite(look->deformation))
        return refuse(r, "deformationScale", look->deformation, "it must be finite");
    return rb_member_paint(r, &o->paint);
}

RbStatus rb_making_flexible_body(SceneBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    RbReading r = {b->m, b->segment, i};
    RbInterface *interfaces;
    RbFlexibleOptions options;
    RbTetMesh mesh;
    int count;
    double cell;
    RbFlexibleBody *part = rb_new(b->m->arena, RbFlexibleBody);
    RB_TRY(read_interfaces(&r, &interfaces, &count));
    RB_TRY(read_options(&r, b->scene, &options));
    RB_TRY(find_mesh(&r, &cell, &mesh));
    for (int k = 0; k < count; k++) // round surfaces are cut along the grid
        if (interfaces[k].kind == RB_INTERFACE_CYLINDER && interfaces[k].tolerance == 0)
            interfaces[k].tolerance = 0.3 * cell;
    RB_TRY(rb_flexible_body(&mesh, interfaces, count, &options, member->at, b->m->arena,
                            b->segment->scratch, b->segment->diag, part));
    RbSceneObject o = {.object = rb_object(member->path, -1)};
    o.object.at = member->at;
    o.object.modal = &part->body;
    RB_TRY(look_of(&r, part, &o));
    int mean = rb_making_new_object(b, o);
    for (int k = 0; k < count; k++) connect_frame(b, i, mean, k, offset_of(part, k), part);
    b->first_frame[i] = (Pose){part->places[0], M3_IDENTITY};
    int object = rb_making_object(b, i, 0);
    if (b->start_member[object] == 0) b->start_member[object] = i + 1;
    return RB_OK;
}

void rb_making_flexible_start(const SceneBuild *b, int i, RbObject *o) {
    Vec3 arm = m3_mul_vec(o->pose.R, b->first_frame[i].r);
    o->velocity = v3_add(o->velocity, v3_cross(o->angular_velocity, arm));
    o->pose = pose_mul(o->pose, b->first_frame[i]);
}
