// SPDX-License-Identifier: MIT
// Instances: the tree of components, with sizes and conditions evaluated.
#include <string.h>

#include "modelica/frontend.h"

enum { INSTANCE_LIMIT = 100, ITEM_LIMIT = 10 * 1000 * 1000 };

static RbInst *new_inst(RbFrontEnd *fe, RbInst *parent, RbClass *class, RbElem *elem, RbName path) {
    RbInst *i = rb_new(fe->arena, RbInst);
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
    inst->children = rb_new_array(fe->arena, RbInst *, inst->class->components.count + 1);
}

RbInst *rb_inst_root(RbFrontEnd *fe, RbClass *class) {
    RbInst *root = new_inst(fe, NULL, class, NULL, rb_intern(fe->names, ""));
    list_children(fe, root);
    return root;
}

RbInst *rb_inst_static(RbFrontEnd *fe, RbClass *class) {
    if (class->instance) return class->instance;
    RbInst *i = new_inst(fe, NULL, class, NULL, rb_intern(fe->names, class->full_name));
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

static RbPlace context_of(RbFrontEnd *fe, RbInst *inst, RbClassPart *scope) {
    return (RbPlace){.inst = rb_inst_context(fe, inst, scope->owner), .scope = scope};
}

// --- sizes ---------------------------------------------------------------------------------------

typedef struct Dims {
    int rank;
    int dims[RB_RANK_MAX];
    const RbExpr *exprs[RB_RANK_MAX]; // as in RbFlatVar
    bool keeps;                       // of Reals: sizes may change later
    bool has_free_size;
    bool open;             // some ':'
    int like[RB_RANK_MAX]; // number of the dimension that this one must equal: A[:, size(A, 1)]; or
                           // 0
} Dims;

// Is this size(name, k) with a number k? Answers k, or 0.
static int own_size(const RbAstExpr *e, RbName name) {
    if (e->kind != RB_AST_CALL || e->kid_count != 3 || e->iterator_count > 0) return 0;
    const RbAstExpr *f = e->kids[0], *array = e->kids[1], *k = e->kids[2];
    if (f->kid_count != 1 || strcmp(f->parts[0].name, "size") != 0) return 0;
    if (array->kind != RB_AST_REF || array->kid_count != 1 || array->parts[0].name != name)
        return 0;
    if (k->kind != RB_AST_INTEGER || k->text.length != 1) return 0;
    return k->text.start[0] - '0';
}

static bool add_dims(RbFrontEnd *fe, const RbPlace *ctx, RbAstExpr *const *list, int count, Dims *d,
                     RbName name) {
    for (int i = 0; i < count; i++) {
        if (d->rank == RB_RANK_MAX) {
            rb_fail(fe->diag, RB_ERROR_MODEL, list[i]->at, "'%s' has more than %d dimensions", name,
                    RB_RANK_MAX);
            return false;
        }
        int *dim = &d->dims[d->rank++];
        *dim = -1;
        int like = own_size(list[i], name);
        bool other = like > 0 && like <= RB_RANK_MAX && like != d->rank;
        if (list[i]->kind == RB_AST_COLON || other) {
            d->open = true;
            d->like[d->rank - 1] = like;
            continue;
        }
        bool outer = fe->keep_sizes;
        fe->keep_sizes = d->keeps;
        RbVal v = rb_lower_expr(fe, ctx, list[i]);
        fe->keep_sizes = outer;
        if (v.kind == RB_VAL_ERROR) return false;
        if (v.kind == RB_VAL_CLASS && v.class->is_type &&
            (v.class->enumeration || v.class->type == RB_BOOLEAN)) {
            *dim = v.class->enumeration ? v.class->enumeration->literal_count : 2;
            continue;
        }
        int64_t size;
        const char *what = rb_arena_printf(fe->arena, "the size of '%s'", name);
        bool known = d->keeps ? rb_val_evaluate_size(fe, &v, &size, list[i]->at, what)
                              : rb_val_evaluate_integer(fe, &v, &size, list[i]->at, what);
        if (!known) return false;
        if (d->keeps && !rb_is_constant(v.e)) {
            d->exprs[d->rank - 1] = v.e;
            d->has_free_size = true;
        }
        if (size < 0 || size > ITEM_LIMIT) {
            rb_fail(fe->diag, RB_ERROR_MODEL, list[i]->at,
                    "the size of '%s' is %lld; it must be between 0 and %d", name, (long long)size,
                    ITEM_LIMIT);
            return false;
        }
        *dim = (int)size;
    }
    return true;
}

// Dimensions of a component: its own, then those of its clause, then those of its type.
static bool find_dims(RbFrontEnd *fe, RbInst *parent, RbElem *e, RbClass *class, Dims *d) {
    RbPlace ctx = context_of(fe, parent, e->scope);
    if (!add_dims(fe, &ctx, e->component->dimensions, e->component->dimension_count, d, e->name))
        return false;
    if (!add_dims(fe, &ctx, e->clause->dimensions, e->clause->dimension_count, d, e->name))
        return false;
    if (e->replaces && e->component->dimension_count == 0 && e->clause->dimension_count == 0) {
        // A redeclaration without subscripts keeps the size of what it replaces.
        RbElem *old = e->replaces;
        RbPlace outer = context_of(fe, parent, old->scope);
        if (!add_dims(fe, &outer, old->component->dimensions, old->component->dimension_count, d,
                      e->name) ||
            !add_dims(fe, &outer, old->clause->dimensions, old->clause->dimension_count, d,
                      e->name)) {
            return false;
        }
    }
    for (int i = 0; i < class->dimensions.count; i++) {
        const RbDimensions *more = &class->dimensions.data[i];
        RbPlace outer = context_of(fe, parent, more->scope);
        if (!add_dims(fe, &outer, more->list, more->count, d, e->name)) return false;
    }
    return true;
}

// --- making --------------------------------------------------------------------------------------

static RbAstVariability stronger(RbAstVariability a, RbAstVariability b) {
    return a > b ? a : b;
}

static void take_prefixes(RbInst *i, const RbInst *parent) {
    const RbAstElement *clause = i->elem->clause;
    i->variability = stronger(clause->variability, parent->variability);
    i->causality = clause->causality != RB_AST_ACAUSAL ? clause->causality : parent->causality;
    if (i->elem->replaces) { // prefixes that the redeclaration leaves out stay
        const RbAstElement *old = i->elem->replaces->clause;
        i->variability = stronger(i->variability, old->variability);
        if (i->causality == RB_AST_ACAUSAL) i->causality = old->causality;
    }
    if (i->causality == RB_AST_ACAUSAL) i->causality = i->class->causality;
    i->flow = clause->flow != RB_AST_NO_FLOW ? clause->flow : parent->flow;
    i->is_protected = parent->is_protected || clause->is_protected || i->elem->part->is_protected;
}

static RbName child_path(RbFrontEnd *fe, const RbInst *parent, RbName name) {
    if (!*parent->path) return name;
    size_t a = strlen(parent->path), b = strlen(name);
    char buffer[256];
    char *text = a + b + 2 <= sizeof buffer ? buffer : rb_arena_push(fe->arena, a + b + 2, 1);
    memcpy(text, parent->path, a);
    text[a] = '.';
    memcpy(text + a + 1, name, b);
    return rb_intern_bytes(fe->names, text, a + b + 1);
}

static RbVariability flat_variability(const RbInst *i) {
    if (i->variability == RB_AST_CONSTANT) return RB_CONSTANT;
    if (i->variability == RB_AST_PARAMETER) return RB_PARAMETER;
    bool discrete = i->variability == RB_AST_DISCRETE || i->class->type != RB_REAL;
    return discrete ? RB_DISCRETE : RB_CONTINUOUS;
}

int rb_flat_enumeration(RbFrontEnd *fe, RbClass *class) {
    const RbAstClass *def = class->enumeration;
    uint64_t *known = rb_map_find(&fe->enumerations, rb_map_key(def));
    if (known) return (int)*known;
    RbEnumeration e = {.name = rb_intern(fe->names, class->full_name), .count = def->literal_count};
    e.literals = rb_new_array(fe->arena, const char *, e.count + 1);
    for (int i = 0; i < e.count; i++) e.literals[i] = def->literals[i].name;
    rb_array_push(&fe->flat->enumerations, fe->arena, e);
    int index = fe->flat->enumerations.count - 1;
    rb_map_set(&fe->enumerations, fe->arena, rb_map_key(def), (uint64_t)index);
    return index;
}

static const char *description_of(RbFrontEnd *fe, RbElem *e) {
    const RbAstStrings *s = &e->component->comment.text;
    if (s->count == 0 || e->description) return e->description;
    RbText text = rb_text(fe->arena);
    for (int i = 0; i < s->count; i++) {
        rb_text_add(&text, rb_string_value(s->parts[i].start, s->parts[i].length, fe->arena));
    }
    return e->description = text.data;
}

static void make_variable(RbFrontEnd *fe, RbInst *i) {
    if (i->is_static) return;
    RbFlatVar v = {.name = i->path,
                   .variability = flat_variability(i),
                   .type = i->class->is_external_object ? RB_EXTERNAL : i->class->type,
                   .rank = i->rank,
                   .is_flow = i->flow == RB_AST_FLOW,
                   .is_protected = i->is_protected,
                   .attributes = {.state_select = RB_STATE_DEFAULT},
                   .description = description_of(fe, i->elem),
                   .at = i->elem->component->at};
    memcpy(v.dims, i->dims, sizeof v.dims);
    v.hide_result = rb_annotation_is_true(i->elem->component->comment.annotation, "HideResult");
    if (v.type == RB_ENUM) v.enumeration = rb_flat_enumeration(fe, i->class);
    if (i->class->is_external_object) v.variability = RB_PARAMETER;
    bool at_top = i->parent == fe->root ||
                  (i->parent->parent == fe->root && rb_class_is_connector(i->parent->class));
    if (at_top && !i->is_protected && i->variability < RB_AST_PARAMETER) {
        v.causality = i->causality == RB_AST_INPUT    ? RB_INPUT
                      : i->causality == RB_AST_OUTPUT ? RB_OUTPUT
                                                      : RB_LOCAL;
    }
    i->var = rb_flat_add(fe->flat, &v);
    rb_array_push(&fe->by_var, fe->arena, i);
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
            if (!e && !i->class->broken) {
                rb_fail(fe->diag, RB_ERROR_MODEL, a->at,
                        "'%s' has no element '%s' that could be modified%s", i->class->full_name,
                        a->name.parts[0], rb_near_element(fe->classes, i->class, a->name.parts[0]));
            }
        }
    }
}

