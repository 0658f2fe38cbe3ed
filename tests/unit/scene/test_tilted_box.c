// SPDX-License-Identifier: MIT
// A box dropped tilted on a plane without friction, on an edge, on a corner, and anyhow with spin: against two computations
// that share nothing with the program's contact but its published law (docs/theory/contact-patch.md).
//
// - Stiff: the impulse (1 + e) v_n/(1/m + (r x n) I⁻¹ (r x n)) at the edge or corner, of rigid bodies.
// - Finite stiffness: Newton and Euler's equations by a Runge-Kutta method of fixed step. The box is six tetrahedra,
//   each clipped by the plane; force and torque are differences of U of the clipped part.
#include "stand.h"

static const double pi = 3.14159265358979324;
static const double rho = 8000, E = 2e11, nu = 0.3; // Steel
static const Vec3 lengths = {0.1, 0.14, 0.08};      // [m]

typedef struct Drop {
    const char *name;
    Mat3 R;
    Vec3 v, w; // [m/s], [rad/s] world
    double rounding, e, softer;
} Drop;

static double mass(void) {
    return rho * lengths.x * lengths.y * lengths.z;
}

static Vec3 inertia(void) {
    double m = mass() / 12, x = lengths.x * lengths.x, y = lengths.y * lengths.y,
           z = lengths.z * lengths.z;
    return v3(m * (y + z), m * (x + z), m * (x + y));
}

static Mat3 turned(Vec3 about, double first, double then) {
    return m3_mul(m3_rotation(v3_unit(about), then), m3_rotation(v3(1, 0, 0), first));
}

enum { DROPS = 3 };

static Drop drop(int which, double e, double softer, double rounding) {
    const Drop all[DROPS] = {
        {"edge", m3_rotation(v3(0, 1, 0), 0.3), {0, 0, -1}, {0, 0, 0}, 0, 0, 0},
        {"corner", turned(v3(0, 1, 0), 0.7, 0.5), {0, 0, -1}, {0, 0, 0}, 0, 0, 0},
        {"anyhow, spinning",
         turned(v3(0.3, 1, 0.5), -0.5, 0.9),
         {0.4, -0.3, -1},
         {3, -5, 8},
         0,
         0,
         0},
    };
    Drop d = all[which];
    d.e = e, d.softer = softer, d.rounding = rounding;
    return d;
}

// ---- the box below the plane

static Vec3 half_core(const Drop *d) {
    return v3(0.5 * lengths.x - d->rounding, 0.5 * lengths.y - d->rounding,
              0.5 * lengths.z - d->rounding);
}

// Corner i of the box without its rounding, from the centre.
static Vec3 corner(const Drop *d, Mat3 R, int i) {
    Vec3 h = half_core(d);
    return m3_mul_vec(R, v3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z));
}

// Where something is, from the centre of the box, and how far below the plane.
typedef struct Place {
    double x, y, w;
} Place;

// Moments of the overlap: of 1, w, and of places.
typedef struct Below {
    double V, W, x, y, xx, xy, yy;
    double deepest; // [m]
    Place at;       // of it; the mean of corners that are as deep
} Below;

static void add_tetrahedron(Below *b, double volume, Place p, Place q, Place r, Place s) {
    double x = p.x + q.x + r.x + s.x, y = p.y + q.y + r.y + s.y, w = p.w + q.w + r.w + s.w;
    b->V += volume;
    b->W += 2 * volume * w / 4; // w² over the plane is 2 w over the volume
    b->x += volume * x / 4, b->y += volume * y / 4;
    b->xx += volume / 20 * (p.x * p.x + q.x * q.x + r.x * r.x + s.x * s.x + x * x);
    b->yy += volume / 20 * (p.y * p.y + q.y * q.y + r.y * r.y + s.y * s.y + y * y);
    b->xy += volume / 20 * (p.x * p.y + q.x * q.y + r.x * r.y + s.x * s.y + x * y);
}

// How far from a, below, to b, above, the plane is.
static double part(Place a, Place b) {
    return a.w / (a.w - b.w);
}

static Place on_plane(Place a, Place b) {
    double s = part(a, b);
    return (Place){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), 0};
}

