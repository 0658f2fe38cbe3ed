// SPDX-License-Identifier: MIT
#include "code/array_operations.h"

#include <string.h>

#include "code/layout.h"

// Every element is a sum that begins with zero and goes on in order, as in the interpreter; but
// several of them are computed side by side.
static void product_of(double *c, const double *a, const double *b, int rows, int inner,
                       int columns) {
    enum { SIDE = 8 };
    int i = 0;
    for (; columns == 1 && i + SIDE <= rows; i += SIDE) {
        double s[SIDE] = {0};
        const double *r = a + (size_t)i * (size_t)inner;
        for (int k = 0; k < inner; k++) {
            for (int m = 0; m < SIDE; m++) s[m] += r[m * inner + k] * b[k];
        }
        memcpy(c + i, s, sizeof s);
    }
    for (; i < rows; i++) {
        double *row = c + (size_t)i * (size_t)columns;
        for (int j = 0; j < columns; j++) row[j] = 0;
        for (int k = 0; k < inner; k++) {
            double f = a[i * inner + k];
            for (int j = 0; j < columns; j++) row[j] += f * b[k * columns + j];
        }
    }
}

// A part of an array whose elements do not lie side by side.
static void gather(RbCodeFrame *f, int number, double *to, const double *from) {
    const RbProgramInstance *in = (const RbProgramInstance *)f;
    const int *steps = &in->slices[RB_SLICE * number];
    const int *sizes = &in->sizes[RB_SIZES * (in->program->dae->arrays.count + number)];
    for (int i = 0; i < sizes[RB_SIZES_ROWS]; i++) {
        for (int j = 0; j < sizes[RB_SIZES_COLUMNS]; j++)
            *to++ = from[steps[0] + i * steps[1] + j * steps[2]];
    }
}

void rb_array_operations(RbCodeFrame *f) {
    f->product = product_of;
    f->gather = gather;
}
