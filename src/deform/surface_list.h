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
    double slack;     // [m] they have to come nearer by this, at least, before anything touches
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
    double *travel;   // [m] per object: how far its molecules have moved since, at most
    int *first;       // per object: its first vertex in the following
    Vec3 *places;     // [m] of vertices that the list has
    int *needed;      // these
    bool *wanted;     // whether they are
    int needed_count;
    Vec3 *close;      // [m] room for the molecules near an edge
    Vec3 *low, *high; // per object: the box of its molecules
    Vec3 *skin_low, *skin_high; // and of its surface
} RbSurfaceList;

size_t rb_surface_list_size(const RbNetwork *network, const RbSoftSkin *skins);
RbSurfaceList *rb_surface_list_open(const RbNetwork *network, const RbSoftSkin *skins,
                                    const RbSoftField *fields, double skin, void *memory);

// Where a vertex is that the list has.
static inline Vec3 rb_surface_list_place(const RbSurfaceList *list, int object, int vertex) {
    return list->places[list->first[object] + vertex];
}

// It cannot touch yet.
static inline bool rb_surface_list_idle(const RbSurfaceList *list, const RbNearVertex *near) {
    double vertices = list->skins[near->object].follow * list->travel[near->object];
    return vertices + list->travel[near->other] < near->slack;
}

// Where on an edge from a to b the field of the other object is largest, from 0 to 1; -1: it does not reach the surface.
double rb_surface_list_deepest(const RbSurfaceList *list, const RbNearVertex *near, const Vec3 *r,
                               Vec3 a, Vec3 b);

// Where all vertices of the list are; it is made anew if molecules have moved too far. False: there is no room for it.
bool rb_surface_list_update(RbSurfaceList *list, const RbNetwork *network, const Vec3 *r);