static void clip_tetrahedron(Below *out, double volume, Place p[4]) {
    for (int i = 1; i < 4; i++) {
        for (int k = i; k > 0 && p[k].w > p[k - 1].w; k--) {
            Place t = p[k];
            p[k] = p[k - 1], p[k - 1] = t;
        }
    }
    Place a = p[0], b = p[1], c = p[2], d = p[3];
    if (!(a.w > 0)) return;
    if (d.w >= 0) {
        add_tetrahedron(out, volume, a, b, c, d);
    } else if (c.w > 0) { // a, b, c and what is cut off their edges to d
        double s = part(a, d), t = part(b, d), u = part(c, d);
        Place A = on_plane(a, d), B = on_plane(b, d), C = on_plane(c, d);
        add_tetrahedron(out, volume * s, a, b, c, A);
        add_tetrahedron(out, volume * (1 - s) * t, A, b, c, B);
        add_tetrahedron(out, volume * (1 - s) * (1 - t) * u, A, B, c, C);
    } else if (b.w > 0) { // a wedge
        double ac = part(a, c), ad = part(a, d), bc = part(b, c), bd = part(b, d);
        Place A = on_plane(a, c), D = on_plane(a, d), B = on_plane(b, c), F = on_plane(b, d);
        add_tetrahedron(out, volume * ac * ad, a, A, D, b);
        add_tetrahedron(out, volume * (1 - ac) * ad * bc, A, D, b, B);
        add_tetrahedron(out, volume * (1 - ad) * bc * bd, D, b, B, F);
    } else {
        double s = part(a, b), t = part(a, c), u = part(a, d);
        add_tetrahedron(out, volume * s * t * u, a, on_plane(a, b), on_plane(a, c), on_plane(a, d));
    }
}

