// SPDX-License-Identifier: MIT
// component.c: instances of classes that a component in C implements: its variables, equations and
// calls become part of the flat model (contribution.h, docs/decisions/two-halves.md).
#include <stdlib.h>
#include <string.h>

#include "classes/resource.h"
#include "flatten/contribution.h"
#include "flatten/frontend.h"
#include "syntax/parse.h"

typedef struct Component {
    RbFrontEnd *fe;
    RbInst *inst;
    RbPos at;                   // of its declaration
    const RbGathered *gathered; // NULL: it stands for the instance alone
    RbContribution c;
    struct Element {
        int rank, at[2]; // subscripts from 1
    } * elements;        // per variable: of an array; rank 0: it is a scalar
    const RbLoopVar
        *names;     // variables that the class does not have, by their names in the equations
    int *functions; // number in the flat model of each function
    int *tokens;    // variable of each function's token
    int *solves;    // per function: whose rows it solves, or -1; it is called by nobody yet
} Component;

static const char *path_of(const Component *k, const char *name) {
    return *k->inst->path ? rb_arena_printf(k->fe->arena, "%s.%s", k->inst->path, name) : name;
}

// --- variables -----------------------------------------------------------------------------------

// The map follows the list of variables, which only grows.
static int find_var(Component *k, RbName path) {
    RbFrontEnd *fe = k->fe;
    for (; fe->vars_named < fe->flat->vars.count; fe->vars_named++)
        rb_map_set(&fe->var_of, fe->work, rb_map_key(fe->flat->vars.data[fe->vars_named].name),
                   (uint64_t)fe->vars_named);
    uint64_t *found = rb_map_find(&fe->var_of, rb_map_key(path));
    return found ? (int)*found : -1;
}

// A variable that no declaration stands for.
static int add_var(Component *k, const RbFlatVar *var) {
    RbFrontEnd *fe = k->fe;
    int index = rb_flat_add(fe->flat, var);
    RbInst *leaf = rb_new(fe->arena, RbInst);
    *leaf = (RbInst){.kind = RB_INST_LEAF,
                     .class = fe->classes->real,
                     .path = var->name,
                     .var = index,
                     .parent = k->inst,
                     .variability =
                         var->variability == RB_PARAMETER ? RB_AST_PARAMETER : RB_AST_CONTINUOUS};
    rb_array_push(&fe->by_var, fe->arena, leaf);
    return index;
}

static int add_hidden(Component *k, const char *name) {
    return add_var(k, &(RbFlatVar){.name = rb_intern(k->fe->names, path_of(k, name)),
                                   .variability = RB_CONTINUOUS,
                                   .type = RB_REAL,
                                   .is_protected = true,
                                   .hide_result = true,
                                   .at = k->at});
}

// An input that the class does not have can only be a number.
static int declare(Component *k, const RbVariableSpec *spec, RbName path) {
    bool fixed = spec->kind == RB_VARIABLE_INPUT;
    const RbExpr *value = rb_real(k->fe->x, spec->value);
    int v = add_var(k, &(RbFlatVar){.name = path,
                                    .variability = fixed ? RB_PARAMETER : RB_CONTINUOUS,
                                    .type = RB_REAL,
                                    .attributes = {.unit = spec->unit[0] ? spec->unit : NULL,
                                                   .start = fixed ? NULL : value},
                                    .binding = fixed ? value : NULL,
                                    .description = spec->description,
                                    .hide_result = spec->name[0] == '\'', // for its equations alone
                                    .at = k->at});
    RbLoopVar *name = rb_new(k->fe->arena, RbLoopVar);
    *name = (RbLoopVar){.name = rb_intern(k->fe->names, spec->name), .outer = k->names};
    name->value = rb_val_expr(k->fe, rb_flat_ref(k->fe->flat, v), 0, NULL,
                              fixed ? RB_AST_PARAMETER : RB_AST_CONTINUOUS);
    k->names = name;
    return v;
}

