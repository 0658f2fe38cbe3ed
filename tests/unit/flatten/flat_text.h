// SPDX-License-Identifier: MIT
// flat_text.h: flatten a text and ask for the variables and equations of the flat model as they are
// printed.
#pragma once

#include "testing.h"

#include <string.h>

#include "expr/print.h"
#include "flatten/flatten.h"

typedef struct Model {
    Fixture f;
    RbFlatModel *flat;
} Model;

static inline void open_model(Model *m, const char *text) {
    fixture_open(&m->f);
    RbNames *names = rb_new(&m->f.arena, RbNames);
    *names = rb_names(&m->f.arena);
    RbLibrary *library = rb_library(names, &m->f.arena, &m->f.scratch, &m->f.diag);
    const char *last = NULL;
    RbStatus status = rb_library_add_text(library, "test.mo", text, strlen(text), &last);
    if (status == RB_OK) status = rb_flatten(library, last, (RbFlattenOptions){0}, &m->flat);
    if (status != RB_OK) print_error("%s", fixture_message(&m->f, 0));
    ENSURE(status == RB_OK);
}

static inline void close_model(Model *m) {
    fixture_close(&m->f);
}

static inline const RbFlatVar *var(Model *m, const char *name) {
    for (int i = 0; i < m->flat->vars.count; i++) {
        if (strcmp(m->flat->vars.data[i].name, name) == 0) return &m->flat->vars.data[i];
    }
    return NULL;
}

static inline const char *text_of(Model *m, const RbExpr *e) {
    RbText out = rb_text(&m->f.arena);
    if (e)
        rb_expr_print(e, m->flat, NULL, &out);
    else
        rb_text_add(&out, "none");
    return out.data;
}

static inline const char *binding(Model *m, const char *name) {
    const RbFlatVar *v = var(m, name);
    return v ? text_of(m, v->binding) : "no such variable";
}

static inline const char *start(Model *m, const char *name) {
    const RbFlatVar *v = var(m, name);
    return v ? text_of(m, v->attributes.start) : "no such variable";
}

// Is there an equation that prints like this?
static inline bool has(Model *m, const char *text) {
    for (int i = 0; i < m->flat->equations.count; i++) {
        const RbEquation *eq = m->flat->equations.data[i];
        if (eq->kind != RB_EQ_EQUAL) continue;
        if (strcmp(rb_arena_printf(&m->f.arena, "%s = %s", text_of(m, eq->left),
                                   text_of(m, eq->right)),
                   text) == 0) {
            return true;
        }
    }
    return false;
}

// Are two variables equal, written in either order?
static inline bool joined(Model *m, const char *a, const char *b) {
    return has(m, rb_arena_printf(&m->f.arena, "%s = %s", a, b)) ||
           has(m, rb_arena_printf(&m->f.arena, "%s = %s", b, a));
}
