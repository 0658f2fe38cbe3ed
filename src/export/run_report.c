// SPDX-License-Identifier: MIT
#include "export/run_report.h"

#include <ctype.h>
#include <math.h>

#include "base/text.h"
#include "export/energy_svg.h"
#include "export/page.h"
#include "export/plot_svg.h"
#include "export/touches.h"

static const char style[] =
    "<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#fff;color:#1c242c}\n"
    ".report{max-width:1100px;margin:0 auto;padding:1em}\n"
    ".report h1{font-size:1.6em;margin:.2em 0}.report h2{font-size:1.15em;margin:1.6em 0 .4em}\n"
    ".report table{border-collapse:collapse}.report td,.report th{padding:.15em 1em .15em 0;"
    "text-align:left;border-bottom:1px solid #d3dae0}\n"
    ".report svg{max-width:100%;height:auto}.energy text{font-size:12px;fill:currentColor}\n"
    ".energy .grid{stroke:#8a949e;stroke-opacity:.4}.legend "
    "span{margin-right:1.2em;white-space:nowrap}\n"
    ".legend i{display:inline-block;width:1em;height:.8em;margin-right:.4em}\n"
    ".report pre{overflow:auto;background:#f4f6f8;padding:1em;border-radius:4px;font-size:13px}\n"
    ".k{color:#0b5cad;font-weight:600}.c{color:#56616b}.s{color:#8a3324}.warning{color:#8a3324}\n"
    "#app{height:620px;border:1px solid #d3dae0;border-radius:4px;overflow:hidden}\n"
    ":root[data-theme=dark] body{background:#14181d;color:#e8edf2}\n"
    ":root[data-theme=dark] .report pre{background:#1c2229}:root[data-theme=dark] "
    ".k{color:#7fb8ee}\n"
    ":root[data-theme=dark] .c{color:#a8b3bd}:root[data-theme=dark] .s,:root[data-theme=dark] "
    ".warning{color:#f0a58f}\n"
    "</style>\n";

static void add_escaped(RbText *t, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
            case '<': rb_text_add(t, "&lt;"); break;
            case '>': rb_text_add(t, "&gt;"); break;
            case '&': rb_text_add(t, "&amp;"); break;
            case '"': rb_text_add(t, "&quot;"); break;
            default: rb_text_add_bytes(t, text + i, 1);
        }
    }
}

static void add_words(RbText *t, const char *text) {
    add_escaped(t, text, strlen(text));
}

static void add_row(RbText *t, const char *name, const char *value) {
    rb_text_add(t, "<tr><td>");
    add_words(t, name);
    rb_text_add(t, "</td><td>");
    add_words(t, value);
    rb_text_add(t, "</td></tr>\n");
}

static void add_number_row(RbText *t, const char *name, double value, const char *unit,
                           RbArena *a) {
    if (isfinite(value)) add_row(t, name, rb_arena_printf(a, "%.6g%s", value, unit));
}

// ---- what came of it

// How fast it was: a result must not know, since the same run gives the same bytes.
static void add_speed(RbText *t, const RbResult *r, const RbSummary *run, RbArena *scratch) {
    if (!run) return;
    if (run->solver) add_row(t, "solver", run->solver);
    add_number_row(t, "CPU time", run->cpu_time, " s", scratch);
    add_number_row(t, "elapsed", run->wall_time, " s", scratch);
    if (run->wall_time > 0)
        add_number_row(t, "real-time factor",
                       (run->time - r->experiment.start_time) / run->wall_time, "", scratch);
    add_number_row(t, "memory", (double)run->peak_bytes * 1e-6, " MB", scratch);
}

