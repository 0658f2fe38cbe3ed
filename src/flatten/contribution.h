// SPDX-License-Identifier: MIT
// contribution.h: what a component in C adds to the model for one instance of a class that it
// implements (docs/decisions/two-halves.md):
//
//     model Rod
//       parameter Integer n = 5;
//       HeatPort port_a, port_b;
//       annotation(__Rattleback(component = "InsulatedRod"));
//     end Rod;
//
// Variables are matched by name with those of the class; what the class does not have is added. The
// language knows no components: who flattens a model hands over a function that builds them.
#pragma once

#include "base/diag.h"
#include "rattleback/component.h"

typedef struct RbContribution {
    int component; // its number, for the calls
    const RbVariableSpec *variables;
    int variable_count;
    const char *const *equations; // in Modelica's notation, seen from inside the class
    int equation_count;
    const RbFunctionSpec *functions;
    int function_count;
    int *flat; // out: the variable of the flat model that each variable is
} RbContribution;

// The instances of classes below one anchor that make up one component.
typedef struct RbGathered {
    const char *anchor; // path
    RbMember *members;
    int count;
    int set_count; // connection sets of opaque connectors
} RbGathered;

// What a class says of its component.
typedef struct RbComponentClass {
    const char *type;
    const char *file; // that it is made of, an FMU; NULL: none
} RbComponentClass;

// Build the component of a class for the instance `path`, or of the members that were gathered (NULL:
// none). Answers false after saying why there is none.
typedef bool RbContribute(void *user, const RbComponentClass *class, const char *path, RbPos at,
                          const RbGathered *gathered, RbContribution *out);

// The roles that a component has; NULL after saying that there is no such component, or that it has
// none.
typedef const RbRoleSpec *RbFindRoles(void *user, const char *type, RbPos at);
