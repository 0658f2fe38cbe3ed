// SPDX-License-Identifier: MIT
// Components in C that stand for many instances: which instances are their members, how their
// opaque connectors are connected, and where their values are (docs/decisions/gathering.md).
#include <string.h>

#include "classes/resource.h"
#include "flatten/contribution.h"
#include "flatten/frontend.h"

// A component: all members of one type below one anchor.
typedef struct Gathering {
    const char *type;
    const RbRoleSpec *roles;
    RbInst *anchor;
    RB_ARRAY(RbInst *) insts; // NULL: a call
    RB_ARRAY(RbMember) members;
    int sets; // numbered so far
} Gathering;

typedef struct RbGather {
    RB_ARRAY(Gathering) list;
} RbGather;

// --- opaque connectors ---------------------------------------------------------------------------

bool rb_is_opaque(RbFrontEnd *fe, RbClass *class) {
    const RbAstExpr *e = rb_class_vendor(fe->classes, class)->opaque;
    return e && e->kind == RB_AST_TRUE;
}

static RbInst *set_of(RbInst *i) {
    while (i->joined) {
        if (i->joined->joined) i->joined = i->joined->joined;
        i = i->joined;
    }
    return i;
}

void rb_opaque_join(RbInst *a, RbInst *b) {
    a = set_of(a);
    b = set_of(b);
    if (a != b) b->joined = a;
}

// --- members -------------------------------------------------------------------------------------

static RbPos position(const RbInst *i) {
    return i->elem && i->elem->component ? i->elem->component->at : i->class->root->def->at;
}

static const char *entry(RbFrontEnd *fe, RbInst *inst, const RbAstExpr *e) {
    if (!e) return NULL;
    RbPlace place = {.inst = inst, .scope = inst->class->root};
    RbVal v = rb_lower_expr(fe, &place, e);
    if (v.kind == RB_VAL_EXPR && v.e->op == RB_OP_STRING) return v.e->text;
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "an entry of __Rattleback must be a string here");
    return NULL;
}

bool rb_is_msl_multibody(const RbClass *class) {
    static const char package[] = "Modelica.Mechanics.MultiBody.";
    return strncmp(class->full_name, package, sizeof package - 1) == 0;
}

// The anchor of a part must be what its class says: another world, whose parts are equations, knows nothing of it.
static bool fits(RbFrontEnd *fe, const RbInst *inst, const RbInst *anchor, RbClass *wanted) {
    if (!wanted || !rb_class_vendor(fe->classes, wanted)->role ||
        rb_class_vendor(fe->classes, anchor->class)->role)
        return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, position(inst),
            "'%s' (%s) needs a %s, but '%s' is a %s: declare 'inner %s %s;' instead%s", inst->path,
            inst->class->full_name, wanted->full_name, anchor->path, anchor->class->full_name,
            wanted->full_name, anchor->path,
            rb_is_msl_multibody(anchor->class) ? "; or " RB_MSL_BESIDE : "");
    return false;
}

// A component of the model that was perhaps meant: of the class, but not inner, or of another name.
static const char *meant_anchor(RbFrontEnd *fe, const RbClass *class, const char *name) {
    for (int i = 0; class && i < fe->root->class->components.count; i++) {
        RbElem *e = fe->root->class->components.data[i];
        if (rb_elem_class(fe->classes, e) != class) continue;
        bool named = strcmp(e->name, name) == 0;
        return rb_arena_printf(fe->arena, "; '%s' is one, but it is not %s%s%s", e->name,
                               named ? "inner" : "called '", named ? "" : name, named ? "" : "'");
    }
    return "";
}

