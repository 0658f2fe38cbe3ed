// SPDX-License-Identifier: MIT
#include "deform/scene_modelica.h"

#include <string.h>

// ---- names

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(const char *name) { // a keyword, or a name that the model has already
    static const char *const words[] = {
        "algorithm",   "and",          "annotation", "block",       "break",
        "class",       "connect",      "connector",  "constant",    "constrainedby",
        "der",         "discrete",     "each",       "else",        "elseif",
        "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
        "expandable",  "extends",      "external",   "false",       "final",
        "flow",        "for",          "function",   "if",          "import",
        "impure",      "in",           "initial",    "inner",       "input",
        "loop",        "model",        "not",        "operator",    "or",
        "outer",       "output",       "package",    "parameter",   "partial",
        "protected",   "public",       "pure",       "record",      "redeclare",
        "replaceable", "return",       "stream",     "then",        "time",
        "true",        "type",         "when",       "while",       "within",
        "world"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0) return true;
    return false;
}

// ORDER both: what stands behind a backslash, and what it means
static const char escaped[] = "ntr", meant[] = "\n\t\r";

static void add_quoted(RbText *t, char c) {
    const char *control = strchr(meant, c);
    if (c == '\'' || c == '\\' || control) rb_text_add(t, "\\");
    if (control) c = escaped[control - meant];
    rb_text_add_bytes(t, (unsigned char)c < ' ' ? "_" : &c, 1);
}

static char unquoted(char c) {
    const char *found = strchr(escaped, c);
    return found ? meant[found - escaped] : c;
}

const char *rb_modelica_name(const char *name, RbArena *arena) {
    bool plain = is_letter(name[0]) && !is_word(name);
    for (const char *c = name; *c; c++)
        plain = plain && (is_letter(*c) || (*c >= '0' && *c <= '9'));
    if (plain) return name;
    RbText t = rb_text(arena);
    rb_text_add(&t, "'");
    for (const char *c = name; *c; c++) add_quoted(&t, *c);
    rb_text_add(&t, "'");
    return t.data;
}

const char *rb_plain_name(const char *name, RbArena *arena) {
    RbText t = rb_text(arena);
    bool quoted = false;
    for (const char *at = name; *at; at++) {
        bool escape = quoted && *at == '\\' && at[1];
        if (!escape && *at == '\'') {
            quoted = !quoted;
            continue;
        }
        char c = escape ? unquoted(*++at) : *at;
        rb_text_add_bytes(&t, &c, 1);
    }
    return t.data;
}

static void add_string(RbText *t, const char *text) {
    rb_text_add(t, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') rb_text_add(t, "\\");
        rb_text_add_bytes(t, c, 1);
    }
    rb_text_add(t, "\"");
}

// ---- what there are no words for

