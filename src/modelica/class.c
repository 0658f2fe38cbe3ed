// SPDX-License-Identifier: MIT
#include "modelica/class.h"

#include <string.h>
#include <strings.h>

#include "base/assert.h"

enum { ELABORATION_LIMIT = 150 }; // classes that need each other, nested

// --- modifications -------------------------------------------------------------------------------

RbMods rb_mods_join(RbArena *arena, RbMods strong, RbMods weak) {
    if (strong.count == 0) return weak;
    if (weak.count == 0) return strong;
    RbModifier *list = rb_new_array(arena, RbModifier, strong.count + weak.count);
    memcpy(list, strong.list, (size_t)strong.count * sizeof *list);
    memcpy(list + strong.count, weak.list, (size_t)weak.count * sizeof *list);
    return (RbMods){list, strong.count + weak.count};
}

static RbMods join_one(RbArena *arena, RbMods strong, RbModifier weak) {
    RbModifier *copy = rb_new(arena, RbModifier);
    *copy = weak;
    return rb_mods_join(arena, strong, (RbMods){copy, 1});
}

static RbName redeclared_name(const RbAstArgument *a) {
    return a->element->kind == RB_AST_CLASS ? a->element->class->name
                                            : a->element->components[0].name;
}

// Modification of "x.y.z = 1" under the name x: the same as x(y.z = 1).
static const RbAstMod *without_first_name(RbArena *arena, const RbAstArgument *a) {
    RbAstMod *mod = rb_new(arena, RbAstMod);
    *mod = (RbAstMod){.at = a->at, .parentheses = true, .count = 1};
    mod->arguments = rb_new(arena, RbAstArgument);
    mod->arguments[0] = *a;
    mod->arguments[0].name.parts++;
    mod->arguments[0].name.count--;
    mod->arguments[0].each = false;
    return mod;
}

static RbModifier enter_argument(RbArena *arena, const RbModifier *outer, const RbAstArgument *a) {
    RbModifier m = *outer;
    m.at = a->at;
    m.is_own = m.no_value = false;
    m.final = a->final;
    if (a->element) {
        m.mod = a->element->kind == RB_AST_COMPONENTS ? a->element->components[0].mod : NULL;
    } else {
        m.mod = a->name.count > 1 ? without_first_name(arena, a) : a->mod;
        if (a->mod) m.at = a->mod->at;
    }
    if (a->each) m.sub_count -= m.last_subs;
    m.last_subs = 0;
    return m;
}

static bool is_about(const RbAstArgument *a, RbName name) {
    return !a->is_break && (a->element ? redeclared_name(a) : a->name.parts[0]) == name;
}

// Counted first: these lists are made for every component of every instance.
RbMods rb_mods_of(RbArena *arena, RbMods mods, RbName name) {
    int count = 0;
    for (int i = 0; i < mods.count; i++) {
        const RbAstMod *mod = mods.list[i].mod;
        for (int k = 0; mod && k < mod->count; k++) count += is_about(&mod->arguments[k], name);
    }
    if (count == 0) return (RbMods){0};
    RbModifier *list = rb_new_array(arena, RbModifier, count);
    count = 0;
    for (int i = 0; i < mods.count; i++) {
        const RbAstMod *mod = mods.list[i].mod;
        for (int k = 0; mod && k < mod->count; k++) {
            const RbAstArgument *a = &mod->arguments[k];
            if (is_about(a, name)) list[count++] = enter_argument(arena, &mods.list[i], a);
        }
    }
    return (RbMods){list, count};
}

bool rb_mods_redeclare(RbMods mods) {
    for (int i = 0; i < mods.count; i++) {
        const RbAstMod *mod = mods.list[i].mod;
        for (int k = 0; mod && k < mod->count; k++) {
            if (mod->arguments[k].element) return true;
        }
    }
    return false;
}

// The strongest redeclaration of a name in a list, with the scope it was written in.
static const RbAstArgument *find_redeclaration(RbMods mods, RbName name, RbClassPart **scope) {
    for (int i = 0; i < mods.count; i++) {
        const RbAstMod *mod = mods.list[i].mod;
        for (int k = 0; mod && k < mod->count; k++) {
            const RbAstArgument *a = &mod->arguments[k];
            if (!a->element || redeclared_name(a) != name) continue;
            *scope = mods.list[i].scope;
            return a;
        }
    }
    return NULL;
}

