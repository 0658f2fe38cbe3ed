// SPDX-License-Identifier: MIT
// soft.h: soft bodies of molecules and springs (docs/guide/soft.md): scenes from XML files, or built
// here.
//
//     RbSoft *soft;
//     int gel;
//     rb_soft_create(context, "drop", &soft);
//     RbSoftMaterial material = rb_soft_material_default();
//     material.name = "gel", material.youngs_modulus = 2e4;
//     rb_soft_add_material(soft, &material, &gel);
//     RbSoftBlock block = rb_soft_block_default();
//     block.material = gel, block.position[1] = 0.1;
//     rb_soft_add_block(soft, "drop", &block);
//     rb_soft_model(soft, &model);          // to run as any other
//
// Everything lives as long as the context. Arguments that cannot be used are answered with
// RB_ERROR_USAGE and a message; what is wrong with the whole is said when the model is made.
#pragma once

#include <stdbool.h>

#include "rattleback/model.h"
#include "rattleback/run.h"
#include "rattleback/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

// The model of a scene in an XML file.
RB_API RbStatus rb_soft_open(RbContext *context, const char *file, RbModel **model);

// The same of a text that has not come from the file, which gives its name to messages.
RB_API RbStatus rb_soft_open_text(RbContext *context, const char *file, const char *text,
                                  RbModel **model);

typedef struct RbSoft RbSoft;

// An empty scene; the scene of an XML file, to be added to.
RB_API RbStatus rb_soft_create(RbContext *context, const char *name, RbSoft **soft);
RB_API RbStatus rb_soft_read(RbContext *context, const char *file, RbSoft **soft);

// What holds for the whole scene.
typedef struct RbSoftSettings {
    double gravity[3]; // [m/s2]
    int neighbours;    // 18 or 26 in a cubic grid
    bool surfaces;     // objects touch with their surfaces, not with their spheres
    bool
        edges; // likewise, along all edges of their triangles, not only in the corners: for coarse surfaces
    double resolution;        // [m] of surfaces; 0: by their size
    double contact_stiffness; // in units of what the materials give
    bool sphere_masses; // a molecule has the mass of its sphere, not of its share of the volume
    bool self_contact;  // parts of an object that are no neighbours touch each other
} RbSoftSettings;

RB_API RbSoftSettings rb_soft_settings_default(void);
RB_API RbStatus rb_soft_set(RbSoft *soft, const RbSoftSettings *settings);

// What a body is made of inside: springs between neighbours, or finite elements (tetrahedra), whose law is that of Hooke
// with rotations taken out, or that of rubber for large strains.
typedef enum RbSoftModel { RB_SOFT_SPRINGS, RB_SOFT_COROTATED, RB_SOFT_NEO_HOOKEAN } RbSoftModel;

typedef struct RbSoftMaterial {
    const char *name;
    double youngs_modulus;  // [Pa]
    double density;         // [kg/m3]
    double damping;         // ratio of a connection: 1 is critical
    double medium_density;  // [kg/m3] of what it moves through: drag
    double poisson;         // springs: only 1/4, which is all that they can do; elements: 0 to 0.49
    double breaking_strain; // of a connection: it is torn beyond; 0: never
    double colour[3];       // 0 to 1
    double transparency;    // 0: opaque, 1: not seen
    RbPos at;               // of its declaration, for messages
    RbSoftModel model;
    int order; // of elements: 1, four nodes (also 0); 2, ten
} RbSoftMaterial;

RB_API RbSoftMaterial rb_soft_material_default(void); // 1e5 Pa, 1000 kg/m3, damping 0.1
RB_API RbStatus rb_soft_add_material(RbSoft *soft, const RbSoftMaterial *material, int *number);

// How the molecules of an object stand. Connections and their stiffness follow from that.
typedef enum RbSoftPlacement {
    RB_SOFT_PLACED_AS_FOUND, // whatever fits where they stand; of what is filled here: cubic
    RB_SOFT_CUBIC,           // on a cubic grid
    RB_SOFT_BODY_CENTRED,    // on a cubic grid, and in the middle of each of its cubes
    RB_SOFT_RANDOM           // anyhow; of what is filled here: on a cubic grid, shaken
} RbSoftPlacement;

