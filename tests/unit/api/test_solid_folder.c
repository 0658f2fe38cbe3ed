// SPDX-License-Identifier: MIT
// A folder with the convex parts of one body: a cup of five boxes by closed forms, a ball in it, and what is refused.
#include "testing.h"

#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "rattleback/rattleback.h"

typedef struct Folder {
    RbContext *context;
    char path[64];
    int made;
    char files[1100][96];
} Folder;

static const char *file_in(Folder *f, const char *name) {
    snprintf(f->files[f->made], sizeof f->files[0], "%s/%s", f->path, name);
    return f->files[f->made++];
}

static int open_folder(void **state) {
    static Folder f;
    f = (Folder){.context = rb_context_create(NULL)};
    snprintf(f.path, sizeof f.path, "/tmp/rb_solid_folder_%d", (int)getpid());
    *state = &f;
    return mkdir(f.path, 0700);
}

static int close_folder(void **state) {
    Folder *f = *state;
    for (int i = 0; i < f->made; i++) unlink(f->files[i]);
    rb_context_free(f->context);
    return rmdir(f->path);
}

static void write_text(Folder *f, const char *name, const char *text) {
    FILE *file = fopen(file_in(f, name), "w");
    fputs(text, file);
    fclose(file);
}

static const char *last_message(const Folder *f) {
    return rb_context_message(f->context, rb_context_message_count(f->context) - 1);
}

// Floor and four walls; numbers that single precision holds.
static const struct {
    const char *name;
    double from[3], to[3];
} boxes[] = {{"a.stl", {0, 0, 0}, {4, 4, 0.25}},
             {"b.obj", {0, 0, 0.25}, {0.5, 4, 2.25}},
             {"c.ply", {3.5, 0, 0.25}, {4, 4, 2.25}},
             {"d.OBJ", {0.5, 0, 0.25}, {3.5, 0.5, 2.25}},
             {"e.stl", {0.5, 3.5, 0.25}, {3.5, 4, 2.25}}};
enum { BOXES = 5 };

// The last first: their names count. What is no mesh is passed over.
static void write_cup(Folder *f) {
    for (int i = BOXES - 1; i >= 0; i--) {
        RbWorkpiece *form;
        const double *a = boxes[i].from, *b = boxes[i].to;
        double size[] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        ENSURE(rb_workpiece_box(f->context, size, &form) == RB_OK);
        ENSURE(rb_workpiece_map(form, NULL, a, &form) == RB_OK);
        ENSURE(rb_workpiece_write(form, file_in(f, boxes[i].name)) == RB_OK);
    }
    write_text(f, "b.mtl", "newmtl red\n");
    write_text(f, ".hidden.stl", "");
}

// Mass, centre and inertia of all, as of boxes that are moved (Steiner).
static void a_cup_of_five_parts(void **state) {
    Folder *f = *state;
    const RbNamedWorkpiece *parts;
    RbNamedWorkpiece whole;
    int count;
    const double scale = 0.125;
    double volume = 0, moment[3] = {0}, inertia[3] = {0}; // about the origin
    write_cup(f);
    ENSURE(rb_workpiece_read_folder(f->context, f->path, scale, &parts, &count, &whole) == RB_OK);
    ENSURE(count == BOXES && whole.findings.parts == BOXES);
    for (int i = 0; i < BOXES; i++) {
        const double *a = boxes[i].from, *b = boxes[i].to;
        double v = scale * scale * scale * (b[0] - a[0]) * (b[1] - a[1]) * (b[2] - a[2]);
        ENSURE(strcmp(parts[i].name, boxes[i].name) == 0);
        ENSURE_NEAR(parts[i].findings.volume, v, 1e-15);
        volume += v;
        for (int k = 0; k < 3; k++) {
            moment[k] += v * scale * 0.5 * (a[k] + b[k]);
            for (int j = 1; j <= 2; j++) { // the integral of x^2 is v (a^2 + a b + b^2)/3
                double p = scale * a[(k + j) % 3], q = scale * b[(k + j) % 3];
                inertia[k] += v * (p * p + p * q + q * q) / 3;
            }
        }
    }
    ENSURE_NEAR(whole.findings.volume, volume, 1e-15);
    for (int k = 0; k < 3; k++) {
        double c1 = moment[(k + 1) % 3] / volume, c2 = moment[(k + 2) % 3] / volume;
        ENSURE_NEAR(whole.findings.centroid[k], moment[k] / volume, 1e-15);
        ENSURE_NEAR(whole.findings.inertia[4 * k], inertia[k] - volume * (c1 * c1 + c2 * c2),
                    1e-15);
    }
    ENSURE_NEAR(whole.findings.high[2], scale * 2.25, 0);
}

// In the cup, not in its hull: 0.9 less the wall of 0.25 and the radius.
static void distance_to_a_cup(void **state) {
    Folder *f = *state;
    RbCollideOptions options = rb_collide_options_default();
    RbCollideWorld *world;
    RbCollideShape cup, ball;
    RbCollideContact contact;
    write_cup(f);
    ENSURE(rb_collide_create(&options, &world) == RB_OK);
    ENSURE(rb_collide_file(world, f->path, 0.5, 0, &cup) == RB_OK);
    ENSURE(rb_collide_sphere(world, 0.25, &ball) == RB_OK);
    ENSURE(rb_collide_shapes(world, cup, (double[]){0, 0, 0}, NULL, ball, (double[]){0.9, 1, 1},
                             NULL, &contact) == RB_OK);
    ENSURE_NEAR(contact.distance, 0.9 - 0.25 - 0.125, 1e-12);
    rb_collide_free(world);
}

