// SPDX-License-Identifier: MIT
// cloud_parts.h: what the files of a cloud share.
#pragma once

#include "dem/cloud_law.h"

// Some grains are moved by others: members of clumps, puppets.
static inline bool rb_cloud_has_others(const RbCloud *cloud) {
    return cloud->bodies.count > 0 || cloud->puppet_count > 0;
}

// ---- cloud.c

void rb_cloud_reserve_work(RbCloud *cloud);

// ---- cloud_list.c

// Order the grains and list the pairs that may touch before somebody has moved by half a skin.
void rb_cloud_make_list(RbCloud *cloud);

// What the pairs of the list remember, by identities; and give up the list.
void rb_cloud_collect_memories(RbCloud *cloud);
void rb_cloud_remember(RbCloud *cloud);

// ---- cloud_step.c

// Make the list and evaluate the forces where everything is, without a step.
void rb_cloud_evaluate(RbCloud *cloud);

// [s] How long the next step may be; how often the longest step is to be halved for it; and do so, the springs of contacts apart.
double rb_cloud_longest_step(const RbCloud *cloud);
int rb_cloud_halvings(const RbCloud *cloud, double longest);
void rb_cloud_halve(RbCloud *cloud, int halved);
// The time of the next step.
void rb_cloud_count_step(RbCloud *cloud);
// Half of a step of what goes on at the walls: as it is before the step, and after it. The energies that a step has taken.
void rb_cloud_sum_walls(RbCloud *cloud);
void rb_cloud_account(RbCloud *cloud);

// ---- cloud_contacts.c

// At the end of a step: is there a contact for cloud->deep, or lodged?
void rb_cloud_find_deep(RbCloud *cloud);

// ---- cloud_bodies.c: clumps

// After grains were put into another order, or some were added: which grains belong to which clump.
void rb_cloud_index_bodies(RbCloud *cloud);

// Two halves of a step. In between, when f1 and t1 of the grains are known: what acts on clumps.
void rb_cloud_predict_bodies(RbCloud *cloud);
void rb_cloud_load_bodies(RbCloud *cloud);
void rb_cloud_correct_bodies(RbCloud *cloud);

// What was computed is that of the present.
void rb_cloud_keep_body_loads(RbCloud *cloud);

// What follows from the others, in a body: axes, inertia, angular velocity.
void rb_grain_body_turn(RbGrainBody *body);

// [m] From the centre of the clump that a grain is a member of; zero: of none.
Vec3 rb_cloud_arm(const RbCloud *cloud, int grain);

// [kg] What a contact of a grain along n has to do with: 1/m = 1/M + (d x n) J⁻¹ (d x n).
// *contacts: how many contacts of its clump push along n at once, this one among them.
double rb_cloud_contact_mass(const RbCloud *cloud, int grain, Vec3 n, double *contacts);

// [m2/s2] Square of the speed of any point of a clump that touches, at most: of centres of spheres; of the farthest point of a polyhedron.
double rb_cloud_body_speed2(const RbCloud *cloud, int body);

double rb_grain_body_kinetic(const RbGrainBody *body); // [J]
double rb_grain_body_turning(const RbGrainBody *body); // [J]
double rb_cloud_body_energy(const RbCloud *cloud, int body);

// Drag, buoyancy and what brakes the spin of a ball of this radius, and the power that it takes.
Wrench rb_grain_immersed(const RbCloud *cloud, double radius, Vec3 v, Vec3 w, double *power);

// ---- cloud_force.c

// Forces, torques and loads of walls where everything is now, into f1 and t1. start: no time has passed
// since the last evaluation. after: what is to be done in each chunk when forces on its grains are known, while they are at hand; or NULL.
void rb_cloud_forces(RbCloud *cloud, bool start, RbTeamWork *after);

// The step has changed: the springs of all contacts are to be half of the new one ahead. Nothing else is touched but f1 and t1.
void rb_cloud_shift_springs(RbCloud *cloud);

// Run the belts of walls as the time is, where the walls are.
void rb_cloud_run_belts(RbCloud *cloud);

// A contact with a wall, if there is one, into a block: with everything that the law needs.
bool rb_cloud_gather_wall(const RbCloud *cloud, RbWallPair *pair, RbGrainBlock *block);

// ---- cloud_block.c

static inline RbGrainTerms rb_cloud_terms(const RbCloud *cloud, bool ledger) {
    return (RbGrainTerms){cloud->turning, ledger, cloud->reach > 0};
}

// How a contact touches, to its lane and back.
static inline void rb_grain_block_take_grip(RbGrainBlock *b, int m, RbGrip touches) {
    b->was[m] = (touches & RB_GRIPS) != 0;
    b->slides[m] = (touches & RB_GRIP_SLIDES) != 0;
    b->rolls[m] = (touches & RB_GRIP_ROLLS) != 0;
    b->twists[m] = (touches & RB_GRIP_TWISTS) != 0;
}
static inline RbGrip rb_grain_block_grip(const RbGrainBlock *b, int m, bool turning) {
    int grip = RB_GRIPS | (b->slides[m] > 0 ? RB_GRIP_SLIDES : 0);
    if (turning)
        grip |= (b->rolls[m] > 0 ? RB_GRIP_ROLLS : 0) | (b->twists[m] > 0 ? RB_GRIP_TWISTS : 0);
    return (RbGrip)grip;
}

// A block without contacts. Then contacts of a list, whose grains and places in the list are in the block, with
// everything that the law needs; the law of one with a wall.
void rb_cloud_empty_block(const RbCloud *cloud, bool start, RbGrainBlock *block);
void rb_cloud_gather(const RbCloud *cloud, const RbGrainList *list, RbGrainBlock *block);
void rb_cloud_wall_law(const RbCloud *cloud, double grain_material, int wall_material,
                       RbGrainBlock *block, int m);

// Afterwards: springs to the list, forces and torques to the grains. What acts on the second ones goes into these slots for reactions, if there are any.
void rb_cloud_scatter(RbCloud *cloud, RbGrainList *list, const int *slots,
                      const RbGrainBlock *block);

// Take in the largest (d force / d depth) / m* and depth / R* of a block.
void rb_grain_block_extremes(const RbGrainBlock *block, double *stiffest2, double *deepest);
