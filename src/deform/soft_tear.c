// SPDX-License-Identifier: MIT
// Connections that are torn when their strain exceeds what their materials bear: an event, located in the step that led there. What was
// in them is lost; the body goes on without them.
#include <string.h>

#include "deform/soft_data.h"

static void cut(RbSoftSpring *spring) {
    spring->k = spring->c = 0;
}

// A new segment: springs that were torn before stay so; those that were glued since then are behind the others.
void rb_soft_keep_torn(Soft *soft) {
    RbNetwork *n = &soft->network;
    soft->can_tear = false;
    for (int i = 0; i < n->spring_count; i++)
        soft->can_tear = soft->can_tear || isfinite(n->springs[i].limit);
    if (soft->torn_count != n->spring_count) {
        unsigned char *torn = rb_new_array(soft->given->arena, unsigned char, n->spring_count);
        int kept = soft->torn_count < n->spring_count ? soft->torn_count : 0;
        for (int i = 0; i < kept; i++) torn[i] = soft->torn[i];
        soft->torn = torn;
        soft->torn_count = n->spring_count;
    }
    for (int i = 0; i < n->spring_count; i++)
        if (soft->torn[i]) cut(&n->springs[i]);
    rb_network_tear_cells(n, NULL);
}

static double tear_at(const Soft *soft, const RbStepView *step, double time, double *x,
                      SoftWork *w) {
    rb_step_states(step, time, x);
    rb_soft_gather(soft, x, w);
    return rb_network_tear(&soft->network, w->r);
}

// The first time in the step at which a spring is too long, by bisection; INFINITY: none is.
double rb_soft_find_tear(const Soft *soft, const RbStepView *step, SoftWork *w) {
    enum { BISECTIONS = 50 };
    double low = step->t0, high = step->t1;
    if (!(tear_at(soft, step, high, w->states, w) > 0)) return INFINITY;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        *(tear_at(soft, step, middle, w->states, w) > 0 ? &high : &low) = middle;
    }
    return high;
}

void rb_soft_tear_spring(Soft *soft, int spring, const Vec3 *r, SoftTorn *sum) {
    RbSoftSpring *s = &soft->network.springs[spring];
    double stretch = v3_distance(r[s->b], r[s->a]) - s->length;
    if (!(s->k > 0)) return;
    sum->energy += 0.5 * s->k * stretch * stretch;
    sum->count++;
    soft->torn[spring] = 1;
    cut(s);
}

// Cut what is too long now.
SoftTorn rb_soft_tear(Soft *soft, const Vec3 *r) {
    RbNetwork *n = &soft->network;
    SoftTorn sum = {0};
    for (int i = 0; i < n->spring_count; i++) {
        const RbSoftSpring *s = &n->springs[i];
        if (v3_distance(r[s->b], r[s->a]) > s->limit * (1 - 1e-12))
            rb_soft_tear_spring(soft, i, r, &sum);
    }
    if (sum.count > 0) sum.energy += rb_network_tear_cells(n, r);
    return sum;
}

// ---- checkpoints

void rb_soft_save(void *self, RbSaver *saver) {
    const Soft *soft = self;
    rb_save_int(saver, soft->touches);
    rb_save_int(saver, soft->torn_count);
    for (int i = 0; i < soft->torn_count; i++) rb_save_int(saver, soft->torn[i]);
    rb_soft_save_pattern(soft, saver);
    rb_save_int(saver, soft->glued_count);
    for (int i = 0; i < soft->glued_count; i++) {
        rb_save_int(saver, soft->glued[i].a);
        rb_save_int(saver, soft->glued[i].b);
        rb_save_doubles(saver, &soft->glued[i].length, 1);
    }
}

static bool restore_glued(Soft *soft, RbLoader *loader) {
    const int64_t most = 10000000;
    int64_t count, a, b;
    if (!rb_load_int(loader, &count) || count < 0 || count > most) return false;
    soft->glued = rb_new_array(soft->given->arena, SoftGlue, count);
    soft->glued_count = (int)count;
    for (int64_t i = 0; i < count; i++) {
        SoftGlue *g = &soft->glued[i];
        if (!rb_load_int(loader, &a) || !rb_load_int(loader, &b)) return false;
        if (a < 0 || b <= a || b >= soft->given->molecules.count) return false;
        g->a = (int)a, g->b = (int)b;
        if (!rb_load_doubles(loader, &g->length, 1) || !(g->length > 0)) return false;
    }
    return true;
}

bool rb_soft_restore(void *self, RbLoader *loader) {
    const int64_t most = 100000000; // springs
    Soft *soft = self;
    int64_t touches, count, torn;
    if (!rb_load_int(loader, &touches) || touches < -1 || touches > RB_SOFT_EDGES) return false;
    soft->touches = (int)touches;
    if (!rb_load_int(loader, &count) || count < 0 || count > most) return false;
    if (soft->torn_count != count) {
        soft->torn = rb_new_array(soft->given->arena, unsigned char, count);
        soft->torn_count = (int)count;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!rb_load_int(loader, &torn) || torn < 0 || torn > 1) return false;
        soft->torn[i] = (unsigned char)torn;
    }
    return rb_soft_restore_pattern(soft, loader) && restore_glued(soft, loader);
}
