// SPDX-License-Identifier: MIT
// Palettes in JSON:
//     {"solids": {"Steel": {"density": 8000, ...}, ...},
//      "pairs": [{"materials": ["Steel", "Steel"], "restitution": 0.7, ...}, ...]}
#include "contact/material.h"

#include <ctype.h>
#include <errno.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/file.h"

typedef struct Reader {
    const char *file, *text;
    size_t length;
    RbArena *keep;
    RbDiag *diag;
    RbMaterials *out;
} Reader;

// ---- positions: cJSON forgets them, so the place of an item is found again by walking the text

static RbPos position(const Reader *r, const char *p) {
    RbPos at = {r->file, 1, 1};
    for (const char *c = r->text; c < p; c++) {
        at.column++;
        if (*c == '\n') {
            at.line++;
            at.column = 1;
        }
    }
    return at;
}

// cJSON takes any control character for a space.
static bool is_space(char c) {
    return c && (unsigned char)c <= ' ';
}

static const char *skip_space(const char *p) {
    while (is_space(*p)) p++;
    return p;
}

// Behind a brace, a comma or a colon.
static const char *skip_mark(const char *p) {
    return skip_space(*p ? p + 1 : p);
}

static const char *skip_string(const char *p) {
    if (!*p) return p;
    for (p++; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1]) p++;
    }
    return *p ? p + 1 : p;
}

// Behind the value that starts at p. The text is known to be valid.
static const char *skip_value(const char *p) {
    int depth = 0;
    do {
        p = skip_space(p);
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == '{' || *p == '[') depth++;
        if (*p == '}' || *p == ']') depth--;
        if (strchr("{}[],:", *p)) {
            p += *p != 0;
        } else {
            while (*p && !is_space(*p) && !strchr("{}[],:\"", *p)) p++;
        }
    } while (depth > 0 && *p);
    return p;
}

// Start of the index-th member of the object or array at p: its key, or its value.
static const char *member(const char *p, int index) {
    p = skip_space(p);
    bool object = *p == '{';
    for (p = skip_mark(p); index > 0; index--) {
        if (object) p = skip_mark(skip_space(skip_string(p))); // and the colon
        p = skip_space(skip_value(p));
        p = skip_mark(p); // the comma
    }
    return p;
}

static int index_of(const cJSON *item) {
    int index = 0;
    for (; item->prev && item->prev->next == item; item = item->prev)
        index++; // the first one's prev is the last
    return index;
}

// The path to an item: itself, its parent, ... down to a member of the root.
static RbPos place(const Reader *r, const cJSON *const *path, int count) {
    const char *p = skip_space(r->text);
    for (int i = count - 1; i >= 0; i--) {
        p = skip_space(p);
        if (*p == '"') p = skip_mark(skip_space(skip_string(p))); // from a key to its value
        p = member(p, index_of(path[i]));
    }
    return position(r, p);
}

// ---- fields

typedef struct Number {
    const char *key;
    size_t offset;
    double least, most;
    const char *unit;
} Number;

#define NUMBER(Type, key, field, least, most, unit)                                                \
    { key, offsetof(Type, field), least, most, unit }

static const Number solid_numbers[] = {
    NUMBER(RbSolidMaterial, "density", density, 0, 1e30, " kg/m3"),
    NUMBER(RbSolidMaterial, "youngs_modulus", elastic.youngs_modulus, 0, 1e30, " Pa"),
    NUMBER(RbSolidMaterial, "poissons_ratio", elastic.poissons_ratio, 0, 0.5, ""),
    NUMBER(RbSolidMaterial, "melting_point", melting_point, 0, 1e30, " K"),
    NUMBER(RbSolidMaterial, "heat_capacity", heat_capacity, 0, 1e30, " J/(kg K)"),
    NUMBER(RbSolidMaterial, "heat_conductivity", heat_conductivity, 0, 1e30, " W/(m K)"),
    NUMBER(RbSolidMaterial, "thermal_expansion", thermal_expansion, -1, 1, " 1/K"),
    {0},
};

