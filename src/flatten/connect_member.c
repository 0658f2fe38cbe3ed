// SPDX-License-Identifier: MIT
// Members that connect equations give to an expandable connector. A member is a copy of the
// connector at the other end of the connection, with variables of its own; attributes and
// parameters are those of the original. Every instance of an expandable connector has a class of
// its own, to which members can be added.
#include <string.h>

#include "flatten/connect.h"
#include "flatten/inst.h"

enum { ELEMENT_LIMIT = 10000 }; // of an array that grows with the subscripts used for it

// The declaration of the original under another name and without its prefixes.
static RbElem *new_elem(RbFrontEnd *fe, RbInst *bus, RbName name, const RbInst *like) {
    RbAstElement *clause = rb_new(fe->arena, RbAstElement);
    *clause = *like->elem->clause;
    clause->inner = clause->outer = clause->final = clause->is_protected = false;
    clause->causality = RB_AST_ACAUSAL;
    RbElem *e = rb_new(fe->arena, RbElem);
    *e = *like->elem;
    e->name = name;
    e->owner = bus->class;
    e->part = bus->class->root;
    e->clause = clause;
    e->replaces = NULL;
    rb_array_push(&bus->class->components, fe->arena, e);
    e->number = bus->class->components.count;
    rb_map_set(&bus->class->elems, fe->arena, rb_map_key(name), (uint64_t)(uintptr_t)e);
    RbInst **children = rb_new_array(fe->arena, RbInst *, e->number + 1);
    memcpy(children, bus->children, (size_t)(e->number - 1) * sizeof *children);
    bus->children = children;
    return e;
}

static void remember(RbFrontEnd *fe, RbInst *copy, RbInst *original) {
    rb_array_push(&rb_connector(fe)->copies, fe->arena, (RbMemberCopy){copy, original});
}

static RbInst *copy_inst(RbFrontEnd *fe, RbInst *parent, RbElem *elem, RbName path,
                         RbInst *original);

static void copy_variable(RbFrontEnd *fe, RbInst *i, RbInst *original) {
    rb_inst_variable(fe, i);
    remember(fe, i, original);
    if (i->variability < RB_AST_PARAMETER) return;
    i->binding_done = true;
    i->binding = rb_new(fe->arena, RbVal);
    *i->binding = rb_val_of_inst(fe, original);
}

// The members of an expandable connector come by themselves; only its parameters are taken.
static void copy_children(RbFrontEnd *fe, RbInst *i, RbInst *original) {
    bool expandable = rb_is_bus(original);
    if (expandable) {
        i->class = rb_class_specialised(fe->classes, original->class, (RbMods){0});
        rb_class_list(fe->classes, i->class);
    }
    int count = i->class->components.count;
    i->children = rb_new_array(fe->arena, RbInst *, count + 1);
    for (int k = 0; k < count; k++) {
        RbElem *e = i->class->components.data[k];
        RbInst *child = original->children[k];
        if (!child || (expandable && child->variability < RB_AST_PARAMETER)) continue;
        i->children[k] = copy_inst(fe, i, e, rb_inst_path(fe, i, e->name), child);
    }
}

static RbName item_path(RbFrontEnd *fe, RbName array, const int *subs, int rank) {
    RbText name = rb_text(fe->arena);
    rb_text_add(&name, array);
    for (int k = 0; k < rank; k++) rb_text_printf(&name, "%c%d", k == 0 ? '[' : ',', subs[k]);
    rb_text_add(&name, "]");
    return rb_intern(fe->names, name.data);
}

static void be_item(RbInst *i, const int *subs, int rank) {
    i->is_item = true;
    i->sub_count = rank;
    memcpy(i->subs, subs, (size_t)rank * sizeof *subs);
}

static void copy_items(RbFrontEnd *fe, RbInst *i, RbInst *original) {
    i->count = original->count;
    i->is_sparse = original->is_sparse;
    i->items = rb_new_array(fe->arena, RbInst *, i->count + 1);
    for (int k = 0; k < i->count; k++) {
        RbInst *item = original->items[k];
        RbName path = item_path(fe, i->path, item->subs, item->sub_count);
        i->items[k] = copy_inst(fe, i->parent, i->elem, path, item);
        be_item(i->items[k], item->subs, item->sub_count);
    }
}

static RbInst *copy_inst(RbFrontEnd *fe, RbInst *parent, RbElem *elem, RbName path,
                         RbInst *original) {
    RbInst *i = rb_inst_new(fe, parent, original->class, elem, path);
    i->kind = original->kind;
    i->variability = original->variability;
    i->flow = original->flow;
    i->is_protected = parent->is_protected;
    i->is_member = true;
    i->rank = original->rank;
    memcpy(i->dims, original->dims, sizeof i->dims);
    if (i->kind == RB_INST_LEAF) copy_variable(fe, i, original);
    if (i->kind == RB_INST_COMPONENT) copy_children(fe, i, original);
    if (i->kind == RB_INST_ARRAY) copy_items(fe, i, original);
    return i;
}

