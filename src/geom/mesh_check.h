// SPDX-License-Identifier: MIT
// mesh_check.h: does a triangle mesh enclose a body, and if not, why? And what can be mended
// without guessing.
//
//     RbMeshReport report = rb_mesh_check(&mesh, scratch);
//     if (!report.encloses_body) {
//         mesh = rb_mesh_repair(&mesh, 1e-9 * size, keep, scratch, NULL);
//         report = rb_mesh_check(&mesh, scratch);
//     }
#pragma once

#include "base/text.h"
#include "geom/aabb.h"
#include "geom/mesh.h"

// A triangle counts as degenerate if its height is below this part of its longest side.
#define RB_MESH_DEGENERATE 1e-12

// [m] Bodies up to this size have a finite inertia, which is a fifth power.
#define RB_MESH_LARGEST 1e60

// What a closed surface may be beside that of a body: see rb_mesh_check_crossing.
typedef enum RbMeshFault {
    RB_MESH_SOUND,
    RB_MESH_CROSSES, // itself
    RB_MESH_NESTED,  // one of its bodies lies within another one, and would count twice
    RB_MESH_INWARDS, // one of its bodies faces inwards, and is no cavity of another one
} RbMeshFault;

typedef struct RbMeshReport {
    int vertex_count, triangle_count, edge_count;
    int unused_vertices;      // in no triangle
    int invalid_vertices;     // coordinates not finite
    int invalid_triangles;    // vertex index out of range, or vertex not finite
    int degenerate_triangles; // a vertex twice, or no area
    int duplicate_triangles;  // same three vertices as an earlier triangle, in any order
    int open_edges;           // with one triangle
    int crowded_edges;        // non-manifold: with more than two triangles
    int twisted_edges;        // with two triangles that run along it in the same direction
    int components;           // triangles connected through edges
    double area;              // [m²]
    double volume;            // [m³] signed: negative if inside out; meaningful only if closed
    RbAabb box;               // [m] around the used vertices
    Vec3 defect;         // [m] where the first open, crowded or twisted edge, or else the first
                         // invalid triangle or crossing lies
    bool closed;         // every edge has exactly two triangles
    bool oriented;       // no edge is twisted or crowded
    RbMeshFault fault;   // found by rb_mesh_check_crossing
    bool encloses_body;  // valid, closed, oriented, positive volume, no duplicates, no fault
} RbMeshReport;

RbMeshReport rb_mesh_check(const RbMesh *mesh, RbArena scratch);

// Of a surface that encloses a body according to the report: does it cross itself, by more than a millionth
// of its size, does one of its bodies lie within another one, so that it would count twice, or face inwards? For meshes from outside, whose bodies may overlap, and solids of models. Triangles that share a vertex are not
// compared. About 1 µs per triangle.
void rb_mesh_check_crossing(const RbMesh *mesh, RbArena *keep, RbArena scratch,
                            RbMeshReport *report);

// What its fault is and where, as the end of "the surface of 'a' ...".
const char *rb_mesh_fault_text(const RbMeshReport *report, RbArena *keep);

// How many edges are open, crowded or twisted, and where the first is, as the end of "the surface is not closed: ...".
const char *rb_mesh_defect_text(const RbMeshReport *report, RbArena *keep);

// One line per finding, with counts; what is fine is not mentioned except in the first line.
void rb_mesh_report_print(const RbMeshReport *report, RbText *out);

// What a repair changed.
typedef struct RbMeshRepair {
    int welded_vertices;
    int doubled_vertices;  // where solids meet in an edge or a vertex
    int removed_triangles; // invalid, with a vertex twice, duplicates
    int removed_vertices;  // unused or not finite
    int flipped_triangles;
    int guessed_cavities;   // bodies in others that faced the same way as these
    int twisted_components; // one-sided surfaces, which no flipping can orient
} RbMeshRepair;

// A mesh in which vertices closer than tol [m] are one (0: only equal ones), triangles that are
// invalid, have a vertex twice or occur again are gone, and all components are oriented outwards
// (those inside others inwards: cavities). Where solids meet in an edge, so that it has more than two triangles, or in a
// vertex, vertices are doubled (mesh_split.h), if nothing else is wrong. Holes are not closed. A triangle without area but with
// three different vertices stays, because without it the surface would be open. `what` may be NULL.
RbMesh rb_mesh_repair(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch,
                      RbMeshRepair *what);
