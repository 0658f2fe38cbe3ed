// SPDX-License-Identifier: MIT
#include "program/delay.h"

#include <math.h>
#include <string.h>

#include "program/program_instance.h"

enum { LAST = RB_DELAY_NODES - 1 };

// A step of the past.
typedef struct Piece {
    double t0, t1;      // [s] of the first and the last node
    double end;         // [s] valid until then; a later step may have begun before t1
    double after_event; // 1: an event was at t0
} Piece;

typedef struct RbDelays {
    int count;      // expressions
    double *first;  // their values at the start
    double start;   // [s]
    double longest; // [s] what is older is forgotten
    double passed;  // [s] time of the last event: what jumps arrive until then have arrived
    long event_number;
    bool noting; // the last piece has not all of its nodes yet
    RbArena *arena;
    Piece *pieces; // in order of time, from `oldest` on
    double *nodes; // per piece: nodes of the first expression, of the second, ...
    int oldest, used, capacity;
    double *jumps; // [s] events at which one of the expressions jumped, ascending
    int jump_count, jump_capacity;
} RbDelays;

static int width(const RbDelays *d) {
    return d->count * RB_DELAY_NODES;
}

RbDelays *rb_delays(const RbSortedDae *dae, RbArena *arena) {
    RbDelays *d = rb_new(arena, RbDelays);
    d->count = dae->delays.count;
    d->first = rb_new_array(arena, double, d->count + 1);
    d->arena = rb_arena_child(arena);
    return d;
}

// --- noting --------------------------------------------------------------------------------------

void rb_delay_start(RbProgramInstance *in) {
    RbDelays *d = in->delays;
    const RbSortedDae *dae = in->program->dae;
    d->start = d->passed = in->frame.t;
    d->longest = 0;
    d->oldest = d->used = d->jump_count = 0;
    d->event_number = in->event_number;
    for (int k = 0; k < d->count; k++) {
        const RbDelay *spec = &dae->delays.data[k];
        d->first[k] = spec->is_slope ? 0 : rb_program_value(in, spec->var);
        d->longest = fmax(d->longest, rb_interpret_number(in, dae->delays.data[k].longest));
    }
}

// Room for one more: the beginning moves up, or the memory doubles.
static void make_room(RbDelays *d) {
    if (d->used < d->capacity) return;
    int live = d->used - d->oldest;
    Piece *pieces = d->pieces;
    double *nodes = d->nodes;
    if (live > d->capacity / 2 || d->capacity == 0) {
        d->capacity = 2 * d->capacity + 64;
        pieces = rb_new_array(d->arena, Piece, d->capacity);
        nodes = rb_new_array(d->arena, double, d->capacity *width(d));
    }
    if (live > 0) {
        memmove(pieces, d->pieces + d->oldest, (size_t)live * sizeof *pieces);
        memmove(nodes, d->nodes + d->oldest * width(d), (size_t)(live * width(d)) * sizeof *nodes);
    }
    d->pieces = pieces;
    d->nodes = nodes;
    d->oldest = 0;
    d->used = live;
}

void rb_delay_open(RbProgramInstance *in, double t0, double t1) {
    RbDelays *d = in->delays;
    while (d->used > d->oldest && d->pieces[d->used - 1].t0 >= t0) d->used--;
    if (d->used > d->oldest) d->pieces[d->used - 1].end = fmin(d->pieces[d->used - 1].t1, t0);
    // One piece more than needed: a jump between two of them may still be on its way.
    while (d->used - d->oldest > 2 && d->pieces[d->oldest + 1].end < t0 - d->longest) d->oldest++;
    make_room(d);
    bool event = d->event_number != in->event_number;
    d->event_number = in->event_number;
    d->pieces[d->used++] = (Piece){t0, t1, t1, event};
    d->noting = true;
}

double rb_delay_time(const RbProgramInstance *in, int node) {
    const Piece *p = &in->delays->pieces[in->delays->used - 1];
    double s = (double)node / LAST;
    return node == LAST ? p->t1 : p->t0 + s * (p->t1 - p->t0);
}

void rb_delay_note(RbProgramInstance *in, int node) {
    RbDelays *d = in->delays;
    double *nodes = d->nodes + (d->used - 1) * width(d);
    for (int k = 0; k < d->count; k++)
        nodes[k * RB_DELAY_NODES + node] =
            rb_program_value(in, in->program->dae->delays.data[k].var);
    d->noting = node < LAST;
}