static RbMods with_subs(RbFrontEnd *fe, RbMods mods, const int *subs, int rank) {
    RbModifier *list = rb_new_array(fe->arena, RbModifier, mods.count);
    for (int i = 0; i < mods.count; i++) {
        list[i] = mods.list[i];
        int *all = rb_new_array(fe->arena, int, list[i].sub_count + rank);
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
    i->class = class;
    list_children(fe, i);
    check_modifications(fe, i);
}

static void make_items(RbFrontEnd *fe, RbInst *array, const Dims *d) {
    array->kind = RB_INST_ARRAY;
    array->count = 1;
    for (int k = 0; k < d->rank; k++) {
        if (d->dims[k] > 0 && array->count > ITEM_LIMIT / d->dims[k]) {
            rb_fail(fe->diag, RB_ERROR_MODEL, array->elem->component->at,
                    "'%s' has more than %d elements", array->path, ITEM_LIMIT);
            array->kind = RB_INST_BROKEN;
            return;
        }
        array->count *= d->dims[k];
    }
    array->items = rb_new_array(fe->arena, RbInst *, array->count + 1);
    for (int n = 0; n < array->count; n++) {
        RbText name = rb_text(fe->arena);
        rb_text_add(&name, array->path);
        RbInst *item = new_inst(fe, array->parent, array->class, array->elem, NULL);
        int rest = n;
        for (int k = d->rank - 1; k >= 0; k--) {
            item->subs[k] = rest % d->dims[k] + 1;
            rest /= d->dims[k];
        }
        for (int k = 0; k < d->rank; k++)
            rb_text_printf(&name, "%c%d", k == 0 ? '[' : ',', item->subs[k]);
        rb_text_add(&name, "]");
        item->path = rb_intern(fe->names, name.data);
        item->is_item = true;
        item->sub_count = d->rank;
        item->variability = array->variability;
        item->causality = array->causality;
        item->flow = array->flow;
        item->is_protected = array->is_protected;
        item->mods = with_subs(fe, array->mods, item->subs, d->rank);
        make_component(fe, item);
        array->items[n] = item;
    }
}

static bool is_absent(RbFrontEnd *fe, RbInst *parent, RbElem *e, bool *broken) {
    const RbAstExpr *condition = e->component->condition;
    const RbElem *original = e;
    while (!condition && original->replaces) {
        original = original->replaces;
        condition = original->component->condition;
    }
    if (!condition) return false;
    RbPlace ctx = context_of(fe, parent, original->scope);
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
    const char *what = rb_arena_printf(fe->arena, "the condition of '%s'", e->name);
    if (!rb_val_evaluate(fe, &v, &value, condition->at, what)) {
        *broken = true;
        return false;
    }
    return value.data[0] == 0;
}

// A value for a size that the declaration leaves open: the size of the binding.
static void close_dims(RbFrontEnd *fe, RbInst *i, Dims *d) {
    memcpy(i->dims, d->dims, sizeof i->dims);
    i->rank = d->rank;
    RbVal *binding = rb_inst_binding(fe, i);
    for (int k = 0; k < d->rank; k++) {
        if (d->dims[k] >= 0) continue;
        bool known = binding && binding->kind != RB_VAL_ERROR && binding->rank == d->rank &&
                     binding->dims[k] >= 0;
        if (!known && (!binding || binding->kind != RB_VAL_ERROR)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, i->elem->component->at,
                    binding
                        ? "the size of '%s' is open (':'), and its value does not give it"
                        : "the size of '%s' is open (':'), but it has no value that would give it",
                    i->path);
        }
        d->dims[k] = known ? binding->dims[k] : 1;
    }
    for (int k = 0; k < d->rank; k++) {
        int like = d->like[k];
        if (like == 0 || (like <= d->rank && d->dims[like - 1] == d->dims[k])) continue;
        rb_fail(
            fe->diag, RB_ERROR_MODEL, i->elem->component->at,
            "dimension %d of '%s' has size %d, but it must be like dimension %d, which has size %d",
            k + 1, i->path, d->dims[k], like, like <= d->rank ? d->dims[like - 1] : 0);
    }
    memcpy(i->dims, d->dims, sizeof i->dims);
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

// Sizes that follow from parameters, or from the value of a parameter, may change later.
static void keep_sizes(RbFrontEnd *fe, const RbInst *i, const Dims *d) {
    RbFlatVar *v = &fe->flat->vars.data[i->var];
    if (!d->keeps || v->variability == RB_CONSTANT || v->variability == RB_DISCRETE) return;
    memcpy(v->dim_exprs, d->exprs, sizeof v->dim_exprs);
    for (int k = 0; k < d->rank; k++) {
        if (d->like[k] > 0)
            v->dim_exprs[k] = rb_builtin2(fe->x, RB_FN_SIZE, rb_flat_ref(fe->flat, i->var),
                                          rb_integer(fe->x, d->like[k]));
    }
    v->has_free_size = d->has_free_size || (d->open && v->variability == RB_PARAMETER);
}

static RbInst *make_child(RbFrontEnd *fe, RbInst *parent, RbElem *e) {
    RbClass *class = rb_elem_class(fe->classes, e);
    RbInst *i = new_inst(fe, parent, class, e, child_path(fe, parent, e->name));
    i->kind = RB_INST_BROKEN;
    parent->children[e->number - 1] = i;
    if (!class || !rb_class_ready(fe->classes, class)) return i;
    bool broken = false;
    take_prefixes(i, parent);
    if (is_absent(fe, parent, e, &broken)) {
        i->kind = RB_INST_ABSENT;
        return i;
    }
    if (broken || !check_class(fe, parent, e, class)) return i;
    i->mods = rb_mods_join(fe->arena, rb_mods_of(fe->arena, parent->mods, e->name),
                           rb_elem_mods(fe->classes, e));
    Dims d = {.keeps = class->is_type && class->type == RB_REAL && !i->is_static};
    if (!find_dims(fe, parent, e, class, &d)) return i;
    if (d.open) close_dims(fe, i, &d);
    if (class->is_type || class->is_external_object) {
        i->kind = RB_INST_LEAF;
        i->rank = d.rank;
        memcpy(i->dims, d.dims, sizeof i->dims);
        make_variable(fe, i);
        if (i->var >= 0) keep_sizes(fe, i, &d);
    } else if (d.rank > 0) {
        i->rank = d.rank;
        memcpy(i->dims, d.dims, sizeof i->dims);
        make_items(fe, i, &d);
    } else {
        make_component(fe, i);
    }
    return i;
}

RbInst *rb_inst_child(RbFrontEnd *fe, RbInst *inst, RbElem *elem) {
    RbInst *known = inst->children[elem->number - 1];
    if (known) return known;
    if (fe->depth >= INSTANCE_LIMIT) {
        RbInst *i = new_inst(fe, inst, NULL, elem, elem->name);
        i->kind = RB_INST_BROKEN;
        rb_fail(fe->diag, RB_ERROR_MODEL, elem->component->at,
                "components are nested more than %d levels deep at '%s'", INSTANCE_LIMIT,
                inst->path);
        return inst->children[elem->number - 1] = i;
    }
    fe->depth++;
    RbInst *i = make_child(fe, inst, elem);
    fe->depth--;
    return i;
}

void rb_inst_all(RbFrontEnd *fe, RbInst *inst) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) rb_inst_all(fe, inst->items[i]);
    }
    if (inst->kind != RB_INST_COMPONENT || fe->depth >= INSTANCE_LIMIT) return;
    fe->depth++;
    for (int i = 0; i < inst->class->components.count; i++) {
        RbElem *e = inst->class->components.data[i];
        if (e->clause->outer && !e->clause->inner) continue;
        rb_inst_all(fe, rb_inst_child(fe, inst, e));
    }
    fe->depth--;
}

