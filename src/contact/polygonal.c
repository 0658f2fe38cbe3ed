// SPDX-License-Identifier: MIT
#include "contact/polygonal.h"

// A layer on a rigid body, compressed without going sideways: K = (1 - nu)/((1 + nu)(1 - 2 nu)) E/depth.
static double layer_stiffness(const RbPolygonalLayer *l) {
    if (!(l->modulus > 0) || !(l->depth > 0)) return INFINITY;
    return (1 - l->poisson) / ((1 + l->poisson) * (1 - 2 * l->poisson)) * l->modulus / l->depth;
}

double rb_polygonal_stiffness(const RbPolygonal *p) {
    double compliance = 1 / layer_stiffness(&p->a) + 1 / layer_stiffness(&p->b);
    return compliance > 0 ? 1 / compliance : 0;
}

RbStatus rb_polygonal_check(const RbPolygonal *p, const char *name, RbPos at, RbDiag *diag) {
    const RbPolygonalLayer *layers[2] = {&p->a, &p->b};
    for (int i = 0; i < 2; i++) {
        if (layers[i]->poisson > -1 && layers[i]->poisson < 0.5) continue;
        return rb_fail(
            diag, RB_ERROR_MODEL, at,
            "Poisson's ratio of a layer of the contact '%s' is %g; it must lie between -1 and 0.5",
            name, layers[i]->poisson);
    }
    if (!(rb_polygonal_stiffness(p) > 0)) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "both layers of the contact '%s' are rigid; one needs a modulus and a depth",
                       name);
    }
    if (!(p->max_penetration > 0)) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "largest penetration of the contact '%s' is %g m; it must be positive", name,
                       p->max_penetration);
    }
    if (!(p->compression >= 0 && p->expansion >= 0 && p->friction >= 0)) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "damping or friction of the contact '%s' is negative", name);
    }
    return RB_OK;
}

// One surface as base, the other as target. Everything is in the frame of A.
typedef struct Pass {
    const RbPolygonal *p;
    const RbSkin *base, *target;
    Pose X_base, X_target; // in A
    bool base_is_a;
    double stiffness, share; // share of the force of this pass
    double ratio;            // where between base (0) and target surface (1) the force acts
    double coarse,
        fine; // [m] sides of parts of triangles: no part is longer, none at a rim is halved below
    Vec3 v, w;
    RbMeshOverlap *overlap;
    bool waits; // a triangle is too large for one point
    RbPolygonalForce out;
    double pressed; // [N] elastic forces, as scalars; with them weighed:
    Vec3 place, push;
} Pass;

// ---- the ray from a barycentre, backwards, to the surface it came through ----

static bool ray_meets_node(const RbMeshNode *n, Vec3 from, Vec3 d, double length) {
    Vec3 middle = v3_axpy(from, 0.5 * length, d), half = v3_scale(0.5 * length, v3_abs(d));
    Vec3 off = v3_sub(v3_abs(v3_sub(middle, n->centre)), v3_add(n->half, half));
    return off.x <= 0 && off.y <= 0 && off.z <= 0;
}

// Distance along d to a triangle that faces the ray's origin's way: the ray leaves the target.
static double ray_to_triangle(const RbSkin *s, int t, Vec3 from, Vec3 d) {
    const int *v = s->mesh.triangles[t].v;
    Vec3 a = s->mesh.vertices[v[0]], e1 = v3_sub(s->mesh.vertices[v[1]], a),
         e2 = v3_sub(s->mesh.vertices[v[2]], a), p = v3_cross(d, e2);
    double det = v3_dot(e1, p);
    if (!(det < 0)) return INFINITY; // d . n > 0: from inside
    Vec3 r = v3_sub(from, a), q = v3_cross(r, e1);
    double u = v3_dot(r, p), w = v3_dot(d, q);
    if (u > 0 || w > 0 || u + w < det) return INFINITY;
    return v3_dot(e2, q) / det;
}

