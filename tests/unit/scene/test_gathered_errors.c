// SPDX-License-Identifier: MIT
// Mechanical models that are refused: the message names the instance, its line, and what to do.
#include "translate/run_model.h"

static const char file[] = RB_SOURCE_DIR "/tests/models/MechanicsErrors.mo";

typedef struct Refusal {
    const char *class;
    int line; // of the message
    const char *words[3];
} Refusal;

#define UNFILLED                                                                                   \
    ", which cannot be filled; give it a Sphere, Ellipsoid, Box, Cylinder, Cone, Capsule, Beam "   \
    "or "                                                                                          \
    "Mesh of Rattleback.Shapes, or points"

static const Refusal refusals[] = {
    {"NoWorld", 5, {"'body' needs a world", "inner Rattleback.World world"}},
    {"TwoWorlds", 10, {"'other' is a second Rattleback.World beside 'world'"}},
    {"NoMass", 18, {"nothing is connected to 'machine[1].hinge.frame_b'", "connect a body"}},
    {"Weightless", 238, {"'hinge' cannot be accelerated", "no mass"}},
    {"FreeWeightless", 247, {"'body' moves freely and has no mass"}},
    {"UnknownAlone", 253, {"'Steell' of 'shell'", "did you mean 'Steel'?"}},
    {"NoLength", 260, {"'box.angles_shape[1]'", "a body without length has no direction"}},
    {"NoAxis", 27, {"'hinge'", "axis"}},
    {"NegativeSize", 36, {"'ball'", "diameter", "-0.1"}},
    {"LayersAlone",
     967,
     {"no contact data for 'one' (Rubber) and 'two' (Rubber)",
      "add the pair [\"Rubber\", \"Rubber\"]"}},
    {"NoPlace",
     1004,
     {"the solid of 'part': hull: point 3 of 4 is {0, 1, inf}: not a finite number: look at what "
      "its sizes, places and angles are computed from"}},
    {"NegativeSmoothing", 959, {"smoothing radius of mesh 'part' is -0.001 m"}},
    {"NegativeMass", 41, {"'body'", "mass", "-1"}},
    {"UnknownMaterial", 46, {"'ball'", "'Stel'", "'Steel'"}},
    {"Adrift", 51, {"nothing connects 'rod.frame_a' with the world"}},
    {"FlangeToFrame", 61, {"'body.frame_a'", "belongs to a component in C", "'hinge.axis'"}},
    {"NoFile", 65, {"'world' takes materials from this file"}},
    {"UnknownInAction", 80, {"an action names the joint 'hing'", "'hinge'"}},
    {"UnknownPair", 71, {"'Cheese' of 'table'", "material file"}},
    {"NoMeshFile", 88, {"'part' takes its shape from this file"}},
    {"BrokenMesh", 169, {"'part' takes its shape from this file"}},
    {"Open", 95, {"cannot be closed", "a gap of 1.1 m"}}, // 3 m less 0.3, 0.9 and 0.7 m
    {"Twice", 118, {"'b' connects 'world' and 'body'", "rigidly"}},
    {"Contradiction", 95, {"cannot be closed", "a gap of 0.535 m"}}, // of the rod, 0.9 m
    {"UnknownInSensor", 134, {"'touch'", "'bal'", "no part of this name; did you mean 'ball'?"}},
    {"NegativeInertia", 139, {"inertia tensor of 'body'", "-1"}},
    {"TooDeep", 145, {"'head' and 'table' overlap by 0.25 m at the start"}},
    {"EarlyAction", 157, {"due at t = -1 s, before the start at t = 0 s"}},
    {"NoPair", 176, {"there are no contact data for", "Rattleback.Materials.Pair"}},
    {"NoPair", 176, {"'table' (Steel) and 'ball' (Cork) touch", "Rattleback.Materials.Pair"}},
    {"Overlap", 182, {"'table' and 'ball' overlap by 0.07 m at the start"}},
    {"NoForce", 188, {"nothing determines the input 'force.force'", "connect it"}},
    {"RemovedNothing", 164, {"a name of this action is empty"}},
    {"FreeGround", 195, {"'ground' is a half-space", "fixed = true"}},
    {"NoDown",
     199,
     {"'world.gravity[1]' cannot be computed", "divides by zero", "'world.n[1]' = 0"}},
    {"TwoStarts", 205, {"'hinge.phi' and 'wheel.phi' are both fixed, at 1 and 5"}},
    {"TwoStarts", 206, {"'hinge.phi' belongs to this one"}},
    {"TooBouncy", 217, {"'restitution' is 1.5"}},
    {"UnknownInPair", 223, {"'pair' speaks of 'bal'", "did you mean 'ball'?"}},
    {"SpringsByRatio", 228, {"law = Rattleback.Types.SoftLaw.corotated"}},
    {"BowTie", 233, {"crosses or touches itself near {0.5, 0.5}"}},
    {"ThroughItself",
     407, // on a face of each: x + y + z = 1 and z = 0.1
     {"the solid of 'work' crosses itself near {0.45, 0.45, 0.1} m: make bodies that overlap one "
      "by "
      "one and unite them; a sweep must not meet itself"}},
    {"TightBend", 413, {"the solid of 'work' crosses itself near {"}},
    {"SensorWithoutFrame",
     419,
     {"resolveInFrame of 'speed' is frame_b, a frame that it does not have: choose world, frame_a "
      "or "
      "frame_resolve"}},
    {"ForceWithoutFrame",
     427,
     {"resolveInFrame of 'force' is frame_a, a frame that it does not have: choose world, frame_b "
      "or "
      "frame_resolve"}},
    {"FunctionOnSurface",
     738,
     {"normalForce is a law for one point, and 'plate' touches 'ball' by its surface",
      "Materials.SurfacePair of their own (a = \"plate\", b = \"ball\")"}},
    {"SpringOnSurface", 744, {"stiffness is a law for one point, and 'plate' touches 'ball'"}},
    {"NoRod", 281, {"the length of the rod 'rod' is 0 m; it must be positive: give rodLength"}},
    {"NoRodAtAll", 289, {"the rod of 'rod' has no length at the start"}},
    {"LightRod", 297, {"m of the rod 'rod' is -1 kg; it must not be negative"}},
    {"MassLessRod", 305, {"nothing that the rod 'rod' holds has a mass: connect a body"}},
    {"AxisAlongRod", 313, {"n1_a of 'rod' is (2, 0, 0)", "needs a direction across the rod"}},
    {"AxisAlongRodAtStart", 321, {"axis 1 of the universal joint of 'rod' is along its rod"}},
    {"ShortRod",
     334,
     {"'one', 'two', 'rod' cannot be closed", "a gap of 1.5 m"}}, // 4 - 1 - 1 - 0.5
    {"HeldInPlace", 347, {"'pin' connects 'rod.frame_b' and 'world'", "rigidly"}},
    {"NoAxisOfConstraint", 356, {"'hinge'", "axis", "must have a direction"}},
    {"TooFar", 366, {"'slide', 'pin' cannot be closed", "a gap of 2 m"}},
    {"NoRadius", 376, {"the radius of the wheel 'wheel' is 0 m; it must be positive"}},
    {"FlatWheel", 381, {"the wheel 'wheel' lies flat on the ground", "change angles.start"}},
    {"OffTheLine", 0, {"lengthFraction of 'line.line' is 1.5", "between 0 (at frame_a) and 1"}},
    {"LightLine", 0, {"m_b of 'line.line' is -2 kg; it must not be negative"}},
    {"LockedRod", 386, {"'rod' is a constraint and has no coordinates"}},
    {"SoftHalfSpace", 434, {"the shape of the soft body 'soft' is a half-space" UNFILLED}},
    {"SoftNone", 439, {"the shape of the soft body 'soft' is None" UNFILLED}},
    {"SoftAxes", 444, {"the shape of the soft body 'soft' is a coordinate system" UNFILLED}},
    {"SoftGrid", 449, {"the shape of the soft body 'soft' is a grid" UNFILLED}},
    {"SoftSpring", 454, {"the shape of the soft body 'soft' is a spring" UNFILLED}},
    {"SoftGear", 459, {"the shape of the soft body 'soft' is a gear wheel" UNFILLED}},
    {"SoftText", 464, {"the shape of the soft body 'soft' is a text" UNFILLED}},
    {"SoftOrder", 469, {"order of 'soft' is 3; elements are of order 1 or 2"}},
    {"SoftRadius",
     474,
     {"moleculeRadius of 'soft' is -1 m; it must be positive, or 0 for 0.75 of gridSize"}},
    {"SoftMaterialUnknown",
     542,
     {"pointMaterials[2] of 'soft' is 2; there are 0, its own material, and 1 in materials"}},
    {"SoftMaterialNegative", 547, {"pointMaterials[1] of 'soft' is -1; there are 0"}},
    {"SoftMaterialsShort",
     552,
     {"pointMaterials of 'soft' has 1 numbers, but there are 2 points: it has one for each of "
      "points, or none"}},
    {"SoftMaterialsOfShape",
     557,
     {"pointMaterials of 'soft' has 2 numbers, but there are 0 points"}},
    {"SoftMaterialOrder", 562, {"order of 'soft.materials[1]' is 3; elements are of order 1 or 2"}},
    {"SoftMaterialRange", 567, {"Young's modulus [Pa] of 'soft.materials[1]' is 0"}},
    {"SoftMaterialMixed",
     572,
     {"the materials 'soft' and 'soft.materials[1]' of 'soft' are not both of springs"}},
    {"LockedWheel",
     480,
     {"cannot lock 'wheel': 'wheel' is a constraint and has no coordinates; it can only break"}},
    {"MovedWithoutPair",
     487,
     {"'ball' (Steel) and 'bat' (Cork) touch", "Rattleback.Materials.Pair"}},
    {"UnknownIgnored",
     495,
     {"'bat' ignores 'bal', but there is no part of this name; did you mean 'ball'?"}},
    {"TwoMotions", 507, {"the equations contradict each other", "'crank.axis.tau'"}},
    {"FixedAtRest", 527, {"start values of 'body' are fixed", "or leave out steadyStart"}},
    {"NoModulus",
     577,
     {"Young's modulus of the material 'Jelly' is 0 Pa; it must be > 0 for the elastic contact of "
      "'table' (Steel) and 'ball' (Jelly), and the run ends if they touch: give it"}},
    {"NoModulus",
     577,
     {"at t = 0.04", "Young's modulus of the material 'Jelly' is 0 Pa; it must be > 0 for the "
                     "elastic contact of 'table' (Steel) and 'ball' (Jelly): give it"}},
    {"NoModulusOfMesh",
     585,
     {"Young's modulus of the material 'Jelly' is 0 Pa; it must be > 0 for the elastic contact of "
      "'ball': give it"}},
    {"NoModulusOfGrains",
     593,
     {"Young's modulus of the material 'grains' is 0 Pa; it must be > 0"}},
    {"NegativeModulus",
     598,
     {"material 'Jelly': 'youngsModulus' is -1 Pa; it must lie between 0 and"}},
    {"GrainsOfStiffness",
     605,
     {"the contact of 'grains' and 'table' has a stiffness",
      "leave it out of the pair [\"Steel\", \"DryWood\"]"}},
    {"SurfaceOfStiffness",
     610,
     {"stiffness is a law for one point, and 'work' touches 'table' by its surface"}},
    {"NoSolid", 627, {"'mesh' of 'work' has no value before the run", "give it one"}},
    {"NoSolidFile", 632, {"the solid of 'work' is made of this file"}},
    {"PolygonAsSolid",
     637,
     {"the solid of 'work': the end: a polygon is left: make a solid of it by extrude, lathe or "
      "sweep"}},
    {"ManyTriangles",
     642,
     {"sphere: the number of segments is 5000; it must be a whole number from 3 to 2000"}},
    {"DeepMeshes",
     648,
     {"the meshes 'still' and 'work' share 0.125 m3 at the start", "place them apart"}},
    {"WorldNotInner",
     658,
     {"add 'inner Rattleback.World world;' to the model; 'world' is one, but it is not inner"}},
    {"WorldOfAnotherName", 663, {"'earth' is one, but it is not called 'world'"}},
    {"UnknownToGrains", 670, {"'sensor' is about the part 'drumm'", "did you mean 'drum'?"}},
    {"NoGrainFile", 675, {"'grains' takes its particles from this file"}},
    {"LongStep", 687, {"the step of the grains of 1 s is too large"}},
    {"DrivenIntoGrains",
     703,
     {"50 grains, the first grain 1, are in the part 'piston', where what drives it"}},
    {"NoMaterial", 807, {"'part' has no material: give it one, such as material = \"Steel\""}},
    {"UnknownContactMaterial", 814, {"unknown contact material 'Rubbber' of 'part'"}},
    {"NoSuchAxis", 821, {"axis of half-space 'ground' is 4; it must be 1, 2 or 3"}},
    {"NoKind", 828, {"the shape of 'part' is of no kind (77)", "Rattleback.Shapes"}},
    {"EmptySolid", 835, {"'work' has no solid: give its mesh one of Rattleback.Solids"}},
    {"FailedSolid",
     842,
     {"'mesh' of 'work' has no value: a Geneva wheel needs three slots or more"}},
    {"FlatBox", 849, {"the solid of 'work': box: all sizes must be positive; it has 1, -2, 3"}},
    {"DoubleFace", 856, {"the solid of 'work' has no volume, or triangles more than once"}},
    {"BristlesWithoutLength", 863, {"bristleLength of 'pair' is 0; it must be positive"}},
    {"NegativeLayer", 870, {"depth of 'pair' is -1; it must not be negative"}},
    {"NoStiffness", 875, {"elasticContactReductionFactor of 'world' is 0; it must lie between"}},
    {"ArrayInPair", 946, {"'pair' speaks of 'ball'", "did you mean 'ball[1]'?"}},
    {"WorkpieceOnHalfSpace",
     975,
     {"'ground' is a half-space, and 'brick' touches by its surface: take a box as ground"}},
    {"FixedTwice",
     267,
     {"angles or angular velocities of 'body' are fixed at the start, but joints or another body "
      "carry it: fix the start values of these"}},
};

