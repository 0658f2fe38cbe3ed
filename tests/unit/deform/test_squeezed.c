// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (deform/test_cell and deform/test_soft run the same code)
// Bodies of springs that are squeezed far beyond what their modulus bears: no cell turns inside out, the account of energy closes, and the shape comes back. Without the energy of
// cells (deform/cell.h) they stay folded.
#include "bodies.h"

#include "deform/soft.h"
#include "math/rng.h"
#include "soft_run.h"

static void open_scene(Run *r, RbSoftScene *s) {
    ENSURE(rb_model_of_soft_scene(s, &r->f.arena, &r->f.diag, &r->model) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.output_interval = 0.002;
}

static double largest(Run *r, const char *name) {
    const double *series = run_series(r, name);
    double most = 0;
    for (size_t i = 0; i < r->result->row_count; i++) most = fmax(most, fabs(series[i]));
    return most;
}

// How far the account was from its first value at most, of the largest energy in a body.
static double unaccounted(Run *r, const char *energy) {
    const double *account = run_series(r, "account");
    double most = 0;
    for (size_t i = 0; i < r->result->row_count; i++)
        most = fmax(most, fabs(account[i] - account[0]));
    return most / largest(r, energy);
}

// ---- between plates

// Whole cubes, four along each side, 1 cm wide; body-centred ones have their middles after the corners.
static void add_cube(RbSoftScene *s, bool centred) {
    const double a = 0.01;
    rb_soft_scene_add_object(s, "cube", RB_NOWHERE);
    for (int middle = 0; middle <= centred; middle++)
        for (int i = 0; i < (5 - middle) * (5 - middle) * (5 - middle); i++) {
            int n = 5 - middle;
            Vec3 at =
                v3(i % n + 0.5 * middle, i / n % n + 0.5 * middle, i / (n * n) + 0.5 * middle);
            rb_soft_scene_add_molecule(
                s, &(RbMolecule){.r = v3_scale(a, at), .radius = 0.7 * a, .friction = 0.5});
        }
}

// A fixed layer below and a stiff one above, on which forces act downwards: they grow to so many times E times the cross section of the cube, stay, and turn upwards.
static void add_plates(RbSoftScene *s, double times) {
    const double force = times * s->materials.data[0].youngs_modulus * 0.04 * 0.04 / 81;
    const double at[5][2] = {{0, 0}, {0.1, -1}, {0.2, -1}, {0.25, 0.02}, {0.3, 0.02}};
    Block plate = {.n = {9, 1, 9}, .a = 0.01, .radius = 0.007, .low = {-0.02, -0.0145, -0.02}};
    plate.fixed = true;
    add_block(s, "ground", plate);
    plate.fixed = false;
    plate.low.y = 0.0545;
    plate.material = 1;
    int first = s->molecules.count;
    add_block(s, "plate", plate);
    for (int i = first; i < s->molecules.count; i++) {
        RbMolecule *m = &s->molecules.data[i];
        m->force = s->forces.count;
        m->force_count = 5;
        for (int k = 0; k < 5; k++)
            rb_array_push(&s->forces, s->arena,
                          ((RbSoftForce){at[k][0], {0, force * at[k][1], 0}}));
    }
}

typedef struct Kind {
    const char *name;
    RbSoftModel model;
    int neighbours;
    bool centred;
    double cut; // [s] in two, when it is squeezed most; 0: never
} Kind;

static void run_plates(const Kind *kind) {
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = rb_soft_scene_new("plates", &r.f.arena);
    RbSoftMaterial soft = rb_soft_material_default(), stiff = soft;
    soft.youngs_modulus = 5e3;
    soft.damping = 0.3;
    soft.model = kind->model;
    stiff.name = "stiff";
    stiff.youngs_modulus = 1e6;
    s->gravity = V3_ZERO;
    s->neighbours = kind->neighbours;
    rb_soft_scene_add_material(s, &soft);
    rb_soft_scene_add_material(s, &stiff);
    add_cube(s, kind->centred);
    add_plates(s, 3);
    RbSoftChange cut = {RB_SOFT_CUT, kind->cut, "cube", NULL, {0.021, 0, 0}, {1, 0, 0}, RB_NOWHERE};
    if (kind->cut > 0) rb_soft_scene_add_change(s, &cut);
    open_scene(&r, s);
    r.options.stop_time = 0.7;
    r.options.tolerance = 1e-5;
    soft_go(&r);
    const double *low = run_series(&r, "cube.low[2]"), *high = run_series(&r, "cube.high[2]");
    double least = INFINITY, account = unaccounted(&r, "cube.elastic_energy");
    for (size_t i = 0; i < r.result->row_count; i++)
        least = fmin(least, (high[i] - low[i] - 0.014) / 0.04);
    print_message("%s: squeezed to %.2f of its height; at the end strain %.1e, account %.1e\n",
                  kind->name, least, last(&r, "cube.strain"), account);
    ENSURE(least < 0.4);
    ENSURE(largest(&r, "cube.folded") == 0);
    ENSURE((last(&r, "lost_torn") > 0) == (kind->cut > 0));
    ENSURE(fabs(last(&r, "cube.strain")) < 2e-2); // it still rings a little; folded it is 0.5
    ENSURE(account < (kind->model == RB_SOFT_SPRINGS ? 2e-3 : 2e-2));
    run_close(&r);
}

static void a_cube_between_plates(void **state) {
    (void)state;
    const Kind kinds[] = {{"18 neighbours", RB_SOFT_SPRINGS, 18, false, 0},
                          {"26 neighbours", RB_SOFT_SPRINGS, 26, false, 0},
                          {"body-centred", RB_SOFT_SPRINGS, 18, true, 0},
                          {"cut", RB_SOFT_SPRINGS, 18, false, 0.15},
                          {"corotated", RB_SOFT_COROTATED, 18, false, 0},
                          {"Neo-Hookean", RB_SOFT_NEO_HOOKEAN, 18, false, 0}};
    for (int i = 0; i < 6; i++) run_plates(&kinds[i]);
}

// ---- thrown at each other

// Two blocks that meet with so much speed that rho v²/E is between 2 and 40.
static RbSoftScene *violent_scene(uint64_t seed, RbArena *arena) {
    RbRng rng = rb_rng(seed);
    RbSoftScene *s = rb_soft_scene_new("violent", arena);
    s->gravity = V3_ZERO;
    s->neighbours = rb_rng_unit(&rng) < 0.5 ? 18 : 26;
    s->detection = seed % 2 ? RB_SOFT_SURFACES : RB_SOFT_SPHERES;
    double speed = rb_rng_range(&rng, 3, 13); // [m/s]
    for (int i = 0; i < 2; i++) {
        RbSoftMaterial m = rb_soft_material_default();
        m.name = rb_arena_printf(arena, "m%d", i);
        m.youngs_modulus = 4e3;
        m.damping = rb_rng_range(&rng, 0.1, 0.5);
        rb_soft_scene_add_material(s, &m);
        Block b = {.a = 0.02, .radius = 0.014, .material = i};
        for (int k = 0; k < 3; k++) b.n[k] = 2 + (int)(rb_rng_unit(&rng) * 3);
        b.low = i == 0 ? v3(-0.01, -0.01, -0.01) : v3(0.15, 0.03 * rb_rng_unit(&rng), 0);
        int first = s->molecules.count;
        add_block(s, i == 0 ? "left" : "right", b);
        Vec3 spin = v3_scale(20, rb_rng_direction(&rng));
        for (int k = first; k < s->molecules.count; k++) {
            RbMolecule *p = &s->molecules.data[k];
            p->friction = 0.1;
            p->v = v3_add(v3((i == 0 ? 0.5 : -0.5) * speed, 0, 0),
                          v3_cross(spin, v3_sub(p->r, b.low)));
        }
    }
    return s;
}

// The account of energy at a tolerance; in no row a cell is folded.
static double run_violent(uint64_t seed, double tolerance, double *squeezed) {
    Run r;
    run_open(&r, "pendulum");
    open_scene(&r, violent_scene(seed, &r.f.arena));
    r.options.stop_time = 0.3;
    r.options.tolerance = tolerance;
    soft_go(&r);
    double folded = largest(&r, "left.folded") + largest(&r, "right.folded");
    if (folded > 0) print_error("scene %d is folded\n", (int)seed);
    ENSURE(folded == 0);
    *squeezed = fmax(*squeezed, fmax(largest(&r, "left.strain"), largest(&r, "right.strain")));
    double found = unaccounted(&r, "account");
    run_close(&r);
    return found;
}

static void violent_scenes(void **state) {
    (void)state;
    const int count = 12;
    double coarse = 0, fine = 0, worst = 0, squeezed = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)count; seed++) {
        coarse += log(run_violent(seed, 1e-4, &squeezed));
        double found = run_violent(seed, 1e-6, &squeezed);
        fine += log(found);
        worst = fmax(worst, found);
    }
    coarse = exp(coarse / count), fine = exp(fine / count);
    print_message("largest strain %.2f; account at 1e-4: mean %.1e; at 1e-6: %.1e, worst %.1e\n",
                  squeezed, coarse, fine, worst);
    ENSURE(squeezed > 0.6);
    ENSURE(fine < 0.1 * coarse && worst < 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cube_between_plates),
                                       cmocka_unit_test(violent_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
