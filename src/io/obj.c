// SPDX-License-Identifier: MIT
#include "io/obj.h"

#include <limits.h>
#include <string.h>

#include "base/intern.h"
#include "io/polygon.h"
#include "io/scan.h"

typedef struct Group {
    const char *name;
    int triangle_count;
} Group;

// A file being read. Everything is gathered in scratch and copied once its size is known.
typedef struct Read {
    RbScan scan;
    RbArena *scratch;
    RbDiag *diag;
    RB_ARRAY(Vec3) vertices;
    RB_ARRAY(RbTriangle) triangles;
    RB_ARRAY(int) group_of; // of each triangle
    RB_ARRAY(Group) groups;
    RB_ARRAY(int) polygon; // vertices of the face at hand
    RbNames names;
    RbMap group_by_name;
    int group; // at hand
    bool warned;
} Read;

static RbStatus bad_number(Read *r, RbWord word, const char *wanted) {
    if (word.length == 0) {
        return rb_fail(r->diag, RB_ERROR_IO, word.at, "the line ends where %s was expected",
                       wanted);
    }
    return rb_fail(r->diag, RB_ERROR_IO, word.at, "found '%s' where %s was expected",
                   rb_word_shown(word, r->diag->arena), wanted);
}

// vertex = "v" x y z [ w | r g b ]
static RbStatus read_vertex(Read *r) {
    double x[3];
    for (int k = 0; k < 3; k++) {
        RbWord word = rb_scan_word(&r->scan);
        if (!rb_word_double(word, &x[k])) return bad_number(r, word, "a coordinate");
        if (!rb_is_coordinate(x[k])) {
            return rb_fail(r->diag, RB_ERROR_IO, word.at,
                           "coordinate is %g; it must be " RB_COORDINATE_WORDS, x[k]);
        }
    }
    if (r->vertices.count == INT_MAX) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file), "too many vertices");
    }
    rb_array_push(&r->vertices, r->scratch, v3_load(x));
    return RB_OK;
}

// corner = index [ "/" [ index ] [ "/" [ index ] ] ]: only the first one counts. Positive from the
// first vertex of the file, negative back from the last one so far.
static RbStatus read_corner(Read *r, RbWord word) {
    const char *slash = memchr(word.text, '/', (size_t)word.length);
    RbWord number = word;
    if (slash) number.length = (int)(slash - word.text);
    int index, count = r->vertices.count;
    if (!rb_word_int(number, &index)) return bad_number(r, word, "a vertex number");
    int vertex = index < 0 ? count + index : index - 1;
    if (index == 0 || vertex < 0 || vertex >= count) {
        return rb_fail(r->diag, RB_ERROR_IO, word.at,
                       "the face refers to vertex %d, but %d %s defined so far%s", index, count,
                       count == 1 ? "is" : "are",
                       index == 0 ? " (the first one has the number 1)" : "");
    }
    rb_array_push(&r->polygon, r->scratch, vertex);
    return RB_OK;
}

static RbStatus read_face(Read *r, RbPos at) {
    r->polygon.count = 0;
    for (RbWord word = rb_scan_word(&r->scan); word.length > 0; word = rb_scan_word(&r->scan)) {
        if (word.text[0] == '#') break;
        RB_TRY(read_corner(r, word));
    }
    int n = r->polygon.count;
    if (n < 3) {
        return rb_fail(r->diag, RB_ERROR_IO, at, "the face has %d corner%s; it needs at least 3", n,
                       n == 1 ? "" : "s");
    }
    int first = r->triangles.count;
    rb_array_reserve(&r->triangles, r->scratch, first + n - 2);
    if (!rb_polygon_triangulate(r->vertices.data, r->polygon.data, n, *r->scratch,
                                r->triangles.data + first)) {
        return rb_fail(r->diag, RB_ERROR_IO, at,
                       "the face has %d corners and is not convex; at most %d are possible then", n,
                       RB_POLYGON_LIMIT);
    }
    r->triangles.count += n - 2;
    for (int i = 0; i < n - 2; i++) rb_array_push(&r->group_of, r->scratch, r->group);
    r->groups.data[r->group].triangle_count += n - 2;
    return RB_OK;
}

// Faces that follow belong to the group of this name, which may have been used before.
static void enter_group(Read *r, const char *text, int length) {
    RbName name = rb_intern_bytes(&r->names, text, (size_t)length);
    const uint64_t *known = rb_map_find(&r->group_by_name, rb_map_key(name));
    r->group = known ? (int)*known : r->groups.count;
    if (known) return;
    rb_map_set(&r->group_by_name, r->scratch, rb_map_key(name), (uint64_t)r->group);
    rb_array_push(&r->groups, r->scratch, (Group){.name = name});
}

// Statements that say nothing about the surface.
static bool is_skipped(RbWord word) {
    static const char *const skipped[] = {"vn",         "vt",       "vp",  "usemtl", "mtllib",
                                          "s",          "l",        "p",   "mg",     "bevel",
                                          "c_interp",   "d_interp", "lod", "usemap", "maplib",
                                          "shadow_obj", "trace_obj"};
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++) {
        if (rb_word_is(word, skipped[i])) return true;
    }
    return word.length == 0 || word.text[0] == '#';
}

