// SPDX-License-Identifier: MIT
#include "classes/resource.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *folder_of_file(RbLibrary *l, const char *file) {
    const char *slash = strrchr(file, '/');
    if (!slash) return ".";
    return rb_arena_bytes(l->keep, file, slash > file ? (size_t)(slash - file) : 1);
}

static const char *class_folder(RbLibrary *l, const char *name) {
    RbAstClass *class = rb_library_class(l, name);
    return class && class->at.file ? folder_of_file(l, class->at.file) : NULL;
}

const char *rb_resource_folder(RbLibrary *l, const char *class_name) {
    const char *folder =
        class_folder(l, rb_arena_bytes(l->keep, class_name, strcspn(class_name, ".")));
    return folder ? folder : ".";
}

const char *rb_resource_path(RbLibrary *l, const char *uri) {
    if (strncasecmp(uri, "file://", 7) == 0) return uri + 7;
    if (strncasecmp(uri, "modelica://", 11) != 0) return uri;
    const char *name = uri + 11, *rest = name + strcspn(name, "/");
    const char *class_name = rb_arena_bytes(l->keep, name, (size_t)(rest - name));
    const char *folder = class_folder(l, class_name);
    if (folder) {
        const char *path = rb_arena_printf(l->keep, "%s%s", folder, rest);
        if (access(path, F_OK) == 0) return path;
    }
    return rb_arena_printf(l->keep, "%s%s", rb_resource_folder(l, class_name), rest);
}
