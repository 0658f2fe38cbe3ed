// SPDX-License-Identifier: MIT
#include "dem/face_mesh.h"

#include <math.h>

#include "geom/support.h"

// A polyhedron and the patch that it may be on.
typedef struct Case {
    const RbGrainMesh *m;
    int patch;
    bool behind; // an open surface, touched from its back
    const RbCore *core;
    Vec3 centre; // [m]
    double reach;
} Case;

// ----------------------------------------------------------------------------------------------------
// the triangles

// May one leave the patch over this side? Not where another patch rises from it.
static bool is_edge(const Case *c, int ridge, int inward, Vec3 n) {
    if (ridge < 0) return false;
    const RbGrainRidge *r = &c->m->ridges[ridge];
    for (int k = r->first; k < r->first + r->count; k++) {
        if (k != inward && v3_dot(c->m->inward[k], n) > 0) return false;
    }
    return true;
}

static RbFacePart part_of(const Case *c, int triangle, Vec3 n) {
    const RbGrainTriangle *t = &c->m->triangles[triangle];
    const int *v = c->m->mesh.triangles[triangle].v;
    RbFacePart part;
    for (int k = 0; k < 3; k++) {
        int corner = c->behind ? (3 - k) % 3 : k, side = c->behind ? 2 - k : k;
        part.v[k] = c->m->mesh.vertices[v[corner]];
        part.edge[k] = is_edge(c, t->ridge[side], t->inward[side], n);
    }
    return part;
}

typedef struct Giving {
    const Case *c;
    Vec3 n;
    RbTakePart *take;
    void *taker;
} Giving;

static bool is_near(const RbMeshNode *node, Vec3 p, double distance) {
    Vec3 d = v3_sub(v3_abs(v3_sub(p, node->centre)), node->half);
    return v3_norm2(v3_max(d, V3_ZERO)) <= distance * distance;
}

static void give_node(const Giving *g, int node) {
    const RbGrainMesh *m = g->c->m;
    const RbMeshNode *box = &m->tree.nodes[node];
    if (!is_near(box, g->c->centre, g->c->reach + m->slack)) return;
    for (int i = box->first; i < box->first + box->count; i++) {
        int triangle = m->tree.triangles[i];
        if (m->triangles[triangle].patch != g->c->patch) continue;
        RbFacePart part = part_of(g->c, triangle, g->n);
        g->take(g->taker, &part);
    }
    if (box->count > 0) return;
    give_node(g, box->left);
    give_node(g, box->right);
}

static Vec3 normal_of(const Case *c) {
    Vec3 n = c->m->patches[c->patch].n;
    return c->behind ? v3_neg(n) : n;
}

static void give_parts(void *user, RbTakePart *take, void *taker) {
    const Case *c = user;
    Giving g = {c, normal_of(c), take, taker};
    give_node(&g, 0);
}

// ----------------------------------------------------------------------------------------------------
// the overlap

static RbCore half_space(const Case *c) {
    Vec3 n = normal_of(c), x = v3_perpendicular(n);
    Vec3 on = v3_scale(c->m->patches[c->patch].offset, c->m->patches[c->patch].n);
    Pose frame = {on, m3_from_columns(x, v3_cross(n, x), n)};
    return (RbCore){.kind = RB_CORE_HALFSPACE, .size = INFINITY, .frame = frame};
}

static RbFacePatch overlap(const Case *c, Pose X, RbGap *gap) {
    RbCore plane = half_space(c);
    RbFacePatch face;
    rb_distance(&plane, c->core, X, NULL, gap);
    rb_patch_on_face(give_parts, (void *)c, c->core, X, gap, &face);
    return face;
}

// [m] From the edges on, in the mean.
static double width_of(const RbFacePatch *f) {
    return f->edges > 0 ? f->area / f->edges : INFINITY;
}

static double share_of(const RbFacePatch *f) {
    double q = f->deepest / width_of(f), q2 = q * q, q8 = q2 * q2 * q2 * q2;
    return q > 0 ? 1 / sqrt(sqrt(1 + q8)) : 1;
}

static const double LITTLE = 1e-6; // a share that counts for nothing

// U = C W^3/2 / V: a share of U is one of W.
static double shared_square(const Case *c, Pose X) {
    RbGap gap;
    RbFacePatch f = overlap(c, X, &gap);
    return cbrt(share_of(&f) * share_of(&f)) * f.patch.square;
}

// Moved by a little as a rigid body about a point.
static Pose moved(Pose X, Vec3 about, Vec3 by, Vec3 turn) {
    double angle = v3_norm(turn);
    Mat3 R = angle > 0 ? m3_rotation(v3_scale(1 / angle, turn), angle) : M3_IDENTITY;
    Vec3 arm = m3_mul_vec(R, v3_sub(X.r, about));
    return (Pose){v3_add(v3_add(about, arm), by), m3_mul(R, X.R)};
}

