// SPDX-License-Identifier: MIT
// interrupt.h: signals of the command. The first SIGINT or SIGTERM asks the run to end properly. A
// second one ends the program at once; SIGTERM ends it after a second, whatever it is doing.
#pragma once

#include <stdbool.h>

extern volatile int cli_interrupted; // a handler has set it

void cli_catch_interrupts(void);

// Until *done the program looks at cli_interrupted; if it did not for a second of CPU time after SIGINT, as a function of a model that does not return,
// it ends at once. NULL: from now on it does not.
void cli_compute(const volatile bool *done);
