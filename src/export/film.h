// SPDX-License-Identifier: MIT
// film.h: all pictures of a result in memory, the poses sorted by object: what pages and exports are made from.
#pragma once

#include "base/text.h"
#include "geom/mesh.h"
#include "io/drawing.h"
#include "io/result.h"
#include "math/pose.h"

typedef struct RbFilmSegment {
    RbBlob drawing; // size 0: nothing is seen
    RbDrawn drawn;
    size_t first_row, row_count;
    int *moving;   // per object: place among those that move, or -1
    float *poses;  // [x, y, z, qw, qx, qy, qz][moving object][row]
    RbText chunks; // of all pictures, without poses
    int *offsets;  // per row, and one more: where its chunks begin
} RbFilmSegment;

typedef struct RbFilm {
    const RbResult *result;
    double *times; // [s] per row
    size_t row_count;
    RbFilmSegment *segments;
    int segment_count;
    bool shows; // there is something to see
} RbFilm;

RbStatus rb_film_read(const RbResult *result, RbArena *arena, RbDiag *diag, RbFilm *film);

// A moment of the film: a row and how far on to the next.
typedef struct RbMoment {
    int segment;
    size_t row; // in the segment
    double fraction;
} RbMoment;

RbMoment rb_film_at(const RbFilm *film, double time);

// Where an object is in the world, and whether it is seen.
Pose rb_film_pose(const RbFilm *film, RbMoment moment, int object);
bool rb_film_sees(const RbFilm *film, RbMoment moment, int object);

// The surface of an object in its frame; empty if it has none.
RbMesh rb_film_mesh(const RbFilm *film, const RbDrawObject *object, RbArena *arena);

// film_points.c: a chunk of an object, of this row or of all; the points of an object, NULL: it has none; where the vertices of its
// mesh are in its frame, NULL: where they are stored.
bool rb_film_chunk(const RbFilm *film, RbMoment moment, RbChunkKind kind, int object,
                   RbChunkView *chunk);
Vec3 *rb_film_points(const RbFilm *film, RbMoment moment, int object, RbArena *arena, int *count);
bool rb_film_deforms(const RbFilm *film, RbMoment moment, int object); // they come with the picture
Vec3 *rb_film_vertices(const RbFilm *film, RbMoment moment, int object, int vertex_count,
                       RbArena *arena);

// film_spheres.c: the spheres of an object that no surface stands for, in its frame, as grains are; none, if it is something else. All of them as one mesh.
typedef struct RbFilmSpheres {
    Vec3 *centres;
    double *diameters; // [m]
    int count;
} RbFilmSpheres;

RbFilmSpheres rb_film_spheres(const RbFilm *film, RbMoment moment, int object, RbArena *arena);
// The same with those that are not there, which have the diameter 0: each keeps its number.
RbFilmSpheres rb_film_all_spheres(const RbFilm *film, RbMoment moment, int object, RbArena *arena);
RbMesh rb_film_spheres_mesh(const RbFilmSpheres *spheres, RbArena *arena);

// Red, green, blue from 0 to 1, and opacity: its own colour, or one that the page would choose.
void rb_film_colour(const RbDrawn *drawn, int object, double rgba[4]);

// Which way is up: against gravity, otherwise z.
Vec3 rb_film_up(const RbFilm *film);
