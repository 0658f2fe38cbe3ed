// SPDX-License-Identifier: MIT
// Bodies that are not convex, made of convex parts: a cup with a handle, and a pipe.
#include <math.h>

#include "scenes.h"

enum { WALLS = 12, PART_POINTS = 8, HANDLE = 3 };

static const double pi = 3.14159265358979323846;

typedef struct Parts {
    RbMesh meshes[WALLS + 1 + HANDLE];
    int count;
} Parts;

static void add_part(Parts *p, RbArena *arena, const Vec3 *points, int count) {
    Vec3 *copy = rb_new_array(arena, Vec3, count);
    for (int i = 0; i < count; i++) copy[i] = points[i];
    p->meshes[p->count++] = (RbMesh){.vertices = copy, .vertex_count = count};
}

// Stave k of a round wall about the y axis: between two radii, from y0 to y1.
static void add_stave(Parts *p, RbArena *arena, int k, double inner, double outer, double y0,
                      double y1) {
    Vec3 points[PART_POINTS];
    for (int i = 0; i < PART_POINTS; i++) {
        double angle = 2 * pi * (k + (i & 1)) / WALLS, r = i & 2 ? outer : inner;
        points[i] = v3(r * cos(angle), i & 4 ? y1 : y0, r * sin(angle));
    }
    add_part(p, arena, points, PART_POINTS);
}

static void add_block(Parts *p, RbArena *arena, Vec3 centre, Vec3 lengths) {
    Vec3 points[PART_POINTS];
    for (int i = 0; i < PART_POINTS; i++) {
        points[i] = v3(centre.x + (i & 1 ? 0.5 : -0.5) * lengths.x,
                       centre.y + (i & 2 ? 0.5 : -0.5) * lengths.y,
                       centre.z + (i & 4 ? 0.5 : -0.5) * lengths.z);
    }
    add_part(p, arena, points, PART_POINTS);
}

// Radius 0.2 m, height 0.4 m, walls of 0.03 m, floor at y = 0. The parts touch but do not overlap.
static Parts cup_parts(RbArena *arena) {
    Parts p = {.count = 0};
    const double inner = 0.17, outer = 0.2, height = 0.4, floor = 0.03;
    for (int k = 0; k < WALLS; k++) add_stave(&p, arena, k, inner, outer, floor, height);
    Vec3 base[2 * WALLS];
    for (int k = 0; k < 2 * WALLS; k++) {
        double angle = 2 * pi * (k / 2) / WALLS;
        base[k] = v3(outer * cos(angle), k & 1 ? floor : 0, outer * sin(angle));
    }
    add_part(&p, arena, base, 2 * WALLS);
    add_block(&p, arena, v3(0.25, 0.32, 0), v3(0.1, 0.04, 0.04));
    add_block(&p, arena, v3(0.25, 0.12, 0), v3(0.1, 0.04, 0.04));
    add_block(&p, arena, v3(0.32, 0.22, 0), v3(0.04, 0.24, 0.04));
    return p;
}

// A shape that cannot be made stays empty, and the start of the run says so by name.
static RbShape mesh_of(RbScene *s, const Parts *p, const char *name) {
    RbArena scratch = rb_arena(s->arena->heap);
    RbDiag diag = rb_diag(s->arena);
    RbShape shape = {0};
    (void)rb_shape_mesh(p->meshes, p->count, NULL, name, RB_NOWHERE, s->arena, scratch, &diag,
                        &shape);
    rb_arena_free(&scratch);
    return shape;
}

static RbShape hull_of(RbScene *s, const Parts *p, const char *name) {
    RbArena scratch = rb_arena(s->arena->heap);
    RbDiag diag = rb_diag(s->arena);
    RbShape shape = {0};
    Vec3 points[(WALLS + HANDLE) * PART_POINTS + 2 * WALLS];
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        for (int k = 0; k < p->meshes[i].vertex_count; k++)
            points[count++] = p->meshes[i].vertices[k];
    }
    (void)rb_shape_hull(points, count, 0, name, RB_NOWHERE, s->arena, scratch, &diag, &shape);
    rb_arena_free(&scratch);
    return shape;
}

static void drop_sphere_on(RbScene *s, RbShape shape) {
    RbSceneObject cup = rb_solid("cup", shape, "Steel");
    rb_scene_add(s, cup);
    rb_scene_add_free(s, "sphere", rb_shape_sphere(0.2), "Steel", v3(0.02, 2, 0.01), V3_ZERO,
                      V3_ZERO);
}

// The hull closes the cup: the sphere bounces off its lid.
void rb_scene_cup_hull(RbScene *s) {
    Parts p = cup_parts(s->arena);
    drop_sphere_on(s, hull_of(s, &p, "cup"));
}

// The parts leave it open: the sphere falls in.
void rb_scene_cup_parts(RbScene *s) {
    Parts p = cup_parts(s->arena);
    drop_sphere_on(s, mesh_of(s, &p, "cup"));
}

// A pipe along y of twelve staves, a little inclined, and a ball that rolls through it from end to
// end.
void rb_scene_pipe(RbScene *s) {
    const double inner = 0.1, outer = 0.12, length = 1;
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0.2, -1));
    Parts p = {.count = 0};
    for (int k = 0; k < WALLS; k++) add_stave(&p, s->arena, k, inner, outer, 0, length);
    rb_scene_add(s, rb_solid("pipe", mesh_of(s, &p, "pipe"), "Steel"));
    double r = 0.03, bottom = inner * cos(pi / WALLS) - r; // the lowest stave is flat below
    Vec3 low = v3(sin(pi / WALLS) * bottom, 0.05, -cos(pi / WALLS) * bottom);
    rb_scene_add_free(s, "ball", rb_shape_sphere(2 * r), "Steel", low, v3(0.3, 0.2, 0), V3_ZERO);
}
