// SPDX-License-Identifier: MIT
#include "deform/cell.h"

static const double BEGIN = 0.4; // of the volume at rest: below it there is a force
static const double STIFF = 0.1; // [E V]

// Tetrahedra by the molecules of a cell; three sides from the first one have a positive product at rest.
static const unsigned char cube[8][4] = {{0, 1, 2, 4}, {1, 3, 0, 5}, {2, 0, 3, 6}, {3, 2, 1, 7},
                                         {4, 6, 5, 0}, {5, 4, 7, 1}, {6, 7, 4, 2}, {7, 5, 6, 3}};
static const unsigned char centred[24][4] = {
    {8, 0, 2, 1}, {8, 0, 4, 2}, {8, 0, 1, 4}, {8, 1, 0, 3}, {8, 1, 3, 5}, {8, 1, 5, 0},
    {8, 2, 3, 0}, {8, 2, 0, 6}, {8, 2, 6, 3}, {8, 3, 1, 2}, {8, 3, 7, 1}, {8, 3, 2, 7},
    {8, 4, 5, 6}, {8, 4, 6, 0}, {8, 4, 0, 5}, {8, 5, 7, 4}, {8, 5, 1, 7}, {8, 5, 4, 1},
    {8, 6, 4, 7}, {8, 6, 2, 4}, {8, 6, 7, 2}, {8, 7, 6, 5}, {8, 7, 5, 3}, {8, 7, 3, 6}};

typedef struct Split {
    const unsigned char (*of)[4];
    int count;
} Split;

static Split split_of(const RbSoftCell *c) {
    return c->count == 8 ? (Split){cube, 8} : (Split){centred, 24};
}

// A tetrahedron: its sides from the first molecule, and what is left of its volume.
typedef struct Tet {
    const unsigned char *of;
    Vec3 d[3];
    double J;
} Tet;

static inline Tet tet_at(const RbSoftCell *c, const unsigned char *of, const Vec3 *r) {
    Tet t = {.of = of};
    Vec3 first = r[c->molecule[of[0]]];
    for (int k = 0; k < 3; k++) t.d[k] = v3_sub(r[c->molecule[of[k + 1]]], first);
    t.J = v3_dot(t.d[0], v3_cross(t.d[1], t.d[2])) * c->per_volume;
    return t;
}

// dJ/d(side k)
static Vec3 growth(const RbSoftCell *c, const Tet *t, int k) {
    return v3_scale(c->per_volume, v3_cross(t->d[(k + 1) % 3], t->d[(k + 2) % 3]));
}

// U/(E V/10) = y³, y = 1/x - 1, x = J/0.4: its derivatives by J.
static double slope_of(double x) {
    double y = 1 / x - 1;
    return -3 * y * y / (x * x * BEGIN);
}

static double bend_of(double x) {
    double y = 1 / x - 1;
    return 6 * y * (1 + 2 * y) / (x * x * x * BEGIN * BEGIN);
}

void rb_soft_cell_start(RbSoftCell *c, const Vec3 *r, double volume, double youngs_modulus) {
    Split split = split_of(c);
    double sum = 0;
    c->per_volume = 1;
    for (int i = 0; i < split.count; i++) sum += tet_at(c, split.of[i], r).J;
    c->per_volume = split.count / sum;
    c->energy = STIFF * youngs_modulus * volume / split.count;
    c->left = (uint32_t)((UINT64_C(1) << split.count) - 1);
}

// Whether all tetrahedra of a cube are far from flat, as nearly always: from its twelve edges. They are not where nothing is a number.
static bool is_wide(const RbSoftCell *c, const Vec3 *r) {
    Vec3 p[8], x[8], y[8], z[8]; // edges by the corners where they begin
    for (int i = 0; i < 8; i++) p[i] = r[c->molecule[i]];
    for (int i = 0; i < 8; i += 2) x[i] = v3_sub(p[i + 1], p[i]);
    for (int i = 0; i < 4; i++) {
        int k = i + (i & 2); // 0, 1, 4, 5
        y[k] = v3_sub(p[k + 2], p[k]);
        z[i] = v3_sub(p[i + 4], p[i]);
    }
    bool wide = true;
    for (int i = 0; i < 8; i++) {
        double J = v3_dot(x[i & 6], v3_cross(y[i & 5], z[i & 3])) * c->per_volume;
        wide &= J >= 1.001 * BEGIN; // a little more than needed: rounding
    }
    return wide;
}

