// SPDX-License-Identifier: MIT
#include "deform/surface_list.h"

enum { MOLECULES_PER_VERTEX = 24 };
static const double MOVED = 0.25; // [skin] a vertex may move further than its molecules

static size_t aligned(size_t bytes) {
    return (bytes + 15) & ~(size_t)15;
}

static int piece_count(const RbSoftSkin *skin) { // what is looked at: edges or vertices
    return skin->edges ? skin->edge_count : skin->mesh.vertex_count;
}

// A vertex can be near two or three objects; more than that are not all of an object's.
static int vertex_capacity(const RbNetwork *n, const RbSoftSkin *skins) {
    int count = 0;
    for (int i = 0; i < n->object_count; i++) count += piece_count(&skins[i]);
    return 2 * count;
}

// Along an edge there are more molecules, the longer it is.
static int molecule_capacity(const RbNetwork *n, const RbSoftSkin *skins) {
    double count = (double)MOLECULES_PER_VERTEX * vertex_capacity(n, skins), least = INFINITY;
    for (int i = 0; i < n->object_count; i++) least = fmin(least, n->objects[i].spacing);
    for (int i = 0; i < n->object_count; i++) {
        const Vec3 *at = skins[i].mesh.vertices;
        for (int k = 0; k < skins[i].edge_count; k++)
            count += 32 * v3_distance(at[skins[i].edges[k].a], at[skins[i].edges[k].b]) / least;
    }
    return (int)fmin(count, 1e9);
}

static int vertex_count(const RbNetwork *n, const RbSoftSkin *skins) {
    int count = 0;
    for (int i = 0; i < n->object_count; i++) count += skins[i].mesh.vertex_count;
    return count;
}

size_t rb_surface_list_size(const RbNetwork *n, const RbSoftSkin *skins) {
    size_t vertices = (size_t)vertex_capacity(n, skins);
    return aligned(sizeof(RbSurfaceList)) + aligned(vertices * sizeof(RbNearVertex)) +
           aligned((size_t)molecule_capacity(n, skins) * sizeof(int)) +
           2 * aligned((size_t)n->count * sizeof(Vec3)) + aligned((size_t)n->count * sizeof(int)) +
           4 * aligned((size_t)n->object_count * sizeof(Vec3)) +
           aligned((size_t)n->object_count * sizeof(double)) +
           aligned((size_t)(n->object_count + 1) * sizeof(int)) +
           aligned((size_t)vertex_count(n, skins) * sizeof(Vec3)) +
           aligned((size_t)vertex_count(n, skins) * sizeof(int)) +
           aligned((size_t)vertex_count(n, skins) * sizeof(bool));
}

static void *take(unsigned char **at, size_t bytes) {
    void *memory = *at;
    *at += aligned(bytes);
    return memory;
}

RbSurfaceList *rb_surface_list_open(const RbNetwork *n, const RbSoftSkin *skins,
                                    const RbSoftField *fields, double skin, void *memory) {
    unsigned char *at = memory;
    RbSurfaceList *l = take(&at, sizeof *l);
    int vertices = vertex_capacity(n, skins);
    *l = (RbSurfaceList){.skins = skins,
                         .fields = fields,
                         .skin = skin,
                         .capacity = vertices,
                         .molecule_capacity = molecule_capacity(n, skins)};
    l->near = take(&at, (size_t)vertices * sizeof(RbNearVertex));
    l->molecules = take(&at, (size_t)l->molecule_capacity * sizeof(int));
    l->made_at = take(&at, (size_t)n->count * sizeof(Vec3));
    l->local = take(&at, (size_t)n->count * sizeof(int));
    l->low = take(&at, (size_t)n->object_count * sizeof(Vec3));
    l->high = take(&at, (size_t)n->object_count * sizeof(Vec3));
    l->skin_low = take(&at, (size_t)n->object_count * sizeof(Vec3));
    l->skin_high = take(&at, (size_t)n->object_count * sizeof(Vec3));
    l->travel = take(&at, (size_t)n->object_count * sizeof(double));
    l->close = take(&at, (size_t)n->count * sizeof(Vec3));
    l->first = take(&at, (size_t)(n->object_count + 1) * sizeof(int));
    l->places = take(&at, (size_t)vertex_count(n, skins) * sizeof(Vec3));
    l->needed = take(&at, (size_t)vertex_count(n, skins) * sizeof(int));
    l->wanted = take(&at, (size_t)vertex_count(n, skins) * sizeof(bool));
    for (int i = 0; i < n->object_count; i++) { // those of fixed objects stay
        const RbMesh *mesh = &skins[i].mesh;
        l->first[i + 1] = l->first[i] + mesh->vertex_count;
        for (int k = 0; k < mesh->vertex_count; k++) l->places[l->first[i] + k] = mesh->vertices[k];
    }
    return l;
}

