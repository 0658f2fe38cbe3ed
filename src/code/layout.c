// SPDX-License-Identifier: MIT
#include "code/layout.h"

#include <math.h>
#include <string.h>

#include "code/instance.h"

typedef struct Shape {
    int rank, dims[2];
} Shape;

enum { NEW, BUSY, DONE };
enum { ELEMENTS_MAX = 100 * 1000 * 1000 }; // of an array

typedef struct Layout {
    RbProgramInstance *in;
    const RbSortedDae *dae;
    RbDiag *diag;
    RbArena *arena;
    Shape *shapes; // by array
    unsigned char *state;
    bool misfit; // two sizes in the expression at hand do not fit
} Layout;

static const RbFlatVar *flat(const Layout *l, int var) {
    return &l->dae->model->vars.data[var];
}

static int product(const Shape *s) {
    int count = 1;
    for (int k = 0; k < s->rank; k++) count *= s->dims[k];
    return count;
}

static bool same_shape(const Shape *a, const Shape *b) {
    if (a->rank != b->rank) return false;
    for (int k = 0; k < a->rank; k++) {
        if (a->dims[k] != b->dims[k]) return false;
    }
    return true;
}

static const char *shape_text(const Shape *s, RbArena *arena) {
    if (s->rank == 1) return rb_arena_printf(arena, "[%d]", s->dims[0]);
    return s->rank == 2 ? rb_arena_printf(arena, "[%d,%d]", s->dims[0], s->dims[1]) : "a scalar";
}

// --- values that sizes follow from ---------------------------------------------------------------

static bool find_shape(Layout *l, int var);

static RbExprValue value_of_shape(RbArena *arena, const Shape *s) {
    return rb_value_array(arena, RB_REAL, s->rank, s->dims);
}

static bool lookup_array(Layout *l, RbEnv *env, int var, RbExprValue *value) {
    const RbDaeVar *v = &l->dae->vars.data[var];
    const RbArrayValue *set = &l->in->array_values[v->slot];
    const RbExpr *own = flat(l, var)->binding;
    if (!find_shape(l, var)) return false;
    *value = value_of_shape(env->arena, &l->shapes[v->slot]);
    if (v->kind != RB_DAE_PARAMETER) return true; // only its size can matter
    if (set->given) {
        memcpy(value->data, set->data, (size_t)value->count * sizeof(double));
        return true;
    }
    RbExprValue e;
    if (!own || !rb_eval(env, own, &e) || !e.data) return false;
    for (int i = 0; i < value->count; i++)
        value->data[i] = e.data[e.rank > 0 && i < e.count ? i : 0];
    return true;
}

static bool lookup(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    Layout *l = user;
    if (leaf->op == RB_OP_BUILTIN && leaf->index == RB_FN_SIZE) {
        int var = leaf->args[0]->index;
        double k = 0;
        rb_constant_value(leaf->args[1], &k);
        if (!(k >= 1 && k <= flat(l, var)->rank)) return false;
        bool whole = l->dae->vars.data[var].whole;
        if (whole && !find_shape(l, var)) return false;
        int size = whole ? l->shapes[l->dae->vars.data[var].slot].dims[(int)k - 1]
                         : flat(l, var)->dims[(int)k - 1];
        *value = rb_value_number(env->arena, RB_INTEGER, size);
        return true;
    }
    if (leaf->op != RB_OP_VAR) return false;
    const RbDaeVar *v = &l->dae->vars.data[leaf->index];
    if (v->whole) return lookup_array(l, env, leaf->index, value);
    const RbExpr *e = flat(l, leaf->index)->binding;
    if (v->kind == RB_DAE_PARAMETER && l->in->overridden[v->slot]) {
        *value = rb_value_number(env->arena, (RbType)leaf->type, l->in->override_values[v->slot]);
        return true;
    }
    if (!e) e = flat(l, leaf->index)->attributes.start;
    bool fixed = v->kind == RB_DAE_PARAMETER || leaf->type == RB_STRING;
    return fixed && e && rb_eval(env, e, value);
}

