// SPDX-License-Identifier: MIT
// Two boxes in one mesh, on a grid so that faces and edges often meet: their surface crosses itself if and
// only if the boxes overlap and neither is inside the other, which intervals tell. Boxes in one another.
#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "math/rng.h"
#include "testing.h"

typedef struct Block {
    int low[3], high[3];
} Block;

static Block random_block(RbRng *rng) {
    Block b;
    for (int k = 0; k < 3; k++) {
        int x = rb_rng_int(rng, 6), y = rb_rng_int(rng, 5);
        if (y >= x) y++;
        b.low[k] = x < y ? x : y, b.high[k] = x < y ? y : x;
    }
    return b;
}

static bool overlap(Block a, Block b) {
    for (int k = 0; k < 3; k++) {
        if (a.high[k] <= b.low[k] || b.high[k] <= a.low[k]) return false;
    }
    return true;
}

static bool is_in(Block a, Block b) {
    for (int k = 0; k < 3; k++) {
        if (a.low[k] < b.low[k] || a.high[k] > b.high[k]) return false;
    }
    return true;
}

static void add_block(RbMeshBuilder *m, Block b) {
    int first = m->vertices.count;
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; i++)
        rb_mesh_add_vertex(m, v3(i & 1 ? b.high[0] : b.low[0], i & 2 ? b.high[1] : b.low[1],
                                 i & 4 ? b.high[2] : b.low[2]));
    for (int i = 0; i < 6; i++) {
        const int *f = faces[i];
        rb_mesh_add_triangle(m, first + f[0], first + f[1], first + f[2]);
        rb_mesh_add_triangle(m, first + f[0], first + f[2], first + f[3]);
    }
}

static void two_blocks(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    int crossing = 0, touching = 0;
    for (int trial = 0; trial < 10000; trial++) {
        Block a = random_block(&rng), b = random_block(&rng);
        if (is_in(a, b) || is_in(b, a)) continue;
        RbMeshBuilder m = rb_mesh_builder(&f.arena);
        add_block(&m, a);
        add_block(&m, b);
        Mat3 turned = trial % 2 ? q_matrix(rb_rng_orientation(&rng)) : M3_IDENTITY;
        RbMesh mesh = rb_mesh_finish(&m), there = rb_mesh_map(&mesh, turned, V3_ZERO, &f.arena);
        RbMeshReport r = rb_mesh_check(&there, f.scratch);
        ENSURE(r.encloses_body);
        rb_mesh_check_crossing(&there, &f.arena, f.scratch, &r);
        bool crosses = r.fault == RB_MESH_CROSSES;
        if (crosses != overlap(a, b)) print_message("trial %d\n", trial);
        ENSURE(crosses == overlap(a, b) && r.encloses_body != crosses);
        crossing += crosses;
        touching += !crosses;
    }
    print_message("%d cross, %d do not\n", crossing, touching);
    ENSURE(crossing > 2000 && touching > 4000);
    fixture_close(&f);
}

static void add_turned(RbMeshBuilder *m, Block b) {
    int first = m->triangles.count;
    add_block(m, b);
    for (int i = first; i < m->triangles.count; i++) {
        int *v = m->triangles.data[i].v, swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
}

// Bodies, cavities and bodies in cavities, one in the other: facing out and in by turns, each place counts once or not at
// all; two in a row that face the same way count it twice, or less than nothing, which is told of the first of them.
static void one_in_the_other(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int set = 0; set < 16; set++) {
        RbMeshBuilder m = rb_mesh_builder(&f.arena);
        int counts = 0;
        RbMeshFault fault = RB_MESH_SOUND;
        for (int i = 0; i < 4; i++) {
            Block b = {{i, i, i}, {20 - i, 20 - i, 20 - i}};
            bool out = set >> i & 1;
            if (out)
                add_block(&m, b);
            else
                add_turned(&m, b);
            counts += out ? 1 : -1;
            if (fault == RB_MESH_SOUND && counts > 1) fault = RB_MESH_NESTED;
            if (fault == RB_MESH_SOUND && counts < 0) fault = RB_MESH_INWARDS;
        }
        add_block(&m,
                  (Block){{30, 0, 0}, {60, 30, 30}}); // beside them, so that the volume is positive
        RbMesh mesh = rb_mesh_finish(&m);
        RbMeshReport r = rb_mesh_check(&mesh, f.scratch);
        ENSURE(r.encloses_body);
        rb_mesh_check_crossing(&mesh, &f.arena, f.scratch, &r);
        ENSURE(r.fault == fault && r.encloses_body == (fault == RB_MESH_SOUND));
        RbMeshRepair what; // neighbours that face the same way, where the inner one is a cavity
        rb_mesh_repair(&mesh, 0, &f.arena, f.scratch, &what);
        int first = (set & 1) == (set >> 1 & 1), second = (set >> 2 & 1) == (set >> 3 & 1);
        ENSURE(what.guessed_cavities == first + second);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_blocks),
                                       cmocka_unit_test(one_in_the_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
