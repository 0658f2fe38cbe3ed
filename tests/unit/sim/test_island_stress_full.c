// SPDX-License-Identifier: MIT
// label: full
// test_island_stress.c with 1,000 scenes of up to 200 bodies.
#define SCENES     1000
#define MAX_BODIES 200
#include "test_island_stress.c"