static bool call_other(void *user, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                       RbExprValue *results) {
    const RbProgramInstance *in = ((Layout *)user)->in;
    return in->call && in->call(in->call_user, env, f, args, results);
}

static RbEnv environment(Layout *l, RbArena *arena) {
    return (RbEnv){
        .model = l->dae->model, .arena = arena, .lookup = lookup, .call = call_other, .user = l};
}

// --- shapes of expressions -----------------------------------------------------------------------

static Shape shape_of(Layout *l, const RbExpr *e);

static int number(Layout *l, const RbExpr *e) {
    RbEnv env = environment(l, l->arena);
    double n;
    if (rb_eval_number(&env, e, &n) && n >= 0 && n <= ELEMENTS_MAX && n == floor(n)) return (int)n;
    l->misfit = true;
    return 0;
}

static Shape product_shape(Layout *l, const RbExpr *e) {
    Shape a = shape_of(l, e->args[0]), b = shape_of(l, e->args[1]), s = {0};
    if (a.rank == 0 || b.rank == 0) return a.rank == 0 ? b : a;
    if (a.dims[a.rank - 1] != b.dims[0]) l->misfit = true;
    if (a.rank == 2) s.dims[s.rank++] = a.dims[0];
    if (b.rank == 2) s.dims[s.rank++] = b.dims[1];
    return s;
}

static Shape constructor_shape(Layout *l, const RbExpr *e) {
    Shape first = e->arg_count > 0 ? shape_of(l, e->args[0]) : (Shape){0};
    for (int i = 1; i < e->arg_count && e->rank > 1; i++) {
        Shape other = shape_of(l, e->args[i]);
        if (!same_shape(&first, &other)) l->misfit = true;
    }
    return (Shape){first.rank + 1, {e->arg_count, first.dims[0]}};
}

// A scalar goes with any size.
static Shape common_shape(Layout *l, const RbExpr *e) {
    Shape s = {0};
    for (int i = 0; i < e->arg_count; i++) {
        Shape a = shape_of(l, e->args[i]);
        if (s.rank > 0 && a.rank > 0 && !same_shape(&s, &a)) l->misfit = true;
        if (a.rank > 0) s = a;
    }
    return s;
}

static Shape builtin_shape(Layout *l, const RbExpr *e) {
    switch ((RbBuiltin)e->index) {
        case RB_FN_FILL:
            return (Shape){e->arg_count - 1,
                           {number(l, e->args[1]), e->arg_count > 2 ? number(l, e->args[2]) : 1}};
        case RB_FN_IDENTITY: {
            int n = number(l, e->args[0]);
            return (Shape){2, {n, n}};
        }
        case RB_FN_DIAGONAL: {
            Shape a = shape_of(l, e->args[0]);
            return (Shape){2, {a.dims[0], a.dims[0]}};
        }
        case RB_FN_TRANSPOSE: {
            Shape a = shape_of(l, e->args[0]);
            return (Shape){2, {a.dims[1], a.dims[0]}};
        }
        case RB_FN_SUM: shape_of(l, e->args[0]); return (Shape){0};
        case RB_FN_SIZE: return (Shape){0};
        default: return common_shape(l, e);
    }
}

// Functions, and elements of constructors: what they are called with has the size it is written
// with.
static bool is_opaque(const RbExpr *e) {
    return e->op == RB_OP_CALL || e->op == RB_OP_RESULT || e->op == RB_OP_SUBSCRIPT ||
           e->op == RB_OP_REDUCE;
}

static Shape shape_of(Layout *l, const RbExpr *e) {
    if (e->arg_count > 0 && is_opaque(e)) return (Shape){0};
    switch ((RbOp)e->op) {
        case RB_OP_VAR: {
            const RbDaeVar *v = &l->dae->vars.data[e->index];
            return v->whole ? l->shapes[v->slot] : (Shape){0};
        }
        case RB_OP_MUL: return product_shape(l, e);
        case RB_OP_ARRAY: return constructor_shape(l, e);
        case RB_OP_BUILTIN: return builtin_shape(l, e);
        default: return common_shape(l, e);
    }
}

// --- shapes of arrays ----------------------------------------------------------------------------