static void a_ball_falls_into_a_cup(void **state) {
    Folder *f = *state;
    RbSceneBuilder *scene;
    RbModel *model;
    RbRun *run;
    RbObjectMotion m;
    int cup, ball;
    write_cup(f);
    ENSURE(rb_builder_create(f->context, "cup", &scene) == RB_OK);
    ENSURE(rb_builder_gravity(scene, (double[]){0, 0, -9.81}) == RB_OK);
    RbSolid body = rb_solid_default("cup", RB_SOLID_MESH, "DryWood");
    body.mesh_file = f->path;
    body.mesh_scale = 0.125;
    ENSURE(rb_builder_add_solid(scene, &body, &cup) == RB_OK);
    RbSolid round = rb_solid_default("ball", RB_SOLID_SPHERE, "DryWood");
    round.diameter = 0.08;
    round.free = true;
    round.position[0] = 0.2, round.position[1] = 0.27, round.position[2] = 0.4;
    round.velocity[0] = 0.5, round.velocity[1] = -0.3;
    ENSURE(rb_builder_add_solid(scene, &round, &ball) == RB_OK);
    ENSURE(rb_builder_finish(scene, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 3;
    ENSURE(rb_run_open(f->context, model, &options, &run) == RB_OK);
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 3, NULL) == RB_OK);
    ENSURE(rb_run_motion(run, ball, &m) == RB_OK);
    ENSURE_NEAR(m.position[2], 0.25 * 0.125 + 0.04, 1e-5); // on the floor, but for what it sinks in
    for (int k = 0; k < 2; k++)
        ENSURE(m.position[k] > 0.0625 + 0.039 && m.position[k] < 0.4375 - 0.039);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
}

// A part is called as its file and its object.
static void objects_of_a_file_are_parts(void **state) {
    Folder *f = *state;
    const RbNamedWorkpiece *parts;
    RbNamedWorkpiece whole;
    int count;
    write_text(f, "two.obj",
               "o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
               "o right\nv 5 0 0\nv 7 0 0\nv 5 2 0\nv 5 0 2\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n");
    ENSURE(rb_workpiece_read_folder(f->context, f->path, 1, &parts, &count, &whole) == RB_OK);
    ENSURE(count == 2 && strcmp(parts[0].name, "two.obj: left") == 0 &&
           strcmp(parts[1].name, "two.obj: right") == 0);
    ENSURE_NEAR(whole.findings.volume, 1.0 / 6 + 8.0 / 6, 1e-14);
}

static void refused(Folder *f, RbStatus want, const char *message) {
    const RbNamedWorkpiece *parts;
    RbNamedWorkpiece whole;
    int count;
    RbStatus status = rb_workpiece_read_folder(f->context, f->path, 1, &parts, &count, &whole);
    if (status == want && strstr(last_message(f), message) && !parts && count == 0 && !whole.form)
        return;
    print_error("%d: %s\nwanted: %s\n", status, last_message(f), message);
    fail();
}

// Beyond the inner faces of an angle there is a leg of 1 m; its hull has 3.5 m3 instead of 3.
static void what_is_refused(void **state) {
    Folder *f = *state;
    RbWorkpiece *angle;
    refused(f, RB_ERROR_IO, "there is no file .stl, .obj or .ply in this folder");
    RbWorkpiecePolygon corner = {(double[]){0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2}, (int[]){6}, 1};
    ENSURE(rb_workpiece_extrude(f->context, &corner, 1, &angle) == RB_OK);
    ENSURE(rb_workpiece_write(angle, file_in(f, "m.stl")) == RB_OK);
    refused(f, RB_ERROR_MODEL,
            "m.stl: error: the part 'm.stl' is not convex: it reaches 1 m beyond the plane of its "
            "face at {");
    ENSURE(strstr(last_message(f), "} m, and lacks 14.3 % of the volume of its hull; divide it"));
    ENSURE(rb_workpiece_read(f->context, f->path, 1, &angle) == RB_ERROR_IO);
    ENSURE(strstr(last_message(f), "this is a folder, and one file is needed here"));
    write_text(f, "l.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    refused(f, RB_ERROR_MODEL, "l.obj: error: the part 'l.obj' does not enclose a body: 3 open");
    write_text(f, "k.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\nf 1 2 3\n");
    refused(f, RB_ERROR_MODEL, "k.obj: error: the part 'k.obj' does not enclose a body");
    write_text(f, "b.stl", "no triangles\n");
    refused(f, RB_ERROR_IO, "b.stl");
    write_text(f, "a.stl", "ISO-10303-21;\n");
    refused(f, RB_ERROR_IO, "a.stl: error: this is a STEP file");
    for (int i = f->made; i <= 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.ply", i);
        write_text(f, name, "");
    }
    refused(f, RB_ERROR_IO, "there are 1001 parts in this folder, and at most 1000 can be read");
}

static void missing_arguments_are_told(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    const RbNamedWorkpiece *parts;
    RbNamedWorkpiece whole;
    int count;
    ENSURE(rb_workpiece_read_folder(NULL, "a", 1, &parts, &count, &whole) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read_folder(c, NULL, 1, &parts, &count, &whole) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read_folder(c, "a", 1, NULL, &count, &whole) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read_folder(c, "a", 1, &parts, NULL, &whole) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read_folder(c, "a", 1, &parts, &count, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read_folder(c, "a", 0, &parts, &count, &whole) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read_folder(c, "/nowhere", 1, &parts, &count, &whole) == RB_ERROR_IO);
    ENSURE(rb_context_message_count(c) == 6);
    rb_context_free(c);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, open_folder, close_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_cup_of_five_parts),     IN_FOLDER(distance_to_a_cup),
        IN_FOLDER(a_ball_falls_into_a_cup), IN_FOLDER(objects_of_a_file_are_parts),
        IN_FOLDER(what_is_refused),         cmocka_unit_test(missing_arguments_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