static bool says(const Run *r, const Refusal *wanted) {
    for (int i = 0; i < r->f.diag.messages.count; i++) {
        const RbMessage *m = &r->f.diag.messages.data[i];
        bool all = wanted->line == 0 || (m->at.line == wanted->line && m->at.column > 0 &&
                                         strcmp(m->at.file, file) == 0);
        for (int k = 0; k < 3 && wanted->words[k]; k++)
            all = all && strstr(m->text, wanted->words[k]);
        if (all) return true;
    }
    return false;
}

static void every_message(void **state) {
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        Run r;
        char class[64];
        snprintf(class, sizeof class, "MechanicsErrors.%s", refusals[i].class);
        bool refused = !model_open_file(&r, file, class, RB_BACKEND_TCC) || run_go(&r) != RB_OK;
        if (!refused || !says(&r, &refusals[i])) {
            bad++;
            print_error("%s:\n", class);
            model_messages(&r);
        }
        run_close(&r);
    }
    assert_int_equal(bad, 0);
}

// Models that run, with one warning.
static const Refusal warnings[] = {
    {"SeenOnly", 537, {"'belt' has a shape and the material 'Steel'", "collidable = true"}},
    {"OverlappingPieces",
     617,
     {"the convex parts of 'part' overlap by 0.5 m3 of 3 m3, parts 1 and 2"}},
    {"SoftMaterialUnused",
     653,
     {"no point of 'soft' is of materials[1]: say by points and pointMaterials"}},
    {"SurfacePairOfShapes", 682, {"the law of 'pair' has no effect", "Materials.Pair"}},
    {"PushingSpring", 692, {"parameter 'spring.c' is -1, but its min is 0"}},
    {"DrivenNearGrains",
     703,
     {"grains, the first grain 1, are in the part 'piston'", "it pushes them out"}},
    {"SpeedOfFixed",
     775,
     {"'plate' is fixed in the world, and its velocities v and w", "fixed = false"}},
    {"SpeedOfCarried", 783, {"'bar' does not move freely but with what it is connected to"}},
    {"PassingSurface", 797, {"'pipe' would go through 'wall'", "canCollide = true"}},
    {"VainExponent", 883, {"exponent of 'pair' has no effect", "give a stiffness"}},
    {"VainDamper", 892, {"damper of 'pair' has no effect"}},
    {"VainStatic",
     901,
     {"staticFriction of 'pair' has no effect: only friction = Types.Friction.static_"}},
    {"LowStatic", 910, {"staticFriction of 'pair' is 0.1, less than its slidingFriction of 0.5"}},
    {"VainLimit", 919, {"maximumFriction of 'pair' has no effect"}},
    {"VainFile", 927, {"fileName of 'shape' has no effect", "shape = Shapes.Mesh()"}},
    {"SensorOfItself", 953, {"'touch' measures the contact of a part with itself"}},
    {"BluntTips",
     984,
     {"the corner of 'needle[1]' at {0, 0, 0.2} m of its shape touches 0.00951 m behind where it "
      "is drawn, 4.7 % of its size: its edges are rounded by 0.0005 m; type smoothing = 3e-05 m "
      "for 0.0006 m"}},
    {"ThinFoil",
     1036,
     {"'foil' is 1e-08 m thin and 0.14 m large: a fall of 'foil' onto 'plate' from 0.14 m, flat, "
      "would go deeper than a quarter of that, where a run ends; make it thicker than 4e-07 m, or "
      "its material stiffer"}},
    {"TinyCube",
     1049,
     {"'cube' is so light and stiff that it rests on 'plate' 2e-15 m deep, ",
      " times the rounding of places there (1e-16 m), and runs crawl: take a softer material, a "
      "larger body, or smaller coordinates"}},
    {"ThrownApart",
     993,
     {"'table' and 'cube' overlap by 0.02 m at the start: they are thrown apart",
      "m/s; place them apart"}},
    {"ConcavePiece",
     622,
     {"piece 1 of 'part' is not convex", "0.875 m3 in place of 0.75 m3; divide it"}},
};

