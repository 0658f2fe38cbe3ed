// SPDX-License-Identifier: MIT
#include "fmu/archive.h"

#include <ctype.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "fmu/description.h"
#include "io/zip.h"

// A file of the model: where it is, and its place below resources/modelica.
typedef struct PackedFile {
    const char *path, *place;
} PackedFile;

typedef struct Packer {
    const RbFmuPack *p;
    RbArena *arena;
    RbDiag *diag;
    RB_ARRAY(const char *) roots; // folders that hold packages, or the file of the user
    RB_ARRAY(PackedFile) files;
    const char *text_file; // place of the text that the user gave; NULL: of a file
    RbText card;
    const char *token;
} Packer;

// -------------------------------------------------------------------------------------------------
// files

static const char *real_path(Packer *k, const char *path) {
    char found[PATH_MAX];
    return rb_arena_text(k->arena, realpath(path, found) ? found : path);
}

static const char *folder_of(Packer *k, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? rb_arena_bytes(k->arena, path, (size_t)(slash - path)) : "";
}

// The file that the user names; NULL: none, or one that belongs to a package, in which its class is found
// by its name.
static const char *own_path(Packer *k) {
    const RbLibrary *l = k->p->opener->library;
    const RbModelica *s = k->p->opener->source;
    if (!s->file || s->text || l->files.count == 0) return NULL;
    const char *path = real_path(k, s->file);
    if (rb_is_folder(path)) path = rb_arena_printf(k->arena, "%s/package.mo", path);
    return strcmp(real_path(k, l->files.data[0]), path) == 0 ? path : NULL;
}

static void list_roots(Packer *k) {
    const RbLibrary *l = k->p->opener->library;
    const char *path = own_path(k);
    for (int i = 0; i < l->paths.count; i++)
        rb_array_push(&k->roots, k->arena, real_path(k, l->paths.data[i]));
    if (!path) return;
    const char *folder = folder_of(k, path);
    rb_array_push(&k->roots, k->arena,
                  rb_text_ends_with(path, "/package.mo") ? folder_of(k, folder) : folder);
}

// Below the deepest of the folders that it lies in; NULL: in none.
static const char *place_of(const Packer *k, const char *path) {
    size_t longest = 0;
    const char *place = NULL;
    for (int i = 0; i < k->roots.count; i++) {
        const char *root = k->roots.data[i];
        size_t length = strlen(root);
        if (strncmp(path, root, length) != 0 || path[length] != '/' || length < longest) continue;
        longest = length;
        place = path + length + 1;
    }
    return place;
}

static RbStatus add_file(Packer *k, const char *name, const char *what) {
    const char *path = real_path(k, name), *place = place_of(k, path);
    if (!place)
        return rb_fail(
            k->diag, RB_ERROR_USAGE, rb_in_file(name),
            "%s uses this file, which an FMU cannot take along: put it into the folder of "
            "the model, or of a package, and name it by modelica://",
            what);
    for (int i = 0; i < k->files.count; i++) {
        if (strcmp(k->files.data[i].path, path) == 0) return RB_OK;
    }
    rb_array_push(&k->files, k->arena, (PackedFile){path, place});
    return RB_OK;
}

