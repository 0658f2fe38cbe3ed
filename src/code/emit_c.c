// SPDX-License-Identifier: MIT
// emit_c.c: a node that is used once is written where it is used; one that is used more often gets
// a local variable. Each function holds a limited number of steps, since compilers are slow on
// giant functions. The C is a small subset that tcc, gcc and clang all translate to the same
// operations: no library but libm, no integer arithmetic on values, Booleans are 0 and 1 in
// doubles.
#include "code/emit_c.h"

#include "code/frame.h"
#include "code/prelude.h"
#include "code/writer.h"

enum { STEPS_PER_FUNCTION = 100 };

static const char *const names[RB_SECTION_COUNT] = {
    "parameters", "starts", "samples",    "initial", "derivatives",
    "outputs",    "events", "indicators", "actions", "sets"};
const char *rb_section_name(RbSectionId section) {
    return names[section];
}

static const char *const letters[RB_AREA_COUNT] = {"p", "x", "dx", "u", "d", "q", "w", "o"};

// --- functions -----------------------------------------------------------------------------------

// The function that was written to w->out, with what it uses declared before it.
static void close_function(RbWriter *w, RbText *text, const char *head) {
    RbText *body = w->out;
    rb_text_add(text, head);
    rb_text_add(text, " {\n   ");
    if (w->used & RB_USES_TIME) rb_text_add(text, " double t = f->t;");
    for (int a = 0; a < RB_AREA_COUNT; a++) {
        if (w->used & 1U << a) rb_text_printf(text, " USE(%s)", rb_area_name(a));
    }
    if (w->l->dae->any_whole) rb_text_add(text, " double *v = f->v; const int *n = f->n;");
    rb_text_add(text, "\n");
    rb_text_add_bytes(text, body->data, (size_t)body->count);
    rb_text_add(text, "}\n\n");
    body->count = 0;
    w->out = text;
}

// Text of a function goes to a place of its own until it is known what it uses.
static RbText *begin_function(RbWriter *w) {
    RbText *text = w->out;
    rb_open_scope(w);
    w->body.count = 0;
    rb_text_add(&w->body, "");
    w->out = &w->body;
    return text;
}

static void emit_assignment(RbWriter *w, RbCodePlace place, const RbExpr *value) {
    if (place.array > 0) {
        rb_emit_array(w, place, value);
        return;
    }
    rb_prepare(w, value);
    rb_text_add(w->out, "    ");
    rb_write_place(w, place);
    rb_text_add(w->out, " = ");
    rb_write(w, value);
    rb_text_add(w->out, ";\n");
}

static void count_steps(RbWriter *w, const RbStep *steps, int count, const RbExpr *const *more,
                        int more_count) {
    RB_ARRAY(const RbExpr *) roots = {0};
    for (int i = 0; i < count; i++) {
        if (steps[i].value) rb_array_push(&roots, w->scratch, steps[i].value);
    }
    for (int i = 0; i < more_count; i++) rb_array_push(&roots, w->scratch, more[i]);
    rb_count_uses(w, roots.data, roots.count);
}

static void emit_matrix(RbWriter *w, const RbBlock *b) {
    rb_text_add(w->out, "    if (!a) return;\n");
    if (!b->sparse && b->matrix_count < b->size * b->size)
        rb_text_printf(w->out, "    for (int k = 0; k < %d; k++) a[k] = 0;\n", b->size * b->size);
    for (int k = 0; k < b->matrix_count; k++) {
        rb_prepare(w, b->matrix[k].value);
        rb_text_printf(w->out, "    a[%d] = ", rb_matrix_place(b, k));
        rb_write(w, b->matrix[k].value);
        rb_text_add(w->out, ";\n");
    }
}

static void emit_system(RbWriter *w, int number) {
    const RbCodeSystem *s = &w->l->systems.data[number];
    int n = s->block->size;
    RbText *text = begin_function(w);
    RB_ARRAY(const RbExpr *) roots = {0};
    for (int i = 0; i < n; i++) rb_array_push(&roots, w->scratch, s->block->residuals[i]);
    for (int k = 0; k < s->block->matrix_count; k++)
        rb_array_push(&roots, w->scratch, s->block->matrix[k].value);
    count_steps(w, s->inner.data, s->inner.count, roots.data, roots.count);
    for (int i = 0; i < n; i++) {
        rb_text_add(w->out, "    ");
        rb_write_place(w, s->unknowns[i]);
        rb_text_printf(w->out, " = y[%d];\n", i);
    }
    for (int i = 0; i < s->inner.count; i++)
        emit_assignment(w, s->inner.data[i].place, s->inner.data[i].value);
    for (int i = 0; i < n; i++) {
        rb_prepare(w, s->block->residuals[i]);
        rb_text_printf(w->out, "    r[%d] = ", i);
        rb_write(w, s->block->residuals[i]);
        rb_text_add(w->out, ";\n");
    }
    emit_matrix(w, s->block);
    close_function(
        w, text,
        rb_arena_printf(w->scratch,
                        "static void system_%d(F *f, const double *y, double *r, double *a)",
                        number));
}

