// SPDX-License-Identifier: MIT
// soft_data.h: soft bodies while a segment lasts: what the files soft*.c share, and what multibody/soft.c needs to have them
// among rigid bodies. Not for others.
#pragma once

#include "component/segment.h"
#include "deform/penalty.h"
#include "deform/soft.h"
#include "deform/sphere_pairs.h"
#include "deform/surface_list.h"
#include "dem/grain_wall.h"

// Quadratures and what they are.
enum { SOFT_D_BROKEN, SOFT_D_TORN_ENERGY, SOFT_D_CHANGES, SOFT_D_COUNT }; // discrete values
enum { SOFT_Q_SPRINGS, SOFT_Q_MEDIUM, SOFT_Q_CONTACT, SOFT_Q_WORK, SOFT_Q_COUNT };

// Friction (penalty.h): how far the skin at a molecule is drawn along, a state, and what its contacts say about its rate.
typedef struct SoftBristle {
    Vec3 z;        // [m]
    Vec3 drawn;    // [N m/s] sum of velocities of slipping times pressures
    double press;  // [N]
    double fading; // [N/s] likewise: by how much z decays
} SoftBristle;

// How the neighbours of a molecule turn about it, and a couple on them.
typedef struct SoftTurn {
    Mat3 inverse; // [1/m2]
    Vec3 spin;    // [rad/s]
    Vec3 couple;  // [N.m]
    bool known;   // since the evaluation began
} SoftTurn;

// What one caller of the component remembers; behind it stand the arrays.
typedef struct SoftWork {
    Vec3 *r, *v, *f;         // of all molecules
    Vec3 *press;             // per object: contact force on it [N]
    double *strain;          // per molecule, for pictures
    int *gone;               // room for the connections of an object that are torn
    double *states;          // room for those inside a step
    RbSpherePairs *pairs;    // of molecules
    RbSurfaceList *vertices; // and of surfaces, if these touch; NULL otherwise
    int touching;            // pairs, or vertices
    int against_walls;       // of these: with walls
    double contact_energy;   // [J]
    double contact_lost;     // [W]
    bool implicit;           // somebody has asked for the Jacobian
    int lacking;             // blocks of surfaces that it had no room for, the last time
    SoftBristle *bristles;   // per molecule
    SoftTurn *turns;         // per molecule
    int *turned;             // those that are known
    int turned_count;
    struct SoftNear *near; // per object and wall; NULL: there are no walls
    Vec3 *near_at;         // per molecule and wall: where it was then, seen from the wall
    Mat3 *
        wall_slopes; // two per molecule: of the forces of walls by its place and velocity; NULL: there are no walls
} SoftWork;

// [s] Explicit steps win while they are longer than this: measured, docs/theory/soft.md.
#define RB_SOFT_SHORTEST_EXPLICIT 5e-6

// A connection of two bodies that were glued together, and its length then [m].
typedef struct SoftGlue {
    int a, b; // molecules
    double length;
} SoftGlue;

// What was torn or cut at an event.
typedef struct SoftTorn {
    int count;
    double energy; // [J]
} SoftTorn;

// Pairs of molecules whose blocks stand in the Jacobian, sorted. With surfaces those of one object are among them, and only those that both move.
typedef struct SoftPattern {
    RbSpherePair *pairs;
    int count, room;
} SoftPattern;

// What the molecules of an object are in the mean: vertices of others touch its field, not one of them.
typedef struct SoftMean {
    double youngs_modulus; // [Pa] of as much of each, one after the other
    double damping, friction;
    double radius; // [m]
    int lightest;  // molecule of those that move, if there are any: damping is what it can follow
} SoftMean;

typedef struct Soft {
    const RbSoftScene *given;
    int first_material_parameter, first_object_parameter, detection_parameter; // their numbers
    double
        strain_scale; // [1] pictures show the strain at first, full at this one; 0: the materials
    // Which springs are torn: kept over segments, in the order of the network.
    unsigned char *torn;
    int torn_count;  // of springs there are; 0: none was ever built
    SoftGlue *glued; // and what was glued: springs behind these
    int glued_count;
    int touches; // RbSoftDetection of the segment; -1: there was none
    // the running segment
    bool can_tear;
    bool among_rigid;  // a part of a multibody system: all states are of one group
    RbSoftScene scene; // with the parameters of the segment
    RbNetwork network;
    double skin; // [m]
    double step; // [s] about the length of explicit steps; 0: not known
    SoftPattern pattern;
    SoftPattern saved; // from a checkpoint, for the first segment
    RbSoftSkin *skins; // per object; NULL: spheres touch
    RbSoftField *fields;
    SoftMean *means;
    RbSoftSkin
        *carried;      // if spheres touch: surfaces for pictures, kept over segments; NULL: not yet
    int drawn;         // number of the first object in pictures
    double *diameters; // [m] per molecule
    unsigned char *colours; // four per molecule
    bool *several;          // per object: it has several materials
} Soft;