// What the outer component of the class stands for. The instance itself if the class names none.
// An empty name: with the others of its type, whatever holds these together, or the model alone.
static RbInst *find_anchor(RbFrontEnd *fe, RbInst *inst, const char *type, const char *name) {
    if (!name) return inst;
    for (int i = 0; !*name && i < fe->gather->list.count; i++) {
        if (strcmp(fe->gather->list.data[i].type, type) == 0)
            return fe->gather->list.data[i].anchor;
    }
    if (!*name) return fe->root;
    RbElem *e = rb_class_elem(fe->classes, inst->class, rb_intern(fe->names, name));
    if (!e || !e->component || !e->clause->outer) {
        rb_fail(fe->diag, RB_ERROR_MODEL, inst->class->root->def->at,
                "the anchor of '%s' must be one of its outer components; '%s' is none",
                inst->class->full_name, name);
        return NULL;
    }
    RbInst *anchor = rb_inst_inner(fe, rb_inst_child(fe, inst, e));
    RbClass *class = rb_elem_class(fe->classes, e);
    if (!anchor)
        rb_fail(fe->diag, RB_ERROR_MODEL, position(inst),
                "'%s' needs a %s around it: add 'inner %s %s;' to the model%s", inst->path, name,
                class ? class->full_name : "model", name, meant_anchor(fe, class, name));
    return anchor && fits(fe, inst, anchor, class) ? anchor : NULL;
}

static Gathering *find_gathering(RbFrontEnd *fe, RbInst *inst, const char *type, RbInst *anchor) {
    RbGather *g = fe->gather;
    for (int i = 0; i < g->list.count; i++) {
        Gathering *known = &g->list.data[i];
        if (strcmp(known->type, type) != 0) continue;
        if (known->anchor == anchor) return known;
        rb_fail(fe->diag, RB_ERROR_MODEL, position(anchor),
                "'%s' is a second %s beside '%s'; a model has one", anchor->path,
                anchor->class->full_name, known->anchor->path);
        return NULL;
    }
    const RbRoleSpec *roles =
        fe->find_roles ? fe->find_roles(fe->contribute_user, type, position(inst)) : NULL;
    if (!roles) {
        if (!fe->find_roles)
            rb_fail(fe->diag, RB_ERROR_MODEL, position(inst),
                    "'%s' is implemented by the component '%s', which is not available here",
                    inst->class->full_name, type);
        return NULL;
    }
    rb_array_push(&g->list, fe->work, (Gathering){.type = type, .roles = roles, .anchor = anchor});
    return &g->list.data[g->list.count - 1];
}

static int find_role(RbFrontEnd *fe, const Gathering *g, const RbInst *inst, const char *role) {
    int r = 0;
    while (g->roles[r].name && strcmp(g->roles[r].name, role) != 0) r++;
    if (g->roles[r].name) return r;
    rb_fail(fe->diag, RB_ERROR_MODEL, inst->class->root->def->at,
            "the component '%s' has no role '%s', which '%s' names", g->type, role,
            inst->class->full_name);
    return -1;
}

// Members without an anchor of their own come last, once the anchors are known.
static void add_member(RbFrontEnd *fe, RbInst *inst, const RbVendor *v, bool last) {
    const char *type = entry(fe, inst, v->component), *role = entry(fe, inst, v->role),
               *name = entry(fe, inst, v->anchor);
    if (!type || !role || (name && !*name) != last) return;
    RbInst *anchor = find_anchor(fe, inst, type, name);
    Gathering *g = anchor ? find_gathering(fe, inst, type, anchor) : NULL;
    int r = g ? find_role(fe, g, inst, role) : -1;
    if (r < 0) return;
    RbMember m = {
        .role = r, .path = inst->path, .class_name = inst->class->full_name, .at = position(inst)};
    rb_array_push(&g->insts, fe->work, inst);
    rb_array_push(&g->members, fe->work, m);
}

static void find_members(RbFrontEnd *fe, RbInst *inst, bool last) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) find_members(fe, inst->items[i], last);
    }
    if (inst->kind != RB_INST_COMPONENT) return;
    const RbVendor *v = rb_class_vendor(fe->classes, inst->class);
    if (v->role && inst != fe->root) add_member(fe, inst, v, last);
    for (int i = 0; i < inst->class->components.count; i++) {
        RbElem *e = inst->class->components.data[i];
        if (inst->children[i] && !(e->clause->outer && !e->clause->inner))
            find_members(fe, inst->children[i], last);
    }
}

static RbInst *child(RbFrontEnd *fe, RbInst *inst, const char *name, size_t length) {
    if (!inst || inst->kind != RB_INST_COMPONENT) return NULL;
    RbElem *e = rb_class_elem(fe->classes, inst->class, rb_intern_bytes(fe->names, name, length));
    return e && e->component && e->number > 0 ? rb_inst_child(fe, inst, e) : NULL;
}

