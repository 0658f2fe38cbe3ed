// SPDX-License-Identifier: MIT
// set.h: which bodies touch, and with which forces (docs/theory/contact-set.md).
//
// The set of contacts changes at events only. It is kept in slots of the discrete block: which two
// elements touch, and which mass feels the contact, which damping needs. Two zero-crossing functions watch all pairs together (thesis, section 6.3): one for
// contacts that end, one for those that start, with a band between them.
#pragma once

#include "base/diag.h"
#include "collide/broadphase.h"
#include "collide/distance.h"
#include "contact/law.h"
#include "contact/material.h"
#include "geom/shape.h"
#include "math/spatial.h"

// The surface of a body that runs along itself while the body stays: a conveyor.
typedef struct RbBelt {
    Vec3 velocity;      // [m/s] in the frame of the body, of which the part along the surface counts; zero: none
    double start, ramp; // [s] it stands until `start`, and takes the ramp to get to its velocity
} RbBelt;

// One convex core that can touch others, fixed to a body.
typedef struct RbElement {
    RbContactSide side; // object and materials
    const RbShape *shape;
    const RbCore *core;
    int body;
    Pose X_BS;        // shape in the body
    Pose X_BC;        // frame of the core in the body; set by rb_contact_setup
    double reach;     // [m] no point of it is further away from the body's origin
    double thickness; // [m] how deep a point can be inside it
    int material;     // index into the table of distinct materials
    RbBelt belt;
} RbElement;

// Where a body is and how it moves: world components, reference point at the origin of its frame.
typedef struct RbMoving {
    Pose X;
    Motion V;
    double time; // [s] now, of bodies with belts
} RbMoving;

typedef struct RbContactOptions {
    RbContactScene scene;
    RbDistanceMethod distance;
    double touch; // [m] contacts start below this distance and end above twice of it; of small elements a part of their size
} RbContactOptions;

RbContactOptions rb_contact_options(void);

typedef bool (*RbMayTouch)(const void *user, int element_a, int element_b);

// Constant while a segment lasts.

typedef struct RbContactSetup {
    RbElement *elements;
    int element_count;
    RbContactOptions options;
    RbContactMaterial *pairs; // material_count squared
    bool *pair_known;
    const RbSolidMaterial **pair_lacks; // whose Young's modulus is missing; NULL: the data of the pair
    int material_count;
    RbMayTouch may_touch;
    const void *user;
    int slot_count;
} RbContactSetup;

// Elements get their materials looked up. Unknown solid materials are errors; a missing pair is one
// only when it touches.
RbStatus rb_contact_setup(RbElement *elements, int count, const RbMaterials *materials,
                          RbContactOptions options, RbMayTouch may_touch, const void *user,
                          RbArena *keep, RbDiag *diag, RbContactSetup **out);

// The material without the Young's modulus that the law of two elements needs; NULL: that is not what is missing.
const RbSolidMaterial *rb_contact_lacks_modulus(const RbContactSetup *setup, int a, int b);

// The memory of one caller. What is answered does not depend on what was asked before.
struct RbContactChange;

typedef struct RbContactWork {
    RbBroadphase *broadphase;
    struct RbContactChange *starting; // slot_count
    int *slot_of;                     // hash table of the pairs in slots: slot + 1; 0: free
    unsigned mask;                    // its size, a power of two, less one
} RbContactWork;

RbContactWork rb_contact_work(const RbContactSetup *setup, RbArena *arena);

// ---- slots: RB_SLOT_SIZE discrete values each

// The bristle is that of a contact in a crowd, slide and twist; elsewhere it is a state.
enum {
    RB_SLOT_CODE,
    RB_SLOT_SPEED,
    RB_SLOT_MASS,
    RB_SLOT_BRISTLE,
    RB_SLOT_SIZE = RB_SLOT_BRISTLE + 4,
    RB_SLOT_NONE = -1
};

// Elements that touch in a slot, a < b; false if it is free.
bool rb_slot_pair(const RbContactSetup *setup, const double *slots, int slot, int *a, int *b);

// ---- evaluation

// What is known about one contact after rb_contacts_evaluate.
typedef struct RbContactState {
    double code; // of the slot it belongs to; 0: nothing is known
    int a, b;    // its elements
    RbBlow blow; // likewise
    RbContactLaw law;
    RbPairMemory memory;
    RbGap gap;    // in world components
    Vec3 point_W; // [m] where the force acts
    bool patch;   // presses over a patch; otherwise at the point
    RbContactMotion motion;
    RbContactForce force;
    Vec3 f_W, t_W;          // [N], [N m] all of it on b, about the point
    double from_nothing;    // [W] what the elastic force does beyond what it takes from its store
    double pressing;        // [W] what the elastic force over a patch does
    double lost;            // [W] dissipated: damping, friction, rolling
    double driven;          // [W] given by belts
    Vec3 belt_W;            // [m/s] of the surface of b against that of a, beyond the motion of the bodies
    RbBristle bristle_rate; // [m/s] laws that stick: derivative of the bristle
} RbContactState;

typedef struct RbContactPowers {
    double elastic;                    // [J] stored, but for what meshes do (rb_mechanism_stored)
    double damping, friction, rolling; // [W] dissipated
    double driven;                     // [W] given by belts
    double from_nothing;               // [W] brought in by a law that has no potential; either sign
    // Over patches: what is stored [J] (a part of elastic), and what the elastic forces do [W]. With a potential the one is what the other took.
    double pressed, pressing;
} RbContactPowers;

