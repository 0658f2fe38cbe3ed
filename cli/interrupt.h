// SPDX-License-Identifier: MIT
// interrupt.h: signals of the command. The first SIGINT or SIGTERM asks the run to end properly. A
// second one ends the program at once; SIGTERM ends it after a second, whatever it is doing.
#pragma once

extern volatile int cli_interrupted; // a handler has set it

void cli_catch_interrupts(void);
