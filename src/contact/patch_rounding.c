// SPDX-License-Identifier: MIT
// The elastic wrench F has a potential. So how its stiff parts s (along n, and of tilts) change as b slides or spins, along i, is known from how the part along i
// changes with s, which is small and hardly rounded:
//     d_i F_s = d_s F_i + C_is
// C_is: turns about the point of force do not commute with shifts nor with each other. What d_i F_s is beyond that comes from ways along s that rounding has made; these
// are taken off all that changed, friction and the bristle included.
#include "contact/patch_rounding.h"

#include <math.h>

enum { STIFF = 3, SLOW = 3 };
static const int stiff[STIFF] = {2, 3, 4}, slow[SLOW] = {0, 1, 5}; // of the six directions
static const double SOFT = 1e-4; // of the largest stiffness: moves nothing

static double unit_of(const RbElasticVariation *e, int direction) {
    return direction < 3 ? 1 : e->lever;
}

static double part_of(const RbPatchVariation *v, int direction, Wrench w) {
    return direction < 3 ? v3_dot(v->axes[direction], w.f) : v3_dot(v->axes[direction - 3], w.t);
}

// C_is. A force f at p, say, has the torque p x f: a shift of p by i changes that about s by s.(i x f), a turn about s does not change f.
static double commutator(const RbPatchVariation *v, int i, int s, Wrench now) {
    if (s < 3) return 0; // shifts commute, and n does not turn about itself
    Vec3 turn = v->axes[s - 3];
    return i < 3 ? v3_dot(turn, v3_cross(v->axes[i], now.f))
                 : v3_dot(now.t, v3_cross(turn, v->axes[i - 3]));
}

// Stiffness along its principal axes.
typedef struct Principal {
    Vec3 values;
    Mat3 axes;
} Principal;

static double stiffness(const RbPatchVariation *v, const RbElasticVariation *e, int r, int s) {
    return part_of(v, r, e->by[s]) / (unit_of(e, r) * unit_of(e, s));
}

static Principal principal_of(const RbPatchVariation *v, const RbElasticVariation *e) {
    double m[STIFF][STIFF];
    Principal out;
    for (int r = 0; r < STIFF; r++)
        for (int s = 0; s < STIFF; s++)
            m[r][s] =
                0.5 * (stiffness(v, e, stiff[r], stiff[s]) + stiffness(v, e, stiff[s], stiff[r]));
    m3_eigen((Mat3){v3_load(m[0]), v3_load(m[1]), v3_load(m[2])}, &out.values, &out.axes);
    return out;
}

// The way that makes the force f, along axes that are stiff.
static Vec3 way_of(const Principal *p, Vec3 f) {
    Vec3 way = V3_ZERO;
    double most = fmax(fabs(p->values.x), fabs(p->values.z));
    for (int k = 0; k < 3; k++) {
        double value = v3_get(p->values, k);
        Vec3 axis = m3_column(p->axes, k);
        if (fabs(value) > SOFT * most) way = v3_axpy(way, v3_dot(axis, f) / value, axis);
    }
    return way;
}

// The way along stiff directions that a unit of i has led.
static Vec3 way_of_rounding(const RbPatchVariation *v, const RbElasticVariation *e,
                            const Principal *p, int i) {
    double f[STIFF];
    for (int r = 0; r < STIFF; r++) {
        int s = stiff[r];
        double known = part_of(v, i, e->by[s]) + commutator(v, i, s, e->now);
        f[r] = (part_of(v, s, e->by[i]) - known) / (unit_of(e, s) * unit_of(e, i));
    }
    return way_of(p, v3_load(f));
}

static void take_back(RbPatchVariation *v, RbElasticVariation *e, int i, Vec3 way) {
    for (int r = 0; r < STIFF; r++) {
        int s = stiff[r];
        double k = -unit_of(e, i) * v3_get(way, r) / unit_of(e, s);
        v->by_place[i] = rb_response_axpy(v->by_place[i], k, &v->by_place[s]);
        e->by[i] = rb_wrench_axpy(e->by[i], k, e->by[s]);
    }
}

// What changes along stiff directions is rounded too, by millionths of itself: so much of what is taken back is wrong, and the second time millionths of that.
void rb_patch_remove_rounding(RbPatchVariation *v, RbElasticVariation *e) {
    Principal p = principal_of(v, e);
    for (int k = 0; k < SLOW; k++) {
        for (int time = 0; time < 2; time++) {
            Vec3 way = way_of_rounding(v, e, &p, slow[k]);
            if (!(v3_norm(way) < e->rounding)) break; // a face that comes into sight, say
            take_back(v, e, slow[k], way);
        }
    }
}
