// SPDX-License-Identifier: MIT
#include "io/csv_meta.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "io/sink.h"

static const char UNIT[] = "schema:unitText", DESCRIPTION[] = "dc:description";

static const char *beside(const char *csv, RbArena *arena) {
    return rb_arena_printf(arena, "%s-metadata.json", csv);
}

// Pipes and devices have nothing beside them.
static bool is_regular(const char *path) {
    struct stat info;
    return !rb_file_is_standard(path) && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// ---- writing

static void add_entry(RbText *out, const char *key, const char *value) {
    if (!value || !value[0]) return;
    rb_text_printf(out, ",\"%s\":\"", key);
    rb_text_add_json(out, value);
    rb_text_add(out, "\"");
}

static void add_column(RbText *out, const char *name, const char *unit, const char *description) {
    rb_text_add(out, "{\"titles\":\"");
    rb_text_add_json(out, name);
    rb_text_add(out, "\"");
    add_entry(out, UNIT, unit);
    add_entry(out, DESCRIPTION, description);
    rb_text_add(out, "}");
}

static bool is_told(const RbResult *result, const int *columns, int count) {
    for (int i = 0; i < count; i++) {
        const RbResultVariable *v = &result->variables.data[columns[i]];
        if (v->unit[0] || v->description[0]) return true;
    }
    return false;
}

RbStatus rb_csv_meta_write(const char *csv, const RbResult *result, const int *columns, int count,
                           RbArena scratch, RbDiag *diag) {
    if (!is_regular(csv)) return RB_OK;
    const char *path = beside(csv, &scratch), *slash = strrchr(csv, '/');
    if (!is_told(result, columns, count)) {
        rb_file_remove(path);
        return RB_OK;
    }
    RbText out = rb_text(&scratch);
    rb_text_add(&out, "{\"@context\":\"http://www.w3.org/ns/csvw\",\"url\":\"");
    rb_text_add_json(&out, slash ? slash + 1 : csv);
    rb_text_add(&out, "\"");
    add_entry(&out, "dc:title", result->experiment.model);
    rb_text_add(&out, ",\"tableSchema\":{\"columns\":[\n");
    add_column(&out, "time", "s", "");
    for (int i = 0; i < count; i++) {
        const RbResultVariable *v = &result->variables.data[columns[i]];
        rb_text_add(&out, ",\n");
        add_column(&out, v->name, v->unit, v->description);
    }
    rb_text_add(&out, "\n]}}\n");
    RbSink sink;
    RB_TRY(rb_sink_open(path, &scratch, diag, &sink));
    rb_sink_write(&sink, out.data, (size_t)out.count);
    return rb_sink_close(&sink, RB_OK, diag);
}

// ---- reading

static const char *text_of(const cJSON *object, const char *key, RbArena *arena) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? rb_arena_text(arena, item->valuestring) : "";
}

// Columns are found by their place and must have the same name: then they are the same.
static bool take(const cJSON *root, RbResult *result, RbArena *arena) {
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "tableSchema");
    const cJSON *columns = cJSON_GetObjectItemCaseSensitive(schema, "columns"), *column;
    int i = -1; // the time comes first
    if (!cJSON_IsArray(columns)) return false;
    cJSON_ArrayForEach(column, columns) {
        if (i >= result->variables.count) return false;
        RbResultVariable *v = i >= 0 ? &result->variables.data[i] : NULL;
        if (v && strcmp(text_of(column, "titles", arena), v->name) != 0) return false;
        if (v) v->unit = text_of(column, UNIT, arena);
        if (v) v->description = text_of(column, DESCRIPTION, arena);
        i++;
    }
    const char *model = text_of(root, "dc:title", arena);
    if (model[0]) result->experiment.model = model;
    return true;
}

// In an arena, so that running out of memory on the way frees it.
static void delete_tree(void *holder) {
    cJSON **root = holder;
    cJSON_Delete(*root);
    *root = NULL;
}

void rb_csv_meta_read(const char *csv, RbResult *result, RbArena *arena, RbArena scratch,
                      RbDiag *diag) {
    const char *path = beside(csv, diag->arena);
    RbBytes bytes;
    if (!is_regular(csv) || !is_regular(path)) return;
    if (rb_file_read(path, (size_t)1 << 28, &scratch, diag, &bytes) != RB_OK) return;
    cJSON **root = rb_new(arena, cJSON *);
    rb_arena_defer(arena, delete_tree, root);
    errno = 0;
    *root = cJSON_ParseWithLength((const char *)bytes.data, bytes.size);
    if (!*root && errno == ENOMEM) rb_heap_fail(arena->heap);
    bool fits = *root && take(*root, result, arena);
    delete_tree(root);
    if (!fits)
        rb_warn(diag, rb_in_file(path),
                "this does not describe the columns of the table beside it: units are not known");
}