enum { P_YOUNG, P_DENSITY, P_DAMPING, P_MEDIUM, SOFT_PARAMETERS };

// soft.c: surfaces and states of soft->scene, whose network is there, for a component whose own parts come before: old states of these
// bodies, NULL in the first segment.
RbStatus rb_soft_start(Soft *soft, RbSegment *segment, const double *old);
void rb_soft_tell_thin(const Soft *soft,
                       RbDiag *diag); // a warning, if springs are far from their modulus
void rb_soft_tell_coarse(const Soft *soft,
                         RbDiag *diag); // another, if cells are far from the shape
// [s] Step by which molecules move a part of their radius; and the longest stable one of leapfrog, with a margin.
double rb_soft_path_step(const Soft *soft);
double rb_soft_stable_step(const Soft *soft, RbArena scratch);
static inline int rb_soft_state_count(const Soft *soft) {
    return 9 * soft->network.free_count; // places, velocities, bristles
}

// The arrays of a workspace, filled with the motion of the molecules.
SoftWork *rb_soft_work(const Soft *soft, void *workspace);
size_t rb_soft_work_size(const Soft *soft);
void rb_soft_gather(const Soft *soft, const double *x, SoftWork *work);
// Forces of contacts begin with nothing; and the rates of all states when all are known.
void rb_soft_start_forces(const Soft *soft, SoftWork *work);
// Adds those of springs, cells, elements, weight, medium and given forces; what is lost in them.
RbEvalStatus rb_soft_inner_forces(const Soft *soft, const RbEval *eval, SoftWork *work,
                                  RbNetworkPower *lost);
void rb_soft_rates(const Soft *soft, const SoftWork *work, double *dx);

// soft_contact.c: contact forces, added to work->f. RB_EVAL_RETRY: two molecules are too near.
RbEvalStatus rb_soft_contacts(const Soft *soft, const RbEval *eval, SoftWork *work);
RbPenalty rb_soft_law(const Soft *soft, int a, int b);
RbPenalty rb_soft_law_in(const Soft *soft, int molecule, int object); // in the field of an object
SoftMean rb_soft_mean(const Soft *soft, int object);
RbStatus rb_soft_check_overlap(const Soft *soft, const Vec3 *r, RbArena scratch, RbDiag *diag);

// soft_bristle.c: friction. Of a pair of molecules (b = -1: of a and a wall), seen from a, across the normal n.
Vec3 rb_soft_bristle(const Soft *soft, const SoftWork *work, int a, int b, Vec3 n);
void rb_soft_draw_out(SoftWork *work, int a, int b, const RbRub *rub, Vec3 z, double press);
// Rate of the bristle of a molecule when all contacts are known; its derivatives by itself and by the velocity of the molecule.
Vec3 rb_soft_bristle_rate(const Soft *soft, const SoftBristle *bristle, double mass,
                          double *by_itself, double *by_velocity);
static inline double rb_soft_bristle_length(double radius) { // [m] drawn out as far it slips
    return 0.05 * radius;
}
void rb_soft_start_bristles(const Soft *soft, SoftWork *work);

// soft_turn.c: what a point beside a molecule has of its velocity because all turns; a force there, which itself is already on the molecule; and
// all these couples as forces.
Vec3 rb_soft_velocity_beside(const Soft *soft, SoftWork *work, int molecule, Vec3 arm);
void rb_soft_couple(const Soft *soft, SoftWork *work, int molecule, Vec3 arm, Vec3 force);
void rb_soft_twist(const Soft *soft, SoftWork *work, int molecule, Vec3 couple);
Vec3 rb_soft_spin(const Soft *soft, SoftWork *work, int molecule); // [rad/s]
void rb_soft_start_turns(SoftWork *work);
void rb_soft_turn(const Soft *soft, SoftWork *work);

