// SPDX-License-Identifier: MIT
#include "collide/patch_round.h"

#include <math.h>

#include "collide/gauss_points.h"
#include "collide/line_sums.h"
#include "collide/near_round.h"
#include "collide/patch_apex.h"
#include "collide/patch_flat.h"
#include "collide/patch_rim.h"
#include "collide/patch_smooth.h"
#include "collide/round_sums.h"
#include "collide/wet_line.h"
#include "geom/support.h"

enum {
    SLICES = 16,
    FEW = 8,
    NODES = 6,
    CUTS_MAX = 3,
    LOOKS = 16,
    SCAN = 12,
    GRADES = 6,
    RIM = 24,
    ZONES_MAX = 6,
    HALVINGS = 10,
    MISSED_MAX = 3
};

// As rb_sine_16, with eight points.
static const double few_at[FEW / 2] = {0.28416792390192874, 0.73488993875543229,
                                       0.94942538429881884, 0.99805521385050677};
static const double few_weight[FEW / 2] = {0.54621610490420702, 0.33418939614548887,
                                           0.10968247133521515, 0.0099120276150865723};
// The highest two Legendre polynomials that these points tell apart, times (2 n + 1), there: the even and the odd one.
static const double slice_even[SLICES / 2] = {
    -1.151137129574394, 3.3497011801708494, -5.2441444609316745, 6.653951629170523,
    -7.42756331857268,  7.442770776772158,  -6.583897293014567,  4.618767641061604};
static const double slice_odd[SLICES / 2] = {
    -6.266709064878819, 6.152635696228133, -5.922247058611003, 5.5702078688328225,
    -5.085809737567714, 4.44728541652495,  -3.605287069730712, 2.414610357525977};
static const double few_even[FEW / 2] = {-1.4745058019164599, 3.9310921308473272,
                                         -5.028372896256043, 4.146897678436289};
static const double few_odd[FEW / 2] = {-4.3283245289353145, 4.02780471131573, -3.398643575999952,
                                        2.3252821933552505};
static const double FINE =
    1e-6; // of the way across lines: a kink that far beside its place does no harm
static const double pi = 3.14159265358979324;

// ---- lines

static double most_of(const RbDepthField *f, const RbSheet *sheet, double tau) {
    RbLine l = rb_sheet_line(sheet, tau);
    if (f->planar) { // the overlap is linear
        Vec3 m;
        return fmax(rb_depth_at(f, v3_axpy(l.o, l.s0, l.t), &m),
                    rb_depth_at(f, v3_axpy(l.o, l.s1, l.t), &m));
    }
    RbWet wet;
    rb_wet_part(f, &l, true, &wet);
    return wet.most;
}

// The same, and how that rises from line to line: as the place where it is largest does, since it is largest there.
static double most_and_rate(const RbDepthField *f, const RbSheet *sheet, double tau, double *rate) {
    RbLine l = rb_sheet_line(sheet, tau);
    RbWet wet;
    rb_wet_part(f, &l, true, &wet);
    Vec3 way = sheet->e1;
    if (sheet->kind == RB_SHEET_SIDE) {
        Vec3 round = v3_axpy(v3_scale(-sin(tau), sheet->e1), cos(tau), sheet->e2);
        way = v3_scale(l.j0 + l.j1 * wet.most_at, round);
    }
    *rate = -v3_dot(wet.most_m, way);
    return wet.most;
}

// As end_of, for fields of which rates are known: Newton's tangents, which stop short of the border on its outer side as long as the overlap is concave.
static double near_end_of(const RbDepthField *f, const RbSheet *sheet, double start, double most,
                          double out, double most_out) {
    double in = start, way = fabs(out - start), rate;
    double tau = in + sqrt(most / (most - most_out)) * (out - in);
    for (int i = 0; i < 60; i++) {
        double here = most_and_rate(f, sheet, tau, &rate);
        if (here > 0)
            in = tau;
        else
            out = tau;
        double next = tau - here / rate;
        bool inside = (next - in) * (out - next) > 0;
        if (inside && fabs(next - tau) < 1e-6 * fabs(tau - start)) return next;
        if (fabs(here) < 1e-10 * most || fabs(out - in) < 1e-8 * way) break;
        tau = inside && i < 30 ? next : 0.5 * (in + out);
    }
    return tau;
}

// Where along the sheet the overlap ends, between a line that has some and one that has none: false
// position, at first in the square of the way, as overlap falls over a round back, and halves.
static double end_of(const RbDepthField *f, const RbSheet *sheet, double start, double most,
                     double out, double most_out) {
    if (f->near && sheet->kind != RB_SHEET_END)
        return near_end_of(f, sheet, start, most, out, most_out);
    double in = start, most_in = most;
    for (int i = 0, side = 0; i < 50; i++) {
        double part = most_in / (most_in - most_out);
        if (i < 2) part = sqrt(part);
        if (i > 6 && i % 2) part = 0.5; // a knee
        double tau = in + fmin(0.999, fmax(0.001, part)) * (out - in),
               here = most_of(f, sheet, tau);
        if (here > 0) {
            in = tau, most_in = here;
            if (side > 0) most_out *= 0.5;
            side = 1;
        } else {
            out = tau, most_out = here;
            if (side < 0) most_in *= 0.5;
            side = -1;
        }
        if (fabs(here) < 1e-10 * most || fabs(out - in) < 1e-8 * fabs(out - start)) return tau;
    }
    return in;
}

