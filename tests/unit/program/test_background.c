// SPDX-License-Identifier: MIT
// Optimised code that is made during a run: it takes over if it gives the same bits, and nobody
// notices if it cannot be made.
#include "testing.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "program/background.h"
#include "tiny_model.h"

static const char model[] =
    "param k = 0.3\nreal x start 1 fixed\nreal v start 0.25 fixed\nreal a start 1\nreal b start 1\n"
    "eq der(x) = v\neq der(v) = -k*x^3 - 0.1*v*abs(v) + sin(3*time)/(1 + x^2) + 0.01*a\n"
    "eq a^3 + b = 2 + 0.1*x\neq a + b^3 = 2 - 0.3*v\n";

typedef struct Run {
    Fixture f;
    RbProgram *program;
    RbProgramInstance *in;
    RbBackground *background;
    RbLog log;
    char cache[256], lines[1024];
    double time, x[2];
} Run;

static void keep_line(void *user, RbTopic topic, const char *line) {
    Run *r = user;
    (void)topic;
    strncat(r->lines, line, sizeof r->lines - strlen(r->lines) - 1);
}

static void open_run(Run *r, const char *cache, bool background) {
    memset(r, 0, sizeof *r);
    fixture_open(&r->f);
    snprintf(r->cache, sizeof r->cache, "%s", cache);
    r->log = (RbLog){.topics = 1u << RB_LOG_STATS, .sink = keep_line, .user = r};
    RbProgramOptions options = {
        .background = background, .background_after = 1e-9, .cache = r->cache, .log = &r->log};
    RbSortedDae *dae;
    ENSURE(rb_dae_sort(tiny_model(&r->f.arena, model), NULL, &r->f.arena, r->f.scratch, &r->f.diag,
                       &dae) == RB_OK);
    ENSURE(rb_program(dae, &options, &r->f.arena, r->f.scratch, &r->f.diag, &r->program) == RB_OK);
    r->in = rb_program_instance(r->program, &r->f.arena);
    ENSURE(rb_program_initialize(r->in, 0, &r->f.diag) == RB_OK);
    memcpy(r->x, r->in->frame.x, sizeof r->x);
    r->background = rb_background(r->in, &r->f.arena);
}

// One step of Heun's method.
static void step(Run *r) {
    double h = 1e-3, k1[2], k2[2], y[2];
    ENSURE(rb_program_derivatives(r->in, r->time, r->x, k1) == RB_OK);
    for (int i = 0; i < 2; i++) y[i] = r->x[i] + h * k1[i];
    ENSURE(rb_program_derivatives(r->in, r->time + h, y, k2) == RB_OK);
    for (int i = 0; i < 2; i++) r->x[i] += 0.5 * h * (k1[i] + k2[i]);
    r->time += h;
    rb_background_poll(r->background, r->time, r->x, &r->f.diag);
}

// Steps until the background is in this state, or 60 s have passed.
static int run_until(Run *r, RbBackgroundState state) {
    int steps = 0;
    time_t start = time(NULL);
    for (; r->background->state != state && time(NULL) - start < 60; steps++) {
        step(r);
        if (r->background->state == RB_BACKGROUND_COMPILES)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    ENSURE(r->background->state == state);
    return steps;
}

static char *new_cache(void) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/rb_background_XXXXXX");
    ENSURE(mkdtemp(path) != NULL);
    return path;
}

// Removes a cache; answers how many files were in it.
static int drop_cache(const char *path) {
    int count = 0;
    DIR *d = opendir(path);
    ENSURE(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        char file[512];
        if (e->d_name[0] == '.') continue;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        unlink(file);
        count++;
    }
    closedir(d);
    rmdir(path);
    return count;
}

