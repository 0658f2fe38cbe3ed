// SPDX-License-Identifier: MIT
#include "io/tet_file.h"

#include <limits.h>
#include <string.h>

#include "base/map.h"
#include "io/scan.h"

typedef struct Set {
    const char *name;
    RB_ARRAY(int) node; // numbers in the file
} Set;

typedef struct Tet {
    int node[RB_TET_NODES];
    RbPos at;
} Tet;

typedef struct Read {
    RbScan scan;
    RbArena *scratch;
    RbDiag *diag;
    RB_ARRAY(Vec3) nodes;
    RB_ARRAY(int) number;
    RbMap index; // of a number
    RB_ARRAY(Tet) tets;
    RB_ARRAY(Set) sets;
    RB_ARRAY(int) group; // .msh: physical surface of a set
    int corners;         // 4 or 10; 0: no element yet
} Read;

static RbStatus expected(Read *r, RbWord word, const char *what) {
    if (word.length == 0)
        return rb_fail(r->diag, RB_ERROR_IO, word.at,
                       "the line ends where %s was expected; the file may be cut off", what);
    return rb_fail(r->diag, RB_ERROR_IO, word.at, "found '%s' where %s was expected",
                   rb_word_shown(word, r->diag->arena), what);
}

static RbStatus add_node(Read *r, RbPos at, int number, const double x[3]) {
    if (rb_map_find(&r->index, (uint64_t)number))
        return rb_fail(r->diag, RB_ERROR_IO, at, "node %d stands in the file twice", number);
    rb_map_set(&r->index, r->scratch, (uint64_t)number, (uint64_t)r->nodes.count);
    rb_array_push(&r->nodes, r->scratch, v3_load(x));
    rb_array_push(&r->number, r->scratch, number);
    return RB_OK;
}

static RbStatus add_tet(Read *r, const Tet *tet, int corners) {
    if (r->corners != 0 && r->corners != corners)
        return rb_fail(
            r->diag, RB_ERROR_IO, tet->at,
            "the element has %d nodes and others have %d; mesh the part with one order of "
            "elements",
            corners, r->corners);
    r->corners = corners;
    rb_array_push(&r->tets, r->scratch, *tet);
    return RB_OK;
}

// ---- result

static RbStatus place_tets(Read *r, int *used, int (*tets)[RB_TET_NODES], int *count) {
    for (int e = 0; e < r->tets.count; e++)
        for (int i = 0; i < r->corners; i++) {
            const Tet *t = &r->tets.data[e];
            const uint64_t *at = rb_map_find(&r->index, (uint64_t)t->node[i]);
            if (!at)
                return rb_fail(r->diag, RB_ERROR_IO, t->at,
                               "the element has node %d, which the file does not have", t->node[i]);
            if (used[*at] == 0) used[*at] = ++*count;
            tets[e][i] = used[*at] - 1;
        }
    return RB_OK;
}

static RbNodeSet copy_set(const Read *r, const Set *from, const int *used, int nodes, RbArena *keep,
                          RbArena scratch) {
    bool *seen = rb_new_array(&scratch, bool, nodes + 1);
    int *node = rb_new_array(keep, int, from->node.count + 1), count = 0;
    for (int i = 0; i < from->node.count; i++) {
        const uint64_t *at = rb_map_find(&r->index, (uint64_t)from->node.data[i]);
        if (!at || used[*at] == 0 || seen[used[*at]]) continue;
        seen[used[*at]] = true;
        node[count++] = used[*at] - 1;
    }
    return (RbNodeSet){rb_arena_text(keep, from->name), node, count};
}

