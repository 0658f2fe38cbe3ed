// SPDX-License-Identifier: MIT
// Descriptions of robots, up to the package.
#include "fuzz.h"

#include "robot/import.h"

static RbStatus body(Fuzz *f) {
    RbRobotText text;
    return rb_robot_import_text("fuzz.urdf", (RbBytes){f->data, f->size}, NULL, &f->arena,
                                f->scratch, &f->diag, &text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 200, body);
    return 0;
}