static double ray_depth(const RbSkin *s, int node, Vec3 from, Vec3 d, double best) {
    const RbMeshNode *n = &s->tree.nodes[node];
    if (!ray_meets_node(n, from, d, best)) return best;
    for (int i = 0; i < n->count; i++) {
        double u = ray_to_triangle(s, s->tree.triangles[n->first + i], from, d);
        if (u >= 0 && u < best) best = u;
    }
    if (n->count > 0) return best;
    best = ray_depth(s, n->left, from, d, best);
    return ray_depth(s, n->right, from, d, best);
}

// ---- one triangle ----

static double damping(const RbPolygonal *p, double elastic, double area, double u,
                      double approach) {
    if (approach < 0 && p->mode == RB_POLYGONAL_COMPRESSION) return 0;
    double d = approach > 0 ? p->compression : p->expansion;
    double fade = p->transition_depth > 0 && u < p->transition_depth ? u / p->transition_depth : 1;
    double force = fade * d * area * approach;
    return p->mode == RB_POLYGONAL_NO_PULL && force < -elastic ? -elastic : force;
}

// x_A, n_A: barycentre and outward normal of a base triangle; depth u along -n.
static void add_triangle(Pass *s, Vec3 x, Vec3 n, double area, double u) {
    Vec3 at = v3_axpy(x, -s->ratio * u, n), v = v3_add(s->v, v3_cross(s->w, at));
    Vec3 push = s->base_is_a ? n : v3_neg(n); // direction of the force on B
    double away = v3_dot(v, push), elastic = s->stiffness * area * u;
    double normal = elastic + damping(s->p, elastic, area, u, -away);
    Vec3 slip = v3_axpy(v, -away, push);
    double speed = v3_norm(slip), slow = s->p->slip_speed > 1e-10 ? s->p->slip_speed : 1e-3;
    double y = speed / slow, grip = y < 1 ? y * (2 - y) : 1;
    Vec3 f = v3_scale(normal, push);
    if (speed > 0 && normal > 0) f = v3_axpy(f, -s->p->friction * normal * grip / speed, slip);
    f = v3_scale(s->share, f);
    s->out.force = v3_add(s->out.force, f);
    s->out.torque = v3_add(s->out.torque, v3_cross(at, f));
    s->out.normal_force += s->share * normal;
    s->out.area += s->share * area;
    s->out.penetration = fmax(s->out.penetration, u);
    s->out.energy += s->share * 0.5 * elastic * u;
    s->out.power_lost += s->share * elastic * away - v3_dot(f, v);
    s->out.triangles++;
    double weight = s->share * elastic;
    s->pressed += weight;
    s->place = v3_axpy(s->place, weight, at);
    s->push = v3_axpy(s->push, weight, push);
}

// ---- parts of triangles ----

// Of the base, in its frame.
typedef struct Part {
    Vec3 y[3];
    double u[3]; // [m] depths there; negative: not known yet
} Part;

static double part_area(const Part *p) {
    return 0.5 * v3_norm(v3_cross(v3_sub(p->y[1], p->y[0]), v3_sub(p->y[2], p->y[0])));
}

static Vec3 part_middle(const Part *p) {
    return v3_scale(1.0 / 3, v3_add(p->y[0], v3_add(p->y[1], p->y[2])));
}

// [m] Its longest side, which begins at corner *k.
static double longest_side(const Part *p, int *k) {
    double most = -1;
    for (int i = 0; i < 3; i++) {
        double length = v3_norm2(v3_sub(p->y[(i + 1) % 3], p->y[i]));
        if (length > most) most = length, *k = i;
    }
    return sqrt(most);
}

// What lies under a part, in the frame of the target: a box around it, and the way down.
typedef struct Under {
    Vec3 low, high, down;
} Under;

