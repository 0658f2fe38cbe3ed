// SPDX-License-Identifier: MIT
// resume.h: a run that goes on from any of its checkpoints writes the same bytes as one that is left alone.
#pragma once

#include "base/file.h"
#include "stand.h"

enum { RESUME_MAX_CHECKPOINTS = 64 };

// Builds the scene anew in a stand, options included.
typedef void (*ResumeBuild)(Stand *s, const void *argument);

typedef struct ResumeCheckpoints {
    RbBytes at[RESUME_MAX_CHECKPOINTS];
    int count;
    Stand *stand;
} ResumeCheckpoints;

static inline RbBytes resume_contents(Stand *s, const char *file) {
    RbBytes bytes;
    ENSURE(rb_file_read(file, 0, &s->f.arena, &s->f.diag, &bytes) == RB_OK);
    return bytes;
}

// Each checkpoint replaces the last one: keep all.
static inline void resume_listen(void *user, RbTopic topic, const char *line) {
    ResumeCheckpoints *c = user;
    stand_listen(c->stand, topic, line);
    if (!strstr(line, "checkpoint written") || c->count == RESUME_MAX_CHECKPOINTS) return;
    c->at[c->count++] = resume_contents(c->stand, c->stand->checkpoint);
}

static inline void resume_prepare(Stand *s, ResumeBuild build, const void *argument,
                                  double interval) {
    build(s, argument);
    s->options.checkpoint_interval = interval;
    stand_record(s, s->options.stop_time / 50);
    s->options.checkpoint_file = s->checkpoint;
}

static inline void resume_from(const ResumeCheckpoints *c, int k, ResumeBuild build,
                               const void *argument, double interval) {
    Stand again, *whole = c->stand;
    resume_prepare(&again, build, argument, interval);
    RbBytes journal = resume_contents(whole, whole->journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    ENSURE(rb_file_write(again.checkpoint, c->at[k].data, c->at[k].size, &again.f.diag) == RB_OK);
    again.options.resume_file = again.checkpoint;
    RbStatus status = stand_go(&again);
    if (status != RB_OK) print_error("%s\n", fixture_message(&again.f, 0));
    ENSURE(status == RB_OK);
    if (again.summary.state_hash != whole->summary.state_hash)
        print_error("checkpoint %d of %d, every %.17g s\n", k + 1, c->count, interval);
    ENSURE(again.summary.state_hash == whole->summary.state_hash);
    assert_int_equal(again.summary.state_events, whole->summary.state_events);
    RbBytes other = resume_contents(&again, again.journal);
    ENSURE(journal.size == other.size && memcmp(journal.data, other.data, other.size) == 0);
    stand_close(&again);
}

// From each of its checkpoints, one every `interval` seconds. Answers how many there were.
static inline int resume_is_identical(ResumeBuild build, const void *argument, double interval) {
    Stand whole;
    ResumeCheckpoints checkpoints = {.stand = &whole};
    resume_prepare(&whole, build, argument, interval);
    whole.log.topics |= 1u << RB_LOG_STATS;
    whole.log.sink = resume_listen;
    whole.log.user = &checkpoints;
    RbStatus status = stand_go(&whole);
    if (status != RB_OK) print_error("%s\n", fixture_message(&whole.f, 0));
    ENSURE(status == RB_OK);
    ENSURE(checkpoints.count == whole.summary.checkpoints && checkpoints.count > 0);
    assert_int_equal(whole.summary.allocations, 0);
    for (int k = 0; k < checkpoints.count; k++)
        resume_from(&checkpoints, k, build, argument, interval);
    stand_close(&whole);
    return checkpoints.count;
}
