// SPDX-License-Identifier: MIT
// svg_file.h: a drawing in SVG as a file: .svg, .png or .pdf. A chromium without a window makes the latter two: it is what draws the 3D
// pictures, so plots need no further program, and the text of a PDF stays text, in the fonts of the machine.
#pragma once

#include "base/diag.h"

bool rb_svg_can_write(const char *path); // also "-", and names without an ending: SVG

// dark: in dark colours everywhere, not only in pages that are dark.
RbStatus rb_svg_write(const char *path, const char *svg, bool dark, RbArena *arena, RbDiag *diag);
