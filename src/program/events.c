// SPDX-License-Identifier: MIT
// events.c: the start of a run and what happens at events (docs/theory/dae.md, sections 8 and 9).
#include <math.h>
#include <string.h>

#include "program/undefined.h"
#include "program/ahead.h"
#include "program/branch.h"
#include "program/delay.h"
#include "program/program_instance.h"
#include "program/interpret.h"
#include "program/layout.h"
#include "program/mixed.h"
#include "program/newton.h"
#include "program/systems.h"
#include "program/timing.h"

enum { ITERATIONS_MAX = 100 };

static double *discrete(RbProgramInstance *in, int var) {
    return &in->frame.d[in->program->dae->vars.data[var].slot];
}
static size_t discrete_bytes(const RbProgramInstance *in) {
    return (size_t)in->program->discrete_count * sizeof(double);
}

// --- messages ------------------------------------------------------------------------------------

// Names that the translator made up say nothing to the user.
static bool is_own(const RbProgramInstance *in, int var) {
    return in->program->dae->model->vars.data[var].name[0] != '$';
}

// Some unknowns of a system with their values; only those that are marked, if there are marks.
static const char *list_unknowns(const RbProgramInstance *in, const RbBlock *b, const bool *marked,
                                 RbArena *arena) {
    enum { SHOWN = 6 };
    RbText names = rb_text(arena);
    int count = 0;
    for (int i = 0; i < b->size; i++) {
        if ((marked && !marked[i]) || !is_own(in, b->unknowns[i]) || ++count > SHOWN) continue;
        const char *name = in->program->dae->model->vars.data[b->unknowns[i]].name;
        rb_text_printf(&names, "%s'%s' = %g", count > 1 ? ", " : "", name,
                       rb_program_value(in, b->unknowns[i]));
    }
    if (count > SHOWN) rb_text_add(&names, " ...");
    return count > 0 ? names.data : "without names";
}

// Systems that have more than one solution at the start are solved, but not in silence.
static void warn_undecided(const RbProgramInstance *in, RbDiag *diag) {
    const RbLowered *l = in->program->lowered;
    for (int i = 0; i < l->systems.count; i++) {
        const RbBlock *b = l->systems.data[i].block;
        const bool *free = in->systems[i].free;
        if (!in->systems[i].undecided) continue;
        int first = 0;
        while (first + 1 < b->size && !free[first]) first++;
        const RbFlatVar *v = &in->program->dae->model->vars.data[b->unknowns[first]];
        bool volt = v->attributes.unit && strcmp(v->attributes.unit, "V") == 0;
        rb_warn(diag, rb_flat_var_place(v),
                "the equations for some variables repeat each other at the start, so that more "
                "than one solution exists; start values decide: %s%s",
                list_unknowns(in, b, free, diag->arena),
                volt ? " (no reference potential: is a ground missing?)" : "");
    }
}

// What may help depends on the kind of the system and on when it cannot be solved.
static const char *advice(const RbBlock *b, RbStatus code) {
    if (b->kind == RB_BLOCK_LINEAR) return "check these equations";
    return code == RB_ERROR_INIT ? "give better start values, or check these equations"
                                 : "there may be no solution from here on: check these equations";
}

RbStatus rb_program_explain(RbProgramInstance *in, RbStatus code, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    if (in->component_failed && in->why_component) {
        return rb_fail(diag, code, RB_NOWHERE, "time %.10g s: %s", in->frame.t,
                       in->why_component(in->call_user));
    }
    if (in->failed_system < 0) {
        if (in->failure && in->failure_is_assertion) code = RB_ERROR_ASSERTION;
        return rb_fail(diag, code, in->failure_at, "time %.10g s: %s", in->frame.t,
                       in->failure ? in->failure : "evaluation failed");
    }
    const RbBlock *b = in->program->lowered->systems.data[in->failed_system].block;
    return rb_fail(diag, code, rb_flat_var_place(&d->model->vars.data[b->unknowns[0]]),
                   "time %.10g s: %s; unknowns %s; %s", in->frame.t,
                   in->failure ? in->failure : "a system cannot be solved",
                   list_unknowns(in, b, NULL, diag->arena), advice(b, code));
}

