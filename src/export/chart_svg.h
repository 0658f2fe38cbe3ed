// SPDX-License-Identifier: MIT
// chart_svg.h: a chart (include/rattleback/chart.h) as SVG, which follows the light or dark scheme of the page that shows it.
#pragma once

#include "base/text.h"
#include "rattleback/chart.h"

void rb_chart_to_svg(const RbChart *chart, RbText *out);
