// SPDX-License-Identifier: MIT
// label: normal
// Bars of springs whose molecules stand on a cubic grid, on a body-centred one, or anyhow, are as stiff as the modulus that was typed: tension, shear (torsion), pure bending and a
// cantilever against closed forms. Ends are moved as a whole, and the energy tells the load: nobody has to say how a load is spread over molecules.
#include "bar.h"

#include "deform/placing.h"

typedef struct Rod {
    Fixture f;
    Bar bar;
    RbSoftScene *scene;
    bool *held;
    double *u; // as the ends are moved
    double width, length;
} Rod;

static const double A = 0.01, YOUNG = 1e5, SHEAR = 0.4e5; // [m], [Pa]

static void open_rod(Rod *rod, int m, int longer, RbSoftPlacement placement) {
    *rod = (Rod){.width = (m - 1) * A, .length = (longer * m - 1) * A};
    fixture_open(&rod->f);
    RbSoftScene *s = rod->scene = rb_soft_scene_new("rod", &rod->f.arena);
    RbSoftMaterial material = rb_soft_material_default();
    RbPlacing placing = {{longer * m, m, m}, A, V3_ZERO, NULL, placement};
    int count;
    s->gravity = V3_ZERO;
    rb_soft_scene_add_material(s, &material);
    rb_soft_scene_add_object(s, "rod", RB_NOWHERE);
    const Vec3 *r = rb_placing_points(&placing, &rod->f.arena, &count);
    for (int i = 0; i < count; i++)
        rb_soft_scene_add_molecule(s, &(RbMolecule){.r = r[i], .radius = 0.5 * A});
    rod->bar.n = network_of(&rod->f, s);
    rod->bar.r = places(&rod->f, s);
    rod->bar.held = rod->held = rb_new_array(&rod->f.arena, bool, 3 * count);
    rod->u = rb_new_array(&rod->f.arena, double, 3 * count);
    ENSURE(rod->bar.n.objects[0].placement == (placement ? placement : RB_SOFT_CUBIC));
}

static int end_of(const Rod *rod, int i) { // -1, 1 or 0: neither
    double x = rod->bar.r[i].x;
    return x < 1e-9 ? -1 : x > rod->length - 1e-9;
}

static void hold(Rod *rod, int molecule, int axis, double u) {
    rod->held[3 * molecule + axis] = true;
    rod->u[3 * molecule + axis] = u;
}

// Twice the energy with the ends where they are held: K w = -K u, energy (u + w) K (u + w).
static double twice_energy(Rod *rod) {
    int n = 3 * rod->bar.n.count;
    double *load = rb_new_array(&rod->f.arena, double, n),
           *ku = rb_new_array(&rod->f.arena, double, n);
    Bar loose = rod->bar;
    loose.held = rb_new_array(&rod->f.arena, bool, n);
    apply(&loose, rod->u, load);
    for (int i = 0; i < n; i++) load[i] = -load[i];
    const double *w = solve(&rod->f, &rod->bar, load);
    for (int i = 0; i < n; i++) rod->u[i] += w[i];
    apply(&loose, rod->u, ku);
    return dot(rod->u, ku, n);
}

// Nothing is held or moved yet.
static Rod start(const Rod *rod) {
    int n = 3 * rod->bar.n.count;
    memset(rod->held, 0, (size_t)n * sizeof(bool));
    memset(rod->u, 0, (size_t)n * sizeof(double));
    return *rod;
}

static double tension(Rod *r, int m) {
    Rod rod = start(r);
    for (int i = 0; i < rod.bar.n.count; i++)
        if (end_of(&rod, i)) hold(&rod, i, 0, end_of(&rod, i) > 0 ? A : 0);
    hold(&rod, 0, 1, 0), hold(&rod, 0, 2, 0);
    hold(&rod, m - 1, 1, 0); // at z = width: no turning about x
    double found = twice_energy(&rod) * rod.length / (A * A * rod.width * rod.width);
    return found / YOUNG;
}

// Saint-Venant: T = 0.140577 G w⁴ θ/L for a square bar whose ends are turned in their planes and may warp.
static double torsion(Rod *r) {
    Rod rod = start(r);
    const double turn = 0.01;
    double w = rod.width;
    for (int i = 0; i < rod.bar.n.count; i++) {
        int end = end_of(&rod, i);
        if (end == 0) continue;
        double theta = end > 0 ? turn : 0;
        hold(&rod, i, 1, -theta * (rod.bar.r[i].z - w / 2));
        hold(&rod, i, 2, theta * (rod.bar.r[i].y - w / 2));
    }
    hold(&rod, 0, 0, 0);
    double found = twice_energy(&rod) * rod.length / (turn * turn * 0.140577 * w * w * w * w);
    return found / SHEAR;
}

// M = E I θ/L.
static double pure_bending(Rod *r, int m) {
    Rod rod = start(r);
    const double turn = 0.01;
    double w = rod.width;
    for (int i = 0; i < rod.bar.n.count; i++) {
        int end = end_of(&rod, i);
        if (end != 0) hold(&rod, i, 0, end > 0 ? -turn * (rod.bar.r[i].z - w / 2) : 0);
    }
    hold(&rod, 0, 1, 0), hold(&rod, 0, 2, 0), hold(&rod, m - 1, 1, 0);
    double found = twice_energy(&rod) * rod.length / (turn * turn * w * w * w * w / 12);
    return found / YOUNG;
}

