// SPDX-License-Identifier: MIT
// server.h: serves one page to browsers on this machine, sends them the newest of what is published
// and takes short messages from them. One thread of its own; the thread that publishes never waits
// for a browser. What is kept is bounded: one message of each kind, one in flight for each browser,
// and a queue of messages from them.
#pragma once

#include "base/diag.h"
#include "io/bytes.h"
#include "live/websocket.h"

typedef struct RbLiveServer RbLiveServer;

// Sent in this order. A message begins with the kind as u32. ORDER viewer/src/live.js
typedef enum RbLiveKind {
    RB_LIVE_HELLO,
    RB_LIVE_SCENE,
    RB_LIVE_STATUS,
    RB_LIVE_FRAME,
    RB_LIVE_KINDS
} RbLiveKind;

// Listen on 127.0.0.1; port 0: any. There is nothing to see before rb_live_server_serve.
RbStatus rb_live_server_open(int port, RbDiag *diag, RbLiveServer **out);
RbStatus rb_live_server_serve(RbLiveServer *server, RbBlob page, RbDiag *diag);

// Browsers get what was published last, for at most half a second, and are let go.
void rb_live_server_close(RbLiveServer *server);

const char *rb_live_server_address(const RbLiveServer *server);
int rb_live_server_port(const RbLiveServer *server);

// The newest wins. Does not wait for browsers; false: somebody was just reading, or there is no
// memory; try again.
bool rb_live_server_publish(RbLiveServer *server, RbLiveKind kind, RbBlob message);

// The next message from a browser, with a final 0; false: there is none.
bool rb_live_server_take(RbLiveServer *server, char text[RB_SOCKET_LONGEST + 1]);

// Wait until a message comes, for so many seconds at most.
void rb_live_server_wait(RbLiveServer *server, double seconds);
