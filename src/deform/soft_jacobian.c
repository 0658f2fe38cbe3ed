// SPDX-License-Identifier: MIT
// The Jacobian of a scene of soft bodies, for implicit solvers: blocks of 3 by 3 for springs, cells, elements, contacts and drag. The
// values come in the order in which the couplings were added; both walk through the same list of blocks.
#include <string.h>

#include "base/sort.h"
#include "deform/soft_data.h"

static int order(RbSpherePair p, RbSpherePair q) {
    return p.a != q.a ? p.a - q.a : p.b - q.b;
}

// Where a pair stands, or would stand.
static int find_pair(const SoftPattern *p, RbSpherePair pair) {
    int low = 0, high = p->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (order(p->pairs[middle], pair) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_pair(const SoftPattern *p, int at, RbSpherePair pair) {
    return at < p->count && order(p->pairs[at], pair) == 0;
}

// ---- the pattern

enum { SURFACE_PAIRS = 120 }; // per molecule that moves

// A resumed run goes on with the pattern of the checkpoint, as its solver started with it.
static void adopt_pattern(Soft *soft) {
    const SoftPattern *saved = &soft->saved;
    const int *moves = soft->network.free_index;
    bool fits = saved->count <= soft->pattern.room;
    for (int i = 0; fits && i < saved->count; i++) {
        RbSpherePair p = saved->pairs[i];
        fits = p.b < soft->scene.molecules.count &&
               (!soft->skins || (moves[p.a] >= 0 && moves[p.b] >= 0));
    }
    for (int i = 0; fits && i < saved->count; i++) soft->pattern.pairs[i] = saved->pairs[i];
    soft->pattern.count = fits ? saved->count : 0;
    soft->saved = (SoftPattern){0};
}

void rb_soft_open_pattern(Soft *soft, RbSegment *g) {
    const RbNetwork *n = &soft->network;
    double all = 0.5 * n->free_count * (n->free_count - 1.0);
    int room = soft->skins ? (int)fmin(all, (double)SURFACE_PAIRS * n->free_count)
                           : (int)(rb_sphere_pairs_size(n) / sizeof(RbSpherePair));
    soft->pattern = (SoftPattern){
        .pairs = rb_segment_memory(g, (size_t)(room + 1) * sizeof(RbSpherePair)), .room = room};
    adopt_pattern(soft);
}

static int compare_pairs(const void *a, const void *b) {
    return order(*(const RbSpherePair *)a, *(const RbSpherePair *)b);
}

static void sort_pairs(SoftPattern *p) {
    int count = 0;
    rb_sort_items(p->pairs, p->count, sizeof *p->pairs, compare_pairs);
    for (int i = 0; i < p->count; i++)
        if (count == 0 || order(p->pairs[i], p->pairs[count - 1]) != 0)
            p->pairs[count++] = p->pairs[i];
    p->count = count;
}

// Behind `sorted` pairs others have been added; those that are new come there, and all are sorted when they are many or there is no more room.
static int add_pair(const Soft *soft, SoftPattern *p, int sorted, int a, int b) {
    const int many = 512;
    const SoftPattern before = {p->pairs, sorted, 0};
    RbSpherePair pair = {a < b ? a : b, a < b ? b : a};
    const int *moves = soft->network.free_index;
    if (a == b || moves[a] < 0 || moves[b] < 0) return sorted;
    if (has_pair(&before, find_pair(&before, pair), pair)) return sorted;
    if (p->count == p->room || p->count - sorted == many) sort_pairs(p), sorted = p->count;
    if (p->count < p->room) p->pairs[p->count++] = pair;
    return sorted;
}

enum { MOST_TOGETHER = 160 };

// Molecules that a vertex or an edge moves with, and those of the field that it is near to.
static int molecules_of(const Soft *soft, const RbSurfaceList *l, const RbNearVertex *near,
                        int *molecule) {
    int count = 0;
    for (int k = 0; k < (near->end < 0 ? 1 : 2); k++) {
        const RbSkinVertex *v =
            &soft->skins[near->object].vertices[k == 0 ? near->vertex : near->end];
        for (int i = 0; i < v->count; i++) molecule[count++] = v->molecule[i];
        for (int i = 0; i < 3 && v->plane[0] >= 0; i++) molecule[count++] = v->plane[i];
    }
    for (int i = 0; i < near->count && count < MOST_TOGETHER; i++)
        molecule[count++] = l->molecules[near->first + i];
    return count;
}

static void make_surface_pattern(Soft *soft, SoftWork *w) {
    SoftPattern *p = &soft->pattern;
    const RbSurfaceList *l = w->vertices;
    int sorted = p->count = 0, molecule[MOST_TOGETHER];
    w->vertices->valid = false; // a list that is older has other neighbours
    if (!rb_surface_list_update(w->vertices, &soft->network, w->r)) return;
    for (int i = 0; i < l->count; i++) {
        int count = molecules_of(soft, l, &l->near[i], molecule);
        for (int a = 0; a < count; a++)
            for (int b = 0; b < a; b++)
                sorted = add_pair(soft, p, sorted, molecule[a], molecule[b]);
    }
    sort_pairs(p);
    w->lacking = 0;
}

void rb_soft_make_pattern(Soft *soft, SoftWork *w) {
    if (soft->skins) {
        make_surface_pattern(soft, w);
        return;
    }
    w->pairs->valid = false; // as above
    if (!rb_sphere_pairs_update(w->pairs, &soft->network, w->r)) return;
    soft->pattern.count = w->pairs->count;
    memcpy(soft->pattern.pairs, w->pairs->pairs, (size_t)w->pairs->count * sizeof(RbSpherePair));
}

void rb_soft_save_pattern(const Soft *soft, RbSaver *saver) {
    rb_save_int(saver, soft->pattern.count);
    for (int i = 0; i < soft->pattern.count; i++) {
        rb_save_int(saver, soft->pattern.pairs[i].a);
        rb_save_int(saver, soft->pattern.pairs[i].b);
    }
}

bool rb_soft_restore_pattern(Soft *soft, RbLoader *loader) {
    const int64_t most = 100000000; // pairs, and molecules
    int64_t count, a, b;
    if (!rb_load_int(loader, &count) || count < 0 || count > most) return false;
    RB_ARRAY(RbSpherePair) pairs = {0};
    for (int64_t i = 0; i < count; i++) {
        if (!rb_load_int(loader, &a) || !rb_load_int(loader, &b)) return false;
        if (a < 0 || b <= a || b > most) return false;
        rb_array_push(&pairs, soft->given->arena, ((RbSpherePair){(int)a, (int)b}));
    }
    soft->saved = (SoftPattern){pairs.data, pairs.count};
    return true;
}

bool rb_soft_pattern_lacks(const Soft *soft, SoftWork *w) {
    const RbMolecule *m = soft->scene.molecules.data;
    int k = 0;
    if (soft->skins) return w->lacking > 0 && soft->pattern.count < soft->pattern.room;
    if (!rb_sphere_pairs_update(w->pairs, &soft->network, w->r)) return false;
    for (int i = 0; i < w->pairs->count; i++) {
        RbSpherePair p = w->pairs->pairs[i];
        double reach = m[p.a].radius + m[p.b].radius;
        if (!(v3_norm2(v3_sub(w->r[p.b], w->r[p.a])) < reach * reach)) continue;
        while (k < soft->pattern.count && order(soft->pattern.pairs[k], p) < 0) k++;
        if (k == soft->pattern.count || order(soft->pattern.pairs[k], p) != 0) return true;
    }
    return false;
}

// ---- what is coupled

// Where the states of the molecules that move are.
typedef struct Place {
    RbCouplings *c;
    int r, v; // first place, first velocity
} Place;

// Rows of the velocity of molecule i (numbered among those that move) by place and velocity of j.
static void couple_block(const Place *p, int i, int j) {
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            rb_couplings_derivative_state(p->c, p->v + 3 * i + row, p->r + 3 * j + column);
            rb_couplings_derivative_state(p->c, p->v + 3 * i + row, p->v + 3 * j + column);
        }
    }
}