static bool is_file(const char *path) {
    struct stat info;
    return path && path[0] && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// A file, or the meshes of a folder; *found: is there any?
static RbStatus add_path(Packer *k, const char *path, const char *what, bool *found) {
    *found = is_file(path);
    if (*found) return add_file(k, path, what);
    if (!rb_is_folder(path)) return RB_OK;
    RbFileNames names = rb_folder_names(path, k->arena, *k->p->opener->scratch);
    for (int i = 0; i < names.count; i++) {
        const char *name = names.data[i];
        bool mesh = rb_text_ends_with(name, ".stl") || rb_text_ends_with(name, ".obj") ||
                    rb_text_ends_with(name, ".ply");
        if (!mesh) continue;
        *found = true;
        RB_TRY(add_file(k, rb_arena_printf(k->arena, "%s/%s", path, name), what));
    }
    return RB_OK;
}

// Meshes, tables and materials are named by Strings: beside the text that declares the part, or by
// modelica://, which is a path by now. One of the current folder would depend on that of the master.
static RbStatus add_named(Packer *k, const RbFlatVar *v) {
    const char *name = v->binding->text, *what = rb_arena_printf(k->arena, "'%s'", v->name);
    const char *texts[] = {v->at.file, rb_flat_var_place(v).file};
    bool found = false;
    if (name[0] == '/') return add_path(k, name, what, &found);
    for (int i = 0; i < 2 && !found && name[0]; i++) {
        if (!texts[i]) continue;
        const char *folder = folder_of(k, real_path(k, texts[i]));
        RB_TRY(add_path(k, rb_arena_printf(k->arena, "%s/%s", folder, name), what, &found));
    }
    if (found || !is_file(name)) return RB_OK;
    return rb_fail(
        k->diag, RB_ERROR_USAGE, v->at,
        "%s names the file '%s' of the current folder, which an FMU does not have; put it "
        "beside the model, or name it by modelica://Package/%s",
        what, name, name);
}

static RbStatus add_named_files(Packer *k) {
    const RbFlatModel *flat = k->p->opener->translation.flat;
    bool found;
    for (int i = 0; i < flat->vars.count; i++) {
        const RbFlatVar *v = &flat->vars.data[i];
        if (v->type == RB_STRING && v->binding && v->binding->op == RB_OP_STRING)
            RB_TRY(add_named(k, v));
    }
    for (int i = 0; i < flat->visuals.count; i++) {
        const RbFlatVisual *v = &flat->visuals.data[i];
        if (v->file) RB_TRY(add_path(k, v->file, v->path, &found));
    }
    return RB_OK;
}

static RbStatus list_files(Packer *k) {
    const RbLibrary *l = k->p->opener->library;
    const RbModelica *s = k->p->opener->source;
    if (s->file && !s->text && rb_file_is_standard(s->file))
        return rb_fail(k->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "an FMU cannot be made of the standard input; write the model into a file");
    list_roots(k);
    for (int i = 0; i < l->files.count; i++) RB_TRY(add_file(k, l->files.data[i], "the model"));
    if (s->text) {
        const char *name = s->file ? strrchr(s->file, '/') : NULL;
        k->text_file = name ? name + 1 : s->file ? s->file : "model.mo";
    }
    return add_named_files(k);
}

// -------------------------------------------------------------------------------------------------
// the card

static char letter_of(const RbFmuVariable *v) {
    switch (v->type) {
        case RB_INTEGER: return 'i';
        case RB_BOOLEAN: return 'b';
        case RB_STRING: return v->is_journal ? 'j' : 's';
        case RB_ENUM: return 'e';
        default: return v->is_time ? 't' : v->is_indicator ? 'z' : 'r';
    }
}

// When it may be set: see FmuVariable.
static char access_of(const RbFmuVariable *v) {
    switch (v->causality) {
        case RB_FMU_PARAMETER: return v->variability == RB_FMU_TUNABLE ? 'p' : 'x';
        case RB_FMU_INPUT: return 'u';
        default: return v->has_start && v->variability != RB_FMU_CONSTANT ? 'v' : '-';
    }
}

static void write_card(Packer *k) {
    const RbModelica *s = k->p->opener->source;
    const char *const *settings = k->p->options->settings, *own = own_path(k);
    const char *file = k->text_file ? k->text_file : own ? place_of(k, own) : NULL;
    RbText *c = &k->card;
    if (file) rb_text_printf(c, "file %s\n", file);
    static const char *const types[] = {"cs", "me", "both"}; // ORDER RbFmuType
    rb_text_printf(c, "class %s\ntypes %s\n", k->p->opener->class_name,
                   types[k->p->options->type]);
    if (k->p->options->type != RB_FMU_CO_SIMULATION)
        rb_text_printf(c, "states %d\nindicators %d\n", k->p->states->count,
                       k->p->states->indicator_count);
    rb_text_printf(c, "solver %s\n", k->p->options->solver ? k->p->options->solver : "auto");
    if (s->multibody_engine) rb_text_add(c, "multibody engine\n");
    if (s->residual_systems != RB_RESIDUAL_AUTO)
        rb_text_printf(c, "residual %s\n",
                       s->residual_systems == RB_RESIDUAL_ALWAYS ? "always" : "never");
    for (int i = 0; settings && settings[i]; i++) rb_text_printf(c, "set %s\n", settings[i]);
    for (int i = 0; i < k->p->variables->count; i++) {
        const RbFmuVariable *v = &k->p->variables->data[i];
        rb_text_printf(c, "variable %c %c %s", letter_of(v), access_of(v), v->name);
        if (v->type == RB_STRING) rb_text_printf(c, "\t%s", v->text);
        rb_text_add(c, "\n");
    }
    for (int i = 0; i < k->p->variables->count; i++) {
        const RbFmuVariable *v = &k->p->variables->data[i];
        if (v->array) rb_text_printf(c, "array %d %d\n", i, v->count);
    }
}

// -------------------------------------------------------------------------------------------------
// the archive

static RbStatus zip_file(Packer *k, RbZip *zip, const char *name, const char *path,
                         RbArena scratch) {
    RbBytes bytes;
    RB_TRY(rb_file_read(path, 0, &scratch, k->diag, &bytes));
    return rb_zip_add(zip, name, (RbBlob){bytes.data, bytes.size}, scratch, k->diag);
}

static RbStatus zip_text(Packer *k, RbZip *zip, const char *name, const char *text,
                         RbArena scratch) {
    return rb_zip_add(zip, name, (RbBlob){(const unsigned char *)text, strlen(text)}, scratch,
                      k->diag);
}

static RbStatus zip_model(Packer *k, RbZip *zip, RbArena scratch) {
    for (int i = 0; i < k->files.count; i++) {
        const PackedFile *f = &k->files.data[i];
        const char *name = rb_arena_printf(k->arena, "resources/modelica/%s", f->place);
        RB_TRY(zip_file(k, zip, name, f->path, scratch));
    }
    if (k->text_file) {
        const char *name = rb_arena_printf(k->arena, "resources/modelica/%s", k->text_file);
        RB_TRY(zip_text(k, zip, name, k->p->opener->source->text, scratch));
    }
    const char *card = rb_arena_printf(k->arena, "token %s\n%s", k->token, k->card.data);
    return zip_text(k, zip, "resources/rattleback.txt", card, scratch);
}

// Beside this library or program, as it is built or installed.
static const char *binary_folder(Packer *k) {
    static const char *const places[] = {"fmu/binary",
                                         "rattleback/fmu",
                                         "../lib/rattleback/fmu",
                                         "../" RB_LIBRARY_FOLDER "/rattleback/fmu",
                                         "../fmu/binary",
                                         "../../fmu/binary",
                                         "../../../fmu/binary"};
    Dl_info here;
    if (k->p->options->binary_folder) return k->p->options->binary_folder;
    if (dladdr((const void *)(uintptr_t)rb_fmu_pack, &here) == 0 || !here.dli_fname) return NULL;
    char own[PATH_MAX];
    ssize_t length =
        strchr(here.dli_fname, '/') ? 0 : readlink("/proc/self/exe", own, sizeof own - 1);
    if (length > 0) own[length] = 0;
    const char *folder = folder_of(k, real_path(k, length > 0 ? own : here.dli_fname));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = rb_arena_printf(k->arena, "%s/%s", folder, places[i]);
        if (is_file(rb_arena_printf(k->arena, "%s/rattleback-fmu.so", path))) return path;
    }
    return NULL;
}

