// SPDX-License-Identifier: MIT
// dxf.h: meshes in DXF files (ASCII): 3DFACE, polyface meshes and polygon meshes of POLYLINE; and closed
// outlines (LWPOLYLINE, POLYLINE, with arcs; CIRCLE) for extrusion. Blocks, other entities and binary DXF
// are not read. Units: $INSUNITS of the header, if it is there.
#pragma once

#include "base/file.h"
#include "geom/contour.h"

typedef struct RbDxf {
    RbMesh mesh;       // faces; every face has vertices of its own
    RbContour outline; // closed polylines in the xy plane, one loop each
    double unit;       // [m] of the file; 0: it does not say
    int unknown_unit;  // code of $INSUNITS that means nothing to us; 0: none
    RbPos unit_at;     // where the unit is said
} RbDxf;

// Warn of a unit that is not known, unless the user chose the scale, or that is not the scale, metres per unit of the file, by which the
// numbers are taken. Answers whether there is a warning that was not there before.
bool rb_dxf_warn_of_unit(const RbDxf *dxf, double scale, bool chosen, RbDiag *diag);

// Read a DXF file from memory; messages give the line. `arc_segments` is the number of pieces of a full
// circle. Coordinates are as in the file, not scaled by the unit.
RbStatus rb_dxf_read(RbBytes bytes, const char *file, int arc_segments, RbArena *keep,
                     RbArena scratch, RbDiag *diag, RbDxf *out);
