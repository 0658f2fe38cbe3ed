// SPDX-License-Identifier: MIT
// modelica.h: models written in Modelica: where the text comes from, where its libraries are, how
// it is translated.
//
//     RbModelica source = rb_modelica_default();
//     source.text = "model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;";
//     rb_modelica_translate(context, &source, &model);
#pragma once

#include "rattleback/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// Machine code for the equations. It is there at once, made in memory; the system's compiler makes
// faster code with the same bits, which is kept in the user's cache.
typedef enum RbOptimize {
    RB_OPTIMIZE_NEVER,
    RB_OPTIMIZE_AUTO,   // during a run that lasts longer than a second, by a process beside it
    RB_OPTIMIZE_ALWAYS, // before the run
} RbOptimize;

// Linear systems whose unknowns are derivatives of states can go to the solver ida as residuals
// instead of being solved at every evaluation.
typedef enum RbResidualSystems {
    RB_RESIDUAL_AUTO, // those of 50 unknowns or more
    RB_RESIDUAL_ALWAYS,
    RB_RESIDUAL_NEVER,
} RbResidualSystems;

typedef struct RbModelica {
    const char *file; // Modelica file or package folder; NULL: the class is in a library
    const char *text; // Modelica text instead of the contents of a file, which `file` only names
    const char *class_name;       // NULL: the last class of the file or text
    const char *const *libraries; // folders with packages, searched before MODELICAPATH, up to a
                                  // NULL; NULL: none
    const char *input_file; // signals for the inputs: .csv or .mat; NULL: inputs are set (sim.h)
    RbOptimize optimize;
    RbResidualSystems residual_systems;
    bool no_external; // refuse external "C", which may do anything; for models of unknown origin
    bool
        multibody_engine; // run Modelica.Mechanics.MultiBody by the engine instead of its equations; a
    // model that uses what the engine does not know stays equations, with a note
    bool strict_units; // a unit that does not fit is an error instead of a warning
    // What the translation may cost before it is given up: memory [GB] and CPU time [s]; 0: 4 GB,
    // 600 s.
    double translation_memory, translation_seconds;
} RbModelica;

// No file, no text, never optimised.
RB_API RbModelica rb_modelica_default(void);

// A scene that is built in (rb_scene_example) as a Modelica model: its text, the name of its file in
// examples/modelica and its class. False: it has none.
RB_API bool rb_modelica_scene(const char *scene, RbModelica *source);

RB_API RbStatus rb_modelica_translate(RbContext *context, const RbModelica *source,
                                      RbModel **model);

// Translate a class of a Modelica file (NULL: the last one in it). Without a file (NULL) it is a
// class of a library, with its full name.
RB_API RbStatus rb_modelica_open(RbContext *context, const char *file, const char *class_name,
                                 RbModel **model);

// Only translate, and tell what the model consists of: everything that rb_modelica_translate would
// complain about, without a model to run.
RB_API RbStatus rb_modelica_check(RbContext *context, const RbModelica *source, RbModelInfo *info);

// An inner stage of the translation as text, for people: "ast", "inst", "flat", "sorted" or "c". Lives
// as long as the context.
RB_API RbStatus rb_modelica_dump(RbContext *context, const RbModelica *source, const char *stage,
                                 const char **text);

// What a user takes from a package, at any depth, in the order of the text: models, blocks, connectors
// and records that are not partial, functions of packages, enumerations.
typedef struct RbModelicaClass {
    const char *name; // in full
    const char *description;
} RbModelicaClass;

typedef struct RbModelicaPackage {
    const char *name; // in full
    bool is_package;  // or is it another class, or none?
    const RbModelicaClass *classes;
    int count;
} RbModelicaPackage;

// The package that the source means; the one that is built in is called "Rattleback". All of it lives
// as long as the context.
RB_API RbStatus rb_modelica_package(RbContext *context, const RbModelica *source,
                                    RbModelicaPackage *package);

// What a class declares and inherits, as it is written, whether or not it makes a model alone. Protected elements and final
// parameters are left out.
typedef enum RbModelicaElementKind {
    RB_ELEMENT_PARAMETER,
    RB_ELEMENT_CONSTANT,
    RB_ELEMENT_INPUT,
    RB_ELEMENT_OUTPUT,
    RB_ELEMENT_CONNECTOR, // without a direction
    RB_ELEMENT_OUTER,     // there must be an inner one around it
    RB_ELEMENT_LITERAL,   // of an enumeration
    RB_ELEMENT_VARIABLE,  // or field of a record, or component
} RbModelicaElementKind;

typedef struct RbModelicaElement { // texts are empty if there is nothing to say
    RbModelicaElementKind kind;
    const char *type;
    const char *name;  // with its dimensions: scale[3]
    const char *value; // its default
    const char *unit;
    const char *description;
    const char *condition; // it exists if this holds
} RbModelicaElement;

typedef struct RbModelicaDeclared {
    const char *name; // in full
    const char *kind; // "model", "partial block", "record", ...
    const char *description;
    bool is_part; // no model or block, partial, or without experiment and to be connected
    const RbModelicaElement *elements;
    int count;
} RbModelicaDeclared;

// All of it lives as long as the context.
RB_API RbStatus rb_modelica_declared(RbContext *context, const RbModelica *source,
                                     RbModelicaDeclared *declared);

#ifdef __cplusplus
}
#endif
