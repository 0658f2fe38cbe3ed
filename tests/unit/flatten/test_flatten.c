// SPDX-License-Identifier: MIT
// Flattening: what the specification says about scopes, modifications, redeclarations, arrays,
// connections and events, checked on small models whose flat form can be written down by hand.
#include "flat_text.h"

static void names_are_found_where_the_specification_says(void **state) {
    (void)state;
    Model m;
    open_model(
        &m,
        "package P\n"
        "  constant Real g = 9.81;\n"
        "  package Q constant Real k = 2; constant Real l = 3; constant Real n = k + l; end Q;\n"
        "  package Base constant Real inherited = 7; end Base;\n"
        "  package R extends Base; constant Real own = inherited + 1; end R;\n"
        "  model M\n"
        "    import P.Q.k; import L = P.Q.l; import P.Q.*; import P.{R};\n"
        "    Real a = g; Real b = k; Real c = L; Real d = n; Real e = R.own; Real f = "
        "R.inherited;\n"
        "    Real h = .P.g;\n"
        "  end M;\n"
        "end P;\n"
        "model A extends P.M; end A;\n");
    assert_string_equal(binding(&m, "a"), "9.81");
    assert_string_equal(binding(&m, "b"), "2.0");
    assert_string_equal(binding(&m, "c"), "3.0");
    assert_string_equal(binding(&m, "d"), "5.0");
    assert_string_equal(binding(&m, "e"), "8.0");
    assert_string_equal(binding(&m, "f"), "7.0");
    assert_string_equal(binding(&m, "h"), "9.81");
    close_model(&m);
}

// A base class sees its own names, not those of the class that extends it.
static void inherited_text_keeps_its_scope(void **state) {
    (void)state;
    Model m;
    open_model(&m, "package P constant Real k = 1; model B Real x = k; end B; end P;\n"
                   "model A extends P.B; constant Real k = 2; Real y = k; end A;\n");
    assert_string_equal(binding(&m, "x"), "1.0");
    assert_string_equal(binding(&m, "y"), "2.0");
    close_model(&m);
}

static void the_outermost_modification_wins(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               "model C parameter Real k = 1; Real x(start = 1); equation der(x) = k; end C;\n"
               "model B parameter Real q = 5; C c(k = 2 * q, x(start = 2)); C d; end B;\n"
               "model A parameter Real p = 3; B b(c(k = p), q = 7); B e(c.x.start = 4); end A;\n");
    assert_string_equal(binding(&m, "b.c.k"), "p");
    assert_string_equal(binding(&m, "b.d.k"), "1.0");
    assert_string_equal(binding(&m, "b.q"), "7.0");
    assert_string_equal(binding(&m, "e.c.k"), "2*e.q");
    assert_string_equal(start(&m, "b.c.x"), "2.0");
    assert_string_equal(start(&m, "e.c.x"), "4.0");
    close_model(&m);
}

static void modifications_of_component_arrays_are_distributed(void **state) {
    (void)state;
    Model m;
    open_model(
        &m,
        "model C parameter Real k = 1; parameter Real v[2] = {0, 0}; Real x(start = 0); equation "
        "der(x) = k; end C;\n"
        "model B parameter Real q = 1; C c[2](each k = q); end B;\n"
        "model A C c[3](k = {i^2 for i in 1:3}, each x(start = 5), v = {{1, 2}, {3, 4}, {5, 6}});\n"
        "  B b[2](q = {8, 9}); C d[2, 2](k = [1, 2; 3, 4]); end A;\n");
    assert_string_equal(binding(&m, "c[3].k"), "9.0");
    assert_string_equal(start(&m, "c[2].x"), "5.0");
    assert_string_equal(binding(&m, "c[2].v"), "{3, 4}");
    assert_string_equal(binding(&m, "b[2].q"), "9.0");
    assert_string_equal(binding(&m, "b[2].c[1].k"), "b[2].q");
    assert_string_equal(binding(&m, "d[2,1].k"), "3.0");
    close_model(&m);
}

