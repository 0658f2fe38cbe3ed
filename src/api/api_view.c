// SPDX-License-Identifier: MIT
#include <math.h>

#include "api/api_context.h"
#include "base/file.h"
#include "export/export.h"
#include "export/page.h"
#include "export/render.h"
#include "export/run_report.h"
#include "io/result_file.h"

// What a picture is made from, for one call.
typedef struct Source {
    RbContext *context;
    const char *file;
    RbArena keep, scratch;
} Source;

static RbStatus read_result(Source *from, RbJournalRows rows, RbResult **result) {
    RbHeap *heap = &from->context->heap;
    from->keep = rb_arena(heap);
    from->scratch = rb_arena(heap);
    return rb_result_read(from->file, rows, &from->keep, from->scratch, &from->context->diag,
                          result);
}

static RbStatus leave(Source *from, RbStatus status) {
    rb_arena_free(&from->scratch);
    rb_arena_free(&from->keep);
    return status;
}

static RbStatus view(Source *from, const char *to, const RbViewOptions *given) {
    RB_CALL(from->context);
    RbDiag *diag = &from->context->diag;
    RbResult *result;
    RB_TRY(read_result(from, RB_JOURNAL_STREAM, &result));
    RbPageOptions options = rb_page_options();
    if (given) {
        options.title = given->title;
        options.variables = given->variables;
        options.plots = given->plots;
        options.plot_count = given->plot_count;
        options.chapters = given->chapters;
        options.chapter_count = given->chapter_count;
        if (!(given->picture_size >= 0 && given->picture_size <= 1024))
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "pictures of %g MB are not possible; choose 0 (32 MB) to 1024",
                           given->picture_size);
        if (given->picture_size > 0)
            options.most_picture_bytes = (size_t)(given->picture_size * (1 << 20));
    }
    return rb_page_write(to, result, &options, &from->keep, from->scratch, diag);
}

RbStatus rb_view(RbContext *c, const char *result_file, const char *html_file,
                 const RbViewOptions *options) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, html_file);
    Source from = {.context = c, .file = result_file};
    return leave(&from, view(&from, html_file, options));
}

static RbStatus report(Source *from, const char *to, const RbViewOptions *given) {
    RB_CALL(from->context);
    RbDiag *diag = &from->context->diag;
    RbResult *result;
    RB_TRY(read_result(from, RB_JOURNAL_LOAD, &result));
    RbReportOptions options = {0};
    if (given) {
        options = (RbReportOptions){.title = given->title,
                                    .model_name = given->model_file,
                                    .plots = given->plots,
                                    .plot_count = given->plot_count,
                                    .run = given->run,
                                    .said = given->run ? diag : NULL};
    }
    if (options.model_name) {
        RbBytes text;
        RB_TRY(rb_file_read(options.model_name, 0, &from->keep, diag, &text));
        options.model_text = rb_arena_bytes(&from->keep, (const char *)text.data, text.size);
    }
    return rb_report_write(to, result, &options, &from->keep, from->scratch, diag);
}

RbStatus rb_report(RbContext *c, const char *result_file, const char *html_file,
                   const RbViewOptions *options) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, html_file);
    Source from = {.context = c, .file = result_file};
    return leave(&from, report(&from, html_file, options));
}

static RbStatus render(Source *from, const char *to, const RbRenderOptions *options) {
    RB_CALL(from->context);
    RbResult *result;
    RB_TRY(read_result(from, RB_JOURNAL_STREAM, &result));
    return rb_render_write(to, result, options, &from->keep, from->scratch, &from->context->diag);
}

RbStatus rb_render(RbContext *c, const char *result_file, const char *file,
                   const RbRenderOptions *options) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, file);
    RB_NEED(c, options);
    Source from = {.context = c, .file = result_file};
    return leave(&from, render(&from, file, options));
}

static RbStatus export_film(Source *from, const char *to, double time) {
    RB_CALL(from->context);
    RbResult *result;
    RB_TRY(read_result(from, RB_JOURNAL_STREAM, &result));
    return rb_export_write(to, result, time, &from->keep, &from->context->diag);
}

RbStatus rb_export(RbContext *c, const char *result_file, const char *file, double time) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, file);
    Source from = {.context = c, .file = result_file};
    return leave(&from, export_film(&from, file, time));
}

bool rb_can_export(const char *file) {
    return file && rb_export_can_write(file);
}

bool rb_can_render(const char *file) {
    return file && rb_render_can_write(file);
}
