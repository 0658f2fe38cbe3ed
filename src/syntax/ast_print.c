// SPDX-License-Identifier: MIT
// The syntax tree as Modelica text. Same tokens as were parsed; layout is ours.
#include "syntax/ast.h"

typedef struct Printer {
    RbText *out;
    int indent;
} Printer;

static void print_mod(Printer *p, const RbAstMod *mod);
static void print_element(Printer *p, const RbAstElement *e);
static void print_class(Printer *p, const RbAstClass *c);
static void print_equation(Printer *p, const RbAstEquation *e, bool algorithm);

static void add(Printer *p, const char *text) {
    rb_text_add(p->out, text);
}

static void new_line(Printer *p) {
    add(p, "\n");
    for (int i = 0; i < p->indent; i++) add(p, "  ");
}

const char *rb_ast_strings(const RbAstStrings *s, RbArena *arena) {
    RbText text = rb_text(arena);
    for (int i = 0; i < s->count; i++)
        rb_text_add(&text, rb_string_value(s->parts[i].start, s->parts[i].length, arena));
    return s->count > 0 ? text.data : "";
}

const char *rb_restriction_name(RbRestriction restriction) {
    static const char *const names[] = {"class",
                                        "model",
                                        "record",
                                        "operator record",
                                        "block",
                                        "connector",
                                        "expandable connector",
                                        "type",
                                        "package",
                                        "function",
                                        "operator function",
                                        "operator"};
    return names[restriction];
}

static void print_text(Printer *p, RbAstText t) {
    if (t.length > 0) rb_text_add_bytes(p->out, t.start, (size_t)t.length);
}

static void print_strings(Printer *p, RbAstStrings s) {
    for (int i = 0; i < s.count; i++) {
        add(p, i > 0 ? " + " : " ");
        print_text(p, s.parts[i]);
    }
}

static void print_annotation(Printer *p, const RbAstMod *annotation) {
    if (!annotation) return;
    add(p, " annotation");
    print_mod(p, annotation);
}

static void print_comment(Printer *p, const RbAstComment *c) {
    print_strings(p, c->text);
    print_annotation(p, c->annotation);
}

void rb_ast_print_name(const RbAstName *name, RbText *out) {
    for (int i = 0; i < name->count; i++) {
        if (i > 0 || name->global) rb_text_add(out, ".");
        rb_text_add(out, name->parts[i]);
    }
}

// --- expressions ---------------------------------------------------------------------------------

static void print_expr(Printer *p, const RbAstExpr *e);

static void print_list(Printer *p, RbAstExpr *const *list, int count) {
    for (int i = 0; i < count; i++) {
        if (i > 0) add(p, ", ");
        if (list[i]) print_expr(p, list[i]);
    }
}

static void print_subscripts(Printer *p, RbAstExpr *const *list, int count) {
    if (count == 0) return;
    add(p, "[");
    print_list(p, list, count);
    add(p, "]");
}

static void print_iterators(Printer *p, const RbAstIterator *list, int count) {
    for (int i = 0; i < count; i++) {
        add(p, i > 0 ? ", " : "");
        add(p, list[i].name);
        if (!list[i].range) continue;
        add(p, " in ");
        print_expr(p, list[i].range);
    }
}

static void print_reference(Printer *p, const RbAstExpr *e) {
    for (int i = 0; i < e->kid_count; i++) {
        if (i > 0 || e->global) add(p, ".");
        add(p, e->parts[i].name);
        print_subscripts(p, e->parts[i].subscripts, e->parts[i].subscript_count);
    }
}

static void print_for(Printer *p, const RbAstExpr *e) {
    if (e->iterator_count == 0) return;
    add(p, " for ");
    print_iterators(p, e->iterators, e->iterator_count);
}

static void print_operator(Printer *p, RbTokenKind op) {
    const char *name = rb_token_kind_name(op); // in quotes
    for (name++; name[1]; name++) rb_text_add_bytes(p->out, name, 1);
}

static void print_if(Printer *p, const RbAstExpr *e) {
    for (int i = 0; i + 1 < e->kid_count; i += 2) {
        add(p, i > 0 ? " elseif " : "if ");
        print_expr(p, e->kids[i]);
        add(p, " then ");
        print_expr(p, e->kids[i + 1]);
    }
    add(p, " else ");
    print_expr(p, e->kids[e->kid_count - 1]);
}

