// SPDX-License-Identifier: MIT
// What a run of a scene shows: motions, momentum, contacts, energies (include/rattleback/scene.h).
#include <math.h>
#include <string.h>

#include "api_run.h"
#include "api_scene.h"
#include "contact/evaluate.h"

typedef struct SceneLook {
    RbRun *run;
    int object;
    RbObjectMotion *motion;
    double *linear, *angular;
    const RbRunContact **contacts;
    int *count;
    RbRunEnergy *energy;
    const char **text;
} SceneLook;

typedef struct Bodies {
    const void *self, *workspace;
    const double *discrete;
} Bodies;

// The bodies of the model, evaluated where the run stands.
static RbStatus find_bodies(RbRun *r, Bodies *out) {
    RbEvaluator *e;
    RB_TRY(rb_run_look(r));
    RB_TRY(rb_look_evaluate(&r->look, &e));
    for (int i = 0; i < e->system->part_count; i++) {
        const RbSystemPart *p = &e->system->parts[i];
        if (p->instance->type != &rb_multibody) continue;
        *out = (Bodies){p->instance->self, e->workspace + p->workspace, e->d + p->d};
        return RB_OK;
    }
    return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "model '%s' has no bodies: it is no scene", r->sim.model->name);
}

static RbStatus motion(void *argument) {
    SceneLook *call = argument;
    RbRun *r = call->run;
    Bodies bodies;
    RbFrameMotion found;
    RB_TRY(find_bodies(r, &bodies));
    if (!rb_multibody_motion(bodies.self, bodies.workspace, call->object, &found)) {
        return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "scene '%s' has no object %d",
                       r->sim.model->name, call->object);
    }
    rb_object_motion(&found, call->motion);
    return RB_OK;
}

RbStatus rb_run_motion(RbRun *run, int object, RbObjectMotion *out) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, out);
    SceneLook call = {.run = run, .object = object, .motion = out};
    return rb_run_call(run, motion, &call);
}

typedef struct PullCall {
    RbRun *run;
    const char *name;
    int object;
    RbPull pull;
} PullCall;

static RbStatus find_object(void *argument) {
    PullCall *call = argument;
    RbRun *r = call->run;
    RbArena scratch = r->sim.trial;
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    for (int i = 0; i < s->part_count && call->object < 0; i++) {
        const RbInstance *c = s->parts[i].instance;
        if (c->type != &rb_multibody) continue;
        const char *prefix = rb_instance_join(c, "", &scratch);
        size_t length = strlen(prefix);
        if (strncmp(call->name, prefix, length) == 0)
            call->object = rb_multibody_find(c->self, call->name + length);
        return RB_OK; // as motions: of the first
    }
    return RB_OK;
}

int rb_run_object(RbRun *run, const char *name) {
    if (!run || !name) return -1;
    PullCall call = {.run = run, .name = name, .object = -1};
    return rb_run_call(run, find_object, &call) == RB_OK ? call.object : -1;
}

static RbStatus name_object(void *argument) {
    PullCall *call = argument;
    RbRun *r = call->run;
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    for (int i = 0; i < s->part_count; i++) {
        const RbInstance *c = s->parts[i].instance;
        if (c->type != &rb_multibody) continue;
        const char *name = rb_multibody_object_name(c->self, call->object);
        if (name) call->name = call->object > 0 ? rb_instance_join(c, name, &r->arena) : name;
        return RB_OK;
    }
    return RB_OK;
}

const char *rb_run_object_name(RbRun *run, int object) {
    if (!run) return NULL;
    PullCall call = {.run = run, .object = object};
    return rb_run_call(run, name_object, &call) == RB_OK ? call.name : NULL;
}

static RbStatus pull(void *argument) {
    PullCall *call = argument;
    RbRun *r = call->run;
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    for (int i = 0; i < s->part_count; i++) {
        RbInstance *c = s->parts[i].instance;
        if (c->type != &rb_multibody) continue;
        RB_TRY(rb_sim_begin_change(&r->sim));
        r->sim.change = RB_FULL_RESTART; // what is pulled at is no ball any more
        r->look.evaluated = false;
        if (rb_multibody_pull(c->self, &call->pull)) return RB_OK;
        return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "scene '%s' has no object %d",
                       r->sim.model->name, call->pull.object);
    }
    return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "model '%s' has no bodies: it is no scene", r->sim.model->name);
}

