// SPDX-License-Identifier: MIT
// Recipes of solids: volumes by closed forms, and what is told about those that make no solid.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "geom/moments.h"
#include "io/mesh_file.h"
#include "io/recipe.h"

#define PI 3.141592653589793

static double volume_of(Fixture *f, const char *recipe) {
    RbMesh mesh;
    RbStatus status =
        rb_recipe_solid(recipe, NULL, "part", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &mesh);
    if (status != RB_OK) print_error("%s\n%s\n", recipe, fixture_message(f, 0));
    ENSURE(status == RB_OK);
    return rb_moments_of_mesh(&mesh).volume;
}

// Of a circle drawn with n segments.
static double disc(double r, int n) {
    return 0.5 * n * r * r * sin(2 * PI / n);
}

static void volumes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const struct {
        const char *recipe;
        double volume, tolerance;
    } cases[] = {
        {"1 2 3 box", 6, 1e-14},
        {"0.5 0.5 2 48 cone", 2 * disc(0.5, 48), 1e-13},
        {"1 0 3 24 cone", disc(1, 24), 1e-13},
        {"0.5 2 48 cylinder", 2 * disc(0.5, 48), 1e-13},
        {"1 64 sphere", 4 * PI / 3, 0.02},
        {"1 0.2 64 torus", 2 * PI * PI * 0.04, 0.01},
        {"0 0 0 0 1 0 0 0 1 1 0 0 1 3 2 1 4 3 1 2 4 2 3 4 4 4 mesh 1 1 -1 scale", 1 / 6.0, 1e-15},
        {"0 0 2 0 2 2 0 2 4 points 3 extrude", 12, 1e-13},
        {"0 0 2 0 2 2 0 2 4 points -3 extrude", 12, 1e-13},
        {"0 0 2 48 circle 0.5 0 1 24 circle hole 2 extrude", 2 * (disc(2, 48) - disc(1, 24)),
         1e-12},
        {"0 0 1 0 1.5707963267948966 12 arc 0 0 1 points join 2 extrude", 0.25 * 2 * disc(1, 48),
         1e-13},
        {"1 0 2 0 2 1 1 1 4 points 32 lathe", disc(2, 32) - disc(1, 32), 1e-13},
        {"-1 -1 1 -1 1 1 -1 1 4 points 0 0 0 0 0 5 2 0 0 1 0 sweep", 20, 1e-12},
        {"0 0 1 0 1 1 3 points 0 -1 1 0 5 7 map 2 extrude", 1, 1e-13},
        {"1 0 1.2 0.3 2 points 12 around 1 extrude",
         0.5 * 12 *
             (0.3 + (1.2 * sin(PI / 6) - 0.3 * cos(PI / 6))), // two triangles from the centre
         1e-12},
        {"0 0 0.5 1 2 points 3 1 0 along 3 -1 0 -1 2 points join 1 extrude", 0, -1},
        {"1 1 1 box 1 1 1 box 0.5 0 0 move union", 1.5, 1e-14},
        {"1 1 1 box 1 1 1 box 0.5 0.5 0 move difference", 0.75, 1e-14},
        {"1 1 1 box 1 1 1 box 0.5 0 0 move intersection", 0.5, 1e-14},
        {"1 2 3 box 0 0 1.5707963267948966 turn 1e-9 simplify 0.5 refine", 6, 1e-13},
        {"0 0 0 2 0 0 0 3 0 0 0 4 0.1 0.1 0.1 5 hull", 4, 1e-14},
        {"1 1 1 box 0.2 0.2 3 box 0.4 0.4 0 move difference wrap", 1, 1e-14},
        {"0.1 20 0.35 8 tooth 20 around 0.1 extrude", 0.1 * PI * 1, 0.02},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double v = volume_of(&f, cases[i].recipe);
        if (cases[i].tolerance >= 0)
            ENSURE_NEAR(v, cases[i].volume, cases[i].tolerance);
        else
            ENSURE(v > 0);
    }
    fixture_close(&f);
}

// A tetrahedron after as many vertices that nothing uses.
static void many_vertices(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    enum { UNUSED = 150000 };
    RbText text = rb_text(&f.arena);
    for (int i = 0; i < UNUSED; i++) rb_text_printf(&text, "0 0 0 ");
    rb_text_printf(&text, "0 0 0 0 1 0 0 0 1 1 0 0 ");
    const int corners[12] = {1, 3, 2, 1, 4, 3, 1, 2, 4, 2, 3, 4};
    for (int i = 0; i < 12; i++) rb_text_printf(&text, "%d ", UNUSED + corners[i]);
    rb_text_printf(&text, "%d 4 mesh", UNUSED + 4);
    ENSURE_NEAR(volume_of(&f, text.data), 1 / 6.0, 1e-15);
    fixture_close(&f);
}

