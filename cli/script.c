// SPDX-License-Identifier: MIT
// rattleback run: scripts of other tools (.mos) that load, check and simulate models.
//
// A statement is [name :=] function(arguments); arguments are strings, numbers, names and lists, given by place or
// by name. Each simulation is a call of `rattleback simulate` with the options that it stands for.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { ARGUMENTS = 32, FILES = 64, WORDS = 64 };

typedef struct Argument {
    const char *name, *value; // name: NULL if it is given by place
} Argument;

typedef struct Statement {
    const char *function;
    Argument arguments[ARGUMENTS];
    int count, line;
} Statement;

typedef struct Script {
    Cli *cli;
    const char *path, *at; // what is still to be read
    int line;
    const char *files[FILES]; // that were loaded
    int file_count;
} Script;

static RbStatus fail(const Script *s, int line, const char *what, const char *name) {
    return cli_fail(s->cli, RB_ERROR_USAGE, NULL, "%s:%d: %s%s%s%s", s->path, line, name ? "'" : "",
                    name ? name : "", name ? "' " : "", what);
}

// --- reading -------------------------------------------------------------------------------------

static void skip_space(Script *s) {
    for (;;) {
        size_t comment = strncmp(s->at, "//", 2) == 0 ? strcspn(s->at, "\n") : 0;
        if (strncmp(s->at, "/*", 2) == 0) {
            const char *end = strstr(s->at + 2, "*/");
            comment = end ? (size_t)(end + 2 - s->at) : strlen(s->at);
        }
        if (comment == 0 && !(*s->at && isspace((unsigned char)*s->at))) return;
        if (comment == 0) comment = 1;
        for (; comment > 0; comment--) s->line += *s->at++ == '\n';
    }
}

static bool accept(Script *s, const char *text) {
    skip_space(s);
    size_t n = strlen(text);
    if (strncmp(s->at, text, n) != 0) return false;
    s->at += n;
    return true;
}

// A string without its quotes.
static const char *read_string(Script *s) {
    Text out = text_new(s->cli);
    for (s->at++; *s->at && *s->at != '"'; s->at++) {
        if (*s->at == '\\' && s->at[1]) s->at++;
        s->line += *s->at == '\n';
        text_printf(&out, "%c", *s->at);
    }
    if (*s->at) s->at++;
    return out.data ? out.data : "";
}

// A name, a number, or a list in braces, as it is written.
static const char *read_word(Script *s) {
    const char *start = s->at;
    if (*start == '{') {
        s->at += strcspn(s->at, "}");
        s->at += *s->at == '}';
    } else {
        while (*s->at && (isalnum((unsigned char)*s->at) || strchr("_.+-'$", *s->at))) s->at++;
    }
    return cli_copy(s->cli, start, (size_t)(s->at - start));
}

static const char *read_value(Script *s) {
    skip_space(s);
    return *s->at == '"' ? read_string(s) : read_word(s);
}

static RbStatus read_argument(Script *s, Statement *out) {
    if (out->count == ARGUMENTS) return fail(s, s->line, "has too many arguments", out->function);
    const char *value = read_value(s), *name = NULL;
    if (accept(s, "=")) {
        name = value;
        value = read_value(s);
    }
    out->arguments[out->count++] = (Argument){name, value};
    return RB_OK;
}

// statement = [ name ":=" ] name "(" [ argument { "," argument } ] ")" ";"
static RbStatus read_statement(Script *s, Statement *out) {
    *out = (Statement){0};
    skip_space(s);
    out->line = s->line;
    out->function = read_value(s);
    if (accept(s, ":=")) out->function = read_value(s);
    if (!out->function[0] || !accept(s, "("))
        return fail(s, s->line, "a call such as simulate(Model, stopTime=1) is expected", NULL);
    while (!accept(s, ")")) {
        TRY(read_argument(s, out));
        if (!accept(s, ",") && *s->at != ')')
            return fail(s, s->line, "',' or ')' is expected", NULL);
    }
    accept(s, ";");
    return RB_OK;
}

