// SPDX-License-Identifier: MIT
#include "geom/tessellate.h"

#define PI 3.14159265358979323846

// A surface of rings: each ring has the same number of vertices, neighbouring rings are joined by a
// band of triangles, and the ends are closed by fans. Rings run counter-clockwise seen from +z,
// from low z to high z.
typedef struct Rings {
    RbMeshBuilder *mesh;
    int segments;
} Rings;

static void band(Rings *r, int low, int high) {
    int n = r->segments;
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        rb_mesh_add_triangle(r->mesh, low + i, low + j, high + j);
        rb_mesh_add_triangle(r->mesh, low + i, high + j, high + i);
    }
}

static void start_point(Rings *r, int point, int ring) {
    for (int i = 0; i < r->segments; i++) {
        rb_mesh_add_triangle(r->mesh, point, ring + (i + 1) % r->segments, ring + i);
    }
}

static void end_point(Rings *r, int ring, int point) {
    for (int i = 0; i < r->segments; i++) {
        rb_mesh_add_triangle(r->mesh, point, ring + i, ring + (i + 1) % r->segments);
    }
}

// Angle of vertex i of a ring; exact at quarters of the circle so that symmetric shapes stay
// symmetric.
static Vec3 on_circle(int i, int n) {
    if ((4 * i) % n == 0) {
        int quarter = 4 * i / n % 4;
        return v3(quarter == 0   ? 1
                  : quarter == 2 ? -1
                                 : 0,
                  quarter == 1   ? 1
                  : quarter == 3 ? -1
                                 : 0,
                  0);
    }
    double phi = 2 * PI * i / n;
    return v3(cos(phi), sin(phi), 0);
}

// A circle of vertices, scaled along x and y.
static int add_ring(Rings *r, double x, double y, double z) {
    int first = r->mesh->vertices.count;
    for (int i = 0; i < r->segments; i++) {
        Vec3 u = on_circle(i, r->segments);
        rb_mesh_add_vertex(r->mesh, v3(x * u.x, y * u.y, z));
    }
    return first;
}

// ---- shapes of revolution, axis along z ----

// Latitudes from pole to pole: an even number, so that there is an equator.
static int latitude_count(int resolution) {
    return 2 * ((resolution + 3) / 4);
}

static void ellipsoid(Rings *r, Vec3 h) {
    int rows = latitude_count(r->segments);
    int pole = rb_mesh_add_vertex(r->mesh, v3(0, 0, -h.z)), last = -1;
    for (int i = 1; i < rows; i++) {
        double s = sin(PI * i / rows), c = 2 * i == rows ? 0 : -cos(PI * i / rows);
        int ring = add_ring(r, h.x * s, h.y * s, h.z * c);
        if (last < 0)
            start_point(r, pole, ring);
        else
            band(r, last, ring);
        last = ring;
    }
    end_point(r, last, rb_mesh_add_vertex(r->mesh, v3(0, 0, h.z)));
}

static void capsule(Rings *r, double radius, double half) {
    int rows = latitude_count(r->segments) / 2;
    int pole = rb_mesh_add_vertex(r->mesh, v3(0, 0, -half - radius)), last = -1;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = side < 0 ? 1 : 0; i < rows + (side < 0); i++) {
            double angle = 0.5 * PI * i / rows; // from the pole, then from the equator
            double out = side < 0 ? sin(angle) : cos(angle),
                   up = side < 0 ? cos(angle) : sin(angle);
            int ring = add_ring(r, radius * out, radius * out, side * (half + radius * up));
            if (last < 0)
                start_point(r, pole, ring);
            else
                band(r, last, ring);
            last = ring;
        }
    }
    end_point(r, last, rb_mesh_add_vertex(r->mesh, v3(0, 0, half + radius)));
}

static void frustum(Rings *r, double base, double top, double length) {
    int centre = rb_mesh_add_vertex(r->mesh, V3_ZERO);
    int low = add_ring(r, base, base, 0);
    start_point(r, centre, low);
    int apex = rb_mesh_add_vertex(r->mesh, v3(0, 0, length));
    if (top > 0) {
        int high = add_ring(r, top, top, length);
        band(r, low, high);
        low = high;
    }
    end_point(r, low, apex);
}

static void cylinder(Rings *r, double radius, double half) {
    int bottom = rb_mesh_add_vertex(r->mesh, v3(0, 0, -half));
    int low = add_ring(r, radius, radius, -half), high = add_ring(r, radius, radius, half);
    start_point(r, bottom, low);
    band(r, low, high);
    end_point(r, high, rb_mesh_add_vertex(r->mesh, v3(0, 0, half)));
}