static void print_rows(Printer *p, const RbAstExpr *e) {
    add(p, "[");
    for (int i = 0; i < e->kid_count; i++) {
        add(p, i > 0 ? "; " : "");
        print_expr(p, e->kids[i]);
    }
    add(p, "]");
}

static void print_expr(Printer *p, const RbAstExpr *e) {
    switch (e->kind) {
        case RB_AST_ERROR: add(p, "?"); break;
        case RB_AST_INTEGER:
        case RB_AST_REAL:
        case RB_AST_STRING:
        case RB_AST_TRUE:
        case RB_AST_FALSE:
        case RB_AST_END: print_text(p, e->text); break;
        case RB_AST_REF: print_reference(p, e); break;
        case RB_AST_FUNCTION: add(p, "function "); // fall through
        case RB_AST_CALL:
            print_expr(p, e->kids[0]);
            add(p, "(");
            print_list(p, e->kids + 1, e->kid_count - 1);
            print_for(p, e);
            add(p, ")");
            break;
        case RB_AST_NAMED:
            add(p, e->name);
            add(p, " = ");
            print_expr(p, e->kids[0]);
            break;
        case RB_AST_TUPLE:
            add(p, "(");
            print_list(p, e->kids, e->kid_count);
            add(p, ")");
            break;
        case RB_AST_MATRIX: print_rows(p, e); break;
        case RB_AST_LIST: print_list(p, e->kids, e->kid_count); break;
        case RB_AST_ARRAY:
            add(p, "{");
            print_list(p, e->kids, e->kid_count);
            print_for(p, e);
            add(p, "}");
            break;
        case RB_AST_COLON: add(p, ":"); break;
        case RB_AST_RANGE:
            for (int i = 0; i < e->kid_count; i++) {
                add(p, i > 0 ? ":" : "");
                print_expr(p, e->kids[i]);
            }
            break;
        case RB_AST_UNARY:
            print_operator(p, e->op);
            if (e->op == RB_TOKEN_NOT) add(p, " ");
            print_expr(p, e->kids[0]);
            break;
        case RB_AST_BINARY:
            print_expr(p, e->kids[0]);
            add(p, " ");
            print_operator(p, e->op);
            add(p, " ");
            print_expr(p, e->kids[1]);
            break;
        case RB_AST_IF: print_if(p, e); break;
        case RB_AST_BREAK: add(p, "break"); break;
    }
}

// --- modifications -------------------------------------------------------------------------------

static void print_argument(Printer *p, const RbAstArgument *a) {
    if (a->is_break) {
        add(p, "break ");
        if (a->broken_connect)
            print_equation(p, a->broken_connect, false);
        else
            rb_ast_print_name(&a->name, p->out);
        return;
    }
    if (a->element && a->element->redeclare) add(p, "redeclare ");
    if (a->each) add(p, "each ");
    if (a->final) add(p, "final ");
    if (a->element) {
        print_element(p, a->element);
        return;
    }
    rb_ast_print_name(&a->name, p->out);
    print_mod(p, a->mod);
    print_strings(p, a->text);
}

static void print_mod(Printer *p, const RbAstMod *mod) {
    if (!mod) return;
    if (mod->parentheses) {
        add(p, "(");
        for (int i = 0; i < mod->count; i++) {
            if (i > 0) add(p, ", ");
            print_argument(p, &mod->arguments[i]);
        }
        add(p, ")");
    }
    if (!mod->value) return;
    add(p, mod->assign ? " := " : " = ");
    print_expr(p, mod->value);
}

// --- elements ------------------------------------------------------------------------------------

static void print_import(Printer *p, const RbAstElement *e) {
    add(p, "import ");
    if (e->import == RB_IMPORT_RENAMED) {
        add(p, e->alias);
        add(p, " = ");
    }
    rb_ast_print_name(&e->type, p->out);
    if (e->import == RB_IMPORT_ALL) add(p, ".*");
    if (e->import == RB_IMPORT_LIST) {
        add(p, ".{");
        for (int i = 0; i < e->import_count; i++) {
            if (i > 0) add(p, ", ");
            add(p, e->imports[i]);
        }
        add(p, "}");
    }
    print_comment(p, &e->comment);
}

static void print_causality(Printer *p, RbAstCausality c) {
    add(p, c == RB_AST_INPUT ? "input " : c == RB_AST_OUTPUT ? "output " : "");
}

