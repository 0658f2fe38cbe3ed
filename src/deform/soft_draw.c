// SPDX-License-Identifier: MIT
// What there is to see of soft bodies. Each object is three things in a drawing, which viewers can show in any mix: its molecules as spheres, its
// surface and its connections. Pictures have the places and strains of molecules alone, 8 bytes each; all else is written once, as it follows
// from these.
#include "deform/soft_data.h"
#include "io/drawing.h"

enum { MOLECULES, SURFACE, CONNECTIONS, PARTS };

static int part_of(const Soft *soft, int object, int part) {
    return soft->drawn + PARTS * object + part;
}

static unsigned char byte_of(double colour) {
    return (unsigned char)lround(255 * fmin(1, fmax(0, colour)));
}

// Never 0, which would leave the colour to the viewer.
static unsigned char opacity_of(double transparency) {
    unsigned char opacity = byte_of(1 - transparency);
    return opacity > 0 ? opacity : 1;
}

// Whether pictures have its molecules: those of an object that stands still are drawn once.
static bool goes(const Soft *soft, int object) {
    return soft->among_rigid || soft->network.objects[object].moves;
}

// ---- once in a segment

// Where spheres touch, surfaces are for pictures alone: made when somebody looks at the first one.
static const RbSoftSkin *skins_of(Soft *soft, RbDrawing *drawing) {
    if (soft->skins) return soft->skins;
    if (soft->carried) return soft->carried;
    RbArena *keep = soft->given->arena, *scratch = rb_arena_child(drawing->arena);
    RbDiag unheard = rb_diag(drawing->arena); // one that cannot be made is not drawn
    soft->carried = rb_new_array(keep, RbSoftSkin, soft->network.object_count);
    for (int i = 0; i < soft->network.object_count; i++)
        if (rb_soft_make_skin(soft, i, keep, *scratch, &unheard, &soft->carried[i]) != RB_OK)
            soft->carried[i] = (RbSoftSkin){0};
    return soft->carried;
}

static void add_molecules(const Soft *soft, RbDrawing *drawing, int object) {
    const RbNetworkObject *o = &soft->network.objects[object];
    size_t count = (size_t)o->count;
    RbDrawObject spheres = rb_draw_object(o->name, RB_FORM_SPHERES);
    spheres.size[0] = o->count;
    spheres.size[1] = soft->diameters[o->first];
    spheres.mass = o->mass;
    spheres.collides = true;
    int number = rb_drawing_add(drawing, &spheres);
    RbPicture *base = rb_drawing_base(drawing, 5, count * (12 + 4 + 4) + 4);
    rb_picture_diameters(base, number, soft->diameters + o->first, o->count);
    rb_picture_colours(base, number, soft->colours + 4 * o->first, o->count);
    if (soft->skins) rb_picture_hide(base, number);
    if (soft->strain_scale > 0) rb_picture_shade(base, number, soft->strain_scale);
    if (goes(soft, object)) {
        rb_drawing_room(drawing, 2, RB_DRAW_CLOSE + (6 + 2) * count);
        return;
    }
    double *places = rb_new_array(drawing->arena, double, 3 * count);
    for (size_t i = 0; i < count; i++)
        v3_store(places + 3 * i, soft->scene.molecules.data[(size_t)o->first + i].r);
    rb_picture_points(base, number, places, o->count);
}

static RbDrawCarried carried_by(const RbSkinVertex *vertex, int first) {
    RbDrawCarried c = {.plane = {-1, -1, -1}, .height = vertex->height};
    for (int k = 0; k < RB_DRAW_CARRIERS; k++) {
        c.point[k] = k < vertex->count ? vertex->molecule[k] - first : -1;
        c.weight[k] = k < vertex->count ? vertex->weight[k] : 0;
    }
    for (int k = 0; k < 3 && vertex->plane[0] >= 0; k++) c.plane[k] = vertex->plane[k] - first;
    v3_store(c.offset, vertex->offset);
    return c;
}

// Each vertex has the colour of its nearest molecule.
static void colour_surface(const Soft *soft, RbDrawing *drawing, const RbSoftSkin *skin,
                           int number) {
    int count = skin->mesh.vertex_count;
    unsigned char *colours = rb_new_array(drawing->arena, unsigned char, 4 * (size_t)count);
    for (int i = 0; i < count; i++)
        memcpy(colours + 4 * i, soft->colours + 4 * skin->vertices[i].molecule[0], 4);
    rb_picture_colours(rb_drawing_base(drawing, 1, 4 * (size_t)count), number, colours, count);
}

