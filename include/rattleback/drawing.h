// SPDX-License-Identifier: MIT
// drawing.h: what a component shows of itself: objects with forms and colours that exist during a
// segment (the drawing), and where they are at an output point (a picture). Both are bytes of the
// stream format of docs/formats.md: a journal keeps them, the live page gets them, plugins write
// them with the functions below.
//
//     static void draw(void *self, RbDrawing *drawing) {            // once per segment
//         RbDrawObject ball = rb_draw_object("ball", RB_FORM_SPHERE);
//         ball.size[0] = 0.1, ball.moves = true;
//         rb_drawing_add(drawing, &ball);
//     }
//     static void show(void *self, const RbEval *eval, RbPicture *picture) {    // every row
//         rb_picture_pose(picture, r, q);
//     }
#pragma once

#include <stdbool.h>

#include "rattleback/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbDrawing RbDrawing;
typedef struct RbPicture RbPicture;

// What an object looks like; `size` in the order of the parameters named here, all in metres. The
// frame stands in the middle unless another place is named. ORDER docs/formats.md, viewer/src/stream.js
typedef enum RbForm {
    RB_FORM_NONE,       // a frame, or a body without a shape
    RB_FORM_SPHERE,     // diameter
    RB_FORM_ELLIPSOID,  // lengths x, y, z
    RB_FORM_BOX,        // lengths x, y, z
    RB_FORM_CYLINDER,   // diameter, length, inner diameter
    RB_FORM_CONE,       // diameter, length, top diameter; frame at the centre of the base
    RB_FORM_CAPSULE,    // diameter, length without the ends
    RB_FORM_BEAM,       // length without the ends, width, thickness
    RB_FORM_HALFSPACE,  // all points with z <= 0
    RB_FORM_MESH,       // triangles: number of a mesh; its vertices may move
    RB_FORM_COORDINATES,// length of the axes
    RB_FORM_GRID,       // length, width, distance of the lines; axis is its normal
    RB_FORM_SPRING,     // length, diameter, diameter of the wire, windings; frame at the lower end
    RB_FORM_GEARWHEEL,  // diameter, length, inner diameter, number of teeth
    RB_FORM_TEXT,       // height of a letter
    RB_FORM_ARROW,      // x, y, z from its tail, which stands at the frame
    RB_FORM_AXIS,       // joint of parent and partner: direction x, y, z; 0 slides, 1 turns, 2 is a ball
    RB_FORM_SPHERES,    // many at once: their number at most, diameter; points move
    RB_FORM_LINES,      // from picture to picture others
    RB_FORM_POLYGONS,   // likewise, with a value at each corner (contact patches)
    RB_FORM_GRAVITY,    // x, y, z of the acceleration [m/s2]: which way is down
    RB_FORM_STRUT,      // between the origins of parent and partner: 1 if a spring, 1 if a damper
    RB_FORM_COUNT
} RbForm;

enum { RB_DRAW_SIZES = 4 };

typedef struct RbDrawObject {
    const char *name; // as its component calls it
    int parent;       // object of the same component; RB_DRAW_WORLD: none
    RbForm form;
    int axis;                    // 1, 2, 3: axis of the form along x, y, z
    double size[RB_DRAW_SIZES];  // see RbForm
    int mesh;                    // RB_FORM_MESH: from rb_drawing_mesh
    const char *text;            // RB_FORM_TEXT; NULL: none
    bool moves;                  // has a pose, in the world, in every picture
    double position[3];          // [m] in the parent, if it does not move
    double rotation[4];          // w, x, y, z likewise; all zero: none
    unsigned char colour[4];     // red, green, blue, opacity; all zero: the viewer chooses
    double mass, centre[3];      // [kg], [m] in its frame: of the whole body, or of itself if fixed to another; 0: not known
    bool collides;               // takes part in contacts
    const char *material;        // of its surface; viewers choose looks by it; NULL: not known
    int partner;                 // RB_FORM_AXIS, RB_FORM_STRUT: what the parent is connected to
    bool only_opacity;           // the viewer chooses the colour; colour[3] is the opacity
} RbDrawObject;

enum { RB_DRAW_WORLD = -1 };

RB_API RbDrawObject rb_draw_object(const char *name, RbForm form);

// Answers the number of the object, from 0 on.
RB_API int rb_drawing_add(RbDrawing *drawing, const RbDrawObject *object);

// Triangles with their corners counter-clockwise seen from outside. Answers the number of the mesh.
// The same vertices and triangles twice are kept once.
RB_API int rb_drawing_mesh(RbDrawing *drawing, const double *vertices, int vertex_count,
                           const int *triangles, int triangle_count);

// What pictures may hold besides the poses of moving objects: so many chunks with so many bytes
// behind their heads, at most. Room is made when the segment begins; what does not fit is left out.
RB_API void rb_drawing_room(RbDrawing *drawing, int chunks, size_t bytes);

