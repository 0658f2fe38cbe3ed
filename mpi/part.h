// SPDX-License-Identifier: MIT
// part.h: the grains of one process of an engine that divides a cloud among many: its forces, its walls and its steps, as our own
// cloud has them. Which grains these are, which of the neighbours' it sees, which pairs may touch and what these remember
// belong to somebody else (liggghts.cpp), who calls in this order:
//
//     part_predict, part_move   grains and walls to where they are after a step
//     part_pairs, part_walls    forces there
//     part_correct, part_loaded velocities
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Numbers that a pair remembers: spring, spring of turning, how it touches.
enum { PART_MEMORY = 7, PART_SPRINGS = 6 };

// Of the caller: three numbers per grain of x, v, w, f, t; own grains first, then those of neighbours.
typedef struct PartAtoms {
    int own, all;
    double *x, *v, *w, *f, *t;
    const double *radius, *mass;
    const int *type; // material + 1
    double *old;     // per own grain: f and t at the beginning of the step
} PartAtoms;

// Neighbours of own grains; each pair once, or by both processes.
typedef struct PartPairs {
    int count;
    const int *own;        // grains
    const int *neighbours; // per grain: how many
    int **neighbour;       // per grain: which
    int **touches;
    double **memory;
} PartPairs;

// What is remembered of a contact with a wall.
typedef struct PartContact {
    int with, touches;
    double spring[PART_SPRINGS];
} PartContact;

typedef struct Part Part;

// From the message that sets up a cloud (dem/remote.h); NULL: it is none. One part of all has what was summed up before.
Part *part_open(const void *setup, size_t size, bool first);
void part_close(Part *part);

int part_materials(const Part *part);
double part_step(const Part *part);
double part_skin(const Part *part);
double part_largest(const Part *part); // [m] no grain has a larger radius
double part_mean(const Part *part);    // [m] of the radii at the start
void part_extent(const Part *part, double low[3], double high[3]); // [m] of their centres
double part_reach(const Part *part); // [m] how far apart grains may still touch that stick
void part_borders(const Part *part, bool periodic[3], double low[3], double high[3]);
void part_gravity(const Part *part, double g[3]);

// ---- contacts with walls

// What grains remember, into `out` (room for `most` per grain); and back, when grains are others: all own ones with what they remember.
void part_collect(Part *part);
int part_memories(const Part *part, int atom, PartContact *out, int most);
void part_refill(Part *part, const PartAtoms *atoms, const int *counts,
                 const PartContact *contacts);

// ---- a step

int part_halvings(const Part *part);     // wanted
int part_halved(const Part *part);       // at present
bool part_halve(Part *part, int halved); // false: it cannot be short enough
void part_shifted(Part *part); // after forces were computed again for that, which are not used
void part_predict(Part *part, PartAtoms *atoms);
void part_move(Part *part);
// start: no time has passed since the last evaluation.
void part_pairs(Part *part, PartAtoms *atoms, const PartPairs *pairs, bool start);
void part_walls(Part *part, PartAtoms *atoms, bool start);
void part_correct(Part *part, PartAtoms *atoms);
// What all processes need of this one: how long its next step may be, its loads on walls that are carried. Then, with those of all, one
// process after another.
int part_share_size(const Part *part);
void part_get_share(const Part *part, double *share);
void part_loaded(Part *part, const double *shares, int count);

// ---- an interval

// Take the message's order (RbRemoteOrder and what follows it).
bool part_begin(Part *part, const void *order, size_t size);
bool part_is_due(const Part *part); // something is to find the grains where they are now
int64_t part_most(const Part *part);
void part_made(Part *part, int64_t steps, bool too_fast, bool lost);

// Of this process: numbers whose sums and whose largest are those of all.
enum { PART_SUMS = 32, PART_MOST = 6 };
int part_sum_size(const Part *part); // PART_SUMS and those of walls
// height: [m2/s2] of each own grain, as if there were no borders to pass.
void part_sums(Part *part, const PartAtoms *atoms, const double *height, double *sums,
               double most[PART_MOST]);
// The answer: RbRemoteState, bodies and walls. Returns its size, and the bytes.
size_t part_answer(Part *part, const double *sums, const double most[PART_MOST],
                   const unsigned char **bytes);

// ---- changes of the grains

// Energies that came with grains are no error of the balance: before and after, of all processes.
void part_changed(Part *part, const double *before, const double *after, bool start, bool first);

#ifdef __cplusplus
}
#endif
