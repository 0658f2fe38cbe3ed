// SPDX-License-Identifier: MIT
// Materials, and contact data of pairs, that a model brings along: of two materials, or of single parts,
// which then differ from their material for this partner alone.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "component/segment.h"
#include "members/members.h"

typedef struct Palette {
    Members *m;
    const RbSegment *segment;
    RbScene *scene;
    int (*find)(void *user, int member, const char *name);
    void *user;
} Palette;

static double number(const Palette *p, int i, const char *name, double otherwise) {
    const double *v = rb_member_numbers(p->m, p->segment, i, name);
    return v ? *v : otherwise;
}

// A choice of an enumeration in the order of ours.
static int choice(const Palette *p, int i, const char *name, int otherwise) {
    return (int)number(p, i, name, otherwise + 1) - 1;
}

// Of two materials of one name the later counts.
static void warn_of_second(const Palette *p, int i, const char *name) {
    for (int k = 0; k < i; k++) {
        const char *other = rb_member(p->m, k)->role == ROLE_MATERIAL
                                ? rb_member_text(p->m, p->segment, k, "name")
                                : NULL;
        if (!other || strcmp(other, name) != 0) continue;
        rb_warn(p->segment->diag, rb_member(p->m, k)->at,
                "'%s' has no effect: '%s' is a material of the same name, '%s', and counts in its "
                "place: give one of them another name",
                rb_member(p->m, k)->path, rb_member(p->m, i)->path, name);
        rb_note(p->segment->diag, rb_member(p->m, i)->at, "'%s' is this one",
                rb_member(p->m, i)->path);
        return;
    }
}

static RbStatus add_material(const Palette *p, int i) {
    RbSolidMaterial solid = {
        .name = rb_member_text(p->m, p->segment, i, "name"),
        .at = rb_member(p->m, i)->at,
        .density = number(p, i, "density", 0),
        .elastic = {number(p, i, "youngsModulus", 0), number(p, i, "poissonsRatio", 0)}};
    if (!solid.name) solid.name = rb_member(p->m, i)->path;
    warn_of_second(p, i, solid.name);
    RB_TRY(rb_materials_check_solid(&solid, p->m->arena, p->segment->diag));
    rb_materials_add_solid(&p->scene->materials, p->m->arena, solid);
    return RB_OK;
}

// --- pairs ---------------------------------------------------------------------------------------

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

// Under a name of its own a part has all pairs that its material had.
static void copy_pairs(const Palette *p, const char *old, const char *own) {
    RbMaterials *materials = &p->scene->materials;
    int count = materials->pairs.count;
    for (int k = 0; k < count; k++) {
        RbPairMaterial pair = materials->pairs.data[k];
        bool a = same(pair.a, old), b = same(pair.b, old);
        if (!a && !b) continue;
        if (a && b) // with others of the old name, and with itself
            rb_materials_add_pair(materials, p->m->arena,
                                  (RbPairMaterial){own, old, pair.at, pair.law});
        rb_materials_add_pair(
            materials, p->m->arena,
            (RbPairMaterial){a ? own : pair.a, b ? own : pair.b, pair.at, pair.law});
    }
}

static void add_surface_law(const Palette *p, RbSceneSurfaceLaw law, const char *a, const char *b) {
    law.a = a;
    law.b = b;
    rb_array_push(&p->scene->surface_laws, p->m->arena, law);
}

static void copy_surface_laws(const Palette *p, const char *old, const char *own) {
    int count = p->scene->surface_laws.count;
    for (int k = 0; k < count; k++) {
        RbSceneSurfaceLaw law = p->scene->surface_laws.data[k];
        bool a = same(law.a, old), b = same(law.b, old);
        if (!a && !b) continue;
        if (a && b) add_surface_law(p, law, own, old);
        add_surface_law(p, law, a ? own : law.a, b ? own : law.b);
    }
}

static const char *single_out(const Palette *p, RbSceneObject *o) {
    const char *old = o->contact ? o->contact : o->solid;
    const char *own = rb_arena_printf(p->m->arena, "%s of %s", old, o->object.name);
    const char *suffix = rb_arena_printf(p->m->arena, " of %s", o->object.name);
    size_t length = strlen(old), tail = strlen(suffix);
    if (length > tail && same(old + length - tail, suffix)) return old; // it has one already
    copy_pairs(p, old, own);
    copy_surface_laws(p, old, own);
    return o->contact = own;
}

