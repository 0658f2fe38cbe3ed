// SPDX-License-Identifier: MIT
// folder.h: what is in a folder, in an order that does not depend on the file system.
#pragma once

#include "base/array.h"

typedef RB_ARRAY(const char *) RbFileNames;

bool rb_is_folder(const char *path);

// Names of the files and folders in a folder, sorted by their bytes; none if it cannot be read.
RbFileNames rb_folder_names(const char *path, RbArena *keep, RbArena scratch);