static RbStatus no_fixed_point(RbProgramInstance *in, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    RbText names = rb_text(diag->arena);
    int shown = 0, first = -1;
    for (int i = 0; i < in->program->discrete_count && shown < 5; i++) {
        if (in->frame.d[i] == in->before[i]) continue;
        int v = d->discretes.data[i];
        if (first < 0) first = v;
        if (!is_own(in, v)) continue;
        rb_text_printf(&names, "%s'%s'", shown++ > 0 ? ", " : "", d->model->vars.data[v].name);
    }
    return rb_fail(
        diag, RB_ERROR_SOLVER,
        first >= 0 ? rb_flat_var_place(&d->model->vars.data[first]) : RB_NOWHERE,
        "time %g s: the %s%s do not settle after %d iterations: they switch each other for "
        "ever",
        in->frame.t, shown > 0 ? "discrete variables " : "conditions", shown > 0 ? names.data : "",
        ITERATIONS_MAX);
}

// --- fixed points --------------------------------------------------------------------------------

// Left limits at the start that initial equations give. Answers whether one changed.
static bool start_left_limits(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    bool changed = false;
    for (int i = 0; i < d->pre_starts.count; i++) {
        double *q = &in->frame.q[d->vars.data[d->pre_starts.data[i].var].slot], before = *q;
        *q = rb_interpret_number(in, d->pre_starts.data[i].value);
        changed |= *q != before;
    }
    return changed;
}

// Evaluate a section until the discrete variables do not change any more, with their left limits as
// they are. Those that switch each other for ever are noted, and their values searched for.
static RbStatus settle(RbProgramInstance *in, RbSectionId section, RbStatus code, RbDiag *diag,
                       int *iterations) {
    enum { NOTE_FROM = 12, SEARCH_AT = 24 };
    RbArena mark = *in->call_arena;
    int count = in->program->discrete_count;
    unsigned char *toggled = rb_new_array(in->call_arena, unsigned char, count + 1);
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        memcpy(in->before, in->frame.d, discrete_bytes(in));
        RbStatus status = rb_program_run(in, section);
        ++*iterations;
        bool start = section == RB_SECTION_INITIAL && start_left_limits(in);
        bool same = !start && memcmp(in->before, in->frame.d, discrete_bytes(in)) == 0;
        if (status != RB_OK || same) {
            *in->call_arena = mark;
            return status != RB_OK ? rb_program_explain(in, code, diag) : RB_OK;
        }
        for (int i = 0; k >= NOTE_FROM && i < count; i++)
            toggled[i] |= in->frame.d[i] != in->before[i];
        // One more evaluation could differ by rounding, where a system is solved from other values.
        bool settled = k == SEARCH_AT && rb_settle_mixed(in, section, toggled) != RB_SETTLED_NOT;
        if (settled && !(section == RB_SECTION_INITIAL && start_left_limits(in))) {
            *in->call_arena = mark;
            return RB_OK;
        }
    }
    *in->call_arena = mark;
    return no_fixed_point(in, diag);
}

// --- parameters and start values -----------------------------------------------------------------

static RbStatus evaluate_array(RbProgramInstance *in, int i, RbDiag *diag) {
    const RbStep *s = &in->program->lowered->sections[RB_SECTION_PARAMETERS].data[i];
    const int *sizes = &in->sizes[RB_SIZES * (s->place.array - 1)];
    double *out = in->frame.p + sizes[RB_SIZES_AT];
    int v = in->program->dae->parameters.data[i].var;
    RB_TRY(rb_array_parameter(in, v, s->value, out, diag));
    for (int k = 0; k < sizes[RB_SIZES_COUNT]; k++) {
        if (isfinite(out[k])) continue;
        return rb_fail(diag, RB_ERROR_INIT, in->program->dae->model->vars.data[v].at,
                       "the value of parameter '%s' cannot be computed",
                       rb_program_element_name(in, v, k, diag->arena));
    }
    return RB_OK;
}