// Rule by which lines of a panel are chosen, and what tells how well.
typedef struct Rule {
    int count;
    const double *at, *weight, *even, *odd;
} Rule;

static bool is_cone(const RbSheet *s) {
    return s->kind == RB_SHEET_SIDE && s->r0 != s->r1;
}

// Over a plane the integrand has no root to vanish at the border: it is analytic along the panel, which is narrow but for ends that lie flat. On cones that lie it
// varies so fast that eight lines may be too few.
static const Rule on_a_plane = {FEW, rb_gauss_8.at, rb_gauss_8.weight, few_even, few_odd};

static Rule rule_of(const RbDepthField *f, const RbSheet *sheet, double width, bool narrow) {
    const double small = 0.2; // [rad]
    if (f->planar && !is_cone(sheet) && (sheet->kind == RB_SHEET_FLAT || width < small))
        return (Rule){.count = NODES, .at = rb_gauss_6.at, .weight = rb_gauss_6.weight};
    return narrow ? (Rule){FEW, few_at, few_weight, few_even, few_odd}
                  : (Rule){SLICES, rb_sine_16.at, rb_sine_16.weight, slice_even, slice_odd};
}

// How much of the integrand is in the highest polynomials, beside what is like the whole sheet: those beyond, which the rule takes for others, are about
// as large as that once more.
static double tail_of(const Rule *r, const double *parts, double sum, const double *whole,
                      double whole_sum) {
    double even = 0, odd = 0, like = sum / whole_sum;
    for (int k = 0; k < r->count; k++) {
        double part = parts[k] - like * whole[k];
        even += r->even[k / 2] * part;
        odd += (k % 2 ? r->odd[k / 2] : -r->odd[k / 2]) * part;
    }
    return fabs(even) + fabs(odd);
}

static int form_at(const RbDepthField *f, const RbSheet *sheet, double tau) {
    RbLine l = rb_sheet_line(sheet, tau);
    RbWet wet;
    rb_wet_part(f, &l, true, &wet);
    return wet.form;
}

// Between two lines, where others are bounded differently: the integrand has kinks there.
static int add_cuts(const RbDepthField *f, const RbSheet *sheet, double from, int form, double to,
                    int at_end, double fine, double *cuts, int count) {
    for (int i = 0; i < CUTS_MAX && form != at_end; i++) {
        double same = from, other = to;
        while (other - same > fine) {
            double mid = 0.5 * (same + other);
            if (form_at(f, sheet, mid) == form)
                same = mid;
            else
                other = mid;
        }
        cuts[count++] = from = other;
        form = form_at(f, sheet, from);
    }
    return count;
}

// Part of a sheet between two lines.
typedef struct Panel {
    double from, to;
    double fine; // so close to its ends lines may have another form
    bool narrow;
    int halvings, cuts;  // as often it may be divided
    double area, volume; // of what is summed up, beside which errors are small
} Panel;

// What the lines of a panel brought.
typedef struct Lines {
    Rule rule;
    double tau[SLICES], area[SLICES], volume[SLICES];
    double whole[SLICES], whole_sum; // like the sheet
    int form[SLICES];
    RbRoundSums all;
} Lines;

static void add_lines(const RbDepthField *f, const RbSheet *sheet, const Panel *p, Lines *out) {
    double mid = 0.5 * (p->from + p->to), half = 0.5 * (p->to - p->from);
    const Rule *rule = &out->rule;
    for (int k = 0; k < rule->count; k++) {
        double area = out->all.area, volume = out->all.volume;
        out->tau[k] = mid + (k % 2 ? half : -half) * rule->at[k / 2];
        RbLine l = rb_sheet_line(sheet, out->tau[k]);
        out->form[k] = rb_add_line(f, &l, half * rule->weight[k / 2], &out->all);
        out->area[k] = out->all.area - area, out->volume[k] = out->all.volume - volume;
        out->whole[k] = rule->weight[k / 2] * l.j0 * (l.s1 - l.s0);
        out->whole_sum += out->whole[k];
    }
}

// Where its lines have different forms, which looks from afar have missed.
static int missed_cuts(const RbDepthField *f, const RbSheet *sheet, const Panel *p, const Lines *l,
                       double *cuts) {
    int count = 0, last = -1, n = l->rule.count;
    for (int i = 0; i < n; i++) {
        int k = i < n / 2 ? n - 2 - 2 * i : 2 * i - n + 1; // in their order
        bool inner = l->tau[k] - p->from > p->fine && p->to - l->tau[k] > p->fine;
        if (!inner || l->form[k] == 0) continue;
        if (last >= 0 && l->form[k] != l->form[last])
            count = add_cuts(f, sheet, l->tau[last], form_at(f, sheet, l->tau[last]), l->tau[k],
                             form_at(f, sheet, l->tau[k]), p->fine, cuts, count);
        last = k;
    }
    return count;
}

// How much of the integrand its lines do not resolve.
static double roughness(Panel *p, const Lines *l) {
    p->area = fmax(p->area, l->all.area), p->volume = fmax(p->volume, l->all.volume);
    if (!l->rule.even || !(p->volume > 0)) return 0;
    return fmax(tail_of(&l->rule, l->area, l->all.area, l->whole, l->whole_sum) / p->area,
                tail_of(&l->rule, l->volume, l->all.volume, l->whole, l->whole_sum) / p->volume);
}

