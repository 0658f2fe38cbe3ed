// SPDX-License-Identifier: MIT
// Expandable connectors, also called buses (Modelica specification, 9.1.3). What a bus declares
// exists only where a connect equation names it; what a connect equation names without a
// declaration is added, with the type of the other end. Connected buses have the same members. All
// connect equations that name a bus are therefore kept until no bus changes any more; then they are
// connected like any other.
#include <string.h>

#include "flatten/connect.h"
#include "flatten/inst.h"

enum { BUS_DEPTH = 20 }; // of buses within buses

typedef struct BusWire {
    RbPlace ctx;
    const RbAstEquation *eq;
    bool is_found; // both ends exist
    bool is_wrong; // reported
} BusWire;

typedef struct BusPair {
    RbInst *a, *b;
    RbPos at;
} BusPair;

typedef struct RbBuses {
    RB_ARRAY(BusWire) wires;
    RB_ARRAY(BusPair) pairs;
    bool changed;
    bool failed;
} RbBuses;

static RbBuses *buses_of(RbFrontEnd *fe) {
    RbConnector *c = rb_connector(fe);
    if (!c->buses) c->buses = rb_new(fe->arena, RbBuses);
    return c->buses;
}

bool rb_is_bus(const RbInst *i) {
    return i->kind == RB_INST_COMPONENT && i->class->restriction == RB_KIND_EXPANDABLE_CONNECTOR;
}

// --- collecting ----------------------------------------------------------------------------------

// Is there a bus among the parts of a reference?
static bool names_bus(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbInst *inst = NULL;
    for (int k = 0; k < e->kid_count; k++) {
        RbName name = e->parts[k].name;
        RbElem *elem = k == 0 ? rb_lookup(fe->classes, ctx->scope, name)
                              : rb_class_elem(fe->classes, inst->class, name);
        if (!elem || !elem->component || elem->number == 0) return false;
        if (k == 0) inst = rb_inst_context(fe, ctx->inst, elem->owner);
        inst = rb_inst_child(fe, inst, elem);
        if (elem->clause->outer && !elem->clause->inner) inst = rb_inst_inner(fe, inst);
        while (inst && inst->kind == RB_INST_ARRAY) inst = inst->count > 0 ? inst->items[0] : NULL;
        if (!inst || inst->kind != RB_INST_COMPONENT) return false;
        if (rb_is_bus(inst)) return true;
    }
    return false;
}

// Iterators live on the stack of who collects.
static const RbLoopVar *copy_loops(RbFrontEnd *fe, const RbLoopVar *l) {
    if (!l) return NULL;
    RbLoopVar *copy = rb_new(fe->arena, RbLoopVar);
    *copy = *l;
    copy->outer = copy_loops(fe, l->outer);
    return copy;
}

bool rb_bus_keep(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    if (!fe->has_buses || !(names_bus(fe, ctx, eq->left) || names_bus(fe, ctx, eq->right)))
        return false;
    BusWire w = {.ctx = *ctx, .eq = eq};
    w.ctx.loops = copy_loops(fe, ctx->loops);
    rb_array_push(&buses_of(fe)->wires, fe->arena, w);
    return true;
}

// --- what a reference means now ------------------------------------------------------------------

typedef struct Side {
    enum {
        SIDE_FOUND,   // ends
        SIDE_MISSING, // the last part of the reference is no member of these buses yet
        SIDE_WAITING, // a part before the last one is missing
        SIDE_ABSENT,  // a conditional component that does not exist
        SIDE_WRONG,   // reported
    } state;
    RbEnds ends;
    RB_ARRAY(RbInst *) buses;
    const RbAstPart *part;
} Side;

typedef struct Expansion {
    RbFrontEnd *fe;
    RbBuses *all;
    const BusWire *wire;
    const BusPair *pair; // being merged
} Expansion;

static void list_insts(RbFrontEnd *fe, RbInst *inst, Side *s) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) list_insts(fe, inst->items[i], s);
    } else {
        rb_array_push(&s->buses, fe->arena, inst);
    }
}

