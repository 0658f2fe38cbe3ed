// SPDX-License-Identifier: MIT
#include "io/ply.h"

#include <limits.h>
#include <string.h>

#include "io/polygon.h"
#include "io/scan.h"

typedef enum Type { CHAR, UCHAR, SHORT, USHORT, INT, UINT, FLOAT, DOUBLE, NO_TYPE } Type;

static const int type_size[] = {1, 1, 2, 2, 4, 4, 4, 8}; // ORDER Type

typedef enum Role { SKIP, X, Y, Z, INDICES } Role;

typedef struct Property {
    Type count; // of a list; NO_TYPE: a single value
    Type type;
    Role role;
} Property;

enum { MAX_PROPERTIES = 64, MAX_ELEMENTS = 16 };

typedef struct Element {
    bool vertices, faces;
    int count;
    Property properties[MAX_PROPERTIES];
    int property_count;
} Element;

typedef struct Read {
    RbScan scan;
    RbArena *scratch;
    RbDiag *diag;
    bool binary, big;
    Element elements[MAX_ELEMENTS];
    int element_count;
    RB_ARRAY(Vec3) vertices;
    RB_ARRAY(RbTriangle) triangles;
    RB_ARRAY(int) polygon;
} Read;

// ---- header ----

static Type type_of(RbWord w) {
    static const char *const names[][2] = {
        {"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
        {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
        {"float", "float32"}, {"double", "float64"}}; // ORDER Type
    for (int i = 0; i < NO_TYPE; i++) {
        if (rb_word_is(w, names[i][0]) || rb_word_is(w, names[i][1])) return (Type)i;
    }
    return NO_TYPE;
}

static RbStatus unexpected(Read *r, RbWord w, const char *wanted) {
    return rb_fail(r->diag, RB_ERROR_IO, w.at, "found '%s' where %s was expected",
                   w.length > 0 ? rb_word_shown(w, r->diag->arena) : "the end of the line", wanted);
}

// format = "format" ( "ascii" | "binary_little_endian" | "binary_big_endian" ) "1.0"
static RbStatus read_format(Read *r) {
    RbWord w = rb_scan_word(&r->scan);
    r->big = rb_word_is(w, "binary_big_endian");
    r->binary = r->big || rb_word_is(w, "binary_little_endian");
    if (r->binary || rb_word_is(w, "ascii")) return RB_OK;
    return unexpected(r, w, "ascii, binary_little_endian or binary_big_endian");
}

static RbStatus read_element(Read *r, RbPos at) {
    if (r->element_count == MAX_ELEMENTS) {
        return rb_fail(r->diag, RB_ERROR_IO, at, "more than %d kinds of elements", MAX_ELEMENTS);
    }
    RbWord name = rb_scan_word(&r->scan), count = rb_scan_word(&r->scan);
    Element *e = &r->elements[r->element_count++];
    *e = (Element){.vertices = rb_word_is(name, "vertex"), .faces = rb_word_is(name, "face")};
    if (rb_word_int(count, &e->count) && e->count >= 0) return RB_OK;
    return unexpected(r, count, "a number of elements");
}

static Role role_of(const Element *e, RbWord name, bool list) {
    if (e->vertices && !list) {
        return rb_word_is(name, "x")   ? X
               : rb_word_is(name, "y") ? Y
               : rb_word_is(name, "z") ? Z
                                       : SKIP;
    }
    bool indices = rb_word_is(name, "vertex_indices") || rb_word_is(name, "vertex_index");
    return e->faces && list && indices ? INDICES : SKIP;
}

// property = "property" ( type | "list" type type ) name
static RbStatus read_property(Read *r, RbPos at) {
    if (r->element_count == 0)
        return rb_fail(r->diag, RB_ERROR_IO, at, "a property before the first element");
    Element *e = &r->elements[r->element_count - 1];
    if (e->property_count == MAX_PROPERTIES) {
        return rb_fail(r->diag, RB_ERROR_IO, at, "more than %d properties", MAX_PROPERTIES);
    }
    RbWord w = rb_scan_word(&r->scan);
    Property p = {NO_TYPE, NO_TYPE, SKIP};
    bool list = rb_word_is(w, "list");
    if (list) {
        w = rb_scan_word(&r->scan);
        p.count = type_of(w);
        if (p.count >= FLOAT) return unexpected(r, w, "the type of a whole number");
        w = rb_scan_word(&r->scan);
    }
    p.type = type_of(w);
    if (p.type == NO_TYPE) return unexpected(r, w, "a type");
    p.role = role_of(e, rb_scan_word(&r->scan), list);
    e->properties[e->property_count++] = p;
    return RB_OK;
}

static RbStatus read_header(Read *r) {
    if (!rb_word_is(rb_scan_word(&r->scan), "ply")) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file),
                       "not a PLY file: it does not begin with 'ply'");
    }
    bool format = false;
    while (rb_scan_next_line(&r->scan)) {
        RbWord w = rb_scan_word(&r->scan);
        if (rb_word_is(w, "end_header")) {
            if (!format)
                return rb_fail(r->diag, RB_ERROR_IO, w.at, "the header does not say the format");
            return RB_OK;
        }
        if (rb_word_is(w, "format")) {
            format = true;
            RB_TRY(read_format(r));
        } else if (rb_word_is(w, "element")) {
            RB_TRY(read_element(r, w.at));
        } else if (rb_word_is(w, "property")) {
            RB_TRY(read_property(r, w.at));
        } else if (w.length > 0 && !rb_word_is(w, "comment") && !rb_word_is(w, "obj_info")) {
            return unexpected(r, w, "a line of the header");
        }
    }
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file), "the header has no end");
}

