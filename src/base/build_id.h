// SPDX-License-Identifier: MIT
// build_id.h: a name for the sources this library was built from; another build may compute other
// bits.
#pragma once

extern const char rb_build_id[];