static bool is_contact_name(const Palette *p, const char *name) {
    for (int i = 0; i < p->scene->objects.count; i++) {
        const RbSceneObject *o = &p->scene->objects.data[i];
        if (o->contact && same(o->contact, name)) return true;
    }
    for (int i = 0; i < p->scene->materials.solids.count; i++) {
        if (same(p->scene->materials.solids.data[i].name, name)) return true;
    }
    return false;
}

// The part that one side names, or -1.
static int named_part(const Palette *p, int i, const char *which) {
    const char *name = rb_member_text(p->m, p->segment, i, which);
    int object = name ? p->find(p->user, i, name) : -1;
    return object > 0 && p->scene->objects.data[object].has_shape ? object : -1;
}

// What the table of pairs calls one side: a material, or a part that gets a name of its own there.
static RbStatus find_side(const Palette *p, int i, const char *which, const char **out) {
    const char *name = rb_member_text(p->m, p->segment, i, which);
    int object = named_part(p, i, which);
    if (object > 0) {
        *out = single_out(p, &p->scene->objects.data[object]);
        return RB_OK;
    }
    *out = name;
    if (name && is_contact_name(p, name)) return RB_OK;
    RbNear near = {.wanted = name ? name : ""};
    for (int k = 1; k < p->scene->objects.count; k++) {
        if (p->scene->objects.data[k].has_shape)
            rb_text_try_near(&near, p->scene->objects.data[k].object.name);
    }
    for (int k = 0; k < p->scene->materials.solids.count; k++)
        rb_text_try_near(&near, p->scene->materials.solids.data[k].name);
    return rb_fail(p->segment->diag, RB_ERROR_MODEL, rb_member(p->m, i)->at,
                   "'%s' speaks of '%s', which is no material and no part with a shape%s",
                   rb_member(p->m, i)->path, near.wanted,
                   rb_text_near_question(&near, "", p->m->arena));
}

// ORDER library/Rattleback/Materials.mo: press of FunctionPair
static double force_of_model(const RbPress *p, void *user) {
    const RbFunctionValue *f = user;
    double at[] = {p->depth, p->depth_rate, p->radius, p->modulus, p->mass}, force;
    return f->call(f->user, at, &force) ? force : NAN;
}

static void warn_of_pair(const Palette *p, int i, const char *what, const char *why) {
    rb_warn(p->segment->diag, rb_member(p->m, i)->at, "%s of '%s' has no effect: %s", what,
            rb_member(p->m, i)->path, why);
}

// Numbers that other choices leave without use.
static void warn_of_vain_numbers(const Palette *p, int i, const RbPairLaw *l) {
    bool has_static = l->friction == RB_FRICTION_STATIC || l->friction == RB_FRICTION_CURVE;
    if (l->normal == RB_NORMAL_HERTZ && l->damper != 0)
        warn_of_pair(p, i, "damper", "it acts beside a spring; give a stiffness, too");
    if (l->normal == RB_NORMAL_HERTZ && l->exponent != rb_pair_law_default().exponent)
        warn_of_pair(p, i, "exponent", "it is that of a spring; give a stiffness, too");
    if (!has_static && l->mu_s != l->mu_k)
        warn_of_pair(p, i, "staticFriction",
                     "only friction = Types.Friction.static_ and curve have one");
    if (l->friction != RB_FRICTION_STATIC && l->max_friction < 1e300)
        warn_of_pair(p, i, "maximumFriction", "only friction = Types.Friction.static_ has one");
    if (has_static && l->mu_s < l->mu_k)
        rb_warn(p->segment->diag, rb_member(p->m, i)->at,
                "staticFriction of '%s' is %g, less than its slidingFriction of %g: what rests "
                "should hold at least as well as what slides",
                rb_member(p->m, i)->path, l->mu_s, l->mu_k);
}