// The share changes with the pose in a way that nobody wants to derive: central differences.
static Wrench shared_slope(const Case *c, Pose X, const RbFacePatch *f) {
    double slopes[6], way = 1e-3 * f->deepest, angle = way / c->reach;
    for (int k = 0; k < 6; k++) {
        Vec3 by = k < 3 ? v3_scale(way, v3_axis(k)) : V3_ZERO;
        Vec3 turn = k < 3 ? V3_ZERO : v3_scale(angle, v3_axis(k - 3));
        double up = shared_square(c, moved(X, f->patch.origin, by, turn));
        double down = shared_square(c, moved(X, f->patch.origin, v3_neg(by), v3_neg(turn)));
        slopes[k] = (up - down) / (2 * (k < 3 ? way : angle));
    }
    return (Wrench){v3_load(slopes + 3), v3_load(slopes)};
}

// At an edge the force need not be along the normal of the patch: -∇U, U = C W^3/2 / V, is the normal of the contact, and the
// moments are those of what it sees. False: there is no force.
static bool lean(RbPatch *p) {
    Vec3 force =
        v3_axpy(v3_scale(1 / p->volume, p->volume_slope.f), -1.5 / p->square, p->square_slope.f);
    double size = v3_norm(force);
    if (!(size > 0)) return false;
    Vec3 u = p->u, v = p->v;
    p->n = v3_scale(1 / size, force);
    p->u = v3_perpendicular(p->n), p->v = v3_cross(p->n, p->u);
    double a = v3_dot(u, p->u), b = v3_dot(v, p->u), c = v3_dot(u, p->v), d = v3_dot(v, p->v);
    double x = p->x, y = p->y, xx = p->xx, xy = p->xy, yy = p->yy;
    double spot_x = p->spot.x, spot_y = p->spot.y;
    p->x = a * x + b * y, p->y = c * x + d * y;
    p->spot.x = a * spot_x + b * spot_y, p->spot.y = c * spot_x + d * spot_y;
    p->xx = a * a * xx + 2 * a * b * xy + b * b * yy;
    p->xy = a * c * xx + (a * d + b * c) * xy + b * d * yy;
    p->yy = c * c * xx + 2 * c * d * xy + d * d * yy;
    return true;
}

// Does a polyhedron stand out of the plane at all? If it does not it is behind a wall, and touches its other side.
static bool stands_out(const Case *c, Pose X) {
    Vec3 n = normal_of(c);
    Vec3 farthest = pose_point(X, rb_support(c->core, m3_tmul_vec(X.R, n)));
    return v3_dot(v3_sub(farthest, half_space(c).frame.r), n) > 0;
}

RbFaceOnMesh rb_face_on_mesh(const RbGrainMesh *m, int patch, const RbCore *core, Pose X,
                             Vec3 centre, double reach) {
    const RbGrainPatch *plane = &m->patches[patch];
    bool back = v3_dot(plane->n, centre) < plane->offset;
    Case c = {m, patch, back && !m->closed, core, centre, reach};
    RbFaceOnMesh out = {0};
    if (!stands_out(&c, X)) return out;
    RbFacePatch face = overlap(&c, X, &out.gap);
    double share = share_of(&face);
    out.patch = face.patch;
    out.spot = face.covered ? share * share * share * share : 0;
    out.depth = fmax(fmin(face.deepest, width_of(&face)),
                     face.covered && share > 0.5 ? -out.gap.distance : 0);
    if (out.spot < LITTLE) out.spot = 0;
    out.touches = out.depth > 0 && share > LITTLE && (out.spot > 0 || face.patch.volume > 0);
    if (share == 1 || !(face.patch.volume > 0)) return out;
    out.patch.square *= cbrt(share * share);
    out.patch.square_slope = shared_slope(&c, X, &face);
    out.touches &= lean(&out.patch);
    out.gap.normal = out.patch.n;
    return out;
}

// ----------------------------------------------------------------------------------------------------
// fillings

typedef struct Trying {
    const RbGrainMesh *m;
    const RbCore *core;
    Pose X;
    Vec3 centre;
    double reach, slack;
    bool found;
} Trying;

static void try_patch(void *user, int feature) {
    Trying *t = user;
    if (t->found || feature >= t->m->patch_count) return;
    RbFaceOnMesh o = rb_face_on_mesh(t->m, feature, t->core, t->X, t->centre, t->reach);
    t->found = o.touches && o.depth > t->slack;
}

bool rb_face_in_mesh(const RbGrainMesh *m, const RbCore *core, Pose X, Vec3 centre, double reach,
                     double slack) {
    Trying t = {m, core, X, centre, reach, slack, rb_grain_mesh_encloses(m, centre)};
    rb_grain_mesh_near(m, centre, reach, try_patch, &t);
    return t.found;
}
