// SPDX-License-Identifier: MIT
// `rattleback state`: where a run was, as start values of another one: lines NAME=VALUE that --override-file reads, and particles as
// a table that Particles.File reads. What a name is follows from the names beside it: a body that moves freely has a quaternion; where
// it is one by parameters (r, angles, v, w) or by start values (r_0.start, angles_start, ...) both are parameters of the result.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

typedef struct State {
    Cli *cli;
    RbResults *results;
    size_t row, rows;
    double *column; // room for a variable
    FILE *file;
    int written;
} State;

// NAN: there is none, or not at this row.
static double value_of(State *s, const char *name) {
    int variable = rb_results_find(s->results, name);
    if (variable < 0 || rb_results_values(s->results, variable, s->column) != RB_OK) return NAN;
    return s->column[s->row];
}

static const char *join(State *s, const char *base, size_t length, const char *end) {
    char *name = cli_room(s->cli, length + strlen(end) + 1);
    memcpy(name, base, length);
    strcpy(name + length, end);
    return name;
}

static bool has(State *s, const char *base, size_t length, const char *end) {
    return rb_results_find(s->results, join(s, base, length, end)) >= 0;
}

static void put(State *s, const char *name, double value) {
    if (isfinite(value) && fprintf(s->file, "%s=%.17g\n", name, value) > 0) s->written++;
}

// Vector `to` from vector `from` of the same part.
static void put_vector(State *s, const char *base, size_t length, const char *to,
                       const char *from) {
    char name[64];
    for (int k = 1; k <= 3; k++) {
        snprintf(name, sizeof name, "%s[%d]", from, k);
        double value = value_of(s, join(s, base, length, name));
        snprintf(name, sizeof name, "%s[%d]", to, k);
        put(s, join(s, base, length, name), value);
    }
}

// Turned by angles about x, y, z, one after the other; Q is that of Modelica, whose last element is the cosine.
static void put_angles(State *s, const char *base, size_t length, const char *to) {
    double q[4];
    char name[64];
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, ".Q[%d]", k + 1);
        q[k] = value_of(s, join(s, base, length, name));
    }
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double size = x * x + y * y + z * z + w * w, two = 2 / size;
    double R13 = two * (x * z + w * y);
    double angles[] = {atan2(-two * (y * z - w * x), 1 - two * (x * x + y * y)),
                       asin(fmin(1, fmax(-1, R13))),
                       atan2(-two * (x * y - w * z), 1 - two * (y * y + z * z))};
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "%s[%d]", to, k + 1);
        put(s, join(s, base, length, name), angles[k]);
    }
}

// What has a quaternion: base is its name. False: nothing is known that could start it.
static bool put_turning(State *s, const char *base, size_t length) {
    if (has(s, base, length, ".w[1]") && has(s, base, length, ".angles[1]") &&
        has(s, base, length, ".r_0[1]")) {
        put_vector(s, base, length, ".r", ".r_0");
        put_angles(s, base, length, ".angles");
        put_vector(s, base, length, ".v", ".v_0");
        put_vector(s, base, length, ".w", ".w_0");
        return true;
    }
    if (has(s, base, length, ".w_0_start[1]")) {
        put_vector(s, base, length, ".r_0.start", ".r_0");
        put_angles(s, base, length, ".angles_start");
        put_vector(s, base, length, ".v_0.start", ".v_0");
        put_vector(s, base, length, ".w_0_start", ".w_0");
        return true;
    }
    if (!has(s, base, length, ".w_rel_a_start[1]")) return false;
    if (has(s, base, length, ".r_rel_a.start[1]")) {
        put_vector(s, base, length, ".r_rel_a.start", ".r_rel_a");
        put_vector(s, base, length, ".v_rel_a.start", ".v_rel_a");
    }
    put_angles(s, base, length, ".angles_start");
    put_vector(s, base, length, ".w_rel_a_start",
               has(s, base, length, ".w_rel_a[1]") ? ".w_rel_a" : ".w");
    return true;
}

// Its states are those of something that put_turning has written, or cannot.
static bool is_turning(State *s, const char *name) {
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        if (has(s, name, (size_t)(dot - name), ".Q[4]")) return true;
    }
    return false;
}

// The amplitude or rate of a mode of a flexible part, base.q[k] or base.qd[k]: such parts start undeformed.
static bool is_mode(State *s, const char *name) {
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        size_t length = (size_t)(dot - name);
        if (strncmp(dot, ".q[", 3) != 0 && strncmp(dot, ".qd[", 4) != 0) continue;
        if (!has(s, name, length, ".q[1]") || !has(s, name, length, ".qd[1]")) continue;
        if (strcmp(dot, ".q[1]") == 0)
            fprintf(stderr, "rattleback: note: '%.*s' starts undeformed\n", (int)length, name);
        return true;
    }
    return false;
}

