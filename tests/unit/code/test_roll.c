// SPDX-License-Identifier: MIT
// label: normal
// Equal cells as loops: whatever becomes a loop, all variables have the bits that the interpreter
// computes, which knows nothing of loops.
#include "testing.h"

#include <string.h>

#include "base/text.h"
#include "program/program.h"
#include "math/rng.h"
#include "tiny_model.h"

// --- one model, evaluated in several ways --------------------------------------------------------

typedef struct Way {
    RbBackend backend;
    int turn; // see rb_roll
} Way;

static const Way ways[] = {
    {RB_BACKEND_INTERPRET, RB_ROLL_NEVER}, // trusted
    {RB_BACKEND_TCC, RB_ROLL_NEVER},
    {RB_BACKEND_TCC, 1}, // every pair of equal cells, one cell per turn
    {RB_BACKEND_TCC, 40},
    {RB_BACKEND_TCC, 400},
    {RB_BACKEND_OPTIMIZED, 1},
};
enum { WAYS = sizeof ways / sizeof *ways, WAYS_AT_ONCE = WAYS - 1, SHORTEST = 2 };

typedef struct Model {
    Fixture f;
    RbSortedDae *dae;
    RbProgram *programs[WAYS];
    RbProgramInstance *in[WAYS];
    int way_count;
} Model;

static void show(Model *m) {
    for (int i = 0; i < m->f.diag.messages.count; i++)
        print_error("%s\n", fixture_message(&m->f, i));
}

static void open_model(Model *m, const char *text, int way_count) {
    fixture_open(&m->f);
    m->way_count = way_count;
    RbFlatModel *flat = tiny_model(&m->f.arena, text);
    RbStatus status = rb_dae_sort(flat, NULL, &m->f.arena, m->f.scratch, &m->f.diag, &m->dae);
    for (int k = 0; k < way_count && status == RB_OK; k++) {
        RbProgramOptions options = {.backend = ways[k].backend,
                                    .cache = RB_BINARY_DIR "/model-cache",
                                    .roll_turn = ways[k].turn};
        status =
            rb_program(m->dae, &options, &m->f.arena, m->f.scratch, &m->f.diag, &m->programs[k]);
        if (status == RB_OK) m->in[k] = rb_program_instance(m->programs[k], &m->f.arena);
    }
    if (status != RB_OK) show(m);
    ENSURE(status == RB_OK);
}

static void initialize(Model *m) {
    for (int k = 0; k < m->way_count; k++) {
        RbStatus status = rb_program_initialize(m->in[k], 0, &m->f.diag);
        if (status != RB_OK) show(m);
        ENSURE(status == RB_OK);
    }
}

static int count_loops(const RbProgram *program) {
    int loops = 0;
    for (const char *at = program->source.text.data; (at = strstr(at, "\n    EACH(")); at++)
        loops++;
    return loops;
}

static void same_values(Model *m, int k) {
    for (int v = 0; v < m->dae->vars.count; v++) {
        double a = rb_program_value(m->in[0], v), b = rb_program_value(m->in[k], v);
        if (memcmp(&a, &b, sizeof a) != 0)
            print_error("way %d, %s: %.17g, not %.17g\n", k, m->dae->model->vars.data[v].name, b,
                        a);
        ENSURE(memcmp(&a, &b, sizeof a) == 0);
    }
}

// Derivatives, indicators, outputs and an event at arbitrary points.
static void same_bits(Model *m, uint64_t seed, int points) {
    int n = m->programs[0]->state_count, z = m->programs[0]->indicator_count;
    double *x = rb_new_array(&m->f.arena, double, n + 1);
    double *dx[2], *zs[2];
    for (int i = 0; i < 2; i++) {
        dx[i] = rb_new_array(&m->f.arena, double, n + 1);
        zs[i] = rb_new_array(&m->f.arena, double, z + 1);
    }
    RbRng rng = rb_rng(seed);
    for (int point = 0; point < points; point++) {
        double time = 0.1 * point;
        for (int i = 0; i < n; i++) x[i] = rb_rng_range(&rng, -1, 1);
        for (int k = 0; k < m->way_count; k++) {
            int side = k > 0;
            ENSURE(rb_program_derivatives(m->in[k], time, x, dx[side]) == RB_OK);
            ENSURE(rb_program_indicators(m->in[k], time, x, zs[side]) == RB_OK);
            ENSURE(memcmp(dx[0], dx[side], (size_t)n * sizeof(double)) == 0);
            ENSURE(memcmp(zs[0], zs[side], (size_t)z * sizeof(double)) == 0);
            ENSURE(rb_program_outputs(m->in[k], time, x) == RB_OK);
            same_values(m, k);
        }
        for (int k = 0; k < m->way_count; k++) {
            RbEventResult result;
            ENSURE(rb_program_event(m->in[k], time, x, &m->f.diag, &result) == RB_OK);
            same_values(m, k);
        }
    }
}

