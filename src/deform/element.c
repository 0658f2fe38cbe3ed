// SPDX-License-Identifier: MIT
#include "deform/element.h"

#include "geom/tet_mesh.h"

// ---- the laws

RbHooke rb_hooke(RbSoftModel model, double e, double nu) {
    return (RbHooke){
        .model = model, .lame = e * nu / ((1 + nu) * (1 - 2 * nu)), .shear = e / (2 * (1 + nu))};
}

static double inner(Mat3 a, Mat3 b) {
    return v3_dot(a.x, b.x) + v3_dot(a.y, b.y) + v3_dot(a.z, b.z);
}

static Mat3 symmetric(Mat3 a) {
    return m3_scale(0.5, m3_add(a, m3_transpose(a)));
}

static Mat3 hooke(double shear, double lame, Mat3 strain) {
    Mat3 stress = m3_scale(2 * shear, strain);
    double pressure = lame * m3_trace(strain);
    stress.x.x += pressure, stress.y.y += pressure, stress.z.z += pressure;
    return stress;
}

static Mat3 cofactors(Mat3 m) {
    return (Mat3){v3_cross(m.y, m.z), v3_cross(m.z, m.x), v3_cross(m.x, m.y)};
}

static Mat3 cofactors_slope(Mat3 m, Mat3 d) {
    return (Mat3){v3_add(v3_cross(d.y, m.z), v3_cross(m.y, d.z)),
                  v3_add(v3_cross(d.z, m.x), v3_cross(m.z, d.x)),
                  v3_add(v3_cross(d.x, m.y), v3_cross(m.x, d.y))};
}

// Cells that are flat or inside out: F = U s Vᵀ with the smallest s counted negative, so that U Vᵀ is a rotation.
static Mat3 rotation_by_axes(Mat3 F) {
    Vec3 values;
    Mat3 V;
    m3_eigen(m3_mul(m3_transpose(F), F), &values, &V);
    Vec3 z = m3_mul_vec(F, m3_column(V, 2)), y = m3_mul_vec(F, m3_column(V, 1));
    Vec3 u2 = v3_unit_or(z, v3(0, 0, 1));
    Vec3 u1 = v3_unit_or(v3_axpy(y, -v3_dot(y, u2), u2), v3_perpendicular(u2));
    Mat3 U = m3_from_columns(v3_cross(u1, u2), u1, u2);
    return m3_mul(U, m3_transpose(V));
}

// The rotation nearest to F, by Newton's iteration R <- (R + R^-T)/2.
static Mat3 rotation_of(Mat3 F) {
    enum { ITERATIONS = 40 };
    double size = sqrt(inner(F, F) / 3);
    if (!(m3_det(F) > 1e-3 * size * size * size)) return rotation_by_axes(F);
    Mat3 R = F;
    for (int i = 0; i < ITERATIONS; i++) {
        Mat3 next = m3_scale(0.5, m3_add(R, m3_transpose(m3_inverse(R)))), d = m3_sub(next, R);
        R = next;
        if (inner(d, d) < 1e-31) break;
    }
    return R;
}

typedef struct NeoHookean {
    double shear, lame, rest; // m, l, a
} NeoHookean;

static NeoHookean neo_hookean(const RbHooke *law) {
    double shear = 4.0 / 3 * law->shear, lame = law->lame + 5.0 / 6 * law->shear;
    return (NeoHookean){shear, lame, 1 + 0.75 * shear / lame};
}

static Mat3 neo_hookean_stress(const RbHooke *law, Mat3 F, double *energy) {
    NeoHookean n = neo_hookean(law);
    double I = inner(F, F), J = m3_det(F), d = 1 - n.rest;
    *energy = 0.5 * n.shear * (I - 3) + 0.5 * n.lame * ((J - n.rest) * (J - n.rest) - d * d) -
              0.5 * n.shear * log((I + 1) / 4);
    return m3_add(m3_scale(n.shear * (1 - 1 / (I + 1)), F),
                  m3_scale(n.lame * (J - n.rest), cofactors(F)));
}