static RbStatus finish(Read *r, RbArena *keep, RbArena scratch, RbTetMesh *out) {
    if (r->tets.count == 0)
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->scan.file),
                       "the file has no tetrahedra; mesh the volume, not only its surface, with "
                       "tetrahedra of 4 or 10 nodes");
    int *used = rb_new_array(&scratch, int, r->nodes.count + 1), count = 0;
    int(*tets)[RB_TET_NODES] =
        rb_arena_push_array(keep, sizeof *tets, (size_t)r->tets.count, alignof(int));
    RB_TRY(place_tets(r, used, tets, &count));
    Vec3 *nodes = rb_new_array(keep, Vec3, count);
    int *number = rb_new_array(keep, int, count);
    for (int i = 0; i < r->nodes.count; i++)
        if (used[i] > 0)
            nodes[used[i] - 1] = r->nodes.data[i], number[used[i] - 1] = r->number.data[i];
    RbNodeSet *sets = rb_new_array(keep, RbNodeSet, r->sets.count + 1);
    for (int i = 0; i < r->sets.count; i++)
        sets[i] = copy_set(r, &r->sets.data[i], used, count, keep, scratch);
    *out = (RbTetMesh){nodes,
                       count,
                       (const int(*)[RB_TET_NODES])tets,
                       r->tets.count,
                       r->corners == 10 ? 2 : 1,
                       sets,
                       r->sets.count,
                       number};
    return RB_OK;
}

static RbStatus number_of(Read *r, RbWord word, const char *what, int *out) {
    if (!rb_word_int(word, out)) return expected(r, word, what);
    if (*out > 0) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, word.at, "found %d where %s was expected, from 1 on", *out,
                   what);
}

static RbStatus coordinate(Read *r, RbWord word, double *out) {
    if (!rb_word_double(word, out)) return expected(r, word, "a coordinate");
    if (rb_is_coordinate(*out)) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, word.at,
                   "coordinate is %g; it must be " RB_COORDINATE_WORDS, *out);
}

// ---- gmsh

static Set *surface(Read *r, int tag) {
    for (int i = 0; i < r->group.count; i++)
        if (r->group.data[i] == tag) return &r->sets.data[i];
    rb_array_push(&r->group, r->scratch, tag);
    rb_array_push(&r->sets, r->scratch, (Set){.name = rb_arena_printf(r->scratch, "%d", tag)});
    return &r->sets.data[r->sets.count - 1];
}

static RbStatus msh_format(Read *r, RbWord first) {
    double version = 0;
    int kind = -1;
    rb_word_double(first, &version);
    RbWord second = rb_scan_word(&r->scan);
    rb_word_int(second, &kind);
    if (version >= 2 && version < 3 && kind == 0) return RB_OK;
    return rb_fail(
        r->diag, RB_ERROR_IO, first.at,
        "the file is of version '%s'%s; save it as text of version 2.2 (gmsh -save -format msh22)",
        rb_word_shown(first, r->diag->arena), kind == 1 ? ", binary" : "");
}

static RbStatus msh_name(Read *r, RbWord first) {
    int dimension, tag;
    RbWord second = rb_scan_word(&r->scan);
    if (second.length == 0) return RB_OK; // how many there are
    RB_TRY(number_of(r, first, "a dimension", &dimension));
    RB_TRY(number_of(r, second, "a number of a group", &tag));
    RbWord name = rb_scan_rest(&r->scan);
    if (dimension != 2 || name.length < 2) return RB_OK;
    surface(r, tag)->name = rb_arena_bytes(r->scratch, name.text + 1, (size_t)name.length - 2);
    return RB_OK;
}

static RbStatus msh_node(Read *r, RbWord first) {
    int number;
    double x[3];
    RbWord word = rb_scan_word(&r->scan);
    if (word.length == 0) return RB_OK;
    RB_TRY(number_of(r, first, "a number of a node", &number));
    for (int k = 0; k < 3; k++, word = rb_scan_word(&r->scan)) RB_TRY(coordinate(r, word, &x[k]));
    return add_node(r, first.at, number, x);
}

