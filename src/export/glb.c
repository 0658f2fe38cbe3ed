// SPDX-License-Identifier: MIT
#include "export/glb.h"

#include <math.h>

#include "export/glb_parts.h"
#include "io/place.h"
#include "io/sink.h"

// A clip of bodies that deform has so many bytes of places, at most.
enum { MOST_KEY_BYTES = 16 << 20 };

void rb_glb_separate(RbText *t) {
    if (t->count > 0) rb_text_add(t, ",\n");
}

static void add_float(RbText *t, float value) {
    rb_text_add_double(t, (double)value);
}

int rb_glb_accessor(RbGlb *g, const void *numbers, int items, int width, bool whole, int target,
                    bool limits) {
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    rb_glb_separate(&g->views);
    rb_text_printf(&g->views, "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d", g->data.count,
                   4 * items * width);
    if (target) rb_text_printf(&g->views, ",\"target\":%d", target);
    rb_text_add(&g->views, "}");
    rb_glb_separate(&g->accessors);
    rb_text_printf(&g->accessors,
                   "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                   g->view_count++, whole ? RB_GLB_UNSIGNED_INT : RB_GLB_FLOAT, items, types[width]);
    for (int side = 0; limits && side < 2; side++) {
        rb_text_add(&g->accessors, side == 0 ? ",\"min\":[" : ",\"max\":[");
        for (int k = 0; k < width; k++) {
            const float *f = numbers;
            float best = f[k];
            for (int i = 1; i < items; i++)
                best = side == 0 ? fminf(best, f[i * width + k]) : fmaxf(best, f[i * width + k]);
            if (k > 0) rb_text_add(&g->accessors, ",");
            add_float(&g->accessors, best);
        }
        rb_text_add(&g->accessors, "]");
    }
    rb_text_add(&g->accessors, "}");
    for (int i = 0; i < items * width; i++) {
        uint32_t bits;
        unsigned char bytes[4];
        memcpy(&bits, (const char *)numbers + 4 * (size_t)i, sizeof bits);
        rb_put_u32(bytes, bits);
        rb_text_add_bytes(&g->data, (char *)bytes, sizeof bytes);
    }
    return g->accessor_count++;
}

// ---- shapes

static void put(float *to, Vec3 v) {
    to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
}

// One for each mesh.
static int add_material(RbGlb *g, const double *colour) {
    rb_glb_separate(&g->materials);
    rb_text_printf(&g->materials,
                   "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.6g,%.6g,%.6g,%.6g],"
                   "\"metallicFactor\":0.05,\"roughnessFactor\":0.45}%s}",
                   pow(colour[0], 2.2), pow(colour[1], 2.2), pow(colour[2], 2.2), colour[3],
                   colour[3] < 1 ? ",\"alphaMode\":\"BLEND\"" : "");
    return g->mesh_count++;
}

void rb_glb_mesh(RbGlb *g, const RbMesh *mesh, bool round, const double *colour) {
    int corners = 3 * mesh->triangle_count;
    float *positions = rb_new_array(g->arena, float, 3 * (size_t)corners);
    float *normals = rb_new_array(g->arena, float, 3 * (size_t)corners);
    uint32_t *indices = rb_new_array(g->arena, uint32_t, corners);
    Vec3 *smooth = rb_new_array(g->arena, Vec3, mesh->vertex_count);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < mesh->triangle_count; i++) {
            const int *v = mesh->triangles[i].v;
            Vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
            Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
            for (int k = 0; k < 3; k++) {
                if (pass == 0) {
                    smooth[v[k]] = v3_add(smooth[v[k]], n);
                    continue;
                }
                Vec3 normal = round ? smooth[v[k]] : n;
                double length = v3_norm(normal);
                put(normals + 9 * i + 3 * k,
                    length > 0 ? v3_scale(1 / length, normal) : v3(0, 0, 1));
                put(positions + 9 * i + 3 * k, mesh->vertices[v[k]]);
                indices[3 * i + k] = (uint32_t)(3 * i + k);
            }
        }
    }
    int position = rb_glb_accessor(g, positions, corners, 3, false, RB_GLB_VERTICES, true);
    int normal = rb_glb_accessor(g, normals, corners, 3, false, RB_GLB_VERTICES, false);
    int index = rb_glb_accessor(g, indices, corners, 1, true, RB_GLB_INDICES, false);
    int material = add_material(g, colour);
    rb_glb_separate(&g->meshes);
    rb_text_printf(&g->meshes,
                   "{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},"
                   "\"indices\":%d,\"material\":%d}]}",
                   position, normal, index, material);
}

