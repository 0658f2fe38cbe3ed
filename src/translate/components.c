// SPDX-License-Identifier: MIT
#include "translate/components.h"

#include <string.h>

#include "component/instance.h"
#include "fmi/component.h"
#include "multibody/multibody.h"

// Bodies are built in, but below the registry in the layers.
static const RbComponentType *find_type(const RbComponentSearch *s, const char *name) {
    if (strcmp(name, rb_multibody.name) == 0) return &rb_multibody;
    if (s->registry) return rb_registry_find(s->registry, name, s->diag);
    rb_fail(s->diag, RB_ERROR_MODEL, RB_NOWHERE, "there is no component '%s' here", name);
    return NULL;
}

static RbFmi *open_fmu(RbComponentSearch *s, const char *file) {
    for (int i = 0; i < s->fmus.count; i++)
        if (strcmp(s->fmus.data[i]->path, file) == 0) return s->fmus.data[i];
    RbFmi *fmi;
    if (rb_fmi_open(file, s->arena, s->diag, &fmi) != RB_OK) return NULL;
    rb_array_push(&s->fmus, s->arena, fmi);
    return fmi;
}

// The type of a class that names an FMU.
static const RbComponentType *find_fmu(RbComponentSearch *s, const RbComponentClass *class,
                                       RbPos at, RbTranslatedComponent *found) {
    bool exchange = strcmp(class->type, RB_FMI_EXCHANGE) == 0;
    if (!exchange && strcmp(class->type, RB_FMI_COSIMULATION) != 0) {
        rb_fail(s->diag, RB_ERROR_MODEL, at,
                "the component '%s' of a class with a file must be \"" RB_FMI_EXCHANGE
                "\" or \"" RB_FMI_COSIMULATION "\", of an FMU",
                class->type);
        return NULL;
    }
    if (s->no_external) {
        rb_fail(s->diag, RB_ERROR_MODEL, at,
                "the FMU '%s' is a program of others, which is refused here", class->file);
        return NULL;
    }
    RbFmi *fmi = open_fmu(s, class->file);
    const RbComponentType *type = fmi ? rb_fmi_component(fmi, exchange, at, s->diag) : NULL;
    if (!type) return NULL;
    found->data = fmi;
    return type;
}

static RbStatus build(RbComponentSearch *s, const RbTranslatedComponent *c, RbInstance *built) {
    return c->data ? rb_instance_create(c->type, c->path, c->data, s->arena, s->diag, built)
                   : rb_instance_gather(c->type, c->path, c->gathered, s->arena, s->diag, built);
}

// The component is built to see what it declares; a model builds it again, since each model has
// components of its own.
bool rb_contribute(void *user, const RbComponentClass *class, const char *path, RbPos at,
                   const RbGathered *gathered, RbContribution *out) {
    RbComponentSearch *s = user;
    RbTranslatedComponent found = {
        .path = rb_arena_text(s->arena, path), .gathered = gathered, .at = at};
    found.type = class->file ? find_fmu(s, class, at, &found) : find_type(s, class->type);
    RbInstance built;
    if (!found.type || build(s, &found, &built) != RB_OK) {
        const RbMessage *said = s->diag->messages.data + s->diag->messages.count - 1;
        if (s->diag->messages.count == 0 || !said->at.file) // it does not show a place of its own
            rb_note(s->diag, at, "the class of '%s' names this component",
                    gathered ? gathered->anchor : path);
        return false;
    }
    const RbBuild *b = &built.declared;
    RbVariableSpec *variables = rb_new_array(s->arena, RbVariableSpec, b->variables.count + 1);
    for (int i = 0; i < b->variables.count; i++) variables[i] = b->variables.data[i].spec;
    *out = (RbContribution){.component = s->found.count,
                            .variables = variables,
                            .variable_count = b->variables.count,
                            .equations = b->equations.data,
                            .equation_count = b->equations.count,
                            .functions = b->functions.data,
                            .function_count = b->functions.count};
    rb_array_push(&s->found, s->arena, found);
    return true;
}

void rb_contributed(void *user, const RbContribution *c) {
    RbComponentSearch *s = user;
    s->found.data[c->component].flat = c->flat;
}

const RbRoleSpec *rb_find_roles(void *user, const char *name, RbPos at) {
    const RbComponentSearch *s = user;
    const RbComponentType *type = find_type(s, name);
    if (type && type->roles) return type->roles;
    if (!type)
        rb_note(s->diag, at, "the class declared here names this component");
    else
        rb_fail(s->diag, RB_ERROR_MODEL, at, "the component '%s' has no roles", name);
    return NULL;
}