// --- looking back --------------------------------------------------------------------------------

// Derivative of the polynomial at its last node, per unit of u = 0 ... LAST (barycentric formula).
static double end_slope(const double *y) {
    double slope = 0, weight = 1; // (-1)^j (LAST over j), from the last node on
    for (int j = 1; j <= LAST; j++) {
        weight *= -(double)(LAST - j + 1) / j;
        slope += weight / j * (y[LAST - j] - y[LAST]);
    }
    return slope;
}

// The polynomial through the nodes, which are s = 0 ... 1 at even distances (Lagrange). Beyond its
// end, where a step is longer than the delay, it goes straight on.
static double interpolate(const double *y, double s) {
    if (s > 1) return y[LAST] + end_slope(y) * LAST * (s - 1);
    double u = LAST * s, value = y[0];
    for (int i = 1; i <= LAST; i++) {
        double weight = 1;
        for (int j = 0; j <= LAST; j++) {
            if (j != i) weight *= (u - j) / (i - j);
        }
        value += weight * (y[i] - y[0]); // exact for what does not change
    }
    return value;
}

static double slack_at(double time) {
    return 1e-12 * fmax(1, fabs(time));
}

// The last piece that begins at or before `then`. With a fixed delay a jump arrives at an event
// that was asked for; until that happens the piece before it goes on.
static int find_piece(const RbDelays *d, double then, double delay, bool fixed) {
    int low = d->oldest, high = d->used; // the piece is in [low, high)
    double slack = fixed ? slack_at(then) : 0;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (d->pieces[middle].t0 <= then + slack)
            low = middle;
        else
            high = middle;
    }
    const Piece *p = &d->pieces[low];
    bool arrived = p->t0 + delay <= d->passed + slack_at(d->passed);
    if (fixed && low > d->oldest && p->after_event != 0 && !arrived && then <= p->t0 + slack) low--;
    return low;
}

static double fail(RbProgramInstance *in, const RbDelay *spec, double delay) {
    in->frame.failed = 1;
    in->failure = delay < 0 ? "the time of delay() is negative"
                            : "the time of delay() is larger than its third argument says";
    in->failure_at = spec->at;
    return NAN;
}

// --- transport ------------------------------------------------------------------------------------

// What was in the pipe at the start.
static double profile(RbProgramInstance *in, const RbDelay *spec, double y) {
    double p0 = 0, v0 = 0;
    for (int i = 0; i < spec->point_count; i++) {
        double p = rb_interpret_number(in, spec->points[i]), v = rb_interpret_number(in, spec->values[i]);
        if (i > 0 && y <= p) return p > p0 ? v0 + (v - v0) * (y - p0) / (p - p0) : v;
        p0 = p;
        v0 = v;
    }
    return v0;
}

// Where between s0 and s1 is x = wanted? It is on different sides there.
static double crossing(const double *x, double s0, double s1, double wanted) {
    double y0 = interpolate(x, s0) - wanted;
    for (int i = 0; i < 60 && s1 > s0; i++) {
        double s = 0.5 * (s0 + s1), y = interpolate(x, s) - wanted;
        if ((y < 0) == (y0 < 0)) s0 = s;
        else s1 = s;
    }
    return s1;
}

// Where a piece ends, or the present is (0 ... 1).
static double last_part(const Piece *p, double now) {
    return p->t1 > p->t0 ? (fmin(p->end, now) - p->t0) / (p->t1 - p->t0) : 1;
}