static void files(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    char path[64];
    RbMesh mesh;
    snprintf(path, sizeof path, "/tmp/rb_recipe_%d.stl", (int)getpid());
    ENSURE(rb_recipe_solid("1 2 3 box", NULL, "part", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                           &mesh) == RB_OK);
    ENSURE(rb_mesh_file_write(path, &mesh, &f.scratch, &f.diag) == RB_OK);
    const char *absolute = rb_arena_printf(&f.arena, "\"%s\" 0.1 file", path);
    ENSURE_NEAR(volume_of(&f, absolute), 6e-3, 1e-9); // STL has floats
    const char *beside = rb_arena_printf(&f.arena, "\"%s\" 0.1 file", strrchr(path, '/') + 1);
    ENSURE(rb_recipe_solid(beside, "/tmp", "part", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                           &mesh) == RB_OK);
    unlink(path);
    fixture_close(&f);
}

// A tetrahedron without its last face: told with the file, and the place in it, whatever was made of it. Of its hull nothing
// is lost.
static void files_that_are_open(void **state) {
    (void)state;
    char path[64], want[200];
    snprintf(path, sizeof path, "/tmp/rb_recipe_%d.obj", (int)getpid());
    FILE *file = fopen(path, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", file);
    fclose(file);
    snprintf(want, sizeof want,
             "%s: error: the surface does not enclose a body: 3 edges with only one triangle, the "
             "first near {0.5, 0.5, 0} m; close it",
             path);
    const char *rest[] = {"", "1 0 0 move", "0.1 refine", "1 1 1 box union",
                          "2 2 2 scale 1 1 1 box 0 0 3 move difference"};
    Fixture f;
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        fixture_open(&f);
        RbMesh mesh;
        const char *recipe = rb_arena_printf(&f.arena, "\"%s\" 1 file %s", path, rest[i]);
        ENSURE(rb_recipe_solid(recipe, NULL, "part", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                               &mesh) == RB_ERROR_MODEL);
        ENSURE(strstr(fixture_message(&f, 0), want));
        ENSURE(strstr(fixture_message(&f, 1), "note: the solid of 'part' is made of this file"));
        fixture_close(&f);
    }
    fixture_open(&f);
    const char *hull = rb_arena_printf(&f.arena, "\"%s\" 2 file 1 0 0 move wrap", path);
    ENSURE_NEAR(volume_of(&f, hull), 8 / 6.0, 1e-14);
    file = fopen(path, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n", file); // back to back
    fclose(file);
    RbMesh flat;
    ENSURE(rb_recipe_solid(rb_arena_printf(&f.arena, "\"%s\" 1 file", path), NULL, "part",
                           RB_NOWHERE, &f.arena, f.scratch, &f.diag, &flat) == RB_ERROR_MODEL);
    snprintf(want, sizeof want, "%s: error: the surface does not enclose a body: no triangle has",
             path);
    ENSURE(strstr(fixture_message(&f, 0), want));
    fixture_close(&f);
    unlink(path);
}

// Two tetrahedra in one mesh: one with its corner at the origin, and another one.
#define TETRAHEDRA(other)                                                                          \
    "0 0 0 2 0 0 0 2 0 0 0 2 " other " 1 3 2 1 2 4 1 4 3 2 3 4 5 7 6 5 6 8 5 8 7 6 7 8 8 8 mesh "
#define THAT_CROSS TETRAHEDRA("0.3 0.3 -1 2.3 0.3 -1 0.3 2.3 -1 0.3 0.3 1")
#define THAT_NEST  TETRAHEDRA("0.1 0.1 0.1 0.3 0.1 0.1 0.1 0.3 0.1 0.1 0.1 0.3")

static void what_makes_no_solid(void **state) {
    (void)state;
    const struct {
        const char *recipe, *message;
    } cases[] = {
        {"1 1 1 box 1 1 1 box 2 0 0 move intersection",
         "intersection: nothing is left: look where"},
        {"1 1 1 box 2 2 2 box -0.5 -0.5 -0.5 move difference", "difference: nothing is left"},
        {"0 0 0 0 1 0 0 0 1 1 0 0 1 3 2 1 4 3 1 2 4 4 3 mesh", "does not enclose a body (3 open"},
        {"0 0 0 0 1 0 0 0 1 1 0 0 1 2 3 1 3 4 1 4 2 2 4 3 4 4 mesh", "is inside out"},
        {"0 0 0 0 1 0 0 0 1 1 0 0 1 2 9 1 3 4 1 4 2 2 4 3 4 4 mesh",
         "triangle 1 names the vertex 9; there are those from 1 to 4"},
        {"0 0 1 0 2 0 3 points 1 extrude",
         "polygon 'part' encloses no area: loop 1 has 3 different points"},
        {"0 0 1 1 1 0 0 1 4 points 1 extrude",
         "polygon 'part' crosses or touches itself near {0.5, 0.5}: give"},
        {"0 0 1 0 2 points 1 extrude", "loop 1 has 2 different points near {0, 0}; it needs three"},
        {THAT_CROSS, "'part' crosses itself near {0.8, 0.3, 0}"},
        {THAT_CROSS "1 1 1 box union", "'part' crosses itself near {0.8, 0.3, 0}"},
        {"1 1 1 box " THAT_CROSS "3 0 0 move difference", "'part' crosses itself near"},
        {THAT_NEST, "'part' has a body within another one, which would count twice, near {0."},
        {THAT_NEST "1 1 1 box -4 0 0 move union", "'part' has a body within another one"},
        {"0 0 1 0 2 0 1 0 1 1 0 1 6 points 1 extrude", "touches itself near {1.5, 0}"},
        {"-1 0 1 0 0 1 3 points 12 lathe", "part"},
        {"0 1 1 box", "all sizes must be positive"},
        {"1 2 sphere", "the number of segments is 2; it must be a whole number from 3 to 2000"},
        {"1 1 2.5 cylinder", "cylinder: the number of segments is 2.5"},
        {"-1 1 48 cylinder", "cylinder: radius and height must be positive"},
        {"1 1 1 1000000000 cone", "segments is 1000000000; it must be a whole number from 3 to"},
        {"0 0 2 0 2 2 3 points 0 0 0 1 0 0 0 1 sweep", "the number of points of the path is 1"},
        {"1 1 1 box 1 1 1 box", "more than one solid"},
        {"1 1 1 box 2", "numbers are left"},
        {"1 1 1 box 0 0 1 48 circle", "a polygon is left: make a solid of it by extrude"},
        {"0 0 0 1 0 0 0 1 0 3 hull", "hull: the number of points is 3; it must be"},
        {"0 0 0 1 0 0 0 1 0 1 1 0 4 hull", "all 4 points of convex hull 'part' lie in a plane"},
        {"", "no solid is left"},
        {"1 1 box", "numbers are missing"},
        {"union", "a solid is missing"},
        {"1 1 1 box 2 extrude", "a polygon is missing"},
        {"1 1 1 bax", "no such step"},
        {"1 1 nan box", "nan: not a finite number: look at what its sizes"},
        {"1 1 1 box inf 0 0 turn", "inf: not a finite number: look at what its sizes"},
        {"1 1 1e999 box", "1e999"},
        {"1 1 nan box", "box: number 3 of 3 is nan: not a finite number: look at what its sizes"},
        {"0 0 0 1 0 0 0 -nan 1 0 0 1 4 hull",
         "the solid of 'part': hull: point 3 of 4 is {0, nan, 1}: not a finite number: look at "
         "what its sizes, places and angles are computed from [model]"},
        {"0 0 0 0 1 0 0 -inf 1 1 0 0 1 2 3 1 3 4 1 4 2 2 4 3 4 4 mesh",
         "mesh: vertex 3 of 4 is {0, -inf, 1}: not a finite number"},
        {"0 0 0 0 1 0 0 0 1 1 0 0 1 2 3 1 nan 4 1 4 2 2 4 3 4 4 mesh",
         "mesh: triangle 2 of 4 is {1, nan, 4}: not a finite number"},
        {"0 0 1 nan 2 0 3 points 1 extrude", "points: point 2 of 3 is {1, nan}: not a finite"},
        {"0 0 2 0 2 2 3 points 0 0 0 0 0 inf 2 0 0 0 1 sweep",
         "sweep: point 2 of 2 is {0, 0, inf}: not a finite number"},
        {"nan 1 1 1 box", "the end: numbers are left"},
        {"1 1 1 box 1 1e308 1e308 scale",
         "scale: a vertex is at {0, 1e+308, 0} m, too far away; at most 1e+60 m are possible"},
        {"1 1 1 box 1 1 1 box 1e200 0 0 move union", "move: a vertex is at {1e+200, 0, 0} m"},
        {"1 1 1 box 0 refine", "must be positive"},
        {"1 1 1 box 1e-5 refine", "four million"},
        {"1 file", "the name of a file is missing"},
        {"\"nowhere.stl\" 1 file", "nowhere.stl"},
        {"\"model.step\" 1 file", "must end in .stl"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        fixture_open(&f);
        RbMesh mesh;
        ENSURE(rb_recipe_solid(cases[i].recipe, NULL, "part", RB_NOWHERE, &f.arena, f.scratch,
                               &f.diag, &mesh) != RB_OK);
        bool told = strstr(fixture_message(&f, 0), cases[i].message) != NULL;
        if (!told) print_error("%s\n%s\n", cases[i].recipe, fixture_message(&f, 0));
        ENSURE(told);
        fixture_close(&f);
    }
}

// What a recipe ends in is known without following it.
static void solids_and_polygons(void **state) {
    (void)state;
    ENSURE(rb_recipe_is_solid("1 1 1 box"));
    ENSURE(rb_recipe_is_solid("0 0 1 48 circle 2 extrude \n"));
    ENSURE(!rb_recipe_is_solid("0 0 1 48 circle"));
    ENSURE(!rb_recipe_is_solid("1 1 1 sandbox"));
    ENSURE(!rb_recipe_is_solid(" ") && !rb_recipe_is_solid(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_and_polygons), cmocka_unit_test(volumes),
        cmocka_unit_test(many_vertices),       cmocka_unit_test(files),
        cmocka_unit_test(what_makes_no_solid), cmocka_unit_test(files_that_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
