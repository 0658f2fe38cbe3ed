// SPDX-License-Identifier: MIT
// Plots: marks of axes, thinning of points, gaps and steps, and a picture that is well-formed and
// shows what it should.
#include "testing.h"

#include <string.h>

#include "base/file.h"
#include "export/plot_path.h"
#include "export/plot_svg.h"
#include "export/ticks.h"
#include "math/rng.h"

// ---- axes

static void marks_are_round_numbers(void **state) {
    (void)state;
    static const struct {
        double low, high;
        int wanted, count;
        const char *first, *second, *last;
    } cases[] = {
        {0, 1, 5, 6, "0.0", "0.2", "1.0"},
        {-1, 1, 4, 5,
         "\xe2\x88\x92"
         "1.0",
         "\xe2\x88\x92"
         "0.5",
         "1.0"},
        {0, 10, 5, 6, "0", "2", "10"},
        {299.9981, 300.0021, 8, 8, "299.9985", "299.9990", "300.0020"},
        {0, 4e6, 4, 5, "0", "1", "4"},   // times 10^6
        {0, 2e-5, 4, 5, "0", "5", "20"}, // times 10^-6
        {0.13, 0.87, 4, 4, "0.2", "0.4", "0.8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RbTicks t = rb_ticks(cases[i].low, cases[i].high, cases[i].wanted);
        char label[40];
        assert_int_equal(t.count, cases[i].count);
        rb_ticks_label(&t, 0, label);
        assert_string_equal(label, cases[i].first);
        rb_ticks_label(&t, 1, label);
        assert_string_equal(label, cases[i].second);
        rb_ticks_label(&t, t.count - 1, label);
        assert_string_equal(label, cases[i].last);
    }
}

// Any range has a sensible number of marks, all of them in it, all different.
static void any_range_has_marks(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 20000; i++) {
        double size = pow(10, rb_rng_range(&rng, -250, 250)),
               middle = size * rb_rng_range(&rng, -1000, 1000);
        double low = middle - size, high = middle + size;
        int wanted = 3 + rb_rng_int(&rng, 10);
        RbTicks t = rb_ticks(low, high, wanted);
        ENSURE(t.count >= wanted / 2 - 1 && t.count <= 2 * wanted + 1);
        char before[40] = "", label[40];
        for (int k = 0; k < t.count; k++) {
            double value = rb_ticks_value(&t, k);
            ENSURE(value >= low - 1e-6 * size && value <= high + 1e-6 * size);
            ENSURE(rb_ticks_label(&t, k, label) < 40);
            ENSURE(strcmp(label, before) != 0);
            memcpy(before, label, sizeof before);
        }
    }
}

static void constant_values_get_room(void **state) {
    (void)state;
    double low = 5, high = 5;
    rb_ticks_widen(&low, &high, 0.05);
    ENSURE_NEAR(low, 4.5, 1e-12);
    ENSURE_NEAR(high, 5.5, 1e-12);
    low = high = 0;
    rb_ticks_widen(&low, &high, 0.05);
    ENSURE(low == -1 && high == 1);
    low = 0, high = 2;
    rb_ticks_widen(&low, &high, 0.05);
    ENSURE_NEAR(low, -0.1, 1e-12);
    ENSURE_NEAR(high, 2.1, 1e-12);
}

// ---- curves

static const char *path_of(Fixture *f, bool steps, const double (*points)[2], int count) {
    RbPlotPath path = rb_plot_path(&f->arena, steps);
    for (int i = 0; i < count; i++) rb_plot_path_add(&path, points[i][0], points[i][1]);
    return rb_plot_path_end(&path);
}

static void few_points_stay_as_they_are(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const double line[][2] = {{0, 1}, {10, 2.5}, {10, 7}, {20.125, 7}}; // with a step
    assert_string_equal(path_of(&f, false, line, 4), "M0 1h0L10 2.5L10 7L20.13 7");
    static const double gap[][2] = {{0, 1},    {10, 1}, {15, NAN}, {20, 3},
                                    {25, NAN}, {30, 2}, {40, 2}};
    assert_string_equal(path_of(&f, false, gap, 7), "M0 1h0L10 1M20 3h0M30 2h0L40 2");
    static const double hold[][2] = {{0, 1}, {10, 2}, {20, 2}};
    assert_string_equal(path_of(&f, true, hold, 3), "M0 1h0L10 1L10 2L20 2");
    assert_string_equal(path_of(&f, false, hold, 0), "");
    fixture_close(&f);
}