static void check(const char *text, int way_count, int least_loops) {
    Model m;
    open_model(&m, text, way_count);
    int loops = count_loops(m.programs[SHORTEST]);
    if (loops < least_loops)
        print_error("%d loops\n%s\n", loops, m.programs[SHORTEST]->source.text.data);
    ENSURE(loops >= least_loops);
    ENSURE(count_loops(m.programs[1]) == 0);
    initialize(&m);
    for (int k = 1; k < m.way_count; k++) same_values(&m, k);
    same_bits(&m, 1, 6);
    fixture_close(&m.f);
}

// --- models --------------------------------------------------------------------------------------

static RbHeap text_heap;
static RbArena text_arena;

static int open_texts(void **state) {
    (void)state;
    text_heap = rb_heap(NULL);
    text_arena = rb_arena(&text_heap);
    return 0;
}

static int close_texts(void **state) {
    (void)state;
    rb_arena_free(&text_arena);
    return 0;
}

// Inertias between springs and dampers, each with its own parameters, fixed to the wall.
static const char *chain(int cells) {
    RbText t = rb_text(&text_arena);
    for (int i = 1; i <= cells; i++)
        rb_text_printf(&t,
                       "param J%d = %g\nparam c%d = %g\nparam d%d = %g\n"
                       "real phi%d start %g fixed\nreal w%d start 0 fixed\nreal tau%d\n",
                       i, 0.5 + 0.001 * i, i, 100.0 + i, i, 0.3 + 0.003 * i, i, 0.01 * i, i, i);
    rb_text_printf(&t, "real tau%d\n", cells + 1);
    for (int i = 1; i <= cells; i++) {
        if (i == 1)
            rb_text_add(&t, "eq tau1 = c1*phi1 + d1*w1\n");
        else
            rb_text_printf(&t, "eq tau%d = c%d*(phi%d - phi%d) + d%d*(w%d - w%d)\n", i, i, i, i - 1,
                           i, i, i - 1);
        rb_text_printf(&t, "eq der(phi%d) = w%d\neq J%d*der(w%d) = tau%d - tau%d\n", i, i, i, i,
                       i + 1, i);
    }
    rb_text_printf(&t, "eq tau%d = 0.1*sin(time)\n", cells + 1);
    return t.data;
}

static void chains(void **state) {
    (void)state;
    check(chain(40), WAYS, 4);
    for (int n = 1; n <= 12; n++) check(chain(n), WAYS_AT_ONCE, n < 6 ? 0 : 1);
    check(chain(131), WAYS_AT_ONCE, 4);
}

// The cells of the chain are found: one loop for all but the ends, whose steps are tau, its two
// factors do not exist, w', phi': three per cell; and no step is in two loops.
static void cells_are_found(void **state) {
    (void)state;
    enum { CELLS = 100 };
    Model m;
    open_model(&m, chain(CELLS), 1);
    RbRolled rolled;
    rb_roll(m.programs[0]->lowered, 1, &m.f.arena, m.f.scratch, &rolled);
    const RbRuns *runs = &rolled.sections[RB_SECTION_DERIVATIVES];
    ENSURE(runs->count == 1);
    ENSURE(runs->data[0].period == 3);
    ENSURE(runs->data[0].count >= CELLS - 4);
    for (int id = 0; id < RB_SECTION_COUNT; id++) {
        int end = 0;
        for (int i = 0; i < rolled.sections[id].count; i++) {
            const RbRolledRun *r = &rolled.sections[id].data[i];
            ENSURE(r->first >= end && r->count > 1 && r->count % r->turn == 0);
            end = r->first + r->period * r->count;
        }
        ENSURE(end <= m.programs[0]->lowered->sections[id].count);
    }
    rb_roll(m.programs[0]->lowered, RB_ROLL_NEVER, &m.f.arena, m.f.scratch, &rolled);
    ENSURE(rolled.sections[RB_SECTION_DERIVATIVES].count == 0);
    fixture_close(&m.f);
}

