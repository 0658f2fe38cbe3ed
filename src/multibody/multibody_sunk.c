// SPDX-License-Identifier: MIT
// Two polyhedra that sink in deeper than their edges are rounded have the normal of the shortest way out. Where another way
// becomes the shortest it jumps, and their energy with it (docs/theory/contact-patch.md, section 5). Whoever lets them do so
// should know, once for each pair.
#include <string.h>

#include "contact/pair.h"
#include "multibody/mechanism.h"

enum { SUNK_MAX = 16 }; // others of a run with more of them go without

struct SunkPairs {
    int count;
    const char *names[SUNK_MAX][2];
};

void rb_mechanism_start_sunk(Mechanism *m) {
    if (!m->sunk) m->sunk = rb_new(m->arena, struct SunkPairs);
    if (m->first) m->sunk->count = 0;
}

static bool is_polyhedron(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE;
}

static bool was_told(const struct SunkPairs *told, const char *a, const char *b) {
    for (int i = 0; i < told->count; i++) {
        if (strcmp(told->names[i][0], a) == 0 && strcmp(told->names[i][1], b) == 0) return true;
    }
    return told->count == SUNK_MAX;
}

void rb_mechanism_tell_sunk(const Mechanism *m, int a, int b, double depth, double time) {
    const double visible = 1e-3; // of what is thin: jumps of shallow patches are nothing
    const RbContactSetup *s = m->contacts;
    const RbElement *ea = &s->elements[a], *eb = &s->elements[b];
    if (!is_polyhedron(ea->core) || !is_polyhedron(eb->core)) return;
    double rounding = ea->core->radius + eb->core->radius; // [m]
    if (!(depth > fmax(rounding, visible * fmin(ea->thickness, eb->thickness)))) return;
    const char *one = ea->side.object, *two = eb->side.object;
    if (!rb_pair_has_patch(s, a, b) || was_told(m->sunk, one, two)) return;
    const char **names = m->sunk->names[m->sunk->count++];
    names[0] = one, names[1] = two;
    rb_warn(
        m->diag, eb->body > 0 ? eb->side.at : ea->side.at,
        "'%s' and '%s' are %.3g m deep in each other at t = %.6g s, deeper than their edges are "
        "rounded (%.3g m): from there on their contact does not keep energy exactly, as "
        "energy.residual will show; let their smoothing be larger or their material stiffer",
        one, two, depth, time, rounding);
}
