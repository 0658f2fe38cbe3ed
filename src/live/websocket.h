// SPDX-License-Identifier: MIT
// websocket.h: the part of the WebSocket protocol (RFC 6455) that a page and its server need: the
// answer to the handshake, frames of the client, heads of frames of the server. Pure functions;
// what a client may send is bounded before anything is kept.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    RB_SOCKET_ACCEPT = 29,                   // bytes of an answer, with the final 0
    RB_SOCKET_LONGEST = 4096,                // bytes of a message of a client
    RB_SOCKET_HEAD = 10,                     // bytes of the head of a frame of the server, at most
    RB_SOCKET_CONTROL = 125,                 // bytes of a control frame, at most
    RB_SOCKET_FRAME = RB_SOCKET_LONGEST + 8, // of a frame of the client, at most
};

typedef enum RbSocketOpcode {
    RB_SOCKET_CONTINUED = 0,
    RB_SOCKET_TEXT = 1,
    RB_SOCKET_BINARY = 2,
    RB_SOCKET_CLOSE = 8,
    RB_SOCKET_PING = 9,
    RB_SOCKET_PONG = 10,
} RbSocketOpcode;

// Reasons to close, as the protocol numbers them.
typedef enum RbSocketError {
    RB_SOCKET_GOOD = 0,
    RB_SOCKET_BROKEN = 1002,    // against the protocol
    RB_SOCKET_UNWANTED = 1003,  // binary data
    RB_SOCKET_TOO_LARGE = 1009, // longer than RB_SOCKET_LONGEST, or in pieces
} RbSocketError;

// What the server says to the key that a client has sent in its handshake.
void rb_socket_accept(const char *key, size_t length, char accept[RB_SOCKET_ACCEPT]);

typedef struct RbSocketFrame {
    RbSocketOpcode opcode;
    unsigned char *data; // inside the bytes that were given, unmasked
    size_t size;
    size_t used; // bytes of the whole frame; 0: more must come
} RbSocketFrame;

// The frame at the start of what a client has sent.
RbSocketError rb_socket_read(unsigned char *bytes, size_t size, RbSocketFrame *frame);

// Head of a frame with so many bytes; answers its length.
size_t rb_socket_head(RbSocketOpcode opcode, size_t size, unsigned char head[RB_SOCKET_HEAD]);
