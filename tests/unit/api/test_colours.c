// SPDX-License-Identifier: MIT
// Colours and transparency that a model gives to its parts: they arrive in the drawing of a run, and in glTF.
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/drawing.h"
#include "rattleback/rattleback.h"

static const char parts[] =
    "model M import Rattleback.*; inner World world; "
    "Parts.Solid red(color = {204, 51, 26}, transparency = 0.2, r = {0, 1, 0}, "
    "  r_shape = {0, 0.5, 0}); "
    "Parts.Solid plain(fixed = true, r = {0, 9, 0}); "
    "Parts.Solid ghost(fixed = true, transparency = 0.6, r = {5, 0, 0}); "
    "Parts.Workpiece cup(fixed = true, r = {0, -5, 0}, color = {1, 2, 3}, "
    "  mesh = Solids.Box({1, 1, 1})); "
    "Parts.Fixed base(r = {0, 0, 7}); "
    "Parts.Visual mark(shape = Shapes.Sphere(0.1), color = {0, 255, 0}); "
    "Parts.BodyShape arm(shape = Shapes.Box(1, 0.1, 0.1), color = {9, 8, 7}); "
    "Joints.Revolute pin; "
    "Parts.SoftBody jelly(r_start = {9, 0, 0}, color = {10, 20, 30}, transparency = 0.4); "
    "Particles.Grid sand(n = 8, low = {20, 0, 0}, high = {20.1, 0.1, 0.1}, color = {90, 80, 70}); "
    "equation connect(base.frame_b, mark.frame_a); connect(base.frame_b, pin.frame_a); "
    "connect(pin.frame_b, arm.frame_a); end M;";

typedef struct Seen {
    RbContext *context;
    RbModel *model;
    RbRun *run;
    RbHeap heap;
    RbArena arena;
    RbDrawn drawn;
} Seen;

static RbStatus translate(Seen *s, const char *text) {
    *s = (Seen){.context = rb_context_create(NULL), .heap = rb_heap(NULL)};
    s->arena = rb_arena(&s->heap);
    RbModelica source = rb_modelica_default();
    source.text = text;
    return rb_modelica_translate(s->context, &source, &s->model);
}

static RbStatus open_run(Seen *s) {
    RbSimOptions options = rb_model_options(s->model);
    return rb_run_open(s->context, s->model, &options, &s->run);
}

static void look(Seen *s, const char *text) {
    const void *bytes;
    size_t size;
    ENSURE(translate(s, text) == RB_OK && open_run(s) == RB_OK);
    ENSURE(rb_run_drawing(s->run, &bytes, &size) == RB_OK);
    RbBlob blob = {bytes, size};
    ENSURE(!rb_drawn_read(blob, 20, &s->arena, &s->drawn));
}

static void close_run(Seen *s) {
    if (s->run) ENSURE(rb_run_close(s->run, NULL) == RB_OK);
    rb_context_free(s->context);
    rb_arena_free(&s->arena);
}

// The first object of this name that has a form.
static const RbDrawObject *find(const Seen *s, const char *name) {
    for (int i = 0; i < s->drawn.object_count; i++) {
        const RbDrawObject *o = &s->drawn.objects[i];
        if (strcmp(o->name, name) == 0 && o->form != RB_FORM_NONE) return o;
    }
    return NULL;
}

static void check(const Seen *s, const char *name, int r, int g, int b, int a, bool only) {
    const RbDrawObject *o = find(s, name);
    ENSURE(o);
    if (!o) return;
    ENSURE(o->colour[0] == r);
    ENSURE(o->colour[1] == g);
    ENSURE(o->colour[2] == b);
    ENSURE(o->colour[3] == a);
    ENSURE(o->only_opacity == only);
}

static void every_class_with_a_shape_has_a_colour(void **state) {
    (void)state;
    Seen s;
    look(&s, parts);
    check(&s, "red.shape", 204, 51, 26, 204, false);
    check(&s, "plain", 0, 0, 0, 0, false);
    check(&s, "ghost", 0, 0, 0, 102, true);
    check(&s, "cup", 1, 2, 3, 255, false);
    check(&s, "mark", 0, 255, 0, 255, false);
    check(&s, "arm", 9, 8, 7, 255, false);
    check(&s, "grains", 90, 80, 70, 255, false);
    bool surface = false;
    for (int i = 0; i < s.drawn.object_count; i++) {
        const RbDrawObject *o = &s.drawn.objects[i];
        if (strcmp(o->name, "jelly") != 0 || o->form != RB_FORM_MESH) continue;
        surface = true;
        ENSURE(o->colour[0] == 10 && o->colour[1] == 20 && o->colour[2] == 30);
        ENSURE(o->colour[3] == 153);
    }
    ENSURE(surface);
    close_run(&s);
}

