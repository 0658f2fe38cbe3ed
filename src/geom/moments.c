// SPDX-License-Identifier: MIT
#include "geom/moments.h"

#define PI 3.14159265358979323846

// Second moments about another point at distance d from the centroid (Steiner).
static Mat3 shifted(RbMoments m, Vec3 d) {
    return m3_add(m.second, m3_scale(m.volume, m3_outer(d, d)));
}

RbMoments rb_moments_add(RbMoments a, RbMoments b) {
    double volume = a.volume + b.volume;
    if (volume == 0) return a;
    // About the place of a, so that two bodies far from the origin lose nothing.
    Vec3 c = v3_axpy(a.centroid, b.volume / volume, v3_sub(b.centroid, a.centroid));
    return (RbMoments){
        volume, c, m3_add(shifted(a, v3_sub(a.centroid, c)), shifted(b, v3_sub(b.centroid, c)))};
}

RbMoments rb_moments_move(RbMoments m, Pose X_AB) {
    return (RbMoments){m.volume, pose_point(X_AB, m.centroid), m3_rotate_tensor(X_AB.R, m.second)};
}

// ---- inside a surface ----

// A sum whose rounding errors are carried along (Neumaier), because millions of small tetrahedra
// are added.
typedef struct Sum {
    double value, lost;
} Sum;

static void sum_add(Sum *s, double x) {
    double t = s->value + x;
    s->lost += fabs(s->value) >= fabs(x) ? (s->value - t) + x : (x - t) + s->value;
    s->value = t;
}

static double sum_get(Sum s) {
    return s.value + s.lost;
}

// Volume, first moments x y z, second moments xx yy zz xy yz zx about an origin.
typedef struct Integrals {
    Sum s[10];
} Integrals;

// The tetrahedron origin, a, b, c (docs/theory/mass.md, eq. 2), counted negative if
// it is seen from behind.
static void add_tetrahedron(Integrals *sums, Vec3 a, Vec3 b, Vec3 c) {
    double det = v3_dot(a, v3_cross(b, c));
    Vec3 s = v3_add(v3_add(a, b), c);
    sum_add(&sums->s[0], det / 6);
    sum_add(&sums->s[1], det / 24 * s.x);
    sum_add(&sums->s[2], det / 24 * s.y);
    sum_add(&sums->s[3], det / 24 * s.z);
    double k = det / 120;
    sum_add(&sums->s[4], k * (s.x * s.x + a.x * a.x + b.x * b.x + c.x * c.x));
    sum_add(&sums->s[5], k * (s.y * s.y + a.y * a.y + b.y * b.y + c.y * c.y));
    sum_add(&sums->s[6], k * (s.z * s.z + a.z * a.z + b.z * b.z + c.z * c.z));
    sum_add(&sums->s[7], k * (s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y));
    sum_add(&sums->s[8], k * (s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z));
    sum_add(&sums->s[9], k * (s.z * s.x + a.z * a.x + b.z * b.x + c.z * c.x));
}

static Integrals integrate(const RbMesh *mesh, Vec3 origin) {
    Integrals sums = {0};
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *v = mesh->triangles[t].v;
        add_tetrahedron(&sums, v3_sub(mesh->vertices[v[0]], origin),
                        v3_sub(mesh->vertices[v[1]], origin), v3_sub(mesh->vertices[v[2]], origin));
    }
    return sums;
}

static RbMoments moments_about(const Integrals *sums, Vec3 origin) {
    double x[10];
    for (int i = 0; i < 10; i++) x[i] = sum_get(sums->s[i]);
    RbMoments m = {.volume = x[0], .centroid = origin};
    if (m.volume == 0) return m;
    Vec3 d = v3_scale(1 / m.volume, v3(x[1], x[2], x[3]));
    m.centroid = v3_add(origin, d);
    Mat3 about = {{x[4], x[7], x[9]}, {x[7], x[5], x[8]}, {x[9], x[8], x[6]}};
    m.second = m3_sub(about, m3_scale(m.volume, m3_outer(d, d)));
    return m;
}