// From 0; -1: there is no such frame.
static int number_of_set(Gathering *g, RbInst *frame) {
    if (!frame || frame->kind != RB_INST_COMPONENT) return -1;
    RbInst *set = set_of(frame);
    if (set->set == 0) set->set = ++g->sets;
    return set->set - 1;
}

// The frames of an array, "frames[:]", count one by one.
static void number_sets(RbFrontEnd *fe, Gathering *g, int k) {
    const char *const *names = g->roles[g->members.data[k].role].frames;
    int count = 0, single = 0;
    RbInst *array = NULL;
    for (; names && names[count]; count++) {
        const char *colon = strstr(names[count], "[:]");
        if (!colon) continue;
        array = child(fe, g->insts.data[k], names[count], (size_t)(colon - names[count]));
        break;
    }
    single = count;
    if (array && array->kind == RB_INST_ARRAY) count += array->count;
    int *sets = rb_new_array(fe->arena, int, count + 1);
    for (int i = 0; i < single; i++)
        sets[i] = number_of_set(g, child(fe, g->insts.data[k], names[i], strlen(names[i])));
    for (int i = single; i < count; i++) sets[i] = number_of_set(g, array->items[i - single]);
    g->members.data[k].sets = sets, g->members.data[k].set_count = count;
}

void rb_gather_find(RbFrontEnd *fe) {
    fe->gather = rb_new(fe->work, RbGather);
    find_members(fe, fe->root, false);
    find_members(fe, fe->root, true);
    for (int i = 0; i < fe->gather->list.count; i++) {
        Gathering *g = &fe->gather->list.data[i];
        for (int k = 0; k < g->members.count; k++) number_sets(fe, g, k);
    }
}

static void check_size(RbFrontEnd *fe, const RbMember *m, const RbValueSpec *spec, int var);

// --- calls ---------------------------------------------------------------------------------------

static int value_count(const RbRoleSpec *role) {
    int count = 0;
    while (role->values && role->values[count].name) count++;
    return count;
}

static int constant(RbFrontEnd *fe, const RbGatheredCall *call, const char *name, double value) {
    RbFlatVar p = {.name = rb_intern(fe->names, rb_arena_printf(fe->temp, "%s.%s%d", call->path,
                                                                name, fe->flat->vars.count)),
                   .variability = RB_PARAMETER,
                   .type = RB_REAL,
                   .binding = rb_real(fe->x, value),
                   .is_protected = true,
                   .is_final = true,
                   .hide_result = true,
                   .at = call->at};
    int index = rb_flat_add(fe->flat, &p);
    rb_array_push(&fe->by_var, fe->work, fe->root);
    return index;
}

// A text that is written down, here or where a parameter got it from.
static const char *known_text(const RbFrontEnd *fe, int var) {
    enum { LONGEST = 100 }; // parameters that get it from each other
    const RbExpr *e = fe->flat->vars.data[var].binding;
    for (int i = 0; e && e->op == RB_OP_VAR && i < LONGEST; i++)
        e = fe->flat->vars.data[e->index].binding;
    return e && e->op == RB_OP_STRING ? e->text : NULL;
}

static void set_value(RbFrontEnd *fe, RbMember *m, const RbRoleSpec *role, const char *name,
                      int var) {
    int *flat = (int *)m->flat, *sizes = (int *)m->sizes;
    for (int i = 0; role->values[i].name; i++) {
        if (strcmp(role->values[i].name, name) != 0) continue;
        flat[i] = var;
        sizes[i] = rb_flat_size(&fe->flat->vars.data[var]);
        ((bool *)m->has)[i] = true;
        if (role->values[i].type == RB_VALUE_TEXT)
            ((const char **)m->texts)[i] = known_text(fe, var);
        check_size(fe, m, &role->values[i], var);
    }
}

static void set_known(RbMember *m, const RbRoleSpec *role, const char *name, double value) {
    for (int i = 0; role->values[i].name; i++) {
        if (strcmp(role->values[i].name, name) == 0) ((double *)m->known)[i] = value;
    }
}

