// SPDX-License-Identifier: MIT
// request.h: may this request have what it asks for? The head of an HTTP request against the
// address of the page: its secret, host and origin (docs/decisions/live.md). A pure function.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    RB_LIVE_TOKEN = 32,        // letters of the secret in the address
    RB_REQUEST_LONGEST = 8192, // bytes of a request, at most
};

typedef enum RbRequestAnswer {
    RB_REQUEST_UNFINISHED, // more must come
    RB_REQUEST_PAGE,
    RB_REQUEST_SOCKET,
    RB_REQUEST_BAD = 400,
    RB_REQUEST_FORBIDDEN = 403, // wrong secret, foreign host or origin
    RB_REQUEST_UNKNOWN = 404,
    RB_REQUEST_METHOD = 405,
} RbRequestAnswer;

typedef struct RbRequestKey {
    const char *text; // inside the bytes of the request
    size_t length;
} RbRequestKey;

// key: of a RB_REQUEST_SOCKET.
RbRequestAnswer rb_request_judge(const char *bytes, size_t size, const char *token, int port,
                                 RbRequestKey *key);
