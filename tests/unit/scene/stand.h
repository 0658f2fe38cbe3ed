// SPDX-License-Identifier: MIT
// stand.h: a test stand for scenes: build one, run it, look at states, results and contacts.
//
//     Stand s;
//     stand_open(&s);
//     rb_scene_add(s.scene, ...);
//     stand_run(&s, 0.1, 1e-9);
//     ENSURE_NEAR(stand_state(&s, "ball.v[1]"), 1.5, 1e-6);
//     stand_close(&s);
#pragma once

#include <string.h>
#include <unistd.h>

#include "io/journal.h"
#include "scenes.h"
#include "sim/sim.h"
#include "testing.h"

enum { STAND_MAX_CONTACTS = 4000 };

// A contact that started or ended, as the log told.
typedef struct StandContact {
    double time;  // [s]
    double speed; // [m/s] approach or separation
    bool starts;
} StandContact;

typedef struct Stand {
    Fixture f;
    RbScene *scene;
    RbModel *model;
    RbSimOptions options;
    RbLog log;
    RbSim sim;
    RbSummary summary;
    RbResult *result;
    StandContact contacts[STAND_MAX_CONTACTS];
    int contact_count;
    const char *listen_for; // count lines of the log that contain this
    int heard;
    char journal[64], checkpoint[64];
} Stand;

static inline void stand_listen(void *user, RbTopic topic, const char *line) {
    (void)topic;
    Stand *s = user;
    if (s->listen_for && strstr(line, s->listen_for)) s->heard++;
    const char *at = strstr(line, "contact of"), *starts = strstr(line, "starts at"),
               *ends = strstr(line, "ends at");
    if (!at || (!starts && !ends) || s->contact_count == STAND_MAX_CONTACTS) return;
    StandContact c = {.starts = starts != NULL};
    sscanf(line, "t = %lg", &c.time);
    sscanf(starts ? starts : ends, starts ? "starts at %lg" : "ends at %lg", &c.speed);
    s->contacts[s->contact_count++] = c;
}

static inline RbStatus stand_open_protected(void *argument) {
    Stand *s = argument;
    s->scene = rb_scene_new(&s->f.arena);
    return rb_scene_read_materials(s->scene, NULL, &s->f.diag);
}

// An empty scene with the palette that is built in.
static inline void stand_open(Stand *s) {
    memset(s, 0, sizeof *s);
    fixture_open(&s->f);
    ENSURE(rb_protect(&s->f.heap, stand_open_protected, s) == RB_OK);
    static int number;
    number++;
    snprintf(s->journal, sizeof s->journal, "/tmp/rb_stand_%d_%d.rbj", (int)getpid(), number);
    snprintf(s->checkpoint, sizeof s->checkpoint, "/tmp/rb_stand_%d_%d.rbc", (int)getpid(), number);
    s->options = rb_sim_options_default();
    s->options.output_interval = 0;
    s->log = (RbLog){.topics = 1u << RB_LOG_EVENTS, .sink = stand_listen, .user = s};
}

// One of the table of scenes.
static inline void stand_open_case(Stand *s, const char *name) {
    stand_open(s);
    const RbSceneCase *c = rb_scene_case(name);
    if (!c) print_error("no scene %s\n", name);
    ENSURE(c != NULL);
    rb_scene_case_build(c, s->scene);
    s->options.stop_time = c->stop_time;
    s->options.tolerance = c->tolerance;
}

static inline RbStatus stand_go_protected(void *argument) {
    Stand *s = argument;
    if (!s->model) RB_TRY(rb_scene_model(s->scene, "stand", "", &s->f.diag, &s->model));
    s->sim = (RbSim){.model = s->model,
                     .options = s->options,
                     .heap = &s->f.heap,
                     .diag = &s->f.diag,
                     .log = &s->log};
    return rb_sim_run(&s->sim);
}

// Run with the options as they are; answers what came of it.
static inline RbStatus stand_go(Stand *s) {
    rb_sim_free(&s->sim);
    s->contact_count = s->heard = 0;
    RbStatus status = rb_protect(&s->f.heap, stand_go_protected, s);
    s->summary = s->sim.summary;
    return status;
}

static inline void stand_run(Stand *s, double stop_time, double tolerance) {
    s->options.stop_time = stop_time;
    s->options.tolerance = tolerance;
    RbStatus status = stand_go(s);
    if (status != RB_OK) {
        for (int i = 0; i < s->f.diag.messages.count; i++)
            print_error("%s\n", fixture_message(&s->f, i));
    }
    ENSURE(status == RB_OK);
}