// Heat in a rod: one parameter for all cells, no algebraic variables.
static void rod(void **state) {
    (void)state;
    enum { N = 30 };
    RbText t = rb_text(&text_arena);
    rb_text_add(&t, "param a = 3.7\n");
    for (int i = 0; i < N; i++) rb_text_printf(&t, "real T%d start %g fixed\n", i, 0.3 * i);
    for (int i = 1; i < N - 1; i++)
        rb_text_printf(&t, "eq der(T%d) = a*(T%d - 2*T%d + T%d)\n", i, i - 1, i, i + 1);
    rb_text_printf(&t, "eq der(T0) = -T0\neq der(T%d) = a*(T%d - T%d)\n", N - 1, N - 2, N - 1);
    check(t.data, WAYS, 3);
}

// Currents and voltages of a ladder of resistors and capacitors, from the far end to the near one:
// places run backwards.
static void ladder(void **state) {
    (void)state;
    enum { N = 30 };
    RbText t = rb_text(&text_arena);
    for (int i = N; i >= 1; i--)
        rb_text_printf(&t, "param R%d = %g\nparam C%d = %g\nreal v%d start %g fixed\nreal i%d\n", i,
                       1 + 0.1 * i, i, 0.01 / i, i, 0.2 * i, i);
    for (int i = 1; i <= N; i++) {
        if (i > 1)
            rb_text_printf(&t, "eq R%d*i%d = v%d - v%d\n", i, i, i - 1, i);
        else
            rb_text_add(&t, "eq R1*i1 = sin(time) - v1\n");
        rb_text_printf(&t, i < N ? "eq C%d*der(v%d) = i%d - i%d\n" : "eq C%d*der(v%d) = i%d\n", i,
                       i, i, i + 1);
    }
    check(t.data, WAYS, 2);
}

// Two kinds of cells in turn, then a third one in between.
static void mixed_cells(void **state) {
    (void)state;
    enum { N = 36 };
    RbText t = rb_text(&text_arena);
    for (int i = 0; i < N; i++)
        rb_text_printf(&t, "param k%d = %g\nreal x%d start 1 fixed\nreal y%d\n", i, 1 + 0.1 * i, i,
                       i);
    for (int i = 0; i < N; i++) {
        rb_text_printf(&t,
                       i == N / 2  ? "eq y%d = k%d*x%d^5\n"
                       : i % 2 > 0 ? "eq y%d = k%d*sin(x%d) + time\n"
                                   : "eq y%d = k%d/(1 + x%d^2)\n",
                       i, i, i);
        rb_text_printf(&t, "eq der(x%d) = y%d - k0\n", i, i);
    }
    check(t.data, WAYS, 2);
}

// Each cell needs results of the one before, of two before, or of the first one.
static void recurrences(void **state) {
    (void)state;
    enum { N = 40 };
    RbText t = rb_text(&text_arena);
    for (int i = 0; i < N; i++)
        rb_text_printf(&t, "real x%d start 1 fixed\nreal y%d\nreal z%d\n", i, i, i);
    for (int i = 0; i < N; i++) {
        if (i < 2)
            rb_text_printf(&t, "eq y%d = x%d\neq z%d = 2*x%d\n", i, i, i, i);
        else
            rb_text_printf(&t, "eq y%d = 0.7*y%d + 0.2*y%d + x%d\neq z%d = 0.5*z%d*y%d + y0 + z1\n",
                           i, i - 1, i - 2, i, i, i - 1, i);
        rb_text_printf(&t, "eq der(x%d) = z%d - y%d\n", i, i, i);
    }
    check(t.data, WAYS, 2);
}

// Relations, when, left limits and if in each cell.
static void events(void **state) {
    (void)state;
    enum { N = 24 };
    RbText t = rb_text(&text_arena);
    for (int i = 0; i < N; i++)
        rb_text_printf(&t, "real x%d start %g fixed\nreal y%d\ndisc d%d start 0 fixed\n", i,
                       0.3 * i, i, i);
    for (int i = 0; i < N; i++)
        rb_text_printf(&t,
                       "eq y%d = if x%d > 0.2 then x%d*time else -x%d\n"
                       "when x%d > 0\nset d%d = pre(d%d) + 1\nend\n"
                       "eq der(x%d) = d%d + y%d\n",
                       i, i, i, i, i, i, i, i, i, i);
    check(t.data, WAYS, 3);
}

