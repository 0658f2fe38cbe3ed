// SPDX-License-Identifier: MIT
#include "flexible/beam.h"

#include <math.h>

enum { MAX = RB_BEAM_MAX_MODES, DEGREES = MAX + 2, GAUSS = 2 * MAX };

void rb_beam_rectangle(double width, double height, RbBeam *beam) {
    double a = fmax(width, height), b = fmin(width, height), r = b / a;
    beam->area = width * height;
    beam->I_y = width * height * height * height / 12;
    beam->I_z = height * width * width * width / 12;
    beam->torsion = a * b * b * b * (1.0 / 3 - 0.21 * r * (1 - r * r * r * r / 12));
}

// ---- polynomials on -1 .. 1

// Values and two derivatives of all Legendre polynomials.
static void legendre(double x, double P[DEGREES], double D[DEGREES], double DD[DEGREES]) {
    P[0] = 1;
    P[1] = x;
    D[0] = DD[0] = DD[1] = 0;
    D[1] = 1;
    for (int k = 2; k < DEGREES; k++) {
        P[k] = ((2 * k - 1) * x * P[k - 1] - (k - 1) * P[k - 2]) / k;
        D[k] = D[k - 2] + (2 * k - 1) * P[k - 1];
        DD[k] = DD[k - 2] + (2 * k - 1) * D[k - 1];
    }
}

// Nodes and weights, by Newton's method: exact for polynomials of degree 2 GAUSS - 1.
static void gauss(double *x, double *w) {
    for (int i = 0; i < GAUSS; i++) {
        double at = cos(3.14159265358979323846 * (i + 0.75) / (GAUSS + 0.5)), slope = 1;
        for (int pass = 0; pass < 50; pass++) {
            double p = 1, last = 0;
            for (int k = 1; k <= GAUSS; k++) {
                double next = ((2 * k - 1) * at * p - (k - 1) * last) / k;
                last = p;
                p = next;
            }
            slope = GAUSS * (at * p - last) / (at * at - 1);
            at -= p / slope;
            if (fabs(p / slope) < 1e-16) break;
        }
        x[i] = at;
        w[i] = 2 / ((1 - at * at) * slope * slope);
    }
}

// Eigenvalues and vectors (columns of V) of a symmetric matrix, ascending, by Jacobi's rotations.
static void eigen(int n, double A[MAX][MAX], double V[MAX][MAX]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) V[i][j] = i == j;
    for (int sweep = 0; sweep < 60; sweep++) {
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                if (fabs(A[p][q]) <= 1e-17 * sqrt(fabs(A[p][p] * A[q][q]))) continue;
                double t = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]), c = cos(t), s = sin(t);
                for (int k = 0; k < n; k++) {
                    double x = A[k][p], y = A[k][q], u = V[k][p], v = V[k][q];
                    A[k][p] = c * x - s * y;
                    A[k][q] = s * x + c * y;
                    V[k][p] = c * u - s * v;
                    V[k][q] = s * u + c * v;
                }
                for (int k = 0; k < n; k++) {
                    double x = A[p][k], y = A[q][k];
                    A[p][k] = c * x - s * y;
                    A[q][k] = s * x + c * y;
                }
            }
        }
    }
    for (int i = 0; i < n; i++) { // sort
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (A[j][j] < A[least][least]) least = j;
        double d = A[i][i];
        A[i][i] = A[least][least];
        A[least][least] = d;
        for (int k = 0; k < n; k++) {
            double v = V[k][i];
            V[k][i] = V[k][least];
            V[k][least] = v;
        }
    }
}

// ---- modes of one kind

typedef enum Kind { ALONG_Y, ALONG_Z, ALONG_X, ABOUT_X, KINDS } Kind;

// Mode a is sum_k c[a][k] P_k(xi) with xi from -1 to 1: orthonormal with the inertia per length.
typedef struct Family {
    int n;
    double c[MAX][DEGREES], omega[MAX];
} Family;

