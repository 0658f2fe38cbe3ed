// SPDX-License-Identifier: MIT
// declared.h: what a class declares, for who wants to use it: parameters with their defaults, connectors and so on, with all that
// it inherits. As it is written: nothing is evaluated, so that it also works for classes that make no model alone.
#pragma once

#include "classes/library.h"
#include "rattleback/modelica.h"

RbStatus rb_class_declared(RbLibrary *library, const char *full_name, RbModelicaDeclared *out);
