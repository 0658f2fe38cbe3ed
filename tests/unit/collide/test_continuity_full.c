// SPDX-License-Identifier: MIT
// label: full
// test_continuity.c with 10^4 paths.
#define PATHS 10000
#include "test_continuity.c"
