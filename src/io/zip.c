// SPDX-License-Identifier: MIT
#include "io/zip.h"

#include <zlib.h>

#include "base/hash.h"

RbZip rb_zip(RbArena *arena) {
    return (RbZip){.bytes = rb_text(arena), .directory = rb_text(arena)};
}

static RbStatus squeeze(RbBlob from, RbArena *scratch, RbDiag *diag, RbBlob *to) {
    enum { RAW = -15, LEVEL = 6 };
    z_stream z = {0};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, RAW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return rb_fail(diag, RB_ERROR_MEMORY, RB_NOWHERE,
                       "there is no memory to compress the data");
    size_t bound = deflateBound(&z, from.size);
    deflateEnd(&z); // nothing of it may stay if there is no memory for the answer
    unsigned char *out = rb_arena_push(scratch, bound, 1);
    z = (z_stream){.next_in = (Bytef *)(uintptr_t)from.bytes,
                   .avail_in = (uInt)from.size,
                   .next_out = out,
                   .avail_out = (uInt)bound};
    int status = deflateInit2(&z, LEVEL, Z_DEFLATED, RAW, 8, Z_DEFAULT_STRATEGY);
    if (status == Z_OK) {
        status = deflate(&z, Z_FINISH);
        *to = (RbBlob){out, z.total_out};
        deflateEnd(&z);
    }
    if (status == Z_STREAM_END) return RB_OK;
    return rb_fail(diag, RB_ERROR_MEMORY, RB_NOWHERE, "the data could not be compressed");
}

static void add_number(RbText *to, uint32_t value, size_t bytes) {
    unsigned char b[4];
    rb_put_u32(b, value);
    rb_text_add_bytes(to, (const char *)b, bytes);
}

// What the header of a file and its entry in the directory have in common.
static void add_common(RbText *to, const char *name, RbBlob contents, RbBlob packed) {
    enum { VERSION = 20, UTF8 = 1 << 11, DEFLATED = 8, DAY = 33 }; // 1 January 1980
    add_number(to, VERSION, 2);
    add_number(to, UTF8, 2);
    add_number(to, DEFLATED, 2);
    add_number(to, 0, 2);
    add_number(to, DAY, 2);
    add_number(to, rb_crc32(0, contents.bytes, contents.size), 4);
    add_number(to, (uint32_t)packed.size, 4);
    add_number(to, (uint32_t)contents.size, 4);
    add_number(to, (uint32_t)strlen(name), 2);
    add_number(to, 0, 2); // extra field
}

RbStatus rb_zip_add(RbZip *zip, const char *name, RbBlob contents, RbArena scratch, RbDiag *diag) {
    const size_t largest = (size_t)1 << 30; // offsets have 32 bits, lengths of texts 31
    const uint32_t mode = 0100755;          // a file that may be executed
    RbBlob packed = {0};
    if (contents.size >= largest || (size_t)zip->bytes.count + contents.size >= largest)
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(name),
                       "an archive of more than 1 GB is not written");
    RB_TRY(squeeze(contents, &scratch, diag, &packed));
    uint32_t start = (uint32_t)zip->bytes.count;
    add_number(&zip->bytes, 0x04034b50, 4);
    add_common(&zip->bytes, name, contents, packed);
    rb_text_add(&zip->bytes, name);
    rb_text_add_bytes(&zip->bytes, (const char *)packed.bytes, packed.size);

    add_number(&zip->directory, 0x02014b50, 4);
    add_number(&zip->directory, 3 << 8 | 20, 2); // made by Unix
    add_common(&zip->directory, name, contents, packed);
    add_number(&zip->directory, 0, 4); // comment, number of the disk
    add_number(&zip->directory, 0, 2); // inner attributes
    add_number(&zip->directory, mode << 16, 4);
    add_number(&zip->directory, start, 4);
    rb_text_add(&zip->directory, name);
    zip->count++;
    return RB_OK;
}

RbBlob rb_zip_done(RbZip *zip) {
    RbText *to = &zip->bytes;
    uint32_t start = (uint32_t)to->count, size = (uint32_t)zip->directory.count;
    if (size > 0) rb_text_add_bytes(to, zip->directory.data, size);
    add_number(to, 0x06054b50, 4);
    add_number(to, 0, 4); // one disk
    add_number(to, (uint32_t)zip->count, 2);
    add_number(to, (uint32_t)zip->count, 2);
    add_number(to, size, 4);
    add_number(to, start, 4);
    add_number(to, 0, 2); // comment
    return (RbBlob){(const unsigned char *)to->data, (size_t)to->count};
}