// Where the user speaks of it; a library that declares it is only noted.
static RbStatus fail_parameter(const RbFlatVar *v, const char *why, RbDiag *diag) {
    RbPos at = rb_flat_var_place(v);
    rb_fail(diag, RB_ERROR_INIT, at, "the value of parameter '%s' cannot be computed%s%s", v->name,
            why ? ": " : "", why ? why : "");
    if (at.file != v->at.file) rb_note(diag, v->at, "it is declared here");
    return RB_ERROR_INIT;
}

static RbStatus compute_parameters(RbProgramInstance *in, bool only_objects, RbDiag *diag) {
    const RbSteps *steps = &in->program->lowered->sections[RB_SECTION_PARAMETERS];
    RB_TRY(rb_program_layout(in, diag));
    if (in->place_inputs) RB_TRY(in->place_inputs(in->call_user, diag));
    for (int i = 0; i < steps->count; i++) {
        if (steps->data[i].place.array > 0) {
            if (!only_objects) RB_TRY(evaluate_array(in, i, diag));
            continue;
        }
        int slot = steps->data[i].place.index;
        bool set = in->overridden[slot];
        in->failure = NULL;
        if (only_objects && steps->data[i].value->type != RB_EXTERNAL) continue;
        in->frame.p[slot] =
            set ? in->override_values[slot] : rb_interpret_number(in, steps->data[i].value);
        if (!isfinite(in->frame.p[slot])) {
            const RbFlatVar *v =
                &in->program->dae->model->vars.data[in->program->dae->parameters.data[i].var];
            if (!set && !in->failure) rb_explain_parameter(in, steps->data[i].value);
            return fail_parameter(v, in->failure, diag);
        }
    }
    return RB_OK;
}

static RbStatus start_arrays(RbProgramInstance *in, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    for (int i = 0; i < d->arrays.count; i++) {
        int v = d->arrays.data[i];
        RbCodePlace place = rb_place(in->program->lowered, v);
        const RbExpr *start = d->model->vars.data[v].attributes.start;
        if (place.area == RB_AREA_P || place.area < 0) continue;
        if (!start && place.area != RB_AREA_U) start = rb_real(d->exprs, 0.0);
        double *to = rb_area(in, place.area) + in->sizes[RB_SIZES * i];
        RB_TRY(rb_array_parameter(in, v, start, to, diag)); // an input that was set keeps its value
    }
    return RB_OK;
}

void rb_program_parameters_changed(RbProgramInstance *in) {
    if (in->compiled.sections[RB_SECTION_HOISTED]) rb_program_run(in, RB_SECTION_HOISTED);
    for (int k = 0; k < in->program->lowered->systems.count; k++) rb_program_forget_factors(in, k);
    rb_system_scales(in);
}

static RbStatus evaluate_parameters(RbProgramInstance *in, bool only_objects, RbDiag *diag) {
    if (in->make_objects) in->make_objects(in->call_user, true);
    rb_forget_sites(in);
    RB_TRY(compute_parameters(in, only_objects, diag));
    if (in->make_objects) in->make_objects(in->call_user, false);
    rb_program_parameters_changed(in);
    return RB_OK;
}

RbStatus rb_program_objects(RbProgramInstance *in, RbDiag *diag) {
    return evaluate_parameters(in, true, diag);
}

// In the order of lower_lists.
static RbStatus start_values(RbProgramInstance *in, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    if (rb_program_run(in, RB_SECTION_STARTS) != RB_OK)
        return rb_program_explain(in, RB_ERROR_INIT, diag);
    for (int v = 0, i = 0; v < d->vars.count; v++) {
        RbCodePlace place = rb_place(in->program->lowered, v);
        if (d->vars.data[v].whole) continue;
        bool starts = d->model->vars.data[v].attributes.start != NULL;
        if (place.area == RB_AREA_U && (!starts || in->given_inputs[place.index])) {
            i++; // an input that was set keeps its value
        } else if (place.area == RB_AREA_X || place.area == RB_AREA_W || place.area == RB_AREA_D ||
                   place.area == RB_AREA_DX || place.area == RB_AREA_U) {
            rb_area(in, place.area)[place.index] = in->frame.o[i++];
        }
    }
    if (in->read_inputs) in->read_inputs(in->call_user, in->frame.t, true);
    memcpy(in->frame.q, in->frame.d, discrete_bytes(in));
    return start_arrays(in, diag);
}

