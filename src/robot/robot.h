// SPDX-License-Identifier: MIT
// robot.h: what descriptions of robots have in common: bodies in a tree, joints between them, shapes, motors. Read from URDF, MJCF and SDF (urdf.h, mjcf.h, sdf.h),
// completed (complete.c) and written as a Modelica package (write.h), with a report of every tag (tags.h).
#pragma once

#include "geom/mass.h"
#include "math/pose.h"
#include "io/xml.h"

typedef enum RbRobotJointKind {
    RB_ROBOT_HINGE,
    RB_ROBOT_SLIDE,
    RB_ROBOT_BALL,
    RB_ROBOT_FREE,
    RB_ROBOT_PLANAR,
} RbRobotJointKind;

typedef struct RbRobotJoint {
    const char *name;
    RbRobotJointKind kind;
    Vec3 axis;  // in the frame of the body that it moves; unit
    Vec3 point; // [m] through which the axis goes, in that frame
    bool limited;
    double lower, upper; // [rad, m]
    double damping, friction, stiffness, rest, armature;
    double start; // coordinate when a run starts
    double stop;  // stiffness of the stops (complete.c)
    bool driven;  // by a motor of the description
    bool held;    // it moves no mass (complete.c)
    int body;
    RbXml *from;
} RbRobotJoint;

typedef struct RbRobotGeom {
    const char *name;
    int body;
    RbShape shape;    // checked, unless it is a mesh
    const char *mesh; // path of its file; NULL: shape
    Vec3 scale;       // of the mesh
    Pose pose;        // in the frame of the body
    bool seen, touches;
    double density, mass; // density counts where mass is 0
    RbXml *from;
} RbRobotGeom;

// A body hangs on its parent by joints one after the other; without any it is fixed to it.
typedef struct RbRobotBody {
    const char *name;
    int parent;        // -1: the world
    Pose pose;         // in the frame of the parent while all joints are at zero
    bool has_inertia;  // the file says it
    bool wants_shapes; // without it: from the shapes (of geometry) that count for the mass
    RbMassProperties inertia;
    RbXml *from;
} RbRobotBody;

typedef struct RbRobotMotor {
    const char *name;
    int joint;
    double gear;
    RbXml *from;
} RbRobotMotor;

typedef struct RbRobot {
    const char *name, *file, *format;
    Vec3 gravity;
    bool touches_itself; // all but neighbours in the tree
    RB_ARRAY(RbRobotBody) bodies;
    RB_ARRAY(RbRobotJoint) joints; // of one body in their order
    RB_ARRAY(RbRobotGeom) geoms;
    RB_ARRAY(RbRobotMotor) motors;
    RB_ARRAY(RbXml *) roots; // of all files that were read
} RbRobot;

// A frame turned by roll, pitch, yaw about the fixed axes x, y, z, as URDF and SDF say it.
Quat rb_robot_rpy(const double angles[3]);

// Joints of a body, in their order: the first at or after index `from`; -1: no more.
int rb_robot_joint_of(const RbRobot *robot, int body, int from);

// Is a body (-1: the world) fixed to the world?
bool rb_robot_is_held(const RbRobot *robot, int body);

// Inertias that are missing follow from shapes, joints that would move no mass are held, stops get a stiffness. A parent must stand before its bodies.
RbStatus rb_robot_complete(RbRobot *robot, RbArena *arena, RbArena scratch, RbDiag *diag);

// The file of a mesh as the description names it: file://, package://NAME/... (a folder NAME above the description, or the folder of the package itself), or relative to folder (NULL: to the
// description); its absolute path. A file that does not exist, or that no reader of meshes knows, is NULL, with the reason.
const char *rb_robot_mesh_file(const char *description, const char *folder, const char *name,
                               RbArena *arena, const char **why);