RbMods rb_elem_mods(RbClasses *c, const RbElem *e) {
    RbMods mods = rb_mods_of(c->arena, e->part->mods, e->name);
    if (!e->replaces && e->component) {
        if (!e->component->mod) return mods;
        RbModifier own = {.mod = e->component->mod,
                          .scope = e->scope,
                          .at = e->component->mod->at,
                          .final = e->clause->final,
                          .is_own = true};
        return join_one(c->arena, mods, own);
    }
    // A redeclaration in the body of a class has its modification at the declaration.
    if (e->clause->redeclare && e->scope == e->part && e->component && e->component->mod) {
        RbModifier own = {.mod = e->component->mod,
                          .scope = e->scope,
                          .at = e->component->mod->at,
                          .is_own = true};
        mods = join_one(c->arena, mods, own);
    }
    // What was redeclared constrains: its modifications stay, but not its value.
    for (const RbElem *old = e->replaces; old && old->component; old = old->replaces) {
        const RbAstMod *mod =
            old->clause->constrained ? old->clause->constraint_mod : old->component->mod;
        if (!mod) continue;
        mods = join_one(
            c->arena, mods,
            (RbModifier){.mod = mod, .scope = old->scope, .at = mod->at, .no_value = true});
    }
    return mods;
}

// --- making classes ------------------------------------------------------------------------------

static RbClass *new_class(RbClasses *c, RbAstClass *def, RbClassPart *enclosing, RbElem *element,
                          RbMods mods) {
    RbClass *class = rb_new(c->arena, RbClass);
    class->name = def->name;
    class->restriction = def->restriction;
    class->is_partial = def->partial;
    class->causality = RB_AST_ACAUSAL;
    const char *outer = enclosing ? enclosing->owner->full_name : "";
    class->full_name = *outer ? rb_arena_printf(c->arena, "%s.%s", outer, def->name) : def->name;
    class->root = rb_new(c->arena, RbClassPart);
    *class->root = (RbClassPart){
        .owner = class, .def = def, .enclosing = enclosing, .element = element, .mods = mods};
    return class;
}

static RbClass *builtin_type(RbClasses *c, const char *name, RbType type) {
    RbAstClass *def = rb_new(c->arena, RbAstClass);
    def->name = rb_intern(c->names, name);
    def->restriction = RB_KIND_TYPE;
    RbClass *class = new_class(c, def, NULL, NULL, (RbMods){0});
    class->is_type = type != RB_EXTERNAL;
    class->is_external_object = type == RB_EXTERNAL;
    class->type = type;
    class->state = RB_CLASS_READY;
    RbElem *e = rb_new(c->arena, RbElem);
    *e = (RbElem){.name = def->name,
                  .owner = c->top,
                  .part = c->top->root,
                  .scope = c->top->root,
                  .class = class};
    RbAstElement *clause = rb_new(c->arena, RbAstElement);
    clause->kind = RB_AST_CLASS;
    clause->class = def;
    e->clause = clause;
    rb_map_set(&c->top->elems, c->arena, rb_map_key(def->name), (uint64_t)(uintptr_t)e);
    return class;
}

static const char predefined[] =
    "type StateSelect = enumeration(never, avoid, default, prefer, always);\n"
    "type AssertionLevel = enumeration(warning, error);\n";

RbClasses *rb_classes(RbLibrary *library) {
    RbClasses *c = rb_new(library->keep, RbClasses);
    *c = (RbClasses){
        .library = library, .names = library->names, .arena = library->keep, .diag = library->diag};
    c->top = new_class(c, library->root, NULL, NULL, (RbMods){0});
    c->top->state = RB_CLASS_READY;
    if (!rb_library_find(library, library->root, rb_intern(library->names, "AssertionLevel"))) {
        rb_library_add_text(library, "predefined", predefined, sizeof predefined - 1, NULL);
    }
    c->real = builtin_type(c, "Real", RB_REAL);
    c->integer = builtin_type(c, "Integer", RB_INTEGER);
    c->boolean = builtin_type(c, "Boolean", RB_BOOLEAN);
    c->string = builtin_type(c, "String", RB_STRING);
    c->external_object = builtin_type(c, "ExternalObject", RB_EXTERNAL);
    return c;
}

