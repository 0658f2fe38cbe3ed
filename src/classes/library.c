// SPDX-License-Identifier: MIT
#include "classes/library.h"

#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "syntax/parse.h"
#include "classes/conversion.h"
#include "classes/shipped.h"

RbLibrary *rb_library(RbNames *names, RbArena *keep, RbArena *scratch, RbDiag *diag) {
    RbLibrary *l = rb_new(keep, RbLibrary);
    *l = (RbLibrary){.names = names, .keep = keep, .scratch = scratch, .diag = diag};
    l->root = rb_new(keep, RbAstClass);
    l->root->name = rb_intern(names, "");
    l->root->restriction = RB_KIND_PACKAGE;
    return l;
}

void rb_library_add_path(RbLibrary *l, const char *folder) {
    rb_array_push(&l->paths, l->keep, (const char *)rb_arena_text(l->keep, folder));
}

void rb_library_add_path_list(RbLibrary *l, const char *folders) {
    while (*folders) {
        size_t length = strcspn(folders, ":");
        if (length > 0) rb_library_add_path(l, rb_arena_bytes(l->keep, folders, length));
        folders += length + (folders[length] == ':');
    }
}

// --- the file system -----------------------------------------------------------------------------

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_package_folder(RbLibrary *l, const char *path) {
    return is_file(rb_arena_printf(l->scratch, "%s/package.mo", path));
}

// --- index ---------------------------------------------------------------------------------------

static RbAstEntry *find_entry(RbAstIndex *index, RbName name) {
    uint64_t *found = rb_map_find(&index->names, rb_map_key(name));
    return found ? &index->entries.data[*found] : NULL;
}

static void add_entry(RbLibrary *l, RbAstIndex *index, RbName name, RbAstEntry entry, RbPos at) {
    RbAstEntry *old = find_entry(index, name);
    if (old) {
        if (entry.path) return; // what package.mo itself declares comes first
        RbPos first = old->element->kind == RB_AST_CLASS
                          ? old->element->class->at
                          : old->element->components[old->component].at;
        rb_fail(l->diag, RB_ERROR_MODEL, at, "'%s' is declared twice; the first time in line %d",
                name, first.line);
        return;
    }
    rb_map_set(&index->names, l->keep, rb_map_key(name), (uint64_t)index->entries.count);
    rb_array_push(&index->entries, l->keep, entry);
}

// Files and folders that belong to a package stored as a folder.
static void index_folder(RbLibrary *l, RbAstIndex *index, const char *folder) {
    RbFileNames names = rb_folder_names(folder, l->keep, *l->scratch);
    for (int i = 0; i < names.count; i++) {
        const char *file = names.data[i];
        size_t length = strlen(file);
        const char *path = rb_arena_printf(l->keep, "%s/%s", folder, file);
        RbAstEntry entry = {.path = path};
        if (length > 3 && strcmp(file + length - 3, ".mo") == 0) {
            if (strcmp(file, "package.mo") == 0 || !is_file(path)) continue;
            length -= 3;
        } else if (file[0] != '.' && is_package_folder(l, path)) {
            entry.is_folder = true;
        } else {
            continue;
        }
        add_entry(l, index, rb_intern_bytes(l->names, file, length), entry, RB_NOWHERE);
    }
}

RbAstIndex *rb_library_index(RbLibrary *l, RbAstClass *class) {
    if (class->index) return class->index;
    RbAstIndex *index = class->index = rb_new(l->keep, RbAstIndex);
    for (int i = 0; i < class->element_count; i++) {
        RbAstElement *e = class->elements[i];
        switch (e->kind) {
            case RB_AST_ELEMENT_ERROR: break;
            case RB_AST_IMPORT: rb_array_push(&index->imports, l->keep, e); break;
            case RB_AST_EXTENDS: rb_array_push(&index->extends, l->keep, e); break;
            case RB_AST_CLASS:
                add_entry(l, index, e->class->name, (RbAstEntry){.element = e}, e->class->at);
                break;
            case RB_AST_COMPONENTS:
                for (int k = 0; k < e->component_count; k++) {
                    add_entry(l, index, e->components[k].name,
                              (RbAstEntry){.element = e, .component = k}, e->components[k].at);
                }
        }
    }
    if (class->folder) index_folder(l, index, class->folder);
    return index;
}

// --- reading -------------------------------------------------------------------------------------

static RbAstElement *as_element(RbLibrary *l, RbAstClass *class) {
    RbAstElement *e = rb_new(l->keep, RbAstElement);
    e->kind = RB_AST_CLASS;
    e->at = class->at;
    e->class = class;
    return e;
}

