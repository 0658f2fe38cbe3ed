// SPDX-License-Identifier: MIT
// Equations that are drawn: classes of the name that the standard library leaves to the tool, and
// those of Rattleback.Visualizers. Positions and rotations follow from the closed form of the motion.
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/drawing.h"
#include "rattleback/rattleback.h"

// A stand-in with the names of ModelicaServices, and a crank that turns about z with 2 rad/s.
static const char crank[] =
    "package ModelicaServices package Animation "
    "record Orientation Real T[3,3]; Real w[3]; end Orientation; "
    "partial model PartialShape parameter String shapeType = \"box\"; input Orientation R; "
    "input Real r[3] = {0,0,0}; input Real r_shape[3] = {0,0,0}; "
    "input Real lengthDirection[3] = {1,0,0}; input Real widthDirection[3] = {0,1,0}; "
    "input Real length = 0; input Real width = 0; input Real height = 0; input Real extra = 0; "
    "input Real color[3] = {255,0,0}; end PartialShape; "
    "model Shape extends PartialShape; end Shape; end Animation; end ModelicaServices; "
    "model Crank model Own extends ModelicaServices.Animation.Shape; end Own; "
    "Real a; Real T[3,3] = [cos(a), sin(a), 0; -sin(a), cos(a), 0; 0, 0, 1]; "
    "ModelicaServices.Animation.Orientation R(T = T, w = {0, 0, 2}); "
    "Own arm(R = R, r = {1, 2, 3}, r_shape = {0, 0.5, 0}, lengthDirection = {0, 2, 0}, "
    "  widthDirection = {1, 1, 0}, length = 4, width = 0.2, height = 0.1, color = {10, 20, 30}); "
    "ModelicaServices.Animation.Shape pole(shapeType = \"cylinder\", R(T = identity(3), w = "
    "zeros(3)),"
    "  length = 2, width = 0.5); "
    "ModelicaServices.Animation.Shape cone(shapeType = \"cone\", R = R, length = 1 + a, width = "
    "0.5, "
    "  extra = 0.25, color = {255*a, 0, 0}); "
    "ModelicaServices.Animation.Shape arms[2](each R = R, each length = 1, each width = 1, "
    "  each height = 1, r = {{1, 0, 0}, {2, 0, a}}); "
    "equation a = 2*time; end Crank;";

typedef struct Seen {
    RbContext *context;
    RbModel *model;
    RbRun *run;
    RbHeap heap;
    RbArena arena;
    RbDrawn drawn;
    float poses[20][7];
    RbBlob picture;
} Seen;

static void look(Seen *s, const char *text, double time) {
    const void *bytes;
    size_t size, offset = 0;
    RbChunkView c;
    int next = 0;
    *s = (Seen){.context = rb_context_create(NULL), .heap = rb_heap(NULL)};
    s->arena = rb_arena(&s->heap);
    RbModelica source = rb_modelica_default();
    if (strchr(text, ' '))
        source.text = text;
    else
        source.class_name = text;
    ENSURE(rb_modelica_translate(s->context, &source, &s->model) == RB_OK);
    RbSimOptions options = rb_model_options(s->model);
    ENSURE(rb_run_open(s->context, s->model, &options, &s->run) == RB_OK);
    ENSURE(rb_run_drawing(s->run, &bytes, &size) ==
           RB_OK); // what is drawn shows sizes at the start
    ENSURE(rb_run_step(s->run, RB_UNTIL_TIME, time, NULL) == RB_OK);
    ENSURE(rb_run_drawing(s->run, &bytes, &size) == RB_OK && size > 0);
    ENSURE(!rb_drawn_read((RbBlob){bytes, size}, 2, &s->arena, &s->drawn));
    ENSURE(rb_run_picture(s->run, &bytes, &size) == RB_OK);
    s->picture = (RbBlob){bytes, size};
    ENSURE(!rb_picture_check(s->picture, &s->drawn));
    while (rb_picture_next(s->picture, &offset, &c)) {
        for (uint32_t i = 0; c.kind == RB_CHUNK_POSES && i < c.count; i++)
            memcpy(s->poses[next++], c.data + i * c.item, sizeof *s->poses);
    }
    ENSURE(next == s->drawn.moving_count);
}

