// SPDX-License-Identifier: MIT
// program.c: translating sorted equations, and evaluating them at a point.
#include "program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "program/branch.h"
#include "program/delay.h"
#include "program/program_instance.h"
#include "program/interpret.h"
#include "program/layout.h"
#include "program/mixed.h"
#include "program/residual.h"
#include "program/systems.h"
#include "program/ahead.h"
#include "program/timing.h"

// Whole arrays with the sizes that they have at translation.
static void count_arrays(RbProgram *p) {
    const RbSortedDae *d = p->dae;
    for (int i = 0; i < d->arrays.count; i++) {
        int v = d->arrays.data[i], size = rb_flat_size(&d->model->vars.data[v]);
        RbDaeKind kind = d->vars.data[v].kind;
        if (kind == RB_DAE_STATE) p->state_count += size - 1; // counted once as a state
        if (kind == RB_DAE_INPUT) p->input_count += size;
        if (kind == RB_DAE_PARAMETER) p->parameter_count += size;
    }
}

RbStatus rb_program(const RbSortedDae *dae, const RbProgramOptions *options, RbArena *arena,
                    RbArena scratch, RbDiag *diag, RbProgram **program) {
    static const RbProgramOptions defaults = {0};
    if (!options) options = &defaults;
    RbProgram *p = rb_new(arena, RbProgram);
    RbLowered *lowered;
    RB_TRY(rb_program_lower(dae, arena, scratch, diag, &lowered));
    p->dae = dae;
    p->lowered = lowered;
    p->backend = options->backend;
    p->options = *options;
    p->state_count = dae->states.count;
    p->input_count = dae->inputs.count;
    p->discrete_count = dae->discretes.count;
    p->parameter_count = dae->kind_counts[RB_DAE_PARAMETER];
    count_arrays(p);
    p->branches = rb_branch_systems(lowered, arena, &p->branch_count);
    p->indicator_count = dae->relations.count + p->branch_count;
    p->residual_form = rb_residual_form(lowered, arena, scratch);
    p->sample_count = dae->samples.count;
    p->clock_relations = rb_clock_relations(dae, arena, scratch, &p->clock_relation_count);
    RbClocks clocks = rb_clocks(dae, arena, scratch);
    p->clock_values = clocks.values;
    p->clock_signals = clocks.signals;
    RbRolled rolled;
    rb_roll(lowered, options->roll_turn, arena, scratch, &rolled);
    rb_emit_c(lowered, &rolled, arena, scratch, &p->source);
    p->has_homotopy = strstr(p->source.text.data, "f->homotopy") != NULL;
    if (p->backend == RB_BACKEND_TCC) RB_TRY(rb_compile_now(&p->source, arena, diag, &p->compiled));
    if (p->backend == RB_BACKEND_OPTIMIZED) {
        RB_TRY(rb_compile_optimized(&p->source, options->cache, arena, diag, &p->compiled));
    }
    p->taken = rb_new(arena, bool);
    p->names = rb_new(arena, RbProgramNames);
    p->names->arena = arena;
    *program = p;
    return RB_OK;
}

// Where the search for a name begins. Eight characters at a time: models have many long names.
static int first_place(const RbProgramNames *n, const char *name) {
    size_t length = strlen(name);
    uint64_t hash = length, word = 0;
    for (; length >= sizeof word; length -= sizeof word, name += sizeof word) {
        memcpy(&word, name, sizeof word);
        hash = rb_hash_mix(hash ^ word);
    }
    word = 0;
    memcpy(&word, name, length);
    return (int)(rb_hash_mix(hash ^ word) & (uint64_t)(n->count - 1));
}

static int next_place(const RbProgramNames *n, int place) {
    return (place + 1) & (n->count - 1);
}

// Of equal names the first is found.
static void index_names(RbProgramNames *n, const RbFlatModel *m) {
    for (n->count = 16; n->count < 2 * m->vars.count; n->count *= 2) continue;
    n->places = rb_new_array(n->arena, int, n->count);
    for (int v = 0; v < m->vars.count; v++) {
        int place = first_place(n, m->vars.data[v].name);
        while (n->places[place] != 0) place = next_place(n, place);
        n->places[place] = v + 1;
    }
}

int rb_program_find(const RbProgram *program, const char *name) {
    const RbFlatModel *m = program->dae->model;
    RbProgramNames *n = program->names;
    if (!n->places) index_names(n, m);
    int v;
    for (int place = first_place(n, name); (v = n->places[place] - 1) >= 0;
         place = next_place(n, place)) {
        if (strcmp(m->vars.data[v].name, name) == 0) return v;
    }
    return -1;
}

// --- instances -----------------------------------------------------------------------------------

// Code with memory of its own serves one instance only.
static RbCompiled own_code(const RbProgram *program, RbArena *arena) {
    RbCompiled own = {0};
    RbDiag ignored = rb_diag(arena);
    if (!program->compiled.areas[0] || !*program->taken) {
        *program->taken = true;
        return program->compiled;
    }
    if (rb_compile_now(&program->source, arena, &ignored, &own) != RB_OK) return (RbCompiled){0};
    return own;
}

