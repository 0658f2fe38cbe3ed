// SPDX-License-Identifier: MIT
// Grains and bodies in turn. At an exchange the bodies are where the solver has them. The grains go first: they
// make the steps of the next interval, and take the bodies along, which move under the loads of the grains
// and under their other forces as these went on so far, linear in time. Then the solver makes the interval
// with the loads that were found: their mean and first moment, again linear in time. How far the two
// have a body apart in the end is an estimate of the error, and decides how long the next interval is.
#include <math.h>
#include <string.h>

#include "multibody/grains.h"
#include "multibody/restructure.h"

// --------------------------------------------------------------------------------------------------
// while the grains move

static void move_bodies(void *user, RbCloud *cloud) {
    struct Grains *g = user;
    RbCarried carried = rb_grains_carried(g);
    rb_carried_move(&carried, cloud);
    rb_grains_move_molecules(g);
}

static void load_bodies(void *user, RbCloud *cloud) {
    struct Grains *g = user;
    RbCarried carried = rb_grains_carried(g);
    rb_carried_load(&carried, cloud);
    rb_grains_load_molecules(g);
}

// ----------------------------------------------------------------------------------------------------
// where they meet

static double angle_of(Mat3 A, Mat3 B) {
    Mat3 D = m3_sub(A, B);
    double most = 0;
    for (int k = 0; k < 3; k++) most = fmax(most, v3_norm(m3_column(D, k)));
    return most;
}

// How far the grains and the solver have a body apart, and its surface at most.
static double gap_of(const Mechanism *m, const RbCarriedBody *b, const RbMoving *at) {
    double reach =
        m->contact.reach && isfinite(m->contact.reach[b->body]) ? m->contact.reach[b->body] : 0;
    return v3_distance(b->X.r, at->X.r) + reach * angle_of(b->X.R, at->X.R);
}

static bool is_ours(const Mechanism *m, int body) {
    RbSpan span = rb_mechanism_span(m, m->groups.of[body]);
    for (int i = span.first; i < span.end; i++) {
        if (rb_tree_joint(&m->structure.tree, i)->owner != RB_OWNED_BY_COMPONENT) return false;
    }
    return !rb_mechanism_has_loop(m, m->groups.of[body]);
}

static void find_mobility(const Mechanism *m, MechanismWork *w, RbCarriedBody *b) {
    const RbTree *tree = &m->structure.tree;
    for (int k = 0; k < 6; k++) b->mobility[k] = MOTION_ZERO;
    const Ball *ball = &m->groups.balls[m->groups.of[b->body]];
    for (int k = 0; ball->is && k < 3; k++) {
        b->mobility[k].w = v3_scale(1 / ball->inertia, v3_axis(k));
        b->mobility[k + 3].v = v3_scale(1 / ball->mass, v3_axis(k));
    }
    if (ball->is || !is_ours(m, b->body)) return;
    RbSpan span = rb_mechanism_span(m, m->groups.of[b->body]);
    rb_kin_inertias_in(tree, span, &w->kin);
    rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
    for (int k = 0; k < 6; k++) {
        Wrench f = k < 3 ? (Wrench){.t = v3_axis(k)} : (Wrench){.f = v3_axis(k - 3)};
        rb_dyn_response_in(tree, span, &w->kin, NULL, b->body, f, &w->dyn, w->slopes.response);
        b->mobility[k] = w->dyn.bodies[b->body].A;
    }
}

// What the solver made of the last interval beyond the loads of the grains: the other forces, in the mean.
// Two means give a line.
static void find_smooth(const struct Grains *g, RbCarriedBody *b, Motion V) {
    double time = g->until - g->from;
    if (!(time > 0)) return;
    Motion mean = motion_axpy(V, -1, b->started);
    mean = (Motion){v3_scale(1 / time, mean.w), v3_scale(1 / time, mean.v)};
    Wrench load = {v3_scale(1 / time, b->sum.t), v3_scale(1 / time, b->sum.f)};
    mean = motion_axpy(mean, -1, rb_carried_yield(b, load));
    double middle = 0.5 * (g->from + g->until);
    b->rise = MOTION_ZERO;
    if (b->known > 0 && middle > b->middle) {
        Motion change = motion_axpy(mean, -1, b->mean_before);
        b->rise = motion_axpy(MOTION_ZERO, 1 / (middle - b->middle), change);
    }
    b->smooth = motion_axpy(mean, g->until - middle, b->rise);
    b->mean_before = mean;
    b->middle = middle;
    b->known = b->known < 2 ? b->known + 1 : 2;
}

void rb_grains_place(struct Grains *g, const RbMoving *moving) {
    for (int k = 0; k < g->body_count; k++) {
        const RbMoving *at = &moving[g->bodies[k].body];
        g->bodies[k].X = at->X;
        g->bodies[k].V = at->V;
    }
    for (int k = 0; k < g->cloud->walls.count; k++) {
        RbGrainWall *wall = &g->cloud->walls.data[k];
        if (g->carried[k] >= 0) continue;
        wall->X = g->frames[k].X_BF;
        wall->V = MOTION_ZERO;
    }
    RbCarried carried = rb_grains_carried(g);
    rb_carried_place_walls(&carried, g->cloud);
}

