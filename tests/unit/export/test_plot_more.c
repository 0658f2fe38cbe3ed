// SPDX-License-Identifier: MIT
// Two results side by side, variables over variables, curves in the terminal, numbers packed for the page.
#include <string.h>
#include <zlib.h>

#include "export/phase_svg.h"
#include "export/plot_compare.h"
#include "export/plot_runs.h"
#include "export/plot_svg.h"
#include "export/plot_text.h"
#include "export/squeeze.h"
#include "testing.h"

// x jumps from 1 to 5 at t = 1; y is missing in the last row.
static RbResult *first_result(Fixture *f) {
    const RbResultEntry entries[] = {{.name = "x", .unit = "m"}, {.name = "y <&>", .unit = "s"}};
    const double rows[][2] = {{0, 0}, {1, 2}, {5, 2}, {6, NAN}}, times[] = {0, 1, 1, 2};
    RbResult *r = rb_result_new(&f->arena);
    rb_result_begin_segment(r, entries, 2);
    for (int i = 0; i < 4; i++) rb_result_add_row(r, times[i], rows[i]);
    rb_result_finish(r, f->scratch);
    return r;
}

static void two_results_and_their_difference(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *a = first_result(&f), *b = rb_result_new(&f.arena);
    rb_result_begin_segment(b, (RbResultEntry[]){{.name = "x", .unit = "m"}}, 1);
    rb_result_add_row(b, 0, (double[]){0});
    rb_result_add_row(b, 2, (double[]){4}); // 2 t
    rb_result_finish(b, f.scratch);
    RbResult *both = rb_plot_compare(a, b, "b.rbj", (int[]){0, 1}, 2, &f.arena);
    assert_int_equal(both->variables.count, 6);
    const double *other = rb_result_series(both, rb_result_find(both, "x (b.rbj)"), &f.arena);
    int number = rb_result_find(both, "difference of x");
    const double *difference = rb_result_series(both, number, &f.arena);
    assert_string_equal(both->variables.data[number].unit, "m difference");
    const double want[] = {0, 2, 2, 4}, apart[] = {0, 1, -3, -2};
    for (int i = 0; i < 4; i++) {
        ENSURE_NEAR(other[i], want[i], 1e-15);
        ENSURE_NEAR(difference[i], apart[i], 1e-15);
    }
    const double *none = rb_result_series(both, rb_result_find(both, "y <&> (b.rbj)"), &f.arena);
    ENSURE(isnan(none[0]) && isnan(none[3]));
    // A jump is met on the side that is asked for.
    RbResult *back = rb_plot_compare(b, a, "a", (int[]){0}, 1, &f.arena);
    ENSURE(back->row_count == 2);
    RbResult *same = rb_plot_compare(a, a, "a", (int[]){0}, 1, &f.arena);
    const double *zero = rb_result_series(same, rb_result_find(same, "difference of x"), &f.arena);
    for (int i = 0; i < 4; i++) ENSURE(zero[i] == 0);
    fixture_close(&f);
}

// The path, read back: across from y, up from x; the jump is not joined, the gap ends it.
static void one_variable_over_another(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = first_result(&f);
    RbText svg = rb_text(&f.arena);
    ENSURE(rb_phase_svg(r, (int[]){1, 0}, 2, 1, "a <title>", f.scratch, &f.diag, &svg) == RB_OK);
    const char *path = strstr(svg.data, " d=\"");
    ENSURE(path && strstr(svg.data, "a &lt;title>") && strstr(svg.data, "y &lt;&amp;> [s]"));
    double x[3], y[3];
    ENSURE(sscanf(path, " d=\"M%lf,%lfL%lf,%lfM%lf,%lf\"", &x[0], &y[0], &x[1], &y[1], &x[2],
                  &y[2]) == 6);
    // The frame is 620 x 444, of which the data take 1/1.08: y from 0 to 2, x from 0 to 6.
    double right = (x[1] - x[0]) / 2, up = (y[0] - y[1]) / 1;
    ENSURE(x[2] == x[1]);
    ENSURE_NEAR(y[1] - y[2], 4 * up, 0.05);
    ENSURE_NEAR(right, 620 / 1.08 / 2, 0.02);
    ENSURE_NEAR(up, 444 / 1.08 / 6, 0.02);
    ENSURE(rb_phase_svg(r, (int[]){1}, 1, 1, "", f.scratch, &f.diag, &svg) == RB_ERROR_USAGE);
    fixture_close(&f);
}

