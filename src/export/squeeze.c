// SPDX-License-Identifier: MIT
#include "export/squeeze.h"

#include <string.h>
#include <zlib.h>

#include "io/sink.h"

void rb_squeeze_floats(RbText *out, const float *values, size_t series, size_t length,
                       RbArena scratch) {
    size_t n = series * length;
    unsigned char *planes = rb_arena_push(&scratch, 4 * n + 1, 1);
    for (size_t s = 0, i = 0; s < series; s++) {
        uint32_t last = 0;
        for (size_t k = 0; k < length; k++, i++) {
            uint32_t bits;
            memcpy(&bits, &values[i], sizeof bits);
            uint32_t step = bits - last;
            last = bits;
            for (int b = 0; b < 4; b++) planes[(size_t)b * n + i] = (unsigned char)(step >> 8 * b);
        }
    }
    rb_text_add_bytes(out, (char *)planes, 4 * n);
}

void rb_squeeze_doubles(RbText *out, const double *values, size_t count, RbArena scratch) {
    unsigned char *planes = rb_arena_push(&scratch, 8 * count + 1, 1);
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[8];
        rb_put_f64(bytes, values[i]);
        for (size_t b = 0; b < 8; b++) planes[b * count + i] = bytes[b];
    }
    rb_text_add_bytes(out, (char *)planes, 8 * count);
}

RbStatus rb_gzip(RbBlob bytes, RbArena *arena, RbDiag *diag, RbBlob *out) {
    enum { GZIP = 15 + 16, LARGE = 16 << 20 };
    z_stream z = {0};
    if (deflateInit2(&z, bytes.size > LARGE ? 1 : 6, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return rb_fail(diag, RB_ERROR_MEMORY, RB_NOWHERE,
                       "there is no memory to compress the data");
    size_t bound = deflateBound(&z, bytes.size);
    deflateEnd(&z); // nothing of it may stay if there is no memory for the answer
    unsigned char *to = rb_arena_push(arena, bound, 1);
    z = (z_stream){.next_in = (Bytef *)(uintptr_t)bytes.bytes,
                   .avail_in = (uInt)bytes.size,
                   .next_out = to,
                   .avail_out = (uInt)bound};
    int status =
        deflateInit2(&z, bytes.size > LARGE ? 1 : 6, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY);
    if (status == Z_OK) {
        status = deflate(&z, Z_FINISH);
        *out = (RbBlob){to, z.total_out};
        deflateEnd(&z);
    }
    if (status == Z_STREAM_END) return RB_OK;
    return rb_fail(diag, RB_ERROR_MEMORY, RB_NOWHERE, "the data could not be compressed");
}

void rb_text_add_base64(RbText *out, RbBlob blob) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char piece[4 * 1024];
    for (size_t i = 0; i < blob.size;) {
        size_t used = 0;
        for (; i < blob.size && used + 4 <= sizeof piece; i += 3) {
            const unsigned char *p = blob.bytes + i;
            size_t left = blob.size - i;
            unsigned word =
                (unsigned)p[0] << 16 | (left > 1 ? (unsigned)p[1] << 8 : 0) | (left > 2 ? p[2] : 0);
            piece[used++] = digits[word >> 18];
            piece[used++] = digits[word >> 12 & 63];
            piece[used++] = left > 1 ? digits[word >> 6 & 63] : '=';
            piece[used++] = left > 2 ? digits[word & 63] : '=';
        }
        rb_text_add_bytes(out, piece, used);
    }
}

static int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

RbBlob rb_base64_bytes(const char *text, RbArena *arena) {
    size_t length = strlen(text), size = 0;
    unsigned char *bytes = rb_arena_push(arena, length + 1, 1);
    uint32_t word = 0;
    for (size_t i = 0, bits = 0; i < length && digit(text[i]) >= 0; i++) {
        word = word << 6 | (uint32_t)digit(text[i]);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes[size++] = (unsigned char)(word >> bits);
    }
    return (RbBlob){bytes, size};
}

RbStatus rb_blob_write(const char *path, RbBlob bytes, RbArena *arena, RbDiag *diag) {
    RbSink sink;
    RB_TRY(rb_sink_open(path, arena, diag, &sink));
    rb_sink_write(&sink, bytes.bytes, bytes.size);
    return rb_sink_close(&sink, RB_OK, diag);
}
