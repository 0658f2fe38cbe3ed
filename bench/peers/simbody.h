// SPDX-License-Identifier: MIT
// simbody.h: billiard balls in Simbody, for the benchmark only. Linked if Debian's library was
// found.
#ifndef RB_PEER_SIMBODY_H
#define RB_PEER_SIMBODY_H

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_MAX_BALLS = 16, PEER_MAX_PLANES = 4 };

// Contact F = 4/3 E* sqrt(r) depth^1.5 (1 + d depth').
typedef struct PeerContact {
    double modulus; // E* [Pa]
    double damping; // d [s/m]
} PeerContact;

typedef struct PeerBilliards {
    int balls;
    double radius, density;             // [m], [kg/m3]
    double r[PEER_MAX_BALLS][3];        // [m] at the start; the table is z = 0
    double v[PEER_MAX_BALLS][3];        // [m/s]
    int planes;                         // cushions as half spaces
    double plane_r[PEER_MAX_PLANES][3]; // [m] a point of each
    double plane_n[PEER_MAX_PLANES][3]; // unit vector out of it
    PeerContact ball_ball, ball_table, ball_plane;
    double friction, v_small; // ball on table; [m/s]
    double gravity;           // [m/s2] along -z
    double stop_time, accuracy;
} PeerBilliards;

typedef enum PeerIntegrator {
    PEER_MERSON, // Runge-Kutta-Merson, Simbody's usual choice
    PEER_RK3,
    PEER_FEHLBERG,
    PEER_INTEGRATORS
} PeerIntegrator;

typedef struct PeerRun {
    double cpu; // [s] without building the system; negative: failed
    long steps;
    double r[PEER_MAX_BALLS][3]; // [m] at the end
} PeerRun;

const char *peer_integrator_name(PeerIntegrator integrator);
PeerRun peer_billiards(const PeerBilliards *scene, PeerIntegrator integrator);

#ifdef __cplusplus
}
#endif
#endif
