// SPDX-License-Identifier: MIT
// replay.c: runs a fuzz target over files and folders of inputs, so that the corpus is a test in
// every build.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t size = 0, capacity = 1 << 20;
    uint8_t *data = malloc(capacity);
    for (size_t got; data && (got = fread(data + size, 1, capacity - size, file)) > 0;) {
        size += got;
        if (size == capacity) data = realloc(data, capacity *= 2);
    }
    fclose(file);
    // A copy of exactly the right size, so that a sanitizer sees a step too far.
    uint8_t *exact = malloc(size > 0 ? size : 1);
    for (size_t i = 0; i < size; i++) exact[i] = data[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    free(data);
    return 1;
}

static int replay(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return replay_file(path);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < (int)sizeof name)
            count += replay_file(name);
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; i++) count += replay(argv[i]);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
