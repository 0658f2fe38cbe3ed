// SPDX-License-Identifier: MIT
#include "flexible/flexible_file.h"

#include <string.h>

#include "base/file.h"
#include "base/pack.h"

static const char VERSION[] =
    "Rattleback flexible part 1"; // changes with the file, and with what a reduction finds

static void pack_points(RbPacker *p, const Vec3 *points, int count) {
    for (int i = 0; i < count; i++)
        rb_pack_doubles(p, (const double[3]){points[i].x, points[i].y, points[i].z}, 3);
}

uint64_t rb_flexible_hash(const RbTetMesh *mesh, const RbPartFrame *frames, int count,
                          const RbFlexibleOptions *o) {
    RbPacker p = rb_hashing_packer(RB_HASH_START);
    rb_pack_text(&p, VERSION);
    rb_pack_u64(&p, (uint64_t)mesh->order), rb_pack_u64(&p, (uint64_t)mesh->node_count);
    pack_points(&p, mesh->nodes, mesh->node_count);
    for (int e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < rb_tet_mesh_corners(mesh); i++)
            rb_pack_u64(&p, (uint64_t)mesh->tets[e][i]);
    for (int k = 0; k < count; k++) {
        rb_pack_u64(&p, (uint64_t)frames[k].count), rb_pack_u64(&p, frames[k].averaged);
        for (int i = 0; i < frames[k].count; i++) rb_pack_u64(&p, (uint64_t)frames[k].node[i]);
    }
    const double numbers[] = {o->material.youngs_modulus, o->material.poisson,
                              o->material.density,        o->modes,
                              o->highest_frequency,       o->stiffening};
    rb_pack_doubles(&p, numbers, sizeof numbers / sizeof *numbers);
    return p.hash;
}

// ---- writing

static void pack_list(RbPacker *p, const double *values, size_t count) {
    rb_pack_u64(p, values ? count : 0);
    if (values) rb_pack_doubles(p, values, (int)count);
}

static void pack_body(RbPacker *p, const RbModalBody *b) {
    size_t n = (size_t)b->n;
    rb_pack_u64(p, n), rb_pack_u64(p, (uint64_t)b->frame_count), rb_pack_double(p, b->mass);
    pack_points(p, (const Vec3[3]){b->P00.x, b->P00.y, b->P00.z}, 3);
    pack_list(p, b->omega, n), pack_list(p, b->P0, 9 * n), pack_list(p, b->P, 9 * n * n);
    pack_list(p, b->w, 9 * n * n);
    for (int k = 0; k < b->frame_count; k++) {
        const RbModalFrame *f = &b->frames[k];
        pack_points(p, &f->x, 1);
        pack_list(p, f->phi, 3 * n), pack_list(p, f->theta, 3 * n), pack_list(p, f->H, 3 * n * n);
    }
}

static void pack_surface(RbPacker *p, const RbPartSurface *s) {
    size_t rows = (size_t)s->node_count * (size_t)s->modes;
    rb_pack_u64(p, (uint64_t)s->node_count), rb_pack_u64(p, (uint64_t)s->triangle_count);
    pack_points(p, &s->origin, 1), pack_points(p, s->x, s->node_count);
    for (int i = 0; i < 3 * s->triangle_count; i++)
        rb_pack_u64(p, (uint64_t)s->triangles[i / 3].v[i % 3]);
    pack_list(p, s->shapes, 3 * rows), pack_list(p, s->stress, 6 * rows);
}

RbStatus rb_flexible_save(const char *file, const RbFlexibleBody *body, RbArena scratch,
                          RbDiag *diag) {
    RbPacker p = rb_packer(&scratch);
    rb_pack_text(&p, VERSION);
    pack_body(&p, &body->body), pack_surface(&p, &body->surface);
    rb_pack_u64(&p, rb_hash_bytes(RB_HASH_START, p.bytes.data, (size_t)p.bytes.count));
    return rb_file_write(file, p.bytes.data, (size_t)p.bytes.count, diag);
}

