// SPDX-License-Identifier: MIT
// Lexer and parser: print(parse(text)) has the same tokens as text, for every construct of the
// grammar; errors are reported with their place, several per run; nested and random input does not
// crash.
#include "testing.h"

#include <ftw.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "syntax/parse.h"

static RbAstFile *parse(Fixture *f, RbNames *names, const char *file, const char *text) {
    RbAstFile *ast = NULL;
    rb_parse_text(file, text, strlen(text), names, &f->arena, f->scratch, &f->diag, &ast);
    return ast;
}

// Same kinds and bytes in the same order.
static bool same_tokens(const RbTokens *a, const RbTokens *b) {
    for (int i = 0; i < a->list.count && i < b->list.count; i++) {
        const RbToken *x = &a->list.data[i], *y = &b->list.data[i];
        if (x->kind == y->kind && x->length == y->length &&
            memcmp(x->text, y->text, (size_t)x->length) == 0) {
            continue;
        }
        print_error("%s:%d:%d: '%.*s' became '%.*s'\n", a->file, x->line, x->column, x->length,
                    x->text, y->length, y->text);
        return false;
    }
    return a->list.count == b->list.count;
}

static void round_trip(Fixture *f, RbNames *names, const char *file, const char *text) {
    RbAstFile *ast = parse(f, names, file, text);
    if (f->diag.messages.count > 0) print_error("%s\n", fixture_message(f, 0));
    ENSURE(f->diag.error_count == 0);
    RbText printed = rb_text(&f->arena);
    rb_ast_print(ast, &printed);
    RbModelicaSource before = {file, text, strlen(text)},
                     after = {file, printed.data, (size_t)printed.count};
    RbTokens a = rb_lex(&before, names, &f->arena, &f->diag);
    RbTokens b = rb_lex(&after, names, &f->arena, &f->diag);
    ENSURE(same_tokens(&a, &b));
}

static const char every_construct[] =
    "within A.B;\n"
    "encapsulated package P \"text\" + \" more\"\n"
    "  import SI = Modelica.Units.SI; import A.B; import A.C.*; import A.{X, Y} \"why\";\n"
    "  extends .Q(x = 1, break y, break connect(a, b)) annotation(Icon());\n"
    "  type E = enumeration(one \"first\", two, 'th ree') \"e\"; type Open = enumeration(:);\n"
    "  type V = input Real[3](each unit = \"m\", final min = 0) annotation(absoluteValue = "
    "false);\n"
    "  function d = der(f, x, y) \"partial derivative\";\n"
    "  operator record C Real re; encapsulated operator 'constructor' function f end f; end "
    "'constructor';\n"
    "    operator function '+' end '+'; end C;\n"
    "  expandable connector Bus end Bus;\n"
    "  pure function g input Real u = 1; output Real y; external \"C\" y = g_c(u, 1, size(u, 1))\n"
    "    annotation(Include = \"#include <g.h>\"); annotation(Inline = true); end g;\n"
    "  impure function h external; end h;\n"
    "  redeclare replaceable model extends M(k = 2) \"m\" end M;\n"
    "protected\n"
    "  replaceable partial model M2 end M2 constrainedby N(z = 1) \"c\" annotation(choices(choice "
    "= 1));\n"
    "public\n"
    "  final inner outer parameter Real[2, :] a[3](start = {1, 2}, each fixed = true) = x if n > 0 "
    "\"d\", b;\n"
    "  flow Real f; stream Real s; discrete input Real u; constant output Integer k := 2;\n"
    "  M m(redeclare each final model X = Y, redeclare Real z(start = 1) = 2, replaceable T t "
    "constrainedby U(a = 1),\n"
    "    each final q(r(s = 3)) \"txt\", p = break, redeclare replaceable package Q = R \"d\" "
    "constrainedby S);\n"
    "initial equation x = 1; initial algorithm y := 2;\n"
    "equation\n"
    "  connect(a[1].b, c.d[:, 2]) annotation(Line(points = {{1, 2}, {3, 4}}));\n"
    "  if a then x = 1; elseif b then x = 2; else x = 3; end if; if c then end if;\n"
    "  for i in 1:n, j loop x[i] = j; end for;\n"
    "  when {a, b} then x = pre(x); reinit(v, -e * v); elsewhen sample(0, 1) then "
    "terminate(\"stop\"); end when;\n"
    "  assert(x > 0, \"positive\", level = AssertionLevel.warning); (a, , b) = f(x); .A.b = 1;\n"
    "  x = if a then b elseif c then d else -e + f - g .+ h .- i; y = (a or not b and c) == d;\n"
    "  m = [1, 2; 3, 4] .* n ./ o .^ p + q ^ 2; r = {i ^ 2 for i in 1:2:n, j}; s = sum(x for x in "
    "y);\n"
    "  t = f(a, b = function g(c = 1)) + der(x) + initial() + pure(f(x)); u = x[end, 1:end - 1]; v "
    "= f(function g());\n"
    "  w = 1 <> 2; z = 1.5e-3 + .5E+2 + 3. + 1e3; true = false; \"a\\n\\\"b\" = c; f(x);\n"
    "algorithm\n"
    "  while x < 1 loop x := x + 1; break; end while; return; (a, b) := f(x); g(y); for i loop end "
    "for;\n"
    "  when a then b := 1; elsewhen c then b := 2; end when; if a then b := 1; else c := 2; end "
    "if;\n"
    "  annotation(Documentation(info = \"<html>\n</html>\"), experiment(StopTime = 1));\n"
    "end P; // comment\n"
    "final /* comment */ class Q end Q;\n";

