// SPDX-License-Identifier: MIT
// Which states make a machine, and what must hold for it.
#include "flatten/machine.h"

// --- where a state is ----------------------------------------------------------------------------

int rb_state_around(RbFrontEnd *fe, const RbInst *inst) {
    for (; inst; inst = inst->parent) {
        uint64_t *known = rb_map_find(&fe->machines->by_inst, rb_map_key(inst));
        if (known) return (int)*known;
    }
    return -1;
}

// The state around the machine of a state; -1: none.
static int outer_state(const RbMachines *m, int s) {
    return m->machines.data[m->states.data[s].machine].parent;
}

static bool contains(const RbMachines *m, int outer, int s) {
    while (s >= 0 && s != outer) s = outer_state(m, s);
    return s >= 0;
}

// They exclude each other if some states around them are different ones of one machine.
bool rb_states_meet(RbFrontEnd *fe, int a, int b) {
    const RbMachines *m = fe->machines;
    if (contains(m, a, b) || contains(m, b, a)) return true;
    for (int s = a; s >= 0; s = outer_state(m, s)) {
        for (int t = b; t >= 0; t = outer_state(m, t))
            if (s != t && m->states.data[s].machine == m->states.data[t].machine) return false;
    }
    return true;
}

// --- machines ------------------------------------------------------------------------------------

static int root_of(RbMachines *m, int s) {
    while (m->states.data[s].parent != s) s = m->states.data[s].parent;
    return s;
}

static void fill_machine(RbFrontEnd *fe, RbMachines *m, int root) {
    RbMachine machine = {.parent = -1};
    int number = m->machines.count;
    for (int s = 0; s < m->states.count; s++) {
        if (root_of(m, s) != root) continue;
        RbState *state = &m->states.data[s];
        rb_array_push(&machine.states, fe->work, s);
        state->machine = number;
        state->number = machine.states.count;
        if (!machine.around) machine.around = state->inst->parent;
    }
    for (int t = 0; t < m->transitions.count; t++) {
        if (root_of(m, m->transitions.data[t].from) != root) continue;
        rb_array_push(&machine.transitions, fe->work, t);
        machine.around = m->transitions.data[t].around;
    }
    rb_array_push(&m->machines, fe->work, machine);
}

static void find_machines(RbFrontEnd *fe, RbMachines *m) {
    for (int t = 0; t < m->transitions.count; t++)
        m->states.data[root_of(m, m->transitions.data[t].from)].parent =
            root_of(m, m->transitions.data[t].to);
    for (int s = 0; s < m->states.count; s++)
        if (root_of(m, s) == s && m->states.data[s].is_named) fill_machine(fe, m, s);
    for (int i = 0; i < m->machines.count; i++)
        m->machines.data[i].parent = rb_state_around(fe, m->machines.data[i].around);
}

// --- checks --------------------------------------------------------------------------------------

static const char *path_of(const RbMachines *m, int s) {
    return m->states.data[s].inst->path;
}

static bool check_states(RbFrontEnd *fe, const RbMachines *m) {
    for (int i = 0; i < m->asked.count; i++) {
        const RbAsked *a = &m->asked.data[i];
        int s = a->kind == RB_ASKED_ACTIVE ? rb_state_around(fe, a->where) : -1;
        if (s < 0 || m->states.data[s].is_named) continue;
        rb_fail(
            fe->diag, RB_ERROR_MODEL, a->at,
            "'%s' is no state of a state machine; name it in a transition or as initialState(%s)",
            a->where->path, a->where->path);
        return false;
    }
    return true;
}

static bool check_initial(RbFrontEnd *fe, RbMachines *m, RbMachine *machine) {
    int first = -1;
    for (int i = 0; i < machine->states.count; i++) {
        int s = machine->states.data[i];
        const RbState *state = &m->states.data[s];
        if (!state->is_initial) continue;
        if (first >= 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, state->at,
                    "'%s' and '%s' are both an initial state of the same state machine; it begins "
                    "in one",
                    path_of(m, first), path_of(m, s));
            return false;
        }
        first = s;
        machine->initial = state->number;
    }
    if (first >= 0) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, m->states.data[machine->states.data[0]].at,
            "the state machine of '%s' has no initial state; add initialState(%s)",
            path_of(m, machine->states.data[0]), path_of(m, machine->states.data[0]));
    return false;
}

