// SPDX-License-Identifier: MIT
// What a machine does at a tick, as equations (Modelica specification, 17.3). All is clocked by what the machine is
// related to.
#include "flatten/machine.h"

typedef struct Build {
    RbFrontEnd *fe;
    RbMachines *m;
    RbMachine *machine;
    RbPos at;
} Build;

// --- words of the equations ----------------------------------------------------------------------

static const RbExpr *ref(const Build *b, int v) {
    return rb_flat_ref(b->fe->flat, v);
}

static const RbExpr *previous(const Build *b, int v) {
    return rb_clock_previous(b->fe, v, b->at);
}

static const RbExpr *number(const Build *b, int64_t n) {
    return rb_integer(b->fe->x, n);
}

static const RbExpr *is(const Build *b, const RbExpr *e, int64_t n) {
    return rb_relate(b->fe->x, RB_OP_EQ, e, number(b, n));
}

static const RbExpr *choose(const Build *b, const RbExpr *condition, const RbExpr *yes,
                            const RbExpr *no) {
    return rb_if(b->fe->x, condition, yes, no);
}

static void define(const Build *b, int v, const RbExpr *value) {
    rb_flat_equal(b->fe->flat, &b->fe->flat->equations, ref(b, v), value, b->at)->origin = "";
}

static int integer(const Build *b, const char *name) {
    return rb_clock_scalar(b->fe, name, RB_INTEGER, b->at);
}

static int truth(const Build *b, const char *name) {
    return rb_clock_scalar(b->fe, name, RB_BOOLEAN, b->at);
}

static RbState *state_of(const Build *b, int i) {
    return &b->m->states.data[b->machine->states.data[i]];
}

static RbTransition *transition_of(const Build *b, int i) {
    return &b->m->transitions.data[b->machine->transitions.data[i]];
}

// Is the block of the machine active, and is all in it to begin anew?
static const RbExpr *runs(const Build *b) {
    return b->machine->parent < 0 ? rb_boolean(b->fe->x, true)
                                  : ref(b, b->m->states.data[b->machine->parent].active);
}

static const RbExpr *restarts(const Build *b) {
    return b->machine->parent < 0 ? rb_clock_first_of(b->fe, b->machine->state, b->at)
                                  : ref(b, b->m->states.data[b->machine->parent].reset);
}

// --- variables -----------------------------------------------------------------------------------

static void make_variables(Build *b) {
    RbMachine *machine = b->machine;
    b->at = state_of(b, machine->initial - 1)->at;
    machine->selected = integer(b, "selected");
    machine->fired = integer(b, "fired");
    machine->delayed = integer(b, "delayed");
    machine->next = integer(b, "next");
    machine->state = integer(b, "state");
    machine->reset = truth(b, "reset");
    b->fe->flat->vars.data[machine->next].attributes.start = number(b, machine->initial);
    rb_clock_default(b->fe, machine->state);
    for (int i = 0; i < machine->states.count; i++) {
        int reset = truth(b, "reset"), waits = truth(b, "waits");
        state_of(b, i)->reset = reset;
        state_of(b, i)->waits = waits;
    }
}

// --- transitions ---------------------------------------------------------------------------------

// Have all machines in a state reached a final one? Before this tick, or at it.
static const RbExpr *is_done(const Build *b, int s, bool before) {
    RbExprs *x = b->fe->x;
    const RbExpr *all = rb_boolean(x, true);
    for (int i = 0; i < b->m->machines.count; i++) {
        const RbMachine *inner = &b->m->machines.data[i];
        if (inner->parent != s) continue;
        const RbExpr *at = before ? previous(b, inner->next) : ref(b, inner->state),
                     *one = rb_boolean(x, false);
        for (int k = 0; k < inner->states.count; k++)
            if (b->m->states.data[inner->states.data[k]].is_final)
                one = rb_or(x, one, is(b, at, k + 1));
        all = rb_and(x, all, one);
    }
    return all;
}

static const RbExpr *condition_of(const Build *b, const RbTransition *t) {
    int v = truth(b, "condition");
    const RbExpr *c = rb_machine_previous(b->fe, t->condition, t->around);
    if (t->synchronize) c = rb_and(b->fe->x, c, is_done(b, t->from, t->immediate));
    define(b, v, c);
    return ref(b, v);
}

// The last transition in the list that leaves a state; 0: none. Those that are immediate, or those that are not.
static const RbExpr *leaving(const Build *b, const RbExpr *from, bool immediate) {
    const RbExpr *which = number(b, 0);
    for (int i = 0; i < b->machine->transitions.count; i++) {
        const RbTransition *t = transition_of(b, i);
        if (t->immediate != immediate) continue;
        const RbExpr *c =
            rb_and(b->fe->x, is(b, from, b->m->states.data[t->from].number), condition_of(b, t));
        which = choose(b, c, number(b, i + 1), which);
    }
    return which;
}

static const RbExpr *target(const Build *b) {
    const RbExpr *to = ref(b, b->machine->selected);
    for (int i = 0; i < b->machine->transitions.count; i++) {
        int number_of = b->m->states.data[transition_of(b, i)->to].number;
        to = choose(b, is(b, ref(b, b->machine->fired), i + 1), number(b, number_of), to);
    }
    return to;
}