static RbStatus msh_element(Read *r, RbWord first) {
    int type, tags, group = 0, node;
    RbWord word = rb_scan_word(&r->scan);
    if (word.length == 0) return RB_OK;
    RB_TRY(number_of(r, word, "a type of an element", &type));
    int corners = type == 4 ? 4 : type == 11 ? 10 : type == 2 ? 3 : type == 9 ? 6 : 0;
    if (corners == 0) return RB_OK;
    word = rb_scan_word(&r->scan);
    if (!rb_word_int(word, &tags) || tags < 0) return expected(r, word, "a number of tags");
    for (int i = 0; i < tags; i++) {
        word = rb_scan_word(&r->scan);
        if (!rb_word_int(word, &node)) return expected(r, word, "a tag");
        if (i == 0) group = node;
    }
    Tet tet = {.at = first.at};
    for (int i = 0; i < corners; i++) {
        RB_TRY(number_of(r, rb_scan_word(&r->scan), "a number of a node", &node));
        tet.node[i] = node;
        if (corners == 3 || corners == 6) rb_array_push(&surface(r, group)->node, r->scratch, node);
    }
    if (corners == 3 || corners == 6) return RB_OK;
    int last = tet.node[9]; // gmsh has the last two edges the other way round
    tet.node[9] = tet.node[8], tet.node[8] = last;
    return add_tet(r, &tet, corners);
}

static RbStatus msh_line(Read *r, RbWord *section) {
    RbWord first = rb_scan_word(&r->scan);
    if (first.length == 0) return RB_OK;
    if (first.text[0] == '$')
        *section = first;
    else if (rb_word_is(*section, "$MeshFormat"))
        return msh_format(r, first);
    else if (rb_word_is(*section, "$PhysicalNames"))
        return msh_name(r, first);
    else if (rb_word_is(*section, "$Nodes"))
        return msh_node(r, first);
    else if (rb_word_is(*section, "$Elements"))
        return msh_element(r, first);
    return RB_OK;
}

RbStatus rb_msh_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbTetMesh *out) {
    RbArena *own = rb_arena_child(keep);
    Read r = {.scan = rb_scan(bytes, file), .scratch = own, .diag = diag};
    RbWord section = {0};
    do RB_TRY(msh_line(&r, &section));
    while (rb_scan_next_line(&r.scan));
    RB_TRY(finish(&r, keep, scratch, out));
    rb_arena_free(own);
    return RB_OK;
}

// ---- Abaqus, CalculiX

// The next of the words between commas.
static RbWord between_commas(RbWord *line) {
    RbWord word = *line;
    const char *comma = memchr(line->text, ',', (size_t)line->length);
    word.length = comma ? (int)(comma - line->text) : line->length;
    int step = word.length + (comma != NULL);
    line->text += step, line->length -= step, line->at.column += step;
    while (word.length > 0 && word.text[0] == ' ') word.text++, word.length--, word.at.column++;
    while (word.length > 0 &&
           (word.text[word.length - 1] == ' ' || word.text[word.length - 1] == '\r'))
        word.length--;
    return word;
}

// The value of KEY=value in a keyword line; empty: there is none.
static RbWord value_of(RbWord line, const char *key) {
    size_t length = strlen(key);
    while (line.length > 0) {
        RbWord word = between_commas(&line);
        const char *equals = memchr(word.text, '=', (size_t)word.length);
        if (!equals) continue;
        RbWord name = word, value = word;
        name.length = (int)(equals - word.text);
        while (name.length > 0 && name.text[name.length - 1] == ' ') name.length--;
        value.text = equals + 1, value.length -= (int)(equals + 1 - word.text);
        while (value.length > 0 && value.text[0] == ' ') value.text++, value.length--;
        if ((size_t)name.length == length && rb_word_is_anycase(name, key)) return value;
    }
    return (RbWord){0};
}

typedef enum Section { SKIPPED, NODES, TETS, NODE_SET, RANGE } Section;

typedef struct Inp {
    Section section;
    int corners, given; // of the element at hand
    Tet tet;
} Inp;

