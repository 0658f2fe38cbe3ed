// SPDX-License-Identifier: MIT
#include "code/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// HASH.so.PROCESS.ADDRESS.c or .o, as rb_job_prepare makes them.
static bool is_leftover(const char *name) {
    const char *rest = strstr(name, ".so.");
    int process;
    char kind;
    if (!rest || sscanf(rest, ".so.%d.%*[0-9a-fx].%c", &process, &kind) != 2) return false;
    if ((kind != 'c' && kind != 'o') || process <= 0 || rest[strlen(rest) - 2] != '.') return false;
    return kill(process, 0) != 0 && errno == ESRCH;
}

void rb_remove_leftovers(const char *object) {
    char folder[4096];
    const char *slash = strrchr(object, '/');
    int length = slash ? (int)(slash - object) : 0;
    if (length == 0 || length >= (int)sizeof folder) return;
    snprintf(folder, sizeof folder, "%.*s", length, object);
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (is_leftover(e->d_name)) unlinkat(dirfd(d), e->d_name, 0);
    }
    closedir(d);
}