// --- files ---------------------------------------------------------------------------------------

static char *read_file(const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) return NULL;
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    rewind(in);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text) text[fread(text, 1, (size_t)size, in)] = 0;
    fclose(in);
    return text;
}

// Does the file declare the class that a full name begins with?
static bool declares(Script *s, const char *path, const char *class) {
    RbModelica source = rb_modelica_default();
    const RbEditorSymbol *list = NULL;
    int count = 0;
    char *text = read_file(path);
    size_t length = strcspn(class, ".");
    source.file = path;
    source.text = text;
    bool found = false;
    if (text) rb_editor_outline(s->cli->context, &source, &list, &count);
    for (int i = 0; i < count && !found; i++)
        found = list[i].level == 0 && strlen(list[i].name) == length &&
                strncmp(list[i].name, class, length) == 0;
    free(text);
    return found;
}

static bool is_package_file(const char *path) {
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "package.mo") == 0;
}

static const char *folder_of(Script *s, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? cli_copy(s->cli, path, (size_t)(slash - path)) : ".";
}

static RbStatus load_file(Script *s, const Statement *st) {
    if (st->count < 1) return fail(s, st->line, "needs the name of a file", st->function);
    const char *path = st->arguments[0].value;
    if (access(path, R_OK) != 0) return fail(s, st->line, "cannot be read", path);
    if (s->file_count == FILES) return fail(s, st->line, "is one file too many", path);
    s->files[s->file_count++] = path;
    return RB_OK;
}

// --- calls ---------------------------------------------------------------------------------------

typedef struct Words {
    char *list[WORDS];
    int count;
} Words;

static void add(Words *w, const char *word) {
    if (w->count < WORDS - 1) w->list[w->count++] = (char *)(uintptr_t)word;
}

static const char *given(const Statement *st, const char *name) {
    for (int i = 0; i < st->count; i++)
        if (st->arguments[i].name && strcmp(st->arguments[i].name, name) == 0)
            return st->arguments[i].value;
    return NULL;
}

// rattleback COMMAND [FILE] CLASS --library DIR...
static RbStatus begin(Script *s, const Statement *st, const char *command, Words *w) {
    if (st->count < 1 || st->arguments[0].name)
        return fail(s, st->line, "needs the name of a class first", st->function);
    const char *class = st->arguments[0].value, *own = NULL;
    add(w, s->cli->argv[0]);
    add(w, command);
    for (int i = s->file_count - 1; i >= 0 && !own; i--)
        if (!is_package_file(s->files[i]) && declares(s, s->files[i], class)) own = s->files[i];
    if (own) add(w, own);
    add(w, class);
    for (int i = 0; i < s->file_count; i++) {
        if (s->files[i] == own) continue;
        const char *folder = folder_of(s, s->files[i]);
        add(w, "--library");
        add(w, is_package_file(s->files[i]) ? folder_of(s, folder) : folder);
    }
    return RB_OK;
}

static RbStatus check_model(Script *s, const Statement *st) {
    Words w = {0};
    TRY(begin(s, st, "check", &w));
    return cli_call(w.count, w.list);
}

static const char *const simulate_names[] = {
    "startTime", "stopTime",       "tolerance",    "numberOfIntervals", "method",
    "options",   "fileNamePrefix", "outputFormat", "variableFilter",    "cflags",
};

static RbStatus check_names(Script *s, const Statement *st) {
    for (int i = 1; i < st->count; i++) {
        const char *name = st->arguments[i].name;
        bool known = false;
        for (size_t k = 0; name && k < sizeof simulate_names / sizeof *simulate_names; k++)
            known |= strcmp(name, simulate_names[k]) == 0;
        if (!known)
            return fail(s, st->line, "is no argument of simulate that is known here",
                        name ? name : st->arguments[i].value);
    }
    return RB_OK;
}

