// SPDX-License-Identifier: MIT
// base.h: what every part of the public interface shares: version, status codes, positions in
// source text.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define RB_VERSION_MAJOR  0
#define RB_VERSION_MINOR  1
#define RB_VERSION_PATCH  0
#define RB_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#define RB_API                 __attribute__((visibility("default")))
#define RB_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define RB_API
#define RB_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What a call answers. The command line tool uses the same numbers as its exit codes.
typedef enum RbStatus {
    RB_OK = 0,
    RB_ERROR_MODEL = 1,     // the user's model: parse, type, unit, structure
    RB_ERROR_USAGE = 2,     // wrong option or argument
    RB_ERROR_INIT = 3,      // initialisation failed
    RB_ERROR_SOLVER = 4,    // integration failed
    RB_ERROR_ASSERTION = 5, // an assertion in the model was violated
    RB_ERROR_IO = 6,        // a file cannot be read, written or understood
    RB_ERROR_MEMORY = 7,    // no memory left
    RB_ERROR_INTERNAL = 8,  // a defect of Rattleback
    RB_INTERRUPTED = 130,   // stopped by the user; what was computed is kept
} RbStatus;

// The version of the library that is running, "0.1.0": that of the header, unless another one was
// loaded.
RB_API const char *rb_version(void);

// A name for the sources that it was built from: another build may compute other bits.
RB_API const char *rb_build_name(void);

// Short word for a status: "model", "usage", ...
RB_API const char *rb_status_name(RbStatus status);

// A place in a source text. file == NULL: no place is known; line 0: the file as a whole.
typedef struct RbPos {
    const char *file;
    int line;   // first line is 1
    int column; // first byte of a line is 1
} RbPos;

// What was said about something: an error with its status, a warning or a note with RB_OK.
typedef enum RbSeverity { RB_NOTE, RB_WARNING, RB_ERROR } RbSeverity;

typedef struct RbMessage {
    RbSeverity severity;
    RbStatus status;
    RbPos at;
    const char *text;
} RbMessage;

// Memory for everything the library allocates. resize(user, NULL, 0, n) allocates, resize(user, p,
// n, 0) frees and answers NULL; NULL otherwise means: no memory. The library then undoes the call
// and answers RB_ERROR_MEMORY.
typedef struct RbAllocator {
    void *(*resize)(void *user, void *memory, size_t old_size, size_t new_size);
    void *user;
} RbAllocator;

#ifdef __cplusplus
}
#endif