// soft_wall.c: contact with rigid shapes
typedef struct RbSoftWall {
    RbGrainWall shape;     // with its pose and velocity
    double reach;          // [m] of a ball about the origin of the shape; INFINITY: a half-space
    double youngs_modulus; // [Pa]
    double poisson;
    const char *name;
    const bool *ignores; // per object: they do not touch
    bool moves;          // a body of its own, or with others
    Wrench load;         // out: on the wall, about its origin, world components
} RbSoftWall;

// Molecules or vertices of an object that are near a wall: kept until they have moved too far, as seen from the wall.
typedef struct SoftNear {
    bool valid;
    int *points; // molecules or vertices
    int count;
} SoftNear;

// Bytes that the lists of all objects and walls need; and opens them.
size_t rb_soft_near_size(const Soft *soft, int walls);
void rb_soft_near_open(const Soft *soft, int walls, void *memory, SoftWork *work);

// Adds to work->f and to the sums of contacts; sets the loads.
RbEvalStatus rb_soft_wall_contacts(const Soft *soft, const RbEval *eval, SoftWork *work,
                                   RbSoftWall *walls, int count);
// [m] How deep the molecule that is deepest in a wall is, of its room; and that molecule.
double rb_soft_wall_depth(const Soft *soft, const Vec3 *r, const RbSoftWall *wall, int *molecule);

// soft_skin.c: the surface of an object, at the places that were given. The same wherever it stands, however it is turned, and in whatever order its molecules are
// declared, as far as its own symmetry does not leave that open.
RbStatus rb_soft_make_skin(const Soft *soft, int object, RbArena *keep, RbArena scratch,
                           RbDiag *diag, RbSoftSkin *out);

// soft_surface.c: the same for surfaces.
RbEvalStatus rb_soft_surface_contacts(const Soft *soft, const RbEval *eval, SoftWork *work);
// Derivatives of the forces of these, after an evaluation: of that on molecule a by place and velocity of b, both of which move. How it turns by friction, and what
// it holds by its bristle, is left out.
typedef void SoftBlock(void *user, int a, int b, const Mat3 *by_r, const Mat3 *by_v);
void rb_soft_surface_slopes(const Soft *soft, const SoftWork *work, SoftBlock *add, void *user);

// soft_jacobian.c
void rb_soft_open_pattern(Soft *soft, RbSegment *segment);
void rb_soft_make_pattern(Soft *soft, SoftWork *work); // of the pairs, or surfaces, that are near
void rb_soft_save_pattern(const Soft *soft, RbSaver *saver);
bool rb_soft_restore_pattern(Soft *soft, RbLoader *loader);
bool rb_soft_pattern_lacks(const Soft *soft, SoftWork *work); // what touches
void rb_soft_couplings(const Soft *soft, RbCouplings *couplings,
                       int first); // number of the first state
void rb_soft_jacobian(const Soft *soft, SoftWork *work, double *values); // after an evaluation

// soft_results.c
void rb_soft_declare_objects(const Soft *soft, RbSegment *segment); // results of each
double *rb_soft_record_objects(const Soft *soft, const SoftWork *work, double *results);
void rb_soft_declare_results(const Soft *soft, RbSegment *segment); // and of all together
void rb_soft_record(void *self, const RbEval *eval, double *results);
double rb_soft_energy(const Soft *soft,
                      const SoftWork *work); // [J] kinetic, elastic, weight, contact

// soft_tear.c: springs that are torn
void rb_soft_keep_torn(Soft *soft);
double rb_soft_find_tear(const Soft *soft, const RbStepView *step, SoftWork *work);
SoftTorn rb_soft_tear(Soft *soft, const Vec3 *r);
void rb_soft_tear_spring(Soft *soft, int spring, const Vec3 *r, SoftTorn *sum);
void rb_soft_save(void *self, RbSaver *saver);
bool rb_soft_restore(void *self, RbLoader *loader);

// soft_glue.c: from the next segment on, molecules of two objects that touch at the places r are connected: how many; springs of an object that cross a plane are cut.
void rb_soft_keep_glued(Soft *soft, RbArena *arena);
int rb_soft_glue(Soft *soft, int a, int b, const Vec3 *r);
SoftTorn rb_soft_cut(Soft *soft, int object, Vec3 point, Vec3 normal, const Vec3 *r);

// soft_draw.c
void rb_soft_paint(Soft *soft, RbSegment *segment); // colours and diameters
void rb_soft_draw(Soft *soft, RbDrawing *drawing);
void rb_soft_show(const Soft *soft, SoftWork *work, RbPicture *picture);
