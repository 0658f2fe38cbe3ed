// SPDX-License-Identifier: MIT
#include "flatten/unit.h"

#include "expr/builtins.h"
#include <math.h>
#include <string.h>

// --- unit strings --------------------------------------------------------------------------------

// symbol, exponents of m kg s A K mol cd degC, factor, may have a prefix
static const struct {
    const char *symbol;
    signed char exponent[RB_UNIT_DIMENSIONS];
    double factor;
    bool prefix;
} symbols[] = {
    {"m", {1}, 1, true},
    {"g", {0, 1}, 1e-3, true},
    {"s", {0, 0, 1}, 1, true},
    {"A", {0, 0, 0, 1}, 1, true},
    {"K", {0, 0, 0, 0, 1}, 1, true},
    {"mol", {0, 0, 0, 0, 0, 1}, 1, true},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, true},
    {"degC", {0, 0, 0, 0, 0, 0, 0, 1}, 1, false},
    {"rad", {0}, 1, true},
    {"sr", {0}, 1, true},
    {"Hz", {0, 0, -1}, 1, true},
    {"N", {1, 1, -2}, 1, true},
    {"Pa", {-1, 1, -2}, 1, true},
    {"J", {2, 1, -2}, 1, true},
    {"W", {2, 1, -3}, 1, true},
    {"C", {0, 0, 1, 1}, 1, true},
    {"V", {2, 1, -3, -1}, 1, true},
    {"F", {-2, -1, 4, 2}, 1, true},
    {"Ohm", {2, 1, -3, -2}, 1, true},
    {"S", {-2, -1, 3, 2}, 1, true},
    {"Wb", {2, 1, -2, -1}, 1, true},
    {"T", {0, 1, -2, -1}, 1, true},
    {"H", {2, 1, -2, -2}, 1, true},
    {"lm", {0, 0, 0, 0, 0, 0, 1}, 1, true},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}, 1, true},
    {"Bq", {0, 0, -1}, 1, true},
    {"Gy", {2, 0, -2}, 1, true},
    {"Sv", {2, 0, -2}, 1, true},
    {"kat", {0, 0, -1, 0, 0, 1}, 1, true},
    {"var", {2, 1, -3}, 1, true},
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"d", {0, 0, 1}, 86400, false},
    {"deg", {0}, 0.017453292519943295, false},
    {"l", {3}, 1e-3, true},
    {"L", {3}, 1e-3, true},
    {"t", {0, 1}, 1e3, true},
    {"bar", {-1, 1, -2}, 1e5, true},
    {"eV", {2, 1, -2}, 1.602176634e-19, true},
    {"rev", {0}, 6.283185307179586, false},
};

static const struct {
    const char *symbol;
    double factor;
} prefixes[] = {{"da", 1e1},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},
                {"T", 1e12},  {"G", 1e9},   {"M", 1e6},   {"k", 1e3},   {"h", 1e2},
                {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"n", 1e-9},
                {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}};

static bool find_symbol(const char *text, size_t length, RbUnit *unit) {
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (strlen(symbols[i].symbol) != length || memcmp(symbols[i].symbol, text, length) != 0)
            continue;
        unit->factor = symbols[i].factor;
        for (int k = 0; k < RB_UNIT_DIMENSIONS; k++) {
            unit->exponent[k] = (short)(symbols[i].exponent[k] * RB_UNIT_DENOMINATOR);
        }
        return true;
    }
    return false;
}

static bool takes_prefix(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (strlen(symbols[i].symbol) == length && memcmp(symbols[i].symbol, text, length) == 0) {
            return symbols[i].prefix;
        }
    }
    return false;
}

static bool find_unit(const char *text, size_t length, RbUnit *unit) {
    if (find_symbol(text, length, unit)) return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t n = strlen(prefixes[i].symbol);
        if (length <= n || memcmp(prefixes[i].symbol, text, n) != 0) continue;
        if (!takes_prefix(text + n, length - n) || !find_symbol(text + n, length - n, unit))
            continue;
        unit->factor *= prefixes[i].factor;
        return true;
    }
    return false;
}

