// SPDX-License-Identifier: MIT
// The syntax tree of a class that was written for an older version of a library, with the names of the present one. Names
// are followed through imports; elements of classes where a declaration or an extends-clause says which class it is.
#include <string.h>

#include "classes/class.h"
#include "classes/conversion.h"
#include "syntax/parse.h"

// A class and what its text names.
struct RbConverted {
    const RbConversion *c;
    const struct RbConverted *around;
    RbAstClass *class;
    RbMap aliases;           // name -> full old name: imports
    RbConversionTexts wild;  // import A.*
    RbMap types;             // component -> full old name of its class
    RbConversionTexts bases; // full old names of the classes that it extends
};

typedef struct RbConverted Scope;

typedef struct Convert {
    RbLibrary *l;
    const Scope *scope;
} Convert;

static void convert_expr(const Convert *v, RbAstExpr *e);
static void convert_class(const Convert *v, RbAstClass *class);

// --- names ---------------------------------------------------------------------------------------

static const char *find_text(const RbMap *map, RbName name) {
    const uint64_t *found = rb_map_find(map, rb_map_key(name));
    return found ? (const char *)(uintptr_t)*found : NULL;
}

static bool declares(const Convert *v, const Scope *s, RbName name) {
    return rb_map_find(&rb_library_index(v->l, s->class)->names, rb_map_key(name)) != NULL;
}

// The full old name that the first part of a name means; NULL: none of a library.
static const char *old_root(const Convert *v, RbName first, const char *rest) {
    const Scope *s = v->scope;
    for (; s; s = s->around) {
        const char *alias = find_text(&s->aliases, first);
        if (alias) return alias;
        if (declares(v, s, first)) return NULL;
    }
    if (rb_map_find(&v->scope->c->roots, rb_map_key(first))) return first;
    for (s = v->scope; s; s = s->around) {
        for (int i = 0; i < s->wild.count; i++) {
            const char *full = rb_arena_printf(v->l->keep, "%s.%s", s->wild.data[i], first);
            const char *new =
                rb_converted_name(v->l, s->c, rb_arena_printf(v->l->keep, "%s%s", full, rest));
            const char *of_package = rb_converted_name(v->l, s->c, s->wild.data[i]);
            const char *as_before = rb_arena_printf(
                v->l->keep, "%s.%s%s", of_package ? of_package : s->wild.data[i], first, rest);
            if (new &&strcmp(new, as_before) != 0) return full;
        }
    }
    return NULL;
}

static RbName *split(const Convert *v, const char *name, int *count) {
    *count = 0;
    for (const char *p = name; *p; p += strcspn(p, ".") + (p[strcspn(p, ".")] == '.')) ++*count;
    RbName *parts = rb_new_array(v->l->keep, RbName, *count + 1);
    int k = 0;
    for (const char *p = name; *p; k++) {
        size_t length = strcspn(p, ".");
        parts[k] = rb_intern_bytes(v->l->names, p, length);
        p += length + (p[length] == '.');
    }
    return parts;
}

static const char *join(const Convert *v, const RbAstName *n, int from) {
    RbText text = rb_text(v->l->keep);
    for (int i = from; i < n->count; i++) rb_text_printf(&text, ".%s", n->parts[i]);
    return text.count > 0 ? text.data : "";
}

static const char *old_name(const Convert *v, const RbAstName *n) {
    if (n->count == 0) return NULL;
    const char *rest = join(v, n, 1),
               *root = n->global ? n->parts[0] : old_root(v, n->parts[0], rest);
    return root ? rb_arena_printf(v->l->keep, "%s%s", root, rest) : NULL;
}

static void tell(const Convert *v, const char *old, RbPos at) {
    const char *message = find_text(&v->scope->c->messages, rb_intern(v->l->names, old));
    if (message)
        rb_warn(v->l->diag, at, "'%s' was not converted to the present version: %s", old, message);
}

// Give a name its new form; answers the full old one, or NULL.
static const char *convert_name(const Convert *v, RbAstName *n) {
    const char *old = old_name(v, n), *new = old ? rb_converted_name(v->l, v->scope->c, old) : NULL;
    if (old) tell(v, old, n->at);
    if (new) {
        n->parts = split(v, new, &n->count);
        n->global = true;
    }
    return old;
}

// --- modifications -------------------------------------------------------------------------------

static RbAstArgument *find_argument(RbAstMod *mod, const char *name) {
    for (int i = 0; mod && i < mod->count; i++) {
        RbAstArgument *a = &mod->arguments[i];
        if (a->name.count == 1 && strcmp(a->name.parts[0], name) == 0) return a;
    }
    return NULL;
}