static void leave(Seen *s) {
    ENSURE(rb_run_close(s->run, NULL) == RB_OK);
    rb_context_free(s->context);
    rb_arena_free(&s->arena);
}

static int find(const Seen *s, const char *name, int *moving) {
    *moving = 0;
    for (int i = 0; i < s->drawn.object_count; i++) {
        if (strcmp(s->drawn.objects[i].name, name) == 0) return i;
        *moving += s->drawn.objects[i].moves;
    }
    fail_msg("no object %s", name);
    return -1;
}

// The chunk of a kind for an object; false: there is none.
static bool find_chunk(const Seen *s, RbChunkKind kind, int object, RbChunkView *c) {
    size_t offset = 0;
    while (rb_picture_next(s->picture, &offset, c)) {
        if (c->kind == (unsigned)kind && (int)c->object == object) return true;
    }
    return false;
}

static void check_near(const float *is, const double *should, int count) {
    for (int i = 0; i < count; i++) ENSURE(fabs(is[i] - should[i]) < 1e-6);
}

// The arm's axis is y of the crank, its width lies along x: a rotation by 90 degrees about z and by
// 180 about the arm, that is (w, x, y, z) = (0, s, s, 0) in the crank with s = sqrt(1/2).
static void a_shape_moves_with_its_frame(void **state) {
    (void)state;
    Seen s;
    int k;
    double t = 0.7, a = 2 * t;
    look(&s, crank, t);
    int arm = find(&s, "arm", &k);
    const RbDrawObject *o = &s.drawn.objects[arm];
    ENSURE(o->form == RB_FORM_BOX && o->moves);
    ENSURE(o->colour[0] == 10 && o->colour[1] == 20 && o->colour[2] == 30 && o->colour[3] == 255);
    check_near((float[]){(float)o->size[0], (float)o->size[1], (float)o->size[2]},
               (double[]){4, 0.2, 0.1}, 3);
    // Middle of the arm: 0.5 + 4/2 along the crank's y, which is (-sin a, cos a, 0) in the world.
    check_near(s.poses[k], (double[]){1 - 2.5 * sin(a), 2 + 2.5 * cos(a), 3}, 3);
    double h = sqrt(0.5), ca = cos(a / 2), sa = sin(a / 2);
    double q[4] = {0, h * (ca - sa), h * (ca + sa), 0}; // (ca, 0, 0, sa) times (0, h, h, 0)
    double sign = s.poses[k][3 + 2] * q[2] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) q[i] *= sign;
    check_near(s.poses[k] + 3, q, 4);
    leave(&s);
}

static void what_stands_still_has_no_pose(void **state) {
    (void)state;
    Seen s;
    int k;
    look(&s, crank, 0.1);
    const RbDrawObject *o = &s.drawn.objects[find(&s, "pole", &k)];
    ENSURE(!o->moves && o->form == RB_FORM_CYLINDER && o->axis == 1);
    ENSURE(fabs(o->position[0] - 1) < 1e-6 && fabs(o->size[0] - 0.5) < 1e-6 &&
           fabs(o->size[1] - 2) < 1e-6);
    leave(&s);
}

static void sizes_and_colours_change(void **state) {
    (void)state;
    Seen s;
    int k;
    RbChunkView c;
    float size[4];
    look(&s, crank, 0.25);
    int cone = find(&s, "cone", &k);
    ENSURE(s.drawn.objects[cone].form == RB_FORM_CONE);
    ENSURE(find_chunk(&s, RB_CHUNK_SIZES, cone, &c));
    memcpy(size, c.data, sizeof size);
    check_near(size, (double[]){0.5, 1.5, 0.125}, 3);
    ENSURE(find_chunk(&s, RB_CHUNK_COLOURS, cone, &c) && c.data[0] == 128 && c.data[1] == 0);
    int second = find(&s, "arms[2]", &k);
    ENSURE(s.drawn.objects[second].form == RB_FORM_BOX);
    check_near(s.poses[k], (double[]){2 + 0.5 * cos(0.5), 0.5 * sin(0.5), 0.5}, 3);
    leave(&s);
}