static void add_summary(RbText *t, const RbResult *r, const RbSummary *run, RbArena scratch) {
    rb_text_add(t, "<h2>Summary</h2>\n<table><tbody>\n");
    const RbResultExperiment *e = &r->experiment;
    add_row(t, "state", r->complete ? "complete" : r->reason);
    add_number_row(t, "start time", e->start_time, " s", &scratch);
    add_number_row(t, "stop time", e->stop_time, " s", &scratch);
    add_number_row(t, "tolerance", e->tolerance, "", &scratch);
    for (int i = 0; i < r->figures.count; i++) {
        char *name = rb_arena_text(&scratch, r->figures.data[i].name);
        for (char *c = name; *c; c++) *c = *c == '_' ? ' ' : *c;
        add_number_row(t, name, r->figures.data[i].value, "", &scratch);
    }
    add_speed(t, r, run, &scratch);
    add_number_row(t, "recorded points", (double)r->row_count, "", &scratch);
    add_number_row(t, "variables", r->variables.count, "", &scratch);
    double residual, height;
    rb_energy_residual(r, scratch, &residual, &height);
    if (isfinite(residual))
        add_row(t, "energy that the balance misses",
                rb_arena_printf(&scratch, "%.2g J of %.4g J", residual, height));
    rb_text_add(t, "</tbody></table>\n");
}

// What the run warned of, each once.
static void add_remarks(RbText *t, const RbDiag *said) {
    for (int i = 0; said && i < said->messages.count; i++) {
        const RbMessage *m = &said->messages.data[i];
        if (m->severity == RB_NOTE) continue;
        rb_text_add(t, "<p class=\"warning\">");
        if (m->at.file) add_words(t, m->at.file);
        if (m->at.file && m->at.line > 0) rb_text_printf(t, ":%d:%d", m->at.line, m->at.column);
        if (m->at.file) rb_text_add(t, ": ");
        add_words(t, m->text);
        rb_text_add(t, "</p>\n");
    }
}

static void add_warnings(RbText *t, const RbResult *r, const RbDiag *said, RbArena scratch) {
    add_remarks(t, said);
    double residual, height;
    rb_energy_residual(r, scratch, &residual, &height);
    if (!r->complete) {
        rb_text_add(t, "<p class=\"warning\">The run did not reach its end: ");
        add_words(t, r->reason);
        rb_text_add(t, "</p>\n");
    }
    if (residual > 1e-2 * height)
        rb_text_printf(
            t,
            "<p class=\"warning\">The energy balance misses %.2g %% of the energy: a smaller "
            "tolerance may be needed.</p>\n",
            100 * residual / height);
}

// ---- contacts

// Which bodies touch, and how hard: the pairs with the largest forces.
static void add_touches(RbText *t, const RbResult *r, RbArena scratch) {
    enum { SHOWN = 30 };
    RbTouches touches = rb_touches(r, &scratch);
    if (touches.pairs.count == 0) return;
    rb_text_printf(
        t,
        "<h2>Contacts</h2>\n<p>%d pairs of bodies touch, in at most %d contacts at a time. "
        "Times and forces are those of recorded points and events.</p>\n"
        "<table><thead><tr><th>bodies</th><th>largest force</th><th>at</th>"
        "<th>first</th><th>last</th></tr></thead><tbody>\n",
        touches.pairs.count, touches.most);
    for (int i = 0; i < touches.pairs.count && i < SHOWN; i++) {
        const RbTouchedPair *p = &touches.pairs.data[i];
        rb_text_add(t, "<tr><td>");
        add_words(t, p->a);
        rb_text_add(t, ", ");
        add_words(t, p->b);
        rb_text_printf(t,
                       "</td><td>%.4g N</td><td>%.6g s</td><td>%.6g s</td><td>%.6g s</td></tr>\n",
                       p->force, p->at, p->first, p->last);
    }
    rb_text_add(t, "</tbody></table>\n");
    if (touches.pairs.count > SHOWN)
        rb_text_printf(t, "<p>%d more pairs are not listed.</p>\n", touches.pairs.count - SHOWN);
}

// ---- curves

// A few that say much: energies of bodies, otherwise the first variables that change.
static int choose_plots(const RbResult *r, int *list, int most) {
    static const char *const good[] = {"energy.kinetic", "energy.potential", "energy.residual"};
    int count = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good && count < most; i++) {
        int v = rb_result_find(r, good[i]);
        if (v >= 0) list[count++] = v;
    }
    for (int i = 0; count == 0 && i < r->variables.count; i++) {
        for (int k = i; k < r->variables.count && count < 4; k++) {
            const RbResultVariable *v = &r->variables.data[k];
            if (!v->parameter && v->alias_of < 0) list[count++] = k;
        }
    }
    return count;
}