// A cone over a plane, by eight lines. False: they do not resolve it.
static bool add_cone_panel(const RbDepthField *f, const RbSheet *sheet, Panel p, Lines *l,
                           RbRoundSums *sums) {
    const double enough = 1e-5; // what is not resolved is about the square of the highest that is
    l->rule = on_a_plane;
    add_lines(f, sheet, &p, l);
    if (!(roughness(&p, l) < enough)) return false;
    rb_add_sums(sums, &l->all, 1);
    return true;
}

static void add_panel(const RbDepthField *f, const RbSheet *sheet, Panel p, RbRoundSums *sums) {
    const double fine = 3e-3;
    double cuts[SLICES * CUTS_MAX], mid = 0.5 * (p.from + p.to);
    const Lines none = {.all = {.origin = sums->origin, .u = sums->u, .v = sums->v}};
    Lines l = none;
    if (f->planar && is_cone(sheet) && add_cone_panel(f, sheet, p, &l, sums)) return;
    l = none, l.rule = rule_of(f, sheet, p.to - p.from, p.narrow);
    add_lines(f, sheet, &p, &l);
    int count = !f->planar && p.cuts > 0 ? missed_cuts(f, sheet, &p, &l, cuts) : 0;
    for (int i = 0; i <= count && count > 0; i++) {
        Panel part = p;
        part.from = i > 0 ? cuts[i - 1] : p.from, part.to = i < count ? cuts[i] : p.to;
        part.cuts--;
        add_panel(f, sheet, part, sums);
    }
    if (count > 0) return;
    // Where lines are nearly parallel to the other body how much of them overlaps varies fast. A panel that sixteen lines do not resolve is divided; one
    // that they hardly do counts both ways, so that nothing jumps.
    double part = p.halvings > 0 ? fmax(0, fmin(1, roughness(&p, &l) / fine - 1)) : 0;
    rb_add_sums(sums, &l.all, 1 - part);
    if (!(part > 0)) return;
    RbRoundSums halves = {.origin = sums->origin, .u = sums->u, .v = sums->v};
    for (int i = 0; i < 2; i++) {
        Panel h = p;
        h.from = i ? mid : p.from, h.to = i ? p.to : mid, h.halvings--;
        add_panel(f, sheet, h, &halves);
    }
    rb_add_sums(sums, &halves, part);
}

// What is looked at along a sheet: the most overlap of each line, or that of one of its ends.
typedef enum Look { LOOK_LINE, LOOK_NEAR_END, LOOK_FAR_END } Look;

static double look_at(const RbDepthField *f, const RbSheet *sheet, double tau, Look look) {
    if (look == LOOK_LINE) return most_of(f, sheet, tau);
    RbLine l = rb_sheet_line(sheet, tau);
    Vec3 m;
    return rb_depth_at(f, v3_axpy(l.o, look == LOOK_FAR_END ? l.s1 : l.s0, l.t), &m);
}

// Between two lines, the one with the most overlap, or one that has some: the golden section.
static double deepest_line(const RbDepthField *f, const RbSheet *sheet, double a, double b,
                           Look look, double *most) {
    const double part = 0.6180339887498949;
    double c = b - part * (b - a), d = a + part * (b - a);
    double at_c = look_at(f, sheet, c, look), at_d = look_at(f, sheet, d, look);
    for (int i = 0; i < 20 && !(fmax(at_c, at_d) > 0); i++) {
        if (at_c > at_d) {
            b = d, d = c, at_d = at_c;
            c = b - part * (b - a), at_c = look_at(f, sheet, c, look);
        } else {
            a = c, c = d, at_c = at_d;
            d = a + part * (b - a), at_d = look_at(f, sheet, d, look);
        }
    }
    *most = fmax(at_c, at_d);
    return at_c > at_d ? c : d;
}

// A line with overlap: where the closest point is, at an end of the sheet (the base of a cone that lies,
// whose closest point is the apex), and any where a side stands upright on an edge of another body, perhaps none of
// those that are looked at.
static double first_line(const RbDepthField *f, const RbSheet *sheet, double *most) {
    const double tries[] = {sheet->guess, sheet->high, sheet->low};
    double best = sheet->guess, step = (sheet->high - sheet->low) / SCAN;
    for (int i = 0; i < 3; i++) {
        *most = most_of(f, sheet, tries[i]);
        if (*most > 0) return tries[i];
    }
    if (f->planar) return best;
    *most = most_of(f, sheet, best);
    for (int i = 0; i < SCAN && !(*most > 0); i++) {
        double tau = sheet->low + step * (i + 0.5), here = most_of(f, sheet, tau);
        if (here > *most) best = tau, *most = here;
    }
    double reach = sheet->kind == RB_SHEET_FLAT ? step : step * fmax(sheet->r0, sheet->r1);
    if (*most > 0 || *most < -reach) return best; // a step of the scan cannot bring as much
    return deepest_line(f, sheet, fmax(sheet->low, best - step), fmin(sheet->high, best + step),
                        LOOK_LINE, most);
}

// Lines at which the form of the overlap is looked at, in their order; if they are graded, panels end
// there too.
typedef struct Stops {
    bool graded;
    int count;
    double at[LOOKS + 1];
} Stops;

