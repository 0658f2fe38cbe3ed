// SPDX-License-Identifier: MIT
// A change of structure calls neither the translator nor a compiler: they are counted, by the linker's
// --wrap (tests/CMakeLists.txt).
#include "code/compile.h"
#include "translate/run_model.h"

static int translations, compilations;

// The names are those that the linker asks for.
RbStatus __real_rb_translate(RbLibrary *library, const char *class_name,
                             const RbTranslateOptions *options, RbArena *arena, RbArena scratch,
                             RbDiag *diag, RbTranslation *out);
RbStatus __wrap_rb_translate(RbLibrary *library, const char *class_name,
                             const RbTranslateOptions *options, RbArena *arena, RbArena scratch,
                             RbDiag *diag, RbTranslation *out);
RbStatus __real_rb_compile_text(const char *text, RbArena *arena, RbDiag *diag,
                                RbCompiledText *compiled);
RbStatus __wrap_rb_compile_text(const char *text, RbArena *arena, RbDiag *diag,
                                RbCompiledText *compiled);
RbStatus __real_rb_compile_now(const RbCSource *source, RbArena *arena, RbDiag *diag,
                               RbCompiled *compiled);
RbStatus __wrap_rb_compile_now(const RbCSource *source, RbArena *arena, RbDiag *diag,
                               RbCompiled *compiled);
RbStatus __real_rb_job_start(RbCompileJob *job, const RbCSource *source, bool background,
                             RbDiag *diag);
RbStatus __wrap_rb_job_start(RbCompileJob *job, const RbCSource *source, bool background,
                             RbDiag *diag);

RbStatus __wrap_rb_translate(RbLibrary *library, const char *class_name,
                             const RbTranslateOptions *options, RbArena *arena, RbArena scratch,
                             RbDiag *diag, RbTranslation *out) {
    translations++;
    return __real_rb_translate(library, class_name, options, arena, scratch, diag, out);
}

RbStatus __wrap_rb_compile_text(const char *text, RbArena *arena, RbDiag *diag,
                                RbCompiledText *compiled) {
    compilations++;
    return __real_rb_compile_text(text, arena, diag, compiled);
}

RbStatus __wrap_rb_compile_now(const RbCSource *source, RbArena *arena, RbDiag *diag,
                               RbCompiled *compiled) {
    compilations++;
    return __real_rb_compile_now(source, arena, diag, compiled);
}

RbStatus __wrap_rb_job_start(RbCompileJob *job, const RbCSource *source, bool background,
                             RbDiag *diag) {
    compilations++;
    return __real_rb_job_start(job, source, background, diag);
}

static void ensure_translated_once(const char *file, const char *class, double stop_time,
                                   int segments) {
    Run r;
    translations = compilations = 0;
    model_open(&r, file, class);
    r.options.stop_time = stop_time;
    ENSURE(translations == 1);
    run_go(&r);
    if (r.summary.segments != segments) model_messages(&r);
    ENSURE(r.summary.segments == segments);
    ENSURE(translations == 1);
    ENSURE(compilations == 1); // when the code is needed first, and never again
    run_close(&r);
}

static void changes_call_no_translator(void **state) {
    (void)state;
    ensure_translated_once("DrivenStructure.mo", "DrivenStructure.Floating", 2, 8);
    ensure_translated_once("Structure.mo", "Structure.Kicked", 3, 16);
    ensure_translated_once("Structure.mo", "Structure.Rocket", 15, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_call_no_translator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
