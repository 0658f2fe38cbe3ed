// SPDX-License-Identifier: MIT
// Models written in Modelica (include/rattleback/modelica.h).
#include "api_context.h"
#include "model/modelica.h"

typedef struct SourceCall {
    RbContext *context;
    const RbModelica *source;
    RbModel *model;
} SourceCall;

RbModelica rb_modelica_default(void) {
    return (RbModelica){0};
}

static RbStatus translate(void *argument) {
    SourceCall *call = argument;
    RbContext *c = call->context;
    RbModelicaOpener opener = {.source = call->source,
                               .registry = &c->registry,
                               .log = &c->log,
                               .arena = &c->arena,
                               .scratch = &c->scratch,
                               .diag = &c->diag};
    RbModel *m;
    RB_TRY(rb_modelica_model(&opener, &m));
    m->context = c;
    m->inputs = opener.inputs;
    call->model = m;
    return RB_OK;
}

static RbStatus check_source(RbContext *c, const char *function, const RbModelica *s) {
    if (s->optimize < RB_OPTIMIZE_NEVER || s->optimize > RB_OPTIMIZE_ALWAYS)
        return rb_bad_argument(c, function, "source->optimize", "is none of RbOptimize");
    if (s->residual_systems < RB_RESIDUAL_AUTO || s->residual_systems > RB_RESIDUAL_NEVER)
        return rb_bad_argument(c, function, "source->residual_systems",
                               "is none of RbResidualSystems");
    if (!(s->translation_memory >= 0 && s->translation_memory <= 1e9))
        return rb_bad_argument(c, function, "source->translation_memory",
                               "is not a number from 0 to 1e9");
    if (!(s->translation_seconds >= 0))
        return rb_bad_argument(c, function, "source->translation_seconds",
                               "is not a number from 0 on");
    return RB_OK;
}

RbStatus rb_modelica_translate(RbContext *context, const RbModelica *source, RbModel **model) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, model);
    *model = NULL;
    RB_NEED(context, source);
    RB_TRY(check_source(context, __func__, source));
    SourceCall call = {.context = context, .source = source};
    RbStatus status = rb_context_call(context, translate, &call);
    *model = call.model;
    return status;
}

RbStatus rb_modelica_open(RbContext *context, const char *file, const char *class_name,
                          RbModel **model) {
    RbModelica source = rb_modelica_default();
    source.file = file;
    source.class_name = class_name;
    return rb_modelica_translate(context, &source, model);
}
