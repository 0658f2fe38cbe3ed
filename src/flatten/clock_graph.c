// SPDX-License-Identifier: MIT
// Which variables tick together, and when: variables in one equation share a clock; operators between clocks relate
// them; a clock that is given somewhere is handed on along these relations.
#include "flatten/clock.h"

bool rb_is_clock(const RbExpr *e) {
    return e && e->type == RB_CLOCK;
}

// --- ratios --------------------------------------------------------------------------------------

RbRatio rb_ratio(int64_t n, int64_t d) {
    int64_t a = n < 0 ? -n : n, b = d;
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a == 0 ? (RbRatio){0, 1} : (RbRatio){n / a, d / a};
}

RbRatio rb_ratio_mul(RbRatio a, RbRatio b) {
    RbRatio cross = rb_ratio(a.n, b.d), other = rb_ratio(b.n, a.d);
    return (RbRatio){cross.n * other.n, cross.d * other.d};
}

RbRatio rb_ratio_add(RbRatio a, RbRatio b) {
    return rb_ratio(a.n * b.d + b.n * a.d, a.d * b.d);
}

static bool equal(RbRatio a, RbRatio b) {
    return a.n == b.n && a.d == b.d;
}

// --- partitions ----------------------------------------------------------------------------------

static int root_of(RbClocking *c, int v) {
    while (c->parent[v] != v) v = c->parent[v] = c->parent[c->parent[v]];
    return v;
}

RbClockNode *rb_clock_node(RbClocking *c, int v) {
    return &c->nodes[root_of(c, v)];
}

static void unite(RbClocking *c, int a, int b) {
    c->parent[root_of(c, a)] = root_of(c, b);
}

static void visit_statements(RbStatements *list, RbClockVisit *f, void *user) {
    for (int i = 0; i < list->count; i++) {
        RbStatement *s = list->data[i];
        if (s->target) f(user, &s->target);
        if (s->value) f(user, &s->value);
        for (int k = 0; k < s->targets.count; k++)
            if (s->targets.data[k]) f(user, &s->targets.data[k]);
        for (int k = 0; k < s->branches.count; k++) {
            if (s->branches.data[k].condition) f(user, &s->branches.data[k].condition);
            visit_statements(&s->branches.data[k].statements, f, user);
        }
    }
}

void rb_clock_visit(RbEquation *eq, RbClockVisit *f, void *user) {
    if (eq->left) f(user, &eq->left);
    if (eq->right) f(user, &eq->right);
    visit_statements(&eq->statements, f, user);
    for (int k = 0; k < eq->branches.count; k++) {
        if (eq->branches.data[k].condition) f(user, &eq->branches.data[k].condition);
        for (int i = 0; i < eq->branches.data[k].equations.count; i++)
            rb_clock_visit(eq->branches.data[k].equations.data[i], f, user);
    }
}

typedef struct Group { // what is in one equation
    RbFrontEnd *fe;
    RbClocking *c;
    int first; // variable; -1: none so far
} Group;

static bool varies(RbFrontEnd *fe, int v) {
    return fe->flat->vars.data[v].variability > RB_PARAMETER;
}

static void join_expr(void *user, const RbExpr **e) {
    Group *g = user;
    RbArena scratch = *g->fe->scratch;
    RbIndices vars = rb_expr_vars(g->fe->x, *e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        g->c->used[vars.data[i]] = 1;
        if (!varies(g->fe, vars.data[i])) continue;
        if (g->first >= 0) unite(g->c, vars.data[i], g->first);
        g->first = vars.data[i];
    }
}

static void join_equations(RbFrontEnd *fe, RbClocking *c) {
    RbFlatModel *m = fe->flat;
    for (int i = 0; i < m->equations.count; i++)
        rb_clock_visit(m->equations.data[i], join_expr, &(Group){fe, c, -1});
    for (int v = 0; v < c->count; v++) {
        Group g = {fe, c, v};
        if (m->vars.data[v].binding && varies(fe, v)) join_expr(&g, &m->vars.data[v].binding);
    }
}