// Powers, shared subexpressions, functions of libm, logic.
static void expressions(void **state) {
    (void)state;
    enum { N = 20 };
    RbText t = rb_text(&text_arena);
    for (int i = 0; i < N; i++)
        rb_text_printf(&t, "param p%d = %g\nreal x%d start 0.1 fixed\nreal y%d\n", i, 0.5 + i, i,
                       i);
    for (int i = 0; i < N; i++)
        rb_text_printf(
            &t,
            "eq y%d = (x%d + p%d)^7 + exp(x%d + p%d)*max(x%d, 0.3) - mod(time + p%d, 0.7)\n"
            "eq der(x%d) = (if noEvent(x%d < 0.2) and not noEvent(y%d > 1) then y%d else -y%d) + "
            "sqrt((x%d + p%d)^2)^(-3)\n",
            i, i, i, i, i, i, i, i, i, i, i, i, i, i);
    check(t.data, WAYS, 2);
}

// Systems of equations: unknowns, residuals and matrices are lists of cells as well.
static void systems(void **state) {
    (void)state;
    enum { N = 12 };
    static const char *const rows[] = {
        "eq (2 + p%d)*y%d - y%d - y%d = x%d\n",                  // linear, matrix of parameters
        "eq (2 + p%d)*y%d - time*y%d - y%d = x%d\n",             // linear
        "eq y%2$d + 0.1*p%1$d*tanh(y%3$d + 2*y%4$d) = x%5$d\n"}; // nonlinear
    for (int kind = 0; kind < 3; kind++) {
        RbText t = rb_text(&text_arena);
        for (int i = 0; i < N; i++)
            rb_text_printf(&t, "param p%d = %g\nreal x%d start %g fixed\nreal y%d start 0\n", i,
                           0.1 * i, i, 0.3 * i, i);
        for (int i = 0; i < N; i++) {
            int left = i > 0 ? i - 1 : N - 1, right = i < N - 1 ? i + 1 : 0;
            char row[100];
            snprintf(row, sizeof row, rows[kind], i, i, left, right, i);
            rb_text_add(&t, row);
            rb_text_printf(&t, "eq der(x%d) = y%d - x%d\n", i, i, i);
        }
        Model m;
        open_model(&m, t.data, WAYS_AT_ONCE);
        RbRolled rolled;
        rb_roll(m.programs[0]->lowered, 1, &m.f.arena, m.f.scratch, &rolled);
        ENSURE(m.programs[0]->lowered->systems.count > 0);
        ENSURE(rolled.systems[0].values.count > 0);
        fixture_close(&m.f);
        check(t.data, kind == 1 ? WAYS : WAYS_AT_ONCE, 3);
    }
}

// A parameter changes without translating again, also where a loop has it in a window.
static void parameters_change(void **state) {
    (void)state;
    Model m;
    open_model(&m, chain(40), WAYS_AT_ONCE);
    for (int k = 0; k < m.way_count; k++) {
        ENSURE(rb_program_set(m.in[k], rb_program_find(m.programs[k], "c17"), 12.5));
        ENSURE(rb_program_set(m.in[k], rb_program_find(m.programs[k], "phi9"), 0.77));
    }
    initialize(&m);
    for (int k = 1; k < m.way_count; k++) same_values(&m, k);
    ENSURE_NEAR(rb_program_value(m.in[SHORTEST], rb_program_find(m.programs[0], "phi9")), 0.77, 0);
    // torque of spring 10 at rest: c (phi10 - phi9)
    double tau = rb_program_value(m.in[SHORTEST], rb_program_find(m.programs[0], "tau10"));
    ENSURE_NEAR(tau, 110 * (0.1 - 0.77), 1e-12);
    same_bits(&m, 3, 3);
    fixture_close(&m.f);
}

// --- random models -------------------------------------------------------------------------------

// A value of one of the variables so far, of a state, a parameter or a number.
static void random_operand(RbRng *rng, RbText *t, int y, int cell, int states, int parameters,
                           const int *offsets) {
    switch (rb_rng_int(rng, 6)) {
        case 0:
        case 1:
            if (y > 0) {
                int back = 1 + offsets[rb_rng_int(rng, 3)];
                rb_text_printf(t, "y%d", y - back >= 0 ? y - back : 0);
                break;
            } // fall through
        case 2:
        case 3: rb_text_printf(t, "x%d", (cell + offsets[rb_rng_int(rng, 3)]) % states); break;
        case 4:
            rb_text_printf(t, "p%d", (2 * cell + offsets[rb_rng_int(rng, 3)]) % parameters);
            break;
        default: rb_text_printf(t, "%d", 1 + rb_rng_int(rng, 3));
    }
}