// Read the file of an entry; its class must have the name of the file.
static void read_entry(RbLibrary *l, RbAstEntry *entry, RbName name) {
    const char *file =
        entry->is_folder ? rb_arena_printf(l->keep, "%s/package.mo", entry->path) : entry->path;
    RbAstFile *ast;
    entry->is_broken = true;
    RbStatus status = entry->text
                          ? rb_parse_text(file, entry->text, strlen(entry->text), l->names, l->keep,
                                          *l->scratch, l->diag, &ast)
                          : rb_parse_file(file, l->names, l->keep, *l->scratch, l->diag, &ast);
    if (status != RB_OK) return;
    if (!entry->text) rb_array_push(&l->files, l->keep, file);
    if (ast->class_count != 1 || ast->classes[0]->name != name) {
        rb_fail(l->diag, RB_ERROR_MODEL, rb_in_file(file),
                "this file of a package must hold exactly one class, named '%s'", name);
        return;
    }
    if (entry->is_folder) ast->classes[0]->folder = entry->path;
    entry->element = as_element(l, ast->classes[0]);
    entry->is_broken = false;
}

// "DIR/Name 3.2.3", if a package asks for this version; NULL: there is none.
static const char *wanted_folder(RbLibrary *l, RbName name) {
    const uint64_t *version = rb_map_find(&l->wanted, rb_map_key(name));
    for (int i = 0; version && i < l->paths.count; i++) {
        const char *folder = rb_arena_printf(l->keep, "%s/%s %s", l->paths.data[i], name, (const char *)(uintptr_t)*version);
        if (is_package_folder(l, folder)) return folder;
    }
    return NULL;
}

// A package at top level: DIR/Name/package.mo, DIR/Name.mo, or a folder with a version:
// "DIR/Name 4.1.0".
static bool search_paths(RbLibrary *l, RbName name) {
    RbAstIndex *index = rb_library_index(l, l->root);
    size_t length = strlen(name);
    const char *wanted = wanted_folder(l, name);
    if (wanted) {
        add_entry(l, index, name, (RbAstEntry){.path = wanted, .is_folder = true}, RB_NOWHERE);
        return true;
    }
    for (int i = 0; i < l->paths.count; i++) {
        const char *dir = l->paths.data[i];
        const char *folder = rb_arena_printf(l->keep, "%s/%s", dir, name);
        const char *file = rb_arena_printf(l->keep, "%s/%s.mo", dir, name);
        RbAstEntry entry = {0};
        if (is_package_folder(l, folder)) {
            entry = (RbAstEntry){.path = folder, .is_folder = true};
        } else if (is_file(file)) {
            entry = (RbAstEntry){.path = file};
        } else if (rb_is_folder(dir)) {
            RbFileNames names = rb_folder_names(dir, l->keep, *l->scratch);
            for (int k = 0; k < names.count; k++) { // the highest version is the last one
                const char *path = rb_arena_printf(l->keep, "%s/%s", dir, names.data[k]);
                if (strncmp(names.data[k], name, length) == 0 && names.data[k][length] == ' ' &&
                    is_package_folder(l, path)) {
                    entry = (RbAstEntry){.path = path, .is_folder = true};
                }
            }
        }
        if (entry.path) {
            add_entry(l, index, name, entry, RB_NOWHERE);
            return true;
        }
    }
    return false;
}

// Is this file compiled in for a package? Answers what follows the name of the package's folder.
static const char *within_shipped(const RbShippedFile *file, RbName package) {
    size_t length = strlen(package);
    bool belongs = strncmp(file->path, package, length) == 0 && file->path[length] == '/';
    return belongs ? file->path + length + 1 : NULL;
}

// A package that is compiled in: its classes are files of their own, as in a folder.
static bool search_shipped(RbLibrary *l, RbName name) {
    RbAstIndex *index = NULL;
    for (const RbShippedFile *f = rb_shipped_library; f->path; f++) {
        const char *file = within_shipped(f, name);
        if (!file) continue;
        RbAstEntry entry = {.path = f->path, .text = f->text};
        if (index) {
            size_t length = strcspn(file, ".");
            add_entry(l, index, rb_intern_bytes(l->names, file, length), entry, RB_NOWHERE);
            continue;
        }
        read_entry(l, &entry, name);
        add_entry(l, rb_library_index(l, l->root), name, entry, RB_NOWHERE);
        if (entry.is_broken) return true;
        index = rb_library_index(l, entry.element->class);
    }
    return index != NULL;
}

// Classes at top level are looked at once, when they are needed first; those in folders are read after their packages.
static void convert_entry(RbLibrary *l, RbAstClass *around, RbAstElement *e, bool is_new) {
    if (e->kind != RB_AST_CLASS || e->class->conversion_done || (around != l->root && !is_new)) return;
    e->class->conversion_done = true;
    rb_convert_class(l, e->class, around);
}

