// SPDX-License-Identifier: MIT
// Overdetermined, expandable and stream connectors: the flat equations of small models, written
// down by hand from chapters 9 and 15 of the Modelica specification.
#include "flat_text.h"

// --- overdetermined connectors -------------------------------------------------------------------

#define PHASE                                                                                      \
    "record Angle Real c, s; function equalityConstraint input Angle a, b; output Real r[1];\n"    \
    "  algorithm r := {a.c*b.s - a.s*b.c}; end equalityConstraint; end Angle;\n"                   \
    "connector Port Angle R; Real v; flow Real i, t; end Port;\n"                                  \
    "model Fix Port p; equation Connections.root(p.R); p.R.c = 1; p.R.s = 0; p.v = 0; end Fix;\n"  \
    "model Line Port p, n; Boolean forward = Connections.rooted(p.R); equation\n"                  \
    "  Connections.branch(p.R, n.R); p.R = n.R; p.i + n.i = 0; p.t + n.t = 0; p.v - n.v = p.i;\n"  \
    "end Line;\n"                                                                                  \
    "model Body parameter Integer priority = 0; Port p; Real phi, w;\n"                            \
    "  Boolean root = Connections.isRoot(p.R); equation\n"                                         \
    "  Connections.potentialRoot(p.R, priority); p.i = p.v; der(w) = p.t; w = der(phi);\n"         \
    "  if Connections.isRoot(p.R) then p.R.c = cos(phi); p.R.s = sin(phi);\n"                      \
    "  else phi = atan2(p.R.s, p.R.c); end if; end Body;\n"

static int count_residues(Model *m) {
    int count = 0;
    for (int i = 0; i < m->flat->equations.count; i++) {
        const RbEquation *eq = m->flat->equations.data[i];
        count += eq->kind == RB_EQ_EQUAL && strstr(text_of(m, eq->left), "equalityConstraint");
    }
    return count;
}

static void a_tree_has_only_equalities(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               PHASE "model A Fix f; Line a, b; equation connect(f.p, a.n); connect(a.p, b.p);\n"
                     "end A;\n");
    ENSURE(joined(&m, "f.p.R.c", "a.n.R.c") && joined(&m, "a.p.R.s", "b.p.R.s"));
    ENSURE(count_residues(&m) == 0);
    assert_string_equal(binding(&m, "a.forward"), "false");
    assert_string_equal(binding(&m, "b.forward"), "true");
    close_model(&m);
}

// The last connection of a loop is cut; a connection that says nothing new says no residue either.
static void a_loop_is_cut_once(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               PHASE "model A Fix f; Line a, b, c; equation connect(f.p, a.p); connect(a.n, b.p);\n"
                     "  connect(b.n, c.p); connect(c.n, a.p); connect(c.n, f.p); end A;\n");
    ENSURE(count_residues(&m) == 1);
    ENSURE(has(&m, "Angle.equalityConstraint(c.n.R.c, c.n.R.s, a.p.R.c, a.p.R.s) = {0.0}"));
    ENSURE(!joined(&m, "a.p.R.c", "c.n.R.c"));
    ENSURE(joined(&m, "f.p.v", "c.n.v")); // all else is connected as ever
    ENSURE(has(&m, "f.p.i + (a.p.i + c.n.i) = 0.0"));
    close_model(&m);
}

// Two things that are fixed meet: the connection between them is not an equality.
static void two_roots_have_two_trees(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               PHASE "model A Fix f, g; Line a, b; equation connect(f.p, a.p); connect(a.n, b.p);\n"
                     "  connect(b.n, g.p); end A;\n");
    ENSURE(count_residues(&m) == 1 && !joined(&m, "b.n.R.c", "g.p.R.c"));
    close_model(&m);
}

static void the_lowest_priority_number_becomes_root(void **state) {
    (void)state;
    Model m;
    open_model(&m, PHASE "model A Body u(priority = 5), v(priority = 2), w(priority = 2), x, y;\n"
                         "  Line a, b; Fix f;\n"
                         "equation connect(u.p, a.p); connect(a.n, v.p); connect(v.p, b.p);\n"
                         "  connect(b.n, w.p); connect(f.p, x.p);\n"
                         "end A;\n");
    assert_string_equal(binding(&m, "u.root"), "false");
    assert_string_equal(binding(&m, "v.root"), "true");
    assert_string_equal(binding(&m, "w.root"), "false");
    assert_string_equal(binding(&m, "a.forward"), "false");
    assert_string_equal(binding(&m, "b.forward"), "true");
    assert_string_equal(binding(&m, "x.root"), "false"); // f is definite
    assert_string_equal(binding(&m, "y.root"), "true");  // alone
    close_model(&m);
}

// A type may be overdetermined, too; without residues only the assertions of its function are left.
static void a_variable_can_be_overdetermined(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               "type Phase extends Real; function equalityConstraint input Phase a, b;\n"
               "  output Real r[0]; algorithm assert(abs(a - b) < 1e-9, \"phases\");\n"
               "  end equalityConstraint; end Phase;\n"
               "connector Port Phase t; Real v; flow Real i; end Port;\n"
               "model S Port p; equation Connections.root(p.t); p.t = time; p.v = 1 - p.i; end S;\n"
               "model A S s[2]; equation connect(s[1].p, s[2].p); end A;\n");
    ENSURE(!joined(&m, "s[1].p.t", "s[2].p.t"));
    int calls = 0;
    for (int i = 0; i < m.flat->equations.count; i++)
        calls += m.flat->equations.data[i]->kind == RB_EQ_CALL;
    ENSURE(calls == 1);
    close_model(&m);
}

// Branches and roots in loops and conditions.
static void graphs_may_be_built_in_loops(void **state) {
    (void)state;
    Model m;
    open_model(
        &m, PHASE
        "model Star parameter Integer n = 3; parameter Boolean fixed = true; Port c; Port p[n];\n"
        "equation for k in 1:n loop Connections.branch(c.R, p[k].R); p[k].R = c.R;\n"
        "  p[k].v = c.v; end for; sum(p.i) + c.i = 0;\n"
        "  if fixed then Connections.root(c.R); c.R.c = 1; c.R.s = 0; end if; end Star;\n"
        "model A Star s; Line a; Body b; equation connect(s.p[1], a.p); connect(s.p[2], a.n);\n"
        "  connect(s.p[3], b.p); end A;\n");
    ENSURE(count_residues(&m) == 1);
    assert_string_equal(binding(&m, "a.forward"), "true");
    close_model(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_has_only_equalities),
        cmocka_unit_test(a_loop_is_cut_once),
        cmocka_unit_test(two_roots_have_two_trees),
        cmocka_unit_test(the_lowest_priority_number_becomes_root),
        cmocka_unit_test(a_variable_can_be_overdetermined),
        cmocka_unit_test(graphs_may_be_built_in_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
