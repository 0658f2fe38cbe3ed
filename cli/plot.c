// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "base/file.h"
#include "cli.h"
#include "export/phase_svg.h"
#include "export/plot_compare.h"
#include "export/plot_svg.h"
#include "export/plot_text.h"
#include "export/render.h"
#include "io/filter.h"
#include "io/result_file.h"

typedef RB_ARRAY(int) Chosen;

enum { MOST = 100 }; // curves that an expression may choose

static RbStatus nothing_found(Cli *cli, const RbResult *r, const char *name) {
    RbNear near = {.wanted = name};
    for (int i = 0; i < r->variables.count; i++) rb_text_try_near(&near, r->variables.data[i].name);
    return rb_fail(&cli->diag, RB_ERROR_USAGE, rb_in_file(r->file), "there is no variable '%s'%s",
                   name, rb_text_near_question(&near, "", &cli->arena));
}

// The variable of this name, or all that change and whose whole name matches the expression.
static RbStatus find_variables(Cli *cli, const RbResult *r, const char *name, Chosen *chosen) {
    int index = rb_result_find(r, name), before = chosen->count;
    if (index >= 0) {
        rb_array_push(chosen, &cli->arena, index);
        return RB_OK;
    }
    RbFilter *filter;
    if (!strpbrk(name, "*+?|^$\\")) return nothing_found(cli, r, name);
    RB_TRY(rb_filter_compile(name, &cli->arena, &cli->diag, &filter));
    for (int i = 0; i < r->variables.count; i++) {
        const RbResultVariable *v = &r->variables.data[i];
        if (!v->parameter && rb_filter_matches(filter, v->name))
            rb_array_push(chosen, &cli->arena, i);
    }
    if (chosen->count == before) return nothing_found(cli, r, name);
    if (chosen->count - before > MOST)
        return rb_fail(&cli->diag, RB_ERROR_USAGE, rb_in_file(r->file),
                       "'%s' matches %d variables; at most %d can be drawn", name,
                       chosen->count - before, MOST);
    return RB_OK;
}

// In place of the result and the chosen variables: those of two results, and their differences.
static RbStatus compare_with(Cli *cli, const char *path, RbResult **result, Chosen *chosen) {
    RbResult *other;
    RB_TRY(rb_result_read(path, RB_JOURNAL_LOAD, &cli->arena, cli->scratch, &cli->diag, &other));
    *result = rb_plot_compare(*result, other, path, chosen->data, chosen->count, &cli->arena);
    chosen->count = 0;
    for (int i = 0; i < (*result)->variables.count; i++) rb_array_push(chosen, &cli->arena, i);
    return RB_OK;
}

static RbStatus draw(Cli *cli, const RbResult *result, const Chosen *chosen, RbText *svg) {
    if (cli_has(cli, "phase"))
        return rb_phase_svg(result, chosen->data, chosen->count, cli_option(cli, "title"),
                            cli->scratch, &cli->diag, svg);
    RbPlotOptions options = rb_plot_options();
    options.title = cli_option(cli, "title");
    RB_TRY(cli_number(cli, "start-time", &options.start_time));
    RB_TRY(cli_number(cli, "stop-time", &options.end_time));
    return rb_plot_svg(result, chosen->data, chosen->count, options, cli->scratch, &cli->diag, svg);
}

RbStatus run_plot(Cli *cli) {
    const char *path = cli->arguments.data[0], *output = cli_option(cli, "output-file");
    bool whole = cli_has(cli, "phase") || cli_has(cli, "preview") || cli_option(cli, "compare");
    Chosen chosen = {0};
    RbResult *result;
    RB_TRY(rb_result_read(path, whole ? RB_JOURNAL_LOAD : RB_JOURNAL_STREAM, &cli->arena,
                          cli->scratch, &cli->diag, &result));
    for (int i = 1; i < cli->arguments.count; i++)
        RB_TRY(find_variables(cli, result, cli->arguments.data[i], &chosen));
    if (cli_option(cli, "compare"))
        RB_TRY(compare_with(cli, cli_option(cli, "compare"), &result, &chosen));
    RbText text = rb_text(&cli->arena);
    if (cli_has(cli, "preview")) {
        rb_plot_text(result, chosen.data, chosen.count, 64, 8, cli->scratch, &text);
        fwrite(text.data, 1, (size_t)text.count, stdout);
        return RB_OK;
    }
    RB_TRY(draw(cli, result, &chosen, &text));
    if (!output) output = cli_with_ending(cli, path, ".svg");
    if (rb_text_ends_with(output, ".png"))
        return rb_render_svg(output, text.data, 2, &cli->arena, &cli->diag);
    return rb_file_write(rb_arena_text(&cli->arena, output), text.data, (size_t)text.count,
                         &cli->diag);
}