static RbStatus check_sample(const RbProgramInstance *in, int k, double start, double interval,
                             RbStatus status, RbDiag *diag) {
    RbPos at = in->program->dae->samples.data[k].at;
    if (!(interval > 0))
        return rb_fail(diag, status, at, "the interval of sample() is %g s; it must be positive",
                       interval);
    const double shortest = 1e-18; // [s] integrators do not see a difference between such times
    if (interval < shortest)
        return rb_fail(diag, status, at, "the interval of sample() is %g s; it must be at least %g",
                       interval, shortest);
    if (isfinite(start)) return RB_OK;
    return rb_fail(diag, status, at, "the start of sample() is %g; it must be a time", start);
}

// A product, so that errors do not add up, and one division, so that ticks of clocks that coincide are one time.
static void schedule_sample(RbProgramInstance *in, int k) {
    double steps = in->sample_first[k] + (double)in->sample_number[k] * in->sample_interval[k];
    in->next_sample[k] = in->sample_start[k] + steps / in->sample_resolution[k];
}

// What the parameters say about sample k, once their section was run. Answers whether that is new.
static bool read_sample(RbProgramInstance *in, int k, double begin) {
    const double *o = &in->frame.o[3 * k];
    bool clock = in->program->dae->samples.data[k].resolution != NULL;
    double start = clock ? begin : o[0], first = clock ? o[0] : 0;
    bool same = in->sample_start[k] == start && in->sample_first[k] == first &&
                in->sample_interval[k] == o[1] && in->sample_resolution[k] == o[2];
    in->sample_start[k] = start;
    in->sample_first[k] = first;
    in->sample_interval[k] = o[1];
    in->sample_resolution[k] = o[2];
    return !same;
}

static double sample_offset(const RbProgramInstance *in, int k) {
    return in->sample_start[k] + in->sample_first[k] / in->sample_resolution[k];
}

static double sample_step(const RbProgramInstance *in, int k) {
    return in->sample_interval[k] / in->sample_resolution[k];
}

static RbStatus start_samples(RbProgramInstance *in, double time, RbDiag *diag) {
    if (rb_program_run(in, RB_SECTION_SAMPLES) != RB_OK)
        return rb_program_explain(in, RB_ERROR_INIT, diag);
    for (int k = 0; k < in->program->sample_count; k++) {
        read_sample(in, k, time);
        double start = sample_offset(in, k), interval = sample_step(in, k);
        RB_TRY(check_sample(in, k, start, interval, RB_ERROR_INIT, diag));
        const double most = 1e15; // of them before the start: numbers are exact up to there
        double before = time > start ? ceil((time - start) / interval - 1e-9) : 0;
        if (before > most)
            return rb_fail(diag, RB_ERROR_INIT, in->program->dae->samples.data[k].at,
                           "sample() with an interval of %g s fires %g times before the start",
                           interval, before);
        in->sample_number[k] = (long)before;
        schedule_sample(in, k);
    }
    return RB_OK;
}

RbStatus rb_program_parameters(RbProgramInstance *in, double time, RbDiag *diag) {
    in->frame.t = time;
    in->failure = NULL;
    return evaluate_parameters(in, false, diag);
}

// Samples whose rhythm has changed go on with the new one, later than now.
RbStatus rb_program_change_parameters(RbProgramInstance *in, double time, RbDiag *diag) {
    RB_TRY(rb_program_parameters(in, time, diag));
    if (rb_program_run(in, RB_SECTION_SAMPLES) != RB_OK)
        return rb_program_explain(in, RB_ERROR_INIT, diag);
    for (int k = 0; k < in->program->sample_count; k++) {
        if (!read_sample(in, k, in->sample_start[k])) continue;
        double start = sample_offset(in, k), interval = sample_step(in, k);
        RB_TRY(check_sample(in, k, start, interval, RB_ERROR_USAGE, diag));
        double passed = (time - start) / interval;
        in->sample_number[k] = passed >= 0 ? (long)floor(passed + 1e-9) + 1 : 0;
        schedule_sample(in, k);
    }
    return RB_OK;
}

