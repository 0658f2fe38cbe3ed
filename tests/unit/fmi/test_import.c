// SPDX-License-Identifier: MIT
// label: normal
// FMUs written in C against their closed forms: both versions, both kinds; alone, and connected to equations. The FMUs (sample.c)
// refuse calls that their mode does not allow.
#include "fmi/sample.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Held {
    RbContext *context;
    RbModel *model;
    RbRun *run;
} Held;

static void say(const Held *h) {
    for (int i = 0; i < rb_context_message_count(h->context); i++)
        print_error("%s\n", rb_context_message(h->context, i));
}

static void check(const Held *h, RbStatus status) {
    if (status != RB_OK) say(h);
    assert_int_equal(status, RB_OK);
}

static void open_run(Held *h, double stop, double max_step) {
    RbSimOptions options = rb_model_options(h->model);
    options.stop_time = stop;
    options.tolerance = 1e-9;
    options.output_interval = 0;
    options.max_step = max_step;
    check(h, rb_run_open(h->context, h->model, &options, &h->run));
}

// The class of an FMU by itself; settings: NAME=VALUE, or NULL.
static Held hold_fmu(int sample, int version, bool cs, const char *setting, double stop,
                     double max_step) {
    Held h = {.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    source.file = sample_fmu(sample, version);
    char name[100];
    snprintf(name, sizeof name, "%s%s", samples[sample].name, cs ? "_cs" : "");
    source.class_name = name;
    check(&h, rb_modelica_translate(h.context, &source, &h.model));
    if (setting) {
        char copy[100];
        snprintf(copy, sizeof copy, "%s", setting);
        char *value = strchr(copy, '=');
        *value++ = 0;
        check(&h, rb_model_set_text(h.model, copy, value));
    }
    open_run(&h, stop, max_step);
    return h;
}

// The class is imported into a file, and used by a model in the text behind it.
static Held make_model(int sample, int version, bool cs, const char *text) {
    Held h = {.context = rb_context_create(NULL)};
    RbFmuImportOptions options = rb_fmu_import_options_default();
    RbModelica source = rb_modelica_default();
    const char *fmu = sample_fmu(sample, version);
    char file[500], model[500], command[2000];
    options.co_simulation = cs;
    options.class_name = "Fmu";
    snprintf(file, sizeof file, "%.*s.mo", (int)strlen(fmu) - 4, fmu);
    snprintf(model, sizeof model, "%.*s_model.mo", (int)strlen(fmu) - 4, fmu);
    check(&h, rb_fmu_import(h.context, fmu, &options, file));
    snprintf(command, sizeof command, "cp '%s' '%s'", file, model);
    assert_int_equal(system(command), 0);
    FILE *f = fopen(model, "a");
    fputs(text, f);
    fclose(f);
    source.file = model;
    check(&h, rb_modelica_translate(h.context, &source, &h.model));
    return h;
}

static Held hold_model(int sample, int version, bool cs, const char *text, double stop,
                       double max_step) {
    Held h = make_model(sample, version, cs, text);
    open_run(&h, stop, max_step);
    return h;
}

static double value_of(const Held *h, const char *name) {
    double value = NAN;
    check(h, rb_run_get_named(h->run, name, &value));
    return value;
}

static void go_to(const Held *h, double time) {
    check(h, rb_run_step(h->run, RB_UNTIL_TIME, time, NULL));
}

static void let_go(Held *h) {
    rb_run_close(h->run, NULL);
    rb_context_free(h->context);
}

// -------------------------------------------------------------------------------------------------

// Height after t, and how often it has touched the ground.
static double height(double t, double h0, double e, int *bounces) {
    double g = 9.81, touch = sqrt(2 * h0 / g), speed = e * g * touch;
    *bounces = 0;
    if (t < touch) return h0 - g / 2 * t * t;
    for (t -= touch, *bounces = 1; t > 2 * speed / g; ++*bounces, speed *= e) t -= 2 * speed / g;
    return speed * t - g / 2 * t * t;
}

static void ball_bounces(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            Held h = hold_fmu(BALL, version, cs, "h_start=1.5", 2, 0);
            check(&h, rb_run_set_tolerance(h.run, 1e-10));
            int bounces;
            for (int k = 1; k <= 20; k++) {
                go_to(&h, 0.1 * k);
                ENSURE_NEAR(value_of(&h, "h"), height(0.1 * k, 1.5, 0.7, &bounces), 1e-7);
                ENSURE_NEAR(value_of(&h, "bounces"), bounces, 0);
            }
            ENSURE(bounces == 3);
            ENSURE_NEAR(value_of(&h, "der(v)"), -9.81, 0);
            let_go(&h);
        }
    }
}

