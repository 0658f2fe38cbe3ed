// SPDX-License-Identifier: MIT
// The plane of a triangle cuts the tetrahedra in the layer of the other solid: convex polygons on which the depth is linear,
// and of which the triangle has a part. Sums are those of a face, whose triangles lie in one plane.
#include "collide/layer_press.h"

#include "collide/press_points.h"
#include "geom/layer.h"

// A triangle and the layer of the other solid, in the frame of that.
typedef struct Face {
    const RbLayer *layer;
    RbMeshOverlap *overlap;
    RbPressedFace *sums;
    Vec3 x;               // [m] a point of the plane
    Vec3 origin, axes[2]; // of places q in it
    Vec3 n;
    double flat; // [m] nearer to the plane than this is on it
    double inside[3],
        slope[3][2]; // for each side: how far inside it is the origin, and how that changes with q
    RbAabb box;      // [m] of what overlaps
    bool meets;      // a corner of that is on the surface of the other solid
    double deepest;  // of all corners in the layer
    const struct Loops *apart; // only what lies in these counts; NULL: all
} Face;

// Loops of one triangle, all or those of one region.
typedef struct Loops {
    const RbMeshOverlap *overlap;
    int first, end; // polygons
    int region;     // or ALL
} Loops;

enum { ALL = -1 };

static bool counts(const Loops *l, int polygon) {
    return l->region == ALL || l->overlap->polygons.data[polygon].region == l->region;
}

// ---- the plane of a triangle and a tetrahedron ----

// A corner of the layer as the triangle sees it.
typedef struct Seen {
    double height; // [m] above its plane
    double q[2];   // of its foot, from the origin
    double depth;  // 0 on the surface of the other solid, 1 inside
} Seen;

typedef RbPressedCorner Corner;

enum { CORNERS = RB_PIECE_CORNERS };

static Corner lerp(Corner a, Corner b, double t) {
    return (Corner){{a.q[0] + t * (b.q[0] - a.q[0]), a.q[1] + t * (b.q[1] - a.q[1])},
                    a.depth + t * (b.depth - a.depth)};
}

static Corner foot(const Seen *a) {
    return (Corner){{a->q[0], a->q[1]}, a->depth};
}

// Always from the lower end, so that neighbours find the same.
static Corner crossing(const Seen *low, const Seen *high) {
    return lerp(foot(low), foot(high), low->height / (low->height - high->height));
}

// Where the plane cuts a tetrahedron, in order around; 0, 3 or 4 corners. What is on the plane counts as below it.
static int section(const Seen part[4], Corner out[CORNERS]) {
    const Seen *high[4], *low[4];
    int above = 0, below = 0;
    for (int k = 0; k < 4; k++) {
        if (part[k].height > 0)
            high[above++] = &part[k];
        else
            low[below++] = &part[k];
    }
    if (above == 0 || below == 0) return 0;
    if (above == 2) {
        out[0] = crossing(low[0], high[0]);
        out[1] = crossing(low[0], high[1]);
        out[2] = crossing(low[1], high[1]);
        out[3] = crossing(low[1], high[0]);
        return 4;
    }
    for (int k = 0; k < 3; k++)
        out[k] = above == 1 ? crossing(low[k], high[0]) : crossing(low[0], high[k]);
    return 3;
}

static double inside(const Face *f, const Corner *c, int side) {
    return f->inside[side] + f->slope[side][0] * c->q[0] + f->slope[side][1] * c->q[1];
}

// The part of a polygon that is inside all sides.
static int clip(const Face *f, Corner polygon[2][CORNERS], int count, int *from) {
    for (int side = 0; side < 3 && count > 0; side++) {
        double d[CORNERS];
        int kept = 0;
        for (int i = 0; i < count; i++) kept += (d[i] = inside(f, &polygon[*from][i], side)) >= 0;
        if (kept == count) continue;
        const Corner *in = polygon[*from];
        Corner *out = polygon[ *from = 1 - *from];
        int n = 0;
        for (int i = 0; i < count && kept > 0; i++) {
            int next = i + 1 < count ? i + 1 : 0;
            if (d[i] >= 0) out[n++] = in[i];
            if ((d[i] >= 0) != (d[next] >= 0))
                out[n++] = lerp(in[i], in[next], d[i] / (d[i] - d[next]));
        }
        count = n;
    }
    return count;
}

