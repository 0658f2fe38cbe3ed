// SPDX-License-Identifier: MIT
#include "expr/eval_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- numbers as texts ----------------------------------------------------------------------------

static const char *plain_text(RbEnv *env, const RbExprValue *v, int digits) {
    if (v->text) return v->text[0];
    if (v->type == RB_BOOLEAN) return v->data[0] != 0 ? "true" : "false";
    if (v->type != RB_REAL) return rb_arena_printf(env->arena, "%.0f", v->data[0]);
    return rb_arena_printf(env->arena, "%.*g", digits, v->data[0]);
}

// A format of C without %: flags, width, precision, letter. What is none has no value.
static const char *formatted_text(RbEnv *env, const RbExprValue *v, const char *format) {
    const char *p = format + (*format == '%'), *start = p;
    p += strspn(p, "-+ #0");
    p += strspn(p, "0123456789");
    if (*p == '.') p += 1 + strspn(p + 1, "0123456789");
    bool whole = *p && strchr("dioxXuc", *p), real = *p && strchr("fFeEgG", *p);
    if (!(whole || real) || p[1] || p - start > 12 || v->text) return NULL;
    const char *c_format = rb_arena_printf(env->arena, "%%%.*s%s%c", (int)(p - start), start,
                                           whole && *p != 'c' ? "l" : "", *p);
    int length = 0;
    char text[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // it was looked at above
    if (real)
        length = snprintf(text, sizeof text, c_format, v->data[0]);
    else if (*p == 'c')
        length = snprintf(text, sizeof text, c_format, (int)v->data[0]);
    else
        length = snprintf(text, sizeof text, c_format, (long)v->data[0]);
#pragma GCC diagnostic pop
    return length >= 0 && length < (int)sizeof text ? rb_arena_text(env->arena, text) : NULL;
}

// String(value), String(value, format) or String(value, digits, minimum length, left?).
const char *rb_eval_string(RbEnv *env, const RbExprValue *args, int count) {
    if (count == 2 && args[1].text) return formatted_text(env, &args[0], args[1].text[0]);
    if (count < 4) return plain_text(env, &args[0], 6);
    int digits = (int)fmin(fmax(args[1].data[0], 0), 60);
    int least = (int)fmin(fmax(args[2].data[0], 0), 1000);
    const char *text = plain_text(env, &args[0], digits);
    return rb_arena_printf(env->arena, args[3].data[0] != 0 ? "%-*s" : "%*s", least, text);
}

// --- functions of texts
// ---------------------------------------------------------------------------

// Arguments are checked before: texts are texts, numbers are scalars.
typedef void TextFunction(RbEnv *env, RbExternalCall *c);

static const char *text_of(const RbExternalCall *c, int i) {
    return c->args[i].text[0];
}

static int number_of(const RbExternalCall *c, int i) {
    return (int)c->args[i].data[0];
}

static void length(RbEnv *env, RbExternalCall *c) {
    (void)env;
    c->result->data[0] = (double)strlen(text_of(c, 0));
}

// Characters first ... last, counted from 1; those that do not exist are left out.
static void substring(RbEnv *env, RbExternalCall *c) {
    const char *text = text_of(c, 0);
    int count = (int)strlen(text), first = number_of(c, 1), last = number_of(c, 2);
    if (first < 1) first = 1;
    if (last > count) last = count;
    c->result->text[0] =
        last < first ? ""
                     : rb_arena_bytes(env->arena, text + first - 1, (size_t)(last - first + 1));
}

// 1: the first comes before the second, 2: they are equal, 3: it comes after.
static void compare(RbEnv *env, RbExternalCall *c) {
    (void)env;
    const char *a = text_of(c, 0), *b = text_of(c, 1);
    bool exact = number_of(c, 2) != 0;
    for (;; a++, b++) {
        int p = (unsigned char)*a, q = (unsigned char)*b;
        if (!exact) {
            p = tolower(p);
            q = tolower(q);
        }
        if (p == q && p != 0) continue;
        c->result->data[0] = p < q ? 1 : p == q ? 2 : 3;
        return;
    }
}

static void skip_white_space(RbEnv *env, RbExternalCall *c) {
    (void)env;
    const char *text = text_of(c, 0);
    int count = (int)strlen(text), at = number_of(c, 1);
    while (at >= 1 && at <= count && isspace((unsigned char)text[at - 1])) at++;
    c->result->data[0] = at;
}

static const struct {
    const char *name, *arguments; // s: text, i: number
    bool makes_text;
    TextFunction *function;
} functions[] = {
    {"ModelicaStrings_length", "s", false, length},
    {"ModelicaStrings_substring", "sii", true, substring},
    {"ModelicaStrings_compare", "ssi", false, compare},
    {"ModelicaStrings_skipWhiteSpace", "si", false, skip_white_space},
};

static bool fits(const RbExternalCall *c, const char *arguments, bool makes_text) {
    if (c->arg_count != (int)strlen(arguments) || !c->result) return false;
    for (int i = 0; i < c->arg_count; i++) {
        bool text = arguments[i] == 's';
        if (c->args[i].rank > 0 || (text ? !c->args[i].text : !c->args[i].data)) return false;
    }
    return makes_text ? c->result->text != NULL : c->result->data != NULL;
}

bool rb_eval_text_function(RbEnv *env, const RbFunction *f, const RbExprValue *args,
                           RbExprValue *results) {
    if (f->kind != RB_FUNCTION_EXTERNAL || !f->external.name) return false;
    if (strncmp(f->external.name, "ModelicaStrings_", 16) != 0) return false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, f->external.name) != 0) continue;
        RbExternalCall call;
        if (!rb_external_open(env, f, args, &call)) return false;
        if (!fits(&call, functions[i].arguments, functions[i].makes_text)) return false;
        functions[i].function(env, &call);
        rb_external_close(&call, results);
        return true;
    }
    return false;
}
