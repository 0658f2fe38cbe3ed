// SPDX-License-Identifier: MIT
#include "export/still.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "io/place.h"
#include "io/sink.h"

typedef struct StillObject {
    const char *name;
    RbMesh mesh; // in the world
    double colour[4];
} StillObject;

typedef RB_ARRAY(StillObject) StillObjects;

// More spheres than this would be hundreds of megabytes of triangles.
enum { MOST_SPHERES = 10000 };

static RbStatus check_spheres(int count, RbPos at, RbDiag *diag) {
    if (count <= MOST_SPHERES) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, at,
                   "%d spheres are too many for a file of triangles, %d at most; "
                   "`convert` to .pvd writes them for ParaView",
                   count, MOST_SPHERES);
}

static RbStatus collect(const RbFilm *film, RbMoment m, RbPos at, RbArena *arena, RbDiag *diag,
                        StillObjects *out) {
    const RbDrawn *d = &film->segments[m.segment].drawn;
    StillObjects list = {0};
    int sphere_count = 0;
    for (int i = 0; i < d->object_count; i++) {
        StillObject o = {.name = d->objects[i].name};
        if (!rb_film_sees(film, m, i)) continue;
        RbFilmSpheres spheres = rb_film_spheres(film, m, i, arena);
        sphere_count += spheres.count;
        RB_TRY(check_spheres(sphere_count, at, diag));
        o.mesh = spheres.count > 0 ? rb_film_spheres_mesh(&spheres, arena)
                                   : rb_film_mesh(film, &d->objects[i], arena);
        if (o.mesh.triangle_count == 0) continue;
        Pose X = rb_film_pose(film, m, i);
        Vec3 *moved = rb_film_vertices(film, m, i, o.mesh.vertex_count, arena);
        if (moved && spheres.count == 0) o.mesh.vertices = moved;
        Vec3 *vertices = rb_new_array(arena, Vec3, o.mesh.vertex_count);
        for (int k = 0; k < o.mesh.vertex_count; k++)
            vertices[k] = pose_point(X, o.mesh.vertices[k]);
        o.mesh.vertices = vertices;
        rb_film_colour(d, i, o.colour);
        rb_array_push(&list, arena, o);
    }
    *out = list;
    if (list.count > 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, at, "there is nothing with a surface to see at this time");
}

// A name in one line, without characters that a reader of OBJ files would take for something else.
static void add_name(RbText *t, const char *name) {
    for (const char *c = name; *c; c++) {
        char plain = (unsigned char)*c <= ' ' || *c == '#' || *c == '\\' ? '_' : *c;
        rb_text_add_bytes(t, &plain, 1);
    }
}

static void add_vector(RbText *t, const char *start, Vec3 v) {
    rb_text_printf(t, "%s%.9g %.9g %.9g", start, v.x, v.y, v.z);
}

static void write_obj(RbText *t, const StillObjects *list) {
    int first = 1;
    rb_text_add(t, "# Rattleback\n");
    for (int i = 0; i < list->count; i++) {
        const StillObject *o = &list->data[i];
        rb_text_add(t, "o ");
        add_name(t, o->name);
        for (int k = 0; k < o->mesh.vertex_count; k++) add_vector(t, "\nv ", o->mesh.vertices[k]);
        for (int k = 0; k < o->mesh.triangle_count; k++) {
            const int *v = o->mesh.triangles[k].v;
            rb_text_printf(t, "\nf %d %d %d", first + v[0], first + v[1], first + v[2]);
        }
        rb_text_add(t, "\n");
        first += o->mesh.vertex_count;
    }
}

