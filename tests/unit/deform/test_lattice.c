// SPDX-License-Identifier: MIT
// Which molecules are connected: the numbers of the published objects, shares at surfaces, and bad placements.
#include "bodies.h"

typedef struct Count {
    int n[3], neighbours, connections;
} Count;

// Objects of the thesis, figures 4.11, 4.12 and 4.27: molecules and connections.
static void published_numbers_of_connections(void **state) {
    (void)state;
    const Count counts[] = {{{5, 3, 5}, 18, 426}, {{15, 1, 15}, 18, 812}, {{3, 3, 3}, 18, 126},
                            {{2, 2, 2}, 18, 24},  {{8, 1, 8}, 18, 210},   {{2, 2, 2}, 26, 28}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Fixture f;
        fixture_open(&f);
        const Count *c = &counts[i];
        RbSoftScene *s = block_scene(&f, c->n[0], c->n[1], c->n[2]);
        RbLattice l;
        ENSURE(rb_lattice_connect(s->molecules.data, s->molecules.count,
                                  &(RbLatticeRule){c->neighbours, 0, "block"}, &f.arena, f.scratch,
                                  &f.diag, &l) == RB_OK);
        assert_int_equal(l.bond_count, c->connections);
        ENSURE(l.placement == RB_SOFT_CUBIC);
        fixture_close(&f);
    }
}

// The volumes of the molecules add up to the box that they span; a sheet is one spacing thick, a
// chain has the cross section of a cell.
static void volumes_add_up(void **state) {
    (void)state;
    const struct {
        int n[3];
        double cells;
    } cases[] = {{{4, 5, 6}, 3 * 4 * 5}, {{4, 1, 6}, 3 * 5}, {{1, 5, 1}, 4}};
    for (int i = 0; i < 3; i++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_scene(&f, cases[i].n[0], cases[i].n[1], cases[i].n[2]);
        RbLattice l;
        double volume = 0;
        ENSURE(rb_lattice_connect(s->molecules.data, s->molecules.count,
                                  &(RbLatticeRule){18, 0, "block"}, &f.arena, f.scratch, &f.diag,
                                  &l) == RB_OK);
        for (int k = 0; k < s->molecules.count; k++) volume += l.volume[k];
        ENSURE_NEAR(volume, cases[i].cells * 1e-6, 1e-18);
        fixture_close(&f);
    }
}

// A grid that is turned is the same grid: blocks, with both kinds of neighbours, sheets and chains.
static void turned_grids_are_grids(void **state) {
    (void)state;
    const Count cases[] = {{{4, 5, 6}, 18, 0}, {{3, 3, 7}, 26, 0}, {{4, 1, 6}, 18, 0},
                           {{1, 5, 1}, 18, 0}, {{2, 1, 1}, 18, 0}, {{40, 3, 3}, 18, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        fixture_open(&f);
        const Count *c = &cases[i];
        RbSoftScene *s = block_scene(&f, c->n[0], c->n[1], c->n[2]);
        int count = s->molecules.count;
        RbLattice straight, turned;
        ENSURE(rb_lattice_connect(s->molecules.data, count,
                                  &(RbLatticeRule){c->neighbours, 0, "block"}, &f.arena, f.scratch,
                                  &f.diag, &straight) == RB_OK);
        Mat3 turn = m3_rotation(v3_unit(v3(1, -2, 0.5)), 0.7 + (double)i);
        for (int k = 0; k < count; k++)
            s->molecules.data[k].r =
                v3_add(v3(0.3, 2, -1), m3_mul_vec(turn, s->molecules.data[k].r));
        ENSURE(rb_lattice_connect(s->molecules.data, count,
                                  &(RbLatticeRule){c->neighbours, 0, "block"}, &f.arena, f.scratch,
                                  &f.diag, &turned) == RB_OK);
        ENSURE(turned.placement == RB_SOFT_CUBIC && turned.bond_count == straight.bond_count);
        for (int k = 0; k < straight.bond_count; k++) {
            const RbBond *p = &straight.bonds[k], *q = &turned.bonds[k];
            ENSURE(p->a == q->a && p->b == q->b);
            ENSURE_NEAR(q->k, p->k, 1e-12 * p->k);
            ENSURE_NEAR(q->length, p->length, 1e-12 * p->length);
        }
        for (int k = 0; k < count; k++) ENSURE_NEAR(turned.volume[k], straight.volume[k], 1e-17);
        fixture_close(&f);
    }
}

// k / (E a) of the connection of two molecules of a cube of 8; 0: there is none.
static double between(const RbLattice *l, const int a[3], const int b[3]) {
    int i = 64 * a[0] + 8 * a[1] + a[2], j = 64 * b[0] + 8 * b[1] + b[2];
    for (int n = 0; n < l->bond_count; n++)
        if (l->bonds[n].a == i && l->bonds[n].b == j) return l->bonds[n].k / 0.01;
    return 0;
}

// Inside, in a face and along an edge; what crosses a plane is as stiff as its area.
static void shares_at_the_surface(void **state) {
    (void)state;
    for (int neighbours = 18; neighbours <= 26; neighbours += 8) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_scene(&f, 8, 8, 8);
        RbLattice l;
        ENSURE(rb_lattice_connect(s->molecules.data, 512, &(RbLatticeRule){neighbours, 0, "block"},
                                  &f.arena, f.scratch, &f.diag, &l) == RB_OK);
        double axis = neighbours == 18 ? 0.4 : 8.0 / 15, face = neighbours == 18 ? 0.4 : 4.0 / 15;
        ENSURE_NEAR(between(&l, (int[]){3, 3, 3}, (int[]){4, 3, 3}), axis, 1e-12);
        ENSURE_NEAR(between(&l, (int[]){3, 3, 3}, (int[]){4, 4, 3}), face, 1e-12);
        ENSURE_NEAR(between(&l, (int[]){3, 3, 0}, (int[]){4, 3, 0}), axis * 7 / 16, 1e-12);
        ENSURE_NEAR(between(&l, (int[]){3, 3, 1}, (int[]){4, 3, 1}), axis * 17 / 16, 1e-12);
        ENSURE_NEAR(between(&l, (int[]){3, 3, 0}, (int[]){4, 4, 0}), face * 7 / 16, 1e-12);
        ENSURE_NEAR(between(&l, (int[]){3, 0, 0}, (int[]){4, 0, 0}), axis * 3 / 16, 1e-12);
        ENSURE_NEAR(between(&l, (int[]){3, 3, 3}, (int[]){4, 4, 4}), neighbours == 26 ? 0.1 : 0,
                    1e-12);
        double sum = 0;
        for (int y = 0; y < 8; y++)
            for (int z = 0; z < 8; z++) sum += between(&l, (int[]){3, y, z}, (int[]){4, y, z});
        ENSURE_NEAR(sum, axis * 49, 1e-11);
        fixture_close(&f);
    }
}

