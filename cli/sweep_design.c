// SPDX-License-Identifier: MIT
#include "sweep_design.h"

#include "table.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 10000000, SOBOL_MOST = 10 };

// ------------------------------------------------------------------------------------------------------
// numbers

// A pseudo-random number of 64 bits for (seed, run, parameter): the mixing function of SplitMix64 (Steele, Lea,
// Flood 2014), so that no state has to be carried from run to run.
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t random_bits(const Design *d, int run, int j) {
    uint64_t z = mix(d->seed + 0x9e3779b97f4a7c15u);
    z = mix(z + 0x9e3779b97f4a7c15u * ((uint64_t)j + 1));
    return mix(z + 0x9e3779b97f4a7c15u * ((uint64_t)run + 1));
}

// In the open interval (0, 1), so that every distribution has a value.
static double unit(uint64_t bits) {
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

// ------------------------------------------------------------------------------------------------------
// Sobol' sequence

// Primitive polynomials and initial direction numbers of Joe and Kuo (2008) for the dimensions after the first.
static const struct {
    int degree;
    uint32_t polynomial, start[5];
} sobol[SOBOL_MOST - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
};

static uint32_t direction(int j, int bit) {
    uint32_t m[32];
    if (j == 0) return (uint32_t)1 << (31 - bit);
    int s = sobol[j - 1].degree;
    for (int k = 0; k <= bit; k++) {
        if (k < s) {
            m[k] = sobol[j - 1].start[k];
            continue;
        }
        m[k] = m[k - s] ^ (m[k - s] << s);
        for (int q = 1; q < s; q++)
            if ((sobol[j - 1].polynomial >> (s - 1 - q)) & 1) m[k] ^= m[k - q] << q;
    }
    return m[bit] << (31 - bit);
}

// Shifted digit by digit by the seed: any 2^k points that follow each other from a multiple of 2^k still have one in
// each of 2^k equal shares of every axis.
static double sobol_point(const Design *d, int run, int j) {
    uint32_t bits = (uint32_t)(random_bits(d, -1, j) >> 32),
             gray = (uint32_t)run ^ ((uint32_t)run >> 1);
    for (int bit = 0; gray >> bit; bit++)
        if ((gray >> bit) & 1) bits ^= direction(j, bit);
    return ((double)bits + 0.5) * 0x1p-32;
}

double design_point(const Design *d, int run, int j) {
    if (d->kind == DESIGN_SOBOL) return sobol_point(d, run, j);
    double u = unit(random_bits(d, run, j));
    return d->kind == DESIGN_LHS ? (d->order[j][run] + u) / d->runs : u;
}

// A permutation of the shares for each parameter (Fisher and Yates).
static void shuffle_shares(Cli *cli, Design *d) {
    d->order = cli_room(cli, (size_t)d->count * sizeof *d->order);
    for (int j = 0; j < d->count; j++) {
        int *order = d->order[j] = cli_room(cli, (size_t)d->runs * sizeof *order);
        for (int i = 0; i < d->runs; i++) {
            int k = (int)(random_bits(d, -2 - i, j) % ((uint64_t)i + 1));
            order[i] = order[k];
            order[k] = i;
        }
    }
}

// ------------------------------------------------------------------------------------------------------
// values

// z with Phi(z) = u: Newton's method on the logarithm of the tail, which is concave, from the bound
// Phi(-z) <= exp(-z^2/2)/2 on.
static double normal_quantile(double u) {
    double tail = fmin(u, 1 - u), z = sqrt(-2 * log(2 * tail)); // Phi(-z) = tail
    for (int i = 0; i < 60; i++) {
        double p = 0.5 * erfc(z * M_SQRT1_2);
        double step = log(p / tail) * p / (exp(-0.5 * z * z) / sqrt(2 * M_PI));
        z += step;
        if (fabs(step) < 1e-15 * (1 + z)) break;
    }
    return u < 0.5 ? -z : z;
}

static double spread_value(const Variation *v, double u) {
    switch (v->spread) {
        case SPREAD_UNIFORM: return v->a + u * (v->b - v->a);
        case SPREAD_LOGUNIFORM: return v->a * pow(v->b / v->a, u);
        case SPREAD_NORMAL: return v->a + v->b * normal_quantile(u);
        case SPREAD_LIST: break;
    }
    return 0;
}

static int grid_index(const Design *d, int run, int j) {
    for (int k = d->count - 1; k > j; k--) run /= d->varied[k].count;
    return run % d->varied[j].count;
}

const char *design_value(Cli *cli, const Design *d, int run, int j) {
    const Variation *v = &d->varied[j];
    if (d->cells) return d->cells[(size_t)run * (size_t)d->count + (size_t)j];
    if (d->kind == DESIGN_GRID) return v->values[grid_index(d, run, j)];
    double u = design_point(d, run, j);
    if (v->spread == SPREAD_LIST) return v->values[(int)(u * v->count)];
    return cli_shortest(cli, spread_value(v, u));
}

// ------------------------------------------------------------------------------------------------------
// --vary

static RbStatus fail_form(Cli *cli, const char *text, const char *why) {
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "'--vary %s': %s; write NAME=FIRST:STEP:LAST, NAME=VALUE,VALUE,... or "
                    "NAME=uniform(LOW,HIGH), loguniform(LOW,HIGH), normal(MEAN,DEVIATION)",
                    text, why);
}

