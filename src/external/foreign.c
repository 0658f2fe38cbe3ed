// SPDX-License-Identifier: MIT
#include "external/foreign.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "code/compile.h"
#include "external/build.h"

typedef struct Loaded {
    const RbFunction *function;
    RbForeignWrapper *wrapper;
} Loaded;

struct RbForeign {
    const RbFlatModel *model;
    RbArena *arena;
    RB_ARRAY(Loaded) loaded;
    RB_ARRAY(RbForeignLibrary) libraries;
};

RbForeign *rb_foreign(const RbFlatModel *model, RbArena *arena) {
    RbForeign *x = rb_new(arena, RbForeign);
    x->model = model;
    x->arena = arena;
    return x;
}

// --- types ---------------------------------------------------------------------------------------

int rb_foreign_parts(const RbFunction *f, int k) {
    int parts = 0;
    const char *layout = f->external.layouts.data[k];
    if (!*layout) return 1;
    for (; *layout; layout++) parts += *layout != '{' && *layout != '}';
    return parts;
}

RbArgumentPassing rb_foreign_passing(const RbFunction *f, int k, int first) {
    const RbExpr *e = f->external.args.data[first];
    if (*f->external.layouts.data[k]) return RB_PASS_STRUCT;
    if (e->rank > 0) return RB_PASS_ARRAY;
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_SIZE) return RB_PASS_SIZE;
    bool output = e->op == RB_OP_LOCAL && e->index >= f->input_count &&
                  e->index < f->input_count + f->output_count;
    return output ? RB_PASS_OUTPUT : RB_PASS_VALUE;
}

static const char *c_type(RbType type) {
    static const char *const names[] = {"double",       "int", "int",
                                        "const char *", "int", "void *"}; // ORDER RbType
    return names[type];
}

// --- wrappers ------------------------------------------------------------------------------------

// With `declare` the types only, otherwise the arguments with their values.
static void write_argument(RbText *out, const RbFunction *f, int k, int first, bool declare) {
    const char *type = c_type((RbType)f->external.args.data[first]->type);
    switch (rb_foreign_passing(f, k, first)) {
        case RB_PASS_VALUE:
            rb_text_printf(out, declare ? "%s" : "*(%s *)a[%d]", type, k + 1);
            break;
        case RB_PASS_SIZE:
            rb_text_printf(out, declare ? "unsigned long" : "*(unsigned long *)a[%d]", k + 1);
            break;
        case RB_PASS_OUTPUT:
        case RB_PASS_ARRAY:
            rb_text_printf(out, declare ? "%s *" : "(%s *)a[%d]", type, k + 1);
            break;
        case RB_PASS_STRUCT: rb_text_printf(out, declare ? "void *" : "a[%d]", k + 1); break;
    }
}

static void write_arguments(RbText *out, const RbFunction *f, bool declare) {
    rb_text_add(out, "(");
    for (int k = 0, first = 0; k < f->external.layouts.count; k++) {
        if (k > 0) rb_text_add(out, ", ");
        write_argument(out, f, k, first, declare);
        first += rb_foreign_parts(f, k);
    }
    rb_text_add(out, declare && f->external.layouts.count == 0 ? "void)" : ")");
}

static const char *result_type(const RbFunction *f) {
    return f->external.result ? c_type((RbType)f->external.result->type) : "void";
}

// Without its text the function is a pointer of a type that follows from the external clause.
static void write_wrapper(RbText *out, const RbFunction *f, int number, bool by_pointer) {
    rb_text_printf(out, "void rb_wrapper_%d(void **a) {\n    ", number);
    if (f->external.result) rb_text_printf(out, "*(%s *)a[0] = ", result_type(f));
    if (by_pointer) {
        rb_text_printf(out, "((%s (*)", result_type(f));
        write_arguments(out, f, true);
        rb_text_printf(out, ")rb_targets[%d])", number);
    } else {
        rb_text_add(out, f->external.name);
    }
    write_arguments(out, f, false);
    rb_text_add(out, ";\n}\n");
}

// --- from libraries ------------------------------------------------------------------------------

static void close_library(void *handle) {
    dlclose(handle);
}

// Those of the system have no folder in their names.
static void note_library(RbForeign *x, const char *path) {
    RbForeignLibrary own = {path, 0};
    for (int i = 0; i < x->libraries.count; i++) {
        if (strcmp(x->libraries.data[i].path, path) == 0) return;
    }
    if (strchr(path, '/') && rb_file_hash(path, &own.hash))
        rb_array_push(&x->libraries, x->arena, own);
}

static void *open_library(RbForeign *x, const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return NULL;
    rb_arena_defer(x->arena, close_library, handle);
    note_library(x, path);
    return handle;
}

const RbForeignLibrary *rb_foreign_libraries(const RbForeign *foreign, int *count) {
    *count = foreign->libraries.count;
    return foreign->libraries.data;
}

static RbStatus missing(const RbFunction *f, const RbFound *found, RbDiag *diag) {
    const RbExternal *e = &f->external;
    if (e->libraries.count == 0)
        return rb_fail(
            diag, RB_ERROR_MODEL, f->at,
            "the external function '%s' needs the C function '%s', which is in no library "
            "that is loaded; name one by annotation(Library = ...), or give the C text by "
            "annotation(Include = ...)",
            f->name, e->name);
    return rb_fail(
        diag, RB_ERROR_MODEL, f->at,
        "the external function '%s' needs the C function '%s', which is not in the library "
        "'%s' (%s); build the library for this machine or correct the annotations Library "
        "and LibraryDirectory",
        f->name, e->name, e->libraries.data[0], found->report);
}