// First about the middle of the box around it, then about the centroid found, where nothing
// cancels.
RbMoments rb_moments_of_mesh(const RbMesh *mesh) {
    if (mesh->triangle_count == 0) return (RbMoments){0};
    Vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            Vec3 p = mesh->vertices[mesh->triangles[t].v[k]];
            low = v3_min(low, p);
            high = v3_max(high, p);
        }
    }
    Vec3 origin = v3_axpy(low, 0.5, v3_sub(high, low));
    Integrals sums = integrate(mesh, origin);
    RbMoments first = moments_about(&sums, origin);
    // A surface that is not closed may have its "centroid" anywhere; stay near the vertices then.
    bool inside = v3_finite(first.centroid) &&
                  v3_max_abs(v3_sub(first.centroid, origin)) <= v3_max_abs(v3_sub(high, low));
    if (!inside) return first;
    sums = integrate(mesh, first.centroid);
    return moments_about(&sums, first.centroid);
}

// ---- polytope grown by a radius: the polytope, a prism on each face, a wedge of a cylinder along
// each edge, a sector of a ball at each vertex (docs/theory/mass.md, section 3) ----

static RbMoments polytope_alone(const RbPolytope *p) {
    Integrals sums = {0};
    for (int f = 0; f < p->face_count; f++) {
        const int *v = p->face_vertices + p->face_start[f];
        int n = p->face_start[f + 1] - p->face_start[f];
        for (int k = 1; k + 1 < n; k++) {
            add_tetrahedron(&sums, p->vertices[v[0]], p->vertices[v[k]], p->vertices[v[k + 1]]);
        }
    }
    return moments_about(&sums, V3_ZERO);
}

// Area, centroid and second moments of a plane polygon, as "volume" of RbMoments: triangles a, b, c
// have integral xxᵀ = A/12 (aaᵀ + bbᵀ + ccᵀ + ssᵀ), s = a + b + c.
static RbMoments polygon(const RbPolytope *p, int face) {
    const int *v = p->face_vertices + p->face_start[face];
    int n = p->face_start[face + 1] - p->face_start[face];
    RbMoments sum = {0};
    for (int k = 1; k + 1 < n; k++) {
        Vec3 a = p->vertices[v[0]], b = p->vertices[v[k]], c = p->vertices[v[k + 1]];
        double area = 0.5 * v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
        Vec3 centre = v3_scale(1.0 / 3, v3_add(a, v3_add(b, c)));
        Vec3 da = v3_sub(a, centre), db = v3_sub(b, centre), dc = v3_sub(c, centre);
        Mat3 second = m3_scale(
            area / 12, m3_add(m3_outer(da, da), m3_add(m3_outer(db, db), m3_outer(dc, dc))));
        sum = rb_moments_add((RbMoments){area, centre, second}, sum);
    }
    return sum;
}

// Integrals of 1, x and xxᵀ about the origin of C, which is inside the polytope.
typedef struct Grown {
    double volume;
    Vec3 first;
    Mat3 second;
} Grown;

// The directions at an edge: angle between its two face normals, and the unit vector halfway.
typedef struct Bend {
    double angle; // [rad]
    Vec3 middle;
} Bend;

static Bend edge_bend(const RbPolytope *p, int edge) {
    Vec3 n0 = p->face_normals[p->edge_faces[edge][0]], n1 = p->face_normals[p->edge_faces[edge][1]];
    return (Bend){atan2(v3_norm(v3_cross(n0, n1)), v3_dot(n0, n1)), v3_unit(v3_add(n0, n1))};
}

// Add a piece given by its integrals of 1, x and xxᵀ about the point `at` to integrals about the
// origin. All is linear, so pieces may be counted in any order and negative.
static void add_piece(Grown *g, Vec3 at, double volume, Vec3 first, Mat3 second) {
    g->volume += volume;
    g->first = v3_add(g->first, v3_axpy(first, volume, at));
    Mat3 mixed = m3_add(m3_outer(at, first), m3_outer(first, at));
    Mat3 steiner = m3_scale(volume, m3_outer(at, at));
    g->second = m3_add(g->second, m3_add(second, m3_add(mixed, steiner)));
}

static void add_prism(Grown *g, const RbPolytope *p, int face, double r) {
    RbMoments base = polygon(p, face);
    Vec3 n = p->face_normals[face];
    double volume = base.volume * r;
    Mat3 second = m3_add(m3_scale(r, base.second), m3_scale(volume * r * r / 3, m3_outer(n, n)));
    add_piece(g, base.centroid, volume, v3_scale(0.5 * r * volume, n), second);
}