// A second run of another length: its own variables, whose times begin again; curves of both start at the left border.
static void runs_over_one_another(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *b = rb_result_new(&f.arena), *both;
    rb_result_begin_segment(b, (RbResultEntry[]){{.name = "x", .unit = "m"}}, 1);
    for (int i = 0; i < 3; i++) rb_result_add_row(b, 2 * i, (double[]){3 - i});
    rb_result_finish(b, f.scratch);
    const RbResult *runs[] = {first_result(&f), b};
    const char *const files[] = {"a/one.rbj", "a/two.rbj"};
    ENSURE(rb_plot_runs(runs, files, 2, (int[]){0}, 1, &f.arena, &f.diag, &both) == RB_OK);
    assert_string_equal(both->variables.data[0].name, "x (one)");
    assert_string_equal(both->variables.data[1].name, "x (two)");
    ENSURE(both->row_count == 7 && both->segments.count == 2);
    const double *second = rb_result_series(both, 1, &f.arena);
    ENSURE(isnan(second[3]) && second[4] == 3 && second[6] == 1);
    RbPlotOptions options = rb_plot_options();
    options.runs = 2, options.segments = false, options.events = true;
    RbText svg = rb_text(&f.arena);
    ENSURE(rb_plot_svg(both, (int[]){0, 1}, 2, options, f.scratch, &f.diag, &svg) == RB_OK);
    double x[3] = {0}, y[3];
    const char *group = strstr(svg.data, "<g clip"), *first = strstr(group, " d=\"M");
    ENSURE(sscanf(first, " d=\"M%lf %lf", &x[0], &y[0]) == 2);
    // Both sides of the jump of the first run from 1 to 5 have dots, the second run has none.
    const char *dots = strstr(group, "dot\" d=\"M"), *next = strstr(dots, "class=\"c c1\"");
    ENSURE(sscanf(dots, "dot\" d=\"M%lf %lfh0M%lf %lfh0", &x[1], &y[1], &x[2], &y[2]) == 4);
    ENSURE(x[1] == x[2] && y[1] < y[2] && !strstr(next, "dot\""));
    ENSURE(sscanf(strstr(next, " d=\"M"), " d=\"M%lf", &x[1]) == 1);
    ENSURE_NEAR(x[1], x[0], 1e-9);
    // The same name twice: the whole path tells them apart. What a run does not have is an error.
    const char *const same[] = {"a/one.rbj", "b/one.rbj"};
    ENSURE(rb_plot_runs(runs, same, 2, (int[]){0}, 1, &f.arena, &f.diag, &both) == RB_OK);
    assert_string_equal(both->variables.data[1].name, "x (b/one.rbj)");
    ENSURE(rb_plot_runs(runs, files, 2, (int[]){1}, 1, &f.arena, &f.diag, &both) == RB_ERROR_USAGE);
    fixture_close(&f);
}

static void bytes_come_back_from_base64(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (size_t size = 0; size < 20; size++) {
        unsigned char bytes[20];
        for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(i * 71 + size * 13);
        RbText text = rb_text(&f.arena);
        rb_text_add_base64(&text, (RbBlob){bytes, size});
        RbBlob back = rb_base64_bytes(text.count > 0 ? text.data : "", &f.arena);
        ENSURE(back.size == size && memcmp(back.bytes, bytes, size) == 0);
    }
    fixture_close(&f);
}

static void curves_in_the_terminal(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbText t = rb_text(&f.arena);
    rb_plot_text(first_result(&f), (int[]){0, 1}, 2, 20, 4, f.scratch, &t);
    ENSURE(strncmp(t.data, "x [m]\n         6 |", 17) == 0);
    ENSURE(strstr(t.data, "y <&> [s]\n         2 |"));
    int lines = 0;
    for (const char *c = t.data; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 2 * (1 + 4 + 1 + 1));
    fixture_close(&f);
}

// Packed as the page unpacks them: planes of bytes, sums of differences.
static void what_is_squeezed_can_be_unpacked(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const float values[] = {1.5f, -2, NAN, 1e30f, 0, -0.0f};
    RbText t = rb_text(&f.arena);
    rb_squeeze_floats(&t, values, 2, 3, f.scratch);
    assert_int_equal(t.count, 24);
    for (size_t s = 0; s < 2; s++) {
        uint32_t bits = 0;
        for (size_t i = 3 * s; i < 3 * s + 3; i++) {
            uint32_t step = 0, want;
            for (size_t b = 0; b < 4; b++)
                step |= (uint32_t)(unsigned char)t.data[6 * b + i] << 8 * b;
            bits += step;
            memcpy(&want, &values[i], 4);
            ENSURE(bits == want);
        }
    }
    RbBlob packed;
    ENSURE(rb_gzip((RbBlob){(unsigned char *)t.data, 24}, &f.arena, &f.diag, &packed) == RB_OK);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed.bytes, .avail_in = (uInt)packed.size};
    unsigned char back[32];
    z.next_out = back, z.avail_out = sizeof back;
    ENSURE(inflateInit2(&z, 15 + 16) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END);
    ENSURE(z.total_out == 24 && memcmp(back, t.data, 24) == 0);
    inflateEnd(&z);
    RbText text = rb_text(&f.arena);
    rb_text_add_base64(&text, (RbBlob){(const unsigned char *)"foobar", 4});
    rb_text_add_base64(&text, (RbBlob){(const unsigned char *)"foobar", 6});
    assert_string_equal(text.data, "Zm9vYg==Zm9vYmFy"); // RFC 4648, section 10
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_results_and_their_difference),
        cmocka_unit_test(one_variable_over_another),
        cmocka_unit_test(runs_over_one_another),
        cmocka_unit_test(bytes_come_back_from_base64),
        cmocka_unit_test(curves_in_the_terminal),
        cmocka_unit_test(what_is_squeezed_can_be_unpacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