// a := a * b^(n / RB_UNIT_DENOMINATOR)
static void multiply(RbUnit *a, const RbUnit *b, int n) {
    a->factor *= pow(b->factor, (double)n / RB_UNIT_DENOMINATOR);
    for (int i = 0; i < RB_UNIT_DIMENSIONS; i++) {
        a->exponent[i] = (short)(a->exponent[i] + b->exponent[i] * n / RB_UNIT_DENOMINATOR);
    }
}

typedef struct Reader {
    const char *at;
    int depth;
} Reader;

static bool read_expression(Reader *r, RbUnit *unit);

// unit-factor = symbol [ exponent ] | "1" | "(" unit-expression ")"
static bool read_factor(Reader *r, RbUnit *unit) {
    RbUnit base = {.factor = 1};
    if (*r->at == '(') {
        r->at++;
        if (++r->depth > 8 || !read_expression(r, &base) || *r->at != ')') return false;
        r->depth--;
        r->at++;
    } else if (*r->at == '1' && !(r->at[1] >= '0' && r->at[1] <= '9')) {
        r->at++;
    } else {
        size_t length = 0;
        while ((r->at[length] >= 'a' && r->at[length] <= 'z') ||
               (r->at[length] >= 'A' && r->at[length] <= 'Z'))
            length++;
        if (length == 0 || !find_unit(r->at, length, &base)) return false;
        r->at += length;
    }
    int sign = *r->at == '-' ? -1 : 1, exponent = 0;
    if (*r->at == '-' || *r->at == '+') r->at++;
    const char *digits = r->at;
    while (*r->at >= '0' && *r->at <= '9' && r->at - digits < 3)
        exponent = 10 * exponent + (*r->at++ - '0');
    if (r->at == digits) exponent = 1;
    if (exponent > 99) return false;
    multiply(unit, &base, sign * exponent * RB_UNIT_DENOMINATOR);
    return true;
}

// unit-factors = unit-factor { "." unit-factor }
static bool read_factors(Reader *r, RbUnit *unit) {
    do {
        if (!read_factor(r, unit)) return false;
    } while (*r->at == '.' && *++r->at);
    return true;
}

// unit-expression = unit-factors [ "/" unit-factor ]
static bool read_expression(Reader *r, RbUnit *unit) {
    if (!read_factors(r, unit)) return false;
    if (*r->at != '/') return true;
    r->at++;
    RbUnit below = {.factor = 1};
    if (!read_factors(r, &below)) return false;
    multiply(unit, &below, -RB_UNIT_DENOMINATOR);
    return true;
}

bool rb_unit_parse(const char *text, RbUnit *unit) {
    *unit = (RbUnit){.factor = 1};
    Reader r = {.at = text};
    return *text && read_expression(&r, unit) && *r.at == 0;
}

bool rb_unit_equal(const RbUnit *a, const RbUnit *b) {
    // Factors come from a few multiplications of decimal prefixes.
    double tolerance = 1e-9;
    return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0 &&
           fabs(a->factor - b->factor) <= tolerance * fabs(a->factor);
}

static void print_power(const char *name, int exponent, bool first, RbText *out) {
    rb_text_printf(out, "%s%s", first ? "" : ".", name);
    if (exponent == RB_UNIT_DENOMINATOR) return;
    if (exponent % RB_UNIT_DENOMINATOR == 0)
        rb_text_printf(out, "%d", exponent / RB_UNIT_DENOMINATOR);
    else
        rb_text_printf(out, "^(%d/%d)", exponent, RB_UNIT_DENOMINATOR);
}

