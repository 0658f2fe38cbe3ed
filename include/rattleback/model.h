// SPDX-License-Identifier: MIT
// model.h: a model of components, of Modelica text (modelica.h), of bodies (scene.h), or one that is
// built in: what it consists of and what can be set before a run.
//
//     RbModel *model;
//     rb_example_open(context, "bouncing-ball", &model);
//     rb_model_set(model, "ball.e", 0.5);
#pragma once

#include "rattleback/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbModel RbModel;

RB_API RbStatus rb_model_create(RbContext *context, const char *name, RbModel **model);

// Add a component of a registered type under a name that is new in the model.
RB_API RbStatus rb_model_add_component(RbModel *model, const char *type, const char *name);

// Set "component.parameter" before a run.
RB_API RbStatus rb_model_set(RbModel *model, const char *path, double value);

// Set a vector (rank 1) or matrix (rank 2) of a Modelica model, row by row, before a run: a
// parameter, an input, or the start value of a variable. Where all equations use the array as a
// whole it may get another size; otherwise the message names the equation that does not.
RB_API RbStatus rb_model_set_array(RbModel *model, const char *path, int rank, const int *dims,
                                   const double *values);

// The same for a value as a user writes it: 0.8, true, a literal of an enumeration, {1, 2} or
// [1, 2; 3, 4]; for a String its text, without quotation marks.
RB_API RbStatus rb_model_set_text(RbModel *model, const char *path, const char *value);

// Values from a file, in its order: lines NAME=VALUE (those that begin with # are comments), or a parameter set of SSP
// (.ssv). They live as long as the context; rb_model_set_text takes them.
typedef struct RbParameterValue {
    const char *name, *value;
    RbPos at;
} RbParameterValue;
RB_API RbStatus rb_parameter_set_read(RbContext *context, const char *file, const RbParameterValue **settings,
                                 int *count);

// Record what happens between two parts of a Modelica model while they touch: depth, force, point, slip and
// what is dissipated, as contact(a,b). Names that are no parts with a shape are told when the run starts.
RB_API RbStatus rb_model_record_contact(RbModel *model, const char *a, const char *b);

// The models that are built in: name and description of number i, false after the last one.
RB_API bool rb_example(int index, const char **name, const char **description);
RB_API RbStatus rb_example_open(RbContext *context, const char *name, RbModel **model);

// -------------------------------------------------------------------------------------------------
// what it consists of

typedef struct RbModelInfo {
    const char *name, *description;
    double start_time, stop_time, tolerance, output_interval; // [s] it suggests; 0: it does not say
    // Of Modelica text, in numbers:
    int equations, variables; // as they are written
    int equations_left;       // without those that say that two variables are equal
    int states, indicators;   // at the start; 0 for other models, which know when they run
    int residual_systems;     // linear systems for derivatives that go to ida as residuals,
    int residual_unknowns, residual_largest; // their unknowns, and those of the largest one
    bool bodies;                             // it has bodies, which may touch (scene.h)
} RbModelInfo;

// All zero for NULL. The texts live as long as the context, here and below.
RB_API RbModelInfo rb_model_info(const RbModel *model);

// Components in C; of Modelica text they are an inner matter, and none are told.
typedef struct RbModelComponent {
    const char *name, *type, *description;
} RbModelComponent;

RB_API RbStatus rb_model_components(const RbModel *model, const RbModelComponent **components,
                                    int *count);

typedef enum RbModelKind { RB_MODEL_PARAMETER, RB_MODEL_INPUT, RB_MODEL_STATE } RbModelKind;

typedef enum RbModelType {
    RB_MODEL_REAL,
    RB_MODEL_INTEGER,
    RB_MODEL_BOOLEAN,
    RB_MODEL_ENUMERATION, // 1, 2, ... for its choices
    RB_MODEL_STRING,
} RbModelType;

// What can be set, and the states of Modelica text.
typedef struct RbModelVariable {
    RbModelKind kind;
    int component;     // number among the components; -1: of Modelica text
    const char *name;  // with its sizes: "A[2, 2]"
    const char *value; // a number, or an expression; where an input or a state starts; "": not said
    const char *unit, *description;
    bool structural; // decides how the model is built: another value needs another text
    RbModelType type;
    double min, max;            // NaN: not said, or an expression
    const char *const *choices; // of an enumeration
    int choice_count;
} RbModelVariable;

RB_API RbStatus rb_model_variables(const RbModel *model, const RbModelVariable **variables,
                                   int *count);

// The system of equations at the start, for people: states, quadratures, event indicators, discrete
// values of every component, and which derivative depends on which state.
RB_API RbStatus rb_model_system(RbModel *model, const char **text);

#ifdef __cplusplus
}
#endif
