// SPDX-License-Identifier: MIT
// Billiard balls in Simbody 3.7: Hunt-Crossley contact of spheres and half spaces, one of its
// integrators with error control. Its implicit one, CPodes, is not among them: in Debian's package
// it stops at an assertion of its own in the first step.
#include "simbody.h"

#include <SimTKsimbody.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

using namespace SimTK;

static double seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Simbody combines moduli as E = E1 (E2^(2/3) / (E1^(2/3) + E2^(2/3)))^(3/2), that is E^(-2/3) =
// E1^(-2/3) + E2^(-2/3). What the other side must have so that E comes out:
static double partner(double modulus, double E1) {
    return std::pow(std::pow(modulus, -2.0 / 3) - std::pow(E1, -2.0 / 3), -1.5);
}

// Share of the second side in the dissipation, c = c1 s1 + c2 (1 - s1).
static double second_share(double E1, double E2) {
    double a = std::pow(E1, 2.0 / 3), b = std::pow(E2, 2.0 / 3);
    return a / (a + b);
}

// A half space fills x > 0 of its frame.
static Transform half_space(const Vec3 &r, const Vec3 &n) {
    return Transform(Rotation(UnitVec3(-n), XAxis), r);
}

static Vec3 vec(const double *x) {
    return Vec3(x[0], x[1], x[2]);
}

namespace {
struct Table {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    GeneralContactSubsystem contacts{system};
    Force::UniformGravity gravity;
    std::vector<MobilizedBody::Free> balls;

    explicit Table(const PeerBilliards &s) : gravity(forces, matter, Vec3(0, 0, -s.gravity)) {
        double mass = s.density * 4 / 3 * Pi * std::pow(s.radius, 3);
        Body::Rigid body(MassProperties(mass, Vec3(0), UnitInertia::sphere(s.radius) * mass));
        for (int i = 0; i < s.balls; i++)
            balls.emplace_back(matter.Ground(), Transform(), body, Transform());
        // Balls among themselves and with the cushions: no friction. Simbody's friction belongs to
        // a body, so the table, which has friction, gets a contact set for each ball.
        double E_ball = std::pow(2, 1.5) * s.ball_ball.modulus; // two of them combine to E*
        add_frictionless(s, E_ball);
        for (auto &ball : balls) add_on_table(s, ball, E_ball);
    }

    void add_frictionless(const PeerBilliards &s, double E_ball) {
        ContactSetIndex set = contacts.createContactSet();
        HuntCrossleyForce force(forces, contacts, set);
        int surface = 0;
        for (auto &ball : balls) {
            contacts.addBody(set, ball, ContactGeometry::Sphere(s.radius), Transform());
            force.setBodyParameters(ContactSurfaceIndex(surface++), E_ball,
                                    s.ball_ball.damping / 1.5, 0, 0, 0);
        }
        double E = partner(s.ball_plane.modulus, E_ball);
        double c = s.ball_plane.damping / (1.5 * second_share(E_ball, E));
        for (int i = 0; i < s.planes; i++) {
            contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                             half_space(vec(s.plane_r[i]), vec(s.plane_n[i])));
            force.setBodyParameters(ContactSurfaceIndex(surface++), E, c, 0, 0, 0);
        }
    }

    void add_on_table(const PeerBilliards &s, MobilizedBody::Free &ball, double E_ball) {
        ContactSetIndex set = contacts.createContactSet();
        HuntCrossleyForce force(forces, contacts, set);
        force.setTransitionVelocity(s.v_small);
        double E = partner(s.ball_table.modulus, E_ball);
        double c = s.ball_table.damping / (1.5 * second_share(E_ball, E));
        contacts.addBody(set, ball, ContactGeometry::Sphere(s.radius), Transform());
        force.setBodyParameters(ContactSurfaceIndex(0), E_ball, 0, s.friction, s.friction, 0);
        contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                         half_space(Vec3(0), Vec3(0, 0, 1)));
        force.setBodyParameters(ContactSurfaceIndex(1), E, c, s.friction, s.friction, 0);
    }

    State start(const PeerBilliards &s) {
        State state = system.realizeTopology();
        for (int i = 0; i < s.balls; i++) {
            balls[size_t(i)].setQToFitTranslation(state, vec(s.r[i]));
            balls[size_t(i)].setUToFitLinearVelocity(state, vec(s.v[i]));
        }
        return state;
    }
};
} // namespace

static std::unique_ptr<Integrator> make(PeerIntegrator kind, const System &system) {
    switch (kind) {
        case PEER_RK3: return std::make_unique<RungeKutta3Integrator>(system);
        case PEER_FEHLBERG: return std::make_unique<RungeKuttaFeldbergIntegrator>(system);
        default: return std::make_unique<RungeKuttaMersonIntegrator>(system);
    }
}

const char *peer_integrator_name(PeerIntegrator integrator) {
    static const char *const names[] = {"Runge-Kutta-Merson", "Runge-Kutta 3",
                                        "Runge-Kutta-Fehlberg"};
    return names[integrator];
}

PeerRun peer_billiards(const PeerBilliards *s, PeerIntegrator kind) {
    PeerRun out = {-1, 0, {{0}}};
    try {
        Table table(*s);
        State state = table.start(*s);
        std::unique_ptr<Integrator> integrator = make(kind, table.system);
        integrator->setAccuracy(s->accuracy);
        TimeStepper stepper(table.system, *integrator);
        double start = seconds();
        stepper.initialize(state);
        stepper.stepTo(s->stop_time);
        out.cpu = seconds() - start;
        out.steps = integrator->getNumStepsTaken();
        for (int i = 0; i < s->balls; i++) {
            Vec3 r = table.balls[size_t(i)].getBodyOriginLocation(integrator->getState());
            for (int k = 0; k < 3; k++) out.r[i][k] = r[k];
        }
    } catch (const std::exception &e) {
        std::fprintf(stderr, "Simbody: %s\n", e.what());
    }
    return out;
}