// ---- values ----

static double decode(Type type, const unsigned char *b) {
    uint64_t bits = 0;
    for (int i = 0; i < type_size[type]; i++) bits |= (uint64_t)b[i] << (8 * i);
    uint32_t low = (uint32_t)bits;
    float single;
    double twice;
    switch (type) {
        case CHAR: return (int8_t)low;
        case UCHAR: return (uint8_t)low;
        case SHORT: return (int16_t)low;
        case USHORT: return (uint16_t)low;
        case INT: return (int32_t)low;
        case UINT: return low;
        case FLOAT: memcpy(&single, &low, sizeof single); return single;
        default: memcpy(&twice, &bits, sizeof twice); return twice;
    }
}

static RbStatus read_binary(Read *r, Type type, double *value) {
    unsigned char bytes[8];
    int n = type_size[type];
    if (r->scan.end - r->scan.next < n) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file),
                       "the file ends before the elements that its header claims");
    }
    for (int i = 0; i < n; i++) bytes[r->big ? n - 1 - i : i] = (unsigned char)r->scan.next[i];
    r->scan.next += n;
    *value = decode(type, bytes);
    return RB_OK;
}

static RbStatus read_value(Read *r, Type type, double *value) {
    if (r->binary) return read_binary(r, type, value);
    RbWord w = rb_scan_word_anywhere(&r->scan);
    if (w.length == 0) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file),
                       "the file ends before the elements that its header claims");
    }
    return rb_word_double(w, value) ? RB_OK : unexpected(r, w, "a number");
}

// ---- elements ----

static RbStatus bad_face(Read *r, int face, const char *what, double value) {
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file),
                   "face %d %s %g; the file has %d vertices", face + 1, what, value,
                   r->vertices.count);
}

static RbStatus end_face(Read *r, int face) {
    int n = r->polygon.count, first = r->triangles.count;
    if (n < 3) return bad_face(r, face, "has too few corners:", n);
    rb_array_reserve(&r->triangles, r->scratch, first + n - 2);
    if (!rb_polygon_triangulate(r->vertices.data, r->polygon.data, n, *r->scratch,
                                r->triangles.data + first)) {
        return bad_face(r, face, "is not convex and has too many corners:", n);
    }
    r->triangles.count += n - 2;
    return RB_OK;
}