static void redeclarations_replace_components_and_classes(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               "partial model Law Real u; Real y; end Law;\n"
               "model Linear extends Law; parameter Real k = 1; equation y = k * u; end Linear;\n"
               "model Square extends Law; equation y = u^2; end Square;\n"
               "model B replaceable Law law; replaceable model T = Linear(k = 3) constrainedby "
               "Law; T t; equation law.u = time; t.u = time; end B;\n"
               "model C extends B(redeclare Linear law(k = 2)); end C;\n"
               "model A C c; B b(redeclare Square law, redeclare model T = Square); end A;\n");
    assert_string_equal(binding(&m, "c.law.k"), "2.0");
    assert_string_equal(binding(&m, "c.t.k"), "3.0");
    ENSURE(has(&m, "b.law.y = b.law.u^2"));
    ENSURE(has(&m, "b.t.y = b.t.u^2"));
    ENSURE(!var(&m, "b.t.k"));
    close_model(&m);
}

static void outer_means_the_nearest_inner(void **state) {
    (void)state;
    Model m;
    open_model(&m, "model W parameter Real g = 1; end W;\n"
                   "model Leaf outer W world; Real x = world.g; end Leaf;\n"
                   "model Middle inner W world(g = 2); Leaf leaf; end Middle;\n"
                   "model A inner W world(g = 3); Leaf leaf; Middle middle; end A;\n");
    assert_string_equal(binding(&m, "leaf.x"), "world.g");
    assert_string_equal(binding(&m, "middle.leaf.x"), "middle.world.g");
    assert_string_equal(binding(&m, "middle.world.g"), "2.0");
    close_model(&m);
}

// The class that declares it looks outwards, its components and its modifiers make the inner side.
static void inner_outer_has_two_sides(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               "model W parameter Real g = 1; end W;\n"
               "model Leaf outer W world; Real x = world.g; end Leaf;\n"
               "model Middle inner outer W world(g = 2 * world.g); Leaf leaf; Real x = world.g; "
               "end Middle;\n"
               "model A inner W world(g = 3); Middle middle; Real x = middle.world.g; end A;\n");
    assert_string_equal(binding(&m, "middle.x"), "world.g");
    assert_string_equal(binding(&m, "middle.world.g"), "2*world.g");
    assert_string_equal(binding(&m, "middle.leaf.x"), "middle.world.g");
    assert_string_equal(binding(&m, "x"), "middle.world.g");
    close_model(&m);
}

// world.field(r): what a modification binds to an input are the parameters of this world.
static void a_function_over_a_component_sees_its_parameters(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               "function law input Real r; input Real mu; output Real y; algorithm y := mu / r;\n"
               "  annotation(Inline = true); end law;\n"
               "model W parameter Real mu = 1; function field = law(mu = mu); end W;\n"
               "model Leaf outer W world; Real x = world.field(time); end Leaf;\n"
               "model A inner W world(mu = 3); W other(mu = 5); Leaf leaf;\n"
               "  Real x = other.field(2 * time); end A;\n");
    assert_string_equal(binding(&m, "leaf.x"), "world.mu/time");
    assert_string_equal(binding(&m, "x"), "other.mu/(2*time)");
    close_model(&m);
}

// A function that its author wants inline is written out, also with arrays and records.
static void functions_with_arrays_are_written_out(void **state) {
    (void)state;
    Model m;
    open_model(
        &m, "record R Real T[2, 2]; Real w; end R;\n"
            "function turn input Real p, w; output R r; algorithm\n"
            "  r := R(T = [p, 0; 0, 1], w = w); annotation(Inline = true); end turn;\n"
            "function apply input R r; input Real v[2]; output Real u[2]; algorithm\n"
            "  u := r.T * v; annotation(Inline = true); end apply;\n"
            "model A R r; Real u[2]; equation r = turn(time, 2); u = apply(r, {1, 2}); end A;\n");
    ENSURE(has(&m, "r.w = 2.0"));
    ENSURE(has(&m, "u = r.T*{1, 2}"));
    ENSURE(m.flat->equations.count == 3);
    close_model(&m);
}

