// SPDX-License-Identifier: MIT
#include "dae/report.h"

#include <math.h>
#include <string.h>

#include "dae/matrix.h"
#include "dae/solve.h"
#include "expr/print.h"

enum { SHOWN = 8, TEXT_MAX = 120 };

const char *rb_eq_text(RbWork *w, const RbDaeEq *eq) {
    RbText text = rb_text(w->scratch);
    rb_expr_print(eq->left, w->model, NULL, &text);
    rb_text_add(&text, " = ");
    rb_expr_print(eq->right, w->model, NULL, &text);
    if (text.count > TEXT_MAX) {
        text.count = TEXT_MAX;
        text.data[TEXT_MAX] = 0;
        rb_text_add(&text, " ...");
    }
    return text.data;
}

static int members(const unsigned char *marks, int count) {
    int n = 0;
    for (int i = 0; i < count; i++) n += marks[i];
    return n;
}

static void list_vars(RbWork *w, const unsigned char *marks, int count, const int *vars,
                      RbText *out) {
    int shown = 0, total = members(marks, count);
    for (int c = 0; c < count && shown < SHOWN; c++) {
        if (!marks[c] || w->model->vars.data[vars[c]].name[0] == '$') continue;
        rb_text_printf(out, "%s'%s'", shown++ > 0 ? ", " : "", w->model->vars.data[vars[c]].name);
    }
    if (total > SHOWN) rb_text_printf(out, " and %d more", total - SHOWN);
}

static void note_equations(RbWork *w, const unsigned char *marks, int count, const int *row_eqs,
                           const RbDaeEq *eqs) {
    int shown = 0;
    for (int r = 0; r < count && shown < SHOWN; r++) {
        if (!marks[r]) continue;
        const RbDaeEq *eq = &eqs[row_eqs[r]];
        rb_note(w->diag, eq->at, "one of them is: %s", rb_eq_text(w, eq));
        shown++;
    }
}

// The output that a row v = f(time, ...) of a component in C computes; NULL: the row is something
// else. Its function knows its own name, whatever v is called after aliases are gone.
static const char *component_output(RbWork *w, const RbDaeEq *eq) {
    const RbExpr *e = eq->right;
    int result = e->op == RB_OP_RESULT ? e->index : 0;
    if (e->op == RB_OP_RESULT) e = e->args[0];
    if (e->op != RB_OP_CALL) return NULL;
    const RbFunction *f = w->model->functions.data[e->index];
    if (f->kind != RB_FUNCTION_COMPONENT || result >= f->output_count - 1) return NULL;
    return rb_arena_printf(w->scratch, "%s.%s", eq->origin,
                           f->vars.data[f->input_count + result].name);
}

// A component in C that computes an output from its own states wants to be the only one who
// determines it. Answers whether that is the trouble: then it was reported.
static bool report_components(RbWork *w, const unsigned char *marks, int count, const int *row_eqs,
                              const RbDaeEq *eqs) {
    RbText outputs = rb_text(w->scratch), owners = rb_text(w->scratch);
    const RbDaeEq *first = NULL, *last = NULL;
    int owner_count = 0;
    for (int r = 0; r < count; r++) {
        const RbDaeEq *eq = &eqs[row_eqs[r]];
        const char *name = marks[r] ? component_output(w, eq) : NULL;
        if (!name) continue;
        rb_text_printf(&outputs, "%s'%s'", first ? ", " : "", name);
        if (!last || last->origin != eq->origin)
            rb_text_printf(&owners, "%s'%s'", owner_count++ > 0 ? ", " : "", eq->origin);
        last = eq;
        if (!first) first = eq;
    }
    if (!first) return false;
    if (owner_count > 1) {
        rb_fail(w->diag, RB_ERROR_MODEL, first->at,
                "the components %s in C own the same quantity as a state: each computes its own of "
                "%s, and the equations "
                "between them determine one by the others; put an element between them (a "
                "resistance), or use a class with "
                "equations for all but one",
                owners.data, outputs.data);
    } else {
        rb_fail(w->diag, RB_ERROR_MODEL, first->at,
                "the component %s in C computes %s from states of its own, but other equations "
                "determine this as well; put an "
                "element between them (a resistance), or use a class with equations",
                owners.data, outputs.data);
    }
    note_equations(w, marks, count, row_eqs, eqs);
    return true;
}

