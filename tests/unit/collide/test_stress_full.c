// SPDX-License-Identifier: MIT
// label: full
// test_stress.c with 10^7 queries.
#define QUERIES 10000000
#include "test_stress.c"
