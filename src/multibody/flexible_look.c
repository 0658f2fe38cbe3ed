// SPDX-License-Identifier: MIT
// What is seen and recorded of flexible parts: their surface moves with their modes and has the von Mises stress as a field; the largest stress and
// where it is are results.
#include "component/segment.h"
#include "io/drawing.h"
#include "multibody/matter.h"

enum { SURFACE_NUMBERS = 10 }; // per node: displacement, stress, von Mises stress

// The object of the k-th flexible body, and what is seen of it; NULL: nothing.
static const RbFlexibleLook *look_of(const Mechanism *m, int k, int *object) {
    *object = m->root[m->structure.tree.modals.data[k].body];
    return m->scene->objects.data[*object].flexible;
}

int rb_mechanism_surface_room(const Mechanism *m) {
    int most = 0, object;
    for (int k = 0; k < m->structure.tree.modals.count; k++) {
        const RbFlexibleLook *look = look_of(m, k, &object);
        if (look && look->surface.node_count > most) most = look->surface.node_count;
    }
    return SURFACE_NUMBERS * most;
}

// Von Mises stresses of all nodes in room of the workspace. [Pa]
static double *find_stresses(const RbFlexibleLook *look, const MechanismWork *w, int k) {
    int n = look->surface.node_count;
    double *stress = w->surface + 3 * n, *mises = w->surface + 9 * n;
    rb_surface_stress(&look->surface, w->kin.modals[k].q, stress);
    for (int i = 0; i < n; i++) mises[i] = rb_von_mises(stress + 6 * i);
    return mises;
}

// ---- results

// ORDER rb_mechanism_record_flexible
void rb_mechanism_declare_flexible(const Mechanism *m, RbSegment *g) {
    for (int k = 0, object; k < m->structure.tree.modals.count; k++) {
        if (!look_of(m, k, &object)) continue;
        const char *name = m->scene->objects.data[object].object.name;
        rb_segment_result(g, &(RbResultSpec){rb_arena_printf(g->arena, "%s.maxStress", name), "Pa",
                                             "largest von Mises stress at a node of the surface"});
        for (int i = 1; i <= 3; i++)
            rb_segment_result(
                g, &(RbResultSpec){rb_arena_printf(g->arena, "%s.r_maxStress[%d]", name, i), "m",
                                   "where that is, in the frame of the undeformed mesh"});
    }
}

double *rb_mechanism_record_flexible(const Mechanism *m, const MechanismWork *w, double *out) {
    for (int k = 0, object; k < m->structure.tree.modals.count; k++) {
        const RbFlexibleLook *look = look_of(m, k, &object);
        if (!look) continue;
        const double *mises = find_stresses(look, w, k);
        int most = 0;
        for (int i = 1; i < look->surface.node_count; i++)
            if (mises[i] > mises[most]) most = i;
        *out++ = mises[most];
        v3_store(out, v3_add(look->surface.origin, look->surface.x[most]));
        out += 3;
    }
    return out;
}

// ---- pictures

void rb_mechanism_draw_surface(const RbFlexibleLook *look, RbDrawing *d, RbDrawObject *o) {
    const RbPartSurface *s = &look->surface;
    o->form = RB_FORM_MESH;
    o->mesh = rb_drawing_mesh(d, &s->x[0].x, s->node_count, s->triangles[0].v, s->triangle_count);
    rb_drawing_room(d, 2, RB_DRAW_CLOSE + (6 + 4) * (size_t)s->node_count);
}

void rb_mechanism_show_flexible(const Mechanism *m, const MechanismWork *w, RbPicture *picture) {
    for (int k = 0, object; k < m->structure.tree.modals.count; k++) {
        const RbFlexibleLook *look = look_of(m, k, &object);
        if (!look) continue;
        const RbPartSurface *s = &look->surface;
        double *u = w->surface;
        rb_surface_displace(s, w->kin.modals[k].q, u);
        for (int i = 0; i < s->node_count; i++)
            v3_store(u + 3 * i, v3_axpy(s->x[i], look->deformation, v3_load(u + 3 * i)));
        rb_picture_close_points(picture, object - 1, u, s->node_count); // the world is not drawn
        rb_picture_values(picture, object - 1, find_stresses(look, w, k), s->node_count);
    }
}