RbClass *rb_class_specialised(RbClasses *c, RbClass *class, RbMods mods) {
    RbClassPart *root = class->root;
    RbClass *special = new_class(c, root->def, root->enclosing, root->element,
                                 rb_mods_join(c->arena, mods, root->mods));
    special->full_name = class->full_name;
    special->similar = class;
    return special;
}

// --- inheritance ---------------------------------------------------------------------------------

static RbElem *find_here(RbClasses *c, RbClassPart *part, RbName name);
static RbElem *lookup_for_base(RbClasses *c, RbClassPart *scope, RbName name);
static RbClass *lookup_class_with(RbClasses *c, RbClassPart *scope, const RbAstName *name,
                                  const char *purpose,
                                  RbElem *(*first)(RbClasses *, RbClassPart *, RbName));
static void elaborate_part(RbClasses *c, RbClassPart *part);

static bool is_own_base(const RbClassPart *part, const RbAstClass *def) {
    for (const RbClassPart *p = part; p; p = p->derived) {
        if (p->def == def) return true;
    }
    return false;
}

static void note_broken(const RbClassPart *part) {
    part->owner->broken = true;
}

// Inherit from a predefined type: the class becomes a type, its modifications are attributes.
static void inherit_type(RbClasses *c, RbClassPart *part, RbClass *base, RbMods mods) {
    RbClass *class = part->owner;
    class->is_type = base->is_type;
    class->is_external_object = base->is_external_object;
    class->type = base->type;
    for (int i = 0; i < mods.count; i++) rb_array_push(&class->type_mods, c->arena, mods.list[i]);
}

static void add_base(RbClasses *c, RbClassPart *part, RbClass *base, RbMods mods, bool is_protected,
                     RbPos at) {
    if (base->state == RB_CLASS_READY && !base->root->enclosing && base != c->top &&
        (base->is_type || base->is_external_object) && base->root->def->specifier == RB_AST_LONG &&
        base->root->def->element_count == 0 && base->type != RB_ENUM) {
        inherit_type(c, part, base, mods); // Real, Integer, ... themselves
        return;
    }
    if (is_own_base(part, base->root->def)) {
        note_broken(part);
        rb_fail(c->diag, RB_ERROR_MODEL, at,
                part->def == base->root->def ? "'%s' extends itself"
                                             : "'%s' extends itself over '%s'",
                base->name, part->def->name);
        return;
    }
    RbClassPart *p = rb_new(c->arena, RbClassPart);
    *p = (RbClassPart){.owner = part->owner,
                       .def = base->root->def,
                       .enclosing = base->root->enclosing,
                       .element = base->root->element,
                       .derived = part,
                       .is_protected = part->is_protected || is_protected,
                       .mods = rb_mods_join(c->arena, mods, base->root->mods)};
    rb_array_push(&part->bases, c->arena, p);
    elaborate_part(c, p);
}

static void elaborate_extends(RbClasses *c, RbClassPart *part, RbAstElement *e) {
    RbClass *base = lookup_class_with(c, part, &e->type, "base class", lookup_for_base);
    if (!base) {
        note_broken(part);
        return;
    }
    RbMods mods = part->mods;
    if (e->mod) {
        mods =
            join_one(c->arena, mods, (RbModifier){.mod = e->mod, .scope = part, .at = e->mod->at});
        for (int i = 0; i < e->mod->count; i++) {
            if (e->mod->arguments[i].is_break) {
                rb_array_push(&part->owner->root->broken, c->arena,
                              (const RbAstArgument *)&e->mod->arguments[i]);
            }
        }
    }
    add_base(c, part, base, mods, e->is_protected, e->at);
}

