// SPDX-License-Identifier: MIT
// Where things are.
#include <math.h>
#include <string.h>

#include "world.h"

static void rotate(const double R[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

void contact_cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static void product(const double A[9], const double B[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) out[3 * i + j] += A[3 * i + k] * B[3 * k + j];
        }
    }
}

static void transpose(const double A[9], double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = A[3 * (i % 3) + i / 3];
}

Place contact_compose(const Place *a, const Place *b) {
    Place p;
    rotate(a->R, b->r, p.r);
    for (int i = 0; i < 3; i++) p.r[i] += a->r[i];
    product(a->R, b->R, p.R);
    return p;
}

Place contact_inverse(const Place *a) {
    Place p;
    transpose(a->R, p.R);
    rotate(p.R, a->r, p.r);
    for (int i = 0; i < 3; i++) p.r[i] = -p.r[i];
    return p;
}

// About x, y and z, one after the other.
void contact_turn(const double angles[3], double R[9]) {
    memcpy(R, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *R);
    for (int axis = 0; axis < 3; axis++) {
        double c = cos(angles[axis]), s = sin(angles[axis]), one[9] = {0}, all[9];
        int j = (axis + 1) % 3, k = (axis + 2) % 3;
        one[4 * axis] = 1;
        one[4 * j] = one[4 * k] = c;
        one[3 * j + k] = -s;
        one[3 * k + j] = s;
        product(R, one, all);
        memcpy(R, all, sizeof all);
    }
}

// From the largest of its four components, of which one is at least a half.
void contact_quaternion(const double R[9], double q[4]) {
    double trace = R[0] + R[4] + R[8], squares[4] = {trace};
    int most = 0;
    for (int i = 0; i < 3; i++) squares[i + 1] = 2 * R[4 * i] - trace;
    for (int i = 1; i < 4; i++) most = squares[i] > squares[most] ? i : most;
    double half = 0.5 * sqrt(1 + squares[most]), part = 0.25 / half;
    double w[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]}; // 4 q0 q
    q[most] = half;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (most == 0) q[i + 1] = part * w[i];
        if (most == i + 1) {
            q[0] = part * w[i];
            q[j + 1] = part * (R[3 * i + j] + R[3 * j + i]);
            q[k + 1] = part * (R[3 * i + k] + R[3 * k + i]);
        }
    }
}

Place contact_place_of(const RattlebackContact *c, int i, const RattlebackContactPoses *poses) {
    Place frame;
    memcpy(frame.r, poses->r + 3 * i, sizeof frame.r);
    transpose(poses->T + 9 * i, frame.R);
    return contact_compose(&frame, &c->bodies[i].shape);
}

Place contact_place_built(const RattlebackContact *c, int i, const RattlebackContactPoses *poses) {
    int root = c->bodies[i].root;
    Place place = contact_place_of(c, i, poses);
    if (root == i) return place;
    Place base = contact_place_of(c, root, poses), back = contact_inverse(&base);
    return contact_compose(&back, &place);
}

double contact_difference(const Place *a, const Place *b) {
    double most = 0;
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(a->r[i] - b->r[i]));
    for (int i = 0; i < 9; i++) most = fmax(most, fabs(a->R[i] - b->R[i]));
    return most;
}