// Operators within a clock.
static void join_operators(RbFrontEnd *fe, RbClocking *c) {
    for (int i = 0; i < c->ops.count; i++) {
        const RbClockOp *op = &c->ops.data[i];
        bool within = op->kind == RB_CLOCK_PREVIOUS || op->kind == RB_CLOCK_INTERVAL ||
                      op->kind == RB_CLOCK_FIRST || op->kind == RB_CLOCK_ELAPSED;
        if (within && op->argument >= 0) unite(c, op->argument, op->result);
        if (op->clock >= 0) unite(c, op->clock, op->result);
    }
    for (int i = 0; i < c->defs.count; i++) {
        const RbClockDef *d = &c->defs.data[i];
        Group g = {fe, c, d->var};
        const RbExpr *value = d->value;
        if (d->kind == RB_CLOCK_VARYING) join_expr(&g, &value);
    }
}

// Results that only stand in other operators, or in a clock. The inner ones were noted first.
static void mark_used(RbFrontEnd *fe, RbClocking *c) {
    for (int i = 0; i < c->defs.count; i++) {
        const RbExpr *values[] = {c->defs.data[i].value, c->defs.data[i].start};
        for (int k = 0; k < 2; k++)
            if (values[k]) rb_mark_vars(fe->x, &values[k], 1, c->used);
    }
    for (int i = c->ops.count - 1; i >= 0; i--) {
        const RbClockOp *op = &c->ops.data[i];
        if (c->used[op->result] && op->argument >= 0) c->used[op->argument] = 1;
        if (c->used[op->result] && op->clock >= 0) c->used[op->clock] = 1;
        const RbExpr *binding =
            op->argument >= 0 ? fe->flat->vars.data[op->argument].binding : NULL;
        if (c->used[op->result] && binding) rb_mark_vars(fe->x, &binding, 1, c->used);
    }
}

static void mark_clocked(RbClocking *c, int v, RbPos at) {
    RbClockNode *n = rb_clock_node(c, v);
    if (!n->clocked) n->clocked_at = at;
    n->clocked = true;
}

static void mark_unclocked(RbClocking *c, int v, RbPos at) {
    RbClockNode *n = rb_clock_node(c, v);
    if (!n->unclocked) n->unclocked_at = at;
    n->unclocked = true;
}

static void mark_nodes(RbFrontEnd *fe, RbClocking *c) {
    for (int v = 0; v < c->count; v++) {
        RbClockNode *n = rb_clock_node(c, v);
        if (fe->flat->vars.data[v].name[0] != '$' && n->name == 0) n->name = v + 1;
        if (fe->flat->vars.data[v].type == RB_CLOCK) mark_clocked(c, v, fe->flat->vars.data[v].at);
    }
    for (int i = 0; i < c->ops.count; i++) {
        const RbClockOp *op = &c->ops.data[i];
        if (op->kind == RB_CLOCK_HOLD)
            mark_unclocked(c, op->result, op->at);
        else
            mark_clocked(c, op->result, op->at);
        if (op->argument < 0) continue;
        if (op->kind == RB_CLOCK_SAMPLE)
            mark_unclocked(c, op->argument, op->at);
        else
            mark_clocked(c, op->argument, op->at);
    }
}

// --- clocks --------------------------------------------------------------------------------------

static const char *name_of(RbFrontEnd *fe, const RbClockNode *n) {
    return n->name > 0 ? rb_arena_printf(fe->arena, "'%s'", fe->flat->vars.data[n->name - 1].name)
                       : "this expression";
}

static RbRatio absolute(const RbClocking *c, const RbClockNode *n, RbRatio r) {
    const RbClockDef *d = &c->defs.data[n->base - 1];
    return rb_ratio_mul(r, rb_ratio(d->counter, d->resolution));
}

static bool is_rational(const RbClocking *c, const RbClockNode *n) {
    return c->defs.data[n->base - 1].kind == RB_CLOCK_RATIONAL;
}

static bool same_ticks(const RbClocking *c, const RbClockNode *a, const RbClockNode *b) {
    if (a->base == b->base) return equal(a->factor, b->factor) && equal(a->shift, b->shift);
    return is_rational(c, a) && is_rational(c, b) &&
           equal(absolute(c, a, a->factor), absolute(c, b, b->factor)) &&
           equal(absolute(c, a, a->shift), absolute(c, b, b->shift));
}

static void ratio_words(RbText *out, RbRatio r) {
    rb_text_printf(out, r.d == 1 ? "%lld" : "%lld/%lld", (long long)r.n, (long long)r.d);
}

