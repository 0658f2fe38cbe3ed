// SPDX-License-Identifier: MIT
#include "progress.h"

#include <stdio.h>

enum { BAR = 30 };

static double done(const RbProgress *p) {
    double length = p->stop_time - p->start_time;
    return length > 0 ? (p->time - p->start_time) / length : 1;
}

static void print_bar(ProgressPrinter *printer, const RbProgress *p) {
    double fraction = done(p);
    int filled = (int)(BAR * fraction);
    double rest = fraction > 0.01 ? p->elapsed * (1 - fraction) / fraction : -1; // [s]
    fputs("\r[", stderr);
    for (int i = 0; i < BAR; i++) fputc(i < filled ? '#' : '.', stderr);
    printer->width = BAR + 2 + fprintf(stderr, "] %3.0f %%  t = %.6g s, %ld steps, %ld events", 100 * fraction, p->time,
                                       p->steps, p->events);
    if (rest >= 0) printer->width += fprintf(stderr, ", %.0f s left ", rest);
    fflush(stderr);
}

static void print_json(const RbProgress *p) {
    fprintf(stderr,
            "{\"progress\":%.6g,\"time\":%.17g,\"stop_time\":%.17g,\"steps\":%ld,\"events\":%ld,\"segments\":%d,"
            "\"elapsed\":%.3f}\n",
            done(p), p->time, p->stop_time, p->steps, p->events, p->segments, p->elapsed);
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
