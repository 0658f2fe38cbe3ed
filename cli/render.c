// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "export/render.h"
#include "io/result_file.h"

// "1280x720"
static RbStatus parse_size(Cli *cli, RbRenderOptions *o) {
    const char *text = cli_option(cli, "size");
    int end = 0;
    if (!text) return RB_OK;
    if (sscanf(text, "%5dx%5d%n", &o->width, &o->height, &end) == 2 && text[end] == 0) return RB_OK;
    return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "--size is '%s'; it must be WIDTHxHEIGHT, such as 1280x720", text);
}

RbStatus run_render(Cli *cli) {
    const char *path = cli->arguments.data[0], *output = cli_option(cli, "output-file");
    RbRenderOptions options = rb_render_options_default();
    double rate = options.frames_per_second;
    RB_TRY(parse_size(cli, &options));
    RB_TRY(cli_number(cli, "time", &options.time));
    RB_TRY(cli_number(cli, "start-time", &options.start));
    RB_TRY(cli_number(cli, "stop-time", &options.stop));
    RB_TRY(cli_number(cli, "speed", &options.speed));
    RB_TRY(cli_number(cli, "frame-rate", &rate));
    options.frames_per_second = rate >= 1 && rate <= 240 ? (int)rate : 0;
    if (cli_option(cli, "camera")) options.view = cli_option(cli, "camera");
    options.dark = cli_has(cli, "dark");
    if (!output) output = cli_with_ending(cli, path, ".png");
    if (!rb_render_can_write(output))
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "--output-file is '%s'; it must end in .png (a picture) or .mp4 (a film)",
                       output);
    RbResult *result;
    RB_TRY(rb_result_read(path, RB_JOURNAL_STREAM, &cli->arena, cli->scratch, &cli->diag, &result));
    return rb_render_write(output, result, &options, &cli->arena, cli->scratch, &cli->diag);
}
