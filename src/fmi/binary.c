// SPDX-License-Identifier: MIT
#include "fmi/binary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "fmi/files.h"

// ---- what it says

static const char *const statuses[] = {"OK", "Warning", "Discard", "Error",
                                       "Fatal"}; // ORDER RbFmiStatus

RbFmiStatus rb_fmi_note(RbFmiInstance *i, const char *call, int status) {
    i->call = call;
    i->status = status < 0 || status > RB_FMI_FATAL
                    ? RB_FMI_ERROR
                    : (RbFmiStatus)status; // fmi2Pending: we have asked for none
    i->dead |= i->status == RB_FMI_FATAL;
    return i->status;
}

void rb_fmi_hear(RbFmiInstance *i, int status, const char *category, const char *text) {
    if (!i || !text) return;
    int length = (int)strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' ')) length--;
    bool problem = status > RB_FMI_OK;
    if (problem) snprintf(i->said, sizeof i->said, "%.*s", length, text);
    if (i->line_count >= RB_FMI_LINES) return;
    i->problem[i->line_count] = problem;
    snprintf(i->lines[i->line_count++], RB_FMI_LINE, "%s: %.*s", category ? category : "", length,
             text);
}

const char *rb_fmi_why(const RbFmiInstance *i, char *text, size_t size) {
    int v = i->fmi->version;
    snprintf(text, size, "FMU '%s': %s returned fmi%d%s%s%s", i->fmi->file,
             i->call ? i->call : "it", v, statuses[i->status], i->said[0] ? ": " : "", i->said);
    return text;
}

// ---- groups

RbFmiGroup rb_fmi_group_of(const RbFmi *f, const int *variables, int count, RbArena *arena) {
    RbFmiGroup g = {.count = count};
    g.variables = rb_new_array(arena, int, count + 1);
    g.references = rb_new_array(arena, uint32_t, count + 1);
    for (int k = 0; k < count; k++) {
        g.variables[k] = variables[k];
        g.references[k] = f->variables.data[variables[k]].reference;
        g.values += f->variables.data[variables[k]].size;
    }
    return g;
}

RbFmiGroup rb_fmi_group(const RbFmi *f, bool (*wanted)(const RbFmiVariable *), RbArena *arena) {
    int *list = rb_new_array(arena, int, f->variables.count + 1), count = 0;
    for (int k = 0; k < f->variables.count; k++)
        if (wanted(&f->variables.data[k])) list[count++] = k;
    return rb_fmi_group_of(f, list, count, arena);
}

// Variables from `first` on that have the same type, and their values.
static int run_of(const RbFmi *f, const RbFmiGroup *g, int first, int *values) {
    RbFmiType type = f->variables.data[g->variables[first]].type;
    int end = first;
    *values = 0;
    for (; end < g->count && f->variables.data[g->variables[end]].type == type; end++)
        *values += f->variables.data[g->variables[end]].size;
    return end - first;
}

RbFmiStatus rb_fmi_get(RbFmiInstance *i, const RbFmiGroup *g, double *values) {
    RbFmiStatus worst = RB_FMI_OK;
    for (int k = 0, n, size; k < g->count; k += n, values += size) {
        n = run_of(i->fmi, g, k, &size);
        RbFmiStatus status = i->calls->get(i, i->fmi->variables.data[g->variables[k]].type,
                                           g->references + k, n, values, size);
        if (rb_fmi_failed(status)) return status;
        if (status > worst) worst = status;
    }
    return worst;
}

RbFmiStatus rb_fmi_set(RbFmiInstance *i, const RbFmiGroup *g, const double *values) {
    RbFmiStatus worst = RB_FMI_OK;
    for (int k = 0, n, size; k < g->count; k += n, values += size) {
        n = run_of(i->fmi, g, k, &size);
        RbFmiStatus status = i->calls->set(i, i->fmi->variables.data[g->variables[k]].type,
                                           g->references + k, n, values, size);
        if (rb_fmi_failed(status)) return status;
        if (status > worst) worst = status;
    }
    return worst;
}

// ---- an instance

RbStatus rb_fmi_symbols(const RbFmiInstance *i, void *library, const RbFmiSymbol *symbols,
                        void *table, RbDiag *diag) {
    for (const RbFmiSymbol *s = symbols; s->name; s++) {
        void *function = dlsym(library, s->name);
        if (!function)
            return rb_fail(diag, RB_ERROR_MODEL, rb_in_file(i->fmi->path),
                           "the binary of the FMU does not have the function %s", s->name);
        memcpy((char *)table + s->offset, &function, sizeof function);
    }
    return RB_OK;
}

static int count_values(const RbFmi *f) {
    int count = 1;
    for (int k = 0; k < f->variables.count; k++) count += f->variables.data[k].size;
    return count;
}

// Once for all runs: the functions, a buffer, where the resources are.
static RbStatus prepare(RbFmiInstance *i, RbArena *arena, RbDiag *diag) {
    void *library;
    const char *folder;
    RbFmi *f = i->fmi;
    RB_TRY(rb_fmi_library(f, i->kind, diag, &library));
    RB_TRY(rb_fmi_unpack(f, diag, &folder));
    i->calls = f->version == 2 ? &rb_fmi2_calls : &rb_fmi3_calls;
    RB_TRY(i->calls->link(i, library, diag));
    RB_TRY(rb_fmi_link_shared(i, library, diag));
    i->buffer = rb_new_array(arena, double, count_values(f));
    i->resources = f->version == 2 ? rb_arena_join(arena, "file://", folder, "resources")
                                   : rb_arena_join(arena, folder, "resources/", "");
    return RB_OK;
}

RbStatus rb_fmi_instantiate(RbFmiInstance *i, const char *name, RbArena *arena, RbDiag *diag) {
    if (!i->resources) RB_TRY(prepare(i, arena, diag));
    i->call = NULL;
    i->status = RB_FMI_OK;
    i->dead = false;
    i->said[0] = '\0';
    i->line_count = 0;
    if (i->kind->once && i->fmi->instances > 0)
        return rb_fail(diag, RB_ERROR_MODEL, rb_in_file(i->fmi->path),
                       "the FMU can be instantiated once in a process, and there is an instance: "
                       "'%s' is one too many",
                       name);
    if (i->calls->instantiate(i, name, i->resources)) {
        i->fmi->instances++;
        return RB_OK;
    }
    return rb_fail(diag, RB_ERROR_INIT, rb_in_file(i->fmi->path),
                   "the FMU cannot be instantiated%s%s", i->said[0] ? ": " : "", i->said);
}

void rb_fmi_release(RbFmiInstance *i) {
    if (i->c) i->fmi->instances--;
    if (i->c && !i->dead) i->shared.free(i->c);
    i->c = NULL;
}