static RbStatus put_variables(State *s) {
    static const char end[] = ".Q[4]";
    for (int i = 0; i < rb_results_count(s->results); i++) {
        RbSeries series;
        TRY(rb_results_variable(s->results, i, &series));
        const char *name = series.name;
        size_t length = strlen(name);
        if (series.kind == RB_SERIES_PARAMETER || strncmp(name, "der(", 4) == 0) continue;
        if (length > strlen(end) && strcmp(name + length - strlen(end), end) == 0) {
            if (!put_turning(s, name, length - strlen(end)))
                fprintf(stderr, "rattleback: note: nothing says how to start '%.*s'\n",
                        (int)(length - strlen(end)), name);
        } else if (is_turning(s, name) || strncmp(name, "contact(", 8) == 0 ||
                   is_mode(s, name)) {
            continue; // contacts that stick start anew
        } else if (has(s, name, length, ".start")) {
            put(s, join(s, name, length, ".start"), value_of(s, name));
        } else if (rb_results_find(s->results, join(s, "der(", 4, join(s, name, length, ")"))) >=
                   0) {
            put(s, name, value_of(s, name));
        }
    }
    return RB_OK;
}

// ---- particles

static RbStatus put_particles(State *s, const char *path) {
    int count = 0;
    TRY(rb_results_particles(s->results, s->row, &count));
    if (count == 0) return RB_OK;
    size_t n = (size_t)count, numbers = 3 * n * sizeof(double);
    double *r = cli_room(s->cli, numbers), *v = cli_room(s->cli, numbers),
           *radii = cli_room(s->cli, n * sizeof *radii);
    TRY(rb_results_particle_values(s->results, s->row, RB_TRACK_PLACE, r));
    TRY(rb_results_particle_values(s->results, s->row, RB_TRACK_VELOCITY, v));
    TRY(rb_results_particle_radii(s->results, s->row, radii));
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    int present = 0;
    for (size_t i = 0; good && i < n; i++) {
        if (!isfinite(r[3 * i])) continue;
        good = fprintf(file, "%.17g,%.17g,%.17g,%.17g", r[3 * i], r[3 * i + 1], r[3 * i + 2],
                       radii[i]) > 0;
        if (good && isfinite(v[3 * i]))
            good = fprintf(file, ",%.17g,%.17g,%.17g", v[3 * i], v[3 * i + 1], v[3 * i + 2]) > 0;
        good = good && fputc('\n', file) != EOF;
        present++;
    }
    if (file && fclose(file) != 0) good = false;
    if (!good) return cli_fail(s->cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
    printf("%s: %d particles, for Particles.File(fileName = \"%s\")%s\n", path, present, path,
           isfinite(v[0])
               ? ""
               : "; their velocities were not recorded (--particle-results place,velocity)");
    return RB_OK;
}

// ---- all

// The last row at or before the time; both sides of an event are rows.
static RbStatus find_row(State *s, double at) {
    s->rows = rb_results_rows(s->results);
    if (s->rows == 0) return cli_fail(s->cli, RB_ERROR_USAGE, NULL, "the result has no rows");
    s->column = cli_room(s->cli, s->rows * sizeof *s->column);
    TRY(rb_results_times(s->results, s->column));
    s->row = s->rows - 1;
    if (isnan(at)) return RB_OK;
    while (s->row > 0 && s->column[s->row] > at) s->row--;
    if (s->column[s->row] <= at && at <= s->column[s->rows - 1]) return RB_OK;
    return cli_fail(s->cli, RB_ERROR_USAGE, NULL, "'--at %g' is outside of the result: %g to %g s",
                    at, s->column[0], s->column[s->rows - 1]);
}

RbStatus run_state(Cli *cli) {
    const char *from = cli->arguments[0], *to = cli->arguments[1];
    State s = {.cli = cli};
    double at = NAN;
    TRY(cli_number(cli, "at", &at));
    TRY(rb_results_open(cli->context, from, &s.results));
    TRY(find_row(&s, at));
    double time = s.column[s.row];
    s.file = fopen(to, "w");
    if (!s.file) return cli_fail(cli, RB_ERROR_IO, to, "cannot write: %s", strerror(errno));
    RbStatus status = put_variables(&s);
    bool good = !ferror(s.file);
    if (fclose(s.file) != 0) good = false;
    TRY(status);
    if (!good) return cli_fail(cli, RB_ERROR_IO, to, "cannot write: %s", strerror(errno));
    printf("%s: %d start values at t = %.12g s, for --override-file\n", to, s.written, time);
    const char *dot = strrchr(to, '.'), *slash = strrchr(to, '/');
    size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - to) : strlen(to);
    return put_particles(&s, join(&s, to, length, "-particles.csv"));
}