static void elaborate_short(RbClasses *c, RbClassPart *part) {
    RbAstClass *def = part->def;
    RbClassPart *scope = part->enclosing;
    RbClass *base = rb_lookup_class(c, scope ? scope : c->top->root, &def->type, "class");
    if (!base) {
        note_broken(part);
        return;
    }
    if (part->owner->causality == RB_AST_ACAUSAL) part->owner->causality = def->causality;
    if (part->owner->restriction == RB_KIND_CLASS || part->owner->restriction == RB_KIND_TYPE ||
        part->owner->restriction == RB_KIND_MODEL) {
        part->owner->restriction =
            base->restriction == RB_KIND_CLASS ? part->owner->restriction : base->restriction;
    }
    if (base->restriction == RB_KIND_EXPANDABLE_CONNECTOR)
        part->owner->restriction = base->restriction;
    if (rb_class_is_record(base)) part->owner->is_record = true;
    if (base->restriction == RB_KIND_OPERATOR_RECORD &&
        part->owner->restriction == RB_KIND_RECORD) {
        part->owner->restriction = base->restriction;
    }
    if (def->dimension_count > 0) {
        rb_array_push(
            &part->owner->dimensions, c->arena,
            (RbDimensions){def->dimensions, def->dimension_count, scope ? scope : c->top->root});
    }
    RbMods mods = part->mods;
    if (def->mod) {
        mods = join_one(c->arena, mods,
                        (RbModifier){.mod = def->mod,
                                     .scope = scope ? scope : c->top->root,
                                     .at = def->mod->at});
    }
    add_base(c, part, base, mods, false, def->at);
}

// model extends X(...): the base class is the X that this one replaces.
static void elaborate_class_extends(RbClasses *c, RbClassPart *part) {
    RbAstClass *def = part->def;
    RbElem *old = part->element ? part->element->replaces : NULL;
    RbClass *base = old ? rb_elem_class(c, old) : NULL;
    if (!base) {
        note_broken(part);
        rb_fail(c->diag, RB_ERROR_MODEL, def->at, "there is no inherited class '%s' to extend",
                def->name);
        return;
    }
    RbMods mods = part->mods;
    if (def->extends_mod) {
        mods = join_one(
            c->arena, mods,
            (RbModifier){.mod = def->extends_mod, .scope = part, .at = def->extends_mod->at});
    }
    if (base->restriction != RB_KIND_CLASS) part->owner->restriction = base->restriction;
    add_base(c, part, base, mods, false, def->at);
}

static void elaborate_part(RbClasses *c, RbClassPart *part) {
    RbAstClass *def = part->def;
    switch (def->specifier) {
        case RB_AST_SHORT: elaborate_short(c, part); return;
        case RB_AST_ENUMERATION:
            part->owner->is_type = true;
            part->owner->type = RB_ENUM;
            part->owner->enumeration = def;
            for (int i = 0; i < part->mods.count; i++) {
                rb_array_push(&part->owner->type_mods, c->arena, part->mods.list[i]);
            }
            return;
        case RB_AST_DERIVATIVE:
            note_broken(part);
            rb_fail(c->diag, RB_ERROR_MODEL, def->at,
                    "a function as partial derivative of another one ('%s = der(...)') is not "
                    "supported",
                    def->name);
            return;
        case RB_AST_LONG_EXTENDS: elaborate_class_extends(c, part); break;
        case RB_AST_LONG: break;
    }
    RbAstIndex *index = rb_library_index(c->library, def);
    for (int i = 0; i < index->extends.count; i++)
        elaborate_extends(c, part, index->extends.data[i]);
}

bool rb_class_ready(RbClasses *c, RbClass *class) {
    if (class->state != RB_CLASS_NEW) return !class->broken;
    if (c->depth >= ELABORATION_LIMIT) {
        class->broken = true;
        rb_fail(c->diag, RB_ERROR_MODEL, class->root->def->at,
                "more than %d classes need each other here, '%s' among them", ELABORATION_LIMIT,
                class->full_name);
        return false;
    }
    class->state = RB_CLASS_BUSY;
    c->depth++;
    elaborate_part(c, class->root);
    c->depth--;
    class->state = RB_CLASS_READY;
    return !class->broken;
}

// --- elements ------------------------------------------------------------------------------------

