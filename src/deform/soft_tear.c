// SPDX-License-Identifier: MIT
// Connections that are torn when their strain exceeds what their materials bear: an event, located in the step that led there. What was
// in them is lost; the body goes on without them.
#include <string.h>

#include "deform/soft_data.h"

static void cut(RbSoftSpring *spring) {
    spring->k = spring->c = 0;
}

// A new segment: springs that were torn before stay so.
void rb_soft_keep_torn(Soft *soft) {
    RbNetwork *n = &soft->network;
    soft->can_tear = false;
    for (int i = 0; i < n->spring_count; i++)
        soft->can_tear = soft->can_tear || isfinite(n->springs[i].limit);
    if (soft->torn_count != n->spring_count) {
        soft->torn = rb_new_array(soft->given->arena, unsigned char, n->spring_count);
        soft->torn_count = n->spring_count;
    }
    for (int i = 0; i < n->spring_count; i++)
        if (soft->torn[i]) cut(&n->springs[i]);
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

// Cut what is too long now. False: nothing is.
bool rb_soft_tear(Soft *soft, const RbEvent *event, const SoftWork *w) {
    RbNetwork *n = &soft->network;
    int count = 0;
    for (int i = 0; i < n->spring_count; i++) {
        RbSoftSpring *s = &n->springs[i];
        double length = v3_distance(w->r[s->b], w->r[s->a]), stretch = length - s->length;
        if (!(s->k > 0) || !(length > s->limit * (1 - 1e-12))) continue;
        event->discrete[SOFT_D_TORN_ENERGY] += 0.5 * s->k * stretch * stretch;
        soft->torn[i] = 1;
        cut(s);
        count++;
    }
    if (count == 0) return false;
    event->discrete[SOFT_D_BROKEN] += count;
    rb_event_log(event, "%d connection%s torn", count, count > 1 ? "s are" : " is");
    return true;
}

// ---- checkpoints

void rb_soft_save(void *self, RbSaver *saver) {
    const Soft *soft = self;
    rb_save_int(saver, soft->torn_count);
    for (int i = 0; i < soft->torn_count; i++) rb_save_int(saver, soft->torn[i]);
    rb_soft_save_pattern(soft, saver);
}

bool rb_soft_restore(void *self, RbLoader *loader) {
    const int64_t most = 100000000; // springs
    Soft *soft = self;
    int64_t count, torn;
    if (!rb_load_int(loader, &count) || count < 0 || count > most) return false;
    if (soft->torn_count != count) {
        soft->torn = rb_new_array(soft->given->arena, unsigned char, count);
        soft->torn_count = (int)count;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!rb_load_int(loader, &torn) || torn < 0 || torn > 1) return false;
        soft->torn[i] = (unsigned char)torn;
    }
    return rb_soft_restore_pattern(soft, loader);
}
