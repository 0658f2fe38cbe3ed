// SPDX-License-Identifier: MIT
#include "sweep_log.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static RbStatus fail_write(Cli *cli, const char *path) {
    return cli_fail(cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
}

static RbStatus write_line(Cli *cli, SweepLog *log, const Text *line) {
    ssize_t n = write(log->file, line->data, (size_t)line->count);
    if (n == line->count) return RB_OK;
    if (n >= 0) errno = ENOSPC;
    return fail_write(cli, log->path);
}

// ------------------------------------------------------------------------------------------------------
// which sweep

static void add_hash(unsigned long long *hash, const char *text) {
    do *hash = (*hash ^ (unsigned char)*text) * 1099511628211u; // FNV-1a, with the final 0
    while (*text++);
}

const char *sweep_log_name(Cli *cli, const Design *design, int kept_count) {
    static const char *const free_options[] = {"jobs",    "resume",   "quiet",     "output-file",
                                               "results", "run-time", "run-memory", "report",
                                               "engine",  "tasks",    "engine-input", "part"};
    unsigned long long hash = 14695981039346656037u;
    struct stat info;
    add_hash(&hash, rb_build_name());
    for (int i = 0; i < cli->argument_count; i++) add_hash(&hash, cli->arguments[i]);
    if (stat(cli->arguments[0], &info) == 0)
        add_hash(&hash,
                 cli_printf(cli, "%lld %lld", (long long)info.st_mtime, (long long)info.st_size));
    for (int i = 0; i < cli->given_count; i++) {
        const Option *option = &cli->command->options[cli->given[i].option];
        bool is_free = false;
        for (size_t k = 0; k < sizeof free_options / sizeof *free_options; k++)
            is_free |= strcmp(option->name, free_options[k]) == 0;
        if (is_free) continue;
        add_hash(&hash, option->name);
        if (cli->given[i].value) add_hash(&hash, cli->given[i].value);
    }
    for (int i = 0; design->cells && i < design->runs * design->count; i++)
        add_hash(&hash, design->cells[i]);
    return cli_printf(cli, "rattleback sweep %016llx %d %d", hash, design->runs, kept_count);
}

// ------------------------------------------------------------------------------------------------------
// reading

// run status value ... reason
static bool read_row(Cli *cli, SweepLog *log, char *line) {
    char *at;
    long run = strtol(line, &at, 10), status = strtol(at, &at, 10);
    if (run < 0 || run >= log->runs || log->status[run] >= 0) return false;
    double *values = log->values + run * log->columns;
    for (int i = 0; i < log->columns; i++) {
        char *end;
        values[i] = strtod(at, &end);
        if (end == at) return false;
        at = end;
    }
    if (*at != ' ') return false;
    log->status[run] = (int)status;
    if (status != 0) log->reasons[run] = cli_printf(cli, "%s", at + 1);
    log->failed += status != 0;
    log->finished++;
    return true;
}

static RbStatus read_rows(Cli *cli, SweepLog *log, FILE *file, bool resume) {
    char *line = NULL;
    size_t room = 0;
    ssize_t n = getline(&line, &room, file);
    bool same = n > 0 && line[n - 1] == '\n' && strncmp(line, log->name, (size_t)n - 1) == 0;
    bool empty = n <= 0;
    long whole = n > 0 ? (long)n : 0;
    while (same && (n = getline(&line, &room, file)) > 0 && line[n - 1] == '\n') {
        line[n - 1] = 0;
        if (!read_row(cli, log, line)) break;
        whole += n;
    }
    free(line);
    if (empty) return RB_OK;
    if (!same && resume)
        return cli_fail(
            cli, RB_ERROR_USAGE, log->path,
            "these rows belong to another sweep (model, options, values or program differ); remove "
            "the file to start anew");
    if (!resume)
        return cli_fail(
            cli, RB_ERROR_USAGE, log->path,
            "an earlier sweep was not finished; '--resume' continues it, removing the file starts "
            "anew");
    if (truncate(log->path, whole) != 0) return fail_write(cli, log->path); // a line that was cut
    return RB_OK;
}

bool sweep_log_merge(Cli *cli, SweepLog *log, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!file) return false;
    ssize_t n = getline(&line, &room, file);
    bool same = n > 0 && line[n - 1] == '\n' && strlen(log->name) == (size_t)n - 1 &&
                strncmp(line, log->name, (size_t)n - 1) == 0;
    while (same && (n = getline(&line, &room, file)) > 0 && line[n - 1] == '\n') {
        line[n - 1] = 0;
        read_row(cli, log, line);
    }
    free(line);
    fclose(file);
    return same;
}

// One sweep at a time. Its children hold the lock with it: those of a sweep that was killed may need a
// moment to end, and until then they hold the journals of their runs.
static RbStatus lock_log(Cli *cli, SweepLog *log) {
    log->file = open(log->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log->file < 0) return fail_write(cli, log->path);
    for (int i = 0; flock(log->file, LOCK_EX | LOCK_NB) != 0; i++) {
        if (i == 50)
            return cli_fail(cli, RB_ERROR_IO, log->path, "another sweep is writing its rows here");
        usleep(100000);
    }
    return RB_OK;
}

