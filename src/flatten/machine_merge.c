// SPDX-License-Identifier: MIT
// Signals that several states give, of which one is active: variables that are outer, and outputs that are connected
// (Modelica specification, 17.3.5 and 17.3.6).
#include "flatten/machine.h"

static bool is_outer_output(const RbInst *inst) {
    return inst->elem && inst->elem->clause && inst->elem->clause->outer &&
           inst->causality == RB_AST_OUTPUT && inst->kind == RB_INST_LEAF && inst->var >= 0;
}

int rb_machine_root(RbFrontEnd *fe, int v) {
    RbInst *inst = fe->by_var.data[v];
    while (is_outer_output(inst)) {
        RbInst *inner = rb_inst_inner(fe, inst);
        if (!inner || inner->var < 0) break;
        inst = inner;
    }
    return inst->var;
}

RbInst *rb_machine_own(RbFrontEnd *fe, RbInst *inst, RbInst *inner) {
    if (inner->kind != RB_INST_LEAF || inner->var < 0 || inner->variability >= RB_AST_PARAMETER)
        return inner;
    if (inst->var >= 0) return inst;
    if (!fe->machines) fe->machines = rb_new(fe->work, RbMachines);
    RbFlatVar like = fe->flat->vars.data[inner->var], var = like;
    var.name = inst->path;
    var.causality = RB_LOCAL;
    var.binding = NULL;
    var.at = inst->elem->component->at;
    var.is_protected = true;
    inst->kind = RB_INST_LEAF;
    inst->class = inner->class;
    inst->variability = inner->variability;
    inst->rank = inner->rank;
    for (int k = 0; k < inner->rank; k++) inst->dims[k] = inner->dims[k];
    inst->var = fe->flat->vars.count;
    rb_array_push(&fe->flat->vars, fe->work, var);
    rb_array_push(&fe->by_var, fe->work, inst);
    return inst;
}

// --- sources -------------------------------------------------------------------------------------

static RbMerge *merge_of(RbFrontEnd *fe, int target, RbPos at) {
    RbMachines *m = fe->machines;
    for (int i = 0; i < m->merges.count; i++)
        if (m->merges.data[i].target == target) return &m->merges.data[i];
    rb_array_push(&m->merges, fe->work, (RbMerge){.target = target, .at = at});
    return &m->merges.data[m->merges.count - 1];
}

bool rb_machine_is_merged(RbFrontEnd *fe, int v) {
    for (int i = 0; i < fe->machines->merges.count; i++)
        if (fe->machines->merges.data[i].target == v) return true;
    return false;
}

bool rb_machine_signal(RbFrontEnd *fe, const RbMergeSource *sources, int count, RbPos at,
                       int *target) {
    if (!fe->machines) return false;
    for (int i = 0; i < count; i++)
        if (rb_state_around(fe, sources[i].inst) < 0) return false;
    RbVal like = {.type = (RbType)sources[0].value->type, .class = sources[0].inst->class};
    bool real = like.type == RB_REAL;
    *target = rb_clock_var(fe, "signal", &like, real ? RB_CONTINUOUS : RB_DISCRETE, at);
    RbMerge *merge = merge_of(fe, *target, at);
    for (int i = 0; i < count; i++) rb_array_push(&merge->sources, fe->work, sources[i]);
    return true;
}

static void find_outer_outputs(RbFrontEnd *fe) {
    for (int v = 0; v < fe->by_var.count; v++) {
        RbInst *inst = fe->by_var.data[v];
        RbInst *inner = is_outer_output(inst) ? rb_inst_inner(fe, inst) : NULL;
        if (!inner || inner->var < 0) continue;
        RbMerge *merge = merge_of(fe, inner->var, inst->elem->component->at);
        rb_array_push(&merge->sources, fe->work, (RbMergeSource){inst, rb_flat_ref(fe->flat, v)});
    }
}

static bool check_sources(RbFrontEnd *fe, const RbMerge *merge) {
    for (int i = 0; i < merge->sources.count; i++) {
        for (int k = 0; k < i; k++) {
            const RbInst *a = merge->sources.data[k].inst, *b = merge->sources.data[i].inst;
            int s = rb_state_around(fe, a), t = rb_state_around(fe, b);
            if (s >= 0 && t >= 0 && !rb_states_meet(fe, s, t)) continue;
            rb_fail(fe->diag, RB_ERROR_MODEL, merge->at,
                    "'%s' and '%s' give the same signal, and both may be active at one tick; only "
                    "states that exclude each "
                    "other, those of one state machine, may give one signal",
                    a->path, b->path);
            return false;
        }
    }
    return true;
}

// --- equations -----------------------------------------------------------------------------------

static const RbExpr *kept(RbFrontEnd *fe, int v, RbPos at) {
    int root = rb_machine_root(fe, v), owner = rb_state_around(fe, fe->by_var.data[root]);
    const RbExpr *before = rb_clock_previous(fe, root, at);
    if (owner < 0) return before;
    return rb_if(fe->x, rb_flat_ref(fe->flat, fe->machines->states.data[owner].reset),
                 rb_machine_start(fe, root), before);
}

static void emit(RbFrontEnd *fe, const RbMerge *merge) {
    const RbExpr *value = NULL;
    for (int i = merge->sources.count - 1; i >= 0; i--) {
        const RbMergeSource *source = &merge->sources.data[i];
        int s = rb_state_around(fe, source->inst);
        if (s < 0) { // no state: the only source
            value = source->value;
            break;
        }
        if (!value) value = kept(fe, merge->target, merge->at);
        value = rb_if(fe->x, rb_flat_ref(fe->flat, fe->machines->states.data[s].active),
                      source->value, value);
    }
    rb_flat_equal(fe->flat, &fe->flat->equations, rb_flat_ref(fe->flat, merge->target), value,
                  merge->at)
        ->origin = "";
}

bool rb_machine_sources(RbFrontEnd *fe) {
    find_outer_outputs(fe);
    for (int i = 0; i < fe->machines->merges.count; i++)
        if (!check_sources(fe, &fe->machines->merges.data[i])) return false;
    return true;
}

void rb_machine_merge(RbFrontEnd *fe) {
    for (int i = 0; i < fe->machines->merges.count; i++) emit(fe, &fe->machines->merges.data[i]);
}
