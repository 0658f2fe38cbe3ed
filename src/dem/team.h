// SPDX-License-Identifier: MIT
// team.h: a few threads that share the chunks of a piece of work.
//
//     RbTeam *team = rb_team(arena, 4, diag);
//     rb_team_run(team, chunk_count, work, user);    // work(user, c) for every chunk c
//
// Which thread does which chunk is not determined. Same bits for every number of threads therefore
// means: a chunk writes only what belongs to it, and what is summed over chunks is summed afterwards,
// in their order. Waiting is passive. Chunks must not allocate.
#pragma once

#include "base/arena.h"

typedef struct RbTeam RbTeam;
typedef void RbTeamWork(void *user, int chunk);

enum { RB_TEAM_MOST = 256 };

// `threads` counts the caller; if the system gives fewer, there are fewer. The threads end with the
// arena.
RbTeam *rb_team(RbArena *arena, int threads);

int rb_team_size(const RbTeam *team);

// Returns when all chunks are done. A team of NULL is the caller alone.
void rb_team_run(RbTeam *team, int chunks, RbTeamWork *work, void *user);
