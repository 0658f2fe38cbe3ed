// SPDX-License-Identifier: MIT
#include "io/stl.h"

#include <limits.h>
#include <string.h>

#include "io/bytes.h"
#include "io/scan.h"

enum { HEADER = 80, COUNT = 4, RECORD = 50, LOOK_FOR_ZERO = 1024 };

typedef struct Read {
    const char *file;
    RbArena *keep;
    RbArena *scratch;
    RbDiag *diag;
    RbMesh *out;
} Read;

// ---- binary: 80 bytes of anything, a count, then 50 bytes per triangle: normal, three vertices,
// two bytes of anything ----

static Vec3 read_vertex(const unsigned char *p) {
    return v3((double)rb_get_f32(p), (double)rb_get_f32(p + 4), (double)rb_get_f32(p + 8));
}

static RbStatus check_binary_size(const Read *r, RbBytes bytes, uint32_t *count) {
    if (bytes.size < HEADER + COUNT) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file),
                       "STL file has %zu bytes; a binary one has at least 84", bytes.size);
    }
    *count = rb_get_u32(bytes.data + HEADER);
    size_t room = (bytes.size - HEADER - COUNT) / RECORD;
    if (*count > room) {
        return rb_fail(
            r->diag, RB_ERROR_IO, rb_in_file(r->file),
            "STL file ends at byte %zu after %zu complete triangles; its header announces %u",
            bytes.size, room, (unsigned)*count);
    }
    if (*count > INT_MAX / 3) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file),
                       "STL file has %u triangles; at most %d are possible", (unsigned)*count,
                       INT_MAX / 3);
    }
    size_t used = HEADER + COUNT + (size_t)*count * RECORD;
    if (bytes.size > used) {
        rb_warn(r->diag, rb_in_file(r->file),
                "%zu bytes after the last triangle are ignored (from byte %zu)", bytes.size - used,
                used);
    }
    return RB_OK;
}

static RbStatus no_triangles(const Read *r) {
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file), "STL file contains no triangles");
}

static void make_soup(const Read *r, const Vec3 *vertices, int triangle_count) {
    RbTriangle *triangles = rb_new_array(r->keep, RbTriangle, triangle_count);
    for (int t = 0; t < triangle_count; t++)
        triangles[t] = (RbTriangle){{3 * t, 3 * t + 1, 3 * t + 2}};
    *r->out = (RbMesh){vertices, 3 * triangle_count, triangles, triangle_count};
}

static RbStatus read_binary(const Read *r, RbBytes bytes) {
    uint32_t count = 0;
    RB_TRY(check_binary_size(r, bytes, &count));
    if (count == 0) return no_triangles(r);
    Vec3 *vertices = rb_new_array(r->keep, Vec3, 3 * (size_t)count);
    for (uint32_t t = 0; t < count; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            size_t at = HEADER + COUNT + (size_t)t * RECORD + 12 * (k + 1);
            Vec3 v = vertices[3 * t + k] = read_vertex(bytes.data + at);
            if (!rb_is_coordinate(v.x) || !rb_is_coordinate(v.y) || !rb_is_coordinate(v.z)) {
                return rb_fail(
                    r->diag, RB_ERROR_IO, rb_in_file(r->file),
                    "vertex %u of triangle %u at byte %zu is (%g, %g, %g); coordinates must "
                    "be " RB_COORDINATE_WORDS,
                    (unsigned)k + 1, (unsigned)t + 1, at, v.x, v.y, v.z);
            }
        }
    }
    make_soup(r, vertices, (int)count);
    return RB_OK;
}

// ---- ASCII ----
// file   = { "solid" name { facet } "endsolid" name }
// facet  = "facet" "normal" number*3 "outer" "loop" ( "vertex" number*3 )*3 "endloop" "endfacet"

typedef struct Text {
    const Read *read;
    RbScan scan;
    RB_ARRAY(Vec3) vertices;
} Text;

static RbStatus unexpected(Text *t, RbWord word, const char *wanted) {
    if (word.length == 0) {
        return rb_fail(t->read->diag, RB_ERROR_IO, word.at, "STL file ends where %s was expected",
                       wanted);
    }
    return rb_fail(t->read->diag, RB_ERROR_IO, word.at, "found '%s' where %s was expected",
                   rb_word_shown(word, t->read->diag->arena), wanted);
}

static RbStatus expect(Text *t, const char *keyword, const char *quoted) {
    RbWord word = rb_scan_word_anywhere(&t->scan);
    return rb_word_is_anycase(word, keyword) ? RB_OK : unexpected(t, word, quoted);
}

static RbStatus expect_number(Text *t, double *value, RbWord *word) {
    *word = rb_scan_word_anywhere(&t->scan);
    return rb_word_double(*word, value) ? RB_OK : unexpected(t, *word, "a number");
}

static RbStatus read_text_vertex(Text *t) {
    RB_TRY(expect(t, "vertex", "'vertex'"));
    double x[3];
    for (int k = 0; k < 3; k++) {
        RbWord word;
        RB_TRY(expect_number(t, &x[k], &word));
        if (rb_is_coordinate(x[k])) continue;
        return rb_fail(t->read->diag, RB_ERROR_IO, word.at,
                       "coordinate is %g; it must be " RB_COORDINATE_WORDS, x[k]);
    }
    rb_array_push(&t->vertices, t->read->scratch, v3_load(x));
    return RB_OK;
}

