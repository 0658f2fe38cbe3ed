// SPDX-License-Identifier: MIT
#include "flexible/statics.h"

#include <cblas.h>
#include <string.h>

#include "math/lu.h"

// c = alpha opa(A) B + beta c for tall matrices of the unknowns.
static void at_b(size_t size, const double *A, int na, const double *B, int nb, double *c) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, na, nb, (int)size, 1, A, (int)size, B,
                (int)size, 0, c, na);
}

static void add_ab(size_t size, double s, const double *A, int na, const double *b, int ldb, int nb,
                   double *C) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)size, nb, na, s, A, (int)size, b,
                ldb, 1, C, (int)size);
}

void rb_statics_mass(const RbStatics *s, const double *x, int columns, double *y) {
    for (int k = 0; k < columns; k++) {
        rb_part_expand(s->part, x + s->size * (size_t)k, s->nodes[0]);
        rb_part_mass_times(s->part, s->nodes[0], s->nodes[1]);
        rb_part_collect(s->part, s->nodes[1], y + s->size * (size_t)k);
    }
}

// ---- rigid motions

static void find_centre(RbStatics *s) {
    const RbElasticPart *p = s->part;
    Vec3 sum = V3_ZERO;
    for (int i = 0; i < p->mesh->node_count; i++)
        for (int k = p->mass_start[i]; k < p->mass_start[i + 1]; k++) {
            s->mass += p->mass[k];
            sum = v3_axpy(sum, p->mass[k], p->mesh->nodes[i]);
        }
    s->origin = v3_scale(1 / s->mass, sum);
}

static void rigid_motion(const RbStatics *s, int mode, double *x) {
    const RbElasticPart *p = s->part;
    Vec3 axis = v3_axis(mode % 3);
    for (int i = 0; i < p->blocks; i++) {
        Vec3 d = v3_scale(1 / p->size, v3_sub(p->places[i], s->origin));
        v3_store(x + 3 * (size_t)i, mode < 3 ? axis : v3_cross(axis, d));
    }
    for (int k = 0; k < p->frame_count; k++)
        if (p->turn_of[k] >= 0) v3_store(x + 3 * (size_t)p->turn_of[k], mode < 3 ? V3_ZERO : axis);
}

static void find_rigid(RbStatics *s, RbArena *keep) {
    s->R = rb_new_array(keep, double, 6 * s->size), s->MR = rb_new_array(keep, double, 6 * s->size);
    for (int k = 0; k < 6; k++) {
        double *r = s->R + s->size * (size_t)k, *m = s->MR + s->size * (size_t)k;
        rigid_motion(s, k, r);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < k; j++) {
                double part = cblas_ddot((int)s->size, s->MR + s->size * (size_t)j, 1, r, 1);
                cblas_daxpy((int)s->size, -part, s->R + s->size * (size_t)j, 1, r, 1);
            }
            rb_statics_mass(s, r, 1, m);
            cblas_dscal((int)s->size, 1 / sqrt(cblas_ddot((int)s->size, m, 1, r, 1)), r, 1);
        }
        rb_statics_mass(s, r, 1, m);
    }
}

// Six unknowns in which rigid motions differ most, one after the other; each gets a spring as stiff as the part is there.
static void support(const RbStatics *s, RbElasticPart *p, RbArena scratch) {
    double *left = rb_new_array(&scratch, double, 6 * s->size);
    memcpy(left, s->R, 6 * s->size * sizeof *left);
    for (int k = 0; k < 6; k++) {
        size_t best = 0;
        double most = -1, row[6];
        for (size_t i = 0; i < s->size; i++) {
            double norm = cblas_dnrm2(6, left + i, (int)s->size);
            if (norm > most) most = norm, best = i;
        }
        for (size_t j = 0; j < 6; j++) row[j] = left[best + s->size * j] / most;
        for (size_t i = 0; i < s->size; i++) {
            double part = cblas_ddot(6, left + i, (int)s->size, row, 1);
            cblas_daxpy(6, -part, row, 1, left + i, (int)s->size);
        }
        double *block = rb_block_at(&p->K, (int)(best / 3), (int)(best / 3));
        block[4 * (best % 3)] *= 2;
    }
}

// ---- boundary

static void averaged_functional(const RbStatics *s, int frame, int row, double *d) {
    const RbPartFrame *f = &s->part->frames[frame];
    const RbElasticPart *p = s->part;
    Vec3 axis = v3_axis(row % 3), turn = m3_mul_vec(p->gyration[frame], axis);
    memset(s->nodes[0], 0, 3 * (size_t)p->mesh->node_count * sizeof(double));
    for (int i = 0; i < f->count; i++) {
        Vec3 r = v3_sub(p->mesh->nodes[f->node[i]], p->centre[frame]);
        Vec3 force = row < 3 ? axis : v3_scale(p->size, v3_cross(turn, r));
        v3_store(s->nodes[0] + 3 * (size_t)f->node[i], v3_scale(1.0 / f->count, force));
    }
    rb_part_collect(p, s->nodes[0], d);
}

