// SPDX-License-Identifier: MIT
#include "geom/mesh_make.h"

// ---- extrusion ----

// The sides between two copies of the loops: quads, each as two triangles, outward.
static void add_sides(RbMeshBuilder *b, const RbPolygon *p, int bottom, int top) {
    for (int l = 0; l < p->loop_count; l++) {
        int first = p->loop_start[l], end = p->loop_start[l + 1];
        for (int i = first; i < end; i++) {
            int k = i + 1 < end ? i + 1 : first;
            rb_mesh_add_triangle(b, bottom + i, bottom + k, top + k);
            rb_mesh_add_triangle(b, bottom + i, top + k, top + i);
        }
    }
}

// The polygon itself as the last and, turned around, as the first section.
static void add_caps(RbMeshBuilder *b, const RbPolygon *p, int bottom, int top, RbArena scratch) {
    RbTriangle *t = rb_new_array(&scratch, RbTriangle, rb_triangulate_room(p));
    int count = rb_triangulate(p, t, scratch);
    for (int i = 0; i < count; i++) {
        const int *v = t[i].v;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
        rb_mesh_add_triangle(b, bottom + v[0], bottom + v[2], bottom + v[1]);
        rb_mesh_add_triangle(b, top + v[0], top + v[1], top + v[2]);
    }
}

RbMesh rb_mesh_extrude(const RbPolygon *p, double height, RbArena *keep, RbArena scratch) {
    RbMeshBuilder b = rb_mesh_builder(keep);
    int n = p->loop_start[p->loop_count];
    double low = fmin(0, height), high = fmax(0, height);
    for (int i = 0; i < n; i++) rb_mesh_add_vertex(&b, v3(p->x[i][0], p->x[i][1], low));
    for (int i = 0; i < n; i++) rb_mesh_add_vertex(&b, v3(p->x[i][0], p->x[i][1], high));
    add_sides(&b, p, 0, n);
    add_caps(&b, p, 0, n, scratch);
    return rb_mesh_finish(&b);
}

RbMesh rb_mesh_box(Vec3 s, RbArena *keep) {
    static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    RbMeshBuilder b = rb_mesh_builder(keep);
    for (int i = 0; i < 8; i++) {
        rb_mesh_add_vertex(&b, v3(i & 1 ? s.x : 0, i & 2 ? s.y : 0, i & 4 ? s.z : 0));
    }
    for (int q = 0; q < 6; q++) {
        const int *v = quads[q];
        rb_mesh_add_triangle(&b, v[0], v[1], v[2]);
        rb_mesh_add_triangle(&b, v[0], v[2], v[3]);
    }
    return rb_mesh_finish(&b);
}

// ---- revolution ----

// A point of the section on the axis is one vertex, others are a ring.
static int ring_of(RbMeshBuilder *b, const double *x, int segments) {
    int first = b->vertices.count;
    for (int i = 0; i < (x[0] == 0 ? 1 : segments); i++) {
        double c[2];
        rb_circle_point(i, segments, c);
        rb_mesh_add_vertex(b, v3(x[0] * c[0], x[0] * c[1], x[1]));
    }
    return first;
}

// Between the rings of two points of the section that follow each other.
static void add_band(RbMeshBuilder *b, int p, bool p_axis, int q, bool q_axis, int segments) {
    for (int i = 0; i < segments && !(p_axis && q_axis); i++) {
        int k = (i + 1) % segments;
        int p0 = p_axis ? p : p + i, p1 = p_axis ? p : p + k, q0 = q_axis ? q : q + i,
            q1 = q_axis ? q : q + k;
        if (!p_axis) rb_mesh_add_triangle(b, p0, p1, q1);
        if (!q_axis) rb_mesh_add_triangle(b, p0, q1, q0);
    }
}