// While nothing moves, or all goes on as it did, no gap tells how soon a body may start: in this time one that does at 300 m/s2
// gets a tenth of a radius ahead of where the grains see it.
static long quiet_substeps(const struct Grains *g) {
    const double acceleration = 300, share = 0.1;
    double time = sqrt(2 * share * g->lightest_radius / acceleration);
    return time > g->cloud->step ? (long)(time / g->cloud->step) : 1;
}

// Does a wall of the body come or go just now? Then it has been nowhere.
static bool changes(const struct Grains *g, int body) {
    for (int k = 0; k < g->cloud->walls.count; k++)
        if (g->carried[k] == body && (g->absent[k] || g->cloud->walls.data[k].absent)) return true;
    return false;
}

// A body that is somewhere else than the grains saw it has gone through them, or pushes them out.
static void warn_surprise(struct Grains *g, int body, double gap) {
    if (g->surprised || !(gap > 0.25 * g->lightest_radius) || changes(g, body)) return;
    if (rb_cloud_particles(g->cloud) == 0) return; // none have come yet
    g->surprised = true;
    rb_warn(g->diag, RB_NOWHERE,
            "t = %.6g s: a part has moved by %.2g m more than the grains beside it could foresee "
            "since %.6g s, which is much of a grain: its blow or jump acts on them with an energy "
            "that nobody has paid; let it start more gently",
            g->until, gap, g->from);
}

// The next number of steps: the gap is of third order in it. Without bodies that move nothing is exchanged.
static long next_substeps(const struct Grains *g) {
    const long alone = 50;
    long most = g->regions > 0 ? 100 : 2000; // sensors want to see something
    if (g->body_count + g->molecule_count == 0) return alone;
    double factor = g->gap > 0 ? 0.8 * cbrt(g->coupling / g->gap) : 2;
    long next = (long)((double)g->substeps * fmin(2, fmax(0.2, factor)));
    if (g->molecule_count > 0) most = rb_grains_soft_most(g);
    long quiet = quiet_substeps(g);
    if (most > quiet) most = quiet;
    return next < 1 ? 1 : next > most ? most : next;
}

// F = mean + slope (t - middle) has the same integral and first moment.
bool rb_grains_write_load(double time, const Wrench *sum, const Wrench *moment, double *load) {
    Wrench mean = wrench_axpy(WRENCH_ZERO, 1 / time, *sum);
    Wrench about = wrench_axpy(*moment, -0.5 * time, *sum);
    Wrench slope = wrench_axpy(WRENCH_ZERO, 12 / (time * time * time), about);
    bool before = false, now = v3_norm2(mean.f) > 0 || v3_norm2(mean.t) > 0;
    for (int i = 0; i < GRAINS_LOAD_SIZE; i++) before |= load[i] != 0;
    v3_store(load, mean.t), v3_store(load + 3, mean.f);
    v3_store(load + 6, slope.t), v3_store(load + 9, slope.f);
    return before || now;
}

static bool write_loads(const Mechanism *m, const struct Grains *g, RbEvent *event) {
    double *d = event->discrete + g->discrete;
    double time = g->until - g->from;
    d[GRAINS_FROM] = g->from;
    d[GRAINS_UNTIL] = g->until;
    for (int k = 0; k < g->body_count; k++) {
        const RbCarriedBody *b = &g->bodies[k];
        if (rb_grains_write_load(time, &b->sum, &b->moment,
                                 d + GRAINS_LOADS + GRAINS_LOAD_SIZE * k))
            event->restart_groups[m->groups.of[b->body]] = true;
    }
    return rb_grains_write_molecule_loads(g, d);
}

// The first one that finds no room is told; how many there are is a result.
static void tell_refused(const struct Grains *g, const RbFill *f, const RbRain *rain) {
    rb_warn(g->diag, f->at,
            "'%s' finds no room for a grain at t = %.6g s: %d of %d have come, and those that find "
            "none are left out (grains.refused counts them); let its box be larger or higher, the "
            "rate lower, or a sink take what has come",
            f->name, g->until, rain->fallen - rain->refused, f->count);
}

static void let_it_rain(const Mechanism *m, struct Grains *g) {
    for (int k = 0; k < m->scene->grains.count; k++) {
        const RbFill *fill = &m->scene->grains.data[k].fill;
        if (fill->kind != RB_FILL_RAIN) continue;
        RbFill own = *fill;
        own.material = g->materials[k];
        own.density = g->densities[k];
        bool told = g->rains[k].refused > 0;
        rb_rain_fall(&own, &g->rains[k], g->cloud, g->until);
        if (!told && g->rains[k].refused > 0) tell_refused(g, fill, &g->rains[k]);
    }
}

