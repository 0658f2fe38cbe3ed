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
    if (soft->strain_scale > 0) // pictures say more of what moves; nothing else is strained
        rb_soft_shade(0, soft->strain_scale, surface.colour);
    surface.mass = o->mass;
    surface.collides = true;
    if (o->moves) rb_drawing_room(drawing, 2, (size_t)mesh->vertex_count * (3 * sizeof(float) + 4));
    return rb_drawing_add(drawing, &surface);
}

// What the colours say, above all bodies.
static void add_legend(const Soft *soft, RbDrawing *drawing) {
    const RbSoftScene *s = &soft->scene;
    Vec3 low = s->molecules.data[0].r, high = low;
    for (int i = 0; i < s->molecules.count; i++)
        low = v3_min(low, s->molecules.data[i].r), high = v3_max(high, s->molecules.data[i].r);
    double size = v3_distance(low, high), height = 0.04 * size;
    Vec3 up = v3_unit_or(v3_neg(s->gravity), v3(0, 1, 0)), middle = v3_lerp(low, high, 0.5);
    RbDrawObject legend = rb_draw_object("legend", RB_FORM_TEXT);
    legend.size[0] = height;
    legend.text = rb_arena_printf(s->arena, "strain: blue -%g %%, white 0, red %g %%",
                                  100 * soft->strain_scale, 100 * soft->strain_scale);
    v3_store(legend.position, v3_axpy(middle, 0.5 * size + 2 * height, up));
    rb_drawing_add(drawing, &legend);
}

void rb_soft_draw(Soft *soft, RbDrawing *drawing) {
    for (int i = 0; i < soft->network.object_count; i++) {
        int number = soft->skins ? add_surface(soft, drawing, i) : add_spheres(soft, drawing, i);
        if (i == 0) soft->drawn = number;
    }
    if (soft->strain_scale > 0) add_legend(soft, drawing);
}

void rb_soft_shade(double strain, double scale, unsigned char rgba[4]) {
    double part = fmin(1, fmax(-1, strain / scale)), faded = 1 - fabs(part);
    rgba[0] = byte_of(part > 0 ? 1 : faded);
    rgba[1] = byte_of(faded);
    rgba[2] = byte_of(part > 0 ? faded : 1);
    rgba[3] = 255;
}

// Of each sphere, or of each vertex as its nearest molecule.
static const unsigned char *shade(const Soft *soft, SoftWork *w, int object) {
    const RbNetworkObject *o = &soft->network.objects[object];
    const RbSoftSkin *skin = soft->skins ? &soft->skins[object] : NULL;
    int count = skin ? skin->mesh.vertex_count : o->count;
    rb_network_strains(&soft->network, object, w->r, w->strain);
    for (int i = 0; i < count; i++) {
        int molecule = skin ? skin->vertices[i].molecule[0] : o->first + i;
        rb_soft_shade(w->strain[molecule], soft->strain_scale, w->shades + 4 * i);
    }
    return w->shades;
}

static void show_surface(const Soft *soft, SoftWork *w, int object, RbPicture *picture) {
    const RbSoftSkin *skin = &soft->skins[object];
    if (!soft->network.objects[object].moves) return;
    for (int i = 0; i < skin->mesh.vertex_count; i++)
        w->picture[i] = rb_skin_place(&skin->vertices[i], w->r);
    rb_picture_points(picture, soft->drawn + object, &w->picture[0].x, skin->mesh.vertex_count);
    if (soft->strain_scale > 0)
        rb_picture_colours(picture, soft->drawn + object, shade(soft, w, object),
                           skin->mesh.vertex_count);
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
        rb_picture_colours(
            picture, soft->drawn + i,
            soft->strain_scale > 0 ? shade(soft, w, i) : soft->colours + 4 * o->first, o->count);
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