// --- homotopy ------------------------------------------------------------------------------------

static const RbArea kept_areas[] = {RB_AREA_X, RB_AREA_DX, RB_AREA_D, RB_AREA_Q, RB_AREA_W};
enum { KEPT_AREAS = sizeof kept_areas / sizeof *kept_areas };

// All unknowns to or from a copy.
static void copy_values(RbProgramInstance *in, double **copy, bool back) {
    for (int i = 0; i < KEPT_AREAS; i++) {
        double *values = rb_area(in, kept_areas[i]);
        int count = in->counts[kept_areas[i]];
        size_t bytes = (size_t)count * sizeof(double);
        if (!copy[i]) copy[i] = rb_new_array(in->call_arena, double, count + 1);
        memcpy(back ? values : copy[i], back ? copy[i] : values, bytes);
    }
}

static RbStatus settle_at(RbProgramInstance *in, double homotopy, RbDiag *diag) {
    int iterations = 0;
    RbDiag silent = rb_diag(diag->arena);
    in->frame.homotopy = homotopy;
    for (int s = 0; s < in->program->lowered->systems.count; s++) rb_program_forget_factors(in, s);
    return settle(in, RB_SECTION_INITIAL, RB_ERROR_INIT, &silent, &iterations);
}

// The simplified system first, then in steps to the actual one; shorter where that fails. False:
// that does not lead anywhere.
static bool follow_homotopy(RbProgramInstance *in, RbDiag *diag) {
    const double shortest = 1e-4;
    RbArena mark = *in->call_arena;
    double *copy[KEPT_AREAS] = {0}, done = 0, step = 0.1;
    bool solved = settle_at(in, 0, diag) == RB_OK;
    copy_values(in, copy, false);
    while (solved && done < 1) {
        double next = fmin(1, done + step);
        bool good = settle_at(in, next, diag) == RB_OK;
        copy_values(in, copy, !good);
        if (good) done = next;
        step *= good ? 1.5 : 0.25;
        solved = step > shortest;
    }
    in->frame.homotopy = 1;
    *in->call_arena = mark;
    return solved;
}

// All unknowns of the start. Without homotopy, or if it fails: from the start values at once.
static RbStatus solve_start(RbProgramInstance *in, RbDiag *diag) {
    int iterations = 0;
    if (in->program->has_homotopy) {
        if (follow_homotopy(in, diag)) return RB_OK;
        for (int s = 0; s < in->program->lowered->systems.count; s++)
            rb_program_forget_factors(in, s);
        in->failed_system = -1;
        in->failure = NULL;
        RB_TRY(start_values(in, diag));
        *discrete(in, in->program->dae->initial_var) = 1;
        start_left_limits(in);
    }
    return settle(in, RB_SECTION_INITIAL, RB_ERROR_INIT, diag, &iterations);
}

static RbStatus act(RbProgramInstance *in, RbDiag *diag, RbEventResult *result, bool *changed);

static bool agree(double a, double b) {
    const double enough = 1e-6; // of the value
    return fabs(a - b) <= enough * fmax(fabs(a), fabs(b)) + 1e-9;
}

static RbStatus check_start_equations(RbProgramInstance *in, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    RbStatus status = RB_OK;
    for (int i = 0; i < d->start_equations.count; i++) {
        const RbStartEquation *e = &d->start_equations.data[i];
        double left = rb_interpret_number(in, e->left), right = rb_interpret_number(in, e->right);
        if (agree(left, right)) continue;
        status = rb_fail(
            diag, RB_ERROR_INIT, e->at,
            "the initial equation %s does not hold: both sides follow from parameters, and are "
            "%g and %g; remove it or change a parameter",
            e->text, left, right);
    }
    return status;
}

