// SPDX-License-Identifier: MIT
// drawing.h: the stream format of pictures (docs/formats.md), both ways: what
// include/rattleback/drawing.h collects becomes bytes, and bytes of a journal become objects,
// meshes and chunks again.
#pragma once

#include <rattleback/drawing.h>

#include "base/diag.h"
#include "base/map.h"
#include "io/bytes.h"

// Kinds of chunks in a picture. ORDER docs/formats.md, viewer/src/stream.js
typedef enum RbChunkKind {
    RB_CHUNK_POSES = 1,    // item: position, quaternion w, x, y, z
    RB_CHUNK_CONTACTS,     // item: objects a and b (u32), point, normal, force, torque, depth
    RB_CHUNK_POINTS,       // item: x, y, z
    RB_CHUNK_VALUES,       // item: a number
    RB_CHUNK_DIAMETERS,    // item: a number
    RB_CHUNK_COLOURS,      // item: four u8
    RB_CHUNK_SIZES,        // item: RB_DRAW_SIZES numbers
    RB_CHUNK_LINES,        // item: x, y, z, x, y, z
    RB_CHUNK_POLYGON,      // item: x, y, z, value
    RB_CHUNK_HIDDEN,       // no items
    RB_CHUNK_CLOSE_POINTS, // four items are 6 f32: corner and step; then item: x, y, z (u16 steps)
    RB_CHUNK_STRAINS,      // item: i16, in 1e-4
    RB_CHUNK_SHADE,        // item: a number
    RB_CHUNK_CARRIED,      // item: points (u32; 2^32 - 1: none), weights
    RB_CHUNK_RAISED,       // item: vertex, three points (u32), height, offset
    RB_CHUNK_CONNECTIONS,  // item: two points (u32)
    RB_CHUNK_GONE,         // item: a connection (u32)
    RB_CHUNK_TRACK,        // four items are u16 RbTrack, u16 numbers per point, u32 0, f64 step; then item: i32 steps, or f32
    RB_CHUNK_HELD,         // no items: points, diameters and tracks are those of the picture before
    RB_CHUNK_CODED,       // in a journal: such a chunk as differences (io/codec.h)
    RB_CHUNK_END
} RbChunkKind;

enum {
    RB_CHUNK_HEAD = 12,    // u16 kind, u16 bytes of an item, u32 object, u32 number of items
    RB_POSE_BYTES = 28,    // 7 f32
    RB_CONTACT_BYTES = 60, // 2 u32, 13 f32
    RB_CLOSE_HEAD = 4,     // items of close points that are their box
    RB_TRACK_HEAD = 4,     // items of a track that are its head
};

// ---- writing

struct RbDrawing {
    RbArena *arena;
    int first; // object of the component that is drawing now
    int moving, chunks;
    size_t bytes; // of its pictures, behind the heads
    RB_ARRAY(RbDrawObject) objects;
    RB_ARRAY(RbBlob) meshes; // as they stand in a file
    RbMap mesh_of;           // by hash
    size_t room;             // of a whole picture
    struct RbPicture *base;  // what holds in all of them; NULL: nothing
};

// A part of a colour, 0 ... 255; what is outside is cut.
static inline unsigned char rb_colour_byte(double x) {
    return (unsigned char)(x > 0 ? (x < 255 ? x + 0.5 : 255) : 0);
}

RbDrawing rb_drawing(RbArena *arena);

// A component draws now; what it adds is counted until it is done.
void rb_drawing_begin(RbDrawing *drawing);
void rb_drawing_end(RbDrawing *drawing);

// The drawing as it stands in a file; mesh_numbers: what its meshes are called there.
RbBlob rb_drawing_encode(const RbDrawing *drawing, const uint32_t *mesh_numbers, RbArena *arena);

struct RbPicture {
    unsigned char *bytes;
    size_t size, capacity;
    int first;   // object of the component that shows itself
    size_t open; // behind the head of the chunk that may grow; 0: none
    double since; // [s] of the picture before in the same file; -INFINITY: none
};

RbPicture rb_picture(size_t capacity, RbArena *arena);
void rb_picture_clear(RbPicture *picture);
void rb_picture_begin(RbPicture *picture, int first); // a component shows itself

// ---- reading

typedef struct RbDrawn {
    RbDrawObject *objects; // parents come before their children; names and texts are in the arena
    int object_count;
    int moving_count;
    size_t room; // [bytes] largest picture
    RbBlob base; // chunks that hold in all pictures
} RbDrawn;

typedef struct RbDrawnMesh {
    int vertex_count, triangle_count;
    const unsigned char *vertices;  // f32 x, y, z each
    const unsigned char *triangles; // u32 each corner, less than vertex_count
} RbDrawnMesh;

// Both answer NULL, or what is wrong with the bytes.
const char *rb_drawn_read(RbBlob bytes, int mesh_count, RbArena *arena, RbDrawn *out);
const char *rb_drawn_mesh(RbBlob bytes, RbDrawnMesh *out);

typedef struct RbChunkView {
    unsigned kind; // RbChunkKind, or one of a later version
    size_t item;   // bytes of an item
    uint32_t object, count;
    const unsigned char *data;
} RbChunkView;

// The chunk at *offset of a picture, which moves on; false: there is none, or it is cut.
bool rb_picture_next(RbBlob picture, size_t *offset, RbChunkView *chunk);

// What a chunk of the kind RB_CHUNK_TRACK holds.
typedef struct RbTrackView {
    unsigned what; // RbTrack, or one of a later version
    int width;     // numbers per point, 1 to 4
    int count;     // points
    double step;   // of whole numbers; 0: they are f32
    const unsigned char *data;
} RbTrackView;
bool rb_track_view(const RbChunkView *chunk, RbTrackView *track); // false: it is none
double rb_track_value(const RbTrackView *track, int point, int k);

// Is it a picture of this drawing? NULL, or what is wrong. Afterwards chunks of known kinds have
// whole items and objects that exist.
const char *rb_picture_check(RbBlob picture, const RbDrawn *drawn);
