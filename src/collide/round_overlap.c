// SPDX-License-Identifier: MIT
// Everything is calculated where the ellipsoid is the unit ball about the origin: volumes, centroids and area
// vectors go over into each other when space is stretched. There each triangle takes its part of a circle;
// seen from the foot of its plane that is a sum of sectors and of triangles, which may count negative.
#include "collide/round_overlap.h"

#include <math.h>

#include "collide/round_press.h"

static const double pi = 3.14159265358979323846;
static const double ROUNDING =
    1e-12; // of the area, where the ellipsoid is the unit ball: no volume
static const double CANCELLED =
    1e-12; // likewise a volume: sectors seen from a far foot leave no less of what is none
static const double INSIDE = 1e-9; // likewise: more than this is missing of a ball inside A

void rb_round_overlap_open(RbMeshOverlap *o, const RbSkin *a, Vec3 semi_axes, RbArena *arena) {
    enum { FACES = 256, POINTS = 4096 };
    *o = (RbMeshOverlap){.round = semi_axes};
    o->cut.arena = arena;
    o->cut.side[0].skin = a;
    o->face_number = rb_new_array(arena, int, a->mesh.triangle_count);
    rb_array_reserve(&o->faces, arena, FACES);
    rb_array_reserve(&o->points, arena, POINTS);
    rb_array_reserve(&o->regions, arena, FACES);
    rb_array_reserve(&o->parent, arena, FACES);
    rb_array_reserve(&o->number, arena, FACES);
}

// From the frame of A to the unit ball and back.
typedef struct Stretch {
    Pose X;
    Vec3 semi;
} Stretch;

static Vec3 to_ball(const Stretch *s, Vec3 x) {
    return v3_div(m3_tmul_vec(s->X.R, v3_sub(x, s->X.r)), s->semi);
}

static Vec3 from_ball(const Stretch *s, Vec3 y) {
    return pose_point(s->X, v3_mul(s->semi, y));
}

static Vec3 area_from_ball(const Stretch *s, Vec3 area) {
    Vec3 e = s->semi;
    return m3_mul_vec(s->X.R, v3_mul(v3(e.y * e.z, e.z * e.x, e.x * e.y), area));
}

static void corners(const Stretch *s, const RbMesh *m, int triangle, Vec3 y[3]) {
    for (int k = 0; k < 3; k++) y[k] = to_ball(s, m->vertices[m->triangles[triangle].v[k]]);
}

// ---- a triangle and its circle ----

// In the plane of the triangle, from the foot of the centre.
typedef struct Flat {
    double x, y;
} Flat;

static double cross2(Flat a, Flat b) {
    return a.x * b.y - a.y * b.x;
}
static double dot2(Flat a, Flat b) {
    return a.x * b.x + a.y * b.y;
}

typedef struct Disc {
    RbMeshOverlap *o;
    const Stretch *s;
    int face;
    Vec3 n, e1, e2;     // outward normal and axes of its plane
    double away;        // of the plane from the centre
    double radius;      // of its circle
    double area, bulge; // ∫ 1, ∫ (radius² - r²)
    double cap;         // volume between the plane and the ball, as seen from the centre
    double turned;      // [rad] sum over the sectors
} Disc;

static void add_place(Disc *d, Flat p, double area) {
    Vec3 y = v3_axpy(v3_axpy(v3_scale(d->away, d->n), p.x, d->e1), p.y, d->e2);
    Vec3 vector = area_from_ball(d->s, v3_scale(area, d->n));
    double size = v3_norm(vector);
    if (!(area > 0) || !(size > 0)) return;
    double r = v3_norm(y), under = area * fabs(d->away) * (1 - r * r * r) / (3 * r * r * r);
    Vec3 x = from_ball(d->s, y);
    RbOverlapPoint point = {.x = x,
                            .at = x,
                            .n = v3_scale(1 / size, vector),
                            .way = v3_scale(1 / size, vector),
                            .area = size,
                            .volume = fmax(0, under), // share_volume makes it exact
                            .region = d->face};
    rb_array_push(&d->o->points, d->o->cut.arena, point);
}

