// SPDX-License-Identifier: MIT
// shipped.h: the Modelica library that comes with the program (library/Rattleback), compiled in so
// that nothing has to be found at run time. A package of the same name on the user's path comes
// first.
#pragma once

typedef struct RbShippedFile {
    const char *path; // "Rattleback/Electrical.mo"; the file package.mo of a package is the first
    const char *text;
} RbShippedFile;

// Ends with a path of NULL.
extern const RbShippedFile rb_shipped_library[];
// Models of examples/modelica that the command runs by the name of a scene; likewise.
extern const RbShippedFile rb_shipped_scenes[];