static void add_wedge(Grown *g, const RbPolytope *p, int edge, double r) {
    Vec3 a = p->vertices[p->edges[edge][0]], b = p->vertices[p->edges[edge][1]];
    double length = v3_distance(a, b), r2 = r * r;
    Vec3 t = v3_scale(1 / length, v3_sub(b, a));
    Bend bend = edge_bend(p, edge);
    Vec3 e = bend.middle, m = v3_cross(t, e);
    double volume = 0.5 * bend.angle * r2 * length;
    Vec3 first = v3_scale(2.0 / 3 * r2 * r * sin(0.5 * bend.angle) * length, e);
    double ee = r2 * r2 / 8 * (bend.angle + sin(bend.angle)) * length;
    double mm = r2 * r2 / 8 * (bend.angle - sin(bend.angle)) * length;
    double tt = volume * length * length / 12;
    Mat3 second = m3_add(m3_scale(ee, m3_outer(e, e)), m3_scale(mm, m3_outer(m, m)));
    add_piece(g, v3_lerp(a, b, 0.5), volume, first, m3_add(second, m3_scale(tt, m3_outer(t, t))));
}

// The part of a ball of radius r at x that belongs to the solid angle omega, as far as it depends
// on omega alone.
static void add_solid_angle(Grown *g, Vec3 x, double omega, double r) {
    double r3 = r * r * r;
    add_piece(g, x, omega * r3 / 3, V3_ZERO, m3_scale(omega * r3 * r * r / 15, M3_IDENTITY));
}

// The solid angle of the normals at a vertex is 2 pi less the angles of its faces.
static void add_corners(Grown *g, const RbPolytope *p, int face, double r) {
    const int *v = p->face_vertices + p->face_start[face];
    int n = p->face_start[face + 1] - p->face_start[face];
    for (int k = 0; k < n; k++) {
        Vec3 x = p->vertices[v[k]];
        Vec3 in = v3_sub(p->vertices[v[(k + n - 1) % n]], x);
        Vec3 out = v3_sub(p->vertices[v[(k + 1) % n]], x);
        add_solid_angle(g, x, -atan2(v3_norm(v3_cross(in, out)), v3_dot(in, out)), r);
    }
}

// The rest of the integrals over the normals at a vertex comes from their boundary: an arc for each
// edge.
static void add_arcs(Grown *g, const RbPolytope *p, int edge, double r) {
    Bend bend = edge_bend(p, edge);
    Vec3 arc = v3_scale(2 * sin(0.5 * bend.angle), bend.middle);
    double r4 = r * r * r * r;
    for (int k = 0; k < 2; k++) {
        Vec3 x = p->vertices[p->edges[edge][k]], other = p->vertices[p->edges[edge][1 - k]];
        Vec3 t = v3_unit(v3_sub(other, x));
        Mat3 mixed = m3_add(m3_outer(t, arc), m3_outer(arc, t));
        add_piece(g, x, 0, v3_scale(-r4 * bend.angle / 8, t), m3_scale(-r4 * r / 30, mixed));
    }
}

RbMoments rb_moments_of_polytope(const RbCore *core) {
    const RbPolytope *p = core->polytope;
    RbMoments m = polytope_alone(p);
    double r = core->radius;
    Grown g = {0};
    for (int f = 0; r > 0 && f < p->face_count; f++) {
        add_prism(&g, p, f, r);
        add_corners(&g, p, f, r);
    }
    for (int e = 0; r > 0 && e < p->edge_count; e++) {
        add_wedge(&g, p, e, r);
        add_arcs(&g, p, e, r);
    }
    for (int v = 0; r > 0 && v < p->vertex_count; v++) {
        add_solid_angle(&g, p->vertices[v], 2 * PI, r);
    }
    if (r > 0) {
        add_piece(&g, m.centroid, m.volume, V3_ZERO, m.second);
        Vec3 c = v3_scale(1 / g.volume, g.first);
        m = (RbMoments){g.volume, c, m3_sub(g.second, m3_scale(g.volume, m3_outer(c, c)))};
    }
    return rb_moments_move(m, core->frame);
}

// ---- primitives, in a frame with the axis along z (beam: length along x, width along y), second
// moments diagonal ----