// The medium that is at an end now was at y = end - x_now + x before: go back until it was outside of the pipe, on the left
// (y < 0) or on the right (y > 1). It has the value that was put in there then. x_now and the x of the past differ by the error
// of the solver; what comes out now has not been outside in the meantime.
static double transported(RbProgramInstance *in, const RbDelay *spec, double x_now) {
    const RbDelays *d = in->delays;
    double now = in->frame.t, slack = 1e-9; // of the pipe
    double left = spec->side == 0 ? -slack : 0, right = spec->side == 1 ? 1 + slack : 1;
    int i = d->used - 1 - d->noting;
    while (i > d->oldest && d->pieces[i].t0 > now) i--;
    double last = d->first[spec->x];
    if (i >= d->oldest)
        last = interpolate(d->nodes + i * width(d) + spec->x * RB_DELAY_NODES, last_part(&d->pieces[i], now));
    double offset = spec->side - (spec->side == 1 ? fmax(x_now, last) : fmin(x_now, last));
    for (; i >= d->oldest; i--) {
        const double *nodes = d->nodes + i * width(d), *x = nodes + spec->x * RB_DELAY_NODES;
        double s1 = last_part(&d->pieces[i], now), y1 = interpolate(x, s1) + offset;
        if (y1 < left || y1 > right) // it came in after this step, for which there is no more than its end
            return interpolate(nodes + spec->in[y1 > right] * RB_DELAY_NODES, s1);
        for (int j = LAST; j >= 0; j--) {
            double s0 = (double)j / LAST, y0 = x[j] + offset;
            if (s0 >= s1) continue;
            if (y0 < left || y0 > right) {
                int from = y0 > right;
                double s = crossing(x, s0, s1, (from == 1 ? right : left) - offset);
                return interpolate(nodes + spec->in[from] * RB_DELAY_NODES, s);
            }
            s1 = s0;
        }
    }
    double y = d->first[spec->x] + offset;
    if (y < left || y > right) return d->first[spec->in[y > right]];
    return profile(in, spec, fmin(1, fmax(0, y)));
}

// The time that the medium needs for a part of the pipe, at the speed of the last step; a part of the run, which is all that is
// known at its start.
static double transit(const RbDelays *d, const RbDelay *spec, double run) {
    enum { PARTS = 8, RUN_PARTS = 1000 };
    if (d->used == d->oldest) return run / RUN_PARTS;
    const Piece *p = &d->pieces[d->used - 1];
    const double *x = d->nodes + (d->used - 1) * width(d) + spec->x * RB_DELAY_NODES;
    return fmin(run / RUN_PARTS, (p->t1 - p->t0) / (PARTS * fabs(x[LAST] - x[0])));
}

double rb_delay_value(RbCodeFrame *f, int k, double delay) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    const RbDelays *d = in->delays;
    const RbDelay *spec = &in->program->dae->delays.data[k];
    if (spec->kind == RB_DELAY_TRANSPORT) return transported(in, spec, delay);
    if (delay >= 0 && d->used == d->oldest) return d->first[k]; // there is no past yet
    if (!(delay >= 0) || delay > d->longest * (1 + 1e-12)) return fail(in, spec, delay);
    double then = f->t - delay;
    bool arrived = spec->fixed && d->start + delay <= d->passed + slack_at(d->passed);
    bool before = arrived ? then < d->start - slack_at(d->start) : then <= d->start;
    if (before) return d->first[k];
    then = fmax(then, d->start);
    int at = find_piece(d, then, delay, spec->fixed);
    const Piece *p = &d->pieces[at];
    double s = p->t1 > p->t0 ? (then - p->t0) / (p->t1 - p->t0) : 0;
    return interpolate(d->nodes + at * width(d) + k * RB_DELAY_NODES, s);
}

// --- events --------------------------------------------------------------------------------------

// The value that was remembered last.
static double last_value(const RbDelays *d, int k) {
    if (d->used == d->oldest) return d->first[k];
    const Piece *p = &d->pieces[d->used - 1];
    const double *y = d->nodes + (d->used - 1) * width(d) + k * RB_DELAY_NODES;
    return interpolate(y, p->t1 > p->t0 ? (p->end - p->t0) / (p->t1 - p->t0) : 1);
}

static void add_jump(RbDelays *d, double time) {
    int kept = 0;
    for (int i = 0; i < d->jump_count; i++) {
        if (d->jumps[i] + d->longest > time && d->jumps[i] < time) d->jumps[kept++] = d->jumps[i];
    }
    if (kept == d->jump_capacity) {
        double *more = rb_new_array(d->arena, double, 2 * kept + 16);
        if (kept > 0) memcpy(more, d->jumps, (size_t)kept * sizeof *more);
        d->jumps = more;
        d->jump_capacity = 2 * kept + 16;
    }
    d->jumps[kept] = time;
    d->jump_count = kept + 1;
}

static bool differs(double a, double b) {
    return fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b));
}

