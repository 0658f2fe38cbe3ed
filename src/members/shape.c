// SPDX-License-Identifier: MIT
// Values of gathered members by their names, and the shapes that they describe.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "component/segment.h"
#include "geom/moments.h"
#include "io/drawing.h"
#include "io/mesh_file.h"
#include "io/recipe.h"
#include "members/members.h"

static int find_value(const RbValueSpec *values, const char *name) {
    for (int i = 0; values && values[i].name; i++) {
        if (strcmp(values[i].name, name) == 0) return i;
    }
    return -1;
}

const double *rb_member_numbers(const Members *m, const RbSegment *segment, int i,
                                const char *name) {
    int k = find_value(rb_multibody_roles[rb_member(m, i)->role].values, name);
    return k >= 0 ? rb_segment_values(segment, i, k) : NULL;
}

int rb_member_size(const Members *m, int i, const char *name) {
    int k = find_value(rb_multibody_roles[rb_member(m, i)->role].values, name);
    return k >= 0 && rb_member(m, i)->has[k] ? rb_member(m, i)->sizes[k] : 0;
}

const char *rb_member_text(const Members *m, const RbSegment *segment, int i, const char *name) {
    int k = find_value(rb_multibody_roles[rb_member(m, i)->role].values, name);
    const char *t = k >= 0 ? rb_segment_text(segment, i, k) : NULL;
    return t && *t ? t : NULL;
}

const char *rb_member_known_text(const Members *m, int i, const char *name) {
    int k = find_value(rb_multibody_roles[rb_member(m, i)->role].values, name);
    return k >= 0 && rb_member(m, i)->has[k] ? rb_member(m, i)->texts[k] : NULL;
}

const RbFunctionValue *rb_member_function(const Members *m, const RbSegment *segment, int i,
                                          const char *name) {
    int k = find_value(rb_multibody_roles[rb_member(m, i)->role].values, name);
    return k >= 0 ? rb_segment_function(segment, i, k) : NULL;
}

// --- shapes --------------------------------------------------------------------------------------

// ORDER library/Rattleback/Shapes.mo: sizes in the order of the function that makes the shape.
static RbShape form(RbShapeKind kind, int axis, const double *size) {
    RbShape s = rb_shape_halfspace();
    switch (kind) {
        case RB_SHAPE_SPHERE: return rb_shape_sphere(size[0]);
        case RB_SHAPE_ELLIPSOID: return rb_shape_ellipsoid(v3_load(size));
        case RB_SHAPE_BOX: return rb_shape_box(v3_load(size));
        case RB_SHAPE_CYLINDER:
            s = rb_shape_cylinder(axis, size[0], size[1]);
            s.inner_diameter = size[2];
            return s;
        case RB_SHAPE_CONE: return rb_shape_cone(axis, size[0], size[1], size[2]);
        case RB_SHAPE_CAPSULE: return rb_shape_capsule(axis, size[0], size[1]);
        case RB_SHAPE_BEAM: return rb_shape_beam(axis, size[0], size[1], size[2]);
        case RB_SHAPE_COORDINATE_SYSTEM: return rb_shape_coordinate_system(size[0]);
        case RB_SHAPE_GRID: return rb_shape_grid(axis, size[0], size[1], size[2]);
        case RB_SHAPE_SPRING:
            s = rb_shape_spring(axis, size[0], size[1]);
            s.wire_diameter = size[2];
            s.windings = size[3];
            return s;
        case RB_SHAPE_GEARWHEEL:
            s = rb_shape_gearwheel(axis, size[0], size[1], (int)size[3]);
            s.inner_diameter = size[2];
            return s;
        default: return s;
    }
}

// A file beside the text that declares the part, or else as it is named.
const char *rb_members_find_file(const Members *m, const RbMember *member, const char *name) {
    const char *slash = name && member->at.file ? strrchr(member->at.file, '/') : NULL;
    if (!slash || name[0] == '/') return name;
    const char *beside =
        rb_arena_printf(m->arena, "%.*s/%s", (int)(slash - member->at.file), member->at.file, name);
    return access(beside, R_OK) == 0 ? beside : name;
}

// What is fixed in the world has no use for its mass, and shapes on frames have none.
static void tell_overlap(const Members *m, const RbSegment *segment, int i, const RbShape *shape) {
    const double *fixed = rb_member_numbers(m, segment, i, "fixed");
    int role = rb_member(m, i)->role;
    if ((fixed && *fixed != 0) || role == ROLE_VISUAL || role == ROLE_COLLISION) return;
    rb_shape_tell_overlap(shape, rb_member(m, i)->path, rb_member(m, i)->at, m->arena,
                          segment->scratch, segment->diag);
}