static void arrays_are_repeated_and_may_be_long(void **state) {
    (void)state;
    Model m;
    open_model(
        &m,
        "model A parameter Integer none = 0; Real v[2] = {time, 1}; Real f[3, 2] = fill(v, 3);\n"
        "  Real g[0, 2] = fill(v, none); Real h[3, 0] = fill(zeros(none), 3);\n"
        "  Real a[20] = array(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
        "20);\n"
        "end A;\n");
    assert_string_equal(binding(&m, "f"), "{v, v, v}");
    ENSURE(strstr(binding(&m, "a"), "19, 20}"));
    ENSURE(var(&m, "g")->dims[1] == 2 && var(&m, "h")->dims[0] == 3);
    close_model(&m);
}

static void conditions_and_sizes_follow_parameters(void **state) {
    (void)state;
    Model m;
    open_model(&m, "model C Real x = 1; end C;\n"
                   "function double input Integer n; output Integer m; algorithm m := 0; for i in "
                   "1:n loop m := m + 2; end for; end double;\n"
                   "model A parameter Integer n = 2; parameter Boolean use = n > 1; C c if use; C "
                   "d if not use;\n"
                   "  Real x[double(n)] = ones(double(n)); Real y[:] = {1, 2, 3}; Real z[size(y, "
                   "1)] = 2 * y; Real w = sum(x[2:end]);\n"
                   "equation if use then assert(n > 0, \"n\"); end if; end A;\n");
    ENSURE(var(&m, "c.x") && !var(&m, "d.x"));
    assert_int_equal(var(&m, "x")->dims[0], 4);
    assert_int_equal(var(&m, "y")->dims[0], 3);
    assert_int_equal(var(&m, "z")->dims[0], 3);
    ENSURE(var(&m, "n")->is_structural && var(&m, "use")->is_structural);
    close_model(&m);
}

// Flows into a component count positive at its inside connectors, negative at the connector of the
// class itself.
static void flows_sum_up_to_zero_over_hierarchy(void **state) {
    (void)state;
    Model m;
    open_model(
        &m,
        "connector Pin Real v; flow Real i; end Pin;\n"
        "model R Pin p; Pin n; equation p.v - n.v = p.i; p.i + n.i = 0; end R;\n"
        "model Two Pin p; Pin n; R a; R b; equation connect(p, a.p); connect(p, b.p); connect(a.n, "
        "n); connect(b.n, n); end Two;\n"
        "model G Pin p; equation p.v = 0; end G;\n"
        "model A Two two; G g; R r; equation connect(two.n, g.p); connect(two.p, r.p); end A;\n");
    ENSURE(has(&m, "two.a.p.i + two.b.p.i - two.p.i = 0.0"));
    ENSURE(has(&m, "two.n.i + g.p.i = 0.0"));
    ENSURE(has(&m, "two.p.i + r.p.i = 0.0"));
    ENSURE(has(&m, "r.n.i = 0.0")); // not connected
    ENSURE(has(&m, "two.p.v = two.a.p.v"));
    close_model(&m);
}

static void connectors_in_arrays_are_connected_one_by_one(void **state) {
    (void)state;
    Model m;
    open_model(&m, "connector In = input Real; connector Out = output Real;\n"
                   "block Gain In u; Out y = 2 * u; end Gain;\n"
                   "block Source Out y[3] = {1, 2, 3}; end Source;\n"
                   "block Mux In u[3]; Out y = sum(u); end Mux;\n"
                   "model A Source s; Gain g[3]; Mux m; Gain last;\n"
                   "equation connect(s.y, g.u); connect(g[2:3].y, m.u[2:3]); connect(g[1].y, "
                   "m.u[1]); connect(m.y, last.u); end A;\n");
    ENSURE(joined(&m, "s.y[2]", "g[2].u"));
    ENSURE(joined(&m, "g[2].y", "m.u[2]"));
    ENSURE(joined(&m, "g[3].y", "m.u[3]"));
    ENSURE(joined(&m, "m.u[1]", "g[1].y"));
    ENSURE(joined(&m, "m.y", "last.u"));
    close_model(&m);
}