// The variable of a name, or the array that it is an element of: "r_rel[2]".
static int find_or_declare(Component *k, int i) {
    RbFrontEnd *fe = k->fe;
    const RbVariableSpec *spec = &k->c.variables[i];
    const char *full = path_of(k, spec->name);
    size_t length = strlen(full);
    RbName path = rb_intern(fe->names, full);
    int v = find_var(k, path);
    if (v < 0 && length > 0 && full[length - 1] == ']') {
        const char *open = strrchr(full, '[');
        const char *comma = strchr(open, ',');
        v = find_var(k, rb_intern_bytes(fe->names, full, (size_t)(open - full)));
        if (v >= 0)
            k->elements[i] =
                (struct Element){comma ? 2 : 1, {atoi(open + 1), comma ? atoi(comma + 1) : 0}};
    }
    return v < 0 ? declare(k, spec, path) : v;
}

static bool match_variables(Component *k) {
    RbFrontEnd *fe = k->fe;
    k->c.flat = rb_new_array(fe->arena, int, k->c.variable_count + 1);
    k->elements = rb_new_array(fe->work, struct Element, k->c.variable_count + 1);
    for (int i = 0; i < k->c.variable_count; i++) {
        const RbVariableSpec *spec = &k->c.variables[i];
        int v = find_or_declare(k, i);
        const struct Element *e = &k->elements[i];
        RbFlatVar *var = &fe->flat->vars.data[v];
        bool fits = var->rank == e->rank;
        for (int j = 0; fits && j < e->rank; j++) fits = e->at[j] >= 1 && e->at[j] <= var->dims[j];
        if (var->type != RB_REAL || !fits) {
            rb_fail(fe->diag, RB_ERROR_MODEL, var->at,
                    "'%s' is a variable of a component in C; it must be a scalar of type Real%s",
                    var->name, e->rank > 0 ? " or an array that is large enough" : "");
            return false;
        }
        if (spec->kind == RB_VARIABLE_STATE && var->attributes.state_select == RB_STATE_DEFAULT)
            var->attributes.state_select = RB_STATE_PREFER; // the component may want to set it
        k->c.flat[i] = v;
        if (fe->by_var.data[v]) fe->by_var.data[v]->in_component = true;
    }
    return true;
}

static const RbExpr *variable(const Component *k, int i) {
    const RbExpr *whole = rb_flat_ref(k->fe->flat, k->c.flat[i]);
    const struct Element *e = &k->elements[i];
    const RbExpr *subscripts[2] = {rb_integer(k->fe->x, e->at[0]), rb_integer(k->fe->x, e->at[1])};
    return e->rank > 0 ? rb_subscript(k->fe->x, whole, subscripts, e->rank) : whole;
}

// --- equations -----------------------------------------------------------------------------------

static void add_equation(Component *k, const RbExpr *left, const RbExpr *right) {
    rb_flat_equal(k->fe->flat, &k->fe->flat->equations, left, right, k->at)->origin = k->inst->path;
}

// Texts are parsed as a class of their own, and mean what they mean inside the instance.
static bool lower_texts(Component *k) {
    RbFrontEnd *fe = k->fe;
    if (k->c.equation_count == 0) return true;
    RbText text = rb_text(fe->arena);
    rb_text_add(&text, "model Component equation\n");
    for (int i = 0; i < k->c.equation_count; i++)
        rb_text_printf(&text, "  %s;\n", k->c.equations[i]);
    rb_text_add(&text, "end Component;\n");
    RbAstFile *file;
    const char *title = rb_arena_printf(fe->arena, "equations of %s", k->inst->path);
    if (rb_parse_text(title, text.data, (size_t)text.count, fe->names, fe->arena, *fe->scratch,
                      fe->diag, &file) != RB_OK) {
        return false;
    }
    RbPlace place = {.inst = k->inst,
                     .scope = k->inst->class->root,
                     .loops = k->names,
                     .equations = &fe->flat->equations};
    for (int i = 0; i < file->classes[0]->section_count; i++) {
        const RbAstSection *s = &file->classes[0]->sections[i];
        rb_lower_equation_list(fe, &place, s->list, s->count);
    }
    return true;
}