static RbMesh revolve(const RbPolygon *p, int segments, RbArena *keep) {
    RbMeshBuilder b = rb_mesh_builder(keep);
    for (int l = 0; l < p->loop_count; l++) {
        int n = p->loop_start[l + 1] - p->loop_start[l];
        const double(*x)[2] = p->x + p->loop_start[l];
        int first = ring_of(&b, x[0], segments), from = first;
        for (int i = 0; i < n; i++) {
            int k = (i + 1) % n, to = k ? ring_of(&b, x[k], segments) : first;
            add_band(&b, from, x[i][0] == 0, to, x[k][0] == 0, segments);
            from = to;
        }
    }
    return rb_mesh_finish(&b);
}

RbStatus rb_mesh_lathe(const RbPolygon *p, int segments, const char *name, RbPos at, RbArena *keep,
                       RbDiag *diag, RbMesh *out) {
    if (segments < 3) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "solid '%s' has %d segments around its axis; at least 3", name, segments);
    }
    for (int i = 0; i < p->loop_start[p->loop_count]; i++) {
        if (p->x[i][0] >= 0) continue;
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "polygon of the turned solid '%s' has a point at radius %g, beyond its axis",
                       name, p->x[i][0]);
    }
    *out = revolve(p, segments, keep);
    return RB_OK;
}

RbMesh rb_mesh_cone(double bottom, double top, double height, int segments, RbArena *keep) {
    const double x[4][2] = {{0, 0}, {bottom, 0}, {top, height}, {0, height}};
    double used[4][2];
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if ((i == 1 && bottom == 0) || (i == 2 && top == 0)) continue;
        used[n][0] = x[i][0];
        used[n++][1] = x[i][1];
    }
    int start[2] = {0, n};
    return revolve(&(RbPolygon){(const double(*)[2])used, start, 1}, segments, keep);
}

// A section that is (part of) a circle: every step-th of `full` points.
static RbMesh revolve_circle(double centre, double radius, int from, int step, int count, int full,
                             int segments, RbArena *keep) {
    double(*x)[2] = (double(*)[2])rb_new_array(keep, double, 2 * (size_t)count);
    for (int i = 0; i < count; i++) {
        double c[2];
        rb_circle_point(from + i * step, full, c);
        x[i][0] = centre + radius * c[0];
        x[i][1] = radius * c[1];
    }
    int start[2] = {0, count};
    return revolve(&(RbPolygon){(const double(*)[2])x, start, 1}, segments, keep);
}

RbMesh rb_mesh_sphere(double radius, int segments, RbArena *keep) {
    int half = segments < 4 ? 2 : segments / 2; // steps from pole to pole
    return revolve_circle(0, radius, -half, 2, half + 1, 4 * half, segments, keep);
}

RbMesh rb_mesh_torus(double radius, double tube, int segments, RbArena *keep) {
    return revolve_circle(radius, tube, 0, 1, segments, segments, segments, keep);
}

// ---- sweep ----

// Directions of the pieces of the path before and after a point, and the tangent between them.
typedef struct Bend {
    Vec3 before, after, tangent; // unit
} Bend;

static Bend bend_at(const Vec3 *path, int count, bool closed, int i) {
    int before = i > 0 ? i - 1 : closed ? count - 1 : 0;
    int after = i + 1 < count ? i + 1 : closed ? 0 : count - 1;
    Vec3 a = v3_unit(v3_sub(path[i], path[before])), b = v3_unit(v3_sub(path[after], path[i]));
    if (before == i) a = b; // at the ends of an open path there is one piece
    if (after == i) b = a;
    return (Bend){a, b, v3_unit(v3_add(a, b))};
}

// The vector r turned by the smallest rotation that takes the unit vector p to q.
static Vec3 turn_from_to(Vec3 r, Vec3 p, Vec3 q) {
    Vec3 sum = v3_add(p, q);
    Vec3 out = v3_axpy(r, -v3_dot(sum, r) / (1 + v3_dot(p, q)), sum);
    return v3_axpy(out, 2 * v3_dot(p, r), q);
}

// The x axis r of a section carried along a piece of the path to the next section, without turning about it.
static Vec3 carry(Vec3 r, Bend from, Bend to) {
    return turn_from_to(turn_from_to(r, from.tangent, from.after), to.before, to.tangent);
}