static bool said(const RbContext *context, const char *words) {
    for (int i = 0; i < rb_context_message_count(context); i++)
        if (strstr(rb_context_message(context, i), words)) return true;
    return false;
}

static void impossible_colours_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *part, *message;
        RbStatus status;
    } cases[] = {
        {"color = {300, 0, 0}", "between 0 and 255", RB_ERROR_MODEL},
        {"color = {10, -1, 0}", "between 0 and 255", RB_ERROR_MODEL},
        {"transparency = 1.5", "between 0 and 1", RB_ERROR_MODEL},
        {"color = {0.8, 0.2, 0.1}", "nearly black", RB_OK},
    };
    for (int i = 0; i < 4; i++) {
        Seen s;
        char text[300];
        snprintf(text, sizeof text,
                 "model M inner Rattleback.World world; Rattleback.Parts.Solid a(%s); end M;",
                 cases[i].part);
        ENSURE(translate(&s, text) == RB_OK);
        ENSURE(open_run(&s) == cases[i].status);
        ENSURE(said(s.context, cases[i].message));
        close_run(&s);
    }
}

// glTF has linear colours: the numbers of the model to the power 2.2.
static void gltf_has_colour_and_opacity(void **state) {
    (void)state;
    Seen s;
    RbSummary summary;
    const char *journal = "test_colours.rbj", *glb = "test_colours.glb";
    ENSURE(translate(&s, "model M import Rattleback.*; inner World world(gravityType = "
                         "World.GravityType.NoGravity); Parts.Solid red(color = {204, 51, 26}, "
                         "transparency = 0.2); Parts.Solid ghost(transparency = 0.6, r = {5, 0, "
                         "0}, fixed = true); end M;") == RB_OK);
    RbSimOptions options = rb_model_options(s.model);
    options.journal_file = journal;
    options.stop_time = 0.1;
    ENSURE(rb_simulate(s.context, s.model, &options, &summary) == RB_OK);
    ENSURE(rb_export(s.context, journal, glb, 0) == RB_OK);
    FILE *file = fopen(glb, "rb");
    ENSURE(file);
    char json[20000];
    size_t length = file ? fread(json, 1, sizeof json - 1, file) : 0;
    if (file) fclose(file);
    for (size_t i = 0; i < length; i++)
        if (!json[i]) json[i] = ' ';
    json[length] = 0;
    const char *first = strstr(json, "baseColorFactor\":[");
    double c[4] = {0};
    ENSURE(first && sscanf(first + 18, "%lf,%lf,%lf,%lf", c, c + 1, c + 2, c + 3) == 4);
    ENSURE_NEAR(c[0], pow(0.8, 2.2), 1e-5);
    ENSURE_NEAR(c[1], pow(0.2, 2.2), 1e-5);
    ENSURE_NEAR(c[3], 0.8, 1e-5);
    const char *second = first ? strstr(first + 18, "baseColorFactor\":[") : NULL;
    ENSURE(second && sscanf(second + 18, "%lf,%lf,%lf,%lf", c, c + 1, c + 2, c + 3) == 4);
    ENSURE_NEAR(c[3], 0.4, 1e-5);
    unlink(journal);
    unlink(glb);
    close_run(&s);
}

// What the page draws in a pixel is mixed by the browser; here it is what the C interface passes on.
static void solids_of_the_c_interface_have_colours(void **state) {
    (void)state;
    Seen s = {.context = rb_context_create(NULL), .heap = rb_heap(NULL)};
    RbSceneBuilder *scene;
    const void *bytes;
    size_t size;
    s.arena = rb_arena(&s.heap);
    ENSURE(rb_builder_create(s.context, "one", &scene) == RB_OK);
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    ball.free = true;
    memcpy(ball.colour, (unsigned char[]){1, 2, 3, 100}, 4);
    ENSURE(rb_builder_add_solid(scene, &ball, NULL) == RB_OK);
    ENSURE(rb_builder_finish(scene, &s.model) == RB_OK && open_run(&s) == RB_OK);
    ENSURE(rb_run_drawing(s.run, &bytes, &size) == RB_OK);
    RbBlob blob = {bytes, size};
    ENSURE(!rb_drawn_read(blob, 20, &s.arena, &s.drawn));
    check(&s, "ball", 1, 2, 3, 100, false);
    close_run(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_with_a_shape_has_a_colour),
        cmocka_unit_test(impossible_colours_are_refused),
        cmocka_unit_test(gltf_has_colour_and_opacity),
        cmocka_unit_test(solids_of_the_c_interface_have_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
