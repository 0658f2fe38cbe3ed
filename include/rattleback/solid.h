// SPDX-License-Identifier: MIT
// solid.h: solids as closed triangle meshes, built from functions and combined: box, cone, sphere, torus,
// extruded, turned and swept polygons, files; union, difference, intersection.
//
//     RbWorkpiece *plate, *hole, *part;
//     rb_workpiece_box(context, (double[]){0.1, 0.1, 0.01}, &plate);
//     rb_workpiece_cone(context, 0.02, 0.02, 0.01, 64, &hole);
//     rb_workpiece_map(hole, NULL, (double[]){0.05, 0.05, 0}, &hole);
//     if (rb_workpiece_combine(RB_WORKPIECE_DIFFERENCE, plate, hole, &part) != RB_OK) ...
//     rb_workpiece_write(part, "part.stl");
//
// Workpieces are never changed: every call makes a new one. They live as long as their context. Units are SI.
// Calls answer RB_OK or an error, which the messages of the context explain.
#pragma once

#include "rattleback/base.h"
#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbWorkpiece RbWorkpiece;

// From the origin to the corner `size`.
RB_API RbStatus rb_workpiece_box(RbContext *context, const double size[3], RbWorkpiece **form);

// About the z axis from z = 0; equal radii make a cylinder, one may be zero. All points of the mesh lie on
// the true surface.
RB_API RbStatus rb_workpiece_cone(RbContext *context, double bottom, double top, double height,
                                  int segments, RbWorkpiece **form);
RB_API RbStatus rb_workpiece_sphere(RbContext *context, double radius, int segments,
                                    RbWorkpiece **form);
RB_API RbStatus rb_workpiece_torus(RbContext *context, double radius, double tube, int segments,
                                   RbWorkpiece **form);

// A polygon: loops of points x, y; what lies in an odd number of them belongs to it.
typedef struct RbWorkpiecePolygon {
    const double *points; // 2 per point
    const int *loops;     // number of points of each loop
    int loop_count;
} RbWorkpiecePolygon;

// Drawn out along z; turned about the z axis (x is the radius, y the height); moved along a path of 3 numbers
// per point, its y axis near `up` at the start. A polygon or a sweep that crosses itself is refused.
RB_API RbStatus rb_workpiece_extrude(RbContext *context, const RbWorkpiecePolygon *polygon,
                                     double height, RbWorkpiece **form);
RB_API RbStatus rb_workpiece_lathe(RbContext *context, const RbWorkpiecePolygon *polygon,
                                   int segments, RbWorkpiece **form);
RB_API RbStatus rb_workpiece_sweep(RbContext *context, const RbWorkpiecePolygon *polygon,
                                   const double *path, int count, bool closed, const double up[3],
                                   RbWorkpiece **form);

// A file (.stl, .obj, .ply, .dxf), welded and repaired; `scale`: metres per unit. A surface that does not
// enclose a body is refused, with the place of the first defect.
RB_API RbStatus rb_workpiece_read(RbContext *context, const char *file, double scale,
                                  RbWorkpiece **form);
RB_API RbStatus rb_workpiece_write(const RbWorkpiece *form, const char *file); // .stl, .obj, .ply

// How a mesh file of unknown quality is read.
typedef struct RbMeshReading {
    double scale; // metres per unit of the file; 0: 1, or what a DXF file says
    double
        weld; // [m] vertices closer than this are one; 0: only equal ones; negative: 1e-9 of the size
    double extrude; // [m] draw out the closed outlines of a DXF file to this height; 0: do not
    double
        simplify; // [m] remove vertices as long as the surface moves by less than this; 0: do not
} RbMeshReading;

// Weld 1e-9 of the size; neither extruded nor simplified.
RB_API RbMeshReading rb_mesh_reading_default(void);

// What was found and mended.
typedef struct RbMeshFindings {
    bool encloses_body; // closed, oriented, positive volume
    int parts;          // objects or groups of the file; 1 if the format has none
    int vertices, triangles, components;
    int open_edges, crowded_edges, twisted_edges;
    int welded_vertices, removed_triangles, removed_vertices, flipped_triangles;
    int doubled_vertices; // where solids meet in an edge or a vertex
    int guessed_cavities;   // bodies in others that faced the way these do, and were turned
    int one_sided;          // surfaces that cannot be oriented
    double low[3], high[3]; // [m] corners of the box around it
    double area;            // [m2]
    double volume;          // [m3] if it encloses a body, as are
    double centroid[3];     // [m]
    double inertia[9];      // [m5] about the centroid, for density 1 kg/m3
    const char *text; // all that is wrong, with its place, in words; lives as long as the context
} RbMeshFindings;