// A block of molecules on a cubic grid.
typedef struct RbSoftBlock {
    double position[3]; // [m] of its middle
    double velocity[3]; // [m/s]
    int count[3];       // molecules along x, y, z
    double spacing;     // [m] of the grid
    double radius;      // [m] of a molecule; 0: 0.75 of the spacing
    double friction;
    int material;
    bool fixed;
    RbSoftPlacement placement; // body-centred ones stand in the middles of the cubes besides
} RbSoftBlock;

RB_API RbSoftBlock rb_soft_block_default(void); // 4 x 4 x 4, 1 cm apart, friction 0.3
RB_API RbStatus rb_soft_add_block(RbSoft *soft, const char *name, const RbSoftBlock *block);

// A solid (solid.h) filled with molecules on a cubic grid, or, if its material is of elements, with tetrahedra that end at
// its surface.
typedef struct RbSoftFilling {
    double position[3]; // [m] of the origin of the solid
    double velocity[3]; // [m/s]
    double spacing;     // [m] of the grid
    double radius;      // [m] of a molecule; 0: 0.75 of the spacing
    double friction;
    int material;
    bool fixed;
    RbSoftPlacement placement; // of molecules with springs
} RbSoftFilling;

typedef struct RbSoftFillReport {
    int molecules, elements;
    double volume;       // [m3] of the elements
    double solid_volume; // [m3] of the solid: density times this is the mass
} RbSoftFillReport;

RB_API RbSoftFilling rb_soft_filling_default(void); // 1 cm, friction 0.3
RB_API RbStatus rb_soft_add_solid(RbSoft *soft, const char *name, const RbWorkpiece *solid,
                                  const RbSoftFilling *filling, RbSoftFillReport *report);

// An object molecule by molecule: those that follow belong to it. Neighbours are found by
// themselves.
typedef struct RbSoftMolecule {
    double position[3], velocity[3]; // [m], [m/s]
    double radius;                   // [m]
    double friction;
    int material;
    bool fixed;
} RbSoftMolecule;

RB_API RbStatus rb_soft_add_object(RbSoft *soft, const char *name);
// How the molecules of the last object stand, instead of as found: refused by the model if they do not.
RB_API RbStatus rb_soft_set_placement(RbSoft *soft, RbSoftPlacement placement);
RB_API RbStatus rb_soft_add_molecule(RbSoft *soft, const RbSoftMolecule *molecule);

// A force on the last molecule, linear between the times that are given.
RB_API RbStatus rb_soft_add_force(RbSoft *soft, double time, const double force[3]);

// At a time, in the order of time: two objects are glued together where their molecules touch then; the connections of an object that cross a plane are
// cut (not of elements).
RB_API RbStatus rb_soft_add_glue(RbSoft *soft, double time, const char *object, const char *to);
RB_API RbStatus rb_soft_add_cut(RbSoft *soft, double time, const char *object,
                                const double point[3], const double normal[3]);

// Write the scene as an XML file.
RB_API RbStatus rb_soft_write(RbSoft *soft, const char *file);

// Write the scene as a Modelica model, each object a Rattleback.Parts.SoftBody with its molecules; its name is that of the file. Refused with the place: several materials, radii, frictions
// or velocities in one object, for which Modelica has no words.
RB_API RbStatus rb_soft_write_modelica(RbSoft *soft, const char *file);

// The soft bodies of a run of a model that has nothing else (a scene built here or from a file, or a model in Modelica), as they were at its start, with the
// materials that they have now: to be written, or changed and run again.
//
//     rb_run_set_named(run, "gel.youngs_modulus", 5e4);
//     rb_soft_of_run(run, &again);
//     rb_soft_write_modelica(again, "Softer.mo");
RB_API RbStatus rb_soft_of_run(RbRun *run, RbSoft **soft);

// The model of the scene, which cannot be changed any more.
RB_API RbStatus rb_soft_model(RbSoft *soft, RbModel **model);

#ifdef __cplusplus
}
#endif