// From the foot to p and q, which are both in the circle. The solid angle is that of Van Oosterom and
// Strackee (1983).
static void add_triangle(Disc *d, Flat p, Flat q) {
    double h = fabs(d->away), h2 = h * h, area = 0.5 * cross2(p, q);
    double pp = dot2(p, p), qq = dot2(q, q), pq = dot2(p, q);
    double lp = sqrt(h2 + pp), lq = sqrt(h2 + qq);
    double angle = 2 * atan2(2 * area, lp * lq + h * (lp + lq + h) + pq);
    d->area += area;
    d->bulge += area * (d->radius * d->radius - (pp + pq + qq) / 6);
    d->cap += (angle - h * area) / 3;
}

// From direction p to direction q, both outside the circle or on it; answers the angle between them.
static double add_sector(Disc *d, Flat p, Flat q) {
    double angle = atan2(cross2(p, q), dot2(p, q)), r2 = d->radius * d->radius;
    double deep = r2 / (1 + fabs(d->away)); // 1 - away, without cancellation
    d->turned += angle;
    d->area += 0.5 * angle * r2;
    d->bulge += 0.25 * angle * r2 * r2;
    d->cap += angle * deep * deep * (3 - deep) / 6;
    return angle;
}

// A side of the triangle: the piece of it that is in the circle, and the angles seen from the foot before and
// behind that.
typedef struct Side {
    bool crossed;
    Flat from, to;
    double before, behind; // [rad]
} Side;

static Side add_side(Disc *d, Flat p, Flat q) {
    Side s = {0};
    Flat u = {q.x - p.x, q.y - p.y};
    double a = dot2(u, u), b = dot2(p, u), across = cross2(p, u);
    double root = a * d->radius * d->radius - across * across;
    if (root > 0 && a > 0) {
        root = sqrt(root);
        double t1 = fmax(0, (-b - root) / a), t2 = fmin(1, (-b + root) / a);
        if (t1 < t2) {
            s.crossed = true;
            s.from = (Flat){p.x + t1 * u.x, p.y + t1 * u.y};
            s.to = (Flat){p.x + t2 * u.x, p.y + t2 * u.y};
            if (t1 > 0) s.before = add_sector(d, p, s.from);
            add_triangle(d, s.from, s.to);
            if (t2 < 1) s.behind = add_sector(d, s.to, q);
            return s;
        }
    }
    s.before = add_sector(d, p, q);
    return s;
}

// ---- points where pressure is looked at ----

// The part of the triangle is convex: a fan about a point within it. Three points in each triangle of the
// fan, one in what an arc of at most 60 degrees has beyond its chord: area and first moment are exact, and all
// count positive.
static void add_fan_triangle(Disc *d, Flat c, Flat p, Flat q) {
    Flat u = {p.x - c.x, p.y - c.y}, v = {q.x - c.x, q.y - c.y};
    double area = 0.5 * cross2(u, v) / 3;
    Flat sixth = {(c.x + p.x + q.x) / 6, (c.y + p.y + q.y) / 6};
    add_place(d, (Flat){sixth.x + 0.5 * c.x, sixth.y + 0.5 * c.y}, area);
    add_place(d, (Flat){sixth.x + 0.5 * p.x, sixth.y + 0.5 * p.y}, area);
    add_place(d, (Flat){sixth.x + 0.5 * q.x, sixth.y + 0.5 * q.y}, area);
}

static Flat turned(Flat p, double angle) {
    double c = cos(angle), s = sin(angle);
    return (Flat){c * p.x - s * p.y, s * p.x + c * p.y};
}