// In every column of pixels the highest and the lowest point are still there, and there are at most
// four.
static void thinning_keeps_the_extremes(void **state) {
    (void)state;
    enum { WIDTH = 50, PER_COLUMN = 400, POINTS = WIDTH * PER_COLUMN };
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(9);
    RbPlotPath path = rb_plot_path(&f.arena, false);
    double low[WIDTH], high[WIDTH], seen_low[WIDTH], seen_high[WIDTH];
    int seen[WIDTH] = {0};
    for (int i = 0; i < WIDTH; i++)
        low[i] = seen_low[i] = INFINITY, high[i] = seen_high[i] = -INFINITY;
    for (int i = 0; i < POINTS; i++) {
        double x = i / PER_COLUMN + 0.1 + 0.8 * (i % PER_COLUMN) / PER_COLUMN,
               y = rb_rng_range(&rng, 0, 100);
        low[(int)x] = fmin(low[(int)x], y);
        high[(int)x] = fmax(high[(int)x], y);
        rb_plot_path_add(&path, x, y);
    }
    for (const char *p = rb_plot_path_end(&path); *p;) {
        char *end;
        p += *p == 'M' || *p == 'L';
        double x = strtod(p, &end), y = strtod(end, &end);
        p = strncmp(end, "h0", 2) == 0 ? end + 2 : end;
        int column = (int)x;
        seen[column]++;
        seen_low[column] = fmin(seen_low[column], y);
        seen_high[column] = fmax(seen_high[column], y);
    }
    for (int i = 0; i < WIDTH; i++) {
        ENSURE(seen[i] >= 2 && seen[i] <= 4);
        ENSURE_NEAR(seen_low[i], low[i],
                    0.3); // a point next to the edge may be printed in the next column
        ENSURE_NEAR(seen_high[i], high[i], 0.0051);
    }
    fixture_close(&f);
}

// ---- pictures

static RbResult *ball(Fixture *f) {
    RbResult *r = rb_result_new(&f->arena);
    r->experiment.model = "Ball & <Table>";
    RbResultEntry first[] = {{.name = "ball.r", .unit = "m"},
                             {.name = "ball.v", .unit = "m/s"},
                             {.name = "open", .discrete = true}};
    RbResultEntry second[] = {{.name = "ball.r", .unit = "m"},
                              {.name = "ball.v", .unit = "m/s"},
                              {.name = "rope \"a\".l", .unit = "m"}};
    rb_result_begin_segment(r, first, 3);
    for (int i = 0; i <= 100; i++) rb_result_add_row(r, 0.01 * i, (double[]){0.01 * i, -1, i < 50});
    rb_result_add_row(r, 1, (double[]){1, 1, 0});
    rb_result_begin_segment(r, second, 3);
    for (int i = 100; i <= 200; i++)
        rb_result_add_row(r, 0.01 * i, (double[]){0.01 * i, INFINITY, 2});
    rb_result_finish(r, f->scratch);
    return r;
}

// Tags close in the order in which they open, quotes and entities are right.
static void ensure_well_formed(const char *svg) {
    const char *open[32];
    int depth = 0;
    for (const char *p = svg; *p; p++) {
        ENSURE(*p != '>');
        if (*p == '&') {
            ENSURE(strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&lt;", 4) == 0 ||
                   strncmp(p, "&gt;", 4) == 0 || strncmp(p, "&quot;", 6) == 0);
        }
        if (*p != '<') continue;
        bool closing = p[1] == '/';
        const char *name = p + 1 + closing;
        size_t length = strcspn(name, " />");
        bool quoted = false;
        for (; *p && (*p != '>' || quoted); p++) quoted ^= *p == '"';
        ENSURE(*p == '>' && !quoted);
        if (closing) {
            ENSURE(depth > 0 && strncmp(open[--depth], name, length) == 0);
        } else if (p[-1] != '/') {
            ENSURE(depth < 32);
            open[depth++] = name;
        }
    }
    assert_int_equal(depth, 0);
}