static bool same(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static RbStatus check_object(const RbSoftScene *s, const RbSoftObject *o, RbDiag *diag) {
    const RbMolecule *first = &s->molecules.data[o->first];
    if (o->tet_count > 0)
        return rb_fail(diag, RB_ERROR_MODEL, o->at,
                       "'%s' has elements of a solid; in Modelica a SoftBody has a shape for that",
                       o->name);
    for (int i = 1; i < o->count; i++) {
        const RbMolecule *m = first + i;
        const char *what = m->radius != first->radius       ? "radii"
                           : m->friction != first->friction ? "frictions"
                           : !same(m->v, first->v)          ? "velocities"
                                                            : NULL;
        if (what)
            return rb_fail(
                diag, RB_ERROR_MODEL, m->at,
                "the molecules of '%s' have different %s; a SoftBody in Modelica has one "
                "for all of them: make several objects of it",
                o->name, what);
    }
    return RB_OK;
}

// ---- text

static void add_number(RbText *t, const char *name, double value) {
    rb_text_printf(t, ", %s = ", name);
    rb_text_add_double(t, value);
}

static void add_vector(RbText *t, Vec3 v) {
    rb_text_add(t, "{");
    rb_text_add_double(t, v.x);
    rb_text_add(t, ", ");
    rb_text_add_double(t, v.y);
    rb_text_add(t, ", ");
    rb_text_add_double(t, v.z);
    rb_text_add(t, "}");
}

// The others of an object: that of its first molecule is its own.
typedef struct Others {
    int *
        numbers; // per material of the scene: its number among the others; 0: its own, or none of its
    int *list;
    int count;
} Others;

static Others find_others(const RbSoftScene *s, const RbSoftObject *o, RbArena *arena) {
    const RbMolecule *m = s->molecules.data + o->first;
    Others others = {rb_new_array(arena, int, s->materials.count),
                     rb_new_array(arena, int, s->materials.count), 0};
    for (int i = 0; i < o->count; i++) {
        if (m[i].material == m->material || others.numbers[m[i].material] > 0) continue;
        others.list[others.count++] = m[i].material;
        others.numbers[m[i].material] = others.count;
    }
    return others;
}

static void add_law(RbText *t, const RbSoftMaterial *p) {
    static const char *const laws[] = {"springs", "corotated", "neoHookean"}; // ORDER RbSoftModel
    if (p->medium_density > 0) add_number(t, "rho_medium", p->medium_density);
    if (p->breaking_strain > 0) add_number(t, "breakingStrain", p->breaking_strain);
    if (p->model == RB_SOFT_SPRINGS) return;
    rb_text_printf(t, ", law = Types.SoftLaw.%s", laws[p->model]);
    add_number(t, "nu", p->poisson);
    if (p->order == 2) rb_text_add(t, ", order = 2");
}

static void add_colour(RbText *t, const RbSoftMaterial *p) {
    rb_text_printf(t, ", color = {%.0f, %.0f, %.0f}", 255 * p->colour[0], 255 * p->colour[1],
                   255 * p->colour[2]);
}

static void add_others(RbText *t, const RbSoftScene *s, const RbSoftObject *o, RbArena *arena) {
    const RbMolecule *m = s->molecules.data + o->first;
    Others others = find_others(s, o, arena);
    if (others.count == 0) return;
    for (int i = 0; i < others.count; i++) {
        const RbSoftMaterial *p = &s->materials.data[others.list[i]];
        rb_text_printf(t, "%sParts.SoftMaterial(E = ", i ? ",\n      " : ",\n    materials = {");
        rb_text_add_double(t, p->youngs_modulus);
        add_number(t, "rho", p->density);
        add_number(t, "zeta", p->damping);
        add_law(t, p);
        add_colour(t, p);
        rb_text_add(t, ")");
    }
    rb_text_add(t, "},\n    pointMaterials = {");
    for (int i = 0; i < o->count; i++)
        rb_text_printf(t, "%s%d",
                       i == 0        ? ""
                       : i % 40 == 0 ? ",\n      "
                                     : ", ",
                       others.numbers[m[i].material]);
    rb_text_add(t, "}");
}

static void add_points(RbText *t, const RbSoftScene *s, const RbSoftObject *o) {
    const RbMolecule *m = s->molecules.data + o->first;
    int fixed = 0, forces = 0;
    rb_text_add(t, ",\n    points = {");
    for (int i = 0; i < o->count; i++) {
        rb_text_add(t, i == 0 ? "" : i % 4 == 0 ? ",\n      " : ", ");
        add_vector(t, m[i].r);
    }
    rb_text_add(t, "}");
    for (int i = 0; i < o->count; i++)
        if (m[i].fixed) rb_text_printf(t, "%s%d", fixed++ ? ", " : ",\n    fixedPoints = {", i + 1);
    if (fixed > 0) rb_text_add(t, "}");
    for (int i = 0; i < o->count; i++)
        for (int k = 0; k < m[i].force_count; k++) {
            const RbSoftForce *f = &s->forces.data[m[i].force + k];
            const double row[] = {f->time, f->force.x, f->force.y, f->force.z};
            rb_text_printf(t, "%s{%d", forces++ ? ", " : ",\n    pointForces = {", i + 1);
            for (int n = 0; n < 4; n++) {
                rb_text_add(t, ", ");
                rb_text_add_double(t, row[n]);
            }
            rb_text_add(t, "}");
        }
    if (forces > 0) rb_text_add(t, "}");
}

static void add_body(RbText *t, const RbSoftScene *s, const RbSoftObject *o, RbArena *arena) {
    static const char *const placements[] = {"asFound", "cubic", "bodyCentred",
                                             "random"}; // ORDER RbSoftPlacement
    const RbMolecule *m = &s->molecules.data[o->first];
    const RbSoftMaterial *p = &s->materials.data[m->material];
    rb_text_printf(t, "  Parts.SoftBody %s(E = ", rb_modelica_name(o->name, arena));
    rb_text_add_double(t, p->youngs_modulus);
    add_number(t, "rho", p->density);
    add_number(t, "zeta", p->damping);
    add_number(t, "mu", m->friction);
    add_number(t, "moleculeRadius", m->radius);
    add_law(t, p);
    if (o->placement)
        rb_text_printf(t, ", placement = Types.SoftPlacement.%s", placements[o->placement]);
    if (s->neighbours != 18) rb_text_printf(t, ", neighbours = %d", s->neighbours);
    if (s->mass == RB_SOFT_MASS_SPHERES) rb_text_add(t, ", sphereMasses = true");
    if (s->detection == RB_SOFT_SURFACES) rb_text_add(t, ", surfaceContact = true");
    if (s->detection == RB_SOFT_EDGES) rb_text_add(t, ", edgeContact = true");
    if (s->resolution > 0) add_number(t, "surfaceResolution", s->resolution);
    if (s->stiffness != 1) add_number(t, "contactStiffness", s->stiffness);
    if (o->self_contact) rb_text_add(t, ", selfContact = true");
    if (v3_norm2(m->v) > 0) rb_text_add(t, ", v_start = "), add_vector(t, m->v);
    add_colour(t, p);
    add_others(t, s, o, arena);
    add_points(t, s, o);
    rb_text_add(t, ");\n");
}

static void add_change(RbText *t, const RbSoftScene *s, int number, RbArena *arena) {
    const RbSoftChange *c = &s->changes.data[number];
    rb_text_printf(t, "  Actions.%s change%d(at = ", c->kind == RB_SOFT_GLUE ? "Glue" : "Cut",
                   number + 1);
    rb_text_add_double(t, c->time);
    rb_text_add(t, ", a = ");
    add_string(t, rb_modelica_name(c->a, arena));
    if (c->kind == RB_SOFT_GLUE) {
        rb_text_add(t, ", b = ");
        add_string(t, rb_modelica_name(c->b, arena));
    } else {
        rb_text_add(t, ", r = ");
        add_vector(t, c->point);
        rb_text_add(t, ", n = ");
        add_vector(t, c->normal);
    }
    rb_text_add(t, ");\n");
}

RbStatus rb_scene_modelica_write(const RbSoftScene *s, const char *name, RbArena *arena,
                                 RbDiag *diag, const char **out) {
    RbText t = rb_text(arena);
    const char *model = rb_modelica_name(name, arena);
    for (int i = 0; i < s->objects.count; i++) RB_TRY(check_object(s, &s->objects.data[i], diag));
    rb_text_printf(&t, "model %s\n  import Rattleback.*;\n  inner World world(gravity = ", model);
    add_vector(&t, s->gravity);
    rb_text_add(&t, ");\n");
    for (int i = 0; i < s->objects.count; i++) add_body(&t, s, &s->objects.data[i], arena);
    for (int i = 0; i < s->changes.count; i++) add_change(&t, s, i, arena);
    rb_text_add(&t, "  annotation(experiment(Tolerance = 1e-4");
    if (s->stop_time > 0) {
        add_number(&t, "StopTime", s->stop_time);
        add_number(&t, "Interval", s->output_interval);
    }
    rb_text_printf(&t, "));\nend %s;\n", model);
    *out = t.data;
    return RB_OK;
}