static void couple_pair(const RbNetwork *n, const Place *p, int a, int b) {
    int i = n->free_index[a], j = n->free_index[b];
    if (i >= 0) couple_block(p, i, i);
    if (j >= 0) couple_block(p, j, j);
    if (i < 0 || j < 0) return;
    couple_block(p, i, j);
    couple_block(p, j, i);
}

// Forces of cells do not depend on velocities.
static void couple_cell(const RbNetwork *n, const Place *p, const RbSoftCell *c) {
    for (int a = 0; a < c->count; a++) {
        for (int b = 0; b < c->count; b++) {
            int i = n->free_index[c->molecule[a]], j = n->free_index[c->molecule[b]];
            for (int k = 0; i >= 0 && j >= 0 && k < 9; k++)
                rb_couplings_derivative_state(p->c, p->v + 3 * i + k / 3, p->r + 3 * j + k % 3);
        }
    }
}

static void couple_element(const RbNetwork *n, const Place *p, const RbSoftElement *e) {
    for (int a = 0; a < e->nodes; a++) {
        for (int b = 0; b < e->nodes; b++) {
            int i = n->free_index[e->node[a]], j = n->free_index[e->node[b]];
            if (i >= 0 && j >= 0) couple_block(p, i, j);
        }
    }
}

void rb_soft_couplings(const Soft *soft, RbCouplings *c, int first) {
    const RbNetwork *n = &soft->network;
    const Place place = {c, first, first + 3 * n->free_count}, *p = &place;
    for (int i = 0; i < 3 * n->free_count; i++)
        rb_couplings_derivative_state(c, p->r + i, p->v + i);
    for (int i = 0; i < n->free_count; i++) couple_block(p, i, i);
    for (int i = 0; i < n->spring_count; i++) couple_pair(n, p, n->springs[i].a, n->springs[i].b);
    for (int i = 0; i < n->cell_count; i++) couple_cell(n, p, &n->cells[i]);
    for (int i = 0; i < n->element_count; i++) couple_element(n, p, &n->elements[i]);
    for (int i = 0; i < soft->pattern.count; i++) {
        RbSpherePair pair = soft->pattern.pairs[i];
        int a = n->free_index[pair.a], b = n->free_index[pair.b];
        if (soft->skins)
            couple_block(p, a, b), couple_block(p, b, a);
        else
            couple_pair(n, p, pair.a, pair.b);
    }
    int z = p->v + 3 * n->free_count;
    for (int i = 0; i < 3 * n->free_count; i++) {
        rb_couplings_derivative_state(c, z + i, z + i);
        rb_couplings_derivative_state(c, z + i, p->v + i);
    }
}

