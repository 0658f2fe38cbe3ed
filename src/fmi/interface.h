// SPDX-License-Identifier: MIT
// interface.h: what a component that is an FMU has whatever its kind: inputs, outputs and parameters as the class in Modelica has them
// (modelica_class.h), results, and the way of what goes wrong to the user.
#pragma once

#include "component/segment.h"
#include "fmi/binary.h"

// Inputs or outputs: elements of arrays one by one.
typedef struct RbFmiPorts {
    RbFmiGroup group;
    int *variables; // per value: its number among the variables of the component
    double *values; // per value
} RbFmiPorts;

typedef struct RbFmiUnit {
    RbFmi *fmi;
    const RbFmiKind *kind;
    RbArena *arena;
    RbFmiInstance instance;
    RbFmiPorts inputs, outputs; // values of inputs: as the model wants them now
    double *given;              // values of inputs that the FMU has
    RbFmiGroup parameters, texts, results;
    double *parameter_values, *wanted_parameters; // that the FMU has, and is to have
    bool parameters_changed;                      // in a run
    RbBlob restored;                              // from a checkpoint; bytes NULL: none
    bool deferred;                                // the instance is released with the arena
    bool warned;                                  // what it has logged as a warning was told
} RbFmiUnit;

// Parameters, inputs, outputs; equations for what is not Real in Modelica.
void rb_fmi_unit_build(RbFmiUnit *unit, RbFmi *fmi, const RbFmiKind *kind, RbBuild *build);

// Parameters were set in a run: those that are not tunable are refused; the others wait for an event.
RbStatus rb_fmi_unit_renew(RbFmiUnit *unit, RbSegment *segment);
RbFmiStatus rb_fmi_unit_give_parameters(RbFmiUnit *unit);

// A new instance that has its parameters and is in initialization mode.
RbStatus rb_fmi_unit_start(RbFmiUnit *unit, RbSegment *segment);

// Variables that are no part of the class, as results; their values at the present point.
void rb_fmi_unit_declare_results(const RbFmiUnit *unit, RbSegment *segment);
void rb_fmi_unit_record(RbFmiUnit *unit, double *results);

// Inputs of a function, in Modelica's numbers, to the wanted ones: those from `first` to `first + count` of the ports.
void rb_fmi_unit_want(RbFmiUnit *unit, const int *ports, int count, const double *inputs);
// Outputs of the FMU in Modelica's numbers.
RbFmiStatus rb_fmi_unit_outputs(RbFmiUnit *unit, double *values);

// Give the FMU the inputs that pass and have changed; NULL: all.
RbFmiStatus rb_fmi_unit_give(RbFmiUnit *unit, bool (*wanted)(const RbFmiVariable *));
bool rb_fmi_unit_has_changed(const RbFmiUnit *unit, bool (*wanted)(const RbFmiVariable *));

// Update discrete states until none is left. False: it failed.
bool rb_fmi_unit_update(RbFmiUnit *unit, RbFmiNews *news);

// What went wrong: of an evaluation, an event, a segment.
RbEvalStatus rb_fmi_eval_fail(const RbFmiUnit *unit, const RbEval *eval);
RbRestart rb_fmi_event_fail(const RbFmiUnit *unit, const RbEvent *event);
RbStatus rb_fmi_segment_fail(const RbFmiUnit *unit, RbSegment *segment);
// What it has logged since the last event.
void rb_fmi_unit_tell(RbFmiUnit *unit, const RbEvent *event);
// The first warning, for RbComponentType.doubt.
bool rb_fmi_unit_warns(RbFmiUnit *unit, char *text, size_t size);

// A checkpoint holds the state of the FMU as bytes, if the FMU has them.
void rb_fmi_unit_save(RbFmiUnit *unit, RbSaver *saver);
bool rb_fmi_unit_restore(RbFmiUnit *unit, RbLoader *loader);
// Once it runs: what the checkpoint holds.
RbFmiStatus rb_fmi_unit_load(RbFmiUnit *unit);