static bool number_at(const char **at, double *value) {
    char *end;
    *value = strtod(*at, &end);
    if (end == *at || !isfinite(*value)) return false;
    while (*end == ' ') end++;
    *at = end;
    return true;
}

static bool token_at(const char **at, char token) {
    while (**at == ' ') (*at)++;
    if (**at != token) return false;
    (*at)++;
    return true;
}

// name(a, b)
static bool reads_call(const char *text, const char *name, double *a, double *b) {
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0) return false;
    text += length;
    return token_at(&text, '(') && number_at(&text, a) && token_at(&text, ',') &&
           number_at(&text, b) && token_at(&text, ')') && !text[strspn(text, " ")];
}

static RbStatus read_spread(Cli *cli, const char *whole, const char *text, Variation *v) {
    static const char *const names[] = {"", "uniform", "loguniform", "normal"}; // ORDER Spread
    for (int i = 1; i < 4; i++) {
        if (!reads_call(text, names[i], &v->a, &v->b)) continue;
        v->spread = (Spread)i;
        if (i == SPREAD_NORMAL && !(v->b > 0))
            return fail_form(cli, whole, "the deviation must be positive");
        if (i == SPREAD_LOGUNIFORM && !(v->a > 0))
            return fail_form(cli, whole, "LOW must be positive");
        if (i != SPREAD_NORMAL && !(v->b > v->a))
            return fail_form(cli, whole, "HIGH must be greater than LOW");
        return RB_OK;
    }
    return fail_form(cli, whole, "this is none of the three distributions");
}

// first:step:last; the last one counts if it is met up to rounding.
static RbStatus read_range(Cli *cli, const char *whole, const char *text, Variation *v) {
    double first, step, last;
    if (!(number_at(&text, &first) && token_at(&text, ':') && number_at(&text, &step) &&
          token_at(&text, ':') && number_at(&text, &last)) ||
        *text)
        return fail_form(cli, whole, "a range consists of three numbers");
    double steps = floor((last - first) / step + 1e-9);
    if (!(step != 0) || !(steps >= 0)) return fail_form(cli, whole, "the range is empty");
    if (steps >= MOST_RUNS) return fail_form(cli, whole, "the range has more than 1e7 values");
    v->count = (int)steps + 1;
    v->values = cli_room(cli, (size_t)v->count * sizeof *v->values);
    // Multiples of 1e-12 steps: 0.1 + 2*0.1 is 0.3 for whoever typed it.
    for (int i = 0; i < v->count; i++) {
        double value = first + i * step, near = strtod(cli_printf(cli, "%.12g", value), NULL);
        v->values[i] = cli_shortest(cli, fabs(near - value) < 1e-9 * fabs(step) ? near : value);
    }
    return RB_OK;
}