// The instances that the first parts of a reference mean.
static bool find_prefix(const Expansion *x, const RbAstExpr *e, int parts, Side *s) {
    RbAstExpr prefix = *e;
    prefix.kid_count = parts;
    RbVal v = rb_lower_component(x->fe, &x->wire->ctx, &prefix);
    s->buses.count = 0;
    if (v.kind != RB_VAL_INST) {
        s->state = v.kind == RB_VAL_ABSENT ? SIDE_ABSENT : SIDE_WRONG;
        return false;
    }
    if (v.field_count == 0) list_insts(x->fe, v.inst, s);
    for (int i = 0; i < v.field_count; i++) list_insts(x->fe, v.fields[i].inst, s);
    return true;
}

static bool has_open_size(const RbElem *e) {
    for (int i = 0; i < e->component->dimension_count; i++) {
        if (e->component->dimensions[i]->kind == RB_AST_COLON) return true;
    }
    for (int i = 0; i < e->clause->dimension_count; i++) {
        if (e->clause->dimensions[i]->kind == RB_AST_COLON) return true;
    }
    return false;
}

// Subscripts of a part of a reference; each picks one or several.
typedef struct Subs {
    int rank, total;
    int counts[RB_RANK_MAX];
    RbExprValue values[RB_RANK_MAX];
} Subs;

static bool find_subs(const Expansion *x, const RbAstPart *part, Subs *s) {
    *s = (Subs){.rank = part->subscript_count, .total = 1};
    for (int k = 0; k < s->rank; k++) {
        const RbAstExpr *e = part->subscripts[k];
        if (e->kind == RB_AST_COLON || k >= RB_RANK_MAX) {
            rb_fail(x->fe->diag, RB_ERROR_MODEL, e->at,
                    "the size of '%s' follows from its connections; name its elements by numbers",
                    part->name);
            return false;
        }
        RbVal v = rb_lower_expr(x->fe, &x->wire->ctx, e);
        if (v.kind == RB_VAL_ERROR) return false;
        if (!rb_val_evaluate(x->fe, &v, &s->values[k], e->at, "the subscript of a connector"))
            return false;
        for (int i = 0; i < s->values[k].count; i++) {
            if (s->values[k].data[i] >= 1) continue;
            rb_fail(x->fe->diag, RB_ERROR_MODEL, e->at, "subscript %g of '%s' is not positive",
                    s->values[k].data[i], part->name);
            return false;
        }
        s->counts[k] = s->values[k].count;
        s->total *= s->counts[k];
    }
    return true;
}

static void nth_subs(const Subs *s, int n, int *subs) {
    for (int k = s->rank - 1; k >= 0; k--) {
        subs[k] = (int)s->values[k].data[n % s->counts[k]];
        n /= s->counts[k];
    }
}

// Is what a part names there? What is declared comes to life by being named.
static bool is_there(Expansion *x, RbInst *bus, const RbAstPart *part, bool *wrong) {
    RbElem *e = rb_class_elem(x->fe->classes, bus->class, part->name);
    if (!e) return false;
    if (!e->component || e->number == 0) return true; // a class: reported when it is connected
    RbInst *child = bus->children[e->number - 1];
    if (!child && has_open_size(e)) return false;
    if (!child) {
        rb_inst_all(x->fe, rb_inst_child(x->fe, bus, e));
        x->all->changed = true;
        return true;
    }
    if (!child->is_sparse) return true;
    Subs s;
    if (!find_subs(x, part, &s)) {
        *wrong = true;
        return true;
    }
    if (s.rank != child->rank) return true;
    for (int n = 0; n < s.total; n++) {
        int subs[RB_RANK_MAX];
        nth_subs(&s, n, subs);
        if (!rb_member_item(child, subs)) return false;
    }
    return true;
}

