// SPDX-License-Identifier: MIT
#include "live/websocket.h"

#include <stdint.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// handshake: base64(SHA-1(key + a constant)) proves that the server knows the protocol, no more

static uint32_t turn(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

static void sha1_block(uint32_t h[5], const unsigned char *block) {
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 16; i++) {
        const unsigned char *p = block + 4 * i;
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (int i = 16; i < 80; i++) w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        static const uint32_t k[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = turn(a, 5) + f + e + k[i / 20] + w[i];
        e = d, d = c, c = turn(b, 30), b = a, a = next;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

// Of at most 119 bytes: two blocks.
static void sha1_short(const unsigned char *bytes, size_t size, unsigned char digest[20]) {
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    unsigned char blocks[128] = {0};
    size_t length = size < 56 ? 64 : 128;
    memcpy(blocks, bytes, size);
    blocks[size] = 0x80;
    blocks[length - 2] = (unsigned char)(8 * size >> 8);
    blocks[length - 1] = (unsigned char)(8 * size);
    for (size_t at = 0; at < length; at += 64) sha1_block(h, blocks + at);
    for (int i = 0; i < 20; i++) digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void rb_socket_accept(const char *key, size_t length, char accept[RB_SOCKET_ACCEPT]) {
    static const char constant[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char text[119], digest[21] = {0};
    if (length > sizeof text - sizeof constant) length = sizeof text - sizeof constant;
    memcpy(text, key, length);
    memcpy(text + length, constant, sizeof constant - 1);
    sha1_short(text, length + sizeof constant - 1, digest);
    for (int i = 0; i < 7; i++) {
        const unsigned char *p = digest + 3 * i;
        uint32_t three = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        for (int k = 0; k < 4; k++) accept[4 * i + k] = letters[three >> (18 - 6 * k) & 63];
    }
    accept[27] = '='; // 20 bytes
    accept[28] = 0;
}

// -------------------------------------------------------------------------------------------------
// frames

// A head that the protocol forbids, or that asks for more than we take, is found before its data.
static RbSocketError check_head(const unsigned char *b, size_t length) {
    bool control = (b[0] & 8) != 0, whole = (b[0] & 0x80) != 0;
    int opcode = b[0] & 15;
    if ((b[0] & 0x70) != 0 || (b[1] & 0x80) == 0) return RB_SOCKET_BROKEN; // extension; no mask
    if (control && (!whole || length > RB_SOCKET_CONTROL)) return RB_SOCKET_BROKEN;
    if ((opcode > RB_SOCKET_BINARY && !control) || opcode > RB_SOCKET_PONG) return RB_SOCKET_BROKEN;
    if (length > RB_SOCKET_LONGEST) return RB_SOCKET_TOO_LARGE;
    if (opcode == RB_SOCKET_BINARY) return RB_SOCKET_UNWANTED;
    if (!whole || opcode == RB_SOCKET_CONTINUED) return RB_SOCKET_TOO_LARGE;
    return RB_SOCKET_GOOD;
}

RbSocketError rb_socket_read(unsigned char *b, size_t size, RbSocketFrame *frame) {
    *frame = (RbSocketFrame){0};
    if (size < 2) return RB_SOCKET_GOOD;
    size_t length = b[1] & 127, head = 2;
    if (length == 126) {
        if (size < 4) return check_head(b, 126);
        length = (size_t)b[2] << 8 | b[3];
        head = 4;
        if (length < 126) return RB_SOCKET_BROKEN; // must be the shortest form
    } else if (length == 127) {
        length = RB_SOCKET_LONGEST + 1; // 64 bits of length: whatever they say
    }
    RbSocketError error = check_head(b, length);
    if (error != RB_SOCKET_GOOD) return error;
    if (size < head + 4 + length) return RB_SOCKET_GOOD;
    frame->opcode = (RbSocketOpcode)(b[0] & 15);
    frame->data = b + head + 4;
    frame->size = length;
    frame->used = head + 4 + length;
    for (size_t i = 0; i < length; i++) frame->data[i] ^= b[head + i % 4];
    return RB_SOCKET_GOOD;
}

size_t rb_socket_head(RbSocketOpcode opcode, size_t size, unsigned char head[RB_SOCKET_HEAD]) {
    head[0] = (unsigned char)(0x80 | (int)opcode);
    if (size < 126) {
        head[1] = (unsigned char)size;
        return 2;
    }
    int bytes = size < 65536 ? 2 : 8;
    head[1] = bytes == 2 ? 126 : 127;
    for (int i = 0; i < bytes; i++)
        head[2 + i] = (unsigned char)((uint64_t)size >> 8 * (bytes - 1 - i));
    return 2 + (size_t)bytes;
}
