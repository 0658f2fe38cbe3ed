// SPDX-License-Identifier: MIT
#include "sim/record.h"

#include <string.h>

#include "base/intern.h"
#include "sim/show.h"

typedef RB_ARRAY(RbResultEntry) Entries;

// What a full row holds.
typedef struct Columns {
    Entries entries;
    RB_ARRAY(bool) integrals; // per column: it shows a quadrature, or is computed from one
} Columns;

static const char *full_name(const RbSystemPart *p, const char *name, RbArena *arena) {
    return rb_instance_join(p->instance, name, arena);
}

static void add_column(Columns *c, RbArena *arena, RbResultEntry entry, bool integral) {
    entry.storage = RB_STORE_COLUMN;
    rb_array_push(&c->entries, arena, entry);
    rb_array_push(&c->integrals, arena, integral);
}

static const char *derivative_unit(const char *unit, RbArena *arena) {
    if (!unit[0]) return "";
    if (strcmp(unit, "m") == 0) return "m/s";
    if (strcmp(unit, "m/s") == 0) return "m/s2";
    if (strcmp(unit, "rad/s") == 0) return "rad/s2";
    return strchr(unit, '/') ? rb_arena_printf(arena, "(%s)/s", unit)
                             : rb_arena_printf(arena, "%s/s", unit);
}

// ORDER fill_part
static void add_part_columns(const RbSystemPart *p, Columns *c, RbArena *arena) {
    const RbSegment *g = p->segment;
    for (int i = 0; i < g->states.count; i++) {
        const RbStateSpec *s = &g->states.data[i];
        RbResultEntry entry = {full_name(p, s->name, arena), s->unit, s->description};
        if (!s->hidden) add_column(c, arena, entry, false);
    }
    for (int i = 0; i < g->states.count; i++) {
        const RbStateSpec *s = &g->states.data[i];
        if (s->hidden) continue;
        const char *name = rb_arena_printf(arena, "der(%s)", full_name(p, s->name, arena));
        RbResultEntry entry = {name, derivative_unit(s->unit, arena), ""};
        add_column(c, arena, entry, false);
    }
    for (int i = 0; i < g->quadratures.count; i++) {
        const RbQuadratureSpec *q = &g->quadratures.data[i];
        RbResultEntry entry = {full_name(p, q->name, arena), q->unit, q->description};
        if (!q->hidden) add_column(c, arena, entry, true);
    }
    for (int i = 0; i < g->discretes.count; i++) {
        const RbDiscreteSpec *d = &g->discretes.data[i];
        RbResultEntry entry = {full_name(p, d->name, arena), d->unit, d->description};
        entry.discrete = true;
        if (!d->hidden) add_column(c, arena, entry, false);
    }
    for (int i = 0; i < g->results.count; i++) {
        const RbResultSpec *r = &g->results.data[i];
        RbResultEntry entry = {full_name(p, r->name, arena), r->unit, r->description};
        entry.discrete = r->discrete;
        add_column(c, arena, entry, r->integral);
    }
}

static void add_part_parameters(const RbSystemPart *p, Entries *e, RbArena *arena) {
    for (int i = 0; i < p->instance->declared.parameters.count; i++) {
        const RbParameter *q = &p->instance->declared.parameters.data[i];
        rb_array_push(e, arena,
                      (RbResultEntry){.name = full_name(p, q->spec.name, arena),
                                      .unit = q->spec.unit,
                                      .description = q->spec.description,
                                      .storage = RB_STORE_CONSTANT,
                                      .value = q->value});
    }
    const RbSegment *g = p->segment;
    for (int i = 0; i < g->constants.count; i++) {
        const RbResultSpec *c = &g->constants.data[i];
        rb_array_push(e, arena,
                      (RbResultEntry){.name = full_name(p, c->name, arena),
                                      .unit = c->unit,
                                      .description = c->description,
                                      .storage = RB_STORE_CONSTANT,
                                      .value = g->constant_values.data[i]});
    }
}

// ORDER add_part_columns; x: states of the part, as it saw them
static double *fill_part(double *row, const RbSystemPart *p, const RbEvaluator *e, const double *x,
                         const double *q, const double *d) {
    const RbSegment *g = p->segment;
    for (int i = 0; i < g->states.count; i++) {
        if (!g->states.data[i].hidden) *row++ = x[i];
    }
    for (int i = 0; i < g->states.count; i++) {
        if (!g->states.data[i].hidden) *row++ = e->dx[p->x + i];
    }
    for (int i = 0; i < g->quadratures.count; i++) {
        if (!g->quadratures.data[i].hidden) *row++ = q[p->q + i];
    }
    for (int i = 0; i < g->discretes.count; i++) {
        if (!g->discretes.data[i].hidden) *row++ = d[p->d + i];
    }
    return row + g->results.count;
}

