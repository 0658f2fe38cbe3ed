// SPDX-License-Identifier: MIT
#include "collide/patch_flat.h"

#include <math.h>

#include "geom/support.h"

// Cells have room for so many sides.
static bool is_small(const RbPolytope *t) {
    for (int i = 0; i < t->face_count; i++) {
        if (t->face_start[i + 1] - t->face_start[i] > RB_FLAT_CELL_SIDES_MAX) return false;
    }
    for (int i = 0; i < t->vertex_count; i++) {
        if (t->neighbour_start[i + 1] - t->neighbour_start[i] > RB_FLAT_CELL_SIDES_MAX)
            return false;
    }
    return true;
}

bool rb_has_flat_patch(const RbDepthField *f) {
    if (f->planar || f->deep) return false;
    if (f->core->kind == RB_CORE_POLYTOPE) return is_small(f->core->polytope);
    return f->core->kind == RB_CORE_BOX;
}

static RbPlate plate_of(const RbSheet *s) {
    RbPlate p = {.c = s->c, .e1 = s->e1, .e2 = s->e2};
    p.straight = s->straight, p.wide = s->r0, p.round = true;
    if (s->kind == RB_SHEET_FLAT) {
        p.c = v3_axpy(s->c, 0.5 * s->length, s->axis), p.e1 = s->axis, p.e2 = s->e1;
        p.straight = 0.5 * s->length, p.wide = s->high, p.round = false;
    }
    p.n = v3_cross(p.e1, p.e2);
    return p;
}

// How far the plate extends from its middle along d.
static double extent(const RbPlate *p, Vec3 d) {
    double x = fabs(v3_dot(d, p->e1)), y = fabs(v3_dot(d, p->e2));
    return p->straight * x + p->wide * (p->round ? sqrt(x * x + y * y) : y);
}

// ---- boxes

// Where a plate is along an axis of a box: below it, between its faces, beyond.
typedef struct Along {
    bool may[3];
    bool
        level; // it is parallel to the faces across that axis, so that it is in one of these places, and nothing is to be cut off
} Along;

static Along along_of(const RbPlate *p, int axis, double half, double r) {
    double mid = v3_get(p->c, axis), far = extent(p, v3_axis(axis));
    bool level = far < 1e-14 * (p->straight + p->wide);
    if (level && fabs(fabs(mid) - half) <= far) return (Along){{false, true, false}, true};
    return (Along){{mid - far < -half && mid + far > -half - r,
                    mid - far < half && mid + far > -half,
                    mid + far > half && mid - far < half + r},
                   level};
}

// Side -1, 0 or 1 of each axis: over which face, edge or corner.
static bool add_box_cell(const RbPlate *p, double r, Vec3 h, const Along at[3], const int side[3],
                         RbRimArcs *rim, RbRoundSums *sums) {
    RbFlatCell c;
    int out = (side[0] != 0) + (side[1] != 0) + (side[2] != 0), axis = 0;
    while (axis < 2 && (side[axis] != 0) != (out == 1)) axis++; // of the face, or along the edge
    Vec3 corner = v3(side[0] * h.x, side[1] * h.y, side[2] * h.z), along = v3_axis(axis);
    double half = v3_get(h, axis);
    if (out == 1)
        rb_flat_cell_face(p, r, v3_scale(side[axis], along), half, &c);
    else if (out == 2)
        rb_flat_cell_edge(p, r, v3_axpy(corner, -half, along), along, 2 * half, &c);
    else
        rb_flat_cell_corner(p, r, corner, &c);
    for (int i = 0; i < 3 && c.count > 0; i++) {
        Vec3 d = v3_axis(i);
        double hi = v3_get(h, i);
        if (at[i].level) continue;
        if (side[i] != 0 && out > 1) rb_flat_cell_keep(&c, v3_scale(-side[i], d), -hi);
        if (side[i] == 0 && out == 1)
            rb_flat_cell_keep(&c, d, hi), rb_flat_cell_keep(&c, v3_neg(d), hi);
    }
    return rb_flat_cell_add(&c, rim, sums);
}

static bool add_box(const RbPlate *p, double r, Vec3 h, RbRimArcs *rim, RbRoundSums *sums) {
    bool at_outline = false;
    Along at[3];
    for (int i = 0; i < 3; i++) at[i] = along_of(p, i, v3_get(h, i), r);
    for (int k = 0; k < 27; k++) {
        const int place[3] = {k % 3, k / 3 % 3, k / 9},
                  side[3] = {place[0] - 1, place[1] - 1, place[2] - 1};
        bool may = at[0].may[place[0]] && at[1].may[place[1]] && at[2].may[place[2]];
        if (may && k != 13) at_outline |= add_box_cell(p, r, h, at, side, rim, sums);
    }
    return at_outline;
}

// ---- hulls