static bool shape_from_value(Layout *l, int var, Shape *s) {
    RbEnv env = environment(l, l->arena);
    const RbExpr *e = flat(l, var)->binding;
    RbExprValue value;
    if (!e || !rb_eval(&env, e, &value) || value.rank != s->rank) return false;
    for (int k = 0; k < s->rank; k++) s->dims[k] = value.dims[k];
    return true;
}

// A set value has its own size; otherwise the declaration tells, or what is left open the value.
static bool find_shape(Layout *l, int var) {
    const RbFlatVar *v = flat(l, var);
    int slot = l->dae->vars.data[var].slot;
    const RbArrayValue *set = &l->in->array_values[slot];
    Shape *s = &l->shapes[slot];
    if (l->state[slot] == BUSY) return s->dims[0] >= 0; // A[:, size(A, 1)]: the first is known
    if (l->state[slot] == DONE) return true;
    l->state[slot] = BUSY;
    *s = (Shape){v->rank, {v->dims[0], v->rank > 1 ? v->dims[1] : 1}};
    bool open = false;
    for (int k = 0; k < v->rank; k++) open |= !v->dim_exprs[k];
    if (set->given)
        memcpy(s->dims, set->dims, (size_t)v->rank * sizeof(int));
    else if (open && v->variability == RB_PARAMETER)
        shape_from_value(l, var, s);
    for (int k = 0; k < v->rank && !set->given; k++) {
        if (v->dim_exprs[k]) s->dims[k] = number(l, v->dim_exprs[k]);
    }
    l->state[slot] = DONE;
    return true;
}

// --- checks --------------------------------------------------------------------------------------

// Every array of some expressions with its size and where it is declared.
static const char *list_arrays(Layout *l, const RbExpr *const *list, int count) {
    RbText text = rb_text(l->diag->arena);
    RbExprOrder order = rb_expr_order(l->dae->exprs, list, count, l->arena);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op != RB_OP_VAR) continue;
        int v = order.nodes[i]->index;
        const RbDaeVar *d = &l->dae->vars.data[v];
        if (!d->whole || d->auxiliary || (d->is_der && d->integral >= 0)) continue;
        const RbFlatVar *f = flat(l, v);
        rb_text_printf(&text, "%s'%s' is %s", text.count > 0 ? ", " : "", f->name,
                       shape_text(&l->shapes[d->slot], l->arena));
        if (f->at.file) rb_text_printf(&text, " (%s:%d)", f->at.file, f->at.line);
    }
    return text.count > 0 ? text.data : "";
}

static bool has_whole(Layout *l, const RbDaeEq *eq) {
    RbArena scratch = *l->arena;
    const RbExpr *sides[] = {eq->left, eq->right};
    RbExprOrder order = rb_expr_order(l->dae->exprs, sides, 2, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_VAR && l->dae->vars.data[n->index].whole) return true;
    }
    return false;
}

static RbStatus check_equations(Layout *l, const RbDaeEq *eqs, int count) {
    for (int i = 0; i < count; i++) {
        if (!has_whole(l, &eqs[i])) continue;
        l->misfit = false;
        Shape a = shape_of(l, eqs[i].left), b = shape_of(l, eqs[i].right);
        if (a.rank > 0 && b.rank > 0 && !same_shape(&a, &b)) l->misfit = true;
        if (!l->misfit) continue;
        return rb_fail(l->diag, RB_ERROR_MODEL, eqs[i].at,
                       "the sizes in this equation do not fit together: %s",
                       list_arrays(l, (const RbExpr *[]){eqs[i].left, eqs[i].right}, 2));
    }
    return RB_OK;
}

