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
    {"surface", "ModelicaServices.Animation.Surface"},
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
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
            "visual must be \"shape\", \"vector\", \"mesh\" or \"surface\"");
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

// ---- surfaces: the function that computes their points is called when they are drawn

static RbAstExpr *new_name(RbFrontEnd *fe, const char *name, RbPos at) {
    RbAstExpr *e = rb_new(fe->work, RbAstExpr);
    RbAstPart *part = rb_new(fe->work, RbAstPart);
    *part = (RbAstPart){.name = rb_intern(fe->names, name)};
    *e = (RbAstExpr){.kind = RB_AST_REF, .at = at, .kid_count = 1, .levels = 1, .parts = part};
    return e;
}

// surfaceCharacteristic(nu, nv, multiColoredSurface), as if it stood in the text of the class.
static RbVal call_surface(RbFrontEnd *fe, RbInst *inst, RbPos at) {
    static const char *const names[] = {"surfaceCharacteristic", "nu", "nv", "multiColoredSurface"};
    enum { KIDS = sizeof names / sizeof *names };
    RbAstExpr **kids = rb_new_array(fe->work, RbAstExpr *, KIDS);
    for (int i = 0; i < KIDS; i++) kids[i] = new_name(fe, names[i], at);
    RbAstExpr call = {.kind = RB_AST_CALL, .at = at, .kid_count = KIDS, .levels = 2, .kids = kids};
    RbPlace place = {.inst = inst, .scope = inst->class->root};
    return rb_lower_call(fe, &place, &call);
}

// What is wrong with the function is no error: the surface is not drawn then.
static void find_surface(RbFrontEnd *fe, RbInst *inst, RbFlatVisual *visual) {
    RbDiag before = *fe->diag;
    RbVal v = call_surface(fe, inst, visual->at);
    *fe->diag = before;
    if (v.kind == RB_VAL_TUPLE && v.field_count >= 3 && v.fields[0].kind == RB_VAL_EXPR &&
        v.fields[0].e->op == RB_OP_CALL)
        visual->surface = v.fields[0].e;
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
        if (kind == RB_VISUAL_SURFACE) find_surface(fe, inst, &visual);
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