static void print_components(Printer *p, const RbAstElement *e) {
    static const char *const variability[] = {"", "discrete ", "parameter ", "constant "};
    add(p, e->flow == RB_AST_FLOW ? "flow " : e->flow == RB_AST_STREAM ? "stream " : "");
    add(p, variability[e->variability]);
    print_causality(p, e->causality);
    rb_ast_print_name(&e->type, p->out);
    print_subscripts(p, e->dimensions, e->dimension_count);
    for (int i = 0; i < e->component_count; i++) {
        const RbAstComponent *c = &e->components[i];
        add(p, i > 0 ? ", " : " ");
        add(p, c->name);
        print_subscripts(p, c->dimensions, c->dimension_count);
        print_mod(p, c->mod);
        if (c->condition) {
            add(p, " if ");
            print_expr(p, c->condition);
        }
        print_comment(p, &c->comment);
    }
}

// Without "redeclare" where it stands in a modification: there it comes before "each".
static void print_element(Printer *p, const RbAstElement *e) {
    if (e->kind == RB_AST_IMPORT) {
        print_import(p, e);
        return;
    }
    if (e->kind == RB_AST_EXTENDS) {
        add(p, "extends ");
        rb_ast_print_name(&e->type, p->out);
        print_mod(p, e->mod);
        print_annotation(p, e->comment.annotation);
        return;
    }
    add(p, e->final ? "final " : "");
    add(p, e->inner ? "inner " : "");
    add(p, e->outer ? "outer " : "");
    add(p, e->replaceable ? "replaceable " : "");
    if (e->kind == RB_AST_CLASS)
        print_class(p, e->class);
    else
        print_components(p, e);
    if (e->constrained) {
        add(p, " constrainedby ");
        rb_ast_print_name(&e->constraint, p->out);
        print_mod(p, e->constraint_mod);
        print_comment(p, &e->comment);
    }
}

// --- equations -----------------------------------------------------------------------------------

static void print_equations(Printer *p, RbAstEquation *const *list, int count, bool algorithm) {
    p->indent++;
    for (int i = 0; i < count; i++) {
        new_line(p);
        print_equation(p, list[i], algorithm);
        add(p, ";");
    }
    p->indent--;
}

static void print_blocks(Printer *p, const RbAstEquation *e, bool algorithm) {
    const char *word = e->kind == RB_AST_EQ_IF ? "if" : "when";
    for (int i = 0; i < e->block_count; i++) {
        const RbAstBlock *b = &e->blocks[i];
        if (i > 0) new_line(p);
        if (i > 0) add(p, "else");
        if (b->condition) {
            add(p, word);
            add(p, " ");
            print_expr(p, b->condition);
            add(p, " then");
        }
        print_equations(p, b->list, b->count, algorithm);
    }
    new_line(p);
    add(p, "end ");
    add(p, word);
}

static void print_loop(Printer *p, const RbAstEquation *e, bool algorithm) {
    const char *word = e->kind == RB_AST_EQ_FOR ? "for" : "while";
    add(p, word);
    add(p, " ");
    if (e->kind == RB_AST_EQ_FOR)
        print_iterators(p, e->iterators, e->iterator_count);
    else
        print_expr(p, e->blocks[0].condition);
    add(p, " loop");
    print_equations(p, e->blocks[0].list, e->blocks[0].count, algorithm);
    new_line(p);
    add(p, "end ");
    add(p, word);
}

static void print_equation(Printer *p, const RbAstEquation *e, bool algorithm) {
    switch (e->kind) {
        case RB_AST_EQ_ERROR: add(p, "?"); break;
        case RB_AST_EQ_EQUAL:
            print_expr(p, e->left);
            add(p, algorithm ? " := " : " = ");
            print_expr(p, e->right);
            break;
        case RB_AST_EQ_CALL: print_expr(p, e->left); break;
        case RB_AST_EQ_CONNECT:
            add(p, "connect(");
            print_expr(p, e->left);
            add(p, ", ");
            print_expr(p, e->right);
            add(p, ")");
            break;
        case RB_AST_EQ_IF:
        case RB_AST_EQ_WHEN: print_blocks(p, e, algorithm); break;
        case RB_AST_EQ_FOR:
        case RB_AST_EQ_WHILE: print_loop(p, e, algorithm); break;
        case RB_AST_EQ_BREAK: add(p, "break"); break;
        case RB_AST_EQ_RETURN: add(p, "return"); break;
    }
    print_comment(p, &e->comment);
}

