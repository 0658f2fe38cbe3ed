// SPDX-License-Identifier: MIT
// The cloud of a scene in the component: made when the run begins, advanced at quiet time events, its loads
// in the discrete block, its numbers among the results.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "component/saver.h"
#include "component/segment.h"
#include "geom/aabb.h"
#include "multibody/grains.h"
#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/restructure.h"

// ---------------------------------------------------------------------------------------------------
// materials

// What is the same for all grains of a number; walls have nothing of their own.
typedef struct Surface {
    double among, walls; // [J/m2] work of adhesion
    double twisting;     // friction against it
} Surface;

typedef struct Names {
    RbContactSide sides[RB_GRAIN_MATERIALS_MOST];
    Surface surfaces[RB_GRAIN_MATERIALS_MOST];
    int count;
} Names;

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Number of a material; -1: there are too many.
static int number_of(Names *n, RbContactSide side, Surface surface) {
    for (int i = 0; i < n->count; i++) {
        if (same(n->sides[i].solid, side.solid) && same(n->sides[i].contact, side.contact) &&
            n->surfaces[i].among == surface.among && n->surfaces[i].walls == surface.walls &&
            n->surfaces[i].twisting == surface.twisting)
            return i;
    }
    if (n->count == RB_GRAIN_MATERIALS_MOST) return -1;
    n->sides[n->count] = side;
    n->surfaces[n->count] = surface;
    return n->count++;
}

static RbStatus too_many(RbSegment *seg) {
    return rb_fail(seg->diag, RB_ERROR_MODEL, RB_NOWHERE,
                   "grains and their walls have more than %d materials", RB_GRAIN_MATERIALS_MOST);
}

static RbStatus find_law(const RbScene *s, RbSegment *seg, RbContactSide a, RbContactSide b,
                         double adhesion, double twisting, RbGrainLaw *law) {
    RbContactMaterial material;
    RB_TRY(rb_materials_pair(&s->materials, a, b, a.at, seg->diag, &material));
    RbElastic one = material.elastic_1, two = material.elastic_2;
    if (material.law.response != RB_RESPONSE_ELASTIC || material.law.normal != RB_NORMAL_HERTZ)
        return rb_fail(
            seg->diag, RB_ERROR_MODEL, a.at,
            "the contact of '%s' and '%s' has a stiffness, a function or a response of its "
            "own, but grains touch by the moduli of the materials alone: leave it out of "
            "the pair [\"%s\", \"%s\"]",
            a.object, b.object, rb_contact_title(&a), rb_contact_title(&b));
    double reduction = s->contact_options.scene.reduction;
    one.youngs_modulus *= reduction, two.youngs_modulus *= reduction;
    RbGrainPair pair = {.restitution = material.law.restitution,
                        .sliding = material.law.mu_k,
                        .rolling = material.law.mu_r,
                        .twisting = twisting,
                        .adhesion = adhesion};
    *law = rb_grain_law(&pair, one, two);
    return RB_OK;
}

// The laws of two walls are not asked for, and stay zero.
static RbStatus find_laws(const RbScene *s, RbSegment *seg, const Names *n, int of_grains,
                          int count, RbGrainLaw *laws) {
    for (int a = 0; a < n->count; a++) {
        for (int b = 0; b < n->count; b++) {
            if (a >= of_grains && b >= of_grains) continue;
            const Surface *one = &n->surfaces[a], *two = &n->surfaces[b];
            bool wall_1 = a >= of_grains, wall_2 = b >= of_grains;
            double w = wall_2 ? one->walls : wall_1 ? two->walls : sqrt(one->among * two->among);
            double t = (one->twisting + two->twisting) / (wall_1 || wall_2 ? 1 : 2);
            RB_TRY(find_law(s, seg, n->sides[a], n->sides[b], w, t, &laws[a * count + b]));
        }
    }
    return RB_OK;
}

static RbStatus find_elastics(const RbScene *s, RbSegment *seg, struct Grains *g, const Names *n) {
    g->elastics = rb_new_array(g->arena, RbElastic, n->count);
    g->names = rb_new_array(g->arena, const char *, n->count);
    for (int k = 0; k < n->count; k++) {
        const RbSolidMaterial *solid;
        RB_TRY(rb_materials_solid(&s->materials, n->sides[k].solid, n->sides[k].object,
                                  n->sides[k].at, seg->diag, &solid));
        g->elastics[k] = solid->elastic;
        g->names[k] = n->sides[k].contact ? n->sides[k].contact : n->sides[k].solid;
        g->elastics[k].youngs_modulus *= s->contact_options.scene.reduction;
    }
    return RB_OK;
}

// -----------------------------------------------------------------------------------------------------
// the cloud

static RbContactSide side_of(const RbSceneObject *o) {
    return (RbContactSide){o->object.name, o->solid, o->contact, o->object.at};
}

