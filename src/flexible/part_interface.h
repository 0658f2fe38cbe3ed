// SPDX-License-Identifier: MIT
// part_interface.h: the nodes of a part that an interface frame takes hold of: a node set of the mesh, or nodes of its surface that lie in a plane,
// on a cylinder or in a ball.
#pragma once

#include "base/diag.h"
#include "flexible/part.h"

// ORDER Types.InterfaceKind
typedef enum RbInterfaceKind {
    RB_INTERFACE_NODES,
    RB_INTERFACE_PLANE, // through r with normal n; with a radius: not farther than that from r
    RB_INTERFACE_CYLINDER, // of this radius about the axis n through r; with a length: that long, r in the middle
    RB_INTERFACE_BALL, // not farther from r than radius
    RB_INTERFACE_KINDS
} RbInterfaceKind;

typedef struct RbInterface {
    const char *name; // of the frame, for messages
    RbPos at;
    RbInterfaceKind kind;
    const char *nodes;     // name of a node set
    Vec3 r, n;             // [m] in the frame of the mesh; n of any length
    double radius, length; // [m] 0: any
    double tolerance;      // [m] how far nodes may be from a plane or a cylinder; 0: by the size
    bool averaged;         // moves as its nodes do in the mean; otherwise it holds them together
    bool
        stands_at_r; // as the frames of cylinders and balls do; otherwise in the middle of the faces between its nodes
} RbInterface;

// Where the frame stands. [m]
Vec3 rb_interface_place(const RbTetMesh *mesh, const RbInterface *interface,
                        const RbPartFrame *nodes, RbArena scratch);

// Nodes in the order of their numbers. A middle of an edge belongs to it if both ends do.
RbStatus rb_interface_nodes(const RbTetMesh *mesh, const RbInterface *interface, RbArena *keep,
                            RbArena scratch, RbDiag *diag, RbPartFrame *out);