Mat3 rb_hooke_stress(const RbHooke *law, Mat3 F, double *energy) {
    if (law->model == RB_SOFT_NEO_HOOKEAN) return neo_hookean_stress(law, F, energy);
    Mat3 R = rotation_of(F), strain = symmetric(m3_sub(m3_mul(m3_transpose(R), F), M3_IDENTITY));
    double trace = m3_trace(strain);
    *energy = law->shear * inner(strain, strain) + 0.5 * law->lame * trace * trace;
    return m3_mul(R, hooke(law->shear, law->lame, strain));
}

// With F = R S and RᵀdR = [w]: (tr S - S) w is the axis of RᵀdF - dFᵀR.
static Mat3 corotated_slope(const RbHooke *law, Mat3 F, Mat3 dF) {
    Mat3 R = rotation_of(F), Rt = m3_transpose(R), S = symmetric(m3_mul(Rt, F));
    Mat3 turn = m3_mul(Rt, dF), skew = m3_sub(turn, m3_transpose(turn));
    Mat3 B = m3_sub(m3_scale(m3_trace(S), M3_IDENTITY), S);
    Vec3 w = m3_mul_vec(m3_inverse(B), v3(skew.z.y, skew.x.z, skew.y.x));
    if (!v3_finite(w)) w = V3_ZERO;
    Mat3 W = m3_skew(w), A = hooke(law->shear, law->lame, m3_sub(S, M3_IDENTITY));
    Mat3 dS = m3_sub(turn, m3_mul(W, S));
    return m3_mul(R, m3_add(m3_mul(W, A), hooke(law->shear, law->lame, dS)));
}

Mat3 rb_hooke_slope(const RbHooke *law, Mat3 F, Mat3 dF) {
    if (law->model != RB_SOFT_NEO_HOOKEAN) return corotated_slope(law, F, dF);
    NeoHookean n = neo_hookean(law);
    double I = inner(F, F), J = m3_det(F);
    Mat3 cof = cofactors(F);
    Mat3 sum = m3_scale(n.shear * (1 - 1 / (I + 1)), dF);
    sum = m3_add(sum, m3_scale(n.shear * 2 * inner(F, dF) / ((I + 1) * (I + 1)), F));
    sum = m3_add(sum, m3_scale(n.lame * inner(cof, dF), cof));
    return m3_add(sum, m3_scale(n.lame * (J - n.rest), cofactors_slope(F, dF)));
}

Mat3 rb_hooke_viscous(const RbHooke *law, Mat3 F, Mat3 rate) {
    Mat3 E = symmetric(m3_mul(m3_transpose(F), rate));
    return m3_scale(law->delay, m3_mul(F, hooke(law->shear, law->lame, E)));
}

// ---- shape

bool rb_element_points(const Vec3 *rest, int nodes, RbElementPoint *out) {
    const double near = (5 + 3 * sqrt(5)) / 20, far = (5 - sqrt(5)) / 20;
    int points = nodes == 4 ? 1 : 4;
    for (int p = 0; p < points; p++) {
        double L[4];
        for (int i = 0; i < 4; i++) L[i] = points == 1 ? 0.25 : i == p ? near : far;
        Vec3 natural[RB_ELEMENT_NODES];
        Mat3 J = M3_ZERO; // of the place by the coordinates
        rb_tet_slopes(nodes, L, natural);
        for (int i = 0; i < nodes; i++) J = m3_add(J, m3_outer(rest[i], natural[i]));
        double det = m3_det(J);
        if (!(det > 0)) return false;
        out[p].volume = det / 6 / points;
        Mat3 back = m3_transpose(m3_inverse(J));
        for (int i = 0; i < nodes; i++) out[p].slope[i] = m3_mul_vec(back, natural[i]);
    }
    return true;
}

// ---- elements

static Mat3 gradient(const RbSoftElement *e, const RbElementPoint *p, const Vec3 *x) {
    Mat3 F = M3_ZERO;
    for (int i = 0; i < e->nodes; i++) F = m3_add(F, m3_outer(x[e->node[i]], p->slope[i]));
    return F;
}