static RbStatus inp_keyword(Read *r, RbWord line, Inp *p) {
    RbWord rest = line, key = between_commas(&rest), type = value_of(rest, "type"),
           name = value_of(rest, "nset");
    if (p->given > 0)
        return rb_fail(r->diag, RB_ERROR_IO, p->tet.at,
                       "the element has %d nodes of %d; the file may be cut off", p->given - 1,
                       p->corners);
    p->section = SKIPPED;
    if (rb_word_is_anycase(key, "*node")) p->section = NODES;
    if (rb_word_is_anycase(key, "*element")) {
        p->corners = rb_word_is_anycase(type, "c3d4")    ? 4
                     : rb_word_is_anycase(type, "c3d10") ? 10
                                                         : 0;
        if (p->corners > 0) p->section = TETS;
    }
    if (!rb_word_is_anycase(key, "*nset") || name.length == 0) return RB_OK;
    p->section = NODE_SET;
    while (rest.length > 0)
        if (rb_word_is_anycase(between_commas(&rest), "generate")) p->section = RANGE;
    Set set = {.name = rb_arena_bytes(r->scratch, name.text, (size_t)name.length)};
    rb_array_push(&r->sets, r->scratch, set);
    return RB_OK;
}

static RbStatus inp_node(Read *r, RbWord line) {
    int number;
    double x[3];
    RbWord first = between_commas(&line);
    RB_TRY(number_of(r, first, "a number of a node", &number));
    for (int k = 0; k < 3; k++) RB_TRY(coordinate(r, between_commas(&line), &x[k]));
    return add_node(r, first.at, number, x);
}

// An element may go on over several lines.
static RbStatus inp_element(Read *r, RbWord line, Inp *p) {
    while (line.length > 0) {
        int number;
        RbWord word = between_commas(&line);
        if (word.length == 0 && line.length == 0) break;
        RB_TRY(number_of(r, word, "a number of a node", &number));
        if (p->given == 0)
            p->tet = (Tet){.at = word.at};
        else
            p->tet.node[p->given - 1] = number;
        if (p->given++ < p->corners) continue;
        p->given = 0;
        RB_TRY(add_tet(r, &p->tet, p->corners));
    }
    return RB_OK;
}

static RbStatus inp_set(Read *r, RbWord line) {
    while (line.length > 0) {
        int number;
        RbWord word = between_commas(&line);
        if (rb_word_int(word, &number) && number > 0)
            rb_array_push(&r->sets.data[r->sets.count - 1].node, r->scratch, number);
    }
    return RB_OK;
}

// first, last, step: numbers of nodes so far that lie in the range.
static RbStatus inp_range(Read *r, RbWord line) {
    int first, last, step = 1;
    RB_TRY(number_of(r, between_commas(&line), "the first node of a set", &first));
    RB_TRY(number_of(r, between_commas(&line), "the last node of a set", &last));
    if (line.length > 0) RB_TRY(number_of(r, between_commas(&line), "the step of a set", &step));
    for (int i = 0; i < r->number.count; i++) {
        int n = r->number.data[i];
        if (n >= first && n <= last && (n - first) % step == 0)
            rb_array_push(&r->sets.data[r->sets.count - 1].node, r->scratch, n);
    }
    return RB_OK;
}

static RbStatus inp_line(Read *r, Inp *p) {
    RbWord line = rb_scan_rest(&r->scan);
    if (line.length == 0 || (line.length > 1 && line.text[0] == '*' && line.text[1] == '*'))
        return RB_OK;
    if (line.text[0] == '*') return inp_keyword(r, line, p);
    switch (p->section) {
        case NODES: return inp_node(r, line);
        case TETS: return inp_element(r, line, p);
        case NODE_SET: return inp_set(r, line);
        case RANGE: return inp_range(r, line);
        case SKIPPED: break;
    }
    return RB_OK;
}

RbStatus rb_inp_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbTetMesh *out) {
    RbArena *own = rb_arena_child(keep);
    Read r = {.scan = rb_scan(bytes, file), .scratch = own, .diag = diag};
    Inp p = {0};
    do RB_TRY(inp_line(&r, &p));
    while (rb_scan_next_line(&r.scan));
    RB_TRY(finish(&r, keep, scratch, out));
    rb_arena_free(own);
    return RB_OK;
}
