// SPDX-License-Identifier: MIT
// The Jacobian of a scene of soft bodies, for implicit solvers: blocks of 3 by 3 for springs, near pairs and drag. The
// values come in the order in which the couplings were added; both walk through the same list of blocks.
#include <string.h>

#include "deform/soft_data.h"

void rb_soft_make_pattern(Soft *soft, const SoftWork *w) {
    soft->pattern.count = w->pairs->count;
    memcpy(soft->pattern.pairs, w->pairs->pairs, (size_t)w->pairs->count * sizeof(RbSpherePair));
}

void rb_soft_adopt_pattern(Soft *soft, int room) {
    const SoftPattern *saved = &soft->saved;
    bool fits = saved->count <= room;
    for (int i = 0; i < saved->count; i++)
        fits = fits && saved->pairs[i].b < soft->scene.molecules.count;
    if (fits && saved->count > 0)
        memcpy(soft->pattern.pairs, saved->pairs, (size_t)saved->count * sizeof(RbSpherePair));
    soft->pattern.count = fits ? saved->count : 0;
    soft->saved = (SoftPattern){0};
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

static int order(RbSpherePair p, RbSpherePair q) {
    return p.a != q.a ? p.a - q.a : p.b - q.b;
}

bool rb_soft_pattern_lacks(const Soft *soft, const SoftWork *w) {
    const RbMolecule *m = soft->scene.molecules.data;
    int k = 0;
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
    for (int i = 0; i < soft->pattern.count; i++)
        couple_pair(n, p, soft->pattern.pairs[i].a, soft->pattern.pairs[i].b);
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
    bool touches = !soft->skins && v3_norm(apart) < m[p.a].radius + m[p.b].radius;
    if (touches && rb_penalty_force(&law, apart, speed, &force)) {
        Vec3 slip = v3_axpy(speed, -v3_dot(speed, force.n), force.n);
        double drag = rb_penalty_rub(&law, force.press, slip, V3_ZERO).drag;
        rb_penalty_slopes(&law, apart, speed, drag, &by_r, &by_v);
    }
    return put_pair(&soft->network, values, p.a, p.b, &by_r, &by_v);
}

void rb_soft_jacobian(const Soft *soft, SoftWork *w, double *values) {
    const RbNetwork *n = &soft->network;
    Mat3 by_r, by_v;
    w->implicit = true;
    for (int i = 0; i < 3 * n->free_count; i++) *values++ = 1;
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
    for (int i = 0; i < soft->pattern.count; i++)
        values = put_contact(soft, w, soft->pattern.pairs[i], values);
    for (int i = 0; i < 3 * n->free_count; i++, values += 2) {
        int k = n->molecule_of[i / 3];
        rb_soft_bristle_rate(soft, &w->bristles[k], n->mass[k], values, values + 1);
    }
}
