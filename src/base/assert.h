// SPDX-License-Identifier: MIT
// assert.h: two levels of checks against our own mistakes. Bad input never gets here: it is a
// diagnostic.
//   RB_ASSERT    cheap; on in Debug and RelWithDebInfo
//   RB_VALIDATE  costly or tolerance-dependent; on in Debug
#pragma once

#include <assert.h>

#define RB_ASSERT(condition) assert(condition)

#ifdef RB_DEBUG
#define RB_VALIDATE(condition) assert(condition)
#else
#define RB_VALIDATE(condition) ((void)0)
#endif
