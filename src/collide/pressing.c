// SPDX-License-Identifier: MIT
// Both bodies have a depth field φ(x), how deep a place is below their surface: w = φ_A + φ_B is their overlap there, and
// h = φ_A - φ_B tells which surface is nearer. Places are x = c + E T y, 16 rays by 4 places between the centre c and where w = 0, and the frame
// (c, E, T) is the one in which, weighed with w²,
//     Σ y = 0,  Σ h = 0,  Σ h y = 0,  Σ (y yᵀ - 1) = 0,                                                       (1)
// and E does not turn against the axes of the bodies. So the sums are functions of the pose alone, and their slopes are exact by the theorem of implicit
// functions: energy is conserved however few the places are.
#include "collide/pressing.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "collide/press_field.h"

enum { RAYS = 16, PLACES = 4, FRAME = 10, MOTION = 6, COLUMNS = FRAME + MOTION, PASSES = 40 };

typedef double complex Complex;

// Fields are in axes of shape A about the middle of the closest points.
typedef struct Field {
    const RbCore *core;
    Pose X;
} Field;

typedef struct Both {
    Field field[2];
    double depth; // [m] of the distance: a scale
    double noise; // of sums, by rounding
} Both;

typedef struct Look {
    double w, h;
    Vec3 da, db; // slopes of both fields
} Look;

static double depth_in(const Field *f, Vec3 x, Vec3 *slope) {
    Vec3 n, p = m3_tmul_vec(f->X.R, v3_sub(x, f->X.r));
    double d = rb_press_field(f->core, p, &n);
    *slope = v3_neg(m3_mul_vec(f->X.R, n));
    return f->core->radius - d;
}

// ---- the frame

typedef struct Frame {
    Vec3 c, e[2], n;
    double T[3];      // xx, xy, yy
    double apart;     // [m] of each plane from c
    double rho[RAYS]; // where rays ended last
} Frame;

static Vec3 in_plane(const Frame *f, double y0, double y1) {
    double u = f->T[0] * y0 + f->T[1] * y1, v = f->T[1] * y0 + f->T[2] * y1;
    return v3_axpy(v3_scale(u, f->e[0]), v, f->e[1]);
}

// φ_A is looked at on the one plane and φ_B on the other, next to the surfaces that press.
static Look look_at(const Both *b, const Frame *f, Vec3 x) {
    Look l;
    double A = depth_in(&b->field[0], v3_axpy(x, f->apart, f->n), &l.da);
    double B = depth_in(&b->field[1], v3_axpy(x, -f->apart, f->n), &l.db);
    l.w = A + B + 2 * f->apart, l.h = A - B;
    return l;
}

static double along(const Look *l, Vec3 d) {
    return v3_dot(l->da, d) + v3_dot(l->db, d);
}

// Cosines of multiples of pi/8, and of those between them.
static const double cosines[2][5] = {
    {1, 0.92387953251128676, 0.70710678118654752, 0.38268343236508977, 0},
    {0.98078528040323045, 0.83146961230254524, 0.55557023301960222, 0.19509032201612827, 0}};

// between: the rays half way between the others.
static void ray_way(int k, bool between, double way[2]) {
    const double *c = cosines[between];
    int quarter = k / 4, i = k % 4;
    double x = c[i], y = c[between ? 3 - i : 4 - i];
    way[0] = quarter == 0 ? x : quarter == 1 ? -y : quarter == 2 ? -x : y;
    way[1] = quarter == 0 ? y : quarter == 1 ? x : quarter == 2 ? -y : -x;
}

// Where w vanishes along c + ρ d: it is concave, so that Newton's method comes back from outside without passing the root. False: nothing ends it.
// within: of the way and of the overlap, how near is near enough; beyond an edge of a body Newton's steps are small as well.
static bool border(const Both *b, const Frame *f, Vec3 d, double deepest, double within,
                   double *rho) {
    double at = *rho;
    for (int i = 0; i < 60; i++) {
        Look l = look_at(b, f, v3_axpy(f->c, at, d));
        double rate = along(&l, d);
        if (!(rate < 0)) {
            if (!(l.w > 0)) return false;
            at *= 2;
            continue;
        }
        double next = at - l.w / rate;
        if (next > 4 * at) next = 4 * at;
        if (!(next > 0)) return false;
        bool done = fabs(next - at) <= within * at && fabs(l.w) <= 10 * within * deepest;
        at = next;
        if (done) break;
    }
    *rho = at;
    return isfinite(at);
}