// ---- bodies that deform: shapes that are faded into each other

// Vertices in a frame; where they were last while the part is not there.
static Vec3 *vertices_in(RbGlb *g, const RbFilmPart *part, int frame, int count, Vec3 *last) {
    RbMoment m = g->parts.frames.data[frame];
    int object = part->in_segment[m.segment];
    Vec3 *found = object < 0 ? NULL : rb_film_vertices(g->parts.film, m, object, count, g->arena);
    return found ? found : last;
}

// Positions in the first key frame, and what is added to them in each of the others.
static void add_shapes(RbGlb *g, const RbFilmPart *part, const RbMesh *mesh, const double *colour) {
    int n = mesh->vertex_count;
    float *places = rb_new_array(g->arena, float, 3 * (size_t)n);
    uint32_t *corners = rb_new_array(g->arena, uint32_t, 3 * (size_t)mesh->triangle_count);
    for (int i = 0; i < n; i++) put(places + 3 * i, mesh->vertices[i]);
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
        corners[i] = (uint32_t)mesh->triangles[i / 3].v[i % 3];
    int position = rb_glb_accessor(g, places, n, 3, false, RB_GLB_VERTICES, true);
    int index =
        rb_glb_accessor(g, corners, 3 * mesh->triangle_count, 1, true, RB_GLB_INDICES, false);
    int material = add_material(g, colour);
    rb_glb_separate(&g->meshes);
    rb_text_printf(&g->meshes,
                   "{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,"
                   "\"material\":%d,\"targets\":[",
                   position, index, material);
    Vec3 *last = NULL;
    for (int k = 1; k < g->key_count; k++) {
        last = vertices_in(g, part, g->keys[k], n, last);
        for (int i = 0; i < n; i++)
            put(places + 3 * i, last ? v3_sub(last[i], mesh->vertices[i]) : V3_ZERO);
        rb_text_printf(&g->meshes, k > 1 ? ",{\"POSITION\":%d}" : "{\"POSITION\":%d}",
                       rb_glb_accessor(g, places, n, 3, false, RB_GLB_VERTICES, true));
    }
    rb_text_add(&g->meshes, "]}],\"weights\":[");
    for (int k = 1; k < g->key_count; k++) rb_text_add(&g->meshes, k > 1 ? ",0" : "0");
    rb_text_add(&g->meshes, "]}");
}

// In key frame k shape k is there, and no other.
static int shape_weights(RbGlb *g) {
    int shapes = g->key_count - 1;
    float *weights = rb_new_array(g->arena, float, (size_t)g->key_count *(size_t)shapes);
    for (int k = 1; k < g->key_count; k++) weights[k * shapes + k - 1] = 1;
    return rb_glb_accessor(g, weights, g->key_count * shapes, 1, false, 0, false);
}

int *rb_glb_choose_frames(RbGlb *g, int most, int *count) {
    int frames = g->parts.frames.count;
    *count = frames < most ? frames : most;
    int *keys = rb_new_array(g->arena, int, *count + 1);
    for (int k = 0; k < *count; k++)
        keys[k] = *count > 1 ? (int)((long)k * (frames - 1) / (*count - 1)) : 0;
    return keys;
}

// Key frames evenly among all frames, as many as the vertices that move leave room for.
static void choose_keys(RbGlb *g, size_t vertices) {
    int most = RB_GLB_KEYS;
    if (vertices > 0) most = (int)fmin(most, fmax(2, MOST_KEY_BYTES / (12.0 * (double)vertices)));
    g->keys = rb_glb_choose_frames(g, most, &g->key_count);
    float *times = rb_new_array(g->arena, float, g->key_count);
    for (int k = 0; k < g->key_count; k++) times[k] = g->parts.times[g->keys[k]];
    if (vertices > 0 && g->key_count > 1)
        g->key_times = rb_glb_accessor(g, times, g->key_count, 1, false, 0, true);
}

// ---- nodes and their motion

void rb_glb_numbers(RbText *t, const char *name, const float *values, int count) {
    rb_text_printf(t, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) rb_text_add(t, ",");
        add_float(t, values[i]);
    }
    rb_text_add(t, "]");
}

