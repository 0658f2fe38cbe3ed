// SPDX-License-Identifier: MIT
// Packages in files and folders: only what a name needs is read; within, MODELICAPATH-like lists,
// versions in folder names.
#include "testing.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "flatten/flatten.h"
#include "classes/shipped.h"

static const char root[] = RB_BINARY_DIR "/test_library";

static void put(Fixture *f, const char *name, const char *text) {
    char *path = rb_arena_printf(&f->arena, "%s/%s", root, name);
    for (char *c = path + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(path, 0777);
        *c = '/';
    }
    ENSURE(rb_file_write(path, text, strlen(text), &f->diag) == RB_OK);
}

// A library of three levels; one file in it is broken, which must not matter as long as nobody
// needs it.
static void write_library(Fixture *f) {
    put(f, "lib/Lib/package.mo",
        "package Lib constant Real k = 2; model InPackage Real x = k; end InPackage; end Lib;");
    put(f, "lib/Lib/package.order", "InPackage\nParts\nBroken\n");
    put(f, "lib/Lib/Parts/package.mo",
        "within Lib; package Parts constant Real l = k + 1; end Parts;");
    put(f, "lib/Lib/Parts/Mass.mo", "within Lib.Parts; model Mass Real x = l; Spring s; end Mass;");
    put(f, "lib/Lib/Parts/Spring.mo", "within Lib.Parts; model Spring Real y = k; end Spring;");
    put(f, "lib/Lib/Broken.mo", "within Lib; model Broken Real ;;");
    put(f, "lib/Lib/WrongName.mo", "within Lib; model Other end Other;");
    put(f, "more/Single.mo", "package Single constant Real v = 1; end Single;");
    put(f, "more/Versioned 1.0.0/package.mo",
        "package Versioned constant Real v = 1; end Versioned;");
    put(f, "more/Versioned 1.2.0/package.mo",
        "package Versioned constant Real v = 2; end Versioned;");
}

static RbLibrary *open_library(Fixture *f, RbNames *names) {
    fixture_open(f);
    *names = rb_names(&f->arena);
    write_library(f);
    return rb_library(names, &f->arena, &f->scratch, &f->diag);
}

static double value(const RbFlatModel *flat, const char *name) {
    for (int i = 0; i < flat->vars.count; i++) {
        double v;
        if (strcmp(flat->vars.data[i].name, name) == 0 && flat->vars.data[i].binding &&
            rb_constant_value(flat->vars.data[i].binding, &v)) {
            return v;
        }
    }
    return NAN;
}

static void classes_are_found_in_folders(void **state) {
    (void)state;
    Fixture f;
    RbNames names;
    RbLibrary *library = open_library(&f, &names);
    rb_library_add_path_list(library,
                             rb_arena_printf(&f.arena, "/nowhere::%s/lib:%s/more", root, root));
    const char
        *text = "model A extends Lib.Parts.Mass; Real z = Single.v; Real w = Versioned.v; end A;",
        *last;
    ENSURE(rb_library_add_text(library, "a.mo", text, strlen(text), &last) == RB_OK);
    RbFlatModel *flat = NULL;
    RbStatus status = rb_flatten(library, last, (RbFlattenOptions){0}, &flat);
    if (status != RB_OK) print_error("%s", fixture_message(&f, 0));
    ENSURE(status == RB_OK);
    ENSURE_NEAR(value(flat, "x"), 3, 0);
    ENSURE_NEAR(value(flat, "s.y"), 2, 0);
    ENSURE_NEAR(value(flat, "z"), 1, 0);
    ENSURE_NEAR(value(flat, "w"), 2, 0); // the highest version
    fixture_close(&f);
}

