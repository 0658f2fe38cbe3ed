// SPDX-License-Identifier: MIT
// Connections that come and go at events: bodies that are glued where they touch, and cut along planes. Both are kept over segments: what was glued in a
// list of its own, what was cut among what was torn.
#include <string.h>

#include "deform/soft_data.h"

static const double NEAR = 1.05; // [reach] nearer than that molecules touch well enough to be glued

// As stiff as a connection inside, of both materials one after the other; at rest where it was glued.
static RbSoftSpring glue_spring(const RbNetwork *n, const SoftGlue *g) {
    const RbMolecule *a = &n->scene->molecules.data[g->a], *b = &n->scene->molecules.data[g->b];
    double wide = 0.5 * (n->objects[a->object].spacing + n->objects[b->object].spacing);
    return rb_network_spring(n, g->a, g->b, 0.4 * wide, g->length);
}

// A new segment: what was glued before is behind all other springs.
void rb_soft_keep_glued(Soft *soft, RbArena *arena) {
    RbNetwork *n = &soft->network;
    int before = n->spring_count, count = before + soft->glued_count;
    n->glued = before;
    if (soft->glued_count == 0) return;
    RbSoftSpring *springs = rb_new_array(arena, RbSoftSpring, count);
    memcpy(springs, n->springs, (size_t)before * sizeof *springs);
    for (int i = 0; i < soft->glued_count; i++)
        springs[before + i] = glue_spring(n, &soft->glued[i]);
    n->springs = springs;
    n->spring_count = count;
}

static int add_glue(Soft *soft, SoftGlue *list, int count, int a, int b, const Vec3 *r) {
    const RbNetwork *n = &soft->network;
    const RbMolecule *m = n->scene->molecules.data;
    const RbNetworkObject *p = &n->objects[a], *q = &n->objects[b];
    for (int i = p->first; i < p->first + p->count; i++) {
        for (int k = q->first; k < q->first + q->count; k++) {
            double reach = NEAR * (m[i].radius + m[k].radius), d = v3_distance(r[i], r[k]);
            bool moves = n->free_index[i] >= 0 || n->free_index[k] >= 0;
            if (!(d < reach) || !moves) continue;
            if (list) list[count] = (SoftGlue){i < k ? i : k, i < k ? k : i, d};
            count++;
        }
    }
    return count;
}

int rb_soft_glue(Soft *soft, int a, int b, const Vec3 *r) {
    int before = soft->glued_count, count = add_glue(soft, NULL, before, a, b, r);
    SoftGlue *list = rb_new_array(soft->given->arena, SoftGlue, count);
    for (int i = 0; i < before; i++) list[i] = soft->glued[i];
    add_glue(soft, list, before, a, b, r);
    soft->glued = list;
    soft->glued_count = count;
    return count - before;
}

SoftTorn rb_soft_cut(Soft *soft, int object, Vec3 point, Vec3 normal, const Vec3 *r) {
    RbNetwork *n = &soft->network;
    const RbMolecule *m = n->scene->molecules.data;
    SoftTorn sum = {0};
    for (int i = 0; i < n->spring_count; i++) {
        RbSoftSpring *s = &n->springs[i];
        if (m[s->a].object != object && m[s->b].object != object) continue;
        double above = v3_dot(v3_sub(r[s->a], point), normal),
               below = v3_dot(v3_sub(r[s->b], point), normal);
        if ((above > 0) != (below > 0)) rb_soft_tear_spring(soft, i, r, &sum);
    }
    if (sum.count > 0) sum.energy += rb_network_tear_cells(n, r);
    return sum;
}