// "every 1/10 s from 1/20 s"
static const char *ticks_words(RbFrontEnd *fe, const RbClocking *c, const RbClockNode *n) {
    const RbClockDef *d = &c->defs.data[n->base - 1];
    RbText out = rb_text(fe->arena);
    bool rational = is_rational(c, n);
    rb_text_add(&out, "every ");
    ratio_words(&out, rational ? absolute(c, n, n->factor) : n->factor);
    rb_text_add(&out, rational ? " s" : n->factor.n == 1 && n->factor.d == 1 ? " tick" : " ticks");
    if (n->shift.n != 0) rb_text_add(&out, " from ");
    if (n->shift.n != 0) ratio_words(&out, rational ? absolute(c, n, n->shift) : n->shift);
    if (n->shift.n != 0 && rational) rb_text_add(&out, " s");
    rb_text_printf(&out, rational ? " (the clock of line %d)" : " of the clock of line %d",
                   d->at.line);
    return out.data;
}

static void fail_conflict(RbFrontEnd *fe, const RbClocking *c, const RbClockNode *n,
                          const RbClockNode *other, RbPos at) {
    rb_fail(fe->diag, RB_ERROR_MODEL, at,
            "%s has two clocks: it ticks %s, and here %s; relate them by subSample, superSample or "
            "shiftSample, or "
            "leave one to be found: Clock()",
            name_of(fe, n), ticks_words(fe, c, n), ticks_words(fe, c, other));
}

static bool give_clocks(RbFrontEnd *fe, RbClocking *c) {
    bool good = true;
    for (int i = 0; i < c->defs.count; i++) {
        const RbClockDef *d = &c->defs.data[i];
        if (d->kind == RB_CLOCK_INFERRED) continue;
        RbClockNode *n = rb_clock_node(c, d->var), own = *n;
        own.base = i + 1;
        own.factor = (RbRatio){1, 1};
        own.shift = (RbRatio){0, 1};
        if (n->base == 0) {
            *n = own;
        } else if (!same_ticks(c, n, &own)) {
            fail_conflict(fe, c, n, &own, d->at);
            good = false;
        }
    }
    return good;
}

// The clock of the result from that of the argument, or the other way round.
static RbClockNode related(const RbClockOp *op, const RbClockNode *from, bool back) {
    RbClockNode n = {.base = from->base, .factor = from->factor, .shift = from->shift};
    bool shrinks = (op->kind == RB_CLOCK_SUPER) != back;
    if (op->kind == RB_CLOCK_SUB || op->kind == RB_CLOCK_SUPER)
        n.factor =
            rb_ratio_mul(n.factor, shrinks ? rb_ratio(1, op->count) : rb_ratio(op->count, 1));
    if (op->kind != RB_CLOCK_SHIFT && op->kind != RB_CLOCK_BACK) return n;
    bool later = (op->kind == RB_CLOCK_SHIFT) != back;
    RbRatio step = rb_ratio_mul(n.factor, rb_ratio(later ? op->count : -op->count, op->resolution));
    n.shift = rb_ratio_add(n.shift, step);
    return n;
}

static bool relates(const RbClockOp *op) {
    bool factor = op->kind == RB_CLOCK_SUB || op->kind == RB_CLOCK_SUPER;
    return (factor && op->count > 0) || op->kind == RB_CLOCK_SHIFT || op->kind == RB_CLOCK_BACK ||
           op->kind == RB_CLOCK_SOLVER;
}

static bool take(RbClockNode *to, const RbClockNode *found) {
    if (to->base > 0 || found->base == 0) return false;
    to->base = found->base;
    to->factor = found->factor;
    to->shift = found->shift;
    to->clocked = true;
    return true;
}

static bool take_method(RbClockNode *to, const char *method) {
    if (to->method || !method) return false;
    to->method = method;
    return true;
}

static bool spread_once(RbClocking *c) {
    bool more = false;
    for (int i = 0; i < c->ops.count; i++) {
        const RbClockOp *op = &c->ops.data[i];
        if (!relates(op)) continue;
        RbClockNode *a = rb_clock_node(c, op->argument), *r = rb_clock_node(c, op->result);
        RbClockNode forth = related(op, a, false), back = related(op, r, true);
        more |= a->base > 0 && take(r, &forth);
        more |= r->base > 0 && take(a, &back);
        if (op->kind == RB_CLOCK_SOLVER)
            more |= take_method(r, op->method);
        else
            more |= take_method(r, a->method) || take_method(a, r->method);
    }
    return more;
}