static void every_warning(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        Run r;
        char class[64];
        snprintf(class, sizeof class, "MechanicsErrors.%s", warnings[i].class);
        ENSURE(model_open_file(&r, file, class, RB_BACKEND_TCC));
        ENSURE(run_go(&r) == RB_OK);
        bool told = says(&r, &warnings[i]) && r.f.diag.messages.count == 1;
        if (!told) model_messages(&r);
        ENSURE(told);
        run_close(&r);
    }
}

static void remedies_are_not_told(void **state) {
    (void)state;
    static const char *const classes[] = {"SharpTips", "ThickFoil", "SmallCube"};
    for (int i = 0; i < 3; i++) {
        Run r;
        char class[64];
        snprintf(class, sizeof class, "MechanicsErrors.%s", classes[i]);
        ENSURE(model_open_file(&r, file, class, RB_BACKEND_TCC));
        r.options.stop_time = 1e-3;
        ENSURE(run_go(&r) == RB_OK);
        assert_int_equal(r.f.diag.messages.count, 0);
        run_close(&r);
    }
}

// Of an array once.
static void smoothing_that_is_cut_is_told(void **state) {
    (void)state;
    static const Refusal wanted[] = {
        {"",
         1011,
         {"smoothing of 'box' is 0.5 m, more than fits into it: its edges are rounded by 0.01 m, a "
          "tenth of its smallest length; type that or less"}},
        {"", 1012, {"smoothing of 'cylinder[1]' is 0.011 m", "are rounded by 0.01 m, a tenth"}},
        {"", 1013, {"smoothing of 'cone' is 0.1 m", "are rounded by 0.01 m, a tenth"}},
        {"", 1014, {"smoothing of 'beam' is 0.01 m", "are rounded by 0.002 m, a tenth"}},
        {"",
         1015,
         {"smoothing of 'pieces' is 0.015 m, more than fits into it: edges of its thinnest part "
          "are rounded by 0.01 m, a fifth of the way from the centroid to the nearest face"}},
    };
    enum { COUNT = sizeof wanted / sizeof *wanted };
    Run r;
    ENSURE(model_open_file(&r, file, "MechanicsErrors.LargeSmoothing", RB_BACKEND_TCC));
    ENSURE(run_go(&r) == RB_OK);
    for (int i = 0; i < COUNT; i++) ENSURE(says(&r, &wanted[i]));
    assert_int_equal(r.f.diag.messages.count, COUNT);
    run_close(&r);
}