// The example of the library: an arrow is as long as 0.02 m/N times the force, a sheet has the
// corners that its equations say.
static void arrows_and_sheets_follow_variables(void **state) {
    (void)state;
    Seen s;
    int k;
    RbChunkView c;
    float size[4], corner[3];
    double t = 0.3, z = 0.3 * cos(sqrt(40) * t);
    look(&s, "Rattleback.Examples.Drawn", t);
    int force = find(&s, "force", &k);
    ENSURE(s.drawn.objects[force].form == RB_FORM_ARROW);
    ENSURE(find_chunk(&s, RB_CHUNK_SIZES, force, &c));
    memcpy(size, c.data, sizeof size);
    ENSURE(fabs(size[2] + 0.02 * 40 * z) < 1e-4);
    int sheet = find(&s, "sheet", &k);
    ENSURE(find_chunk(&s, RB_CHUNK_POINTS, sheet, &c) && c.count == 4);
    memcpy(corner, c.data + 2 * c.item, sizeof corner);
    check_near(corner, (double[]){0.5, 0.5, 0.1 * sin(3 * t + 2)}, 3);
    leave(&s);
}

// A shape from a file, as it stands and scaled by length, width and height; one that cannot be read is
// there without a form.
static void a_shape_may_be_a_file(void **state) {
    (void)state;
    Seen s;
    int k;
    size_t size;
    RbDrawnMesh mesh;
    char folder[512], text[2000];
    ENSURE(getcwd(folder, sizeof folder) != NULL);
    FILE *f = fopen("test_visuals.obj", "w");
    ENSURE(f && fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
                      f) > 0);
    ENSURE(fclose(f) == 0);
    snprintf(
        text, sizeof text,
        "model Files Rattleback.Visualizers.Shape part(shapeType = \"file://%s/test_visuals.obj\", "
        "length = 2, width = 3, height = 4, extra = 1, r = {0, 0, time}); "
        "Rattleback.Visualizers.Shape lost(shapeType = \"file:///nowhere/part.stl\"); end Files;",
        folder);
    look(&s, text, 0.5);
    ENSURE(s.drawn.objects[find(&s, "part", &k)].form == RB_FORM_MESH);
    check_near(s.poses[k], (double[]){0, 0, 0.5}, 3);
    const unsigned char *bytes = rb_run_mesh(s.run, 0, &size);
    ENSURE(bytes && !rb_drawn_mesh((RbBlob){bytes, size}, &mesh));
    ENSURE(mesh.vertex_count == 4 && mesh.triangle_count == 4);
    float largest[3] = {0};
    for (int i = 0; i < 12; i++) {
        float x = rb_get_f32(mesh.vertices + 4 * i);
        if (x > largest[i % 3]) largest[i % 3] = x;
    }
    check_near(largest, (double[]){2, 3, 4}, 3);
    ENSURE(s.drawn.objects[find(&s, "lost", &k)].form == RB_FORM_NONE);
    leave(&s);
    remove("test_visuals.obj");
}

// A mesh has a colour for every corner, or for every triangle, if it says so.
static void corners_and_triangles_have_colours(void **state) {
    (void)state;
    Seen s;
    int k;
    RbChunkView c;
    look(&s,
         "model Coloured parameter Real v[3,3] = [0,0,0; 1,0,0; 0,1,0]; "
         "Rattleback.Visualizers.Mesh corners(triangles = [1,2,3], vertices = v, "
         "colors = [255,0,0; 0,510*time,0; -9,0,300]); "
         "Rattleback.Visualizers.Mesh faces(triangles = [1,2,3; 1,3,2], vertices = v, "
         "colors = [10,20,30; 40,50,60]); end Coloured;",
         0.25);
    ENSURE(find_chunk(&s, RB_CHUNK_COLOURS, find(&s, "corners", &k), &c) && c.count == 3);
    const unsigned char want[] = {255, 0, 0, 255, 0, 128, 0, 255, 0, 0, 255, 255};
    ENSURE(memcmp(c.data, want, sizeof want) == 0);
    ENSURE(find_chunk(&s, RB_CHUNK_COLOURS, find(&s, "faces", &k), &c) && c.count == 2);
    ENSURE(c.data[4] == 40 && c.data[5] == 50 && c.data[6] == 60);
    leave(&s);
}

