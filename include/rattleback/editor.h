// SPDX-License-Identifier: MIT
// editor.h: what an editor asks about a Modelica text: which classes it holds, what the name under the
// cursor means, and how a name can go on. `rattleback lsp` stands on it.
//
//     RbModelica source = rb_modelica_default();
//     source.file = "Ball.mo";
//     source.text = text;
//     RbEditorSymbol named;
//     rb_editor_name(context, &source, (RbEditorPlace){.line = 4, .column = 7}, &named);
//     if (named.name) printf("%s %s\n", named.kind, named.name);
#pragma once

#include "rattleback/modelica.h"

#ifdef __cplusplus
extern "C" {
#endif

// A class or component. Texts are empty if there is nothing to say; they live as long as the context.
typedef struct RbEditorSymbol {
    const char *name;      // NULL: the place means nothing that is known
    const char *full_name; // of a class; of a component its name and that of its class
    const char *kind;      // "model", "parameter", "input", ...
    const char *type;      // of a component
    const char *value;     // as it is declared
    const char *unit;
    const char *description;
    const char *documentation; // of a class: HTML
    RbPos at;                  // of the declaration; line 0: predefined
    int end_line;              // of a class in an outline: where it ends
    int level;                 // in an outline: number of classes around
} RbEditorSymbol;

// A place in the text that is being edited. If that cannot be parsed at present, or belongs to a package
// in a folder, `text` is it, and `source` has the last one that could, or the file; NULL: they are the same.
typedef struct RbEditorPlace {
    const char *text;
    int line, column; // from 1; bytes
} RbEditorPlace;

// The classes and components that the text of the source declares, in its order.
RB_API RbStatus rb_editor_outline(RbContext *context, const RbModelica *source,
                                  const RbEditorSymbol **list, int *count);

// What the name at a place means there.
RB_API RbStatus rb_editor_name(RbContext *context, const RbModelica *source, RbEditorPlace place,
                               RbEditorSymbol *named);

// The names that can stand at a place, sorted: elements after a dot, parameters and attributes in a
// modification, arguments in a call, or all that is visible.
RB_API RbStatus rb_editor_completions(RbContext *context, const RbModelica *source,
                                      RbEditorPlace place, const RbEditorSymbol **list, int *count);

// All places in the text, and in the other files of its package, that mean what the name at a place
// means, the declaration among them; none if it means nothing. With a new name it is an error if that is
// no name, means something else at one of the places, or if the declaration is not in these files.
RB_API RbStatus rb_editor_references(RbContext *context, const RbModelica *source,
                                     RbEditorPlace place, const char *new_name, const RbPos **list,
                                     int *count);

// A text with uniform indentation and spaces; only white space changes. An error if it cannot be parsed.
// `name` is for messages. The result lives as long as the context.
RB_API RbStatus rb_editor_format(RbContext *context, const char *name, const char *text,
                                 const char **formatted);

#ifdef __cplusplus
}
#endif
