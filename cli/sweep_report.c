// SPDX-License-Identifier: MIT
#include "sweep_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table_plot.h"

enum { MOST_PAGES = 30, MOST_ROWS = 5000, MOST_SIDES = 6, MOST_SIGNALS = 6, MOST_LINES = 30, FEW_PLACES = 10, MOST_COLUMNS = 12 };

static const char head[] =
    "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:0 auto;padding:1em;background:#fff;color:#1c242c}\n"
    "h1{font-size:1.6em;margin:.2em 0}h2{font-size:1.15em;margin:1.6em 0 .4em}svg{max-width:100%;height:auto}\n"
    ".wide{overflow:auto;max-height:40em}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "td,th{padding:.15em 1em .15em 0;text-align:left;border-bottom:1px solid #d3dae0;white-space:nowrap}\n"
    "th{position:sticky;top:0;background:#fff;cursor:pointer}.failed{color:#8a3324}\n</style>\n";

// A click on a name sorts by that column, a second one the other way round.
static const char script[] =
    "<script>\ndocument.querySelectorAll('th').forEach((th, column) => {\n"
    "  let sign = 1;\n  th.onclick = () => {\n"
    "    const body = th.closest('table').tBodies[0], text = row => row.cells[column].textContent;\n"
    "    const order = (a, b) => { const d = text(a) - text(b);\n"
    "      return sign * (isNaN(d) ? text(a).localeCompare(text(b)) : d); };\n"
    "    body.append(...[...body.rows].sort(order));\n    sign = -sign;\n  };\n});\n</script>\n";

static void add_escaped(Text *t, const char *text) {
    for (; *text; text++) {
        const char *as = *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : *text == '"' ? "&quot;" : NULL;
        if (as)
            text_add(t, as);
        else
            text_add_bytes(t, text, 1);
    }
}

static RbStatus add_diagram(Cli *cli, Text *page, const char *heading, const RbDiagram *diagram) {
    const char *svg;
    TRY(rb_diagram_svg(cli->context, diagram, &svg));
    text_printf(page, "<h2>%s</h2>\n", heading);
    text_add(page, svg);
    return RB_OK;
}

// Over one parameter, or one and curves for the other, or all columns against all others.
static RbStatus add_pictures(Cli *cli, const SweepReport *r, const Table *t, Text *page) {
    int *columns = cli_room(cli, (size_t)(t->columns + 1) * sizeof *columns), count = 0;
    int places = table_places(cli, t, columns);
    int first_kept = 1 + r->design->count;
    double *values = cli_room(cli, (size_t)(t->rows + 1) * sizeof *values);
    RbDiagram diagram;
    if (places > 0 && t->rows >= FEW_PLACES) {
        TRY(table_map(cli, t, columns, places, 1, &diagram));
        TRY(add_diagram(cli, page, "Places", &diagram));
    }
    for (int i = first_kept; i < first_kept + r->kept->count && count < MOST_COLUMNS; i++)
        if (table_numbers(t, i, values)) columns[count++] = i;
    if (count == 0) return RB_OK;
    bool grid = r->design->kind == DESIGN_GRID && !r->design->cells && r->design->count == 2;
    if (r->design->count == 1 || grid) {
        TRY(table_curves(cli, t, 1, grid ? 2 : -1, columns, count, &diagram));
        TRY(add_diagram(cli, page, "Over the parameters", &diagram));
    } else {
        int *all = cli_room(cli, (size_t)(t->columns + 1) * sizeof *all);
        int sides = table_number_columns(cli, t, all);
        TRY(table_matrix(cli, t, all, sides < MOST_SIDES ? sides : MOST_SIDES, &diagram));
        TRY(add_diagram(cli, page, "All against all", &diagram));
    }
    TRY(table_histograms(cli, t, columns, count, &diagram));
    return add_diagram(cli, page, "How often", &diagram);
}

static bool is_good(const Table *t, int row) {
    return strcmp(table_cell(t, row, table_find(t, "status")), "0") == 0;
}

// What the runs did over time: a line for each of a few, bands of many.
static RbStatus add_results(Cli *cli, const SweepReport *r, const Table *t, Text *page) {
    const char **files = cli_room(cli, (size_t)(t->rows + 1) * sizeof *files);
    int count = 0, signals = r->kept->signals.count;
    for (int i = 0; i < t->rows; i++)
        if (is_good(t, i)) files[count++] = cli_printf(cli, "%s/%d.rbj", r->results, i + 1);
    if (signals > MOST_SIGNALS) signals = MOST_SIGNALS;
    if (signals == 0 || count == 0) return RB_OK;
    RbDiagram diagram;
    TRY(results_envelope(cli, files, count, r->kept->signals.names, signals, count <= MOST_LINES,
                         &diagram));
    return add_diagram(cli, page, "The runs side by side", &diagram);
}

// A page of its own for each run, beside its result. NULL: it has none.
static const char *page_of(Cli *cli, const SweepReport *r, const Table *t, int row) {
    const char *html = cli_printf(cli, "%s/%d.html", r->results, row + 1),
               *result = cli_printf(cli, "%s/%d.rbj", r->results, row + 1);
    if (t->rows > MOST_PAGES || !is_good(t, row)) return NULL;
    RbViewOptions options = {.title = cli_printf(cli, "%s, run %d", r->title, row + 1)};
    return rb_view(cli->context, result, html, &options) == RB_OK ? html : NULL;
}

// Links are relative to the folder of the report.
static const char *seen_from(Cli *cli, const char *file, const char *report) {
    const char *slash = strrchr(report, '/');
    size_t length = slash ? (size_t)(slash - report + 1) : 0;
    if (file[0] == '/' || length == 0) return file;
    if (strncmp(file, report, length) == 0) return file + length;
    char *here = realpath(file, NULL); // another place: the whole path
    const char *whole = here ? cli_copy(cli, here, strlen(here)) : file;
    free(here);
    return whole;
}

static void add_row(Cli *cli, const SweepReport *r, const Table *t, int row, const char *report,
                    bool *pages, Text *page) {
    const char *view = r->results && *pages ? page_of(cli, r, t, row) : NULL;
    if (r->results && is_good(t, row) && !view) *pages = false;
    text_add(page, is_good(t, row) ? "<tr>" : "<tr class=\"failed\">");
    for (int i = 0; i < t->columns; i++) {
        text_add(page, "<td>");
        if (i == 0 && view) {
            text_add(page, "<a href=\"");
            add_escaped(page, seen_from(cli, view, report));
            text_add(page, "\">");
        }
        add_escaped(page, table_cell(t, row, i));
        text_add(page, i == 0 && view ? "</a></td>" : "</td>");
    }
    text_add(page, "</tr>\n");
}

static void add_table(Cli *cli, const SweepReport *r, const Table *t, const char *report, Text *page) {
    bool pages = r->results && t->rows <= MOST_PAGES;
    int rows = t->rows < MOST_ROWS ? t->rows : MOST_ROWS;
    text_add(page, "<h2>Runs</h2>\n");
    if (pages)
        text_add(page, "<p>The number of a run opens it in three dimensions.</p>\n");
    else if (r->results) {
        text_add(page, "<p>To see run 7: <code>rattleback view ");
        add_escaped(page, r->results);
        text_add(page, "/7.rbj</code></p>\n");
    }
    if (rows < t->rows) {
        text_printf(page, "<p>The first %d of %d runs; all are in ", rows, t->rows);
        add_escaped(page, t->file);
        text_add(page, ".</p>\n");
    }
    text_add(page, "<div class=\"wide\"><table>\n<thead><tr>");
    for (int i = 0; i < t->columns; i++) {
        text_add(page, "<th>");
        add_escaped(page, t->names[i]);
        text_add(page, "</th>");
    }
    text_add(page, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < rows; i++) add_row(cli, r, t, i, report, &pages, page);
    text_add(page, "</tbody></table></div>\n");
}

static RbStatus write_page(Cli *cli, const Text *page, const char *file) {
    FILE *out = fopen(file, "w");
    bool good = out && fwrite(page->data, 1, (size_t)page->count, out) == (size_t)page->count;
    if (out && fclose(out) != 0) good = false;
    return good ? RB_OK : cli_fail(cli, RB_ERROR_IO, file, "cannot write");
}

RbStatus sweep_report_write(Cli *cli, const SweepReport *r, const char *file) {
    Table t;
    Text page = text_new(cli);
    int good = 0;
    TRY(table_read(cli, r->table, &t));
    for (int i = 0; i < t.rows; i++) good += is_good(&t, i);
    text_add(&page, "<!doctype html>\n<html lang=\"en\"><head><title>Sweep of ");
    add_escaped(&page, r->title);
    text_printf(&page, "</title>\n%s</head><body>\n<h1>Sweep of ", head);
    add_escaped(&page, r->title);
    text_printf(&page, "</h1>\n<p>%d runs, %d failed.</p>\n", t.rows, t.rows - good);
    if (good > 0) TRY(add_pictures(cli, r, &t, &page));
    if (good > 0 && r->results) TRY(add_results(cli, r, &t, &page));
    add_table(cli, r, &t, file, &page);
    text_printf(&page, "%s</body></html>\n", script);
    return write_page(cli, &page, file);
}
