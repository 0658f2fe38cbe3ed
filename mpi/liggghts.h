// SPDX-License-Identifier: MIT
// liggghts.h: what LIGGGHTS does for a part of a cloud (part.h): it divides space among processes, moves grains that leave one to the
// next, shows each the neighbours' grains near its border, lists pairs, and keeps what these remember. Forces, walls and steps
// are ours: a pair style and a fix.
#pragma once

#include "part.h"

#include <mpi.h>
#include <vector>

struct Grain { // ORDER RbRemoteGrain
    int id, material;
    double radius, mass, r[3], v[3], w[3], f[3], t[3];
    int turns[3], unused;
};

struct Contact { // ORDER RbRemoteContact
    int id, with;
    unsigned long long touches;
    double spring[PART_SPRINGS];
};

class Engine {
  public:
    // Of all processes, which call all of this together.
    static Engine *open(Part *part);
    ~Engine();

    // Grains that go (sorted), that come, and contacts of these; start as RbRemoteChange has it. more: others come before anything else.
    void change(const std::vector<int> &gone, const Grain *come, size_t count, const Contact *contacts,
                size_t contact_count, int start, bool more);
    void advance(); // the interval that part_begin has taken
    void sums(double *all, double most[PART_MOST]);
    // Of this process.
    void grains(std::vector<Grain> &out);
    void contacts(std::vector<Contact> &out);

    struct State;

  private:
    State *s;
};