// --- inner and outer -----------------------------------------------------------------------------

RbInst *rb_inst_inner(RbFrontEnd *fe, RbInst *outer) {
    RbName name = outer->elem->name;
    for (RbInst *p = outer->parent->parent; p; p = p->parent) {
        if (p->kind != RB_INST_COMPONENT) continue;
        RbElem *e = rb_class_elem(fe->classes, p->class, name);
        if (e && e->component && e->clause->inner && e->number > 0) return rb_inst_child(fe, p, e);
    }
    return NULL;
}

// --- bindings ------------------------------------------------------------------------------------

static RbVal lower_modifier(RbFrontEnd *fe, RbInst *inst, const RbModifier *m) {
    RbPlace ctx = context_of(fe, inst, m->scope);
    RbVal v = rb_lower_expr(fe, &ctx, m->mod->value);
    if (v.kind == RB_VAL_ERROR || m->sub_count == 0) return v;
    if (v.rank < m->sub_count) {
        if (v.kind == RB_VAL_EXPR || v.kind == RB_VAL_RECORD) {
            rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
                    "'%s' is part of an array of components: the value must be an array, or be "
                    "given with 'each'",
                    inst->path);
        }
        return rb_val_error();
    }
    for (int i = 0; i < m->sub_count; i++) {
        if (v.dims[i] >= m->subs[i]) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
                "'%s' needs element %d of this value, which has size %d", inst->path, m->subs[i],
                v.dims[i]);
        return rb_val_error();
    }
    return rb_val_element(fe, &v, m->subs, m->sub_count);
}

