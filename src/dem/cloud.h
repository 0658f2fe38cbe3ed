// SPDX-License-Identifier: MIT
// cloud.h: very many spheres that touch each other and walls (discrete element method,
// docs/theory/granular.md).
//
// Each sphere has six degrees of freedom, or is a member of a clump (clump.h), which has them. All take the same explicit steps (velocity Verlet, of second
// order also for forces that depend on velocities); which pairs may touch is listed now and then, and
// the list lives until somebody has moved by half a skin. The step is halved while grains or walls are so fast that one would move by
// more than a tenth of the smallest radius in it: nobody gets across another unseen.
//
//     RbCloud *cloud = rb_cloud(arena, &options);
//     rb_cloud_add(cloud, (RbGrain){.r = r, .radius = 0.01, .mass = m});
//     rb_cloud_add_wall(cloud, (RbGrainWall){.core = floor, .X = pose});
//     rb_cloud_start(cloud);
//     while (...) rb_cloud_step(cloud, NULL);
//
// Same input, same bits, for every number of threads: grains are kept in an order that their places
// determine, and are divided into chunks of this order.
#pragma once

#include "base/array.h"
#include "dem/border.h"
#include "dem/clump.h"
#include "dem/grain_law.h"
#include "dem/grain_wall.h"
#include "dem/team.h"
#include "rattleback/component.h"

enum { RB_GRAIN_CHUNK = 1024, RB_GRAIN_AHEAD = 8, RB_GRAIN_MATERIALS_MOST = 64 };

// Three components, and a number that is wanted together with them.
typedef struct RbQuad {
    double x, y, z, w;
} RbQuad;

// A sphere as it is added.
typedef struct RbGrain {
    Vec3 r, v, w;  // [m], [m/s], [rad/s] world
    double radius; // [m]
    double mass;   // [kg]
    int material;  // index of the laws
} RbGrain;

// RbCloud.body of a grain that is no member of a clump; and of a puppet, a sphere that somebody else
// moves (RbGrainCarrier), such as a molecule of a soft body: RbCloud.member is its number. Puppets
// touch grains, but neither walls nor each other, and are in no sum.
enum { RB_GRAIN_FREE = -1, RB_GRAIN_PUPPET = -2, RB_PUPPET_IDS = 1 << 30 };

// A clump as it is added.
typedef struct RbGrainClump {
    int form;       // number of its RbClump in the cloud
    Vec3 r, v, w;   // [m], [m/s], [rad/s] world, of the centre of mass
    Quat q;         // turns the frame in which the form was typed into the world
    double size;    // times as large as the form
    double density; // [kg/m3] where the form has no mass of its own
    int material;
} RbGrainClump;

// What grains move through: a fluid that they do not disturb.
typedef struct RbGrainMedium {
    double density;   // [kg/m3]
    double viscosity; // [Pa s]; both 0: nothing
    Vec3 velocity;    // [m/s]
} RbGrainMedium;

typedef struct RbCloudOptions {
    int materials;          // of grains and walls together
    const RbGrainLaw *laws; // materials x materials
    double step;            // [s] the longest
    double resolution;      // steps that a contact has at least, or the step is halved; 0: as typed
    double contact_time;    // [s] the shortest contact at 1 m/s (it lasts as v^-1/5); 0: not known
    double skin;            // [m] 0: a fifth of the mean radius
    Vec3 gravity;           // [m/s2]
    RbGrainMedium medium;
    RbBorders borders; // checked: rb_borders_check
    int threads;
    bool ledger; // account for energy at every step
    bool walls_alone; // grains do not see each other: somebody else computes their contacts
} RbCloudOptions;

// How a pair touches: 0, or 1 and which springs have reached their limits. (Forces that are computed again, no time having passed,
// could not tell it from the springs.)
typedef unsigned char RbGrip;
enum { RB_GRIPS = 1, RB_GRIP_SLIDES = 2, RB_GRIP_ROLLS = 4, RB_GRIP_TWISTS = 8 };

// Pairs that may touch, of the grains of one chunk with others.
typedef struct RbGrainList {
    int *start;       // per grain of the chunk, and one more
    int *own, *other; // the two grains of a pair
    RbGrip *touches;
    Vec3 *slide; // the spring ξ of the pair and half a step more of its slip: see cloud_law.h
    Vec3 *turn;  // likewise for rolling and twisting; NULL: nobody has these
    unsigned char
        *image;  // where the second grain is seen: rb_borders_image; NULL: all where they are
    int count;   // wanted: may be more than there is room for
    int capacity;
} RbGrainList;

// What acts on the second grain of a pair of two chunks: f.w is 1 while they touch, otherwise 0.
typedef struct RbReaction {
    RbQuad f, t;
} RbReaction;

