// SPDX-License-Identifier: MIT
#include "export/three_json.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/text.h"
#include "export/film_parts.h"
#include "io/sink.h"

// A name for machines that is the same for the same part: 128 bits of two hashes.
static void add_bare_uuid(RbText *t, const char *kind, const char *name, int number) {
    uint64_t a = rb_hash_bytes(RB_HASH_START, kind, strlen(kind));
    a = rb_hash_bytes(a, name, strlen(name));
    a = rb_hash_mix(a + (uint64_t)number);
    uint64_t b = rb_hash_mix(~a);
    rb_text_printf(t, "%08" PRIx32 "-%04x-5%03x-a%03x-%012" PRIx64, (uint32_t)(a >> 32),
                   (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xfff), (unsigned)(b >> 48 & 0xfff),
                   b & UINT64_C(0xffffffffffff));
}

static void add_uuid(RbText *t, const char *kind, const char *name, int number) {
    rb_text_add(t, "\"");
    add_bare_uuid(t, kind, name, number);
    rb_text_add(t, "\"");
}

static void add_values(RbText *t, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (i > 0) rb_text_add(t, ",");
        rb_text_add_double(t, (double)(float)values[i]);
    }
}

static void add_geometry(RbText *t, const RbMesh *mesh, const char *name, int number) {
    rb_text_add(t, number > 0 ? ",\n{\"uuid\":" : "{\"uuid\":");
    add_uuid(t, "geometry", name, number);
    rb_text_add(
        t, ",\"type\":\"BufferGeometry\",\"data\":{\"attributes\":{\"position\":{\"itemSize\":3,"
           "\"type\":\"Float32Array\",\"array\":[");
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            Vec3 v = mesh->vertices[mesh->triangles[i].v[k]];
            if (i + k > 0) rb_text_add(t, ",");
            add_values(t, (double[]){v.x, v.y, v.z}, 3);
        }
    }
    rb_text_add(t, "]},\"normal\":{\"itemSize\":3,\"type\":\"Float32Array\",\"array\":[");
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *v = mesh->triangles[i].v;
        Vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
        double length = v3_norm(n) > 0 ? v3_norm(n) : 1;
        for (int k = 0; k < 3; k++) {
            if (i + k > 0) rb_text_add(t, ",");
            add_values(t, (double[]){n.x / length, n.y / length, n.z / length}, 3);
        }
    }
    rb_text_add(t, "]}}}}");
}

static void add_material(RbText *t, const RbFilmPart *part, int number) {
    double c[4];
    rb_film_colour(part->drawn, part->number, c);
    unsigned colour = (unsigned)(255 * c[0] + 0.5) << 16 | (unsigned)(255 * c[1] + 0.5) << 8 |
                      (unsigned)(255 * c[2] + 0.5);
    rb_text_add(t, number > 0 ? ",\n{\"uuid\":" : "{\"uuid\":");
    add_uuid(t, "material", part->object->name, number);
    rb_text_printf(t,
                   ",\"type\":\"MeshPhongMaterial\",\"color\":%u,\"opacity\":%g,\"transparent\":%s,"
                   "\"shininess\":70}",
                   colour, c[3], c[3] < 1 ? "true" : "false");
}

static void add_child(RbText *t, const RbFilmParts *p, const RbFilmPart *part, int number) {
    Pose X;
    bool there = rb_film_part_pose(p, part, 0, &X);
    Quat q = q_from_matrix(X.R);
    rb_text_add(t, ",\n{\"uuid\":");
    add_uuid(t, "object", part->object->name, number);
    rb_text_add(t, ",\"type\":\"Mesh\",\"name\":\"");
    rb_text_add_json(t, part->object->name);
    rb_text_add(t, "\",\"geometry\":");
    add_uuid(t, "geometry", part->object->name, number);
    rb_text_add(t, ",\"material\":");
    add_uuid(t, "material", part->object->name, number);
    rb_text_printf(t, ",\"visible\":%s,\"position\":[", there ? "true" : "false");
    add_values(t, (double[]){X.r.x, X.r.y, X.r.z}, 3);
    rb_text_add(t, "],\"quaternion\":[");
    add_values(t, (double[]){q.x, q.y, q.z, q.w}, 4);
    rb_text_add(t, "]}");
}

