// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (patches and bristles also run in scene/test_sticking and scene/test_faces)
// A scene and its image with all lengths times l, all times and speeds times the root of l and the modulus times l are one motion: weights and elastic
// forces go with l³ both, if the lengths and speeds of the law are scaled too. No length that nobody typed may show, though parts are a few micrometres wide.
#include "elastic.h"

enum { HULL_POINTS = 12, ROWS = 9 };

typedef enum Kind { A_BOX, A_HULL, A_CAPSULE, A_BALL, KINDS } Kind;
static const char *const kinds[] = {"box", "hull", "capsule", "ball"};

// Places and speeds at the end as they would be for l = 1.
typedef struct Ending {
    double values[ROWS];
    int starts;
} Ending;

static RbShape shape_of(Stand *s, Kind kind, double l) {
    RbShape shape = rb_shape_box(v3(0.1 * l, 0.06 * l, 0.03 * l));
    RbRng rng = rb_rng(3);
    Vec3 points[HULL_POINTS];
    for (int k = 0; k < HULL_POINTS; k++) points[k] = v3_scale(0.05 * l, rb_rng_direction(&rng));
    if (kind == A_HULL)
        ENSURE(rb_shape_hull(points, HULL_POINTS, 0.001 * l, "hull", (RbPos){0}, s->scene->arena,
                             s->f.scratch, &s->f.diag, &shape) == RB_OK);
    if (kind == A_CAPSULE) shape = rb_shape_capsule(1, 0.05 * l, 0.08 * l);
    if (kind == A_BALL) shape = rb_shape_sphere(0.08 * l);
    shape.smoothing = 0.001 * l;
    return shape;
}

static void scale_law(Stand *s, double l) {
    RbPairLaw *law = stand_law(s, "Steel", "Steel");
    double v = sqrt(l);
    law->restitution = 0.4, law->mu_k = 0.3, law->mu_r = 0;
    law->v_small = 0.01 * v, law->v_static = 0.01 * v, law->w_small = 0.01 / v;
    law->bristle_length = 1e-5 * l, law->bristle_time = 1e-3 * v;
    stand_soften(s, "Steel", 1e8 * l);
}

// Falls on a plate, turning.
static Ending play(Kind kind, double l, double tolerance) {
    double v = sqrt(l), m = 0.18 * l * l * l;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    scale_law(&s, l);
    RbShape plate = rb_shape_box(v3(l, l, 0.1 * l));
    plate.smoothing = 0.001 * l;
    RbSceneObject table = rb_solid("table", plate, "Steel");
    table.object.pose.r = v3(0, 0, -0.05 * l);
    rb_scene_add(s.scene, table);
    RbSceneObject o = rb_solid("body", shape_of(&s, kind, l), "Steel");
    o.object.moves_freely = true;
    o.object.pose = (Pose){v3(0, 0, 0.1 * l), m3_rotation(v3_unit(v3(3, 2, 1)), 0.37)};
    o.object.velocity = v3(0.3 * v, 0, 0);
    o.object.angular_velocity = v3(3 / v, -2 / v, 0);
    o.object.has_mass = true;
    o.object.mass = (RbMassProperties){
        .mass = m, .I_CM = m3_scale(m * l * l, m3_diagonal(v3(4e-4, 9e-4, 1.1e-3)))};
    rb_scene_add(s.scene, o);
    stand_run(&s, 0.2 * v, tolerance);
    Ending end = {.starts = stand_starts(&s)};
    v3_store(end.values, v3_scale(1 / l, stand_vector(&s, "body", "r")));
    v3_store(end.values + 3, v3_scale(1 / v, stand_vector(&s, "body", "v")));
    v3_store(end.values + 6, v3_scale(v, stand_vector(&s, "body", "w")));
    stand_close(&s);
    return end;
}

// [m], [m/s], spins at 0.1 m
static double difference(const Ending *a, const Ending *b) {
    double d = 0;
    for (int i = 0; i < ROWS; i++)
        d = fmax(d, (i < 6 ? 1 : 0.1) * fabs(a->values[i] - b->values[i]));
    return d;
}

// Within ten times what a tenth of the tolerance changes, or 100 times the tolerance where by chance that is less. With a band of contact of 1e-12 m for
// parts of any size the ball was off by 4.6e-5 at 1e-5 and 4.6e-4 at 1e-6, the box by 3.2e-7 and 3.3e-6.
static void small_scenes_are_images_of_large_ones(void **state) {
    (void)state;
    const double tolerance = 1e-9;
    static const double scales[] = {1e-3, 1e-5, 1e-6};
    for (int kind = 0; kind < KINDS; kind++) {
        Ending one = play((Kind)kind, 1, tolerance), fine = play((Kind)kind, 1, 0.1 * tolerance);
        double bound = 10 * fmax(10 * tolerance, difference(&one, &fine));
        ENSURE(one.starts > 0);
        for (int k = 0; k < 3; k++) {
            Ending image = play((Kind)kind, scales[k], tolerance);
            double off = difference(&one, &image);
            print_message("%s at %g: %d contacts, off by %.2g m/s, allowed %.2g\n", kinds[kind],
                          scales[k], image.starts, off, bound);
            ENSURE(image.starts == one.starts);
            ENSURE(off <= bound);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_scenes_are_images_of_large_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