static Stops even_stops(double from, double to) {
    const double near = 1e-4; // of the way: so close to an end lines are not looked at
    Stops s = {.count = LOOKS + 1};
    for (int i = 0; i <= LOOKS; i++) {
        double part = fmin(1 - near, fmax(near, (double)i / LOOKS));
        s.at[i] = from + part * (to - from);
    }
    return s;
}

// The lines of a pointed cone share its apex: once that overlaps all of them do, those that face the
// other body far more than the rest.
static bool shares_apex(const RbDepthField *f, const RbSheet *sheet) {
    if (sheet->kind != RB_SHEET_SIDE || sheet->r1 > 0) return false;
    Vec3 m;
    return rb_depth_at(f, v3_axpy(sheet->c, sheet->length, sheet->axis), &m) > 0;
}

// Four times as far from the line that faces the other body with each.
static Stops graded_stops(const RbSheet *sheet) {
    Stops s = {.graded = true, .count = 2 * GRADES + 1};
    double part = 1;
    for (int i = 0; i < GRADES; i++, part *= 0.25) {
        s.at[i] = part * sheet->low;
        s.at[2 * GRADES - i] = part * sheet->high;
    }
    return s;
}

// ---- zones of a sheet

// Lines that overlap, one beside the other. Ends and flat sides have one zone, as they are convex; a round
// side has more, where its end lies across a bar: one at each place where its rim crosses the bar.
typedef struct Zone {
    double line, most;              // one that overlaps, and how far
    double before, after;           // where to look for its borders
    double most_before, most_after; // there
    double from, to;                // its borders
} Zone;

// How deep the rim is at an angle, and how that rises with the angle.
typedef struct RimPlace {
    double tau, w, slope;
} RimPlace;

static RimPlace rim_at(const RbDepthField *f, const RbSheet *s, double tau, Look look) {
    RbLine l = rb_sheet_line(s, tau);
    double r = look == LOOK_FAR_END ? s->r1 : s->r0;
    Vec3 along = v3_axpy(v3_scale(-r * sin(tau), s->e1), r * cos(tau), s->e2), m;
    double w = rb_depth_at(f, v3_axpy(l.o, look == LOOK_FAR_END ? l.s1 : l.s0, l.t), &m);
    return (RimPlace){tau, w, -v3_dot(m, along)};
}

// Lines that overlap at the rim, one for each of its summits, in their order. Of summits, which may lie close together, the slopes on both sides tell, not
// the depths there.
static int rim_lines(const RbDepthField *f, const RbSheet *sheet, double guess, double *lines) {
    double step = (sheet->high - sheet->low) / RIM, reach = step * fmax(sheet->r0, sheet->r1);
    double near_end = look_at(f, sheet, guess, LOOK_NEAR_END),
           far_end = look_at(f, sheet, guess, LOOK_FAR_END);
    Look look = far_end > near_end ? LOOK_FAR_END : LOOK_NEAR_END; // the rim next to the other body
    int count = 0;
    RimPlace a = rim_at(f, sheet, sheet->low, look);
    if (a.w > 0 && a.slope <= 0) lines[count++] = a.tau;
    for (int i = 1; i <= RIM && count < ZONES_MAX - 1; i++) {
        RimPlace b = rim_at(f, sheet, sheet->low + i * step, look);
        double most = fmax(a.w, b.w), tau = a.w > b.w ? a.tau : b.tau;
        bool summit = a.slope > 0 && (b.slope <= 0 || i == RIM);
        if (summit && !(most > 0) && most > -reach) // a step of the rim cannot bring more
            tau = deepest_line(f, sheet, a.tau, b.tau, look, &most);
        if (summit && most > 0) lines[count++] = tau;
        a = b;
    }
    return count;
}

// The line with the least overlap between two, among those that are looked at.
static double driest(const RbDepthField *f, const RbSheet *sheet, double a, double b,
                     double *most) {
    double best = 0.5 * (a + b);
    *most = most_of(f, sheet, best);
    for (int i = 1; i<FEW && * most> 0; i++) {
        double tau = a + (b - a) * i / FEW, here = most_of(f, sheet, tau);
        if (here < *most) best = tau, *most = here;
    }
    return best;
}

static void find_borders(const RbDepthField *f, const RbSheet *sheet, Zone *z) {
    z->from = z->most_before > 0 ? z->before
                                 : end_of(f, sheet, z->line, z->most, z->before, z->most_before);
    z->to =
        z->most_after > 0 ? z->after : end_of(f, sheet, z->line, z->most, z->after, z->most_after);
}

// Where a face lies on an end the rim is as deep all over it and has no summits. But points of it that overlap are known then: lines through those that lie in
// no zone belong to another.
static int add_lost_zones(const RbDepthField *f, const RbSheet *sheet, const RbRimArcs *rim,
                          Zone *zones, int count) {
    for (int i = 0; i < rim->count && count < ZONES_MAX; i++) {
        const RbRimArc *arc = &rim->arc[i];
        Vec3 c = v3_sub(arc->c, sheet->c),
             out = v3_axpy(c, sheet->r0, rb_rim_arc_middle(arc->n, arc->from, arc->to));
        double tau = atan2(v3_dot(out, sheet->e2), v3_dot(out, sheet->e1));
        double close = FINE * (sheet->high - sheet->low);
        Zone z = {.line = tau, .before = sheet->low, .after = sheet->high};
        bool lost = tau >= sheet->low && tau <= sheet->high;
        for (int k = 0; k < count && lost; k++) {
            lost = tau < zones[k].from - close || tau > zones[k].to + close;
            if (zones[k].to < tau) z.before = fmax(z.before, zones[k].to);
            if (zones[k].from > tau) z.after = fmin(z.after, zones[k].from);
        }
        if (!lost) continue;
        z.most = most_of(f, sheet, tau);
        if (!(z.most > 0)) continue;
        z.most_before = most_of(f, sheet, z.before), z.most_after = most_of(f, sheet, z.after);
        find_borders(f, sheet, &z);
        zones[count++] = z;
    }
    return count;
}