static void events_keep_their_structure(void **state) {
    (void)state;
    Model m;
    open_model(&m, "model A Real h(start = 1, fixed = true); Real v; Boolean b(start = false); "
                   "discrete Real n(start = 0);\n"
                   "equation der(h) = v; der(v) = -9.81; b = h < 0;\n"
                   "when {b, sample(0, 1)} then reinit(v, -0.7 * pre(v)); n = pre(n) + 1; elsewhen "
                   "time > 3 then n = 0; terminate(\"end\"); end when; end A;\n");
    const RbEquation *when = NULL;
    for (int i = 0; i < m.flat->equations.count; i++) {
        if (m.flat->equations.data[i]->kind == RB_EQ_WHEN) when = m.flat->equations.data[i];
    }
    ENSURE(when && when->branches.count == 2);
    assert_string_equal(text_of(&m, when->branches.data[0].condition),
                        "b and not pre(b) or sample(0, 1)");
    assert_int_equal(when->branches.data[0].equations.data[0]->kind, RB_EQ_REINIT);
    assert_int_equal(when->branches.data[1].equations.data[1]->kind, RB_EQ_TERMINATE);
    ENSURE(var(&m, "n")->variability == RB_DISCRETE && var(&m, "b")->variability == RB_DISCRETE);
    ENSURE(var(&m, "h")->variability == RB_CONTINUOUS);
    close_model(&m);
}

static void records_and_enumerations_are_taken_apart(void **state) {
    (void)state;
    Model m;
    open_model(&m, "type Mode = enumeration(off \"none\", slow, fast);\n"
                   "record Point Real x = 0; Real y = 0; end Point;\n"
                   "function mirror input Point p; output Point q; algorithm q.x := p.y; q.y := "
                   "p.x; end mirror;\n"
                   "model A parameter Mode mode = Mode.fast; parameter Point a(x = 1, y = 2); "
                   "parameter Point b = a; Point c = mirror(b);\n"
                   "  Point d[2] = {Point(1, 2), Point(y = 4)}; Real s = if mode == Mode.fast then "
                   "2 else 1; parameter String name = String(mode); end A;\n");
    assert_int_equal(m.flat->enumerations.count, 1);
    assert_string_equal(m.flat->enumerations.data[0].literals[2], "fast");
    assert_string_equal(binding(&m, "b.y"), "a.y");
    assert_string_equal(binding(&m, "d[2].y"), "4.0");
    assert_string_equal(binding(&m, "d[2].x"), "0.0");
    const RbExpr *first = var(&m, "c.x")->binding, *second = var(&m, "c.y")->binding;
    ENSURE(first->op == RB_OP_CALL && second->op == RB_OP_RESULT &&
           second->args[0] == first); // one call
    assert_int_equal(m.flat->functions.data[0]->input_count, 2);
    close_model(&m);
}

static void attributes_reach_the_flat_model(void **state) {
    (void)state;
    Model m;
    open_model(
        &m, "type Angle = Real(unit = \"rad\", displayUnit = \"deg\");\n"
            "model A \"text\" parameter Real p(fixed = false, start = 2); Angle phi(start = 1, "
            "fixed = true, min = -3, nominal = 10, stateSelect = StateSelect.prefer) \"angle\";\n"
            "initial equation p = 2 * phi; equation der(phi) = p; annotation(experiment(StartTime "
            "= 1, StopTime = 3, Interval = 0.01, Tolerance = 1e-8)); end A;\n");
    const RbFlatVar *v = var(&m, "phi");
    assert_string_equal(v->attributes.unit, "rad");
    assert_string_equal(v->attributes.display_unit, "deg");
    assert_string_equal(v->description, "angle");
    assert_int_equal(v->attributes.state_select, RB_STATE_PREFER);
    assert_string_equal(text_of(&m, v->attributes.min), "-3.0");
    assert_string_equal(text_of(&m, v->attributes.fixed), "true");
    assert_int_equal(m.flat->initial_equations.count, 1);
    ENSURE_NEAR(m.flat->experiment.start_time, 1, 0);
    ENSURE_NEAR(m.flat->experiment.stop_time, 3, 0);
    ENSURE_NEAR(m.flat->experiment.interval, 0.01, 0);
    ENSURE_NEAR(m.flat->experiment.tolerance, 1e-8, 0);
    close_model(&m);
}