static RbElem *get_elem(const RbClass *class, RbName name) {
    uint64_t *found = rb_map_find(&class->elems, rb_map_key(name));
    return found ? (RbElem *)(uintptr_t)*found : NULL;
}

static RbElem *find_in_bases(RbClasses *c, RbClassPart *part, RbName name);

// A redeclaration in a modification from outside takes the place of the element.
static RbElem *apply_redeclaration(RbClasses *c, RbElem *e) {
    RbClassPart *scope;
    const RbAstArgument *a = find_redeclaration(e->part->mods, e->name, &scope);
    if (!a) return e;
    bool is_class = a->element->kind == RB_AST_CLASS;
    if (is_class != !e->component) {
        rb_fail(c->diag, RB_ERROR_MODEL, a->at, "'%s' is %s and cannot be redeclared as %s",
                e->name, e->component ? "a component" : "a class",
                is_class ? "a class" : "a component");
        return e;
    }
    if (!e->clause->replaceable && a->element->redeclare && !e->clause->redeclare) {
        rb_warn(c->diag, a->at, "'%s' is redeclared, but it is not declared replaceable", e->name);
    }
    RbElem *new = rb_new(c->arena, RbElem);
    *new = *e;
    new->scope = scope;
    new->clause = a->element;
    new->component = is_class ? NULL : &a->element->components[0];
    new->replaces = e;
    new->class = NULL;
    return new;
}

static RbElem *make_elem(RbClasses *c, RbClassPart *part, RbName name, const RbAstEntry *entry) {
    RbElem *e = rb_new(c->arena, RbElem);
    const RbAstElement *clause = entry->element;
    *e =
        (RbElem){.name = name, .owner = part->owner, .part = part, .scope = part, .clause = clause};
    e->component = clause->kind == RB_AST_COMPONENTS ? &clause->components[entry->component] : NULL;
    bool extends_class = !e->component && clause->class->specifier == RB_AST_LONG_EXTENDS;
    if (clause->redeclare || extends_class) {
        e->replaces = find_in_bases(c, part, name);
        if (!e->replaces) {
            rb_fail(c->diag, RB_ERROR_MODEL, clause->at,
                    "'%s' is redeclared, but no base class has an element of this name", name);
            e->broken = extends_class;
        }
    }
    return apply_redeclaration(c, e);
}

static bool is_broken_out(const RbClassPart *part, RbName name) {
    const RbClassPart *root = part->owner->root;
    for (int i = 0; i < root->broken.count; i++) {
        const RbAstArgument *a = root->broken.data[i];
        if (!a->broken_connect && a->name.parts[0] == name && part != root) return true;
    }
    return false;
}

static RbElem *find_here(RbClasses *c, RbClassPart *part, RbName name) {
    const RbAstEntry *entry = rb_library_find(c->library, part->def, name);
    if (!entry || is_broken_out(part, name)) return NULL;
    // The map holds the most derived one; another part of the same class may declare the name
    // again.
    RbElem *known = get_elem(part->owner, name);
    if (known && (known->part == part)) return known;
    RbElem *e = make_elem(c, part, name, entry);
    if (!known) rb_map_set(&part->owner->elems, c->arena, rb_map_key(name), (uint64_t)(uintptr_t)e);
    return e;
}

static RbElem *find_in_bases(RbClasses *c, RbClassPart *part, RbName name) {
    for (int i = 0; i < part->bases.count; i++) {
        RbClassPart *base = part->bases.data[i];
        const RbAstEntry *entry = rb_library_find(c->library, base->def, name);
        if (entry && !is_broken_out(base, name)) return make_elem(c, base, name, entry);
        RbElem *e = find_in_bases(c, base, name);
        if (e) return e;
    }
    return NULL;
}

// Is the name an element of this part or of one it extends?
static bool is_visible(RbClasses *c, RbClassPart *part, RbName name) {
    if (rb_library_find(c->library, part->def, name)) return true;
    for (int i = 0; i < part->bases.count; i++) {
        if (is_visible(c, part->bases.data[i], name)) return true;
    }
    return false;
}

static RbElem *find_below(RbClasses *c, RbClassPart *part, RbName name) {
    RbElem *e = find_here(c, part, name);
    for (int i = 0; !e && i < part->bases.count; i++) e = find_below(c, part->bases.data[i], name);
    return e;
}