// A pair that is deeper inside each other than the law can describe, or whose distance is not a
// number (its depth is NaN then); a = -1: none.
typedef struct RbTooDeep {
    int a, b;
    double depth, limit; // [m]
} RbTooDeep;

// Forces of all contacts, added to the wrench of each body (about its origin). states has
// slot_count entries, and so has `bristles`, the states of the contacts that stick [m] (NULL: there
// are none). Bodies for which `wanted` is false are left alone (NULL: all are wanted).
RbTooDeep rb_contacts_evaluate(const RbContactSetup *setup, const double *slots,
                               const RbBristle *bristles, const RbMoving *bodies,
                               const bool *wanted, RbContactState *states, Wrench *forces,
                               RbContactPowers *powers);

// The same for states that were accepted, where it is the end of the run: rb_contacts_evaluate
// complains a little later, so that a solver that shortens its steps in front of its limit gets
// here.
RbTooDeep rb_contacts_too_deep(const RbContactSetup *setup, const double *slots,
                               const RbContactState *states);

// [m] how deep two elements may be inside each other.
double rb_contacts_deepest(const RbContactSetup *setup, int a, int b);

// Does the contact in the slot stick, so that it needs a bristle?
bool rb_slot_sticks(const RbContactSetup *setup, const double *slots, int slot);

// The same for the contacts in some slots, all of which are in use.
RbTooDeep rb_contacts_evaluate_slots(const RbContactSetup *setup, const double *slots,
                                     const int *list, int count, const RbBristle *bristles,
                                     const RbMoving *bodies, RbContactState *states, Wrench *forces,
                                     RbContactPowers *powers);

// z[0]: largest distance of touching pairs minus the end of the band (rises through 0: a contact
// ends). z[1]: smallest distance of all others minus its start (falls through 0: a contact starts).
// states must come from an evaluation at the same positions. Returns a pair whose distance is not a
// number; a = -1: none.
RbTooDeep rb_contacts_indicators(const RbContactSetup *setup, RbContactWork *work,
                                 const double *slots, const RbContactState *states,
                                 const RbMoving *bodies, double *z);

// ---- events

typedef struct RbContactChange {
    int slot;
    int a, b; // elements
    bool starts;
    double speed;    // [m/s] normal relative speed, positive when approaching
    double distance; // [m]
} RbContactChange;

// [kg] that a force between two elements feels at a point, along the normal: 1/m is how fast they
// part per unit of it. 0: they do not. Joints count, other contacts do not.
typedef double (*RbEffectiveMass)(void *user, int element_a, int element_b, Vec3 point_W, Vec3 n_W);

// Decide anew which pairs touch, in the middle of the band, so that a rounding error of the
// distance does not decide. Calls tell for each change. Returns false if there is no free slot for
// a new contact.
bool rb_contacts_update(const RbContactSetup *setup, RbContactWork *work, double *slots,
                        const RbMoving *bodies,
                        void (*tell)(void *user, const RbContactChange *change),
                        RbEffectiveMass effective_mass, void *user, int *changes);

// The middle of the band. [m]
static inline double rb_contacts_limit(const RbContactSetup *setup) {
    return 1.5 * setup->options.touch;
}

// The same for one pair, which is in the slot or, if it is not in one yet, gets it if it is nearer
// than the limit [m]. True if that changes; nothing is done if it should get one and slot is
// RB_SLOT_NONE. A pair in a slot that does not touch has no force.
bool rb_contacts_update_pair(const RbContactSetup *setup, double *slots, const RbMoving *bodies,
                             int a, int b, bool touches, int slot, double limit,
                             RbEffectiveMass effective_mass, void *user, RbContactChange *change);

// Is the pair one that could start to touch: allowed, with a response, and not in a slot? Asked by
// visitors of rb_contacts_near_pairs, for its slots.
bool rb_contacts_watches(const RbContactSetup *setup, const RbContactWork *work,
                         const double *slots, int a, int b);

// The same without looking into the slots.
bool rb_contacts_may_touch(const RbContactSetup *setup, int a, int b);

// Distance of two elements. [m] memory: of other looks at them, or NULL.
double rb_contacts_pair_distance(const RbContactSetup *setup, int a, int b, const RbMoving *bodies,
                                 RbPairMemory *memory);

// Do two elements that touch have a face of each against the other, so that no single point is
// where they touch?
bool rb_contacts_face_to_face(const RbContactSetup *setup, int a, int b, const RbMoving *bodies);

// All pairs of elements of different bodies whose boxes are nearer than the bound; the visitor
// answers the next bound.
void rb_contacts_near_pairs(const RbContactSetup *setup, RbContactWork *work, const double *slots,
                            const RbMoving *bodies, double bound, RbVisitNearPair *visit,
                            void *user);

// Contact data of two elements; NULL if the palette has none.
const RbContactMaterial *rb_contact_material_of(const RbContactSetup *setup, int a, int b);

// [m] penetration of the pair under the weight of the lighter one (mass in kg, g in m/s2).
double rb_contact_reference_depth(const RbContactSetup *setup, int a, int b, double mass, double g);
