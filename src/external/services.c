// SPDX-License-Identifier: MIT
#include "external/services.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local RbServiceCall *current;

bool rb_service_run(RbServiceCall *call, RbForeignWrapper *wrapper, void **args) {
    call->outer = current;
    call->error = NULL;
    current = call;
    bool done = setjmp(call->jump) == 0;
    if (done) wrapper(args);
    current = call->outer;
    return done;
}

// --- what C code sees ----------------------------------------------------------------------------

const char rb_modelica_utilities[] =
    "#ifndef MODELICA_UTILITIES_H\n"
    "#define MODELICA_UTILITIES_H\n"
    "#include <stdarg.h>\n"
    "#include <stddef.h>\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "void ModelicaMessage(const char *string);\n"
    "void ModelicaFormatMessage(const char *format, ...);\n"
    "void ModelicaVFormatMessage(const char *format, va_list args);\n"
    "void ModelicaWarning(const char *string);\n"
    "void ModelicaFormatWarning(const char *format, ...);\n"
    "void ModelicaVFormatWarning(const char *format, va_list args);\n"
    "void ModelicaError(const char *string);\n"
    "void ModelicaFormatError(const char *format, ...);\n"
    "void ModelicaVFormatError(const char *format, va_list args);\n"
    "char *ModelicaAllocateString(size_t length);\n"
    "char *ModelicaAllocateStringWithErrorReturn(size_t length);\n"
    "char *ModelicaDuplicateString(const char *string);\n"
    "char *ModelicaDuplicateStringWithErrorReturn(const char *string);\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "#endif\n";

RB_API void ModelicaMessage(const char *string);
RB_API void ModelicaFormatMessage(const char *format, ...) RB_PRINTF(1, 2);
RB_API void ModelicaVFormatMessage(const char *format, va_list args) RB_PRINTF(1, 0);
RB_API void ModelicaWarning(const char *string);
RB_API void ModelicaFormatWarning(const char *format, ...) RB_PRINTF(1, 2);
RB_API void ModelicaVFormatWarning(const char *format, va_list args) RB_PRINTF(1, 0);
RB_API _Noreturn void ModelicaError(const char *string);
RB_API _Noreturn void ModelicaFormatError(const char *format, ...) RB_PRINTF(1, 2);
RB_API _Noreturn void ModelicaVFormatError(const char *format, va_list args) RB_PRINTF(1, 0);
RB_API char *ModelicaAllocateString(size_t length);
RB_API char *ModelicaAllocateStringWithErrorReturn(size_t length);
RB_API char *ModelicaDuplicateString(const char *string);
RB_API char *ModelicaDuplicateStringWithErrorReturn(const char *string);

enum { TEXT_MAX = 2000 }; // bytes of a message

// A message without the line ends that many write after it.
static void say(bool warning, const char *text) {
    RbServiceCall *c = current;
    if (!c || !c->diag || *c->messages_left <= 0) return;
    int length = (int)strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) length--;
    const char *more = --*c->messages_left == 0 ? " (further messages are not shown)" : "";
    if (warning)
        rb_warn(c->diag, c->at, "%s: %.*s%s", c->function, length, text, more);
    else
        rb_note(c->diag, c->at, "%s: %.*s%s", c->function, length, text, more);
}

// Back to rb_service_run, over frames of external code only. A thread that external code started
// has nowhere to go back to, and ends.
static _Noreturn void leave(const char *text) {
    RbServiceCall *c = current;
    if (!c) pthread_exit(NULL);
    c->error = rb_arena_text(c->arena, text);
    longjmp(c->jump, 1);
}

void ModelicaVFormatMessage(const char *format, va_list args) {
    char text[TEXT_MAX];
    vsnprintf(text, sizeof text, format, args);
    say(false, text);
}

void ModelicaVFormatWarning(const char *format, va_list args) {
    char text[TEXT_MAX];
    vsnprintf(text, sizeof text, format, args);
    say(true, text);
}

void ModelicaVFormatError(const char *format, va_list args) {
    char text[TEXT_MAX];
    vsnprintf(text, sizeof text, format, args);
    leave(text);
}

void ModelicaFormatMessage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    ModelicaVFormatMessage(format, args);
    va_end(args);
}

void ModelicaFormatWarning(const char *format, ...) {
    va_list args;
    va_start(args, format);
    ModelicaVFormatWarning(format, args);
    va_end(args);
}

void ModelicaFormatError(const char *format, ...) {
    va_list args;
    va_start(args, format);
    ModelicaVFormatError(format, args);
}

void ModelicaMessage(const char *string) {
    say(false, string);
}

void ModelicaWarning(const char *string) {
    say(true, string);
}

void ModelicaError(const char *string) {
    leave(string);
}

char *ModelicaAllocateStringWithErrorReturn(size_t length) {
    return current ? rb_arena_push(current->arena, length + 1, 1) : NULL;
}

char *ModelicaAllocateString(size_t length) {
    return ModelicaAllocateStringWithErrorReturn(length);
}

char *ModelicaDuplicateStringWithErrorReturn(const char *string) {
    return current ? rb_arena_text(current->arena, string) : NULL;
}

char *ModelicaDuplicateString(const char *string) {
    return ModelicaDuplicateStringWithErrorReturn(string);
}
