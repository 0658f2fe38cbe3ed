// SPDX-License-Identifier: MIT
// browser.h: a chromium without a window that shows one of our pages and says what a piece of script answers, over the pipe
// of its debugging protocol. Needs no node and no network.
#pragma once

#include "base/diag.h"

typedef struct RbBrowser RbBrowser;

// Find and start it; an error says what to install. It ends with the arena at the latest.
RbStatus rb_browser_open(RbArena *arena, RbDiag *diag, RbBrowser **out);
void rb_browser_close(RbBrowser *browser);

// Load a page and wait until `ready`, a condition in JavaScript, holds.
RbStatus rb_browser_load(RbBrowser *browser, const char *url, const char *ready, RbDiag *diag);

// The value of an expression (or what it promises) that is a string without quotes, backslashes or control characters; it
// lives in *arena.
RbStatus rb_browser_ask(RbBrowser *browser, const char *expression, RbArena *arena, RbDiag *diag,
                        const char **answer);

// What is shown as PDF, in base64, on pages of the size that its style says.
RbStatus rb_browser_print(RbBrowser *browser, RbArena *arena, RbDiag *diag, const char **pdf);