static void bad_placements_are_named(void **state) {
    (void)state;
    const struct {
        Vec3 moved;
        const char *message;
    } cases[] = {
        {{0, 0, 0},
         "scene.xml:7:1: error: two molecules of 'block' stand at one place, (0, 0, 0) m"},
        {{1, 0, 0}, "scene.xml:7:1: error: a molecule of 'block' at (1, 0, 0) m has no neighbour"},
    };
    for (int i = 0; i < 2; i++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_scene(&f, 3, 3, 3);
        RbLattice l;
        s->molecules.data[26].r = cases[i].moved;
        s->molecules.data[26].at = (RbPos){"scene.xml", 7, 1};
        ENSURE(rb_lattice_connect(s->molecules.data, 27, &(RbLatticeRule){18, 0, "block"}, &f.arena,
                                  f.scratch, &f.diag, &l) == RB_ERROR_MODEL);
        ENSURE(strstr(fixture_message(&f, 0), cases[i].message) != NULL);
        fixture_close(&f);
    }
}

// Molecules beside the grid are connected by distance. Were all in balance under every strain (calibrate.h), the sum of k l² / (6 V) would be Young's modulus: the
// virial of the stress on the surface.
static void without_a_grid(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 5, 5, 5);
    RbLattice l;
    double sum = 0, volume = 0;
    for (int i = 0; i < 125; i++)
        s->molecules.data[i].r =
            v3_axpy(s->molecules.data[i].r, 1e-3, v3(sin(7 * i), sin(3 * i), cos(i)));
    ENSURE(rb_lattice_connect(s->molecules.data, 125, &(RbLatticeRule){18, 0, "block"}, &f.arena,
                              f.scratch, &f.diag, &l) == RB_OK);
    ENSURE(l.placement == RB_SOFT_RANDOM);
    for (int i = 0; i < l.bond_count; i++)
        sum += l.bonds[i].k * l.bonds[i].length * l.bonds[i].length;
    for (int i = 0; i < 125; i++) volume += l.volume[i];
    ENSURE_NEAR(sum / (6 * volume), 1, 0.02);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers_of_connections), cmocka_unit_test(volumes_add_up),
        cmocka_unit_test(turned_grids_are_grids),           cmocka_unit_test(shares_at_the_surface),
        cmocka_unit_test(bad_placements_are_named),         cmocka_unit_test(without_a_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
