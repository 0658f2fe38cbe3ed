// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

// "1280x720"
static RbStatus parse_size(Cli *cli, RbRenderOptions *o) {
    const char *text = cli_option(cli, "size");
    int end = 0;
    if (!text) return RB_OK;
    if (sscanf(text, "%5dx%5d%n", &o->width, &o->height, &end) == 2 && text[end] == 0) return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "--size is '%s'; it must be WIDTHxHEIGHT, such as 1280x720", text);
}

RbStatus run_render(Cli *cli) {
    const char *path = cli->arguments[0], *output = cli_option(cli, "output-file");
    RbRenderOptions options = rb_render_options_default();
    double rate = options.frames_per_second;
    TRY(parse_size(cli, &options));
    TRY(cli_number(cli, "time", &options.time));
    TRY(cli_number(cli, "start-time", &options.start));
    TRY(cli_number(cli, "stop-time", &options.stop));
    TRY(cli_number(cli, "speed", &options.speed));
    TRY(cli_number(cli, "frame-rate", &rate));
    options.frames_per_second = rate >= 1 && rate <= 240 ? (int)rate : 0;
    if (cli_option(cli, "camera")) options.view = cli_option(cli, "camera");
    TRY(cli_number(cli, "strain", &options.strain));
    options.show = cli_option(cli, "show");
    options.dark = cli_has(cli, "dark");
    if (!output) output = cli_with_ending(cli, path, ".png");
    if (!rb_can_render(output))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "--output-file is '%s'; it must end in .png (a picture) or .mp4 (a film)",
                        output);
    return rb_render(cli->context, path, output, &options);
}