static inline int stand_index(Stand *s, const char *name) {
    const RbSystem *system = rb_sim_stage(&s->sim)->system;
    for (int i = 0; i < system->x_count; i++) {
        if (strcmp(system->parts[0].segment->states.data[i].name, name) == 0) return i;
    }
    print_error("no state %s\n", name);
    ENSURE(false);
    return -1;
}

// Value at the end of the run.
static inline double stand_state(Stand *s, const char *name) {
    return rb_sim_stage(&s->sim)->now.x[stand_index(s, name)];
}

static inline Vec3 stand_vector(Stand *s, const char *object, const char *name) {
    char text[128];
    snprintf(text, sizeof text, "%s.%s[1]", object, name);
    return v3_load(rb_sim_stage(&s->sim)->now.x + stand_index(s, text));
}

static inline Quat stand_quat(Stand *s, const char *object) {
    char text[128];
    snprintf(text, sizeof text, "%s.Q[1]", object);
    return q_load(rb_sim_stage(&s->sim)->now.x + stand_index(s, text));
}

// A result that is no state, at the end of the run.
static inline double stand_result(Stand *s, const char *name) {
    RbRunningSegment *stage = rb_sim_stage(&s->sim);
    const RbSystemPart *p = &stage->system->parts[0];
    double *values = rb_new_array(&s->f.scratch, double, stage->system->result_count);
    ENSURE(rb_evaluate_results(stage->evaluator, s->sim.time, stage->now.x, stage->now.q, values) ==
           0);
    for (int i = 0; i < stage->system->result_count; i++) {
        if (strcmp(p->segment->results.data[i].name, name) == 0) return values[i];
    }
    print_error("no result %s\n", name);
    ENSURE(false);
    return 0;
}

// An integral over time, at the end of the run.
static inline double stand_quadrature(Stand *s, const char *name) {
    RbRunningSegment *stage = rb_sim_stage(&s->sim);
    const RbSegment *segment = stage->system->parts[0].segment;
    for (int i = 0; i < segment->quadratures.count; i++) {
        if (strcmp(segment->quadratures.data[i].name, name) == 0) return stage->now.q[i];
    }
    print_error("no quadrature %s\n", name);
    ENSURE(false);
    return 0;
}

static inline int stand_starts(const Stand *s) {
    int count = 0;
    for (int i = 0; i < s->contact_count; i++) count += s->contacts[i].starts;
    return count;
}

// Record all variables on this grid [s] (and at events), to be read by stand_series.
static inline void stand_record(Stand *s, double interval) {
    s->options.journal_file = s->journal;
    s->options.output_interval = interval;
}

static inline double *stand_series(Stand *s, const char *name, int *count) {
    if (!s->result) {
        ENSURE(rb_journal_read(s->journal, RB_JOURNAL_LOAD, &s->f.arena, s->f.scratch, &s->f.diag,
                               &s->result) == RB_OK);
    }
    *count = (int)s->result->row_count;
    if (strcmp(name, "time") == 0) return rb_result_times(s->result, &s->f.arena);
    int variable = rb_result_find(s->result, name);
    if (variable < 0) print_error("no variable %s\n", name);
    ENSURE(variable >= 0);
    return rb_result_series(s->result, variable, &s->f.arena);
}

static inline void stand_close(Stand *s) {
    rb_sim_free(&s->sim);
    remove(s->journal);
    remove(s->checkpoint);
    fixture_close(&s->f);
}

// Young's modulus of a material. [Pa]
static inline void stand_soften(Stand *s, const char *name, double modulus) {
    for (int i = 0; i < s->scene->materials.solids.count; i++) {
        RbSolidMaterial *m = &s->scene->materials.solids.data[i];
        if (strcmp(m->name, name) == 0) m->elastic.youngs_modulus = modulus;
    }
}

// The law of all contacts between two materials, to be changed.
static inline RbPairLaw *stand_law(Stand *s, const char *a, const char *b) {
    for (int i = 0; i < s->scene->materials.pairs.count; i++) {
        RbPairMaterial *p = &s->scene->materials.pairs.data[i];
        if ((strcmp(p->a, a) == 0 && strcmp(p->b, b) == 0) ||
            (strcmp(p->a, b) == 0 && strcmp(p->b, a) == 0))
            return &p->law;
    }
    print_error("no pair %s, %s\n", a, b);
    ENSURE(false);
    return NULL;
}
