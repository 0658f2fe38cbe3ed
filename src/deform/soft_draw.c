// SPDX-License-Identifier: MIT
// What there is to see of soft bodies: the molecules of each object as spheres, in the colour of their material.
#include "deform/soft_data.h"

static unsigned char byte_of(double colour) {
    return (unsigned char)lround(255 * fmin(1, fmax(0, colour)));
}

void rb_soft_draw(void *self, RbDrawing *drawing) {
    const Soft *soft = self;
    const RbNetwork *n = &soft->network;
    RbDrawObject down = rb_draw_object("gravity", RB_FORM_GRAVITY);
    v3_store(down.size, n->scene->gravity);
    for (int i = 0; i < n->object_count; i++) {
        const RbNetworkObject *o = &n->objects[i];
        RbDrawObject spheres = rb_draw_object(o->name, RB_FORM_SPHERES);
        spheres.size[0] = o->count;
        spheres.size[1] = 2 * n->scene->molecules.data[o->first].radius;
        spheres.mass = o->mass;
        spheres.collides = true;
        rb_drawing_add(drawing, &spheres);
        rb_drawing_room(drawing, 3, (size_t)o->count * (3 + 1 + 1) * sizeof(float));
    }
    rb_drawing_add(drawing, &down);
}

void rb_soft_show(void *self, const RbEval *e, RbPicture *picture) {
    const Soft *soft = self;
    const RbNetwork *n = &soft->network;
    const SoftWork *w = rb_soft_work(soft, e->workspace);
    for (int i = 0; i < n->object_count; i++) {
        const RbNetworkObject *o = &n->objects[i];
        rb_picture_points(picture, i, &w->r[o->first].x, o->count);
        rb_picture_diameters(picture, i, soft->diameters + o->first, o->count);
        rb_picture_colours(picture, i, soft->colours + 4 * o->first, o->count);
    }
}

void rb_soft_paint(Soft *soft, RbSegment *g) {
    const RbSoftScene *s = &soft->scene;
    soft->diameters = rb_new_array(g->arena, double, s->molecules.count);
    soft->colours = rb_new_array(g->arena, unsigned char, 4 * (size_t)s->molecules.count);
    for (int i = 0; i < s->molecules.count; i++) {
        const RbSoftMaterial *m = &s->materials.data[s->molecules.data[i].material];
        soft->diameters[i] = 2 * s->molecules.data[i].radius;
        for (int k = 0; k < 3; k++) soft->colours[4 * i + k] = byte_of(m->colour[k]);
        soft->colours[4 * i + 3] = 255;
    }
}