static Under find_under(const Pass *s, const Part *p, Vec3 n) {
    Under u = {.down = v3_neg(m3_tmul_vec(s->X_target.R, n))};
    for (int k = 0; k < 3; k++) {
        Vec3 x = pose_unpoint(s->X_target, pose_point(s->X_base, p->y[k]));
        Vec3 deep = v3_axpy(x, s->p->max_penetration, u.down);
        u.low = v3_min(k ? u.low : x, v3_min(x, deep));
        u.high = v3_max(k ? u.high : x, v3_max(x, deep));
    }
    return u;
}

static bool boxes_meet(Vec3 low, Vec3 high, const Under *u) {
    return low.x <= u->high.x && low.y <= u->high.y && low.z <= u->high.z && high.x >= u->low.x &&
           high.y >= u->low.y && high.z >= u->low.z;
}

// Could a ray down there leave the target through this triangle? Not through one that is along it but for rounding: walls of a body that stands would
// be divided for nothing.
static bool triangle_may_lie(const RbSkin *s, int t, const Under *u) {
    const double along = 1e-6;
    const int *v = s->mesh.triangles[t].v;
    Vec3 a = s->mesh.vertices[v[0]], b = s->mesh.vertices[v[1]], c = s->mesh.vertices[v[2]];
    Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    if (!(v3_dot(u->down, n) > along * v3_norm(n))) return false;
    return boxes_meet(v3_min(a, v3_min(b, c)), v3_max(a, v3_max(b, c)), u);
}

static bool target_may_lie(const RbSkin *s, int node, const Under *u) {
    const RbMeshNode *n = &s->tree.nodes[node];
    if (!boxes_meet(v3_sub(n->centre, n->half), v3_add(n->centre, n->half), u)) return false;
    for (int i = 0; i < n->count; i++)
        if (triangle_may_lie(s, s->tree.triangles[n->first + i], u)) return true;
    return n->count == 0 && (target_may_lie(s, n->left, u) || target_may_lie(s, n->right, u));
}

// A point of the base with its share of the area; n in A.
static double depth_at(const Pass *s, Vec3 y, Vec3 n) {
    return ray_depth(s->target, 0, pose_unpoint(s->X_target, pose_point(s->X_base, y)),
                     v3_neg(m3_tmul_vec(s->X_target.R, n)), s->p->max_penetration);
}

static void add_point(Pass *s, Vec3 y, Vec3 n, double area, double u) {
    if (u < s->p->max_penetration) add_triangle(s, pose_point(s->X_base, y), n, area, u);
}

// Its middle stands for a triangle that is small.
static void add_middle(Pass *s, const Part *p, Vec3 n) {
    Vec3 middle = part_middle(p);
    add_point(s, middle, n, part_area(p), depth_at(s, middle, n));
}

static void try_part(Pass *s, const Part *p, Vec3 n);

// By the longest side, which begins at corner k.
static void try_halves(Pass *s, const Part *p, int k, Vec3 n) {
    int b = (k + 1) % 3, c = (k + 2) % 3;
    Vec3 y = v3_scale(0.5, v3_add(p->y[k], p->y[b]));
    double u = p->u[k] < 0 ? -1 : depth_at(s, y, n);
    try_part(s, &(Part){{p->y[k], y, p->y[c]}, {p->u[k], u, p->u[c]}}, n);
    try_part(s, &(Part){{y, p->y[b], p->y[c]}, {u, p->u[b], p->u[c]}}, n);
}

// Parts under which the target may lie are halved unless they are wholly under, and the last have a
// quarter at each corner and in the middle.
static void try_part(Pass *s, const Part *p, Vec3 n) {
    int side = 0;
    double length = longest_side(p, &side), area = part_area(p), limit = s->p->max_penetration;
    Vec3 middle = part_middle(p);
    if (length <= s->fine) {
        add_middle(s, p, n);
        return;
    }
    Under below = find_under(s, p, n);
    if (!target_may_lie(s->target, 0, &below)) return;
    if (length > s->coarse) {
        try_halves(s, p, side, n);
        return;
    }
    Part known = *p;
    double u = depth_at(s, middle, n);
    int under = u < limit;
    for (int i = 0; i < 3; i++) {
        if (known.u[i] < 0) known.u[i] = depth_at(s, p->y[i], n);
        under += known.u[i] < limit;
    }
    if (under < 4 && length > 2 * s->fine) {
        try_halves(s, &known, side, n);
        return;
    }
    // wholly under: exact for parabolas, and so is the torque of what a plane presses
    double corner = under == 4 ? area / 12 : area / 4;
    add_point(s, middle, n, area - 3 * corner, u);
    for (int i = 0; i < 3; i++) add_point(s, p->y[i], n, corner, known.u[i]);
}

