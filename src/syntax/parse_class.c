// SPDX-License-Identifier: MIT
// Classes and their elements: one function per rule of the grammar, with the rule above it.
#include "syntax/parser.h"

bool rb_parser_at_class_prefix(const RbParser *p) {
    switch (p->token->kind) {
        case RB_TOKEN_PARTIAL:
        case RB_TOKEN_CLASS:
        case RB_TOKEN_MODEL:
        case RB_TOKEN_RECORD:
        case RB_TOKEN_BLOCK:
        case RB_TOKEN_EXPANDABLE:
        case RB_TOKEN_CONNECTOR:
        case RB_TOKEN_TYPE:
        case RB_TOKEN_PACKAGE:
        case RB_TOKEN_PURE:
        case RB_TOKEN_IMPURE:
        case RB_TOKEN_OPERATOR:
        case RB_TOKEN_FUNCTION:
        case RB_TOKEN_ENCAPSULATED: return true;
        default: return false;
    }
}

// class-prefixes = [ "partial" ] ( "class" | "model" | [ "operator" ] "record" | "block"
//                | [ "expandable" ] "connector" | "type" | "package"
//                | [ "pure" | "impure" ] [ "operator" ] "function" | "operator" )
static void class_prefixes(RbParser *p, RbAstClass *c) {
    c->partial = accept(p, RB_TOKEN_PARTIAL);
    c->pure = accept(p, RB_TOKEN_PURE);
    c->impure = !c->pure && accept(p, RB_TOKEN_IMPURE);
    bool is_operator = accept(p, RB_TOKEN_OPERATOR);
    bool expandable = !is_operator && accept(p, RB_TOKEN_EXPANDABLE);
    RbTokenKind kind = p->token->kind;
    if (is_operator && kind != RB_TOKEN_RECORD && kind != RB_TOKEN_FUNCTION) {
        c->restriction = RB_KIND_OPERATOR;
        return;
    }
    switch (kind) {
        case RB_TOKEN_CLASS: c->restriction = RB_KIND_CLASS; break;
        case RB_TOKEN_MODEL: c->restriction = RB_KIND_MODEL; break;
        case RB_TOKEN_RECORD:
            c->restriction = is_operator ? RB_KIND_OPERATOR_RECORD : RB_KIND_RECORD;
            break;
        case RB_TOKEN_BLOCK: c->restriction = RB_KIND_BLOCK; break;
        case RB_TOKEN_CONNECTOR:
            c->restriction = expandable ? RB_KIND_EXPANDABLE_CONNECTOR : RB_KIND_CONNECTOR;
            break;
        case RB_TOKEN_TYPE: c->restriction = RB_KIND_TYPE; break;
        case RB_TOKEN_PACKAGE: c->restriction = RB_KIND_PACKAGE; break;
        case RB_TOKEN_FUNCTION:
            c->restriction = is_operator ? RB_KIND_OPERATOR_FUNCTION : RB_KIND_FUNCTION;
            break;
        default:
            rb_parser_fail_expected(p, "a kind of class (model, package, function, ...)");
            return;
    }
    advance(p);
}

// import-clause = "import" ( IDENT "=" name | name [ ".*" | "." ( "*" | "{" import-list "}" ) ] )
// description import-list = IDENT { "," IDENT }
static RbAstElement *import_clause(RbParser *p) {
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->kind = RB_AST_IMPORT;
    e->at = place(p);
    rb_parser_expect(p, RB_TOKEN_IMPORT);
    if (at(p, RB_TOKEN_IDENT) && peek(p) == RB_TOKEN_EQUALS) {
        e->import = RB_IMPORT_RENAMED;
        e->alias = rb_parser_ident(p, "a name");
        advance(p);
    }
    e->type = rb_rule_name(p, false, "the name of a class or package");
    if (e->import == RB_IMPORT_QUALIFIED) {
        if (accept(p, RB_TOKEN_DOT_TIMES)) {
            e->import = RB_IMPORT_ALL;
        } else if (accept(p, RB_TOKEN_DOT)) {
            if (accept(p, RB_TOKEN_TIMES)) {
                e->import = RB_IMPORT_ALL;
            } else {
                e->import = RB_IMPORT_LIST;
                RB_ARRAY(RbName) list = {0};
                rb_parser_expect(p, RB_TOKEN_LBRACE);
                do rb_array_push(&list, p->arena, rb_parser_ident(p, "a name"));
                while (accept(p, RB_TOKEN_COMMA));
                rb_parser_expect(p, RB_TOKEN_RBRACE);
                e->imports = list.data;
                e->import_count = list.count;
            }
        }
    }
    e->comment = rb_rule_description(p);
    return e;
}

