// SPDX-License-Identifier: MIT
// Instances: the tree of components.
#include <string.h>

#include "flatten/inst.h"

enum { INSTANCE_LIMIT = 100 };

RbInst *rb_inst_new(RbFrontEnd *fe, RbInst *parent, RbClass *class, RbElem *elem, RbName path) {
    RbInst *i = rb_new(fe->work, RbInst);
    i->parent = parent;
    i->class = class;
    i->elem = elem;
    i->path = path;
    i->var = -1;
    i->is_static = parent && parent->is_static;
    return i;
}

static void list_children(RbFrontEnd *fe, RbInst *inst) {
    rb_class_list(fe->classes, inst->class);
    inst->children = rb_new_array(fe->work, RbInst *, inst->class->components.count + 1);
}

RbInst *rb_inst_root(RbFrontEnd *fe, RbClass *class) {
    RbInst *root = rb_inst_new(fe, NULL, class, NULL, rb_intern(fe->names, ""));
    list_children(fe, root);
    return root;
}

RbInst *rb_inst_static(RbFrontEnd *fe, RbClass *class) {
    if (class->instance) return class->instance;
    RbInst *i = rb_inst_new(fe, NULL, class, NULL, rb_intern(fe->names, class->full_name));
    i->is_static = true;
    class->instance = i;
    list_children(fe, i);
    return i;
}

RbInst *rb_inst_context(RbFrontEnd *fe, RbInst *inst, RbClass *owner) {
    for (RbInst *i = inst; i; i = i->parent) {
        if (i->class == owner && i->kind == RB_INST_COMPONENT) return i;
    }
    return rb_inst_static(fe, owner);
}

RbPlace rb_inst_place(RbFrontEnd *fe, RbInst *inst, RbClassPart *scope) {
    return (RbPlace){.inst = rb_inst_context(fe, inst, scope->owner), .scope = scope};
}

// --- making --------------------------------------------------------------------------------------

RbName rb_inst_path(RbFrontEnd *fe, const RbInst *parent, RbName name) {
    if (!*parent->path) return name;
    size_t a = strlen(parent->path), b = strlen(name);
    char buffer[256];
    char *text = a + b + 2 <= sizeof buffer ? buffer : rb_arena_push(fe->work, a + b + 2, 1);
    memcpy(text, parent->path, a);
    text[a] = '.';
    memcpy(text + a + 1, name, b);
    return rb_intern_bytes(fe->names, text, a + b + 1);
}

// Elements that only the class itself may modify.
static void check_modified(RbFrontEnd *fe, const RbInst *i, const RbElem *e, RbPos at) {
    if (!e || i->is_static) return;
    if (rb_elem_is_protected(e))
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "'%s' is protected in '%s' and cannot be modified from outside", e->name,
                i->class->full_name);
    else if (e->clause->outer && !e->clause->inner)
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "'%s' is outer in '%s' and cannot be modified; modify the inner one", e->name,
                i->class->full_name);
}

static void check_modifications(RbFrontEnd *fe, RbInst *i) {
    if (i->checked) return;
    i->checked = true;
    for (int k = 0; k < i->mods.count; k++) {
        const RbAstMod *mod = i->mods.list[k].mod;
        for (int n = 0; mod && n < mod->count; n++) {
            const RbAstArgument *a = &mod->arguments[n];
            if (a->is_break || a->element) continue;
            RbElem *e = rb_class_elem(fe->classes, i->class, a->name.parts[0]);
            check_modified(fe, i, e, a->at);
            if (!e && !i->class->broken && !rb_class_lacks(fe->classes, i->class, a)) {
                rb_fail(fe->diag, RB_ERROR_MODEL, a->at,
                        "'%s' has no element '%s' that could be modified%s", i->class->full_name,
                        a->name.parts[0], rb_near_element(fe->classes, i->class, a->name.parts[0]));
            }
        }
    }
}

