// SPDX-License-Identifier: MIT
// linear_plot.h: pictures of a linear system: Bode, Nyquist, poles and zeros, step responses.
#pragma once

#include "cli.h"

typedef struct LinearPicture {
    int states, inputs, outputs;
    const char *const *input_names, *const *output_names;
    const RbLinearSystem *system;
    const double *real, *imaginary; // eigenvalues
    double from, to;                // [Hz]
    int count;                      // of frequencies
    double step_time;               // [s] 0: as long as the slowest stable mode needs
} LinearPicture;

// "KIND=FILE" with bode, nyquist, poles or step.
RbStatus linear_plot(Cli *cli, const LinearPicture *picture, const char *text);