// A triangle of a fan.
static void add_triangle(RbPressedFace *sums, const Corner *c[3]) {
    double area = rb_press_add(&sums->of, c), s[3] = {c[0]->depth, c[1]->depth, c[2]->depth};
    double total = s[0] + s[1] + s[2];
    for (int i = 0; i < 2; i++)
        sums->area_q[i] += area / 3 * (c[0]->q[i] + c[1]->q[i] + c[2]->q[i]);
    sums->ss += area / 12 * (total * total + s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

// Depth grows by one per metre, and two tetrahedra agree about how it does along the plane between them; so what it does across the face is known up to its sign without a
// jump: what a slope of one lacks. (The sign jumps where the face is the plane between them: find_ways.)
static void add_slope(Face *f, Vec3 slope, double s) {
    const double soft = 1e-4; // the root of what is nearly nothing, of walls, would be rounding
    double a = v3_dot(f->axes[0], slope), b = v3_dot(f->axes[1], slope);
    double left = fmax(0, 1 - a * a - b * b);
    f->sums->rise[0] += s * a;
    f->sums->rise[1] += s * b;
    f->sums->rise[2] += copysign(s, v3_dot(f->n, slope)) * left * sqrt((1 + soft) / (left + soft));
}

// How often the ray from q along the first axis crosses a loop.
static int crossings(const RbPressedFace *p, const RbMeshOverlap *o, int polygon,
                     const double q[2]) {
    const RbCutLoop *l = &o->cut.loops.data[o->polygons.data[polygon].loop];
    int count = 0;
    double a[2], b[2];
    for (int i = -1; i < l->count; i++) {
        int node = o->cut.nodes.data[l->first + (i < 0 ? l->count - 1 : i)];
        Vec3 y = v3_sub(rb_cut_point(&o->cut, l->side, node), p->origin);
        for (int k = 0; k < 2; k++) a[k] = b[k], b[k] = v3_dot(p->axes[k], y);
        if (i < 0 || (a[1] > q[1]) == (b[1] > q[1])) continue;
        count += q[0] < a[0] + (q[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
    }
    return count;
}

// A piece lies in one region as a whole.
static bool is_wanted(const Face *f, const Corner *corners, int count) {
    if (!f->apart) return true;
    double q[2] = {0};
    int crossed = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) q[k] += corners[i].q[k] / count;
    }
    for (int i = f->apart->first; i < f->apart->end; i++) {
        if (counts(f->apart, i)) crossed += crossings(f->sums, f->apart->overlap, i, q);
    }
    return crossed % 2 != 0;
}

// For the points of the face, whose mean is not known before the last one.
static void keep(Face *f, const Corner *corners, int count) {
    RbMeshOverlap *o = f->overlap;
    RbPressedPiece piece = {o->corners.count, count, f->sums->pieces};
    f->sums->pieces = o->pieces.count;
    rb_array_push(&o->pieces, o->cut.arena, piece);
    for (int i = 0; i < count; i++) rb_array_push(&o->corners, o->cut.arena, corners[i]);
}

// Where depth has that slope.
static void add_polygon(Face *f, Corner polygon[2][CORNERS], int count, Vec3 slope) {
    int from = 0;
    count = clip(f, polygon, count, &from);
    const Corner *p = polygon[from];
    if (!is_wanted(f, p, count)) return;
    double before = f->sums->of.s;
    for (int i = 2; i < count; i++) {
        const Corner *triangle[3] = {&p[0], &p[i - 1], &p[i]};
        add_triangle(f->sums, triangle);
    }
    for (int i = 0; i < count; i++) f->deepest = fmax(f->deepest, p[i].depth);
    if (!(f->sums->of.s > before)) return;
    add_slope(f, slope, f->sums->of.s - before);
    keep(f, p, count);
}

static double height_of(const Face *f, Vec3 y) {
    double height = v3_dot(f->n, v3_sub(y, f->x));
    return fabs(height) <= f->flat ? 0 : height;
}

// The three parts under a triangle of the layer. A surface that lies in the plane itself belongs to it whichever side the solid is on.
static void add_parts(Face *f, int triangle) {
    const Vec3 *y = &f->layer->corners[6 * triangle];
    Seen seen[6];
    int above = 0;
    for (int k = 0; k < 6; k++) above += (seen[k].height = height_of(f, y[k])) > 0;
    bool lies = seen[0].height == 0 && seen[1].height == 0 && seen[2].height == 0;
    if (above == 6 || (above == 0 && !lies)) return;
    for (int k = 0; k < 6; k++) {
        Vec3 way = v3_sub(y[k], f->origin);
        for (int i = 0; i < 2; i++) seen[k].q[i] = v3_dot(f->axes[i], way);
        seen[k].depth = k < 3 ? 0 : 1;
    }
    Corner polygon[2][CORNERS];
    if (above == 0) {
        for (int k = 0; k < 3; k++) polygon[0][k] = foot(&seen[k]);
        add_polygon(f, polygon, 3, V3_ZERO);
    }
    for (int part = 0; part < 3; part++) {
        int count = section(&seen[part], polygon[0]);
        if (count > 0) add_polygon(f, polygon, count, f->layer->slopes[3 * triangle + part]);
    }
}

static void add_parts_near(Face *f, int node) {
    const RbLayer *l = f->layer;
    if (!rb_aabb_overlap(l->boxes[node], f->box)) return;
    const RbMeshNode *n = &l->tree.nodes[node];
    if (n->count == 0) {
        add_parts_near(f, n->left);
        add_parts_near(f, n->right);
    }
    for (int i = 0; i < n->count; i++) {
        int triangle = l->tree.triangles[n->first + i];
        if (rb_aabb_overlap(l->part_boxes[triangle], f->box)) add_parts(f, triangle);
    }
}

// ---- faces ----

// Its place in `pressed`, or where it will be.
static int find_face(const RbMeshOverlap *o, int side, int number, int region) {
    if (region == ALL)
        return o->pressed_stamp[side][number] == o->cut.stamp ? o->pressed_number[side][number]
                                                              : o->pressed.count;
    int i = 0;
    for (; i < o->pressed.count; i++) {
        const RbPressedFace *p = &o->pressed.data[i];
        if (p->side == side && p->face == number && p->region == region) break;
    }
    return i;
}

// The face of the triangle of a loop; what is in the region alone.
static RbPressedFace *face_of(RbMeshOverlap *o, const RbOverlapPolygon *loops, int region) {
    int side = loops->side, number = o->layers[side]->flat.of[loops->triangle];
    int at = find_face(o, side, number, region);
    if (at == o->pressed.count) {
        o->pressed_stamp[side][number] = o->cut.stamp;
        o->pressed_number[side][number] = at;
        RbFlatFace flat = o->layers[side]->flat.faces[number];
        if (side)
            flat = (RbFlatFace){m3_mul_vec(o->pose.R, flat.n), m3_mul_vec(o->pose.R, flat.along)};
        RbPressedFace new = {.side = side,
                             .face = number,
                             .region = region == ALL ? loops->region : region,
                             .pieces = -1,
                             .origin = loops->centroid,
                             .n = flat.n,
                             .axes = {flat.along, v3_cross(flat.n, flat.along)}};
        rb_array_push(&o->pressed, o->cut.arena, new);
    }
    return &o->pressed.data[at];
}

static Vec3 along_face(const RbPressedFace *p, const double q[2]) {
    return v3_axpy(v3_scale(q[0], p->axes[0]), q[1], p->axes[1]);
}

static void look_at_loops(Face *f, const Loops *loops) {
    const RbMeshOverlap *o = loops->overlap;
    f->box = RB_AABB_EMPTY;
    for (int l = loops->first; l < loops->end; l++) {
        if (!counts(loops, l)) continue;
        const RbCutLoop *loop = &o->cut.loops.data[o->polygons.data[l].loop];
        for (int i = 0; i < loop->count; i++) {
            int node = o->cut.nodes.data[loop->first + i];
            Vec3 x = rb_cut_point(&o->cut, loop->side, node);
            f->box = rb_aabb_add_point(f->box, loop->side ? x : pose_unpoint(o->pose, x));
            f->meets |= node >= 0;
        }
    }
    f->box = rb_aabb_grow(f->box, 1e-12 * f->layer->size);
}

// All that is in the other solid. It reaches deeper than the layer if it passes through all of that, or does not come out at all. What else is
// missing lies in the surface itself, where rounding tells inside from outside: as a wall that is flush does, which would press as if it were deep.
static void add_inside(const Face *f, const Loops *loops, const RbPressedFace *before) {
    RbPressedFace *p = f->sums;
    if (f->meets && f->deepest < 0.5) {
        double q[2] = {p->area_q[0] - before->area_q[0], p->area_q[1] - before->area_q[1]};
        p->inside += p->of.area - before->of.area;
        p->inside_x = v3_add(p->inside_x, along_face(p, q));
        return;
    }
    for (int l = loops->first; l < loops->end; l++) {
        if (!counts(loops, l)) continue;
        const RbOverlapPolygon *loop = &loops->overlap->polygons.data[l];
        double area = v3_dot(p->n, loop->area);
        p->inside += area;
        p->inside_x = v3_axpy(p->inside_x, area, v3_sub(loop->centroid, p->origin));
    }
}

static void press_triangle(RbMeshOverlap *o, const Loops *loops) {
    const RbOverlapPolygon *first = &o->polygons.data[loops->first];
    RbPressedFace *p = face_of(o, first, loops->region), before = *p;
    const RbCutSide *side = &o->cut.side[p->side];
    const int *v = side->skin->mesh.triangles[first->triangle].v;
    Face f = {.layer = o->layers[1 - p->side],
              .overlap = o,
              .sums = p,
              .origin = p->origin,
              .axes = {p->axes[0], p->axes[1]},
              .n = p->n,
              .apart = loops->region == ALL ? NULL : loops};
    Vec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = side->shown[v[k]];
    if (p->side == 0) {
        for (int k = 0; k < 3; k++) x[k] = pose_unpoint(o->pose, x[k]);
        f.origin = pose_unpoint(o->pose, f.origin);
        f.n = m3_tmul_vec(o->pose.R, f.n);
        for (int k = 0; k < 2; k++) f.axes[k] = m3_tmul_vec(o->pose.R, f.axes[k]);
    }
    for (int k = 0; k < 3; k++) {
        Vec3 inward = v3_cross(f.n, v3_sub(x[(k + 1) % 3], x[k]));
        f.inside[k] = v3_dot(inward, v3_sub(f.origin, x[k]));
        for (int i = 0; i < 2; i++) f.slope[k][i] = v3_dot(inward, f.axes[i]);
    }
    f.x = x[0];
    f.flat = 4e-16 * (f.layer->size + v3_max_abs(x[0]));
    look_at_loops(&f, loops);
    add_parts_near(&f, 0);
    add_inside(&f, loops, &before);
    double *reached = &o->reached[1 - p->side];
    *reached = fmax(*reached, f.meets ? f.deepest : 1);
}

// Each region of its loops once.
static void press_triangle_apart(RbMeshOverlap *o, int first, int end) {
    const RbOverlapPolygon *polygons = o->polygons.data;
    for (int i = first; i < end; i++) {
        bool done = false;
        for (int k = first; k < i; k++) done |= polygons[k].region == polygons[i].region;
        if (!done) press_triangle(o, &(Loops){o, first, end, polygons[i].region});
    }
}

// ---- their pressure ----

// What depth does across a face in the mean. It falls along the outward normal under a flank that overhangs, as of a tip that leans: such a face is pressed against the
// way of its region, and counts negative. A face that is pressed along it while depth seems to fall lies between two tetrahedra where it
// happens to be seen in the wrong one.
static double across(const RbPressedFace *p, Vec3 region_way) {
    const double beginning = 0.02; // of an overhang
    double rises = fabs(p->rise[2]), against = (p->side ? 1 : -1) * v3_dot(p->n, region_way);
    if (p->rise[2] >= 0 || against <= 0) return rises;
    double y = fmin(1, against / beginning);
    return rises * (1 - 2 * y * y * (3 - 2 * y));
}

// Along which B leaves: the direction in which the depth in the other solid grows, in the mean of the face. So the flanks of an edge in a plate leave along the
// plate's normal, and the plate under it along its own, since what both flanks have along the plate cancels; flush faces along both. Deeper than the layer
// nothing grows, and a little of n stands for it.
static Vec3 find_way(RbPressedFace *p, Vec3 region_way) {
    const double little = 0.01;
    double core = fmax(0, p->inside - p->of.area);
    Vec3 along = along_face(p, p->rise);
    p->rise[2] = across(p, region_way);
    Vec3 way = v3_unit_or(v3_axpy(along, p->rise[2] + little * core, p->n), p->n);
    return p->side ? v3_neg(way) : way;
}

// [m⁴] Half the square of the depth over what the body fills below the face, along its way: that is across the face at the cosine of both, and depth falls by
// the mean slope.
static double find_stored(const RbPressedFace *p, double h) {
    double slope =
        sqrt(p->rise[0] * p->rise[0] + p->rise[1] * p->rise[1] + p->rise[2] * p->rise[2]);
    double facing = (p->side ? -1 : 1) * v3_dot(p->way, p->n);
    return slope > 0 ? 0.25 * h * h * p->ss * facing * p->of.s / slope : 0;
}

// What lies deeper than the layer.
static void push_core(RbMeshOverlap *o, const RbPressedFace *p, double h) {
    double little = 1e-9 * p->inside, rest = p->inside - p->of.area;
    if (!(rest > little)) return;
    Vec3 x = v3_scale(1 / rest, v3_sub(p->inside_x, along_face(p, p->area_q)));
    double area = rest - little;
    rb_press_push(o, p, v3_add(p->origin, x), 0.5 * h * area, area);
    o->stored += 0.25 * h * h * area;
}

// Along the elastic force on B of each region. Answers the sum of all forces, as (5.1) over K/2.
static double find_region_ways(RbMeshOverlap *o) {
    double all = 0;
    for (int i = 0; i < o->pressed.count; i++) {
        const RbPressedFace *p = &o->pressed.data[i];
        Vec3 *way = &o->regions.data[p->region].way;
        double force = (p->side ? -1 : 1) * o->layers[1 - p->side]->thickness * p->of.s;
        *way = v3_axpy(*way, force, p->n);
        all += fabs(force);
    }
    for (int r = 0; r < o->regions.count; r++)
        o->regions.data[r].way = v3_unit_or(o->regions.data[r].way, V3_ZERO);
    return all;
}

void rb_layer_press(RbMeshOverlap *o) {
    const RbOverlapPolygon *loops = o->polygons.data;
    o->pressed.count = o->pieces.count = o->corners.count = 0;
    for (int first = 0, end; first < o->polygons.count; first = end) {
        for (end = first + 1; end < o->polygons.count && loops[end].side == loops[first].side &&
                              loops[end].triangle == loops[first].triangle;)
            end++;
        if (o->regions_apart)
            press_triangle_apart(o, first, end);
        else
            press_triangle(o, &(Loops){o, first, end, ALL});
    }
    double all = find_region_ways(o);
    for (int i = 0; i < o->pressed.count; i++) {
        RbPressedFace *p = &o->pressed.data[i];
        double h = o->layers[1 - p->side]->thickness;
        p->way = find_way(p, o->regions.data[p->region].way);
        rb_press_pieces(o, p, 0.5 * h * p->of.s, h * p->of.s / all);
        push_core(o, p, h);
        o->stored += find_stored(p, h);
    }
}
