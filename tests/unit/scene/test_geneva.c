// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (cli/test_modelica_examples and scene/test_solids run the same code)
// Geneva mechanisms: the wheel is where the closed form has it, up to the play that the geometry leaves it and how
// deep it can press; it advances by 1/n of a turn for each turn of the drive, and stays where it is while it dwells.
#include "stand.h"

// Parameters of the scene (scenes/solids.c), wheel radius 1. All rounds are polygons of 48 sides.
static const double clearance = 0.01, pin_radius = 0.05, drive_speed = M_PI;
enum { SIDES = 48 };

typedef struct Sizes {
    int slots;
    double distance, crank; // [m] between the axes; of the pin
    double bite, disc;      // [m] radii of what the wheel leaves for the lock, and of that
    double open;            // [rad] how far the relief of the disc reaches on both sides of the pin
    double gap, horn;       // [m], [rad] of the lock: see below
    double inertia;         // [kg m2] of the wheel about its axis
} Sizes;

static Sizes sizes_of(int slots, const RbScene *scene) {
    RbMassProperties m = scene->objects.data[rb_scene_find(scene, "wheel")].object.mass;
    Sizes s = {.slots = slots, .distance = 1 / cos(M_PI / slots), .crank = tan(M_PI / slots)};
    double rim = cos(M_PI / SIDES);
    s.bite = s.crank - 3 * pin_radius;
    s.disc = s.bite - clearance;
    s.open = M_PI / 2 - M_PI / slots;
    s.gap = s.bite - s.disc * rim;
    s.horn =
        acos((s.distance * s.distance + s.bite * s.bite - rim * rim) / (2 * s.distance * s.bite));
    s.inertia = m.I_CM.y.y + m.mass * (m.r_CM.x * m.r_CM.x + m.r_CM.z * m.r_CM.z);
    return s;
}

// ---- without clearance ----

typedef struct Position {
    double pin;   // [rad] of the drive, from the line of centres
    double wheel; // [rad]
    double reach; // [m] from the axis of the wheel to the pin
    bool engaged;
} Position;

// The pin is on the line of centres when the drive is at pi.
static Position closed_form(double drive, const Sizes *s) {
    double turns = floor(drive / (2 * M_PI)), pin = drive - 2 * M_PI * turns - M_PI,
           step = 2 * M_PI / s->slots;
    double across = s->crank * sin(pin), along = s->distance - s->crank * cos(pin),
           reach = hypot(across, along);
    if (fabs(pin) >= s->open) return (Position){pin, -step * (turns + (pin > 0)), reach, false};
    return (Position){pin, -(turns * step + step / 2 + atan2(across, along)), reach, true};
}

// [rad/s2] The largest acceleration of the wheel while the drive turns from a little before to a little
// after an angle, by differences of the closed form.
static double acceleration(double drive, const Sizes *s) {
    const double h = 1e-3, rate = drive_speed / h;
    double most = 0;
    for (double at = drive - 0.1; at < drive + 0.1; at += 0.01) {
        Position a = closed_form(at - h, s), b = closed_form(at, s), c = closed_form(at + h, s);
        if (!a.engaged || !b.engaged || !c.engaged) continue;
        most = fmax(most, fabs(a.wheel - 2 * b.wheel + c.wheel) * rate * rate);
    }
    return most;
}

// ---- how far the wheel can turn until it touches ----

// The bite of the wheel, round about a point at the distance d from its axis, encloses the locking disc. Turned by phi
// the wheel carries the bite d phi sideways, and at the angle theta from the line of centres the gap closes by d phi
// sin(theta). So what holds the wheel one way is the outermost place on that side where bite and disc face each other: the horn, where
// the bite meets the rim; and once the relief of the disc has come there, its edge, which is on the line of centres when the pin enters the
// slot. On that side the lock opens before: gap/(d sin(theta)), theta falling to 0; the same mirrored when the pin has left. Of polygons, the gap is at
// most that between a corner of the bite and a side of the disc, and the horn at least where a rim through the middles of its sides would have it.
static double lock_play(const Sizes *s, double pin, bool opening) {
    double edge = fabs(pin) - s->open;
    if (edge <= 0) return INFINITY;
    return s->gap / (s->distance * sin(opening ? fmin(s->horn, edge) : s->horn));
}

// What the pin leaves: in the slot half the clearance on each side; before, the corners of its mouth, which lie on the
// sides of the rim next to its corner on the slot's axis. With the pin at the distance r from the wheel's axis, the corner at c
// and by the angle a off the slot's axis, they touch where r2 + c2 - 2 r c cos(a - phi) = R2.
typedef struct PinPlay {
    double play;  // [rad] infinite: out of reach
    double lever; // [m] about the wheel's axis, of the force between them
    double push;  // [rad/s] speed of the wheel that a corner in the way of the pin takes on
} PinPlay;

static PinPlay pin_play(const Sizes *s, double r) {
    const double half = pin_radius + clearance / 2;
    double along = 1 - half * tan(M_PI / SIDES), corner = hypot(along, half);
    if (r <= along) return (PinPlay){asin(0.5 * clearance / r), r, 0};
    double cosine = (r * r + corner * corner - pin_radius * pin_radius) / (2 * r * corner);
    if (cosine >= 1) return (PinPlay){INFINITY, 1, 0};
    double apart = acos(cosine), lever = r * corner * sin(apart) / pin_radius;
    double towards =
        (r - corner * cosine) / pin_radius; // of the pin's way, which is the slot's axis
    return (PinPlay){atan2(half, along) - apart, lever, drive_speed * s->crank * towards / lever};
}

