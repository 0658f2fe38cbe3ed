// SPDX-License-Identifier: MIT
#include "fmi/component.h"

const RbComponentType *rb_fmi_component(RbFmi *f, bool exchange, RbPos at, RbDiag *diag) {
    const RbFmiKind *kind = exchange ? &f->exchange : &f->cosimulation;
    if (!kind->identifier) {
        rb_fail(diag, RB_ERROR_MODEL, at,
                "FMU '%s' is for %s alone: the class must say component = \"%s\"", f->file,
                exchange ? "co-simulation" : "model exchange",
                exchange ? RB_FMI_COSIMULATION : RB_FMI_EXCHANGE);
        return NULL;
    }
    RbComponentType *type = &f->types[exchange];
    *type = exchange ? rb_fmi_exchange : rb_fmi_cosimulation;
    type->name = f->name;
    if (f->description[0]) type->description = f->description;
    return type;
}
