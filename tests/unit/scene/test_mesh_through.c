// SPDX-License-Identifier: MIT
// label: fast
// Nothing passes through a thin part without a word: what a soft contact lets sink in deeper than a sheet is thick ends the run, in the
// middle of the sheet and on its rim, whatever the solver and the speed. A stiff one returns.
#include "stand.h"

#include "geom/mesh_make.h"

enum { BALL, CUBE, TIP, KINDS };

static const double THICK = 1e-3;

static RbMesh mesh_of(Stand *s, int kind) { // its lowest place is 10 mm below the origin
    RbArena *arena = &s->f.arena;
    RbMesh m = kind == TIP ? rb_mesh_cone(0, 0.02, 0.02, 32, arena)
                           : rb_mesh_box(v3(0.02, 0.02, 0.02), arena);
    Vec3 by = kind == TIP ? v3(0, 0, -0.01) : v3(-0.01, -0.01, -0.01);
    return rb_mesh_map(&m, M3_IDENTITY, by, arena);
}

typedef struct Shot {
    int kind;
    double modulus, speed, x;
    const char *solver;
} Shot;

// Does it end with a word?
static bool is_refused(Shot shot) {
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    RbMesh sheet = rb_mesh_box(v3(0.4, 0.4, THICK), &s.f.arena), mesh = mesh_of(&s, shot.kind);
    sheet = rb_mesh_map(&sheet, M3_IDENTITY, v3(-0.2, -0.2, -THICK), &s.f.arena);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    contact.volume.modulus = shot.modulus;
    contact.volume.restitution = 0.7;
    int a = rb_scene_add(s.scene, rb_frame_object("sheet", 0, POSE_IDENTITY));
    RbMassProperties mass = {.mass = 8e-3, .I_CM = m3_diagonal(v3(1e-6, 1e-6, 1e-6))};
    RbSceneObject body = rb_body("shot", mass);
    body.object.moves_freely = true;
    body.object.pose.r = v3(shot.x, 0.017, 0.02);
    body.object.velocity = v3(0, 0, -shot.speed);
    int b = rb_scene_add(s.scene, body);
    RbStatus status =
        shot.kind == BALL
            ? rb_scene_add_round(s.scene, a, &sheet, b, v3(0.01, 0.01, 0.01), contact, &s.f.diag)
            : rb_scene_add_solids(s.scene, a, &sheet, b, &mesh, contact, &s.f.diag);
    ENSURE(status == RB_OK);
    s.options.solver = shot.solver;
    s.options.tolerance = 1e-6;
    s.options.stop_time = 0.05 / shot.speed;
    bool ends = stand_go(&s) != RB_OK, told = false;
    for (int i = 0; i < s.f.diag.messages.count; i++)
        told |= strstr(fixture_message(&s.f, i), "too thin or too soft") != NULL;
    ENSURE(ends == told);
    ENSURE(s.f.diag.messages.count == ends); // and nothing else: the solver does not guess
    // above, or in the sheet; a tip may be a tenth of its size, 4 mm, deep
    ENSURE(stand_state(&s, "shot.r[3]") > 0.01 - (shot.kind == TIP ? 4.5 : 1.1) * THICK);
    if (!ends) ENSURE(stand_state(&s, "shot.v[3]") > 0.5 * shot.speed);
    stand_close(&s);
    return ends;
}

static void nothing_passes_without_a_word(void **state) {
    (void)state;
    static const double middle = 0.013, rim = 0.2;
    for (int kind = 0; kind < KINDS; kind++) {
        ENSURE(is_refused((Shot){kind, 5e5, 10, middle, "cvode"}));
        ENSURE(is_refused((Shot){kind, 5e5, 10, middle, "islands"}));
        ENSURE(is_refused((Shot){kind, 5e3, 10, middle, "cvode"}));
        ENSURE(is_refused((Shot){kind, 5e5, 1000, middle, "islands"}));
        ENSURE(!is_refused((Shot){kind, 5e11, 10, middle, "cvode"}));
    }
    ENSURE(is_refused((Shot){BALL, 5e6, 10, middle, "cvode"})); // 4.7 mm deep by Hertz
    ENSURE(is_refused((Shot){CUBE, 5e5, 10, rim, "cvode"}));
}

// A steel ball beside the edge of a sharp wedge bounces off its flank; flanks that are back to back at any depth are no sheet.
static void a_ball_on_a_sharp_edge(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    RbMesh wedge = rb_mesh_box(v3(0.1, 0.1, 0.1), &s.f.arena);
    Vec3 *v =
        rb_new_array(&s.f.arena, Vec3, wedge.vertex_count); // edge along y, 0.02 m wide 0.1 m below
    for (int i = 0; i < wedge.vertex_count; i++) {
        Vec3 x = wedge.vertices[i];
        double half = x.z > 0.05 ? 1e-6 : 0.01;
        v[i] = v3(x.x > 0.05 ? half : -half, x.y - 0.05, x.z - 0.1);
    }
    wedge.vertices = v;
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    contact.volume.modulus = 1e11;
    int a = rb_scene_add(s.scene, rb_frame_object("wedge", 0, POSE_IDENTITY));
    RbMassProperties mass = {.mass = 4, .I_CM = m3_diagonal(v3(4e-3, 4e-3, 4e-3))};
    RbSceneObject body = rb_body("ball", mass);
    body.object.moves_freely = true;
    body.object.pose.r = v3(0.02, 0, 0.06);
    body.object.velocity = v3(0, 0, -1);
    int b = rb_scene_add(s.scene, body);
    ENSURE(rb_scene_add_round(s.scene, a, &wedge, b, v3(0.05, 0.05, 0.05), contact, &s.f.diag) ==
           RB_OK);
    stand_run(&s, 0.1, 1e-6);
    ENSURE(stand_state(&s, "ball.v[1]") > 0.3);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_passes_without_a_word),
                                       cmocka_unit_test(a_ball_on_a_sharp_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
