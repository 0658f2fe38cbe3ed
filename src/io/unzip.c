// SPDX-License-Identifier: MIT
#include "io/unzip.h"

#include <zlib.h>

#include "base/hash.h"

enum { END_SIZE = 22, ENTRY_SIZE = 46, HEADER_SIZE = 30, COMMENT = 65535, SHOWN = 100 };
static const uint64_t most_bytes = (uint64_t)4 << 30; // of all files

static uint32_t u16(const unsigned char *p) {
    return p[0] | (uint32_t)p[1] << 8;
}

#define BROKEN(z, diag, ...) rb_fail(diag, RB_ERROR_IO, rb_in_file((z)->path), __VA_ARGS__)

// The end of the directory stands at the end of the archive, before a comment.
static const unsigned char *find_end(RbBlob b) {
    if (b.size < END_SIZE) return NULL;
    size_t last = b.size - END_SIZE, first = last > COMMENT ? last - COMMENT : 0;
    for (size_t at = last + 1; at-- > first;)
        if (rb_get_u32(b.bytes + at) == 0x06054b50) return b.bytes + at;
    return NULL;
}

// Some programs write '\' between folders.
static const char *name_of(const unsigned char *bytes, size_t length, RbArena *arena) {
    char *name = rb_arena_bytes(arena, (const char *)bytes, length);
    for (char *c = name; *c; c++)
        if (*c == '\\') *c = '/';
    return name;
}

static bool leads_out(const char *name) {
    if (name[0] == '/' || !name[0] || strchr(name, ':')) return true;
    for (const char *part = name; *part; part += strspn(part, "/")) {
        size_t length = strcspn(part, "/");
        if (length <= 2 && strncmp(part, "..", length) == 0) return true; // "." as well
        part += length;
    }
    return false;
}

static RbStatus read_entry(const RbUnzip *z, const unsigned char *e, RbArena *arena, RbDiag *diag,
                           RbZipFile *f) {
    enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1, LINK = 0120000, KINDS = 0170000, BEST = 1040 };
    uint32_t method = u16(e + 10), mode = rb_get_u32(e + 38) >> 16, start = rb_get_u32(e + 42);
    size_t length = u16(e + 28);
    *f = (RbZipFile){.name = name_of(e + ENTRY_SIZE, length, arena),
                     .size = rb_get_u32(e + 24),
                     .packed = rb_get_u32(e + 20),
                     .checksum = rb_get_u32(e + 16),
                     .deflated = method == DEFLATED};
    if (strlen(f->name) != length || leads_out(f->name))
        return BROKEN(z, diag, "the archive has a file '%.*s', whose name leads out of it", SHOWN,
                      f->name);
    if ((mode & KINDS) == LINK && e[5] == 3)
        return BROKEN(z, diag,
                      "the archive has a symbolic link, '%.*s'; only files and folders are taken",
                      SHOWN, f->name);
    if (u16(e + 8) & ENCRYPTED)
        return BROKEN(z, diag, "the file '%.*s' in the archive is encrypted", SHOWN, f->name);
    if (method != STORED && method != DEFLATED)
        return BROKEN(z, diag,
                      "the file '%.*s' in the archive is packed by method %u; stored and deflated "
                      "files are read",
                      SHOWN, f->name, method);
    if (f->size > f->packed * (uint64_t)BEST + BEST || (method == STORED && f->size != f->packed))
        return BROKEN(
            z, diag,
            "the file '%.*s' in the archive has %zu bytes that become %zu, which cannot be", SHOWN,
            f->name, f->packed, f->size);
    const unsigned char *header = z->bytes.bytes + start;
    if (start + (uint64_t)HEADER_SIZE > z->bytes.size || rb_get_u32(header) != 0x04034b50)
        return BROKEN(z, diag, "the archive is damaged: '%.*s' is not where its directory says",
                      SHOWN, f->name);
    f->start = start + (size_t)HEADER_SIZE + u16(header + 26) + u16(header + 28);
    if (f->start + f->packed > z->bytes.size)
        return BROKEN(z, diag, "the archive is truncated: '%.*s' is not whole", SHOWN, f->name);
    return RB_OK;
}

