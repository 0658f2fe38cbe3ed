// SPDX-License-Identifier: MIT
// Models that are right as far as the language goes, but cannot be sorted, started or run
// (tests/errors/run): each gives exactly the messages in the .txt file beside it. With RB_SHOW=1 in
// the environment the messages are printed instead, for a human to judge.
// label: normal
#include <dirent.h>

#include "translate/run_model.h"

static const char folder[] = RB_SOURCE_DIR "/tests/errors/run";

static const char *messages(Run *r, const char *name) {
    RbText out = rb_text(&r->f.arena);
    RbDiag bare = {.arena = &r->f.arena};
    for (int i = 0; i < r->f.diag.messages.count; i++) {
        RbMessage m = r->f.diag.messages.data[i];
        if (m.at.file)
            m.at.file = rb_arena_printf(&r->f.arena, "%s.mo", name); // without the folder
        rb_diag_print(&bare, &m, &out);
    }
    rb_text_add(&out, "");
    return out.data;
}

static bool check(const char *name, bool show) {
    Run r;
    RbBytes want = {(const unsigned char *)"", 0};
    char file[600];
    snprintf(file, sizeof file, "%s/%s.mo", folder, name);
    bool opened = model_open_file(&r, file, NULL, RB_BACKEND_TCC);
    RbStatus status = opened ? run_go(&r) : RB_ERROR_MODEL;
    const char *got = messages(&r, name);
    snprintf(file, sizeof file, "%s/%s.txt", folder, name);
    rb_file_read(file, 0, &r.f.arena, &r.f.diag, &want);
    const char *wanted = want.data ? (const char *)want.data : "";
    bool good = status != RB_OK && strcmp(got, wanted) == 0;
    if (show)
        printf("%s", *got ? got : "no message\n");
    else if (!good)
        print_error("tests/errors/run/%s.mo gives\n%swanted\n%s", name, got, wanted);
    run_close(&r);
    return good;
}

static void every_run_gets_its_message(void **state) {
    (void)state;
    bool show = getenv("RB_SHOW") != NULL;
    int bad = 0, count = 0;
    DIR *d = opendir(folder);
    ENSURE(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (!rb_text_ends_with(e->d_name, ".mo")) continue;
        char name[200];
        snprintf(name, sizeof name, "%.*s", (int)strlen(e->d_name) - 3, e->d_name);
        bad += !check(name, show);
        count++;
    }
    closedir(d);
    print_message("%d runs that must fail\n", count);
    ENSURE(show || (count > 0 && bad == 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_run_gets_its_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
