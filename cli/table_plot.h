// SPDX-License-Identifier: MIT
// table_plot.h: pictures of a table of runs (sweep, optimize): columns over a column, all against all, histograms; and the
// envelope of results.
#pragma once

#include "table.h"

// Runs that failed are left out. Columns by their numbers; -1: by nothing.
RbStatus table_curves(Cli *cli, const Table *table, int over, int by, const int *columns, int count,
                      RbDiagram *diagram);
RbStatus table_matrix(Cli *cli, const Table *table, const int *columns, int count, RbDiagram *diagram);
RbStatus table_histograms(Cli *cli, const Table *table, const int *columns, int count, RbDiagram *diagram);

// Columns "body.r[1]" that have a "body.r[2]" beside them; and a panel for each of them with the places of all runs in the plane, in the colour of
// another column.
int table_places(Cli *cli, const Table *table, int *columns);
RbStatus table_map(Cli *cli, const Table *table, const int *columns, int count, int by, RbDiagram *diagram);

// Over time, for each signal: the band of all results, that of nine tenths of them, and the median; with `each`, every result
// as a line. Results that have no such signal are left out.
RbStatus results_envelope(Cli *cli, const char *const *files, int file_count,
                          const char *const *signals, int count, bool each, RbDiagram *diagram);

// All columns with numbers, without those of run and status.
int table_number_columns(Cli *cli, const Table *table, int *columns);

// The results in a folder, by the number in their names.
RbStatus results_in(Cli *cli, const char *folder, const char ***files, int *count);
