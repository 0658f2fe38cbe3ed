// SPDX-License-Identifier: MIT
// api_result.h: what the files behind include/rattleback/result.h and compare.h share.
#pragma once

#include "api_context.h"
#include "io/result.h"

struct RbResults {
    RbContext *context;
    RbResult *result;
};
