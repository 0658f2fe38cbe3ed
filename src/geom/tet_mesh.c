// SPDX-License-Identifier: MIT
#include "geom/tet_mesh.h"

static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

void rb_tet_shape(int nodes, const double L[4], double *out) {
    for (int i = 0; i < 4; i++) out[i] = nodes == 4 ? L[i] : L[i] * (2 * L[i] - 1);
    for (int k = 0; nodes > 4 && k < 6; k++) out[4 + k] = 4 * L[edge[k][0]] * L[edge[k][1]];
}

void rb_tet_slopes(int nodes, const double L[4], Vec3 *out) {
    static const Vec3 d[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 4; i++) out[i] = v3_scale(nodes == 4 ? 1 : 4 * L[i] - 1, d[i]);
    for (int k = 0; nodes > 4 && k < 6; k++) {
        int a = edge[k][0], b = edge[k][1];
        out[4 + k] = v3_scale(4, v3_axpy(v3_scale(L[a], d[b]), L[b], d[a]));
    }
}

double rb_tet_gradients(const Vec3 *places, int nodes, const double L[4], Vec3 *out) {
    Vec3 natural[RB_TET_NODES];
    Mat3 J = M3_ZERO;
    rb_tet_slopes(nodes, L, natural);
    for (int i = 0; i < nodes; i++) J = m3_add(J, m3_outer(places[i], natural[i]));
    Mat3 back = m3_transpose(m3_inverse(J));
    for (int i = 0; i < nodes; i++) out[i] = m3_mul_vec(back, natural[i]);
    return m3_det(J);
}