void rb_unit_print(const RbUnit *unit, RbText *out) {
    static const char *const names[] = {"m", "kg", "s", "A", "K", "mol", "cd", "degC"};
    if (fabs(unit->factor - 1) > 1e-9) {
        rb_text_add_double(out, unit->factor);
        rb_text_add(out, " ");
    }
    int above = 0, below = 0;
    for (int i = 0; i < RB_UNIT_DIMENSIONS; i++) {
        if (unit->exponent[i] > 0) print_power(names[i], unit->exponent[i], above++ == 0, out);
        if (unit->exponent[i] < 0) below++;
    }
    if (above == 0) rb_text_add(out, "1");
    if (below == 0) return;
    rb_text_add(out, below > 1 ? "/(" : "/");
    int count = 0;
    for (int i = 0; i < RB_UNIT_DIMENSIONS; i++) {
        if (unit->exponent[i] < 0) print_power(names[i], -unit->exponent[i], count++ == 0, out);
    }
    if (below > 1) rb_text_add(out, ")");
}

// --- units of expressions ------------------------------------------------------------------------

typedef enum State {
    NOT_YET,
    ANY,    // nothing is known: fits everywhere
    NUMBER, // a literal: without unit in a product, fits everywhere in a sum
    KNOWN,
} State;

typedef struct Unit {
    State state;
    RbUnit unit;
    const char *text; // as declared; NULL: derived
} Unit;

typedef struct Checker {
    const RbFlatModel *model;
    const RbMap *skip;
    bool strict;
    RbArena *arena;
    RbDiag *diag;
    Unit *units;  // by id of the expression
    RbMap parsed; // text of a unit (its address) -> number in `declared`
    RB_ARRAY(Unit) declared;
    RbPos at;
    bool reported; // for the equation at hand
} Checker;

static const char *unit_text(Checker *c, const Unit *u) {
    if (u->text) return u->text;
    RbText text = rb_text(c->arena);
    rb_unit_print(&u->unit, &text);
    return text.data;
}

static void report(Checker *c, const char *what, const Unit *a, const Unit *b) {
    if (c->reported) return;
    c->reported = true;
    const char *x = unit_text(c, a), *y = unit_text(c, b);
    if (c->strict)
        rb_fail(c->diag, RB_ERROR_MODEL, c->at, "the units do not fit: %s '%s' and '%s'", what, x,
                y);
    else
        rb_warn(c->diag, c->at, "the units do not fit: %s '%s' and '%s'", what, x, y);
}

// Both must have the same unit; the answer is the one that is known.
static Unit agree(Checker *c, Unit a, Unit b, const char *what) {
    if (a.state == KNOWN && b.state == KNOWN) {
        if (!rb_unit_equal(&a.unit, &b.unit)) {
            report(c, what, &a, &b);
            return (Unit){.state = ANY};
        }
        return a.text ? a : b;
    }
    if (a.state == KNOWN) return a;
    if (b.state == KNOWN) return b;
    return a.state == NUMBER && b.state == NUMBER ? a : (Unit){.state = ANY};
}

static Unit product(Unit a, Unit b, int sign) {
    if (a.state == ANY || b.state == ANY) return (Unit){.state = ANY};
    if (a.state == NUMBER && b.state == NUMBER) return a;
    Unit out = {.state = KNOWN, .unit = {.factor = 1}};
    if (a.state == KNOWN) multiply(&out.unit, &a.unit, RB_UNIT_DENOMINATOR);
    if (b.state == KNOWN) multiply(&out.unit, &b.unit, sign * RB_UNIT_DENOMINATOR);
    if (b.state == NUMBER)
        out.text = a.text;
    else if (a.state == NUMBER && sign > 0)
        out.text = b.text;
    return out;
}

static Unit power(Unit a, const RbExpr *exponent) {
    if (a.state != KNOWN) return a.state == NUMBER ? a : (Unit){.state = ANY};
    double n;
    if (!rb_constant_value(exponent, &n)) {
        for (int i = 0; i < RB_UNIT_DIMENSIONS; i++) {
            if (a.unit.exponent[i] != 0) return (Unit){.state = ANY};
        }
        return a;
    }
    double twelfths = n * RB_UNIT_DENOMINATOR;
    if (twelfths != floor(twelfths) || fabs(twelfths) > 1200) return (Unit){.state = ANY};
    Unit out = {.state = KNOWN, .unit = {.factor = 1}};
    multiply(&out.unit, &a.unit, (int)twelfths);
    return out;
}

