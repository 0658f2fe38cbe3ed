// SPDX-License-Identifier: MIT
// What qhull takes for the standard streams (CMakeLists.txt renames them): it is never given them.
#include <stdio.h>

#pragma GCC visibility push(hidden)
extern FILE *const rb_qhull_stdin, *const rb_qhull_stdout, *const rb_qhull_stderr;
FILE *const rb_qhull_stdin = NULL, *const rb_qhull_stdout = NULL, *const rb_qhull_stderr = NULL;
#pragma GCC visibility pop
