// SPDX-License-Identifier: MIT
#include "dem/cloud_vtk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "io/vtk.h"

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
    RbVtk f = rb_vtk(&scratch, n, n > 0, 0);
    rb_text_add(&f.head, "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
    rb_vtk_floats(&f, "radius", 1, radii, n);
    rb_vtk_floats(&f, "velocity", 3, vectors(c->v, n, &scratch), n);
    rb_vtk_floats(&f, "spin", 3, vectors(c->w, n, &scratch), n);
    rb_vtk_ints(&f, "id", c->id, n);
    rb_vtk_ints(&f, "particle", particles, n);
    rb_vtk_ints(&f, "material", materials, n);
    if (c->bodies.count > 0) rb_vtk_floats(&f, "quaternion", 4, quaternions(c, &scratch), n);
    rb_text_add(&f.head, "</PointData>\n<Points>\n");
    rb_vtk_floats(&f, "place", 3, places(c, &scratch), n);
    rb_text_add(&f.head, "</Points>\n<Verts>\n");
    rb_vtk_ints(&f, "connectivity", order, n);
    rb_vtk_ints(&f, "offsets", &n, n > 0);
    rb_text_add(&f.head, "</Verts>\n");
    return rb_vtk_write(&f, path, diag);
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
    RbVtk f = rb_vtk(&scratch, 2 * n, 0, n);
    rb_text_add(&f.head, "<CellData Vectors=\"force\">\n");
    rb_vtk_floats(&f, "force", 3, l.forces.data, n);
    rb_vtk_ints(&f, "wall", l.walls.data, n);
    rb_text_add(&f.head, "</CellData>\n<Points>\n");
    rb_vtk_floats(&f, "place", 3, l.points.data, 2 * n);
    rb_text_add(&f.head, "</Points>\n<Lines>\n");
    rb_vtk_ints(&f, "connectivity", order, 2 * n);
    rb_vtk_ints(&f, "offsets", ends, n);
    rb_text_add(&f.head, "</Lines>\n");
    return rb_vtk_write(&f, path, diag);
}

static const char *path_of(const char *folder, const char *what, int number, RbArena *arena) {
    return rb_arena_printf(arena, "%s/%s", folder, rb_vtk_frame_name(what, number, arena));
}

RbStatus rb_cloud_write_vtk(RbCloud *cloud, const char *folder, int number, RbArena scratch,
                            RbDiag *diag) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot make the folder '%s': %s", folder,
                       strerror(errno));
    RB_TRY(write_grains(cloud, path_of(folder, "grains", number, &scratch), scratch, diag));
    RB_TRY(write_contacts(cloud, path_of(folder, "contacts", number, &scratch), scratch, diag));
    RB_TRY(rb_vtk_list_frame(folder, "grains", number, cloud->time, scratch, diag));
    return rb_vtk_list_frame(folder, "contacts", number, cloud->time, scratch, diag);
}
