// SPDX-License-Identifier: MIT
// soft_data.h: inside of the component: what soft.c, soft_contact.c, soft_jacobian.c, soft_results.c and soft_draw.c
// share. Not for other folders.
#pragma once

#include "component/segment.h"
#include "deform/penalty.h"
#include "deform/soft.h"
#include "deform/sphere_pairs.h"
#include "deform/surface_list.h"

// Quadratures and what they are.
enum { D_BROKEN, D_TORN_ENERGY, D_COUNT }; // discrete values
enum { Q_SPRINGS, Q_MEDIUM, Q_CONTACT, Q_WORK, Q_COUNT };

// What one caller of the component remembers; behind it stand the arrays.
typedef struct SoftWork {
    Vec3 *r, *v, *f;         // of all molecules
    Vec3 *press;             // per object: contact force on it [N]
    Vec3 *picture;           // room for the vertices of any surface
    double *states;          // room for those inside a step
    RbSpherePairs *pairs;    // of molecules
    RbSurfaceList *vertices; // and of surfaces, if these touch; NULL otherwise
    int touching;            // pairs, or vertices
    double contact_energy;   // [J]
    double contact_lost;     // [W]
    bool implicit;           // somebody has asked for the Jacobian
} SoftWork;

// Pairs of molecules whose blocks stand in the Jacobian.
typedef struct SoftPattern {
    RbSpherePair *pairs; // room for as many as a list has
    int count;
} SoftPattern;

typedef struct Soft {
    const RbSoftScene *given;
    int first_material_parameter, first_object_parameter, detection_parameter; // their numbers
    // Which springs are torn: kept over segments, in the order of the network.
    unsigned char *torn;
    int torn_count; // of springs there are; 0: none was ever built
    // the running segment
    bool can_tear;
    RbSoftScene scene; // with the parameters of the segment
    RbNetwork network;
    double skin; // [m]
    SoftPattern pattern;
    RbSoftSkin *skins; // per object; NULL: spheres touch
    RbSoftField *fields;
    double *diameters;      // [m] per molecule
    unsigned char *colours; // four per molecule
} Soft;

enum { P_YOUNG, P_DENSITY, P_DAMPING, P_MEDIUM, MATERIAL_PARAMETERS };

// The arrays of a workspace, filled with the motion of the molecules.
SoftWork *rb_soft_work(const Soft *soft, void *workspace);
size_t rb_soft_work_size(const Soft *soft);
void rb_soft_gather(const Soft *soft, const double *x, SoftWork *work);

// soft_contact.c: contact forces, added to work->f. RB_EVAL_RETRY: two molecules are too near.
RbEvalStatus rb_soft_contacts(const Soft *soft, const RbEval *eval, SoftWork *work);
RbPenalty rb_soft_law(const Soft *soft, int a, int b);
void rb_soft_start_contacts(const Soft *soft, SoftWork *work); // no forces yet
RbStatus rb_soft_check_overlap(const Soft *soft, const Vec3 *r, RbArena scratch, RbDiag *diag);

// soft_surface.c: the same for surfaces.
RbEvalStatus rb_soft_surface_contacts(const Soft *soft, const RbEval *eval, SoftWork *work);

// soft_jacobian.c
void rb_soft_make_pattern(Soft *soft, const SoftWork *work);        // from work->pairs
bool rb_soft_pattern_lacks(const Soft *soft, const SoftWork *work); // a pair that touches
void rb_soft_couplings(void *self, RbCouplings *couplings);
RbEvalStatus rb_soft_jacobian(void *self, const RbEval *eval, double *values);

// soft_results.c
void rb_soft_declare_results(const Soft *soft, RbSegment *segment);
void rb_soft_record(void *self, const RbEval *eval, double *results);
double rb_soft_energy(const Soft *soft,
                      const SoftWork *work); // [J] kinetic, elastic, weight, contact

// soft_tear.c: springs that are torn
void rb_soft_keep_torn(Soft *soft);
double rb_soft_find_tear(const Soft *soft, const RbStepView *step, SoftWork *work);
bool rb_soft_tear(Soft *soft, const RbEvent *event, const SoftWork *work);
void rb_soft_save(void *self, RbSaver *saver);
bool rb_soft_restore(void *self, RbLoader *loader);

// soft_draw.c
void rb_soft_paint(Soft *soft, RbSegment *segment); // colours and diameters
void rb_soft_draw(void *self, RbDrawing *drawing);
void rb_soft_show(void *self, const RbEval *eval, RbPicture *picture);