static const Number pair_numbers[] = {
    NUMBER(RbPairLaw, "restitution", restitution, 0, 1, ""),
    NUMBER(RbPairLaw, "sliding_friction", mu_k, 0, 1e6, ""),
    NUMBER(RbPairLaw, "static_friction", mu_s, 0, 1e6, ""),
    NUMBER(RbPairLaw, "rolling_resistance", mu_r, 0, 1e6, ""),
    NUMBER(RbPairLaw, "twisting_friction", twist, 0, 1e6, ""),
    NUMBER(RbPairLaw, "small_speed", v_small, 1e-12, 1e6, " m/s"),
    NUMBER(RbPairLaw, "small_spin", w_small, 1e-12, 1e6, " rad/s"),
    NUMBER(RbPairLaw, "static_speed", v_static, 1e-12, 1e6, " m/s"),
    NUMBER(RbPairLaw, "stiffness", stiffness, 0, 1e30, " N/m^n"),
    NUMBER(RbPairLaw, "exponent", exponent, 1, 10, ""),
    NUMBER(RbPairLaw, "damper", damper, 0, 1e30, " N s/m"),
    NUMBER(RbPairLaw, "friction_limit", max_friction, 0, INFINITY, " N"),
    NUMBER(RbPairLaw, "bristle_length", bristle_length, 1e-12, 1, " m"),
    NUMBER(RbPairLaw, "bristle_time", bristle_time, 0, 1e3, " s"),
    {0},
};

typedef struct Choice {
    const char *key;
    size_t offset;
    const char *words[6]; // ORDER the enumerations in rattleback/contact.h
} Choice;

static const Choice pair_choices[] = {
    {"response", offsetof(RbPairLaw, response), {"elastic", "observer", "none"}},
    {"normal", offsetof(RbPairLaw, normal), {"hertz", "spring-damper"}},
    {"friction", offsetof(RbPairLaw, friction), {"sliding", "static", "curve", "bristle", "auto"}},
    {"damping", offsetof(RbPairLaw, damping), {"typed", "flores"}},
    {"faces", offsetof(RbPairLaw, faces), {"patch", "point"}},
    {0},
};

// RB_OK and *done: the field was one of these numbers.
static RbStatus read_number(Reader *r, const Number *numbers, const cJSON *const *path, int depth,
                            void *target, bool *done) {
    const cJSON *item = path[0];
    for (const Number *n = numbers; n->key; n++) {
        if (strcmp(n->key, item->string) != 0) continue;
        *done = true;
        if (!cJSON_IsNumber(item)) {
            return rb_fail(r->diag, RB_ERROR_IO, place(r, path, depth), "'%s' must be a number",
                           n->key);
        }
        if (!(item->valuedouble >= n->least && item->valuedouble <= n->most)) {
            return rb_fail(r->diag, RB_ERROR_IO, place(r, path, depth),
                           "'%s' is %g%s; it must lie between %g and %g", n->key, item->valuedouble,
                           n->unit, n->least, n->most);
        }
        *(double *)(void *)((char *)target + n->offset) = item->valuedouble;
    }
    return RB_OK;
}

static RbStatus read_choice(Reader *r, const cJSON *const *path, int depth, RbPairLaw *law,
                            bool *done) {
    const cJSON *item = path[0];
    for (const Choice *c = pair_choices; c->key; c++) {
        if (strcmp(c->key, item->string) != 0) continue;
        *done = true;
        for (int i = 0; c->words[i]; i++) {
            if (!cJSON_IsString(item) || strcmp(item->valuestring, c->words[i]) != 0) continue;
            memcpy((char *)law + c->offset, &i, sizeof i); // the enumerations count from 0
            return RB_OK;
        }
        RbText words = rb_text(r->keep);
        for (int i = 0; c->words[i]; i++)
            rb_text_printf(&words, "%s\"%s\"", i ? ", " : "", c->words[i]);
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path, depth), "'%s' must be one of %s",
                       c->key, words.data);
    }
    return RB_OK;
}

_Static_assert(sizeof(RbResponse) == sizeof(int) && sizeof(RbNormalLaw) == sizeof(int) &&
                   sizeof(RbFrictionLaw) == sizeof(int) && sizeof(RbDampingRule) == sizeof(int),
               "choices are stored as int");