static bool moved_too_far(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    bool far = false;
    for (int i = 0; i < n->object_count; i++) {
        const RbNetworkObject *o = &n->objects[i];
        double most = 0;
        for (int k = o->first; k < o->first + o->count; k++) {
            double way = v3_norm2(v3_sub(r[k], l->made_at[k]));
            most = way <= most ? most : way; // or not a number
        }
        l->travel[i] = sqrt(most);
        far |= !(l->travel[i] <= MOVED * l->skin);
    }
    return far;
}

static void find_boxes(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    for (int i = 0; i < n->object_count; i++) {
        const RbNetworkObject *o = &n->objects[i];
        l->low[i] = l->high[i] = r[o->first];
        for (int k = o->first; k < o->first + o->count; k++)
            l->low[i] = v3_min(l->low[i], r[k]), l->high[i] = v3_max(l->high[i], r[k]);
    }
}

static bool is_inside(Vec3 p, Vec3 low, Vec3 high, double margin) {
    return p.x > low.x - margin && p.x < high.x + margin && p.y > low.y - margin &&
           p.y < high.y + margin && p.z > low.z - margin && p.z < high.z + margin;
}

// The box around an edge from p to q and a box.
static bool meets(Vec3 p, Vec3 q, Vec3 low, Vec3 high, double margin) {
    Vec3 gap = v3_max(v3_sub(low, v3_max(p, q)), v3_sub(v3_min(p, q), high));
    return gap.x < margin && gap.y < margin && gap.z < margin;
}

static double along(Vec3 p, Vec3 q, Vec3 r) { // 0 to 1: where the edge is nearest
    Vec3 e = v3_sub(q, p);
    double ee = v3_norm2(e);
    return ee > 0 ? fmin(1, fmax(0, v3_dot(v3_sub(r, p), e) / ee)) : 0;
}

static inline double distance2(Vec3 p, Vec3 q, Vec3 r, bool point) {
    return v3_norm2(v3_sub(r, point ? p : v3_lerp(p, q, along(p, q, r))));
}

// The molecules of `other` near a place; of its own object, those that are no neighbours. False: there is no room.
static bool collect(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, Vec3 p, Vec3 q,
                    double reach, RbNearVertex *near) {
    const Vec3 *at = l->skins[near->object].mesh.vertices;
    Vec3 start = near->end < 0 ? at[near->vertex] : v3_lerp(at[near->vertex], at[near->end], 0.5);
    const RbSoftField *field = &l->fields[near->other];
    double sum = 0;
    near->first = l->molecule_count;
    for (int k = 0; k < l->local_count; k++) {
        int j = l->local[k];
        double d2 = distance2(p, q, r[j], near->end < 0);
        if (!(d2 < reach * reach)) continue;
        if (near->object == near->other && !rb_network_apart(n, j, start)) continue;
        if (l->molecule_count == l->molecule_capacity) return false;
        l->molecules[l->molecule_count++] = j;
        double u = fmax(0, 1 - d2 / (field->reach * field->reach));
        sum += u * u * u;
    }
    near->count = l->molecule_count - near->first;
    // u grows by 2/b per metre at most, and (sum of (u + c)³)^(1/3) by c times that of the number (Minkowski)
    near->slack = 0.5 * field->reach * (cbrt(field->threshold) - cbrt(sum)) / cbrt(near->count);
    return true;
}

// Molecules of b near the box of the surface of a.
static void find_local(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, int a, int b) {
    const RbNetworkObject *o = &n->objects[b];
    double margin = l->fields[b].reach + l->skin;
    l->local_count = 0;
    for (int j = o->first; j < o->first + o->count; j++)
        if (is_inside(r[j], l->skin_low[a], l->skin_high[a], margin))
            l->local[l->local_count++] = j;
}

static void want(RbSurfaceList *l, int object, int vertex) {
    int i = l->first[object] + vertex;
    if (!l->wanted[i]) l->needed[l->needed_count++] = i;
    l->wanted[i] = true;
}

static bool keep_near(RbSurfaceList *l, const RbNearVertex *near) {
    if (near->count == 0) return true;
    if (l->count == l->capacity) return false;
    l->near[l->count++] = *near;
    want(l, near->object, near->vertex);
    if (near->end >= 0) want(l, near->object, near->end);
    return true;
}