// ---- values

static double *put_block(double *values, double scale, const Mat3 *by_r, const Mat3 *by_v) {
    const double *r = &by_r->x.x, *v = &by_v->x.x;
    for (int k = 0; k < 9; k++) {
        *values++ = scale * r[k];
        *values++ = scale * v[k];
    }
    return values;
}

// by_r, by_v: derivatives of the force on a by place and velocity of b; those by a are opposite.
static double *put_pair(const RbNetwork *n, double *values, int a, int b, const Mat3 *by_r,
                        const Mat3 *by_v) {
    int i = n->free_index[a], j = n->free_index[b];
    if (i >= 0) values = put_block(values, -1 / n->mass[a], by_r, by_v);
    if (j >= 0) values = put_block(values, -1 / n->mass[b], by_r, by_v);
    if (i < 0 || j < 0) return values;
    values = put_block(values, 1 / n->mass[a], by_r, by_v);
    return put_block(values, 1 / n->mass[b], by_r, by_v);
}

static double *put_cell(const RbNetwork *n, double *values, const RbSoftCell *c, const Vec3 *r) {
    RbCellSlopes slopes;
    bool pushes = rb_soft_cell_slopes(c, r, &slopes);
    for (int a = 0; a < c->count; a++) {
        for (int b = 0; b < c->count; b++) {
            int i = c->molecule[a];
            if (n->free_index[i] < 0 || n->free_index[c->molecule[b]] < 0) continue;
            const double *by = &slopes.by[a][b].x.x;
            for (int k = 0; k < 9; k++) *values++ = pushes ? by[k] / n->mass[i] : 0;
        }
    }
    return values;
}

static double *put_element(const RbNetwork *n, double *values, const RbSoftElement *e,
                           const Vec3 *r) {
    for (int a = 0; a < e->nodes; a++) {
        for (int b = 0; b < e->nodes; b++) {
            Mat3 by_r, by_v;
            int i = e->node[a];
            if (n->free_index[i] < 0 || n->free_index[e->node[b]] < 0) continue;
            rb_element_slopes(e, r, a, b, &by_r, &by_v);
            values = put_block(values, 1 / n->mass[i], &by_r, &by_v);
        }
    }
    return values;
}