// The strongest modification that gives a value; reports a final one that is overridden.
static const RbModifier *strongest_value(RbFrontEnd *fe, RbMods mods, const char *what,
                                         bool include_own) {
    const RbModifier *best = NULL;
    for (int i = 0; i < mods.count; i++) {
        const RbModifier *m = &mods.list[i];
        if (!m->mod || !m->mod->value || m->no_value || (m->is_own && !include_own)) continue;
        if (best && m->final && best->mod->value->at.line != m->mod->value->at.line) {
            rb_fail(fe->diag, RB_ERROR_MODEL, best->mod->value->at,
                    "'%s' is final (line %d) and cannot be modified", what, m->at.line);
            return best;
        }
        if (!best) best = m;
    }
    return best && best->mod->value->kind != RB_AST_BREAK ? best : NULL;
}

static RbVal *keep_val(RbFrontEnd *fe, RbVal v) {
    RbVal *copy = rb_new(fe->arena, RbVal);
    *copy = v;
    return copy;
}

// Field of the record value that the parent is bound to.
static RbVal *field_of_parent(RbFrontEnd *fe, RbInst *inst) {
    RbInst *p = inst->parent;
    if (!p || !p->elem || !rb_class_is_record(p->class)) return NULL;
    RbVal *whole = rb_inst_binding(fe, p);
    if (!whole || whole->kind != RB_VAL_RECORD)
        return whole && whole->kind == RB_VAL_ERROR ? whole : NULL;
    // The record of the value may be another class with the same fields.
    for (int i = 0; i < whole->field_count; i++) {
        if (whole->class->components.data[i]->name == inst->elem->name) return &whole->fields[i];
    }
    if (inst->elem->component->mod && inst->elem->component->mod->value) return NULL;
    rb_fail(fe->diag, RB_ERROR_MODEL, p->elem->component->at,
            "the value of '%s' is a record '%s', which has no field '%s'", p->path,
            whole->class->full_name, inst->elem->name);
    return keep_val(fe, rb_val_error());
}