const RbAstEntry *rb_library_find(RbLibrary *l, RbAstClass *class, RbName name) {
    RbAstIndex *index = rb_library_index(l, class);
    RbAstEntry *entry = find_entry(index, name);
    if (!entry && class == l->root && !rb_map_find(&l->missing, rb_map_key(name))) {
        if (!search_paths(l, name) && !search_shipped(l, name)) {
            rb_map_set(&l->missing, l->keep, rb_map_key(name), 1);
            return NULL;
        }
        entry = find_entry(index, name);
    }
    if (!entry || entry->is_broken) return NULL;
    bool is_new = !entry->element;
    if (is_new) read_entry(l, entry, name);
    if (entry->element) convert_entry(l, class, entry->element, is_new);
    return find_entry(index, name)->element ? find_entry(index, name) : NULL;
}

RbAstClass *rb_library_class(RbLibrary *l, const char *full_name) {
    RbAstClass *class = l->root;
    while (*full_name && class) {
        size_t length = strcspn(full_name, ".");
        RbName name = rb_intern_bytes(l->names, full_name, length);
        const RbAstEntry *entry = rb_library_find(l, class, name);
        class = entry && entry->element->kind == RB_AST_CLASS ? entry->element->class : NULL;
        full_name += length + (full_name[length] == '.');
    }
    return class;
}

static const char *folder_of(RbLibrary *l, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? rb_arena_bytes(l->keep, path, (size_t)(slash - path)) : ".";
}

static void add_classes(RbLibrary *l, const RbAstFile *ast, const char **last) {
    RbAstIndex *index = rb_library_index(l, l->root);
    for (int i = 0; i < ast->class_count; i++) {
        RbAstClass *c = ast->classes[i];
        add_entry(l, index, c->name, (RbAstEntry){.element = as_element(l, c)}, c->at);
        if (last) *last = c->name;
    }
}

// A file with `within A.B` lies in the folder of B: go up to the folder that holds A, and find A
// there.
static RbStatus add_within(RbLibrary *l, const RbAstFile *ast, const char *path,
                           const char **last) {
    const char *folder = folder_of(l, path);
    if (rb_text_ends_with(path, "package.mo")) folder = folder_of(l, folder);
    for (int i = 1; i < ast->within.count; i++) folder = folder_of(l, folder);
    const char *parent = folder_of(l, folder);
    rb_library_add_path(l, strchr(folder, '/') ? parent : strcmp(folder, ".") == 0 ? ".." : ".");
    if (!rb_library_find(l, l->root, ast->within.parts[0])) {
        return rb_fail(l->diag, RB_ERROR_MODEL, ast->within_at,
                       "the package '%s', to which this file belongs, is not in the folder '%s'",
                       ast->within.parts[0], parent);
    }
    RbText name = rb_text(l->keep);
    rb_ast_print_name(&ast->within, &name);
    for (int i = 0; i < ast->class_count; i++) {
        if (last) *last = rb_arena_printf(l->keep, "%s.%s", name.data, ast->classes[i]->name);
    }
    return RB_OK;
}

RbStatus rb_library_add_file(RbLibrary *l, const char *path, const char **last) {
    if (rb_is_folder(path)) {
        const char *folder = path;
        path = rb_arena_printf(l->keep, "%s/package.mo", folder);
        if (access(path, F_OK) != 0)
            return rb_fail(l->diag, RB_ERROR_IO, rb_in_file(folder),
                           "this folder is no Modelica package: it has no file package.mo");
    }
    RbAstFile *ast;
    RB_TRY(rb_parse_file(path, l->names, l->keep, *l->scratch, l->diag, &ast));
    if (ast->class_count == 0)
        return rb_fail(l->diag, RB_ERROR_MODEL, rb_in_file(path), "the file defines no class");
    if (ast->within.count > 0) return add_within(l, ast, path, last);
    rb_array_push(&l->files, l->keep, rb_arena_text(l->keep, path));
    if (rb_text_ends_with(path, "package.mo") && ast->class_count == 1) {
        ast->classes[0]->folder = folder_of(l, path);
    }
    int errors = l->diag->error_count;
    add_classes(l, ast, last);
    return l->diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}

RbStatus rb_library_add_text(RbLibrary *l, const char *file, const char *text, size_t length,
                             const char **last) {
    RbAstFile *ast;
    RB_TRY(rb_parse_text(file, text, length, l->names, l->keep, *l->scratch, l->diag, &ast));
    if (ast->within.count > 0) {
        return rb_fail(l->diag, RB_ERROR_MODEL, ast->within_at,
                       "a text that is not a file cannot belong to a package ('within')");
    }
    int errors = l->diag->error_count;
    add_classes(l, ast, last);
    return l->diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}
