// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "rattleback/base.h"

volatile int cli_interrupted;

static const volatile bool *computed; // NULL: nothing is

// The journal is readable up to the last block, which is written once a second.
static void end_now(int signal_number) {
    (void)signal_number;
    static const char text[] =
        "rattleback: error: ended a second after the signal in the middle of a "
        "long calculation; the journal "
        "holds what was recorded [interrupted]\n";
    if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(RB_INTERRUPTED);
    _exit(RB_INTERRUPTED);
}

// A second of CPU time: on a busy machine the run ends properly, too.
static void time_out(long seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void on_interrupt(int signal_number) {
    cli_interrupted = 1;
    if (signal_number == SIGTERM) alarm(1);
    if (signal_number == SIGINT && computed) time_out(1);
}

// Writing what was computed takes as long as it takes.
static void end_computing(int signal_number) {
    if (computed && !*computed) end_now(signal_number);
}

void cli_compute(const volatile bool *done) {
    computed = done;
    if (!done) time_out(0);
}

void cli_catch_interrupts(void) {
    struct sigaction once = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    struct sigaction late = {.sa_handler = end_now};
    sigaction(SIGINT, &once, NULL);
    sigaction(SIGTERM, &once, NULL);
    sigaction(SIGALRM, &late, NULL);
    struct sigaction stuck = {.sa_handler = end_computing, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &stuck, NULL);
}
