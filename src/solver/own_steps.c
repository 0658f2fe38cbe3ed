// SPDX-License-Identifier: MIT
// Systems that move by themselves (RbSmallOde.advance): steps, and looks inside them, which are steps from
// the same start that end earlier.
#include <math.h>
#include <string.h>

#include "solver/small_data.h"

static void forget_looks(RbSmall *s) {
    s->t_look = s->t_look_before = NAN;
}

static int advance(RbSmall *s, double limit, bool exactly, bool look, double *t1, double *x1,
                   double *sums) {
    memset(sums, 0, RB_SMALL_RATES * sizeof *sums);
    int answer = s->ode.advance(s->ode.user, s->t0, s->x0, limit, exactly, look, t1, x1, sums);
    for (int i = 0; answer == 0 && i < s->ode.n; i++) {
        if (!isfinite(x1[i])) answer = 1;
    }
    return answer;
}

RbStatus rb_own_step(RbSmall *s, double t_limit, RbDiag *diag) {
    double *keep = s->x0;
    s->x0 = s->x1;
    s->x1 = keep;
    s->t0 = s->t1;
    forget_looks(s);
    int answer = advance(s, fmin(t_limit, s->t0 + s->max_step), false, false, &s->t1, s->x1, s->sums);
    s->t1_accepted = s->t1;
    s->stats.steps++;
    if (answer == 0) return RB_OK;
    double h = s->t1 - s->t0;
    memcpy(s->x1, s->x0, (size_t)s->ode.n * sizeof(double));
    s->t1 = s->t1_accepted = s->t0;
    return rb_small_failed(s, answer, h, diag);
}

RbStatus rb_own_retake(RbSmall *s, double t_end, RbDiag *diag) {
    if (t_end == s->t1) return RB_OK;
    forget_looks(s);
    int answer = advance(s, t_end, true, false, &s->t1, s->x1, s->sums);
    s->stats.retakes++;
    return answer == 0 ? RB_OK : rb_small_failed(s, answer, t_end - s->t0, diag);
}

// ---- looks

static int look(RbSmall *s, double t) {
    if (t == s->t_look) return 0;
    s->t_look_before = s->t_look;
    memcpy(s->look_before, s->look, sizeof s->look);
    double end;
    int answer = advance(s, t, true, true, &end, s->y, s->look);
    s->t_look = answer == 0 ? t : NAN;
    return answer;
}

RbStatus rb_small_look(RbSmall *s, double t, const double **x, RbDiag *diag) {
    if (t == s->t1 || t == s->t0) {
        *x = t == s->t1 ? s->x1 : s->x0;
        return RB_OK;
    }
    if (!s->ode.advance) {
        rb_small_interpolate(s, t, 0, s->ode.n, s->y);
        *x = s->y;
        return RB_OK;
    }
    int answer = look(s, t);
    *x = s->y;
    return answer == 0 ? RB_OK : rb_small_failed(s, answer, t - s->t0, diag);
}

// Integrals from t0 to t.
static int sums_until(RbSmall *s, double t, const double **sums) {
    static const double none[RB_SMALL_RATES];
    *sums = t == s->t0              ? none
            : t == s->t1            ? s->sums
            : t == s->t_look_before ? s->look_before
                                    : s->look;
    return *sums == s->look ? look(s, t) : 0;
}

int rb_own_integrate(RbSmall *s, double from, double until, double *sum) {
    const double *start, *end;
    int answer = sums_until(s, from, &start);
    for (int j = 0; answer == 0 && j < s->ode.rate_count; j++) sum[j] = -start[j];
    if (answer == 0) answer = sums_until(s, until, &end);
    for (int j = 0; answer == 0 && j < s->ode.rate_count; j++) sum[j] += end[j];
    return answer;
}