static void pipe(Rings *r, double outer, double inner, double half) {
    int low = add_ring(r, outer, outer, -half), high = add_ring(r, outer, outer, half);
    int low_in = add_ring(r, inner, inner, -half), high_in = add_ring(r, inner, inner, half);
    band(r, low_in, low);
    band(r, low, high);
    band(r, high, high_in);
    band(r, high_in, low_in);
}

// ---- others ----

static void box(RbMeshBuilder *m, Vec3 h) {
    for (int i = 0; i < 8; i++) {
        rb_mesh_add_vertex(m, v3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z));
    }
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        rb_mesh_add_triangle(m, faces[f][0], faces[f][1], faces[f][2]);
        rb_mesh_add_triangle(m, faces[f][0], faces[f][2], faces[f][3]);
    }
}

// The border of a stadium, half circles at both ends: `arcs` segments each.
static int add_stadium(RbMeshBuilder *m, int arcs, double half, double radius, double z) {
    int first = m->vertices.count;
    for (int end = 0; end < 2; end++) {
        double sign = end == 0 ? 1 : -1;
        for (int i = 0; i <= arcs; i++) {
            double phi = PI * i / arcs;
            double x = 2 * i == arcs ? 1 : sin(phi), y = 2 * i == arcs ? 0 : -cos(phi);
            rb_mesh_add_vertex(m, v3(sign * (half + radius * x), sign * radius * y, z));
        }
    }
    return first;
}

static void beam(RbMeshBuilder *m, int resolution, double half, double radius, double thick) {
    int arcs = (resolution + 1) / 2;
    Rings r = {.mesh = m, .segments = 2 * (arcs + 1)};
    int bottom = rb_mesh_add_vertex(m, v3(0, 0, -thick));
    int low = add_stadium(m, arcs, half, radius, -thick);
    int high = add_stadium(m, arcs, half, radius, thick);
    start_point(&r, bottom, low);
    band(&r, low, high);
    end_point(&r, high, rb_mesh_add_vertex(m, v3(0, 0, thick)));
}

static void polytope(RbMeshBuilder *m, const RbCore *core) {
    const RbPolytope *p = core->polytope;
    int first = m->vertices.count;
    for (int i = 0; i < p->vertex_count; i++) {
        rb_mesh_add_vertex(m, pose_point(core->frame, p->vertices[i]));
    }
    for (int f = 0; f < p->face_count; f++) {
        const int *v = p->face_vertices + p->face_start[f];
        int n = p->face_start[f + 1] - p->face_start[f];
        for (int k = 1; k + 1 < n; k++) {
            rb_mesh_add_triangle(m, first + v[0], first + v[k], first + v[k + 1]);
        }
    }
}

static void add_shape(RbMeshBuilder *m, const RbShape *s, int resolution) {
    Rings r = {.mesh = m, .segments = resolution};
    double radius = 0.5 * s->diameter;
    switch (s->kind) {
        case RB_SHAPE_SPHERE: ellipsoid(&r, v3(radius, radius, radius)); break;
        case RB_SHAPE_ELLIPSOID: ellipsoid(&r, v3_scale(0.5, s->lengths)); break;
        case RB_SHAPE_BOX: box(m, v3_scale(0.5, s->lengths)); break;
        case RB_SHAPE_CYLINDER:
            if (s->inner_diameter > 0)
                pipe(&r, radius, 0.5 * s->inner_diameter, 0.5 * s->length);
            else
                cylinder(&r, radius, 0.5 * s->length);
            break;
        case RB_SHAPE_CONE: frustum(&r, radius, 0.5 * s->top_diameter, s->length); break;
        case RB_SHAPE_CAPSULE: capsule(&r, radius, 0.5 * s->length); break;
        case RB_SHAPE_BEAM:
            beam(m, resolution, 0.5 * s->length, 0.5 * s->width, 0.5 * s->thickness);
            break;
        default: break;
    }
}

RbMesh rb_tessellate(const RbShape *shape, int resolution, RbArena *keep) {
    if (shape->surface) return *shape->surface;
    RbMeshBuilder m = rb_mesh_builder(keep);
    for (int i = 0; i < shape->part_count; i++) polytope(&m, &shape->parts[i]);
    if (shape->part_count == 0) add_shape(&m, shape, resolution < 3 ? 3 : resolution);
    Mat3 R = rb_shape_axes(shape);
    for (int i = 0; shape->axis > 0 && i < m.vertices.count; i++) {
        m.vertices.data[i] = m3_mul_vec(R, m.vertices.data[i]);
    }
    return rb_mesh_finish(&m);
}
