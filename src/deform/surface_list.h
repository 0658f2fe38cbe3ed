// SPDX-License-Identifier: MIT
// surface_list.h: vertices of surfaces that are near the molecules of other objects, or of parts of their own that are no neighbours. As with pairs of spheres, a list with a skin is
// kept until a molecule has moved too far; it lives in memory that the caller gives.
#pragma once

#include "deform/surface.h"

typedef struct RbNearVertex {
    int object, vertex;
    int other;        // the object whose field it may be in
    int first, count; // molecules of that, in RbSurfaceList.molecules
} RbNearVertex;

typedef struct RbSurfaceList {
    const RbSoftSkin *skins;
    const RbSoftField *fields;
    double skin; // [m]
    bool valid;
    RbNearVertex *near;
    int count, capacity;
    int *molecules;
    int molecule_count, molecule_capacity;
    int *local; // molecules of the object in question that can matter
    int local_count;
    Vec3 *made_at;    // per molecule
    Vec3 *low, *high; // per object: the box of its molecules
} RbSurfaceList;

size_t rb_surface_list_size(const RbNetwork *network, const RbSoftSkin *skins);
RbSurfaceList *rb_surface_list_open(const RbNetwork *network, const RbSoftSkin *skins,
                                    const RbSoftField *fields, double skin, void *memory);

// Where a vertex of an object is; those of fixed objects stay.
static inline Vec3 rb_surface_list_place(const RbSurfaceList *list, const RbNetwork *network,
                                         int object, int vertex, const Vec3 *r) {
    const RbSoftSkin *skin = &list->skins[object];
    return network->objects[object].moves ? rb_skin_place(&skin->vertices[vertex], r)
                                          : skin->mesh.vertices[vertex];
}

// Make the list anew if molecules have moved too far. False: there is no room for it.
bool rb_surface_list_update(RbSurfaceList *list, const RbNetwork *network, const Vec3 *r);