static void matrices_and_vectors_have_known_sizes(void **state) {
    (void)state;
    Model m;
    open_model(&m, "model A parameter Real a[2, 2] = [1, 2; 3, 4]; Real x[2](start = {1, 0}); Real "
                   "y[2]; Real s = x * x; Real t[2, 2] = transpose(a) * a;\n"
                   "  Real c[4] = cat(1, x, {5, 6}); Real d[3, 3] = diagonal({1, 2, 3}); Real e[3] "
                   "= cross({1, 0, 0}, {0, 1, 0}); Real f[2, 3] = [a, x];\n"
                   "  Real g[2] = a[:, 1]; Real h = max(x); Real i[3] = linspace(0, 1, 3); Real "
                   "k[2] = x ./ {1, 2} .^ 2;\n"
                   "equation der(x) = a * x; y = x + {1, 1}; end A;\n");
    assert_int_equal(m.flat->equations.count, 2); // arrays stay whole
    ENSURE(has(&m, "der(x) = a*x"));
    assert_string_equal(binding(&m, "f"), "{{a[1, 1], a[1, 2], x[1]}, {a[2, 1], a[2, 2], x[2]}}");
    close_model(&m);
}

// Megabytes to flatten a chain of cells as in the benchmark.
static double flatten_chain(int cells) {
    Model m;
    fixture_open(&m.f);
    RbText text = rb_text(&m.f.arena);
    rb_text_printf(&text,
                   "connector Flange Real phi; flow Real tau; end Flange;\n"
                   "partial model Two Flange a; Flange b; end Two;\n"
                   "model Inertia extends Two; parameter Real J(min = 0) = 1; Real phi(start = 0); "
                   "Real w; equation phi = a.phi; phi = b.phi; w = der(phi); J * der(w) = a.tau + "
                   "b.tau; end Inertia;\n"
                   "partial model Compliant extends Two; Real phi_rel; Real tau; equation phi_rel "
                   "= b.phi - a.phi; b.tau = tau; a.tau = -tau; end Compliant;\n"
                   "model Spring extends Compliant; parameter Real c = 1; equation tau = c * "
                   "phi_rel; end Spring;\n"
                   "model Damper extends Compliant; parameter Real d = 1; equation tau = d * "
                   "der(phi_rel); end Damper;\n"
                   "model Cell extends Two; Inertia i(J = 2); Spring s(c = 3); Damper d(d = 4);\n"
                   "equation connect(a, i.a); connect(i.b, s.a); connect(i.b, d.a); connect(s.b, "
                   "b); connect(d.b, b); end Cell;\n"
                   "model Chain Cell cell[%d]; equation for k in 1:%d loop connect(cell[k].b, "
                   "cell[k + 1].a); end for; end Chain;\n",
                   cells, cells - 1);
    RbNames names = rb_names(&m.f.arena);
    RbLibrary *library = rb_library(&names, &m.f.arena, &m.f.scratch, &m.f.diag);
    ENSURE(rb_library_add_text(library, "chain.mo", text.data, (size_t)text.count, NULL) == RB_OK);
    ENSURE(rb_flatten(library, "Chain", (RbFlattenOptions){0}, &m.flat) == RB_OK);
    double megabytes = (double)m.f.heap.peak / 1e6;
    fixture_close(&m.f);
    return megabytes;
}

static void a_long_chain_is_flattened_in_linear_memory(void **state) {
    (void)state;
    double small = flatten_chain(250), large = flatten_chain(2500);
    print_message("250 cells: %.1f MB; 2500 cells: %.1f MB\n", small, large);
    ENSURE(large < 300 && large < 13 * small); // arrays double, so up to twice is left over
}

static void several_classes_share_one_library(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNames names = rb_names(&f.arena);
    RbLibrary *library = rb_library(&names, &f.arena, &f.scratch, &f.diag);
    const char *text = "model A Real x = 1; end A; model B A a; end B;", *last;
    ENSURE(rb_library_add_text(library, "two.mo", text, strlen(text), &last) == RB_OK);
    assert_string_equal(last, "B");
    RbFlatModel *flat;
    ENSURE(rb_flatten(library, "A", (RbFlattenOptions){0}, &flat) == RB_OK);
    ENSURE(rb_flatten(library, "B", (RbFlattenOptions){0}, &flat) == RB_OK);
    ENSURE(rb_flatten(library, "C", (RbFlattenOptions){0}, &flat) == RB_ERROR_MODEL && !flat);
    fixture_close(&f);
}