static void start_track(RbText *t, const RbFilmParts *p, const RbFilmPart *part, int number,
                        const char *what, const char *type) {
    if (t->data[t->count - 1] != '[') rb_text_add(t, ",\n");
    rb_text_add(t, "{\"name\":\"");
    add_bare_uuid(t, "object", part->object->name, number);
    rb_text_printf(t, ".%s\",\"type\":\"%s\",\"times\":[", what, type);
    for (int f = 0; f < p->frames.count; f++) {
        if (f > 0) rb_text_add(t, ",");
        rb_text_add_double(t, (double)p->times[f]);
    }
    rb_text_add(t, "],\"values\":[");
}

static void add_tracks(RbText *t, const RbFilmParts *p, const RbFilmPart *part, int number) {
    static const char *const names[] = {"position", "quaternion", "visible"};
    static const char *const types[] = {"vector", "quaternion", "bool"};
    for (int track = 0; track < 3; track++) {
        if (track < 2 ? !part->moves : part->always) continue;
        start_track(t, p, part, number, names[track], types[track]);
        for (int f = 0; f < p->frames.count; f++) {
            Pose X;
            bool there = rb_film_part_pose(p, part, f, &X);
            Quat q = q_from_matrix(X.R);
            if (f > 0) rb_text_add(t, ",");
            if (track == 0) add_values(t, (double[]){X.r.x, X.r.y, X.r.z}, 3);
            if (track == 1) add_values(t, (double[]){q.x, q.y, q.z, q.w}, 4);
            if (track == 2) rb_text_add(t, there ? "true" : "false");
        }
        rb_text_add(t, "]}");
    }
}

RbStatus rb_three_json_write(const char *path, const RbFilm *film, RbArena *arena, RbDiag *diag) {
    RbFilmParts p = rb_film_parts(film, arena);
    RbText t = rb_text(arena);
    rb_text_add(
        &t, "{\"metadata\":{\"version\":4.5,\"type\":\"Object\",\"generator\":\"Rattleback\"},\n"
            "\"geometries\":[");
    for (int i = 0; i < p.parts.count; i++) {
        RbMesh mesh = rb_film_mesh(film, p.parts.data[i].object, arena);
        add_geometry(&t, &mesh, p.parts.data[i].object->name, i);
    }
    rb_text_add(&t, "],\n\"materials\":[");
    for (int i = 0; i < p.parts.count; i++) add_material(&t, &p.parts.data[i], i);
    rb_text_add(&t, "],\n\"object\":{\"uuid\":");
    add_uuid(&t, "scene", "Scene", 0);
    rb_text_add(&t, ",\"type\":\"Scene\",\"name\":\"Scene\",\"animations\":[");
    add_uuid(&t, "clip", "Simulation", 0);
    rb_text_add(&t, "],\"children\":[{\"uuid\":");
    add_uuid(&t, "light", "sun", 0);
    rb_text_add(
        &t, ",\"type\":\"DirectionalLight\",\"name\":\"sun\",\"color\":16777215,\"intensity\":2,"
            "\"position\":[3,-4,8]},\n{\"uuid\":");
    add_uuid(&t, "light", "ambient", 0);
    rb_text_add(
        &t,
        ",\"type\":\"AmbientLight\",\"name\":\"ambient\",\"color\":16777215,\"intensity\":0.5}");
    for (int i = 0; i < p.parts.count; i++) add_child(&t, &p, &p.parts.data[i], i);
    rb_text_add(&t, "]},\n\"animations\":[{\"uuid\":");
    add_uuid(&t, "clip", "Simulation", 0);
    rb_text_add(&t, ",\"name\":\"Simulation\",\"duration\":-1,\"tracks\":[");
    for (int i = 0; i < p.parts.count; i++) add_tracks(&t, &p, &p.parts.data[i], i);
    rb_text_add(&t, "]}]}\n");
    RbSink sink;
    RB_TRY(rb_sink_open(path, arena, diag, &sink));
    rb_sink_write(&sink, t.data, (size_t)t.count);
    return rb_sink_close(&sink, RB_OK, diag);
}
