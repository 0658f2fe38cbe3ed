// SPDX-License-Identifier: MIT
// label: normal
// A thousand random functions with slices, matrices, loops, records, choices, nested calls and sizes
// that follow from values: compiled against interpreted, bit by bit. The interpreter shares no code
// with the writer of C.
#include "testing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flatten/flatten.h"
#include "math/rng.h"
#include "program/program.h"

enum { BATCH = 50, DEPTH = 3 };

typedef struct Writer {
    RbRng rng;
    RbText text;
    int loops; // i1, i2 ... of 1:3, that are open
    RbArena *arena;
} Writer;

static int pick(Writer *w, int count) {
    return rb_rng_int(&w->rng, count);
}

static const char *say(Writer *w, const char *format, ...) {
    char buffer[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    return rb_arena_text(w->arena, buffer);
}

static const char *vector(Writer *w, int depth); // of 3
static const char *matrix(Writer *w, int depth); // 3 by 3

// Between 1 and 3.
static const char *place(Writer *w) {
    int k = pick(w, 5);
    if (k < 2 && w->loops > 0) return say(w, "i%d", 1 + pick(w, w->loops));
    if (k == 2 && w->loops > 0) return say(w, "4 - i%d", 1 + pick(w, w->loops));
    if (k == 3) return "k";
    return say(w, "%d", 1 + pick(w, 3));
}

static const char *leaf(Writer *w) {
    switch (pick(w, 9)) {
        case 0: return "u";
        case 1: return say(w, "%d.%d", pick(w, 3), pick(w, 10));
        case 2: return say(w, "a[%s]", place(w));
        case 3: return say(w, "M[%s, %s]", place(w), place(w));
        case 4: return say(w, "N[%d, %s]", 1 + pick(w, 2), place(w));
        case 5: return say(w, "d[%s]", pick(w, 2) ? "n" : "1");
        case 6: return say(w, "q.v[%s]", place(w));
        case 7: return say(w, "c[%s + 1]", place(w));
        default: return pick(w, 2) ? "s" : "q.x";
    }
}

static const char *scalar(Writer *w, int depth) {
    if (depth <= 0) return leaf(w);
    int d = depth - 1;
    switch (pick(w, 16)) {
        case 0: return say(w, "(%s + %s)", scalar(w, d), scalar(w, d));
        case 1: return say(w, "(%s - %s)", scalar(w, d), scalar(w, d));
        case 2: return say(w, "(%s*%s)", leaf(w), leaf(w));
        case 3: return say(w, "sin(%s)", scalar(w, d));
        case 4: return say(w, "(%s*%s)", vector(w, d), vector(w, d));
        case 5: return say(w, "sum(%s)", matrix(w, d));
        case 6: return say(w, "max(%s)", vector(w, d));
        case 7: return say(w, "min(%s)", matrix(w, d));
        case 8: return say(w, "(0.1*product(%s))", vector(w, d));
        case 9:
            return say(w, "(if %s > %s then %s else %s)", leaf(w), leaf(w), scalar(w, d),
                       scalar(w, d));
        case 10: return say(w, "g(%s, %s)", scalar(w, d), vector(w, d));
        case 11: return say(w, "sum(d[j]*%s for j in 1:n)", leaf(w));
        case 12: return say(w, "sum(e)/size(e, 1)");
        case 13: return say(w, "(%s)^2", scalar(w, d));
        case 14: return say(w, "sum(d[1:n - 1] - d[2:n])");
        default: return leaf(w);
    }
}

static const char *vector(Writer *w, int depth) {
    int d = depth - 1;
    switch (pick(w, depth > 0 ? 24 : 8)) {
        case 0: return "a";
        case 1: return "b";
        case 2: return say(w, "M[%s, :]", place(w));
        case 3: return say(w, "M[:, %s]", place(w));
        case 4: return say(w, "N[%d, :]", 1 + pick(w, 2));
        case 5: return "c[2:4]";
        case 6: return "q.v";
        case 7: return say(w, "c[{3, %s, 2}]", place(w));
        case 8: return say(w, "(%s + %s)", vector(w, d), vector(w, d));
        case 9: return say(w, "(%s - %s)", vector(w, d), vector(w, d));
        case 10: return say(w, "(%s*%s)", scalar(w, d), vector(w, d));
        case 11: return say(w, "(%s/(1 + %s^2))", vector(w, d), leaf(w));
        case 12: return say(w, "(-%s)", vector(w, d));
        case 13: return say(w, "cross(%s, %s)", vector(w, d), vector(w, d));
        case 14: return say(w, "(%s*%s)", matrix(w, d), vector(w, d));
        case 15: return say(w, "(%s*%s)", vector(w, d), matrix(w, d));
        case 16: return say(w, "{%s, %s, %s}", scalar(w, d), leaf(w), scalar(w, d));
        case 17: return say(w, "fill(%s, 3)", scalar(w, d));
        case 18: return say(w, "(transpose(N)*{%s, %s})", leaf(w), scalar(w, d));
        case 19:
            return say(w, "(if %s > %s then %s else %s)", leaf(w), leaf(w), vector(w, d),
                       vector(w, d));
        case 20: return say(w, "turn(%s)", vector(w, d));
        case 21: return say(w, "{%s*j for j in 1:3}", leaf(w));
        case 22: return say(w, "sin(%s)", vector(w, d));
        default: return say(w, "(%s .* %s)", say(w, "(%s)", vector(w, d)), "b");
    }
}

static const char *matrix(Writer *w, int depth) {
    int d = depth - 1;
    switch (pick(w, depth > 0 ? 13 : 2)) {
        case 0: return "M";
        case 1: return "transpose(M)";
        case 2: return say(w, "(%s + %s)", matrix(w, d), matrix(w, d));
        case 3: return say(w, "(%s*%s)", leaf(w), matrix(w, d));
        case 4: return say(w, "transpose(%s)", matrix(w, d));
        case 5: return say(w, "(0.3*%s*%s)", matrix(w, d), matrix(w, d));
        case 6: return say(w, "outerProduct(%s, %s)", vector(w, d), vector(w, d));
        case 7: return "identity(3)";
        case 8: return say(w, "skew(%s)", vector(w, d));
        case 9: return say(w, "{%s, %s, %s}", vector(w, d), vector(w, d), vector(w, d));
        case 10: return say(w, "diagonal(%s)", vector(w, d));
        case 11: return say(w, "symmetric(%s)", matrix(w, d));
        default: return say(w, "(transpose(N)*N)");
    }
}

static void statements(Writer *w, int count);

static void loop(Writer *w) {
    int i = ++w->loops;
    rb_text_printf(&w->text, "  for i%d in 1:%s loop\n", i, pick(w, 2) ? "3" : "size(a, 1)");
    statements(w, 1 + pick(w, 2));
    rb_text_add(&w->text, "  end for;\n");
    w->loops--;
}

static void statement(Writer *w) {
    RbText *t = &w->text;
    switch (pick(w, w->loops < 2 ? 18 : 13)) {
        case 0: rb_text_printf(t, "  s := %s;\n", scalar(w, DEPTH)); break;
        case 1: rb_text_printf(t, "  a := %s;\n", vector(w, DEPTH)); break;
        case 2: rb_text_printf(t, "  a[%s] := %s;\n", place(w), scalar(w, DEPTH)); break;
        case 3: rb_text_printf(t, "  M[%s, :] := %s;\n", place(w), vector(w, DEPTH)); break;
        case 4: rb_text_printf(t, "  M[:, %s] := %s;\n", place(w), vector(w, DEPTH)); break;
        case 5: rb_text_printf(t, "  M := %s;\n", matrix(w, DEPTH)); break;
        case 6: rb_text_printf(t, "  N[2, :] := %s;\n", vector(w, DEPTH)); break;
        case 7: rb_text_printf(t, "  c[2:4] := %s;\n", vector(w, DEPTH)); break;
        case 8: rb_text_printf(t, "  d := %s*d + d/2;\n", leaf(w)); break;
        case 9: rb_text_printf(t, "  (s, b) := both(%s, %s);\n", leaf(w), vector(w, DEPTH)); break;
        case 10: rb_text_printf(t, "  q := R(%s, %s);\n", scalar(w, 2), vector(w, 2)); break;
        case 11: rb_text_printf(t, "  e := cat(1, %s, d);\n", vector(w, 1)); break;
        case 12: rb_text_printf(t, "  M[%s, %s] := %s;\n", place(w), place(w), scalar(w, 2)); break;
        case 13:
        case 14: loop(w); break;
        case 15:
            rb_text_printf(t, "  if %s > %s then\n", scalar(w, 2), leaf(w));
            statements(w, 1 + pick(w, 2));
            rb_text_add(t, "  else\n");
            statements(w, 1);
            rb_text_add(t, "  end if;\n");
            break;
        case 16:
            rb_text_printf(t, "  k := 1;\n  while k < 3 loop\n");
            rb_text_printf(t, "  a[k] := %s;\n  k := k + 1;\n  end while;\n", scalar(w, 2));
            break;
        default: rb_text_printf(t, "  k := %d;\n", 1 + pick(w, 3));
    }
    // numbers stay small enough to tell anything
    rb_text_add(t, "  s := sin(s); a := sin(a); b := sin(b); M := sin(M); d := sin(d);\n");
}

static void statements(Writer *w, int count) {
    for (int i = 0; i < count; i++) statement(w);
}

static void function(Writer *w, int number) {
    rb_text_printf(&w->text,
                   "function f%d input Real u; input Real a0[3]; output Real y;\n"
                   "protected\n  Real s = u; Real a[3] = a0; Real b[3] = {u, 1, 0.5};\n"
                   "  Real M[3, 3] = {{u, 1, 2}, {0.3, u, 0.1}, {1, 2, u}};\n"
                   "  Real N[2, 3] = {{1, 2, u}, {0.1, 0.2, 0.3}}; Real c[4] = {1, u, 3, 4};\n"
                   "  Integer n = integer(abs(u)) + 2; Real d[n]; Real e[:] = {u};\n"
                   "  Integer k = 2; R q = R(u, {1, 2, u});\nalgorithm\n"
                   "  for i in 1:n loop d[i] := u/i; end for;\n",
                   number);
    statements(w, 3 + pick(w, 4));
    rb_text_printf(&w->text,
                   "  y := s + a*{1, 2, 3} + b*{3, 2, 1} + sum(M) + sum(N) + sum(c) + sum(d) + "
                   "sum(e) + q.x + sum(q.v) + k;\nend f%d;\n",
                   number);
}

static const char library[] =
    "package P\n"
    "record R Real x; Real v[3]; end R;\n"
    "function g input Real x; input Real v[:]; output Real y; algorithm y := x*0.3; for i in "
    "1:size(v, 1) loop y := y + v[i]/i; end for; end g;\n"
    "function turn input Real v[3]; output Real w[3]; algorithm w := {v[3], v[1], -v[2]}; end "
    "turn;\n"
    "function both input Real x; input Real v[:]; output Real y; output Real w[size(v, 1)];\n"
    "algorithm w := x*v; y := w*w; w[1] := y; end both;\n";

static const char *batch(RbArena *arena, int seed) {
    Writer w = {.rng = rb_rng((uint64_t)seed), .text = rb_text(arena), .arena = arena};
    rb_text_add(&w.text, library);
    for (int k = 0; k < BATCH; k++) function(&w, k);
    rb_text_add(&w.text, "end P;\nmodel Test\nReal u = time;\n");
    for (int k = 0; k < BATCH; k++)
        rb_text_printf(&w.text, "Real y%d = P.f%d(u, {u, 1 + u, 0.25});\n", k, k);
    rb_text_add(&w.text, "end Test;\n");
    return w.text.data;
}

typedef struct Run {
    Fixture f;
    RbProgram *program;
    RbProgramInstance *in;
} Run;

static void start(Run *r, const char *text, RbBackend backend) {
    fixture_open(&r->f);
    RbArena *a = &r->f.arena;
    RbNames *names = rb_new(a, RbNames);
    *names = rb_names(a);
    RbLibrary *library_of = rb_library(names, a, &r->f.scratch, &r->f.diag);
    const char *last = NULL;
    RbFlatModel *flat = NULL;
    RbSortedDae *dae = NULL;
    RbProgramOptions options = {.backend = backend, .cache = RB_BINARY_DIR "/model-cache"};
    bool done = rb_library_add_text(library_of, "test.mo", text, strlen(text), &last) == RB_OK &&
                rb_flatten(library_of, last, (RbFlattenOptions){0}, &flat) == RB_OK &&
                rb_dae_sort(flat, NULL, a, r->f.scratch, &r->f.diag, &dae) == RB_OK &&
                rb_program(dae, &options, a, r->f.scratch, &r->f.diag, &r->program) == RB_OK;
    if (done) {
        r->in = rb_program_instance(r->program, a);
        done = rb_program_initialize(r->in, 0, &r->f.diag) == RB_OK;
    }
    for (int i = 0; !done && i < r->f.diag.messages.count; i++)
        print_error("%s\n", fixture_message(&r->f, i));
    ENSURE(done);
}

static double value(Run *r, int k) {
    char name[16];
    snprintf(name, sizeof name, "y%d", k);
    return rb_program_value(r->in, rb_program_find(r->program, name));
}

static int interpreted;
static void count_calls(RbCodeFrame *f, int site, const double *in, double *result) {
    (void)f, (void)site, (void)in, (void)result;
    interpreted++;
}

static void compare(const char *text, RbBackend backend, int seed) {
    Run runs[2];
    start(&runs[0], text, RB_BACKEND_INTERPRET);
    start(&runs[1], text, backend);
    runs[1].in->frame.call = count_calls;
    interpreted = 0;
    static const double times[] = {-2.2, -0.3, 0.75, 1.5, 3};
    for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
        for (int k = 0; k < 2; k++)
            ENSURE(rb_program_outputs(runs[k].in, times[t], runs[k].in->frame.x) == RB_OK);
        for (int k = 0; k < BATCH; k++) {
            double want = value(&runs[0], k), got = value(&runs[1], k);
            bool same = memcmp(&got, &want, sizeof got) == 0 || (isnan(got) && isnan(want));
            if (!same)
                print_error("seed %d, f%d, u = %g: %.17g, interpreted %.17g\n", seed, k, times[t],
                            got, want);
            ENSURE(same);
        }
    }
    ENSURE(interpreted == 0);
    for (int k = 0; k < 2; k++) fixture_close(&runs[k].f);
}

static void compiled_is_interpreted(void **state) {
    (void)state;
    for (int seed = 1; seed <= REPEATS(20, 2); seed++) {
        Fixture f;
        fixture_open(&f);
        const char *text = batch(&f.arena, seed);
        FILE *dump = getenv("RB_DUMP") ? fopen(getenv("RB_DUMP"), "w") : NULL;
        if (dump) fputs(text, dump), fclose(dump);
        compare(text, RB_BACKEND_TCC, seed);
        if (seed == 1) compare(text, RB_BACKEND_OPTIMIZED, seed);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_is_interpreted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