static void add_fan_arc(Disc *d, Flat c, Flat from, double angle) {
    int parts = 2 * (int)ceil(0.5 * angle / (pi / 3)); // the point of the fan is left of all chords
    double part = angle / parts, half = 0.5 * part, sine = sin(half);
    double beyond =
        part > 1e-2 ? part - sin(part) : part * part * part / 6 * (1 - part * part / 20);
    double out = beyond > 0 ? 4 * sine * sine * sine / (3 * beyond) : 1; // of the radius
    for (int i = 0; i < parts; i++) {
        Flat to = turned(from, part), middle = turned(from, half);
        add_fan_triangle(d, c, from, to);
        add_place(d, (Flat){out * middle.x, out * middle.y}, 0.5 * beyond * d->radius * d->radius);
        from = to;
    }
}

typedef struct Arc {
    Flat from;
    double angle;
} Arc;

// Arcs of the circle within the triangle: from where one side leaves it to where the next comes back.
static int find_arcs(const Disc *d, const Side sides[3], Arc arcs[3]) {
    int first = 0, count = 0;
    while (first < 3 && !sides[first].crossed) first++;
    if (first == 3) {
        arcs[0] = (Arc){{d->radius, 0}, 2 * pi};
        return 1;
    }
    Arc arc = {sides[first].to, sides[first].behind};
    for (int i = 1; i <= 3; i++) {
        const Side *s = &sides[(first + i) % 3];
        arc.angle += s->before;
        if (!s->crossed) continue;
        if (arc.angle > 1e-15) arcs[count++] = arc;
        arc = (Arc){s->to, s->behind};
    }
    return count;
}

// A point within, from whose fan nothing counts negative.
static Flat find_middle(const Side sides[3], const Arc *arcs, int arc_count) {
    Flat c = {0, 0};
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (!sides[k].crossed) continue;
        c = (Flat){c.x + sides[k].from.x + sides[k].to.x, c.y + sides[k].from.y + sides[k].to.y};
        count += 2;
    }
    for (int k = 0; k < arc_count && count > 0; k++) {
        Flat middle = turned(arcs[k].from, 0.5 * arcs[k].angle);
        c = (Flat){c.x + middle.x, c.y + middle.y};
        count++;
    }
    return count > 0 ? (Flat){c.x / count, c.y / count} : c;
}

// By depth: moments of the pressure in place of points.
static void press(Disc *d, int triangle, const Side sides[3]) {
    Arc arcs[3];
    int arc_count = find_arcs(d, sides, arcs);
    Flat c = find_middle(sides, arcs, arc_count);
    RbRoundPiece piece = {.X = d->s->X,
                          .semi = d->s->semi,
                          .triangle = triangle,
                          .n = d->n,
                          .axes = {d->e1, d->e2},
                          .away = d->away,
                          .radius = d->radius,
                          .middle = {c.x, c.y}};
    rb_round_press_start(d->o, &piece);
    for (int k = 0; k < 3; k++) {
        const Side *s = &sides[k];
        if (s->crossed)
            rb_round_press_side(&piece, (double[2]){s->from.x, s->from.y},
                                (double[2]){s->to.x, s->to.y});
    }
    for (int k = 0; k < arc_count; k++)
        rb_round_press_arc(&piece, (double[2]){arcs[k].from.x, arcs[k].from.y}, arcs[k].angle);
}

static void add_points(Disc *d, const Side sides[3]) {
    Arc arcs[3];
    int arc_count = find_arcs(d, sides, arcs);
    Flat c = find_middle(sides, arcs, arc_count);
    for (int k = 0; k < 3; k++)
        if (sides[k].crossed) add_fan_triangle(d, c, sides[k].from, sides[k].to);
    for (int k = 0; k < arc_count; k++) add_fan_arc(d, c, arcs[k].from, arcs[k].angle);
}