RbElem *rb_class_elem(RbClasses *c, RbClass *class, RbName name) {
    RbElem *e = get_elem(class, name);
    if (e) return e;
    rb_class_ready(c, class);
    return find_below(c, class->root, name);
}

RbClass *rb_elem_class(RbClasses *c, RbElem *e) {
    if (e->class || e->broken) return e->class;
    if (e->resolving) {
        e->broken = true;
        rb_fail(c->diag, RB_ERROR_MODEL, e->component ? e->component->at : e->clause->at,
                "the definition of '%s' needs itself", e->name);
        return NULL;
    }
    e->resolving = true;
    if (e->component) {
        e->class = rb_lookup_class(c, e->scope, &e->clause->type, "class");
    } else {
        RbMods mods = rb_mods_of(c->arena, e->part->mods, e->name);
        if (e->replaces && e->replaces->clause->constraint_mod) {
            mods = join_one(c->arena, mods,
                            (RbModifier){.mod = e->replaces->clause->constraint_mod,
                                         .scope = e->replaces->scope,
                                         .at = e->replaces->clause->at});
        }
        e->class =
            new_class(c, e->clause->class, e->scope == c->top->root ? NULL : e->scope, e, mods);
    }
    e->resolving = false;
    if (!e->class) e->broken = true;
    return e->class;
}

static void list_part(RbClasses *c, RbClassPart *part) {
    RbClass *class = part->owner;
    const RbAstClass *def = part->def;
    for (int i = 0; i < part->bases.count; i++) list_part(c, part->bases.data[i]);
    for (int i = 0; i < def->element_count; i++) {
        const RbAstElement *clause = def->elements[i];
        for (int k = 0; clause->kind == RB_AST_COMPONENTS && k < clause->component_count; k++) {
            RbElem *e = rb_class_elem(c, class, clause->components[k].name);
            if (!e || !e->component || e->number > 0) continue;
            rb_array_push(&class->components, c->arena, e);
            e->number = class->components.count; // from 1
        }
    }
    for (int i = 0; i < def->section_count; i++) {
        if (def->sections[i].kind < RB_AST_EQUATIONS) continue;
        rb_array_push(&class->sections, c->arena, (RbSectionRef){&def->sections[i], part});
    }
}

void rb_class_list(RbClasses *c, RbClass *class) {
    if (class->listed) return;
    class->listed = true;
    rb_class_ready(c, class);
    list_part(c, class->root);
}

// --- lookup --------------------------------------------------------------------------------------

// import clauses of the class text; these are not inherited.
static RbElem *find_import(RbClasses *c, RbClassPart *part, RbName name) {
    RbAstIndex *index = rb_library_index(c->library, part->def);
    for (int i = 0; i < index->imports.count; i++) {
        const RbAstElement *e = index->imports.data[i];
        RbAstName path = e->type;
        bool match = false;
        switch (e->import) {
            case RB_IMPORT_QUALIFIED: match = path.parts[path.count - 1] == name; break;
            case RB_IMPORT_RENAMED: match = e->alias == name; break;
            case RB_IMPORT_LIST:
                for (int k = 0; k < e->import_count; k++) match = match || e->imports[k] == name;
                break;
            case RB_IMPORT_ALL: break;
        }
        if (!match) continue;
        if (e->import == RB_IMPORT_QUALIFIED || e->import == RB_IMPORT_RENAMED) path.count--;
        RbName last = e->import == RB_IMPORT_LIST ? name : e->type.parts[e->type.count - 1];
        RbClass *package =
            path.count > 0 ? rb_lookup_class(c, c->top->root, &path, "imported package") : c->top;
        RbElem *found = package ? rb_class_elem(c, package, last) : NULL;
        if (found) return found;
    }
    for (int i = 0; i < index->imports.count; i++) {
        const RbAstElement *e = index->imports.data[i];
        if (e->import != RB_IMPORT_ALL) continue;
        RbClass *package = rb_lookup_class(c, c->top->root, &e->type, "imported package");
        RbElem *found = package && package != part->owner ? rb_class_elem(c, package, name) : NULL;
        if (found && !found->clause->is_protected) return found;
    }
    return NULL;
}