static void resolve(Expansion *x, const RbAstExpr *e, Side *s) {
    *s = (Side){0};
    for (int k = 1; k < e->kid_count; k++) {
        if (!find_prefix(x, e, k, s)) return;
        bool missing = false, wrong = false;
        for (int i = 0; i < s->buses.count; i++) {
            if (!rb_is_bus(s->buses.data[i])) continue;
            missing = !is_there(x, s->buses.data[i], &e->parts[k], &wrong) || missing;
        }
        s->state = wrong ? SIDE_WRONG : k + 1 < e->kid_count ? SIDE_WAITING : SIDE_MISSING;
        s->part = &e->parts[k];
        if (missing || wrong) return;
    }
    s->state = SIDE_FOUND;
    if (!rb_connect_ends(x->fe, &x->wire->ctx, e, &s->ends)) s->state = SIDE_WRONG;
}

// --- adding members ------------------------------------------------------------------------------

static void fail_sizes(const Expansion *x, const Side *s, int wanted, int given) {
    rb_fail(x->fe->diag, RB_ERROR_MODEL, x->wire->eq->at,
            "'%s' names %d element%s, but %d connector%s to be connected to %s", s->part->name,
            wanted, wanted == 1 ? "" : "s", given, given == 1 ? " is" : "s are",
            wanted == 1 ? "it" : "them");
}

// bus.x[2:3] and so on
static bool add_items(Expansion *x, const Side *s, RbEnds *ends) {
    Subs subs;
    if (!find_subs(x, s->part, &subs)) return false;
    if (subs.total > 1) rb_connect_take_apart(x->fe, ends);
    if (subs.total != ends->count || s->buses.count != 1) {
        fail_sizes(x, s, subs.total * s->buses.count, ends->count);
        return false;
    }
    for (int n = 0; n < subs.total; n++) {
        int at[RB_RANK_MAX];
        nth_subs(&subs, n, at);
        RbInst *bus = s->buses.data[0];
        RbElem *e = rb_class_elem(x->fe->classes, bus->class, s->part->name);
        RbInst *array = e && e->number > 0 ? bus->children[e->number - 1] : NULL;
        if (array && rb_member_item(array, at)) continue;
        if (!rb_member_add_item(x->fe, bus, s->part->name, at, subs.rank, &ends->list[n],
                                x->wire->eq->at))
            return false;
    }
    return true;
}

static bool add_members(Expansion *x, const Side *s, RbEnds *ends) {
    if (s->part->subscript_count > 0) return add_items(x, s, ends);
    if (s->buses.count == 1 && ends->is_slice) { // an array of as many elements
        for (int n = 1; n <= ends->count; n++) {
            if (!rb_member_add_item(x->fe, s->buses.data[0], s->part->name, &n, 1,
                                    &ends->list[n - 1], x->wire->eq->at))
                return false;
        }
        return true;
    }
    if (s->buses.count > 1) rb_connect_take_apart(x->fe, ends);
    if (s->buses.count != ends->count) {
        fail_sizes(x, s, s->buses.count, ends->count);
        return false;
    }
    for (int i = 0; i < ends->count; i++) {
        bool wrong = false;
        if (!is_there(x, s->buses.data[i], s->part, &wrong))
            rb_member_add(x->fe, s->buses.data[i], s->part->name, &ends->list[i]);
    }
    return true;
}

// --- connected buses -----------------------------------------------------------------------------

static int bus_depth(const RbInst *i) {
    int depth = 0;
    for (; i; i = i->parent) depth += rb_is_bus(i);
    return depth;
}

static void mark_members(RbInst *i) {
    i->is_member = true;
    for (int k = 0; i->kind == RB_INST_ARRAY && k < i->count; k++) mark_members(i->items[k]);
    for (int k = 0; i->kind == RB_INST_COMPONENT && k < i->class->components.count; k++) {
        if (i->children[k]) mark_members(i->children[k]);
    }
}

static void share_items(Expansion *x, RbInst *member, RbInst *bus, const RbInst *known, RbPos at) {
    for (int i = 0; i < member->count; i++) {
        RbInst *item = member->items[i];
        if (item->kind == RB_INST_ABSENT || (known && rb_member_item(known, item->subs))) continue;
        RbVal like = {.kind = RB_VAL_INST, .inst = item};
        x->all->changed = true;
        if (!rb_member_add_item(x->fe, bus, member->elem->name, item->subs, item->sub_count, &like,
                                at))
            x->all->failed = true;
    }
}