// --- functions -----------------------------------------------------------------------------------

static void add_local(Component *k, RbFunction *f, const char *name) {
    RbFunctionVar v = {.name = rb_intern(k->fe->names, name), .type = RB_REAL};
    rb_array_push(&f->vars, k->fe->arena, v);
}

static bool is_affine(const RbFunctionSpec *spec) {
    return spec->affine_count > 0 && !spec->state_derivatives;
}

static int result_count(const RbFunctionSpec *spec) {
    return is_affine(spec) ? spec->output_count * (spec->affine_count + 1) : spec->output_count;
}

static const RbExpr *token_before(const Component *k, const RbFunctionSpec *spec) {
    return spec->after >= 0 ? rb_flat_ref(k->fe->flat, k->tokens[spec->after]) : NULL;
}

// The functions exist before any is called, since one may be named as the derivative of an earlier
// one.
static void declare_function(Component *k, int number) {
    RbFrontEnd *fe = k->fe;
    const RbFunctionSpec *spec = &k->c.functions[number];
    int inputs = spec->input_count - (is_affine(spec) ? spec->affine_count : 0);
    RbFunction *f = rb_new(fe->arena, RbFunction);
    *f = (RbFunction){.name = rb_intern(fe->names, path_of(k, spec->name)),
                      .kind = RB_FUNCTION_COMPONENT,
                      .is_impure = true,
                      .at = k->at,
                      .component = {.component = k->c.component,
                                    .function = number,
                                    .matrix_rows = is_affine(spec) ? spec->output_count : 0,
                                    .after = token_before(k, spec),
                                    .token = k->tokens[number],
                                    .time_derivative = -1}};
    add_local(k, f, "time");
    if (f->component.after) add_local(k, f, "after");
    for (int i = 0; i < inputs; i++) add_local(k, f, k->c.variables[spec->inputs[i]].name);
    f->input_count = f->vars.count;
    for (int i = 0; i < result_count(spec); i++) {
        bool named = spec->outputs && !is_affine(spec);
        add_local(k, f,
                  named ? k->c.variables[spec->outputs[i]].name
                        : rb_arena_printf(fe->arena, "result%d", i + 1));
    }
    add_local(k, f, "token");
    f->output_count = f->vars.count - f->input_count;
    rb_array_push(&fe->flat->functions, fe->arena, f);
    k->functions[number] = fe->flat->functions.count - 1;
}

static const RbExpr *call_of(Component *k, int number, int inputs) {
    RbFrontEnd *fe = k->fe;
    const RbFunctionSpec *spec = &k->c.functions[number];
    const RbExpr **args = rb_new_array(fe->arena, const RbExpr *, inputs + 2);
    int count = 0;
    args[count++] = rb_time(fe->x);
    if (spec->after >= 0) args[count++] = token_before(k, spec);
    for (int i = 0; i < inputs; i++) args[count++] = variable(k, spec->inputs[i]);
    return rb_call_function(fe->x, k->functions[number], RB_REAL, 0, args, count);
}

static const RbExpr *result(Component *k, const RbExpr *call, int i) {
    return rb_result(k->fe->x, call, i, RB_REAL, 0);
}

// Output i, or zero for a row that must vanish.
static const RbExpr *output(Component *k, const RbFunctionSpec *spec, int i) {
    return spec->outputs ? variable(k, spec->outputs[i]) : rb_real(k->fe->x, 0.0);
}