static RbElem *find_in_scope(RbClasses *c, RbClassPart *part, RbName name, bool inherited) {
    if (rb_library_find(c->library, part->def, name)) {
        return inherited ? rb_class_elem(c, part->owner, name) : find_here(c, part, name);
    }
    if (inherited) {
        rb_class_ready(c, part->owner);
        for (int i = 0; i < part->bases.count; i++) {
            if (is_visible(c, part->bases.data[i], name))
                return rb_class_elem(c, part->owner, name);
        }
    }
    return find_import(c, part, name);
}

static RbElem *lookup_outwards(RbClasses *c, RbClassPart *scope, RbName name, bool inherited) {
    for (RbClassPart *p = scope; p && p != c->top->root; p = p->enclosing) {
        RbElem *e = find_in_scope(c, p, name, inherited);
        if (e) return e;
        inherited = true;
        if (p->def->encapsulated) {
            // Only what is predefined can be seen from inside.
            RbElem *top = get_elem(c->top, name);
            bool known = top && (top->clause->at.file == NULL ||
                                 strcmp(top->clause->class->at.file, "predefined") == 0);
            return known ? top : NULL;
        }
    }
    return rb_class_elem(c, c->top, name);
}

RbElem *rb_lookup(RbClasses *c, RbClassPart *scope, RbName name) {
    uint64_t *known = rb_map_find(&scope->cache, rb_map_key(name));
    if (known) return (RbElem *)(uintptr_t)*known;
    RbElem *e = lookup_outwards(c, scope, name, true);
    if (scope->owner->state == RB_CLASS_READY) {
        rb_map_set(&scope->cache, c->arena, rb_map_key(name), (uint64_t)(uintptr_t)e);
    }
    return e;
}

// The name of a base class may not be inherited itself.
static RbElem *lookup_for_base(RbClasses *c, RbClassPart *scope, RbName name) {
    return lookup_outwards(c, scope, name, false);
}

static RbClass *lookup_class_with(RbClasses *c, RbClassPart *scope, const RbAstName *name,
                                  const char *purpose,
                                  RbElem *(*first)(RbClasses *, RbClassPart *, RbName)) {
    RbElem *e =
        name->global ? rb_class_elem(c, c->top, name->parts[0]) : first(c, scope, name->parts[0]);
    RbText text = rb_text(c->arena);
    rb_ast_print_name(name, &text);
    if (!e && name->count == 1 && strcmp(name->parts[0], "Clock") == 0) {
        rb_fail(c->diag, RB_ERROR_MODEL, name->at,
                "clocks (synchronous language elements) are not supported");
        return NULL;
    }
    if (!e) {
        rb_fail(c->diag, RB_ERROR_MODEL, name->at, "%s '%s' is unknown%s", purpose, text.data,
                name->count == 1
                    ? rb_near_name(c, scope, name->parts[0])
                    : rb_arena_printf(c->arena, ": there is no '%s' here%s", name->parts[0],
                                      rb_near_name(c, scope, name->parts[0])));
        return NULL;
    }
    for (int i = 0;; i++) {
        if (e->component && i + 1 < name->count && rb_class_is_connector(c->top)) return NULL;
        if (e->component) {
            rb_fail(c->diag, RB_ERROR_MODEL, name->at,
                    "'%s' is a component, but a class is needed here", text.data);
            return NULL;
        }
        RbClass *class = rb_elem_class(c, e);
        if (!class || i + 1 == name->count) return class;
        RbElem *next = rb_class_elem(c, class, name->parts[i + 1]);
        if (!next) {
            if (class->broken) return NULL; // reported
            rb_fail(c->diag, RB_ERROR_MODEL, name->at, "%s '%s' is unknown: '%s' has no '%s'%s",
                    purpose, text.data, class->full_name, name->parts[i + 1],
                    rb_near_element(c, class, name->parts[i + 1]));
            return NULL;
        }
        e = next;
    }
}

RbClass *rb_lookup_class(RbClasses *c, RbClassPart *scope, const RbAstName *name,
                         const char *purpose) {
    return lookup_class_with(c, scope, name, purpose, rb_lookup);
}