// A grain and a wall that may touch.
typedef struct RbWallPair {
    int grain, wall;
    int face; // feature of a mesh; of other walls: part
    int hint; // triangle below the grain, so far
    RbGrip touches;
    Vec3 slide, turn;
} RbWallPair;

// A grain that is a polyhedron, or touches one, and another or a wall: cloud_faces.h.
typedef struct RbFacePair {
    int grain, other; // other: -1 for a wall
    int wall, part;
    int image; // where the other is seen: rb_borders_image
    RbGrip touches;
    Vec3 slide;
    Wrench reaction; // on the other, about its centre
} RbFacePair;

// A contact, while there is no list: kept by one of the two grains.
typedef struct RbGrainMemory {
    int with; // identity of the other grain, or the code of a part of a wall
    RbGrip touches;
    Vec3 slide, turn;
} RbGrainMemory;

// A clump in the cloud. Its spheres are grains, whose places and velocities follow from its own; what acts on
// them acts on it.
typedef struct RbGrainBody {
    Vec3 r, v;     // [m], [m/s] centre of mass
    Quat q;        // of the principal axes
    Vec3 l;        // [N m s] angular momentum about the centre, world
    Vec3 f, t;     // [N], [N m] at the present
    Vec3 f1, t1;   // those that are being computed
    double mass;   // [kg]
    Vec3 moments;  // [kg m2] about the principal axes
    double size;   // times as large as its form
    int form;      // RbCloud.forms
    int id;        // of its first sphere, as in RbCloud.id
    int first;     // of its spheres in RbCloud.members
    Vec3 w;        // [rad/s] world. This and the next two follow from the others
    Mat3 R, yield; // its axes in the world; inverse of the inertia tensor [1/(kg m2)]
} RbGrainBody;

enum { RB_GRAIN_BODY_CHUNK = 256 };

typedef struct RbGrainBodyChunk {
    double moved2, fastest2, medium; // as in RbGrainChunk, RbGrainPowers
    bool lost;
} RbGrainBodyChunk;

// Energies and powers of contacts at an instant.
typedef struct RbGrainPowers {
    double normal, tangential, turning;          // [J] stored
    double damping, sliding, resistance, driven; // [W] taken from the grains; work of walls on them
    double medium;                               // [W] taken by what they move through
    double parted;                               // [J] went where contacts that stick ended
} RbGrainPowers;

// What goes on at a wall at an instant, and since the start.
typedef struct RbWallPowers {
    double belt; // [W] work of its belt on the grains
    double slid; // [W] taken by friction there
    int contacts;
} RbWallPowers;

typedef struct RbWallSums {
    Vec3 impulse;      // [N s] of the grains on it
    double belt, slid; // [J]
} RbWallSums;

typedef struct RbGrainChunk {
    int first, end;                // grains
    RbGrainList inside;            // pairs within the chunk
    RbGrainList outside;           // with grains of other chunks, and across borders
    int *slots;                    // per pair outside: of its reaction among all
    const RbReaction *left;        // those that others leave for grains of this chunk, in the order of their list
    const int *receivers;          // which grains these are for
    int left_count;
    RB_ARRAY(RbWallPair) walls;
    int walls_wanted;
    RB_ARRAY(RbFacePair) faces;
    int faces_wanted;
    Wrench *loads; // per wall: on it, about the origin of its frame
    RbWallPowers *wall_powers;
    RbGrainPowers powers;
    double moved;     // [m] no grain has moved by more since the list was made; INFINITY: not known
    double moved2;    // [m2] largest square of a displacement since then; 0: of less than half a skin
    double fastest2;  // [m2/s2] largest square of a speed at the end of the step
    double stiffest2; // [1/s2] largest (d force / d depth) / m* of a pair
    double deepest;   // largest depth over the smaller radius
    int contacts, wall_contacts;
    bool lost; // a grain is nowhere
} RbGrainChunk;

// A contact that is deeper than a part of the smaller radius (of a polyhedron: of the ball in it): the law is made for small depths,
// and what is soft and fast gets through.
typedef struct RbGrainDeep {
    double part; // depth over the smaller radius; 0: there was none yet
    double time; // [s]
    int grain;   // its number, of a clump that of its first sphere
    bool wall;   // with a wall
    bool puppet; // or a puppet
} RbGrainDeep;

// The account of energy since the start.
typedef struct RbGrainLedger {
    double kinetic, turning, height; // [J] of motion, of spin, in the field of gravity
    double stored;                   // [J] in contacts
    double damped, rubbed, resisted; // [J] taken by damping, sliding, rolling and twisting
    double dragged;                  // [J] taken by the medium; negative: it has carried them
    double driven;                   // [J] work of moving walls on the grains
    double added;                    // [J] came with grains that were added, less those removed
    double balance;                  // [J] all of it less what there was at the start: an error
} RbGrainLedger;

