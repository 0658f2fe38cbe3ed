// SPDX-License-Identifier: MIT
// network.h: a scene of soft bodies as mass points with spring-dampers or elements between them, and the forces in these
// (docs/theory/soft.md). Immutable while a segment lasts; the motion comes from the caller.
#pragma once

#include "deform/cell.h"
#include "deform/element.h"
#include "deform/lattice.h"
#include "math/mat3.h"

// Pulls its ends together with k (l - length) + c dl/dt.
typedef struct RbSoftSpring {
    int a, b;
    double k;      // [N/m]
    double c;      // [N.s/m]
    double length; // [m] at rest
    double limit;  // [m] longer it is torn; INFINITY: never
} RbSoftSpring;

typedef struct RbNetworkObject {
    const char *name;
    int first, count;         // molecules
    int connections;          // of its molecules
    int spring, spring_count; // those that have an end that moves
    int element, element_count;
    int cell, cell_count;
    double spacing; // [m]
    double mass;    // [kg] of what moves
    RbSoftPlacement placement;
    bool moves;
    bool self_contact;
    int layers; // of molecules, where it is thinnest: corners of cubes; 0: elements, or one that is no solid
    double
        bending_error; // of a bar as thick: by how much its springs are too stiff; -1: they do not bend at all
    double filled; // part of the shape that its cells make up; 1: there is no shape
} RbNetworkObject;

// A molecule that is connected to another one by a spring (-1: by an element).
typedef struct RbNeighbour {
    int molecule, spring;
} RbNeighbour;

typedef struct RbNetwork {
    const RbSoftScene *scene;
    int count;       // molecules
    double *mass;    // [kg]
    double *drag;    // [kg/m] force = drag |v| v against the motion
    int *free_index; // number among those that move, or -1
    int free_count;
    int *molecule_of; // of those that move
    RbSoftSpring *springs;
    int spring_count;
    int glued; // first spring that belongs to no object: what was glued while it ran
    RbSoftElement *elements;
    int element_count;
    RbSoftCell *cells; // cubes of springs that have molecules that move
    int cell_count;
    RbNeighbour *neighbours;
    int *neighbour_first; // per molecule, and the end
    RbNetworkObject *objects;
    int object_count;
} RbNetwork;

RbStatus rb_network_build(const RbSoftScene *scene, RbArena *keep, RbArena scratch, RbDiag *diag,
                          RbNetwork *out);

// A spring between two molecules: k = stiffness [m] times Young's modulus of both, one after the other.
RbSoftSpring rb_network_spring(const RbNetwork *network, int a, int b, double stiffness,
                               double length);

// Energy of springs that belong to no object [J].
double rb_network_glue_energy(const RbNetwork *network, const Vec3 *r);

// By how much a bar of springs, so many molecules thick, is stiffer in bending than the modulus typed: measured (docs/theory/soft.md, section 1).
double rb_network_bending_error(RbSoftPlacement placement, int layers, int neighbours);

// Power that is lost in springs and to the medium [W].
typedef struct RbNetworkPower {
    double springs, medium;
    int flat; // object with a cell that is flat or inside out, for which there are no forces; -1: none
} RbNetworkPower;

// Adds the forces of springs and cells, weight, drag and the forces given over time to f [N].
RbNetworkPower rb_network_forces(const RbNetwork *network, double time, const Vec3 *r,
                                 const Vec3 *v, Vec3 *f);

// Power of the forces given over time [W].
double rb_network_given_power(const RbNetwork *network, double time, const Vec3 *v);

// What an object is under: energy in it [J], the largest strain of a spring or an element (relative, of either sign), and the
// largest stress of an element by von Mises [Pa].
RbElementLook rb_network_look(const RbNetwork *network, int object, const Vec3 *r);

// Per molecule of an object: the strain of its springs, or of the elements around it, that is largest, with its sign.
void rb_network_strains(const RbNetwork *network, int object, const Vec3 *r, double *strain);

// How many cells of springs are turned inside out.
int rb_network_folded(const RbNetwork *network, int object, const Vec3 *r);

// Whether a place in an object and one of its molecules, both where they were at the start, are so far apart that they touch when they meet: neighbours do not, however
// much the body is squeezed.
static inline bool rb_network_apart(const RbNetwork *network, int molecule, Vec3 place) {
    const RbMolecule *m = &network->scene->molecules.data[molecule];
    double least = fmax(2.5 * network->objects[m->object].spacing, 2.5 * m->radius); // [m]
    return v3_norm2(v3_sub(place, m->r)) > least * least;
}

// Cells give up what is torn: the energy that was in it [J], at the places r (NULL: not asked for).
double rb_network_tear_cells(RbNetwork *network, const Vec3 *r);

// How far the spring nearest to its limit is from it: length/limit - 1 of those that are not torn (k > 0), -1 if none can be.
double rb_network_tear(const RbNetwork *network, const Vec3 *r);

// Derivative of the force of a spring on its end a by r_b (-: by r_a) and by v_b.
void rb_soft_spring_slopes(const RbSoftSpring *spring, const Vec3 *r, const Vec3 *v, Mat3 *by_r,
                           Mat3 *by_v);

// Derivative of the drag on a molecule by its velocity, with the sign of a force.
Mat3 rb_network_drag_slope(const RbNetwork *network, int molecule, Vec3 v);

// The longest stable step of leapfrog [s], some percent below at most: from the highest frequency of
// the bodies in the places r, by power iteration, and its damping.
double rb_network_stable_step(const RbNetwork *network, const Vec3 *r, RbArena scratch);