void rb_glb_channel(RbGlb *g, int node, const char *path, int times, int values, bool steps) {
    rb_glb_separate(&g->samplers);
    rb_text_printf(&g->samplers, "{\"input\":%d,\"output\":%d%s}", times, values,
                   steps ? ",\"interpolation\":\"STEP\"" : "");
    rb_glb_separate(&g->channels);
    rb_text_printf(&g->channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                   g->sampler_count++, node, path);
}

static void add_node(RbGlb *g, int index, int times, bool has_mesh) {
    const RbFilmPart *part = &g->parts.parts.data[index];
    int frames = g->parts.frames.count;
    float *r = rb_new_array(g->arena, float, 3 * (size_t)frames);
    float *q = rb_new_array(g->arena, float, 4 * (size_t)frames);
    float *scale = rb_new_array(g->arena, float, 3 * (size_t)frames);
    for (int f = 0; f < frames; f++) {
        Pose X;
        bool there = rb_film_part_pose(&g->parts, part, f, &X);
        Quat turn = q_unit(q_from_matrix(X.R));
        put(r + 3 * f, X.r);
        q[4 * f] = (float)turn.x, q[4 * f + 1] = (float)turn.y, q[4 * f + 2] = (float)turn.z;
        q[4 * f + 3] = (float)turn.w;
        for (int k = 0; k < 3; k++) scale[3 * f + k] = there ? 1 : 0;
    }
    rb_glb_separate(&g->nodes);
    rb_text_add(&g->nodes, "{\"name\":\"");
    rb_text_add_json(&g->nodes, part->object->name);
    rb_text_add(&g->nodes, "\"");
    if (has_mesh) rb_text_printf(&g->nodes, ",\"mesh\":%d", g->mesh_count - 1);
    rb_glb_numbers(&g->nodes, "translation", r, 3);
    rb_glb_numbers(&g->nodes, "rotation", q, 4);
    if (!part->always) rb_glb_numbers(&g->nodes, "scale", scale, 3);
    rb_text_add(&g->nodes, "}");
    int node = index + 1; // behind the root
    if (part->moves && frames > 1) {
        int values = rb_glb_accessor(g, r, frames, 3, false, 0, false);
        rb_glb_channel(g, node, "translation", times, values, false);
        values = rb_glb_accessor(g, q, frames, 4, false, 0, false);
        rb_glb_channel(g, node, "rotation", times, values, false);
    }
    if (!part->always && frames > 1)
        rb_glb_channel(g, node, "scale", times, rb_glb_accessor(g, scale, frames, 3, false, 0, false),
                    true);
    if (g->deforms[index]) rb_glb_channel(g, node, "weights", g->key_times, shape_weights(g), false);
}

