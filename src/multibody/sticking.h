// SPDX-License-Identifier: MIT
// sticking.h: contacts that stick in the running segment, and the states of their bristles (bristle.c, seats.c).
#pragma once

// A contact that sticks: its bristle is three states, world components, behind those of the joints; where it presses over a patch a fourth
// one, of twisting.
typedef struct Bristle {
    int slot;      // RB_NONE: a triple of meshes, in a seat
    double code;   // of the contact in the slot
    int at, count; // its states, from the first of all bristles on
} Bristle;

// Six states for the bristle of two meshes, its slide and its twist: two triples behind all other bristles (seats.c).
typedef struct Seat {
    int group;
    int owner; // pair that has it for good; RB_NONE: whichever of the group needs it
} Seat;

typedef struct Sticking {
    Bristle *bristles;
    int count;
    int states;     // of all of them
    int *list;      // bristles by group
    int *start;     // per group, and one more
    int *of_slot;   // RB_NONE: it has none
    int *row;       // per bristle: first of its states in its group
    int first_seat; // the first of the bristles in seats
    Seat *seats;
    int seat_count;
    int *start_seats; // per pair of solids: where it sits when the segment begins, or RB_NONE
    // From a checkpoint, for the segment that starts next.
    Bristle *restored;
    int restored_count;
    Seat *restored_seats;
    int restored_seat_count;
} Sticking;