// Of differences to the first node, so that a body far from the origin loses no digits.
static Mat3 deformation(const RbSoftElement *e, const RbElementPoint *p, const Vec3 *r) {
    Mat3 F = M3_ZERO;
    Vec3 first = r[e->node[0]];
    for (int i = 1; i < e->nodes; i++)
        F = m3_add(F, m3_outer(v3_sub(r[e->node[i]], first), p->slope[i]));
    return F;
}

double rb_element_forces(const RbSoftElement *e, const Vec3 *r, const Vec3 *v, Vec3 *f) {
    double lost = 0, energy;
    for (int k = 0; k < e->points; k++) {
        const RbElementPoint *p = &e->point[k];
        Mat3 F = deformation(e, p, r), P = rb_hooke_stress(&e->law, F, &energy);
        if (e->law.delay > 0) {
            Mat3 rate = deformation(e, p, v), viscous = rb_hooke_viscous(&e->law, F, rate);
            lost += p->volume * inner(viscous, rate);
            P = m3_add(P, viscous);
        }
        for (int i = 0; i < e->nodes; i++)
            f[e->node[i]] = v3_sub(f[e->node[i]], m3_mul_vec(P, v3_scale(p->volume, p->slope[i])));
    }
    return lost;
}

static double von_mises(Mat3 P, Mat3 F) {
    double J = m3_det(F);
    if (!(J > 0)) return 0;
    Mat3 s = m3_scale(1 / J, m3_mul(P, m3_transpose(F)));
    double pressure = m3_trace(s) / 3;
    s.x.x -= pressure, s.y.y -= pressure, s.z.z -= pressure;
    return sqrt(1.5 * inner(s, s));
}

RbElementLook rb_element_look(const RbSoftElement *e, const Vec3 *r) {
    RbElementLook look = {0};
    for (int k = 0; k < e->points; k++) {
        double energy;
        Vec3 squares;
        Mat3 F = deformation(e, &e->point[k], r), P = rb_hooke_stress(&e->law, F, &energy), axes;
        m3_eigen(m3_mul(m3_transpose(F), F), &squares, &axes);
        double low = sqrt(fmax(0, squares.x)) - 1, high = sqrt(fmax(0, squares.z)) - 1;
        double strain = -low > high ? low : high;
        look.energy += e->point[k].volume * energy;
        look.stress = fmax(look.stress, von_mises(P, F));
        if (fabs(strain) > fabs(look.strain)) look.strain = strain;
    }
    return look;
}

void rb_element_slopes(const RbSoftElement *e, const Vec3 *r, int i, int j, Mat3 *by_r,
                       Mat3 *by_v) {
    Mat3 columns = M3_ZERO, viscous = M3_ZERO; // row c: derivative by component c
    for (int k = 0; k < e->points; k++) {
        const RbElementPoint *p = &e->point[k];
        Mat3 F = deformation(e, p, r);
        Vec3 *by[2] = {&columns.x, &viscous.x};
        for (int c = 0; c < 3; c++) {
            Mat3 dF = m3_outer(v3_axis(c), p->slope[j]);
            Mat3 dP[2] = {rb_hooke_slope(&e->law, F, dF), rb_hooke_viscous(&e->law, F, dF)};
            for (int n = 0; n < 2; n++)
                by[n][c] = v3_axpy(by[n][c], -p->volume, m3_mul_vec(dP[n], p->slope[i]));
        }
    }
    *by_r = m3_transpose(columns);
    *by_v = m3_transpose(viscous);
}

void rb_element_apply(const RbSoftElement *e, double s, const Vec3 *x, Vec3 *y) {
    double more = 1 + s * e->law.delay;
    for (int k = 0; k < e->points; k++) {
        const RbElementPoint *p = &e->point[k];
        Mat3 P = hooke(e->law.shear, e->law.lame, symmetric(gradient(e, p, x)));
        for (int i = 0; i < e->nodes; i++)
            y[e->node[i]] = v3_axpy(y[e->node[i]], more * p->volume, m3_mul_vec(P, p->slope[i]));
    }
}
