// SPDX-License-Identifier: MIT
// What there is to see of soft bodies: the molecules of each object as spheres in the colour of their material, or its surface.
#include "deform/soft_data.h"

static unsigned char byte_of(double colour) {
    return (unsigned char)lround(255 * fmin(1, fmax(0, colour)));
}

// The spheres of an object, or its surface if that is what touches.
static int add_spheres(const Soft *soft, RbDrawing *drawing, int object) {
    const RbNetworkObject *o = &soft->network.objects[object];
    RbDrawObject spheres = rb_draw_object(o->name, RB_FORM_SPHERES);
    spheres.size[0] = o->count;
    spheres.size[1] = 2 * soft->scene.molecules.data[o->first].radius;
    spheres.mass = o->mass;
    spheres.collides = true;
    rb_drawing_room(drawing, 3, (size_t)o->count * (3 + 1 + 1) * sizeof(float));
    return rb_drawing_add(drawing, &spheres);
}

static int add_surface(const Soft *soft, RbDrawing *drawing, int object) {
    const RbNetworkObject *o = &soft->network.objects[object];
    const RbMesh *mesh = &soft->skins[object].mesh;
    RbDrawObject surface = rb_draw_object(o->name, RB_FORM_MESH);
    surface.mesh = rb_drawing_mesh(drawing, &mesh->vertices[0].x, mesh->vertex_count,
                                   mesh->triangles[0].v, mesh->triangle_count);
    for (int k = 0; k < 4; k++) surface.colour[k] = soft->colours[4 * o->first + k];
    surface.mass = o->mass;
    surface.collides = true;
    if (o->moves) rb_drawing_room(drawing, 1, (size_t)mesh->vertex_count * 3 * sizeof(float));
    return rb_drawing_add(drawing, &surface);
}

void rb_soft_draw(Soft *soft, RbDrawing *drawing) {
    for (int i = 0; i < soft->network.object_count; i++) {
        int number = soft->skins ? add_surface(soft, drawing, i) : add_spheres(soft, drawing, i);
        if (i == 0) soft->drawn = number;
    }
}

static void show_surface(const Soft *soft, SoftWork *w, int object, RbPicture *picture) {
    const RbSoftSkin *skin = &soft->skins[object];
    if (!soft->network.objects[object].moves) return;
    for (int i = 0; i < skin->mesh.vertex_count; i++)
        w->picture[i] = rb_skin_place(&skin->vertices[i], w->r);
    rb_picture_points(picture, soft->drawn + object, &w->picture[0].x, skin->mesh.vertex_count);
}

void rb_soft_show(const Soft *soft, SoftWork *w, RbPicture *picture) {
    const RbNetwork *n = &soft->network;
    for (int i = 0; i < n->object_count; i++) {
        const RbNetworkObject *o = &n->objects[i];
        if (soft->skins) {
            show_surface(soft, w, i, picture);
            continue;
        }
        rb_picture_points(picture, soft->drawn + i, &w->r[o->first].x, o->count);
        rb_picture_diameters(picture, soft->drawn + i, soft->diameters + o->first, o->count);
        rb_picture_colours(picture, soft->drawn + i, soft->colours + 4 * o->first, o->count);
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