static RbMods with_subs(RbFrontEnd *fe, RbMods mods, const int *subs, int rank) {
    RbModifier *list = rb_new_array(fe->work, RbModifier, mods.count);
    for (int i = 0; i < mods.count; i++) {
        list[i] = mods.list[i];
        int *all = rb_new_array(fe->work, int, list[i].sub_count + rank);
        if (list[i].sub_count > 0)
            memcpy(all, list[i].subs, (size_t)list[i].sub_count * sizeof(int));
        memcpy(all + list[i].sub_count, subs, (size_t)rank * sizeof(int));
        list[i].subs = all;
        list[i].sub_count += rank;
        list[i].last_subs = rank;
    }
    return (RbMods){list, mods.count};
}

// The class of a component, with the redeclarations in its modifications. These then live in the
// class.
static RbClass *specialise(RbFrontEnd *fe, RbClass *class, RbMods *mods) {
    if (!rb_mods_redeclare(*mods)) return class;
    RbClass *special = rb_class_specialised(fe->classes, class, *mods);
    if (!rb_class_ready(fe->classes, special)) return NULL;
    // Values for the component as a whole stay with the instance.
    RbModifier *list = rb_new_array(fe->arena, RbModifier, mods->count);
    int count = 0;
    for (int i = 0; i < mods->count; i++) {
        if (!mods->list[i].mod || !mods->list[i].mod->value) continue;
        RbAstMod *value = rb_new(fe->arena, RbAstMod);
        *value = (RbAstMod){.at = mods->list[i].mod->at, .value = mods->list[i].mod->value};
        list[count] = mods->list[i];
        list[count++].mod = value;
    }
    *mods = (RbMods){list, count};
    return special;
}

static void make_component(RbFrontEnd *fe, RbInst *i) {
    i->kind = RB_INST_COMPONENT;
    RbClass *class = specialise(fe, i->class, &i->mods);
    if (!class) {
        i->kind = RB_INST_BROKEN;
        return;
    }
    if (class->restriction == RB_KIND_EXPANDABLE_CONNECTOR && !i->is_static) {
        // Connections add members to this instance alone.
        class = rb_class_specialised(fe->classes, class, (RbMods){0});
        fe->has_buses = true;
    }
    i->class = class;
    list_children(fe, i);
    check_modifications(fe, i);
}

static bool count_items(RbFrontEnd *fe, RbInst *array) {
    array->count = rb_size_product(array->rank, array->dims);
    if (array->count >= 0) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, array->elem->component->at, "'%s' has more than %d elements",
            array->path, RB_SIZE_MAX);
    return false;
}

// The item with a number, counted from 0 row by row.
static RbInst *make_item(RbFrontEnd *fe, const RbInst *array, int number) {
    RbInst *item = rb_inst_new(fe, array->parent, array->class, array->elem, NULL);
    for (int k = array->rank - 1; k >= 0; k--) {
        item->subs[k] = number % array->dims[k] + 1;
        number /= array->dims[k];
    }
    RbText name = rb_text(fe->work);
    rb_text_add(&name, array->path);
    for (int k = 0; k < array->rank; k++)
        rb_text_printf(&name, "%c%d", k == 0 ? '[' : ',', item->subs[k]);
    rb_text_add(&name, "]");
    item->path = rb_intern(fe->names, name.data);
    item->is_item = true;
    item->sub_count = array->rank;
    item->variability = array->variability;
    item->causality = array->causality;
    item->flow = array->flow;
    item->is_protected = array->is_protected;
    item->mods = with_subs(fe, array->mods, item->subs, array->rank);
    make_component(fe, item);
    return item;
}

static void make_items(RbFrontEnd *fe, RbInst *array) {
    array->kind = RB_INST_ARRAY;
    array->items = rb_new_array(fe->work, RbInst *, array->count + 1);
    for (int n = 0; n < array->count; n++) array->items[n] = make_item(fe, array, n);
}

