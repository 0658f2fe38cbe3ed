// SPDX-License-Identifier: MIT
// peers.h: other narrow phases on plain numbers, for the benchmark only. Linked if Debian's
// libraries were found.
#ifndef RB_PEERS_H
#define RB_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PeerKind {
    PEER_NONE,
    PEER_SPHERE,
    PEER_CAPSULE,
    PEER_BOX,
    PEER_CYLINDER,
    PEER_ELLIPSOID,
    PEER_HULL
} PeerKind;

typedef struct PeerShape {
    PeerKind kind;
    double size[3]; // [m] box, ellipsoid: half lengths; sphere: radius; capsule, cylinder: radius,
                    // half length along z
    const double (*points)[3]; // [m] hull
    int point_count;
    const int *triangles; // three vertices each
    int triangle_count;
} PeerShape;

typedef struct PeerPose {
    double r[3], R[3][3]; // rows
} PeerPose;

typedef struct PeerResult {
    double microseconds; // per query, best of five; negative: does not apply
    double error;        // [m] largest difference from the expected distance
} PeerResult;

typedef enum Peer { PEER_FCL, PEER_BULLET, PEER_CCD, PEER_COUNT } Peer;

PeerResult peer_time(Peer peer, const PeerShape *a, const PeerShape *b, const PeerPose *poses,
                     const double *expected, int count);

#ifdef __cplusplus
}
#endif
#endif