void rb_gather_call(RbFrontEnd *fe, const RbGatheredCall *call) {
    const RbVendor *v = rb_class_vendor(fe->classes, call->class);
    RbGather *all = fe->gather;
    const char *type = entry(fe, fe->root, v->component), *role = entry(fe, fe->root, v->role);
    Gathering *g = NULL;
    for (int i = 0; type && i < all->list.count; i++)
        if (strcmp(all->list.data[i].type, type) == 0) g = &all->list.data[i];
    if (!g) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "there is nothing that '%s' could act on: the model has no part of a %s component",
                call->class->full_name, type ? type : "");
        return;
    }
    int r = role ? find_role(fe, g, fe->root, role) : -1;
    if (r < 0) return;
    int count = value_count(&g->roles[r]);
    RbMember m = {.role = r,
                  .path = call->path,
                  .class_name = call->class->full_name,
                  .at = call->at,
                  .sets = rb_new_array(fe->arena, int, 1),
                  .has = rb_new_array(fe->arena, bool, count + 1),
                  .known = rb_new_array(fe->arena, double, count + 1),
                  .texts = rb_new_array(fe->arena, const char *, count + 1),
                  .flat = rb_new_array(fe->arena, int, count + 1),
                  .sizes = rb_new_array(fe->arena, int, count + 1)};
    bool *signal = rb_new_array(fe->arena, bool, 2);
    signal[0] = call->starts;
    m.has_variable = m.wanted = signal;
    RbVal kind =
        rb_lower_expr(fe, &(RbPlace){.inst = fe->root, .scope = call->class->root}, v->kind);
    double number = kind.e ? (double)kind.e->integer : 0;
    set_value(fe, &m, &g->roles[r], "kind", constant(fe, call, "kind", number));
    set_known(&m, &g->roles[r], "kind", number);
    set_value(fe, &m, &g->roles[r], "program", constant(fe, call, "program", call->program));
    for (int i = 0; i < call->count; i++)
        set_value(fe, &m, &g->roles[r], call->names[i], call->vars[i]);
    rb_array_push(&g->insts, fe->work, NULL);
    rb_array_push(&g->members, fe->work, m);
}

void rb_gather_print(RbFrontEnd *fe, RbText *out) {
    for (int i = 0; i < fe->gather->list.count; i++) {
        const Gathering *g = &fe->gather->list.data[i];
        rb_text_printf(out, "\n%s of %s: %d members, %d sets of frames\n", g->type, g->anchor->path,
                       g->members.count, g->sets);
        for (int k = 0; k < g->members.count; k++) {
            const RbMember *m = &g->members.data[k];
            const RbRoleSpec *role = &g->roles[m->role];
            rb_text_printf(out, "  %s %s", role->name, m->path);
            for (int f = 0; f < m->set_count; f++) {
                int name = 0; // an array is the last of them
                while (name < f && role->frames[name + 1]) name++;
                if (m->sets[f] >= 0)
                    rb_text_printf(out, "%s %s %d", f > 0 ? "," : ":", role->frames[name],
                                   m->sets[f] + 1);
            }
            rb_text_add(out, "\n");
        }
    }
}

// --- values --------------------------------------------------------------------------------------

// The start value of a variable as a parameter of its own, "hinge.phi.start"; or whether it is fixed.
static int attribute_parameter(RbFrontEnd *fe, const RbInst *leaf, bool fixed) {
    const RbFlatVar *var = &fe->flat->vars.data[leaf->var];
    const RbExpr *value = fixed ? var->attributes.fixed : var->attributes.start;
    if (!value) value = fixed ? rb_boolean(fe->x, false) : rb_real(fe->x, 0.0);
    int size = rb_flat_size(var);
    if (var->rank == 1 && value->rank == 0) {
        const RbExpr **items = rb_new_array(fe->temp, const RbExpr *, size + 1);
        for (int i = 0; i < size; i++) items[i] = value;
        value = rb_array(fe->x, items, size);
    }
    RbFlatVar p = {.name = rb_intern(fe->names, rb_arena_printf(fe->temp, "%s.%s", leaf->path,
                                                                fixed ? "fixed" : "start")),
                   .variability = RB_PARAMETER,
                   .type = fixed ? RB_BOOLEAN : var->type,
                   .rank = var->rank,
                   .attributes = {.unit = fixed ? NULL : var->attributes.unit},
                   .binding = value,
                   .description = fixed ? "is the start value fixed" : "start value",
                   .hide_result = fixed,
                   .at = var->at};
    memcpy(p.dims, var->dims, sizeof p.dims);
    int index = fe->flat->vars.count;
    rb_array_push(&fe->flat->vars, fe->work, p);
    rb_array_push(&fe->by_var, fe->work, (RbInst *)leaf);
    return index;
}

