// SPDX-License-Identifier: MIT
// node.h: for the files of this folder: the node with given contents, without any simplification.
#pragma once

#include "expr/expr.h"

const RbExpr *rb_node(RbExprs *x, RbOp op, RbType type, int rank, int index,
                      const RbExpr *const *args, int count);
