// SPDX-License-Identifier: MIT
// Random scenes on grids, where many events coincide or nearly do: the islands end where CVODE on
// the whole does, as long as rounding errors have not grown.
// label: normal
#include "run.h"

#include <stdlib.h>

#include "math/rng.h"
#include "scenes.h"

#ifndef SCENES
#define SCENES     24
#define MAX_BODIES 40
#endif
#ifndef FIRST
#define FIRST 1
#endif

typedef enum Kind { FALL, LATTICE, COLUMNS, KIND_COUNT } Kind;

typedef struct Plan {
    uint64_t seed;
    Kind kind;
    int bodies;
    double stop; // [s]
} Plan;

static const double D = 0.05; // [m] diameter

static void add_ball(RbScene *s, int i, Vec3 r, Vec3 v) {
    rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(D), "Steel", r, v,
                      V3_ZERO);
}

static void add_floor(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_halfspace(), "Steel"));
}

// Equal balls fall from a few heights, with a few speeds sideways, so slow that they do not meet.
static void fall(RbScene *s, const Plan *p, RbRng *rng) {
    int side = (int)ceil(sqrt(p->bodies));
    double height = 1e-3 + 1e-3 * rb_rng_unit(rng), speed = 0.02 * rb_rng_unit(rng);
    add_floor(s);
    for (int i = 0; i < p->bodies; i++) {
        double h = height * (1 + rb_rng_int(rng, 3));
        double vx = speed * (rb_rng_int(rng, 3) - 1), vy = speed * (rb_rng_int(rng, 3) - 1);
        add_ball(s, i, v3(2 * D * (i % side), 2 * D * (i / side), 0.5 * D + h), v3(vx, vy, 0));
    }
}