static int find_zones(const RbDepthField *f, const RbSheet *sheet, const RbRimArcs *rim,
                      Zone *zones) {
    double most, guess = first_line(f, sheet, &most), lines[ZONES_MAX];
    int count = 0, zone_count = 0;
    if (sheet->kind == RB_SHEET_SIDE && !f->planar) count = rim_lines(f, sheet, guess, lines);
    if (most > 0) {
        int place = count++; // in their order
        for (; place > 0 && lines[place - 1] > guess; place--) lines[place] = lines[place - 1];
        lines[place] = guess;
    }
    double before = sheet->low, most_before = most_of(f, sheet, before);
    for (int i = 0; i < count; i++) {
        Zone z = {.line = lines[i], .before = before, .after = sheet->high};
        z.most_before = most_before;
        if (i < count - 1) {
            z.after = driest(f, sheet, lines[i], lines[i + 1], &z.most_after);
            if (z.most_after > 0) continue; // the next line is of the same zone
        } else {
            z.most_after = most_of(f, sheet, z.after);
        }
        z.most = most_of(f, sheet, z.line);
        if (z.most > 0) {
            find_borders(f, sheet, &z);
            zones[zone_count++] = z;
        }
        before = z.after, most_before = z.most_after;
    }
    return add_lost_zones(f, sheet, rim, zones, zone_count);
}

// In their order, between two others.
static int insert_cut(double tau, double from, double to, double *cuts, int count) {
    if (!(tau > from && tau < to)) return count;
    int place = count++;
    for (; place > 0 && cuts[place - 1] > tau; place--) cuts[place] = cuts[place - 1];
    cuts[place] = tau;
    return count;
}

// The depth of an end over a plane, a + b cos(tau) + c sin(tau).
typedef struct Wave {
    double a, b, c;
} Wave;

static Wave wave_of(const RbDepthField *f, const RbSheet *s, bool far) {
    bool side = s->kind == RB_SHEET_SIDE;
    double r = side && far ? s->r1 : s->r0, sign = side ? 1 : far ? 1 : -1;
    Vec3 m, middle = side ? v3_axpy(s->c, far ? s->length : 0, s->axis)
                          : v3_axpy(s->c, sign * s->straight, s->e1);
    return (Wave){rb_depth_at(f, middle, &m), -sign * r * v3_dot(f->n, s->e1),
                  -r * v3_dot(f->n, s->e2)};
}

// Over a plane lines change their form where one of their ends begins to overlap. Along a flat side its depth is linear.
static int plane_cuts(const RbDepthField *f, const RbSheet *sheet, double from, double to,
                      double *cuts, int count) {
    for (int i = 0; i < 2; i++) {
        Look end = i ? LOOK_FAR_END : LOOK_NEAR_END;
        if (sheet->kind == RB_SHEET_FLAT) {
            double w0 = look_at(f, sheet, 0, end),
                   slope = (look_at(f, sheet, sheet->high, end) - w0) / sheet->high;
            count = insert_cut(-w0 / slope, from, to, cuts, count);
            continue;
        }
        Wave w = wave_of(f, sheet, i > 0);
        double most = sqrt(w.b * w.b + w.c * w.c);
        if (!(fabs(w.a) < most)) continue;
        double mid = atan2(w.c, w.b), half = acos(-w.a / most);
        for (int k = -1; k <= 1; k += 2) {
            double tau = mid + k * half;
            count = insert_cut(tau > pi    ? tau - 2 * pi
                               : tau < -pi ? tau + 2 * pi
                                           : tau,
                               from, to, cuts, count);
        }
    }
    return count;
}

// Where lines change their form between these stops; between graded ones the stops too.
static int form_cuts(const RbDepthField *f, const RbSheet *sheet, const Stops *stops, double fine,
                     double *cuts) {
    int count = 0, form = form_at(f, sheet, stops->at[0]);
    for (int i = 1; i < stops->count; i++) {
        double last = stops->at[i - 1], stop = stops->at[i];
        int next = form_at(f, sheet, stop);
        double least = stops->graded ? FINE * (stop - last) : fine;
        count = add_cuts(f, sheet, last, form, stop, next, least, cuts, count);
        if (stops->graded && i < stops->count - 1) cuts[count++] = stop;
        form = next;
    }
    return count;
}

