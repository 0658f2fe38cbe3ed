// SPDX-License-Identifier: MIT
// rattleback format: Modelica texts with uniform indentation and spaces.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static char *read_all(FILE *in) {
    size_t room = 1 << 16, size = 0, got;
    char *text = malloc(room + 1);
    while (text && (got = fread(text + size, 1, room - size, in)) > 0) {
        size += got;
        if (size < room) continue;
        char *larger = realloc(text, 2 * room + 1);
        if (!larger) free(text);
        text = larger;
        room *= 2;
    }
    if (text) text[size] = 0;
    return text;
}

static char *read_path(const char *path) {
    if (strcmp(path, "-") == 0) return read_all(stdin);
    FILE *in = fopen(path, "rb");
    char *text = in ? read_all(in) : NULL;
    if (in) fclose(in);
    return text;
}

// A new file gets the name when it is whole.
static RbStatus write_path(Cli *cli, const char *path, const char *text) {
    size_t size = strlen(text);
    if (strcmp(path, "-") == 0) {
        fwrite(text, 1, size, stdout);
        return RB_OK;
    }
    char draft[4096];
    snprintf(draft, sizeof draft, "%s.draft", path);
    FILE *out = fopen(draft, "wb");
    bool whole = out && fwrite(text, 1, size, out) == size;
    if (out && fclose(out) != 0) whole = false;
    if (whole && rename(draft, path) == 0) return RB_OK;
    remove(draft);
    return cli_fail(cli, RB_ERROR_IO, path, "cannot be written");
}

static RbStatus format_text(Cli *cli, const char *path, const char *text) {
    const char *formatted;
    TRY(rb_editor_format(cli->context, path, text, &formatted));
    bool same = strcmp(text, formatted) == 0;
    if (cli_has(cli, "check"))
        return same ? RB_OK
                    : cli_fail(cli, RB_ERROR_MODEL, path,
                               "is not formatted; run `rattleback format %s`", path);
    return same && strcmp(path, "-") != 0 ? RB_OK : write_path(cli, path, formatted);
}

RbStatus run_format(Cli *cli) {
    RbStatus status = RB_OK;
    for (int i = 0; i < cli->argument_count; i++) {
        const char *path = cli->arguments[i];
        char *text = read_path(path);
        RbStatus done = text ? format_text(cli, path, text)
                             : cli_fail(cli, RB_ERROR_IO, path, "cannot be read");
        if (done != RB_OK) status = done;
        free(text);
    }
    return status;
}
