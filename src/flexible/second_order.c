// SPDX-License-Identifier: MIT
#include "flexible/second_order.h"

#include <cblas.h>

enum { POINTS = 4, ROWS = 9 };

typedef struct Batch {
    double *B, *S; // n x rows: gradients of modes, times stress
    Mat3 *stress;  // cases x points [N m]
    int points, room;
} Batch;

static void gradients(const RbElasticPart *p, const int *tet, const Vec3 *slope,
                      const double *shapes, int n, double *B) {
    int nodes = rb_tet_mesh_corners(p->mesh);
    for (int a = 0; a < n; a++) {
        const double *phi = shapes + 3 * (size_t)p->mesh->node_count * (size_t)a;
        Mat3 F = M3_ZERO;
        for (int i = 0; i < nodes; i++)
            F = m3_add(F, m3_outer(v3_load(phi + 3 * (size_t)tet[i]), slope[i]));
        for (int r = 0; r < ROWS; r++) B[a + n * r] = m3_get(F, r / 3, r % 3);
    }
}

// H -= B σ Bᵀ, case after case.
static void flush(Batch *b, int cases, int n, double *H) {
    for (int l = 0; l < cases; l++) {
        for (int g = 0; g < b->points; g++) {
            Mat3 s = b->stress[l * b->room + g];
            for (int r = 0; r < ROWS; r++)
                for (int a = 0; a < n; a++) {
                    const double *f = b->B + (size_t)n * (size_t)(ROWS * g + r - r % 3) + a;
                    b->S[(size_t)n * (size_t)(ROWS * g + r) + (size_t)a] =
                        m3_get(s, r % 3, 0) * f[0] + m3_get(s, r % 3, 1) * f[n] +
                        m3_get(s, r % 3, 2) * f[2 * n];
                }
        }
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, ROWS * b->points, -1, b->B, n,
                    b->S, n, 1, H + (size_t)n * (size_t)n * (size_t)l, n);
    }
    b->points = 0;
}

static void add_point(const RbElasticPart *p, Batch *b, const int *tet, const Vec3 *slope,
                      double volume, const double *u, int cases, const double *shapes, int n) {
    size_t size = 3 * (size_t)p->mesh->node_count;
    gradients(p, tet, slope, shapes, n, b->B + (size_t)n * (size_t)(ROWS * b->points));
    for (int l = 0; l < cases; l++)
        b->stress[l * b->room + b->points] =
            m3_scale(volume, rb_part_stress(p, tet, slope, u + size * (size_t)l));
    b->points++;
}

void rb_second_order(const RbStatics *s, double *loads, int cases, const double *shapes, int n,
                     double *H, RbArena scratch) {
    const RbElasticPart *p = s->part;
    const double near = (5 + 3 * sqrt(5)) / 20, far = (5 - sqrt(5)) / 20;
    int nodes = rb_tet_mesh_corners(p->mesh), points = nodes == 4 ? 1 : POINTS;
    size_t size = 3 * (size_t)p->mesh->node_count;
    double *u = rb_new_array(&scratch, double, size *(size_t)cases);
    rb_statics_relieved(s, loads, cases, scratch);
    for (int l = 0; l < cases; l++)
        rb_part_expand(p, loads + s->size * (size_t)l, u + size * (size_t)l);
    Batch b = {.room = 64 * POINTS};
    b.B = rb_new_array(&scratch, double, (size_t)n *(size_t)(ROWS * b.room) + 1);
    b.S = rb_new_array(&scratch, double, (size_t)n *(size_t)(ROWS * b.room) + 1);
    b.stress = rb_new_array(&scratch, Mat3, cases * b.room);
    for (int e = 0; e < p->mesh->tet_count; e++) {
        Vec3 places[RB_TET_NODES], slope[RB_TET_NODES];
        for (int i = 0; i < nodes; i++) places[i] = p->mesh->nodes[p->mesh->tets[e][i]];
        for (int g = 0; g < points; g++) {
            double L[4];
            for (int i = 0; i < 4; i++) L[i] = points == 1 ? 0.25 : i == g ? near : far;
            double det = rb_tet_gradients(places, nodes, L, slope);
            add_point(p, &b, p->mesh->tets[e], slope, det / 6 / points, u, cases, shapes, n);
        }
        if (b.points + points > b.room || e == p->mesh->tet_count - 1) flush(&b, cases, n, H);
    }
}
