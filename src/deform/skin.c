// SPDX-License-Identifier: MIT
// The surface is carried along: each vertex hangs on the molecules around it, with weights that reproduce every affine motion
// of them exactly (moving least squares): w_i = f_i (1 + (r_i - c)' M^-1 (p - c)), c the mean and M the second moment with the
// weights f of the field.
#include "deform/surface.h"

#include "geom/mesh_edges.h"

static const double FLAT = 1e-6; // of the largest moment: they lie in a plane

typedef struct Plane {
    Vec3 point, normal;
    double thickness; // [m] 0: no plane
} Plane;

static bool is_beside(const Plane *plane, Vec3 r) {
    return fabs(v3_dot(plane->normal, v3_sub(r, plane->point))) > plane->thickness;
}

// The nearest `most` molecules, by distance, of those that are not in the plane.
static int nearest(const RbNetworkObject *o, const Vec3 *r, Vec3 p, const Plane *beside, int most,
                   int *found) {
    double distance[RB_SKIN_MOLECULES];
    int count = 0;
    for (int i = o->first; i < o->first + o->count; i++) {
        double d = v3_norm2(v3_sub(r[i], p));
        if (count == most && !(d < distance[count - 1])) continue;
        if (beside && !is_beside(beside, r[i])) continue;
        int k = count < most ? count++ : count - 1;
        for (; k > 0 && distance[k - 1] > d; k--) {
            distance[k] = distance[k - 1];
            found[k] = found[k - 1];
        }
        distance[k] = d;
        found[k] = i;
    }
    return count;
}

// Three molecules with a plane through them: the first, the second, and the one farthest from their line.
static void span_plane(RbSkinVertex *s, const Vec3 *r) {
    const int *m = s->molecule;
    double widest = 0;
    for (int i = 1; i < s->count; i++) {
        for (int k = i + 1; k < s->count; k++) {
            Vec3 n = v3_cross(v3_sub(r[m[i]], r[m[0]]), v3_sub(r[m[k]], r[m[0]]));
            if (v3_norm(n) <= widest * 1.0001) continue;
            widest = v3_norm(n);
            s->plane[0] = m[0], s->plane[1] = m[i], s->plane[2] = m[k];
        }
    }
}

static Vec3 plane_normal(const RbSkinVertex *s, const Vec3 *r) {
    Vec3 a = v3_sub(r[s->plane[1]], r[s->plane[0]]), b = v3_sub(r[s->plane[2]], r[s->plane[0]]);
    return v3_unit_or(v3_cross(a, b), v3(0, 1, 0));
}

Vec3 rb_skin_place(const RbSkinVertex *s, const Vec3 *r) {
    Vec3 p = s->offset;
    for (int i = 0; i < s->count; i++) p = v3_axpy(p, s->weight[i], r[s->molecule[i]]);
    return s->plane[0] < 0 ? p : v3_axpy(p, s->height, plane_normal(s, r));
}

// The plane of a vertex: two sides a, b, and n = a x b / |a x b|.
typedef struct Side {
    Vec3 a, b, n;
    double area; // [m2] |a x b|
} Side;

static Side side_of(const RbSkinVertex *s, const Vec3 *r) {
    Side side = {.a = v3_sub(r[s->plane[1]], r[s->plane[0]]),
                 .b = v3_sub(r[s->plane[2]], r[s->plane[0]])};
    side.area = v3_norm(v3_cross(side.a, side.b));
    side.n = plane_normal(s, r);
    return side;
}

static Vec3 across(Vec3 a, Vec3 n) {
    return v3_axpy(a, -v3_dot(a, n), n);
}

// n' = (1 - n n) (a' x b + a x b') / |a x b|
Vec3 rb_skin_velocity(const RbSkinVertex *s, const Vec3 *r, const Vec3 *v) {
    Vec3 sum = V3_ZERO;
    for (int i = 0; i < s->count; i++) sum = v3_axpy(sum, s->weight[i], v[s->molecule[i]]);
    if (s->plane[0] < 0) return sum;
    Side side = side_of(s, r);
    if (!(side.area > 0)) return sum;
    Vec3 da = v3_sub(v[s->plane[1]], v[s->plane[0]]), db = v3_sub(v[s->plane[2]], v[s->plane[0]]);
    Vec3 turn = v3_add(v3_cross(da, side.b), v3_cross(side.a, db));
    return v3_axpy(sum, s->height / side.area, across(turn, side.n));
}