RbStatus rb_unzip(const char *path, RbBlob bytes, RbArena *arena, RbDiag *diag, RbUnzip *out) {
    *out = (RbUnzip){.path = path, .bytes = bytes};
    const unsigned char *end = find_end(bytes);
    if (!end)
        return BROKEN(
            out, diag,
            "this is no zip archive, or it is truncated: the directory at its end is missing");
    uint32_t count = u16(end + 10), start = rb_get_u32(end + 16);
    if (count == 65535 || start == UINT32_MAX)
        return BROKEN(
            out, diag,
            "the archive is a ZIP64, which is not read; it has more than 4 GiB or 65,534 files");
    size_t at = start, limit = (size_t)(end - bytes.bytes);
    if (limit / ENTRY_SIZE < count)
        return BROKEN(out, diag, "the archive is damaged: its directory has no room for %u files",
                      count);
    uint64_t total = 0;
    out->files = rb_new_array(arena, RbZipFile, count + 1);
    for (; out->count < (int)count; out->count++) {
        const unsigned char *e = bytes.bytes + at;
        if (at > limit || limit - at < ENTRY_SIZE || rb_get_u32(e) != 0x02014b50 ||
            limit - at - ENTRY_SIZE < u16(e + 28))
            return BROKEN(out, diag, "the archive is damaged: entry %d of its directory is none",
                          out->count + 1);
        RB_TRY(read_entry(out, e, arena, diag, &out->files[out->count]));
        total += out->files[out->count].size;
        if (total > most_bytes)
            return BROKEN(out, diag, "the archive has more than 4 GiB when it is unpacked");
        at += ENTRY_SIZE + (size_t)u16(e + 28) + u16(e + 30) + u16(e + 32);
    }
    return RB_OK;
}

const RbZipFile *rb_unzip_find(const RbUnzip *z, const char *name) {
    for (int i = 0; i < z->count; i++)
        if (strcmp(z->files[i].name, name) == 0) return &z->files[i];
    return NULL;
}

// As many bytes as the directory says; false: fewer, more, or nonsense.
static bool inflate_all(const unsigned char *from, const RbZipFile *f, unsigned char *to,
                        bool *memory) {
    enum { RAW = -15 };
    unsigned char more; // where there is nothing to write, zlib wants a place still
    z_stream z = {.next_in = (Bytef *)(uintptr_t)from, .avail_in = (uInt)f->packed};
    z.next_out = f->size > 0 ? to : &more;
    z.avail_out = f->size > 0 ? (uInt)f->size : 1;
    *memory = inflateInit2(&z, RAW) == Z_OK;
    if (!*memory) return false;
    int status = inflate(&z, Z_FINISH);
    bool whole = status == Z_STREAM_END && z.total_out == f->size;
    *memory = status != Z_MEM_ERROR;
    inflateEnd(&z);
    return whole;
}

RbStatus rb_unzip_read(const RbUnzip *z, const RbZipFile *f, RbArena *arena, RbDiag *diag,
                       RbBlob *out) {
    const unsigned char *from = z->bytes.bytes + f->start;
    unsigned char *to = rb_arena_push(arena, f->size + 1, 1);
    bool memory = true, whole = true;
    if (f->deflated)
        whole = inflate_all(from, f, to, &memory);
    else
        memcpy(to, from, f->size);
    if (!memory) rb_heap_fail(arena->heap);
    if (!whole || rb_crc32(0, to, f->size) != f->checksum)
        return BROKEN(z, diag, "the archive is damaged: '%.*s' cannot be unpacked", SHOWN, f->name);
    *out = (RbBlob){to, f->size};
    return RB_OK;
}