// Units with a meaning that factors and exponents do not hold: not checked, but nothing is wrong.
static bool is_scale(const char *text) {
    static const char *const scales[] = {"degF", "degRk", "dB", "Np", "phon", "sone", "debye"};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (strcmp(scales[i], text) == 0) return true;
    }
    return false;
}

static void warn_unknown(Checker *c, const RbFlatVar *v, const char *text) {
    if (!*text || is_scale(text)) return;
    bool signs = strpbrk(text, "*^ ") != NULL;
    rb_warn(c->diag, v->at,
            "the unit '%s' of '%s' is not known, so that nothing is checked with it%s", text,
            v->name,
            signs ? "; products are written as N.m, powers as m2, quotients as W/(m2.K)" : "");
}

// Many variables share the text of a unit, which is read once.
static void read_declared(Checker *c, RbArena *arena) {
    for (int i = 0; i < c->model->vars.count; i++) {
        const char *text = c->model->vars.data[i].attributes.unit;
        if (!text || rb_map_find(&c->parsed, rb_map_key(text))) continue;
        Unit u = {.state = ANY};
        if (rb_unit_parse(text, &u.unit)) {
            u.state = KNOWN;
            u.text = text;
        } else {
            warn_unknown(c, &c->model->vars.data[i], text);
        }
        rb_map_set(&c->parsed, arena, rb_map_key(text), (uint64_t)c->declared.count);
        rb_array_push(&c->declared, arena, u);
    }
}

static Unit declared(const Checker *c, const RbFlatVar *v) {
    const char *text = v->attributes.unit;
    if (!text) return (Unit){.state = ANY};
    return c->declared.data[*rb_map_find(&c->parsed, rb_map_key(text))];
}

static Unit second(void) {
    Unit u = {.state = KNOWN};
    rb_unit_parse("s", &u.unit);
    return u;
}

static Unit square_root(const Unit *of) {
    if (of->state != KNOWN) return *of;
    Unit out = {.state = KNOWN, .unit = {.factor = 1}};
    multiply(&out.unit, &of->unit, RB_UNIT_DENOMINATOR / 2);
    return out;
}

static Unit builtin_unit(Checker *c, const RbExpr *e, const Unit *args) {
    const RbBuiltinInfo *info = &rb_builtins[e->index];
    switch (info->unit) {
        case RB_UNIT_OF_FIRST: return args[0];
        case RB_UNIT_OF_SECOND: return args[1];
        case RB_UNIT_ROOT: return square_root(&args[0]);
        case RB_UNIT_OF_BOTH:
            return e->arg_count == 2 ? agree(c, args[0], args[1], info->units_text) : args[0];
        case RB_UNIT_BOTH_AGREE: agree(c, args[0], args[1], info->units_text); break;
        case RB_UNIT_ANY: break;
    }
    return (Unit){.state = ANY};
}

static Unit array_unit(const Unit *args, int count) {
    for (int i = 0; i < count; i++) {
        if (args[i].state != KNOWN || !rb_unit_equal(&args[i].unit, &args[0].unit))
            return (Unit){.state = ANY};
    }
    return count > 0 ? args[0] : (Unit){.state = ANY};
}

// A small round number (2*x, 0.5*m*v^2) has no unit; any other may be a quantity written as a
// number.
static Unit literal(const RbExpr *e) {
    double value = 0;
    rb_constant_value(e, &value);
    bool round = fabs(value) <= 12 && 4 * value == floor(4 * value);
    return (Unit){.state = round ? NUMBER : ANY};
}