// Nodes and weights of Gauss' rule in s², 0 to 1.
static const double node[PLACES] = {0.069431844202973714, 0.33000947820757187, 0.66999052179242813,
                                    0.93056815579702634};
static const double part[PLACES] = {0.17392742256872692, 0.32607257743127305, 0.32607257743127305,
                                    0.17392742256872692};
static const double ray_angle = 0.39269908169872414; // 2 pi/16

// ---- the turn about n
//
// P = Σ (axis·(e₁ + i e₂))⁸ over the axes of a body; the frame stands so that P_A P_B is real and positive.

typedef struct Turning {
    double size[3];              // of all terms of P
    Complex P[3];                // of A, of B, of the way between them
    Complex slope[3][3 + 2 * 3]; // by turns about e₁, e₂, n; by motions of B
} Turning;

static int axis_count(const RbCore *c) {
    switch (c->kind) {
        case RB_CORE_POINT:
        case RB_CORE_HALFSPACE: return 0;
        case RB_CORE_SEGMENT:
        case RB_CORE_CYLINDER:
        case RB_CORE_FRUSTUM: return 1;
        default: return 3;
    }
}

static Complex on_plane(const Frame *f, Vec3 a) {
    return v3_dot(a, f->e[0]) + I * v3_dot(a, f->e[1]);
}

static Complex power7(Complex z) {
    Complex z2 = z * z, z4 = z2 * z2;
    return z4 * z2 * z;
}

static void add_axis(const Frame *f, Vec3 axis, int of, bool turns, Turning *t) {
    Complex z = on_plane(f, axis), by = 8 * power7(z);
    t->P[of] += power7(z) * z, t->size[of] += cabs(power7(z) * z);
    double up = v3_dot(axis, f->n);
    // e turns by θ × e
    t->slope[of][0] += by * I * up;
    t->slope[of][1] -= by * up;
    t->slope[of][2] -= by * I * z;
    for (int k = 0; k < 3 && turns; k++)
        t->slope[of][6 + k] += by * on_plane(f, v3_cross(v3_axis(k), axis));
}

static Turning turning_of(const Both *b, const Frame *f) {
    Turning t = {0};
    for (int i = 0; i < 2; i++) {
        const Field *field = &b->field[i];
        int count = axis_count(field->core);
        for (int k = 0; k < count; k++)
            add_axis(f, m3_column(field->X.R, count == 1 ? 2 : k), i, i == 1, &t);
    }
    double size = b->field[0].core->size + b->field[1].core->size;
    if (!isfinite(size)) return t;
    Vec3 way = v3_scale(1 / size, v3_sub(b->field[1].X.r, b->field[0].X.r));
    Complex by = 8 * power7(on_plane(f, way));
    add_axis(f, way, 2, false, &t);
    for (int k = 0; k < 3; k++) {
        t.slope[2][3 + k] = by * on_plane(f, v3_scale(1 / size, v3_axis(k)));
        t.slope[2][6 + k] =
            by * on_plane(f, v3_scale(1 / size, v3_cross(v3_axis(k), b->field[1].X.r)));
    }
    return t;
}

// The angle [rad] from where the frame should stand, and its slopes. Where both bodies stand on one axis along n nothing tells it (rounding would), and
// nothing depends on it.
static double turn_of(const Both *b, const Frame *f, double slope[9]) {
    const double less = 1e-10, none = 1e-72, rounding = 1e-9;
    Turning t = turning_of(b, f);
    int count[2] = {axis_count(b->field[0].core), axis_count(b->field[1].core)};
    Complex log_slope[9] = {0}, Q = 1;
    for (int k = 0; k < 9; k++) slope[k] = 0;
    slope[2] = -1;
    for (int i = 0; i < 2; i++) {
        double own = count[i] == 0 ? 0 : count[i] < count[1 - i] ? 0.5 : 1, other = count[i] < 3;
        double off = count[0] < 3 && count[1] < 3 ? less : 0;
        Complex P = own * t.P[i] + other * t.P[1 - i] + off * t.P[2];
        double size = cabs(P);
        double all = own * t.size[i] + other * t.size[1 - i] + off * t.size[2];
        if (!(size > none && size > rounding * all)) return 0;
        Q *= P / size;
        for (int k = 0; k < 9; k++)
            log_slope[k] +=
                (own * t.slope[i][k] + other * t.slope[1 - i][k] + off * t.slope[2][k]) / P;
    }
    for (int k = 0; k < 9; k++)
        if (k != 2) slope[k] = cimag(log_slope[k]) / 16;
    return carg(Q) / 16;
}