// ---- how deep it presses, without damping, so that these are bounds ----

// A pin of radius R that sinks into a wall by u: a patch of height h and width 2 sqrt(2 R u), V = 2/3 u S, so
// N = E* V S/L3 = k u2 and the work up to there is k u3/3.
static const double modulus = 1e8, height = 0.2, length = 0.04;

static double stiffness(void) {
    return 16.0 / 3 * modulus * height * height * pin_radius / (length * length * length);
}

static double depth_of_force(double force) {
    return sqrt(force / stiffness());
}

static double depth_of_impact(double energy) {
    return cbrt(3 * energy / stiffness());
}

// A horn of the wheel or a corner of a mouth, an edge of a right angle: V = h u2, and the work up to there is E* V2/(2 L3).
static double depth_of_edge(double energy) {
    double volume = sqrt(2 * energy * length * length * length / modulus);
    return sqrt(volume / height);
}

// [rad/s] A side of the disc passes along its normal with up to the speed of a corner times sin(pi/48), and a wheel at
// rest that it strikes at the horn leaves with at most twice that.
static double swing_speed(const Sizes *s) {
    return 2 * drive_speed * s->disc * sin(M_PI / SIDES) / (s->distance * sin(s->horn));
}

// [N] of the pin on the wall of the slot: I alpha/r
static double push_of(const Sizes *s, const Position *p, double drive) {
    return s->inertia * acceleration(drive, s) / p->reach;
}

// While it dwells the lock holds it, pressed by its swing; at the mouth of a slot also the pin, as in the slot, and where a corner is in
// its way by the wheel that it pushes aside. `blow` [J] is the energy of that in this turn.
static double dwelling(const Sizes *s, const Position *p, double drive, double off, double *blow) {
    double swing = swing_speed(s), arm = s->distance * sin(s->horn);
    double lock = lock_play(s, p->pin, (off < 0) == (p->pin < 0)) +
                  depth_of_edge(0.5 * s->inertia * swing * swing) / arm;
    PinPlay pin = pin_play(s, p->reach);
    if (fabs(off) > pin.play && pin.push > 0)
        *blow = fmax(*blow, 0.5 * s->inertia * pin.push * pin.push);
    double deep = depth_of_force(push_of(s, p, drive)) + depth_of_edge(*blow);
    return fmin(lock, pin.play + deep / pin.lever);
}

// Where alpha changes its sign the wheel runs across the clearance c before it strikes, with the
// energy I alpha c/r; and a wheel struck at the mouth, by up to twice the speed of its blow, across the first half of the slot.
static double engaged(const Sizes *s, const Position *p, double drive, double blow) {
    double push = push_of(s, p, drive), strike = fmax(push * clearance, p->pin < 0 ? 4 * blow : 0);
    PinPlay pin = pin_play(s, p->reach);
    return pin.play + (depth_of_force(push) + depth_of_impact(strike)) / pin.lever;
}

static void follows(const char *name, int slots, double turns, const char *solver) {
    Stand s;
    stand_open_case(&s, name);
    s.options.solver = solver;
    stand_record(&s, 0.01);
    stand_run(&s, 2 * turns, s.options.tolerance);
    int count, dwelt = 0;
    const double *wheel = stand_series(&s, "output.phi", &count),
                 *drive = stand_series(&s, "input.phi", &count),
                 *speed = stand_series(&s, "output.w", &count);
    Sizes sizes = sizes_of(slots, s.scene);
    double blow = 0;
    for (int i = 0; i < count; i++) {
        Position p = closed_form(drive[i], &sizes);
        double off = wheel[i] - p.wheel;
        if (p.pin > sizes.open) blow = 0;
        double allowed = p.engaged ? engaged(&sizes, &p, drive[i], blow)
                                   : dwelling(&sizes, &p, drive[i], off, &blow);
        ENSURE_NEAR(wheel[i], p.wheel, allowed);
        bool at_mouth = pin_play(&sizes, p.reach).play < 1;
        ENSURE(p.engaged || at_mouth || fabs(speed[i]) < swing_speed(&sizes));
        dwelt += !p.engaged;
    }
    ENSURE(dwelt > 30 * turns);
    ENSURE(drive[count - 1] > 4 * M_PI && drive[count - 1] < 2 * M_PI * turns); // the motor yields
    ENSURE(s.summary.allocations == 0);
    // Energy: of what the motor has brought in, kinetic energy and what was lost.
    double kinetic = stand_result(&s, "energy.kinetic");
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-3 * kinetic);
    ENSURE(stand_result(&s, "energy.contact_false_work") == 0);
    stand_close(&s);
}

static void six_slots(void **state) {
    (void)state;
    follows("geneva-6", 6, 2.1, "cvode");
    follows("geneva-6", 6, 2.1, "islands");
}

static void three_slots(void **state) {
    (void)state;
    follows("geneva-3", 3, 2.1, "cvode");
    follows("geneva-3", 3, 2.1, "islands");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_slots),
        cmocka_unit_test(three_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
