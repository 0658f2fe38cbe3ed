// SPDX-License-Identifier: MIT
// Which classes there are: those of the library that is compiled in, or of a package of the user.
#include <stdio.h>
#include <string.h>

#include "classes/walk.h"
#include "open_model.h"
#include "syntax/lex.h"

static const char BUILT_IN[] = "Rattleback";

// What a user takes and connects; not functions, types, packages, and classes to extend.
static bool is_shown(const RbAstClass *c) {
    RbRestriction r = c->restriction;
    return !c->partial && (r == RB_KIND_MODEL || r == RB_KIND_BLOCK || r == RB_KIND_CONNECTOR ||
                           r == RB_KIND_RECORD);
}

typedef struct Overview {
    Cli *cli;
    const char *package; // that the line is about
    int column;
} Overview;

static void show_name(void *user, const char *full_name, RbName name, RbAstClass *class) {
    enum { INDENT = 40, WIDTH = 100 };
    Overview *o = user;
    if (!class || !is_shown(class)) return;
    size_t length = strlen(full_name) - strlen(name);
    const char *package = rb_arena_bytes(&o->cli->arena, full_name, length > 0 ? length - 1 : 0);
    bool same = o->package && strcmp(o->package, package) == 0;
    if (!same) {
        o->column = printf("%s  %-*s", o->package ? "\n" : "", INDENT - 2, package);
    } else {
        o->column += printf(",");
    }
    if (o->column + (int)strlen(name) > WIDTH) o->column = printf("\n%*s", INDENT, "") - 1;
    o->column += printf(" %s", name);
    o->package = package;
}

// The class of that name, or NULL.
static RbStatus open_library(Cli *cli, const RbModelica *source, RbLibrary **library,
                             const char **name, RbAstClass **class) {
    RbModelicaOpener opener = modelica_opener(cli, source);
    RB_TRY(rb_modelica_library(&opener, library, name));
    *class = rb_library_class(*library, *name);
    return RB_OK;
}

RbStatus print_library(Cli *cli) {
    RbModelica source = rb_modelica_default();
    RbLibrary *library;
    RbAstClass *class;
    const char *name;
    source.class_name = BUILT_IN;
    RB_TRY(open_library(cli, &source, &library, &name, &class));
    printf("\nModelica classes (rattleback info %s describes them):\n", BUILT_IN);
    Overview o = {.cli = cli};
    if (class) rb_classes_walk(library, class, name, true, show_name, &o);
    printf("\n");
    return RB_OK;
}

static void show_class(void *user, const char *full_name, RbName name, RbAstClass *class) {
    Cli *cli = user;
    (void)name;
    if (!class || !is_shown(class)) return;
    RbText text = rb_text(&cli->arena);
    for (int i = 0; i < class->text.count; i++)
        rb_text_add(&text, rb_string_value(class->text.parts[i].start, class->text.parts[i].length,
                                           &cli->arena));
    printf("  %-48s %s\n", full_name, text.data ? text.data : "");
}

RbStatus print_package(Cli *cli, bool *done) {
    RbModelica source;
    RbLibrary *library;
    RbAstClass *class;
    const char *name;
    RB_TRY(modelica_source(cli, &source));
    RB_TRY(open_library(cli, &source, &library, &name, &class));
    *done = class && class->restriction == RB_KIND_PACKAGE;
    if (!*done) return RB_OK;
    printf("%s is a package:\n", name);
    rb_classes_walk(library, class, name, true, show_class, cli);
    return RB_OK;
}
