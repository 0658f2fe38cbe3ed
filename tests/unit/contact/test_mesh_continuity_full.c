// SPDX-License-Identifier: MIT
// label: full
// test_mesh_continuity along 10,000 paths.
#define PATHS 10000
#include "test_mesh_continuity.c"
