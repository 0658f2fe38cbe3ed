// SPDX-License-Identifier: MIT
// A solver has given up, and knows a state at most: which contact is the stiffest, of the body of that state or of all.
#include <math.h>
#include <stdio.h>

#include "multibody/mechanism.h"

// The body that the state belongs to; -1: none, or nobody knows.
static int body_of(const Mechanism *m, int state) {
    const RbTree *tree = &m->structure.tree;
    if (state < 0 || m->driven.own) return -1; // of those beside equations some are missing
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = &tree->bodies.data[i].joint;
        int q = rb_joint_nq(j), v = rb_joint_nv(j);
        if ((state >= j->q && state < j->q + q) ||
            (state >= tree->nq + j->v && state < tree->nq + j->v + v))
            return i;
    }
    return -1;
}

// [1/s] How fast the two would swing against each other: on faces, which are punches of about modulus times width, or at a point as deep as they are, or would be by their weight.
static double rate_of(const Mechanism *m, const RbContactState *c) {
    const double g = 9.81; // [m/s2]
    const RbContactLaw *law = &c->law;
    double mass = c->blow.mass, n = law->exponent, K = law->stiffness;
    double width = fmin(m->contact.setup->elements[c->a].core->size,
                        m->contact.setup->elements[c->b].core->size) /
                   sqrt(3);
    if (!(mass > 0) || !(K > 0) || law->pair.response != RB_RESPONSE_ELASTIC) return 0;
    double depth = fmax(c->motion.depth, pow(mass * g / K, 1 / n));
    return sqrt((c->patch ? law->modulus * width : n * K * pow(depth, n - 1)) / mass);
}

bool rb_mechanism_suspect(const Mechanism *m, const RbEval *e, int state, RbPos *at, char *text,
                          size_t size) {
    if (!m->contact.setup) return false;
    const RbContactState *states = ((MechanismWork *)e->workspace)->contact.states;
    const double *slots = e->discrete + m->contact.slots;
    const RbElement *elements = m->contact.setup->elements;
    const RbContactState *worst = NULL;
    int body = body_of(m, state), a, b;
    for (int i = 0; i < m->contact.setup->slot_count; i++) {
        if (!rb_slot_pair(m->contact.setup, slots, i, &a, &b)) continue;
        if (states[i].code != slots[RB_SLOT_SIZE * i + RB_SLOT_CODE]) continue; // never evaluated
        if (body > 0 && elements[a].body != body && elements[b].body != body) continue;
        if (rate_of(m, &states[i]) > (worst ? rate_of(m, worst) : 0)) worst = &states[i];
    }
    if (!worst) return false;
    *at = rb_mechanism_declared(m, worst->a, worst->b);
    snprintf(text, size,
             "the stiffest contact then is that of '%.80s' and '%.80s', which swings at about %.1g "
             "rad/s: a "
             "softer material, a heavier body or a larger tolerance may help",
             elements[worst->a].side.object, elements[worst->b].side.object, rate_of(m, worst));
    return true;
}
