// SPDX-License-Identifier: MIT
#include "dae/incidence.h"

RbIncidence rb_incidence_of(RbWork *w, const RbDaeEq *eqs, int count, RbUseEq use_eq,
                            RbUseVar use_var) {
    int vars = w->dae->vars.count, rows = 0, columns = 0;
    RbIncidence in = {.row_eqs = rb_new_array(w->scratch, int, count + 1),
                      .column_vars = rb_new_array(w->scratch, int, vars + 1),
                      .column_of = rb_new_array(w->scratch, int, vars + 1)};
    for (int v = 0; v < vars; v++) in.column_of[v] = -1;
    for (int group = 1; group <= RB_GROUPS; group++) {
        for (int v = 0; v < vars; v++) {
            if (use_var(w, v) != group) continue;
            in.column_vars[columns] = v;
            in.column_of[v] = columns++;
        }
        in.limits[group - 1] = columns;
    }
    RB_ARRAY(int) items = {0};
    int *start = rb_new_array(w->scratch, int, count + 2);
    for (int e = 0; e < count; e++) {
        if (!use_eq(&eqs[e])) continue;
        RbArena temp = *w->temp;
        RbIndices all = rb_eq_vars(w, &eqs[e], &temp);
        for (int i = 0; i < all.count; i++) {
            if (in.column_of[all.data[i]] >= 0)
                rb_array_push(&items, w->scratch, in.column_of[all.data[i]]);
        }
        in.row_eqs[rows] = e;
        start[++rows] = items.count;
    }
    if (!items.data) items.data = rb_new(w->scratch, int);
    in.graph = (RbGraph){rows, columns, start, items.data};
    return in;
}

RbIncidence rb_incidence(RbWork *w, RbUseEq use_eq, RbUseVar use_var) {
    return rb_incidence_of(w, w->dae->eqs.data, w->dae->eqs.count, use_eq, use_var);
}
