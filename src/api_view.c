// SPDX-License-Identifier: MIT
#include <math.h>

#include "api_context.h"
#include "base/file.h"
#include "export/export.h"
#include "export/page.h"
#include "export/render.h"
#include "export/run_report.h"
#include "io/result_file.h"

typedef struct ViewCall {
    RbContext *context;
    const char *from, *to;
    const RbViewOptions *view;
    const RbRenderOptions *render;
    double time;
    RbArena keep, scratch;
} ViewCall;

static RbStatus read_result(ViewCall *call, RbJournalRows rows, RbResult **result) {
    RbHeap *heap = &call->context->heap;
    call->keep = rb_arena(heap);
    call->scratch = rb_arena(heap);
    return rb_result_read(call->from, rows, &call->keep, call->scratch, &call->context->diag,
                          result);
}

static RbStatus call_protected(ViewCall *call, RbStatus (*body)(void *)) {
    RbStatus status = rb_context_call(call->context, body, call);
    rb_arena_free(&call->scratch);
    rb_arena_free(&call->keep);
    return status;
}

static RbStatus view(void *argument) {
    ViewCall *call = argument;
    RbResult *result;
    RB_TRY(read_result(call, RB_JOURNAL_STREAM, &result));
    RbPageOptions options = rb_page_options();
    if (call->view) {
        options.title = call->view->title;
        options.variables = call->view->variables;
        options.plots = call->view->plots;
        options.plot_count = call->view->plot_count;
        if (!(call->view->picture_size >= 0 && call->view->picture_size <= 1024))
            return rb_fail(&call->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "pictures of %g MB are not possible; choose 0 (32 MB) to 1024",
                           call->view->picture_size);
        if (call->view->picture_size > 0)
            options.most_picture_bytes = (size_t)(call->view->picture_size * (1 << 20));
    }
    return rb_page_write(call->to, result, &options, &call->keep, call->scratch,
                         &call->context->diag);
}

RbStatus rb_view(RbContext *c, const char *result_file, const char *html_file,
                 const RbViewOptions *options) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, html_file);
    return call_protected(
        &(ViewCall){.context = c, .from = result_file, .to = html_file, .view = options}, view);
}

static RbStatus report(void *argument) {
    ViewCall *call = argument;
    RbDiag *diag = &call->context->diag;
    RbResult *result;
    RB_TRY(read_result(call, RB_JOURNAL_LOAD, &result));
    RbReportOptions options = {0};
    if (call->view) {
        options = (RbReportOptions){.title = call->view->title,
                                    .model_name = call->view->model_file,
                                    .plots = call->view->plots,
                                    .plot_count = call->view->plot_count,
                                    .run = call->view->run,
                                    .said = call->view->run ? diag : NULL};
    }
    if (options.model_name) {
        RbBytes text;
        RB_TRY(rb_file_read(options.model_name, 0, &call->keep, diag, &text));
        options.model_text = rb_arena_bytes(&call->keep, (const char *)text.data, text.size);
    }
    return rb_report_write(call->to, result, &options, &call->keep, call->scratch, diag);
}

RbStatus rb_report(RbContext *c, const char *result_file, const char *html_file,
                   const RbViewOptions *options) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, html_file);
    return call_protected(
        &(ViewCall){.context = c, .from = result_file, .to = html_file, .view = options}, report);
}

static RbStatus render(void *argument) {
    ViewCall *call = argument;
    RbResult *result;
    RB_TRY(read_result(call, RB_JOURNAL_STREAM, &result));
    return rb_render_write(call->to, result, call->render, &call->keep, call->scratch,
                           &call->context->diag);
}

RbStatus rb_render(RbContext *c, const char *result_file, const char *file,
                   const RbRenderOptions *options) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, file);
    RB_NEED(c, options);
    return call_protected(
        &(ViewCall){.context = c, .from = result_file, .to = file, .render = options}, render);
}

static RbStatus export_film(void *argument) {
    ViewCall *call = argument;
    RbResult *result;
    RB_TRY(read_result(call, RB_JOURNAL_STREAM, &result));
    return rb_export_write(call->to, result, call->time, &call->keep, &call->context->diag);
}

RbStatus rb_export(RbContext *c, const char *result_file, const char *file, double time) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, result_file);
    RB_NEED(c, file);
    return call_protected(&(ViewCall){.context = c, .from = result_file, .to = file, .time = time},
                          export_film);
}

bool rb_can_export(const char *file) {
    return file && rb_export_can_write(file);
}

bool rb_can_render(const char *file) {
    return file && rb_render_can_write(file);
}
