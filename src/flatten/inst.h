// SPDX-License-Identifier: MIT
// inst.h: what the files about instances share: inst.c, inst_size.c, inst_variable.c, binding.c and
// attribute.c. Others include frontend.h.
#pragma once

#include "flatten/frontend.h"

// An instance without a kind, not yet known to its parent.
RbInst *rb_inst_new(RbFrontEnd *fe, RbInst *parent, RbClass *class, RbElem *elem, RbName path);
// "motor.phi"
RbName rb_inst_path(RbFrontEnd *fe, const RbInst *parent, RbName name);

// Where the text of a scope stands, seen from an instance.
RbPlace rb_inst_place(RbFrontEnd *fe, RbInst *inst, RbClassPart *scope);

// --- inst_prefix.c -------------------------------------------------------------------------------

// Variability, causality, flow and visibility, of its own and from around; reports what does not go
// together.
void rb_inst_take_prefixes(RbFrontEnd *fe, RbInst *i);

// --- inst_connector.c ----------------------------------------------------------------------------

// Report what a connector, once it is complete, must not be made of.
void rb_inst_check_connector(RbFrontEnd *fe, const RbInst *i);

// --- inst_size.c ---------------------------------------------------------------------------------

typedef struct RbDims {
    int rank;
    int dims[RB_RANK_MAX];
    const RbExpr *exprs[RB_RANK_MAX]; // as in RbFlatVar
    bool keeps;                       // of Reals: sizes may change later
    bool has_free_size;
    bool open;             // some ':'
    int like[RB_RANK_MAX]; // number of the dimension that this one must equal: A[:, size(A, 1)]; or
                           // 0
} RbDims;

// Dimensions of a component: its own, then those of its clause, then those of its type.
bool rb_inst_dims(RbFrontEnd *fe, RbInst *parent, RbElem *e, RbClass *class, RbDims *d);
// A value for a size that the declaration leaves open: the size of the binding.
void rb_inst_close_dims(RbFrontEnd *fe, RbInst *i, RbDims *d);
// Sizes that follow from parameters, or from the value of a parameter, may change later.
void rb_inst_keep_sizes(RbFrontEnd *fe, const RbInst *i, const RbDims *d);

// --- inst_variable.c -----------------------------------------------------------------------------

void rb_inst_variable(RbFrontEnd *fe, RbInst *i);
// "Strings that " + "follow a name" as one text; NULL if there are none.
const char *rb_description(RbFrontEnd *fe, const RbAstStrings *s);

// --- binding.c -----------------------------------------------------------------------------------

// The strongest modification that gives a value; reports a final one that is overridden. Without
// the own ones only those count that are stronger than the value of a record around.
const RbModifier *rb_mods_value(RbFrontEnd *fe, RbMods mods, const char *what, bool include_own);
RbVal rb_modifier_value(RbFrontEnd *fe, RbInst *inst, const RbModifier *m, RbKeeping keeps);

// --- attribute.c ---------------------------------------------------------------------------------

void rb_inst_attributes(RbFrontEnd *fe, RbInst *i);
// The start value; NULL if there is none.
const RbExpr *rb_inst_start(RbFrontEnd *fe, RbInst *i);
// A parameter with fixed = false: the initialisation finds its value.
bool rb_inst_is_found(RbFrontEnd *fe, RbInst *i);