static void random_expression(RbRng *rng, RbText *t, int depth, int y, int cell, int states,
                              int parameters, const int *offsets) {
    static const char *const infix[] = {" + ", " - ", " * "};
    if (depth == 0 || rb_rng_int(rng, 4) == 0) {
        random_operand(rng, t, y, cell, states, parameters, offsets);
        return;
    }
    int form = rb_rng_int(rng, 6);
    rb_text_add(t, form == 3 ? "tanh(" : form == 4 ? "(if noEvent(" : "(");
    random_expression(rng, t, depth - 1, y, cell, states, parameters, offsets);
    rb_text_add(t, form < 3    ? infix[form]
                   : form == 3 ? " + "
                   : form == 4 ? " < 0.1) then "
                               : " / (2 + ");
    random_expression(rng, t, depth - 1, y, cell, states, parameters, offsets);
    if (form == 4) {
        rb_text_add(t, " else ");
        random_expression(rng, t, depth - 1, y, cell, states, parameters, offsets);
    }
    rb_text_add(t, form == 5 ? "^2))" : ")");
}

// Blocks of equal cells with some irregular equations between them. A cell is made by the same
// random numbers as the one before, but for where it is.
static const char *random_model(uint64_t seed) {
    RbRng rng = rb_rng(seed);
    RbText t = rb_text(&text_arena);
    int states = 5 + rb_rng_int(&rng, 40), parameters = 5 + rb_rng_int(&rng, 60), y = 0;
    RbText equations = rb_text(&text_arena);
    for (int block = 0; block < 4; block++) {
        int cells = 1 + rb_rng_int(&rng, 30), steps = 1 + rb_rng_int(&rng, 4);
        int offsets[3] = {rb_rng_int(&rng, 3), rb_rng_int(&rng, 7), steps - 1};
        uint64_t pattern = rb_rng_bits(&rng);
        for (int cell = 0; cell < cells; cell++) {
            if (rb_rng_int(&rng, 25) == 0)
                pattern = rb_rng_bits(&rng); // another shape from here on
            RbRng own = rb_rng(pattern);
            for (int s = 0; s < steps; s++, y++) {
                rb_text_printf(&equations, "eq y%d = tanh(", y);
                random_expression(&own, &equations, 3, y, cell, states, parameters, offsets);
                rb_text_add(&equations, ")\n");
            }
        }
    }
    for (int i = 0; i < parameters; i++) rb_text_printf(&t, "param p%d = %g\n", i, 0.1 + 0.37 * i);
    for (int i = 0; i < states; i++) rb_text_printf(&t, "real x%d start %g fixed\n", i, 0.01 * i);
    for (int i = 0; i < y; i++) rb_text_printf(&t, "real y%d\n", i);
    rb_text_add(&t, equations.data);
    for (int i = 0; i < states; i++)
        rb_text_printf(&t, "eq der(x%d) = y%d - x%d\n", i, rb_rng_int(&rng, y), i);
    return t.data;
}

static void random_models(void **state) {
    (void)state;
    enum { MODELS = 40 };
    int loops = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        RbArena mark = text_arena;
        Model m;
        print_message("seed %d\n", (int)seed);
        open_model(&m, random_model(seed), WAYS_AT_ONCE);
        loops += count_loops(m.programs[SHORTEST]);
        initialize(&m);
        same_bits(&m, seed, 2);
        fixture_close(&m.f);
        text_arena = mark;
    }
    ENSURE(loops > MODELS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains),        cmocka_unit_test(cells_are_found),
        cmocka_unit_test(rod),           cmocka_unit_test(ladder),
        cmocka_unit_test(mixed_cells),   cmocka_unit_test(recurrences),
        cmocka_unit_test(events),        cmocka_unit_test(expressions),
        cmocka_unit_test(systems),       cmocka_unit_test(parameters_change),
        cmocka_unit_test(random_models),
    };
    return cmocka_run_group_tests(tests, open_texts, close_texts);
}
