// SPDX-License-Identifier: MIT
// table.h: a table of texts and numbers (CSV): names in the first line, then a line per row.
#pragma once

#include "cli.h"

typedef struct Table {
    const char *file, **names, **cells; // cells: rows x columns
    int columns, rows;
} Table;

RbStatus table_read(Cli *cli, const char *path, Table *table);

int table_find(const Table *table, const char *name); // -1: there is no such column
const char *table_cell(const Table *table, int row, int column);

// The numbers of a column, NaN where a field is empty; false: it holds texts.
bool table_numbers(const Table *table, int column, double *values);
