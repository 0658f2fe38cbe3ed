// SPDX-License-Identifier: MIT
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(Cli *cli, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    Text text = text_new(cli);
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) text_add_bytes(&text, part, n);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? NULL : text.data;
}

// One line into fields, which may stand in quotes ("" is a quote). Returns their number; *at moves to the next line.
static int split_line(Cli *cli, char **at, const char **fields, int most) {
    int count = 0;
    char *p = *at;
    for (bool more = true; more; p++) {
        Text field = text_new(cli);
        bool quoted = false;
        for (; *p && (quoted || (*p != ',' && *p != '\n')); p++) {
            if (*p == '"' && quoted && p[1] == '"')
                text_add_bytes(&field, p++, 1);
            else if (*p == '"')
                quoted = !quoted;
            else if (*p != '\r')
                text_add_bytes(&field, p, 1);
        }
        if (count < most) fields[count] = field.data;
        count++;
        more = *p == ',';
        if (!*p) break;
    }
    *at = p;
    return count;
}

static int count_of(const char *text, char letter) {
    int n = 0;
    for (; *text; text++) n += *text == letter;
    return n;
}

RbStatus table_read(Cli *cli, const char *path, Table *t) {
    char *at = read_all(cli, path);
    *t = (Table){.file = path};
    if (!at) return cli_fail(cli, RB_ERROR_IO, path, "cannot read: %s", strerror(errno));
    int most = count_of(at, ',') + 1, lines = count_of(at, '\n') + 1;
    t->names = cli_room(cli, (size_t)most * sizeof *t->names);
    t->columns = split_line(cli, &at, t->names, most);
    t->cells = cli_room(cli, (size_t)lines * (size_t)t->columns * sizeof *t->cells);
    for (int line = 2; *at; line++) {
        if (*at == '\n' || (*at == '\r' && at[1] == '\n')) {
            at += *at == '\r' ? 2 : 1;
            continue;
        }
        int count = split_line(cli, &at, t->cells + (size_t)t->rows * (size_t)t->columns, t->columns);
        if (count != t->columns)
            return cli_fail(cli, RB_ERROR_IO, path,
                            "line %d has %d fields, the first line has %d names", line, count,
                            t->columns);
        t->rows++;
    }
    return RB_OK;
}

int table_find(const Table *t, const char *name) {
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->names[i], name) == 0) return i;
    return -1;
}

const char *table_cell(const Table *t, int row, int column) {
    return t->cells[(size_t)row * (size_t)t->columns + (size_t)column];
}

bool table_numbers(const Table *t, int column, double *values) {
    bool any = false;
    for (int i = 0; i < t->rows; i++) {
        const char *text = table_cell(t, i, column);
        char *end;
        values[i] = *text ? strtod(text, &end) : NAN;
        if (*text && (end == text || *end)) return false;
        any |= *text != 0;
    }
    return any;
}