// Read, weld and repair a file as rb_workpiece_read does, and tell what was found, also if it encloses
// no body: then RB_OK as well, and *form can be looked at and written, but not be combined. form may be
// NULL.
RB_API RbStatus rb_workpiece_inspect(RbContext *context, const char *file,
                                     const RbMeshReading *reading, RbMeshFindings *findings,
                                     RbWorkpiece **form);

typedef enum RbWorkpieceOperation {
    RB_WORKPIECE_UNION,
    RB_WORKPIECE_DIFFERENCE,
    RB_WORKPIECE_INTERSECTION
} RbWorkpieceOperation;

// Both of one context. If nothing is left the answer is an error.
RB_API RbStatus rb_workpiece_combine(RbWorkpieceOperation operation, const RbWorkpiece *a,
                                     const RbWorkpiece *b, RbWorkpiece **form);

// x becomes m x + r: a matrix by rows (NULL: none) and a translation (NULL: none).
RB_API RbStatus rb_workpiece_map(const RbWorkpiece *form, const double m[9], const double r[3],
                                 RbWorkpiece **out);

// Without vertices whose removal moves the surface by less than `tolerance` [m]; with no side longer than
// `longest` [m].
RB_API RbStatus rb_workpiece_simplify(const RbWorkpiece *form, double tolerance, RbWorkpiece **out);
RB_API RbStatus rb_workpiece_refine(const RbWorkpiece *form, double longest, RbWorkpiece **out);

typedef struct RbWorkpieceProperties {
    double volume;      // [m3]
    double area;        // [m2]
    double centroid[3]; // [m]
    double inertia[9];  // [m5] about the centroid, for density 1 kg/m3
    int vertices, triangles, components;
} RbWorkpieceProperties;

RB_API RbStatus rb_workpiece_properties(const RbWorkpiece *form, RbWorkpieceProperties *properties);

// The mesh: 3 doubles per vertex, 3 ints per triangle, counter-clockwise seen from outside. Valid as long as
// the context.
RB_API void rb_workpiece_mesh(const RbWorkpiece *form, const double **vertices, int *vertex_count,
                              const int **triangles, int *triangle_count);

// -------------------------------------------------------------------------------------------------
// solids of models, and pictures

typedef struct RbNamedWorkpiece {
    const char *name; // "gear.mesh": what is a Rattleback.Solids.TriangleMesh in the model
    const RbWorkpiece *form;
    RbMeshFindings findings;
} RbNamedWorkpiece;

// The solids of a Modelica model with the values that are set, as they are built when a run starts: those of its
// workpieces and all others among its parameters. One that cannot be built is an error. They live as long as the
// context.
RB_API RbStatus rb_model_solids(RbModel *model, const RbNamedWorkpiece **solids, int *count);

// The convex parts of one body: all files .stl, .obj and .ply in a folder, in the order of their names (other
// files are passed over). A part is called as its file; an OBJ file with several objects has a part for each. Welded and
// repaired as by rb_workpiece_read; `scale`: metres per unit. A part that is open or not convex is an error, which
// tells the file and how far it is from its hull. *whole is all of them: mass properties are the sums (what parts share
// counts twice), and its form, in which parts that touch keep their faces, can be looked at and written, but not be
// combined. They live as long as the context. A solid of a scene is made of a folder by its mesh_file.
RB_API RbStatus rb_workpiece_read_folder(RbContext *context, const char *folder, double scale,
                                         const RbNamedWorkpiece **parts, int *count,
                                         RbNamedWorkpiece *whole);

// What they look like, in a row along x: a page (.html), a picture (.png), or a file of rb_export (view.h). `findings`
// does not matter.
RB_API RbStatus rb_workpieces_draw(RbContext *context, const char *title,
                                   const RbNamedWorkpiece *solids, int count, const char *file);

#ifdef __cplusplus
}
#endif
