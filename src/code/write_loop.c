// SPDX-License-Identifier: MIT
// write_loop.c: a run becomes
//
//     double c6 = w[1];                                      // of the cell before the first one
//     #define CELL(i) {
//         double v6 = (p_3[3 * (i) + 5] * (x_2[2 * (i) + 2] - x_2[2 * (i)]));
//         dx_2[2 * (i) + 3] = ((v6 - c6) / p_3[3 * (i) + 4]);
//         c6 = v6; }
//     EACH(2496, 16) { double *p_3 = p + 3 * k, *x_2 = x + 2 * k, ...; CELLS_16(CELL) }
//     w[12481] = c6;                                         // of the last cell, for others
//
// A variable that the next cell reads is handed on in a local variable. With libtcc, which keeps
// nothing in registers, a turn of the loop is several cells with one set of pointers; the system's
// compiler gets one cell per turn.
#include <stdlib.h>

#include "code/writer.h"

static const char *pointer_name(RbWriter *w, RbArea area, int stride) {
    return rb_arena_printf(w->scratch, stride < 0 ? "%s_m%d" : "%s_%d", rb_area_name(area),
                           abs(stride));
}

bool rb_write_cell_place(RbWriter *w, RbCodePlace place) {
    int stride = rb_run_stride(w->run, place);
    if (stride == 0) return false;
    rb_map_set(&w->pointers, w->scratch, (uint64_t)place.area << 32 | (uint32_t)stride, 0);
    rb_text_printf(w->out, "%s[%d * (i) + %d]", pointer_name(w, place.area, stride), stride,
                   place.index);
    return true;
}

// --- variables that are handed on ----------------------------------------------------------------

static bool is_handed_on(const RbStep *s, const unsigned char *readers, int i) {
    return readers && s->place.area == RB_AREA_W && !(readers[i] & RB_READ_BY_OTHERS) &&
           (readers[i] & (RB_READ_BY_NEXT | RB_READ_LAST));
}

static void open_carried(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    for (int i = 0; i < w->run->period; i++) {
        if (!is_handed_on(&cell[i], readers, i)) continue;
        int place = cell[i].place.index, before = place - rb_run_stride(w->run, cell[i].place);
        if (readers[i] & RB_READ_BY_NEXT) w->carried[before] = place + 1;
    }
}

static void declare_carried(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    for (int i = 0; i < w->run->period; i++) {
        if (!is_handed_on(&cell[i], readers, i)) continue;
        int place = cell[i].place.index, before = place - rb_run_stride(w->run, cell[i].place);
        w->used |= 1U << RB_AREA_W;
        if (readers[i] & RB_READ_BY_NEXT)
            rb_text_printf(w->out, "    double c%d = w[%d];\n", place, before);
        else
            rb_text_printf(w->out, "    double c%d = 0.0;\n", place);
    }
}

static void close_carried(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    for (int i = 0; i < w->run->period; i++) {
        if (!is_handed_on(&cell[i], readers, i)) continue;
        int place = cell[i].place.index, stride = rb_run_stride(w->run, cell[i].place);
        if (readers[i] & RB_READ_BY_NEXT) w->carried[place - stride] = 0;
        if (readers[i] & RB_READ_LAST)
            rb_text_printf(w->out, "    w[%d] = c%d;\n", place + (w->run->count - 1) * stride,
                           place);
    }
}

// --- the loop ------------------------------------------------------------------------------------

static void write_cell(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    int period = w->run->period;
    rb_count_steps(w, cell, period, NULL, 0);
    for (int i = 0; i < period; i++) {
        if (!readers || !rb_keep_local(w, &cell[i], readers[i]))
            rb_emit_assignment(w, cell[i].place, cell[i].value);
    }
    for (int i = 0; i < period; i++) {
        int place = cell[i].place.index;
        if (is_handed_on(&cell[i], readers, i))
            rb_text_printf(w->out, "    c%d = v%d;\n", place, place);
    }
    rb_forget_locals(w, cell, period);
}

static void add_macro(RbText *out, const RbText *cell) {
    rb_text_add(out, "#define CELL(i) { \\\n");
    for (int from = 0; from < cell->count;) {
        int end = from;
        while (end < cell->count && cell->data[end] != '\n') end++;
        rb_text_add_bytes(out, cell->data + from, (size_t)(end - from));
        rb_text_add(out, " \\\n");
        from = end + 1;
    }
    rb_text_add(out, "    }\n");
}

static void add_turns(RbWriter *w) {
    const RbRun *run = w->run;
    int turn = rb_cells_per_turn(run->period);
    rb_text_printf(w->out, "    int k;\n    EACH(%d, %d) {\n", run->count, turn);
    for (int i = 0; i < w->pointers.entries.count; i++) {
        uint64_t key = w->pointers.entries.data[i].key;
        RbArea area = (RbArea)(key >> 32);
        int stride = (int)(uint32_t)key;
        rb_text_printf(w->out, "        double *%s = %s + %d * k;\n", pointer_name(w, area, stride),
                       rb_area_name(area), stride);
    }
    rb_text_printf(w->out, "        CELLS_%d(CELL)\n    }\n#undef CELL\n", turn);
}

static const char *name_at(const RbWriter *w, RbCodePlace place) {
    const RbSortedDae *d = w->l->dae;
    const char *name = NULL;
    switch (place.area) {
        case RB_AREA_W: name = d->model->vars.data[w->variables[place.index]].name; break;
        case RB_AREA_D: name = d->model->vars.data[d->discretes.data[place.index]].name; break;
        case RB_AREA_X: name = d->model->vars.data[d->states.data[place.index]].name; break;
        case RB_AREA_DX:
            return rb_arena_printf(w->scratch, "der(%s)",
                                   d->model->vars.data[d->states.data[place.index]].name);
        default: break;
    }
    return name ? name
                : rb_arena_printf(w->scratch, "%s[%d]", rb_area_name(place.area), place.index);
}

static void describe(RbWriter *w, const RbStep *cell, RbText *text) {
    const RbRun *run = w->run;
    const RbStep *last = &cell[run->period * run->count - 1];
    rb_text_printf(text, "// %d cells, from %s to %s", run->count, name_at(w, cell->place),
                   name_at(w, last->place));
    if (cell->at.file)
        rb_text_printf(text, " (%s:%d:%d)", cell->at.file, cell->at.line, cell->at.column);
    rb_text_add(text, "\n");
}

void rb_emit_loop(RbWriter *w, const RbRun *run, const RbStep *cell, const unsigned char *readers,
                  const char *head) {
    RbText *text = rb_begin_function(w), inner = rb_text(w->scratch);
    w->run = run;
    w->pointers = (RbMap){0};
    describe(w, cell, text);
    open_carried(w, cell, readers);
    RbText *body = w->out;
    w->out = &inner;
    write_cell(w, cell, readers);
    w->out = body;
    declare_carried(w, cell, readers);
    add_macro(w->out, &inner);
    add_turns(w);
    close_carried(w, cell, readers);
    rb_text_add(w->out, "    return 0;\n");
    rb_close_function(w, text, head);
    w->run = NULL;
}
