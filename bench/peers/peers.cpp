// SPDX-License-Identifier: MIT
// FCL (signed distance through libccd), Bullet (GJK and EPA, margin 0, float) and libccd's own MPR.
// Objects are made once, as a user would; the time is that of the query.
#include "peers.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <fcl/fcl.h>
#include <btBulletCollisionCommon.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <vector>

static double seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

static PeerResult time_queries(int count, const double *expected,
                               const std::function<double(int)> &query) {
    PeerResult out = {INFINITY, 0};
    for (int round = 0; round < 5; round++) {
        double start = seconds();
        for (int i = 0; i < count; i++) {
            double d = query(i);
            if (round == 0) out.error = std::fmax(out.error, std::fabs(d - expected[i]));
        }
        out.microseconds = std::fmin(out.microseconds, (seconds() - start) / count * 1e6);
    }
    return out;
}

// --- FCL
// --------------------------------------------------------------------------------------------------------------------

static std::shared_ptr<fcl::CollisionGeometryd> fcl_shape(const PeerShape *s) {
    switch (s->kind) {
        case PEER_SPHERE: return std::make_shared<fcl::Sphered>(s->size[0]);
        case PEER_CAPSULE: return std::make_shared<fcl::Capsuled>(s->size[0], 2 * s->size[1]);
        case PEER_BOX:
            return std::make_shared<fcl::Boxd>(2 * s->size[0], 2 * s->size[1], 2 * s->size[2]);
        case PEER_CYLINDER: return std::make_shared<fcl::Cylinderd>(s->size[0], 2 * s->size[1]);
        case PEER_ELLIPSOID:
            return std::make_shared<fcl::Ellipsoidd>(s->size[0], s->size[1], s->size[2]);
        case PEER_HULL: {
            auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
            auto faces = std::make_shared<std::vector<int>>();
            for (int i = 0; i < s->point_count; i++) {
                vertices->emplace_back(s->points[i][0], s->points[i][1], s->points[i][2]);
            }
            for (int i = 0; i < s->triangle_count; i++) {
                faces->push_back(3);
                for (int k = 0; k < 3; k++) faces->push_back(s->triangles[3 * i + k]);
            }
            return std::make_shared<fcl::Convexd>(vertices, s->triangle_count, faces);
        }
        default: return nullptr;
    }
}

static fcl::Transform3d fcl_pose(const PeerPose &p) {
    fcl::Transform3d X = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        X.translation()[i] = p.r[i];
        for (int j = 0; j < 3; j++) X.linear()(i, j) = p.R[i][j];
    }
    return X;
}

static PeerResult time_fcl(const PeerShape *a, const PeerShape *b, const PeerPose *poses,
                           const double *expected, int count) {
    fcl::CollisionObjectd oa(fcl_shape(a)), ob(fcl_shape(b));
    fcl::DistanceRequestd request;
    request.enable_signed_distance = true;
    request.gjk_solver_type = fcl::GST_LIBCCD;
    return time_queries(count, expected, [&](int i) {
        ob.setTransform(fcl_pose(poses[i]));
        fcl::DistanceResultd result;
        try {
            fcl::distance(&oa, &ob, request, result);
        } catch (const std::exception &) {
            return double(NAN);
        }
        return result.min_distance;
    });
}

// --- Bullet
// -----------------------------------------------------------------------------------------------------------------

static std::unique_ptr<btConvexShape> bullet_shape(const PeerShape *s) {
    std::unique_ptr<btConvexShape> out;
    btVector3 h(btScalar(s->size[0]), btScalar(s->size[1]), btScalar(s->size[2]));
    switch (s->kind) {
        case PEER_SPHERE: return std::make_unique<btSphereShape>(h.x());
        case PEER_CAPSULE: return std::make_unique<btCapsuleShapeZ>(h.x(), 2 * h.y());
        case PEER_BOX: out = std::make_unique<btBoxShape>(h); break;
        case PEER_CYLINDER:
            out = std::make_unique<btCylinderShapeZ>(btVector3(h.x(), h.x(), h.y()));
            break;
        case PEER_HULL: {
            auto hull = std::make_unique<btConvexHullShape>();
            for (int i = 0; i < s->point_count; i++) {
                const double *p = s->points[i];
                hull->addPoint(btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])), false);
            }
            hull->recalcLocalAabb();
            out = std::move(hull);
            break;
        }
        default: return nullptr; // a scaled sphere keeps a margin: not comparable
    }
    out->setMargin(0);
    return out;
}

