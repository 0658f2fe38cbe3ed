// SPDX-License-Identifier: MIT
// Functions written as algorithms: values against what the text says by hand, and compiled against
// interpreted bit by bit.
#include "testing.h"

#include <string.h>

#include "program/program.h"
#include "flatten/flatten.h"

typedef struct Run {
    Fixture f;
    RbProgram *program;
    RbProgramInstance *in;
} Run;

static void show(Fixture *f) {
    for (int i = 0; i < f->diag.messages.count; i++) print_error("%s\n", fixture_message(f, i));
}

static RbStatus translate(Run *r, const char *text, RbBackend backend) {
    fixture_open(&r->f);
    RbArena *a = &r->f.arena;
    RbNames *names = rb_new(a, RbNames);
    *names = rb_names(a);
    RbLibrary *library = rb_library(names, a, &r->f.scratch, &r->f.diag);
    const char *last = NULL;
    RbFlatModel *flat;
    RbSortedDae *dae;
    RbProgramOptions options = {.backend = backend, .cache = RB_BINARY_DIR "/model-cache"};
    RB_TRY(rb_library_add_text(library, "test.mo", text, strlen(text), &last));
    RB_TRY(rb_flatten(library, last, (RbFlattenOptions){0}, &flat));
    RB_TRY(rb_dae_sort(flat, NULL, a, r->f.scratch, &r->f.diag, &dae));
    RB_TRY(rb_program(dae, &options, a, r->f.scratch, &r->f.diag, &r->program));
    if (getenv("RB_DUMP")) print_message("%s\n", r->program->source.text.data);
    r->in = rb_program_instance(r->program, a);
    return RB_OK;
}

static void start(Run *r, const char *text, RbBackend backend) {
    RbStatus status = translate(r, text, backend);
    if (status == RB_OK) status = rb_program_initialize(r->in, 0, &r->f.diag);
    if (status != RB_OK) show(&r->f);
    ENSURE(status == RB_OK);
}

static double value(Run *r, const char *name) {
    int v = rb_program_find(r->program, name);
    if (v < 0) print_error("no variable %s\n", name);
    ENSURE(v >= 0);
    return rb_program_value(r->in, v);
}

// --- what statements mean ------------------------------------------------------------------------

// A record is assigned as a whole, whatever the order of its fields: swapping works, and a function
// of the record sees none of its new values.
static void records_are_assigned_as_a_whole(void **state) {
    (void)state;
    static const char text[] = "package P\n"
                               "  record R Real a; Real b; Real c; end R;\n"
                               "  function turn input R r; output R q;\n"
                               "  algorithm q.a := r.b; q.b := r.c; q.c := r.a; end turn;\n"
                               "  function f input Real u; output Real y;\n"
                               "  protected R r;\n"
                               "  algorithm\n"
                               "    r := R(u, 10*u, 100*u);\n"
                               "    r := turn(r);\n"
                               "    r := R(r.b, r.a, r.c);\n"
                               "    y := r.a + 2*r.b + 3*r.c;\n"
                               "  end f;\n"
                               "  model M Real y = f(1 + time); end M;\n"
                               "end P;\n"
                               "model Test extends P.M; end Test;\n";
    for (int k = 0; k < 3; k++) {
        Run r;
        start(&r, text, (RbBackend)k);
        ENSURE_NEAR(value(&r, "y"), 100 + 2 * 10 + 3 * 1, 0);
        fixture_close(&r.f);
    }
}

// --- compiled and interpreted --------------------------------------------------------------------

