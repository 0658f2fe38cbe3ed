// SPDX-License-Identifier: MIT
#include "io/vtk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static const char *byte_order(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1 ? "LittleEndian" : "BigEndian";
}

static void add_array(RbVtk *f, const char *name, const char *type, int parts, const void *bytes,
                      size_t size) {
    uint64_t length = size;
    rb_text_printf(&f->head,
                   "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                   "format=\"appended\" offset=\"%zu\"/>\n",
                   type, name, parts, (size_t)f->data.count);
    rb_text_add_bytes(&f->data, (const char *)&length, sizeof length);
    rb_text_add_bytes(&f->data, bytes, size);
}

void rb_vtk_floats(RbVtk *f, const char *name, int parts, const float *values, int count) {
    add_array(f, name, "Float32", parts, values, (size_t)count * (size_t)parts * sizeof *values);
}

void rb_vtk_ints(RbVtk *f, const char *name, const int *values, int count) {
    add_array(f, name, "Int32", 1, values, (size_t)count * sizeof *values);
}

RbVtk rb_vtk(RbArena *scratch, int points, int verts, int lines) {
    RbVtk f = {rb_text(scratch), rb_text(scratch)};
    rb_text_printf(&f.head,
                   "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                   "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<Piece "
                   "NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                   byte_order(), points, verts, lines);
    return f;
}

RbStatus rb_vtk_write(RbVtk *f, const char *path, RbDiag *diag) {
    rb_text_add(&f->head, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    rb_text_add_bytes(&f->head, f->data.data, (size_t)f->data.count);
    rb_text_add(&f->head, "\n</AppendedData>\n</VTKFile>\n");
    return rb_file_write(path, f->head.data, (size_t)f->head.count, diag);
}

// ---- the list of frames

static const char *const LIST_BEGIN =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
static const char *const ENTRY_BEGIN = "<DataSet timestep=\"";

const char *rb_vtk_frame_name(const char *what, int number, RbArena *arena) {
    return rb_arena_printf(arena, "%s_%06d.vtp", what, number);
}

// Entries of earlier frames, if the list exists: they have a line each.
static void copy_earlier(const char *path, const char *what, int number, RbArena *scratch,
                         RbText *list) {
    RbDiag unused = rb_diag(scratch);
    RbBytes old = {0};
    struct stat there;
    if (stat(path, &there) != 0 || rb_file_read(path, 0, scratch, &unused, &old) != RB_OK) return;
    const char *prefix = rb_arena_printf(scratch, "%s_", what);
    for (const char *line = (const char *)old.data; line && *line;) {
        const char *end = strchr(line, '\n'), *name = strstr(line, prefix);
        bool entry = end && strncmp(line, ENTRY_BEGIN, strlen(ENTRY_BEGIN)) == 0 && name &&
                     name < end && strtol(name + strlen(prefix), NULL, 10) < number;
        if (entry) rb_text_add_bytes(list, line, (size_t)(end - line) + 1);
        line = end ? end + 1 : NULL;
    }
}

RbStatus rb_vtk_list_frame(const char *folder, const char *what, int number, double time,
                           RbArena scratch, RbDiag *diag) {
    const char *path = rb_arena_printf(&scratch, "%s/%s.pvd", folder, what);
    RbText list = rb_text(&scratch);
    rb_text_add(&list, LIST_BEGIN);
    if (number > 0) copy_earlier(path, what, number, &scratch, &list);
    rb_text_printf(&list, "%s%.17g\" file=\"%s\"/>\n", ENTRY_BEGIN, time,
                   rb_vtk_frame_name(what, number, &scratch));
    rb_text_add(&list, "</Collection>\n</VTKFile>\n");
    return rb_file_write(path, list.data, (size_t)list.count, diag);
}
