// SPDX-License-Identifier: MIT
#include "geom/mass.h"

// I = trace(C) 1 - C, with C the integral of x xᵀ dm.
RbMassProperties rb_mass_of_moments(RbMoments m) {
    Mat3 I = m3_sub(m3_scale(m3_trace(m.second), M3_IDENTITY), m.second);
    return (RbMassProperties){m.volume, m.centroid, I};
}

RbMassProperties rb_mass_scale(RbMassProperties m, double factor) {
    return (RbMassProperties){factor * m.mass, m.r_CM, m3_scale(factor, m.I_CM)};
}

// "box 'crate'", "box" without a name
static const char *called(const RbShape *shape, const char *name, RbDiag *diag) {
    const char *kind = rb_shape_kind_name(shape->kind);
    return name ? rb_arena_printf(diag->arena, "%s '%s'", kind, name) : kind;
}

static RbStatus shape_mass(const RbShape *shape, const char *what, double value, const char *unit,
                           const char *name, RbPos at, RbDiag *diag, RbMassProperties *out) {
    if (!(value > 0) || !isfinite(value)) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "%s of %s is %g %s; it must be positive and finite", what,
                       called(shape, name, diag), value, unit);
    }
    *out = rb_mass_of_moments(rb_moments_of_shape(shape));
    if (out->mass > 0 && isfinite(out->mass)) return RB_OK;
    if (!isfinite(out->mass))
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "%s is so large that its volume is not a number; make it smaller",
                       called(shape, name, diag));
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "%s has no volume, so it has no mass; give mass, centre of mass and inertia",
                   called(shape, name, diag));
}

RbStatus rb_mass_from_density(const RbShape *shape, double density, const char *name, RbPos at,
                              RbDiag *diag, RbMassProperties *out) {
    RB_TRY(shape_mass(shape, "density", density, "kg/m3", name, at, diag, out));
    *out = rb_mass_scale(*out, density);
    return RB_OK;
}

RbStatus rb_mass_from_mass(const RbShape *shape, double mass, const char *name, RbPos at,
                           RbDiag *diag, RbMassProperties *out) {
    RB_TRY(shape_mass(shape, "mass", mass, "kg", name, at, diag, out));
    *out = rb_mass_scale(*out, mass / out->mass);
    out->mass = mass;
    return RB_OK;
}
