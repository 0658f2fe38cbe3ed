// SPDX-License-Identifier: MIT
// Annotations: lists of modifications that the language gives no meaning itself.
#include <string.h>

#include "classes/class.h"

static const RbAstArgument *find_argument(const RbAstMod *mod, const char *name) {
    for (int i = 0; mod && i < mod->count; i++) {
        const RbAstArgument *a = &mod->arguments[i];
        if (!a->element && a->name.count == 1 && strcmp(a->name.parts[0], name) == 0) return a;
    }
    return NULL;
}

const RbAstExpr *rb_annotation(const RbAstMod *annotation, const char *name) {
    const RbAstArgument *a = find_argument(annotation, name);
    return a && a->mod ? a->mod->value : NULL;
}

const RbAstMod *rb_annotation_group(const RbAstMod *annotation, const char *name) {
    const RbAstArgument *a = find_argument(annotation, name);
    return a ? a->mod : NULL;
}

bool rb_annotation_is_true(const RbAstMod *annotation, const char *name) {
    const RbAstExpr *value = rb_annotation(annotation, name);
    return value && value->kind == RB_AST_TRUE;
}

static const RbAstArgument *part_annotation(const RbClassPart *part, const char *name) {
    const RbAstArgument *a = find_argument(part->def->annotation, name);
    for (int i = 0; !a && i < part->bases.count; i++)
        a = part_annotation(part->bases.data[i], name);
    return a;
}

const RbAstExpr *rb_class_annotation(RbClasses *c, RbClass *class, const char *name) {
    rb_class_ready(c, class);
    const RbAstArgument *a = part_annotation(class->root, name);
    return a && a->mod ? a->mod->value : NULL;
}

static const RbAstExpr *part_vendor(const RbClassPart *part, const char *name) {
    const RbAstExpr *e =
        rb_annotation(rb_annotation_group(part->def->annotation, "__Rattleback"), name);
    for (int i = 0; !e && i < part->bases.count; i++) e = part_vendor(part->bases.data[i], name);
    return e;
}

const RbVendor *rb_class_vendor(RbClasses *c, RbClass *class) {
    RbVendor *v = &class->vendor;
    if (v->known) return v;
    rb_class_ready(c, class);
    *v = (RbVendor){.known = true,
                    .component = part_vendor(class->root, "component"),
                    .file = part_vendor(class->root, "file"),
                    .role = part_vendor(class->root, "role"),
                    .anchor = part_vendor(class->root, "anchor"),
                    .opaque = part_vendor(class->root, "opaque"),
                    .visual = part_vendor(class->root, "visual"),
                    .kind = part_vendor(class->root, "kind"),
                    .none = part_vendor(class->root, "none")};
    return v;
}