static bool list_vertices(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, int a, int b) {
    double reach = l->fields[b].reach + l->skin;
    const RbSoftSkin *skin = &l->skins[a];
    for (int i = 0; i < skin->mesh.vertex_count; i++) {
        Vec3 p = rb_surface_list_place(l, a, i);
        if (!is_inside(p, l->low[b], l->high[b], reach)) continue;
        RbNearVertex near = {a, i, -1, skin->vertices[i].area, b, 0, 0, 0};
        if (!collect(l, n, r, p, p, reach, &near) || !keep_near(l, &near)) return false;
    }
    return true;
}

static bool list_edges(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, int a, int b) {
    double reach = l->fields[b].reach + l->skin;
    const RbSoftSkin *skin = &l->skins[a];
    for (int i = 0; i < skin->edge_count; i++) {
        const RbSoftEdge *e = &skin->edges[i];
        Vec3 p = rb_surface_list_place(l, a, e->a), q = rb_surface_list_place(l, a, e->b);
        if (!meets(p, q, l->low[b], l->high[b], reach)) continue;
        RbNearVertex near = {a, e->a, e->b, e->area, b, 0, 0, 0};
        if (!collect(l, n, r, p, q, reach, &near) || !keep_near(l, &near)) return false;
    }
    return true;
}

// Of the surface of a near the molecules of b.
static bool list_pair(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r, int a, int b) {
    find_local(l, n, r, a, b);
    if (l->local_count == 0) return true;
    return l->skins[a].edges ? list_edges(l, n, r, a, b) : list_vertices(l, n, r, a, b);
}

static double gap_between(Vec3 low_a, Vec3 high_a, Vec3 low_b, Vec3 high_b) {
    Vec3 gap = v3_max(v3_sub(low_a, high_b), v3_sub(low_b, high_a));
    return fmax(gap.x, fmax(gap.y, gap.z));
}

static void place_needed(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    for (int i = 0, object = 0; i < l->needed_count; i++) {
        int k = l->needed[i];
        while (k < l->first[object]) object--;
        while (k >= l->first[object + 1]) object++;
        if (n->objects[object].moves)
            l->places[k] = rb_skin_place(&l->skins[object].vertices[k - l->first[object]], r);
    }
}

static bool may_touch(const RbNetwork *n, int a, int b) {
    if (a == b && !n->objects[a].self_contact) return false;
    return n->objects[a].moves || n->objects[b].moves;
}

// [m] How far its surface can be outside the box of an object's molecules: a vertex is the sum of w r over some of them, with sum of w = 1,
// and something that does not grow.
static double outside(const RbSurfaceList *l, int i) {
    const RbSoftSkin *skin = &l->skins[i];
    return skin->follow * v3_norm(v3_sub(l->high[i], l->low[i])) + skin->outreach;
}

// Where the surface is has to be known only if something may be near it.
static bool is_near_any(const RbSurfaceList *l, const RbNetwork *n, int a) {
    for (int b = 0; b < n->object_count; b++) {
        if (!may_touch(n, a, b)) continue;
        double gap = gap_between(l->low[a], l->high[a], l->low[b], l->high[b]);
        if (gap < outside(l, a) + l->fields[b].reach + l->skin) return true;
    }
    return false;
}

// The boxes of surfaces; those that nothing is near to have none.
static void place_all(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    for (int i = 0; i < n->object_count; i++) {
        const RbSoftSkin *skin = &l->skins[i];
        bool near = is_near_any(l, n, i), moves = n->objects[i].moves && near;
        l->skin_low[i] = v3(INFINITY, INFINITY, INFINITY);
        l->skin_high[i] = v3(-INFINITY, -INFINITY, -INFINITY);
        for (int k = 0; k < skin->mesh.vertex_count; k++) {
            Vec3 *place = &l->places[l->first[i] + k];
            l->wanted[l->first[i] + k] = false;
            if (moves) *place = rb_skin_place(&skin->vertices[k], r);
            if (!near) continue;
            l->skin_low[i] = v3_min(l->skin_low[i], *place);
            l->skin_high[i] = v3_max(l->skin_high[i], *place);
        }
    }
}

// Is the surface of a near molecules of b?
static bool boxes_meet(const RbSurfaceList *l, int a, int b) {
    return gap_between(l->skin_low[a], l->skin_high[a], l->low[b], l->high[b]) <
           l->fields[b].reach + l->skin;
}

