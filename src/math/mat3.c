// SPDX-License-Identifier: MIT
#include "math/mat3.h"

// Jacobi's method: rotate each off-diagonal element away in turn. Converges quadratically; a 3x3
// matrix needs about four sweeps, and small eigenvalues keep their relative accuracy better than by
// the cubic formula.
enum { SWEEPS = 12 };

// Make a[p][q] zero by a rotation in the plane (p, q); v collects the rotations.
static void rotate_away(double a[3][3], double v[3][3], int p, int q) {
    if (a[p][q] == 0) return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign(1.0, theta) /
               (fabs(theta) + sqrt(theta * theta + 1)); // smaller root of t² + 2 theta t = 1
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
    }
    for (int k = 0; k < 3; k++) {
        double kp = v[k][p], kq = v[k][q];
        v[k][p] = c * kp - s * kq;
        v[k][q] = s * kp + c * kq;
    }
}

void m3_eigen(Mat3 m, Vec3 *values, Mat3 *axes) {
    double a[3][3] = {{m.x.x, m.x.y, m.x.z}, {m.x.y, m.y.y, m.y.z}, {m.x.z, m.y.z, m.z.z}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate_away(a, v, 0, 1);
        rotate_away(a, v, 0, 2);
        rotate_away(a, v, 1, 2);
    }
    // Sort ascending by exchanging columns.
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2 - i; j++) {
            if (a[order[j]][order[j]] > a[order[j + 1]][order[j + 1]]) {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
        }
    }
    *values = v3(a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]);
    Vec3 first = v3(v[0][order[0]], v[1][order[0]], v[2][order[0]]);
    Vec3 second = v3(v[0][order[1]], v[1][order[1]], v[2][order[1]]);
    *axes = m3_from_columns(first, second, v3_cross(first, second));
}