static RbStatus flatten_something(Fixture *f, void *argument) {
    (void)argument;
    RbNames names = rb_names(&f->arena);
    RbLibrary *library = rb_library(&names, &f->arena, &f->scratch, &f->diag);
    rb_library_add_path(library, RB_SOURCE_DIR "/library");
    RbFlatModel *flat;
    return rb_flatten(library, "Rattleback.Examples.Motor", (RbFlattenOptions){0}, &flat);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fixture_survives(flatten_something, NULL, 6);
}

// A record that is redeclared keeps its value if that has all fields of the new class; constants of
// a record are those of the class.
static void redeclared_records_keep_their_value(void **state) {
    (void)state;
    Model m;
    open_model(
        &m,
        "record Cell constant String kind = \"cell\"; parameter Real q; end Cell;\n"
        "record Big extends Cell(final kind = \"big\"); parameter Real c = 7; end Big;\n"
        "record Stack parameter Integer n; replaceable parameter Cell one;\n"
        "  replaceable parameter Cell all[n] = {one for i in 1:n}; end Stack;\n"
        "model A\n"
        "  record S = Stack(redeclare Cell one, redeclare Cell all);\n"
        "  record T = Stack(redeclare Big all);\n"
        "  parameter S s(n = 2, one(q = 3)); parameter T t(n = 1, one(q = 4), all(each q = 5));\n"
        "end A;\n");
    assert_string_equal(binding(&m, "s.all[2].q"), "s.one.q");
    assert_string_equal(binding(&m, "s.all[2].kind"), "\"cell\"");
    assert_string_equal(binding(&m, "t.all[1].q"), "5.0");
    assert_string_equal(binding(&m, "t.all[1].c"), "7.0");
    close_model(&m);
}

// A record in a function has the values that its class gives to its fields; sizes follow.
static void records_in_functions_have_their_defaults(void **state) {
    (void)state;
    Model m;
    open_model(&m, "record Table Integer n = 2; Real a[n] = {3, 4}; Real b = a[2] + 1; end Table;\n"
                   "function f input Real u; output Real y; protected Table t(b = 7), s;\n"
                   "  algorithm y := u*t.a[2] + t.b + s.b; end f;\n"
                   "model A constant Real y = f(10); end A;\n");
    assert_string_equal(binding(&m, "y"), "52.0"); // 10*4 + 7 + (4 + 1)
    close_model(&m);
}

static void inputs_may_be_square(void **state) {
    (void)state;
    Model m;
    open_model(&m, "function trace input Real A[:, size(A, 1)]; output Real t = 0;\n"
                   "  algorithm for i in 1:size(A, 1) loop t := t + A[i, i]; end for; end trace;\n"
                   "model A constant Real t = trace([1, 2; 3, 4]); end A;\n");
    assert_string_equal(binding(&m, "t"), "5.0");
    close_model(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_where_the_specification_says),
        cmocka_unit_test(inherited_text_keeps_its_scope),
        cmocka_unit_test(the_outermost_modification_wins),
        cmocka_unit_test(modifications_of_component_arrays_are_distributed),
        cmocka_unit_test(redeclarations_replace_components_and_classes),
        cmocka_unit_test(outer_means_the_nearest_inner),
        cmocka_unit_test(inner_outer_has_two_sides),
        cmocka_unit_test(a_function_over_a_component_sees_its_parameters),
        cmocka_unit_test(functions_with_arrays_are_written_out),
        cmocka_unit_test(arrays_are_repeated_and_may_be_long),
        cmocka_unit_test(conditions_and_sizes_follow_parameters),
        cmocka_unit_test(flows_sum_up_to_zero_over_hierarchy),
        cmocka_unit_test(connectors_in_arrays_are_connected_one_by_one),
        cmocka_unit_test(events_keep_their_structure),
        cmocka_unit_test(records_and_enumerations_are_taken_apart),
        cmocka_unit_test(attributes_reach_the_flat_model),
        cmocka_unit_test(matrices_and_vectors_have_known_sizes),
        cmocka_unit_test(a_long_chain_is_flattened_in_linear_memory),
        cmocka_unit_test(several_classes_share_one_library),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(redeclared_records_keep_their_value),
        cmocka_unit_test(records_in_functions_have_their_defaults),
        cmocka_unit_test(inputs_may_be_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
