// SPDX-License-Identifier: MIT
#include "cli_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// -------------------------------------------------------------------------------------------------
// memory

_Noreturn void cli_out_of_memory(const Cli *cli) {
    fputs(cli->json ? "{\"severity\":\"error\",\"code\":\"memory\",\"text\":\"there is not "
                      "enough memory\"}\n"
                    : "rattleback: error: there is not enough memory [memory]\n",
          stderr);
    exit(RB_ERROR_MEMORY);
}

void *cli_room(Cli *cli, size_t size) {
    Block *block = calloc(1, sizeof *block + size);
    if (!block) cli_out_of_memory(cli);
    block->next = cli->blocks;
    cli->blocks = block;
    return block->bytes;
}

void cli_free(Cli *cli) {
    while (cli->blocks) {
        Block *next = cli->blocks->next;
        free(cli->blocks);
        cli->blocks = next;
    }
}

const char *cli_copy(Cli *cli, const char *bytes, size_t length) {
    char *copy = cli_room(cli, length + 1);
    if (length > 0) memcpy(copy, bytes, length);
    return copy;
}

const char *cli_vprintf(Cli *cli, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = cli_room(cli, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

const char *cli_printf(Cli *cli, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = cli_vprintf(cli, format, arguments);
    va_end(arguments);
    return text;
}

// -------------------------------------------------------------------------------------------------
// text

Text text_new(Cli *cli) {
    return (Text){.cli = cli, .data = cli_room(cli, 1), .capacity = 1};
}

static void make_room(Text *t, size_t more) {
    size_t need = (size_t)t->count + more + 1;
    if (need <= (size_t)t->capacity) return;
    char *data = cli_room(t->cli, 2 * need);
    memcpy(data, t->data, (size_t)t->count + 1);
    t->data = data;
    t->capacity = (int)(2 * need);
}

void text_add_bytes(Text *t, const char *bytes, size_t length) {
    make_room(t, length);
    memcpy(t->data + t->count, bytes, length);
    t->count += (int)length;
    t->data[t->count] = 0;
}

void text_add(Text *t, const char *more) {
    text_add_bytes(t, more, strlen(more));
}

void text_printf(Text *t, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    make_room(t, (size_t)length);
    vsnprintf(t->data + t->count, (size_t)length + 1, format, arguments);
    t->count += length;
    va_end(arguments);
}

void text_add_json(Text *t, const char *value) {
    text_add(t, "\"");
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_printf(t, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            text_printf(t, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            text_add_bytes(t, c, 1);
    }
    text_add(t, "\"");
}

bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

const char *cli_shortest(struct Cli *cli, double value) {
    char number[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value) break;
    }
    return cli_printf(cli, "%s", number);
}
