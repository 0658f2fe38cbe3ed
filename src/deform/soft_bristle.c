// SPDX-License-Identifier: MIT
// Friction of molecules (penalty.h): each that moves has one bristle, three states, for all that it touches. A pair of molecules rubs with the mean of
// both, seen from the first; one that is fixed, or a wall, has none.
#include "deform/soft_data.h"

static const double FADES = 200; // [1/s] of a bristle that touches nothing

Vec3 rb_soft_bristle(const Soft *soft, const SoftWork *w, int a, int b, Vec3 n) {
    const int *moves = soft->network.free_index;
    Vec3 z = V3_ZERO;
    if (b < 0 || moves[b] < 0)
        z = w->bristles[a].z;
    else if (moves[a] < 0)
        z = v3_neg(w->bristles[b].z);
    else
        z = v3_scale(0.5, v3_sub(w->bristles[a].z, w->bristles[b].z));
    return v3_axpy(z, -v3_dot(z, n), n);
}

static void draw_out(SoftBristle *b, Vec3 slip, double fading, double press) {
    b->drawn = v3_axpy(b->drawn, press, slip);
    b->fading += press * fading;
    b->press += press;
}

void rb_soft_draw_out(SoftWork *w, int a, int b, const RbRub *rub, Vec3 z, double press) {
    Vec3 slip = v3_axpy(rub->rate, rub->fading, z); // as far as the bristle follows it
    draw_out(&w->bristles[a], slip, rub->fading, press);
    if (b >= 0) draw_out(&w->bristles[b], v3_neg(slip), rub->fading, press);
}

// What touches with far less than its own weight fades, without a jump: the rate must not have any.
Vec3 rb_soft_bristle_rate(const Soft *soft, const SoftBristle *b, double mass, double *by_itself,
                          double *by_velocity) {
    const double light = 0.02 * 9.81; // [m/s2]
    double u = b->press / (light * mass), u2 = u * u, loose = 1 / (1 + u2 * u2 * u2);
    double fading = b->press > 0 ? b->fading / b->press : 0;
    double fades = soft->step > 0 ? fmin(FADES, 0.5 / soft->step) : FADES;
    Vec3 drawn = b->press > 0 ? v3_scale(1 / b->press, b->drawn) : V3_ZERO;
    *by_velocity = 1 - loose;
    *by_itself = -(1 - loose) * fading - loose * fades;
    return v3_axpy(v3_scale(1 - loose, drawn), *by_itself, b->z);
}

void rb_soft_start_bristles(const Soft *soft, SoftWork *w) {
    for (int i = 0; i < soft->network.count; i++)
        w->bristles[i] = (SoftBristle){.z = w->bristles[i].z};
}
