// SPDX-License-Identifier: MIT
// leftovers.h: files in the cache that processes left which were killed while they compiled.
#pragma once

// In the folder of this object: files with the number of a process that is no more.
void rb_remove_leftovers(const char *object);