static void every_construct_is_printed_as_it_was_read(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNames names = rb_names(&f.arena);
    round_trip(&f, &names, "every.mo", every_construct);
    fixture_close(&f);
}

static void one_run_reports_several_errors(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNames names = rb_names(&f.arena);
    parse(&f, &names, "a.mo",
          "model A\n"
          "  Real x\n"
          "  Real y;\n"
          "  Real 2z;\n"
          "equation\n"
          "  x == 1;\n"
          "  y = (3 + ;\n"
          "  x = 2;\n"
          "end B;\n");
    assert_int_equal(f.diag.error_count, 5);
    assert_string_equal(fixture_message(&f, 0),
                        "a.mo:2:9: error: expected ';' after the declaration, but found "
                        "'Real' [model]\n      Real x\n            ^\n");
    assert_string_equal(f.diag.messages.data[1].text,
                        "expected the name of a component, but found '2'");
    assert_string_equal(f.diag.messages.data[2].text, "an equation is written with '=', not '=='");
    assert_string_equal(f.diag.messages.data[3].text, "expected an expression, but found ';'");
    assert_string_equal(f.diag.messages.data[4].text,
                        "expected 'end A;' for the model that begins in line 1, but found 'end B'");
    assert_int_equal(f.diag.messages.data[3].at.line, 7);
    assert_int_equal(f.diag.messages.data[3].at.column, 12);
    fixture_close(&f);
}

// Deep nesting of each recursive rule is an error, not a crash.
static void nesting_is_bounded(void **state) {
    (void)state;
    static const char *const openings[] = {"x=(",  "x={",  "x=[",         "x=-a^(",
                                           "x=f(", "x=a[", "x=if a then "};
    for (size_t k = 0; k < sizeof openings / sizeof openings[0]; k++) {
        Fixture f;
        fixture_open(&f);
        RbNames names = rb_names(&f.arena);
        RbText text = rb_text(&f.arena);
        rb_text_add(&text, "model A equation x=");
        for (int i = 0; i < 20000; i++) rb_text_add(&text, openings[k] + 2);
        parse(&f, &names, "deep.mo", text.data);
        ENSURE(f.diag.error_count > 0);
        fixture_close(&f);
    }
    static const char *const repeated[] = {
        "model A ", "package A(a(b(", "model A equation if a then if b then for i loop ",
        "model A M m(redeclare M n(", "model A Real x = 1+1+1+1+1+1"};
    for (size_t k = 0; k < sizeof repeated / sizeof repeated[0]; k++) {
        Fixture f;
        fixture_open(&f);
        RbNames names = rb_names(&f.arena);
        RbText text = rb_text(&f.arena);
        const char *again = k < 2 ? repeated[k]
                                  : strrchr(repeated[k], k == 2   ? 'f'
                                                         : k == 3 ? 'M'
                                                                  : '+');
        rb_text_add(&text, repeated[k]);
        for (int i = 0; i < 20000; i++) rb_text_add(&text, again);
        parse(&f, &names, "deep.mo", text.data);
        ENSURE(f.diag.error_count > 0);
        fixture_close(&f);
    }
}

