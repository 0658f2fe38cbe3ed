// SPDX-License-Identifier: MIT
#include "component/instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *keep(RbArena *arena, const char *text) {
    return text ? rb_arena_text(arena, text) : "";
}

const void *rb_build_data(const RbBuild *build) {
    return build->data;
}

int rb_build_parameter(RbBuild *build, const RbParameterSpec *spec) {
    RbParameter p = {.spec = *spec, .value = spec->value};
    p.spec.name = keep(build->arena, spec->name);
    p.spec.unit = keep(build->arena, spec->unit);
    p.spec.description = keep(build->arena, spec->description);
    rb_array_push(&build->parameters, build->arena, p);
    return build->parameters.count - 1;
}

int rb_build_text(RbBuild *build, const char *name, const char *value) {
    RbSharedText text = {keep(build->arena, name), keep(build->arena, value)};
    rb_array_push(&build->texts, build->arena, text);
    return build->texts.count - 1;
}

int rb_build_variable(RbBuild *build, const RbVariableSpec *spec) {
    RbVariable v = {.spec = *spec, .value = spec->value};
    v.spec.name = keep(build->arena, spec->name);
    v.spec.unit = keep(build->arena, spec->unit);
    v.spec.description = keep(build->arena, spec->description);
    rb_array_push(&build->variables, build->arena, v);
    return build->variables.count - 1;
}

void rb_build_equation(RbBuild *build, const char *equation) {
    rb_array_push(&build->equations, build->arena, rb_arena_text(build->arena, equation));
}

static const int *keep_ints(RbArena *arena, const int *values, int count) {
    if (!values) return NULL;
    int *copy = rb_new_array(arena, int, count);
    if (count > 0) memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

int rb_build_function(RbBuild *build, const RbFunctionSpec *spec) {
    RbFunctionSpec f = *spec;
    f.name = keep(build->arena, spec->name);
    f.inputs = keep_ints(build->arena, spec->inputs, spec->input_count);
    f.outputs = keep_ints(build->arena, spec->outputs, spec->output_count);
    rb_array_push(&build->functions, build->arena, f);
    return build->functions.count - 1;
}

// The function that solves the rows of function i, if one is named.
static bool is_solution(const RbBuild *b, int i) {
    const RbFunctionSpec *f = &b->functions.data[i];
    if (f->solution == 0) return true;
    if (f->solution <= i || f->solution >= b->functions.count || f->affine_count == 0) return false;
    const RbFunctionSpec *s = &b->functions.data[f->solution];
    return s->outputs && s->affine_count == 0 && s->after == f->after &&
           s->output_count == f->output_count &&
           s->input_count == f->input_count - f->affine_count + 2 * s->output_count;
}

// Numbers that a component hands over may be wrong: a plugin is somebody else's code.
static RbStatus check_functions(const RbInstance *c, RbDiag *diag) {
    const RbBuild *b = &c->declared;
    for (int i = 0; i < b->functions.count; i++) {
        const RbFunctionSpec *f = &b->functions.data[i];
        bool good = f->affine_count >= 0 && f->affine_count <= f->input_count && f->after < i &&
                    f->derivative < b->functions.count && is_solution(b, i);
        for (int k = 0; k < f->input_count; k++) {
            good = good && f->inputs[k] >= 0 && f->inputs[k] < b->variables.count;
        }
        for (int k = 0; f->outputs && k < f->output_count; k++) {
            good = good && f->outputs[k] >= 0 && f->outputs[k] < b->variables.count;
        }
        if (!good) {
            return rb_fail(
                diag, RB_ERROR_MODEL, RB_NOWHERE,
                "component '%s' of type '%s' declares function '%s' with inputs, outputs or an "
                "order that do not exist",
                rb_instance_title(c), c->type->name, f->name);
        }
    }
    return RB_OK;
}

static RbStatus create(const RbComponentType *type, const char *name, const void *data,
                       const RbGathered *gathered, RbArena *arena, RbDiag *diag, RbInstance *out) {
    *out = (RbInstance){.type = type, .name = rb_arena_text(arena, name)};
    out->declared.gathered = gathered;
    out->self = rb_arena_push(arena, type->memory > 0 ? type->memory : 1, alignof(max_align_t));
    out->declared.arena = arena;
    out->declared.data = data;
    out->declared.diag = diag;
    int errors = diag->error_count;
    RbStatus status = type->build(out->self, &out->declared);
    out->declared.diag = NULL;
    if (status != RB_OK && diag->error_count > errors) return status; // it has said why
    if (status != RB_OK) {
        return rb_fail(diag, status, RB_NOWHERE, "component '%s' of type '%s' could not be built",
                       rb_instance_title(out), type->name);
    }
    return check_functions(out, diag);
}

RbStatus rb_instance_create(const RbComponentType *type, const char *name, const void *data,
                            RbArena *arena, RbDiag *diag, RbInstance *out) {
    return create(type, name, data, NULL, arena, diag, out);
}

RbStatus rb_instance_gather(const RbComponentType *type, const char *name,
                            const RbGathered *gathered, RbArena *arena, RbDiag *diag,
                            RbInstance *out) {
    return create(type, name, NULL, gathered, arena, diag, out);
}

RbStatus rb_build_fail(const RbBuild *build, RbPos at, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return rb_fail(build->diag, RB_ERROR_MODEL, at, "%s", text);
}

int rb_build_member_count(const RbBuild *build) {
    return build->gathered ? build->gathered->count : 0;
}

const RbMember *rb_build_member(const RbBuild *build, int member) {
    return &build->gathered->members[member];
}

const char *rb_instance_title(const RbInstance *c) {
    return c->name[0] ? c->name : c->type->name;
}

const char *rb_instance_join(const RbInstance *c, const char *name, RbArena *arena) {
    return c->name[0] ? rb_arena_printf(arena, "%s.%s", c->name, name) : name;
}

static bool is_within(const RbParameterSpec *p, double value) {
    bool limited = p->min != 0 || p->max != 0;
    return !limited || (value >= p->min && value <= p->max);
}

static RbStatus check_parameter(const RbInstance *c, const RbParameterSpec *p, double value,
                                RbDiag *diag) {
    if (!is_within(p, value)) {
        bool plain = !p->unit || strcmp(p->unit, "1") == 0;
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%s' is %g%s%s; it must be between %g and %g",
                       rb_instance_join(c, p->name, diag->arena), value, plain ? "" : " ",
                       plain ? "" : p->unit, p->min, p->max);
    }
    if (p->integer && value != rint(value)) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s' is %g; it must be a whole number",
                       rb_instance_join(c, p->name, diag->arena), value);
    }
    return RB_OK;
}

