// SPDX-License-Identifier: MIT
// What is recorded of soft bodies: per object where it is, how it moves, how far it reaches, the force of its contacts and its
// energies; and the account of all.
#include "deform/soft_data.h"

typedef struct Column {
    const char *name, *unit, *description;
    int size;
    bool integral; // computed from what was lost
} Column;

// ORDER record_object
static const Column columns[] = {
    {"r", "m", "centre of mass", 3},
    {"v", "m/s", "velocity of the centre of mass", 3},
    {"low", "m", "lowest coordinate of a sphere", 3},
    {"high", "m", "highest coordinate of a sphere", 3},
    {"contact_force", "N", "force of all contacts on the object", 3},
    {"kinetic_energy", "J", "kinetic energy", 1},
    {"elastic_energy", "J", "energy in the connections", 1},
    {"strain", "1", "largest strain of a connection or an element", 1},
    {"stress", "Pa", "largest stress of an element, by von Mises", 1},
    {"folded", "1", "cells of springs that are turned inside out", 1},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

// ORDER rb_soft_record
static const Column totals[] = {
    {"contacts", "1", "pairs of molecules that touch", 1},
    {"contact_energy", "J", "energy in contacts", 1},
    {"energy", "J", "kinetic, elastic, of the weight and of contacts", 1},
    {"account", "J", "energy and what was lost of it, less the work of given forces: constant", 1,
     true},
};

void rb_soft_declare_objects(const Soft *soft, RbSegment *g) {
    for (int i = 0; i < soft->network.object_count; i++) {
        for (int c = 0; c < COLUMN_COUNT; c++) {
            for (int k = 0; k < columns[c].size; k++) {
                const char *name = rb_arena_printf(g->arena, "%s.%s", soft->network.objects[i].name,
                                                   columns[c].name);
                if (columns[c].size > 1) name = rb_arena_printf(g->arena, "%s[%d]", name, k + 1);
                rb_segment_result(
                    g, &(RbResultSpec){name, columns[c].unit, columns[c].description, false});
            }
        }
    }
}

void rb_soft_declare_results(const Soft *soft, RbSegment *g) {
    rb_soft_declare_objects(soft, g);
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        rb_segment_result(g, &(RbResultSpec){totals[i].name, totals[i].unit, totals[i].description,
                                             .integral = totals[i].integral});
}

typedef struct ObjectLook {
    Vec3 r, v, low, high;
    double kinetic;
    RbElementLook inside;
} ObjectLook;

static ObjectLook look_at(const Soft *soft, const SoftWork *w, int object) {
    const RbNetwork *n = &soft->network;
    const RbNetworkObject *o = &n->objects[object];
    ObjectLook look = {.low = {INFINITY, INFINITY, INFINITY},
                       .high = {-INFINITY, -INFINITY, -INFINITY}};
    double mass = 0;
    for (int i = o->first; i < o->first + o->count; i++) {
        double radius = n->scene->molecules.data[i].radius, m = n->mass[i];
        Vec3 size = v3(radius, radius, radius);
        look.r = v3_axpy(look.r, m, w->r[i]);
        look.v = v3_axpy(look.v, m, w->v[i]);
        look.low = v3_min(look.low, v3_sub(w->r[i], size));
        look.high = v3_max(look.high, v3_add(w->r[i], size));
        look.kinetic += 0.5 * m * v3_norm2(w->v[i]);
        mass += m;
    }
    look.r = v3_scale(1 / mass, look.r);
    look.v = v3_scale(1 / mass, look.v);
    look.inside = rb_network_look(n, object, w->r);
    return look;
}

double rb_soft_energy(const Soft *soft, const SoftWork *w) {
    const RbNetwork *n = &soft->network;
    double energy = w->contact_energy + rb_network_glue_energy(n, w->r);
    for (int i = 0; i < n->object_count; i++) energy += rb_network_look(n, i, w->r).energy;
    for (int k = 0; k < n->free_count; k++) {
        int i = n->molecule_of[k];
        energy += n->mass[i] * (0.5 * v3_norm2(w->v[i]) - v3_dot(n->scene->gravity, w->r[i]));
    }
    return energy;
}

static double *record_object(const Soft *soft, const SoftWork *w, int object, double *out) {
    ObjectLook look = look_at(soft, w, object);
    const Vec3 vectors[] = {look.r, look.v, look.low, look.high, w->press[object]};
    for (int i = 0; i < 5; i++, out += 3) v3_store(out, vectors[i]);
    *out++ = look.kinetic;
    *out++ = look.inside.energy;
    *out++ = look.inside.strain;
    *out++ = look.inside.stress;
    *out++ = rb_network_folded(&soft->network, object, w->r);
    return out;
}

double *rb_soft_record_objects(const Soft *soft, const SoftWork *w, double *results) {
    for (int i = 0; i < soft->network.object_count; i++)
        results = record_object(soft, w, i, results);
    return results;
}

void rb_soft_record(void *self, const RbEval *e, double *results) {
    const Soft *soft = self;
    SoftWork *w = rb_soft_work(soft, e->workspace);
    results = rb_soft_record_objects(soft, w, results);
    double energy = rb_soft_energy(soft, w), account = energy;
    account += e->discrete[SOFT_D_TORN_ENERGY];
    if (e->q)
        account +=
            e->q[SOFT_Q_SPRINGS] + e->q[SOFT_Q_MEDIUM] + e->q[SOFT_Q_CONTACT] - e->q[SOFT_Q_WORK];
    *results++ = w->touching;
    *results++ = w->contact_energy;
    *results++ = energy;
    *results++ = account;
}