// Cutting, doubling and exchanging bytes of a valid text: always an answer.
static void damaged_text_does_not_crash(void **state) {
    (void)state;
    uint64_t seed = 12345;
    for (int round = 0; round < 400; round++) {
        Fixture f;
        fixture_open(&f);
        RbNames names = rb_names(&f.arena);
        char *text = rb_arena_text(&f.arena, every_construct);
        size_t length = strlen(text);
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(seed >> 33) % length;
            text[at] = "();={}[]\"'.,:x1 \n"[(seed >> 20) % 17];
        }
        parse(&f, &names, "damaged.mo", text);
        fixture_close(&f);
    }
}

static void strings_are_decoded(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *raw = "\"a\\n\\t\\\"\\\\b\"";
    assert_string_equal(rb_string_value(raw, (int)strlen(raw), &f.arena), "a\n\t\"\\b");
    fixture_close(&f);
}

static void text_that_is_not_utf8_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNames names = rb_names(&f.arena);
    parse(&f, &names, "latin1.mo", "model A\n  // gr\xfc\xdf");
    ENSURE(f.diag.error_count == 1);
    assert_int_equal(f.diag.messages.data[0].at.line, 2);
    assert_int_equal(f.diag.messages.data[0].at.column, 8);
    fixture_close(&f);
}

// --- the Modelica Standard Library, where it is on disk ------------------------------------------

static struct {
    Fixture *f;
    RbNames *names;
    RbArena scratch;
    int files, bad;
} walk;

static int visit(const char *path, const struct stat *info, int type, struct FTW *ftw) {
    (void)info, (void)ftw;
    if (type != FTW_F || !rb_text_ends_with(path, ".mo")) return 0;
    RbAstFile *ast;
    walk.files++;
    if (rb_parse_file(path, walk.names, &walk.f->arena, walk.scratch, &walk.f->diag, &ast) !=
        RB_OK) {
        walk.bad++;
    }
    return 0;
}

static int compare_file(const char *path, const struct stat *info, int type, struct FTW *ftw) {
    (void)info, (void)ftw;
    if (type != FTW_F || !rb_text_ends_with(path, ".mo")) return 0;
    RbBytes bytes;
    Fixture f;
    fixture_open(&f);
    RbNames names = rb_names(&f.arena);
    ENSURE(rb_file_read(path, 0, &f.arena, &f.diag, &bytes) == RB_OK);
    size_t skip = bytes.size > 3 && bytes.data[0] == 0xef ? 3 : 0;
    round_trip(&f, &names, path, (const char *)bytes.data + skip);
    fixture_close(&f);
    return 0;
}

static void every_file_of_the_standard_library_parses(void **state) {
    (void)state;
    const char *msl = getenv("RB_MSL");
    if (!msl) {
        print_message(
            "skipped: RB_MSL does not name a folder with the Modelica Standard Library\n");
        skip();
    }
    Fixture f;
    fixture_open(&f);
    RbNames names = rb_names(&f.arena);
    walk.f = &f;
    walk.names = &names;
    walk.scratch = f.scratch;
    clock_t start = clock();
    nftw(msl, visit, 16, FTW_PHYS);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d files in %.3f s, %d with errors, %.1f MB\n", walk.files, seconds, walk.bad,
                  (double)f.heap.peak / 1e6);
    if (walk.bad > 0) print_error("%s", fixture_message(&f, 0));
    ENSURE(walk.files > 0 && walk.bad == 0);
    fixture_close(&f);
    nftw(msl, compare_file, 16, FTW_PHYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_construct_is_printed_as_it_was_read),
        cmocka_unit_test(one_run_reports_several_errors),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(damaged_text_does_not_crash),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(text_that_is_not_utf8_is_refused),
        cmocka_unit_test(every_file_of_the_standard_library_parses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