// ---- sums

typedef struct Sums {
    double m1, m2, m3, area;
    double G[FRAME];
    double first[2], second[3]; // weighed with w, by y
    double m2_by[COLUMNS], m3_by[COLUMNS], G_by[FRAME][COLUMNS];
} Sums;

// How one field changes at x = c + r with the frame, the places standing still in y.
static void columns_of(const Frame *f, Vec3 g, Vec3 r, double apart, double y0, double y1,
                       double o[FRAME]) {
    Vec3 arm = v3_cross(v3_axpy(r, apart, f->n), g);
    double g0 = v3_dot(g, f->e[0]), g1 = v3_dot(g, f->e[1]);
    o[0] = g0, o[1] = g1, o[2] = v3_dot(g, f->n);
    o[3] = v3_dot(arm, f->e[0]), o[4] = v3_dot(arm, f->e[1]), o[5] = v3_dot(arm, f->n);
    o[6] = g0 * y0, o[7] = g0 * y1 + g1 * y0, o[8] = g1 * y1;
}

// How w and h change with the frame and with motions of B.
static void columns(const Frame *f, const Look *l, Vec3 r, double y0, double y1, double w[COLUMNS],
                    double h[COLUMNS]) {
    double a[FRAME], b[FRAME];
    columns_of(f, l->da, r, f->apart, y0, y1, a);
    columns_of(f, l->db, r, -f->apart, y0, y1, b);
    a[9] = v3_dot(l->da, f->n), b[9] = -v3_dot(l->db, f->n);
    for (int j = 0; j < FRAME; j++) w[j] = a[j] + b[j], h[j] = a[j] - b[j];
    w[9] += 2;
    Vec3 turn = v3_cross(v3_axpy(v3_add(f->c, r), -f->apart, f->n), l->db);
    const double by[MOTION] = {l->db.x, l->db.y, l->db.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < MOTION; k++) w[FRAME + k] = -by[k], h[FRAME + k] = by[k];
}

// What is summed up: moments alone, as the search for the frame begins; with slopes by the frame; or with all.
typedef enum Extent { MOMENTS = 0, BY_FRAME = FRAME, BY_ALL = COLUMNS } Extent;

static void add_place(const Both *b, const Frame *f, const double way[2], double rho,
                      const double rho_by[COLUMNS], int i, Extent extent, Sums *s) {
    double t = sqrt(node[i]), y0 = rho * t * way[0], y1 = rho * t * way[1];
    double weight = 0.5 * ray_angle * part[i] * rho * rho;
    Vec3 r = in_plane(f, y0, y1);
    Look l = look_at(b, f, v3_add(f->c, r));
    double w = l.w, h = l.h / b->depth, k2 = weight * w * w;
    s->area += weight, s->m1 += weight * w, s->m2 += k2, s->m3 += k2 * w;
    s->first[0] += weight * w * y0, s->first[1] += weight * w * y1;
    s->second[0] += weight * w * y0 * y0, s->second[1] += weight * w * y0 * y1,
        s->second[2] += weight * w * y1 * y1;
    const double part_of[8] = {y0, y1, h, h * y0, h * y1, y0 * y0 - 1, y0 * y1, y1 * y1 - 1};
    for (int k = 0; k < 8; k++) s->G[k] += k2 * part_of[k];
    if (extent == MOMENTS) return;
    double dw[COLUMNS], dh[COLUMNS];
    columns(f, &l, r, y0, y1, dw, dh);
    double a_out = v3_dot(l.da, r) / rho, b_out = v3_dot(l.db, r) / rho;
    double w_out = a_out + b_out, h_out = a_out - b_out;
    double s0 = t * way[0], s1 = t * way[1], by_depth = 1 / b->depth;
    for (int j = 0; j < (int)extent; j++) {
        double d = rho_by[j], more = 2 * d / rho;
        double w_by = dw[j] + w_out * d, h_by = (dh[j] + h_out * d) * by_depth;
        double a = k2 * more + 2 * weight * w * w_by, y0_by = s0 * d, y1_by = s1 * d;
        s->m2_by[j] += a;
        s->m3_by[j] += k2 * (w * more + 3 * w_by);
        double ah = a * h + k2 * h_by, kh = k2 * h;
        s->G_by[0][j] += a * y0 + k2 * y0_by;
        s->G_by[1][j] += a * y1 + k2 * y1_by;
        s->G_by[2][j] += ah;
        s->G_by[3][j] += ah * y0 + kh * y0_by;
        s->G_by[4][j] += ah * y1 + kh * y1_by;
        s->G_by[5][j] += a * part_of[5] + 2 * k2 * y0 * y0_by;
        s->G_by[6][j] += a * part_of[6] + k2 * (y0 * y1_by + y1 * y0_by);
        s->G_by[7][j] += a * part_of[7] + 2 * k2 * y1 * y1_by;
    }
}

