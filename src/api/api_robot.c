// SPDX-License-Identifier: MIT
// Descriptions of robots as Modelica packages (include/rattleback/robot.h).
#include "rattleback/robot.h"

#include <string.h>

#include "api/api_context.h"
#include "robot/import.h"

RbRobotOptions rb_robot_options_default(void) {
    return (RbRobotOptions){0};
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
    RB_CALL(context);
    RbContext *c = context;
    if (options->package && !is_class(options->package))
        return rb_fail(&c->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%.60s' is no name of a class; it has letters, digits and _, and begins "
                       "with a letter",
                       options->package);
    if (report) *report = "";
    RbBytes bytes;
    RbRobotText text;
    RB_TRY(rb_file_read(description, 0, &c->arena, &c->diag, &bytes));
    RB_TRY(rb_robot_import_text(description, bytes, options->package, &c->arena, c->scratch,
                                &c->diag, &text));
    RB_TRY(rb_file_write(file, text.modelica, strlen(text.modelica), &c->diag));
    if (report) *report = text.report;
    return RB_OK;
}