// Functions y = f(u), u between -2 and 3, that use the language in all its parts.
static const char *const functions[] = {
    // scalars, constants, powers, builtin functions
    "algorithm y := 0.1*u^2 + u^(-3)*1e-3 + 2.5^u - u^7 + abs(u)^1.5;",
    "algorithm y := sin(u) + exp(-u^2)*atan2(u, 1.1) + sqrt(abs(u)) + log(3 + u) + tanh(u);",
    "algorithm y := max(u, 0.3) - min(u, -0.7) + sign(u) + floor(u) + ceil(0.5*u) + mod(u, 0.7) + "
    "rem(u, 0.3) + div(u, 0.4);",
    "algorithm y := noEvent(if u > 0 then u/3 else -u*0.7) + smooth(1, u^3);",
    // choices, also nested and with several conditions
    "protected Boolean b = u > 1; algorithm if b and u < 2 or not u > -1 then y := 3*u; elseif u > "
    "0.5 then y := u - 1/3; else y := -u; end if; if u > 2.5 then y := y + 100; end if;",
    "algorithm if u > 0 then if u > 1 then y := 1.1; else y := 2.2; end if; else y := 3.3; end if;",
    // loops
    "algorithm y := 1; for i in 1:10 loop y := y*u/i + 1; end for;",
    "algorithm for i in 10:-3:1 loop y := 0.3*y + i*u; end for;",
    "algorithm for x in 0:0.1:1 loop y := y + x*u; end for;",
    "algorithm for x in {0.1, u, 7} loop y := 0.5*y + x^2; end for;",
    "algorithm for i in 1:0 loop y := 5; end for; for i in 1:3, j in i:4 loop y := y + i*j*u; end "
    "for;",
    "protected Real x = 1; algorithm while x < 1e3 loop x := x*(1.5 + u^2); if x > 900 then break; "
    "end if; end while; y := x;",
    "algorithm for i in 1:5 loop y := y + u; if y > 4 then return; end if; end for; y := -y;",
    "protected Integer n = 0; Real x = abs(u) + 1; algorithm while x > 0.01 loop n := n + 1; for i "
    "in 1:3 loop if i == 2 and x < 0.5 then break; end if; x := 0.9*x; end for; end while; y := n;",
    // arrays of known size
    "protected Real a[3] = {u, 2*u, u^2}; algorithm a[2] := a[1] + a[3]; y := a*a + sum(a) - "
    "product(a) + max(a) - min(a);",
    "protected Real M[2,3]; Real v[3] = {1, u, 2}; Real w[2]; algorithm for i in 1:2 loop for j in "
    "1:3 loop M[i,j] := i*u + 0.1*j; end for; end for; w := M*v; M[2,:] := v; y := w[1] - "
    "w[2]/3 + sum(transpose(M)*w);",
    "protected Real A[3,3]; algorithm A := identity(3) + skew({1, u, 2})*0.1; y := "
    "sum(A*A^3) + sum(symmetric(A)) + sum(outerProduct({1, 2}, {u, 3})) + sum(cross({1, u, 3}, {u, "
    "2, 1})*{1, 2, 3});",
    "protected Real a[4]; algorithm a[2:3] := {u, 2*u}; a[{1, 4}] := {7, u}; a := 2*a - a/3 + "
    "fill(0.1, 4) .* a; y := sum(a[{4, 3, 2}]) + a[end];",
    "protected Real T[2,2,2]; algorithm for i in 1:2, j in 1:2, k in 1:2 loop T[i,j,k] := i + 10*j "
    "+ "
    "100*k*u; end for; y := T[2,1,2] - T[1,2,1]*0.3 + sum(T[1,:,2]);",
    "protected Real x[5] = linspace(u, 3, 5); algorithm y := x[4] + sum(cat(1, x, {u}, 1:3)) + "
    "sum(diagonal({u, 2})) + size(x, 1);",
    "protected Real a[3] = {u, 1, 2}; Real b[3] = a; algorithm b[1] := 5; y := a[1] + 10*b[1];",
    // reductions and comprehensions
    "algorithm y := sum(i^2*u for i in 1:4) + product(u + i for i in {1, 2}) + max(i*u for i in "
    "1:3) - min(u - i for i in 1:3);",
    "protected Real a[3] = {u*i for i in 1:3}; Real M[2,3] = {i*u + j for j in 1:3, i in 1:2}; "
    "algorithm y := sum(a) + M[2,3] - M[1,2] + sum({sum(u*i*j for i in 1:j) for j in 1:3});",
    // sizes that follow from arguments and values
    "protected Integer n = integer(abs(u)) + 2; Real a[n]; algorithm for i in 1:n loop a[i] := "
    "u/i; "
    "end for; y := sum(a) + size(a, 1);",
    "protected Real a[:] = fill(u, integer(abs(u)) + 1); algorithm y := sum(a);",
    "protected Real a[:]; algorithm a := {u}; for i in 1:4 loop a := cat(1, a, {i*u}); end for; y "
    ":= sum(a) + size(a, 1);",
    // what must not be evaluated is not evaluated
    "protected Real a[2] = {u, 2}; Integer i = 3; algorithm y := if i <= 2 then a[i] + a[i]^2 else "
    "u; if i <= 2 and a[i] > 0 then y := 7; end if; if i > 2 or a[i] > 0 then y := y + 0.25; end "
    "if;",
    "algorithm y := if u > 0 then g(u) + g(u)^2 else -g(-u); y := y + (if g(u) > 0 and g(u - 1) > "
    "0 "
    "then 1 else 2);",
    // calls: several results, arrays, records, recursion
    "protected Real a; Real b; algorithm (a, b) := two(u, 3); y := a + 10*b; (, b) := two(b, a); y "
    ":= y + b;",
    "protected Real a[3]; algorithm (a[2], a[1]) := two(u, 1); a := turned(a); y := a[1] + 2*a[2] "
    "+ "
    "3*a[3] + sum(turned({u, 1, 2}));",
    "protected Real a[2]; Real t; algorithm (a, t) := both({u, 1, u^2}); y := a[1] - a[2]*t;",
    "algorithm y := factorial(integer(abs(u)) + 3) + fibonacci(7)*u;",
    "protected Complex c = Complex(u, 1); algorithm c := squared(squared(c)); y := c.re - "
    "0.3*c.im;",
    "protected Complex c[2]; algorithm c[1] := Complex(u, 1); c[2] := squared(c[1]); y := c[2].re "
    "+ "
    "c[1].im*sum(c.re);",
    // assertions that hold, messages, enumerations, strings that are not used
    "algorithm assert(u > -100, \"u = \" + String(u)); y := message(u, \"small\");",
    "protected E e = E.two; algorithm if e == E.two then y := u + Integer(e); end if;",
    "algorithm y := if true then u else 0; y := y + 1/3; y := y^2; y := y^3 + y^(-2) + (y + u)^2;",
};