static void find_boundary(RbStatics *s, RbArena *keep) {
    const RbElasticPart *p = s->part;
    s->bounds = p->frame_count > 0 ? 6 * p->frame_count : 6;
    s->Dt = rb_new_array(keep, double, s->size *(size_t)s->bounds);
    if (p->frame_count == 0) memcpy(s->Dt, s->MR, 6 * s->size * sizeof(double));
    for (int i = 0; i < 6 * p->frame_count; i++) {
        double *d = s->Dt + s->size * (size_t)i;
        int row = i % 6, turn = p->turn_of[i / 6];
        if (p->frames[i / 6].averaged)
            averaged_functional(s, i / 6, row, d);
        else
            d[3 * (turn - (row < 3)) + row % 3] = 1;
    }
}

static double largest(const double *a, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fabs(a[i]) > most ? fabs(a[i]) : most;
    return most;
}

static bool factor_system(RbStatics *s, RbArena *keep, RbArena scratch) {
    int b = s->bounds, n = b + 6;
    double *DG = rb_new_array(&scratch, double, b *b);
    s->G = rb_new_array(keep, double, s->size *(size_t)b);
    memcpy(s->G, s->Dt, s->size * (size_t)b * sizeof *s->G);
    rb_block_cholesky_solve(s->factors, s->G, b, scratch);
    at_b(s->size, s->Dt, b, s->G, b, DG);
    s->DR = rb_new_array(keep, double, 6 * b);
    at_b(s->size, s->Dt, b, s->R, 6, s->DR);
    s->scale = largest(s->DR, 6 * (size_t)b) / largest(DG, (size_t)b * (size_t)b);
    s->system = rb_new_array(keep, double, n *n), s->pivot = rb_new_array(keep, int, n);
    for (int i = 0; i < b * b; i++) s->system[i % b + n * (i / b)] = s->scale * DG[i];
    for (int i = 0; i < 6 * b; i++) {
        s->system[i % b + n * (b + i / b)] = s->DR[i];
        s->system[b + i / b + n * (i % b)] = s->DR[i];
    }
    return rb_lu_factor(n, s->system, s->pivot, 0);
}

RbStatus rb_statics(RbElasticPart *p, RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag,
                    RbStatics *s) {
    *s = (RbStatics){.part = p, .size = 3 * (size_t)p->blocks};
    for (int i = 0; i < 2; i++)
        s->nodes[i] = rb_new_array(keep, double, 3 * (size_t)p->mesh->node_count);
    find_centre(s);
    find_rigid(s, keep);
    support(s, p, scratch);
    find_boundary(s, keep);
    s->factors = rb_block_cholesky(&p->K, p->places, keep, scratch);
    int bad = rb_block_cholesky_factor(s->factors, &p->K, keep, scratch);
    if (bad >= 0)
        return rb_fail(
            diag, RB_ERROR_MODEL, at,
            "the stiffness of the part is singular near (%g, %g, %g) m; pieces that hang "
            "together at a point or an edge only are one reason",
            p->places[bad].x, p->places[bad].y, p->places[bad].z);
    if (factor_system(s, keep, scratch)) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "the interface frames of the part do not move independently; let no averaged "
                   "frame have its nodes in common with another frame");
}

// ---- solutions

void rb_statics_solve(const RbStatics *s, double *x, int columns, const double *d, double *mu,
                      RbArena scratch) {
    int b = s->bounds, n = b + 6;
    double *y = rb_new_array(&scratch, double, n *columns);
    double *bound = rb_new_array(&scratch, double, b *columns);
    double *rigid = rb_new_array(&scratch, double, 6 * columns);
    at_b(s->size, s->R, 6, x, columns, rigid);
    rb_block_cholesky_solve(s->factors, x, columns, scratch);
    at_b(s->size, s->Dt, b, x, columns, bound);
    for (int k = 0; k < columns; k++) {
        for (int i = 0; i < b; i++) y[n * k + i] = (d ? d[b * k + i] : 0) - bound[b * k + i];
        for (int i = 0; i < 6; i++) y[n * k + b + i] = -rigid[6 * k + i] / s->scale;
        rb_lu_solve(n, s->system, s->pivot, y + n * k);
        for (int i = 0; i < b; i++) y[n * k + i] *= s->scale;
        for (int i = 0; mu && i < b; i++) mu[b * k + i] = y[n * k + i];
    }
    add_ab(s->size, 1, s->G, b, y, n, columns, x);
    add_ab(s->size, 1, s->R, 6, y + b, n, columns, x);
}

static void subtract(const RbStatics *s, const double *by, const double *from, double *x,
                     int columns, RbArena scratch) {
    double *c = rb_new_array(&scratch, double, 6 * columns);
    at_b(s->size, by, 6, x, columns, c);
    add_ab(s->size, -1, from, 6, c, 6, columns, x);
}

void rb_statics_remove_rigid(const RbStatics *s, double *x, int columns, RbArena scratch) {
    subtract(s, s->MR, s->R, x, columns, scratch);
}

void rb_statics_relieved(const RbStatics *s, double *x, int columns, RbArena scratch) {
    subtract(s, s->R, s->MR, x, columns, scratch);
    rb_block_cholesky_solve(s->factors, x, columns, scratch);
    rb_statics_remove_rigid(s, x, columns, scratch);
}