bool rb_soft_cell_forces(const RbSoftCell *c, const Vec3 *r, Vec3 *f) {
    Split split = split_of(c);
    if (c->count == 8 && is_wide(c, r)) return true;
    for (int i = 0; i < split.count; i++) {
        Tet t = tet_at(c, split.of[i], r);
        if (t.J >= BEGIN || !(c->left >> i & 1)) continue;
        if (!(t.J > 0)) return false;
        double push = -c->energy * slope_of(t.J / BEGIN);
        Vec3 *first = &f[c->molecule[t.of[0]]];
        for (int k = 0; k < 3; k++) {
            Vec3 force = v3_scale(push, growth(c, &t, k)), *at = &f[c->molecule[t.of[k + 1]]];
            *at = v3_add(*at, force);
            *first = v3_sub(*first, force);
        }
    }
    return true;
}

static double energy_of(const RbSoftCell *c, double J) {
    double y = BEGIN / J - 1;
    return J < BEGIN ? c->energy * y * y * y : 0;
}

double rb_soft_cell_energy(const RbSoftCell *c, const Vec3 *r) {
    Split split = split_of(c);
    double sum = 0;
    for (int i = 0; i < split.count; i++)
        if (c->left >> i & 1) sum += energy_of(c, tet_at(c, split.of[i], r).J);
    return sum;
}

bool rb_soft_cell_folded(const RbSoftCell *c, const Vec3 *r) {
    Split split = split_of(c);
    for (int i = 0; i < split.count; i++)
        if ((c->left >> i & 1) && !(tet_at(c, split.of[i], r).J > 0)) return true;
    return false;
}

static bool is_torn(const RbSoftCell *c, const unsigned char of[4], RbCellTorn *torn,
                    const void *user) {
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++)
            if (torn(user, c->molecule[of[i]], c->molecule[of[k]])) return true;
    return false;
}

double rb_soft_cell_tear(RbSoftCell *c, RbCellTorn *torn, const void *user, const Vec3 *r) {
    Split split = split_of(c);
    double sum = 0;
    for (int i = 0; i < split.count; i++) {
        if (!(c->left >> i & 1) || !is_torn(c, split.of[i], torn, user)) continue;
        c->left &= ~(UINT32_C(1) << i);
        if (r) sum += energy_of(c, tet_at(c, split.of[i], r).J);
    }
    return sum;
}

// ---- slopes

// Derivative of the growth of side k by side m: that of a product of the other two.
static Mat3 turn_of(const RbSoftCell *c, const Tet *t, int k, int m) {
    if (k == m) return M3_ZERO;
    bool next = m == (k + 1) % 3;
    return m3_scale((next ? -1 : 1) * c->per_volume, m3_skew(t->d[(k + (next ? 2 : 1)) % 3]));
}

static void add_slopes(const RbSoftCell *c, const Tet *t, RbCellSlopes *out) {
    double x = t->J / BEGIN, slope = c->energy * slope_of(x), bend = c->energy * bend_of(x);
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 3; m++) {
            Mat3 by = m3_add(m3_scale(-bend, m3_outer(growth(c, t, k), growth(c, t, m))),
                             m3_scale(-slope, turn_of(c, t, k, m)));
            int a = t->of[k + 1], b = t->of[m + 1], o = t->of[0];
            out->by[a][b] = m3_add(out->by[a][b], by);
            out->by[o][o] = m3_add(out->by[o][o], by);
            out->by[a][o] = m3_sub(out->by[a][o], by);
            out->by[o][b] = m3_sub(out->by[o][b], by);
        }
    }
}

bool rb_soft_cell_slopes(const RbSoftCell *c, const Vec3 *r, RbCellSlopes *out) {
    Split split = split_of(c);
    bool any = false;
    for (int i = 0; i < split.count; i++) {
        Tet t = tet_at(c, split.of[i], r);
        if (t.J >= BEGIN || !(t.J > 0) || !(c->left >> i & 1)) continue;
        if (!any) *out = (RbCellSlopes){0};
        any = true;
        add_slopes(c, &t, out);
    }
    return any;
}

void rb_soft_cell_apply(const RbSoftCell *c, const Vec3 *r, const Vec3 *x, Vec3 *y) {
    RbCellSlopes slopes;
    if (!rb_soft_cell_slopes(c, r, &slopes)) return;
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->count; k++)
            y[c->molecule[i]] =
                v3_sub(y[c->molecule[i]], m3_mul_vec(slopes.by[i][k], x[c->molecule[k]]));
}