bool rb_delay_restart(RbProgramInstance *in) {
    RbDelays *d = in->delays;
    bool changed = false, slopes = false;
    for (int k = 0; k < d->count; k++) {
        const RbDelay *spec = &in->program->dae->delays.data[k];
        double now = rb_program_value(in, spec->var);
        bool differ = differs(now, d->first[k]);
        slopes |= spec->is_slope && differ;
        if (spec->is_slope) continue;
        changed |= differ;
        d->first[k] = now;
    }
    d->jump_count = 0;
    if (slopes) add_jump(d, in->frame.t); // what has not moved before begins to
    return changed;
}

void rb_delay_settle(RbProgramInstance *in) {
    RbDelays *d = in->delays;
    for (int k = 0; k < d->count; k++) {
        double before = last_value(d, k),
               now = rb_program_value(in, in->program->dae->delays.data[k].var);
        if (in->program->dae->delays.data[k].kind != RB_DELAY_TIME || !differs(now, before)) continue;
        add_jump(d, in->frame.t);
        return;
    }
}

double rb_delay_next_event(RbProgramInstance *in) {
    const RbDelays *d = in->delays;
    double next = INFINITY;
    for (int k = 0; k < d->count && d->jump_count > 0; k++) {
        const RbDelay *spec = &in->program->dae->delays.data[k];
        if (!spec->fixed) continue;
        double delay = rb_interpret_number(in, spec->time);
        for (int i = d->jump_count - 1; i >= 0; i--) {
            double t = d->jumps[i] + delay;
            if (t <= in->frame.t + slack_at(in->frame.t)) break;
            next = fmin(next, t);
        }
    }
    return next;
}

double rb_delay_shortest(RbProgramInstance *in, double run) {
    double shortest = INFINITY;
    for (int k = 0; k < in->delays->count; k++) {
        const RbDelay *spec = &in->program->dae->delays.data[k];
        bool pipe = spec->kind == RB_DELAY_TRANSPORT;
        double delay = pipe ? transit(in->delays, spec, run) : rb_interpret_number(in, spec->time);
        if (delay > 0) shortest = fmin(shortest, delay);
    }
    return shortest;
}

void rb_delay_arrive(RbProgramInstance *in) {
    in->delays->passed = in->frame.t;
}

// --- checkpoints ---------------------------------------------------------------------------------

void rb_delay_save(const RbProgramInstance *in, RbPacker *packer) {
    const RbDelays *d = in->delays;
    int live = d->used - d->oldest;
    rb_pack_doubles(packer, d->first, d->count);
    rb_pack_doubles(packer, (double[]){d->start, d->longest, d->passed}, 3);
    rb_pack_u64(packer, (uint64_t)(d->event_number == in->event_number));
    rb_pack_u64(packer, (uint64_t)live);
    for (int i = d->oldest; i < d->used; i++) {
        const Piece *p = &d->pieces[i];
        rb_pack_doubles(packer, (double[]){p->t0, p->t1, p->end, p->after_event}, 4);
        rb_pack_doubles(packer, d->nodes + i * width(d), width(d));
    }
    rb_pack_u64(packer, (uint64_t)d->jump_count);
    rb_pack_doubles(packer, d->jumps, d->jump_count);
}

bool rb_delay_restore(RbProgramInstance *in, RbUnpacker *unpacker) {
    RbDelays *d = in->delays;
    double times[3], piece[4];
    rb_unpack_doubles(unpacker, d->first, d->count);
    rb_unpack_doubles(unpacker, times, 3);
    d->start = times[0];
    d->longest = times[1];
    d->passed = times[2];
    d->event_number = rb_unpack_u64(unpacker) ? in->event_number : in->event_number - 1;
    uint64_t live = rb_unpack_u64(unpacker);
    d->oldest = d->used = 0;
    for (uint64_t i = 0; i < live && unpacker->ok; i++) {
        make_room(d);
        rb_unpack_doubles(unpacker, piece, 4);
        rb_unpack_doubles(unpacker, d->nodes + d->used * width(d), width(d));
        d->pieces[d->used++] = (Piece){piece[0], piece[1], piece[2], piece[3]};
    }
    uint64_t jumps = rb_unpack_u64(unpacker);
    d->jump_count = 0;
    for (uint64_t i = 0; i < jumps && unpacker->ok; i++) add_jump(d, rb_unpack_double(unpacker));
    return unpacker->ok;
}
