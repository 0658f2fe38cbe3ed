// SPDX-License-Identifier: MIT
#include "io/filter.h"

#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <string.h>

struct RbFilter {
    const char *text;
    bool all;
    bool compiled;
    regex_t expression;
};

static void free_expression(void *filter) {
    RbFilter *f = filter;
    if (f->compiled) regfree(&f->expression);
}

// a{1,30000} is thirty thousand copies of a inside the C library, and a{99}{99}{99} a million.
static bool repeats_too_often(const char *text) {
    const double most = 1000;
    double copies = 1;
    for (const char *c = text; *c; c++) {
        if (*c == '\\' && c[1]) {
            c++;
            continue;
        }
        if (*c != '{') continue;
        double largest = 1;
        for (c++; *c && *c != '}'; c++) {
            if (!isdigit((unsigned char)*c)) continue;
            double number = 0;
            for (; isdigit((unsigned char)*c); c++) number = 10 * number + (*c - '0');
            largest = fmax(largest, number);
            c--;
        }
        copies *= largest;
        if (!(copies <= most)) return true;
        if (!*c) break;
    }
    return false;
}

RbStatus rb_filter_compile(const char *expression, RbArena *arena, RbDiag *diag, RbFilter **out) {
    RbFilter *f = *out = rb_new(arena, RbFilter);
    f->text = rb_arena_text(arena, expression ? expression : "");
    f->all = !f->text[0] || strcmp(f->text, ".*") == 0;
    if (f->all) return RB_OK;
    if (repeats_too_often(f->text))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the variable filter '%s' repeats a part more than 1000 times; use * or +",
                       f->text);
    rb_arena_defer(arena, free_expression, f);
    int error = regcomp(&f->expression, f->text, REG_EXTENDED);
    f->compiled = error == 0;
    if (f->compiled) return RB_OK;
    char why[200];
    regerror(error, &f->expression, why, sizeof why);
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "the variable filter '%s' is not a regular expression: %s", f->text, why);
}

// Of all matches that begin first, POSIX wants the longest. So if the whole name matches, that
// match is found.
bool rb_filter_matches(const RbFilter *f, const char *name) {
    if (f->all) return true;
    regmatch_t match;
    if (regexec(&f->expression, name, 1, &match, 0) != 0) return false;
    return match.rm_so == 0 && name[match.rm_eo] == 0;
}

RbResult *rb_filter_select(const RbFilter *f, const RbResult *result, RbArena *arena,
                           RbArena scratch, RbDiag *diag) {
    bool *keep = rb_new_array(&scratch, bool, result->variables.count);
    int kept = 0;
    for (int i = 0; i < result->variables.count; i++) {
        keep[i] = rb_filter_matches(f, result->variables.data[i].name);
        kept += keep[i];
    }
    if (kept == 0 && result->variables.count > 0) {
        rb_warn(
            diag, RB_NOWHERE,
            "the variable filter '%s' matches none of the %d variables; it must match whole names, "
            "such as '%s'",
            f->text, result->variables.count, result->variables.data[0].name);
    }
    return rb_result_select(result, keep, arena, scratch);
}
