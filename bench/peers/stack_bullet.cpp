// SPDX-License-Identifier: MIT
// A stack of boxes in Bullet 3.24 (single precision, as Debian builds it): sequential impulses, fixed steps.
#include "stack.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {
struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMotionState>> states;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    ~World() {
        for (auto &body : bodies) world.removeRigidBody(body.get());
    }

    btRigidBody *add(const PeerStack &s, double restitution, const btVector3 &half, double mass,
                     double z) {
        shapes.push_back(std::make_unique<btBoxShape>(half));
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shapes.back()->calculateLocalInertia(btScalar(mass), inertia);
        btTransform at(btQuaternion::getIdentity(), btVector3(0, 0, btScalar(z)));
        states.push_back(std::make_unique<btDefaultMotionState>(at));
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), states.back().get(),
                                                      shapes.back().get(), inertia);
        // Bullet multiplies the coefficients of the two bodies.
        info.m_friction = btScalar(std::sqrt(s.friction));
        info.m_restitution = btScalar(std::sqrt(restitution));
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }
};
} // namespace

static void look(const std::vector<btRigidBody *> &boxes, double (*r)[3]) {
    for (size_t i = 0; i < boxes.size(); i++)
        for (int k = 0; k < 3; k++)
            r[i][k] = double(boxes[i]->getCenterOfMassTransform().getOrigin()[k]);
}

PeerStackRun peer_stack_bullet(const PeerStack *s, const PeerBulletSettings *settings) {
    PeerStackRun out = {};
    World w;
    w.world.setGravity(btVector3(0, 0, btScalar(-s->gravity)));
    w.world.getSolverInfo().m_numIterations = settings->iterations;
    w.add(*s, settings->restitution, btVector3(0.5f, 0.5f, 0.05f), 0, -0.05);
    std::vector<btRigidBody *> boxes;
    double h = 0.5 * s->side;
    for (int i = 0; i < s->boxes; i++) {
        double z = (i + 0.5) * s->side + (i + 1) * s->gap;
        boxes.push_back(w.add(*s, settings->restitution,
                              btVector3(btScalar(h), btScalar(h), btScalar(h)), s->mass, z));
        if (!settings->sleeps) boxes.back()->setActivationState(DISABLE_DEACTIVATION);
    }
    long total = std::lround(s->stop_time / settings->step);
    long look_at = std::lround(s->look_time / settings->step);
    double start = peer_seconds();
    for (out.steps = 0; out.steps < total; out.steps++) {
        if (out.steps == look_at) look(boxes, out.at);
        w.world.stepSimulation(btScalar(settings->step), 0);
    }
    out.cpu = peer_seconds() - start;
    look(boxes, out.r);
    return out;
}