static RbStatus find_symbol(RbForeign *x, const RbFunction *f, const RbFound *found, RbDiag *diag,
                            void **symbol) {
    *symbol = NULL;
    for (int i = 0; i < found->paths.count && !*symbol; i++) {
        void *handle = open_library(x, found->paths.data[i]);
        if (!handle)
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "the library of the external function '%s' cannot be loaded: %s",
                           f->name, dlerror());
        *symbol = dlsym(handle, f->external.name);
    }
    if (!*symbol) *symbol = dlsym(RTLD_DEFAULT, f->external.name); // libc, libm
    return *symbol ? RB_OK : missing(f, found, diag);
}

static RbStatus load_library(RbForeign *x, const RbFunction *f, const RbFound *found, RbDiag *diag,
                             RbForeignWrapper **wrapper) {
    RbText text = rb_text(x->arena);
    void *symbol, *table;
    RB_TRY(find_symbol(x, f, found, diag, &symbol));
    rb_text_add(&text, "void *rb_targets[1];\n");
    write_wrapper(&text, f, 0, true);
    RbCompiledText compiled;
    RB_TRY(rb_compile_text(text.data, x->arena, diag, &compiled));
    table = rb_compiled_symbol(&compiled, "rb_targets");
    memcpy(table, &symbol, sizeof symbol);
    symbol = rb_compiled_symbol(&compiled, "rb_wrapper_0");
    memcpy(wrapper, &symbol, sizeof symbol);
    return RB_OK;
}

// --- from C text ---------------------------------------------------------------------------------

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Functions with the same text share one object, and so what is static in it.
static bool same_unit(const RbFunction *f, const RbFunction *g) {
    const RbExternal *a = &f->external, *b = &g->external;
    if (g->kind != RB_FUNCTION_EXTERNAL || !same_text(a->include, b->include)) return false;
    if (!same_text(a->include_directory, b->include_directory)) return false;
    if (!same_text(a->library_directory, b->library_directory)) return false;
    if (a->libraries.count != b->libraries.count) return false;
    for (int i = 0; i < a->libraries.count; i++) {
        if (!same_text(a->libraries.data[i], b->libraries.data[i])) return false;
    }
    return true;
}

static void write_unit(RbForeign *x, const RbFunction *f, RbText *text) {
    if (f->external.include) {
        rb_text_printf(text, "%s\n", f->external.include);
    } else {
        rb_text_printf(text, "extern %s %s", result_type(f), f->external.name);
        write_arguments(text, f, true);
        rb_text_add(text, ";\n");
    }
    for (int i = 0; i < x->model->functions.count; i++) {
        const RbFunction *g = x->model->functions.data[i];
        if (g == f || (f->external.include && same_unit(f, g))) write_wrapper(text, g, i, false);
    }
}

static RbStatus load_unit(RbForeign *x, const RbFunction *f, const RbFound *found, RbDiag *diag) {
    RbText text = rb_text(x->arena);
    const char *object;
    write_unit(x, f, &text);
    RB_TRY(rb_build_object(f, text.data, found, x->arena, diag, &object));
    void *handle = open_library(x, object);
    if (!handle)
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "the compiled external function '%s' cannot be loaded: %s", f->name,
                       dlerror());
    for (int i = 0; i < x->model->functions.count; i++) {
        const RbFunction *g = x->model->functions.data[i];
        void *symbol = dlsym(handle, rb_arena_printf(x->arena, "rb_wrapper_%d", i));
        if (!symbol) continue;
        Loaded l = {.function = g};
        memcpy(&l.wrapper, &symbol, sizeof symbol);
        rb_array_push(&x->loaded, x->arena, l);
    }
    return RB_OK;
}

static RbForeignWrapper *known(const RbForeign *x, const RbFunction *f) {
    for (int i = 0; i < x->loaded.count; i++) {
        if (x->loaded.data[i].function == f) return x->loaded.data[i].wrapper;
    }
    return NULL;
}

RbStatus rb_foreign_find(RbForeign *x, const RbFunction *f, RbDiag *diag,
                         RbForeignWrapper **wrapper) {
    *wrapper = known(x, f);
    if (*wrapper) return RB_OK;
    if (x->model->no_external)
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "the function '%s' is C code of its own, which may do anything on this "
                       "computer and is forbidden by '--no-external', and in FMUs",
                       f->name);
    if (f->external.language && strcmp(f->external.language, "C") != 0)
        return rb_fail(
            diag, RB_ERROR_MODEL, f->at,
            "the external function '%s' is in the language '%s'; only \"C\" is supported", f->name,
            f->external.language);
    RbFound found = rb_find_libraries(f, x->arena);
    if (!f->external.include && found.sources.count == 0 && !found.has_archives) {
        RB_TRY(load_library(x, f, &found, diag, wrapper));
        rb_array_push(&x->loaded, x->arena, (Loaded){f, *wrapper});
        return RB_OK;
    }
    RB_TRY(load_unit(x, f, &found, diag));
    *wrapper = known(x, f);
    return *wrapper ? RB_OK : missing(f, &found, diag);
}
