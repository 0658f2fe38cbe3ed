// SPDX-License-Identifier: MIT
// FMUs of other tools as Modelica classes (include/rattleback/fmu_import.h).
#include "rattleback/fmu_import.h"

#include <stdlib.h>
#include <string.h>

#include "api_context.h"
#include "fmi/modelica_class.h"

typedef struct ImportCall {
    RbContext *context;
    const char *fmu, *file;
    const RbFmuImportOptions *options;
    const char *text;
} ImportCall;

RbFmuImportOptions rb_fmu_import_options_default(void) {
    return (RbFmuImportOptions){0};
}

static const char *folder_of(const char *path, RbArena *arena) {
    const char *slash = strrchr(path, '/');
    return slash ? rb_arena_bytes(arena, path, (size_t)(slash - path)) : ".";
}

static const char *absolute(const char *path, RbArena *arena) {
    char *real = realpath(path, NULL);
    const char *kept = real ? rb_arena_text(arena, real) : path;
    free(real);
    return kept;
}

// Beside each other they may go anywhere; otherwise the class names the place of the FMU on this machine.
static const char *name_of(const RbFmi *fmi, const char *file, RbArena *arena) {
    const char *own = absolute(folder_of(fmi->path, arena), arena),
               *other = absolute(folder_of(file, arena), arena);
    return strcmp(own, other) == 0 ? fmi->file : rb_arena_join(arena, own, "/", fmi->file);
}

static RbStatus import(void *argument) {
    ImportCall *call = argument;
    RbContext *c = call->context;
    RbFmi *fmi;
    RB_TRY(rb_fmi_open(call->fmu, &c->arena, &c->diag, &fmi));
    RbFmiClass class = {.name = call->options->class_name,
                        .file = name_of(fmi, call->file, &c->arena),
                        .cosimulation = call->options->co_simulation || !fmi->exchange.identifier};
    if (class.cosimulation && !fmi->cosimulation.identifier)
        return rb_fail(&c->diag, RB_ERROR_USAGE, rb_in_file(call->fmu),
                       "the FMU is for model exchange alone");
    RbText text = rb_text(&c->arena);
    rb_fmi_write_class(fmi, &class, &text);
    return rb_file_write(call->file, text.data, (size_t)text.count, &c->diag);
}

static bool is_class(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] && strspn(name, letters) == strlen(name) && !(name[0] >= '0' && name[0] <= '9');
}

RbStatus rb_fmu_import(RbContext *context, const char *fmu, const RbFmuImportOptions *options,
                       const char *file) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, fmu);
    RB_NEED(context, options);
    RB_NEED(context, file);
    if (options->class_name && !is_class(options->class_name))
        return rb_bad_argument(context, __func__, "options->class_name", "is no name of a class");
    ImportCall call = {.context = context, .fmu = fmu, .file = file, .options = options};
    return rb_context_call(context, import, &call);
}

static RbStatus describe(void *argument) {
    ImportCall *call = argument;
    RbContext *c = call->context;
    RbFmi *fmi;
    RB_TRY(rb_fmi_open(call->fmu, &c->arena, &c->diag, &fmi));
    RbText text = rb_text(&c->arena);
    rb_fmi_describe(fmi, &text);
    call->text = text.data;
    return RB_OK;
}

RbStatus rb_fmu_describe_file(RbContext *context, const char *fmu, const char **text) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, fmu);
    RB_NEED(context, text);
    ImportCall call = {.context = context, .fmu = fmu};
    RbStatus status = rb_context_call(context, describe, &call);
    *text = status == RB_OK ? call.text : "";
    return status;
}
