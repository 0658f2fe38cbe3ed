// SPDX-License-Identifier: MIT
// The classes that make up a multibody system: their frames, values and variables. Names are those
// of library/Rattleback.
#include <stddef.h>

#include "members/members.h"

#define NUMBER(name)                                                                               \
    { name, RB_VALUE_NUMBER, 1 }
#define VECTOR(name)                                                                               \
    { name, RB_VALUE_NUMBER, 3 }
// Of the start of a run alone.
#define AT_START(name, count)                                                                      \
    { name, RB_VALUE_NUMBER, count, NULL, true }
#define START_UNLESS_FIXED(name)                                                                   \
    { name, RB_VALUE_NUMBER, 3, NULL, true, "fixed" }
#define START(name) AT_START(name ".start", 1), NUMBER(name ".fixed")
#define NUMBERS(name, count)                                                                       \
    { name, RB_VALUE_NUMBER, count }
#define TEXT(name)                                                                                 \
    { name, RB_VALUE_TEXT, 1 }
#define STRUCTURE(name)                                                                            \
    { name, RB_VALUE_STRUCTURE, 1 }
#define FUNCTION(name, count, argument)                                                            \
    { name, RB_VALUE_FUNCTION, count, argument }
#define LIST(...)                                                                                  \
    (const char *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                          \
    }
#define VALUES(...)                                                                                \
    (const RbValueSpec[]) {                                                                        \
        __VA_ARGS__, {                                                                             \
            NULL, RB_VALUE_NUMBER, 0                                                               \
        }                                                                                          \
    }

#define FORM                                                                                       \
    NUMBER("shape.kind"), NUMBER("shape.axis"), NUMBERS("shape.size", 4),                          \
        NUMBER("shape.smoothing"), NUMBER("shape.contactRadius"), VECTOR("r_shape"),               \
        VECTOR("angles_shape"), TEXT("fileName"), VECTOR("scale"), NUMBER("convexParts"),          \
        TEXT("text"), TEXT("mesh.recipe"), TEXT("recipes"), VECTOR("color"), NUMBER("transparency")
#define SHAPE FORM, TEXT("material"), TEXT("contactMaterial"), NUMBER("mass"), NUMBER("collidable")
#define JOINT_FORCE(rest, rest_speed, lower, upper, constant)                                      \
    NUMBER("c"), NUMBER(rest), NUMBER("d"), NUMBER(rest_speed), NUMBER(lower), NUMBER(upper),      \
        NUMBER("c_stop"), NUMBER("d_stop"), NUMBER(constant)

#define SCALARS(name)       name "1", name "2", name "3"
#define SCALAR_STARTS(name) START(name "1"), START(name "2"), START(name "3")

static const char *const two_frames[] = {"frame_a", "frame_b", NULL};
static const char *const no_frames[] = {NULL};