// The size that was set, or of the value, against what the declaration says.
static RbStatus check_variable(Layout *l, int var) {
    const RbFlatVar *v = flat(l, var);
    const RbDaeVar *d = &l->dae->vars.data[var];
    const Shape *s = &l->shapes[d->slot];
    Shape declared = *s;
    for (int k = 0; k < v->rank; k++) {
        if (v->dim_exprs[k]) declared.dims[k] = number(l, v->dim_exprs[k]);
    }
    if (!same_shape(&declared, s)) {
        if (d->auxiliary) v = flat(l, v->dim_exprs[0]->args[0]->index); // $start(x)
        const char *others = list_arrays(l, v->dim_exprs, 2);
        return rb_fail(l->diag, RB_ERROR_MODEL, v->at,
                       "'%s' was set to a value of size %s, but its size is %s%s%s", v->name,
                       shape_text(s, l->arena), shape_text(&declared, l->arena),
                       others[0] ? ": " : "", others);
    }
    if (d->kind != RB_DAE_ALIAS) return RB_OK;
    const Shape *other = &l->shapes[l->dae->vars.data[d->alias].slot];
    if (same_shape(s, other)) return RB_OK;
    const RbExpr *both[] = {rb_flat_ref(l->dae->model, var), rb_flat_ref(l->dae->model, d->alias)};
    return rb_fail(l->diag, RB_ERROR_MODEL, v->at,
                   "'%s' and '%s' are equal, but their sizes are not: %s", v->name,
                   flat(l, d->alias)->name, list_arrays(l, both, 2));
}

static RbStatus find_shapes(Layout *l) {
    for (int i = 0; i < l->dae->arrays.count; i++) {
        l->misfit = false;
        find_shape(l, l->dae->arrays.data[i]);
        const RbFlatVar *v = flat(l, l->dae->arrays.data[i]);
        const Shape *s = &l->shapes[i];
        if (l->misfit)
            return rb_fail(l->diag, RB_ERROR_MODEL, v->at,
                           "the parameters do not give '%s' a size: it must be a whole number from "
                           "0 to %d",
                           v->name, ELEMENTS_MAX);
        if ((double)s->dims[0] * (s->rank > 1 ? s->dims[1] : 1) > ELEMENTS_MAX)
            return rb_fail(l->diag, RB_ERROR_MODEL, v->at, "'%s' has more than %d elements",
                           v->name, ELEMENTS_MAX);
    }
    for (int i = 0; i < l->dae->arrays.count; i++)
        RB_TRY(check_variable(l, l->dae->arrays.data[i]));
    RB_TRY(check_equations(l, l->dae->eqs.data, l->dae->eqs.count));
    return check_equations(l, l->dae->initial_eqs.data, l->dae->initial_eqs.count);
}

// --- places --------------------------------------------------------------------------------------

static void take(int *sizes, const Shape *s, int at) {
    sizes[RB_SIZES_AT] = at;
    sizes[RB_SIZES_COUNT] = product(s);
    sizes[RB_SIZES_ROWS] = s->dims[0];
    sizes[RB_SIZES_COLUMNS] = s->rank > 1 ? s->dims[1] : 1;
}

// Places for all arrays behind the scalars of their areas, then for the workspace.
static void place_arrays(Layout *l, int *sizes, int counts[RB_AREA_COUNT], int *workspace) {
    const RbSortedDae *d = l->dae;
    const RbCSource *source = &l->in->program->source;
    for (int i = 0; i < d->arrays.count; i++) {
        RbCodePlace place = rb_place(l->in->program->lowered, d->arrays.data[i]);
        bool own = place.area >= 0 && place.area != RB_AREA_DX;
        take(&sizes[RB_SIZES * i], &l->shapes[i], own ? counts[place.area] : 0);
        if (own) counts[place.area] += product(&l->shapes[i]);
    }
    for (int i = 0; i < d->arrays.count; i++) { // derivatives lie as their states
        const RbDaeVar *v = &d->vars.data[d->arrays.data[i]];
        if (v->kind != RB_DAE_DERIVATIVE) continue;
        sizes[RB_SIZES * i] = sizes[RB_SIZES * d->vars.data[v->integral].slot];
    }
    counts[RB_AREA_DX] = counts[RB_AREA_X];
    *workspace = 0;
    for (int i = 0; i < source->arrays.count; i++) {
        Shape s = shape_of(l, source->arrays.data[i]);
        take(&sizes[RB_SIZES * (d->arrays.count + i)], &s, *workspace);
        *workspace += product(&s);
    }
}