static Family family_of(const RbBeam *b, Kind kind, const double *x, const double *w) {
    double h = 0.5 * b->length, polar = b->I_y + b->I_z;
    bool bends = kind == ALONG_Y || kind == ALONG_Z;
    int first = bends ? 2 : 1;
    Family f = {.n = bends ? b->bending : kind == ALONG_X ? b->axial : b->twisting};
    double inertia = b->density * (kind == ABOUT_X ? polar : b->area); // per length
    double stiffness = kind == ALONG_Y   ? b->youngs_modulus * b->I_z
                       : kind == ALONG_Z ? b->youngs_modulus * b->I_y
                       : kind == ALONG_X ? b->youngs_modulus * b->area
                                         : b->shear_modulus * b->torsion;
    double K[MAX][MAX] = {{0}}, V[MAX][MAX], scale[MAX];
    for (int k = 0; k < f.n; k++) scale[k] = sqrt((2 * (k + first) + 1) / (2 * inertia * h));
    for (int i = 0; i < GAUSS; i++) {
        double P[DEGREES], D[DEGREES], DD[DEGREES];
        legendre(x[i], P, D, DD);
        const double *d = bends ? DD : D;
        double factor = w[i] * stiffness * (bends ? 1 / (h * h * h) : 1 / h);
        for (int k = 0; k < f.n; k++)
            for (int l = 0; l < f.n; l++)
                K[k][l] += factor * scale[k] * scale[l] * d[k + first] * d[l + first];
    }
    eigen(f.n, K, V);
    for (int a = 0; a < f.n; a++) {
        f.omega[a] = sqrt(K[a][a]);
        for (int k = 0; k < f.n; k++) f.c[a][k + first] = V[k][a] * scale[k];
    }
    return f;
}

// Displacements, turn and slope of all modes at a place.
typedef struct Shape {
    Vec3 u[KINDS * MAX], turn[KINDS * MAX];
    double slope[KINDS * MAX]; // of bending
} Shape;

static Shape shape_at(const Family *families, double h, double xi) {
    double P[DEGREES], D[DEGREES], DD[DEGREES];
    Shape s = {0};
    int at = 0;
    legendre(xi, P, D, DD);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int a = 0; a < families[kind].n; a++, at++) {
            double value = 0, slope = 0;
            for (int k = 0; k < DEGREES; k++) {
                value += families[kind].c[a][k] * P[k];
                slope += families[kind].c[a][k] * D[k] / h;
            }
            s.u[at] = kind == ABOUT_X ? V3_ZERO : v3_scale(value, v3_axis((kind + 1) % 3));
            if (kind == ALONG_Y) s.turn[at] = v3(0, 0, slope);
            if (kind == ALONG_Z) s.turn[at] = v3(0, -slope, 0);
            if (kind == ABOUT_X) s.turn[at] = v3(value, 0, 0);
            s.slope[at] = kind == ALONG_Y || kind == ALONG_Z ? slope : 0;
        }
    }
    return s;
}

// Displacement along x per pair of modes: - integral of the slopes from the left end. Modes of different planes have none.
static void approach(const Family *families, double h, double xi, const double *x, const double *w,
                     int n, double *out) {
    int m = families[ALONG_Y].n;
    for (int i = 0; i < n * n; i++) out[i] = 0;
    for (int i = 0; i < GAUSS; i++) {
        double half = 0.5 * (xi + 1);
        Shape s = shape_at(families, h, half * (x[i] + 1) - 1);
        for (int a = 0; a < 2 * m; a++)
            for (int b = 0; b < 2 * m; b++)
                if ((a < m) == (b < m)) out[a * n + b] -= w[i] * half * h * s.slope[a] * s.slope[b];
    }
}

// ---- the body

typedef struct Making {
    const RbBeam *beam;
    Family families[KINDS];
    double x[GAUSS], w[GAUSS];
    int n;
    double *mean; // n x n: of the approach over the length
} Making;

static void add_outer(double *out, double m, Vec3 a, Vec3 b) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) out[3 * r + c] += m * v3_get(a, r) * v3_get(b, c);
}