// The points of a face, from `first` on, have its volume together.
static void share_volume(RbMeshOverlap *o, const Stretch *s, int first, double volume) {
    double sum = 0, scale = s->semi.x * s->semi.y * s->semi.z;
    for (int i = first; i < o->points.count; i++) sum += o->points.data[i].volume;
    double factor = sum > 0 ? scale * fmax(0, volume) / sum : 0;
    for (int i = first; i < o->points.count; i++) o->points.data[i].volume *= factor;
}

// What a triangle has in the unit ball, if anything.
static void add_face(RbMeshOverlap *o, const Stretch *s, int triangle) {
    Vec3 y[3];
    corners(s, &o->cut.side[0].skin->mesh, triangle, y);
    Vec3 n = v3_cross(v3_sub(y[1], y[0]), v3_sub(y[2], y[0]));
    double length = v3_norm(n);
    if (!(length > 0)) return;
    n = v3_scale(1 / length, n);
    double away = v3_dot(n, y[0]), r2 = (1 - away) * (1 + away);
    if (!(r2 > 0)) return;
    Disc d = {.o = o, .s = s, .face = o->faces.count, .n = n, .away = away, .radius = sqrt(r2)};
    d.e1 = v3_perpendicular(n);
    d.e2 = v3_cross(n, d.e1);
    Flat p[3];
    Side sides[3];
    for (int k = 0; k < 3; k++) p[k] = (Flat){v3_dot(d.e1, y[k]), v3_dot(d.e2, y[k])};
    for (int k = 0; k < 3; k++) sides[k] = add_side(&d, p[k], p[(k + 1) % 3]);
    if (!sides[0].crossed && !sides[1].crossed && !sides[2].crossed && d.turned < pi) return;
    int first = o->points.count;
    if (rb_overlap_presses_round(o)) {
        press(&d, triangle, sides);
    } else {
        add_points(&d, sides);
        share_volume(o, s, first, away < 0 ? d.cap : 0);
    }
    RbRoundFace face = {.triangle = triangle,
                        .volume = away < 0 ? d.cap : -d.cap,
                        .moment = v3_scale(-0.5 * d.bulge, n),
                        .area = v3_scale(d.area, n)};
    for (int k = 0; k < 3; k++) face.crossed[k] = sides[k].crossed;
    o->face_number[triangle] = o->faces.count + 1;
    rb_array_push(&o->faces, o->cut.arena, face);
}

// ---- triangles that are near ----

static double box_distance2(const RbMeshNode *node, Vec3 x) {
    Vec3 away = v3_sub(v3_abs(v3_sub(x, node->centre)), node->half);
    return v3_norm2(v3_max(away, V3_ZERO));
}

static void visit_near(RbMeshOverlap *o, const Stretch *s, int node) {
    const RbSkin *skin = o->cut.side[0].skin;
    const RbMeshNode *n = &skin->tree.nodes[node];
    double reach = v3_max_abs(s->semi);
    if (box_distance2(n, s->X.r) > reach * reach) return;
    for (int i = 0; i < n->count; i++) add_face(o, s, skin->tree.triangles[n->first + i]);
    if (n->count > 0) return;
    visit_near(o, s, n->left);
    visit_near(o, s, n->right);
}

// ---- regions: faces that meet in a side within the ball ----

static void unite_neighbours(RbMeshOverlap *o) {
    const RbSkin *skin = o->cut.side[0].skin;
    for (int i = 0; i < o->faces.count; i++) {
        const RbRoundFace *f = &o->faces.data[i];
        for (int k = 0; k < 3; k++) {
            if (!f->crossed[k]) continue;
            const RbSkinEdge *e = &skin->edges[skin->triangle_edges[f->triangle][k]];
            int other = o->face_number[e->t[0] == f->triangle ? e->t[1] : e->t[0]];
            if (other > 0) rb_overlap_unite(o, i, other - 1);
        }
    }
}