// --- near names ----------------------------------------------------------------------------------

typedef struct Nearest {
    RbName wanted, name;
    int distance;
} Nearest;

static void try_name(Nearest *n, RbName candidate) {
    bool same_letters = strcasecmp(n->wanted, candidate) == 0;
    int distance = same_letters ? 0 : rb_text_edit_distance(n->wanted, candidate, n->distance);
    if (distance >= n->distance || candidate == n->wanted) return;
    n->distance = distance;
    n->name = candidate;
}

static void try_part(RbClasses *c, Nearest *n, RbClassPart *part) {
    RbAstIndex *index = rb_library_index(c->library, part->def);
    for (int i = 0; i < index->names.entries.count; i++) {
        try_name(n, (RbName)(uintptr_t)index->names.entries.data[i].key);
    }
    for (int i = 0; i < index->imports.count; i++) {
        const RbAstElement *e = index->imports.data[i];
        if (e->import == RB_IMPORT_RENAMED) try_name(n, e->alias);
        if (e->import == RB_IMPORT_QUALIFIED) try_name(n, e->type.parts[e->type.count - 1]);
    }
    for (int i = 0; i < part->bases.count; i++) try_part(c, n, part->bases.data[i]);
}

static Nearest nearest_to(RbName name) {
    int length = (int)strlen(name);
    return (Nearest){.wanted = name, .distance = length <= 2 ? 1 : length <= 5 ? 2 : 3};
}

static const char *suggestion(RbClasses *c, const Nearest *n) {
    return n->name ? rb_arena_printf(c->arena, "; did you mean '%s'?", n->name) : "";
}

const char *rb_near_name(RbClasses *c, RbClassPart *scope, RbName name) {
    Nearest n = nearest_to(name);
    for (RbClassPart *p = scope; p; p = p->enclosing) try_part(c, &n, p);
    try_part(c, &n, c->top->root);
    for (int i = 0; i < c->top->elems.entries.count; i++) {
        try_name(&n, (RbName)(uintptr_t)c->top->elems.entries.data[i].key);
    }
    return suggestion(c, &n);
}

const char *rb_near_element(RbClasses *c, RbClass *class, RbName name) {
    Nearest n = nearest_to(name);
    rb_class_ready(c, class);
    try_part(c, &n, class->root);
    return suggestion(c, &n);
}

// --- annotations ---------------------------------------------------------------------------------

static const RbAstArgument *find_argument(const RbAstMod *mod, const char *name) {
    for (int i = 0; mod && i < mod->count; i++) {
        const RbAstArgument *a = &mod->arguments[i];
        if (!a->element && a->name.count == 1 && strcmp(a->name.parts[0], name) == 0) return a;
    }
    return NULL;
}

const RbAstExpr *rb_annotation(const RbAstMod *annotation, const char *name) {
    const RbAstArgument *a = find_argument(annotation, name);
    return a && a->mod ? a->mod->value : NULL;
}

const RbAstMod *rb_annotation_group(const RbAstMod *annotation, const char *name) {
    const RbAstArgument *a = find_argument(annotation, name);
    return a ? a->mod : NULL;
}

bool rb_annotation_is_true(const RbAstMod *annotation, const char *name) {
    const RbAstExpr *value = rb_annotation(annotation, name);
    return value && value->kind == RB_AST_TRUE;
}

static const RbAstArgument *part_annotation(const RbClassPart *part, const char *name) {
    const RbAstArgument *a = find_argument(part->def->annotation, name);
    for (int i = 0; !a && i < part->bases.count; i++)
        a = part_annotation(part->bases.data[i], name);
    return a;
}

const RbAstExpr *rb_class_annotation(RbClasses *c, RbClass *class, const char *name) {
    rb_class_ready(c, class);
    const RbAstArgument *a = part_annotation(class->root, name);
    return a && a->mod ? a->mod->value : NULL;
}

const RbAstMod *rb_class_annotation_group(RbClasses *c, RbClass *class, const char *name) {
    rb_class_ready(c, class);
    const RbAstArgument *a = part_annotation(class->root, name);
    return a ? a->mod : NULL;
}