static RbStatus zip_binary(Packer *k, RbZip *zip, const char *identifier, RbArena scratch) {
#if defined(__aarch64__)
    const char *platform = "aarch64-linux";
#else
    const char *platform = k->p->options->version == 2 ? "linux64" : "x86_64-linux";
#endif
    const char *folder = binary_folder(k);
    if (!folder)
        return rb_fail(
            k->diag, RB_ERROR_IO, RB_NOWHERE,
            "the binary of FMUs, rattleback-fmu.so, is missing in this installation; build "
            "the target rb_fmu");
    RbFileNames names = rb_folder_names(folder, k->arena, scratch);
    for (int i = 0; i < names.count; i++) {
        bool own = strcmp(names.data[i], "rattleback-fmu.so") == 0;
        const char *as = own ? rb_arena_printf(k->arena, "%s.so", identifier) : names.data[i];
        const char *path = rb_arena_printf(k->arena, "%s/%s", folder, names.data[i]);
        as = rb_arena_printf(k->arena, "binaries/%s/%s", platform, as);
        if (!is_file(path) || !strstr(names.data[i], ".so")) continue;
        RB_TRY(zip_file(k, zip, as, path, scratch));
    }
    return RB_OK;
}

// A name of C.
static const char *identifier_of(Packer *k, const char *name) {
    char *id = rb_arena_printf(k->arena, "%s%s", isdigit((unsigned char)name[0]) ? "_" : "", name);
    for (char *c = id; *c; c++) {
        if (!isalnum((unsigned char)*c)) *c = '_';
    }
    return id;
}