// Adds to the derivative by a molecule.
static int add_slope(int molecule, Mat3 by, int *molecules, Mat3 *all, int count) {
    int i = 0;
    while (i < count && molecules[i] != molecule) i++;
    molecules[i] = molecule;
    all[i] = i < count ? m3_add(all[i], by) : by;
    return i < count ? count : count + 1;
}

int rb_skin_slopes(const RbSkinVertex *s, const Vec3 *r, int *molecule, Mat3 *by) {
    int count = 0;
    for (int i = 0; i < s->count; i++)
        count = add_slope(s->molecule[i], m3_scale(s->weight[i], M3_IDENTITY), molecule, by, count);
    if (s->plane[0] < 0) return count;
    Side side = side_of(s, r);
    if (!(side.area > 0)) return count;
    Mat3 flat = m3_scale(s->height / side.area, m3_sub(M3_IDENTITY, m3_outer(side.n, side.n)));
    Mat3 one = m3_scale(-1, m3_mul(flat, m3_skew(side.b))), two = m3_mul(flat, m3_skew(side.a));
    count = add_slope(s->plane[1], one, molecule, by, count);
    count = add_slope(s->plane[2], two, molecule, by, count);
    return add_slope(s->plane[0], m3_scale(-1, m3_add(one, two)), molecule, by, count);
}

void rb_skin_push(const RbSkinVertex *s, const Vec3 *r, Vec3 force, Vec3 *f) {
    for (int i = 0; i < s->count; i++)
        f[s->molecule[i]] = v3_axpy(f[s->molecule[i]], s->weight[i], force);
    if (s->plane[0] < 0) return;
    Side side = side_of(s, r);
    if (!(side.area > 0)) return;
    Vec3 g = v3_scale(s->height / side.area, across(force, side.n));
    Vec3 one = v3_cross(side.b, g), two = v3_cross(g, side.a);
    f[s->plane[1]] = v3_add(f[s->plane[1]], one);
    f[s->plane[2]] = v3_add(f[s->plane[2]], two);
    f[s->plane[0]] = v3_sub(f[s->plane[0]], v3_add(one, two));
}

// Weights of the molecules chosen; answers how many dimensions they span, and if two, the plane.
static int set_weights(RbSkinVertex *s, Vec3 p, const Vec3 *r, double reach, Plane *plane) {
    double sum = 0, far = 0;
    Vec3 c = V3_ZERO, values;
    Mat3 m = M3_ZERO, axes, inverse = M3_ZERO;
    for (int i = 0; i < s->count; i++) far = fmax(far, v3_norm2(v3_sub(r[s->molecule[i]], p)));
    far = 1.05 * far + 0.2 * reach * reach;
    for (int i = 0; i < s->count; i++) {
        double u = 1 - v3_norm2(v3_sub(r[s->molecule[i]], p)) / far;
        s->weight[i] = u * u;
        sum += s->weight[i];
    }
    for (int i = 0; i < s->count; i++) {
        s->weight[i] /= sum;
        c = v3_axpy(c, s->weight[i], r[s->molecule[i]]);
    }
    for (int i = 0; i < s->count; i++) {
        Vec3 d = v3_sub(r[s->molecule[i]], c);
        m = m3_add(m, m3_scale(s->weight[i], m3_outer(d, d)));
    }
    m3_eigen(m, &values, &axes);
    const double v[3] = {values.x, values.y, values.z};
    int rank = 0;
    for (int k = 0; k < 3; k++) {
        Vec3 axis = v3((&axes.x.x)[k], (&axes.y.x)[k], (&axes.z.x)[k]);
        if (k == 0) *plane = (Plane){c, axis, 0.1 * reach};
        if (!(v[k] > FLAT * v[2])) continue;
        inverse = m3_add(inverse, m3_scale(1 / v[k], m3_outer(axis, axis)));
        rank++;
    }
    Vec3 pull = m3_mul_vec(inverse, v3_sub(p, c));
    for (int i = 0; i < s->count; i++)
        s->weight[i] *= 1 + v3_dot(v3_sub(r[s->molecule[i]], c), pull);
    return rank;
}

// If the nearest ones lie in a plane, some of them are exchanged for others, if there are any.
static int exchange(RbSkinVertex *s, const RbNetworkObject *o, Vec3 p, const Vec3 *r,
                    const Plane *plane, int last, int count) {
    int others[RB_SKIN_MOLECULES], found = nearest(o, r, p, plane, count, others);
    for (int i = 0; i < found; i++) s->molecule[last - i] = others[i];
    return found;
}