static Part whole_triangle(const Pass *s, int t) {
    const int *k = s->base->mesh.triangles[t].v;
    const Vec3 *y = s->base->mesh.vertices;
    return (Part){{y[k[0]], y[k[1]], y[k[2]]}, {-1, -1, -1}};
}

static Vec3 outward(const Pass *s, const Part *p) {
    Vec3 cross = v3_cross(v3_sub(p->y[1], p->y[0]), v3_sub(p->y[2], p->y[0]));
    return m3_mul_vec(s->X_base.R, v3_unit(cross));
}

static bool is_small(const Pass *s, const Part *p) {
    int side;
    return longest_side(p, &side) <= s->fine;
}

// Large ones wait for the cut.
static void try_triangle(Pass *s, int t) {
    Part whole = whole_triangle(s, t);
    Vec3 n = outward(s, &whole);
    if (is_small(s, &whole)) {
        add_middle(s, &whole, n);
        return;
    }
    Under below = find_under(s, &whole, n);
    s->waits = s->waits || target_may_lie(s->target, 0, &below);
}

// ---- what of a large triangle lies in the target, as the surfaces cut each other ----

// Three points, exact for the torque of what a plane presses.
static void press_part(Pass *s, const Part *p, Vec3 n) {
    int k = 0;
    if (longest_side(p, &k) > s->coarse) {
        int b = (k + 1) % 3, c = (k + 2) % 3;
        Vec3 y = v3_scale(0.5, v3_add(p->y[k], p->y[b]));
        press_part(s, &(Part){.y = {p->y[k], y, p->y[c]}}, n);
        press_part(s, &(Part){.y = {y, p->y[b], p->y[c]}}, n);
        return;
    }
    Vec3 middle = part_middle(p);
    for (int i = 0; i < 3; i++) {
        Vec3 y = v3_scale(0.5, v3_add(middle, p->y[i]));
        add_point(s, y, n, part_area(p) / 3, depth_at(s, y, n));
    }
}

// The k-th triangle of a fan about the middle of a loop.
static Part spoke(const Pass *s, const RbOverlapPolygon *polygon, int k) {
    const RbMeshCut *cut = &s->overlap->cut;
    const RbCutLoop *l = &cut->loops.data[polygon->loop];
    const int *nodes = &cut->nodes.data[l->first];
    Part p = {.y = {polygon->centroid, rb_cut_point(cut, l->side, nodes[k]),
                    rb_cut_point(cut, l->side, nodes[(k + 1) % l->count])}};
    for (int i = 0; i < 3; i++) p.y[i] = pose_unpoint(s->X_base, p.y[i]);
    return p;
}

// Seen from its middle all of a loop lies in front.
static bool is_star(const Pass *s, const RbOverlapPolygon *polygon, Vec3 n_base) {
    int count = s->overlap->cut.loops.data[polygon->loop].count;
    for (int k = 0; k < count; k++) {
        Part p = spoke(s, polygon, k);
        Vec3 area = v3_cross(v3_sub(p.y[1], p.y[0]), v3_sub(p.y[2], p.y[0]));
        if (v3_dot(area, n_base) < -1e-12 * s->fine * s->fine) return false;
    }
    return true;
}