static void optimised_code_takes_over(void **state) {
    (void)state;
    Run r, plain;
    char *cache = new_cache();
    open_run(&r, cache, true);
    open_run(&plain, cache, false);
    ENSURE(!plain.background);
    RbSectionFunction *before = r.in->compiled.sections[RB_SECTION_DERIVATIVES];
    int steps = run_until(&r, RB_BACKGROUND_SWAPPED);
    ENSURE(r.in->compiled.sections[RB_SECTION_DERIVATIVES] != before);
    ENSURE(strstr(r.lines, "the system's compiler optimises") && strstr(r.lines, "takes over"));
    for (int k = 0; k < 200; k++) step(&r); // with the new code
    for (int k = 0; k < steps + 200; k++) step(&plain);
    ENSURE(r.time == plain.time && memcmp(r.x, plain.x, sizeof r.x) == 0);
    ENSURE(r.f.diag.messages.count == 0);
    // the next run finds it at once
    Run again;
    open_run(&again, cache, true);
    ENSURE(run_until(&again, RB_BACKGROUND_SWAPPED) <= 10);
    ENSURE(strstr(again.lines, "of an earlier run"));
    fixture_close(&r.f);
    fixture_close(&plain.f);
    fixture_close(&again.f);
    ENSURE(drop_cache(cache) == 1); // the object, and nothing else
}

static void other_values_are_not_taken(void **state) {
    (void)state;
    Run r;
    char *cache = new_cache();
    open_run(&r, cache, true);
    run_until(&r, RB_BACKGROUND_COMPARES);
    r.background->code.sections[RB_SECTION_DERIVATIVES] =
        r.background->code.sections[RB_SECTION_INDICATORS];
    RbSectionFunction *before = r.in->compiled.sections[0];
    step(&r);
    ENSURE(r.background->state == RB_BACKGROUND_GIVEN_UP);
    ENSURE(r.in->compiled.sections[0] == before);
    ENSURE(r.f.diag.messages.count == 1 && r.f.diag.error_count == 0);
    ENSURE(strstr(fixture_message(&r.f, 0), "the optimised code gives other values"));
    fixture_close(&r.f);
    drop_cache(cache);
}

static void without_a_compiler_nothing_is_said(void **state) {
    (void)state;
    Run r;
    char *cache = new_cache();
    setenv("CC", "/nowhere/cc", 1);
    open_run(&r, cache, true);
    run_until(&r, RB_BACKGROUND_GIVEN_UP);
    unsetenv("CC");
    ENSURE(r.f.diag.messages.count == 0);
    ENSURE(strstr(r.lines, "goes on without optimised code")); // valgrind starts it, and it ends
    fixture_close(&r.f);
    ENSURE(drop_cache(cache) == 0);
    // a compiler that fails
    cache = new_cache();
    setenv("CC", "false", 1);
    open_run(&r, cache, true);
    run_until(&r, RB_BACKGROUND_GIVEN_UP);
    unsetenv("CC");
    ENSURE(r.f.diag.messages.count == 0);
    ENSURE(strstr(r.lines, "did not succeed"));
    fixture_close(&r.f);
    ENSURE(drop_cache(cache) == 0);
    // no place to write
    open_run(&r, "/proc/none", true);
    run_until(&r, RB_BACKGROUND_GIVEN_UP);
    ENSURE(r.f.diag.messages.count == 0);
    fixture_close(&r.f);
}

// The end of the run ends the compiler, and nothing stays behind.
static void the_compiler_ends_with_the_run(void **state) {
    (void)state;
    Run r;
    char *cache = new_cache();
    open_run(&r, cache, true);
    run_until(&r, RB_BACKGROUND_COMPILES);
    pid_t child = r.background->job.child;
    ENSURE(child > 0);
    fixture_close(&r.f);
    ENSURE(kill(child, 0) != 0);
    ENSURE(drop_cache(cache) == 0);
}

// 'R', 'S', ... of a process, 'Z' if it has ended but nobody has asked how, 0 if there is none.
static char state_of(long process) {
    char path[64], letter = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%*d (%*[^)]) %c", &letter) != 1) letter = 0;
    fclose(file);
    return letter;
}