static RbStatus check_surface(const RbSceneGrains *f, RbDiag *diag) {
    if (f->fill.clump && f->fill.clump->core && (f->adhesion != 0 || f->wall_adhesion != 0))
        return rb_fail(diag, RB_ERROR_MODEL, f->fill.at,
                       "the polyhedra '%s' have a work of adhesion; they cannot stick: use spheres "
                       "or clumps",
                       f->fill.name);
    if (!(f->twisting >= 0 && isfinite(f->twisting)))
        return rb_fail(diag, RB_ERROR_MODEL, f->fill.at,
                       "'%s' has a friction against twisting of %g; it must be positive or zero",
                       f->fill.name, f->twisting);
    if (f->adhesion >= 0 && f->wall_adhesion >= 0 && isfinite(f->adhesion + f->wall_adhesion))
        return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, f->fill.at,
                   "'%s' has the work of adhesion %g J/m2, and %g J/m2 with walls; both must be "
                   "positive or zero",
                   f->fill.name, f->adhesion, f->wall_adhesion);
}

static RbStatus number_materials(const RbScene *s, RbSegment *seg, struct Grains *g, Names *n,
                                 int *of_grains) {
    for (int k = 0; k < s->grains.count; k++) {
        const RbSceneGrains *f = &s->grains.data[k];
        RbContactSide side = {f->fill.name, f->solid, f->contact, f->fill.at};
        const RbSolidMaterial *solid;
        RB_TRY(rb_materials_solid(&s->materials, f->solid, f->fill.name, f->fill.at, seg->diag,
                                  &solid));
        g->densities[k] = f->fill.density > 0 ? f->fill.density : solid->density;
        RB_TRY(check_surface(f, seg->diag));
        g->materials[k] = number_of(n, side, (Surface){f->adhesion, f->wall_adhesion, f->twisting});
        if (g->materials[k] < 0) return too_many(seg);
    }
    *of_grains = n->count;
    for (int i = 0; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        if (rb_scene_is_wall(o) && o->solid && number_of(n, side_of(o), (Surface){0}) < 0)
            return too_many(seg);
    }
    return RB_OK;
}

// [m/s] The fastest grain or solid at the start.
static double initial_speed(const RbScene *s) {
    double fastest = 0;
    for (int k = 0; k < s->grains.count; k++) {
        const RbFill *f = &s->grains.data[k].fill;
        if (!f->motions) fastest = fmax(fastest, v3_norm(f->velocity));
        for (int i = 0; f->motions && i < f->count; i++)
            fastest = fmax(fastest, v3_norm(f->motions[2 * i]));
    }
    for (int i = 1; i < s->objects.count; i++)
        fastest = fmax(fastest, v3_norm(s->objects.data[i].object.velocity));
    return fastest;
}

// [m/s] What falls from the highest place to the lowest has this speed, and what it had before.
static double expected_speed(const RbScene *s) {
    double low = INFINITY, high = -INFINITY, fastest = initial_speed(s), least = INFINITY;
    Vec3 g = s->gravity.kind == RB_GRAVITY_UNIFORM ? s->gravity.g : V3_ZERO;
    for (int k = 0; k < s->grains.count; k++) {
        const RbFill *f = &s->grains.data[k].fill;
        const Vec3 corners[2] = {f->low, f->high};
        for (int i = 0; f->kind != RB_FILL_LIST && i < 8; i++) {
            double at =
                corners[i & 1].x * g.x + corners[i >> 1 & 1].y * g.y + corners[i >> 2].z * g.z;
            low = fmin(low, at), high = fmax(high, at);
        }
        for (int i = 0; f->kind == RB_FILL_LIST && i < f->count; i++) {
            double at = v3_dot(v3_load(f->places + 4 * i), g),
                   reach = f->clump ? f->clump->reach : 1;
            low = fmin(low, at), high = fmax(high, at);
            least = fmin(least, reach * f->places[4 * i + 3]);
        }
        if (f->kind != RB_FILL_LIST) least = fmin(least, f->clump ? f->clump->reach : f->radius);
    }
    for (int i = 1; i < s->objects.count; i++) {
        double at = v3_dot(s->objects.data[i].object.pose.r, g);
        if (rb_scene_is_wall(&s->objects.data[i])) low = fmin(low, at), high = fmax(high, at);
    }
    double drop = high > low ? high - low : 0; // g times height
    double slow = sqrt(2 * 9.81 * least);      // a grain that falls by its own radius
    return fmax(slow, sqrt(2 * drop + fastest * fastest));
}

static double lightest(const struct Grains *g, const RbScene *s, double *radius) {
    double mass = INFINITY;
    for (int k = 0; k < s->grains.count; k++) {
        const RbFill *f = &s->grains.data[k].fill;
        double R = 0, m = rb_fill_lightest(f, g->densities[k], &R);
        if (f->count > 0 && m < mass) mass = m, *radius = R;
    }
    return mass;
}

// [s] How long two polyhedra press on each other with their largest faces, which is a spring: contact/press.h.
static double face_time(const RbFill *f, double density, const RbGrainLaw *law) {
    if (!f->clump || !f->clump->core || f->count == 0) return INFINITY;
    double stiffness = 2 * 0.5528 * 0.75 * law->normal * sqrt(f->clump->face);
    return M_PI * sqrt(0.5 * rb_clump_mass(f->clump, density, 1) / stiffness);
}

// As derived for the speed that is expected; and with how many the step is halved, unless one was typed.
enum { STEPS_PER_CONTACT = 40, STEPS_WANTED = 20 };

// With a molecule of a soft body, of the laws of so many materials.
static bool is_soft_law(const struct Grains *g, int i, int count) {
    return i / count >= g->first_soft || i % count >= g->first_soft;
}