static void add_option(const Statement *st, const char *name, const char *option, Words *w) {
    const char *value = given(st, name);
    if (!value) return;
    add(w, option);
    add(w, value);
}

static RbStatus add_method(Script *s, const Statement *st, Words *w) {
    static const char *const known[] = {"cvode", "ida", "dopri45", NULL};
    static const char *const ours[] = {"cvode", "ida", "dp5"};
    const char *method = given(st, "method");
    if (!method || strcmp(method, "dassl") == 0) return RB_OK; // what fits the model
    for (int i = 0; known[i]; i++) {
        if (strcmp(method, known[i]) != 0) continue;
        add(w, "--solver");
        add(w, ours[i]);
        return RB_OK;
    }
    return fail(s, st->line, "is a method that is not known here: dassl, cvode, ida, dopri45",
                method);
}

static RbStatus simulate(Script *s, const Statement *st) {
    Words w = {0};
    TRY(check_names(s, st));
    TRY(begin(s, st, "simulate", &w));
    add_option(st, "startTime", "--start-time", &w);
    add_option(st, "stopTime", "--stop-time", &w);
    add_option(st, "tolerance", "--tolerance", &w);
    add_option(st, "variableFilter", "--variable-filter", &w);
    TRY(add_method(s, st, &w));
    const char *count = given(st, "numberOfIntervals"), *start = given(st, "startTime");
    const char *stop = given(st, "stopTime"), *prefix = given(st, "fileNamePrefix");
    if (count && atof(count) > 0) {
        double length = (stop ? atof(stop) : 1) - (start ? atof(start) : 0);
        add(&w, "--output-interval");
        add(&w, cli_printf(s->cli, "%.17g", length / atof(count)));
    }
    const char *format = given(st, "outputFormat");
    if (format && strcmp(format, "mat") != 0 && strcmp(format, "csv") != 0)
        return fail(s, st->line, "is a format that is not known here: mat, csv", format);
    add(&w, "--output-file");
    add(&w, cli_printf(s->cli, "%s_res.%s", prefix ? prefix : st->arguments[0].value,
                       format ? format : "mat"));
    return cli_call(w.count, w.list);
}

// --- the script ----------------------------------------------------------------------------------

static RbStatus change_folder(Script *s, const Statement *st) {
    if (st->count == 0) return RB_OK;
    return chdir(st->arguments[0].value) == 0
               ? RB_OK
               : fail(s, st->line, "is no folder that can be entered", st->arguments[0].value);
}

// Libraries are found when they are needed; messages are printed when they come.
static RbStatus nothing(Script *s, const Statement *st) {
    (void)s, (void)st;
    return RB_OK;
}

static const struct {
    const char *name;
    RbStatus (*run)(Script *s, const Statement *st);
} functions[] = {
    {"loadFile", load_file},         {"loadModel", nothing}, {"checkModel", check_model},
    {"translateModel", check_model}, {"simulate", simulate}, {"cd", change_folder},
    {"getErrorString", nothing},     {"echo", nothing},
};

static RbStatus run_statement(Script *s) {
    Statement st;
    TRY(read_statement(s, &st));
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(st.function, functions[i].name) == 0) return functions[i].run(s, &st);
    return fail(s, st.line,
                "is no function that is known here: loadFile, loadModel, checkModel, "
                "translateModel, simulate, cd, getErrorString, echo",
                st.function);
}

RbStatus run_script(Cli *cli) {
    char *text = read_file(cli->arguments[0]);
    if (!text) return cli_fail(cli, RB_ERROR_IO, cli->arguments[0], "cannot be read");
    Script s = {.cli = cli, .path = cli->arguments[0], .at = text, .line = 1};
    RbStatus status = RB_OK;
    for (skip_space(&s); *s.at && status == RB_OK; skip_space(&s)) status = run_statement(&s);
    free(text);
    return status;
}
