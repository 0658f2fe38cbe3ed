// SPDX-License-Identifier: MIT
// Every wrong model in tests/errors is refused with exactly the messages in the .txt file beside
// it. With RB_SHOW=1 in the environment the messages are printed instead, for a human to judge.
#include "testing.h"

#include <dirent.h>
#include <string.h>

#include "base/file.h"
#include "flatten/flatten.h"

static const char folder[] = RB_SOURCE_DIR "/tests/errors";

// All messages about one file as they are shown to the user, without source lines and carets.
static const char *messages(Fixture *f, const char *name) {
    RbBytes text;
    ENSURE(rb_file_read(rb_arena_printf(&f->arena, "%s/%s.mo", folder, name), 0, &f->arena,
                        &f->diag, &text) == RB_OK);
    RbNames names = rb_names(&f->arena);
    RbLibrary *library = rb_library(&names, &f->arena, &f->scratch, &f->diag);
    const char *model = NULL, *file = rb_arena_printf(&f->arena, "%s.mo", name);
    RbFlatModel *flat = NULL;
    if (rb_library_add_text(library, file, (const char *)text.data, text.size, &model) == RB_OK) {
        RbFlattenOptions options = {.strict_units = true};
        RbStatus status = rb_flatten(library, model, options, &flat);
        ENSURE((status == RB_OK) == (flat != NULL));
        ENSURE((status == RB_OK) == (f->diag.error_count == 0));
    }
    RbText out = rb_text(&f->arena);
    RbDiag bare = {.arena = &f->arena};
    for (int i = 0; i < f->diag.messages.count; i++)
        rb_diag_print(&bare, &f->diag.messages.data[i], &out);
    rb_text_add(&out, "");
    return out.data;
}

static bool check(const char *name, bool show) {
    Fixture f;
    fixture_open(&f);
    const char *got = messages(&f, name);
    bool good = true;
    if (show) {
        printf("%s", *got ? got : rb_arena_printf(&f.arena, "%s: no message\n", name));
    } else {
        RbBytes want = {(const unsigned char *)"", 0};
        rb_file_read(rb_arena_printf(&f.arena, "%s/%s.txt", folder, name), 0, &f.arena, &f.diag,
                     &want);
        good = *got && strcmp(got, (const char *)want.data) == 0;
        if (!good)
            print_error("tests/errors/%s.mo gives\n%swanted\n%s", name, got,
                        (const char *)want.data);
    }
    fixture_close(&f);
    return good;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void every_wrong_model_gets_its_message(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RB_ARRAY(char *) names = {0};
    DIR *d = opendir(folder);
    ENSURE(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (!rb_text_ends_with(e->d_name, ".mo")) continue;
        rb_array_push(&names, &f.arena, rb_arena_bytes(&f.arena, e->d_name, strlen(e->d_name) - 3));
    }
    closedir(d);
    qsort(names.data, (size_t)names.count, sizeof *names.data, by_name);
    bool show = getenv("RB_SHOW") != NULL;
    int bad = 0;
    for (int i = 0; i < names.count; i++) bad += !check(names.data[i], show);
    print_message("%d wrong models\n", names.count);
    ENSURE(names.count >= 200 && bad == 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_wrong_model_gets_its_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