// A grid of points that a function of the model computes: it moves with the variables that the function
// is called with, and is no variable of the result.
static void a_surface_is_computed_by_its_function(void **state) {
    (void)state;
    Seen s;
    int k;
    RbChunkView c;
    float point[3];
    double t = 0.4;
    look(&s, "Rattleback.Examples.Ripples", t);
    int water = find(&s, "water", &k);
    ENSURE(s.drawn.objects[water].form == RB_FORM_MESH);
    ENSURE(find_chunk(&s, RB_CHUNK_POINTS, water, &c) && c.count == 31 * 31);
    for (int i = 0; i < 31;
         i += 5) { // x and y go from -1 to 1; water rises by 0.1 cos(8 r - 5 t)/(1 + 3 r)
        double x = -1 + 2 * i / 30.0, y = -1 + 2 * 7 / 30.0, r = sqrt(x * x + y * y);
        memcpy(point, c.data + (size_t)(31 * i + 7) * c.item, sizeof point);
        check_near(point, (double[]){x, y, 0.1 * cos(8 * r - 5 * t) / (1 + 3 * r)}, 3);
    }
    ENSURE(find_chunk(&s, RB_CHUNK_COLOURS, water, &c) && c.count == 31 * 31);
    int rim = find(&s, "rim", &k);
    ENSURE(s.drawn.objects[rim].form == RB_FORM_MESH && !s.drawn.objects[rim].moves);
    ENSURE(s.drawn.objects[rim].colour[3] == 51); // transparency 0.8
    leave(&s);
}

// A surface without a function that could be called is not drawn; the run does not care.
// The lower face of a block that rests on a plate, with the pressure of its weight over it: E depth/L, the same at all corners.
static void where_workpieces_touch(void **state) {
    (void)state;
    static const char text[] =
        "model Resting import Rattleback.*; "
        "inner World world(gravity = {0, 0, -10}, showContacts = true, steadyStart = true); "
        "Materials.Solid m(name = \"M\", density = 1000, youngsModulus = 1e7, poissonsRatio = 0.3); "
        "Materials.Pair p(a = \"M\", b = \"M\", restitution = 0.3); "
        "Parts.Workpiece plate(mesh = Solids.Box({1, 1, 0.1}), material = \"M\", r = {-0.5, -0.5, -0.1}, fixed = true); "
        "Parts.Workpiece block_(mesh = Solids.Box({0.1, 0.2, 0.06}), material = \"M\"); end Resting;";
    Seen s;
    RbChunkView c;
    int moving;
    look(&s, text, 0.1);
    int patches = find(&s, "contact patches", &moving);
    size_t offset = 0;
    double low = INFINITY, high = 0, wide = 0;
    while (rb_picture_next(s.picture, &offset, &c)) {
        if (c.kind != RB_CHUNK_POLYGON || (int)c.object != patches) continue;
        for (uint32_t i = 0; i < c.count; i++) {
            float corner[4];
            memcpy(corner, c.data + i * c.item, sizeof corner);
            low = fmin(low, corner[3]), high = fmax(high, corner[3]), wide = fmax(wide, corner[1]);
            ENSURE_NEAR(corner[2], 0, 1e-4);
        }
    }
    ENSURE_NEAR(low, 600, 1);
    ENSURE_NEAR(high, 600, 1);
    ENSURE_NEAR(wide, 0.2, 1e-6);
    leave(&s);
}

static void a_surface_without_a_function_is_not_drawn(void **state) {
    (void)state;
    Seen s;
    int k;
    look(&s,
         "model Bare Rattleback.Visualizers.Surface nothing; Rattleback.Visualizers.Shape box(r = "
         "{time, 0, 0}); end Bare;",
         0.5);
    ENSURE(s.drawn.objects[find(&s, "nothing", &k)].form == RB_FORM_NONE);
    leave(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_moves_with_its_frame),
        cmocka_unit_test(what_stands_still_has_no_pose),
        cmocka_unit_test(sizes_and_colours_change),
        cmocka_unit_test(arrows_and_sheets_follow_variables),
        cmocka_unit_test(a_shape_may_be_a_file),
        cmocka_unit_test(corners_and_triangles_have_colours),
        cmocka_unit_test(a_surface_is_computed_by_its_function),
        cmocka_unit_test(where_workpieces_touch),
        cmocka_unit_test(a_surface_without_a_function_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
