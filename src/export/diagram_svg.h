// SPDX-License-Identifier: MIT
// diagram_svg.h: a diagram (include/rattleback/diagram.h) as SVG, which follows the light or dark scheme of the page that shows it.
#pragma once

#include "base/text.h"
#include "rattleback/diagram.h"

void rb_diagram_to_svg(const RbDiagram *diagram, RbText *out);
