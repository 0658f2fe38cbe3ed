// SPDX-License-Identifier: MIT
// FMUs of other tools as Modelica classes (include/rattleback/fmu_import.h).
#include "rattleback/fmu_import.h"

#include <stdlib.h>
#include <string.h>

#include "api/api_context.h"
#include "fmi/modelica_class.h"
#include "fmi/system_structure.h"

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

static bool is_class(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] && strspn(name, letters) == strlen(name) && !(name[0] >= '0' && name[0] <= '9');
}

static RbStatus import_system(RbContext *c, const char *structure, const char *file) {
    const char *text;
    if (rb_text_ends_with(structure, ".ssp"))
        return rb_fail(&c->diag, RB_ERROR_USAGE, rb_in_file(structure),
                       "a class names the places of FMUs: unpack the archive and import its "
                       "SystemStructure.ssd");
    RB_TRY(rb_system_structure_text(structure, &c->arena, &c->diag, &text));
    return rb_file_write(file, text, strlen(text), &c->diag);
}

RbStatus rb_fmu_import(RbContext *context, const char *fmu, const RbFmuImportOptions *options,
                       const char *file) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, fmu);
    RB_NEED(context, options);
    RB_NEED(context, file);
    if (options->class_name && !is_class(options->class_name))
        return rb_bad_argument(context, __func__, "options->class_name", "is no name of a class");
    RB_CALL(context);
    if (rb_text_ends_with(fmu, ".ssd") || rb_text_ends_with(fmu, ".ssp"))
        return import_system(context, fmu, file);
    RbFmi *fmi;
    RB_TRY(rb_fmi_open(fmu, &context->arena, &context->diag, &fmi));
    RbFmiClass class = {.name = options->class_name,
                        .file = name_of(fmi, file, &context->arena),
                        .cosimulation = options->co_simulation || !fmi->exchange.identifier};
    if (class.cosimulation && !fmi->cosimulation.identifier)
        return rb_fail(&context->diag, RB_ERROR_USAGE, rb_in_file(fmu),
                       "the FMU is for model exchange alone");
    RbText text = rb_text(&context->arena);
    rb_fmi_write_class(fmi, &class, &text);
    return rb_file_write(file, text.data, (size_t)text.count, &context->diag);
}

RbStatus rb_fmu_describe_file(RbContext *context, const char *fmu, const char **text) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, fmu);
    RB_NEED(context, text);
    *text = "";
    RB_CALL(context);
    RbFmi *fmi;
    RB_TRY(rb_fmi_open(fmu, &context->arena, &context->diag, &fmi));
    RbText out = rb_text(&context->arena);
    rb_fmi_describe(fmi, &out);
    *text = out.data;
    return RB_OK;
}