// The root turns what is up in the film to y.
static void add_root(RbGlb *g) {
    Vec3 up = rb_film_up(g->parts.film), y = v3(0, 1, 0), axis = v3_cross(up, y);
    double s = v3_norm(axis), c = v3_dot(up, y);
    Quat q = s > 1e-12 ? q_rotation(v3_scale(1 / s, axis), atan2(s, c))
                       : q_rotation(v3(1, 0, 0), c > 0 ? 0 : acos(-1.0));
    const float turn[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    rb_text_add(&g->nodes, "{\"name\":\"world\"");
    rb_glb_numbers(&g->nodes, "rotation", turn, 4);
    int children = g->parts.parts.count + rb_glb_sphere_nodes(g);
    if (children > 0) rb_text_add(&g->nodes, ",\"children\":[");
    for (int i = 0; i < children; i++) rb_text_printf(&g->nodes, i > 0 ? ",%d" : "%d", i + 1);
    if (children > 0) rb_text_add(&g->nodes, "]");
    rb_text_add(&g->nodes, "}");
}

// Which parts deform; the mesh of each as it is where it is seen first.
static RbMesh *find_meshes(RbGlb *g) {
    int count = g->parts.parts.count;
    RbMesh *meshes = rb_new_array(g->arena, RbMesh, count);
    size_t vertices = 0;
    g->deforms = rb_new_array(g->arena, bool, count);
    for (int i = 0; i < count; i++) {
        const RbFilmPart *part = &g->parts.parts.data[i];
        meshes[i] = rb_film_mesh(g->parts.film, part->object, g->arena);
        for (int f = 0; f < g->parts.frames.count && part->object->form == RB_FORM_MESH; f++) {
            RbMoment m = g->parts.frames.data[f];
            int object = part->in_segment[m.segment];
            if (object < 0) continue;
            const Vec3 *first = vertices_in(g, part, f, meshes[i].vertex_count, NULL);
            if (first) meshes[i].vertices = first;
            g->deforms[i] =
                first && g->parts.frames.count > 1 && rb_film_deforms(g->parts.film, m, object);
            break;
        }
        if (g->deforms[i]) vertices += (size_t)meshes[i].vertex_count;
    }
    choose_keys(g, vertices);
    return meshes;
}

static void add_parts(RbGlb *g) {
    const RbMesh *meshes = find_meshes(g);
    add_root(g);
    int times = -1;
    for (int i = 0; i < g->parts.parts.count; i++) {
        const RbFilmPart *part = &g->parts.parts.data[i];
        RbMesh mesh = meshes[i];
        if (mesh.triangle_count > 0) {
            double colour[4];
            bool round =
                part->object->form == RB_FORM_SPHERE || part->object->form == RB_FORM_ELLIPSOID;
            rb_film_colour(part->drawn, part->number, colour);
            if (g->deforms[i])
                add_shapes(g, part, &mesh, colour);
            else
                rb_glb_mesh(g, &mesh, round, colour);
        }
        bool animated = g->parts.frames.count > 1 && (part->moves || !part->always);
        if (animated && times < 0)
            times = rb_glb_accessor(g, g->parts.times, g->parts.frames.count, 1, false, 0, true);
        add_node(g, i, times, mesh.triangle_count > 0);
    }
    rb_glb_add_spheres(g, g->parts.parts.count + 1);
}

// ---- the file

static void add_list(RbText *t, const char *name, const RbText *list) {
    if (list->count == 0) return;
    rb_text_printf(t, ",\n\"%s\":[", name);
    rb_text_add_bytes(t, list->data, (size_t)list->count);
    rb_text_add(t, "]");
}

static RbText describe(RbGlb *g) {
    RbText t = rb_text(g->arena);
    rb_text_add(&t, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Rattleback\"},\"scene\":0,"
                    "\"scenes\":[{\"nodes\":[0]}]");
    add_list(&t, "nodes", &g->nodes);
    add_list(&t, "meshes", &g->meshes);
    add_list(&t, "materials", &g->materials);
    add_list(&t, "accessors", &g->accessors);
    add_list(&t, "bufferViews", &g->views);
    if (g->data.count > 0) rb_text_printf(&t, ",\"buffers\":[{\"byteLength\":%d}]", g->data.count);
    if (g->channels.count > 0) {
        rb_text_add(&t, ",\"animations\":[{\"name\":\"Simulation\"");
        add_list(&t, "samplers", &g->samplers);
        add_list(&t, "channels", &g->channels);
        rb_text_add(&t, "}]");
    }
    rb_text_add(&t, "}");
    while (t.count % 4 != 0) rb_text_add(&t, " ");
    return t;
}

static void write_chunk(RbSink *sink, const char *kind, const RbText *text) {
    unsigned char head[8];
    rb_put_u32(head, (uint32_t)text->count);
    memcpy(head + 4, kind, 4);
    rb_sink_write(sink, head, sizeof head);
    rb_sink_write(sink, text->data, (size_t)text->count);
}

RbStatus rb_glb_write(const char *path, const RbFilm *film, double time, RbArena *arena,
                      RbDiag *diag) {
    RbGlb g = {.parts = rb_film_parts(film, arena), .arena = arena};
    RbText *texts[] = {&g.data,      &g.views, &g.accessors, &g.meshes,
                       &g.materials, &g.nodes, &g.samplers,  &g.channels};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = rb_text(arena);
    RB_TRY(rb_glb_find_spheres(&g, time, rb_place(diag, path), diag));
    add_parts(&g);
    RbText json = describe(&g);
    unsigned char head[12] = "glTF";
    size_t size =
        sizeof head + 8 + (size_t)json.count + (g.data.count > 0 ? 8 + (size_t)g.data.count : 0);
    rb_put_u32(head + 4, 2);
    rb_put_u32(head + 8, (uint32_t)size);
    RbSink sink;
    RB_TRY(rb_sink_open(path, arena, diag, &sink));
    rb_sink_write(&sink, head, sizeof head);
    write_chunk(&sink, "JSON", &json);
    if (g.data.count > 0) write_chunk(&sink, "BIN", &g.data); // the fourth letter is a zero
    return rb_sink_close(&sink, RB_OK, diag);
}