// With whole arrays that says little: take those apart that have too many equations, or too few.
static RbStatus blame_singular(RbWork *w, const RbMatching *m, const RbGraph *g, const int *row_eqs,
                               const int *column_vars, const RbDaeEq *eqs) {
    const char *why = "its elements have equations of their own";
    unsigned char *rows = rb_new_array(w->scratch, unsigned char, g->rows + 1);
    unsigned char *columns = rb_new_array(w->scratch, unsigned char, g->columns + 1);
    rb_overdetermined(g, m, rows, columns, *w->temp);
    int first = 0;
    while (first < g->rows && !rows[first]) first++;
    for (int c = 0; c < g->columns; c++) {
        int v = column_vars[c];
        if (columns[c] && first < g->rows) rb_blame_array(w, v, why, eqs[row_eqs[first]].at);
        if (m->row_of_column[c] < 0) rb_blame_array(w, v, why, w->model->vars.data[v].at);
    }
    return RB_ERROR_MODEL;
}

// A part of the graph: its equations and its unknowns, marked.
typedef struct Part {
    const RbGraph *g;
    const unsigned char *rows, *columns;
    const int *row_eqs, *column_vars;
    const RbDaeEq *eqs;
} Part;

typedef struct Marked {
    const RbGraph *g;
    const int *column_vars;
    const unsigned char *marks; // by column
    int row;
} Marked;

static bool is_marked(void *marked, int var) {
    const Marked *m = marked;
    for (int k = m->g->start[m->row]; k < m->g->start[m->row + 1]; k++) {
        int c = m->g->items[k];
        if (m->column_vars[c] == var) return m->marks[c];
    }
    return false;
}

// Does an equation stay the same if all potentials rise by the same? -3*u + v does not.
static bool knows_differences(RbWork *w, const Part *p, int row, const unsigned char *potentials) {
    const RbDaeEq *eq = &p->eqs[p->row_eqs[row]];
    Marked marked = {p->g, p->column_vars, potentials, row};
    RbSlopes slopes =
        rb_slopes(w, rb_sub(w->x, eq->left, eq->right), is_marked, &marked, w->scratch);
    double sum = 0, number;
    for (int i = 0; i < slopes.count; i++) {
        const RbExpr *e = slopes.data[i].value;
        if (!e || !rb_parameter_number(w, e, &number)) return true; // not known to be otherwise
        sum += number;
    }
    return fabs(sum) < 1e-9;
}

// The potentials of a part (by column) if no equation fixes one of them alone: only differences are
// known. Answers how many there are; 0: that is not the trouble.
static int floating_potentials(RbWork *w, const Part *p, unsigned char *potentials) {
    int count = 0;
    for (int c = 0; c < p->g->columns; c++) {
        potentials[c] = p->columns[c] && w->model->vars.data[p->column_vars[c]].is_potential;
        count += potentials[c];
    }
    for (int r = 0; r < p->g->rows; r++) {
        int here = 0;
        for (int k = p->g->start[r]; p->rows[r] && k < p->g->start[r + 1]; k++)
            here += potentials[p->g->items[k]];
        bool one = here == 1 || (here > 1 && !knows_differences(w, p, r, potentials));
        if (one) return 0;
    }
    return count > 1 ? count : 0;
}

static bool report_floating(RbWork *w, const Part *p) {
    unsigned char *potentials = rb_new_array(w->scratch, unsigned char, p->g->columns + 1);
    if (floating_potentials(w, p, potentials) == 0) return false;
    int first = 0;
    while (!potentials[first]) first++;
    const RbFlatVar *v = &w->model->vars.data[p->column_vars[first]];
    bool volt = v->attributes.unit && strcmp(v->attributes.unit, "V") == 0;
    RbText names = rb_text(w->scratch);
    list_vars(w, potentials, p->g->columns, p->column_vars, &names);
    rb_fail(w->diag, RB_ERROR_MODEL, rb_flat_var_place(v),
            "%s: the equations know only differences of %s; %s",
            volt ? "no reference potential" : "no reference", names.data,
            volt ? "connect a ground" : "give one of them a value");
    return true;
}

