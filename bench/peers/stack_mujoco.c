// SPDX-License-Identifier: MIT
// A stack of boxes in MuJoCo: soft constraints, fixed steps. It has no coefficient of restitution: its contacts
// are told a time constant, and are critically damped here, which is its default.
#include <mujoco/mujoco.h>
#include <math.h>
#include <stdio.h>

#include "stack.h"

static mjModel *build(const PeerStack *s, const PeerMujocoSettings *settings) {
    const char *path = "bench_stack_model.xml";
    FILE *out = fopen(path, "w");
    if (!out) return NULL;
    fprintf(out,
            "<mujoco><option timestep='%.17g' gravity='0 0 %.17g' noslip_iterations='%d'/>"
            "<default><geom type='box' friction='%g 0.005 0.0001' solref='%g 1'/></default>"
            "<worldbody><geom size='0.5 0.5 0.05' pos='0 0 -0.05'/>",
            settings->step, -s->gravity, settings->noslip, s->friction, settings->constant);
    double h = 0.5 * s->side;
    for (int i = 0; i < s->boxes; i++)
        fprintf(out,
                "<body pos='0 0 %.17g'><freejoint/><geom size='%g %g %g' mass='%.17g'/></body>",
                (i + 0.5) * s->side + (i + 1) * s->gap, h, h, h, s->mass);
    fprintf(out, "</worldbody></mujoco>");
    fclose(out);
    char error[500] = "";
    mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
    if (!model) fprintf(stderr, "MuJoCo: %s\n", error);
    remove(path);
    return model;
}

static void look(const PeerStack *s, const mjData *data, double (*r)[3]) {
    for (int i = 0; i < s->boxes; i++)
        for (int k = 0; k < 3; k++) r[i][k] = data->qpos[7 * i + k];
}

PeerStackRun peer_stack_mujoco(const PeerStack *s, const PeerMujocoSettings *settings) {
    PeerStackRun out = {.cpu = -1};
    mjModel *model = build(s, settings);
    if (!model) return out;
    mjData *data = mj_makeData(model);
    long total = lround(s->stop_time / settings->step);
    long look_at = lround(s->look_time / settings->step);
    double start = peer_seconds();
    for (; out.steps < total; out.steps++) {
        if (out.steps == look_at) look(s, data, out.at);
        mj_step(model, data);
    }
    out.cpu = peer_seconds() - start;
    look(s, data, out.r);
    mj_deleteData(data);
    mj_deleteModel(model);
    return out;
}