typedef struct RbCloud {
    RbArena *arena;
    RbCloudOptions options;
    RbTeam *team;
    bool turning;  // some pair has rolling or twisting friction
    bool sticky;   // some pair has adhesion
    double reach;  // [m] how far apart grains may still touch that stick; 0: nobody does
    double time;   // [s]
    double step;   // [s] the present one: options.step / 2^halved
    int halved;
    double origin; // [s] time of the step `origin_steps`, since which the step is what it is
    long origin_steps;
    double ahead;    // [s] the springs of contacts are half of this ahead: cloud_law.h
    double fastest;  // [m/s] of all grains
    double smallest; // [m] of all radii; of polyhedra, of balls in them
    long steps, rebuilds;
    // Grains, in the order of their cells.
    int count, capacity;
    int work_capacity; // room for what steps and lists need, f1 to spare: from the first list on
    RbQuad *r;       // [m], radius
    RbQuad *v;       // [m/s], mass
    RbQuad *w;       // [rad/s], material
    RbQuad *f, *t;   // [N], [N m] at the present
    RbQuad *f1, *t1; // those that are being computed
    RbQuad *listed;  // place when the list was made
    RbQuad *spare;
    int *id; // number in the order in which they were added
    int next_id;
    // Clumps, in the order in which they were added.
    RB_ARRAY(RbGrainBody) bodies;
    RB_ARRAY(const RbClump *) forms;
    int *body, *member; // per grain: number of its clump, -1: none; which of its spheres
    int *members;       // grains, clump by clump
    int member_count;
    int puppet_count;
    double puppets_moved2; // [m2] as in RbGrainChunk
    bool has_faces; // some form is a polyhedron
    RbGrainBodyChunk *body_chunks;
    int body_chunk_count, body_chunk_capacity;
    bool list_valid;                  // otherwise the contacts are in memories
    int *memory_start, *memory_count; // per grain
    RB_ARRAY(RbGrainMemory) memories;
    int chunk_count, chunk_capacity;
    RbGrainChunk *chunks;
    RB_ARRAY(RbGrainWall) walls;
    Wrench *wall_loads; // per wall: sums over all chunks
    RbWallPowers *wall_powers;
    RbWallSums *wall_sums; // since the start; powers are summed with the ledger alone
    struct RbCloudSorting *sorting;
    RbReaction *reactions; // of all pairs of two chunks, those for one chunk together
    // Sums over the chunks, after the last evaluation of forces.
    RbGrainPowers powers, powers_before;
    double stiffest;    // [1/s]
    double coarsest;    // stiffest times step, the largest since somebody has looked, and set it to 0
    double deepest;     // largest depth over R*
    double looked;      // likewise, when all contacts were looked at
    RbGrainDeep deep;   // the first contact deeper than a half of the radius,
    RbGrainDeep lodged; // and than three quarters
    bool too_fast;      // the step cannot be as short as it should be
    long contacts, wall_contacts;
    bool lost;          // a grain has a place that is not a number
    bool foreign;       // another program moves the grains: what springs hold and take is not known
    Vec3 images[RB_IMAGES]; // [m] to the neighbours of a periodic cell
    double crossed[3],
        crossed_mass
            [3];        // grains and mass that went through borders, upwards less downwards, so far
    double radius_sum;  // [m] of all that were added
    int grain_material; // of all in the list; -1: of several
    // The account.
    double damped, slid, resisted, dragged, driven, added, energy_start;
} RbCloud;

// The options are copied, the laws too.
RbCloud *rb_cloud(RbArena *arena, const RbCloudOptions *options);

// [m] The skin of lists at most, if the largest grain has this radius.
double rb_cloud_widest_skin(const RbCloudOptions *options, double radius);

// Room for so many grains at least.
void rb_cloud_reserve(RbCloud *cloud, int count);

// Returns its identity, which it keeps.
int rb_cloud_add(RbCloud *cloud, RbGrain grain);

// The puppet of this number.
void rb_cloud_add_puppet(RbCloud *cloud, RbGrain grain, int number);
// Where it is now, and how it moves; by the carrier, or between two steps. [m], [m/s], [rad/s]
void rb_cloud_move_puppet(RbCloud *cloud, int grain, Vec3 r, Vec3 v, Vec3 w);

// A form for clumps, which must stay; returns its number. One that is there already is found.
int rb_cloud_add_form(RbCloud *cloud, const RbClump *form);

