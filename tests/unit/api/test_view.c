// SPDX-License-Identifier: MIT
// The public interface of what can be looked at: files are written, and wrong arguments are named.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "export/page.h"
#include "rattleback/rattleback.h"
#include "rattleback/view.h"

static void run_ball(RbContext *c, const char *file) {
    RbSceneBuilder *scene;
    RbModel *model;
    RbSummary summary;
    ENSURE(rb_builder_create(c, "drop", &scene) == RB_OK);
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    ball.diameter = 0.1;
    ball.free = true;
    ENSURE(rb_builder_add_solid(scene, &ball, NULL) == RB_OK);
    ENSURE(rb_builder_finish(scene, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 0.1;
    options.output_interval = 0.01;
    options.journal_file = file;
    ENSURE(rb_simulate(c, model, &options, &summary) == RB_OK);
}

static bool message_has(RbContext *c, const char *text) {
    int count = rb_context_message_count(c);
    return count > 0 && strstr(rb_context_message(c, count - 1), text);
}

static bool file_has(const char *path, const char *text) {
    static char bytes[100000];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

static void files_are_written(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    ENSURE(chdir(RB_BINARY_DIR) == 0);
    const char *result = "api-view.rbj";
    run_ball(c, result);
    ENSURE(rb_export(c, result, "api-view.glb", 0) == RB_OK && file_has("api-view.glb", "glTF"));
    ENSURE(rb_export(c, result, "api-view.obj", NAN) == RB_OK &&
           file_has("api-view.obj", "o ball\n"));
    ENSURE(rb_export(c, result, "api-view.obj", 7) == RB_ERROR_USAGE);
    ENSURE(message_has(c, "outside of the result"));
    ENSURE(rb_export(c, result, "api-view.doc", 0) == RB_ERROR_USAGE);
    ENSURE(message_has(c, "end in .glb"));
    ENSURE(rb_export(c, "no such file.rbj", "x.glb", 0) == RB_ERROR_IO);
    RbViewOptions options = {
        .title = "a <ball>", .plots = (const char *[]){"nothing"}, .plot_count = 1};
    if (rb_page_available()) {
        ENSURE(rb_view(c, result, "api-view.html", NULL) == RB_OK);
        ENSURE(file_has("api-view.html", "\"model\":\"drop\""));
        ENSURE(rb_report(c, result, "api-report.html", &options) == RB_ERROR_USAGE);
        ENSURE(message_has(c, "no variable 'nothing'"));
        options.plot_count = 0;
        ENSURE(rb_report(c, result, "api-report.html", &options) == RB_OK);
        ENSURE(file_has("api-report.html", "<h1>a &lt;ball&gt;</h1>"));
    } else {
        ENSURE(rb_view(c, result, "api-view.html", NULL) == RB_ERROR_USAGE);
        ENSURE(message_has(c, "built without the page"));
    }
    RbRenderOptions picture = rb_render_options_default();
    picture.width = 7;
    ENSURE(rb_render(c, result, "api-view.png", &picture) == RB_ERROR_USAGE);
    ENSURE(message_has(c, "both must be even"));
    ENSURE(rb_view(c, NULL, "x", NULL) == RB_ERROR_USAGE && message_has(c, "result_file"));
    const char *names[] = {result, "api-view.glb", "api-view.obj", "api-view.html",
                           "api-report.html"};
    for (int i = 0; i < 5; i++) remove(names[i]);
    rb_context_free(c);
}

// A report of a run that was just made tells what no result knows: its speed, and what it warned of.
static void reports_tell_of_the_run(void **state) {
    (void)state;
    if (!rb_page_available()) skip();
    RbContext *c = rb_context_create(NULL);
    ENSURE(chdir(RB_BINARY_DIR) == 0);
    RbModel *model;
    const char *text = "model M Real x(start = 1, fixed = true); parameter Real k(max = 1) = 2; "
                       "equation der(x) = -k * x; end M;";
    RbModelica source = rb_modelica_default();
    source.file = "M.mo";
    source.text = text;
    ENSURE(rb_modelica_translate(c, &source, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    RbResultFile result = {.file = "api-told.csv", .report = "api-told.html"};
    RbSummary summary;
    ENSURE(rb_simulate_to_file(c, model, &options, &result, &summary) == RB_OK);
    ENSURE(result.written && !result.unseen && access("api-told.csv.rbj", F_OK) != 0);
    ENSURE(file_has("api-told.html", "real-time factor"));
    ENSURE(file_has("api-told.html", "&#39;k&#39; is 2") || file_has("api-told.html", "'k' is 2"));
    result.report = "no such folder/told.html"; // the result is there all the same
    ENSURE(rb_simulate_to_file(c, model, &options, &result, NULL) == RB_ERROR_IO);
    ENSURE(result.written && message_has(c, "what was recorded stays in this journal"));
    ENSURE(access("api-told.csv.rbj", F_OK) == 0 && remove("api-told.csv.rbj") == 0);
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_are_written),
                                       cmocka_unit_test(reports_tell_of_the_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
