// SPDX-License-Identifier: MIT
// Questions to a surface of triangles. How it is prepared: grain_mesh_make.c.
#include "dem/grain_mesh.h"

#include <math.h>

static Vec3 vertex(const RbGrainMesh *m, int triangle, int k) {
    return m->mesh.vertices[m->mesh.triangles[triangle].v[k % 3]];
}

static double beyond(double x, double half) {
    double d = fabs(x) - half;
    return d > 0 ? d : 0;
}

// Is a point nearer to a box than that, or as near?
static bool is_near(const RbMeshNode *node, Vec3 p, double distance) {
    Vec3 d = v3_sub(p, node->centre);
    d = v3(beyond(d.x, node->half.x), beyond(d.y, node->half.y), beyond(d.z, node->half.z));
    return v3_norm2(d) <= distance * distance;
}

// ----------------------------------------------------------------------------------------------------
// patches

// A side that ends the patch is asked as its ridge is, so that one of the two owns what is on it.
static bool is_within_side(const RbGrainMesh *m, int triangle, int k, Vec3 p) {
    const RbGrainTriangle *t = &m->triangles[triangle];
    if (t->ridge[k] >= 0)
        return v3_dot(v3_sub(p, m->ridges[t->ridge[k]].a), m->inward[t->inward[k]]) >= 0;
    Vec3 a = vertex(m, triangle, k), side = v3_sub(vertex(m, triangle, k + 1), a);
    Vec3 in = v3_cross(m->patches[t->patch].n, side);
    return v3_dot(v3_sub(p, a), in) >= -m->rounding * v3_norm(side);
}

static bool is_above(const RbGrainMesh *m, int triangle, Vec3 p) {
    return is_within_side(m, triangle, 0, p) && is_within_side(m, triangle, 1, p) &&
           is_within_side(m, triangle, 2, p);
}

// Patches of more triangles are searched in the tree.
enum { FEW_TRIANGLES = 16 };

static int find_among(const RbGrainMesh *m, const RbGrainPatch *f, Vec3 p) {
    for (int i = f->first; i < f->first + f->count; i++) {
        if (is_above(m, m->patch_triangles[i], p)) return m->patch_triangles[i];
    }
    return -1;
}

// A triangle of the patch below a point whose foot is given; -1: none.
static int find_below(const RbGrainMesh *m, int node, int patch, Vec3 p, Vec3 foot) {
    const RbMeshNode *box = &m->tree.nodes[node];
    if (!is_near(box, foot, 4 * m->slack)) return -1;
    for (int i = box->first; i < box->first + box->count; i++) {
        int t = m->tree.triangles[i];
        if (m->triangles[t].patch == patch && is_above(m, t, p)) return t;
    }
    if (box->count > 0) return -1;
    int found = find_below(m, box->left, patch, p, foot);
    return found >= 0 ? found : find_below(m, box->right, patch, p, foot);
}

static double patch_distance(const RbGrainMesh *m, int patch, Vec3 p, double reach, int *hint,
                             Vec3 *n) {
    const RbGrainPatch *f = &m->patches[patch];
    double d = v3_dot(f->n, p) - f->offset;
    if ((m->closed && d < 0) || !(fabs(d) < reach)) return INFINITY;
    bool known = m->triangles[*hint].patch == patch && is_above(m, *hint, p);
    if (!known) {
        int t = f->count <= FEW_TRIANGLES ? find_among(m, f, p)
                                          : find_below(m, 0, patch, p, v3_axpy(p, -d, f->n));
        if (t < 0) return INFINITY;
        *hint = t;
    }
    *n = d < 0 ? v3_neg(f->n) : f->n;
    return fabs(d);
}

// ----------------------------------------------------------------------------------------------------
// ridges and corners

static double away_from(Vec3 foot, Vec3 p, Vec3 *n) {
    Vec3 d = v3_sub(p, foot);
    double distance = v3_norm(d);
    if (!(distance > 0)) return INFINITY;
    *n = v3_scale(1 / distance, d);
    return distance;
}

static double ridge_distance(const RbGrainMesh *m, const RbGrainRidge *r, Vec3 p, Vec3 *n) {
    Vec3 d = v3_sub(p, r->a);
    double along = v3_dot(d, r->along);
    if (along < 0 || v3_dot(v3_sub(p, r->b), r->along) > 0) return INFINITY;
    for (int k = r->first; k < r->first + r->count; k++) {
        if (v3_dot(d, m->inward[k]) >= 0) return INFINITY;
    }
    return away_from(v3_axpy(r->a, along, r->along), p, n);
}

static double corner_distance(const RbGrainMesh *m, const RbGrainCorner *c, Vec3 p, Vec3 *n) {
    Vec3 d = v3_sub(p, c->r);
    for (int k = c->first; k < c->first + c->count; k++) {
        if (v3_dot(d, m->away[k]) >= 0) return INFINITY;
    }
    return away_from(c->r, p, n);
}