static RbStatus make_token(Packer *k) {
    uint64_t hash = rb_hash_bytes(RB_HASH_START, k->card.data, (size_t)k->card.count);
    for (int i = 0; i < k->files.count; i++) {
        uint64_t own = 0;
        if (!rb_file_hash(k->files.data[i].path, &own))
            return rb_fail(k->diag, RB_ERROR_IO, rb_in_file(k->files.data[i].path), "cannot read");
        hash = rb_hash_bytes(hash, &own, sizeof own);
    }
    const char *text = k->p->opener->source->text;
    if (text) hash = rb_hash_bytes(hash, text, strlen(text));
    k->token = rb_arena_printf(k->arena, "{%016" PRIx64 "-%016" PRIx64 "}", hash,
                               rb_hash_mix(hash ^ k->p->model->equations_hash));
    return RB_OK;
}

RbStatus rb_fmu_pack(const RbFmuPack *p, const char *file, RbArena *arena, RbArena scratch,
                     RbDiag *diag) {
    Packer k = {.p = p, .arena = arena, .diag = diag, .card = rb_text(arena)};
    RB_TRY(list_files(&k));
    write_card(&k);
    RB_TRY(make_token(&k));
    RbFmuDescription d = {.version = p->options->version,
                          .type = p->options->type,
                          .states = p->states,
                          .dependencies = &p->dependencies,
                          .name = p->model->name,
                          .description = p->model->description,
                          .token = k.token,
                          .identifier = identifier_of(&k, p->model->name),
                          .start_time = p->sim.start_time,
                          .stop_time = p->sim.stop_time,
                          .tolerance = p->sim.tolerance,
                          .interval = p->sim.output_interval,
                          .flat = p->opener->translation.flat,
                          .variables = p->variables};
    RbText xml = rb_text(arena);
    rb_fmu_describe(&d, scratch, &xml);
    RbZip zip = rb_zip(arena);
    RB_TRY(zip_text(&k, &zip, "modelDescription.xml", xml.data, scratch));
    RB_TRY(zip_binary(&k, &zip, d.identifier, scratch));
    RB_TRY(zip_model(&k, &zip, scratch));
    RbBlob bytes = rb_zip_done(&zip);
    return rb_file_write(file, bytes.bytes, bytes.size, diag);
}