static void write_ply(RbText *t, const StillObjects *list) {
    int vertices = 0, triangles = 0, first = 0;
    for (int i = 0; i < list->count; i++) {
        vertices += list->data[i].mesh.vertex_count;
        triangles += list->data[i].mesh.triangle_count;
    }
    rb_text_printf(t,
                   "ply\nformat ascii 1.0\ncomment Rattleback\nelement vertex %d\nproperty float "
                   "x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar "
                   "green\nproperty uchar blue\nelement face %d\nproperty list uchar int "
                   "vertex_indices\nend_header\n",
                   vertices, triangles);
    for (int i = 0; i < list->count; i++) {
        const StillObject *o = &list->data[i];
        for (int k = 0; k < o->mesh.vertex_count; k++) {
            add_vector(t, "", o->mesh.vertices[k]);
            rb_text_printf(t, " %.0f %.0f %.0f\n", 255 * o->colour[0], 255 * o->colour[1],
                           255 * o->colour[2]);
        }
    }
    for (int i = 0; i < list->count; i++) {
        const RbMesh *m = &list->data[i].mesh;
        for (int k = 0; k < m->triangle_count; k++) {
            const int *v = m->triangles[k].v;
            rb_text_printf(t, "3 %d %d %d\n", first + v[0], first + v[1], first + v[2]);
        }
        first += m->vertex_count;
    }
}

static void add_f32(RbText *t, Vec3 v) {
    const double values[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        float small = (float)values[i];
        uint32_t bits;
        unsigned char bytes[4];
        memcpy(&bits, &small, sizeof bits);
        rb_put_u32(bytes, bits);
        rb_text_add_bytes(t, (char *)bytes, sizeof bytes);
    }
}

static void write_stl(RbText *t, const StillObjects *list) {
    char head[80] = "binary STL of Rattleback";
    unsigned char count[4];
    uint32_t triangles = 0;
    for (int i = 0; i < list->count; i++) triangles += (uint32_t)list->data[i].mesh.triangle_count;
    rb_put_u32(count, triangles);
    rb_text_add_bytes(t, head, sizeof head);
    rb_text_add_bytes(t, (char *)count, sizeof count);
    for (int i = 0; i < list->count; i++) {
        const RbMesh *m = &list->data[i].mesh;
        for (int k = 0; k < m->triangle_count; k++) {
            const int *v = m->triangles[k].v;
            Vec3 a = m->vertices[v[0]], b = m->vertices[v[1]], c = m->vertices[v[2]];
            Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
            double length = v3_norm(n);
            add_f32(t, length > 0 ? v3_scale(1 / length, n) : n);
            add_f32(t, a), add_f32(t, b), add_f32(t, c);
            rb_text_add_bytes(t, "\0\0", 2);
        }
    }
}

bool rb_still_can_write(const char *path) {
    return rb_text_ends_with(path, ".obj") || rb_text_ends_with(path, ".ply") ||
           rb_text_ends_with(path, ".stl");
}

RbStatus rb_still_write(const char *path, const RbFilm *film, double time, RbArena *arena,
                        RbDiag *diag) {
    RbPos at = rb_place(diag, film->result->file);
    double last = film->times[film->row_count - 1];
    if (!(time >= film->times[0] && time <= last))
        return rb_fail(diag, RB_ERROR_USAGE, at,
                       "the time %g s is outside of the result, which goes from %g s to %g s", time,
                       film->times[0], last);
    RbMoment m = rb_film_at(film, time);
    if (film->segments[m.segment].drawing.size == 0)
        return rb_fail(diag, RB_ERROR_USAGE, at, "there is nothing to see at %g s", time);
    StillObjects list;
    RB_TRY(collect(film, m, at, arena, diag, &list));
    RbText t = rb_text(arena);
    if (rb_text_ends_with(path, ".obj")) write_obj(&t, &list);
    if (rb_text_ends_with(path, ".ply")) write_ply(&t, &list);
    if (rb_text_ends_with(path, ".stl")) write_stl(&t, &list);
    RbSink sink;
    RB_TRY(rb_sink_open(path, arena, diag, &sink));
    rb_sink_write(&sink, t.data, (size_t)t.count);
    return rb_sink_close(&sink, RB_OK, diag);
}
