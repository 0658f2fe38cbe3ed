// SPDX-License-Identifier: MIT
// sheet.h: the surface of a core with round pieces, as sheets of straight lines: ends of cylinders and
// beams, sides of cylinders, cones and beams. Along a line the overlap with a flat body is linear.
#pragma once

#include "geom/core.h"

// One line of a sheet, p(s) = o + s t for s0 <= s <= s1; area: dA = (j0 + j1 s) ds dtau.
typedef struct RbLine {
    Vec3 o, t; // t is a unit vector
    double s0, s1, j0, j1;
} RbLine;

typedef enum RbSheetKind {
    RB_SHEET_END,  // disc or stadium: lines across, at r sin(tau)
    RB_SHEET_SIDE, // of a cylinder or frustum: lines along, at the angle tau
    RB_SHEET_FLAT, // flat side of a beam: lines along, at tau
} RbSheetKind;

typedef struct RbSheet {
    RbSheetKind kind;
    Vec3 c; // END: centre; SIDE: centre of the first rim; FLAT: middle
    Vec3 e1, e2,
        axis; // END: lines along e1, which follow each other along e2; SIDE: tau from e1 to e2;
              // FLAT: lines along axis, which follow each other along e1
    double r0, r1;    // END: radius r0; SIDE: of the two rims
    double straight;  // END: half length of the straight part of a stadium, along e1
    double length;    // SIDE, FLAT: along the axis
    double low, high; // of tau
    double guess;     // tau near which the sheet is closest to the other body
} RbSheet;

enum { RB_SHEETS_MAX = 6 };

// Has the core such sheets?
bool rb_has_sheets(const RbCore *core);

// All sheets of the core, placed by X. towards: unit vector to the other body, at: the point of the
// core that is closest to it, both in the frame X leads to. order: lines of a disc follow each other that
// way.
int rb_sheets(const RbCore *core, Pose X, Vec3 towards, Vec3 at, Vec3 order,
              RbSheet out[RB_SHEETS_MAX]);

RbLine rb_sheet_line(const RbSheet *sheet, double tau);
