// SPDX-License-Identifier: MIT
// Diagrams: marks stand where the numbers say, gaps and logarithms, wrong arguments.
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rattleback/rattleback.h"

static const char *draw(RbContext *c, const RbDiagramPanel *panel) {
    const char *svg = NULL;
    ENSURE(rb_diagram_svg(c, &(RbDiagram){.title = "a < b", .panels = panel, .panel_count = 1}, &svg) == RB_OK);
    return svg;
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (; (text = strstr(text, part)); text++) count++;
    return count;
}

// Places of the marks, in the order of the points.
static int circles(const char *svg, double *x, double *y, int most) {
    int count = 0;
    for (const char *at = svg; count < most && (at = strstr(at, "<circle ")); at++)
        count += sscanf(at, "<circle cx=\"%lf\" cy=\"%lf\"", &x[count], &y[count]) == 2;
    return count;
}

static void places_are_proportional(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    const double x[] = {0, 1, 4, NAN}, y[] = {10, 20, 15, 3};
    RbDiagramCurve curve = {.name = "p & q", .x = x, .y = y, .count = 4, .mark = RB_MARK_POINTS};
    const char *svg = draw(c, &(RbDiagramPanel){.x_label = "x", .curves = &curve, .curve_count = 1});
    double px[4], py[4];
    ENSURE(circles(svg, px, py, 4) == 3); // the fourth has no place
    ENSURE_NEAR((px[1] - px[0]) / (px[2] - px[0]), 0.25, 1e-3);
    ENSURE_NEAR((py[2] - py[0]) / (py[1] - py[0]), 0.5, 1e-3);
    ENSURE(py[1] < py[0]); // up
    ENSURE(strstr(svg, "a &lt; b") && strstr(svg, "p &amp; q") && !strstr(svg, "nan"));
    curve.x = (const double[]){1, 10, 1000, -5}; // equal ratios are equal lengths; what has no logarithm is left out
    svg = draw(c, &(RbDiagramPanel){.log_x = true, .curves = &curve, .curve_count = 1});
    ENSURE(circles(svg, px, py, 4) == 3);
    ENSURE_NEAR((px[1] - px[0]) / (px[2] - px[0]), 1.0 / 3, 1e-3);
    rb_context_free(c);
}

static void same_scale(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    const double x[] = {0, 1, 1}, y[] = {0, 0, 1};
    RbDiagramCurve curve = {.x = x, .y = y, .count = 3, .mark = RB_MARK_POINTS};
    double px[3], py[3];
    const char *svg = draw(c, &(RbDiagramPanel){.same_scale = true, .curves = &curve, .curve_count = 1});
    ENSURE(circles(svg, px, py, 3) == 3);
    ENSURE_NEAR(px[1] - px[0], py[1] - py[2], 0.02);
    rb_context_free(c);
}

static void lines_bars_and_bands(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 1, NAN, 1, 2}, top[] = {1, 2, 2, 3, 3};
    RbDiagramCurve curves[] = {{.x = x, .y = y, .count = 5},
                             {.x = x, .y = y, .count = 5, .mark = RB_MARK_BARS},
                             {.x = x, .y = y, .top = top, .count = 5, .mark = RB_MARK_BAND},
                             {.x = x, .y = y, .count = 5, .mark = RB_MARK_CROSSES}};
    const char *svg = draw(c, &(RbDiagramPanel){.curves = curves, .curve_count = 1});
    const char *path = strstr(svg, " d=\"");
    ENSURE(path && count_of(path, "M") == 2); // broken at the missing value
    svg = draw(c, &(RbDiagramPanel){.curves = curves + 1, .curve_count = 1});
    ENSURE(count_of(svg, "fill-opacity=\"0.7\"") == 4);
    svg = draw(c, &(RbDiagramPanel){.curves = curves + 2, .curve_count = 1});
    ENSURE(count_of(svg, "Z\"/>") == 2);
    svg = draw(c, &(RbDiagramPanel){.curves = curves + 3, .curve_count = 1});
    ENSURE(count_of(svg, "l8,8m-8,0l8,-8") == 4);
    const char *const names[] = {"Steel", "Dry<Wood"};
    svg = draw(c, &(RbDiagramPanel){.x_names = names, .x_name_count = 2, .curves = curves, .curve_count = 1});
    ENSURE(strstr(svg, ">Steel<") && strstr(svg, "Dry&lt;Wood"));
    svg = draw(c, &(RbDiagramPanel){.x_label = "nothing"}); // an empty panel is a frame
    ENSURE(strstr(svg, "nothing") != NULL);
    rb_context_free(c);
}

static void wrong_arguments(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    const char *svg;
    RbDiagramCurve curve = {.count = 3};
    RbDiagramPanel panel = {.curves = &curve, .curve_count = 1};
    RbDiagram diagram = {.panels = &panel, .panel_count = 1};
    ENSURE(rb_diagram_svg(c, NULL, &svg) == RB_ERROR_USAGE);
    ENSURE(rb_diagram_svg(c, &(RbDiagram){0}, &svg) == RB_ERROR_USAGE);
    ENSURE(rb_diagram_svg(c, &diagram, &svg) == RB_ERROR_USAGE); // a curve without numbers
    curve.count = 0;
    ENSURE(rb_diagram_svg(c, &diagram, &svg) == RB_OK);
    ENSURE(rb_diagram_write(c, &diagram, "diagram.eps") == RB_ERROR_USAGE);
    ENSURE(rb_diagram_write(c, &diagram, "nowhere/diagram.svg") == RB_ERROR_IO);
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_proportional), cmocka_unit_test(same_scale),
        cmocka_unit_test(lines_bars_and_bands), cmocka_unit_test(wrong_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
