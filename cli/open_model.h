// SPDX-License-Identifier: MIT
// open_model.h: the model that an argument names, with the overrides that were given.
#pragma once

#include "cli.h"
#include "model/model.h"

RbStatus open_model(Cli *cli, const char *name, RbModel **model);