// [s] The shortest contact of two of the lightest grains, of the stiffest pair, at a speed.
static double shortest_contact(const struct Grains *g, const RbScene *s, const RbGrainLaw *laws,
                               int count, double speed) {
    double radius = 0, mass = lightest(g, s, &radius), time = INFINITY;
    for (int i = 0; i < count * count; i++) {
        if (laws[i].normal > 0 && !is_soft_law(g, i, count))
            time = fmin(time, rb_grain_contact_time(&laws[i], 0.5 * mass, 0.5 * radius, speed));
    }
    return time;
}

// The shortest contact at the largest speed; it lasts 2.94 depths over the speed, and what would be deeper than a radius counts as one,
// so that no step leads across a grain.
static double derive_step(const Mechanism *m, const RbGrainLaw *laws, int count) {
    const struct Grains *g = m->grains;
    const RbScene *s = m->scene;
    double typed = s->grain_options.speed, radius = 0;
    double speed = typed > 0 ? fmax(typed, initial_speed(s)) : expected_speed(s);
    double time = shortest_contact(g, s, laws, count, speed);
    double mass = lightest(g, s, &radius);
    for (int i = 0; i < count * count; i++) {
        if (!(laws[i].normal > 0) || is_soft_law(g, i, count)) continue;
        for (int k = 0; k < s->grains.count; k++)
            time = fmin(time, face_time(&s->grains.data[k].fill, g->densities[k], &laws[i]));
    }
    if (g->touches_soft)
        time = fmin(time, rb_grains_soft_time(m, laws, count, mass, radius, speed));
    if (speed > 0) time = fmin(time, 2.94 * radius / speed);
    return isfinite(time) && time > 0 ? time / STEPS_PER_CONTACT : 1e-3;
}

// [m] Of clumps: how far they reach.
static double largest_radius(const RbScene *s) {
    double most = 0;
    for (int k = 0; k < s->grains.count; k++) {
        const RbFill *f = &s->grains.data[k].fill;
        double reach = f->clump ? f->clump->reach : 1, one = f->clump ? reach : f->radius;
        if (f->kind != RB_FILL_LIST) most = fmax(most, one * (1 + f->radius_spread));
        for (int i = 0; f->kind == RB_FILL_LIST && i < f->count; i++)
            most = fmax(most, reach * f->places[4 * i + 3]);
    }
    return most;
}

// A cell must be so large that no two grains are listed twice, and have all of them and what looks at them in it.
static RbStatus check_borders(const RbScene *s, RbSegment *seg, const RbCloudOptions *options) {
    const RbBorders *b = &options->borders;
    double radius = largest_radius(s);
    if (!rb_borders_any(b)) return RB_OK;
    RB_TRY(rb_borders_check(b, radius, rb_cloud_widest_skin(options, radius), seg->diag));
    for (int k = 0; k < s->grains.count; k++)
        RB_TRY(rb_fill_check_borders(&s->grains.data[k].fill, b, seg->diag));
    for (int k = 0; k < s->regions.count; k++)
        RB_TRY(rb_region_check_borders(&s->regions.data[k].region, b, seg->diag));
    return RB_OK;
}

// A step with which grains would fly through each other unseen is refused at once; less gross errors are found while it runs.
static RbStatus check_step(const RbScene *s, double step, double derived, RbSegment *seg) {
    double steps = STEPS_PER_CONTACT * derived / step;
    if (steps >= 1) return RB_OK;
    return rb_fail(
        seg->diag, RB_ERROR_MODEL, s->grains.count > 0 ? s->grains.data[0].fill.at : RB_NOWHERE,
        "the step of the grains of %g s is too large: a contact at the speed that is expected "
        "lasts "
        "%.2g steps, and must last 5 at least; %.2g s would be chosen if none were typed",
        step, steps, derived);
}

static RbStatus check_memory(const RbScene *s, RbSegment *seg, bool turning) {
    double total = 0, machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    for (int k = 0; k < s->grains.count; k++) {
        const RbFill *f = &s->grains.data[k].fill;
        total += (double)f->count * rb_fill_spheres(f);
    }
    double need = (double)rb_cloud_memory(1, turning) * total;
    if (total <= (1 << 28) && need < machine) return RB_OK;
    return rb_fail(seg->diag, RB_ERROR_MEMORY, RB_NOWHERE,
                   "%.4g spheres need about %.3g GB; this machine has %.3g GB", total, need / 1e9,
                   machine / 1e9);
}

// By the surface, if it has one: bodies touch each other by the hull of its parts, grains do not.
RbStatus rb_mechanism_make_wall(const RbSceneObject *o, RbSegment *seg, RbArena *arena,
                                RbGrainWall *wall) {
    const RbMesh *surface = o->shape.kind == RB_SHAPE_MESH ? o->shape.surface : NULL;
    *wall = (RbGrainWall){.X = POSE_IDENTITY};
    if (!surface) {
        wall->parts = rb_shape_cores(&o->shape, arena, &wall->part_count);
        return RB_OK;
    }
    RbGrainMesh *mesh = rb_new(arena, RbGrainMesh);
    wall->mesh = mesh;
    return rb_grain_mesh(surface, o->object.name, RB_NOWHERE, arena, seg->scratch, seg->diag, mesh);
}