static int count_of(const char *text, const char *what) {
    int count = 0;
    for (const char *p = text; (p = strstr(p, what)); p++) count++;
    return count;
}

static const char *plot(Fixture *f, const RbResult *r, RbPlotOptions options) {
    RbText out = rb_text(&f->arena);
    int all[] = {0, 1, 2, 3};
    ENSURE(rb_plot_svg(r, all, 4, options, f->scratch, &f->diag, &out) == RB_OK);
    ensure_well_formed(out.data);
    return out.data;
}

static void a_picture_shows_everything(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = ball(&f);
    const char *svg = plot(&f, r, rb_plot_options());
    ENSURE(strstr(svg, "<title>Ball &amp; &lt;Table&gt;</title>"));
    ENSURE(strstr(svg, ">ball.r</text>") && strstr(svg, ">rope &quot;a&quot;.l</text>"));
    ENSURE(strstr(svg, ">[m]</text>") && strstr(svg, ">[m/s]</text>") &&
           strstr(svg, ">time [s]</text>"));
    assert_int_equal(count_of(svg, "<clipPath"), 3);      // units m, m/s and none
    assert_int_equal(count_of(svg, "class=\"part\""), 3); // one change of structure in three panels
    assert_int_equal(count_of(svg, "class=\"c c0\""),
                     6); // first curve of each panel and of its legend
    assert_int_equal(count_of(svg, "class=\"c c1\""), 2);
    ENSURE(!strstr(svg, "nan") && !strstr(svg, "inf"));
    fixture_close(&f);
}

// The curve r = t runs from corner to corner of its panel, but for the 5 % of room.
static void a_curve_is_where_it_belongs(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = ball(&f);
    RbText out = rb_text(&f.arena);
    int one[] = {0};
    ENSURE(rb_plot_svg(r, one, 1, rb_plot_options(), f.scratch, &f.diag, &out) == RB_OK);
    double x, y, width, height;
    const char *clip = strstr(out.data, "<rect x=");
    ENSURE(clip && sscanf(clip, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y,
                          &width, &height) == 4);
    const char *curve = strstr(clip, " d=\"M");
    double x0, y0, x1 = 0, y1 = 0;
    ENSURE(sscanf(curve, " d=\"M%lf %lfh0", &x0, &y0) == 2);
    for (const char *p = curve; *p != '/'; p++) {
        if (*p == 'L') ENSURE(sscanf(p, "L%lf %lf", &x1, &y1) == 2);
    }
    ENSURE_NEAR(x0, x + 1, 0.11); // the frame is one px larger than the area
    ENSURE_NEAR(x1, x + width - 1, 0.11);
    ENSURE_NEAR(y0, y + 1 + (height - 2) * (1 - 0.05 / 1.1), 0.11);
    ENSURE_NEAR(y1, y + 1 + (height - 2) * (0.05 / 1.1), 0.11);
    fixture_close(&f);
}

static void a_range_of_time(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = ball(&f);
    RbPlotOptions options = rb_plot_options();
    options.start_time = 1.2;
    options.end_time = 1.4;
    options.height = 400;
    options.title = "A part";
    const char *svg = plot(&f, r, options);
    ENSURE(strstr(svg, ">A part</text>") && strstr(svg, ">1.30</text>"));
    assert_int_equal(count_of(svg, "class=\"part\""), 0);
    RbText out = rb_text(&f.arena);
    int one[] = {0};
    options.start_time = 7;
    options.end_time = 8;
    ENSURE(rb_plot_svg(r, one, 1, options, f.scratch, &f.diag, &out) == RB_ERROR_USAGE);
    ENSURE(rb_plot_svg(r, one, 0, rb_plot_options(), f.scratch, &f.diag, &out) == RB_ERROR_USAGE);
    assert_string_equal(fixture_message(&f, 0), "rattleback: error: there is nothing to plot: no "
                                                "point lies in the given range of time [usage]\n");
    assert_string_equal(fixture_message(&f, 1),
                        "rattleback: error: there is no signal to plot [usage]\n");
    fixture_close(&f);
}