// A number that may be a size: n = size(A, 1) follows A.
static bool may_be_size(const RbInst *i) {
    return i->kind == RB_INST_LEAF && i->class->type == RB_INTEGER && i->rank == 0 &&
           i->variability == RB_AST_PARAMETER && i->var >= 0;
}

static RbVal *find_binding(RbFrontEnd *fe, RbInst *inst) {
    bool in_record = inst->parent && inst->parent->elem && rb_class_is_record(inst->parent->class);
    const RbModifier *m = strongest_value(fe, inst->mods, inst->path, !in_record);
    if (m) return inst->binding = keep_val(fe, lower_modifier(fe, inst, m));
    if (!in_record) return NULL;
    RbVal *field = field_of_parent(fe, inst);
    if (field && inst->is_item && field->kind != RB_VAL_ERROR && field->rank >= inst->sub_count) {
        field = keep_val(fe, rb_val_element(fe, field, inst->subs, inst->sub_count));
    }
    if (field) return inst->binding = field;
    m = strongest_value(fe, inst->mods, inst->path, true);
    return m ? inst->binding = keep_val(fe, lower_modifier(fe, inst, m)) : NULL;
}

RbVal *rb_inst_binding(RbFrontEnd *fe, RbInst *inst) {
    if (inst->binding_done || !inst->elem) return inst->binding;
    inst->binding_done = true;
    long before = fe->units_lost;
    bool outer = fe->keep_sizes;
    fe->keep_sizes = may_be_size(inst);
    find_binding(fe, inst);
    fe->keep_sizes = outer;
    inst->units_lost = fe->units_lost > before || (inst->parent && inst->parent->units_lost);
    return inst->binding;
}