// extends-clause = "extends" type-specifier [ class-or-inheritance-modification ] [
// annotation-clause ]
static RbAstElement *extends_clause(RbParser *p) {
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->kind = RB_AST_EXTENDS;
    e->at = place(p);
    rb_parser_expect(p, RB_TOKEN_EXTENDS);
    e->type = rb_rule_name(p, true, "the name of a base class");
    if (at(p, RB_TOKEN_LPAREN)) e->mod = rb_rule_class_modification(p);
    if (at(p, RB_TOKEN_ANNOTATION)) e->comment.annotation = rb_rule_annotation_clause(p);
    return e;
}

// constraining-clause = "constrainedby" type-specifier [ class-modification ]
static void constraining_clause(RbParser *p, RbAstElement *e) {
    if (!accept(p, RB_TOKEN_CONSTRAINEDBY)) return;
    e->constrained = true;
    e->constraint = rb_rule_name(p, true, "the name of a class");
    if (at(p, RB_TOKEN_LPAREN)) e->constraint_mod = rb_rule_class_modification(p);
}

// element-replaceable = "replaceable" ( short-class-definition | component-clause1 ) [
// constraining-clause ]
RbAstElement *rb_rule_element_replaceable(RbParser *p, bool redeclare) {
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->at = place(p);
    e->redeclare = redeclare;
    e->replaceable = accept(p, RB_TOKEN_REPLACEABLE);
    if (rb_parser_at_class_prefix(p)) {
        e->kind = RB_AST_CLASS;
        e->class = rb_rule_class_definition(p);
    } else {
        rb_rule_component_clause(p, e, true);
    }
    if (e->replaceable) {
        constraining_clause(p, e);
        if (e->constrained) e->comment = rb_rule_description(p);
    }
    return e;
}

// element = import-clause | extends-clause
//         | [ "redeclare" ] [ "final" ] [ "inner" ] [ "outer" ]
//           ( class-definition | component-clause
//           | "replaceable" ( class-definition | component-clause ) [ constraining-clause
//           description ] )
static RbAstElement *element(RbParser *p) {
    if (at(p, RB_TOKEN_IMPORT)) return import_clause(p);
    if (at(p, RB_TOKEN_EXTENDS)) return extends_clause(p);
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->at = place(p);
    e->redeclare = accept(p, RB_TOKEN_REDECLARE);
    e->final = accept(p, RB_TOKEN_FINAL);
    e->inner = accept(p, RB_TOKEN_INNER);
    e->outer = accept(p, RB_TOKEN_OUTER);
    e->replaceable = accept(p, RB_TOKEN_REPLACEABLE);
    if (rb_parser_at_class_prefix(p)) {
        e->kind = RB_AST_CLASS;
        e->class = rb_rule_class_definition(p);
    } else {
        rb_rule_component_clause(p, e, false);
    }
    if (e->replaceable) {
        constraining_clause(p, e);
        if (e->constrained) e->comment = rb_rule_description(p);
    }
    return e;
}

static bool at_section_end(const RbParser *p) {
    switch (p->token->kind) {
        case RB_TOKEN_END_OF_FILE:
        case RB_TOKEN_PUBLIC:
        case RB_TOKEN_PROTECTED:
        case RB_TOKEN_EQUATION:
        case RB_TOKEN_ALGORITHM:
        case RB_TOKEN_EXTERNAL:
        case RB_TOKEN_ANNOTATION:
        case RB_TOKEN_END: return true;
        case RB_TOKEN_INITIAL: return peek(p) == RB_TOKEN_EQUATION || peek(p) == RB_TOKEN_ALGORITHM;
        default: return false;
    }
}