// The variable that a value is; -1: the class has none.
static int find_value(RbFrontEnd *fe, RbInst *inst, const RbValueSpec *spec, RbInst **leaf) {
    const char *at = spec->name;
    bool attribute = false, fixed = false;
    while (inst && *at && !attribute) {
        size_t length = strcspn(at, ".");
        attribute = inst->kind == RB_INST_LEAF;
        fixed = attribute && strcmp(at, "fixed") == 0;
        if (!attribute) inst = child(fe, inst, at, length);
        at += length + (at[length] == '.');
    }
    if (!inst || inst->kind != RB_INST_LEAF || inst->var < 0) return -1;
    *leaf = inst;
    return attribute ? attribute_parameter(fe, inst, fixed) : inst->var;
}

static void check_size(RbFrontEnd *fe, const RbMember *m, const RbValueSpec *spec, int var) {
    const RbFlatVar *v = &fe->flat->vars.data[var];
    int size = spec->count > 0 ? spec->count : spec->count < 0 ? rb_flat_size(v) : 1;
    bool text = spec->type == RB_VALUE_TEXT;
    if (text == (v->type == RB_STRING) && (text || rb_flat_size(v) == size)) return;
    rb_fail(fe->diag, RB_ERROR_MODEL, v->at,
            "'%s' of '%s' belongs to a component in C, which wants %s%d there", spec->name, m->path,
            text ? "a String, not " : "so many numbers: ", text ? rb_flat_size(v) : size);
}

// The component reads its values before initial equations are solved.
static void check_known(RbFrontEnd *fe, const RbMember *m, const RbValueSpec *spec, int var) {
    const RbFlatVar *v = &fe->flat->vars.data[var];
    const RbExpr *fixed = v->attributes.fixed;
    if (v->variability != RB_PARAMETER || !fixed || fixed->op != RB_OP_BOOLEAN ||
        fixed->integer != 0)
        return;
    rb_fail(
        fe->diag, RB_ERROR_MODEL, v->at,
        "'%s' of '%s' belongs to a component in C, which wants its value before the run: it cannot "
        "be found by initial equations",
        spec->name, m->path);
}

// A text that names a file of a library, modelica://Package/file, becomes its path.
static void find_resource(RbFrontEnd *fe, int var) {
    RbFlatVar *v = &fe->flat->vars.data[var];
    if (!v->binding || v->binding->op != RB_OP_STRING || !strstr(v->binding->text, "://")) return;
    v->binding = rb_string(fe->x, rb_resource_path(fe->library, v->binding->text));
}

static const RbExpr *zeros(RbFrontEnd *fe, const RbFlatVar *v) {
    int size = rb_flat_size(v);
    const RbExpr **items = rb_new_array(fe->temp, const RbExpr *, size + 1);
    for (int i = 0; i < size; i++) items[i] = rb_real(fe->x, 0.0);
    return v->rank == 1 ? rb_array(fe->x, items, size) : items[0];
}

// The declaration of a parameter becomes a function of another one. Answers its number, -1: there is none.
static int take_function(RbFrontEnd *fe, RbInst *inst, const RbValueSpec *spec, RbInst *leaf) {
    RbInst *argument = child(fe, inst, spec->argument, strlen(spec->argument));
    RbFlatVar *v = &fe->flat->vars.data[leaf->var];
    if (!argument || argument->kind != RB_INST_LEAF || argument->var < 0 || !v->binding ||
        v->rank > 1)
        return -1;
    RbFlatFunction f = {argument->var, leaf->var, v->binding, v->at};
    const RbExpr *e = f.body;
    while (e->op == RB_OP_ARRAY || e->op == RB_OP_SUBSCRIPT || e->op == RB_OP_RESULT)
        e = e->args[0];
    v->binding = zeros(fe, v);
    v->is_protected = v->hide_result = v->is_final = true;
    if (e->op == RB_OP_CALL && fe->flat->functions.data[e->index]->is_none) return -1;
    rb_array_push(&fe->flat->component_functions, fe->arena, f);
    return fe->flat->component_functions.count - 1;
}