RbProgramInstance *rb_program_instance(const RbProgram *program, RbArena *arena) {
    RbProgramInstance *in = rb_new(arena, RbProgramInstance);
    const RbLowered *l = program->lowered;
    in->program = program;
    in->arena = arena;
    in->compiled = own_code(program, arena);
    in->call_arena = rb_arena_child(arena);
    in->array_values = rb_new_array(arena, RbArrayValue, program->dae->arrays.count + 1);
    in->overridden = rb_new_array(arena, unsigned char, program->parameter_count + 1);
    in->given_inputs = rb_new_array(arena, unsigned char, program->input_count + 1);
    in->override_values = rb_new_array(arena, double, program->parameter_count + 1);
    rb_first_layout(in);
    in->frame.solve = rb_solve_system;
    in->frame.homotopy = 1;
    in->frame.call = rb_call_site;
    in->frame.element = rb_checked_element;
    in->frame.delay = rb_delay_value;
    in->delays = rb_delays(program->dae, arena);
    in->frame.apply = rb_apply_arrays;
    in->frame.store = rb_store_elements;
    in->frame.invoke = rb_invoke_function;
    in->frame.call_whole = rb_call_whole;
    in->frame.stack = rb_new_array(arena, double, program->source.stack_size + 1);
    in->frame.stack_end = in->frame.stack + program->source.stack_size;
    in->systems = rb_system_works(l, arena);
    in->site_memory = rb_site_memory(program, arena);
    in->sample_start = rb_new_array(arena, double, program->sample_count + 1);
    in->sample_first = rb_new_array(arena, double, program->sample_count + 1);
    in->sample_interval = rb_new_array(arena, double, program->sample_count + 1);
    in->sample_resolution = rb_new_array(arena, double, program->sample_count + 1);
    in->next_sample = rb_new_array(arena, double, program->sample_count + 1);
    in->sample_number = rb_new_array(arena, long, program->sample_count + 1);
    in->before = rb_new_array(arena, double, program->discrete_count + 1);
    in->reinits = rb_new_array(arena, const RbAction *, program->state_count + 1);
    in->warned = rb_new_array(arena, unsigned char, program->dae->actions.count + 1);
    in->slack = rb_new_array(arena, double, program->dae->relations.count + 1);
    rb_reset_slack(in);
    in->failed_system = -1;
    return in;
}

bool rb_program_set(RbProgramInstance *in, int var, double value) {
    const RbSortedDae *d = in->program->dae;
    const RbDaeVar *v = &d->vars.data[var];
    if (v->whole) return false;
    if (v->kind == RB_DAE_ALIAS) return rb_program_set(in, v->alias, v->sign * value);
    if (v->kind == RB_DAE_INPUT) {
        in->frame.u[v->slot] = value;
        in->given_inputs[v->slot] = 1;
        return true;
    }
    if (v->kind == RB_DAE_PARAMETER && d->model->vars.data[var].is_structural) return false;
    if (v->kind != RB_DAE_PARAMETER) { // a start value: it is a parameter of its own
        const RbExpr *start = d->model->vars.data[var].attributes.start;
        if (!start || start->op != RB_OP_VAR || !d->vars.data[start->index].auxiliary) return false;
        v = &d->vars.data[start->index];
    }
    in->overridden[v->slot] = 1;
    in->override_values[v->slot] = value;
    return true;
}

double rb_program_value(const RbProgramInstance *in, int var) {
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    if (v->whole) return NAN;
    if (v->kind == RB_DAE_ALIAS) return v->sign * rb_program_value(in, v->alias);
    RbCodePlace place = rb_place(in->program->lowered, var);
    return place.area < 0 ? NAN : rb_area(in, place.area)[place.index];
}

// --- evaluation ----------------------------------------------------------------------------------

RbStatus rb_program_run(RbProgramInstance *in, RbSectionId section) {
    in->frame.failed = 0;
    in->component_failed = false;
    RbSectionFunction *compiled = in->compiled.sections[section];
    int failed = compiled ? compiled(&in->frame) : rb_interpret(in, section);
    return failed || in->frame.failed ? RB_ERROR_SOLVER : RB_OK;
}

static void take_point(RbProgramInstance *in, double time, const double *x) {
    in->frame.t = time;
    if (x != in->frame.x) memcpy(in->frame.x, x, (size_t)rb_program_states(in) * sizeof *x);
    if (in->read_inputs) in->read_inputs(in->call_user, time, false); // may depend on the states
}

RbStatus rb_program_derivatives(RbProgramInstance *in, double time, const double *x, double *dx) {
    take_point(in, time, x);
    RbStatus status = rb_program_run(in, RB_SECTION_DERIVATIVES);
    // Derivatives keep their own memory: Newton's method starts from the last ones, and what the
    // caller's array held is noise.
    if (dx != in->frame.dx) memcpy(dx, in->frame.dx, (size_t)rb_program_states(in) * sizeof *dx);
    return status;
}

RbStatus rb_program_outputs(RbProgramInstance *in, double time, const double *x) {
    take_point(in, time, x);
    return rb_program_run(in, RB_SECTION_OUTPUTS);
}

RbStatus rb_program_indicators(RbProgramInstance *in, double time, const double *x, double *z) {
    take_point(in, time, x);
    RB_TRY(rb_program_run(in, RB_SECTION_DERIVATIVES));
    return rb_program_indicators_here(in, z);
}

RbStatus rb_program_indicators_here(RbProgramInstance *in, double *z) {
    const RbSortedDae *d = in->program->dae;
    RB_TRY(rb_program_run(in, RB_SECTION_INDICATORS));
    for (int i = 0; i < d->relations.count; i++) {
        const RbRelation *r = &d->relations.data[i];
        bool less = r->op == RB_OP_LT || r->op == RB_OP_LE;
        double s = less ? -in->frame.o[i] : in->frame.o[i]; // positive where the relation holds
        bool holds = in->frame.d[d->vars.data[r->var].slot] != 0;
        z[i] = s + (holds ? in->slack[i] : -in->slack[i]);
    }
    for (int i = 0; i < in->program->branch_count; i++)
        z[d->relations.count + i] = in->systems[in->program->branches[i]].left_branch ? -1 : 1;
    return RB_OK;
}
