// SPDX-License-Identifier: MIT
// Super-objects: grouping, order, masses, collision pairs, and messages about what cannot be built.
#include "trees.h"

#include "rigid/superobject.h"

static RbStatus build_structure(const RbObject *o, int n, const RbObjectJoint *j, int m,
                                RbArena *keep, RbArena scratch, RbDiag *diag, RbStructure *out) {
    RbArrangement r = rb_arrangement(o, n, j, m, keep);
    return rb_structure_build(&r, keep, scratch, diag, out);
}

static RbObjectJoint hinge(const char *name, int a, int b) {
    return (RbObjectJoint){.name = name,
                           .kind = RB_JOINT_REVOLUTE,
                           .a = a,
                           .b = b,
                           .n = {0, 0, 2},
                           .pose = POSE_IDENTITY};
}

static RbObject solid(const char *name, int parent, double mass) {
    RbObject o = rb_object(name, parent);
    o.feature = RB_FEATURE_SOLID;
    o.has_mass = true;
    o.mass.mass = mass;
    o.mass.I_CM = m3_diagonal(v3(0.1, 0.2, 0.25));
    o.collidable = true;
    return o;
}

// The example of Fig. 5.1 of the thesis: A1 and A2 are one piece, B hangs on A by a hinge, C on B
// by a hinge.
static void pairs_follow_the_two_rules(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObject o[] = {rb_object("world", -1), solid("A1", 0, 1), solid("A2", 1, 1), solid("B", -1, 1),
                    solid("C", -1, 1)};
    o[1].moves_freely = true;
    RbObjectJoint j[] = {hinge("AB", 2, 3), hinge("BC", 3, 4)};
    RbStructure s;
    ENSURE(build_structure(o, 5, j, 2, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    ENSURE(s.count == 4);
    for (int a = 1; a < 5; a++) {
        for (int b = a + 1; b < 5; b++) // only A and C have no joint between them
            ENSURE(rb_structure_may_collide(&s, a, b) == (a <= 2 && b == 4));
    }

    j[0].can_collide = true; // now A and B may touch as well
    ENSURE(build_structure(o, 5, j, 2, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    ENSURE(rb_structure_may_collide(&s, 1, 3) && rb_structure_may_collide(&s, 2, 3) &&
           rb_structure_may_collide(&s, 1, 4) && !rb_structure_may_collide(&s, 3, 4) &&
           !rb_structure_may_collide(&s, 1, 2));
    fixture_close(&f);
}

// Parents before children, subtrees in one piece, in order of definition; a joint that is drawn
// towards the world is turned round.
static void depth_first_order(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObject o[] = {rb_object("world", -1), solid("a", -1, 1), solid("b", -1, 1),
                    solid("a1", 1, 1),      solid("c", -1, 1), solid("a2", 3, 1)};
    RbObjectJoint j[] = {hinge("to_b", 0, 2), hinge("to_a", 3, 0), hinge("to_c", 5, 4)};
    RbStructure s;
    ENSURE(build_structure(o, 6, j, 3, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    ENSURE(s.count == 4);
    const char *want[] = {"world", "b", "a1",
                          "c"}; // a1 is where the hinge holds the group a, a1, a2
    for (int i = 0; i < 4; i++) assert_string_equal(s.tree.bodies.data[i].name, want[i]);
    ENSURE(s.tree.bodies.data[2].end == 4 && s.tree.bodies.data[3].parent == 2);
    ENSURE_NEAR(rb_tree_joint(&s.tree, 2)->n.z, -1, 0);
    ENSURE_NEAR(rb_tree_joint(&s.tree, 1)->n.z, 1, 0);
    int order[] = {0, 2, 3, 1, 5, 4};
    for (int i = 0; i < 6; i++) ENSURE(s.order[i] == order[i]);
    ENSURE_NEAR(s.tree.bodies.data[2].inertia.m, 3, 0);
    fixture_close(&f);
}

// Two equal boxes, one turned by 90 degrees about x: moments about the root by hand.
static void masses_are_turned_and_summed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObject o[] = {rb_object("world", -1), solid("a", 0, 2), solid("b", 1, 3)};
    o[1].moves_freely = true;
    o[2].pose = pose(v3(1, 0, 0), q_rotation(v3(1, 0, 0), asin(1.0)));
    RbStructure s;
    ENSURE(build_structure(o, 3, NULL, 0, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    RigidInertia I = s.tree.bodies.data[1].inertia;
    ENSURE_NEAR(I.m, 5, 0);
    ensure_vec_near(I.h, v3(3, 0, 0), 1e-15);
    ENSURE_NEAR(I.I.xx, 0.1 + 0.1, 1e-15);
    ENSURE_NEAR(I.I.yy, 0.2 + 0.25 + 3, 1e-15); // y and z of b have changed places; 3 kg at 1 m
    ENSURE_NEAR(I.I.zz, 0.25 + 0.2 + 3, 1e-15);
    ENSURE_NEAR(I.I.xy, 0, 1e-15);
    fixture_close(&f);
}

// However a rigid group hangs together and wherever its root is, the body in the world is the same.
static void grouping_does_not_depend_on_the_root(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    for (int t = 0; t < 50; t++) {
        Fixture f;
        fixture_open(&f);
        RbObject o[5] = {rb_object("world", -1)};
        for (int i = 1; i < 5; i++) {
            o[i] = solid("part", i == 1 ? -1 : 1 + rb_rng_int(&rng, i - 1), 1 + i);
            Vec3 r = random_vec(&rng);
            o[i].pose = pose(r, rb_rng_orientation(&rng));
            o[i].mass.r_CM = random_vec(&rng);
        }
        RigidInertia in_world[2];
        Pose X_part = POSE_IDENTITY; // of part 4 in the world in the first run
        for (int run = 0; run < 2; run++) {
            RbObjectJoint j = {.name = "free", .kind = RB_JOINT_FREE, .a = 0, .b = run ? 4 : 1};
            RbStructure s;
            if (run) {
                v3_store(j.q, X_part.r);
                q_store(j.q + 3, q_from_matrix(X_part.R));
            }
            ENSURE(build_structure(o, 5, &j, 1, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
            RbKin kin = rb_kin(&s.tree, &f.arena);
            rb_kin_positions(&s.tree, s.q, &kin);
            X_part = rb_frame_pose(&kin, s.frame[4]);
            in_world[run] = ri_shift(kin.bodies[1].I, kin.bodies[1].X.r);
        }
        ENSURE_NEAR(in_world[0].m, in_world[1].m, 1e-14);
        ensure_vec_near(in_world[0].h, in_world[1].h, 1e-12);
        ENSURE_NEAR(in_world[0].I.xx, in_world[1].I.xx, 1e-11);
        ENSURE_NEAR(in_world[0].I.yz, in_world[1].I.yz, 1e-11);
        fixture_close(&f);
    }
}

// An assembly that is attached stays a body of its own, but does not collide with its carrier while
// it is rigidly attached.
static void attached_assembly_is_its_own_body(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObject o[] = {rb_object("world", -1), solid("carrier", 0, 1), solid("load", 1, 1),
                    solid("ball", 0, 1)};
    o[1].moves_freely = o[3].moves_freely = true;
    o[2].assembly_root = true;
    o[2].pose.r = v3(0, 0, 1);
    RbStructure s;
    ENSURE(build_structure(o, 4, NULL, 0, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    ENSURE(s.count == 4 && s.tree.nv == 12);
    ENSURE(!rb_structure_may_collide(&s, 1, 2) && rb_structure_may_collide(&s, 2, 3));
    RbKin kin = rb_kin(&s.tree, &f.arena);
    rb_kin_positions(&s.tree, s.q, &kin);
    ensure_vec_near(rb_frame_pose(&kin, s.frame[2]).r, v3(0, 0, 1), 1e-15);
    fixture_close(&f);
}

// ---- messages

static void expect(RbObject *o, int n, RbObjectJoint *j, int m, const char *want) {
    Fixture f;
    fixture_open(&f);
    RbStructure s;
    RbStatus status = build_structure(o, n, j, m, &f.arena, f.scratch, &f.diag, &s);
    ENSURE(status == RB_ERROR_MODEL || status == RB_ERROR_INIT);
    assert_string_equal(f.diag.messages.data[0].text, want);
    fixture_close(&f);
}

static void bad_masses_are_named(void **state) {
    (void)state;
    RbObject o[] = {rb_object("world", -1), solid("ball", 0, 0)};
    expect(o, 2, NULL, 0, "mass of 'ball' is 0 kg; it must be positive");
    o[1].mass.mass = -2;
    expect(o, 2, NULL, 0, "mass of 'ball' is -2 kg; it must be positive");
    o[1].mass.mass = (double)NAN;
    expect(o, 2, NULL, 0, "mass of 'ball' is nan kg; it must be positive");
    o[1].mass.mass = 1;
    o[1].mass.I_CM = (Mat3){{1, 2, 0}, {2, 1, 0}, {0, 0, 1}};
    expect(o, 2, NULL, 0,
           "inertia tensor of 'ball' is not positive definite: its principal moments are -1, 1 and "
           "3 kg m2");
    o[1].mass.I_CM.x.x = (double)INFINITY;
    expect(o, 2, NULL, 0, "inertia tensor of 'ball' has entries that are not finite");
    o[1] = solid("ball", 0, 1);
    o[1].velocity.y = (double)NAN;
    expect(o, 2, NULL, 0, "velocity of 'ball' is (0, nan, 0) m/s; it must be finite");
}

static void loops_are_cut(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObject o[] = {rb_object("world", -1), solid("crank", -1, 1), solid("rod", -1, 1),
                    solid("tip", 2, 1), solid("slider", -1, 1)};
    RbObjectJoint j[] = {hinge("j1", 0, 1), hinge("j2", 1, 2), hinge("j3", 3, 4),
                         hinge("j4", 4, 0)};
    RbStructure s;
    // The last one is left over, unless another one is wanted less.
    ENSURE(build_structure(o, 5, j, 4, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    ENSURE(s.loops.count == 1 && s.loops.cuts[0].joint == 3 && s.tree.bodies.count == 4);
    for (int k = 0; k < 4; k++) j[k].keep = k != 1;
    ENSURE(build_structure(o, 5, j, 4, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    ENSURE(s.loops.count == 1 && s.loops.cuts[0].joint == 1 && s.tree.bodies.count == 4);
    ENSURE(s.part[1] == s.part[2] && s.part[2] == s.part[3]); // two branches, one part
    // All are wanted: a body is split, and its mass with it.
    j[1].keep = true;
    ENSURE(build_structure(o, 5, j, 4, &f.arena, f.scratch, &f.diag, &s) == RB_OK);
    ENSURE(s.loops.count == 1 && s.loops.cuts[0].joint == -1 && s.tree.bodies.count == 5);
    double mass = 0;
    for (int k = 1; k < 5; k++) mass += s.tree.bodies.data[k].inertia.m;
    ENSURE_NEAR(mass, 4, 1e-15);
    fixture_close(&f);
}

static void rigid_loops_are_named(void **state) {
    (void)state;
    RbObject r[] = {rb_object("world", -1), rb_object("a", 2), rb_object("b", 3),
                    rb_object("c", 1)};
    RbObjectJoint k[] = {hinge("j", 0, 1)};
    expect(r, 4, k, 1,
           "'c' connects 'a' and 'c', which are rigidly connected without it: remove one of these "
           "connections");
    RbObject o[] = {rb_object("world", -1), rb_object("a", -1), rb_object("b", 1)};
    RbObjectJoint j[] = {hinge("j", 0, 1), hinge("k", 1, 2)};
    expect(o, 3, j, 2,
           "'k' connects 'a' and 'b', which are rigidly connected without it: remove one of these "
           "connections");
}

static void bad_connections_are_named(void **state) {
    (void)state;
    RbObject o[] = {rb_object("world", -1), solid("a", -1, 1), solid("b", -1, 1)};
    expect(o, 2, NULL, 0, "object 'a' is not connected with 'world'; give it a parent or a joint");
    RbObjectJoint j[] = {hinge("j", 0, 1), hinge("k", 0, 2)};
    j[1].n = V3_ZERO;
    expect(o, 3, j, 2, "axis of joint 'k' is (0, 0, 0); it must have a direction");
    j[1] = (RbObjectJoint){
        .name = "k", .kind = RB_JOINT_UNIVERSAL, .a = 0, .b = 2, .n = {0, 0, 1}, .n2 = {0, 0, -3}};
    expect(o, 3, j, 2,
           "the two axes of the universal joint 'k' have the same direction; give a second axis "
           "across the first");
    j[1] = hinge("k", 0, 2);
    j[1].q[0] = (double)NAN;
    expect(o, 3, j, 2, "start value of coordinate 1 of joint 'k' is nan; it must be finite");
    j[1] = hinge("k", 2, 2);
    expect(o, 3, j, 2, "joint 'k' connects 'b' with itself");
    j[1].kind = RB_JOINT_FIXED; // a part that joins two frames, and no joint to the user
    expect(o, 3, j, 2, "'k' connects 'b' with itself");
    j[1] = hinge("k", 0, 7);
    expect(o, 3, j, 2, "joint 'k' needs two objects");
}

static RbStatus build_hundred(Fixture *f, void *argument) {
    (void)argument;
    enum { N = 101 };
    static RbObject o[N];
    static RbObjectJoint j[N];
    o[0] = rb_object("world", -1);
    int joints = 0;
    for (int i = 1; i < N; i++) {
        o[i] = solid("part", i % 5 ? i - 1 : -1, 1);
        if (i % 5 == 0) j[joints++] = hinge("joint", i - 1, i);
    }
    o[1].parent = 0;
    RbStructure s;
    return build_structure(o, N, j, joints, &f->arena, f->scratch, &f->diag, &s);
}

static void running_out_of_memory_leaks_nothing(void **state) {
    (void)state;
    fixture_survives(build_hundred, NULL, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_follow_the_two_rules),
        cmocka_unit_test(depth_first_order),
        cmocka_unit_test(masses_are_turned_and_summed),
        cmocka_unit_test(grouping_does_not_depend_on_the_root),
        cmocka_unit_test(attached_assembly_is_its_own_body),
        cmocka_unit_test(bad_masses_are_named),
        cmocka_unit_test(loops_are_cut),
        cmocka_unit_test(rigid_loops_are_named),
        cmocka_unit_test(bad_connections_are_named),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
