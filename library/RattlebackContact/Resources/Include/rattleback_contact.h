// SPDX-License-Identifier: MIT
// rattleback_contact.h: contact for programs that integrate the motion of the bodies themselves, such as
// Modelica tools: collision bodies on moving frames, and the forces on these frames.
//
//     RattlebackContact *contact = rattleback_contact_open(2);
//     error = rattleback_contact_body(contact, &floor);
//     error = rattleback_contact_body(contact, &ball);
//     ...
//     error = rattleback_contact_meet(contact, 0, &poses);
//     int events = 1;
//     ...
//     error = rattleback_contact_forces(contact, events, &poses, f, t, &elastic);
//     error = rattleback_contact_indicator(contact, events, &poses, &z);
//     if (z < 0) error = rattleback_contact_meet(contact, events++, &poses);
//
// Forces and indicator are functions of the poses and of the number of events: where a simulator has met an event and
// looks back at the time before, it gets what it got then. The last 7 events are kept.
// Every function returns NULL, or a message that lives until the next call.
// Units are SI. Vectors are in world components; T (3 x 3, by rows) maps components of the world to components of
// the frame, as Frames.Orientation of Modelica.Mechanics.MultiBody does.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RATTLEBACK_CONTACT_API
#define RATTLEBACK_CONTACT_API
#endif

typedef struct RattlebackContact RattlebackContact;

// ORDER RattlebackContact.Types.Shape
enum {
    RATTLEBACK_CONTACT_SPHERE = 1, // diameter
    RATTLEBACK_CONTACT_ELLIPSOID,  // three lengths
    RATTLEBACK_CONTACT_BOX,        // three lengths
    RATTLEBACK_CONTACT_CYLINDER,   // diameter, length
    RATTLEBACK_CONTACT_CONE,      // diameter, length, top diameter; frame at the centre of the base
    RATTLEBACK_CONTACT_CAPSULE,   // diameter, length of the cylindrical part
    RATTLEBACK_CONTACT_BEAM,      // length between the centres of the round ends, width, thickness
    RATTLEBACK_CONTACT_HALFSPACE, // all points with z <= 0 in its frame; fixed
    RATTLEBACK_CONTACT_HULL,      // file: convex hull of its points
    RATTLEBACK_CONTACT_PARTS, // file: each object is a convex part; or a folder with a file for each
    RATTLEBACK_CONTACT_SURFACE, // file: the mesh itself, which need not be convex
};

typedef struct RattlebackContactBody {
    int id;           // 1 ... bodies
    const char *name; // for messages
    int shape;
    double size[3];       // [m] as listed above
    int axis;             // 1, 2, 3: of cylinder, cone, capsule, beam
    double smoothing;     // [m] radius of edges
    const char *file;     // of hull, parts, surface
    double scale;         // [m] per unit of the file
    double r_shape[3];    // [m] from the frame to the frame of the shape, in the axes of the frame
    double angles[3];     // [rad] of the shape in the frame, about x, y, z one after the other
    const char *material; // of Rattleback's palette
    double mass; // [kg] that contacts feel; 0: of the shape, from the density of the material
    int fixed;   // its frame does not move
    int part_of; // id of a body that it is a part of; 0: none
} RattlebackContactBody;

// Numbers of a law in the order in which Modelica passes them. A negative one means: as the materials say.
enum {
    RATTLEBACK_LAW_A,        // id, 0: all
    RATTLEBACK_LAW_B,        // id, 0: all
    RATTLEBACK_LAW_NORMAL,   // 1: as the materials say, 2: spring-damper, 3: no contact
    RATTLEBACK_LAW_FRICTION, // 1: as the materials say, 2: sliding, 3: static, 4: curve
    RATTLEBACK_LAW_RESTITUTION,
    RATTLEBACK_LAW_MU_K,
    RATTLEBACK_LAW_MU_S,
    RATTLEBACK_LAW_MU_R,
    RATTLEBACK_LAW_V_SMALL,      // [m/s]
    RATTLEBACK_LAW_W_SMALL,      // [rad/s]
    RATTLEBACK_LAW_V_STATIC,     // [m/s]
    RATTLEBACK_LAW_STIFFNESS,    // spring-damper: [N/m^n]
    RATTLEBACK_LAW_EXPONENT,     // n
    RATTLEBACK_LAW_DAMPER,       // [N.s/m]
    RATTLEBACK_LAW_MAX_FRICTION, // [N] static
    RATTLEBACK_LAW_MODULUS,      // [Pa] of surfaces
    RATTLEBACK_LAW_SIZE
};

// Where the frames are and how they move: bodies x 3, bodies x 3 x 3, bodies x 3 (origin), bodies x 3.
typedef struct RattlebackContactPoses {
    const double *r, *T, *v, *w;
} RattlebackContactPoses;

// NULL: no memory.
RATTLEBACK_CONTACT_API RattlebackContact *rattleback_contact_open(int bodies);
RATTLEBACK_CONTACT_API void rattleback_contact_close(RattlebackContact *contact);

// A body of an id replaces the one before. Of several laws for a pair the last one counts.
RATTLEBACK_CONTACT_API const char *rattleback_contact_body(RattlebackContact *contact,
                                                           const RattlebackContactBody *body);
RATTLEBACK_CONTACT_API const char *rattleback_contact_law(RattlebackContact *contact,
                                                          const double law[RATTLEBACK_LAW_SIZE]);

// Forces [N] and torques [N.m] on the frames, at their origins; energy [J] that is stored elastically.
RATTLEBACK_CONTACT_API const char *rattleback_contact_forces(RattlebackContact *contact, int events,
                                                             const RattlebackContactPoses *poses,
                                                             double *f, double *t, double *elastic);

// *z is positive; it falls below zero where a contact starts or ends, and rattleback_contact_meet must be called.
RATTLEBACK_CONTACT_API const char *rattleback_contact_indicator(RattlebackContact *contact,
                                                                int events,
                                                                const RattlebackContactPoses *poses,
                                                                double *z);

// Decide anew who touches whom: this is event number events + 1. The first one, events = 0, is at the start.
RATTLEBACK_CONTACT_API const char *rattleback_contact_meet(RattlebackContact *contact, int events,
                                                           const RattlebackContactPoses *poses);

#ifdef __cplusplus
}
#endif