static void attach(const RbNetwork *n, int object, Vec3 p, const Vec3 *r, double reach,
                   RbSkinVertex *s) {
    const RbNetworkObject *o = &n->objects[object];
    Plane plane;
    s->plane[0] = -1;
    s->count = nearest(o, r, p, NULL, RB_SKIN_MOLECULES, s->molecule);
    int rank = set_weights(s, p, r, reach, &plane);
    for (int last = s->count - 1; rank == 2 && last >= 3; last -= 4) {
        if (exchange(s, o, p, r, &plane, last, last > 3 ? 4 : 2) == 0) break;
        rank = set_weights(s, p, r, reach, &plane);
    }
    Vec3 left = v3_sub(p, rb_skin_place(s, r));
    if (rank == 2) {
        span_plane(s, r);
        s->height = v3_dot(left, plane_normal(s, r));
    } else if (rank < 2) {
        s->offset = left;
    }
}

// The sum of the magnitudes of its weights; one that keeps its height above a plane turns with that too.
static double follow(const RbSkinVertex *s, const Vec3 *r) {
    double sum = 0;
    for (int i = 0; i < s->count; i++) sum += fabs(s->weight[i]);
    if (s->plane[0] < 0) return sum;
    Side side = side_of(s, r);
    return sum + 2 * fabs(s->height) * (v3_norm(side.a) + v3_norm(side.b)) / side.area;
}

static double triangle_area(const RbMesh *mesh, int triangle) {
    const int *t = mesh->triangles[triangle].v;
    Vec3 a = v3_sub(mesh->vertices[t[1]], mesh->vertices[t[0]]),
         b = v3_sub(mesh->vertices[t[2]], mesh->vertices[t[0]]);
    return 0.5 * v3_norm(v3_cross(a, b));
}

// A vertex has a third of the triangles around it, and shares that with their corners. One with next to no area of its own would be a wall that much weaker than
// its neighbours: what is thrown at it comes too near before it is felt.
static void share_area(RbSoftSkin *skin, RbArena *arena) {
    const RbMesh *mesh = &skin->mesh;
    double *own = rb_new_array(arena, double, mesh->vertex_count);
    int *triangles = rb_new_array(arena, int, mesh->vertex_count);
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *t = mesh->triangles[i].v;
        double third = triangle_area(mesh, i) / 3;
        for (int k = 0; k < 3; k++) own[t[k]] += third, triangles[t[k]]++;
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *t = mesh->triangles[i].v;
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += own[t[k]] / triangles[t[k]];
        for (int k = 0; k < 3; k++) skin->vertices[t[k]].area += sum / 3;
    }
}

RbSoftSkin rb_skin_attach(const RbNetwork *n, int object, RbMesh mesh, const Vec3 *r,
                          RbArena *keep) {
    RbSoftSkin skin = {.mesh = mesh,
                       .vertices = rb_new_array(keep, RbSkinVertex, mesh.vertex_count)};
    RbSoftField f = rb_soft_field(n, object);
    for (int i = 0; i < mesh.vertex_count; i++)
        attach(n, object, mesh.vertices[i], r, f.reach, &skin.vertices[i]);
    for (int i = 0; i < mesh.vertex_count; i++)
        skin.outreach =
            fmax(skin.outreach, v3_distance(mesh.vertices[i], r[skin.vertices[i].molecule[0]]));
    for (int i = 0; i < mesh.vertex_count; i++)
        skin.follow = fmax(skin.follow, follow(&skin.vertices[i], r));
    share_area(&skin, keep);
    return skin;
}

// An edge has a third of the triangles beside it, and shares that with their other edges, as vertices do.
void rb_skin_find_edges(RbSoftSkin *skin, RbArena *keep, RbArena scratch) {
    const RbMesh *mesh = &skin->mesh;
    RbMeshEdges found = rb_mesh_edges(mesh, &scratch);
    double *shared = rb_new_array(&scratch, double, mesh->triangle_count);
    skin->edges = rb_new_array(keep, RbSoftEdge, found.edge_count);
    skin->edge_count = found.edge_count;
    for (int i = 0; i < found.edge_count; i++) {
        int first = found.start[i], end = found.start[i + 1];
        double own = 0;
        for (int h = first; h < end; h++) own += triangle_area(mesh, found.halves[h].triangle) / 3;
        for (int h = first; h < end; h++) shared[found.halves[h].triangle] += own / (end - first);
    }
    for (int i = 0; i < found.edge_count; i++) {
        RbSoftEdge *e = &skin->edges[i];
        e->a = (int)(found.halves[found.start[i]].key >> 32);
        e->b = (int)(found.halves[found.start[i]].key & UINT32_MAX);
        for (int h = found.start[i]; h < found.start[i + 1]; h++)
            e->area += shared[found.halves[h].triangle] / 3;
    }
}