// A lattice gas: each ball stands or moves along one of the axes, all at the same speed, so that
// they meet in twos, threes and fours at the same instants.
static void lattice(RbScene *s, const Plan *p, RbRng *rng) {
    static const int way[5][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    int side = (int)ceil(sqrt(p->bodies));
    s->gravity.kind = RB_GRAVITY_NONE;
    for (int i = 0; i < p->bodies; i++) {
        const int *w = way[rb_rng_int(rng, 5)];
        add_ball(s, i, v3(1.5 * D * (i % side), 1.5 * D * (i / side), 0), v3(w[0], w[1], 0));
    }
}

// Columns of balls that touch nobody yet fall on the floor and on each other, all alike.
static void columns(RbScene *s, const Plan *p, RbRng *rng) {
    int high = 2 + rb_rng_int(rng, 2), side = (int)ceil(sqrt(p->bodies / (double)high));
    double height = 1e-3, gap = 1e-4 * (1 + rb_rng_int(rng, 3));
    add_floor(s);
    for (int i = 0; i < p->bodies; i++) {
        int c = i / high, k = i % high;
        add_ball(s, i, v3(2 * D * (c % side), 2 * D * (c / side), 0.5 * D + height + k * (D + gap)),
                 V3_ZERO);
    }
}

static Plan planned; // for the callback of the scene

static RbStatus open_protected(void *argument) {
    Run *r = argument;
    RbScene *s = rb_scene_new(&r->f.arena);
    RB_TRY(rb_scene_read_materials(s, NULL, &r->f.diag));
    RbRng rng = rb_rng(planned.seed);
    void (*const build[])(RbScene *, const Plan *, RbRng *) = {fall, lattice, columns};
    build[planned.kind](s, &planned, &rng);
    return rb_scene_model(s, "scene", "", &r->f.diag, &r->model);
}

// When contacts start and end, as the log says.
typedef struct Change {
    double time;
    int open; // +1, -1
} Change;

typedef struct Changes {
    int count;
    Change at[20000];
} Changes;

static void listen(void *user, RbTopic topic, const char *line) {
    (void)topic;
    Changes *c = user;
    bool starts = strstr(line, "starts at") != NULL, ends = strstr(line, "ends at") != NULL;
    if (!strstr(line, "contact of") || starts == ends || c->count == 20000) return;
    Change *k = &c->at[c->count++];
    ENSURE(sscanf(line, "t = %lg", &k->time) == 1);
    k->open = starts ? 1 : -1;
}

static int by_time(const void *a, const void *b) {
    double d = ((const Change *)a)->time - ((const Change *)b)->time;
    return (d > 0) - (d < 0);
}

// A time at which as few bodies as possible touch, and as far as possible from one at which this changes:
// in the middle of an impact of 10^4 m/s2 a nanosecond is 1e-5 m/s.
static double quiet_time(Changes *c, double from, double to) {
    qsort(c->at, (size_t)c->count, sizeof *c->at, by_time);
    double best = from, longest = 0;
    int open = 0, fewest = c->count;
    for (int i = 0; i <= c->count; i++) {
        double a = fmax(from, i ? c->at[i - 1].time : 0), b = fmin(to, i < c->count ? c->at[i].time : to);
        if (i) open += c->at[i - 1].open;
        if (!(b > a) || open > fewest || (open == fewest && b - a < longest)) continue;
        fewest = open, longest = b - a, best = 0.5 * (a + b);
    }
    return best;
}

static Changes changes;

static void go(Run *r, const char *solver, double tolerance) {
    run_open(r, "pendulum"); // for its files; the model is another one
    changes.count = 0;
    r->log = (RbLog){.topics = 1u << RB_LOG_EVENTS, .sink = listen, .user = &changes};
    ENSURE(rb_protect(&r->f.heap, open_protected, r) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.solver = solver;
    r->options.tolerance = tolerance;
    r->options.stop_time = planned.stop;
    r->options.output_interval = planned.stop / 7;
    r->options.journal_file = r->journal;
    RbStatus status = run_go(r);
    for (int i = 0; i < r->f.diag.messages.count; i++) print_error("%s", fixture_message(&r->f, i));
    ENSURE(status == RB_OK);
}

// Largest differences of places [m] and speeds [m/s].
static void differences(Run *a, Run *b, double *place, double *speed) {
    const RbSystem *system = rb_sim_stage(&a->sim)->system;
    *place = *speed = 0;
    for (int i = 0; i < system->x_count; i++) {
        double d = fabs(run_now(a)->x[i] - run_now(b)->x[i]);
        bool is_place = i < 7 * planned.bodies;
        if (is_place ? i % 7 < 3 : (i - 7 * planned.bodies) % 6 < 3)
            *(is_place ? place : speed) = fmax(*(is_place ? place : speed), d);
    }
}

static Plan make_plan(uint64_t seed) {
    RbRng rng = rb_rng(seed);
    Plan p = {.seed = seed, .kind = (Kind)rb_rng_int(&rng, KIND_COUNT)};
    p.bodies = (int)(2 * pow(MAX_BODIES / 2.0, rb_rng_unit(&rng)) + 0.5);
    p.stop = p.kind == LATTICE ? 0.04 : 0.06;
    return p;
}

static void check(Run *one, Run *other, double place_limit, double speed_limit) {
    double place, speed;
    differences(one, other, &place, &speed);
    bool same = place < place_limit && speed < speed_limit;
    if (!same) {
        print_error("seed %d, kind %d, %d bodies: %g m, %g m/s\n", (int)planned.seed, planned.kind,
                    planned.bodies, place, speed);
    }
    ENSURE(same);
}

// At a rough tolerance the dense output is furthest from the steps that are taken again, so that
// events change their order.
static void islands_end_where_one_system_does(void **state) {
    (void)state;
    for (uint64_t seed = FIRST; seed < FIRST + SCENES; seed++) {
        Run rough, fine, whole;
        planned = make_plan(seed);
        double nominal = planned.stop;
        planned.stop = 1.1 * nominal;
        go(&rough, "islands", 1e-5);
        run_close(&rough);
        planned.stop = quiet_time(&changes, nominal, planned.stop);
        go(&rough, "islands", 1e-5);
        go(&fine, "islands", 1e-8);
        go(&whole, "cvode", 1e-9);
        check(&rough, &whole, 1e-5, 1e-2);
        check(&fine, &whole, 1e-8, 1e-6);
        ENSURE(fine.summary.state_events >= whole.summary.state_events);
        run_close(&rough);
        run_close(&fine);
        run_close(&whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(islands_end_where_one_system_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
