// SPDX-License-Identifier: MIT
#include "formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { NUMBER, SIGNAL, TIME, EVENTS, STEPS, END, OPERATOR, FUNCTION, MEASURE } Kind;

typedef enum Measure { // ORDER measures
    MEASURE_FINAL,
    MEASURE_MIN,
    MEASURE_MAX,
    MEASURE_MEAN,
    MEASURE_RMS,
    MEASURE_INTEGRAL,
    MEASURE_TIME_MIN,
    MEASURE_TIME_MAX,
    MEASURE_AT,
    MEASURE_WHEN,
} Measure;

static const char *const measures[] = {"final",    "min",      "max",      "mean", "rms",
                                       "integral", "time_min", "time_max", "at",   "when"};

enum { MEASURE_COUNT = sizeof measures / sizeof *measures };

struct Formula {
    Kind kind;
    double number;
    int signal;
    char operator; // + - * / ^, < and > for min and max or the relation of when(), % relative to a bound
    double (*function)(double);
    Measure measure;
    Formula *a, *b;
};

// ------------------------------------------------------------------------------------------------------
// reading

typedef struct Reader {
    Cli *cli;
    const char *option, *whole, *at;
    Signals *signals;
} Reader;

static RbStatus read_sum(Reader *r, Formula **out);

static RbStatus fail(const Reader *r, const char *why) {
    return cli_fail(
        r->cli, RB_ERROR_USAGE, NULL,
        "'%s %s': %s; a formula consists of signals, numbers, + - * / ^, abs, sqrt, exp, log, sin, cos, "
        "tan, final(x), min(x), max(x), mean(x), rms(x), integral(x), time_min(x), time_max(x), "
        "at(x, TIME), when(x < NUMBER), when(x > NUMBER), events, steps and end",
        r->option, r->whole, why);
}

static bool accept(Reader *r, char token) {
    while (*r->at == ' ') r->at++;
    if (*r->at != token) return false;
    r->at++;
    return true;
}

static Formula *node(Reader *r, Kind kind) {
    Formula *f = cli_room(r->cli, sizeof *f);
    f->kind = kind;
    return f;
}

static Formula *operation(Reader *r, char operator, Formula *a, Formula *b) {
    Formula *f = node(r, OPERATOR);
    f->operator = operator, f->a = a, f->b = b;
    return f;
}

static Formula *number(Reader *r, double value) {
    Formula *f = node(r, NUMBER);
    f->number = value;
    return f;
}

static Formula *signal_called(Reader *r, const char *name) {
    Signals *s = r->signals;
    Formula *f = node(r, SIGNAL);
    for (f->signal = 0; f->signal < s->count; f->signal++)
        if (strcmp(s->names[f->signal], name) == 0) return f;
    if (s->count == s->room) {
        const char **names = cli_room(r->cli, (size_t)(2 * s->room + 8) * sizeof *names);
        for (int i = 0; i < s->count; i++) names[i] = s->names[i];
        s->names = names, s->room = 2 * s->room + 8;
    }
    s->names[s->count++] = name;
    return f;
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// word { "." word | brackets | quotes }: a.b[1, 2], der(x), contact(ball,wall).depth, 'a b'.c
static const char *name_end(const char *at) {
    for (;;) {
        const char *from = at;
        while (in_word(*at) || *at == '.') at++;
        if (*at == '(' || *at == '[') {
            int depth = 0;
            do depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
            while (*at++ && depth > 0);
            if (depth > 0) return at - 1;
        } else if (*at == '\'' && strchr(at + 1, '\'')) {
            at = strchr(at + 1, '\'') + 1;
        }
        if (at == from) return at;
    }
}

// The operands of a function over the run, after its bracket was read.
static RbStatus read_measure(Reader *r, Measure measure, Formula **out) {
    Formula *f = *out = node(r, MEASURE);
    f->measure = measure;
    TRY(read_sum(r, &f->a));
    if (measure == MEASURE_WHEN) {
        bool below = accept(r, '<');
        if (!below && !accept(r, '>')) return fail(r, "the second operand is missing");
        f->operator = below ? '<' : '>';
        TRY(read_sum(r, &f->b));
    } else if (measure == MEASURE_AT) {
        if (!accept(r, ',')) return fail(r, "the second operand is missing");
        TRY(read_sum(r, &f->b));
    } else if ((measure == MEASURE_MIN || measure == MEASURE_MAX) && accept(r, ',')) {
        f->kind = OPERATOR;
        f->operator = measure == MEASURE_MIN ? '<' : '>';
        TRY(read_sum(r, &f->b));
    }
    return accept(r, ')') ? RB_OK : fail(r, "a ')' is missing");
}

static const struct {
    const char *name;
    double (*function)(double);
} functions[] = {{"abs", fabs}, {"sqrt", sqrt}, {"exp", exp}, {"log", log},
                 {"sin", sin},  {"cos", cos},   {"tan", tan}};

static const struct {
    const char *name;
    Kind kind;
} words[] = {{"events", EVENTS}, {"steps", STEPS}, {"end", END}, {"time", TIME}};

static bool is_word(const char *at, size_t length, const char *word) {
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

// name | word | function "(" ... ")"
static RbStatus read_name(Reader *r, Formula **out) {
    size_t length = 0;
    while (in_word(r->at[length])) length++;
    const char *at = r->at, *end = name_end(at);
    if (at[length] == '(') {
        for (int i = 0; i < MEASURE_COUNT; i++) {
            if (!is_word(at, length, measures[i])) continue;
            r->at += length + 1;
            return read_measure(r, (Measure)i, out);
        }
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
            if (!is_word(at, length, functions[i].name)) continue;
            r->at += length + 1;
            *out = node(r, FUNCTION);
            (*out)->function = functions[i].function;
            TRY(read_sum(r, &(*out)->a));
            return accept(r, ')') ? RB_OK : fail(r, "a ')' is missing");
        }
    }
    r->at = end;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!is_word(at, (size_t)(end - at), words[i].name)) continue;
        *out = node(r, words[i].kind);
        return RB_OK;
    }
    if (is_word(at, (size_t)(end - at), "pi"))
        *out = number(r, M_PI);
    else
        *out = signal_called(r, cli_copy(r->cli, at, (size_t)(end - at)));
    return RB_OK;
}

