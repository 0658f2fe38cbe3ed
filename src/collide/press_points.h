// SPDX-License-Identifier: MIT
// press_points.h: the points that stand for the pressure of a face where it is damped and rubbed (docs/theory/solids.md, section 5).
#pragma once

#include <math.h>

#include "collide/mesh_overlap.h"

// [m²] Adds a triangle on which s is linear, and answers its area.
static inline double rb_press_add(RbPressedSums *sums, const RbPressedCorner *c[3]) {
    const double *q[3] = {c[0]->q, c[1]->q, c[2]->q};
    double s[3] = {c[0]->depth, c[1]->depth, c[2]->depth};
    double area = 0.5 * fabs((q[1][0] - q[0][0]) * (q[2][1] - q[0][1]) -
                             (q[1][1] - q[0][1]) * (q[2][0] - q[0][0]));
    double total = s[0] + s[1] + s[2], all[2], with_s[2];
    for (int i = 0; i < 2; i++) {
        all[i] = q[0][i] + q[1][i] + q[2][i];
        with_s[i] = s[0] * q[0][i] + s[1] * q[1][i] + s[2] * q[2][i];
        sums->sq[i] += area / 12 * (total * all[i] + with_s[i]);
    }
    sums->area += area;
    sums->s += area / 3 * total;
    for (int m = 0; m < 3; m++) { // int of l_i l_j l_k: area/60 × 1, 2 for two equal, 6 for three
        int i = m > 1, j = m > 0;
        double sum = total * all[i] * all[j] + with_s[i] * all[j] + all[i] * with_s[j];
        for (int k = 0; k < 3; k++) sum += (total + 2 * s[k]) * q[k][i] * q[k][j];
        sums->sqq[m] += area / 60 * sum;
    }
    return area;
}

// Adds points with the same sums s, s q and s q q', and `total` as the sum of their volumes.
void rb_press_face(RbMeshOverlap *overlap, const RbPressedFace *face, double total);

// A face that carries less than one part in so many of all has few points.
enum { RB_PRESSED_MUCH = 4 };

// Likewise of a face with pieces: as many points as friction needs that turns about the middle. share: of what all faces
// of the pair carry.
void rb_press_pieces(RbMeshOverlap *overlap, const RbPressedFace *face, double total, double share);

// One point.
void rb_press_push(RbMeshOverlap *overlap, const RbPressedFace *face, Vec3 x, double volume,
                   double area);