// The planes are as far apart as what presses is deep, so that curvatures are those of the surfaces themselves: 2 d = 7/6 of the mean depth M₃/M₂ along a
// line. (4/3 under a paraboloid: a corner a tenth of its rounding deep is 0.4 % too soft.)
static const double mean_of_apart = 12.0 / 7;

static bool sum_up(const Both *b, Frame *f, Extent extent, Sums *s) {
    const double rough = 1e-3,
                 exact = 1e-8; // Newton's steps: what is left of the second is its square
    memset(s, 0, sizeof *s);
    Look middle = look_at(b, f, f->c);
    if (!(middle.w > 0)) return false;
    for (int k = 0; k < RAYS; k++) {
        double way[2], rho_by[COLUMNS];
        ray_way(k, false, way);
        Vec3 d = in_plane(f, way[0], way[1]);
        if (!border(b, f, d, middle.w, extent == MOMENTS ? rough : exact, &f->rho[k])) return false;
        double rho = f->rho[k];
        if (extent != MOMENTS) {
            Vec3 r = v3_scale(rho, d);
            Look l = look_at(b, f, v3_add(f->c, r));
            double dh[COLUMNS], by = -1 / along(&l, d);
            columns(f, &l, r, rho * way[0], rho * way[1], rho_by, dh);
            for (int j = 0; j < COLUMNS; j++) rho_by[j] *= by;
        }
        for (int i = 0; i < PLACES; i++) add_place(b, f, way, rho, rho_by, i, extent, s);
    }
    double one = 1 / s->m2;
    for (int k = 0; k < 8; k++) s->G[k] *= one;
    double turn_by[9];
    s->G[8] = turn_of(b, f, turn_by);
    s->G[9] = (s->m3 * one - mean_of_apart * f->apart) / b->depth;
    if (extent == MOMENTS) return true;
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < COLUMNS; j++) s->G_by[k][j] *= one;
    for (int j = 0; j < 3; j++) s->G_by[8][3 + j] = turn_by[j];
    for (int j = 0; j < MOTION; j++) s->G_by[8][FRAME + j] = turn_by[3 + j];
    for (int j = 0; j < COLUMNS; j++)
        s->G_by[9][j] = one * (s->m3_by[j] - s->m3 * one * s->m2_by[j]) / b->depth;
    s->G_by[9][9] -= mean_of_apart / b->depth;
    return true;
}

// ---- finding the frame

static void turn_frame(Frame *f, Vec3 turn) {
    double angle = v3_norm(turn);
    if (!(angle > 0)) return;
    Mat3 R = m3_rotation(v3_scale(1 / angle, turn), angle);
    f->n = v3_unit(m3_mul_vec(R, f->n));
    Vec3 e = m3_mul_vec(R, f->e[0]);
    f->e[0] = v3_unit(v3_axpy(e, -v3_dot(e, f->n), f->n));
    f->e[1] = v3_cross(f->n, f->e[0]);
}

// The symmetric root of S, a symmetric 2 by 2 matrix.
static void root_of(const double S[3], double T[3]) {
    double det = sqrt(fmax(0, S[0] * S[2] - S[1] * S[1])), trace = sqrt(S[0] + S[2] + 2 * det);
    T[0] = (S[0] + det) / trace, T[1] = S[1] / trace, T[2] = (S[2] + det) / trace;
}