static bool is_absent(RbFrontEnd *fe, RbInst *parent, RbElem *e, bool *broken) {
    const RbAstExpr *condition = e->component->condition;
    const RbElem *original = e;
    while (!condition && original->replaces) {
        original = original->replaces;
        condition = original->component->condition;
    }
    if (!condition) return false;
    RbPlace ctx = rb_inst_place(fe, parent, original->scope);
    RbVal v = rb_lower_expr(fe, &ctx, condition);
    RbExprValue value;
    if (v.kind == RB_VAL_ERROR) {
        *broken = true;
        return false;
    }
    if (v.kind != RB_VAL_EXPR || v.type != RB_BOOLEAN || v.rank > 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, condition->at,
                "the condition of '%s' is %s; it must be Boolean", e->name,
                rb_val_type_name(fe, &v));
        *broken = true;
        return false;
    }
    const char *what = rb_arena_printf(fe->work, "the condition of '%s'", e->name);
    if (!rb_val_evaluate(fe, &v, &value, condition->at, what)) {
        *broken = true;
        return false;
    }
    return value.data[0] == 0;
}

static bool is_recursive(const RbInst *parent, const RbClass *class) {
    for (const RbInst *p = parent; p; p = p->parent) {
        if (p->class->root->def == class->root->def && p->elem && !class->is_type) return true;
    }
    return false;
}

static bool check_class(RbFrontEnd *fe, const RbInst *parent, const RbElem *e, RbClass *class) {
    RbPos at = e->clause->type.at;
    if (is_recursive(parent, class) ||
        (fe->root && !parent->is_static && class->root->def == fe->root->class->root->def)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' contains itself through the component '%s'",
                class->full_name, e->name);
        return false;
    }
    if (class->restriction == RB_KIND_PACKAGE ||
        (rb_class_is_function(class) && !parent->is_static)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "'%s' is a %s; there cannot be a component '%s' of it", class->full_name,
                rb_restriction_name(class->restriction), e->name);
        return false;
    }
    if (class->is_partial && !e->clause->outer && !parent->is_static) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "'%s' is partial; the component '%s' needs a complete class%s", class->full_name,
                e->name, e->clause->replaceable ? " (redeclare it)" : "");
        return false;
    }
    return true;
}

// All but the parent's place for it: kind, size, and what is below.
static void make(RbFrontEnd *fe, RbInst *i, RbInst *parent, RbElem *e) {
    RbClass *class = i->class;
    i->mods = rb_mods_join(fe->work, rb_mods_of(fe->work, parent->mods, e->name),
                           rb_elem_mods(fe->classes, e));
    RbDims d = {.keeps = class->is_type && class->type == RB_REAL && !i->is_static};
    if (!rb_inst_dims(fe, parent, e, class, &d)) return;
    if (d.open) rb_inst_close_dims(fe, i, &d);
    bool is_leaf = class->is_type || class->is_external_object;
    if (!is_leaf && d.rank == 0) {
        make_component(fe, i);
        return;
    }
    i->rank = d.rank;
    memcpy(i->dims, d.dims, sizeof i->dims);
    if (!count_items(fe, i)) return; // it stays broken
    if (!is_leaf) {
        make_items(fe, i);
        return;
    }
    i->kind = RB_INST_LEAF;
    if (e->clause->outer && !e->clause->inner) return; // the inner one has the variable
    rb_inst_variable(fe, i);
    if (i->var >= 0) rb_inst_keep_sizes(fe, i, &d);
}

static RbInst *make_child(RbFrontEnd *fe, RbInst *parent, RbElem *e) {
    RbClass *class = rb_elem_class(fe->classes, e);
    RbInst *i = rb_inst_new(fe, parent, class, e, rb_inst_path(fe, parent, e->name));
    i->kind = RB_INST_BROKEN;
    parent->children[e->number - 1] = i;
    if (!class || !rb_class_ready(fe->classes, class)) return i;
    bool broken = false;
    rb_inst_take_prefixes(fe, i);
    if (is_absent(fe, parent, e, &broken))
        i->kind = RB_INST_ABSENT;
    else if (!broken && check_class(fe, parent, e, class))
        make(fe, i, parent, e);
    return i;
}