// x' = -k x + u with u = -2 y. Sampled, the input is held: x shrinks by a constant factor in each step.
static void feedback_is_closed(void **state) {
    (void)state;
    const char *text =
        "model Loop\n  Fmu fmu(k = 3);\n  Rattleback.Blocks.Math.Gain gain(k = -2);\nequation\n"
        "  connect(fmu.y, gain.u);\n  connect(gain.y, fmu.u);\nend Loop;\n";
    for (int version = 2; version <= 3; version++) {
        Held h = hold_model(DECAY, version, false, text, 1, 0);
        go_to(&h, 0.7);
        ENSURE_NEAR(value_of(&h, "fmu.y"), exp(-5 * 0.7), 1e-8);
        ENSURE_NEAR(value_of(&h, "fmu.z"), -4 * exp(-5 * 0.7), 1e-8);
        ENSURE_NEAR(value_of(&h, "fmu.motor.x"), exp(-5 * 0.7), 1e-8);
        let_go(&h);
        h = hold_model(DECAY, version, true, text, 1, 0);
        go_to(&h, 0.75);
        double factor = exp(-0.3) - 2 * (1 - exp(-0.3)) / 3;
        ENSURE_NEAR(value_of(&h, "fmu.y"), pow(factor, 7), 1e-13);
        ENSURE_NEAR(value_of(&h, "fmu.z"), -4 * pow(factor, 7), 1e-13);
        let_go(&h);
    }
}

// Inputs of an FMU by itself come from a file: x' = -x + t.
static void inputs_come_from_a_file(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        Held h = {.context = rb_context_create(NULL)};
        RbModelica source = rb_modelica_default();
        source.file = sample_fmu(DECAY, version);
        source.input_file = FOLDER "/input.csv";
        FILE *f = fopen(source.input_file, "w");
        fputs("time,u\n0,0\n1,1\n", f);
        fclose(f);
        check(&h, rb_modelica_translate(h.context, &source, &h.model));
        open_run(&h, 1, 0);
        go_to(&h, 1);
        ENSURE_NEAR(value_of(&h, "y"), 2 * exp(-1), 1e-8);
        ENSURE_NEAR(value_of(&h, "z"), 2, 1e-12);
        let_go(&h);
    }
}

static void van_der_pol_follows_runge_kutta(void **state) {
    (void)state;
    enum { STEPS = 50000 };
    double x = 2, v = 0, s = 5.0 / STEPS;
    for (int k = 0; k < STEPS; k++) { // m = 2
#define A(x, v) (2 * (1 - (x) * (x)) * (v) - (x))
        double a = v, p = A(x, v), b = v + s / 2 * p, q = A(x + s / 2 * a, v + s / 2 * p);
        double c = v + s / 2 * q, r = A(x + s / 2 * b, v + s / 2 * q), d = v + s * r,
               w = A(x + s * c, v + s * r);
        x += s / 6 * (a + 2 * b + 2 * c + d);
        v += s / 6 * (p + 2 * q + 2 * r + w);
    }
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            Held h = hold_fmu(VDP, version, cs, "m=2", 5, 0);
            go_to(&h, 5);
            ENSURE_NEAR(value_of(&h, "x"), x, cs ? 1e-11 : 1e-6);
            ENSURE_NEAR(value_of(&h, "v"), v, cs ? 1e-11 : 1e-6);
            let_go(&h);
        }
    }
}

static void types_pass_through(void **state) {
    (void)state;
    const char *text =
        "model Signals\n  parameter String name = \"motor\";\n  Fmu fmu(label = name + \" 2\"), "
        "other;\n  Boolean late = time > 0.5;\n  Integer j = fmu.j;\n  Boolean c = fmu.c;\n  "
        "Integer gear = Integer(fmu.f);\nequation\n"
        "  fmu.u = sin(time);\n  fmu.discrete_u = if late then 2.5 else -1;\n  fmu.i = if late "
        "then -7 else 4;\n  fmu.b = late;\n"
        "  fmu.e = if late then Fmu.'Gear box'.'high gear' else Fmu.'Gear box'.low;\n"
        "  other.u = 0;\n  other.discrete_u = 0;\n  other.i = 0;\n  other.b = false;\n  other.e = "
        "fmu.f;\n%send Signals;\n";
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            char model[1000];
            snprintf(model, sizeof model, text,
                     version == 3
                         ? "  fmu.v = if late then {1, 2, 3} else {4, 5, 6};\n  other.v = fmu.v;\n"
                         : "");
            Held h = hold_model(THROUGH, version, cs, model, 1, 0);
            for (int late = 0; late < 2; late++) {
                double t = late ? 0.87 : 0.35, sampled = late ? 0.8 : 0.3;
                go_to(&h, t);
                ENSURE_NEAR(value_of(&h, "fmu.y"), 2 * sin(cs ? sampled : t), 1e-12);
                ENSURE_NEAR(value_of(&h, "fmu.discrete_y"), late ? 2.5 : -1, 0);
                ENSURE_NEAR(value_of(&h, "j"), late ? -7 : 4, 0);
                ENSURE_NEAR(value_of(&h, "c"), late, 0);
                ENSURE_NEAR(value_of(&h, "fmu.length"), 7, 0);
                ENSURE_NEAR(value_of(&h, "other.length"), 3, 0);
                ENSURE_NEAR(value_of(&h, "gear"), late ? 2 : 1, 0);
                if (version == 3) ENSURE_NEAR(value_of(&h, "fmu.w[3]"), late ? 6 : 12, 0);
            }
            let_go(&h);
        }
    }
}