static void add_known(RbText *known, RbNear *near, const char *name) {
    rb_text_printf(known, "%s%s", known->count ? ", " : "", name);
    rb_text_try_near(near, name);
}

static RbStatus fail_unknown(const RbInstance *c, const char *name, RbDiag *diag) {
    RbText known = rb_text(diag->arena);
    RbNear near = {.wanted = name};
    const RbBuild *b = &c->declared;
    for (int i = 0; i < b->parameters.count; i++)
        add_known(&known, &near, b->parameters.data[i].spec.name);
    for (int i = 0; !c->driven && i < b->variables.count; i++) {
        if (b->variables.data[i].spec.kind == RB_VARIABLE_INPUT)
            add_known(&known, &near, b->variables.data[i].spec.name);
    }
    const char *question = rb_text_near_question(&near, "", diag->arena);
    if (!c->name[0])
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "the model has no parameter '%s'%s", name,
                       question);
    if (near.name)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "component '%s' has no parameter or input '%s'%s", c->name, name, question);
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "component '%s' has no parameter or input '%s'; it has: %s", c->name, name,
                   known.count ? known.data : "none");
}

void rb_instance_keep(RbInstance *c, const char *name, double value) {
    for (int i = 0; i < c->settings.count; i++) {
        if (strcmp(c->settings.data[i].name, name) != 0) continue;
        c->settings.data[i].value = value;
        return;
    }
    RbArena *arena = c->declared.arena;
    rb_array_push(&c->settings, arena, (RbSetting){rb_arena_text(arena, name), value});
}

bool rb_instance_set(RbInstance *c, const char *name, double value) {
    if (!c->type->set || !c->type->set(c->self, name, value)) return false;
    rb_instance_keep(c, name, value);
    return true;
}

bool rb_instance_has(const RbInstance *c, const char *name) {
    for (int i = 0; i < c->declared.parameters.count; i++) {
        if (strcmp(c->declared.parameters.data[i].spec.name, name) == 0) return true;
    }
    return false;
}

RbStatus rb_instance_override(RbInstance *c, const char *name, double value, RbDiag *diag) {
    for (int i = 0; i < c->declared.parameters.count; i++) {
        RbParameter *p = &c->declared.parameters.data[i];
        if (strcmp(p->spec.name, name) != 0) continue;
        RB_TRY(check_parameter(c, &p->spec, value, diag));
        p->value = value;
        return RB_OK;
    }
    for (int i = 0; !c->driven && i < c->declared.variables.count; i++) {
        RbVariable *v = &c->declared.variables.data[i];
        if (v->spec.kind != RB_VARIABLE_INPUT || strcmp(v->spec.name, name) != 0) continue;
        v->value = value;
        return RB_OK;
    }
    return rb_instance_set(c, name, value) ? RB_OK : fail_unknown(c, name, diag);
}

void rb_instance_save_settings(const RbInstance *c, RbPacker *packer) {
    const RbBuild *b = &c->declared;
    for (int i = 0; i < b->parameters.count; i++)
        rb_pack_double(packer, b->parameters.data[i].value);
    for (int i = 0; i < b->variables.count; i++) rb_pack_double(packer, b->variables.data[i].value);
}

void rb_instance_load_settings(RbInstance *c, RbUnpacker *unpacker) {
    RbBuild *b = &c->declared;
    for (int i = 0; i < b->parameters.count; i++) {
        RbParameter *p = &b->parameters.data[i];
        double value = rb_unpack_double(unpacker);
        if (!is_within(&p->spec, value) || (p->spec.integer && value != rint(value)))
            unpacker->ok = false; // forged
        else
            p->value = value;
    }
    for (int i = 0; i < b->variables.count; i++)
        b->variables.data[i].value = rb_unpack_double(unpacker);
}