// Parts that come now: grains must not be where they are. What is not deep is pushed out, with an energy that comes with it.
// What is deep is an error; then false.
static bool check_coming(const Mechanism *m, const struct Grains *g, RbEvent *event) {
    for (int k = 0; k < g->cloud->walls.count; k++) {
        if (!g->cloud->walls.data[k].absent || g->absent[k]) continue;
        RbWallOverlap in = rb_cloud_wall_overlap(g->cloud, k);
        if (in.count == 0) continue;
        const char *name = m->scene->objects.data[g->objects[k]].object.name;
        const char *const remedy =
            "let it come where there are none, or let a sink take them before";
        if (in.deep) {
            rb_event_fail(event,
                          "the part '%s' comes at t = %.6g s where %d grains are, grain %d by more "
                          "than half of its radius: %s",
                          name, g->cloud->time, in.count, in.grain + 1, remedy);
            return false;
        }
        rb_warn(g->diag, RB_NOWHERE,
                "the part '%s' comes at t = %.6g s where %d grains are, the first grain %d: it "
                "pushes them out with an energy that nobody has paid; %s",
                name, g->cloud->time, in.count, in.grain + 1, remedy);
    }
    return true;
}

// The steps of the interval. What is due at a known time finds the grains there, or by less than a step later.
static void make_steps(struct Grains *g, double due) {
    RbGrainCarrier carrier = {move_bodies, load_bodies, g};
    RbCloud *cloud = g->cloud;
    bool ahead = due > cloud->time;
    long made = 0;
    while (made < g->substeps && !rb_grains_stuck(cloud)) {
        if (made > 0 && ahead && cloud->time + cloud->step > due + 1e-6 * cloud->step) break;
        rb_cloud_step(cloud, &carrier);
        made++;
    }
    g->substeps = made > 0 ? made : 1;
}

// Parts that equations move are where these put them at first: grains must not be there. What is in them is an error; then false.
// If that is not where they were when the grains were poured, forces are found anew.
static bool settle(const Mechanism *m, const struct Grains *g, RbEvent *event) {
    bool moved = false;
    for (int k = 0; k < g->cloud->walls.count; k++) {
        RbGrainWall *wall = &g->cloud->walls.data[k];
        if (!wall->unsettled) continue;
        wall->unsettled = false;
        moved |= memcmp(&wall->X, &wall->listed, sizeof wall->X) != 0;
        RbWallOverlap in = wall->absent ? (RbWallOverlap){0} : rb_cloud_wall_overlap(g->cloud, k);
        if (in.count == 0) continue;
        const RbObject *o = &m->scene->objects.data[g->objects[k]].object;
        const char *text = rb_arena_printf(g->arena,
                                           "%d grains, the first grain %d, are in the part '%s', "
                                           "where what drives it has it at the "
                                           "start: place them apart",
                                           in.count, in.grain + 1, o->name);
        if (!in.deep) {
            rb_warn(g->diag, o->at, "%s; it pushes them out with an energy that nobody has paid",
                    text);
            continue;
        }
        rb_event_fail_at(event, o->at, "%s", text);
        return false;
    }
    if (moved && !g->has_engine) {
        rb_cloud_place(g->cloud);
        rb_cloud_start(g->cloud);
    }
    return true;
}

bool rb_grains_advance(const Mechanism *m, MechanismWork *w, RbEvent *event) {
    struct Grains *g = m->grains;
    RbCloud *cloud = g->cloud;
    g->gap = 0;
    for (int k = 0; k < g->body_count; k++) {
        RbCarriedBody *b = &g->bodies[k];
        const RbMoving *at = &w->moving[b->body];
        double gap = g->substeps > 0 ? gap_of(m, b, at) : 0;
        g->gap = fmax(g->gap, gap);
        warn_surprise(g, k, gap);
        find_smooth(g, b, at->V);
        find_mobility(m, w, b);
        b->started = at->V;
        b->sum = b->moment = WRENCH_ZERO;
    }
    if (g->molecule_count > 0) g->gap = fmax(g->gap, rb_grains_meet_molecules(m, w));
    rb_grains_place(g, w->moving);
    for (int k = 0; k < g->body_count; k++) {
        RbCarriedBody *b = &g->bodies[k];
        b->A = motion_axpy(b->smooth, 1, rb_carried_yield(b, b->load));
    }
    g->blocked = g->has_engine && !rb_grains_engine_meet(m, event);
    if (!g->blocked) g->blocked = !settle(m, g, event) || !check_coming(m, g, event);
    if (g->blocked) return false;
    rb_cloud_change_walls(cloud, g->absent);
    bool seen = rb_regions_look(m);
    let_it_rain(m, g);
    rb_regions_mark(m);
    if (g->frame < 0) rb_grains_write_frame(g, event);
    g->substeps = g->substeps > 0                         ? next_substeps(g)
                  : g->body_count + g->molecule_count > 0 ? 1
                                                          : 50;
    g->from = cloud->time;
    double due = rb_mechanism_action_time(m, event->discrete);
    if (g->has_engine)
        rb_grains_engine_steps(g, due, event);
    else
        make_steps(g, due);
    g->until = cloud->time;
    rb_grains_count(g, g->substeps);
    rb_grains_write_frame(g, event);
    for (int k = 0; k < FIGURES; k++) g->before[k] = g->after[k];
    rb_grains_note(g, g->after);
    return write_loads(m, g, event) || seen;
}
