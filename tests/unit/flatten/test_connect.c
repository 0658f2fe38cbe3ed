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

// --- expandable connectors -----------------------------------------------------------------------

#define BUS                                                                                        \
    "connector In = input Real; connector Out = output Real;\n"                                    \
    "connector Pin Real v; flow Real i; end Pin; expandable connector Bus end Bus;\n"              \
    "block Source parameter Real k = 1; Out y(unit = \"m\"); equation y = k; end Source;\n"        \
    "block Sink In u; Real z = 2*u; end Sink;\n"

// Sensor and actuator meet over three buses, each with the signal that only two of them name.
static void buses_have_the_members_of_all_they_are_connected_to(void **state) {
    (void)state;
    Model m;
    open_model(&m, BUS
               "model Sensor Bus bus; Source s; equation connect(bus.speed, s.y); end Sensor;\n"
               "model Actuator Bus bus; Sink s; equation connect(s.u, bus.speed); end Actuator;\n"
               "model A Sensor s; Actuator a; Bus bus;\n"
               "equation connect(bus, s.bus); connect(a.bus, bus); end A;\n");
    ENSURE(var(&m, "bus.speed") && var(&m, "s.bus.speed") && var(&m, "a.bus.speed"));
    ENSURE(joined(&m, "s.bus.speed", "s.s.y") && joined(&m, "s.bus.speed", "a.s.u"));
    ENSURE(var(&m, "bus.speed")->causality == RB_LOCAL);
    assert_string_equal(var(&m, "s.bus.speed")->attributes.unit, "m");
    close_model(&m);
}

// 5 V over two loads in parallel: the currents of a pin on a bus add up over the buses.
static void pins_on_a_bus_carry_currents(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               BUS "model V parameter Real v = 0; Pin p; equation p.v = v; end V;\n"
                   "model R Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end R;\n"
                   "model Power Bus bus; V v(v = 5), g; equation connect(v.p, bus.plus);\n"
                   "  connect(g.p, bus.minus); end Power;\n"
                   "model Load Bus bus; R r; equation connect(r.p, bus.plus);\n"
                   "  connect(r.n, bus.minus); end Load;\n"
                   "model Rail Bus bus; Power power; Load a, b; equation connect(bus, power.bus);\n"
                   "  connect(bus, a.bus); connect(bus, b.bus); end Rail;\n"
                   "model A Rail rail; end A;\n");
    ENSURE(has(&m, "rail.power.bus.plus.i + rail.a.bus.plus.i + "
                   "(rail.b.bus.plus.i - rail.bus.plus.i) = 0.0"));
    ENSURE(has(&m, "rail.a.r.p.i - rail.a.bus.plus.i = 0.0"));
    ENSURE(has(&m, "rail.bus.plus.i = 0.0")); // nothing outside
    close_model(&m);
}

// What is declared and not used does not exist; a size that follows from a parameter holds.
static void declared_members_exist_if_they_are_connected(void **state) {
    (void)state;
    Model m;
    open_model(
        &m, BUS
        "expandable connector Known parameter Integer n = 1; Real x; Real unused; Pin p;\n"
        "  Real open[:]; Real v[n]; end Known;\n"
        "model A Known bus(n = 3); Source s[3](k = {1, 2, 3}), t; Real y = bus.x;\n"
        "equation connect(s.y, bus.v); connect(t.y, bus.x); connect(t.y, bus.open[2]); end A;\n");
    ENSURE(!var(&m, "bus.unused") && !var(&m, "bus.p.v") && !var(&m, "bus.open[1]"));
    ENSURE(var(&m, "bus.open[2]") && var(&m, "bus.v")->dims[0] == 3);
    ENSURE(joined(&m, "s[3].y", "bus.v[3]") && joined(&m, "t.y", "bus.open[2]"));
    assert_string_equal(binding(&m, "y"), "bus.x");
    close_model(&m);
}

static void arrays_on_a_bus_grow_with_their_subscripts(void **state) {
    (void)state;
    Model m;
    open_model(
        &m, BUS
        "model Part Bus bus; Sink s, t; equation connect(bus.x[2, 1], s.u);\n"
        "  connect(bus.all[3], t.u); end Part;\n"
        "model A parameter Integer k = 2; Bus bus; Source a, b, c[3]; Part part; Sink d[2];\n"
        "equation connect(bus.x[1, 3], a.y); connect(b.y, bus.x[k, 1]); connect(bus, part.bus);\n"
        "  connect(c.y, bus.all); connect(bus.all[{1, 3}], d.u); end A;\n");
    ENSURE(var(&m, "bus.x[1,3]") && var(&m, "part.bus.x[1,3]") && !var(&m, "bus.x[2,2]"));
    ENSURE(joined(&m, "bus.x[2,1]", "b.y") || joined(&m, "part.bus.x[2,1]", "b.y"));
    ENSURE(var(&m, "part.bus.all[1]")); // all of it, though only one is read there
    ENSURE(var(&m, "k")->is_structural);
    close_model(&m);
}

// A bus within a bus: one per cylinder, named by connections only.
static void buses_may_hold_buses(void **state) {
    (void)state;
    Model m;
    open_model(&m, BUS
               "model Cylinder Bus bus; Sink s; equation connect(bus.spark, s.u); end Cylinder;\n"
               "model Engine Bus bus; Cylinder c[2]; equation\n"
               "  for i in 1:2 loop connect(c[i].bus, bus.cylinder[i]); end for; end Engine;\n"
               "model Control Bus bus; Source s[2]; equation\n"
               "  for i in 1:2 loop connect(bus.cylinder[i], sub[i]);\n"
               "    connect(sub[i].spark, s[i].y); end for;\n"
               "  protected Bus sub[2]; end Control;\n"
               "model A Engine e; Control c; equation connect(e.bus, c.bus); end A;\n");
    ENSURE(var(&m, "e.bus.cylinder[2].spark") && var(&m, "c.bus.cylinder[2].spark"));
    close_model(&m);
}

