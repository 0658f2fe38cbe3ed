// SPDX-License-Identifier: MIT
#include "program/layout.h"

#include <string.h>

#include "program/array_operations.h"
#include "program/factors.h"
#include "program/program_instance.h"
#include "program/extent.h"

// --- places --------------------------------------------------------------------------------------

static const RbFlatVar *flat(const RbExtents *l, int var) {
    return &l->dae->model->vars.data[var];
}

static void take(int *sizes, const RbExtent *s, int at) {
    sizes[RB_SIZES_AT] = at;
    sizes[RB_SIZES_COUNT] = rb_extent_count(s);
    sizes[RB_SIZES_ROWS] = s->dims[0];
    sizes[RB_SIZES_COLUMNS] = s->rank > 1 ? s->dims[1] : 1;
}

// An array of the workspace, or a part of another array.
static void place_work(RbExtents *l, int i, const int *sizes, int *own, int *workspace) {
    const RbWorkArray *a = &l->in->program->source.arrays.data[i];
    bool slice = a->value->op == RB_OP_SUBSCRIPT;
    RbSlice part = slice ? rb_slice_of(l, a->value) : (RbSlice){0};
    RbExtent s = slice ? part.shape : rb_extent_of(l, a->value);
    take(own, &s, a->kind == RB_WORK_PART ? sizes[RB_SIZES * a->base] + part.first : *workspace);
    if (a->kind == RB_WORK_STORED) *workspace += rb_extent_count(&s);
    int *steps = &l->in->slices[RB_SLICE * i];
    steps[0] = part.first;
    steps[1] = part.step[0];
    steps[2] = part.step[1];
}

// Places for all arrays behind the scalars of their areas, then for the workspace.
static void place_arrays(RbExtents *l, int *sizes, int counts[RB_AREA_COUNT], int *workspace) {
    const RbSortedDae *d = l->dae;
    const RbCSource *source = &l->in->program->source;
    for (int i = 0; i < d->arrays.count; i++) {
        RbCodePlace place = rb_place(l->in->program->lowered, d->arrays.data[i]);
        bool own = place.area >= 0 && place.area != RB_AREA_DX;
        take(&sizes[RB_SIZES * i], &l->arrays[i], own ? counts[place.area] : 0);
        if (own) counts[place.area] += rb_extent_count(&l->arrays[i]);
    }
    for (int i = 0; i < d->arrays.count; i++) { // derivatives lie as their states
        const RbDaeVar *v = &d->vars.data[d->arrays.data[i]];
        if (v->kind != RB_DAE_DERIVATIVE) continue;
        sizes[RB_SIZES * i] = sizes[RB_SIZES * d->vars.data[v->integral].slot];
    }
    counts[RB_AREA_DX] = counts[RB_AREA_X];
    *workspace = 0;
    for (int i = 0; i < source->arrays.count; i++)
        place_work(l, i, sizes, &sizes[RB_SIZES * (d->arrays.count + i)], workspace);
}

static void make_room(RbProgramInstance *in, const int counts[RB_AREA_COUNT], int workspace) {
    RbCodeFrame *f = &in->frame;
    for (int a = 0; a < RB_AREA_COUNT; a++) {
        if (in->area[a] && counts[a] == in->counts[a]) continue;
        double *own = in->compiled.areas[a]; // of code without whole arrays
        double *room = own ? own : rb_new_array(in->arena, double, counts[a] + 1);
        int kept = counts[a] < in->counts[a] ? counts[a] : in->counts[a]; // inputs that were set
        if (in->area[a] && a == RB_AREA_U) memcpy(room, in->area[a], (size_t)kept * sizeof *room);
        in->area[a] = room;
        in->counts[a] = counts[a];
    }
    f->v = rb_new_array(in->arena, double, workspace + 1);
    f->n = in->sizes;
    rb_array_operations(f);
    f->p = in->area[RB_AREA_P];
    f->x = in->area[RB_AREA_X];
    f->dx = in->area[RB_AREA_DX];
    f->u = in->area[RB_AREA_U];
    f->d = in->area[RB_AREA_D];
    f->q = in->area[RB_AREA_Q];
    f->w = in->area[RB_AREA_W];
    f->o = in->area[RB_AREA_O];
    f->h = in->area[RB_AREA_H];
}

// Factors of the matrices that arrays are solved with.
static void make_factors(RbProgramInstance *in) {
    const RbCSource *source = &in->program->source;
    if (!in->factors) in->factors = rb_new_array(in->arena, RbFactors *, source->arrays.count + 1);
    for (int i = 0; i < source->arrays.count; i++) {
        const RbExpr *e = source->arrays.data[i].value;
        if (e->op != RB_OP_BUILTIN || e->index != RB_FN_SOLVE) continue;
        const int *sizes = &in->sizes[RB_SIZES * (in->program->dae->arrays.count + i)];
        in->factors[i] = rb_dense_factors(sizes[RB_SIZES_ROWS], in->arena);
    }
}

