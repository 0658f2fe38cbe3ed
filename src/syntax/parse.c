// SPDX-License-Identifier: MIT
// Files, and the ways into the parser.
#include "syntax/parser.h"

#include <string.h>

// At the top level only another class can follow: at the beginning of a line.
static void recover_class(RbParser *p, const RbToken *start) {
    if (!p->panic) return;
    p->panic = false;
    if (p->token == start) advance(p);
    while (!at(p, RB_TOKEN_END_OF_FILE) && !(rb_parser_at_class_prefix(p) && p->token->column == 1))
        advance(p);
}
// stored-definition = [ "within" [ name ] ";" ] { [ "final" ] class-definition ";" }
static RbAstFile *stored_definition(RbParser *p) {
    RbAstFile *f = rb_new(p->arena, RbAstFile);
    f->file = p->file;
    if (at(p, RB_TOKEN_WITHIN)) {
        f->has_within = true;
        f->within_at = place(p);
        advance(p);
        if (!at(p, RB_TOKEN_SEMICOLON) && !rb_parser_at_class_prefix(p))
            f->within = rb_rule_name(p, false, "the name of a package");
        rb_parser_expect_semicolon(p, "the within clause");
        p->panic = false;
    }
    RB_ARRAY(RbAstClass *) classes = {0};
    while (!at(p, RB_TOKEN_END_OF_FILE)) {
        const RbToken *start = p->token;
        bool final = accept(p, RB_TOKEN_FINAL);
        if (rb_parser_at_class_prefix(p)) {
            RbAstClass *c = rb_rule_class_definition(p);
            c->final = final;
            rb_array_push(&classes, p->arena, c);
            rb_parser_expect_semicolon(p, "the class");
        } else {
            rb_parser_fail_expected(p, "a class (model, package, function, ...)");
        }
        recover_class(p, start);
    }
    f->classes = classes.data;
    f->class_count = classes.count;
    return f;
}

RbStatus rb_parse(const RbTokens *tokens, RbNames *names, RbArena *keep, RbDiag *diag,
                  RbAstFile **out) {
    int errors = diag->error_count;
    RbParser p = {.token = tokens->list.data,
                  .first = tokens->list.data,
                  .file = tokens->file,
                  .names = names,
                  .arena = keep,
                  .diag = diag,
                  .unclosed = tokens->unclosed};
    *out = stored_definition(&p);
    return p.failed || diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}

static RbStatus parse_source(const RbModelicaSource *source, RbNames *names, RbArena *keep,
                             RbArena scratch, RbDiag *diag, RbAstFile **out) {
    int errors = diag->error_count;
    RbTokens tokens = rb_lex(source, names, &scratch, diag);
    RB_TRY(rb_parse(&tokens, names, keep, diag, out));
    return diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}

RbStatus rb_parse_text(const char *file, const char *text, size_t length, RbNames *names,
                       RbArena *keep, RbArena scratch, RbDiag *diag, RbAstFile **out) {
    RbModelicaSource source;
    RB_TRY(rb_source_from_text(file, text, length, diag, &source));
    return parse_source(&source, names, keep, scratch, diag, out);
}

RbStatus rb_parse_file(const char *path, RbNames *names, RbArena *keep, RbArena scratch,
                       RbDiag *diag, RbAstFile **out) {
    RbModelicaSource source;
    RB_TRY(rb_source_read(path, keep, diag, &source));
    return parse_source(&source, names, keep, scratch, diag, out);
}