// Turns the frame to where it should stand, the patch standing still.
static void set_turn(const Both *b, Frame *f) {
    double slope[9], angle = turn_of(b, f, slope), c = cos(angle), s = sin(angle);
    Vec3 e0 = f->e[0], e1 = f->e[1];
    f->e[0] = v3_axpy(v3_scale(c, e0), s, e1), f->e[1] = v3_axpy(v3_scale(c, e1), -s, e0);
    double xx = f->T[0], xy = f->T[1], yy = f->T[2];
    f->T[0] = c * c * xx + 2 * c * s * xy + s * s * yy;
    f->T[1] = c * s * (yy - xx) + (c * c - s * s) * xy;
    f->T[2] = s * s * xx - 2 * c * s * xy + c * c * yy;
}

// One step by the moments themselves, or a part of it: it needs no slopes and leads from anywhere to where Newton's method takes over.
static void step_by_moments(const Both *b, Frame *f, const Sums *s, double part_taken) {
    double m0 = s->G[0], m1 = s->G[1];
    double C[3] = {1 + s->G[5] - m0 * m0, s->G[6] - m0 * m1, 1 + s->G[7] - m1 * m1};
    double level = b->depth * s->G[2];
    double p0 = b->depth * s->G[3] - level * m0, p1 = b->depth * s->G[4] - level * m1;
    double det = C[0] * C[2] - C[1] * C[1];
    double b0 = (C[2] * p0 - C[1] * p1) / det, b1 = (C[0] * p1 - C[1] * p0) / det; // h by y
    double dT = f->T[0] * f->T[2] - f->T[1] * f->T[1];
    double g0 = (f->T[2] * b0 - f->T[1] * b1) / dT, g1 = (f->T[0] * b1 - f->T[1] * b0) / dT;
    double half = 0.5 * part_taken, was[3] = {f->T[0], f->T[1], f->T[2]};
    Vec3 shift = v3_axpy(in_plane(f, m0, m1), 0.5 * level, f->n);
    f->c = v3_axpy(f->c, part_taken, shift);
    f->apart += part_taken * (s->m3 / s->m2 / mean_of_apart - f->apart);
    const double *T = f->T;
    double TC[4] = {T[0] * C[0] + T[1] * C[1], T[0] * C[1] + T[1] * C[2], T[1] * C[0] + T[2] * C[1],
                    T[1] * C[1] + T[2] * C[2]};
    double S[3] = {TC[0] * T[0] + TC[1] * T[1], TC[0] * T[1] + TC[1] * T[2],
                   TC[2] * T[1] + TC[3] * T[2]};
    root_of(S, f->T);
    for (int i = 0; i < 3; i++) f->T[i] = was[i] + part_taken * (f->T[i] - was[i]);
    // the surface of equal depth is z = g·p/2
    turn_frame(f, v3_axpy(v3_scale(half * g1, f->e[0]), -half * g0, f->e[1]));
    set_turn(b, f);
}

// A x = r, both overwritten. False: singular.
static bool solve(double A[FRAME][FRAME], double r[FRAME]) {
    for (int k = 0; k < FRAME; k++) {
        int p = k;
        for (int i = k + 1; i < FRAME; i++)
            if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
        if (!(fabs(A[p][k]) > 0)) return false;
        for (int j = 0; j < FRAME; j++) {
            double t = A[k][j];
            A[k][j] = A[p][j], A[p][j] = t;
        }
        double t = r[k];
        r[k] = r[p], r[p] = t;
        for (int i = k + 1; i < FRAME; i++) {
            double m = A[i][k] / A[k][k];
            for (int j = k; j < FRAME; j++) A[i][j] -= m * A[k][j];
            r[i] -= m * r[k];
        }
    }
    for (int k = FRAME - 1; k >= 0; k--) {
        for (int j = k + 1; j < FRAME; j++) r[k] -= A[k][j] * r[j];
        r[k] /= A[k][k];
    }
    return true;
}

// Units of the frame's columns, in which all are alike. [m], [rad]
static void units_of(const Both *b, const Frame *f, double unit[FRAME]) {
    double g = sqrt(f->T[0] * f->T[2] - f->T[1] * f->T[1]), a = 0.5 * (f->T[0] + f->T[2]);
    unit[0] = unit[1] = g, unit[2] = b->depth;
    unit[3] = unit[4] = b->depth / a, unit[5] = 1;
    unit[6] = unit[7] = unit[8] = g, unit[9] = b->depth;
}

