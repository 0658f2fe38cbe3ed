// SPDX-License-Identifier: MIT
#include <math.h>

#include "cli.h"
#include "export/glb.h"
#include "export/still.h"
#include "export/three_json.h"
#include "io/filter.h"
#include "io/result_file.h"

static bool is_film(const char *path) {
    return rb_text_ends_with(path, ".glb") || rb_text_ends_with(path, ".json");
}

// Formats of what is seen.
static RbStatus convert_film(Cli *cli, const RbResult *result, const char *to) {
    RbFilm film;
    RB_TRY(rb_film_read(result, &cli->arena, &cli->diag, &film));
    if (!film.shows)
        return rb_fail(
            &cli->diag, RB_ERROR_USAGE, rb_in_file(result->file),
            "the result has no three-dimensional data: only a journal (.rbj) of a model with "
            "bodies has");
    double time = film.times[film.row_count - 1];
    RB_TRY(cli_number(cli, "time", &time));
    if (rb_text_ends_with(to, ".glb")) return rb_glb_write(to, &film, &cli->arena, &cli->diag);
    if (rb_text_ends_with(to, ".json"))
        return rb_three_json_write(to, &film, &cli->arena, &cli->diag);
    return rb_still_write(to, &film, time, &cli->arena, &cli->diag);
}

RbStatus run_convert(Cli *cli) {
    const char *from = cli->arguments.data[0], *to = cli->arguments.data[1];
    RbFilter *filter;
    RbResult *result;
    RB_TRY(rb_filter_compile(cli_option(cli, "variable-filter"), &cli->arena, &cli->diag, &filter));
    RB_TRY(rb_result_read(from, RB_JOURNAL_STREAM, &cli->arena, cli->scratch, &cli->diag, &result));
    if (is_film(to) || rb_still_can_write(to)) return convert_film(cli, result, to);
    if (cli_has(cli, "variable-filter")) {
        result = rb_filter_select(filter, result, &cli->arena, cli->scratch, &cli->diag);
    }
    return rb_result_write(to, result, &cli->arena, cli->scratch, &cli->diag);
}
