// SPDX-License-Identifier: MIT
// label: normal
// Meshes that meet with an edge, a corner or in a groove return with what was typed, as faces do, whatever the friction: nothing slips where nothing
// goes aside. Most falls are symmetric, so that what is returned is the speed after the blow over that before; the eccentric one
// returns at the edge that was hit; the tip that leans, with flanks that overhang, belongs to a body that cannot turn.
#include "stand.h"

#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "geom/moments.h"

enum { EDGE, CORNER, CROSSED, LEANING, GROOVE, ECCENTRIC, KINDS };

// With 1 m/s from a millimetre above the place of touch, which is the origin.
typedef struct Fall {
    const char *what;
    RbMesh lower, upper;
    Pose X;     // of the upper one
    double off; // what may be missing of the restitution
} Fall;

static RbMesh block(Stand *s, Vec3 size) { // about the origin
    RbMesh m = rb_mesh_box(size, &s->f.arena);
    return rb_mesh_map(&m, M3_IDENTITY, v3_scale(-0.5, size), &s->f.arena);
}

static RbMesh plate(Stand *s) {
    RbMesh m = block(s, v3(1, 1, 0.4));
    return rb_mesh_map(&m, M3_IDENTITY, v3(0, 0, -0.2), &s->f.arena);
}

static RbMesh grooved(Stand *s, Mat3 R) {
    RbMesh all = plate(s), cut = block(s, v3(2, 0.3, 0.3)), out;
    cut = rb_mesh_map(&cut, R, V3_ZERO, &s->f.arena);
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &all, "plate", &cut, "groove", RB_NOWHERE, &s->f.arena,
                  s->f.scratch, &s->f.diag, &out) == RB_OK);
    return rb_mesh_map(&out, M3_IDENTITY, v3(0, 0, 0.15 * sqrt(2)), &s->f.arena);
}

// A bar along y with an edge up there.
static RbMesh bar(Stand *s) {
    RbMesh m = block(s, v3(0.4, 1, 0.4));
    Mat3 R = m3_rotation(v3(0, 1, 0), M_PI / 4);
    return rb_mesh_map(&m, R, v3(0, 0, -0.2 * sqrt(2)), &s->f.arena);
}

// A tetrahedron of 0.1 m that stands on a tip at the origin; its middle is 0.075 m above and beside that.
static RbMesh tip(Stand *s) {
    static const RbTriangle faces[4] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}, {{1, 2, 3}}};
    Vec3 *vertices = rb_new_array(&s->f.arena, Vec3, 4);
    for (int i = 0; i < 3; i++) {
        double turn = 2 * M_PI / 3 * i;
        vertices[i + 1] = v3(0.1 + 0.03 * cos(turn), 0.03 * sin(turn), 0.1);
    }
    return (RbMesh){
        .vertices = vertices, .vertex_count = 4, .triangles = faces, .triangle_count = 4};
}

static Fall fall_of(Stand *s, int kind) {
    RbMesh cube = block(s, v3(0.1, 0.1, 0.1));
    Mat3 edge = m3_rotation(v3(1, 0, 0), M_PI / 4), tilted = m3_rotation(v3(1, 0, 0), 0.3);
    Mat3 corner =
        m3_mul(m3_rotation(v3(1, 0, 0), atan(sqrt(0.5))), m3_rotation(v3(0, 1, 0), M_PI / 4));
    Pose on_edge = {v3(0, 0, 0.05 * sqrt(2) + 1e-3), edge};
    switch (kind) {
        case EDGE: return (Fall){"an edge", plate(s), cube, on_edge, 5e-4};
        case CORNER:
            return (Fall){
                "a corner", plate(s), cube, {v3(0, 0, 0.05 * sqrt(3) + 1e-3), corner}, 5e-4};
        case CROSSED: return (Fall){"crossed edges", bar(s), cube, on_edge, 5e-4};
        case LEANING:
            return (Fall){
                "a tip that leans", plate(s), tip(s), {v3(0, 0, 1e-3), M3_IDENTITY}, 1e-3};
        case GROOVE: return (Fall){"a groove", grooved(s, edge), cube, on_edge, 5e-3};
        default: break;
    }
    Vec3 r = v3_neg(m3_mul_vec(tilted, v3(0, -0.05, -0.05)));
    return (Fall){"eccentric", plate(s), cube, {v3(0, r.y, r.z + 1e-3), tilted}, 1e-2};
}

static int add_mesh(Stand *s, const char *name, const RbMesh *mesh, Pose X, bool free) {
    RbMassProperties mass = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(mesh)), 1000);
    if (mesh->vertex_count == 4) // the tip
        mass = (RbMassProperties){.mass = 1, .I_CM = m3_diagonal(v3(1e9, 1e9, 1e9))};
    RbSceneObject body = free ? rb_body(name, mass) : rb_frame_object(name, 0, POSE_IDENTITY);
    body.object.moves_freely = free;
    body.object.pose = X;
    return rb_scene_add(s->scene, body);
}

static void ensure_return(int kind, double typed, double friction, const char *solver) {
    Stand s;
    stand_open(&s);
    Fall f = fall_of(&s, kind);
    RbVolumeLaw law = rb_volume_law();
    law.restitution = typed;
    if (kind == ECCENTRIC) law.modulus = 1e13; // it turns while it touches: for a short time
    law.mu_static = law.mu_kinetic = friction;
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    int a = add_mesh(&s, "lower", &f.lower, POSE_IDENTITY, false);
    int b = add_mesh(&s, "upper", &f.upper, f.X, true);
    s.scene->objects.data[b].object.velocity = v3(0, 0, -1);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = law};
    ENSURE(rb_scene_add_solids(s.scene, a, &f.lower, b, &f.upper, contact, &s.f.diag) == RB_OK);
    s.options.solver = solver;
    stand_run(&s, kind == ECCENTRIC ? 2e-3 : kind == LEANING ? 0.2 : 0.05, 1e-8);
    Vec3 v = stand_vector(&s, "upper", "v"), w = stand_vector(&s, "upper", "w");
    Vec3 arm = v3(0, -f.X.r.y, 0);
    double e = v3_add(v, v3_cross(w, arm)).z, v2 = v3_norm2(v), I = 0.01 / 6;
    print_message("%s, friction %g: %g, typed %g\n", f.what, friction, e, typed);
    double rubbed = stand_quadrature(&s, "energy.friction");
    if (kind == GROOVE && friction > 0) { // its faces do slip
        ENSURE(e > 0 && e < typed && rubbed > 0.01);
        stand_close(&s);
        return;
    }
    ENSURE_NEAR(e, typed, fmax(5e-4, f.off * typed)); // 5e-4 of the speed of the blow
    if (kind != ECCENTRIC) ENSURE_NEAR(v3_norm(w), 0, 1e-6);
    // of 0.5 J at 1 kg
    double lost = stand_quadrature(&s, "energy.contact_damping");
    ENSURE_NEAR(lost, 0.5 * (1 - v2 - I * v3_norm2(w)), typed < 0.5 ? 5e-3 : 1e-4);
    ENSURE_NEAR(rubbed, 0, 1e-6);
    stand_close(&s);
}

static void returns_what_was_typed(void **state) {
    (void)state;
    static const double typed[] = {0.1, 0.3, 0.9};
    for (int i = 0; i < 3; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            ensure_return(kind, typed[i], 0, "islands");
            if (kind <= GROOVE) ensure_return(kind, typed[i], 0.3, i == 1 ? "cvode" : "islands");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(returns_what_was_typed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
