// SPDX-License-Identifier: MIT
// grains.h: the cloud of a scene (dem/cloud.h) beside its bodies: walls are the collidable objects, and
// bodies and grains exchange forces (docs/theory/granular.md, section 6). Private to this folder.
#pragma once

#include <rattleback/drawing.h>

#include "dem/remote.h"
#include "multibody/mechanism.h"

// A molecule of a soft body, likewise: a puppet of the cloud.
typedef struct CarriedPoint {
    Vec3 r, v, w;       // [m], [m/s]; [rad/s] of its surroundings, kept over an interval
    Vec3 a;             // [m/s2] at the last step
    double yield;       // [1/kg] 0: others move it
    Vec3 smooth, rise;  // acceleration without grains where the interval begins, and its rate
    Vec3 started;       // v where the interval began, as the solver had it
    Vec3 mean_before;   // of smooth over the last interval
    double middle;      // [s] of that interval
    double known;       // intervals that smooth was found from: 0, 1, 2
    Wrench load;        // at the last step
    Wrench sum, moment; // integrals of the load over the interval: [N s], [N s2]
} CarriedPoint;

// Numbers of the cloud that are results. ORDER figure_specs in grains.c
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
    FIGURE_STEP,
    FIGURE_GAP,
    FIGURE_REFUSED,
    FIGURES
};

// What journals keep of grains.
typedef struct GrainTracks {
    bool wanted[RB_TRACK_COUNT]; // not even the place: none
    double step[RB_TRACK_COUNT]; // to which it is rounded; 0: single precision
    double apart;                // [s] between new ones; 0: every row
} GrainTracks;

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
    Pose *in_body;     // per wall: where it is in the frame of its body
    bool *absent;      // per wall, in this segment
    RbCarriedBody *bodies;
    int body_count;
    CarriedPoint *molecules; // of soft bodies, all of them
    int molecule_count;      // 0: grains do not touch them
    bool touches_soft;
    long soft_substeps; // in which molecules feel nothing of each other
    int materials_of_grains,
        first_soft;     // of the laws: grains before walls, walls before kinds of molecules
    int *soft_kinds;    // per molecule: those of one body and one material are of one kind
    int *kind_samples;  // per kind: its first molecule
    int discrete;       // first of: from, until, quiet, then twelve for each body and each molecule
    long substeps;      // of the present interval
    double from, until; // [s] the present interval
    double coupling;    // [m]
    bool surprised;     // it was said that a body was elsewhere than foreseen
    double gap;         // [m] last distance of where grains and solver had a body
    double before[FIGURES], after[FIGURES]; // at both ends of the interval
    int capacity;                           // spheres that there may ever be
    GrainTracks tracks;
    double lightest_radius, largest_radius; // [m]
    double *points;                         // work space of pictures
    int drawn;                              // their object in the pictures
    int drawn_faces;                        // that of polyhedra; -1: there are none
    int corners;                            // of all polyhedra that there may ever be
    double *corner_places;                  // work space of pictures
    bool told;                              // that contacts are not resolved
    int farthest;                           // entry of the cloud that is farthest from the origin
    bool left;                              // it was said that one has left the world
    bool deep;                              // it was said that a contact is too deep
    bool halved;                            // it was said that the step is shorter
    bool blocked;                           // a part has come where grains are; the run ends
    RbRegion *region_list;                  // sensors and sinks, parts with their walls
    int *region_at; // per sensor or sink, and one more: where its values begin
    double *region_values;
    double looked;                    // [s] when they were looked at
    RbElastic *elastics;              // per material of the cloud
    const char **names;               // likewise, as pairs are typed
    bool has_engine;                  // another program computes the cloud
    RbRemote *engine;                 // once it has started
    bool seen;                        // grains and contacts of the cloud are those of the present there
    double seen_at;                   // [s] where its grains are those of
    RbDiag *diag;                     // of the run
    const RbInstance *run;            // of which it is a part
    int counted;                      // grains that were told to who watches
    long counted_refused;             // likewise, of those that found no room
    long frame;                       // the last one that was written; -1: none
    const unsigned char *restored;    // from a checkpoint
    size_t restored_size;
};

// ORDER discrete values
enum { GRAINS_FROM, GRAINS_UNTIL, GRAINS_QUIET, GRAINS_LOADS, GRAINS_LOAD_SIZE = 12 };

// Can the cloud not go on? (grains.c tells why.)
static inline bool rb_grains_stuck(const RbCloud *cloud) {
    return cloud->lost || cloud->too_fast || cloud->lodged.part > 0;
}

static inline RbCarried rb_grains_carried(const struct Grains *g) {
    return (RbCarried){g->bodies, g->body_count, g->carried, g->in_body, g->from};
}

// ---- grains_saved.c

// The cloud that was made goes on from what a checkpoint has told.
RbStatus rb_grains_resume(const Mechanism *m, RbDiag *diag);

// ---- carry.c