static RbStatus from_file(const Members *m, const RbSegment *segment, int i, RbShape *out) {
    const RbMember *member = rb_member(m, i);
    const char *file = rb_members_find_file(m, member, rb_member_text(m, segment, i, "fileName"));
    const double *scale = rb_member_numbers(m, segment, i, "scale");
    const double *parts = rb_member_numbers(m, segment, i, "convexParts");
    RbMeshFileOptions options = rb_mesh_file_options();
    if (!file && rb_member_size(m, i, "recipes") > 0)
        return rb_fail(segment->diag, RB_ERROR_MODEL, member->at,
                       "'%s' has no pieces: give it at least one solid", member->path);
    if (!file && rb_member_size(m, i, "mesh.recipe") > 0)
        return rb_fail(segment->diag, RB_ERROR_MODEL, member->at,
                       "'%s' has no solid: give its mesh one of Rattleback.Solids", member->path);
    if (!file)
        return rb_fail(segment->diag, RB_ERROR_MODEL, member->at,
                       "'%s' is a mesh without a file: give it a fileName", member->path);
    if (scale) options.scale = v3_load(scale);
    if (parts) options.convex_parts = *parts != 0;
    RbStatus status = rb_shape_from_file(file, options, member->path, member->at, m->arena,
                                         segment->scratch, segment->diag, out);
    if (status != RB_OK)
        rb_note(segment->diag, member->at, "'%s' takes its shape from this file", member->path);
    else if (!out->surface)
        tell_overlap(m, segment, i, out);
    return status;
}

// A solid of Rattleback.Solids.
static RbStatus from_recipe(const Members *m, const RbSegment *segment, int i, const char *recipe,
                            RbShape *out) {
    const RbMember *member = rb_member(m, i);
    RbMesh mesh;
    RB_TRY(rb_recipe_solid(recipe, rb_recipe_folder(member->at, m->arena), member->path, member->at,
                           m->arena, segment->scratch, segment->diag, &mesh));
    return rb_shape_mesh(&mesh, 1, &mesh, member->path, member->at, m->arena, segment->scratch,
                         segment->diag, out);
}

// A piece that is not convex touches, and weighs, as its hull.
static void tell_concave(const RbMember *member, const RbMesh *pieces, const RbShape *shape,
                         RbDiag *diag) {
    const double worth_telling = 1e-6; // of the volume
    for (int i = 0; i < shape->part_count; i++) {
        double solid = rb_moments_of_mesh(&pieces[i]).volume,
               hull = rb_moments_of_polytope(&shape->parts[i]).volume;
        if (hull - solid <= worth_telling * hull) continue;
        rb_warn(
            diag, member->at,
            "piece %d of '%s' is not convex: it touches and weighs as its hull, which has %.6g m3 "
            "in place of %.6g m3; divide it, or use a Rattleback.Parts.Workpiece",
            i + 1, member->path, hull, solid);
    }
}

// Several of them, which are convex pieces of one part.
static RbStatus from_recipes(const Members *m, const RbSegment *segment, int i, const char *recipes,
                             RbShape *out) {
    const RbMember *member = rb_member(m, i);
    RbMesh *pieces;
    int count;
    RB_TRY(rb_recipe_solids(recipes, rb_recipe_folder(member->at, m->arena), member->path,
                            member->at, m->arena, segment->scratch, segment->diag, &pieces,
                            &count));
    RB_TRY(rb_shape_mesh(pieces, count, NULL, member->path, member->at, m->arena, segment->scratch,
                         segment->diag, out));
    tell_overlap(m, segment, i, out);
    tell_concave(member, pieces, out, segment->diag);
    return RB_OK;
}

static RbShape from_text(const char *text, double char_size) {
    RbShape s = rb_shape_text(text ? text : "");
    if (char_size > 0) s.char_size = char_size;
    return s;
}

static RbStatus check_kind(const RbMember *member, RbShapeKind kind, int axis, RbDiag *diag) {
    if ((int)kind < 0 || kind >= RB_SHAPE_KIND_COUNT)
        return rb_fail(diag, RB_ERROR_MODEL, member->at,
                       "the shape of '%s' is of no kind (%d): make it by a function of "
                       "Rattleback.Shapes",
                       member->path, (int)kind + 1);
    if (kind == RB_SHAPE_HALFSPACE && (axis < 0 || axis > 3))
        return rb_fail(
            diag, RB_ERROR_MODEL, member->at,
            "axis of half-space '%s' is %d; it must be 1, 2 or 3 (along x, y or z), or 0 "
            "(against gravity)",
            member->path, axis);
    return RB_OK;
}