// ---- reading

typedef struct Load {
    RbUnpacker u;
    RbArena *keep;
} Load;

static Vec3 unpack_point(Load *l) {
    double v[3];
    rb_unpack_doubles(&l->u, v, 3);
    return v3_load(v);
}

// A list of this length, or of none: then NULL.
static double *unpack_list(Load *l, size_t wanted) {
    uint64_t count = rb_unpack_u64(&l->u);
    if (count == 0 || count != wanted || count > (l->u.size - l->u.at) / 8) {
        l->u.ok &= count == 0;
        return NULL;
    }
    double *out = rb_new_array(l->keep, double, count);
    rb_unpack_doubles(&l->u, out, (int)count);
    return out;
}

// A number that leaves so many bytes for each.
static int unpack_count(Load *l, size_t bytes) {
    uint64_t count = rb_unpack_u64(&l->u);
    l->u.ok &= count <= (l->u.size - l->u.at) / bytes;
    return l->u.ok ? (int)count : 0;
}

static void unpack_body(Load *l, RbModalBody *b) {
    b->n = unpack_count(l, 8), b->frame_count = unpack_count(l, 24),
    b->mass = rb_unpack_double(&l->u);
    size_t n = (size_t)b->n;
    b->P00.x = unpack_point(l), b->P00.y = unpack_point(l), b->P00.z = unpack_point(l);
    b->omega = unpack_list(l, n), b->P0 = unpack_list(l, 9 * n), b->P = unpack_list(l, 9 * n * n);
    b->w = unpack_list(l, 9 * n * n);
    RbModalFrame *frames = rb_new_array(l->keep, RbModalFrame, b->frame_count + 1);
    for (int k = 0; k < b->frame_count; k++) {
        frames[k] = (RbModalFrame){.x = unpack_point(l), .R = M3_IDENTITY};
        frames[k].phi = unpack_list(l, 3 * n), frames[k].theta = unpack_list(l, 3 * n);
        frames[k].H = unpack_list(l, 3 * n * n);
    }
    b->frames = frames;
}

static void unpack_surface(Load *l, int modes, RbPartSurface *s) {
    s->modes = modes;
    s->node_count = unpack_count(l, 24), s->triangle_count = unpack_count(l, 24);
    s->origin = unpack_point(l);
    Vec3 *x = rb_new_array(l->keep, Vec3, s->node_count + 1);
    RbTriangle *triangles = rb_new_array(l->keep, RbTriangle, s->triangle_count + 1);
    for (int i = 0; i < s->node_count; i++) x[i] = unpack_point(l);
    for (int i = 0; i < 3 * s->triangle_count; i++) {
        uint64_t v = rb_unpack_u64(&l->u);
        l->u.ok &= v < (uint64_t)s->node_count;
        triangles[i / 3].v[i % 3] = (int)v;
    }
    size_t rows = (size_t)s->node_count * (size_t)modes;
    s->x = x, s->triangles = triangles;
    s->shapes = unpack_list(l, 3 * rows), s->stress = unpack_list(l, 6 * rows);
}

bool rb_flexible_load(const char *file, RbArena *keep, RbArena scratch, RbFlexibleBody *out) {
    RbDiag unheard = rb_diag(&scratch);
    RbBytes bytes;
    if (rb_file_read(file, 0, &scratch, &unheard, &bytes) != RB_OK || bytes.size < 8) return false;
    Load l = {rb_unpacker(bytes.data, bytes.size), keep}, end = l;
    end.u.at = bytes.size - 8;
    if (rb_unpack_u64(&end.u) != rb_hash_bytes(RB_HASH_START, bytes.data, bytes.size - 8))
        return false;
    const char *version = rb_unpack_text(&l.u, &scratch);
    if (!version || strcmp(version, VERSION) != 0) return false;
    unpack_body(&l, &out->body);
    unpack_surface(&l, out->body.n, &out->surface);
    return l.u.ok;
}
