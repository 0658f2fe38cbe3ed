// SPDX-License-Identifier: MIT
// open_model.h: the model that the arguments name: a Modelica file and class, a scene, a component
// or an example.
#pragma once

#include "cli.h"
#include "model/model.h"
#include "translate/translate.h"

// The model, with the overrides that were given.
RbStatus open_model(Cli *cli, RbModel **model);

// Do the arguments name Modelica (a .mo file, a package folder, or a class in a library)?
bool names_modelica(const Cli *cli);

// Translate what the arguments name. options->strict_units and ->stage are the caller's.
RbStatus translate_arguments(Cli *cli, RbTranslateOptions *options, RbTranslation *out);

// info of a Modelica model.
RbStatus print_modelica(Cli *cli);
