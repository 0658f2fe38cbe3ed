// SPDX-License-Identifier: MIT
#include "flexible/part_reduce.h"

#include <cblas.h>
#include <complex.h>
#include <string.h>

#define lapack_complex_double double complex
#include <lapacke.h>

#include "flexible/krylov.h"
#include "flexible/second_order.h"

typedef struct Work {
    RbStatics s;
    int n;          // modes
    double *V;      // size x n: the basis, then the modes
    double *K, *M;  // n x n
    double *lambda; // n
    RbArena *keep, *scratch;
} Work;

static double *doubles(RbArena *arena, size_t count) {
    return rb_new_array(arena, double, count + 1);
}

// Motions of frames that are not rigid: an orthonormal basis of what is perpendicular to D R.
static bool elastic_motions(const RbStatics *s, double *Q, RbArena scratch) {
    int b = s->bounds, room = 64 * b;
    double tau[6], *work = doubles(&scratch, (size_t)room);
    memcpy(Q, s->DR, 6 * (size_t)b * sizeof *Q);
    if (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, b, 6, Q, b, tau, work, room) != 0) return false;
    return LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, b, b, 6, Q, b, tau, work, room) == 0;
}

// The part bends as its frames move: V = ψ Z, K = Zᵀ μ Z.
static bool frame_modes(Work *w) {
    const RbStatics *s = &w->s;
    int b = s->bounds, c = b - 6;
    if (c == 0) return true;
    double *Q = doubles(w->scratch, (size_t)b * (size_t)b),
           *mu = doubles(w->scratch, (size_t)b * (size_t)c);
    if (!elastic_motions(s, Q, *w->scratch)) return false;
    const double *Z = Q + 6 * b;
    rb_statics_solve(s, w->V, c, Z, mu, *w->scratch);
    for (int i = 0; i < c; i++)
        for (int j = 0; j < c; j++)
            w->K[i + w->n * j] = 0.5 * (cblas_ddot(b, Z + b * i, 1, mu + b * j, 1) +
                                        cblas_ddot(b, Z + b * j, 1, mu + b * i, 1));
    return true;
}

static bool orthonormal_modes(Work *w) {
    int n = w->n, size = (int)w->s.size, room = 1 + 6 * n + 2 * n * n, whole = 3 + 5 * n;
    double *MV = doubles(w->scratch, w->s.size * (size_t)n),
           *work = doubles(w->scratch, (size_t)room);
    int *more = rb_new_array(w->scratch, int, whole);
    rb_statics_remove_rigid(&w->s, w->V, n, *w->scratch);
    rb_statics_mass(&w->s, w->V, n, MV);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, size, 1, w->V, size, MV, size, 0,
                w->M, n);
    if (LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, 'V', 'L', n, w->K, n, w->M, n, w->lambda, work,
                            room, more, whole) != 0)
        return false;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, n, n, 1, w->V, size, w->K, n, 0,
                MV, size);
    w->V = MV;
    return w->lambda[0] > 0;
}

// Modes with frames held, behind room for those of frames. -1: not found.
static int held_modes(Work *w, int wanted, double *lambda) {
    int c = w->s.bounds - 6, free = (int)w->s.size - w->s.bounds;
    wanted = wanted < free ? wanted : free;
    w->V = doubles(w->scratch, w->s.size * (size_t)(c + (wanted > 0 ? wanted : 0)));
    return rb_krylov_modes(&w->s, wanted, lambda, w->V + w->s.size * (size_t)c, *w->scratch);
}

// Those up to a frequency: ever more, until one is beyond.
static int modes_below(Work *w, double highest, double *lambda) {
    for (int wanted = 8;;
         wanted = 2 * wanted < RB_MOST_HELD_MODES ? 2 * wanted : RB_MOST_HELD_MODES) {
        RbArena *outer = w->scratch, *own = rb_arena_child(outer);
        w->scratch = own;
        int found = held_modes(w, wanted, lambda), below = 0;
        w->scratch = outer;
        while (below < found && lambda[below] <= highest * highest) below++;
        if (found < wanted || below < found || wanted == RB_MOST_HELD_MODES)
            return found < 0 ? -1 : below;
        rb_arena_free(own);
    }
}

static bool find_modes(Work *w, RbReduceOptions o) {
    int c = w->s.bounds - 6, most = o.highest > 0 ? RB_MOST_HELD_MODES : o.modes;
    double *lambda = doubles(w->scratch, (size_t)(most > 0 ? most : 0));
    int found = o.highest > 0 ? modes_below(w, o.highest, lambda) : held_modes(w, o.modes, lambda);
    if (found < 0) return false;
    w->n = c + found;
    w->K = doubles(w->scratch, (size_t)w->n * (size_t)w->n);
    w->M = doubles(w->scratch, (size_t)w->n * (size_t)w->n);
    w->lambda = doubles(w->scratch, (size_t)w->n);
    if (w->n == 0) return true;
    if (!frame_modes(w)) return false;
    for (int i = 0; i < found; i++) w->K[(c + i) * (w->n + 1)] = lambda[i];
    return orthonormal_modes(w);
}

// ---- integrals

// sum over nodes of u vᵀ
static Mat3 outer_sum(const double *u, const double *v, int nodes) {
    Mat3 sum = M3_ZERO;
    for (size_t i = 0; i < 3 * (size_t)nodes; i += 3)
        sum = m3_add(sum, m3_outer(v3_load(u + i), v3_load(v + i)));
    return sum;
}

static void store(double *to, Mat3 m) {
    v3_store(to, m.x), v3_store(to + 3, m.y), v3_store(to + 6, m.z);
}