// A point of the section, s from the path and across its tangent, where the piece of the path before cuts the
// plane between the two pieces: wider by 1/cos of half the bend, in its direction. So pieces are prisms.
static Vec3 mitre(Vec3 s, Bend bend) {
    Vec3 across = v3_sub(bend.after, bend.before);
    double length2 = v3_norm2(across);
    if (length2 == 0) return s;
    double widen = 1 / v3_dot(bend.tangent, bend.before) - 1;
    return v3_axpy(s, widen * v3_dot(s, across) / length2, across);
}

static Vec3 turn_about(Vec3 v, Vec3 n, double phi) {
    return v3_add(v3_scale(cos(phi), v), v3_scale(sin(phi), v3_cross(n, v)));
}

// The x axes of the sections. On a closed path what is left of the turn is spread evenly.
static void section_axes(const Vec3 *path, int count, bool closed, Vec3 up, Vec3 *axis) {
    Bend first = bend_at(path, count, closed, 0), last = first;
    axis[0] = v3_unit_or(v3_cross(up, first.tangent), v3_perpendicular(first.tangent));
    for (int i = 1; i < count; i++) {
        Bend here = bend_at(path, count, closed, i);
        axis[i] = carry(axis[i - 1], last, here);
        last = here;
    }
    if (!closed) return;
    Vec3 back = carry(axis[count - 1], last, first);
    double twist = atan2(v3_dot(first.tangent, v3_cross(back, axis[0])), v3_dot(back, axis[0]));
    for (int i = 1; i < count; i++) {
        axis[i] = turn_about(axis[i], bend_at(path, count, closed, i).tangent, twist * i / count);
    }
}

static RbStatus check_path(const Vec3 *path, int count, bool closed, const char *name, RbPos at,
                           RbDiag *diag) {
    if (count < (closed ? 3 : 2)) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "path of the swept solid '%s' has %d points; at least %d", name, count,
                       closed ? 3 : 2);
    }
    for (int i = closed ? 0 : 1; i < count; i++) {
        Vec3 p = path[i], q = path[i > 0 ? i - 1 : count - 1];
        if (v3_finite(p) && v3_distance(p, q) > 0) continue;
        return rb_fail(
            diag, RB_ERROR_MODEL, at,
            "path of the swept solid '%s' repeats its point %d or it is not finite: {%g, %g, %g}",
            name, i + 1, p.x, p.y, p.z);
    }
    const double sharpest = 0.1; // cosine of half a bend, 169 degrees
    for (int i = 0; i < count; i++) {
        Bend bend = bend_at(path, count, closed, i);
        if (v3_dot(bend.tangent, bend.before) > sharpest) continue;
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "path of the swept solid '%s' turns back at its point %d, {%g, %g, %g}: a "
                       "corner may turn by 168 degrees",
                       name, i + 1, path[i].x, path[i].y, path[i].z);
    }
    return RB_OK;
}

RbStatus rb_mesh_sweep(const RbPolygon *p, const Vec3 *path, int count, bool closed, Vec3 up,
                       const char *name, RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag,
                       RbMesh *out) {
    RB_TRY(check_path(path, count, closed, name, at, diag));
    RbMeshBuilder b = rb_mesh_builder(keep);
    int n = p->loop_start[p->loop_count];
    Vec3 *axis = rb_new_array(&scratch, Vec3, count);
    section_axes(path, count, closed, up, axis);
    for (int i = 0; i < count; i++) {
        Bend bend = bend_at(path, count, closed, i);
        Vec3 x = axis[i], y = v3_cross(bend.tangent, x);
        for (int k = 0; k < n; k++) {
            Vec3 s = v3_add(v3_scale(p->x[k][0], x), v3_scale(p->x[k][1], y));
            rb_mesh_add_vertex(&b, v3_add(path[i], mitre(s, bend)));
        }
        if (i > 0) add_sides(&b, p, (i - 1) * n, i * n);
    }
    if (closed)
        add_sides(&b, p, (count - 1) * n, 0);
    else
        add_caps(&b, p, 0, (count - 1) * n, scratch);
    *out = rb_mesh_finish(&b);
    return RB_OK;
}
