// SPDX-License-Identifier: MIT
// Operator records (specification, chapter 14): which function an operator means, and what is left
// of it in the flat model. Expected texts are worked out by hand from the definitions below.
#include "flat_text.h"

// A complex number; M means nothing but what its functions say.
#define COMPLEX                                                                                    \
    "operator record C\n"                                                                          \
    "  replaceable Real re; replaceable Real im;\n"                                                \
    "  encapsulated operator 'constructor'\n"                                                      \
    "    function fromReal\n"                                                                      \
    "      import C; input Real re; input Real im = 0; output C z(re = re, im = im);\n"            \
    "    algorithm\n"                                                                              \
    "    end fromReal;\n"                                                                          \
    "  end 'constructor';\n"                                                                       \
    "  encapsulated operator function '0'\n"                                                       \
    "    import C; output C z; algorithm z := C(0);\n"                                             \
    "  end '0';\n"                                                                                 \
    "  encapsulated operator function '+'\n"                                                       \
    "    import C; input C a; input C b; output C c;\n"                                            \
    "    algorithm c := C(a.re + b.re, a.im + b.im);\n"                                            \
    "  end '+';\n"                                                                                 \
    "  encapsulated operator '-'\n"                                                                \
    "    function negate\n"                                                                        \
    "      import C; input C a; output C c; algorithm c := C(-a.re, -a.im);\n"                     \
    "    end negate;\n"                                                                            \
    "    function subtract\n"                                                                      \
    "      import C; input C a; input C b; output C c;\n"                                          \
    "      algorithm c := C(a.re - b.re, a.im - b.im);\n"                                          \
    "    end subtract;\n"                                                                          \
    "  end '-';\n"                                                                                 \
    "  encapsulated operator function '*'\n"                                                       \
    "    import C; input C a; input C b; output C c;\n"                                            \
    "    algorithm c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);\n"                        \
    "  end '*';\n"                                                                                 \
    "  encapsulated operator function 'String'\n"                                                  \
    "    import C; input C a; input String unit = \"j\"; output String s;\n"                       \
    "    algorithm s := String(a.re) + \"+\" + String(a.im) + unit;\n"                             \
    "  end 'String';\n"                                                                            \
    "end C;\n"

static void operators_mean_functions(void **state) {
    (void)state;
    Model m;
    open_model(&m, COMPLEX "model A C a, b, s = a + b, d = a - b, n = -a, p = a*b; equation\n"
                           "  a = C(1, time); b = C(time); end A;\n");
    assert_string_equal(binding(&m, "s.re"), "a.re + b.re");
    assert_string_equal(binding(&m, "s.im"), "a.im + b.im");
    assert_string_equal(binding(&m, "d.im"), "a.im - b.im");
    assert_string_equal(binding(&m, "n.re"), "-a.re");
    assert_string_equal(binding(&m, "p.re"), "a.re*b.re - a.im*b.im");
    assert_string_equal(binding(&m, "p.im"), "a.re*b.im + a.im*b.re");
    ENSURE(has(&m, "a.im = time"));
    ENSURE(has(&m, "b.im = 0.0"));
    close_model(&m);
}

// A number beside a record becomes one by a constructor; constants are worked out.
static void numbers_are_converted(void **state) {
    (void)state;
    Model m;
    open_model(&m, COMPLEX "model A constant C j = C(0, 1); parameter Real w = 2;\n"
                           "  C a = 2 + 3*j, b = j*w, c = j*2*j - 1; end A;\n");
    assert_string_equal(binding(&m, "a.re"), "2.0");
    assert_string_equal(binding(&m, "a.im"), "3.0");
    assert_string_equal(binding(&m, "b.re"), "0.0");
    assert_string_equal(binding(&m, "b.im"), "w");
    assert_string_equal(binding(&m, "c.re"), "-3.0");
    assert_string_equal(binding(&m, "c.im"), "0.0");
    close_model(&m);
}

// A type derived from an operator record has its operators; so has a connector that is one.
static void derived_records_have_the_operators(void **state) {
    (void)state;
    Model m;
    open_model(&m, COMPLEX
               "operator record V = C(redeclare Real re(unit = \"V\"), redeclare Real im(unit = "
               "\"V\"));\n"
               "connector Signal = input C;\n"
               "model A V u(re = time, im = 1); C g = 2*u; Signal s; C t = s*u; end A;\n");
    assert_string_equal(var(&m, "u.im")->attributes.unit, "V");
    assert_string_equal(binding(&m, "g.re"), "2.0*u.re");
    assert_string_equal(binding(&m, "t.re"), "s.re*u.re - s.im*u.im");
    ENSURE(var(&m, "s.im")->causality == RB_INPUT);
    close_model(&m);
}

