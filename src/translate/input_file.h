// SPDX-License-Identifier: MIT
// input_file.h: signals for the inputs of a model, from a table with the time in its first column
// (--input-file). Real signals are linear between the rows; a time that stands twice is a jump, and
// so an event. Integer, Boolean and enumeration signals hold their value until the next row.
#pragma once

#include "program/program.h"
#include "external/interpolate.h"

typedef struct RbInputFile RbInputFile;

// Read signals for all inputs of the program from a .csv or .mat file. Every input needs a column
// of its name, an array one for each element, u[1] or u[2,3]; units that the file gives are
// converted.
RbStatus rb_input_file(const RbProgram *program, const char *path, RbArena *arena, RbArena scratch,
                       RbDiag *diag, RbInputFile **out);

// The sizes of arrays are known now: there has to be a signal for each of their elements, and none
// for others.
RbStatus rb_input_file_place(RbInputFile *file, const RbProgramInstance *in, RbDiag *diag);

// Warn if the signals do not cover the run; they hold their first and last values there.
void rb_input_file_check(const RbInputFile *file, double start_time, double stop_time,
                         RbDiag *diag);

// The values at a time, to the place of each input. At a jump those to the left, until
// rb_input_file_pass was called there.
void rb_input_file_read(const RbInputFile *file, double time, double *inputs);
void rb_input_file_pass(RbInputFile *file, double time);
double rb_input_file_next(const RbInputFile *file);        // [s] the next jump, or infinity
double rb_input_file_stop(const RbInputFile *file, double now); // or the next bend
void rb_input_file_resume(RbInputFile *file, double next); // with what that was

// Of the contents: another file makes another run.
uint64_t rb_input_file_hash(const RbInputFile *file, uint64_t hash);
