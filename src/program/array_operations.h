// SPDX-License-Identifier: MIT
// array_operations.h: what generated code hands back to us about whole arrays, because it is
// quicker when our compiler translates it, or needs to know more than numbers.
#pragma once

#include "code/frame.h"

void rb_array_operations(RbCodeFrame *f);