RbInst *rb_inst_child(RbFrontEnd *fe, RbInst *inst, RbElem *elem) {
    RbInst *known = inst->children[elem->number - 1];
    if (known) return known;
    if (fe->depth >= INSTANCE_LIMIT) {
        RbInst *i = rb_inst_new(fe, inst, NULL, elem, elem->name);
        i->kind = RB_INST_BROKEN;
        rb_fail(fe->diag, RB_ERROR_MODEL, elem->component->at,
                "components are nested more than %d levels deep at '%s'", INSTANCE_LIMIT,
                inst->path);
        return inst->children[elem->number - 1] = i;
    }
    fe->depth++;
    rb_diag_busy(fe->diag, "class", inst->class->full_name, elem->component->at);
    RbInst *i = make_child(fe, inst, elem);
    fe->depth--;
    return i;
}

const char *rb_inst_absence(const RbInst *inst) {
    return inst && inst->is_member
               ? "no connection names it; members of an expandable connector must be connected"
               : "its condition is false";
}

static void check_outer_sizes(RbFrontEnd *fe, const RbInst *inner, const RbInst *outer) {
    for (int k = 0; k < inner->rank; k++) {
        if (inner->dims[k] == outer->dims[k]) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, outer->elem->component->at,
                "dimension %d of the inner '%s' has %d elements, that of the outer one %d", k + 1,
                outer->elem->name, inner->dims[k], outer->dims[k]);
        return;
    }
}

static RbInst *find_inner(RbFrontEnd *fe, RbInst *parent, RbName name) {
    for (RbInst *p = parent; p; p = p->parent) {
        if (p->kind != RB_INST_COMPONENT) continue;
        RbElem *e = rb_class_elem(fe->classes, p->class, name);
        if (e && e->component && e->clause->inner && e->number > 0) return rb_inst_child(fe, p, e);
    }
    return NULL;
}

// Can the inner component stand for the outer one?
static void check_outer(RbFrontEnd *fe, RbInst *parent, RbElem *e) {
    RbInst *inner = find_inner(fe, parent->parent, e->name), *outer = rb_inst_child(fe, parent, e);
    RbName missing;
    if (!inner || !inner->class || !outer->class || inner->kind == RB_INST_BROKEN) return;
    if (!rb_class_fits(fe->classes, inner->class, outer->class, &missing))
        rb_fail(
            fe->diag, RB_ERROR_MODEL, e->component->at,
            "the inner '%s' is of class '%s', which does not fit the outer one of class '%s'%s%s",
            e->name, inner->class->full_name, outer->class->full_name, missing ? ": " : "",
            missing ? missing : "");
    else if (inner->rank != outer->rank)
        rb_fail(fe->diag, RB_ERROR_MODEL, e->component->at,
                "the inner '%s' has %d dimensions, the outer one %d", e->name, inner->rank,
                outer->rank);
    else
        check_outer_sizes(fe, inner, outer);
}

void rb_inst_all(RbFrontEnd *fe, RbInst *inst) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) rb_inst_all(fe, inst->items[i]);
    }
    if (inst->kind != RB_INST_COMPONENT || fe->depth >= INSTANCE_LIMIT) return;
    fe->depth++;
    for (int i = 0; i < inst->class->components.count; i++) {
        RbElem *e = inst->class->components.data[i];
        if (e->clause->outer && !e->clause->inner) {
            check_outer(fe, inst, e);
            continue;
        }
        // The other members of a bus exist only if they are connected (connect_bus.c).
        bool waits = inst->class->restriction == RB_KIND_EXPANDABLE_CONNECTOR &&
                     e->clause->variability < RB_AST_PARAMETER;
        if (!waits) rb_inst_all(fe, rb_inst_child(fe, inst, e));
        if (!waits) rb_inst_check_connector(fe, inst->children[i]);
    }
    fe->depth--;
}

// --- inner and outer -----------------------------------------------------------------------------

RbInst *rb_inst_inner(RbFrontEnd *fe, RbInst *outer) {
    return find_inner(fe, outer->parent->parent, outer->elem->name);
}