static void add_zone(const RbDepthField *f, const RbSheet *sheet, const Zone *z,
                     RbRoundSums *sums) {
    const double narrow = 0.1; // of the way: half as many lines will do
    double cuts[LOOKS * (CUTS_MAX + 1) + 1];
    double from = z->from, to = z->to;
    bool graded = !f->planar && shares_apex(f, sheet); // over a plane: patch_apex.c
    Stops stops = graded ? graded_stops(sheet) : even_stops(from, to);
    int count = 0;
    if (f->planar) {
        // An end that begins to overlap where its line does needs no panel of its own: both ends of a cylinder that lies do.
        double fine = FINE * (to - from);
        count = plane_cuts(f, sheet, from + fine, to - fine, cuts, count);
    } else {
        count = form_cuts(f, sheet, &stops, FINE * (to - from), cuts);
    }
    for (int i = 0; i <= count; i++) {
        Panel p = {.from = i > 0 ? cuts[i - 1] : from, .to = i < count ? cuts[i] : to};
        p.fine = FINE * (to - from);
        p.narrow = !graded && p.to - p.from < narrow * (to - from);
        p.halvings = HALVINGS, p.cuts = MISSED_MAX;
        p.area = sums->area, p.volume = sums->volume;
        add_panel(f, sheet, p, sums);
    }
}

// A plane over all of an end: moments of a disc or stadium in closed form. False: not all of it overlaps.
static bool add_whole_end(const RbDepthField *f, const RbSheet *s, RbRoundSums *sums) {
    if (!f->planar || s->kind != RB_SHEET_END) return false;
    Vec3 n = f->n, m;
    double R = s->r0, a = s->straight, w = rb_depth_at(f, s->c, &m);
    double g1 = -v3_dot(n, s->e1), g2 = -v3_dot(n, s->e2);
    if (!(w - a * fabs(g1) - R * sqrt(g1 * g1 + g2 * g2) > 0)) return false;
    double area = (pi * R + 4 * a) * R, disc = 0.25 * pi * R * R * R * R;
    double I1 = disc + a * R * (8.0 / 3 * R * R + a * (pi * R + 4.0 / 3 * a)),
           I2 = disc + 4.0 / 3 * a * R * R * R, V = area * w;
    Vec3 o = v3_sub(s->c, sums->origin);
    Vec3 first =
        v3_axpy(v3_scale(I1 * g1, s->e1), I2 * g2, s->e2); // of the overlap, about the middle
    double x = v3_dot(o, sums->u), y = v3_dot(o, sums->v);
    double x1 = v3_dot(s->e1, sums->u), x2 = v3_dot(s->e2, sums->u);
    double y1 = v3_dot(s->e1, sums->v), y2 = v3_dot(s->e2, sums->v);
    double dx = v3_dot(first, sums->u), dy = v3_dot(first, sums->v);
    sums->area += area, sums->volume += V, sums->square += V * w + I1 * g1 * g1 + I2 * g2 * g2;
    sums->x += x * V + dx, sums->y += y * V + dy;
    sums->xx += x * (x * V + 2 * dx) + w * (I1 * x1 * x1 + I2 * x2 * x2);
    sums->xy += x * y * V + x * dy + y * dx + w * (I1 * x1 * y1 + I2 * x2 * y2);
    sums->yy += y * (y * V + 2 * dy) + w * (I1 * y1 * y1 + I2 * y2 * y2);
    Wrench *v = &sums->volume_slope, *q = &sums->square_slope;
    v->f = v3_axpy(v->f, area, n), v->t = v3_axpy(v->t, area, v3_cross(o, n));
    q->f = v3_axpy(q->f, 2 * V, n);
    q->t = v3_axpy(q->t, 2, v3_cross(v3_axpy(first, V, o), n));
    return true;
}

// The side of a cylinder that stands on a plane, all around: the overlap is a + b cos(tau) + c sin(tau) at the rim, and what a line adds up to is of the
// fifth degree in that, for which even steps are exact. False: it does not stand.
static bool add_whole_side(const RbDepthField *f, const RbSheet *s, RbRoundSums *sums) {
    enum { AROUND = 8 };
    bool around = s->kind == RB_SHEET_SIDE && s->r0 == s->r1 && s->high - s->low > 6;
    if (!f->planar || !around) return false;
    Wave near = wave_of(f, s, false), far = wave_of(f, s, true);
    double tilt = sqrt(near.b * near.b + near.c * near.c);
    double low = fmin(near.a, far.a), high = fmax(near.a, far.a);
    if (!(high - tilt > 0 && low + tilt < 0)) return false;
    for (int i = 0; i < AROUND; i++) {
        RbLine l = rb_sheet_line(s, 2 * pi * i / AROUND);
        rb_add_line(f, &l, 2 * pi / AROUND, sums);
    }
    return true;
}

// rim: arcs of the ends' outlines that overlap, as far as they are known.
static void add_sheet(const RbDepthField *f, const RbSheet *sheet, const RbRimArcs *rim,
                      RbRoundSums *sums) {
    if (add_whole_end(f, sheet, sums) || add_whole_side(f, sheet, sums)) return;
    if (rb_patch_apex(f, sheet, sums) || rb_patch_rim(f, sheet, rim, sums)) return;
    Zone zones[ZONES_MAX];
    int count = find_zones(f, sheet, rim, zones);
    for (int i = 0; i < count; i++) add_zone(f, sheet, &zones[i], sums);
}