static void lay_out(RbExtents *l) {
    RbProgramInstance *in = l->in;
    const RbSortedDae *d = l->dae;
    int workspace, counts[RB_AREA_COUNT];
    int entries = RB_SIZES * (d->arrays.count + in->program->source.arrays.count);
    for (int a = 0; a < RB_AREA_COUNT; a++)
        counts[a] = rb_area_size(in->program->lowered, (RbArea)a);
    int *sizes = rb_new_array(l->arena, int, entries + 1);
    if (!in->slices)
        in->slices = rb_new_array(in->arena, int, RB_SLICE * in->program->source.arrays.count + 1);
    place_arrays(l, sizes, counts, &workspace);
    if (in->sizes && memcmp(sizes, in->sizes, (size_t)entries * sizeof(int)) == 0) return;
    if (!in->sizes) in->sizes = rb_new_array(in->arena, int, entries + 1);
    memcpy(in->sizes, sizes, (size_t)entries * sizeof(int));
    make_room(in, counts, workspace);
    make_factors(in);
}

void rb_first_layout(RbProgramInstance *in) {
    RbArena scratch = *in->call_arena;
    RbExtents l = rb_extents(in, &scratch, NULL);
    for (int i = 0; i < l.dae->arrays.count; i++) {
        const RbFlatVar *v = flat(&l, l.dae->arrays.data[i]);
        l.arrays[i] = (RbExtent){v->rank, {v->dims[0], v->rank > 1 ? v->dims[1] : 1}};
        l.state[i] = RB_EXTENT_DONE;
    }
    lay_out(&l);
}

RbStatus rb_program_layout(RbProgramInstance *in, RbDiag *diag) {
    if (!in->program->dae->any_whole) return RB_OK;
    RbArena scratch = *in->call_arena;
    RbExtents l = rb_extents(in, &scratch, diag);
    RB_TRY(rb_find_extents(&l));
    lay_out(&l);
    return RB_OK;
}

// --- values of parameters ------------------------------------------------------------------------

static RbStatus set_elements(RbProgramInstance *in, int var, double *out, RbDiag *diag) {
    int slot = in->program->dae->vars.data[var].slot;
    const int *sizes = &in->sizes[RB_SIZES * slot];
    for (int i = 0; i < in->element_values.count; i++) {
        const RbElementValue *e = &in->element_values.data[i];
        if (e->array != slot) continue;
        int row = e->subscripts[0], column = e->subscripts[1];
        if (row < 1 || row > sizes[RB_SIZES_ROWS] || column < 1 || column > sizes[RB_SIZES_COLUMNS])
            return rb_fail(diag, RB_ERROR_USAGE, in->program->dae->model->vars.data[var].at,
                           "'%s' has no element [%d,%d] that could be set: it has %d rows and %d "
                           "columns",
                           in->program->dae->model->vars.data[var].name, row, column,
                           sizes[RB_SIZES_ROWS], sizes[RB_SIZES_COLUMNS]);
        out[(row - 1) * sizes[RB_SIZES_COLUMNS] + column - 1] = e->value;
    }
    return RB_OK;
}

// The value of a parameter, or a start value, of another size than what it is for.
static RbStatus value_misfit(RbProgramInstance *in, int var, const RbExpr *value,
                             const RbExprValue *e, RbArena *arena, RbDiag *diag) {
    RbExtents l = rb_present_extents(in, arena);
    l.diag = diag;
    const RbExtent *own = &l.arrays[l.dae->vars.data[var].slot];
    bool start = l.dae->vars.data[var].auxiliary; // $start(x), as large as x
    if (start) var = flat(&l, var)->dim_exprs[0]->args[0]->index;
    RbExtent given = {e->rank, {e->dims[0], e->rank > 1 ? e->dims[1] : 1}};
    const RbExpr *all[] = {value, flat(&l, var)->dim_exprs[0], flat(&l, var)->dim_exprs[1]};
    const char *others = rb_extent_list(&l, all, 3);
    return rb_fail(diag, RB_ERROR_MODEL, flat(&l, var)->at,
                   "the size of '%s' is %s, but its %s has the size %s%s%s", flat(&l, var)->name,
                   rb_extent_text(own, arena), start ? "start value" : "value",
                   rb_extent_text(&given, arena), others[0] ? ": " : "", others);
}

RbStatus rb_array_parameter(RbProgramInstance *in, int var, const RbExpr *value, double *out,
                            RbDiag *diag) {
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    const RbFlatVar *own = &in->program->dae->model->vars.data[var];
    const int *sizes = &in->sizes[RB_SIZES * v->slot];
    int count = sizes[RB_SIZES_COUNT];
    const RbArrayValue *set = &in->array_values[v->slot];
    RbArena scratch = *in->call_arena;
    RbExprValue e = {0};
    if (!value && !set->given) return set_elements(in, var, out, diag);
    if (set->given) {
        memcpy(out, set->data, (size_t)count * sizeof *out);
        return set_elements(in, var, out, diag);
    }
    if (!rb_interpret_value(in, value, &scratch, &e))
        return rb_fail(diag, RB_ERROR_INIT, own->at, "the value of '%s' cannot be computed%s%s",
                       own->name, in->failure ? ": " : "", in->failure ? in->failure : "");
    bool fits = e.rank == 0 || (e.rank == own->rank && e.dims[0] == sizes[RB_SIZES_ROWS] &&
                                (e.rank == 1 || e.dims[1] == sizes[RB_SIZES_COLUMNS]));
    if (!fits) return value_misfit(in, var, value, &e, &scratch, diag);
    for (int i = 0; i < count; i++) out[i] = e.data[e.rank > 0 ? i : 0];
    return set_elements(in, var, out, diag);
}
