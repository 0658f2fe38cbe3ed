// SPDX-License-Identifier: MIT
// Solids that meet in edges and vertices, from files: welded vertices are doubled again, so that each solid keeps its own.
// Volume, area and Euler's characteristic of what is read are those of counted cells.
#include "csg_grid.h"

#include "geom/mesh_weld.h"

// Any of the cells in the middle.
static Grid random_cells(RbRng *rng) {
    Grid g = {0};
    for (int i = 0; i < 64; i++)
        g.full[1 + i / 16][1 + i / 4 % 4][1 + i % 4] = rb_rng_int(rng, 5) < 2;
    return g;
}

// Two triangles for each face between a full cell and an empty one. Each corner of the grid is one vertex.
static RbMesh surface_of(const Grid *g, bool inside_out, RbArena *arena) {
    const int n = GRID + 1;
    RbMeshBuilder b = rb_mesh_builder(arena);
    for (int i = 0; i < n * n * n; i++) rb_mesh_add_vertex(&b, v3(i / n / n, i / n % n, i % n));
    for (int i = 0; i < GRID * GRID * GRID * 6; i++) {
        int c[3] = {i / 6 / GRID / GRID, i / 6 / GRID % GRID, i / 6 % GRID}, v[4];
        int axis = i % 6 / 2, up = i % 2;
        if (!grid_is_face(g, c, axis, up)) continue;
        for (int k = 0; k < 4; k++) { // around the axis
            int p[3] = {c[0], c[1], c[2]};
            p[axis] += up;
            p[(axis + 1) % 3] += k == 1 || k == 2;
            p[(axis + 2) % 3] += k >= 2;
            v[k] = (p[0] * n + p[1]) * n + p[2];
        }
        int left = up != inside_out ? 1 : 3, right = 4 - left;
        rb_mesh_add_triangle(&b, v[0], v[left], v[2]);
        rb_mesh_add_triangle(&b, v[0], v[2], v[right]);
    }
    return rb_mesh_finish(&b);
}

// Every triangle for itself, as in STL files.
static RbMesh apart(const RbMesh *m, RbArena *arena) {
    RbMeshBuilder b = rb_mesh_builder(arena);
    for (int t = 0; t < m->triangle_count; t++) {
        for (int k = 0; k < 3; k++) rb_mesh_add_vertex(&b, m->vertices[m->triangles[t].v[k]]);
        rb_mesh_add_triangle(&b, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    return rb_mesh_finish(&b);
}

static RbMeshRepair ensure_counted(Fixture *f, const RbMesh *read, const Grid *g) {
    RbMeshRepair what;
    RbMesh m = rb_mesh_repair(read, 1e-9, &f->arena, f->scratch, &what);
    RbMeshReport r = rb_mesh_check(&m, f->scratch);
    GridCount want = grid_count(g);
    ENSURE(r.encloses_body && r.unused_vertices == 0);
    ENSURE_NEAR(r.volume, want.volume, 1e-11);
    ENSURE_NEAR(r.area, want.area, 1e-10);
    ENSURE(r.vertex_count - r.edge_count + r.triangle_count == want.euler);
    return what;
}

static void cells_from_files(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    for (int i = 0; i < 50; i++) {
        Fixture f;
        fixture_open(&f);
        Grid g = random_cells(&rng);
        RbMesh shared = surface_of(&g, i % 2, &f.arena), soup = apart(&shared, &f.arena);
        ENSURE(rb_mesh_check(&shared, f.scratch).crowded_edges > 0);
        RbMeshRepair what = ensure_counted(&f, &shared, &g);
        ENSURE(what.doubled_vertices > 0 && what.welded_vertices == 0);
        what = ensure_counted(&f, &soup, &g);
        ENSURE(what.doubled_vertices == 0 && what.welded_vertices > 0);
        fixture_close(&f);
    }
}

// What constructive geometry made is the same after it was welded, and no vertex counts as welded.
static void results_are_read_back(void **state) {
    (void)state;
    int meet = 0;
    for (int i = 0; i < 20; i++) {
        GridChain c;
        GridSolid a;
        grid_chain_open(&c, i, (uint64_t)i * 7907 + 3);
        if (grid_heap(&c, &a)) {
            int welded = 0;
            rb_mesh_weld(&a.mesh, 1e-9, &c.f.arena, &welded);
            meet += welded > 0;
            RbMeshRepair what = ensure_counted(&c.f, &a.mesh, &a.grid);
            ENSURE(what.doubled_vertices == 0 && what.removed_triangles == 0);
        }
        fixture_close(&c.f);
    }
    ENSURE(meet >= 6);
}

// Many tetrahedra with one edge in common, like the pages of a book: each is one of its own again.
static void a_book(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    enum { PAGES = 5000 };
    const double step = 2 * acos(-1) / PAGES;
    RbMeshBuilder b = rb_mesh_builder(&f.arena);
    rb_mesh_add_vertex(&b, v3(0, 0, 0));
    rb_mesh_add_vertex(&b, v3(0, 0, 1));
    for (int i = 0; i < 2 * PAGES; i++) {
        double angle = 0.5 * i * step;
        int page = 2 + 2 * (i / 2);
        rb_mesh_add_vertex(&b, v3(cos(angle), sin(angle), 0));
        if (i % 2 == 0) continue;
        rb_mesh_add_triangle(&b, 0, page + 1, page);
        rb_mesh_add_triangle(&b, 0, page, 1);
        rb_mesh_add_triangle(&b, 0, 1, page + 1);
        rb_mesh_add_triangle(&b, 1, page, page + 1);
    }
    RbMesh book = rb_mesh_finish(&b);
    RbMeshRepair what;
    RbMesh m = rb_mesh_repair(&book, 0, &f.arena, f.scratch, &what);
    RbMeshReport r = rb_mesh_check(&m, f.scratch);
    ENSURE(r.encloses_body && r.components == PAGES && r.vertex_count == 4 * PAGES);
    ENSURE(what.doubled_vertices == 2 * PAGES - 2);
    ENSURE_NEAR(r.volume, PAGES * sin(0.5 * step) / 6, 1e-13);
    fixture_close(&f);
}

// One of two boxes that meet in an edge is inside out, or lacks a triangle: which wedge is solid would be a guess, so nothing is doubled.
static void nothing_is_guessed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Grid g = {0};
    g.full[1][1][1] = g.full[2][2][1] = true;
    for (int lacks = 0; lacks < 2; lacks++) {
        RbMesh m = surface_of(&g, false, &f.arena);
        RbTriangle *t = rb_new_array(&f.arena, RbTriangle, m.triangle_count);
        for (int i = 0; i < m.triangle_count; i++) {
            const int *v = m.triangles[i].v;
            bool turn = i < 12 && !lacks;
            t[i] = (RbTriangle){{v[0], v[turn ? 2 : 1], v[turn ? 1 : 2]}};
        }
        RbMesh broken = {m.vertices, m.vertex_count, t, m.triangle_count - lacks};
        RbMeshRepair what;
        RbMesh mended = rb_mesh_repair(&broken, 0, &f.arena, f.scratch, &what);
        RbMeshReport r = rb_mesh_check(&mended, f.scratch);
        ENSURE(what.doubled_vertices == 0 && !r.encloses_body);
        ENSURE(r.crowded_edges == 1 && r.open_edges == 3 * lacks);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_from_files), cmocka_unit_test(results_are_read_back),
        cmocka_unit_test(a_book), cmocka_unit_test(nothing_is_guessed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
