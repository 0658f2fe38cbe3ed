// SPDX-License-Identifier: MIT
// soft.h: soft bodies: molecules and springs (docs/guide/soft.md).
#pragma once

#include "rattleback/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// The model of a scene in an XML file. It lives as long as the context.
RB_API RbStatus rb_soft_open(RbContext *context, const char *file, RbModel **model);

#ifdef __cplusplus
}
#endif