static void extreme_values_are_survived(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const double values[][3] = {
        {1.7e308, -1.7e308, 5e-324}, {NAN, NAN, NAN},         {0, 0, 0}, {300, 300, 300},
        {1e-310, 2e-310, 0},         {INFINITY, -INFINITY, 1}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        RbResult *r = rb_result_new(&f.arena);
        RbResultEntry entry = {.name = "x"};
        rb_result_begin_segment(r, &entry, 1);
        for (int k = 0; k < 3; k++) rb_result_add_row(r, i == 2 ? 0 : k, &values[i][k]);
        rb_result_finish(r, f.scratch);
        RbText out = rb_text(&f.arena);
        int one[] = {0};
        ENSURE(rb_plot_svg(r, one, 1, rb_plot_options(), f.scratch, &f.diag, &out) == RB_OK);
        ensure_well_formed(out.data);
        ENSURE(!strstr(out.data, "nan") && !strstr(out.data, "inf"));
        ENSURE(out.count < 20000);
    }
    fixture_close(&f);
}

// A variable without a unit shares the panel of the only unit there is; Booleans and enumerations
// have lanes of their own, with the names of their values.
static void variables_find_their_panels(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = rb_result_new(&f.arena);
    RbResultEntry entries[] = {
        {.name = "h", .unit = "m"},
        {.name = "bare"},
        {.name = "open", .unit = RB_RESULT_BOOLEAN, .discrete = true},
        {.name = "mode", .unit = "{free, slides, sticks}", .discrete = true}};
    rb_result_begin_segment(r, entries, 4);
    for (int k = 0; k < 3; k++) rb_result_add_row(r, k, (double[]){k, 2, k > 0, 1 + k});
    rb_result_finish(r, f.scratch);
    const char *svg = plot(&f, r, rb_plot_options());
    assert_int_equal(count_of(svg, "<clipPath"), 3);
    assert_int_equal(count_of(svg, ">[m]</text>"), 1);
    assert_int_equal(count_of(svg, ">false</text>"), 1);
    assert_int_equal(count_of(svg, ">true</text>"), 1);
    const char *sticks = strstr(svg, ">sticks</text>"), *slides = strstr(svg, ">slides</text>");
    ENSURE(sticks && slides && strstr(svg, ">free</text>"));
    ENSURE(!strstr(svg, "[{"));
    // Lines of the lane: free is at the bottom, and the curve starts there.
    double free_y, slides_y;
    const char *at = strstr(svg, ">free</text>");
    while (strncmp(at, " y=", 3) != 0) at--;
    ENSURE(sscanf(at, " y=\"%lf\"", &free_y) == 1);
    at = slides;
    while (strncmp(at, " y=", 3) != 0) at--;
    ENSURE(sscanf(at, " y=\"%lf\"", &slides_y) == 1);
    ENSURE_NEAR(free_y - slides_y, 20, 0.11); // px
    fixture_close(&f);
}

// A usual picture has at least four marks at its value axis.
static void there_are_enough_marks(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (double high = 1; high < 10; high += 0.37) {
        RbResult *r = rb_result_new(&f.arena);
        RbResultEntry entry = {.name = "x"};
        rb_result_begin_segment(r, &entry, 1);
        for (int k = 0; k < 2; k++) rb_result_add_row(r, k, &(double){k * high});
        rb_result_finish(r, f.scratch);
        RbText out = rb_text(&f.arena);
        ENSURE(rb_plot_svg(r, (int[]){0}, 1, rb_plot_options(), f.scratch, &f.diag, &out) == RB_OK);
        ENSURE(count_of(out.data, "class=\"y\"") >= 5);
        ENSURE(count_of(out.data, "class=\"x\"") >= 5);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_round_numbers),
        cmocka_unit_test(any_range_has_marks),
        cmocka_unit_test(constant_values_get_room),
        cmocka_unit_test(few_points_stay_as_they_are),
        cmocka_unit_test(thinning_keeps_the_extremes),
        cmocka_unit_test(a_picture_shows_everything),
        cmocka_unit_test(a_curve_is_where_it_belongs),
        cmocka_unit_test(a_range_of_time),
        cmocka_unit_test(extreme_values_are_survived),
        cmocka_unit_test(variables_find_their_panels),
        cmocka_unit_test(there_are_enough_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
