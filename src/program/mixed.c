// SPDX-License-Identifier: MIT
#include "program/mixed.h"

#include <math.h>
#include <string.h>

#include "program/program_instance.h"

enum { RELATIONS_MAX = 12, PASSES_MAX = 20 };

typedef struct Search {
    RbProgramInstance *in;
    RbSectionId section;
    int slots[RELATIONS_MAX]; // of the relations that toggle
    int count;
    bool *is_relation; // by slot
    double *start;     // discrete variables
    double *before;
} Search;

static size_t bytes_of(const Search *s) {
    return (size_t)s->in->program->discrete_count * sizeof(double);
}

// Discrete variables that follow from the relations; those that depend on each other need more than
// one pass.
static void propagate(Search *s) {
    RbProgramInstance *in = s->in;
    const RbSteps *steps = &in->program->lowered->sections[s->section];
    bool changed = true;
    for (int pass = 0; changed && pass < PASSES_MAX; pass++) {
        changed = false;
        for (int i = 0; i < steps->count; i++) {
            const RbStep *step = &steps->data[i];
            if (step->system >= 0 || step->place.area != RB_AREA_D) continue;
            if (s->is_relation[step->place.index]) continue;
            double *d = &in->frame.d[step->place.index], old = *d;
            *d = rb_interpret_number(in, step->value);
            changed |= *d != old;
        }
    }
}

static bool fits(Search *s, unsigned mask) {
    RbProgramInstance *in = s->in;
    memcpy(in->frame.d, s->start, bytes_of(s));
    for (int i = 0; i < s->count; i++) {
        bool left = in->frame.q[s->slots[i]] != 0;
        in->frame.d[s->slots[i]] = left != (mask >> i & 1);
    }
    propagate(s);
    memcpy(s->before, in->frame.d, bytes_of(s));
    return rb_program_run(in, s->section) == RB_OK &&
           memcmp(s->before, in->frame.d, bytes_of(s)) == 0;
}

// How much larger than rounding the difference is in relations that a combination contradicts: the
// largest of them, 1 is the limit.
static double contradiction(Search *s, unsigned mask) {
    const double rounding = 1e-9; // of the larger side of the relation, at least of 1
    RbProgramInstance *in = s->in;
    const RbSortedDae *d = in->program->dae;
    double worst = 0;
    if (fits(s, mask)) return 0;
    for (int i = 0; i < d->relations.count; i++) {
        const RbRelation *r = &d->relations.data[i];
        int slot = d->vars.data[r->var].slot;
        if (in->frame.d[slot] == s->before[slot]) continue;
        double left = rb_interpret_number(in, r->left), right = rb_interpret_number(in, r->right);
        double scale = fmax(1, fmax(fabs(left), fabs(right)));
        worst = fmax(worst, fabs(left - right) / (rounding * scale));
    }
    return isfinite(worst) ? worst : INFINITY;
}

static int bits_of(unsigned mask) {
    int bits = 0;
    for (; mask; mask >>= 1) bits += (mask & 1) != 0;
    return bits;
}

static bool search(Search *s) {
    for (int distance = 0; distance <= s->count; distance++) {
        for (unsigned mask = 0; mask < 1u << s->count; mask++) {
            if (bits_of(mask) == distance && fits(s, mask)) return true;
        }
    }
    memcpy(s->in->frame.d, s->start, bytes_of(s));
    return false;
}

// The combination that contradicts itself least becomes the present one, if rounding explains it.
static bool search_nearly(Search *s) {
    RbProgramInstance *in = s->in;
    const RbSortedDae *d = in->program->dae;
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned mask = 0; mask < 1u << s->count; mask++) {
        double c = contradiction(s, mask);
        bool nearer = c == least && bits_of(mask) < bits_of(best);
        if (c < least || nearer) {
            least = c;
            best = mask;
        }
    }
    if (!(least <= 1)) {
        memcpy(in->frame.d, s->start, bytes_of(s));
        return false;
    }
    fits(s, best);
    for (int i = 0; i < d->relations.count; i++) {
        const RbRelation *r = &d->relations.data[i];
        int slot = d->vars.data[r->var].slot;
        if (in->frame.d[slot] == s->before[slot]) continue;
        double gap = rb_interpret_number(in, r->left) - rb_interpret_number(in, r->right);
        in->slack[i] = fmax(in->slack[i], 2 * fabs(gap));
    }
    memcpy(in->frame.d, s->before, bytes_of(s));
    // At the start nothing holds the relations; the first event makes the rest follow.
    return s->section == RB_SECTION_INITIAL || rb_program_run(in, RB_SECTION_OUTPUTS) == RB_OK;
}

RbSettled rb_settle_mixed(RbProgramInstance *in, RbSectionId section,
                          const unsigned char *toggled) {
    const RbSortedDae *d = in->program->dae;
    int count = in->program->discrete_count;
    RbArena mark = *in->call_arena;
    Search s = {.in = in, .section = section};
    s.is_relation = rb_new_array(in->call_arena, bool, count + 1);
    s.start = rb_new_array(in->call_arena, double, count + 1);
    s.before = rb_new_array(in->call_arena, double, count + 1);
    memcpy(s.start, in->frame.d, bytes_of(&s));
    int toggling = 0;
    for (int i = 0; i < d->relations.count; i++) {
        int slot = d->vars.data[d->relations.data[i].var].slot;
        s.is_relation[slot] = true;
        if (toggled[slot] && toggling++ < RELATIONS_MAX) s.slots[s.count++] = slot;
    }
    RbSettled settled = RB_SETTLED_NOT;
    if (toggling > 0 && toggling <= RELATIONS_MAX) {
        if (search(&s))
            settled = RB_SETTLED;
        else if (search_nearly(&s))
            settled = RB_SETTLED_NEARLY;
    }
    *in->call_arena = mark;
    return settled;
}

// An indicator is shifted against the present value of its relation: after the crossing the
// relation has surely changed.
void rb_reset_slack(RbProgramInstance *in) {
    const double usual = 1e-12;
    for (int i = 0; i < in->program->dae->relations.count; i++) in->slack[i] = usual;
}
