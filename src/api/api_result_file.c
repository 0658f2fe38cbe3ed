// SPDX-License-Identifier: MIT
// A run with its result in a file (include/rattleback/sim.h), and results from one format to another
// (include/rattleback/result.h).
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "api/api_run.h"
#include "base/file.h"
#include "export/page.h"
#include "io/filter.h"
#include "io/result_file.h"

// -------------------------------------------------------------------------------------------------
// a run with its result in a file

typedef struct FileRun {
    RbContext *context;
    RbModel *model;
    RbSimOptions options;
    RbResultFile *result;
    RbArena keep, scratch;
} FileRun;

// The path with another ending in place of its own, if it has one.
static const char *with_ending(const char *path, const char *ending, RbArena *arena) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    return rb_arena_printf(arena, "%.*s%s", (int)length, path, ending);
}

// A result that is a journal is written as it is. That of any other is called after the whole name,
// "a.csv.rbj": "a.rbj" may be the result of an earlier run.
static const char *journal_beside(const char *file, RbArena *arena) {
    return rb_text_ends_with(file, ".rbj") ? file : rb_arena_printf(arena, "%s.rbj", file);
}

static RbStatus check_output(const char *path, RbDiag *diag) {
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(path), "cannot write: it is a directory");
    }
    if (exists && S_ISFIFO(info.st_mode) && rb_text_ends_with(path, ".rbj")) {
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                       "a journal cannot be written to a pipe; a pipe takes .csv or .mat");
    }
    if (rb_result_can_write(path)) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, rb_in_file(path),
                   "the ending of a result file must be .mat, .csv or .rbj");
}

static RbStatus prepare(FileRun *f) {
    RB_CALL(f->context);
    RbSimOptions *o = &f->options;
    const char *file = f->result->file;
    RbDiag *diag = &f->context->diag;
    f->keep = rb_arena(&f->context->heap);
    f->scratch = rb_arena(&f->context->heap);
    RB_TRY(check_output(file, diag));
    if (f->result->report) RB_TRY(rb_page_need(diag));
    if (rb_file_is_standard(file)) file = rb_arena_printf(&f->keep, "%s_res.csv", f->model->name);
    if (!o->checkpoint_file)
        o->checkpoint_file =
            with_ending(o->journal_file ? o->journal_file : file, ".rbc", &f->keep);
    if (!o->journal_file) o->journal_file = journal_beside(file, &f->keep);
    return rb_file_lock(o->journal_file, &f->keep, diag);
}

static RbStatus write_from_journal(FileRun *f) {
    RB_CALL(f->context);
    RbDiag *diag = &f->context->diag;
    const char *journal = f->options.journal_file;
    RbResult *result;
    RB_TRY(rb_journal_read(journal, RB_JOURNAL_STREAM, &f->keep, f->scratch, diag, &result));
    RbStatus status = rb_result_write(f->result->file, result, &f->keep, f->scratch, diag);
    f->result->unseen = rb_result_is_drawn(result);
    if (status != RB_OK)
        rb_note(diag, rb_in_file(journal),
                "what was recorded stays in this journal: `rattleback convert` makes the result "
                "from it");
    return status;
}

// While the journal is there, which alone has what is seen.
static RbStatus write_report(FileRun *f, const RbSummary *summary) {
    RbViewOptions options = {.model_file = f->result->model_file, .run = summary};
    RbStatus status = rb_report(f->context, f->options.journal_file, f->result->report, &options);
    if (status != RB_OK)
        rb_note(
            &f->context->diag, rb_in_file(f->options.journal_file),
            "what was recorded stays in this journal: `rattleback report` makes the page from it");
    return status;
}

static RbStatus run_and_write(FileRun *f, RbSummary *summary) {
    RbResultFile *result = f->result;
    RbSummary own;
    if (!summary) summary = &own;
    RB_TRY(prepare(f));
    RbStatus status =
        rb_simulate_whole(f->context, f->model, &f->options, true, &result->recorded, summary);
    if (!result->recorded) return status;
    bool is_journal = strcmp(f->options.journal_file, result->file) == 0;
    RbStatus written = RB_OK;
    if (!is_journal) written = write_from_journal(f);
    result->written = written == RB_OK;
    if (result->report && written == RB_OK) written = write_report(f, summary);
    bool needed = status != RB_OK || written != RB_OK || result->keep_journal ||
                  f->options.checkpoint_interval > 0;
    if (!is_journal && result->written && !needed) rb_file_remove(f->options.journal_file);
    return status != RB_OK ? status : written;
}

RbStatus rb_simulate_to_file(RbContext *context, RbModel *model, const RbSimOptions *options,
                             RbResultFile *result, RbSummary *summary) {
    RB_TRY(rb_run_check_open(context, model, options, __func__));
    RB_NEED(context, result);
    RB_NEED(context, result->file);
    FileRun f = {.context = context, .model = model, .options = *options, .result = result};
    result->recorded = result->written = result->unseen = false;
    RbStatus status = run_and_write(&f, summary);
    rb_arena_free(&f.scratch);
    rb_arena_free(&f.keep);
    return status;
}

// -------------------------------------------------------------------------------------------------
// from one format to another

bool rb_results_can_write(const char *file) {
    return file && rb_result_can_write(file);
}

static RbStatus convert(RbContext *c, const char *from, const char *to, const char *expression,
                        RbArena *keep, RbArena *scratch) {
    RB_CALL(c);
    RbFilter *filter;
    RbResult *result;
    *keep = rb_arena(&c->heap);
    *scratch = rb_arena(&c->heap);
    RB_TRY(rb_filter_compile(expression, keep, &c->diag, &filter));
    RB_TRY(rb_result_read(from, RB_JOURNAL_STREAM, keep, *scratch, &c->diag, &result));
    if (expression) result = rb_filter_select(filter, result, keep, *scratch, &c->diag);
    return rb_result_write(to, result, keep, *scratch, &c->diag);
}

RbStatus rb_convert_selected(RbContext *c, const char *from, const char *to,
                             const char *variable_filter) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, from);
    RB_NEED(c, to);
    RbArena keep = {0}, scratch = {0};
    RbStatus status = convert(c, from, to, variable_filter, &keep, &scratch);
    rb_arena_free(&scratch);
    rb_arena_free(&keep);
    return status;
}

RbStatus rb_convert(RbContext *c, const char *from, const char *to) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, from);
    RB_NEED(c, to);
    return rb_convert_selected(c, from, to, NULL);
}
