// SPDX-License-Identifier: MIT
// api_result.h: what the files behind include/rattleback/result.h and compare.h share.
#pragma once

#include "api/api_context.h"
#include "io/tracks.h"

struct RbResults {
    RbContext *context;
    RbResult *result;
    RbTrackReader particles; // of the row below
    bool reading;            // there is one
    size_t row;
};
