// SPDX-License-Identifier: MIT
// render.h: what the page shows as a picture (.png) or a film (.mp4, .webp), without a display: the page is drawn by a chromium
// without a window, the film is put together by ffmpeg.
#pragma once

#include <rattleback/view.h>

#include "io/result.h"

bool rb_render_can_write(const char *path); // .png, .mp4 or .webp

RbStatus rb_render_write(const char *path, const RbResult *result, const RbRenderOptions *options,
                         RbArena *arena, RbArena scratch, RbDiag *diag);