// Relays in a row: the input of the first crosses its threshold, or jumps; those of the others jump with it, at the same instant.
static void inputs_that_jump_are_events(void **state) {
    (void)state;
    static const char *const inputs[] = {"sin(time)", "if time > 0.6 then 1 else 0", "on"};
    static const double times[] = {0.52359877559829887, 0.6, 0.7};
    for (int version = 2; version <= 3; version++) {
        for (int k = 0; k < 3; k++) {
            char text[1000];
            snprintf(text, sizeof text,
                     "model Row\n  Fmu fmu[3];\n  Real on(start = 0);\n  discrete Real "
                     "when_on(start = 0, fixed = true);\nequation\n"
                     "  when time > 0.7 then\n    on = 1;\n  end when;\n  fmu[1].u = %s;\n  "
                     "fmu[2].u = fmu[1].y;\n  fmu[3].u = fmu[2].y;\n"
                     "  when fmu[3].y > 0.9 then\n    when_on = time;\n  end when;\nend Row;\n",
                     inputs[k]);
            Held h = hold_model(RELAY, version, false, text, 1, 0.01);
            go_to(&h, 0.5);
            ENSURE_NEAR(value_of(&h, "fmu[3].y"), 0, 0);
            go_to(&h, 1);
            ENSURE_NEAR(value_of(&h, "fmu[1].y"), 1, 0);
            ENSURE_NEAR(value_of(&h, "fmu[3].y"), 1, 0);
            ENSURE_NEAR(value_of(&h, "when_on"), times[k], 1e-9);
            let_go(&h);
        }
    }
}

static void stair_ends_the_run(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            Held h = hold_fmu(STAIR, version, cs, "last=5", 12, 0);
            go_to(&h, 2.5);
            ENSURE_NEAR(value_of(&h, "n"), 3, 0);
            go_to(&h, 10);
            ENSURE(rb_run_finished(h.run));
            ENSURE_NEAR(rb_run_time(h.run), 4, 1e-9);
            ENSURE_NEAR(value_of(&h, "n"), 5, 0);
            let_go(&h);
        }
    }
}

// In model exchange the step that has passed 1 ends with the event: x starts anew at most a step later.
static void steps_are_told(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            Held h = hold_fmu(CLAMP, version, cs, NULL, 2.5, 0.01);
            go_to(&h, 2.5);
            ENSURE_NEAR(value_of(&h, "n"), 2, 0);
            ENSURE_NEAR(value_of(&h, "x"), 0.5, cs ? 1e-12 : 0.0201);
            let_go(&h);
        }
    }
}

// -------------------------------------------------------------------------------------------------

// Tunable parameters change in a run, at an event; others are refused.
static void parameters_are_tuned(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            Held h = hold_fmu(DECAY, version, cs, NULL, 1, 0);
            go_to(&h, 0.5);
            check(&h, rb_run_set_named(h.run, "k", 4));
            check(&h, rb_run_set_named(h.run, "u", 1));
            go_to(&h, 1);
            ENSURE_NEAR(value_of(&h, "y"), 0.25 + (exp(-0.5) - 0.25) * exp(-2), 1e-8);
            let_go(&h);
            h = hold_fmu(BALL, version, cs, NULL, 1, 0);
            go_to(&h, 0.5);
            if (rb_run_set_named(h.run, "g", 4) == RB_OK)
                ENSURE(rb_run_step(h.run, RB_UNTIL_TIME, 1, NULL) != RB_OK);
            ENSURE(strstr(rb_context_message(h.context, 0), "not tunable"));
            let_go(&h);
        }
    }
}