static RbStatus add_pair(const Palette *p, int i) {
    RbPairMaterial pair = {.at = rb_member(p->m, i)->at, .law = rb_pair_law_default()};
    RB_TRY(find_side(p, i, "a", &pair.a));
    RB_TRY(find_side(p, i, "b", &pair.b));
    RbPairLaw *law = &pair.law;
    law->response = (RbResponse)choice(p, i, "response", (int)law->response);
    law->friction = (RbFrictionLaw)choice(p, i, "friction", (int)law->friction);
    law->faces = (RbFaceLaw)choice(p, i, "faces", (int)law->faces);
    law->restitution = number(p, i, "restitution", law->restitution);
    law->mu_k = number(p, i, "slidingFriction", 0);
    law->mu_s = number(p, i, "staticFriction", law->mu_k);
    law->mu_r = number(p, i, "rollingResistance", 0);
    law->twist = number(p, i, "twistingFriction", law->twist);
    law->v_small = number(p, i, "smallSpeed", law->v_small);
    law->w_small = number(p, i, "smallSpin", law->w_small);
    law->v_static = number(p, i, "staticSpeed", law->v_static);
    law->max_friction = number(p, i, "maximumFriction", law->max_friction);
    law->bristle_length = number(p, i, "bristleLength", law->bristle_length);
    law->bristle_time = number(p, i, "bristleTime", law->bristle_time);
    law->stiffness = number(p, i, "stiffness", 0);
    law->exponent = number(p, i, "exponent", law->exponent);
    law->damper = number(p, i, "damper", 0);
    if (law->stiffness > 0) law->normal = RB_NORMAL_SPRING_DAMPER;
    const RbFunctionValue *force = rb_member_function(p->m, p->segment, i, "f");
    if (force) {
        law->normal = RB_NORMAL_FUNCTION;
        law->normal_force = force_of_model;
        law->user = (void *)force;
        RbSceneFunction f = {
            rb_arena_printf(p->m->arena, "normalForce of '%s'", rb_member(p->m, i)->path), force};
        rb_array_push(&p->scene->functions, p->m->arena, f);
    }
    RB_TRY(rb_materials_check_pair(&pair, p->m->arena, p->segment->diag));
    warn_of_vain_numbers(p, i, law);
    rb_materials_add_pair(&p->scene->materials, p->m->arena, pair);
    RbScenePairSaid said = {.name = rb_member(p->m, i)->path,
                            .at = pair.at,
                            .typed_a = rb_member_text(p->m, p->segment, i, "a"),
                            .typed_b = rb_member_text(p->m, p->segment, i, "b"),
                            .a = pair.a,
                            .b = pair.b,
                            .part_a = named_part(p, i, "a"),
                            .part_b = named_part(p, i, "b")};
    rb_array_push(&p->scene->pairs_said, p->m->arena, said);
    return RB_OK;
}

// --- pairs that touch by surfaces ------------------------------------------------------------------

static RbVolumeLaw volume_law(const Palette *p, int i) {
    RbVolumeLaw law = rb_volume_law();
    law.form = (RbVolumeForm)choice(p, i, "form", (int)law.form);
    law.modulus = number(p, i, "modulus", 0);
    law.length = number(p, i, "length", law.length);
    law.restitution = number(p, i, "restitution", law.restitution);
    law.v_small = number(p, i, "smallSpeed", law.v_small);
    law.load_ratio = number(p, i, "loadRatio", law.load_ratio);
    law.damping = number(p, i, "damping", 0);
    law.mu_kinetic = number(p, i, "slidingFriction", 0);
    law.mu_static = number(p, i, "staticFriction", law.mu_kinetic);
    law.slip_speed = number(p, i, "slipSpeed", law.slip_speed);
    law.sticks = number(p, i, "sticks", 1) != 0;
    law.bristle_length = number(p, i, "bristleLength", law.bristle_length);
    law.bristle_time = number(p, i, "bristleTime", law.bristle_time);
    law.tractions = number(p, i, "tractions", 1) != 0;
    law.spin = number(p, i, "spinDamping", 0);
    return law;
}

static RbPolygonal layers(const Palette *p, int i, const double *depth) {
    const double *modulus = rb_member_numbers(p->m, p->segment, i, "youngsModulus"),
                 *poisson = rb_member_numbers(p->m, p->segment, i, "poissonsRatio");
    return (RbPolygonal){.task = (RbPolygonalTask)choice(p, i, "base", RB_POLYGONAL_BOTH),
                         .a = {modulus ? modulus[0] : 0, poisson ? poisson[0] : 0, depth[0]},
                         .b = {modulus ? modulus[1] : 0, poisson ? poisson[1] : 0, depth[1]},
                         .compression = number(p, i, "compressionDamping", 0),
                         .expansion = number(p, i, "expansionDamping", 0),
                         .mode =
                             (RbPolygonalDamping)choice(p, i, "dampingMode", RB_POLYGONAL_NO_PULL),
                         .transition_depth = number(p, i, "transitionDepth", 0),
                         .friction = number(p, i, "slidingFriction", 0),
                         .slip_speed = number(p, i, "slipSpeed", 0),
                         .max_penetration = number(p, i, "maximumPenetration", 0)};
}