// Of a box with these corners; the six tetrahedra share the diagonal from corner 0 to 7.
static Below below(const Drop *d, const Place corners[8]) {
    static const int ways[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    Vec3 h = half_core(d);
    Below b = {.deepest = -INFINITY};
    for (int k = 0; k < 6; k++) {
        Place p[4] = {corners[0], corners[ways[k][0]], corners[ways[k][1]], corners[7]};
        clip_tetrahedron(&b, 8 * h.x * h.y * h.z / 6, p);
    }
    for (int i = 0; i < 8; i++) b.deepest = fmax(b.deepest, corners[i].w);
    int count = 0;
    for (int i = 0; i < 8; i++) {
        if (corners[i].w < b.deepest - 1e-12) continue;
        b.at.x += corners[i].x, b.at.y += corners[i].y, count++;
    }
    b.at.x /= count, b.at.y /= count, b.at.w = b.deepest;
    return b;
}

static double modulus(const Drop *d) {
    return E / d->softer / (2 * (1 - nu * nu));
}

// U = C W^1.5/V of the core, and Hertz's of the rounded corner.
static double of_core(const Drop *d, const Below *b) {
    double C = 8.0 / 15 * pow(1.5, 1.5) / sqrt(pi) * modulus(d);
    return b->V > 0 ? C * pow(b->W, 1.5) / b->V : 0;
}

static double of_spot(const Drop *d, const Below *b) {
    return 8.0 / 15 * modulus(d) * sqrt(d->rounding) * pow(b->deepest, 2.5);
}

// The larger one, where they are alike more.
static double potential(const Drop *d, const Below *b) {
    if (!(b->deepest > 0)) return 0;
    double core = of_core(d, b), spot = of_spot(d, b), most = fmax(core, spot);
    return most * pow(pow(core / most, 16) + pow(spot / most, 16), 1.0 / 16);
}

// ---- its motion

typedef struct Box {
    Vec3 r, v, L; // place, velocity, angular momentum
    Mat3 R;
} Box;

typedef struct Damping {
    double a;
    double m; // effective mass at the first touch
} Damping;

static void corners_of(const Drop *d, const Box *x, Place out[8]) {
    for (int i = 0; i < 8; i++) {
        Vec3 c = corner(d, x->R, i);
        out[i] = (Place){c.x, c.y, d->rounding - (x->r.z + c.z)};
    }
}

static Vec3 spin(const Box *x) {
    Vec3 I = inertia(), l = m3_tmul_vec(x->R, x->L);
    return m3_mul_vec(x->R, v3(l.x / I.x, l.y / I.y, l.z / I.z));
}

// Rises (k = 0) or turns about x (1) or y (2) through the centre: U after a small way.
static double moved(const Drop *d, const Place at[8], int k, double way) {
    Place p[8];
    for (int i = 0; i < 8; i++) {
        p[i] = at[i];
        p[i].w -= way * (k == 0 ? 1 : k == 1 ? at[i].y : -at[i].x);
    }
    Below b = below(d, p);
    return potential(d, &b);
}

// Force along z, torques about x and y through the centre.
static void push(const Drop *d, const Damping *damping, const Box *x, double out[3]) {
    Place at[8];
    corners_of(d, x, at);
    Below b = below(d, at);
    out[0] = out[1] = out[2] = 0;
    if (!(b.deepest > 0)) return;
    for (int k = 0; k < 3; k++) {
        double h = 0.01 * b.deepest / (k ? 0.1 : 1);
        out[k] = -(8 * (moved(d, at, k, h) - moved(d, at, k, -h)) -
                   (moved(d, at, k, 2 * h) - moved(d, at, k, -2 * h))) /
                 (12 * h);
    }
    if (damping->a == 0) return;
    // Means over the patch, weighed with w; where the spot counts, with sixteenth powers.
    double core = 1, spot = pow(of_spot(d, &b) / of_core(d, &b), 16), all = spot + core;
    double X = (core * b.x / b.V + spot * b.at.x) / all,
           Y = (core * b.y / b.V + spot * b.at.y) / all;
    double XX = (core * b.xx / b.V + spot * b.at.x * b.at.x) / all;
    double YY = (core * b.yy / b.V + spot * b.at.y * b.at.y) / all;
    double XY = (core * b.xy / b.V + spot * b.at.x * b.at.y) / all;
    Vec3 w = spin(x);
    double v = x->v.z, rate = -(v + w.x * Y - w.y * X), rate_x = -(v * X + w.x * XY - w.y * XX),
           rate_y = -(v * Y + w.x * YY - w.y * XY),
           square = -(v * rate + w.x * rate_y - w.y * rate_x);
    double blow = sqrt(square + 2 * potential(d, &b) / damping->m),
           scale = out[0] * damping->a / blow;
    if (scale * rate < -out[0]) scale = -out[0] / rate;
    out[0] += scale * rate, out[1] += scale * rate_y, out[2] -= scale * rate_x;
}

static Box slope(const Drop *d, const Damping *damping, const Box *x) {
    double f[3];
    push(d, damping, x, f);
    return (Box){x->v, v3(0, 0, f[0] / mass()), v3(f[1], f[2], 0), m3_mul(m3_skew(spin(x)), x->R)};
}

static Box ahead(const Box *x, double h, const Box *s) {
    return (Box){v3_axpy(x->r, h, s->r), v3_axpy(x->v, h, s->v), v3_axpy(x->L, h, s->L),
                 m3_add(x->R, m3_scale(h, s->R))};
}

static Box runge_kutta(const Drop *d, const Damping *damping, const Box *x, double h) {
    Box k1 = slope(d, damping, x), y = ahead(x, 0.5 * h, &k1);
    Box k2 = slope(d, damping, &y);
    y = ahead(x, 0.5 * h, &k2);
    Box k3 = slope(d, damping, &y);
    y = ahead(x, h, &k3);
    Box k4 = slope(d, damping, &y), out = ahead(x, h / 6, &k1);
    out = ahead(&out, h / 3, &k2), out = ahead(&out, h / 3, &k3);
    return ahead(&out, h / 6, &k4);
}

static Below below_of(const Drop *d, const Box *x) {
    Place at[8];
    corners_of(d, x, at);
    return below(d, at);
}

static Box start(const Drop *d) {
    Vec3 I = inertia(), w = m3_tmul_vec(d->R, d->w);
    Box x = {V3_ZERO, d->v, m3_mul_vec(d->R, v3(I.x * w.x, I.y * w.y, I.z * w.z)), d->R};
    x.r.z = below_of(d, &x).deepest + 1e-6 * pow(d->softer, 0.4); // above the plane, as depths are
    return x;
}

// 1/m along the normal at a place of the box.
static double yields(Mat3 R, Place p) {
    Vec3 I = inertia(), arm = m3_tmul_vec(R, v3(p.y, -p.x, 0)); // p x n
    return 1 / mass() + arm.x * arm.x / I.x + arm.y * arm.y / I.y + arm.z * arm.z / I.z;
}

// e from a by (2.2) of docs/theory/contact-law.md: Simpson's rule up to where the force vanishes, from where on dE/E = -2 dc/c.
static double returned(double a) {
    int n = 2000;
    double from = -1 / fmax(1, a), h = (1 - from) / n, sum = 0;
    for (int i = 0; i <= n; i++) {
        double c = from + i * h, f = 2 * c * a * c / (1 + a * c * (1 - c * c));
        sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * f;
    }
    return exp(-0.5 * sum * h / 3) / fmax(1, a);
}

static double coefficient(double e) {
    if (e == 1) return 0;
    double low = 0, high = 2;
    while (high - low > 1e-12) {
        double middle = 0.5 * (low + high);
        if (returned(middle) > e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// [s] until the deepest corner of a box that is free reaches the plane
static double until_touch(const Drop *d, const Box *x) {
    Below b = below_of(d, x);
    Vec3 w = spin(x);
    return b.deepest / (x->v.z + w.x * b.at.y - w.y * b.at.x);
}

// The contact point of docs/theory/contact-region.md (2): the middle of the overlap if it were as deep as the reach.
static Place contact_point(const Drop *d, const Box *x) {
    Box pressed = *x;
    pressed.r.z += below_of(d, x).deepest - 0.1 * d->rounding;
    Below b = below_of(d, &pressed);
    return (Place){b.x / b.V, b.y / b.V, 0};
}

static Damping damping_of(const Drop *d) {
    Box x = start(d);
    Damping none = {0, 1};
    x = runge_kutta(d, &none, &x, until_touch(d, &x));
    return (Damping){coefficient(d->e), 1 / yields(x.R, contact_point(d, &x))};
}

typedef struct Bounce {
    Box box;             // at the end
    double starts, ends; // [s]
    double deepest;      // [m]
} Bounce;

static Bounce bounce(const Drop *d, double end, int steps) {
    Damping damping = damping_of(d);
    Bounce out = {.box = start(d), .starts = -1, .ends = -1};
    double h = end / steps;
    bool touched = false;
    for (int i = 0; i < steps; i++) {
        Box before = out.box;
        out.box = runge_kutta(d, &damping, &before, h);
        double depth = below_of(d, &out.box).deepest;
        out.deepest = fmax(out.deepest, depth);
        if (!touched && depth > 0 && out.starts < 0) out.starts = i * h + until_touch(d, &before);
        if (touched && depth <= 0 && out.ends < 0)
            out.ends = (i + 1) * h + until_touch(d, &out.box);
        touched = depth > 0;
    }
    return out;
}

// ---- the program's

static Bounce simulate(const Drop *d, double end, double tolerance) {
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    for (int i = 0; i < s.scene->materials.solids.count; i++) {
        RbSolidMaterial *m = &s.scene->materials.solids.data[i];
        if (strcmp(m->name, "Steel") == 0) m->elastic.youngs_modulus = E / d->softer;
    }
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = d->e, law->mu_k = 0, law->mu_r = 0;
    RbSceneObject plate = rb_solid("plate", rb_shape_box(v3(1, 1, 0.1)), "Steel");
    plate.object.pose.r = v3(0, 0, -0.05);
    rb_scene_add(s.scene, plate);
    RbShape shape = rb_shape_box(lengths);
    shape.smoothing = d->rounding;
    int box = rb_scene_add_free(s.scene, "box", shape, "Steel", start(d).r, d->v, d->w);
    s.scene->objects.data[box].object.pose.R = d->R;
    stand_run(&s, end, tolerance);
    assert_int_equal(s.contact_count, 2);
    Box now = {.r = stand_vector(&s, "box", "r"),
               .v = stand_vector(&s, "box", "v"),
               .R = q_matrix(q_unit(stand_quat(&s, "box")))};
    Bounce out = {.box = now, .starts = s.contacts[0].time, .ends = s.contacts[1].time};
    Vec3 I = inertia(), w = m3_tmul_vec(out.box.R, stand_vector(&s, "box", "w"));
    out.box.L = m3_mul_vec(out.box.R, v3(I.x * w.x, I.y * w.y, I.z * w.z));
    stand_close(&s);
    return out;
}

// ---- comparisons

typedef struct Off {
    double v, w, r, R, lasts;
} Off;

static double turn(Mat3 a, Mat3 b) {
    Mat3 d = m3_sub(a, b);
    return sqrt(0.5 * (v3_norm2(d.x) + v3_norm2(d.y) + v3_norm2(d.z)));
}

// Speeds over that of the blow (spins as speeds of the longest half), path over the depth, duration over the duration.
static Off off(const Bounce *a, const Bounce *b) {
    double half = 0.5 * v3_norm(lengths), lasts = b->ends - b->starts;
    return (Off){
        v3_norm(v3_sub(a->box.v, b->box.v)), half * v3_norm(v3_sub(spin(&a->box), spin(&b->box))),
        v3_norm(v3_sub(a->box.r, b->box.r)) / b->deepest,
        half * turn(a->box.R, b->box.R) / b->deepest, fabs((a->ends - a->starts) / lasts - 1)};
}

static double largest(Off o) {
    return fmax(fmax(fmax(o.v, o.w), fmax(o.r, o.R)), o.lasts);
}

// Roughly, to know when it is free again and how deep it was.
static Bounce rough(const Drop *d) {
    Bounce b = bounce(d, 10e-3 * pow(d->softer / 32, 0.4), 300);
    ENSURE(b.ends > 0);
    return b;
}

// Velocities, pose and duration of the contact: as good as both methods are.
static void own_integration(void **state) {
    (void)state;
    double worst[3] = {0};
    for (int k = 0; k < 4 * DROPS; k++) {
        Drop d = drop(k % DROPS, k / DROPS % 2 ? 0.5 : 1, 32, k / DROPS / 2 ? 1e-5 : 1e-3);
        double end = 1.02 * rough(&d).ends;
        Bounce coarse = bounce(&d, end, 600), own = bounce(&d, end, 1200);
        double own_error = largest(off(&coarse, &own));
        print_message("%s, e = %g, rounding %g m: %.3g m deep, %.4g s; own error %.1e\n", d.name,
                      d.e, d.rounding, own.deepest, own.ends - own.starts, own_error);
        ENSURE(own_error < 2e-7);
        for (int i = 0; i < 3; i++) {
            double tolerance = pow(10, -6 - 2 * i);
            Bounce got = simulate(&d, end, tolerance);
            Off o = off(&got, &own);
            print_message("    %.0e: v %.1e, w %.1e, r %.1e, R %.1e, duration %.1e\n", tolerance,
                          o.v, o.w, o.r, o.R, o.lasts);
            ENSURE(largest(o) < 100 * tolerance + own_error);
            worst[i] = fmax(worst[i], largest(o));
        }
    }
    print_message("worst %.1e at 1e-6, %.1e at 1e-8, %.1e at 1e-10\n", worst[0], worst[1],
                  worst[2]);
    ENSURE(worst[1] < 0.1 * worst[0] && worst[2] < 0.1 * worst[1]);
}

// The law knows the effective mass at its contact point, a part of the rounding beside the corner. If that is `share` of the one at the
// corner, a blow returns with this. With q the rate of the depth and y² = 2 U/m, time measured so that dy = q:
//     y' = q,  q' = -share y max(0, 1 + a q/sqrt(q² + y²)),  from q = 1, y = 0 until y = 0.
static double delivered(double a, double share) {
    double q = 1, y = 0, h = 1e-3;
    while (y >= 0) {
        double dq[4], dy[4], qk = q, yk = y;
        for (int k = 0; k < 4; k++) {
            dy[k] = qk, dq[k] = -share * yk * fmax(0, 1 + a * qk / hypot(qk, yk));
            double way = k < 2 ? 0.5 * h : h;
            qk = q + way * dq[k], yk = y + way * dy[k];
        }
        q += h / 6 * (dq[0] + 2 * dq[1] + 2 * dq[2] + dq[3]);
        y += h / 6 * (dy[0] + 2 * dy[1] + 2 * dy[2] + dy[3]);
    }
    return -q; // near y = 0 it is steady
}

// What rigid bodies do, v and w after the blow; answers with which restitution.
static double rigid_blow(const Drop *d, Vec3 *v, Vec3 *w) {
    Box x = start(d);
    Place p = below_of(d, &x).at;
    double yield = yields(d->R, p);
    double e =
        d->e == 1 ? 1 : delivered(coefficient(d->e), yield / yields(d->R, contact_point(d, &x)));
    double closing = -(d->v.z + d->w.x * p.y - d->w.y * p.x), J = (1 + e) * closing / yield;
    x.v.z += J / mass();
    x.L = v3_add(x.L, v3(p.y * J, -p.x * J, 0));
    *v = x.v, *w = spin(&x);
    return e;
}

// (4 fine - coarse)/3: what a part that falls to a fourth leaves.
static Vec3 limit_of(Vec3 coarse, Vec3 fine) {
    return v3_scale(1.0 / 3, v3_sub(v3_scale(4, fine), coarse));
}

// With a modulus 32 times as large depth, duration and patch are a fourth (U ~ E depth^2.5 for an edge and for a rounded corner). While it
// touches, a corner moves by some 3 depths and its pressure lies within one or so: the arm of the force changes by 4 depths, s of the
// shortest half. So velocities are off by the order of s, and what is left of that when it is extrapolated to a rigid box by that of s².
static void stiff_limit(void **state) {
    (void)state;
    const double tolerance = 1e-9, half = 0.5 * v3_norm(lengths);
    for (int k = 0; k < 2 * DROPS; k++) {
        Vec3 v_rest[3], w_rest[3];
        double rest[3], s[3], e = 0;
        Drop d = {0};
        for (int i = 0; i < 3; i++) {
            d = drop(k % DROPS, k / DROPS ? 0.5 : 1, pow(32, -i), 1e-3);
            Vec3 v, w;
            e = rigid_blow(&d, &v, &w);
            Bounce own = rough(&d), got = simulate(&d, 1.02 * own.ends, tolerance);
            v_rest[i] = v3_sub(got.box.v, v), w_rest[i] = v3_scale(half, v3_sub(spin(&got.box), w));
            rest[i] = hypot(v3_norm(v_rest[i]), v3_norm(w_rest[i]));
            s[i] = 4 * own.deepest / (0.5 * lengths.z);
            ENSURE(rest[i] < 2 * s[i]);
        }
        double limit =
            hypot(v3_norm(limit_of(v_rest[1], v_rest[2])), v3_norm(limit_of(w_rest[1], w_rest[2])));
        print_message("%s, e = %g (%.5f): off by %.2e, %.2e, %.2e m/s; in the limit %.1e of %.1e\n",
                      d.name, d.e, e, rest[0], rest[1], rest[2], limit, s[1] * s[1]);
        ENSURE_NEAR(e / d.e, 1, 0.01);
        ENSURE(rest[2] < 0.3 * rest[1]);
        ENSURE(limit < s[1] * s[1] + 100 * tolerance);
    }
    ENSURE_NEAR(delivered(coefficient(0.5), 1), 0.5, 1e-6);
}

// Closed forms of the clipped box: a corner, an edge, a face.
static void clipped(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        Drop d = drop(k == 2 ? 0 : k, 1, 1, 1e-3);
        if (k == 2) d.R = M3_IDENTITY;
        double t = 1e-4;
        Box x = start(&d);
        x.r.z += below_of(&d, &x).deepest - t;
        Below b = below_of(&d, &x);
        Vec3 n = d.R.z, h = half_core(&d);
        double A = 4 * h.x * h.y, nnn = fabs(n.x * n.y * n.z), slopes = fabs(n.x * n.z);
        double V = k == 2 ? A * t : k ? t * t * t / (6 * nnn) : 2 * h.y * t * t / (2 * slopes);
        double W = k == 2 ? A * t * t
                   : k    ? t * t * t * t / (12 * nnn)
                          : 2 * h.y * t * t * t / (3 * slopes);
        ENSURE_NEAR(b.V / V, 1, 1e-10);
        ENSURE_NEAR(b.W / W, 1, 1e-10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clipped),
        cmocka_unit_test(own_integration),
        cmocka_unit_test(stiff_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