static RbStatus add_walls(Mechanism *m, RbSegment *seg, Names *n) {
    const RbScene *s = m->scene;
    struct Grains *g = m->grains;
    g->objects = rb_new_array(g->arena, int, s->objects.count);
    for (int i = 0; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        if (!rb_scene_is_wall(o) || !o->solid) continue;
        if (g->cloud->walls.count == RB_WALLS_MOST)
            return rb_fail(seg->diag, RB_ERROR_MODEL, RB_NOWHERE,
                           "more than %d solids can be touched by grains; let the others be "
                           "collidable with nothing, or be grains too",
                           RB_WALLS_MOST);
        RbGrainWall wall;
        RB_TRY(rb_mechanism_make_wall(o, seg, g->arena, &wall));
        wall.material = number_of(n, side_of(o), (Surface){0});
        g->objects[rb_cloud_add_wall(g->cloud, wall)] = i;
    }
    return RB_OK;
}

static RbStatus make_cloud(Mechanism *m, RbSegment *seg) {
    struct Grains *g = m->grains;
    const RbScene *s = m->scene;
    Names names = {0};
    int of_grains = 0;
    double capacity = 0;
    g->fillings = s->grains.count;
    g->regions = s->regions.count;
    g->materials = rb_new_array(g->arena, int, s->grains.count);
    g->densities = rb_new_array(g->arena, double, s->grains.count);
    g->rains = rb_new_array(g->arena, RbRain, s->grains.count);
    RB_TRY(number_materials(s, seg, g, &names, &of_grains));
    g->materials_of_grains = of_grains, g->first_soft = names.count;
    int count = names.count + (g->touches_soft ? rb_grains_number_soft(m) : 0);
    if (count > RB_GRAIN_MATERIALS_MOST) return too_many(seg);
    RbGrainLaw *laws = rb_new_array(g->arena, RbGrainLaw, count * count);
    RB_TRY(find_laws(s, seg, &names, of_grains, count, laws));
    RB_TRY(find_elastics(s, seg, g, &names));
    if (g->touches_soft) rb_grains_soft_laws(m, count, laws);
    for (int k = 0; k < s->grains.count; k++) {
        const RbFill *f = &s->grains.data[k].fill;
        RbFill checked = *f;
        checked.density = g->densities[k];
        RB_TRY(rb_fill_check(&checked, seg->diag));
        g->rains[k] = rb_rain(f);
        capacity += (double)f->count * rb_fill_spheres(f);
    }
    RbCloudOptions options = {.materials = count,
                              .laws = laws,
                              .step = s->grain_options.step,
                              .medium = s->grain_options.medium,
                              .borders = s->grain_options.borders,
                              .threads = seg->instance->threads,
                              .ledger = true};
    if (s->gravity.kind == RB_GRAVITY_UNIFORM) options.gravity = s->gravity.g;
    double derived = derive_step(m, laws, count);
    if (!(options.step > 0)) {
        options.step = derived;
        options.resolution = STEPS_WANTED;
        options.contact_time = shortest_contact(g, s, laws, count, 1);
    }
    RB_TRY(check_step(m->scene, options.step, derived, seg));
    RB_TRY(check_borders(s, seg, &options));
    g->cloud = rb_cloud(g->arena, &options);
    g->cloud->origin = g->cloud->time = rb_segment_time(seg);
    RB_TRY(check_memory(s, seg, g->cloud->turning));
    g->capacity = (int)capacity;
    for (int k = 0; k < s->grains.count; k++) {
        const RbClump *clump = s->grains.data[k].fill.clump;
        if (clump) rb_cloud_add_form(g->cloud, clump);
    }
    return add_walls(m, seg, &names);
}

// ----------------------------------------------------------------------------------------------------
// a segment

// Which bodies the walls belong to now, and which of them are not there.
static void find_bodies(Mechanism *m, RbSegment *seg) {
    struct Grains *g = m->grains;
    int walls = g->cloud->walls.count, n = m->structure.tree.bodies.count;
    int *of_body = rb_new_array(seg->arena, int, n + 1);
    RbCarriedBody *old = g->bodies;
    int old_count = m->change.was_changed ? 0 : g->body_count;
    g->frames = rb_new_array(seg->arena, RbFrame, walls);
    g->carried = rb_new_array(seg->arena, int, walls);
    g->in_body = rb_new_array(seg->arena, Pose, walls);
    g->absent = rb_new_array(seg->arena, bool, walls + 1);
    RbCarriedBody *bodies = rb_new_array(seg->arena, RbCarriedBody, n + 1);
    int count = 0;
    for (int k = 0; k < walls; k++) {
        RbFrame frame = m->structure.frame[g->objects[k]];
        g->frames[k] = frame;
        g->in_body[k] = frame.X_BF;
        g->absent[k] =
            !m->scene->contact || m->contact.off || m->change.arrangement.absent[g->objects[k]];
        g->carried[k] = -1;
        if (frame.body <= 0) continue;
        if (of_body[frame.body] == 0) {
            bodies[count] = (RbCarriedBody){.body = frame.body};
            if (count < old_count && old[count].body == frame.body) bodies[count] = old[count];
            of_body[frame.body] = ++count;
        }
        g->carried[k] = of_body[frame.body] - 1;
    }
    g->bodies = bodies;
    g->body_count = count;
}