static const RbExpr *fires_reset(const Build *b) {
    const RbExpr *any = rb_boolean(b->fe->x, false);
    for (int i = 0; i < b->machine->transitions.count; i++)
        if (transition_of(b, i)->reset)
            any = rb_or(b->fe->x, any, is(b, ref(b, b->machine->fired), i + 1));
    return any;
}

static void machine_equations(const Build *b) {
    const RbMachine *machine = b->machine;
    const RbExpr *again = restarts(b), *on = runs(b), *late = previous(b, machine->delayed);
    int now = integer(b, "immediate");
    define(b, machine->selected,
           choose(b, again, number(b, machine->initial), previous(b, machine->next)));
    define(b, now, leaving(b, ref(b, machine->selected), true));
    define(b, machine->fired,
           choose(b, rb_relate(b->fe->x, RB_OP_GT, late, ref(b, now)), late, ref(b, now)));
    define(b, machine->state, choose(b, again, number(b, machine->initial), target(b)));
    define(b, machine->reset, rb_or(b->fe->x, again, fires_reset(b)));
    define(b, machine->next, choose(b, on, ref(b, machine->state), previous(b, machine->next)));
    define(b, machine->delayed, choose(b, on, leaving(b, ref(b, machine->next), false), late));
}

static void state_equations(const Build *b, int i) {
    RbExprs *x = b->fe->x;
    const RbState *s = state_of(b, i);
    const RbExpr *here = is(b, ref(b, b->machine->state), i + 1),
                 *active = rb_and(x, runs(b), here);
    const RbExpr *due = rb_or(x, restarts(b), previous(b, s->waits));
    define(b, s->active, active);
    define(b, s->reset, rb_and(x, ref(b, s->active), rb_or(x, ref(b, b->machine->reset), due)));
    define(b, s->waits, choose(b, runs(b), rb_and(x, rb_not(x, here), due), previous(b, s->waits)));
}

// --- questions -----------------------------------------------------------------------------------

// Variable: is the state entered at this tick, by a transition of its machine or of one around it?
static int entered(Build *b, int s) {
    RbExprs *x = b->fe->x;
    RbState *state = &b->m->states.data[s];
    if (state->entered > 0) return state->entered - 1;
    const RbMachine *machine = &b->m->machines.data[state->machine];
    int v = truth(b, "entered");
    state->entered = v + 1;
    const RbExpr *fires = rb_relate(x, RB_OP_GT, ref(b, machine->fired), number(b, 0));
    const RbExpr *why = rb_or(x, rb_not(x, previous(b, state->active)), fires);
    if (machine->parent >= 0) why = rb_or(x, why, ref(b, entered(b, machine->parent)));
    define(b, v, rb_and(x, ref(b, state->active), why));
    return v;
}

static void count_ticks(Build *b, RbState *s, int begins) {
    RbExprs *x = b->fe->x;
    int ticks = integer(b, "ticks");
    s->ticks = ticks + 1;
    const RbExpr *more = rb_add(x, previous(b, ticks), number(b, 1));
    define(b, ticks,
           choose(b, ref(b, s->active), choose(b, ref(b, begins), number(b, 1), more),
                  previous(b, ticks)));
    s->since = rb_clock_scalar(b->fe, "since", RB_REAL, b->at);
    define(b, s->since, choose(b, ref(b, begins), rb_time(x), previous(b, s->since)));
}

// In the condition of an immediate transition it is not yet known whether the state stays active: it counts the ticks that
// have passed in it, and the time until now.
static void answer(Build *b, const RbAsked *a, RbState *s) {
    RbFrontEnd *fe = b->fe;
    const RbExpr *ticks = a->immediate ? previous(b, s->ticks - 1) : ref(b, s->ticks - 1);
    if (a->kind == RB_ASKED_TICKS) {
        fe->flat->vars.data[a->result].binding = ticks;
        return;
    }
    int passed = integer(b, "passed");
    define(b, passed, a->immediate ? ticks : rb_sub(fe->x, ticks, number(b, 1)));
    const RbExpr *since = a->immediate ? previous(b, s->since) : ref(b, s->since);
    rb_clock_elapsed(fe, a->result, passed, since->index, a->at);
}

static void answer_question(Build *b, const RbAsked *a) {
    if (a->kind == RB_ASKED_ACTIVE) return;
    int s = a->from >= 0 ? a->from : rb_state_around(b->fe, a->where);
    if (s < 0) {
        rb_fail(b->fe->diag, RB_ERROR_MODEL, a->at,
                "%s() can only be used in a state of a state machine or in the condition of a "
                "transition",
                a->kind == RB_ASKED_TICKS ? "ticksInState" : "timeInState");
        return;
    }
    b->at = a->at;
    int begins = entered(b, s);
    RbState *state = &b->m->states.data[s];
    if (state->ticks == 0) count_ticks(b, state, begins);
    answer(b, a, state);
}

void rb_machine_ticks(RbFrontEnd *fe) {
    Build b = {.fe = fe, .m = fe->machines};
    for (int i = 0; i < b.m->machines.count; i++) {
        b.machine = &b.m->machines.data[i];
        make_variables(&b);
    }
    for (int i = 0; i < b.m->machines.count; i++) {
        b.machine = &b.m->machines.data[i];
        b.at = state_of(&b, b.machine->initial - 1)->at;
        machine_equations(&b);
        for (int k = 0; k < b.machine->states.count; k++) state_equations(&b, k);
    }
    for (int i = 0; i < b.m->asked.count; i++) answer_question(&b, &b.m->asked.data[i]);
}