static RbStatus unknown_key(Reader *r, const cJSON *const *path, int depth, const Number *numbers,
                            bool pair) {
    const char *key = path[0]->string, *near = NULL;
    int limit = (int)strlen(key) / 3 + 1, best = limit + 1;
    for (const Number *n = numbers; n->key; n++) {
        int distance = rb_text_edit_distance(key, n->key, limit);
        if (distance < best) best = distance, near = n->key;
    }
    for (const Choice *c = pair_choices; pair && c->key; c++) {
        int distance = rb_text_edit_distance(key, c->key, limit);
        if (distance < best) best = distance, near = c->key;
    }
    RbPos at = place(r, path, depth);
    if (near)
        return rb_fail(r->diag, RB_ERROR_IO, at, "unknown key '%s'; did you mean '%s'?", key, near);
    return rb_fail(r->diag, RB_ERROR_IO, at, "unknown key '%s'", key);
}

// ---- the same limits for what is given in C or Modelica

// Modelica calls them smallSpeed instead of small_speed.
static const char *typed_name(const char *key, RbPos at, RbArena *keep) {
    if (at.line == 0) return key;
    if (strcmp(key, "friction_limit") == 0) return "maximumFriction";
    char *name = rb_arena_printf(keep, "%s", key), *to = name;
    for (const char *from = name; *from; from++)
        *to++ = *from == '_' && from[1] ? (char)toupper((unsigned char)*++from) : *from;
    *to = 0;
    return name;
}

static RbStatus check_numbers(const Number *numbers, const void *entry, const char *what, RbPos at,
                              RbArena *keep, RbDiag *diag) {
    for (const Number *n = numbers; n->key; n++) {
        double value = *(const double *)(const void *)((const char *)entry + n->offset);
        if (value >= n->least && value <= n->most) continue;
        return rb_fail(diag, RB_ERROR_MODEL, at, "%s: '%s' is %g%s; it must lie between %g and %g",
                       what, typed_name(n->key, at, keep), value, n->unit, n->least, n->most);
    }
    return RB_OK;
}

RbStatus rb_materials_check_solid(const RbSolidMaterial *solid, RbArena *keep, RbDiag *diag) {
    const char *what = rb_arena_printf(keep, "material '%s'", solid->name);
    return check_numbers(solid_numbers, solid, what, solid->at, keep, diag);
}

RbStatus rb_materials_check_pair(const RbPairMaterial *pair, RbArena *keep, RbDiag *diag) {
    const char *what = rb_arena_printf(keep, "materials '%s' and '%s'", pair->a, pair->b);
    bool user = pair->law.normal == RB_NORMAL_USER && !pair->law.user_law;
    bool function = pair->law.normal == RB_NORMAL_FUNCTION && !pair->law.normal_force;
    if (user || function) {
        return rb_fail(diag, RB_ERROR_MODEL, pair->at,
                       "%s: the law of the user (normal = RB_NORMAL_%s) has no function", what,
                       user ? "USER" : "FUNCTION");
    }
    return check_numbers(pair_numbers, &pair->law, what, pair->at, keep, diag);
}

// ---- where values come from

// {"density": "Gere", ...} as a text: "density Gere, ..."; "all" stands for every value.
static RbStatus read_sources(Reader *r, const cJSON *const *path, const char **out) {
    RbText text = rb_text(r->keep);
    const cJSON *item;
    if (!cJSON_IsObject(path[0]))
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path, 3),
                       "'sources' must be an object that names the source of each value");
    cJSON_ArrayForEach(item, path[0]) {
        if (!cJSON_IsString(item))
            return rb_fail(r->diag, RB_ERROR_IO, place(r, path, 3),
                           "the source of '%s' must be a text", item->string);
        bool all = strcmp(item->string, "all") == 0;
        rb_text_printf(&text, "%s%s%s%s", text.count > 0 ? ", " : "", all ? "" : item->string,
                       all ? "" : " ", item->valuestring);
    }
    *out = text.data;
    return RB_OK;
}

