// SPDX-License-Identifier: MIT
// Descriptions of robots as Modelica packages (include/rattleback/robot.h).
#include "rattleback/robot.h"

#include <string.h>

#include "api_context.h"
#include "robot/import.h"

typedef struct RobotCall {
    RbContext *context;
    const char *description, *file, *package;
    const char *report;
} RobotCall;

RbRobotOptions rb_robot_options_default(void) {
    return (RbRobotOptions){0};
}

static RbStatus import(void *argument) {
    RobotCall *call = argument;
    RbContext *c = call->context;
    RbBytes bytes;
    RbRobotText text;
    RB_TRY(rb_file_read(call->description, 0, &c->arena, &c->diag, &bytes));
    RB_TRY(rb_robot_import_text(call->description, bytes, call->package, &c->arena, c->scratch,
                                &c->diag, &text));
    call->report = text.report;
    return rb_file_write(call->file, text.modelica, strlen(text.modelica), &c->diag);
}

static bool is_class(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] && strspn(name, letters) == strlen(name) && !(name[0] >= '0' && name[0] <= '9');
}

RbStatus rb_robot_import(RbContext *context, const char *description, const RbRobotOptions *options,
                         const char *file, const char **report) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, description);
    RB_NEED(context, options);
    RB_NEED(context, file);
    RobotCall call = {
        .context = context, .description = description, .file = file, .package = options->package};
    if (call.package && !is_class(call.package))
        return rb_fail(&context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%.60s' is no name of a class; it has letters, digits and _, and begins "
                       "with a letter",
                       call.package);
    RbStatus status = rb_context_call(context, import, &call);
    if (report) *report = status == RB_OK ? call.report : "";
    return status;
}
