// SPDX-License-Identifier: MIT
// write_loop.c: a run becomes
//
//     double c6_0 = w[1], c6_1;                              // of the cell before the first one
//     #define CELL(i, from, to) {
//         c6_##to = (p_1[3 * (i) + 1] * (x_1[2 * (i) + 2] - x_1[2 * (i)]));
//         dx_1[2 * (i)] = ((c6_##to - c6_##from) / p_1[3 * (i)]); }
//     EACH(2496, 64) {
//         WINDOW(p_1, p + 3 * k + 4, 191)
//         WINDOW(x_1, x + 2 * k, 129)
//         double *dx_1 = dx + 2 * k + 3;
//         CELLS(CELL, 64)
//         HAND_ON(c6)
//     }
//     w[12481] = c6_0;                                       // of the last cell, for others
//
// A variable that the next cell reads is handed on in two local variables, of which cells use one
// to read from and the other to write to, in turn. prelude.h says what compilers make of the
// macros.
#include <stdlib.h>
#include <string.h>

#include "code/writer.h"

// Places of the cell with the same stride that are near each other.
struct RbLoopView {
    RbArea area;
    int stride, low, high; // in the first cell
    int places;
    bool window; // its numbers are copied before they are read
    bool used;   // by the text; variables that stay inside of a cell have places, but use none
    const char *name;
};

// --- views ---------------------------------------------------------------------------------------

static RbLoopView *view_of(RbWriter *w, RbCodePlace place, int stride) {
    for (int i = 0; i < w->views.count; i++) {
        RbLoopView *v = &w->views.data[i];
        if (v->area == place.area && v->stride == stride && v->low <= place.index &&
            place.index <= v->high)
            return v;
    }
    return NULL;
}

bool rb_write_cell_place(RbWriter *w, RbCodePlace place) {
    int stride = rb_run_stride(w->run, place);
    if (stride == 0) return false;
    RbLoopView *v = view_of(w, place, stride);
    v->used = true;
    rb_text_printf(w->out, "%s[%d * (i) + %d]", v->name, stride, place.index - v->low);
    return true;
}

typedef struct Entry {
    RbCodePlace place;
    int stride;
} Entry;

static int compare_entries(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (x->place.area != y->place.area) return x->place.area < y->place.area ? -1 : 1;
    if (x->stride != y->stride) return x->stride < y->stride ? -1 : 1;
    return x->place.index < y->place.index ? -1 : x->place.index > y->place.index;
}

static void add_to_views(RbWriter *w, const Entry *e) {
    RbLoopView *last = w->views.count > 0 ? &w->views.data[w->views.count - 1] : NULL;
    int reach = w->run->turn * abs(e->stride);
    if (last && last->area == e->place.area && last->stride == e->stride &&
        e->place.index - last->high <= reach) {
        last->high = e->place.index;
        last->places++;
        return;
    }
    int number = last && last->area == e->place.area ? atoi(strchr(last->name, '_') + 1) + 1 : 1;
    const char *name = rb_arena_printf(w->scratch, "%s_%d", rb_area_name(e->place.area), number);
    rb_array_push(&w->views, w->scratch,
                  (RbLoopView){.area = e->place.area,
                               .stride = e->stride,
                               .low = e->place.index,
                               .high = e->place.index,
                               .places = 1,
                               .name = name});
}