// A capsule is its axis: across it the overlap falls as y²/(2 R), which is integrated here.
static void add_axis(const RbDepthField *f, const RbLine *l, double R, RbRoundSums *sums) {
    RbWet wet;
    rb_wet_part(f, l, false, &wet);
    double width = sqrt(2 * R);
    for (int i = 0; i < wet.count; i++) {
        double mid = 0.5 * (wet.from[i] + wet.to[i]), half = 0.5 * (wet.to[i] - wet.from[i]);
        for (int k = 0; k < SLICES; k++) {
            double ds = half * rb_sine_16.weight[k / 2];
            Vec3 p = v3_axpy(l->o, mid + (k % 2 ? half : -half) * rb_sine_16.at[k / 2], l->t), m;
            double w = fmax(0, rb_depth_at(f, p, &m)), dA = 2 * width * sqrt(w) * ds;
            rb_add_point(
                sums, p, m,
                (RbShares){dA, 2.0 / 3 * dA * w, 8.0 / 15 * dA * w * w, dA, 4.0 / 3 * dA * w});
        }
    }
}

// ---- the patch

static bool is_round(const RbCore *c) {
    return c->kind == RB_CORE_SEGMENT || rb_has_sheets(c);
}

bool rb_has_round_patch(const RbCore *a, const RbCore *b) {
    bool smooth = a->kind == RB_CORE_POINT || a->kind == RB_CORE_ELLIPSOID ||
                  b->kind == RB_CORE_POINT || b->kind == RB_CORE_ELLIPSOID;
    return !smooth && (is_round(a) || is_round(b));
}

// Over the surface of which body: a capsule before the others, then the smaller one. Of two alike neither comes first: -1.
static int round_one(const RbCore *a, const RbCore *b) {
    if (is_round(a) != is_round(b)) return is_round(b);
    bool thin[2] = {a->kind == RB_CORE_SEGMENT, b->kind == RB_CORE_SEGMENT};
    if (thin[0] != thin[1]) return thin[1];
    return a->size == b->size ? -1 : b->size < a->size;
}

// Lines of a disc run across the way it leans to a plane, so that along each the overlap is constant;
// otherwise with the edges of a box, or across the line of centres. (The way it leans turns fast where it
// is nearly parallel, which must not change the lines.)
static Vec3 order_of(const RbDepthField *f, Pose X_FR, Vec3 towards) {
    if (f->planar) return towards;
    if (f->core->kind != RB_CORE_BOX) return X_FR.r;
    Vec3 z = v3_abs(m3_column(X_FR.R, 2));
    return v3_axis(z.x <= z.y && z.x <= z.z ? 0 : z.y <= z.z ? 1 : 2);
}

// By how much a round core narrows behind its end, over the way.
static double narrows(const RbCore *c, const RbSheet *end) {
    if (c->kind != RB_CORE_FRUSTUM || end->r0 < c->h.x) return 0;
    return 0.5 * (c->h.x - c->h.y) / c->h.z;
}

// [m] Its smallest extent.
static double thinnest(const RbCore *c) {
    return 2 * fmin(c->kind == RB_CORE_BEAM ? c->h.y : c->h.x, c->h.z);
}

// What may be closest of the other body, if the field does not know it and it is not overlapped itself.
static bool find_pieces(const RbDepthField *f, const RbCore *round, Pose X_FR, Vec3 towards,
                        RbNearHull *out) {
    if (f->near || f->deep) return false;
    if (f->planar) return rb_near_plane(f->n, f->offset, f->radius, out), true;
    if (f->core->kind == RB_CORE_BOX)
        return rb_near_hull(f->core, round, X_FR, v3_neg(towards), f->radius, out);
    return rb_near_round(f->core, f->radius, out);
}

// Does a face of a box lie on a flat sheet, or so nearly that the overlap falls more slowly over it than beside its edges? That is no small patch.
static bool lies_flat(const RbDepthField *f, const RbSheet *sheets, int count, Vec3 towards,
                      double depth) {
    const double level = 1 - 1e-9, lean2 = 0.01; // cosine; square of a slope, over depth/radius
    bool flat = false;
    if (f->core->kind != RB_CORE_BOX || f->planar) return false;
    for (int i = 0; i < count; i++) {
        const RbSheet *s = &sheets[i];
        if (s->kind == RB_SHEET_SIDE) continue;
        Vec3 n = v3_cross(s->e1, s->kind == RB_SHEET_END ? s->e2 : s->axis);
        flat |= fabs(v3_dot(n, towards)) > level;
    }
    return flat && 1 - v3_max_abs(towards) < 0.5 * lean2 * depth / f->radius;
}