static bool add_face(const RbPlate *p, double r, const RbPolytope *t, int face, RbRimArcs *rim,
                     RbRoundSums *sums) {
    RbFlatCell c;
    Vec3 n = t->face_normals[face];
    double over = v3_dot(n, p->c) - t->face_offsets[face], far = extent(p, n);
    if (!(over - far < r && over + far > 0)) return false;
    rb_flat_cell_face(p, r, n, t->face_offsets[face], &c);
    int first = t->face_start[face], end = t->face_start[face + 1];
    for (int k = first; k < end && c.count > 0; k++) {
        Vec3 a = t->vertices[t->face_vertices[k]],
             b = t->vertices[t->face_vertices[k + 1 < end ? k + 1 : first]];
        Vec3 out = v3_unit(v3_cross(v3_sub(b, a), n));
        rb_flat_cell_keep(&c, out, v3_dot(out, a));
    }
    return rb_flat_cell_add(&c, rim, sums);
}

static bool add_edge(const RbPlate *p, double r, const RbPolytope *t, int edge, RbRimArcs *rim,
                     RbRoundSums *sums) {
    RbFlatCell c;
    Vec3 a = t->vertices[t->edges[edge][0]], way = v3_sub(t->vertices[t->edges[edge][1]], a);
    double length = v3_norm(way), h0 = v3_dot(p->n, v3_sub(a, p->c)), h1 = h0 + v3_dot(p->n, way);
    if (h0 * h1 > 0 && fmin(fabs(h0), fabs(h1)) > r) return false;
    Vec3 along = v3_scale(1 / length, way), m = t->face_normals[t->edge_faces[edge][0]],
         n = t->face_normals[t->edge_faces[edge][1]];
    rb_flat_cell_edge(p, r, a, along, length, &c);
    // inward in both faces
    double turn = v3_dot(v3_cross(m, n), along) > 0 ? 1 : -1;
    Vec3 in_m = v3_scale(-turn, v3_cross(along, m)), in_n = v3_scale(turn, v3_cross(along, n));
    rb_flat_cell_keep(&c, in_m, v3_dot(in_m, a));
    rb_flat_cell_keep(&c, in_n, v3_dot(in_n, a));
    return rb_flat_cell_add(&c, rim, sums);
}

static bool add_corner(const RbPlate *p, double r, const RbPolytope *t, int i, RbRimArcs *rim,
                       RbRoundSums *sums) {
    RbFlatCell c;
    Vec3 a = t->vertices[i];
    if (fabs(v3_dot(p->n, v3_sub(a, p->c))) > r) return false;
    rb_flat_cell_corner(p, r, a, &c);
    for (int k = t->neighbour_start[i]; k < t->neighbour_start[i + 1] && c.count > 0; k++) {
        Vec3 along = v3_unit(v3_sub(t->vertices[t->neighbours[k]], a));
        rb_flat_cell_keep(&c, along, v3_dot(along, a));
    }
    return rb_flat_cell_add(&c, rim, sums);
}

static bool add_near(const RbPlate *p, const RbPolytope *t, const RbNearHull *h, RbRimArcs *rim,
                     RbRoundSums *sums) {
    double r = h->radius;
    bool at_outline = false;
    for (int i = 0; i < h->count; i++) {
        int id = h->pieces[i].id;
        switch (h->pieces[i].kind) {
            case RB_NEAR_FACE: at_outline |= add_face(p, r, t, id, rim, sums); break;
            case RB_NEAR_EDGE: at_outline |= add_edge(p, r, t, id, rim, sums); break;
            case RB_NEAR_CORNER: at_outline |= add_corner(p, r, t, id, rim, sums); break;
            default: break;
        }
    }
    return at_outline;
}

static bool add_polytope(const RbPlate *p, const RbDepthField *f, RbRimArcs *rim,
                         RbRoundSums *sums) {
    const RbPolytope *t = f->core->polytope;
    if (f->near) return add_near(p, t, f->near, rim, sums);
    bool at_outline = false;
    double r = f->radius;
    for (int i = 0; i < t->face_count; i++) at_outline |= add_face(p, r, t, i, rim, sums);
    for (int i = 0; i < t->edge_count; i++) at_outline |= add_edge(p, r, t, i, rim, sums);
    for (int i = 0; i < t->vertex_count; i++) at_outline |= add_corner(p, r, t, i, rim, sums);
    return at_outline;
}

// ---- a sheet

// How far the polyhedron is over the plate's plane at least, along d.
static double height_over(const RbPlate *p, const RbCore *core, Vec3 d) {
    return v3_dot(d, v3_sub(rb_core_support(core, v3_neg(d), NULL), p->c));
}

bool rb_patch_flat(const RbDepthField *f, const RbSheet *sheet, Vec3 middle, double narrows,
                   RbRimArcs *rim, RbRoundSums *sums) {
    RbPlate p = plate_of(sheet);
    p.margin = narrows * f->radius;
    Vec3 out = v3_dot(p.n, v3_sub(p.c, middle)) > 0 ? p.n : v3_neg(p.n);
    double over = height_over(&p, f->core, out);
    if (over > f->radius || height_over(&p, f->core, v3_neg(out)) > f->radius) return false;
    double area = sums->area;
    bool at_outline = f->core->kind == RB_CORE_BOX ? add_box(&p, f->radius, f->core->h, rim, sums)
                                                   : add_polytope(&p, f, rim, sums);
    return over > 0 && sums->area > area && !at_outline;
}
