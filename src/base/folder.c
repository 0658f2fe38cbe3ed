// SPDX-License-Identifier: MIT
#include "base/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool rb_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int compare_strings(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Copy the names in a folder one behind the other to buffer, as far as they fit; answers the bytes
// needed for all.
static size_t read_folder(const char *path, char *buffer, size_t size) {
    DIR *folder = opendir(path);
    if (!folder) return 0;
    size_t used = 0;
    for (struct dirent *d = readdir(folder); d; d = readdir(folder)) {
        size_t length = strlen(d->d_name) + 1;
        if (used + length <= size) memcpy(buffer + used, d->d_name, length);
        used += length;
    }
    closedir(folder);
    return used;
}

// Memory is only taken while the folder is closed, since running out of it would leave it open.
RbFileNames rb_folder_names(const char *path, RbArena *keep, RbArena scratch) {
    enum { MARGIN = 4096 }; // for files that appear between the two readings
    RbFileNames names = {0};
    size_t size = read_folder(path, NULL, 0) + MARGIN;
    char *text = rb_arena_push(&scratch, size + 1, 1);
    read_folder(path, text, size);
    for (char *name = text; *name; name += strlen(name) + 1)
        rb_array_push(&names, keep, (const char *)rb_arena_text(keep, name));
    if (names.count > 0)
        qsort(names.data, (size_t)names.count, sizeof *names.data, compare_strings);
    return names;
}