// The word "facet" is read already. Its normal says nothing that the vertices do not; some writers
// put nan there.
static RbStatus read_facet(Text *t) {
    RB_TRY(expect(t, "normal", "'normal'"));
    for (int k = 0; k < 3; k++) {
        double ignored;
        RbWord word;
        RB_TRY(expect_number(t, &ignored, &word));
    }
    RB_TRY(expect(t, "outer", "'outer loop'"));
    RB_TRY(expect(t, "loop", "'loop'"));
    for (int k = 0; k < 3; k++) RB_TRY(read_text_vertex(t));
    RB_TRY(expect(t, "endloop", "'endloop'"));
    return expect(t, "endfacet", "'endfacet'");
}

static RbStatus read_solid(Text *t) {
    rb_scan_rest(&t->scan); // name
    for (;;) {
        RbWord word = rb_scan_word_anywhere(&t->scan);
        if (rb_word_is_anycase(word, "endsolid")) break;
        if (!rb_word_is_anycase(word, "facet")) return unexpected(t, word, "'facet' or 'endsolid'");
        RB_TRY(read_facet(t));
    }
    rb_scan_rest(&t->scan);
    return RB_OK;
}

static RbStatus read_ascii(const Read *r, RbBytes bytes) {
    Text t = {.read = r, .scan = rb_scan(bytes, r->file)};
    for (;;) {
        RbWord word = rb_scan_word_anywhere(&t.scan);
        if (word.length == 0) break;
        if (!rb_word_is_anycase(word, "solid")) return unexpected(&t, word, "'solid'");
        RB_TRY(read_solid(&t));
    }
    if (t.vertices.count == 0) return no_triangles(r);
    Vec3 *vertices = rb_new_array(r->keep, Vec3, t.vertices.count);
    memcpy(vertices, t.vertices.data, sizeof(Vec3) * (size_t)t.vertices.count);
    make_soup(r, vertices, t.vertices.count / 3);
    return RB_OK;
}

// ---- which of the two? ----

// Text starts with "solid", but so do some binary headers: those have the size that their count
// demands, or zero bytes.
static bool is_ascii(RbBytes bytes) {
    RbScan scan = rb_scan(bytes, NULL);
    if (!rb_word_is_anycase(rb_scan_word_anywhere(&scan), "solid")) return false;
    if (bytes.size < HEADER + COUNT) return true;
    uint64_t count = rb_get_u32(bytes.data + HEADER);
    if (HEADER + COUNT + count * RECORD == bytes.size) return false;
    return !memchr(bytes.data, 0, bytes.size < LOOK_FOR_ZERO ? bytes.size : LOOK_FOR_ZERO);
}

RbStatus rb_stl_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbMesh *out) {
    Read r = {file, keep, &scratch, diag, out};
    return is_ascii(bytes) ? read_ascii(&r, bytes) : read_binary(&r, bytes);
}

// ---- writing ----

static Vec3 facet_normal(const RbMesh *mesh, int t) {
    const int *v = mesh->triangles[t].v;
    Vec3 a = mesh->vertices[v[0]];
    return v3_unit(v3_cross(v3_sub(mesh->vertices[v[1]], a), v3_sub(mesh->vertices[v[2]], a)));
}

static void add_vector(RbText *out, Vec3 v) {
    for (int k = 0; k < 3; k++) {
        rb_text_add(out, " ");
        rb_text_add_number(out, v3_get(v, k));
    }
    rb_text_add(out, "\n");
}

// Names end at the end of the line.
static void add_name(RbText *out, const char *name) {
    for (; name && *name; name++) {
        char c = (unsigned char)*name < 32 ? '_' : *name;
        rb_text_add_bytes(out, &c, 1);
    }
    rb_text_add(out, "\n");
}

void rb_stl_write_ascii(const RbMesh *mesh, const char *name, RbText *out) {
    rb_text_add(out, "solid ");
    add_name(out, name);
    for (int t = 0; t < mesh->triangle_count; t++) {
        rb_text_add(out, "facet normal");
        add_vector(out, facet_normal(mesh, t));
        rb_text_add(out, " outer loop\n");
        for (int k = 0; k < 3; k++) {
            rb_text_add(out, "  vertex");
            add_vector(out, mesh->vertices[mesh->triangles[t].v[k]]);
        }
        rb_text_add(out, " endloop\nendfacet\n");
    }
    rb_text_add(out, "endsolid ");
    add_name(out, name);
}

static unsigned char *put_vector(unsigned char *p, Vec3 v) {
    for (int k = 0; k < 3; k++) {
        float value = (float)v3_get(v, k);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        rb_put_u32(p, bits);
        p += 4;
    }
    return p;
}

RbBytes rb_stl_write_binary(const RbMesh *mesh, RbArena *keep) {
    size_t size = HEADER + COUNT + (size_t)mesh->triangle_count * RECORD;
    unsigned char *data = rb_arena_push(keep, size + 1, 1), *p = data + HEADER;
    memcpy(data, "binary STL by Rattleback", 24); // must not start with "solid"
    rb_put_u32(p, (uint32_t)mesh->triangle_count);
    p += COUNT;
    for (int t = 0; t < mesh->triangle_count; t++) {
        p = put_vector(p, facet_normal(mesh, t));
        for (int k = 0; k < 3; k++) p = put_vector(p, mesh->vertices[mesh->triangles[t].v[k]]);
        p += 2;
    }
    return (RbBytes){data, size};
}