// Sums over the length; torsion moves points of the section by (0, -z, y).
static void add_slice(const Making *k, int i, double *P0, double *P) {
    double h = 0.5 * k->beam->length, rho = k->beam->density * k->w[i] * h;
    double m = rho * k->beam->area, yy = rho * k->beam->I_z, zz = rho * k->beam->I_y;
    Shape s = shape_at(k->families, h, k->x[i]);
    Vec3 X = v3(k->x[i] * h, 0, 0);
    for (int a = 0; a < k->n; a++) {
        bool twists = s.u[a].x == 0 && s.turn[a].x != 0;
        add_outer(P0 + 9 * a, m, X, s.u[a]);
        P0[9 * a + 5] += yy * (twists ? s.turn[a].x : 0);
        P0[9 * a + 7] -= zz * (twists ? s.turn[a].x : 0);
        for (int b = 0; b < k->n; b++) {
            double *out = P + 9 * (a * k->n + b), both = s.turn[a].x * s.turn[b].x;
            add_outer(out, m, s.u[a], s.u[b]);
            out[4] += zz * both;
            out[8] += yy * both;
        }
    }
}

static RbModalFrame frame_at(const Making *k, double place, RbArena *arena) {
    int n = k->n;
    double h = 0.5 * k->beam->length, xi = 2 * place - 1;
    double *phi = rb_new_array(arena, double, 3 * n), *theta = rb_new_array(arena, double, 3 * n);
    double *H = k->beam->stiffening ? rb_new_array(arena, double, 3 * n * n) : NULL;
    Shape s = shape_at(k->families, h, xi);
    for (int a = 0; a < n; a++) {
        for (int c = 0; c < 3; c++) {
            phi[c * n + a] = v3_get(s.u[a], c);
            theta[c * n + a] = v3_get(s.turn[a], c);
        }
    }
    if (H) {
        approach(k->families, h, xi, k->x, k->w, n, H);
        for (int i = 0; i < n * n; i++) H[i] -= k->mean[i];
    }
    return (RbModalFrame){"", v3(xi * h, 0, 0), M3_IDENTITY, phi, theta, H};
}

// The mean of the approach, and w = sum m X H: along x alone.
static double *second_order(Making *k, RbArena *arena) {
    int n = k->n;
    double h = 0.5 * k->beam->length, line = k->beam->density * k->beam->area * h;
    double *w = rb_new_array(arena, double, 9 * n * n), *here = rb_new_array(arena, double, n *n);
    k->mean = rb_new_array(arena, double, n *n);
    for (int i = 0; i < GAUSS; i++) {
        approach(k->families, h, k->x[i], k->x, k->w, n, here);
        for (int p = 0; p < n * n; p++) {
            k->mean[p] += 0.5 * k->w[i] * here[p];
            w[9 * p] += k->w[i] * line * k->x[i] * h * here[p];
        }
    }
    return w;
}

RbModalBody *rb_beam_modes(const RbBeam *beam, const double *places, int place_count,
                           RbArena *arena) {
    Making *k = rb_new(arena, Making);
    *k = (Making){.beam = beam};
    gauss(k->x, k->w);
    for (int kind = 0; kind < KINDS; kind++) {
        k->families[kind] = family_of(beam, (Kind)kind, k->x, k->w);
        k->n += k->families[kind].n;
    }
    int n = k->n, at = 0;
    double *omega = rb_new_array(arena, double, n), *zeta = rb_new_array(arena, double, n);
    double *P0 = rb_new_array(arena, double, 9 * n), *P = rb_new_array(arena, double, 9 * n * n);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int a = 0; a < k->families[kind].n; a++, at++) {
            omega[at] = k->families[kind].omega[a];
            zeta[at] = beam->zeta;
        }
    }
    for (int i = 0; i < GAUSS; i++) add_slice(k, i, P0, P);
    double mass = beam->density * beam->area * beam->length;
    double *w = beam->stiffening ? second_order(k, arena) : NULL;
    RbModalFrame *frames = rb_new_array(arena, RbModalFrame, place_count);
    for (int i = 0; i < place_count; i++) frames[i] = frame_at(k, places[i], arena);
    RbModalBody *body = rb_new(arena, RbModalBody);
    *body = (RbModalBody){n, mass, M3_ZERO, omega, zeta, P0, P, w, place_count, frames};
    body->P00 = m3_diagonal(v3(mass * beam->length * beam->length / 12,
                               mass / beam->area * beam->I_z, mass / beam->area * beam->I_y));
    return body;
}