static RbStatus read_range(Reader *r, const cJSON *const *path, double range[2]) {
    const cJSON *low = cJSON_GetArrayItem(path[0], 0), *high = cJSON_GetArrayItem(path[0], 1);
    bool good = cJSON_IsArray(path[0]) && cJSON_GetArraySize(path[0]) == 2 && cJSON_IsNumber(low) &&
                cJSON_IsNumber(high) && low->valuedouble >= 0 &&
                high->valuedouble >= low->valuedouble && high->valuedouble <= 1e6;
    if (!good)
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path, 3),
                       "'%s' must be a list of two numbers, the smaller one first",
                       path[0]->string);
    range[0] = low->valuedouble;
    range[1] = high->valuedouble;
    return RB_OK;
}

// ---- entries

static RbStatus read_solid(Reader *r, const cJSON *solids, const cJSON *item) {
    const cJSON *path[3] = {NULL, item, solids};
    RbSolidMaterial solid = {.name = rb_arena_text(r->keep, item->string),
                             .at = rb_in_file(r->file)};
    if (!cJSON_IsObject(item)) {
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path + 1, 2),
                       "material '%s' must be an object with keys such as \"density\"", solid.name);
    }
    const cJSON *field;
    cJSON_ArrayForEach(field, item) {
        bool done = strcmp(field->string, "sources") == 0;
        path[0] = field;
        if (done) RB_TRY(read_sources(r, path, &solid.sources));
        RB_TRY(read_number(r, solid_numbers, path, 3, &solid, &done));
        if (!done) return unknown_key(r, path, 3, solid_numbers, false);
    }
    rb_materials_add_solid(r->out, r->keep, solid);
    return RB_OK;
}

static RbStatus read_names(Reader *r, const cJSON *const *path, RbPairMaterial *pair) {
    const cJSON *names = path[0], *a = cJSON_GetArrayItem(names, 0),
                *b = cJSON_GetArrayItem(names, 1);
    if (!cJSON_IsArray(names) || cJSON_GetArraySize(names) != 2 || !cJSON_IsString(a) ||
        !cJSON_IsString(b)) {
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path, 3),
                       "'materials' must be a list of two names");
    }
    pair->a = rb_arena_text(r->keep, a->valuestring);
    pair->b = rb_arena_text(r->keep, b->valuestring);
    return RB_OK;
}

static RbStatus read_pair(Reader *r, const cJSON *pairs, const cJSON *item) {
    const cJSON *path[3] = {NULL, item, pairs};
    RbPairMaterial pair = {.at = rb_in_file(r->file), .law = rb_pair_law_default()};
    if (!cJSON_IsObject(item))
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path + 1, 2),
                       "a pair must be an object with the key \"materials\"");
    const cJSON *field;
    cJSON_ArrayForEach(field, item) {
        bool done = false;
        path[0] = field;
        if (strcmp(field->string, "materials") == 0) {
            RB_TRY(read_names(r, path, &pair));
            continue;
        }
        if (strcmp(field->string, "alarm") == 0 && cJSON_IsBool(field)) {
            pair.law.alarm = cJSON_IsTrue(field);
            continue;
        }
        double *range = strcmp(field->string, "restitution_range") == 0 ? pair.restitution_range
                        : strcmp(field->string, "sliding_friction_range") == 0 ? pair.friction_range
                                                                               : NULL;
        if (range) {
            RB_TRY(read_range(r, path, range));
            continue;
        }
        if (strcmp(field->string, "sources") == 0) {
            RB_TRY(read_sources(r, path, &pair.sources));
            continue;
        }
        RB_TRY(read_choice(r, path, 3, &pair.law, &done));
        RB_TRY(read_number(r, pair_numbers, path, 3, &pair.law, &done));
        if (!done) return unknown_key(r, path, 3, pair_numbers, true);
    }
    if (!pair.a)
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path + 1, 2),
                       "this pair lacks the key \"materials\" with two names");
    if (pair.law.normal == RB_NORMAL_SPRING_DAMPER && !(pair.law.stiffness > 0)) {
        return rb_fail(r->diag, RB_ERROR_IO, place(r, path + 1, 2),
                       "the spring-damper law of '%s' and '%s' needs a positive \"stiffness\"",
                       pair.a, pair.b);
    }
    rb_materials_add_pair(r->out, r->keep, pair);
    return RB_OK;
}