// A variable that other functions, systems or event indicators read lives in w.
static void read_elsewhere(RbWriter *w, const RbExpr *value, int function) {
    RbArena scratch = *w->pass;
    RbExprOrder order = rb_expr_order(w->l->dae->exprs, &value, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        RbCodePlace place = rb_algebraic_place(w, order.nodes[i]);
        if (place.area >= 0 && w->home[place.index] != function) w->home[place.index] = -1;
    }
}

static void plan_locals(RbWriter *w) {
    const RbSteps *steps = &w->l->sections[RB_SECTION_DERIVATIVES],
                  *indicators = &w->l->sections[RB_SECTION_INDICATORS];
    for (int i = 0; i < steps->count; i++) {
        const RbStep *s = &steps->data[i];
        if (s->system < 0 && s->place.area == RB_AREA_W && s->place.array == 0)
            w->home[s->place.index] = i / STEPS_PER_FUNCTION + 1;
    }
    for (int i = 0; i < steps->count; i++) {
        if (steps->data[i].value)
            read_elsewhere(w, steps->data[i].value, i / STEPS_PER_FUNCTION + 1);
    }
    for (int i = 0; i < indicators->count; i++) read_elsewhere(w, indicators->data[i].value, -1);
    for (int k = 0; k < w->l->systems.count; k++) {
        const RbCodeSystem *s = &w->l->systems.data[k];
        int n = s->block->size;
        for (int i = 0; i < s->inner.count; i++) read_elsewhere(w, s->inner.data[i].value, -1);
        for (int i = 0; i < n; i++) read_elsewhere(w, s->block->residuals[i], -1);
        for (int i = 0; i < s->block->matrix_count; i++)
            read_elsewhere(w, s->block->matrix[i].value, -1);
    }
    const RbFlatModel *model = w->l->dae->model;
    for (int i = 0; i < model->functions.count; i++) { // called for what it does, not for its token
        const RbFunction *f = model->functions.data[i];
        if (f->kind != RB_FUNCTION_COMPONENT) continue;
        read_elsewhere(w, rb_flat_ref(w->l->dae->model, f->component.token), -1);
    }
}

// In place where it is used once, a local variable where it is used more often. Answers whether
// nothing is to be written now.
static bool keep_out_of_memory(RbWriter *w, const RbStep *s, int function) {
    if (s->system >= 0 || s->place.area != RB_AREA_W || s->place.array > 0 ||
        w->home[s->place.index] != function)
        return false;
    const RbExpr *variable = rb_flat_ref(w->l->dae->model, w->variables[s->place.index]);
    rb_know(w, variable);
    if (w->uses[variable->id] <= 1) {
        w->inlined[s->place.index] = s->value;
        return true;
    }
    rb_prepare(w, s->value);
    rb_text_printf(w->out, "    double v%d = ", s->place.index);
    rb_write(w, s->value);
    rb_text_add(w->out, ";\n");
    w->local[s->place.index] = 1;
    return true;
}

static void emit_part(RbWriter *w, const char *name, int part, const RbStep *steps, int count,
                      bool locals_allowed) {
    RbText *text = begin_function(w);
    count_steps(w, steps, count, NULL, 0);
    for (int i = 0; i < count; i++) {
        if (steps[i].system >= 0) {
            rb_text_printf(w->out, "    if (f->solve(f, %d, system_%d)) return %d;\n",
                           steps[i].system, steps[i].system, steps[i].system + 1);
        } else if (!locals_allowed || !keep_out_of_memory(w, &steps[i], part + 1)) {
            emit_assignment(w, steps[i].place, steps[i].value);
        }
    }
    for (int i = 0; i < count; i++) {
        if (steps[i].system >= 0 || steps[i].place.area != RB_AREA_W || steps[i].place.array > 0)
            continue;
        w->inlined[steps[i].place.index] = NULL;
        w->local[steps[i].place.index] = 0;
    }
    rb_text_add(w->out, "    return 0;\n");
    close_function(w, text, rb_arena_printf(w->scratch, "static int %s_%d(F *f)", name, part));
}