// Commas outside of brackets separate.
static const char *item_end(const char *text) {
    for (int depth = 0; *text && (*text != ',' || depth > 0); text++)
        depth += (*text == '{' || *text == '[' || *text == '(') -
                 (*text == '}' || *text == ']' || *text == ')');
    return text;
}

static RbStatus read_list(Cli *cli, const char *whole, const char *text, Variation *v) {
    v->values = cli_room(cli, (strlen(text) + 1) * sizeof *v->values);
    for (const char *end;; text = end + 1) {
        end = item_end(text);
        while (*text == ' ') text++;
        const char *stop = end;
        while (stop > text && stop[-1] == ' ') stop--;
        if (stop == text) return fail_form(cli, whole, "a value is missing");
        v->values[v->count++] = cli_copy(cli, text, (size_t)(stop - text));
        if (!*end) return RB_OK;
    }
}

static bool is_call(const char *text) {
    size_t letters = 0;
    while (isalpha((unsigned char)text[letters])) letters++;
    return letters > 0 && text[letters] == '(';
}

static RbStatus read_variation(Cli *cli, const char *text, Variation *v) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return fail_form(cli, text, "there is no NAME=");
    v->name = cli_copy(cli, text, (size_t)(equals - text));
    if (is_call(equals + 1)) return read_spread(cli, text, equals + 1, v);
    if (strchr(equals + 1, ':') && !strpbrk(equals + 1, ",{["))
        return read_range(cli, text, equals + 1, v);
    return read_list(cli, text, equals + 1, v);
}

static RbStatus read_variations(Cli *cli, Design *d) {
    d->varied = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *d->varied);
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "vary");
        if (!text) continue;
        Variation *v = &d->varied[d->count];
        TRY(read_variation(cli, text, v));
        for (int k = 0; k < d->count; k++)
            if (strcmp(d->varied[k].name, v->name) == 0)
                return cli_fail(cli, RB_ERROR_USAGE, NULL, "'%s' is varied twice", v->name);
        d->count++;
    }
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// --table

static RbStatus read_table(Cli *cli, Design *d, const char *path) {
    Table t;
    TRY(table_read(cli, path, &t));
    if (t.rows == 0)
        return cli_fail(cli, RB_ERROR_IO, path,
                        "no runs: the first line holds names of parameters, each further one the "
                        "values of a run");
    d->count = t.columns, d->runs = t.rows, d->cells = t.cells;
    d->varied = cli_room(cli, (size_t)d->count * sizeof *d->varied);
    for (int j = 0; j < d->count; j++) d->varied[j].name = t.names[j];
    return RB_OK;
}

// A parameter set of SSP: the next run. The first one says which parameters there are.
static RbStatus read_set(Cli *cli, Design *d, const char *path) {
    const RbParameterValue *settings;
    int count;
    TRY(rb_parameter_set_read(cli->context, path, &settings, &count));
    if (d->runs == 0) {
        d->count = count;
        d->varied = cli_room(cli, (size_t)(count + 1) * sizeof *d->varied);
        for (int j = 0; j < count; j++) d->varied[j].name = settings[j].name;
        size_t cells = (size_t)count * (size_t)cli->given_count;
        d->cells = cli_room(cli, (cells + 1) * sizeof *d->cells);
    }
    if (count != d->count)
        return cli_fail(cli, RB_ERROR_IO, path, "%d parameters, the first set has %d", count, d->count);
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < d->count && strcmp(d->varied[j].name, settings[i].name) != 0) j++;
        if (j == d->count)
            return cli_fail(cli, RB_ERROR_IO, path, "line %d: the first set has no parameter '%s'",
                            settings[i].at.line, settings[i].name);
        d->cells[(size_t)d->runs * (size_t)d->count + (size_t)j] = settings[i].value;
    }
    d->runs++;
    return RB_OK;
}

