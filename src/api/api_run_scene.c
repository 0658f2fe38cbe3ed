// SPDX-License-Identifier: MIT
// What a run of a scene shows: motions, momentum, contacts, energies (include/rattleback/scene.h).
#include <math.h>
#include <string.h>

#include "api/api_run.h"
#include "api/api_scene.h"
#include "contact/evaluate.h"

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

RbStatus rb_run_motion(RbRun *run, int object, RbObjectMotion *out) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, out);
    RB_RUN_CALL(run);
    Bodies bodies;
    RbFrameMotion found;
    RB_TRY(find_bodies(run, &bodies));
    if (!rb_multibody_motion(bodies.self, bodies.workspace, object, &found)) {
        return rb_fail(&run->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "scene '%s' has no object %d", run->sim.model->name, object);
    }
    rb_object_motion(&found, out);
    return RB_OK;
}

int rb_run_object(RbRun *run, const char *name) {
    if (!run || !name) return -1;
    RB_RUN_CALL_OR(run, -1);
    RbArena scratch = run->sim.trial;
    const RbSystem *s = rb_sim_stage(&run->sim)->system;
    for (int i = 0; i < s->part_count; i++) {
        const RbInstance *c = s->parts[i].instance;
        if (c->type != &rb_multibody) continue;
        const char *prefix = rb_instance_join(c, "", &scratch);
        size_t length = strlen(prefix);
        bool inside = strncmp(name, prefix, length) == 0; // as motions: of the first
        return inside ? rb_multibody_find(c->self, name + length) : -1;
    }
    return -1;
}

const char *rb_run_object_name(RbRun *run, int object) {
    if (!run) return NULL;
    RB_RUN_CALL_OR(run, NULL);
    const RbSystem *s = rb_sim_stage(&run->sim)->system;
    for (int i = 0; i < s->part_count; i++) {
        const RbInstance *c = s->parts[i].instance;
        if (c->type != &rb_multibody) continue;
        const char *name = rb_multibody_object_name(c->self, object);
        return name && object > 0 ? rb_instance_join(c, name, &run->arena) : name;
    }
    return NULL;
}

static RbStatus pull(RbRun *r, RbPull how) {
    RB_RUN_CALL(r);
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    for (int i = 0; i < s->part_count; i++) {
        RbInstance *c = s->parts[i].instance;
        if (c->type != &rb_multibody) continue;
        RB_TRY(rb_sim_begin_change(&r->sim));
        r->sim.change = RB_FULL_RESTART; // what is pulled at is no ball any more
        r->look.evaluated = false;
        if (rb_multibody_pull(c->self, &how)) return RB_OK;
        return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "scene '%s' has no object %d",
                       r->sim.model->name, how.object);
    }
    return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "model '%s' has no bodies: it is no scene", r->sim.model->name);
}

RbStatus rb_run_pull(RbRun *run, int object, const double point[3], const double target[3],
                     double stiffness, double damping) {
    if (!run) return RB_ERROR_USAGE;
    if (object == 0) return pull(run, (RbPull){0});
    RB_NEED(run->context, point);
    RB_NEED(run->context, target);
    RbPull how = {object, v3_load(point), v3_load(target), stiffness, damping};
    if (!v3_finite(how.point))
        return rb_bad_argument(run->context, __func__, "point", "is not finite");
    if (!v3_finite(how.target))
        return rb_bad_argument(run->context, __func__, "target", "is not finite");
    if (!(stiffness >= 0 && isfinite(stiffness)))
        return rb_bad_argument(run->context, __func__, "stiffness", "is not a number from 0 on");
    if (!(damping >= 0 && isfinite(damping)))
        return rb_bad_argument(run->context, __func__, "damping", "is not a number from 0 on");
    return pull(run, how);
}

RbStatus rb_run_momentum(RbRun *run, double linear[3], double angular[3]) {
    if (!run) return RB_ERROR_USAGE;
    RB_RUN_CALL(run);
    Bodies bodies;
    RB_TRY(find_bodies(run, &bodies));
    Wrench p = rb_multibody_momentum(bodies.self, bodies.workspace);
    if (linear) v3_store(linear, p.f);
    if (angular) v3_store(angular, p.t);
    return RB_OK;
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

RbStatus rb_run_contact_kinds(RbRun *run, const char **text) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, text);
    *text = NULL;
    RB_RUN_CALL(run);
    Bodies bodies;
    RB_TRY(find_bodies(run, &bodies));
    empty_shown(run);
    RbText out = rb_text(&run->shown);
    rb_multibody_contact_kinds(bodies.self, run->sim.trial, &out);
    *text = rb_text_done(&out);
    return RB_OK;
}

RbStatus rb_run_contacts(RbRun *run, const RbRunContact **list, int *count) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, list);
    RB_NEED(run->context, count);
    *list = NULL;
    *count = 0;
    RB_RUN_CALL(run);
    RbArena scratch = run->sim.trial;
    Bodies bodies;
    RbContactLook *found;
    RB_TRY(find_bodies(run, &bodies));
    int n = rb_multibody_contacts(bodies.self, bodies.workspace, bodies.discrete, &scratch, &found);
    empty_shown(run);
    RbRunContact *shown = rb_new_array(&run->shown, RbRunContact, n + 1);
    for (int i = 0; i < n; i++) shown[i] = describe(&found[i]);
    *list = shown;
    *count = n;
    return RB_OK;
}

RbStatus rb_run_energy(RbRun *run, RbRunEnergy *out) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, out);
    *out = (RbRunEnergy){0};
    RB_RUN_CALL(run);
    RbLook *l = &run->look;
    Bodies bodies;
    RB_TRY(find_bodies(run, &bodies));
    const char *const names[] = {"energy.kinetic", "energy.potential", "energy.elastic",
                                 "energy.residual"};
    double *const to[] = {&out->kinetic, &out->potential, &out->elastic, &out->residual};
    for (int i = 0; i < 4; i++) {
        int variable = rb_look_find(l, names[i]);
        if (variable >= 0) RB_TRY(rb_look_get(l, variable, to[i]));
    }
    return RB_OK;
}