// Flanks of a sharp edge are back to back at any depth: what is less deep than a fiftieth of B, whose cap is so large, is still at the edge.
static bool is_shallow(const RbMeshOverlap *o) {
    const double cap = 1.3e-3; // of a unit ball
    double in = 0;
    for (int i = 0; i < o->faces.count; i++) in += fmax(0, o->faces.data[i].volume);
    return in < cap;
}

// Where B comes out of A the volume of faces in front, towards the centre, is taken back by faces behind that face the other way: all of them if surfaces do
// not hang together, as both sides of a plate do not (find_regions). Near an edge they do; then a quarter of the volume is taken
// back where a plate is half as thick as B is deep. (A wall beside the place where B presses looks aside, and counts nothing.)
static bool comes_out(const RbMeshOverlap *o) {
    const double MOST = 0.25;
    Vec3 front = V3_ZERO;
    double in = 0, out = 0;
    for (int i = 0; i < o->faces.count; i++) {
        const RbRoundFace *f = &o->faces.data[i];
        if (!(f->volume > 0)) continue;
        in += f->volume;
        front = v3_add(front, f->area);
    }
    Vec3 n = v3_unit_or(front, V3_ZERO);
    for (int i = 0; i < o->faces.count; i++) {
        const RbRoundFace *f = &o->faces.data[i];
        double against = -v3_dot(n, v3_unit_or(f->area, V3_ZERO));
        if (f->volume < 0 && against > 0) out -= against * f->volume;
    }
    return out > fmax(MOST * in, CANCELLED);
}

// Surfaces of one region that do not hang together, such as both sides of a plate, are told by a sum of the
// other sign; then all are taken as one region.
static void find_regions(RbMeshOverlap *o) {
    bool behind = false;
    o->through = comes_out(o);
    o->parent.count = o->number.count = 0;
    for (int i = 0; i < o->faces.count; i++) {
        rb_array_push(&o->parent, o->cut.arena, i);
        rb_array_push(&o->number, o->cut.arena, -1);
    }
    unite_neighbours(o);
    for (int i = 0; i < o->faces.count; i++) {
        int root = rb_overlap_root(o, i);
        if (o->number.data[root] < 0) {
            o->number.data[root] = o->regions.count;
            rb_array_push(&o->regions, o->cut.arena, (RbOverlapRegion){0});
        }
        o->faces.data[i].region = o->number.data[root];
        RbOverlapRegion *region = &o->regions.data[o->faces.data[i].region];
        region->volume += o->faces.data[i].volume;
        region->area[0] += v3_norm(o->faces.data[i].area);
    }
    for (int r = 0; r < o->regions.count; r++) {
        const RbOverlapRegion *region = &o->regions.data[r];
        behind |= region->volume < -ROUNDING * region->area[0];
        o->through |= region->volume < -CANCELLED;
    }
    if (o->through) o->through = !is_shallow(o);
    if (behind) o->regions.count = 1;
    for (int i = 0; i < o->faces.count && behind; i++) o->faces.data[i].region = 0;
}

static void measure_regions(RbMeshOverlap *o, const Stretch *s) {
    double scale = s->semi.x * s->semi.y * s->semi.z;
    for (int r = 0; r < o->regions.count; r++) o->regions.data[r] = (RbOverlapRegion){0};
    for (int i = 0; i < o->faces.count; i++) {
        const RbRoundFace *f = &o->faces.data[i];
        RbOverlapRegion *r = &o->regions.data[f->region];
        r->volume += f->volume;
        r->centroid = v3_add(r->centroid, f->moment);
        Vec3 area = area_from_ball(s, f->area);
        r->area_a = v3_add(r->area_a, area);
        r->area[0] += v3_norm(area);
        o->area += v3_norm(area);
    }
    for (int i = 0; i < o->points.count; i++) {
        RbOverlapPoint *p = &o->points.data[i];
        p->region = o->faces.data[p->region].region;
    }
    for (int i = 0; i < o->regions.count; i++) {
        RbOverlapRegion *r = &o->regions.data[i];
        if (r->volume < -INSIDE) r->volume += 4 * pi / 3; // the centre is inside A
        r->volume = fmax(0, r->volume);
        r->centroid = r->volume > 0 ? v3_scale(1 / r->volume, r->centroid) : V3_ZERO;
        r->centroid = from_ball(s, r->centroid);
        r->volume *= scale;
        r->area[1] = r->area[0];
        o->volume += r->volume;
    }
}