static RbMoments centred(double volume, double xx, double yy, double zz) {
    return (RbMoments){volume, V3_ZERO, m3_diagonal(v3_scale(volume, v3(xx, yy, zz)))};
}

static RbMoments cylinder_moments(const RbShape *s) {
    double r = 0.5 * s->diameter, ri = 0.5 * s->inner_diameter, L = s->length;
    double radial = (r * r + ri * ri) / 4;
    return centred(PI * (r - ri) * (r + ri) * L, radial, radial, L * L / 12);
}

// r(z) = a + (b - a) z/L:  integrals of 1, z, z² over pi r² dz, and of pi r⁴/4 for the radial ones.
static RbMoments cone_moments(const RbShape *s) {
    double a = 0.5 * s->diameter, b = 0.5 * s->top_diameter, L = s->length;
    double volume = PI * L / 3 * (a * a + a * b + b * b);
    double first = PI * L * L / 12 * (a * a + 2 * a * b + 3 * b * b);
    double second = PI * L * L * L / 30 * (a * a + 3 * a * b + 6 * b * b);
    double a2 = a * a, b2 = b * b;
    double radial = PI * L / 20 * (a2 * a2 + a2 * a * b + a2 * b2 + a * b * b2 + b2 * b2);
    double centroid = first / volume;
    return (RbMoments){volume, v3(0, 0, centroid),
                       m3_diagonal(v3(radial, radial, second - first * centroid))};
}

// A half ball whose flat side is at L/2 has its centroid 3r/8 further out.
static RbMoments capsule_moments(const RbShape *s) {
    double r = 0.5 * s->diameter, L = s->length;
    double rod = PI * r * r * L, ball = 4.0 / 3 * PI * r * r * r;
    double radial = rod * r * r / 4 + ball * r * r / 5;
    double axial = rod * L * L / 12 + ball * (L * L / 4 + 3 * L * r / 8 + r * r / 5);
    return (RbMoments){rod + ball, V3_ZERO, m3_diagonal(v3(radial, radial, axial))};
}

// A half disc whose straight side is at l/2 has its centroid 4r/(3 pi) further out.
static RbMoments beam_moments(const RbShape *s) {
    double l = s->length, w = s->width, t = s->thickness, r = 0.5 * w;
    double block = l * w * t, ends = PI * r * r * t;
    double xx = block * l * l / 12 + ends * (l * l / 4 + 4 * l * r / (3 * PI) + r * r / 4);
    double yy = block * w * w / 12 + ends * r * r / 4;
    return (RbMoments){block + ends, V3_ZERO, m3_diagonal(v3(xx, yy, (block + ends) * t * t / 12))};
}

static RbMoments ellipsoid_moments(Vec3 l) {
    return centred(PI / 6 * l.x * l.y * l.z, l.x * l.x / 20, l.y * l.y / 20, l.z * l.z / 20);
}

static RbMoments parts_moments(const RbShape *s) {
    if (s->surface) return rb_moments_of_mesh(s->surface);
    RbMoments sum = {0};
    for (int i = 0; i < s->part_count; i++) {
        sum = rb_moments_add(rb_moments_of_polytope(&s->parts[i]), sum);
    }
    return sum;
}

static RbMoments along_z(const RbShape *s) {
    switch (s->kind) {
        case RB_SHAPE_SPHERE: return ellipsoid_moments(v3(s->diameter, s->diameter, s->diameter));
        case RB_SHAPE_ELLIPSOID: return ellipsoid_moments(s->lengths);
        case RB_SHAPE_BOX: {
            Vec3 l = s->lengths;
            return centred(l.x * l.y * l.z, l.x * l.x / 12, l.y * l.y / 12, l.z * l.z / 12);
        }
        case RB_SHAPE_CYLINDER: return cylinder_moments(s);
        case RB_SHAPE_CONE: return cone_moments(s);
        case RB_SHAPE_CAPSULE: return capsule_moments(s);
        case RB_SHAPE_BEAM: return beam_moments(s);
        default: return (RbMoments){0};
    }
}

RbMoments rb_moments_of_shape(const RbShape *shape) {
    if (shape->part_count > 0) return parts_moments(shape);
    return rb_moments_move(along_z(shape), (Pose){V3_ZERO, rb_shape_axes(shape)});
}