// "of the component 'a' " if all of them belong to one
static const char *common_component(RbWork *w, const Part *p) {
    const char *common = NULL;
    size_t length = 0;
    for (int c = 0; c < p->g->columns; c++) {
        if (!p->columns[c]) continue;
        const char *name = w->model->vars.data[p->column_vars[c]].name;
        const char *dot = strchr(name, '.');
        size_t own = dot ? (size_t)(dot - name) : 0;
        if (own == 0 || name[0] == '$' || strncmp(name, "der(", 4) == 0) return "";
        if (common && (own != length || strncmp(common, name, own) != 0)) return "";
        common = name;
        length = own;
    }
    return common ? rb_arena_printf(w->scratch, " of the component '%.*s'", (int)length, common)
                  : "";
}

static void report_too_few(RbWork *w, const Part *p, const char *what) {
    int unknowns = members(p->columns, p->g->columns), equations = members(p->rows, p->g->rows);
    int first = 0;
    if (report_floating(w, p)) return;
    while (!p->columns[first]) first++;
    // States follow from their derivatives: what is missing is rather one of the others.
    unsigned char *likely = rb_new_array(w->scratch, unsigned char, p->g->columns + 1);
    for (int c = 0; c < p->g->columns; c++)
        likely[c] = p->columns[c] && rb_work_at(w, p->column_vars[c])->derivative < 0;
    bool some = members(likely, p->g->columns) > 0 && members(likely, p->g->columns) < unknowns;
    RbText names = rb_text(w->scratch);
    list_vars(w, some ? likely : p->columns, p->g->columns, p->column_vars, &names);
    const char *imbalance = w->model->imbalance;
    rb_fail(
        w->diag, RB_ERROR_MODEL, rb_flat_var_place(&w->model->vars.data[p->column_vars[first]]),
        "%s%s%s has too few equations: %d for the %d unknown%s%s %s%s; add an equation or give a "
        "value",
        imbalance ? imbalance : "", imbalance ? "; " : "", what, equations, unknowns,
        unknowns == 1 ? "" : "s", some ? ", among them" : "", names.data, common_component(w, p));
    note_equations(w, p->rows, p->g->rows, p->row_eqs, p->eqs);
}

// Too few equations: name what cannot be found. Too many: name what contradicts.
RbStatus rb_report_singular(RbWork *w, const RbGraph *g, const RbMatching *m, const int *row_eqs,
                            const int *column_vars, const RbDaeEq *eqs, const char *what) {
    if (w->dae->any_whole) return blame_singular(w, m, g, row_eqs, column_vars, eqs);
    unsigned char *rows = rb_new_array(w->scratch, unsigned char, g->rows + 1);
    unsigned char *columns = rb_new_array(w->scratch, unsigned char, g->columns + 1);
    rb_overdetermined(g, m, rows, columns, *w->temp);
    int too_many = members(rows, g->rows);
    const char *imbalance = w->model->imbalance;
    if (too_many > 0 && !report_components(w, rows, g->rows, row_eqs, eqs)) {
        int first = 0;
        while (!rows[first]) first++;
        RbText names = rb_text(w->scratch);
        list_vars(w, columns, g->columns, column_vars, &names);
        rb_fail(w->diag, RB_ERROR_MODEL, eqs[row_eqs[first]].at,
                "%s%s%s has too many equations: %d equation%s for %d unknown%s%s%s; remove an "
                "equation or leave a variable free",
                imbalance ? imbalance : "", imbalance ? "; " : "", what, too_many,
                too_many == 1 ? "" : "s",
                members(columns, g->columns), members(columns, g->columns) == 1 ? "" : "s",
                names.count > 0 ? " " : "", names.count > 0 ? names.data : "");
        note_equations(w, rows, g->rows, row_eqs, eqs);
    }
    unsigned char *free_rows = rb_new_array(w->scratch, unsigned char, g->rows + 1);
    unsigned char *free_columns = rb_new_array(w->scratch, unsigned char, g->columns + 1);
    rb_underdetermined(g, m, free_rows, free_columns, *w->temp);
    Part part = {g, free_rows, free_columns, row_eqs, column_vars, eqs};
    if (members(free_columns, g->columns) > 0) report_too_few(w, &part, what);
    for (int i = 0; i < w->model->left_out.count; i++)
        rb_note(w->diag, w->model->left_out.data[i].at, "%s", w->model->left_out.data[i].text);
    return RB_ERROR_MODEL;
}
