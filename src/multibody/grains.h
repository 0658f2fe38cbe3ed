// SPDX-License-Identifier: MIT
// grains.h: the cloud of a scene (dem/cloud.h) beside its bodies: walls are the collidable objects, and
// bodies and grains exchange forces (docs/theory/granular.md, section 6). Private to multibody*.c.
#pragma once

#include "dem/liggghts.h"
#include "multibody/mechanism.h"

// A body with walls, as the grains see it during an interval between two exchanges.
typedef struct CarriedBody {
    int body; // of the tree
    Pose X;   // [m]
    Motion V; // [rad/s], [m/s]
    Motion A; // [rad/s2], [m/s2] at the last step
    Motion
        mobility[6]; // acceleration per unit of torque x, y, z, force x, y, z; zero: others move it
    Motion smooth, rise; // acceleration without grains where the interval begins, and its rate
    Motion started;      // V where the interval began, as the solver had it
    Motion mean_before;  // of smooth over the last interval
    double middle;       // [s] of that interval
    int known;           // intervals that smooth was found from: 0, 1, 2
    Wrench load;         // at the last step
    Wrench sum, moment;  // integrals of the load over the interval: [N s], [N s2]
} CarriedBody;

// Numbers of the cloud that are results. ORDER figure_specs in multibody_grains.c
enum {
    FIGURE_COUNT,
    FIGURE_MASS,
    FIGURE_COORDINATION,
    FIGURE_KINETIC,
    FIGURE_TURNING,
    FIGURE_HEIGHT,
    FIGURE_STORED,
    FIGURE_DAMPED,
    FIGURE_RUBBED,
    FIGURE_RESISTED,
    FIGURE_DRAGGED,
    FIGURE_DRIVEN,
    FIGURE_BALANCE,
    FIGURE_RESOLUTION,
    FIGURE_GAP,
    FIGURES
};

struct Grains {
    RbArena *arena;
    RbCloud *cloud;
    int fillings;      // of the scene
    int regions;       // likewise
    RbRain *rains;     // per filling
    int *materials;    // per filling of the scene: its number in the laws
    double *densities; // [kg/m3] per filling
    int *objects;      // per wall
    RbFrame *frames;   // per wall, in this segment
    int *carried;      // per wall: its body below; -1: it stands still
    CarriedBody *bodies;
    int body_count;
    int discrete;       // first of: from, until, quiet, then twelve for each body
    long substeps;      // of the present interval
    double from, until; // [s] the present interval
    double coupling;    // [m]
    double gap;         // [m] last distance of where grains and solver had a body
    double before[FIGURES], after[FIGURES]; // at both ends of the interval
    int capacity;                           // spheres that there may ever be
    double *points;                         // work space of pictures
    int drawn;                              // their object in the pictures
    int drawn_faces;                        // that of polyhedra; -1: there are none
    int corners;                            // of all polyhedra that there may ever be
    double *corner_places;                  // work space of pictures
    bool told;                              // that contacts are not resolved
    int farthest;                           // entry of the cloud that is farthest from the origin
    bool left;                              // it was said that one has left the world
    bool deep;                              // it was said that a contact is too deep
    RbRegion *region_list;                  // sensors and sinks, parts with their walls
    int *region_at; // per sensor or sink, and one more: where its values begin
    double *region_values;
    double looked;                    // [s] when they were looked at
    RbElastic *elastics;              // per material of the cloud
    RbLiggghtsRun *engine;            // computes the cloud; NULL: we do
    bool engine_ends;                 // only its input was wanted
    long engine_frame, engine_frames; // the last one; all
    long engine_steps;                // of each
    RbDiag *diag;                     // of the run
    const RbInstance *run;            // of which it is a part
    int counted;                      // grains that were told to who watches
    long frame;                       // the last one that was written; -1: none
    const unsigned char *restored;    // from a checkpoint
    size_t restored_size;
};

// ORDER discrete values
enum { GRAINS_FROM, GRAINS_UNTIL, GRAINS_QUIET, GRAINS_LOADS, GRAINS_LOAD_SIZE = 12 };

// ---- multibody_carry.c

// Put walls and carried bodies where the solver has them.
void rb_grains_place(struct Grains *g, const RbMoving *moving);
// The next interval, from where the solver has brought the bodies (w->moving). True: equations look at what
// sensors have seen.
bool rb_grains_advance(const Mechanism *m, MechanismWork *w, RbEvent *event);
void rb_grains_note(struct Grains *g, double figures[FIGURES]);

// ---- multibody_regions.c

RbStatus rb_regions_begin(const Mechanism *m, RbSegment *seg);
// What sensors see where the grains are now, and sinks take. True: equations look at some of it.
bool rb_regions_look(const Mechanism *m);
// Afterwards, when all grains are there that the next steps are for.
void rb_regions_mark(const Mechanism *m);
void rb_regions_declare_results(const Mechanism *m, RbSegment *seg);
double *rb_regions_record(const Mechanism *m, double *out);
void rb_regions_save(const Mechanism *m, RbSaver *saver);
bool rb_regions_load(struct Grains *g, int regions, RbLoader *loader);

// ---- multibody_frames.c

// Time between two frames: as far apart as rows of the result; 500 in the run if there are none.
double rb_grains_frame_time(const RbInstance *run);
// Frames are numbered by the rows of the result. A frame is what there is at the first exchange of forces after its row, and has
// that time. Which one the present belongs to; and write it, if frames are wanted and it is a new one.
long rb_grains_frame_now(const struct Grains *g);
void rb_grains_write_frame(struct Grains *g, RbEvent *event);
// Tell who watches the run that the grains have made so many steps.
void rb_grains_count(struct Grains *g, long steps);

// ---- multibody_faces.c: polyhedra in the pictures

void rb_grains_draw_faces(const Mechanism *m, RbDrawing *d);
void rb_grains_show_faces(const Mechanism *m, double back, RbPicture *picture);

// ---- multibody_engine.c

// Does the run ask for another engine?
bool rb_grains_have_engine(const RbSegment *seg);
// If so: start it with the grains where they are.
RbStatus rb_grains_start_engine(Mechanism *m, RbSegment *seg);
void rb_grains_engine_advance(struct Grains *g, RbEvent *event);