// A member of one bus becomes a member of the other.
static void share(Expansion *x, RbInst *member, RbInst *bus, RbPos at) {
    RbElem *e = rb_class_elem(x->fe->classes, bus->class, member->elem->name);
    RbInst *known = e && e->number > 0 ? bus->children[e->number - 1] : NULL;
    bool declared = e && e->component && e->number > 0 && !has_open_size(e);
    if (known && !(known->is_sparse && member->is_sparse && known->rank == member->rank)) return;
    if (!known && declared) {
        RbInst *made = rb_inst_child(x->fe, bus, e);
        rb_inst_all(x->fe, made);
        mark_members(made);
        x->all->changed = true;
    } else if (member->is_sparse) {
        share_items(x, member, bus, known, at);
    } else if (!known) {
        RbVal like = {.kind = RB_VAL_INST, .inst = member};
        rb_member_add(x->fe, bus, member->elem->name, &like);
        x->all->changed = true;
    }
}

static void share_all(Expansion *x, RbInst *from, RbInst *to, RbPos at) {
    for (int i = 0; i < from->class->components.count; i++) {
        RbInst *m = from->children[i];
        if (!m || m->kind == RB_INST_ABSENT || m->kind == RB_INST_BROKEN) continue;
        if (m->variability < RB_AST_PARAMETER) share(x, m, to, at);
    }
}

static void merge(Expansion *x, RbInst *a, RbInst *b, RbPos at);

static void merge_members(Expansion *x, RbInst *a, RbInst *b, RbPos at) {
    if (rb_is_bus(a) && rb_is_bus(b)) merge(x, a, b, at);
    if (a->kind != RB_INST_ARRAY || b->kind != RB_INST_ARRAY || a->count != b->count) return;
    for (int i = 0; i < a->count; i++) merge_members(x, a->items[i], b->items[i], at);
}

static void merge(Expansion *x, RbInst *a, RbInst *b, RbPos at) {
    if (a == b || x->all->failed) return;
    if (bus_depth(a) > BUS_DEPTH || bus_depth(b) > BUS_DEPTH) {
        rb_fail(x->fe->diag, RB_ERROR_MODEL, at, "this connection puts the bus '%s' into itself",
                x->pair->a->path);
        x->all->failed = true;
        return;
    }
    share_all(x, a, b, at);
    share_all(x, b, a, at);
    for (int i = 0; i < a->class->components.count; i++) {
        RbElem *e = a->class->components.data[i];
        RbElem *f = rb_class_elem(x->fe->classes, b->class, e->name);
        if (!f || f->number == 0) continue;
        RbInst *m = a->children[i], *n = b->children[f->number - 1];
        if (m && n) merge_members(x, m, n, at);
    }
}

static void add_pairs(Expansion *x, RbInst *a, RbInst *b) {
    if (rb_is_bus(a) && rb_is_bus(b))
        rb_array_push(&x->all->pairs, x->fe->arena, (BusPair){a, b, x->wire->eq->at});
    if (a->kind != RB_INST_ARRAY || b->kind != RB_INST_ARRAY || a->count != b->count) return;
    for (int i = 0; i < a->count; i++) add_pairs(x, a->items[i], b->items[i]);
}

// --- all of it -----------------------------------------------------------------------------------