// Along the direction of the area, from the centroid: down to the lowest point of the ellipsoid, up to the
// highest point where pressure is looked at.
static void find_extents(RbMeshOverlap *o, const Stretch *s) {
    for (int i = 0; i < o->regions.count; i++) {
        RbOverlapRegion *r = &o->regions.data[i];
        Vec3 n = v3_unit(r->area_a);
        double to_lowest = v3_norm(v3_mul(s->semi, m3_tmul_vec(s->X.R, n)));
        r->low = v3_dot(n, v3_sub(s->X.r, r->centroid)) - to_lowest;
    }
    for (int i = 0; i < o->points.count; i++) {
        const RbOverlapPoint *p = &o->points.data[i];
        RbOverlapRegion *r = &o->regions.data[p->region];
        double up = v3_dot(v3_unit(r->area_a), v3_sub(p->x, r->centroid));
        r->high = up > r->high ? up : r->high;
    }
}

void rb_round_overlap(RbMeshOverlap *o, Pose X) {
    Stretch s = {X, o->round};
    for (int i = 0; i < o->faces.count; i++) o->face_number[o->faces.data[i].triangle] = 0;
    o->faces.count = o->points.count = 0;
    rb_round_press_clear(o);
    visit_near(o, &s, 0);
    rb_round_press_end(o, X);
    find_regions(o);
    measure_regions(o, &s);
    find_extents(o, &s);
}

// ---- distance ----

typedef struct Nearest {
    const RbSkin *skin;
    Stretch s;
    double best; // as seen in the unit ball
    Vec3 at;     // likewise
    long tests;
} Nearest;

static void find_nearest(Nearest *f, int node) {
    const RbMeshNode *n = &f->skin->tree.nodes[node];
    double reach = v3_max_abs(f->s.semi) * f->best;
    if (box_distance2(n, f->s.X.r) >= reach * reach) return;
    for (int i = 0; i < n->count; i++) {
        Vec3 y[3];
        corners(&f->s, &f->skin->mesh, f->skin->tree.triangles[n->first + i], y);
        Vec3 x = rb_triangle_nearest(y);
        f->tests++;
        if (v3_norm(x) < f->best) {
            f->best = v3_norm(x);
            f->at = x;
        }
    }
    if (n->count > 0) return;
    const RbMeshNode *nodes = f->skin->tree.nodes;
    bool left =
        box_distance2(&nodes[n->left], f->s.X.r) <= box_distance2(&nodes[n->right], f->s.X.r);
    find_nearest(f, left ? n->left : n->right);
    find_nearest(f, left ? n->right : n->left);
}

// Seen in the unit ball distances are larger by at least one over the largest semi-axis; the smallest one
// times what is seen there beyond the ball is less than the distance.
RbMeshGap rb_round_distance(const RbSkin *a, Vec3 semi, Pose X, double limit) {
    double least = fmin(semi.x, fmin(semi.y, semi.z));
    Nearest f = {.skin = a, .s = {X, semi}, .best = 1 + limit / least};
    find_nearest(&f, 0);
    RbMeshGap gap = {.distance = fmax(0, least * (f.best - 1)),
                     .depth = fmax(0, least * (1 - f.best)),
                     .tests = f.tests};
    gap.point_a = from_ball(&f.s, f.at);
    gap.point_b = from_ball(&f.s, v3_unit_or(f.at, v3(0, 0, 1)));
    return gap;
}
