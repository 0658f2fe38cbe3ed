// SPDX-License-Identifier: MIT
// surface_list.h: vertices or edges of surfaces that are near the molecules of other objects, or of parts of their own that are no neighbours. As with pairs of spheres, a list with a skin is
// kept until a molecule has moved too far; it lives in memory that the caller gives.
#pragma once

#include "deform/surface.h"

typedef struct RbNearVertex {
    int object, vertex;
    int end;          // the other vertex of an edge; -1: a vertex alone
    double area;      // [m2] of the surface that it stands for
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

// Where on an edge from a to b the field of the other object is largest, from 0 to 1.
double rb_surface_list_deepest(const RbSurfaceList *list, const RbNearVertex *near, const Vec3 *r,
                               Vec3 a, Vec3 b);

// Make the list anew if molecules have moved too far. False: there is no room for it.
bool rb_surface_list_update(RbSurfaceList *list, const RbNetwork *network, const Vec3 *r);