// factor = number | name | '"' name '"' | "(" sum ")" [ "^" factor ] | "-" factor
static RbStatus read_factor(Reader *r, Formula **out) {
    char *end;
    if (accept(r, '-')) {
        TRY(read_factor(r, out));
        *out = operation(r, '-', number(r, 0), *out);
        return RB_OK;
    }
    if (accept(r, '(')) {
        TRY(read_sum(r, out));
        if (!accept(r, ')')) return fail(r, "a ')' is missing");
    } else if (accept(r, '"')) {
        const char *to = strchr(r->at, '"');
        if (!to) return fail(r, "a '\"' is missing");
        *out = signal_called(r, cli_copy(r->cli, r->at, (size_t)(to - r->at)));
        r->at = to + 1;
    } else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        *out = number(r, strtod(r->at, &end));
        if (end == r->at) return fail(r, "this is no number");
        r->at = end;
    } else if (in_word(*r->at) || *r->at == '\'') {
        TRY(read_name(r, out));
    } else {
        return fail(r, *r->at ? cli_printf(r->cli, "a value is missing before '%s'", r->at)
                              : "a value is missing at the end");
    }
    if (!accept(r, '^')) return RB_OK;
    Formula *power;
    TRY(read_factor(r, &power));
    *out = operation(r, '^', *out, power);
    return RB_OK;
}

static RbStatus read_chain(Reader *r, const char *operators,
                           RbStatus (*operand)(Reader *, Formula **), Formula **out) {
    TRY(operand(r, out));
    for (int i = 0; operators[i];) {
        if (!accept(r, operators[i])) {
            i++;
            continue;
        }
        Formula *b;
        TRY(operand(r, &b));
        *out = operation(r, operators[i], *out, b);
        i = 0;
    }
    return RB_OK;
}

static RbStatus read_product(Reader *r, Formula **out) {
    return read_chain(r, "*/", read_factor, out);
}

static RbStatus read_sum(Reader *r, Formula **out) {
    return read_chain(r, "+-", read_product, out);
}

static RbStatus expect_end(Reader *r) {
    while (*r->at == ' ') r->at++;
    return *r->at ? fail(r, cli_printf(r->cli, "'%s' is too much", r->at)) : RB_OK;
}

RbStatus formula_read(Cli *cli, const char *option, const char *text, Signals *signals,
                      Formula **formula) {
    Reader r = {cli, option, text, text, signals};
    TRY(read_sum(&r, formula));
    return expect_end(&r);
}

RbStatus formula_read_excess(Cli *cli, const char *option, const char *text, Signals *signals,
                             Formula **excess, bool *equality) {
    Reader r = {cli, option, text, text, signals};
    Formula *a, *b;
    TRY(read_sum(&r, &a));
    char relation = accept(&r, '<') ? '<' : accept(&r, '>') ? '>' : accept(&r, '=') ? '=' : 0;
    if (!relation || !accept(&r, '=')) return fail(&r, "there is no <=, >= or ==");
    TRY(read_sum(&r, &b));
    *equality = relation == '=';
    *excess = operation(&r, '%', relation == '>' ? operation(&r, '-', b, a) : operation(&r, '-', a, b), b);
    return expect_end(&r);
}

// ------------------------------------------------------------------------------------------------------
// values

bool formula_needs_rows(const Formula *f) {
    if (!f) return false;
    if (f->kind == MEASURE && f->measure != MEASURE_FINAL) return true;
    return formula_needs_rows(f->a) || formula_needs_rows(f->b);
}

// A value over time; x[rows - 1] is the end.
typedef struct Series {
    const double *t, *x;
    size_t rows;
} Series;

// Linear between rows; at an event, where a time stands twice, the value after it.
static double value_at(Series s, double time) {
    size_t i = s.rows - 1;
    if (s.rows == 0 || !(time >= s.t[0]) || time > s.t[i]) return NAN;
    while (i > 0 && s.t[i] > time) i--;
    if (i + 1 == s.rows || s.t[i] == time) return s.x[i];
    return s.x[i] + (s.x[i + 1] - s.x[i]) * (time - s.t[i]) / (s.t[i + 1] - s.t[i]);
}