// Does a joint on the way from the world, or the place of the part itself, belong to equations? Where these have it at first is not known before the run begins.
static bool is_driven(const RbTree *tree, int body) {
    for (; body > 0; body = tree->bodies.data[body].parent)
        if (rb_tree_joint(tree, body)->owner != RB_OWNED_BY_COMPONENT) return true;
    return false;
}

static RbStatus pour(Mechanism *m, RbSegment *seg) {
    struct Grains *g = m->grains;
    for (int k = 0; k < g->cloud->walls.count; k++)
        g->cloud->walls.data[k].unsettled = is_driven(&m->structure.tree, g->frames[k].body);
    RbArena *scratch = rb_arena_child(g->arena);
    rb_cloud_reserve(g->cloud, g->capacity + g->molecule_count);
    rb_grains_add_molecules(m);
    for (int k = 0; k < m->scene->grains.count; k++) {
        RbFill fill = m->scene->grains.data[k].fill;
        fill.material = g->materials[k];
        fill.density = g->densities[k];
        RB_TRY(rb_fill_pour(&fill, g->cloud, *scratch, seg->diag));
    }
    rb_arena_free(scratch);
    if (!g->has_engine || rb_grains_are_watched(m)) rb_cloud_start(g->cloud);
    return RB_OK;
}

static void place_at_start(Mechanism *m, RbSegment *seg) {
    const RbTree *tree = &m->structure.tree;
    RbKin kin = rb_kin(tree, seg->arena);
    rb_kin_positions(tree, m->structure.q, &kin);
    rb_kin_velocities(tree, m->structure.v, &kin);
    RbMoving *moving = rb_new_array(seg->arena, RbMoving, tree->bodies.count);
    for (int i = 0; i < tree->bodies.count; i++)
        moving[i] = (RbMoving){kin.bodies[i].X, kin.bodies[i].V};
    rb_grains_place(m->grains, moving);
}

static RbAabb box_of_wall(const RbSceneObject *o, const RbGrainWall *wall) {
    const RbMesh *surface = wall->mesh ? o->shape.surface : NULL;
    RbAabb box = RB_AABB_EMPTY;
    for (int k = 0; k < wall->part_count; k++)
        box = rb_aabb_union(box, rb_aabb_of_core(&wall->parts[k], wall->X));
    for (int k = 0; surface && k < surface->vertex_count; k++)
        box = rb_aabb_add_point(box, pose_point(wall->X, surface->vertices[k]));
    return box;
}

// Is there a wall where another would be a cell further on?
static bool is_repeated(const RbAabb *boxes, int count, RbAabb box, Vec3 by, double slack) {
    Vec3 low = v3_add(box.low, by), high = v3_add(box.high, by);
    for (int k = 0; k < count; k++) {
        if (v3_distance(boxes[k].low, low) < slack && v3_distance(boxes[k].high, high) < slack)
            return true;
    }
    return false;
}

// Walls are not repeated: what comes through a border would be in one that begins or ends there. Those that span the cell are the same on
// both sides; so are those that have an equal one a cell further on. Of those that move nobody knows where they will be. True: it was told.
static bool tell_wall_at_border(const Mechanism *m, RbSegment *seg, const RbAabb *boxes, int wall,
                                int d) {
    const struct Grains *g = m->grains;
    const RbBorders *b = &g->cloud->options.borders;
    double near = 0.5 * largest_radius(m->scene), from[3], to[3], low[3], high[3];
    v3_store(from, b->low), v3_store(to, b->high);
    v3_store(low, boxes[wall].low), v3_store(high, boxes[wall].high);
    double size = to[d] - from[d], slack = 1e-6 * size;
    bool spans = low[d] <= from[d] + slack && high[d] >= to[d] - slack;
    if (!b->periodic[d] || g->carried[wall] >= 0 || spans) return false;
    for (int side = 0; side < 2; side++) {
        double at = side ? to[d] : from[d], by = side ? -size : size;
        Vec3 further = v3(d == 0 ? by : 0, d == 1 ? by : 0, d == 2 ? by : 0);
        if (low[d] > at + near || high[d] < at - near) continue;
        if (is_repeated(boxes, g->cloud->walls.count, boxes[wall], further, slack)) continue;
        rb_warn(seg->diag, b->at,
                "the wall '%s' is at the periodic border at %g m along %c, and does not span the "
                "cell '%s': walls are not repeated, and grains that come through the border may be "
                "in it; let it be as long as the cell, add an equal one %g m further along %c, or "
                "move the border",
                m->scene->objects.data[g->objects[wall]].object.name, at, 'x' + d, b->name, by,
                'x' + d);
        return true;
    }
    return false;
}

// The first one is told.
static void check_walls_at_borders(const Mechanism *m, RbSegment *seg) {
    const struct Grains *g = m->grains;
    int count = g->cloud->walls.count;
    RbAabb *boxes = rb_new_array(seg->arena, RbAabb, count + 1);
    for (int k = 0; k < count; k++)
        boxes[k] = box_of_wall(&m->scene->objects.data[g->objects[k]], &g->cloud->walls.data[k]);
    for (int k = 0; k < 3 * count; k++) {
        if (!g->absent[k / 3] && tell_wall_at_border(m, seg, boxes, k / 3, k % 3)) return;
    }
}

