// SPDX-License-Identifier: MIT
// Particles of a Modelica model (library/Rattleback/Particles.mo) as fillings of the scene.
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "io/matrix_file.h"
#include "members/members.h"

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

// Spheres that each particle consists of, if there are any.
static RbStatus read_clump(const RbReading *r, RbScene *s, RbFill *fill) {
    const RbMember *member = rb_member(r->m, r->member);
    const double *spheres = rb_member_numbers(r->m, r->segment, r->member, "clump.spheres");
    const double *I = rb_member_numbers(r->m, r->segment, r->member, "clump.I");
    int count = rb_member_size(r->m, r->member, "clump.spheres") / 4;
    if (!spheres || count == 0) return RB_OK;
    RbClumpSpec spec = {.name = member->path,
                        .at = member->at,
                        .count = count,
                        .spheres = spheres,
                        .mass = rb_read_number(r, "clump.m", 0),
                        .centre = rb_read_vector(r, "clump.r_CM")};
    if (I) spec.inertia = (Mat3){v3_load(I), v3_load(I + 3), v3_load(I + 6)};
    RbClump *clump = rb_new(s->arena, RbClump);
    fill->clump = clump;
    fill->aligned = rb_read_number(r, "clump.aligned", 0) != 0;
    return rb_clump(&spec, s->arena, r->segment->scratch, r->segment->diag, clump);
}

// Or the polyhedron that each of them is.
static RbStatus read_polyhedron(const RbReading *r, RbScene *s, RbFill *fill) {
    const RbMember *member = rb_member(r->m, r->member);
    RbPolyhedronSpec spec = {
        .name = member->path,
        .at = member->at,
        .lengths = rb_read_vector(r, "polyhedron.box"),
        .count = rb_member_size(r->m, r->member, "polyhedron.points") / 3,
        .points = rb_member_numbers(r->m, r->segment, r->member, "polyhedron.points"),
        .rounding = rb_read_number(r, "polyhedron.rounding", 0)};
    if (spec.count == 0 && v3_norm2(spec.lengths) == 0) return RB_OK;
    if (fill->clump)
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "the particles '%s' are clumps and polyhedra at once; leave one out",
                       member->path);
    RbClump *form = rb_new(s->arena, RbClump);
    fill->clump = form;
    fill->aligned = rb_read_number(r, "polyhedron.aligned", 0) != 0;
    return rb_polyhedron(&spec, s->arena, r->segment->scratch, r->segment->diag, form);
}