// Fixed start values and initial equations that were not needed must be met all the same.
static RbStatus check_starts(RbProgramInstance *in, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    RbStatus status = check_start_equations(in, diag);
    for (int i = 0; i < d->start_checks.count; i++) {
        const RbAssignment *c = &d->start_checks.data[i];
        const RbFlatVar *v = &d->model->vars.data[c->var];
        double is = rb_program_value(in, c->var), wanted = rb_interpret_number(in, c->value);
        if (agree(is, wanted)) continue;
        status = rb_fail(diag, RB_ERROR_INIT, v->at,
                         "the start value of '%s' is fixed at %g, but other equations and start "
                         "values make it %g; leave it free (fixed = false), or one of these",
                         v->name, wanted, is);
    }
    return status;
}

// The equations at the start, from start values.
static RbStatus find_start(RbProgramInstance *in, double time, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    RB_TRY(start_samples(in, time, diag));
    *discrete(in, d->initial_var) = 1;
    start_left_limits(in);
    RB_TRY(solve_start(in, diag));
    RB_TRY(check_starts(in, diag));
    RbEventResult result = {0};
    bool changed;
    RB_TRY(act(in, diag, &result, &changed));
    *discrete(in, d->initial_var) = 0;
    rb_choose_states(in, true);
    memcpy(in->frame.q, in->frame.d, discrete_bytes(in));
    warn_undecided(in, diag);
    rb_delay_start(in);
    RB_TRY(rb_program_event(in, time, in->frame.x, diag, &result));
    for (int k = 0; rb_delay_restart(in); k++) {
        if (k == ITERATIONS_MAX) return no_fixed_point(in, diag);
        RB_TRY(rb_program_event(in, time, in->frame.x, diag, &result));
    }
    return RB_OK;
}

static void begin(RbProgramInstance *in, double time) {
    in->frame.t = time;
    in->failed_system = -1;
    in->failure = NULL;
    in->anchored = false;
    in->terminate = false;
    in->event_number = 0;
}

// Start values are parameters of their own; this one has the value until parameters are computed anew.
static void move_start(RbProgramInstance *in, int var, double value) {
    const RbSortedDae *d = in->program->dae;
    const RbExpr *start = d->model->vars.data[var].attributes.start;
    if (!start || start->op != RB_OP_VAR || !d->vars.data[start->index].auxiliary) return;
    RbCodePlace place = rb_place(in->program->lowered, start->index);
    if (place.area >= 0) rb_area(in, place.area)[place.index] = value;
}

static bool is_scalar_state(const RbSortedDae *d, int var) {
    return d->vars.data[var].kind == RB_DAE_STATE && !d->vars.data[var].whole;
}

static bool is_fixed(RbProgramInstance *in, int var) {
    const RbExpr *fixed = in->program->dae->model->vars.data[var].attributes.fixed;
    return fixed && rb_interpret_number(in, fixed) != 0;
}

// As components wish, where the user does not say otherwise.
static void follow_components(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    for (int v = 0; in->start_of && v < d->vars.count; v++) {
        double value;
        if (!is_scalar_state(d, v) || is_fixed(in, v)) continue;
        if (in->start_of(in->call_user, d->vars.data[v].slot, &value)) move_start(in, v, value);
    }
}

RbStatus rb_program_initialize(RbProgramInstance *in, double time, RbDiag *diag) {
    begin(in, time);
    memset(in->warned, 0, (size_t)in->program->dae->actions.count);
    RB_TRY(evaluate_parameters(in, false, diag));
    rb_warn_of_ranges(in, diag);
    follow_components(in);
    RB_TRY(start_values(in, diag));
    return find_start(in, time, diag);
}

RbStatus rb_program_initialize_from(RbProgramInstance *in, double time, const double *x,
                                    RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    begin(in, time);
    for (int v = 0; v < d->vars.count; v++) {
        int slot = d->vars.data[v].slot;
        if (is_scalar_state(d, v) && x[slot] != in->frame.x[slot] && !is_fixed(in, v))
            move_start(in, v, x[slot]);
    }
    RB_TRY(start_values(in, diag));
    return find_start(in, time, diag);
}

// --- events --------------------------------------------------------------------------------------