static void saved_runs_go_on(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            Held h = hold_fmu(BALL, version, cs, NULL, 2, 0);
            RbSaved *saved = NULL;
            double first[2], again[2];
            go_to(&h, 0.73);
            check(&h, rb_run_save(h.run, &saved));
            go_to(&h, 1.9);
            first[0] = value_of(&h, "h"), first[1] = value_of(&h, "v");
            check(&h, rb_run_restore(h.run, saved));
            ENSURE_NEAR(rb_run_time(h.run), 0.73, 0);
            go_to(&h, 1.9);
            again[0] = value_of(&h, "h"), again[1] = value_of(&h, "v");
            assert_memory_equal(first, again, sizeof first);
            rb_saved_free(saved);
            let_go(&h);
        }
    }
}

static void failures_name_the_fmu(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        for (int cs = 0; cs < 2; cs++) {
            Held h = hold_fmu(FAULTY, version, cs, NULL, 1, 0);
            ENSURE(rb_run_step(h.run, RB_UNTIL_TIME, 1, NULL) != RB_OK);
            bool named = false;
            for (int i = 0; i < rb_context_message_count(h.context); i++) {
                const char *text = rb_context_message(h.context, i);
                named |= strstr(text, "Faulty.fmu") && strstr(text, "the motor has stalled");
            }
            if (!named) say(&h);
            ENSURE(named);
            let_go(&h);
        }
    }
}

// An FMU says that it can be there once; after a run it can be had again.
static void one_instance_can_be_all(void **state) {
    (void)state;
    Held h = make_model(FAULTY, 3, true, "model Two\n  Fmu a, b;\nend Two;\n");
    RbSimOptions options = rb_model_options(h.model);
    ENSURE(rb_run_open(h.context, h.model, &options, &h.run) != RB_OK);
    ENSURE(strstr(rb_context_message(h.context, 0), "'b' is one too many"));
    rb_context_free(h.context);
    h = hold_fmu(FAULTY, 3, true, NULL, 0.4, 0);
    go_to(&h, 0.4);
    rb_run_close(h.run, NULL);
    open_run(&h, 0.4, 0);
    go_to(&h, 0.4);
    let_go(&h);
}

// Thousands of instances, one after another, of one model. A run of any model takes some 80 bytes of its context, chunk by chunk.
static size_t held_bytes;

static void *count_bytes(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)user;
    held_bytes += new_size - old_size;
    if (new_size > 0) return realloc(memory, new_size);
    free(memory);
    return NULL;
}

static void instances_leave_nothing(void **state) {
    (void)state;
    Held h = {.context = rb_context_create(&(RbAllocator){count_bytes, NULL})};
    RbModelica source = rb_modelica_default();
    source.file = sample_fmu(BALL, 3);
    check(&h, rb_modelica_translate(h.context, &source, &h.model));
    size_t before = 0;
    int runs = REPEATS(10000, 100);
    for (int k = 0; k < runs; k++) {
        open_run(&h, 2, 0);
        check(&h, rb_run_step(h.run, RB_UNTIL_STEP, 0, NULL));
        rb_run_close(h.run, NULL);
        if (k == 10) before = held_bytes;
    }
    ENSURE((double)held_bytes <= (double)before + 320.0 * runs + (1 << 20));
    rb_context_free(h.context);
    ENSURE_NEAR((double)held_bytes, 0, 0);
}

static int count_files(const char *folder) {
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static void nothing_is_left(void **state) {
    (void)state;
    const char *folder = FOLDER "/temporary";
    assert_int_equal(system("rm -rf '" FOLDER "/temporary' && mkdir -p '" FOLDER "/temporary'"), 0);
    setenv("TMPDIR", folder, 1);
    Held h = hold_fmu(BALL, 2, false, NULL, 2, 0);
    go_to(&h, 1);
    assert_int_equal(count_files(folder), 1);
    pid_t child = fork(); // as in a sweep
    if (child == 0) {
        rb_run_close(h.run, NULL);
        rb_context_free(h.context);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(count_files(folder), 1);
    let_go(&h);
    assert_int_equal(count_files(folder), 0);
    unsetenv("TMPDIR");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces),
        cmocka_unit_test(feedback_is_closed),
        cmocka_unit_test(inputs_come_from_a_file),
        cmocka_unit_test(van_der_pol_follows_runge_kutta),
        cmocka_unit_test(types_pass_through),
        cmocka_unit_test(inputs_that_jump_are_events),
        cmocka_unit_test(stair_ends_the_run),
        cmocka_unit_test(steps_are_told),
        cmocka_unit_test(saved_runs_go_on),
        cmocka_unit_test(parameters_are_tuned),
        cmocka_unit_test(failures_name_the_fmu),
        cmocka_unit_test(one_instance_can_be_all),
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(instances_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
