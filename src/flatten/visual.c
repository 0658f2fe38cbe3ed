// SPDX-License-Identifier: MIT
// visual.c: which instances of a model are drawn: those of a class, or of one that extends it, with
// annotation(__Rattleback(visual = "shape")), and those of the classes that the standard library
// leaves to the tool (ModelicaServices.Animation).
#include <string.h>

#include "classes/resource.h"
#include "flatten/frontend.h"

typedef struct KnownVisual {
    const char *entry; // in the annotation; NULL: it has none
    const char *class; // of the standard library; NULL: none
} KnownVisual;

// ORDER RbVisualKind
static const KnownVisual known_visuals[] = {
    {NULL, NULL},
    {"shape", "ModelicaServices.Animation.Shape"},
    {"vector", "ModelicaServices.Animation.Vector"},
    {"mesh", NULL},
    {NULL, "Modelica.Mechanics.MultiBody.World"},
};
enum { KNOWN_VISUALS = sizeof known_visuals / sizeof *known_visuals };

// Is this the definition with the full name of `length` letters?
static bool is_called(const RbClassPart *part, const char *name, size_t length) {
    if (!part || !part->def || !part->def->name) return false;
    size_t last = strlen(part->def->name);
    if (last > length || memcmp(name + length - last, part->def->name, last) != 0) return false;
    if (last == length) return true;
    return name[length - last - 1] == '.' && is_called(part->enclosing, name, length - last - 1);
}

static RbVisualKind kind_of_part(const RbClassPart *part) {
    for (int k = 1; k < KNOWN_VISUALS; k++) {
        const char *name = known_visuals[k].class;
        if (name && is_called(part, name, strlen(name))) return (RbVisualKind)k;
    }
    RbVisualKind kind = RB_VISUAL_NONE;
    for (int i = 0; !kind && i < part->bases.count; i++) kind = kind_of_part(part->bases.data[i]);
    return kind;
}

static RbVisualKind kind_of_entry(RbFrontEnd *fe, const RbAstExpr *e) {
    const char *text =
        e->kind == RB_AST_STRING ? rb_string_value(e->text.start, e->text.length, fe->work) : NULL;
    for (int k = 1; text && k < KNOWN_VISUALS; k++) {
        if (known_visuals[k].entry && strcmp(known_visuals[k].entry, text) == 0)
            return (RbVisualKind)k;
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "visual must be \"shape\", \"vector\" or \"mesh\"");
    return RB_VISUAL_NONE;
}

static RbVisualKind kind_of(RbFrontEnd *fe, RbMap *kinds, RbClass *class) {
    uint64_t key = rb_map_key(class), *found = rb_map_find(kinds, key);
    if (found) return (RbVisualKind)*found;
    const RbAstExpr *entry = rb_class_vendor(fe->classes, class)->visual;
    RbVisualKind kind = entry ? kind_of_entry(fe, entry) : kind_of_part(class->root);
    rb_map_set(kinds, fe->work, key, kind);
    return kind;
}

// The file of a shape, if its type names one.
static const char *file_of(RbFrontEnd *fe, RbInst *inst) {
    RbElem *e = rb_class_elem(fe->classes, inst->class, rb_intern(fe->names, "shapeType"));
    RbInst *leaf = e && e->component ? rb_inst_child(fe, inst, e) : NULL;
    if (!leaf || leaf->kind != RB_INST_LEAF) return NULL;
    RbVal v = rb_val_of_inst(fe, leaf);
    const RbExpr *text = rb_val_constant(fe, &v);
    if (!text || text->op != RB_OP_STRING || !strstr(text->text, "://")) return NULL;
    return rb_resource_path(fe->library, text->text);
}

static void find_in(RbFrontEnd *fe, RbMap *kinds, RbInst *inst) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) find_in(fe, kinds, inst->items[i]);
    }
    if (inst->kind != RB_INST_COMPONENT || inst->class->is_record) return;
    RbVisualKind kind = kind_of(fe, kinds, inst->class);
    if (kind) {
        RbFlatVisual visual = {.kind = kind,
                               .path = inst->path,
                               .file = kind == RB_VISUAL_SHAPE ? file_of(fe, inst) : NULL,
                               .at = inst->elem && inst->elem->component
                                         ? inst->elem->component->at
                                         : inst->class->root->def->at};
        rb_array_push(&fe->flat->visuals, fe->arena, visual);
    }
    for (int i = 0; i < inst->class->components.count; i++) {
        RbElem *e = inst->class->components.data[i];
        if (inst->children[i] && !(e->clause->outer && !e->clause->inner))
            find_in(fe, kinds, inst->children[i]);
    }
}

void rb_visuals_find(RbFrontEnd *fe) {
    RbMap kinds = {0};
    find_in(fe, &kinds, fe->root);
}