double rb_program_next_time_event(RbProgramInstance *in) {
    double next = rb_first_event(rb_next_clock_event(in), rb_delay_next_event(in));
    next = rb_first_event(next, rb_ahead_next(in));
    for (int k = 0; k < in->program->sample_count; k++)
        next = rb_first_event(next, in->next_sample[k]);
    return next;
}

// Samples that are due fire together.
static bool fire_samples(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    bool any = false;
    for (int k = 0; k < in->program->sample_count; k++) {
        // rounding of the times; an interval may be infinite, and must not count then
        double slack = 1e-12 * fmax(fabs(in->frame.t),
                                    fmin(sample_step(in, k), fabs(sample_offset(in, k))));
        bool due = in->next_sample[k] <= in->frame.t + slack;
        *discrete(in, d->samples.data[k].var) = due;
        if (!due) continue;
        any = true;
        in->sample_number[k]++;
        schedule_sample(in, k);
    }
    return any;
}

static void end_samples(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    for (int k = 0; k < in->program->sample_count; k++) *discrete(in, d->samples.data[k].var) = 0;
}

static void hold_left_limits(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    for (int i = 0; i < d->left_limits.count; i++) {
        const RbAssignment *a = &d->left_limits.data[i];
        *discrete(in, a->var) = rb_interpret_number(in, a->value);
    }
}

// An assertion, after the section of actions was run.
static RbStatus check_action(RbProgramInstance *in, int i, double time, RbDiag *diag) {
    const RbAction *a = &in->program->dae->actions.data[i];
    if (in->frame.o[2 * i] != 0 || in->warned[i]) return RB_OK;
    const char *text = rb_message_text(in, a->value);
    if (!a->is_warning)
        return rb_fail(diag, RB_ERROR_ASSERTION, a->at, "time %.10g s: %s", time, text);
    in->warned[i] = 1;
    rb_warn(diag, a->at, "time %.10g s: %s", time, text);
    return RB_OK;
}

// Reinits and terminations whose condition holds. Answers whether a state changed.
static RbStatus act(RbProgramInstance *in, RbDiag *diag, RbEventResult *result, bool *changed) {
    const RbSortedDae *d = in->program->dae;
    *changed = false;
    if (d->actions.count == 0) return RB_OK;
    if (rb_program_run(in, RB_SECTION_ACTIONS) != RB_OK)
        return rb_program_explain(in, RB_ERROR_SOLVER, diag);
    for (int i = 0; i < d->actions.count; i++) {
        const RbAction *a = &d->actions.data[i];
        if (a->kind == RB_ACTION_ASSERT) {
            if (a->is_momentary) RB_TRY(check_action(in, i, in->frame.t, diag));
            continue;
        }
        if (in->frame.o[2 * i] == 0) continue;
        if (a->kind == RB_ACTION_TERMINATE) {
            if (!in->terminate)
                rb_note(diag, a->at, "time %g s: the model ends the run: %s", in->frame.t,
                        rb_message_text(in, a->value));
            result->terminate = in->terminate = true;
        }
        if (a->kind == RB_ACTION_CALL && !rb_interpret_call(in, a->value))
            return rb_program_explain(in, RB_ERROR_SOLVER, diag);
        if (a->kind != RB_ACTION_REINIT) continue;
        if (d->vars.data[a->state].kind != RB_DAE_STATE) {
            return rb_fail(diag, RB_ERROR_SOLVER, a->at,
                           "reinit of '%s', which is not a state of the model",
                           d->model->vars.data[a->state].name);
        }
        in->frame.x[d->vars.data[a->state].slot] = in->frame.o[2 * i + 1];
        *changed = true;
        in->reinits[d->vars.data[a->state].slot] = a;
        in->any_reinit = true;
    }
    return RB_OK;
}

static RbStatus check_lasting(RbProgramInstance *in, double time, RbDiag *diag);

