// SPDX-License-Identifier: MIT
#include "export/plot_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

RbPlotPath rb_plot_path(RbArena *arena, bool steps) {
    return (RbPlotPath){.text = rb_text(arena), .steps = steps};
}

// A hundredth of a pixel is enough.
static int print_coordinate(char *to, double value) {
    long hundredths = lround(value * 100);
    const char *sign = hundredths < 0 ? "-" : "";
    long size = labs(hundredths);
    if (size % 100 == 0) return sprintf(to, "%s%ld", sign, size / 100);
    if (size % 10 == 0) return sprintf(to, "%s%ld.%ld", sign, size / 100, size / 10 % 10);
    return sprintf(to, "%s%ld.%02ld", sign, size / 100, size % 100);
}

static void emit(RbPlotPath *p, RbPlotPoint point) {
    char text[80];
    int length = 0;
    text[length++] = p->pen_down ? 'L' : 'M';
    length += print_coordinate(text + length, point.x);
    text[length++] = ' ';
    length += print_coordinate(text + length, point.y);
    if (!p->pen_down) length += sprintf(text + length, "h0"); // a lonely point shows as a dot
    rb_text_add_bytes(&p->text, text, (size_t)length);
    p->pen_down = true;
}

static bool differs(RbPlotPoint a, RbPlotPoint b) {
    return a.x != b.x || a.y != b.y;
}

static void flush(RbPlotPath *p) {
    if (p->in_column == 0) return;
    bool low_first = p->low_at < p->high_at;
    RbPlotPoint a = low_first ? p->low : p->high, b = low_first ? p->high : p->low;
    emit(p, p->first);
    if (differs(a, p->first)) emit(p, a);
    if (differs(b, a) && differs(b, p->first)) emit(p, b);
    if (differs(p->last, b) && differs(p->last, p->first)) emit(p, p->last);
    p->in_column = 0;
}

static void gather(RbPlotPath *p, RbPlotPoint point) {
    int column = (int)floor(point.x);
    if (p->in_column > 0 && column != p->column) flush(p);
    if (p->in_column == 0) {
        p->column = column;
        p->first = p->low = p->high = point;
        p->low_at = p->high_at = 0;
    }
    if (point.y < p->low.y) {
        p->low = point;
        p->low_at = p->in_column;
    }
    if (point.y > p->high.y) {
        p->high = point;
        p->high_at = p->in_column;
    }
    p->last = point;
    p->in_column++;
}

void rb_plot_path_add(RbPlotPath *p, double x, double y) {
    if (!isfinite(y)) {
        flush(p);
        p->pen_down = p->has_before = false;
        return;
    }
    if (p->steps && p->has_before && p->before.x != x) gather(p, (RbPlotPoint){x, p->before.y});
    gather(p, (RbPlotPoint){x, y});
    p->before = (RbPlotPoint){x, y};
    p->has_before = true;
}

const char *rb_plot_path_end(RbPlotPath *p) {
    flush(p);
    return p->text.count > 0 ? p->text.data : "";
}
