// SPDX-License-Identifier: MIT
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

enum { BAR = 24 };

static double done(const RbProgress *p) {
    double length = p->stop_time - p->start_time;
    return length > 0 ? (p->time - p->start_time) / length : 1;
}

// A line that wraps could not be wiped by going back to its start.
static int columns(void) {
    struct winsize size;
    return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

static void print_bar(ProgressPrinter *printer, const RbProgress *p) {
    char line[256];
    double fraction = done(p);
    int filled = (int)(BAR * fraction), length = 0;
    line[length++] = '[';
    for (int i = 0; i < BAR; i++) line[length++] = i < filled ? '#' : '.';
    length += snprintf(line + length, 100, "] %3.0f %%  t = %.6g s", 100 * fraction, p->time);
    if (fraction > 0.01) { // before, nothing can be said about the rest
        length +=
            snprintf(line + length, 40, ", %.0f s left", p->elapsed * (1 - fraction) / fraction);
    }
    if (p->particles > 0) // they are what takes time
        snprintf(line + length, 80, ", %ld particles, %.3g steps/s", p->particles,
                 p->elapsed > 0 ? (double)p->particle_steps / p->elapsed : 0);
    else if (p->molecules > 0)
        snprintf(line + length, 80, ", %ld molecules, %.3g steps/s", p->molecules,
                 p->elapsed > 0 ? (double)p->steps / p->elapsed : 0);
    else
        snprintf(line + length, 80, ", %ld steps, %ld events", p->steps, p->events);
    int width = columns();
    fprintf(stderr, "\r%-*.*s", printer->width, width, line);
    length = (int)strlen(line);
    printer->width = length < width ? length : width;
    fflush(stderr);
}

static void print_json(const RbProgress *p) {
    fprintf(stderr,
            "{\"progress\":%.6g,\"time\":%.17g,\"stop_time\":%.17g,\"steps\":%ld,\"events\":%ld,"
            "\"segments\":%d,\"particles\":%ld,\"particle_steps\":%ld,\"molecules\":%ld,"
            "\"elapsed\":%.3f}\n",
            done(p), p->time, p->stop_time, p->steps, p->events, p->segments, p->particles,
            p->particle_steps, p->molecules, p->elapsed);
}

void progress_print(void *user, const RbProgress *p) {
    ProgressPrinter *printer = user;
    if (printer->style == PROGRESS_BAR) print_bar(printer, p);
    if (printer->style == PROGRESS_JSON) print_json(p);
}

void progress_end(ProgressPrinter *printer) {
    if (printer->style != PROGRESS_BAR || printer->width == 0) return;
    fprintf(stderr, "\r%*s\r", printer->width, "");
    fflush(stderr);
}