static bool newton_step(const Both *b, Frame *f, const Sums *s, double part_taken) {
    double A[FRAME][FRAME], r[FRAME], unit[FRAME], most = 0;
    units_of(b, f, unit);
    for (int i = 0; i < FRAME; i++) {
        r[i] = -s->G[i];
        for (int j = 0; j < FRAME; j++) A[i][j] = s->G_by[i][j] * unit[j];
    }
    if (!solve(A, r)) return false;
    for (int i = 0; i < FRAME; i++) most = fmax(most, fabs(r[i]));
    if (!(most < 1e6)) return false;
    if (most > 0.5) part_taken *= 0.5 / most;
    double d[FRAME];
    for (int i = 0; i < FRAME; i++) d[i] = part_taken * r[i] * unit[i];
    f->c = v3_axpy(v3_axpy(v3_axpy(f->c, d[0], f->e[0]), d[1], f->e[1]), d[2], f->n);
    for (int i = 0; i < 3; i++) f->T[i] += d[6 + i];
    f->apart += d[9];
    turn_frame(f, v3_axpy(v3_axpy(v3_scale(d[3], f->e[0]), d[4], f->e[1]), d[5], f->n));
    return f->T[0] * f->T[2] > f->T[1] * f->T[1] && f->apart > 0;
}

static double missed(const Sums *s) {
    double most = 0;
    for (int i = 0; i < FRAME; i++) most = fmax(most, fabs(s->G[i]));
    return most;
}

typedef struct Found {
    Frame frame;
    Sums sums;
    Extent extent;
} Found;

// From one to the next, or a part of the way. False: no way.
static bool step_from(const Both *b, const Found *from, double part_taken, Frame *f) {
    *f = from->frame;
    if (from->extent != MOMENTS) return newton_step(b, f, &from->sums, part_taken);
    step_by_moments(b, f, &from->sums, part_taken);
    return true;
}

static bool find_frame(const Both *b, Frame *f, Sums *s) {
    const double near = 0.3, nearer = 1e-3, enough = 1e-8, least = 1e-4, shortest = 0.01;
    const int whole =
        4; // steps; then halves, since between two slender shapes whole ones may go round and round
    if (!sum_up(b, f, MOMENTS, s)) return false;
    Found last = {*f, *s, MOMENTS};
    Extent extent = missed(s) < near ? BY_FRAME : MOMENTS;
    double part_taken = 1;
    for (int i = 0; i < PASSES; i++) {
        if (!step_from(b, &last, part_taken, f)) return false;
        if (sum_up(b, f, extent, s)) {
            double off = missed(s);
            if (extent != MOMENTS && off < fmax(enough, b->noise))
                return extent == BY_ALL || sum_up(b, f, BY_ALL, s);
            if (last.extent != MOMENTS && off > missed(&last.sums) && part_taken > shortest) {
                part_taken *= 0.5; // slopes have changed on the way: a place has passed an edge
                continue;
            }
            last = (Found){*f, *s, extent};
            if (extent != MOMENTS || off < near) extent = off < nearer ? BY_ALL : BY_FRAME;
            part_taken = last.extent == MOMENTS && i >= whole ? 0.5 : 1;
        } else { // the centre was outside: not so far
            part_taken *= 0.25, extent = last.extent;
            if (part_taken < least) return false;
        }
    }
    return false;
}

// ---- the law
//
//     U/E* = (256/135) (M₃/M₂)² R,   R = AGM(a, g) (1 + 0.09 (1 - g²/a²)),   a = tr T/2,  g = √det T           (2)

// The common mean of a ≥ g > 0, and its slopes.
static double mean_of(double a, double g, double *by_a, double *by_g) {
    double a_a = 1, a_g = 0, g_a = 0, g_g = 1;
    for (int i = 0; i < 40 && fabs(a - g) > 1e-16 * a; i++) {
        double root = sqrt(a * g);
        double r_a = 0.5 * (g * a_a + a * g_a) / root, r_g = 0.5 * (g * a_g + a * g_g) / root;
        a_a = 0.5 * (a_a + g_a), a_g = 0.5 * (a_g + g_g), g_a = r_a, g_g = r_g;
        a = 0.5 * (a + g), g = root;
    }
    *by_a = a_a, *by_g = a_g;
    return a;
}