// How many elements of an attribute `fixed` are true, as far as it is written down.
static double count_true(const RbExpr *e) {
    double sum = 0;
    if (e && e->op == RB_OP_BOOLEAN) return e->integer != 0;
    for (int i = 0; e && e->op == RB_OP_ARRAY && i < e->arg_count; i++)
        sum += count_true(e->args[i]);
    return sum;
}

static void find_values(RbFrontEnd *fe, Gathering *g, int k) {
    RbMember *m = &g->members.data[k];
    const RbValueSpec *values = g->roles[m->role].values;
    int count = 0;
    while (values && values[count].name) count++;
    int *flat = rb_new_array(fe->arena, int, count + 1);
    bool *has = rb_new_array(fe->arena, bool, count + 1);
    double *known = rb_new_array(fe->arena, double, count + 1);
    const char **texts = rb_new_array(fe->arena, const char *, count + 1);
    int *sizes = rb_new_array(fe->arena, int, count + 1);
    for (int i = 0; i < count; i++) {
        RbInst *leaf = NULL;
        RbExprValue value;
        flat[i] = find_value(fe, g->insts.data[k], &values[i], &leaf);
        has[i] = flat[i] >= 0;
        if (!has[i]) continue;
        check_size(fe, m, &values[i], flat[i]);
        if (values[i].type == RB_VALUE_FUNCTION) {
            sizes[i] = rb_flat_size(&fe->flat->vars.data[flat[i]]);
            flat[i] = take_function(fe, g->insts.data[k], &values[i], leaf);
            has[i] = flat[i] >= 0;
            continue;
        }
        check_known(fe, m, &values[i], flat[i]);
        if (values[i].type == RB_VALUE_TEXT) find_resource(fe, flat[i]);
        if (values[i].type == RB_VALUE_TEXT) texts[i] = known_text(fe, flat[i]);
        sizes[i] = rb_flat_size(&fe->flat->vars.data[flat[i]]);
        if (rb_text_ends_with(values[i].name, ".fixed"))
            known[i] = count_true(fe->flat->vars.data[flat[i]].binding);
        if (values[i].type != RB_VALUE_STRUCTURE) continue;
        if (!rb_inst_value(fe, leaf, RB_USE_STRUCTURE, &value) || value.count < 1) {
            rb_fail(fe->diag, RB_ERROR_MODEL, position(leaf),
                    "'%s' decides what the model is made of: its value must be known now",
                    leaf->path);
            continue;
        }
        known[i] = value.data[0];
        fe->flat->vars.data[flat[i]].is_structural = true;
    }
    m->flat = flat;
    m->has = has;
    m->known = known;
    m->texts = texts;
    m->sizes = sizes;
}

// --- variables -----------------------------------------------------------------------------------

typedef RB_ARRAY(const RbExpr *) Roots;

static void add_root(RbFrontEnd *fe, Roots *roots, const RbExpr *e) {
    if (e) rb_array_push(roots, fe->work, e);
}

static void add_statements(RbFrontEnd *fe, Roots *roots, const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        add_root(fe, roots, s->target);
        add_root(fe, roots, s->value);
        for (int k = 0; k < s->targets.count; k++) add_root(fe, roots, s->targets.data[k]);
        for (int k = 0; k < s->branches.count; k++) {
            add_root(fe, roots, s->branches.data[k].condition);
            add_statements(fe, roots, &s->branches.data[k].statements);
        }
    }
}

static void add_equations(RbFrontEnd *fe, Roots *roots, const RbEquations *list) {
    for (int i = 0; i < list->count; i++) {
        const RbEquation *e = list->data[i];
        add_root(fe, roots, e->left);
        add_root(fe, roots, e->right);
        add_statements(fe, roots, &e->statements);
        for (int k = 0; k < e->branches.count; k++) {
            add_root(fe, roots, e->branches.data[k].condition);
            add_equations(fe, roots, &e->branches.data[k].equations);
        }
    }
}

// Variables that an equation or a declaration speaks of.
static bool *find_used(RbFrontEnd *fe) {
    Roots roots = {0};
    bool *used = rb_new_array(fe->work, bool, fe->flat->vars.count + 1);
    add_equations(fe, &roots, &fe->flat->equations);
    add_equations(fe, &roots, &fe->flat->initial_equations);
    for (int i = 0; i < fe->flat->vars.count; i++) {
        const RbFlatVar *v = &fe->flat->vars.data[i];
        add_root(fe, &roots, v->binding);
        if (v->binding && v->variability > RB_PARAMETER) used[i] = true;
    }
    RbExprOrder order = rb_expr_order(fe->x, roots.data, roots.count, fe->work);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op == RB_OP_VAR) used[order.nodes[i]->index] = true;
    }
    return used;
}

