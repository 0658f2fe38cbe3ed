// SPDX-License-Identifier: MIT
// outline.h: the flat pieces of a core that face a plane of contact, with how far each vertex stays
// behind the foremost point. Curved sides become narrow facets (docs/theory/contact-region.md).
#pragma once

#include "geom/core.h"

enum { RB_FACET_VERTICES = 40, RB_FACETS = 24 };

// Convex polygon in the plane of contact, counter-clockwise about the normal. excess = excess of
// vertex 0 + g . (uv - uv of it)
typedef struct RbFacet {
    int count;
    double u[RB_FACET_VERTICES], v[RB_FACET_VERTICES]; // [m]
    double excess[RB_FACET_VERTICES];                  // [m] behind the foremost point
    double gu, gv;                                     // gradient of the excess
    bool back;                                         // the core is above it, seen from the plane
} RbFacet;

// As many as there is room for.
typedef struct RbFacets {
    int count;
    RbFacet facet[RB_FACETS];
} RbFacets;

// Plane of contact, in the frame of the query: (u, v, n) right-handed.
typedef struct RbContactPlane {
    Vec3 origin; // [m]
    Vec3 u, v, n;
} RbContactPlane;

// How the facets of circles stand: from a fixed angle of the body, or with one corner where the
// normal leans to.
typedef enum RbOutline { RB_OUTLINE_FIXED, RB_OUTLINE_LEANING } RbOutline;

// A core that is seen from a plane of contact.
typedef struct RbSight {
    const RbCore *core;
    Pose X;
    RbContactPlane plane;
    double side; // +1: the core lies below the plane (n is its outward normal); -1: above
    RbOutline outline;
    double reach;  // [m] facets that stay further behind are left out
    double extent; // [m] how much of a half-space is of interest
    bool back;     // also those of boxes and polytopes that look away from the plane
} RbSight;

// from: 0, or what the call before returned; 0: there are no more.
int rb_facets(const RbSight *sight, int from, RbFacets *out);

// Calls take until it has had all facets of a with all of b.
typedef void RbTakeFacets(void *taker, const RbFacets *a, const RbFacets *b);
void rb_facets_of_both(const RbSight *a, const RbSight *b, RbTakeFacets *take, void *taker);

// Has the core flat or straight pieces at all?
bool rb_has_facets(const RbCore *core);

// 0: only fixed outlines are right (the normal is along the axis of the circle), 1: only leaning
// ones; between: a mixture.
double rb_outline_blend(const RbCore *core, Vec3 n_C, double reach);
