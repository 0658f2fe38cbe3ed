// SPDX-License-Identifier: MIT
#include "robot/import.h"

#include <string.h>

#include "robot/mjcf.h"
#include "robot/sdf.h"
#include "robot/tags.h"
#include "robot/urdf.h"
#include "robot/write.h"

typedef RbStatus Read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot);

static const struct {
    const char *root;
    Read *read;
} formats[] = {{"robot", rb_urdf_read}, {"mujoco", rb_mjcf_read}, {"sdf", rb_sdf_read}};

static RbStatus read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].root, root->name) == 0)
            return formats[i].read(root, arena, diag, robot);
    return rb_fail(diag, RB_ERROR_MODEL, root->at,
                   "<%.60s> is no description of a robot; those begin with <robot> (URDF), "
                   "<mujoco> (MJCF) or <sdf> (SDF)",
                   root->name);
}

// "robots/arm.urdf" is the robot "arm".
static const char *title_of(const char *file, RbArena *arena) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return rb_arena_bytes(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A class is a name without quotes that begins with a large letter: "my-arm 2" is My_arm_2.
static const char *class_of(const char *name, RbArena *arena) {
    char *out = rb_arena_text(arena, name);
    for (char *c = out; *c; c++)
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9')) *c = '_';
    if (!is_letter(out[0])) return rb_arena_join(arena, "Robot_", out, "");
    if (out[0] >= 'a') out[0] = (char)(out[0] - 'a' + 'A');
    return out;
}

RbStatus rb_robot_import_text(const char *file, RbBytes bytes, const char *package, RbArena *arena,
                              RbArena scratch, RbDiag *diag, RbRobotText *out) {
    RbXml *root;
    RbRobot *robot = rb_new(arena, RbRobot);
    robot->file = file;
    robot->name = title_of(file, arena);
    RB_TRY(rb_xml_read(file, bytes, arena, diag, &root));
    rb_array_push(&robot->roots, arena, root);
    RB_TRY(read(root, arena, diag, robot));
    RB_TRY(rb_robot_complete(robot, arena, scratch, diag));
    out->modelica = rb_robot_write(robot, package ? package : class_of(robot->name, arena), arena);
    out->report = rb_robot_report(robot, arena);
    return RB_OK;
}