static const char library[] =
    "package P\n"
    "  type E = enumeration(one, two);\n"
    "  record Complex Real re; Real im; end Complex;\n"
    "  function g input Real u; output Real y; algorithm y := u*1.3 + 0.2; end g;\n"
    "  function two input Real u; input Real v; output Real a; output Real b;\n"
    "    algorithm a := u + v; b := u*v; end two;\n"
    "  function turned input Real a[:]; output Real b[size(a, 1)];\n"
    "    algorithm for i in 1:size(a, 1) loop b[i] := a[size(a, 1) + 1 - i]; end for; end turned;\n"
    "  function both input Real a[:]; output Real b[2]; output Real t;\n"
    "    algorithm b := a[1:2]; t := a[3]; end both;\n"
    "  function factorial input Integer n; output Real y;\n"
    "    algorithm y := if n <= 1 then 1 else n*factorial(n - 1); end factorial;\n"
    "  function fibonacci input Integer n; output Real y;\n"
    "    algorithm if n < 2 then y := n; else y := fibonacci(n - 1) + fibonacci(n - 2); end if;\n"
    "    end fibonacci;\n"
    "  function squared input Complex c; output Complex s;\n"
    "    algorithm s := Complex(c.re*c.re - c.im*c.im, 2*c.re*c.im); end squared;\n"
    "  function message input Real u; input String text; output Real y;\n"
    "    algorithm assert(u < 1e6, text + \" is not so\"); y := 2*u; end message;\n";

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const char *all_functions(RbArena *arena) {
    RbText text = rb_text(arena);
    rb_text_add(&text, library);
    for (int k = 0; k < FUNCTION_COUNT; k++)
        rb_text_printf(&text, "  function f%d input Real u; output Real y; %s end f%d;\n", k,
                       functions[k], k);
    rb_text_add(&text, "end P;\nmodel Test\n  import P.*;\n  Real u = time;\n");
    for (int k = 0; k < FUNCTION_COUNT; k++) rb_text_printf(&text, "  Real y%d = f%d(u);\n", k, k);
    rb_text_add(&text, "end Test;\n");
    return text.data;
}