double rb_grain_mesh_distance(const RbGrainMesh *m, int feature, Vec3 p, double reach, int *hint,
                              Vec3 *n) {
    if (feature < m->patch_count) return patch_distance(m, feature, p, reach, hint, n);
    feature -= m->patch_count;
    double d = feature < m->ridge_count
                   ? ridge_distance(m, &m->ridges[feature], p, n)
                   : corner_distance(m, &m->corners[feature - m->ridge_count], p, n);
    return d < reach ? d : INFINITY;
}

// -----------------------------------------------------------------------------------------------
// who is near

typedef struct Search {
    const RbGrainMesh *m;
    Vec3 p;
    double reach;
    RbGrainNear *near;
    void *user;
} Search;

static double segment_distance(Vec3 a, Vec3 b, Vec3 along, Vec3 p) {
    double x = v3_dot(v3_sub(p, a), along);
    if (!(x > 0)) return v3_distance(a, p);
    if (v3_dot(v3_sub(p, b), along) > 0) return v3_distance(b, p);
    return v3_distance(v3_axpy(a, x, along), p);
}

static void offer_triangle(const Search *s, int triangle) {
    const RbGrainMesh *m = s->m;
    const RbGrainTriangle *t = &m->triangles[triangle];
    const RbGrainPatch *f = &m->patches[t->patch];
    double d = v3_dot(f->n, s->p) - f->offset;
    if (fabs(d) < s->reach) s->near(s->user, t->patch);
    for (int k = 0; k < 3; k++) {
        int corner = m->corner_of[m->mesh.triangles[triangle].v[k]], ridge = t->ridge[k];
        const RbGrainRidge *r = &m->ridges[ridge];
        if (ridge >= 0 && segment_distance(r->a, r->b, r->along, s->p) < s->reach)
            s->near(s->user, m->patch_count + ridge);
        if (corner >= 0 && v3_distance(m->corners[corner].r, s->p) < s->reach)
            s->near(s->user, m->patch_count + m->ridge_count + corner);
    }
}

static void search(const Search *s, int node) {
    const RbMeshNode *box = &s->m->tree.nodes[node];
    if (!is_near(box, s->p, s->reach + s->m->slack)) return;
    for (int i = box->first; i < box->first + box->count; i++)
        offer_triangle(s, s->m->tree.triangles[i]);
    if (box->count > 0) return;
    search(s, box->left);
    search(s, box->right);
}

void rb_grain_mesh_near(const RbGrainMesh *m, Vec3 p, double reach, RbGrainNear *near, void *user) {
    search(&(Search){m, p, reach, near, user}, 0);
}

// --------------------------------------------------------------------------------------------------
// inside

// Does the ray from p along +d pass the box?
static bool ray_meets(const RbMeshNode *box, Vec3 p, Vec3 d) {
    double from = 0, to = INFINITY;
    for (int k = 0; k < 3; k++) {
        double x = v3_get(box->centre, k) - v3_get(p, k), h = v3_get(box->half, k) * (1 + 1e-12);
        double v = v3_get(d, k), a = (x - h) / v, b = (x + h) / v;
        from = fmax(from, fmin(a, b)), to = fmin(to, fmax(a, b));
    }
    return from <= to;
}

static int ray_crossings(const RbGrainMesh *m, int node, Vec3 p, Vec3 d) {
    const RbMeshNode *box = &m->tree.nodes[node];
    if (!ray_meets(box, p, d)) return 0;
    if (box->count == 0)
        return ray_crossings(m, box->left, p, d) + ray_crossings(m, box->right, p, d);
    int count = 0;
    for (int i = box->first; i < box->first + box->count; i++) {
        Vec3 a = v3_sub(vertex(m, m->tree.triangles[i], 0), p);
        Vec3 b = v3_sub(vertex(m, m->tree.triangles[i], 1), p);
        Vec3 c = v3_sub(vertex(m, m->tree.triangles[i], 2), p);
        double ab = v3_dot(d, v3_cross(a, b)), bc = v3_dot(d, v3_cross(b, c));
        double ca = v3_dot(d, v3_cross(c, a)), volume = v3_dot(a, v3_cross(b, c));
        bool same = (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
        count += same && (volume > 0) == (ab > 0);
    }
    return count;
}

bool rb_grain_mesh_encloses(const RbGrainMesh *m, Vec3 p) {
    // A direction in which no edge of a drawing runs.
    Vec3 d = v3(0.4368321, 0.7130917, 0.5483329);
    return m->closed && is_near(&m->tree.nodes[0], p, 0) && ray_crossings(m, 0, p, d) % 2 == 1;
}
