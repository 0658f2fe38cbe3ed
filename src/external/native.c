// SPDX-License-Identifier: MIT
#include "external/native.h"

#include <string.h>

const RbNative *rb_native_find(const char *name) {
    for (int i = 0; i < rb_native_table_count; i++) {
        if (strcmp(rb_native_tables[i].name, name) == 0) return &rb_native_tables[i];
    }
    for (int i = 0; i < rb_native_solid_count; i++) {
        if (strcmp(rb_native_solids[i].name, name) == 0) return &rb_native_solids[i];
    }
    for (int i = 0; i < rb_native_lapack_count; i++) {
        if (strcmp(rb_native_lapack[i].name, name) == 0) return &rb_native_lapack[i];
    }
    return NULL;
}

static bool fits(char kind, const RbExprValue *v) {
    switch (kind) {
        case 'o': return v->type == RB_EXTERNAL && v->rank == 0;
        case 's': return v->text && v->rank == 0;
        case 'm': return v->data && v->rank > 0;
        default: return v->data && v->rank == 0 && v->type != RB_EXTERNAL;
    }
}

bool rb_native_fits(const RbNative *native, const RbExternalCall *c) {
    const char *colon = strchr(native->signature, ':');
    int count = (int)(colon - native->signature);
    if (c->arg_count != count) return false;
    for (int i = 0; i < count; i++) {
        if (!fits(native->signature[i], &c->args[i])) return false;
    }
    return colon[1] == 0 ? !c->result : c->result && fits(colon[1], c->result);
}
