// SPDX-License-Identifier: MIT
#include "math/quat.h"

Quat q_from_matrix(Mat3 R) {
    double trace = m3_trace(R);
    Quat q;
    if (trace >= R.x.x && trace >= R.y.y && trace >= R.z.z) {
        q = (Quat){1 + trace, R.z.y - R.y.z, R.x.z - R.z.x, R.y.x - R.x.y};
    } else if (R.x.x >= R.y.y && R.x.x >= R.z.z) {
        q = (Quat){R.z.y - R.y.z, 1 + 2 * R.x.x - trace, R.x.y + R.y.x, R.z.x + R.x.z};
    } else if (R.y.y >= R.z.z) {
        q = (Quat){R.x.z - R.z.x, R.x.y + R.y.x, 1 + 2 * R.y.y - trace, R.y.z + R.z.y};
    } else {
        q = (Quat){R.y.x - R.x.y, R.z.x + R.x.z, R.y.z + R.z.y, 1 + 2 * R.z.z - trace};
    }
    q = q_unit(q);
    return q.w < 0 ? (Quat){-q.w, -q.x, -q.y, -q.z} : q;
}

Quat q_from_cardan(Vec3 a) {
    Quat x = q_rotation(v3(1, 0, 0), a.x);
    Quat y = q_rotation(v3(0, 1, 0), a.y);
    Quat z = q_rotation(v3(0, 0, 1), a.z);
    return q_mul(q_mul(x, y), z);
}

// R = Rx(a) Ry(b) Rz(c) has R.x.z = sin b, R.y.z = -sin a cos b, R.z.z = cos a cos b, R.x.y = -cos
// b sin c, R.x.x = cos b cos c. Singular where cos b = 0: then only a +- c is determined and c is
// set to 0.
Vec3 q_to_cardan(Quat q) {
    const double singular = 1e-12; // of cos² b
    Mat3 R = q_matrix(q);
    double cos_b = sqrt(R.x.x * R.x.x + R.x.y * R.x.y);
    if (cos_b * cos_b <= singular) {
        return v3(atan2(R.z.y, R.y.y), atan2(R.x.z, cos_b), 0.0);
    }
    return v3(atan2(-R.y.z, R.z.z), atan2(R.x.z, cos_b), atan2(-R.x.y, R.x.x));
}
