// SPDX-License-Identifier: MIT
// emit_c.c: a node that is used once is written where it is used; one that is used more often gets
// a local variable. The C is a small subset that tcc, gcc and clang all translate to the same
// operations: no library but libm, no integer arithmetic on values, Booleans are 0 and 1 in
// doubles.
#include "code/emit_c.h"

#include "code/frame.h"
#include "code/prelude.h"
#include "code/writer.h"

static const char *const names[RB_SECTION_COUNT] = {
    "parameters", "starts",     "samples", "initial", "derivatives", "outputs",
    "events",     "indicators", "actions", "sets",    "hoisted"};
const char *rb_section_name(RbSectionId section) {
    return names[section];
}

static const char *const letters[RB_AREA_A + 1] = {"p", "x", "dx", "u", "d", "q",
                                                   "w", "o", "h",  "y", "r", "a"};

static void emit_section(RbWriter *w, RbSectionId id, const RbRuns *runs) {
    const RbSteps *steps = &w->l->sections[id], none = {0};
    if (id == RB_SECTION_PARAMETERS) steps = &none; // interpreted, because single ones may be set
    w->hoisting = id == RB_SECTION_HOISTED;
    RbCodeParts parts = rb_parts(steps, runs, w->scratch);
    const unsigned char *readers =
        id == RB_SECTION_DERIVATIVES ? rb_part_readers(w->l, &parts, w->scratch, *w->pass) : NULL;
    for (int k = 0; k < parts.count; k++) {
        const RbCodePart *part = &parts.data[k];
        const char *head = rb_arena_printf(w->scratch, "static int %s_%d(F *f)", names[id], k);
        const RbStep *first = steps->data + part->first;
        const unsigned char *read = readers ? readers + part->first : NULL;
        if (part->run)
            rb_emit_loop(w, part->run, first, read, head);
        else
            rb_emit_steps(w, first, part->count, read, head);
    }
    rb_text_printf(w->out, "int rb_%s(F *f) {\n    int failed = 0;\n", names[id]);
    for (int k = 0; k < parts.count; k++)
        rb_text_printf(w->out, "    if ((failed = %s_%d(f))) return failed;\n", names[id], k);
    rb_text_add(w->out, "    return failed;\n}\n\n");
}

// libtcc keeps nothing in registers: for it the areas have fixed addresses, so that an operand is
// part of an instruction instead of three instructions of its own. They are static, since others
// would be reached through a table of addresses.
static const char *const from_frame =
    "#define USE(area) double *area = f->area;\n"
    "#define ONLY(area) double *restrict area = f->area;\n"; // nobody else is called meanwhile

static void add_areas(const RbLowered *l, RbText *text) {
    if (l->dae->any_whole) { // sizes may change: the areas are those of the frame
        rb_text_add(text, from_frame);
        return;
    }
    rb_text_add(text, "#ifdef RB_OWN_AREAS\n#define USE(area)\n#define ONLY(area)\n");
    for (int a = 0; a < RB_AREA_COUNT; a++)
        rb_text_printf(text, "static double %s[%d];\n", letters[a], rb_area_size(l, (RbArea)a) + 1);
    rb_text_add(text, "double *const rb_areas[] = {");
    for (int a = 0; a < RB_AREA_COUNT; a++) rb_text_printf(text, "%s, ", letters[a]);
    rb_text_add(text, "};\n#else\n");
    rb_text_add(text, from_frame);
    rb_text_add(text, "#endif\n");
}

const char *rb_area_name(RbArea area) {
    return letters[area];
}

void rb_emit_c(const RbLowered *l, const RbRolled *rolled, RbArena *arena, RbArena scratch,
               RbCSource *source) {
    int nodes = l->dae->exprs->count + 1;
    *source = (RbCSource){.text = rb_text(arena)};
    RbWriter w = {.l = l, .source = source, .arena = arena, .scratch = &scratch};
    w.constants = (RbConstants){.source = source, .arena = arena, .scratch = &scratch};
    w.uses = rb_new_array(&scratch, int, nodes);
    w.temp = rb_new_array(&scratch, int, nodes);
    w.stamps = rb_new_array(&scratch, int, nodes);
    w.inlined = rb_new_array(&scratch, const RbExpr *, l->w_count + 1);
    w.local = rb_new_array(&scratch, unsigned char, l->w_count + 1);
    w.carried = rb_new_array(&scratch, int, l->w_count + 1);
    w.variables = rb_new_array(&scratch, int, l->w_count + 1);
    for (int v = 0; v < l->dae->vars.count; v++) {
        if (l->dae->vars.data[v].kind == RB_DAE_ALGEBRAIC && !l->dae->vars.data[v].whole)
            w.variables[l->dae->vars.data[v].slot] = v;
    }
    RbText body = rb_text(rb_arena_child(arena)); // grows beside the text it will be appended to
    w.out = &body;
    w.body = rb_text(rb_arena_child(arena));
    w.pass = rb_arena_child(arena);
    w.functions = rb_plan_functions(l, &scratch);
    rb_emit_functions(l, &w.functions, &w.constants, &scratch, &body);
    for (int k = 0; k < l->systems.count; k++) rb_emit_system(&w, k, &rolled->systems[k]);
    for (int id = 0; id < RB_SECTION_COUNT; id++)
        emit_section(&w, (RbSectionId)id, &rolled->sections[id]);
    rb_text_add(&source->text, RB_FRAME_TEXT);
    rb_text_add(&source->text, rb_prelude);
    rb_text_add(&source->text, rb_loop_prelude);
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
