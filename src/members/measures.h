// SPDX-License-Identifier: MIT
// measures.h: what sensors can measure: of frames, cuts, rods and wheels (signals.c), and of contacts
// (contact.c).
#pragma once

#include "members/members.h"

typedef enum Quantity {
    MEASURE_TRANSLATION,
    MEASURE_ROTATION,
    MEASURE_DISTANCE,
    MEASURE_PRESENT, // 1, or 0 while the part is not there; all others are NaN then
    MEASURE_CUT_FORCE,
    MEASURE_CUT_TORQUE,
    MEASURE_CUT_POWER,
    MEASURE_ROD_FORCE,
    MEASURE_WHEEL_PLACE,
    MEASURE_WHEEL_SPIN,
    MEASURE_WHEEL_FORCE
} Quantity;

typedef struct Measure {
    const char *name;
    RbLevel level;
    Quantity quantity;
    const char *unit;
    int which; // of several numbers
} Measure;

extern const Measure rb_measures[];

const Measure *rb_find_measure(const char *name); // NULL: there is none
int rb_measure_size(const Measure *measure);      // 1 or 3
bool rb_role_measures(int role);                  // Does it measure anything?
// The name of number k of `size` ones that belong together.
const char *rb_measure_name(RbArena *arena, const char *path, const char *name, int size, int k);

typedef struct ContactMeasure {
    const char *name, *unit;
    int size, at; // in the values
} ContactMeasure;

enum { CONTACT_MEASURE_COUNT = 6 };
extern const ContactMeasure rb_contact_measures[CONTACT_MEASURE_COUNT];

const char *rb_contact_measure_name(RbArena *arena, const RbMember *member, int n, int k);