typedef RB_ARRAY(RbAstElement *) Elements;

// element-list = { element ";" }
static void element_list(RbParser *p, Elements *list, bool is_protected) {
    while (!at_section_end(p)) {
        const RbToken *start = p->token;
        RbAstElement *e = element(p);
        e->is_protected = is_protected;
        rb_array_push(list, p->arena, e);
        rb_parser_expect_semicolon(p, e->kind == RB_AST_COMPONENTS ? "the declaration"
                                      : e->kind == RB_AST_CLASS    ? "the class"
                                      : e->kind == RB_AST_IMPORT   ? "the import clause"
                                                                   : "the extends clause");
        rb_parser_recover(p, start);
    }
}

// { equation ";" } or { statement ";" } until a word that ends the list
void rb_parser_equation_list(RbParser *p, RbEquationList *list, bool algorithm) {
    while (!at_section_end(p) && !at(p, RB_TOKEN_ELSE) && !at(p, RB_TOKEN_ELSEIF) &&
           !at(p, RB_TOKEN_ELSEWHEN)) {
        const RbToken *start = p->token;
        rb_array_push(list, p->arena, rb_rule_equation(p, algorithm));
        rb_parser_expect_semicolon(p, algorithm ? "the statement" : "the equation");
        rb_parser_recover(p, start);
    }
}

// equation-section = [ "initial" ] "equation" { equation ";" }
// algorithm-section = [ "initial" ] "algorithm" { statement ";" }
static RbAstSection equation_section(RbParser *p) {
    RbAstSection s = {.at = place(p)};
    bool initial = accept(p, RB_TOKEN_INITIAL);
    bool algorithm = at(p, RB_TOKEN_ALGORITHM);
    advance(p);
    s.kind = algorithm ? (initial ? RB_AST_INITIAL_ALGORITHM : RB_AST_ALGORITHM)
                       : (initial ? RB_AST_INITIAL_EQUATIONS : RB_AST_EQUATIONS);
    RbEquationList list = {0};
    rb_parser_equation_list(p, &list, algorithm);
    while (at(p, RB_TOKEN_ELSE) || at(p, RB_TOKEN_ELSEIF) || at(p, RB_TOKEN_ELSEWHEN)) {
        const RbToken *start = p->token;
        rb_parser_fail(
            p, place(p),
            rb_arena_printf(p->arena, "%s without 'if' or 'when' before it", rb_parser_found(p)));
        rb_parser_recover(p, start);
        rb_parser_equation_list(p, &list, algorithm);
    }
    s.list = list.data;
    s.count = list.count;
    return s;
}

// "external" [ language-specification ] [ external-function-call ] [ annotation-clause ] ";"
// external-function-call = [ component-reference "=" ] IDENT "(" [ expression-list ] ")"
static RbAstExternal *external_clause(RbParser *p) {
    RbAstExternal *x = rb_new(p->arena, RbAstExternal);
    x->at = place(p);
    rb_parser_expect(p, RB_TOKEN_EXTERNAL);
    if (at(p, RB_TOKEN_STRING)) {
        x->language = rb_parser_token_text(p->token);
        advance(p);
    }
    if (at(p, RB_TOKEN_IDENT) || at(p, RB_TOKEN_DOT)) {
        if (peek(p) != RB_TOKEN_LPAREN) {
            x->result = rb_rule_component_reference(p);
            rb_parser_expect(p, RB_TOKEN_EQUALS);
        }
        x->function = rb_parser_ident(p, "the name of the external function");
        rb_parser_expect(p, RB_TOKEN_LPAREN);
        if (!at(p, RB_TOKEN_RPAREN)) {
            RbAstExpr *list = rb_rule_expression_list(p);
            x->arguments = list->kids;
            x->argument_count = list->kid_count;
        }
        rb_parser_expect(p, RB_TOKEN_RPAREN);
    }
    if (at(p, RB_TOKEN_ANNOTATION)) x->annotation = rb_rule_annotation_clause(p);
    rb_parser_expect_semicolon(p, "the external clause");
    return x;
}