// One element of an array variable: a scalar.
static RbInst *copy_end(RbFrontEnd *fe, RbInst *parent, RbElem *elem, RbName path,
                        const RbVal *end) {
    if (!end->e) return copy_inst(fe, parent, elem, path, end->inst);
    RbInst scalar = *end->inst;
    scalar.rank = 0;
    RbInst *i = copy_inst(fe, parent, elem, path, &scalar);
    rb_connector(fe)->copies.data[rb_connector(fe)->copies.count - 1].original = end->inst;
    return i;
}

static RbElem *elem_of(RbFrontEnd *fe, RbInst *bus, RbName name, const RbInst *like) {
    RbElem *e = rb_class_elem(fe->classes, bus->class, name);
    return e ? e : new_elem(fe, bus, name, like);
}

void rb_member_add(RbFrontEnd *fe, RbInst *bus, RbName name, const RbVal *like) {
    RbElem *e = elem_of(fe, bus, name, like->inst);
    bus->children[e->number - 1] = copy_end(fe, bus, e, rb_inst_path(fe, bus, name), like);
}

// --- arrays that grow ----------------------------------------------------------------------------

static int position(const RbInst *array, const int *subs) {
    int at = 0;
    for (int k = 0; k < array->rank; k++) at = at * array->dims[k] + subs[k] - 1;
    return at;
}

RbInst *rb_member_item(const RbInst *array, const int *subs) {
    for (int k = 0; k < array->rank; k++) {
        if (subs[k] > array->dims[k]) return NULL;
    }
    RbInst *item = array->items[position(array, subs)];
    return item->kind == RB_INST_ABSENT ? NULL : item;
}

// Make room for these subscripts; elements that nobody named do not exist.
static bool grow(RbFrontEnd *fe, RbInst *array, const int *subs, RbPos at) {
    RbInst old = *array;
    bool fits = old.items != NULL;
    array->count = 1;
    for (int k = 0; k < array->rank; k++) {
        fits = fits && subs[k] <= old.dims[k];
        if (subs[k] > array->dims[k]) array->dims[k] = subs[k];
        if (array->dims[k] > ELEMENT_LIMIT / array->count) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at,
                    "subscript %d of '%s' is too large; an array on a bus has at most %d elements",
                    subs[k], array->path, ELEMENT_LIMIT);
            *array = old;
            return false;
        }
        array->count *= array->dims[k];
    }
    if (fits) return true;
    array->items = rb_new_array(fe->arena, RbInst *, array->count + 1);
    for (int i = 0; i < old.count; i++)
        array->items[position(array, old.items[i]->subs)] = old.items[i];
    for (int i = 0; i < array->count; i++) {
        if (array->items[i]) continue;
        int place[RB_RANK_MAX], rest = i;
        for (int k = array->rank - 1; k >= 0; k--) {
            place[k] = rest % array->dims[k] + 1;
            rest /= array->dims[k];
        }
        array->items[i] = rb_inst_new(fe, array->parent, array->class, array->elem,
                                      item_path(fe, array->path, place, array->rank));
        array->items[i]->kind = RB_INST_ABSENT;
        array->items[i]->is_member = true;
        be_item(array->items[i], place, array->rank);
    }
    return true;
}

bool rb_member_add_item(RbFrontEnd *fe, RbInst *bus, RbName name, const int *subs, int rank,
                        const RbVal *like, RbPos at) {
    RbElem *e = elem_of(fe, bus, name, like->inst);
    RbInst *array = bus->children[e->number - 1];
    if (!array) {
        array = rb_inst_new(fe, bus, like->inst->class, e, rb_inst_path(fe, bus, name));
        array->kind = RB_INST_ARRAY;
        array->is_sparse = array->is_member = true;
        array->is_protected = bus->is_protected;
        array->rank = rank;
    }
    if (!grow(fe, array, subs, at)) return false;
    bus->children[e->number - 1] = array;
    RbName path = item_path(fe, array->path, subs, rank);
    RbInst *item = copy_end(fe, bus, e, path, like);
    be_item(item, subs, rank);
    array->items[position(array, subs)] = item;
    return true;
}

// --- attributes ----------------------------------------------------------------------------------

void rb_member_attributes(RbFrontEnd *fe) {
    RbConnector *c = rb_connector(fe);
    for (int i = 0; i < c->copies.count; i++) {
        const RbInst *copy = c->copies.data[i].copy, *original = c->copies.data[i].original;
        if (copy->var < 0 || original->var < 0) continue;
        const RbAttributes *from = &fe->flat->vars.data[original->var].attributes;
        RbAttributes *to = &fe->flat->vars.data[copy->var].attributes;
        to->unit = from->unit;
        to->display_unit = from->display_unit;
        to->quantity = from->quantity;
        if (copy->rank != original->rank) continue;
        to->nominal = from->nominal;
        to->min = from->min;
        to->max = from->max;
    }
}