// ORDER MemberRole
const RbRoleSpec rb_multibody_roles[] = {
    {"world", LIST("frame_b"),
     VALUES(NUMBER("gravityType"), VECTOR("gravity"), NUMBER("mu"), NUMBER("contact"),
            NUMBER("elasticContactReductionFactor"), NUMBER("contactDamping"),
            AT_START("steadyStart", 1), NUMBER("showContacts"), NUMBER("maximumContactDamping"), NUMBER("publishedLaws"),
            NUMBER("particles"), NUMBER("particleInterval"), TEXT("particleResults"),
            TEXT("materials"), FUNCTION("field", 3, "at")),
     NULL},
    {"solid", two_frames,
     VALUES(SHAPE, NUMBER("fixed"), NUMBER("present"), START_UNLESS_FIXED("r"), START_UNLESS_FIXED("angles"),
            AT_START("v", 3), AT_START("w", 3), VECTOR("r_b")),
     NULL},
    {"body", two_frames,
     VALUES(SHAPE, VECTOR("r"), VECTOR("r_CM"), NUMBER("m"), NUMBER("I_11"), NUMBER("I_22"),
            NUMBER("I_33"), NUMBER("I_21"), NUMBER("I_31"), NUMBER("I_32"), AT_START("r_0.start", 3),
            AT_START("v_0.start", 3), AT_START("angles_start", 3), AT_START("w_0_start", 3), STRUCTURE("publish"),
            VECTOR("r_0.fixed"), VECTOR("v_0.fixed"), STRUCTURE("angles_fixed"),
            STRUCTURE("w_0_fixed"), VECTOR("r_middle")),
     LIST("r_0", "v_0")},
    {"fixed", LIST("frame_b"), VALUES(VECTOR("r"), VECTOR("angles")), NULL},
    {"translation", two_frames, VALUES(VECTOR("r"), VECTOR("angles")), NULL},
    {"cut", LIST("frame_a", "frame_b", "frame_resolve"), VALUES(NUMBER("resolveInFrame")),
     LIST("force", "torque", "power")},
    {"revolute", two_frames,
     VALUES(NUMBER("canCollide"), STRUCTURE("useAxisFlange"), VECTOR("n"), START("phi"), START("w"),
            JOINT_FORCE("phi_rest", "w_rest", "phi_min", "phi_max", "tau_0")),
     LIST("phi", "w", "a", "tau")},
    {"prismatic", two_frames,
     VALUES(NUMBER("canCollide"), STRUCTURE("useAxisFlange"), VECTOR("n"), START("s"), START("v"),
            JOINT_FORCE("s_rest", "v_rest", "s_min", "s_max", "f_0")),
     LIST("s", "v", "a", "f")},
    {"cylindrical", two_frames,
     VALUES(NUMBER("canCollide"), VECTOR("n"), START("s"), START("v"), START("phi"), START("w")),
     LIST("s", "v", "a", "f", "phi", "w", "wd", "tau")},
    {"universal", two_frames,
     VALUES(NUMBER("canCollide"), VECTOR("n_a"), VECTOR("n_b"), START("phi_a"), START("w_a"),
            START("phi_b"), START("w_b")),
     LIST("phi_a", "w_a", "a_a", "tau_a", "phi_b", "w_b", "a_b", "tau_b")},
    {"planar", two_frames,
     VALUES(NUMBER("canCollide"), VECTOR("n"), VECTOR("n_x"), START("s_x"), START("s_y"),
            START("phi"), START("v_x"), START("v_y"), START("w")),
     LIST("s_x", "s_y", "phi", "v_x", "v_y", "w", "a_x", "a_y", "wd", "f_x", "f_y", "tau")},
    {"spherical", two_frames,
     VALUES(NUMBER("canCollide"), AT_START("angles_start", 3), AT_START("w_rel_a_start", 3),
            STRUCTURE("angles_fixed"), STRUCTURE("w_rel_a_fixed")),
     NULL},
    {"free", two_frames,
     VALUES(NUMBER("canCollide"), AT_START("angles_start", 3), AT_START("w_rel_a_start", 3),
            AT_START("r_rel_a.start", 3), AT_START("v_rel_a.start", 3), VECTOR("r_rel_a.fixed"),
            VECTOR("v_rel_a.fixed"), STRUCTURE("angles_fixed"), STRUCTURE("w_rel_a_fixed"),
            AT_START("sequence_start", 3), SCALAR_STARTS("r_rel_a_"), SCALAR_STARTS("v_rel_a_"),
            SCALAR_STARTS("angle_"), SCALAR_STARTS("angle_d_"), SCALAR_STARTS("w_rel_b_")),
     LIST("r_rel_a", "v_rel_a", SCALARS("r_rel_a_"), SCALARS("v_rel_a_"), SCALARS("angle_"),
          SCALARS("angle_d_"), SCALARS("w_rel_b_"))},
    {"rod", LIST("frame_a", "frame_b", "frame_ia"),
     VALUES(NUMBER("canCollide"), NUMBER("rodLength"), VECTOR("rRod_ia"), VECTOR("n1_a"),
            NUMBER("computeRodLength"), NUMBER("m")),
     LIST("f_rod")},
    {"constraint", two_frames,
     VALUES(NUMBER("canCollide"), NUMBER("turns"), NUMBER("x_locked"), NUMBER("y_locked"),
            NUMBER("z_locked"), VECTOR("n"), VECTOR("n_a"), VECTOR("n_b")),
     NULL},
    {"wheel", LIST("frame_a"),
     VALUES(NUMBER("radius"), NUMBER("lateralSlidingConstraint"), NUMBER("m"), NUMBER("I_axis"),
            NUMBER("I_long"), NUMBER("x.start"), NUMBER("y.start"), AT_START("angles.start", 3),
            AT_START("der_angles.start", 3)),
     LIST("x", "y", "spin", "f_n", "f_lat", "f_long")},
    {"line", two_frames,
     VALUES(NUMBER("m"), NUMBER("lengthFraction"), NUMBER("m_a"), NUMBER("m_b"), NUMBER("L_a"),
            NUMBER("L_b"), STRUCTURE("hasMass")),
     LIST("length", "length_rate")},
    {"spring", two_frames, VALUES(NUMBER("c"), NUMBER("s_unstretched"), NUMBER("d")), NULL},
    {"bushing", two_frames,
     VALUES(VECTOR("c"), VECTOR("d"), VECTOR("c_angular"), VECTOR("d_angular"), VECTOR("f_0"),
            VECTOR("tau_0"), NUMBER("largeAngles"), FUNCTION("law_f", 3, "state"),
            FUNCTION("law_tau", 3, "state")),
     NULL},
    {"visual", LIST("frame_a"),
     VALUES(FORM, TEXT("material"), TEXT("contactMaterial"), NUMBER("collidable"), TEXT("ignored")),
     NULL},
    {"collision", LIST("frame_a"),
     VALUES(FORM, TEXT("material"), TEXT("contactMaterial"), TEXT("ignored")),
     LIST("r_0", "e_x", "e_y", "v_0", "w", "a_0", "z", "f", "t")},
    {"force", LIST("frame_a", "frame_b", "frame_resolve"), VALUES(NUMBER("resolveInFrame")),
     LIST("force", "torque")},
    {"absolute", LIST("frame_a", "frame_resolve"), VALUES(NUMBER("resolveInFrame")),
     LIST("r", "v", "a", "angles", "w", "z", "present")},
    {"relative", LIST("frame_a", "frame_b", "frame_resolve"),
     VALUES(NUMBER("resolveInFrame"), NUMBER("seenFromAxes")),
     LIST("r_rel", "v_rel", "a_rel", "angles", "w_rel", "z_rel", "distance", "distance_rate", "present")},
    {"contact_sensor", no_frames, VALUES(TEXT("a"), TEXT("b")),
     LIST("force", "point", "depth", "slip", "normalForce", "power")},
    {"material", no_frames,
     VALUES(TEXT("name"), NUMBER("density"), NUMBER("youngsModulus"), NUMBER("poissonsRatio")),
     NULL},
    {"pair", no_frames,
     VALUES(TEXT("a"), TEXT("b"), NUMBER("restitution"), NUMBER("slidingFriction"),
            NUMBER("rollingResistance"), NUMBER("twistingFriction"), NUMBER("smallSpeed"),
            NUMBER("smallSpin"), NUMBER("stiffness"), NUMBER("exponent"), NUMBER("damper"),
            NUMBER("response"), NUMBER("friction"), NUMBER("faces"), NUMBER("staticFriction"),
            NUMBER("staticSpeed"), NUMBER("maximumFriction"), NUMBER("bristleLength"),
            NUMBER("bristleTime"), FUNCTION("f", 1, "press")),
     NULL},
    {"surface_pair", no_frames,
     VALUES(TEXT("a"), TEXT("b"), NUMBER("form"), NUMBER("modulus"), NUMBER("length"),
            NUMBER("restitution"), NUMBER("smallSpeed"), NUMBER("loadRatio"), NUMBER("damping"),
            NUMBER("slidingFriction"), NUMBER("staticFriction"), NUMBER("slipSpeed"),
            NUMBER("sticks"), NUMBER("bristleLength"), NUMBER("bristleTime"), NUMBER("tractions"),
            NUMBER("spinDamping"), NUMBERS("youngsModulus", 2), NUMBERS("poissonsRatio", 2),
            NUMBERS("depth", 2), NUMBER("base"), NUMBER("compressionDamping"),
            NUMBER("expansionDamping"), NUMBER("dampingMode"), NUMBER("transitionDepth"),
            NUMBER("maximumPenetration")),
     NULL},
    {"action", no_frames,
     VALUES(STRUCTURE("kind"), NUMBER("at"), TEXT("a"), TEXT("b"), NUMBER("requireRest"),
            NUMBER("maxDistance"), VECTOR("r"), VECTOR("angles"), VECTOR("v"), VECTOR("w"),
            TEXT("c"), NUMBER("enableContactDetection"), NUMBER("joint"), VECTOR("n"), VECTOR("n2"),
            NUMBER("program"), NUMBER("period"), NUMBERS("positions", -1), NUMBER("E"),
            NUMBER("rho"), NUMBER("zeta"), NUMBER("mu")),
     LIST("signal")},
    {"particles", no_frames,
     VALUES(NUMBER("kind"), NUMBER("n"), NUMBER("radius"), NUMBER("spread"), VECTOR("low"),
            VECTOR("high"), VECTOR("v"), NUMBER("seed"), TEXT("material"), NUMBER("rho"),
            NUMBER("E"), NUMBER("nu"), NUMBER("e"), NUMBER("mu"), NUMBER("mu_r"), NUMBER("mu_t"),
            NUMBER("w"), NUMBER("w_wall"), NUMBER("step"), NUMBER("maxSpeed"), NUMBER("rate"),
            NUMBER("startTime"), TEXT("fileName"), TEXT("tableName"), NUMBER("headerLines"),
            NUMBERS("clump.spheres", -1), NUMBER("clump.m"), VECTOR("clump.r_CM"),
            NUMBERS("clump.I", 9), NUMBER("clump.aligned"), VECTOR("polyhedron.box"),
            NUMBERS("polyhedron.points", -1), NUMBER("polyhedron.rounding"),
            NUMBER("polyhedron.aligned"), VECTOR("color")),
     NULL},
    {"region", no_frames,
     VALUES(STRUCTURE("kind"), VECTOR("low"), VECTOR("high"), VECTOR("r"), VECTOR("n"),
            NUMBER("startTime"), NUMBER("average"), TEXT("part"), VECTOR("v_surface"),
            NUMBER("rampTime")),
     LIST("count", "mass", "v", "filled", "stress", "massFlow", "force", "contacts", "rubbed",
          "work", "power")},
    {"medium", no_frames, VALUES(NUMBER("rho"), NUMBER("eta"), VECTOR("v")), NULL},
    {"borders", no_frames,
     VALUES(NUMBER("x"), NUMBER("y"), NUMBER("z"), VECTOR("low"), VECTOR("high")), NULL},
    {"path", no_frames, VALUES(NUMBERS("q_start", -1), NUMBERS("v_max", -1), NUMBERS("a_max", -1)),
     LIST("q", "qd", "qdd")},
    {"soft", two_frames,
     VALUES(FORM, NUMBER("gridSize"), NUMBER("moleculeRadius"), NUMBER("face_a"), NUMBER("face_b"),
            AT_START("r_start", 3), AT_START("angles_start", 3), AT_START("v_start", 3), NUMBER("E"), NUMBER("nu"),
            NUMBER("rho"), NUMBER("zeta"), NUMBER("mu"), NUMBER("rho_medium"), NUMBER("law"),
            NUMBER("order"), NUMBER("surfaceContact"), NUMBER("edgeContact"), NUMBERS("points", -1),
            NUMBERS("fixedPoints", -1), NUMBERS("pointForces", -1), AT_START("w_start", 3),
            NUMBER("sphereMasses"), NUMBER("neighbours"), NUMBER("selfContact"),
            NUMBER("breakingStrain"), NUMBER("placement"), NUMBER("surfaceResolution"),
            NUMBER("contactStiffness"), NUMBERS("materialRows", -1),
            NUMBERS("pointMaterials", -1)),
     NULL},
    {"flexible", two_frames,
     VALUES(NUMBER("length"), NUMBER("width"), NUMBER("height"), NUMBER("density"), NUMBER("E"),
            NUMBER("nu"), NUMBER("zeta"), STRUCTURE("modes"), STRUCTURE("axialModes"),
            STRUCTURE("torsionModes"), STRUCTURE("stiffening"), STRUCTURE("animation"),
            AT_START("r_start", 3), AT_START("angles_start", 3), AT_START("v_start", 3),
            AT_START("w_0_start", 3)),
     NULL},
    {"flexible_body", LIST("frames[:]"),
     VALUES(FORM, TEXT("polygon.recipe"), NUMBER("thickness"), NUMBER("elementSize"), NUMBER("layers"),
            TEXT("material"), NUMBER("density"), NUMBER("E"), NUMBER("nu"), VECTOR("gridSize"),
            NUMBER("order"), STRUCTURE("modes"), NUMBER("highestFrequency"), NUMBER("zeta"),
            NUMBER("alpha"), NUMBER("beta"), STRUCTURE("stiffening"), NUMBERS("interfaceRows", -1),
            TEXT("interfaceNodes"), NUMBER("stressScale"), NUMBER("deformationScale"),
            AT_START("r_start", 3), AT_START("angles_start", 3), AT_START("v_start", 3),
            AT_START("w_0_start", 3)),
     NULL},
    {0},
};

