// SPDX-License-Identifier: MIT
// interpret.h: the expressions of a program evaluated one by one, and calls of functions that are
// not compiled.
#pragma once

#include "program/program.h"

// As the compiled function of the section: 0 or 1 + number of the system that failed.
int rb_interpret(RbProgramInstance *in, RbSectionId section);

// Tables are asked again and again for the same value: the last of each place is kept, until parameters change.
struct RbSiteMemory *rb_site_memory(const RbProgram *program, RbArena *arena);
void rb_forget_sites(RbProgramInstance *in);

// RbCodeFrame.call and RbCodeFrame.element.
void rb_call_site(RbCodeFrame *f, int site, const double *args, double *results);
double rb_checked_element(RbCodeFrame *f, const double *array, int count, double index);

// RbCodeFrame.call_whole.
void rb_call_whole(RbCodeFrame *f, int site, const double *s, const RbCodeArray *v, double *rs,
                   double **to, const int *count);

// RbCodeFrame.apply, store and invoke: what compiled functions leave to us.
int rb_apply_arrays(RbCodeFrame *f, int node, const RbCodeArray *args, RbCodeArray *value);
int rb_store_elements(RbCodeFrame *f, int node, RbCodeArray *array, const RbCodeArray *subscripts,
                      const RbCodeArray *value);
int rb_invoke_function(RbCodeFrame *f, int function, const double *s, const RbCodeArray *v,
                       double *rs, RbCodeArray *rv);

// Call a function for its effect; false if it fails (in->failure says why).
bool rb_interpret_call(RbProgramInstance *in, const RbExpr *call);

// A message (a string expression) at the present values.
const char *rb_message_text(RbProgramInstance *in, const RbExpr *message);