// What has no clock and may do without one ticks every second.
static void give_default(RbFrontEnd *fe, RbClocking *c, int v) {
    RbClockNode *n = rb_clock_node(c, v);
    if (n->base > 0) return;
    RbClockDef d = {.kind = RB_CLOCK_RATIONAL, .var = v, .counter = 1, .resolution = 1, .at = fe->flat->vars.data[v].at};
    rb_array_push(&c->defs, fe->work, d);
    take(n, &(RbClockNode){.base = c->defs.count, .factor = {1, 1}, .shift = {0, 1}});
    rb_warn(fe->diag, d.at,
            "no clock is given for this state machine, and none follows from what it is related to, so it ticks every "
            "second; give one: sample(u, Clock(0.1)) in an equation or in a condition");
    while (spread_once(c)) continue;
}

static bool check_relation(RbFrontEnd *fe, RbClocking *c, const RbClockOp *op) {
    if (!relates(op)) return true;
    RbClockNode *a = rb_clock_node(c, op->argument), *r = rb_clock_node(c, op->result);
    if (a->base == 0 || r->base == 0) return true;
    RbClockNode wanted = related(op, a, false);
    if (wanted.shift.n < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, op->at,
                "backSample(...) would tick before the first tick of its clock; shift the argument "
                "first, by shiftSample");
        return false;
    }
    if (same_ticks(c, r, &wanted)) return true;
    fail_conflict(fe, c, r, &wanted, op->at);
    return false;
}

static bool is_used(const RbClocking *c, const RbClockOp *op) {
    return c->used[op->result] || op->kind == RB_CLOCK_SOLVER;
}

static bool check_operator(RbFrontEnd *fe, RbClocking *c, const RbClockOp *op) {
    const RbClockNode *r = rb_clock_node(c, op->kind == RB_CLOCK_HOLD ? op->argument : op->result);
    if (r->base > 0 || !is_used(c, op)) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, op->at,
            "no clock is given for %s, and none follows from what it is related to; give one: "
            "sample(u, Clock(0.1)), or "
            "when Clock(0.1) then ...",
            name_of(fe, r));
    return false;
}

static bool check_node(RbFrontEnd *fe, const RbClockNode *n) {
    if (!n->clocked || !n->unclocked) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, n->unclocked_at,
            "%s ticks with a clock and is used like a continuous variable here; write hold(...) "
            "where a clocked "
            "value is read, or sample(...) where a continuous one is",
            name_of(fe, n));
    if (n->clocked_at.file)
        rb_note(fe->diag, n->clocked_at, "its clock is related to what is written here");
    return false;
}

static bool check_arrays(RbFrontEnd *fe) {
    for (int v = 0; v < fe->flat->vars.count; v++) {
        const RbFlatVar *var = &fe->flat->vars.data[v];
        if (var->type != RB_CLOCK || var->rank == 0) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, var->at,
                "arrays of clocks are not supported; declare the clocks of '%s' one by one",
                var->name);
        return false;
    }
    return true;
}

bool rb_clock_graph(RbFrontEnd *fe, RbClocking *c) {
    if (!check_arrays(fe)) return false;
    c->count = fe->flat->vars.count;
    c->parent = rb_new_array(fe->work, int, c->count + 1);
    c->nodes = rb_new_array(fe->work, RbClockNode, c->count + 1);
    c->used = rb_new_array(fe->work, unsigned char, c->count + 1);
    for (int v = 0; v < c->count; v++) c->parent[v] = v;
    join_equations(fe, c);
    join_operators(fe, c);
    mark_used(fe, c);
    mark_nodes(fe, c);
    bool good = give_clocks(fe, c);
    while (good && spread_once(c)) continue;
    for (int i = c->defaults.count - 1; good && i >= 0; i--) give_default(fe, c, c->defaults.data[i]);
    for (int i = 0; good && i < c->ops.count; i++)
        good = check_relation(fe, c, &c->ops.data[i]) && check_operator(fe, c, &c->ops.data[i]);
    for (int v = 0; good && v < c->count; v++) good = check_node(fe, &c->nodes[v]);
    return good;
}
