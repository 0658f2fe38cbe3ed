// SPDX-License-Identifier: MIT
// patch_faces.h: normals that faces fix. Where little is lost by them they take the place of the normal along which two cores press most: one look is enough,
// and flush bodies have no ridge to stand on (docs/theory/contact-patch.md, "Faces").
#pragma once

#include "collide/patch_along.h"

enum { RB_FACES_MAX = 32 };

// That of a face, or the middle of two that nearly look at each other.
typedef struct RbFace {
    RbFixed fixed;
    Vec3 n; // from A to B
    Vec3
        across; // of a middle: the normal of the face of B less that of A, nearly their angle [rad]
    double loss; // at least
} RbFace;

// Those by which little is lost, against the best normal as far as the look knows. If there are more than that the best of them.
typedef struct RbFaces {
    int count, middles; // middles come first
    RbFace face[RB_FACES_MAX];
} RbFaces;

RbFaces rb_faces_near(const RbPatchPair *pair, const RbPatchLook *look);

// The middle of the faces that look most along the normal of the distance, if it is likely that it will do; else that normal.
Vec3 rb_likely_normal(const RbPatchPair *pair);

// Is it that of a face, or of the middle of two?
bool rb_is_face_normal(const RbPatchPair *pair, Vec3 n);

// One of the faces may stand for the best normal altogether, and the look is along it. NULL: none may.
const RbFace *rb_face_settled(const RbFaces *faces, const RbPatchPair *pair,
                              const RbPatchLook *look);

RbAlong rb_along_face(const RbPatchLook *look, const RbPatchPair *pair, const RbFace *face);

// The first one counts alone.
bool rb_face_is_all(const RbAlong *best, const RbFaces *faces, const RbAlong *first);

// Of the best patch and those along faces.
void rb_mix_faces(const RbAlong *best, const RbFaces *faces, const RbAlong along[RB_FACES_MAX],
                  RbPatch *out);