// Places from a file, and velocities if it has columns for them; of clumps also orientations.
static RbStatus read_places(const RbReading *r, RbScene *s, RbFill *fill) {
    const RbMember *member = rb_member(r->m, r->member);
    RbDiag *diag = r->segment->diag;
    const char *path =
        rb_members_find_file(r->m, member, rb_member_text(r->m, r->segment, r->member, "fileName"));
    const char *name = rb_member_text(r->m, r->segment, r->member, "tableName");
    RbMatrixFileOptions options = {.header_lines = (int)rb_read_number(r, "headerLines", 0)};
    RbMatrixFile file;
    if (!path)
        return rb_fail(diag, RB_ERROR_MODEL, member->at,
                       "'%s' takes its particles from a file: give it a fileName", member->path);
    RbStatus status = rb_matrix_file(path, name ? name : "places", options, s->arena,
                                     r->segment->scratch, diag, &file);
    if (status != RB_OK) {
        rb_note(diag, member->at, "'%s' takes its particles from this file", member->path);
        return status;
    }
    bool turned = file.columns == 8 || file.columns == 11;
    bool moving = file.columns == 7 || file.columns == 11;
    if (file.columns != 4 && !moving && !turned)
        return rb_fail(
            diag, RB_ERROR_MODEL, member->at,
            "the file '%s' of '%s' has %d columns; 4 are wanted, x, y, z and radius in m, or 7, "
            "with the velocity in m/s behind them",
            path, member->path, file.columns);
    if (turned && !fill->clump)
        return rb_fail(diag, RB_ERROR_MODEL, member->at,
                       "the file '%s' of '%s' has %d columns, with a quaternion for each particle; "
                       "spheres have none",
                       path, member->path, file.columns);
    double *places = rb_new_array(s->arena, double, 4 * (size_t)file.rows + 1);
    Vec3 *motions = rb_new_array(s->arena, Vec3, 2 * (size_t)file.rows + 1);
    Quat *turns = rb_new_array(s->arena, Quat, (size_t)file.rows + 1);
    for (int k = 0; k < file.rows; k++) {
        const double *row = file.data + (size_t)k * (size_t)file.columns;
        memcpy(places + 4 * k, row, 4 * sizeof *row);
        motions[2 * k] = moving ? v3_load(row + file.columns - 3) : fill->velocity;
        if (turned) turns[k] = q_load(row + 4);
    }
    if (turned) fill->turns = turns;
    fill->count = file.rows;
    fill->places = places;
    fill->motions = motions;
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
    RB_TRY(read_clump(r, s, &fill));
    RB_TRY(read_polyhedron(r, s, &fill));
    if (fill.kind == RB_FILL_LIST) RB_TRY(read_places(r, s, &fill));
    if (!material) {
        material = member->path;
        fill.density = rb_read_number(r, "rho", 0);
        RB_TRY(add_material(r, s, material, member->at));
    }
    RbSceneGrains grains = {.fill = fill,
                            .solid = material,
                            .adhesion = rb_read_number(r, "w", 0),
                            .wall_adhesion = rb_read_number(r, "w_wall", 0),
                            .twisting = rb_read_number(r, "mu_t", 0)};
    rb_array_push(&s->grains, s->arena, grains);
    double step = rb_read_number(r, "step", 0), speed = rb_read_number(r, "maxSpeed", 0);
    RbSceneGrainOptions *o = &s->grain_options;
    if (!(step >= 0 && speed >= 0))
        return rb_fail(
            r->segment->diag, RB_ERROR_MODEL, member->at,
            "'%s' has the step %g s and the largest speed %g m/s; both must be positive, "
            "or 0 to be chosen",
            member->path, step, speed);
    if (step > 0) o->step = o->step > 0 ? fmin(o->step, step) : step;
    o->speed = fmax(o->speed, speed);
    return RB_OK;
}

// ---- sensors and sinks

// ORDER RbRegionKind, values of the role: its kind comes first
static RbRegionKind kind_of(const RbMember *member) {
    return (RbRegionKind)((int)member->known[0] - 1);
}

// Which variable of the role a measure is.
static int variable_of(const RbRegionMeasure *what) {
    const char *const *variables = rb_multibody_roles[ROLE_REGION].variables;
    int n = 0;
    while (strcmp(variables[n], what->name) != 0) n++;
    return n;
}

static bool is_wanted(const RbMember *member, const RbRegionMeasure *what) {
    return member->wanted[variable_of(what)];
}

void rb_members_declare_regions(Members *m, RbBuild *build) {
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_REGION) continue;
        const RbRegionMeasure *what = rb_region_measures(kind_of(member));
        for (; what->name; what++) {
            for (int k = 0; is_wanted(member, what) && k < what->size; k++) {
                const char *name =
                    what->size == 1
                        ? rb_arena_printf(m->arena, "%s.%s", member->path, what->name)
                        : rb_arena_printf(m->arena, "%s.%s[%d]", member->path, what->name, k + 1);
                RbVariableSpec spec = {name, RB_VARIABLE_OUTPUT, 0, what->unit, what->text};
                rb_array_push(&m->region_outputs, m->arena, rb_build_variable(build, &spec));
                m->has_contact = true;
            }
        }
    }
}

// A belt begins to run, and has got to its velocity.
static void add_belt_breaks(const RbRegion *r, RbScene *s) {
    if (v3_norm2(r->surface) == 0 || !(r->start + r->ramp > 0)) return;
    double *times = rb_new_array(s->arena, double, 2);
    times[0] = r->start, times[1] = r->start + r->ramp;
    rb_array_push(&s->breaks, s->arena, ((RbSceneBreaks){times, r->ramp > 0 ? 2 : 1, 0}));
}

