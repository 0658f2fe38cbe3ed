// SPDX-License-Identifier: MIT
// label: full
// test_accuracy.c with 10^5 poses per pair (half an hour).
#define POSES 100000
#include "test_accuracy.c"