// The next moving object, in the order of rb_drawing_add, is here: metres, w, x, y, z.
RB_API void rb_picture_pose(RbPicture *picture, const double r[3], const double q[4]);

// A contact of two objects: where, normal from a to b, force and torque on b.
typedef struct RbDrawContact {
    int a, b;
    double point[3], normal[3]; // [m]
    double force[3], torque[3]; // [N], [N.m]
    double depth;               // [m]
} RbDrawContact;

RB_API void rb_picture_contact(RbPicture *picture, const RbDrawContact *contact);

// Positions of the vertices of a mesh or of the middles of spheres (x, y, z each), in the frame of
// the object; one value for each (of a field that colours them); diameters of spheres.
RB_API void rb_picture_points(RbPicture *picture, int object, const double *points, int count);
RB_API void rb_picture_values(RbPicture *picture, int object, const double *values, int count);
RB_API void rb_picture_diameters(RbPicture *picture, int object, const double *d, int count);

// What else is known of each point: `width` numbers (1 to 4), RB_DRAW_TRACK + 4 bytes each. With a step they are rounded to whole
// multiples of it, off by at most a half (and at most 2^31 of them), so that files become small; with 0 they are single precision. Places
// with a step stand for rb_picture_points.
typedef enum RbTrack { // ORDER docs/formats.md
    RB_TRACK_PLACE,    // [m]
    RB_TRACK_VELOCITY, // [m/s]
    RB_TRACK_ROTATION, // quaternion w, x, y, z
    RB_TRACK_SPIN,     // [rad/s]
    RB_TRACK_FORCE,    // [N]
    RB_TRACK_COUNT
} RbTrack;
enum { RB_DRAW_TRACK = 16 };
RB_API void rb_picture_track(RbPicture *picture, int object, RbTrack what, double step,
                             const double *values, int width, int count);

// Points, diameters and tracks of the object are those of the picture before.
RB_API void rb_picture_hold(RbPicture *picture, int object);

// Red, green, blue, opacity: 1 for the object, or one per vertex, sphere or triangle.
RB_API void rb_picture_colours(RbPicture *picture, int object, const unsigned char *rgba,
                               int count);

// New sizes of the form (RB_DRAW_SIZES numbers).
RB_API void rb_picture_size(RbPicture *picture, int object, const double *size);

// Lines, from (x, y, z) to (x, y, z) each; a polygon, (x, y, z, value) per corner. In the frame of
// the object.
RB_API void rb_picture_lines(RbPicture *picture, int object, const double *ends, int count);
RB_API void rb_picture_polygon(RbPicture *picture, int object, const double *corners, int count);

// The object is not seen in this picture.
RB_API void rb_picture_hide(RbPicture *picture, int object);

// ---- bodies that deform: their points move, and all else follows from these

// What is written here holds in all pictures of the segment and is stored once: so many chunks with
// so many bytes behind their heads, at most. The answer is good until the next call.
RB_API RbPicture *rb_drawing_base(RbDrawing *drawing, int chunks, size_t bytes);

// The same as rb_picture_points in half of the bytes: RB_DRAW_CLOSE + 6 each. Off by at most
// a 130,000th of the sides of the box that holds them all.
RB_API void rb_picture_close_points(RbPicture *picture, int object, const double *points,
                                    int count);

// Strain of each point, 2 bytes: to 1e-4, at most 3.2767. Viewers colour by it when they are asked to.
RB_API void rb_picture_strains(RbPicture *picture, int object, const double *strains, int count);

// Viewers colour from the start: blue at -scale, white at 0, red at scale. Of a mesh its values (rb_picture_values) are von Mises stresses: blue at
// 0, red at scale, or where scale is 0 at the largest value of the run.
RB_API void rb_picture_shade(RbPicture *picture, int object, double scale);

enum { RB_DRAW_CARRIERS = 8, RB_DRAW_CLOSE = 24, RB_DRAW_CARRIED = 64, RB_DRAW_RAISED = 32 };

// A vertex that points of the parent of its mesh carry: sum of weight times point + offset + height
// times n, n the unit normal of three points.
typedef struct RbDrawCarried {
    int point[RB_DRAW_CARRIERS]; // -1: none
    double weight[RB_DRAW_CARRIERS];
    int plane[3]; // plane[0] < 0: none
    double height, offset[3];
} RbDrawCarried;

// All vertices of the mesh of an object, RB_DRAW_CARRIED bytes each; then, in a chunk of their own,
// RB_DRAW_RAISED bytes for each that has a height or an offset.
RB_API void rb_picture_carried(RbPicture *picture, int object, const RbDrawCarried *vertices,
                               int count);

// Lines between two points of the parent of an object, 8 bytes each; numbers of those that are gone,
// 4 bytes each.
RB_API void rb_picture_connections(RbPicture *picture, int object, const int *pairs, int count);
RB_API void rb_picture_gone(RbPicture *picture, int object, const int *connections, int count);

#ifdef __cplusplus
}
#endif
