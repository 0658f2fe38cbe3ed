// SPDX-License-Identifier: MIT
// open_model.h: the model that the arguments name: a Modelica file and class, a scene, a component
// or an example.
#pragma once

#include "cli.h"

// The model, with the overrides that were given.
RbStatus open_model(Cli *cli, RbModel **model);

// Do the arguments name Modelica (a .mo file, a package folder, or a class in a library)?
bool names_modelica(const Cli *cli);
bool names_soft_scene(const Cli *cli); // a file in XML

// What the arguments and options say about a Modelica model.
RbStatus modelica_source(Cli *cli, RbModelica *source);

// Is there a built-in scene of this name?
bool names_scene(const char *name);

// info of a Modelica model.
RbStatus print_modelica(Cli *cli);

// The classes of the library that is compiled in, by package.
RbStatus print_library(Cli *cli);