static void an_outer_bus_is_the_inner_one(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               BUS "model Give outer Bus bus; Source s; equation connect(s.y, bus.x); end Give;\n"
                   "model Take outer Bus bus; Sink s; equation connect(bus.x, s.u); end Take;\n"
                   "model A inner Bus bus; Give g; Take t; end A;\n");
    ENSURE(var(&m, "bus.x") && !var(&m, "g.bus.x"));
    ENSURE(joined(&m, "g.s.y", "bus.x") && joined(&m, "g.s.y", "t.s.u"));
    close_model(&m);
}

// Elements that no connection names are there, since the array is, and are zero.
static void unused_elements_of_declared_arrays_are_zero(void **state) {
    (void)state;
    Model m;
    open_model(&m, BUS "expandable connector Known Real v[3]; end Known;\n"
                       "model A Known bus; Source s; equation connect(s.y, bus.v[2]); end A;\n");
    ENSURE(has(&m, "bus.v[1] = 0.0") && has(&m, "bus.v[3] = 0.0") && !has(&m, "bus.v[2] = 0.0"));
    close_model(&m);
}

// --- stream variables ----------------------------------------------------------------------------

#define STREAM                                                                                     \
    "connector Port Real p; flow Real m; stream Real h; stream Real x[2]; end Port;\n"             \
    "model Box parameter Real low = -1; Port port(m(min = low)); Real in_h = inStream(port.h);\n"  \
    "  Real in_x[2] = inStream(port.x); equation port.p = 0; port.h = 1; port.x = {2, 3}; end "    \
    "Box;\n"

// A closed connector gives back what it has; of two, each sees the other.
static void one_or_two_connectors_do_not_mix(void **state) {
    (void)state;
    Model m;
    open_model(&m,
               STREAM "model A Box alone; Box a, b; equation connect(a.port, b.port); end A;\n");
    ENSURE(has(&m, "inStream(alone.port.h) = alone.port.h"));
    ENSURE(has(&m, "inStream(a.port.h) = b.port.h"));
    ENSURE(has(&m, "inStream(b.port.x)[2] = a.port.x[2]"));
    assert_string_equal(binding(&m, "b.in_x"), "inStream(b.port.x)");
    close_model(&m);
}

// Of three connectors only one delivers, because the flow of the other cannot leave it: no mixing.
static void limits_of_the_flow_are_used(void **state) {
    (void)state;
    Model m;
    open_model(&m, STREAM "model A Box a, b, c(low = 0); equation connect(a.port, b.port);\n"
                          "  connect(b.port, c.port); end A;\n");
    ENSURE(has(&m, "inStream(a.port.h) = b.port.h"));
    ENSURE(has(&m, "inStream(b.port.h) = a.port.h"));
    ENSURE(!has(&m, "inStream(c.port.h) = a.port.h"));
    close_model(&m);
}

// What comes out of a model is what its parts deliver; what enters a part is what enters the model.
static void a_port_hands_streams_through(void **state) {
    (void)state;
    Model m;
    open_model(&m, STREAM
               "model Shell Port port; Box box; equation connect(port, box.port); end Shell;\n"
               "model A Shell s; Box b; equation connect(s.port, b.port); end A;\n");
    ENSURE(has(&m, "s.port.h = s.box.port.h"));
    ENSURE(has(&m, "inStream(s.box.port.h) = inStream(s.port.h)"));
    ENSURE(has(&m, "inStream(s.port.h) = b.port.h"));
    ENSURE(has(&m, "inStream(b.port.h) = s.port.h"));
    close_model(&m);
}

// Multiplied by its flow the actual value is continuous: no event. Alone it jumps.
static void the_actual_stream_needs_an_event_only_by_itself(void **state) {
    (void)state;
    Model m;
    open_model(&m, STREAM
               "model Look Port port; Real h = actualStream(port.h);\n"
               "  Real H = actualStream(port.h)*port.m; Real X[2] = port.m*actualStream(port.x);\n"
               "  equation port.p = 1; port.h = 0; port.x = {0, 0}; end Look;\n"
               "model A Look l; Box b; equation connect(l.port, b.port); end A;\n");
    assert_string_equal(binding(&m, "l.h"),
                        "if l.port.m > 0.0 then inStream(l.port.h) else l.port.h");
    assert_string_equal(
        binding(&m, "l.H"),
        "noEvent(if l.port.m > 0.0 then inStream(l.port.h) else l.port.h)*l.port.m");
    ENSURE(strstr(binding(&m, "l.X"), "noEvent"));
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
        cmocka_unit_test(buses_have_the_members_of_all_they_are_connected_to),
        cmocka_unit_test(pins_on_a_bus_carry_currents),
        cmocka_unit_test(declared_members_exist_if_they_are_connected),
        cmocka_unit_test(arrays_on_a_bus_grow_with_their_subscripts),
        cmocka_unit_test(buses_may_hold_buses),
        cmocka_unit_test(an_outer_bus_is_the_inner_one),
        cmocka_unit_test(unused_elements_of_declared_arrays_are_zero),
        cmocka_unit_test(one_or_two_connectors_do_not_mix),
        cmocka_unit_test(limits_of_the_flow_are_used),
        cmocka_unit_test(a_port_hands_streams_through),
        cmocka_unit_test(the_actual_stream_needs_an_event_only_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