static RbStatus iterate(RbProgramInstance *in, RbDiag *diag, RbEventResult *result) {
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        bool reinit;
        in->event_number++;
        RB_TRY(settle(in, RB_SECTION_EVENTS, RB_ERROR_SOLVER, diag, &result->iterations));
        RB_TRY(act(in, diag, result, &reinit));
        result->states_changed |= reinit;
        bool same = memcmp(in->frame.d, in->frame.q, discrete_bytes(in)) == 0;
        result->values_changed |= !same;
        memcpy(in->before, in->frame.q, discrete_bytes(in));
        memcpy(in->frame.q, in->frame.d, discrete_bytes(in));
        if (same && !reinit) return check_lasting(in, in->frame.t, diag);
    }
    return no_fixed_point(in, diag);
}

RbStatus rb_program_event(RbProgramInstance *in, double time, double *x, RbDiag *diag,
                          RbEventResult *result) {
    *result = (RbEventResult){0};
    if (in->any_reinit)
        memset(in->reinits, 0, (size_t)in->program->state_count * sizeof *in->reinits);
    in->any_reinit = false;
    in->failed_system = -1;
    in->failure = NULL;
    if (rb_program_outputs(in, time, x) != RB_OK)
        return rb_program_explain(in, RB_ERROR_SOLVER, diag);
    in->anchored = false;
    hold_left_limits(in);
    rb_reset_slack(in);
    rb_delay_arrive(in);
    if (in->read_inputs) in->read_inputs(in->call_user, time, true);
    bool sampled = fire_samples(in);
    RB_TRY(iterate(in, diag, result));
    if (sampled) {
        end_samples(in);
        RB_TRY(iterate(in, diag, result));
    }
    rb_delay_settle(in);
    result->states_changed |= rb_choose_states(in, false);
    for (int k = 0; k < in->program->lowered->systems.count; k++)
        result->values_changed |= in->systems[k].jumped;
    rb_program_restart_branch(in);
    if (x != in->frame.x) memcpy(x, in->frame.x, (size_t)rb_program_states(in) * sizeof *x);
    return RB_OK;
}

void rb_program_end(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    if (d->uses_terminal) *discrete(in, d->terminal_var) = 1;
}

// An equation that only calls a function: without effects it is there for its assertions.
static bool is_check(const RbSortedDae *d, const RbAction *a) {
    if (a->kind != RB_ACTION_CALL || a->value->op != RB_OP_CALL) return false;
    const RbFunction *f = d->model->functions.data[a->value->index];
    return f->kind == RB_FUNCTION_ALGORITHM && !f->is_impure;
}

static RbStatus check_lasting(RbProgramInstance *in, double time, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    for (int i = 0; i < d->actions.count; i++) {
        const RbAction *a = &d->actions.data[i];
        if (a->is_momentary) continue;
        if (a->kind == RB_ACTION_ASSERT) RB_TRY(check_action(in, i, time, diag));
        if (is_check(d, a) && in->frame.o[2 * i] != 0 && !rb_interpret_call(in, a->value))
            return rb_program_explain(in, RB_ERROR_SOLVER, diag);
    }
    return RB_OK;
}

bool rb_program_holds(RbProgramInstance *in, double time, const double *x) {
    const RbSortedDae *d = in->program->dae;
    if (rb_program_outputs(in, time, x) != RB_OK) return false;
    if (d->actions.count == 0) return true;
    if (rb_program_run(in, RB_SECTION_ACTIONS) != RB_OK) return false;
    for (int i = 0; i < d->actions.count; i++) {
        const RbAction *a = &d->actions.data[i];
        if (a->is_momentary) continue;
        if (a->kind == RB_ACTION_ASSERT && in->frame.o[2 * i] == 0 && !in->warned[i]) return false;
        if (is_check(d, a) && in->frame.o[2 * i] != 0 && !rb_interpret_call(in, a->value))
            return false;
    }
    return true;
}

RbStatus rb_program_check(RbProgramInstance *in, double time, const double *x, RbDiag *diag) {
    in->failed_system = -1;
    in->failure = NULL;
    if (rb_program_outputs(in, time, x) != RB_OK || rb_program_run(in, RB_SECTION_ACTIONS) != RB_OK)
        return rb_program_explain(in, RB_ERROR_SOLVER, diag);
    return check_lasting(in, time, diag);
}
