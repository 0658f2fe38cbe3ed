// SPDX-License-Identifier: MIT
// particles.h: granular matter in a scene: very many spheres that touch each other and the solids
// (docs/guide/granular.md).
//
//     RbParticles sand = rb_particles_default("sand", RB_PARTICLES_RANDOM, "Sand");
//     sand.count = 5000, sand.radius = 0.005;
//     sand.high[0] = 0.2, sand.high[1] = 0.2, sand.high[2] = 0.5;
//     rb_builder_add_particles(builder, &sand);
//
// All particles of a scene are one cloud, which takes explicit steps of its own; bodies are moved by the
// solver, and both exchange forces as often as it takes to be accurate. Restitution, friction and
// rolling resistance are those of the pairs of materials; every solid that is collidable is a wall.
// Particles may be clumps of spheres (RbParticleClump) or convex polyhedra (RbParticlePolyhedron).
#pragma once

#include <stdint.h>

#include "rattleback/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// ORDER RbFillKind
typedef enum RbParticlesKind {
    RB_PARTICLES_GRID,   // row by row, from the lower corner of the box
    RB_PARTICLES_RANDOM, // anywhere in the box where nothing is
    RB_PARTICLES_RAIN,   // likewise, one after another from `start` on, `rate` of them per second
    RB_PARTICLES_LIST,   // at given places
} RbParticlesKind;

// Spheres that are joined rigidly and may overlap: the form of a particle, in any frame. What they fill together has the density
// of the material, unless a mass is typed. They must hang together.
typedef struct RbParticleClump {
    int count;
    const double *spheres; // x, y, z and radius of each [m]; copied
    double mass;           // [kg] 0: from the density
    double centre[3];      // [m] with a mass: centre of it
    double inertia[6];     // [kg m2] with a mass: about that centre: xx, yy, zz, xy, xz, yz
    bool aligned;          // all stand as typed; otherwise each is turned at random
} RbParticleClump;

// A box, or the convex hull of points in any frame. Edges and corners are rounded: those of a box with this radius, at most a tenth
// of its smallest length; the hull is grown by it.
typedef struct RbParticlePolyhedron {
    double lengths[3];    // [m] box; all zero: points
    int count;
    const double *points; // x, y, z of each [m]; copied
    double rounding;      // [m] positive
    bool aligned;         // all stand as typed; otherwise each is turned at random
} RbParticlePolyhedron;

typedef struct RbParticles {
    const char *name;
    RbParticlesKind kind;
    const char *material;         // of the palette
    const char *contact_material; // for pairs; NULL: material
    int count;                    // how many; rain: at most
    double radius;                // [m] of spheres
    double radius_spread;         // radii are spread evenly over radius (1 -+ this); sizes of clumps likewise
    const RbParticleClump *clump; // what each of them consists of; NULL: one sphere
    const RbParticlePolyhedron *polyhedron; // or its form: then radius_spread is 0, and lists have sizes of 1
    double density;               // [kg/m3] 0: of the material
    double low[3], high[3];       // [m] box that they are in
    double velocity[3];           // [m/s] at first
    uint64_t seed;                // same seed, same particles
    double rate, start;           // [1/s], [s] rain
    double adhesion;              // [J/m2] work of adhesion among themselves; 0: they do not stick
    double wall_adhesion;         // [J/m2] with walls
    double twisting;              // friction against twisting, times the radius R*, also on walls
    const double *places;         // list: x, y, z and radius of each [m]; of clumps: centre of mass, and times
                                  // as large as typed; copied
    const double *orientations;   // list of clumps: quaternion (w, x, y, z) of each, which turns the frame as typed
                                  // into the world; NULL: as clump->aligned says; copied
} RbParticles;

// A thousand of 1 cm in diameter, in a box of 0.2 m that stands on the origin.
RB_API RbParticles rb_particles_default(const char *name, RbParticlesKind kind,
                                        const char *material);
RB_API RbStatus rb_builder_add_particles(RbSceneBuilder *builder, const RbParticles *particles);

// Sensors and sinks: parts of space in which particles are looked at, or leave. Results, after the name of the region:
//   box:   count, mass, v[1..3] (mean velocity), filled (part of the volume), stress[1..6] (xx, yy, zz, xy, xz, yz;
//          pressure is positive)
//   plane: count and mass that have passed along the normal, less what came back; massFlow, averaged
//   sink:  count and mass that have left
//   part:  force[1..3] of all particles on a solid, number of contacts, energy rubbed there; its surface may be a belt, which runs along
//          itself while the solid stays: work and power of the belt
// ORDER RbRegionKind
typedef enum RbParticleRegionKind {
    RB_PARTICLE_BOX,
    RB_PARTICLE_PLANE,
    RB_PARTICLE_SINK,
    RB_PARTICLE_PART,
} RbParticleRegionKind;

typedef struct RbParticleRegion {
    const char *name;
    RbParticleRegionKind kind;
    double low[3], high[3];        // [m] box, sink; a sink may be infinite
    double position[3], normal[3]; // plane
    double start;                  // [s] sink, belt: from then on
    double average;                // [s] plane: over which the flow is averaged
    int object;                    // part: number of the solid
    double surface[3];             // [m/s] part: of its belt, in the frame of the solid
    double ramp;                   // [s] that the belt takes to get there
} RbParticleRegion;

// A box or sink of 0.2 m that stands on the origin; the plane z = 0, downwards, averaged over 0.1 s.
RB_API RbParticleRegion rb_particle_region_default(const char *name, RbParticleRegionKind kind);
RB_API RbStatus rb_builder_add_particle_region(RbSceneBuilder *builder,
                                               const RbParticleRegion *region);

// How the cloud is computed. step [s]; 0: a fortieth of the shortest contact at the largest speed that is
// expected (speed [m/s], initial velocities at least; 0: from them and the height of the scene). coupling [m]: how far the motion of bodies may
// be off between two exchanges of forces; 0: 1e-5 of the smallest radius. A medium with density [kg/m3], viscosity [Pa s] and
// velocity [m/s] brakes and lifts them (Schiller and Naumann, Archimedes), and is not disturbed; 0: none. Where space is periodic, what leaves
// the cell between low and high [m] on one side comes in on the other, and particles touch each other across; solids are not repeated.
typedef struct RbParticleOptions {
    double step, speed, coupling;
    double medium_density, medium_viscosity, medium_velocity[3];
    bool periodic[3]; // along x, y, z
    double low[3], high[3];
    const char *results;     // what journals keep of them: RbSimOptions.particle_results, which comes first; NULL: their places
    double results_interval; // [s] how often; 0: every row
} RbParticleOptions;

RB_API RbStatus rb_builder_particle_options(RbSceneBuilder *builder,
                                            const RbParticleOptions *options);

#ifdef __cplusplus
}
#endif