static RbStatus add_region(const RbReading *r, RbScene *s) {
    const RbMember *member = rb_member(r->m, r->member);
    RbSceneRegion made = {.region = {.name = member->path,
                                     .at = member->at,
                                     .kind = kind_of(member),
                                     .low = rb_read_vector(r, "low"),
                                     .high = rb_read_vector(r, "high"),
                                     .r = rb_read_vector(r, "r"),
                                     .n = rb_read_vector(r, "n"),
                                     .start = rb_read_number(r, "startTime", 0),
                                     .average = rb_read_number(r, "average", 0),
                                     .surface = rb_read_vector(r, "v_surface"),
                                     .ramp = rb_read_number(r, "rampTime", 0)}};
    if (made.region.kind == RB_REGION_PART) {
        const char *part = rb_member_text(r->m, r->segment, r->member, "part");
        made.part = part ? part : "";
        made.object = rb_scene_find(s, rb_members_full_name(r->m, s, r->member, made.part, false));
    }
    add_belt_breaks(&made.region, s);
    const RbRegionMeasure *what = rb_region_measures(made.region.kind);
    for (int n = 0; what[n].name; n++) {
        if (is_wanted(member, &what[n])) made.taken |= 1u << n;
    }
    rb_array_push(&s->regions, s->arena, made);
    return rb_region_check(&made.region, r->segment->diag);
}

static RbStatus set_medium(const RbReading *r, RbScene *s) {
    const RbMember *member = rb_member(r->m, r->member);
    RbGrainMedium m = {rb_read_number(r, "rho", 0), rb_read_number(r, "eta", 0),
                       rb_read_vector(r, "v")};
    const RbGrainMedium *old = &s->grain_options.medium;
    if (!(m.density >= 0) || !(m.viscosity >= 0) || isinf(m.density) || isinf(m.viscosity) ||
        !v3_finite(m.velocity))
        return rb_fail(
            r->segment->diag, RB_ERROR_MODEL, member->at,
            "the medium '%s' has the density %g kg/m3 and the viscosity %g Pa.s; both must be "
            "positive or zero, and its velocity finite",
            member->path, m.density, m.viscosity);
    if (old->density > 0 || old->viscosity > 0)
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "'%s' is a second medium for the particles: there can be one", member->path);
    s->grain_options.medium = m;
    return RB_OK;
}

static RbStatus set_borders(const RbReading *r, RbScene *s) {
    const RbMember *member = rb_member(r->m, r->member);
    RbBorders b = {.name = member->path,
                   .at = member->at,
                   .periodic = {rb_read_number(r, "x", 0) != 0, rb_read_number(r, "y", 0) != 0,
                                rb_read_number(r, "z", 0) != 0},
                   .low = rb_read_vector(r, "low"),
                   .high = rb_read_vector(r, "high")};
    if (s->grain_options.borders.name)
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "'%s' is a second periodic cell for the particles, beside '%s': there can "
                       "be one",
                       member->path, s->grain_options.borders.name);
    s->grain_options.borders = b;
    return RB_OK;
}

// All fillings are drawn as one: the first colour holds.
static RbStatus paint_grains(const RbReading *r, RbScene *s) {
    RbPaint paint = {0};
    RB_TRY(rb_member_paint(r, &paint));
    if (s->grain_options.colour[3] == 0)
        memcpy(s->grain_options.colour, paint.colour, sizeof paint.colour);
    return RB_OK;
}

// ---- all

RbStatus rb_members_grains(const Members *m, const RbSegment *segment, RbScene *scene) {
    for (int i = 0; i < m->gathered->count; i++) {
        RbReading reading = {m, segment, i};
        if (rb_member(m, i)->role == ROLE_PARTICLES) {
            RB_TRY(add_filling(&reading, scene));
            RB_TRY(paint_grains(&reading, scene));
        }
        if (rb_member(m, i)->role == ROLE_REGION) RB_TRY(add_region(&reading, scene));
        if (rb_member(m, i)->role == ROLE_MEDIUM) RB_TRY(set_medium(&reading, scene));
        if (rb_member(m, i)->role == ROLE_BORDERS) RB_TRY(set_borders(&reading, scene));
    }
    return RB_OK;
}