// --- attributes ----------------------------------------------------------------------------------

static RbMods attribute_mods(RbFrontEnd *fe, const RbInst *i) {
    return rb_mods_join(fe->arena, i->mods,
                        (RbMods){i->class->type_mods.data, i->class->type_mods.count});
}

static const char *string_attribute(RbFrontEnd *fe, RbInst *i, RbMods all, RbName name) {
    RbMods mods = rb_mods_of(fe->arena, all, name);
    const RbModifier *m = strongest_value(fe, mods, name, true);
    if (!m) return NULL;
    if (m->mod->value->kind == RB_AST_STRING) {
        return rb_string_value(m->mod->value->text.start, m->mod->value->text.length, fe->arena);
    }
    RbVal v = lower_modifier(fe, i, m);
    RbExprValue value;
    if (v.kind == RB_VAL_ERROR) return NULL;
    if (v.kind != RB_VAL_EXPR || v.type != RB_STRING ||
        !rb_val_evaluate(fe, &v, &value, m->at, name) || value.count < 1) {
        return NULL;
    }
    return value.text[0];
}

static const RbExpr *attribute(RbFrontEnd *fe, RbInst *i, RbMods all, RbName name, RbType type) {
    RbMods mods = rb_mods_of(fe->arena, all, name);
    const RbModifier *m = strongest_value(fe, mods, name, true);
    if (!m) return NULL;
    RbVal v = lower_modifier(fe, i, m);
    if (v.kind == RB_VAL_ERROR) return NULL;
    RbVal wanted = {.kind = RB_VAL_EXPR,
                    .type = type,
                    .rank = v.rank > 0 ? i->rank : 0,
                    .class = type == i->class->type ? i->class : NULL};
    memcpy(wanted.dims, i->dims, sizeof wanted.dims);
    const char *what =
        rb_val_fits(&v, &wanted)
            ? ""
            : rb_arena_printf(fe->arena, "the attribute '%s' of '%s'", name, i->path);
    v = rb_val_convert(fe, v, &wanted, m->mod->value->at, what);
    return v.kind == RB_VAL_EXPR ? v.e : NULL;
}