// A compiler that starts another process, which takes long, and tells its number.
typedef struct Slow {
    char *cache, script[256], number[256];
} Slow;

static void open_slow(Slow *slow) {
    slow->cache = new_cache();
    snprintf(slow->script, sizeof slow->script, "%s-cc", slow->cache);
    snprintf(slow->number, sizeof slow->number, "%s-number", slow->cache);
    FILE *file = fopen(slow->script, "w");
    fprintf(file, "#!/bin/sh\nsleep 600 &\necho $! >%s.new\nmv %s.new %s\nwait\n", slow->number,
            slow->number, slow->number);
    fclose(file);
    chmod(slow->script, 0700);
    setenv("CC", slow->script, 1);
}

static long slow_process(const Slow *slow) {
    FILE *file;
    long started = 0;
    while (!(file = fopen(slow->number, "r"))) usleep(1000);
    ENSURE(fscanf(file, "%ld", &started) == 1);
    fclose(file);
    ENSURE(state_of(started) == 'S' || state_of(started) == 'R');
    return started;
}

static void wait_for_end(long process) {
    while (state_of(process) != 0 && state_of(process) != 'Z') usleep(1000);
}

static void close_slow(Slow *slow) {
    unsetenv("CC");
    unlink(slow->script);
    unlink(slow->number);
    ENSURE(drop_cache(slow->cache) == 0);
}

// A compiler is a driver that starts others: these end, too.
static void what_the_compiler_started_ends_with_it(void **state) {
    (void)state;
    Run r;
    Slow slow;
    open_slow(&slow);
    open_run(&r, slow.cache, true);
    run_until(&r, RB_BACKGROUND_COMPILES);
    long started = slow_process(&slow);
    fixture_close(&r.f);
    wait_for_end(started);
    close_slow(&slow);
}

// Even if the run is killed, its compiler ends and takes its file along.
static void the_compiler_ends_with_a_killed_run(void **state) {
    (void)state;
    Slow slow;
    open_slow(&slow);
    pid_t child = fork();
    ENSURE(child >= 0);
    if (child == 0) {
        Run r;
        open_run(&r, slow.cache, true);
        run_until(&r, RB_BACKGROUND_COMPILES);
        for (;;) pause();
    }
    long started = slow_process(&slow);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    wait_for_end(started); // hangs if it does not
    close_slow(&slow);
}

// What others left that were killed is removed; what belongs to the living is not.
static void leftovers_are_removed(void **state) {
    (void)state;
    Run r;
    char *cache = new_cache(), files[3][256];
    pid_t dead = fork();
    if (dead == 0) _exit(0);
    waitpid(dead, NULL, 0);
    snprintf(files[0], sizeof files[0], "%s/0123456789abcdef.so.%d.0x1234.c", cache, (int)dead);
    snprintf(files[1], sizeof files[1], "%s/0123456789abcdef.so.%d.0x1234.o", cache, (int)dead);
    snprintf(files[2], sizeof files[2], "%s/0123456789abcdef.so.%d.0x1234.c", cache, (int)getpid());
    for (int i = 0; i < 3; i++) fclose(fopen(files[i], "w"));
    open_run(&r, cache, true);
    run_until(&r, RB_BACKGROUND_COMPILES);
    ENSURE(access(files[0], F_OK) != 0 && access(files[1], F_OK) != 0);
    ENSURE(access(files[2], F_OK) == 0);
    fixture_close(&r.f);
    ENSURE(drop_cache(cache) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimised_code_takes_over),
        cmocka_unit_test(other_values_are_not_taken),
        cmocka_unit_test(without_a_compiler_nothing_is_said),
        cmocka_unit_test(the_compiler_ends_with_the_run),
        cmocka_unit_test(what_the_compiler_started_ends_with_it),
        cmocka_unit_test(the_compiler_ends_with_a_killed_run),
        cmocka_unit_test(leftovers_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
