// SPDX-License-Identifier: MIT
// soft_run.h: a run of soft bodies that must succeed, and its last values.
#pragma once

#include "../sim/run.h"

static inline void soft_go(Run *r) {
    RbStatus status = run_go(r);
    for (int i = 0; i < r->f.diag.messages.count; i++)
        if (status != RB_OK) print_error("%s", fixture_message(&r->f, i));
    ENSURE(status == RB_OK);
    run_read(r);
}

static inline double last(Run *r, const char *name) {
    return run_series(r, name)[r->result->row_count - 1];
}