static RbAstSection section(RbParser *p, Elements *elements) {
    RbAstSection s = {.at = place(p), .kind = RB_AST_ELEMENTS, .first = elements->count};
    if (accept(p, RB_TOKEN_PUBLIC))
        s.kind = RB_AST_PUBLIC;
    else if (accept(p, RB_TOKEN_PROTECTED))
        s.kind = RB_AST_PROTECTED;
    element_list(p, elements, s.kind == RB_AST_PROTECTED);
    s.count = elements->count - s.first;
    return s;
}

static bool at_equations(const RbParser *p) {
    return at(p, RB_TOKEN_EQUATION) || at(p, RB_TOKEN_ALGORITHM) || at(p, RB_TOKEN_INITIAL);
}

// composition = element-list { "public" element-list | "protected" element-list | equation-section
//             | algorithm-section } [ external ... ";" ] [ annotation-clause ";" ]
static void composition(RbParser *p, RbAstClass *c) {
    Elements elements = {0};
    RB_ARRAY(RbAstSection) sections = {0};
    rb_array_push(&sections, p->arena, section(p, &elements));
    while (!at(p, RB_TOKEN_END) && !at(p, RB_TOKEN_END_OF_FILE)) {
        const RbToken *start = p->token;
        if (at_equations(p)) {
            rb_array_push(&sections, p->arena, equation_section(p));
        } else if (at(p, RB_TOKEN_EXTERNAL)) {
            c->external = external_clause(p);
        } else if (at(p, RB_TOKEN_ANNOTATION)) {
            RbAstMod *annotation = rb_rule_annotation_clause(p);
            rb_parser_expect_semicolon(p, "the annotation");
            if (c->annotation && !p->panic) {
                rb_fail(p->diag, RB_ERROR_MODEL, annotation->at,
                        "class '%s' has a second annotation", c->name);
                p->failed = true;
            }
            c->annotation = annotation;
        } else if (at(p, RB_TOKEN_PUBLIC) || at(p, RB_TOKEN_PROTECTED) || !at_section_end(p)) {
            rb_array_push(&sections, p->arena, section(p, &elements));
        } else {
            rb_parser_fail_expected(p, "a declaration, an equation or 'end'");
        }
        rb_parser_recover(p, start);
    }
    c->elements = elements.data;
    c->element_count = elements.count;
    c->sections = sections.data;
    c->section_count = sections.count;
}

static void end_of_class(RbParser *p, RbAstClass *c) {
    RbPos where = place(p);
    if (!accept(p, RB_TOKEN_END)) {
        if (!p->panic) {
            rb_parser_fail(
                p, where,
                rb_arena_printf(
                    p->arena, "expected 'end %s;' for the %s that begins in line %d, but found %s",
                    c->name, rb_restriction_name(c->restriction), c->at.line, rb_parser_found(p)));
        }
        return;
    }
    where = place(p);
    RbName end = at(p, RB_TOKEN_IDENT) ? p->token->name : NULL;
    if (end == c->name) {
        advance(p);
        return;
    }
    rb_parser_fail(p, where,
                   rb_arena_printf(
                       p->arena,
                       "expected 'end %s;' for the %s that begins in line %d, but found 'end %.*s'",
                       c->name, rb_restriction_name(c->restriction), c->at.line, p->token->length,
                       p->token->text));
    advance(p);
}