// A component and the class that it implements may both know a parameter or a variable: it is
// recorded once. Without a driver two results of one name are a mistake, which the journal reports.
static bool is_known(const RbSystem *s, RbNames *names, RbMap *known, RbArena *arena,
                     const char *name) {
    if (s->model->driver == RB_NONE) return false;
    uint64_t key = rb_map_key(rb_intern(names, name));
    if (rb_map_find(known, key)) return true;
    rb_map_set(known, arena, key, 1);
    return false;
}

static RbStatus begin_pictures(RbRecorder *r, const RbSystem *s, RbArena *arena, RbArena scratch,
                               RbDiag *diag, bool resumed) {
    r->first_objects = rb_new_array(arena, int, s->part_count);
    RbArena *own = rb_arena_child(arena); // a picture of thousands leaves nothing behind
    RbDrawing drawing = rb_system_draw(s, r->first_objects, own);
    r->drawn = drawing.objects.count > 0;
    if (r->drawn) r->picture = rb_picture(drawing.room, arena);
    RbStatus status = resumed ? RB_OK : rb_journal_draw(r->journal, &drawing, scratch, diag);
    rb_arena_free(own);
    return status;
}

RbStatus rb_recorder_begin_segment(RbRecorder *r, const RbSystem *s, RbArena *arena,
                                   RbArena scratch, RbDiag *diag, bool resumed) {
    if (!r->journal) return RB_OK;
    Columns columns = {0};
    Entries kept = {0};
    for (int i = 0; i < s->part_count; i++) add_part_columns(&s->parts[i], &columns, &scratch);
    Entries all = columns.entries;
    r->width = all.count;
    r->shows_quadratures = false;
    for (int i = 0; i < s->part_count; i++) add_part_parameters(&s->parts[i], &all, &scratch);
    r->kept = rb_new_array(arena, int, r->width);
    r->kept_count = 0;
    RbNames names = rb_names(&scratch);
    RbMap known = {0};
    for (int i = 0; i < all.count; i++) {
        if (is_known(s, &names, &known, &scratch, all.data[i].name)) continue;
        if (r->filter && !rb_filter_matches(r->filter, all.data[i].name)) continue;
        rb_array_push(&kept, &scratch, all.data[i]);
        if (i >= r->width) continue;
        r->kept[r->kept_count++] = i;
        r->shows_quadratures |= columns.integrals.data[i];
    }
    if (r->filter && kept.count == 0 && !r->tells_nothing) {
        r->tells_nothing = true;
        rb_warn(
            diag, RB_NOWHERE,
            "no variable matches the variable filter as a whole: the result has the time alone");
    }
    r->row = rb_new_array(arena, double, r->width);
    r->values = rb_new_array(arena, double, r->kept_count);
    r->x = rb_new_array(arena, double, s->x_count);
    r->q = rb_new_array(arena, double, s->q_count);
    r->results = rb_new_array(arena, double, s->result_count);
    if (!resumed) RB_TRY(rb_journal_begin_segment(r->journal, kept.data, kept.count, diag));
    return begin_pictures(r, s, arena, scratch, diag, resumed);
}

RbStatus rb_recorder_add(RbRecorder *r, RbEvaluator *e, double t, const double *x, const double *q,
                         const double *d, RbDiag *diag) {
    if (!r->journal) return RB_OK;
    const RbSystem *s = e->system;
    double *row = r->row;
    int status = rb_evaluate_results(e, t, x, q, r->results);
    if (status != 0) return rb_evaluator_explain(e, t, RB_ERROR_SOLVER, diag);
    if (e->abort_status != RB_OK) return e->abort_status;
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        double *end = fill_part(row, p, e, e->evals[i].x, q, d);
        size_t count = (size_t)p->segment->results.count;
        memcpy(end - count, r->results + p->result, count * sizeof *row);
        row = end;
    }
    for (int i = 0; i < r->kept_count; i++) r->values[i] = r->row[r->kept[i]];
    r->rows++;
    if (!r->drawn) return rb_journal_add_row(r->journal, t + r->ahead, r->values, diag);
    r->picture.since = rb_journal_segment_time(r->journal);
    rb_evaluate_picture(e, r->first_objects, &r->picture);
    RbBlob picture = {r->picture.bytes, r->picture.size};
    return rb_journal_add_shown(r->journal, t + r->ahead, r->values, picture, diag);
}