RbStatus rb_run_pull(RbRun *run, int object, const double point[3], const double target[3],
                     double stiffness, double damping) {
    if (!run) return RB_ERROR_USAGE;
    PullCall call = {.run = run, .pull = {.object = object}};
    if (object != 0) {
        RB_NEED(run->context, point);
        RB_NEED(run->context, target);
        call.pull = (RbPull){object, v3_load(point), v3_load(target), stiffness, damping};
        if (!v3_finite(call.pull.point))
            return rb_bad_argument(run->context, __func__, "point", "is not finite");
        if (!v3_finite(call.pull.target))
            return rb_bad_argument(run->context, __func__, "target", "is not finite");
        if (!(stiffness >= 0 && isfinite(stiffness)))
            return rb_bad_argument(run->context, __func__, "stiffness",
                                   "is not a number from 0 on");
        if (!(damping >= 0 && isfinite(damping)))
            return rb_bad_argument(run->context, __func__, "damping", "is not a number from 0 on");
    }
    return rb_run_call(run, pull, &call);
}

static RbStatus momentum(void *argument) {
    SceneLook *call = argument;
    Bodies bodies;
    RB_TRY(find_bodies(call->run, &bodies));
    Wrench p = rb_multibody_momentum(bodies.self, bodies.workspace);
    if (call->linear) v3_store(call->linear, p.f);
    if (call->angular) v3_store(call->angular, p.t);
    return RB_OK;
}

RbStatus rb_run_momentum(RbRun *run, double linear[3], double angular[3]) {
    if (!run) return RB_ERROR_USAGE;
    return rb_run_call(run, momentum,
                       &(SceneLook){.run = run, .linear = linear, .angular = angular});
}

static RbRunContact describe(const RbContactLook *c) {
    const RbContactState *s = c->state;
    RbContactParts parts = rb_contact_parts(s);
    RbRunContact out = {.a = c->a,
                        .b = c->b,
                        .depth = s->motion.depth,
                        .depth_rate = s->motion.depth_rate,
                        .normal_force = parts.normal};
    v3_store(out.point, s->point_W);
    v3_store(out.normal, parts.n_W);
    v3_store(out.slip, s->motion.slip_W);
    v3_store(out.friction, parts.friction_W);
    v3_store(out.force, s->f_W);
    v3_store(out.torque, s->t_W);
    return out;
}

static void empty_shown(RbRun *r) {
    if (r->shown.chunk)
        rb_arena_reset(&r->shown);
    else
        r->shown = rb_arena(&r->context->heap);
}

static RbStatus contact_kinds(void *argument) {
    SceneLook *call = argument;
    Bodies bodies;
    RB_TRY(find_bodies(call->run, &bodies));
    empty_shown(call->run);
    RbText text = rb_text(&call->run->shown);
    rb_multibody_contact_kinds(bodies.self, call->run->sim.trial, &text);
    *call->text = rb_text_done(&text);
    return RB_OK;
}

RbStatus rb_run_contact_kinds(RbRun *run, const char **text) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, text);
    *text = NULL;
    return rb_run_call(run, contact_kinds, &(SceneLook){.run = run, .text = text});
}

static RbStatus contacts(void *argument) {
    SceneLook *call = argument;
    RbRun *r = call->run;
    RbArena scratch = r->sim.trial;
    Bodies bodies;
    RbContactLook *found;
    RB_TRY(find_bodies(r, &bodies));
    int count =
        rb_multibody_contacts(bodies.self, bodies.workspace, bodies.discrete, &scratch, &found);
    empty_shown(r);
    RbRunContact *list = rb_new_array(&r->shown, RbRunContact, count + 1);
    for (int i = 0; i < count; i++) list[i] = describe(&found[i]);
    *call->contacts = list;
    *call->count = count;
    return RB_OK;
}

RbStatus rb_run_contacts(RbRun *run, const RbRunContact **list, int *count) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, list);
    RB_NEED(run->context, count);
    *list = NULL;
    *count = 0;
    return rb_run_call(run, contacts, &(SceneLook){.run = run, .contacts = list, .count = count});
}

static RbStatus energy(void *argument) {
    SceneLook *call = argument;
    RbLook *l = &call->run->look;
    Bodies bodies;
    RB_TRY(find_bodies(call->run, &bodies));
    const char *const names[] = {"energy.kinetic", "energy.potential", "energy.elastic",
                                 "energy.residual"};
    double *const to[] = {&call->energy->kinetic, &call->energy->potential, &call->energy->elastic,
                          &call->energy->residual};
    for (int i = 0; i < 4; i++) {
        int variable = rb_look_find(l, names[i]);
        if (variable >= 0) RB_TRY(rb_look_get(l, variable, to[i]));
    }
    return RB_OK;
}

RbStatus rb_run_energy(RbRun *run, RbRunEnergy *out) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, out);
    *out = (RbRunEnergy){0};
    return rb_run_call(run, energy, &(SceneLook){.run = run, .energy = out});
}
