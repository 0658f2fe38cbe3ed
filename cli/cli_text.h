// SPDX-License-Identifier: MIT
// cli_text.h: memory of the command, which is given back at its end, and text that grows in it. Without
// memory the command says so and ends.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "rattleback/base.h"

struct Cli;

typedef struct Block {
    struct Block *next;
    max_align_t bytes[];
} Block;

// All zero.
void *cli_room(struct Cli *cli, size_t size);
const char *cli_printf(struct Cli *cli, const char *format, ...) RB_PRINTF(2, 3);
const char *cli_vprintf(struct Cli *cli, const char *format, va_list arguments) RB_PRINTF(2, 0);
// The shortest decimal number that reads back as the same double.
const char *cli_shortest(struct Cli *cli, double value);
const char *cli_copy(struct Cli *cli, const char *bytes, size_t length);
void cli_free(struct Cli *cli);
_Noreturn void cli_out_of_memory(const struct Cli *cli);

// data is always a C string.
typedef struct Text {
    struct Cli *cli;
    char *data;
    int count; // without the final 0
    int capacity;
} Text;

Text text_new(struct Cli *cli);
void text_add(Text *text, const char *more);
void text_add_bytes(Text *text, const char *bytes, size_t length);
void text_printf(Text *text, const char *format, ...) RB_PRINTF(2, 3);

// A string in quotes, as JSON wants it.
void text_add_json(Text *text, const char *value);

bool ends_with(const char *text, const char *end);