// A run that ends in a blow names its bodies, the place of the one that moves, what is thin, and the speed; so does an island's.
static void too_hard_names_the_place(void **state) {
    (void)state;
    static const char *const solvers[] = {"cvode", "islands"};
    static const Refusal wanted = {
        "",
        1026,
        {"'wall' and 'bullet' penetrate each other by",
         "more than the elastic law can describe (0.005 m, a quarter of what 'bullet' is thick)",
         "the impact at 100 m/s is too hard for these materials and shapes: give a stiffer "
         "material, a thicker body or a slower blow"}};
    for (int i = 0; i < 2; i++) {
        Run r;
        ENSURE(model_open_file(&r, file, "MechanicsErrors.TooHard", RB_BACKEND_TCC));
        r.options.solver = solvers[i];
        ENSURE(run_go(&r) == RB_ERROR_SOLVER);
        bool told = says(&r, &wanted) && r.f.diag.messages.count == 1;
        if (!told) model_messages(&r);
        ENSURE(told);
        run_close(&r);
    }
}

// A solver that gives up names a state; of the contacts of that body the stiffest is told, with its place.
static void stiffest_contact_is_told(void **state) {
    (void)state;
    static const Refusal wanted = {
        "",
        1049,
        {"the stiffest contact then is that of 'plate' and 'cube', which swings at about 4e+11 "
         "rad/s: a softer material, a heavier body or a larger tolerance may help"}};
    Run r;
    ENSURE(model_open_file(&r, file, "MechanicsErrors.Dust", RB_BACKEND_TCC));
    r.options.solver = "islands";
    ENSURE(run_go(&r) == RB_ERROR_SOLVER);
    bool told = says(&r, &wanted);
    for (int i = 0; i < r.f.diag.messages.count && told; i++)
        told = !strstr(r.f.diag.messages.data[i].text, "too small") ||
               strstr(r.f.diag.messages.data[i].text, "with the largest error in 'cube.");
    if (!told) model_messages(&r);
    ENSURE(told);
    run_close(&r);
}

