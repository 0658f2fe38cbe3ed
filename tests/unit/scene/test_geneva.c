// SPDX-License-Identifier: MIT
// label: normal
// Geneva mechanisms: while the pin is in a slot the wheel follows the closed form within the clearance; it
// advances by 1/n of a turn for each turn of the drive, and stays where it is while it dwells.
#include "stand.h"

// Parameters of the scene (scenes/solids.c), wheel radius 1.
static const double clearance = 0.01, pin_diameter = 0.1;

typedef struct Position {
    double wheel; // [rad]
    double reach; // [m] from the axis of the wheel to the pin
    bool engaged;
} Position;

// The wheel for an angle of the drive, without clearance. The pin is on the line of centres at pi.
static Position closed_form(double drive, int slots) {
    double distance = 1 / cos(M_PI / slots), crank = sqrt(distance * distance - 1);
    double turns = floor(drive / (2 * M_PI)), pin = drive - 2 * M_PI * turns - M_PI,
           step = 2 * M_PI / slots;
    if (fabs(pin) >= M_PI / 2 - M_PI / slots)
        return (Position){-step * (turns + (pin > 0)), 0, false};
    double across = crank * sin(pin), along = distance - crank * cos(pin);
    return (Position){-(turns * step + step / 2 + atan2(across, along)), hypot(across, along),
                      true};
}

// Play of the wheel while it dwells: the bite of radius s about the drive's axis may be off by u where
// u sin(angle of its horn) = clearance, and u = distance x play.
static double dwell_play(int slots) {
    double distance = 1 / cos(M_PI / slots), crank = sqrt(distance * distance - 1),
           stop = crank - 1.5 * pin_diameter;
    double cosine = (distance * distance + stop * stop - 1) / (2 * distance * stop);
    return clearance / (distance * sqrt(1 - cosine * cosine));
}

// [rad/s2] The largest acceleration of the wheel while the drive turns from a little before to a little
// after an angle, by differences of the closed form.
static double acceleration(double drive, int slots) {
    const double speed = M_PI, h = 1e-3;
    double most = 0;
    for (double at = drive - 0.1; at < drive + 0.1; at += 0.01) {
        Position a = closed_form(at - h, slots), b = closed_form(at, slots),
                 c = closed_form(at + h, slots);
        if (!a.engaged || !b.engaged || !c.engaged) continue;
        most = fmax(most, fabs(a.wheel - 2 * b.wheel + c.wheel) * speed * speed / (h * h));
    }
    return most;
}

// A pin of radius R that sinks into a wall by u: a patch of height h and width 2 sqrt(2 R u), V = 2/3 u S, so
// N = E* V S/L3 = k u2 and the work up to there is k u3/3.
static const double modulus = 1e8, height = 0.2, length = 0.04;

static double stiffness(void) {
    const double radius = 0.5 * pin_diameter;
    return 16.0 / 3 * modulus * height * height * radius / (length * length * length);
}

static double depth_of_force(double force) {
    return sqrt(force / stiffness());
}

static double depth_of_impact(double energy) {
    return cbrt(3 * energy / stiffness());
}

// A horn of the wheel, an edge of a right angle: V = h u2, and the work up to there is E* V2/(2 L3).
static double depth_of_edge(double energy) {
    double volume = sqrt(2 * energy * length * length * length / modulus);
    return sqrt(volume / height);
}

static double inertia_about_axis(const RbScene *s) { // of the wheel, about y
    RbMassProperties m = s->objects.data[rb_scene_find(s, "wheel")].object.mass;
    return m.I_CM.y.y + m.mass * (m.r_CM.x * m.r_CM.x + m.r_CM.z * m.r_CM.z);
}

// In the slot the pin pushes with I alpha/r, and where alpha changes its sign the wheel runs across the
// clearance c before it strikes, with the energy I alpha c/r. While it dwells the wheel swings in its
// play, slower than 0.7 rad/s. Without damping, so that these are bounds.
static double allowed(const Position *p, double drive, int slots, double inertia) {
    double swing = depth_of_edge(0.5 * inertia * 0.7 * 0.7);
    double dwell = dwell_play(slots) * (1 + swing / clearance);
    if (!p->engaged) return dwell;
    double push = inertia * acceleration(drive, slots) / p->reach;
    double deep = depth_of_force(push) + depth_of_impact(push * clearance);
    return fmax(dwell, (clearance / 2 + deep) / p->reach);
}

// A wheel that stands at the end of its play meets the pin before its axis is in the slot, by no more than the
// radius of the pin.
static bool at_mouth(double drive, int slots) {
    double crank = tan(M_PI / slots), early = 0.5 * pin_diameter / crank;
    return closed_form(drive + early, slots).engaged || closed_form(drive - early, slots).engaged;
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
    double inertia = inertia_about_axis(s.scene);
    for (int i = 0; i < count; i++) {
        Position p = closed_form(drive[i], slots);
        ENSURE_NEAR(wheel[i], p.wheel, allowed(&p, drive[i], slots, inertia));
        ENSURE(p.engaged || at_mouth(drive[i], slots) || fabs(speed[i]) < 0.7);
        dwelt += !p.engaged;
    }
    ENSURE(dwelt > 30 * turns);
    ENSURE(drive[count - 1] > 4 * M_PI && drive[count - 1] < 2 * M_PI * turns); // the motor yields
    ENSURE(s.summary.allocations == 0);
    // Energy: of what the motor has brought in, kinetic energy and what was lost.
    double kinetic = stand_result(&s, "energy.kinetic");
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-3 * kinetic);
    ENSURE(stand_quadrature(&s, "energy.contact_false_work") == 0);
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