static RbStatus begin(Mechanism *m, RbSegment *seg) {
    struct Grains *g = m->grains;
    if (g->arena) rb_arena_free(g->arena);
    *g = (struct Grains){.arena = rb_arena_child(m->scene->arena),
                         .run = seg->instance,
                         .frame = -1,
                         .counted = g->run == seg->instance ? g->counted : 0,
                         .counted_refused = g->run == seg->instance ? g->counted_refused : 0,
                         .restored = g->restored,
                         .restored_size = g->restored_size};
    g->touches_soft = rb_grains_touch_soft(m, seg);
    RB_TRY(make_cloud(m, seg));
    g->diag = seg->diag;
    g->has_engine = rb_grains_have_engine(seg);
    if (g->has_engine) RB_TRY(rb_grains_check_engine(g, seg->diag));
    if (g->touches_soft) rb_grains_start_molecules(m);
    RB_TRY(rb_regions_begin(m, seg));
    find_bodies(m, seg);
    rb_cloud_change_walls(g->cloud, g->absent);
    place_at_start(m, seg);
    if (!g->restored && rb_borders_any(&g->cloud->options.borders)) check_walls_at_borders(m, seg);
    lightest(g, m->scene, &g->lightest_radius);
    g->largest_radius = largest_radius(m->scene);
    double typed = m->scene->grain_options.coupling;
    g->coupling = typed > 0 ? typed : 1e-5 * g->lightest_radius;
    RB_TRY(rb_grains_choose_tracks(m->scene, seg->instance, g->arena, seg->diag, &g->tracks));
    g->points = rb_new_array(g->arena, double, 4 * (size_t)g->capacity + 4);
    g->from = g->until = rb_segment_time(seg);
    if (g->restored) {
        RB_TRY(rb_grains_resume(m, seg->diag));
        g->frame = rb_grains_frame_now(g);
        return RB_OK;
    }
    RB_TRY(pour(m, seg));
    rb_regions_mark(m);
    rb_grains_note(g, g->after);
    memcpy(g->before, g->after, sizeof g->before);
    return RB_OK;
}

static const struct {
    const char *name, *unit, *text;
} figure_specs[FIGURES] = {
    {"count", "1",
     "number of grains, computed as a cloud: explicit steps, no control of the error"},
    {"mass", "kg", "of all grains"},
    {"coordination", "1", "mean number of contacts of a grain"},
    {"kinetic", "J", "energy of motion"},
    {"turning", "J", "energy of spin"},
    {"height", "J", "energy in gravity"},
    {"stored", "J", "energy in contacts"},
    {"damped", "J", "taken by the damping of contacts"},
    {"rubbed", "J", "taken by sliding"},
    {"resisted", "J", "taken by rolling and twisting"},
    {"dragged", "J", "taken by the medium; negative: it carries them"},
    {"driven", "J", "work of moving walls on the grains"},
    {"balance", "J", "what is missing in the balance"},
    {"resolution", "1", "steps in the shortest contact"},
    {"step_size", "s", "of the grains"},
    {"gap", "m", "error of the exchange with bodies, estimated"},
    {"refused", "1", "grains of rain that found no room so far, and do not come"},
};

// ORDER discrete values, GRAINS_
static void declare_discrete(Mechanism *m, RbSegment *seg) {
    struct Grains *g = m->grains;
    int old_count, at = g->discrete;
    const double *old = m->change.was_changed ? NULL : rb_segment_old_discrete(seg, &old_count);
    int count = GRAINS_LOADS + GRAINS_LOAD_SIZE * (g->body_count + g->molecule_count);
    for (int k = 0; k < count; k++) {
        double start = old && !m->first && at + k < old_count ? old[at + k] : 0;
        if (k == GRAINS_FROM) start = g->from;
        if (k == GRAINS_UNTIL) start = g->until;
        if (k == GRAINS_QUIET) start = 1;
        int index = rb_segment_discrete(seg, &(RbDiscreteSpec){"grains", start, "", "", true});
        if (k == 0) g->discrete = index;
    }
    rb_segment_quiet(seg, g->discrete + GRAINS_QUIET);
    if (g->until > rb_segment_time(seg)) rb_segment_time_event(seg, fmin(seg->next_time, g->until));
}