// Grains are compared with where the drive has the piston, not with where its joint would start; without gravity they stay at rest.
static void driven_parts_are_where_their_drive_has_them(void **state) {
    (void)state;
    Run r;
    ENSURE(model_open_file(&r, file, "MechanicsErrors.DrivenFromGrains", RB_BACKEND_TCC));
    model_go(&r);
    ENSURE(r.f.diag.messages.count == 0);
    double kinetic = run_series(&r, "grains.kinetic")[r.result->row_count - 1];
    print_message("kinetic energy %.1e J\n", kinetic); // of those that touch by roundings
    ENSURE(kinetic < 1e-20);
    ENSURE_NEAR(run_series(&r, "piston.r_0[1]")[0], 2, 1e-15);
    run_close(&r);
}

// Once for each place and parameter.
static void what_cannot_act_on_surfaces_is_told(void **state) {
    (void)state;
    static const Refusal wanted[] = {
        {"", 749, {"contactDamping = Flores has no effect where 'plate' touches by its surface"}},
        {"", 750, {"twistingFriction has no effect where 'plate' touches 'ball' by its surface"}},
        {"", 750, {"faces = point has no effect where 'plate' touches 'ball' by its surface"}},
        {"", 750, {"maximumFriction has no effect where 'plate' touches 'ball' by its surface"}},
        {"", 752, {"length of 'chosen' has no effect on 'other'", "round"}},
        {"", 752, {"tractions = false of 'chosen' has no effect"}},
        {"", 752, {"spinDamping of 'chosen' has no effect"}},
        {"", 753, {"the law of 'unused' has no effect: no Parts.Workpiece"}},
    };
    enum { COUNT = sizeof wanted / sizeof *wanted };
    Run r;
    ENSURE(model_open_file(&r, file, "MechanicsErrors.VainOnSurface", RB_BACKEND_TCC));
    ENSURE(run_go(&r) == RB_OK);
    for (int i = 0; i < COUNT; i++) ENSURE(says(&r, &wanted[i]));
    ENSURE(r.f.diag.messages.count == COUNT);
    run_close(&r);
}

