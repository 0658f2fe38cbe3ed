// SPDX-License-Identifier: MIT
// render.h: what the page shows as a picture (.png) or a film (.mp4), without a display: the page is drawn by a chromium
// without a window, the film is put together by ffmpeg.
#pragma once

#include "io/result.h"

typedef struct RbRenderOptions {
    double time;        // [s] of a picture; NaN: the last one
    double start, stop; // [s] of a film; NaN: of the result
    double speed;       // seconds of the run per second of the film
    int frames_per_second;
    int width, height; // [px]
    const char *view;  // iso, front, back, left, right, top or bottom
    bool dark;
} RbRenderOptions;

RbRenderOptions rb_render_options(void); // 1280 x 720, 30 frames/s, iso, light, speed 1

bool rb_render_can_write(const char *path); // .png or .mp4

RbStatus rb_render_write(const char *path, const RbResult *result, const RbRenderOptions *options,
                         RbArena *arena, RbArena scratch, RbDiag *diag);

// A drawing in SVG as a PNG, `scale` pixels for each of its own.
RbStatus rb_render_svg(const char *path, const char *svg, double scale, RbArena *arena,
                       RbDiag *diag);
