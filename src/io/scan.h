// SPDX-License-Identifier: MIT
// scan.h: words and numbers of line-based text files (STL, OBJ), with the place of each for
// messages.
#pragma once

#include "base/diag.h"
#include "base/file.h"

// What coordinates of mesh files may be, in units of the file: one that is larger is damage, and beside it nothing else
// has a size.
#define RB_COORDINATE_MOST  1e15
#define RB_COORDINATE_WORDS "finite, and at most 1e+15 in size"
static inline bool rb_is_coordinate(double x) {
    return x >= -RB_COORDINATE_MOST && x <= RB_COORDINATE_MOST;
}

typedef struct RbScan {
    const char *file;
    const char *next; // unread text
    const char *end;
    const char *line_start;
    int line;
    bool joins_lines; // a backslash before the end of a line continues it (OBJ)
} RbScan;

// A piece of the text that is being scanned; empty (length 0) at the end of the line or of the
// text.
typedef struct RbWord {
    const char *text;
    int length;
    RbPos at;
} RbWord;

RbScan rb_scan(RbBytes bytes, const char *file);

// The next word of the current line, separated by blanks; empty if the line has no more.
RbWord rb_scan_word(RbScan *scan);

// The rest of the current line without blanks around it.
RbWord rb_scan_rest(RbScan *scan);

// Go to the start of the next line; false at the end of the text.
bool rb_scan_next_line(RbScan *scan);

// The next word on this line or on following ones; empty at the end of the text.
RbWord rb_scan_word_anywhere(RbScan *scan);

bool rb_word_is(RbWord word, const char *text);         // same letters
bool rb_word_is_anycase(RbWord word, const char *text); // text in lower case

// The whole word as a number (number.h); false if it is none.
bool rb_word_double(RbWord word, double *value);

// The whole word as a whole number; false if it is none or does not fit.
bool rb_word_int(RbWord word, int *value);

// How a message shows a word: cut if it is long, unprintable bytes as '?'.
const char *rb_word_shown(RbWord word, RbArena *arena);

// A number with all its digits, as rb_word_double reads it back.
void rb_text_add_number(RbText *text, double value);
