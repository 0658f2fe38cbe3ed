// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

// "1280x720"
static RbStatus parse_size(Cli *cli, RbRenderOptions *o) {
    const char *text = cli_option(cli, "size");
    int end = 0;
    if (!text) return RB_OK;
    if (sscanf(text, "%5dx%5d%n", &o->width, &o->height, &end) == 2 && text[end] == 0) return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "--size is '%s'; it must be WIDTHxHEIGHT, such as 1280x720", text);
}

// "1,-2,0.5"
static RbStatus parse_place(Cli *cli, const char *name, double at[3]) {
    const char *text = cli_option(cli, name);
    int end = 0;
    if (!text) return RB_OK;
    if (sscanf(text, "%lf,%lf,%lf%n", &at[0], &at[1], &at[2], &end) == 3 && text[end] == 0)
        return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "--%s is '%s'; it must be a point X,Y,Z, such as 1,-2,0.5", name, text);
}

// A place, or the name of a view.
static RbStatus parse_camera(Cli *cli, RbRenderOptions *options) {
    const char *text = cli_option(cli, "camera");
    if (text && strchr(text, ',')) return parse_place(cli, "camera", options->camera);
    if (text) options->view = text;
    return RB_OK;
}

// "y", "y=0.2"
static RbStatus parse_cut(Cli *cli, RbRenderOptions *options) {
    const char *text = cli_option(cli, "cut");
    int end = 0;
    if (!text) return RB_OK;
    const char *axis = text[0] ? strchr("xyz", text[0]) : NULL;
    if (axis && (text[1] == 0 ||
                 (sscanf(text + 1, "=%lf%n", &options->cut_at, &end) == 1 && text[1 + end] == 0))) {
        options->cut_axis = (int)(axis - "xyz") + 1;
        return RB_OK;
    }
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "--cut is '%s'; it must be x, y or z, or a place on it such as y=0.2", text);
}

// A file with the columns time, x, y, z, look_x, look_y, look_z, as the page saves it.
static RbStatus read_flight(Cli *cli, RbRenderOptions *options) {
    static const char *const names[] = {"time", "x", "y", "z", "look_x", "look_y", "look_z"};
    const char *path = cli_option(cli, "camera-path");
    if (!path) return RB_OK;
    Table t;
    TRY(table_read(cli, path, &t));
    RbCameraKey *keys = cli_room(cli, (size_t)(t.rows + 1) * sizeof *keys);
    double *values = cli_room(cli, (size_t)(t.rows + 1) * sizeof *values);
    for (int c = 0; c < 7; c++) {
        int column = table_find(&t, names[c]);
        if (column < 0)
            return cli_fail(cli, RB_ERROR_USAGE, path,
                            "a flight of the camera has the columns time, x, y, z, look_x, look_y, "
                            "look_z; '%s' is missing",
                            names[c]);
        if (!table_numbers(&t, column, values))
            return cli_fail(cli, RB_ERROR_USAGE, path, "the column '%s' must hold numbers",
                            names[c]);
        for (int i = 0; i < t.rows; i++) {
            double *to = c == 0  ? &keys[i].time
                         : c < 4 ? &keys[i].camera[c - 1]
                                 : &keys[i].look_at[c - 4];
            *to = values[i];
        }
    }
    options->flight = keys;
    options->flight_count = t.rows;
    return RB_OK;
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
    TRY(parse_camera(cli, &options));
    TRY(parse_place(cli, "look-at", options.look_at));
    TRY(parse_cut(cli, &options));
    TRY(read_flight(cli, &options));
    options.follow = cli_option(cli, "follow");
    options.label = cli_option(cli, "label");
    options.see_through = cli_option(cli, "see-through");
    double samples = options.samples;
    TRY(cli_number(cli, "samples", &samples));
    options.samples = samples >= 1 && samples <= 4 && samples == (int)samples ? (int)samples : 0;
    TRY(cli_number(cli, "strain", &options.strain));
    options.show = cli_option(cli, "show");
    options.dark = cli_has(cli, "dark");
    if (!output) output = cli_with_ending(cli, path, ".png");
    if (!rb_can_render(output))
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "--output-file is '%s'; it must end in .png (a picture), .mp4 or .webp (a film)",
            output);
    return rb_render(cli->context, path, output, &options);
}