static bool check_blocks(RbFrontEnd *fe, const RbMachines *m, const RbMachine *machine) {
    for (int i = 0; i < machine->transitions.count; i++) {
        const RbTransition *t = &m->transitions.data[machine->transitions.data[i]];
        if (t->around == machine->around) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, t->at,
                "the transitions of a state machine must stand in one block, but this one, which "
                "leaves '%s', and others "
                "stand in different ones",
                path_of(m, t->from));
        return false;
    }
    return true;
}

static bool check_priorities(RbFrontEnd *fe, const RbMachines *m, const RbMachine *machine) {
    for (int i = 0; i < machine->transitions.count; i++) {
        const RbTransition *a = &m->transitions.data[machine->transitions.data[i]];
        for (int k = 0; k < i; k++) {
            const RbTransition *b = &m->transitions.data[machine->transitions.data[k]];
            if (a->from != b->from || a->priority != b->priority) continue;
            rb_fail(fe->diag, RB_ERROR_MODEL, a->at,
                    "two transitions leave '%s' with the priority %lld, the other one in line %d; "
                    "give each its own: "
                    "priority = 2",
                    path_of(m, a->from), (long long)a->priority, b->at.line);
            return false;
        }
    }
    return true;
}

// The lower the number of the priority, the later in the list.
static void sort_transitions(const RbMachines *m, RbMachine *machine) {
    int *list = machine->transitions.data, count = machine->transitions.count;
    for (int i = 1; i < count; i++) {
        int t = list[i], k = i;
        for (; k > 0 && m->transitions.data[list[k - 1]].priority < m->transitions.data[t].priority;
             k--)
            list[k] = list[k - 1];
        list[k] = t;
    }
}

bool rb_machine_graph(RbFrontEnd *fe) {
    RbMachines *m = fe->machines;
    bool good = check_states(fe, m);
    if (good) find_machines(fe, m);
    for (int i = 0; good && i < m->machines.count; i++) {
        RbMachine *machine = &m->machines.data[i];
        good = check_blocks(fe, m, machine) && check_initial(fe, m, machine) &&
               check_priorities(fe, m, machine);
        sort_transitions(m, machine);
    }
    return good;
}

// --- immediate transitions -----------------------------------------------------------------------

static bool in_machine(RbFrontEnd *fe, const RbInst *inst, int machine) {
    for (int s = rb_state_around(fe, inst); s >= 0; s = outer_state(fe->machines, s))
        if (fe->machines->states.data[s].machine == machine) return true;
    return false;
}

// Does a variable follow from the state of a machine?
static bool follows(RbFrontEnd *fe, int v, int machine) {
    const RbMachines *m = fe->machines;
    const RbFlatVar *var = &fe->flat->vars.data[v];
    if (var->variability <= RB_PARAMETER) return false;
    for (int s = 0; s < m->states.count; s++)
        if (m->states.data[s].active == v) return in_machine(fe, m->states.data[s].inst, machine);
    for (int i = 0; i < m->merges.count; i++) {
        const RbMerge *merge = &m->merges.data[i];
        for (int k = 0; merge->target == v && k < merge->sources.count; k++)
            if (in_machine(fe, merge->sources.data[k].inst, machine)) return true;
    }
    return in_machine(fe, fe->by_var.data[v], machine);
}

bool rb_machine_check(RbFrontEnd *fe) {
    const RbMachines *m = fe->machines;
    for (int i = 0; i < m->transitions.count; i++) {
        const RbTransition *t = &m->transitions.data[i];
        RbArena scratch = *fe->scratch;
        RbIndices vars = rb_expr_vars(fe->x, t->condition, &scratch);
        for (int k = 0; t->immediate && k < vars.count; k++) {
            if (!follows(fe, vars.data[k], m->states.data[t->from].machine)) continue;
            rb_fail(fe->diag, RB_ERROR_MODEL, t->at,
                    "the condition of this immediate transition reads '%s', which follows from the "
                    "state that the "
                    "transition decides on; write immediate = false, which looks at the tick "
                    "before, or previous(...)",
                    fe->flat->vars.data[vars.data[k]].name);
            return false;
        }
    }
    return true;
}