// Nothing was handed back to the interpreter.
static int calls_interpreted;
static void count_calls(RbCodeFrame *f, int site, const double *in, double *out) {
    (void)f, (void)site, (void)in, (void)out;
    calls_interpreted++;
}

static void same_bits(void **state) {
    (void)state;
    Run runs[3];
    Fixture f;
    fixture_open(&f);
    const char *text = all_functions(&f.arena);
    for (int k = 0; k < 3; k++) start(&runs[k], text, (RbBackend)k);
    runs[RB_BACKEND_TCC].in->frame.call = runs[RB_BACKEND_OPTIMIZED].in->frame.call = count_calls;
    calls_interpreted = 0;
    for (double time = -2; time <= 3; time += 0.125) {
        for (int k = 0; k < 3; k++)
            ENSURE(rb_program_outputs(runs[k].in, time, runs[k].in->frame.x) == RB_OK);
        for (int i = 0; i < FUNCTION_COUNT; i++) {
            char name[16];
            snprintf(name, sizeof name, "y%d", i);
            double want = value(&runs[RB_BACKEND_INTERPRET], name);
            for (int k = 0; k < 3; k++) {
                double got = value(&runs[k], name);
                bool same = memcmp(&got, &want, sizeof got) == 0;
                if (!same)
                    print_error("u = %g: %.17g, interpreted %.17g: %s\n", time, got, want,
                                functions[i]);
                ENSURE(same);
            }
        }
    }
    ENSURE(calls_interpreted == 0);
    for (int k = 0; k < 3; k++) fixture_close(&runs[k].f);
    fixture_close(&f);
}

// What the text of some of them says, worked out by hand for u = 2.
static void values_by_hand(void **state) {
    (void)state;
    Fixture f;
    Run r;
    fixture_open(&f);
    start(&r, all_functions(&f.arena), RB_BACKEND_TCC);
    ENSURE(rb_program_outputs(r.in, 2, r.in->frame.x) == RB_OK);
    static const struct {
        const char *start; // of the text
        double value;
    } wanted[] = {
        {"algorithm for i in 1:0 loop", 2 * (1 * 10 + 2 * 9 + 3 * 7)},
        {"algorithm for i in 1:5 loop y := y + u; if", 6},
        {"protected Real a[3] = {u, 2*u, u^2}", 4 + 36 + 16 + (2 + 6 + 4) - 2 * 6 * 4 + 6 - 2},
        {"protected Real a[3] = {u, 1, 2}; Real b[3] = a", 2 + 50},
        {"algorithm y := sum(i^2*u", 30 * 2 + 3 * 4 + 6 - (-1)},
        {"protected Real a[:] = fill", 6},
        {"protected Real a[:]; algorithm a := {u}", 2 + 20 + 5},
        {"protected Real a[2] = {u, 2}; Integer i = 3", 2.25},
        {"algorithm y := factorial", 120 + 26},
        {"protected Complex c = Complex(u, 1)", (9 - 16) - 0.3 * 24},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        int found = -1;
        for (int i = 0; i < FUNCTION_COUNT; i++) {
            if (strncmp(functions[i], wanted[k].start, strlen(wanted[k].start)) == 0) found = i;
        }
        ENSURE(found >= 0);
        char name[16];
        snprintf(name, sizeof name, "y%d", found);
        ENSURE_NEAR(value(&r, name), wanted[k].value, 1e-13);
    }
    fixture_close(&r.f);
    fixture_close(&f);
}