// Of "%x%" in a text, the values that the old modifiers had.
static const char *fill_in(const Convert *v, const char *text, const RbConversionTexts *names,
                           const char **values) {
    RbText out = rb_text(v->l->keep);
    while (*text) {
        const char *end = *text == '%' ? strchr(text + 1, '%') : NULL;
        int found = -1;
        for (int i = 0; end && i < names->count; i++) {
            size_t length = strcspn(names->data[i], "=");
            if (length == (size_t)(end - text - 1) && memcmp(names->data[i], text + 1, length) == 0)
                found = i;
        }
        if (found >= 0)
            rb_text_printf(&out, "(%s)", values[found]);
        else
            rb_text_printf(&out, "%c", *text);
        text = found >= 0 ? end + 1 : text + 1;
    }
    return out.count > 0 ? out.data : "";
}

static void add_argument(const Convert *v, RbAstMod **mod, const char *text, RbPos at) {
    RbLibrary *l = v->l;
    const char *whole = rb_arena_printf(l->keep, "model m T x(%s); end m;", text);
    RbAstFile *ast;
    if (rb_parse_text(at.file, whole, strlen(whole), l->names, l->keep, *l->scratch, l->diag,
                      &ast) != RB_OK)
        return;
    const RbAstMod *made = ast->classes[0]->elements[0]->components[0].mod;
    for (int i = 0; made && i < made->count; i++) {
        RbAstArgument a = made->arguments[i];
        if (a.name.count != 1 || find_argument(*mod, a.name.parts[0])) continue;
        RbAstMod *more = rb_new(l->keep, RbAstMod);
        *more = *mod ? **mod : (RbAstMod){.at = at};
        more->by_name = NULL;
        more->parentheses = true;
        more->arguments = rb_new_array(l->keep, RbAstArgument, more->count + 1);
        for (int k = 0; k < more->count; k++) more->arguments[k] = (*mod)->arguments[k];
        a.at = at;
        more->arguments[more->count++] = a;
        *mod = more;
    }
}

static void drop_argument(RbAstMod *mod, const char *name) {
    RbAstArgument *a = find_argument(mod, name);
    if (!a) return;
    *a = mod->arguments[--mod->count];
    mod->by_name = NULL;
}

static void replace_modifiers(const Convert *v, const RbConvertedModifiers *set, RbAstMod **mod,
                              RbPos at) {
    const char **values = rb_new_array(v->l->keep, const char *, set->old.count + 1);
    bool any = set->old.count == 0;
    for (int i = 0; i < set->old.count; i++) {
        const char *name = set->old.data[i], *equals = strchr(name, '=');
        const RbAstArgument *a = find_argument(
            *mod, equals ? rb_arena_bytes(v->l->keep, name, (size_t)(equals - name)) : name);
        values[i] = equals ? equals + 1 : "";
        if (!a || !a->mod || !a->mod->value) continue;
        RbText text = rb_text(v->l->keep);
        rb_ast_print_expr(a->mod->value, &text);
        values[i] = text.data;
        any = true;
    }
    if (!any) return;
    for (int i = 0; i < set->old.count; i++)
        drop_argument(*mod,
                      rb_arena_bytes(v->l->keep, set->old.data[i], strcspn(set->old.data[i], "=")));
    for (int i = 0; i < set->new.count; i++) {
        const char *text = fill_in(v, set->new.data[i], &set->old, values);
        if (*text) add_argument(v, mod, text, at);
    }
}

static void convert_element(const Convert *v, RbAstElement *e);

static void convert_mod(const Convert *v, RbAstMod *mod, const char *type) {
    for (int i = 0; mod && i < mod->count; i++) {
        RbAstArgument *a = &mod->arguments[i];
        RbName new = type && a->name.count > 0
                         ? rb_converted_element(v->l, v->scope->c, type, a->name.parts[0])
                         : NULL;
        if (new) a->name.parts[0] = new;
        if (new) mod->by_name = NULL;
        if (a->element) convert_element(v, a->element);
        convert_mod(v, a->mod, NULL);
    }
    if (mod && mod->value) convert_expr(v, mod->value);
}

// Modifications of a class with its old name.
static void convert_mods_of(const Convert *v, RbAstMod **mod, const char *type, RbPos at) {
    const uint64_t *link =
        type ? rb_map_find(&v->scope->c->modifiers, rb_map_key(rb_intern(v->l->names, type)))
             : NULL;
    for (int k = link ? (int)*link : 0; k > 0; k = v->scope->c->links.data[k - 1].next)
        replace_modifiers(v, &v->scope->c->sets.data[v->scope->c->links.data[k - 1].set], mod, at);
    convert_mod(v, *mod, type);
}

// --- expressions ---------------------------------------------------------------------------------

