// SPDX-License-Identifier: MIT
// sensor.h: motion of an object as seen from an origin, by an observer that may move and turn, in
// the axes of a third frame.
//
// Split by level like the kinematics, so that a sensor of positions that feeds a force makes no
// loop through accelerations.
#pragma once

#include "rigid/kinematics.h"

typedef struct RbSensor {
    RbFrame object;   // what is measured
    RbFrame origin;   // from where
    RbFrame axes;     // components
    RbFrame observer; // whose rotation is not noticed: derivatives are taken in this frame
} RbSensor;

typedef struct RbSensorPositions {
    Vec3 translation; // [m]
    Vec3 rotation;    // [rad] Cardan angles x, y, z from origin to object
    double distance;  // [m]
} RbSensorPositions;

typedef struct RbSensorVelocities {
    Vec3 velocity;         // [m/s]
    Vec3 angular_velocity; // [rad/s] of the object relative to the origin
    double distance_rate;  // [m/s]
} RbSensorVelocities;

typedef struct RbSensorAccelerations {
    Vec3 acceleration;            // [m/s2]
    Vec3 angular_acceleration;    // [rad/s2]
    double distance_acceleration; // [m/s2]
} RbSensorAccelerations;

RbSensorPositions rb_sensor_positions(const RbSensor *sensor, const RbKin *kin);
RbSensorVelocities rb_sensor_velocities(const RbSensor *sensor, const RbKin *kin);
RbSensorAccelerations rb_sensor_accelerations(const RbSensor *sensor, const RbKin *kin);
