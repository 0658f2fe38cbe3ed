// SPDX-License-Identifier: MIT
#include "dem/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct RbTeam {
    pthread_mutex_t lock; // of all but `next`
    pthread_cond_t start, done;
    pthread_t threads[RB_TEAM_MOST];
    int count; // of threads besides the caller
    long round;
    int busy; // threads that have not finished this round
    bool ends;
    RbTeamWork *work;
    void *user;
    int chunks;
    atomic_int next; // chunk that nobody has taken
};

static void take_chunks(RbTeam *team) {
    for (;;) {
        int chunk = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
        if (chunk >= team->chunks) return;
        team->work(team->user, chunk);
    }
}

static void *serve(void *argument) {
    RbTeam *team = argument;
    long seen = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == seen && !team->ends) pthread_cond_wait(&team->start, &team->lock);
        if (team->ends) break;
        seen = team->round;
        pthread_mutex_unlock(&team->lock);
        take_chunks(team);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0) pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

static void end_team(void *what) {
    RbTeam *team = what;
    pthread_mutex_lock(&team->lock);
    team->ends = true;
    pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->count; i++) pthread_join(team->threads[i], NULL);
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->start);
    pthread_mutex_destroy(&team->lock);
}

RbTeam *rb_team(RbArena *arena, int threads) {
    RbTeam *team = rb_new(arena, RbTeam);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->start, NULL);
    pthread_cond_init(&team->done, NULL);
    rb_arena_defer(arena, end_team, team);
    int most = threads < RB_TEAM_MOST ? threads : RB_TEAM_MOST;
    sigset_t all, before; // signals are for the threads of the caller
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team->count < most - 1 &&
           pthread_create(&team->threads[team->count], NULL, serve, team) == 0)
        team->count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return team;
}

int rb_team_size(const RbTeam *team) {
    return team ? team->count + 1 : 1;
}

void rb_team_run(RbTeam *team, int chunks, RbTeamWork *work, void *user) {
    if (!team || team->count == 0 || chunks < 2) {
        for (int chunk = 0; chunk < chunks; chunk++) work(user, chunk);
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->user = user;
    team->chunks = chunks;
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    team->busy = team->count;
    team->round++;
    pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->lock);
    take_chunks(team);
    pthread_mutex_lock(&team->lock);
    while (team->busy > 0) pthread_cond_wait(&team->done, &team->lock);
    pthread_mutex_unlock(&team->lock);
}
