// SPDX-License-Identifier: MIT
#include "translate/components.h"

#include "component/instance.h"

// The component is built to see what it declares; a model builds it again, since each model has
// components of its own.
bool rb_contribute(void *user, const char *name, const char *path, RbPos at, RbContribution *out) {
    RbComponentSearch *s = user;
    const RbComponentType *type = rb_registry_find(s->registry, name, s->diag);
    RbInstance built;
    if (!type || rb_instance_create(type, path, NULL, s->arena, s->diag, &built) != RB_OK) {
        rb_note(s->diag, at, "the class of '%s' names this component", path);
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
    RbTranslatedComponent found = {.type = type, .path = rb_arena_text(s->arena, path), .at = at};
    rb_array_push(&s->found, s->arena, found);
    return true;
}

void rb_contributed(void *user, const RbContribution *c) {
    RbComponentSearch *s = user;
    s->found.data[c->component].flat = c->flat;
}