bool rb_surface_list_update(RbSurfaceList *l, const RbNetwork *n, const Vec3 *r) {
    if (l->valid && !moved_too_far(l, n, r)) {
        place_needed(l, n, r);
        return true;
    }
    l->valid = false;
    l->count = l->molecule_count = l->needed_count = 0;
    find_boxes(l, n, r);
    for (int i = 0; i < n->count; i++) l->made_at[i] = r[i];
    for (int i = 0; i < n->object_count; i++) l->travel[i] = 0;
    place_all(l, n, r);
    for (int a = 0; a < n->object_count; a++) {
        for (int b = 0; b < n->object_count; b++)
            if (may_touch(n, a, b) && boxes_meet(l, a, b) && !list_pair(l, n, r, a, b))
                return false;
    }
    l->valid = true;
    return true;
}

// ---- along an edge

// The sum of (1 - d²/b²)³ at a place on the edge, and its derivatives along it.
typedef struct Along {
    double value, slope, bend;
} Along;

// Molecules that the edge comes near to, seen from its start.
typedef struct Edge {
    const Vec3 *close;
    int count;
    Vec3 e;        // to its end
    double ee, b2; // [m2]
} Edge;

static Along look(const Edge *x, double s) {
    Along out = {0};
    double scale = 6 / x->b2, twice = 24 / (x->b2 * x->b2);
    for (int k = 0; k < x->count; k++) {
        Vec3 d = v3_sub(v3_scale(s, x->e), x->close[k]);
        double u = 1 - v3_norm2(d) / x->b2, de = v3_dot(d, x->e);
        if (!(u > 0)) continue;
        out.value += u * u * u;
        out.slope -= scale * u * u * de;
        out.bend += twice * u * de * de - scale * u * u * x->ee;
    }
    return out;
}

static double value_at(const Edge *x, double s) {
    double sum = 0;
    for (int k = 0; k < x->count; k++) {
        double u = 1 - v3_norm2(v3_sub(v3_scale(s, x->e), x->close[k])) / x->b2;
        if (u > 0) sum += u * u * u;
    }
    return sum;
}

static double nearest_on(const Edge *x, Vec3 r) {
    double s = v3_dot(r, x->e) / x->ee;
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

// Molecules whose reach the edge enters. No place on it has more than all of these give where it is nearest to each.
static double find_close(const RbSurfaceList *l, const RbNearVertex *near, const Vec3 *r, Vec3 a,
                         Edge *x) {
    double sum = 0;
    for (int k = 0; k < near->count; k++) {
        Vec3 d = v3_sub(r[l->molecules[near->first + k]], a);
        double u = 1 - v3_norm2(v3_axpy(d, -nearest_on(x, d), x->e)) / x->b2;
        if (!(u > 0)) continue;
        l->close[x->count++] = d;
        sum += u * u * u;
    }
    return sum;
}

// The best of some places on it, closer together than hills of the field can be.
static double best_start(const Edge *x) {
    int parts = 1 + (int)(5 * sqrt(x->ee / x->b2));
    double best = 0, most = 0;
    for (int k = 0; k <= parts; k++) {
        double s = (double)k / parts, value = value_at(x, s);
        if (value > most) best = s, most = value;
    }
    return best;
}

// Uphill from there to where the slope is zero: a bracket, then Newton's method in it.
double rb_surface_list_deepest(const RbSurfaceList *l, const RbNearVertex *near, const Vec3 *r,
                               Vec3 a, Vec3 b) {
    enum { STEPS = 60 };
    const RbSoftField *field = &l->fields[near->other];
    Edge x = {.close = l->close, .e = v3_sub(b, a), .b2 = field->reach * field->reach};
    x.ee = v3_norm2(x.e);
    if (!(find_close(l, near, r, a, &x) > field->threshold)) return -1; // it touches nowhere
    double s = best_start(&x);
    Along f = look(&x, s);
    double way = f.slope > 0 ? 1 : -1, low = s, high = s;
    if (f.slope == 0 || (s == 0 && way < 0) || (s == 1 && way > 0)) return s;
    double step = 0.2 * sqrt(x.b2 / x.ee);
    while (high >= 0 && high <= 1 && look(&x, high).slope * way > 0) low = high, high += way * step;
    high = fmin(1, fmax(0, high));
    if (look(&x, high).slope * way > 0) return high;
    s = 0.5 * (low + high);
    for (int k = 0; k < STEPS && fabs(high - low) > 1e-15; k++) {
        f = look(&x, s);
        *(f.slope * way > 0 ? &low : &high) = s;
        double next = f.bend < 0 ? s - f.slope / f.bend : low - 1;
        bool within = (next - low) * (next - high) < 0;
        if (within && fabs(next - s) < 1e-15) return next;
        s = within ? next : 0.5 * (low + high);
    }
    return s;
}