RbStatus rb_mechanism_start_grains(Mechanism *m, RbSegment *seg) {
    if (m->scene->grains.count == 0) return RB_OK;
    if (rb_gravity_varies(&m->scene->gravity))
        return rb_fail(seg->diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "grains know uniform gravity only, not that of a point or a function");
    if (!m->grains) m->grains = rb_new(m->scene->arena, struct Grains);
    if (m->first || !m->grains->cloud)
        RB_TRY(begin(m, seg));
    else {
        find_bodies(m, seg);
        if (m->grains->touches_soft) rb_grains_start_molecules(m);
    }
    declare_discrete(m, seg);
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// while it runs

double rb_mechanism_grains_time(const Mechanism *m, const double *discrete) {
    return m->grains ? discrete[m->grains->discrete + GRAINS_UNTIL] : INFINITY;
}

// Nothing holds it any more; the law means nothing at such depths.
static void fail_lodged(const RbCloud *cloud, RbEvent *event) {
    const RbGrainDeep *deep = &cloud->lodged;
    rb_event_fail(event,
                  "grain %d is in %s by %.2g of the smaller radius at t = %.6g s, and would get "
                  "through: too soft for its speed or load; let it be stiffer (E) or slower",
                  deep->grain + 1, deep->wall ? "a wall" : "another grain", deep->part, deep->time);
}

static void fail_fast(const RbCloud *cloud, RbEvent *event) {
    int i = rb_cloud_fastest(cloud);
    rb_event_fail(event,
                  "grain %d has %.3g m/s at t = %.6g s, or a wall is as fast (%.3g m/s allowed): a "
                  "step shorter than %.2g s would be needed; let a sink take what has left, type a "
                  "larger maxSpeed if such speeds are meant, or a smaller step",
                  i >= 0 ? cloud->id[i] + 1 : 0, cloud->fastest, cloud->time,
                  0.1 * cloud->smallest / cloud->step, cloud->step);
}

static void check(const Mechanism *m, RbEvent *event) {
    struct Grains *g = m->grains;
    RbCloud *cloud = g->cloud;
    double steps = 4.03 / cloud->coarsest; // of the whole interval
    cloud->coarsest = 0;
    if (cloud->lost)
        rb_event_fail(
            event,
            "a grain is nowhere any more at t = %.6g s (%.2g steps per contact): choose a "
            "smaller step than %g s",
            cloud->time, steps, cloud->step);
    else if (cloud->lodged.part > 0)
        fail_lodged(cloud, event);
    else if (cloud->too_fast)
        fail_fast(cloud, event);
    else if (steps < 5)
        rb_event_fail(
            event,
            "the step of the grains of %g s is too large: a contact lasts %.2g steps of %.3g s at "
            "t = %.6g s, and must last 5 at least; type a smaller step, or a larger expected "
            "speed",
            cloud->options.step, steps, cloud->step, cloud->time);
    else if (steps < 15 && !g->told) {
        g->told = true;
        rb_event_log(event,
                     "contacts of grains are not well resolved: the shortest one lasts %.2g steps",
                     steps);
    }
}

static void tell_choice(const Mechanism *m, const RbEvent *event) {
    int count = 0;
    if (!m->scene->contact)
        rb_event_log(event, "World.contact is false: grains touch no part and no soft body; they "
                            "touch each other");
    for (int k = 0; k < m->scene->grains.count; k++) {
        const RbSceneGrains *f = &m->scene->grains.data[k];
        if (f->were_solids) count += f->fill.count;
    }
    if (count > 0)
        rb_event_log(
            event,
            "%d spheres are computed as a cloud, with steps of %.3g s and without control of "
            "the error (World.particles)",
            count, m->grains->cloud->options.step);
}

// A grain that nothing holds any more is told once; it goes on.
static void check_leaving(const Mechanism *m, double time) {
    struct Grains *g = m->grains;
    const double far = 1e5; // radii
    RbParticle p;
    if (g->left || g->cloud->count == 0 || !rb_cloud_particle(g->cloud, g->farthest, &p)) return;
    if (!(v3_norm(p.r) > far * cbrt(p.volume * 3 / (4 * M_PI)))) return;
    g->left = true;
    rb_warn(g->diag, RB_NOWHERE,
            "grain %d has left the world: at t = %.6g s it is at (%.4g, %.4g, %.4g) m; is there a "
            "floor, and are walls high enough?",
            p.id + 1, time, p.r.x, p.r.y, p.r.z);
}

// A contact that is too deep is told once; it goes on.
static void check_depth(const Mechanism *m) {
    struct Grains *g = m->grains;
    const RbGrainDeep *deep = &g->cloud->deep;
    if (g->deep || deep->part == 0) return;
    g->deep = true;
    rb_warn(g->diag, RB_NOWHERE,
            "grain %d is in %s by %.2g of the smaller radius at t = %.6g s: too soft for its speed "
            "or load, it may get through; let it be stiffer (E), or the step smaller than %.3g s "
            "if contacts are not resolved",
            deep->grain + 1,
            deep->wall     ? "a wall"
            : deep->puppet ? "a soft body"
                           : "another grain",
            deep->part, deep->time, g->cloud->step);
}

// That the step is shorter than it was chosen is told once.
static void tell_halved(const Mechanism *m, RbEvent *event) {
    struct Grains *g = m->grains;
    const RbCloud *cloud = g->cloud;
    int i = rb_cloud_fastest(cloud);
    if (g->halved || cloud->halved == 0) return;
    g->halved = true;
    rb_event_log(event,
                 "the step of the grains is %.3g s instead of %.3g s for a while: grain %d has "
                 "%.3g m/s, and a contact lasts %.3g steps",
                 cloud->step, cloud->options.step, i >= 0 ? cloud->id[i] + 1 : 0, cloud->fastest,
                 cloud->stiffest > 0 ? 4.03 / (cloud->stiffest * cloud->step) : 1e6);
}

bool rb_mechanism_advance_grains(const Mechanism *m, RbEvent *event) {
    struct Grains *g = m->grains;
    if (!g || event->watch || event->pass > 0 || event->terminal) return false;
    bool starts = event->initial && g->substeps == 0;
    if (!starts && event->time < g->until) return false;
    MechanismWork *w = event->workspace;
    const double *full = rb_driven_states(m, event->x, w);
    rb_mechanism_move(m, full, w);
    if (g->molecule_count > 0) rb_mechanism_gather_soft(m, full, w);
    if (starts) tell_choice(m, event);
    bool seen = rb_grains_advance(m, w, event);
    if (g->blocked) return false;
    check(m, event);
    check_leaving(m, event->time);
    check_depth(m);
    tell_halved(m, event);
    event->next_time = rb_mechanism_next_time(m, event->discrete);
    event->discrete[g->discrete + GRAINS_QUIET] = g->until <= event->next_time;
    for (int k = 0; k < m->groups.count; k++) {
        if (event->restart_groups[k]) return true;
    }
    return seen;
}

Wrench rb_grains_load_at(const double *d, int body, double time) {
    const double *load = d + GRAINS_LOADS + GRAINS_LOAD_SIZE * body;
    double by = time - 0.5 * (d[GRAINS_FROM] + d[GRAINS_UNTIL]);
    return (Wrench){v3_axpy(v3_load(load), by, v3_load(load + 6)),
                    v3_axpy(v3_load(load + 3), by, v3_load(load + 9))};
}

void rb_mechanism_add_grain_loads(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    const struct Grains *g = m->grains;
    for (int k = 0; g && k < g->body_count; k++) {
        int body = g->bodies[k].body;
        if (e->groups && !e->groups[m->groups.of[body]]) continue;
        Wrench load = rb_grains_load_at(e->discrete + g->discrete, k, e->time);
        Motion V = w->moving[body].V;
        w->forces[body].t = v3_add(w->forces[body].t, load.t);
        w->forces[body].f = v3_add(w->forces[body].f, load.f);
        w->ledger.input += v3_dot(load.t, V.w) + v3_dot(load.f, V.v);
    }
}

// ------------------------------------------------------------------------------------------------
// results

void rb_grains_note(struct Grains *g, double f[FIGURES]) {
    const RbCloud *cloud = g->cloud;
    RbGrainLedger l = rb_cloud_ledger(cloud);
    int count = rb_cloud_particles(cloud);
    double mass = 0, n = count > 0 ? count : 1, most = -1;
    RbParticle p;
    for (int i = 0; i < rb_cloud_entries(cloud); i++) {
        if (!rb_cloud_particle(cloud, i, &p)) continue;
        double away = v3_norm2(p.r);
        mass += p.mass;
        if (away > most) most = away, g->farthest = i;
    }
    f[FIGURE_COUNT] = count;
    f[FIGURE_MASS] = mass;
    f[FIGURE_COORDINATION] = (2 * (double)cloud->contacts + (double)cloud->wall_contacts) / n;
    f[FIGURE_KINETIC] = l.kinetic;
    f[FIGURE_TURNING] = l.turning;
    f[FIGURE_HEIGHT] = l.height;
    f[FIGURE_STORED] = l.stored;
    f[FIGURE_DAMPED] = l.damped;
    f[FIGURE_RUBBED] = l.rubbed;
    f[FIGURE_RESISTED] = l.resisted;
    f[FIGURE_DRAGGED] = l.dragged;
    f[FIGURE_DRIVEN] = l.driven;
    f[FIGURE_BALANCE] = l.balance;
    f[FIGURE_RESOLUTION] = cloud->stiffest > 0 ? 4.03 / (cloud->stiffest * cloud->step) : 1e6;
    f[FIGURE_STEP] = cloud->step;
    f[FIGURE_GAP] = g->gap;
    f[FIGURE_REFUSED] = (double)rb_grains_refused(g);
    if (g->engine) rb_grains_engine_note(g, f);
}

// ORDER rb_mechanism_record_grains
void rb_mechanism_declare_grain_results(const Mechanism *m, RbSegment *seg) {
    const struct Grains *g = m->grains;
    if (!g) return;
    for (int k = 0; k < FIGURES; k++) {
        const char *name = rb_arena_printf(seg->arena, "grains.%s", figure_specs[k].name);
        rb_segment_result(seg, &(RbResultSpec){name, figure_specs[k].unit, figure_specs[k].text});
    }
    for (int k = 0; k < g->body_count; k++) {
        int root = m->structure.supers[g->bodies[k].body].root;
        for (int i = 0; i < 3; i++) {
            const char *name = rb_arena_printf(seg->arena, "%s.grain_force[%d]",
                                               m->scene->objects.data[root].object.name, i + 1);
            rb_segment_result(seg, &(RbResultSpec){name, "N", "of all grains on it"});
        }
    }
    rb_grains_declare_soft_results(m, seg);
    rb_regions_declare_results(m, seg);
}

double *rb_mechanism_record_grains(const Mechanism *m, const RbEval *e, double *out) {
    const struct Grains *g = m->grains;
    if (!g) return out;
    double time = g->until - g->from, s = time > 0 ? (e->time - g->from) / time : 1;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    bool others =
        g->before[FIGURE_COUNT] != g->after[FIGURE_COUNT]; // nothing is between those of two clouds
    for (int k = 0; k < FIGURES; k++)
        out[k] = others || k == FIGURE_COUNT || k == FIGURE_STEP || k == FIGURE_REFUSED
                     ? g->after[k]
                     : g->before[k] + s * (g->after[k] - g->before[k]);
    out += FIGURES;
    for (int k = 0; k < g->body_count; k++, out += 3)
        v3_store(out, rb_grains_load_at(e->discrete + g->discrete, k, e->time).f);
    return rb_regions_record(m, rb_grains_record_soft(m, e, out));
}
