// SPDX-License-Identifier: MIT
// Modifications and component clauses: one function per rule of the grammar, with the rule above
// it.
#include "syntax/parser.h"
#include "syntax/repeated.h"

// --- modifications -------------------------------------------------------------------------------

// modification-expression = expression | "break"
static RbAstExpr *modification_expression(RbParser *p) {
    if (!at(p, RB_TOKEN_BREAK)) return rb_rule_expression(p);
    RbAstExpr *e = rb_parser_node(p, RB_AST_BREAK, place(p));
    advance(p);
    return e;
}

// modification = class-modification [ "=" modification-expression ]
//              | "=" modification-expression | ":=" modification-expression
static RbAstMod *modification(RbParser *p) {
    RbAstMod *m;
    if (at(p, RB_TOKEN_LPAREN)) {
        m = rb_rule_class_modification(p);
        if (accept(p, RB_TOKEN_EQUALS)) m->value = modification_expression(p);
        return m;
    }
    m = rb_new(p->arena, RbAstMod);
    m->at = place(p);
    m->assign = at(p, RB_TOKEN_ASSIGN);
    advance(p);
    m->value = modification_expression(p);
    return m;
}

static bool at_modification(const RbParser *p) {
    return at(p, RB_TOKEN_LPAREN) || at(p, RB_TOKEN_EQUALS) || at(p, RB_TOKEN_ASSIGN);
}

// connect-equation = "connect" "(" component-reference "," component-reference ")"
RbAstEquation *rb_rule_connect_equation(RbParser *p) {
    RbAstEquation *e = rb_new(p->arena, RbAstEquation);
    e->kind = RB_AST_EQ_CONNECT;
    e->at = place(p);
    rb_parser_expect(p, RB_TOKEN_CONNECT);
    rb_parser_expect(p, RB_TOKEN_LPAREN);
    e->left = rb_rule_component_reference(p);
    rb_parser_expect(p, RB_TOKEN_COMMA);
    e->right = rb_rule_component_reference(p);
    rb_parser_expect(p, RB_TOKEN_RPAREN);
    return e;
}

// inheritance-modification = "break" ( connect-equation | IDENT )
static void inheritance_modification(RbParser *p, RbAstArgument *a) {
    advance(p);
    a->is_break = true;
    if (at(p, RB_TOKEN_CONNECT))
        a->broken_connect = rb_rule_connect_equation(p);
    else
        a->name = rb_rule_name(p, false, "the name of a component");
}

// argument = element-modification-or-replaceable | element-redeclaration
// element-modification-or-replaceable = [ "each" ] [ "final" ] ( element-modification |
// element-replaceable ) element-modification = name [ modification ] description-string
// element-redeclaration = "redeclare" [ "each" ] [ "final" ] ( short-class-definition |
// component-clause1
//                         | element-replaceable )
static RbAstArgument argument(RbParser *p) {
    RbAstArgument a = {.at = place(p)};
    if (at(p, RB_TOKEN_BREAK)) {
        inheritance_modification(p, &a);
        return a;
    }
    bool redeclare = accept(p, RB_TOKEN_REDECLARE);
    a.each = accept(p, RB_TOKEN_EACH);
    a.final = accept(p, RB_TOKEN_FINAL);
    if (redeclare || at(p, RB_TOKEN_REPLACEABLE)) {
        a.element = rb_rule_element_replaceable(p, redeclare);
        a.element->at = a.at;
        return a;
    }
    a.name = rb_rule_name(p, false, "the name of what is modified");
    if (at_modification(p)) a.mod = modification(p);
    a.text = rb_rule_description_string(p);
    return a;
}

// class-modification = "(" [ argument-list ] ")"            argument-list = argument { "," argument
// }
RbAstMod *rb_rule_class_modification(RbParser *p) {
    RbAstMod *m = rb_new(p->arena, RbAstMod);
    m->at = place(p);
    m->parentheses = true;
    RB_ARRAY(RbAstArgument) list = {0};
    rb_parser_expect(p, RB_TOKEN_LPAREN);
    if (rb_parser_enter(p) && !at(p, RB_TOKEN_RPAREN) && !p->panic) {
        do rb_array_push(&list, p->arena, argument(p));
        while (accept(p, RB_TOKEN_COMMA) && !p->panic);
    }
    rb_parser_leave(p);
    rb_parser_expect(p, RB_TOKEN_RPAREN);
    m->arguments = list.data;
    m->count = list.count;
    if (!p->failed) rb_ast_index_arguments(p->arena, m);
    if (m->count > 1 && !p->panic && p->annotations == 0) rb_refuse_repeated(p, m);
    return m;
}

// --- components ----------------------------------------------------------------------------------

// type-prefix = [ "flow" | "stream" ] [ "discrete" | "parameter" | "constant" ] [ "input" |
// "output" ]
static void type_prefix(RbParser *p, RbAstElement *e) {
    if (accept(p, RB_TOKEN_FLOW))
        e->flow = RB_AST_FLOW;
    else if (accept(p, RB_TOKEN_STREAM))
        e->flow = RB_AST_STREAM;
    if (accept(p, RB_TOKEN_DISCRETE))
        e->variability = RB_AST_DISCRETE;
    else if (accept(p, RB_TOKEN_PARAMETER))
        e->variability = RB_AST_PARAMETER;
    else if (accept(p, RB_TOKEN_CONSTANT))
        e->variability = RB_AST_CONSTANT;
    if (accept(p, RB_TOKEN_INPUT))
        e->causality = RB_AST_INPUT;
    else if (accept(p, RB_TOKEN_OUTPUT))
        e->causality = RB_AST_OUTPUT;
}

// declaration = IDENT [ array-subscripts ] [ modification ]
static RbAstComponent declaration(RbParser *p) {
    RbAstComponent c = {.at = place(p)};
    c.name = rb_parser_ident(p, "the name of a component");
    if (at(p, RB_TOKEN_LBRACKET)) c.dimension_count = rb_rule_array_subscripts(p, &c.dimensions);
    if (at_modification(p)) c.mod = modification(p);
    return c;
}

// component-declaration = declaration [ condition-attribute ] description
// condition-attribute = "if" expression
static RbAstComponent component_declaration(RbParser *p) {
    RbAstComponent c = declaration(p);
    if (accept(p, RB_TOKEN_IF)) c.condition = rb_rule_expression(p);
    c.comment = rb_rule_description(p);
    return c;
}

// component-clause = type-prefix type-specifier [ array-subscripts ] component-list
// component-list = component-declaration { "," component-declaration }
// component-clause1 = type-prefix type-specifier declaration description
void rb_rule_component_clause(RbParser *p, RbAstElement *e, bool single) {
    e->kind = RB_AST_COMPONENTS;
    type_prefix(p, e);
    e->type = rb_rule_name(p, true, "a type, a component or an equation");
    if (!single && at(p, RB_TOKEN_LBRACKET)) {
        e->dimension_count = rb_rule_array_subscripts(p, &e->dimensions);
    }
    RB_ARRAY(RbAstComponent) list = {0};
    if (single) {
        RbAstComponent c = declaration(p);
        c.comment = rb_rule_description(p);
        rb_array_push(&list, p->arena, c);
    } else {
        do rb_array_push(&list, p->arena, component_declaration(p));
        while (accept(p, RB_TOKEN_COMMA));
    }
    e->components = list.data;
    e->component_count = list.count;
}
