// SPDX-License-Identifier: MIT
// A model as an FMU (include/rattleback/fmu.h).
#include <string.h>

#include "api/api_context.h"
#include "fmu/archive.h"
#include "fmu/arrays.h"
#include "rattleback/fmu.h"

RbFmuOptions rb_fmu_options_default(void) {
    return (RbFmuOptions){.version = 2};
}

static RbStatus apply_settings(RbModel *model, const char *const *settings, RbArena *arena) {
    for (int i = 0; settings && settings[i]; i++) {
        const char *value = strchr(settings[i], '=');
        if (!value)
            return rb_bad_argument(model->context, "rb_fmu_export", "options->settings",
                                   "has one that is not NAME=VALUE");
        const char *name = rb_arena_bytes(arena, settings[i], (size_t)(value - settings[i]));
        RB_TRY(rb_model_set_text(model, name, value + 1));
    }
    return RB_OK;
}

static bool is_exchange(const RbFmuOptions *options) {
    return options->type != RB_FMU_CO_SIMULATION;
}

static RbStatus open_run(RbModel *model, const RbFmuOptions *options, RbSimOptions sim,
                         RbRun **run) {
    RbContext *c = model->context;
    if (options->solver) sim.solver = options->solver;
    if (!is_exchange(options)) return rb_run_open(c, model, &sim, run);
    sim.solver = "caller";
    RbStatus status = rb_run_open(c, model, &sim, run);
    if (status != RB_ERROR_USAGE) return status;
    return rb_fail(&c->diag, status, RB_NOWHERE,
                   "so it is no model for model exchange; export it for co-simulation (--type cs), "
                   "with its own solver");
}

static RbStatus export(RbContext *c, const RbModelica *given, const RbFmuOptions *options,
                       const char *file, RbArena *arena) {
    RB_CALL(c);
    RbModelica source = *given;
    source.no_external = true;
    source.optimize = RB_OPTIMIZE_NEVER;
    *arena = rb_arena(&c->heap);
    RbModelicaOpener opener = {.source = &source,
                               .registry = &c->registry,
                               .log = &c->log,
                               .arena = &c->arena,
                               .scratch = &c->scratch,
                               .diag = &c->diag};
    RbModel *model;
    RbRun *run;
    RB_TRY(rb_modelica_model(&opener, &model));
    model->context = c;
    RB_TRY(apply_settings(model, options->settings, arena));
    RbFmuPack pack = {
        .opener = &opener, .model = model, .options = options, .sim = rb_model_options(model)};
    RB_TRY(open_run(model, options, pack.sim, &run));
    RbFmuVariables variables;
    RbFmuStates states;
    RbFmuWanted wanted = {.exchange = is_exchange(options), .indicators = options->version == 3};
    RB_TRY(rb_fmu_variables(run, &opener.translation, arena, c->scratch, wanted, &c->diag,
                            &variables, &states));
    if (options->version == 3) rb_fmu_find_arrays(&variables, &states, arena);
    pack.variables = &variables;
    pack.states = &states;
    if (wanted.exchange)
        pack.dependencies = rb_fmu_dependencies(&opener.translation, &variables, arena, c->scratch);
    RB_TRY(rb_fmu_pack(&pack, file, arena, c->scratch, &c->diag));
    return rb_run_close(run, NULL);
}

RbStatus rb_fmu_export(RbContext *context, const RbModelica *source, const RbFmuOptions *options,
                       const char *file) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, source);
    RB_NEED(context, options);
    RB_NEED(context, file);
    if (options->version != 2 && options->version != 3)
        return rb_bad_argument(context, __func__, "options->version", "is neither 2 nor 3");
    if ((int)options->type < 0 || options->type > RB_FMU_BOTH)
        return rb_bad_argument(context, __func__, "options->type", "is none of RbFmuType");
    if (source->input_file)
        return rb_fail(&context->diag, RB_ERROR_USAGE, rb_in_file(source->input_file),
                       "an FMU gets its inputs from the master, not from a file");
    RbArena arena = {0};
    RbStatus status = export(context, source, options, file, &arena);
    rb_arena_free(&arena);
    return status;
}