// How it is drawn out by turning, and what it holds by its bristle, is not in the matrix.
static double *put_contact(const Soft *soft, const SoftWork *w, RbSpherePair p, double *values) {
    const RbMolecule *m = soft->scene.molecules.data;
    Vec3 apart = v3_sub(w->r[p.b], w->r[p.a]), speed = v3_sub(w->v[p.b], w->v[p.a]);
    Mat3 by_r = M3_ZERO, by_v = M3_ZERO;
    RbPenaltyForce force;
    RbPenalty law = rb_soft_law(soft, p.a, p.b);
    bool touches = v3_norm(apart) < m[p.a].radius + m[p.b].radius;
    if (touches && rb_penalty_force(&law, apart, speed, &force)) {
        Vec3 slip = v3_axpy(speed, -v3_dot(speed, force.n), force.n);
        double drag = rb_penalty_rub(&law, force.press, slip, V3_ZERO).drag;
        rb_penalty_slopes(&law, apart, speed, drag, &by_r, &by_v);
    }
    return put_pair(&soft->network, values, p.a, p.b, &by_r, &by_v);
}

// Values of surfaces are added to where their blocks are: the diagonal ones, and two per pair.
typedef struct Surfaces {
    const Soft *soft;
    double *diagonal, *pairs;
    int lacking;
} Surfaces;

// Where the pattern has no place for a block its force is counted on b: those of a contact still sum to nothing, so that each iteration keeps momentum.
static void add_surface_block(void *user, int a, int b, const Mat3 *by_r, const Mat3 *by_v) {
    enum { BLOCK = 18 };
    Surfaces *s = user;
    const RbNetwork *n = &s->soft->network;
    RbSpherePair pair = {a < b ? a : b, a < b ? b : a};
    int at = a == b ? 0 : find_pair(&s->soft->pattern, pair), on = a;
    if (a != b && !has_pair(&s->soft->pattern, at, pair)) s->lacking++, on = b;
    double *to =
        on == b ? s->diagonal + BLOCK * n->free_index[b] : s->pairs + BLOCK * (2 * at + (a > b));
    const double *r = &by_r->x.x, *v = &by_v->x.x;
    for (int k = 0; k < 9; k++) {
        to[2 * k] += r[k] / n->mass[on];
        to[2 * k + 1] += v[k] / n->mass[on];
    }
}

static double *put_surfaces(const Soft *soft, SoftWork *w, double *diagonal, double *values) {
    int count = 2 * 18 * soft->pattern.count;
    Surfaces s = {soft, diagonal, values, 0};
    for (int i = 0; i < count; i++) values[i] = 0;
    rb_soft_surface_slopes(soft, w, add_surface_block, &s);
    w->lacking = s.lacking;
    return values + count;
}

void rb_soft_jacobian(const Soft *soft, SoftWork *w, double *values) {
    const RbNetwork *n = &soft->network;
    Mat3 by_r, by_v;
    w->implicit = true;
    for (int i = 0; i < 3 * n->free_count; i++) *values++ = 1;
    double *diagonal = values;
    for (int i = 0; i < n->free_count; i++) {
        int k = n->molecule_of[i];
        by_r = M3_ZERO;
        by_v = rb_network_drag_slope(n, k, w->v[k]);
        if (w->wall_slopes) {
            by_r = w->wall_slopes[2 * k];
            by_v = m3_add(by_v, w->wall_slopes[2 * k + 1]);
        }
        values = put_block(values, 1 / n->mass[k], &by_r, &by_v);
    }
    for (int i = 0; i < n->spring_count; i++) {
        const RbSoftSpring *s = &n->springs[i];
        rb_soft_spring_slopes(s, w->r, w->v, &by_r, &by_v);
        values = put_pair(n, values, s->a, s->b, &by_r, &by_v);
    }
    for (int i = 0; i < n->cell_count; i++) values = put_cell(n, values, &n->cells[i], w->r);
    for (int i = 0; i < n->element_count; i++)
        values = put_element(n, values, &n->elements[i], w->r);
    if (soft->skins) values = put_surfaces(soft, w, diagonal, values);
    for (int i = 0; !soft->skins && i < soft->pattern.count; i++)
        values = put_contact(soft, w, soft->pattern.pairs[i], values);
    for (int i = 0; i < 3 * n->free_count; i++, values += 2) {
        int k = n->molecule_of[i / 3];
        rb_soft_bristle_rate(soft, &w->bristles[k], n->mass[k], values, values + 1);
    }
}