static RbStatus read_sets(Cli *cli, Design *d) {
    for (int i = 0; i < cli->given_count; i++) {
        const char *path = cli_given(cli, i, "table");
        if (!path) continue;
        if (!ends_with(path, ".ssv"))
            return cli_fail(cli, RB_ERROR_USAGE, NULL,
                            "several tables are parameter sets (.ssv), one for each run; '%s' is none",
                            path);
        TRY(read_set(cli, d, path));
    }
    return RB_OK;
}

static RbStatus read_tables(Cli *cli, Design *d, const char *last) {
    int tables = 0;
    for (int i = 0; i < cli->given_count; i++) tables += cli_given(cli, i, "table") != NULL;
    return tables > 1 || ends_with(last, ".ssv") ? read_sets(cli, d) : read_table(cli, d, last);
}

// ------------------------------------------------------------------------------------------------------
// --design, --runs, --seed

static bool has_spread(const Design *d) {
    for (int j = 0; j < d->count; j++)
        if (d->varied[j].spread != SPREAD_LIST) return true;
    return false;
}

static RbStatus choose_kind(Cli *cli, Design *d) {
    static const char *const names[] = {"grid", "random", "lhs", "sobol"}; // ORDER DesignKind
    const char *how = cli_option(cli, "design");
    d->kind = has_spread(d) ? DESIGN_RANDOM : DESIGN_GRID;
    if (!how) return RB_OK;
    for (int i = 0; i < 4; i++) {
        if (strcmp(how, names[i]) != 0) continue;
        d->kind = (DesignKind)i;
        return RB_OK;
    }
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "'--design' is grid, random, lhs or sobol, not '%s'%s", how,
                    cli_question(cli, how, "", names, 4));
}

static RbStatus count_grid(Cli *cli, Design *d) {
    double runs = 1;
    if (has_spread(d))
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "a grid takes ranges and lists; for distributions choose '--design random', "
            "'lhs' or 'sobol'");
    if (cli_has(cli, "runs"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--runs' is for random designs; a grid has as many runs as combinations");
    for (int j = 0; j < d->count; j++) runs *= d->varied[j].count;
    if (runs > MOST_RUNS)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "the grid has %.3g runs, more than %d", runs,
                        MOST_RUNS);
    d->runs = (int)runs;
    return RB_OK;
}

static RbStatus read_whole(Cli *cli, const char *option, double most, double *value) {
    TRY(cli_number(cli, option, value));
    if (*value >= 0 && *value <= most && *value == rint(*value)) return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--%s' is a whole number up to %.0f, not '%s'",
                    option, most, cli_option(cli, option));
}

RbStatus design_read(Cli *cli, Design *d) {
    const char *table = cli_option(cli, "table");
    double seed = 1, runs = 100;
    *d = (Design){0};
    if (table && cli_has(cli, "vary"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--table' and '--vary' exclude each other");
    if (table) return read_tables(cli, d, table);
    TRY(read_variations(cli, d));
    if (d->count == 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "nothing is varied: give '--vary NAME=FIRST:STEP:LAST' or '--table FILE'");
    TRY(read_whole(cli, "seed", 0x1p53, &seed));
    d->seed = (unsigned long long)seed;
    TRY(choose_kind(cli, d));
    if (d->kind == DESIGN_GRID) return count_grid(cli, d);
    TRY(read_whole(cli, "runs", MOST_RUNS, &runs));
    if (runs < 1) return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--runs' must be at least 1");
    d->runs = (int)runs;
    if (d->kind == DESIGN_SOBOL && d->count > SOBOL_MOST)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "Sobol' designs take up to %d parameters; for more choose '--design lhs'",
                        SOBOL_MOST);
    if (d->kind == DESIGN_LHS) shuffle_shares(cli, d);
    return RB_OK;
}
