// SPDX-License-Identifier: MIT
// model.h: the components that make up a model, before any segment is started.
//
// One of them may be the driver: the equation half, which calls the functions of the others in
// sorted order. Without a driver every component is evaluated by itself, function after function,
// with constant inputs.
#pragma once

#include "base/file.h"
#include "component/instance.h"
#include "component/registry.h"
#include "rattleback/run.h"

// A variable of kind RB_VARIABLE_STATE is a state of the driver.
typedef struct RbBinding {
    int instance;
    int variable;
    int driver_state;
    int sign; // variable = sign * state
} RbBinding;

struct RbModel {
    RbContext *context; // of the public interface, or NULL
    RbArena *arena;
    const char *name;
    const char *description;
    RB_ARRAY(RbInstance) instances;
    RB_ARRAY(RbBinding) bindings;
    int equations; // index of the translated equations that know the parameters, or RB_NONE
    int driver; // index, or RB_NONE. A driver that calls components when it starts is the last one
    bool driver_watches; // it has no states and no events, and gives nothing to a component: they
                         // are integrated as if there were none, and it is asked for results
    // Before a run: parameters of the components that follow from those of the equations. May be
    // NULL.
    RbStatus (*prepare)(RbModel *model, double time, RbDiag *diag);
    // Inputs as functions of time and states, while a run lasts; NULL: constant.
    RbInputFunction input_function;
    void *input_user;
    bool running;                              // a run is open
    struct RbInputFile *inputs;                // signals for the inputs of the equations, or NULL
    const struct RbTranslation *translation;   // of Modelica text; NULL: it is none
    const struct RbFunctionProgram *functions; // that components want of it; NULL: none
    uint64_t equations_hash; // of the translated equations: a checkpoint of others does not fit; 0:
                             // there are none
    // What the model suggests for a run.
    double start_time;      // [s]
    bool says_when;         // it ends: its stop time may be 0
    double stop_time;       // [s] 0: 1
    double tolerance;       // 0: 1e-6
    double output_interval; // [s] 0: stop_time/500
    int least_steps;    // steps that a run takes at least unless a maximum step is given, so that
                        // events are not stepped over; 0: any
    const char *solver; // NULL: auto
};

// Does the driver have a say in the motion of the components?
static inline bool rb_model_is_driven(const RbModel *model) {
    return model->driver != RB_NONE && !model->driver_watches;
}

RbModel *rb_model_new(const char *name, const char *description, RbArena *arena);

// The scene of soft bodies in an XML file (model_file.c).
RbStatus rb_model_of_file(const char *file, RbArena *arena, RbDiag *diag, RbModel **out);
RbStatus rb_model_of_text(const char *file, RbBytes text, RbArena *arena, RbDiag *diag,
                          RbModel **out); // which would stand in that file

// A scene of soft bodies, which must live as long as the model.
struct RbSoftScene;
RbStatus rb_model_of_soft_scene(const struct RbSoftScene *scene, RbArena *arena, RbDiag *diag,
                                RbModel **out);

// Answers the index of the component in *index (may be NULL). A name that is taken is an error.
RbStatus rb_model_add(RbModel *model, const RbComponentType *type, const char *name, RbDiag *diag,
                      int *index);

// The same with data for its build, which must live as long as the model.
RbStatus rb_model_add_with(RbModel *model, const RbComponentType *type, const char *name,
                           const void *data, RbDiag *diag, int *index);

// The same with the members that were gathered for it.
RbStatus rb_model_add_gathered(RbModel *model, const RbComponentType *type, const char *name,
                               const RbGathered *gathered, RbDiag *diag, int *index);

// Set "component.parameter" (or the value of an unconnected input).
RbStatus rb_model_override(RbModel *model, const char *path, double value, RbDiag *diag);

// Inputs that can be set, numbered 0, 1, ...: of components that no equation drives, then of the
// equations. rb_model_number_inputs answers how many there are.
typedef struct RbModelInput {
    RbInstance *instance;
    int number; // variable of the component, or input of the equations
    bool equations;
} RbModelInput;

int rb_model_number_inputs(RbModel *model);
RbModelInput rb_model_input(RbModel *model, int input);

// A function for all of them.
void rb_model_input_function(RbModel *model, RbInputFunction function, void *user);

// The equations of a translated model, or NULL.
RbInstance *rb_model_equations(RbModel *model);

// The number that a word means for a parameter of a translated model: true, false, or a literal of
// an enumeration. False: none.
bool rb_model_literal(RbModel *model, const char *path, const char *text, double *value);

// Is this a String of a translated model?
bool rb_model_is_string(const RbModel *model, const char *path);

RbStatus rb_model_override_text(RbModel *model, const char *path, const char *text, RbDiag *diag);

// Set an array of a translated model, row by row; its size may differ where equations use it whole.
RbStatus rb_model_override_array(RbModel *model, const char *path, int rank, const int *dims,
                                 const double *values, RbDiag *diag);

// After a run: arrays whose sizes are not those of the translation, in words; NULL: none.
const char *rb_model_changed_sizes(const RbModel *model, RbArena *arena);
