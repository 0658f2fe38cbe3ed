// SPDX-License-Identifier: MIT
// ARKODE's explicit Runge-Kutta pairs.
#include <math.h>
#include <string.h>

#include <arkode/arkode_erkstep.h>

#include "base/assert.h"
#include "solver/integrator.h"

enum {
    DOMAIN_RETRIES = 40, // steps tried when the model cannot be evaluated
};
static const double COEFFICIENT_ROUNDING = 1e-14;
static const double RETRY_FACTOR = 0.25; // 0.25^40 reaches below any step that changes the time

// ORDER RbTable
static const ARKODE_ERKTableID table_ids[] = {
    ARKODE_DORMAND_PRINCE_7_4_5, ARKODE_BOGACKI_SHAMPINE_4_2_3, ARKODE_CASH_KARP_6_4_5,
    ARKODE_VERNER_8_5_6,         ARKODE_FEHLBERG_13_7_8,
};
static const int table_orders[] = {5, 3, 5, 6, 8};

static int derivative(realtype t, N_Vector x, N_Vector dx, void *user) {
    return rb_solver_call_derivative(user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

static int roots(realtype t, N_Vector x, realtype *z, void *user) {
    return rb_solver_call_roots(user, t, N_VGetArrayPointer(x), NULL, z);
}

// ARKODE 6.4.1 takes f of the last stage for f at the end of the step whenever c = 1 there, even if
// that stage is another point (corrected in 6.6.0: "incorrectly treated as having the first same as
// last property"); Verner's pair then has order 3 instead of 6. A further stage that is the end of
// the step, with weight 0, makes the assumption true at no cost.
static ARKodeButcherTable load_table(RbTable table) {
    ARKodeButcherTable given = ARKodeButcherTable_LoadERK(table_ids[table]);
    if (!given) return NULL;
    int s = given->stages;
    bool assumed = given->c[s - 1] == 1, last_is_end = true;
    for (int j = 0; j < s; j++)
        last_is_end = last_is_end && fabs(given->A[s - 1][j] - given->b[j]) < COEFFICIENT_ROUNDING;
    if (!assumed || last_is_end) return given;

    ARKodeButcherTable longer = ARKodeButcherTable_Alloc(s + 1, SUNTRUE);
    if (longer) {
        longer->q = given->q;
        longer->p = given->p;
        for (int i = 0; i < s; i++) memcpy(longer->A[i], given->A[i], sizeof(double) * (size_t)s);
        memcpy(longer->A[s], given->b, sizeof(double) * (size_t)s);
        memcpy(longer->b, given->b, sizeof(double) * (size_t)s);
        memcpy(longer->d, given->d, sizeof(double) * (size_t)s);
        memcpy(longer->c, given->c, sizeof(double) * (size_t)s);
        longer->c[s] = 1;
    }
    ARKodeButcherTable_Free(given);
    return longer;
}

// The table is loaded once, since the library does not survive it if there is no memory.
static void set_table(RbSolver *s) {
    if (!s->table) s->table = load_table(s->options.table);
    rb_sun_require(s, s->table != NULL);
    rb_sun_require_ok(s, ERKStepSetTable(s->memory, s->table)); // keeps a copy
}

void rb_explicit_free_table(RbSolver *s) {
    if (s->table) ARKodeButcherTable_Free(s->table);
    s->table = NULL;
}

static void build(RbSolver *s) {
    const RbSolverOptions *o = &s->options;
    s->memory = ERKStepCreate(derivative, s->t, s->x, s->context);
    rb_sun_require(s, s->memory != NULL);
    rb_sun_require_ok(s, ERKStepSetErrHandlerFn(s->memory, rb_sun_keep_message, s));
    rb_sun_require_ok(s, ERKStepSetUserData(s->memory, s));
    rb_sun_require_ok(s, ERKStepWFtolerances(s->memory, rb_sun_weights));
    set_table(s);
    rb_sun_require_ok(s, ERKStepSetMaxErrTestFails(s->memory, RB_ERROR_TEST_FAILURES));
    rb_sun_require_ok(s, ERKStepSetMaxStep(s->memory, o->max_step));
    rb_sun_require_ok(s, ERKStepSetInitStep(s->memory, s->first_step));
    rb_sun_require_ok(s, ERKStepSetMaxHnilWarns(s->memory, -1)); // we watch that ourselves
    if (s->ode.root_count > 0) {
        rb_sun_require_ok(s, ERKStepRootInit(s->memory, s->ode.root_count, roots));
        rb_sun_require_ok(s, ERKStepSetNoInactiveRootWarn(s->memory));
    }
}

// ERKStepReInit keeps two notes that a new integrator does not have: which indicators were zero
// (and are not watched), and that a root was found (which costs evaluations in every later step).
static int restart(RbSolver *s) {
    ERKStepFree(&s->memory);
    build(s);
    return 0;
}

static void create(RbSolver *s) {
    (void)s;
} // the restart that follows does all

static double current_time(RbSolver *s) {
    double t = s->t;
    ERKStepGetCurrentTime(s->memory, &t);
    return t;
}

static bool domain_failure(const RbSolver *s, int flag) {
    bool of_model = flag == ARK_UNREC_RHSFUNC_ERR || flag == ARK_RHSFUNC_FAIL;
    return of_model && s->mishap.what && s->mishap.answer > 0;
}

// The library gives up at once if the model cannot be evaluated at a stage. Go back and try smaller
// steps.
static int retry(RbSolver *s, double t_stop, int flag) {
    double h = 0;
    ERKStepGetCurrentStep(s->memory, &h);
    if (!(h > 0) || h > t_stop - s->t_old) h = t_stop - s->t_old;
    for (int i = 0; i < DOMAIN_RETRIES && domain_failure(s, flag); i++) {
        h *= RETRY_FACTOR;
        double t_near = s->t_old + h;
        if (t_near == s->t_old) break;
        s->t = s->t_old;
        memcpy(N_VGetArrayPointer(s->x), N_VGetArrayPointer(s->x_old),
               sizeof(double) * (size_t)s->size);
        int ready = ERKStepReset(s->memory, s->t, s->x);
        if (ready == 0) ready = ERKStepSetStopTime(s->memory, t_near);
        if (ready != 0) return ready;
        flag = ERKStepEvolve(s->memory, t_near, s->x, &s->t, ARK_ONE_STEP);
        if (flag == RB_FLAG_STOP) flag = RB_FLAG_STEP;
    }
    return flag;
}

static int step(RbSolver *s, double t_stop) {
    s->mishap = (RbMishap){0};
    int flag = ERKStepSetStopTime(s->memory, t_stop);
    if (flag < 0) return flag;
    flag = ERKStepEvolve(s->memory, t_stop, s->x, &s->t, ARK_ONE_STEP);
    return domain_failure(s, flag) ? retry(s, t_stop, flag) : flag;
}

static int look_back(RbSolver *s, double t_stop) {
    return ERKStepEvolve(s->memory, t_stop, s->x, &s->t, ARK_NORMAL);
}

static int interpolate(RbSolver *s, double t, int order, N_Vector out) {
    return ERKStepGetDky(s->memory, t, order, out);
}

static void root_info(RbSolver *s, int *found) {
    ERKStepGetRootInfo(s->memory, found);
}

static void local_errors(RbSolver *s, N_Vector errors) {
    ERKStepGetEstLocalErrors(s->memory, errors);
}

static RbTrouble trouble(int flag) {
    switch (flag) {
        case ARK_TOO_MUCH_ACC: return RB_TROUBLE_ACCURACY;
        case ARK_ERR_FAILURE: return RB_TROUBLE_ERROR_TEST;
        case ARK_RHSFUNC_FAIL:
        case ARK_FIRST_RHSFUNC_ERR:
        case ARK_REPTD_RHSFUNC_ERR:
        case ARK_UNREC_RHSFUNC_ERR: return RB_TROUBLE_DOMAIN;
        case ARK_RTFUNC_FAIL: return RB_TROUBLE_ROOTS;
        case ARK_MEM_FAIL: return RB_TROUBLE_MEMORY;
        default: return RB_TROUBLE_OTHER;
    }
}

static void add_counters(RbSolver *s, RbSolverStats *stats) {
    long steps = 0, failures = 0, real = 0, integer = 0;
    ERKStepGetNumSteps(s->memory, &steps);
    ERKStepGetNumErrTestFails(s->memory, &failures);
    ERKStepGetLastStep(s->memory, &stats->last_step);
    ERKStepGetWorkSpace(s->memory, &real, &integer);
    stats->steps += steps;
    stats->error_test_failures += failures;
    stats->last_order = steps > 0 ? table_orders[s->options.table] : 0;
    stats->library_bytes = (size_t)(real + integer) * 8;
}

static double next_step(RbSolver *s) {
    double h = 0;
    ERKStepGetCurrentStep(s->memory, &h);
    return h;
}

static void free_memory(RbSolver *s) {
    ERKStepFree(&s->memory);
}

const RbIntegrator rb_explicit_integrator = {
    .create = create,
    .restart = restart,
    .time = current_time,
    .step = step,
    .look_back = look_back,
    .interpolate = interpolate,
    .root_info = root_info,
    .local_errors = local_errors,
    .trouble = trouble,
    .add_counters = add_counters,
    .next_step = next_step,
    .free = free_memory,
};
