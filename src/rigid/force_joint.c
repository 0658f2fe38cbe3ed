// SPDX-License-Identifier: MIT
#include "rigid/force_joint.h"

// Force of a stop that is overrun by x at the rate dx, and its entries: what is not elastic is
// dissipated.
static double stop(const RbJointForce *e, double x, double dx, RbLedger *ledger) {
    if (!(x > 0)) return 0;
    double elastic = e->stop_stiffness * x;
    double force = fmax(0, elastic * (1 + e->stop_damping * dx));
    ledger->potential += 0.5 * elastic * x;
    ledger->dissipated += (force - elastic) * dx;
    return force;
}

double rb_force_joint(const RbJointForce *e, const double *q, const double *v, double *tau,
                      RbLedger *ledger) {
    double x = q[e->q], dx = v[e->v];
    double slip = dx - e->rest_speed, damping = rb_characteristic(&e->damper, slip);
    double force = -rb_characteristic(&e->spring, x - e->rest) - damping;
    ledger->potential += rb_characteristic_integral(&e->spring, x - e->rest);
    ledger->dissipated += damping * slip;
    ledger->input -= damping * e->rest_speed;
    if (e->stop_stiffness > 0) {
        force += stop(e, e->lower - x, -dx, ledger);
        force -= stop(e, x - e->upper, dx, ledger);
    }
    double outside = e->given + (e->law ? e->law(e->time, x, dx, e->user) : 0);
    ledger->input += outside * dx;
    force += outside;
    tau[e->v] += force;
    return force;
}