static void check_attributes(RbFrontEnd *fe, const RbInst *i, RbMods all) {
    static const char *const known[] = {"quantity",  "unit",       "displayUnit", "min",
                                        "max",       "start",      "fixed",       "nominal",
                                        "unbounded", "stateSelect"};
    for (int k = 0; k < all.count; k++) {
        const RbAstMod *mod = all.list[k].mod;
        for (int n = 0; mod && n < mod->count; n++) {
            const RbAstArgument *a = &mod->arguments[n];
            if (a->element || a->is_break) continue;
            bool found = false;
            const char *near = NULL;
            for (size_t j = 0; j < sizeof known / sizeof known[0]; j++) {
                found = found || strcmp(known[j], a->name.parts[0]) == 0;
            }
            if (found) continue;
            for (size_t j = 0; j < sizeof known / sizeof known[0]; j++) {
                if (rb_text_edit_distance(known[j], a->name.parts[0], 2) <= 2) near = known[j];
            }
            rb_fail(fe->diag, RB_ERROR_MODEL, a->at,
                    "'%s' is a variable of type %s, which has no attribute '%s'%s%s%s", i->path,
                    i->class->full_name, a->name.parts[0], near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
        }
    }
}

static void lower_attributes(RbFrontEnd *fe, RbInst *i) {
    RbMods all = attribute_mods(fe, i);
    RbAttributes at = {.state_select = RB_STATE_DEFAULT};
    bool any = false;
    for (int k = 0; k < all.count; k++)
        any = any || (all.list[k].mod && all.list[k].mod->count > 0);
    if (any) {
        check_attributes(fe, i, all);
        at.start = attribute(fe, i, all, fe->n_start, i->class->type);
        at.fixed = attribute(fe, i, all, fe->n_fixed, RB_BOOLEAN);
        at.min = attribute(fe, i, all, fe->n_min, i->class->type);
        at.max = attribute(fe, i, all, fe->n_max, i->class->type);
        at.nominal = attribute(fe, i, all, fe->n_nominal, i->class->type);
        at.unit = string_attribute(fe, i, all, fe->n_unit);
        at.display_unit = string_attribute(fe, i, all, fe->n_display_unit);
        at.quantity = string_attribute(fe, i, all, fe->n_quantity);
        const RbExpr *select = attribute(fe, i, all, fe->n_state_select, RB_ENUM);
        if (select && select->op != RB_OP_INTEGER) {
            RbVal v = {.kind = RB_VAL_EXPR, .type = RB_ENUM, .e = select};
            RbExprValue value;
            if (rb_val_evaluate(fe, &v, &value, i->elem->component->at, "stateSelect")) {
                select = rb_enum(fe->x, (int64_t)value.data[0]);
            }
        }
        static const RbStateSelect order[] = {RB_STATE_NEVER, RB_STATE_AVOID, RB_STATE_DEFAULT,
                                              RB_STATE_PREFER, RB_STATE_ALWAYS};
        if (select && select->op == RB_OP_INTEGER && select->integer >= 1 && select->integer <= 5) {
            at.state_select = order[select->integer - 1];
        }
    }
    bool final = i->elem->clause->final;
    for (int k = 0; k < i->mods.count; k++) {
        if (i->mods.list[k].final && i->mods.list[k].mod && i->mods.list[k].mod->value)
            final = true;
    }
    fe->flat->vars.data[i->var].attributes = at;
    fe->flat->vars.data[i->var].is_final = final;
}

static void lower_binding(RbFrontEnd *fe, RbInst *i) {
    RbVal *binding = rb_inst_binding(fe, i);
    if (!binding || binding->kind == RB_VAL_ERROR) return;
    RbVal wanted = {
        .kind = RB_VAL_EXPR, .type = i->class->type, .rank = i->rank, .class = i->class};
    if (i->class->is_external_object) wanted.type = RB_EXTERNAL;
    memcpy(wanted.dims, i->dims, sizeof wanted.dims);
    RbPos at = i->elem->component->at;
    const RbModifier *m = strongest_value(fe, i->mods, i->path, true);
    if (m) at = m->mod->value->at;
    const char *what = rb_val_fits(binding, &wanted)
                           ? ""
                           : rb_arena_printf(fe->arena, "the value of '%s'", i->path);
    RbVal v = rb_val_convert(fe, *binding, &wanted, at, what);
    if (v.kind != RB_VAL_EXPR) return;
    if (i->variability > v.variability && i->variability >= RB_AST_PARAMETER) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' is a %s, but its value %s", i->path,
                i->variability == RB_AST_CONSTANT ? "constant" : "parameter",
                v.variability == RB_AST_PARAMETER ? "depends on a parameter"
                                                  : "varies during the simulation");
        return;
    }
    fe->flat->vars.data[i->var].binding = v.e;
    if (i->units_lost) rb_map_set(&fe->without_units, fe->arena, (uint64_t)i->var + 1, 1);
}

