// SPDX-License-Identifier: MIT
// Modifications: which apply to an element, the strongest first.
#include <string.h>

#include "classes/class_parts.h"

RbMods rb_mods_join(RbArena *arena, RbMods strong, RbMods weak) {
    if (strong.count == 0) return weak;
    if (weak.count == 0) return strong;
    RbModifier *list = rb_new_array(arena, RbModifier, strong.count + weak.count);
    memcpy(list, strong.list, (size_t)strong.count * sizeof *list);
    memcpy(list + strong.count, weak.list, (size_t)weak.count * sizeof *list);
    return (RbMods){list, strong.count + weak.count};
}

RbMods rb_mods_with(RbArena *arena, RbMods strong, RbModifier weak) {
    RbModifier *copy = rb_new(arena, RbModifier);
    *copy = weak;
    return rb_mods_join(arena, strong, (RbMods){copy, 1});
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
    if (a->each) { // also further inside: ports[n](m_flow(each min = 0))
        m.sub_count -= m.last_subs;
        m.last_subs = 0;
    }
    return m;
}

// The next argument about a name from number k on; -1: there is none.
static int about(const RbAstMod *mod, RbName name, int k) {
    for (; k < mod->count; k++) {
        if (rb_ast_argument_name(&mod->arguments[k]) == name) return k;
    }
    return -1;
}

static int first_about(const RbAstMod *mod, RbName name) {
    if (!mod) return -1;
    if (!mod->by_name) return about(mod, name, 0);
    const uint64_t *first = rb_map_find(mod->by_name, rb_map_key(name));
    return first ? (int)*first - 1 : -1;
}

static int next_about(const RbAstMod *mod, RbName name, int k) {
    return mod->by_name ? mod->arguments[k].next_same - 1 : about(mod, name, k + 1);
}

// --- many with dots ------------------------------------------------------------------------------

// x.a = 1, x.b = 2, ...: entered one by one, each would be looked at for each component of x.
static bool is_dotted(const RbAstArgument *a) {
    return !a->element && !a->is_break && !a->each && !a->final && a->name.count > 1;
}

static int count_dotted(const RbAstMod *mod, RbName name) {
    int count = 0;
    for (int k = first_about(mod, name); k >= 0; k = next_about(mod, name, k))
        count += is_dotted(&mod->arguments[k]);
    return count;
}

// The same as x(a = 1, b = 2, ...).
static RbModifier enter_dotted(RbArena *arena, const RbModifier *outer, RbName name, int count) {
    RbAstMod *joint = rb_new(arena, RbAstMod);
    *joint =
        (RbAstMod){.parentheses = true, .arguments = rb_new_array(arena, RbAstArgument, count)};
    const RbAstMod *mod = outer->mod;
    for (int k = first_about(mod, name); k >= 0; k = next_about(mod, name, k)) {
        if (!is_dotted(&mod->arguments[k])) continue;
        RbAstArgument *a = &joint->arguments[joint->count++];
        *a = mod->arguments[k];
        a->name.parts++;
        a->name.count--;
        a->next_same = 0;
    }
    joint->at = joint->arguments[0].at;
    rb_ast_index_arguments(arena, joint);
    RbModifier m = *outer;
    m.mod = joint;
    m.at = joint->at;
    m.is_own = m.no_value = m.final = false;
    return m;
}

static bool gives_value(const RbModifier *m) {
    return m->mod && m->mod->value && !m->no_value;
}

enum { MANY = 16 };

// Counted first: these lists are made for every component of every instance.
RbMods rb_mods_of(RbArena *arena, RbMods mods, RbName name) {
    int count = 0;
    for (int i = 0; i < mods.count; i++) {
        const RbAstMod *mod = mods.list[i].mod;
        for (int k = first_about(mod, name); k >= 0; k = next_about(mod, name, k)) count++;
    }
    if (count == 0) return (RbMods){0};
    RbModifier *list = rb_new_array(arena, RbModifier, count);
    count = 0;
    bool covered = false;
    for (int i = 0; i < mods.count; i++) {
        const RbAstMod *mod = mods.list[i].mod;
        int dotted = count_dotted(mod, name);
        if (dotted > MANY) {
            list[count] = enter_dotted(arena, &mods.list[i], name, dotted);
            list[count++].is_covered |= covered;
        }
        for (int k = first_about(mod, name); k >= 0; k = next_about(mod, name, k)) {
            if (dotted > MANY && is_dotted(&mod->arguments[k])) continue;
            list[count] = enter_argument(arena, &mods.list[i], &mod->arguments[k]);
            list[count++].is_covered |= covered;
        }
        covered |= gives_value(&mods.list[i]);
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
const RbAstArgument *rb_mods_redeclaration(RbMods mods, RbName name, RbClassPart **scope) {
    for (int i = 0; i < mods.count; i++) {
        const RbAstMod *mod = mods.list[i].mod;
        for (int k = 0; mod && k < mod->count; k++) {
            const RbAstArgument *a = &mod->arguments[k];
            if (!a->element || rb_ast_argument_name(a) != name) continue;
            *scope = mods.list[i].scope;
            return a;
        }
    }
    return NULL;
}

// The modification of a constraining clause holds for the component it is written at and for all
// that replace it; without such a clause the declaration constrains. Never its value.
static RbMods with_constraint(RbClasses *c, RbMods mods, const RbElem *e, bool replaced) {
    const RbAstMod *mod = e->clause->constrained ? e->clause->constraint_mod
                          : replaced             ? e->component->mod
                                                 : NULL;
    if (!mod) return mods;
    return rb_mods_with(
        c->arena, mods,
        (RbModifier){.mod = mod, .scope = e->scope, .at = mod->at, .no_value = true});
}

static RbMods find_mods(RbClasses *c, const RbElem *e) {
    RbMods mods = rb_mods_of(c->arena, e->part->mods, e->name);
    // A redeclaration in a modification brings its own along in that; one in the body of a class
    // has it at the declaration.
    bool stands_here = !e->replaces || (e->clause->redeclare && e->scope == e->part);
    if (e->component && e->component->mod && stands_here) {
        RbModifier own = {.mod = e->component->mod,
                          .scope = e->scope,
                          .at = e->component->mod->at,
                          .final = !e->replaces && e->clause->final,
                          .is_own = true};
        mods = rb_mods_with(c->arena, mods, own);
    }
    if (e->component) mods = with_constraint(c, mods, e, false);
    for (const RbElem *old = e->replaces; old && old->component; old = old->replaces)
        mods = with_constraint(c, mods, old, true);
    return mods;
}

RbMods rb_elem_mods(RbClasses *c, RbElem *e) {
    if (!e->has_mods) e->mods = find_mods(c, e);
    e->has_mods = true;
    return e->mods;
}