// Put walls and carried bodies where the solver has them.
void rb_grains_place(struct Grains *g, const RbMoving *moving);
// The next interval, from where the solver has brought the bodies (w->moving). True: equations look at what
// sensors have seen.
bool rb_grains_advance(const Mechanism *m, MechanismWork *w, RbEvent *event);
void rb_grains_note(struct Grains *g, double figures[FIGURES]);

// What acts over an interval, linear in time with the same integral and first moment, as twelve
// numbers. True: something does, or did.
bool rb_grains_write_load(double time, const Wrench *sum, const Wrench *moment, double *load);
Wrench rb_grains_load_at(const double *discrete, int number, double time);

// ---- grains_soft.c: molecules

// Whether grains and soft bodies touch in this run.
bool rb_grains_touch_soft(const Mechanism *m, const RbSegment *seg);
// Laws of grains and the objects of soft bodies: into a matrix of so many materials.
int rb_grains_number_soft(const Mechanism *m); // kinds of molecules: how many there are
void rb_grains_soft_laws(const Mechanism *m, int count, RbGrainLaw *laws);
// [s] The shortest contact of a grain of this mass and radius with a molecule.
double rb_grains_soft_time(const Mechanism *m, const RbGrainLaw *laws, int count, double mass,
                           double radius, double speed);
// Puppets for all molecules; their masses, in a new segment.
void rb_grains_add_molecules(const Mechanism *m);
void rb_grains_start_molecules(const Mechanism *m);
// At an exchange: how far grains and solver have them apart [m]; then they are where the solver has them.
double rb_grains_meet_molecules(const Mechanism *m, MechanismWork *w);
// Steps of the next interval, at most.
long rb_grains_soft_most(const struct Grains *g);
void rb_grains_move_molecules(struct Grains *g);
void rb_grains_load_molecules(struct Grains *g);
// The force of all grains on each object.
void rb_grains_declare_soft_results(const Mechanism *m, RbSegment *seg);
double *rb_grains_record_soft(const Mechanism *m, const RbEval *e, double *out);
// True: loads have jumped.
bool rb_grains_write_molecule_loads(const struct Grains *g, double *discrete);

// ---- regions.c

RbStatus rb_regions_begin(const Mechanism *m, RbSegment *seg);
// What sensors see where the grains are now, and sinks take. True: equations look at some of it.
bool rb_regions_look(const Mechanism *m);
// Afterwards, when all grains are there that the next steps are for.
void rb_regions_mark(const Mechanism *m);
void rb_regions_declare_results(const Mechanism *m, RbSegment *seg);
double *rb_regions_record(const Mechanism *m, double *out);
void rb_regions_save(const Mechanism *m, RbSaver *saver);
bool rb_regions_load(struct Grains *g, int regions, RbLoader *loader);

// ---- frames.c

// Time between two frames: as far apart as rows of the result; 500 in the run if there are none.
double rb_grains_frame_time(const RbInstance *run);
// Frames are numbered by the rows of the result. A frame is what there is at the first exchange of forces after its row, and has
// that time. Which one the present belongs to; and write it, if frames are wanted and it is a new one.
long rb_grains_frame_now(const struct Grains *g);
void rb_grains_write_frame(struct Grains *g, RbEvent *event);
// Grains of all rain that found no room so far.
long rb_grains_refused(const struct Grains *g);
// Tell who watches the run that the grains have made so many steps.
void rb_grains_count(struct Grains *g, long steps);

// ---- tracks.c: grains in the pictures

RbStatus rb_grains_choose_tracks(const RbScene *scene, const RbInstance *run, RbArena *scratch,
                                 RbDiag *diag, GrainTracks *out);

// ---- faces.c: polyhedra in the pictures

void rb_grains_draw_faces(const Mechanism *m, RbDrawing *d);
void rb_grains_show_faces(const Mechanism *m, double back, RbPicture *picture);

// ---- engine.c

// Does the run ask for another engine?
bool rb_grains_have_engine(const RbSegment *seg);
RbStatus rb_grains_check_engine(const struct Grains *g, RbDiag *diag);
// Do sensors or sinks look at the grains themselves? Those at parts know the loads.
bool rb_grains_are_watched(const Mechanism *m);
// At an exchange: start it if that is to be done, and let the cloud have its grains if somebody looks at them. False: it failed.
bool rb_grains_engine_meet(const Mechanism *m, RbEvent *event);
// The steps of an interval, g->substeps at most, which are then those that were made.
void rb_grains_engine_steps(struct Grains *g, double due, RbEvent *event);
// The cloud is as if it had made the steps itself.
RbStatus rb_grains_engine_look(struct Grains *g);
void rb_grains_engine_note(const struct Grains *g, double figures[FIGURES]);

// [s] Where the grains of the cloud are those of.
static inline double rb_grains_time(const struct Grains *g) {
    return g->has_engine ? g->seen_at : g->cloud->time;
}