// Timoshenko's cantilever, whose far end is lifted and may turn.
static double cantilever(Rod *r) {
    Rod rod = start(r);
    double w = rod.width, l = rod.length, nu = 0.25, k = 10 * (1 + nu) / (12 + 11 * nu);
    for (int i = 0; i < rod.bar.n.count; i++) {
        int end = end_of(&rod, i);
        for (int axis = 0; axis < 3 && end < 0; axis++) hold(&rod, i, axis, 0);
        if (end > 0) hold(&rod, i, 2, A);
    }
    double force = twice_energy(&rod) / A;
    double wanted = A / (l * l * l / (3 * YOUNG * w * w * w * w / 12) + l / (k * SHEAR * w * w));
    return force / wanted;
}

static const char *const names[] = {"", "cubic", "body-centred", "random"};

// From six molecules on within 5 %; of thinner ones the error is told, by how stiff a cantilever is.
static void bars_are_as_stiff_as_typed(void **state) {
    (void)state;
    for (RbSoftPlacement p = RB_SOFT_CUBIC; p <= RB_SOFT_RANDOM; p++)
        for (int m = 3; m <= 6; m += m == 4 ? 2 : 1) {
            Rod rod;
            open_rod(&rod, m, 6, p);
            double found[] = {tension(&rod, m), torsion(&rod), pure_bending(&rod, m),
                              cantilever(&rod)};
            const RbNetworkObject *o = &rod.bar.n.objects[0];
            print_message("%-12s %d wide: tension %.4f, torsion %.4f, bending %.4f, cantilever "
                          "%.4f, told %.3f\n",
                          names[p], m, found[0], found[1], found[2], found[3], o->bending_error);
            
            ENSURE_NEAR(1 + o->bending_error, found[3], p == RB_SOFT_RANDOM ? 0.03 : 2e-3);
            ENSURE(o->layers == m);
            if (m == 6) {
                ENSURE_NEAR(found[0], 1, 0.05);
                ENSURE_NEAR(found[2], 1, 0.05);
                ENSURE_NEAR(found[3], 1, 0.05);
                ENSURE_NEAR(found[1], 1, p == RB_SOFT_BODY_CENTRED ? 0.05 : 0.10);
            }
            fixture_close(&rod.f);
        }
}

// A body-centred grid that is turned is the same grid, and has the volume of its cubes.
static void turned_body_centred_grids(void **state) {
    (void)state;
    Rod straight, turned;
    open_rod(&straight, 3, 2, RB_SOFT_BODY_CENTRED);
    open_rod(&turned, 3, 2, RB_SOFT_BODY_CENTRED);
    Mat3 turn = m3_rotation(v3_unit(v3(1, -2, 0.5)), 1.3);
    for (int i = 0; i < turned.scene->molecules.count; i++) {
        Vec3 *r = &turned.scene->molecules.data[i].r;
        *r = v3_add(v3(0.3, 2, -1), m3_mul_vec(turn, *r));
    }
    RbNetwork n = network_of(&turned.f, turned.scene), *was = &straight.bar.n;
    double mass = 0;
    ENSURE(n.objects[0].placement == RB_SOFT_BODY_CENTRED && n.spring_count == was->spring_count);
    for (int i = 0; i < n.spring_count; i++) {
        ENSURE(n.springs[i].a == was->springs[i].a && n.springs[i].b == was->springs[i].b);
        ENSURE_NEAR(n.springs[i].k, was->springs[i].k, 1e-9 * was->springs[i].k);
    }
    for (int i = 0; i < n.count; i++) mass += n.mass[i];
    ENSURE_NEAR(mass, 1000 * 5 * 2 * 2 * A * A * A, 1e-12);
    ENSURE_NEAR(n.objects[0].spacing, A, 1e-12);
    fixture_close(&straight.f);
    fixture_close(&turned.f);
}

// Springs in the middle of a large body-centred block are those of the derivation.
static void springs_inside(void **state) {
    (void)state;
    Rod rod;
    open_rod(&rod, 10, 1, RB_SOFT_BODY_CENTRED);
    int looked = 0;
    for (int i = 0; i < rod.bar.n.spring_count; i++) {
        const RbSoftSpring *s = &rod.bar.n.springs[i];
        Vec3 d = v3_sub(v3_lerp(rod.bar.r[s->a], rod.bar.r[s->b], 0.5), v3(0.045, 0.045, 0.045));
        if (v3_max_abs(d) > 0.6 * A) continue;
        ENSURE_NEAR(s->k / (YOUNG * A), s->length < 0.9 * A ? 0.6 : 0.8, 1e-12);
        looked++;
    }
    ENSURE(looked >= 8);
    fixture_close(&rod.f);
}

static void what_is_not_so_is_refused(void **state) {
    (void)state;
    Rod rod;
    RbNetwork n;
    open_rod(&rod, 3, 2, RB_SOFT_RANDOM);
    rod.scene->objects.data[0].placement = RB_SOFT_BODY_CENTRED;
    ENSURE(rb_network_build(rod.scene, &rod.f.arena, rod.f.scratch, &rod.f.diag, &n) ==
           RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&rod.f, 0),
                  "the molecules of 'rod' do not stand on a body-centred grid, as its placement "
                  "says; leave it out, and the connections follow from where they stand") != NULL);
    fixture_close(&rod.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_are_as_stiff_as_typed),
        cmocka_unit_test(turned_body_centred_grids),
        cmocka_unit_test(springs_inside),
        cmocka_unit_test(what_is_not_so_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
