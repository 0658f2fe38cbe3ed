// SPDX-License-Identifier: MIT
// open_model.h: the model that the arguments name: a Modelica file and class, a scene, a component
// or an example.
#pragma once

#include "cli.h"
#include "model/model.h"
#include "model/modelica.h"

// The model, with the overrides that were given.
RbStatus open_model(Cli *cli, RbModel **model);

// Do the arguments name Modelica (a .mo file, a package folder, or a class in a library)?
bool names_modelica(const Cli *cli);

// What the arguments and options say about a Modelica model, and how it is translated.
RbStatus modelica_source(Cli *cli, RbModelica *source);
RbModelicaOpener modelica_opener(Cli *cli, const RbModelica *source);

// info of a Modelica model.
RbStatus print_modelica(Cli *cli);

// The classes of the library that is compiled in, by package.
RbStatus print_library(Cli *cli);

// If the class that the user names is a package: its classes with their descriptions. *done:
// whether it is one.
RbStatus print_package(Cli *cli, bool *done);
