// SPDX-License-Identifier: MIT
// Values of parameters from files (include/rattleback/model.h).
#include "api/api_context.h"
#include "fmi/parameter_set.h"

RbStatus rb_parameter_set_read(RbContext *c, const char *file, const RbParameterValue **settings,
                               int *count) {
    enum { MOST_BYTES = 64 << 20 };
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, file);
    RB_NEED(c, settings);
    RB_NEED(c, count);
    *settings = NULL;
    *count = 0;
    RB_CALL(c);
    RbBytes bytes;
    RbParameterSet set = {0};
    const char *kept = rb_arena_text(&c->arena, file);
    RB_TRY(rb_file_read(kept, MOST_BYTES, &c->arena, &c->diag, &bytes));
    RB_TRY(rb_parameter_set_parse(kept, bytes, &c->arena, &c->diag, &set));
    *settings = set.data;
    *count = set.count;
    return RB_OK;
}