// What only some shapes have.
static void warn_of_unused(const Members *m, const RbSegment *segment, int i, RbShapeKind kind) {
    const RbMember *member = rb_member(m, i);
    if (kind != RB_SHAPE_MESH && rb_member_text(m, segment, i, "fileName"))
        rb_warn(segment->diag, member->at,
                "fileName of '%s' has no effect: its shape is no mesh; give it shape = "
                "Shapes.Mesh()",
                member->path);
    if (kind != RB_SHAPE_TEXT && rb_member_text(m, segment, i, "text"))
        rb_warn(segment->diag, member->at,
                "text of '%s' has no effect: its shape is no text; give it shape = Shapes.Text()",
                member->path);
}

// The number of a kind is that of RbShapeKind plus one.
RbStatus rb_member_shape(const Members *m, const RbSegment *segment, int i, RbShape *out) {
    const double *size = rb_member_numbers(m, segment, i, "shape.size");
    RbShapeKind kind = (RbShapeKind)((int)*rb_member_numbers(m, segment, i, "shape.kind") - 1);
    int axis = (int)*rb_member_numbers(m, segment, i, "shape.axis");
    const char *recipe = rb_member_text(m, segment, i, "mesh.recipe"),
               *recipes = rb_member_text(m, segment, i, "recipes");
    RB_TRY(check_kind(rb_member(m, i), kind, axis, segment->diag));
    warn_of_unused(m, segment, i, kind);
    if (kind == RB_SHAPE_MESH && recipe)
        RB_TRY(from_recipe(m, segment, i, recipe, out));
    else if (kind == RB_SHAPE_MESH && recipes)
        RB_TRY(from_recipes(m, segment, i, recipes, out));
    else if (kind == RB_SHAPE_MESH)
        RB_TRY(from_file(m, segment, i, out));
    else if (kind == RB_SHAPE_TEXT)
        *out = from_text(rb_member_text(m, segment, i, "text"), size[0]);
    else
        *out = form(kind, axis, size);
    if (kind > RB_SHAPE_BEAM && kind != RB_SHAPE_MESH) return RB_OK;
    out->contact_radius = *rb_member_numbers(m, segment, i, "shape.contactRadius");
    out->smoothing = *rb_member_numbers(m, segment, i, "shape.smoothing");
    return RB_OK;
}

// --- colours -------------------------------------------------------------------------------------

static bool lies_in(Vec3 c, double low, double high) {
    return c.x >= low && c.y >= low && c.z >= low && c.x <= high && c.y <= high && c.z <= high;
}

// Parts of 1 in place of 0 ... 255 would be nearly black.
static void warn_of_fractions(const RbReading *r, Vec3 c) {
    const RbMember *member = rb_member(r->m, r->member);
    bool whole = c.x == floor(c.x) && c.y == floor(c.y) && c.z == floor(c.z);
    if (whole || !lies_in(c, 0, 1)) return;
    rb_warn(r->segment->diag, member->at,
            "color of '%s' is {%g, %g, %g}, nearly black: red, green and blue go from 0 to 255",
            member->path, c.x, c.y, c.z);
}

RbStatus rb_member_paint(const RbReading *r, RbPaint *out) {
    const RbMember *member = rb_member(r->m, r->member);
    const double *color = rb_member_numbers(r->m, r->segment, r->member, "color");
    double transparency = rb_read_number(r, "transparency", 0);
    Vec3 c = color ? v3_load(color) : v3(-1, -1, -1);
    if (!(transparency >= 0 && transparency <= 1))
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "transparency of '%s' is %g; it must lie between 0 and 1", member->path,
                       transparency);
    bool chosen = !lies_in(c, -1, -1);
    if (chosen && !lies_in(c, 0, 255))
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "color of '%s' is {%g, %g, %g}; red, green and blue must lie between 0 and "
                       "255",
                       member->path, c.x, c.y, c.z);
    warn_of_fractions(r, c);
    *out = (RbPaint){.only_opacity = !chosen && transparency > 0};
    for (int k = 0; chosen && k < 3; k++) out->colour[k] = rb_colour_byte(v3_get(c, k));
    // An opacity of 0 would leave the colour to the viewer.
    if (chosen || out->only_opacity)
        out->colour[3] = rb_colour_byte(fmax(1, 255 * (1 - transparency)));
    return RB_OK;
}
