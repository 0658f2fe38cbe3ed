// SPDX-License-Identifier: MIT
#include "translate/components.h"

#include <string.h>

#include "component/instance.h"
#include "multibody/multibody.h"

// Bodies are built in, but below the registry in the layers.
static const RbComponentType *find_type(const RbComponentSearch *s, const char *name) {
    if (strcmp(name, rb_multibody.name) == 0) return &rb_multibody;
    if (s->registry) return rb_registry_find(s->registry, name, s->diag);
    rb_fail(s->diag, RB_ERROR_MODEL, RB_NOWHERE, "there is no component '%s' here", name);
    return NULL;
}

// The component is built to see what it declares; a model builds it again, since each model has
// components of its own.
bool rb_contribute(void *user, const char *name, const char *path, RbPos at,
                   const RbGathered *gathered, RbContribution *out) {
    RbComponentSearch *s = user;
    const RbComponentType *type = find_type(s, name);
    RbInstance built;
    if (!type || rb_instance_gather(type, path, gathered, s->arena, s->diag, &built) != RB_OK) {
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
    RbTranslatedComponent found = {
        .type = type, .path = rb_arena_text(s->arena, path), .gathered = gathered, .at = at};
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