static btTransform bullet_pose(const PeerPose &p) {
    btMatrix3x3 R;
    for (int i = 0; i < 3; i++)
        R[i].setValue(btScalar(p.R[i][0]), btScalar(p.R[i][1]), btScalar(p.R[i][2]));
    return btTransform(R, btVector3(btScalar(p.r[0]), btScalar(p.r[1]), btScalar(p.r[2])));
}

static PeerResult time_bullet(const PeerShape *a, const PeerShape *b, const PeerPose *poses,
                              const double *expected, int count) {
    auto sa = bullet_shape(a), sb = bullet_shape(b);
    if (!sa || !sb) return {-1, 0};
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    return time_queries(count, expected, [&](int i) {
        btGjkPairDetector detector(sa.get(), sb.get(), &simplex, &depth);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA.setIdentity();
        input.m_transformB = bullet_pose(poses[i]);
        btPointCollector out;
        detector.getClosestPoints(input, out, nullptr);
        return out.m_hasResult ? double(out.m_distance) : double(NAN);
    });
}

// --- libccd
// -----------------------------------------------------------------------------------------------------------------

struct CcdObject {
    const PeerShape *shape;
    PeerPose pose;
};

static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const CcdObject *o = static_cast<const CcdObject *>(object);
    const double *s = o->shape->size;
    double d[3], p[3] = {0, 0, 0};
    for (int j = 0; j < 3; j++) {
        d[j] = 0;
        for (int i = 0; i < 3; i++) d[j] += o->pose.R[i][j] * direction->v[i];
    }
    double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
           radial = std::hypot(d[0], d[1]);
    switch (o->shape->kind) {
        case PEER_SPHERE:
            for (int i = 0; i < 3; i++) p[i] = s[0] * d[i] / length;
            break;
        case PEER_CAPSULE:
            for (int i = 0; i < 3; i++) p[i] = s[0] * d[i] / length;
            p[2] += std::copysign(s[1], d[2]);
            break;
        case PEER_BOX:
            for (int i = 0; i < 3; i++) p[i] = std::copysign(s[i], d[i]);
            break;
        case PEER_CYLINDER:
            if (radial > 0) p[0] = s[0] * d[0] / radial, p[1] = s[0] * d[1] / radial;
            p[2] = std::copysign(s[1], d[2]);
            break;
        case PEER_ELLIPSOID: {
            double h = std::sqrt(s[0] * s[0] * d[0] * d[0] + s[1] * s[1] * d[1] * d[1] +
                                 s[2] * s[2] * d[2] * d[2]);
            for (int i = 0; i < 3; i++) p[i] = s[i] * s[i] * d[i] / h;
            break;
        }
        default: {
            double top = -INFINITY;
            for (int k = 0; k < o->shape->point_count; k++) {
                const double *q = o->shape->points[k];
                double along = q[0] * d[0] + q[1] * d[1] + q[2] * d[2];
                if (along > top) top = along, p[0] = q[0], p[1] = q[1], p[2] = q[2];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        out->v[i] = o->pose.r[i];
        for (int j = 0; j < 3; j++) out->v[i] += o->pose.R[i][j] * p[j];
    }
}

static void ccd_centre(const void *object, ccd_vec3_t *out) {
    const CcdObject *o = static_cast<const CcdObject *>(object);
    for (int i = 0; i < 3; i++) out->v[i] = o->pose.r[i];
}

static PeerResult time_ccd(const PeerShape *a, const PeerShape *b, const PeerPose *poses,
                           const double *expected, int count) {
    PeerPose home = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    CcdObject oa = {a, home}, ob = {b, home};
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 100;
    ccd.mpr_tolerance = 1e-6;
    return time_queries(count, expected, [&](int i) {
        ob.pose = poses[i];
        ccd_real_t depth = 0;
        ccd_vec3_t direction, position;
        int apart = ccdMPRPenetration(&oa, &ob, &ccd, &depth, &direction, &position);
        return apart ? expected[i] : -double(depth); // it knows no distance
    });
}

PeerResult peer_time(Peer peer, const PeerShape *a, const PeerShape *b, const PeerPose *poses,
                     const double *expected, int count) {
    if (a->kind == PEER_NONE || b->kind == PEER_NONE) return {-1, 0};
    switch (peer) {
        case PEER_FCL: return time_fcl(a, b, poses, expected, count);
        case PEER_BULLET: return time_bullet(a, b, poses, expected, count);
        default: return time_ccd(a, b, poses, expected, count);
    }
}
