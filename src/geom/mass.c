// SPDX-License-Identifier: MIT
#include "geom/mass.h"

// Rounding in given data: what symmetry and the triangle inequality may be off by, of the largest
// moment.
#define PLAUSIBLE_TOL 1e-6

// I = trace(C) 1 - C, with C the integral of x xᵀ dm.
RbMassProperties rb_mass_of_moments(RbMoments m) {
    Mat3 I = m3_sub(m3_scale(m3_trace(m.second), M3_IDENTITY), m.second);
    return (RbMassProperties){m.volume, m.centroid, I};
}

RbMassProperties rb_mass_scale(RbMassProperties m, double factor) {
    return (RbMassProperties){factor * m.mass, m.r_CM, m3_scale(factor, m.I_CM)};
}

RbMassProperties rb_mass_move(RbMassProperties m, Pose X_AB) {
    return (RbMassProperties){m.mass, pose_point(X_AB, m.r_CM), m3_rotate_tensor(X_AB.R, m.I_CM)};
}

// m (|d|² 1 - d dᵀ)
static Mat3 steiner(double mass, Vec3 d) {
    return m3_scale(mass, m3_sub(m3_scale(v3_norm2(d), M3_IDENTITY), m3_outer(d, d)));
}

RbMassProperties rb_mass_add(RbMassProperties a, RbMassProperties b) {
    double mass = a.mass + b.mass;
    if (b.mass == 0 || mass == 0) return a;
    if (a.mass == 0) return b;
    // With the reduced mass, so that only the distance of the two centres matters and not where
    // they are.
    Vec3 d = v3_sub(b.r_CM, a.r_CM);
    Mat3 I = m3_add(m3_add(a.I_CM, b.I_CM), steiner(a.mass * b.mass / mass, d));
    return (RbMassProperties){mass, v3_axpy(a.r_CM, b.mass / mass, d), I};
}

Mat3 rb_mass_inertia_about(RbMassProperties m, Vec3 point) {
    return m3_add(m.I_CM, steiner(m.mass, v3_sub(m.r_CM, point)));
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

// ---- plausibility ----

static bool finite_all(RbMassProperties m) {
    return isfinite(m.mass) && v3_finite(m.r_CM) && v3_finite(m.I_CM.x) && v3_finite(m.I_CM.y) &&
           v3_finite(m.I_CM.z);
}

static double asymmetry(Mat3 I) {
    return fmax(fabs(I.x.y - I.y.x), fmax(fabs(I.y.z - I.z.y), fabs(I.z.x - I.x.z)));
}

RbStatus rb_mass_check(RbMassProperties m, const char *name, RbPos at, RbDiag *diag) {
    if (!name) name = "body";
    if (!finite_all(m)) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "mass, centre of mass or inertia of '%s' is not finite", name);
    }
    if (!(m.mass > 0)) {
        return rb_fail(diag, RB_ERROR_MODEL, at, "mass of '%s' is %g kg; it must be positive", name,
                       m.mass);
    }
    Vec3 I; // ascending
    Mat3 axes;
    m3_eigen(m.I_CM, &I, &axes);
    double tol = PLAUSIBLE_TOL * fabs(I.z);
    if (asymmetry(m.I_CM) > tol) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "inertia tensor of '%s' is not symmetric (entries differ by %g kg.m2)", name,
                       asymmetry(m.I_CM));
    }
    if (!(I.x > 0)) {
        Vec3 n = m3_column(axes, 0);
        return rb_fail(
            diag, RB_ERROR_MODEL, at,
            "moment of inertia of '%s' about the axis {%.3g, %.3g, %.3g} is %g kg.m2; it "
            "must be positive",
            name, n.x, n.y, n.z, I.x);
    }
    if (I.z > I.x + I.y + tol) {
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "principal moments of inertia of '%s' are %g, %g, %g kg.m2; no body has one "
                       "that exceeds the sum of the others",
                       name, I.x, I.y, I.z);
    }
    return RB_OK;
}