void rb_inst_bindings(RbFrontEnd *fe, RbInst *inst) {
    if (inst->kind == RB_INST_LEAF && inst->var >= 0) {
        lower_attributes(fe, inst);
        lower_binding(fe, inst);
    } else if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) rb_inst_bindings(fe, inst->items[i]);
    } else if (inst->kind == RB_INST_COMPONENT) {
        // A binding for a whole record is checked where its fields are used; one for another class
        // is wrong.
        if (inst->elem && !rb_class_is_record(inst->class)) {
            const RbModifier *m = strongest_value(fe, inst->mods, inst->path, true);
            if (m && !m->no_value) {
                rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
                        "'%s' is a component of the %s '%s' and cannot have a value", inst->path,
                        rb_restriction_name(inst->class->restriction), inst->class->full_name);
            }
        }
        for (int i = 0; i < inst->class->components.count; i++) {
            if (inst->children[i]) rb_inst_bindings(fe, inst->children[i]);
        }
    }
}

// --- values at translation -----------------------------------------------------------------------

static bool evaluate_now(RbFrontEnd *fe, RbInst *inst, RbExprValue *value) {
    RbVal *binding = rb_inst_binding(fe, inst);
    RbVal v;
    if (binding) {
        if (binding->kind != RB_VAL_EXPR) return false;
        v = *binding;
    } else {
        // A parameter without a value has its start value.
        if (inst->variability != RB_AST_PARAMETER) return false;
        const RbExpr *start =
            attribute(fe, inst, attribute_mods(fe, inst), fe->n_start, inst->class->type);
        if (!start) return false;
        v = rb_val_expr(fe, start, inst->rank, inst->dims, RB_AST_PARAMETER);
    }
    if (!rb_val_evaluate(fe, &v, value, inst->elem->component->at, NULL)) return false;
    if (inst->class->type == RB_REAL && value->type == RB_INTEGER) value->type = RB_REAL;
    return true;
}

bool rb_inst_value(RbFrontEnd *fe, RbInst *inst, RbExprValue *value) {
    if (inst->kind != RB_INST_LEAF || inst->variability < RB_AST_PARAMETER) return false;
    if (inst->evaluation == RB_EVAL_BUSY) {
        if (fe->diag->error_count == 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, inst->elem->component->at,
                    "the value of '%s' depends on itself", inst->path);
        }
        return false;
    }
    if (inst->evaluation == RB_EVAL_NOT) {
        inst->evaluation = RB_EVAL_BUSY;
        bool good = evaluate_now(fe, inst, &inst->value);
        inst->evaluation = good ? RB_EVAL_DONE : RB_EVAL_FAILED;
    }
    if (inst->evaluation != RB_EVAL_DONE) return false;
    *value = inst->value;
    return true;
}
