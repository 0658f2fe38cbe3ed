// SPDX-License-Identifier: MIT
// change.c: inputs, parameters and discrete variables of equations, between the steps of a run.
#include "program/ahead.h"
#include "program/layout.h"
#include "translate/equation_half_data.h"

// -------------------------------------------------------------------------------------------------
// inputs: scalars first, then the elements of whole arrays

int rb_equations_input_count(const void *self) {
    return ((const RbEquationHalf *)self)->in->counts[RB_AREA_U];
}

const char *rb_equations_input_name(const void *self, int i, RbArena *arena) {
    const RbEquationHalf *q = self;
    const RbSortedDae *d = rb_equations_dae(q);
    for (int k = 0; k < d->inputs.count; k++) {
        int var = d->inputs.data[k];
        if (d->vars.data[var].slot == i) return d->model->vars.data[var].name;
    }
    for (int k = 0; k < d->arrays.count; k++) {
        int var = d->arrays.data[k], first = q->in->sizes[RB_SIZES * k + RB_SIZES_AT];
        if (d->vars.data[var].kind != RB_DAE_INPUT) continue;
        if (i >= first && i < first + rb_program_elements(q->in, var))
            return rb_program_element_name(q->in, var, i - first, arena);
    }
    return "";
}

double rb_equations_input(const void *self, int i) {
    return ((const RbEquationHalf *)self)->in->frame.u[i];
}

RbStatus rb_equations_change_input(void *self, int i, double value, RbDiag *diag) {
    RbEquationHalf *q = self;
    if (q->input) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "input '%s' cannot be set: it comes from the input file",
                       rb_equations_input_name(self, i, diag->arena));
    }
    q->in->frame.u[i] = value;
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// parameters and discrete variables

RbStatus rb_equations_change(void *self, const char *name, double value, RbDiag *diag,
                             bool *parameter) {
    RbEquationHalf *q = self;
    return rb_program_change(q->in, name, value, diag, parameter);
}

RbStatus rb_equations_change_parameters(void *self, double time, RbDiag *diag) {
    RbEquationHalf *q = self;
    rb_externals_listen(q->externals, diag);
    RB_TRY(rb_program_change_parameters(q->in, time, diag));
    rb_ahead_renew(q->in);
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// what was set before a run, which must not keep what the run sets

void rb_equations_save_settings(const void *self, RbPacker *packer) {
    const RbProgramInstance *in = ((const RbEquationHalf *)self)->in;
    rb_pack_u64(packer, (uint64_t)in->counts[RB_AREA_U]);
    rb_pack_doubles(packer, in->frame.u, in->counts[RB_AREA_U]);
    rb_pack_doubles(packer, in->override_values, in->program->parameter_count);
    rb_pack_bytes(packer, in->overridden, (size_t)in->program->parameter_count);
    rb_pack_bytes(packer, in->given_inputs, (size_t)in->program->input_count);
}

void rb_equations_load_settings(void *self, RbUnpacker *unpacker) {
    RbProgramInstance *in = ((RbEquationHalf *)self)->in;
    uint64_t inputs = rb_unpack_u64(unpacker);
    for (uint64_t i = 0; i < inputs; i++) {
        double value = rb_unpack_double(unpacker);
        if (i < (uint64_t)in->counts[RB_AREA_U]) in->frame.u[i] = value;
    }
    rb_unpack_doubles(unpacker, in->override_values, in->program->parameter_count);
    rb_unpack_bytes(unpacker, in->overridden, (size_t)in->program->parameter_count);
    rb_unpack_bytes(unpacker, in->given_inputs, (size_t)in->program->input_count);
}