// --- classes -------------------------------------------------------------------------------------

static void print_section(Printer *p, const RbAstClass *c, const RbAstSection *s) {
    static const char *const headings[] = {
        "",          "public",           "protected", "equation", "initial equation",
        "algorithm", "initial algorithm"};
    if (s->kind != RB_AST_ELEMENTS) {
        new_line(p);
        add(p, headings[s->kind]);
    }
    if (s->kind > RB_AST_PROTECTED) {
        print_equations(p, s->list, s->count, s->kind >= RB_AST_ALGORITHM);
        return;
    }
    p->indent++;
    for (int i = s->first; i < s->first + s->count; i++) {
        new_line(p);
        if (c->elements[i]->redeclare) add(p, "redeclare ");
        print_element(p, c->elements[i]);
        add(p, ";");
    }
    p->indent--;
}

static void print_external(Printer *p, const RbAstExternal *x) {
    new_line(p);
    add(p, "external ");
    print_text(p, x->language);
    if (x->result) {
        add(p, " ");
        print_expr(p, x->result);
        add(p, " =");
    }
    if (x->function) {
        add(p, " ");
        add(p, x->function);
        add(p, "(");
        print_list(p, x->arguments, x->argument_count);
        add(p, ")");
    }
    print_annotation(p, x->annotation);
    add(p, ";");
}

static void print_short(Printer *p, const RbAstClass *c) {
    add(p, " = ");
    if (c->specifier == RB_AST_ENUMERATION) {
        add(p, c->open ? "enumeration(:" : "enumeration(");
        for (int i = 0; i < c->literal_count; i++) {
            if (i > 0) add(p, ", ");
            add(p, c->literals[i].name);
            print_comment(p, &c->literals[i].comment);
        }
        add(p, ")");
    } else if (c->specifier == RB_AST_DERIVATIVE) {
        add(p, "der(");
        rb_ast_print_name(&c->type, p->out);
        for (int i = 0; i < c->variable_count; i++) {
            add(p, ", ");
            add(p, c->variables[i]);
        }
        add(p, ")");
    } else {
        print_causality(p, c->causality);
        rb_ast_print_name(&c->type, p->out);
        print_subscripts(p, c->dimensions, c->dimension_count);
        print_mod(p, c->mod);
    }
    print_strings(p, c->text);
    print_annotation(p, c->annotation);
}

static void print_class(Printer *p, const RbAstClass *c) {
    add(p, c->encapsulated ? "encapsulated " : "");
    add(p, c->partial ? "partial " : "");
    add(p, c->pure ? "pure " : c->impure ? "impure " : "");
    add(p, rb_restriction_name(c->restriction));
    add(p, c->specifier == RB_AST_LONG_EXTENDS ? " extends " : " ");
    add(p, c->name);
    if (c->specifier != RB_AST_LONG && c->specifier != RB_AST_LONG_EXTENDS) {
        print_short(p, c);
        return;
    }
    print_mod(p, c->extends_mod);
    print_strings(p, c->text);
    for (int i = 0; i < c->section_count; i++) print_section(p, c, &c->sections[i]);
    p->indent++;
    if (c->external) print_external(p, c->external);
    if (c->annotation) {
        new_line(p);
        add(p, "annotation");
        print_mod(p, c->annotation);
        add(p, ";");
    }
    p->indent--;
    new_line(p);
    add(p, "end ");
    add(p, c->name);
}

void rb_ast_print_class(const RbAstClass *class, int indent, RbText *out) {
    print_class(&(Printer){out, indent}, class);
}

void rb_ast_print_expr(const RbAstExpr *expr, RbText *out) {
    print_expr(&(Printer){out, 0}, expr);
}

void rb_ast_print(const RbAstFile *file, RbText *out) {
    Printer p = {out, 0};
    if (file->has_within) {
        add(&p, "within");
        if (file->within.count > 0) add(&p, " ");
        rb_ast_print_name(&file->within, out);
        add(&p, ";\n");
    }
    for (int i = 0; i < file->class_count; i++) {
        add(&p, file->classes[i]->final ? "final " : "");
        print_class(&p, file->classes[i]);
        add(&p, ";\n");
    }
}