static void integrate(Work *w, const double *shapes, RbModalBody *body) {
    const RbElasticPart *p = w->s.part;
    int n = w->n, nodes = p->mesh->node_count;
    size_t size = 3 * (size_t)nodes;
    double *X = doubles(w->scratch, size), *m = doubles(w->scratch, size);
    double *P0 = doubles(w->keep, 9 * (size_t)n), *P = doubles(w->keep, 9 * (size_t)n * (size_t)n);
    for (int i = 0; i < nodes; i++) v3_store(X + 3 * i, v3_sub(p->mesh->nodes[i], w->s.origin));
    rb_part_mass_times(p, X, m);
    body->P00 = outer_sum(X, m, nodes);
    for (int b = 0; b < n; b++) {
        rb_part_mass_times(p, shapes + size * (size_t)b, m);
        store(P0 + 9 * b, outer_sum(X, m, nodes));
        for (int a = 0; a < n; a++)
            store(P + 9 * (a * n + b), outer_sum(shapes + size * (size_t)a, m, nodes));
    }
    body->P0 = P0, body->P = P;
}

// Loads m X_d e_c for w, then unit forces on frames.
static double *load_cases(Work *w, int cases) {
    const RbElasticPart *p = w->s.part;
    size_t size = 3 * (size_t)p->mesh->node_count;
    double *loads = doubles(w->scratch, w->s.size * (size_t)cases);
    double *u = doubles(w->scratch, size), *m = doubles(w->scratch, size);
    for (int l = 0; l < 9; l++) {
        for (int i = 0; i < p->mesh->node_count; i++) {
            double x = v3_get(v3_sub(p->mesh->nodes[i], w->s.origin), l / 3);
            v3_store(u + 3 * i, v3_scale(x, v3_axis(l % 3)));
        }
        rb_part_mass_times(p, u, m);
        rb_part_collect(p, m, loads + w->s.size * (size_t)l);
    }
    for (int l = 9; l < cases; l++)
        memcpy(loads + w->s.size * (size_t)l,
               w->s.Dt + w->s.size * (size_t)(6 * ((l - 9) / 3) + (l - 9) % 3),
               w->s.size * sizeof *loads);
    return loads;
}

static double *stiffen(Work *w, const double *shapes, RbModalBody *body) {
    int cases = 9 + 3 * w->s.part->frame_count, n = w->n;
    size_t square = (size_t)n * (size_t)n;
    double *H = doubles(w->keep, square * (size_t)cases), *out = doubles(w->keep, 9 * square);
    rb_second_order(&w->s, load_cases(w, cases), cases, shapes, n, H, *w->scratch);
    for (size_t l = 0; l < 9; l++)
        for (size_t i = 0; i < square; i++) out[9 * i + l] = H[square * l + i];
    body->w = out;
    return H + 9 * square;
}

static void place_frames(Work *w, const double *H, RbModalBody *body) {
    const RbElasticPart *p = w->s.part;
    int n = w->n, b = w->s.bounds;
    double *moved = doubles(w->scratch, (size_t)b * (size_t)n);
    if (n > 0)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, b, n, (int)w->s.size, 1, w->s.Dt,
                    (int)w->s.size, w->V, (int)w->s.size, 0, moved, b);
    RbModalFrame *frames = rb_new_array(w->keep, RbModalFrame, p->frame_count + 1);
    for (int k = 0; k < p->frame_count; k++) {
        double *phi = doubles(w->keep, 3 * (size_t)n), *theta = doubles(w->keep, 3 * (size_t)n);
        for (int i = 0; i < 3 * n; i++) {
            phi[i] = moved[6 * k + i / n + b * (i % n)];
            theta[i] = moved[6 * k + 3 + i / n + b * (i % n)] / p->size;
        }
        frames[k] = (RbModalFrame){.name = rb_arena_text(w->keep, p->frames[k].name),
                                   .x = v3_sub(p->centre[k], w->s.origin),
                                   .R = M3_IDENTITY,
                                   .phi = phi,
                                   .theta = theta,
                                   .H = H ? H + 3 * (size_t)k * (size_t)n * (size_t)n : NULL};
    }
    body->frames = frames, body->frame_count = p->frame_count;
}

RbStatus rb_part_reduce(RbElasticPart *part, RbReduceOptions o, RbPos at, RbArena *keep,
                        RbArena scratch, RbDiag *diag, RbReducedPart *out) {
    Work w = {.keep = keep, .scratch = rb_arena_child(keep)};
    RB_TRY(rb_statics(part, at, w.scratch, scratch, diag, &w.s));
    if (!find_modes(&w, o))
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "the modes of the part were not found; its elements may be far too thin, or "
                       "fewer modes do");
    size_t size = 3 * (size_t)part->mesh->node_count;
    double *shapes = doubles(keep, size * (size_t)w.n), *omega = doubles(keep, (size_t)w.n);
    double *zeta = doubles(keep, (size_t)w.n);
    for (int a = 0; a < w.n; a++) {
        rb_part_expand(part, w.V + w.s.size * (size_t)a, shapes + size * (size_t)a);
        omega[a] = sqrt(w.lambda[a]), zeta[a] = o.zeta;
    }
    *out = (RbReducedPart){.origin = w.s.origin, .shapes = shapes};
    out->factor_bytes = rb_block_cholesky_bytes(w.s.factors);
    out->body = (RbModalBody){.n = w.n, .mass = w.s.mass, .omega = omega, .zeta = zeta};
    integrate(&w, shapes, &out->body);
    const double *H = o.second_order && w.n > 0 ? stiffen(&w, shapes, &out->body) : NULL;
    place_frames(&w, H, &out->body);
    rb_arena_free(w.scratch);
    return RB_OK;
}