// Every element is a sum that begins with zero and goes on in order, as in the interpreter; but
// several of them are computed side by side.
static void product_of(double *c, const double *a, const double *b, int rows, int inner,
                       int columns) {
    enum { SIDE = 8 };
    int i = 0;
    for (; columns == 1 && i + SIDE <= rows; i += SIDE) {
        double s[SIDE] = {0};
        const double *r = a + (size_t)i * (size_t)inner;
        for (int k = 0; k < inner; k++) {
            for (int m = 0; m < SIDE; m++) s[m] += r[m * inner + k] * b[k];
        }
        memcpy(c + i, s, sizeof s);
    }
    for (; i < rows; i++) {
        double *row = c + (size_t)i * (size_t)columns;
        for (int j = 0; j < columns; j++) row[j] = 0;
        for (int k = 0; k < inner; k++) {
            double f = a[i * inner + k];
            for (int j = 0; j < columns; j++) row[j] += f * b[k * columns + j];
        }
    }
}

static void make_room(RbProgramInstance *in, const int counts[RB_AREA_COUNT], int workspace) {
    RbCodeFrame *f = &in->frame;
    for (int a = 0; a < RB_AREA_COUNT; a++) {
        if (in->area[a] && counts[a] == in->counts[a]) continue;
        double *own = in->compiled.areas[a]; // of code without whole arrays
        double *room = own ? own : rb_new_array(in->arena, double, counts[a] + 1);
        int kept = counts[a] < in->counts[a] ? counts[a] : in->counts[a]; // inputs that were set
        if (in->area[a] && a == RB_AREA_U) memcpy(room, in->area[a], (size_t)kept * sizeof *room);
        in->area[a] = room;
        in->counts[a] = counts[a];
    }
    f->v = rb_new_array(in->arena, double, workspace + 1);
    f->n = in->sizes;
    f->product = product_of;
    f->p = in->area[RB_AREA_P];
    f->x = in->area[RB_AREA_X];
    f->dx = in->area[RB_AREA_DX];
    f->u = in->area[RB_AREA_U];
    f->d = in->area[RB_AREA_D];
    f->q = in->area[RB_AREA_Q];
    f->w = in->area[RB_AREA_W];
    f->o = in->area[RB_AREA_O];
}

static void lay_out(Layout *l) {
    RbProgramInstance *in = l->in;
    const RbSortedDae *d = l->dae;
    int workspace, counts[RB_AREA_COUNT];
    int entries = RB_SIZES * (d->arrays.count + in->program->source.arrays.count);
    for (int a = 0; a < RB_AREA_COUNT; a++)
        counts[a] = rb_area_size(in->program->lowered, (RbArea)a);
    int *sizes = rb_new_array(l->arena, int, entries + 1);
    place_arrays(l, sizes, counts, &workspace);
    if (in->sizes && memcmp(sizes, in->sizes, (size_t)entries * sizeof(int)) == 0) return;
    if (!in->sizes) in->sizes = rb_new_array(in->arena, int, entries + 1);
    memcpy(in->sizes, sizes, (size_t)entries * sizeof(int));
    make_room(in, counts, workspace);
}

static Layout open_layout(RbProgramInstance *in, RbArena *arena, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    return (Layout){.in = in,
                    .dae = d,
                    .diag = diag,
                    .arena = arena,
                    .shapes = rb_new_array(arena, Shape, d->arrays.count + 1),
                    .state = rb_new_array(arena, unsigned char, d->arrays.count + 1)};
}

void rb_first_layout(RbProgramInstance *in) {
    RbArena scratch = *in->call_arena;
    Layout l = open_layout(in, &scratch, NULL);
    for (int i = 0; i < l.dae->arrays.count; i++) {
        const RbFlatVar *v = flat(&l, l.dae->arrays.data[i]);
        l.shapes[i] = (Shape){v->rank, {v->dims[0], v->rank > 1 ? v->dims[1] : 1}};
        l.state[i] = DONE;
    }
    lay_out(&l);
}

RbStatus rb_program_layout(RbProgramInstance *in, RbDiag *diag) {
    if (!in->program->dae->any_whole) return RB_OK;
    RbArena scratch = *in->call_arena;
    Layout l = open_layout(in, &scratch, diag);
    RB_TRY(find_shapes(&l));
    lay_out(&l);
    return RB_OK;
}

