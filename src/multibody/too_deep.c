// SPDX-License-Identifier: MIT
// What is said of two elements that contact cannot describe any more: who they are, where they are declared, what is thin, how they met.
#include <stdio.h>

#include "multibody/mechanism.h"

RbPos rb_mechanism_declared(const Mechanism *m, int a, int b) {
    const RbElement *one = &m->contact.setup->elements[a], *two = &m->contact.setup->elements[b];
    return two->body > 0 ? two->side.at : one->side.at;
}

// [m/s] 0: nobody knows.
static double met_at(const Mechanism *m, const double *slots, int a, int b) {
    for (int i = 0; i < m->contact.setup->slot_count; i++) {
        int p, q;
        if (rb_slot_pair(m->contact.setup, slots, i, &p, &q) && p == a && q == b)
            return slots[RB_SLOT_SIZE * i + RB_SLOT_SPEED];
    }
    return 0;
}

const char *rb_mechanism_too_deep(const Mechanism *m, const double *slots, RbTooDeep deep,
                                  char text[RB_TOO_DEEP_SIZE]) {
    const RbElement *a = &m->contact.setup->elements[deep.a],
                    *b = &m->contact.setup->elements[deep.b];
    const RbElement *thin = a->thickness < b->thickness ? a : b;
    double speed = met_at(m, slots, deep.a, deep.b);
    char how[40] = "";
    if (speed > 0) snprintf(how, sizeof how, " at %.3g m/s", speed);
    snprintf(text, RB_TOO_DEEP_SIZE,
             "'%.80s' and '%.80s' penetrate each other by %.4g m, more than the elastic law can "
             "describe (%.4g m, a quarter of what '%.80s' is thick); the impact%s is too hard for "
             "these materials and shapes: give a stiffer material, a thicker body or a slower blow",
             a->side.object, b->side.object, deep.depth, deep.limit, thin->side.object, how);
    return text;
}