static bool is_connected(const RbInst *leaf) {
    return leaf->connections > 0 || (leaf->parent && rb_class_is_connector(leaf->parent->class) &&
                                     leaf->parent->connections > 0);
}

// Nobody speaks of it: no variable of the equations, but perhaps a result of the component, under
// the same name.
static void drop(RbFrontEnd *fe, const RbInst *leaf) {
    RbFlatVar *v = &fe->flat->vars.data[leaf->var];
    v->variability = RB_PARAMETER;
    v->causality = RB_LOCAL;
    v->attributes = (RbAttributes){.unit = v->attributes.unit};
    v->binding = v->rank == 1 || v->type == RB_REAL ? zeros(fe, v) : NULL;
    v->is_protected = v->hide_result = v->is_final = true;
    v->name = rb_intern(fe->names, rb_arena_printf(fe->temp, "%s.$unused", v->name));
}

// An input of a block; that of a whole model is set from outside.
static void check_input(RbFrontEnd *fe, const RbInst *leaf) {
    if (leaf->causality != RB_AST_INPUT || !rb_class_is_connector(leaf->class)) return;
    rb_fail(fe->diag, RB_ERROR_MODEL, position(leaf->parent),
            "nothing determines the input '%s'; connect it, or give it a value: %s = ...",
            leaf->path, leaf->elem->component->name);
}

static void find_wanted(RbFrontEnd *fe, Gathering *g, int k, const bool *used) {
    RbMember *m = &g->members.data[k];
    const char *const *names = g->roles[m->role].variables;
    int count = 0;
    while (names && names[count]) count++;
    bool *wanted = rb_new_array(fe->arena, bool, count + 1),
         *has = rb_new_array(fe->arena, bool, count + 1);
    for (int i = 0; i < count; i++) {
        RbInst *leaf = child(fe, g->insts.data[k], names[i], strlen(names[i]));
        if (!leaf || leaf->kind != RB_INST_LEAF || leaf->var < 0) continue;
        has[i] = true;
        wanted[i] = used[leaf->var] || is_connected(leaf);
        if (!wanted[i]) check_input(fe, leaf);
    }
    m->wanted = wanted;
    m->has_variable = has;
}

// The component has declared what it takes part in.
static void drop_unused(RbFrontEnd *fe, Gathering *g, int k) {
    const RbMember *m = &g->members.data[k];
    const char *const *names = g->roles[m->role].variables;
    for (int i = 0; names && names[i]; i++) {
        RbInst *leaf = child(fe, g->insts.data[k], names[i], strlen(names[i]));
        if (!leaf || leaf->kind != RB_INST_LEAF || leaf->var < 0) continue;
        if (fe->flat->vars.data[leaf->var].variability == RB_CONTINUOUS && !leaf->in_component)
            drop(fe, leaf);
    }
}

// --- what it adds --------------------------------------------------------------------------------

void rb_gather_contribute(RbFrontEnd *fe) {
    RbGather *all = fe->gather;
    if (all->list.count == 0) return;
    const bool *used = find_used(fe);
    for (int i = 0; i < all->list.count; i++) {
        Gathering *g = &all->list.data[i];
        for (int k = 0; k < g->members.count; k++) {
            if (g->insts.data[k]) find_wanted(fe, g, k, used);
        }
        for (int k = 0; k < g->members.count; k++) {
            if (g->insts.data[k]) find_values(fe, g, k);
        }
        RbGathered *done = rb_new(fe->arena, RbGathered);
        *done = (RbGathered){.anchor = g->anchor->path,
                             .members = rb_new_array(fe->arena, RbMember, g->members.count + 1),
                             .count = g->members.count,
                             .set_count = g->sets};
        memcpy(done->members, g->members.data, (size_t)g->members.count * sizeof *done->members);
        rb_component_gathered(fe, g->type, position(g->anchor), done);
        for (int k = 0; k < g->members.count; k++) {
            if (g->insts.data[k]) drop_unused(fe, g, k);
        }
    }
}