static RbStatus read_list_of_sources(Reader *r, const cJSON *section) {
    const cJSON *item;
    cJSON_ArrayForEach(item, section) {
        if (!cJSON_IsString(item))
            return rb_fail(r->diag, RB_ERROR_IO, place(r, &section, 1),
                           "the source '%s' must be a text", item->string);
        RbMaterialSource source = {rb_arena_text(r->keep, item->string),
                                   rb_arena_text(r->keep, item->valuestring)};
        rb_array_push(&r->out->sources, r->keep, source);
    }
    return RB_OK;
}

static RbStatus read_root(Reader *r, const cJSON *root) {
    if (!cJSON_IsObject(root)) {
        return rb_fail(r->diag, RB_ERROR_IO, position(r, skip_space(r->text)),
                       "a material file is an object with the keys \"solids\" and \"pairs\"");
    }
    const cJSON *section, *item;
    cJSON_ArrayForEach(section, root) {
        if (strcmp(section->string, "sources") == 0 && cJSON_IsObject(section)) {
            RB_TRY(read_list_of_sources(r, section));
            continue;
        }
        bool solids = strcmp(section->string, "solids") == 0;
        bool fits = solids ? cJSON_IsObject(section)
                           : strcmp(section->string, "pairs") == 0 && cJSON_IsArray(section);
        if (!fits) {
            return rb_fail(
                r->diag, RB_ERROR_IO, place(r, &section, 1),
                "expected \"solids\" or \"sources\" with an object or \"pairs\" with a list, not "
                "'%s'",
                section->string);
        }
        cJSON_ArrayForEach(item, section) {
            RB_TRY(solids ? read_solid(r, section, item) : read_pair(r, section, item));
        }
    }
    return RB_OK;
}

// ---- the whole file

// cJSON allocates by malloc. Its tree hangs on the arena while we read it, so that a jump out of
// here frees it as well.
static void delete_tree(void *holder) {
    cJSON **root = holder;
    cJSON_Delete(*root);
    *root = NULL;
}

static RbMaterials copy_of(const RbMaterials *m, RbArena *keep) {
    RbMaterials copy = {0};
    for (int i = 0; i < m->solids.count; i++) rb_array_push(&copy.solids, keep, m->solids.data[i]);
    for (int i = 0; i < m->pairs.count; i++) rb_array_push(&copy.pairs, keep, m->pairs.data[i]);
    for (int i = 0; i < m->sources.count; i++)
        rb_array_push(&copy.sources, keep, m->sources.data[i]);
    return copy;
}

RbStatus rb_materials_parse(RbMaterials *materials, const char *file, const char *text,
                            size_t length, RbArena *keep, RbDiag *diag) {
    rb_diag_add_source(diag, file, text, length);
    RbMaterials out = copy_of(materials, keep);
    Reader r = {file, rb_arena_bytes(keep, text, length), length, keep, diag, &out};
    cJSON **root = rb_new(keep, cJSON *);
    rb_arena_defer(keep, delete_tree, root);
    const char *end = NULL;
    errno = 0;
    *root = cJSON_ParseWithLengthOpts(r.text, length + 1, &end, 1);
    if (!*root && errno == ENOMEM) rb_heap_fail(keep->heap); // not the fault of the file
    if (!*root) {
        return rb_fail(diag, RB_ERROR_IO, position(&r, end ? end : r.text),
                       "this is not valid JSON");
    }
    RbStatus status = read_root(&r, *root);
    delete_tree(root);
    if (status == RB_OK) *materials = out;
    return status;
}

RbStatus rb_materials_read(RbMaterials *materials, const char *file, RbArena *keep, RbDiag *diag) {
    const size_t most = 1u << 20; // bytes; palettes have a few thousand
    RbBytes bytes;
    RB_TRY(rb_file_read(file, most, keep, diag, &bytes));
    return rb_materials_parse(materials, file, (const char *)bytes.data, bytes.size, keep, diag);
}