static RbStatus read_list(Read *r, const Property *p, int number) {
    double count, value;
    RB_TRY(read_value(r, p->count, &count));
    if (!(count >= 0 && count <= INT_MAX))
        return bad_face(r, number, "has a list of the length", count);
    r->polygon.count = 0;
    for (int i = 0; i < (int)count; i++) {
        RB_TRY(read_value(r, p->type, &value));
        if (p->role != INDICES) continue;
        if (!(value >= 0 && value < r->vertices.count && value == floor(value))) {
            return bad_face(r, number, "refers to vertex", value);
        }
        rb_array_push(&r->polygon, r->scratch, (int)value);
    }
    return p->role == INDICES ? end_face(r, number) : RB_OK;
}

static RbStatus read_item(Read *r, const Element *e, int number) {
    Vec3 x = V3_ZERO;
    for (int k = 0; k < e->property_count; k++) {
        const Property *p = &e->properties[k];
        if (p->count != NO_TYPE) {
            RB_TRY(read_list(r, p, number));
            continue;
        }
        double value;
        RB_TRY(read_value(r, p->type, &value));
        if (p->role >= X && p->role <= Z) x = v3_set(x, (int)p->role - X, value);
    }
    if (!e->vertices) return RB_OK;
    if (!rb_is_coordinate(x.x) || !rb_is_coordinate(x.y) || !rb_is_coordinate(x.z)) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file),
                       "vertex %d is (%g, %g, %g); coordinates must be " RB_COORDINATE_WORDS,
                       number + 1, x.x, x.y, x.z);
    }
    rb_array_push(&r->vertices, r->scratch, x);
    return RB_OK;
}

static RbStatus read_all(Read *r) {
    RB_TRY(read_header(r));
    if (r->binary) {
        const char *newline = memchr(r->scan.next, '\n', (size_t)(r->scan.end - r->scan.next));
        r->scan.next = newline ? newline + 1 : r->scan.end;
    }
    for (int i = 0; i < r->element_count; i++) {
        const Element *e = &r->elements[i];
        // Elements without properties take no place in the file, whatever their number.
        for (int n = 0; n < e->count && e->property_count > 0; n++) RB_TRY(read_item(r, e, n));
    }
    if (r->triangles.count > 0) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file), "PLY file contains no faces");
}

RbStatus rb_ply_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbMesh *out) {
    Read *r = rb_new(&scratch, Read);
    r->scan = rb_scan(bytes, file);
    r->diag = diag;
    r->scratch = &scratch;
    RB_TRY(read_all(r));
    Vec3 *x = rb_new_array(keep, Vec3, r->vertices.count);
    RbTriangle *t = rb_new_array(keep, RbTriangle, r->triangles.count);
    memcpy(x, r->vertices.data, sizeof *x * (size_t)r->vertices.count);
    memcpy(t, r->triangles.data, sizeof *t * (size_t)r->triangles.count);
    *out = (RbMesh){x, r->vertices.count, t, r->triangles.count};
    return RB_OK;
}

void rb_ply_write(const RbMesh *m, RbText *out) {
    rb_text_printf(
        out,
        "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"
        "property double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
        m->vertex_count, m->triangle_count);
    for (int i = 0; i < m->vertex_count; i++) {
        for (int k = 0; k < 3; k++) {
            rb_text_add_number(out, v3_get(m->vertices[i], k));
            rb_text_add(out, k < 2 ? " " : "\n");
        }
    }
    for (int t = 0; t < m->triangle_count; t++) {
        const int *v = m->triangles[t].v;
        rb_text_printf(out, "3 %d %d %d\n", v[0], v[1], v[2]);
    }
}