// The function that solves the rows: whether it can be used shows when the equations are sorted.
static void offer_solution(Component *k, int number) {
    RbFrontEnd *fe = k->fe;
    const RbFunctionSpec *spec = &k->c.functions[number];
    if (spec->solution == 0) return;
    const RbFunctionSpec *by = &k->c.functions[spec->solution];
    int n = by->output_count, entries = spec->output_count * (spec->affine_count + 1);
    RbRowSolution *s = rb_new(fe->arena, RbRowSolution);
    *s = (RbRowSolution){.function = k->functions[spec->solution],
                         .count = n,
                         .x = rb_new_array(fe->arena, int, n + 1),
                         .y = rb_new_array(fe->arena, int, n + 1),
                         .entry = fe->flat->vars.count - entries,
                         .entries = entries};
    for (int i = 0; i < n; i++) {
        int x = by->outputs[i], y = by->inputs[by->input_count - 2 * n + i];
        if (k->elements[x].rank > 0 || k->elements[y].rank > 0) return;
        s->x[i] = k->c.flat[x];
        s->y[i] = k->c.flat[y];
    }
    fe->flat->functions.data[k->functions[number]]->component.solution = s;
}

// The matrix is computed from what the function is not affine in; then the rows are plain linear
// equations, which matching, tearing and the linear solver understand. The entries are variables,
// so that they are computed once.
static void add_affine(Component *k, int number) {
    RbFrontEnd *fe = k->fe;
    const RbFunctionSpec *spec = &k->c.functions[number];
    int n = spec->affine_count, first = spec->input_count - n, rows = spec->output_count;
    const RbExpr *call = call_of(k, number, first);
    for (int i = 0; i < rows; i++) {
        const RbExpr *sum = NULL;
        for (int j = 0; j <= n; j++) { // column n is b
            int place = j < n ? i * n + j : rows * n + i;
            const char *name =
                j < n ? rb_arena_printf(fe->arena, "$%s.A[%d,%d]", spec->name, i + 1, j + 1)
                      : rb_arena_printf(fe->arena, "$%s.b[%d]", spec->name, i + 1);
            const RbExpr *entry = rb_flat_ref(fe->flat, add_hidden(k, name));
            add_equation(k, entry, result(k, call, place));
            const RbExpr *term =
                j < n ? rb_mul(fe->x, entry, variable(k, spec->inputs[first + j])) : entry;
            sum = sum ? rb_add(fe->x, sum, term) : term;
        }
        add_equation(k, output(k, spec, i), sum);
    }
    add_equation(k, rb_flat_ref(fe->flat, k->tokens[number]), result(k, call, rows * (n + 1)));
    offer_solution(k, number);
}

static void add_calls(Component *k, int number) {
    const RbFunctionSpec *spec = &k->c.functions[number];
    const RbExpr *call = call_of(k, number, spec->input_count);
    for (int i = 0; i < spec->output_count; i++)
        add_equation(k, output(k, spec, i), result(k, call, i));
    add_equation(k, rb_flat_ref(k->fe->flat, k->tokens[number]),
                 result(k, call, spec->output_count));
}

// The derivative of f(u) takes u and der(u), and gives the derivatives of the outputs in their
// order.
static void name_derivative(Component *k, int number) {
    RbFrontEnd *fe = k->fe;
    const RbFunctionSpec *spec = &k->c.functions[number];
    if (spec->derivative < 0) return;
    const RbFunctionSpec *d = &k->c.functions[spec->derivative];
    if (is_affine(spec) || is_affine(d) || d->input_count != 2 * spec->input_count ||
        d->output_count < spec->output_count) {
        rb_fail(fe->diag, RB_ERROR_MODEL, k->at,
                "component '%s' names function '%s' as the time derivative of '%s': it must have "
                "%d inputs, at least %d outputs, "
                "and neither may be affine",
                k->inst->path, d->name, spec->name, 2 * spec->input_count, spec->output_count);
        return;
    }
    fe->flat->functions.data[k->functions[number]]->component.time_derivative =
        k->functions[spec->derivative];
}

static void find_solutions(Component *k) {
    int count = k->c.function_count;
    k->solves = rb_new_array(k->fe->arena, int, count + 1);
    for (int i = 0; i < count; i++) k->solves[i] = -1;
    for (int i = 0; i < count; i++) {
        if (k->c.functions[i].solution > 0) k->solves[k->c.functions[i].solution] = i;
    }
}