static const JointRole joint_roles[ROLE_COUNT] = {
    [ROLE_REVOLUTE] = {RB_JOINT_REVOLUTE, "n", NULL, {{"phi", "w", "a", "tau"}}},
    [ROLE_PRISMATIC] = {RB_JOINT_PRISMATIC, "n", NULL, {{"s", "v", "a", "f"}}},
    [ROLE_CYLINDRICAL] = {RB_JOINT_CYLINDRICAL,
                          "n",
                          NULL,
                          {{"s", "v", "a", "f"}, {"phi", "w", "wd", "tau"}}},
    [ROLE_UNIVERSAL] = {RB_JOINT_UNIVERSAL,
                        "n_a",
                        "n_b",
                        {{"phi_a", "w_a", "a_a", "tau_a"}, {"phi_b", "w_b", "a_b", "tau_b"}}},
    [ROLE_PLANAR] = {RB_JOINT_PLANAR,
                     "n",
                     "n_x",
                     {{"s_x", "v_x", "a_x", "f_x"},
                      {"s_y", "v_y", "a_y", "f_y"},
                      {"phi", "w", "wd", "tau"}}},
    [ROLE_SPHERICAL] = {.kind = RB_JOINT_SPHERICAL},
    [ROLE_FREE] = {.kind = RB_JOINT_FREE},
};

const JointRole *rb_member_joint_role(int role) {
    return joint_roles[role].kind != RB_JOINT_FIXED ? &joint_roles[role] : NULL;
}
