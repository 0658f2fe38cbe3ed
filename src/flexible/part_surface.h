// SPDX-License-Identifier: MIT
// part_surface.h: the surface of a finite-element part, with what its modes do there: displacements and stresses of nodes. Stresses are those of the
// elements in the node, in the mean; largest values of bending, torsion and pressure lie on the surface.
#pragma once

#include "flexible/part.h"
#include "geom/mesh.h"

typedef struct RbPartSurface {
    int node_count, modes;
    Vec3 origin;   // [m] of the mean frame in that of the mesh: the centre of mass
    const Vec3 *x; // [m] in the mean frame, undeformed
    const RbTriangle
        *triangles; // counter-clockwise seen from outside; four on each face with middles
    int triangle_count;
    const double *shapes; // modes x nodes x 3: displacement per mode
    const double *stress; // modes x nodes x 6 [Pa]: xx, yy, zz, xy, yz, zx per mode
} RbPartSurface;

// Which nodes are on the surface: those of faces that one element has.
void rb_mark_surface(const RbTetMesh *mesh, bool *on, RbArena scratch);

// Middle of the area of faces whose corners are all chosen; false: there is no such face.
bool rb_surface_middle(const RbTetMesh *mesh, const bool *chosen, RbArena scratch, Vec3 *out);

// shapes: modes x nodes of the mesh x 3.
RbPartSurface rb_part_surface(const RbElasticPart *part, Vec3 origin, const double *shapes,
                              int modes, RbArena *keep, RbArena scratch);

// Displacements of nodes (3 numbers each) and stresses (6 each) for amplitudes q of the modes.
void rb_surface_displace(const RbPartSurface *s, const double *q, double *u);
void rb_surface_stress(const RbPartSurface *s, const double *q, double *stress);

double rb_von_mises(const double stress[6]); // [Pa]