static RbStatus add_plots(RbText *t, const RbResult *r, const RbReportOptions *o, RbArena scratch,
                          RbDiag *diag) {
    int *list = rb_new_array(&scratch, int, o->plot_count + 4), count = 0;
    for (int i = 0; i < o->plot_count; i++) {
        list[count] = rb_result_find(r, o->plots[i]);
        if (list[count] < 0)
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "there is no variable '%s'",
                           o->plots[i]);
        count++;
    }
    if (count == 0) count = choose_plots(r, list, 4);
    if (count == 0) return RB_OK;
    rb_text_add(t, "<h2>Curves</h2>\n");
    RbPlotOptions options = rb_plot_options();
    options.title = "";
    return rb_plot_svg(r, list, count, options, scratch, diag, t);
}

// ---- the text of the model

static bool is_keyword(const char *word, size_t length) {
    static const char *const keywords[] = {
        "algorithm", "and",       "annotation", "block",        "break",       "class",
        "connect",   "connector", "constant",   "der",          "discrete",    "each",
        "else",      "elseif",    "elsewhen",   "encapsulated", "end",         "enumeration",
        "equation",  "extends",   "external",   "false",        "final",       "flow",
        "for",       "function",  "if",         "import",       "in",          "initial",
        "inner",     "input",     "loop",       "model",        "not",         "operator",
        "or",        "outer",     "output",     "package",      "parameter",   "partial",
        "protected", "public",    "record",     "redeclare",    "replaceable", "return",
        "stream",    "then",      "true",       "type",         "when",        "while",
        "within"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strlen(keywords[i]) == length && strncmp(keywords[i], word, length) == 0) return true;
    }
    return false;
}

static size_t token_length(const char *p, const char **kind) {
    *kind = NULL;
    if (p[0] == '/' && p[1] == '/') {
        *kind = "c";
        return strcspn(p, "\n");
    }
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        *kind = "c";
        return end ? (size_t)(end + 2 - p) : strlen(p);
    }
    if (p[0] == '"') {
        size_t n = 1;
        while (p[n] && p[n] != '"') n += p[n] == '\\' && p[n + 1] ? 2 : 1;
        *kind = "s";
        return p[n] ? n + 1 : n;
    }
    if (isalpha((unsigned char)p[0]) || p[0] == '_') {
        size_t n = 1;
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
        if (is_keyword(p, n)) *kind = "k";
        return n;
    }
    return 1;
}

static void add_model(RbText *t, const RbReportOptions *o) {
    if (!o->model_text) return;
    rb_text_add(t, "<h2>Model</h2>\n<p>");
    add_words(t, o->model_name ? o->model_name : "");
    rb_text_add(t, "</p>\n<pre tabindex=\"0\" aria-label=\"text of the model\">");
    for (const char *p = o->model_text; *p;) {
        const char *kind;
        size_t length = token_length(p, &kind);
        if (kind) rb_text_printf(t, "<span class=\"%s\">", kind);
        add_escaped(t, p, length);
        if (kind) rb_text_add(t, "</span>");
        p += length;
    }
    rb_text_add(t, "</pre>\n");
}

RbStatus rb_report_write(const char *path, const RbResult *r, const RbReportOptions *o,
                         RbArena *arena, RbArena scratch, RbDiag *diag) {
    RbText before = rb_text(arena), after = rb_text(arena);
    const char *title = o->title ? o->title : r->experiment.model;
    rb_text_add(&before, style);
    rb_text_add(&before, "<main class=\"report\">\n<h1>");
    add_words(&before, title && title[0] ? title : "Result");
    rb_text_add(&before, "</h1>\n");
    add_warnings(&before, r, o->said, scratch);
    rb_text_add(&before, "<h2>Motion and curves</h2>\n<div id=\"app\"></div>\n");
    add_summary(&before, r, o->run, scratch);
    int start = before.count;
    rb_text_add(&before, "<h2>Energy</h2>\n");
    if (!rb_energy_svg(r, scratch, &before)) before.count = start;
    before.data[before.count] = 0;
    add_touches(&before, r, scratch);
    RB_TRY(add_plots(&before, r, o, scratch, diag));
    add_model(&before, o);
    rb_text_add(&before, "</main>\n");
    RbPageOptions page = rb_page_options();
    page.title = o->title;
    page.before = before.data;
    page.after = after.data;
    return rb_page_write(path, r, &page, arena, scratch, diag);
}
