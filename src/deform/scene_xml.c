// SPDX-License-Identifier: MIT
#include "deform/scene_xml.h"

#include <expat.h>
#include <string.h>

#include "base/number.h"

enum {
    DEEPEST = 6, // come, scene, patient, molecule_organ, molecule, force
    MOLECULES = 2000000,
    ATTRIBUTES = 16,
};

typedef enum Element {
    NOTHING,
    COME,
    SCENE,
    SIMULATION,
    PATIENT,
    MATERIALS,
    MATERIAL,
    ORGAN,
    MOLECULE,
    FORCE,
    GLUE,
    CUT,
} Element;

typedef struct Reader {
    XML_Parser parser;
    const char *file;
    RbArena *arena;
    RbDiag *diag;
    RbSoftScene *scene;
    Element open[DEEPEST];
    int depth;
    bool has_scene, has_simulation, has_materials;
    RbStatus status;
    // attributes of the element that begins, and which of them were asked for
    const char **attributes;
    bool used[ATTRIBUTES];
} Reader;

static RbPos here(const Reader *r) {
    return (RbPos){.file = r->file,
                   .line = (int)XML_GetCurrentLineNumber(r->parser),
                   .column = (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

// The first error ends the reading.
#define FAIL(r, ...)                                                                               \
    do {                                                                                           \
        if ((r)->status == RB_OK)                                                                  \
            (r)->status = rb_fail((r)->diag, RB_ERROR_MODEL, here(r), __VA_ARGS__);                \
        XML_StopParser((r)->parser, XML_FALSE);                                                    \
    } while (0)

// ---- attributes

static const char *attribute(Reader *r, const char *name) {
    for (int i = 0; r->attributes[2 * i] && i < ATTRIBUTES; i++) {
        if (strcmp(r->attributes[2 * i], name) != 0) continue;
        r->used[i] = true;
        return r->attributes[2 * i + 1];
    }
    return NULL;
}

static const char *text_of(Reader *r, const char *element, const char *name) {
    const char *text = attribute(r, name);
    if (!text || !text[0]) FAIL(r, "<%s> needs the attribute '%s'", element, name);
    return text ? text : "";
}

static double number_of(Reader *r, const char *element, const char *name, bool needed,
                        double otherwise) {
    const char *text = attribute(r, name);
    double value = otherwise;
    if (!text) {
        if (needed) FAIL(r, "<%s> needs the attribute '%s'", element, name);
        return value;
    }
    if (!rb_number_parse(text, text + strlen(text), &value) || !isfinite(value))
        FAIL(r, "%s=\"%.40s\" of <%s> is not a number", name, text, element);
    return value;
}

static bool flag_of(Reader *r, const char *element, const char *name) {
    const char *text = attribute(r, name);
    if (!text || strcmp(text, "false") == 0 || strcmp(text, "0") == 0) return false;
    if (strcmp(text, "true") != 0 && strcmp(text, "1") != 0)
        FAIL(r, "%s=\"%.40s\" of <%s> is neither true nor false", name, text, element);
    return true;
}

static void refuse_others(Reader *r, const char *element, const char *known) {
    for (int i = 0; r->attributes[2 * i]; i++) {
        if (i < ATTRIBUTES && r->used[i]) continue;
        FAIL(r, "<%s> has no attribute '%.60s'; it has: %s", element, r->attributes[2 * i], known);
        return;
    }
}

// ---- elements

static const char *const model_names[] = {"springs", "corotated",
                                          "neo_hookean"}; // ORDER RbSoftModel

static const char *const placement_names[] = {"as_found", "cubic", "body_centred",
                                              "random"}; // ORDER RbSoftPlacement

static RbSoftPlacement placement_of(Reader *r) {
    const char *text = attribute(r, "placement");
    for (int i = 0; text && i <= RB_SOFT_RANDOM; i++)
        if (strcmp(text, placement_names[i]) == 0) return (RbSoftPlacement)i;
    if (text)
        FAIL(r,
             "placement=\"%.40s\" of <molecule_organ> is neither as_found, cubic, body_centred nor "
             "random",
             text);
    return RB_SOFT_PLACED_AS_FOUND;
}

static RbSoftDetection detection_of(Reader *r) {
    const char *text = attribute(r, "detection");
    if (!text || strcmp(text, "spheres") == 0) return RB_SOFT_SPHERES;
    if (strcmp(text, "edges") == 0) return RB_SOFT_EDGES;
    if (strcmp(text, "meshes") != 0)
        FAIL(r, "detection=\"%.40s\" of <scene> is neither spheres, meshes nor edges", text);
    return RB_SOFT_SURFACES;
}

static void begin_scene(Reader *r) {
    RbSoftScene *s = r->scene;
    if (r->has_scene) FAIL(r, "a file has one <scene>");
    r->has_scene = true;
    s->gravity.x = number_of(r, "scene", "gX", false, 0);
    s->gravity.y = number_of(r, "scene", "gY", false, -9.81);
    s->gravity.z = number_of(r, "scene", "gZ", false, 0);
    s->neighbours = (int)number_of(r, "scene", "neighbours", false, 18);
    s->stiffness = number_of(r, "scene", "contact_stiffness", false, 1);
    s->resolution = number_of(r, "scene", "mesh_resolution", false, 0);
    s->detection = detection_of(r);
    if (!(s->resolution >= 0))
        FAIL(r, "mesh_resolution=\"%g\" of <scene> must be positive", s->resolution);
    if (s->neighbours != 18 && s->neighbours != 26)
        FAIL(r, "neighbours=\"%d\" of <scene> must be 18 or 26", s->neighbours);
    if (!(s->stiffness > 0))
        FAIL(r, "contact_stiffness=\"%g\" of <scene> must be positive", s->stiffness);
    refuse_others(r, "scene",
                  "gX, gY, gZ, neighbours, contact_stiffness, detection, "
                  "mesh_resolution");
}

static void begin_simulation(Reader *r) {
    if (r->has_simulation) FAIL(r, "a scene has one <simulation>");
    r->has_simulation = true;
    double fps = number_of(r, "simulation", "fps", true, 1),
           duration = number_of(r, "simulation", "duration", true, 1);
    if (!(fps > 0) || !(duration > 0))
        FAIL(r, "fps=\"%g\" and duration=\"%g\" of <simulation> must be positive", fps, duration);
    r->scene->stop_time = duration;
    r->scene->output_interval = 1 / fps;
    refuse_others(r, "simulation", "fps, duration");
}

// Whose organs they are does not matter for the motion.
static void begin_patient(Reader *r) {
    static const char *const known[] = {"name", "gender", "weight", "height", "age"};
    for (int i = 0; i < 5; i++) attribute(r, known[i]);
    refuse_others(r, "patient", "name, gender, weight, height, age");
}

static RbSoftModel model_of(Reader *r) {
    const char *text = attribute(r, "model");
    for (int i = RB_SOFT_SPRINGS; text && i <= RB_SOFT_NEO_HOOKEAN; i++)
        if (strcmp(text, model_names[i]) == 0) return (RbSoftModel)i;
    if (text)
        FAIL(r, "model=\"%.40s\" of <material> is neither springs, corotated nor neo_hookean",
             text);
    return RB_SOFT_SPRINGS;
}

static void begin_material(Reader *r) {
    RbSoftMaterial m = rb_soft_material_default();
    m.at = here(r);
    m.name = text_of(r, "material", "description");
    m.colour[0] = number_of(r, "material", "R", false, 0.5);
    m.colour[1] = number_of(r, "material", "G", false, 0.5);
    m.colour[2] = number_of(r, "material", "B", false, 0.5);
    m.damping = number_of(r, "material", "damping_const", false, 0.1);
    m.density = number_of(r, "material", "density", true, 1);
    m.youngs_modulus = number_of(r, "material", "youngs_modulus", true, 1);
    m.medium_density = number_of(r, "material", "medium_density", false, 0);
    m.poisson = number_of(r, "material", "poissons_ratio", false, 0.25);
    m.breaking_strain = number_of(r, "material", "breaking_strain", false, 0);
    m.model = model_of(r);
    m.order = (int)number_of(r, "material", "order", false, 1);
    if (m.order != 1 && m.order != 2)
        FAIL(r, "order=\"%d\" of <material> is neither 1 nor 2", m.order);
    refuse_others(r, "material",
                  "description, R, G, B, damping_const, density, youngs_modulus, medium_density, "
                  "poissons_ratio, breaking_strain, model, order");
    if (r->status == RB_OK) rb_soft_scene_add_material(r->scene, &m);
}

static void begin_organ(Reader *r) {
    const char *name = text_of(r, "molecule_organ", "description");
    bool touches = flag_of(r, "molecule_organ", "self_contact");
    RbSoftPlacement placement = placement_of(r);
    attribute(r, "type");
    refuse_others(r, "molecule_organ", "type, description, self_contact, placement");
    if (r->status != RB_OK) return;
    int object = rb_soft_scene_add_object(r->scene, name, here(r));
    r->scene->objects.data[object].self_contact = touches;
    r->scene->objects.data[object].placement = placement;
}

static int material_of(Reader *r) {
    const char *name = text_of(r, "molecule", "material");
    int found = rb_soft_scene_find_material(r->scene, name);
    if (found >= 0 || r->status != RB_OK) return found;
    RbNear near = {.wanted = name};
    for (int i = 0; i < r->scene->materials.count; i++)
        rb_text_try_near(&near, r->scene->materials.data[i].name);
    FAIL(r, "there is no material '%.60s'%s", name, rb_text_near_question(&near, "", r->arena));
    return 0;
}

static void begin_molecule(Reader *r) {
    RbMolecule m = {.at = here(r)};
    m.r.x = number_of(r, "molecule", "x", true, 0);
    m.r.y = number_of(r, "molecule", "y", true, 0);
    m.r.z = number_of(r, "molecule", "z", true, 0);
    m.v.x = number_of(r, "molecule", "vx", false, 0);
    m.v.y = number_of(r, "molecule", "vy", false, 0);
    m.v.z = number_of(r, "molecule", "vz", false, 0);
    m.radius = number_of(r, "molecule", "radius", true, 1);
    m.friction = number_of(r, "molecule", "friction_const", false, 0);
    m.fixed = flag_of(r, "molecule", "fixed");
    m.material = material_of(r);
    refuse_others(r, "molecule", "x, y, z, vx, vy, vz, material, friction_const, radius, fixed");
    if (r->scene->molecules.count >= MOLECULES)
        FAIL(r, "a scene has at most %d molecules", MOLECULES);
    if (r->status == RB_OK) rb_soft_scene_add_molecule(r->scene, &m);
}

static void begin_force(Reader *r) {
    RbSoftForce f;
    f.force.x = number_of(r, "force", "x", true, 0);
    f.force.y = number_of(r, "force", "y", true, 0);
    f.force.z = number_of(r, "force", "z", true, 0);
    f.time = number_of(r, "force", "time", true, 0);
    refuse_others(r, "force", "x, y, z, time");
    if (r->status == RB_OK) rb_soft_scene_add_force(r->scene, &f);
}

static void begin_glue(Reader *r) {
    RbSoftChange c = {.kind = RB_SOFT_GLUE, .at = here(r)};
    c.time = number_of(r, "glue", "time", true, 0);
    c.a = text_of(r, "glue", "organ");
    c.b = text_of(r, "glue", "to");
    refuse_others(r, "glue", "time, organ, to");
    if (r->status == RB_OK) rb_soft_scene_add_change(r->scene, &c);
}

static void begin_cut(Reader *r) {
    static const char *const names[] = {"x", "y", "z", "nx", "ny", "nz"};
    RbSoftChange c = {.kind = RB_SOFT_CUT, .at = here(r)};
    double values[6];
    c.time = number_of(r, "cut", "time", true, 0);
    c.a = text_of(r, "cut", "organ");
    for (int i = 0; i < 6; i++) values[i] = number_of(r, "cut", names[i], true, 0);
    c.point = v3_load(values);
    c.normal = v3_load(values + 3);
    refuse_others(r, "cut", "time, organ, x, y, z, nx, ny, nz");
    if (r->status == RB_OK) rb_soft_scene_add_change(r->scene, &c);
}

typedef struct Rule {
    const char *name;
    Element element, inside;
    void (*begin)(Reader *r);
} Rule;

static void begin_materials(Reader *r) {
    refuse_others(r, "materials", "none");
}

static void begin_come(Reader *r) {
    refuse_others(r, "come", "none");
}

static const Rule rules[] = {
    {"come", COME, NOTHING, begin_come},
    {"scene", SCENE, COME, begin_scene},
    {"simulation", SIMULATION, SCENE, begin_simulation},
    {"patient", PATIENT, SCENE, begin_patient},
    {"materials", MATERIALS, PATIENT, begin_materials},
    {"material", MATERIAL, MATERIALS, begin_material},
    {"molecule_organ", ORGAN, PATIENT, begin_organ},
    {"molecule", MOLECULE, ORGAN, begin_molecule},
    {"force", FORCE, MOLECULE, begin_force},
    {"glue", GLUE, SCENE, begin_glue},
    {"cut", CUT, SCENE, begin_cut},
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

static const char *name_of(Element element) {
    for (int i = 0; i < RULE_COUNT; i++)
        if (rules[i].element == element) return rules[i].name;
    return "the file";
}

// ---- what expat calls

static void XMLCALL start_element(void *user, const char *name, const char **attributes) {
    Reader *r = user;
    Element inside = r->depth > 0 ? r->open[r->depth - 1] : NOTHING;
    if (r->status != RB_OK) return;
    for (int i = 0; i < RULE_COUNT; i++) {
        if (strcmp(rules[i].name, name) != 0) continue;
        if (rules[i].inside != inside) {
            FAIL(r, "<%s> does not stand in <%s>, but in <%s>", name, name_of(inside),
                 name_of(rules[i].inside));
            return;
        }
        r->attributes = attributes;
        memset(r->used, 0, sizeof r->used);
        r->open[r->depth++] = rules[i].element;
        rules[i].begin(r);
        return;
    }
    RbNear near = {.wanted = name};
    for (int i = 0; i < RULE_COUNT; i++) rb_text_try_near(&near, rules[i].name);
    FAIL(r, "there is no element <%.60s>%s", name, rb_text_near_question(&near, "", r->arena));
}

static void XMLCALL end_element(void *user, const char *name) {
    (void)name;
    Reader *r = user;
    if (r->depth > 0) r->depth--;
}

static void XMLCALL characters(void *user, const char *text, int length) {
    Reader *r = user;
    for (int i = 0; i < length; i++) {
        if (strchr(" \t\r\n", text[i])) continue;
        FAIL(r, "text '%.*s' where only elements stand", length - i < 20 ? length - i : 20,
             text + i);
        return;
    }
}

// A scene has no use for entities, and files that declare them want to fill the memory or to be
// told what is in others.
static void XMLCALL entity(void *user, const char *name, int parameter, const char *value,
                           int length, const char *base, const char *system, const char *public,
                           const char *notation) {
    (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public;
    (void)notation;
    FAIL((Reader *)user, "the entity '%.60s' is declared; entities are not read", name);
}

static void XMLCALL skipped(void *user, const char *name, int parameter) {
    (void)parameter;
    FAIL((Reader *)user, "the entity '%.60s' is not known; entities are not read", name);
}

// ---- the whole

static void free_parser(void *parser) {
    XML_ParserFree(parser);
}

static RbStatus finish(Reader *r, enum XML_Status parsed) {
    enum XML_Error error = XML_GetErrorCode(r->parser);
    if (r->status != RB_OK) return r->status;
    if (parsed == XML_STATUS_ERROR) {
        if (error == XML_ERROR_NO_MEMORY) rb_heap_fail(r->arena->heap);
        return rb_fail(r->diag, RB_ERROR_MODEL, here(r), "this is not XML: %s",
                       XML_ErrorString(error));
    }
    if (!r->has_scene)
        return rb_fail(r->diag, RB_ERROR_MODEL, rb_in_file(r->file), "there is no <scene>");
    return rb_soft_scene_check(r->scene, r->diag);
}

// "scenes/box.xml" is the scene "box".
static const char *title_of(const char *file, RbArena *arena) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return rb_arena_bytes(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

RbStatus rb_scene_xml_read(const char *file, RbBytes text, RbArena *arena, RbDiag *diag,
                           RbSoftScene **out) {
    Reader r = {.file = file, .arena = arena, .diag = diag};
    rb_diag_add_source(diag, file, (const char *)text.data, text.size);
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) rb_heap_fail(arena->heap);
    rb_arena_defer(arena, free_parser, r.parser);
    r.scene = rb_soft_scene_new(title_of(file, arena), arena);
    r.scene->mass = RB_SOFT_MASS_SPHERES;
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, start_element, end_element);
    XML_SetCharacterDataHandler(r.parser, characters);
    XML_SetEntityDeclHandler(r.parser, entity);
    XML_SetSkippedEntityHandler(r.parser, skipped);
    enum XML_Status parsed = XML_Parse(r.parser, (const char *)text.data, (int)text.size, 1);
    *out = r.scene;
    return finish(&r, parsed);
}

// ---- writing

static void write_number(RbText *t, const char *name, double value) {
    rb_text_printf(t, " %s=\"", name);
    rb_text_add_double(t, value);
    rb_text_add(t, "\"");
}

static void write_text(RbText *t, const char *name, const char *value) {
    rb_text_printf(t, " %s=\"", name);
    for (; *value; value++) {
        switch (*value) {
            case '<': rb_text_add(t, "&lt;"); break;
            case '&': rb_text_add(t, "&amp;"); break;
            case '"': rb_text_add(t, "&quot;"); break;
            case '\n': // readers make blanks of these
            case '\t':
            case '\r': rb_text_printf(t, "&#%d;", *value); break;
            default: rb_text_add_bytes(t, value, 1);
        }
    }
    rb_text_add(t, "\"");
}

static void write_material(RbText *t, const RbSoftMaterial *m) {
    rb_text_add(t, "  <material");
    write_text(t, "description", m->name);
    write_number(t, "R", m->colour[0]);
    write_number(t, "G", m->colour[1]);
    write_number(t, "B", m->colour[2]);
    write_number(t, "damping_const", m->damping);
    write_number(t, "density", m->density);
    write_number(t, "youngs_modulus", m->youngs_modulus);
    write_number(t, "medium_density", m->medium_density);
    if (m->breaking_strain > 0) write_number(t, "breaking_strain", m->breaking_strain);
    if (m->model != RB_SOFT_SPRINGS) {
        write_number(t, "poissons_ratio", m->poisson);
        write_text(t, "model", model_names[m->model]);
        if (m->order == 2) write_number(t, "order", 2);
    }
    rb_text_add(t, "/>\n");
}

static void write_molecule(RbText *t, const RbSoftScene *s, const RbMolecule *m) {
    rb_text_add(t, "  <molecule");
    write_number(t, "x", m->r.x);
    write_number(t, "y", m->r.y);
    write_number(t, "z", m->r.z);
    if (v3_norm2(m->v) > 0) {
        write_number(t, "vx", m->v.x);
        write_number(t, "vy", m->v.y);
        write_number(t, "vz", m->v.z);
    }
    write_text(t, "material", s->materials.data[m->material].name);
    write_number(t, "friction_const", m->friction);
    write_number(t, "radius", m->radius);
    if (m->fixed) write_text(t, "fixed", "true");
    rb_text_add(t, m->force_count > 0 ? ">\n" : "/>\n");
    for (int i = 0; i < m->force_count; i++) {
        const RbSoftForce *f = &s->forces.data[m->force + i];
        rb_text_add(t, "   <force");
        write_number(t, "x", f->force.x);
        write_number(t, "y", f->force.y);
        write_number(t, "z", f->force.z);
        write_number(t, "time", f->time);
        rb_text_add(t, "/>\n");
    }
    if (m->force_count > 0) rb_text_add(t, "  </molecule>\n");
}

static void write_change(RbText *t, const RbSoftChange *c) {
    rb_text_add(t, c->kind == RB_SOFT_GLUE ? "<glue" : "<cut");
    write_number(t, "time", c->time);
    write_text(t, "organ", c->a);
    if (c->kind == RB_SOFT_GLUE) {
        write_text(t, "to", c->b);
    } else {
        write_number(t, "x", c->point.x);
        write_number(t, "y", c->point.y);
        write_number(t, "z", c->point.z);
        write_number(t, "nx", c->normal.x);
        write_number(t, "ny", c->normal.y);
        write_number(t, "nz", c->normal.z);
    }
    rb_text_add(t, "/>\n");
}

const char *rb_scene_xml_write(const RbSoftScene *s, RbArena *arena) {
    RbText t = rb_text(arena);
    rb_text_add(&t, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<come>\n<scene");
    write_number(&t, "gX", s->gravity.x);
    write_number(&t, "gY", s->gravity.y);
    write_number(&t, "gZ", s->gravity.z);
    if (s->neighbours != 18) write_number(&t, "neighbours", s->neighbours);
    if (s->stiffness != 1) write_number(&t, "contact_stiffness", s->stiffness);
    if (s->detection != RB_SOFT_SPHERES)
        write_text(&t, "detection", s->detection == RB_SOFT_EDGES ? "edges" : "meshes");
    if (s->resolution > 0) write_number(&t, "mesh_resolution", s->resolution);
    rb_text_add(&t, ">\n");
    if (s->stop_time > 0) {
        rb_text_add(&t, "<simulation");
        write_number(&t, "fps", 1 / s->output_interval);
        write_number(&t, "duration", s->stop_time);
        rb_text_add(&t, "/>\n");
    }
    rb_text_add(&t, "<patient>\n <materials>\n");
    for (int i = 0; i < s->materials.count; i++) write_material(&t, &s->materials.data[i]);
    rb_text_add(&t, " </materials>\n");
    for (int i = 0; i < s->objects.count; i++) {
        const RbSoftObject *o = &s->objects.data[i];
        rb_text_add(&t, " <molecule_organ");
        write_text(&t, "description", o->name);
        if (o->self_contact) write_text(&t, "self_contact", "true");
        if (o->placement) write_text(&t, "placement", placement_names[o->placement]);
        rb_text_add(&t, ">\n");
        for (int k = 0; k < o->count; k++) write_molecule(&t, s, &s->molecules.data[o->first + k]);
        rb_text_add(&t, " </molecule_organ>\n");
    }
    rb_text_add(&t, "</patient>\n");
    for (int i = 0; i < s->changes.count; i++) write_change(&t, &s->changes.data[i]);
    rb_text_add(&t, "</scene>\n</come>\n");
    return t.data;
}