static RbStatus read_statement(Read *r) {
    RbWord word = rb_scan_word(&r->scan);
    if (rb_word_is(word, "v")) return read_vertex(r);
    if (rb_word_is(word, "f")) return read_face(r, word.at);
    if (rb_word_is(word, "o") || rb_word_is(word, "g")) {
        RbWord name = rb_scan_rest(&r->scan);
        enter_group(r, name.text, name.length);
    } else if (!is_skipped(word) && !r->warned) {
        r->warned = true;
        rb_warn(r->diag, word.at, "statement '%s' is not known and skipped, as are others like it",
                rb_word_shown(word, r->diag->arena));
    }
    return RB_OK;
}

static RbStatus read_all(Read *r) {
    enter_group(r, "", 0);
    do {
        RB_TRY(read_statement(r));
    } while (rb_scan_next_line(&r->scan));
    if (r->triangles.count > 0) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file), "OBJ file contains no faces");
}

// ---- result ----

// Triangle numbers sorted by group; start of each group.
static int *sort_by_group(Read *r, int **order) {
    int *start = rb_new_array(r->scratch, int, r->groups.count + 1);
    int *fill = rb_new_array(r->scratch, int, r->groups.count);
    *order = rb_new_array(r->scratch, int, r->triangles.count);
    for (int g = 0; g < r->groups.count; g++) {
        fill[g] = start[g];
        start[g + 1] = start[g] + r->groups.data[g].triangle_count;
    }
    for (int t = 0; t < r->triangles.count; t++) (*order)[fill[r->group_of.data[t]]++] = t;
    return start;
}

// Numbers of the vertices within the part at hand; valid where stamp is the number of the part.
typedef struct Renumber {
    int *stamp, *index;
} Renumber;

static RbMesh copy_part(const Read *r, Renumber *n, int group, const int *order, int count,
                        RbArena *keep) {
    RbTriangle *triangles = rb_new_array(keep, RbTriangle, count);
    int *used = rb_new_array(r->scratch, int, 3 * (size_t)count), vertex_count = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            int v = r->triangles.data[order[i]].v[k];
            if (n->stamp[v] != group + 1) {
                n->stamp[v] = group + 1;
                n->index[v] = vertex_count;
                used[vertex_count++] = v;
            }
            triangles[i].v[k] = n->index[v];
        }
    }
    Vec3 *vertices = rb_new_array(keep, Vec3, vertex_count);
    for (int i = 0; i < vertex_count; i++) vertices[i] = r->vertices.data[used[i]];
    return (RbMesh){vertices, vertex_count, triangles, count};
}

static void copy_parts(Read *r, RbArena *keep, RbObj *out) {
    int *order, *start = sort_by_group(r, &order), count = 0;
    for (int g = 0; g < r->groups.count; g++) count += r->groups.data[g].triangle_count > 0;
    RbObjPart *parts = rb_new_array(keep, RbObjPart, count);
    Renumber n = {rb_new_array(r->scratch, int, r->vertices.count),
                  rb_new_array(r->scratch, int, r->vertices.count)};
    for (int g = 0; g < r->groups.count; g++) {
        int size = start[g + 1] - start[g];
        if (size == 0) continue;
        parts[out->part_count++] = (RbObjPart){rb_arena_text(keep, r->groups.data[g].name),
                                               copy_part(r, &n, g, order + start[g], size, keep)};
    }
    out->parts = parts;
}

static RbMesh copy_whole(const Read *r, RbArena *keep) {
    Vec3 *vertices = rb_new_array(keep, Vec3, r->vertices.count);
    RbTriangle *triangles = rb_new_array(keep, RbTriangle, r->triangles.count);
    memcpy(vertices, r->vertices.data, sizeof(Vec3) * (size_t)r->vertices.count);
    memcpy(triangles, r->triangles.data, sizeof(RbTriangle) * (size_t)r->triangles.count);
    return (RbMesh){vertices, r->vertices.count, triangles, r->triangles.count};
}

RbStatus rb_obj_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbObj *out) {
    Read r = {.scan = rb_scan(bytes, file),
              .scratch = &scratch,
              .diag = diag,
              .names = rb_names(&scratch)};
    r.scan.joins_lines = true;
    RB_TRY(read_all(&r));
    *out = (RbObj){.mesh = copy_whole(&r, keep)};
    copy_parts(&r, keep, out);
    return RB_OK;
}

// ---- writing ----

// Names end at the end of the line; a backslash at the end would join the next one.
static void add_name(RbText *out, const char *name) {
    rb_text_add(out, "o ");
    for (; *name; name++) {
        char c = (unsigned char)*name < 32 || *name == '\\' ? '_' : *name;
        rb_text_add_bytes(out, &c, 1);
    }
    rb_text_add(out, "\n");
}

void rb_obj_write(const RbObjPart *parts, int part_count, RbText *out) {
    int first = 1;
    for (int i = 0; i < part_count; i++) {
        const RbMesh *m = &parts[i].mesh;
        if (parts[i].name && parts[i].name[0]) add_name(out, parts[i].name);
        for (int v = 0; v < m->vertex_count; v++) {
            rb_text_add(out, "v");
            for (int k = 0; k < 3; k++) {
                rb_text_add(out, " ");
                rb_text_add_number(out, v3_get(m->vertices[v], k));
            }
            rb_text_add(out, "\n");
        }
        for (int t = 0; t < m->triangle_count; t++) {
            const int *v = m->triangles[t].v;
            rb_text_printf(out, "f %d %d %d\n", first + v[0], first + v[1], first + v[2]);
        }
        first += m->vertex_count;
    }
}
