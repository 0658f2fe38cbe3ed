// SPDX-License-Identifier: MIT
// unit.h: unit strings such as "N.m/rad" (Modelica specification, chapter 19) and whether equations
// respect them.
#pragma once

#include "expr/flat_model.h"

// Dimensions: m kg s A K mol cd degC. A temperature in degC does not mix with one in K; an angle
// has no dimension.
enum { RB_UNIT_DIMENSIONS = 8, RB_UNIT_DENOMINATOR = 12 };

typedef struct RbUnit {
    double factor;                      // of the SI unit with these dimensions
    short exponent[RB_UNIT_DIMENSIONS]; // in twelfths, so that roots stay exact
} RbUnit;

// False if the text is not a unit that we know.
bool rb_unit_parse(const char *text, RbUnit *unit);
bool rb_unit_equal(const RbUnit *a, const RbUnit *b);
// In terms of base units: "kg.m2/s2"; "1" without dimension.
void rb_unit_print(const RbUnit *unit, RbText *out);

// Compare the units on both sides of all equations and bindings. What has no unit fits everywhere.
// Each equation that does not fit is reported once: as a warning, or as an error if strict.
// Equations (key: pointer) and variables (key: index plus one) in `skip` are left out.
void rb_check_units(const RbFlatModel *model, const RbMap *skip, bool strict, RbArena scratch,
                    RbDiag *diag);
