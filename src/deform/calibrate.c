// SPDX-License-Identifier: MIT
#include "deform/calibrate.h"

#include <string.h>

enum { ROWS = 10, ITERATIONS = 300 };
static const double LEAST = 0.02;      // [what was given]

// Rows xxx yyy zzz, xxy xxz yyx yyz zzx zzy, xyz of a symmetric tensor of the third order, with the roots of how often each stands in it.
typedef struct Row {
    double t[ROWS];
} Row;

static Row row_of(Vec3 n, double scale) {
    const double r3 = sqrt(3), r6 = sqrt(6);
    double x = n.x, y = n.y, z = n.z;
    Row r = {{x * x * x, y * y * y, z * z * z, r3 * x * x * y, r3 * x * x * z, r3 * y * y * x,
              r3 * y * y * z, r3 * z * z * x, r3 * z * z * y, r6 * x * y * z}};
    for (int i = 0; i < ROWS; i++) r.t[i] *= scale;
    return r;
}

// -0.4 (d_ij A_k + ...)
static Row target_of(Vec3 a, double scale) {
    const double r3 = sqrt(3);
    Row r = {
        {3 * a.x, 3 * a.y, 3 * a.z, r3 * a.y, r3 * a.z, r3 * a.x, r3 * a.z, r3 * a.x, r3 * a.y, 0}};
    for (int i = 0; i < ROWS; i++) r.t[i] *= -0.4 * scale;
    return r;
}

typedef struct Problem {
    const RbBond *bonds;
    int count, molecules;
    double near; // weight of staying near what was given
    Row *t;    // per bond, seen from its end a
    Row *left; // per molecule
} Problem;

// left += sum of x t
static void add_product(const Problem *p, const double *x, Row *left) {
    for (int b = 0; b < p->count; b++) {
        double *one = left[p->bonds[b].a].t, *two = left[p->bonds[b].b].t;
        for (int i = 0; i < ROWS; i++) {
            one[i] += x[b] * p->t[b].t[i];
            two[i] -= x[b] * p->t[b].t[i];
        }
    }
}

static double back_product(const Problem *p, int b, const Row *left) {
    const double *one = left[p->bonds[b].a].t, *two = left[p->bonds[b].b].t;
    double sum = 0;
    for (int i = 0; i < ROWS; i++) sum += p->t[b].t[i] * (one[i] - two[i]);
    return sum;
}

static void residual(const Problem *p, const Row *target, const double *s, Row *left) {
    for (int i = 0; i < p->molecules; i++)
        for (int k = 0; k < ROWS; k++) left[i].t[k] = -target[i].t[k];
    add_product(p, s, left);
}

// Half the gradient of |T s - y|² + m |s - 1|².
static void gradient(const Problem *p, const Row *target, const double *s, double *g) {
    residual(p, target, s, p->left);
    for (int b = 0; b < p->count; b++) g[b] = back_product(p, b, p->left) + p->near * (s[b] - 1);
}

// Conjugate gradients, without the bound: false: it is met by some.
static bool solve(const Problem *p, const Row *target, double *s, RbArena scratch) {
    int n = p->count;
    double *r = rb_new_array(&scratch, double, n), *d = rb_new_array(&scratch, double, n),
           *q = rb_new_array(&scratch, double, n), rr = 0;
    gradient(p, target, s, r);
    for (int b = 0; b < n; b++) {
        d[b] = r[b] = -r[b];
        rr += r[b] * r[b];
    }
    double first = rr;
    for (int k = 0; k < ITERATIONS && rr > 1e-16 * first && rr > 1e-24; k++) {
        double dq = 0, next = 0;
        memset(p->left, 0, (size_t)p->molecules * sizeof(Row));
        add_product(p, d, p->left);
        for (int b = 0; b < n; b++) {
            q[b] = back_product(p, b, p->left) + p->near * d[b];
            dq += d[b] * q[b];
        }
        for (int b = 0; b < n; b++) {
            s[b] += rr / dq * d[b];
            r[b] -= rr / dq * q[b];
            next += r[b] * r[b];
        }
        for (int b = 0; b < n; b++) d[b] = r[b] + next / rr * d[b];
        rr = next;
    }
    for (int b = 0; b < n; b++)
        if (s[b] < LEAST) return false;
    return true;
}

// Projected gradients whose length follows from the last step (J. Barzilai, J. Borwein, 1988).
static void descend(const Problem *p, const Row *target, double *s, RbArena scratch) {
    int n = p->count;
    double *g = rb_new_array(&scratch, double, n), *old = rb_new_array(&scratch, double, n);
    double length = 0.1;
    gradient(p, target, s, g);
    for (int k = 0; k < ITERATIONS; k++) {
        double dd = 0, dg = 0;
        for (int b = 0; b < n; b++) {
            double next = fmax(LEAST, s[b] - length * g[b]);
            old[b] = next - s[b];
            dd += old[b] * old[b];
            s[b] = next;
            dg -= old[b] * g[b];
        }
        if (!(dd > 1e-12 * n)) break;
        gradient(p, target, s, g);
        for (int b = 0; b < n; b++) dg += old[b] * g[b];
        length = dg > 0 ? dd / dg : 0.1;
    }
}

double rb_calibrate(const RbMolecule *m, int count, const Vec3 *area, double spacing, double near,
                    RbBond *bonds, int bond_count, RbArena scratch) {
    double unit = 1 / (0.4 * spacing * spacing), sum = 0;
    Problem p = {.bonds = bonds,
                 .count = bond_count,
                 .molecules = count,
                 .near = near,
                 .t = rb_new_array(&scratch, Row, bond_count),
                 .left = rb_new_array(&scratch, Row, count)};
    Row *target = rb_new_array(&scratch, Row, count), *left = rb_new_array(&scratch, Row, count);
    double *s = rb_new_array(&scratch, double, bond_count);
    for (int b = 0; b < bond_count; b++) {
        Vec3 n = v3_unit(v3_sub(m[bonds[b].b].r, m[bonds[b].a].r));
        p.t[b] = row_of(n, bonds[b].k * bonds[b].length * unit);
        s[b] = 1;
    }
    for (int i = 0; i < count; i++) target[i] = target_of(area[i], unit);
    if (!solve(&p, target, s, scratch)) {
        for (int b = 0; b < bond_count; b++) s[b] = fmax(LEAST, s[b]);
        descend(&p, target, s, scratch);
    }
    residual(&p, target, s, left);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < ROWS; k++) sum += left[i].t[k] * left[i].t[k];
    for (int b = 0; b < bond_count; b++) bonds[b].k *= s[b];
    return sqrt(sum / count);
}
