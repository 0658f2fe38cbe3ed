// SPDX-License-Identifier: MIT
// label: normal
// Surfaces that touch along their edges: a rod on two others, with triangles so coarse that no vertex comes near where they cross. Looked at in the vertices alone
// they sink into each other; along the edges they hold.
#include "bodies.h"

#include "soft_run.h"
#include "deform/soft.h"
#include "deform/surface_list.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

static const double R = 0.0075, A = 0.01; // [m] radius and spacing of molecules

static RbSoftScene *scene; // of the run that is open

static void open_scene(Run *r, RbSoftScene *s, RbSoftDetection detection, double resolution) {
    s->detection = detection;
    s->resolution = resolution;
    scene = s;
    ENSURE(rb_model_of_soft_scene(s, &r->f.arena, &r->f.diag, &r->model) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.output_interval = 0.005;
}

static RbSoftScene *begin(Run *r, double damping, double young) {
    run_open(r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = rb_soft_scene_new("test", &r->f.arena);
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = young;
    m.damping = damping;
    rb_soft_scene_add_material(s, &m);
    return s;
}

// A rod across two that are fixed, so far above the place where the tops of their molecules touch.
static void open_rods(Run *r, RbSoftDetection detection, double resolution, double above) {
    RbSoftScene *s = begin(r, 1, 2e5);
    for (int k = 0; k < 2; k++)
        add_block(s, k ? "right" : "left",
                  (Block){.n = {2, 2, 8},
                          .a = A,
                          .radius = R,
                          .low = {(k ? 0.025 : -0.025) - 0.005, -A, -0.027},
                          .fixed = true});
    add_block(
        s, "rod",
        (Block){.n = {10, 2, 2}, .a = A, .radius = R, .low = {-0.045, 2 * R + above, -0.005}});
    open_scene(r, s, detection, resolution);
}

typedef struct Rest {
    double height, force; // [m] above the place where molecules touch; [weight]
} Rest;

static Rest come_to_rest(RbSoftDetection detection, double resolution) {
    Run r;
    open_rods(&r, detection, resolution, 1e-3);
    r.options.stop_time = detection == RB_SOFT_EDGES ? 2 : 0.6;
    soft_go(&r);
    Rest rest = {last(&r, "rod.r[2]") - 0.5 * A - 2 * R,
                 last(&r, "rod.contact_force[2]") / (last(&r, "rod.mass") * 9.81)};
    run_close(&r);
    return rest;
}

// Triangles of 20 mm and more on rods of 25 mm, and no vertex where they cross. With triangles of 4 mm both ways of looking agree; with coarse ones vertices let them sink in by a quarter of a radius.
static void edges_hold_what_vertices_miss(void **state) {
    (void)state;
    Rest fine = come_to_rest(RB_SOFT_SURFACES, R / 2), edges = come_to_rest(RB_SOFT_EDGES, 0.024),
         vertices = come_to_rest(RB_SOFT_SURFACES, 0.024);
    print_message("rest, fine: %.3f mm; coarse: vertices %.3f mm, edges %.3f mm, force %.9f\n",
                  1e3 * fine.height, 1e3 * vertices.height, 1e3 * edges.height, edges.force);
    ENSURE_NEAR(edges.force, 1, 1e-6);
    ENSURE(vertices.height - fine.height < -1.5e-3);
    ENSURE_NEAR(edges.height, fine.height, 1.2e-3);
}

static double contacts_at_start(RbSoftDetection detection, double above) {
    Run r;
    open_rods(&r, detection, 0.024, above);
    r.options.stop_time = 1e-4;
    soft_go(&r);
    double contacts = run_series(&r, "contacts")[0];
    run_close(&r);
    return contacts;
}

// 1.4 mm deep no vertex is inside, but edges are.
static void vertices_see_nothing(void **state) {
    (void)state;
    double vertices = contacts_at_start(RB_SOFT_SURFACES, -1.4e-3),
           edges = contacts_at_start(RB_SOFT_EDGES, -1.4e-3);
    print_message("contacts 1.4 mm deep: vertices %g, edges %g\n", vertices, edges);
    ENSURE(vertices == 0 && edges > 0);
    ENSURE(contacts_at_start(RB_SOFT_EDGES, 1e-3) == 0);
}

typedef struct Kept {
    double linear, angular, energy;
} Kept;

static Kept momentum_of(const RbNetwork *n, const double *x) {
    Vec3 linear = V3_ZERO, angular = V3_ZERO;
    for (int i = 0; i < n->free_count; i++) {
        Vec3 mv = v3_scale(n->mass[i], v3_load(x + 3 * (n->free_count + i)));
        linear = v3_add(linear, mv);
        angular = v3_add(angular, v3_cross(v3_load(x + 3 * i), mv));
    }
    return (Kept){v3_norm(linear), v3_norm(angular), 0};
}

// Two bars that fly crosswise into each other and turn, without losses.
static Kept collide(double tolerance) {
    Run r;
    RbSoftScene *s = begin(&r, 0, 2e5);
    s->gravity = V3_ZERO;
    add_block(s, "one", (Block){.n = {2, 2, 7}, .a = A, .radius = R, .low = {0, 0, -0.03}});
    add_block(s, "two", (Block){.n = {7, 2, 2}, .a = A, .radius = R, .low = {-0.02, 0.035, 0}});
    for (int i = 0; i < s->molecules.count; i++) {
        RbMolecule *p = &s->molecules.data[i];
        p->friction = 0;
        p->v = p->object == 0 ? v3_add(v3(0, 0.5, 0), v3_cross(v3(2, 0, 3), p->r)) : v3(0, -0.5, 0);
    }
    open_scene(&r, s, RB_SOFT_EDGES, 0.024);
    r.options.tolerance = tolerance;
    r.options.solver = "leapfrog";
    r.options.stop_time = 0.08;
    soft_go(&r);
    const double *account = run_series(&r, "account"), *contacts = run_series(&r, "contacts");
    double touched = 0;
    for (size_t i = 0; i < r.result->row_count; i++) touched = fmax(touched, contacts[i]);
    ENSURE(touched > 3 && contacts[0] == 0 && contacts[r.result->row_count - 1] == 0);
    RbSegment *g = rb_sim_stage(&r.sim)->system->parts[0].segment;
    RbNetwork n = network_of(&r.f, scene);
    double *start = rb_new_array(&r.f.arena, double, g->states.count);
    for (int i = 0; i < g->states.count; i++) start[i] = g->states.data[i].start;
    Kept before = momentum_of(&n, start), after = momentum_of(&n, run_now(&r)->x);
    Kept kept = {fabs(after.linear - before.linear) / 0.02,
                 fabs(after.angular - before.angular) / before.angular,
                 fabs(account[r.result->row_count - 1] / account[0] - 1)};
    run_close(&r);
    return kept;
}

// The force is the gradient of an energy wherever on an edge it acts, so it begins with nothing and nothing is won or lost.
static void momentum_and_energy_are_kept(void **state) {
    (void)state;
    Kept coarse = collide(1e-4), fine = collide(1e-7);
    print_message("momentum %.1e, angular %.1e, energy %.1e and %.1e\n", coarse.linear,
                  coarse.angular, coarse.energy, fine.energy);
    ENSURE(coarse.linear < 1e-12 && coarse.angular < 1e-11);
    ENSURE(coarse.energy < 1e-2 && fine.energy < 0.1 * coarse.energy);
}

// ---- what the lists find, against all pairs

typedef struct Bodies {
    Fixture f;
    RbNetwork n;
    RbSoftSkin skins[2];
    RbSoftField fields[2];
    Vec3 *rest, *r;
} Bodies;

static void open_bodies(Bodies *b, double cell) {
    fixture_open(&b->f);
    RbSoftScene *s = block_scene(&b->f, 4, 3, 3);
    add_block(s, "other", (Block){.n = {3, 3, 4}, .a = A, .radius = R, .low = {0, 0.03, 0}});
    for (int i = 0; i < s->molecules.count; i++) s->molecules.data[i].radius = R;
    b->n = network_of(&b->f, s);
    b->rest = places(&b->f, s);
    b->r = places(&b->f, s);
    for (int i = 0; i < 2; i++) {
        RbMesh mesh;
        ENSURE(rb_surface_make(&b->n, i, b->rest, cell, &b->f.arena, b->f.scratch, &b->f.diag,
                               &mesh) == RB_OK);
        mesh = rb_mesh_thin(&mesh, 0.1 * R, 1.3 * A, &b->f.arena, b->f.scratch);
        b->skins[i] = rb_skin_attach(&b->n, i, mesh, b->rest, &b->f.arena);
        rb_skin_find_edges(&b->skins[i], &b->f.arena, b->f.scratch);
        b->fields[i] = rb_soft_field(&b->n, i);
    }
}

// Each molecule shaken; the second body turned about its middle and moved.
static void shake(Bodies *b, RbRng *rng, Vec3 shift) {
    const RbNetworkObject *o = &b->n.objects[1];
    Mat3 R_turn = m3_rotation(rb_rng_direction(rng), 0.5 * rb_rng_unit(rng));
    Vec3 middle = v3(0.01, 0.04, 0.015);
    for (int i = 0; i < b->n.count; i++) {
        Vec3 p = b->rest[i];
        if (i >= o->first) p = v3_add(v3_add(middle, shift), m3_mul_vec(R_turn, v3_sub(p, middle)));
        b->r[i] = v3_axpy(p, 0.1 * A * rb_rng_unit(rng), rb_rng_direction(rng));
    }
}

static const double DEEPEST = 2.5; // of the field at 0.6 of the radius of a single molecule

static double field_at(const Bodies *b, int object, Vec3 p) { // over its value at the surface
    const RbNetworkObject *o = &b->n.objects[object];
    double sum = 0, b2 = b->fields[object].reach * b->fields[object].reach;
    for (int i = o->first; i < o->first + o->count; i++)
        sum += pow(fmax(0, 1 - v3_norm2(v3_sub(p, b->r[i])) / b2), 3);
    return sum / b->fields[object].threshold;
}

// By looking everywhere along it.
static double deepest_by_search(const Bodies *b, int object, const RbSoftEdge *e) {
    enum { PLACES = 100 };
    Vec3 p = rb_skin_place(&b->skins[object].vertices[e->a], b->r),
         q = rb_skin_place(&b->skins[object].vertices[e->b], b->r);
    double most = 0;
    for (int i = 0; i <= PLACES; i++)
        most = fmax(most, field_at(b, 1 - object, v3_lerp(p, q, (double)i / PLACES)));
    return most;
}

static double deepest_by_list(const Bodies *b, const RbSurfaceList *l, int object,
                              const RbSoftEdge *e) {
    for (int i = 0; i < l->count; i++) {
        const RbNearVertex *near = &l->near[i];
        if (near->object != object || near->vertex != e->a || near->end != e->b) continue;
        if (rb_surface_list_idle(l, near)) return 0;
        Vec3 p = rb_surface_list_place(l, object, e->a), q = rb_surface_list_place(l, object, e->b);
        double at = rb_surface_list_deepest(l, near, b->r, p, q);
        return at < 0 ? 0 : field_at(b, 1 - object, v3_lerp(p, q, at));
    }
    return 0;
}

// Of two bodies, deformed at random: every edge that touches is found, and none besides, wherever the list was made.
static int compare(Bodies *b, RbSurfaceList *l) {
    int touching = 0;
    ENSURE(rb_surface_list_update(l, &b->n, b->r));
    for (int object = 0; object < 2; object++) {
        for (int i = 0; i < b->skins[object].edge_count; i++) {
            const RbSoftEdge *e = &b->skins[object].edges[i];
            double searched = deepest_by_search(b, object, e),
                   found = deepest_by_list(b, l, object, e);
            if (fabs(searched - 1) < 1e-4) continue; // which of the two is chance
            ENSURE((searched > 1) == (found > 1));
            if (!(searched > 1)) continue;
            touching++;
            if (searched > DEEPEST) continue; // no force there
            // Of two hills that are nearly as high the lower one may be taken.
            ENSURE(found > searched * (1 - 5e-3) && found < searched * (1 + 1e-3));
        }
    }
    return touching;
}

static void lists_find_what_a_search_finds(void **state) {
    (void)state;
    Bodies b;
    open_bodies(&b, R / 2);
    RbRng rng = rb_rng(7);
    void *memory = calloc(1, rb_surface_list_size(&b.n, b.skins));
    RbSurfaceList *l = rb_surface_list_open(&b.n, b.skins, b.fields, 0.5 * R, memory);
    int touching = 0, kept = 0;
    for (int i = 0; i < 4; i++) {
        shake(&b, &rng, v3(0.004 * rb_rng_unit(&rng), -0.002 - 0.006 * rb_rng_unit(&rng), 0));
        touching += compare(&b, l);
        Vec3 made_at = l->made_at[0];
        for (int k = 0; k < b.n.count; k++) // less than a list lives
            b.r[k] = v3_axpy(b.r[k], 0.1 * l->skin, rb_rng_direction(&rng));
        touching += compare(&b, l);
        kept += v3_norm(v3_sub(made_at, l->made_at[0])) == 0;
    }
    print_message("%d edges touch in 8 places, 4 of them with the list of another\n", touching);
    ENSURE(touching > 500 && kept == 4);
    free(memory);
    fixture_close(&b.f);
}

// The surface is carried along by the molecules inside it: of a body that is drawn out it is so many times farther from the
// outermost of them. The second body begins where the first one ends, less `in`.
static void draw_out(Bodies *b, double factor, double in) {
    const RbNetworkObject *o = &b->n.objects[1];
    double top = -INFINITY, bottom = INFINITY;
    for (int i = 0; i < b->n.count; i++)
        b->r[i] = i < o->first ? v3(b->rest[i].x, factor * b->rest[i].y, b->rest[i].z) : b->rest[i];
    for (int i = 0; i < b->skins[0].mesh.vertex_count; i++)
        top = fmax(top, rb_skin_place(&b->skins[0].vertices[i], b->r).y);
    for (int i = 0; i < b->skins[1].mesh.vertex_count; i++)
        bottom = fmin(bottom, rb_skin_place(&b->skins[1].vertices[i], b->r).y);
    for (int i = o->first; i < b->n.count; i++) b->r[i].y += top - bottom - in;
}

static void lists_of_bodies_that_are_drawn_out(void **state) {
    (void)state;
    Bodies b;
    open_bodies(&b, R / 2);
    void *memory = calloc(1, rb_surface_list_size(&b.n, b.skins));
    RbSurfaceList *l = rb_surface_list_open(&b.n, b.skins, b.fields, 0.1 * R, memory);
    for (double factor = 1; factor < 7; factor++) {
        draw_out(&b, factor, 0.1 * R);
        int touching = compare(&b, l);
        print_message("drawn out to %g: %d edges touch\n", factor, touching);
        ENSURE(touching > 10);
    }
    free(memory);
    fixture_close(&b.f);
}

static void surfaces_without_triangles_are_refused(void **state) {
    (void)state;
    Run r;
    RbSoftScene *s = begin(&r, 1, 2e5); // a ring: the middle of the grid is in its hole
    rb_soft_scene_add_object(s, "ring", RB_NOWHERE);
    for (int i = 0; i < 9; i++) {
        RbMolecule m = {.r = {A * (i / 3), 0, A * (i % 3)}, .radius = R};
        if (i != 4) rb_soft_scene_add_molecule(s, &m);
    }
    open_scene(&r, s, RB_SOFT_EDGES, 0.08);
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&r.f, 0),
                  "the surface of 'ring' has no triangles: a resolution of 0.08 m is coarser than "
                  "the object; 0.0075 m would do") != NULL);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_see_nothing),
        cmocka_unit_test(edges_hold_what_vertices_miss),
        cmocka_unit_test(momentum_and_energy_are_kept),
        cmocka_unit_test(lists_find_what_a_search_finds),
        cmocka_unit_test(lists_of_bodies_that_are_drawn_out),
        cmocka_unit_test(surfaces_without_triangles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