static double first_time(Series s, double bound, bool below) {
    double sign = below ? -1 : 1;
    for (size_t i = 0; i < s.rows; i++) {
        double now = sign * (s.x[i] - bound);
        if (!(now > 0)) continue;
        if (i == 0 || s.t[i] == s.t[i - 1] || isnan(s.x[i - 1])) return s.t[i];
        double before = sign * (s.x[i - 1] - bound);
        return s.t[i - 1] + (s.t[i] - s.t[i - 1]) * before / (before - now);
    }
    return NAN;
}

// Over the time in which it exists, by trapezia.
static double integral(Series s, double *length) {
    double area = 0;
    *length = 0;
    for (size_t i = 1; i < s.rows; i++) {
        double part = 0.5 * (s.x[i] + s.x[i - 1]) * (s.t[i] - s.t[i - 1]);
        if (isnan(part)) continue;
        area += part;
        *length += s.t[i] - s.t[i - 1];
    }
    return area;
}

static size_t extreme(Series s, double sign) {
    size_t best = 0;
    for (size_t i = 1; i < s.rows; i++)
        if (sign * s.x[i] > sign * s.x[best] || (isnan(s.x[best]) && !isnan(s.x[i]))) best = i;
    return best;
}

static double measured(Series s, const Formula *f, double second) {
    double length, area;
    if (s.rows == 0) return NAN;
    switch (f->measure) {
        case MEASURE_MIN: return s.x[extreme(s, -1)];
        case MEASURE_MAX: return s.x[extreme(s, 1)];
        case MEASURE_TIME_MIN: return s.t[extreme(s, -1)];
        case MEASURE_TIME_MAX: return s.t[extreme(s, 1)];
        case MEASURE_INTEGRAL: return integral(s, &length);
        case MEASURE_MEAN:
        case MEASURE_RMS:
            area = integral(s, &length);
            return length > 0 ? area / length : s.x[0];
        case MEASURE_AT: return value_at(s, second);
        case MEASURE_WHEN: return first_time(s, second, f->operator == '<');
        case MEASURE_FINAL: break;
    }
    return s.x[s.rows - 1];
}

static double operate(char operator, double a, double b) {
    switch (operator) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        case '/': return a / b;
        case '<': return fmin(a, b);
        case '>': return fmax(a, b);
        case '%': return b != 0 ? a / fabs(b) : a; // of a bound
        default: return pow(a, b);
    }
}

static double of_summary(const RbSummary *s, Kind kind) {
    if (kind == EVENTS) return (double)(s->state_events + s->time_events);
    return kind == STEPS ? (double)s->steps : s->time;
}

// Fill x with the values in all rows; numbers that belong to the run as a whole are the same in all of them.
static void fill(Cli *cli, const Formula *f, const RunData *d, double *x) {
    double *b = f->b ? cli_room(cli, (d->rows + 1) * sizeof *b) : NULL, value = NAN;
    switch (f->kind) {
        case SIGNAL: memcpy(x, d->x[f->signal], d->rows * sizeof *x); return;
        case TIME: memcpy(x, d->t, d->rows * sizeof *x); return;
        case FUNCTION:
            fill(cli, f->a, d, x);
            for (size_t i = 0; i < d->rows; i++) x[i] = f->function(x[i]);
            return;
        case OPERATOR:
            fill(cli, f->a, d, x);
            fill(cli, f->b, d, b);
            for (size_t i = 0; i < d->rows; i++) x[i] = operate(f->operator, x[i], b[i]);
            return;
        default: value = formula_value(cli, f, d);
    }
    for (size_t i = 0; i < d->rows; i++) x[i] = value;
}

static double measure(Cli *cli, const Formula *f, const RunData *d) {
    if (f->measure == MEASURE_FINAL) return formula_value(cli, f->a, d);
    double *x = cli_room(cli, (d->rows + 1) * sizeof *x);
    fill(cli, f->a, d, x);
    for (size_t i = 0; f->measure == MEASURE_RMS && i < d->rows; i++) x[i] *= x[i];
    double value =
        measured((Series){d->t, x, d->rows}, f, f->b ? formula_value(cli, f->b, d) : NAN);
    return f->measure == MEASURE_RMS ? sqrt(value) : value;
}

double formula_value(Cli *cli, const Formula *f, const RunData *d) {
    switch (f->kind) {
        case NUMBER: return f->number;
        case SIGNAL:
            if (!d->x) return d->final[f->signal];
            return d->rows > 0 ? d->x[f->signal][d->rows - 1] : NAN;
        case TIME: return of_summary(d->summary, END);
        case FUNCTION: return f->function(formula_value(cli, f->a, d));
        case OPERATOR:
            return operate(f->operator, formula_value(cli, f->a, d), formula_value(cli, f->b, d));
        case MEASURE: return measure(cli, f, d);
        default: return of_summary(d->summary, f->kind);
    }
}