static Unit unit_of(Checker *c, const RbExpr *e, const Unit *args) {
    switch ((RbOp)e->op) {
        case RB_OP_REAL:
        case RB_OP_INTEGER: return literal(e);
        case RB_OP_VAR: return declared(c, &c->model->vars.data[e->index]);
        case RB_OP_TIME: return second();
        case RB_OP_DER: return product(args[0], second(), -1);
        case RB_OP_PRE:
        case RB_OP_NEG:
        case RB_OP_SUBSCRIPT: return args[0];
        case RB_OP_ADD: // -3*x + v has become v - 3*x
        case RB_OP_SUB: return agree(c, args[0], args[1], "the terms of a sum have");
        case RB_OP_MUL:
        case RB_OP_EMUL: return product(args[0], args[1], 1);
        case RB_OP_DIV:
        case RB_OP_EDIV: return product(args[0], args[1], -1);
        case RB_OP_POW:
        case RB_OP_EPOW: return power(args[0], e->args[1]);
        case RB_OP_LT:
        case RB_OP_LE:
        case RB_OP_GT:
        case RB_OP_GE:
        case RB_OP_EQ:
        case RB_OP_NE: agree(c, args[0], args[1], "a comparison of"); return (Unit){.state = ANY};
        case RB_OP_IF: return agree(c, args[1], args[2], "branches with");
        case RB_OP_ARRAY: return array_unit(args, e->arg_count);
        case RB_OP_BUILTIN: return builtin_unit(c, e, args);
        default: return (Unit){.state = ANY};
    }
}

// Bottom-up over what was not seen yet.
static Unit check_expr(Checker *c, const RbExpr *e, RbArena scratch) {
    if (c->units[e->id].state != NOT_YET) return c->units[e->id];
    RB_ARRAY(const RbExpr *) stack = {0};
    rb_array_push(&stack, &scratch, e);
    while (stack.count > 0) {
        const RbExpr *top = stack.data[stack.count - 1];
        bool ready = true;
        for (int i = 0; i < top->arg_count; i++) {
            if (c->units[top->args[i]->id].state != NOT_YET) continue;
            ready = false;
            rb_array_push(&stack, &scratch, top->args[i]);
        }
        if (!ready) continue;
        stack.count--;
        if (c->units[top->id].state != NOT_YET) continue;
        enum { FEW = 8 };
        Unit few[FEW];
        RbArena inner = scratch;
        Unit *args = top->arg_count <= FEW ? few : rb_new_array(&inner, Unit, top->arg_count);
        for (int i = 0; i < top->arg_count; i++) args[i] = c->units[top->args[i]->id];
        c->units[top->id] = unit_of(c, top, args);
    }
    return c->units[e->id];
}

static void check_pair(Checker *c, const RbExpr *a, const RbExpr *b, RbPos at, RbArena scratch) {
    c->at = at;
    c->reported = false;
    Unit x = check_expr(c, a, scratch), y = check_expr(c, b, scratch);
    agree(c, x, y, "the sides of the equation have");
}

static void check_list(Checker *c, const RbEquations *list, RbArena scratch) {
    for (int i = 0; i < list->count; i++) {
        const RbEquation *eq = list->data[i];
        if (rb_map_find(c->skip, rb_map_key(eq))) continue;
        if (eq->kind == RB_EQ_EQUAL || eq->kind == RB_EQ_REINIT)
            check_pair(c, eq->left, eq->right, eq->at, scratch);
        for (int k = 0; k < eq->branches.count; k++)
            check_list(c, &eq->branches.data[k].equations, scratch);
    }
}

void rb_check_units(const RbFlatModel *model, const RbMap *skip, bool strict, RbArena scratch,
                    RbDiag *diag) {
    Checker c = {
        .model = model, .skip = skip, .strict = strict, .arena = diag->arena, .diag = diag};
    c.units = rb_new_array(&scratch, Unit, model->exprs->count + 1);
    read_declared(&c, &scratch);
    for (int i = 0; i < model->vars.count; i++) {
        const RbFlatVar *v = &model->vars.data[i];
        if (!v->binding || v->type != RB_REAL || rb_map_find(skip, (uint64_t)i + 1)) continue;
        c.at = v->at;
        c.reported = false;
        Unit have = declared(&c, v), got = check_expr(&c, v->binding, scratch);
        if (have.state == KNOWN && got.state == KNOWN)
            agree(&c, have, got, "the variable and its value have");
    }
    check_list(&c, &model->equations, scratch);
    check_list(&c, &model->initial_equations, scratch);
}
