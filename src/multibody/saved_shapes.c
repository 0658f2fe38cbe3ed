// SPDX-License-Identifier: MIT
// A checkpoint knows the shapes that come from files, or are made when a run starts: a run is not
// resumed with others.

#include "base/hash.h"
#include "component/saver.h"
#include "multibody/restructure.h"

static uint64_t hash_points(uint64_t hash, const Vec3 *points, int count) {
    return rb_hash_bytes(hash, points, (size_t)count * sizeof *points);
}

// Of a mesh or a hull, with the mass that follows from it; 0: another shape, whose sizes are parameters.
static uint64_t hash_of(const RbSceneObject *o) {
    const RbShape *s = &o->shape;
    if (!o->has_shape || (s->part_count == 0 && !s->surface)) return 0;
    uint64_t hash = rb_hash_bytes(1, &s->radius, sizeof s->radius);
    hash = rb_hash_bytes(hash, &s->smoothing, sizeof s->smoothing);
    for (int i = 0; i < s->part_count; i++) {
        const RbPolytope *p = s->parts[i].polytope;
        if (p) hash = hash_points(hash, p->vertices, p->vertex_count);
    }
    if (!s->surface) return hash;
    hash = hash_points(hash, s->surface->vertices, s->surface->vertex_count);
    return rb_hash_bytes(hash, s->surface->triangles,
                         (size_t)s->surface->triangle_count * sizeof *s->surface->triangles);
}

void rb_mechanism_save_shapes(const Mechanism *m, RbSaver *saver) {
    rb_save_int(saver, m->scene->objects.count);
    for (int i = 0; i < m->scene->objects.count; i++)
        rb_save_int(saver, (int64_t)hash_of(&m->scene->objects.data[i]));
}

bool rb_mechanism_same_shapes(const Mechanism *m, RbLoader *loader) {
    int64_t count, hash;
    if (!rb_load_int(loader, &count) || count != m->scene->objects.count) return false;
    for (int i = 0; i < count; i++) {
        const RbSceneObject *o = &m->scene->objects.data[i];
        if (!rb_load_int(loader, &hash)) return false;
        if ((uint64_t)hash == hash_of(o)) continue;
        rb_fail(loader->diag, RB_ERROR_USAGE, loader->at,
                "the checkpoint does not fit this run: the mesh of '%s' is not the one that it was "
                "written with; resume with the old file, or start the run anew",
                o->object.name);
        return false;
    }
    return true;
}