// A function that fails does so with a message that names it and says why; the next evaluation is
// not disturbed.
static void failures_have_words(void **state) {
    (void)state;
    static const struct {
        const char *body, *words;
    } cases[] = {
        {"algorithm assert(u < 1, \"u = \" + String(u) + \" is too large\"); y := u;",
         "u = 2 is too large"},
        {"protected Real a[2]; algorithm y := a[integer(u) + 1];", "subscript 3 is outside 1 to 2"},
        {"protected Real a[2]; algorithm a[integer(u) + 1] := 7; y := a[1];",
         "subscript 3 is outside 1 to 2"},
        {"protected Real a[integer(1 - u)]; algorithm y := size(a, 1);",
         "an array size is negative or too large"},
        {"protected Real a[:] = fill(1, integer(u) + 1); algorithm if u > 1 then y := a*{1, 2}; "
         "else "
         "y := u; end if;",
         "the inner sizes of a matrix product differ"},
        {"algorithm y := if u > 1 then f(u) else u;", "functions call each other too deeply"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Run r;
        char text[512];
        snprintf(text, sizeof text,
                 "package P function f input Real u; output Real y; %s end f; end P;\n"
                 "model Test Real y = P.f(time); end Test;",
                 cases[k].body);
        start(&r, text, RB_BACKEND_TCC);
        ENSURE(rb_program_outputs(r.in, 2, r.in->frame.x) != RB_OK);
        bool said = r.in->failure && strstr(r.in->failure, cases[k].words) &&
                    strstr(r.in->failure, "'P.f'");
        if (!said) print_error("%s: %s\n", cases[k].words, r.in->failure);
        ENSURE(said);
        ENSURE(rb_program_outputs(r.in, 0.5, r.in->frame.x) == RB_OK);
        ENSURE(isfinite(value(&r, "y")));
        fixture_close(&r.f);
    }
}

// More than the stack of compiled functions holds: the interpreter does it.
static void large_arrays(void **state) {
    (void)state;
    Run r;
    start(&r,
          "package P function f input Real u; output Real y; protected Real a[100000]; algorithm\n"
          "for i in 1:100000 loop a[i] := u; end for; y := sum(a); end f; end P;\n"
          "model Test Real y = P.f(time); end Test;",
          RB_BACKEND_TCC);
    ENSURE(rb_program_outputs(r.in, 2, r.in->frame.x) == RB_OK);
    ENSURE_NEAR(value(&r, "y"), 200000, 0);
    fixture_close(&r.f);
}

// A function with several results, or a record, is called once for all of them.
static void called_once(void **state) {
    (void)state;
    Run r;
    start(&r,
          "package P record R Real a; Real b; Real c; end R;\n"
          "function f input Real u; output R r; algorithm r := R(u, u^2, u^3); end f; end P;\n"
          "model Test P.R r = P.f(time); Real s; equation s = r.a + r.b + r.c; end Test;",
          RB_BACKEND_TCC);
    const char *text = strstr(r.program->source.text.data, "static int outputs_0");
    ENSURE(text && (text = strstr(text, "fn_0(")));
    const char *next = strstr(text + 1, "fn_0("), *end = strstr(text, "\n}");
    ENSURE(!next || next > end);
    ENSURE(rb_program_outputs(r.in, 2, r.in->frame.x) == RB_OK);
    ENSURE_NEAR(value(&r, "s"), 2 + 4 + 8, 0);
    fixture_close(&r.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_assigned_as_a_whole),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(failures_have_words),
        cmocka_unit_test(large_arrays),
        cmocka_unit_test(called_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