static double width_of(const double T[3], double by_T[3]) {
    const double more = 0.09;
    double a = 0.5 * (T[0] + T[2]), g = sqrt(T[0] * T[2] - T[1] * T[1]), by_a, by_g;
    double mean = mean_of(a, g, &by_a, &by_g), q = g / a, up = 1 + more * (1 - q * q);
    double R_a = by_a * up + mean * more * 2 * q * q / a, R_g = by_g * up - mean * more * 2 * q / a;
    by_T[0] = 0.5 * R_a + R_g * T[2] / (2 * g);
    by_T[1] = -R_g * T[1] / g;
    by_T[2] = 0.5 * R_a + R_g * T[0] / (2 * g);
    return mean * up;
}

// What is a function of the sums and of the frame, with its slopes over itself by the columns: the same by motions of B, as the frame moves so
// that (1) stays.
static bool follow_frame(const Both *b, const Frame *f, const Sums *s, const double by[COLUMNS],
                         double *value, double slope[MOTION]) {
    double unit[FRAME], A[FRAME][FRAME], lambda[FRAME], sum = 1;
    units_of(b, f, unit);
    for (int j = 0; j < FRAME; j++) {
        lambda[j] = -by[j] * unit[j];
        for (int i = 0; i < FRAME; i++) A[j][i] = s->G_by[i][j] * unit[j];
    }
    if (!solve(A, lambda)) return false;
    for (int i = 0; i < FRAME; i++) sum += lambda[i] * s->G[i];
    for (int k = 0; k < MOTION; k++) {
        slope[k] = by[FRAME + k];
        for (int i = 0; i < FRAME; i++) slope[k] += lambda[i] * s->G_by[i][FRAME + k];
        slope[k] *= *value;
    }
    *value *= sum;
    return true;
}

static bool press_with(const Both *b, const Frame *f, const Sums *s, double *energy,
                       double slope[MOTION]) {
    double by_T[3], R = width_of(f->T, by_T), by[COLUMNS], ratio = s->m3 / s->m2;
    for (int j = 0; j < COLUMNS; j++) by[j] = 2 * (s->m3_by[j] / s->m3 - s->m2_by[j] / s->m2);
    for (int j = 0; j < 3; j++) by[6 + j] += by_T[j] / R;
    *energy = 256.0 / 135 * ratio * ratio * R;
    return follow_frame(b, f, s, by, energy, slope);
}

// Moments by w, for friction and damping.
typedef struct Moments {
    double area, m1, m2, first[2], second[3];
} Moments;

static void add_moments(const Sums *s, double share, Moments *m) {
    m->area += share * s->area, m->m1 += share * s->m1, m->m2 += share * s->m2;
    for (int i = 0; i < 2; i++) m->first[i] += share * s->first[i];
    for (int i = 0; i < 3; i++) m->second[i] += share * s->second[i];
}

// What is long is a strip, of which these rays see the mean distance to half of a percent: so those between them count too.
static Moments moments_of(const Both *b, const Frame *f, const Sums *s) {
    const double round = 0.9, strip = 0.7; // of both means of the axes
    Moments m = {0};
    double a = 0.5 * (f->T[0] + f->T[2]), g = sqrt(f->T[0] * f->T[2] - f->T[1] * f->T[1]);
    double x = fmin(1, fmax(0, (round - g / a) / (round - strip))),
           share = 0.5 * x * x * (3 - 2 * x);
    Sums between = {0};
    for (int k = 0; k < RAYS && share > 0; k++) {
        double way[2], rho = f->rho[k];
        ray_way(k, true, way);
        if (!border(b, f, in_plane(f, way[0], way[1]), b->depth, 1e-8, &rho)) {
            share = 0;
            break;
        }
        for (int i = 0; i < PLACES; i++) add_place(b, f, way, rho, NULL, i, MOMENTS, &between);
    }
    add_moments(s, 1 - share, &m);
    if (share > 0) add_moments(&between, share, &m);
    return m;
}

static void take_moments(const Both *b, const Frame *f, const Sums *sums, Vec3 origin,
                         RbPatch *out) {
    Moments m = moments_of(b, f, sums);
    double det = f->T[0] * f->T[2] - f->T[1] * f->T[1], one = 1 / m.m1;
    const double *T = f->T;
    double y0 = m.first[0] * one, y1 = m.first[1] * one;
    double C[3] = {m.second[0] * one, m.second[1] * one, m.second[2] * one};
    double TC[4] = {T[0] * C[0] + T[1] * C[1], T[0] * C[1] + T[1] * C[2], T[1] * C[0] + T[2] * C[1],
                    T[1] * C[1] + T[2] * C[2]};
    out->origin = v3_add(origin, f->c);
    out->u = f->e[0], out->v = f->e[1], out->n = f->n;
    out->area = det * m.area, out->volume = det * m.m1, out->square = det * m.m2;
    out->x = T[0] * y0 + T[1] * y1, out->y = T[1] * y0 + T[2] * y1;
    out->xx = TC[0] * T[0] + TC[1] * T[1], out->xy = TC[0] * T[1] + TC[1] * T[2];
    out->yy = TC[2] * T[1] + TC[3] * T[2];
}