// Returns the identity of its first sphere; those of the others follow.
int rb_cloud_add_clump(RbCloud *cloud, RbGrainClump clump);

// A sphere that is no member of a clump, or a clump.
typedef struct RbParticle {
    Vec3 r, v;     // [m], [m/s]; in the cell, if it is periodic
    Vec3 outside;  // [m] the same, where it would be without: less what RbCloud.crossed has counted
    double mass;   // [kg]
    double volume; // [m3]
    int id;        // of the (first) sphere
} RbParticle;

// k from 0 to rb_cloud_entries - 1: spheres in the order of the cells, then clumps. False: a member, which is not counted.
int rb_cloud_entries(const RbCloud *cloud);
bool rb_cloud_particle(const RbCloud *cloud, int k, RbParticle *out);
int rb_cloud_particles(const RbCloud *cloud); // how many there are

// Remove the particles for which `leaves` is true, with the energy that is theirs. Returns how many.
typedef bool RbGrainLeaves(void *user, Vec3 centre);
int rb_cloud_remove(RbCloud *cloud, RbGrainLeaves *leaves, void *user);

// Returns its number.
int rb_cloud_add_wall(RbCloud *cloud, RbGrainWall wall);

// Between two steps: which walls are absent from now on. Contacts with those that go end, and what they had stored goes with them;
// those that come are where they were put before.
void rb_cloud_change_walls(RbCloud *cloud, const bool *absent);

// Grains that overlap a wall which is not there, where it is now: how many, the first of them (its number), and whether one is
// deeper than half of its radius. Of polyhedra the ball in them counts.
typedef struct RbWallOverlap {
    int count, grain;
    bool deep;
} RbWallOverlap;
RbWallOverlap rb_cloud_wall_overlap(const RbCloud *cloud, int wall);

// Forces of the present; before the first step, and after grains were added or removed.
void rb_cloud_start(RbCloud *cloud);

// The same after places and velocities were changed from outside: contacts are as if they were new, the account
// goes on as it was.
void rb_cloud_place(RbCloud *cloud);

// Bodies that move with the grains: told when the time has advanced by a step (walls are to be moved
// there), and when the loads there are known.
typedef struct RbGrainCarrier {
    void (*move)(void *user, RbCloud *cloud);
    void (*loaded)(void *user, RbCloud *cloud);
    void *user;
} RbGrainCarrier;

// The step is halved so many times at most.
enum { RB_CLOUD_HALVINGS = 10 };

// The index of the fastest grain; -1: there is none.
int rb_cloud_fastest(const RbCloud *cloud);

// [m] Of a grain: its radius; of a polyhedron that of a ball in it.
double rb_cloud_inner_radius(const RbCloud *cloud, int grain);

// One step. carrier may be NULL: the walls go on with their velocities.
void rb_cloud_step(RbCloud *cloud, const RbGrainCarrier *carrier);

// A contact of the present.
typedef struct RbGrainTouch {
    int grain, other; // indices; other: -1 for a wall
    int wall;         // -1: none
    Vec3 point, n;    // [m]; towards the grain
    Vec3 force;       // [N] on the grain
    double depth;     // [m]
    Vec3 branch;      // [m] of polyhedra: rb_cloud_branch; zero: it follows from the others
} RbGrainTouch;

// [m] From the centre of the other particle, or from the point on a wall, to the centre of the one that the grain is, or is a
// member of.
Vec3 rb_cloud_branch(const RbCloud *cloud, const RbGrainTouch *touch);

// All contacts, in the order of the cells. Between two steps.
typedef void RbGrainTouched(void *user, const RbCloud *cloud, const RbGrainTouch *touch);
void rb_cloud_contacts(RbCloud *cloud, RbGrainTouched *touched, void *user);

// [m] Where a grain is, in the cell if it is periodic. (Between two lists a grain may be half a skin outside.)
Vec3 rb_cloud_place_of(const RbCloud *cloud, int grain);

double rb_cloud_energy_of(const RbCloud *cloud, int grain); // [J] of motion and height; no member
RbGrainLedger rb_cloud_ledger(const RbCloud *cloud);
Wrench rb_cloud_momentum(const RbCloud *cloud); // [kg m/s], about the origin of the world

// Everything that what follows depends on, the places for which the list was made included: a run that is
// resumed has the bits of one that was left alone. Load into a cloud with the same options, walls and forms;
// false: the checkpoint does not fit.
void rb_cloud_save(RbCloud *cloud, RbSaver *saver);
bool rb_cloud_load(RbCloud *cloud, RbLoader *loader);

// Hash over everything that determines what follows.
uint64_t rb_cloud_hash(const RbCloud *cloud);

// [B] that so many grains will need, about.
size_t rb_cloud_memory(double count, bool turning);
