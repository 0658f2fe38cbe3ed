// SPDX-License-Identifier: MIT
// glb_parts.h: a glTF file while it is put together. Private to glb*.c.
#pragma once

#include "base/text.h"
#include "export/film_parts.h"

// Numbers of glTF. ORDER specification, section 5
enum {
    RB_GLB_UNSIGNED_INT = 5125,
    RB_GLB_FLOAT = 5126,
    RB_GLB_VERTICES = 34962,
    RB_GLB_INDICES = 34963
};

// A clip of what is not a rigid body has so many key frames at most.
enum { RB_GLB_KEYS = 200 };

// Spheres of an object by the name of it: nodes with one mesh.
typedef struct RbGlbSpheres {
    const RbDrawn *drawn; // of the first segment in which they are
    int object;           // in that drawing
    const char *name;
    int count;         // of all that ever are
    int *numbers;      // of those that are seen in some key frame, a node each
    int node_count;
    int *keys;         // frames
    int key_count;     // 1: they stand
    float *places;     // per key and sphere: x, y, z
    float *diameters;  // per key and sphere; 0: it is not there
} RbGlbSpheres;

typedef struct RbGlb {
    RbFilmParts parts;
    RbArena *arena;
    RbText data; // the binary part
    RbText views, accessors, meshes, materials, nodes, samplers, channels;
    int view_count, accessor_count, mesh_count, sampler_count;
    bool *deforms; // per part
    int *keys;     // frames in which vertices are given
    int key_count, key_times;
    RB_ARRAY(RbGlbSpheres) spheres;
} RbGlb;

void rb_glb_separate(RbText *t);
void rb_glb_numbers(RbText *t, const char *name, const float *values, int count);

// An accessor of floats or indices; its least and largest values are given where readers want them.
int rb_glb_accessor(RbGlb *g, const void *numbers, int items, int width, bool whole, int target,
                    bool limits);

// Corners of triangles, each with a normal: that of its triangle, or of the surface if it is round.
void rb_glb_mesh(RbGlb *g, const RbMesh *mesh, bool round, const double *colour);
void rb_glb_channel(RbGlb *g, int node, const char *path, int times, int values, bool steps);

// `count` of `frames`, evenly; at most as many as there are.
int *rb_glb_choose_frames(RbGlb *g, int most, int *count);

// ---- glb_spheres.c

// Which there are, before the root is written; and say so if they do not move.
RbStatus rb_glb_find_spheres(RbGlb *g, double time, RbPos at, RbDiag *diag);
int rb_glb_sphere_nodes(const RbGlb *g);

// Behind all other nodes, of which the first has this number.
void rb_glb_add_spheres(RbGlb *g, int first);