// From slopes about the middle of the closest points.
static Wrench about_centre(const Frame *f, const double slope[MOTION]) {
    Wrench w = {.t = v3_load(slope + 3), .f = v3_load(slope)};
    return (Wrench){v3_sub(w.t, v3_cross(f->c, w.f)), w.f};
}

// ---- where the search begins

// How w falls around the centre, by second differences: along e₀ and e₁, and mixed.
static void bends_of(const Both *b, const Frame *f, double h, double out[3]) {
    double w[8], middle = look_at(b, f, f->c).w;
    for (int k = 0; k < 8; k++) {
        double way[2];
        ray_way(2 * k, false, way);
        Vec3 d = v3_axpy(v3_scale(h * way[0], f->e[0]), h * way[1], f->e[1]);
        w[k] = middle - look_at(b, f, v3_add(f->c, d)).w;
    }
    out[0] = w[0] + w[4], out[1] = 0.5 * (w[1] + w[5] - w[3] - w[7]), out[2] = w[2] + w[6];
}

// The ways along which w falls least and most, and how far it is to its border along them: of what is elliptic or a strip that is the frame, nearly.
static void start_frame(const Both *b, double least, Frame *f) {
    const double share = 0.4; // of half the width: the root of a mean square
    double bend[3], reach[2], h = 2 * least;
    bends_of(b, f, h, bend);
    double angle = 0.5 * atan2(2 * bend[1], bend[0] - bend[2]), c = cos(angle), s = sin(angle);
    Vec3 way[2] = {v3_axpy(v3_scale(c, f->e[0]), s, f->e[1]),
                   v3_axpy(v3_scale(c, f->e[1]), -s, f->e[0])};
    Vec3 centre = f->c;
    f->T[0] = f->T[2] = least, f->T[1] = 0;
    for (int i = 0; i < 2; i++) {
        double rho[2] = {h, h};
        for (int k = 0; k < 2; k++)
            if (!border(b, f, v3_scale(k ? -1 : 1, way[i]), b->depth, 0.03, &rho[k])) return;
        reach[i] = 0.5 * share * (rho[0] + rho[1]);
        centre = v3_axpy(centre, 0.5 * (rho[0] - rho[1]), way[i]);
    }
    f->T[0] = c * c * reach[0] + s * s * reach[1], f->T[1] = c * s * (reach[0] - reach[1]);
    f->T[2] = s * s * reach[0] + c * c * reach[1];
    Vec3 was = f->c;
    f->c = centre;
    if (!(look_at(b, f, centre).w > 0)) f->c = was;
}

bool rb_pressing_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap,
                       RbPatch *out) {
    double depth = -gap->distance;
    if (!(depth > 0)) return false;
    Vec3 origin = v3_lerp(gap->point_a, gap->point_b, 0.5);
    Both both = {.field = {{a, a->frame}, {b, pose_mul(X_AB, b->frame)}}, .depth = depth};
    for (int i = 0; i < 2; i++) both.field[i].X.r = v3_sub(both.field[i].X.r, origin);
    double size = fmin(a->size, b->size);
    both.noise = 1e-15 * size / depth;
    Frame f = {.n = gap->normal, .apart = 0.5 * depth};
    f.e[0] = v3_unit(v3_perpendicular(f.n)), f.e[1] = v3_cross(f.n, f.e[0]);
    start_frame(&both, 0.3 * sqrt(depth * fmin(size, depth + a->radius + b->radius)), &f);
    for (int k = 0; k < RAYS; k++) f.rho[k] = 2;
    set_turn(&both, &f);
    Sums s;
    double slope[MOTION];
    if (!find_frame(&both, &f, &s)) return false;
    if (!press_with(&both, &f, &s, &out->energy, slope)) return false;
    take_moments(&both, &f, &s, origin, out);
    out->energy_slope = about_centre(&f, slope);
    return true;
}