// enum-list = enumeration-literal { "," enumeration-literal }            enumeration-literal =
// IDENT description
static void enumeration(RbParser *p, RbAstClass *c) {
    c->specifier = RB_AST_ENUMERATION;
    advance(p);
    rb_parser_expect(p, RB_TOKEN_LPAREN);
    RB_ARRAY(RbAstLiteral) list = {0};
    if (accept(p, RB_TOKEN_COLON)) {
        c->open = true;
    } else if (!at(p, RB_TOKEN_RPAREN)) {
        do {
            RbAstLiteral l = {.at = place(p)};
            l.name = rb_parser_ident(p, "the name of an enumeration literal");
            l.comment = rb_rule_description(p);
            rb_array_push(&list, p->arena, l);
        } while (accept(p, RB_TOKEN_COMMA) && !p->panic);
    }
    rb_parser_expect(p, RB_TOKEN_RPAREN);
    c->literals = list.data;
    c->literal_count = list.count;
}

// der-class-specifier = IDENT "=" "der" "(" type-specifier "," IDENT { "," IDENT } ")" description
static void derivative_class(RbParser *p, RbAstClass *c) {
    c->specifier = RB_AST_DERIVATIVE;
    advance(p);
    rb_parser_expect(p, RB_TOKEN_LPAREN);
    c->type = rb_rule_name(p, true, "the name of a function");
    RB_ARRAY(RbName) list = {0};
    rb_parser_expect(p, RB_TOKEN_COMMA);
    do rb_array_push(&list, p->arena, rb_parser_ident(p, "the name of an input"));
    while (accept(p, RB_TOKEN_COMMA));
    rb_parser_expect(p, RB_TOKEN_RPAREN);
    c->variables = list.data;
    c->variable_count = list.count;
}

// short-class-specifier = IDENT "=" base-prefix type-specifier [ array-subscripts ] [
// class-modification ]
//                         description | IDENT "=" "enumeration" "(" ( [ enum-list ] | ":" ) ")"
//                         description
// base-prefix = [ "input" | "output" ]
static void short_class(RbParser *p, RbAstClass *c) {
    advance(p); // =
    if (at(p, RB_TOKEN_ENUMERATION)) {
        enumeration(p, c);
    } else if (at(p, RB_TOKEN_DER)) {
        derivative_class(p, c);
    } else {
        c->specifier = RB_AST_SHORT;
        if (accept(p, RB_TOKEN_INPUT))
            c->causality = RB_AST_INPUT;
        else if (accept(p, RB_TOKEN_OUTPUT))
            c->causality = RB_AST_OUTPUT;
        c->type = rb_rule_name(p, true, "the name of a class");
        if (at(p, RB_TOKEN_LBRACKET))
            c->dimension_count = rb_rule_array_subscripts(p, &c->dimensions);
        if (at(p, RB_TOKEN_LPAREN)) c->mod = rb_rule_class_modification(p);
    }
    RbAstComment comment = rb_rule_description(p);
    c->text = comment.text;
    c->annotation = comment.annotation;
}

// class-definition = [ "encapsulated" ] class-prefixes class-specifier
// long-class-specifier = IDENT description-string composition "end" IDENT
//                      | "extends" IDENT [ class-modification ] description-string composition
//                      "end" IDENT
RbAstClass *rb_rule_class_definition(RbParser *p) {
    RbAstClass *c = rb_new(p->arena, RbAstClass);
    c->at = place(p);
    if (!rb_parser_enter(p)) {
        c->name = rb_intern(p->names, "?");
        rb_parser_leave(p);
        return c;
    }
    c->encapsulated = accept(p, RB_TOKEN_ENCAPSULATED);
    class_prefixes(p, c);
    bool extends = accept(p, RB_TOKEN_EXTENDS);
    RbPos where = place(p);
    c->name = rb_parser_ident(p, "the name of the class");
    c->at = where;
    if (extends) {
        c->specifier = RB_AST_LONG_EXTENDS;
        if (at(p, RB_TOKEN_LPAREN)) c->extends_mod = rb_rule_class_modification(p);
    }
    if (!extends && at(p, RB_TOKEN_EQUALS)) {
        short_class(p, c);
    } else if (!p->panic) {
        c->text = rb_rule_description_string(p);
        composition(p, c);
        end_of_class(p, c);
    }
    rb_parser_leave(p);
    return c;
}