// --- values of parameters ------------------------------------------------------------------------

static RbStatus set_elements(RbProgramInstance *in, int var, double *out, RbDiag *diag) {
    int slot = in->program->dae->vars.data[var].slot;
    const int *sizes = &in->sizes[RB_SIZES * slot];
    for (int i = 0; i < in->element_values.count; i++) {
        const RbElementValue *e = &in->element_values.data[i];
        if (e->array != slot) continue;
        int row = e->subscripts[0], column = e->subscripts[1];
        if (row < 1 || row > sizes[RB_SIZES_ROWS] || column < 1 || column > sizes[RB_SIZES_COLUMNS])
            return rb_fail(diag, RB_ERROR_USAGE, in->program->dae->model->vars.data[var].at,
                           "'%s' has no element [%d,%d] that could be set: it has %d rows and %d "
                           "columns",
                           in->program->dae->model->vars.data[var].name, row, column,
                           sizes[RB_SIZES_ROWS], sizes[RB_SIZES_COLUMNS]);
        out[(row - 1) * sizes[RB_SIZES_COLUMNS] + column - 1] = e->value;
    }
    return RB_OK;
}

// The value of a parameter, or a start value, of another size than what it is for.
static RbStatus value_misfit(RbProgramInstance *in, int var, const RbExpr *value,
                             const RbExprValue *e, RbArena *arena, RbDiag *diag) {
    Layout l = open_layout(in, arena, diag);
    for (int i = 0; i < l.dae->arrays.count; i++) {
        const int *sizes = &in->sizes[RB_SIZES * i];
        l.shapes[i] = (Shape){flat(&l, l.dae->arrays.data[i])->rank,
                              {sizes[RB_SIZES_ROWS], sizes[RB_SIZES_COLUMNS]}};
    }
    const Shape *own = &l.shapes[l.dae->vars.data[var].slot];
    bool start = l.dae->vars.data[var].auxiliary; // $start(x), as large as x
    if (start) var = flat(&l, var)->dim_exprs[0]->args[0]->index;
    Shape given = {e->rank, {e->dims[0], e->rank > 1 ? e->dims[1] : 1}};
    const RbExpr *all[] = {value, flat(&l, var)->dim_exprs[0], flat(&l, var)->dim_exprs[1]};
    const char *others = list_arrays(&l, all, 3);
    return rb_fail(diag, RB_ERROR_MODEL, flat(&l, var)->at,
                   "the size of '%s' is %s, but its %s has the size %s%s%s", flat(&l, var)->name,
                   shape_text(own, arena), start ? "start value" : "value",
                   shape_text(&given, arena), others[0] ? ": " : "", others);
}

RbStatus rb_array_parameter(RbProgramInstance *in, int var, const RbExpr *value, double *out,
                            RbDiag *diag) {
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    const RbFlatVar *own = &in->program->dae->model->vars.data[var];
    const int *sizes = &in->sizes[RB_SIZES * v->slot];
    int count = sizes[RB_SIZES_COUNT];
    const RbArrayValue *set = &in->array_values[v->slot];
    RbArena scratch = *in->call_arena;
    RbExprValue e = {0};
    if (!value && !set->given) return set_elements(in, var, out, diag);
    if (set->given) {
        memcpy(out, set->data, (size_t)count * sizeof *out);
        return set_elements(in, var, out, diag);
    }
    if (!rb_interpret_value(in, value, &scratch, &e))
        return rb_fail(diag, RB_ERROR_INIT, own->at, "the value of '%s' cannot be computed%s%s",
                       own->name, in->failure ? ": " : "", in->failure ? in->failure : "");
    bool fits = e.rank == 0 || (e.rank == own->rank && e.dims[0] == sizes[RB_SIZES_ROWS] &&
                                (e.rank == 1 || e.dims[1] == sizes[RB_SIZES_COLUMNS]));
    if (!fits) return value_misfit(in, var, value, &e, &scratch, diag);
    for (int i = 0; i < count; i++) out[i] = e.data[e.rank > 0 ? i : 0];
    return set_elements(in, var, out, diag);
}