static void expand_wire(Expansion *x, BusWire *w) {
    Side a, b;
    resolve(x, w->eq->left, &a);
    resolve(x, w->eq->right, &b);
    if (a.state == SIDE_ABSENT || b.state == SIDE_ABSENT) {
        w->is_wrong = true; // nothing to connect
    } else if (a.state == SIDE_WRONG || b.state == SIDE_WRONG) {
        w->is_wrong = true;
    } else if (a.state == SIDE_FOUND && b.state == SIDE_FOUND) {
        w->is_found = true;
        rb_connect_match(x->fe, &a.ends, &b.ends);
        for (int i = 0; i < a.ends.count && i < b.ends.count; i++) {
            if (a.ends.list[i].inst && b.ends.list[i].inst)
                add_pairs(x, a.ends.list[i].inst, b.ends.list[i].inst);
        }
        x->all->changed = true;
    } else if (a.state == SIDE_FOUND && b.state == SIDE_MISSING) {
        w->is_wrong = !add_members(x, &b, &a.ends);
        x->all->changed = true;
    } else if (a.state == SIDE_MISSING && b.state == SIDE_FOUND) {
        w->is_wrong = !add_members(x, &a, &b.ends);
        x->all->changed = true;
    }
}

static void fail_undeclared(Expansion *x, const BusWire *w) {
    Side a, b;
    resolve(x, w->eq->left, &a);
    resolve(x, w->eq->right, &b);
    bool both = a.state == SIDE_MISSING && b.state == SIDE_MISSING;
    const Side *s = a.state == SIDE_WAITING || both ? &a : &b;
    const char *bus = s->buses.count > 0 ? s->buses.data[0]->path : "";
    if (both)
        rb_fail(x->fe->diag, RB_ERROR_MODEL, w->eq->at,
                "neither '%s' nor '%s' is declared, so their type is unknown; declare one of them "
                "in its expandable connector",
                rb_expr_text(x->fe, w->eq->left), rb_expr_text(x->fe, w->eq->right));
    else
        rb_fail(x->fe->diag, RB_ERROR_MODEL, w->eq->at,
                "'%s' has no '%s', and its type is unknown; declare it in '%s'", bus, s->part->name,
                s->buses.count > 0 ? s->buses.data[0]->class->full_name : "");
}

// What no connection named does not exist.
static void drop_unused(RbFrontEnd *fe, RbInst *i) {
    for (int k = 0; i->kind == RB_INST_ARRAY && k < i->count; k++) drop_unused(fe, i->items[k]);
    if (i->kind != RB_INST_COMPONENT) return;
    for (int k = 0; k < i->class->components.count; k++) {
        RbElem *e = i->class->components.data[k];
        if (rb_is_bus(i) && e->clause->flow == RB_AST_FLOW)
            rb_fail(fe->diag, RB_ERROR_MODEL, e->component->at,
                    "'%s' is a flow variable directly in an expandable connector; only connectors "
                    "in it can have flows",
                    e->name);
        if (!i->children[k] && rb_is_bus(i)) {
            RbInst *none =
                rb_inst_new(fe, i, rb_elem_class(fe->classes, e), e, rb_inst_path(fe, i, e->name));
            none->kind = RB_INST_ABSENT;
            none->is_member = true;
            i->children[k] = none;
        } else if (i->children[k]) {
            drop_unused(fe, i->children[k]);
        }
    }
}

void rb_bus_expand(RbFrontEnd *fe) {
    if (!fe->has_buses) return;
    Expansion x = {.fe = fe, .all = buses_of(fe)};
    RbBuses *all = x.all;
    do {
        all->changed = false;
        for (int i = 0; i < all->wires.count; i++) {
            BusWire *w = &all->wires.data[i];
            x.wire = w;
            if (!w->is_found && !w->is_wrong) expand_wire(&x, w);
        }
        for (int i = 0; i < all->pairs.count; i++) {
            x.pair = &all->pairs.data[i];
            merge(&x, x.pair->a, x.pair->b, x.pair->at);
        }
    } while (all->changed && !all->failed);
    for (int i = 0; i < all->wires.count && !all->failed; i++) {
        x.wire = &all->wires.data[i];
        if (!x.wire->is_found && !x.wire->is_wrong) fail_undeclared(&x, x.wire);
    }
    drop_unused(fe, fe->root);
    if (all->failed) return;
    for (int i = 0; i < all->wires.count; i++) {
        const BusWire *w = &all->wires.data[i];
        if (w->is_found) rb_connect_now(fe, &w->ctx, w->eq);
    }
}