static RbName renamed_member(const Convert *v, const Scope *s, RbName name) {
    for (int i = 0; i < s->bases.count; i++) {
        RbName new = rb_converted_element(v->l, s->c, s->bases.data[i], name);
        if (new) return new;
    }
    return NULL;
}

// A reference over the components of classes around.
static bool convert_members(const Convert *v, RbAstExpr *e) {
    for (const Scope *s = v->scope; s; s = s->around) {
        const char *type = find_text(&s->types, e->parts[0].name);
        if (type && e->kid_count > 1) {
            RbName new = rb_converted_element(v->l, s->c, type, e->parts[1].name);
            if (new) e->parts[1].name = new;
        }
        if (type || declares(v, s, e->parts[0].name)) return true;
        RbName new = renamed_member(v, s, e->parts[0].name);
        if (new) e->parts[0].name = new;
        if (new) return true;
    }
    return false;
}

static const char *convert_reference(const Convert *v, RbAstExpr *e) {
    if (!e->global && convert_members(v, e)) return NULL;
    RbAstName n = {.at = e->at, .global = e->global};
    while (n.count < e->kid_count && (n.count == 0 || e->parts[n.count - 1].subscript_count == 0))
        n.count++;
    n.parts = rb_new_array(v->l->keep, RbName, n.count + 1);
    for (int i = 0; i < n.count; i++) n.parts[i] = e->parts[i].name;
    int before = n.count;
    const char *old = old_name(v, &n),
               *new = old ? rb_converted_name(v->l, v->scope->c, old) : NULL;
    if (old) tell(v, old, e->at);
    if (!new) return old;
    RbName *names = split(v, new, &n.count);
    RbAstPart *parts = rb_new_array(v->l->keep, RbAstPart, n.count + e->kid_count);
    for (int i = 0; i < n.count; i++) parts[i].name = names[i];
    parts[n.count - 1].subscript_count = e->parts[before - 1].subscript_count;
    parts[n.count - 1].subscripts = e->parts[before - 1].subscripts;
    for (int i = before; i < e->kid_count; i++) parts[n.count + i - before] = e->parts[i];
    e->kid_count += n.count - before;
    e->parts = parts;
    e->global = true;
    return old;
}

static void convert_expr(const Convert *v, RbAstExpr *e) {
    if (!e) return;
    bool leaf = e->kind < RB_AST_REF || e->kind == RB_AST_END || e->kind == RB_AST_COLON ||
                e->kind == RB_AST_BREAK;
    if (leaf) return;
    if (e->kind == RB_AST_REF) {
        for (int k = 0; k < e->kid_count; k++)
            for (int i = 0; i < e->parts[k].subscript_count; i++)
                convert_expr(v, e->parts[k].subscripts[i]);
        convert_reference(v, e);
        return;
    }
    bool call = (e->kind == RB_AST_CALL || e->kind == RB_AST_FUNCTION) && e->kid_count > 0 &&
                e->kids[0]->kind == RB_AST_REF;
    const char *called = call ? convert_reference(v, e->kids[0]) : NULL;
    for (int i = call ? 1 : 0; i < e->kid_count; i++) {
        RbAstExpr *kid = e->kids[i];
        if (called && kid && kid->kind == RB_AST_NAMED) {
            RbName new = rb_converted_element(v->l, v->scope->c, called, kid->name);
            if (new) kid->name = new;
        }
        convert_expr(v, kid);
    }
    bool loops = e->kind == RB_AST_CALL || e->kind == RB_AST_ARRAY;
    for (int i = 0; loops && i < e->iterator_count; i++) convert_expr(v, e->iterators[i].range);
}

static void convert_equations(const Convert *v, RbAstEquation **list, int count) {
    for (int i = 0; i < count; i++) {
        RbAstEquation *eq = list[i];
        convert_expr(v, eq->left);
        convert_expr(v, eq->right);
        for (int k = 0; k < eq->iterator_count; k++) convert_expr(v, eq->iterators[k].range);
        for (int k = 0; k < eq->block_count; k++) {
            convert_expr(v, eq->blocks[k].condition);
            convert_equations(v, eq->blocks[k].list, eq->blocks[k].count);
        }
    }
}

// --- elements ------------------------------------------------------------------------------------

static void convert_exprs(const Convert *v, RbAstExpr **list, int count) {
    for (int i = 0; i < count; i++) convert_expr(v, list[i]);
}

static void convert_components(const Convert *v, RbAstElement *e) {
    const char *type = convert_name(v, &e->type);
    convert_exprs(v, e->dimensions, e->dimension_count);
    for (int i = 0; i < e->component_count; i++) {
        RbAstComponent *c = &e->components[i];
        convert_exprs(v, c->dimensions, c->dimension_count);
        convert_mods_of(v, &c->mod, type, c->at);
        convert_expr(v, c->condition);
    }
}