RbStatus sweep_log_open(Cli *cli, SweepLog *log, bool resume) {
    log->values =
        cli_room(cli, ((size_t)log->runs * (size_t)log->columns + 1) * sizeof *log->values);
    log->status = cli_room(cli, (size_t)log->runs * sizeof *log->status);
    log->reasons = cli_room(cli, (size_t)log->runs * sizeof *log->reasons);
    for (int i = 0; i < log->runs; i++) log->status[i] = -1;
    TRY(lock_log(cli, log));
    FILE *file = fopen(log->path, "r");
    RbStatus status = file ? read_rows(cli, log, file, resume) : RB_OK;
    if (file) fclose(file);
    if (status != RB_OK) return status;
    Text head = text_new(cli);
    text_printf(&head, "%s\n", log->name);
    return lseek(log->file, 0, SEEK_END) > 0 ? RB_OK : write_line(cli, log, &head);
}

RbStatus sweep_log_add(Cli *cli, SweepLog *log, const RunRow *row) {
    double *values = log->values + (long)row->run * log->columns;
    Text line = text_new(cli);
    text_printf(&line, "%d %d", row->run, row->status);
    for (int i = 0; i < log->columns; i++) {
        values[i] = row->values[i];
        text_printf(&line, " %.17g", values[i]);
    }
    char *reason = (char *)(size_t)cli_printf(cli, " %s\n", row->status ? row->reason : "");
    for (char *at = reason; at[1]; at++)
        if (*at == '\n' || *at == '\r') *at = ' ';
    text_add(&line, reason);
    log->status[row->run] = row->status;
    if (row->status) log->reasons[row->run] = cli_printf(cli, "%s", row->reason);
    log->failed += row->status != 0;
    log->finished++;
    return write_line(cli, log, &line);
}

// ------------------------------------------------------------------------------------------------------
// the table

static void put_field(FILE *file, const char *text) {
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

static void put_number(FILE *file, double value) {
    char number[40];
    if (isnan(value)) return; // an empty field, as in results
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value) break;
    }
    fputs(number, file);
}

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return *text && !*end;
}

// A table of numbers, as results are read, calls its first column time and has no texts.
static void put_row(Cli *cli, FILE *file, const SweepLog *log, const Design *d, int run,
                    bool numbers) {
    fprintf(file, "%d", run + 1);
    for (int j = 0; j < d->count; j++) {
        const char *value = design_value(cli, d, run, j);
        fputc(',', file);
        if (!numbers || is_number(value)) put_field(file, value);
    }
    for (int i = 0; i < log->columns; i++) {
        fputc(',', file);
        put_number(file, log->values[(long)run * log->columns + i]);
    }
    fprintf(file, ",%d", log->status[run]);
    if (!numbers) {
        fputc(',', file);
        if (log->reasons[run]) put_field(file, log->reasons[run]);
    }
    fputc('\n', file);
}

static RbStatus write_csv(Cli *cli, const SweepLog *log, const char *path, const Design *d,
                          const Kept *kept, bool numbers) {
    FILE *file = fopen(path, "w");
    if (!file) return fail_write(cli, path);
    fputs(numbers ? "time" : "run", file);
    for (int j = 0; j < d->count; j++) {
        fputc(',', file);
        put_field(file, d->varied[j].name);
    }
    for (int i = 0; i < log->columns; i++) {
        fputc(',', file);
        put_field(file, kept->texts[i]);
    }
    fputs(numbers ? ",status\n" : ",status,reason\n", file);
    for (int run = 0; run < log->runs; run++)
        if (log->status[run] >= 0) put_row(cli, file, log, d, run, numbers);
    bool good = !ferror(file);
    if (fclose(file) != 0) good = false;
    return good ? RB_OK : fail_write(cli, path);
}

// The table gets its name when it is whole, and the rows are removed after that: a kill at any moment
// leaves the one or the other.
RbStatus sweep_log_close(Cli *cli, SweepLog *log, const char *table, const Design *d,
                         const Kept *kept) {
    bool mat = ends_with(table, ".mat");
    const char *csv = cli_printf(cli, "%s.part.csv", table);
    const char *whole = mat ? cli_printf(cli, "%s.part.mat", table) : csv;
    RbStatus status = write_csv(cli, log, csv, d, kept, mat);
    if (mat && status == RB_OK) status = rb_convert(cli->context, csv, whole);
    if (status == RB_OK && rename(whole, table) != 0) status = fail_write(cli, table);
    if (mat || status != RB_OK) remove(csv);
    if (mat && status != RB_OK) remove(whole);
    if (status != RB_OK) return status;
    close(log->file);
    remove(log->path);
    return RB_OK;
}