static void integrate(const RbCore *round, Pose X_FR, const RbDepthField *f, Vec3 towards, Vec3 at,
                      double R, RbRoundSums *sums) {
    if (round->kind == RB_CORE_SEGMENT) {
        Vec3 z = m3_column(X_FR.R, 2);
        RbLine l = {.o = X_FR.r, .t = z, .s0 = -round->h.z, .s1 = round->h.z, .j0 = 1};
        add_axis(f, &l, R, sums);
        return;
    }
    RbSheet sheets[RB_SHEETS_MAX];
    int count = rb_sheets(round, X_FR, towards, at, order_of(f, X_FR, towards), sheets);
    RbNearHull near;
    RbDepthField by_pieces = *f;
    Vec3 m;
    bool lies = lies_flat(f, sheets, count, towards, rb_depth_at(f, at, &m));
    if (!lies && find_pieces(f, round, X_FR, towards, &near)) by_pieces.near = &near;
    if (!lies && rb_patch_smooth(&by_pieces, sheets, count, at, round->size, thinnest(round), sums))
        return;
    bool flat = rb_has_flat_patch(f), covered = false; // one hides what is behind it
    RbRimArcs rim;
    rim.count = 0, rim.complete = flat;
    for (int i = 0; i < count && flat; i++) {
        if (sheets[i].kind != RB_SHEET_END) continue;
        double narrow = narrows(round, &sheets[i]);
        covered |= rb_patch_flat(f, &sheets[i], X_FR.r, narrow, &rim, sums);
    }
    if (covered) return;
    for (int i = 0; i < count && flat; i++) {
        if (sheets[i].kind == RB_SHEET_FLAT)
            covered |= rb_patch_flat(f, &sheets[i], X_FR.r, 0, &rim, sums);
    }
    if (covered) return;
    RbDepthField by_lines = *f;
    bool box = f->core->kind == RB_CORE_BOX && !f->planar;
    if (box) by_lines.near = by_pieces.near;
    for (int i = 0; i < count; i++) {
        if (flat && sheets[i].kind != RB_SHEET_SIDE) continue;
        if (rb_patch_rim(f, &sheets[i], &rim, sums)) continue;
        if (box && lies && find_pieces(f, round, X_FR, towards, &near)) by_lines.near = &near;
        lies = false;
        add_sheet(&by_lines, &sheets[i], &rim, sums);
    }
}

static Wrench to_frame(Mat3 R, double sign, Wrench w) {
    return (Wrench){m3_mul_vec(R, v3_scale(sign, w.t)), m3_mul_vec(R, v3_scale(sign, w.f))};
}

// Radius of two parallel capsules as one on a plane.
static double joint_radius(const RbCore *round, const RbCore *other) {
    bool both = other->kind == RB_CORE_SEGMENT;
    return both ? round->radius * other->radius / (round->radius + other->radius) : round->radius;
}

// Over the surface of core r.
static void sum_over(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, int r,
                     RbPatch *out) {
    const RbCore *const core[2] = {a, b};
    const Pose X[2] = {a->frame, pose_mul(X_AB, b->frame)};
    int o = 1 - r;
    const RbCore *round = core[r], *other = core[o];
    Pose X_FR = pose_relative(X[o], X[r]);
    RbDepthField f = {.core = other, .radius = a->radius + b->radius};
    f.depth = -gap->distance, f.deep = f.depth > f.radius;
    Mat3 R = X[o].R;
    Vec3 towards = m3_tmul_vec(R, v3_scale(r ? -1 : 1, out->n));
    f.away = v3_neg(towards);
    rb_depth_find_plane(&f, round, X_FR, f.away);
    RbNearHull near;
    bool look = other->kind == RB_CORE_POLYTOPE && !f.planar && !f.deep;
    if (look && rb_near_hull(other, round, X_FR, v3_neg(towards), f.radius, &near)) f.near = &near;
    Vec3 at = pose_unpoint(X[o], r ? gap->point_b : gap->point_a);
    at = v3_axpy(at, -round->radius, towards);
    RbRoundSums s = {.origin = pose_unpoint(X[o], out->origin),
                     .u = m3_tmul_vec(R, out->u),
                     .v = m3_tmul_vec(R, out->v)};
    integrate(round, X_FR, &f, towards, at, joint_radius(round, other), &s);
    if (!(s.square > 0)) return;
    out->area = s.area, out->volume = s.volume, out->square = s.square;
    out->x = s.x / s.volume, out->y = s.y / s.volume;
    out->xx = s.xx / s.volume, out->xy = s.xy / s.volume, out->yy = s.yy / s.volume;
    // m leads from the field to the round body: if the field is B, a shift of B along m adds overlap
    double sign = r ? -1 : 1;
    out->volume_slope = to_frame(R, sign, s.volume_slope);
    out->square_slope = to_frame(R, sign, s.square_slope);
}

static double mean_by(double x, double by_x, double y, double by_y) {
    return by_x + by_y > 0 ? (x * by_x + y * by_y) / (by_x + by_y) : 0;
}

static Wrench mean_of_wrenches(Wrench a, Wrench b) {
    return (Wrench){v3_lerp(a.t, b.t, 0.5), v3_lerp(a.f, b.f, 0.5)};
}

// Of two alike it is the mean of the sums over both surfaces, which does not know which is first.
static void sum_up(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    int r = round_one(a, b);
    if (r >= 0) {
        sum_over(a, b, X_AB, gap, r, out);
        return;
    }
    RbPatch one = *out, two = *out;
    sum_over(a, b, X_AB, gap, 0, &one);
    sum_over(a, b, X_AB, gap, 1, &two);
    double V = one.volume, W = two.volume;
    out->x = mean_by(one.x, V, two.x, W), out->y = mean_by(one.y, V, two.y, W);
    out->xx = mean_by(one.xx, V, two.xx, W), out->yy = mean_by(one.yy, V, two.yy, W);
    out->xy = mean_by(one.xy, V, two.xy, W);
    out->area = 0.5 * (one.area + two.area), out->volume = 0.5 * (V + W);
    out->square = 0.5 * (one.square + two.square);
    out->volume_slope = mean_of_wrenches(one.volume_slope, two.volume_slope);
    out->square_slope = mean_of_wrenches(one.square_slope, two.square_slope);
}

void rb_patch_round(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    sum_up(a, b, X_AB, gap, out);
}