// import Modelica.SIunits: the name stays as it was.
static void convert_import(const Convert *v, RbAstElement *e) {
    RbName last = e->type.count > 0 ? e->type.parts[e->type.count - 1] : NULL;
    bool global = e->type.global;
    e->type.global = true; // imports are full names
    const char *old = old_name(v, &e->type), *new = rb_converted_name(v->l, v->scope->c, old);
    e->type.global = global;
    if (!new) return;
    e->type.parts = split(v, new, &e->type.count);
    if (e->import != RB_IMPORT_QUALIFIED || e->type.parts[e->type.count - 1] == last) return;
    e->import = RB_IMPORT_RENAMED;
    e->alias = last;
}

static void convert_element(const Convert *v, RbAstElement *e) {
    switch (e->kind) {
        case RB_AST_ELEMENT_ERROR: break;
        case RB_AST_IMPORT: convert_import(v, e); break;
        case RB_AST_EXTENDS: {
            const char *type = convert_name(v, &e->type);
            convert_mods_of(v, &e->mod, type, e->at);
            break;
        }
        case RB_AST_CLASS: convert_class(v, e->class); break;
        case RB_AST_COMPONENTS: convert_components(v, e); break;
    }
    if (!e->constrained) return;
    const char *type = convert_name(v, &e->constraint);
    convert_mods_of(v, &e->constraint_mod, type, e->at);
}

// --- classes -------------------------------------------------------------------------------------

static void note_import(const Convert *v, Scope *s, const RbAstElement *e) {
    RbLibrary *l = v->l;
    const char *path = join(v, &e->type, 0) + (e->type.count > 0);
    RbName last = e->type.count > 0 ? e->type.parts[e->type.count - 1] : NULL;
    switch (e->import) {
        case RB_IMPORT_QUALIFIED:
            rb_map_set(&s->aliases, l->keep, rb_map_key(last), rb_map_key(path));
            break;
        case RB_IMPORT_RENAMED:
            rb_map_set(&s->aliases, l->keep, rb_map_key(e->alias), rb_map_key(path));
            break;
        case RB_IMPORT_ALL: rb_array_push(&s->wild, l->keep, path); break;
        case RB_IMPORT_LIST:
            for (int i = 0; i < e->import_count; i++)
                rb_map_set(&s->aliases, l->keep, rb_map_key(e->imports[i]),
                           rb_map_key(rb_arena_printf(l->keep, "%s.%s", path, e->imports[i])));
            break;
    }
}

static Scope *open_scope(const Convert *v, RbAstClass *class) {
    Scope *s = rb_new(v->l->keep, Scope);
    *s = (Scope){.c = v->scope->c, .around = v->scope->class ? v->scope : NULL, .class = class};
    Convert inner = {v->l, s};
    for (int i = 0; i < class->element_count; i++)
        if (class->elements[i]->kind == RB_AST_IMPORT) note_import(v, s, class->elements[i]);
    for (int i = 0; i < class->element_count; i++) {
        const RbAstElement *e = class->elements[i];
        bool typed = e->kind == RB_AST_EXTENDS || e->kind == RB_AST_COMPONENTS;
        const char *type = typed ? old_name(&inner, &e->type) : NULL;
        if (!type) continue;
        if (e->kind == RB_AST_EXTENDS) rb_array_push(&s->bases, v->l->keep, type);
        for (int k = 0; e->kind == RB_AST_COMPONENTS && k < e->component_count; k++)
            rb_map_set(&s->types, v->l->keep, rb_map_key(e->components[k].name), rb_map_key(type));
    }
    return s;
}

static void convert_class(const Convert *v, RbAstClass *class) {
    Scope *s = open_scope(v, class);
    Convert inner = {v->l, s};
    class->converted = s;
    if (class->specifier == RB_AST_SHORT || class->specifier == RB_AST_DERIVATIVE) {
        const char *type = convert_name(v, &class->type); // as seen from around
        convert_mods_of(v, &class->mod, type, class->at);
        convert_exprs(v, class->dimensions, class->dimension_count);
        return;
    }
    convert_mod(&inner, class->extends_mod, NULL);
    for (int i = 0; i < class->element_count; i++) convert_element(&inner, class->elements[i]);
    for (int i = 0; i < class->section_count; i++) {
        const RbAstSection *section = &class->sections[i];
        if (section->kind >= RB_AST_EQUATIONS)
            convert_equations(&inner, section->list, section->count);
    }
}

void rb_convert_class(RbLibrary *l, RbAstClass *class, const RbAstClass *around) {
    if (around->converted) {
        convert_class(&(Convert){l, around->converted}, class);
        return;
    }
    if (around != l->root) return;
    Scope top = {.c = rb_conversion_for(l, class)};
    if (top.c) convert_class(&(Convert){l, &top}, class);
}
