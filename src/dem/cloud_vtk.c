// SPDX-License-Identifier: MIT
#include "dem/cloud_vtk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"

// ----------------------------------------------------------------------------------------------------
// a file

typedef struct VtkFile {
    RbText head, data; // what is where; the bytes of all arrays, each after its size
} VtkFile;

static const char *byte_order(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1 ? "LittleEndian" : "BigEndian";
}

static void add_array(VtkFile *f, const char *name, const char *type, int parts, const void *bytes,
                      size_t size) {
    uint64_t length = size;
    rb_text_printf(&f->head,
                   "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                   "format=\"appended\" offset=\"%zu\"/>\n",
                   type, name, parts, (size_t)f->data.count);
    rb_text_add_bytes(&f->data, (const char *)&length, sizeof length);
    rb_text_add_bytes(&f->data, bytes, size);
}

static void add_floats(VtkFile *f, const char *name, int parts, const float *values, int count) {
    add_array(f, name, "Float32", parts, values, (size_t)count * (size_t)parts * sizeof *values);
}

static void add_ints(VtkFile *f, const char *name, const int *values, int count) {
    add_array(f, name, "Int32", 1, values, (size_t)count * sizeof *values);
}

static VtkFile begin_file(RbArena *scratch, int points, int verts, int lines) {
    VtkFile f = {rb_text(scratch), rb_text(scratch)};
    rb_text_printf(&f.head,
                   "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                   "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<Piece "
                   "NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                   byte_order(), points, verts, lines);
    return f;
}

static RbStatus end_file(VtkFile *f, const char *path, RbDiag *diag) {
    rb_text_add(&f->head, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    rb_text_add_bytes(&f->head, f->data.data, (size_t)f->data.count);
    rb_text_add(&f->head, "\n</AppendedData>\n</VTKFile>\n");
    return rb_file_write(path, f->head.data, (size_t)f->head.count, diag);
}

// ----------------------------------------------------------------------------------------------------
// what is in them

static float *vectors(const RbQuad *quads, int count, RbArena *scratch) {
    float *out = rb_new_array(scratch, float, 3 * (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        out[3 * i] = (float)quads[i].x;
        out[3 * i + 1] = (float)quads[i].y;
        out[3 * i + 2] = (float)quads[i].z;
    }
    return out;
}

static float *places(const RbCloud *c, RbArena *scratch) {
    float *out = rb_new_array(scratch, float, 3 * (size_t)c->count + 1);
    for (int i = 0; i < c->count; i++) {
        Vec3 r = rb_cloud_place_of(c, i);
        out[3 * i] = (float)r.x, out[3 * i + 1] = (float)r.y, out[3 * i + 2] = (float)r.z;
    }
    return out;
}

// w, x, y, z: from the frame in which a clump or polyhedron was typed to the world.
static float *quaternions(const RbCloud *c, RbArena *scratch) {
    float *out = rb_new_array(scratch, float, 4 * (size_t)c->count + 1);
    for (int i = 0; i < c->count; i++) {
        Quat q = Q_IDENTITY;
        if (c->body[i] >= 0) {
            const RbGrainBody *b = &c->bodies.data[c->body[i]];
            q = q_mul(b->q, q_conj(c->forms.data[b->form]->axes));
        }
        out[4 * i] = (float)q.w, out[4 * i + 1] = (float)q.x;
        out[4 * i + 2] = (float)q.y, out[4 * i + 3] = (float)q.z;
    }
    return out;
}

static RbStatus write_grains(const RbCloud *c, const char *path, RbArena scratch, RbDiag *diag) {
    int n = c->count;
    float *radii = rb_new_array(&scratch, float, (size_t)n + 1);
    int *materials = rb_new_array(&scratch, int, (size_t)n + 1);
    int *order = rb_new_array(&scratch, int, (size_t)n + 1);
    int *particles = rb_new_array(&scratch, int, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        radii[i] = (float)c->r[i].w;
        particles[i] = c->body[i] >= 0 ? c->bodies.data[c->body[i]].id : c->id[i];
        materials[i] = (int)c->w[i].w;
        order[i] = i;
    }
    VtkFile f = begin_file(&scratch, n, n > 0, 0);
    rb_text_add(&f.head, "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
    add_floats(&f, "radius", 1, radii, n);
    add_floats(&f, "velocity", 3, vectors(c->v, n, &scratch), n);
    add_floats(&f, "spin", 3, vectors(c->w, n, &scratch), n);
    add_ints(&f, "id", c->id, n);
    add_ints(&f, "particle", particles, n);
    add_ints(&f, "material", materials, n);
    if (c->bodies.count > 0) add_floats(&f, "quaternion", 4, quaternions(c, &scratch), n);
    rb_text_add(&f.head, "</PointData>\n<Points>\n");
    add_floats(&f, "place", 3, places(c, &scratch), n);
    rb_text_add(&f.head, "</Points>\n<Verts>\n");
    add_ints(&f, "connectivity", order, n);
    add_ints(&f, "offsets", &n, n > 0);
    rb_text_add(&f.head, "</Verts>\n");
    return end_file(&f, path, diag);
}

typedef struct Lines {
    RbArena *arena;
    RB_ARRAY(float) points, forces;
    RB_ARRAY(int) walls;
} Lines;

static void push_vector(Lines *l, bool force, Vec3 v) {
    double xyz[3];
    v3_store(xyz, v);
    for (int k = 0; k < 3; k++) {
        if (force)
            rb_array_push(&l->forces, l->arena, (float)xyz[k]);
        else
            rb_array_push(&l->points, l->arena, (float)xyz[k]);
    }
}

static void add_line(void *user, const RbCloud *c, const RbGrainTouch *touch) {
    Lines *l = user;
    // A line ends where the second grain is seen: across a periodic border too.
    Vec3 from = rb_cloud_place_of(c, touch->grain);
    push_vector(l, false, from);
    push_vector(l, false, v3_sub(from, rb_cloud_branch(c, touch)));
    push_vector(l, true, touch->force);
    rb_array_push(&l->walls, l->arena, touch->wall);
}

static RbStatus write_contacts(RbCloud *c, const char *path, RbArena scratch, RbDiag *diag) {
    Lines l = {.arena = &scratch};
    rb_cloud_contacts(c, add_line, &l);
    int n = l.walls.count;
    int *order = rb_new_array(&scratch, int, 2 * (size_t)n + 1);
    int *ends = rb_new_array(&scratch, int, (size_t)n + 1);
    for (int k = 0; k < 2 * n; k++) order[k] = k;
    for (int k = 0; k < n; k++) ends[k] = 2 * k + 2;
    VtkFile f = begin_file(&scratch, 2 * n, 0, n);
    rb_text_add(&f.head, "<CellData Vectors=\"force\">\n");
    add_floats(&f, "force", 3, l.forces.data, n);
    add_ints(&f, "wall", l.walls.data, n);
    rb_text_add(&f.head, "</CellData>\n<Points>\n");
    add_floats(&f, "place", 3, l.points.data, 2 * n);
    rb_text_add(&f.head, "</Points>\n<Lines>\n");
    add_ints(&f, "connectivity", order, 2 * n);
    add_ints(&f, "offsets", ends, n);
    rb_text_add(&f.head, "</Lines>\n");
    return end_file(&f, path, diag);
}

// ---------------------------------------------------------------------------------------------------
// the list of frames

static const char *const LIST_BEGIN =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
static const char *const ENTRY_BEGIN = "<DataSet timestep=\"";

static const char *file_of(const char *what, int number, RbArena *arena) {
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

static RbStatus list_frame(const char *folder, const char *what, int number, double time,
                           RbArena scratch, RbDiag *diag) {
    const char *path = rb_arena_printf(&scratch, "%s/%s.pvd", folder, what);
    RbText list = rb_text(&scratch);
    rb_text_add(&list, LIST_BEGIN);
    if (number > 0) copy_earlier(path, what, number, &scratch, &list);
    rb_text_printf(&list, "%s%.17g\" file=\"%s\"/>\n", ENTRY_BEGIN, time,
                   file_of(what, number, &scratch));
    rb_text_add(&list, "</Collection>\n</VTKFile>\n");
    return rb_file_write(path, list.data, (size_t)list.count, diag);
}

RbStatus rb_cloud_write_vtk(RbCloud *cloud, const char *folder, int number, RbArena scratch,
                            RbDiag *diag) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot make the folder '%s': %s", folder,
                       strerror(errno));
    const char *grains = file_of("grains", number, &scratch);
    const char *contacts = file_of("contacts", number, &scratch);
    const char *path = rb_arena_printf(&scratch, "%s/%s", folder, grains);
    RB_TRY(write_grains(cloud, path, scratch, diag));
    path = rb_arena_printf(&scratch, "%s/%s", folder, contacts);
    RB_TRY(write_contacts(cloud, path, scratch, diag));
    RB_TRY(list_frame(folder, "grains", number, cloud->time, scratch, diag));
    return list_frame(folder, "contacts", number, cloud->time, scratch, diag);
}