static void add_functions(Component *k) {
    RbFrontEnd *fe = k->fe;
    int count = k->c.function_count;
    k->functions = rb_new_array(fe->arena, int, count + 1);
    k->tokens = rb_new_array(fe->arena, int, count + 1);
    find_solutions(k);
    for (int i = 0; i < count; i++)
        k->tokens[i] =
            k->solves[i] >= 0
                ? k->tokens[k->solves[i]]
                : add_hidden(k, rb_arena_printf(fe->arena, "$%s", k->c.functions[i].name));
    for (int i = 0; i < count; i++) declare_function(k, i);
    for (int i = 0; i < count; i++) {
        name_derivative(k, i);
        if (k->solves[i] >= 0) continue;
        if (is_affine(&k->c.functions[i]))
            add_affine(k, i);
        else
            add_calls(k, i);
    }
}

// --- the instance --------------------------------------------------------------------------------

static const char *text_of(RbFrontEnd *fe, RbInst *inst, const RbAstExpr *e, const char *what) {
    RbPlace place = {.inst = inst, .scope = inst->class->root};
    RbVal v = rb_lower_expr(fe, &place, e);
    if (v.kind == RB_VAL_EXPR && v.e->op == RB_OP_STRING) return v.e->text;
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "the %s of a component in C must be a string", what);
    return NULL;
}

// Beside the file of the class, unless it is an absolute path or a resource of a library.
static const char *find_file(RbFrontEnd *fe, const RbAstExpr *e, const char *file) {
    const char *path = rb_resource_path(fe->library, file), *own = e->at.file;
    const char *slash = own ? strrchr(own, '/') : NULL;
    if (path != file || path[0] == '/' || !slash) return path;
    return rb_arena_printf(fe->arena, "%.*s/%s", (int)(slash - own), own, file);
}

// False: the class has no component of its own (gather.c), or it was said what is wrong.
static bool component_class(RbFrontEnd *fe, RbInst *inst, RbComponentClass *out) {
    const RbVendor *vendor = rb_class_vendor(fe->classes, inst->class);
    if (!vendor->component || vendor->role) return false;
    *out = (RbComponentClass){.type = text_of(fe, inst, vendor->component, "name")};
    if (!out->type || !vendor->file) return out->type != NULL;
    const char *file = text_of(fe, inst, vendor->file, "file");
    if (file) out->file = find_file(fe, vendor->file, file);
    return file != NULL;
}

static void contribute(Component *k, const RbComponentClass *class) {
    RbFrontEnd *fe = k->fe;
    const char *path = k->gathered ? "" : k->inst->path;
    if (!fe->contribute(fe->contribute_user, class, path, k->at, k->gathered, &k->c)) return;
    if (!match_variables(k) || !lower_texts(k)) return;
    // Gathered parts of which no equation speaks are no business of the equations.
    if (!k->gathered || k->c.variable_count > 0) add_functions(k);
    if (fe->contributed) fe->contributed(fe->contribute_user, &k->c);
}

// A class that is made of a file alone is a model too: an FMU.
void rb_component_equations(RbFrontEnd *fe, RbInst *inst) {
    RbComponentClass class;
    if (!component_class(fe, inst, &class)) return;
    Component k = {.fe = fe, .inst = inst, .at = inst->class->root->def->at};
    bool alone = inst == fe->root && !class.file;
    if (inst->elem && inst->elem->component) k.at = inst->elem->component->at;
    if (alone || !fe->contribute) {
        rb_fail(fe->diag, RB_ERROR_MODEL, k.at, "'%s' is implemented by the component '%s'%s",
                inst->class->full_name, class.type,
                alone ? ": it cannot be simulated alone; declare one in a model"
                      : ", which is not available here");
        return;
    }
    contribute(&k, &class);
}

void rb_component_gathered(RbFrontEnd *fe, const char *type, RbPos at, const RbGathered *g) {
    Component k = {.fe = fe, .inst = fe->root, .at = at, .gathered = g};
    contribute(&k, &(RbComponentClass){.type = type});
}