static void a_file_within_a_package_brings_the_package_along(void **state) {
    (void)state;
    Fixture f;
    RbNames names;
    RbLibrary *library = open_library(&f, &names);
    const char *last = NULL;
    RbFlatModel *flat = NULL;
    ENSURE(rb_library_add_file(library,
                               rb_arena_printf(&f.arena, "%s/lib/Lib/Parts/Spring.mo", root),
                               &last) == RB_OK);
    assert_string_equal(last, "Lib.Parts.Spring");
    ENSURE(rb_flatten(library, last, (RbFlattenOptions){0}, &flat) == RB_OK);
    ENSURE_NEAR(value(flat, "y"), 2, 0);
    fixture_close(&f);
}

static void broken_files_are_reported_when_they_are_needed(void **state) {
    (void)state;
    Fixture f;
    RbNames names;
    RbLibrary *library = open_library(&f, &names);
    rb_library_add_path(library, rb_arena_printf(&f.arena, "%s/lib", root));
    RbFlatModel *flat = NULL;
    ENSURE(rb_flatten(library, "Lib.InPackage", (RbFlattenOptions){0}, &flat) == RB_OK);
    ENSURE(rb_flatten(library, "Lib.Broken", (RbFlattenOptions){0}, &flat) == RB_ERROR_MODEL);
    ENSURE(rb_text_ends_with(f.diag.messages.data[0].at.file, "Broken.mo"));
    int before = f.diag.messages.count;
    ENSURE(rb_flatten(library, "Lib.WrongName", (RbFlattenOptions){0}, &flat) == RB_ERROR_MODEL);
    ENSURE(strstr(f.diag.messages.data[before].text, "exactly one class, named 'WrongName'"));
    fixture_close(&f);
}

// What is compiled in is what stands in library/, each file of it, and needs no path.
static void the_shipped_library_is_there(void **state) {
    (void)state;
    Fixture f;
    RbNames names;
    RbLibrary *library = open_library(&f, &names);
    int files = 0;
    for (const RbShippedFile *s = rb_shipped_library; s->path; s++, files++) {
        RbBytes on_disk;
        const char *path = rb_arena_printf(&f.arena, "%s/library/%s", RB_SOURCE_DIR, s->path);
        ENSURE(rb_file_read(path, 1 << 20, &f.arena, &f.diag, &on_disk) == RB_OK);
        ENSURE(on_disk.size == strlen(s->text) && memcmp(on_disk.data, s->text, on_disk.size) == 0);
    }
    ENSURE(files >= 7);
    RbFlatModel *flat = NULL;
    ENSURE(rb_flatten(library, "Rattleback.Examples.Motor", (RbFlattenOptions){0}, &flat) == RB_OK);
    fixture_close(&f);
}

// A package of the same name on the path comes first.
static void the_path_comes_before_the_shipped_library(void **state) {
    (void)state;
    Fixture f;
    RbNames names;
    RbLibrary *library = open_library(&f, &names);
    const char *text = "package Rattleback model M Real x = 7; end M; end Rattleback;";
    ENSURE(rb_library_add_text(library, "mine.mo", text, strlen(text), NULL) == RB_OK);
    RbFlatModel *flat = NULL;
    ENSURE(rb_flatten(library, "Rattleback.M", (RbFlattenOptions){0}, &flat) == RB_OK);
    ENSURE_NEAR(value(flat, "x"), 7, 0);
    fixture_close(&f);
}

static void a_missing_file_is_an_error(void **state) {
    (void)state;
    Fixture f;
    RbNames names;
    RbLibrary *library = open_library(&f, &names);
    const char *last = NULL;
    ENSURE(rb_library_add_file(library, "/nowhere/x.mo", &last) == RB_ERROR_IO);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_found_in_folders),
        cmocka_unit_test(a_file_within_a_package_brings_the_package_along),
        cmocka_unit_test(broken_files_are_reported_when_they_are_needed),
        cmocka_unit_test(the_shipped_library_is_there),
        cmocka_unit_test(the_path_comes_before_the_shipped_library),
        cmocka_unit_test(a_missing_file_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