// Contact data that no contact asks for, and what counts in their place; of nine one acts, and 'late' and 'layers'.
static void unused_pairs_are_told(void **state) {
    (void)state;
    static const Refusal wanted[] = {
        {"", 759, {"'volume' has no effect: 'layers' is about the same parts or materials"}},
        {"", 760, {"'layers' is this one"}},
        {"", 761, {"'shapes' has no effect: 'layers' is about the same"}},
        {"", 760, {"'layers' is this one"}},
        {"", 762, {"'itself' of 'plate' and 'plate' has no effect", "name another one"}},
        {"", 763, {"'nobody' of 'Steel' and 'DryWood' has no effect: there are no two parts"}},
        {"", 764, {"'early' has no effect: 'late' is about the same"}},
        {"", 765, {"'late' is this one"}},
        {"", 766, {"'fixed' of 'plate' and 'wall' has no effect: both parts are fixed"}},
    };
    enum { COUNT = sizeof wanted / sizeof *wanted };
    Run r;
    ENSURE(model_open_file(&r, file, "MechanicsErrors.UnusedPairs", RB_BACKEND_TCC));
    ENSURE(run_go(&r) == RB_OK);
    for (int i = 0; i < COUNT; i++) ENSURE(says(&r, &wanted[i]));
    ENSURE(r.f.diag.messages.count == COUNT);
    run_close(&r);
}

// Of two materials of one name the later counts.
static void hidden_materials_are_told(void **state) {
    (void)state;
    Run r;
    ENSURE(model_open_file(&r, file, "MechanicsErrors.SameName", RB_BACKEND_TCC));
    ENSURE(run_go(&r) == RB_OK);
    ENSURE(says(
        &r, &(Refusal){
                "", 936, {"'early' has no effect: 'late' is a material of the same name, 'Oak'"}}));
    ENSURE(says(&r, &(Refusal){"", 937, {"'late' is this one"}}));
    ENSURE(r.f.diag.messages.count == 2);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message),
        cmocka_unit_test(every_warning),
        cmocka_unit_test(remedies_are_not_told),
        cmocka_unit_test(smoothing_that_is_cut_is_told),
        cmocka_unit_test(too_hard_names_the_place),
        cmocka_unit_test(stiffest_contact_is_told),
        cmocka_unit_test(driven_parts_are_where_their_drive_has_them),
        cmocka_unit_test(what_cannot_act_on_surfaces_is_told),
        cmocka_unit_test(unused_pairs_are_told),
        cmocka_unit_test(hidden_materials_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
