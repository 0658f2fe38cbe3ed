// SPDX-License-Identifier: MIT
#include "robot/robot.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Quat rb_robot_rpy(const double angles[3]) {
    Quat x = q_rotation(v3(1, 0, 0), angles[0]), y = q_rotation(v3(0, 1, 0), angles[1]);
    return q_mul(q_rotation(v3(0, 0, 1), angles[2]), q_mul(y, x));
}

int rb_robot_joint_of(const RbRobot *robot, int body, int from) {
    for (int i = from; i < robot->joints.count; i++)
        if (robot->joints.data[i].body == body) return i;
    return -1;
}

bool rb_robot_is_held(const RbRobot *robot, int body) {
    for (; body >= 0; body = robot->bodies.data[body].parent)
        if (rb_robot_joint_of(robot, body, 0) >= 0) return false;
    return true;
}

// ---- files of meshes

static const char *folder_of(const char *path, RbArena *arena) {
    const char *slash = strrchr(path, '/');
    if (!slash) return ".";
    return slash == path ? "/" : rb_arena_bytes(arena, path, (size_t)(slash - path));
}

static const char *joined(const char *folder, const char *name, RbArena *arena) {
    RbText t = rb_text(arena);
    rb_text_printf(&t, "%s/%s", folder, name);
    return t.data;
}

static bool exists(const char *path) {
    return access(path, R_OK) == 0;
}

// package://NAME/REST: in a folder NAME beside the description or above it, or REST in such a folder, which then is the package.
static const char *in_package(const char *description, const char *name, RbArena *arena) {
    const char *rest = strchr(name, '/');
    const char *folder = folder_of(description, arena);
    for (int up = 0; rest && up < 8; up++) {
        const char *whole = joined(folder, name, arena), *inside = joined(folder, rest + 1, arena);
        if (exists(whole)) return whole;
        if (exists(inside)) return inside;
        folder = joined(folder, "..", arena);
    }
    return NULL;
}

// The package may be written to any folder.
static const char *absolute(const char *path, RbArena *arena) {
    char whole[PATH_MAX];
    return rb_arena_text(arena, realpath(path, whole) ? whole : path);
}

static bool is_known(const char *path) {
    static const char *const endings[] = {".stl", ".obj", ".ply", ".STL", ".OBJ", ".PLY"};
    for (int i = 0; i < 6; i++)
        if (rb_text_ends_with(path, endings[i])) return true;
    return false;
}

const char *rb_robot_mesh_file(const char *description, const char *folder, const char *name,
                               RbArena *arena, const char **why) {
    const char *found = name;
    if (strncmp(name, "package://", 10) == 0 || strncmp(name, "model://", 8) == 0)
        found = in_package(description, strchr(name, ':') + 3, arena);
    else if (strncmp(name, "file://", 7) == 0)
        found = name + 7;
    else if (name[0] != '/')
        found = joined(folder ? folder : folder_of(description, arena), name, arena);
    if (!found || !exists(found)) {
        *why = "there is no such file";
        return NULL;
    }
    if (!is_known(found)) {
        *why = "only .stl, .obj and .ply are read: convert the file";
        return NULL;
    }
    return absolute(found, arena);
}