typedef struct Limit {
    const char *name;
    bool positive; // otherwise it may be zero, too
} Limit;

static RbStatus check_limits(const Palette *p, int i, const Limit *limits, int count) {
    const RbMember *member = rb_member(p->m, i);
    for (int k = 0; k < count; k++) {
        const double *v = rb_member_numbers(p->m, p->segment, i, limits[k].name);
        for (int j = 0; v && j < rb_member_size(p->m, i, limits[k].name); j++) {
            if (limits[k].positive ? v[j] > 0 : v[j] >= 0) continue;
            return rb_fail(p->segment->diag, RB_ERROR_MODEL, member->at,
                           "%s of '%s' is %g; it must %s", limits[k].name, member->path, v[j],
                           limits[k].positive ? "be positive" : "not be negative");
        }
    }
    return RB_OK;
}

// Numbers that make no sense are refused here, where it is known who says them.
static RbStatus check_surface_law(const Palette *p, int i, const RbSolidsForce *e) {
    static const Limit of_volume[] = {
        {"smallSpeed", true}, {"bristleLength", true}, {"bristleTime", false}};
    static const Limit of_layers[] = {
        {"youngsModulus", false},    {"depth", false},           {"compressionDamping", false},
        {"expansionDamping", false}, {"transitionDepth", false}, {"slidingFriction", false},
        {"slipSpeed", true}};
    const RbMember *member = rb_member(p->m, i);
    RB_TRY(e->law == RB_SOLIDS_POLYGONAL ? check_limits(p, i, of_layers, 7)
                                         : check_limits(p, i, of_volume, 3));
    if (e->law == RB_SOLIDS_POLYGONAL)
        return rb_polygonal_check(&e->polygonal, member->path, member->at, p->segment->diag);
    RbVolumeLaw law = e->volume;
    if (law.modulus == 0) law.modulus = 1; // that of the materials, which is not known yet
    return rb_volume_law_check(&law, member->path, member->at, p->segment->diag);
}

static RbStatus add_surface_pair(const Palette *p, int i) {
    const double *depth = rb_member_numbers(p->m, p->segment, i, "depth");
    RbSceneSurfaceLaw law = {.name = rb_member(p->m, i)->path, .at = rb_member(p->m, i)->at};
    RB_TRY(find_side(p, i, "a", &law.a));
    RB_TRY(find_side(p, i, "b", &law.b));
    law.element.law = depth ? RB_SOLIDS_POLYGONAL : RB_SOLIDS_VOLUME;
    if (depth)
        law.element.polygonal = layers(p, i, depth);
    else
        law.element.volume = volume_law(p, i);
    RB_TRY(check_surface_law(p, i, &law.element));
    rb_array_push(&p->scene->surface_laws, p->m->arena, law);
    return RB_OK;
}

// --- all -------------------------------------------------------------------------------------------

static RbStatus add_pairs(const Palette *p, int parts) {
    for (int i = 0; i < p->m->gathered->count; i++) {
        int role = rb_member(p->m, i)->role;
        if (role != ROLE_PAIR && role != ROLE_SURFACE_PAIR) continue;
        if ((named_part(p, i, "a") > 0) + (named_part(p, i, "b") > 0) != parts) continue;
        RB_TRY(role == ROLE_PAIR ? add_pair(p, i) : add_surface_pair(p, i));
    }
    return RB_OK;
}

RbStatus rb_members_add_materials(Members *m, const RbSegment *segment, RbScene *scene,
                                  int (*find)(void *user, int member, const char *name),
                                  void *user) {
    Palette p = {m, segment, scene, find, user};
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role == ROLE_MATERIAL) RB_TRY(add_material(&p, i));
    }
    // A part that is singled out begins with what its material has: the less parts, the earlier.
    RbStatus status = RB_OK;
    for (int parts = 0; status == RB_OK && parts <= 2; parts++) status = add_pairs(&p, parts);
    return status;
}
