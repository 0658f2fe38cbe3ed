// SPDX-License-Identifier: MIT
// range.h: interval arithmetic with derivatives: between which bounds an operation and its derivative
// with respect to time lie, if its arguments and theirs lie between given ones.
#pragma once

#include "program/tape.h"

bool rb_range_is_known(const RbExpr *e);
RbRange rb_range_of(const RbExpr *e, const RbRange *args);