static void arrays_go_by_their_elements(void **state) {
    (void)state;
    Model m;
    open_model(
        &m, COMPLEX
        "model A C v[2] = {C(time), C(0, time)}, w[2] = v + 2*v, p = v*v, none = sum(v[1:0]);"
        "\n"
        "  C m[2, 2] = [v[1], v[2]; C(1), C(2)], x[2] = m*v, n[2] = -v, e[2] = {2, 3}.*v;\n"
        "  C total = sum(v), other = sum(k*v[k] for k in 1:2); end A;\n");
    assert_string_equal(binding(&m, "w[2].im"), "v[2].im + 2.0*v[2].im");
    assert_string_equal(binding(&m, "p.re"),
                        "v[1].re*v[1].re - v[1].im*v[1].im + (v[2].re*v[2].re - v[2].im*v[2].im)");
    assert_string_equal(binding(&m, "none.re"), "0.0");
    assert_string_equal(binding(&m, "m[2,2].re"), "2.0");
    assert_string_equal(binding(&m, "x[2].re"), "m[2,1].re*v[1].re - m[2,1].im*v[1].im + "
                                                "(m[2,2].re*v[2].re - m[2,2].im*v[2].im)");
    assert_string_equal(binding(&m, "n[1].im"), "-v[1].im");
    assert_string_equal(binding(&m, "e[2].re"), "3.0*v[2].re");
    assert_string_equal(binding(&m, "total.im"), "v[1].im + v[2].im");
    assert_string_equal(binding(&m, "other.re"), "v[1].re + 2.0*v[2].re");
    close_model(&m);
}

// The product of two vectors is not that of their elements if a function takes vectors.
static void functions_of_arrays_come_first(void **state) {
    (void)state;
    Model m;
    open_model(&m, "operator record D Real x;\n"
                   "  encapsulated operator '*'\n"
                   "    function dot import D; input D a[:]; input D b[size(a, 1)]; output D c;\n"
                   "      algorithm c.x := 7; end dot;\n"
                   "    function times import D; input D a; input D b; output D c;\n"
                   "      algorithm c.x := a.x*b.x; end times;\n"
                   "  end '*';\n"
                   "end D;\n"
                   "model A D a = D(2), v[2] = {a, a}, p = v*v, q = a*a; end A;\n");
    assert_string_equal(binding(&m, "q.x"), "a.x*a.x");
    assert_string_equal(binding(&m, "p.x"), "7.0");
    close_model(&m);
}

static void text_and_conditions(void **state) {
    (void)state;
    Model m;
    open_model(&m, COMPLEX "model A C a = C(time, 1), b = if time > 1 then a else -a;\n"
                           "  String s = String(C(1, 2), unit = \"i\"); end A;\n");
    assert_string_equal(binding(&m, "s"), "\"1+2i\"");
    assert_string_equal(binding(&m, "b.im"), "if time > 1 then a.im else -a.im");
    close_model(&m);
}

// Comparisons in a function make no events, also where the function was written out.
static void written_out_functions_make_no_events(void **state) {
    (void)state;
    Model m;
    open_model(&m, "operator record D Real x;\n"
                   "  encapsulated operator function '-'\n"
                   "    import D; input D a; output D c;\n"
                   "    algorithm c.x := if a.x > 0 then -a.x else 0;\n"
                   "  end '-';\n"
                   "end D;\n"
                   "model A D a = D(time), b = -a; end A;\n");
    assert_string_equal(binding(&m, "b.x"), "noEvent(if a.x > 0 then -a.x else 0)");
    close_model(&m);
}

// Flows of records sum up field by field.
static void flows_of_records(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               COMPLEX "connector P C v; flow C i; end P;\n"
                       "model R P p, n; equation p.v - n.v = p.i; p.i + n.i = C(0); end R;\n"
                       "model G P p; equation p.v = C(0); end G;\n"
                       "model A R r1, r2; G g; equation connect(r1.p, r2.p); connect(r1.n, r2.n);"
                       " connect(r1.n, g.p); end A;\n");
    ENSURE(has(&m, "r1.p.i.re + r2.p.i.re = 0.0"));
    ENSURE(has(&m, "r1.p.i.im + r2.p.i.im = 0.0"));
    ENSURE(joined(&m, "r1.p.v.im", "r2.p.v.im"));
    ENSURE(has(&m, "r1.p.v.re - r1.n.v.re = r1.p.i.re"));
    close_model(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_mean_functions),
        cmocka_unit_test(numbers_are_converted),
        cmocka_unit_test(derived_records_have_the_operators),
        cmocka_unit_test(arrays_go_by_their_elements),
        cmocka_unit_test(functions_of_arrays_come_first),
        cmocka_unit_test(text_and_conditions),
        cmocka_unit_test(written_out_functions_make_no_events),
        cmocka_unit_test(flows_of_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
