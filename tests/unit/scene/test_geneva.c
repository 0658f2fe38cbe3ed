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
// N = 2/sqrt(pi) E* V/sqrt(S) = k u^(5/4) and the work up to there is k u^(9/4)/(9/4).
static double stiffness(void) {
    const double modulus = 1e8, height = 0.2;
    return 4 / (3 * sqrt(M_PI)) * modulus * sqrt(2 * height) * pow(pin_diameter, 0.25);
}

static double depth_of_force(double force) {
    return pow(force / stiffness(), 0.8);
}

static double depth_of_impact(double energy) {
    return pow(2.25 * energy / stiffness(), 1 / 2.25);
}

static double inertia_about_axis(const RbScene *s) { // of the wheel, about y
    RbMassProperties m = s->objects.data[rb_scene_find(s, "wheel")].object.mass;
    return m.I_CM.y.y + m.mass * (m.r_CM.x * m.r_CM.x + m.r_CM.z * m.r_CM.z);
}

// In the slot the pin pushes with I alpha/r, and where alpha changes its sign the wheel runs across the
// clearance c before it strikes, with the energy I alpha c/r. While it dwells the wheel swings in its
// play, slower than 0.7 rad/s. Without damping, so that these are bounds.
static double allowed(const Position *p, double drive, int slots, double inertia) {
    double swing = depth_of_impact(0.5 * inertia * 0.7 * 0.7);
    double dwell = dwell_play(slots) * (1 + swing / clearance);
    if (!p->engaged) return dwell;
    double push = inertia * acceleration(drive, slots) / p->reach;
    double deep = depth_of_force(push) + depth_of_impact(push * clearance);
    return fmax(dwell, (clearance / 2 + deep) / p->reach);
}

static void follows(const char *name, int slots, double turns) {
    Stand s;
    stand_open_case(&s, name);
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
        ENSURE(p.engaged || fabs(speed[i]) < 0.7);
        dwelt += !p.engaged;
    }
    ENSURE(dwelt > 30 * turns);
    ENSURE(drive[count - 1] > 4 * M_PI && drive[count - 1] < 2 * M_PI * turns); // the motor yields
    ENSURE(s.summary.allocations == 0);
    stand_close(&s);
}

static void six_slots(void **state) {
    (void)state;
    follows("geneva-6", 6, 2.1);
}

static void three_slots(void **state) {
    (void)state;
    follows("geneva-3", 3, 2.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_slots),
        cmocka_unit_test(three_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
