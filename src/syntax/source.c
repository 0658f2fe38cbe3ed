// SPDX-License-Identifier: MIT
#include "syntax/source.h"

#include <string.h>

// Lead byte decides the length; the second byte excludes overlong forms, surrogates and values
// above 10FFFF.
int rb_utf8_length(const unsigned char *t, size_t available) {
    unsigned char lead = t[0];
    if (lead < 0x80) return 1;
    int length = lead >= 0xc2 && lead <= 0xdf   ? 2
                 : lead >= 0xe0 && lead <= 0xef ? 3
                 : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                : 0;
    if (length == 0 || (size_t)length > available) return 0;
    for (int i = 1; i < length; i++) {
        if ((t[i] & 0xc0) != 0x80) return 0;
    }
    if (lead == 0xe0 && t[1] < 0xa0) return 0;
    if (lead == 0xed && t[1] > 0x9f) return 0;
    if (lead == 0xf0 && t[1] < 0x90) return 0;
    if (lead == 0xf4 && t[1] > 0x8f) return 0;
    return length;
}

static RbPos position_of(const char *file, const char *text, size_t offset) {
    RbPos at = {file, 1, 1};
    for (size_t i = 0; i < offset; i++) {
        at.column++;
        if (text[i] == '\n') at = (RbPos){file, at.line + 1, 1};
    }
    return at;
}

static RbStatus check_utf8(const RbModelicaSource *s, RbDiag *diag) {
    const unsigned char *t = (const unsigned char *)s->text;
    for (size_t i = 0; i < s->length;) {
        int length = rb_utf8_length(t + i, s->length - i);
        if (length == 0) {
            return rb_fail(
                diag, RB_ERROR_MODEL, position_of(s->file, s->text, i),
                "the file is not UTF-8: byte 0x%02X does not belong here; convert the file, "
                "for example with 'iconv -f latin1 -t utf-8'",
                t[i]);
        }
        i += (size_t)length;
    }
    return RB_OK;
}

RbStatus rb_source_from_text(const char *file, const char *text, size_t length, RbDiag *diag,
                             RbModelicaSource *out) {
    static const char mark[] = "\xef\xbb\xbf"; // byte order mark
    if (length >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    *out = (RbModelicaSource){file, text, length};
    rb_diag_add_source(diag, file, text, length);
    return check_utf8(out, diag);
}

RbStatus rb_source_read(const char *path, RbArena *keep, RbDiag *diag, RbModelicaSource *out) {
    enum { LARGEST_FILE = 1 << 28 }; // [bytes]
    RbBytes bytes;
    RB_TRY(rb_file_read(path, LARGEST_FILE, keep, diag, &bytes));
    return rb_source_from_text(rb_arena_text(keep, path), (const char *)bytes.data, bytes.size,
                               diag, out);
}
