// SPDX-License-Identifier: MIT
// Record constructors: R(a = 1, b = 2) (specification, 12.6).
#include <string.h>

#include "flatten/call.h"

// A field converted to its type.
static RbVal field_value(RbFrontEnd *fe, RbElem *e, RbVal v, RbPos at) {
    RbClass *type = rb_elem_class(fe->classes, e);
    if (!type || !rb_class_ready(fe->classes, type) || !type->is_type) return v;
    RbVal wanted = {.kind = RB_VAL_EXPR, .type = type->type, .class = type, .rank = v.rank};
    memcpy(wanted.dims, v.dims, sizeof v.dims);
    return rb_val_convert(fe, v, &wanted, at,
                          rb_arena_printf(fe->arena, "the field '%s'", e->name));
}

static RbFunctionFrame frame_of(RbFrontEnd *fe, const RbCall *call) {
    int count = call->class->components.count;
    RbFunctionFrame frame = {.class = call->class,
                             .locals = rb_new_array(fe->arena, RbVal, count + 1),
                             .known = rb_new_array(fe->arena, bool, count + 1),
                             .keeps = call->keeps};
    for (int i = 0; i < call->count; i++) {
        int at = call->inputs[i]->number - 1;
        if (!call->given[i]) continue;
        frame.locals[at] = call->args[i];
        frame.known[at] = true;
    }
    return frame;
}

RbVal rb_construct_record(RbFrontEnd *fe, const RbCall *call) {
    RbClass *class = call->class;
    RbFunctionFrame frame = frame_of(fe, call);
    RbVal out = {.kind = RB_VAL_RECORD,
                 .class = class,
                 .variability = RB_AST_CONSTANT,
                 .field_count = class->components.count};
    out.fields = rb_new_array(fe->arena, RbVal, out.field_count + 1);
    for (int i = 0; i < out.field_count; i++) {
        RbElem *e = class->components.data[i];
        bool is_given = frame.known[i];
        RbVal v = rb_frame_local(fe, &frame, e);
        if (v.kind == RB_VAL_ERROR) {
            if (!is_given && fe->diag->error_count == 0) {
                rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                        "the field '%s' of '%s' is not given and has no default", e->name,
                        class->full_name);
            }
            return v;
        }
        v = field_value(fe, e, v, call->at);
        frame.locals[i] = out.fields[i] = v;
        frame.known[i] = true;
        out.variability = rb_weaker(out.variability, v.variability);
    }
    return out;
}