// What the cells write is not copied, and neither is what they use little of.
static void find_views(RbWriter *w, const RbStep *cell) {
    const RbMap *strides = &w->run->strides;
    Entry *entries = rb_new_array(w->scratch, Entry, strides->entries.count + 1);
    int count = 0;
    unsigned written = 0;
    for (int i = 0; i < strides->entries.count; i++) {
        const RbMapEntry *e = &strides->entries.data[i];
        RbCodePlace place = {.area = (RbArea)(e->key >> 32), .index = (int)(uint32_t)e->key};
        if (e->value != 0) entries[count++] = (Entry){place, (int)(int64_t)e->value};
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    w->views.count = 0;
    for (int i = 0; i < count; i++) add_to_views(w, &entries[i]);
    for (int i = 0; i < w->run->period; i++) written |= 1U << cell[i].place.area;
    for (int i = 0; i < w->views.count; i++) {
        RbLoopView *v = &w->views.data[i];
        v->window = !(written & 1U << v->area) && v->stride > 0 && v->stride <= 2 * v->places;
    }
}

static int window_size(const RbWriter *w, const RbLoopView *v) {
    return v->stride * (w->run->turn - 1) + v->high - v->low + 1;
}

static void declare_windows(RbWriter *w) {
    for (int i = 0; i < w->views.count; i++) {
        const RbLoopView *v = &w->views.data[i];
        if (v->window) rb_text_printf(w->out, "    ROOM(%s, %d)\n", v->name, window_size(w, v));
    }
}

static void open_views(RbWriter *w) {
    for (int i = 0; i < w->views.count; i++) {
        const RbLoopView *v = &w->views.data[i];
        const char *area = rb_area_name(v->area);
        if (!v->used) continue;
        if (v->window)
            rb_text_printf(w->out, "        WINDOW(%s, %s + %d * k + %d, %d)\n", v->name, area,
                           v->stride, v->low, window_size(w, v));
        else
            rb_text_printf(w->out, "        double *%s = %s + %d * k + %d;\n", v->name, area,
                           v->stride, v->low);
    }
}

// --- variables that are handed on ----------------------------------------------------------------

static bool is_handed_on(const RbStep *s, const unsigned char *readers, int i) {
    return readers && s->place.area == RB_AREA_W && !(readers[i] & RB_READ_BY_OTHERS) &&
           (readers[i] & (RB_READ_BY_NEXT | RB_READ_LAST));
}

// Place of a variable in the cell before the first one.
static int place_before(const RbWriter *w, const RbStep *s) {
    return s->place.index - rb_run_stride(w->run, s->place);
}

static void open_carried(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    for (int i = 0; i < w->run->period; i++) {
        if (!is_handed_on(&cell[i], readers, i)) continue;
        w->local[cell[i].place.index] = RB_LOCAL_HANDED_ON;
        if (readers[i] & RB_READ_BY_NEXT)
            w->carried[place_before(w, &cell[i])] = cell[i].place.index + 1;
    }
}

static void declare_carried(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    for (int i = 0; i < w->run->period; i++) {
        if (!is_handed_on(&cell[i], readers, i)) continue;
        int place = cell[i].place.index;
        w->used |= 1U << RB_AREA_W;
        if (readers[i] & RB_READ_BY_NEXT)
            rb_text_printf(w->out, "    double c%d_0 = w[%d], c%d_1;\n", place,
                           place_before(w, &cell[i]), place);
        else
            rb_text_printf(w->out, "    double c%d_0, c%d_1;\n", place, place);
    }
}

// A turn of one cell, which all compilers see as such, ends with the other one.
static void hand_on(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    for (int i = 0; i < w->run->period; i++) {
        if (!is_handed_on(&cell[i], readers, i)) continue;
        int place = cell[i].place.index;
        rb_text_printf(w->out,
                       w->run->turn > 1 ? "        HAND_ON(c%d)\n" : "        c%d_0 = c%d_1;\n",
                       place, place);
    }
}

static void close_carried(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    for (int i = 0; i < w->run->period; i++) {
        if (!is_handed_on(&cell[i], readers, i)) continue;
        int place = cell[i].place.index, before = place_before(w, &cell[i]);
        if (readers[i] & RB_READ_BY_NEXT) w->carried[before] = 0;
        if (readers[i] & RB_READ_LAST)
            rb_text_printf(w->out, "    w[%d] = c%d_0;\n",
                           before + w->run->count * (place - before), place);
    }
}

// --- the loop ------------------------------------------------------------------------------------

static void write_handed_on(RbWriter *w, const RbStep *s) {
    rb_prepare(w, s->value);
    rb_text_printf(w->out, "    c%d_##to = ", s->place.index);
    rb_write(w, s->value);
    rb_text_add(w->out, ";\n");
}

static void write_cell(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    int period = w->run->period;
    rb_count_steps(w, cell, period, NULL, 0);
    for (int i = 0; i < period; i++) {
        if (is_handed_on(&cell[i], readers, i))
            write_handed_on(w, &cell[i]);
        else if (!readers || !rb_keep_local(w, &cell[i], readers[i]))
            rb_emit_assignment(w, cell[i].place, cell[i].value);
    }
    rb_forget_locals(w, cell, period);
}

static void add_macro(RbText *out, const RbText *cell) {
    rb_text_add(out, "#define CELL(i, from, to) { \\\n");
    for (int from = 0; from < cell->count;) {
        int end = from;
        while (end < cell->count && cell->data[end] != '\n') end++;
        rb_text_add_bytes(out, cell->data + from, (size_t)(end - from));
        rb_text_add(out, " \\\n");
        from = end + 1;
    }
    rb_text_add(out, "    }\n");
}

static void add_turns(RbWriter *w, const RbStep *cell, const unsigned char *readers) {
    int turn = w->run->turn;
    rb_text_printf(w->out, "    int k;\n    EACH(%d, %d) {\n", w->run->count, turn);
    open_views(w);
    if (turn > 1)
        rb_text_printf(w->out, "        CELLS(CELL, %d)\n", turn);
    else
        rb_text_add(w->out, "        CELL(0, 0, 1)\n");
    hand_on(w, cell, readers);
    rb_text_add(w->out, "    }\n#undef CELL\n");
}

static const char *name_at(const RbWriter *w, RbCodePlace place) {
    const RbSortedDae *d = w->l->dae;
    const RbFlatVar *vars = d->model->vars.data;
    switch (place.area) {
        case RB_AREA_W: return vars[w->variables[place.index]].name;
        case RB_AREA_D: return vars[d->discretes.data[place.index]].name;
        case RB_AREA_X: return vars[d->states.data[place.index]].name;
        case RB_AREA_DX:
            return rb_arena_printf(w->scratch, "der(%s)", vars[d->states.data[place.index]].name);
        default:
            return rb_arena_printf(w->scratch, "%s[%d]", rb_area_name(place.area), place.index);
    }
}

static void describe(RbWriter *w, const RbStep *cell, RbText *text) {
    const RbRolledRun *run = w->run;
    const RbStep *last = &cell[run->period * run->count - 1];
    rb_text_printf(text, "// %d cells, from %s to %s", run->count, name_at(w, cell->place),
                   name_at(w, last->place));
    if (cell->at.file)
        rb_text_printf(text, " (%s:%d:%d)", cell->at.file, cell->at.line, cell->at.column);
    rb_text_add(text, "\n");
}

void rb_emit_loop(RbWriter *w, const RbRolledRun *run, const RbStep *cell,
                  const unsigned char *readers, const char *head) {
    RbText *text = rb_begin_function(w), inner = rb_text(w->scratch), *body = w->out;
    w->run = run;
    find_views(w, cell);
    describe(w, cell, text);
    open_carried(w, cell, readers);
    w->out = &inner;
    write_cell(w, cell, readers);
    w->out = body;
    declare_carried(w, cell, readers);
    declare_windows(w);
    add_macro(w->out, &inner);
    add_turns(w, cell, readers);
    close_carried(w, cell, readers);
    rb_text_add(w->out, "    return 0;\n");
    rb_close_function(w, text, head);
    w->run = NULL;
}
