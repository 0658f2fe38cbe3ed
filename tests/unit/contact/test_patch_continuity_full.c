// SPDX-License-Identifier: MIT
// label: full
// test_patch_continuity along 10,000 paths.
#define PATHS 10000
#include "test_patch_continuity.c"