static void emit_section(RbWriter *w, RbSectionId id) {
    const RbSteps *steps = &w->l->sections[id], none = {0};
    if (id == RB_SECTION_PARAMETERS && w->l->dae->any_whole) steps = &none; // interpreted anyway
    int parts = (steps->count + STEPS_PER_FUNCTION - 1) / STEPS_PER_FUNCTION;
    for (int k = 0; k < parts; k++) {
        int first = k * STEPS_PER_FUNCTION, left = steps->count - first;
        emit_part(w, names[id], k, steps->data + first,
                  left < STEPS_PER_FUNCTION ? left : STEPS_PER_FUNCTION,
                  id == RB_SECTION_DERIVATIVES);
    }
    rb_text_printf(w->out, "int rb_%s(F *f) {\n    int failed = 0;\n", names[id]);
    for (int k = 0; k < parts; k++)
        rb_text_printf(w->out, "    if ((failed = %s_%d(f))) return failed;\n", names[id], k);
    rb_text_add(w->out, "    return failed;\n}\n\n");
}

// libtcc keeps nothing in registers: for it the areas have fixed addresses, so that an operand is
// part of an instruction instead of three instructions of its own. They are static, since others
// would be reached through a table of addresses.
static void add_areas(const RbLowered *l, RbText *text) {
    if (l->dae->any_whole) { // sizes may change: the areas are those of the frame
        rb_text_add(text, "#define USE(area) double *area = f->area;\n");
        return;
    }
    rb_text_add(text, "#ifdef RB_OWN_AREAS\n#define USE(area)\n");
    for (int a = 0; a < RB_AREA_COUNT; a++)
        rb_text_printf(text, "static double %s[%d];\n", letters[a], rb_area_size(l, (RbArea)a) + 1);
    rb_text_add(text, "double *const rb_areas[] = {");
    for (int a = 0; a < RB_AREA_COUNT; a++) rb_text_printf(text, "%s, ", letters[a]);
    rb_text_add(text, "};\n#else\n#define USE(area) double *area = f->area;\n#endif\n");
}

const char *rb_area_name(RbArea area) {
    return letters[area];
}

void rb_emit_c(const RbLowered *l, RbArena *arena, RbArena scratch, RbCSource *source) {
    int nodes = l->dae->exprs->count + 1;
    *source = (RbCSource){.text = rb_text(arena)};
    RbWriter w = {.l = l, .source = source, .arena = arena, .scratch = &scratch};
    w.constants = (RbConstants){.source = source, .arena = arena, .scratch = &scratch};
    w.uses = rb_new_array(&scratch, int, nodes);
    w.temp = rb_new_array(&scratch, int, nodes);
    w.stamps = rb_new_array(&scratch, int, nodes);
    w.home = rb_new_array(&scratch, int, l->w_count + 1);
    w.inlined = rb_new_array(&scratch, const RbExpr *, l->w_count + 1);
    w.local = rb_new_array(&scratch, unsigned char, l->w_count + 1);
    w.variables = rb_new_array(&scratch, int, l->w_count + 1);
    for (int v = 0; v < l->dae->vars.count; v++) {
        if (l->dae->vars.data[v].kind == RB_DAE_ALGEBRAIC && !l->dae->vars.data[v].whole)
            w.variables[l->dae->vars.data[v].slot] = v;
    }
    RbText body = rb_text(rb_arena_child(arena)); // grows beside the text it will be appended to
    w.out = &body;
    w.body = rb_text(rb_arena_child(arena));
    w.pass = rb_arena_child(arena);
    plan_locals(&w);
    w.functions = rb_plan_functions(l, &scratch);
    rb_emit_functions(l, &w.functions, &w.constants, &scratch, &body);
    for (int k = 0; k < l->systems.count; k++) emit_system(&w, k);
    for (int id = 0; id < RB_SECTION_COUNT; id++) emit_section(&w, (RbSectionId)id);
    rb_text_add(&source->text, RB_FRAME_TEXT);
    rb_text_add(&source->text, rb_prelude);
    if (l->dae->any_whole) rb_text_add(&source->text, rb_array_prelude);
    add_areas(l, &source->text);
    rb_text_printf(
        &source->text,
        "static double rb_constants[%d];\ndouble *const rb_constant_table = rb_constants;\n\n",
        source->constants.count + 1);
    rb_text_add_bytes(&source->text, body.data, (size_t)body.count);
    rb_arena_free(body.arena);
    rb_arena_free(w.body.arena);
    rb_arena_free(w.pass);
}
