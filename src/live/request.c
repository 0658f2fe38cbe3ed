// SPDX-License-Identifier: MIT
#include "live/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct Span {
    const char *text;
    size_t length;
} Span;

typedef struct Head {
    Span method, path, host, origin, upgrade, version, key;
    int hosts, origins;
} Head;

static bool is(Span s, const char *text) {
    return s.length == strlen(text) && strncasecmp(s.text, text, s.length) == 0;
}

static Span trim(const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t')) from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    return (Span){from, (size_t)(to - from)};
}

static bool read_first_line(const char *at, const char *end, Head *h) {
    const char *space = memchr(at, ' ', (size_t)(end - at));
    if (!space) return false;
    const char *second = memchr(space + 1, ' ', (size_t)(end - space - 1));
    if (!second) return false;
    h->method = (Span){at, (size_t)(space - at)};
    h->path = (Span){space + 1, (size_t)(second - space - 1)};
    return is((Span){second + 1, (size_t)(end - second - 1)}, "HTTP/1.1");
}

static bool read_field(const char *at, const char *end, Head *h) {
    const char *colon = memchr(at, ':', (size_t)(end - at));
    if (!colon) return false;
    Span name = {at, (size_t)(colon - at)}, value = trim(colon + 1, end);
    if (is(name, "Host")) h->host = value, h->hosts++;
    if (is(name, "Origin")) h->origin = value, h->origins++;
    if (is(name, "Upgrade")) h->upgrade = value;
    if (is(name, "Sec-WebSocket-Version")) h->version = value;
    if (is(name, "Sec-WebSocket-Key")) h->key = value;
    return true;
}

static bool read_head(const char *at, const char *end, Head *h) {
    for (bool first = true; at < end; first = false) {
        const char *line = memmem(at, (size_t)(end - at) + 2, "\r\n", 2);
        if (!(first ? read_first_line(at, line, h) : read_field(at, line, h))) return false;
        at = line + 2;
    }
    return true;
}

// The only names that a browser may know us by: a foreign page that points its own name at this
// machine has another host, and one that asks from elsewhere another origin.
static bool is_ours(Span s, const char *before, int port) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s:%d", before, names[i], port);
        if (is(s, text)) return true;
    }
    return false;
}

// Every letter is looked at: how long it takes tells nothing.
static bool has_token(Span path, const char *token) {
    unsigned difference = 0;
    if (path.length < RB_LIVE_TOKEN + 2 || path.text[0] != '/') return false;
    for (int i = 0; i < RB_LIVE_TOKEN; i++)
        difference |= (unsigned char)path.text[1 + i] ^ (unsigned)(unsigned char)token[i];
    return difference == 0 && path.text[1 + RB_LIVE_TOKEN] == '/';
}

RbRequestAnswer rb_request_judge(const char *bytes, size_t size, const char *token, int port,
                                 RbRequestKey *key) {
    Head h = {0};
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    if (!end) return size < RB_REQUEST_LONGEST ? RB_REQUEST_UNFINISHED : RB_REQUEST_BAD;
    if (!read_head(bytes, end, &h)) return RB_REQUEST_BAD;
    bool foreign = h.hosts != 1 || !is_ours(h.host, "", port) || h.origins > 1 ||
                   (h.origins == 1 && !is_ours(h.origin, "http://", port));
    if (foreign || !has_token(h.path, token)) return RB_REQUEST_FORBIDDEN;
    if (!is(h.method, "GET")) return RB_REQUEST_METHOD;
    Span rest = {h.path.text + RB_LIVE_TOKEN + 2, h.path.length - RB_LIVE_TOKEN - 2};
    if (rest.length == 0) return RB_REQUEST_PAGE;
    if (!is(rest, "socket")) return RB_REQUEST_UNKNOWN;
    if (!is(h.upgrade, "websocket") || !is(h.version, "13") || h.key.length != 24)
        return RB_REQUEST_BAD;
    *key = (RbRequestKey){h.key.text, h.key.length};
    return RB_REQUEST_SOCKET;
}
