// SPDX-License-Identifier: MIT
// modelica.h: a model from Modelica text: libraries, translation, input signals, and the hash that
// tells one system of equations from another.
#pragma once

#include "model/model.h"
#include "rattleback/modelica.h"
#include "translate/input_file.h"
#include "translate/translate.h"

typedef struct RbModelicaOpener {
    const RbModelica *source;
    const RbRegistry *registry;
    const RbLog *log;
    RbArena *arena;    // of the model
    RbArena *scratch;
    RbDiag *diag;
    // Stop after a stage of the translation and print it: see RbTranslateOptions.
    const char *stage;
    RbText *dump;
    // Out:
    RbTranslation translation;
    RbInputFile *inputs; // NULL: there is no input file
    RbLibrary *library;  // whose classes the model is made of
    const char *class_name;
} RbModelicaOpener;

// The classes that can be found, and the name of the one that is meant.
RbStatus rb_modelica_library(const RbModelicaOpener *opener, RbLibrary **library,
                             const char **class_name);

// Only translate; or make the model too, with its input file.
RbStatus rb_modelica_run_translation(RbModelicaOpener *opener);
RbStatus rb_modelica_model(RbModelicaOpener *opener, RbModel **model);