// All loops are of one triangle. What has holes or bends inward is halved instead.
static void press_loops(Pass *s, const RbOverlapPolygon *loops, int count) {
    Part whole = whole_triangle(s, loops->triangle);
    Vec3 n = outward(s, &whole), n_base = m3_tmul_vec(s->X_base.R, n);
    if (is_small(s, &whole)) return;
    Under below = find_under(s, &whole, n);
    if (!target_may_lie(s->target, 0, &below)) return;
    for (int i = 0; i < count; i++) {
        if (is_star(s, &loops[i], n_base)) continue;
        try_part(s, &whole, n);
        return;
    }
    for (int i = 0; i < count; i++) {
        int corners = s->overlap->cut.loops.data[loops[i].loop].count;
        for (int k = 0; k < corners; k++) {
            Part p = spoke(s, &loops[i], k);
            press_part(s, &p, n);
        }
    }
}

static void press_cut(Pass *s) {
    const RbMeshOverlap *o = s->overlap;
    const RbOverlapPolygon *loops = o->polygons.data;
    int side = s->base_is_a ? 0 : 1;
    for (int first = 0, end; first < o->polygons.count; first = end) {
        for (end = first + 1; end < o->polygons.count && loops[end].side == loops[first].side &&
                              loops[end].triangle == loops[first].triangle;)
            end++;
        if (loops[first].side == side) press_loops(s, &loops[first], end - first);
    }
}

// Leaves of the base that the whole target, grown by the penetration, may hold.
static void walk(Pass *s, int node, const RbBoxPose *target_in_base) {
    const RbMeshNode *n = &s->base->tree.nodes[node];
    double reach = s->p->max_penetration;
    if (rb_mesh_node_gap(n, &s->target->tree.nodes[0], target_in_base, reach) > reach) return;
    for (int i = 0; i < n->count; i++) try_triangle(s, s->base->tree.triangles[n->first + i]);
    if (n->count > 0) return;
    walk(s, n->left, target_in_base);
    walk(s, n->right, target_in_base);
}

static void run_pass(Pass *s) {
    Pose X = pose_mul(pose_inverse(s->X_base), s->X_target);
    RbBoxPose boxes = rb_box_pose(X);
    s->waits = false;
    walk(s, 0, &boxes);
    if (!s->waits) return;
    rb_mesh_overlap(s->overlap, s->base_is_a ? s->X_target : s->X_base);
    press_cut(s);
}

RbPolygonalForce rb_polygonal_force(const RbPolygonal *p, RbMeshOverlap *work, Pose X_AB, Vec3 v,
                                    Vec3 w) {
    const RbSkin *a = work->cut.side[0].skin, *b = work->cut.side[1].skin;
    double stiff_a = layer_stiffness(&p->a), stiff_b = layer_stiffness(&p->b);
    // The softer layer gives more: the force acts where the layers meet.
    double ratio_a = isinf(stiff_a) ? 0 : isinf(stiff_b) ? 1 : stiff_b / (stiff_a + stiff_b);
    bool both = p->task == RB_POLYGONAL_BOTH;
    const double COARSE = 1.0 / 2, FINE = 1.0 / 64; // of the smaller body
    double size = fmin(a->size, b->size);
    Pass s = {.p = p,
              .stiffness = rb_polygonal_stiffness(p),
              .share = both ? 0.5 : 1,
              .coarse = COARSE * size,
              .fine = FINE * size,
              .overlap = work,
              .v = v,
              .w = w};
    if (p->task != RB_POLYGONAL_BASE_B) {
        s.base = a, s.target = b, s.X_base = POSE_IDENTITY, s.X_target = X_AB;
        s.base_is_a = true, s.ratio = ratio_a;
        run_pass(&s);
    }
    if (p->task != RB_POLYGONAL_BASE_A) {
        s.base = b, s.target = a, s.X_base = X_AB, s.X_target = POSE_IDENTITY;
        s.base_is_a = false, s.ratio = 1 - ratio_a;
        run_pass(&s);
    }
    if (s.pressed > 0) s.out.point = v3_scale(1 / s.pressed, s.place);
    s.out.n = v3_unit_or(s.push, V3_ZERO);
    return s.out;
}