static void add_surface(const Soft *soft, RbDrawing *drawing, int object, const RbSoftSkin *skin) {
    const RbNetworkObject *o = &soft->network.objects[object];
    const RbMesh *mesh = &skin->mesh;
    bool there = mesh->triangle_count > 0;
    RbDrawObject surface = rb_draw_object(o->name, there ? RB_FORM_MESH : RB_FORM_NONE);
    if (there)
        surface.mesh = rb_drawing_mesh(drawing, &mesh->vertices[0].x, mesh->vertex_count,
                                       mesh->triangles[0].v, mesh->triangle_count);
    memcpy(surface.colour, soft->colours + 4 * o->first, 4);
    surface.parent = part_of(soft, object, MOLECULES);
    int number = rb_drawing_add(drawing, &surface);
    if (!there) return;
    size_t count = (size_t)mesh->vertex_count;
    RbDrawCarried *vertices = rb_new_array(drawing->arena, RbDrawCarried, count);
    for (size_t i = 0; i < count; i++) vertices[i] = carried_by(&skin->vertices[i], o->first);
    RbPicture *base = rb_drawing_base(drawing, 3, count * (RB_DRAW_CARRIED + RB_DRAW_RAISED));
    rb_picture_carried(base, number, vertices, mesh->vertex_count);
    if (!soft->skins) rb_picture_hide(base, number);
    if (soft->several[object]) colour_surface(soft, drawing, skin, number);
}

// Connections are the pairs in the list of neighbours, each once; their numbers count these. All pairs, or the numbers of those that are torn.
static int list_connections(const RbNetwork *n, int object, bool torn, int *out) {
    const RbNetworkObject *o = &n->objects[object];
    int count = 0, found = 0;
    for (int i = o->first; i < o->first + o->count; i++) {
        for (int k = n->neighbour_first[i]; k < n->neighbour_first[i + 1]; k++) {
            const RbNeighbour *b = &n->neighbours[k];
            if (b->molecule < i) continue;
            bool gone = b->spring >= 0 && !(n->springs[b->spring].k > 0);
            if (torn && gone) out[found++] = count;
            if (!torn) out[found++] = i - o->first, out[found++] = b->molecule - o->first;
            count++;
        }
    }
    return found;
}

static void add_connections(const Soft *soft, RbDrawing *drawing, int object) {
    const RbNetwork *n = &soft->network;
    const RbNetworkObject *o = &n->objects[object];
    int most = n->neighbour_first[o->first + o->count] - n->neighbour_first[o->first];
    int *pairs = rb_new_array(drawing->arena, int, 2 * (size_t)most);
    int count = list_connections(n, object, false, pairs) / 2;
    RbDrawObject lines = rb_draw_object(o->name, RB_FORM_LINES);
    lines.parent = part_of(soft, object, MOLECULES);
    int number = rb_drawing_add(drawing, &lines);
    RbPicture *base = rb_drawing_base(drawing, 2, 8 * (size_t)count);
    rb_picture_connections(base, number, pairs, count);
    rb_picture_hide(base, number);
    rb_drawing_room(drawing, 1, 4 * (size_t)count);
}

void rb_soft_draw(Soft *soft, RbDrawing *drawing) {
    const RbSoftSkin *skins = skins_of(soft, drawing);
    soft->drawn = drawing->objects.count - drawing->first;
    for (int i = 0; i < soft->network.object_count; i++) {
        add_molecules(soft, drawing, i);
        add_surface(soft, drawing, i, &skins[i]);
        add_connections(soft, drawing, i);
    }
}

// ---- in every picture

static void show_torn(const Soft *soft, SoftWork *w, int object, RbPicture *picture) {
    int count = list_connections(&soft->network, object, true, w->gone);
    if (count > 0) rb_picture_gone(picture, part_of(soft, object, CONNECTIONS), w->gone, count);
}

void rb_soft_show(const Soft *soft, SoftWork *w, RbPicture *picture) {
    const RbNetwork *n = &soft->network;
    for (int i = 0; i < n->object_count; i++) {
        const RbNetworkObject *o = &n->objects[i];
        if (!goes(soft, i)) continue;
        int number = part_of(soft, i, MOLECULES);
        rb_picture_close_points(picture, number, &w->r[o->first].x, o->count);
        rb_network_strains(n, i, w->r, w->strain);
        rb_picture_strains(picture, number, w->strain + o->first, o->count);
        show_torn(soft, w, i, picture);
    }
}

void rb_soft_paint(Soft *soft, RbSegment *g) {
    const RbSoftScene *s = &soft->scene;
    soft->diameters = rb_new_array(g->arena, double, s->molecules.count);
    soft->colours = rb_new_array(g->arena, unsigned char, 4 * (size_t)s->molecules.count);
    soft->several = rb_new_array(g->arena, bool, s->objects.count);
    for (int i = 0; i < s->molecules.count; i++) {
        const RbMolecule *p = &s->molecules.data[i];
        const RbSoftMaterial *m = &s->materials.data[p->material];
        soft->diameters[i] = 2 * p->radius;
        for (int k = 0; k < 3; k++) soft->colours[4 * i + k] = byte_of(m->colour[k]);
        soft->colours[4 * i + 3] = opacity_of(m->transparency);
        int first = s->objects.data[p->object].first;
        soft->several[p->object] |= p->material != s->molecules.data[first].material;
    }
}
